//! Recording of a solve: every state. Moves are recomputed from the states.

use super::body::PositionBased;
use super::frame::Frame;
use super::moves::Move;
use super::outcome::Outcome;
use super::program::{Solve, Step};
use super::settings::PositionBasedSettings;
use super::state::State;
use crate::error::Fault;
use crate::full_body;
use crate::rig::RigidTransform;
use crate::stepped;

/// One solve, as [`PositionBased::solve`] runs it, step by step.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// The solver of the character.
    pub solver: PositionBased,
    /// The input.
    pub frame: Box<Frame>,
    /// Every step with the state after it.
    pub solve: stepped::Recording<Step, State, Move>,
    /// The result.
    pub outcome: Outcome,
}

impl Recording {
    /// Solves `pose` in place and records every state. Does not record moves: [`Self::recall`] recomputes them.
    ///
    /// # Errors
    /// As [`PositionBased::solve`].
    pub fn record(
        solver: PositionBased,
        settings: &PositionBasedSettings,
        body: &full_body::Settings,
        pose: &mut [RigidTransform],
    ) -> Result<Self, Fault> {
        let (frame, mut state) = read(&solver, settings, body, pose)?;
        let mut solve = stepped::Recording::default();
        let mut program = Solve::new(&solver, &frame);
        solve.record_states(&mut program, &mut state);
        let outcome = program.outcome(&state);
        solver.write(&frame, &state, pose);
        Ok(Self { solver, frame, solve, outcome })
    }

    /// Recomputes the moves of all steps.
    pub fn recall(&mut self) {
        self.solve.recall(&mut Solve::new(&self.solver, &self.frame));
    }

    /// Returns the state after the first `count` moves of a step; 0 is the state before the step. `None` if there is no such
    /// step. Before [`Self::recall`], every count above 0 gives the state after the step.
    pub fn state_within(&self, step: usize, count: usize) -> Option<State> {
        self.solve.state_within(&mut Solve::new(&self.solver, &self.frame), step, count)
    }
}

/// Returns the input and the first state on the heap, where they take no stack from the solve.
#[inline(never)]
fn read(
    solver: &PositionBased,
    settings: &PositionBasedSettings,
    body: &full_body::Settings,
    pose: &[RigidTransform],
) -> Result<(Box<Frame>, Box<State>), Fault> {
    let mut frame = Box::<Frame>::default();
    frame.read(solver, settings, body, pose)?;
    let state = Box::new(State::new(&frame.animated));
    Ok((frame, state))
}
