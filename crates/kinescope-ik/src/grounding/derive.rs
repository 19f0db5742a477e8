//! Weight curves found in a clip: a foot that is low and still is planted, one that is high or fast swings.
//!
//! *Foot IK by ray and curve* draws such curves by hand, frame by frame, and guesses at its end that the speed of the bones
//! could do it. This module does.

use glam::Vec3;

use super::curve::{Key, WeightCurve};
use crate::animation::paths::{PLANTED_HEIGHT, ground_velocity, lowest, paths, velocities};
use crate::error::Fault;
use crate::math::smoothstep;
use crate::rig::{BoneIndex, Clip, LocalPose, Skeleton};

/// What counts as planted, and how closely the curve keeps to it. Lengths are those of a human in metres: scale them
/// for rigs of another size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeriveSettings {
    /// Up to this height over its lowest place a foot is planted.
    pub planted_height: f32,
    /// From this height it swings.
    pub swing_height: f32,
    /// Up to this speed over the ground a foot is planted; m/s.
    pub planted_speed: f32,
    /// From this speed it swings; m/s.
    pub swing_speed: f32,
    /// How long a change of weight takes at least; seconds.
    pub smoothing: f32,
    /// How far the curve may be from what was found.
    pub tolerance: f32,
    /// At least 2.
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
    /// For a character `by` times as large as a human: 1e-3 to 1e3, and 1 for what is not finite.
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

/// The weight of a foot over a clip's time: 1 while it is planted, 0 while it swings, smoothed, in few keys.
///
/// `rest` is the pose that the clip keeps where it moves nothing. `toe`, if there is one, keeps the foot planted while
/// it rolls over it. +Y is up. The ground's own speed is that of the foot while it is low, so that a clip that walks on
/// the spot works as well as one that gets ahead. A clip without duration is planted.
///
/// # Errors
/// [`Fault`] if bones or pose do not fit the skeleton, or the clip is not finite.
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
    let mut weights = vec![0.0f32; paths[0].len()];
    // Whichever of foot and toe stands, the foot stands.
    for path in &paths {
        for (weight, planted) in weights.iter_mut().zip(planted(path, interval, settings)) {
            *weight = weight.max(planted);
        }
    }
    Ok(simplify(&smooth(&weights, settings.smoothing / interval), settings))
}

/// For each sample how much the point counts as standing, 0 to 1.
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

/// 1 up to `from`, 0 beyond `to`, smooth between.
pub(super) fn fade(value: f32, from: f32, to: f32) -> f32 {
    if value <= from {
        return 1.0;
    }
    1.0 - if to > from { smoothstep((value - from) / (to - from)) } else { 1.0 }
}

/// A bell of that width, in samples; what is nearly 0 or 1 after it is exactly that.
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

/// The curve through few samples that is near all of them: where it is furthest off, it gets a key.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::animation::{Interpolation, Track, TrackValues};
    use crate::rig::{Bone, LocalTransform};

    const STANCE: f32 = 0.6;

    fn skeleton() -> Skeleton {
        let bone = |name: &str, parent, translation| Bone {
            name: name.to_owned(),
            parent,
            rest: LocalTransform { translation, ..LocalTransform::IDENTITY },
        };
        Skeleton::new(vec![
            bone("root", None, Vec3::ZERO),
            bone("foot", Some(0), Vec3::new(0.1, 0.09, 0.0)),
            bone("toe", Some(1), Vec3::new(0.0, -0.07, 0.14)),
        ])
        .unwrap()
    }

    /// Walks at 1.2 m/s for one second: stance first, then swing. `speed` is that of the root.
    fn walk(speed: f32) -> Clip {
        let times: Vec<f32> = (0..=60).map(|frame| frame as f32 / 60.0).collect();
        let place = |&time: &f32| {
            let swing = ((time - STANCE) / (1.0 - STANCE)).clamp(0.0, 1.0);
            let ahead = swing - (std::f32::consts::TAU * swing).sin() / std::f32::consts::TAU;
            let up = (1.0 - (std::f32::consts::TAU * swing).cos()) * 0.06;
            Vec3::new(0.1, 0.09 + up, 1.2 * (ahead - time) + speed * time)
        };
        let values = TrackValues::Translation(times.iter().map(place).collect());
        let track = Track { bone: 1, interpolation: Interpolation::Linear, times, values };
        Clip { name: "walk".to_owned(), duration: 1.0, tracks: vec![track], ..Clip::default() }
    }

    #[test]
    fn a_planted_foot_weighs_one_and_a_swinging_one_nothing() {
        let skeleton = skeleton();
        for speed in [0.0, 1.2] {
            let settings = DeriveSettings::default();
            let curve = derive_weights(&walk(speed), &skeleton, &skeleton.rest_pose(), 1, Some(2), &settings).unwrap();
            assert!(curve.keys().len() <= settings.max_keys);
            for time in [0.05, 0.2, 0.3, 0.5] {
                assert!(curve.evaluate(time) > 0.9, "{speed} {time}: {curve:?}");
            }
            for time in [0.73, 0.8, 0.87] {
                assert!(curve.evaluate(time) < 0.1, "{speed} {time}: {curve:?}");
            }
        }
    }

    #[test]
    fn a_foot_that_never_moves_is_planted_by_a_single_key() {
        let skeleton = skeleton();
        let clip = Clip { duration: 2.0, ..walk(0.0) };
        let clip = Clip { tracks: Vec::new(), ..clip };
        let curve = derive_weights(&clip, &skeleton, &skeleton.rest_pose(), 1, None, &DeriveSettings::default());
        assert_eq!(curve.unwrap().keys(), [Key { time: 0.0, value: 1.0 }]);
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let skeleton = skeleton();
        let (rest, settings) = (skeleton.rest_pose(), DeriveSettings::default());
        let error = derive_weights(&walk(0.0), &skeleton, &rest, 1, Some(7), &settings).unwrap_err();
        assert_eq!(error.to_string(), "bone: is 7; there are 3 bones, counted from 0");
        let error = derive_weights(&walk(0.0), &skeleton, &LocalPose::default(), 1, None, &settings).unwrap_err();
        assert_eq!(error.to_string(), "rest: has 0 bones, the rig 3");
        let mut clip = walk(0.0);
        clip.tracks[0].values = TrackValues::Translation(vec![Vec3::NAN; 61]);
        assert!(derive_weights(&clip, &skeleton, &rest, 1, None, &settings).is_err());
    }
}
