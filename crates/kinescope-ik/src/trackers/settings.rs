//! Settings of simulated trackers.

use serde::{Deserialize, Serialize};

use super::calibration::Calibration;
use super::mounts::Mounts;
use super::tracker::Tracker;
use crate::error::Fault;
use crate::key::named;
use crate::parameter::{Parameters, is_default, settings};

named! {
    /// The set of trackers that a user wears.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Points {
        /// Returns the key in presets.
        key,
        /// Returns the first line of the documentation.
        help,
        /// Returns the number of trackers.
        count: usize,
    }
    /// All sets of trackers.
    ALL {
        /// Head and both hands.
        Three: 3;
        /// Head, hands, pelvis and both feet.
        #[default]
        Six: 6;
        /// Head, hands, pelvis, feet, chest, elbows and knees.
        Eleven: 11;
    }
}

impl Points {
    /// Returns the trackers of the set.
    pub fn trackers(self) -> &'static [Tracker] {
        Tracker::ALL.get(..self.count()).unwrap_or(&Tracker::ALL)
    }
}

named! {
    /// What a tracker does during a drop-out.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum DropOut {
        /// Returns the key in presets.
        key,
        /// Returns the first line of the documentation.
        help,
    }
    /// All behaviours.
    ALL {
        /// The tracker repeats its last reading.
        #[default]
        Freeze;
        /// The tracker reports nothing, and its targets have no weight.
        Vanish;
    }
}

named! {
    /// The pose in which the user stands while calibrating.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum CalibrationPose {
        /// Returns the key in presets.
        key,
        /// Returns the first line of the documentation.
        help,
    }
    /// All poses.
    ALL {
        /// The reference pose, usually a T-pose.
        #[default]
        Reference;
        /// The first frame of the clip.
        FirstFrame;
    }
}

settings! {
    /// Settings of simulated trackers, worn by a user who moves as the clip does.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct TrackerSettings {
        /// Whether the targets come from the trackers of a simulated user, who moves as the clip does.
        on: bool = false;
        /// Which trackers the user wears.
        points: Points = Points::Six;
        /// Height of the user relative to the character.
        height: f32 = 1.0, from 0.25 to 4 usually 1.5 in Share,
            too little: "A child drives the character: without calibration the character crouches, and its hands stay low.",
            too much: "A tall user: without calibration the head's target is too high.";
        /// Length of the user's arms relative to the rest of the body.
        arms: f32 = 1.0, from 0.5 to 2 usually 1.5 in Share,
            too little: "Without calibration, elbows stay bent although the user's arms are straight.",
            too much: "Without calibration, hands are out of reach although the user's arms are bent.";
        /// Length of the user's legs relative to the rest of the body; targets are not corrected for it.
        legs: f32 = 1.0, from 0.5 to 2 usually 1.5 in Share,
            too little: "Without calibration, knees stay bent although the user stands straight.",
            too much: "Without calibration, feet do not reach the ground although the user stands on it.";
        /// How far the position of a tracker jitters, as standard deviation in each axis.
        noise: f32 = 0.001, from 0 to 1 usually 0.02 in ModelUnits,
            too little: "Reported positions do not jitter, unlike those of a real tracker.",
            too much: "Hands tremble.";
        /// How far the rotation of a tracker jitters, as standard deviation about each axis.
        noise_angle: f32 = 0.2, from 0 to 90 usually 5 in Degrees,
            too little: "Reported rotations do not jitter, unlike those of a real tracker.",
            too much: "Joints tremble, the more the farther they are from their strap.";
        /// Time over which the tracker's own filter averages the jitter.
        noise_time: f32 = 0.02, from 0.001 to 1 usually 0.2 in Seconds,
            too little: "Each reading jitters on its own.",
            too much: "The jitter is a slow sway.";
        /// How far the position of a tracker drifts, as standard deviation in each axis.
        drift: f32 = 0.004, from 0 to 1 usually 0.05 in ModelUnits,
            too little: "Reported positions do not wander.",
            too much: "The character slowly leans.";
        /// How far the rotation of a tracker drifts, as standard deviation about each axis.
        drift_angle: f32 = 0.5, from 0 to 90 usually 10 in Degrees,
            too little: "Reported rotations do not wander; with cameras or base stations they hardly do.",
            too much: "Hands, feet and head slowly turn, as with inertial trackers.";
        /// Time in which the drift changes.
        drift_time: f32 = 3.0, from 0.1 to 1000 usually 20 in Seconds,
            too little: "The drift looks like jitter.",
            too much: "The drift is constant over a clip.";
        /// Number of the series of noise and drop-outs; the same number gives the same noise and drop-outs.
        series: u32 = 1, from 0 to 65535 usually 20 in Count,
            too little: "Any number is as good as another.",
            too much: "Any number is as good as another.";
        /// Drop-outs per minute of each tracker except the headset.
        drop_outs: f32 = 0.0, from 0 to 60 usually 30 in PerMinute,
            too little: "No tracker drops out.",
            too much: "Trackers drop out every few seconds.";
        /// Duration of a drop-out.
        drop_out_time: f32 = 0.5, from 0.01 to 60 usually 3 in Seconds,
            too little: "A drop-out is a flicker.",
            too much: "Trackers freeze or vanish for seconds.";
        /// What a tracker does during a drop-out.
        drop_out: DropOut = DropOut::Freeze;
        /// The pose in which the user calibrates.
        moment: CalibrationPose = CalibrationPose::Reference;
        /// Angle by which the user's arms hang lower than the pose asks for while calibrating.
        slouch: f32 = 0.0, from 0 to 90 usually 45 in Degrees,
            too little: "The user stands exactly as the pose asks.",
            too much: "The calibration misplaces the trackers on the arms and, in a T-pose, measures the arms too short.";
        /// Places of the trackers on their bones.
        #[serde(skip_serializing_if = "is_default")]
        mounts: Mounts = Mounts::default();
        /// The result of the last calibration; null before one.
        #[serde(skip_serializing_if = "Option::is_none")]
        calibration: Option<Calibration> = None;
    }
}

impl TrackerSettings {
    /// Checks every number, every place of a tracker, and the calibration.
    ///
    /// # Errors
    /// [`Fault`] for the first invalid value, with its path.
    pub fn check(&self) -> Result<(), Fault> {
        self.check_numbers()?;
        self.mounts.check().map_err(|fault| fault.within("mounts"))?;
        let calibration = self.calibration.as_ref();
        calibration.map_or(Ok(()), |own| own.check().map_err(|fault| fault.within("calibration")))
    }

    /// Returns these settings without jitter and drift.
    #[must_use]
    pub fn without_noise(&self) -> Self {
        Self { noise: 0.0, noise_angle: 0.0, drift: 0.0, drift_angle: 0.0, ..self.clone() }
    }

    /// Returns these settings without drop-outs.
    #[must_use]
    pub fn without_drop_outs(&self) -> Self {
        Self { drop_outs: 0.0, ..self.clone() }
    }

    /// Returns these settings with the true place of every tracker in the calibration. Other values of the calibration
    /// stay, or are the defaults if there is none.
    #[must_use]
    pub fn with_exact_mounts(&self) -> Self {
        let own = self.calibration.unwrap_or_default();
        let calibration = Calibration { mounts: self.mounts, mounts_of_own_size: self.mounts, ..own };
        Self { calibration: Some(calibration), ..self.clone() }
    }

    /// Returns these settings for a user with the character's proportions: height, arms and legs of the user, and height and
    /// arms of the calibration, are 1. The places are [`Calibration::mounts_of_own_size`].
    #[must_use]
    pub fn with_own_proportions(&self) -> Self {
        let own = self.calibration.unwrap_or_default();
        let calibration = Calibration { height: 1.0, arms: 1.0, mounts: own.mounts_of_own_size, ..own };
        Self { height: 1.0, arms: 1.0, legs: 1.0, calibration: Some(calibration), ..self.clone() }
    }
}
