//! Converts FBX files (binary and ASCII) to binary glTF, through the C library ufbx.
//!
//! ufbx parses the file, evaluates transforms (pivots, pre- and post-rotation, all rotation orders, scale compensation)
//! and converts to metres, right-handed axes and Y up. Nodes keep their names and order. Each animation stack becomes an
//! animation of linear keys.
//!
//! The conversion leaves out lights, cameras, constraints, blend shapes and NURBS, each with a note.

mod clips;
mod materials;
mod meshes;
mod scene;
mod writer;

use super::converted::{Converted, ReadFile};
use super::notes::Outcome;
use scene::Tree;
use writer::Writer;

/// Converts a file to binary glTF. `read_file` reads its external textures.
///
/// # Errors
/// The file is damaged, too old, needs too much memory, or contains numbers that are not finite.
pub(super) fn to_glb(bytes: &[u8], read_file: ReadFile) -> Outcome<Converted> {
    let scene = scene::load(bytes)?;
    let mut writer = Writer::new();
    scene::write_notes(&scene, &mut writer);
    let tree = Tree::write(&scene, &mut writer)?;
    let materials = materials::write(&scene, read_file, &mut writer);
    meshes::write(&scene, &tree, &materials, &mut writer)?;
    clips::write(&scene, &tree, scene::memory(bytes.len()), &mut writer)?;
    let (glb, notes) = writer.finish()?;
    Ok(Converted { glb, notes })
}
