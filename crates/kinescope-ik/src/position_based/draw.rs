//! Draws an instant of a solve through [`DebugDraw`].

use glam::Vec3;

use super::moves::Move;
use super::recording::Recording;
use super::state::State;
use crate::debug_draw::{DebugDraw, Subject};
use crate::joints::{JointIndex, Joints, Part, Placement};
use crate::math::unit_or_zero;
use crate::names::Effector;
use crate::rig::LimbName;
use crate::stepped::run::Shown;

pub(super) struct Instant<'a> {
    pub recording: &'a Recording,
    pub state: State,
    /// The state before the step or event at the cursor.
    pub before: State,
    /// The moves of the step, or the move at the cursor.
    pub moves: &'a [Move],
}

pub(super) fn draw(instant: &Instant, shown: &Shown, out: &mut dyn DebugDraw) {
    let joints = instant.recording.solver.joints();
    let place = |state: &State| joints.place(&state.pose(&instant.recording.frame.animated));
    let placed = place(&instant.state);
    if shown.layers.bones {
        draw_bones(joints, &placed, out);
    }
    if shown.layers.targets {
        draw_targets(instant.recording, &placed, out);
    }
    if shown.before {
        draw_ghost(joints, &place(&instant.before), out);
    }
    if shown.limits {
        draw_limits(joints, &instant.state, &placed, shown, out);
    }
    if shown.moved {
        for moved in instant.moves {
            draw_move(joints, moved, &placed, shown, out);
        }
    }
}

fn subject(joints: &Joints, joint: JointIndex) -> Subject {
    let limb = LimbName::ALL.into_iter().find(|&limb| joints.limb(limb).contains(&joint));
    match limb {
        Some(limb) if joints.limb(limb)[0] == joint => Subject::RootBone(limb),
        Some(limb) => Subject::LimbBone(limb),
        None => Subject::SpineBone,
    }
}

fn draw_bones(joints: &Joints, placed: &Placement, out: &mut dyn DebugDraw) {
    for (joint, own) in joints.all().iter().enumerate() {
        if let Some(parent) = own.parent {
            out.line(placed.positions[parent], placed.positions[joint], subject(joints, joint));
        }
        if matches!(own.part, Part::Hand | Part::Foot | Part::Head) {
            let end = placed.of(joint).transform_point(own.end);
            out.line(placed.positions[joint], end, subject(joints, joint));
        }
    }
}

fn draw_ghost(joints: &Joints, placed: &Placement, out: &mut dyn DebugDraw) {
    for (joint, own) in joints.all().iter().enumerate() {
        if let Some(parent) = own.parent {
            out.line(placed.positions[parent], placed.positions[joint], Subject::GhostChain);
        }
    }
}

fn draw_targets(recording: &Recording, placed: &Placement, out: &mut dyn DebugDraw) {
    let frame = &recording.frame;
    for effector in Effector::ALL {
        let goal = frame.goals.of(effector);
        if goal.has_position {
            let aim = frame.aims[effector as usize];
            out.line(placed.of(goal.joint).position, aim, Subject::TargetError(effector));
            out.point(aim, 0.0, Subject::Target { effector, weight: goal.weight });
        }
    }
    for limb in LimbName::ALL {
        let bend = &frame.goals.bends[limb.index()];
        let joint = placed.of(bend.joints[1]).position;
        if let Some(direction) = bend.direction(placed.of(bend.joints[0]).position) {
            let end = joint + direction * (0.1 * recording.solver.joints().height());
            out.line(joint, end, Subject::BendGoal { limb, weight: bend.weight });
        }
    }
}

/// Draws each joint that the limits turned back when they last ran, as a line along the axis about which it does not
/// turn further.
fn draw_limits(joints: &Joints, state: &State, placed: &Placement, shown: &Shown, out: &mut dyn DebugDraw) {
    for (joint, own) in joints.all().iter().enumerate() {
        let outward = state.outward[joint];
        if outward != Vec3::ZERO {
            let above = placed.of(own.parent.unwrap_or(joint)).rotation;
            let (at, axis) = (placed.positions[joint], above * outward * (0.04 * shown.size));
            out.line(at - axis, at + axis, Subject::LimitViolation);
        }
    }
}

fn draw_move(joints: &Joints, moved: &Move, placed: &Placement, shown: &Shown, out: &mut dyn DebugDraw) {
    let Some(own) = joints.all().get(moved.joint) else { return };
    let at = placed.of(moved.joint);
    if moved.shift != Vec3::ZERO {
        out.arrow(at.position - moved.shift, at.position, Subject::ChainMove);
    }
    out.line(at.position, at.transform_point(own.end), Subject::WrittenBone);
    let above = own.parent.map_or(moved.turn, |parent| placed.of(parent).rotation * moved.turn);
    let axis = unit_or_zero(above) * (0.06 * shown.size);
    out.line(at.position - axis, at.position + axis, Subject::TurnAxis);
}
