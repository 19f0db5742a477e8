//! Limits of joints: rotations within them, turns of hinges, twist, and messages.

use std::f32::consts::{PI, TAU};

use glam::{Quat, Vec3};
use kinescope_ik::chain_ik::Limit;
use kinescope_ik::chain_ik::limits::{swing_twist, wrap};
use kinescope_ik::math::swing_angle;
use proptest::prelude::*;

use crate::common::property::property;

fn rotation() -> impl Strategy<Value = Quat> {
    let any = (-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0).prop_filter_map("a rotation", |(x, y, z, w)| {
        let q = Quat::from_xyzw(x, y, z, w);
        (q.length() > 1e-3).then(|| q.normalize())
    });
    prop_oneof![
        6 => any,
        1 => Just(Quat::IDENTITY),
        1 => Just(-Quat::IDENTITY),
        1 => Just(Quat::from_xyzw(1.0, 0.0, 0.0, 0.0)),
        1 => Just(Quat::from_xyzw(0.0, 0.0, -1.0, 0.0)),
    ]
}

fn axis() -> impl Strategy<Value = Vec3> {
    prop_oneof![Just(Vec3::X), Just(Vec3::Y), Just(Vec3::new(0.6, 0.0, -0.8))]
}

fn limit() -> impl Strategy<Value = Limit> {
    let ordered =
        |range: std::ops::Range<f32>| (range.clone(), range).prop_map(|(a, b)| if a < b { (a, b) } else { (b, a) });
    prop_oneof![
        Just(Limit::Free),
        (axis(), ordered(-8.0..8.0)).prop_map(|(axis, (min, max))| Limit::Hinge { axis, min, max }),
        (0.0f32..PI, ordered(-PI..PI)).prop_map(|(swing, (twist_min, twist_max))| Limit::BallAndSocket {
            swing,
            twist_min,
            twist_max
        }),
        (0.0f32..PI).prop_map(|max| Limit::Angle { max }),
    ]
}

property! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn limited_rotations_are_within_the_limit(limit in limit(), rotation in rotation(), axis in axis(), turn in -9.0f32..9.0) {
        prop_assert!(limit.validate().is_ok());
        let limited = limit.apply(rotation, axis, turn);
        prop_assert!((limited.rotation.length() - 1.0).abs() < 1e-5);
        prop_assert!(limit.violation(limited.rotation, axis, limited.turn) < 2e-3, "{limited:?}");
    }

    #[test]
    fn rotations_within_the_limit_are_unchanged(limit in limit(), rotation in rotation(), axis in axis()) {
        let once = limit.apply(rotation, axis, limit.turn_of(rotation));
        let twice = limit.apply(once.rotation, axis, once.turn);
        // A swing of half a turn leaves the twist undefined, so the twist may change.
        let half = matches!(limit, Limit::BallAndSocket { .. })
            && swing_angle(swing_twist(once.rotation, axis).0) > PI - 0.01;
        prop_assert!(half || twice.rotation.dot(once.rotation).abs() > 1.0 - 1e-5, "{once:?} {twice:?}");
        prop_assert!(half || twice.excess < 1e-2);
    }

    #[test]
    fn swing_and_twist_make_the_rotation(rotation in rotation(), axis in axis()) {
        let (swing, twist) = swing_twist(rotation, axis);
        let again = swing * Quat::from_axis_angle(axis, twist);
        prop_assert!(again.dot(rotation).abs() > 1.0 - 1e-5);
        prop_assert!(Vec3::new(swing.x, swing.y, swing.z).dot(axis).abs() < 1e-3);
    }
}

#[test]
fn a_hinge_counts_its_turns() {
    let limit = Limit::Hinge { axis: Vec3::X, min: -TAU, max: 1.5 * TAU };
    let (mut turn, mut angle) = (0.0, 0.0f32);
    for _ in 0..100 {
        angle += 0.2;
        let limited = limit.apply(Quat::from_rotation_x(angle), Vec3::Y, turn);
        turn = limited.turn;
        assert!((turn - angle.min(1.5 * TAU)).abs() < 1e-3, "{turn} {angle}");
        // Beyond the stop, the requested angle continues around and would re-enter from the other side.
        if angle > 1.5 * TAU + 2.8 {
            break;
        }
    }
    assert_eq!(turn, 1.5 * TAU);
}

#[test]
fn a_twist_past_half_a_turn_goes_to_the_nearer_end() {
    let degrees = f32::to_radians;
    let limit =
        |[low, high]: [f32; 2]| Limit::BallAndSocket { swing: 0.5, twist_min: degrees(low), twist_max: degrees(high) };
    for (range, twist, allowed) in [
        ([-10.0, 170.0], 175.0, 170.0),
        ([-10.0, 170.0], 185.0, 170.0),
        ([-10.0, 170.0], -100.0, -10.0),
        ([-170.0, 10.0], 185.0, -170.0),
        ([-170.0, 10.0], 60.0, 10.0),
        ([30.0, 40.0], -160.0, 40.0),
    ] {
        let limited = limit(range).apply(Quat::from_rotation_y(degrees(twist)), Vec3::Y, 0.0);
        let (_, found) = swing_twist(limited.rotation, Vec3::Y);
        let off = wrap(degrees(twist - allowed)).abs();
        assert!((found - degrees(allowed)).abs() < 1e-4, "{range:?}, {twist}: {}", found.to_degrees());
        assert!((limited.excess - off).abs() < 1e-4, "{range:?}, {twist}: {}", limited.excess.to_degrees());
    }
}

#[test]
fn bad_limits_are_named() {
    let place = |limit: Limit| limit.validate().unwrap_err().to_string();
    assert!(place(Limit::Hinge { axis: Vec3::ZERO, min: 0.0, max: 1.0 }).starts_with("hinge.axis: is [0, 0, 0]"));
    assert!(place(Limit::Hinge { axis: Vec3::X, min: 1.0, max: 0.0 }).starts_with("hinge.min: is 1, above max 0"));
    assert!(place(Limit::Angle { max: f32::NAN }).starts_with("angle.max: is NaN"));
    let limit = Limit::BallAndSocket { swing: 4.0, twist_min: 0.0, twist_max: 0.0 };
    assert!(place(limit).starts_with("ball_and_socket.swing: is 4"));
    let limit = Limit::BallAndSocket { swing: 1.0, twist_min: 0.5, twist_max: 0.25 };
    assert!(place(limit).starts_with("ball_and_socket.twist_min"));
}
