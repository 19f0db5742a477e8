//! Four-bone limbs: a hock, or a second elbow, shares the bend of a limb that is solved as two bones.
//!
//! The solver treats a limb with four joints as its first bone and a second, stiff bone. `κ` is the angle at the second
//! bone and `θ` the angle at the inner joint, both between adjacent bones; `κ₀` and `θ₀` are the same angles in the
//! animated pose. Both angles open or close together until the limb is as long as solved:
//!
//! ```text
//! κ = κ₀ + (1 − share) · x
//! θ = θ₀ + share · x             both within 10° … 180°, or down to κ₀ or θ₀ if that is less
//! D(κ, θ) = |last − first|       for the first such x from 0 on, else the nearest
//! ```
//!
//! Then the limb bends at its second bone, in its own plane, until its end has its solved transform. Share 0 leaves the
//! whole bend to the knee, as solved; 1 leaves it to the hock. If the solve keeps the distance between the limb's ends,
//! `x` is 0 and nothing turns. Bone lengths stay the same.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::act::Seen;
use super::ask::{Ask, Bones};
use super::kind::Kind;
use crate::full_body::Settings;
use crate::math::{clamp, unit};
use crate::parameter::settings;
use crate::rig::{BoneIndex, LimbName};

settings! {
    /// Shares the bend of a limb with four joints: between its second bone and its inner joint.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct FourBones {
        /// Whether the modifier is off.
        off: bool = false;
        /// How much of a leg's bend the hock takes; the knee takes the rest.
        legs: f32 = 0.5, from 0 to 1 in Share,
            too little: "Only the knee bends; the hock stays as animated.",
            too much: "The hock bends as far as it can; only then the knee bends.";
        /// How much of an arm's bend the inner joint takes; the elbow takes the rest.
        arms: f32 = 0.5, from 0 to 1 in Share,
            too little: "Only the elbow bends.",
            too much: "The inner joint bends as far as it can; only then the elbow bends.";
    }
}

/// Angles and spans of the limbs in the animated pose, in the order of [`LimbName::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Folds {
    /// Angle at the second bone of each limb; radians. 0 for a limb without an inner joint.
    knees: [f32; 4],
    /// Distance between the ends of each limb; model units.
    spans: [f32; 4],
}

impl Folds {
    pub(super) const fn knee(&self, limb: LimbName) -> f32 {
        self.knees[limb.index()]
    }
}

/// Smallest and largest angle of a joint; radians.
pub(super) const MIN_ANGLE: f32 = 10.0 * std::f32::consts::PI / 180.0;
pub(super) const MAX_ANGLE: f32 = std::f32::consts::PI;
/// Number of intervals and of bisections in the search for the opening.
const INTERVALS: u8 = 48;
const HALVINGS: u8 = 20;
/// Angle below which rotations are ignored; radians.
const NEGLIGIBLE_TURN: f32 = 1e-4;

/// A limb of four joints in a plane: lengths and angles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fold {
    /// Bone lengths; model units.
    pub lengths: [f32; 3],
    /// Angle at the second bone in the animated pose; radians.
    pub knee: f32,
    /// Angle at the inner joint in the animated pose; radians.
    pub inner: f32,
    /// 1 if the joints bend to opposite sides, as knee and hock do; −1 if to the same side.
    pub zigzag: f32,
}

/// Returns the angle at `joint` between two points; radians.
pub(super) fn opening(joint: Vec3, from: Vec3, to: Vec3) -> f32 {
    let (from, to) = (from - joint, to - joint);
    from.cross(to).length().atan2(from.dot(to))
}

impl Fold {
    /// Returns the distance between the ends after opening by `x` radians, of which the inner joint makes `share`;
    /// model units.
    pub fn reach(&self, share: f32, x: f32) -> f32 {
        let [upper, middle, lower] = self.lengths;
        let (knee, inner) = (self.knee + (1.0 - share) * x, self.opened(share, x));
        let rest = (middle * middle + lower * lower - 2.0 * middle * lower * inner.cos()).max(0.0).sqrt();
        // Angle at the knee between the middle bone and the line from the knee to the end.
        let off = (lower * inner.sin()).atan2(middle - lower * inner.cos());
        let knee = clamp(knee, MIN_ANGLE.min(self.knee), MAX_ANGLE) + self.zigzag * off;
        (upper * upper + rest * rest - 2.0 * upper * rest * knee.cos()).max(0.0).sqrt()
    }

    /// Returns the angle at the inner joint after opening by `x`; radians.
    pub fn opened(&self, share: f32, x: f32) -> f32 {
        clamp(self.inner + share * x, MIN_ANGLE.min(self.inner), MAX_ANGLE)
    }

    /// Returns the opening, in radians, at which the ends are `distance` (model units) apart: the first one from 0 on,
    /// by closing if the ends are too far apart, else by opening; −π to π. If there is none, returns the tested opening
    /// that comes nearest.
    pub fn solve(&self, share: f32, distance: f32) -> f32 {
        let gap = |x: f32| self.reach(share, x) - distance;
        let start = gap(0.0);
        if start == 0.0 {
            return 0.0;
        }
        let direction = if start > 0.0 { -1.0 } else { 1.0 };
        let piece = MAX_ANGLE / f32::from(INTERVALS) * direction;
        let (mut near, mut best) = (0.0, (start.abs(), 0.0));
        for index in 1..=INTERVALS {
            let far = piece * f32::from(index);
            let end = gap(far);
            if (end > 0.0) != (start > 0.0) {
                let mut far = far;
                for _ in 0..HALVINGS {
                    let middle = 0.5 * (near + far);
                    if (gap(middle) > 0.0) == (start > 0.0) {
                        near = middle;
                    } else {
                        far = middle;
                    }
                }
                return 0.5 * (near + far);
            }
            if end.abs() < best.0 {
                best = (end.abs(), far);
            }
            near = far;
        }
        best.1
    }
}

impl FourBones {
    pub(super) const fn share(&self, limb: LimbName) -> f32 {
        if limb.is_arm() { self.arms } else { self.legs }
    }

    /// Returns the limb of the written pose with its knee as animated, and the target distance of its ends; `None` if a
    /// bone has no length, or if the animated limb is folded flat or its ends coincide.
    pub(super) fn fold(
        folds: &Folds,
        limb: LimbName,
        inner: BoneIndex,
        bones: &[BoneIndex; 3],
        at: impl Fn(BoneIndex) -> Vec3,
    ) -> Option<(Fold, f32)> {
        let [first, second, third] = bones.map(&at);
        let joint = at(inner);
        let lengths = [first.distance(second), second.distance(joint), joint.distance(third)];
        let turns = (second - first).cross(joint - second).dot((joint - second).cross(third - joint));
        let knee = folds.knee(limb);
        let fold =
            Fold { lengths, knee, inner: opening(joint, second, third), zigzag: if turns < 0.0 { 1.0 } else { -1.0 } };
        // Few limbs are exactly planar, so the solved distance is scaled by the ratio of planar to real distance in the
        // animated pose.
        let flat = fold.reach(0.0, 0.0) / folds.spans[limb.index()];
        let is_sane =
            lengths.iter().all(|&length| length > 0.0 && length.is_finite()) && knee > 0.0 && flat.is_finite();
        is_sane.then_some((fold, first.distance(third) * flat))
    }
}

impl Kind for FourBones {
    type Memory = Folds;

    fn before_read(&self, folds: &mut Folds, ask: &mut Ask) {
        let Seen { figure, .. } = ask.seen();
        for limb in LimbName::ALL {
            let [first, second, third] = figure.limbs[limb.index()].map(|bone| ask.bones.get(bone).position);
            folds.spans[limb.index()] = first.distance(third);
            let inner = figure.inner[limb.index()].map(|bone| ask.bones.get(bone).position);
            folds.knees[limb.index()] = inner.map_or(0.0, |inner| opening(second, first, inner));
        }
    }

    fn after_write(&self, folds: &Folds, _: &Settings, bones: &mut Bones) {
        let figure = bones.seen.figure;
        for limb in LimbName::ALL {
            let (share, own) = (self.share(limb), figure.limbs[limb.index()]);
            let Some(inner) = figure.inner[limb.index()].filter(|_| share > 0.0) else { continue };
            let Some((fold, distance)) = Self::fold(folds, limb, inner, &own, |bone| bones.get(bone).position) else {
                continue;
            };
            let turn = fold.opened(share, fold.solve(share, distance)) - fold.inner;
            let [_, second, third] = own.map(|bone| bones.get(bone));
            let joint = bones.get(inner).position;
            let axis = unit((second.position - joint).cross(third.position - joint));
            let Some(axis) = axis.filter(|_| turn.abs() > NEGLIGIBLE_TURN) else { continue };
            bones.turn(inner, Quat::from_axis_angle(axis, turn));
            bones.bend_limb(limb, third);
        }
    }
}
