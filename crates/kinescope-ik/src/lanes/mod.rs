//! Numbers, vectors and rotations in SIMD lanes, so that one solver serves one character and many.
//!
//! The arithmetic of a solve is the same for all limbs and all characters. The full-body solver's stages are generic
//! over a [`Layout`], which defines what the lanes of a register hold: in [`Single`] the four limbs of one character,
//! in [`Batch`](wide::Batch) one limb of several characters, one per lane. Where lanes differ, a stage selects per lane
//! with a [`Mask`] instead of branching. Degenerate geometry is computed lane by lane with the scalar functions of
//! [`math`](crate::math), so every layout treats it in the same way.

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
