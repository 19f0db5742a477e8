//! Poses and clips written for other programs: JSON, or a .glb with skeleton, skin and mesh.
//!
//! The JSON (`kinescope-pose`, version 1) has `model` and `bones`: `name`, `parent` (−1 for a root), `position` and
//! `rotation` in model space, parents before children.

use std::borrow::Cow;
use std::path::Path;

use glam::{Affine3A, Mat4};
use serde::Serialize;
use serde_json::{Value, json};

use super::headless::Baked;
use crate::preset::to_json_pretty;
use crate::rig::{LocalPose, Material, Mesh, Model, ModelPose, Picture, RigidTransform};

/// The pose as the file's ending asks: .json or .glb.
///
/// # Errors
/// One line: an ending that is neither.
pub fn pose(model: &Model, pose: &ModelPose, path: &Path) -> Result<Vec<u8>, String> {
    match path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase).as_deref() {
        Some("json") => Ok(pose_json(model, pose).into_bytes()),
        Some("glb") => pose_glb(model, &pose.to_local(&model.skeleton, &model.skeleton.rest_pose())),
        _ => Err(format!("{}: a pose is written as .json or .glb", path.display())),
    }
}

#[derive(Serialize)]
struct PoseFile<'a> {
    format: &'static str,
    version: u32,
    model: &'a str,
    bones: Vec<PoseBone<'a>>,
}

#[derive(Serialize)]
struct PoseBone<'a> {
    name: &'a str,
    parent: i64,
    #[serde(flatten)]
    transform: RigidTransform,
}

fn pose_json(model: &Model, pose: &ModelPose) -> String {
    let bones = model.skeleton.bones().iter().zip(&pose.bones).map(|(bone, &transform)| PoseBone {
        name: &bone.name,
        parent: bone.parent.map_or(-1, |parent| parent as i64),
        transform,
    });
    to_json_pretty(&PoseFile { format: "kinescope-pose", version: 1, model: &model.name, bones: bones.collect() })
}

/// A growing binary chunk and the views and accessors into it.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

const FLOAT: u32 = 5126;
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;

impl Buffer {
    fn view(&mut self, bytes: impl IntoIterator<Item = u8>) -> usize {
        while !self.bytes.len().is_multiple_of(4) {
            self.bytes.push(0);
        }
        let offset = self.bytes.len();
        self.bytes.extend(bytes);
        self.views.push(json!({ "buffer": 0, "byteOffset": offset, "byteLength": self.bytes.len() - offset }));
        self.views.len() - 1
    }

    fn accessor(&mut self, kind: &str, component: u32, count: usize, bytes: impl IntoIterator<Item = u8>) -> usize {
        let view = self.view(bytes);
        self.accessors.push(json!({ "bufferView": view, "componentType": component, "count": count, "type": kind }));
        self.accessors.len() - 1
    }

    fn floats(&mut self, kind: &str, count: usize, values: impl Iterator<Item = f32>) -> usize {
        self.accessor(kind, FLOAT, count, values.flat_map(f32::to_le_bytes))
    }
}

/// The model with its bones in a pose (local space).
///
/// # Errors
/// One line if the file would be too large for its format.
pub fn pose_glb(model: &Model, pose: &LocalPose) -> Result<Vec<u8>, String> {
    glb(model, pose, None)
}

/// The model at rest with a clip of its own.
///
/// # Errors
/// As [`pose_glb`].
pub fn clip_glb(model: &Model, clip: &Baked) -> Result<Vec<u8>, String> {
    glb(model, &model.skeleton.rest_pose(), Some(clip))
}

fn glb(model: &Model, pose: &LocalPose, clip: Option<&Baked>) -> Result<Vec<u8>, String> {
    let mut buffer = Buffer::default();
    let bones = model.skeleton.bones();
    let mut nodes: Vec<Value> = bones
        .iter()
        .zip(&pose.bones)
        .map(|(bone, local)| {
            json!({
                "name": bone.name,
                "translation": local.translation.to_array(),
                "rotation": local.rotation.to_array(),
                "scale": local.scale.to_array(),
            })
        })
        .collect();
    let mut children = vec![Vec::new(); bones.len()];
    let mut roots = Vec::new();
    for (index, bone) in bones.iter().enumerate() {
        match bone.parent {
            Some(parent) => children[parent].push(index),
            None => roots.push(index),
        }
    }
    for (node, children) in nodes.iter_mut().zip(children) {
        if !children.is_empty() {
            node["children"] = children.into();
        }
    }
    // Parts that hang on no bone hang on a node of their own.
    let loose = nodes.len();
    if model.meshes.iter().flat_map(|mesh| &mesh.joints).any(|joint| joint.bone.is_none()) {
        nodes.push(json!({ "name": "model" }));
        roots.push(loose);
    }

    let (mut meshes, mut skins) = (Vec::new(), Vec::new());
    for mesh in model.meshes.iter().filter(|mesh| !mesh.indices.is_empty()) {
        // Its last row is 0, 0, 0, 1 to the last bit for strict readers; an inverse is so only nearly.
        let affine = |matrix: Mat4| Mat4::from(Affine3A::from_mat4(matrix));
        let matrices = mesh.joints.iter().flat_map(|joint| affine(joint.bone_from_mesh).to_cols_array());
        let inverse_bind = buffer.floats("MAT4", mesh.joints.len(), matrices);
        let joints: Vec<usize> = mesh.joints.iter().map(|joint| joint.bone.unwrap_or(loose)).collect();
        skins.push(json!({ "joints": joints, "inverseBindMatrices": inverse_bind }));
        roots.push(nodes.len());
        nodes.push(json!({ "name": mesh.name, "mesh": meshes.len(), "skin": skins.len() - 1 }));
        meshes.push(mesh_json(mesh, &mut buffer));
    }

    let animations: Vec<Value> =
        clip.map(|clip| clip_json(clip, pose, &mut buffer)).into_iter().filter(|clip| !clip.is_null()).collect();
    let images: Vec<Value> =
        model.images.iter().map(|image| image_json(image, &mut buffer)).collect::<Result<_, _>>()?;
    let textures: Vec<Value> = (0..images.len()).map(|source| json!({ "source": source })).collect();
    let mut root = json!({
        "asset": { "version": "2.0", "generator": "kinescope" },
        "scene": 0,
        "scenes": [{ "nodes": roots }],
        "nodes": nodes,
        "buffers": [{ "byteLength": buffer.bytes.len() }],
    });
    let lists = [
        ("meshes", meshes),
        ("skins", skins),
        ("animations", animations),
        ("materials", model.materials.iter().map(material_json).collect()),
        ("images", images),
        ("textures", textures),
        ("bufferViews", buffer.views),
        ("accessors", buffer.accessors),
    ];
    // glTF wants no empty lists.
    for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
        root[name] = list.into();
    }
    if buffer.bytes.is_empty() {
        root["buffers"] = json!([{ "byteLength": 4 }]);
        buffer.bytes = vec![0; 4];
    }
    let json = serde_json::to_vec(&root).map_err(|error| error.to_string())?;
    let glb = gltf::binary::Glb {
        header: gltf::binary::Header { magic: *b"glTF", version: 2, length: 0 },
        json: Cow::Owned(json),
        bin: Some(Cow::Owned(buffer.bytes)),
    };
    glb.to_vec().map_err(|error| error.to_string())
}

/// Linear keys for all that is not at rest throughout, and for the first bone's rotation: a clip that moves nothing has
/// its name and its length too. `Null` without bones.
fn clip_json(clip: &Baked, rest: &LocalPose, buffer: &mut Buffer) -> Value {
    let (mut samplers, mut channels) = (Vec::new(), Vec::new());
    let count = clip.times.len();
    let mut input = None;
    for (bone, rest) in rest.bones.iter().enumerate() {
        let keys = || clip.poses.iter().map(|pose| &pose.bones[bone]);
        let translations = || keys().flat_map(|key| key.translation.to_array());
        let rotations = || keys().flat_map(|key| key.rotation.normalize().to_array());
        let scales = || keys().flat_map(|key| key.scale.to_array());
        let outputs = [
            ("translation", keys().any(|key| key.translation != rest.translation)),
            ("rotation", bone == 0 || keys().any(|key| key.rotation != rest.rotation)),
            ("scale", keys().any(|key| key.scale != rest.scale)),
        ];
        for (path, _) in outputs.into_iter().filter(|(_, moves)| *moves) {
            let input = *input.get_or_insert_with(|| {
                let times = buffer.floats("SCALAR", count, clip.times.iter().copied());
                // Required for times.
                buffer.accessors[times]["min"] = json!([clip.times[0]]);
                buffer.accessors[times]["max"] = json!([clip.times[count - 1]]);
                times
            });
            let output = match path {
                "translation" => buffer.floats("VEC3", count, translations()),
                "rotation" => buffer.floats("VEC4", count, rotations()),
                _ => buffer.floats("VEC3", count, scales()),
            };
            channels.push(json!({ "sampler": samplers.len(), "target": { "node": bone, "path": path } }));
            samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
        }
    }
    match channels.is_empty() {
        true => Value::Null,
        false => json!({ "name": clip.name, "samplers": samplers, "channels": channels }),
    }
}

fn mesh_json(mesh: &Mesh, buffer: &mut Buffer) -> Value {
    let count = mesh.positions.len();
    let position = buffer.floats("VEC3", count, mesh.positions.iter().flat_map(|v| v.to_array()));
    // Required for positions.
    let (low, high) =
        mesh.positions.iter().fold((glam::Vec3::MAX, glam::Vec3::MIN), |(low, high), &v| (low.min(v), high.max(v)));
    buffer.accessors[position]["min"] = json!(low.to_array());
    buffer.accessors[position]["max"] = json!(high.to_array());
    let joints = mesh.vertex_joints.iter().flatten().flat_map(|joint| joint.to_le_bytes());
    let mut attributes = json!({
        "POSITION": position,
        "JOINTS_0": buffer.accessor("VEC4", UNSIGNED_SHORT, count, joints),
        "WEIGHTS_0": buffer.floats("VEC4", count, mesh.vertex_weights.iter().flatten().copied()),
    });
    if mesh.normals.len() == count {
        attributes["NORMAL"] = json!(buffer.floats("VEC3", count, mesh.normals.iter().flat_map(|v| v.to_array())));
    }
    if mesh.uvs.len() == count {
        attributes["TEXCOORD_0"] = json!(buffer.floats("VEC2", count, mesh.uvs.iter().flat_map(|v| v.to_array())));
    }
    let indices = mesh.indices.iter().flat_map(|index| index.to_le_bytes());
    let indices = buffer.accessor("SCALAR", UNSIGNED_INT, mesh.indices.len(), indices);
    let mut primitive = json!({ "attributes": attributes, "indices": indices });
    if let Some(material) = mesh.material {
        primitive["material"] = json!(material);
    }
    json!({ "name": mesh.name, "primitives": [primitive] })
}

fn material_json(material: &Material) -> Value {
    let mut look = json!({ "baseColorFactor": material.base_color.to_array(), "metallicFactor": 0.0 });
    if let Some(texture) = material.texture {
        look["baseColorTexture"] = json!({ "index": texture });
    }
    let mut out = json!({ "name": material.name, "pbrMetallicRoughness": look, "doubleSided": material.double_sided });
    if material.blend {
        out["alphaMode"] = json!("BLEND");
    } else if material.alpha_cutoff > 0.0 {
        out["alphaMode"] = json!("MASK");
        out["alphaCutoff"] = json!(material.alpha_cutoff);
    }
    out
}

fn image_json(picture: &Picture, buffer: &mut Buffer) -> Result<Value, String> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    // A picture that did not load is kept as one white texel.
    let white = [255; 4];
    let (width, height, rgba) = match picture.rgba.is_empty() {
        true => (1, 1, &white[..]),
        false => (picture.width, picture.height, &picture.rgba[..]),
    };
    let encoder = image::codecs::png::PngEncoder::new(&mut bytes);
    image::ImageEncoder::write_image(encoder, rgba, width, height, image::ExtendedColorType::Rgba8)
        .map_err(|error| error.to_string())?;
    let view = buffer.view(bytes.into_inner());
    Ok(json!({ "bufferView": view, "mimeType": "image/png" }))
}
