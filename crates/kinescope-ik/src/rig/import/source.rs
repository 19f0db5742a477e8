//! The glTF document of a model's file, to be written again with another pose or clip. FBX and BVH files are converted
//! to glTF first. Apart from repairs and the name of the generator, the rest of the document is preserved, including
//! parts that Kinescope does not read, such as extras and cameras.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::super::length_unit::LengthUnit;
use super::super::pose::{LocalPose, LocalTransform};
use super::super::skeleton::Skeleton;
use super::accessor::Store;
use super::container::Document;
use super::formats;
use super::notes::{ImportError, Notes, Outcome, import_error};
use super::writing::{glb, place, push, view};
use super::{mend, nodes};
use crate::math::exact_unit;
use crate::slices::finish;

/// A complete glTF document with all its buffers merged into one, repaired to be valid as far as possible.
pub struct Source {
    root: Value,
    /// The only buffer with bytes.
    bytes: Vec<u8>,
    nodes: Vec<usize>,
    /// The changes relative to the file that was read, as one sentence each.
    notes: Vec<String>,
}

impl Source {
    /// Reads a file, with the same arguments as [`super::import`].
    ///
    /// # Errors
    /// [`ImportError`] if the file is empty, has an unsupported format or version, is cut off, or would need too much
    /// memory; if FBX or BVH cannot be converted; if a node, skin, accessor or buffer view is malformed; or if inverse
    /// bind matrices cannot be read. Other faults of meshes, materials and animations are repaired.
    pub fn read(
        name: &str,
        bytes: &[u8],
        read_buffer: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
    ) -> Result<Self, ImportError> {
        Self::read_in_unit(name, bytes, None, read_buffer)
    }

    /// Reads a file, with the same arguments as [`super::import_in_unit`].
    ///
    /// # Errors
    /// As for [`Self::read`].
    pub fn read_in_unit(
        name: &str,
        bytes: &[u8],
        unit: Option<LengthUnit>,
        read_buffer: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
    ) -> Result<Self, ImportError> {
        read(bytes, unit, read_buffer).map_err(|fault| import_error(name, &fault))
    }

    /// Returns a document that contains only the bones of a skeleton, in its rest pose.
    pub fn of_bones(skeleton: &Skeleton) -> Self {
        let node = |bone: usize| {
            let (own, children) = (&skeleton.bones()[bone], skeleton.children(bone).collect::<Vec<_>>());
            let mut node = json!({ "name": own.name });
            if !children.is_empty() {
                node["children"] = json!(children);
            }
            node
        };
        let roots: Vec<usize> = (0..skeleton.len()).filter(|&bone| skeleton.parent(bone).is_none()).collect();
        let root = match roots.is_empty() {
            true => json!({ "asset": { "version": "2.0" } }),
            false => json!({
                "asset": { "version": "2.0" },
                "scene": 0,
                "scenes": [{ "nodes": roots }],
                "nodes": (0..skeleton.len()).map(node).collect::<Vec<_>>(),
            }),
        };
        let nodes: Vec<usize> = (0..skeleton.len()).collect();
        let mut new = Self { root, bytes: Vec::new(), nodes, notes: Vec::new() };
        skeleton.rest_pose().bones.iter().enumerate().for_each(|(bone, local)| new.place(bone, local));
        new
    }

    /// Sets the bones to a pose. Bones that have the same transform in `rest` and `pose`, or that one of the two lacks,
    /// stay as in the file.
    pub fn pose(&mut self, rest: &LocalPose, pose: &LocalPose) {
        for (bone, (rest, local)) in rest.bones.iter().zip(&pose.bones).enumerate() {
            if rest != local {
                self.place(bone, local);
            }
        }
    }

    fn place(&mut self, bone: usize, local: &LocalTransform) {
        let Some(node) = self.nodes.get(bone).and_then(|&node| self.root["nodes"].get_mut(node)) else { return };
        place(node, local);
    }

    /// Prepares the node of a bone for channels and returns its index; `None` if there is no such bone. A matrix of the
    /// node is replaced by translation, rotation and scale of `rest`, because channels cannot move a matrix.
    pub fn moved_node(&mut self, bone: usize, rest: &LocalTransform) -> Option<usize> {
        let node = *self.nodes.get(bone)?;
        if self.root["nodes"].get(node)?.get("matrix").is_some() {
            self.place(bone, rest);
        }
        Some(node)
    }

    /// Appends `count` values of a glTF type, such as `VEC3`, and returns the index of their accessor.
    pub fn floats(&mut self, kind: &str, count: usize, values: impl Iterator<Item = f32>) -> usize {
        let bytes: Vec<u8> = values.flat_map(f32::to_le_bytes).collect();
        let view = view(&mut self.root, &mut self.bytes, &bytes);
        let accessor = json!({ "bufferView": view, "componentType": mend::FLOAT, "count": count, "type": kind });
        push(&mut self.root, "accessors", accessor)
    }

    /// Appends the times of keys in seconds, increasing, and returns the index of their accessor.
    pub fn times(&mut self, times: &[f32]) -> usize {
        let accessor = self.floats("SCALAR", times.len(), times.iter().copied());
        if let (Some(first), Some(last)) = (times.first(), times.last()) {
            // glTF requires bounds for times.
            self.root["accessors"][accessor]["min"] = json!([first]);
            self.root["accessors"][accessor]["max"] = json!([last]);
        }
        accessor
    }

    /// Replaces the channels that move bones in the animation with the index `animation`, or appends an animation if
    /// there is none with this index. The field `sampler` of each new channel is an index into `samplers`. Other
    /// channels, which move morph targets or other nodes, stay. An animation without a name, or with a blank one, gets
    /// `name`.
    pub fn replace_animation(&mut self, animation: usize, name: &str, samplers: Vec<Value>, channels: Vec<Value>) {
        let own = self.root["animations"].as_array().map_or(0, Vec::len);
        let animation = match animation < own {
            true => animation,
            false => push(&mut self.root, "animations", json!({ "name": name, "samplers": [], "channels": [] })),
        };
        let Some(old) = self.root["animations"].get_mut(animation) else { return };
        let bones: BTreeSet<u64> = self.nodes.iter().map(|&node| node as u64).collect();
        let moves_bone = |channel: &Value| {
            let node = channel.pointer("/target/node").and_then(Value::as_u64);
            node.is_some_and(|node| bones.contains(&node)) && channel["target"]["path"] != "weights"
        };
        if let Some(channels) = old.get_mut("channels").and_then(Value::as_array_mut) {
            channels.retain(|channel| !moves_bone(channel));
        }
        mend::prune_samplers(old);
        let before = old["samplers"].as_array().map_or(0, Vec::len);
        for sampler in samplers {
            push(old, "samplers", sampler);
        }
        for mut channel in channels {
            channel["sampler"] = (before as u64 + channel["sampler"].as_u64().unwrap_or(0)).into();
            push(old, "channels", channel);
        }
        if old.get("name").and_then(Value::as_str).is_none_or(|name| name.trim().is_empty()) {
            old["name"] = name.into();
        }
    }

    /// Replaces the channels of an animation that move bones, as [`Self::replace_animation`] does, by linear keys of
    /// baked poses. `poses` are local, one for each of `times` (seconds, increasing). The translation, rotation or
    /// scale of a bone gets keys if it differs from `rest` in a pose. The rotation of the first bone always gets keys,
    /// so that a clip without movement keeps its name and length.
    pub fn bake(&mut self, animation: usize, name: &str, rest: &LocalPose, times: &[f32], poses: &[LocalPose]) {
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        let mut input = None;
        for (bone, rest) in rest.bones.iter().enumerate() {
            let keys = || times.iter().zip(poses).map(|(_, pose)| pose.bones.get(bone).unwrap_or(rest));
            let translations = || keys().flat_map(|key| key.translation.to_array());
            let rotations = || keys().flat_map(|key| exact_unit(key.rotation).to_array());
            let scales = || keys().flat_map(|key| key.scale.to_array());
            let outputs = [
                ("translation", keys().any(|key| key.translation != rest.translation)),
                ("rotation", bone == 0 || keys().any(|key| key.rotation != rest.rotation)),
                ("scale", keys().any(|key| key.scale != rest.scale)),
            ];
            for (path, _) in outputs.into_iter().filter(|(_, moves)| *moves) {
                let Some(node) = self.moved_node(bone, rest) else { continue };
                let count = keys().count();
                let input = *input.get_or_insert_with(|| self.times(times.get(..count).unwrap_or(times)));
                let output = match path {
                    "translation" => self.floats("VEC3", count, translations()),
                    "rotation" => self.floats("VEC4", count, rotations()),
                    _ => self.floats("VEC3", count, scales()),
                };
                channels.push(json!({ "sampler": samplers.len(), "target": { "node": node, "path": path } }));
                samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
            }
        }
        self.replace_animation(animation, name, samplers, channels);
    }

    /// Returns the document as a .glb file, and the changes relative to the file that was read, as one sentence each.
    /// Animations without channels are left out.
    ///
    /// # Errors
    /// An error of one line if the file would be too large for the format.
    pub fn to_glb(mut self) -> Result<(Vec<u8>, Vec<String>), String> {
        self.root["asset"]["generator"] = "kinescope".into();
        if let Some(animations) = self.root.get_mut("animations").and_then(Value::as_array_mut) {
            let before = animations.len();
            animations.retain(|animation| animation["channels"].as_array().is_some_and(|list| !list.is_empty()));
            match before - animations.len() {
                0 => {}
                gone => self.notes.push(format!("animations that move nothing are left out, {gone} in all")),
            }
            if animations.is_empty()
                && let Some(root) = self.root.as_object_mut()
            {
                root.remove("animations");
            }
        }
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        if !self.bytes.is_empty() {
            // Other buffers have no bytes: they only state the unpacked sizes of compressed views.
            if self.root["buffers"].as_array().is_none_or(Vec::is_empty) {
                self.root["buffers"] = json!([{}]);
            }
            self.root["buffers"][0]["byteLength"] = self.bytes.len().into();
        }
        let json = serde_json::to_vec(&self.root).map_err(|error| error.to_string())?;
        Ok((glb(json, self.bytes)?, self.notes))
    }
}

fn read(
    bytes: &[u8],
    unit: Option<LengthUnit>,
    read_buffer: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Outcome<Source> {
    // Dropped, because `import` reports the same notes for this file.
    let mut repeated_notes = Notes::default();
    let (gltf, _) = finish(formats::to_gltf(bytes, unit, read_buffer, &mut repeated_notes, &mut |_| true))?;
    let (document, blob) = finish(Document::parse(&gltf, &mut repeated_notes))?;
    let mut store = Store::new(&document, blob, read_buffer);
    let tree = nodes::Tree::read(&document, &mut repeated_notes)?;
    let skins = nodes::read_skins(&document, &tree, &mut store, &mut repeated_notes)?;
    let nodes = nodes::Rig::build(&document, &tree, &skins, &mut repeated_notes)?.node_of_bone;
    let (root, bytes, mut notes) = mend::mend(&document, &mut store, &tree, &skins)?;
    if let Cow::Owned(_) = gltf {
        notes.insert(0, "the model was converted to binary glTF".to_owned());
    }
    Ok(Source { root, bytes, nodes, notes })
}
