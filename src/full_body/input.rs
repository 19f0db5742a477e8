//! What a solve is given, checked before and after: no input makes the solver panic or write a bone that is no bone.

use super::settings::{FARTHEST, Settings, SettingsError, USABLE_LENGTH, is_within};
use super::{FullBody, Workspace};
use crate::rig::{BoneIndex, RigidTransform};

/// What a solve came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The pose is the solved one.
    Solved,
    /// The master weight is 0: the pose is as it was.
    NothingToDo,
}

/// An input that cannot be solved with. The pose stays as it was, bit for bit.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum InputError {
    #[error("the pose has {found} bones, the skeleton {expected}")]
    PoseLength { found: usize, expected: usize },
    #[error(
        "bone {bone} of the pose is not one: its numbers must be finite, its position within ±{FARTHEST:e}, its \
         rotation a unit quaternion"
    )]
    Bone { bone: BoneIndex },
    #[error(transparent)]
    Setting(#[from] SettingsError),
    #[error("the workspace was made for another solver: take one from `FullBody::workspace` of this one")]
    ForeignWorkspace,
    #[error("there is no frame to write: read one into this workspace first")]
    NotRead,
    #[error("the state has numbers that no bone can have")]
    State,
}

impl InputError {
    /// A state that came of these settings, out of whatever range they are: then that is the reason.
    pub(super) fn because_of(self, settings: &Settings) -> Self {
        match (self, settings.validate()) {
            (Self::State, Err(error)) => error.into(),
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
    pub(super) fn check_input(
        &self,
        workspace: &Workspace,
        settings: &Settings,
        pose: &[RigidTransform],
    ) -> Result<(), InputError> {
        self.check_fit(workspace, pose)?;
        settings.check_usable()?;
        match self.hierarchy.first_unusable(pose) {
            Some(bone) => Err(InputError::Bone { bone }),
            None => Ok(()),
        }
    }
}
