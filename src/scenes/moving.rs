use std::f32::consts::TAU;

use super::Scene;
use super::rest::RestPose;
use super::targets::{pin, plant_feet};
use crate::world::document::ClipSection;
use kinescope_ik::full_body::{Effector, Settings};
use kinescope_ik::rig::LimbName;

/// Period of the circling target, seconds.
pub(super) const CIRCLE_PERIOD: f32 = 4.0;

pub(super) fn circle(settings: &mut Settings, rest: &RestPose, seconds: f32) {
    let (sine, cosine) = ((seconds / CIRCLE_PERIOD).fract() * TAU).sin_cos();
    let center = rest.reached(LimbName::LeftArm, 1.0, 0.3, 0.1, 1.0);
    let radius = rest.limb_length(LimbName::LeftArm) * 0.45;
    pin(settings, Effector::LeftHand, center + rest.along(0.0, sine, -cosine) * radius);
}

pub(super) const SCENES: &[Scene] = &[
    Scene {
        name: "walk with hands pinned",
        purpose: "A walking clip. Both hands have targets that stay in place.",
        hint: "Pause anywhere and step: every solve starts from the animated pose.",
        setup: |document, rest| {
            document.clip = ClipSection { name: rest.clip("walk"), time: 0.0 };
            let settings = &mut document.stack.full_body;
            pin(settings, Effector::LeftHand, rest.moved(Effector::LeftShoulder, 0.02, -0.12, 0.24));
            pin(settings, Effector::RightHand, rest.moved(Effector::RightShoulder, -0.02, -0.12, 0.24));
        },
        script: None,
    },
    Scene {
        name: "target circles",
        purpose: "A hand target circles out of reach and back: how smoothly does the arm straighten?",
        hint: "Plot the left arm's stretch. Break where the stretch passes 0.99, look for pops, then try reach 0 and 0.5.",
        setup: |document, rest| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, rest);
            circle(settings, rest, 0.0);
        },
        script: Some(circle),
    },
];
