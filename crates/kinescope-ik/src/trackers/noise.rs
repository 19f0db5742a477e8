//! Noise and drop-outs of trackers, as functions of the time. Noise is filtered white noise and drift.

use glam::{Quat, Vec3};

use super::settings::TrackerSettings;
use super::tracker::Tracker;
use crate::math::smoothstep;
use crate::rig::RigidTransform;

/// Readings per second.
const RATE: f64 = 90.0;
/// Weight of a reading relative to the newest, below which the filter ends.
const LEAST_WEIGHT: f32 = 0.02;
/// Largest number of readings that the filter covers: enough for a time constant of 1 s, the longest.
const MOST_TAPS: usize = 360;
/// Times are clamped to ± this, seconds. There, neighbouring f32 are 0.06 s apart, more than the time between readings.
const LONGEST: f32 = 1e6;

/// Returns a hash of numbers. Mixes as SplitMix64 does.
pub(super) fn hash(numbers: [u64; 4]) -> u64 {
    numbers.into_iter().fold(0x9E37_79B9_7F4A_7C15, |hash: u64, number| {
        let mut mixed = (hash ^ number).wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    })
}

/// Returns a number from 0 to 1, without 1.
pub(super) fn uniform(hash: u64) -> f32 {
    (hash >> 40) as f32 / (1u64 << 24) as f32
}

/// Returns a number of about normal distribution with mean 0 and deviation 1: a scaled sum of four uniform numbers,
/// which, unlike a logarithm, is the same on every machine.
fn normal(hash: u64) -> f32 {
    let sum: f32 = (0..4).map(|part| ((hash >> (16 * part)) & 0xFFFF) as f32 / 65536.0).sum();
    (sum - 2.0) * 3f32.sqrt()
}

struct Channel {
    series: u64,
    /// Tracker, kind of noise and axis as one number.
    axis: u64,
}

impl Channel {
    fn value(&self, index: i64) -> f32 {
        normal(hash([self.series, self.axis, index.cast_unsigned(), 0]))
    }

    /// Returns white noise after an exponential filter with time constant `over` in seconds, 0.001 to 1; deviation 1.
    fn filtered(&self, time: f32, over: f32) -> f32 {
        let index = (f64::from(time) * RATE).floor() as i64;
        let keep = (-1.0 / (f64::from(over) * RATE)).exp() as f32;
        let (mut sum, mut squares, mut weight) = (0.0, 0.0, 1.0);
        for tap in 0..MOST_TAPS {
            sum += weight * self.value(index - tap as i64);
            squares += weight * weight;
            weight *= keep;
            if weight < LEAST_WEIGHT {
                break;
            }
        }
        sum / squares.sqrt()
    }

    /// Returns noise that changes smoothly between random values, which are `every` seconds apart.
    fn drifting(&self, time: f32, every: f32) -> f32 {
        let at = f64::from(time) / f64::from(every);
        let knot = at.floor();
        let [from, to] = [0, 1].map(|next| self.value(knot as i64 + next));
        from + (to - from) * smoothstep((at - knot) as f32)
    }
}

/// Returns the noise of a tracker at a time in seconds, as a transform in the tracker's own space.
pub(super) fn noise(settings: &TrackerSettings, tracker: Tracker, time: f32) -> RigidTransform {
    let time = if time.is_finite() { time.clamp(-LONGEST, LONGEST) } else { 0.0 };
    let channel = |kind: u64, axis: u64| Channel {
        series: u64::from(settings.series),
        axis: tracker as u64 * 16 + kind * 3 + axis,
    };
    let jitter = |kind, of: f32| match of > 0.0 {
        true => Vec3::from_array([0, 1, 2].map(|axis| channel(kind, axis).filtered(time, settings.noise_time))) * of,
        false => Vec3::ZERO,
    };
    let drift = |kind, of: f32| match of > 0.0 {
        true => Vec3::from_array([0, 1, 2].map(|axis| channel(kind, axis).drifting(time, settings.drift_time))) * of,
        false => Vec3::ZERO,
    };
    let angles = jitter(2, settings.noise_angle.to_radians()) + drift(3, settings.drift_angle.to_radians());
    RigidTransform {
        position: jitter(0, settings.noise) + drift(1, settings.drift),
        rotation: Quat::from_scaled_axis(angles),
    }
}

/// Returns whether a tracker is in a drop-out at a time in seconds; never for the headset. Time is divided into spans with
/// one drop-out each.
pub(super) fn is_dropped(settings: &TrackerSettings, tracker: Tracker, time: f32) -> bool {
    if tracker == Tracker::Head || settings.drop_outs <= 0.0 || !time.is_finite() {
        return false;
    }
    let span = 60.0 / f64::from(settings.drop_outs);
    let time = f64::from(time.clamp(-LONGEST, LONGEST));
    let index = (time / span).floor();
    let length = f64::from(settings.drop_out_time).min(span);
    let share = uniform(hash([u64::from(settings.series), tracker as u64, (index as i64).cast_unsigned(), 1]));
    let start = index * span + (span - length) * f64::from(share);
    (start..start + length).contains(&time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_has_its_deviation_and_comes_again() {
        let settings = TrackerSettings { noise: 0.01, drift: 0.0, ..TrackerSettings::default() };
        let at = |frame: usize| noise(&settings, Tracker::LeftHand, frame as f32 / 30.0).position;
        let count = 4000;
        let mean = (0..count).map(at).sum::<Vec3>() / count as f32;
        let square = (0..count).map(|frame| (at(frame) - mean).length_squared()).sum::<f32>() / (3 * count) as f32;
        assert!(mean.length() < 0.002, "{mean}");
        assert!((0.008..0.012).contains(&square.sqrt()), "{}", square.sqrt());
        assert_eq!(at(7), at(7));
        let other = TrackerSettings { series: 2, ..settings.clone() };
        assert_ne!(at(7), noise(&other, Tracker::LeftHand, 7.0 / 30.0).position);
        assert_ne!(at(7), noise(&settings, Tracker::RightHand, 7.0 / 30.0).position);
    }

    #[test]
    fn noise_of_a_slow_filter_loses_its_memory_over_the_filter_time() {
        // The correlation of filtered noise after a time t is exp(−t / noise_time).
        for noise_time in [0.05, 0.3, 1.0] {
            let settings = TrackerSettings { noise: 0.01, noise_time, drift: 0.0, ..TrackerSettings::default() };
            let at = |time: f32| noise(&settings, Tracker::LeftHand, time).position;
            let (mut both, mut square) = (0.0, 0.0);
            for index in 0..800 {
                let time = 2.9 * index as f32;
                both += at(time).dot(at(time + noise_time));
                square += at(time).length_squared();
            }
            let correlation = both / square;
            assert!((correlation - (-1f32).exp()).abs() < 0.1, "{noise_time} s: {correlation}");
        }
    }

    #[test]
    fn drop_outs_take_their_share_of_the_time() {
        let settings = TrackerSettings { drop_outs: 10.0, drop_out_time: 1.5, ..TrackerSettings::default() };
        let dropped = (0..60_000).filter(|&at| is_dropped(&settings, Tracker::LeftFoot, at as f32 / 100.0)).count();
        assert!((14_000..16_000).contains(&dropped), "{dropped}");
        assert!(!(0..6000).any(|at| is_dropped(&settings, Tracker::Head, at as f32 / 100.0)));
    }
}
