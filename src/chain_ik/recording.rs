//! A chain's solve with every state and every move kept.

use super::chain::{Chain, State};
use super::observer::{Move, StopAfter};
use super::program::{Goal, Outcome, Problem, Program, Stage, Step, Workspace, run_stage};
use super::settings::Settings;
use crate::error::Fault;

/// One solve, as [`solve`](super::solve) does it, step by step. It holds what was solved, so that any moment of it can
/// be made again.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    pub chain: Chain,
    pub settings: Settings,
    pub goals: Vec<Goal>,
    /// Before the first step.
    pub start: State,
    pub steps: Vec<RecordedStep>,
    /// All moves in order; each step knows its range.
    pub moves: Vec<Move>,
    pub outcome: Outcome,
    /// Where each goal pulls: the goal itself, but for weight and the plane of the 2D mode.
    pub targets: Vec<glam::Vec3>,
}

/// One step of a [`Recording`].
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedStep {
    pub step: Step,
    /// After the step.
    pub state: State,
    /// From the end to its target, after the step (the worst of several); model units.
    pub error: f32,
    /// Moves of this step are `moves[moves_from..moves_to]`.
    pub moves_from: u32,
    pub moves_to: u32,
}

impl Recording {
    /// Solves from `state`.
    ///
    /// # Errors
    /// As [`solve`](super::solve).
    pub fn record(chain: &Chain, settings: &Settings, goals: &[Goal], state: &State) -> Result<Self, Fault> {
        let problem = Problem { chain, settings, goals };
        super::check(&problem, state)?;
        let (mut workspace, mut state) = (Workspace::default(), state.clone());
        let start = state.clone();
        let (mut steps, mut moves) = (Vec::new(), Vec::new());
        let mut program = Program::new(&problem, &state, &mut workspace);
        while let Some(step) = program.next(&problem, &state, &workspace) {
            let moves_from = moves.len() as u32;
            run_stage(&problem, &mut state, &mut workspace, step, &mut moves);
            steps.push(RecordedStep {
                step,
                state: state.clone(),
                error: workspace.error(&problem, &state),
                moves_from,
                moves_to: moves.len() as u32,
            });
        }
        let outcome = program.outcome(&problem, &state, &workspace);
        let targets = workspace.targets().to_vec();
        Ok(Self {
            chain: chain.clone(),
            settings: *settings,
            goals: goals.to_vec(),
            start,
            steps,
            moves,
            outcome,
            targets,
        })
    }

    /// The moves of one step; none if there is no such step.
    pub fn moves_of(&self, step: usize) -> &[Move] {
        let range = self.steps.get(step).map_or(0..0, |step| step.moves_from as usize..step.moves_to as usize);
        &self.moves[range]
    }

    /// The state before a step.
    pub fn state_before(&self, step: usize) -> &State {
        match step.checked_sub(1).and_then(|before| self.steps.get(before)) {
            Some(before) => &before.state,
            None => &self.start,
        }
    }

    /// The state within a step, after the first `count` of its moves; 0 is the state before it. The step is made again
    /// and stopped there. `None` if there is no such step.
    pub fn state_within(&self, step: usize, count: usize) -> Option<State> {
        let recorded = self.steps.get(step)?;
        let mut state = self.state_before(step).clone();
        if count >= self.moves_of(step).len() {
            return Some(recorded.state.clone());
        }
        if count > 0 {
            let problem = Problem { chain: &self.chain, settings: &self.settings, goals: &self.goals };
            let mut workspace = Workspace::default();
            Program::new(&problem, &self.start, &mut workspace);
            run_stage(&problem, &mut state, &mut workspace, recorded.step, &mut StopAfter(count));
        }
        Some(state)
    }

    /// The state at the end; where it began, if nothing was done.
    pub fn solved(&self) -> &State {
        self.steps.last().map_or(&self.start, |last| &last.state)
    }

    /// Index of the last step of each iteration, in order, [`Stage::Start`] first: where error per iteration is read.
    pub fn ends_of_iterations(&self) -> impl Iterator<Item = usize> + '_ {
        let is_last = |index: usize| {
            let next = self.steps.get(index + 1).map(|next| next.step);
            let this = self.steps[index].step;
            this.stage != Stage::Map && next.is_none_or(|next| next.iteration != this.iteration)
        };
        (0..self.steps.len()).filter(move |&index| is_last(index))
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
                assert_eq!((&state, outcome), (recording.solved(), recording.outcome));
                let iterations = recording.ends_of_iterations().count();
                assert_eq!(iterations as u32, recording.outcome.iterations + 1);
                for step in 0..recording.steps.len() {
                    let moves = recording.moves_of(step);
                    if moves.is_empty() {
                        continue;
                    }
                    assert_eq!(recording.state_within(step, 0).as_ref(), Some(recording.state_before(step)));
                    assert_eq!(recording.state_within(step, moves.len()).as_ref(), Some(&recording.steps[step].state));
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
