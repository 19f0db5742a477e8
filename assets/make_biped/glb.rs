//! The character as a binary glTF 2.0 file.

use glam::{Quat, Vec3};
use kinescope_ik::animation::{Clip, TrackValues};
use kinescope_ik::math::{affine, exact_unit};
use kinescope_ik::rig::LocalTransform;
use serde_json::{Value, json};

use super::Character;

const FLOAT: u32 = 5126;
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_BYTE: u32 = 5121;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// The binary chunk, and the views and accessors that describe it.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Buffer {
    /// Appends an array; returns the index of its accessor.
    fn push(&mut self, kind: &str, component: u32, count: usize, target: Option<u32>, bytes: &[u8]) -> usize {
        let mut view = json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let accessor = json!({
            "bufferView": self.views.len(), "componentType": component, "count": count, "type": kind
        });
        self.views.push(view);
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn push_floats<const N: usize>(&mut self, kind: &str, values: &[[f32; N]], target: Option<u32>) -> usize {
        let bytes: Vec<u8> = values.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
        self.push(kind, FLOAT, values.len(), target, &bytes)
    }

    /// Writes `min` and `max` of an accessor, which glTF requires for positions and key times.
    fn describe_extent<const N: usize>(&mut self, accessor: usize, values: &[[f32; N]]) {
        let extent = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
            (0..N).map(|axis| values.iter().map(|value| value[axis]).reduce(pick).unwrap_or(0.0)).collect()
        };
        self.accessors[accessor]["min"] = json!(extent(f32::min));
        self.accessors[accessor]["max"] = json!(extent(f32::max));
    }
}

pub fn encode(character: &Character) -> Vec<u8> {
    let mut buffer = Buffer::default();
    let mesh = &character.mesh;
    let positions: Vec<[f32; 3]> = mesh.positions.iter().map(Vec3::to_array).collect();
    let position = buffer.push_floats("VEC3", &positions, Some(ARRAY_BUFFER));
    buffer.describe_extent(position, &positions);
    let normals: Vec<[f32; 3]> = mesh.normals.iter().map(Vec3::to_array).collect();
    let normal = buffer.push_floats("VEC3", &normals, Some(ARRAY_BUFFER));
    let joints: Vec<u8> = mesh.joints.iter().flatten().copied().collect();
    let joint = buffer.push("VEC4", UNSIGNED_BYTE, mesh.joints.len(), Some(ARRAY_BUFFER), &joints);
    let weight = buffer.push_floats("VEC4", &mesh.weights, Some(ARRAY_BUFFER));
    let indices: Vec<u8> = mesh.triangles.iter().flatten().flat_map(|&vertex| (vertex as u16).to_le_bytes()).collect();
    assert!(mesh.positions.len() <= usize::from(u16::MAX), "indices are 16 bits wide");
    let index = buffer.push("SCALAR", UNSIGNED_SHORT, mesh.triangles.len() * 3, Some(ELEMENT_ARRAY_BUFFER), &indices);
    let bones = character.skeleton.bones();
    let inverse_binds: Vec<[f32; 16]> =
        (0..bones.len()).map(|bone| affine(character.rest.model_from_bone(bone).inverse()).to_cols_array()).collect();
    let inverse_bind = buffer.push_floats("MAT4", &inverse_binds, None);
    let animations: Vec<Value> = character.clips.iter().map(|clip| animation(clip, &mut buffer)).collect();

    let mut nodes: Vec<Value> =
        (0..bones.len()).map(|bone| node(&bones[bone].name, &bones[bone].rest, character, bone)).collect();
    nodes.push(json!({ "name": "mannequin", "mesh": 0, "skin": 0 }));
    let document = json!({
        "asset": { "version": "2.0", "generator": "kinescope make_biped" },
        "scene": 0,
        "scenes": [{ "name": "biped", "nodes": [0, bones.len()] }],
        "nodes": nodes,
        "skins": [{
            "name": "biped",
            "skeleton": 0,
            "joints": (0..bones.len()).collect::<Vec<_>>(),
            "inverseBindMatrices": inverse_bind,
        }],
        "meshes": [{
            "name": "mannequin",
            "primitives": [{
                "attributes": { "POSITION": position, "NORMAL": normal, "JOINTS_0": joint, "WEIGHTS_0": weight },
                "indices": index,
                "material": 0,
            }],
        }],
        "materials": [{
            "name": "mannequin",
            "pbrMetallicRoughness": {
                "baseColorFactor": [0.56, 0.545, 0.525, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.65,
            },
        }],
        "animations": animations,
        "accessors": buffer.accessors,
        "bufferViews": buffer.views,
        "buffers": [{ "byteLength": buffer.bytes.len() }],
    });
    pack(&document, buffer.bytes)
}

fn node(name: &str, rest: &LocalTransform, character: &Character, bone: usize) -> Value {
    let mut node = json!({ "name": name });
    let children: Vec<usize> = character.skeleton.children(bone).collect();
    if !children.is_empty() {
        node["children"] = json!(children);
    }
    if rest.translation != Vec3::ZERO {
        node["translation"] = json!(rest.translation.to_array());
    }
    if rest.rotation != Quat::IDENTITY {
        node["rotation"] = json!(exact_unit(rest.rotation).to_array());
    }
    node
}

fn animation(clip: &Clip, buffer: &mut Buffer) -> Value {
    let (mut channels, mut samplers) = (Vec::new(), Vec::new());
    // Equal key times are written once for all tracks of the clip.
    let mut written: Vec<(&[f32], usize)> = Vec::new();
    for track in &clip.tracks {
        let known = written.iter().find(|(times, _)| *times == track.times).map(|&(_, accessor)| accessor);
        let input = known.unwrap_or_else(|| {
            let times: Vec<[f32; 1]> = track.times.iter().map(|&time| [time]).collect();
            let accessor = buffer.push_floats("SCALAR", &times, None);
            buffer.describe_extent(accessor, &times);
            written.push((&track.times, accessor));
            accessor
        });
        let floats = |values: &[Vec3]| values.iter().map(Vec3::to_array).collect::<Vec<_>>();
        let (path, output) = match &track.values {
            TrackValues::Translation(values) => ("translation", buffer.push_floats("VEC3", &floats(values), None)),
            TrackValues::Scale(values) => ("scale", buffer.push_floats("VEC3", &floats(values), None)),
            TrackValues::Rotation(values) => {
                let values: Vec<[f32; 4]> = values.iter().map(|rotation| exact_unit(*rotation).to_array()).collect();
                ("rotation", buffer.push_floats("VEC4", &values, None))
            }
        };
        channels.push(json!({ "sampler": samplers.len(), "target": { "node": track.bone, "path": path } }));
        samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
    }
    json!({ "name": clip.name, "channels": channels, "samplers": samplers })
}

/// Joins header, JSON chunk and binary chunk. Both chunks are padded to four bytes.
fn pack(document: &Value, mut binary: Vec<u8>) -> Vec<u8> {
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    binary.resize(binary.len().next_multiple_of(4), 0);
    let total = 12 + 8 + text.len() + 8 + binary.len();
    let mut file = Vec::with_capacity(total);
    file.extend_from_slice(b"glTF");
    for number in [2, total as u32, text.len() as u32] {
        file.extend_from_slice(&number.to_le_bytes());
    }
    file.extend_from_slice(b"JSON");
    file.extend_from_slice(&text);
    file.extend_from_slice(&(binary.len() as u32).to_le_bytes());
    file.extend_from_slice(b"BIN\0");
    file.extend_from_slice(&binary);
    file
}
