//! Directions of a body: up and facing, and parts of directions orthogonal to others.

use glam::Vec3;

use crate::math::{unit, unit_or_zero};

/// The smallest bend, in degrees, at which a limb's own bend direction is reliable.
pub const DEPENDABLE_BEND_DEGREES: f32 = 5.0;

/// Returns the direction from feet to head: +Y if the trunk is within 53° of it; otherwise, for a lying body, the
/// coordinate axis nearest to the trunk if the legs are within 60° of the trunk's continuation. `None` in all other
/// cases, such as a body on all fours. `trunk` is the unit vector from hips to shoulders, `legs` the vector from hips
/// to feet.
pub(super) fn upright(trunk: Vec3, legs: Vec3) -> Option<Vec3> {
    match () {
        () if trunk.dot(Vec3::Y) > 0.6 => Some(Vec3::Y),
        () if unit_or_zero(legs).dot(trunk) < -0.5 => Some(nearest_axis(trunk)),
        () => None,
    }
}

/// Returns the facing direction of a body; +Z if `hips` and `shoulders`, the vectors from its right side to its left,
/// give none.
pub(super) fn facing_of_left(hips: Vec3, shoulders: Vec3, trunk: Vec3, up: Vec3) -> Vec3 {
    let both = unit_or_zero(flat(hips, trunk)) + unit_or_zero(flat(shoulders, trunk));
    let across = if both.length() < 0.5 { flat(hips, trunk) } else { both };
    unit(unit_or_zero(flat(across, up)).cross(up)).unwrap_or(Vec3::Z)
}

pub(super) fn flat(v: Vec3, normal: Vec3) -> Vec3 {
    let normal = unit_or_zero(normal);
    v - normal * normal.dot(v)
}

pub(super) fn nearest_axis(direction: Vec3) -> Vec3 {
    let axes = [Vec3::Y, Vec3::Z, Vec3::NEG_Z, Vec3::X, Vec3::NEG_X, Vec3::NEG_Y];
    axes.into_iter()
        .fold(Vec3::Y, |best, axis| if axis.dot(direction) > best.dot(direction) + 1e-3 { axis } else { best })
}

pub(super) fn axis_name(axis: Vec3) -> &'static str {
    let names = [(Vec3::X, "+X"), (Vec3::NEG_X, "-X"), (Vec3::Y, "+Y"), (Vec3::NEG_Y, "-Y"), (Vec3::Z, "+Z")];
    names.into_iter().find(|&(of, _)| of == axis).map_or("-Z", |(_, name)| name)
}
