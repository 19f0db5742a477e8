//! A chain's solve with every state and every move kept.

use super::chain::{Chain, State};
use super::moves::Move;
use super::problem::{Goal, Problem, Workspace};
use super::program::{Outcome, Solve, Stage, Step};
use super::settings::Settings;
use crate::error::Fault;
use crate::stepped;

/// One solve, as [`solve`](super::solve) does it, step by step. It holds what was solved, so that any instant of it can
/// be made again.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// The chain that was solved.
    pub chain: Chain,
    /// How it was solved.
    pub settings: Settings,
    /// Where its ends were to go; model space.
    pub goals: Vec<Goal>,
    /// Every step with the state after it and its moves.
    pub solve: stepped::Recording<Step, State, Move>,
    /// What the solve came to.
    pub outcome: Outcome,
    /// Where each goal pulls: the goal itself, but for weight and the plane of the 2D mode.
    pub targets: Vec<glam::Vec3>,
}

impl Recording {
    /// Solves from `state`.
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

    /// What was solved.
    pub fn problem(&self) -> Problem<'_> {
        Problem { chain: &self.chain, settings: &self.settings, goals: &self.goals }
    }

    /// From the end to its target (the worst of several) in a state; model units.
    pub fn error(&self, state: &State) -> f32 {
        let off = |(goal, target): (&Goal, &glam::Vec3)| state.positions[goal.joint].distance(*target);
        self.goals.iter().zip(&self.targets).map(off).fold(0.0, f32::max)
    }

    /// The state within a step, after the first `count` of its moves; 0 is the state before it. `None` if there is no
    /// such step.
    pub fn state_within(&self, step: usize, count: usize) -> Option<State> {
        let mut workspace = Workspace::default();
        let mut solver = Solve::new(self.problem(), &self.solve.start, &mut workspace).ok()?;
        self.solve.state_within(&mut solver, step, count)
    }

    /// Index of the last step of each iteration, in order, [`Stage::Start`] first: where error per iteration is read.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain_ik::{Limit, Solver};
    use glam::Vec3;

    #[test]
    fn stepping_is_solving() {
        let points =
            [Vec3::ZERO, Vec3::Y, Vec3::new(0.5, 1.6, 0.2), Vec3::new(1.0, 1.2, 0.6), Vec3::new(1.4, 0.4, 0.9)];
        for limited in [false, true] {
            for solver in [Solver::Ccd, Solver::CcdGrowing, Solver::Fabrik] {
                let mut chain = Chain::from_positions(&points).unwrap();
                if limited {
                    chain.set_limit(2, Limit::Angle { max: 0.4 }).unwrap();
                    chain.set_limit(1, Limit::Hinge { axis: Vec3::X, min: -0.5, max: 0.5 }).unwrap();
                }
                let settings = Settings { solver, tolerance: 1e-4, ..Settings::default() };
                let goals = [Goal::end(&chain, Vec3::new(0.3, 0.8, 0.9))];
                let recording = Recording::record(&chain, &settings, &goals, chain.rest()).unwrap();
                let mut state = chain.rest().clone();
                let problem = Problem { chain: &chain, settings: &settings, goals: &goals };
                let outcome = super::super::solve(&problem, &mut state, &mut Workspace::default()).unwrap();
                assert_eq!((&state, outcome), (recording.solve.end(), recording.outcome));
                let iterations = recording.ends_of_iterations().count();
                assert_eq!(iterations as u32, recording.outcome.iterations + 1);
                for step in 0..recording.solve.steps.len() {
                    let moves = recording.solve.events_of(step);
                    if moves.is_empty() {
                        continue;
                    }
                    assert_eq!(recording.state_within(step, 0).as_ref(), Some(recording.solve.state_before(step)));
                    assert_eq!(
                        recording.state_within(step, moves.len()).as_ref(),
                        Some(&recording.solve.steps[step].state)
                    );
                    for (index, moved) in moves.iter().enumerate() {
                        let state = recording.state_within(step, index + 1).unwrap();
                        let at = if moved.cause == crate::chain_ik::Cause::Turn { 4 } else { moved.joint };
                        assert!(state.positions[at].distance(moved.to) < 1e-5, "{solver:?} {moved:?}");
                    }
                }
            }
        }
    }
}
