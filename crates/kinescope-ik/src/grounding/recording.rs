//! Both grounders behind one name, and one frame of either with every state and every event kept.

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

/// Which grounder, with its settings. The default is the predictive one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solver {
    /// One ray a foot: [`foot_ik`].
    FootIk(FootIkSettings),
    /// Looks ahead by the feet's velocity: [`predictive`].
    Predictive(PredictiveSettings),
}

impl Default for Solver {
    fn default() -> Self {
        Self::Predictive(PredictiveSettings::default())
    }
}

/// What a frame leaves for the next, of either grounder. The default is the predictive one's, never seen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(clippy::large_enum_variant, reason = "half a kilobyte, and `Copy`")]
pub enum SolverState {
    /// Of [`foot_ik`].
    FootIk(FootIkState),
    /// Of [`predictive`].
    Predictive(State),
}

impl Default for SolverState {
    fn default() -> Self {
        Self::Predictive(State::default())
    }
}

impl SolverState {
    /// Whether that grounder left it.
    pub fn is_of(&self, solver: &Solver) -> bool {
        matches!((solver, self), (Solver::FootIk(_), Self::FootIk(_)) | (Solver::Predictive(_), Self::Predictive(_)))
    }

    /// That of a character that the solver never saw.
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
    /// Of [`foot_ik`].
    FootIk(foot_ik::Step),
    /// Of [`predictive`].
    Predictive(predictive::Step),
}

impl SolverStep {
    /// The key of its stage, as in traces.
    pub const fn key(self) -> &'static str {
        match self {
            Self::FootIk(step) => step.stage.key(),
            Self::Predictive(step) => step.stage.key(),
        }
    }

    /// What its stage does, for a reader who sees it for the first time.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::FootIk(step) => step.stage.sentence(),
            Self::Predictive(step) => step.stage.sentence(),
        }
    }

    /// `None` for the steps of the whole character.
    pub const fn side(self) -> Option<Side> {
        match self {
            Self::FootIk(step) => step.side,
            Self::Predictive(step) => step.side,
        }
    }
}

/// What the steps of a frame share, and which comes next.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "half a kilobyte, and `Copy`")]
pub(super) enum Work {
    FootIk(foot_ik::Frame, foot_ik::Program),
    Predictive(Frame, predictive::Program),
}

/// The solve of one frame, by either grounder, over a ground.
#[derive(Clone, Copy, Debug)]
pub struct Solve<'a, G> {
    work: Work,
    ground: &'a G,
}

impl<'a, G: Ground> Solve<'a, G> {
    /// From the first step on; `state` is what the last frame left, and becomes what this one starts from. That of the
    /// other grounder counts as [fresh](SolverState::fresh).
    pub fn new(solver: &Solver, input: &Input, state: &mut SolverState, ground: &'a G) -> Self {
        Self { work: Work::new(solver, input, state), ground }
    }

    /// What feet and pelvis would be if the frame ended at that state.
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
            // The states of a solve are its own grounder's.
            _ => Output::default(),
        }
    }
}

/// How a frame of that input passes, after one that left that state.
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

/// One whole frame of either grounder. A state of the other one counts as [fresh](SolverState::fresh).
pub fn solve(solver: &Solver, input: &Input, state: &mut SolverState, ground: &impl Ground) -> Output {
    let mut solve = Solve::new(solver, input, state, ground);
    stepped::solve(&mut solve, state);
    solve.output(state)
}

/// One frame, as [`solve`] does it, step by step. It holds what was solved. The default is empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// What was solved with.
    pub solver: Solver,
    /// What the frame handed in.
    pub input: Input,
    /// What the frame before left; of this solver.
    pub start: SolverState,
    /// Every step with the state after it and its events; empty if no time passed.
    pub solve: stepped::Recording<SolverStep, SolverState, Event>,
    /// What is left of another grounder's output; part of every output here.
    pub handed: Handed,
    /// What the frame came to.
    pub output: Output,
}

impl Recording {
    /// Runs one frame from `start`, keeping every state and event; the buffers are used again. A state of the other
    /// grounder counts as [fresh](SolverState::fresh).
    pub fn record(&mut self, solver: &Solver, input: &Input, start: &SolverState, ground: &impl Ground) {
        let start = if start.is_of(solver) { *start } else { SolverState::fresh(solver) };
        (self.solver, self.input, self.start) = (*solver, *input, start);
        let mut state = start;
        let mut solve = Solve::new(solver, input, &mut state, ground);
        self.solve.record(&mut solve, &mut state);
        self.handed = Handed::default();
        self.output = solve.output(&state);
    }

    /// Takes over from what the frame before gave out: see [`handover`](super::handover).
    pub fn take_over(&mut self, handover: &mut Handover, changed: bool, blend: f32) {
        let up = self.up();
        self.handed = handover.next(&self.output, changed, blend, self.input.dt, up);
        self.handed.add_to(&mut self.output, up);
    }

    fn up(&self) -> Vec3 {
        self.input.root.sane().unwrap_or_default().up
    }

    /// What the steps of the frame share.
    pub(super) fn work(&self) -> Work {
        Work::new(&self.solver, &self.input, &mut self.start.clone())
    }

    /// After the last step: what the next frame starts from. Where it started, if no time passed.
    pub fn state(&self) -> SolverState {
        self.solve.steps.last().map_or(self.start, |last| last.state)
    }

    /// What feet and pelvis would be if the frame ended at that state of it.
    pub fn output_of(&self, state: &SolverState) -> Output {
        let mut output = self.work().output(state);
        self.handed.add_to(&mut output, self.up());
        output
    }

    /// What feet and pelvis would be if the frame ended after that step. The output itself if there is no such step.
    pub fn output_at(&self, step: usize) -> Output {
        self.solve.steps.get(step).map_or(self.output, |recorded| self.output_of(&recorded.state))
    }
}
