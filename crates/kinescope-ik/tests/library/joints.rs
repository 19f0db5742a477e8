use glam::{Quat, Vec3};
use kinescope_ik::Settings;
use kinescope_ik::full_body::Effector;
use kinescope_ik::joints::{Goals, JointIndex, JointLimit, JointLimits, JointPose, Joints, MAX_JOINTS, Part};
use kinescope_ik::rig::{LimbName, RigidTransform};
use proptest::prelude::*;

use crate::common::property::property;
use crate::common::synthetic::Character;

fn joints() -> (Character, Joints) {
    let character = Character::new();
    let joints = Joints::new(&character.skeleton, &character.biped, &character.reference).unwrap();
    (character, joints)
}

fn turn() -> impl Strategy<Value = Quat> {
    (-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0).prop_map(|(x, y, z)| Quat::from_scaled_axis(Vec3::new(x, y, z) * 2.0))
}

fn turns() -> impl Strategy<Value = Vec<Quat>> {
    proptest::collection::vec(turn(), Character::BONES)
}

fn distance(a: &[RigidTransform], b: &[RigidTransform]) -> f32 {
    let each = a.iter().zip(b).map(|(a, b)| {
        let turned = 1.0 - a.rotation.dot(b.rotation).abs();
        a.position.distance(b.position).max(turned)
    });
    each.fold(0.0, f32::max)
}

/// Returns the pose with a joint turned by `turn`, which is in the space of its parent joint.
fn bent(pose: &JointPose, joint: JointIndex, turn: Quat) -> JointPose {
    let mut pose = *pose;
    pose.rotations[joint] = (turn * pose.rotations[joint]).normalize();
    pose
}

/// Returns the angle between two rotations. Unlike an arc cosine, it is exact for small angles.
fn angle(a: Quat, b: Quat) -> f32 {
    let turn = a * b.conjugate();
    2.0 * turn.xyz().length().atan2(turn.w.abs())
}

#[test]
fn writing_unusable_joints_leaves_the_pose_unchanged() {
    let (character, joints) = joints();
    let good = joints.read(&character.reference).unwrap();
    let spoil: [fn(&mut JointPose); 4] = [
        |pose| pose.rotations[3] = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0),
        |pose| pose.rotations[3] = Quat::from_xyzw(0.0, 0.0, 0.0, 1e30),
        |pose| pose.root = Vec3::new(0.0, 2e12, 0.0),
        |pose| pose.offsets[5] = Vec3::splat(f32::MAX),
    ];
    for spoil in spoil {
        let mut pose = good;
        spoil(&mut pose);
        let mut written = character.reference.clone();
        joints.write(&pose, &mut written);
        assert_eq!(written, character.reference);
    }
}

property! {
    #[test]
    fn written_poses_are_the_poses_read(turns in turns()) {
        let (character, joints) = joints();
        let pose = character.turned(&character.reference, &turns);
        let read = joints.read(&pose).unwrap();
        let mut written = pose.clone();
        joints.write(&read, &mut written);
        prop_assert!(distance(&pose, &written) < 1e-5);
        // Writing to another pose of the character puts the joints at the same positions.
        let mut onto = character.reference.clone();
        joints.write(&read, &mut onto);
        for joint in joints.all() {
            prop_assert!(onto[joint.bone].position.distance(pose[joint.bone].position) < 1e-5);
        }
        prop_assert!(joints.length_error(&pose, &onto) < 1e-4);
    }

    #[test]
    fn clamped_rotations_are_within_the_limit(rotation in turn(), swing in (0.05f32..3.0, 0.05f32..3.0), twist in (0.0f32..3.0, 0.0f32..3.0), centre in turn()) {
        let limit = JointLimit::new(centre, Vec3::new(0.6, 0.0, 0.8), Vec3::Y, [swing.0, swing.1], [-twist.0, twist.1]);
        let mut limits = JointLimits::default();
        limits.of[1] = Some(limit);
        let clamped = limits.clamp(1, rotation);
        prop_assert!((clamped.length() - 1.0).abs() < 1e-5);
        prop_assert!(limits.violation(1, clamped) < 3e-3, "{} {:?}", limits.violation(1, clamped), limit);
        let excess = limits.violation(1, rotation);
        // Excesses up to 1e-4 count as none.
        prop_assert!((angle(clamped, rotation) - excess).abs() < 2e-4);
        prop_assert_eq!(limits.violation(0, rotation), 0.0);
    }

    #[test]
    fn hostile_numbers_do_not_panic(numbers in proptest::collection::vec(prop_oneof![any::<f32>(), Just(f32::NAN)], 16)) {
        let (character, joints) = joints();
        let v = |at: usize| Vec3::new(numbers[at], numbers[at + 1], numbers[at + 2]);
        let q = |at: usize| Quat::from_xyzw(numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3]);
        let limit = JointLimit::new(q(0), v(4), v(7), [numbers[10], numbers[11]], [numbers[12], numbers[13]]);
        let _ = (limit.clamp(q(3)), limit.excess(q(9)));
        let mut pose = joints.read(&character.reference).unwrap();
        (pose.root, pose.rotations[3], pose.offsets[5]) = (v(0), q(3), v(7));
        let placement = joints.place(&pose);
        let _ = (joints.support(&placement).margin(v(2)), joints.overlap(&placement), joints.limit_violation(&pose));
        let mut written = character.reference.clone();
        joints.write(&pose, &mut written);
        prop_assert!(written.iter().all(RigidTransform::is_finite));
        let mut settings = Settings::default();
        settings.effector_mut(Effector::LeftHand).position = Some(v(0));
        settings.effector_mut(Effector::LeftHand).position_weight = numbers[3];
        settings.effector_mut(Effector::Body).position_offset = v(4);
        let goals = Goals::resolve(&joints, &settings, &joints.placement_of(&character.reference).unwrap());
        prop_assert!(goals.effectors.iter().all(|goal| goal.aim().is_finite() && goal.aim_rotation().is_finite()));
    }
}

#[test]
fn joints_are_the_bones_of_the_biped() {
    let (character, joints) = joints();
    assert_eq!(joints.len(), 19);
    assert_eq!(joints.all()[0].part, Part::Pelvis);
    for (index, joint) in joints.all().iter().enumerate().skip(1) {
        assert!(joint.parent.unwrap() < index);
        assert!(joints.is_under(index, 0) && joints.is_under(index, index) && !joints.is_under(0, index));
    }
    let [upper, fore, hand] = joints.limb(LimbName::LeftArm);
    assert_eq!([upper, fore, hand].map(|joint| joints.all()[joint].bone), [6, 7, 8]);
    assert_eq!(joints.label(fore), "left forearm");
    assert_eq!(joints.label(joints.effector(Effector::Body)), "spine 1");
    assert_eq!(joints.carrier(9), Some(hand), "a finger rides on the hand");
    assert!((joints.all().iter().map(|joint| joint.mass).sum::<f32>() - 1.0).abs() < 1e-5);
    assert!(joints.facing().distance(Vec3::Z) < 0.1 && joints.up().distance(Vec3::Y) < 0.1);
    let mut biped = character.biped.clone();
    biped.head = None;
    let headless = Joints::new(&character.skeleton, &biped, &character.reference).unwrap();
    assert!((headless.all().iter().map(|joint| joint.mass).sum::<f32>() - 1.0).abs() < 1e-5);
    biped.spine.clear();
    assert!(Joints::new(&character.skeleton, &biped, &character.reference).unwrap_err().to_string().contains("spine"));
    biped.spine = vec![1, 2, 3, 8];
    let twice = Joints::new(&character.skeleton, &biped, &character.reference).unwrap_err().to_string();
    assert!(twice.contains("two roles"), "{twice}");
    assert!(joints.read(&character.reference[..4]).is_err());
    assert!(joints.limits.of[joints.len()..MAX_JOINTS].iter().all(Option::is_none));
}

/// Returns by how many radians a joint exceeds its limit if it is turned by each of `degrees` about an axis in model
/// space.
fn violations(joints: &Joints, pose: &JointPose, joint: JointIndex, axis: Vec3, degrees: [f32; 2]) -> [f32; 2] {
    let above = joints.place(pose).rotations[joints.all()[joint].parent.unwrap()];
    degrees.map(|angle| {
        let turn = Quat::from_axis_angle(above.conjugate() * axis, angle.to_radians());
        joints.limits.violation(joint, bent(pose, joint, turn).rotations[joint])
    })
}

#[test]
fn limits_are_those_of_a_body() {
    let (character, joints) = joints();
    let pose = joints.read(&character.reference).unwrap();
    let (joint, angle) = joints.limit_violation(&pose);
    assert!(angle == 0.0, "{} exceeds its limit by {angle} in the reference pose", joints.label(joint));
    let left = Vec3::X;
    for limb in LimbName::ALL {
        let [first, middle, _] = joints.limb(limb);
        let placed = joints.place(&pose).positions;
        let axis = (placed[middle] - placed[first]).cross(placed[middle + 1] - placed[middle]).normalize();
        // In the reference pose, elbows and knees bend by 15° to 27°.
        let [flexed, over, back] =
            [100.0, 170.0, -60.0].map(|angle| violations(&joints, &pose, middle, axis, [angle, 0.0])[0].to_degrees());
        assert!(flexed == 0.0 && over > 10.0 && back > 10.0, "{limb:?}: {flexed} {over} {back}");
    }
    // A thigh swings forward by 110° and back by 20°, but not by 140° and by 60°.
    let [thigh, ..] = joints.limb(LimbName::LeftLeg);
    assert_eq!(violations(&joints, &pose, thigh, left, [-110.0, 20.0]), [0.0; 2]);
    assert!(violations(&joints, &pose, thigh, left, [-140.0, 60.0]).iter().all(|&angle| angle > 0.1));
    // The head nods by 40°, not by 70°.
    let head = joints.all().iter().position(|joint| joint.part == Part::Head).unwrap();
    assert_eq!(violations(&joints, &pose, head, left, [40.0, -40.0]), [0.0; 2]);
    assert!(violations(&joints, &pose, head, left, [70.0, -70.0]).iter().all(|&angle| angle > 0.3));
}

#[test]
fn limits_from_poses_contain_the_poses() {
    let (character, joints) = joints();
    let pose = joints.read(&character.reference).unwrap();
    let poses: Vec<JointPose> = (0..40)
        .map(|step| {
            let angle = step as f32 * 0.21;
            (1..joints.len()).fold(pose, |pose, joint| {
                let swing = Vec3::new(angle.sin() * 0.6, 0.1, angle.cos() * 0.3 * joint as f32 / 19.0);
                bent(&pose, joint, Quat::from_scaled_axis(swing))
            })
        })
        .collect();
    let limits = JointLimits::from_poses(&joints, &poses, 0.02);
    for joint in 1..joints.len() {
        let worst = poses.iter().map(|pose| limits.violation(joint, pose.rotations[joint])).fold(0.0, f32::max);
        assert_eq!(worst, 0.0, "{}", joints.label(joint));
        let far = bent(&poses[0], joint, Quat::from_scaled_axis(Vec3::new(1.5, 1.5, 0.0)));
        assert!(limits.violation(joint, far.rotations[joint]) > 0.3, "{}", joints.label(joint));
    }
    assert_eq!(JointLimits::from_poses(&joints, &[], 0.1), joints.limits);
}

#[test]
fn measures_are_those_of_the_reference_pose() {
    let (character, joints) = joints();
    let pose = joints.read(&character.reference).unwrap();
    let placement = joints.place(&pose);
    let centre = joints.centre_of_mass(&placement);
    assert!(centre.x.abs() < 0.02 && (0.75..1.15).contains(&centre.y), "{centre}");
    let support = joints.support(&placement);
    assert!((4..=8).contains(&support.corners().len()));
    assert!(support.margin(Vec3::new(0.0, 0.0, 0.03)) > 0.0 && support.margin(Vec3::new(0.5, 0.0, 0.0)) < -0.2);
    assert!(support.corners().iter().all(|corner| corner.y.abs() < 0.03));
    // With one foot lifted, the other one alone supports.
    let [thigh, ..] = joints.limb(LimbName::LeftLeg);
    let above = placement.rotations[0].conjugate();
    let lifted = bent(&pose, thigh, Quat::from_axis_angle(above * Vec3::X, -1.2));
    assert!(joints.support(&joints.place(&lifted)).margin(Vec3::new(0.11, 0.0, 0.03)) < 0.0);
    // Hands apart do not overlap; hands at the same place do.
    assert_eq!(joints.overlap(&placement), 0.0);
    let mut folded = placement;
    let hands = [LimbName::LeftArm, LimbName::RightArm].map(|arm| joints.limb(arm)[2]);
    folded.positions[hands[0]] = folded.positions[hands[1]];
    assert!(joints.overlap(&folded) > 0.01);
    assert!(joints.gap(hands, &placement).distance > 1.0);
}

#[test]
fn goals_are_those_of_the_settings() {
    let (character, joints) = joints();
    let placed = joints.placement_of(&character.reference).unwrap();
    let mut settings = Settings::default();
    assert!(Goals::resolve(&joints, &settings, &placed).is_empty());
    settings.solver.weight = 0.5;
    let hand = settings.effector_mut(Effector::LeftHand);
    (hand.position, hand.position_weight) = (Some(Vec3::ONE), 0.5);
    settings.effector_mut(Effector::Body).position_offset = Vec3::Y;
    settings.chain_mut(LimbName::LeftArm).bend_goal = Some(Vec3::Z);
    settings.chain_mut(LimbName::LeftArm).bend_weight = 1.0;
    settings.chain_mut(LimbName::LeftArm).pull = 0.25;
    let goals = Goals::resolve(&joints, &settings, &placed);
    let goal = goals.of(Effector::LeftHand);
    assert_eq!((goal.weight, goal.pull), (0.25, 0.25));
    assert!(goal.aim().distance(character.reference[8].position.lerp(Vec3::ONE, 0.25)) < 1e-6);
    let body = goals.of(Effector::Body);
    assert!(body.counts() && body.aim().distance(character.reference[1].position + Vec3::Y * 0.5) < 1e-6);
    assert!(!goals.of(Effector::RightFoot).counts());
    assert_eq!(goals.bends[0].direction(Vec3::ZERO), Some(Vec3::Z));
    assert_eq!(goals.bends[1].direction(Vec3::ZERO), None);
}
