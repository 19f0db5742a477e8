//! The result of converting a file of another format to glTF.

/// Reads a file that the model refers to, by its URI.
pub(super) type ReadFile<'a> = &'a mut dyn FnMut(&str) -> Result<Vec<u8>, String>;

/// A file as binary glTF. [`import`](super::import) reads it like a .glb file.
pub(super) struct Converted {
    /// The binary glTF file. It contains its textures.
    pub glb: Vec<u8>,
    /// What was converted, and what the file lacks, as one sentence each.
    pub notes: Vec<String>,
}
