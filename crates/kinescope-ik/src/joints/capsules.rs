//! Capsules about the bones, and the distances between them.

use glam::Vec3;

use super::joint::{JointIndex, Joints, Part};
use super::pose::Placement;
use crate::math::clamp;

/// The distance between the capsules of two joints.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gap {
    /// The distance between the surfaces, model units; negative if the capsules overlap.
    pub distance: f32,
    /// The nearest points on the two bones, in the order of the pair; model space.
    pub points: [Vec3; 2],
}

impl Joints {
    /// Returns the pairs of joints, by index, whose capsules [`Self::overlap`] compares: forearms and hands with pelvis,
    /// spine, head, thighs and those of the other arm; calves and feet with those of the other leg.
    pub fn pairs(&self) -> &[[u8; 2]] {
        &self.pairs
    }

    /// Returns the distance between the capsules of two joints; zero if one does not exist.
    pub fn gap(&self, [a, b]: [JointIndex; 2], placement: &Placement) -> Gap {
        let (Some(first), Some(second)) = (self.all().get(a), self.all().get(b)) else { return Gap::default() };
        let segment = |joint: JointIndex, end: Vec3| {
            let own = placement.of(joint);
            [own.position, own.transform_point(end)]
        };
        let points = nearest_points(segment(a, first.end), segment(b, second.end));
        Gap { distance: points[0].distance(points[1]) - first.radius - second.radius, points }
    }

    /// Returns the largest overlap of the capsules of a pair, model units; 0 without one.
    pub fn overlap(&self, placement: &Placement) -> f32 {
        let gap = |pair: &[u8; 2]| -self.gap(pair.map(usize::from), placement).distance;
        self.pairs.iter().map(gap).fold(0.0, f32::max)
    }

    pub(super) fn find_pairs(&self) -> Vec<[u8; 2]> {
        let all = self.all();
        let is_lower_arm = |part: Part| matches!(part, Part::Forearm | Part::Hand);
        let is_body = |part: Part| matches!(part, Part::Pelvis | Part::Spine | Part::Head | Part::Thigh);
        let is_lower_leg = |part: Part| matches!(part, Part::Calf | Part::Foot);
        let is_pair = |a: usize, b: usize| {
            let (first, second) = (all[a].part, all[b].part);
            let are_apart = all[a].side != all[b].side && a < b;
            (is_body(first) && is_lower_arm(second))
                || (are_apart && is_lower_arm(first) && is_lower_arm(second))
                || (are_apart && is_lower_leg(first) && is_lower_leg(second))
        };
        let each = (0..all.len()).flat_map(|a| (0..all.len()).map(move |b| (a, b)));
        each.filter(|&(a, b)| is_pair(a, b)).map(|(a, b)| [a as u8, b as u8]).collect()
    }
}

fn nearest_points([a, b]: [Vec3; 2], [c, d]: [Vec3; 2]) -> [Vec3; 2] {
    let (u, v, w) = (b - a, d - c, a - c);
    let (uu, uv, vv) = (u.length_squared(), u.dot(v), v.length_squared());
    let (uw, vw) = (u.dot(w), v.dot(w));
    let determinant = uu * vv - uv * uv;
    let ratio = |over: f32, under: f32| if under > 0.0 { clamp(over / under, 0.0, 1.0) } else { 0.0 };
    // For parallel segments the search starts at `a`.
    let first = if determinant > 1e-9 * uu * vv { ratio(uv * vw - vv * uw, determinant) } else { 0.0 };
    let second = ratio(uv * first + vw, vv);
    let first = ratio(uv * second - uw, uu);
    [a + u * first, c + v * second]
}
