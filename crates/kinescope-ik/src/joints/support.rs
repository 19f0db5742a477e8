//! The support polygon: the convex hull of the soles on the ground.

use glam::{Vec2, Vec3};

/// The convex hull of the soles on the ground, flat at the height of the lowest sole point. Model space; +Y is up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Support {
    corners: [Vec3; Self::MOST],
    count: usize,
}

fn flat(v: Vec3) -> Vec2 {
    Vec2::new(v.x, v.z)
}

fn turn(a: Vec3, b: Vec3, c: Vec3) -> f32 {
    (flat(b) - flat(a)).perp_dot(flat(c) - flat(a))
}

impl Support {
    /// The largest number of points: four corners of each foot.
    const MOST: usize = 8;

    /// Returns the hull of points, all at the height of the lowest one. Points beyond the eighth are ignored.
    pub(super) fn of(points: &[Vec3]) -> Self {
        let mut sorted = [Vec3::ZERO; Self::MOST];
        let count = points.len().min(Self::MOST);
        sorted[..count].copy_from_slice(&points[..count]);
        let sorted = &mut sorted[..count];
        sorted.sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.z.total_cmp(&b.z)));
        let ground = sorted.iter().map(|point| point.y).fold(f32::INFINITY, f32::min);
        // Monotone chain: the lower half of the hull, then the upper half.
        let mut hull = [Vec3::ZERO; 2 * Self::MOST];
        let mut length = 0;
        for half in 0..2 {
            let start = length;
            for index in 0..count {
                let point = sorted[if half == 0 { index } else { count - 1 - index }];
                while length >= start + 2 && turn(hull[length - 2], hull[length - 1], point) <= 0.0 {
                    length -= 1;
                }
                hull[length] = point;
                length += 1;
            }
            // The last point of each half is the first of the other.
            length = length.saturating_sub(usize::from(count > 1));
        }
        // A single point is in both halves.
        length = length.min(count);
        let mut support = Self { count: length, ..Self::default() };
        for (corner, point) in support.corners.iter_mut().zip(&hull[..length]) {
            *corner = Vec3::new(point.x, ground, point.z);
        }
        support
    }

    /// Returns the corners of the polygon in order around it, at most 8, all at one height.
    pub fn corners(&self) -> &[Vec3] {
        &self.corners[..self.count]
    }

    /// Returns the point of the polygon's edge nearest to a point of any height by horizontal distance. The result is
    /// at the polygon's height. Returns the point itself if the polygon is empty.
    pub fn nearest(&self, point: Vec3) -> Vec3 {
        let mut nearest = (f32::INFINITY, point);
        for (index, &from) in self.corners().iter().enumerate() {
            let to = self.corners[(index + 1) % self.count];
            let (edge, way) = (flat(to) - flat(from), flat(point) - flat(from));
            let squared = edge.length_squared();
            let share = if squared > 0.0 { crate::math::clamp(way.dot(edge) / squared, 0.0, 1.0) } else { 0.0 };
            let place = from + (to - from) * share;
            let distance = flat(place).distance(flat(point));
            if distance < nearest.0 {
                nearest = (distance, place);
            }
        }
        nearest.1
    }

    /// Returns the horizontal distance from a point of any height to the polygon's edge, model units: positive inside,
    /// negative outside. 0 if the polygon is empty.
    pub fn margin(&self, point: Vec3) -> f32 {
        let corners = self.corners();
        let distance = flat(self.nearest(point)).distance(flat(point));
        let is_left = |(index, &from): (usize, &Vec3)| turn(from, corners[(index + 1) % corners.len()], point) >= 0.0;
        let is_inside = corners.len() > 2 && corners.iter().enumerate().all(is_left);
        if is_inside { distance } else { -distance }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hull_of_two_squares_contains_both() {
        let square = |x: f32| [[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]].map(|[a, b]| Vec3::new(x + a, b, b));
        let points: Vec<Vec3> = square(0.0).into_iter().chain(square(3.0)).collect();
        let support = Support::of(&points);
        assert_eq!(support.corners().len(), 4);
        let at = |x: f32, z: f32| support.margin(Vec3::new(x, 7.0, z));
        assert!((at(2.0, 0.5) - 0.5).abs() < 1e-6);
        assert!((at(5.0, 0.5) + 1.0).abs() < 1e-6);
        assert_eq!(Support::of(&[]).margin(Vec3::X), 0.0);
        assert_eq!(Support::of(&[Vec3::X]).corners(), [Vec3::X]);
    }
}
