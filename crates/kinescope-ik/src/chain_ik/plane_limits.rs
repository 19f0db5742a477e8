//! Limits within the plane of the 2D mode.
//!
//! The source turns bones about the plane's normal or lays their ends into the plane, then applies the limits, which may
//! turn the bones out of the plane again. Here a limit is applied within the plane: a bone turns about the normal as
//! far as the limit allows, and keeps its twist unless the limit changes that too. Two limits take precedence over the
//! plane: a hinge whose axis is not the normal, and a cone (or an angle limit) that allows no direction in the plane. The
//! bone then leaves the plane, as the hinge turns it or by as little as the cone allows. The bones after it are parallel
//! to the plane.

use std::f32::consts::{FRAC_PI_2, PI};

use glam::{Quat, Vec3};

use super::limits::{LIMIT_TOLERANCE, Limit, Limited, nearest, swing_twist};
use crate::math::{any_orthogonal, clamp, from_to_about_axis, from_to_rotation, unit, unit_in_plane};

/// Returns the shortest rotation from one direction to another. With the plane's normal, the rotation is about the
/// normal, followed by the shortest rotation for what remains out of the plane.
pub(super) fn swing(from: Vec3, to: Vec3, normal: Option<Vec3>) -> Quat {
    let Some(normal) = normal else { return from_to_rotation(from, to) };
    let about = from_to_about_axis(from, to, normal);
    (from_to_rotation(about * from, to) * about).normalize()
}

/// Returns a bone's direction in the plane if only rounding keeps it out of the plane; else the direction itself.
pub(super) fn kept(direction: Vec3, normal: Vec3) -> Vec3 {
    match is_in_plane(direction, normal) {
        true => unit_in_plane(direction, normal).unwrap_or(direction),
        false => direction,
    }
}

pub(super) fn is_in_plane(direction: Vec3, normal: Vec3) -> bool {
    direction.dot(normal).abs() <= LIMIT_TOLERANCE
}

/// Applies a limit as [`Limit::apply`] does, but turns the bone into the plane if the limit allows a direction there.
/// `normal` is the plane's unit normal in the space that the bone has at rest.
pub(super) fn apply(limit: &Limit, rotation: Quat, axis: Vec3, normal: Vec3, previous_turn: f32) -> Limited {
    let limited = match *limit {
        Limit::Free => {
            return Limited { rotation: pointed(rotation, axis, in_plane(rotation * axis, normal)), ..UNLIMITED };
        }
        Limit::Hinge { .. } => limit.apply(rotation, axis, previous_turn),
        Limit::BallAndSocket { swing, twist_min, twist_max } => {
            let twist = |angle: f32, _: Vec3| nearest(angle, twist_min, twist_max);
            in_cone(rotation, axis, normal, swing, twist)
        }
        Limit::Angle { max } => {
            let twist = |angle: f32, direction: Vec3| {
                let most = most_twist(max, axis, direction);
                nearest(angle, -most, most)
            };
            in_cone(rotation, axis, normal, max, twist)
        }
    };
    let along = limited.rotation * axis;
    match is_in_plane(along, normal) {
        true => Limited { rotation: pointed(limited.rotation, axis, in_plane(along, normal)), ..limited },
        false => limited,
    }
}

const UNLIMITED: Limited = Limited { rotation: Quat::IDENTITY, turn: 0.0, excess: 0.0 };

fn in_plane(direction: Vec3, normal: Vec3) -> Vec3 {
    unit_in_plane(direction, normal).unwrap_or_else(|| any_orthogonal(normal))
}

/// Returns the rotation, swung so that it points the bone along `direction`.
fn pointed(rotation: Quat, axis: Vec3, direction: Vec3) -> Quat {
    (from_to_rotation(rotation * axis, direction) * rotation).normalize()
}

/// Points a bone along the direction in the plane that is nearest to its own, within the cone of half opening `widest`
/// about `axis`, and gives it the twist that `allowed` returns with its distance, for a twist and the new direction.
fn in_cone(
    rotation: Quat,
    axis: Vec3,
    normal: Vec3,
    widest: f32,
    allowed: impl Fn(f32, Vec3) -> (f32, f32),
) -> Limited {
    let along = rotation * axis;
    let (direction, turned) = nearest_in_cone(along, axis, normal, widest);
    // About the normal, not by the shortest swing: a half turn would otherwise change the twist.
    let rotation = pointed(from_to_about_axis(along, direction, normal) * rotation, axis, direction);
    let swing = swing_to(axis, direction, normal);
    let twist = swing_twist(swing.conjugate() * rotation, axis).1;
    let (allowed, twisted) = allowed(twist, direction);
    let rotation = if twisted > 0.0 { (swing * Quat::from_axis_angle(axis, allowed)).normalize() } else { rotation };
    let excess = turned.max(twisted);
    Limited { rotation, turn: 0.0, excess: if excess > LIMIT_TOLERANCE { excess } else { 0.0 } }
}

/// Returns the shortest rotation from `axis` to `direction`. Near half a turn, where rounding would decide its axis, it
/// is about the plane's normal.
fn swing_to(axis: Vec3, direction: Vec3, normal: Vec3) -> Quat {
    /// The sum of two unit vectors is shorter than this if they are opposite within 0.06°.
    const OPPOSITE: f32 = 1e-3;
    swing(axis, direction, Some(normal).filter(|_| (axis + direction).length() < OPPOSITE))
}

/// Returns the direction in the plane and in the cone that is nearest to `along` on the circle, and its angle to that.
/// Without one, returns the direction of the cone that is nearest to the plane.
fn nearest_in_cone(along: Vec3, axis: Vec3, normal: Vec3, widest: f32) -> (Vec3, f32) {
    let Some(middle) = unit_in_plane(axis, normal) else {
        // Every direction in the plane is a quarter turn from the axis.
        let direction = in_plane(along, normal);
        let off = (FRAC_PI_2 - widest).max(0.0);
        let toward = unit(direction - axis * axis.dot(direction)).unwrap_or(direction);
        return if off <= LIMIT_TOLERANCE { (direction, 0.0) } else { (arc(axis, toward, widest), off) };
    };
    let along = unit_in_plane(along, normal).unwrap_or(middle);
    let (height, width) = (axis.dot(normal), axis.dot(middle));
    // The cone meets the plane at the angle α from the middle, where cos α = cos(widest) / width. Computed from squared
    // sines of half the angles, because cosines of small angles lose their digits.
    let half_rise = height * height / (2.0 * (1.0 + width));
    let half = ((0.5 * widest).sin().powi(2) - half_rise) / width;
    if half < 0.0 {
        let tilt = height.atan2(width) - widest.copysign(height);
        let direction = arc(middle, normal, tilt);
        return (direction, direction.dot(along).clamp(-1.0, 1.0).acos());
    }
    let most = 2.0 * half.min(1.0).sqrt().asin();
    let side = normal.cross(middle);
    let angle = side.dot(along).atan2(middle.dot(along));
    let allowed = clamp(angle, -most, most);
    if allowed == angle { (along, 0.0) } else { (arc(middle, side, allowed), (angle - allowed).abs()) }
}

/// Returns the unit vector at an angle from `from` toward `side`; both are unit and orthogonal to each other.
fn arc(from: Vec3, side: Vec3, angle: f32) -> Vec3 {
    from * angle.cos() + side * angle.sin()
}

/// Returns the largest twist of a bone along `direction` with which its whole rotation from rest stays within `max`.
fn most_twist(max: f32, axis: Vec3, direction: Vec3) -> f32 {
    // With the swing β and the twist τ, the rotation's angle ω has sin²(ω/2) = sin²(β/2) + cos²(β/2) · sin²(τ/2).
    let swung = 0.25 * direction.distance_squared(axis);
    let half = ((0.5 * max).sin().powi(2) - swung) / (1.0 - swung);
    if half < 1.0 && max < PI { 2.0 * half.max(0.0).sqrt().asin() } else { PI }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn direction() -> impl Strategy<Value = Vec3> {
        (-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0).prop_filter_map("a direction", |(x, y, z)| unit(Vec3::new(x, y, z)))
    }

    fn rotation() -> impl Strategy<Value = Quat> {
        prop_oneof![
            6 => (direction(), -PI..PI).prop_map(|(axis, angle)| Quat::from_axis_angle(axis, angle)),
            1 => Just(Quat::IDENTITY),
            1 => Just(Quat::from_xyzw(1.0, 0.0, 0.0, 0.0)),
        ]
    }

    fn ball(swing: f32, twist: f32) -> Limit {
        Limit::BallAndSocket { swing, twist_min: -twist, twist_max: twist }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        /// Compares the bone with the best of 720 directions in the plane.
        #[test]
        fn a_cone_turns_the_bone_to_its_nearest_direction_in_the_plane(
            widest in prop_oneof![0.0f32..0.1, 0.0f32..PI], turn in rotation(), axis in direction(), normal in direction(),
        ) {
            for limit in [ball(widest, PI), ball(widest, 0.4), Limit::Angle { max: widest }] {
                let limited = apply(&limit, turn, axis, normal, 0.0);
                prop_assert!(limit.violation(limited.rotation, axis, 0.0) < 2e-3, "{limit:?} {limited:?}");
                let along = limited.rotation * axis;
                let height = axis.dot(normal).clamp(-1.0, 1.0).asin().abs();
                let off = along.dot(normal).clamp(-1.0, 1.0).asin().abs();
                prop_assert!((off - (height - widest).max(0.0)).abs() < 2e-3, "{limit:?}: {off} off, {height}");
                let flat = (turn * axis).reject_from(normal);
                if height < widest - 0.01 && flat.length() > 0.01 {
                    let flat = flat.normalize();
                    let side = normal.cross(flat);
                    let best = (0..720).map(|step| arc(flat, side, step as f32 * PI / 360.0));
                    let best = best.filter(|direction| direction.angle_between(axis) <= widest);
                    let best = best.map(|direction| direction.dot(flat)).fold(-1.0, f32::max);
                    prop_assert!(along.dot(flat) > best - 1e-3, "{limit:?}: {} {best}", along.dot(flat));
                }
                let again = apply(&limit, limited.rotation, axis, normal, 0.0);
                let kept = (again.rotation * axis).distance(along);
                prop_assert!(off > LIMIT_TOLERANCE || kept < 1e-3, "{limit:?} moved again by {kept}");
            }
        }

        #[test]
        fn a_hinge_about_the_normal_stays_in_the_plane(
            angle in -PI..PI, normal in direction(), min in -3.0f32..0.0, max in 0.0f32..3.0,
        ) {
            let axis = any_orthogonal(normal);
            let limit = Limit::Hinge { axis: normal, min, max };
            let limited = apply(&limit, Quat::from_axis_angle(normal, angle), axis, normal, 0.0);
            prop_assert!((limited.turn - angle.clamp(min, max)).abs() < 1e-4);
            prop_assert!((limited.rotation * axis).dot(normal).abs() < 1e-6);
        }
    }
}
