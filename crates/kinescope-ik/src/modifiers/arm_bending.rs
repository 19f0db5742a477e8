//! Arm bending: derives the elbow's direction from the place and rotation of the hand, and spreads the forearm's twist
//! over its bones.
//!
//! In the frame of the chest (out to the arm's side, up, forward), with `h` the unit direction from shoulder to hand:
//!
//! ```text
//! e = fromTo(h₀, h) · e₀                      h₀ = [0.5, 0.3, 0.8]: a hand held out in front,  e₀ = [0.5, −0.8, −0.3]: its elbow
//! s = h · (e × (n × h))                                n: the normal of the hand's own plane, by its target rotation
//! d = about(h, 60° · s · hand · rotation weight) · e
//! bend direction = d,  bend weight = weight · master weight       if the settings have no weighted goal or direction
//! ```
//!
//! `e₀` is made orthogonal to `h₀` and normalized.
//!
//! No choice of a direction orthogonal to `h` is continuous for all `h` (hairy ball theorem). The shortest rotation
//! from `h₀` is discontinuous only opposite `h₀`: backward, inward and slightly down from the shoulder, where hands
//! rarely are. Elsewhere, when `h` turns by a small angle, `e` turns about `h` by at most `tan(θ / 2)` times that angle,
//! `θ` being the angle between `h` and `h₀`. Up to 130° from `h₀`, `e` turns by at most 3.2 times the angle of `h`.
//!
//! After write, `τ` is the hand's twist about the forearm relative to the animated pose. A twist bone at the fraction
//! `u` of the forearm's length turns by `u · τ · twist · weight`, with the weight of its arm; without twist bones the
//! forearm turns by `½ · τ · twist · weight`.

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
    /// Turns elbows by the places and rotations of the hands, and spreads the hands' twist over the forearms.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct ArmBending {
        /// Whether the modifier is off.
        off: bool = false;
        /// Weight of the left arm.
        left: f32 = 1.0, from 0 to 1 in Share,
            too little: "The modifier has no effect on this arm.",
            too much: "Without a bend goal or bend direction, the elbow ignores its animated direction.";
        /// Weight of the right arm.
        right: f32 = 1.0, from 0 to 1 in Share,
            too little: "The modifier has no effect on this arm.",
            too much: "Without a bend goal or bend direction, the elbow ignores its animated direction.";
        /// How much the hand's rotation affects the elbow.
        hand: f32 = 0.5, from 0 to 1 in Share,
            too little: "Only the hand's position has an effect.",
            too much: "The elbow rises when the hand turns over.";
        /// How much of the hand's twist is spread over the forearm.
        twist: f32 = 1.0, from 0 to 1 in Share,
            too little: "The whole twist is at the wrist, which looks wrung.",
            too much: "Twist bones share the whole twist by their places; without any, the forearm takes half.";
    }
}

/// Rotation of each hand relative to its forearm in the animated pose; left, right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HandRotations {
    hands: [Quat; 2],
}

impl HandRotations {
    pub(super) const fn hand(&self, arm: usize) -> Quat {
        self.hands[arm]
    }
}

const ARMS: [LimbName; 2] = [LimbName::LeftArm, LimbName::RightArm];

/// Direction of a hand held out in front of the body, a little outward and up; in the frame of the chest, any length.
const HELD_OUT: Vec3 = Vec3::new(0.5, 0.3, 0.8);
/// The elbow's direction for a hand in direction [`HELD_OUT`]: down and out; neither unit nor orthogonal to
/// [`HELD_OUT`].
const ELBOW: Vec3 = Vec3::new(0.5, -0.8, -0.3);
/// Largest rotation of the elbow by the hand's rotation, degrees.
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

/// Returns the elbow's direction for a hand in a direction from its shoulder; unit. Both directions are in the frame of
/// the chest: x out to the arm's own side, y up, z forward. A zero `hand` gives a direction down and out.
pub fn elbow(hand: Vec3) -> Vec3 {
    let Some(hand) = unit(hand) else { return ELBOW.normalize() };
    let outward = ortho_normalize(HELD_OUT, ELBOW);
    ortho_normalize(hand, from_to_rotation(HELD_OUT, hand) * outward)
}

/// Returns the rotation of the chest from its frame (x left, y up, z forward) to the space of the nodes. `None` if the
/// nodes are degenerate.
fn chest(node: impl Fn(Node) -> Vec3) -> Option<Quat> {
    let [left, right, body] = [node(Node::LeftUpperArm), node(Node::RightUpperArm), node(Node::Body)];
    let across = unit(left - right)?;
    let up = unit((left + right) * 0.5 - body)?;
    let forward = unit(across.cross(up))?;
    Some(look_rotation(forward, forward.cross(across)))
}

pub(super) struct Pointing {
    /// From the frame of the chest to the space of the poses.
    pub chest: Quat,
    /// From shoulder to hand; unit.
    pub along: Vec3,
    /// Shortest rotation from the hand held out in front to this hand, in the frame of the chest.
    pub least: Quat,
    /// Elbow direction of the hand held out in front, in the frame of the chest; unit.
    pub outward: Vec3,
    /// Normal of the hand's plane at its target rotation: [`LimbFrame::default_child`](crate::full_body::LimbFrame)
    /// turned by that rotation; the straighter the arm in its reference pose, the nearer to unit length.
    pub normal: Vec3,
    /// How much the hand's rotation affects the elbow, 0 to 1.
    pub rotation_weight: f32,
}

impl Pointing {
    /// Returns the elbow direction that the hand's position alone gives, without its rotation; unit, in the space of
    /// the poses.
    pub fn by_place(&self) -> Vec3 {
        self.chest * (self.least * self.outward)
    }

    /// Returns the sine of the angle from [`Self::by_place`] to the elbow direction that the hand's rotation wants, times the
    /// length of `normal × along`. This length is 0 where the hand's plane is undefined, so there is no discontinuity.
    pub fn sine(&self) -> f32 {
        let wanted = self.normal.cross(self.along);
        self.along.dot(self.by_place().cross(wanted))
    }
}

impl ArmBending {
    /// Returns the weight for an arm's bend, with the master weight; `None` if it is 0 or the settings have a weighted
    /// bend goal or direction.
    pub(super) fn bends(&self, limb: LimbName, frame: &Frame) -> Option<f32> {
        let (weight, own) = (self.weight(limb) * frame.weight, frame.limb(limb));
        let is_set = own.bend_weight > 0.0 && (own.goal().is_some() || own.direction().is_some());
        (weight > 0.0 && !is_set).then_some(weight)
    }

    /// Returns the values of an arm's bend direction; `None` if the chest's nodes are degenerate, or if the hand is at
    /// its shoulder.
    pub(super) fn pointing(&self, limb: LimbName, frame: &Frame, node: impl Fn(Node) -> Vec3) -> Option<Pointing> {
        let [first, _, last] = Node::of_limb(limb);
        let chest = chest(&node)?;
        let along = unit(node(last) - node(first))?;
        // The right arm is the mirror image of the left.
        let mirror = Vec3::new(if limb.is_left() { 1.0 } else { -1.0 }, 1.0, 1.0);
        let least = from_to_rotation(HELD_OUT * mirror, chest.conjugate() * along);
        let end = frame.effector(Effector::END[limb.index()]);
        let normal = end.rotation * frame.limb(limb).default_child;
        let outward = ortho_normalize(HELD_OUT, ELBOW) * mirror;
        Some(Pointing { chest, along, least, outward, normal, rotation_weight: self.hand * end.rotation_weight })
    }

    fn direction(&self, limb: LimbName, frame: &Frame, node: impl Fn(Node) -> Vec3) -> Option<Vec3> {
        let pointing = self.pointing(limb, frame, node)?;
        let roll = FARTHEST.to_radians() * pointing.sine() * pointing.rotation_weight;
        Some(Quat::from_axis_angle(pointing.along, roll) * pointing.by_place())
    }
}

impl Kind for ArmBending {
    type Memory = HandRotations;

    fn before_read(&self, related: &mut HandRotations, ask: &mut Ask) {
        related.hands = ARMS.map(|limb| {
            let [_, forearm, hand] = ask.seen().figure.limbs[limb.index()].map(|bone| ask.bones.get(bone).rotation);
            forearm.conjugate() * hand
        });
    }

    fn sets_bends(&self) -> bool {
        true
    }

    fn bend(&self, _: &HandRotations, _: &Seen, state: &State, frame: &mut Frame) {
        for limb in ARMS {
            let Some(weight) = self.bends(limb, frame) else { continue };
            if let Some(direction) = self.direction(limb, frame, |node| state.node(node)) {
                frame.set_bend(limb, direction, weight);
            }
        }
    }

    fn after_write(&self, related: &HandRotations, _: &Settings, bones: &mut Bones) {
        for (limb, hand) in ARMS.into_iter().zip(related.hands) {
            let of = self.twist * self.weight(limb);
            if of > 0.0 {
                spread_twist(limb, hand, of, bones);
            }
        }
    }
}

/// Returns the angle of `turn` about a unit axis, −π to π radians.
pub(super) fn twist_about(turn: Quat, axis: Vec3) -> f32 {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    2.0 * turn.xyz().dot(axis).atan2(turn.w)
}

/// Spreads the hand's twist since the animated pose over the forearm by the share `of`; the hand keeps its transform.
/// Without twist bones the forearm itself turns by half of the twist. `related` is the hand's rotation in the forearm's
/// space in the animated pose.
fn spread_twist(limb: LimbName, related: Quat, of: f32, bones: &mut Bones) {
    let figure = bones.seen.figure;
    let [_, forearm, hand] = figure.limbs[limb.index()];
    let (lower, end) = (bones.get(forearm), bones.get(hand));
    let Some(along) = unit(end.position - lower.position) else { return };
    let twist = twist_about(end.rotation * (lower.rotation * related).conjugate(), along) * of;
    // A twist below 1e-4 rad is rounding.
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
