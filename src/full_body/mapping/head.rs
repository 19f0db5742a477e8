//! The head: goes with the spine, or keeps its rotation (seed 000, «IKMappingBone»).

use glam::Quat;

use crate::full_body::hierarchy::{Hierarchy, KeyPose};
use crate::full_body::state::Frame;
use crate::math::nlerp;

/// The head as read for one frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct HeadMapping {
    animated_rotation: Quat,
}

impl HeadMapping {
    pub fn read(&mut self, hierarchy: &Hierarchy, keys: &mut KeyPose) {
        if let Some(head) = hierarchy.head {
            self.animated_rotation = keys.get(hierarchy, head).rotation;
        }
    }

    pub fn write(&self, hierarchy: &Hierarchy, keys: &mut KeyPose, frame: &Frame) {
        let weight = frame.head_maintain_rotation * frame.weight;
        if let Some(head) = hierarchy.head.filter(|_| weight > 0.0) {
            let mut bone = keys.get(hierarchy, head);
            bone.rotation = nlerp(bone.rotation, self.animated_rotation, weight);
            keys.set(hierarchy, head, bone);
        }
    }
}
