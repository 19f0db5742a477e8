//! Functions of vectors, rotations and numbers that the solvers share, defined for every input.
//!
//! Every function is deterministic. For finite input the result is finite, also for zero, parallel, antiparallel and
//! denormal vectors, unless a number exceeds the range of an `f32`, as in [`length`] of a huge vector or [`nlerp`] with
//! a huge factor. Source: *Full-body notes*.

pub mod curve;
pub mod filter;

use glam::{Affine3A, DQuat, Mat3, Mat4, Quat, Vec3};

/// The largest coordinate that solvers accept in targets and poses, ±1e12. Grounding has a smaller limit.
///
/// The law of cosines divides the square of a bone's length by the distance between the limb's ends, which is at least
/// [`ZERO_LENGTH`]. With the longest possible bone, 3.5e12, the quotient still fits an f32.
pub const FARTHEST: f32 = 1e12;

pub(crate) fn is_within(v: Vec3, farthest: f32) -> bool {
    // Each coordinate by itself: `f32::max` of a NaN and a number drops the NaN.
    (v.x.abs() <= farthest) & (v.y.abs() <= farthest) & (v.z.abs() <= farthest)
}

/// A vector shorter than this counts as zero.
pub const ZERO_LENGTH: f32 = 1e-12;
/// Two directions count as parallel if the sine of their angle is below this, unless a function names another bound.
pub const PARALLEL_SINE: f32 = 1e-6;
/// A limb counts as straight, without a bend plane of its own, if the sine between its bones is below this.
pub const STRAIGHT_SINE: f32 = 1e-4;

/// A squared length in this range has neither underflowed nor overflowed, and the vector does not count as zero.
pub(crate) const SAFE_LENGTH_SQUARED: std::ops::Range<f32> = 1e-23..1e30;

/// Above this squared sine, subtracting the parallel part loses less than two decimal digits to cancellation.
pub(crate) const NEARLY_PARALLEL: f32 = 1e-3;
/// Above this squared sine, the cross product of two directions gives their plane to about 1e-5 rad.
pub(crate) const NEARLY_STRAIGHT: f32 = 1e-5;
/// Above this cosine, adding 1 loses at most one binary digit to cancellation.
pub(crate) const NEARLY_OPPOSITE: f32 = -0.5;

/// Returns the length of `v`, also where the sum of squares would underflow or overflow. Infinite only if the true
/// length does not fit an f32.
#[inline]
pub fn length(v: Vec3) -> f32 {
    let squared = v.length_squared();
    if SAFE_LENGTH_SQUARED.contains(&squared) {
        return squared.sqrt();
    }
    length_of_extreme(v)
}

#[cold]
fn length_of_extreme(v: Vec3) -> f32 {
    let largest = v.abs().max_element();
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    largest * (v / largest).length()
}

/// Returns the unit vector of `v`; `None` if `v` counts as zero or has a coordinate that is not finite.
#[inline]
pub fn unit(v: Vec3) -> Option<Vec3> {
    let squared = v.length_squared();
    if SAFE_LENGTH_SQUARED.contains(&squared) {
        return Some(v * (1.0 / squared.sqrt()));
    }
    unit_of_extreme(v)
}

#[cold]
fn unit_of_extreme(v: Vec3) -> Option<Vec3> {
    // `max_element` may ignore NaN, so it cannot find it.
    if !v.is_finite() || length(v) < ZERO_LENGTH {
        return None;
    }
    let scaled = v / v.abs().max_element();
    Some(scaled / scaled.length())
}

/// Returns the unit vector of `v`, or zero if [`unit()`] returns `None`.
pub fn unit_or_zero(v: Vec3) -> Vec3 {
    unit(v).unwrap_or(Vec3::ZERO)
}

/// Returns the rotation as a unit quaternion with every component within ±1, because file readers reject 1.0000001.
///
/// A quaternion with components within ±1 and a length within 1e-4 of 1, as in many files, is returned bit for bit. One
/// whose length is zero or not finite becomes the identity.
pub fn exact_unit(rotation: Quat) -> Quat {
    let wide = rotation.as_dquat();
    let length = wide.length();
    if (length - 1.0).abs() < 1e-4 && rotation.to_array().iter().all(|part| part.abs() <= 1.0) {
        return rotation;
    }
    // Each component is at most 1 as an f64, so it rounds to at most 1.
    if length.is_finite() && length > 0.0 { (wide / length).as_quat() } else { Quat::IDENTITY }
}

/// The lengths of quaternions that count as rotations. The range covers quaternions written with few digits, and
/// linearly interpolated quaternions of rotations up to 30° apart.
pub const UNIT_LENGTH: std::ops::RangeInclusive<f32> = 0.99..=1.01;
/// The largest deviation of a squared length from 1 that counts as rounding. Such a rotation is used as it is, bit for
/// bit. A quaternion scales vectors by its squared length, so bones change by at most 2e-5 of their length.
const ROUNDING: f32 = 2e-5;

#[inline(always)]
pub(crate) fn is_exact(rotation: Quat) -> bool {
    (rotation.length_squared() - 1.0).abs() <= ROUNDING
}

/// Returns a rotation in the form that solvers use; `None` if the quaternion is not a rotation.
///
/// A quaternion of unit length up to rounding (1e-5) is returned bit for bit. One whose length is within
/// [`UNIT_LENGTH`] is normalized.
#[inline]
pub fn read_rotation(rotation: Quat) -> Option<Quat> {
    match is_exact(rotation) {
        true => Some(rotation),
        false => UNIT_LENGTH.contains(&rotation.length()).then(|| rotation.normalize()),
    }
}

/// Computes [`read_rotation`] for a quaternion that has passed it before.
#[inline(always)]
pub(crate) fn normalized(rotation: Quat) -> Quat {
    if is_exact(rotation) { rotation } else { rotation.normalize() }
}

/// Returns the affine part of a matrix: the last row becomes exactly 0, 0, 0, 1. File readers require that, and
/// inverting a matrix only approximates it.
pub fn affine(matrix: Mat4) -> Mat4 {
    Mat4::from(Affine3A::from_mat4(matrix))
}

/// Limits `value` to `min`–`max` without the panics of [`f32::clamp`].
///
/// A NaN bound is ignored. If `min` is above `max`, the result is `max`. A NaN value stays NaN. Otherwise the result is
/// that of [`f32::clamp`], bit for bit.
#[inline]
pub fn clamp(value: f32, min: f32, max: f32) -> f32 {
    let value = if value < min { min } else { value };
    if value > max { max } else { value }
}

/// Returns the sine of the angle between two directions, 0 to 1; 0 if either is zero.
pub fn sine(a: Vec3, b: Vec3) -> f32 {
    let squared = a.length_squared() * b.length_squared();
    if SAFE_LENGTH_SQUARED.contains(&a.length_squared()) && SAFE_LENGTH_SQUARED.contains(&squared) {
        return (a.cross(b).length_squared() / squared).sqrt();
    }
    unit_or_zero(a).cross(unit_or_zero(b)).length()
}

/// Returns the angle between two directions in radians, 0 to π; 0 if either counts as zero.
pub fn angle(a: Vec3, b: Vec3) -> f32 {
    let (a, b) = (unit_or_zero(a), unit_or_zero(b));
    a.cross(b).length().atan2(a.dot(b))
}

/// Returns the coordinate axis least aligned with `direction`; X before Y before Z on a tie.
fn least_aligned_axis(direction: Vec3) -> Vec3 {
    let abs = direction.abs();
    if abs.x <= abs.y && abs.x <= abs.z {
        Vec3::X
    } else if abs.y <= abs.z {
        Vec3::Y
    } else {
        Vec3::Z
    }
}

/// Returns a unit vector orthogonal to the unit vector `normal`. It depends on `normal` only.
pub(crate) fn any_orthogonal(normal: Vec3) -> Vec3 {
    let axis = least_aligned_axis(normal);
    unit(axis - normal * normal.dot(axis)).unwrap_or(Vec3::X)
}

/// Returns the unit vector of the part of `tangent` orthogonal to `normal`.
///
/// If the two are parallel or `tangent` is zero, the result is a deterministic unit vector orthogonal to `normal`. If
/// `normal` is zero, it is the unit vector of `tangent`; if both are zero, +X.
pub fn ortho_normalize(normal: Vec3, tangent: Vec3) -> Vec3 {
    match unit(normal) {
        Some(normal) => ortho_normalize_to_unit(normal, tangent),
        None => unit(tangent).unwrap_or(Vec3::X),
    }
}

#[inline]
fn ortho_normalize_to_unit(normal: Vec3, tangent: Vec3) -> Vec3 {
    let rest = tangent - normal * normal.dot(tangent);
    let (squared, whole) = (rest.length_squared(), tangent.length_squared());
    // Far from parallel and safe to square, so cancellation costs less than two decimal digits.
    if squared > whole * NEARLY_PARALLEL && SAFE_LENGTH_SQUARED.contains(&squared) {
        return rest * (1.0 / squared.sqrt());
    }
    ortho_normalize_nearly_parallel(normal, tangent)
}

#[cold]
fn ortho_normalize_nearly_parallel(normal: Vec3, tangent: Vec3) -> Vec3 {
    let Some(tangent) = unit(tangent) else { return any_orthogonal(normal) };
    let rest = tangent - normal * normal.dot(tangent);
    let length = rest.length();
    if length < PARALLEL_SINE {
        return any_orthogonal(normal);
    }
    // A second pass: cancellation leaves an error along the normal that is large relative to a short remainder.
    let rest = rest / length;
    unit_or_zero(rest - normal * normal.dot(rest))
}

/// Returns the direction of the part of `v` orthogonal to the unit vector `normal`; `None` if `v` counts as zero, is
/// not finite, or counts as parallel to `normal`.
#[inline]
pub(crate) fn unit_in_plane(v: Vec3, normal: Vec3) -> Option<Vec3> {
    /// The squared sine between a vector and the normal below which the vector counts as parallel to the normal.
    const UPRIGHT: f32 = 1e-6;
    let flat = |v: Vec3| v - normal * normal.dot(v);
    let in_plane = flat(unit(v)?);
    // A second pass: rounding leaves an error along the normal that is large relative to a short remainder.
    if in_plane.length_squared() > UPRIGHT { unit(flat(in_plane)) } else { None }
}

/// Returns the rotation that maps +Z to the direction of `forward`, and +Y to the direction of the part of `up`
/// orthogonal to `forward`.
///
/// A zero `forward` counts as +Z. An `up` that is zero or parallel to `forward` is replaced by the coordinate axis
/// least aligned with `forward`.
pub fn look_rotation(forward: Vec3, up: Vec3) -> Quat {
    Quat::from_mat3(&look_basis(forward, up))
}

/// Returns the rotation of the plane through three points: +Z maps to the direction from the first to the second, +Y
/// toward the third. Points that coincide or lie on a line: see [`look_rotation`]. Source: *Full-body notes*, «plane».
pub fn plane_rotation([p1, p2, p3]: [Vec3; 3]) -> Quat {
    look_rotation(p2 - p1, p3 - p1)
}

pub(crate) fn look_basis(forward: Vec3, up: Vec3) -> Mat3 {
    let forward = unit(forward).unwrap_or(Vec3::Z);
    let up = ortho_normalize_to_unit(forward, up);
    Mat3::from_cols(up.cross(forward), up, forward)
}

/// Returns the shortest rotation from the direction of `a` to that of `b`.
///
/// If either is zero, the result is the identity. For opposite directions it is a half turn about a deterministic axis
/// orthogonal to `a`.
pub fn from_to_rotation(a: Vec3, b: Vec3) -> Quat {
    let (Some(a), Some(b)) = (unit(a), unit(b)) else { return Quat::IDENTITY };
    let dot = a.dot(b);
    if dot <= NEARLY_OPPOSITE {
        let cross = a.cross(b);
        if cross.length() < PARALLEL_SINE {
            let axis = any_orthogonal(a);
            return Quat::from_xyzw(axis.x, axis.y, axis.z, 0.0);
        }
        // Near opposite directions both a × b and 1 + a·b lose their digits to cancellation, so use f64.
        let (a, b) = (a.as_dvec3().normalize(), b.as_dvec3().normalize());
        let cross = a.cross(b);
        return DQuat::from_xyzw(cross.x, cross.y, cross.z, 1.0 + a.dot(b)).normalize().as_quat();
    }
    let cross = a.cross(b);
    Quat::from_xyzw(cross.x, cross.y, cross.z, 1.0 + dot).normalize()
}

/// Returns the rotation about `axis` that aligns the parts of `from` and `to` orthogonal to it.
///
/// If `from` or `to` is zero or parallel to the axis, or if the axis is zero, the result is the identity.
pub fn from_to_about_axis(from: Vec3, to: Vec3, axis: Vec3) -> Quat {
    let Some(axis) = unit(axis) else { return Quat::IDENTITY };
    let flat = |v: Vec3| {
        let v = unit_or_zero(v);
        let v = v - axis * axis.dot(v);
        (v.length() >= PARALLEL_SINE).then_some(v)
    };
    let (Some(from), Some(to)) = (flat(from), flat(to)) else { return Quat::IDENTITY };
    let (sin, cos) = (from.cross(to).dot(axis), from.dot(to));
    if cos <= 0.0 {
        return Quat::from_axis_angle(axis, sin.atan2(cos));
    }
    // The 2D vector (1 + cos, sin) points at half the angle, which avoids trigonometric functions.
    let half = glam::Vec2::new(sin, (sin * sin + cos * cos).sqrt() + cos).normalize();
    Quat::from_xyzw(axis.x * half.x, axis.y * half.x, axis.z * half.x, half.y)
}

/// Rises smoothly from 0 at `t` ≤ 0 to 1 at `t` ≥ 1, with zero slope at both; 0 for NaN.
pub fn smoothstep(t: f32) -> f32 {
    let t = if t > 0.0 { t.min(1.0) } else { 0.0 };
    t * t * (3.0 - 2.0 * t)
}

/// Interpolates two rotations linearly along the short arc and normalizes the result. `t` is not clamped.
///
/// At `t` = 0 and 1 the result is `a` or `b` bit for bit, `b` up to its sign.
pub fn nlerp(a: Quat, b: Quat, t: f32) -> Quat {
    if t == 0.0 {
        return a;
    }
    let b = if a.dot(b) < 0.0 { -b } else { b };
    if t == 1.0 {
        return b;
    }
    let mixed = a * (1.0 - t) + b * t;
    if mixed.length_squared() > 1e-24 { mixed.normalize() } else { a }
}

/// Interpolates two rotations along the short arc with constant angular speed. `t` is not clamped.
///
/// At `t` = 0 and 1 the result is `a` or `b` bit for bit, `b` up to its sign.
pub fn slerp(a: Quat, b: Quat, t: f32) -> Quat {
    /// Above this cosine of half the angle, both interpolations agree to the last digit.
    const NEAR: f32 = 1.0 - 1e-6;
    let cos = a.dot(b);
    // Rotations half a turn apart have no short arc, and a quaternion that is not a rotation has no angle.
    if t == 0.0 || t == 1.0 || !(1e-6..NEAR).contains(&cos.abs()) {
        return nlerp(a, b, t);
    }
    let b = if cos < 0.0 { -b } else { b };
    let angle = cos.abs().acos();
    let mixed = a * ((1.0 - t) * angle).sin() + b * (t * angle).sin();
    mixed.normalize()
}

/// Interpolates the direction by angle and the length linearly. `t` is not clamped.
///
/// Opposite directions turn about a deterministic axis. If either vector is zero, the result is the linear
/// interpolation.
pub fn slerp_vector(a: Vec3, b: Vec3, t: f32) -> Vec3 {
    let (Some(from), Some(to)) = (unit(a), unit(b)) else { return a.lerp(b, t) };
    let (length_a, length_b) = (length(a), length(b));
    let length = length_a + (length_b - length_a) * t;
    let angle = angle(from, to);
    let side = ortho_normalize(from, to);
    let (sin, cos) = (angle * t).sin_cos();
    (from * cos + side * sin) * length
}

/// Limits `direction` to a cone about `normal`. Returns the direction and whether it changed. The length of a changed
/// direction is between those of `normal` and `direction`.
///
/// The cone's half angle is `(1 − clamp_weight) · 180°`: a `clamp_weight` of 0 keeps every direction, 0.5 keeps those
/// within 90° of `normal`, and 1 returns `normal` for every direction. Below 1, a zero vector as `direction` or
/// `normal` leaves `direction` unchanged. Directions outside the cone do not stop at its surface: the nearer they are
/// to the opposite of `normal`, the nearer the result is to `normal`, which makes it continuous there. `smoothing`
/// applies that many sines, which brings the result closer to the surface. Source: *Full-body notes*, «ClampDirection».
pub fn clamp_direction(direction: Vec3, normal: Vec3, clamp_weight: f32, smoothing: u32) -> (Vec3, bool) {
    if clamp_weight <= 0.0 {
        return (direction, false);
    }
    if clamp_weight >= 1.0 {
        return (normal, true);
    }
    // A cheap test: most directions are kept without computing their angle.
    let cosine = unit_or_zero(normal).dot(unit_or_zero(direction));
    if cosine > nearest_cosine(clamp_weight) {
        return (direction, false);
    }
    // 1 along the normal, 0 opposite to it.
    let closeness = 1.0 - angle(normal, direction) / std::f32::consts::PI;
    if closeness > clamp_weight {
        return (direction, false);
    }
    // closeness ≤ clamp_weight < 1, so this divides by more than zero.
    let to_limit = (1.0 - (clamp_weight - closeness) / (1.0 - closeness)).clamp(0.0, 1.0);
    let mut steadiness = (closeness / clamp_weight).clamp(0.0, 1.0);
    for _ in 0..smoothing {
        steadiness = (steadiness * std::f32::consts::FRAC_PI_2).sin();
    }
    (slerp_vector(normal, direction, steadiness * to_limit), true)
}

/// Returns a cosine above which [`clamp_direction`] certainly keeps a direction: the cosine of the cone's half angle is
/// sin(π·(weight − ½)), at most π·max(0, weight − ½).
#[inline(always)]
fn nearest_cosine(clamp_weight: f32) -> f32 {
    (clamp_weight - 0.5).max(0.0) * std::f32::consts::PI + 1e-6
}

/// Returns `direction` limited to a cone of the given half angle, in degrees, around `about`.
pub(crate) fn held(direction: Vec3, about: Vec3, degrees: f32) -> Vec3 {
    // Two sines bring the result close to the cone's surface, except near the opposite of `about`.
    const SMOOTHING: u32 = 2;
    clamp_direction(direction, about, 1.0 - degrees / 180.0, SMOOTHING).0
}

/// Returns the rotation about the axis of `turn` by the fraction `of` of its angle.
pub(crate) fn share(turn: Quat, of: f32) -> Quat {
    Quat::from_scaled_axis(turn.to_scaled_axis() * of)
}

/// Returns the angle of a rotation in radians, 0 to π. Small angles keep their precision.
pub fn swing_angle(rotation: Quat) -> f32 {
    2.0 * length(Vec3::new(rotation.x, rotation.y, rotation.z)).atan2(rotation.w.abs())
}

/// Returns axis and angle of a rotation, the angle 0 to π in radians; `None` below 1e-6 rad.
pub(crate) fn turn_of(rotation: Quat) -> Option<(Vec3, f32)> {
    let sine = if rotation.w < 0.0 { -rotation.xyz() } else { rotation.xyz() };
    let angle = 2.0 * sine.length().atan2(rotation.w.abs());
    unit(sine).filter(|_| angle > 1e-6).map(|axis| (axis, angle))
}

/// Returns the point at `length` from `to` on the line toward `from`. If both points coincide, it returns `to`.
/// Source: *Full-body notes*, «SolveFABRIKJoint».
pub fn fabrik_joint(from: Vec3, to: Vec3, length: f32) -> Vec3 {
    to + unit_or_zero(from - to) * length
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn component() -> impl Strategy<Value = f32> {
        prop_oneof![
            4 => -10.0f32..10.0,
            1 => Just(0.0f32),
            1 => Just(-0.0f32),
            1 => Just(1.0f32),
            1 => -1e-40f32..1e-40,
            1 => -1e-18f32..1e-18,
            1 => -1e18f32..1e18,
            1 => -1e38f32..1e38,
        ]
    }

    fn vector() -> impl Strategy<Value = Vec3> {
        (component(), component(), component()).prop_map(|(x, y, z)| Vec3::new(x, y, z))
    }

    fn pair() -> impl Strategy<Value = (Vec3, Vec3)> {
        (vector(), vector(), 0..6u8, -1e-6f32..1e-6).prop_map(|(a, b, kind, hair)| match kind {
            0 => (a, a),
            1 => (a, -a),
            2 => (a, -a + a.abs().max_element().min(1e30) * Vec3::splat(hair)),
            3 => (a, a * 1e-20),
            _ => (a, b),
        })
    }

    fn is_unit(q: Quat) -> bool {
        q.is_finite() && (q.length() - 1.0).abs() < 1e-5
    }

    #[test]
    fn a_vector_that_is_not_finite_has_no_direction() {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for at in 0..3 {
                let mut v = Vec3::new(0.5, -1.0, 2.0);
                v[at] = bad;
                assert_eq!(unit(v), None, "{v}");
            }
            assert_eq!(unit(Vec3::splat(bad)), None);
        }
    }

    fn has_direction(v: Vec3) -> bool {
        unit(v).is_some()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn unit_is_unit_or_none(v in vector()) {
            match unit(v) {
                Some(u) => prop_assert!((u.length() - 1.0).abs() < 1e-5),
                None => prop_assert!(length(v) < ZERO_LENGTH * 2.0),
            }
        }

        #[test]
        fn length_is_exact(v in vector()) {
            let exact = v.as_dvec3().length();
            let got = f64::from(length(v));
            prop_assert!(exact > f64::from(f32::MAX) || (got - exact).abs() <= exact * 1e-6 + 1e-44, "{got} {exact}");
        }

        #[test]
        fn look_rotation_aims((forward, up) in pair()) {
            let r = look_rotation(forward, up);
            prop_assert!(is_unit(r));
            prop_assert_eq!(r, look_rotation(forward, up));
            if let Some(forward) = unit(forward) {
                prop_assert!((r * Vec3::Z - forward).length() < 1e-5);
                if let Some(up) = unit(up).filter(|&up| sine(forward, up) > 1e-3) {
                    // A rounding error of `forward` turns the part of `up` orthogonal to it by that error divided by
                    // the sine of their angle.
                    let slack = 1e-5 + 1e-6 / sine(forward, up);
                    prop_assert!((r * Vec3::Y - ortho_normalize(forward, up)).length() < slack);
                    prop_assert!((r * Vec3::Y).dot(up) > 0.0);
                }
            }
        }

        #[test]
        fn from_to_arrives((a, b) in pair()) {
            let r = from_to_rotation(a, b);
            prop_assert!(is_unit(r));
            if has_direction(a) && has_direction(b) {
                prop_assert!((r * unit_or_zero(a) - unit_or_zero(b)).length() < 2e-5);
            } else {
                prop_assert_eq!(r, Quat::IDENTITY);
            }
        }

        #[test]
        fn from_to_is_shortest((a, b) in pair()) {
            let r = from_to_rotation(a, b);
            let turned = 2.0 * Vec3::new(r.x, r.y, r.z).length().atan2(r.w.abs());
            let needed = if has_direction(a) && has_direction(b) { angle(a, b) } else { 0.0 };
            prop_assert!((turned - needed).abs() < 1e-3, "{turned} {needed}");
        }

        #[test]
        fn ortho_normalize_is_orthogonal((normal, tangent) in pair()) {
            let o = ortho_normalize(normal, tangent);
            prop_assert!((o.length() - 1.0).abs() < 1e-5);
            prop_assert!(!has_direction(normal) || o.dot(unit_or_zero(normal)).abs() < 1e-5);
        }

        #[test]
        fn about_axis_keeps_the_axis((from, to) in pair(), axis in vector()) {
            let r = from_to_about_axis(from, to, axis);
            prop_assert!(is_unit(r));
            let axis = unit_or_zero(axis);
            prop_assert!((r * axis - axis).length() < 1e-5);
        }

        #[test]
        fn clamp_direction_stays_in_the_cone((direction, normal) in pair(), weight in 0.0f32..1.0, smoothing in 0..4u32) {
            let (clamped, changed) = clamp_direction(direction, normal, weight, smoothing);
            prop_assert!(clamped.is_finite());
            prop_assert!(changed || clamped == direction);
            if has_direction(direction) && has_direction(normal) && has_direction(clamped) {
                let limit = (1.0 - weight) * std::f32::consts::PI;
                prop_assert!(angle(clamped, normal) <= limit + 1e-3);
            }
        }

        #[test]
        fn slerp_vector_is_finite((a, b) in pair(), t in 0.0f32..1.0) {
            // Lengths beyond the range of a float cannot be interpolated.
            let representable = length(a) < 1e38 && length(b) < 1e38;
            prop_assert!(!representable || slerp_vector(a, b, t).is_finite());
        }

        #[test]
        fn smoothstep_rises_from_0_to_1(a in prop::num::f32::ANY, b in prop::num::f32::ANY) {
            let (from, to) = (smoothstep(a), smoothstep(b));
            prop_assert!((0.0..=1.0).contains(&from) && (0.0..=1.0).contains(&to));
            if a < b {
                prop_assert!(from <= to + 1e-6, "{a} {b}");
            }
            prop_assert_eq!([-1.0, 0.0, 0.5, 1.0, 2.0, f32::NAN].map(smoothstep), [0.0, 0.0, 0.5, 1.0, 1.0, 0.0]);
        }

        #[test]
        fn nlerp_is_unit(a in vector(), b in vector(), t in 0.0f32..1.0) {
            let (a, b) = (from_to_rotation(Vec3::X, a), from_to_rotation(Vec3::Y, b));
            prop_assert!(is_unit(nlerp(a, b, t)));
            prop_assert_eq!(nlerp(a, b, 0.0), a);
        }

        #[test]
        fn fabrik_joint_is_length_away((a, b) in pair(), length in 0.0f32..10.0) {
            let moved = fabrik_joint(a, b, length);
            prop_assert!(moved.is_finite());
            prop_assert!(!has_direction(a - b) || (moved.distance(b) - length).abs() <= 1e-5 + b.length() * 1e-5);
        }
    }

    #[test]
    fn exact_units_stay_within_one() {
        let over = f32::from_bits(1.0f32.to_bits() + 1);
        for rotation in [Quat::from_xyzw(over, 0.0, 0.0, 0.0), Quat::from_xyzw(1e-5, 0.0, 1e-9, -over)] {
            let exact = exact_unit(rotation);
            assert!(exact.to_array().iter().all(|part| part.abs() <= 1.0), "{exact}");
            assert!((exact.length() - 1.0).abs() < 1e-6 && exact.dot(rotation) > 0.999);
        }
        let like = Quat::from_rotation_x(0.3);
        assert_eq!(exact_unit(like), like);
        assert!((exact_unit(like * 3.0) - like).length() < 1e-6);
        for none in [Quat::from_array([0.0; 4]), Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0)] {
            assert_eq!(exact_unit(none), Quat::IDENTITY);
        }
    }

    #[test]
    fn affine_matrices_have_an_exact_last_row() {
        let near = Mat4::from_rotation_y(0.4) * Mat4::from_translation(Vec3::new(1.0, 2.0, 3.0));
        let mut off = near.to_cols_array();
        [off[3], off[15]] = [1e-9, 1.0 - f32::EPSILON];
        let made = affine(Mat4::from_cols_array(&off)).to_cols_array();
        assert_eq!([3, 7, 11, 15].map(|at| made[at]), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(Mat4::from_cols_array(&made), near);
    }

    #[test]
    fn opposite_directions_turn_by_half() {
        for v in [Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(1.0, -2.0, 3.0)] {
            let r = from_to_rotation(v, -v);
            assert!((r * v + v).length() < 1e-5);
            assert_eq!(r, from_to_rotation(v, -v));
        }
    }

    #[test]
    fn bend_limit_mirrors_as_measured() {
        let bent = |degrees: f32| {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let (direction, _) = clamp_direction(Vec3::new(cos, sin, 0.0), Vec3::Y, 0.505, 0);
            90.0 - angle(direction, Vec3::Y).to_degrees()
        };
        assert!((bent(0.0) - 1.8).abs() < 0.05, "{}", bent(0.0));
        assert!((bent(-10.0) - 11.6).abs() < 0.1, "{}", bent(-10.0));
        assert_eq!(bent(20.0), 20.0);
    }

    #[test]
    fn smoothing_brings_the_bend_limit_near_to_a_plain_stop() {
        let bent = |smoothing: u32| {
            let (sin, cos) = (-10f32).to_radians().sin_cos();
            let (direction, _) = clamp_direction(Vec3::new(cos, sin, 0.0), Vec3::Y, 0.505, smoothing);
            90.0 - angle(direction, Vec3::Y).to_degrees()
        };
        // A plain stop would be at 0.9°.
        for (smoothing, expected) in [(0, 11.58), (1, 2.48), (2, 0.93)] {
            assert!((bent(smoothing) - expected).abs() < 0.02, "{smoothing}: {}", bent(smoothing));
        }
    }
}
