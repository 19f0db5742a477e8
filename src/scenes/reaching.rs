use glam::Quat;

use super::Scene;
use super::targets::{pin, plant_feet};
use kinescope_ik::full_body::Effector;
use kinescope_ik::rig::LimbName;

pub(super) const SCENES: &[Scene] = &[
    Scene {
        name: "stand",
        purpose: "The rest pose with planted feet.",
        hint: "Drag a hand's ring: the body follows, the feet stay.",
        setup: |document, rest| plant_feet(&mut document.stack.full_body, rest),
        script: None,
    },
    Scene {
        name: "reach up and far",
        purpose: "One hand reaches beyond the arm's length: what moves with it?",
        hint: "In iteration 0 reach moves the shoulder, then stage 1 moves the body. Set the left arm's pull to 0.",
        setup: |document, rest| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, rest);
            pin(settings, Effector::LeftHand, rest.reached(LimbName::LeftArm, 1.4, 0.2, 0.8, 0.6));
        },
        script: None,
    },
    Scene {
        name: "reach and brace",
        purpose: "One hand reaches far, the other holds on: which one pulls the body?",
        hint: "Pause and step through stage 1 and stage 2. Then lower the right arm's pull.",
        setup: |document, rest| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, rest);
            pin(settings, Effector::LeftHand, rest.moved(Effector::LeftShoulder, 0.32, -0.06, 0.30));
            pin(settings, Effector::RightHand, rest.moved(Effector::RightShoulder, -0.26, 0.02, 0.10));
            settings.chain_mut(LimbName::RightArm).pull = 0.6;
            settings.chain_mut(LimbName::LeftArm).reach = 0.2;
            settings.chain_mut(LimbName::RightArm).bend_goal =
                Some(rest.moved(Effector::RightShoulder, -0.18, -0.30, -0.15));
            settings.chain_mut(LimbName::RightArm).bend_weight = 0.6;
        },
        script: None,
    },
    Scene {
        name: "reach with twist",
        purpose: "One hand across and forward, the other behind: the shoulders turn against the hips, and the spine bones share the twist.",
        hint: "Pause and step past bend through the writing. Then lower spine twist weight.",
        setup: |document, rest| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, rest);
            pin(settings, Effector::LeftHand, rest.moved(Effector::LeftShoulder, -0.08, 0.06, 0.40));
            pin(settings, Effector::RightHand, rest.moved(Effector::RightShoulder, -0.06, -0.18, -0.32));
            let hand = settings.effector_mut(Effector::LeftHand);
            hand.rotation = Some(Quat::from_rotation_x(-0.6) * rest.rotation(Effector::LeftHand));
            hand.rotation_weight = 1.0;
            settings.solver.pull_body_horizontal = 0.3;
        },
        script: None,
    },
    Scene {
        name: "flying arm",
        purpose: "An offset moves the shoulder, and without the FABRIK pass no constraint returns it: the written arm flies off.",
        hint: "Step to write left arm and see bone 1 placed. B, overlaid, is the same with the FABRIK pass on.",
        setup: |document, rest| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, rest);
            let offset = rest.along(0.12, 0.06, 0.04) * rest.height;
            settings.effector_mut(Effector::LeftShoulder).position_offset = offset;
            pin(settings, Effector::LeftHand, rest.moved(Effector::LeftShoulder, 0.36, 0.08, 0.14));
            settings.solver.fabrik_pass = false;
        },
        script: None,
    },
    Scene {
        name: "one hand on the ground",
        purpose: "A hand goes down to the ground: pull body lowers the body, the knees bend.",
        hint: "Set pull body vertical to 0: the torso bows instead. With 1 the character squats.",
        setup: |document, rest| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, rest);
            pin(settings, Effector::LeftHand, rest.moved(Effector::LeftFoot, 0.1, 0.0, 0.2));
            settings.effector_mut(Effector::RightHand).maintain_relative_position = 1.0;
        },
        script: None,
    },
    Scene {
        name: "two hands at odds",
        purpose: "The two hands pull the body in opposite directions.",
        hint: "Change one arm's pull and watch the red bar between the shoulders.",
        setup: |document, rest| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, rest);
            pin(settings, Effector::LeftHand, rest.moved(Effector::LeftShoulder, 0.45, 0.05, 0.05));
            pin(settings, Effector::RightHand, rest.moved(Effector::RightShoulder, -0.45, 0.05, 0.05));
        },
        script: None,
    },
    Scene {
        name: "push against a wall",
        purpose: "Hands that come too close push shoulders and body back.",
        hint: "Set push parent of both arms to 0: stage push moves only the shoulders.",
        setup: |document, rest| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, rest);
            for (hand, shoulder, limb) in [
                (Effector::LeftHand, Effector::LeftShoulder, LimbName::LeftArm),
                (Effector::RightHand, Effector::RightShoulder, LimbName::RightArm),
            ] {
                pin(settings, hand, rest.moved(shoulder, 0.0, -0.02, 0.12));
                let chain = settings.chain_mut(limb);
                chain.push = 0.7;
                chain.push_parent = 0.6;
            }
        },
        script: None,
    },
];
