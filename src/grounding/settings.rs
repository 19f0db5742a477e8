//! Everything a user can set on the predictive grounder, with ranges, defaults and help in one table (seed 004).

use serde::{Deserialize, Serialize};

use crate::parameter::{Parameter, RangeError, parameter};

/// How closely the ground is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quality {
    /// One ray a foot, where it will be; a ray for the root.
    Fastest,
    /// Three rays a foot: under it, ahead where it will be, beside it; the ground is the plane through them. A ray for
    /// the root.
    Simple,
    /// A ray under the foot, a capsule along its predicted path, then rays under the turned foot's heel, middle and
    /// toes as far as they are known; a sphere for the root.
    #[default]
    Best,
}

impl Quality {
    pub const ALL: [Self; 3] = [Self::Fastest, Self::Simple, Self::Best];

    /// As in presets.
    pub const fn key(self) -> &'static str {
        ["fastest", "simple", "best"][self as usize]
    }
}

/// Parameters of the predictive grounder.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PredictiveSettings {
    /// The highest step that is taken, up or down; metres. 0 leaves the feet where they are.
    pub max_step: f32,
    /// How fast a foot goes to its height: metres per second, and 1/s of what is left on top.
    pub foot_speed: f32,
    /// Of the capsule; also how far ahead of the foot bone the middle of the foot is. Metres, at most `max_step`.
    pub foot_radius: f32,
    /// How far ahead in time the foot is looked for; seconds.
    pub prediction: f32,
    /// Moves the middle of the foot ahead; metres.
    pub foot_center_offset: f32,
    /// Whether the middle of the foot is behind the foot bone instead, and the foot's own ray as well: for legs that
    /// bend backwards.
    pub invert_foot_center: bool,
    /// Lifts both feet; metres.
    pub height_offset: f32,
    /// How much feet turn with the ground. 0 to 1.
    pub foot_rotation_weight: f32,
    /// How fast they turn; 1/s of what is left.
    pub foot_rotation_speed: f32,
    /// How far they turn at most; degrees.
    pub max_foot_rotation_angle: f32,
    /// How fast the pelvis follows; 1/s of what is left.
    pub pelvis_speed: f32,
    /// How much of the root's rise and fall is kept from the pelvis at first. 0 to 1.
    pub pelvis_damper: f32,
    /// Of the sphere that looks for ground below the character; metres.
    pub root_sphere_cast_radius: f32,
    /// How much of the lower foot's way down the pelvis goes. 0 to 1.
    pub lower_pelvis_weight: f32,
    /// How much of the higher foot's way up the pelvis goes. 0 to 1.
    pub lift_pelvis_weight: f32,
    /// Whether a foot over an edge goes down as far as it can, else stays at the root's level.
    pub overstep_falls_down: bool,
    pub quality: Quality,
}

impl Default for PredictiveSettings {
    fn default() -> Self {
        Self {
            max_step: 0.5,
            foot_speed: 2.5,
            foot_radius: 0.15,
            prediction: 0.05,
            foot_center_offset: 0.0,
            invert_foot_center: false,
            height_offset: 0.0,
            foot_rotation_weight: 1.0,
            foot_rotation_speed: 7.0,
            max_foot_rotation_angle: 45.0,
            pelvis_speed: 5.0,
            pelvis_damper: 0.5,
            root_sphere_cast_radius: 0.1,
            lower_pelvis_weight: 1.0,
            lift_pelvis_weight: 0.0,
            overstep_falls_down: true,
            quality: Quality::Best,
        }
    }
}

impl PredictiveSettings {
    /// Finds the first number out of its range.
    ///
    /// # Errors
    /// [`RangeError`] with the path of the field as in a preset: `grounding.predictive.max_step`.
    pub fn validate(&self) -> Result<(), RangeError> {
        PREDICTIVE_PARAMETERS.iter().try_for_each(|parameter| parameter.check(self, "grounding.predictive"))
    }

    /// Every number in its range, what is not a number at its default.
    pub fn clamped(mut self) -> Self {
        for parameter in PREDICTIVE_PARAMETERS {
            parameter.clamp(&mut self);
        }
        self.foot_radius = self.foot_radius.min(self.max_step).max(SMALLEST_RADIUS);
        self.root_sphere_cast_radius = self.root_sphere_cast_radius.max(SMALLEST_RADIUS);
        self
    }
}

/// A smaller shape is no shape.
const SMALLEST_RADIUS: f32 = 1e-4;

/// The numbers of [`PredictiveSettings`], in the order in which panels show them.
pub const PREDICTIVE_PARAMETERS: &[Parameter<PredictiveSettings>] = &[
    parameter!(
        PredictiveSettings,
        max_step,
        0..=2,
        0.5,
        "The highest step that is taken, up or down, in metres.",
        "Feet hang over low ground and sink into steps.",
        "Feet climb walls and reach into pits."
    ),
    parameter!(
        PredictiveSettings,
        foot_speed,
        0..=50,
        2.5,
        "How fast a foot goes to the height of its ground, in metres per second.",
        "Feet are late: they sink in uphill and hover downhill.",
        "Feet jump at every edge."
    ),
    parameter!(
        PredictiveSettings,
        foot_radius,
        0..=2,
        0.15,
        "Half the foot's width, and how far its middle is ahead of the ankle, in metres.",
        "Feet fall into gaps and see edges late.",
        "Feet stand on what they do not touch."
    ),
    parameter!(
        PredictiveSettings,
        prediction,
        0..=1,
        0.05,
        "How far ahead a foot is looked for, in seconds.",
        "A swinging foot sees a step only when it is over it.",
        "Feet rise for ground that they never reach."
    ),
    parameter!(
        PredictiveSettings,
        foot_center_offset,
        -1..=1,
        0.0,
        "Moves the middle of the foot ahead, in metres.",
        "The ground is felt at the heel; below 0 behind it.",
        "The ground is felt before the toes."
    ),
    parameter!(
        PredictiveSettings,
        height_offset,
        -1..=1,
        0.0,
        "Lifts both feet over the ground, in metres.",
        "Below 0 the feet sink in.",
        "The feet hover."
    ),
    parameter!(
        PredictiveSettings,
        foot_rotation_weight,
        0..=1,
        1.0,
        "How much feet turn with the ground.",
        "Feet stay as animated, on every slope.",
        "Feet lie flat on the slope."
    ),
    parameter!(
        PredictiveSettings,
        foot_rotation_speed,
        0..=50,
        7.0,
        "How fast feet turn with the ground, as the share of what is left in a second.",
        "Feet turn when they have long been standing.",
        "Feet snap over at every edge."
    ),
    parameter!(
        PredictiveSettings,
        max_foot_rotation_angle,
        0..=90,
        45.0,
        "How far feet turn at most, in degrees.",
        "Feet stand on edge on a steep slope.",
        "Ankles break."
    ),
    parameter!(
        PredictiveSettings,
        pelvis_speed,
        0..=50,
        5.0,
        "How fast the pelvis follows the feet, as the share of what is left in a second.",
        "The pelvis is late: the lower leg is stretched.",
        "The pelvis bobs with every step."
    ),
    parameter!(
        PredictiveSettings,
        pelvis_damper,
        0..=1,
        0.5,
        "How much of the root's rise and fall is kept from the pelvis at first.",
        "The pelvis jumps with the root on stairs.",
        "The pelvis sways long after every step."
    ),
    parameter!(
        PredictiveSettings,
        root_sphere_cast_radius,
        0..=1,
        0.1,
        "Radius of the sphere that looks for ground below the character, in metres.",
        "Over a gap the character counts as in the air.",
        "The character counts as standing beside a ledge."
    ),
    parameter!(
        PredictiveSettings,
        lower_pelvis_weight,
        0..=1,
        1.0,
        "How much of the lower foot's way down the pelvis goes.",
        "The lower foot does not reach its ground.",
        "The lower leg is as stretched as in the animation."
    ),
    parameter!(
        PredictiveSettings,
        lift_pelvis_weight,
        0..=1,
        0.0,
        "How much of the higher foot's way up the pelvis goes.",
        "The higher leg bends deep.",
        "The lower foot is drawn off its ground."
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_has_the_defaults_and_reaches_every_number() {
        let default = serde_json::to_value(PredictiveSettings::default()).unwrap();
        let numbers = default.as_object().unwrap().values().filter(|value| value.is_number()).count();
        assert_eq!(PREDICTIVE_PARAMETERS.len(), numbers);
        for parameter in PREDICTIVE_PARAMETERS {
            let mut settings = PredictiveSettings::default();
            assert_eq!((parameter.get)(&settings), parameter.default, "{}", parameter.key);
            (parameter.set)(&mut settings, parameter.max);
            assert_eq!(serde_json::to_value(settings).unwrap()[parameter.key], parameter.max, "{}", parameter.key);
        }
    }

    #[test]
    fn out_of_range_is_named_and_clamped() {
        let settings = PredictiveSettings { max_step: f32::NAN, pelvis_damper: 7.0, ..Default::default() };
        assert!(settings.validate().unwrap_err().to_string().starts_with("grounding.predictive.max_step is NaN"));
        assert_eq!(settings.clamped(), PredictiveSettings { pelvis_damper: 1.0, ..Default::default() });
        assert_eq!(PredictiveSettings::default().clamped(), PredictiveSettings::default());
    }
}
