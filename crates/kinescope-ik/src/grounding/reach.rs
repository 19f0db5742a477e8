//! Limits the pelvis's height to the reach of the legs.

use glam::Vec3;

use super::input::Reach;

/// Largest extension of a leg, as a fraction of its length.
pub const FULLEST_REACH: f32 = 0.999;

/// Returns the largest offset of the pelvis along up, metres, at which the leg reaches `target`, extended to at most
/// [`FULLEST_REACH`] of its length.
///
/// For a target too far to the side for any offset, returns the offset at which the hip is level with the target.
pub(super) fn highest_within_reach(reach: Reach, target: Vec3, up: Vec3) -> f32 {
    let to_target = target - reach.hip;
    let height = to_target.dot(up);
    let aside = (to_target - up * height).length();
    let length = reach.length * FULLEST_REACH;
    height + ((length - aside) * (length + aside)).max(0.0).sqrt()
}

/// Returns `height`, lowered until both legs reach their targets; a leg of weight below 1 lowers it by that share only.
pub(super) fn limit(height: f32, legs: [(Option<Reach>, Vec3, f32); 2], up: Vec3) -> f32 {
    let lowered = legs.map(|(reach, target, weight)| {
        let highest = reach.map_or(height, |reach| highest_within_reach(reach, target, up));
        height + (highest - height).min(0.0) * weight
    });
    lowered[0].min(lowered[1])
}
