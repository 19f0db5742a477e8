//! Two-handed grip: one hand carries an object, and the other hand holds on to the object at the carrying hand's
//! *solved* position.
//!
//! The solver moves each hand to a target of its own. If the leading hand's target is out of reach, that hand stops
//! short of the target and the other hand misses the object. `L`, `R` are the requested place and rotation of the
//! leading hand, `O` is the requested place of the other hand, `H` its written place:
//!
//! ```text
//! g        = position, or R⁻¹ · (O − L)             the grip, in the space of the leading hand
//! target   = L + R · g                              before read: of the other hand, by weight
//! R′       = nlerp(R, R_written, turns)             after write
//! G        = L_written + R′ · g                     where the other hand belongs
//! H′       = mix(H, G, weight · master)
//! ```
//!
//! Then the other arm bends in its own plane until its hand is at `H′`, by the law of cosines. Within its reach,
//! measured from the written shoulder, the hand is exactly at `H′`; beyond, the arm is straight toward `H′`. The other
//! hand takes the grip's rotation by `rotation_weight`. List modifiers that turn or move the leading hand after write,
//! such as a recoil, before this one.

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
    /// Keeps the other hand on the object that the leading hand carries.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct TwoHandedGrip {
        /// Whether the modifier is off.
        off: bool = false;
        /// How much the other hand holds on.
        weight: f32 = 1.0, from 0 to 1 in Share,
            too little: "The grip does not move the other hand.",
            too much: "The other hand stays on the grip, as far as its arm reaches.";
        /// The leading hand; the other one holds on.
        hand: Side = Side::Right;
        /// Position of the grip in the space of the leading hand.
        /// If it is null, the requested positions of both hands give it.
        position: Option<Vec3> = None;
        /// Rotation of the other hand in the space of the leading hand.
        /// If it is null, the requested rotations of both hands give it.
        rotation: Option<Quat> = None;
        /// How much the other hand takes the grip's rotation.
        rotation_weight: f32 = 1.0, from 0 to 1 in Share,
            too little: "The other hand keeps the rotation that the solve gives it.",
            too much: "The other hand has the grip's rotation exactly.";
        /// How much the grip turns with the leading hand, if its written rotation differs from the requested one.
        turns: f32 = 1.0, from 0 to 1 in Share,
            too little: "The grip moves with the leading hand, but does not turn with it.",
            too much: "The grip is fixed to the leading hand, and swings when the hand turns.";
    }
}

/// Requested transform of the leading hand in a frame, and the grip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Held {
    pub(super) lead: RigidTransform,
    /// Transform of the grip in the space of the leading hand: from the settings, or the other hand's requested
    /// transform.
    pub(super) grip: RigidTransform,
}

/// State of the gripping hand in a pose; lengths in model units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hold {
    /// The gripping hand.
    pub hand: Effector,
    /// Position of the grip, in the space of the pose.
    pub place: Vec3,
    /// Weight of the grip times the master weight, 0 to 1.
    pub weight: f32,
    /// Distance of the hand from the grip.
    pub gap: f32,
    /// Distance of the shoulder from the grip.
    pub distance: f32,
    /// Smallest and largest distance that the arm reaches.
    pub reach: [f32; 2],
}

impl TwoHandedGrip {
    pub(super) const fn hands(&self) -> [Effector; 2] {
        match self.hand {
            Side::Left => [Effector::LeftHand, Effector::RightHand],
            Side::Right => [Effector::RightHand, Effector::LeftHand],
        }
    }

    pub(super) const fn arm(&self) -> LimbName {
        match self.hand {
            Side::Left => LimbName::RightArm,
            Side::Right => LimbName::LeftArm,
        }
    }

    /// Returns `R′`, the rotation that the grip follows, for a written rotation of the leading hand.
    pub(super) fn turned(&self, held: &Held, lead: Quat) -> Quat {
        nlerp(held.lead.rotation, lead, self.turns)
    }

    /// Returns the grip's transform for a written transform of the leading hand.
    pub(super) fn goal(&self, held: &Held, lead: RigidTransform) -> RigidTransform {
        RigidTransform { rotation: self.turned(held, lead.rotation), ..lead }.transform(&held.grip)
    }

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

/// Returns the requested transform of an effector: its bone with offset, blended to its target by its weights.
fn requested(ask: &Ask, effector: Effector) -> RigidTransform {
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
        let own = requested(ask, other);
        held.lead = requested(ask, lead);
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

    fn after_write(&self, held: &Held, used_settings: &Settings, bones: &mut Bones) {
        let share = self.weight * used_settings.solver.weight.clamp(0.0, 1.0);
        if share <= 0.0 {
            return;
        }
        let [lead, other] = self.hands().map(|hand| bones.get(bones.seen.figure.bone_of(hand)));
        let goal = self.goal(held, lead);
        let rotation = nlerp(other.rotation, goal.rotation, share * self.rotation_weight);
        bones.bend_limb(self.arm(), RigidTransform { position: other.position.lerp(goal.position, share), rotation });
    }
}
