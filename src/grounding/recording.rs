//! Both grounders behind one name, and one frame of either with every state and every event kept.

use super::foot_ik::{self, FootIkSettings, FootIkState};
use super::observer::{Event, Observer};
use super::predictive::{self, State};
use super::{Input, Output, PredictiveSettings, Side};
use crate::ground::Ground;

/// Which grounder, with its settings. The default is the predictive one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solver {
    FootIk(FootIkSettings),
    Predictive(PredictiveSettings),
}

impl Default for Solver {
    fn default() -> Self {
        Self::Predictive(PredictiveSettings::default())
    }
}

/// What a frame leaves for the next, of either grounder. The default is the predictive one's, never seen.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "half a kilobyte, and `Copy`")]
pub enum SolverState {
    FootIk(FootIkState),
    Predictive(State),
}

impl Default for SolverState {
    fn default() -> Self {
        Self::Predictive(State::default())
    }
}

impl SolverState {
    /// That of a character that the solver never saw.
    pub fn fresh(solver: &Solver) -> Self {
        match solver {
            Solver::FootIk(_) => Self::FootIk(FootIkState::default()),
            Solver::Predictive(_) => Self::Predictive(State::default()),
        }
    }
}

/// One whole frame of either grounder. A state of the other one counts as [fresh](SolverState::fresh).
pub fn solve(
    solver: &Solver,
    input: &Input,
    state: &mut SolverState,
    ground: &impl Ground,
    observer: &mut impl Observer,
) -> Output {
    match (solver, state) {
        (Solver::FootIk(settings), SolverState::FootIk(state)) => {
            foot_ik::solve(settings, input, state, ground, observer)
        }
        (Solver::Predictive(settings), SolverState::Predictive(state)) => {
            predictive::solve(settings, input, state, ground, observer)
        }
        (_, state) => {
            *state = SolverState::fresh(solver);
            solve(solver, input, state, ground, observer)
        }
    }
}

/// One frame, as [`solve`] does it, step by step. It holds what was solved. The default is empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    pub solver: Solver,
    pub input: Input,
    /// What the frame before left; of this solver.
    pub start: SolverState,
    /// Empty if no time passed.
    pub steps: Vec<RecordedStep>,
    /// All events in order; each step knows its range.
    pub events: Vec<Event>,
    pub output: Output,
}

/// One step of a [`Recording`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordedStep {
    /// Of its stage, as in traces.
    pub key: &'static str,
    /// What its stage does, for a reader who sees it for the first time.
    pub sentence: &'static str,
    /// `None` for the steps of the whole character.
    pub side: Option<Side>,
    /// After the step.
    pub state: SolverState,
    /// Events of this step are `events[events_from..events_to]`.
    pub events_from: u32,
    pub events_to: u32,
}

impl Recording {
    /// Runs one frame from `start`, keeping every state and event; the buffers are used again. A state of the other
    /// grounder counts as [fresh](SolverState::fresh).
    pub fn record(&mut self, solver: &Solver, input: &Input, start: &SolverState, ground: &impl Ground) {
        (self.solver, self.input, self.start) = (*solver, *input, *start);
        self.steps.clear();
        self.events.clear();
        self.output = match (solver, start) {
            (Solver::FootIk(settings), SolverState::FootIk(start)) => {
                let (frame, mut state) = foot_ik::read(settings, input, start);
                for step in foot_ik::Program::new(&frame) {
                    let from = self.events.len();
                    foot_ik::run_stage(&frame, &mut state, step, ground, &mut self.events);
                    self.keep(step.stage.key(), step.stage.sentence(), step.side, SolverState::FootIk(state), from);
                }
                foot_ik::output(&frame, &state)
            }
            (Solver::Predictive(settings), SolverState::Predictive(start)) => {
                let (frame, mut state) = predictive::read(settings, input, start);
                for step in predictive::Program::new(&frame) {
                    let from = self.events.len();
                    predictive::run_stage(&frame, &mut state, step, ground, &mut self.events);
                    self.keep(step.stage.key(), step.stage.sentence(), step.side, SolverState::Predictive(state), from);
                }
                predictive::output(&frame, &state)
            }
            _ => return self.record(solver, input, &SolverState::fresh(solver), ground),
        };
    }

    fn keep(
        &mut self,
        key: &'static str,
        sentence: &'static str,
        side: Option<Side>,
        state: SolverState,
        events_from: usize,
    ) {
        let (events_from, events_to) = (events_from as u32, self.events.len() as u32);
        self.steps.push(RecordedStep { key, sentence, side, state, events_from, events_to });
    }

    /// What it takes in memory beside itself.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.steps[..]) + size_of_val(&self.events[..])
    }

    /// After the last step: what the next frame starts from. Where it started, if no time passed.
    pub fn state(&self) -> SolverState {
        self.steps.last().map_or(self.start, |last| last.state)
    }

    /// What feet and pelvis would be if the frame ended after that step. The output itself if there is no such step.
    pub fn output_at(&self, step: usize) -> Output {
        match (&self.solver, &self.start, self.steps.get(step).map(|step| &step.state)) {
            (Solver::FootIk(settings), SolverState::FootIk(start), Some(SolverState::FootIk(state))) => {
                foot_ik::output(&foot_ik::read(settings, &self.input, start).0, state)
            }
            (Solver::Predictive(settings), SolverState::Predictive(start), Some(SolverState::Predictive(state))) => {
                predictive::output(&predictive::read(settings, &self.input, start).0, state)
            }
            _ => self.output,
        }
    }

    /// The events of one step; none if there is no such step.
    pub fn events_of(&self, step: usize) -> &[Event] {
        let range = self.steps.get(step).map_or(0..0, |step| step.events_from as usize..step.events_to as usize);
        &self.events[range]
    }
}
