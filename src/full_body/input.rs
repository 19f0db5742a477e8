//! What a solve is given, checked before and after: no input makes the solver panic or write a bone that is no bone.

use super::settings::{FARTHEST, Field, Settings, USABLE_LENGTH, is_within};
use super::{FullBody, Workspace};
use crate::error::{BadValue, Fault, Problem};
use crate::rig::{BoneIndex, RigidTransform};

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
    /// A bone of the pose has numbers that no bone can have.
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
                     quaternion"
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

/// Whether a bone can be solved with.
pub(super) fn is_usable(bone: &RigidTransform) -> bool {
    is_bone(bone, FARTHEST)
}

/// Whether a bone can be handed out.
pub(crate) fn is_solved(bone: &RigidTransform) -> bool {
    is_bone(bone, FARTHEST_SOLVED)
}

fn is_bone(bone: &RigidTransform, farthest: f32) -> bool {
    const LEAST: f32 = *USABLE_LENGTH.start() * *USABLE_LENGTH.start();
    const MOST: f32 = *USABLE_LENGTH.end() * *USABLE_LENGTH.end();
    let squared = bone.rotation.length_squared();
    is_within(bone.position, farthest) & (LEAST..=MOST).contains(&squared)
}

/// Whether every bone of a pose can be solved with.
pub(crate) fn check_pose(pose: &[RigidTransform], expected: usize) -> Result<(), InputError> {
    if pose.len() < expected {
        return Err(InputError::PoseLength { found: pose.len(), expected });
    }
    pose.iter().position(|bone| !is_usable(bone)).map_or(Ok(()), |bone| Err(InputError::Bone { bone }))
}

impl FullBody {
    /// Whether workspace and pose belong to this solver.
    pub(super) fn check_fit(&self, workspace: &Workspace, pose: &[RigidTransform]) -> Result<(), InputError> {
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
    ) -> Result<(), InputError> {
        self.check_fit(workspace, pose)?;
        self.check_pose_and_settings(settings, pose)
    }

    /// Whether a frame can be read from these, into a workspace that fits.
    pub(crate) fn check_pose_and_settings(
        &self,
        settings: &Settings,
        pose: &[RigidTransform],
    ) -> Result<(), InputError> {
        let expected = self.hierarchy.bone_count();
        if pose.len() < expected {
            return Err(InputError::PoseLength { found: pose.len(), expected });
        }
        settings.check_usable()?;
        match self.hierarchy.first_unusable(pose) {
            Some(bone) => Err(InputError::Bone { bone }),
            None => Ok(()),
        }
    }
}
