//! The project's own references: capsules and traces of the built-in biped in `tests/golden`, solved by a version that
//! is known to be correct. They detect changed results without other data.
//!
//! ```sh
//! cargo test -p kinescope-ik --all-features --test library make_yardsticks -- --ignored
//! ```
//!
//! writes them again. Run `kinescope check tests/golden/*.capsule.json` first, read its report, and commit new files
//! only with a change that is meant to change results.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{Quat, Vec3};
use kinescope_ik::capsule::{Capsule, CapsuleFrame, Instant};
use kinescope_ik::full_body::{Effector, Settings, Smoothing};
use kinescope_ik::preset::Preset;
use kinescope_ik::rig::{LimbName, RigidTransform};
use kinescope_ik::stack::Tools;
use kinescope_ik::trace::{Rig, Trace};

use super::golden::differences;
use crate::common::built_in::{built_in, input};

/// The tolerance of a node's position, as a fraction of the character's height.
///
/// Hashes agree on one machine only: sine and cosine differ in the last bit between platforms. Such noise moves a node
/// by at most a tenth of this tolerance ([`noise_in_the_last_bit_stays_noise`]), and a small change of a parameter by
/// more than twice the tolerance ([`a_small_change_is_more_than_the_tolerance`]).
const TOLERANCE: f32 = 1e-4;

/// Settings, and the frames of the clip that are solved with them.
struct Case {
    name: &'static str,
    clip: &'static str,
    times: &'static [f32],
    settings: fn(usize) -> Settings,
    /// Whether the first frame also has a trace.
    traced: bool,
}

const CASES: [Case; 10] = [
    Case { name: "reach with twist", clip: "idle", times: &[0.5], settings: reach_with_twist, traced: true },
    Case { name: "crouch and push", clip: "idle", times: &[0.0], settings: crouch_and_push, traced: true },
    Case { name: "far targets", clip: "idle", times: &[1.0], settings: far_targets, traced: false },
    Case { name: "bend goals", clip: "idle", times: &[0.0], settings: bend_goals, traced: true },
    Case { name: "no FABRIK pass", clip: "idle", times: &[0.5], settings: no_fabrik_pass, traced: false },
    Case { name: "no iterations", clip: "idle", times: &[0.5], settings: no_iterations, traced: false },
    Case { name: "partial weights", clip: "reach", times: &[0.4], settings: partial_weights, traced: true },
    Case { name: "carried hands", clip: "lean", times: &[0.6], settings: carried_hands, traced: false },
    Case {
        name: "walk with hands pinned",
        clip: "walk",
        times: &[0.0, 0.3, 0.6],
        settings: hands_pinned,
        traced: false,
    },
    Case { name: "offsets while running", clip: "run", times: &[0.2, 0.35], settings: offsets, traced: false },
];

fn standing() -> Settings {
    let mut settings = Settings::default();
    for foot in [Effector::LeftFoot, Effector::RightFoot] {
        settings.effector_mut(foot).position_weight = 1.0;
    }
    settings
}

fn pull(settings: &mut Settings, effector: Effector, to: [f32; 3], weight: f32) {
    let effector = settings.effector_mut(effector);
    (effector.position, effector.position_weight) = (Some(to.into()), weight);
}

/// Moves one hand up and forward and one back: the shoulders turn against the hips.
fn reach_with_twist(_: usize) -> Settings {
    let mut settings = standing();
    pull(&mut settings, Effector::LeftHand, [0.1, 1.6, 0.65], 1.0);
    pull(&mut settings, Effector::RightHand, [-0.35, 1.05, -0.5], 1.0);
    let hand = settings.effector_mut(Effector::LeftHand);
    (hand.rotation, hand.rotation_weight) = (Some(Quat::from_rotation_z(0.8) * Quat::from_rotation_x(-0.6)), 1.0);
    settings.solver.pull_body_horizontal = 0.3;
    settings
}

fn crouch_and_push(_: usize) -> Settings {
    let mut settings = standing();
    pull(&mut settings, Effector::Body, [0.05, 0.75, 0.1], 1.0);
    for (hand, x) in [(Effector::LeftHand, 0.25), (Effector::RightHand, -0.2)] {
        pull(&mut settings, hand, [x, 1.0, 0.3], 1.0);
    }
    for (limb, smoothing) in [(LimbName::LeftArm, Smoothing::None), (LimbName::RightArm, Smoothing::Cubic)] {
        let chain = settings.chain_mut(limb);
        (chain.push, chain.push_parent, chain.push_smoothing) = (0.9, 0.4, smoothing);
    }
    settings.pin = 0.2;
    settings
}

fn far_targets(_: usize) -> Settings {
    let mut settings = standing();
    pull(&mut settings, Effector::RightHand, [-8.0, 5.0, 3.0], 1.0);
    pull(&mut settings, Effector::LeftHand, [6.0, 1.0, 4.0], 1.0);
    settings.chain_mut(LimbName::LeftArm).pull = 0.4;
    settings.chain_mut(LimbName::RightArm).reach = 0.8;
    (settings.solver.pull_body_vertical, settings.solver.pull_body_horizontal) = (1.0, 0.5);
    settings
}

fn bend_goals(_: usize) -> Settings {
    let mut settings = standing();
    pull(&mut settings, Effector::LeftHand, [0.3, 1.3, 0.3], 1.0);
    pull(&mut settings, Effector::RightHand, [-0.3, 1.2, 0.3], 1.0);
    pull(&mut settings, Effector::Body, [0.0, 0.85, 0.0], 1.0);
    let arm = settings.chain_mut(LimbName::LeftArm);
    (arm.bend_goal, arm.bend_weight) = (Some(Vec3::new(1.0, 1.8, -0.2)), 1.0);
    let arm = settings.chain_mut(LimbName::RightArm);
    (arm.bend_direction, arm.bend_weight) = (Some(Vec3::new(-0.6, -0.8, 0.0)), 0.7);
    let leg = settings.chain_mut(LimbName::LeftLeg);
    (leg.bend_goal, leg.bend_weight) = (Some(Vec3::new(1.5, 0.5, 0.5)), 0.5);
    let leg = settings.chain_mut(LimbName::RightLeg);
    (leg.bend_direction, leg.bend_weight) = (Some(Vec3::new(-0.5, 0.0, 1.0)), 1.0);
    settings
}

fn no_fabrik_pass(frame: usize) -> Settings {
    let mut settings = reach_with_twist(frame);
    settings.solver.fabrik_pass = false;
    settings
}

fn no_iterations(frame: usize) -> Settings {
    let mut settings = reach_with_twist(frame);
    settings.solver.iterations = 0;
    settings
}

/// Sets partial weights throughout. Some of the settings that allow negative numbers are negative.
fn partial_weights(_: usize) -> Settings {
    let mut settings = Settings::default();
    for (index, effector) in Effector::ALL.into_iter().enumerate() {
        let share = index as f32 / 9.0;
        let side = if index % 2 == 0 { -0.25 } else { 0.25 };
        pull(&mut settings, effector, [side, 0.2 + 1.1 * share, 0.2 - 0.3 * share], 0.3 + 0.4 * share);
        let effector = settings.effector_mut(effector);
        (effector.rotation, effector.rotation_weight) = (Some(Quat::from_rotation_y(side)), 0.6 - 0.4 * share);
    }
    for (index, chain) in settings.chains.iter_mut().enumerate() {
        let share = index as f32 / 4.0;
        (chain.pull, chain.push, chain.push_parent, chain.reach) = (0.9 - share, 0.2 + share, share - 0.3, 0.5 * share);
        (chain.push_smoothing, chain.reach_smoothing) = (Smoothing::ALL[index % 3], Smoothing::ALL[(index + 1) % 3]);
        (chain.mapping_weight, chain.maintain_rotation) = (1.0 - 0.2 * share, 0.3 * share);
    }
    let solver = &mut settings.solver;
    (solver.weight, solver.iterations, solver.spine_iterations) = (0.8, 6, 5);
    (solver.spine_stiffness, solver.spine_twist_weight, solver.head_maintain_rotation) = (0.2, 0.5, 0.6);
    (solver.pull_body_vertical, solver.pull_body_horizontal, settings.pin) = (-0.3, 0.4, 0.3);
    settings
}

/// Moves the body down and aside; one hand follows it fully, the other by half.
fn carried_hands(_: usize) -> Settings {
    let mut settings = standing();
    pull(&mut settings, Effector::Body, [0.15, 0.8, 0.1], 1.0);
    settings.effector_mut(Effector::LeftHand).maintain_relative_position = 1.0;
    settings.effector_mut(Effector::RightHand).maintain_relative_position = 0.5;
    settings
}

fn hands_pinned(frame: usize) -> Settings {
    let mut settings = Settings::default();
    let weight = 0.4 + 0.3 * frame as f32;
    pull(&mut settings, Effector::LeftHand, [0.3, 1.1, 0.35], weight);
    pull(&mut settings, Effector::RightHand, [-0.3, 1.0, 0.35], weight);
    settings.solver.head_maintain_rotation = 1.0;
    settings
}

fn offsets(frame: usize) -> Settings {
    let mut settings = Settings::default();
    for effector in [Effector::Body, Effector::LeftHand, Effector::RightFoot] {
        settings.effector_mut(effector).position_offset = Vec3::new(0.05, -0.1, 0.08) * (frame + 1) as f32;
    }
    settings
}

impl Case {
    fn capsule(&self) -> Capsule {
        let built_in = built_in();
        let rig = built_in.rig();
        let frames = self.times.iter().enumerate().map(|(index, &time)| {
            let (settings, pose) = ((self.settings)(index), built_in.pose(self.clip, time));
            CapsuleFrame::solve(&rig, Tools::default(), time, &input(&settings, pose))
        });
        Capsule {
            name: self.name.to_owned(),
            model: built_in.model.name.clone(),
            skeleton: (*built_in.model.skeleton).clone(),
            biped: Some(built_in.biped().clone()),
            reference: built_in.reference().to_vec(),
            legs: None,
            clip_ranges: None,
            preset: Preset { settings: (self.settings)(0), ..Preset::default() },
            frames: frames.collect(),
            instant: Instant::default(),
        }
    }

    fn trace(&self) -> Trace {
        let built_in = built_in();
        let rig = Rig {
            skeleton: (*built_in.model.skeleton).clone(),
            biped: built_in.biped().clone(),
            animated: built_in.pose(self.clip, self.times[0]),
            reference: built_in.reference().to_vec(),
        };
        Trace::solve(&built_in.model.name, rig, (self.settings)(0)).unwrap()
    }

    /// Returns the path of the case's file: `far-targets.capsule.json` for the case `far targets`.
    fn path(&self, kind: &str) -> PathBuf {
        folder().join(format!("{}.{kind}.json", self.name.to_lowercase().replace(' ', "-")))
    }

    fn read(&self, kind: &str) -> String {
        let path = self.path(kind);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    fn written_capsule(&self) -> Capsule {
        Capsule::from_json(&self.read("capsule")).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn height() -> f32 {
    built_in().found.height
}

#[test]
#[ignore = "writes tests/golden"]
fn make_yardsticks() {
    let _ = std::fs::remove_dir_all(folder());
    std::fs::create_dir_all(folder()).unwrap();
    for case in &CASES {
        std::fs::write(case.path("capsule"), case.capsule().to_json()).unwrap();
        if case.traced {
            std::fs::write(case.path("trace"), case.trace().to_json()).unwrap();
        }
    }
}

#[test]
fn capsules_give_their_recorded_results() {
    for case in &CASES {
        let changes = case.written_capsule().check(|_| None).unwrap();
        let far: Vec<_> = changes.iter().filter(|change| change.distance > TOLERANCE * height()).collect();
        assert!(far.is_empty(), "{}: {far:?}", case.name);
    }
}

#[test]
fn traces_agree_stage_by_stage() {
    for case in CASES.iter().filter(|case| case.traced) {
        let trace = Trace::from_json(&case.read("trace")).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        let found = differences(&trace);
        assert!(found.is_empty(), "{}: {} differences, first {}", case.name, found.len(), found[0]);
    }
}

/// No file is missing or left over, and the settings in each capsule are those of its case.
#[test]
fn every_case_is_there_and_no_other_file() {
    let traced = CASES.iter().filter(|case| case.traced).map(|case| case.path("trace"));
    let expected: BTreeSet<PathBuf> = CASES.iter().map(|case| case.path("capsule")).chain(traced).collect();
    let found = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    assert_eq!(found.collect::<BTreeSet<_>>(), expected);
    for case in &CASES {
        let (written, made) = (case.written_capsule(), case.capsule());
        let settings =
            |capsule: &Capsule| capsule.frames.iter().map(|frame| frame.input.stack.full_body).collect::<Vec<_>>();
        assert_eq!(settings(&written), settings(&made), "{}", case.name);
    }
}

/// Changes some numbers of a pose in their last bit.
fn noisy(pose: &[RigidTransform], mut seed: u32) -> Vec<RigidTransform> {
    let mut off = |x: f32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        [x.next_down(), x, x.next_up()][(seed >> 16) as usize % 3]
    };
    let noisy = |bone: &RigidTransform| RigidTransform {
        position: Vec3::from(bone.position.to_array().map(&mut off)),
        rotation: Quat::from_array(bone.rotation.to_array().map(&mut off)),
    };
    pose.iter().map(noisy).collect()
}

#[test]
fn noise_in_the_last_bit_stays_noise() {
    for case in &CASES {
        for seed in 0..20 {
            let mut capsule = case.capsule();
            for frame in &mut capsule.frames {
                let animated = &mut Arc::make_mut(&mut frame.input.animated).bones;
                *animated = noisy(animated, seed);
            }
            let off = capsule.check(|_| None).unwrap().iter().map(|change| change.distance).fold(0.0, f32::max);
            assert!(off <= 0.1 * TOLERANCE * height(), "{}: {off}", case.name);
        }
    }
}

/// Every capsule fails if the solver changes slightly: here, by 5 % of the effectors' position
/// weights, position offsets and `maintain_relative_position`.
#[test]
fn a_small_change_is_more_than_the_tolerance() {
    for case in &CASES {
        let mut capsule = case.written_capsule();
        for frame in &mut capsule.frames {
            for effector in &mut Arc::make_mut(&mut frame.input.stack).full_body.effectors {
                effector.position_weight *= 0.95;
                effector.maintain_relative_position *= 0.95;
                effector.position_offset *= 0.95;
            }
        }
        let changes = capsule.check(|_| None).unwrap();
        assert_eq!(changes.len(), capsule.frames.len(), "{}", case.name);
        assert!(
            changes.iter().all(|change| change.distance > 2.0 * TOLERANCE * height()),
            "{}: {changes:?}",
            case.name
        );
    }
}
