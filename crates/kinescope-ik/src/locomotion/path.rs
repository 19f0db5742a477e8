//! A path: a smooth curve through points on the ground, sampled by distance.

use glam::Vec2;

/// The most points of a path.
pub const MOST_POINTS: usize = 256;
/// Straight pieces between two points.
const PIECES: usize = 24;

/// A centripetal Catmull–Rom curve through points on the ground (x and z, metres), cut into straight pieces.
///
/// The centripetal form has no loops and no cusps between two points, however the points are spaced (Yuksel et al.,
/// «Parameterization and applications of Catmull–Rom curves», 2011).
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    places: Vec<Vec2>,
    /// Distance along the path to each place, metres.
    lengths: Vec<f32>,
    closed: bool,
}

impl Path {
    /// Makes a path through `points` in their order; a `closed` path continues from the last to the first. `None` if
    /// there are fewer than two distinct points, or if a point or the length of the curve is not finite. Points within
    /// 1 mm of the previous one, the last point of a closed path within 1 mm of the first, and points after the first
    /// [`MOST_POINTS`] are ignored.
    pub fn new(points: &[Vec2], closed: bool) -> Option<Self> {
        let mut kept: Vec<Vec2> = Vec::with_capacity(points.len());
        for &point in points.iter().take(MOST_POINTS) {
            if !point.is_finite() {
                return None;
            }
            if kept.last().is_none_or(|last| last.distance(point) > 1e-3) {
                kept.push(point);
            }
        }
        if closed && kept.len() > 1 && kept[0].distance(kept[kept.len() - 1]) <= 1e-3 {
            kept.pop();
        }
        let count = kept.len();
        if count < 2 {
            return None;
        }
        let at = |index: isize| match closed {
            true => kept[index.rem_euclid(count as isize) as usize],
            // An open path is extended straight beyond its ends.
            false if index < 0 => kept[0] * 2.0 - kept[1],
            false if index >= count as isize => kept[count - 1] * 2.0 - kept[count - 2],
            false => kept[index as usize],
        };
        let spans = if closed { count } else { count - 1 };
        let mut places = vec![kept[0]];
        for span in 0..spans as isize {
            let corners = [at(span - 1), at(span), at(span + 1), at(span + 2)];
            places.extend((1..=PIECES).map(|piece| catmull_rom(corners, piece as f32 / PIECES as f32)));
        }
        let mut lengths = vec![0.0];
        for pair in places.windows(2) {
            lengths.push(lengths[lengths.len() - 1] + pair[0].distance(pair[1]));
        }
        let is_finite = lengths.iter().all(|length| length.is_finite()) && places.iter().all(|place| place.is_finite());
        is_finite.then_some(Self { places, lengths, closed })
    }

    /// Returns the length from end to end, or once around; metres.
    pub fn length(&self) -> f32 {
        self.lengths[self.lengths.len() - 1]
    }

    /// Returns whether the path continues from its end to its start.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Returns the place after `distance` metres, and the unit direction there; x and z. Beyond its end every path
    /// begins again, closed or not. A distance that is not finite counts as 0.
    pub fn at(&self, distance: f32) -> (Vec2, Vec2) {
        let distance = if distance.is_finite() { distance.rem_euclid(self.length()) } else { 0.0 };
        let last = self.places.len() - 1;
        let after = self.lengths.partition_point(|&length| length <= distance).clamp(1, last);
        let (from, to) = (self.lengths[after - 1], self.lengths[after]);
        let share = if to > from { ((distance - from) / (to - from)).clamp(0.0, 1.0) } else { 0.0 };
        let place = self.places[after - 1].lerp(self.places[after], share);
        // Interpolating the directions of both corners turns the walker evenly, not in a jump at each corner.
        let [before, beyond] = [self.direction(after - 1), self.direction(after)];
        let direction = before.lerp(beyond, share).try_normalize().unwrap_or(before);
        (place, direction)
    }

    /// Returns the unit direction at a corner between two pieces.
    fn direction(&self, corner: usize) -> Vec2 {
        let last = self.places.len() - 1;
        let [before, after] = match (self.closed, corner) {
            (true, corner) if corner == 0 || corner == last => [last - 1, 1],
            (_, corner) => [corner.saturating_sub(1), (corner + 1).min(last)],
        };
        (self.places[after] - self.places[before]).try_normalize().unwrap_or(Vec2::Y)
    }

    /// Returns the corners of the straight pieces; x and z, metres.
    pub fn places(&self) -> &[Vec2] {
        &self.places
    }
}

/// Returns the point at `t` (0 to 1) between the second and the third of four points.
fn catmull_rom([p0, p1, p2, p3]: [Vec2; 4], t: f32) -> Vec2 {
    let knot = |a: Vec2, b: Vec2| a.distance(b).sqrt().max(1e-4);
    let t1 = knot(p0, p1);
    let t2 = t1 + knot(p1, p2);
    let t3 = t2 + knot(p2, p3);
    let t = t1 + (t2 - t1) * t;
    let mix = |a: Vec2, b: Vec2, from: f32, to: f32| a * ((to - t) / (to - from)) + b * ((t - from) / (to - from));
    let (a1, a2, a3) = (mix(p0, p1, 0.0, t1), mix(p1, p2, t1, t2), mix(p2, p3, t2, t3));
    let (b1, b2) = (mix(a1, a2, 0.0, t2), mix(a2, a3, t1, t3));
    mix(b1, b2, t1, t2)
}
