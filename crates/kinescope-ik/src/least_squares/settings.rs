//! Settings of the least-squares body.

use serde::{Deserialize, Serialize};

use crate::parameter::{Parameters, settings};

settings! {
    /// Settings of the least-squares body. Weights multiply residuals: positions relative to the character's height,
    /// rotations in radians.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct LeastSquaresSettings {
        /// Whether the least-squares body is solved.
        on: bool = false;
        /// Largest number of iterations. After 16, or once joints hardly turn, a missed target weakens the pull to the animated pose.
        iterations: u32 = 256, from 0 to 1000 usually 300 in Count,
            too little: "Targets are missed.",
            too much: "Costs time only while joints still turn.";
        /// The solve stops when no joint turns by more than this in an iteration, or a full step reduces the sum of squares by at most twice this, as a fraction of the sum. If a target is missed then, the pull to the animated pose weakens, and the solve goes on with a tenth of the tolerance.
        tolerance: f32 = 0.0005, from 0 to 1 usually 0.01 in Radians,
            too little: "More iterations run, which hardly change the pose.",
            too much: "Stops before the targets are reached.";
        /// Weight of the effectors' positions.
        position: f32 = 1.0, from 0 to 10 usually 2 in Share,
            too little: "Effectors give way to the other terms.",
            too much: "Limits and rotations give way to positions.";
        /// Weight of the effectors' rotations.
        rotation: f32 = 0.3, from 0 to 10 usually 2 in Share,
            too little: "Rotations give way to positions.",
            too much: "Positions give way to rotations.";
        /// Weight of bend goals and bend directions.
        bend: f32 = 0.1, from 0 to 10 usually 1 in Share,
            too little: "Elbows and knees stay near their animated directions.",
            too much: "Positions give way to bend goals and bend directions.";
        /// Weight of joint limits.
        limits: f32 = 0.3, from 0 to 10 usually 2 in Share,
            too little: "Joints exceed their limits to reach targets.",
            too much: "Targets beyond the limits are missed by more.";
        /// Whether joint limits are those of the character's clips instead of the anatomical ones. Without clips, the anatomical limits apply.
        clip_limits: bool = false;
        /// Angle by which limits from clips are wider than the range that the clips use.
        clip_margin: f32 = 0.1, from 0 to 3 usually 1 in Radians,
            too little: "Joints keep to angles that the clips use, and targets are missed.",
            too much: "Joints turn to angles that no clip shows.";
        /// Weight of the animated pose, for each joint.
        rest: f32 = 0.003, from 0 to 10 usually 0.1 in Share,
            too little: "Joints without a target wander.",
            too much: "Effectors stop short of their targets.";
        /// Factor of the weight of the animated pose for pelvis, spine and clavicles.
        trunk: f32 = 3.0, from 0 to 100 usually 10 in Share,
            too little: "The spine bends where an arm would do.",
            too much: "Limbs straighten before the spine bends.";
        /// Weight of the pelvis's animated position.
        root: f32 = 0.01, from 0 to 10 usually 0.2 in Share,
            too little: "The whole body moves after a hand.",
            too much: "The pelvis stays and targets are missed.";
        /// Weight of the last solved pose, relative to the animation.
        smoothness: f32 = 0.0, from 0 to 10 usually 0.1 in Share,
            too little: "The pose follows its targets at once.",
            too much: "The pose trails behind its targets.";
        /// Weight of the distance of the centre of mass outside the support polygon.
        balance: f32 = 0.0, from 0 to 10 usually 2 in Share,
            too little: "The body may lean as far as it needs.",
            too much: "The body leans back although targets are missed.";
        /// Weight of overlaps of forearms and hands with the body and each other, and of lower legs and feet with each other.
        separation: f32 = 0.0, from 0 to 10 usually 2 in Share,
            too little: "Hands pass through the body.",
            too much: "Hands stop before targets near the body.";
        /// Damping of the first iteration; each iteration adapts it.
        damping: f32 = 0.0001, from 0 to 10 usually 0.1 in Share,
            too little: "If the first update overshoots, it is repeated.",
            too much: "The first updates are small.";
        /// Whether a solve starts from the last solved pose, relative to the animation.
        warm_start: bool = true;
    }
}

impl LeastSquaresSettings {
    /// Clamps every number to its range; NaN is replaced by the default.
    pub fn clamped(mut self) -> Self {
        self.clamp_numbers();
        self
    }
}
