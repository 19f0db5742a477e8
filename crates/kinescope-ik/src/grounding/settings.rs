//! Settings of the predictive grounder. Source: *Foot IK with velocity prediction*.

use serde::{Deserialize, Serialize};

use crate::key::named;
use crate::math::filter::Update;
use crate::parameter::{Parameters, settings};

named! {
    /// Number and shape of the predictive grounder's casts.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Quality {
        /// Returns the key in presets.
        key,
    }
    /// Every quality, the cheapest first.
    ALL {
        /// One ray per foot at its predicted position; a ray for the root.
        Fastest;
        /// Three rays per foot: under it, under its middle at the predicted position, and beside it. The ground is the
        /// plane through the three hits; if one is missing, the plane of the hit under the foot, or else at the
        /// predicted position. A ray for the root.
        Simple;
        /// A ray under the foot and a capsule along its predicted path. If either hits, also rays under those of heel,
        /// middle and toes of the turned foot whose lengths in [`FootGeometry`](super::FootGeometry) are above 0. A
        /// sphere for the root.
        #[default]
        Best;
    }
}

settings! {
    /// Settings of the predictive grounder.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct PredictiveSettings {
        /// Largest step up or down. 0 leaves the feet as animated.
        max_step: f32 = 0.5, from 0 to 2 in Metres,
            too little: "Feet hang over low ground and sink into steps.",
            too much: "Feet climb walls and reach into pits.",
            source: Prediction "maxStep";
        /// A foot moves to the height of its ground at this speed plus, per second, this many times the remaining distance.
        foot_speed: f32 = 2.5, from 0 to 50 in MetresPerSecond,
            too little: "Feet lag: they sink in uphill and hover downhill.",
            too much: "Feet jump at every edge.",
            source: Prediction "footSpeed";
        /// Half the foot's width, and distance of its middle ahead of the ankle.
        /// The capsule has this radius. `foot_center_offset` is added to the distance. At most `max_step`.
        foot_radius: f32 = 0.15, from 0 to 2 in Metres,
            too little: "Feet fall into gaps and react to edges late.",
            too much: "Feet stand on ground that they do not touch.",
            source: Prediction "footRadius";
        /// Time ahead for which the foot's position is predicted.
        prediction: f32 = 0.05, from 0 to 1 in Seconds,
            too little: "A swinging foot reacts to a step only once it is over the step.",
            too much: "Feet rise for ground that they never reach.",
            source: Prediction "prediction";
        /// Offset of the middle of the foot, forward.
        foot_center_offset: f32 = 0.0, from -1 to 1 in Metres,
            too little: "Feet react to the ground at the heel or behind it.",
            too much: "Feet react to the ground ahead of the toes.",
            source: Prediction "footCenterOffset";
        /// Whether the middle of the foot and the ray under it are behind the foot bone: for legs that bend backward.
        invert_foot_center: bool = false,
            source: Prediction "invertFootCenter";
        /// Offset of both feet above the ground.
        height_offset: f32 = 0.0, from -1 to 1 in Metres,
            too little: "Below 0 the feet sink in.",
            too much: "The feet hover.",
            source: Prediction "heightOffset";
        /// How much feet turn to the ground.
        foot_rotation_weight: f32 = 1.0, from 0 to 1 in Share,
            too little: "Feet stay as animated, on every slope.",
            too much: "Feet lie flat on the slope.",
            source: Prediction "footRotationWeight";
        /// How fast feet turn to the ground: fraction of the remaining rotation per second.
        foot_rotation_speed: f32 = 7.0, from 0 to 50 in PerSecond,
            too little: "Feet turn long after they landed.",
            too much: "Feet snap over at every edge.",
            source: Prediction "footRotationSpeed";
        /// Largest angle by which a foot turns to the ground.
        max_foot_rotation_angle: f32 = 45.0, from 0 to 90 in Degrees,
            too little: "On a steep slope, feet touch the ground only at heel or toes.",
            too much: "Ankles bend unnaturally far.",
            source: Prediction "maxFootRotationAngle";
        /// How fast the pelvis follows the feet: fraction of the remaining distance per second.
        pelvis_speed: f32 = 5.0, from 0 to 50 in PerSecond,
            too little: "The pelvis lags: one leg is stretched.",
            too much: "The pelvis bobs with every step.",
            source: Prediction "pelvisSpeed";
        /// Fraction of the root's rise and fall that the pelvis does not follow at first.
        /// Afterwards it catches up at `pelvis_speed`. In the air, the damper stops acting within 0.1 s; after
        /// landing, it acts fully again within 1 s.
        pelvis_damper: f32 = 0.5, from 0 to 1 in Share,
            too little: "The pelvis jumps with the root on stairs.",
            too much: "The pelvis lags behind the root on stairs.",
            source: Prediction "pelvisDamper";
        /// Radius of the sphere that checks for ground below the character at quality best; the other qualities cast a ray.
        root_sphere_cast_radius: f32 = 0.1, from 0 to 1 in Metres,
            too little: "Over a gap the character counts as in the air.",
            too much: "Past a ledge, the character still counts as standing.",
            source: Prediction "rootSphereCastRadius";
        /// How much the pelvis follows the lower foot down.
        lower_pelvis_weight: f32 = 1.0, from 0 to 1 in Share,
            too little: "The lower foot's leg is stretched.",
            too much: "The lower foot's leg is as straight as in the animation.",
            source: Prediction "lowerPelvisWeight";
        /// How much the pelvis follows the higher foot up.
        lift_pelvis_weight: f32 = 0.0, from 0 to 1 in Share,
            too little: "The leg of the higher foot bends deeply.",
            too much: "The lower foot's leg is stretched.",
            source: Prediction "liftPelvisWeight";
        /// Whether a foot over an edge goes down a full step; otherwise it stays at the root's level.
        overstep_falls_down: bool = true,
            source: Prediction "overstepFallsDown";
        /// Number and shape of the casts at the ground.
        quality: Quality = Quality::Best,
            source: Prediction "Quality";
        /// How a frame moves feet and pelvis toward their targets.
        /// Not stored in presets; for [experiments](crate::stack::Experiments::lerp_per_frame).
        #[serde(skip)]
        update: Update = Update::Exact;
    }
}

impl PredictiveSettings {
    /// Clamps every number to its range; NaN is replaced by the default. The foot's radius is then limited to the
    /// largest step, and both radii are at least 0.1 mm.
    pub fn clamped(mut self) -> Self {
        self.clamp_numbers();
        self.foot_radius = self.foot_radius.min(self.max_step).max(SMALLEST_RADIUS);
        self.root_sphere_cast_radius = self.root_sphere_cast_radius.max(SMALLEST_RADIUS);
        self
    }
}

/// Smallest radius of a shape, metres.
const SMALLEST_RADIUS: f32 = 1e-4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn out_of_range_is_named_and_clamped() {
        let settings = PredictiveSettings { max_step: f32::NAN, pelvis_damper: 7.0, ..Default::default() };
        assert_eq!(settings.check_numbers().unwrap_err().place, "max_step");
        assert_eq!(settings.clamped(), PredictiveSettings { pelvis_damper: 1.0, ..Default::default() });
        assert_eq!(PredictiveSettings::default().clamped(), PredictiveSettings::default());
    }
}
