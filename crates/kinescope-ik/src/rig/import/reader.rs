//! The import of a file, part by part.

use std::borrow::Cow;

use super::super::length_unit::LengthUnit;
use super::super::model::Model;
use super::accessor::Store;
use super::container::Document;
use super::formats;
use super::geometry::Geometry;
use super::notes::{ImportError, Notes, Outcome, import_error};
use super::{bind, clips, geometry, materials, nodes, unread};
use crate::slices::{Boxed, finish, pause};

/// Reads a .glb, .gltf, .vrm (0.x and 1.0) or .bvh file and, with the feature `fbx` except on wasm32, an .fbx file.
///
/// `name` is the file's name, for [`Model::name`] and messages. `read_buffer` returns the bytes of a buffer or texture
/// outside `bytes`. Its argument is the percent-decoded URI in a glTF file, usually a path relative to the file's
/// folder, or a path at which a texture of an FBX file may be; the caller decides whether a path may leave that folder.
/// An unreadable buffer is an error unless only textures, compressed data, or animations of nodes that are not bones
/// need it.
///
/// # Errors
/// [`ImportError`] if the file is empty, has an unsupported format or version, is cut off, contradicts itself, contains
/// implausible numbers, would need too much memory, or lacks a buffer that it needs.
pub fn import(
    name: &str,
    bytes: &[u8],
    read_buffer: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<Model, ImportError> {
    import_in_unit(name, bytes, None, read_buffer)
}

/// Imports like [`import`], with `unit` as the unit of the lengths in a BVH file. For `None` the unit is guessed from
/// the skeleton's height. Other formats state their unit, so `unit` has no effect on them.
///
/// # Errors
/// As for [`import`].
pub fn import_in_unit(
    name: &str,
    bytes: &[u8],
    unit: Option<LengthUnit>,
    read_buffer: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<Model, ImportError> {
    finish(import_in_slices(name, bytes, unit, read_buffer, &mut |_| true))
}

/// Does the same as [`import_in_unit`], with [pauses](crate::slices) between the parts of a file: before each primitive
/// of a mesh and each channel of an animation, every 32 rows of a PNG image, before each mesh and clip of an FBX file,
/// every 20,000 numbers of a BVH file. There is no pause while the JSON text or the bytes of an FBX file are parsed, or
/// while an image is decoded that is not PNG, is interlaced or has 16 bits per channel. `progress` is called with the
/// fraction that is done, from 0 to 1, also while the bytes of an FBX file are parsed. The import ends if `progress`
/// returns false while FBX or BVH is converted, or if the future is dropped.
///
/// # Errors
/// As for [`import`]; also if `progress` returned false while FBX or BVH was converted.
pub fn import_in_slices(
    name: &str,
    bytes: &[u8],
    unit: Option<LengthUnit>,
    read_buffer: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
    progress: &mut dyn FnMut(f32) -> bool,
) -> impl Future<Output = Result<Model, ImportError>> {
    import_async(name, bytes, unit, read_buffer, progress)
}

async fn import_async(
    name: &str,
    bytes: &[u8],
    unit: Option<LengthUnit>,
    read_buffer: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
    progress: &mut dyn FnMut(f32) -> bool,
) -> Result<Model, ImportError> {
    read(name, bytes, unit, read_buffer, progress).await.map_err(|fault| import_error(name, &fault))
}

/// Progress of an import, 0 to 1, once a file of another format is converted to glTF.
const CONVERTED: f32 = 0.7;
/// Progress of reading glTF, 0 to 1: once the document, once the materials and once the meshes are read.
const PARTS: [f32; 3] = [0.2, 0.5, 0.7];

fn read<'a>(
    name: &'a str,
    bytes: &'a [u8],
    unit: Option<LengthUnit>,
    read_buffer: &'a mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
    progress: &'a mut dyn FnMut(f32) -> bool,
) -> Boxed<'a, Outcome<Model>> {
    Box::pin(async move {
        let mut notes = Notes::default();
        let mut of = |done: f32| progress(CONVERTED * done);
        let (gltf, unit) = formats::to_gltf(bytes, unit, read_buffer, &mut notes, &mut of).await?;
        let start = if matches!(gltf, Cow::Owned(_)) { CONVERTED } else { 0.0 };
        let mut progress = |done: f32| {
            progress(start + (1.0 - start) * done);
        };
        pause().await;
        let (document, blob) = Document::parse(&gltf, &mut notes).await?;
        let mut store = Store::new(&document, blob, read_buffer);

        let [parsed, dressed, shaped] = PARTS;
        let tree = nodes::Tree::read(&document, &mut notes)?;
        pause().await;
        let skins = nodes::read_skins(&document, &tree, &mut store, &mut notes)?;
        let rig = nodes::Rig::build(&document, &tree, &skins, &mut notes)?;
        let bind = bind::pose(&tree, &skins, &rig, &mut notes);
        let mut of = |done: f32| progress(parsed + (dressed - parsed) * done);
        let materials = materials::read(&document, &mut store, &mut notes, &mut of).await;
        let context =
            geometry::Context { document: &document, tree: &tree, skins: &skins, rig: &rig, maps: &materials.maps };
        let mut of = |done: f32| progress(dressed + (shaped - dressed) * done);
        let Geometry { meshes, morphs, morph_of_node } =
            geometry::read(context, &mut store, &mut notes, &mut of).await?;
        let targets = clips::Targets { rig: &rig, morphs: &morphs, morph_of_node: &morph_of_node };
        let mut of = |done: f32| progress(shaped + (1.0 - shaped) * done);
        let clips = clips::read(&document, &targets, &mut store, &mut notes, &mut of).await?;
        pause().await;
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
    })
}
