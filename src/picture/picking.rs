use glam::Vec2;

pub(crate) const GRAB_RADIUS: f32 = 14.0;

pub(crate) fn nearest<T: Copy>(points: impl IntoIterator<Item = (T, Vec2)>, pointer: Vec2, radius: f32) -> Option<T> {
    let mut best: Option<(T, f32)> = None;
    for (id, at) in points {
        let distance = at.distance(pointer);
        if distance <= radius && best.is_none_or(|(_, least)| distance < least) {
            best = Some((id, distance));
        }
    }
    best.map(|(id, _)| id)
}

pub(crate) fn distance_to_segment(point: Vec2, from: Vec2, to: Vec2) -> f32 {
    let along = to - from;
    let squared = along.length_squared();
    let t = if squared > 0.0 { ((point - from).dot(along) / squared).clamp(0.0, 1.0) } else { 0.0 };
    point.distance(from + along * t)
}

#[cfg(test)]
mod tests {
    use super::*;

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
