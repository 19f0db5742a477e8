//! Blending of two poses, optionally limited by a mask. Source: *Animation programming notes*, chapter 12, «Pose
//! blending».

use crate::math::nlerp;
use crate::rig::{BoneIndex, LocalPose, LocalTransform, Skeleton};

/// A weight per bone that limits a blend.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mask {
    weights: Vec<f32>,
}

impl Mask {
    /// Returns a mask with weight 1 for every bone.
    pub fn whole(bones: usize) -> Self {
        Self { weights: vec![1.0; bones] }
    }

    /// Returns a mask with weight 1 for `bone` and everything below it; 0 everywhere if there is no such bone.
    pub fn under(skeleton: &Skeleton, bone: BoneIndex) -> Self {
        Self::feathered(skeleton, bone, 0)
    }

    /// Returns the mask [`Self::under`] a bone, with the weight rising in even steps over the first `over` generations,
    /// which begin with the bone.
    ///
    /// With `over` = 3, `bone` has weight 0.25, its children 0.5, their children 0.75, and all bones further down 1.
    /// Turning an upper body then bends the whole spine instead of creasing it at one joint.
    pub fn feathered(skeleton: &Skeleton, bone: BoneIndex, over: usize) -> Self {
        let mut weights = vec![0.0; skeleton.len()];
        // Generations below `bone`; parents come before their children.
        let mut depths: Vec<Option<usize>> = vec![None; skeleton.len()];
        for index in bone..skeleton.len() {
            depths[index] = match skeleton.parent(index) {
                _ if index == bone => Some(0),
                parent => parent.and_then(|parent| depths[parent]).map(|depth| depth + 1),
            };
            if let Some(depth) = depths[index] {
                weights[index] = if depth < over { (depth + 1) as f32 / (over as f32 + 1.0) } else { 1.0 };
            }
        }
        Self { weights }
    }

    /// Returns a mask with the given weights, clamped to 0–1; NaN counts as 0.
    pub fn from_weights(weights: impl IntoIterator<Item = f32>) -> Self {
        Self { weights: weights.into_iter().map(fraction).collect() }
    }

    /// Returns the weight of a bone, 0 to 1; 0 if the mask lacks the bone.
    pub fn weight(&self, bone: BoneIndex) -> f32 {
        self.weights.get(bone).copied().unwrap_or(0.0)
    }

    /// Sets the weight of a bone, clamped as in [`Self::from_weights`]. Returns false if the mask lacks the bone.
    pub fn set(&mut self, bone: BoneIndex, weight: f32) -> bool {
        let Some(own) = self.weights.get_mut(bone) else { return false };
        *own = fraction(weight);
        true
    }

    /// Returns the weights by bone, each from 0 to 1.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }
}

fn fraction(weight: f32) -> f32 {
    if weight > 0.0 { weight.min(1.0) } else { 0.0 }
}

pub(super) fn masked(weight: f32, mask: Option<&Mask>, bone: BoneIndex) -> f32 {
    mask.map_or(weight, |mask| weight * mask.weight(bone))
}

/// Blends `a` toward `b` in local space. In model space, limbs would come off where the poses of parents differ.
///
/// `weight` is clamped to 0–1 (NaN counts as 0) and multiplied by the mask's weight of each bone. At 0 a bone of `a` is
/// unchanged bit for bit; at 1 it equals that of `b` bit for bit. Translation and scale are interpolated linearly,
/// rotation along the short arc. Bones that either pose lacks are unchanged.
pub fn blend(a: &mut LocalPose, b: &LocalPose, weight: f32, mask: Option<&Mask>) {
    let weight = fraction(weight);
    for (index, (a, b)) in a.bones.iter_mut().zip(&b.bones).enumerate() {
        *a = blend_bone(a, b, masked(weight, mask, index));
    }
}

fn blend_bone(a: &LocalTransform, b: &LocalTransform, weight: f32) -> LocalTransform {
    // The ends are handled exactly: 0 · ∞ is NaN, and nlerp may change the sign of its end.
    if weight == 0.0 {
        return *a;
    }
    if weight == 1.0 {
        return *b;
    }
    LocalTransform {
        translation: a.translation.lerp(b.translation, weight),
        rotation: nlerp(a.rotation, b.rotation, weight),
        scale: a.scale.lerp(b.scale, weight),
    }
}
