//! Everything a user can set on the full-body solver, with ranges, defaults and help in one table.

use glam::{Quat, Vec3};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::names::{Chain, Effector};
use crate::parameter::parameter;
use crate::rig::LimbName;

pub use crate::parameter::Parameter;

/// How push and reach weaken a small force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Smoothing {
    /// As it is.
    None,
    /// Squared (the seed's name for it).
    #[default]
    Exponential,
    /// To the third power.
    Cubic,
}

impl Smoothing {
    pub const ALL: [Self; 3] = [Self::None, Self::Exponential, Self::Cubic];

    /// As in presets.
    pub const fn key(self) -> &'static str {
        ["none", "exponential", "cubic"][self as usize]
    }

    /// The smoothed force.
    pub fn apply(self, force: f32) -> f32 {
        match self {
            Self::None => force,
            Self::Exponential => force * force,
            Self::Cubic => force * force * force,
        }
    }
}

/// Parameters of the whole solver.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SolverSettings {
    /// Master weight: scales every effector's position and rotation weight. 0 to 1.
    pub weight: f32,
    /// Rounds of the main loop, 0 to 16. With 0 the limbs are solved alone and the torso stays as animated.
    pub iterations: u32,
    /// Whether limbs and torso pull each other.
    pub fabrik_pass: bool,
    /// Resistance of the torso's diagonals against being shortened. 0 to 1.
    pub spine_stiffness: f32,
    /// How much hands out of reach move the body up and down. −1 to 1.
    pub pull_body_vertical: f32,
    /// The same in the ground plane. −1 to 1.
    pub pull_body_horizontal: f32,
    /// Rounds of the spine's own FABRIK, from 1.
    pub spine_iterations: u32,
    /// How much of the shoulders' twist the spine bones take. 0 to 1.
    pub spine_twist_weight: f32,
    /// How much the head keeps its animated rotation in model space. 0 to 1.
    pub head_maintain_rotation: f32,
}

impl Default for SolverSettings {
    fn default() -> Self {
        Self {
            weight: 1.0,
            iterations: 4,
            fabrik_pass: true,
            spine_stiffness: 0.5,
            pull_body_vertical: 0.5,
            pull_body_horizontal: 0.0,
            spine_iterations: 3,
            spine_twist_weight: 1.0,
            head_maintain_rotation: 0.0,
        }
    }
}

/// Parameters of one limb's chain and mapping.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChainSettings {
    /// How strongly the limb pulls the torso. 0 to 1.
    pub pull: f32,
    /// How strongly a compressed limb pushes its first node. 0 to 1.
    pub push: f32,
    /// How much of that push the body takes. −1 to 1.
    pub push_parent: f32,
    pub push_smoothing: Smoothing,
    /// How far a nearly straight limb draws its first node after its target. 0 to 1.
    pub reach: f32,
    pub reach_smoothing: Smoothing,
    /// How much the bend goal or direction counts against the natural one. 0 to 1.
    pub bend_weight: f32,
    /// A point in model space that elbow or knee turns to.
    pub bend_goal: Option<Vec3>,
    /// A direction in model space for elbow or knee; the goal wins.
    pub bend_direction: Option<Vec3>,
    /// How much of the solved limb is written to the bones. 0 to 1.
    pub mapping_weight: f32,
    /// How much hand or foot keeps its animated rotation in model space. 0 to 1.
    pub maintain_rotation: f32,
}

impl Default for ChainSettings {
    fn default() -> Self {
        Self {
            pull: 1.0,
            push: 0.0,
            push_parent: 0.0,
            push_smoothing: Smoothing::Exponential,
            reach: 0.1,
            reach_smoothing: Smoothing::Exponential,
            bend_weight: 0.0,
            bend_goal: None,
            bend_direction: None,
            mapping_weight: 1.0,
            maintain_rotation: 0.0,
        }
    }
}

/// Parameters of one effector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EffectorSettings {
    /// Target in model space; without one it is the effector's own bone in the pose handed to the solve.
    pub position: Option<Vec3>,
    /// Target rotation in model space; without one that of the effector's own bone.
    pub rotation: Option<Quat>,
    /// 0 to 1.
    pub position_weight: f32,
    /// 0 to 1.
    pub rotation_weight: f32,
    /// Added to the animated position for one frame, model space; the solve clears it.
    pub position_offset: Vec3,
    /// How much hand or foot, left without position weight, goes with the torso. 0 to 1.
    pub maintain_relative_position: f32,
}

/// All parameters of one solve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Settings {
    pub solver: SolverSettings,
    /// How much the body node resists the limbs' pull in stage 1. 0 to 1.
    pub pin: f32,
    /// In the order of [`LimbName::ALL`].
    pub chains: [ChainSettings; 4],
    /// In the order of [`Effector::ALL`].
    pub effectors: [EffectorSettings; Effector::COUNT],
}

impl Settings {
    pub fn chain(&self, limb: LimbName) -> &ChainSettings {
        &self.chains[limb.index()]
    }

    pub fn chain_mut(&mut self, limb: LimbName) -> &mut ChainSettings {
        &mut self.chains[limb.index()]
    }

    pub fn effector(&self, effector: Effector) -> &EffectorSettings {
        &self.effectors[effector as usize]
    }

    pub fn effector_mut(&mut self, effector: Effector) -> &mut EffectorSettings {
        &mut self.effectors[effector as usize]
    }

    /// Clears the one-frame offsets, as every solve does at its end.
    pub fn clear_offsets(&mut self) {
        for effector in &mut self.effectors {
            effector.position_offset = Vec3::ZERO;
        }
    }

    /// Finds the first value that is not finite or out of its range, and says which, where and what it should be.
    ///
    /// # Errors
    /// [`SettingsError`] with the path of the field as in a preset: `chains.left_arm.pull`.
    pub fn validate(&self) -> Result<(), SettingsError> {
        self.check(true)
    }

    /// What every solve asks for: numbers that are numbers, counts that end, rotations that have a length. A weight of
    /// 1.000001 is no reason to leave a character unsolved.
    pub(crate) fn check_usable(&self) -> Result<(), SettingsError> {
        // The walk through the tables is there to name what is wrong: hardly ever is anything.
        if self.is_surely_usable() { Ok(()) } else { self.check(false) }
    }

    /// Whether nothing can be wrong; false says only that it takes a closer look. By all fields, so that a new one is
    /// not forgotten.
    fn is_surely_usable(&self) -> bool {
        const LARGE: f32 = FARTHEST * 0.5;
        let SolverSettings {
            weight,
            iterations,
            fabrik_pass: _,
            spine_stiffness,
            pull_body_vertical,
            pull_body_horizontal,
            spine_iterations,
            spine_twist_weight,
            head_maintain_rotation,
        } = self.solver;
        // Of these one that is not finite makes the sum so; and no sum of squares is small if one of them is large.
        let mut sum = weight + spine_stiffness + pull_body_vertical + pull_body_horizontal + spine_twist_weight;
        sum += head_maintain_rotation + self.pin;
        let mut is_usable = (iterations <= 16) & (1..=64).contains(&spine_iterations);
        let square = |v: Option<Vec3>| v.map_or(0.0, Vec3::length_squared);
        for chain in &self.chains {
            let &ChainSettings {
                pull,
                push,
                push_parent,
                push_smoothing: _,
                reach,
                reach_smoothing: _,
                bend_weight,
                bend_goal,
                bend_direction,
                mapping_weight,
                maintain_rotation,
            } = chain;
            sum += pull + push + push_parent + reach + bend_weight + mapping_weight + maintain_rotation;
            is_usable &= square(bend_goal) + square(bend_direction) < LARGE * LARGE;
        }
        for effector in &self.effectors {
            let &EffectorSettings {
                position,
                rotation,
                position_weight,
                rotation_weight,
                position_offset,
                maintain_relative_position,
            } = effector;
            sum += position_weight + rotation_weight + maintain_relative_position;
            is_usable &= square(position) + position_offset.length_squared() < LARGE * LARGE;
            is_usable &= rotation.is_none_or(|rotation| (0.98..1.02).contains(&rotation.length_squared()));
        }
        is_usable & sum.is_finite()
    }

    fn check(&self, in_range: bool) -> Result<(), SettingsError> {
        for parameter in SOLVER_PARAMETERS {
            check_number(parameter, &self.solver, in_range, Field::Solver)?;
        }
        check_number(&PIN, self, in_range, |key| Field::Chain(Chain::Body, key))?;
        for (chain, limb) in self.chains.iter().zip(LimbName::ALL) {
            let at = |key| Field::Chain(limb.into(), key);
            for parameter in CHAIN_PARAMETERS {
                check_number(parameter, chain, in_range, at)?;
            }
            check_vector(chain.bend_goal, || at("bend_goal"))?;
            check_vector(chain.bend_direction, || at("bend_direction"))?;
        }
        for (settings, effector) in self.effectors.iter().zip(Effector::ALL) {
            let at = |key| Field::Effector(effector, key);
            for parameter in EFFECTOR_PARAMETERS {
                check_number(parameter, settings, in_range, at)?;
            }
            check_vector(settings.position, || at("position"))?;
            check_vector(Some(settings.position_offset), || at("position_offset"))?;
            if let Some(rotation) = settings.rotation {
                let length = rotation.length();
                let lengths = if in_range { UNIT_LENGTH } else { USABLE_LENGTH };
                if !lengths.contains(&length) {
                    return Err(SettingsError::Rotation { field: at("rotation"), length });
                }
            }
        }
        Ok(())
    }
}

/// Where a value is: as the path in a preset, `chains.left_arm.pull`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    Solver(&'static str),
    Chain(Chain, &'static str),
    Effector(Effector, &'static str),
}

impl std::fmt::Display for Field {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Self::Solver(key) => write!(f, "solver.{key}"),
            Self::Chain(chain, key) => write!(f, "chains.{}.{key}", chain.key()),
            Self::Effector(effector, key) => write!(f, "effectors.{}.{key}", effector.key()),
        }
    }
}

/// A parameter that no solve should be given.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SettingsError {
    #[error("{field} is {value}; it must be a number from {min} to {max}")]
    Range { field: Field, value: f32, min: f32, max: f32 },
    #[error("{field} is [{}, {}, {}]; its numbers must be finite and within ±{FARTHEST:e}", value.x, value.y, value.z)]
    Vector { field: Field, value: Vec3 },
    #[error("{field} has length {length}; a rotation is a unit quaternion [x, y, z, w]")]
    Rotation { field: Field, length: f32 },
}

/// A quaternion of this length counts as a rotation, written with few digits.
pub const UNIT_LENGTH: std::ops::RangeInclusive<f32> = 0.99..=1.01;
/// A quaternion of this length can be solved with: one that was interpolated, but not one that is zero.
pub(super) const USABLE_LENGTH: std::ops::RangeInclusive<f32> = 0.7..=1.4;
/// The largest coordinate that the solver takes. The law of cosines divides the square of a bone's length by the
/// distance of the limb's ends, which is at least [`ZERO_LENGTH`](crate::math::ZERO_LENGTH): with the longest bone,
/// 3.5e12, that still fits an f32 with room to spare.
pub const FARTHEST: f32 = 1e12;

fn check_number<S>(
    parameter: &Parameter<S>,
    settings: &S,
    in_range: bool,
    field: impl FnOnce(&'static str) -> Field,
) -> Result<(), SettingsError> {
    let &Parameter { min, max, key, .. } = parameter;
    let value = (parameter.get)(settings);
    // A count out of its range could take for ever.
    let holds = if in_range || parameter.whole { value >= min && value <= max } else { value.is_finite() };
    if holds { Ok(()) } else { Err(SettingsError::Range { field: field(key), value, min, max }) }
}

fn check_vector(value: Option<Vec3>, field: impl FnOnce() -> Field) -> Result<(), SettingsError> {
    match value {
        Some(value) if !is_within(value, FARTHEST) => Err(SettingsError::Vector { field: field(), value }),
        _ => Ok(()),
    }
}

/// Whether every coordinate is a number within ±`farthest`.
pub(super) fn is_within(v: Vec3, farthest: f32) -> bool {
    // Not the largest of them: that of a NaN and a number is the number.
    (v.x.abs() <= farthest) & (v.y.abs() <= farthest) & (v.z.abs() <= farthest)
}

/// The numbers of [`SolverSettings`], in the order in which panels show them.
pub const SOLVER_PARAMETERS: &[Parameter<SolverSettings>] = &[
    parameter!(
        SolverSettings,
        weight,
        0..=1,
        1.0,
        "Master weight of the whole solve: scales every position and rotation weight.",
        "0 leaves the animated pose as it is.",
        "1 lets every effector have its full weight."
    ),
    parameter!(whole
        SolverSettings, iterations, 0 ..= 16, 4,
        "Rounds of the main loop: push, reach, trigonometric, stage 1, stage 2.",
        "Limbs and torso do not come to terms: targets are missed. 0 solves the limbs alone.",
        "Nothing more to gain after a few, each costs its time; reach pulls once a round."
    ),
    parameter!(
        SolverSettings,
        spine_stiffness,
        0..=1,
        0.5,
        "How much the torso's two diagonals resist being shortened.",
        "The torso caves in when hands and feet come together.",
        "The torso moves as one block."
    ),
    parameter!(
        SolverSettings,
        pull_body_vertical,
        -1..=1,
        0.5,
        "How much hands that reach too far move the body up and down.",
        "The body stays at its height and the hands fall short; below 0 it moves away.",
        "The body rises or drops by all that the hands lack."
    ),
    parameter!(
        SolverSettings,
        pull_body_horizontal,
        -1..=1,
        0.0,
        "How much hands that reach too far move the body over the ground.",
        "The body stays where it is; below 0 it moves away.",
        "The body slides after the hands."
    ),
    parameter!(whole
        SolverSettings, spine_iterations, 1 ..= 65535, 3,
        "Rounds of the spine's own FABRIK when the pose is written.",
        "The spine's ends do not quite meet pelvis and chest.",
        "Costs time for nothing visible."
    ),
    parameter!(
        SolverSettings,
        spine_twist_weight,
        0..=1,
        1.0,
        "How much of the shoulders' twist is spread along the spine.",
        "All the twist sits in the topmost bone.",
        "Each bone takes its even share."
    ),
    parameter!(
        SolverSettings,
        head_maintain_rotation,
        0..=1,
        0.0,
        "How much the head keeps the rotation it has in the animation.",
        "The head tilts with the chest.",
        "The head stays level and looks ahead whatever the body does."
    ),
];

/// The one number of the body's chain.
pub const PIN: Parameter<Settings> = Parameter {
    key: "pin",
    min: 0.0,
    max: 1.0,
    default: 0.0,
    whole: false,
    help: "How much the body node resists the limbs' pull in stage 1.",
    too_little: "The body follows the limbs freely.",
    too_much: "Only stage 2's constraints still move the body.",
    get: |settings| settings.pin,
    set: |settings, value| settings.pin = value,
};

/// The numbers of [`ChainSettings`].
pub const CHAIN_PARAMETERS: &[Parameter<ChainSettings>] = &[
    parameter!(
        ChainSettings,
        pull,
        0..=1,
        1.0,
        "How strongly this limb pulls the torso, against the other limbs.",
        "The limb gives up first: its target is missed and the others win.",
        "The torso leans to this limb's target."
    ),
    parameter!(
        ChainSettings,
        push,
        0..=1,
        0.0,
        "How strongly the limb, when compressed, pushes its shoulder or hip away.",
        "The limb folds instead of pushing.",
        "The torso jumps back at the first contact."
    ),
    parameter!(
        ChainSettings,
        push_parent,
        -1..=1,
        0.0,
        "How much of the push is passed on to the body.",
        "Only the shoulder or hip gives way; below 0 the body leans into the push.",
        "The whole body is pushed."
    ),
    parameter!(
        ChainSettings,
        reach,
        0..=1,
        0.1,
        "How far a nearly straight limb draws its shoulder or hip after the target.",
        "The limb straightens and pops before the body follows.",
        "The body lunges at targets well within reach."
    ),
    parameter!(
        ChainSettings,
        bend_weight,
        0..=1,
        0.0,
        "How much the bend goal or bend direction counts against the natural direction.",
        "Elbow or knee follow the animation.",
        "Elbow or knee point at the goal, whatever it looks like."
    ),
    parameter!(
        ChainSettings,
        mapping_weight,
        0..=1,
        1.0,
        "How much of the solved limb is written to its bones.",
        "The limb stays as animated, on the moved torso.",
        "The limb is where the solver put it."
    ),
    parameter!(
        ChainSettings,
        maintain_rotation,
        0..=1,
        0.0,
        "How much hand or foot keeps the rotation it has in the animation.",
        "It turns with forearm or calf.",
        "It keeps level whatever the limb does."
    ),
];

/// The numbers of [`EffectorSettings`].
pub const EFFECTOR_PARAMETERS: &[Parameter<EffectorSettings>] = &[
    parameter!(
        EffectorSettings,
        position_weight,
        0..=1,
        0.0,
        "How much the effector draws its node to the target.",
        "The node stays with the animation and the other limbs.",
        "The node goes to the target, as far as it can."
    ),
    parameter!(
        EffectorSettings,
        rotation_weight,
        0..=1,
        0.0,
        "How much hand or foot takes the effector's rotation; elbow or knee turn along.",
        "It turns with forearm or calf.",
        "It has the effector's rotation exactly."
    ),
    parameter!(
        EffectorSettings,
        maintain_relative_position,
        0..=1,
        0.0,
        "How much hand or foot, without position weight, goes along with the torso.",
        "It stays where the animation has it, while the torso moves.",
        "It is carried by the torso as if there were no IK."
    ),
];

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

/// [`Settings`] as files have them: every chain and effector under its name.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct NamedSettings {
    pub solver: SolverSettings,
    pub chains: NamedChains,
    pub effectors: NamedEffectors,
}

#[derive(Clone, Copy, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct NamedChains {
    body: BodyChain,
    left_arm: ChainSettings,
    right_arm: ChainSettings,
    left_leg: ChainSettings,
    right_leg: ChainSettings,
}

#[derive(Clone, Copy, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct BodyChain {
    pin: f32,
}

#[derive(Clone, Copy, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct NamedEffectors {
    body: EffectorSettings,
    left_shoulder: EffectorSettings,
    right_shoulder: EffectorSettings,
    left_thigh: EffectorSettings,
    right_thigh: EffectorSettings,
    left_hand: EffectorSettings,
    right_hand: EffectorSettings,
    left_foot: EffectorSettings,
    right_foot: EffectorSettings,
}

impl From<&Settings> for NamedSettings {
    fn from(settings: &Settings) -> Self {
        let [left_arm, right_arm, left_leg, right_leg] = settings.chains;
        let [
            body,
            left_shoulder,
            right_shoulder,
            left_thigh,
            right_thigh,
            left_hand,
            right_hand,
            left_foot,
            right_foot,
        ] = settings.effectors;
        Self {
            solver: settings.solver,
            chains: NamedChains { body: BodyChain { pin: settings.pin }, left_arm, right_arm, left_leg, right_leg },
            effectors: NamedEffectors {
                body,
                left_shoulder,
                right_shoulder,
                left_thigh,
                right_thigh,
                left_hand,
                right_hand,
                left_foot,
                right_foot,
            },
        }
    }
}

impl From<NamedSettings> for Settings {
    fn from(named: NamedSettings) -> Self {
        let (chains, effectors) = (named.chains, named.effectors);
        Self {
            solver: named.solver,
            pin: chains.body.pin,
            chains: [chains.left_arm, chains.right_arm, chains.left_leg, chains.right_leg],
            effectors: [
                effectors.body,
                effectors.left_shoulder,
                effectors.right_shoulder,
                effectors.left_thigh,
                effectors.right_thigh,
                effectors.left_hand,
                effectors.right_hand,
                effectors.left_foot,
                effectors.right_foot,
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_has_the_defaults() {
        for parameter in SOLVER_PARAMETERS {
            assert_eq!((parameter.get)(&SolverSettings::default()), parameter.default, "{}", parameter.key);
        }
        for parameter in CHAIN_PARAMETERS {
            assert_eq!((parameter.get)(&ChainSettings::default()), parameter.default, "{}", parameter.key);
        }
        for parameter in EFFECTOR_PARAMETERS {
            assert_eq!((parameter.get)(&EffectorSettings::default()), parameter.default, "{}", parameter.key);
        }
    }

    #[test]
    fn table_reaches_every_number() {
        // Setting each parameter through the table must change exactly the field of its name.
        for parameter in CHAIN_PARAMETERS {
            let mut chain = ChainSettings::default();
            let value = if parameter.default == parameter.max { parameter.min } else { parameter.max };
            (parameter.set)(&mut chain, value);
            let json = serde_json::to_value(chain).unwrap();
            assert_eq!(json[parameter.key], value, "{}", parameter.key);
        }
    }

    #[test]
    fn out_of_range_is_named() {
        let mut settings = Settings::default();
        settings.chain_mut(LimbName::LeftArm).pull = 1.5;
        let error = settings.validate().unwrap_err().to_string();
        assert_eq!(error, "chains.left_arm.pull is 1.5; it must be a number from 0 to 1");
        settings.chain_mut(LimbName::LeftArm).pull = f32::NAN;
        assert!(settings.validate().is_err());
        let mut settings = Settings::default();
        settings.effector_mut(Effector::LeftHand).position = Some(Vec3::new(0.0, f32::INFINITY, 0.0));
        assert!(settings.validate().unwrap_err().to_string().contains("effectors.left_hand.position"));
        settings.effector_mut(Effector::LeftHand).position = None;
        settings.effector_mut(Effector::LeftHand).rotation = Some(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0));
        assert!(settings.validate().unwrap_err().to_string().contains("effectors.left_hand.rotation"));
    }
}
