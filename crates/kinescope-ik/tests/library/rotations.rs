//! Rotations that are not exactly unit: readers normalize lengths within 1 % and refuse others.

use glam::{Quat, Vec3};
use kinescope_ik::chain_ik::{BonePlace, Chain, State};
use kinescope_ik::full_body::Program;
use kinescope_ik::grounding::{FootGeometry, FootInput};
use kinescope_ik::many::{Bones, Many, Task};
use kinescope_ik::math::read_rotation;
use kinescope_ik::rig::RigidTransform;
use kinescope_ik::{Effector, FullBody, InputError, Settings};

use crate::common::stages::run_stage;
use crate::common::synthetic::Character;

fn character() -> (Character, FullBody, Settings) {
    let mut character = Character::new();
    for (index, bone) in character.reference.iter_mut().enumerate() {
        bone.rotation = Quat::from_scaled_axis(Vec3::new(0.3, 0.1 * index as f32, -0.2)).normalize();
    }
    let solver = FullBody::new(&character.skeleton, &character.biped, &character.reference).unwrap();
    let mut settings = Settings::default();
    let foot = settings.effector_mut(Effector::LeftFoot);
    (foot.position, foot.position_weight) = (Some(Vec3::new(0.2, 0.3, 0.3)), 1.0);
    (foot.rotation, foot.rotation_weight) = (Some(Quat::from_rotation_x(0.4)), 0.7);
    settings.effector_mut(Effector::RightHand).position_offset = Vec3::new(-0.1, 0.1, 0.2);
    (character, solver, settings)
}

fn scaled(pose: &[RigidTransform], by: f32) -> Vec<RigidTransform> {
    pose.iter().map(|bone| RigidTransform { rotation: bone.rotation * by, ..*bone }).collect()
}

fn normalized(pose: &[RigidTransform]) -> Vec<RigidTransform> {
    pose.iter().map(|bone| RigidTransform { rotation: bone.rotation.normalize(), ..*bone }).collect()
}

fn solve(solver: &FullBody, settings: &Settings, pose: &[RigidTransform]) -> Vec<RigidTransform> {
    let mut pose = pose.to_vec();
    solver.solve(&mut solver.workspace(), settings, &mut pose).unwrap();
    pose
}

#[test]
fn a_calf_of_nine_tenths_is_refused_by_name() {
    let (character, solver, settings) = character();
    let mut pose = character.reference.clone();
    pose[16].rotation *= 0.9;
    let before = pose.clone();
    let error = solver.solve(&mut solver.workspace(), &settings, &mut pose).unwrap_err();
    assert_eq!(error, InputError::Bone { bone: 16 });
    assert_eq!(pose, before);
    let fault = error.fault(&character.skeleton, &pose).to_string();
    assert!(fault.starts_with("pose[16], bone \"left calf\": has length 0.9"), "{fault}");
    let mut tasks = [Task::new(&solver, &settings, &mut pose)];
    Many::new().solve(&mut tasks, Bones::All);
    assert_eq!(tasks[0].done, Err(error));
    let mut reference = character.reference.clone();
    reference[16].rotation *= 0.9;
    let fault = FullBody::new(&character.skeleton, &character.biped, &reference).unwrap_err().to_string();
    assert!(fault.starts_with("reference of bone \"left calf\": has length 0.9"), "{fault}");
}

#[test]
fn lengths_within_a_hundredth_solve_like_normalized_ones() {
    let (character, solver, settings) = character();
    for by in [0.991, 0.9995, 1.0, 1.004, 1.0099] {
        let pose = scaled(&character.reference, by);
        let near = solve(&solver, &settings, &pose);
        let exact = solve(&solver, &settings, &normalized(&pose));
        for (bone, (near, exact)) in near.iter().zip(&exact).enumerate() {
            assert_eq!(near.position, exact.position, "{by} {bone}");
            assert!((near.rotation.length() - 1.0).abs() < 1e-5, "{by} {bone}: {}", near.rotation.length());
            assert!(near.rotation.dot(exact.rotation) > 1.0 - 1e-6, "{by} {bone}");
        }
        let mut stepped = pose.clone();
        let mut workspace = solver.workspace();
        let (frame, mut state) = solver.read(&mut workspace, &settings, &stepped).unwrap();
        for step in Program::new(&frame) {
            let _ = run_stage(&frame, &mut state, step.stage);
        }
        solver.write(&mut workspace, &frame, &state, &mut stepped).unwrap();
        assert_eq!(stepped, near, "{by}");
        let mut poses = vec![pose.clone(); 16];
        poses[3] = character.reference.clone();
        let mut tasks: Vec<Task> = poses.iter_mut().map(|pose| Task::new(&solver, &settings, pose)).collect();
        Many::new().solve(&mut tasks, Bones::All);
        assert!(tasks.iter().all(|task| task.done.is_ok()));
        for (own, near) in poses[5].iter().zip(&near) {
            assert!(own.position.distance(near.position) <= 1e-6 * Character::HEIGHT);
            assert!((own.rotation.length() - 1.0).abs() < 1e-5 && own.rotation.dot(near.rotation).abs() > 1.0 - 1e-5);
        }
    }
}

#[test]
fn effectors_take_rotations_as_bones_do() {
    let (character, solver, mut settings) = character();
    let with = |by: f32| {
        let own = &mut settings.effector_mut(Effector::LeftFoot).rotation;
        *own = Some(Quat::from_rotation_x(0.4) * by);
        settings
    };
    let [exact, near, far] = [1.0, 1.008, 0.95].map(with);
    let (exact, near) = (solve(&solver, &exact, &character.reference), solve(&solver, &near, &character.reference));
    for (exact, near) in exact.iter().zip(&near) {
        assert!(exact.position.distance(near.position) < 1e-6);
        assert!((near.rotation.length() - 1.0).abs() < 1e-5 && near.rotation.dot(exact.rotation) > 1.0 - 1e-6);
    }
    let mut pose = character.reference.clone();
    let error = solver.solve(&mut solver.workspace(), &far, &mut pose).unwrap_err().to_string();
    assert!(error.starts_with("effectors.left_foot.rotation: has length 0.95"), "{error}");
}

#[test]
fn rotations_unit_up_to_rounding_are_unchanged() {
    let unit = Quat::from_xyzw(0.1, -0.2, 0.3, 0.9).normalize();
    for by in [1.0, 1.0 + 3e-6, 1.0 - 5e-6] {
        assert_eq!(read_rotation(unit * by), Some(unit * by));
    }
    assert!((read_rotation(unit * 1.009).unwrap().length() - 1.0).abs() < 1e-6);
    for none in [unit * 1.02, unit * 0.98, Quat::from_array([0.0; 4]), Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0)] {
        assert_eq!(read_rotation(none), None);
    }
}

#[test]
fn chains_and_feet_read_rotations_alike() {
    let (character, ..) = character();
    let place = |by: f32| [BonePlace { from: 0, rotation: Quat::from_rotation_x(0.3) * by, end: Vec3::Y }];
    assert!(Chain::new(Quat::IDENTITY, Vec3::ZERO, &place(1.009)).is_ok());
    let fault = Chain::new(Quat::IDENTITY, Vec3::ZERO, &place(0.9)).unwrap_err().to_string();
    assert!(fault.starts_with("bones[0]: has length 0.9"), "{fault}");
    let bones = [15, 16, 17];
    let chain = Chain::of_bones(&character.skeleton, &character.reference, &bones).unwrap();
    let read = |pose: &[RigidTransform]| {
        let mut state = State::default();
        kinescope_ik::chain_ik::character::read(&chain, &character.skeleton, &bones, pose, &mut state);
        state.end()
    };
    let (exact, near) = (read(&character.reference), read(&scaled(&character.reference, 1.009)));
    assert!(exact.distance(near) < 1e-6, "{exact} {near}");
    let foot = FootInput::new(scaled(&character.reference, 1.009)[17], FootGeometry::default());
    assert!(foot.rotation.is_finite());
}
