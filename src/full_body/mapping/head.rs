//! The head: goes with the spine, or keeps its rotation (seed 000, «IKMappingBone»).

use glam::Quat;

use crate::full_body::hierarchy::{Hierarchy, KeyPose};
use crate::full_body::state::Frame;
use crate::full_body::writing::{BoneMove, WriteCause, Written};
use crate::math::nlerp;
use crate::stepped::{Flow, GO_ON, Watch};

/// The head as read for one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeadMapping {
    pub animated_rotation: Quat,
}

impl HeadMapping {
    pub fn read(&mut self, hierarchy: &Hierarchy, keys: &mut KeyPose) {
        if let Some(head) = hierarchy.head {
            self.animated_rotation = keys.get(hierarchy, head).rotation;
        }
    }

    pub fn write(
        &self,
        hierarchy: &Hierarchy,
        written: &mut Written,
        frame: &Frame,
        watch: &mut impl Watch<BoneMove>,
    ) -> Flow {
        let weight = frame.head_maintain_rotation * frame.weight;
        let Some(head) = hierarchy.head.filter(|_| weight > 0.0) else { return GO_ON };
        let mut bone = written.keys.get(hierarchy, head);
        bone.rotation = nlerp(bone.rotation, self.animated_rotation, weight);
        written.move_bone(hierarchy, head, bone, WriteCause::HeadRotation, watch)
    }
}
