//! The layout of many characters: one character per lane, one limb per register.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use fearless_simd::{Select, Simd, SimdBase, SimdFloat, SimdMask};

use super::number::{Layout, Mask, Number, Pairing, RotationOf, Value, VectorOf, Vectors};
use super::space::{Quats, Vec3s};
use crate::rig::LimbName;

/// The number of `f32` lanes in the widest supported register (512 bits).
pub const MOST_LANES: usize = 16;

/// A number per character, in one register of the SIMD level `S`.
#[derive(Clone, Copy, Debug)]
pub struct Wide<S: Simd>(S::f32s);

/// A set of lanes, one character in each.
#[derive(Clone, Copy)]
pub struct WideMask<S: Simd>(S::mask32s);

impl<S: Simd> PartialEq for WideMask<S> {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bitmask() == other.0.to_bitmask()
    }
}

impl<S: Simd> std::fmt::Debug for WideMask<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "WideMask({:b})", self.0.to_bitmask())
    }
}

impl<S: Simd> Mask for WideMask<S> {
    #[inline(always)]
    fn any(self) -> bool {
        self.0.any_true()
    }

    #[inline(always)]
    fn all(self) -> bool {
        self.0.all_true()
    }

    #[inline(always)]
    fn lane(self, lane: usize) -> bool {
        self.0.to_bitmask() >> lane & 1 == 1
    }
}

macro_rules! operators {
    ($($operator:ident $function:ident $of:ident;)+) => {
        $(impl<S: Simd> $operator for $of<S> {
            type Output = Self;

            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                Self(self.0.$function(other.0))
            }
        })+
    };
}

operators! {
    Add add Wide;
    Sub sub Wide;
    Mul mul Wide;
    Div div Wide;
    BitAnd bitand WideMask;
    BitOr bitor WideMask;
}

impl<S: Simd> Not for WideMask<S> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl<S: Simd> Neg for Wide<S> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl<S: Simd> PartialEq for Wide<S> {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_slice() == other.0.as_slice()
    }
}

impl<S: Simd> Number for Wide<S> {
    const LANES: usize = <S::f32s as SimdBase<S>>::LEN;
    type Mask = WideMask<S>;
    type Vec3 = Vec3s<Self>;
    type Quat = Quats<Self>;
    type Token = S;

    #[inline(always)]
    fn load(token: S, numbers: &[f32]) -> Self {
        Self(S::f32s::from_slice(token, &numbers[..Self::LANES]))
    }

    #[inline(always)]
    fn splat(token: S, number: f32) -> Self {
        Self(S::f32s::splat(token, number))
    }

    #[inline(always)]
    fn token(self) -> S {
        fearless_simd::ExtractToken::token(&self.0)
    }

    #[inline(always)]
    fn lane(&self, lane: usize) -> f32 {
        self.0[lane]
    }

    #[inline(always)]
    fn set_lane(&mut self, lane: usize, number: f32) {
        self.0[lane] = number;
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt())
    }

    #[inline(always)]
    fn lt(self, other: Self) -> WideMask<S> {
        WideMask(self.0.simd_lt(other.0))
    }

    #[inline(always)]
    fn is(self, other: Self) -> WideMask<S> {
        WideMask(self.0.simd_eq(other.0))
    }

    #[inline(always)]
    fn select(mask: WideMask<S>, one: Self, other: Self) -> Self {
        Self(mask.0.select(one.0, other.0))
    }
}

/// One character per lane of a register. Each limb has its own registers.
#[derive(Clone, Copy, Debug)]
pub struct Batch<S>(std::marker::PhantomData<S>);

impl<S> PartialEq for Batch<S> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<S: Simd> Layout for Batch<S> {
    type One = Wide<S>;
    type Limb = Wide<S>;
    type Each<T: Value> = [T; 4];
    type Passes<T: Value> = [T; 2];
    type Row = [f32; MOST_LANES];
    const PARTS: usize = 4;
    const PASSES: usize = 2;

    #[inline(always)]
    fn zero_row() -> [f32; MOST_LANES] {
        [0.0; MOST_LANES]
    }

    #[inline(always)]
    fn load(token: S, part: usize, rows: &[[f32; MOST_LANES]; 4]) -> Wide<S> {
        Wide::load(token, &rows[part])
    }

    #[inline(always)]
    fn are_legs(token: S, part: usize) -> Wide<S> {
        Wide::splat(token, if LimbName::ALL[part].is_arm() { 0.0 } else { 1.0 })
    }

    #[inline(always)]
    fn each<T: Value>(mut part: impl FnMut(usize) -> T) -> [T; 4] {
        [part(0), part(1), part(2), part(3)]
    }

    #[inline(always)]
    fn passes<T: Value>(mut pass: impl FnMut(usize) -> T) -> [T; 2] {
        [pass(0), pass(1)]
    }

    #[inline(always)]
    fn limbs(part: usize) -> &'static [LimbName] {
        &LimbName::ALL[part..=part]
    }

    #[inline(always)]
    fn place(limb: LimbName) -> (usize, usize) {
        (limb.index(), 0)
    }

    #[inline(always)]
    fn spread(one: Wide<S>) -> Wide<S> {
        one
    }

    #[inline(always)]
    fn spread_vector(one: VectorOf<Wide<S>>) -> VectorOf<Wide<S>> {
        one
    }

    #[inline(always)]
    fn join_vector(part: usize, of: impl Fn(LimbName) -> VectorOf<Wide<S>>) -> VectorOf<Wide<S>> {
        of(LimbName::ALL[part])
    }

    #[inline(always)]
    fn join_rotation(part: usize, of: impl Fn(LimbName) -> RotationOf<Wide<S>>) -> RotationOf<Wide<S>> {
        of(LimbName::ALL[part])
    }

    #[inline(always)]
    fn one(of_part: Wide<S>, _: LimbName) -> Wide<S> {
        of_part
    }

    #[inline(always)]
    fn one_mask(of_part: WideMask<S>, _: LimbName) -> WideMask<S> {
        of_part
    }

    #[inline(always)]
    fn one_vector(of_part: VectorOf<Wide<S>>, _: LimbName) -> VectorOf<Wide<S>> {
        of_part
    }

    #[inline(always)]
    fn one_rotation(of_part: RotationOf<Wide<S>>, _: LimbName) -> RotationOf<Wide<S>> {
        of_part
    }

    #[inline(always)]
    fn sum([a, b, c, d]: &[VectorOf<Wide<S>>; 4]) -> VectorOf<Wide<S>> {
        (*a + *b) + (*c + *d)
    }

    #[inline(always)]
    fn put(into: &mut VectorOf<Wide<S>>, one: VectorOf<Wide<S>>, _: LimbName) {
        *into = one;
    }

    #[inline(always)]
    fn take(into: &mut VectorOf<Wide<S>>, from: VectorOf<Wide<S>>, _: LimbName) {
        *into = from;
    }

    #[inline(always)]
    fn opposite(each: &[Vectors<Self>; 4], part: usize) -> VectorOf<Wide<S>> {
        each[part ^ 1][0]
    }

    #[inline(always)]
    fn pair(each: &[Vectors<Self>; 4], pairing: Pairing, pass: usize) -> [VectorOf<Wide<S>>; 2] {
        let [first, second] = pairing.pairs()[pass];
        [each[first.index()][0], each[second.index()][0]]
    }

    #[inline(always)]
    fn are_second(token: S, _: Pairing) -> Wide<S> {
        Wide::splat(token, 0.0)
    }

    #[inline(always)]
    fn pair_of_numbers(each: &[Wide<S>; 4], pairing: Pairing, pass: usize) -> [Wide<S>; 2] {
        let [first, second] = pairing.pairs()[pass];
        [each[first.index()], each[second.index()]]
    }

    #[inline(always)]
    fn set_pair(each: &mut [Vectors<Self>; 4], pairing: Pairing, pass: usize, pair: [VectorOf<Wide<S>>; 2]) {
        for (limb, vector) in pairing.pairs()[pass].into_iter().zip(pair) {
            each[limb.index()][0] = vector;
        }
    }
}
