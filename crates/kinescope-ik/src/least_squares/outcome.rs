//! The result of a solve.

use super::state::{Frame, State};
use crate::joints::{Joints, Placement};

/// Result of a solve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Number of iterations.
    pub iterations: u32,
    /// Largest distance from an effector to the position that it should have by its weight, see
    /// [`Goal::aim`](crate::joints::Goal::aim); model units, 0 without targets and if no solve was needed.
    pub distance: f32,
    /// Largest turn of a joint in the last iteration, radians; 0 without an iteration, and if the last one accepted no
    /// update.
    pub turned: f32,
}

impl Outcome {
    pub(super) fn new(joints: &Joints, frame: &Frame, state: &State, iterations: u32) -> Self {
        let turned = if state.turned.is_finite() { state.turned } else { 0.0 };
        Self { iterations, distance: distance(frame, &joints.place(&state.pose(frame))), turned }
    }
}

/// Returns the largest distance from an effector to its aim, model units; 0 without targets.
pub(super) fn distance(frame: &Frame, placement: &Placement) -> f32 {
    let goals = frame.goals.effectors.iter().filter(|goal| goal.has_position);
    goals.map(|goal| placement.of(goal.joint).position.distance(goal.aim())).fold(0.0, f32::max)
}
