//! Look at, and aim: spine, neck and head share the turn that brings the eyes, or a hand, onto a target.
//!
//! With `a` the way that the eyes look (the head's forward axis), or from the forearm to the hand that aims, and `d` the
//! direction from there to the target, held within a cone about the way the character (for the head: its chest) faces by
//! [`clamp_direction`](crate::math::clamp_direction), so that nothing flips when the target goes behind the back:
//!
//! ```text
//! before read, each of the n bones of the spine   = fromTo(a, d) ^ (spine · weight / n)
//! after write, each of the m bones of the neck    = fromTo(a, d) ^ (neck · head · weight / m)
//! the head                                        = what is left of head · weight, exactly
//! ```
//!
//! `weight` is this one's own times the master weight; each of spine, neck and head has a limit of its own for `d`.
//!
//! The spine turns before read, so that hands and feet with a target keep it. A hand aims by the spine alone, which turns
//! in a few rounds, since the hand goes along with it; that hand's effector should have no position weight.

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
    /// What is brought onto the target.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Aims {
        /// Returns the label on screen.
        label,
    }
    /// All of them, in the order of the panel.
    ALL {
        /// The way that the eyes look.
        #[default]
        Eyes;
        /// The way from the left forearm to its hand.
        LeftHand;
        /// The way from the right forearm to its hand.
        RightHand;
    }
}

settings! {
    /// Spine, neck and head turn until the eyes, or a hand, are on a target.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct LookAt {
        /// Not at work.
        off: bool = false;
        /// How much of all of it there is.
        weight: f32 = 1.0, from 0 to 1 in Share,
            too little: "It looks where the animation looks.",
            too much: "It stares at the target.";
        /// Where the target is, in the space of the poses; without one there is nothing to look at.
        target: Option<Vec3> = None;
        /// What the target is attached to; without it the target is a point.
        #[serde(skip_serializing_if = "Option::is_none")]
        attached: Option<Attachment> = None;
        /// What is brought onto the target.
        aims: Aims = Aims::Eyes;
        /// How much of the turn the spine makes.
        spine: f32 = 0.35, from 0 to 1 in Share,
            too little: "The head turns on a torso of stone.",
            too much: "The torso turns and the head hardly has to.";
        /// How much of the rest neck and head make.
        head: f32 = 1.0, from 0 to 1 in Share,
            too little: "The eyes stay short of the target.",
            too much: "The eyes are on it.";
        /// How much of what neck and head make is the neck's.
        neck: f32 = 0.5, from 0 to 1 in Share,
            too little: "The head turns on a stiff neck.",
            too much: "The neck does it all, and the head rides along.";
        /// How far the spine turns at most from where the character faces.
        spine_limit: f32 = 45.0, from 0 to 180 in Degrees,
            too little: "The torso hardly turns.",
            too much: "It wrings itself.";
        /// How far the neck brings the eyes at most from where the chest faces.
        neck_limit: f32 = 60.0, from 0 to 180 in Degrees,
            too little: "The neck hardly turns.",
            too much: "It wrings itself.";
        /// How far the head brings them at most from there.
        head_limit: f32 = 75.0, from 0 to 180 in Degrees,
            too little: "It looks past the target.",
            too much: "An owl.";
    }
}

/// Rounds in which a spine brings a hand that it carries onto a target.
const ROUNDS: u8 = 4;
impl LookAt {
    /// Where it looks from, and the way it looks; unit.
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

    /// What is left to turn, of what the limit about `facing` lets be made.
    fn left(&self, bones: &Bones, facing: Vec3, limit: f32) -> Option<Quat> {
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
            return Err(Fault::new("attached.rotation_offset", "what is looked at has no rotation: leave it out"));
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
        // So that all rounds together make that part of the whole.
        let of = 1.0 - (1.0 - of).powf(1.0 / f32::from(rounds));
        for _ in 0..rounds {
            let Some(turn) = self.left(&ask.bones, facing, self.spine_limit) else { return };
            let own = share(turn, of / figure.spine.len().max(1) as f32);
            for &bone in figure.spine.iter().filter(|_| own != Quat::IDENTITY) {
                ask.bones.turn(bone, own);
            }
        }
    }

    fn after_write(&self, (): &(), asked: &Settings, bones: &mut Bones) {
        let of = self.weight * asked.solver.weight * self.head;
        let figure = bones.seen.figure;
        let (Some(head), Some(target)) = (figure.head, self.target) else { return };
        if of <= 0.0 || self.aims != Aims::Eyes {
            return;
        }
        let chest = |bones: &Bones| bones.get(figure.chest()).rotation * figure.chest;
        let Some([_, before]) = self.axis(bones) else { return };
        let Some(turn) = self.left(bones, chest(bones), self.neck_limit) else { return };
        let own = share(turn, of * self.neck / figure.neck.len().max(1) as f32);
        for &bone in figure.neck.iter().filter(|_| own != Quat::IDENTITY) {
            bones.turn(bone, own);
        }
        // The neck has moved the eyes: the head makes up for that.
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
