//! Repair of a document so that it is valid: all bytes in one buffer, no references to other files, no faults that
//! readers reject.
//!
//! Valid parts stay as they are, and so do the numbers of compressed accessors. Invalid parts are changed as little as
//! possible: numbers slightly off (quaternions, normals, weights, inverse bind matrices, bounds) are made exact, wrong
//! layouts are written again, and meaningless parts are left out. Most changes have a note; new layouts and the removal
//! of fields such as empty lists have none.

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
pub use looks::{encode_png, is_image};
pub(super) use program::mend;
