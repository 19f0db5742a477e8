//! The full-body solver's promises, on a character built from numbers.

use std::sync::OnceLock;

use glam::{Quat, Vec3};
use kinescope_ik::full_body::{Chain, Effector, FullBody, InputError, Node, Program, Settings, Stage, Status, Step};
use kinescope_ik::rig::{Bone, LimbName, LocalTransform, RigidTransform, Skeleton};
use kinescope_ik::stack::parameters::{ParameterId, Tunable};
use proptest::prelude::*;

use crate::common::property::property;
use crate::common::stages::run_stage;
use crate::common::strategies::{direction, fraction, settings, turn, vector};
use crate::common::synthetic::Character;

type Pose = Vec<RigidTransform>;

fn character() -> &'static (Character, FullBody) {
    static CHARACTER: OnceLock<(Character, FullBody)> = OnceLock::new();
    CHARACTER.get_or_init(|| {
        let character = Character::new();
        let solver = FullBody::new(&character.skeleton, &character.biped, &character.reference).unwrap();
        (character, solver)
    })
}

fn solved(settings: &Settings, pose: &Pose) -> Pose {
    let solver = &character().1;
    let (settings, mut pose) = (*settings, pose.clone());
    solver.solve(&mut solver.workspace(), &settings, &mut pose).unwrap();
    pose
}

fn stepped(settings: &Settings, pose: &Pose) -> (Vec<Step>, Pose) {
    let solver = &character().1;
    let (mut workspace, mut pose) = (solver.workspace(), pose.clone());
    if settings.solver.weight <= 0.0 {
        return (Vec::new(), pose);
    }
    let (frame, mut state) = solver.read(&mut workspace, settings, &pose).unwrap();
    let steps: Vec<Step> = Program::new(&frame).collect();
    for step in &steps {
        let _ = run_stage(&frame, &mut state, step.stage);
    }
    solver.write(&mut workspace, &frame, &state, &mut pose).unwrap();
    (steps, pose)
}

fn bits(pose: &Pose) -> Vec<[u32; 7]> {
    let bits = |bone: &RigidTransform| {
        let (p, r) = (bone.position, bone.rotation);
        [p.x, p.y, p.z, r.x, r.y, r.z, r.w].map(f32::to_bits)
    };
    pose.iter().map(bits).collect()
}

fn angle_between(a: Quat, b: Quat) -> f32 {
    2.0 * (a.conjugate() * b).xyz().length().min(1.0).asin()
}

fn is_finite(pose: &Pose) -> bool {
    pose.iter().all(RigidTransform::is_finite)
}

fn pose() -> impl Strategy<Value = Pose> {
    prop::collection::vec(turn(0.3), Character::BONES).prop_map(|turns| {
        let character = &character().0;
        character.turned(&character.reference, &turns)
    })
}

/// Returns an ordinary problem: no offsets, targets near their bones.
fn moderate() -> impl Strategy<Value = (Settings, Pose)> {
    let effectors =
        prop::collection::vec((vector(0.1), turn(0.4), fraction(), fraction(), fraction()), Effector::COUNT);
    let chains = prop::collection::vec((0.0f32..=1.0, 0.0f32..=1.0, 0.0f32..=1.0, 0.0f32..=0.3), 4);
    (effectors, chains, pose()).prop_map(|(effectors, chains, pose)| {
        let mut settings = Settings::default();
        for (effector, (by, turned, position, rotation, relative)) in Effector::ALL.into_iter().zip(effectors) {
            let bone = pose[character().1.bone_of(effector.node())];
            let to = settings.effector_mut(effector);
            to.position = Some(bone.position + by);
            to.rotation = Some(turned * bone.rotation);
            to.position_weight = position;
            to.rotation_weight = rotation;
            to.maintain_relative_position = relative;
        }
        for (chain, (pull, push, reach, bend)) in settings.chains.iter_mut().zip(chains) {
            (chain.pull, chain.push, chain.reach, chain.bend_weight) = (pull, push, reach, bend);
        }
        (settings, pose)
    })
}

fn mirrored_point(point: Vec3) -> Vec3 {
    Vec3::new(-point.x, point.y, point.z)
}

fn mirrored_rotation(rotation: Quat) -> Quat {
    Quat::from_xyzw(rotation.x, -rotation.y, -rotation.z, rotation.w)
}

fn mirrored(pose: &Pose) -> Pose {
    let mirror = |bone: &RigidTransform| RigidTransform {
        position: mirrored_point(bone.position),
        rotation: mirrored_rotation(bone.rotation),
    };
    pose.iter().map(mirror).collect()
}

property! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn without_master_weight_nothing_changes(mut settings in settings(), pose in pose()) {
        settings.solver.weight = 0.0;
        let solver = &character().1;
        let mut after = pose.clone();
        prop_assert_eq!(solver.solve(&mut solver.workspace(), &settings, &mut after), Ok(Status::NothingToDo));
        prop_assert_eq!(bits(&after), bits(&pose));
    }

    #[test]
    fn without_offsets_a_frame_is_that_of_settings_without_them(settings in settings(), pose in pose()) {
        let mut cleared = settings;
        cleared.clear_offsets();
        let mut by_hand = settings;
        by_hand.effectors.iter_mut().for_each(|effector| effector.position_offset = Vec3::ZERO);
        prop_assert_eq!(cleared, by_hand);
        prop_assert_eq!(bits(&solved(&cleared, &pose)), bits(&solved(&by_hand, &pose)));
    }

    #[test]
    fn stepping_is_solving(settings in settings(), pose in pose()) {
        prop_assert_eq!(bits(&stepped(&settings, &pose).1), bits(&solved(&settings, &pose)));
    }

    #[test]
    fn a_workspace_remembers_nothing(first in settings(), second in settings(), pose in pose()) {
        let solver = &character().1;
        let (mut workspace, mut again) = (solver.workspace(), pose.clone());
        solver.solve(&mut workspace, &first.clone(), &mut pose.clone()).unwrap();
        solver.solve(&mut workspace, &second.clone(), &mut again).unwrap();
        prop_assert_eq!(bits(&again), bits(&solved(&second, &pose)));
    }

    #[test]
    fn the_result_is_finite(settings in settings(), pose in pose()) {
        let after = solved(&settings, &pose);
        prop_assert!(is_finite(&after));
        prop_assert!(after.iter().all(|bone| (bone.rotation.length() - 1.0).abs() < 1e-3));
    }

    #[test]
    fn limbs_keep_their_lengths(mut settings in settings(), pose in pose()) {
        for chain in &mut settings.chains {
            chain.mapping_weight = 1.0;
        }
        let after = solved(&settings, &pose);
        for limb in LimbName::ALL {
            let bones = character().0.biped.limb(limb).bones;
            for pair in bones.windows(2) {
                let length = |pose: &Pose| pose[pair[0]].position.distance(pose[pair[1]].position);
                prop_assert!((length(&after) / length(&pose) - 1.0).abs() < 1e-4, "{limb:?}");
            }
        }
    }

    #[test]
    fn without_iterations_the_spine_stays(mut settings in settings(), pose in pose()) {
        settings.solver.iterations = 0;
        let after = solved(&settings, &pose);
        // Pelvis, spine, head and clavicles.
        for bone in [0, 1, 2, 3, 4, 5, 10] {
            prop_assert_eq!(bits(&vec![after[bone]]), bits(&vec![pose[bone]]), "bone {}", bone);
        }
    }

    #[test]
    fn the_mirrored_problem_has_the_mirrored_result((settings, pose) in moderate()) {
        let character = &character().0;
        let reference = mirrored(&character.reference);
        let solver = FullBody::new(&character.skeleton, &character.biped, &reference).unwrap();
        let mut flipped = settings;
        for effector in &mut flipped.effectors {
            effector.position = effector.position.map(mirrored_point);
            effector.rotation = effector.rotation.map(mirrored_rotation);
        }
        let mut after = mirrored(&pose);
        solver.solve(&mut solver.workspace(), &flipped, &mut after).unwrap();
        for (after, expected) in after.iter().zip(mirrored(&solved(&settings, &pose))) {
            prop_assert!(after.position.distance(expected.position) < 1e-3, "{after:?} {expected:?}");
            prop_assert!(angle_between(after.rotation, expected.rotation) < 5e-3, "{after:?} {expected:?}");
        }
    }

    #[test]
    fn a_maintained_rotation_is_kept((mut settings, pose) in moderate()) {
        for (limb, effector) in LimbName::ALL.into_iter().zip(Effector::END) {
            settings.chain_mut(limb).maintain_rotation = 1.0;
            settings.effector_mut(effector).rotation_weight = 0.0;
        }
        let after = solved(&settings, &pose);
        for effector in Effector::END {
            let bone = character().1.bone_of(effector.node());
            prop_assert!(angle_between(after[bone].rotation, pose[bone].rotation) < 1e-3);
        }
    }

    #[test]
    fn a_full_rotation_weight_gives_the_effectors_rotation((mut settings, pose) in moderate()) {
        for effector in Effector::END {
            settings.effector_mut(effector).rotation_weight = 1.0;
        }
        let after = solved(&settings, &pose);
        for effector in Effector::END {
            let bone = character().1.bone_of(effector.node());
            let wanted = settings.effector(effector).rotation.unwrap();
            prop_assert!(angle_between(after[bone].rotation, wanted) < 1e-3);
        }
    }

    #[test]
    fn an_end_within_reach_is_reached(limb in 0..4usize, direction in vector(1.0), stretch in 0.3f32..0.85) {
        let (character, solver) = character();
        let effector = Effector::END[limb];
        let bones = character.biped.limbs[limb].bones;
        let [p1, p2, p3] = bones.map(|bone| character.reference[bone].position);
        let aim = (p3 - p1).normalize() + direction * 0.6;
        let target = p1 + aim.normalize() * (p1.distance(p2) + p2.distance(p3)) * stretch;
        let mut settings = Settings::default();
        settings.effector_mut(effector).position = Some(target);
        settings.effector_mut(effector).position_weight = 1.0;
        let after = solved(&settings, &character.reference);
        let missed = after[solver.bone_of(effector.node())].position.distance(target);
        prop_assert!(missed < 1e-3 * Character::HEIGHT, "missed by {missed}");
    }

    #[test]
    fn without_fabrik_pass_one_short_iteration((mut settings, pose) in moderate(), iterations in 1..16u32) {
        settings.solver.fabrik_pass = false;
        settings.solver.iterations = iterations;
        let stages: Vec<_> = stepped(&settings, &pose).0.iter().map(|step| (step.iteration, step.stage)).collect();
        let first = Some(0);
        prop_assert_eq!(stages, vec![
            (None, Stage::Read),
            (first, Stage::EndEffectors),
            (first, Stage::Trigonometric),
            (None, Stage::FinalEffectors),
            (None, Stage::Bend),
        ]);
        // The number of iterations has no effect as long as it is at least one.
        let once = Settings { solver: kinescope_ik::full_body::SolverSettings { iterations: 1, ..settings.solver }, ..settings };
        prop_assert_eq!(bits(&solved(&settings, &pose)), bits(&solved(&once, &pose)));
    }
}

#[test]
fn the_body_node_is_the_root_node_bone() {
    let (character, solver) = character();
    assert_eq!(solver.bone_of(Node::Body), character.biped.root_node);
}

/// Daz, CC3 and Rigify rigs have pelvis and spine as siblings. The waist used to tear, without a warning.
#[test]
fn a_detached_spine_is_solved_as_if_attached() {
    let (character, solver) = character();
    let mut bones = character.skeleton.bones().to_vec();
    bones[character.biped.spine[0]].parent = None;
    let siblings = FullBody::new(&Skeleton::new(bones).unwrap(), &character.biped, &character.reference).unwrap();
    let mut settings = Settings::default();
    for (effector, target) in [
        (Effector::Body, Vec3::new(0.05, 0.8, 0.3)),
        (Effector::LeftHand, Vec3::new(0.2, 0.4, 0.9)),
        (Effector::LeftFoot, Vec3::new(0.2, 0.2, 0.3)),
    ] {
        let own = settings.effector_mut(effector);
        (own.position, own.position_weight) = (Some(target), 1.0);
    }
    let solved = |solver: &FullBody| {
        let mut pose = character.reference.clone();
        solver.solve(&mut solver.workspace(), &settings, &mut pose).unwrap();
        pose
    };
    let (whole, apart) = (solved(solver), solved(&siblings));
    assert_eq!(bits(&whole), bits(&apart));
    let waist = |pose: &Pose| pose[character.biped.pelvis].position.distance(pose[character.biped.spine[0]].position);
    assert!((waist(&apart) - waist(&character.reference)).abs() < 1e-5, "{}", waist(&apart));
}

/// Spine bones at one position have no direction; the solve is finite and the same every time.
#[test]
fn spine_bones_in_one_place_are_solved() {
    let (character, _) = character();
    for together in [[0, 1], [1, 2], [2, 3]] {
        let mut reference = character.reference.clone();
        reference[together[1]].position = reference[together[0]].position;
        let solver = FullBody::new(&character.skeleton, &character.biped, &reference).unwrap();
        let mut settings = Settings::default();
        let hand = settings.effector_mut(Effector::LeftHand);
        (hand.position, hand.position_weight) = (Some(Vec3::new(0.2, 0.6, 0.9)), 1.0);
        let solved = || {
            let mut pose = reference.clone();
            solver.solve(&mut solver.workspace(), &settings, &mut pose).unwrap();
            pose
        };
        let pose = solved();
        assert!(is_finite(&pose), "{together:?}");
        assert_eq!(bits(&pose), bits(&solved()));
    }
}

property! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// The direction of a spine bone of nearly zero length is rounding noise, so it is written like one of zero length,
    /// which follows the bone below.
    #[test]
    fn a_nearly_zero_spine_bone_is_written_like_a_zero_one(
        (settings, pose) in moderate(),
        bone in 1..3usize,
        share in prop_oneof![Just(1e-9f32), Just(1e-6), 0.0f32..0.95],
        direction in direction(),
    ) {
        let (character, _) = character();
        let spine: f32 = (0..3).map(|bone| pose[bone].position.distance(pose[bone + 1].position)).sum();
        let short = share * 1e-3 * (spine - pose[bone].position.distance(pose[bone + 1].position));
        let written = |length: f32| {
            let moved = |pose: &Pose| {
                let mut pose = pose.clone();
                pose[bone + 1].position = pose[bone].position + direction * length;
                pose
            };
            let reference = moved(&character.reference);
            let solver = FullBody::new(&character.skeleton, &character.biped, &reference).unwrap();
            let before = moved(&pose);
            let mut after = before.clone();
            solver.solve(&mut solver.workspace(), &settings, &mut after).unwrap();
            (before, after)
        };
        let ((before, after), (_, of_none)) = (written(short), written(0.0));
        prop_assert!(is_finite(&after));
        let turned = |bone: usize| after[bone].rotation * before[bone].rotation.conjugate();
        let by_itself = angle_between(turned(bone), turned(bone - 1));
        prop_assert!(by_itself < 2e-3, "the bone turns by {by_itself} against the bone below");
        for (index, (own, of_none)) in after.iter().zip(&of_none).enumerate() {
            let apart = own.position.distance(of_none.position);
            prop_assert!(apart < 2e-5 + 20.0 * short, "bone {index} is {apart} off, length {short}");
        }
    }
}

/// The pelvis may be the root node: the body's target moves it, and pinned feet stay.
#[test]
fn the_pelvis_can_be_the_root_node() {
    let (character, _) = character();
    let biped = kinescope_ik::rig::Biped { root_node: character.biped.pelvis, ..character.biped.clone() };
    let solver = FullBody::new(&character.skeleton, &biped, &character.reference).unwrap();
    assert_eq!(solver.bone_of(Node::Body), biped.pelvis);
    let reference = &character.reference;
    let mut settings = Settings::default();
    let lowered = reference[biped.pelvis].position - Vec3::Y * 0.1;
    let body = settings.effector_mut(Effector::Body);
    (body.position, body.position_weight) = (Some(lowered), 1.0);
    for foot in [Effector::LeftFoot, Effector::RightFoot] {
        settings.effector_mut(foot).position_weight = 1.0;
    }
    let mut pose = reference.clone();
    solver.solve(&mut solver.workspace(), &settings, &mut pose).unwrap();
    assert!(is_finite(&pose));
    assert!(pose[biped.pelvis].position.distance(lowered) < 0.05, "{}", pose[biped.pelvis].position);
    for limb in [LimbName::LeftLeg, LimbName::RightLeg] {
        let foot = biped.limb(limb).bones[2];
        assert!(pose[foot].position.distance(reference[foot].position) < 2e-3, "{}", pose[foot].position);
    }
}

/// Values that games pass by mistake.
const BROKEN: [f32; 8] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 1e30, -7.0, 1e-40];

/// The name that errors give to a part of the input, and a function that sets this part.
type Break = (String, Box<dyn Fn(&mut Settings, &mut Pose)>);

/// Returns a [`Break`] for every number that a caller can set, which sets it to `value`.
fn breaks(value: f32) -> Vec<Break> {
    let number = |parameter: ParameterId| -> Break {
        let (owner, key) = (parameter.owner, parameter.parameter.key);
        let set = move |settings: &mut Settings, _: &mut Pose| {
            settings.of_mut(owner).unwrap().set_number(key, value);
        };
        (parameter.path(), Box::new(set))
    };
    let mut all: Vec<Break> = ParameterId::all(&Settings::default()).map(number).collect();
    for limb in LimbName::ALL {
        let path = format!("chains.{}", Chain::from(limb).key());
        let broken = Vec3::new(0.1, value, 0.2);
        let goal = move |settings: &mut Settings, _: &mut Pose| settings.chain_mut(limb).bend_goal = Some(broken);
        all.push((format!("{path}.bend_goal"), Box::new(goal)));
        let way = move |settings: &mut Settings, _: &mut Pose| settings.chain_mut(limb).bend_direction = Some(broken);
        all.push((format!("{path}.bend_direction"), Box::new(way)));
    }
    for effector in Effector::ALL {
        let path = format!("effectors.{}", effector.key());
        let broken = Vec3::new(value, 0.1, 0.2);
        let to = move |settings: &mut Settings, _: &mut Pose| settings.effector_mut(effector).position = Some(broken);
        all.push((format!("{path}.position"), Box::new(to)));
        let by = move |settings: &mut Settings, _: &mut Pose| settings.effector_mut(effector).position_offset = broken;
        all.push((format!("{path}.position_offset"), Box::new(by)));
        let turn = move |settings: &mut Settings, _: &mut Pose| {
            settings.effector_mut(effector).rotation = Some(Quat::from_xyzw(0.0, value, 0.0, 0.0));
        };
        all.push((format!("{path}.rotation"), Box::new(turn)));
    }
    for bone in 0..Character::BONES {
        let place = move |_: &mut Settings, pose: &mut Pose| pose[bone].position.z = value;
        all.push((format!("pose[{bone}]"), Box::new(place)));
        let turn = move |_: &mut Settings, pose: &mut Pose| {
            pose[bone].rotation = Quat::from_xyzw(value, 0.0, 0.0, 0.0);
        };
        all.push((format!("pose[{bone}]"), Box::new(turn)));
    }
    all
}

/// Returns settings with most weights above 0, so that an invalid part of the input has an effect.
fn busy() -> Settings {
    let mut settings = Settings::default();
    settings.solver.head_maintain_rotation = 0.5;
    settings.solver.pull_body_horizontal = 0.5;
    for chain in &mut settings.chains {
        (chain.push, chain.push_parent, chain.bend_weight, chain.maintain_rotation) = (0.5, 0.5, 0.5, 0.5);
        chain.bend_goal = Some(Vec3::new(0.3, 1.0, 0.8));
    }
    for (effector, to) in Effector::ALL.into_iter().zip(&mut settings.effectors) {
        (to.position_weight, to.rotation_weight, to.maintain_relative_position) = (0.9, 0.5, 0.5);
        to.position = Some(character().0.reference[character().1.bone_of(effector.node())].position + Vec3::Z * 0.2);
    }
    settings
}

#[test]
fn no_input_causes_a_panic_or_an_invalid_bone() {
    let (character, solver) = character();
    let mut workspace = solver.workspace();
    let mut refused = 0;
    for value in BROKEN {
        for (place, set) in breaks(value) {
            let (mut settings, mut pose) = (busy(), character.reference.clone());
            set(&mut settings, &mut pose);
            let (given, before) = (settings, pose.clone());
            let done = solver.solve(&mut workspace, &settings, &mut pose);
            match done {
                Ok(_) => {
                    // A master weight of −∞ counts as 0. As a count, NaN and −∞ become 0.
                    let is_count = place.ends_with("iterations") || place.ends_with("clamp_smoothing");
                    let harmless = place == "solver.weight" || is_count;
                    assert!(value.is_finite() || harmless, "{place} {value} was accepted");
                    assert!(is_finite(&pose), "{place} {value}: {pose:?}");
                }
                Err(error) => {
                    refused += 1;
                    assert_eq!(bits(&pose), bits(&before), "{place} {value}: the pose changed");
                    assert!(error.to_string().contains(&place), "{place} {value}: {error}");
                }
            }
            // Above master weight 0, a stepped solve accepts whatever a whole one accepts. Its result is finite.
            let hooked = solver.read(&mut workspace, &given, &before);
            assert!(hooked.is_ok() || done.is_err() || given.solver.weight <= 0.0, "{place} {value}");
            if let Ok((frame, mut state)) = hooked {
                for step in Program::new(&frame) {
                    let _ = run_stage(&frame, &mut state, step.stage);
                }
                let mut pose = before.clone();
                let _ = solver.write(&mut workspace, &frame, &state, &mut pose);
                assert!(is_finite(&pose), "{place} {value} step by step");
            }
            let mut pose = character.reference.clone();
            assert_eq!(solver.solve(&mut workspace, &busy(), &mut pose), Ok(Status::Solved));
            assert_eq!(
                bits(&pose),
                bits(&solved(&busy(), &character.reference)),
                "{place} {value} affects the next solve"
            );
        }
    }
    assert!(refused > 600, "{refused}");
}

#[test]
fn a_workspace_a_pose_or_a_state_that_does_not_fit_is_refused() {
    let (character, solver) = character();
    let mut biped = character.biped.clone();
    (biped.spine, biped.head) = (vec![1, 2], None);
    let other = FullBody::new(&character.skeleton, &biped, &character.reference).unwrap();
    let mut pose = character.reference.clone();
    let settings = busy();
    let foreign = other.solve(&mut solver.workspace(), &settings, &mut pose);
    assert_eq!(foreign, Err(InputError::ForeignWorkspace));
    let mut workspace = solver.workspace();
    assert_eq!(
        solver.solve(&mut workspace, &settings, &mut pose[..20]),
        Err(InputError::PoseLength { found: 20, expected: 22 })
    );
    assert_eq!(bits(&pose), bits(&character.reference));

    let (frame, state) = solver.read(&mut workspace, &busy(), &pose).unwrap();
    let mut broken = state;
    for step in Program::new(&frame) {
        let _ = run_stage(&frame, &mut broken, step.stage);
    }
    broken.set_node(Node::Body, Vec3::NAN);
    assert_eq!(solver.write(&mut workspace, &frame, &broken, &mut pose), Err(InputError::State));
    assert_eq!(bits(&pose), bits(&character.reference));
    // Writing consumes what was read.
    assert_eq!(solver.write(&mut workspace, &frame, &state, &mut pose), Err(InputError::NotRead));
    assert_eq!(other.write(&mut solver.workspace(), &frame, &state, &mut pose), Err(InputError::NotRead));
}

#[test]
fn a_bone_that_the_solver_does_not_touch_may_be_anything() {
    let character = Character::new();
    let mut bones = character.skeleton.bones().to_vec();
    let spare = Bone { name: "prop".to_owned(), parent: None, rest: LocalTransform::IDENTITY };
    bones.push(spare);
    let skeleton = Skeleton::new(bones).unwrap();
    let broken = RigidTransform { position: Vec3::NAN, rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0) };
    let mut pose = character.reference.clone();
    pose.push(broken);
    let solver = FullBody::new(&skeleton, &character.biped, &pose).unwrap();
    assert_eq!(solver.solve(&mut solver.workspace(), &busy(), &mut pose), Ok(Status::Solved));
    assert!(is_finite(&pose[..22].to_vec()));
}
