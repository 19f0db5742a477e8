//! What a solve is given, checked before and after: no input makes the solver panic or write a bone that is no bone.

use super::settings::{Field, Settings};
use super::{FullBody, Workspace};
use crate::error::{BadValue, Fault, Problem};
use crate::math::{FARTHEST, UNIT_LENGTH, is_exact, is_within, normalized};
use crate::rig::{BoneIndex, RigidTransform, Skeleton};

/// What a solve came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The pose is the solved one.
    Solved,
    /// The master weight is 0: the pose is as it was.
    NothingToDo,
}

/// An input that cannot be solved with. The pose stays as it was, bit for bit. Made without allocating; [`Fault`] is the
/// same in words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InputError {
    /// The pose has fewer bones than the skeleton.
    PoseLength {
        /// Bones of the pose.
        found: usize,
        /// Bones of the skeleton.
        expected: usize,
    },
    /// A bone of the pose has numbers that no bone can have. A rotation's length must be within [`UNIT_LENGTH`]; within it
    /// the solver normalizes what is more than rounding off. [`InputError::fault`] names the bone.
    Bone {
        /// Its index in the pose.
        bone: BoneIndex,
    },
    /// A value of the settings cannot be solved with.
    Setting {
        /// Which value.
        field: Field,
        /// What is wrong with it.
        bad: BadValue,
    },
    /// The workspace was made for a solver of another character.
    ForeignWorkspace,
    /// Nothing was read into the workspace since it was last written.
    NotRead,
    /// The state has numbers that no bone can have.
    State,
}

impl std::error::Error for InputError {}

impl std::fmt::Display for InputError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        Fault::from(*self).fmt(f)
    }
}

impl From<InputError> for Fault {
    fn from(error: InputError) -> Self {
        match error {
            InputError::PoseLength { found, expected } => {
                Self::new("pose", Problem::Length { what: "bones", found, expected })
            }
            InputError::Bone { bone } => {
                let message = format!(
                    "is no bone: its numbers must be finite, its position within ±{FARTHEST:e}, its rotation a unit \
                     quaternion to {}",
                    1.0 - UNIT_LENGTH.start()
                );
                Self::new(format!("pose[{bone}]"), message)
            }
            InputError::Setting { field, bad } => bad.at(field.to_string()),
            InputError::ForeignWorkspace => {
                Self::new("workspace", "was made for another solver: take one from `FullBody::workspace` of this one")
            }
            InputError::NotRead => Self::new("workspace", "holds no frame to write: read one into it first"),
            InputError::State => Self::new("state", "has numbers that no bone can have"),
        }
    }
}

impl InputError {
    /// The error in words, with the bone's name from the skeleton and what is wrong with its numbers in `pose`, which a
    /// refused solve left as it was.
    pub fn fault(self, skeleton: &Skeleton, pose: &[RigidTransform]) -> Fault {
        let (Self::Bone { bone }, Some(own)) = (self, skeleton.bones().get(self.bone())) else { return self.into() };
        let place = match own.name.is_empty() {
            true => format!("pose[{bone}]"),
            false => format!("pose[{bone}], bone {:?}", own.name),
        };
        let bad = pose.get(bone).and_then(|own| {
            let place = BadValue::check_place(own.position).err();
            place.or_else(|| BadValue::check_rotation(own.rotation).err())
        });
        match bad {
            Some(bad) => bad.at(place),
            None => Fault { place, ..self.into() },
        }
    }

    /// The bone that it is about; none is the last of all numbers.
    const fn bone(self) -> BoneIndex {
        match self {
            Self::Bone { bone } => bone,
            Self::PoseLength { .. } | Self::Setting { .. } | Self::ForeignWorkspace | Self::NotRead | Self::State => {
                BoneIndex::MAX
            }
        }
    }

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

impl FullBody {
    /// Whether workspace and pose belong to this solver.
    pub(crate) fn check_fit(&self, workspace: &Workspace, pose: &[RigidTransform]) -> Result<(), InputError> {
        if workspace.shape != self.shape {
            return Err(InputError::ForeignWorkspace);
        }
        let expected = self.hierarchy.bone_count();
        if pose.len() < expected {
            return Err(InputError::PoseLength { found: pose.len(), expected });
        }
        Ok(())
    }

    /// Whether a frame can be read from these.
    pub(crate) fn check_input(
        &self,
        workspace: &Workspace,
        settings: &Settings,
        pose: &[RigidTransform],
    ) -> Result<Rotations, InputError> {
        self.check_fit(workspace, pose)?;
        self.check_pose_and_settings(settings, pose)
    }

    /// Whether a frame can be read from these, into a workspace that fits.
    pub(crate) fn check_pose_and_settings(
        &self,
        settings: &Settings,
        pose: &[RigidTransform],
    ) -> Result<Rotations, InputError> {
        let expected = self.hierarchy.bone_count();
        if pose.len() < expected {
            return Err(InputError::PoseLength { found: pose.len(), expected });
        }
        settings.check_usable()?;
        self.hierarchy.check(pose)
    }
}
