//! Additive blending: the difference between two poses, added to a third. Source: *Animation programming notes*,
//! chapter 12, «Additive blending».
//!
//! The source writes `input · (base⁻¹ · current)` for a library that multiplies left to right. Multiplied right to
//! left, as in this crate, that is
//!
//! ```text
//! rotation = (current · base⁻¹) · input
//! ```
//!
//! so the difference is a rotation in the space of the bone's parent, applied after the bone's own rotation. A lean to
//! the left stays a lean to the left however the input has rotated the bone. (`input · (base⁻¹ · current)` multiplied
//! right to left rotates in the bone's own space instead; both agree if the input is the base.)

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::blend::{Mask, masked};
use crate::rig::Clip;
use crate::rig::{LocalPose, LocalTransform};

/// The formula of a difference. The default is correct; each field selects a formula as the source writes it, for
/// comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Formula {
    /// Uses `input · (base⁻¹ · current)` multiplied right to left, which rotates in the bone's own space instead of its
    /// parent's.
    pub right_to_left: bool,
    /// Subtracts and adds scales instead of dividing and multiplying them.
    pub subtract_scale: bool,
}

/// The pose that is subtracted from an additive clip.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Base {
    /// The clip's pose at this time in seconds. The source uses 0, the first frame.
    Time(f32),
    /// The rest pose.
    Rest,
}

impl Default for Base {
    fn default() -> Self {
        Self::Time(0.0)
    }
}

/// The difference of a bone from its base, in local space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The translation to add.
    pub translation: Vec3,
    /// The rotation to multiply from the left, in the space of the bone's parent; from the right, in the bone's own
    /// space, with [`Formula::right_to_left`]. A unit quaternion with w ≥ 0, along the short arc.
    pub rotation: Quat,
    /// The scale to multiply per axis; to add with [`Formula::subtract_scale`].
    pub scale: Vec3,
}

impl Difference {
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

fn ratio(part: f32, whole: f32) -> f32 {
    let ratio = part / whole;
    if ratio.is_finite() { ratio } else { 1.0 }
}

/// A difference per bone, such as a lean, a breath or a crouch, to add to any other pose.
///
/// Scales are ratios `pose / base` and are multiplied, because scales compose by multiplication. The source subtracts
/// them, which is correct only for a bone of scale 1: an animation that halves a bone from 1 to 0.5 would make a bone
/// of scale 0.5 vanish and turn one of scale 0.4 inside out. If the base's scale is 0, the ratio counts as 1, and the
/// bone keeps its scale.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Additive {
    /// One difference per bone that both poses have, in the order of the skeleton.
    pub bones: Vec<Difference>,
    /// The formula that the differences were computed with.
    pub formula: Formula,
}

impl Additive {
    /// Returns the difference from `base` to `pose`, for the bones that both have.
    pub fn between(base: &LocalPose, pose: &LocalPose) -> Self {
        Self::between_by(Formula::default(), base, pose)
    }

    /// Returns the difference from `base` to `pose` by `formula`, for the bones that both have.
    pub fn between_by(formula: Formula, base: &LocalPose, pose: &LocalPose) -> Self {
        let bones = base.bones.iter().zip(&pose.bones).map(|(base, pose)| Difference::between(base, pose, formula));
        Self { bones: bones.collect(), formula }
    }

    /// Returns the difference of `clip` at `time` (seconds) from its base. Bones without tracks are at `rest`.
    pub fn from_clip(clip: &Clip, time: f32, base: Base, rest: &LocalPose) -> Self {
        Self::from_clip_by(Formula::default(), clip, time, base, rest)
    }

    /// Returns the difference of `clip` at `time` (seconds) from its base by `formula`. Bones without tracks are at
    /// `rest`.
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

    /// Adds the difference to `pose`, scaled by `weight` and by the mask's weight of each bone.
    ///
    /// Any finite weight is allowed: 0 keeps a bone bit for bit, 2 doubles the difference, −1 subtracts it.
    /// Translations, angles and subtracted scales are multiplied by the weight. Scale ratios are raised to its power,
    /// or interpolated linearly from 1 if they are not positive. A weight that is not finite counts as 0. Bones that
    /// either side lacks are unchanged.
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

/// Returns `a · b` with unit length; `otherwise` if the product has no direction.
fn product(a: Quat, b: Quat, otherwise: Quat) -> Quat {
    let product = a * b;
    let length = product.length();
    if length.is_finite() && length > 1e-6 { product / length } else { otherwise }
}

/// Returns the rotation by `power` times the angle of `turn`, a unit quaternion with w ≥ 0.
fn turn_power(turn: Quat, power: f32) -> Quat {
    if power == 1.0 {
        return turn;
    }
    let axis = Vec3::new(turn.x, turn.y, turn.z);
    let sine = axis.length();
    // A rotation without an angle has no axis.
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
