//! Weight of a foot from the speed of its bone, for poses without a clip and thus without a weight curve.
//!
//! *Foot IK by ray and curve* suggests this at its end: the faster the bone moves between two frames, the smaller the
//! weight. `m` is the motion of the foot bone since the last frame, less the motion of the ground under it; `v₀` is the
//! last frame's `v`:
//!
//! ```text
//! v      = v₀ · k + m / dt · (1 − k)        k = exp(−dt / smoothing)
//! weight = 1 up to planted_speed, 0 from swing_speed on, smooth between, for |v|
//! ```
//!
//! The speed is measured in the world. A character that walks on the spot moves its standing feet too, so it needs
//! curves, or root motion. A new foot has weight 1, and so has a foot after a jump of the root or a frame longer than
//! [`LONGEST_FRAME`].

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::derive::fade;
use super::input::{Input, LONGEST_FRAME, is_sane};
use crate::names::Side;
use crate::parameter::{Parameters, settings};

/// Source of the feet's weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WeightSource {
    /// [`Place::planted`](crate::stack::Place::planted) of the input, for example the values of the playing clips'
    /// weight curves; 1 by default.
    #[default]
    Curve,
    /// The speed of the foot bone: see [`SpeedSettings`].
    Speed,
}

settings! {
    /// Thresholds from the speed of a foot bone to its weight: `grounding.speed` in a preset.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct SpeedSettings {
        /// Speed of the bone up to which a foot stands: weight 1.
        planted_speed: f32 = 0.3, from 0 to 50 usually 2 in MetresPerSecond,
            too little: "A foot that rolls over its heel is let go while it stands.",
            too much: "Feet are pulled to the ground while they land and lift.";
        /// Speed from which a foot swings: weight 0.
        swing_speed: f32 = 1.0, from 0 to 50 usually 4 in MetresPerSecond,
            too little: "The weight jumps from 1 to 0.",
            too much: "Feet in the air are pulled to the ground.";
        /// Time constant of the filter that smooths the bone's velocity.
        smoothing: f32 = 0.05, from 0 to 1 usually 0.3 in Seconds,
            too little: "The weight follows the noise of the animation.",
            too much: "Feet are let go long after they left the ground.";
    }
}

impl SpeedSettings {
    /// Clamps every number to its range; NaN is replaced by the default.
    pub fn clamped(mut self) -> Self {
        self.clamp_numbers();
        self
    }
}

/// State of one foot between two frames. The default is a new foot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedLeg {
    /// Position of the animated foot bone in the last frame, world space; `None` before the first frame, or if it was
    /// not finite.
    pub position: Option<Vec3>,
    /// Smoothed velocity relative to the ground; metres per second.
    pub velocity: Vec3,
}

/// State between two frames. The default is a new character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedState {
    /// Position of the root in the last frame, world space; `None` before the first.
    pub root: Option<Vec3>,
    /// The feet, in the order of [`Side::ALL`].
    pub legs: [SpeedLeg; 2],
}

/// Returns the weights of both feet, 0 to 1, and updates the state. `carried` is the motion of the ground under each
/// foot since the last frame; world space, metres. If no time passes or the root is not finite, the state stays.
pub fn weights(settings: &SpeedSettings, input: &Input, carried: [Vec3; 2], state: &mut SpeedState) -> [f32; 2] {
    let settings = settings.clamped();
    let (dt, root) = (input.dt, input.root.sane());
    if let Some(root) = root.filter(|_| dt > 0.0) {
        let continues = dt <= LONGEST_FRAME && state.root.is_some_and(|last| !root.teleported_from(last, dt));
        let keep = if settings.smoothing > 0.0 { (-dt / settings.smoothing).exp() } else { 0.0 };
        for side in Side::ALL {
            let (leg, carried) = (&mut state.legs[side as usize], carried[side as usize]);
            let position = input.feet[side as usize].position;
            if !is_sane(position) {
                *leg = SpeedLeg::default();
                continue;
            }
            let carried = if carried.is_finite() { carried } else { Vec3::ZERO };
            leg.velocity = match leg.position.filter(|_| continues) {
                Some(last) => leg.velocity * keep + (position - last - carried) / dt * (1.0 - keep),
                None => Vec3::ZERO,
            };
            if !leg.velocity.is_finite() {
                leg.velocity = Vec3::ZERO;
            }
            leg.position = Some(position);
        }
        state.root = Some(root.position);
    }
    state.legs.map(|leg| fade(leg.velocity.length(), settings.planted_speed, settings.swing_speed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grounding::{FootGeometry, FootInput, Root};
    use crate::rig::RigidTransform;

    fn input(feet: [Vec3; 2], root: Vec3, dt: f32) -> Input {
        let foot = |position| {
            let bone = RigidTransform { position, ..RigidTransform::IDENTITY };
            FootInput::new(bone, FootGeometry::default())
        };
        Input { root: Root { position: root, ..Root::ORIGIN }, feet: feet.map(foot), dt }
    }

    #[test]
    fn standing_feet_weigh_one_and_swinging_feet_zero_at_every_frame_rate() {
        for rate in [30.0f32, 60.0, 144.0] {
            let (settings, mut state) = (SpeedSettings::default(), SpeedState::default());
            let mut found = [0.0; 2];
            for frame in 0..rate as u32 {
                let time = frame as f32 / rate;
                // The left foot stands, the right one swings at 2 m/s, the root moves at 1 m/s.
                let feet = [Vec3::new(0.1, 0.1, 0.0), Vec3::new(-0.1, 0.2, 2.0 * time)];
                found = weights(&settings, &input(feet, Vec3::Z * time, 1.0 / rate), [Vec3::ZERO; 2], &mut state);
                assert!(frame > 0 || found == [1.0; 2], "the first frame has full weights");
            }
            assert_eq!(found, [1.0, 0.0], "at {rate} Hz");
            assert!((state.legs[1].velocity.z - 2.0).abs() < 1e-3);
        }
    }

    #[test]
    fn the_ground_under_a_foot_does_not_count_and_a_jump_begins_anew() {
        let (settings, mut state) = (SpeedSettings::default(), SpeedState::default());
        for frame in 0..60 {
            let at = Vec3::X * (frame as f32 / 60.0 * 3.0);
            let carried = [Vec3::X * (3.0 / 60.0), Vec3::ZERO];
            let found = weights(&settings, &input([at; 2], at, 1.0 / 60.0), carried, &mut state);
            assert!(found[0] == 1.0 && (frame < 30 || found[1] == 0.0), "{frame}: {found:?}");
        }
        let before = state;
        let far = Vec3::splat(50.0);
        assert_eq!(weights(&settings, &input([far; 2], far, 0.0), [Vec3::ZERO; 2], &mut state), [1.0, 0.0]);
        assert_eq!(state, before);
        assert_eq!(weights(&settings, &input([far; 2], far, 1.0 / 60.0), [Vec3::ZERO; 2], &mut state), [1.0; 2]);
    }

    #[test]
    fn numbers_that_are_not_finite_still_give_weights() {
        for bad in [f32::NAN, f32::INFINITY, f32::MIN_POSITIVE, 1e30] {
            let settings = SpeedSettings { planted_speed: bad, swing_speed: bad, smoothing: bad };
            let mut state = SpeedState::default();
            for step in 0..4 {
                let at = Vec3::splat(if step == 2 { bad } else { step as f32 });
                let dt = if step == 3 { f32::MIN_POSITIVE } else { 1.0 / 60.0 };
                let found = weights(&settings, &input([at; 2], Vec3::ZERO, dt), [at; 2], &mut state);
                assert!(found.iter().all(|weight| (0.0..=1.0).contains(weight)), "{bad}, {step}: {found:?}");
            }
        }
    }
}
