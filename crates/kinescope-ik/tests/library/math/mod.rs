//! Functions of vectors, rotations and numbers.

mod curve;
mod filter;

use glam::{Mat4, Quat, Vec3};
use kinescope_ik::math::*;
use proptest::prelude::*;

use crate::common::property::property;

fn component() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => -10.0f32..10.0,
        1 => Just(0.0f32),
        1 => Just(-0.0f32),
        1 => Just(1.0f32),
        1 => -1e-40f32..1e-40,
        1 => -1e-18f32..1e-18,
        1 => -1e18f32..1e18,
        1 => -1e38f32..1e38,
    ]
}

fn vector() -> impl Strategy<Value = Vec3> {
    (component(), component(), component()).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn pair() -> impl Strategy<Value = (Vec3, Vec3)> {
    (vector(), vector(), 0..6u8, -1e-6f32..1e-6).prop_map(|(a, b, kind, hair)| match kind {
        0 => (a, a),
        1 => (a, -a),
        2 => (a, -a + a.abs().max_element().min(1e30) * Vec3::splat(hair)),
        3 => (a, a * 1e-20),
        _ => (a, b),
    })
}

fn is_unit(q: Quat) -> bool {
    q.is_finite() && (q.length() - 1.0).abs() < 1e-5
}

#[test]
fn a_vector_that_is_not_finite_has_no_direction() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for at in 0..3 {
            let mut v = Vec3::new(0.5, -1.0, 2.0);
            v[at] = bad;
            assert_eq!(unit(v), None, "{v}");
        }
        assert_eq!(unit(Vec3::splat(bad)), None);
    }
}

fn has_direction(v: Vec3) -> bool {
    unit(v).is_some()
}

property! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn unit_is_unit_or_none(v in vector()) {
        match unit(v) {
            Some(u) => prop_assert!((u.length() - 1.0).abs() < 1e-5),
            None => prop_assert!(length(v) < ZERO_LENGTH * 2.0),
        }
    }

    #[test]
    fn length_is_exact(v in vector()) {
        let exact = v.as_dvec3().length();
        let got = f64::from(length(v));
        prop_assert!(exact > f64::from(f32::MAX) || (got - exact).abs() <= exact * 1e-6 + 1e-44, "{got} {exact}");
    }

    #[test]
    fn look_rotation_aims((forward, up) in pair()) {
        let r = look_rotation(forward, up);
        prop_assert!(is_unit(r));
        prop_assert_eq!(r, look_rotation(forward, up));
        if let Some(forward) = unit(forward) {
            prop_assert!((r * Vec3::Z - forward).length() < 1e-5);
            if let Some(up) = unit(up).filter(|&up| sine(forward, up) > 1e-3) {
                // A rounding error of `forward` turns the part of `up` orthogonal to it by that error divided by
                // the sine of their angle.
                let slack = 1e-5 + 1e-6 / sine(forward, up);
                prop_assert!((r * Vec3::Y - ortho_normalize(forward, up)).length() < slack);
                prop_assert!((r * Vec3::Y).dot(up) > 0.0);
            }
        }
    }

    #[test]
    fn from_to_arrives((a, b) in pair()) {
        let r = from_to_rotation(a, b);
        prop_assert!(is_unit(r));
        if has_direction(a) && has_direction(b) {
            prop_assert!((r * unit_or_zero(a) - unit_or_zero(b)).length() < 2e-5);
        } else {
            prop_assert_eq!(r, Quat::IDENTITY);
        }
    }

    #[test]
    fn from_to_is_shortest((a, b) in pair()) {
        let r = from_to_rotation(a, b);
        let turned = 2.0 * Vec3::new(r.x, r.y, r.z).length().atan2(r.w.abs());
        let needed = if has_direction(a) && has_direction(b) { angle(a, b) } else { 0.0 };
        prop_assert!((turned - needed).abs() < 1e-3, "{turned} {needed}");
    }

    #[test]
    fn ortho_normalize_is_orthogonal((normal, tangent) in pair()) {
        let o = ortho_normalize(normal, tangent);
        prop_assert!((o.length() - 1.0).abs() < 1e-5);
        prop_assert!(!has_direction(normal) || o.dot(unit_or_zero(normal)).abs() < 1e-5);
    }

    #[test]
    fn about_axis_keeps_the_axis((from, to) in pair(), axis in vector()) {
        let r = from_to_about_axis(from, to, axis);
        prop_assert!(is_unit(r));
        let axis = unit_or_zero(axis);
        prop_assert!((r * axis - axis).length() < 1e-5);
    }

    #[test]
    fn clamp_direction_stays_in_the_cone((direction, normal) in pair(), weight in 0.0f32..1.0, smoothing in 0..4u32) {
        let (clamped, changed) = clamp_direction(direction, normal, weight, smoothing);
        prop_assert!(clamped.is_finite());
        prop_assert!(changed || clamped == direction);
        if has_direction(direction) && has_direction(normal) && has_direction(clamped) {
            let limit = (1.0 - weight) * std::f32::consts::PI;
            prop_assert!(angle(clamped, normal) <= limit + 1e-3);
        }
    }

    #[test]
    fn slerp_vector_is_finite((a, b) in pair(), t in 0.0f32..1.0) {
        // Lengths beyond the range of a float cannot be interpolated.
        let representable = length(a) < 1e38 && length(b) < 1e38;
        prop_assert!(!representable || slerp_vector(a, b, t).is_finite());
    }

    #[test]
    fn smoothstep_rises_from_0_to_1(a in prop::num::f32::ANY, b in prop::num::f32::ANY) {
        let (from, to) = (smoothstep(a), smoothstep(b));
        prop_assert!((0.0..=1.0).contains(&from) && (0.0..=1.0).contains(&to));
        if a < b {
            prop_assert!(from <= to + 1e-6, "{a} {b}");
        }
        prop_assert_eq!([-1.0, 0.0, 0.5, 1.0, 2.0, f32::NAN].map(smoothstep), [0.0, 0.0, 0.5, 1.0, 1.0, 0.0]);
    }

    #[test]
    fn nlerp_is_unit(a in vector(), b in vector(), t in 0.0f32..1.0) {
        let (a, b) = (from_to_rotation(Vec3::X, a), from_to_rotation(Vec3::Y, b));
        prop_assert!(is_unit(nlerp(a, b, t)));
        prop_assert_eq!(nlerp(a, b, 0.0), a);
    }

    #[test]
    fn fabrik_joint_is_length_away((a, b) in pair(), length in 0.0f32..10.0) {
        let moved = fabrik_joint(a, b, length);
        prop_assert!(moved.is_finite());
        prop_assert!(!has_direction(a - b) || (moved.distance(b) - length).abs() <= 1e-5 + b.length() * 1e-5);
    }
}

#[test]
fn exact_units_stay_within_one() {
    let over = f32::from_bits(1.0f32.to_bits() + 1);
    for rotation in [Quat::from_xyzw(over, 0.0, 0.0, 0.0), Quat::from_xyzw(1e-5, 0.0, 1e-9, -over)] {
        let exact = exact_unit(rotation);
        assert!(exact.to_array().iter().all(|part| part.abs() <= 1.0), "{exact}");
        assert!((exact.length() - 1.0).abs() < 1e-6 && exact.dot(rotation) > 0.999);
    }
    let like = Quat::from_rotation_x(0.3);
    assert_eq!(exact_unit(like), like);
    assert!((exact_unit(like * 3.0) - like).length() < 1e-6);
    for none in [Quat::from_array([0.0; 4]), Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0)] {
        assert_eq!(exact_unit(none), Quat::IDENTITY);
    }
}

#[test]
fn affine_matrices_have_an_exact_last_row() {
    let near = Mat4::from_rotation_y(0.4) * Mat4::from_translation(Vec3::new(1.0, 2.0, 3.0));
    let mut off = near.to_cols_array();
    [off[3], off[15]] = [1e-9, 1.0 - f32::EPSILON];
    let made = affine(Mat4::from_cols_array(&off)).to_cols_array();
    assert_eq!([3, 7, 11, 15].map(|at| made[at]), [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(Mat4::from_cols_array(&made), near);
}

#[test]
fn opposite_directions_turn_by_half() {
    for v in [Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(1.0, -2.0, 3.0)] {
        let r = from_to_rotation(v, -v);
        assert!((r * v + v).length() < 1e-5);
        assert_eq!(r, from_to_rotation(v, -v));
    }
}

#[test]
fn bend_limit_mirrors_as_measured() {
    let bent = |degrees: f32| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let (direction, _) = clamp_direction(Vec3::new(cos, sin, 0.0), Vec3::Y, 0.505, 0);
        90.0 - angle(direction, Vec3::Y).to_degrees()
    };
    assert!((bent(0.0) - 1.8).abs() < 0.05, "{}", bent(0.0));
    assert!((bent(-10.0) - 11.6).abs() < 0.1, "{}", bent(-10.0));
    assert_eq!(bent(20.0), 20.0);
}

#[test]
fn smoothing_brings_the_bend_limit_near_to_a_plain_stop() {
    let bent = |smoothing: u32| {
        let (sin, cos) = (-10f32).to_radians().sin_cos();
        let (direction, _) = clamp_direction(Vec3::new(cos, sin, 0.0), Vec3::Y, 0.505, smoothing);
        90.0 - angle(direction, Vec3::Y).to_degrees()
    };
    // A plain stop would be at 0.9°.
    for (smoothing, expected) in [(0, 11.58), (1, 2.48), (2, 0.93)] {
        assert!((bent(smoothing) - expected).abs() < 0.02, "{smoothing}: {}", bent(smoothing));
    }
}
