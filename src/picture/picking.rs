use glam::Vec2;

pub(crate) const GRAB_RADIUS: f32 = 14.0;

pub fn nearest<T: Copy>(points: impl IntoIterator<Item = (T, Vec2)>, pointer: Vec2, radius: f32) -> Option<T> {
    let mut best: Option<(T, f32)> = None;
    for (id, at) in points {
        let distance = at.distance(pointer);
        if distance <= radius && best.is_none_or(|(_, least)| distance < least) {
            best = Some((id, distance));
        }
    }
    best.map(|(id, _)| id)
}

pub fn distance_to_segment(point: Vec2, from: Vec2, to: Vec2) -> f32 {
    let along = to - from;
    let squared = along.length_squared();
    let t = if squared > 0.0 { ((point - from).dot(along) / squared).clamp(0.0, 1.0) } else { 0.0 };
    point.distance(from + along * t)
}
