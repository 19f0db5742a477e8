//! Checks of a solve's input and output, so that no input makes the solver panic or write an invalid bone.

use super::error::InputError;
use super::settings::Settings;
use crate::lanes::{Number, Rotation, Vector};
use crate::math::{FARTHEST, UNIT_LENGTH, is_exact, is_within, normalized};
use crate::rig::RigidTransform;

impl InputError {
    /// Replaces [`InputError::State`] by the error of the first setting out of range, as that setting is the likely
    /// cause. Returns other errors unchanged, and also `State` if every setting is in range.
    pub(crate) fn because_of(self, settings: &Settings) -> Self {
        match (self, settings.check(true)) {
            (Self::State, Err(error)) => error,
            (error, _) => error,
        }
    }
}

/// Largest distance of a solved bone from the origin, in model units: far beyond any target plus the length of a body.
const FARTHEST_SOLVED: f32 = 1e15;

/// Whether the rotations of a pose need normalizing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rotations {
    /// All are unit quaternions up to rounding and are used as they are.
    Exact,
    /// The lengths of some are within [`UNIT_LENGTH`], but not 1. All are normalized when read.
    Near,
}

impl Rotations {
    #[inline(always)]
    pub fn read(self, rotation: glam::Quat) -> glam::Quat {
        match self {
            Self::Exact => rotation,
            Self::Near => normalized(rotation),
        }
    }
}

/// Returns whether a bone can be solved, and whether it can be solved without normalizing its rotation.
#[inline(always)]
pub(crate) fn is_usable(bone: &RigidTransform) -> [bool; 2] {
    const LEAST: f32 = *UNIT_LENGTH.start() * *UNIT_LENGTH.start();
    const MOST: f32 = *UNIT_LENGTH.end() * *UNIT_LENGTH.end();
    let squared = bone.rotation.length_squared();
    let is_place = is_within(bone.position, FARTHEST);
    [is_place & (LEAST..=MOST).contains(&squared), is_place & is_exact(bone.rotation)]
}

pub(crate) fn is_solved(bone: &RigidTransform) -> bool {
    is_solved_in_lanes::<f32>(bone.position, bone.rotation)
}

/// Returns the lanes whose solved bone may be written.
#[inline(always)]
pub(crate) fn is_solved_in_lanes<R: Number>(position: R::Vec3, rotation: R::Quat) -> R::Mask {
    let (distance, length): (R, R) = (position.length_squared(), rotation.dot(rotation));
    // Squared lengths outside 0.49 to 1.96 cannot come from rounding. All comparisons with NaN are false.
    distance.lt(distance.like(FARTHEST_SOLVED * FARTHEST_SOLVED))
        & length.gt(length.like(0.49))
        & length.lt(length.like(1.96))
}

pub(crate) fn check_pose(pose: &[RigidTransform], expected: usize) -> Result<(), InputError> {
    if pose.len() < expected {
        return Err(InputError::PoseLength { found: pose.len(), expected });
    }
    pose.iter().position(|bone| !is_usable(bone)[0]).map_or(Ok(()), |bone| Err(InputError::Bone { bone }))
}
