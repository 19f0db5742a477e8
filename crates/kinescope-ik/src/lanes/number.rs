//! Numbers, vectors and rotations, each in one lane or in several.

use std::fmt::Debug;
use std::ops::{Add, BitAnd, BitOr, Div, Index, IndexMut, Mul, Neg, Not, Sub};

use glam::{Quat, Vec3};

use crate::rig::LimbName;

/// Which lanes.
pub trait Mask: Value + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {
    /// Whether there is any.
    #[track_caller]
    fn any(self) -> bool;
    /// Whether it is all.
    #[track_caller]
    fn all(self) -> bool;
    /// Whether it is this one.
    fn lane(self, lane: usize) -> bool;
}

/// A number, or one in each of several lanes. Arithmetic is that of `f32`, lane by lane and to the last bit.
pub trait Number:
    Copy
    + Debug
    + PartialEq
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// How many there are.
    const LANES: usize;
    /// Which lanes.
    type Mask: Mask;
    /// A vector in each lane.
    type Vec3: Vector<Self>;
    /// A rotation in each lane.
    type Quat: Rotation<Self>;
    /// What has to be at hand to make one: proof that the processor can.
    type Token: Copy;

    /// The number of each lane, one after the other.
    fn load(token: Self::Token, numbers: &[f32]) -> Self;
    /// The same number in every lane.
    fn splat(token: Self::Token, number: f32) -> Self;
    /// What made this one.
    fn token(self) -> Self::Token;
    /// The number of a lane.
    fn lane(&self, lane: usize) -> f32;
    /// Puts a number into a lane.
    fn set_lane(&mut self, lane: usize, number: f32);
    /// Square root.
    fn sqrt(self) -> Self;
    /// Less than.
    fn lt(self, other: Self) -> Self::Mask;
    /// Equal, with −0 equal to 0.
    fn is(self, other: Self) -> Self::Mask;
    /// The one where the mask is set, the other where it is not.
    #[track_caller]
    fn select(mask: Self::Mask, one: Self, other: Self) -> Self;

    /// The same number in every lane.
    #[inline(always)]
    fn like(self, number: f32) -> Self {
        Self::splat(self.token(), number)
    }

    /// Greater than.
    #[inline(always)]
    fn gt(self, other: Self) -> Self::Mask {
        other.lt(self)
    }

    /// The lesser; `other` where one is not a number.
    #[inline(always)]
    #[track_caller]
    fn lesser(self, other: Self) -> Self {
        Self::select(self.lt(other), self, other)
    }

    /// The greater; `other` where one is not a number.
    #[inline(always)]
    #[track_caller]
    fn greater(self, other: Self) -> Self {
        Self::select(self.gt(other), self, other)
    }
}

/// A vector in each lane.
pub trait Vector<R: Number<Vec3 = Self>>:
    Copy + Debug + PartialEq + Add<Output = Self> + Sub<Output = Self> + Neg<Output = Self> + Mul<R, Output = Self>
{
    /// From its coordinates.
    fn from_parts(parts: [R; 3]) -> Self;
    /// Its coordinates.
    fn parts(self) -> [R; 3];

    /// The same vector in every lane.
    #[inline(always)]
    fn splat(token: R::Token, vector: Vec3) -> Self {
        Self::from_parts([R::splat(token, vector.x), R::splat(token, vector.y), R::splat(token, vector.z)])
    }

    /// The vector of a lane.
    #[inline(always)]
    fn lane(&self, lane: usize) -> Vec3 {
        let [x, y, z] = self.parts();
        Vec3::new(x.lane(lane), y.lane(lane), z.lane(lane))
    }

    /// Puts a vector into a lane.
    #[inline(always)]
    fn set_lane(&mut self, lane: usize, vector: Vec3) {
        let mut parts = self.parts();
        parts.iter_mut().zip(vector.to_array()).for_each(|(part, number)| part.set_lane(lane, number));
        *self = Self::from_parts(parts);
    }

    /// Inner product.
    #[inline(always)]
    fn dot(self, other: Self) -> R {
        let ([x, y, z], [u, v, w]) = (self.parts(), other.parts());
        x * u + y * v + z * w
    }

    /// Vector product.
    #[inline(always)]
    fn cross(self, other: Self) -> Self {
        let ([x, y, z], [u, v, w]) = (self.parts(), other.parts());
        Self::from_parts([y * w - v * z, z * u - w * x, x * v - u * y])
    }

    /// Square of the length.
    #[inline(always)]
    fn length_squared(self) -> R {
        self.dot(self)
    }

    /// Linear interpolation: the ends bit for bit.
    #[inline(always)]
    fn lerp(self, to: Self, share: R) -> Self {
        self * (share.like(1.0) - share) + to * share
    }

    /// The one where the mask is set, the other where it is not.
    #[inline(always)]
    #[track_caller]
    fn select(mask: R::Mask, one: Self, other: Self) -> Self {
        let ([x, y, z], [u, v, w]) = (one.parts(), other.parts());
        Self::from_parts([R::select(mask, x, u), R::select(mask, y, v), R::select(mask, z, w)])
    }
}

/// A unit quaternion in each lane.
pub trait Rotation<R: Number<Quat = Self>>: Copy + Debug + PartialEq + Mul<Output = Self> {
    /// From x, y, z, w.
    fn from_parts(parts: [R; 4]) -> Self;
    /// x, y, z, w.
    fn parts(self) -> [R; 4];
    /// The vector, turned.
    fn rotate(self, vector: R::Vec3) -> R::Vec3;
    /// The rotation back.
    fn conjugate(self) -> Self;
    /// Of unit length; what has no length is not a number.
    fn normalize(self) -> Self;
    /// Inner product.
    fn dot(self, other: Self) -> R;
    /// Not unit any more.
    fn scaled(self, factor: R) -> Self;
    /// Not unit any more.
    fn plus(self, other: Self) -> Self;

    /// The same rotation in every lane.
    #[inline(always)]
    fn splat(token: R::Token, rotation: Quat) -> Self {
        let [x, y, z, w] = rotation.to_array();
        Self::from_parts([R::splat(token, x), R::splat(token, y), R::splat(token, z), R::splat(token, w)])
    }

    /// The rotation of a lane.
    #[inline(always)]
    fn lane(&self, lane: usize) -> Quat {
        let [x, y, z, w] = self.parts();
        Quat::from_xyzw(x.lane(lane), y.lane(lane), z.lane(lane), w.lane(lane))
    }

    /// Puts a rotation into a lane.
    #[inline(always)]
    fn set_lane(&mut self, lane: usize, rotation: Quat) {
        let mut parts = self.parts();
        parts.iter_mut().zip(rotation.to_array()).for_each(|(part, number)| part.set_lane(lane, number));
        *self = Self::from_parts(parts);
    }

    /// The one where the mask is set, the other where it is not.
    #[inline(always)]
    #[track_caller]
    fn select(mask: R::Mask, one: Self, other: Self) -> Self {
        let ([x, y, z, w], [a, b, c, d]) = (one.parts(), other.parts());
        Self::from_parts([R::select(mask, x, a), R::select(mask, y, b), R::select(mask, z, c), R::select(mask, w, d)])
    }
}

/// What is in a [`Layout::Each`].
pub trait Value: Copy + Debug + PartialEq {}

impl<T: Copy + Debug + PartialEq> Value for T {}

/// How characters and their limbs lie in lanes.
///
/// What a character has one of is in a [`Self::One`], what each limb has one of in the [`Self::Limb`]s of its parts:
/// lane by lane, all limbs that a part has are solved at once.
pub trait Layout: Value {
    /// What a character has one of.
    type One: Number;
    /// What each limb has one of.
    type Limb: Number<Token = <Self::One as Number>::Token>;
    /// One of something for each part of the limbs.
    type Each<T: Value>: Value + Index<usize, Output = T> + IndexMut<usize>;
    /// One of something for each go at pairs of limbs.
    type Goes<T: Value>: Value + Index<usize, Output = T> + IndexMut<usize>;
    /// A number of each character, before it is in a register.
    type Row: Value + AsRef<[f32]> + AsMut<[f32]>;
    /// How many characters there are.
    const CHARACTERS: usize = Self::One::LANES;
    /// How many parts there are.
    const PARTS: usize;
    /// In how many goes two pairs of limbs are worked on.
    const GOES: usize;

    /// Zeros.
    fn no_row() -> Self::Row;
    /// One of something for each part.
    fn each<T: Value>(part: impl FnMut(usize) -> T) -> Self::Each<T>;
    /// One of something for each go.
    fn goes<T: Value>(go: impl FnMut(usize) -> T) -> Self::Goes<T>;
    /// The limbs of a part, of the first character.
    fn limbs(part: usize) -> &'static [LimbName];
    /// The part that a limb is in, and the lane of the first character.
    fn place(limb: LimbName) -> (usize, usize);

    /// A number of each limb, from a row for each.
    fn load(token: TokenOf<Self>, part: usize, rows: &[Self::Row; 4]) -> Self::Limb;
    /// 1 for legs, 0 for arms.
    fn are_legs(token: TokenOf<Self>, part: usize) -> Self::Limb;
    /// The same for every limb.
    fn spread(one: Self::One) -> Self::Limb;
    /// The same for every limb.
    fn spread_vector(one: VectorOf<Self::One>) -> VectorOf<Self::Limb>;
    /// Limb by limb.
    fn join_vector(part: usize, of: impl Fn(LimbName) -> VectorOf<Self::One>) -> VectorOf<Self::Limb>;
    /// Limb by limb.
    fn join_rotation(part: usize, of: impl Fn(LimbName) -> RotationOf<Self::One>) -> RotationOf<Self::Limb>;
    /// That of a limb, out of its part.
    fn one(of_part: Self::Limb, limb: LimbName) -> Self::One;
    /// That of a limb, out of its part.
    fn one_mask(of_part: MaskOf<Self::Limb>, limb: LimbName) -> MaskOf<Self::One>;
    /// That of a limb, out of its part.
    fn one_vector(of_part: VectorOf<Self::Limb>, limb: LimbName) -> VectorOf<Self::One>;
    /// That of a limb, out of its part.
    fn one_rotation(of_part: RotationOf<Self::Limb>, limb: LimbName) -> RotationOf<Self::One>;
    /// The sum over all limbs, of the left and right one first.
    fn sum(each: &Self::Each<VectorOf<Self::Limb>>) -> VectorOf<Self::One>;
    /// Puts a limb's vector into its part.
    fn put(into: &mut VectorOf<Self::Limb>, one: VectorOf<Self::One>, limb: LimbName);
    /// Puts a limb's vector, of every character, into its part.
    fn take(into: &mut VectorOf<Self::Limb>, from: VectorOf<Self::Limb>, limb: LimbName);

    /// The first vector of the limb on the other side.
    fn beside(each: &Self::Each<Vectors<Self>>, part: usize) -> VectorOf<Self::Limb>;
    /// 1 for lanes in which a go has a pair the other way round, 0 for the others.
    fn are_second(token: TokenOf<Self>, pairing: Pairing) -> Self::Limb;
    /// First and second vector of each pair of a go.
    fn pair(each: &Self::Each<Vectors<Self>>, pairing: Pairing, go: usize) -> [VectorOf<Self::Limb>; 2];
    /// First and second number of each pair of a go.
    fn pair_of_numbers(each: &Self::Each<Self::Limb>, pairing: Pairing, go: usize) -> [Self::Limb; 2];
    /// Puts them back where they came from.
    fn set_pair(each: &mut Self::Each<Vectors<Self>>, pairing: Pairing, go: usize, pair: [VectorOf<Self::Limb>; 2]);
}

/// A branch that is no lane's: what it decides is counted where a test asks for that, as that of a [`Mask`] is.
#[inline(always)]
#[track_caller]
pub fn decide(is: bool) -> bool {
    #[cfg(test)]
    super::counted::count(is);
    is
}

/// Which limbs make two pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// Left arm and right leg, right arm and left leg.
    Diagonals,
    /// Both arms, both legs.
    Sides,
}

impl Pairing {
    /// First and second of each pair.
    pub const fn pairs(self) -> [[LimbName; 2]; 2] {
        use LimbName::{LeftArm, LeftLeg, RightArm, RightLeg};
        match self {
            Self::Diagonals => [[LeftArm, RightLeg], [RightArm, LeftLeg]],
            Self::Sides => [[LeftArm, RightArm], [LeftLeg, RightLeg]],
        }
    }
}

/// The masks that go with a number.
pub type MaskOf<R> = <R as Number>::Mask;
/// The vectors that go with a number.
pub type VectorOf<R> = <R as Number>::Vec3;
/// The rotations that go with a number.
pub type RotationOf<R> = <R as Number>::Quat;
/// A vector for each joint of a part's limbs: first, second, last.
pub type Vectors<L> = [VectorOf<<L as Layout>::Limb>; 3];
/// The token of a layout.
pub type TokenOf<L> = <<L as Layout>::One as Number>::Token;
