//! The conversion of a file of another format to glTF: its result, and its access to other files.

/// Returns the bytes of a file that the model refers to, by URI or path; a message if it cannot be read.
pub(super) type ReadFile<'a> = &'a mut dyn FnMut(&str) -> Result<Vec<u8>, String>;

/// A file as binary glTF. [`import`](super::import) reads it like a .glb file.
pub(super) struct Converted {
    pub glb: Vec<u8>,
    pub notes: Vec<String>,
}
