//! Scenes of modifiers.

use std::sync::Arc;

use glam::Vec3;

use super::targets::{pin, plant_feet};
use super::{RestPose, Scene};
use crate::world::document::Document;
use kinescope_ik::attach::{Anchor, Attachment};
use kinescope_ik::full_body::Effector;
use kinescope_ik::modifiers::{
    ArmBending, Breathing, Head, HitReaction, Inertia, Key, Keyed, LookAt, Modifier, ReachFor, Recoil, Track,
    TwoHandedGrip,
};
use kinescope_ik::rig::{LimbName, RigidTransform};

fn modifiers(document: &mut Document, all: impl IntoIterator<Item = Modifier>) {
    document.stack.modifiers = Arc::new(all.into_iter().collect());
}

fn aim(document: &mut Document, rest: &RestPose) {
    let settings = &mut document.stack.full_body;
    plant_feet(settings, rest);
    pin(settings, Effector::RightHand, rest.moved(Effector::RightShoulder, 0.04, -0.07, 0.17));
    pin(settings, Effector::LeftHand, rest.moved(Effector::RightShoulder, 0.10, -0.06, 0.30));
}

pub(super) const RECOIL: Scene = Scene {
    name: "recoil",
    purpose: "A shot throws the weapon back and up; hands, shoulders and body share the recoil.",
    hint: "Pause and step: before IK, recoil moves the hands' targets and adds offsets. Press fire, raise kick, lower release.",
    setup: |document, rest| {
        aim(document, rest);
        modifiers(document, [Modifier::Recoil(Recoil { interval: 1.2, ..Recoil::default() })]);
    },
    script: None,
};

pub(super) const TWO_HANDED_GRIP: Scene = Scene {
    name: "two-handed grip",
    purpose: "A spear out of reach: the right hand stops short of its target, the left hand keeps its grip.",
    hint: "Turn the modifier off: the left hand loses the spear. Drag the right hand's ring near and far.",
    setup: |document, rest| {
        let settings = &mut document.stack.full_body;
        plant_feet(settings, rest);
        settings.effector_mut(Effector::Body).position_weight = 1.0;
        let spear = rest.reached(LimbName::RightArm, 1.8, 0.35, 0.05, 1.0);
        pin(settings, Effector::RightHand, spear);
        pin(settings, Effector::LeftHand, spear + rest.along(0.05, -0.03, -0.12) * rest.height);
        let own = TwoHandedGrip { rotation_weight: 0.0, turns: 0.0, ..TwoHandedGrip::default() };
        modifiers(document, [Modifier::TwoHandedGrip(own)]);
    },
    script: None,
};

pub(super) const HIT_REACTION: Scene = Scene {
    name: "hit reaction",
    purpose: "Blows from all sides: near parts give way, spine and head turn, the feet stay.",
    hint: "Turn on «Clicks strike» and click on the body. Attribution separates the blow from the solver.",
    setup: |document, rest| {
        document.clip.name = rest.clip("idle");
        modifiers(document, [Modifier::HitReaction(HitReaction { interval: 1.4, ..HitReaction::default() })]);
    },
    script: None,
};

pub(super) const INERTIA: Scene = Scene {
    name: "inertia",
    purpose: "Body, shoulders and hands of a walk are damped springs: they lag and overshoot at stops.",
    hint: "Lower frequency and damping. In Motion choose 30 Hz, then 240: the result is the same.",
    setup: |document, rest| {
        document.clip.name = rest.clip("walk");
        modifiers(document, [Modifier::Inertia(Inertia::default())]);
    },
    script: None,
};

pub(super) const BREATHING: Scene = Scene {
    name: "breathing",
    purpose: "Idle movement: the chest rises and falls, the body sways over its feet.",
    hint: "Raise depth and rate until the character pants. Hands with targets stay in place.",
    setup: |document, rest| {
        let settings = &mut document.stack.full_body;
        plant_feet(settings, rest);
        pin(settings, Effector::LeftHand, rest.moved(Effector::LeftThigh, 0.10, 0.08, 0.16));
        let own = Breathing { depth: 0.02, sway: 0.012, lean: 3.0, ..Breathing::default() };
        modifiers(document, [Modifier::Breathing(own)]);
    },
    script: None,
};

pub(super) const LOOK_AT: Scene = Scene {
    name: "look at",
    purpose: "Spine, neck and head share the turn that brings the eyes onto a target.",
    hint: "Drag the target's ring around and behind the character: nothing flips. Set spine to 0, then to 1.",
    setup: |document, rest| {
        plant_feet(&mut document.stack.full_body, rest);
        let target = rest.head + rest.along(0.42, 0.08, 0.4) * rest.height;
        modifiers(document, [Modifier::LookAt(LookAt { target: Some(target), ..LookAt::default() })]);
    },
    script: None,
};

pub(super) const REACH_FOR: Scene = Scene {
    name: "reach for",
    purpose: "A hand reaches for a handle, holds it while it moves, and releases it, all by one weight.",
    hint: "Drag both rings. Press reach. Plot the hand's gap over frames: the gap is 0 while the hand holds.",
    setup: |document, rest| {
        document.clip.name = rest.clip("idle");
        let position = rest.reached(LimbName::RightArm, 0.9, -0.2, -0.3, 1.0);
        let to = position + rest.along(-0.10, 0.06, -0.08) * rest.height;
        let own = ReachFor { position: Some(position), to: Some(to), interval: 3.0, ..ReachFor::default() };
        modifiers(document, [Modifier::ReachFor(own)]);
    },
    script: None,
};

pub(super) const DOOR_HANDLE: Scene = Scene {
    name: "door handle",
    purpose: "The left hand and the gaze are attached to the right hand.",
    hint: "Drag the right hand's ring: both follow. Drag the left hand's ring: its offset changes.",
    setup: |document, rest| {
        plant_feet(&mut document.stack.full_body, rest);
        let handle = rest.reached(LimbName::LeftArm, 0.7, 0.0, -0.1, 1.0);
        let beside = handle + rest.along(0.10, 0.0, 0.0) * rest.height;
        pin(&mut document.stack.full_body, Effector::RightHand, handle);
        pin(&mut document.stack.full_body, Effector::LeftHand, beside);
        let rotation = rest.rotations[Effector::RightHand as usize];
        let anchor = RigidTransform { position: handle, rotation };
        let on_right_hand =
            |place: Vec3| Some(Attachment::keeping(Anchor::Effector(Effector::RightHand), &anchor, place, None));
        let attachments = Arc::make_mut(&mut document.stack.attachments);
        *attachments.get_mut(Effector::LeftHand) = on_right_hand(beside);
        let below = handle + rest.along(0.0, -0.12, 0.0) * rest.height;
        let own = LookAt { target: Some(below), attached: on_right_hand(below), ..LookAt::default() };
        modifiers(document, [Modifier::LookAt(own)]);
    },
    script: None,
};

pub(super) const KEYED: Scene = Scene {
    name: "keyed effectors",
    purpose: "Keys of a hand's position over a clip: a wave while walking, included when baking.",
    hint: "Go to a time and drag the ring to set a key. Drag keys on the timeline. Bake the clip.",
    setup: |document, rest| {
        document.clip.name = rest.clip("walk");
        let at = |time: f32, left: f32, up: f32, forward: f32, weight: f32| Key {
            time,
            position: rest.reached(LimbName::RightArm, 0.85, left, up, forward),
            position_weight: weight,
            ..Key::default()
        };
        let keys = vec![
            at(0.0, -0.5, -0.8, 0.4, 0.0),
            at(0.25, -0.7, 0.7, 0.6, 1.0),
            at(0.45, -0.2, 0.8, 0.6, 1.0),
            at(0.65, -0.9, 0.6, 0.6, 1.0),
            at(0.85, -0.3, 0.8, 0.6, 1.0),
            at(1.05, -0.5, -0.8, 0.4, 0.0),
        ];
        let track = Track { effector: Effector::RightHand, keys };
        modifiers(document, [Modifier::Keyed(Keyed { tracks: vec![track], ..Keyed::default() })]);
    },
    script: None,
};

pub(super) const HEAD: Scene = Scene {
    name: "head and two hands",
    purpose: "Targets from a headset and two controllers only: the body follows, the feet stay.",
    hint: "Drag the head's ring down: the body crouches. Turn the gizmo: the spine shares the turn. Step through the writing.",
    setup: |document, rest| {
        let settings = &mut document.stack.full_body;
        pin(settings, Effector::LeftHand, rest.reached(LimbName::LeftArm, 0.75, 0.3, -0.4, 1.0));
        pin(settings, Effector::RightHand, rest.reached(LimbName::RightArm, 0.8, -0.2, 0.1, 1.0));
        for leg in [LimbName::LeftLeg, LimbName::RightLeg] {
            settings.chain_mut(leg).maintain_rotation = 1.0;
        }
        let position = rest.head + rest.along(0.06, -0.09, 0.07) * rest.height;
        let own = Head { position: Some(position), ..Head::default() };
        modifiers(document, [Modifier::Head(own)]);
    },
    script: None,
};

/// Positions of the left hand relative to its shoulder (left, up and forward, in arm lengths), with times in seconds.
const CARRIED: [(f32, Vec3); 7] = [
    (0.0, Vec3::new(0.35, -0.35, 0.65)),
    (1.2, Vec3::new(0.25, 0.85, 0.25)),
    (2.2, Vec3::new(0.75, 0.30, 0.20)),
    (3.2, Vec3::new(0.40, -0.70, -0.35)),
    (4.4, Vec3::new(0.60, -0.30, 0.40)),
    (5.6, Vec3::new(-0.45, -0.10, 0.55)),
    (7.0, Vec3::new(0.35, -0.35, 0.65)),
];

pub(super) const ARM_BENDING: Scene = Scene {
    name: "arm bending",
    purpose: "A hand over the head, behind the back and across the chest: where does the elbow go?",
    hint: "Turn the modifier off: the elbow follows the rest pose. Select the left hand and press V; show bend directions in the volume.",
    setup: |document, rest| {
        plant_feet(&mut document.stack.full_body, rest);
        modifiers(document, [Modifier::ArmBending(ArmBending::default())]);
        carry(&mut document.stack.full_body, rest, 0.0);
    },
    script: Some(carry),
};

fn carry(settings: &mut kinescope_ik::full_body::Settings, rest: &RestPose, seconds: f32) {
    let keys = CARRIED.map(|(time, place)| Key { time, position: place, ..Key::default() });
    let last = CARRIED[CARRIED.len() - 1].0;
    let track = Track { effector: Effector::LeftHand, keys: keys.to_vec() };
    let Some(Key { position, .. }) = track.at(seconds.rem_euclid(last)) else { return };
    let place = rest.root(LimbName::LeftArm)
        + rest.along(position.x, position.y, position.z) * rest.limb_length(LimbName::LeftArm);
    pin(settings, Effector::LeftHand, place);
}

pub(super) const DIGITIGRADE: Scene = Scene {
    name: "digitigrade",
    purpose: "Legs that stand on their toes are solved as two bones each; the hock shares the bend.",
    hint: "Drag the body's ring down, then set «legs» of the modifier four-bone limbs to 0: the hock is rigid and only the knee bends.",
    setup: |document, rest| {
        let settings = &mut document.stack.full_body;
        plant_feet(settings, rest);
        pin(settings, Effector::Body, rest.moved(Effector::Body, 0.0, -0.12, 0.0));
    },
    script: None,
};

pub(super) const SCENES: &[Scene] = &[
    RECOIL,
    TWO_HANDED_GRIP,
    HIT_REACTION,
    INERTIA,
    BREATHING,
    LOOK_AT,
    REACH_FOR,
    DOOR_HANDLE,
    KEYED,
    HEAD,
    ARM_BENDING,
    DIGITIGRADE,
];
