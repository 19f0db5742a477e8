//! Joint limits from clips: solvers and lanes keep within the range of the clips, presets and capsules store the
//! choice.

use std::sync::LazyLock;

use glam::Vec3;
use kinescope_ik::Effector;
use kinescope_ik::capsule::{Capsule, CapsuleFrame, Instant};
use kinescope_ik::joints::{JointLimits, Joints};
use kinescope_ik::preset::Preset;
use kinescope_ik::rig::{LimbName, ModelPose, RigidTransform};
use kinescope_ik::stack::{BodyLane, Input, LayerId, Rig, Stack, Tools, solve};

use crate::common::built_in::built_in;

/// The excess over joint limits that both solvers may leave, radians: 0.05, and rounding.
const SLACK: f32 = 0.051;
const MARGIN: f32 = 0.05;

static RIG: LazyLock<Rig> = LazyLock::new(|| {
    let model = &built_in().model;
    built_in().rig().with_clips(&model.skeleton.rest_pose(), &model.clips)
});

fn joints() -> &'static Joints {
    RIG.joints.as_ref().unwrap()
}

/// Returns a stack in which only the given solver poses the body. Both hands reach behind the character on its left,
/// farther than any clip turns the trunk; pelvis and feet are held.
fn stack(layer: LayerId, clip_limits: bool) -> Stack {
    let mut stack = Stack::default();
    for (effector, x) in [(Effector::LeftHand, 0.6), (Effector::RightHand, 0.35)] {
        let hand = stack.full_body.effector_mut(effector);
        (hand.position, hand.position_weight) = (Some(Vec3::new(x, 1.2, -0.45)), 1.0);
    }
    for held in [Effector::Body, Effector::LeftFoot, Effector::RightFoot] {
        stack.full_body.effector_mut(held).position_weight = 1.0;
    }
    stack.order.full_body_off = true;
    let (squares, based) = (&mut stack.order.least_squares, &mut stack.order.position_based);
    (squares.on, squares.clip_limits, squares.clip_margin) = (layer == LayerId::LeastSquares, clip_limits, MARGIN);
    (based.on, based.clip_limits, based.clip_margin) = (layer == LayerId::PositionBased, clip_limits, MARGIN);
    stack
}

fn walk(time: f32) -> Vec<RigidTransform> {
    built_in().pose("walk", time)
}

fn solved(stack: Stack) -> Vec<RigidTransform> {
    let frame = solve(&RIG, Tools::default(), &Input::new(stack, ModelPose::rigid(walk(0.3))));
    assert_eq!(frame.problem(), None);
    frame.pose
}

/// Returns the largest angle by which a joint exceeds limits from clips, in radians.
fn excess(pose: &[RigidTransform]) -> f32 {
    joints().clip_limits(MARGIN).largest_violation(&joints().read(pose).unwrap()).1
}

#[test]
fn the_ranges_contain_every_pose_of_the_clips_and_little_more() {
    let limits = joints().clip_limits(0.02);
    let model = &built_in().model;
    for clip in &model.clips {
        for step in 0..=37 {
            let pose = joints().read(&built_in().pose(&clip.name, clip.duration * step as f32 / 37.0)).unwrap();
            let (joint, violation) = limits.largest_violation(&pose);
            assert!(violation < 0.05, "{}, {}: {violation}", clip.name, joints().label(joint));
        }
    }
    let [_, elbow, _] = joints().limb(LimbName::LeftArm);
    let width = |limits: &JointLimits| limits.get(elbow).unwrap().swing()[0];
    let twist =
        |limits: &JointLimits, joint: usize| limits.get(joint).map_or(0.0, |own| own.twist()[1] - own.twist()[0]);
    let narrower = (1..joints().len()).filter(|&joint| twist(&limits, joint) < 0.8 * twist(&joints().limits, joint));
    assert!(2 * narrower.count() > joints().len());
    assert!((width(&joints().clip_limits(0.3)) - width(&limits) - 0.28).abs() < 1e-4);
    assert_eq!(JointLimits::from_poses(joints(), &[], 0.1), joints().limits);
    assert_eq!(built_in().rig().joints.unwrap().clip_limits(0.1), joints().limits, "without clips");
    assert_eq!(JointLimits::from_poses(joints(), &[], f32::NAN), joints().limits);
}

#[test]
fn both_solvers_keep_within_the_range_of_the_clips() {
    for layer in [LayerId::LeastSquares, LayerId::PositionBased] {
        let [free, limited] = [false, true].map(|clip_limits| excess(&solved(stack(layer, clip_limits))));
        assert!(limited < SLACK && free > SLACK + 0.05, "{}: {free} without, {limited} with", layer.label());
        assert_eq!(solved(stack(layer, false)), solved(stack(layer, false)));
    }
}

#[test]
fn a_lane_has_limits_from_clips_of_its_own_and_is_measured_by_them() {
    for layer in [LayerId::LeastSquares, LayerId::PositionBased] {
        let mut stack = stack(layer, false);
        let mut limited = BodyLane::of(layer);
        limited.choices.insert(format!("stack.{}.clip_limits", layer.key()), "on".to_owned());
        stack.order.body_lab.lanes = vec![BodyLane::of(layer), limited];
        stack.validate().unwrap();
        assert!(stack.uses_clip_limits());
        let frame = solve(&RIG, Tools::default(), &Input::new(stack.clone(), ModelPose::rigid(walk(0.3))));
        let [free, limited] = [0, 1].map(|lane| frame.lane_pose(&RIG, lane).unwrap());
        let [most, least] = [excess(&free), excess(&limited)];
        assert!(most > 0.1 && least < most - 0.05, "{}: {most} {least}", layer.label());
        let violation = |lane: usize, pose| frame.lane_measures(&RIG, lane, pose).unwrap().limit_violation.unwrap();
        assert!((violation(1, &limited) - excess(&limited)).abs() < 1e-6);
        let anatomical = joints().limit_violation(&joints().read(&free).unwrap()).1;
        assert!(violation(1, &free) > 0.1 && (violation(0, &free) - anatomical).abs() < 1e-6);
        let text = stack.to_preset().to_json();
        assert_eq!(Stack::of_preset(&Preset::from_json(&text).unwrap()).unwrap(), stack);
    }
}

#[test]
fn a_capsule_has_the_ranges_of_the_clips() {
    let stack = stack(LayerId::LeastSquares, true);
    let input = Input::new(stack.clone(), ModelPose::rigid(walk(0.3)));
    let capsule = Capsule {
        name: "limits from clips".into(),
        model: RIG.name.clone(),
        skeleton: (*RIG.skeleton).clone(),
        biped: Some(built_in().biped().clone()),
        legs: None,
        clip_ranges: RIG.clip_ranges().cloned(),
        reference: RIG.reference.to_vec(),
        preset: stack.to_preset(),
        frames: vec![CapsuleFrame::solve(&RIG, Tools::default(), 0.0, &input)],
        instant: Instant::default(),
    };
    let text = capsule.to_json();
    let read = Capsule::from_json(&text).unwrap();
    assert_eq!(read.clip_ranges, capsule.clip_ranges);
    assert_eq!(read.check(|_| None).unwrap().len(), 0);
    let without = Capsule { clip_ranges: None, ..read };
    assert_eq!(without.check(|_| None).unwrap().len(), 1, "the anatomical limits give another result");
    let bad = text.replacen("\"swing\": [", "\"swing\": [9.0, ", 1);
    assert_ne!(bad, text);
    assert!(Capsule::from_json(&bad).is_err());
    let at = text.find("\"swing\"").unwrap();
    let number = text[at..].find(|c: char| c.is_ascii_digit()).unwrap() + at;
    let bad = format!("{}9{}", &text[..number], &text[number..]);
    assert!(Capsule::from_json(&bad).unwrap_err().to_string().contains("rig.clip_ranges"), "{bad}");
}
