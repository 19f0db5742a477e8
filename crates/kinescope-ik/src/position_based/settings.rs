//! Settings of the position-based solver. Its targets are the effectors of the full body.

use serde::{Deserialize, Serialize};

use crate::parameter::{Parameters, settings};

settings! {
    /// Settings of the position-based solver.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct PositionBasedSettings {
        /// Whether the position-based solver poses the body.
        on: bool = false;
        /// Largest number of sub-steps. Each runs the constraints in turn: lengths only in the first, rest and limits from the second on. Up to 4 more follow if a target is missed and a joint exceeds its limit by over 2.9° more than in the animated pose.
        substeps: u32 = 16, from 1 to 1024 usually 64 in Count,
            too little: "Targets far from the animated pose are missed.",
            too much: "Costs time at targets out of reach; targets within reach end the solve earlier.";
        /// Distance to the target at which the solve stops, as a fraction of the height from ankles to head.
        tolerance: f32 = 0.0003, from 0 to 0.1 usually 0.005 in Share,
            too little: "Sub-steps are spent on differences that nobody sees.",
            too much: "Hands and feet stop short of their targets.";
        /// Factor of each correction of a position.
        over_relaxation: f32 = 1.1, from 0.1 to 1.9 in Share,
            too little: "More sub-steps are needed.",
            too much: "Targets that pull against each other oscillate.";
        /// Compliance of target positions, relative to the mobility of the bones.
        position_compliance: f32 = 0.0, from 0 to 10 usually 1 in Share,
            too little: "0 is rigid: the target is reached if reach and limits allow it.",
            too much: "At 1 about half of the distance to the target remains.";
        /// Compliance of target rotations, relative to the mobility of the bones.
        rotation_compliance: f32 = 0.0, from 0 to 10 usually 1 in Share,
            too little: "0 is rigid: the rotation is reached if the limits allow it.",
            too much: "At 1 about half of the angle to the target remains.";
        /// Compliance of bend goals, relative to the mobility of the limb.
        bend_compliance: f32 = 0.0, from 0 to 10 usually 1 in Share,
            too little: "0 is rigid: elbow or knee points at its goal.",
            too much: "At 1 about half of the angle to the bend goal remains.";
        /// Compliance that a target gets with a weight below 1: this much at weight 0.5, more at smaller weights.
        softness: f32 = 0.05, from 0 to 10 usually 1 in Share,
            too little: "All weights have the same priority, and a target with a small weight holds its hand or foot in place.",
            too much: "At weight 0.5 less than half of the distance to the target is covered.";
        /// How much each joint returns to its animated rotation.
        rest_stiffness: f32 = 0.1, from 0 to 0.9 in Share,
            too little: "Joints that share a correction drift from the animation.",
            too much: "More sub-steps are needed, and the pelvis takes more of the displacement from the joints.";
        /// Mobility of the pelvis's position, relative to 1 / mass.
        root_mobility: f32 = 0.3, from 0 to 10 usually 2 in Share,
            too little: "The pelvis stays where it is: targets that limbs and trunk cannot reach are missed.",
            too much: "The whole body shifts to targets within the limbs' reach.";
        /// Mobility of pelvis, spine, neck, head and clavicles, relative to 1 / moment of inertia.
        trunk_mobility: f32 = 1.0, from 0 to 10 usually 4 in Share,
            too little: "The trunk keeps its animated shape, and the limbs straighten.",
            too much: "The trunk bends for targets that the limbs reach alone.";
        /// Whether joints keep within their limits.
        limits: bool = true;
        /// Whether joint limits are those of the character's clips instead of the anatomical ones. Without clips, the anatomical limits apply.
        clip_limits: bool = false;
        /// Angle by which limits from clips are wider than the range that the clips use.
        clip_margin: f32 = 0.1, from 0 to 3 usually 1 in Radians,
            too little: "Joints keep to angles that the clips use, and targets are missed.",
            too much: "Joints turn to angles that no clip shows.";
    }
}

impl PositionBasedSettings {
    /// Clamps every number to its range; NaN is replaced by the default.
    pub fn clamped(mut self) -> Self {
        self.clamp_numbers();
        self
    }
}
