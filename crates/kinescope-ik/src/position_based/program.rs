//! A solve as a program of steps: one constraint of one sub-step each.

use serde::{Deserialize, Serialize};

use super::body::PositionBased;
use super::constraint::Constraint;
use super::frame::Frame;
use super::limit::SLACK;
use super::moves::Move;
use super::outcome::{Outcome, StoppedBy};
use super::position::worst;
use super::state::State;
use super::{angular, limit, position, start};
use crate::stepped::{Flow, Stepped, Watch};

/// Angle at which a target rotation and a bend goal count as reached, radians: 0.06°.
const ANGLE_TOLERANCE: f32 = 1e-3;
/// A sub-step that leaves more than this fraction of the smallest error so far makes no progress.
const NO_PROGRESS: f32 = 0.99;
/// The number of sub-steps in a row without progress after which a solve starts again or ends.
const PATIENCE: u32 = 4;

/// The largest number of last sub-steps. They run if the solve misses its targets and ends with joints beyond their
/// limits by more than [`SLACK`]. The limits then follow each target and bend goal, so that the targets are approached
/// within the limits. The limits alone would move hands and feet away from their targets by centimetres.
const LAST: u32 = 4;

/// One step of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Step {
    /// Index of the sub-step, from 0.
    pub substep: u32,
    /// Index of the constraint in [`Frame::constraints`]. In the last sub-steps, [`Constraint::Limits`] also follows
    /// each target and bend goal, with the index of the constraint that it follows. 0 for
    /// [`Constraint::SecondStart`] and [`Constraint::FirstResult`].
    pub index: u32,
    /// The constraint.
    pub constraint: Constraint,
}

impl Step {
    /// Returns the angle beyond the limits at which [`Constraint::Limits`] turns joints back, and which it leaves: 0, and
    /// [`SLACK`] after another constraint of the last sub-steps.
    pub(super) fn slack(self, frame: &Frame) -> f32 {
        if frame.constraints().get(self.index as usize) == Some(&Constraint::Limits) { 0.0 } else { SLACK }
    }
}

/// A solve of one frame, as a program.
#[derive(Clone, Debug)]
pub struct Solve<'a> {
    solver: &'a PositionBased,
    frame: &'a Frame,
    substep: u32,
    index: usize,
    /// The smallest error of the sub-steps since the last start. The error of a sub-step is its largest residual, relative
    /// to the tolerance.
    least: f32,
    idle: u32,
    /// A step that runs next, before the constraint at `index`: the second start or the return to the first result, see
    /// [`start`], or limits after another constraint of the last sub-steps.
    pending: Option<Constraint>,
    has_started_again: bool,
    /// The number of sub-steps at which the solve ends, once the last sub-steps have begun, see [`LAST`].
    last: Option<u32>,
    /// Why the solve ends after the last sub-steps.
    reason: StoppedBy,
    stopped_by: Option<StoppedBy>,
}

impl<'a> Solve<'a> {
    /// Sets up the solve of a frame.
    pub fn new(solver: &'a PositionBased, frame: &'a Frame) -> Self {
        let stopped_by = frame.constraints().is_empty().then_some(StoppedBy::NothingToDo);
        Self {
            solver,
            frame,
            substep: 0,
            index: 0,
            least: f32::INFINITY,
            idle: 0,
            pending: None,
            has_started_again: false,
            last: None,
            reason: StoppedBy::Substeps,
            stopped_by,
        }
    }

    /// Returns the result; `state` is the state after the last step.
    pub fn outcome(&self, state: &State) -> Outcome {
        Outcome {
            error: worst(self.solver, self.frame, state),
            substeps: self.substep,
            stopped_by: self.stopped_by.unwrap_or(StoppedBy::Substeps),
        }
    }

    /// Ends a sub-step. The solve stops if it has reached its targets, or if the last sub-steps are done. After
    /// [`PATIENCE`] sub-steps without progress it starts again once if at least half of the sub-steps are left, or else
    /// [`Self::begin_last`] runs. That also runs once the sub-steps of the settings are used up.
    #[inline(always)]
    fn end_substep(&mut self, state: &State) {
        self.substep += 1;
        self.index = 0;
        // A tolerance of 0 is reached only by an error of 0.
        let off = (state.worst / self.frame.tolerance.max(f32::MIN_POSITIVE)).max(state.worst_angle / ANGLE_TOLERANCE);
        if off <= 1.0 {
            self.stopped_by = Some(StoppedBy::Tolerance);
        } else if let Some(last) = self.last {
            self.stopped_by = (self.substep >= last).then_some(self.reason);
        } else if self.substep >= self.frame.settings.substeps {
            self.begin_last(StoppedBy::Substeps, state);
        } else {
            self.idle = if off < NO_PROGRESS * self.least { 0 } else { self.idle + 1 };
            self.least = self.least.min(off);
            if self.idle < PATIENCE {
                return;
            }
            if self.has_started_again || 2 * self.substep > self.frame.settings.substeps {
                self.begin_last(StoppedBy::NoChange, state);
            } else {
                (self.least, self.idle) = (f32::INFINITY, 0);
                self.has_started_again = true;
                self.pending = Some(Constraint::SecondStart);
            }
        }
    }

    /// Ends a solve that misses its targets. Returns to the result of the first start if that of the second is not better. If a
    /// moved joint exceeds its limit by more than [`SLACK`] above [`Frame::slack`], the last sub-steps run before the
    /// end.
    fn begin_last(&mut self, reason: StoppedBy, state: &State) {
        let mut rotations = &state.rotations;
        // A state from an earlier frame may have the first result of that frame.
        if self.has_started_again
            && let Some(first) = &state.first
            && !start::is_second_better(self.solver, self.frame, state)
        {
            self.pending = Some(Constraint::FirstResult);
            rotations = &first.rotations;
        }
        if limit::are_kept(self.solver, self.frame, rotations) {
            self.stopped_by = Some(reason);
        } else {
            self.last = Some(self.substep + (self.frame.settings.substeps / 4).clamp(1, LAST));
            self.reason = reason;
        }
    }
}

/// Returns whether a constraint does not run in a sub-step. At the animated pose, where most solves start, rest and limits
/// have nothing to correct.
#[inline(always)]
fn is_skipped(constraint: Constraint, substep: u32) -> bool {
    match constraint {
        Constraint::Rest | Constraint::Limits => substep == 0,
        Constraint::Length(_) => substep > 0,
        Constraint::Position(_)
        | Constraint::Rotation(_)
        | Constraint::Bend(_)
        | Constraint::SecondStart
        | Constraint::FirstResult => false,
    }
}

impl Stepped for Solve<'_> {
    type Step = Step;
    type State = State;
    type Event = Move;

    #[inline(always)]
    fn next(&mut self, state: &State) -> Option<Step> {
        let order = self.frame.constraints();
        loop {
            if let Some(constraint) = self.pending.take() {
                let index = if constraint == Constraint::Limits { self.index - 1 } else { 0 };
                return Some(Step { substep: self.substep, index: index as u32, constraint });
            }
            if self.stopped_by.is_some() {
                return None;
            }
            let Some(&constraint) = order.get(self.index) else {
                self.end_substep(state);
                continue;
            };
            let step = Step { substep: self.substep, index: self.index as u32, constraint };
            self.index += 1;
            if !is_skipped(constraint, step.substep) {
                if self.last.is_some() && !matches!(constraint, Constraint::Rest | Constraint::Limits) {
                    self.pending = Some(Constraint::Limits);
                }
                return Some(step);
            }
        }
    }

    #[inline(always)]
    fn run(&mut self, state: &mut State, step: Step, watch: &mut impl Watch<Move>) -> Flow {
        let (solver, frame) = (self.solver, self.frame);
        let first = frame.constraints().iter().position(|&own| !is_skipped(own, step.substep));
        let is_first = |first: usize| first == step.index as usize && frame.constraints()[first] == step.constraint;
        if first.is_some_and(is_first) {
            (state.worst, state.worst_angle) = (0.0, 0.0);
        }
        match step.constraint {
            Constraint::Rest => angular::to_rest(solver, frame, state, watch),
            Constraint::Limits => limit::to_limits(solver, frame, state, step.slack(frame), watch),
            Constraint::Length(limb) => position::to_length(solver, frame, state, limb, watch),
            Constraint::Position(effector) => position::to_target(solver, frame, state, effector, watch),
            Constraint::Rotation(effector) => angular::to_rotation(solver, frame, state, effector, watch),
            Constraint::Bend(limb) => angular::to_bend_goal(solver, frame, state, limb, watch),
            Constraint::SecondStart => start::again(solver, frame, state, watch),
            Constraint::FirstResult => start::back_to_first(state, watch),
        }
    }
}
