//! Traits of numbers, masks, vectors, rotations and layouts, and the pairing of limbs.

use std::fmt::Debug;
use std::ops::{Add, BitAnd, BitOr, Div, Index, IndexMut, Mul, Neg, Not, Sub};

use glam::{Quat, Vec3};

use crate::rig::LimbName;

/// A set of lanes.
pub trait Mask: Value + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {
    /// Returns true if any lane is set.
    #[track_caller]
    fn any(self) -> bool;
    /// Returns true if all lanes are set.
    #[track_caller]
    fn all(self) -> bool;
    /// Returns true if this lane is set.
    fn lane(self, lane: usize) -> bool;
}

/// A number in each of one or more lanes. Arithmetic equals that of `f32` in every lane, bit for bit.
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
    /// The number of lanes.
    const LANES: usize;
    /// A set of lanes, such as the result of a comparison.
    type Mask: Mask;
    /// A vector in each lane.
    type Vec3: Vector<Self>;
    /// A rotation in each lane.
    type Quat: Rotation<Self>;
    /// A token that is required to construct numbers. It proves that the processor has the SIMD instructions they use.
    type Token: Copy;

    /// Loads one number per lane from a slice, which must have at least [`Self::LANES`] numbers.
    fn load(token: Self::Token, numbers: &[f32]) -> Self;
    /// Returns the same number in every lane.
    fn splat(token: Self::Token, number: f32) -> Self;
    /// Returns the token with which the number was constructed.
    fn token(self) -> Self::Token;
    /// Returns the number in a lane.
    fn lane(&self, lane: usize) -> f32;
    /// Sets the number in a lane.
    fn set_lane(&mut self, lane: usize, number: f32);
    /// Returns the square root.
    fn sqrt(self) -> Self;
    /// Returns the lanes in which `self < other`; none where either is NaN.
    fn lt(self, other: Self) -> Self::Mask;
    /// Returns the lanes in which `self == other`; −0 equals 0, NaN equals nothing.
    fn is(self, other: Self) -> Self::Mask;
    /// Returns `one` in the lanes of the mask and `other` in the rest.
    #[track_caller]
    fn select(mask: Self::Mask, one: Self, other: Self) -> Self;

    /// Returns `number` in every lane.
    #[inline(always)]
    fn like(self, number: f32) -> Self {
        Self::splat(self.token(), number)
    }

    /// Returns the lanes in which `self > other`; none where either is NaN.
    #[inline(always)]
    fn gt(self, other: Self) -> Self::Mask {
        other.lt(self)
    }

    /// Returns the smaller number; `other` if either is NaN.
    #[inline(always)]
    #[track_caller]
    fn lesser(self, other: Self) -> Self {
        Self::select(self.lt(other), self, other)
    }

    /// Returns the larger number; `other` if either is NaN.
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
    /// Returns the vector with these coordinates.
    fn from_parts(parts: [R; 3]) -> Self;
    /// Returns the coordinates.
    fn parts(self) -> [R; 3];

    /// Returns the same vector in every lane.
    #[inline(always)]
    fn splat(token: R::Token, vector: Vec3) -> Self {
        Self::from_parts([R::splat(token, vector.x), R::splat(token, vector.y), R::splat(token, vector.z)])
    }

    /// Returns the vector in a lane.
    #[inline(always)]
    fn lane(&self, lane: usize) -> Vec3 {
        let [x, y, z] = self.parts();
        Vec3::new(x.lane(lane), y.lane(lane), z.lane(lane))
    }

    /// Sets the vector in a lane.
    #[inline(always)]
    fn set_lane(&mut self, lane: usize, vector: Vec3) {
        let [mut x, mut y, mut z] = self.parts();
        x.set_lane(lane, vector.x);
        y.set_lane(lane, vector.y);
        z.set_lane(lane, vector.z);
        *self = Self::from_parts([x, y, z]);
    }

    /// Returns the dot product.
    #[inline(always)]
    fn dot(self, other: Self) -> R {
        let ([x, y, z], [u, v, w]) = (self.parts(), other.parts());
        x * u + y * v + z * w
    }

    /// Returns the cross product.
    #[inline(always)]
    fn cross(self, other: Self) -> Self {
        let ([x, y, z], [u, v, w]) = (self.parts(), other.parts());
        Self::from_parts([y * w - v * z, z * u - w * x, x * v - u * y])
    }

    /// Returns the squared length.
    #[inline(always)]
    fn length_squared(self) -> R {
        self.dot(self)
    }

    /// Interpolates linearly. At 0 and 1 the result equals `self` or `to`, if both are finite.
    #[inline(always)]
    fn lerp(self, to: Self, share: R) -> Self {
        self * (share.like(1.0) - share) + to * share
    }

    /// Returns `one` in the lanes of the mask and `other` in the rest.
    #[inline(always)]
    #[track_caller]
    fn select(mask: R::Mask, one: Self, other: Self) -> Self {
        let ([x, y, z], [u, v, w]) = (one.parts(), other.parts());
        Self::from_parts([R::select(mask, x, u), R::select(mask, y, v), R::select(mask, z, w)])
    }
}

/// A quaternion in each lane. Rotations have unit length; [`Self::scaled`] and [`Self::plus`] return other lengths.
pub trait Rotation<R: Number<Quat = Self>>: Copy + Debug + PartialEq + Mul<Output = Self> {
    /// Returns the quaternion with these components, x, y, z, w.
    fn from_parts(parts: [R; 4]) -> Self;
    /// Returns the components x, y, z, w.
    fn parts(self) -> [R; 4];
    /// Returns the vector rotated by this rotation.
    fn rotate(self, vector: R::Vec3) -> R::Vec3;
    /// Returns the inverse rotation.
    fn conjugate(self) -> Self;
    /// Returns the quaternion scaled to unit length; NaN if its length is 0.
    fn normalize(self) -> Self;
    /// Returns the dot product of the components.
    fn dot(self, other: Self) -> R;
    /// Returns the quaternion with every component multiplied by `factor`, without normalizing.
    fn scaled(self, factor: R) -> Self;
    /// Returns the sum of the components, without normalizing.
    fn plus(self, other: Self) -> Self;

    /// Returns the same rotation in every lane.
    #[inline(always)]
    fn splat(token: R::Token, rotation: Quat) -> Self {
        let [x, y, z, w] = rotation.to_array();
        Self::from_parts([R::splat(token, x), R::splat(token, y), R::splat(token, z), R::splat(token, w)])
    }

    /// Returns the rotation in a lane.
    #[inline(always)]
    fn lane(&self, lane: usize) -> Quat {
        let [x, y, z, w] = self.parts();
        Quat::from_xyzw(x.lane(lane), y.lane(lane), z.lane(lane), w.lane(lane))
    }

    /// Sets the rotation in a lane.
    #[inline(always)]
    fn set_lane(&mut self, lane: usize, rotation: Quat) {
        let [mut x, mut y, mut z, mut w] = self.parts();
        x.set_lane(lane, rotation.x);
        y.set_lane(lane, rotation.y);
        z.set_lane(lane, rotation.z);
        w.set_lane(lane, rotation.w);
        *self = Self::from_parts([x, y, z, w]);
    }

    /// Returns `one` in the lanes of the mask and `other` in the rest.
    #[inline(always)]
    #[track_caller]
    fn select(mask: R::Mask, one: Self, other: Self) -> Self {
        let ([x, y, z, w], [a, b, c, d]) = (one.parts(), other.parts());
        Self::from_parts([R::select(mask, x, a), R::select(mask, y, b), R::select(mask, z, c), R::select(mask, w, d)])
    }
}

/// A plain value, of which a [`Layout`] holds one per part or per pass.
pub trait Value: Copy + Debug + PartialEq {}

impl<T: Copy + Debug + PartialEq> Value for T {}

/// The assignment of characters and limbs to lanes.
///
/// Values per character are of type [`Self::One`]. Values per limb are of type [`Self::Limb`], in [`Self::PARTS`]
/// parts; the limbs of a part share a register and are solved at once.
pub trait Layout: Value {
    /// A number per character.
    type One: Number;
    /// A number per limb of a part, for every character.
    type Limb: Number<Token = <Self::One as Number>::Token>;
    /// One value per part.
    type Each<T: Value>: Value + Index<usize, Output = T> + IndexMut<usize>;
    /// One value per pass over pairs of limbs.
    type Passes<T: Value>: Value + Index<usize, Output = T> + IndexMut<usize>;
    /// Numbers in memory before they are loaded into a register: at least one per character.
    type Row: Value + AsRef<[f32]> + AsMut<[f32]>;
    /// The number of characters.
    const CHARACTERS: usize = Self::One::LANES;
    /// The number of parts.
    const PARTS: usize;
    /// The number of passes that process the two pairs of a [`Pairing`].
    const PASSES: usize;

    /// Returns a row of zeros.
    fn zero_row() -> Self::Row;
    /// Calls `part` with the index of each part, and returns the results.
    fn each<T: Value>(part: impl FnMut(usize) -> T) -> Self::Each<T>;
    /// Calls `pass` with the index of each pass, and returns the results.
    fn passes<T: Value>(pass: impl FnMut(usize) -> T) -> Self::Passes<T>;
    /// Returns the limbs in a part.
    fn limbs(part: usize) -> &'static [LimbName];
    /// Returns the part that holds a limb, and the limb's lane for the first character.
    fn place(limb: LimbName) -> (usize, usize);

    /// Loads one number per limb of a part from one row per limb.
    fn load(token: TokenOf<Self>, part: usize, rows: &[Self::Row; 4]) -> Self::Limb;
    /// Returns 1 for legs and 0 for arms.
    fn are_legs(token: TokenOf<Self>, part: usize) -> Self::Limb;
    /// Copies the number of a character to all its limbs.
    fn spread(one: Self::One) -> Self::Limb;
    /// Copies the vector of a character to all its limbs.
    fn spread_vector(one: VectorOf<Self::One>) -> VectorOf<Self::Limb>;
    /// Collects one vector per limb of a part.
    fn join_vector(part: usize, of: impl Fn(LimbName) -> VectorOf<Self::One>) -> VectorOf<Self::Limb>;
    /// Collects one rotation per limb of a part.
    fn join_rotation(part: usize, of: impl Fn(LimbName) -> RotationOf<Self::One>) -> RotationOf<Self::Limb>;
    /// Returns the number of one limb in a part.
    fn one(of_part: Self::Limb, limb: LimbName) -> Self::One;
    /// Returns the mask of one limb in a part.
    fn one_mask(of_part: MaskOf<Self::Limb>, limb: LimbName) -> MaskOf<Self::One>;
    /// Returns the vector of one limb in a part.
    fn one_vector(of_part: VectorOf<Self::Limb>, limb: LimbName) -> VectorOf<Self::One>;
    /// Returns the rotation of one limb in a part.
    fn one_rotation(of_part: RotationOf<Self::Limb>, limb: LimbName) -> RotationOf<Self::One>;
    /// Returns the sum over all limbs, added as (left arm + right arm) + (left leg + right leg).
    fn sum(each: &Self::Each<VectorOf<Self::Limb>>) -> VectorOf<Self::One>;
    /// Sets the vector of one limb in a part.
    fn put(into: &mut VectorOf<Self::Limb>, one: VectorOf<Self::One>, limb: LimbName);
    /// Copies the vector of one limb from `from`, which holds the same part, for every character.
    fn take(into: &mut VectorOf<Self::Limb>, from: VectorOf<Self::Limb>, limb: LimbName);

    /// Returns for each limb of a part the vector of the first joint of the same limb on the other side of the body.
    fn opposite(each: &Self::Each<Vectors<Self>>, part: usize) -> VectorOf<Self::Limb>;
    /// Returns 1 in the lanes where [`Self::pair`] returns the pair's second limb first, 0 in the rest.
    fn are_second(token: TokenOf<Self>, pairing: Pairing) -> Self::Limb;
    /// Returns the vectors of the first joints of both limbs of each pair of a pass. If both limbs are lanes of one
    /// register, each lane has its own limb first.
    fn pair(each: &Self::Each<Vectors<Self>>, pairing: Pairing, pass: usize) -> [VectorOf<Self::Limb>; 2];
    /// Returns the numbers of both limbs of each pair of a pass, in the order of [`Self::pair`].
    fn pair_of_numbers(each: &Self::Each<Self::Limb>, pairing: Pairing, pass: usize) -> [Self::Limb; 2];
    /// Writes vectors to the first joints of the pairs of a pass; `pair` is in the order of [`Self::pair`].
    fn set_pair(each: &mut Self::Each<Vectors<Self>>, pairing: Pairing, pass: usize, pair: [VectorOf<Self::Limb>; 2]);
}

/// Returns its argument. Marks a branch on a plain `bool` instead of a mask, so that tests can count its outcomes.
#[inline(always)]
#[track_caller]
pub fn decide(is: bool) -> bool {
    #[cfg(test)]
    super::counted::count(is);
    is
}

/// A division of the limbs into two pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// Left arm with right leg, right arm with left leg.
    Diagonals,
    /// Both arms, both legs.
    Sides,
}

impl Pairing {
    /// Returns the first and second limb of each pair.
    pub const fn pairs(self) -> [[LimbName; 2]; 2] {
        use LimbName::{LeftArm, LeftLeg, RightArm, RightLeg};
        match self {
            Self::Diagonals => [[LeftArm, RightLeg], [RightArm, LeftLeg]],
            Self::Sides => [[LeftArm, RightArm], [LeftLeg, RightLeg]],
        }
    }
}

/// The mask type of a number.
pub type MaskOf<R> = <R as Number>::Mask;
/// The vector type of a number.
pub type VectorOf<R> = <R as Number>::Vec3;
/// The rotation type of a number.
pub type RotationOf<R> = <R as Number>::Quat;
/// A vector for each joint of the limbs in a part: first, second, last.
pub type Vectors<L> = [VectorOf<<L as Layout>::Limb>; 3];
/// The token type of a layout.
pub type TokenOf<L> = <<L as Layout>::One as Number>::Token;
