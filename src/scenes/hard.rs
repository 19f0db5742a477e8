//! Scenes of targets that are out of reach, exactly at the limit of reach, or leave a direction undefined.

use super::Scene;
use super::rest::{ARMS, LEGS};
use super::targets::{pin, plant_feet};
use kinescope_ik::full_body::Effector;
use kinescope_ik::math::unit_or_zero;
use kinescope_ik::rig::LimbName;

pub(super) const SCENES: &[Scene] = &[
    Scene {
        name: "straight limbs",
        purpose: "Targets at exactly the length of arms and legs: no bend is left to define a direction.",
        hint: "Look at the bend directions in stage bend. Then give the legs reach 0.1: the knees bend.",
        setup: |document, rest| {
            let settings = &mut document.stack.full_body;
            for chain in &mut settings.chains {
                // Reach would move the hips and bend the knees.
                chain.reach = 0.0;
            }
            for (hand, limb, side) in ARMS {
                pin(settings, hand, rest.reached(limb, 1.0, side, 0.0, 0.0));
            }
            for (foot, limb, _) in LEGS {
                let straight = unit_or_zero(rest.spans[limb.index()]) * rest.limb_length(limb);
                pin(settings, foot, rest.root(limb) + straight);
            }
        },
        script: None,
    },
    Scene {
        name: "unreachable",
        purpose: "A target far beyond the arm.",
        hint: "The magenta line is the hand's gap. Raise pull body horizontal.",
        setup: |document, rest| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, rest);
            pin(settings, Effector::LeftHand, rest.moved(Effector::LeftShoulder, 0.5, 0.35, 0.6));
        },
        script: None,
    },
    Scene {
        name: "target on the shoulder",
        purpose: "A hand target exactly on its own shoulder: the limb has no direction.",
        hint: "Drag the ring off the shoulder: the smallest move decides where the elbow goes.",
        setup: |document, rest| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, rest);
            pin(settings, Effector::LeftHand, rest.root(LimbName::LeftArm));
        },
        script: None,
    },
    Scene {
        name: "antiparallel",
        purpose: "A hand target exactly opposite to the animated arm: the elbow's direction is undefined.",
        hint: "Drag the ring slightly in any direction: the elbow jumps.",
        setup: |document, rest| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, rest);
            for chain in &mut settings.chains {
                // Reach would move the shoulder off the line.
                chain.reach = 0.0;
            }
            let opposite = rest.root(LimbName::LeftArm) - rest.spans[LimbName::LeftArm.index()] * 0.6;
            pin(settings, Effector::LeftHand, opposite);
        },
        script: None,
    },
];
