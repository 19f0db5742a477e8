use egui_macroquad::egui::Stroke;
use glam::Vec3;

use crate::picture::labels::Rank;
use crate::picture::overlay::{Layer, Note, Overlay};
use crate::session::Session;
use crate::tools::chains::picture::Aside;
use crate::tools::compare::words as text;
use crate::tools::learn::picture::marked;
use crate::tools::steps::Other;
use kinescope_ik::full_body::BendSource;
use kinescope_ik::full_body::bend_constraint::bend_source;
use kinescope_ik::full_body::child_constraint::PAIRS;
use kinescope_ik::full_body::draw::{draw_bend_defaults, draw_step, shown_bend_direction};
use kinescope_ik::full_body::{Effector, Node, Nodes};
use kinescope_ik::key::label;
use kinescope_ik::rig::{LimbName, ModelPose};
use kinescope_ik::stack::LayerId;
use kinescope_ik::stepped::run::Shown;

pub(crate) fn the_body(session: &Session, overlay: &mut Overlay) {
    let Some(state) = session.state() else { return };
    let layers = session.solver_layers();
    volume_label(session, overlay);
    // Strains belong to the steps of the solve. Steps that write bones have none.
    let has_constraints = layers.rigid_constraints || layers.push_only_constraints;
    if session.world.time.is_paused() && has_constraints && session.body_step().is_some() {
        strain_pills(session, &state.nodes(), overlay);
    }
}

fn volume_label(session: &Session, overlay: &mut Overlay) {
    let Some(volume) = session.tools.debugger.reach.volume.as_ref().filter(|_| session.look.view.reach) else { return };
    let Some(limb) = volume.limb else { return };
    let highest = volume.points.iter().max_by(|a, b| a.position.y.total_cmp(&b.position.y));
    let Some(at) = highest.and_then(|point| overlay.at(point.position)) else { return };
    let name = label(Effector::END[limb.index()].key());
    let (text, color) = match session.reach_is_stale() {
        Some(why) => (text::reach_out_of_date(&name, &why), overlay.theme.warning),
        None => (text::reach_of(&name), overlay.theme.limb(limb)),
    };
    let text = match (session.look.view.reach_turns, limb.is_arm()) {
        (false, _) => text,
        (true, true) => text::reach_arm(&text, overlay.theme.is_light),
        (true, false) => text::reach_leg(&text, overlay.theme.is_light),
    };
    overlay.note(Note::new(Rank::Study, "volume", at, text).mark(color).toward(0.0, -1.0));
}

pub(crate) fn other(session: &Session, overlay: &mut Overlay) {
    let Some(other) = session.tools.debugger.other().filter(|_| session.look.view.other) else { return };
    let (focus, run) = (session.focus(), session.shown_run());
    let theirs = other.cursor(focus, session.world.time.cursor, run).zip(other.frame.run(focus));
    let by = session.other_offset() + session.lane_offset(focus);
    let layers = session.solver_layers();
    let (Some((at, theirs)), Some(own)) = (theirs, run) else { return result_alone(session, other, by, overlay) };
    let places = theirs.places(at);
    match (focus, other.frame.full_body()) {
        (LayerId::FullBody, Some(body)) => {
            let mut nodes = body.state(at).nodes();
            nodes.0.iter_mut().for_each(|node| *node += by);
            if session.world.character.model.meshes.is_empty() {
                bones(session, &other.shown, by, overlay);
            }
            if layers.nodes {
                draw_step(&nodes, &nodes, f32::INFINITY, false, overlay);
            }
        }
        _ => {
            let size = session.world.character.height;
            let shown = Shown { layers, before: false, moved: false, limits: false, casts: false, goals: false, size };
            theirs.draw(at, &shown, &mut Aside { to: overlay, by, hides: [false; 3], is_faint: true });
        }
    }
    let apart =
        own.places(session.world.time.cursor).into_iter().zip(&places).map(|(own, theirs)| own.distance(*theirs));
    // Once bones are written, the picture shows bones instead of nodes, so the comparison skips the run's first points,
    // which are the nodes.
    let is_written = focus == LayerId::FullBody && session.body_step().is_none();
    let first = if is_written { Node::COUNT } else { 0 };
    let furthest = own.points().into_iter().zip(&places).zip(apart).skip(first).max_by(|a, b| a.1.total_cmp(&b.1));
    if let Some(((point, &place), distance)) = furthest {
        apart_label(session, &point.label, place + by, distance, overlay);
    }
}

/// Keeps labels off the trunk and the head of a body next to the character. Both are wider than the bones, which
/// labels avoid anyway.
pub(crate) fn keep_trunk_clear(session: &Session, body: &ModelPose, offset: Vec3, overlay: &mut Overlay) {
    /// Number of discs from the pelvis to the head, without the first.
    const DISCS: usize = 5;
    /// Height of the middle of the head above its joint, and radius of the discs, as fractions of the character's height.
    const HEAD: f32 = 0.05;
    const RADIUS: f32 = 0.06;
    let Some(figure) = &session.world.character.rig.figure else { return };
    let height = session.world.character.height;
    let ends = body.bones.get(figure.pelvis).zip(figure.head.and_then(|head| body.bones.get(head)));
    let Some((pelvis, head)) = ends else { return };
    for part in 0..=DISCS {
        let at = pelvis.position.lerp(head.position + Vec3::Y * HEAD * height, part as f32 / DISCS as f32);
        overlay.keep_clear(at + offset, RADIUS * height);
    }
}

pub(crate) fn tags(session: &Session, overlay: &mut Overlay) {
    let by = session.other_offset();
    let Some(other) = session.tools.debugger.other().filter(|_| session.look.view.other && by != Vec3::ZERO) else {
        return;
    };
    if session.world.lab().is_some() {
        return;
    }
    let bones = session.world.character.model.skeleton.bones().iter().zip(&other.shown.bones);
    overlay.other_body = bones
        .filter_map(|(bone, own)| {
            let parent = other.shown.bones.get(bone.parent?)?;
            overlay.segment(parent.position + by, own.position + by)
        })
        .collect();
    let height = session.world.character.height;
    let head = session.world.character.rig.figure.as_ref().and_then(|figure| figure.head);
    keep_trunk_clear(session, &other.shown, by, overlay);
    for (lane, (name, pose)) in [("A", &session.world.picture.pose), ("B", &other.shown)].into_iter().enumerate() {
        let top = match head.and_then(|head| pose.bones.get(head)) {
            Some(head) => head.position + Vec3::Y * 0.12 * height,
            None => {
                let (center, radius) = session.world.character.bounds(pose);
                center + Vec3::Y * radius
            }
        };
        if let Some(at) = overlay.at(top + by * lane as f32) {
            let color = overlay.theme.lane(lane);
            overlay.note(Note::new(Rank::Tag, ("result", lane), at, name).mark(color).toward(0.0, -1.0).tag());
        }
    }
}

fn apart_label(session: &Session, name: &str, place: Vec3, distance: f32, overlay: &mut Overlay) {
    if distance > session.world.character.height * 1e-4
        && let Some(at) = overlay.at(place)
    {
        let distance = session.world.character.length(distance);
        let color = overlay.theme.previous;
        let shorter = vec![text::only_apart(&distance)];
        let note = Note::new(Rank::Callout, "apart", at, text::apart(&name, &distance)).or(shorter);
        overlay.note(note.mark(color).toward(1.0, -1.0).clear(9.0));
    }
}

fn result_alone(session: &Session, other: &Other, by: Vec3, overlay: &mut Overlay) {
    let (Ok(solver), LayerId::FullBody) = (session.world.character.rig.full_body.as_ref(), session.focus()) else {
        return;
    };
    let (own, theirs) = (&session.world.picture.pose.bones, &other.shown.bones);
    if own.len() != theirs.len() {
        return;
    }
    if session.world.character.model.meshes.is_empty() {
        bones(session, &other.shown, by, overlay);
    }
    let mut nodes = Nodes::default();
    Node::ALL.into_iter().for_each(|node| nodes[node] = theirs[solver.bone_of(node)].position + by);
    if session.solver_layers().nodes {
        draw_step(&nodes, &nodes, f32::INFINITY, false, overlay);
    }
    let apart = own.iter().zip(theirs).map(|(own, theirs)| own.position.distance(theirs.position));
    if let Some((bone, distance)) = apart.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)) {
        let name = label(&session.world.character.model.skeleton.bones()[bone].name);
        apart_label(session, &name, theirs[bone].position + by, distance, overlay);
    }
}

fn bones(session: &Session, pose: &ModelPose, by: Vec3, overlay: &mut Overlay) {
    let line = Stroke::new(1.0, overlay.theme.text[0]);
    let pelvis = session.world.character.detection.biped.as_ref().map(|biped| biped.pelvis);
    let mut in_body = vec![pelvis.is_none(); pose.bones.len()];
    for (index, bone) in session.world.character.model.skeleton.bones().iter().enumerate().take(pose.bones.len()) {
        in_body[index] |= Some(index) == pelvis;
        let Some(parent) = bone.parent.filter(|&parent| in_body[parent]) else { continue };
        in_body[index] = true;
        overlay.plain(Layer::Bones, pose.bones[parent].position + by, pose.bones[index].position + by, line);
    }
}

pub(crate) fn attribution(session: &Session, overlay: &mut Overlay) {
    let table = &session.tools.debugger.attribution.table;
    let mut at = table.from;
    for (index, row) in table.rows.iter().enumerate() {
        let to = at + row.sum.to_vec3();
        let color = overlay.theme.tint(row.tint).unwrap_or(overlay.theme.text[1]);
        overlay.pixel_arrow(Layer::Arrows, at, to, 2.6, color);
        if index < 3
            && let (Some(from), Some(end)) = (overlay.at(at), overlay.at(to))
            && from.distance(end) > 24.0
        {
            let note = Note::new(Rank::Study, ("attribution", index), from.lerp(end, 0.5), row.label.as_str());
            overlay.note(note.mark(color).toward(0.0, -1.0));
        }
        at = to;
    }
}

fn strain_pills(session: &Session, nodes: &Nodes, overlay: &mut Overlay) {
    let pairs = PAIRS.iter().zip(session.world.body_frame().child_constraints());
    let strained = pairs.filter_map(|(&[from, to], constraint)| {
        let rigid = constraint.is_rigid();
        let is_shown =
            if rigid { session.look.view.rigid_constraints } else { session.look.view.push_only_constraints };
        let strain = constraint.strain(nodes[from].distance(nodes[to])) * 100.0;
        (is_shown && strain.abs() >= 0.05).then_some(([from, to], rigid, strain))
    });
    let strained: Vec<([Node; 2], bool, f32)> = strained.collect();
    let marks = marked(session);
    let is_marked = |pair: &[Node; 2]| pair.iter().all(|node| marks.contains(node));
    let has_marked = strained.iter().any(|(pair, ..)| is_marked(pair));
    let worst = strained.iter().max_by(|a, b| a.2.abs().total_cmp(&b.2.abs())).map(|own| own.0);
    for &([a, b], rigid, strain) in &strained {
        let is_selected = match session.interaction.selection.limb() {
            Some(limb) => [a, b].iter().any(|node| node.limb() == Some(limb)),
            None if has_marked => is_marked(&[a, b]),
            None => worst == Some([a, b]),
        };
        let color = if rigid { overlay.theme.rigid } else { overlay.theme.push_only };
        // The diagonals cross in the middle, so their labels are off centre.
        let (from, to, share) = if rigid { (a, b, 0.5) } else { (b, a, 0.3) };
        if let Some(at) = overlay.at(nodes[from].lerp(nodes[to], share)) {
            let note = Note::new(Rank::Other, ("strain", a, b), at, format!("{strain:+.1} %"));
            overlay.note(note.mark(color).selected(is_selected).toward(0.0, if rigid { -1.0 } else { 1.0 }));
        }
    }
}

pub(crate) fn bend_defaults(session: &Session, overlay: &mut Overlay) {
    let Some(state) = session.state().filter(|_| session.look.view.bend_defaults) else { return };
    let selected = session.interaction.selection.limb();
    let limbs = selected.as_ref().map_or(&LimbName::ALL[..], std::slice::from_ref);
    // The defaults are longer than the arrows of bend directions, which may cover them.
    draw_bend_defaults(&session.world.body_frame(), &state, limbs, session.world.character.height * 0.16, overlay);
}

pub(crate) fn bend_labels(session: &Session, overlay: &mut Overlay) {
    let Some(state) = session.state().filter(|_| session.look.view.bend_directions) else { return };
    let frame = &session.world.body_frame();
    for limb in LimbName::ALL {
        let direction = shown_bend_direction(frame, &state, limb);
        let from = state.node(Node::of_limb(limb)[1]);
        if let Some(at) = overlay.at(from + direction * session.world.character.height * 0.11) {
            let source = bend_source(frame, &state, limb);
            if source == BendSource::Animation && session.interaction.selection.limb() != Some(limb) {
                continue;
            }
            let note = Note::new(Rank::Other, ("bend", limb), at, source.label()).mark(overlay.theme.bend);
            overlay.note(note.selected(session.interaction.selection.limb() == Some(limb)));
        }
    }
}
