//! Reading .glb, .gltf, .vrm, .bvh and, with the feature `fbx` except on wasm32, .fbx from memory: [`import`] returns a
//! [`Model`](super::Model), [`Source`] is the document of the file, to be written again with another pose or clip.
//!
//! The library opens no files: buffers and textures outside the given bytes are read by a callback. Nothing in a file
//! is trusted. Indices, lengths and numbers are checked before use, node trees are walked without recursion, and the
//! amount of decoded data is limited. A hostile file therefore gives a model or an [`ImportError`], never a panic, a
//! hang or exhausted memory. Harmless faults are repaired, or the faulty part is left out. Most of them (a missing
//! texture, a sheared node) are listed in [`Model::notes`](super::Model::notes); others, such as weights that do not
//! sum to 1, are repaired without a note.
//!
//! Formats are recognized by content. FBX and BVH files are first converted to binary glTF, which is read and exported
//! like any other.
//!
//! Model space is the scene space of the glTF document: right-handed, +Y up. These nodes become bones: joints of skins;
//! bones of a VRM humanoid map; nodes below a joint that are animated, or have neither mesh nor camera; a separate mesh
//! on the last joint of a limb, such as a hand or foot; and all ancestors of these. If the skins list less than half of
//! an animated body of at least 12 animated nodes, its animated nodes above joints count as joints too. In a file whose
//! skins have no joints, or without skins, every node of the scene becomes a bone, with two exceptions: a camera at the
//! end of a branch, and a mesh at the end of a branch that is only the shape of its parent, unless they are animated.
//! Bones are in depth-first order, siblings by their index in the file.

mod accessor;
mod attributes;
mod bind;
mod bvh;
mod clips;
mod container;
mod converted;
mod extensions;
#[cfg(all(feature = "fbx", not(target_arch = "wasm32")))]
mod fbx;
mod formats;
mod geometry;
mod materials;
mod mend;
mod meshopt;
mod morphs;
mod nodes;
mod notes;
mod png;
mod reader;
mod source;
mod unread;
mod writing;

// A program that calls `image` itself compiles its codecs a second time.
#[doc(hidden)]
pub use mend::{encode_png, is_image};
pub use notes::ImportError;
pub use reader::{import, import_in_slices, import_in_unit};
pub use source::Source;
