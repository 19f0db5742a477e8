//! Reading a file with ufbx, and its nodes.

use serde_json::{Value, json};
use ufbx::{
    AllocatorOpts, CoordinateAxes, Error, ErrorType, LoadOpts, Mesh, Node, Progress, ProgressCb, ProgressResult, Scene,
    SceneRoot, SkinDeformer, SkinningMethod, SubdivisionDisplayMode,
};

use super::writer::{Writer, rotation, vector};
use crate::error::Fault;
use crate::rig::import::notes::Outcome;

/// The limit of the memory for a small file in bytes. The limit for a larger file is [`GROWTH`] times its size.
const LEAST_MEMORY: usize = 512 << 20;
/// The limit of the memory for a large file as a multiple of its size: arrays are compressed by a factor of 3 to 6, and
/// ufbx keeps temporary copies.
const GROWTH: usize = 24;
/// The bytes between two reports of progress.
const PROGRESS_BYTES: u64 = 256 << 10;
/// The largest depth of nodes. ufbx sorts and evaluates them without recursion, but readers of the result may use
/// recursion.
const MOST_DEPTH: u32 = 1000;
/// The first bytes of a binary file, and how many of them come before the spaces and zero bytes at their end.
const MAGIC: (&[u8], usize) = (b"Kaydara FBX Binary  \0\x1a\0", 18);

/// Reads a file. `progress` gets the part of its bytes that is read; reading ends when it returns false.
///
/// # Errors
/// The file is damaged, too old, nested deeper than [`MOST_DEPTH`], or needs too much memory, or `progress` returned
/// false.
pub(super) fn load(bytes: &[u8], progress: &mut dyn FnMut(f32) -> bool) -> Outcome<SceneRoot> {
    let mut report = |read: &Progress| match progress(read.bytes_read as f32 / read.bytes_total.max(1) as f32) {
        true => ProgressResult::Continue,
        false => ProgressResult::Cancel,
    };
    let options = options(bytes.len(), ProgressCb::Mut(&mut report));
    ufbx::load_memory(bytes, options).map_err(|error| match is_copied_as_text(bytes) {
        true => Fault::new(
            "FBX",
            "the zero bytes of the binary file have been replaced, as if it had been copied as text; download it again, or \
             export it again",
        ),
        false => fault(&error),
    })
}

/// Returns whether a file begins like a binary one whose zero bytes were replaced.
fn is_copied_as_text(bytes: &[u8]) -> bool {
    let (magic, text) = MAGIC;
    bytes.starts_with(&magic[..text]) && bytes.len() > magic.len() && !bytes.starts_with(magic)
}

pub(super) fn cancelled() -> Fault {
    Fault::new("FBX", "opening was cancelled")
}

pub(super) fn write_notes(scene: &Scene, writer: &mut Writer) {
    writer.notes.add(origin(scene));
    for warning in &scene.metadata.warnings {
        let times = if warning.count > 1 { format!(" ({} times)", warning.count) } else { String::new() };
        writer.notes.add(format!("FBX: {}{times}", warning.description));
    }
    let dual = (&scene.skin_deformers).into_iter().filter(is_dual).count();
    if dual > 0 {
        writer
            .notes
            .add(format!("skins with dual quaternion skinning are drawn with linear blend skinning, {dual} in all"));
    }
    for (kind, count) in unread(scene) {
        if count > 0 {
            writer.notes.add(format!("{kind} are left out, {count} in all"));
        }
    }
}

fn is_dual(skin: &&SkinDeformer) -> bool {
    matches!(skin.skinning_method, SkinningMethod::DualQuaternion | SkinningMethod::BlendedDqLinear)
}

fn unread(scene: &Scene) -> [(&'static str, usize); 11] {
    let meshes = || (&scene.meshes).into_iter();
    let further = |sets: usize, read: usize| sets.saturating_sub(read);
    let is_smooth = |mesh: &&Mesh| {
        let mode = mesh.subdivision_display_mode;
        matches!(mode, SubdivisionDisplayMode::Smooth | SubdivisionDisplayMode::HullAndSmooth)
    };
    [
        ("lights", scene.lights.len()),
        ("cameras", scene.cameras.len() + scene.stereo_cameras.len()),
        ("constraints", scene.constraints.len()),
        ("lines and NURBS", scene.line_curves.len() + scene.nurbs_curves.len() + scene.nurbs_surfaces.len()),
        ("geometry caches", scene.cache_deformers.len()),
        ("procedural meshes", scene.procedural_geometries.len()),
        ("sounds", scene.audio_clips.len()),
        ("subdivisions of meshes", meshes().filter(is_smooth).count()),
        ("skins after the first of a mesh", meshes().map(|mesh| further(mesh.skin_deformers.as_ref().len(), 1)).sum()),
        ("further sets of texture coordinates", meshes().map(|mesh| further(mesh.uv_sets.as_ref().len(), 2)).sum()),
        ("further sets of vertex colours", meshes().map(|mesh| further(mesh.color_sets.as_ref().len(), 1)).sum()),
    ]
}

/// Returns the limit of the memory for reading a file, or for one of its clips, in bytes. It applies to ufbx's
/// temporary memory and to its result separately.
pub(super) fn memory(size: usize) -> usize {
    size.saturating_mul(GROWTH).max(LEAST_MEMORY)
}

fn options(size: usize, progress_cb: ProgressCb) -> LoadOpts {
    let limit = || AllocatorOpts { memory_limit: memory(size), ..AllocatorOpts::default() };
    LoadOpts {
        temp_allocator: limit(),
        result_allocator: limit(),
        file_format: ufbx::FileFormat::Fbx,
        target_axes: CoordinateAxes::right_handed_y_up(),
        target_unit_meters: 1.0,
        // Scales lengths instead of nodes, so that the conversion of the unit gives no bone a scale.
        space_conversion: ufbx::SpaceConversion::ModifyGeometry,
        geometry_transform_handling: ufbx::GeometryTransformHandling::ModifyGeometry,
        inherit_mode_handling: ufbx::InheritModeHandling::Compensate,
        normalize_normals: true,
        clean_skin_weights: true,
        allow_missing_vertex_position: true,
        allow_empty_faces: true,
        node_depth_limit: MOST_DEPTH,
        progress_cb,
        progress_interval_hint: PROGRESS_BYTES,
        ..LoadOpts::default()
    }
}

fn fault(error: &Error) -> Fault {
    let again = "the file is damaged; export or download it again";
    let text = match error.type_ {
        ErrorType::Cancelled => return cancelled(),
        ErrorType::TruncatedFile | ErrorType::EmptyFile => "the file is cut off; download or export it again".into(),
        ErrorType::UnsupportedVersion => {
            "this version of FBX is not supported; export as FBX 7.4 (2014) or later".into()
        }
        ErrorType::OutOfMemory | ErrorType::MemoryLimit | ErrorType::AllocationLimit => {
            "reading the file needs too much memory; export fewer meshes or clips".into()
        }
        ErrorType::NodeDepthLimit => format!("nodes are nested deeper than {MOST_DEPTH}; export fewer levels of nodes"),
        _ => match error.info() {
            "" => format!("{}; {again}", error.description),
            info => format!("{} ({info}); {again}", error.description),
        },
    };
    Fault::new("FBX", text)
}

fn origin(scene: &Scene) -> String {
    let (metadata, settings) = (&scene.metadata, &scene.settings);
    let version = format!("{}.{}", metadata.version / 1000, metadata.version % 1000 / 100);
    let kind = if metadata.ascii { "ASCII" } else { "binary" };
    let property = |name: &str| ufbx::find_prop(&settings.props, name);
    // The factor is in centimetres.
    let unit = property("UnitScaleFactor").map_or(1.0, |unit| unit.value_vec4.x) / 100.0;
    let unit = match unit {
        unit if (unit - 1.0).abs() < 1e-6 => "metres".to_owned(),
        unit if (unit - 0.01).abs() < 1e-8 => "centimetres".to_owned(),
        unit if (unit - 0.001).abs() < 1e-9 => "millimetres".to_owned(),
        unit if (unit - 0.0254).abs() < 1e-7 => "inches".to_owned(),
        unit => format!("units of {unit} m"),
    };
    let up = property("UpAxis").map_or(1, |up| up.value_int);
    let up = ["X up", "Y up", "Z up"].get(usize::try_from(up).unwrap_or(1)).copied().unwrap_or("Y up");
    let creator = metadata.creator.trim();
    let by = if creator.is_empty() { String::new() } else { format!(", written by {creator}") };
    format!("FBX {version} ({kind}){by}, {unit}, {up}: converted to glTF, metres, Y up")
}

pub(super) struct Tree {
    /// The node of the document for each node of ufbx, by its typed id; `None` for the root.
    pub node: Vec<Option<usize>>,
    /// The ufbx nodes, by their place in the document.
    pub order: Vec<u32>,
}

impl Tree {
    pub fn write(scene: &Scene, writer: &mut Writer) -> Outcome<Self> {
        let mut tree = Self { node: vec![None; scene.nodes.len()], order: Vec::new() };
        let mut open: Vec<&Node> = scene.root_node.children.as_ref().iter().rev().map(|node| node.as_ref()).collect();
        while let Some(node) = open.pop() {
            tree.node[node.element.typed_id as usize] = Some(tree.order.len());
            tree.order.push(node.element.typed_id);
            open.extend(node.children.as_ref().iter().rev().map(|node| node.as_ref()));
        }
        let mut nodes = Vec::with_capacity(tree.order.len());
        for &id in &tree.order {
            nodes.push(tree.json(&scene.nodes[id as usize])?);
        }
        let roots: Vec<usize> = tree.indices(&scene.root_node);
        if !nodes.is_empty() {
            writer.root["nodes"] = nodes.into();
            writer.root["scene"] = 0.into();
            writer.root["scenes"] = json!([{ "nodes": roots }]);
        }
        Ok(tree)
    }

    fn indices(&self, node: &Node) -> Vec<usize> {
        node.children.as_ref().iter().filter_map(|child| self.node[child.element.typed_id as usize]).collect()
    }

    fn json(&self, node: &Node) -> Outcome<Value> {
        let local = &node.local_transform;
        let broken = || {
            let place = format!("node {:?}", &*node.element.name);
            Fault::new(place, "its transform has numbers that are not finite; export the file again")
        };
        let mut value = json!({
            "name": &*node.element.name,
            "translation": vector(local.translation).ok_or_else(broken)?,
            "rotation": rotation(local.rotation).ok_or_else(broken)?,
            "scale": vector(local.scale).ok_or_else(broken)?,
        });
        let children = self.indices(node);
        if !children.is_empty() {
            value["children"] = children.into();
        }
        Ok(value)
    }
}
