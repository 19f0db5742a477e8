//! The cases of the kit that are made by hand, from easy to hard.

use glam::{Quat, Vec3};

use super::person::{Build, carry, person};
use crate::error::Fault;
use crate::full_body::{Effector, Settings, Smoothing};
use crate::rig::LimbName::{LeftArm, LeftLeg, RightArm, RightLeg};
use crate::trace::Rig;

pub(super) struct Draft {
    pub name: &'static str,
    pub about: &'static str,
    build: Build,
    change: fn(&mut Rig, &mut Settings),
}

impl Draft {
    pub fn make(&self) -> Result<Input, Fault> {
        let (mut rig, mut settings) = (person(self.build)?, Settings::default());
        (self.change)(&mut rig, &mut settings);
        Ok(Input { name: self.name.to_owned(), about: self.about.to_owned(), rig, settings, frame: 1 })
    }
}

pub(crate) struct Input {
    pub name: String,
    pub about: String,
    pub rig: Rig,
    pub settings: Settings,
    /// The frame, from 1.
    pub frame: u8,
}

const fn whole(name: &'static str, about: &'static str, change: fn(&mut Rig, &mut Settings)) -> Draft {
    Draft { name, about, build: Build::WHOLE, change }
}

pub(super) fn aim(settings: &mut Settings, effector: Effector, at: [f32; 3], weight: f32) {
    let own = settings.effector_mut(effector);
    (own.position, own.position_weight) = (Some(at.into()), weight);
}

pub(super) fn turn(settings: &mut Settings, effector: Effector, rotation: Quat, weight: f32) {
    let own = settings.effector_mut(effector);
    (own.rotation, own.rotation_weight) = (Some(rotation), weight);
}

pub(super) fn pin_feet(settings: &mut Settings) {
    for foot in [Effector::LeftFoot, Effector::RightFoot] {
        settings.effector_mut(foot).position_weight = 1.0;
    }
}

/// Rotates a bone of the animated pose with everything below it, by `angle` radians about an axis of model space.
pub(super) fn bend(rig: &mut Rig, name: &str, axis: Vec3, angle: f32) {
    if let Some(bone) = rig.skeleton.find(name) {
        carry(rig, bone, Quat::from_axis_angle(axis, angle), Vec3::ZERO);
    }
}

/// Scales the distance of a bone of the animated pose from its parent; everything below the bone moves with it.
pub(super) fn lengthen(rig: &mut Rig, name: &str, by: f32) {
    if let Some(bone) = rig.skeleton.find(name)
        && let Some(parent) = rig.skeleton.parent(bone)
    {
        let along = rig.animated[bone].position - rig.animated[parent].position;
        carry(rig, bone, Quat::IDENTITY, along * (by - 1.0));
    }
}

/// Sets a pose that differs from the reference: knees and elbows bent, the torso leaning and twisted.
pub(super) fn stride(rig: &mut Rig) {
    let bends = [
        ("spine 1", Vec3::X, 0.12),
        ("spine 2", Vec3::Y, 0.1),
        ("left upper arm", Vec3::Z, -0.9),
        ("left forearm", Vec3::Y, -0.5),
        ("right upper arm", Vec3::Z, 0.8),
        ("right forearm", Vec3::Y, 0.7),
        ("left thigh", Vec3::X, -0.5),
        ("left calf", Vec3::X, 0.6),
        ("right thigh", Vec3::X, 0.3),
        ("right calf", Vec3::X, 0.35),
    ];
    bends.into_iter().for_each(|(name, axis, angle)| bend(rig, name, axis, angle));
}

pub(super) const DRAFTS: &[Draft] = &[
    whole("01-nothing-asked", "No targets: reading, the stages and writing leave the pose unchanged.", |_, _| {}),
    whole("02-no-weight", "The master weight is 0: there are no stages and no writing.", |_, settings| {
        settings.solver.weight = 0.0;
        aim(settings, Effector::LeftHand, [0.4, 1.2, 0.4], 1.0);
    }),
    whole(
        "03-one-arm",
        "One hand has a target within reach: two-bone trigonometry; little else moves.",
        |_, settings| {
            aim(settings, Effector::LeftHand, [0.45, 1.25, 0.25], 1.0);
            settings.chain_mut(LeftArm).reach = 0.0;
        },
    ),
    whole(
        "04-no-fabrik",
        "The FABRIK pass is off: one iteration of end effectors and trigonometry, at any number of iterations above 0.",
        |rig, settings| {
            stride(rig);
            settings.solver.fabrik_pass = false;
            settings.solver.iterations = 3;
            aim(settings, Effector::RightHand, [-0.4, 1.18, 0.42], 1.0);
            turn(settings, Effector::RightHand, Quat::from_rotation_x(0.8), 0.5);
        },
    ),
    whole(
        "05-no-iterations",
        "No iterations: only the limbs are solved; spine, head and clavicles are not written.",
        |rig, settings| {
            stride(rig);
            settings.solver.iterations = 0;
            aim(settings, Effector::LeftHand, [0.6, 1.2, 0.6], 1.0);
        },
    ),
    whole(
        "06-bend-limit",
        "An elbow and a knee are bent the wrong way in the animation: the bend limit corrects them while the pose is read.",
        |rig, settings| {
            bend(rig, "left forearm", Vec3::Y, 0.9);
            bend(rig, "right calf", Vec3::X, -0.7);
            settings.effector_mut(Effector::RightHand).position_weight = 0.6;
        },
    ),
    whole(
        "07-reach",
        "A hand's target is out of reach: reach moves the shoulder toward it, pull moves the body.",
        |rig, settings| {
            stride(rig);
            pin_feet(settings);
            aim(settings, Effector::LeftHand, [0.5, 1.2, 0.85], 1.0);
            settings.chain_mut(LeftArm).reach = 0.3;
        },
    ),
    whole(
        "08-far-and-pulled",
        "The hands' targets are far out of reach, one above and one below: the body is pulled up, down and sideways.",
        |rig, settings| {
            stride(rig);
            pin_feet(settings);
            aim(settings, Effector::LeftHand, [1.4, 2.2, 0.5], 1.0);
            aim(settings, Effector::RightHand, [-1.2, 0.2, 0.9], 0.8);
            settings.solver.pull_body_vertical = 0.7;
            settings.solver.pull_body_horizontal = 0.4;
            settings.chain_mut(RightArm).pull = 0.6;
        },
    ),
    whole(
        "09-push",
        "A hand is pushed toward its shoulder, which passes part of the push on to the body.",
        |rig, settings| {
            stride(rig);
            aim(settings, Effector::LeftHand, [0.22, 1.4, 0.08], 1.0);
            let chain = settings.chain_mut(LeftArm);
            (chain.push, chain.push_parent, chain.push_smoothing) = (0.9, 0.6, Smoothing::Exponential);
            let chain = settings.chain_mut(RightArm);
            (chain.push, chain.push_parent) = (0.5, -0.5);
        },
    ),
    whole("10-smoothings", "Push and reach without smoothing and with cubic smoothing.", |rig, settings| {
        stride(rig);
        aim(settings, Effector::LeftHand, [0.22, 1.36, 0.1], 1.0);
        aim(settings, Effector::RightHand, [-0.6, 1.35, 0.5], 1.0);
        aim(settings, Effector::LeftFoot, [0.1, 0.6, 0.1], 1.0);
        aim(settings, Effector::RightFoot, [-0.1, 0.02, -0.2], 1.0);
        let smoothings = [Smoothing::None, Smoothing::Cubic, Smoothing::Cubic, Smoothing::None];
        for (chain, smoothing) in settings.chains.iter_mut().zip(smoothings) {
            (chain.push, chain.push_parent, chain.reach) = (0.8, 0.3, 0.5);
            (chain.push_smoothing, chain.reach_smoothing) = (smoothing, smoothing);
        }
    }),
    whole(
        "11-bend-goals",
        "Elbows and a knee bend toward goals and a direction, with full and partial weight; a goal takes precedence.",
        |rig, settings| {
            stride(rig);
            pin_feet(settings);
            let chain = settings.chain_mut(LeftArm);
            (chain.bend_goal, chain.bend_weight) = (Some(Vec3::new(0.5, 0.6, -0.6)), 1.0);
            chain.bend_direction = Some(Vec3::Y);
            let chain = settings.chain_mut(RightArm);
            (chain.bend_direction, chain.bend_weight) = (Some(Vec3::new(-0.2, -1.0, 0.4)), 0.5);
            let chain = settings.chain_mut(LeftLeg);
            (chain.bend_goal, chain.bend_weight) = (Some(Vec3::new(1.2, 0.6, 0.4)), 0.4);
            settings.chain_mut(RightLeg).bend_weight = 1.0;
        },
    ),
    whole(
        "12-turned-ends",
        "Hands and a foot have rotations with full and partial weight, which elbow and knee follow; the other foot keeps half of its animated rotation.",
        |rig, settings| {
            stride(rig);
            aim(settings, Effector::LeftHand, [0.4, 1.3, 0.35], 1.0);
            turn(settings, Effector::LeftHand, Quat::from_rotation_z(1.2) * Quat::from_rotation_x(0.5), 1.0);
            turn(settings, Effector::RightHand, Quat::from_rotation_y(-2.0), 0.4);
            turn(settings, Effector::LeftFoot, Quat::from_rotation_x(0.6), 0.7);
            settings.chain_mut(RightArm).maintain_rotation = 0.8;
            // The right foot has a target position, but no target rotation: it turns with the leg and must keep half of
            // its animated rotation.
            aim(settings, Effector::RightFoot, [-0.2, 0.35, 0.25], 1.0);
            settings.chain_mut(RightLeg).maintain_rotation = 0.5;
        },
    ),
    whole(
        "13-body-and-offsets",
        "The body has a target, and every effector has an offset; the thighs move with the body.",
        |rig, settings| {
            stride(rig);
            pin_feet(settings);
            aim(settings, Effector::Body, [0.1, 1.0, 0.1], 0.7);
            for (index, own) in settings.effectors.iter_mut().enumerate() {
                own.position_offset = Vec3::new(0.01, -0.02, 0.005) * (10.0 - index as f32);
            }
            settings.solver.weight = 0.8;
            settings.pin = 0.4;
        },
    ),
    whole(
        "14-shoulders-and-thighs",
        "Shoulders and thighs have targets: linear constraints also move the body, by the position weight of shoulder or thigh and the limb's pull.",
        |rig, settings| {
            stride(rig);
            aim(settings, Effector::LeftShoulder, [0.25, 1.45, 0.2], 0.8);
            aim(settings, Effector::RightShoulder, [-0.15, 1.5, -0.1], 0.5);
            aim(settings, Effector::LeftThigh, [0.15, 0.9, 0.1], 1.0);
            aim(settings, Effector::RightThigh, [-0.12, 0.97, 0.0], 0.3);
            settings.chain_mut(RightArm).pull = 0.3;
            settings.chain_mut(LeftLeg).pull = 0.6;
            settings.solver.spine_stiffness = 0.2;
            settings.solver.iterations = 2;
            settings.pin = 0.3;
        },
    ),
    whole(
        "15-goes-with-the-torso",
        "Hands and a foot move with the planes of the torso while the body moves; one hand is also held in place in part.",
        |rig, settings| {
            stride(rig);
            aim(settings, Effector::LeftShoulder, [0.1, 1.35, 0.35], 1.0);
            aim(settings, Effector::Body, [0.0, 1.1, 0.15], 0.5);
            settings.effector_mut(Effector::LeftHand).maintain_relative_position = 1.0;
            settings.effector_mut(Effector::RightHand).maintain_relative_position = 0.5;
            settings.effector_mut(Effector::LeftFoot).maintain_relative_position = 0.7;
            settings.effector_mut(Effector::RightHand).position_weight = 0.2;
        },
    ),
    whole(
        "16-diagonals",
        "A foot and a hand pull the torso out of shape: its diagonals fully resist shortening, and do not resist stretching.",
        |rig, settings| {
            stride(rig);
            aim(settings, Effector::LeftFoot, [0.9, 0.1, 0.6], 1.0);
            aim(settings, Effector::RightHand, [-0.2, 0.5, 0.6], 1.0);
            settings.solver.spine_stiffness = 1.0;
            settings.solver.iterations = 1;
            settings.chain_mut(LeftLeg).pull = 0.2;
        },
    ),
    whole("17-many-iterations", "Seven iterations; stage 2 still runs at most four rounds.", |rig, settings| {
        stride(rig);
        aim(settings, Effector::LeftHand, [0.6, 1.0, 0.7], 1.0);
        settings.solver.spine_stiffness = 0.0;
        settings.solver.iterations = 7;
    }),
    whole(
        "18-twist-and-head",
        "Limbs with little pull twist the shoulders against the hips; the spine distributes the twist, the head keeps part of its rotation.",
        |rig, settings| {
            stride(rig);
            pin_feet(settings);
            aim(settings, Effector::LeftHand, [-0.1, 1.3, 0.6], 1.0);
            aim(settings, Effector::RightHand, [-0.1, 1.2, -0.7], 1.0);
            settings.solver.head_maintain_rotation = 0.6;
            settings.solver.spine_twist_weight = 0.7;
            settings.solver.spine_iterations = 5;
            settings.chains.iter_mut().for_each(|chain| chain.pull = 0.15);
            // With a master weight below 1, a missing multiplication by it shows.
            settings.solver.weight = 0.9;
            turn(settings, Effector::LeftHand, Quat::from_rotation_z(1.1), 0.6);
            turn(settings, Effector::RightFoot, Quat::from_rotation_x(-0.8), 1.0);
            settings.chain_mut(RightArm).maintain_rotation = 0.7;
            let chain = settings.chain_mut(LeftLeg);
            (chain.bend_goal, chain.bend_weight) = (Some(Vec3::new(0.9, 0.5, 0.5)), 1.0);
        },
    ),
    whole(
        "19-mapping-weights",
        "The left arm is written with weight 0.5, the left leg with 0.4, the right arm not at all; the spine does not distribute the twist of the shoulders.",
        |rig, settings| {
            stride(rig);
            aim(settings, Effector::LeftHand, [0.5, 1.5, 0.4], 1.0);
            aim(settings, Effector::RightHand, [-0.4, 1.1, 0.4], 1.0);
            aim(settings, Effector::LeftFoot, [0.3, 0.3, 0.3], 1.0);
            turn(settings, Effector::LeftHand, Quat::from_rotation_y(0.9), 0.5);
            settings.chain_mut(LeftArm).mapping_weight = 0.5;
            settings.chain_mut(RightArm).mapping_weight = 0.0;
            settings.chain_mut(LeftLeg).mapping_weight = 0.4;
            settings.solver.spine_twist_weight = 0.0;
        },
    ),
    whole(
        "20-scale-free-reach",
        "Reach limited by the limb's stretch instead of a distance in model units; a forearm and a calf are longer in the animation than in the reference.",
        |rig, settings| {
            stride(rig);
            lengthen(rig, "left hand", 1.3);
            lengthen(rig, "right foot", 1.2);
            aim(settings, Effector::LeftHand, [0.9, 1.3, 0.5], 1.0);
            let chain = settings.chain_mut(LeftArm);
            (chain.reach, chain.scale_free_reach) = (0.6, true);
        },
    ),
    Draft {
        name: "21-short-spine",
        about: "Two spine bones, the lower one of which is the body: the spine runs no FABRIK. No head and no clavicles.",
        build: Build::SHORT,
        change: |rig, settings| {
            stride(rig);
            pin_feet(settings);
            aim(settings, Effector::LeftHand, [0.3, 1.0, 0.6], 1.0);
            settings.solver.head_maintain_rotation = 1.0;
        },
    },
    Draft {
        name: "22-straight-limbs",
        about: "Limbs that are straight in reference and animation, and stay straight in read, because the master weight is below 1: their bend directions and plane normals are anatomical.",
        build: Build { is_straight: true, ..Build::WHOLE },
        change: |_, settings| {
            aim(settings, Effector::LeftHand, [0.45, 1.3, 0.2], 1.0);
            aim(settings, Effector::LeftFoot, [0.12, 0.3, 0.1], 1.0);
            settings.effector_mut(Effector::RightHand).position_weight = 1.0;
            settings.solver.weight = 0.8;
            // At a bend weight below 1 the limb's own direction counts too, so that a wrong one shows.
            let chain = settings.chain_mut(LeftArm);
            (chain.bend_goal, chain.bend_weight) = (Some(Vec3::new(0.3, 0.6, 0.2)), 0.4);
        },
    },
    whole(
        "23-nowhere-to-turn",
        "Targets without a direction: a hand at its own shoulder, a bend goal at the thigh, a bend direction along the arm.",
        |rig, settings| {
            let shoulder = rig.animated[rig.biped.limb(LeftArm).bones[0]].position;
            aim(settings, Effector::LeftHand, shoulder.to_array(), 1.0);
            settings.chain_mut(LeftArm).reach = 0.0;
            let shoulder = rig.animated[rig.biped.limb(RightArm).bones[0]].position;
            aim(settings, Effector::RightHand, (shoulder - Vec3::X * 0.4).to_array(), 1.0);
            let chain = settings.chain_mut(RightArm);
            (chain.bend_direction, chain.bend_weight) = (Some(Vec3::X), 1.0);
            let thigh = rig.animated[rig.biped.limb(LeftLeg).bones[0]].position;
            let chain = settings.chain_mut(LeftLeg);
            (chain.bend_goal, chain.bend_weight) = (Some(thigh), 1.0);
            (settings.solver.fabrik_pass, settings.solver.iterations) = (false, 1);
        },
    ),
    whole(
        "24-bend-goals-everywhere",
        "All four limbs have bend goals with full weight: their natural bend directions have no effect.",
        |rig, settings| {
            stride(rig);
            pin_feet(settings);
            for (chain, goal) in
                settings.chains.iter_mut().zip([[0.6, 0.8, -0.5], [-0.9, 1.8, 0.2], [0.4, 0.5, 1.0], [-0.2, 0.4, 1.2]])
            {
                (chain.bend_goal, chain.bend_weight) = (Some(goal.into()), 1.0);
            }
        },
    ),
    Draft {
        name: "25-small-and-all-reach",
        about: "A character at a tenth of the size, whose limbs have full reach: reach is limited by the distance of the limb's ends in model units.",
        build: Build { size: 0.1, ..Build::WHOLE },
        change: |rig, settings| {
            stride(rig);
            aim(settings, Effector::LeftHand, [0.3, 0.15, 0.2], 1.0);
            aim(settings, Effector::RightHand, [-0.05, 0.13, 0.05], 1.0);
            aim(settings, Effector::LeftFoot, [0.02, 0.02, 0.03], 1.0);
            aim(settings, Effector::RightFoot, [-0.02, 0.015, 0.02], 1.0);
            settings.chains.iter_mut().for_each(|chain| chain.reach = 1.0);
        },
    },
    Draft {
        name: "26-head-on-a-clavicle",
        about: "The head is attached to a clavicle, which is written after the head and moves it.",
        build: Build { is_head_on_clavicle: true, ..Build::WHOLE },
        change: |rig, settings| {
            stride(rig);
            aim(settings, Effector::LeftHand, [0.3, 1.9, 0.3], 1.0);
            settings.solver.head_maintain_rotation = 0.5;
            // With any other root node, writing runs FABRIK for every spine; with this one, only for spines of three or
            // more bones.
            rig.biped.root_node = rig.biped.spine[0];
        },
    },
    Draft {
        name: "27-no-length",
        about: "An arm without length has a target, push and reach: push and reach skip the arm, it still pulls the body, and nothing becomes NaN.",
        build: Build::WHOLE,
        change: |rig, settings| {
            let [first, second, last] = rig.biped.limb(RightArm).bones;
            for pose in [&mut rig.reference, &mut rig.animated] {
                let at = pose[first].position;
                (pose[second].position, pose[last].position) = (at, at);
            }
            aim(settings, Effector::RightHand, [-0.5, 1.2, 0.3], 1.0);
            aim(settings, Effector::LeftHand, [0.45, 1.2, 0.3], 1.0);
            let chain = settings.chain_mut(RightArm);
            (chain.push, chain.scale_free_reach) = (1.0, true);
        },
    },
    Draft {
        name: "28-no-distance",
        about: "Both shoulders at one position, and a thigh at the body: planes and vectors without a direction.",
        build: Build::WHOLE,
        change: |rig, settings| {
            let [left, right] = [LeftArm, RightArm].map(|limb| rig.biped.limb(limb).bones[0]);
            let thigh = rig.biped.limb(RightLeg).bones[0];
            for pose in [&mut rig.reference, &mut rig.animated] {
                pose[right].position = pose[left].position;
                pose[thigh].position = pose[rig.biped.root_node].position;
            }
            settings.solver.spine_stiffness = 0.0;
        },
    },
    Draft {
        name: "29-root-at-the-chest",
        about: "Two spine bones, the upper one of which is the body: the spine runs FABRIK although it is short.",
        build: Build::SHORT,
        change: |rig, settings| {
            rig.biped.root_node = rig.biped.spine[1];
            stride(rig);
            pin_feet(settings);
            aim(settings, Effector::RightHand, [-0.2, 1.0, 0.7], 1.0);
        },
    },
    Draft {
        name: "30-hung-elsewhere",
        about: "A forearm is attached to the chest, a foot to the pelvis, an arm to the other hand: the nodes move as if all limbs were attached to the torso.",
        build: Build { is_detached: true, ..Build::WHOLE },
        change: |rig, settings| {
            stride(rig);
            pin_feet(settings);
            bend(rig, "right calf", Vec3::X, -0.9);
            aim(settings, Effector::LeftHand, [0.3, 1.5, 0.5], 0.8);
            aim(settings, Effector::Body, [0.05, 1.0, 0.1], 0.6);
        },
    },
    Draft {
        name: "31-root-at-the-pelvis",
        about: "The pelvis is the body: after each round of the spine's FABRIK, the pelvis's virtual joint returns to the body node.",
        build: Build::WHOLE,
        change: |rig, settings| {
            rig.biped.root_node = rig.biped.pelvis;
            stride(rig);
            pin_feet(settings);
            aim(settings, Effector::RightHand, [-0.2, 1.0, 0.7], 1.0);
        },
    },
    whole(
        "32-clamp-smoothing",
        "An elbow and a knee are bent the wrong way, and the bend limit is smoothed by one and by two sine iterations.",
        |rig, settings| {
            bend(rig, "left forearm", Vec3::Y, 0.9);
            bend(rig, "right calf", Vec3::X, -0.7);
            settings.chain_mut(LeftArm).clamp_smoothing = 1;
            settings.chain_mut(RightLeg).clamp_smoothing = 2;
        },
    ),
    whole(
        "33-spine-bone-without-length",
        "Two spine bones are at one position: the lower one has no direction, so it neither swings nor twists.",
        |rig, settings| {
            stride(rig);
            let [.., bone, next] = rig.biped.spine[..] else { return };
            for pose in [&mut rig.reference, &mut rig.animated] {
                pose[bone].position = pose[next].position;
            }
            aim(settings, Effector::LeftHand, [0.5, 1.3, 0.5], 1.0);
        },
    ),
];
