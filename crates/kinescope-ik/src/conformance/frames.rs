//! Cases of three frames: a port solves them with one solver, so that state of an earlier frame shows.

use glam::{Quat, Vec3};

use super::cases::{Input, aim, bend, lengthen, pin_feet, stride, turn};
use super::person::{Build, person};
use crate::error::Fault;
use crate::full_body::{Effector, Settings, Smoothing};
use crate::rig::LimbName::{LeftArm, LeftLeg, RightArm, RightLeg};
use crate::trace::Rig;

const FRAMES: u8 = 3;

struct Draft {
    name: &'static str,
    about: &'static str,
    /// Changes a standing character for a frame, from 0.
    change: fn(&mut Rig, &mut Settings, u8),
}

const DRAFTS: &[Draft] = &[
    Draft {
        name: "offsets-of-one-frame",
        about: "Offsets and a target out of reach in the first frame, neither in the second, one offset in the third.",
        change: |rig, settings, frame| {
            stride(rig);
            bend(rig, "spine 2", Vec3::X, 0.1 * f32::from(frame));
            pin_feet(settings);
            match frame {
                0 => {
                    for (index, own) in settings.effectors.iter_mut().enumerate() {
                        own.position_offset = Vec3::new(0.02, -0.03, 0.015) * (1.0 + 0.3 * index as f32);
                    }
                    aim(settings, Effector::LeftHand, [0.9, 1.9, 0.6], 1.0);
                    settings.solver.pull_body_horizontal = 0.5;
                }
                1 => {
                    aim(settings, Effector::LeftHand, [0.4, 1.2, 0.3], 1.0);
                    // A leg is shorter than one model unit, so a reach in model units gives another result than a
                    // scale-free one.
                    for leg in [LeftLeg, RightLeg] {
                        let chain = settings.chain_mut(leg);
                        (chain.reach, chain.reach_smoothing, chain.scale_free_reach) = (1.0, Smoothing::None, true);
                    }
                }
                _ => settings.effector_mut(Effector::LeftThigh).position_offset = Vec3::new(0.0, 0.03, 0.04),
            }
        },
    },
    Draft {
        name: "goals-of-one-frame",
        about: "Only the first frame has bend goals, target rotations and ends that follow the torso; bend and rotation weights stay.",
        change: |rig, settings, frame| {
            stride(rig);
            bend(rig, "left upper arm", Vec3::Y, -0.3 * f32::from(frame));
            aim(settings, Effector::LeftShoulder, [0.1, 1.4, 0.3], 0.8);
            aim(settings, Effector::LeftThigh, [0.14, 0.92, 0.12], 0.7);
            aim(settings, Effector::RightFoot, [-0.15, 0.3, 0.2], 1.0);
            settings.effectors.iter_mut().skip(5).for_each(|own| own.rotation_weight = 0.6);
            settings.chains.iter_mut().for_each(|chain| chain.bend_weight = 1.0);
            if frame == 0 {
                for (index, limb) in crate::rig::LimbName::ALL.into_iter().enumerate() {
                    let side = if limb.is_left() { 1.0 } else { -1.0 };
                    settings.chain_mut(limb).bend_goal = Some(Vec3::new(0.9 * side, 0.8, 0.5 - 0.3 * index as f32));
                    let end = Effector::END[index];
                    let rotation = Quat::from_rotation_x(0.4 + 0.3 * index as f32);
                    turn(settings, end, rotation, 0.6);
                    settings.effector_mut(end).maintain_relative_position = 1.0;
                }
            }
            if frame == 2 {
                settings.chain_mut(LeftLeg).bend_direction = Some(Vec3::new(0.5, 0.0, 1.0));
            }
        },
    },
    Draft {
        name: "another-pose",
        about: "Another pose in each frame, with longer bones in the first: every frame needs its own lengths, planes and rotations.",
        change: |rig, settings, frame| {
            match frame {
                0 => {
                    stride(rig);
                    lengthen(rig, "left hand", 1.2);
                    lengthen(rig, "right calf", 1.15);
                    bend(rig, "spine 3", Vec3::Y, 0.5);
                }
                1 => {
                    bend(rig, "spine 1", Vec3::X, 0.3);
                    bend(rig, "head", Vec3::Y, 0.6);
                    bend(rig, "left clavicle", Vec3::Z, 0.25);
                    bend(rig, "left forearm", Vec3::Y, -1.1);
                    bend(rig, "right thigh", Vec3::X, -0.7);
                    bend(rig, "right calf", Vec3::X, 1.2);
                    bend(rig, "left hand", Vec3::X, 0.8);
                }
                _ => {
                    stride(rig);
                    bend(rig, "pelvis", Vec3::Y, 0.4);
                    bend(rig, "right foot", Vec3::Z, 0.6);
                    bend(rig, "right forearm", Vec3::X, 0.7);
                }
            }
            aim(settings, Effector::Body, [0.03, 1.1, 0.05], 0.5);
            aim(settings, Effector::LeftHand, [0.3, 1.25, 0.25], 1.0);
            settings.solver.head_maintain_rotation = 0.8;
            settings.chains.iter_mut().for_each(|chain| (chain.maintain_rotation, chain.push) = (0.7, 0.6));
            settings.effector_mut(Effector::RightHand).maintain_relative_position = 1.0;
            settings.effector_mut(Effector::LeftFoot).maintain_relative_position = 0.8;
            (settings.chain_mut(LeftArm).mapping_weight, settings.chain_mut(RightArm).mapping_weight) = (0.6, 0.8);
            settings.solver.spine_iterations = 1;
        },
    },
];

/// Returns the frames of all cases, each case's in order. `first` is the number of the first case.
pub(super) fn inputs(first: usize) -> impl Iterator<Item = Result<Input, Fault>> {
    DRAFTS.iter().enumerate().flat_map(move |(index, draft)| {
        (0..FRAMES).map(move |frame| {
            let (mut rig, mut settings) = (person(Build::WHOLE)?, Settings::default());
            (draft.change)(&mut rig, &mut settings, frame);
            let frame = frame + 1;
            let name = format!("{:02}-{}-frame-{frame}", first + index, draft.name);
            let about = format!("Frame {frame} of {FRAMES}. {}", draft.about);
            Ok(Input { name, about, rig, settings, frame })
        })
    })
}
