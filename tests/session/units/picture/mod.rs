//! Tests of `src/picture`.

mod camera;
mod labels;
mod surface;

mod picking {
    use glam::Vec2;

    use kinescope::picture::picking::{distance_to_segment, nearest};

    #[test]
    fn the_nearest_within_reach_wins() {
        let points = [(1, Vec2::new(0.0, 0.0)), (2, Vec2::new(10.0, 0.0)), (3, Vec2::new(100.0, 0.0))];
        assert_eq!(nearest(points, Vec2::new(7.0, 0.0), 14.0), Some(2));
        assert_eq!(nearest(points, Vec2::new(60.0, 0.0), 14.0), None);
    }

    #[test]
    fn segments_have_ends() {
        let (a, b) = (Vec2::ZERO, Vec2::new(10.0, 0.0));
        assert_eq!(distance_to_segment(Vec2::new(5.0, 3.0), a, b), 3.0);
        assert_eq!(distance_to_segment(Vec2::new(14.0, 3.0), a, b), 5.0);
        assert_eq!(distance_to_segment(Vec2::new(3.0, 4.0), a, a), 5.0);
    }
}
