//! Motion: clips and how they are sampled.

pub mod clip;

pub use clip::{Clip, Interpolation, Track, TrackValues};
