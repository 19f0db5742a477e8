//! The geometric primitives of the solvers, as total functions.
//!
//! Every function here gives a finite, deterministic answer for every finite input: zero, parallel, antiparallel,
//! denormal and huge vectors included. Which answer is part of each function's contract. Source: *Full-body
//! notes*; where they leave an input out, the function says what is done.

pub mod curve;
pub mod filter;

use glam::{Affine3A, DQuat, Mat3, Mat4, Quat, Vec3};

/// The largest coordinate that the solver takes. The law of cosines divides the square of a bone's length by the
/// distance of the limb's ends, which is at least [`ZERO_LENGTH`]: with the longest bone, 3.5e12, that still fits an f32
/// with room to spare.
pub const FARTHEST: f32 = 1e12;

/// Whether every coordinate is a number within ±`farthest`.
pub(crate) fn is_within(v: Vec3, farthest: f32) -> bool {
    // Not the largest of them: that of a NaN and a number is the number.
    (v.x.abs() <= farthest) & (v.y.abs() <= farthest) & (v.z.abs() <= farthest)
}

/// A vector shorter than this counts as zero.
pub const ZERO_LENGTH: f32 = 1e-12;
/// Two directions with a sine below this count as parallel.
pub const PARALLEL_SINE: f32 = 1e-6;
/// A limb whose bones enclose a sine below this counts as straight: it has no plane of its own.
pub const STRAIGHT_SINE: f32 = 1e-4;

// Between these lengths the square of a length neither underflows nor overflows an f32, and none counts as zero.
pub(crate) const SAFE_LENGTH_SQUARED: std::ops::Range<f32> = 1e-23..1e30;

/// A squared sine above this loses nothing to cancellation.
pub(crate) const NEARLY_PARALLEL: f32 = 1e-3;
/// Two directions of a squared sine above this have a vector product that gives their plane to some 1e-5 rad.
pub(crate) const NEARLY_STRAIGHT: f32 = 1e-5;
/// A cosine above this loses nothing where one is added to it.
pub(crate) const NEARLY_OPPOSITE: f32 = -0.5;

/// Length of `v`, exact where a sum of squares would under- or overflow; infinite only if the true length is.
pub fn length(v: Vec3) -> f32 {
    let squared = v.length_squared();
    if SAFE_LENGTH_SQUARED.contains(&squared) {
        return squared.sqrt();
    }
    let largest = v.abs().max_element();
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    largest * (v / largest).length()
}

/// Unit vector of `v`; `None` if it counts as zero.
#[inline]
pub fn unit(v: Vec3) -> Option<Vec3> {
    let squared = v.length_squared();
    if SAFE_LENGTH_SQUARED.contains(&squared) {
        return Some(v * (1.0 / squared.sqrt()));
    }
    unit_of_extreme(v)
}

/// [`unit`] where the square of the length says nothing.
#[cold]
fn unit_of_extreme(v: Vec3) -> Option<Vec3> {
    let largest = v.abs().max_element();
    if !largest.is_finite() || length(v) < ZERO_LENGTH {
        return None;
    }
    let scaled = v / largest;
    Some(scaled / scaled.length())
}

/// Unit vector of `v`, or zero if it counts as zero.
pub fn unit_or_zero(v: Vec3) -> Vec3 {
    unit(v).unwrap_or(Vec3::ZERO)
}

/// The rotation as a unit quaternion no component of which is beyond ±1, not by its last bit: readers of files refuse
/// 1.0000001. One that is unit to 1e-4, as files may have it, and within ±1 stays as it is, bit for bit; one that has no length or is not finite becomes the
/// identity.
pub fn exact_unit(rotation: Quat) -> Quat {
    let wide = rotation.as_dquat();
    let length = wide.length();
    if (length - 1.0).abs() < 1e-4 && rotation.to_array().iter().all(|part| part.abs() <= 1.0) {
        return rotation;
    }
    // Each part of it is at most 1 as an f64, and rounds to at most 1.
    if length.is_finite() && length > 0.0 { (wide / length).as_quat() } else { Quat::IDENTITY }
}

/// Lengths of quaternions that count as rotations: written with few digits, or interpolated over a few degrees.
pub const UNIT_LENGTH: std::ops::RangeInclusive<f32> = 0.99..=1.01;
/// A squared length that is off 1 by no more is rounding: the rotation is taken as it is, bit for bit. Bones turned by it
/// are off by a hundred-thousandth of their length at most.
const ROUNDING: f32 = 2e-5;

/// Whether a quaternion is unit but for rounding.
#[inline(always)]
pub(crate) fn is_exact(rotation: Quat) -> bool {
    (rotation.length_squared() - 1.0).abs() <= ROUNDING
}

/// Returns a rotation as solvers read it. One that is unit but for rounding, 1e-5 of its length, stays as it is, bit for
/// bit. One whose length is within [`UNIT_LENGTH`] is normalized. Any other is no rotation: `None`.
#[inline]
pub fn read_rotation(rotation: Quat) -> Option<Quat> {
    match is_exact(rotation) {
        true => Some(rotation),
        false => UNIT_LENGTH.contains(&rotation.length()).then(|| rotation.normalize()),
    }
}

/// [`read_rotation`] of one that was checked.
#[inline(always)]
pub(crate) fn normalized(rotation: Quat) -> Quat {
    if is_exact(rotation) { rotation } else { rotation.normalize() }
}

/// The affine part of a matrix: its last row is 0, 0, 0, 1 to the last bit, as readers of files want it; an inverse is so
/// only nearly.
pub fn affine(matrix: Mat4) -> Mat4 {
    Mat4::from(Affine3A::from_mat4(matrix))
}

/// `value` kept between `min` and `max`, bit for bit as [`f32::clamp`], which panics where a bound is NaN or `min` is
/// above `max`: here a NaN bound does not limit, and `max` counts where the two are swapped. A NaN value stays NaN.
#[inline]
pub fn clamp(value: f32, min: f32, max: f32) -> f32 {
    let value = if value < min { min } else { value };
    if value > max { max } else { value }
}

/// Sine of the angle between two directions, 0 to 1; 0 if either counts as zero.
pub fn sine(a: Vec3, b: Vec3) -> f32 {
    let squared = a.length_squared() * b.length_squared();
    if SAFE_LENGTH_SQUARED.contains(&a.length_squared()) && SAFE_LENGTH_SQUARED.contains(&squared) {
        return (a.cross(b).length_squared() / squared).sqrt();
    }
    unit_or_zero(a).cross(unit_or_zero(b)).length()
}

/// Angle between two directions in radians, 0 to π; 0 if either counts as zero.
pub fn angle(a: Vec3, b: Vec3) -> f32 {
    let (a, b) = (unit_or_zero(a), unit_or_zero(b));
    a.cross(b).length().atan2(a.dot(b))
}

/// The coordinate axis least aligned with `direction`: X before Y before Z on a tie.
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

/// A unit vector orthogonal to the unit vector `normal`, always the same for the same input.
pub(crate) fn any_orthogonal(normal: Vec3) -> Vec3 {
    let axis = least_aligned_axis(normal);
    unit(axis - normal * normal.dot(axis)).unwrap_or(Vec3::X)
}

/// Unit part of `tangent` orthogonal to `normal`.
///
/// If they are parallel, or `tangent` is zero, a deterministic unit vector orthogonal to `normal`. If `normal` is
/// zero, the unit vector of `tangent`; if both are, +X.
pub fn ortho_normalize(normal: Vec3, tangent: Vec3) -> Vec3 {
    match unit(normal) {
        Some(normal) => ortho_normalize_to_unit(normal, tangent),
        None => unit(tangent).unwrap_or(Vec3::X),
    }
}

/// [`ortho_normalize`] for a `normal` of unit length.
#[inline]
fn ortho_normalize_to_unit(normal: Vec3, tangent: Vec3) -> Vec3 {
    let rest = tangent - normal * normal.dot(tangent);
    let (squared, whole) = (rest.length_squared(), tangent.length_squared());
    // Far from parallel, and of a size that squares well: nothing is lost to cancellation.
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
    // Once more: what cancellation left along the normal is large beside a short rest.
    let rest = rest / length;
    unit_or_zero(rest - normal * normal.dot(rest))
}

/// The direction of the part of `v` at right angles to the unit vector `normal`; `None` if there is none but what
/// rounding left.
#[inline]
pub(crate) fn unit_in_plane(v: Vec3, normal: Vec3) -> Option<Vec3> {
    /// Squared sine to the normal below which a vector stands up on the plane.
    const UPRIGHT: f32 = 1e-6;
    let flat = |v: Vec3| v - normal * normal.dot(v);
    let in_plane = flat(unit(v)?);
    // Once more: what rounding left along the normal is large beside a short rest.
    if in_plane.length_squared() > UPRIGHT { unit(flat(in_plane)) } else { None }
}

/// The rotation that takes +Z to the direction of `forward` and +Y to the part of `up` orthogonal to it.
///
/// A zero `forward` counts as +Z; an `up` that is zero or parallel to `forward` is replaced by the coordinate axis
/// least aligned with it.
pub fn look_rotation(forward: Vec3, up: Vec3) -> Quat {
    Quat::from_mat3(&look_basis(forward, up))
}

/// The rotation of the plane through three points. Source: *Full-body notes*, «plane».
pub fn plane_rotation([p1, p2, p3]: [Vec3; 3]) -> Quat {
    look_rotation(p2 - p1, p3 - p1)
}

/// [`look_rotation`] as a matrix.
pub(crate) fn look_basis(forward: Vec3, up: Vec3) -> Mat3 {
    let forward = unit(forward).unwrap_or(Vec3::Z);
    let up = ortho_normalize_to_unit(forward, up);
    Mat3::from_cols(up.cross(forward), up, forward)
}

/// The shortest rotation that takes the direction of `a` to that of `b`.
///
/// The identity if either is zero; for opposite directions a half turn about a deterministic axis orthogonal to `a`.
pub fn from_to_rotation(a: Vec3, b: Vec3) -> Quat {
    let (Some(a), Some(b)) = (unit(a), unit(b)) else { return Quat::IDENTITY };
    let dot = a.dot(b);
    if dot <= NEARLY_OPPOSITE {
        let cross = a.cross(b);
        if cross.length() < PARALLEL_SINE {
            let axis = any_orthogonal(a);
            return Quat::from_xyzw(axis.x, axis.y, axis.z, 0.0);
        }
        // Near opposite directions both a × b and 1 + a·b lose their digits to cancellation: take doubles.
        let (a, b) = (a.as_dvec3().normalize(), b.as_dvec3().normalize());
        let cross = a.cross(b);
        return DQuat::from_xyzw(cross.x, cross.y, cross.z, 1.0 + a.dot(b)).normalize().as_quat();
    }
    let cross = a.cross(b);
    Quat::from_xyzw(cross.x, cross.y, cross.z, 1.0 + dot).normalize()
}

/// The turn about `axis` that takes the part of `from` orthogonal to it onto the direction of that of `to`.
///
/// The identity if either part, or the axis, counts as zero.
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
    // The half angle without trigonometry: (sin, 1 + cos) points along it.
    let half = glam::Vec2::new(sin, (sin * sin + cos * cos).sqrt() + cos).normalize();
    Quat::from_xyzw(axis.x * half.x, axis.y * half.x, axis.z * half.x, half.y)
}

/// From 0 at 0 and below to 1 at 1 and above, flat at both; 0 for what is no number.
pub fn smoothstep(t: f32) -> f32 {
    let t = if t > 0.0 { t.min(1.0) } else { 0.0 };
    t * t * (3.0 - 2.0 * t)
}

/// Normalised linear interpolation along the short arc; `t` is not clamped. `t` 0 and 1 give the ends bit for bit
/// (1 up to the sign of the quaternion).
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

/// Spherical linear interpolation along the short arc: a constant angular speed over `t`, which is not clamped. `t` 0 and
/// 1 give the ends bit for bit (1 up to the sign of the quaternion). Used for sampling clips; the solver blends by
/// [`nlerp`].
pub fn slerp(a: Quat, b: Quat, t: f32) -> Quat {
    /// Cosine of half the angle above which the two interpolations agree to the last digits, and the sine is too small to
    /// divide by.
    const NEAR: f32 = 1.0 - 1e-6;
    let cos = a.dot(b);
    // Opposite rotations have no short arc, and what is no rotation has no angle.
    if t == 0.0 || t == 1.0 || !(1e-6..NEAR).contains(&cos.abs()) {
        return nlerp(a, b, t);
    }
    let b = if cos < 0.0 { -b } else { b };
    let angle = cos.abs().acos();
    let mixed = a * ((1.0 - t) * angle).sin() + b * (t * angle).sin();
    mixed.normalize()
}

/// Interpolates the angle and, linearly, the length. `t` is not clamped.
///
/// Opposite directions turn about a deterministic axis; if either is zero, the result is the linear interpolation.
pub fn slerp_vector(a: Vec3, b: Vec3, t: f32) -> Vec3 {
    let (Some(from), Some(to)) = (unit(a), unit(b)) else { return a.lerp(b, t) };
    let (length_a, length_b) = (length(a), length(b));
    let length = length_a + (length_b - length_a) * t;
    let angle = angle(from, to);
    let side = ortho_normalize(from, to);
    let (sin, cos) = (angle * t).sin_cos();
    (from * cos + side * sin) * length
}

/// Keeps `direction` within a cone about `normal`. Source: *Full-body notes*, «ClampDirection».
///
/// `clamp_weight` 0 keeps every direction, 0.5 those up to 90° from `normal`, 1 only `normal` itself. Directions
/// outside are not stopped at the cone: near the opposite of `normal` they are drawn to `normal` itself, so that the
/// result is continuous there. `smoothing` sharpens that by repeated sines. Returns the direction and whether it
/// changed.
pub fn clamp_direction(direction: Vec3, normal: Vec3, clamp_weight: f32, smoothing: u32) -> (Vec3, bool) {
    if clamp_weight <= 0.0 {
        return (direction, false);
    }
    if clamp_weight >= 1.0 {
        return (normal, true);
    }
    // Nearer than that the angle need not be known.
    let cosine = unit_or_zero(normal).dot(unit_or_zero(direction));
    if cosine > nearest_cosine(clamp_weight) {
        return (direction, false);
    }
    // 1 along the normal, 0 against it.
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

/// A cosine with its normal above which [`clamp_direction`] keeps a direction for sure: that of the cone is
/// sin(π·(weight − ½)) ≤ π·(weight − ½).
#[inline(always)]
fn nearest_cosine(clamp_weight: f32) -> f32 {
    (clamp_weight - 0.5).max(0.0) * std::f32::consts::PI + 1e-6
}

/// Returns the direction, held within so many degrees of another.
pub(crate) fn held(direction: Vec3, about: Vec3, degrees: f32) -> Vec3 {
    // Rounds of smoothing near the direction straight behind, where there is no telling left from right.
    const SMOOTHING: u32 = 2;
    clamp_direction(direction, about, 1.0 - degrees / 180.0, SMOOTHING).0
}

/// Returns a part of a turn.
pub(crate) fn share(turn: Quat, of: f32) -> Quat {
    Quat::from_scaled_axis(turn.to_scaled_axis() * of)
}

/// Angle of a rotation, 0 to π; exact also for small ones.
pub fn swing_angle(rotation: Quat) -> f32 {
    2.0 * length(Vec3::new(rotation.x, rotation.y, rotation.z)).atan2(rotation.w.abs())
}

/// Axis and angle of a rotation, the short way; `None` for a turn that rounds to none.
pub(crate) fn turn_of(rotation: Quat) -> Option<(Vec3, f32)> {
    let sine = if rotation.w < 0.0 { -rotation.xyz() } else { rotation.xyz() };
    let angle = 2.0 * sine.length().atan2(rotation.w.abs());
    unit(sine).filter(|_| angle > 1e-6).map(|axis| (axis, angle))
}

/// `from` moved straight towards or away from `to` until it is `length` away from it. Source:
/// *Full-body notes*, «SolveFABRIKJoint».
/// Coinciding points stay where they are.
pub fn fabrik_joint(from: Vec3, to: Vec3, length: f32) -> Vec3 {
    to + unit_or_zero(from - to) * length
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Components of every size a float has, zero and the signs of it included.
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

    /// Pairs that are unrelated, equal, opposite, or a hair off either.
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

    /// True for vectors whose direction a float can hold.
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
                    // The last digit of `forward` turns a nearly parallel `up` by that over the sine between them.
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
            // The rotation's own angle is that between the directions, no more.
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
            // Lengths that no float can hold cannot be interpolated.
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
        // A straight limb ends up bent by 1.8°, one bent −10° the wrong way by +11.6°.
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
