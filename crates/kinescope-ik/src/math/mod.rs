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
