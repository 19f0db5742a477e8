//! Local transforms to restore before each animation update. Source: *Full-body notes*, «StoreDefaultLocalState».

use super::body::FullBody;
use crate::rig::{BoneIndex, LocalPose, LocalTransform};

/// Local transforms of all bones that the solver writes, for restoring them before each animation update.
///
/// The solver also writes positions. If nothing restored them, its changes would add up from frame to frame wherever a
/// clip has no position curves.
#[derive(Clone, Debug, PartialEq)]
pub struct DefaultLocalState {
    bones: Vec<(BoneIndex, LocalTransform)>,
}

impl DefaultLocalState {
    /// Stores the bones of `pose` that the solver writes: pelvis, spine, head, clavicles and limbs. Skips bones that
    /// `pose` lacks.
    pub fn store(solver: &FullBody, pose: &LocalPose) -> Self {
        let hierarchy = &solver.hierarchy;
        let bones = (0..hierarchy.key_count()).map(|key| hierarchy.bone(key));
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
