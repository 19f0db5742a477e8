//! The limits of joints.

use glam::{Quat, Vec3};

use super::body::PositionBased;
use super::constraint::Constraint;
use super::frame::Frame;
use super::moves::{Move, turn_joint};
use super::state::State;
use crate::joints::MAX_JOINTS;
use crate::math::unit_or_zero;
use crate::stepped::{Flow, GO_ON, Watch};

/// How far a joint may exceed its limit, in addition to the excess of the animated pose, at the end of a solve that
/// misses its targets. Radians: 2.9°, as in least squares.
pub(super) const SLACK: f32 = 0.05;

/// The rotation of a joint back to its limit.
pub(super) struct Back {
    /// Axis of the rotation, in the parent joint's space.
    pub axis: Vec3,
    /// Angle by which the joint exceeds its limit, radians.
    pub excess: f32,
    /// Angle of the rotation: `excess` minus that of the animated pose, at least 0; radians.
    pub turn: f32,
}

/// Returns how a joint turns back to its limit; `None` within the limit, and for a joint without one.
#[inline(always)]
pub(super) fn back(solver: &PositionBased, frame: &Frame, joint: usize, rotation: Quat) -> Option<Back> {
    let (axis, excess) = frame.limits(solver.joints()).get(joint)?.excess(rotation)?;
    Some(Back { axis, excess, turn: (excess - frame.slack[joint]).max(0.0) })
}

/// Returns whether no moved joint exceeds its limit by more than [`SLACK`] above [`Frame::slack`]; true if limits are off.
#[inline(never)]
pub(super) fn are_kept(solver: &PositionBased, frame: &Frame, rotations: &[Quat; MAX_JOINTS]) -> bool {
    let is_beyond = |joint: usize| {
        frame.is_moved[joint] && back(solver, frame, joint, rotations[joint]).is_some_and(|back| back.turn > SLACK)
    };
    !frame.settings.limits || !(0..solver.joints().len().min(MAX_JOINTS)).any(is_beyond)
}

/// Turns each moved joint that exceeds its limit by more than [`Frame::slack`] and `slack` together back to that excess, and
/// sets [`State::outward`] of every moved joint: zero for those that did not turn. `slack` is in radians.
#[inline(never)]
pub(super) fn to_limits(
    solver: &PositionBased,
    frame: &Frame,
    state: &mut State,
    slack: f32,
    watch: &mut impl Watch<Move>,
) -> Flow {
    for joint in 0..solver.joints().len().min(MAX_JOINTS) {
        if !frame.is_moved[joint] {
            continue;
        }
        match back(solver, frame, joint, state.rotations[joint]).filter(|back| back.turn > slack) {
            None => state.outward[joint] = Vec3::ZERO,
            Some(back) => {
                state.outward[joint] = -unit_or_zero(back.axis);
                let half = back.axis * ((back.turn - slack) * 0.5).tan();
                turn_joint(state, joint, (half, Vec3::ZERO), Constraint::Limits, watch)?;
            }
        }
    }
    GO_ON
}
