//! Draws the body, its targets, joints beyond their limits, the support polygon and a turn.

use glam::Vec3;

use super::moves::Turn;
use super::recording::Recording;
use super::state::State;
use crate::debug_draw::{DebugDraw, Subject};
use crate::joints::Placement;
use crate::joints::Toward;
use crate::names::Effector;
use crate::rig::LimbName;

/// Draws the bones and joints of a state; with `ghost` only the bones, in the style of an earlier state.
pub(super) fn draw_body(recording: &Recording, placement: &Placement, ghost: bool, out: &mut dyn DebugDraw) {
    let joints = &recording.joints;
    for (index, joint) in joints.all().iter().enumerate() {
        let Some(parent) = joint.parent else { continue };
        let subject = if ghost { Subject::GhostChain } else { Subject::ChainBone(index) };
        out.line(placement.positions[parent], placement.positions[index], subject);
    }
    if !ghost {
        for joint in 0..joints.len() {
            out.point(placement.positions[joint], joints.height() * 0.008, Subject::ChainJoint(joint));
        }
    }
}

/// Draws position targets as points, with lines to them, and lines to bend goals that have a weight. Does not draw bend
/// directions.
pub(super) fn draw_goals(recording: &Recording, placement: &Placement, out: &mut dyn DebugDraw) {
    let frame = &recording.frame;
    for effector in Effector::ALL {
        let goal = frame.goals.of(effector);
        if goal.has_position {
            let at = placement.of(goal.joint).position;
            out.line(at, goal.aim(), Subject::TargetError(effector));
            out.point(goal.aim(), 0.0, Subject::Target { effector, weight: goal.weight });
        }
    }
    for limb in LimbName::ALL {
        let bend = &frame.goals.bends[limb.index()];
        if let Some(Toward::Point(goal)) = bend.toward.filter(|_| bend.weight > 0.0) {
            out.line(placement.positions[bend.joints[1]], goal, Subject::BendGoal { limb, weight: bend.weight });
        }
    }
}

pub(super) fn draw_limits(recording: &Recording, state: &State, placement: &Placement, out: &mut dyn DebugDraw) {
    for joint in 0..recording.joints.len() {
        if recording.frame.limits(&recording.joints).violation(joint, state.rotations[joint])
            > recording.frame.allowed[joint] + 1e-3
        {
            out.point(placement.positions[joint], 0.0, Subject::LimitViolation);
        }
    }
}

/// Draws the support polygon, and a line from the centre of mass down to the height of the polygon's first corner.
/// Draws nothing if the balance term has no weight.
pub(super) fn draw_balance(recording: &Recording, placement: &Placement, out: &mut dyn DebugDraw) {
    if recording.frame.settings.balance <= 0.0 {
        return;
    }
    let centre = recording.joints.centre_of_mass(placement);
    let support = recording.joints.support(placement);
    let corners = support.corners();
    for (index, &corner) in corners.iter().enumerate() {
        out.line(corner, corners[(index + 1) % corners.len()], Subject::ChainMove);
    }
    if let Some(ground) = corners.first() {
        out.line(centre, Vec3::new(centre.x, ground.y, centre.z), Subject::ChainMove);
    }
}

pub(super) fn draw_turn(moved: &Turn, out: &mut dyn DebugDraw) {
    if moved.joint.is_some() {
        out.line(moved.at, moved.from, Subject::GhostChain);
    }
    out.arrow(moved.from, moved.to, Subject::ChainMove);
}
