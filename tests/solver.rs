//! What the full-body solver promises, on a character made of numbers.

#[path = "common/strategies.rs"]
mod strategies;
#[path = "common/synthetic.rs"]
mod synthetic;

use std::sync::OnceLock;

use glam::{Quat, Vec3};
use kinescope::full_body::{Effector, FullBody, NoObserver, Node, Program, Settings, Stage, Step, run_stage};
use kinescope::rig::{LimbName, RigidTransform};
use proptest::prelude::*;
use strategies::{fraction, settings, turn, vector};
use synthetic::Character;

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
    let (mut settings, mut pose) = (*settings, pose.clone());
    solver.solve(&mut solver.workspace(), &mut settings, &mut pose);
    pose
}

fn stepped(settings: &Settings, pose: &Pose) -> (Vec<Step>, Pose) {
    let solver = &character().1;
    let (mut workspace, mut pose) = (solver.workspace(), pose.clone());
    if settings.solver.weight <= 0.0 {
        return (Vec::new(), pose);
    }
    let (frame, mut state) = solver.read(&mut workspace, settings, &pose, &mut NoObserver);
    let steps: Vec<Step> = Program::new(&frame).collect();
    for step in &steps {
        run_stage(&frame, &mut state, step.stage, &mut NoObserver);
    }
    solver.write(&mut workspace, &frame, &state, &mut pose);
    (steps, pose)
}

fn bits(pose: &Pose) -> Vec<[u32; 7]> {
    let bits = |bone: &RigidTransform| {
        let (p, r) = (bone.position, bone.rotation);
        [p.x, p.y, p.z, r.x, r.y, r.z, r.w].map(f32::to_bits)
    };
    pose.iter().map(bits).collect()
}

/// Radians.
fn angle_between(a: Quat, b: Quat) -> f32 {
    2.0 * (a.conjugate() * b).xyz().length().min(1.0).asin()
}

fn is_finite(pose: &Pose) -> bool {
    pose.iter().all(RigidTransform::is_finite)
}

/// The reference pose with every bone turned a little.
fn pose() -> impl Strategy<Value = Pose> {
    prop::collection::vec(turn(0.3), Character::BONES).prop_map(|turns| {
        let character = &character().0;
        character.turned(&character.reference, &turns)
    })
}

/// A problem of everyday size: no offsets, targets near their bones. Nothing in it is left to chance.
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn without_master_weight_nothing_changes(mut settings in settings(), pose in pose()) {
        settings.solver.weight = 0.0;
        let solver = &character().1;
        let mut after = pose.clone();
        solver.solve(&mut solver.workspace(), &mut settings, &mut after);
        prop_assert_eq!(bits(&after), bits(&pose));
        prop_assert!(settings.effectors.iter().all(|effector| effector.position_offset == Vec3::ZERO));
    }

    #[test]
    fn offsets_last_one_frame(mut settings in settings(), pose in pose()) {
        let given = settings;
        let solver = &character().1;
        solver.solve(&mut solver.workspace(), &mut settings, &mut pose.clone());
        let mut expected = given;
        expected.clear_offsets();
        prop_assert_eq!(settings, expected);
    }

    #[test]
    fn stepping_is_solving(settings in settings(), pose in pose()) {
        prop_assert_eq!(bits(&stepped(&settings, &pose).1), bits(&solved(&settings, &pose)));
    }

    #[test]
    fn a_workspace_remembers_nothing(first in settings(), second in settings(), pose in pose()) {
        let solver = &character().1;
        let (mut workspace, mut again) = (solver.workspace(), pose.clone());
        solver.solve(&mut workspace, &mut first.clone(), &mut pose.clone());
        solver.solve(&mut workspace, &mut second.clone(), &mut again);
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
        solver.solve(&mut solver.workspace(), &mut flipped, &mut after);
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
            (first, Stage::EndEffectors),
            (first, Stage::Trigonometric),
            (None, Stage::FinalEffectors),
            (None, Stage::Bend),
        ]);
        // How many were asked for makes no difference, as long as there is one.
        let once = Settings { solver: kinescope::full_body::SolverSettings { iterations: 1, ..settings.solver }, ..settings };
        prop_assert_eq!(bits(&solved(&settings, &pose)), bits(&solved(&once, &pose)));
    }
}

#[test]
fn the_body_node_is_the_root_node_bone() {
    let (character, solver) = character();
    assert_eq!(solver.bone_of(Node::Body), character.biped.root_node);
}
