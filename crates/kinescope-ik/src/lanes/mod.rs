//! One solver for one character and for many: the numbers it is written in.
//!
//! A solve is the same arithmetic for each of the four limbs, and for every character. Its stages are written once, over
//! a [`Layout`] that says what a number stands for: in [`Single`] the four limbs of one character lie side by side in
//! the lanes of a register, in [`Batch`](wide::Batch) as many characters as a register has lanes. What a branch would
//! decide for one limb, a [`Mask`] selects for each lane. Geometry that is out of the ordinary is worked out lane by
//! lane, by the functions of [`math`](crate::math): lanes are only a faster way to the same numbers.

#[cfg(test)]
pub mod counted;
mod number;
mod single;
mod space;
pub mod wide;

pub use number::{
    Layout, Mask, MaskOf, Number, Pairing, Rotation, RotationOf, TokenOf, Value, Vector, VectorOf, Vectors, decide,
};
pub use single::Single;
pub use space::{
    Basis, Quats, Vec3s, about_axis, fabrik_joint, from_to, is_safe, is_zero, length, mend_vectors, nearest_cosine,
    nlerp, ortho_normalize, sine, turn_between, unit_or_zero,
};
