//! Recording of a chain's solve: every state and every move.

use super::chain::{Chain, State};
use super::moves::Move;
use super::outcome::Outcome;
use super::problem::{Goal, Problem, Workspace};
use super::program::{Solve, Stage, Step};
use super::settings::Settings;
use crate::error::Fault;
use crate::stepped;

/// One solve, as [`solve`](super::solve) runs it, recorded step by step. Includes the input, so that the state within
/// a step can be recomputed.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// The solved chain.
    pub chain: Chain,
    /// Settings of the solve.
    pub settings: Settings,
    /// Goals of the solve; model space.
    pub goals: Vec<Goal>,
    /// Every step with the state after it and its moves.
    pub solve: stepped::Recording<Step, State, Move>,
    /// Result of the solve.
    pub outcome: Outcome,
    /// Target of each goal, as [`Workspace::targets`] returns it; model space.
    pub targets: Vec<glam::Vec3>,
}

impl Recording {
    /// Solves from `state` and records it.
    ///
    /// # Errors
    /// As [`solve`](super::solve).
    pub fn record(chain: &Chain, settings: &Settings, goals: &[Goal], state: &State) -> Result<Self, Fault> {
        let (mut workspace, mut state) = (Workspace::default(), state.clone());
        let mut solver = Solve::new(Problem { chain, settings, goals }, &state, &mut workspace)?;
        let mut solve = stepped::Recording::default();
        solve.record(&mut solver, &mut state);
        let (outcome, targets) = (solver.outcome(&state), workspace.targets().to_vec());
        Ok(Self { chain: chain.clone(), settings: *settings, goals: goals.to_vec(), solve, outcome, targets })
    }

    /// Returns the input of the solve.
    pub fn problem(&self) -> Problem<'_> {
        Problem { chain: &self.chain, settings: &self.settings, goals: &self.goals }
    }

    /// Returns whether the target is nearer to the root than the chain can fold.
    pub(super) fn is_target_too_near(&self) -> bool {
        let ends = self.targets.first().zip(self.solve.start.positions.first());
        ends.is_some_and(|(target, root)| (*target - *root).length() < self.chain.least_reach())
    }

    /// Returns the largest distance from a goal's joint to its target in a state; model units.
    pub fn error(&self, state: &State) -> f32 {
        let off = |(goal, target): (&Goal, &glam::Vec3)| state.positions[goal.joint].distance(*target);
        self.goals.iter().zip(&self.targets).map(off).fold(0.0, f32::max)
    }

    /// Returns the state after the first `count` moves of a step: for 0 the state before the step, for the number of
    /// its moves or more the state after it; `None` if there is no such step.
    pub fn state_within(&self, step: usize, count: usize) -> Option<State> {
        let mut workspace = Workspace::default();
        let mut solver = Solve::new(self.problem(), &self.solve.start, &mut workspace).ok()?;
        self.solve.state_within(&mut solver, step, count)
    }

    /// Returns the indices of the steps after which the error per iteration is measured: the last step of each
    /// iteration, and first [`Stage::Start`] unless [`Stage::Map`] follows it at once.
    pub fn ends_of_iterations(&self) -> impl Iterator<Item = usize> + '_ {
        let steps = &self.solve.steps;
        let is_last = |index: usize| {
            let next = steps.get(index + 1).map(|next| next.step);
            let this = steps[index].step;
            this.stage != Stage::Map && next.is_none_or(|next| next.iteration != this.iteration)
        };
        (0..steps.len()).filter(move |&index| is_last(index))
    }
}
