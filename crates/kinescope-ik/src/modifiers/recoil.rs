//! Recoil: a shot throws the weapon back and up; hands, shoulders and body follow by their shares.
//!
//! `c` is the sum of the [impulses](crate::math::curve::impulse) of all shots in progress:
//!
//! ```text
//! kick  = −facing · kick · height · c · weight
//! R     = about(side, rise · c · weight)               side = facing × up
//! offset of the hand on the weapon       = kick
//! offset of the other hand (both_hands)  = kick + R · (other − hand) − (other − hand)
//! offset of each shoulder, of the body   = kick · shoulders, kick · body
//! after write: each hand on the weapon   = R ^ master weight · hand
//! ```
//!
//! The target of a hand with a position weight moves by the hand's offset. A hand without any weight keeps its animated
//! rotation during a shot, so that it does not turn on the weapon with its forearm: its rotation weight is the smooth
//! step of `5 · c · weight`.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::act::Seen;
use super::ages::{Ages, Repeat};
use super::ask::{Ask, Bones};
use super::kind::Kind;
use crate::full_body::{Effector, Settings};
use crate::grounding::Side;
use crate::math::curve::impulse;
use crate::math::{smoothstep, unit_or_zero};
use crate::parameter::settings;

settings! {
    /// Throws the weapon back and up with each shot.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Recoil {
        /// Whether the modifier is off.
        off: bool = false;
        /// Weight of the whole effect.
        weight: f32 = 1.0, from 0 to 1 in Share,
            too little: "Shots have no effect.",
            too much: "Shots have their full effect.";
        /// The hand that fires.
        hand: Side = Side::Right;
        /// Whether the other hand is also on the weapon and follows it.
        both_hands: bool = true;
        /// How far a shot throws the hand back, as a fraction of the character's height from foot to head.
        kick: f32 = 0.055, from 0 to 1 usually 0.2 in Share,
            too little: "The weapon seems to have no force.",
            too much: "The hand flies through the chest.";
        /// How far a shot turns the weapon up.
        rise: f32 = 8.0, from -90 to 90 usually 45 in Degrees,
            too little: "The weapon slides straight back; below 0 it dips.",
            too much: "The weapon points at the sky.";
        /// How much of the kick the shoulders take.
        shoulders: f32 = 0.5, from 0 to 1 in Share,
            too little: "The shoulders do not give way.",
            too much: "The shoulders go as far as the hand.";
        /// How much of the kick the body takes.
        body: f32 = 0.15, from 0 to 1 in Share,
            too little: "The body does not move.",
            too much: "Every shot pushes the whole character.";
        /// Time from the shot to the peak.
        attack: f32 = 0.04, from 0 to 2 usually 0.3 in Seconds,
            too little: "The weapon jumps.",
            too much: "The weapon seems pulled, not thrown.";
        /// Time from the peak back to the aim.
        release: f32 = 0.35, from 0 to 10 usually 1.5 in Seconds,
            too little: "The weapon snaps back.",
            too much: "The weapon sinks back slowly.";
        /// Time between automatic shots; 0 disables them.
        interval: f32 = 0.0, from 0 to 60 usually 3 in Seconds,
            too little: "Shots follow so fast that they merge; 0 disables automatic shots.",
            too much: "Shots are far apart.";
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Shots {
    pub ages: Ages,
    pub repeat: Repeat,
}

impl Recoil {
    /// Returns the sum of all shots' impulses times the weight.
    pub(super) fn felt(&self, shots: &Shots) -> f32 {
        let impulses = shots.ages.iter().map(|(age, ())| impulse(age, self.attack, self.release));
        self.weight * impulses.sum::<f32>()
    }

    /// Returns how much hands without a weight keep their animated rotation, 0 to 1.
    pub(super) fn holds(felt: f32) -> f32 {
        smoothstep((5.0 * felt).clamp(0.0, 1.0))
    }

    /// Returns the weapon's displacement and rotation; in the space of the poses.
    pub(super) fn throw(&self, seen: &Seen, felt: f32) -> (Vec3, Quat) {
        let across = unit_or_zero(seen.facing().cross(seen.up()));
        let rise = Quat::from_axis_angle(across, (self.rise * felt).to_radians());
        (
            -seen.facing() * (self.kick * seen.figure.height) * felt,
            if across == Vec3::ZERO { Quat::IDENTITY } else { rise },
        )
    }

    pub(super) fn hands(&self) -> [Effector; 2] {
        match self.hand {
            Side::Left => [Effector::LeftHand, Effector::RightHand],
            Side::Right => [Effector::RightHand, Effector::LeftHand],
        }
    }
}

impl Kind for Recoil {
    type Memory = Shots;

    fn pass(&self, shots: &mut Shots, seen: &Seen) {
        let (dt, lasts) = (seen.passed(), self.attack + self.release);
        shots.ages.pass(dt, lasts);
        let Shots { ages, repeat } = shots;
        repeat.pass(dt, self.interval, |age| ages.start(age, ()));
    }

    fn trigger(&self, shots: &mut Shots) {
        shots.ages.start(0.0, ());
    }

    fn is_moving(&self, shots: &Shots) -> bool {
        self.interval > 0.0 || shots.ages.iter().next().is_some()
    }

    fn before_read(&self, shots: &mut Shots, ask: &mut Ask) {
        let felt = self.felt(shots);
        if felt == 0.0 {
            return;
        }
        let (kick, rise) = self.throw(&ask.seen(), felt);
        let [hand, other] = self.hands();
        let apart = ask.place(other) - ask.place(hand);
        ask.carry(hand, kick);
        if self.both_hands {
            ask.carry(other, kick + (rise * apart - apart));
        }
        for on_it in [Some(hand), self.both_hands.then_some(other)].into_iter().flatten() {
            let own = ask.settings().effector(on_it);
            if own.position_weight <= 0.0 && own.rotation_weight <= 0.0 {
                let animated = ask.bones.get(ask.seen().figure.bone_of(on_it)).rotation;
                ask.draw_rotation(on_it, animated, Self::holds(felt));
            }
        }
        for shoulder in [Effector::LeftShoulder, Effector::RightShoulder] {
            ask.offset(shoulder, kick * self.shoulders);
        }
        ask.offset(Effector::Body, kick * self.body);
    }

    fn after_write(&self, shots: &Shots, used_settings: &Settings, bones: &mut Bones) {
        let felt = self.felt(shots) * used_settings.solver.weight;
        if felt == 0.0 {
            return;
        }
        let (_, rise) = self.throw(&bones.seen, felt);
        let [hand, other] = self.hands().map(|hand| bones.seen.figure.bone_of(hand));
        bones.turn(hand, rise);
        if self.both_hands {
            bones.turn(other, rise);
        }
    }
}
