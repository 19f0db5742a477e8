use std::f32::consts::FRAC_PI_2;

use glam::{Quat, Vec3};

use super::Scene;
use super::rest::{ARMS, LEGS};
use super::targets::{bow, carry_hands, feet_apart, pin, plant_feet};
use kinescope_ik::full_body::Effector;
use kinescope_ik::math::{from_to_rotation, unit_or_zero};

pub(super) const SCENES: &[Scene] = &[
    Scene {
        name: "crouch",
        purpose: "The body effector moves down and the feet stay, so the knees bend.",
        hint: "Drag the body's ring. Look at the bend directions of the knees.",
        setup: |document, rest| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, rest);
            pin(settings, Effector::Body, rest.moved(Effector::Body, 0.0, -0.18, 0.02));
            carry_hands(settings);
        },
        script: None,
    },
    Scene {
        name: "crouch by feet",
        purpose: "Only the feet have targets, wide apart: the legs pull the body down.",
        hint: "Set pull of both legs to 0: the body stays up. A lifted foot moves the body only by push.",
        setup: |document, rest| feet_apart(&mut document.stack.full_body, rest),
        script: None,
    },
    Scene {
        name: "pin the body",
        purpose: "Feet wide apart pull on a pinned body: the body stays up, the feet miss their targets.",
        hint: "Lower the body's pin: the body moves down toward the feet. At 0 the pose is that of the scene crouch by feet.",
        setup: |document, rest| {
            let settings = &mut document.stack.full_body;
            feet_apart(settings, rest);
            settings.pin = 1.0;
        },
        script: None,
    },
    Scene {
        name: "spine stiffness",
        purpose: "Hands far down, feet in place: without stiffness the torso caves in.",
        hint: "Raise spine stiffness from 0 to 1 and watch the strain of the green diagonals.",
        setup: |document, rest| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, rest);
            settings.solver.spine_stiffness = 0.0;
            // Without this pull, the body does not follow the hands down.
            settings.solver.pull_body_vertical = 0.0;
            for (hand, limb, side) in ARMS {
                pin(settings, hand, rest.reached(limb, 1.9, 0.05 * side, -1.0, 0.35));
            }
        },
        script: None,
    },
    Scene {
        name: "shoulders and thighs by hand",
        purpose: "Shoulders and thighs have their own targets: a twist without hand targets.",
        hint: "Set one shoulder's position weight to 0: the red bar to the other shoulder still moves it.",
        setup: |document, rest| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, rest);
            carry_hands(settings);
            for (left, right, degrees) in [
                (Effector::LeftShoulder, Effector::RightShoulder, -30.0_f32),
                (Effector::LeftThigh, Effector::RightThigh, 15.0),
            ] {
                let middle = (rest.at(left) + rest.at(right)) / 2.0;
                let turn = Quat::from_rotation_y(degrees.to_radians());
                for effector in [left, right] {
                    pin(settings, effector, middle + turn * (rest.at(effector) - middle));
                }
            }
        },
        script: None,
    },
    Scene {
        name: "maintain relative position",
        purpose: "The torso sinks and bows: the left hand follows, the right hand stays as animated.",
        hint: "Give the right hand maintain relative position as well, or drag a shoulder's ring.",
        setup: |document, rest| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, rest);
            let down = Vec3::Y * rest.height * -0.14;
            pin(settings, Effector::Body, rest.at(Effector::Body) + down);
            bow(settings, rest, 25.0, down);
            settings.effector_mut(Effector::LeftHand).maintain_relative_position = 1.0;
        },
        script: None,
    },
    Scene {
        name: "head keeps level",
        purpose: "The torso bows and the head keeps looking ahead.",
        hint: "Set head maintain rotation to 0: the head tilts with the chest.",
        setup: |document, rest| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, rest);
            bow(settings, rest, 35.0, Vec3::ZERO);
            carry_hands(settings);
            settings.solver.head_maintain_rotation = 1.0;
        },
        script: None,
    },
    Scene {
        name: "bend goals",
        purpose: "Elbows and knees turn to goals: knees out, elbows up.",
        hint: "Drag a goal around its limb, or lower a bend weight: the joint returns to the animation.",
        setup: |document, rest| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, rest);
            pin(settings, Effector::Body, rest.moved(Effector::Body, 0.0, -0.14, 0.0));
            for (hand, limb, side) in ARMS {
                pin(settings, hand, rest.reached(limb, 0.7, 0.2 * side, -0.5, 1.0));
                let chain = settings.chain_mut(limb);
                chain.bend_goal = Some(rest.reached(limb, 1.0, 0.3 * side, 1.0, 0.0));
                chain.bend_weight = 1.0;
            }
            for (_, limb, side) in LEGS {
                let chain = settings.chain_mut(limb);
                chain.bend_goal = Some(rest.reached(limb, 1.0, side, -0.6, 0.2));
                chain.bend_weight = 1.0;
            }
        },
        script: None,
    },
    Scene {
        name: "hand turns elbow",
        purpose: "The left hand is turned by 90° about its arm, the right hand is not: the left elbow follows.",
        hint: "Rotate the left hand's effector: the elbow follows. Lower the effector's rotation weight: the elbow turns back.",
        setup: |document, rest| {
            let settings = &mut document.stack.full_body;
            plant_feet(settings, rest);
            for (hand, limb, side) in ARMS {
                let target = rest.reached(limb, 0.75, 0.1 * side, -0.1, 1.0);
                pin(settings, hand, target);
                let along = target - rest.root(limb);
                let carried = from_to_rotation(rest.spans[limb.index()], along) * rest.rotation(hand);
                let quarter = if side > 0.0 { FRAC_PI_2 } else { 0.0 };
                let own = settings.effector_mut(hand);
                own.rotation = Some((Quat::from_axis_angle(unit_or_zero(along), quarter) * carried).normalize());
                own.rotation_weight = 1.0;
            }
        },
        script: None,
    },
];
