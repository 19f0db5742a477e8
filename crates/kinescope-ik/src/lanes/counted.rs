//! A test-only layout that records the outcomes of branch decisions: which branches of the solver a solve takes.
//!
//! A decision is a test or selection by a [`Mask`], or a call of [`decide`](super::decide). It is identified by file,
//! line and column in the solver's source.
//!
//! Operations are not inlined into the solver: otherwise the unit tests take twice as long to compile.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};
use std::panic::Location;

use super::number::{Layout, Mask, Number, Pairing, Value, Vector, Vectors};
use super::space::{Quats, Vec3s};
use crate::rig::LimbName;

/// The place of a decision in the source: file, line, column.
pub type Site = (&'static str, u32, u32);

thread_local! {
    static SEEN: RefCell<Option<BTreeMap<Site, [bool; 2]>>> = const { RefCell::new(None) };
}

/// Runs `work` and returns, for each decision that it makes, whether the outcome was ever false and ever true.
pub fn counting(work: impl FnOnce()) -> BTreeMap<Site, [bool; 2]> {
    SEEN.with(|seen| *seen.borrow_mut() = Some(BTreeMap::new()));
    work();
    SEEN.with(|seen| seen.borrow_mut().take()).unwrap_or_default()
}

/// Records the outcome of a decision at the caller's place in the source.
#[inline(never)]
#[track_caller]
pub fn count(is: bool) {
    let at = Location::caller();
    SEEN.with(|seen| {
        if let Some(seen) = &mut *seen.borrow_mut() {
            seen.entry((at.file(), at.line(), at.column())).or_default()[usize::from(is)] = true;
        }
    });
}

/// Numbers in `N` lanes. A selection between two of them records its outcome in each lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counted<const N: usize>([f32; N]);

/// A mask of `N` lanes. A test with `any` or `all` records its outcome.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CountedMask<const N: usize>([bool; N]);

impl<const N: usize> Mask for CountedMask<N> {
    #[inline(never)]
    #[track_caller]
    fn any(self) -> bool {
        let any = self.0.contains(&true);
        count(any);
        any
    }

    #[inline(never)]
    #[track_caller]
    fn all(self) -> bool {
        let all = !self.0.contains(&false);
        count(all);
        all
    }

    fn lane(self, lane: usize) -> bool {
        self.0[lane]
    }
}

macro_rules! operators {
    ($($operator:ident $function:ident $of:ident;)+) => {
        $(impl<const N: usize> $operator for $of<N> {
            type Output = Self;

            #[inline(never)]
            fn $function(self, other: Self) -> Self {
                Self(std::array::from_fn(|lane| self.0[lane].$function(other.0[lane])))
            }
        })+
    };
}

operators! {
    Add add Counted;
    Sub sub Counted;
    Mul mul Counted;
    Div div Counted;
    BitAnd bitand CountedMask;
    BitOr bitor CountedMask;
}

impl<const N: usize> Not for CountedMask<N> {
    type Output = Self;

    #[inline(never)]
    fn not(self) -> Self {
        Self(self.0.map(|is| !is))
    }
}

impl<const N: usize> Neg for Counted<N> {
    type Output = Self;

    #[inline(never)]
    fn neg(self) -> Self {
        Self(self.0.map(|number| -number))
    }
}

impl<const N: usize> Number for Counted<N> {
    const LANES: usize = N;
    type Mask = CountedMask<N>;
    type Vec3 = Vec3s<Self>;
    type Quat = Quats<Self>;
    type Token = ();

    fn load((): (), numbers: &[f32]) -> Self {
        Self(std::array::from_fn(|lane| numbers[lane]))
    }

    fn splat((): (), number: f32) -> Self {
        Self([number; N])
    }

    fn token(self) {}

    fn lane(&self, lane: usize) -> f32 {
        self.0[lane]
    }

    fn set_lane(&mut self, lane: usize, number: f32) {
        self.0[lane] = number;
    }

    #[inline(never)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f32::sqrt))
    }

    #[inline(never)]
    fn lt(self, other: Self) -> CountedMask<N> {
        CountedMask(std::array::from_fn(|lane| self.0[lane] < other.0[lane]))
    }

    #[inline(never)]
    fn is(self, other: Self) -> CountedMask<N> {
        CountedMask(std::array::from_fn(|lane| self.0[lane] == other.0[lane]))
    }

    #[inline(never)]
    #[track_caller]
    fn select(mask: CountedMask<N>, one: Self, other: Self) -> Self {
        for is in mask.0 {
            count(is);
        }
        Self(std::array::from_fn(|lane| if mask.0[lane] { one.0[lane] } else { other.0[lane] }))
    }
}

/// One character with its four limbs side by side, as in [`Single`](super::Single).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counting;

type One = Counted<1>;
type Limbs = Counted<4>;

fn partners(pairing: Pairing) -> [usize; 4] {
    match pairing {
        Pairing::Diagonals => [3, 2, 1, 0],
        Pairing::Sides => [1, 0, 3, 2],
    }
}

fn partner(of: Limbs, pairing: Pairing) -> Limbs {
    Counted(partners(pairing).map(|limb| of.0[limb]))
}

fn vectors(of: impl Fn(usize) -> Vec3s<One>) -> Vec3s<Limbs> {
    let part = |part: fn(Vec3s<One>) -> One| Counted(std::array::from_fn(|limb| part(of(limb)).0[0]));
    Vec3s { x: part(|v| v.x), y: part(|v| v.y), z: part(|v| v.z) }
}

impl Layout for Counting {
    type One = One;
    type Limb = Limbs;
    type Each<T: Value> = [T; 1];
    type Passes<T: Value> = [T; 1];
    type Row = [f32; 1];
    const PARTS: usize = 1;
    const PASSES: usize = 1;

    fn zero_row() -> [f32; 1] {
        [0.0]
    }

    fn load((): (), _: usize, rows: &[[f32; 1]; 4]) -> Limbs {
        Counted(rows.map(|[number]| number))
    }

    fn are_legs((): (), _: usize) -> Limbs {
        Counted([0.0, 0.0, 1.0, 1.0])
    }

    fn each<T: Value>(mut part: impl FnMut(usize) -> T) -> [T; 1] {
        [part(0)]
    }

    fn passes<T: Value>(mut pass: impl FnMut(usize) -> T) -> [T; 1] {
        [pass(0)]
    }

    fn limbs(_: usize) -> &'static [LimbName] {
        &LimbName::ALL
    }

    fn place(limb: LimbName) -> (usize, usize) {
        (0, limb.index())
    }

    fn spread(one: One) -> Limbs {
        Counted([one.0[0]; 4])
    }

    fn spread_vector(one: Vec3s<One>) -> Vec3s<Limbs> {
        vectors(|_| one)
    }

    fn join_vector(_: usize, of: impl Fn(LimbName) -> Vec3s<One>) -> Vec3s<Limbs> {
        vectors(|limb| of(LimbName::ALL[limb]))
    }

    fn join_rotation(_: usize, of: impl Fn(LimbName) -> Quats<One>) -> Quats<Limbs> {
        let all = LimbName::ALL.map(of);
        let part = |part: fn(Quats<One>) -> One| Counted(all.map(|of| part(of).0[0]));
        Quats { x: part(|q| q.x), y: part(|q| q.y), z: part(|q| q.z), w: part(|q| q.w) }
    }

    fn one(of_part: Limbs, limb: LimbName) -> One {
        Counted([of_part.0[limb.index()]])
    }

    fn one_mask(of_part: CountedMask<4>, limb: LimbName) -> CountedMask<1> {
        CountedMask([of_part.0[limb.index()]])
    }

    fn one_vector(of_part: Vec3s<Limbs>, limb: LimbName) -> Vec3s<One> {
        let one = |of_part| Self::one(of_part, limb);
        Vec3s { x: one(of_part.x), y: one(of_part.y), z: one(of_part.z) }
    }

    fn one_rotation(of_part: Quats<Limbs>, limb: LimbName) -> Quats<One> {
        let one = |of_part| Self::one(of_part, limb);
        Quats { x: one(of_part.x), y: one(of_part.y), z: one(of_part.z), w: one(of_part.w) }
    }

    fn sum([each]: &[Vec3s<Limbs>; 1]) -> Vec3s<One> {
        let sum = |of: Limbs| Counted([(of.0[0] + of.0[1]) + (of.0[2] + of.0[3])]);
        Vec3s { x: sum(each.x), y: sum(each.y), z: sum(each.z) }
    }

    fn put(into: &mut Vec3s<Limbs>, one: Vec3s<One>, limb: LimbName) {
        into.set_lane(limb.index(), one.lane(0));
    }

    fn take(into: &mut Vec3s<Limbs>, from: Vec3s<Limbs>, limb: LimbName) {
        into.set_lane(limb.index(), from.lane(limb.index()));
    }

    fn opposite([each]: &[Vectors<Self>; 1], _: usize) -> Vec3s<Limbs> {
        Self::pair(&[*each], Pairing::Sides, 0)[1]
    }

    fn pair([each]: &[Vectors<Self>; 1], pairing: Pairing, _: usize) -> [Vec3s<Limbs>; 2] {
        let [own, ..] = *each;
        let other = |of| partner(of, pairing);
        [own, Vec3s { x: other(own.x), y: other(own.y), z: other(own.z) }]
    }

    fn are_second((): (), pairing: Pairing) -> Limbs {
        match pairing {
            Pairing::Diagonals => Counted([0.0, 0.0, 1.0, 1.0]),
            Pairing::Sides => Counted([0.0, 1.0, 0.0, 1.0]),
        }
    }

    fn pair_of_numbers([each]: &[Limbs; 1], pairing: Pairing, _: usize) -> [Limbs; 2] {
        [*each, partner(*each, pairing)]
    }

    fn set_pair([each]: &mut [Vectors<Self>; 1], _: Pairing, _: usize, [own, _]: [Vec3s<Limbs>; 2]) {
        each[0] = own;
    }
}
