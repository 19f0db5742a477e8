//! Two-handed grip: one hand carries something, the other one holds on to it where the first *ends up*.
//!
//! The solver draws each hand to a target of its own. Where the first target is out of reach, the hand stops short of it, and
//! the other hand holds on to empty air. With `L`, `R` the place and rotation that the leading hand is asked for, and `O` the
//! place that the other one is asked for:
//!
//! ```text
//! g        = position, or R⁻¹ · (O − L)             the grip, in the space of the leading hand
//! target   = L + R · g                              before read: of the other hand, by weight
//! R′       = nlerp(R, R_written, turns)             after write
//! G        = L_written + R′ · g                     where the other hand belongs
//! H′       = mix(H, G, weight · master)
//! ```
//!
//! Then the other arm bends in its own plane until its hand is at `H′`, by the law of cosines. Within its reach, measured
//! from the written shoulder, nothing is left of the error; beyond, the arm is straight towards `G`. Rotations go the same
//! way, by `rotation_weight`. Modifiers that turn or move the leading hand after write, such as a recoil, belong before it in
//! the list.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::ask::{Ask, Bones};
use super::figure::Figure;
use super::kind::Kind;
use crate::error::{BadValue, Fault};
use crate::full_body::{Effector, Settings};
use crate::grounding::Side;
use crate::math::nlerp;
use crate::parameter::settings;
use crate::rig::{LimbName, RigidTransform};

settings! {
    /// The other hand holds on to what the leading hand carries.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct TwoHandedGrip {
        /// Not at work.
        off: bool = false;
        /// How much the other hand holds on.
        weight: f32 = 1.0, from 0 to 1 in Share,
            too little: "The other hand stays on its own target.",
            too much: "It goes wherever the leading hand ends up.";
        /// The hand that carries; the other one holds on.
        hand: Side = Side::Right;
        /// Where the other hand holds on, in the space of the leading hand; without one as both hands are asked for.
        position: Option<Vec3> = None;
        /// How it is turned there, in the space of the leading hand; without one as both hands are asked for.
        rotation: Option<Quat> = None;
        /// How much of the grip's rotation the other hand takes.
        rotation_weight: f32 = 1.0, from 0 to 1 in Share,
            too little: "The other hand turns with its forearm.",
            too much: "It keeps its rotation relative to the leading hand.";
        /// How much the grip turns with the leading hand, if that ends up turned otherwise than it was asked for.
        turns: f32 = 1.0, from 0 to 1 in Share,
            too little: "The grip keeps its direction from the leading hand.",
            too much: "It is fixed to the leading hand, and swings when that turns.";
    }
}

/// What both hands of a frame are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Held {
    /// The leading hand; model space.
    pub(super) lead: RigidTransform,
    /// The other one, in the space of the leading hand.
    pub(super) grip: RigidTransform,
}

/// The hand that holds on, in a pose: how far it is from the grip, and what its arm could bridge. Model units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hold {
    /// The hand that holds on.
    pub hand: Effector,
    /// Where it belongs; model space.
    pub place: Vec3,
    /// How much it holds on, 0 to 1.
    pub weight: f32,
    /// How far it is from there.
    pub gap: f32,
    /// From its shoulder to there.
    pub distance: f32,
    /// The least and the most that the arm bridges.
    pub reach: [f32; 2],
}

impl TwoHandedGrip {
    /// The hand that carries, and the one that holds on.
    pub(super) const fn hands(&self) -> [Effector; 2] {
        match self.hand {
            Side::Left => [Effector::LeftHand, Effector::RightHand],
            Side::Right => [Effector::RightHand, Effector::LeftHand],
        }
    }

    /// The arm of the hand that holds on.
    pub(super) const fn arm(&self) -> LimbName {
        match self.hand {
            Side::Left => LimbName::RightArm,
            Side::Right => LimbName::LeftArm,
        }
    }

    /// How the grip is turned with a leading hand of that rotation.
    pub(super) fn turned(&self, held: &Held, lead: Quat) -> Quat {
        nlerp(held.lead.rotation, lead, self.turns)
    }

    /// Where the other hand belongs, with the leading hand there.
    pub(super) fn goal(&self, held: &Held, lead: RigidTransform) -> RigidTransform {
        RigidTransform { rotation: self.turned(held, lead.rotation), ..lead }.transform(&held.grip)
    }

    /// How the other hand holds on in a pose; `None` if the pose is too short. `master` is the master weight.
    pub(super) fn hold(&self, held: &Held, figure: &Figure, pose: &[RigidTransform], master: f32) -> Option<Hold> {
        let [lead, hand] = self.hands();
        let arm = figure.limbs[self.arm().index()];
        let [shoulder, elbow, wrist] = arm.map(|bone| pose.get(bone).map(|bone| bone.position));
        let (shoulder, elbow, wrist) = (shoulder?, elbow?, wrist?);
        let place = self.goal(held, *pose.get(figure.bone_of(lead))?).position;
        let [upper, lower] = [shoulder.distance(elbow), elbow.distance(wrist)];
        Some(Hold {
            hand,
            place,
            weight: self.weight * master.clamp(0.0, 1.0),
            gap: wrist.distance(place),
            distance: shoulder.distance(place),
            reach: [(upper - lower).abs(), upper + lower],
        })
    }
}

/// What an effector is asked for: its bone, with the offset, drawn to its target by its weights.
fn asked(ask: &Ask, effector: Effector) -> RigidTransform {
    let own = ask.settings().effector(effector);
    let bone = ask.bones.get(ask.seen().figure.bone_of(effector));
    let position =
        (bone.position + own.position_offset).lerp(own.position.unwrap_or(bone.position), own.position_weight);
    let rotation = match own.rotation {
        Some(rotation) if own.rotation_weight > 0.0 => nlerp(bone.rotation, rotation, own.rotation_weight),
        _ => bone.rotation,
    };
    RigidTransform { position, rotation }
}

impl Kind for TwoHandedGrip {
    type Memory = Held;

    fn check(&self) -> Result<(), Fault> {
        self.position.map_or(Ok(()), BadValue::check_place).map_err(|bad| bad.at("position"))?;
        self.rotation.map_or(Ok(()), BadValue::check_rotation).map_err(|bad| bad.at("rotation"))
    }

    fn before_read(&self, held: &mut Held, ask: &mut Ask) {
        let [lead, other] = self.hands();
        let own = asked(ask, other);
        held.lead = asked(ask, lead);
        held.grip = held.lead.to_local(&own);
        held.grip.position = self.position.unwrap_or(held.grip.position);
        held.grip.rotation = self.rotation.unwrap_or(held.grip.rotation);
        if self.weight <= 0.0 {
            return;
        }
        let goal = held.lead.transform(&held.grip);
        ask.draw(other, goal.position, self.weight);
        ask.draw_rotation(other, goal.rotation, self.weight * self.rotation_weight);
    }

    fn after_write(&self, held: &Held, asked: &Settings, bones: &mut Bones) {
        let share = self.weight * asked.solver.weight.clamp(0.0, 1.0);
        if share <= 0.0 {
            return;
        }
        let [lead, other] = self.hands().map(|hand| bones.get(bones.seen.figure.bone_of(hand)));
        let goal = self.goal(held, lead);
        let rotation = nlerp(other.rotation, goal.rotation, share * self.rotation_weight);
        bones.bend_limb(self.arm(), RigidTransform { position: other.position.lerp(goal.position, share), rotation });
    }
}
