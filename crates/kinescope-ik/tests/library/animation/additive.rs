//! Additive poses: differences of two poses, and of a clip and its base, laid on another pose.

use glam::{Quat, Vec3};
use kinescope_ik::animation::{Additive, Base, Clip, Formula, Interpolation, Mask, Track, TrackValues};
use kinescope_ik::rig::{LocalPose, LocalTransform};
use proptest::prelude::*;

use super::blend::{bits, pose};

use crate::common::property::property;

fn close(a: &LocalPose, b: &LocalPose) -> bool {
    a.bones.iter().zip(&b.bones).all(|(a, b)| {
        a.translation.distance(b.translation) < 1e-4
            && a.rotation.dot(b.rotation).abs() > 1.0 - 1e-5
            && a.scale.distance(b.scale) < 1e-4
    })
}

fn one(scale: f32) -> LocalPose {
    LocalPose { bones: vec![LocalTransform { scale: Vec3::splat(scale), ..LocalTransform::IDENTITY }] }
}

#[test]
fn scales_multiply() {
    let halves = Additive::between(&one(1.0), &one(0.5));
    let mut pose = one(0.4);
    halves.apply(&mut pose, 1.0, None);
    assert_eq!(pose, one(0.2));
}

#[test]
fn a_base_without_scale_changes_no_scale() {
    for from_nothing in [Additive::between(&one(0.0), &one(2.0)), Additive::between(&one(0.0), &one(0.0))] {
        let mut pose = one(3.0);
        from_nothing.apply(&mut pose, 1.0, None);
        assert_eq!(pose, one(3.0));
    }
    let to_nothing = Additive::between(&one(2.0), &one(0.0));
    for (weight, scale) in [(0.0, 3.0), (0.5, 1.5), (1.0, 0.0)] {
        let mut pose = one(3.0);
        to_nothing.apply(&mut pose, weight, None);
        assert_eq!(pose, one(scale));
    }
}

#[test]
fn a_lean_by_a_stick() {
    let turns = [0.0, 1.0].map(Quat::from_rotation_z).to_vec();
    let lean = Clip {
        name: "lean".into(),
        duration: 1.0,
        tracks: vec![Track {
            bone: 0,
            interpolation: Interpolation::Linear,
            times: vec![0.0, 1.0],
            values: TrackValues::Rotation(turns),
        }],
        ..Clip::default()
    };
    let rest = one(1.0);
    let mut pose = rest.clone();
    pose.bones[0].rotation = Quat::from_rotation_z(0.3);
    Additive::from_clip(&lean, 1.0, Base::Time(0.0), &rest).apply(&mut pose, 2.0, None);
    assert!(pose.bones[0].rotation.angle_between(Quat::from_rotation_z(2.3)) < 1e-3);
    Additive::from_clip(&lean, 1.0, Base::Time(1.0), &rest).apply(&mut pose, 1.0, None);
    assert!(pose.bones[0].rotation.angle_between(Quat::from_rotation_z(2.3)) < 1e-3);
    // The rest pose is rotated already, so only the remainder is added.
    let mut turned = rest.clone();
    turned.bones[0].rotation = Quat::from_rotation_z(0.4);
    let mut pose = turned.clone();
    Additive::from_clip(&lean, 1.0, Base::Rest, &turned).apply(&mut pose, 1.0, None);
    assert!(pose.bones[0].rotation.angle_between(Quat::from_rotation_z(1.0)) < 1e-3);
}

/// By default, additive rotations equal the source's formula multiplied left to right, as in the source's library.
#[test]
fn turns_are_the_parents() {
    let [base, current, input] =
        [(0.3, Vec3::X), (1.1, Vec3::Z), (0.9, Vec3::Y)].map(|(angle, axis)| Quat::from_axis_angle(axis, angle));
    let posed = |rotation| LocalPose { bones: vec![LocalTransform { rotation, ..LocalTransform::IDENTITY }] };
    let mut pose = posed(input);
    Additive::between(&posed(base), &posed(current)).apply(&mut pose, 1.0, None);
    let left_to_right = |a: Quat, b: Quat| b * a;
    let source = left_to_right(input, left_to_right(base.conjugate(), current));
    assert!(pose.bones[0].rotation.angle_between(source) < 1e-3);
    let read = input * (base.conjugate() * current);
    assert!(pose.bones[0].rotation.angle_between(read) > 0.1);
    // Multiplied right to left, the source's formula rotates in the bone's own space.
    let formula = Formula { right_to_left: true, ..Formula::default() };
    let mut pose = posed(input);
    Additive::between_by(formula, &posed(base), &posed(current)).apply(&mut pose, 1.0, None);
    assert!(pose.bones[0].rotation.angle_between(read) < 1e-3);
}

#[test]
fn subtracted_scales_vanish_and_turn_inside_out() {
    let formula = Formula { subtract_scale: true, ..Formula::default() };
    let halves = Additive::between_by(formula, &one(1.0), &one(0.5));
    for (scale, becomes) in [(1.0, 0.5), (0.5, 0.0), (0.4, -0.1)] {
        let mut pose = one(scale);
        halves.apply(&mut pose, 1.0, None);
        assert!((pose.bones[0].scale.x - becomes).abs() < 1e-6);
    }
}

#[test]
fn a_broken_pose_does_not_spread() {
    let mut broken = one(f32::NAN);
    broken.bones[0].rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let mut pose = one(1.0);
    Additive::between(&broken, &one(1.0)).apply(&mut pose, 1.0, None);
    assert_eq!(pose, one(1.0));
}

property! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn on_its_base_it_gives_the_pose(base in pose(3), target in pose(3)) {
        let difference = Additive::between(&base, &target);
        let mut out = base.clone();
        difference.apply(&mut out, 1.0, None);
        prop_assert!(close(&out, &target), "{out:?} {target:?}");
        prop_assert!(out.bones.iter().all(|bone| (bone.rotation.length() - 1.0).abs() < 1e-6));
    }

    #[test]
    fn weight_0_is_bit_for_bit(base in pose(2), target in pose(2), on in pose(3)) {
        let difference = Additive::between(&base, &target);
        for weight in [0.0, -0.0, f32::NAN, f32::INFINITY] {
            let mut out = on.clone();
            difference.apply(&mut out, weight, None);
            prop_assert_eq!(bits(&out), bits(&on));
        }
        let mut out = on.clone();
        difference.apply(&mut out, 1.0, Some(&Mask::from_weights([0.0])));
        prop_assert_eq!(bits(&out), bits(&on));
    }

    #[test]
    fn weights_add_up(base in pose(2), target in pose(2), on in pose(2), first in -2.0f32..2.0, second in -2.0f32..2.0) {
        let difference = Additive::between(&base, &target);
        let (mut twice, mut once) = (on.clone(), on.clone());
        difference.apply(&mut twice, first, None);
        difference.apply(&mut twice, second, None);
        difference.apply(&mut once, first + second, None);
        for (a, b) in twice.bones.iter().zip(&once.bones) {
            prop_assert!(a.translation.distance(b.translation) < 1e-4);
            prop_assert!(a.rotation.dot(b.rotation).abs() > 1.0 - 1e-5);
            prop_assert!(a.scale.distance(b.scale) < 1e-3 * (1.0 + b.scale.length()));
        }
    }
}
