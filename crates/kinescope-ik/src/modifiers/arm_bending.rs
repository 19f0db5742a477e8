//! Arm bending: which way an elbow points, by where the hand is relative to the chest and how it is turned; and the
//! forearm's twist, spread over its bones.
//!
//! In the frame of the chest (out to the arm's side, up, forward), with `h` the unit direction from shoulder to hand:
//!
//! ```text
//! e = fromTo(h₀, h) · e₀                      h₀ = [0.5, 0.3, 0.8]: a hand held out in front,  e₀ = [0.5, −0.8, −0.3]: its elbow
//! s = h · (e × (n × h))                                n: the normal of the hand's own plane, by its target rotation
//! d = about(h, 60° · s · hand · rotation weight) · e
//! bend direction = d,  bend weight = weight · master weight       where the limb has no goal or direction of weight
//! ```
//!
//! A direction at right angles to every `h` cannot be even everywhere (the hairy ball); the least turn from `h₀` has its only
//! whirl straight against `h₀`: behind the other shoulder from above, where no hand gets. Away from there the elbow turns
//! about `h` by no more than `tan(θ / 2)` times what the hand does, `θ` being the angle between `h` and `h₀`; its direction as
//! a whole by no more than 3.2 times, up to 130° from there.
//!
//! After write, with `τ` the hand's twist about the forearm against what the animated pose has there, a twist bone at the
//! part `u` of the forearm's length turns by `u · τ · twist`; without twist bones the forearm itself takes `½ · τ · twist`.
//! What is animated stays: only what the solve twisted is spread.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::act::Seen;
use super::ask::{Ask, Bones};
use super::kind::Kind;
use crate::full_body::{Effector, Frame, Node, Settings, State};
use crate::math::{from_to_rotation, look_rotation, ortho_normalize, unit};
use crate::parameter::settings;
use crate::rig::LimbName;

settings! {
    /// Elbows by where the hand is, and the forearm's twist.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct ArmBending {
        /// Not at work.
        off: bool = false;
        /// How much of it the left arm has.
        left: f32 = 1.0, from 0 to 1 in Share,
            too little: "The elbow follows the animation.",
            too much: "The elbow is where the hand asks for it.";
        /// How much of it the right arm has.
        right: f32 = 1.0, from 0 to 1 in Share,
            too little: "The elbow follows the animation.",
            too much: "The elbow is where the hand asks for it.";
        /// How much the hand's own rotation counts.
        hand: f32 = 0.5, from 0 to 1 in Share,
            too little: "Only the hand's place counts.",
            too much: "The elbow goes up when the hand turns over.";
        /// How much of the hand's twist the forearm spreads.
        twist: f32 = 1.0, from 0 to 1 in Share,
            too little: "All of it is at the wrist, like a sweet wrapper.",
            too much: "It is spread evenly from elbow to wrist.";
    }
}

/// How each hand is turned against its forearm in the animated pose; left, right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Related {
    hands: [Quat; 2],
}

impl Related {
    pub(super) const fn hand(&self, arm: usize) -> Quat {
        self.hands[arm]
    }
}

const ARMS: [LimbName; 2] = [LimbName::LeftArm, LimbName::RightArm];

/// In front of the body, a little out and up.
const HELD_OUT: Vec3 = Vec3::new(0.5, 0.3, 0.8);
/// Where its elbow points: down and out.
const ELBOW: Vec3 = Vec3::new(0.5, -0.8, -0.3);
/// How far a hand that is turned over takes the elbow, degrees.
pub(super) const FARTHEST: f32 = 60.0;

impl ArmBending {
    pub(super) const fn weight(&self, limb: LimbName) -> f32 {
        match limb {
            LimbName::LeftArm => self.left,
            LimbName::RightArm => self.right,
            _ => 0.0,
        }
    }
}

/// The way an elbow points for a hand in that direction from its shoulder; unit. All in the frame of the chest: x out to
/// the arm's own side, y up, z forward.
pub fn elbow(hand: Vec3) -> Vec3 {
    let Some(hand) = unit(hand) else { return ELBOW.normalize() };
    let outward = ortho_normalize(HELD_OUT, ELBOW);
    ortho_normalize(hand, from_to_rotation(HELD_OUT, hand) * outward)
}

/// The chest of some nodes: from its frame (x to the left, y up, z forward) to the space of the nodes.
fn chest(node: impl Fn(Node) -> Vec3) -> Option<Quat> {
    let [left, right, body] = [node(Node::LeftUpperArm), node(Node::RightUpperArm), node(Node::Body)];
    let across = unit(left - right)?;
    let up = unit((left + right) * 0.5 - body)?;
    let forward = unit(across.cross(up))?;
    Some(look_rotation(forward, forward.cross(across)))
}

/// What the bend direction of an arm goes by.
pub(super) struct Pointing {
    /// From the frame of the chest to model space.
    pub chest: Quat,
    /// From shoulder to hand; unit, model space.
    pub along: Vec3,
    /// From the hand held out in front to this one, in the frame of the chest.
    pub least: Quat,
    /// The elbow of the hand held out in front, in the frame of the chest; unit.
    pub outward: Vec3,
    /// The normal of the hand's own plane, as its target rotation has it; unit, model space.
    pub normal: Vec3,
    /// How much the hand's rotation counts.
    pub rotation_weight: f32,
}

impl Pointing {
    /// For the hand's place alone.
    pub fn by_place(&self) -> Vec3 {
        self.chest * (self.least * self.outward)
    }

    /// The sine of the angle to what the hand's rotation asks for, less where the hand's plane does not say: no seam, be it
    /// turned right over, and no whirl.
    pub fn sine(&self) -> f32 {
        let asked = -self.along.cross(self.normal);
        self.along.dot(self.by_place().cross(asked))
    }
}

impl ArmBending {
    /// How much of an arm's bend it has a say in; `None` if it has not.
    pub(super) fn bends(&self, limb: LimbName, frame: &Frame) -> Option<f32> {
        let (weight, own) = (self.weight(limb) * frame.weight, frame.limb(limb));
        let is_told = own.bend_weight > 0.0 && (own.goal().is_some() || own.direction().is_some());
        (weight > 0.0 && !is_told).then_some(weight)
    }

    /// What an arm's bend goes by; `None` where shoulders and hand are in one place.
    pub(super) fn pointing(&self, limb: LimbName, frame: &Frame, node: impl Fn(Node) -> Vec3) -> Option<Pointing> {
        let [first, _, last] = Node::of_limb(limb);
        let chest = chest(&node)?;
        let along = unit(node(last) - node(first))?;
        // Both arms are one arm, seen in a mirror.
        let mirror = Vec3::new(if limb.is_left() { 1.0 } else { -1.0 }, 1.0, 1.0);
        let least = from_to_rotation(HELD_OUT * mirror, chest.conjugate() * along);
        let end = frame.effector(Effector::END[limb.index()]);
        let normal = end.rotation * frame.limb(limb).default_child;
        let outward = ortho_normalize(HELD_OUT, ELBOW) * mirror;
        Some(Pointing { chest, along, least, outward, normal, rotation_weight: self.hand * end.rotation_weight })
    }

    /// The bend direction of an arm; model space, unit.
    fn direction(&self, limb: LimbName, frame: &Frame, node: impl Fn(Node) -> Vec3) -> Option<Vec3> {
        let pointing = self.pointing(limb, frame, node)?;
        let roll = FARTHEST.to_radians() * pointing.sine() * pointing.rotation_weight;
        Some(Quat::from_axis_angle(pointing.along, roll) * pointing.by_place())
    }
}

impl Kind for ArmBending {
    type Memory = Related;

    fn before_read(&self, related: &mut Related, ask: &mut Ask) {
        related.hands = ARMS.map(|limb| {
            let [_, forearm, hand] = ask.seen().figure.limbs[limb.index()].map(|bone| ask.bones.get(bone).rotation);
            forearm.conjugate() * hand
        });
    }

    fn sets_bends(&self) -> bool {
        true
    }

    fn bend(&self, _: &Related, _: &Seen, state: &State, frame: &mut Frame) {
        for limb in ARMS {
            let Some(weight) = self.bends(limb, frame) else { continue };
            if let Some(direction) = self.direction(limb, frame, |node| state.node(node)) {
                frame.set_bend(limb, direction, weight);
            }
        }
    }

    fn after_write(&self, related: &Related, _: &Settings, bones: &mut Bones) {
        for (limb, hand) in ARMS.into_iter().zip(related.hands) {
            let of = self.twist * self.weight(limb);
            if of > 0.0 {
                spread_twist(limb, hand, of, bones);
            }
        }
    }
}

/// How far `turn` turns about a unit axis, the short way; radians.
pub(super) fn twist_about(turn: Quat, axis: Vec3) -> f32 {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    2.0 * turn.xyz().dot(axis).atan2(turn.w)
}

/// Spreads over the forearm what the hand is twisted against how it was `related` to it; the hand stays as it is.
fn spread_twist(limb: LimbName, related: Quat, of: f32, bones: &mut Bones) {
    let figure = bones.seen.figure;
    let [_, forearm, hand] = figure.limbs[limb.index()];
    let (lower, end) = (bones.get(forearm), bones.get(hand));
    let Some(along) = unit(end.position - lower.position) else { return };
    let twist = twist_about(end.rotation * (lower.rotation * related).conjugate(), along) * of;
    // Less than rounding makes of a hand that was never twisted.
    if twist.abs() < 1e-4 {
        return;
    }
    let of_bone = |share: f32| Quat::from_axis_angle(along, twist * share);
    let twists = &figure.twist_bones[limb.index()];
    if twists.is_empty() {
        bones.turn(forearm, of_bone(0.5));
    }
    for twist_bone in twists {
        bones.turn(twist_bone.bone, of_bone(twist_bone.share - twist_bone.carried));
    }
    bones.place(hand, end);
}
