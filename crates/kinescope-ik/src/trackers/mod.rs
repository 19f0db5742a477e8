//! Simulated trackers of social VR: a user with a headset, controllers and straps moves as the clip does, and the
//! character is posed from the trackers alone.
//!
//! In the space of the character's root, `b` is the transform of a bone in the clip, and `m` the place of a tracker on
//! the bone. A hat marks values of the calibration:
//!
//! ```text
//! user          b' = the bone of the user: arms, legs and height scaled by their factors
//! tracker       r  = b' · m · noise            frozen or missing during a drop-out
//! calibration   m̂  = b̂'⁻¹ · r                  at one moment, in which the user stands as the character does
//!               ĥ  = height of the head above the ground, relative to the character's
//!               â  = factor of the arms, from the distance between the hands
//! target        t  = (r · m̂⁻¹) / ĥ             arms scaled by 1/â about the shoulders
//! ```
//!
//! A headset and controllers report their own place on head and hand, so calibration knows it. Calibration computes the
//! places of straps. Targets are not corrected for the length of the user's legs; a difference from the
//! character's legs ends up in the places of the straps.
//!
//! [`Targets::apply`] gives the targets to the full body: hands and feet with rotations, the thighs from the tracker of
//! the pelvis, the shoulders from that of the chest, elbows and knees as bend goals. It pins feet
//! without trackers. The target of the head goes to a modifier, [`Head`](crate::modifiers::Head).
//! [`Targets::start_pose`] places the reference pose at the pelvis, or else at the head, or else at the root. The solve
//! starts from there and not from the animated pose: that is the user's motion, which an avatar does not know.
//!
//! Noise and drop-outs come from hashes of the time, so that solving a frame again gives the same result. A frozen
//! tracker keeps its last reading in a [`TrackerState`].

mod calibrate;
mod calibration;
mod mounts;
mod noise;
mod settings;
mod stream;
mod targets;
mod tracker;
mod wearer;

pub use calibration::Calibration;
pub use mounts::Mounts;
pub use settings::{CalibrationPose, DropOut, Points, TrackerSettings};
pub use stream::{Reading, TrackerState, readings};
pub use targets::Targets;
pub use tracker::Tracker;
pub use wearer::{Body, Wearer};
