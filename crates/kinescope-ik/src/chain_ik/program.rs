//! A chain's solve as a program of steps: one path for solving at once and for stepping through.
//!
//! Unlike the full-body program its length is not known beforehand: after each step it looks at the state and decides
//! what comes next, or that it is done, and why.

use std::f32::consts::PI;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::chain::State;
use super::limits::Limit;
use super::moves::{Cause, Move, move_joint};
use super::plane::lay_into_plane;
use super::problem::{Problem, Workspace};
use super::settings::Solver;
use super::{bend_rule, ccd, fabrik, map_turn, straighten, two_bone};
use crate::error::Fault;
use crate::key::named;
use crate::math::{any_orthogonal, unit};
use crate::stepped::{self, Flow, GO_ON, Stepped, Unwatched, Watch};

named! {
    /// What a step does. The names are those of files.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Stage {
        /// Returns the key in files.
        key,
        /// Returns a short name for a narrow cell.
        short: &'static str,
        /// Returns one sentence on what it does, for tooltips.
        sentence: &'static str,
    }
    /// Every stage, in the order in which a solve comes to them.
    ALL {
        /// Takes the chain as it is, into its plane and its limits.
        Start: "start", "Takes the chain as it is; lays it into the plane of the 2D mode, and its bones into their limits.";
        /// Lays the chain out towards a target that is out of reach.
        Stretch: "stretch", "The target is out of reach: the chain is laid out towards it in a line, at once.";
        /// Bends the chain out of a line with its target, on which every pass would stay.
        Escape: "escape", "Chain and target lie in a line, where every pass is in vain: the chain is bent out of it.";
        /// CCD: turns each bone once, from the last to the first.
        CcdPass: "pass", "CCD. From the last bone to the first, each is turned so that the end points at the target.";
        /// FABRIK: from the end, put on the target, to the root.
        ForwardReach:
            "fwd",
            "Forward reach. The end goes to the target, and each joint follows. The root leaves its place until the \
             backward reach.";
        /// FABRIK: from the root, put back to its place, to the end.
        BackwardReach: "back", "Backward reach. The root goes back to its place, and each joint follows, up to the end.";
        /// FABRIK's bend rule: reflects the chain to the other side of the line from root to target.
        Mirror:
            "mirror",
            "The chain bends against the bend rule as a whole: it is reflected at the line from root to target.";
        /// FABRIK's bend rule: lays the chain on a circle through root and target.
        Arc: "arc", "The passes get no nearer under the bend rule: the chain is laid on a circle through root and target.";
        /// Solves directly for what passes are slow at: see [straightening](super::straighten).
        Straighten:
            "str",
            "The bend's amplitude, or the angle at one joint, is solved for directly, and the chain swung to the target.";
        /// The closed form of two bones.
        TwoBone: "two-b", "The closed form: two bones and the target make a triangle.";
        /// Lets the bones' rotations follow the joints.
        Map: "map", "The bones' rotations follow the positions by the shortest swings.";
    }
}

/// One step of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Step {
    /// From 0; `None` outside the iterations.
    pub iteration: Option<u32>,
    /// What it does.
    pub stage: Stage,
    /// Of a CCD pass: how many bones it turns, counted from the end. Of an escape: how many came before. Else 0.
    pub count: u32,
}

named! {
    /// Why a solve ended.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum StoppedBy {
        /// Returns the key in files.
        key,
        /// Returns the label on screen.
        sentence: &'static str,
    }
    /// Every reason.
    ALL {
        /// The end is within the tolerance of its target.
        Tolerance: "reached: the end is within the tolerance";
        /// An iteration moved the end by no more than the change tolerance.
        NoChange: "no change: an iteration moved nothing any more";
        /// The target is out of reach, and the chain as far towards it as it goes.
        Unreachable: "out of reach: the chain is as far towards the target as it goes";
        /// As many iterations were made as the settings allow.
        MaxIterations: "the most iterations were made";
        /// The closed form was told to stay off the target: by its soft zone or maximum stretch, or by limits.
        ClosedForm: "closed form, held off the target by soft zone, stretch or limits";
        /// Weight 0: nothing was done.
        NoWeight: "weight 0: nothing was done";
        /// The joints arrived, but the rotations made of them by a [source's way](super::MapTurn) have the end elsewhere.
        LostInMap: "the joints arrived; the rotations made of them miss the target";
    }
}

/// What a solve came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// From the end to its target (the worst of several); model units. By weights below 1 the target is the place
    /// between the end and the goal, unless they act [in each pass](super::Weighting::Passes).
    pub error: f32,
    /// Iterations made; 0 where the solver does not iterate.
    pub iterations: u32,
    /// Why it ended.
    pub stopped_by: StoppedBy,
}

impl Outcome {
    /// The end is within the tolerance.
    pub fn is_reached(&self) -> bool {
        self.stopped_by == StoppedBy::Tolerance
    }
}

/// What the program looks at, or does, next.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Next {
    Start,
    /// Whether there is anything to iterate for.
    Begin,
    /// Another iteration, after a look at the bend rule.
    Open,
    /// The chain was mirrored, which may be all that was needed.
    Mirrored,
    /// The passes of an iteration.
    Iterate,
    Pass {
        bones: u32,
    },
    /// A growing pass was made; the next may not be needed.
    GrownPass {
        bones: u32,
    },
    ForwardReach,
    BackwardReach,
    /// The passes of an iteration were made, and straightened so many times since.
    Passed {
        straightened: u32,
    },
    Finish,
    Done,
}

/// Says what comes next. Between any two steps a caller may look at the state or change it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Program {
    next: Next,
    iteration: u32,
    /// Where the first goal's joint was when the iteration began, and how far off.
    end_before: Vec3,
    error_before: f32,
    /// How far off it was when last looked at.
    error: f32,
    /// How far off it was before it was last straightened.
    error_passed: f32,
    /// Some iteration hardly came nearer.
    is_stuck: bool,
    escapes: u32,
    /// The chain has been laid on a circle.
    is_on_arc: bool,
    /// Nothing but passes may place joints.
    passes_only: bool,
    stopped_by: StoppedBy,
}

/// An iteration straightens so often at most.
const MOST_STRAIGHTENED: u32 = 4;
/// CCD is stuck when a pass leaves more than this of the error: some bone is folded back on the line to the target,
/// where turning any bone alone gains nothing.
const STUCK: f32 = 0.9;
/// An iteration that leaves more than this of the error was for nothing.
const IN_VAIN: f32 = 0.999;
/// A free chain that gets no nearer to a target within its reach is bent so often before it is given up.
const MOST_ESCAPES: u32 = 8;

impl Program {
    /// For a problem that [checks](Problem::check) and a state that [fits](super::chain::Chain::fits) its chain.
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

    /// Leaves out every step that places joints by more than the passes do: a constraint at each joint would be skipped.
    pub(super) fn make_passes_only(&mut self) {
        self.passes_only = true;
    }

    /// The next step, given what the one before left; `None` at the end.
    #[inline(always)]
    pub fn next(&mut self, problem: &Problem, state: &State, workspace: &Workspace) -> Option<Step> {
        let settings = problem.settings;
        let tolerance = settings.tolerance;
        let step = |iteration: u32, stage| Some(Step { iteration: Some(iteration), stage, count: 0 });
        loop {
            match self.next {
                Next::Start => {
                    self.next = Next::Begin;
                    return Some(Step { iteration: None, stage: Stage::Start, count: 0 });
                }
                Next::Begin if settings.solver == Solver::TwoBone => {
                    self.stop(StoppedBy::ClosedForm);
                    self.iteration = 1;
                    return step(0, Stage::TwoBone);
                }
                Next::Begin if has_arrived(problem, state, workspace) => self.stop(StoppedBy::Tolerance),
                Next::Begin if settings.max_iterations == 0 => self.stop(StoppedBy::MaxIterations),
                Next::Begin if !self.passes_only && problem.is_free() && problem.is_out_of_reach(workspace) => {
                    self.stop(StoppedBy::Unreachable);
                    self.iteration = 1;
                    return step(0, Stage::Stretch);
                }
                Next::Begin => {
                    self.next = Next::Open;
                    if workspace.error(problem, state) > workspace.rounding(problem)
                        && is_in_line(problem, state, workspace)
                    {
                        return Some(self.escape());
                    }
                }
                Next::Open => {
                    if bend_rule::applies(problem, workspace) && bend_rule::is_on_wrong_side(problem, state, workspace)
                    {
                        self.next = Next::Mirrored;
                        return step(self.iteration, Stage::Mirror);
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
                    // For good: a pass of its own kind would only undo what the others gained.
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
                    return step(self.iteration, Stage::ForwardReach);
                }
                Next::BackwardReach => {
                    self.next = Next::Passed { straightened: 0 };
                    return step(self.iteration, Stage::BackwardReach);
                }
                Next::Passed { straightened } => {
                    let error = workspace.error(problem, state);
                    self.error = error;
                    if error > tolerance
                        && error > Self::arc_from(problem) * self.error_before
                        && !self.is_on_arc
                        && bend_rule::applies(problem, workspace)
                    {
                        self.is_on_arc = true;
                        self.next = Next::Passed { straightened: MOST_STRAIGHTENED };
                        return step(self.iteration, Stage::Arc);
                    }
                    // Once more only if it halved the error: it converges quadratically, or not at all.
                    let (most, below) = match straightened {
                        0 => (1, straighten::STARTS_WITHIN * problem.chain.length()),
                        _ => (MOST_STRAIGHTENED, 0.5 * self.error_passed),
                    };
                    // Near the root a small change of place is a large one of direction: that is for the passes, while
                    // they get on.
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
                        return step(self.iteration, Stage::Straighten);
                    }
                    self.iteration += 1;
                    self.next = Next::Open;
                    let change = state.positions[problem.goals[0].joint].distance(self.end_before);
                    let is_in_vain = settings.accelerate && self.is_stuck && error > IN_VAIN * self.error_before;
                    if error <= tolerance {
                        self.stop(StoppedBy::Tolerance);
                    } else if (change <= settings.change_tolerance || is_in_vain)
                        && error > workspace.rounding(problem)
                        && !self.passes_only
                        && problem.is_free()
                        && self.escapes < MOST_ESCAPES
                        && self.iteration < settings.max_iterations
                    {
                        // It got into a line with its target, or nearly so with a bone folded back: passes do nothing.
                        return Some(self.escape());
                    } else if change <= settings.change_tolerance && problem.goals.len() == 1 {
                        self.stop(StoppedBy::NoChange);
                    } else if self.iteration >= settings.max_iterations {
                        self.stop(StoppedBy::MaxIterations);
                    }
                }
                Next::Finish => {
                    self.next = Next::Done;
                    // Where rotations are what the solver works on, only a closed form has left them behind.
                    let is_closed = matches!(self.stopped_by, StoppedBy::Unreachable | StoppedBy::ClosedForm);
                    if if problem.works_on_rotations() { is_closed } else { settings.rotations } {
                        return Some(Step { iteration: None, stage: Stage::Map, count: 0 });
                    }
                }
                Next::Done => return None,
            }
        }
    }

    /// The part of the error that an iteration under the bend rule must leave for the chain to be laid on a circle. A weight
    /// in the passes makes every iteration gain less.
    fn arc_from(problem: &Problem) -> f32 {
        let least = if problem.settings.accelerate { STUCK } else { IN_VAIN };
        1.0 - (1.0 - least) * problem.settings.pass_share()
    }

    fn escape(&mut self) -> Step {
        self.escapes += 1;
        Step { iteration: Some(self.iteration), stage: Stage::Escape, count: self.escapes - 1 }
    }

    fn stop(&mut self, stopped_by: StoppedBy) {
        (self.stopped_by, self.next) = (stopped_by, Next::Finish);
    }

    /// What it all came to; to be asked after the last step.
    #[inline]
    pub fn outcome(&self, problem: &Problem, state: &State, workspace: &Workspace) -> Outcome {
        let error = workspace.error(problem, state);
        let stopped_by = match self.stopped_by {
            StoppedBy::NoWeight => StoppedBy::NoWeight,
            StoppedBy::Tolerance if error > problem.settings.tolerance && problem.maps_as_a_source() => {
                StoppedBy::LostInMap
            }
            // Of a target just out of reach, or one that a closed form got to.
            _ if error <= problem.settings.tolerance => StoppedBy::Tolerance,
            StoppedBy::ClosedForm if !problem.uses_limits() && problem.is_out_of_reach(workspace) => {
                StoppedBy::Unreachable
            }
            other => other,
        };
        Outcome { error, iterations: self.iteration, stopped_by }
    }
}

/// The solve of a problem.
#[derive(Debug)]
pub struct Solve<'a> {
    pub(super) problem: Problem<'a>,
    pub(super) workspace: &'a mut Workspace,
    program: Program,
}

impl<'a> Solve<'a> {
    /// From the first step on; `state` is where the chain is.
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

    /// What it all came to; to be asked after the last step.
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

/// Runs one step: the only place that knows which function does it.
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

/// Lets rotations follow the joints, where rotations are what the solver works on.
fn turn_bones(problem: &Problem, state: &mut State, workspace: &mut Workspace, cause: Cause) {
    if problem.works_on_rotations() {
        let _ = fabrik::follow(problem, state, workspace, problem.uses_limits(), cause, &mut Unwatched);
    }
}

/// Straightens, and turns the bones back into their limits; not at all if that comes no nearer.
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
    // What is tried in vain is no move: who watches is told only once it is known not to be.
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

/// Lays the chain into the plane of the 2D mode, and its bones into their limits.
#[inline]
fn start(problem: &Problem, state: &mut State, workspace: &mut Workspace, watch: &mut impl Watch<Move>) -> Flow {
    lay_into_plane(problem, state, workspace, watch)?;
    if problem.uses_limits() {
        fabrik::follow(problem, state, workspace, true, Cause::Limit, watch)?;
    }
    GO_ON
}

/// Lays the chain out towards a target that it does not reach. One that is too near for it has the longest bone point
/// at the target and all others back.
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

/// The end is within the tolerance, and every joint bends as the bend rule asks, if there is one.
#[inline]
fn has_arrived(problem: &Problem, state: &State, workspace: &Workspace) -> bool {
    workspace.error(problem, state) <= problem.settings.tolerance
        && (!bend_rule::applies(problem, workspace) || bend_rule::is_kept(problem, state, workspace))
}

/// Root, joints and target lie in a line: passes would keep them there.
fn is_in_line(problem: &Problem, state: &State, workspace: &Workspace) -> bool {
    /// Bones nearer to the line than this get off it too slowly.
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

/// Height of the arc of an [escape](Stage::Escape), as a fraction of the chain's length: enough to bend by, little
/// enough to stay near.
pub(crate) const ARC_HEIGHT: f32 = 0.05;

/// What says to which side a chain bends that lies in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The plane of the 2D mode.
    Plane,
    BendRule,
    /// The first hinge.
    Hinge,
    BendGoal,
    /// Nothing: it depends on the line alone.
    Line,
}

/// To which side a chain bends that lies in a line; unit.
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

/// Slope of the escape's arc over the line, at `middle` of the chain's length; 0 to 1. An arc that fell back into the
/// line is followed by a higher one with more waves.
fn arc_slope(waves: u32, middle: f32) -> f32 {
    let waves = waves as f32;
    waves * ARC_HEIGHT * PI * (PI * waves * middle).cos()
}

/// Bends a chain that lies in a line with its target into an arc: to the side that the bend rule, the plane of the 2D
/// mode, the first hinge or the bend goal asks for, else to one that depends on the line alone.
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
    // Each bone is turned by the arc's slope at its middle; that keeps its length.
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

/// One whole solve of `state`, which is where the chain is now and becomes where it is solved to.
///
/// Allocates nothing once the workspace has seen a chain of that size. Bone lengths are kept (but for two bones told
/// to stretch), the root stays, limits hold, and every number is finite. Without limits an iterating solver reaches
/// what is reachable, given iterations; weight 0 leaves the state as it is, bit for bit.
///
/// # Errors
/// As [`Problem::check`], and for a state that does not fit the chain or is not finite. The state is as it was.
pub fn solve(problem: &Problem, state: &mut State, workspace: &mut Workspace) -> Result<Outcome, Fault> {
    let mut solve = Solve::new(*problem, state, workspace)?;
    stepped::solve(&mut solve, state);
    Ok(solve.outcome(state))
}
