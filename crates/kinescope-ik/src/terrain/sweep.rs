//! Sweeps a capsule along a line against a triangle, in closed form and double precision.
//!
//! Sweeping a segment against a triangle equals sweeping a point against the Minkowski difference of triangle and
//! segment, rounded by the capsule's radius. The boundary of that body consists of balls at corners, cylinders along
//! edges and slabs on faces. A line enters a ball or a cylinder at the root of a quadratic equation, and a slab at that
//! of a linear one. Unlike GJK this does not iterate, so it cannot fail to converge.

use std::cell::Cell;

use glam::DVec3;

use super::closest::{nearest_of_segments, nearest_on_triangle};

/// A moving capsule: all points within `radius` of the segment from `a` to `b`.
#[derive(Clone, Copy)]
pub struct Swept {
    pub a: DVec3,
    pub b: DVec3,
    pub radius: f64,
    /// Direction of motion; unit.
    pub direction: DVec3,
}

/// The first contact of a moving capsule with a triangle.
#[derive(Clone, Copy)]
pub struct Contact {
    pub distance: f64,
    pub point: DVec3,
    /// From the point to the capsule's segment; unit.
    pub normal: DVec3,
}

/// Intersects `range` with the part where `value + slope · t` is not negative. An empty range begins after its end or
/// at infinity.
pub fn clip(range: &mut (f64, f64), value: f64, slope: f64) {
    if slope > 0.0 {
        range.0 = range.0.max(-value / slope);
    } else if slope < 0.0 {
        range.1 = range.1.min(-value / slope);
    } else if value < 0.0 {
        range.0 = f64::INFINITY;
    }
}

/// Distances that differ by less than this count as equal, metres.
const SAME: f64 = 1e-9;
const EVERYWHERE: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

#[derive(Clone, Copy)]
struct Line {
    from: DVec3,
    direction: DVec3,
}

impl Line {
    fn at(&self, t: f64) -> DVec3 {
        self.from + self.direction * t
    }

    /// Returns the distance along the line at which the point enters a ball; `None` if it misses the ball.
    fn enters_ball(&self, center: DVec3, radius: f64) -> Option<f64> {
        let to = self.from - center;
        let half = to.dot(self.direction);
        // The distance from centre to line as a vector: a difference of squares would cancel.
        let beside = (to - self.direction * half).length_squared();
        let room = radius * radius - beside;
        (room >= 0.0).then(|| -half - room.sqrt())
    }

    /// Returns the distance along the line at which the point enters the cylinder around the segment from `p` to `q`;
    /// `None` if it misses the cylinder, or if the segment has no length.
    fn enters_rod(&self, p: DVec3, q: DVec3, radius: f64) -> Option<f64> {
        let length = p.distance(q);
        if length < 1e-9 {
            return None;
        }
        let axis = (q - p) / length;
        let to = self.from - p;
        let mut range = EVERYWHERE;
        clip(&mut range, to.dot(axis), self.direction.dot(axis));
        clip(&mut range, length - to.dot(axis), -self.direction.dot(axis));
        let flat = |v: DVec3| v - axis * v.dot(axis);
        let (across, speed) = (flat(to), flat(self.direction));
        let speed_squared = speed.length_squared();
        if speed_squared < 1e-18 {
            return (across.length_squared() <= radius * radius && range.0 <= range.1).then_some(range.0);
        }
        let nearest = -across.dot(speed) / speed_squared;
        let room = radius * radius - (across + speed * nearest).length_squared();
        if room < 0.0 {
            return None;
        }
        let half = (room / speed_squared).sqrt();
        range = (range.0.max(nearest - half), range.1.min(nearest + half));
        (range.0 <= range.1).then_some(range.0)
    }

    /// Returns the distance along the line at which the point enters the slab within `radius` of a convex face with
    /// unit normal `normal`; `None` if it misses the slab.
    fn enters_slab(&self, corners: &[DVec3], normal: DVec3, radius: f64) -> Option<f64> {
        let mut range = EVERYWHERE;
        let to = self.from - *corners.first()?;
        clip(&mut range, radius - to.dot(normal), -self.direction.dot(normal));
        clip(&mut range, radius + to.dot(normal), self.direction.dot(normal));
        for (index, &p) in corners.iter().enumerate() {
            let inward = normal.cross(corners[(index + 1) % corners.len()] - p);
            clip(&mut range, (self.from - p).dot(inward), self.direction.dot(inward));
        }
        (range.0 <= range.1).then_some(range.0)
    }
}

impl Swept {
    /// Returns the first contact with the front of a triangle, up to the distance `most`. The capsule begins clear of
    /// it.
    ///
    /// `corners` go counter-clockwise around the unit normal `face`. Contacts from behind do not count: a closed
    /// surface has none, and the rim of the height field is open.
    pub fn touches(&self, corners: [DVec3; 3], face: DVec3, most: f64) -> Option<Contact> {
        let best: Cell<Option<Contact>> = Cell::new(None);
        let until = || best.get().map_or(most, |best| best.distance);
        let offer = |t: Option<f64>, contact: &dyn Fn(f64) -> Option<(DVec3, DVec3)>| {
            let Some(t) = t.filter(|&t| t <= until()) else { return };
            let Some((point, normal)) = contact(t) else { return };
            // A clear capsule may be inside by a rounding error; then the contact counts if it moves further in.
            let is_entry = t >= 0.0 || (t > -1e-5 && normal.dot(self.direction) < 0.0);
            // A normal at right angles to the face, as of a shape at the height of a rim, counts as one from the front.
            if is_entry && normal.dot(face) > -1e-9 && t <= most {
                best.set(Some(Contact { distance: t.max(0.0), point, normal }));
            }
        };
        let radius = self.radius;
        // No part of a face is touched before its plane.
        let nearing = -self.direction.dot(face);
        let meets_plane = |end: DVec3| {
            let clear = (end - corners[0]).dot(face) - radius;
            if nearing > 1e-9 {
                clear / nearing
            } else if clear > 1e-9 {
                f64::INFINITY
            } else {
                f64::NEG_INFINITY
            }
        };
        let soonest = [self.a, self.b].map(meets_plane);
        let along = self.b - self.a;
        let is_ball = along.length_squared() < 1e-18;
        let edges = [(corners[0], corners[1]), (corners[1], corners[2]), (corners[2], corners[0])];
        let off = |point: DVec3, place: DVec3| Some((point, (place - point).try_normalize()?));
        let ends = [self.a, self.b].into_iter().zip(soonest);
        for (from, soonest) in ends.take(if is_ball { 1 } else { 2 }) {
            if soonest >= until() {
                continue;
            }
            let line = Line { from, direction: self.direction };
            offer(line.enters_slab(&corners, face, radius), &|t| {
                // A point that comes from behind enters the slab on its other side.
                let is_front = (line.at(t) - corners[0]).dot(face) > 0.0;
                is_front.then(|| (line.at(t) - face * radius, face))
            });
            if until() <= soonest + SAME {
                continue;
            }
            for (p, q) in edges {
                offer(line.enters_rod(p, q, radius), &|t| off(nearest_on(p, q, line.at(t)), line.at(t)));
                offer(line.enters_ball(p, radius), &|t| off(p, line.at(t)));
            }
        }
        if is_ball || until() <= soonest[0].min(soonest[1]) + SAME {
            return best.get();
        }
        let line = Line { from: self.a, direction: self.direction };
        for (p, q) in edges {
            // Corner against the side of the capsule.
            offer(line.enters_rod(p, p - along, radius), &|t| off(p, nearest_on(line.at(t), line.at(t) + along, p)));
            // Edge against the side of the capsule, if they are not parallel.
            let across = (q - p).cross(-along);
            if across.length_squared() > 1e-12 * (q - p).length_squared() * along.length_squared() {
                let normal = across.normalize();
                offer(line.enters_slab(&[p, q, q - along, p - along], normal, radius), &|t| {
                    let normal = if (line.at(t) - p).dot(normal) < 0.0 { -normal } else { normal };
                    let beside = along.cross(normal);
                    let share = (line.at(t) - normal * radius - p).dot(beside) / (q - p).dot(beside);
                    Some((p + (q - p) * share.clamp(0.0, 1.0), normal))
                });
            }
        }
        best.get()
    }

    /// Returns a lower bound of the distance to the first contact in the box from `least` to `most`; infinite if a
    /// contact is impossible. Computed only for casts straight down, as from feet; for other directions the bound is 0.
    pub fn earliest(&self, least: DVec3, most: DVec3) -> f64 {
        if self.direction != DVec3::NEG_Y {
            return 0.0;
        }
        let (low, high) = (self.a.min(self.b), self.a.max(self.b));
        // The horizontal distance between the bounding boxes is at most that between the shapes.
        let (x, z) = ((least.x - high.x).max(low.x - most.x).max(0.0), (least.z - high.z).max(low.z - most.z).max(0.0));
        let room = self.radius * self.radius - (x * x + z * z);
        if room >= 0.0 { low.y - room.sqrt() - most.y } else { f64::INFINITY }
    }

    /// Returns the nearest points of the triangle and of the capsule's segment at its start. If the two intersect,
    /// returns some pair near the intersection.
    pub fn nearest(&self, corners: [DVec3; 3]) -> (DVec3, DVec3) {
        // Relative to the first corner, so that single precision suffices.
        let place = corners[0];
        let [a, b] = [self.a, self.b].map(|point| (point - place).as_vec3());
        let [p, q, r] = corners.map(|corner| (corner - place).as_vec3());
        let mut best = (f32::INFINITY, p, a);
        let mut offer = |on: glam::Vec3, of: glam::Vec3| {
            let squared = on.distance_squared(of);
            if squared < best.0 {
                best = (squared, on, of);
            }
        };
        for end in [a, b] {
            offer(nearest_on_triangle([p, q, r], end), end);
        }
        if a != b {
            for edge in [[p, q], [q, r], [r, p]] {
                let [own_at, edge_at] = nearest_of_segments([a, b], edge);
                offer(edge_at, own_at);
            }
        }
        (best.1.as_dvec3() + place, best.2.as_dvec3() + place)
    }
}

fn nearest_on(p: DVec3, q: DVec3, to: DVec3) -> DVec3 {
    let along = q - p;
    let squared = along.length_squared();
    if squared > 0.0 { p + along * ((to - p).dot(along) / squared).clamp(0.0, 1.0) } else { p }
}
