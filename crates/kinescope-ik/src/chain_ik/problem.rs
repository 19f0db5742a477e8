//! What is solved, and the buffers to solve it in.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::chain::{Chain, State};
use super::settings::{Settings, Solver};
use crate::error::{self, BadValue, Fault};
use crate::math::{FARTHEST, unit, unit_in_plane};
use crate::parameter::Parameters;

/// A goal that pulls more leaves nothing to the others as it is.
const MOST_PULL: f32 = 1e6;

/// Where an end of the chain is to go.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Goal {
    /// The joint, 1 and up.
    pub joint: usize,
    /// Model space.
    pub position: Vec3,
    /// What it counts where branches meet; above 0.
    #[serde(default = "one")]
    pub pull: f32,
}

fn one() -> f32 {
    1.0
}

impl Goal {
    /// For the end of a chain without branches.
    pub fn end(chain: &Chain, position: Vec3) -> Self {
        Self { joint: chain.joints() - 1, position, pull: 1.0 }
    }

    fn is_sound(&self, joints: usize) -> bool {
        let is_near = self.position.abs().max_element() <= FARTHEST && self.position.is_finite();
        is_near && (1..joints).contains(&self.joint) && self.pull > 0.0 && self.pull <= MOST_PULL
    }

    /// # Errors
    /// [`Fault`] that names the field, for what is no goal of a chain with so many joints.
    pub(super) fn check(&self, joints: usize) -> Result<(), Fault> {
        BadValue::check_place(self.position).map_err(|bad| bad.at(""))?;
        if !(1..joints).contains(&self.joint) {
            let message = format!("is {}; the chain's joints go from 1 to {}", self.joint, joints - 1);
            return Err(Fault::new("joint", message));
        }
        match self.pull > 0.0 && self.pull <= MOST_PULL {
            true => Ok(()),
            false => Err(Fault::new("pull", format!("is {}; it is above 0, up to {MOST_PULL:e}", self.pull))),
        }
    }
}

/// What is solved.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// The bones.
    pub chain: &'a Chain,
    /// How they are solved.
    pub settings: &'a Settings,
    /// One, for the last joint, unless the chain has branches.
    pub goals: &'a [Goal],
}

/// Buffers of a solve, and what it found when it began. Reuse it: then solving allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// Where the root stays.
    pub(crate) root: Vec3,
    /// Where the goals pull, by the weight; the first is also `target`.
    pub(super) targets: Vec<Vec3>,
    pub(super) target: Vec3,
    /// The way of a bone whose joints coincide; in the plane of the 2D mode.
    pub(crate) fallback: Vec3,
    /// Normal of the plane of the 2D mode; unit.
    pub(super) plane: Option<Vec3>,
    /// Normal of the bend rule; unit.
    pub(super) bend: Option<Vec3>,
    pub(super) turns: Vec<glam::Quat>,
    pub(super) positions: Vec<Vec3>,
    /// Per joint: sum of what is wanted times pull, sum of pulls, how many wants.
    pub(super) wants: Vec<(Vec3, f32, u32)>,
    /// Where the goals pulled before a hook was called.
    pub(super) kept_targets: Vec<Vec3>,
    /// Where the chain was before something was tried.
    pub(super) saved: State,
}

impl Workspace {
    /// Where the chain without branches is going: its goal, by the weight of the solve, in the plane of the 2D mode.
    pub fn target(&self) -> Vec3 {
        self.target
    }

    /// Where each goal pulls.
    pub fn targets(&self) -> &[Vec3] {
        &self.targets
    }

    /// Neither the 2D mode nor the bend rule say where a bone may point.
    pub(super) fn is_in_space(&self) -> bool {
        self.plane.is_none() && self.bend.is_none()
    }

    /// The direction of `v`, in the plane of the 2D mode; `None` if it has none there but what rounding left.
    pub(crate) fn unit_in_plane(&self, v: Vec3) -> Option<Vec3> {
        self.plane.map_or_else(|| unit(v), |normal| unit_in_plane(v, normal))
    }

    /// Which way a bone goes between two joints.
    pub(crate) fn direction(&self, from: Vec3, to: Vec3) -> Vec3 {
        self.unit_in_plane(to - from).unwrap_or(self.fallback)
    }

    /// `v` without what rounding left off the plane of the 2D mode, as long as it is.
    #[inline]
    pub(crate) fn kept_in_plane(&self, v: Vec3) -> Vec3 {
        if self.plane.is_none() { v } else { self.direction(Vec3::ZERO, v) * v.length() }
    }

    /// How far the worst end is from where it is to go.
    #[inline]
    pub(super) fn error(&self, problem: &Problem, state: &State) -> f32 {
        if let [goal] = problem.goals {
            return state.positions[goal.joint].distance(self.target);
        }
        let off = |(goal, target): (&Goal, &Vec3)| state.positions[goal.joint].distance(*target);
        problem.goals.iter().zip(&self.targets).map(off).fold(0.0, f32::max)
    }

    /// How far off a chain that has arrived can still seem: what is left of the digits once all its bones were added
    /// up, as far from the origin as they are.
    pub(super) fn rounding(&self, problem: &Problem) -> f32 {
        let size = problem.chain.length() + self.root.abs().max_element() + self.target.abs().max_element();
        // Measured over long chains of all solvers: up to 4 times this, without the 8.
        8.0 * f32::EPSILON * size * (problem.chain.bones().len() as f32).sqrt()
    }
}

impl Problem<'_> {
    /// # Errors
    /// [`Fault`] for settings out of range, no goal, a goal that is not finite or for a joint that is none, a
    /// branching chain for a solver that takes none, and other than two bones for the closed form.
    #[inline]
    pub fn check(&self) -> Result<(), Fault> {
        if self.is_sound() { Ok(()) } else { self.name_fault() }
    }

    /// # Errors
    /// [`Fault`] for a state that does not fit the chain or is not finite.
    #[inline]
    pub fn check_state(&self, state: &State) -> Result<(), Fault> {
        if !self.chain.fits(state) {
            let (found, joints) = (state.positions.len(), self.chain.joints());
            return Err(Fault::new(
                "state",
                format!("has {found} joints, the chain {joints}; begin with where it rests"),
            ));
        }
        let is_finite = if self.needs_rotations() { state.is_finite() } else { state.places_are_finite() };
        if !is_finite {
            return Err(Fault::new("state", error::Problem::NotFinite("begin with where the chain rests")));
        }
        Ok(())
    }

    /// What [`Self::check`] asks, in a few comparisons: false also where a closer look finds nothing.
    #[inline]
    fn is_sound(&self) -> bool {
        let Settings { plane, bend_normal, bend_goal, solver, .. } = *self.settings;
        let joints = self.chain.joints();
        self.settings.are_numbers_in_range()
            && (plane, bend_normal, bend_goal) == (None, None, None)
            && !self.goals.is_empty()
            && self.goals.iter().all(|goal| goal.is_sound(joints))
            && (solver == Solver::Fabrik || (self.is_plain() && (solver != Solver::TwoBone || joints == 3)))
    }

    #[cold]
    fn name_fault(&self) -> Result<(), Fault> {
        self.settings.validate()?;
        let joints = self.chain.joints();
        if self.goals.is_empty() {
            return Err(Fault::new("target", error::Problem::Missing("a chain is solved towards one")));
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
                let message = format!("is {solver}, which takes 2 bones; this chain has {}", joints - 1);
                Err(Fault::new("solver", message))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn uses_limits(&self) -> bool {
        self.settings.limits && self.chain.has_limits()
    }

    /// Rotations are what the solver works on, not what follows at the end.
    pub(super) fn works_on_rotations(&self) -> bool {
        matches!(self.settings.solver, Solver::Ccd | Solver::CcdGrowing) || self.uses_limits()
    }

    /// The bones' rotations are read or written.
    pub(super) fn needs_rotations(&self) -> bool {
        self.settings.rotations || self.works_on_rotations()
    }

    /// Rotations are made of the solved joints in a source's way.
    pub(super) fn maps_as_a_source(&self) -> bool {
        let Settings { solver, map_turn, rotations, .. } = *self.settings;
        solver == Solver::Fabrik && rotations && !map_turn.is_right() && !self.uses_limits()
    }

    /// One chain, and its end as the only goal.
    pub(super) fn is_plain(&self) -> bool {
        !self.chain.is_branched() && self.goals.len() == 1 && self.goals[0].joint + 1 == self.chain.joints()
    }

    /// The joints may be placed by more than the passes: no limit and no weight of a bone speaks against it.
    pub(super) fn is_free(&self) -> bool {
        self.may_straighten() && !self.uses_limits()
    }

    /// No weight of a bone speaks against moving all bones at once. Limits do not: they are kept afterwards.
    pub(super) fn may_straighten(&self) -> bool {
        let is_fabrik = self.settings.solver == Solver::Fabrik;
        // A weight in the passes would be skipped by whatever places all bones at once.
        self.is_plain() && (is_fabrik || !self.chain.has_weights()) && self.settings.pass_share() >= 1.0
    }

    /// The target is farther than the chain is long, or nearer than it can fold.
    pub(super) fn is_out_of_reach(&self, workspace: &Workspace) -> bool {
        let distance = workspace.target.distance(workspace.root);
        distance > self.chain.length() || distance < self.chain.least_reach()
    }
}
