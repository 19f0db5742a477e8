//! Draws a full-body solve through [`DebugDraw`](crate::debug_draw).

use std::f32::consts::{PI, TAU};

use glam::{Quat, Vec3};

use super::bend_constraint::{BEND_LIMIT, bend_directions, bend_source};
use super::body::FullBody;
use super::child_constraint::PAIRS;
use super::hierarchy::Key;
use super::mapping::{CHEST_PLANE, PELVIS_PLANE};
use super::moves::{Cause, Move};
use super::recording::Recording;
use super::state::{Frame, State};
use super::trigonometric::bend_across;
use super::written::{BoneMove, Moved, WriteCause, Written};
use crate::debug_draw::{DebugDraw, Layers, Subject};
use crate::lanes::Vector;
use crate::math::{angle, any_orthogonal, clamp_direction, length, ortho_normalize, sine, turn_of, unit, unit_or_zero};
use crate::names::{Effector, Node, Nodes};
use crate::rig::{LimbName, RigidTransform};

/// Draws the state of a solve at one instant, as far as `layers` select it. `size` is the length of a bend arrow, in
/// model units; points are sized by it too.
pub fn draw_state(frame: &Frame, state: &State, layers: Layers, size: f32, out: &mut dyn DebugDraw) {
    let nodes = &state.nodes();
    if layers.torso_planes {
        let [upper, lower] = torso(nodes);
        out.triangle(upper, Subject::UpperTorso);
        out.triangle(lower, Subject::LowerTorso);
    }
    if layers.limb_planes {
        for limb in LimbName::ALL {
            out.triangle(Node::of_limb(limb).map(|node| nodes[node]), Subject::LimbPlane(limb));
        }
    }
    for (index, ([a, b], constraint)) in PAIRS.into_iter().zip(frame.child_constraints()).enumerate() {
        let rigid = constraint.is_rigid();
        if if rigid { layers.rigid_constraints } else { layers.push_only_constraints } {
            let strain = constraint.strain(nodes[a].distance(nodes[b]));
            out.line(nodes[a], nodes[b], Subject::ChildConstraint { index, rigid, strain });
        }
    }
    for limb in LimbName::ALL {
        let [first, second, last] = Node::of_limb(limb).map(|node| nodes[node]);
        if layers.bones {
            out.line(first, second, Subject::LimbBone(limb));
            out.line(second, last, Subject::LimbBone(limb));
        }
        if layers.bend_directions {
            let source = bend_source(frame, state, limb);
            let direction = shown_bend_direction(frame, state, limb);
            out.arrow(second, second + direction * size, Subject::BendDirection { limb, source });
        }
        if layers.bend_goals
            && let Some(goal) = frame.limb(limb).goal()
        {
            let subject = Subject::BendGoal { limb, weight: frame.limb(limb).bend_weight };
            out.line(second, goal, subject);
            out.point(goal, size * 0.3, subject);
        }
    }
    if layers.nodes {
        for node in Node::ALL {
            out.point(nodes[node], size * 0.2, Subject::Node(node));
        }
    }
    if layers.targets {
        for effector in Effector::ALL {
            let settings = frame.effector(effector);
            if settings.position_weight > 0.0 {
                let node = nodes[effector.node()];
                if node != settings.position {
                    out.line(node, settings.position, Subject::TargetError(effector));
                }
                let subject = Subject::Target { effector, weight: settings.position_weight };
                out.point(settings.position, size * 0.4, subject);
            }
        }
    }
}

/// Returns the direction, orthogonal to the limb, in which the bend pass would bend the limb in this state with the
/// bend directions of `frame`. Unit, model space.
pub fn shown_bend_direction(frame: &Frame, state: &State, limb: LimbName) -> Vec3 {
    let [first, _, last] = Node::of_limb(limb);
    let along = state.node(last) - state.node(first);
    let direction = bend_directions(frame, state, 0).lane(limb.index());
    bend_across(along, direction, [frame.bone(last) - frame.bone(first), frame.limb(limb).default_direction])
}

/// Draws the directions that each of `limbs` has from the reference pose, as labelled arrows; `size` is the length of a
/// unit vector in model units. At elbow or knee: the default bend direction, rotated with bone 1 as animated. At hand
/// or foot: the default child normal, rotated by the end effector's target rotation.
pub fn draw_bend_defaults(frame: &Frame, state: &State, limbs: &[LimbName], size: f32, out: &mut dyn DebugDraw) {
    for &limb in limbs {
        let [_, second, last] = Node::of_limb(limb).map(|node| state.node(node));
        let settings = frame.limb(limb);
        let normal = frame.effector(Effector::END[limb.index()]).rotation * settings.default_child;
        for (from, along, subject, what) in [
            (second, settings.default_direction, Subject::DefaultDirection(limb), "default bend direction"),
            (last, normal, Subject::DefaultChildNormal(limb), "default child normal"),
        ] {
            let to = from + along * size;
            out.arrow(from, to, subject);
            out.text(to, &format!("{what}, {}", limb.label()), subject);
        }
    }
}

/// Draws nodes, limbs and torso as they were before a step. With `arrows`, adds an arrow for each node that moved by
/// more than `smallest` (model units).
pub fn draw_step(before: &Nodes, after: &Nodes, smallest: f32, arrows: bool, out: &mut dyn DebugDraw) {
    for triangle in torso(before) {
        out.triangle(triangle, Subject::GhostTorso);
    }
    for limb in LimbName::ALL {
        let [first, second, last] = Node::of_limb(limb).map(|node| before[node]);
        out.line(first, second, Subject::GhostBone(limb));
        out.line(second, last, Subject::GhostBone(limb));
    }
    for node in Node::ALL {
        out.point(before[node], 0.0, Subject::GhostNode(node));
        if arrows && before[node].distance(after[node]) > smallest {
            out.arrow(before[node], after[node], Subject::Displacement(node));
        }
    }
}

/// Marks a node's position before a move and draws an arrow from there to its position after the move.
pub fn draw_move(moved: &Move, out: &mut dyn DebugDraw) {
    out.point(moved.from, 0.0, Subject::GhostNode(moved.node));
    out.arrow(moved.from, moved.to, Subject::Displacement(moved.node));
}

/// Draws lines from joint to joint of the bones that have a role, as in `pose` (one transform per bone, model space).
/// Adds a line from a limb's bone to its node where the two are further apart than `smallest` (model units).
pub fn draw_bones(solver: &FullBody, pose: &[RigidTransform], nodes: &Nodes, smallest: f32, out: &mut dyn DebugDraw) {
    let hierarchy = &solver.hierarchy;
    let at = |key: Key| pose.get(hierarchy.bone(key)).map_or(Vec3::ZERO, |bone| bone.position);
    for key in (1..hierarchy.spine_len).chain(hierarchy.head) {
        out.line(at(key - 1), at(key), Subject::SpineBone);
    }
    let chest = hierarchy.spine_len - 1;
    for limb in LimbName::ALL {
        let own = hierarchy.limbs[limb.index()];
        let trunk = if limb.is_arm() { chest } else { 0 };
        let mut from = at(trunk);
        if let Some(clavicle) = own.clavicle {
            out.line(from, at(clavicle), Subject::RootBone(limb));
            from = at(clavicle);
        }
        let bones = own.bones.map(at);
        out.line(from, bones[0], Subject::RootBone(limb));
        for pair in bones.windows(2) {
            out.line(pair[0], pair[1], Subject::LimbBone(limb));
        }
        for (bone, node) in bones.into_iter().zip(Node::of_limb(limb)) {
            if bone.distance(nodes[node]) > smallest {
                out.line(bone, nodes[node], Subject::NodeOff(node));
            }
        }
    }
}

/// Draws the virtual spine: its joints and the lines between them; model space.
pub fn draw_virtual_spine(joints: &[Vec3], out: &mut dyn DebugDraw) {
    for pair in joints.windows(2) {
        out.line(pair[0], pair[1], Subject::VirtualSpine);
    }
    for &joint in joints {
        out.point(joint, 0.0, Subject::VirtualJoint);
    }
}

/// Draws the construction behind a move: the triangle of a two-bone solve with its base and height, or angles and range
/// of the bend limit. Draws nothing for other causes.
pub fn draw_construction(frame: &Frame, before: &State, after: &State, moved: &Move, out: &mut dyn DebugDraw) {
    match moved.cause {
        Cause::Trigonometric(limb) | Cause::Bend(limb) => {
            let [a, b, c] = Node::of_limb(limb).map(|node| after.node(node));
            let subject = Subject::Triangle(limb);
            let base = unit_or_zero(c - a);
            let foot = a + base * base.dot(b - a);
            for [from, to] in [[a, b], [b, c], [a, c], [foot, b]] {
                out.line(from, to, subject);
            }
            let [upper, lower] = frame.limb(limb).lengths;
            // At 0.75 the label of the base is mostly clear of the label of its part x.
            for ([from, to], share, text) in [
                ([a, b], 0.5, format!("a {upper:.3}")),
                ([b, c], 0.5, format!("b {lower:.3}")),
                ([a, c], 0.75, format!("c {:.3}", a.distance(c))),
                ([a, foot], 0.5, format!("x {:.3}", (foot - a).dot(base))),
                ([foot, b], 0.5, format!("y {:.3}", foot.distance(b))),
            ] {
                let at = from.lerp(to, share);
                out.text(at, &text, subject);
            }
        }
        Cause::BendLimit(limb) => {
            let [_, second, last] = Node::of_limb(limb);
            let (elbow, inward) = (frame.bone(second), -frame.limb(limb).default_direction);
            let lower = before.node(last) - elbow;
            bend_angles(frame, limb, elbow, [lower, inward], out);
            out.arrow(elbow, elbow - inward * length(lower) * 0.5, Subject::DefaultDirection(limb));
            // The cone about `inward` in which the second bone may lie.
            let half_angle = PI * (1.0 - BEND_LIMIT * frame.weight);
            let aside = any_orthogonal(inward);
            let rim = |turn: f32| {
                let across = Quat::from_axis_angle(inward, turn) * aside;
                elbow + (inward * half_angle.cos() + across * half_angle.sin()) * length(lower)
            };
            for index in 0..RIM {
                let [from, to] = [index, index + 1].map(|index| rim(TAU * index as f32 / RIM as f32));
                out.line(from, to, Subject::BendCone(limb));
                if index % (RIM / 8) == 0 {
                    out.line(elbow, from, Subject::BendCone(limb));
                }
            }
        }
        _ => {}
    }
}

/// Draws the angle between a limb's second bone and `inward`: α as animated and, if the limit clamps it, γ after
/// clamping. The formula of the bend limit also calls these angles α and γ.
fn bend_angles(frame: &Frame, limb: LimbName, elbow: Vec3, [lower, inward]: [Vec3; 2], out: &mut dyn DebugDraw) {
    let axis = unit(inward.cross(lower)).unwrap_or_else(|| any_orthogonal(inward));
    out.line(elbow, elbow + inward * length(lower) * 0.7, Subject::BendAngle { limb, before: false });
    let mut mark = |name: &str, to: Vec3, radius: f32, before: bool| {
        let subject = Subject::BendAngle { limb, before };
        let (start, angle) = (inward * length(lower) * radius, angle(inward, to));
        arc(elbow, axis, start, angle, subject, out);
        let at = elbow + Quat::from_axis_angle(axis, angle * 0.5) * start;
        out.text(at, &format!("{name} {:.1}°", angle.to_degrees()), subject);
    };
    let smoothing = frame.limb(limb).clamp_smoothing as u32;
    let (clamped, is_clamped) = clamp_direction(lower, inward, BEND_LIMIT * frame.weight, smoothing);
    mark("α", lower, if is_clamped { 0.65 } else { 0.4 }, is_clamped);
    if is_clamped {
        mark("γ", clamped, 0.4, false);
        out.line(elbow, elbow + lower, Subject::GhostBone(limb));
    }
}

/// Draws the move of a bone or virtual joint while the pose is written.
///
/// For a bone, draws its rotation and the construction behind it, such as the plane as animated and as solved,
/// the swing axis, or the share of the twist. For a virtual joint, draws an arrow. `written` is the state after the move
/// or, with `is_whole`, after the whole step; `is_whole` also draws fewer labels. `size` is the length of marks. Model
/// space and units.
pub fn draw_bone_move(
    (solver, recording): (&FullBody, &Recording),
    written: &Written,
    moved: &BoneMove,
    is_whole: bool,
    size: f32,
    out: &mut dyn DebugDraw,
) {
    let (frame, hierarchy) = (&recording.frame, &solver.hierarchy);
    let nodes = recording.solve.steps.last().map_or(&recording.solve.start, |step| &step.state).nodes();
    let mut plane = |of: [Node; 3]| {
        let subject = Subject::WritePlane(moved.cause.limb());
        let [was, is] = [of.map(|node| frame.bone(node)), of.map(|node| nodes[node])];
        out.triangle(was, Subject::GhostPlane);
        out.triangle(is, subject);
        if !is_whole {
            out.text(was[1].lerp(was[2], 0.5), "plane as animated", Subject::GhostPlane);
            out.text(is[1].lerp(is[2], 0.5), "plane as solved", subject);
        }
    };
    match moved.cause {
        WriteCause::PelvisPlane => plane(PELVIS_PLANE),
        WriteCause::ChestPlane => plane(CHEST_PLANE),
        WriteCause::UpperPlane(limb) | WriteCause::LowerPlane(limb) => plane(Node::of_limb(limb)),
        _ => {}
    }
    let bone = match moved.moved {
        Moved::Bone(bone) => bone,
        Moved::SpineJoint(joint) => {
            out.arrow(moved.from.position, moved.to.position, Subject::VirtualJoint);
            out.point(written.spine_joints()[joint], size * 0.2, Subject::VirtualJoint);
            return;
        }
    };
    let from = moved.to.position;
    let key = (0..hierarchy.key_count()).find(|&key| hierarchy.bone(key) == bone);
    let next = key.and_then(|key| hierarchy.next_of(key)).map(|next| written.keys.settled(next).position);
    if let Some(next) = next {
        out.line(from, next, Subject::WrittenBone);
    }
    // A whole step moves several bones, so each label names its bone.
    let name = key.filter(|_| is_whole).map_or(String::new(), |key| hierarchy.label(key) + " ");
    match (moved.cause, key) {
        (WriteCause::Twist, Some(key)) => {
            return draw_twist(recording, (key, &name), moved, written.spine_joints()[key + 1] - from, size, out);
        }
        (WriteCause::Swing, Some(key)) => {
            let after = written.spine_joints()[key + 1];
            draw_swing([from, after], Some("toward the virtual joint").filter(|_| !is_whole), out);
        }
        (WriteCause::Clavicle(limb), _) => {
            let first = Node::of_limb(limb)[0];
            let text = format!("toward the node {}", crate::key::label(first.key()));
            draw_swing([from, nodes[first]], Some(text.as_str()).filter(|_| !is_whole), out);
        }
        _ => {}
    }
    let along = next.map_or(moved.to.rotation * Vec3::Y * size, |next| next - from);
    // In a whole step, a spine bone's twist is labelled, but not its swing.
    let is_labelled = !(is_whole && moved.cause == WriteCause::Swing);
    draw_turn([moved.from, moved.to], along, (&name, is_labelled), out);
}

fn draw_swing([from, after]: [Vec3; 2], text: Option<&str>, out: &mut dyn DebugDraw) {
    out.arrow(from, from.lerp(after, 1.4), Subject::SwingAxis);
    if let Some(text) = text {
        out.text(after, text, Subject::SwingAxis);
    }
}

/// The smallest rotation that is drawn, radians.
const SMALLEST_DRAWN_TURN: f32 = 1e-3;

/// Draws the rotation of a bone as an arc: the path of a point on its `along` axis or, if the bone mainly rolled about
/// that axis, a sector of a circle around the bone's middle. Draws nothing up to [`SMALLEST_DRAWN_TURN`].
pub(crate) fn draw_turn(
    [before, after]: [RigidTransform; 2],
    along: Vec3,
    (name, is_labelled): (&str, bool),
    out: &mut dyn DebugDraw,
) {
    let turned = turn_of(after.rotation * before.rotation.conjugate());
    let Some((axis, angle)) = turned.filter(|(_, angle)| *angle > SMALLEST_DRAWN_TURN) else { return };
    let from = after.position;
    let was = before.rotation * (after.rotation.conjugate() * along);
    let (center, start) = match sine(axis, along) > 0.25 {
        true => {
            out.line(from, from + was, Subject::GhostWritten);
            (from, was * 0.75)
        }
        false => {
            let (center, across) = (from + along * 0.5, any_orthogonal(axis) * length(along) * 0.3);
            out.line(center, center + across, Subject::GhostWritten);
            out.line(center, center + Quat::from_axis_angle(axis, angle) * across, Subject::TurnArc);
            (center, across)
        }
    };
    arc(center, axis, start, angle, Subject::TurnArc, out);
    if is_labelled {
        let middle = center + Quat::from_axis_angle(axis, angle * 0.5) * start;
        out.line(center - axis * length(start) * 0.5, center + axis * length(start) * 0.5, Subject::TurnAxis);
        out.text(middle, &format!("{name}{:.1}°", angle.to_degrees()), Subject::TurnArc);
    }
}

/// Draws a spine bone's twist as a dial. Its hands are directions across the shoulders: that of the solved nodes, and
/// those that the bone carried before and after the twist. The arc is the angle by which the bone turned.
fn draw_twist(
    recording: &Recording,
    (key, name): (Key, &str),
    moved: &BoneMove,
    along: Vec3,
    size: f32,
    out: &mut dyn DebugDraw,
) {
    let (frame, spine) = (&recording.frame, &recording.mappings().spine);
    let nodes = recording.solve.steps.last().map_or(&recording.solve.start, |step| &step.state).nodes();
    let (center, axis, radius) = (moved.to.position, unit_or_zero(along), size * 0.8);
    let subject = Subject::TwistDial { weight: spine.twist_weight(key, frame.spine_twist_weight) };
    let wanted = ortho_normalize(axis, nodes[Node::LeftUpperArm] - nodes[Node::RightUpperArm]) * radius;
    let was = moved.from.rotation * recording.in_bone(key, spine.bones[key].twist_axis) * radius;
    arc(center, axis, wanted, TAU, subject, out);
    out.line(center, center + was, Subject::GhostWritten);
    out.line(center, center + wanted, subject);
    let mut angle = 0.0;
    if let Some((turned_about, by)) = moved.turn() {
        arc(center, turned_about, was, by, Subject::TurnArc, out);
        out.line(center, center + Quat::from_axis_angle(turned_about, by) * was, Subject::TurnArc);
        angle = by.to_degrees();
    }
    let text = format!("{name}twist × {:.2}, {angle:.1}°", spine.twist_weight(key, frame.spine_twist_weight));
    out.text(center + wanted, &text, subject);
}

/// Number of segments of a full circle.
const RIM: usize = 48;

/// Draws an arc about `axis`; `start` is relative to `center`, `angle` in radians.
fn arc(center: Vec3, axis: Vec3, start: Vec3, angle: f32, subject: Subject, out: &mut dyn DebugDraw) {
    let count = ((angle.abs() / TAU * RIM as f32).ceil() as usize).max(1);
    let at = |index: usize| center + Quat::from_axis_angle(axis, angle * index as f32 / count as f32) * start;
    for index in 0..count {
        out.line(at(index), at(index + 1), subject);
    }
}

fn torso(nodes: &Nodes) -> [[Vec3; 3]; 2] {
    [
        [nodes[Node::Body], nodes[Node::LeftUpperArm], nodes[Node::RightUpperArm]],
        [nodes[Node::Body], nodes[Node::LeftThigh], nodes[Node::RightThigh]],
    ]
}

/// Returns a position for a new bend goal: at `distance` from elbow or knee along the limb's bend direction. Model
/// space and units.
pub fn suggested_bend_goal(frame: &Frame, state: &State, limb: LimbName, distance: f32) -> Vec3 {
    let [_, second, _] = Node::of_limb(limb);
    state.node(second) + unit_or_zero(shown_bend_direction(frame, state, limb)) * distance
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::full_body::trigonometric::solve_trigonometric;
    use crate::lanes::Vector;
    use crate::stepped::Unwatched;
    use glam::Vec4;

    #[derive(Default)]
    struct Lines(Vec<(Vec3, Vec3)>);

    impl DebugDraw for Lines {
        fn line(&mut self, from: Vec3, to: Vec3, _: Subject) {
            self.0.push((from, to));
        }
    }

    #[test]
    fn a_bend_direction_along_the_limb_is_shown_as_the_bend_pass_replaces_it() {
        let (limb, mut frame, mut state) = (LimbName::LeftLeg, Frame::default(), State::default());
        let lane = limb.index();
        let [first, second, last] = Node::of_limb(limb);
        // The leg hangs down in the animated pose with its knee forward, and is stretched forward in the state.
        frame.bones.limbs[0][2].set_lane(lane, Vec3::NEG_Y);
        frame.limbs[0].default_direction.set_lane(lane, Vec3::Z);
        (frame.limbs[0].lengths, frame.limbs[0].length) = ([Vec4::splat(0.6); 2], Vec4::splat(1.2));
        frame.set_bend(limb, Vec3::Z, 1.0);
        state.set_node(last, Vec3::Z);
        let shown = shown_bend_direction(&frame, &state, limb);
        let _ = solve_trigonometric(&frame, &mut state, true, &mut Unwatched);
        let knee = state.node(second) - state.node(first).midpoint(state.node(last));
        assert!(knee.length() > 0.3 && shown.distance(unit_or_zero(knee)) < 1e-5, "{shown} {knee}");
    }

    #[test]
    fn lines_alone_draw_everything_finite() {
        // With everything in one point, all directions are degenerate.
        let mut out = Lines::default();
        draw_state(&Frame::default(), &State::default(), Layers::ALL, 0.2, &mut out);
        draw_step(&Nodes::default(), &Nodes::default(), 0.0, true, &mut out);
        assert!(out.0.len() > 50);
        assert!(out.0.iter().all(|(from, to)| from.is_finite() && to.is_finite()));
    }
}
