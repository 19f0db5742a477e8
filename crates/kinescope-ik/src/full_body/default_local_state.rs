//! The local transforms that bones go back to before each animation update. Source: *Full-body notes*,
//! «StoreDefaultLocalState».

use super::body::FullBody;
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
    /// Bones that `pose` has not are left out.
    pub fn store(solver: &FullBody, pose: &LocalPose) -> Self {
        let hierarchy = &solver.hierarchy;
        let bones = (0..hierarchy.key_count()).map(|key| hierarchy.bone(key));
        Self { bones: bones.filter_map(|bone| Some((bone, *pose.bones.get(bone)?))).collect() }
    }

    /// Puts them back, as far as `pose` has them.
    pub fn restore(&self, pose: &mut LocalPose) {
        for &(bone, local) in &self.bones {
            if let Some(slot) = pose.bones.get_mut(bone) {
                *slot = local;
            }
        }
    }
}
