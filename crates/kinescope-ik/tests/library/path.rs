//! Paths through points on the ground.

use glam::Vec2;
use kinescope_ik::locomotion::Path;
use proptest::prelude::*;

use crate::common::property::property;

fn points() -> impl Strategy<Value = Vec<Vec2>> {
    prop::collection::vec((-20.0f32..20.0, -20.0f32..20.0).prop_map(|(x, z)| Vec2::new(x, z)), 2..8)
}

property! {
    #[test]
    fn a_path_passes_through_its_points_at_an_even_pace(points in points(), closed in any::<bool>()) {
        let Some(path) = Path::new(&points, closed) else { return Ok(()) };
        for &point in &points {
            let nearest = path.places().iter().map(|place| place.distance(point)).fold(f32::MAX, f32::min);
            prop_assert!(nearest < 2e-3);
        }
        let step = path.length() / 997.0;
        for index in 0..996 {
            let [from, to] = [index, index + 1].map(|index| path.at(index as f32 * step));
            // Neighbouring samples are no farther apart than the path between them is long.
            prop_assert!(from.0.distance(to.0) <= step * 1.001 + 1e-4);
            prop_assert!((from.1.length() - 1.0).abs() < 1e-4);
        }
    }

    #[test]
    fn a_closed_path_continues_at_its_start(points in points()) {
        let Some(path) = Path::new(&points, true) else { return Ok(()) };
        let [end, start] = [path.length() * (1.0 - 1e-5), 0.0].map(|distance| path.at(distance));
        prop_assert!(end.0.distance(start.0) < 1e-2);
        prop_assert_eq!(path.at(path.length() * 2.0 + 1.0).0.distance(path.at(1.0).0) < 1e-2, true);
    }
}

#[test]
fn invalid_points_make_no_path() {
    assert_eq!(Path::new(&[], false), None);
    assert_eq!(Path::new(&[Vec2::ONE, Vec2::ONE], true), None);
    assert_eq!(Path::new(&[Vec2::ZERO, Vec2::NAN], false), None);
    let straight = Path::new(&[Vec2::ZERO, Vec2::Y * 3.0], false).unwrap();
    assert!((straight.length() - 3.0).abs() < 1e-5);
    assert_eq!(straight.at(1.0), (Vec2::Y, Vec2::Y));
    assert_eq!(straight.at(f32::NAN).0, Vec2::ZERO);
}
