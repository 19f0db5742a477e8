//! Settings of the full-body solver.

use glam::{Quat, Vec3};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::error::{Field, InputError};
use crate::error::{BadValue, Fault};
use crate::key::named;
use crate::lanes::Number;
use crate::math::{FARTHEST, UNIT_LENGTH};
use crate::names::{Chain, Effector};
use crate::parameter::{Parameters, settings};
use crate::rig::{LimbName, RigidTransform};

named! {
    /// Curve that push and reach apply to their force.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Smoothing {
        /// Returns the key in presets.
        key,
        /// Returns what the curve does: the first line of its documentation.
        help,
        /// Returns the power of the curve: 1, 2 or 3.
        power: f32,
    }
    /// Every smoothing.
    ALL {
        /// Linear: the force is unchanged.
        None: 1.0;
        /// Squared, the default; called exponential in the source.
        #[default]
        Exponential: 2.0;
        /// Cubed.
        Cubic: 3.0;
    }
}

impl Smoothing {
    /// Returns the smoothing of a power. The power is rounded down and clamped to 1 to 3; NaN counts as 1.
    pub fn of_power(power: f32) -> Self {
        Self::ALL[(power as usize).clamp(1, 3) - 1]
    }

    /// Applies each lane's [power](Self::power) to its force.
    #[inline(always)]
    pub fn apply<R: Number>(power: R, force: R) -> R {
        let squared = force * force;
        let weakened = R::select(power.gt(power.like(2.5)), squared * force, squared);
        R::select(power.lt(power.like(1.5)), force, weakened)
    }
}

settings! {
    /// Settings of the whole solver.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct SolverSettings {
        /// Master weight of the solve: scales effector weights, offsets, bend weights, bend limit and maintained rotations.
        weight: f32 = 1.0, from 0 to 1 in Share,
            too little: "0 leaves the animated pose unchanged.",
            too much: "1 lets every effector have its full weight.",
            source: FullBody "IKPositionWeight",
            csharp: "solver.IKPositionWeight";
        /// Iterations of the main loop: push, reach, trigonometric, stage 1, stage 2.
        iterations: u32 = 4, from 0 to 16 in Count,
            too little: "Limbs and torso do not converge: targets are missed. 0 solves the limbs alone.",
            too much: "Each iteration costs the same time and gains less than the one before it; reach pulls the torso in each.",
            source: FullBody "iterations",
            csharp: "solver.iterations";
        /// Whether limbs and torso pull each other.
        fabrik_pass: bool = true,
            source: FullBody "FABRIKPass",
            csharp: "solver.FABRIKPass";
        /// How much the torso's two diagonals resist shortening.
        spine_stiffness: f32 = 0.5, from 0 to 1 in Share,
            too little: "The torso caves in when hands and feet come together.",
            too much: "The torso moves as one block instead of caving in.",
            source: Component "spineStiffness",
            csharp: "solver.spineStiffness";
        /// How much hands that reach too far move the body up and down.
        pull_body_vertical: f32 = 0.5, from -1 to 1 in Share,
            too little: "The hands raise or lower the body only by the arms' pull, and may fall short; below 0 the body moves away from their targets.",
            too much: "The body rises or drops by the whole vertical distance that the hands miss.",
            source: Component "pullBodyVertical",
            csharp: "solver.pullBodyVertical";
        /// How much hands that reach too far move the body over the ground.
        pull_body_horizontal: f32 = 0.0, from -1 to 1 in Share,
            too little: "The hands move the body over the ground only by the arms' pull; below 0 the body moves away from their targets.",
            too much: "The body slides after the hands.",
            source: Component "pullBodyHorizontal",
            csharp: "solver.pullBodyHorizontal";
        /// FABRIK iterations of the spine when the pose is written.
        spine_iterations: u32 = 3, from 1 to 65535 usually 16 in Count,
            too little: "The spine bones do not quite reach the chest.",
            too much: "Costs time without a visible gain.",
            source: FullBody "spineMapping.iterations",
            csharp: "solver.spineMapping.iterations";
        /// How much of the shoulders' twist is spread along the spine.
        spine_twist_weight: f32 = 1.0, from 0 to 1 in Share,
            too little: "The whole twist is in the topmost bone.",
            too much: "The twist is spread evenly over the spine bones below the topmost.",
            source: FullBody "twistWeight",
            csharp: "solver.spineMapping.twistWeight";
        /// How much the head keeps the rotation it has in the animation.
        head_maintain_rotation: f32 = 0.0, from 0 to 1 in Share,
            too little: "The head tilts with the chest.",
            too much: "The head keeps its animated rotation whatever the body does.",
            source: FullBody "maintainRotationWeight",
            csharp: "solver.boneMappings[0].maintainRotationWeight // head";
    }
}

settings! {
    /// Settings of one limb: how it pulls the torso, which way it bends, and how it is written to its bones.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct ChainSettings {
        /// How strongly this limb pulls the torso, relative to the other limbs.
        pull: f32 = 1.0, from 0 to 1 in Share,
            too little: "The limb gives up first: its target is missed and the others win.",
            too much: "The torso leans to this limb's target.",
            source: FullBody "pull",
            csharp: "solver.chain[{chain}].pull // {limb}";
        /// How strongly the limb, when compressed, pushes its shoulder or hip away.
        push: f32 = 0.0, from 0 to 1 in Share,
            too little: "The limb folds instead of pushing.",
            too much: "The shoulder or hip moves far away instead of the limb folding.",
            source: FullBody "push",
            csharp: "solver.chain[{chain}].push // {limb}";
        /// How much of the push moves the body.
        push_parent: f32 = 0.0, from -1 to 1 in Share,
            too little: "Only the shoulder or hip gives way; below 0 the body leans into the push.",
            too much: "The whole body is pushed.",
            source: FullBody "pushParent",
            csharp: "solver.chain[{chain}].pushParent // {limb}";
        /// Smoothing of the push.
        push_smoothing: Smoothing = Smoothing::Exponential,
            source: FullBody "pushSmoothing",
            csharp: "solver.chain[{chain}].pushSmoothing // {limb}";
        /// How far a nearly straight limb draws its shoulder or hip toward hand or foot.
        reach: f32 = 0.1, from 0 to 1 in Share,
            too little: "The limb straightens and pops before the body follows.",
            too much: "The body lunges at targets well within reach.",
            source: FullBody "reach",
            csharp: "solver.chain[{chain}].reach // {limb}";
        /// Smoothing of the reach.
        reach_smoothing: Smoothing = Smoothing::Exponential,
            source: FullBody "reachSmoothing",
            csharp: "solver.chain[{chain}].reachSmoothing // {limb}";
        /// Whether reach is the same in every unit of length: limited by the limb's stretch, not by the distance of its ends.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        scale_free_reach: bool = false;
        /// Weight of the bend goal (pole vector) or bend direction against the natural bend direction.
        bend_weight: f32 = 0.0, from 0 to 1 in Share,
            too little: "Bend goal and bend direction have no effect.",
            too much: "Elbow or knee points at the goal or in the direction, even if that looks wrong.",
            source: FullBody "bendConstraint.weight",
            csharp: "solver.chain[{chain}].bendConstraint.weight // {limb}";
        /// Point in model space that elbow or knee turns to, also called pole vector or pole target.
        bend_goal: Option<Vec3> = None,
            source: FullBody "bendGoal",
            csharp: "solver.chain[{chain}].bendConstraint.bendGoal.position // {limb}";
        /// Direction in model space that elbow or knee points in, of any length but 0. A bend goal takes precedence.
        bend_direction: Option<Vec3> = None,
            source: FullBody "bendConstraint.direction",
            csharp: "solver.chain[{chain}].bendConstraint.direction // {limb}";
        /// Number of sine iterations that smooth the bend limit (clampSmoothing in the source).
        #[serde(skip_serializing_if = "is_zero")]
        clamp_smoothing: u32 = 0, from 0 to 2 in Count,
            too little: "A limb bent the wrong way ends up bent about as far the right way: −10° becomes +11.6°.",
            too much: "The limb ends up almost straight, and turns more suddenly if it is bent far backward.",
            source: FullBody "clampSmoothing";
        /// How much of the solved limb is written to its bones.
        mapping_weight: f32 = 1.0, from 0 to 1 in Share,
            too little: "The limb stays as animated, on the moved torso.",
            too much: "The limb is where the solver put it.",
            source: FullBody "limbMapping.weight",
            csharp: "solver.limbMappings[{mapping}].weight // {limb}";
        /// How much hand or foot keeps its animated rotation.
        maintain_rotation: f32 = 0.0, from 0 to 1 in Share,
            too little: "Hand or foot turns with forearm or calf.",
            too much: "Hand or foot keeps its rotation whatever the limb does.",
            source: FullBody "maintainRotationWeight",
            csharp: "solver.limbMappings[{mapping}].maintainRotationWeight // {limb}";
    }
}

settings! {
    /// Settings of one effector, also called IK goal, IK target or IK handle. A position weight without a position
    /// *pins* hand or foot at its animated place.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct EffectorSettings {
        /// Target in model space; null is the position of the effector's bone in the input pose.
        position: Option<Vec3> = None,
            source: FullBody "position",
            csharp: "solver.{effector}Effector.position";
        /// Target rotation in model space; null is the rotation of the effector's bone in the input pose.
        rotation: Option<Quat> = None,
            source: FullBody "rotation",
            csharp: "solver.{effector}Effector.rotation";
        /// How strongly the effector moves its node to the target.
        position_weight: f32 = 0.0, from 0 to 1 in Share,
            too little: "Hand or foot stays as animated; body, shoulder or thigh follows the limbs.",
            too much: "The node moves to the target, as far as possible.",
            source: FullBody "positionWeight",
            csharp: "solver.{effector}Effector.positionWeight";
        /// How much hand or foot takes the target rotation; elbow or knee turns accordingly.
        rotation_weight: f32 = 0.0, from 0 to 1 in Share,
            too little: "Hand or foot turns with forearm or calf.",
            too much: "Hand or foot has the target rotation exactly.",
            source: FullBody "rotationWeight",
            csharp: "solver.{effector}Effector.rotationWeight";
        /// Offset added to the animated position, in model space; usually set anew for each frame.
        position_offset: Vec3 = Vec3::ZERO,
            source: FullBody "positionOffset",
            csharp: "solver.{effector}Effector.positionOffset";
        /// How much hand or foot follows the torso, as far as its position weight is below 1.
        maintain_relative_position: f32 = 0.0, from 0 to 1 in Share,
            too little: "Hand or foot stays as animated while the torso moves.",
            too much: "Hand or foot moves with the torso, as if attached to it.",
            source: FullBody "maintainRelativePositionWeight",
            csharp: "solver.{effector}Effector.maintainRelativePositionWeight";
    }
}

settings! {
    /// All settings of one solve. `pin` belongs to the body chain.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Settings {
        /// Settings of the whole solver.
        solver: SolverSettings = SolverSettings::default();
        /// How much the body node resists the limbs' pull in stage 1.
        pin: f32 = 0.0, from 0 to 1 in Share,
            too little: "The body follows the limbs freely.",
            too much: "The limbs' pull no longer moves the body.",
            source: FullBody "pin",
            csharp: "solver.chain[0].pin // body";
        /// Settings of the limbs, in the order of [`LimbName::ALL`].
        chains: [ChainSettings; 4] = Default::default();
        /// Settings of the effectors, in the order of [`Effector::ALL`].
        effectors: [EffectorSettings; Effector::COUNT] = Default::default();
    }
}

impl Settings {
    /// Returns the settings of a limb.
    pub fn chain(&self, limb: LimbName) -> &ChainSettings {
        &self.chains[limb.index()]
    }

    /// Returns the settings of a limb for changing.
    pub fn chain_mut(&mut self, limb: LimbName) -> &mut ChainSettings {
        &mut self.chains[limb.index()]
    }

    /// Returns the settings of an effector.
    pub fn effector(&self, effector: Effector) -> &EffectorSettings {
        &self.effectors[effector as usize]
    }

    /// Returns the settings of an effector for changing.
    pub fn effector_mut(&mut self, effector: Effector) -> &mut EffectorSettings {
        &mut self.effectors[effector as usize]
    }

    /// Clears the one-frame offsets. Solving does not change settings, so call this every frame before adding offsets,
    /// or after solving.
    pub fn clear_offsets(&mut self) {
        for effector in &mut self.effectors {
            effector.position_offset = Vec3::ZERO;
        }
    }

    /// Transforms targets, offsets, bend goals and bend directions by `root`: from model space to world space if `root`
    /// is the character's transform in the world. `root.to_local(&RigidTransform::IDENTITY)` transforms them back.
    ///
    /// ```
    /// # use kinescope_ik::{Effector, RigidTransform, Settings};
    /// # use glam::{Quat, Vec3};
    /// let root = RigidTransform { position: Vec3::new(4.0, 0.0, 1.0), rotation: Quat::from_rotation_y(0.5) };
    /// let mut settings = Settings::default();
    /// settings.effector_mut(Effector::LeftHand).position = Some(Vec3::X);
    /// let world = settings.carried_by(&root);
    /// assert_eq!(world.effector(Effector::LeftHand).position, Some(root.transform_point(Vec3::X)));
    /// let back = world.carried_by(&root.to_local(&RigidTransform::IDENTITY));
    /// assert!(back.effector(Effector::LeftHand).position.unwrap().distance(Vec3::X) < 1e-6);
    /// ```
    pub fn carried_by(&self, root: &RigidTransform) -> Self {
        let mut carried = *self;
        for chain in &mut carried.chains {
            chain.bend_goal = chain.bend_goal.map(|goal| root.transform_point(goal));
            chain.bend_direction = chain.bend_direction.map(|way| root.rotation * way);
        }
        for effector in &mut carried.effectors {
            effector.position = effector.position.map(|place| root.transform_point(place));
            effector.rotation = effector.rotation.map(|turn| root.rotation * turn);
            effector.position_offset = root.rotation * effector.position_offset;
        }
        carried
    }

    /// Checks that every number is in its range, every vector finite and within ±[`FARTHEST`], and every rotation of
    /// about unit length.
    ///
    /// # Errors
    /// [`Fault`] for the first invalid value: its path as in a preset (`chains.left_arm.pull`), the value and the
    /// allowed range.
    pub fn validate(&self) -> Result<(), Fault> {
        Ok(self.check(true)?)
    }

    /// Checks only what a solve needs: finite numbers, counts in range, vectors within ±[`FARTHEST`], rotations of
    /// about unit length. A weight of 1.000001 must not leave a character unsolved.
    pub(crate) fn check_usable(&self) -> Result<(), InputError> {
        // The slower check finds the name of the invalid value, which is rarely needed.
        if self.is_surely_usable() { Ok(()) } else { self.check(false) }
    }

    /// Returns whether all values are certainly usable. If false, they need [`Self::check`].
    fn is_surely_usable(&self) -> bool {
        const LARGE: f32 = FARTHEST * 0.5;
        let mut is_usable = self.solver.are_numbers_usable() & self.are_numbers_usable();
        // A sum of squares is large or NaN if one of the squares is.
        let square = |v: Option<Vec3>| v.map_or(0.0, Vec3::length_squared);
        for chain in &self.chains {
            is_usable &= chain.are_numbers_usable();
            is_usable &= square(chain.bend_goal) + square(chain.bend_direction) < LARGE * LARGE;
        }
        for effector in &self.effectors {
            is_usable &= effector.are_numbers_usable();
            is_usable &= square(effector.position) + effector.position_offset.length_squared() < LARGE * LARGE;
            is_usable &= effector.rotation.is_none_or(|rotation| (0.98..1.02).contains(&rotation.length_squared()));
        }
        is_usable
    }

    pub(super) fn check(&self, in_range: bool) -> Result<(), InputError> {
        check_numbers(&self.solver, in_range, Field::Solver)?;
        check_numbers(self, in_range, |key| Field::Chain(Chain::Body, key))?;
        for (chain, limb) in self.chains.iter().zip(LimbName::ALL) {
            let at = |key| Field::Chain(limb.into(), key);
            check_numbers(chain, in_range, at)?;
            check_place(chain.bend_goal, || at("bend_goal"))?;
            check_place(chain.bend_direction, || at("bend_direction"))?;
        }
        for (settings, effector) in self.effectors.iter().zip(Effector::ALL) {
            let at = |key| Field::Effector(effector, key);
            check_numbers(settings, in_range, at)?;
            check_place(settings.position, || at("position"))?;
            check_place(Some(settings.position_offset), || at("position_offset"))?;
            if let Some(rotation) = settings.rotation {
                let length = rotation.length();
                if !UNIT_LENGTH.contains(&length) {
                    return Err(InputError::Setting { field: at("rotation"), bad: BadValue::Rotation { length } });
                }
            }
        }
        Ok(())
    }
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

fn check_numbers(
    settings: &impl Parameters,
    in_range: bool,
    field: impl Fn(&'static str) -> Field,
) -> Result<(), InputError> {
    for parameter in settings.parameters() {
        let value = settings.number(parameter.key).unwrap_or(parameter.default);
        if !(if in_range { parameter.range().contains(&value) } else { parameter.is_usable(value) }) {
            return Err(InputError::Setting { field: field(parameter.key), bad: parameter.refuse(value) });
        }
    }
    Ok(())
}

fn check_place(value: Option<Vec3>, field: impl FnOnce() -> Field) -> Result<(), InputError> {
    let checked = value.map_or(Ok(()), BadValue::check_place);
    checked.map_err(|bad| InputError::Setting { field: field(), bad })
}

impl Serialize for Settings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        NamedSettings::from(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Settings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        NamedSettings::deserialize(deserializer).map(Self::from)
    }
}

/// [`Settings`] as stored in files: one field per chain and effector.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct NamedSettings {
    pub solver: SolverSettings,
    pub chains: NamedChains,
    pub effectors: NamedEffectors,
}

#[derive(Clone, Copy, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct BodyChain {
    pin: f32,
}

/// Declares a struct with one field per name, and its conversion from and to an array.
macro_rules! by_name {
    ($name:ident { $($first:ident: $first_type:ty,)? } $of:ty: $($key:ident),+) => {
        #[derive(Clone, Copy, Default, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub(crate) struct $name {
            $($first: $first_type,)?
            $($key: $of,)+
        }

        impl $name {
            const fn new($($first: $first_type,)? [$($key),+]: [$of; [$(stringify!($key)),+].len()]) -> Self {
                Self { $($first,)? $($key),+ }
            }

            const fn array(&self) -> [$of; [$(stringify!($key)),+].len()] {
                [$(self.$key),+]
            }
        }
    };
}
by_name! { NamedChains { body: BodyChain, } ChainSettings: left_arm, right_arm, left_leg, right_leg }
by_name! {
    NamedEffectors {} EffectorSettings:
    body, left_shoulder, right_shoulder, left_thigh, right_thigh, left_hand, right_hand, left_foot, right_foot
}

impl From<&Settings> for NamedSettings {
    fn from(settings: &Settings) -> Self {
        Self {
            solver: settings.solver,
            chains: NamedChains::new(BodyChain { pin: settings.pin }, settings.chains),
            effectors: NamedEffectors::new(settings.effectors),
        }
    }
}

impl From<NamedSettings> for Settings {
    fn from(named: NamedSettings) -> Self {
        Self {
            solver: named.solver,
            pin: named.chains.body.pin,
            chains: named.chains.array(),
            effectors: named.effectors.array(),
        }
    }
}
