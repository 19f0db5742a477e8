//! A chain's solve as a program of steps. One-shot solving and stepping both run it.
//!
//! The number of steps is not known in advance: after each step the program inspects the state and chooses the next
//! step, or stops with a reason.

use std::f32::consts::PI;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::chain::State;
use super::limits::Limit;
use super::moves::{Cause, Move, move_joint};
use super::outcome::{Outcome, StoppedBy};
use super::plane::lay_into_plane;
use super::problem::{Problem, Workspace};
use super::settings::Solver;
use super::{bend_rule, ccd, fabrik, map_turn, straighten, two_bone};
use crate::error::Fault;
use crate::key::named;
use crate::math::{any_orthogonal, unit};
use crate::stepped::{self, Flow, GO_ON, Stepped, Unwatched, Watch};

named! {
    /// What a step does. The keys are the names in files.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Stage {
        /// Returns the key in files.
        key,
        /// Returns a short name for a narrow cell.
        short: &'static str,
        /// Returns a sentence for tooltips.
        sentence: &'static str,
    }
    /// Every stage.
    ALL {
        /// Lays the chain into the plane of the 2D mode, and rotates bones back into their limits.
        Start: "start", "Starts with the chain's current pose. 2D mode lays the chain into its plane; limits turn bones back into \
             their range.";
        /// Stretches the chain toward a target that is too far, or folds the chain for one that is too near.
        Stretch: "stretch", "The target is too far or too near: stretches the chain toward it, or folds the chain.";
        /// Bends the chain off a line through its target, where passes make no progress.
        Escape:
            "escape",
            "Passes make no progress, usually because chain and target lie on a line: bends the chain off the line.";
        /// CCD: rotates one after another of the last [`Step::count`] bones, from the end on, until the end has
        /// arrived.
        CcdPass: "pass", "CCD. Rotates one bone after another, from the last on; each rotation turns the end toward the target.";
        /// FABRIK: from the end, moved toward the target, to the root.
        ForwardReach:
            "fwd",
            "Forward reach. The end moves to or toward the target, and each joint follows. The root may leave its place \
             until the backward reach.";
        /// FABRIK: from the root, returned to its place, to the end.
        BackwardReach: "back", "Backward reach. The root returns to its place, and each joint follows, up to the end.";
        /// FABRIK's bend rule: mirrors the chain at the plane through the bend normal and the line from root to target.
        Mirror:
            "mirror",
            "The whole chain bends against the bend rule: mirrors it to the other side of the line from root to target.";
        /// FABRIK's bend rule: lays the chain on a circle through root and target.
        Arc:
            "arc",
            "The passes make little or no progress under the bend rule: lays the chain on a circle through root and target.";
        /// Scales the bend or folds one joint, because passes converge slowly near full stretch: see
        /// [straightening](super::straighten).
        Straighten:
            "str",
            "Solves for the bend's amplitude, or the angle at one joint, and swings the chain to the target.";
        /// Solves two bones in closed form.
        TwoBone: "two-b", "The closed form: two bones and the target make a triangle.";
        /// Rotates the bones to follow the joints.
        Map: "map", "Computes the bones' rotations from the solved joints: by the shortest swings, or by the formula chosen at \
             Map. Limits turn bones back into their range.";
    }
}

/// One step of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Step {
    /// Index of the iteration, from 0; `None` outside the iterations.
    pub iteration: Option<u32>,
    /// What the step does.
    pub stage: Stage,
    /// CCD pass: number of bones that the pass covers, counted from the end. Escape: number of earlier escapes. Else 0.
    pub count: u32,
}

impl Step {
    #[inline(always)]
    fn of(iteration: u32, stage: Stage) -> Option<Self> {
        Some(Self { iteration: Some(iteration), stage, count: 0 })
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Next {
    Start,
    Begin,
    Open,
    /// The chain was mirrored; if it has arrived, no pass follows.
    Mirrored,
    Iterate,
    Pass {
        bones: u32,
    },
    /// A growing pass was run; if the end has arrived, no further pass follows.
    GrownPass {
        bones: u32,
    },
    ForwardReach,
    BackwardReach,
    /// The passes of an iteration were run, followed by this many straightening steps. After an arc the number is
    /// [`MAX_STRAIGHTENINGS`], because no straightening follows.
    Passed {
        straightened: u32,
    },
    Finish,
    Done,
}

/// Chooses the steps of a solve, one at a time. Between two steps a caller may inspect or change the state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Program {
    next: Next,
    iteration: u32,
    end_before: Vec3,
    error_before: f32,
    error: f32,
    /// Error before the last straightening step.
    error_passed: f32,
    /// Whether some iteration left more than the fraction [`STUCK`] of the error.
    is_stuck: bool,
    escapes: u32,
    is_on_arc: bool,
    passes_only: bool,
    stopped_by: StoppedBy,
}

const MAX_STRAIGHTENINGS: u32 = 4;
/// An iteration that leaves more than this fraction of the error is stuck. With CCD, some bone is then usually folded
/// back on the line to the target, where rotating any single bone gains nothing.
const STUCK: f32 = 0.9;
/// An iteration that leaves more than this fraction of the error made no progress.
const NO_PROGRESS: f32 = 0.999;
const MAX_ESCAPES: u32 = 8;

impl Program {
    /// Creates a program, and computes root, targets, plane and bend normal in the workspace. The problem must pass
    /// [`Problem::check`], and the state must [fit](super::chain::Chain::fits) the chain.
    #[inline]
    pub fn new(problem: &Problem, state: &State, workspace: &mut Workspace) -> Self {
        let settings = problem.settings;
        workspace.root = state.positions[0];
        workspace.targets.clear();
        let plane = settings.plane.and_then(unit);
        workspace.plane = plane;
        workspace.bend = settings.bend();
        for goal in problem.goals {
            let joint = state.positions[goal.joint];
            let is_between = settings.weight < 1.0 && settings.pass_share() >= 1.0;
            let target = if is_between { joint.lerp(goal.position, settings.weight) } else { goal.position };
            let off_plane = plane.map_or(Vec3::ZERO, |normal| normal * normal.dot(target - workspace.root));
            workspace.targets.push(target - off_plane);
        }
        workspace.target = workspace.targets.first().copied().unwrap_or(workspace.root);
        workspace.fallback = plane.map_or(Vec3::Y, any_orthogonal);
        let next = if settings.weight > 0.0 { Next::Start } else { Next::Done };
        Self {
            next,
            iteration: 0,
            end_before: Vec3::ZERO,
            error_before: f32::INFINITY,
            error: f32::INFINITY,
            error_passed: 0.0,
            is_stuck: false,
            escapes: 0,
            is_on_arc: false,
            passes_only: false,
            stopped_by: StoppedBy::NoWeight,
        }
    }

    /// Disables straightening, stretching and the escapes between iterations: they would place joints without calling
    /// the joint constraint. An escape before the first iteration remains.
    pub(super) fn make_passes_only(&mut self) {
        self.passes_only = true;
    }

    /// Chooses the first step of an iteration again, after a hook changed joints or targets. `before` is the program
    /// before it chose `step`. Errors are then measured from the new joints and targets on. An escape after an iteration
    /// without progress stays, unless the end has arrived.
    pub(super) fn choose_again(
        &mut self,
        before: &Self,
        step: Step,
        (problem, state, workspace): (&Problem, &State, &Workspace),
    ) -> Option<Step> {
        let Some(iteration) = step.iteration.filter(|&iteration| iteration > 0) else {
            *self = *before;
            return self.next(problem, state, workspace);
        };
        let error = workspace.error(problem, state);
        let is_stuck = self.is_stuck || self.error > STUCK * before.error_before;
        let escapes = step.stage == Stage::Escape && error > problem.settings.tolerance;
        *self = Self {
            next: Next::Open,
            iteration,
            error_before: f32::INFINITY,
            error,
            is_stuck,
            escapes: if escapes { self.escapes } else { before.escapes },
            ..*before
        };
        if escapes { Some(step) } else { self.next(problem, state, workspace) }
    }

    /// Returns the next step, chosen from the state after the previous step; `None` at the end.
    #[inline(always)]
    pub fn next(&mut self, problem: &Problem, state: &State, workspace: &Workspace) -> Option<Step> {
        let settings = problem.settings;
        let tolerance = settings.tolerance;
        loop {
            match self.next {
                Next::Start => {
                    self.next = Next::Begin;
                    return Some(Step { iteration: None, stage: Stage::Start, count: 0 });
                }
                Next::Begin => {
                    if let Some(step) = self.begin(problem, state, workspace) {
                        return Some(step);
                    }
                }
                Next::Open => {
                    if bend_rule::applies(problem, workspace) && bend_rule::is_on_wrong_side(problem, state, workspace)
                    {
                        self.next = Next::Mirrored;
                        return Step::of(self.iteration, Stage::Mirror);
                    }
                    self.next = Next::Iterate;
                }
                Next::Mirrored if has_arrived(problem, state, workspace) => {
                    self.iteration += 1;
                    self.stop(StoppedBy::Tolerance);
                }
                Next::Mirrored => self.next = Next::Iterate,
                Next::Iterate => {
                    self.end_before = state.positions[problem.goals[0].joint];
                    // Stays set for the rest of the solve, because another CCD pass would undo the progress of FABRIK.
                    self.is_stuck |= self.error > STUCK * self.error_before;
                    self.error_before = self.error;
                    let count = problem.chain.bones().len() as u32;
                    self.next = match settings.solver {
                        _ if self.is_stuck && settings.accelerate && problem.is_free() => Next::ForwardReach,
                        Solver::Ccd => Next::Pass { bones: count },
                        Solver::CcdGrowing => Next::Pass { bones: count.min(2) },
                        Solver::Fabrik | Solver::TwoBone => Next::ForwardReach,
                    };
                }
                Next::GrownPass { .. } if workspace.error(problem, state) <= tolerance => {
                    self.next = Next::Passed { straightened: 0 }
                }
                Next::Pass { bones } | Next::GrownPass { bones } => {
                    let is_whole = bones as usize >= problem.chain.bones().len();
                    self.next =
                        if is_whole { Next::Passed { straightened: 0 } } else { Next::GrownPass { bones: bones + 1 } };
                    return Some(Step { iteration: Some(self.iteration), stage: Stage::CcdPass, count: bones });
                }
                Next::ForwardReach => {
                    self.next = Next::BackwardReach;
                    return Step::of(self.iteration, Stage::ForwardReach);
                }
                Next::BackwardReach => {
                    self.next = Next::Passed { straightened: 0 };
                    return Step::of(self.iteration, Stage::BackwardReach);
                }
                Next::Passed { straightened } => {
                    if let Some(step) = self.end_iteration(problem, state, workspace, straightened) {
                        return Some(step);
                    }
                }
                Next::Finish => {
                    self.next = Next::Done;
                    // A solver that works on rotations keeps them up to date, except in a stretch and in the closed
                    // form.
                    let is_closed = matches!(self.stopped_by, StoppedBy::Unreachable | StoppedBy::ClosedForm);
                    if if problem.works_on_rotations() { is_closed } else { settings.rotations } {
                        return Some(Step { iteration: None, stage: Stage::Map, count: 0 });
                    }
                }
                Next::Done => return None,
            }
        }
    }

    /// Checks whether any iteration is needed. Returns the step that solves the chain at once, or an escape before the
    /// first iteration; `None` if neither is needed.
    #[inline(always)]
    fn begin(&mut self, problem: &Problem, state: &State, workspace: &Workspace) -> Option<Step> {
        let settings = problem.settings;
        if settings.solver == Solver::TwoBone {
            self.stop(StoppedBy::ClosedForm);
            self.iteration = 1;
            return Step::of(0, Stage::TwoBone);
        }
        if has_arrived(problem, state, workspace) {
            self.stop(StoppedBy::Tolerance);
            return None;
        }
        if settings.max_iterations == 0 {
            self.stop(StoppedBy::MaxIterations);
            return None;
        }
        if !self.passes_only && problem.is_free() && problem.is_out_of_reach(workspace) {
            self.stop(StoppedBy::Unreachable);
            self.iteration = 1;
            return Step::of(0, Stage::Stretch);
        }
        self.next = Next::Open;
        let may_escape = workspace.error(problem, state) > workspace.rounding(problem);
        (may_escape && is_in_line(problem, state, workspace)).then(|| self.escape())
    }

    /// Returns the arc or straightening that follows an iteration's passes. Otherwise ends the iteration and returns an
    /// escape, or `None` to continue with [`Self::next`].
    #[inline(always)]
    fn end_iteration(
        &mut self,
        problem: &Problem,
        state: &State,
        workspace: &Workspace,
        straightened: u32,
    ) -> Option<Step> {
        let settings = problem.settings;
        let tolerance = settings.tolerance;
        let error = workspace.error(problem, state);
        self.error = error;
        if error > tolerance
            && error > Self::arc_from(problem) * self.error_before
            && !self.is_on_arc
            && bend_rule::applies(problem, workspace)
        {
            self.is_on_arc = true;
            self.next = Next::Passed { straightened: MAX_STRAIGHTENINGS };
            return Step::of(self.iteration, Stage::Arc);
        }
        // Repeats only if the error was halved: straightening converges quadratically or not at all.
        let (most, below) = match straightened {
            0 => (1, straighten::STARTS_WITHIN * problem.chain.length()),
            _ => (MAX_STRAIGHTENINGS, 0.5 * self.error_passed),
        };
        // Near the root, a small move of the end is a large change of its direction; there the passes continue while
        // they make progress.
        let is_small = self.is_stuck || error < 0.5 * state.end().distance(workspace.root);
        if settings.accelerate
            && error > tolerance
            && error < below
            && is_small
            && straightened < most
            && !self.passes_only
            && problem.may_straighten()
        {
            self.error_passed = error;
            self.next = Next::Passed { straightened: straightened + 1 };
            return Step::of(self.iteration, Stage::Straighten);
        }
        self.iteration += 1;
        self.next = Next::Open;
        let change = state.positions[problem.goals[0].joint].distance(self.end_before);
        let has_no_progress = settings.accelerate && self.is_stuck && error > NO_PROGRESS * self.error_before;
        if error <= tolerance {
            self.stop(StoppedBy::Tolerance);
        } else if (change <= settings.change_tolerance || has_no_progress)
            && error > workspace.rounding(problem)
            && !self.passes_only
            && problem.is_free()
            && self.escapes < MAX_ESCAPES
            && self.iteration < settings.max_iterations
        {
            // An end that stops off its target usually means that the chain lies on a line with the target, or nearly
            // so with a bone folded back; passes do nothing there.
            return Some(self.escape());
        } else if change <= settings.change_tolerance && problem.goals.len() == 1 {
            self.stop(StoppedBy::NoChange);
        } else if self.iteration >= settings.max_iterations {
            self.stop(StoppedBy::MaxIterations);
        }
        None
    }

    /// Returns the fraction of the error above which an iteration under the bend rule is stuck and an arc follows. With
    /// the weight in the passes, every iteration gains less.
    fn arc_from(problem: &Problem) -> f32 {
        let least = if problem.settings.accelerate { STUCK } else { NO_PROGRESS };
        1.0 - (1.0 - least) * problem.settings.pass_share()
    }

    fn escape(&mut self) -> Step {
        self.escapes += 1;
        Step { iteration: Some(self.iteration), stage: Stage::Escape, count: self.escapes - 1 }
    }

    fn stop(&mut self, stopped_by: StoppedBy) {
        (self.stopped_by, self.next) = (stopped_by, Next::Finish);
    }

    /// Returns the result; call it after the last step.
    #[inline]
    pub fn outcome(&self, problem: &Problem, state: &State, workspace: &Workspace) -> Outcome {
        let error = workspace.error(problem, state);
        let stopped_by = match self.stopped_by {
            StoppedBy::NoWeight => StoppedBy::NoWeight,
            StoppedBy::Tolerance if error > problem.settings.tolerance && problem.maps_as_a_source() => {
                StoppedBy::LostInMap
            }
            // A stretched chain or a closed form may end within the tolerance.
            _ if error <= problem.settings.tolerance => StoppedBy::Tolerance,
            StoppedBy::ClosedForm if !problem.uses_limits() && problem.is_out_of_reach(workspace) => {
                StoppedBy::Unreachable
            }
            other => other,
        };
        Outcome { error, iterations: self.iteration, stopped_by }
    }
}

/// Solve of a problem, as a program of steps.
#[derive(Debug)]
pub struct Solve<'a> {
    pub(super) problem: Problem<'a>,
    pub(super) workspace: &'a mut Workspace,
    program: Program,
}

impl<'a> Solve<'a> {
    /// Starts a solve from `state`.
    ///
    /// # Errors
    /// As [`Problem::check`], and for a state that does not fit the chain or is not finite.
    #[inline]
    pub fn new(problem: Problem<'a>, state: &State, workspace: &'a mut Workspace) -> Result<Self, Fault> {
        problem.check()?;
        problem.check_state(state)?;
        let program = Program::new(&problem, state, workspace);
        Ok(Self { problem, workspace, program })
    }

    /// Returns the result; call it after the last step.
    #[inline]
    pub fn outcome(&self, state: &State) -> Outcome {
        self.program.outcome(&self.problem, state, self.workspace)
    }
}

impl Stepped for Solve<'_> {
    type Step = Step;
    type State = State;
    type Event = Move;

    #[inline(always)]
    fn next(&mut self, state: &State) -> Option<Step> {
        self.program.next(&self.problem, state, self.workspace)
    }

    #[inline(always)]
    fn run(&mut self, state: &mut State, step: Step, watch: &mut impl Watch<Move>) -> Flow {
        run_stage(&self.problem, state, self.workspace, step, watch)
    }
}

/// Runs one step of a [`Program`] on the state. Stops early if the observer breaks.
#[inline(always)]
pub fn run_stage(
    problem: &Problem,
    state: &mut State,
    workspace: &mut Workspace,
    step: Step,
    watch: &mut impl Watch<Move>,
) -> Flow {
    let limits = problem.uses_limits();
    match step.stage {
        Stage::Start => start(problem, state, workspace, watch),
        Stage::Stretch => stretch(problem, state, workspace, watch),
        Stage::Escape => escape(problem, state, workspace, step.count, watch),
        Stage::CcdPass => ccd::backward_pass(problem, state, workspace, step.count as usize, watch),
        Stage::ForwardReach if !problem.is_plain() => fabrik::forward_reach_branched(problem, state, workspace, watch),
        Stage::ForwardReach if limits => fabrik::forward_reach_limited(problem, state, workspace, watch),
        Stage::ForwardReach => fabrik::forward_reach(problem, state, workspace, watch),
        Stage::BackwardReach if limits => fabrik::backward_reach_limited(problem, state, workspace, watch),
        Stage::BackwardReach => {
            let flow = fabrik::backward_reach(problem, state, workspace, watch);
            turn_bones(problem, state, workspace, Cause::Map);
            flow
        }
        Stage::Mirror => bend_rule::mirror(problem, state, workspace, watch),
        Stage::Arc => bend_rule::arc(problem, state, workspace, watch),
        Stage::Straighten if limits => straighten_limited(problem, state, workspace, watch),
        Stage::Straighten => {
            let flow = straighten::straighten(problem, state, workspace, watch);
            turn_bones(problem, state, workspace, Cause::Map);
            flow
        }
        Stage::TwoBone => two_bone::two_bone(problem, state, workspace, watch),
        Stage::Map if problem.maps_as_a_source() => map_turn::follow(problem, state, workspace, watch),
        Stage::Map => fabrik::follow(problem, state, workspace, limits, Cause::Map, watch),
    }
}

fn turn_bones(problem: &Problem, state: &mut State, workspace: &mut Workspace, cause: Cause) {
    if problem.works_on_rotations() {
        let _ = fabrik::follow(problem, state, workspace, problem.uses_limits(), cause, &mut Unwatched);
    }
}

/// Straightens, then rotates the bones back into their limits. Restores the state if that brings the end no nearer.
#[inline(never)]
fn straighten_limited<W: Watch<Move>>(
    problem: &Problem,
    state: &mut State,
    workspace: &mut Workspace,
    watch: &mut W,
) -> Flow {
    let mut saved = std::mem::take(&mut workspace.saved);
    saved.copy_from(state);
    let before = workspace.error(problem, state);
    let _ = straighten::straighten(problem, state, workspace, &mut Unwatched);
    turn_bones(problem, state, workspace, Cause::Map);
    let is_nearer = workspace.error(problem, state) < before;
    // The first attempt reports no moves, because it may be discarded. A watched solve repeats the attempt and reports
    // it.
    if !is_nearer || W::LISTENS {
        state.copy_from(&saved);
    }
    workspace.saved = saved;
    if is_nearer && W::LISTENS {
        straighten::straighten(problem, state, workspace, watch)?;
        fabrik::follow(problem, state, workspace, true, Cause::Map, watch)?;
    }
    GO_ON
}

#[inline]
fn start(problem: &Problem, state: &mut State, workspace: &mut Workspace, watch: &mut impl Watch<Move>) -> Flow {
    lay_into_plane(problem, state, workspace, watch)?;
    if problem.uses_limits() {
        fabrik::follow(problem, state, workspace, true, Cause::Limit, watch)?;
    }
    GO_ON
}

/// Stretches the chain out toward a target that it cannot reach. For a target that is too near, the first of the
/// longest bones points at the target and all others point back.
#[inline(never)]
fn stretch(problem: &Problem, state: &mut State, workspace: &Workspace, watch: &mut impl Watch<Move>) -> Flow {
    let chain = problem.chain;
    let to_target = workspace.target - workspace.root;
    let is_near = to_target.length() < chain.least_reach();
    let along = workspace.unit_in_plane(to_target);
    let along = along.or_else(|| workspace.unit_in_plane(state.end() - workspace.root)).unwrap_or(workspace.fallback);
    let mut place = workspace.root;
    let mut is_turned = !is_near;
    let lengths = chain.lengths();
    let joints = &mut state.positions[..=lengths.len()];
    for (index, &length) in lengths.iter().enumerate() {
        let is_forward = !is_near || (!is_turned && length == chain.longest());
        is_turned |= is_forward;
        place += along * if is_forward { length } else { -length };
        move_joint(joints, index + 1, place, Cause::Stretch, watch)?;
    }
    GO_ON
}

/// Returns whether every goal is reached and, where the rule [applies](bend_rule::applies), every joint keeps the bend
/// rule.
#[inline]
fn has_arrived(problem: &Problem, state: &State, workspace: &Workspace) -> bool {
    workspace.error(problem, state) <= problem.settings.tolerance
        && (!bend_rule::applies(problem, workspace) || bend_rule::is_kept(problem, state, workspace))
}

/// Returns whether root, joints and target lie on a line, where passes would keep them. False for a single bone, for
/// branches, and unless the end is the only goal.
fn is_in_line(problem: &Problem, state: &State, workspace: &Workspace) -> bool {
    /// Sine of a bone's angle to the line from root to target, below which passes bend the chain too slowly.
    const IN_LINE: f32 = 1e-3;
    let line = workspace.target - workspace.root;
    let line =
        if line.length() > 1e-4 * problem.chain.length() { line } else { state.positions[1] - state.positions[0] };
    let bones = problem.chain.bones();
    problem.is_plain()
        && bones.len() > 1
        && (0..bones.len()).all(|index| {
            let along = state.positions[index + 1] - state.positions[index];
            along.cross(line).length_squared() < IN_LINE * IN_LINE * along.length_squared() * line.length_squared()
        })
}

/// Height of the arc of an [escape](Stage::Escape), as a fraction of the chain's length: enough for the passes to bend
/// the chain further, small enough to keep the pose.
pub(crate) const ARC_HEIGHT: f32 = 0.05;

/// What determines the side to which a chain on a line bends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Plane,
    BendRule,
    Hinge,
    BendGoal,
    /// The line alone; an arbitrary but fixed side.
    Line,
}

/// Returns the side to which a chain on a line bends (unit, model space), and what determined it.
pub(crate) fn side_of_line(problem: &Problem, state: &State, workspace: &Workspace) -> (Vec3, Side) {
    let Problem { chain, settings, .. } = *problem;
    let bones = chain.bones();
    let line = workspace.direction(workspace.root, state.positions[1]);
    let hinge = |index: usize| match bones[index].limit {
        Limit::Hinge { axis, .. } if settings.limits => {
            Some(chain.rotation_before(state, index) * (bones[index].rest * axis))
        }
        _ => None,
    };
    let normal = workspace.plane.map(|normal| (workspace.bend.unwrap_or(normal), Side::Plane));
    let normal = normal.or(workspace.bend.map(|normal| (normal, Side::BendRule)));
    let normal = normal.or_else(|| (0..bones.len()).find_map(hinge).map(|axis| (axis, Side::Hinge)));
    let (side, why) = match (normal, settings.bend_goal) {
        (Some((normal, why)), _) => (line.cross(normal), why),
        (None, Some(goal)) => (goal - workspace.root, Side::BendGoal),
        (None, None) => (Vec3::ZERO, Side::Line),
    };
    match unit(side - line * line.dot(side)) {
        Some(side) => (side, why),
        None => (any_orthogonal(line), Side::Line),
    }
}

/// Returns the slope of the escape's arc over the line, at the fraction `middle` of the chain's length. `waves` is the
/// number of half waves, one more in each escape: after an arc that fell back onto the line, the next is steeper.
fn arc_slope(waves: u32, middle: f32) -> f32 {
    let waves = waves as f32;
    waves * ARC_HEIGHT * PI * (PI * waves * middle).cos()
}

#[inline(never)]
fn escape(
    problem: &Problem,
    state: &mut State,
    workspace: &mut Workspace,
    attempt: u32,
    watch: &mut impl Watch<Move>,
) -> Flow {
    let chain = problem.chain;
    let (side, _) = side_of_line(problem, state, workspace);
    // Rotates each bone by the arc's slope at its middle, which keeps its length.
    let mut travelled = 0.0;
    let mut place = workspace.root;
    workspace.positions.clear();
    for (index, bone) in chain.bones().iter().enumerate() {
        let middle = (travelled + 0.5 * bone.length) / chain.length();
        travelled += bone.length;
        let slope = arc_slope(attempt + 1, middle);
        let along = workspace.direction(state.positions[index], state.positions[index + 1]);
        place += (along + side * slope).normalize() * bone.length;
        workspace.positions.push(place);
    }
    for (index, &to) in workspace.positions.iter().enumerate() {
        move_joint(&mut state.positions, index + 1, to, Cause::Escape, watch)?;
    }
    turn_bones(problem, state, workspace, Cause::Escape);
    GO_ON
}

/// Solves one chain. `state` holds the start of the solve and receives the result.
///
/// Allocates only where a buffer of the workspace is too small. Bone lengths stay the same, except in the closed form
/// with a maximum stretch above 1. The root stays, limits hold if the settings apply them, and every number is finite.
/// Weight 0 leaves the state unchanged, bit for bit.
///
/// An iterating solver reaches any target within reach, given enough iterations, if the end of the chain is the only
/// goal and the problem has no branches, limits, CCD weights, weight in the passes or variant that reproduces a
/// source's mistake.
///
/// # Errors
/// As [`Problem::check`], and for a state that does not fit the chain or is not finite. The state stays unchanged.
pub fn solve(problem: &Problem, state: &mut State, workspace: &mut Workspace) -> Result<Outcome, Fault> {
    let mut solve = Solve::new(*problem, state, workspace)?;
    stepped::solve(&mut solve, state);
    Ok(solve.outcome(state))
}
