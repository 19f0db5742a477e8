//! Settings of retargeting.

use serde::{Deserialize, Serialize};

use crate::parameter::{Parameters, settings};

settings! {
    /// Settings of a clip that comes from another file.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct RetargetSettings {
        /// Whether the layer retarget shows how a clip of another file poses the character, and may hold feet and hands.
        on: bool = false;
        /// Length of the pelvis's path along the ground. At 1 the path is the source's, scaled by the ratio of the leg lengths.
        path: f32 = 1.0, from 0 to 4 usually 2 in Share,
            too little: "Feet slide: the path is shorter than the steps.",
            too much: "Feet slide: the path is longer than the steps.";
        /// How much the feet go to the source's places, scaled by leg length, and stay where they land.
        feet: f32 = 0.0, from 0 to 1 in Share,
            too little: "Legs keep the source's angles: feet slide and hover.",
            too much: "Feet stand where the source's feet do, scaled by leg length.";
        /// How much the hands go to the source's places, scaled by leg length.
        hands: f32 = 0.0, from 0 to 1 in Share,
            too little: "Arms keep the source's angles.",
            too much: "Hands are where the source's hands are, scaled by leg length.";
    }
}

impl RetargetSettings {
    /// Clamps every number to its range; NaN is replaced by the default.
    pub fn clamped(mut self) -> Self {
        self.clamp_numbers();
        self
    }
}
