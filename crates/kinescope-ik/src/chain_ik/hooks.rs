//! Callbacks into a chain's solve: before each iteration, and at joints that a pass of FABRIK places.
//!
//! Source: *Animation programming notes*, chapter 13, which call `OnPreIteration(i)` before each iteration and
//! `Constraints(j, j_1)` after each joint of a pass. [`solve_with`] calls [`Hooks`] there, except for the root and, in
//! the forward reach, for the end.
//!
//! ```
//! use glam::Vec3;
//! use kinescope_ik::chain_ik::{Chain, Goal, Hooks, PlacedJoint, Problem, Settings, Workspace, solve_with};
//!
//! /// Pushes joints up to the ground.
//! struct AboveGround;
//!
//! impl Hooks for AboveGround {
//!     fn constrains(&self) -> bool {
//!         true
//!     }
//!
//!     fn constrain(&mut self, placed: &PlacedJoint) -> Vec3 {
//!         placed.to.max(Vec3::new(f32::MIN, 0.0, f32::MIN))
//!     }
//! }
//!
//! let chain = Chain::from_positions(&[Vec3::ZERO, Vec3::new(0.4, 0.3, 0.0), Vec3::new(0.8, 0.0, 0.0)])?;
//! let (mut state, mut workspace) = (chain.rest().clone(), Workspace::default());
//! let (settings, goals) = (Settings::default(), [Goal::end(&chain, Vec3::new(0.5, 0.1, 0.0))]);
//! let problem = Problem { chain: &chain, settings: &settings, goals: &goals };
//! solve_with(&problem, &mut AboveGround, &mut state, &mut workspace)?;
//! assert!(state.positions[1].y >= 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use glam::Vec3;

use super::chain::State;
use super::fabrik;
use super::moves::Cause;
use super::outcome::Outcome;
use super::problem::{Problem, Workspace};
use super::program::{Program, Stage, run_stage};
use super::settings::Solver;
use crate::error::Fault;
use crate::math::{FARTHEST, is_within};
use crate::stepped::Unwatched;

/// Joints and targets at the start of an iteration, which [`Hooks::before_iteration`] may change.
#[derive(Debug)]
pub struct IterationStart<'a> {
    /// Index of the iteration, from 0.
    pub iteration: u32,
    /// Positions of the joints, root first; model space. The root cannot be moved. The solver restores the bones'
    /// lengths after a change.
    pub positions: &'a mut [Vec3],
    /// Target of each goal from this iteration on, in the order of the goals; model space.
    pub targets: &'a mut [Vec3],
}

/// A joint that a pass of FABRIK just placed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedJoint {
    /// The pass, [`Stage::ForwardReach`] or [`Stage::BackwardReach`].
    pub pass: Stage,
    /// Index of the joint, 1 and up; in the forward reach never the end.
    pub joint: usize,
    /// Index of the neighbouring joint from which this one was placed: the next joint in the forward reach, the
    /// previous one in the backward reach.
    pub neighbour: usize,
    /// Position of the neighbour; model space.
    pub anchor: Vec3,
    /// Length of the bone between the two; model units.
    pub length: f32,
    /// Position that the pass gave the joint; model space.
    pub to: Vec3,
}

/// Callbacks of one solve. The default methods change nothing.
pub trait Hooks {
    /// Runs before each iteration; may move joints and targets. The solver then chooses the iteration's first step. It
    /// ignores a new joint position or target that is not finite or beyond [`FARTHEST`].
    fn before_iteration(&mut self, _start: &mut IterationStart) {}

    /// Returns whether [`Self::constrain`] is called. Iterations then consist of passes only, which call it for each
    /// joint that they place, except the root and, in the forward reach, the end. The start, an escape from a straight
    /// line before the first pass, and the closing map do not call it.
    fn constrains(&self) -> bool {
        false
    }

    /// Returns the position of a joint instead of `placed.to`; model space. The solver then moves the joint along the
    /// line from its neighbour to the bone's length, in the 2D mode within the plane. So a constraint that must hold
    /// exactly returns a position at distance `placed.length` from `placed.anchor`. The solver ignores a position that
    /// is not finite, beyond [`FARTHEST`], equal to the neighbour's, or in the 2D mode on the plane's normal through the
    /// neighbour.
    fn constrain(&mut self, placed: &PlacedJoint) -> Vec3 {
        placed.to
    }
}

/// Solves as [`solve`](super::solve) does, with callbacks. With hooks that change nothing and do not
/// [constrain](Hooks::constrains), the result is the same, bit for bit. Allocates only where a buffer of the workspace
/// is too small.
///
/// # Errors
/// As [`solve`](super::solve). Hooks that [constrain](Hooks::constrains) are refused for solvers other than FABRIK,
/// with limits, with a bend normal, and with branches, several goals or a goal within the chain. The state stays
/// unchanged.
pub fn solve_with(
    problem: &Problem,
    hooks: &mut impl Hooks,
    state: &mut State,
    workspace: &mut Workspace,
) -> Result<Outcome, Fault> {
    problem.check()?;
    problem.check_state(state)?;
    let constrains = hooks.constrains();
    if constrains {
        check_constrained(problem)?;
    }
    let mut program = Program::new(problem, state, workspace);
    if constrains {
        program.make_passes_only();
    }
    let mut started = None;
    loop {
        let before = program;
        let Some(mut step) = program.next(problem, state, workspace) else { break };
        if let Some(iteration) = step.iteration.filter(|_| started != step.iteration) {
            started = step.iteration;
            if start_iteration(problem, hooks, iteration, state, workspace) {
                // The hook's targets or joints may need another step, such as passes instead of a stretch.
                let Some(again) = program.choose_again(&before, step, (problem, state, workspace)) else { break };
                step = again;
            }
        }
        match step.stage {
            Stage::ForwardReach if constrains => forward_reach(problem, hooks, state, workspace),
            Stage::BackwardReach if constrains => backward_reach(problem, hooks, state, workspace),
            _ => {
                let _ = run_stage(problem, state, workspace, step, &mut Unwatched);
            }
        }
    }
    Ok(program.outcome(problem, state, workspace))
}

fn check_constrained(problem: &Problem) -> Result<(), Fault> {
    let settings = problem.settings;
    if settings.solver != Solver::Fabrik {
        let message = format!("is {}; a joint constraint needs fabrik", settings.solver.key());
        return Err(Fault::new("solver", message));
    }
    for (field, is_there, message) in [
        ("limits", problem.uses_limits(), "cannot be used together with a joint constraint; turn one of the two off"),
        (
            "bend_normal",
            settings.bend_normal.is_some(),
            "cannot be used together with a joint constraint; set it to null",
        ),
        (
            "targets",
            !problem.is_plain(),
            "must be one target at the end of a chain without branches, for a joint constraint",
        ),
    ] {
        if is_there {
            return Err(Fault::new(field, message));
        }
    }
    Ok(())
}

/// Calls [`Hooks::before_iteration`]. Returns whether it changed joints or targets.
fn start_iteration(
    problem: &Problem,
    hooks: &mut impl Hooks,
    iteration: u32,
    state: &mut State,
    workspace: &mut Workspace,
) -> bool {
    workspace.positions.clone_from(&state.positions);
    workspace.kept_targets.clone_from(&workspace.targets);
    hooks.before_iteration(&mut IterationStart {
        iteration,
        positions: &mut state.positions,
        targets: &mut workspace.targets,
    });
    for (target, &kept) in workspace.targets.iter_mut().zip(&workspace.kept_targets) {
        if !is_within(*target, FARTHEST) {
            *target = kept;
        } else if let Some(normal) = workspace.plane.filter(|_| *target != kept) {
            *target -= normal * normal.dot(*target - workspace.root);
        }
    }
    workspace.target = workspace.targets.first().copied().unwrap_or(workspace.root);
    let has_new_targets = workspace.targets != workspace.kept_targets;
    for (position, &kept) in state.positions.iter_mut().zip(&workspace.positions) {
        if !is_within(*position, FARTHEST) {
            *position = kept;
        }
    }
    if state.positions == workspace.positions {
        return has_new_targets;
    }
    state.positions[0] = workspace.root;
    // From the root on, each bone keeps its length and points to where the hook left its end.
    for (index, bone) in problem.chain.bones().iter().enumerate() {
        let from = state.positions[bone.from];
        let along = workspace.direction(from, state.positions[index + 1]);
        state.positions[index + 1] = from + along * bone.length;
    }
    if problem.works_on_rotations() {
        let limits = problem.uses_limits();
        let _ = fabrik::follow(problem, state, workspace, limits, Cause::Map, &mut Unwatched);
        problem.chain.place(state);
    }
    true
}

fn forward_reach(problem: &Problem, hooks: &mut impl Hooks, state: &mut State, workspace: &Workspace) {
    let lengths = problem.chain.lengths();
    let last = lengths.len();
    state.positions[last] = fabrik::pulled(state.positions[last], workspace.target, problem);
    for joint in (1..last).rev() {
        let (anchor, length) = (state.positions[joint + 1], lengths[joint]);
        let along = -workspace.direction(state.positions[joint], anchor);
        let pass = Stage::ForwardReach;
        let placed = PlacedJoint { pass, joint, neighbour: joint + 1, anchor, length, to: anchor + along * length };
        state.positions[joint] = constrained(hooks, &placed, workspace);
    }
    // The root is not constrained: the backward reach returns it to its place.
    let anchor = state.positions[1];
    state.positions[0] = anchor - workspace.direction(state.positions[0], anchor) * lengths[0];
}

fn backward_reach(problem: &Problem, hooks: &mut impl Hooks, state: &mut State, workspace: &Workspace) {
    state.positions[0] = workspace.root;
    for (neighbour, &length) in problem.chain.lengths().iter().enumerate() {
        let (anchor, joint) = (state.positions[neighbour], neighbour + 1);
        let along = workspace.direction(anchor, state.positions[joint]);
        let pass = Stage::BackwardReach;
        let placed = PlacedJoint { pass, joint, neighbour, anchor, length, to: anchor + along * length };
        state.positions[joint] = constrained(hooks, &placed, workspace);
    }
}

fn constrained(hooks: &mut impl Hooks, placed: &PlacedJoint, workspace: &Workspace) -> Vec3 {
    let wanted = hooks.constrain(placed);
    if wanted == placed.to || !is_within(wanted, FARTHEST) {
        return placed.to;
    }
    match workspace.unit_in_plane(wanted - placed.anchor) {
        Some(along) => placed.anchor + along * placed.length,
        None => placed.to,
    }
}
