//! The second start of a solve, and the return to the result of the first.
//!
//! Corrections follow the gradient, so a start can lead into a local minimum: an elbow that turned to the wrong end of
//! its range blocks the arm, and no sub-step comes nearer to a target within reach. *TRAC-IK* (P. Beeson, B. Ames,
//! 2015) then restarts at random. The second start here is the middle of the limits: all limits are far from it, and
//! the result is the same each time.

use glam::{Quat, Vec3};

use super::angular::vector_of;
use super::body::PositionBased;
use super::constraint::Constraint;
use super::frame::Frame;
use super::moves::Move;
use super::position::worst;
use super::state::{FirstResult, State};
use crate::joints::{JointPose, MAX_JOINTS};
use crate::stepped::{Flow, GO_ON, Watch};

/// The result of the second start is kept if its largest distance is below this fraction of the first result's. Targets
/// out of reach leave nearly the same error from both starts; the first result is then kept, because it is nearer to
/// the animation.
const BETTER: f32 = 0.5;

/// Returns the second start: the animated pose with each moved joint in the middle of its limit, where swing and twist
/// are 0. Joints without a limit, and joints without mobility, such as those of a pinned trunk, keep their animated
/// rotation.
pub(super) fn start_of(solver: &PositionBased, frame: &Frame) -> JointPose {
    let mut start = frame.animated;
    let goals = frame.goals.effectors.iter().filter(|goal| goal.has_position);
    let pull = goals.map(|goal| goal.pull).fold(0.0, f32::max);
    for joint in 0..solver.joints().len().min(MAX_JOINTS) {
        if !frame.is_moved[joint] || frame.mobility_for(solver, joint, pull) <= 0.0 {
            continue;
        }
        if let Some(limit) = frame.limits(solver.joints()).get(joint) {
            start.rotations[joint] = limit.centre();
        }
    }
    start
}

#[inline(never)]
pub(super) fn again(solver: &PositionBased, frame: &Frame, state: &mut State, watch: &mut impl Watch<Move>) -> Flow {
    let start = start_of(solver, frame);
    let (root, rotations) = (state.root, state.rotations);
    let first = FirstResult { root, rotations, error: worst(solver, frame, state) };
    *state = State { root, rotations, first: Some(first), ..State::default() };
    move_to(state, (start.root, &start.rotations), Constraint::SecondStart, watch)
}

/// Returns whether the error of the second start is below [`BETTER`] times that of the first; true if there was no
/// second start.
pub(super) fn is_second_better(solver: &PositionBased, frame: &Frame, state: &State) -> bool {
    state.first.is_none_or(|first| worst(solver, frame, state) < BETTER * first.error)
}

#[inline(never)]
pub(super) fn back_to_first(state: &mut State, watch: &mut impl Watch<Move>) -> Flow {
    let Some(first) = state.first else { return GO_ON };
    move_to(state, (first.root, &first.rotations), Constraint::FirstResult, watch)
}

fn move_to<W: Watch<Move>>(
    state: &mut State,
    (root, rotations): (Vec3, &[Quat; MAX_JOINTS]),
    constraint: Constraint,
    watch: &mut W,
) -> Flow {
    if !W::LISTENS {
        (state.root, state.rotations) = (root, *rotations);
        return GO_ON;
    }
    for (joint, &to) in rotations.iter().enumerate() {
        let before = state.rotations[joint];
        let shift = if joint == 0 { root - state.root } else { Vec3::ZERO };
        if to == before && shift == Vec3::ZERO {
            continue;
        }
        state.rotations[joint] = to;
        if joint == 0 {
            state.root = root;
        }
        watch.saw(Move { joint, constraint, shift, turn: vector_of(to * before.conjugate()) })?;
    }
    GO_ON
}
