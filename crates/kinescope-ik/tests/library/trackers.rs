//! Trackers: streams, calibration, targets, and the attribution of errors.

use std::sync::{Arc, OnceLock};

use glam::{Quat, Vec3};
use kinescope_ik::debugger::tracker_errors::{TrackedJoint, TrackerCause, TrackerErrors, tracker_errors};
use kinescope_ik::modifiers::Figure;
use kinescope_ik::parameter::Parameters;
use kinescope_ik::rig::{LimbName, ModelPose, RigidTransform};
use kinescope_ik::stack::{Input, LayerId, Place, Rig, Stack, Tools, solve};
use kinescope_ik::stepped::Cursor;
use kinescope_ik::trackers::{
    Body, Calibration, CalibrationPose, DropOut, Mounts, Points, Targets, Tracker, TrackerSettings, TrackerState,
    Wearer, readings,
};

use crate::common::built_in::built_in;

fn rig() -> &'static Rig {
    static RIG: OnceLock<Rig> = OnceLock::new();
    RIG.get_or_init(|| built_in().rig())
}

fn wearer() -> Wearer {
    Wearer::new(rig().figure.clone().unwrap(), built_in().reference()).unwrap()
}

fn pose(time: f32) -> Vec<RigidTransform> {
    built_in().pose("walk", time)
}

fn exact(points: Points) -> TrackerSettings {
    TrackerSettings { on: true, points, ..TrackerSettings::default().without_noise() }
}

fn calibrated(settings: TrackerSettings) -> TrackerSettings {
    let wearer = wearer();
    let calibration = Calibration::new(&wearer, &settings, &wearer.reference);
    TrackerSettings { calibration: Some(calibration), ..settings }
}

fn targets(settings: &TrackerSettings, pose: &[RigidTransform], root: &RigidTransform) -> (Targets, Body) {
    let wearer = wearer();
    let truth = wearer.read(pose, root).unwrap();
    let readings = readings(&wearer, settings, &truth, 0.3, &mut TrackerState::default());
    (Targets::new(&wearer, settings, &readings, root), truth)
}

/// Returns the largest distance of a target from its bone, in metres. Asserts that their rotations agree.
fn worst(settings: &TrackerSettings, pose: &[RigidTransform]) -> f32 {
    let (targets, truth) = targets(settings, pose, &RigidTransform::IDENTITY);
    let off = settings.points.trackers().iter().map(|&tracker| {
        let target = targets.bone(tracker).unwrap();
        let turn = target.rotation.angle_between(truth.bone(tracker).rotation);
        assert!(turn < 2e-3, "{tracker:?} is turned by {turn}");
        target.position.distance(truth.bone(tracker).position)
    });
    off.fold(0.0, f32::max)
}

fn frames(count: usize) -> Vec<ModelPose> {
    (0..count).map(|frame| ModelPose::rigid(pose(frame as f32 / 15.0))).collect()
}

fn errors(settings: TrackerSettings, count: usize) -> TrackerErrors {
    let mut stack = Stack::default();
    stack.order.trackers = settings;
    tracker_errors(rig(), &stack, (&frames(count), 1.0 / 15.0), &mut |_| true).unwrap()
}

#[test]
fn without_noise_and_with_exact_places_the_targets_are_the_clips() {
    for points in Points::ALL {
        let settings = exact(points).with_exact_mounts();
        for frame in 0..12 {
            let off = worst(&settings, &pose(frame as f32 / 12.0));
            assert!(off < 1e-4, "{points:?}: {off}");
        }
    }
}

#[test]
fn targets_follow_the_root() {
    let root = RigidTransform { position: Vec3::new(3.0, 0.5, -2.0), rotation: Quat::from_rotation_y(1.1) };
    let settings = calibrated(TrackerSettings { height: 1.2, ..exact(Points::Eleven) });
    let moved: Vec<_> = pose(0.4).iter().map(|bone| root.transform(bone)).collect();
    let (targets, truth) = targets(&settings, &moved, &root);
    for &tracker in Points::Eleven.trackers() {
        let wanted = root.transform(truth.bone(tracker)).position;
        assert!(targets.bone(tracker).unwrap().position.distance(wanted) < 1e-3, "{tracker:?}");
    }
}

#[test]
fn calibration_finds_places_height_and_arms() {
    let mut mounts = Mounts::default();
    *mounts.get_mut(Tracker::LeftKnee) =
        RigidTransform { position: Vec3::new(0.02, -0.11, 0.07), rotation: Quat::from_rotation_z(0.6) };
    let planted = TrackerSettings { height: 1.17, arms: 1.08, mounts, ..exact(Points::Eleven) };
    let found = calibrated(planted.clone()).calibration.unwrap();
    assert!((found.height - 1.17).abs() < 1e-4, "{}", found.height);
    assert!((found.arms - 1.08).abs() < 1e-3, "{}", found.arms);
    assert!(found.leg_length.is_some());
    for tracker in Tracker::ALL {
        let (found, wanted) = (found.mounts.get(tracker), mounts.get(tracker));
        assert!(found.position.distance(wanted.position) < 1e-3, "{tracker:?}: {found:?}, {wanted:?}");
        assert!(found.rotation.angle_between(wanted.rotation) < 2e-3, "{tracker:?}");
    }
    // A user of another height is scaled to the character.
    let tall = calibrated(TrackerSettings { height: 1.17, mounts, ..exact(Points::Six) });
    assert!(worst(&tall, &pose(0.3)) < 1e-3);
    assert!(worst(&TrackerSettings { calibration: None, ..tall }.with_exact_mounts(), &pose(0.3)) > 0.1);
}

#[test]
fn calibration_in_another_pose_finds_the_same() {
    let wearer = wearer();
    let planted = TrackerSettings { height: 0.9, moment: CalibrationPose::FirstFrame, ..exact(Points::Eleven) };
    let first = wearer.read(&pose(0.0), &RigidTransform::IDENTITY).unwrap();
    let found = Calibration::new(&wearer, &planted, &first);
    assert!((found.height - 0.9).abs() < 1e-4);
    let off = found.mounts.get(Tracker::Chest).position.distance(planted.mounts.chest.position);
    assert!(off < 1e-3, "{off}");
}

#[test]
fn a_slouch_makes_the_arms_seem_short_and_their_straps_off() {
    let found = calibrated(TrackerSettings { slouch: 20.0, ..exact(Points::Eleven) }).calibration.unwrap();
    assert!(found.arms < 0.99, "{}", found.arms);
    assert!((found.height - 1.0).abs() < 1e-4);
    let off =
        |tracker: Tracker| found.mounts.get(tracker).rotation.angle_between(Mounts::default().get(tracker).rotation);
    assert!(off(Tracker::LeftElbow).to_degrees() > 15.0);
    assert!(off(Tracker::LeftKnee) < 2e-3);
}

#[test]
fn mirrored_poses_have_mirrored_targets() {
    let bend = |limb: LimbName, by: f32| {
        let side = if limb == LimbName::LeftArm { 1.0 } else { -1.0 };
        let mut pose = built_in().reference().to_vec();
        let figure: &Arc<Figure> = rig().figure.as_ref().unwrap();
        let [upper, _, _] = figure.limbs[limb.index()];
        let (at, turn) = (pose[upper].position, Quat::from_rotation_y(-side * by));
        for (bone, own) in pose.iter_mut().enumerate() {
            if bone == upper || rig().skeleton.is_ancestor(upper, bone) {
                *own = RigidTransform { position: at + turn * (own.position - at), rotation: turn * own.rotation };
            }
        }
        pose
    };
    let settings = calibrated(TrackerSettings { height: 1.1, arms: 0.9, slouch: 15.0, ..exact(Points::Eleven) });
    let of = |pose: &[RigidTransform]| targets(&settings, pose, &RigidTransform::IDENTITY).0;
    let (left, right) = (of(&bend(LimbName::LeftArm, 0.7)), of(&bend(LimbName::RightArm, 0.7)));
    assert!(
        left.bone(Tracker::LeftHand).unwrap().position.distance(left.bone(Tracker::RightHand).unwrap().position) > 0.3
    );
    for tracker in Tracker::ALL {
        let mirrored = right.bone(tracker.opposite()).unwrap().position * Vec3::new(-1.0, 1.0, 1.0);
        let off = left.bone(tracker).unwrap().position.distance(mirrored);
        assert!(off < 2e-3, "{tracker:?}: {off}");
    }
}

#[test]
fn a_frozen_tracker_repeats_its_last_reading_and_a_vanished_one_has_no_weight() {
    let wearer = wearer();
    let of = |drop_out| TrackerSettings { drop_outs: 30.0, drop_out_time: 1.0, drop_out, ..exact(Points::Six) };
    let run = |settings: &TrackerSettings| {
        let mut state = TrackerState::default();
        let each = |frame: usize| {
            let time = frame as f32 / 30.0;
            let body = wearer.read(&pose(time % 1.0), &RigidTransform::IDENTITY).unwrap();
            readings(&wearer, settings, &body, time, &mut state)
        };
        (0..240).map(each).collect::<Vec<_>>()
    };
    let frozen = run(&of(DropOut::Freeze));
    let hand = |frame: usize| frozen[frame][1];
    let drops: Vec<usize> = (1..240).filter(|&frame| hand(frame).dropped && !hand(frame - 1).dropped).collect();
    assert!(!drops.is_empty());
    for frame in drops {
        assert_eq!(hand(frame).reported, hand(frame - 1).reported);
    }
    assert!(frozen.iter().flatten().all(|reading| reading.reported.is_some_and(|own| own.is_finite())));
    let vanished = run(&of(DropOut::Vanish));
    let gone = vanished.iter().find(|readings| readings[1].dropped).unwrap();
    assert_eq!(gone[1].reported, None);
    let targets = Targets::new(&wearer, &of(DropOut::Vanish), gone, &RigidTransform::IDENTITY);
    let (mut settings, mut modifiers) = (kinescope_ik::Settings::default(), Vec::new());
    targets.apply(Points::Six.trackers(), &mut settings, &mut modifiers);
    assert_eq!(settings.effector(kinescope_ik::Effector::LeftHand).position_weight, 0.0);
    assert_eq!(modifiers.len(), 1);
}

#[test]
fn drop_outs_and_hostile_numbers_stay_finite_or_are_errors() {
    let mut stack = Stack::default();
    let large = TrackerSettings {
        drop_outs: 60.0,
        drop_out_time: 60.0,
        drop_out: DropOut::Vanish,
        height: 4.0,
        noise: 1.0,
        noise_angle: 90.0,
        drift: 1.0,
        drift_angle: 90.0,
        ..calibrated(exact(Points::Eleven))
    };
    for drop_out in DropOut::ALL {
        stack.order.trackers = TrackerSettings { drop_out, ..large.clone() };
        assert!(stack.validate().is_ok());
        for time in [0.0, 1.0, -5.0, 1e30, f32::MAX, f32::NAN] {
            let place = Place { clip_time: time, ..Place::default() };
            let input = Input { place, ..Input::new(stack.clone(), ModelPose::rigid(pose(0.2))) };
            let frame = solve(rig(), Tools::default(), &input);
            assert!(frame.pose.iter().all(RigidTransform::is_finite), "{time}");
        }
    }
    for parameter in TrackerSettings::PARAMETERS {
        for value in [f32::NAN, f32::INFINITY, parameter.max * 2.0 + 1.0] {
            stack.order.trackers = large.clone();
            let was = large.number(parameter.key);
            stack.order.trackers.set_number(parameter.key, value);
            if stack.order.trackers.number(parameter.key) == was || parameter.is_whole() && value.is_nan() {
                continue;
            }
            let text = stack.validate().unwrap_err().to_string();
            assert!(text.starts_with(&format!("stack.trackers.{}", parameter.key)), "{text}");
            let input = Input::new(stack.clone(), ModelPose::rigid(pose(0.2)));
            assert_eq!(solve(rig(), Tools::default(), &input).problem().unwrap().0, LayerId::Trackers);
        }
    }
    stack.order.trackers = exact(Points::Six);
    stack.order.trackers.mounts.chest.position.y = f32::NAN;
    assert!(stack.validate().unwrap_err().to_string().starts_with("stack.trackers.mounts.chest.position"));
    stack.order.trackers.mounts = Mounts::default();
    stack.order.trackers.calibration = Some(Calibration { height: 0.0, ..Calibration::default() });
    assert!(stack.validate().unwrap_err().to_string().starts_with("stack.trackers.calibration.height"));
    let mut broken = pose(0.2);
    broken[rig().figure.as_ref().unwrap().pelvis].position.x = f32::NAN;
    stack.order.trackers = exact(Points::Six);
    let frame = solve(rig(), Tools::default(), &Input::new(stack, ModelPose::rigid(broken)));
    assert!(frame.problem().is_some());
}

#[test]
fn the_parts_of_the_error_sum_to_the_whole() {
    let settings = calibrated(TrackerSettings {
        height: 1.2,
        legs: 1.1,
        slouch: 20.0,
        drop_outs: 20.0,
        ..TrackerSettings { on: true, points: Points::Eleven, ..TrackerSettings::default() }
    });
    let found = errors(settings, 16);
    assert_eq!(found.solves, 16 * 16);
    for joint in TrackedJoint::ALL {
        let (parts, mean) = (&found.parts[joint as usize], found.mean[joint as usize]);
        assert!((parts.iter().sum::<f32>() - mean).abs() < 1e-5, "{joint:?}: {parts:?}, {mean}");
        assert!(found.most[joint as usize] >= mean && mean > 0.0);
        assert_eq!(found.frames[found.worst[joint as usize]][joint as usize], found.most[joint as usize]);
    }
    let sum: f32 = TrackerCause::ALL.into_iter().map(|cause| found.part(cause)).sum();
    assert!((sum - found.whole()).abs() < 1e-5);
    assert!(found.part(TrackerCause::Proportions).abs() > 1e-3);
    assert!(found.part(TrackerCause::Calibration).abs() > 1e-4);
}

#[test]
fn each_planted_cause_is_found() {
    let perfect = exact(Points::Eleven).with_exact_mounts();
    let solver = errors(perfect.clone(), 8);
    for cause in TrackerCause::ALL.into_iter().take(TrackerCause::REMOVABLE) {
        assert_eq!(solver.part(cause), 0.0, "{cause:?}");
    }
    let planted = [
        (TrackerCause::Noise, TrackerSettings { drift: 0.05, ..perfect.clone() }),
        (TrackerCause::DropOuts, TrackerSettings { drop_outs: 60.0, drop_out_time: 0.9, ..perfect.clone() }),
        (TrackerCause::Calibration, exact(Points::Eleven)),
        (TrackerCause::Proportions, TrackerSettings { height: 1.15, ..perfect }),
    ];
    for (planted, settings) in planted {
        let found = errors(settings, 8);
        let largest = |cause: &TrackerCause| (found.part(*cause) * 1e6).abs() as i64;
        let causes = TrackerCause::ALL.into_iter().take(TrackerCause::REMOVABLE);
        assert_eq!(causes.clone().max_by_key(largest), Some(planted), "{:?}", found.parts);
        assert!(causes.filter(|&own| own != planted).all(|own| found.part(own) == 0.0), "{planted:?}");
    }
}

#[test]
fn more_trackers_are_nearer_to_the_clip() {
    let [three, six, eleven] = Points::ALL.map(|points| errors(exact(points).with_exact_mounts(), 8).whole());
    assert!(eleven < six && six < three, "{three} {six} {eleven}");
    assert!(eleven < 0.03, "{eleven}");
}

#[test]
fn the_layer_is_stepped_and_comes_again() {
    let mut stack = Stack::default();
    stack.order.trackers = calibrated(TrackerSettings { on: true, ..TrackerSettings::default() });
    let input = Input::new(stack, ModelPose::rigid(pose(0.4)));
    let frame = solve(rig(), Tools::default(), &input);
    assert!(frame.problem().is_none());
    let run = frame.trackers().unwrap();
    assert_eq!(run.readings.len(), 6);
    assert_eq!(solve(rig(), Tools::default(), &input).pose, frame.pose);
    let end = Cursor { step: 5, within: None };
    let last = frame.pose_at(rig(), LayerId::Trackers, end);
    let first = frame.pose_at(rig(), LayerId::Trackers, Cursor { step: 0, within: None });
    let hand = rig().figure.as_ref().unwrap().limbs[0][2];
    assert!(last[hand].position.distance(first[hand].position) > 0.05);
    for (posed, solved) in last.iter().zip(&frame.layer(LayerId::AfterWrite).unwrap().before[..]) {
        assert!(posed.position.distance(solved.position) < 1e-5);
    }
    let text = serde_json::to_string(&frame.stack.order).unwrap();
    let again: kinescope_ik::stack::OrderSection = serde_json::from_str(&text).unwrap();
    assert_eq!(again, frame.stack.order);
}
