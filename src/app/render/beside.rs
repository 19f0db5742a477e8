//! What is written and drawn beside a layer's own drawing: the second result, the reachable volume, strains, where a bend direction
//! comes from, what moved a point.

use egui_macroquad::egui::{Align2, Stroke, vec2};
use glam::Vec3;

use super::chains::Aside;
use super::overlay::{Layer, Overlay};
use crate::app::debugger::Other;
use crate::app::session::Session;
use crate::full_body::BendSource;
use crate::full_body::bend_constraint::bend_source;
use crate::full_body::child_constraint::PAIRS;
use crate::full_body::draw::{draw_bend_defaults, draw_step, shown_bend_direction};
use crate::full_body::{Effector, Node, Nodes};
use crate::key::label;
use crate::rig::{LimbName, ModelPose};
use crate::stack::LayerId;
use crate::stepped::run::Shown;

/// What stands beside the full body: the reachable volume, strains.
pub(super) fn the_body(session: &Session, overlay: &mut Overlay) {
    let Some(state) = session.state() else { return };
    let layers = session.solver_layers();
    volume_label(session, overlay);
    // Constraints have no part in writing.
    let has_constraints = layers.rigid_constraints || layers.push_only_constraints;
    if session.time.is_paused() && has_constraints && session.body_step().is_some() {
        strain_pills(session, &state.nodes(), overlay);
    }
}

/// What the reachable volume in the picture is of, and whether it is true still.
fn volume_label(session: &Session, overlay: &mut Overlay) {
    let Some(volume) = session.debugger.reach.volume.as_ref().filter(|_| session.view.reach) else { return };
    let Some(limb) = volume.limb else { return };
    let highest = volume.points.iter().max_by(|a, b| a.position.y.total_cmp(&b.position.y));
    let Some(at) = highest.and_then(|point| overlay.at(point.position)) else { return };
    let name = label(Effector::END[limb.index()].key());
    let (text, color) = match session.reach_is_stale() {
        Some(why) => (format!("what the {name} reached: stale, {why}; V makes it anew"), overlay.theme.warning),
        None => (format!("what the {name} reaches"), overlay.theme.limb(limb)),
    };
    let text = match (session.view.reach_turns, limb.is_arm()) {
        (false, _) => text,
        (true, true) => format!("{text}\ndark: the elbow hangs, bright: it points up"),
        (true, false) => format!("{text}\ndark: the knee points forward, bright: back"),
    };
    overlay.label(at - vec2(0.0, 10.0), Align2::CENTER_BOTTOM, &text, Some(color));
}

/// The second result of the layer in focus, at the same step: the full body's nodes hollow, of any other its own drawing
/// in hairlines; and which of its points is furthest from where the first has it.
pub(super) fn other(session: &Session, overlay: &mut Overlay) {
    let Some(other) = session.debugger.other().filter(|_| session.view.other) else { return };
    let (focus, run) = (session.focus(), session.shown_run());
    let theirs = other.cursor(focus, session.time.cursor, run).zip(other.frame.run(focus));
    let by = session.other_offset() + session.lane_offset(focus);
    let layers = session.solver_layers();
    let (Some((at, theirs)), Some(own)) = (theirs, run) else { return result_alone(session, other, by, overlay) };
    let places = theirs.places(at);
    match (focus, other.frame.full_body()) {
        (LayerId::FullBody, Some(body)) => {
            let mut nodes = body.state(at).nodes();
            nodes.0.iter_mut().for_each(|node| *node += by);
            if session.character.model.meshes.is_empty() {
                bones(session, &other.shown, by, overlay);
            }
            if layers.nodes {
                draw_step(&nodes, &nodes, f32::INFINITY, false, overlay);
            }
        }
        _ => {
            let size = session.character.height;
            let shown = Shown { layers, before: false, moved: false, limits: false, casts: false, goals: false, size };
            theirs.draw(at, &shown, &mut Aside { to: overlay, by, hides: [false; 3], is_faint: true });
        }
    }
    let apart = own.places(session.time.cursor).into_iter().zip(&places).map(|(own, theirs)| own.distance(*theirs));
    let furthest = own.points().into_iter().zip(&places).zip(apart).max_by(|a, b| a.1.total_cmp(&b.1));
    if let Some(((point, &place), distance)) = furthest {
        apart_label(session, &point.label, place + by, distance, overlay);
    }
}

/// How far the point that is furthest from where the first result has it is from there.
fn apart_label(session: &Session, name: &str, place: Vec3, distance: f32, overlay: &mut Overlay) {
    if distance > session.character.height * 1e-4
        && let Some(at) = overlay.at(place)
    {
        let text = format!("{name} {} apart", session.character.length(distance));
        overlay.label(at + vec2(18.0, -18.0), Align2::LEFT_CENTER, &text, Some(overlay.theme.previous));
    }
}

/// A second result of which there are no steps: the pose that it came to, and of that the nodes.
fn result_alone(session: &Session, other: &Other, by: Vec3, overlay: &mut Overlay) {
    let (Ok(solver), LayerId::FullBody) = (session.character.rig.full_body.as_ref(), session.focus()) else { return };
    let (own, theirs) = (&session.picture.pose.bones, &other.shown.bones);
    if own.len() != theirs.len() {
        return;
    }
    if session.character.model.meshes.is_empty() {
        bones(session, &other.shown, by, overlay);
    }
    let mut nodes = Nodes::default();
    Node::ALL.into_iter().for_each(|node| nodes[node] = theirs[solver.bone_of(node)].position + by);
    if session.solver_layers().nodes {
        draw_step(&nodes, &nodes, f32::INFINITY, false, overlay);
    }
    let apart = own.iter().zip(theirs).map(|(own, theirs)| own.position.distance(theirs.position));
    if let Some((bone, distance)) = apart.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)) {
        let name = label(&session.character.model.skeleton.bones()[bone].name);
        apart_label(session, &name, theirs[bone].position + by, distance, overlay);
    }
}

/// The second result of a character that has no surface, in hairlines: its body, not what that hangs on.
fn bones(session: &Session, pose: &ModelPose, by: Vec3, overlay: &mut Overlay) {
    let line = Stroke::new(1.0, overlay.theme.text[0]);
    let pelvis = session.character.detection.biped.as_ref().map(|biped| biped.pelvis);
    let mut in_body = vec![pelvis.is_none(); pose.bones.len()];
    for (index, bone) in session.character.model.skeleton.bones().iter().enumerate().take(pose.bones.len()) {
        in_body[index] |= Some(index) == pelvis;
        let Some(parent) = bone.parent.filter(|&parent| in_body[parent]) else { continue };
        in_body[index] = true;
        overlay.plain(Layer::Bones, pose.bones[parent].position + by, pose.bones[index].position + by, line);
    }
}

/// What moved the point, part after part, from where it was to where it is.
pub(super) fn attribution(session: &Session, overlay: &mut Overlay) {
    let table = &session.debugger.attribution.table;
    let mut at = table.from;
    for (index, row) in table.rows.iter().enumerate() {
        let to = at + row.sum.to_vec3();
        let color = overlay.theme.tint(row.tint).unwrap_or(overlay.theme.text[1]);
        overlay.pixel_arrow(Layer::Arrows, at, to, 2.6, color);
        if index < 3
            && let (Some(from), Some(end)) = (overlay.at(at), overlay.at(to))
            && from.distance(end) > 24.0
        {
            overlay.label(from.lerp(end, 0.5) + vec2(0.0, -12.0), Align2::CENTER_BOTTOM, &row.label, Some(color));
        }
        at = to;
    }
}

fn strain_pills(session: &Session, nodes: &Nodes, overlay: &mut Overlay) {
    for (pair, constraint) in PAIRS.iter().zip(session.body_frame().child_constraints()) {
        let rigid = constraint.is_rigid();
        let shown = if rigid { session.view.rigid_constraints } else { session.view.push_only_constraints };
        let [a, b] = pair.map(|node| nodes[node]);
        let strain = constraint.strain(a.distance(b)) * 100.0;
        if !shown || strain.abs() < 0.05 {
            continue;
        }
        let color = if rigid { overlay.theme.rigid } else { overlay.theme.push_only };
        // A third along, where the diagonals are apart.
        let (from, to) = if rigid { (a, b) } else { (b, a) };
        if let Some(at) = overlay.at(from.lerp(to, if rigid { 0.5 } else { 0.3 })) {
            let at = at + if rigid { vec2(0.0, -16.0) } else { vec2(0.0, 12.0) };
            overlay.label(at, Align2::CENTER_CENTER, &format!("{strain:+.1} %"), Some(color));
        }
    }
}

/// Default bend direction and default child normal of the selected limb, of all limbs where none is selected.
pub(super) fn bend_defaults(session: &Session, overlay: &mut Overlay) {
    let Some(state) = session.state().filter(|_| session.view.bend_defaults) else { return };
    let selected = session.hands.selection.limb();
    let limbs = selected.as_ref().map_or(&LimbName::ALL[..], std::slice::from_ref);
    // Longer than the arrows of bend directions, which may lie on them.
    draw_bend_defaults(&session.body_frame(), &state, limbs, session.character.height * 0.16, overlay);
}

pub(super) fn bend_labels(session: &Session, overlay: &mut Overlay) {
    let Some(state) = session.state().filter(|_| session.view.bend_directions) else { return };
    let frame = &session.body_frame();
    for limb in LimbName::ALL {
        let direction = shown_bend_direction(frame, &state, limb);
        let from = state.node(Node::of_limb(limb)[1]);
        if let Some(at) = overlay.at(from + direction * session.character.height * 0.11) {
            let source = bend_source(frame, limb);
            // What is as ever is told of the limb that is looked at alone.
            if source == BendSource::Animation && session.hands.selection.limb() != Some(limb) {
                continue;
            }
            overlay.label(at + vec2(0.0, 14.0), Align2::CENTER_CENTER, source.label(), Some(overlay.theme.bend));
        }
    }
}
