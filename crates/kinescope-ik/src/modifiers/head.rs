//! Head effector: a target for the head. Body, thighs and hands follow it, spine and neck bend toward it.
//!
//! `h` is the head's position after the turns before read, `T` the target of the head, `w` the position weight:
//!
//! ```text
//! before read      each of the n bend bones (spine, then neck)    turn by (R · animated⁻¹) ^ (bend · rotation_weight · master weight / (n + 1))
//!                  chest                                          the spine turns by chest_weight · master weight
//!                                                                 toward chest_direction, at most 100° from facing
//!                  Δ = (T − h) · w
//!                  offset of body, shoulders                      Δ · body       (the thighs follow)
//!                  offset of thighs, of hands                     Δ · body · (thighs − 1),  Δ · hands
//! each iteration   body and both shoulders are pushed by          (h + Δ · body − head on the nodes' torso) · master weight
//! after write      CCD from the topmost bend bone to the lowest   each by fromTo(head − bone, T′ − bone) ^ (weight · (1 − damper))
//!                                                                 T′ = h + Δ · master weight, up to 24 rounds
//!                  remaining distance, up to stretch              neck and head move
//!                  distance remaining after that                  the pelvis moves by settle, as far as both legs reach
//!                  arms, legs                                     bend so that hands and feet return to their written places
//!                  head                                           turns to the target rotation by rotation_weight · master weight
//! ```
//!
//! The full-body solver places body, arms and legs; the steps after write remove the distance that its constraints
//! leave. With position weight, master weight and `settle` at 1 the head is on its target, as far as the legs let the
//! pelvis follow. Feet stay where the solve put them; hands too, as far as the arms reach.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::act::Seen;
use super::ask::{Ask, Bones};
use super::kind::Kind;
use crate::error::{BadValue, Fault};
use crate::full_body::{Author, Effector, Frame, Node, Pushing, Settings, Stage, Step};
use crate::math::{from_to_rotation, held, nlerp, plane_rotation, share, unit};
use crate::parameter::{Parameters, settings};
use crate::rig::{BoneIndex, LimbName, RigidTransform};

settings! {
    /// Moves the head to a target; the rest of the character follows.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Head {
        /// Whether the modifier is off.
        off: bool = false;
        /// Target in the space of the poses; null is the head's position in the animated pose.
        position: Option<Vec3> = None;
        /// Target rotation in the space of the poses; null is the head's rotation in the animated pose.
        rotation: Option<Quat> = None;
        /// How strongly the head moves to the target.
        position_weight: f32 = 1.0, from 0 to 1 in Share,
            too little: "The target position does not move the head.",
            too much: "The head is on the target, as far as body and legs reach.";
        /// How much the head takes the target rotation.
        rotation_weight: f32 = 0.0, from 0 to 1 in Share,
            too little: "The head turns with the neck.",
            too much: "The head has the target rotation exactly.";
        /// How much the body follows the head's displacement.
        body: f32 = 0.8, from 0 to 1 in Share,
            too little: "Spine and neck have to bend for the whole displacement.",
            too much: "The torso moves as one piece.";
        /// How much the thighs follow the body.
        thighs: f32 = 1.0, from 0 to 1 in Share,
            too little: "The hips stay, and the torso leans over them.",
            too much: "The hips stay under the body.";
        /// How much hands without a target follow the head's displacement.
        hands: f32 = 0.5, from 0 to 1 in Share,
            too little: "Hands stay in the air where they are animated.",
            too much: "Hands move with the head.";
        /// How much of the head's rotation is spread over spine and neck.
        bend: f32 = 0.6, from 0 to 1 in Share,
            too little: "The head turns alone.",
            too much: "The whole spine turns with the head.";
        /// How much spine and neck bend toward the target, except bones with their own weight.
        spine_weight: f32 = 0.6, from 0 to 1 in Share,
            too little: "Spine and neck do not bend toward the target.",
            too much: "The torso bends more than a spine can.";
        /// How much a bone's rotation is damped in each round of CCD, except bones with their own damper.
        damper: f32 = 0.3, from 0 to 1 in Share,
            too little: "Mostly the topmost bones bend.",
            too much: "Spine and neck do not bend toward the target.";
        /// How far the neck may stretch, as a fraction of the character's height from foot to head.
        stretch: f32 = 0.0, from 0 to 1 usually 0.08 in Share,
            too little: "The neck keeps its length.",
            too much: "The neck becomes visibly longer.";
        /// Share of the head's remaining distance to its target that the pelvis covers.
        settle: f32 = 1.0, from 0 to 1 in Share,
            too little: "The head stays short of its target.",
            too much: "The head is on its target, as far as the legs reach.";
        /// Direction that the chest faces, in the space of the poses; of any length but 0.
        chest_direction: Option<Vec3> = None;
        /// How much the chest turns to the chest direction.
        chest_weight: f32 = 1.0, from 0 to 1 in Share,
            too little: "The chest follows head and body.",
            too much: "The chest faces the chest direction, up to 100° from straight ahead.";
        /// Weights and dampers of single bones: first the spine's, from below, then the neck's.
        bones: Vec<HeadBone> = Vec::new();
    }
}

/// Settings of one bone that bends toward the target.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HeadBone {
    /// How much the bone bends, 0 to 1.
    pub weight: f32,
    /// How much the bone's rotation is damped in each round, 0 to 1.
    pub damper: f32,
}

impl Default for HeadBone {
    fn default() -> Self {
        Self { weight: 0.6, damper: 0.3 }
    }
}

/// Values of one frame, in the space of the poses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HeadGoal {
    /// Position of the head after spine and neck turned before read; `None` without a head, or if position weight and
    /// rotation weight are both 0.
    from: Option<Vec3>,
    target: Vec3,
    /// Goal of the head: from `from` toward `target` by the position weight.
    to: Vec3,
    rotation: Quat,
}

impl HeadGoal {
    pub(super) const fn rotation(&self) -> Quat {
        self.rotation
    }

    /// Returns the head's place after spine and neck turned before read, and its goal; `None` if it has no goal in this
    /// frame.
    pub(super) fn displacement(&self) -> Option<(Vec3, Vec3)> {
        self.from.map(|from| (from, self.to))
    }
}

/// Largest number of CCD rounds. CCD gets close within a few rounds and converges slowly if the spine is almost straight.
const ROUNDS: u32 = 24;
/// Distance from the target at which the head counts as arrived. The pelvis does not move by less. As a fraction of the
/// character's height.
const NEAR: f32 = 1e-5;
/// Largest angle of the wanted chest direction from the direction that the character faces, degrees.
pub(super) const FARTHEST_CHEST: f32 = 100.0;
/// Largest extension of a leg, as a fraction of its length, to keep it from getting fully straight.
const STRAIGHT: f32 = 0.9995;

impl Head {
    pub(super) fn bone(&self, index: usize) -> HeadBone {
        let own = self.bones.get(index).copied();
        own.unwrap_or(HeadBone { weight: self.spine_weight, damper: self.damper })
    }

    pub(super) fn check_rest(&self) -> Result<(), Fault> {
        self.position.map_or(Ok(()), BadValue::check_place).map_err(|bad| bad.at("position"))?;
        self.rotation.map_or(Ok(()), BadValue::check_rotation).map_err(|bad| bad.at("rotation"))?;
        self.chest_direction.map_or(Ok(()), BadValue::check_direction).map_err(|bad| bad.at("chest_direction"))?;
        for (index, &HeadBone { weight, damper }) in self.bones.iter().enumerate() {
            let own = Self { spine_weight: weight, damper, ..Self::default() };
            own.check_numbers().map_err(|fault| {
                let place = if fault.place == "spine_weight" { "weight".to_owned() } else { fault.place };
                Fault { place, ..fault }.within(format!("bones[{index}]"))
            })?;
        }
        Ok(())
    }

    pub(super) fn goal(&self, drawn: &HeadGoal) -> Option<(Vec3, f32)> {
        drawn.from.filter(|_| self.position_weight > 0.0).map(|_| (drawn.target, self.position_weight))
    }

    /// Returns where the head would be if it followed the torso rigidly. `bones` and `nodes` are the torso's corners
    /// (left and right upper arm, body): `bones` in the animated pose, `nodes` in the current iteration.
    fn carried(head: Vec3, bones: [Vec3; 3], nodes: [Vec3; 3]) -> Vec3 {
        let turn = plane_rotation(nodes) * plane_rotation(bones).conjugate();
        let middle = |corners: [Vec3; 3]| (corners[0] + corners[1]) * 0.5;
        middle(nodes) + turn * (head - middle(bones))
    }

    fn turn_chest(&self, master: f32, ask: &mut Ask) {
        let (Seen { figure, .. }, of) = (ask.seen(), self.chest_weight * master);
        let Some(direction) = self.chest_direction.and_then(unit).filter(|_| of > 0.0) else { return };
        let chest = ask.bones.get(figure.chest()).rotation * figure.chest;
        let wanted = held(direction, ask.seen().facing(), FARTHEST_CHEST);
        let own = share(from_to_rotation(chest, wanted), of / figure.spine.len().max(1) as f32);
        for &bone in &figure.spine {
            ask.bones.turn(bone, own);
        }
    }

    fn bend_toward(&self, head: BoneIndex, to: Vec3, bones: &mut Bones) {
        let seen = bones.seen;
        let near = NEAR * seen.figure.height;
        let (spine, neck) = (seen.figure.spine.iter(), seen.figure.neck.iter());
        let above = seen.figure.spine.len();
        let neck = neck.enumerate().map(|(index, &bone)| (above + index, bone));
        let bend_bones = spine.enumerate().map(|(index, &bone)| (index, bone)).chain(neck);
        for _ in 0..ROUNDS {
            for (index, bone) in bend_bones.clone().rev() {
                let HeadBone { weight, damper } = self.bone(index);
                let (from, at) = (bones.get(head).position, bones.get(bone).position);
                let of = weight * (1.0 - damper);
                if of > 0.0 && from.distance(to) > near {
                    bones.turn(bone, share(from_to_rotation(from - at, to - at), of));
                }
            }
            if bones.get(head).position.distance(to) <= near {
                return;
            }
        }
    }

    fn stretch_neck(&self, head: BoneIndex, to: Vec3, bones: &mut Bones) {
        let left = (to - bones.get(head).position).clamp_length_max(self.stretch * bones.seen.figure.height);
        if left == Vec3::ZERO {
            return;
        }
        let figure = bones.seen.figure;
        let part = left / (figure.neck.len() + 1) as f32;
        for &bone in figure.neck.iter().chain([&head]) {
            let own = bones.get(bone);
            bones.place(bone, RigidTransform { position: own.position + part, ..own });
        }
    }

    /// Returns how much of a displacement the pelvis can take with both feet in place, 0 to 1.
    fn reached(bones: &Bones, by: Vec3, feet: [Vec3; 2]) -> f32 {
        let reaches = |of: f32| {
            [LimbName::LeftLeg, LimbName::RightLeg].into_iter().zip(feet).all(|(limb, foot)| {
                let [p1, p2, p3] = bones.seen.figure.limbs[limb.index()].map(|bone| bones.get(bone).position);
                let (length, now) = (p1.distance(p2) + p2.distance(p3), p1.distance(foot));
                // If the leg is already too short for its foot, the distance must not grow.
                (p1 + by * of).distance(foot) <= (length * STRAIGHT).max(now)
            })
        };
        if reaches(1.0) {
            return 1.0;
        }
        let (mut least, mut most) = (0.0, 1.0);
        for _ in 0..20 {
            let middle = 0.5 * (least + most);
            *(if reaches(middle) { &mut least } else { &mut most }) = middle;
        }
        least
    }
}

impl Kind for Head {
    type Memory = HeadGoal;

    fn check(&self) -> Result<(), Fault> {
        self.check_rest()
    }

    fn before_read(&self, drawn: &mut HeadGoal, ask: &mut Ask) {
        drawn.from = None;
        let seen = ask.seen();
        let master = ask.settings().solver.weight.clamp(0.0, 1.0);
        let Some(head) = seen.figure.head.filter(|_| self.position_weight > 0.0 || self.rotation_weight > 0.0) else {
            self.turn_chest(master, ask);
            return;
        };
        let animated = ask.bones.get(head);
        drawn.rotation = self.rotation.unwrap_or(animated.rotation);
        let target = self.position.unwrap_or(animated.position);
        let turn =
            share(short(drawn.rotation * animated.rotation.conjugate()), self.bend * self.rotation_weight * master);
        let count = seen.figure.bend_bones().count() + 1;
        let own = share(turn, 1.0 / count as f32);
        for bone in seen.figure.bend_bones().filter(|_| own != Quat::IDENTITY) {
            ask.bones.turn(bone, own);
        }
        self.turn_chest(master, ask);
        let from = ask.bones.get(head).position;
        let displacement = (target - from) * self.position_weight;
        (drawn.from, drawn.target, drawn.to) = (Some(from), target, from + displacement);
        for effector in [Effector::Body, Effector::LeftShoulder, Effector::RightShoulder] {
            ask.offset(effector, displacement * self.body);
        }
        for thigh in [Effector::LeftThigh, Effector::RightThigh] {
            ask.offset(thigh, displacement * (self.body * (self.thighs - 1.0)));
        }
        for hand in [Effector::LeftHand, Effector::RightHand] {
            ask.offset(hand, displacement * self.hands);
        }
    }

    fn pushes_at(&self, stage: Stage) -> bool {
        stage == Stage::BeforeIteration && self.position_weight > 0.0 && self.body > 0.0
    }

    fn push(&self, drawn: &HeadGoal, author: Author, _: Step, _: &Seen, frame: &Frame, nodes: &mut Pushing) {
        const TORSO: [Node; 3] = [Node::LeftUpperArm, Node::RightUpperArm, Node::Body];
        let Some(from) = drawn.from else { return };
        let wanted = from + (drawn.to - from) * self.body;
        let now = Self::carried(from, TORSO.map(|node| frame.bone(node)), TORSO.map(|node| nodes.node(node)));
        let by = (wanted - now) * frame.weight;
        TORSO.into_iter().for_each(|node| nodes.push(author, node, by));
    }

    fn after_write(&self, drawn: &HeadGoal, used_settings: &Settings, bones: &mut Bones) {
        let figure = bones.seen.figure;
        let (Some(head), Some(from)) = (figure.head, drawn.from) else { return };
        let master = used_settings.solver.weight.clamp(0.0, 1.0);
        if master <= 0.0 {
            return;
        }
        let ends = figure.limbs.map(|[.., end]| bones.get(end));
        // The head was read at `from`; the master weight scales its displacement.
        let to = from + (drawn.to - from) * master;
        if self.position_weight > 0.0 {
            self.bend_toward(head, to, bones);
            self.stretch_neck(head, to, bones);
            let left = to - bones.get(head).position;
            let by = left * (Self::reached(bones, left, [ends[2].position, ends[3].position]) * self.settle);
            if by.length() > NEAR * figure.height {
                let pelvis = bones.get(figure.pelvis);
                bones.place(figure.pelvis, RigidTransform { position: pelvis.position + by, ..pelvis });
            }
            for limb in LimbName::ALL {
                bones.bend_limb(limb, ends[limb.index()]);
            }
        }
        let weight = self.rotation_weight * master;
        if weight > 0.0 {
            let own = bones.get(head);
            bones.place(head, RigidTransform { rotation: nlerp(own.rotation, drawn.rotation, weight), ..own });
        }
    }
}

/// Returns the same rotation as a quaternion with w ≥ 0, so that blends from the identity take the short way.
pub(super) fn short(rotation: Quat) -> Quat {
    if rotation.w < 0.0 { -rotation } else { rotation }
}
