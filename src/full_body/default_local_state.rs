//! The default local state (seed 000, «StoreDefaultLocalState»).

use super::FullBody;
use crate::rig::{BoneIndex, LocalPose, LocalTransform};

/// The local transforms of all bones that the solver writes, to be restored before each animation update.
///
/// The solver also writes positions; where a clip has no curve for them, they would add up over the frames.
#[derive(Clone, Debug, PartialEq)]
pub struct DefaultLocalState {
    bones: Vec<(BoneIndex, LocalTransform)>,
}

impl DefaultLocalState {
    /// Stores the bones of `pose` that the solver writes: spine, head, clavicles, limbs.
    ///
    /// # Panics
    /// If `pose` has fewer bones than the solver's skeleton.
    pub fn store(solver: &FullBody, pose: &LocalPose) -> Self {
        let hierarchy = &solver.hierarchy;
        let bones = (0..hierarchy.key_count()).map(|key| hierarchy.bone(key)).map(|bone| (bone, pose.bones[bone]));
        Self { bones: bones.collect() }
    }

    /// Puts them back.
    ///
    /// # Panics
    /// If `pose` has fewer bones than the solver's skeleton.
    pub fn restore(&self, pose: &mut LocalPose) {
        for &(bone, local) in &self.bones {
            pose.bones[bone] = local;
        }
    }
}
