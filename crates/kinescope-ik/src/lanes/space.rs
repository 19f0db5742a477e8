//! Vectors and rotations lane by lane, with the operations of [`math`](crate::math).
//!
//! A counterpart of a function in `math` computes the regular case in all lanes at once. Where that formula fails for
//! degenerate or extreme input, the counterpart recomputes those lanes with the function in `math`, so it is defined
//! for every input.

use std::ops::{Add, Mul, Neg, Sub};

use glam::{Mat3, Quat, Vec3};

use super::number::{Mask, Number, Rotation, RotationOf, Vector, VectorOf};
use crate::math;

/// A vector in each lane, coordinate by coordinate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vec3s<R> {
    /// The x coordinates.
    pub x: R,
    /// The y coordinates.
    pub y: R,
    /// The z coordinates.
    pub z: R,
}

/// A quaternion in each lane, component by component.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quats<R> {
    /// The x components.
    pub x: R,
    /// The y components.
    pub y: R,
    /// The z components.
    pub z: R,
    /// The w components.
    pub w: R,
}

impl<R: Number> Add for Vec3s<R> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl<R: Number> Sub for Vec3s<R> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl<R: Number> Neg for Vec3s<R> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self { x: -self.x, y: -self.y, z: -self.z }
    }
}

impl<R: Number> Mul<R> for Vec3s<R> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: R) -> Self {
        Self { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }
}

impl<R: Number<Vec3 = Self>> Vector<R> for Vec3s<R> {
    #[inline(always)]
    fn from_parts([x, y, z]: [R; 3]) -> Self {
        Self { x, y, z }
    }

    #[inline(always)]
    fn parts(self) -> [R; 3] {
        [self.x, self.y, self.z]
    }

    #[inline(always)]
    fn lane(&self, lane: usize) -> Vec3 {
        Vec3::new(self.x.lane(lane), self.y.lane(lane), self.z.lane(lane))
    }
}

impl<R: Number> Mul for Quats<R> {
    type Output = Self;

    // Adds in the order of glam's SIMD code, so that both give the same bits.
    #[inline(always)]
    fn mul(self, r: Self) -> Self {
        let l = self;
        Self {
            x: (l.x * r.w + l.w * r.x) + (l.y * r.z - l.z * r.y),
            y: (l.w * r.y - l.x * r.z) + (l.z * r.x + l.y * r.w),
            z: (l.x * r.y + l.w * r.z) + (l.z * r.w - l.y * r.x),
            w: (l.w * r.w - l.x * r.x) + (-(l.z * r.z) - l.y * r.y),
        }
    }
}

impl<R: Number<Vec3 = Vec3s<R>, Quat = Self>> Rotation<R> for Quats<R> {
    #[inline(always)]
    fn from_parts([x, y, z, w]: [R; 4]) -> Self {
        Self { x, y, z, w }
    }

    #[inline(always)]
    fn parts(self) -> [R; 4] {
        [self.x, self.y, self.z, self.w]
    }

    #[inline(always)]
    fn lane(&self, lane: usize) -> Quat {
        Quat::from_xyzw(self.x.lane(lane), self.y.lane(lane), self.z.lane(lane), self.w.lane(lane))
    }

    #[inline(always)]
    fn rotate(self, vector: Vec3s<R>) -> Vec3s<R> {
        let axis = Vec3s { x: self.x, y: self.y, z: self.z };
        let two = self.w.like(2.0);
        vector * (self.w * self.w - axis.dot(axis))
            + axis * (vector.dot(axis) * two)
            + axis.cross(vector) * (self.w * two)
    }

    #[inline(always)]
    fn conjugate(self) -> Self {
        Self { x: -self.x, y: -self.y, z: -self.z, w: self.w }
    }

    #[inline(always)]
    fn normalize(self) -> Self {
        self.scaled(self.w.like(1.0) / self.dot(self).sqrt())
    }

    #[inline(always)]
    fn dot(self, other: Self) -> R {
        (self.x * other.x + self.z * other.z) + (self.y * other.y + self.w * other.w)
    }

    #[inline(always)]
    fn scaled(self, factor: R) -> Self {
        Self { x: self.x * factor, y: self.y * factor, z: self.z * factor, w: self.w * factor }
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z, w: self.w + other.w }
    }
}

/// Three orthogonal unit vectors: a rotation as a matrix. `up` × `forward` is `right`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Basis<V> {
    /// The image of +X.
    pub right: V,
    /// The image of +Y.
    pub up: V,
    /// The image of +Z.
    pub forward: V,
}

impl Basis<Vec3> {
    /// Returns the rotation as a quaternion.
    pub fn rotation(&self) -> Quat {
        Quat::from_mat3(&Mat3::from_cols(self.right, self.up, self.forward))
    }
}

#[cold]
#[inline(never)]
fn mend_numbers<R: Number>(numbers: R, are_good: R::Mask, of: impl Fn(usize) -> f32) -> R {
    let mut numbers = numbers;
    (0..R::LANES).filter(|&lane| !are_good.lane(lane)).for_each(|lane| numbers.set_lane(lane, of(lane)));
    numbers
}

/// Recomputes the lanes outside `are_good` with the scalar function `of`.
#[cold]
#[inline(never)]
pub fn mend_vectors<R: Number>(vectors: R::Vec3, are_good: R::Mask, of: impl Fn(usize) -> Vec3) -> R::Vec3 {
    let mut vectors = vectors;
    (0..R::LANES).filter(|&lane| !are_good.lane(lane)).for_each(|lane| vectors.set_lane(lane, of(lane)));
    vectors
}

#[cold]
#[inline(never)]
fn mend_rotations<R: Number>(rotations: R::Quat, are_good: R::Mask, of: impl Fn(usize) -> Quat) -> R::Quat {
    let mut rotations = rotations;
    (0..R::LANES).filter(|&lane| !are_good.lane(lane)).for_each(|lane| rotations.set_lane(lane, of(lane)));
    rotations
}

#[cold]
#[inline(never)]
fn mend_bases<R: Number>(bases: Basis<R::Vec3>, are_good: R::Mask, of: impl Fn(usize) -> Mat3) -> Basis<R::Vec3> {
    let mut bases = bases;
    for lane in (0..R::LANES).filter(|&lane| !are_good.lane(lane)) {
        let basis = of(lane);
        bases.right.set_lane(lane, basis.x_axis);
        bases.up.set_lane(lane, basis.y_axis);
        bases.forward.set_lane(lane, basis.z_axis);
    }
    bases
}

/// Returns the lanes in which the squared length neither underflowed nor overflowed, and the vector does not count as
/// zero.
#[inline(always)]
pub fn is_safe<R: Number>(squared: R) -> R::Mask {
    let range = math::SAFE_LENGTH_SQUARED;
    !squared.lt(squared.like(range.start)) & squared.lt(squared.like(range.end))
}

/// Returns the lanes in which all coordinates are 0.
#[inline(always)]
pub fn is_zero<R: Number>(v: VectorOf<R>) -> R::Mask {
    let [x, y, z] = v.parts();
    let zero = x.like(0.0);
    x.is(zero) & y.is(zero) & z.is(zero)
}

/// Computes [`math::length`] in every lane.
#[inline(always)]
pub fn length<R: Number>(v: VectorOf<R>) -> R {
    let squared = v.length_squared();
    let (fast, is_good) = (squared.sqrt(), is_safe(squared));
    if is_good.all() { fast } else { mend_numbers(fast, is_good, |lane| math::length(v.lane(lane))) }
}

/// Computes [`math::unit_or_zero`] in every lane.
#[inline(always)]
pub fn unit_or_zero<R: Number>(v: VectorOf<R>) -> VectorOf<R> {
    let squared: R = v.length_squared();
    let (fast, is_good) = (v * (squared.like(1.0) / squared.sqrt()), is_safe(squared));
    if is_good.all() { fast } else { mend_vectors::<R>(fast, is_good, |lane| math::unit_or_zero(v.lane(lane))) }
}

/// Computes [`math::fabrik_joint`] in every lane.
#[inline(always)]
pub fn fabrik_joint<R: Number>(from: VectorOf<R>, to: VectorOf<R>, length: R) -> VectorOf<R> {
    to + unit_or_zero::<R>(from - to) * length
}

/// Computes [`math::sine`] in every lane.
#[inline(always)]
pub fn sine<R: Number>(a: VectorOf<R>, b: VectorOf<R>) -> R {
    let of_a: R = a.length_squared();
    let squared = of_a * b.length_squared();
    let fast = (a.cross(b).length_squared() / squared).sqrt();
    let is_good = is_safe(of_a) & is_safe(squared);
    if is_good.all() { fast } else { mend_numbers(fast, is_good, |lane| math::sine(a.lane(lane), b.lane(lane))) }
}

/// Computes [`math::ortho_normalize`] in every lane.
#[inline(always)]
pub fn ortho_normalize<R: Number>(normal: VectorOf<R>, tangent: VectorOf<R>) -> VectorOf<R> {
    let squared: R = normal.length_squared();
    let along = normal * (squared.like(1.0) / squared.sqrt());
    let (fast, is_good) = across_unit::<R>(along, tangent);
    let is_good = is_good & is_safe(squared);
    match is_good.all() {
        true => fast,
        false => mend_vectors::<R>(fast, is_good, |lane| math::ortho_normalize(normal.lane(lane), tangent.lane(lane))),
    }
}

/// Returns the part of `tangent` orthogonal to the unit vector `normal`, scaled to unit length, and the lanes in which
/// it is accurate: cancellation costs less than two decimal digits, and no square underflows or overflows.
#[inline(always)]
fn across_unit<R: Number>(normal: VectorOf<R>, tangent: VectorOf<R>) -> (VectorOf<R>, R::Mask) {
    let rest = tangent - normal * normal.dot(tangent);
    let (squared, whole): (R, R) = (rest.length_squared(), tangent.length_squared());
    let is_good = squared.gt(whole * whole.like(math::NEARLY_PARALLEL)) & is_safe(squared);
    (rest * (squared.like(1.0) / squared.sqrt()), is_good)
}

/// Computes [`math::from_to_rotation`] in every lane.
#[inline(always)]
pub fn from_to<R: Number>(a: VectorOf<R>, b: VectorOf<R>) -> RotationOf<R> {
    let (of_a, of_b): (R, R) = (a.length_squared(), b.length_squared());
    let one = of_a.like(1.0);
    let (from, to) = (a * (one / of_a.sqrt()), b * (one / of_b.sqrt()));
    let (dot, [x, y, z]) = (from.dot(to), from.cross(to).parts());
    let fast = RotationOf::<R>::from_parts([x, y, z, one + dot]).normalize();
    let is_good = is_safe(of_a) & is_safe(of_b) & dot.gt(dot.like(math::NEARLY_OPPOSITE));
    match is_good.all() {
        true => fast,
        false => mend_rotations::<R>(fast, is_good, |lane| math::from_to_rotation(a.lane(lane), b.lane(lane))),
    }
}

/// Computes [`math::from_to_about_axis`] in every lane.
#[inline(always)]
pub fn about_axis<R: Number>(from: VectorOf<R>, to: VectorOf<R>, axis: VectorOf<R>) -> RotationOf<R> {
    let squares: [R; 3] = [from.length_squared(), to.length_squared(), axis.length_squared()];
    let one = squares[0].like(1.0);
    let about = axis * (one / squares[2].sqrt());
    let (f, t) = (from * (one / squares[0].sqrt()), to * (one / squares[1].sqrt()));
    let (f, t) = (f - about * about.dot(f), t - about * about.dot(t));
    let least = one.like(math::PARALLEL_SINE * math::PARALLEL_SINE);
    let (sin, cos): (R, R) = (f.cross(t).dot(about), f.dot(t));
    // The 2D vector (1 + cos, sin) points at half the angle, which avoids trigonometric functions.
    let half = (sin * sin + cos * cos).sqrt() + cos;
    let scale = one / (sin * sin + half * half).sqrt();
    let [x, y, z] = (about * (sin * scale)).parts();
    let fast = RotationOf::<R>::from_parts([x, y, z, half * scale]);
    let is_good = is_safe(squares[0])
        & is_safe(squares[1])
        & is_safe(squares[2])
        & f.length_squared().gt(least)
        & t.length_squared().gt(least)
        & cos.gt(one.like(0.0));
    match is_good.all() {
        true => fast,
        false => mend_rotations::<R>(fast, is_good, |lane| {
            math::from_to_about_axis(from.lane(lane), to.lane(lane), axis.lane(lane))
        }),
    }
}

/// Computes [`math::nlerp`] in every lane.
#[inline(always)]
pub fn nlerp<R: Number>(a: RotationOf<R>, b: RotationOf<R>, share: R) -> RotationOf<R> {
    let (zero, one) = (share.like(0.0), share.like(1.0));
    let sign = R::select(a.dot(b).lt(zero), -one, one);
    let b = b.scaled(sign);
    let is_whole = share.is(one);
    let is_end = share.is(zero) | is_whole;
    let end = RotationOf::<R>::select(is_whole, b, a);
    if is_end.all() {
        return end;
    }
    let mixed = a.scaled(one - share).plus(b.scaled(share));
    let squared = mixed.dot(mixed);
    let inner = mixed.scaled(one / squared.sqrt());
    let inner = RotationOf::<R>::select(squared.gt(one.like(1e-24)), inner, a);
    RotationOf::<R>::select(is_end, end, inner)
}

impl<V: Copy> Basis<V> {
    /// Computes [`math::look_rotation`] as a basis.
    #[inline(always)]
    pub fn look<R: Number<Vec3 = V>>(forward: V, up: V) -> Self
    where
        V: Vector<R>,
    {
        let squared: R = forward.length_squared();
        let along = forward * (squared.like(1.0) / squared.sqrt());
        let (across, is_good) = across_unit::<R>(along, up);
        let fast = Self { right: across.cross(along), up: across, forward: along };
        let is_good = is_good & is_safe(squared);
        match is_good.all() {
            true => fast,
            false => mend_bases::<R>(fast, is_good, |lane| math::look_basis(forward.lane(lane), up.lane(lane))),
        }
    }

    /// Returns the basis of the plane through three points: forward is the direction `p2` − `p1`, up points toward
    /// `p3`.
    #[inline(always)]
    pub fn of_plane<R: Number<Vec3 = V>>([p1, p2, p3]: [V; 3]) -> Self
    where
        V: Vector<R>,
    {
        Self::look::<R>(p2 - p1, p3 - p1)
    }

    /// Returns the bases of a limb's two bones, with forward along the upper bone (toward `p2`) and the lower bone
    /// (toward `p3`), in the plane of the limb. The result is undefined in the lanes of `skip`.
    #[inline(always)]
    pub fn of_limb<R: Number<Vec3 = V>>([p1, p2, p3]: [V; 3], skip: Option<R::Mask>) -> [Self; 2]
    where
        V: Vector<R>,
    {
        let (upper, lower) = (p2 - p1, p3 - p2);
        let normal = lower.cross(upper);
        let squares: [R; 3] = [upper.length_squared(), lower.length_squared(), normal.length_squared()];
        let one = squares[0].like(1.0);
        let right = normal * (one / squares[2].sqrt());
        let (along_upper, along_lower) = (upper * (one / squares[0].sqrt()), lower * (one / squares[1].sqrt()));
        let fast = [
            Self { right, up: along_upper.cross(right), forward: along_upper },
            Self { right, up: along_lower.cross(right), forward: along_lower },
        ];
        let is_bent = squares[2].gt(squares[0] * squares[1] * one.like(math::NEARLY_STRAIGHT));
        let mut is_good = is_safe(squares[0]) & is_safe(squares[1]) & is_safe(squares[2]) & is_bent;
        if let Some(skip) = skip {
            is_good = is_good | skip;
        }
        if is_good.all() {
            return fast;
        }
        let [of_upper, of_lower] = fast;
        [
            mend_bases::<R>(of_upper, is_good, |lane| math::look_basis(upper.lane(lane), (p3 - p1).lane(lane))),
            mend_bases::<R>(of_lower, is_good, |lane| math::look_basis(lower.lane(lane), (p1 - p2).lane(lane))),
        ]
    }

    /// Returns `one` in the lanes of the mask and `other` in the rest.
    #[inline(always)]
    #[track_caller]
    pub fn select<R: Number<Vec3 = V>>(mask: R::Mask, one: Self, other: Self) -> Self
    where
        V: Vector<R>,
    {
        Self {
            right: V::select(mask, one.right, other.right),
            up: V::select(mask, one.up, other.up),
            forward: V::select(mask, one.forward, other.forward),
        }
    }

    /// Returns the basis in a lane.
    pub fn lane<R: Number<Vec3 = V>>(self, lane: usize) -> Basis<Vec3>
    where
        V: Vector<R>,
    {
        Basis { right: self.right.lane(lane), up: self.up.lane(lane), forward: self.forward.lane(lane) }
    }
}

/// Returns the rotation that maps one basis to another.
///
/// For a rotation by θ about `n`, Σ from × to is 4 sin ½θ cos ½θ · n, and 1 + Σ from · to is 4 cos² ½θ. Together they
/// are a multiple of the quaternion.
#[inline(always)]
pub fn turn_between<R: Number>(from: Basis<VectorOf<R>>, to: Basis<VectorOf<R>>) -> RotationOf<R> {
    let cross = from.right.cross(to.right) + from.up.cross(to.up) + from.forward.cross(to.forward);
    let trace: R = from.right.dot(to.right) + from.up.dot(to.up) + from.forward.dot(to.forward);
    let [x, y, z] = cross.parts();
    let fast = RotationOf::<R>::from_parts([x, y, z, trace + trace.like(1.0)]).normalize();
    // At a trace of 0 or less, an angle of 120° or more, cancellation may cost both sums their digits.
    let is_good = trace.gt(trace.like(0.0));
    match is_good.all() {
        true => fast,
        false => mend_rotations::<R>(fast, is_good, |lane| {
            let (from, to) = (from.lane::<R>(lane).rotation(), to.lane::<R>(lane).rotation());
            (to * from.conjugate()).normalize()
        }),
    }
}

/// Returns a cosine between direction and normal above which [`math::clamp_direction`] certainly keeps the direction.
#[inline(always)]
pub fn nearest_cosine<R: Number>(clamp_weight: R) -> R {
    let beyond = (clamp_weight - clamp_weight.like(0.5)).greater(clamp_weight.like(0.0));
    beyond * beyond.like(std::f32::consts::PI) + beyond.like(1e-6)
}
