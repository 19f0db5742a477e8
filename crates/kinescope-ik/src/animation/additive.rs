//! Additive blending: the difference between two poses, laid on a third. Source: *Animation
//! programming notes*, chapter 12, «Additive blending».
//!
//! The source's line `input · (base⁻¹ · current)` is of a library that multiplies left to right. Written right to left, as
//! here, it is
//!
//! ```text
//! rotation = (current · base⁻¹) · input
//! ```
//!
//! so the difference is a turn in the space of the bone's parent, before which the bone has its own rotation: a lean to the
//! left stays one to the left however the input has turned the bone. (`input · (base⁻¹ · current)`, right to left, turns in
//! the bone's own space instead; both are the same where the input is the base.)

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::blend::{Mask, masked};
use crate::rig::Clip;
use crate::rig::{LocalPose, LocalTransform};

/// How a difference is made and laid on. The default is right; the others are readings of the book notes, for comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Formula {
    /// `input · (base⁻¹ · current)` multiplied right to left: the turn is in the bone's own space, not in its parent's.
    pub right_to_left: bool,
    /// Scales are subtracted and added instead of divided and multiplied.
    pub subtract_scale: bool,
}

/// What the pose of an additive clip is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Base {
    /// The clip's own pose at this time, seconds. The book notes take 0, the clip's first frame.
    Time(f32),
    /// The rest pose.
    Rest,
}

impl Default for Base {
    fn default() -> Self {
        Self::Time(0.0)
    }
}

/// What one bone has more than its base; local space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// Added.
    pub translation: Vec3,
    /// Unit quaternion with w ≥ 0, the short way; in the space of the bone's parent, multiplied on from the left.
    pub rotation: Quat,
    /// Multiplied on, by axis.
    pub scale: Vec3,
}

impl Difference {
    /// The difference between two equal poses: laid on a pose, it changes nothing.
    pub const NONE: Self = Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// What takes `base` to `pose`.
    fn between(base: &LocalTransform, pose: &LocalTransform, formula: Formula) -> Self {
        let turn = match formula.right_to_left {
            false => pose.rotation * base.rotation.conjugate(),
            true => base.rotation.conjugate() * pose.rotation,
        };
        let turn = if turn.w < 0.0 { -turn } else { turn };
        let length = turn.length();
        let is_turn = length.is_finite() && length > 1e-6;
        Self {
            translation: pose.translation - base.translation,
            rotation: if is_turn { turn / length } else { Quat::IDENTITY },
            scale: match formula.subtract_scale {
                false => Vec3::from_array(std::array::from_fn(|axis| ratio(pose.scale[axis], base.scale[axis]))),
                true => pose.scale - base.scale,
            },
        }
    }
}

/// `part / whole`; 1 where that is no number a bone can be scaled by.
fn ratio(part: f32, whole: f32) -> f32 {
    let ratio = part / whole;
    if ratio.is_finite() { ratio } else { 1.0 }
}

/// A difference per bone: a lean, a breath, a crouch, to be laid on any other pose.
///
/// Scales are differences by ratio, `pose / base`, and multiplied on. Scales compose by multiplication, so subtracting
/// them (as the source does, and wonders why) is right only for a bone of scale 1. A bone that an animation halves
/// from 1 to 0.5 would make one of scale 0.5 vanish, and one of scale 0.4 turn inside out. Where the base's scale is
/// 0 there is no ratio; it counts as 1, and such a bone keeps its scale.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Additive {
    /// One per bone of the skeleton.
    pub bones: Vec<Difference>,
    /// How they were made, and are laid on.
    pub formula: Formula,
}

impl Additive {
    /// What takes `base` to `pose`; of the bones that both have.
    pub fn between(base: &LocalPose, pose: &LocalPose) -> Self {
        Self::between_by(Formula::default(), base, pose)
    }

    /// The same by another formula.
    pub fn between_by(formula: Formula, base: &LocalPose, pose: &LocalPose) -> Self {
        let bones = base.bones.iter().zip(&pose.bones).map(|(base, pose)| Difference::between(base, pose, formula));
        Self { bones: bones.collect(), formula }
    }

    /// What `clip` does at `time` (seconds) more than the base, over the rest pose.
    pub fn from_clip(clip: &Clip, time: f32, base: Base, rest: &LocalPose) -> Self {
        Self::from_clip_by(Formula::default(), clip, time, base, rest)
    }

    /// The same by another formula.
    pub fn from_clip_by(formula: Formula, clip: &Clip, time: f32, base: Base, rest: &LocalPose) -> Self {
        let mut pose = rest.clone();
        clip.sample(time, &mut pose);
        match base {
            Base::Rest => Self::between_by(formula, rest, &pose),
            Base::Time(base_time) => {
                let mut base = rest.clone();
                clip.sample(base_time, &mut base);
                Self::between_by(formula, &base, &pose)
            }
        }
    }

    /// Lays the difference on `pose`, `weight` times, and that times the mask's weight at each bone.
    ///
    /// Any finite weight will do: 0 leaves a bone bit for bit, 2 goes twice as far, −1 undoes 1 (up to the order of
    /// turns: it undoes what was laid on last). Translations scale with the weight, turns keep their axis and scale
    /// their angle, scales are raised to it as a power (a ratio of 0 or below has none: it goes straight from 1). A
    /// weight that is not finite counts as 0. Bones that only one side has stay as they are.
    pub fn apply(&self, pose: &mut LocalPose, weight: f32, mask: Option<&Mask>) {
        for (index, (bone, difference)) in pose.bones.iter_mut().zip(&self.bones).enumerate() {
            let weight = masked(weight, mask, index);
            if weight == 0.0 || !weight.is_finite() {
                continue;
            }
            bone.translation += difference.translation * weight;
            let turn = turn_power(difference.rotation, weight);
            bone.rotation = match self.formula.right_to_left {
                false => product(turn, bone.rotation, bone.rotation),
                true => product(bone.rotation, turn, bone.rotation),
            };
            match self.formula.subtract_scale {
                false => bone.scale *= difference.scale.map(|ratio| scale_power(ratio, weight)),
                true => bone.scale += difference.scale * weight,
            }
        }
    }
}

/// `a · b`, of unit length; `otherwise` where the product has no direction.
fn product(a: Quat, b: Quat, otherwise: Quat) -> Quat {
    let product = a * b;
    let length = product.length();
    if length.is_finite() && length > 1e-6 { product / length } else { otherwise }
}

/// The turn about the same axis by `power` times the angle; `turn` is a unit quaternion with w ≥ 0.
fn turn_power(turn: Quat, power: f32) -> Quat {
    if power == 1.0 {
        return turn;
    }
    let axis = Vec3::new(turn.x, turn.y, turn.z);
    let sine = axis.length();
    // Exact where the sine is all there is of the angle, and where dividing by it would leave nothing.
    if sine < 1e-12 {
        return Quat::IDENTITY;
    }
    let (sin, cos) = (sine.atan2(turn.w) * power).sin_cos();
    let axis = axis * (sin / sine);
    Quat::from_xyzw(axis.x, axis.y, axis.z, cos)
}

fn scale_power(ratio: f32, power: f32) -> f32 {
    if power == 1.0 {
        return ratio;
    }
    let raised = if ratio > 0.0 { ratio.powf(power) } else { 1.0 + (ratio - 1.0) * power };
    if raised.is_finite() { raised } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::super::blend::tests::{bits, pose};
    use super::*;
    use crate::rig::{Interpolation, Track, TrackValues};
    use proptest::prelude::*;

    fn close(a: &LocalPose, b: &LocalPose) -> bool {
        a.bones.iter().zip(&b.bones).all(|(a, b)| {
            a.translation.distance(b.translation) < 1e-4
                && a.rotation.dot(b.rotation).abs() > 1.0 - 1e-5
                && a.scale.distance(b.scale) < 1e-4
        })
    }

    fn one(scale: f32) -> LocalPose {
        LocalPose { bones: vec![LocalTransform { scale: Vec3::splat(scale), ..LocalTransform::IDENTITY }] }
    }

    #[test]
    fn scales_multiply() {
        let halves = Additive::between(&one(1.0), &one(0.5));
        let mut pose = one(0.4);
        halves.apply(&mut pose, 1.0, None);
        assert_eq!(pose, one(0.2));
    }

    #[test]
    fn a_base_without_scale_changes_no_scale() {
        for from_nothing in [Additive::between(&one(0.0), &one(2.0)), Additive::between(&one(0.0), &one(0.0))] {
            let mut pose = one(3.0);
            from_nothing.apply(&mut pose, 1.0, None);
            assert_eq!(pose, one(3.0));
        }
        let to_nothing = Additive::between(&one(2.0), &one(0.0));
        for (weight, scale) in [(0.0, 3.0), (0.5, 1.5), (1.0, 0.0)] {
            let mut pose = one(3.0);
            to_nothing.apply(&mut pose, weight, None);
            assert_eq!(pose, one(scale));
        }
    }

    #[test]
    fn a_lean_by_a_stick() {
        let turns = [0.0, 1.0].map(Quat::from_rotation_z).to_vec();
        let lean = Clip {
            name: "lean".into(),
            duration: 1.0,
            tracks: vec![Track {
                bone: 0,
                interpolation: Interpolation::Linear,
                times: vec![0.0, 1.0],
                values: TrackValues::Rotation(turns),
            }],
            ..Clip::default()
        };
        let rest = one(1.0);
        let mut pose = rest.clone();
        pose.bones[0].rotation = Quat::from_rotation_z(0.3);
        Additive::from_clip(&lean, 1.0, Base::Time(0.0), &rest).apply(&mut pose, 2.0, None);
        assert!(pose.bones[0].rotation.angle_between(Quat::from_rotation_z(2.3)) < 1e-3);
        Additive::from_clip(&lean, 1.0, Base::Time(1.0), &rest).apply(&mut pose, 1.0, None);
        assert!(pose.bones[0].rotation.angle_between(Quat::from_rotation_z(2.3)) < 1e-3);
        // Against a rest pose that is turned already, only the remainder is added.
        let mut turned = rest.clone();
        turned.bones[0].rotation = Quat::from_rotation_z(0.4);
        let mut pose = turned.clone();
        Additive::from_clip(&lean, 1.0, Base::Rest, &turned).apply(&mut pose, 1.0, None);
        assert!(pose.bones[0].rotation.angle_between(Quat::from_rotation_z(1.0)) < 1e-3);
    }

    /// As the book has it, whose library writes products left to right.
    #[test]
    fn turns_are_the_parents() {
        let [base, current, input] =
            [(0.3, Vec3::X), (1.1, Vec3::Z), (0.9, Vec3::Y)].map(|(angle, axis)| Quat::from_axis_angle(axis, angle));
        let posed = |rotation| LocalPose { bones: vec![LocalTransform { rotation, ..LocalTransform::IDENTITY }] };
        let mut pose = posed(input);
        Additive::between(&posed(base), &posed(current)).apply(&mut pose, 1.0, None);
        let left_to_right = |a: Quat, b: Quat| b * a;
        let source = left_to_right(input, left_to_right(base.conjugate(), current));
        assert!(pose.bones[0].rotation.angle_between(source) < 1e-3);
        let read = input * (base.conjugate() * current);
        assert!(pose.bones[0].rotation.angle_between(read) > 0.1);
        // The other reading, for comparison.
        let formula = Formula { right_to_left: true, ..Formula::default() };
        let mut pose = posed(input);
        Additive::between_by(formula, &posed(base), &posed(current)).apply(&mut pose, 1.0, None);
        assert!(pose.bones[0].rotation.angle_between(read) < 1e-3);
    }

    /// A bone halved from 1 to 0.5 takes a bone of 0.5 to nothing by subtraction, and one of 0.4 inside out.
    #[test]
    fn subtracted_scales_vanish_and_turn_inside_out() {
        let formula = Formula { subtract_scale: true, ..Formula::default() };
        let halves = Additive::between_by(formula, &one(1.0), &one(0.5));
        for (scale, becomes) in [(1.0, 0.5), (0.5, 0.0), (0.4, -0.1)] {
            let mut pose = one(scale);
            halves.apply(&mut pose, 1.0, None);
            assert!((pose.bones[0].scale.x - becomes).abs() < 1e-6);
        }
    }

    #[test]
    fn a_broken_pose_does_not_spread() {
        let mut broken = one(f32::NAN);
        broken.bones[0].rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        let mut pose = one(1.0);
        Additive::between(&broken, &one(1.0)).apply(&mut pose, 1.0, None);
        assert_eq!(pose, one(1.0));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn on_its_base_it_gives_the_pose(base in pose(3), target in pose(3)) {
            let difference = Additive::between(&base, &target);
            let mut out = base.clone();
            difference.apply(&mut out, 1.0, None);
            prop_assert!(close(&out, &target), "{out:?} {target:?}");
            prop_assert!(out.bones.iter().all(|bone| (bone.rotation.length() - 1.0).abs() < 1e-6));
        }

        #[test]
        fn weight_0_is_bit_for_bit(base in pose(2), target in pose(2), on in pose(3)) {
            let difference = Additive::between(&base, &target);
            for weight in [0.0, -0.0, f32::NAN, f32::INFINITY] {
                let mut out = on.clone();
                difference.apply(&mut out, weight, None);
                prop_assert_eq!(bits(&out), bits(&on));
            }
            let mut out = on.clone();
            difference.apply(&mut out, 1.0, Some(&Mask::from_weights([0.0])));
            prop_assert_eq!(bits(&out), bits(&on));
        }

        #[test]
        fn weights_add_up(base in pose(2), target in pose(2), on in pose(2), first in -2.0f32..2.0, second in -2.0f32..2.0) {
            let difference = Additive::between(&base, &target);
            let (mut twice, mut once) = (on.clone(), on.clone());
            difference.apply(&mut twice, first, None);
            difference.apply(&mut twice, second, None);
            difference.apply(&mut once, first + second, None);
            for (a, b) in twice.bones.iter().zip(&once.bones) {
                prop_assert!(a.translation.distance(b.translation) < 1e-4);
                prop_assert!(a.rotation.dot(b.rotation).abs() > 1.0 - 1e-5);
                prop_assert!(a.scale.distance(b.scale) < 1e-3 * (1.0 + b.scale.length()));
            }
        }
    }
}
