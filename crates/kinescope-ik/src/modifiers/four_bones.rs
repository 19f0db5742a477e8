//! Four-bone limbs: a hock, or a second elbow, shares the bend of a limb that is solved as two bones.
//!
//! The solver has a limb with four joints as its first bone and, stiff, what is between the second and the last. With the
//! angles `κ` at the second bone and `θ` at the inner joint, both between the bones that meet there, and `κ₀`, `θ₀` those
//! of the animated pose, both open or close together until the limb is as long as the solve has it:
//!
//! ```text
//! κ = κ₀ + (1 − share) · x
//! θ = θ₀ + share · x             within 10° … 180°
//! D(κ, θ) = |last − first|       for the x nearest to 0
//! ```
//!
//! Then the limb bends at its second bone, in its own plane, until its end is where the solve has it, turned as it has it.
//! Share 0 leaves all of the bend to the knee, as the solve does; 1 leaves it to the hock. Without a target `x` is 0 and
//! nothing turns. Lengths stay.

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
    /// How the inner joint of limbs with four joints shares their bend.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct FourBones {
        /// Not at work.
        off: bool = false;
        /// How much of a leg's bend the hock makes, the knee the rest.
        legs: f32 = 0.5, from 0 to 1 in Share,
            too little: "The knee does it all, the hock is frozen.",
            too much: "The hock does it all, the knee is frozen.";
        /// How much of an arm's bend its inner joint makes, the elbow the rest.
        arms: f32 = 0.5, from 0 to 1 in Share,
            too little: "The elbow does it all.",
            too much: "The joint below it does it all.";
    }
}

/// Of each limb in the animated pose, in the order of [`LimbName::ALL`]: the angle at its second bone; radians.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Folds {
    knees: [f32; 4],
    /// How far the ends are apart there; model units.
    spans: [f32; 4],
}

impl Folds {
    pub(super) const fn knee(&self, limb: LimbName) -> f32 {
        self.knees[limb.index()]
    }
}

/// No joint folds or opens beyond; radians.
const LEAST: f32 = 10.0 * std::f32::consts::PI / 180.0;
const MOST: f32 = std::f32::consts::PI;
/// How finely the opening is looked for, and how often that is halved.
const PIECES: u8 = 48;
const HALVINGS: u8 = 20;
/// What turns less has not been bent; radians.
const NOTHING: f32 = 1e-4;

/// A limb of four joints, flat: its lengths, and its angles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fold {
    /// From joint to joint.
    pub lengths: [f32; 3],
    /// At the second bone, in the animated pose.
    pub knee: f32,
    /// At the inner joint.
    pub inner: f32,
    /// 1 if both joints bend to opposite sides, as knee and hock do; −1 if to the same.
    pub zigzag: f32,
}

/// The angle between two ways from a joint; radians.
pub(super) fn opening(joint: Vec3, from: Vec3, to: Vec3) -> f32 {
    let (from, to) = (from - joint, to - joint);
    from.cross(to).length().atan2(from.dot(to))
}

impl Fold {
    /// How far its ends are apart when it has opened by `x`, of which the inner joint makes `share`.
    pub fn reach(&self, share: f32, x: f32) -> f32 {
        let [upper, middle, lower] = self.lengths;
        let (knee, inner) = (self.knee + (1.0 - share) * x, self.opened(share, x));
        let rest = (middle * middle + lower * lower - 2.0 * middle * lower * inner.cos()).max(0.0).sqrt();
        // How far off the middle bone the rest goes on, seen from the knee.
        let off = (lower * inner.sin()).atan2(middle - lower * inner.cos());
        let knee = clamp(knee, LEAST.min(self.knee), MOST) + self.zigzag * off;
        (upper * upper + rest * rest - 2.0 * upper * rest * knee.cos()).max(0.0).sqrt()
    }

    /// The angle at the inner joint then.
    pub fn opened(&self, share: f32, x: f32) -> f32 {
        clamp(self.inner + share * x, LEAST.min(self.inner), MOST)
    }

    /// By how much it opens until its ends are so far apart: the way nearest to 0. As near as it gets otherwise.
    pub fn solve(&self, share: f32, distance: f32) -> f32 {
        let gap = |x: f32| self.reach(share, x) - distance;
        let start = gap(0.0);
        if start == 0.0 {
            return 0.0;
        }
        let direction = if start > 0.0 { -1.0 } else { 1.0 };
        let piece = MOST / f32::from(PIECES) * direction;
        let (mut near, mut best) = (0.0, (start.abs(), 0.0));
        for index in 1..=PIECES {
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

    /// A limb as it is written, which has the inner joint as animated, and how far its ends are to be apart; `None` if its
    /// bones have no length.
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
        // No limb is quite flat: what the flat one would span is told by what the animated one does.
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
            let Some(axis) = axis.filter(|_| turn.abs() > NOTHING) else { continue };
            bones.turn(inner, Quat::from_axis_angle(axis, turn));
            bones.bend_limb(limb, third);
        }
    }
}
