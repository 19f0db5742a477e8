//! Spine mapping: the torso's planes carry the pelvis and the last spine bone; the bones between them swing and twist.
//! Source: *Full-body notes*, «IKMappingSpine».

use glam::Vec3;

use crate::full_body::hierarchy::{Hierarchy, KeyBone, KeyPose};
use crate::full_body::state::{Frame, Points};
use crate::full_body::written::{BoneMove, WriteCause, Written};
use crate::lanes::{
    Basis, Layout, Mask, Number, Rotation, TokenOf, Vector, VectorOf, decide, fabrik_joint, from_to, length, nlerp,
    ortho_normalize, turn_between,
};
use crate::names::Node;
use crate::rig::LimbName;
use crate::stepped::{Flow, GO_ON, Watch};
use crate::timing::Work;

pub const PELVIS_PLANE: [Node; 3] = [Node::Body, Node::LeftThigh, Node::RightThigh];
pub const CHEST_PLANE: [Node; 3] = [Node::Body, Node::LeftUpperArm, Node::RightUpperArm];

/// Rounds of the spine's FABRIK before [`SpineMapping::further_rounds`] looks for repeating positions.
const PLAIN_ROUNDS: u32 = 32;
/// A spine bone is negligible up to this share of the spine's length, 0.5 mm for a person. Its direction then consists
/// of rounding and the remaining error of the FABRIK, so a swing toward it would be noise.
const NEGLIGIBLE: f32 = 1e-3;
/// Spines with more bones run every round without looking for repeating positions.
const MAX_COMPARED: usize = 32;

/// Pelvis and spine bones as read for one frame; index 0 is the pelvis. The last bone's values are not used.
#[derive(Debug, PartialEq)]
pub struct SpineMapping<R: Number = f32> {
    pub bones: Vec<SpineBone<R>>,
    pub root_node: usize,
    /// Whether FABRIK places the virtual joints between the ends; otherwise the planes and the body node place all of
    /// them.
    pub use_fabrik: bool,
    /// Planes that carry pelvis and last spine bone, in the pose as read; `None` before the first frame
    /// with iterations.
    pub planes: Option<[Basis<R::Vec3>; 2]>,
}

/// A spine bone as read. A [negligible](NEGLIGIBLE) bone has zero axes, so it neither swings nor twists: it follows its
/// parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpineBone<R: Number = f32> {
    /// Distance to the next bone, model units.
    pub length: R,
    /// Vector to the next bone, model space.
    pub swing_axis: R::Vec3,
    /// Direction across the shoulders, orthogonal to the bone. Unit, model space. Not used for the pelvis.
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

    /// Reuses the buffer.
    fn clone_from(&mut self, source: &Self) {
        let mut bones = std::mem::take(&mut self.bones);
        bones.clone_from(&source.bones);
        *self = Self { bones, ..*source };
    }
}

#[inline(always)]
fn plane<L: Layout<One = R>, R: Number>(points: &Points<L>, limbs: [LimbName; 2]) -> [R::Vec3; 3] {
    let [left, right] = limbs;
    let (of_left, of_right) = (points.limbs[L::place(left).0][0], points.limbs[L::place(right).0][0]);
    [points.body, L::one_vector(of_left, left), L::one_vector(of_right, right)]
}

/// Returns the position and turn that a torso plane gives to a bone. `as_read` is the plane and `bone` the bone's
/// position in the pose as read.
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
    // Keys of spine bones equal their index, as they are the first keys.
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
        self.use_fabrik = decide(count > 3) || decide(root_node != 1);
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
        let whole = self.bones[..count - 1].iter().fold(length_of_none, |whole, bone| whole + bone.length);
        let least = whole * whole.like(NEGLIGIBLE);
        for bone in &mut self.bones[..count - 1] {
            let has_length = bone.length.gt(least);
            if !has_length.all() {
                bone.swing_axis = R::Vec3::select(has_length, bone.swing_axis, axis);
                bone.twist_axis = R::Vec3::select(has_length, bone.twist_axis, axis);
            }
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
            watch.ended(Work::Write);
            let read = &self.bones[index];
            let swing_axis = written.joints[index + 1] - bone.position;
            bone.turn = from_to::<R>(bone.turn.rotate(read.swing_axis), swing_axis) * bone.turn;
            let mut cause = WriteCause::Swing;
            watch.ended(Work::Swing);
            if spreads_twist {
                written.move_bone_first(hierarchy, index, bone, cause, watch)?;
                let weight = self.twist_weight(index, frame.spine_twist_weight);
                let twisted = ortho_normalize::<R>(swing_axis, across);
                let twist = from_to::<R>(bone.turn.rotate(read.twist_axis), twisted);
                bone.turn = nlerp::<R>(bone.turn, twist * bone.turn, weight);
                cause = WriteCause::Twist;
                watch.ended(Work::Twist);
            }
            bone.turn = bone.turn.normalize();
            written.move_bone(hierarchy, index, bone, cause, watch)?;
        }
        written.move_bone(hierarchy, last, chest, WriteCause::ChestPlane, watch)
    }

    /// Returns the share of the shoulders' twist that a bone takes. `spine_twist_weight` is the weight of the whole
    /// spine.
    pub fn twist_weight(&self, index: usize, spine_twist_weight: R) -> R {
        spine_twist_weight * spine_twist_weight.like(index as f32 / (self.bones.len() - 2) as f32)
    }

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
            for round in 0..rounds.min(PLAIN_ROUNDS) {
                self.round(written, [pelvis, body, chest], round, watch)?;
            }
            if rounds > PLAIN_ROUNDS {
                self.further_rounds(written, [pelvis, body, chest], rounds, watch)?;
            }
        } else {
            written.move_joint(0, pelvis, WriteCause::SpineEnd, watch)?;
            written.move_joint(self.root_node, body, WriteCause::SpineEnd, watch)?;
        }
        written.move_joint(last, chest, WriteCause::SpineEnd, watch)
    }

    #[inline(always)]
    fn round(
        &self,
        written: &mut Written<R>,
        [pelvis, body, chest]: [R::Vec3; 3],
        round: u32,
        watch: &mut impl Watch<BoneMove>,
    ) -> Flow {
        self.forward_reach(written, chest, round, watch)?;
        self.backward_reach(written, pelvis, round, watch)?;
        written.move_joint(self.root_node, body, WriteCause::RootPutBack { round }, watch)
    }

    /// Runs the rounds after the first [`PLAIN_ROUNDS`]. Sooner or later the joints repeat earlier positions bit for
    /// bit and cycle; whole cycles are skipped in spines of up to [`MAX_COMPARED`] bones.
    #[cold]
    #[inline(never)]
    fn further_rounds(
        &self,
        written: &mut Written<R>,
        ends: [R::Vec3; 3],
        mut rounds: u32,
        watch: &mut impl Watch<BoneMove>,
    ) -> Flow {
        // Brent's cycle detection: compares with the joints after the last number of rounds that was a power of two.
        let (mut before, mut since, mut is_known) = ([ends[0]; MAX_COMPARED], 0, false);
        let count = self.bones.len();
        let mut round = PLAIN_ROUNDS;
        while round < rounds {
            self.round(written, ends, round, watch)?;
            round += 1;
            let Some(before) = before.get_mut(..count).filter(|_| !is_known) else { continue };
            if since > 0 && before[..] == written.joints[..] {
                is_known = true;
                rounds = round + (rounds - round) % (round - since);
            } else if round.is_power_of_two() {
                before.copy_from_slice(&written.joints);
                since = round;
            }
        }
        GO_ON
    }

    #[inline(always)]
    fn forward_reach<W: Watch<BoneMove>>(
        &self,
        written: &mut Written<R>,
        end: R::Vec3,
        round: u32,
        watch: &mut W,
    ) -> Flow {
        let cause = WriteCause::SpineForward { round };
        let last = self.bones.len() - 1;
        written.move_joint(last, end, cause, watch)?;
        // The backward reach sets the first joint itself, so only a watched solve moves that joint here.
        let first = usize::from(!W::LISTENS);
        for index in (first..last).rev() {
            let to = fabrik_joint(written.joints[index], written.joints[index + 1], self.bones[index].length);
            written.move_joint(index, to, cause, watch)?;
        }
        GO_ON
    }

    #[inline(always)]
    fn backward_reach<W: Watch<BoneMove>>(
        &self,
        written: &mut Written<R>,
        start: R::Vec3,
        round: u32,
        watch: &mut W,
    ) -> Flow {
        let cause = WriteCause::SpineBackward { round };
        written.move_joint(0, start, cause, watch)?;
        // The next forward reach, or the end of the rounds, sets the last joint itself, so only a watched solve moves
        // that joint here.
        let count = self.bones.len() - usize::from(!W::LISTENS);
        for index in 1..count {
            let to = fabrik_joint(written.joints[index], written.joints[index - 1], self.bones[index - 1].length);
            written.move_joint(index, to, cause, watch)?;
        }
        GO_ON
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stepped::Unwatched;

    fn bent(index: usize) -> Vec3 {
        Vec3::new(0.0, 0.1 * index as f32, 0.01 * (index * index) as f32)
    }

    fn spine(count: usize) -> (SpineMapping, Written) {
        let bone = |index: usize| SpineBone {
            length: bent(index + 1).distance(bent(index)),
            swing_axis: Vec3::Y,
            twist_axis: Vec3::X,
        };
        let bones = (0..count).map(bone).collect();
        let joints = (0..count).map(bent).collect();
        let spine = SpineMapping { bones, root_node: 2, use_fabrik: true, planes: None };
        (spine, Written { joints, ..Written::default() })
    }

    #[test]
    fn whole_cycles_of_rounds_are_skipped() {
        for count in [5, 6, 9, MAX_COMPARED + 1] {
            let (spine, start) = spine(count);
            for turn in 0..12 {
                let off = Vec3::new((turn as f32).sin(), (2.0 * turn as f32).cos(), (3.0 * turn as f32).sin()) * 0.03;
                let ends = [bent(0) - off * 0.3, bent(2), bent(count - 1) + off];
                for rounds in [32, 33, 100, 1000, 1001, 4095] {
                    let (mut all, mut few) = (start.clone(), start.clone());
                    for round in 0..rounds {
                        let _ = spine.round(&mut all, ends, round, &mut Unwatched);
                    }
                    for round in 0..PLAIN_ROUNDS.min(rounds) {
                        let _ = spine.round(&mut few, ends, round, &mut Unwatched);
                    }
                    let _ = spine.further_rounds(&mut few, ends, rounds, &mut Unwatched);
                    assert_eq!(few.joints, all.joints, "{count} bones, {rounds} rounds, {turn}");
                }
            }
        }
    }

    #[test]
    fn a_settled_spine_runs_no_more_rounds() {
        struct Count(usize);
        impl Watch<BoneMove> for Count {
            const LISTENS: bool = true;
            fn saw(&mut self, _: BoneMove) -> Flow {
                self.0 += 1;
                GO_ON
            }
        }
        let (spine, mut written) = spine(5);
        let mut count = Count(0);
        let _ = spine.further_rounds(&mut written, [bent(0), bent(2), bent(4) - Vec3::Y * 0.03], 65535, &mut count);
        assert!(count.0 < 10 * 2048, "{} moves", count.0);
    }
}
