//! Reading .glb, .gltf and .vrm from memory into a [`Model`](super::Model).
//!
//! The library opens no files: buffers and textures outside the bytes handed in come through a callback. Nothing in a
//! file is trusted. Indices, lengths and numbers are checked before they are used, trees are walked without recursion
//! and the sum of what is decoded is bounded, so that a hostile file ends in an [`ImportError`], never in a panic, a
//! hang or an exhausted memory. What is merely odd (a missing texture, weights that do not sum to 1) is repaired and
//! told in [`Model::notes`](super::Model::notes).
//!
//! Model space is the scene space of the file: right-handed, +Y up. Bones are the joints of the skins, the bones of a
//! VRM humanoid map, what hangs below joints without a mesh, meshes that go on where a joint ends, and all their
//! ancestors; in a file without skins every node that is not merely a mesh on a bone. They come in depth-first order,
//! siblings by their index in the file.

mod accessor;
mod bind;
mod clips;
mod container;
mod geometry;
mod materials;
mod mend;
mod nodes;
mod notes;
mod reader;
mod source;
mod writing;

pub use notes::ImportError;
pub use reader::import;
pub use source::Source;
