//! Inertia: effectors lag behind their animated motion and swing past where it stops, as damped springs.
//!
//! In the character's own space, with `T` where an effector's bone is animated and `x` where it is thrown:
//!
//! ```text
//! x″ = ω² (T − x) + 2 ζ ω (T′ − x′)        ω = 2π · frequency, ζ = damping
//! offset = (x − T) · weight · share
//! ```
//!
//! The damper works on the difference of velocities, so that an even motion is followed without lag: only speeding up,
//! slowing down and turning is felt. For a `T` that goes on the cubic through the last four frames this has a closed form:
//! exact over any time. `x` begins on `T`, at rest; so it does after a frame of more than half a second, of which nobody
//! knows what went on in it.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::act::Seen;
use super::ask::Ask;
use super::kind::Kind;
use crate::full_body::Effector;
use crate::grounding::LONGEST_FRAME;
use crate::parameter::settings;

settings! {
    /// Effectors lag behind their animated motion, and swing past its end.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Inertia {
        /// Not at work.
        off: bool = false;
        /// How much of all of it there is.
        weight: f32 = 1.0, from 0 to 1 in Share,
            too little: "The animation as it is.",
            too much: "It is as it is set below.";
        /// How often the spring swings in a second: how tightly it follows.
        frequency: f32 = 2.5, from 0.1 to 30 usually 8 in PerSecond,
            too little: "It floats after the animation as if under water.",
            too much: "Nothing is felt of it.";
        /// How soon the swinging dies; 1 is without swinging past.
        damping: f32 = 0.5, from 0 to 4 usually 1.5 in Share,
            too little: "It goes on swinging.",
            too much: "It follows stiffly.";
        /// How much of it the body has.
        body: f32 = 0.5, from 0 to 1 in Share,
            too little: "The body is where it is animated.",
            too much: "It sways after every step.";
        /// How much of it the shoulders have.
        shoulders: f32 = 0.5, from 0 to 1 in Share,
            too little: "The shoulders are where they are animated.",
            too much: "They slop about.";
        /// How much of it the hands have.
        hands: f32 = 1.0, from 0 to 1 in Share,
            too little: "The hands are where they are animated.",
            too much: "They trail behind like flags.";
        /// The farthest that anything is thrown, of the character's height from foot to head.
        farthest: f32 = 0.15, from 0 to 10 usually 0.4 in Share,
            too little: "Nothing is thrown.",
            too much: "A jump cut throws it across the room.";
    }
}

/// A mass on its spring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spring {
    /// Where the mass is, as seen from the root.
    x: Vec3,
    /// Its velocity, per second.
    v: Vec3,
    /// Where it was drawn to in the frame before.
    to: Vec3,
    /// How fast that went in the last two frames, and for how long: the newest first. No time before there were any.
    #[serde(default)]
    went: [(Vec3, f32); 2],
}

/// Springs of body, both shoulders and both hands; `None` before the first frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Springs {
    all: Option<[Spring; THROWN.len()]>,
}

impl Springs {
    /// Where a spring is, and where it is drawn to; as seen from the root.
    pub(super) fn places(&self, index: usize) -> Option<[Vec3; 2]> {
        self.all.map(|all| [all[index].x, all[index].to])
    }
}

pub(super) const THROWN: [Effector; 5] =
    [Effector::Body, Effector::LeftShoulder, Effector::RightShoulder, Effector::LeftHand, Effector::RightHand];

impl Spring {
    fn at_rest(to: Vec3) -> Self {
        Self { x: to, v: Vec3::ZERO, to, went: Default::default() }
    }

    /// `dt` seconds on, while what draws it goes to `to`, on the cubic through there and the last three frames. `w` is 2π
    /// times the frequency, above 0.
    ///
    /// `u = x − T` swings by `u″ + 2 ζ ω u′ + ω² u = −T″`. With `T″ = a + j t` one answer is `p = −(a + j t) / ω² +
    /// 2 ζ j / ω³`, and `u − p` is a free swing, of which place and speed are known.
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
        let [(newest, h1), (oldest, h0)] = self.went;
        // Divided differences of second and third order, as far as there are frames for them.
        let second = |[after, before]: [Vec3; 2], time: f32| (after - before) / time;
        let bend = if h1 > 0.0 { second([speed, newest], h1 + dt) } else { Vec3::ZERO };
        let twist = match h0 > 0.0 {
            true => (bend - second([newest, oldest], h0 + h1)) / (h0 + h1 + dt),
            false => Vec3::ZERO,
        };
        if h1 > 0.0 && h0 <= 0.0 {
            // The first piece was taken for straight, and was as bent as this one.
            let missed = bend * (h1 * h1 * h1 / -6.0);
            (self.x, self.v) = (self.x + missed * c, self.v + missed * (w * w));
        }
        // Speeds of the cubic's last piece at its ends, what it gains in a second there, and how much more in the next.
        let begin = speed - bend * dt - twist * (h1 * dt);
        let end = speed + bend * dt + twist * (dt * (h1 + dt));
        let (a, j) = (bend * 2.0 + twist * (2.0 * (h1 - dt)), twist * 6.0);
        let answer = |t: f32| (a + j * t) * (-1.0 / (w * w)) + j * (c / (w * w * w * w));
        let drift = j * (-1.0 / (w * w));
        let (u, v) = (self.x - self.to, self.v - begin);
        let [u, v] = free_swing([u - answer(0.0), v - drift], [w, damping], dt);
        let (u, v) = (u + answer(dt), v + drift);
        *self = Self { x: to + u, v: v + end, to, went: [(speed, dt), (newest, h1)] };
    }
}

/// Place and speed of a damped swing after `dt` seconds.
pub(super) fn free_swing([u, v]: [Vec3; 2], [w, damping]: [f32; 2], dt: f32) -> [Vec3; 2] {
    let (a, gone) = (damping * w, damping * damping - 1.0);
    let decay = (-a * dt).exp();
    // cos and sin / Ω of Ω dt, Ω² = ω² (1 − ζ²); beyond ζ = 1 their hyperbolic kin, at 1 the limit of both.
    let square = gone * w * w;
    let (c, s) = match square * dt * dt {
        small if small.abs() < 1e-6 => (1.0 + 0.5 * small, dt * (1.0 + small / 6.0)),
        below if below < 0.0 => {
            let omega = (-square).sqrt();
            ((omega * dt).cos(), (omega * dt).sin() / omega)
        }
        _ => {
            // The decay is drawn in, so that nothing grows beyond what a float holds.
            let omega = square.sqrt();
            let (slow, fast) = (((omega - a) * dt).exp(), (-(omega + a) * dt).exp());
            let (c, s) = (0.5 * (slow + fast), 0.5 * (slow - fast) / omega);
            return [u * c + (v + u * a) * s, v * c - (v * a + u * (w * w)) * s];
        }
    };
    [(u * c + (v + u * a) * s) * decay, (v * c - (v * a + u * (w * w)) * s) * decay]
}

impl Inertia {
    /// 2π times the frequency, and the damping.
    pub(super) fn spring(&self) -> [f32; 2] {
        [std::f32::consts::TAU * self.frequency, self.damping]
    }

    /// How much of it an effector has.
    pub(super) fn share(&self, effector: Effector) -> f32 {
        match effector {
            Effector::Body => self.body,
            Effector::LeftShoulder | Effector::RightShoulder => self.shoulders,
            _ => self.hands,
        }
    }

    /// How far an effector is thrown; in the space of the poses.
    pub(super) fn thrown(&self, springs: &Springs, seen: &Seen, index: usize) -> Vec3 {
        let Some(spring) = springs.all.map(|all| all[index]) else { return Vec3::ZERO };
        let away = (spring.x - spring.to) * (self.weight * self.share(THROWN[index]));
        seen.root.rotation * away.clamp_length_max(self.farthest * seen.figure.height)
    }
}

impl Inertia {
    /// Lets the springs follow where the pose has the effectors now.
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
            // A jump is no motion: what is thrown as far as this has lost touch.
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
        /// Many small steps of the textbook come to what one large step does.
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

        /// Sliders are dragged while it stands.
        #[test]
        fn other_settings_move_nothing_that_rests(frequency in 0.2f32..8.0, damping in 0.0f32..3.0, dt in 0.001f32..0.4) {
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
