//! Blending of poses, and masks.

use glam::{Quat, Vec3};
use kinescope_ik::animation::{Mask, blend};
use kinescope_ik::rig::{Bone, LocalPose, LocalTransform, Skeleton};
use proptest::prelude::*;

use crate::common::property::property;

pub fn vector(size: f32) -> impl Strategy<Value = Vec3> {
    (-size..size, -size..size, -size..size).prop_map(Vec3::from)
}

/// Returns any rotation, with either sign of the quaternion.
pub fn rotation() -> impl Strategy<Value = Quat> {
    (vector(1.0), -6.2f32..6.2)
        .prop_map(|(axis, angle)| Quat::from_axis_angle(axis.try_normalize().unwrap_or(Vec3::Y), angle))
}

pub fn pose(bones: usize) -> impl Strategy<Value = LocalPose> {
    let bone = (vector(2.0), rotation(), vector(0.9).prop_map(|v| Vec3::ONE + v));
    let bone = bone.prop_map(|(translation, rotation, scale)| LocalTransform { translation, rotation, scale });
    prop::collection::vec(bone, bones).prop_map(|bones| LocalPose { bones })
}

pub fn bits(pose: &LocalPose) -> Vec<u32> {
    let numbers = pose.bones.iter().flat_map(|bone| {
        let (t, r, s) = (bone.translation, bone.rotation, bone.scale);
        [t.x, t.y, t.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z]
    });
    numbers.map(f32::to_bits).collect()
}

/// Returns a skeleton with the branches 0 – 1 – 2 – 3 and 0 – 4.
fn skeleton() -> Skeleton {
    let bone = |parent| Bone { name: String::new(), parent, rest: LocalTransform::IDENTITY };
    Skeleton::new([None, Some(0), Some(1), Some(2), Some(0)].map(bone).to_vec()).unwrap()
}

#[test]
fn a_mask_covers_a_bone_and_all_below_it() {
    let skeleton = skeleton();
    assert_eq!(Mask::under(&skeleton, 1).weights(), [0.0, 1.0, 1.0, 1.0, 0.0]);
    assert_eq!(Mask::under(&skeleton, 0), Mask::whole(5));
    assert_eq!(Mask::under(&skeleton, 9).weights(), [0.0; 5]);
    assert_eq!(Mask::feathered(&skeleton, 0, 3).weights(), [0.25, 0.5, 0.75, 1.0, 0.5]);
}

#[test]
fn a_mask_takes_any_number() {
    let mut mask = Mask::from_weights([-1.0, 0.25, 7.0, f32::NAN]);
    assert_eq!(mask.weights(), [0.0, 0.25, 1.0, 0.0]);
    assert!(mask.set(3, 0.5) && !mask.set(4, 0.5));
    assert_eq!((mask.weight(3), mask.weight(4)), (0.5, 0.0));
}

#[test]
fn rotations_take_the_short_way() {
    let turned = |angle: f32| LocalPose {
        bones: vec![LocalTransform { rotation: Quat::from_rotation_y(angle), ..LocalTransform::IDENTITY }],
    };
    let mut pose = turned(0.0);
    let mut far = turned(1.0);
    far.bones[0].rotation = -far.bones[0].rotation;
    blend(&mut pose, &far, 0.5, None);
    assert!(pose.bones[0].rotation.angle_between(Quat::from_rotation_y(0.5)) < 1e-3);
}

property! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_ends_are_bit_for_bit(a in pose(3), b in pose(3)) {
        let mut out = a.clone();
        blend(&mut out, &b, 0.0, None);
        prop_assert_eq!(bits(&out), bits(&a));
        blend(&mut out, &b, f32::NAN, None);
        prop_assert_eq!(bits(&out), bits(&a));
        blend(&mut out, &b, 1.0, Some(&Mask::whole(3)));
        prop_assert_eq!(bits(&out), bits(&b));
    }

    #[test]
    fn the_mask_multiplies_the_weight(a in pose(3), b in pose(3), weight in 0.0f32..=1.0, own in 0.0f32..=1.0) {
        let (mut out, mut plain) = (a.clone(), a.clone());
        blend(&mut out, &b, weight, Some(&Mask::from_weights([own, 0.0])));
        blend(&mut plain, &b, weight * own, None);
        prop_assert_eq!(out.bones[0], plain.bones[0]);
        prop_assert_eq!(&out.bones[1..], &a.bones[1..]);
    }

    #[test]
    fn a_blend_lies_between(a in pose(2), b in pose(2), weight in 0.0f32..=1.0) {
        let mut out = a.clone();
        blend(&mut out, &b, weight, None);
        for ((out, a), b) in out.bones.iter().zip(&a.bones).zip(&b.bones) {
            prop_assert!((out.rotation.length() - 1.0).abs() < 1e-5);
            let whole = a.rotation.angle_between(b.rotation);
            prop_assert!(out.rotation.angle_between(a.rotation) <= whole + 2e-3);
            prop_assert!(out.rotation.angle_between(b.rotation) <= whole + 2e-3);
            prop_assert!(out.translation.distance(a.translation.lerp(b.translation, weight)) < 1e-6);
        }
    }

    #[test]
    fn only_bones_both_have_are_blended(a in pose(4), b in pose(2)) {
        let (mut longer, mut shorter) = (a.clone(), b.clone());
        blend(&mut longer, &b, 1.0, None);
        prop_assert_eq!(&longer.bones[..2], &b.bones[..]);
        prop_assert_eq!(&longer.bones[2..], &a.bones[2..]);
        blend(&mut shorter, &a, 1.0, None);
        prop_assert_eq!(&shorter.bones[..], &a.bones[..2]);
    }
}
