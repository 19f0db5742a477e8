//! Smoothing that hardly depends on the frame rate, and the sources' smoothing for comparison.
//!
//! The sources use a factor per frame, `value += (target − value) · dt · speed`, which is a different filter at every
//! frame rate. [`Lag`] and [`chase`] solve the underlying differential equation exactly, for a target that moves in a
//! straight line during the frame (a first-order hold). Splitting a frame of such a motion into shorter frames does not
//! change the result, so smooth motion gives nearly the same result at 30 and at 240 Hz. [`lerp`], [`slerp`] and
//! [`approach`] are the sources' formulas; a grounder uses them with [`Update::PerFrame`].
//! Sources: *Foot IK by ray and curve*; *Foot IK with velocity prediction*.

use glam::{Quat, Vec3};

use super::slerp as slerp_rotations;

/// How values move toward their targets each frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Update {
    /// By the exact solution for a target that moves in a straight line during the frame.
    #[default]
    Exact,
    /// By the sources' formula, once per frame: a different filter at every frame rate. For comparison only.
    PerFrame,
}

/// Returns `value` moved toward `target` by the fraction `part` of their distance. The fraction is clamped to 0–1.
pub fn lerp(value: f32, target: f32, part: f32) -> f32 {
    value + (target - value) * part.clamp(0.0, 1.0)
}

/// Returns `value` moved toward `target`, at most to the target: by at most `up` if the value rises, by at most `down`
/// if it falls. Neither limit may be negative.
pub fn approach(value: f32, target: f32, up: f32, down: f32) -> f32 {
    if value < target { (value + up).min(target) } else { (value - down).max(target) }
}

/// Returns `rotation` moved by the fraction `part` of the arc to `target`. The fraction is clamped to 0–1. Rotations
/// are axis times angle, in radians, at most π.
pub fn slerp(rotation: Vec3, target: Vec3, part: f32) -> Vec3 {
    let [from, to] = [rotation, target].map(Quat::from_scaled_axis);
    slerp_rotations(from, to, part.clamp(0.0, 1.0)).to_scaled_axis()
}

/// The exact solution of `x′ = rate · (target − x)` over one frame: the weights of the old value and of the target at
/// both ends of the frame. The weights are not negative and sum to 1, so the result stays between the old value and the
/// targets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lag {
    /// The weight of the old value.
    pub keep: f32,
    /// The weight of the target at the start of the frame.
    pub from: f32,
    /// The weight of the target at the end of the frame.
    pub to: f32,
}

impl Lag {
    /// Returns the weights for a rate in 1/s and a duration in seconds. Neither may be negative. If `dt` is 0, the old value
    /// stays, also at an infinite rate.
    pub fn new(rate: f32, dt: f32) -> Self {
        if dt == 0.0 {
            return Self { keep: 1.0, from: 0.0, to: 0.0 };
        }
        let a = f64::from(rate) * f64::from(dt);
        let keep = (-a).exp();
        // The mean of exp(−rate·t) over the frame. The closed form is 0 / 0 at 0, so small values use the series, which
        // is accurate to 2e-9 there.
        let mean = if a < 1e-4 { 1.0 - a * 0.5 } else { -(-a).exp_m1() / a };
        Self { keep: keep as f32, from: (mean - keep).max(0.0) as f32, to: (1.0 - mean) as f32 }
    }

    /// Returns how much of a displacement that is spread evenly over the frame remains at the frame's end, 0 to 1.
    pub fn mean(self) -> f32 {
        self.keep + self.from
    }

    /// Returns the value at the end of the frame, for a target that moves in a straight line from `from` to `to`.
    pub fn apply<T>(self, value: T, from: T, to: T) -> T
    where
        T: std::ops::Mul<f32, Output = T> + std::ops::Add<Output = T>,
    {
        value * self.keep + from * self.from + to * self.to
    }
}

/// Returns `value` after following the lower of two targets, each of which moves in a straight line from `from` to `to`
/// within `dt` seconds.
///
/// If the targets cross, the path of the lower one has a kink. The frame is split there, and both parts are solved
/// exactly. `rate` is in 1/s; infinity reaches the target at once. If `dt` is 0, the result is `value`.
pub fn follow_lower(value: f32, from: [f32; 2], to: [f32; 2], rate: f32, dt: f32) -> f32 {
    let lower = |targets: [f32; 2]| targets[0].min(targets[1]);
    let (before, after) = (from[0] - from[1], to[0] - to[1]);
    let share = before / (before - after);
    let (first, rest) = (dt * share, dt - dt * share);
    if before * after >= 0.0 || first <= 0.0 || rest <= 0.0 {
        return Lag::new(rate, dt).apply(value, lower(from), lower(to));
    }
    let kink = from[0] + (to[0] - from[0]) * share;
    let value = Lag::new(rate, first).apply(value, lower(from), kink);
    Lag::new(rate, rest).apply(value, kink, lower(to))
}

/// Returns `value` after following a target with a constant speed plus a speed proportional to the distance:
/// `x′ = ±speed + rate · (target − x)`.
///
/// Once it arrives, the value stays on the target while the target moves no faster than `speed`. The target moves in a
/// straight line from `from` to `to` within `dt` seconds. `speed` is in units of the value per second, `rate` in 1/s;
/// neither may be negative. If `dt` is 0, the result is `value`.
pub fn chase(value: f32, from: f32, to: f32, speed: f32, rate: f32, dt: f32) -> f32 {
    let (dt, rate, speed) = (f64::from(dt), f64::from(rate), f64::from(speed));
    let error = f64::from(from) - f64::from(value);
    let moved = (f64::from(to) - f64::from(from)) / dt;
    if !moved.is_finite() {
        return value;
    }
    // Mirrors the axis so that the error is not negative; the target then moves away if `target_speed` is positive.
    let side = if error == 0.0 { moved } else { error }.signum();
    let (error, target_speed) = (error * side, moved * side);
    // The integral of exp(−rate·s) over s from 0 to t.
    let gain = |t: f64| if rate * t < 1e-9 { t } else { -(-rate * t).exp_m1() / rate };
    let after = |error: f64, drift: f64, t: f64| error * (-rate * t).exp() + drift * gain(t);

    let drift = target_speed - speed;
    let arrival = match drift < 0.0 {
        false => f64::INFINITY,
        true if rate * error < -drift * 1e-9 => error / -drift,
        true => (rate * error / -drift).ln_1p() / rate,
    };
    let remaining = if arrival >= dt {
        after(error, drift, dt).max(0.0)
    } else if target_speed >= -speed {
        0.0
    } else {
        // The target overtakes the value and moves away on the other side.
        after(0.0, target_speed + speed, dt - arrival)
    };
    (f64::from(to) - remaining * side) as f32
}
