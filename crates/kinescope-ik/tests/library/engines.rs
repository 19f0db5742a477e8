//! The library under an engine's conventions: other axes, local transforms, rays only, a biped given by hand, other
//! vector types.

use glam::{Quat, Vec3};
use kinescope_ik::full_body::InputError;
use kinescope_ik::full_body::check;
use kinescope_ik::ground::{Ground, Hit};
use kinescope_ik::grounding::Legs;
use kinescope_ik::rig::{Axes, LocalTransform};
use kinescope_ik::terrain::Terrain;
use kinescope_ik::{
    Biped, Bone, Effector, FullBody, Limb, LimbName, ModelPose, RigidTransform, Settings, Skeleton, Status,
};
use proptest::prelude::*;

use crate::common::built_in::built_in;
use crate::common::property::property;
use crate::common::strategies::{cases, settings};

fn solved(solver: &FullBody, settings: &Settings, animated: &[RigidTransform]) -> Vec<RigidTransform> {
    let mut pose = animated.to_vec();
    assert_eq!(solver.solve(&mut solver.workspace(), settings, &mut pose), Ok(Status::Solved));
    pose
}

fn reaching() -> Settings {
    let mut settings = Settings::default();
    let hand = settings.effector_mut(Effector::LeftHand);
    (hand.position, hand.position_weight) = (Some(Vec3::new(0.5, 1.3, 0.55)), 1.0);
    (hand.rotation, hand.rotation_weight) = (Some(Quat::from_rotation_x(0.7)), 0.6);
    settings.effector_mut(Effector::Body).position_offset = Vec3::new(0.02, -0.1, 0.03);
    settings.chain_mut(LimbName::LeftArm).bend_goal = Some(Vec3::new(0.6, 0.9, -0.4));
    settings.chain_mut(LimbName::LeftArm).bend_weight = 0.8;
    settings
}

#[test]
fn an_engine_of_other_axes_gets_the_same_pose() {
    let own = built_in();
    let animated = own.pose("walk", 0.3);
    let expected = solved(&own.solver, &reaching(), &animated);
    let all = [Axes::LEFT_HANDED_Y_UP, Axes::LEFT_HANDED_Z_UP, Axes::RIGHT_HANDED_Z_UP];
    for axes in all {
        // Converts to the engine's axes: the character is rotated or mirrored.
        let theirs = |pose: &[RigidTransform]| -> Vec<RigidTransform> {
            pose.iter().map(|bone| axes.transform_out(bone)).collect()
        };
        let (reference, pose, wanted) = (theirs(own.reference()), theirs(&animated), theirs(&expected));
        let up = axes.position_out(Vec3::Y);
        assert!(
            pose[own.biped().head.unwrap()].position.dot(up) > 1.4,
            "the character stands along the engine's up axis"
        );
        // Converts the engine's poses for the solver.
        let inwards = |pose: &[RigidTransform]| -> Vec<RigidTransform> {
            pose.iter().map(|bone| axes.transform_in(bone)).collect()
        };
        let solver = FullBody::new(&own.model.skeleton, own.biped(), &inwards(&reference)).unwrap();
        let target = axes.position_out(Vec3::new(0.5, 1.3, 0.55));
        let mut settings = reaching();
        settings.effector_mut(Effector::LeftHand).position = Some(axes.position_in(target));
        let came = theirs(&solved(&solver, &settings, &inwards(&pose)));
        for (came, wanted) in came.iter().zip(&wanted) {
            assert!(came.position.distance(wanted.position) < 1e-5, "{axes:?}");
            assert!(came.rotation.dot(wanted.rotation).abs() > 1.0 - 1e-6, "{axes:?}");
        }
    }
}

/// Without conversion, a mirrored character with a mirrored target is solved to the mirror image of every bone.
/// Left and right limbs swap roles.
#[test]
fn a_mirrored_character_solves_to_the_mirror_of_its_pose() {
    let own = built_in();
    let axes = Axes::LEFT_HANDED_Y_UP;
    let mirrored =
        |pose: &[RigidTransform]| -> Vec<RigidTransform> { pose.iter().map(|bone| axes.transform_in(bone)).collect() };
    let biped = own.biped();
    let [la, ra, ll, rl] = biped.limbs;
    let turned = Biped { limbs: [ra, la, rl, ll], ..biped.clone() };
    let solver = FullBody::new(&own.model.skeleton, &turned, &mirrored(own.reference())).unwrap();
    let animated = own.pose("walk", 0.3);
    let mut settings = Settings::default();
    let hand = settings.effector_mut(Effector::RightHand);
    (hand.position, hand.position_weight) = (Some(axes.position_in(Vec3::new(0.4, 1.3, 0.35))), 1.0);
    let came = solved(&solver, &settings, &mirrored(&animated));
    let mut settings = Settings::default();
    let hand = settings.effector_mut(Effector::LeftHand);
    (hand.position, hand.position_weight) = (Some(Vec3::new(0.4, 1.3, 0.35)), 1.0);
    let expected = mirrored(&solved(&own.solver, &settings, &animated));
    assert_eq!(came.len(), expected.len());
    for (index, (came, expected)) in came.iter().zip(&expected).enumerate() {
        let name = &own.model.skeleton.bones()[index].name;
        let turned = came.rotation.angle_between(expected.rotation);
        assert!(came.position.distance(expected.position) < 1e-3 && turned < 1e-2, "{name}: {came:?}, {expected:?}");
    }
}

property! {
    #![proptest_config(cases(64))]

    #[test]
    fn the_locals_of_written_bones_are_all_that_an_engine_has_to_set(settings in settings(), time in 0.0f32..1.0) {
        let own = built_in();
        let skeleton = &own.model.skeleton;
        let animated = own.pose("walk", time);
        let mut pose = animated.clone();
        if own.solver.solve(&mut own.solver.workspace(), &settings, &mut pose).is_err() {
            return Ok(());
        }
        // The engine's own bones as local transforms, as the animation left them.
        let mut locals = ModelPose::rigid(animated).to_local(skeleton, &skeleton.rest_pose());
        for (bone, local) in own.solver.locals(&pose) {
            let scale = locals.bones[bone].scale;
            locals.bones[bone] = LocalTransform { translation: local.position, rotation: local.rotation, scale };
        }
        let back = ModelPose::from_local(skeleton, &locals).bones;
        for (index, (back, pose)) in back.iter().zip(&pose).enumerate() {
            let apart = back.position.distance(pose.position);
            prop_assert!(apart < 2e-4 * (1.0 + pose.position.length()), "bone {}: {}", index, apart);
        }
    }

    #[test]
    fn shapes_cast_by_rays_are_exact_on_even_ground(
        slope in -0.6f32..0.6,
        turn in 0.0f32..std::f32::consts::TAU,
        radius in 0.01f32..0.4,
        height in 0.5f32..2.0,
    ) {
        let normal = Vec3::new(slope * turn.cos(), 1.0, slope * turn.sin()).normalize();
        let ground = Plane { normal };
        let from = Vec3::Y * height;
        // A sphere stops one radius above the plane along its normal, which is radius / normal.y straight down.
        let expected = height - radius / normal.y;
        let hit = ground.sphere(from, radius, Vec3::NEG_Y, 10.0);
        if expected > 0.0 {
            let hit = hit.unwrap();
            prop_assert!((hit.distance - expected).abs() < 1e-3, "{} {}", hit.distance, expected);
            prop_assert!(hit.point.dot(normal).abs() < 1e-3);
            prop_assert!(ground.sphere(from, radius, Vec3::NEG_Y, expected - 0.01).is_none() || expected < 0.01);
        } else {
            prop_assert_eq!(hit.map(|hit| hit.distance), Some(0.0));
        }
        let (a, b) = (from, from + Vec3::new(0.3, 0.0, 0.2));
        let lower = [a, b].map(|end| end.dot(normal)).into_iter().fold(f32::INFINITY, f32::min);
        let expected = ((lower - radius) / normal.y).max(0.0);
        let hit = ground.capsule(a, b, radius, Vec3::NEG_Y, 10.0).unwrap();
        prop_assert!((hit.distance - expected).abs() < 1e-3, "{} {}", hit.distance, expected);
    }

    /// Rays used to end before the slope, so that casts missed contacts near the end of their distance.
    #[test]
    fn spheres_cast_by_rays_meet_steep_slopes_up_to_the_end_of_the_distance(
        degrees in 45.0f32..87.5,
        turn in 0.0f32..std::f32::consts::TAU,
        radius in 0.01f32..0.4,
        way in 0.05f32..2.0,
    ) {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        let normal = Vec3::new(sine * turn.cos(), cosine, sine * turn.sin());
        let ground = Plane { normal };
        let from = Vec3::Y * (way + radius / cosine);
        let hit = ground.sphere(from, radius, Vec3::NEG_Y, way + 1e-3);
        prop_assert!(hit.is_some_and(|hit| (hit.distance - way).abs() < 1e-3), "{:?} {}", hit, way);
        prop_assert!(hit.is_some_and(|hit| hit.point.dot(normal).abs() < 1e-3));
        prop_assert_eq!(ground.sphere(from, radius, Vec3::NEG_Y, way - 1e-3), None);
    }
}

/// A plane through the origin, for an engine that only casts rays.
struct Plane {
    normal: Vec3,
}

impl Ground for Plane {
    fn ray(&self, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        let (above, toward) = (from.dot(self.normal), -direction.dot(self.normal));
        if above <= 0.0 {
            return Some(Hit { point: from, normal: self.normal, distance: 0.0 });
        }
        let far = above / toward;
        (toward > 0.0 && far <= distance).then(|| Hit {
            point: from + direction * far,
            normal: self.normal,
            distance: far,
        })
    }
}

/// Casts rays at another ground; all other casts are the defaults of [`Ground`].
struct Rays<'a>(&'a dyn Ground);

impl Ground for Rays<'_> {
    fn ray(&self, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        self.0.ray(from, direction, distance)
    }
}

#[test]
fn at_edges_rays_approximate_casts() {
    let surface = Terrain::two_heights(0.2).at(0.0).unwrap();
    let rays = Rays(&surface);
    let mut worst = 0.0f32;
    for step in 0..200 {
        let from = Vec3::new(-0.5 + step as f32 * 0.005, 1.0, 2.0);
        let [exact, felt] = [surface.sphere(from, 0.1, Vec3::NEG_Y, 3.0), rays.sphere(from, 0.1, Vec3::NEG_Y, 3.0)];
        worst = worst.max((exact.unwrap().distance - felt.unwrap().distance).abs());
    }
    assert!(worst < 0.04, "{worst}");
}

#[test]
fn invalid_casts_hit_nothing() {
    let ground = Plane { normal: Vec3::Y };
    for (from, radius, direction, distance) in [
        (Vec3::NAN, 0.1, Vec3::NEG_Y, 1.0),
        (Vec3::Y, f32::NAN, Vec3::NEG_Y, 1.0),
        (Vec3::Y, 0.1, Vec3::splat(f32::INFINITY), 1.0),
        (Vec3::Y, 0.1, Vec3::NEG_Y, f32::NAN),
    ] {
        assert_eq!(ground.sphere(from, radius, direction, distance), None);
        assert_eq!(ground.capsule(from, from, radius, direction, distance), None);
    }
}

/// Bones by name, parent and position, as an engine has them.
const BONES: [(&str, Option<usize>, [f32; 3]); 15] = [
    ("pelvis", None, [0.0, 1.0, 0.0]),
    ("spine", Some(0), [0.0, 1.15, 0.0]),
    ("chest", Some(1), [0.0, 1.35, -0.01]),
    ("left upper arm", Some(2), [0.18, 1.46, 0.0]),
    ("left forearm", Some(3), [0.44, 1.42, -0.03]),
    ("left hand", Some(4), [0.68, 1.41, 0.04]),
    ("right upper arm", Some(2), [-0.18, 1.46, 0.0]),
    ("right forearm", Some(6), [-0.44, 1.42, -0.03]),
    ("right hand", Some(7), [-0.68, 1.41, 0.04]),
    ("left thigh", Some(0), [0.1, 0.95, 0.0]),
    ("left calf", Some(9), [0.11, 0.52, 0.05]),
    ("left foot", Some(10), [0.11, 0.09, -0.02]),
    ("right thigh", Some(0), [-0.1, 0.95, 0.0]),
    ("right calf", Some(12), [-0.11, 0.52, 0.05]),
    ("right foot", Some(13), [-0.11, 0.09, -0.02]),
];

fn by_hand() -> (Skeleton, Vec<RigidTransform>, [Limb; 4]) {
    let bone = |&(name, parent, _): &(&str, Option<usize>, [f32; 3])| Bone {
        name: name.into(),
        parent,
        rest: LocalTransform::IDENTITY,
    };
    let skeleton = Skeleton::new(BONES.iter().map(bone).collect()).unwrap();
    let reference = BONES.map(|(_, _, at)| RigidTransform { position: at.into(), ..RigidTransform::IDENTITY });
    let limb = |first| Limb { clavicle: None, bones: [first, first + 1, first + 2] };
    (skeleton, reference.into(), [limb(3), limb(6), limb(9), limb(12)])
}

#[test]
fn a_biped_by_hand_needs_no_model() {
    let (skeleton, reference, limbs) = by_hand();
    let biped = Biped::new(0, vec![1, 2], None, limbs, &reference).unwrap();
    assert_eq!(biped.root_node, 1, "the last below the middle between thighs and upper arms");
    assert_eq!(check(&skeleton, &biped, &reference), Ok(Vec::new()));
    let solver = FullBody::new(&skeleton, &biped, &reference).unwrap();
    let legs = Legs::of_bones(&skeleton, &biped, &reference, solver.facing()).unwrap();
    assert!((legs.reach[0] - 0.87).abs() < 0.02 && legs.feet == [11, 14]);
    assert_eq!(solver.written_bones().len(), 15);
}

#[test]
fn faults_of_a_hand_made_biped_are_reported() {
    let (skeleton, mut reference, limbs) = by_hand();
    let biped = |limbs| Biped::new(0, vec![1, 2], None, limbs, &by_hand().1);
    let good = biped(limbs).unwrap();
    assert_eq!(Biped::new(0, Vec::new(), None, limbs, &reference), None);
    let mut far = limbs;
    far[2].bones[2] = 99;
    let problem =
        |biped: &Biped, reference: &[RigidTransform]| check(&skeleton, biped, reference).unwrap_err().to_string();
    let text = problem(&Biped { limbs: far, ..good.clone() }, &reference);
    assert!(text.contains("left_foot") || text.contains("left_leg"), "{text}");
    let mut twice = limbs;
    twice[1] = limbs[0];
    let text = problem(&Biped { limbs: twice, ..good.clone() }, &reference);
    assert!(text.contains("map it once"), "{text}");
    let text = problem(&good, &reference[..10]);
    assert!(text.starts_with("reference: "), "{text}");
    // A leg bone of zero length cannot be solved; a straight leg is only reported.
    let before = reference[10];
    reference[10].position = reference[9].position;
    assert!(problem(&good, &reference).contains("biped.left_leg: has a bone of almost no length"));
    reference[10] = RigidTransform { position: (reference[9].position + reference[11].position) * 0.5, ..before };
    let oddities = check(&skeleton, &good, &reference).unwrap();
    assert!(oddities[0].contains("left leg is straight in the reference pose"), "{oddities:?}");
}

#[test]
fn a_foreign_workspace_is_a_status_and_nothing_is_cleared() {
    let own = built_in();
    let (skeleton, reference, limbs) = by_hand();
    let other = FullBody::new(&skeleton, &Biped::new(0, vec![1, 2], None, limbs, &reference).unwrap(), &reference);
    let (settings, mut pose) = (reaching(), own.pose("walk", 0.1));
    let before = pose.clone();
    let done = own.solver.solve(&mut other.unwrap().workspace(), &settings, &mut pose);
    assert_eq!(done, Err(InputError::ForeignWorkspace));
    assert_eq!(pose, before);
    // A solve only reads the settings; clearing offsets is a separate call.
    let mut settings = settings;
    own.solver.solve(&mut own.solver.workspace(), &settings, &mut pose).unwrap();
    assert_eq!(settings, reaching());
    settings.clear_offsets();
    assert_eq!(settings.effector(Effector::Body).position_offset, Vec3::ZERO);
}

#[test]
fn transforms_have_the_documented_memory_layout() {
    assert_eq!(size_of::<RigidTransform>(), 32);
    assert_eq!(std::mem::offset_of!(RigidTransform, position), 0);
    assert_eq!(std::mem::offset_of!(RigidTransform, rotation), 16);
}

#[test]
fn vectors_of_other_libraries_convert_both_ways() {
    let theirs = mint::Vector3 { x: 1.0f32, y: 2.0, z: 3.0 };
    let own: kinescope_ik::glam::Vec3 = theirs.into();
    assert_eq!(own, Vec3::new(1.0, 2.0, 3.0));
    let back: mint::Point3<f32> = own.into();
    assert_eq!(back, mint::Point3 { x: 1.0, y: 2.0, z: 3.0 });
    let turn: mint::Quaternion<f32> = Quat::from_rotation_y(0.5).into();
    assert_eq!(Quat::from(turn), Quat::from_rotation_y(0.5));
}
