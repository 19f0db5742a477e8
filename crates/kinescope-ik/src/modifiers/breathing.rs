//! Breathing and sway of an idle body.
//!
//! With `t` the elapsed seconds, `u = sway_rate · t`, and `s` a sum of three sines whose rates have no small common
//! multiple, so that the sway does not visibly repeat:
//!
//! ```text
//! b = ½ (1 − cos(2π · rate · t))
//! offset of each shoulder = (up · 0.7 + facing · 0.5) · depth · height · b · weight
//! offset of the body      = (facing · 0.25 · depth · b + drift · sway) · height · weight
//! drift                   = side · s(u) + facing · (s(u + 31) − s(31))
//! turn of the spine       = about(side, lean · b · weight · master weight), shared by its bones      side = facing × up
//! ```

use std::f32::consts::TAU;

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::act::Seen;
use super::ask::Ask;
use super::kind::Kind;
use crate::full_body::Effector;
use crate::math::unit_or_zero;
use crate::parameter::settings;

settings! {
    /// Makes an idle body breathe and sway.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Breathing {
        /// Whether the modifier is off.
        off: bool = false;
        /// Weight of breathing and sway.
        weight: f32 = 1.0, from 0 to 1 in Share,
            too little: "The body stands still.",
            too much: "Breathing and sway have their full strength.";
        /// Breaths per second.
        rate: f32 = 0.25, from 0 to 5 usually 1 in PerSecond,
            too little: "The character seems asleep.",
            too much: "The character pants.";
        /// Depth of a breath, as a fraction of the height from foot to head: shoulders rise by 0.7 of it and move forward by 0.5.
        depth: f32 = 0.008, from 0 to 1 usually 0.04 in Share,
            too little: "Only the spine moves with the breath.",
            too much: "The character shrugs.";
        /// How far the spine straightens with a breath.
        lean: f32 = 1.5, from 0 to 45 usually 8 in Degrees,
            too little: "The spine does not straighten with the breath.",
            too much: "The character bows and straightens.";
        /// How far the body sways over its feet, as a fraction of the character's height.
        sway: f32 = 0.006, from 0 to 1 usually 0.04 in Share,
            too little: "The body stands rigid.",
            too much: "The body sways as if it lost its balance.";
        /// How often the body sways per second.
        sway_rate: f32 = 0.2, from 0 to 5 usually 1 in PerSecond,
            too little: "The body drifts.",
            too much: "The body trembles.";
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Breath {
    breaths: f64,
    sways: f64,
}

/// Number of cycles after which the phases restart, as large numbers lose precision. All three sines have
/// made whole numbers of cycles by then.
const WRAP: f64 = 10_000.0;

/// Returns the sum of three sines, −1 to 1; `turns` counts cycles of the slowest.
fn wander(turns: f64) -> f32 {
    let wave = |rate: f64| ((turns * rate).fract() as f32 * TAU).sin();
    0.5 * wave(1.0) + 0.3 * wave(1.618) + 0.2 * wave(2.414)
}

impl Breathing {
    /// Returns the depth of the breath, 0 to 1, and the sway to the side and forward, about −1 to 1.
    pub(super) fn drawn(breath: &Breath) -> [f32; 3] {
        let drawn = 0.5 * (1.0 - (breath.breaths.fract() as f32 * TAU).cos());
        [drawn, wander(breath.sways), wander(breath.sways + 31.0) - wander(31.0)]
    }
}

impl Kind for Breathing {
    type Memory = Breath;

    fn pass(&self, breath: &mut Breath, seen: &Seen) {
        let dt = f64::from(seen.passed());
        breath.breaths = (breath.breaths + dt * f64::from(self.rate)).rem_euclid(WRAP);
        breath.sways = (breath.sways + dt * f64::from(self.sway_rate)).rem_euclid(WRAP);
    }

    fn is_moving(&self, _: &Breath) -> bool {
        self.weight > 0.0
    }

    fn before_read(&self, breath: &mut Breath, ask: &mut Ask) {
        if self.weight == 0.0 {
            return;
        }
        let seen = ask.seen();
        let (facing, up, height) = (seen.facing(), seen.up(), seen.figure.height);
        let across = unit_or_zero(facing.cross(up));
        let [drawn, aside, ahead] = Self::drawn(breath);
        let weight = self.weight * ask.settings().solver.weight;
        let turn = (self.lean * drawn * weight).to_radians() / seen.figure.spine.len().max(1) as f32;
        for &bone in seen.figure.spine.iter().filter(|_| across != Vec3::ZERO && turn != 0.0) {
            ask.bones.turn(bone, Quat::from_axis_angle(across, turn));
        }
        let rise = (up * 0.7 + facing * 0.5) * (self.depth * height * drawn * self.weight);
        for shoulder in [Effector::LeftShoulder, Effector::RightShoulder] {
            ask.offset(shoulder, rise);
        }
        let sway = (across * aside + facing * ahead) * (self.sway * height);
        ask.offset(Effector::Body, (facing * (0.25 * self.depth * height * drawn) + sway) * self.weight);
    }
}
