//! The layout of one character: its four limbs in the lanes of one register.

use glam::{BVec4A, Mat4, Quat, Vec3, Vec4};

use super::number::{Layout, Mask, Number, Pairing, Rotation, Value, Vector};
use super::space::{Quats, Vec3s};
use crate::rig::LimbName;

impl Mask for bool {
    #[inline(always)]
    fn any(self) -> bool {
        self
    }

    #[inline(always)]
    fn all(self) -> bool {
        self
    }

    #[inline(always)]
    fn lane(self, _: usize) -> bool {
        self
    }
}

impl Number for f32 {
    const LANES: usize = 1;
    type Mask = bool;
    type Vec3 = Vec3;
    type Quat = Quat;
    type Token = ();

    #[inline(always)]
    fn load((): (), numbers: &[f32]) -> Self {
        numbers[0]
    }

    #[inline(always)]
    fn splat((): (), number: f32) -> Self {
        number
    }

    #[inline(always)]
    fn token(self) {}

    #[inline(always)]
    fn lane(&self, _: usize) -> f32 {
        *self
    }

    #[inline(always)]
    fn set_lane(&mut self, _: usize, number: f32) {
        *self = number;
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        f32::sqrt(self)
    }

    #[inline(always)]
    fn lt(self, other: Self) -> bool {
        self < other
    }

    #[inline(always)]
    fn is(self, other: Self) -> bool {
        self == other
    }

    #[inline(always)]
    fn select(mask: bool, one: Self, other: Self) -> Self {
        if mask { one } else { other }
    }
}

impl Vector<f32> for Vec3 {
    #[inline(always)]
    fn from_parts(parts: [f32; 3]) -> Self {
        Self::from_array(parts)
    }

    #[inline(always)]
    fn parts(self) -> [f32; 3] {
        self.to_array()
    }

    #[inline(always)]
    fn select(mask: bool, one: Self, other: Self) -> Self {
        if mask { one } else { other }
    }
}

impl Rotation<f32> for Quat {
    #[inline(always)]
    fn from_parts(parts: [f32; 4]) -> Self {
        Self::from_array(parts)
    }

    #[inline(always)]
    fn parts(self) -> [f32; 4] {
        self.to_array()
    }

    #[inline(always)]
    fn rotate(self, vector: Vec3) -> Vec3 {
        self * vector
    }

    #[inline(always)]
    fn conjugate(self) -> Self {
        Self::conjugate(self)
    }

    #[inline(always)]
    fn normalize(self) -> Self {
        self * (1.0 / Self::dot(self, self).sqrt())
    }

    #[inline(always)]
    fn dot(self, other: Self) -> f32 {
        Self::dot(self, other)
    }

    #[inline(always)]
    fn scaled(self, factor: f32) -> Self {
        self * factor
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }

    #[inline(always)]
    fn select(mask: bool, one: Self, other: Self) -> Self {
        if mask { one } else { other }
    }
}

impl Mask for BVec4A {
    #[inline(always)]
    fn any(self) -> bool {
        Self::any(self)
    }

    #[inline(always)]
    fn all(self) -> bool {
        Self::all(self)
    }

    #[inline(always)]
    fn lane(self, lane: usize) -> bool {
        self.bitmask() >> lane & 1 == 1
    }
}

impl Number for Vec4 {
    const LANES: usize = 4;
    type Mask = BVec4A;
    type Vec3 = Vec3s<Self>;
    type Quat = Quats<Self>;
    type Token = ();

    #[inline(always)]
    fn load((): (), numbers: &[f32]) -> Self {
        Self::from_slice(numbers)
    }

    #[inline(always)]
    fn splat((): (), number: f32) -> Self {
        Self::splat(number)
    }

    #[inline(always)]
    fn token(self) {}

    #[inline(always)]
    fn lane(&self, lane: usize) -> f32 {
        self[lane]
    }

    #[inline(always)]
    fn set_lane(&mut self, lane: usize, number: f32) {
        self[lane] = number;
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self::sqrt(self)
    }

    #[inline(always)]
    fn lt(self, other: Self) -> BVec4A {
        self.cmplt(other)
    }

    #[inline(always)]
    fn is(self, other: Self) -> BVec4A {
        self.cmpeq(other)
    }

    #[inline(always)]
    fn select(mask: BVec4A, one: Self, other: Self) -> Self {
        Self::select(mask, one, other)
    }
}

/// One character with its four limbs side by side, in the order of [`LimbName::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Single;

#[inline(always)]
fn transposed(rows: [Vec4; 4]) -> [Vec4; 4] {
    let Mat4 { x_axis, y_axis, z_axis, w_axis } = Mat4::from_cols(rows[0], rows[1], rows[2], rows[3]).transpose();
    [x_axis, y_axis, z_axis, w_axis]
}

impl Single {
    #[inline(always)]
    fn partners(of: Vec3s<Vec4>, pairing: Pairing) -> Vec3s<Vec4> {
        let partner = |v: Vec4| Self::partner(v, pairing);
        Vec3s { x: partner(of.x), y: partner(of.y), z: partner(of.z) }
    }

    #[inline(always)]
    fn partner(of: Vec4, pairing: Pairing) -> Vec4 {
        use glam::Vec4Swizzles;
        match pairing {
            Pairing::Diagonals => of.wzyx(),
            Pairing::Sides => of.yxwz(),
        }
    }
}

impl Layout for Single {
    type One = f32;
    type Limb = Vec4;
    type Each<T: Value> = [T; 1];
    type Passes<T: Value> = [T; 1];
    type Row = [f32; 1];
    const PARTS: usize = 1;
    /// One pass is enough, because each limb of a pair computes its own result.
    const PASSES: usize = 1;

    #[inline(always)]
    fn zero_row() -> [f32; 1] {
        [0.0]
    }

    #[inline(always)]
    fn load((): (), _: usize, [a, b, c, d]: &[[f32; 1]; 4]) -> Vec4 {
        Vec4::new(a[0], b[0], c[0], d[0])
    }

    #[inline(always)]
    fn are_legs((): (), _: usize) -> Vec4 {
        Vec4::new(0.0, 0.0, 1.0, 1.0)
    }

    #[inline(always)]
    fn each<T: Value>(mut part: impl FnMut(usize) -> T) -> [T; 1] {
        [part(0)]
    }

    #[inline(always)]
    fn passes<T: Value>(mut pass: impl FnMut(usize) -> T) -> [T; 1] {
        [pass(0)]
    }

    #[inline(always)]
    fn limbs(_: usize) -> &'static [LimbName] {
        &LimbName::ALL
    }

    #[inline(always)]
    fn place(limb: LimbName) -> (usize, usize) {
        (0, limb.index())
    }

    #[inline(always)]
    fn spread(one: f32) -> Vec4 {
        Vec4::splat(one)
    }

    #[inline(always)]
    fn spread_vector(one: Vec3) -> Vec3s<Vec4> {
        Vec3s { x: Vec4::splat(one.x), y: Vec4::splat(one.y), z: Vec4::splat(one.z) }
    }

    #[inline(always)]
    fn join_vector(_: usize, of: impl Fn(LimbName) -> Vec3) -> Vec3s<Vec4> {
        let [x, y, z, _] = transposed(of_limbs(|limb| of(limb).extend(0.0)));
        Vec3s { x, y, z }
    }

    #[inline(always)]
    fn join_rotation(_: usize, of: impl Fn(LimbName) -> Quat) -> Quats<Vec4> {
        let [x, y, z, w] = transposed(of_limbs(|limb| Vec4::from(of(limb))));
        Quats { x, y, z, w }
    }

    #[inline(always)]
    fn one(of_part: Vec4, limb: LimbName) -> f32 {
        of_part[limb.index()]
    }

    #[inline(always)]
    fn one_mask(of_part: BVec4A, limb: LimbName) -> bool {
        Mask::lane(of_part, limb.index())
    }

    #[inline(always)]
    fn one_vector(of_part: Vec3s<Vec4>, limb: LimbName) -> Vec3 {
        of_part.lane(limb.index())
    }

    #[inline(always)]
    fn one_rotation(of_part: Quats<Vec4>, limb: LimbName) -> Quat {
        let Quats { x, y, z, w } = of_part;
        Quat::from_vec4(transposed([x, y, z, w])[limb.index()])
    }

    #[inline(always)]
    fn sum([each]: &[Vec3s<Vec4>; 1]) -> Vec3 {
        let sum = |v: Vec4| (v.x + v.y) + (v.z + v.w);
        Vec3::new(sum(each.x), sum(each.y), sum(each.z))
    }

    #[inline(always)]
    fn put(into: &mut Vec3s<Vec4>, one: Vec3, limb: LimbName) {
        into.set_lane(limb.index(), one);
    }

    #[inline(always)]
    fn take(into: &mut Vec3s<Vec4>, from: Vec3s<Vec4>, limb: LimbName) {
        into.set_lane(limb.index(), from.lane(limb.index()));
    }

    #[inline(always)]
    fn opposite([each]: &[[Vec3s<Vec4>; 3]; 1], _: usize) -> Vec3s<Vec4> {
        Self::partners(each[0], Pairing::Sides)
    }

    #[inline(always)]
    fn pair([each]: &[[Vec3s<Vec4>; 3]; 1], pairing: Pairing, _: usize) -> [Vec3s<Vec4>; 2] {
        [each[0], Self::partners(each[0], pairing)]
    }

    #[inline(always)]
    fn are_second((): (), pairing: Pairing) -> Vec4 {
        match pairing {
            Pairing::Diagonals => Vec4::new(0.0, 0.0, 1.0, 1.0),
            Pairing::Sides => Vec4::new(0.0, 1.0, 0.0, 1.0),
        }
    }

    #[inline(always)]
    fn pair_of_numbers([each]: &[Vec4; 1], pairing: Pairing, _: usize) -> [Vec4; 2] {
        [*each, Self::partner(*each, pairing)]
    }

    #[inline(always)]
    fn set_pair([each]: &mut [[Vec3s<Vec4>; 3]; 1], _: Pairing, _: usize, [own, _]: [Vec3s<Vec4>; 2]) {
        each[0] = own;
    }
}

/// Calls `of` for each limb. Unlike `array::map` and `array::from_fn`, it is inlined without link-time optimization.
#[inline(always)]
fn of_limbs<T>(of: impl Fn(LimbName) -> T) -> [T; 4] {
    let [a, b, c, d] = LimbName::ALL;
    [of(a), of(b), of(c), of(d)]
}
