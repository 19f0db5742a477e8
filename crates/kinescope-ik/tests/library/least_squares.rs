//! The least-squares body: targets within the limits are reached, poses without targets stay, sides are alike, and each
//! setting has its effect.

use std::sync::Arc;

use glam::{Quat, Vec3};
use kinescope_ik::Settings;
use kinescope_ik::full_body::Effector;
use kinescope_ik::joints::{JointPose, Joints};
use kinescope_ik::least_squares::{
    Cause, LastPose, LeastSquaresRun, LeastSquaresSettings, Outcome, Recording, Stage, Workspace, solve,
};
use kinescope_ik::notation::Value;
use kinescope_ik::rig::{LimbName, RigidTransform};
use kinescope_ik::stepped::Cursor;
use kinescope_ik::stepped::run::{Run, Unit};
use proptest::prelude::*;

use crate::allocation::allocations;
use crate::common::property::property;
use crate::common::synthetic::Character;

fn setup() -> (Character, Arc<Joints>) {
    let character = Character::new();
    let joints = Joints::new(&character.skeleton, &character.biped, &character.reference).unwrap();
    (character, Arc::new(joints))
}

fn target(settings: &mut Settings, effector: Effector, position: Vec3) {
    let own = settings.effector_mut(effector);
    (own.position, own.position_weight) = (Some(position), 1.0);
}

fn solved(
    joints: &Joints,
    settings: &LeastSquaresSettings,
    targets: &Settings,
    from: &[RigidTransform],
) -> (Vec<RigidTransform>, Outcome) {
    let mut pose = from.to_vec();
    let outcome =
        solve(joints, settings, targets, &mut LastPose::default(), &mut Workspace::default(), &mut pose).unwrap();
    (pose, outcome)
}

/// A generator of numbers from 0 to below 1; the same seed gives the same numbers.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }
}

/// Returns the pose with each joint but the root turned by up to 1.5 rad about each axis, then clamped to its limits.
fn within_limits(joints: &Joints, from: &JointPose, numbers: &mut Numbers) -> JointPose {
    let mut pose = *from;
    for joint in 1..joints.len() {
        let vector = Vec3::new(numbers.next(), numbers.next(), numbers.next()) * 2.0 - Vec3::ONE;
        let turn = Quat::from_scaled_axis(vector * 1.5);
        pose.rotations[joint] = joints.limits.clamp(joint, turn * pose.rotations[joint]);
    }
    pose
}

/// Nine sets of 1,000 poses with the default settings. Without the step [`Stage::Ease`], some solves would end more
/// than 1 mm off target, where the pull to the animated pose and the targets balance.
#[test]
fn thousands_of_random_targets_within_the_limits_are_reached() {
    let (character, joints) = setup();
    let reference = joints.read(&character.reference).unwrap();
    let settings = LeastSquaresSettings::default();
    let mut workspace = Workspace::default();
    let (mut missed, mut largest, mut iterations) = (Vec::new(), [0.0f32; 2], 0);
    let mut sets = [1, 3, 5, 7, 9, 11, 13, 15, 17].map(Numbers);
    let rounds = (0..9000).map(|round| (round / 1000, round % 1000));
    for (set, round) in rounds {
        let numbers = &mut sets[set];
        let placed = joints.place(&within_limits(&joints, &reference, numbers));
        let mut targets = Settings::default();
        for effector in Effector::END {
            target(&mut targets, effector, placed.of(joints.effector(effector)).position);
        }
        let mut pose = character.reference.clone();
        let outcome = solve(&joints, &settings, &targets, &mut LastPose::default(), &mut workspace, &mut pose).unwrap();
        let off = |effector| {
            let joint = joints.effector(effector);
            pose[joints.all()[joint].bone].position.distance(placed.of(joint).position)
        };
        let distance = Effector::END.map(off).into_iter().fold(0.0, f32::max);
        let violation = joints.limit_violation(&joints.read(&pose).unwrap()).1;
        assert!((distance - outcome.distance).abs() < 1e-5, "{distance} {outcome:?}");
        assert!(joints.length_error(&character.reference, &pose) < 1e-5);
        largest = [largest[0].max(distance), largest[1].max(violation)];
        iterations += outcome.iterations;
        if distance > 1e-3 {
            missed.push((set, round, distance, violation, outcome.iterations));
        }
    }
    let mean = iterations as f32 / 9000.0;
    println!("largest distance {} m, largest excess {} rad, mean iterations {mean}", largest[0], largest[1]);
    assert!(missed.is_empty(), "{} missed: {missed:?}", missed.len());
    // Joints may exceed their limits by 0.05 rad.
    assert!(largest[1] < 0.051, "{}", largest[1]);
    assert!(mean < 20.0, "{mean}");
}

/// A target at the end of reach is missed by more than 0.03 % of the height until the pull to the animated pose is
/// weak.
#[test]
fn a_missed_target_eases_the_pull_to_the_animated_pose() {
    let (character, joints) = setup();
    let at = |height: f32| {
        let mut targets = Settings::default();
        target(&mut targets, Effector::LeftHand, Vec3::new(0.2, 1.3, height));
        target(&mut targets, Effector::RightHand, Vec3::new(-0.2, 1.3, height));
        for foot in [Effector::LeftFoot, Effector::RightFoot] {
            targets.effector_mut(foot).position_weight = 1.0;
        }
        targets
    };
    let run = recorded(&LeastSquaresSettings::default(), &at(1.5));
    let steps: Vec<usize> = (0..run.steps()).filter(|&step| run.step(step).key == Stage::Ease.key()).collect();
    let [step] = steps[..] else { panic!("{steps:?}") };
    let steps = &run.recording.solve;
    let [event] = steps.events_of(step) else { panic!("one event") };
    assert!(matches!(event.cause, Cause::Missed(_)));
    let height = joints.height();
    assert!(event.by.length() > 0.0003 * height && run.recording.outcome.distance < 0.0003 * height);
    let pull = steps.steps[step].state.pull;
    let sheet = run.formula(step, 0).unwrap();
    let Value::Number(shown) = sheet.result else { panic!("{:?}", sheet.result) };
    assert!((shown - pull).abs() < 1e-6 && (0.01..1.0).contains(&pull), "{shown} {pull}");
    // A target that is reached, and a solve of few iterations, keep the pull.
    for (settings, targets) in [
        (LeastSquaresSettings::default(), at(0.9)),
        (LeastSquaresSettings { iterations: 3, ..LeastSquaresSettings::default() }, at(1.5)),
    ] {
        let run = recorded(&settings, &targets);
        assert!((0..run.steps()).all(|step| run.step(step).key != Stage::Ease.key()));
        assert_eq!(run.recording.solve.end().pull, 1.0);
    }
    // Hands that move through the end of reach and back make no jump. Where the arms are nearly straight, joints turn
    // by several degrees in a frame.
    let (mut last, mut workspace, mut before) =
        (LastPose::default(), Workspace::default(), None::<Vec<RigidTransform>>);
    for frame in 0..400 {
        let mut pose = character.reference.clone();
        let far = 1.0 + 0.5 * (1.0 - (frame as f32 / 400.0 * std::f32::consts::TAU).cos());
        solve(&joints, &LeastSquaresSettings::default(), &at(far), &mut last, &mut workspace, &mut pose).unwrap();
        if let Some(before) = &before {
            let steps = pose.iter().zip(before).map(|(is, was)| is.rotation.angle_between(was.rotation).to_degrees());
            let largest = steps.fold(0.0, f32::max);
            assert!(largest < 10.0, "frame {frame}, {far}: {largest}°");
        }
        before = Some(pose);
    }
}

/// A hand out of reach makes the sum of squares large. The right hand must still come to within 2 cm of where
/// 200 iterations take it.
#[test]
fn a_target_out_of_reach_does_not_end_the_solve_early() {
    let (character, joints) = setup();
    let mut targets = Settings::default();
    target(&mut targets, Effector::LeftHand, Vec3::new(2.5, 1.0, 1.5));
    target(&mut targets, Effector::RightHand, Vec3::new(-0.3, 1.1, 0.45));
    for pinned in [Effector::LeftFoot, Effector::RightFoot, Effector::Body] {
        targets.effector_mut(pinned).position_weight = 1.0;
    }
    let hand =
        |settings: &LeastSquaresSettings| solved(&joints, settings, &targets, &character.reference).0[13].position;
    let own = hand(&LeastSquaresSettings::default());
    let most = hand(&LeastSquaresSettings { iterations: 200, tolerance: 0.0, ..LeastSquaresSettings::default() });
    assert!(own.distance(most) < 0.02, "{own} {most}");
}

#[test]
fn nothing_moves_without_a_target() {
    let (character, joints) = setup();
    let turns: Vec<Quat> = (0..Character::BONES).map(|bone| Quat::from_rotation_x(bone as f32 * 0.3)).collect();
    let pose = character.turned(&character.reference, &turns);
    let (after, outcome) = solved(&joints, &LeastSquaresSettings::default(), &Settings::default(), &pose);
    assert_eq!((after, outcome), (pose.clone(), Outcome::default()));
    // Targets at the animated places change nothing, also where the animation exceeds a limit.
    let mut targets = Settings::default();
    Effector::END.into_iter().for_each(|effector| targets.effector_mut(effector).position_weight = 1.0);
    let (after, _) = solved(&joints, &LeastSquaresSettings::default(), &targets, &pose);
    for (was, is) in pose.iter().zip(&after) {
        assert!(was.position.distance(is.position) < 1e-4);
    }
}

#[test]
fn results_are_mirrored_and_repeatable() {
    let (character, joints) = setup();
    // The character is not symmetric: joints differ from the mirror image by up to 1.5 cm, so the results differ too.
    let mirror = |v: Vec3| Vec3::new(-v.x, v.y, v.z);
    let at = Vec3::new(0.45, 1.2, 0.5);
    let run = |effector: Effector, at: Vec3, pinned: Effector| {
        let mut targets = Settings::default();
        target(&mut targets, effector, at);
        targets.effector_mut(pinned).position_weight = 1.0;
        solved(&joints, &LeastSquaresSettings::default(), &targets, &character.reference)
    };
    let left = run(Effector::LeftHand, at, Effector::LeftFoot);
    assert_eq!(left, run(Effector::LeftHand, at, Effector::LeftFoot));
    let right = run(Effector::RightHand, mirror(at), Effector::RightFoot);
    let pairs = [(0, 0), (3, 3), (7, 12), (8, 13), (16, 20), (17, 21)];
    for (a, b) in pairs {
        let (a, b) = (left.0[a].position, right.0[b].position);
        assert!(a.distance(mirror(b)) < 0.04, "{a} {b}");
    }
}

/// Gives body, right shoulder and feet a position weight, so that little but the arms is free.
fn pin_trunk_and_feet(targets: &mut Settings) {
    for pinned in [Effector::Body, Effector::RightShoulder, Effector::LeftFoot, Effector::RightFoot] {
        targets.effector_mut(pinned).position_weight = 1.0;
    }
}

#[test]
fn joint_limits_are_exceeded_by_three_degrees_at_most() {
    let (character, joints) = setup();
    let targets = |at: Vec3| {
        let mut targets = Settings::default();
        target(&mut targets, Effector::LeftHand, at);
        pin_trunk_and_feet(&mut targets);
        targets
    };
    let violation = |settings: &LeastSquaresSettings, targets: &Settings| {
        let (pose, _) = solved(&joints, settings, targets, &character.reference);
        joints.limit_violation(&joints.read(&pose).unwrap()).1
    };
    // Targets behind the character; the second is far out of reach.
    for at in [Vec3::new(-0.1, 1.3, -0.9), Vec3::new(0.35, 1.0, -2.5), Vec3::new(-0.6, 0.3, -0.2)] {
        let targets = targets(at);
        for iterations in [1, 2, 3, 5, 16, 60] {
            for limits in [0.01, 0.3, 3.0] {
                let settings = LeastSquaresSettings { iterations, limits, ..LeastSquaresSettings::default() };
                let violation = violation(&settings, &targets);
                assert!(violation < 0.051, "{at}, {iterations} iterations, weight {limits}: {violation}");
            }
        }
    }
    let free = LeastSquaresSettings { limits: 0.0, ..LeastSquaresSettings::default() };
    assert!(violation(&free, &targets(Vec3::new(-0.1, 1.3, -0.9))) > 0.2);
    // A joint may exceed its limit as far as the animation does, and 0.05 rad more.
    let mut animated = joints.read(&character.reference).unwrap();
    let [_, elbow, _] = joints.limb(LimbName::LeftArm);
    let limit = joints.limits.get(elbow).unwrap();
    let from_centre = animated.rotations[elbow] * limit.centre().conjugate();
    animated.rotations[elbow] = (from_centre * animated.rotations[elbow]).normalize();
    let allowed = joints.limits.violation(elbow, animated.rotations[elbow]);
    assert!(allowed > 0.3, "{allowed}");
    let mut pose = character.reference.clone();
    joints.write(&animated, &mut pose);
    let (pose, _) = solved(&joints, &LeastSquaresSettings::default(), &targets(Vec3::new(0.35, 1.0, -2.5)), &pose);
    let violation = joints.limits.violation(elbow, joints.read(&pose).unwrap().rotations[elbow]);
    assert!(violation < allowed + 0.051, "{violation} {allowed}");
}

#[test]
fn rotations_and_bend_goals_are_reached() {
    let (character, joints) = setup();
    let settings = LeastSquaresSettings { iterations: 100, tolerance: 1e-5, ..LeastSquaresSettings::default() };
    let mut targets = Settings::default();
    target(&mut targets, Effector::LeftHand, Vec3::new(0.4, 1.3, 0.35));
    let rotation = Quat::from_rotation_y(0.5) * character.reference[8].rotation;
    let mut turned = targets;
    let hand = turned.effector_mut(Effector::LeftHand);
    (hand.rotation, hand.rotation_weight) = (Some(rotation), 1.0);
    let (pose, outcome) = solved(&joints, &settings, &turned, &character.reference);
    let off = pose[8].rotation.angle_between(rotation);
    assert!(outcome.distance < 1e-3 && off < 0.01, "{outcome:?} {off}");
    // The trunk is pinned: with a free trunk the arm is nearly straight, and the weight of a bend goal fades there.
    for pinned in [Effector::Body, Effector::LeftShoulder, Effector::RightShoulder] {
        targets.effector_mut(pinned).position_weight = 1.0;
    }
    targets.chain_mut(LimbName::LeftArm).bend_weight = 1.0;
    for goal in [Vec3::new(0.6, 0.5, 0.0), Vec3::new(0.6, 2.5, 0.0)] {
        targets.chain_mut(LimbName::LeftArm).bend_goal = Some(goal);
        let (pose, outcome) = solved(&joints, &settings, &targets, &character.reference);
        assert!(joints.length_error(&character.reference, &pose) < 1e-4);
        let [shoulder, elbow, hand] = [6, 7, 8].map(|bone| pose[bone].position);
        let across = |v: Vec3| v.reject_from(hand - shoulder);
        let angle = across(elbow - shoulder).angle_between(across(goal - shoulder.midpoint(hand)));
        assert!(outcome.distance < 2e-3 && angle < 0.1, "{goal}: {outcome:?} {angle}");
    }
}

#[test]
fn balance_and_separation_act() {
    let (character, joints) = setup();
    let mut targets = Settings::default();
    target(&mut targets, Effector::LeftHand, Vec3::new(0.3, 1.2, 1.1));
    for foot in [Effector::LeftFoot, Effector::RightFoot] {
        (targets.effector_mut(foot).position_weight, targets.effector_mut(foot).rotation_weight) = (1.0, 1.0);
    }
    let margin = |balance: f32| {
        let settings = LeastSquaresSettings { balance, iterations: 60, ..LeastSquaresSettings::default() };
        let (pose, _) = solved(&joints, &settings, &targets, &character.reference);
        let placed = joints.placement_of(&pose).unwrap();
        joints.support(&placed).margin(joints.centre_of_mass(&placed))
    };
    assert!(margin(0.0) < -0.005 && margin(3.0) > margin(0.0) + 0.005, "{} {}", margin(0.0), margin(3.0));
    // A hand inside the chest.
    let mut targets = Settings::default();
    target(&mut targets, Effector::LeftHand, Vec3::new(0.02, 1.25, 0.03));
    // Without these pins, the whole body would move away from the hand.
    pin_trunk_and_feet(&mut targets);
    let overlap = |separation: f32| {
        let settings = LeastSquaresSettings { separation, iterations: 60, ..LeastSquaresSettings::default() };
        let (pose, _) = solved(&joints, &settings, &targets, &character.reference);
        joints.overlap(&joints.placement_of(&pose).unwrap())
    };
    assert!(overlap(3.0) < overlap(0.0) - 0.02, "{} {}", overlap(3.0), overlap(0.0));
}

#[test]
fn a_warm_start_needs_fewer_iterations_and_smoothness_slows() {
    let (character, joints) = setup();
    let mut targets = Settings::default();
    target(&mut targets, Effector::LeftHand, Vec3::new(0.35, 1.0, 0.55));
    let (mut last, mut workspace) = (LastPose::default(), Workspace::default());
    let mut step = |settings: &LeastSquaresSettings, targets: &Settings| {
        let mut pose = character.reference.clone();
        let outcome = solve(&joints, settings, targets, &mut last, &mut workspace, &mut pose).unwrap();
        (pose[8].position, outcome.iterations)
    };
    let settings = LeastSquaresSettings::default();
    let (_, cold) = step(&settings, &targets);
    let (at, warm) = step(&settings, &targets);
    assert!(warm < cold && warm <= 2 && cold <= 8, "{warm} {cold}");
    target(&mut targets, Effector::LeftHand, Vec3::new(0.3, 1.5, 0.5));
    let smooth = LeastSquaresSettings { smoothness: 1.0, ..settings };
    let (trailing, _) = step(&smooth, &targets);
    let whole = at.distance(Vec3::new(0.3, 1.5, 0.5));
    assert!((0.01 * whole..0.8 * whole).contains(&at.distance(trailing)));
}

#[test]
fn a_recording_is_the_solve_and_its_turns_add_up() {
    let mut targets = Settings::default();
    target(&mut targets, Effector::LeftHand, Vec3::new(0.35, 1.0, 0.55));
    target(&mut targets, Effector::RightFoot, Vec3::new(-0.2, 0.3, 0.2));
    let settings = LeastSquaresSettings { balance: 1.0, separation: 1.0, ..LeastSquaresSettings::default() };
    let run = recorded(&settings, &targets);
    let distance = run.measure(run.main_measure().unwrap(), Cursor::end(&run));
    assert!(distance < 2e-3, "{distance}");
    // Out of reach: joints stop at their limits.
    let mut targets = Settings::default();
    target(&mut targets, Effector::LeftHand, Vec3::new(-0.6, 0.3, -1.2));
    pin_trunk_and_feet(&mut targets);
    let run = recorded(&LeastSquaresSettings { iterations: 3, ..settings }, &targets);
    let moves = (0..run.steps()).flat_map(|step| run.recording.solve.events_of(step));
    assert!(moves.filter(|turn| turn.cause == Cause::Limits).count() > 3);
}

/// Records a solve, and checks the recording against the solve itself.
fn recorded(settings: &LeastSquaresSettings, targets: &Settings) -> LeastSquaresRun {
    let (character, joints) = setup();
    let (pose, outcome) = solved(&joints, settings, targets, &character.reference);
    let mut recorded = character.reference.clone();
    let recording =
        Recording::record(joints.clone(), settings, targets, &mut LastPose::default(), &mut recorded).unwrap();
    assert_eq!((&recorded, recording.outcome), (&pose, outcome));
    let run = LeastSquaresRun { recording };
    let end = Cursor::end(&run);
    let mut shown = character.reference.clone();
    run.pose(end, &mut shown);
    assert_eq!(shown, pose);
    for step in 0..run.steps() {
        let count = run.events(step);
        let Some(last) = count.checked_sub(1) else { continue };
        let after = run.places(Cursor { step, within: None });
        let added = run.places(Cursor { step, within: Some(last) });
        for (a, b) in after.iter().zip(&added) {
            assert!(a.distance(*b) < 5e-4, "{step}: {a} {b}");
        }
        for event in 0..count {
            let at = Cursor { step, within: Some(event) };
            let view = run.event(step, event, &|length| format!("{length}"));
            assert!(!view.text.is_empty() && !run.cause(step, event).label.is_empty());
            let _ = run.places(at);
        }
        let sheet = run.formula(step, 0).unwrap();
        assert!(!sheet.lines.is_empty());
    }
    for measure in 0..run.measures().len() {
        assert!(run.measure(measure, end).is_finite());
    }
    let distance = run.measure(run.main_measure().unwrap(), end);
    assert_eq!(distance, outcome.distance);
    run
}

#[test]
fn solving_by_least_squares_allocates_nothing() {
    let (character, joints) = setup();
    let mut targets = Settings::default();
    Effector::ALL.into_iter().for_each(|effector| targets.effector_mut(effector).position_weight = 1.0);
    target(&mut targets, Effector::LeftHand, Vec3::new(0.3, 1.2, 0.5));
    let settings =
        LeastSquaresSettings { balance: 1.0, separation: 1.0, smoothness: 0.1, ..LeastSquaresSettings::default() };
    let (mut last, mut workspace) = (LastPose::default(), Workspace::default());
    let mut pose = character.reference.clone();
    solve(&joints, &settings, &targets, &mut last, &mut workspace, &mut pose).unwrap();
    pose.copy_from_slice(&character.reference);
    let counted = allocations(|| {
        solve(&joints, &settings, &targets, &mut last, &mut workspace, &mut pose).unwrap();
    });
    assert_eq!(counted, 0);
}

property! {
    #[test]
    fn least_squares_is_finite_for_hostile_input(numbers in proptest::collection::vec(prop_oneof![-2.0f32..2.0, any::<f32>(), Just(f32::NAN)], 24)) {
        let (character, joints) = setup();
        let v = |at: usize| Vec3::new(numbers[at], numbers[at + 1], numbers[at + 2]);
        let mut targets = Settings::default();
        for (index, effector) in Effector::ALL.into_iter().enumerate() {
            let own = targets.effector_mut(effector);
            (own.position, own.position_weight) = (Some(v(index)), numbers[index + 3]);
            (own.rotation, own.rotation_weight) = (Some(Quat::from_scaled_axis(v(index + 2))), numbers[index]);
            own.position_offset = v(index + 5);
        }
        targets.chains[0].bend_goal = Some(v(4));
        targets.chains[0].bend_weight = numbers[11];
        let settings = LeastSquaresSettings {
            position: numbers[12], rotation: numbers[13], bend: numbers[14], limits: numbers[15], rest: numbers[16],
            trunk: numbers[17], root: numbers[18], smoothness: numbers[19], balance: numbers[20], separation: numbers[21],
            damping: numbers[22], tolerance: numbers[23], ..LeastSquaresSettings::default()
        };
        let mut last = LastPose { shift: v(7), turns: vec![Quat::from_xyzw(numbers[0], numbers[1], numbers[2], numbers[3]); joints.len()] };
        let mut pose = character.reference.clone();
        solve(&joints, &settings, &targets, &mut last, &mut Workspace::default(), &mut pose).unwrap();
        prop_assert!(pose.iter().all(RigidTransform::is_finite));
        pose[3].position.x = f32::NAN;
        prop_assert!(solve(&joints, &settings, &targets, &mut last, &mut Workspace::default(), &mut pose).is_err());
    }
}

#[test]
fn turns_show_the_angle_of_the_applied_rotation() {
    let mut targets = Settings::default();
    target(&mut targets, Effector::LeftHand, Vec3::new(0.4, 1.7, 0.6));
    let run = recorded(&LeastSquaresSettings::default(), &targets);
    let mut largest = 0.0f32;
    for step in 0..run.steps() {
        for (event, moved) in run.recording.solve.events_of(step).iter().enumerate() {
            if moved.joint.is_none() || matches!(moved.cause, Cause::Missed(_)) {
                continue;
            }
            let angle = (2.0 * moved.turn.xyz().length().atan2(moved.turn.w.abs())).to_degrees();
            let text = run.event(step, event, &|length| format!("{length}")).text;
            let (_, shown) = text.split_once(" turns by ").unwrap();
            let shown: f32 = shown.split_once('°').unwrap().0.parse().unwrap();
            assert!((shown - angle).abs() < 0.006, "{text}: {angle}");
            largest = largest.max((moved.by.length().to_degrees() - angle).abs());
        }
    }
    assert!(largest > 0.01, "the angle of the linearization is off by {largest}° only");
}

#[test]
fn sums_of_squares_are_plain_numbers() {
    let mut targets = Settings::default();
    target(&mut targets, Effector::LeftHand, Vec3::new(0.4, 1.7, 0.6));
    let measures = recorded(&LeastSquaresSettings::default(), &targets).measures();
    let sums: Vec<_> = measures.iter().filter(|measure| measure.family == "residuals").collect();
    assert_eq!(sums.len(), 1 + Stage::TERMS.len());
    assert!(sums.iter().all(|measure| measure.unit == Unit::Number), "{sums:?}");
}
