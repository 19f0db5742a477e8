//! Access of modifiers to the bones of a pose and the settings of a solve.

use glam::{Quat, Vec3};

use super::act::{Act, Change, Seen};
use crate::chain_ik::TwoBone;
use crate::full_body::{Author, Effector, Settings};
use crate::math::{FARTHEST, exact_unit, from_to_rotation, nlerp, unit};
use crate::rig::{BoneIndex, LimbName, RigidTransform};
use crate::stepped::{Flow, GO_ON};

/// Access to the bones of a pose for turning and moving them.
pub struct Bones<'a> {
    /// The frame that the modifier acts in.
    pub seen: Seen<'a>,
    author: Author,
    pose: &'a mut [RigidTransform],
    report: &'a mut dyn FnMut(Act) -> Flow,
    flow: Flow,
}

impl<'a> Bones<'a> {
    /// Creates access to a pose. A pose with fewer transforms than the figure has bones stays unchanged. `report`
    /// receives every act and may stop further ones.
    pub fn new(
        seen: Seen<'a>,
        author: Author,
        pose: &'a mut [RigidTransform],
        report: &'a mut dyn FnMut(Act) -> Flow,
    ) -> Self {
        let flow = if pose.len() < seen.figure.bones() { Flow::Break(()) } else { GO_ON };
        Self { seen, author, pose, report, flow }
    }

    /// Returns the transform of a bone, in the space of the poses; the identity if the pose lacks the bone.
    pub fn get(&self, bone: BoneIndex) -> RigidTransform {
        self.pose.get(bone).copied().unwrap_or_default()
    }

    /// Turns a bone about its position by a rotation in the space of the poses; its descendants follow. Ignores a
    /// quaternion whose length is off 1 by more than 10 %.
    pub fn turn(&mut self, bone: BoneIndex, by: Quat) {
        let from = self.get(bone);
        self.place(bone, RigidTransform { rotation: by * from.rotation, ..from });
    }

    /// Sets the transform of a bone, in the space of the poses; its descendants follow. Ignores a bone that the pose
    /// lacks, and a transform whose position is not finite or beyond a quarter of [`FARTHEST`], or whose quaternion's
    /// length is off 1 by more than 10 %.
    pub fn place(&mut self, bone: BoneIndex, to: RigidTransform) {
        let from = self.get(bone);
        let length = to.rotation.length();
        let is_place = is_sane(to.position) && (0.9..1.1).contains(&length);
        let to = RigidTransform { rotation: exact_unit(to.rotation), ..to };
        if self.flow.is_break() || !is_place || from == to || bone >= self.pose.len() {
            return;
        }
        self.seen.figure.carry(bone, to, self.pose);
        self.report(Change::Bone { bone, from, to });
    }

    /// Bends a limb in its own plane to bring its last bone to the position of `end`, as near as the limb reaches, and
    /// gives the last bone the rotation of `end`. A limb with a bone of zero length only gets the rotation. `end` is in
    /// the space of the poses.
    pub fn bend_limb(&mut self, limb: LimbName, end: RigidTransform) {
        let bones = self.seen.figure.limbs[limb.index()];
        let [p1, p2, p3] = bones.map(|bone| self.get(bone).position);
        if self.get(bones[2]) == end {
            return;
        }
        let two_bone = TwoBone { upper: p1.distance(p2), lower: p2.distance(p3), maximum_stretch: 1.0, soft_zone: 0.0 };
        // A limb whose end is on its root has no direction; it then bends toward `end`.
        let along = unit(p3 - p1).or_else(|| unit(end.position - p1));
        if let Some(along) = along.filter(|_| p3 != end.position && two_bone.upper > 0.0 && two_bone.lower > 0.0) {
            let hint = from_to_rotation(along, end.position - p1) * (p2 - p1);
            let [middle, last] = two_bone.solve(p1, end.position, hint, along);
            self.turn(bones[0], from_to_rotation(p2 - p1, middle - p1));
            let [_, p2, p3] = bones.map(|bone| self.get(bone).position);
            self.turn(bones[1], from_to_rotation(p3 - p2, last - p2));
        }
        let position = self.get(bones[2]).position;
        self.place(bones[2], RigidTransform { position, rotation: end.rotation });
    }

    fn report(&mut self, change: Change) {
        self.flow = (self.report)(Act { author: self.author, change });
    }
}

/// Access to settings and animated pose before they are read.
pub struct Ask<'a> {
    /// Bones of the animated pose; the solve reads them as turned and moved here.
    pub bones: Bones<'a>,
    settings: &'a mut Settings,
}

impl<'a> Ask<'a> {
    /// Creates access to a pose and settings.
    pub fn new(bones: Bones<'a>, settings: &'a mut Settings) -> Self {
        Self { bones, settings }
    }

    /// Returns the settings of the solve, with the changes so far.
    pub fn settings(&self) -> &Settings {
        self.settings
    }

    /// Returns the frame that the modifier acts in.
    pub fn seen(&self) -> Seen<'a> {
        self.bones.seen
    }

    /// Returns the position of an effector's bone in the pose, in the space of the poses.
    pub fn place(&self, effector: Effector) -> Vec3 {
        self.bones.get(self.bones.seen.figure.bone_of(effector)).position
    }

    /// Adds to an effector's one-frame offset. Ignores a result that is not finite or beyond a quarter of
    /// [`FARTHEST`].
    pub fn offset(&mut self, effector: Effector, by: Vec3) {
        let own = &mut self.settings.effector_mut(effector).position_offset;
        let to = *own + by;
        if self.bones.flow.is_break() || to == *own || !is_sane(to) {
            return;
        }
        *own = to;
        self.bones.report(Change::Offset { effector, by });
    }

    /// Adds an offset and, if the effector has a position weight, moves its target by the offset too, so that the
    /// weight does not cancel it. An effector with a weight but no target gets its bone's position plus the offset as
    /// its target.
    pub fn carry(&mut self, effector: Effector, by: Vec3) {
        let own = self.settings.effector(effector);
        let (position, weight) = (own.position.unwrap_or(self.place(effector)), own.position_weight);
        if weight > 0.0 {
            self.target(effector, position + by, weight);
        }
        self.offset(effector, by);
    }

    /// Sets an effector's target (in the space of the poses) and position weight, clamped to 0…1. Ignores a NaN weight,
    /// and a target that is not finite or beyond a quarter of [`FARTHEST`].
    pub fn target(&mut self, effector: Effector, to: Vec3, weight: f32) {
        let place = self.place(effector);
        let own = self.settings.effector_mut(effector);
        let before = (own.position, own.position_weight);
        let weight = weight.clamp(0.0, 1.0);
        if self.bones.flow.is_break() || !is_sane(to) || weight.is_nan() || before == (Some(to), weight) {
            return;
        }
        // The solve ignores the offset of an effector that is held at its bone.
        let held = if own.position_weight > 0.0 { place } else { place + own.position_offset };
        let from = own.position.unwrap_or(held);
        (own.position, own.position_weight) = (Some(to), weight);
        self.bones.report(Change::Target { effector, from, to, weight });
    }

    /// Blends an effector from its own target and position weight to the target `to` at full weight: `share` 0 changes
    /// nothing, 1 sets `to` at weight 1. An effector without position weight gets `to` at the weight `share`.
    pub fn draw(&mut self, effector: Effector, to: Vec3, share: f32) {
        let own = *self.settings.effector(effector);
        let held = match own.position_weight > 0.0 {
            true => own.position.unwrap_or(self.place(effector)).lerp(to, share),
            false => to,
        };
        if share > 0.0 {
            self.target(effector, held, own.position_weight + (1.0 - own.position_weight) * share);
        }
    }

    /// Blends the target rotation and rotation weight of a hand or foot as [`Self::draw`] does the target. Ignores
    /// other effectors, and a quaternion that is zero or not finite.
    pub fn draw_rotation(&mut self, effector: Effector, to: Quat, share: f32) {
        // Blending with an invalid quaternion would raise the weight of the effector's own target rotation.
        if !can_be_normalized(to) {
            return;
        }
        let own = *self.settings.effector(effector);
        let turned = match (own.rotation_weight > 0.0, own.rotation) {
            (true, Some(own)) => nlerp(own, to, share),
            _ => to,
        };
        if effector.limb().is_some() && share > 0.0 {
            self.target_rotation(effector, turned, own.rotation_weight + (1.0 - own.rotation_weight) * share);
        }
    }

    /// Sets an effector's target rotation (in the space of the poses) and rotation weight, clamped to 0…1. Normalizes
    /// the quaternion. Ignores a NaN weight, and a quaternion that is zero or not finite.
    pub fn target_rotation(&mut self, effector: Effector, to: Quat, weight: f32) {
        let own = self.settings.effector_mut(effector);
        let before = (own.rotation, own.rotation_weight);
        let is_rotation = can_be_normalized(to);
        let (to, weight) = (exact_unit(to), weight.clamp(0.0, 1.0));
        if self.bones.flow.is_break() || !is_rotation || weight.is_nan() || before == (Some(to), weight) {
            return;
        }
        let from = own.rotation.filter(|_| own.rotation_weight > 0.0);
        (own.rotation, own.rotation_weight) = (Some(to), weight);
        self.bones.report(Change::TargetRotation { effector, from, to, weight });
    }
}

fn can_be_normalized(rotation: Quat) -> bool {
    // The square of a large f32 is not finite, that of a small one is 0.
    let length = rotation.as_dquat().length();
    length.is_finite() && length > 0.0
}

fn is_sane(place: Vec3) -> bool {
    place.is_finite() && place.abs().max_element() < FARTHEST * 0.25
}
