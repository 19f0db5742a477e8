//! The import of a file, part by part.

use super::super::length_unit::LengthUnit;
use super::super::model::Model;
use super::accessor::Store;
use super::container::Document;
use super::formats;
use super::geometry::Geometry;
use super::notes::{ImportError, Notes, Outcome, import_error};
use super::{bind, clips, geometry, materials, nodes, unread};

/// Reads a .glb, .gltf, .vrm (0.x and 1.0) or .bvh file and, with the feature `fbx`, an .fbx file.
///
/// `name` is the file's name, for [`Model::name`] and messages. `read_buffer` is called for every file that `bytes`
/// refers to, with the percent-decoded URI relative to the file's folder; the caller decides whether a URI may leave
/// that folder. An unreadable buffer is an error unless only textures need it.
///
/// # Errors
/// [`ImportError`] if the file has another format or version, is cut off, contradicts itself, contains implausible numbers, would need
/// too much memory, or lacks a buffer that it needs.
pub fn import(
    name: &str,
    bytes: &[u8],
    read_buffer: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<Model, ImportError> {
    import_in_unit(name, bytes, None, read_buffer)
}

/// Imports like [`import`], with the unit of the lengths in a BVH file. `None` guesses it from the skeleton's height.
/// Other formats state their unit and ignore this one.
///
/// # Errors
/// As for [`import`].
pub fn import_in_unit(
    name: &str,
    bytes: &[u8],
    unit: Option<LengthUnit>,
    read_buffer: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<Model, ImportError> {
    read(name, bytes, unit, read_buffer).map_err(|fault| import_error(name, &fault))
}

fn read(
    name: &str,
    bytes: &[u8],
    unit: Option<LengthUnit>,
    read_buffer: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Outcome<Model> {
    let mut notes = Notes::default();
    let (gltf, unit) = formats::to_gltf(bytes, unit, read_buffer, &mut notes)?;
    let (document, blob) = Document::parse(&gltf, &mut notes)?;
    let mut store = Store::new(&document, blob, read_buffer);

    let tree = nodes::Tree::read(&document, &mut notes)?;
    let skins = nodes::read_skins(&document, &tree, &mut store, &mut notes)?;
    let rig = nodes::Rig::build(&document, &tree, &skins, &mut notes)?;
    let bind = bind::pose(&tree, &skins, &rig, &mut notes);
    let materials = materials::read(&document, &mut store, &mut notes);
    let Geometry { meshes, morphs, morph_of_node } =
        geometry::read(&document, &tree, &skins, &rig, &materials.maps, &mut store, &mut notes)?;
    let targets = clips::Targets { rig: &rig, morphs: &morphs, morph_of_node: &morph_of_node };
    let clips = clips::read(&document, &targets, &mut store, &mut notes)?;
    unread::note(&document, &mut notes);
    let has_zero_rotation = |&bone: &usize| nodes::has_zero_rotation(&document.nodes[rig.node_of_bone[bone]]);
    let zero_rotations = (0..rig.skeleton.len()).filter(has_zero_rotation).collect();

    Ok(Model {
        name: name.to_owned(),
        skeleton: rig.skeleton.into(),
        bind,
        meshes,
        materials: materials.materials,
        images: materials.images,
        morphs,
        clips,
        humanoid: rig.humanoid,
        zero_rotations,
        unit,
        notes: notes.finish(),
    })
}
