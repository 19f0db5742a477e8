//! Converts FBX files (binary and ASCII) to binary glTF, through the C library ufbx.
//!
//! ufbx parses the file, evaluates transforms (pivots, pre- and post-rotation, all rotation orders, scale compensation)
//! and converts to metres, right-handed axes and Y up. Nodes keep their names and order. Animation stacks become
//! animations with linear keys, unless ufbx cannot bake them, or they have neither movement nor length. Blend shapes
//! become morph targets.
//!
//! The conversion leaves out, among others, lights, cameras, constraints, NURBS, geometry caches, hidden meshes,
//! textures of other kinds than base colour, normal and emission, and all but two sets of texture coordinates and one
//! of vertex colours, with a note for each kind.

mod clips;
mod materials;
mod meshes;
mod scene;
mod shapes;
mod writer;

use super::converted::{Converted, ReadFile};
use super::notes::Outcome;
use scene::Tree;
use writer::Writer;

/// The progress of the conversion, 0 to 1: once the file is read, and once its meshes are written.
const PARTS: [f32; 2] = [0.5, 0.7];

/// Converts a file to binary glTF. `read_file` reads its external textures. Pauses before each mesh and clip.
/// `progress` gets the part that is done, also while ufbx reads the file; the conversion ends when it returns false.
///
/// # Errors
/// The file is damaged, too old, has nodes nested deeper than 1,000, or needs too much memory; a transform, a position
/// of a vertex or a key is not finite; or `progress` returned false.
pub(super) async fn to_glb(
    bytes: &[u8],
    read_file: ReadFile<'_>,
    progress: &mut dyn FnMut(f32) -> bool,
) -> Outcome<Converted> {
    let [read, shaped] = PARTS;
    let scene = scene::load(bytes, &mut |done| progress(done * read))?;
    let mut writer = Writer::new();
    scene::write_notes(&scene, &mut writer);
    let tree = Tree::write(&scene, &mut writer)?;
    let materials = materials::write(&scene, read_file, &mut writer);
    let mut of = |done: f32| progress(read + (shaped - read) * done);
    let morphs = meshes::write(&scene, &tree, &materials, &mut writer, &mut of).await?;
    let targets = clips::Targets { tree: &tree, morphs: &morphs };
    let mut of = |done: f32| progress(shaped + (1.0 - shaped) * done);
    clips::write(&scene, targets, scene::memory(bytes.len()), &mut writer, &mut of).await?;
    let (glb, notes) = writer.finish()?;
    Ok(Converted { glb, notes })
}
