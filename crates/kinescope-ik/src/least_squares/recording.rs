//! Recording of a solve: every state and every turn.

use std::sync::Arc;

use super::moves::Turn;
use super::outcome::Outcome;
use super::program::Solve;
use super::settings::LeastSquaresSettings;
use super::solve::finish;
use super::stage::Step;
use super::state::{Frame, LastPose, State};
use super::terms::Workspace;
use crate::error::Fault;
use crate::full_body::Settings;
use crate::joints::Joints;
use crate::rig::RigidTransform;
use crate::stepped;

/// One solve, as [`solve`](super::solve) runs it, step by step.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// The joints of the character.
    pub joints: Arc<Joints>,
    /// Constants of the solve.
    pub frame: Box<Frame>,
    /// Every step with the state after it and its turns.
    pub solve: stepped::Recording<Step, State, Turn>,
    /// Result of the solve.
    pub outcome: Outcome,
}

impl Recording {
    /// Solves `pose` as [`solve`](super::solve) does and records it.
    ///
    /// # Errors
    /// As [`solve`](super::solve).
    pub fn record(
        joints: Arc<Joints>,
        settings: &LeastSquaresSettings,
        targets: &Settings,
        last: &mut LastPose,
        pose: &mut [RigidTransform],
    ) -> Result<Self, Fault> {
        let (frame, mut state) = read(&joints, settings, targets, last, pose)?;
        let mut workspace = Workspace::default();
        let mut solver = Solve::new(&joints, &frame, &mut workspace);
        let mut solve = stepped::Recording::default();
        solve.record(&mut solver, &mut state);
        let iterations = solver.iterations();
        let outcome = finish(&joints, &frame, (&state, iterations), last, pose);
        Ok(Self { joints, frame, solve, outcome })
    }

    /// Returns the state after the first `count` turns of a step; 0 is the state before the step. In a step without
    /// turns, every count above 0 gives the state after the step. `None` if there is no such step.
    pub fn state_within(&self, step: usize, count: usize) -> Option<State> {
        let mut workspace = Workspace::default();
        let mut solver = Solve::new(&self.joints, &self.frame, &mut workspace);
        self.solve.state_within(&mut solver, step, count)
    }
}

/// Reads a frame on the heap, where it takes no stack from the solve.
#[inline(never)]
fn read(
    joints: &Joints,
    settings: &LeastSquaresSettings,
    targets: &Settings,
    last: &LastPose,
    pose: &[RigidTransform],
) -> Result<(Box<Frame>, State), Fault> {
    let mut frame = Box::<Frame>::default();
    let state = frame.read_into(joints, settings, targets, Some(last), pose)?;
    Ok((frame, state))
}
