//! Common interface of both grounders, and recordings of their frames.

use super::event::Event;
use super::foot_ik::{self, FootIkSettings, FootIkState};
use super::frame::Passing;
use super::handover::{Handed, Handover};
use super::input::Input;
use super::output::Output;
use super::predictive;
use super::settings::PredictiveSettings;
use super::state::{Frame, State};
use crate::ground::Ground;
use crate::names::Side;
use crate::stepped::{self, Flow, GO_ON, Stepped, Watch};
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// A grounder with its settings. The default is the predictive one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solver {
    /// One ray per foot: [`foot_ik`].
    FootIk(FootIkSettings),
    /// Predicts the feet from their velocity: [`predictive`].
    Predictive(PredictiveSettings),
}

impl Default for Solver {
    fn default() -> Self {
        Self::Predictive(PredictiveSettings::default())
    }
}

/// State of either grounder between two frames. The default is a new character with the predictive grounder.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(clippy::large_enum_variant, reason = "half a kilobyte, and `Copy`")]
pub enum SolverState {
    /// State of [`foot_ik`].
    FootIk(FootIkState),
    /// State of [`predictive`].
    Predictive(State),
}

impl Default for SolverState {
    fn default() -> Self {
        Self::Predictive(State::default())
    }
}

impl SolverState {
    /// Returns whether state and solver are of the same grounder.
    pub fn is_of(&self, solver: &Solver) -> bool {
        matches!((solver, self), (Solver::FootIk(_), Self::FootIk(_)) | (Solver::Predictive(_), Self::Predictive(_)))
    }

    /// Returns the state of a new character.
    pub fn fresh(solver: &Solver) -> Self {
        match solver {
            Solver::FootIk(_) => Self::FootIk(FootIkState::default()),
            Solver::Predictive(_) => Self::Predictive(State::default()),
        }
    }
}

/// A step of either grounder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SolverStep {
    /// A step of [`foot_ik`].
    FootIk(foot_ik::Step),
    /// A step of [`predictive`].
    Predictive(predictive::Step),
}

impl SolverStep {
    /// Returns the key of the stage, in snake_case.
    pub const fn key(self) -> &'static str {
        match self {
            Self::FootIk(step) => step.stage.key(),
            Self::Predictive(step) => step.stage.key(),
        }
    }

    /// Returns the sentence of the stage for tooltips.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::FootIk(step) => step.stage.sentence(),
            Self::Predictive(step) => step.stage.sentence(),
        }
    }

    /// Returns the foot; `None` for a step of the whole character.
    pub const fn side(self) -> Option<Side> {
        match self {
            Self::FootIk(step) => step.side,
            Self::Predictive(step) => step.side,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "half a kilobyte, and `Copy`")]
pub(super) enum Work {
    FootIk(foot_ik::Frame, foot_ik::Program),
    Predictive(Frame, predictive::Program),
}

/// Solve of one frame by either grounder, as a program of steps.
#[derive(Clone, Copy, Debug)]
pub struct Solve<'a, G> {
    work: Work,
    ground: &'a G,
}

impl<'a, G: Ground> Solve<'a, G> {
    /// Starts at the first step. `state` is the state of the last frame and becomes the start of this one. A state of
    /// the other grounder is replaced by a [fresh](SolverState::fresh) one.
    pub fn new(solver: &Solver, input: &Input, state: &mut SolverState, ground: &'a G) -> Self {
        Self { work: Work::new(solver, input, state), ground }
    }

    /// Returns the output as if the frame had ended in `state`.
    pub fn output(&self, state: &SolverState) -> Output {
        self.work.output(state)
    }
}

impl Work {
    fn new(solver: &Solver, input: &Input, state: &mut SolverState) -> Self {
        match (solver, &*state) {
            (Solver::FootIk(settings), SolverState::FootIk(last)) => {
                let (frame, started) = foot_ik::read(settings, input, last);
                *state = SolverState::FootIk(started);
                Self::FootIk(frame, foot_ik::Program::new(&frame))
            }
            (Solver::Predictive(settings), SolverState::Predictive(last)) => {
                let (frame, started) = predictive::read(settings, input, last);
                *state = SolverState::Predictive(started);
                Self::Predictive(frame, predictive::Program::new(&frame))
            }
            _ => {
                *state = SolverState::fresh(solver);
                Self::new(solver, input, state)
            }
        }
    }

    fn output(&self, state: &SolverState) -> Output {
        match (self, state) {
            (Self::FootIk(frame, _), SolverState::FootIk(state)) => foot_ik::output(frame, state),
            (Self::Predictive(frame, _), SolverState::Predictive(state)) => predictive::output(frame, state),
            // A state of the other grounder: `new` has replaced it.
            _ => Output::default(),
        }
    }
}

pub(crate) fn passing(solver: &Solver, input: &Input, state: &SolverState) -> Passing {
    match Work::new(solver, input, &mut state.clone()) {
        Work::FootIk(frame, _) => frame.passing,
        Work::Predictive(frame, _) => frame.passing,
    }
}

impl<G: Ground> Stepped for Solve<'_, G> {
    type Step = SolverStep;
    type State = SolverState;
    type Event = Event;

    fn next(&mut self, _: &SolverState) -> Option<SolverStep> {
        match &mut self.work {
            Work::FootIk(_, program) => program.next().map(SolverStep::FootIk),
            Work::Predictive(_, program) => program.next().map(SolverStep::Predictive),
        }
    }

    fn run(&mut self, state: &mut SolverState, step: SolverStep, watch: &mut impl Watch<Event>) -> Flow {
        match (&self.work, state, step) {
            (Work::FootIk(frame, _), SolverState::FootIk(state), SolverStep::FootIk(step)) => {
                foot_ik::run_stage(frame, state, step, self.ground, watch);
            }
            (Work::Predictive(frame, _), SolverState::Predictive(state), SolverStep::Predictive(step)) => {
                predictive::run_stage(frame, state, step, self.ground, watch);
            }
            _ => {}
        }
        GO_ON
    }
}

/// Solves one frame with either grounder. A state of the other grounder is replaced by a [fresh](SolverState::fresh)
/// state.
pub fn solve(solver: &Solver, input: &Input, state: &mut SolverState, ground: &impl Ground) -> Output {
    let mut solve = Solve::new(solver, input, state, ground);
    stepped::solve(&mut solve, state);
    solve.output(state)
}

/// One frame, as [`solve`] runs it, step by step, with its input. The default is empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// The grounder with its settings.
    pub solver: Solver,
    /// Input of the frame.
    pub input: Input,
    /// State of the last frame; a fresh one if that frame's state was of the other grounder.
    pub start: SolverState,
    /// Every step with the state after it and its events; empty if no time passed.
    pub solve: stepped::Recording<SolverStep, SolverState, Event>,
    /// Correction that blends from the previous grounder's output; included in every output of the recording.
    pub handed: Handed,
    /// Output of the frame.
    pub output: Output,
}

impl Recording {
    /// Solves one frame from `start` and records every state and event; reuses the buffers. A state of the other
    /// grounder is replaced by a [fresh](SolverState::fresh) one.
    pub fn record(&mut self, solver: &Solver, input: &Input, start: &SolverState, ground: &impl Ground) {
        let start = if start.is_of(solver) { *start } else { SolverState::fresh(solver) };
        (self.solver, self.input, self.start) = (*solver, *input, start);
        let mut state = start;
        let mut solve = Solve::new(solver, input, &mut state, ground);
        self.solve.record(&mut solve, &mut state);
        self.handed = Handed::default();
        self.output = solve.output(&state);
    }

    /// Adds the blend from the previous grounder's output, which starts if `changed` is true and lasts `blend` seconds:
    /// see [`handover`](super::handover).
    pub fn take_over(&mut self, handover: &mut Handover, changed: bool, blend: f32) {
        let up = self.up();
        self.handed = handover.next(&self.output, changed, blend, self.input.dt, up);
        self.handed.add_to(&mut self.output, up);
    }

    fn up(&self) -> Vec3 {
        self.input.root.sane().unwrap_or_default().up
    }

    pub(super) fn work(&self) -> Work {
        Work::new(&self.solver, &self.input, &mut self.start.clone())
    }

    /// Returns the state for the next frame; if no time passed, the start.
    pub fn state(&self) -> SolverState {
        self.solve.steps.last().map_or(self.start, |last| last.state)
    }

    /// Returns the output as if the frame had ended in `state`.
    pub fn output_of(&self, state: &SolverState) -> Output {
        let mut output = self.work().output(state);
        self.handed.add_to(&mut output, self.up());
        output
    }

    /// Returns the output as if the frame had ended after a step; the final output if there is no such step.
    pub fn output_at(&self, step: usize) -> Output {
        self.solve.steps.get(step).map_or(self.output, |recorded| self.output_of(&recorded.state))
    }
}
