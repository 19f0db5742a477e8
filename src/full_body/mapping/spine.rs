//! The spine: its two ends are carried by the torso's planes, the bones between swing and twist (seed 000,
//! «IKMappingSpine»).

use glam::Vec3;

use super::InPlane;
use crate::full_body::hierarchy::{Hierarchy, KeyPose};
use crate::full_body::names::{Node, Nodes};
use crate::full_body::state::Frame;
use crate::full_body::writing::{BoneMove, WriteCause, Written};
use crate::math::{fabrik_joint, from_to_rotation, length, nlerp, ortho_normalize};
use crate::stepped::{Flow, GO_ON, Watch};

/// The nodes whose triangle carries the pelvis.
pub const PELVIS_PLANE: [Node; 3] = [Node::Body, Node::LeftThigh, Node::RightThigh];
/// The nodes whose triangle carries the last spine bone.
pub const CHEST_PLANE: [Node; 3] = [Node::Body, Node::LeftUpperArm, Node::RightUpperArm];

/// Pelvis and spine bones, as read for one frame. The pelvis is number 0.
#[derive(Debug, Default, PartialEq)]
pub struct SpineMapping {
    pub bones: Vec<SpineBone>,
    pub root_node: usize,
    /// The bones between the ends are not placed by the planes and the root node alone.
    pub use_fabrik: bool,
    pub pelvis: InPlane,
    pub chest: InPlane,
}

impl Clone for SpineMapping {
    fn clone(&self) -> Self {
        Self { bones: self.bones.clone(), ..*self }
    }

    /// The buffer is used again.
    fn clone_from(&mut self, source: &Self) {
        let mut bones = std::mem::take(&mut self.bones);
        bones.clone_from(&source.bones);
        *self = Self { bones, ..*source };
    }
}

/// One of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpineBone {
    /// To the next.
    pub length: f32,
    /// Towards the next bone, in bone space.
    pub local_swing_axis: Vec3,
    /// Across the shoulders, in bone space.
    pub local_twist_axis: Vec3,
    pub position: Vec3,
}

impl SpineMapping {
    /// `count` bones with the pelvis, `root_node` the index of the one that is the `body` node.
    pub fn new(count: usize, root_node: usize) -> Self {
        Self {
            bones: vec![SpineBone::default(); count],
            root_node,
            use_fabrik: count > 3 || root_node != 1,
            ..Self::default()
        }
    }

    // Spine bones are the first keys, in their order: key = index.
    pub fn read(&mut self, hierarchy: &Hierarchy, keys: &mut KeyPose, frame: &Frame) {
        let animated = |nodes: [Node; 3]| nodes.map(|node| frame.bone(node).position);
        let last = self.bones.len() - 1;
        let plane = animated(PELVIS_PLANE);
        self.pelvis = InPlane::read(Frame::plane_rotation(plane), plane[0], &keys.get(hierarchy, 0));
        let plane = animated(CHEST_PLANE);
        self.chest = InPlane::read(Frame::plane_rotation(plane), plane[0], &keys.get(hierarchy, last));

        let across = frame.bone(Node::LeftUpperArm).position - frame.bone(Node::RightUpperArm).position;
        for index in 0..=last {
            let bone = keys.get(hierarchy, index);
            let read = &mut self.bones[index];
            read.position = bone.position;
            if index < last {
                let swing_axis = keys.get(hierarchy, index + 1).position - bone.position;
                let into_bone = bone.rotation.conjugate();
                read.length = length(swing_axis);
                read.local_swing_axis = into_bone * swing_axis;
                read.local_twist_axis = into_bone * ortho_normalize(swing_axis, across);
            }
        }
    }

    pub fn write(
        &self,
        hierarchy: &Hierarchy,
        written: &mut Written,
        frame: &Frame,
        nodes: &Nodes,
        watch: &mut impl Watch<BoneMove>,
    ) -> Flow {
        let solved = |plane: [Node; 3]| plane.map(|node| nodes[node]);
        let plane = solved(PELVIS_PLANE);
        let mut pelvis = self.pelvis.carried(Frame::plane_rotation(plane), plane[0]);
        let plane = solved(CHEST_PLANE);
        let chest = self.chest.carried(Frame::plane_rotation(plane), plane[0]);
        self.place_joints(
            written,
            frame.spine_iterations,
            [pelvis.position, nodes[Node::Body], chest.position],
            watch,
        )?;

        pelvis.position = written.joints[0];
        written.move_bone(hierarchy, 0, pelvis, WriteCause::PelvisPlane, watch)?;
        let last = self.bones.len() - 1;
        let across = nodes[Node::LeftUpperArm] - nodes[Node::RightUpperArm];
        for index in 1..last {
            let mut bone = written.keys.get(hierarchy, index);
            let read = &self.bones[index];
            let swing_axis = written.joints[index + 1] - bone.position;
            bone.rotation = from_to_rotation(bone.rotation * read.local_swing_axis, swing_axis) * bone.rotation;
            let mut cause = WriteCause::Swing;
            if frame.spine_twist_weight > 0.0 {
                written.move_bone_first(hierarchy, index, bone, cause, watch)?;
                let weight = self.twist_weight(index, frame);
                let twisted = ortho_normalize(swing_axis, across);
                let twist = from_to_rotation(bone.rotation * read.local_twist_axis, twisted);
                bone.rotation = nlerp(bone.rotation, twist * bone.rotation, weight);
                cause = WriteCause::Twist;
            }
            bone.rotation = bone.rotation.normalize();
            written.move_bone(hierarchy, index, bone, cause, watch)?;
        }
        written.move_bone(hierarchy, last, chest, WriteCause::ChestPlane, watch)
    }

    /// The share of the shoulders' twist that a bone takes.
    pub fn twist_weight(&self, index: usize, frame: &Frame) -> f32 {
        index as f32 / (self.bones.len() - 2) as f32 * frame.spine_twist_weight
    }

    /// Places the virtual joints, by rounds of FABRIK where the planes do not say it all.
    fn place_joints(
        &self,
        written: &mut Written,
        rounds: u32,
        [pelvis, body, chest]: [Vec3; 3],
        watch: &mut impl Watch<BoneMove>,
    ) -> Flow {
        let last = self.bones.len() - 1;
        if self.use_fabrik {
            let offset = body - self.bones[self.root_node].position;
            for (joint, bone) in self.bones.iter().enumerate() {
                written.move_joint(joint, bone.position + offset, WriteCause::SpineOffset, watch)?;
            }
            for round in 0..rounds {
                self.forward_reach(written, chest, round, watch)?;
                self.backward_reach(written, pelvis, round, watch)?;
                written.move_joint(self.root_node, body, WriteCause::RootPutBack { round }, watch)?;
            }
        } else {
            written.move_joint(0, pelvis, WriteCause::SpineEnd, watch)?;
            written.move_joint(self.root_node, body, WriteCause::SpineEnd, watch)?;
        }
        written.move_joint(last, chest, WriteCause::SpineEnd, watch)
    }

    fn forward_reach(&self, written: &mut Written, end: Vec3, round: u32, watch: &mut impl Watch<BoneMove>) -> Flow {
        let cause = WriteCause::SpineForward { round };
        let last = self.bones.len() - 1;
        written.move_joint(last, end, cause, watch)?;
        for index in (0..last).rev() {
            let to = fabrik_joint(written.joints[index], written.joints[index + 1], self.bones[index].length);
            written.move_joint(index, to, cause, watch)?;
        }
        GO_ON
    }

    fn backward_reach(&self, written: &mut Written, start: Vec3, round: u32, watch: &mut impl Watch<BoneMove>) -> Flow {
        let cause = WriteCause::SpineBackward { round };
        written.move_joint(0, start, cause, watch)?;
        for index in 1..self.bones.len() {
            let to = fabrik_joint(written.joints[index], written.joints[index - 1], self.bones[index - 1].length);
            written.move_joint(index, to, cause, watch)?;
        }
        GO_ON
    }
}
