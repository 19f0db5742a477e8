//! The result of a calibration.

use serde::{Deserialize, Serialize};

use super::mounts::Mounts;
use crate::error::{BadValue, Fault};
use crate::unit::Unit;

/// Smallest and largest factor that a calibration can find.
pub(super) const FACTORS: [f32; 2] = [0.1, 10.0];

/// The result of a calibration.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Calibration {
    /// Height of the user relative to the character, from the height of the head above the ground; 1 for a character
    /// without a head.
    pub height: f32,
    /// Length of the user's arms relative to the rest of the body, from the distance between the hands.
    pub arms: f32,
    /// Distance between the user's hands, as the controllers report it, relative to that between the character's hands.
    pub arm_span: f32,
    /// Height of the pelvis above the feet relative to the character's, from the straps as they are worn; `None` without
    /// them. Targets do not use it, because it includes the places of the straps.
    pub leg_length: Option<f32>,
    /// The places of the trackers that calibration found; those of headset and controllers are from the settings.
    pub mounts: Mounts,
    /// The places that the same calibration finds for a user with the character's proportions, see
    /// [`TrackerSettings::with_own_proportions`](super::TrackerSettings::with_own_proportions).
    pub mounts_of_own_size: Mounts,
}

impl Default for Calibration {
    /// Returns the assumption before a calibration: a user of the character's size, and each tracker at its joint.
    fn default() -> Self {
        let mounts = Mounts::AT_JOINTS;
        Self { height: 1.0, arms: 1.0, arm_span: 1.0, leg_length: None, mounts, mounts_of_own_size: mounts }
    }
}

impl Calibration {
    /// Checks that all factors are within their range, and that all places of trackers are valid.
    ///
    /// # Errors
    /// [`Fault`] for the first invalid value, with its path.
    pub fn check(&self) -> Result<(), Fault> {
        let [least, most] = FACTORS;
        let factors = [("height", self.height), ("arms", self.arms), ("arm_span", self.arm_span)];
        let legs = self.leg_length.map(|length| ("leg_length", length));
        for (key, factor) in factors.into_iter().chain(legs) {
            BadValue::check_range(factor, &(least..=most), Unit::Share).map_err(|bad| bad.at(key))?;
        }
        self.mounts.check().map_err(|fault| fault.within("mounts"))?;
        self.mounts_of_own_size.check().map_err(|fault| fault.within("mounts_of_own_size"))
    }
}
