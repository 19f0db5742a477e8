//! The spine: its two ends are carried by the torso's planes, the bones between swing and twist (seed 000,
//! «IKMappingSpine»).

use glam::Vec3;

use super::InPlane;
use crate::full_body::hierarchy::{Hierarchy, KeyPose};
use crate::full_body::names::Node;
use crate::full_body::state::{Frame, State};
use crate::math::{fabrik_joint, from_to_rotation, length, nlerp, ortho_normalize};

/// The nodes whose triangle carries the pelvis.
const PELVIS_PLANE: [Node; 3] = [Node::Body, Node::LeftThigh, Node::RightThigh];
/// The nodes whose triangle carries the last spine bone.
const CHEST_PLANE: [Node; 3] = [Node::Body, Node::LeftUpperArm, Node::RightUpperArm];

/// Pelvis and spine bones, as read for one frame. The pelvis is number 0.
#[derive(Clone, Debug, Default)]
pub struct SpineMapping {
    bones: Vec<SpineBone>,
    root_node: usize,
    /// The bones between the ends are not placed by the planes and the root node alone.
    use_fabrik: bool,
    pelvis: InPlane,
    chest: InPlane,
}

#[derive(Clone, Copy, Debug, Default)]
struct SpineBone {
    /// To the next.
    length: f32,
    /// Towards the next bone, in bone space.
    local_swing_axis: Vec3,
    /// Across the shoulders, in bone space.
    local_twist_axis: Vec3,
    position: Vec3,
    ik_position: Vec3,
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

    pub fn write(&mut self, hierarchy: &Hierarchy, keys: &mut KeyPose, frame: &Frame, state: &State) {
        let solved = |nodes: [Node; 3]| nodes.map(|node| state.nodes[node]);
        let plane = solved(PELVIS_PLANE);
        let pelvis = self.pelvis.carried(Frame::plane_rotation(plane), plane[0]);
        let plane = solved(CHEST_PLANE);
        let chest = self.chest.carried(Frame::plane_rotation(plane), plane[0]);
        let body = state.nodes[Node::Body];
        let last = self.bones.len() - 1;

        if self.use_fabrik {
            let offset = body - self.bones[self.root_node].position;
            for bone in &mut self.bones {
                bone.ik_position = bone.position + offset;
            }
            for _ in 0..frame.spine_iterations {
                self.forward_reach(chest.position);
                self.backward_reach(pelvis.position);
                self.bones[self.root_node].ik_position = body;
            }
        } else {
            self.bones[0].ik_position = pelvis.position;
            self.bones[self.root_node].ik_position = body;
        }
        self.bones[last].ik_position = chest.position;

        let mut first = pelvis;
        first.position = self.bones[0].ik_position;
        keys.set(hierarchy, 0, first);
        let across = state.nodes[Node::LeftUpperArm] - state.nodes[Node::RightUpperArm];
        for index in 1..last {
            let mut bone = keys.get(hierarchy, index);
            let read = &self.bones[index];
            let swing_axis = self.bones[index + 1].ik_position - bone.position;
            bone.rotation = from_to_rotation(bone.rotation * read.local_swing_axis, swing_axis) * bone.rotation;
            if frame.spine_twist_weight > 0.0 {
                let weight = index as f32 / (last - 1) as f32 * frame.spine_twist_weight;
                let twisted = ortho_normalize(swing_axis, across);
                let twist = from_to_rotation(bone.rotation * read.local_twist_axis, twisted);
                bone.rotation = nlerp(bone.rotation, twist * bone.rotation, weight);
            }
            bone.rotation = bone.rotation.normalize();
            keys.set(hierarchy, index, bone);
        }
        keys.set(hierarchy, last, chest);
    }

    fn forward_reach(&mut self, end: Vec3) {
        let last = self.bones.len() - 1;
        self.bones[last].ik_position = end;
        for index in (0..last).rev() {
            let next = self.bones[index + 1].ik_position;
            let bone = &mut self.bones[index];
            bone.ik_position = fabrik_joint(bone.ik_position, next, bone.length);
        }
    }

    fn backward_reach(&mut self, start: Vec3) {
        self.bones[0].ik_position = start;
        for index in 1..self.bones.len() {
            let before = self.bones[index - 1];
            let bone = &mut self.bones[index];
            bone.ik_position = fabrik_joint(bone.ik_position, before.ik_position, before.length);
        }
    }
}
