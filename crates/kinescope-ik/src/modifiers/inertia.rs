//! Inertia: effectors lag behind their animated motion and overshoot where it stops, as damped springs.
//!
//! In the character's own space, `T` is the animated place of an effector's bone and `x` the place of its mass:
//!
//! ```text
//! x″ = ω² (T − x) + 2 ζ ω (T′ − x′)        ω = 2π · frequency, ζ = damping
//! offset = (x − T) · weight · share        at most farthest · height long
//! ```
//!
//! The damper acts on the difference of velocities, so only changes of the velocity of `T` have an effect; uniform
//! motion is followed without lag. `T` moves on the cubic through the last four frames, for which the equation has a
//! closed form, exact over any time. `x` starts at rest on `T`. It restarts there after a frame longer than half a
//! second, during which the motion is unknown, and after a jump of `T`.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::act::Seen;
use super::ask::Ask;
use super::kind::Kind;
use crate::full_body::Effector;
use crate::grounding::LONGEST_FRAME;
use crate::parameter::settings;

settings! {
    /// Lets effectors lag behind their animated motion and overshoot its end.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Inertia {
        /// Whether the modifier is off.
        off: bool = false;
        /// Weight of the whole effect.
        weight: f32 = 1.0, from 0 to 1 in Share,
            too little: "The animation is unchanged.",
            too much: "The effect has its full strength.";
        /// Oscillations of the spring per second: how tightly it follows.
        frequency: f32 = 2.5, from 0.1 to 30 usually 8 in PerSecond,
            too little: "Effectors lag far behind the animation.",
            too much: "The effect is invisible.";
        /// Damping ratio: how soon oscillation ends; from 1 on, effectors overshoot once without oscillating.
        damping: f32 = 0.5, from 0 to 4 usually 1.5 in Share,
            too little: "Effectors keep swinging.",
            too much: "Effectors follow stiffly.";
        /// How much of the lag the body takes.
        body: f32 = 0.5, from 0 to 1 in Share,
            too little: "The body stays as animated.",
            too much: "The body sways after every step.";
        /// How much of the lag the shoulders take.
        shoulders: f32 = 0.5, from 0 to 1 in Share,
            too little: "The shoulders stay as animated.",
            too much: "The shoulders wobble.";
        /// How much of the lag the hands take.
        hands: f32 = 1.0, from 0 to 1 in Share,
            too little: "The hands stay as animated.",
            too much: "The hands trail far behind.";
        /// Largest displacement, as a fraction of the character's height from foot to head.
        farthest: f32 = 0.15, from 0 to 10 usually 0.4 in Share,
            too little: "Effectors follow the animation without a lag.",
            too much: "A jump of the animation throws effectors far from the body.";
    }
}

/// A mass on its spring, in the character's space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spring {
    x: Vec3,
    v: Vec3,
    /// Animated position in the latest frame.
    to: Vec3,
    /// Velocity of the animated position, and duration, of the last two frames, newest first. A duration of 0 means
    /// that there was no such frame.
    #[serde(default)]
    history: [(Vec3, f32); 2],
}

/// Springs of body, shoulders and hands; `None` before the first frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Springs {
    all: Option<[Spring; THROWN.len()]>,
}

impl Springs {
    /// Returns the position of a mass and its animated position, both in the character's space; `None` before the first
    /// frame.
    pub(super) fn places(&self, index: usize) -> Option<[Vec3; 2]> {
        self.all.map(|all| [all[index].x, all[index].to])
    }
}

pub(super) const THROWN: [Effector; 5] =
    [Effector::Body, Effector::LeftShoulder, Effector::RightShoulder, Effector::LeftHand, Effector::RightHand];

impl Spring {
    fn at_rest(to: Vec3) -> Self {
        Self { x: to, v: Vec3::ZERO, to, history: Default::default() }
    }

    /// Advances by `dt` seconds, while the animated position moves to `to` on the cubic through it and the last three
    /// frames. `w` is 2π times the frequency, above 0. A `dt` above [`LONGEST_FRAME`] puts the mass at rest on `to`;
    /// with a `dt` of 0 or less the mass stays, and only the animated position becomes `to`.
    ///
    /// `u = x − T` follows `u″ + 2 ζ ω u′ + ω² u = −T″`. For `T″ = a + j t` a particular solution is `p = −(a + j t) /
    /// ω² + 2 ζ j / ω³`; `u − p` is a free oscillation with known position and velocity.
    pub(super) fn pass(&mut self, to: Vec3, [w, damping]: [f32; 2], dt: f32) {
        if dt > LONGEST_FRAME {
            *self = Self::at_rest(to);
        }
        if dt <= 0.0 || dt > LONGEST_FRAME {
            self.to = to;
            return;
        }
        let c = 2.0 * damping * w;
        let speed = (to - self.to) / dt;
        let [(newest, h1), (oldest, h0)] = self.history;
        // Divided differences of second and third order, as far as there are enough frames.
        let second = |[after, before]: [Vec3; 2], time: f32| (after - before) / time;
        let bend = if h1 > 0.0 { second([speed, newest], h1 + dt) } else { Vec3::ZERO };
        let twist = match h0 > 0.0 {
            true => (bend - second([newest, oldest], h0 + h1)) / (h0 + h1 + dt),
            false => Vec3::ZERO,
        };
        if h1 > 0.0 && h0 <= 0.0 {
            // The first interval was treated as straight; corrects for the curvature known now.
            let missed = bend * (h1 * h1 * h1 / -6.0);
            (self.x, self.v) = (self.x + missed * c, self.v + missed * (w * w));
        }
        // Velocities at the ends of the cubic's last interval; then the acceleration at the start, and its rate of change.
        let begin = speed - bend * dt - twist * (h1 * dt);
        let end = speed + bend * dt + twist * (dt * (h1 + dt));
        let (a, j) = (bend * 2.0 + twist * (2.0 * (h1 - dt)), twist * 6.0);
        let answer = |t: f32| (a + j * t) * (-1.0 / (w * w)) + j * (c / (w * w * w * w));
        let drift = j * (-1.0 / (w * w));
        let (u, v) = (self.x - self.to, self.v - begin);
        let [u, v] = free_swing([u - answer(0.0), v - drift], [w, damping], dt);
        let (u, v) = (u + answer(dt), v + drift);
        *self = Self { x: to + u, v: v + end, to, history: [(speed, dt), (newest, h1)] };
    }
}

/// Returns position and velocity of a damped oscillation after `dt` seconds.
pub(super) fn free_swing([u, v]: [Vec3; 2], [w, damping]: [f32; 2], dt: f32) -> [Vec3; 2] {
    let (a, gone) = (damping * w, damping * damping - 1.0);
    let decay = (-a * dt).exp();
    // `cos` and `sin / Ω` of Ω dt with Ω² = ω² (1 − ζ²); hyperbolic for ζ above 1; at 1 the limit of both.
    let square = gone * w * w;
    let (c, s) = match square * dt * dt {
        small if small.abs() < 1e-6 => (1.0 + 0.5 * small, dt * (1.0 + small / 6.0)),
        below if below < 0.0 => {
            let omega = (-square).sqrt();
            ((omega * dt).cos(), (omega * dt).sin() / omega)
        }
        _ => {
            // The decay is part of the exponents, so that nothing overflows.
            let omega = square.sqrt();
            let (slow, fast) = (((omega - a) * dt).exp(), (-(omega + a) * dt).exp());
            let (c, s) = (0.5 * (slow + fast), 0.5 * (slow - fast) / omega);
            return [u * c + (v + u * a) * s, v * c - (v * a + u * (w * w)) * s];
        }
    };
    [(u * c + (v + u * a) * s) * decay, (v * c - (v * a + u * (w * w)) * s) * decay]
}

impl Inertia {
    /// Returns the angular frequency of the spring in rad/s, and its damping ratio.
    pub(super) fn spring(&self) -> [f32; 2] {
        [std::f32::consts::TAU * self.frequency, self.damping]
    }

    pub(super) fn share(&self, effector: Effector) -> f32 {
        match effector {
            Effector::Body => self.body,
            Effector::LeftShoulder | Effector::RightShoulder => self.shoulders,
            _ => self.hands,
        }
    }

    /// Returns the displacement of an effector, by its index in [`THROWN`], in the space of the poses; zero before the
    /// first frame.
    pub(super) fn thrown(&self, springs: &Springs, seen: &Seen, index: usize) -> Vec3 {
        let Some(spring) = springs.all.map(|all| all[index]) else { return Vec3::ZERO };
        let away = (spring.x - spring.to) * (self.weight * self.share(THROWN[index]));
        seen.root.rotation * away.clamp_length_max(self.farthest * seen.figure.height)
    }
}

impl Inertia {
    fn follow(&self, springs: &mut Springs, ask: &Ask) {
        let (seen, how) = (ask.seen(), self.spring());
        let back = seen.root.rotation.conjugate();
        let places = THROWN.map(|effector| back * (ask.place(effector) - seen.root.position));
        if places.iter().any(|place| !place.is_finite()) {
            return;
        }
        let all = springs.all.get_or_insert_with(|| places.map(Spring::at_rest));
        for (spring, place) in all.iter_mut().zip(places) {
            spring.pass(place, how, seen.passed());
            // A displacement this large comes from a jump, not from motion.
            let lost = spring.x.distance(place) > 4.0 * self.farthest.max(1.0) * seen.figure.height;
            if lost || !spring.x.is_finite() || !spring.v.is_finite() {
                *spring = Spring::at_rest(place);
            }
        }
    }
}

impl Kind for Inertia {
    type Memory = Springs;

    fn is_moving(&self, springs: &Springs) -> bool {
        const AT_REST: f32 = 1e-5;
        let [w, _] = self.spring();
        let moves = |spring: &Spring| spring.x.distance(spring.to) > AT_REST || spring.v.length() > AT_REST * w;
        springs.all.iter().flatten().any(moves)
    }

    fn before_read(&self, springs: &mut Springs, ask: &mut Ask) {
        self.follow(springs, ask);
        for (index, effector) in THROWN.into_iter().enumerate() {
            let by = self.thrown(springs, &ask.seen(), index);
            ask.offset(effector, by);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_swing_is_exact(u in -1.0f32..1.0, v in -5.0f32..5.0, frequency in 0.2f32..8.0, damping in 0.0f32..3.0, dt in 0.001f32..0.5) {
            let how = [std::f32::consts::TAU * frequency, damping];
            let [w, zeta] = how.map(f64::from);
            let (mut x, mut y) = (f64::from(u), f64::from(v));
            let steps = 20_000;
            let h = f64::from(dt) / f64::from(steps);
            let speed = |x: f64, y: f64| (y, -w * w * x - 2.0 * zeta * w * y);
            for _ in 0..steps {
                let (a, b) = speed(x, y);
                let (c, d) = speed(x + 0.5 * h * a, y + 0.5 * h * b);
                (x, y) = (x + h * c, y + h * d);
            }
            let [at, speed] = free_swing([Vec3::X * u, Vec3::X * v], how, dt);
            prop_assert!((f64::from(at.x) - x).abs() < 1e-4, "{} {x}", at.x);
            prop_assert!((f64::from(speed.x) - y).abs() < 1e-3 * w.max(1.0), "{} {y}", speed.x);
        }

        #[test]
        fn new_settings_do_not_move_a_spring_at_rest(frequency in 0.2f32..8.0, damping in 0.0f32..3.0, dt in 0.001f32..0.4) {
            let place = Vec3::new(0.3, 1.4, 0.2);
            let mut spring = Spring::at_rest(place);
            spring.pass(place, [15.0, 0.5], dt);
            spring.pass(place, [std::f32::consts::TAU * frequency, damping], dt);
            prop_assert!(spring.x.distance(place) < 1e-6 && spring.v.length() < 1e-5);
        }

        #[test]
        fn an_even_motion_is_followed_without_lag(speed in -3.0f32..3.0, dt in 0.002f32..0.05) {
            let how = [12.0, 0.5];
            let mut spring = Spring::at_rest(Vec3::ZERO);
            for frame in 1..=(4.0 / dt) as usize {
                spring.pass(Vec3::X * (speed * dt * frame as f32), how, dt);
            }
            prop_assert!((spring.x - spring.to).length() < 1e-3);
        }
    }
}
