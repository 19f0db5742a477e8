//! Smoothing that hardly depends on the frame rate.

use glam::{Quat, Vec3};
use kinescope_ik::math::filter::{Lag, approach, chase, follow_lower, slerp};
use proptest::prelude::*;

use crate::common::property::property;

fn integrated(value: f32, from: f32, to: f32, speed: f32, rate: f32, dt: f32) -> f64 {
    let (mut x, steps) = (f64::from(value), 20_000);
    let h = f64::from(dt) / f64::from(steps);
    for step in 0..steps {
        let t = (f64::from(step) + 0.5) / f64::from(steps);
        let target = f64::from(from) + (f64::from(to) - f64::from(from)) * t;
        let error = target - x;
        let constant = (f64::from(speed) * h).min(error.abs());
        x += error.signum() * constant + f64::from(rate) * (error - error.signum() * constant) * h;
    }
    x
}

#[test]
fn without_time_the_value_stays() {
    for rate in [0.0, 5.0, f32::INFINITY] {
        assert_eq!(Lag::new(rate, 0.0).apply(0.25, 1.0, 2.0), 0.25);
        assert_eq!(follow_lower(0.25, [1.0, -1.0], [-2.0, 2.0], rate, 0.0), 0.25);
    }
}

property! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn chase_solves_its_equation(
        value in -1.0f32..1.0, from in -1.0f32..1.0, to in -1.0f32..1.0,
        speed in 0.0f32..5.0, rate in 0.0f32..20.0, dt in 0.001f32..0.3,
    ) {
        let got = f64::from(chase(value, from, to, speed, rate, dt));
        let exact = integrated(value, from, to, speed, rate, dt);
        prop_assert!((got - exact).abs() < 1e-3, "{got} {exact}");
    }

    #[test]
    fn one_frame_equals_seven_for_a_straight_target(
        value in -1.0f32..1.0, from in -1.0f32..1.0, to in -1.0f32..1.0,
        speed in 0.0f32..5.0, rate in 0.0f32..20.0, dt in 0.001f32..0.3,
    ) {
        let (lag, part) = (Lag::new(rate, dt), Lag::new(rate, dt / 7.0));
        let (mut lagged, mut chased) = (value, value);
        for frame in 0..7 {
            let at = |frame: i32| from + (to - from) * frame as f32 / 7.0;
            lagged = part.apply(lagged, at(frame), at(frame + 1));
            chased = chase(chased, at(frame), at(frame + 1), speed, rate, dt / 7.0);
        }
        prop_assert!((lagged - lag.apply(value, from, to)).abs() < 1e-5);
        prop_assert!((chased - chase(value, from, to, speed, rate, dt)).abs() < 1e-5);
    }

    #[test]
    fn the_lower_target_is_followed_alike_in_one_frame_or_seven(
        value in -1.0f32..1.0, a in (-1.0f32..1.0, -1.0f32..1.0), b in (-1.0f32..1.0, -1.0f32..1.0),
        rate in 0.0f32..60.0, dt in 0.001f32..0.3,
    ) {
        let once = follow_lower(value, [a.0, b.0], [a.1, b.1], rate, dt);
        let at = |frame: i32| [a, b].map(|(from, to)| from + (to - from) * frame as f32 / 7.0);
        let parts = (0..7).fold(value, |value, frame| follow_lower(value, at(frame), at(frame + 1), rate, dt / 7.0));
        prop_assert!((once - parts).abs() < 1e-5, "{once} {parts}");
        let least = [value, a.0, a.1, b.0, b.1].into_iter().fold(f32::INFINITY, f32::min);
        prop_assert!((least - 1e-6..=1.0).contains(&once));
        prop_assert_eq!(follow_lower(value, [a.0, b.0], [a.1, b.1], f32::INFINITY, dt), a.1.min(b.1));
    }

    #[test]
    fn a_slerp_has_constant_speed_along_the_arc(
        a in prop::array::uniform3(-1.0f32..1.0), b in prop::array::uniform3(-1.0f32..1.0), part in -0.5f32..1.5,
    ) {
        let (a, b) = (Vec3::from(a), Vec3::from(b));
        let turn = |from: Vec3, to: Vec3| {
            let turn = Quat::from_scaled_axis(to) * Quat::from_scaled_axis(from).conjugate();
            2.0 * turn.xyz().length().atan2(turn.w.abs())
        };
        let between = slerp(a, b, part);
        let whole = turn(a, b);
        prop_assert!((turn(a, between) - whole * part.clamp(0.0, 1.0)).abs() < 2e-3);
        prop_assert!((turn(between, b) - whole * (1.0 - part).clamp(0.0, 1.0)).abs() < 2e-3);
    }

    #[test]
    fn a_value_approaches_its_target_and_stops_there(
        value in -1.0f32..1.0, target in -1.0f32..1.0, up in 0.0f32..2.0, down in 0.0f32..2.0,
    ) {
        let (way, most) = (target - value, if target > value { up } else { down });
        let moved = approach(value, target, up, down) - value;
        prop_assert!((moved.abs() - way.abs().min(most)).abs() < 1e-6 && moved * way >= 0.0);
    }

    #[test]
    fn a_lag_mixes_and_never_overshoots(rate in 0.0f32..1e6, dt in 0.0f32..0.5) {
        let lag = Lag::new(rate, dt);
        prop_assert!(lag.keep >= 0.0 && lag.from >= 0.0 && lag.to >= 0.0);
        prop_assert!((lag.keep + lag.from + lag.to - 1.0).abs() < 1e-6);
    }
}
