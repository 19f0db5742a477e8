//! What a solve is given, checked before and after: no input makes the solver panic or write a bone that is no bone.

use super::error::InputError;
use super::settings::Settings;
use crate::math::{FARTHEST, UNIT_LENGTH, is_exact, is_within, normalized};
use crate::rig::RigidTransform;

impl InputError {
    /// A state that came of these settings, out of whatever range they are: then that is the reason.
    pub(crate) fn because_of(self, settings: &Settings) -> Self {
        match (self, settings.check(true)) {
            (Self::State, Err(error)) => error,
            (error, _) => error,
        }
    }
}

/// Where a solved bone can be: the targets, with the whole body stretched out behind them.
const FARTHEST_SOLVED: f32 = 1e15;

/// The rotations of a pose that can be solved with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rotations {
    /// All of them are unit but for rounding: they are read as they are.
    Exact,
    /// Some are within [`UNIT_LENGTH`] only: they are normalized as they are read.
    Near,
}

impl Rotations {
    /// A rotation of the pose as it is read.
    #[inline(always)]
    pub fn read(self, rotation: glam::Quat) -> glam::Quat {
        match self {
            Self::Exact => rotation,
            Self::Near => normalized(rotation),
        }
    }
}

/// Whether a bone can be solved with, and as it is.
#[inline(always)]
pub(crate) fn is_usable(bone: &RigidTransform) -> [bool; 2] {
    const LEAST: f32 = *UNIT_LENGTH.start() * *UNIT_LENGTH.start();
    const MOST: f32 = *UNIT_LENGTH.end() * *UNIT_LENGTH.end();
    let squared = bone.rotation.length_squared();
    let is_place = is_within(bone.position, FARTHEST);
    [is_place & (LEAST..=MOST).contains(&squared), is_place & is_exact(bone.rotation)]
}

/// Whether a bone can be handed out.
pub(crate) fn is_solved(bone: &RigidTransform) -> bool {
    /// Beyond them a squared length is no rounding of the solve's.
    const SQUARED: std::ops::RangeInclusive<f32> = 0.49..=1.96;
    is_within(bone.position, FARTHEST_SOLVED) & SQUARED.contains(&bone.rotation.length_squared())
}

/// Whether every bone of a pose can be solved with.
pub(crate) fn check_pose(pose: &[RigidTransform], expected: usize) -> Result<(), InputError> {
    if pose.len() < expected {
        return Err(InputError::PoseLength { found: pose.len(), expected });
    }
    pose.iter().position(|bone| !is_usable(bone)[0]).map_or(Ok(()), |bone| Err(InputError::Bone { bone }))
}
