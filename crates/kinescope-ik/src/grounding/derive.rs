//! Derives weight curves from a clip: a foot that is low and still is planted, one that is high or fast swings.
//!
//! *Foot IK by ray and curve* draws such curves by hand and suggests at its end to derive them from the bones' speed.
//! This module also uses the bones' height.

use glam::Vec3;

use super::curve::{Key, WeightCurve};
use crate::animation::paths::{PLANTED_HEIGHT, ground_velocity, lowest, paths, velocities};
use crate::error::Fault;
use crate::math::smoothstep;
use crate::rig::{BoneIndex, Clip, LocalPose, Skeleton};

/// Thresholds of a planted foot, and accuracy of the curve. The defaults are for a human; scale them for rigs of
/// another size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeriveSettings {
    /// Height of a bone (foot or toe) above its lowest place in the clip, up to which it is planted; metres.
    pub planted_height: f32,
    /// Height of a bone above its lowest place in the clip, from which it swings; metres.
    pub swing_height: f32,
    /// Speed relative to the ground up to which a bone is planted; m/s.
    pub planted_speed: f32,
    /// Speed relative to the ground from which a bone swings; m/s.
    pub swing_speed: f32,
    /// Standard deviation of the Gaussian that smooths the weights over time; seconds.
    pub smoothing: f32,
    /// Largest difference between the curve and the smoothed weights, unless `max_keys` are too few.
    pub tolerance: f32,
    /// Largest number of keys; less than 2 counts as 2.
    pub max_keys: usize,
}

impl Default for DeriveSettings {
    fn default() -> Self {
        Self {
            planted_height: PLANTED_HEIGHT,
            swing_height: 0.08,
            planted_speed: 0.3,
            swing_speed: 1.0,
            smoothing: 0.03,
            tolerance: 0.05,
            max_keys: 12,
        }
    }
}

impl DeriveSettings {
    /// Scales heights and speeds for a character `by` times as large as a human. `by` is clamped to 1e-3…1e3; not
    /// finite counts as 1.
    pub fn scaled(self, by: f32) -> Self {
        let by = if by.is_finite() { by.clamp(1e-3, 1e3) } else { 1.0 };
        Self {
            planted_height: self.planted_height * by,
            swing_height: self.swing_height * by,
            planted_speed: self.planted_speed * by,
            swing_speed: self.swing_speed * by,
            ..self
        }
    }
}

/// Derives the weight of a foot over a clip's time: 1 while planted, 0 while swinging, smoothed, with few keys.
///
/// `rest` is the pose of bones that the clip does not move. `toe`, if given, keeps the foot planted while it rolls over
/// the toe. +Y is up. The speed of the ground is estimated from each of these bones while the bone is low, so clips
/// that walk on the spot and clips that move forward both work. For a clip without duration the curve is constant at 1.
///
/// # Errors
/// [`Fault`] if bones or pose do not fit the skeleton, or the clip moves one of the bones to a position that is not
/// finite.
pub fn derive_weights(
    clip: &Clip,
    skeleton: &Skeleton,
    rest: &LocalPose,
    foot: BoneIndex,
    toe: Option<BoneIndex>,
    settings: &DeriveSettings,
) -> Result<WeightCurve, Fault> {
    let bones: Vec<BoneIndex> = std::iter::once(foot).chain(toe).collect();
    let Some((paths, interval)) = paths(clip, skeleton, rest, &bones)? else {
        return Ok(WeightCurve::constant(1.0));
    };
    let paths: Vec<&[Vec3]> = paths.iter().map(Vec::as_slice).collect();
    Ok(weights_of(&paths, interval, settings))
}

/// Derives the weight of a foot from the [`paths`] of its bone and of its toe, with at least one sample each.
pub(crate) fn weights_of(paths: &[&[Vec3]], interval: f32, settings: &DeriveSettings) -> WeightCurve {
    let mut weights = vec![0.0f32; paths[0].len()];
    for path in paths {
        for (weight, planted) in weights.iter_mut().zip(planted(path, interval, settings)) {
            *weight = weight.max(planted);
        }
    }
    simplify(&smooth(&weights, settings.smoothing / interval), settings)
}

fn planted(path: &[Vec3], interval: f32, settings: &DeriveSettings) -> Vec<f32> {
    let (velocities, lowest) = (velocities(path, interval), lowest(path));
    let ground = ground_velocity(path, interval, settings.planted_height);
    let of = |at: usize| {
        let height = fade(path[at].y - lowest, settings.planted_height, settings.swing_height);
        let speed = fade((velocities[at] - ground).length(), settings.planted_speed, settings.swing_speed);
        height * speed
    };
    (0..path.len()).map(of).collect()
}

/// Returns 1 up to `from`, 0 from `to` on, with a smooth step between.
pub(super) fn fade(value: f32, from: f32, to: f32) -> f32 {
    if value <= from {
        return 1.0;
    }
    1.0 - if to > from { smoothstep((value - from) / (to - from)) } else { 1.0 }
}

/// Smooths with a Gaussian of standard deviation `width`, in samples. Weights within 0.019 of 0 or 1 become exactly 0
/// or 1.
fn smooth(weights: &[f32], width: f32) -> Vec<f32> {
    let radius = if width.is_finite() { (width * 3.0).clamp(0.0, weights.len() as f32) as usize } else { 0 };
    let bell = |distance: usize| (-0.5 * (distance as f32 / width.max(1e-3)).powi(2)).exp();
    let of = |at: usize| {
        let near = at.saturating_sub(radius)..=(at + radius).min(weights.len() - 1);
        let (sum, total) = near.fold((0.0, 0.0), |(sum, total), other| {
            let weight = bell(at.abs_diff(other));
            (sum + weight * weights[other], total + weight)
        });
        ((sum / total) * 1.04 - 0.02).clamp(0.0, 1.0)
    };
    (0..weights.len()).map(of).collect()
}

/// Fits a curve with few keys: adds a key at the sample with the largest error until all errors are within the
/// tolerance, the curve has the largest number of keys, or there is a key at that sample already.
fn simplify(weights: &[f32], settings: &DeriveSettings) -> WeightCurve {
    let last = weights.len() - 1;
    let time = |sample: usize| sample as f32 / last as f32;
    let mut curve = WeightCurve::constant(weights[0]);
    while curve.keys().len() < settings.max_keys.max(2) {
        let error = |sample: usize| (curve.evaluate(time(sample)) - weights[sample]).abs();
        let worst = (0..=last).max_by(|&a, &b| error(a).total_cmp(&error(b))).unwrap_or(0);
        let off = error(worst);
        let keys = curve.keys().len();
        if off <= settings.tolerance || off.is_nan() {
            break;
        }
        curve.insert(time(worst), weights[worst]);
        if curve.keys().len() == keys {
            break;
        }
    }
    debug_assert!(curve.keys().iter().all(|&Key { time, value }| (0.0..=1.0).contains(&time) && value <= 1.0));
    curve
}
