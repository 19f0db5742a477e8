//! Look at, and aim: spine, neck and head share the rotation that points the eyes at a target, or the spine alone
//! points a hand at it.
//!
//! `a` is the eyes' direction (the head's forward axis), or the direction from the forearm to the aiming hand. `d` is
//! the direction to the target, clamped by [`clamp_direction`](crate::math::clamp_direction) to a cone about the
//! direction that the character (for neck and head: its chest) faces, so that nothing flips when the target passes
//! behind the back:
//!
//! ```text
//! before read, each of the n bones of the spine   = fromTo(a, d) ^ (spine · weight / n)
//! after write, each of the m bones of the neck    = fromTo(a, d) ^ (neck · head · weight / m)
//! the head                                        = fromTo(a, slerp(a₀, d, head · weight))
//! ```
//!
//! `a₀` is the eyes' direction before the neck turned. `weight` is the modifier's weight times the master weight.
//! Spine, neck and head each have a limit of their own for `d`.
//!
//! The spine turns before read, so that hands and feet with a target keep it. To point a hand, the spine turns in four
//! rounds, because each round also moves the hand; the hand's effector should have no position weight.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::act::Seen;
use super::ask::{Ask, Bones};
use super::kind::Kind;
use crate::attach::Attachment;
use crate::error::{BadValue, Fault};
use crate::full_body::Settings;
use crate::key::named;
use crate::math::{from_to_rotation, held, share, slerp_vector, unit};
use crate::parameter::settings;
use crate::rig::{BoneIndex, LimbName};

named! {
    /// The eyes or the hand that points at the target.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Aims {
        /// Returns the label on screen.
        label,
    }
    /// Every variant, in the order of the pane.
    ALL {
        /// The eyes' direction.
        #[default]
        Eyes;
        /// The direction from the left forearm to its hand.
        LeftHand;
        /// The direction from the right forearm to its hand.
        RightHand;
    }
}

settings! {
    /// Turns spine, neck and head so that the eyes point at a target, or the spine so that a hand does.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct LookAt {
        /// Whether the modifier is off.
        off: bool = false;
        /// Weight of the whole rotation.
        weight: f32 = 1.0, from 0 to 1 in Share,
            too little: "Nothing turns to the target.",
            too much: "The turn to the target has its full strength.";
        /// Target in the space of the poses. Without one, nothing turns.
        target: Option<Vec3> = None;
        /// Anchor of the target; without one the target is a fixed point.
        #[serde(skip_serializing_if = "Option::is_none")]
        attached: Option<Attachment> = None;
        /// The eyes or the hand that points at the target.
        aims: Aims = Aims::Eyes;
        /// How much of the rotation the spine takes.
        spine: f32 = 0.35, from 0 to 1 in Share,
            too little: "The torso does not turn to the target.",
            too much: "The torso makes the whole rotation, within its limit.";
        /// How much of the remaining rotation neck and head take.
        head: f32 = 1.0, from 0 to 1 in Share,
            too little: "Aiming eyes stay short of the target.",
            too much: "Aiming eyes are on the target, within the limits.";
        /// How much of the rotation of neck and head the neck takes.
        neck: f32 = 0.5, from 0 to 1 in Share,
            too little: "The head turns on a stiff neck.",
            too much: "The neck makes the whole rotation, and the head follows.";
        /// Largest angle, from the direction that the character faces, to which the spine follows the target.
        spine_limit: f32 = 45.0, from 0 to 180 in Degrees,
            too little: "The torso hardly turns.",
            too much: "The torso twists unnaturally far.";
        /// Largest angle, from the direction that the chest faces, to which the neck follows the target.
        neck_limit: f32 = 60.0, from 0 to 180 in Degrees,
            too little: "The neck hardly turns.",
            too much: "The neck twists unnaturally far.";
        /// Largest angle of the eyes from the direction that the chest faces.
        head_limit: f32 = 75.0, from 0 to 180 in Degrees,
            too little: "The eyes stay short of the target.",
            too much: "The head turns unnaturally far.";
    }
}

/// Rounds of turning the spine to point a hand. One round is not enough, because turning the spine also moves the hand.
const ROUNDS: u8 = 4;
impl LookAt {
    /// Returns the origin and the unit direction of the aim, in the space of the poses; `None` if the eyes aim without
    /// a head or their direction is zero, or if forearm and hand coincide.
    fn axis(&self, bones: &Bones) -> Option<[Vec3; 2]> {
        let figure = bones.seen.figure;
        match self.aims {
            Aims::Eyes => {
                let head = bones.get(figure.head?);
                Some([head.position, unit(head.rotation * figure.eyes)?])
            }
            Aims::LeftHand | Aims::RightHand => {
                let limb = if self.aims == Aims::LeftHand { LimbName::LeftArm } else { LimbName::RightArm };
                let [_, forearm, hand] = figure.limbs[limb.index()];
                let from = bones.get(hand).position;
                Some([from, unit(from - bones.get(forearm).position)?])
            }
        }
    }

    /// Returns the rotation from the aim to the target's direction, which is limited to `limit` degrees from `facing`;
    /// `None` without a target or an aim, or if the target is at the aim's origin.
    fn remaining_rotation(&self, bones: &Bones, facing: Vec3, limit: f32) -> Option<Quat> {
        let [from, axis] = self.axis(bones)?;
        let wanted = held(unit(self.target? - from)?, facing, limit);
        Some(from_to_rotation(axis, wanted))
    }
}

impl Kind for LookAt {
    type Memory = ();

    fn check(&self) -> Result<(), Fault> {
        self.target.map_or(Ok(()), BadValue::check_place).map_err(|bad| bad.at("target"))?;
        let Some(attached) = &self.attached else { return Ok(()) };
        if attached.rotation_offset.is_some() {
            return Err(Fault::new("attached.rotation_offset", "has no effect on a look-at: remove it"));
        }
        attached.check().map_err(|fault| fault.within("attached"))
    }

    fn before_read(&self, (): &mut (), ask: &mut Ask) {
        let of = self.weight * ask.settings().solver.weight * self.spine;
        if of <= 0.0 || self.target.is_none() {
            return;
        }
        let Seen { figure, .. } = ask.seen();
        let facing = ask.seen().facing();
        let rounds = if self.aims == Aims::Eyes { 1 } else { ROUNDS };
        // The share per round, so that all rounds together turn by `of` of the whole rotation.
        let of = 1.0 - (1.0 - of).powf(1.0 / f32::from(rounds));
        for _ in 0..rounds {
            let Some(turn) = self.remaining_rotation(&ask.bones, facing, self.spine_limit) else { return };
            let own = share(turn, of / figure.spine.len().max(1) as f32);
            for &bone in figure.spine.iter().filter(|_| own != Quat::IDENTITY) {
                ask.bones.turn(bone, own);
            }
        }
    }

    fn after_write(&self, (): &(), used_settings: &Settings, bones: &mut Bones) {
        let of = self.weight * used_settings.solver.weight * self.head;
        let figure = bones.seen.figure;
        let (Some(head), Some(target)) = (figure.head, self.target) else { return };
        if of <= 0.0 || self.aims != Aims::Eyes {
            return;
        }
        let chest = |bones: &Bones| bones.get(figure.chest()).rotation * figure.chest;
        let Some([_, before]) = self.axis(bones) else { return };
        let Some(turn) = self.remaining_rotation(bones, chest(bones), self.neck_limit) else { return };
        let own = share(turn, of * self.neck / figure.neck.len().max(1) as f32);
        for &bone in figure.neck.iter().filter(|_| own != Quat::IDENTITY) {
            bones.turn(bone, own);
        }
        // The neck moved the eyes; the head corrects for that.
        let Some([from, axis]) = self.axis(bones) else { return };
        let Some(direction) = unit(target - from) else { return };
        let wanted = slerp_vector(before, held(direction, chest(bones), self.head_limit), of);
        turn_head(bones, head, axis, wanted);
    }
}

fn turn_head(bones: &mut Bones, head: BoneIndex, axis: Vec3, wanted: Vec3) {
    let turn = from_to_rotation(axis, wanted);
    if turn != Quat::IDENTITY {
        bones.turn(head, turn);
    }
}
