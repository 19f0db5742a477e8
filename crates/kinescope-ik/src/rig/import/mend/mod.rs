//! Makes of a file's document one that is valid: all in one buffer, nothing beside it, and what readers refuse put right.
//!
//! What is valid stays as it is. What is not is changed as little as will do, and told: numbers a hair off (quaternions,
//! normals, weights, inverse bind matrices, bounds) are made exact, data that is badly laid out is laid out anew, and
//! what makes no sense is left out.

mod accessors;
mod animations;
mod document;
mod looks;
mod meshes;
mod program;
mod tree;
mod whole;

pub(super) use animations::prune_samplers;
pub(super) use document::FLOAT;
pub(super) use program::mend;
