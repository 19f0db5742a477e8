//! The spine: its two ends are carried by the torso's planes, the bones between swing and twist (seed 000,
//! «IKMappingSpine»).

use glam::Vec3;

use crate::full_body::hierarchy::{Hierarchy, KeyBone, KeyPose};
use crate::full_body::names::Node;
use crate::full_body::state::{Frame, Points};
use crate::full_body::writing::{BoneMove, WriteCause, Written};
use crate::lanes::{
    Basis, Layout, Mask, Number, Rotation, TokenOf, Vector, VectorOf, decide, fabrik_joint, from_to, length, nlerp,
    ortho_normalize, turn_between,
};
use crate::rig::LimbName;
use crate::stepped::{Flow, GO_ON, Watch};

/// The nodes whose triangle carries the pelvis.
pub const PELVIS_PLANE: [Node; 3] = [Node::Body, Node::LeftThigh, Node::RightThigh];
/// The nodes whose triangle carries the last spine bone.
pub const CHEST_PLANE: [Node; 3] = [Node::Body, Node::LeftUpperArm, Node::RightUpperArm];

/// Pelvis and spine bones, as read for one frame. The pelvis is number 0.
#[derive(Debug, PartialEq)]
pub struct SpineMapping<R: Number = f32> {
    pub bones: Vec<SpineBone<R>>,
    pub root_node: usize,
    /// The bones between the ends are not placed by the planes and the root node alone.
    pub use_fabrik: bool,
    /// The planes that carry the two ends: none before the first frame.
    pub planes: Option<[Basis<R::Vec3>; 2]>,
}

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpineBone<R: Number = f32> {
    /// To the next.
    pub length: R,
    /// Towards the next bone.
    pub swing_axis: R::Vec3,
    /// Across the shoulders, as far as that is across the bone; unit.
    pub twist_axis: R::Vec3,
}

impl<R: Number> Default for SpineMapping<R> {
    fn default() -> Self {
        Self { bones: Vec::new(), root_node: 0, use_fabrik: false, planes: None }
    }
}

impl<R: Number> Clone for SpineMapping<R> {
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

/// Where the nodes of a plane are.
#[inline(always)]
fn plane<L: Layout<One = R>, R: Number>(points: &Points<L>, limbs: [LimbName; 2]) -> [R::Vec3; 3] {
    let [left, right] = limbs;
    let (of_left, of_right) = (points.limbs[L::place(left).0][0], points.limbs[L::place(right).0][0]);
    [points.body, L::one_vector(of_left, left), L::one_vector(of_right, right)]
}

/// Where a torso plane, now as the nodes are, carries a bone that was there in the pose as read.
#[inline(always)]
fn carried_by_plane<L: Layout>(
    (frame, points): (&Frame<L>, &Points<L>),
    as_read: Basis<VectorOf<L::One>>,
    limbs: [LimbName; 2],
    bone: VectorOf<L::One>,
) -> KeyBone<L::One> {
    let now = plane(points, limbs);
    let turn = turn_between::<L::One>(as_read, Basis::of_plane::<L::One>(now));
    KeyBone { position: now[0] + turn.rotate(bone - frame.bones.body), turn }
}

const THIGHS: [LimbName; 2] = [LimbName::LeftLeg, LimbName::RightLeg];
const UPPER_ARMS: [LimbName; 2] = [LimbName::LeftArm, LimbName::RightArm];

impl<R: Number> SpineMapping<R> {
    // Spine bones are the first keys, in their order: key = index.
    #[inline(always)]
    pub fn read<L: Layout<One = R>>(
        &mut self,
        token: TokenOf<L>,
        (hierarchy, root_node): (&Hierarchy, usize),
        keys: &KeyPose<R>,
        frame: &Frame<L>,
    ) {
        let count = hierarchy.spine_len;
        let (length_of_none, axis) = (R::splat(token, 0.0), R::Vec3::splat(token, Vec3::ZERO));
        self.bones.resize(count, SpineBone { length: length_of_none, swing_axis: axis, twist_axis: axis });
        self.root_node = root_node;
        self.use_fabrik = count > 3 || root_node != 1;
        self.planes = Some([
            Basis::of_plane::<R>(plane(&frame.bones, THIGHS)),
            Basis::of_plane::<R>(plane(&frame.bones, UPPER_ARMS)),
        ]);
        let [_, left, right] = plane(&frame.bones, UPPER_ARMS);
        let across = left - right;
        for (index, read) in self.bones.iter_mut().enumerate().take(count - 1) {
            let swing_axis = keys.base(index + 1).position - keys.base(index).position;
            let twist_axis = if index > 0 { ortho_normalize::<R>(swing_axis, across) } else { swing_axis };
            *read = SpineBone { length: length(swing_axis), swing_axis, twist_axis };
        }
    }

    #[inline(always)]
    pub fn write<L: Layout<One = R>>(
        &self,
        hierarchy: &Hierarchy,
        written: &mut Written<R>,
        frame: &Frame<L>,
        points: &Points<L>,
        watch: &mut impl Watch<BoneMove>,
    ) -> Flow {
        let Some(planes) = self.planes else { return GO_ON };
        let last = self.bones.len() - 1;
        let mut pelvis = carried_by_plane::<L>((frame, points), planes[0], THIGHS, written.keys.base(0).position);
        let chest = carried_by_plane::<L>((frame, points), planes[1], UPPER_ARMS, written.keys.base(last).position);
        let ends = [pelvis.position, points.body, chest.position];
        self.place_joints(written, frame.spine_iterations, ends, watch)?;

        pelvis.position = written.joints[0];
        written.move_bone(hierarchy, 0, pelvis, WriteCause::PelvisPlane, watch)?;
        let [_, left, right] = plane(points, UPPER_ARMS);
        let across = left - right;
        let spreads_twist = frame.spine_twist_weight.gt(frame.spine_twist_weight.like(0.0)).any();
        for index in 1..last {
            let mut bone = written.keys.get(hierarchy, index);
            let read = &self.bones[index];
            let swing_axis = written.joints[index + 1] - bone.position;
            bone.turn = from_to::<R>(bone.turn.rotate(read.swing_axis), swing_axis) * bone.turn;
            let mut cause = WriteCause::Swing;
            if spreads_twist {
                written.move_bone_first(hierarchy, index, bone, cause, watch)?;
                let weight = self.twist_weight(index, frame.spine_twist_weight);
                let twisted = ortho_normalize::<R>(swing_axis, across);
                let twist = from_to::<R>(bone.turn.rotate(read.twist_axis), twisted);
                bone.turn = nlerp::<R>(bone.turn, twist * bone.turn, weight);
                cause = WriteCause::Twist;
            }
            bone.turn = bone.turn.normalize();
            written.move_bone(hierarchy, index, bone, cause, watch)?;
        }
        written.move_bone(hierarchy, last, chest, WriteCause::ChestPlane, watch)
    }

    /// The share of the shoulders' twist that a bone takes; `spine_twist_weight` is that of the whole spine.
    pub fn twist_weight(&self, index: usize, spine_twist_weight: R) -> R {
        spine_twist_weight * spine_twist_weight.like(index as f32 / (self.bones.len() - 2) as f32)
    }

    /// Places the virtual joints, by rounds of FABRIK where the planes do not say it all.
    #[inline(always)]
    fn place_joints(
        &self,
        written: &mut Written<R>,
        rounds: u32,
        [pelvis, body, chest]: [R::Vec3; 3],
        watch: &mut impl Watch<BoneMove>,
    ) -> Flow {
        let last = self.bones.len() - 1;
        if decide(self.use_fabrik) {
            let offset = body - written.keys.base(self.root_node).position;
            for joint in 0..=last {
                let to = written.keys.base(joint).position + offset;
                written.move_joint(joint, to, WriteCause::SpineOffset, watch)?;
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

    #[inline(always)]
    fn forward_reach(
        &self,
        written: &mut Written<R>,
        end: R::Vec3,
        round: u32,
        watch: &mut impl Watch<BoneMove>,
    ) -> Flow {
        let cause = WriteCause::SpineForward { round };
        let last = self.bones.len() - 1;
        written.move_joint(last, end, cause, watch)?;
        for index in (0..last).rev() {
            let to = fabrik_joint(written.joints[index], written.joints[index + 1], self.bones[index].length);
            written.move_joint(index, to, cause, watch)?;
        }
        GO_ON
    }

    #[inline(always)]
    fn backward_reach(
        &self,
        written: &mut Written<R>,
        start: R::Vec3,
        round: u32,
        watch: &mut impl Watch<BoneMove>,
    ) -> Flow {
        let cause = WriteCause::SpineBackward { round };
        written.move_joint(0, start, cause, watch)?;
        for index in 1..self.bones.len() {
            let to = fabrik_joint(written.joints[index], written.joints[index - 1], self.bones[index - 1].length);
            written.move_joint(index, to, cause, watch)?;
        }
        GO_ON
    }
}
