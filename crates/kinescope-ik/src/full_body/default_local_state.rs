//! Local transforms to restore before each animation update. Source: *Full-body notes*, «StoreDefaultLocalState».

use super::body::FullBody;
use crate::rig::{BoneIndex, LocalPose, LocalTransform};

/// Local transforms of the bones that the solver writes, for restoring them before each animation update.
///
/// The solver also writes positions. If nothing restored the positions, the solver's changes would add up from frame to
/// frame wherever a clip has no position curves.
#[derive(Clone, Debug, PartialEq)]
pub struct DefaultLocalState {
    bones: Vec<(BoneIndex, LocalTransform)>,
}

impl DefaultLocalState {
    /// Stores the [written bones](FullBody::written_bones) of `pose`. Skips bones that `pose` lacks.
    pub fn store(solver: &FullBody, pose: &LocalPose) -> Self {
        let bones = solver.written_bones();
        Self { bones: bones.filter_map(|bone| Some((bone, *pose.bones.get(bone)?))).collect() }
    }

    /// Restores the stored transforms. Skips bones that `pose` lacks.
    pub fn restore(&self, pose: &mut LocalPose) {
        for &(bone, local) in &self.bones {
            if let Some(slot) = pose.bones.get_mut(bone) {
                *slot = local;
            }
        }
    }
}
