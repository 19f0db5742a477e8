//! Curves of foot weights: edits, evaluation, files, and derivation from a clip.

use glam::Vec3;
use kinescope_ik::animation::{Clip, Interpolation, Track, TrackValues};
use kinescope_ik::grounding::{DeriveSettings, Key, WeightCurve, derive_weights};
use kinescope_ik::rig::{Bone, LocalPose, LocalTransform, Skeleton};
use proptest::prelude::*;

use crate::common::property::property;

fn hostile() -> impl Strategy<Value = f32> {
    prop_oneof![6 => 0.0f32..1.0, 1 => Just(0.0), 1 => Just(1.0), 2 => any::<f32>()]
}

fn curve() -> impl Strategy<Value = WeightCurve> {
    prop::collection::vec((hostile(), hostile()), 0..9).prop_map(|keys| {
        let mut curve = WeightCurve::default();
        for (time, value) in keys {
            curve.insert(time, value);
        }
        curve
    })
}

property! {
    #[test]
    fn every_edit_leaves_a_curve(mut curve in curve(), index in 0..12usize, time in hostile(), value in hostile()) {
        curve.move_key(index, time, value);
        prop_assert!(WeightCurve::from_keys(curve.keys().to_vec()).is_ok(), "{:?}", curve);
        curve.insert(time, value);
        curve.remove(index);
        prop_assert!(WeightCurve::from_keys(curve.keys().to_vec()).is_ok(), "{:?}", curve);
        let json = serde_json::to_string(&curve).unwrap();
        prop_assert_eq!(serde_json::from_str::<WeightCurve>(&json).unwrap(), curve);
    }

    #[test]
    fn weights_stay_between_their_keys_and_pass_through_them(curve in curve(), time in any::<f32>(), t in 0.0f32..1.0) {
        prop_assert!((0.0..=1.0).contains(&curve.evaluate(time)));
        for key in curve.keys() {
            prop_assert!((curve.evaluate(key.time) - key.value).abs() < 1e-4, "{:?} {:?}", curve, key);
        }
        for pair in curve.keys().windows(2) {
            let weight = curve.evaluate(pair[0].time + (pair[1].time - pair[0].time) * t);
            let (low, high) = (pair[0].value.min(pair[1].value), pair[0].value.max(pair[1].value));
            prop_assert!((low - 1e-5..=high + 1e-5).contains(&weight));
        }
    }

    #[test]
    fn the_curve_loops_smoothly(values in prop::collection::vec(0.0f32..1.0, 2..6), at in 0.01f32..0.1) {
        let count = values.len() as f32;
        let keys = values.iter().enumerate().map(|(i, &value)| Key { time: at + i as f32 / count, value });
        let curve = WeightCurve::from_keys(keys.collect()).unwrap();
        let slope = |time: f32| (curve.evaluate(time + 1e-3) - curve.evaluate(time)) / 1e-3;
        prop_assert!((curve.evaluate(1.0 - 1e-6) - curve.evaluate(0.0)).abs() < 1e-3);
        prop_assert!((slope(1.0 - 2e-3) - slope(1.0 + 1e-3)).abs() < 1.0);
    }
}

#[test]
fn without_keys_the_foot_is_planted() {
    assert_eq!(WeightCurve::default().evaluate(0.3), 1.0);
    assert_eq!(WeightCurve::constant(0.25).evaluate(7.3), 0.25);
}

#[test]
fn wrong_keys_are_named() {
    let json = r#"[{"time": 0.5, "value": 1.0}, {"time": 0.2, "value": 0.0}]"#;
    let error = serde_json::from_str::<WeightCurve>(json).unwrap_err().to_string();
    assert!(error.contains("[1].time: is 0.2; it must be after"), "{error}");
    assert!(WeightCurve::from_keys(vec![Key { time: 0.5, value: f32::NAN }]).is_err());
}

#[test]
fn a_key_cannot_pass_its_neighbours() {
    let mut curve = WeightCurve::default();
    for time in [0.2, 0.5, 0.8] {
        curve.insert(time, time);
    }
    assert_eq!(curve.move_key(1, 0.1, 2.0), Some(Key { time: 0.2 + 1e-4, value: 1.0 }));
    assert!(curve.move_key(1, 0.9, 0.0).unwrap().time < 0.8);
    assert_eq!(curve.move_key(3, 0.9, 0.0), None);
    assert_eq!(curve.remove(0).unwrap().time, 0.2);
}

const STANCE: f32 = 0.6;

fn skeleton() -> Skeleton {
    let bone = |name: &str, parent, translation| Bone {
        name: name.to_owned(),
        parent,
        rest: LocalTransform { translation, ..LocalTransform::IDENTITY },
    };
    Skeleton::new(vec![
        bone("root", None, Vec3::ZERO),
        bone("foot", Some(0), Vec3::new(0.1, 0.09, 0.0)),
        bone("toe", Some(1), Vec3::new(0.0, -0.07, 0.14)),
    ])
    .unwrap()
}

/// Returns a walk at 1.2 m/s for one second: stance first, then swing. `speed` is how fast the clip moves the
/// character forward: 0 walks on the spot.
fn walk(speed: f32) -> Clip {
    let times: Vec<f32> = (0..=60).map(|frame| frame as f32 / 60.0).collect();
    let place = |&time: &f32| {
        let swing = ((time - STANCE) / (1.0 - STANCE)).clamp(0.0, 1.0);
        let ahead = swing - (std::f32::consts::TAU * swing).sin() / std::f32::consts::TAU;
        let up = (1.0 - (std::f32::consts::TAU * swing).cos()) * 0.06;
        Vec3::new(0.1, 0.09 + up, 1.2 * (ahead - time) + speed * time)
    };
    let values = TrackValues::Translation(times.iter().map(place).collect());
    let track = Track { bone: 1, interpolation: Interpolation::Linear, times, values };
    Clip { name: "walk".to_owned(), duration: 1.0, tracks: vec![track], ..Clip::default() }
}

#[test]
fn planted_feet_weigh_one_and_swinging_feet_zero() {
    let skeleton = skeleton();
    for speed in [0.0, 1.2] {
        let settings = DeriveSettings::default();
        let curve = derive_weights(&walk(speed), &skeleton, &skeleton.rest_pose(), 1, Some(2), &settings).unwrap();
        assert!(curve.keys().len() <= settings.max_keys);
        for time in [0.05, 0.2, 0.3, 0.5] {
            assert!(curve.evaluate(time) > 0.9, "{speed} {time}: {curve:?}");
        }
        for time in [0.73, 0.8, 0.87] {
            assert!(curve.evaluate(time) < 0.1, "{speed} {time}: {curve:?}");
        }
    }
}

#[test]
fn a_foot_that_never_moves_is_planted_by_a_single_key() {
    let skeleton = skeleton();
    let clip = Clip { duration: 2.0, ..walk(0.0) };
    let clip = Clip { tracks: Vec::new(), ..clip };
    let curve = derive_weights(&clip, &skeleton, &skeleton.rest_pose(), 1, None, &DeriveSettings::default());
    assert_eq!(curve.unwrap().keys(), [Key { time: 0.0, value: 1.0 }]);
}

#[test]
fn invalid_parts_are_named() {
    let skeleton = skeleton();
    let (rest, settings) = (skeleton.rest_pose(), DeriveSettings::default());
    let error = derive_weights(&walk(0.0), &skeleton, &rest, 1, Some(7), &settings).unwrap_err();
    assert_eq!(error.to_string(), "bone: is 7; there are 3 bones, counted from 0");
    let error = derive_weights(&walk(0.0), &skeleton, &LocalPose::default(), 1, None, &settings).unwrap_err();
    assert_eq!(error.to_string(), "rest: has 0 bones; the rig has 3");
    let mut clip = walk(0.0);
    clip.tracks[0].values = TrackValues::Translation(vec![Vec3::NAN; 61]);
    assert!(derive_weights(&clip, &skeleton, &rest, 1, None, &settings).is_err());
}
