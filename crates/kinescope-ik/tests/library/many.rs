//! Solving many characters at once gives the same results as solving each alone.

use std::cell::Cell;
use std::sync::OnceLock;

use glam::{Quat, Vec3};
use kinescope_ik::full_body::{FullBody, InputError, Settings, Status};
use kinescope_ik::many::{Bones, Many, Task};
use kinescope_ik::modifiers::{self, Figure, Hit, Modifier, Modify, Running, Seen};
use kinescope_ik::rig::{ModelPose, RigidTransform};
use kinescope_ik::stack::{self, Rig, Stack, Tools};
use kinescope_ik::timing::{Clock, Times, Work};
use proptest::prelude::*;

use crate::common::property::property;
use crate::common::strategies::{cases, settings, turn};
use crate::common::synthetic::Character;

/// Returns a complete character and variants: without a head, without clavicles, with two spine bones of which the last
/// is the root node, with a finger in the role of the left thigh, and with the pelvis below spine bones.
fn solvers() -> &'static [(Character, FullBody)] {
    static SOLVERS: OnceLock<Vec<(Character, FullBody)>> = OnceLock::new();
    SOLVERS.get_or_init(|| {
        let changes: [fn(&mut Character); 6] = [
            |_| {},
            |character| character.biped.head = None,
            |character| character.biped.limbs.iter_mut().for_each(|limb| limb.clavicle = None),
            |character| (character.biped.spine, character.biped.root_node) = (vec![1, 3], 3),
            |character| character.biped.limbs[2].bones = [9, 16, 17],
            |character| (character.biped.pelvis, character.biped.spine) = (2, vec![0, 1, 3]),
        ];
        let solver = |change: fn(&mut Character)| {
            let mut character = Character::new();
            change(&mut character);
            let solver = FullBody::new(&character.skeleton, &character.biped, &character.reference).unwrap();
            (character, solver)
        };
        changes.map(solver).into()
    })
}

type Input = (usize, Settings, Vec<RigidTransform>);

/// Solves all inputs one by one, and together with every register width, and compares the results.
fn check(inputs: &[Input]) -> Result<(), TestCaseError> {
    let alone: Vec<_> = inputs
        .iter()
        .map(|(which, settings, pose)| {
            let solver = &solvers()[*which].1;
            let mut pose = pose.clone();
            let done = solver.solve(&mut solver.workspace(), settings, &mut pose);
            (done, pose)
        })
        .collect();
    for level in Many::levels() {
        let mut many = Many::with_level(level);
        for bones in [Bones::All, Bones::Key] {
            let mut poses: Vec<Vec<RigidTransform>> = inputs.iter().map(|input| input.2.clone()).collect();
            let own = inputs.iter().zip(&mut poses);
            let mut tasks: Vec<Task> =
                own.map(|((which, settings, _), pose)| Task::new(&solvers()[*which].1, settings, pose)).collect();
            many.solve(&mut tasks, bones);
            let done: Vec<_> = tasks.iter().map(|task| task.done).collect();
            for (index, (expected, expected_pose)) in alone.iter().enumerate() {
                prop_assert_eq!(done[index], *expected, "{:?} {}", level, index);
                let (character, _) = &solvers()[inputs[index].0];
                for bone in 0..character.skeleton.len() {
                    let is_key = has_role(character, bone);
                    if bones == Bones::Key && !is_key {
                        prop_assert_eq!(poses[index][bone], inputs[index].2[bone], "no key bone: {}", bone);
                        continue;
                    }
                    let (found, wanted) = (poses[index][bone], expected_pose[bone]);
                    let off = found.position.distance(wanted.position);
                    let turned = found.rotation.dot(wanted.rotation).abs();
                    prop_assert!(
                        off <= 1e-6 * Character::HEIGHT && turned > 1.0 - 1e-5,
                        "{level:?} {index} bone {bone}: {off}, {turned}: {found:?} {wanted:?}"
                    );
                    // On x86-64 every register adds in the order of a single solve. A quaternion and its
                    // negative are one rotation.
                    let is_same = found.rotation == wanted.rotation || found.rotation == -wanted.rotation;
                    if cfg!(target_arch = "x86_64") {
                        prop_assert!(found.position == wanted.position && is_same, "{level:?} {index} bone {bone}");
                    }
                }
            }
        }
    }
    Ok(())
}

fn has_role(Character { biped, .. }: &Character, bone: usize) -> bool {
    let of_limbs = biped.limbs.iter().any(|limb| limb.bones.contains(&bone) || limb.clavicle == Some(bone));
    biped.pelvis == bone || biped.spine.contains(&bone) || biped.head == Some(bone) || of_limbs
}

fn input() -> impl Strategy<Value = Input> {
    let turns = prop::collection::vec(turn(0.6), Character::BONES);
    (0..solvers().len(), settings(), turns).prop_map(|(which, settings, turns)| {
        let character = &solvers()[which].0;
        (which, settings, character.turned(&character.reference, &turns))
    })
}

property! {
    #![proptest_config(cases(24))]

    #[test]
    fn a_batch_gives_the_results_of_single_solves(inputs in prop::collection::vec(input(), 1..40)) {
        check(&inputs)?;
    }

    #[test]
    fn characters_of_one_kind_share_registers(
        inputs in prop::collection::vec(input(), 20..40),
        iterations in 0..6u32,
        fabrik_pass in any::<bool>(),
    ) {
        let mut inputs = inputs;
        for (which, settings, pose) in &mut inputs {
            if *which != 0 {
                (*which, *pose) = (0, solvers()[0].0.reference.clone());
            }
            (settings.solver.iterations, settings.solver.fabrik_pass) = (iterations, fabrik_pass);
            settings.solver.spine_iterations = 3;
            settings.solver.weight = settings.solver.weight.max(0.01);
            settings.chains.iter_mut().for_each(|chain| chain.mapping_weight = chain.mapping_weight.max(0.01));
        }
        check(&inputs)?;
    }
}

#[test]
fn limbs_bent_backward_end_alike_with_every_clamp_smoothing() {
    let (character, solver) = &solvers()[0];
    let inputs: Vec<Input> = (0..24)
        .map(|index| {
            let axis = [Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Y][index % 4];
            let mut turns = vec![Quat::IDENTITY; Character::BONES];
            for limb in &character.biped.limbs {
                turns[limb.bones[1]] = Quat::from_axis_angle(axis, 0.6 + 0.1 * (index / 4) as f32);
            }
            let mut settings = Settings::default();
            for (limb, chain) in settings.chains.iter_mut().enumerate() {
                chain.clamp_smoothing = ((index + limb) % 3) as u32;
            }
            (0, settings, character.turned(&character.reference, &turns))
        })
        .collect();
    check(&inputs).unwrap();
    let solved = |settings: &Settings, pose: &[RigidTransform]| {
        let mut pose = pose.to_vec();
        solver.solve(&mut solver.workspace(), settings, &mut pose).unwrap();
        pose
    };
    let differ = inputs.iter().filter(|(_, own, pose)| solved(own, pose) != solved(&Settings::default(), pose));
    assert!(differ.count() >= 12, "the limit has nothing to smooth");
}

#[test]
fn a_failed_character_is_unchanged_and_the_others_are_solved() {
    let (character, solver) = &solvers()[0];
    let mut settings = vec![Settings::default(); 20];
    let mut poses = vec![character.reference.clone(); 20];
    settings[3].chains[0].pull = f32::NAN;
    settings[4].solver.weight = 0.0;
    poses[5][2].position = Vec3::NAN;
    poses[6].truncate(10);
    let before = poses.clone();
    let mut tasks: Vec<Task> =
        settings.iter().zip(&mut poses).map(|(settings, pose)| Task::new(solver, settings, pose)).collect();
    Many::new().solve(&mut tasks, Bones::All);
    let done: Vec<_> = tasks.iter().map(|task| task.done).collect();
    assert!(matches!(done[3], Err(InputError::Setting { .. })), "{:?}", done[3]);
    assert_eq!(done[4], Ok(Status::NothingToDo));
    assert_eq!(done[5], Err(InputError::Bone { bone: 2 }));
    assert_eq!(done[6], Err(InputError::PoseLength { found: 10, expected: Character::BONES }));
    assert_eq!(done.iter().filter(|done| **done == Ok(Status::Solved)).count(), 16);
    for index in [3, 4, 6] {
        assert_eq!(poses[index], before[index]);
    }
}

#[cfg(feature = "rayon")]
#[test]
fn results_do_not_depend_on_threads() {
    let (character, solver) = &solvers()[0];
    let solve = |solve: &dyn Fn(&mut [Task])| {
        let mut settings: Vec<Settings> = (0..101).map(|_| Settings::default()).collect();
        for (index, settings) in settings.iter_mut().enumerate() {
            settings.effectors[0].position_offset.y = -0.003 * index as f32;
        }
        let mut poses = vec![character.reference.clone(); 101];
        let tasks = settings.iter().zip(&mut poses).map(|(settings, pose)| Task::new(solver, settings, pose));
        solve(&mut tasks.collect::<Vec<_>>());
        poses
    };
    let threads = solve(&|tasks| kinescope_ik::many::solve_many(&mut Vec::new(), tasks, Bones::All));
    assert!(threads == solve(&|tasks| Many::new().solve(tasks, Bones::All)));
}

thread_local! {
    static NOW: Cell<f64> = const { Cell::new(0.0) };
}

/// Reads a clock that advances by one with each reading, the same on every machine.
fn clock() -> f64 {
    NOW.replace(NOW.get() + 1.0)
}

/// The profiler separates swing and twist of the spine, alone, in a batch and recorded. Timing changes no bit of the
/// result.
#[test]
fn swing_and_twist_of_the_spine_are_timed_apart() {
    let whole = |solve: &mut dyn FnMut()| {
        let start = clock();
        solve();
        (clock() - start) as f32
    };
    let (character, solver) = &solvers()[0];
    let swinging = (character.biped.spine.len() - 1) as f32;
    for twist_weight in [1.0, 0.0] {
        let mut settings = Settings::default();
        settings.solver.spine_twist_weight = twist_weight;
        settings.effectors[0].position_offset.y = -0.1;
        // Alone, and in a batch.
        for count in [1, 3] {
            let mut found = Vec::new();
            for clock in [None, Some(clock as Clock)] {
                let mut many = Many::new();
                many.clock = clock;
                let mut poses = vec![character.reference.clone(); count];
                let taken = whole(&mut || {
                    let tasks = poses.iter_mut().map(|pose| Task::new(solver, &settings, pose));
                    many.solve(&mut tasks.collect::<Vec<_>>(), Bones::All);
                });
                let times = many.times;
                match clock {
                    None => assert_eq!(times.total(), 0.0),
                    Some(_) => {
                        // In optimized builds the characters in one register share one swing pass.
                        let solves = if cfg!(unoptimized) { count as f32 } else { 1.0 };
                        assert_eq!(times[Work::Swing], swinging * solves, "{count}");
                        assert_eq!(times[Work::Twist], swinging * solves * twist_weight, "{count}");
                        assert!(times[Work::Write] > 0.0 && times.total() <= taken, "{times:?} of {taken}");
                    }
                }
                found.push(poses);
            }
            assert!(found[0] == found[1], "{count}");
        }
        // Recorded by the stack.
        let rig = Rig::biped("numbers", character.skeleton.clone(), &character.biped, character.reference.clone());
        let rig = rig.unwrap();
        let stack = Stack { full_body: settings, ..Stack::default() };
        let input = stack::Input::new(stack, ModelPose::rigid(character.reference.clone()));
        let mut frame = None;
        let taken = whole(&mut || {
            let tools = Tools { clock: Some(clock), ..Tools::default() };
            frame = Some(stack::solve(&rig, tools, &input));
        });
        let frame = frame.unwrap();
        let times: Times = frame.layers.iter().map(|layer| &layer.times).sum();
        assert_eq!([times[Work::Swing], times[Work::Twist]], [swinging, swinging * twist_weight]);
        assert!(times[Work::Write] > 0.0 && times.total() <= taken, "{times:?} of {taken}");
        assert_eq!(frame.pose, stack::solve(&rig, Tools::default(), &input).pose);
    }
}

/// Returns an enabled modifier of each kind, most of them with work to do.
fn busy(index: usize) -> Vec<Running> {
    let mut running: Vec<Running> = Modifier::all().into_iter().map(Running::new).collect();
    for own in &mut running {
        own.trigger();
        own.strike(Hit { point: Vec3::Y, direction: Vec3::X, force: 0.1 });
        match &mut own.modifier {
            Modifier::LookAt(look) => look.target = Some(Vec3::new(1.0 - 0.1 * index as f32, 1.4, 1.0)),
            Modifier::Head(head) => head.position = Some(Vec3::new(0.1, 1.4, 0.1)),
            Modifier::TwoHandedGrip(grip) => grip.position = Some(Vec3::new(0.0, 0.2, 0.1)),
            Modifier::ReachFor(reach) => reach.position = Some(Vec3::new(0.2, 1.2, 0.4)),
            _ => {}
        }
    }
    running
}

/// Runs frames of characters with modifiers one by one and in a batch, and compares the modifiers' states and the
/// poses. On x86-64 poses must be equal except for the signs of quaternions; elsewhere positions may differ by less
/// than 1e-5 model units.
fn check_modified(all: &[Vec<Running>], settings: &Settings) {
    let (character, solver) = &solvers()[0];
    let figure = Figure::new(&character.skeleton, &character.biped, &character.reference).unwrap();
    let (mut alone, mut together) = (all.to_vec(), all.to_vec());
    let (mut workspace, mut many) = (solver.workspace(), Many::new());
    for frame in 0..6 {
        let seen = Seen { figure: &figure, root: RigidTransform::IDENTITY, dt: 0.02, time: 0.02 * frame as f32 };
        let animated = |index: usize| -> Vec<RigidTransform> {
            let by = Vec3::new(0.001 * index as f32, 0.0, 0.004 * (frame * frame) as f32);
            character.reference.iter().map(|bone| RigidTransform { position: bone.position + by, ..*bone }).collect()
        };
        let mut expected: Vec<_> = (0..all.len()).map(animated).collect();
        let mut poses = expected.clone();
        for (own, pose) in alone.iter_mut().zip(&mut expected) {
            let mut own: Vec<&mut dyn Modify> = own.iter_mut().map(|own| own as &mut dyn Modify).collect();
            modifiers::solve(solver, &mut workspace, settings, &mut own, &seen, pose).unwrap();
        }
        let tasks = poses.iter_mut().zip(&mut together);
        let tasks = tasks.map(|(pose, own)| Task::new(solver, settings, pose).with_modifiers(own, seen));
        let mut tasks: Vec<Task> = tasks.collect();
        many.solve(&mut tasks, Bones::Key);
        assert!(tasks.iter().all(|task| task.done.is_ok()));
        drop(tasks);
        for (index, (found, wanted)) in poses.iter().zip(&expected).enumerate() {
            for (bone, (found, wanted)) in found.iter().zip(wanted).enumerate() {
                let is_same = found.rotation == wanted.rotation || found.rotation == -wanted.rotation;
                if cfg!(target_arch = "x86_64") {
                    let at = format!("frame {frame}, character {index}, bone {bone}: {found:?} {wanted:?}");
                    assert!(found.position == wanted.position && is_same, "{at}");
                }
                assert!(found.position.distance(wanted.position) < 1e-5);
            }
        }
        assert!(alone == together, "memories in frame {frame}");
    }
}

#[test]
fn a_hundred_with_modifiers_give_the_results_of_single_solves() {
    let keys = ["look_at", "recoil", "two_handed_grip"];
    let own = |index: usize| {
        let mut own: Vec<Running> = busy(index).into_iter().filter(|own| keys.contains(&own.modifier.key())).collect();
        assert!(own.iter().all(|own| !own.acts_between()));
        own.truncate(1 + index % 3);
        own
    };
    let all: Vec<_> = (0..100).map(own).collect();
    check_modified(&all, &Settings::default());
    let mut off = Settings::default();
    off.solver.weight = 0.0;
    check_modified(&all, &off);
}

#[test]
fn modifiers_are_timed_apart_from_reading_and_writing() {
    let (character, solver) = &solvers()[0];
    let figure = Figure::new(&character.skeleton, &character.biped, &character.reference).unwrap();
    let seen = Seen { figure: &figure, root: RigidTransform::IDENTITY, dt: 0.02, time: 0.0 };
    let settings = Settings::default();
    let times = |key: Option<&str>| {
        let own = busy(0).into_iter().filter(|own| Some(own.modifier.key()) == key).collect();
        let (mut all, mut many): (Vec<Vec<Running>>, Many) = (vec![own; 3], Many::new());
        many.clock = Some(clock);
        let mut poses = vec![character.reference.clone(); 3];
        let tasks = poses.iter_mut().zip(&mut all).map(|(pose, own)| {
            let task = Task::new(solver, &settings, pose);
            if key.is_some() { task.with_modifiers(own, seen) } else { task }
        });
        many.solve(&mut tasks.collect::<Vec<_>>(), Bones::All);
        many.times
    };
    // Each reading of the clock adds 1: one before IK for each character, and one after IK for all.
    let [without, after, between] = [None, Some("recoil"), Some("head")].map(times);
    assert_eq!([without, after, between].map(|times| times[Work::Modifiers]), [0.0, 4.0, 4.0]);
    assert_eq!((after[Work::Stages], after[Work::Write]), (without[Work::Stages], without[Work::Write]));
    // A solve with a modifier between the stages counts as stages as a whole.
    assert_eq!((between[Work::Stages], between[Work::Write]), (3.0, 1.0));
}

#[test]
fn every_modifier_works_alike_in_a_batch() {
    for index in 0..Modifier::all().len() {
        let own = |character: usize| vec![busy(character).swap_remove(index)];
        check_modified(&(0..20).map(own).collect::<Vec<_>>(), &Settings::default());
    }
    check_modified(&(0..20).map(busy).collect::<Vec<_>>(), &Settings::default());
}

#[test]
fn a_modified_task_that_cannot_be_solved_stays_as_it_was() {
    let (character, solver) = &solvers()[0];
    let figure = Figure::new(&character.skeleton, &character.biped, &character.reference).unwrap();
    let seen = Seen { figure: &figure, root: RigidTransform::IDENTITY, dt: 0.02, time: 0.0 };
    let settings = Settings::default();
    let mut pose = character.reference.clone();
    pose[4].rotation *= 0.9;
    let before = pose.clone();
    let mut own = busy(0);
    let started = own.clone();
    let mut tasks = [Task::new(solver, &settings, &mut pose).with_modifiers(&mut own, seen)];
    Many::new().solve(&mut tasks, Bones::All);
    assert_eq!(tasks[0].done, Err(InputError::Bone { bone: 4 }));
    assert!(pose == before && own == started);
}
