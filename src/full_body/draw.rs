//! A full-body solve, drawn without a renderer: see [`debug_draw`](crate::debug_draw).

use std::f32::consts::{PI, TAU};

use glam::{Quat, Vec3};

use super::bend_constraint::{BEND_LIMIT, bend_direction, bend_source};
use super::child_constraint::PAIRS;
use super::hierarchy::Key;
use super::mapping::{CHEST_PLANE, PELVIS_PLANE};
use super::writing::{BoneMove, Moved, WriteCause, Written};
use super::{Cause, Effector, Frame, FullBody, Move, Node, Nodes, State};
use crate::debug_draw::{DebugDraw, Layers, Subject};
use crate::math::{STRAIGHT_SINE, any_orthogonal, length, ortho_normalize, sine, unit_or_zero};
use crate::rig::{LimbName, RigidTransform};

/// The solver at one instant. `size` is the length of a bend arrow, in model units.
pub fn draw_state(frame: &Frame, state: &State, layers: Layers, size: f32, out: &mut dyn DebugDraw) {
    let nodes = &state.nodes;
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
    for (index, ([a, b], constraint)) in PAIRS.into_iter().zip(&frame.constraints).enumerate() {
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
            let source = bend_source(frame, limb);
            let direction = shown_bend_direction(frame, state, limb);
            out.arrow(second, second + direction * size, Subject::BendDirection { limb, source });
        }
        if layers.bend_goals
            && let Some(goal) = frame.limb(limb).bend_goal
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

/// The part of the bend direction across the limb, as the last pass would have it from this state. Unit.
pub fn shown_bend_direction(frame: &Frame, state: &State, limb: LimbName) -> Vec3 {
    let [first, _, last] = Node::of_limb(limb);
    let along = state.nodes[last] - state.nodes[first];
    let direction = bend_direction(frame, state, limb);
    let direction = if sine(direction, along) < STRAIGHT_SINE { frame.limb(limb).default_direction } else { direction };
    ortho_normalize(along, direction)
}

/// What the current step did: the nodes before it, and with `arrows` one for each that moved by more than `smallest`.
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

/// A single move as an arrow.
pub fn draw_move(moved: &Move, out: &mut dyn DebugDraw) {
    out.point(moved.from, 0.0, Subject::GhostNode(moved.node));
    out.arrow(moved.from, moved.to, Subject::Displacement(moved.node));
}

/// Every bone with a role, of a posed character (one transform per bone, model space), and where a node is further than
/// `smallest` from its bone, the way to it.
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

/// The virtual spine beside the bones.
pub fn draw_virtual_spine(joints: &[Vec3], out: &mut dyn DebugDraw) {
    for pair in joints.windows(2) {
        out.line(pair[0], pair[1], Subject::VirtualSpine);
    }
    for &joint in joints {
        out.point(joint, 0.0, Subject::VirtualJoint);
    }
}

/// What a move of the last pass or of the iterations worked with: the triangle of a two-bone solve with its base and the
/// joint's place beside it, or how far the bend limit lets a limb bend back.
pub fn draw_construction(frame: &Frame, before: &State, after: &State, moved: &Move, out: &mut dyn DebugDraw) {
    match moved.cause {
        Cause::Trigonometric(limb) | Cause::Bend(limb) => {
            let [a, b, c] = Node::of_limb(limb).map(|node| after.nodes[node]);
            let subject = Subject::Triangle(limb);
            let base = unit_or_zero(c - a);
            let foot = a + base * base.dot(b - a);
            for [from, to] in [[a, b], [b, c], [a, c], [foot, b]] {
                out.line(from, to, subject);
            }
            let middle = |from: Vec3, to: Vec3| from.lerp(to, 0.5);
            let [upper, lower] = frame.limb(limb).lengths;
            for (at, text) in [
                (middle(a, b), format!("a {upper:.3}")),
                (middle(b, c), format!("b {lower:.3}")),
                (middle(a, c), format!("c {:.3}", a.distance(c))),
                (middle(a, foot), format!("x {:.3}", (foot - a).dot(base))),
                (middle(foot, b), format!("y {:.3}", foot.distance(b))),
            ] {
                out.text(at, &text, subject);
            }
        }
        Cause::BendLimit(limb) => {
            let [_, second, last] = Node::of_limb(limb);
            let (elbow, inward) = (frame.bone(second).position, -frame.limb(limb).default_direction);
            let lower = before.nodes[last] - elbow;
            out.arrow(elbow, elbow - inward * length(lower) * 0.5, Subject::DefaultDirection(limb));
            // The cone about inward within which the second bone may stay.
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

/// What wrote a bone: its plane as animated and now, what it was swung after, its share of a twist, and the way it
/// turned. `pose` is the one before the move, `size` the length of marks; model space and units.
pub fn draw_bone_move(
    solver: &FullBody,
    frame: &Frame,
    nodes: &Nodes,
    written: &Written,
    moved: &BoneMove,
    size: f32,
    out: &mut dyn DebugDraw,
) {
    let animated = |node: Node| frame.bone(node).position;
    let mut plane = |of: [Node; 3]| {
        out.triangle(of.map(animated), Subject::GhostPlane);
        out.triangle(of.map(|node| nodes[node]), Subject::WritePlane);
    };
    match moved.cause {
        WriteCause::PelvisPlane => plane(PELVIS_PLANE),
        WriteCause::ChestPlane => plane(CHEST_PLANE),
        WriteCause::UpperPlane(limb) | WriteCause::LowerPlane(limb) => plane(Node::of_limb(limb)),
        _ => {}
    }
    let Moved::Bone(bone) = moved.moved else {
        if let Moved::SpineJoint(joint) = moved.moved {
            out.arrow(moved.from.position, moved.to.position, Subject::VirtualJoint);
            out.point(written.spine_joints()[joint], size * 0.2, Subject::VirtualJoint);
        }
        return;
    };
    let from = moved.to.position;
    let hierarchy = &solver.hierarchy;
    let key = (0..hierarchy.key_count()).find(|&key| hierarchy.bone(key) == bone);
    let next = key.and_then(|key| hierarchy.next_of(key)).map(|next| written.keys.settled(next).position);
    if let Some(next) = next {
        out.line(from, next, Subject::WrittenBone);
    }
    match (moved.cause, key) {
        (WriteCause::Swing, Some(key)) => out.arrow(from, written.spine_joints()[key + 1], Subject::SwingAxis),
        (WriteCause::Clavicle(limb), _) => out.arrow(from, nodes[Node::of_limb(limb)[0]], Subject::SwingAxis),
        (WriteCause::Twist, Some(key)) => {
            let axis = unit_or_zero(written.spine_joints()[key + 1] - from);
            let weight = key as f32 / (hierarchy.spine_len - 2) as f32 * frame.spine_twist_weight;
            let subject = Subject::TwistDial { weight };
            let start = ortho_normalize(axis, nodes[Node::LeftUpperArm] - nodes[Node::RightUpperArm]);
            arc(from, axis, start * size * 0.6, TAU, subject, out);
            out.line(from, from + start * size * 0.6, subject);
            out.text(from + start * size * 0.75, &format!("twist × {weight:.2}"), subject);
        }
        _ => {}
    }
    if let Some((axis, angle)) = moved.turn() {
        let along = next.map_or(moved.to.rotation * Vec3::Y, |next| next - from);
        let start = ortho_normalize(axis, moved.from.rotation * (moved.to.rotation.conjugate() * along));
        arc(from, axis, start * size * 0.5, angle, Subject::TurnArc, out);
        out.line(from - axis * size * 0.4, from + axis * size * 0.4, Subject::TurnAxis);
        out.text(from + start * size * 0.55, &format!("{:.1}°", angle.to_degrees()), Subject::TurnArc);
    }
}

/// Segments of a full circle.
const RIM: usize = 48;

/// From `start` (seen from the centre) about an axis.
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

/// Where a bend goal would be put for a limb that has none: out from elbow or knee, `distance` away.
pub fn suggested_bend_goal(frame: &Frame, state: &State, limb: LimbName, distance: f32) -> Vec3 {
    let [_, second, _] = Node::of_limb(limb);
    state.nodes[second] + unit_or_zero(shown_bend_direction(frame, state, limb)) * distance
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Lines(Vec<(Vec3, Vec3)>);

    impl DebugDraw for Lines {
        fn line(&mut self, from: Vec3, to: Vec3, _: Subject) {
            self.0.push((from, to));
        }
    }

    #[test]
    fn lines_alone_draw_everything_finite() {
        // A frame in which everything lies in one point: the worst there is to draw.
        let mut out = Lines::default();
        draw_state(&Frame::default(), &State::default(), Layers::ALL, 0.2, &mut out);
        draw_step(&Nodes::default(), &Nodes::default(), 0.0, true, &mut out);
        assert!(out.0.len() > 50);
        assert!(out.0.iter().all(|(from, to)| from.is_finite() && to.is_finite()));
    }
}
