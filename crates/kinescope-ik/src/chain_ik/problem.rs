//! Input of a chain's solve, and its buffers.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::chain::{Chain, State};
use super::settings::{Settings, Solver};
use crate::error::{self, BadValue, Fault};
use crate::math::{FARTHEST, unit, unit_in_plane};
use crate::parameter::Parameters;

/// Largest pull of a goal. Above it, f32 sums would lose the other goals.
const MAX_PULL: f32 = 1e6;

/// Target of one joint.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Goal {
    /// Index of the joint; 1 and up.
    pub joint: usize,
    /// Target position; model space.
    pub position: Vec3,
    /// Weight relative to other goals; above 0, up to 1e6.
    #[serde(default = "one")]
    pub pull: f32,
}

fn one() -> f32 {
    1.0
}

impl Goal {
    /// Creates a goal with pull 1 for the last joint, the end of a chain without branches; model space.
    pub fn end(chain: &Chain, position: Vec3) -> Self {
        Self { joint: chain.joints() - 1, position, pull: 1.0 }
    }

    fn is_surely_valid(&self, joints: usize) -> bool {
        let is_near = self.position.abs().max_element() <= FARTHEST && self.position.is_finite();
        is_near && (1..joints).contains(&self.joint) && self.pull > 0.0 && self.pull <= MAX_PULL
    }

    pub(super) fn check(&self, joints: usize) -> Result<(), Fault> {
        BadValue::check_place(self.position).map_err(|bad| bad.at(""))?;
        if !(1..joints).contains(&self.joint) {
            let message = format!("is {}; a target needs a joint from 1 to {}", self.joint, joints - 1);
            return Err(Fault::new("joint", message));
        }
        match self.pull > 0.0 && self.pull <= MAX_PULL {
            true => Ok(()),
            false => Err(Fault::new("pull", format!("is {}; it must be above 0 and at most {MAX_PULL:e}", self.pull))),
        }
    }
}

/// Input of a solve.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// The chain to solve.
    pub chain: &'a Chain,
    /// Settings of the solve.
    pub settings: &'a Settings,
    /// Targets of joints. Solvers other than FABRIK take one target, for the last joint of a chain without branches.
    pub goals: &'a [Goal],
}

/// Buffers of a solve and values computed at its start. Solves allocate only where a buffer is too small, so reuse the
/// workspace.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub(crate) root: Vec3,
    pub(super) targets: Vec<Vec3>,
    pub(super) target: Vec3,
    /// Direction of a bone whose joints coincide: +Y, or in the 2D mode a unit vector in the plane.
    pub(crate) fallback: Vec3,
    /// Normal of the plane of the 2D mode; unit. `None` in 3D.
    pub(super) plane: Option<Vec3>,
    /// Normal of the bend rule; unit. `None` without a rule.
    pub(super) bend: Option<Vec3>,
    pub(super) turns: Vec<glam::Quat>,
    pub(super) positions: Vec<Vec3>,
    /// For each joint: sum of wanted positions times pull, sum of pulls, number of wants.
    pub(super) wants: Vec<(Vec3, f32, u32)>,
    /// Targets before [`Hooks::before_iteration`](super::Hooks::before_iteration) ran; they replace invalid new
    /// targets.
    pub(super) kept_targets: Vec<Vec3>,
    /// State before an attempt to straighten a chain with limits.
    pub(super) saved: State,
}

impl Workspace {
    /// Returns the target of the first goal: the first of [`Self::targets`]. Zero before the first solve.
    pub fn target(&self) -> Vec3 {
        self.target
    }

    /// Returns the target of each goal; model space. In the 2D mode the target is projected onto the plane. At a weight
    /// below 1 the target is between the start position of the goal's joint and the goal, unless the weight acts [in
    /// each pass](super::Weighting::Passes). Empty before the first solve.
    pub fn targets(&self) -> &[Vec3] {
        &self.targets
    }

    /// Returns whether neither the 2D mode nor the bend rule restricts the directions of bones.
    pub(super) fn is_in_space(&self) -> bool {
        self.plane.is_none() && self.bend.is_none()
    }

    /// Returns the unit direction of `v`, projected onto the plane in the 2D mode; `None` if `v` is then zero up to
    /// rounding.
    pub(crate) fn unit_in_plane(&self, v: Vec3) -> Option<Vec3> {
        self.plane.map_or_else(|| unit(v), |normal| unit_in_plane(v, normal))
    }

    /// Returns the unit direction from one joint to another, in the plane of the 2D mode; the fallback if they
    /// coincide.
    pub(crate) fn direction(&self, from: Vec3, to: Vec3) -> Vec3 {
        self.unit_in_plane(to - from).unwrap_or(self.fallback)
    }

    /// Returns the normal of the plane within which limits apply: that of the 2D mode; `None` in 3D and without limits.
    pub(super) fn plane_of_limits(&self, problem: &Problem) -> Option<Vec3> {
        self.plane.filter(|_| problem.uses_limits())
    }

    /// Returns `v` rotated into the plane of the 2D mode at the same length, to remove rounding errors; in 3D `v`
    /// itself.
    #[inline]
    pub(crate) fn kept_in_plane(&self, v: Vec3) -> Vec3 {
        if self.plane.is_none() { v } else { self.direction(Vec3::ZERO, v) * v.length() }
    }

    #[inline]
    pub(super) fn error(&self, problem: &Problem, state: &State) -> f32 {
        if let [goal] = problem.goals {
            return state.positions[goal.joint].distance(self.target);
        }
        let off = |(goal, target): (&Goal, &Vec3)| state.positions[goal.joint].distance(*target);
        problem.goals.iter().zip(&self.targets).map(off).fold(0.0, f32::max)
    }

    /// Returns a bound for the error that rounding alone leaves; model units.
    pub(super) fn rounding(&self, problem: &Problem) -> f32 {
        let size = problem.chain.length() + self.root.abs().max_element() + self.target.abs().max_element();
        // Measured over long chains with all solvers: rounding errors reach half of this bound.
        8.0 * f32::EPSILON * size * (problem.chain.bones().len() as f32).sqrt()
    }
}

impl Problem<'_> {
    /// Checks settings and goals, and whether the solver supports the chain.
    ///
    /// # Errors
    /// [`Fault`] with the field, for invalid settings, a missing or invalid goal, a number of bones other than two
    /// for the closed form, or, for solvers other than FABRIK, branches, several goals or a goal within the chain.
    #[inline]
    pub fn check(&self) -> Result<(), Fault> {
        if self.is_surely_valid() { Ok(()) } else { self.find_fault() }
    }

    /// Checks that a state can be solved.
    ///
    /// # Errors
    /// [`Fault`] for a state that does not fit the chain or is not finite. Base, rotations and turns are checked only
    /// if the solve uses rotations.
    #[inline]
    pub fn check_state(&self, state: &State) -> Result<(), Fault> {
        if !self.chain.fits(state) {
            let joints = self.chain.joints();
            return Err(Fault::new(
                "state",
                format!("does not fit the chain of {joints} joints; start from the chain's rest state"),
            ));
        }
        let is_finite = if self.needs_rotations() { state.is_finite() } else { state.places_are_finite() };
        if !is_finite {
            return Err(Fault::new("state", error::Problem::NotFinite("start from the chain's rest state")));
        }
        Ok(())
    }

    /// Returns true if the problem certainly passes [`Self::check`]. False means only that the slower check must
    /// decide.
    #[inline]
    fn is_surely_valid(&self) -> bool {
        let Settings { plane, bend_normal, bend_goal, solver, .. } = *self.settings;
        let joints = self.chain.joints();
        self.settings.are_numbers_in_range()
            && (plane, bend_normal, bend_goal) == (None, None, None)
            && !self.goals.is_empty()
            && self.goals.iter().all(|goal| goal.is_surely_valid(joints))
            && (solver == Solver::Fabrik || (self.is_plain() && (solver != Solver::TwoBone || joints == 3)))
    }

    #[cold]
    fn find_fault(&self) -> Result<(), Fault> {
        self.settings.validate()?;
        let joints = self.chain.joints();
        if self.goals.is_empty() {
            return Err(Fault::new("target", error::Problem::Missing("a chain needs a target")));
        }
        for (index, goal) in self.goals.iter().enumerate() {
            let place = if self.goals.len() == 1 { "target".to_owned() } else { format!("targets[{index}]") };
            goal.check(joints).map_err(|fault| fault.within(place))?;
        }
        let solver = self.settings.solver.key();
        match self.settings.solver {
            Solver::Fabrik => Ok(()),
            _ if !self.is_plain() => {
                let message =
                    format!("is {solver}, which takes one target, at the end of a chain without branches; use fabrik");
                Err(Fault::new("solver", message))
            }
            Solver::TwoBone if joints != 3 => {
                let message = format!("is {solver}, which takes 2 bones; this chain has {}: use fabrik", joints - 1);
                Err(Fault::new("solver", message))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn uses_limits(&self) -> bool {
        self.settings.limits && self.chain.has_limits()
    }

    /// Returns whether the solver works on rotations: CCD rotates bones, and limits apply to rotations.
    pub(super) fn works_on_rotations(&self) -> bool {
        matches!(self.settings.solver, Solver::Ccd | Solver::CcdGrowing) || self.uses_limits()
    }

    pub(super) fn needs_rotations(&self) -> bool {
        self.settings.rotations || self.works_on_rotations()
    }

    /// Returns whether the rotations are computed from the solved joints by a formula that a source gets wrong.
    pub(super) fn maps_as_a_source(&self) -> bool {
        let Settings { solver, map_turn, rotations, .. } = *self.settings;
        solver == Solver::Fabrik && rotations && !map_turn.is_right() && !self.uses_limits()
    }

    /// Returns whether the chain has no branches and its end is the only goal.
    pub(super) fn is_plain(&self) -> bool {
        !self.chain.is_branched() && self.goals.len() == 1 && self.goals[0].joint + 1 == self.chain.joints()
    }

    /// Returns whether [`Self::may_straighten`] holds and no limits apply. Only then may a solve stretch the chain,
    /// escape between iterations, and replace CCD's passes by FABRIK's.
    pub(super) fn is_free(&self) -> bool {
        self.may_straighten() && !self.uses_limits()
    }

    /// Returns whether a step may place all joints at once. Branches, several goals, goals within the chain, bone
    /// weights with CCD, and a weight in the passes prevent it; limits do not, as they are applied afterwards.
    pub(super) fn may_straighten(&self) -> bool {
        let is_fabrik = self.settings.solver == Solver::Fabrik;
        // A weight in the passes would have no effect on a step that places all bones at once.
        self.is_plain() && (is_fabrik || !self.chain.has_weights()) && self.settings.pass_share() >= 1.0
    }

    pub(super) fn is_out_of_reach(&self, workspace: &Workspace) -> bool {
        let distance = workspace.target.distance(workspace.root);
        distance > self.chain.length() || distance < self.chain.least_reach()
    }
}
