//! Modifiers with invalid numbers, and solves with modifiers that fail.

use glam::{Quat, Vec3};
use kinescope_ik::full_body::{Effector, InputError, Settings};
use kinescope_ik::many::{Bones as Wanted, Many, Task};
use kinescope_ik::modifiers::{Ask, Bones, Modifier, Modify, ReachFor, Recoil, Running, TwoHandedGrip, solve};
use kinescope_ik::rig::{LimbName, RigidTransform};

use crate::common::built_in::built_in;
use crate::modifiers::{figure, plain, seen, solved};

/// Quaternions that no rotation can be made of.
const NO_ROTATIONS: [Quat; 3] = [
    Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0),
    Quat::from_xyzw(0.0, f32::INFINITY, 0.0, 1.0),
    Quat::from_xyzw(0.0, 0.0, 0.0, 0.0),
];

struct Rotates {
    to: Quat,
    /// Blends as built-in modifiers do, instead of setting the rotation.
    is_blended: bool,
}

impl Modify for Rotates {
    fn name(&self) -> &'static str {
        "rotates"
    }

    fn before_read(&mut self, ask: &mut Ask) {
        match self.is_blended {
            true => ask.draw_rotation(Effector::LeftHand, self.to, 0.5),
            false => ask.target_rotation(Effector::LeftHand, self.to, 1.0),
        }
    }
}

fn changed(settings: &Settings, modifier: &mut dyn Modify) -> Settings {
    let (mut changed, mut pose) = (*settings, built_in().reference().to_vec());
    kinescope_ik::modifiers::before_read(&mut [modifier], &seen(0.02, 0.0), &mut changed, &mut pose);
    changed
}

#[test]
fn an_invalid_target_rotation_is_ignored() {
    let mut held = Settings::default();
    let hand = held.effector_mut(Effector::LeftHand);
    (hand.rotation, hand.rotation_weight) = (Some(Quat::from_rotation_x(0.4)), 0.5);
    for to in NO_ROTATIONS {
        for is_blended in [true, false] {
            for settings in [Settings::default(), held] {
                let after = changed(&settings, &mut Rotates { to, is_blended });
                assert_eq!(after, settings, "{to}, blended: {is_blended}");
            }
        }
    }
    let valid = Quat::from_rotation_y(0.4);
    let after = changed(&held, &mut Rotates { to: valid, is_blended: false });
    assert_eq!(after.effector(Effector::LeftHand).rotation, Some(valid));
    // A quaternion that is not unit still states one rotation, so it is normalized.
    let after = changed(&held, &mut Rotates { to: valid * 3.0, is_blended: false });
    assert!(after.effector(Effector::LeftHand).rotation.unwrap().abs_diff_eq(valid, 1e-6));
}

#[test]
fn an_invalid_rotation_of_a_built_in_modifier_leaves_the_hand_as_animated() {
    let before = built_in().pose("walk", 0.3);
    for rotation in NO_ROTATIONS.map(Some) {
        let reach = |rotation| {
            let reach = ReachFor { position: Some(Vec3::new(-0.3, 1.3, 0.4)), rotation, ..ReachFor::default() };
            let mut running = Running::new(Modifier::ReachFor(reach));
            running.trigger();
            let _ = solved(&mut running, &seen(0.1, 0.0), &before);
            solved(&mut running, &seen(0.1, 0.1), &before)
        };
        assert_eq!(reach(rotation), reach(None), "{rotation:?}");
        let grip = TwoHandedGrip { rotation, position: None, ..TwoHandedGrip::default() };
        let named = Modifier::TwoHandedGrip(grip.clone()).validate().unwrap_err().to_string();
        assert!(named.starts_with("two_handed_grip.rotation"), "{named}");
        let after = solved(&mut Running::new(Modifier::TwoHandedGrip(grip)), &seen(0.1, 0.0), &before);
        let hands = [LimbName::LeftArm, LimbName::RightArm].map(|arm| figure().limbs[arm.index()][2]);
        for hand in hands {
            let turned = after[hand].rotation.angle_between(plain(&before)[hand].rotation);
            assert!(turned < 0.2, "{rotation:?} turns {hand} by {turned}");
        }
    }
}

struct TurnsHead;

impl Modify for TurnsHead {
    fn name(&self) -> &'static str {
        "turns_head"
    }

    fn before_read(&mut self, ask: &mut Ask) {
        turn_head(&mut ask.bones);
    }
}

fn turn_head(bones: &mut Bones) {
    let head = bones.seen.figure.head.expect("a head");
    bones.turn(head, Quat::from_rotation_y(0.5));
}

/// Returns settings that pass the checks before a solve, and whose solve fails.
fn failing() -> Settings {
    let mut settings = Settings::default();
    // The invalid weight is on a foot: modifiers clamp the weights that they change, and recoil and breathing change
    // none of a foot.
    let foot = settings.effector_mut(Effector::LeftFoot);
    (foot.position, foot.position_weight) = (Some(Vec3::splat(1e5)), 1e30);
    settings
}

#[test]
fn a_solve_that_fails_late_leaves_the_pose_as_it_was() {
    let solver = &built_in().solver;
    let before = built_in().pose("walk", 0.3);
    let mut workspace = solver.workspace();
    for _ in 0..2 {
        let mut pose = before.clone();
        let modifiers: &mut [&mut dyn Modify] = &mut [&mut TurnsHead];
        let failed = solve(solver, &mut workspace, &failing(), modifiers, &seen(0.02, 0.0), &mut pose);
        assert!(matches!(failed, Err(InputError::Setting { .. })), "{failed:?}");
        assert!(pose == before);
        let solved = solve(solver, &mut workspace, &Settings::default(), modifiers, &seen(0.02, 0.0), &mut pose);
        assert!(solved.is_ok() && pose != before);
    }
}

#[test]
fn tasks_that_fail_late_leave_their_poses_as_they_were() {
    let solver = &built_in().solver;
    let shot = || {
        let mut recoil = Running::new(Modifier::Recoil(Recoil { kick: 0.1, ..Recoil::default() }));
        recoil.trigger();
        let breath = Running::new(Modifier::Breathing(kinescope_ik::modifiers::Breathing::default()));
        vec![recoil, breath]
    };
    let settings: Vec<Settings> =
        (0..9).map(|index| if index % 3 == 1 { failing() } else { Settings::default() }).collect();
    let before: Vec<Vec<RigidTransform>> = (0..9).map(|index| built_in().pose("walk", 0.1 * index as f32)).collect();
    let (mut poses, mut modifiers) = (before.clone(), vec![shot(); 9]);
    let all = settings.iter().zip(&mut poses).zip(&mut modifiers);
    let mut tasks: Vec<Task> = all
        .map(|((settings, pose), own)| Task::new(solver, settings, pose).with_modifiers(own, seen(0.02, 0.0)))
        .collect();
    Many::new().solve(&mut tasks, Wanted::All);
    let failed: Vec<bool> = tasks.iter().map(|task| task.done.is_err()).collect();
    drop(tasks);
    for (index, is_failed) in failed.into_iter().enumerate() {
        assert_eq!(is_failed, index % 3 == 1, "{index}");
        assert_eq!(poses[index] == before[index], is_failed, "{index}");
    }
}
