//! How low the pelvis has to be for the legs to reach their goals.

use glam::Vec3;

use super::input::Reach;

/// How far a leg stretches at most, as part of its length.
pub const FULLEST_REACH: f32 = 0.999;

/// The height at which the pelvis may be at most for the leg to reach `target`, up to [`FULLEST_REACH`] of its length.
///
/// A target too far to the side for any height is best reached with the hip level with it.
pub(super) fn highest_within_reach(reach: Reach, target: Vec3, up: Vec3) -> f32 {
    let to_target = target - reach.hip;
    let height = to_target.dot(up);
    let aside = (to_target - up * height).length();
    let length = reach.length * FULLEST_REACH;
    height + ((length - aside) * (length + aside)).max(0.0).sqrt()
}

/// `height`, lowered until every leg that takes part reaches its target; a leg of little weight lowers it little.
pub(super) fn limit(height: f32, legs: [(Option<Reach>, Vec3, f32); 2], up: Vec3) -> f32 {
    let lowered = legs.map(|(reach, target, weight)| {
        let highest = reach.map_or(height, |reach| highest_within_reach(reach, target, up));
        height + (highest - height).min(0.0) * weight
    });
    lowered[0].min(lowered[1])
}
