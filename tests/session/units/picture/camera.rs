use glam::{Vec2, Vec3};
use proptest::prelude::*;

use kinescope::picture::camera::{AxisView, Camera, Viewport};

const VIEWPORT: Viewport = Viewport { min: Vec2::new(232.0, 66.0), size: Vec2::new(850.0, 600.0) };

#[test]
fn the_target_is_in_the_middle() {
    let camera = Camera::default();
    let screen = camera.projector(VIEWPORT).to_screen(camera.target).unwrap();
    assert!(screen.distance(VIEWPORT.min + VIEWPORT.size / 2.0) < 0.01);
}

#[test]
fn pixels_and_rays_agree() {
    let camera = Camera { yaw: 1.1, pitch: 0.4, ..Camera::default() };
    let projector = camera.projector(VIEWPORT);
    for pixel in [Vec2::new(300.0, 100.0), Vec2::new(900.0, 600.0)] {
        let (eye, direction) = projector.ray(pixel);
        let back = projector.to_screen(eye + direction * 3.0).unwrap();
        assert!(back.distance(pixel) < 0.05, "{pixel} {back}");
    }
}

#[test]
fn dragging_on_the_camera_plane_follows_the_pointer() {
    let projector = Camera::default().projector(VIEWPORT);
    let point = Vec3::new(0.4, 1.2, 0.3);
    let moved = projector.on_camera_plane(Vec2::new(500.0, 200.0), point);
    assert!(projector.to_screen(moved).unwrap().distance(Vec2::new(500.0, 200.0)) < 0.05);
    assert!((moved - point).dot(projector.camera.back()).abs() < 1e-4);
}

#[test]
fn without_perspective_depth_changes_no_pixel() {
    let camera = Camera { yaw: 1.1, pitch: 0.4, orthographic: true, ..Camera::default() };
    let projector = camera.projector(VIEWPORT);
    for pixel in [Vec2::new(300.0, 100.0), Vec2::new(900.0, 600.0)] {
        let (eye, direction) = projector.ray(pixel);
        for along in [-2.0, 0.5, 30.0] {
            let back = projector.to_screen(eye + direction * along).unwrap();
            assert!(back.distance(pixel) < 0.05, "{pixel} {back}");
        }
    }
    let (right, _) = camera.right_and_up();
    let perspective = Camera { orthographic: false, ..camera }.projector(VIEWPORT);
    let [own, other] = [projector, perspective].map(|own| own.to_screen(camera.target + right * 0.3).unwrap());
    assert!(own.distance(other) < 0.05, "{own} {other}");
    let unit = projector.units_per_pixel(camera.target - camera.back() * 9.0);
    assert!((unit - perspective.units_per_pixel(camera.target)).abs() < 1e-6);
    let ends = projector.segment(camera.target, camera.target + right * 1e4).unwrap();
    assert!(ends[0].distance(VIEWPORT.min + VIEWPORT.size / 2.0) < 0.1, "{ends:?}");
    let moved = projector.on_camera_plane(Vec2::new(500.0, 200.0), Vec3::new(0.4, 1.2, 0.3));
    assert!(projector.to_screen(moved).unwrap().distance(Vec2::new(500.0, 200.0)) < 0.05);
}

#[test]
fn an_old_camera_reads_and_one_with_perspective_is_written_as_before() {
    let old = r#"{"target":[0.0,0.9,0.0],"yaw":0.6,"pitch":0.17,"distance":4.2}"#;
    let camera: Camera = serde_json::from_str(old).unwrap();
    assert_eq!(camera, Camera::default());
    assert_eq!(serde_json::to_string(&camera).unwrap(), old);
}

#[test]
fn nothing_behind_the_eye_has_a_pixel() {
    let camera = Camera::default();
    assert_eq!(camera.projector(VIEWPORT).to_screen(camera.eye() + camera.back()), None);
}

proptest! {
    #[test]
    fn what_is_drawn_of_a_line_is_in_the_picture_and_on_it(
        from in prop::array::uniform3(-1.0f32..1.0), to in prop::array::uniform3(-1.0f32..1.0),
        scale in 0..13i32, far in 0..38i32,
    ) {
        let projector = Camera::default().projector(VIEWPORT);
        let from = Vec3::from(from) * 10f32.powi(scale - 3);
        let to = Vec3::from(to) * 10f32.powi(far);
        let (min, max) = projector.drawn();
        let Some(ends) = projector.segment(from, to) else {
            // Then none of these samples of the line is in the picture.
            for share in 0..=100 {
                let point = from.lerp(to, share as f32 / 100.0);
                prop_assert!(projector.to_screen(point).is_none_or(|at| !VIEWPORT.contains(at)), "{point}");
            }
            return Ok(());
        };
        for end in ends {
            prop_assert!(end.cmpge(min - 0.01).all() && end.cmple(max + 0.01).all(), "{end}");
        }
        for (point, end) in [from, to].into_iter().zip(ends) {
            if let Some(at) = projector.in_picture(point) {
                prop_assert!(at.distance(end) < 0.5, "{at} {end}");
            }
        }
    }
}

proptest! {
    #[test]
    fn what_is_fitted_is_in_the_picture_and_fills_it(
        points in prop::collection::vec(prop::array::uniform3(-1.0f32..1.0), 2..20),
        yaw in -3.0f32..3.0, pitch in -1.5f32..1.5, orthographic: bool, tall: bool,
    ) {
        let points: Vec<Vec3> = points.into_iter().map(|at| Vec3::from(at) + Vec3::new(3.0, 1.0, -2.0)).collect();
        let size = if tall { Vec2::new(300.0, 700.0) } else { Vec2::new(900.0, 500.0) };
        let viewport = Viewport { min: Vec2::new(40.0, 70.0), size };
        let inner = |more: f32| {
            let (min, max) = (Vec2::new(30.0, 10.0) - more, Vec2::new(20.0, 50.0) - more);
            Viewport { min: viewport.min + min, size: viewport.size - min - max }
        };
        let mut camera = Camera { yaw, pitch, orthographic, ..Camera::default() };
        let mut few = camera;
        few.fit(&camera.deciding(&points), viewport, inner(0.0));
        camera.fit(&points, viewport, inner(0.0));
        prop_assert!(few.target.distance(camera.target) + (few.distance - camera.distance).abs() < 1e-4);
        prop_assert!(camera.shows(&points, viewport, inner(0.5)));
        // The camera is as near as possible, unless the eye would come among the points.
        let nearest = points.iter().map(|at| (*at - camera.target).dot(camera.back())).fold(f32::MIN, f32::max);
        let is_near = camera.distance < nearest * 1.051;
        prop_assert!(is_near || !camera.shows(&points, viewport, inner(-1.0)), "it could be nearer");
    }
}

#[test]
fn an_axis_view_is_orthographic_until_the_camera_is_turned() {
    let home = Camera::default();
    let facing = Vec3::new(0.6, 0.0, 0.8);
    let side = facing.cross(Vec3::Y);
    for (view, back) in [
        (AxisView::Front, facing),
        (AxisView::Back, -facing),
        (AxisView::Left, -side),
        (AxisView::Right, side),
        (AxisView::Top, Vec3::Y),
        (AxisView::Bottom, -Vec3::Y),
    ] {
        let mut camera = home;
        camera.look_along(view, facing);
        assert!(camera.back().distance(back) < 1e-5, "{view:?}: {}", camera.back());
        assert!(camera.orthographic && camera.is_usable(), "{view:?}");
        let up = camera.view().transform_vector3(camera.right_and_up().1);
        assert!(up.distance(Vec3::Y) < 1e-4, "{view:?}: {up}");
        camera.pan(Vec2::new(30.0, -20.0), VIEWPORT);
        camera.zoom(2.0, 1.8);
        camera.orbit(Vec2::ZERO);
        assert!(camera.orthographic);
        camera.look_along(AxisView::Front, facing);
        camera.orbit(Vec2::new(3.0, 0.0));
        assert!(!camera.orthographic && !camera.orthographic_until_turned, "{view:?}");
        let mut chosen = home;
        chosen.toggle_orthographic();
        chosen.look_along(view, facing);
        chosen.orbit(Vec2::new(3.0, 5.0));
        assert!(chosen.orthographic, "{view:?}");
        let mut toggled = home;
        toggled.look_along(view, facing);
        toggled.toggle_orthographic();
        toggled.toggle_orthographic();
        toggled.orbit(Vec2::new(3.0, 5.0));
        assert!(toggled.orthographic, "{view:?}");
    }
}

#[test]
fn pan_keeps_the_point_under_the_pointer() {
    let mut camera = Camera::default();
    let before = camera.target;
    camera.pan(Vec2::new(30.0, -20.0), VIEWPORT);
    let screen = camera.projector(VIEWPORT).to_screen(before).unwrap();
    assert!(screen.distance(VIEWPORT.min + VIEWPORT.size / 2.0 + Vec2::new(30.0, -20.0)) < 0.1);
}

#[test]
fn no_zoom_leaves_the_world() {
    let mut camera = Camera::default();
    for steps in [1e4, -1e4] {
        camera.zoom(steps, 1.8);
        assert!(camera.distance > 0.01 && camera.distance < 1000.0);
    }
}
