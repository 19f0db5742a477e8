//! Makes of a file's document one that is valid: all in one buffer, nothing beside it, and what readers refuse put right.
//!
//! What is valid stays as it is. What is not is changed as little as will do, and told: numbers a hair off (quaternions,
//! normals, weights, inverse bind matrices, bounds) are made exact, data that is badly laid out is laid out anew, and
//! what makes no sense is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

use glam::{Quat, Vec3};
use gltf::json;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::accessor::Store;
use super::container::Document;
use super::nodes::{SkinData, Tree};
use super::source::{place, push, view};
use super::{Fault, Notes, Outcome};
use crate::math::{affine, exact_unit};

pub(super) const FLOAT: u64 = 5126;
const UNSIGNED_SHORT: u64 = 5123;
const UNSIGNED_INT: u64 = 5125;
const ARRAY_BUFFER: u64 = 34962;
const ELEMENT_ARRAY_BUFFER: u64 = 34963;
/// Directions and rotations of files may be off by so much of their length.
const UNIT: f32 = 5e-3;
/// No texture may be wider or higher to be written as another kind of image.
const MOST_PIXELS_ACROSS: u32 = 8192;
const MESHOPT: [&str; 3] = ["EXT_meshopt_compression", "KHR_meshopt_compression", "MESHOPT_compression"];

/// The document, its buffer, and what was changed.
pub(super) fn mend(
    document: &Document,
    store: &mut Store,
    tree: &Tree,
    skins: &[SkinData],
) -> Outcome<(Value, Vec<u8>, Vec<String>)> {
    // Lists read as objects too, field by field; nobody means them.
    for (key, name) in [("nodes", "node"), ("skins", "skin"), ("accessors", "accessor"), ("bufferViews", "buffer view")]
    {
        if let Some(at) = document.array(key).iter().position(|value| !value.is_object()) {
            return Err(Fault::new(format!("{name} {at}"), "must be an object; the file is damaged, export it again"));
        }
    }
    let mut mend = Mend {
        document,
        store,
        root: document.root.clone(),
        bytes: Vec::new(),
        notes: Notes::default(),
        uses: BTreeMap::new(),
        done: BTreeSet::new(),
    };
    mend.lists();
    mend.buffers();
    mend.images();
    mend.textures();
    mend.materials();
    mend.meshes(skins);
    mend.nodes(tree);
    mend.scenes(tree);
    mend.skins(tree, skins);
    mend.animations();
    mend.accessors();
    mend.strides();
    mend.extensions();
    tidy(&mut mend.root);
    Ok((mend.root, mend.bytes, mend.notes.finish()))
}

/// What an accessor is for: how it may lie in its buffer, and what its numbers have to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Position,
    Normal,
    Tangent,
    Color,
    Vertex,
    Index,
    Bind,
    Times,
    /// Every value a rotation, or with tangents around it.
    Rotation {
        cubic: bool,
    },
    Keys,
}

impl Use {
    fn is_vertex(self) -> bool {
        matches!(self, Self::Position | Self::Normal | Self::Tangent | Self::Color | Self::Vertex)
    }
}

struct Mend<'a, 's> {
    document: &'s Document,
    store: &'s mut Store<'a>,
    root: Value,
    bytes: Vec<u8>,
    notes: Notes,
    uses: BTreeMap<usize, Use>,
    /// Accessors that were written anew.
    done: BTreeSet<usize>,
}

/// An index in JSON.
fn index(value: Option<&Value>) -> Option<usize> {
    value?.as_u64().and_then(|index| usize::try_from(index).ok())
}

/// A list in JSON; empty where there is none.
fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn list_mut<'v>(value: &'v mut Value, key: &str) -> &'v mut [Value] {
    value.get_mut(key).and_then(Value::as_array_mut).map_or(&mut [], Vec::as_mut_slice)
}

fn remove(value: &mut Value, key: &str) {
    if let Some(object) = value.as_object_mut() {
        object.remove(key);
    }
}

impl Mend<'_, '_> {
    fn count(&self, key: &str) -> usize {
        list(&self.root, key).len()
    }

    /// Takes away an index that leads nowhere.
    fn reference(&mut self, place: &str, value: &mut Value, key: &str, to: &str) {
        let count = self.count(to);
        if value.get(key).is_some_and(|value| index(Some(value)).is_none_or(|index| index >= count)) {
            remove(value, key);
            self.notes.add(format!("{place}: its {key} does not exist and is left out"));
        }
    }

    /// Takes away what should be a list and is none.
    fn lists(&mut self) {
        let Some(root) = self.root.as_object_mut() else { return };
        for key in ["scenes", "meshes", "materials", "textures", "images", "samplers", "cameras", "animations"] {
            if root.get(key).is_some_and(|list| !list.is_array()) {
                root.remove(key);
                self.notes.add(format!("{key} are no list and are left out"));
            }
        }
    }

    /// All buffers as one; every view into it.
    fn buffers(&mut self) {
        let mut places = Vec::new();
        for buffer in 0..self.document.array("buffers").len() {
            let Ok(bytes) = self.store.buffer(buffer) else {
                places.push(None);
                continue;
            };
            self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
            places.push(Some((self.bytes.len(), bytes.len())));
            self.bytes.extend_from_slice(bytes);
        }
        // A view that is broken needs some bytes to stand on.
        if self.bytes.len() < 4 && self.count("bufferViews") > 0 {
            self.bytes.resize(4, 0);
        }
        let moved = |value: &Value| {
            let number = |key: &str| match value.get(key) {
                None => Some(0),
                some => index(some),
            };
            let (start, length) = places.get(number("buffer")?).copied().flatten()?;
            let (offset, size) = (number("byteOffset")?, number("byteLength")?);
            (size > 0 && offset.checked_add(size)? <= length).then_some(start + offset)
        };
        let mut fallbacks: Vec<Value> = Vec::new();
        let mut views = std::mem::take(&mut self.root["bufferViews"]);
        for (at, value) in views.as_array_mut().into_iter().flatten().enumerate() {
            let packed = MESHOPT.into_iter().find(|name| value.pointer(&format!("/extensions/{name}")).is_some());
            if let Some(name) = packed {
                let inner = &mut value["extensions"][name];
                if let Some(offset) = moved(inner) {
                    inner["buffer"] = 0.into();
                    inner["byteOffset"] = offset.into();
                    let end = |view: &Value| {
                        let number = |key: &str, none| index(view.get(key)).unwrap_or(none);
                        number("byteOffset", 0).saturating_add(number("byteLength", 1))
                    };
                    fallbacks.push(json!({ "byteLength": end(value), "extensions": { name: { "fallback": true } } }));
                    value["buffer"] = fallbacks.len().into();
                    continue;
                }
            }
            match moved(value) {
                Some(offset) => {
                    value["buffer"] = 0.into();
                    value["byteOffset"] = offset.into();
                }
                None => {
                    *value = json!({ "buffer": 0, "byteOffset": 0, "byteLength": 4 });
                    self.notes.add(format!("buffer view {at} is not within its buffer: what needs it is left out"));
                }
            }
        }
        if views.is_array() {
            self.root["bufferViews"] = views;
        } else {
            remove(&mut self.root, "bufferViews");
        }
        remove(&mut self.root, "buffers");
        if !self.bytes.is_empty() {
            let mut buffers = vec![json!({})];
            buffers.append(&mut fallbacks);
            self.root["buffers"] = buffers.into();
        }
    }

    /// Images into the buffer, as PNG or JPEG unless an extension asks for its own kind.
    fn images(&mut self) {
        let by_textures: BTreeSet<usize> =
            list(&self.root, "textures").iter().filter_map(|texture| index(texture.get("source"))).collect();
        let mut missing = BTreeSet::new();
        for at in 0..self.count("images") {
            let value = &self.document.array("images")[at];
            let own = index(value.get("bufferView"));
            let bytes = match (own, value.get("uri").and_then(Value::as_str)) {
                (Some(view), _) => self.store.view(view).map(<[u8]>::to_vec).map_err(|fault| fault.sentence()),
                (None, Some(uri)) => self.store.fetch(uri),
                (None, None) => Err("it has neither a buffer view nor a URI".to_owned()),
            };
            let made = bytes.and_then(|bytes| {
                let (mime, other) = picture(&bytes, by_textures.contains(&at))?;
                Ok((mime, other, bytes))
            });
            let (mime, bytes, keeps_view) = match made {
                Ok((mime, None, bytes)) => (mime, bytes, own.is_some()),
                Ok((mime, Some(other), _)) => (mime, other, false),
                Err(problem) => {
                    missing.insert(at);
                    self.notes.add(format!("image {at} is left out: {problem}"));
                    ("image/png", white(), false)
                }
            };
            let view = match own.filter(|_| keeps_view) {
                Some(view) => view,
                None => view(&mut self.root, &mut self.bytes, &bytes),
            };
            remove(&mut self.root["bufferViews"][view], "byteStride");
            remove(&mut self.root["bufferViews"][view], "target");
            let image = &mut self.root["images"][at];
            if !image.is_object() {
                *image = json!({});
            }
            remove(image, "uri");
            image["bufferView"] = view.into();
            image["mimeType"] = mime.into();
        }
        // White is what any other texture does nothing with; a normal of it would point aside.
        let flat: BTreeSet<usize> = (0..self.count("textures"))
            .filter(|&at| index(self.root["textures"][at].get("source")).is_some_and(|image| missing.contains(&image)))
            .collect();
        for material in list_mut(&mut self.root, "materials") {
            walk(material, &mut |object| {
                object.retain(|key, value| {
                    let is_normal = key == "normalTexture" || key.ends_with("NormalTexture");
                    !(is_normal && index(value.get("index")).is_some_and(|texture| flat.contains(&texture)))
                });
            });
        }
    }

    fn textures(&mut self) {
        for at in 0..self.count("samplers") {
            let sampler = &self.root["samplers"][at];
            if !sampler.is_object() || json::texture::Sampler::deserialize(sampler).is_err() {
                self.root["samplers"][at] = json!({});
                self.notes.add(format!("sampler {at} does not read: the default is taken"));
            }
        }
        for at in 0..self.count("textures") {
            let mut texture = self.root["textures"][at].take();
            if !texture.is_object() {
                texture = json!({});
            }
            self.reference(&format!("texture {at}"), &mut texture, "source", "images");
            self.reference(&format!("texture {at}"), &mut texture, "sampler", "samplers");
            self.root["textures"][at] = texture;
        }
        for at in 0..self.count("cameras") {
            let camera = &self.root["cameras"][at];
            if !camera.is_object() || json::Camera::deserialize(camera).is_err() {
                self.root["cameras"][at] =
                    json!({ "type": "perspective", "perspective": { "yfov": 0.8, "znear": 0.1 } });
                self.notes.add(format!("camera {at} does not read: a plain one is taken"));
            }
        }
    }

    fn materials(&mut self) {
        let textures = self.count("textures");
        for at in 0..self.count("materials") {
            let mut material = self.root["materials"][at].take();
            if !material.is_object() || json::Material::deserialize(&material).is_err() {
                material = json!({});
                self.notes.add(format!("material {at} does not read: a plain one is taken"));
            }
            let mut is_changed = false;
            walk(&mut material, &mut |object| {
                object.retain(|key, value| {
                    let is_texture = key.ends_with("Texture") && value.get("index").is_some();
                    let keep = !is_texture || index(value.get("index")).is_some_and(|index| index < textures);
                    is_changed |= !keep;
                    keep
                });
            });
            let fractions = [
                "/pbrMetallicRoughness/baseColorFactor",
                "/pbrMetallicRoughness/metallicFactor",
                "/pbrMetallicRoughness/roughnessFactor",
                "/emissiveFactor",
                "/occlusionTexture/strength",
            ];
            for path in fractions {
                is_changed |= material.pointer_mut(path).is_some_and(clamp);
            }
            let cutoff = material.get_mut("alphaCutoff");
            if let Some(cutoff) = cutoff.filter(|cutoff| cutoff.as_f64().is_some_and(|cutoff| cutoff < 0.0)) {
                *cutoff = 0.0.into();
                is_changed = true;
            }
            if is_changed {
                self.notes.add(format!("material {at} had values out of range or textures that do not exist"));
            }
            self.root["materials"][at] = material;
        }
    }

    fn nodes(&mut self, tree: &Tree) {
        let mut is_moved = vec![false; tree.nodes.len()];
        for channel in list(&self.document.root, "animations").iter().flat_map(|animation| list(animation, "channels"))
        {
            let path = channel.pointer("/target/path").and_then(Value::as_str);
            let node = index(channel.pointer("/target/node")).filter(|_| path != Some("weights"));
            if let Some(is_moved) = node.and_then(|node| is_moved.get_mut(node)) {
                *is_moved = true;
            }
        }
        for (at, is_moved) in is_moved.into_iter().enumerate() {
            let name = format!("node {at}");
            let mut node = self.root["nodes"][at].take();
            let raw = &tree.nodes[at];
            if let Some(matrix) = raw.matrix {
                let rows = [3, 7, 11, 15].map(|at| matrix[at]) == [0.0, 0.0, 0.0, 1.0];
                let again = super::nodes::matrix(&tree.local[at]).to_cols_array();
                let size = matrix.iter().fold(1.0f32, |size, part| size.max(part.abs()));
                let same = again.iter().zip(matrix).all(|(a, b)| (*a as f32 - b).abs() <= size * 1e-4);
                if !rows || !same {
                    self.notes.add(format!("{name}: its matrix is not made of a move, a turn and a scale: it is now"));
                }
                if is_moved
                    || !rows
                    || !same
                    || ["translation", "rotation", "scale"].iter().any(|key| node.get(key).is_some())
                {
                    place(&mut node, &tree.local[at]);
                }
            } else if let Some(rotation) = &raw.rotation {
                let exact = exact_unit(tree.local[at].rotation);
                let given = Quat::from_array(rotation.0);
                if exact_unit(given) != given {
                    node["rotation"] = json!(exact.to_array());
                    self.notes.add("rotations of nodes that were not of unit length were made so");
                }
            }
            for (key, to) in [("mesh", "meshes"), ("skin", "skins"), ("camera", "cameras")] {
                self.reference(&name, &mut node, key, to);
            }
            if node.get("skin").is_some() {
                let mesh = index(node.get("mesh")).map(|mesh| &self.root["meshes"][mesh]);
                let is_skinned = |mesh: &Value| {
                    let primitives = list(mesh, "primitives");
                    primitives.iter().any(|primitive| primitive.pointer("/attributes/JOINTS_0").is_some())
                };
                if !mesh.is_some_and(is_skinned) {
                    remove(&mut node, "skin");
                    self.notes.add(format!("{name}: its skin moves no mesh and is left out"));
                }
            }
            if let Some(children) = node.get_mut("children").and_then(Value::as_array_mut) {
                let mut seen = BTreeSet::new();
                children.retain(|child| seen.insert(index(Some(child))));
            }
            self.root["nodes"][at] = node;
        }
    }

    fn scenes(&mut self, tree: &Tree) {
        for at in 0..self.count("scenes") {
            let scene = &mut self.root["scenes"][at];
            if !scene.is_object() {
                *scene = json!({});
            }
            let Some(roots) = scene.get_mut("nodes") else { continue };
            let before = roots.clone();
            let mut seen = BTreeSet::new();
            match roots.as_array_mut() {
                Some(roots) => roots.retain(|root| {
                    let node = index(Some(root)).filter(|&node| node < tree.nodes.len());
                    node.is_some_and(|node| tree.parent[node].is_none() && seen.insert(node))
                }),
                None => *roots = json!([]),
            }
            if *roots != before {
                self.notes.add(format!("scene {at} listed nodes that do not exist, twice or below others"));
            }
        }
        let (scene, count) = (self.root.get("scene"), self.count("scenes"));
        if scene.is_some_and(|scene| index(Some(scene)).is_none_or(|scene| scene >= count)) {
            remove(&mut self.root, "scene");
            self.notes.add("the scene to show does not exist");
        }
    }

    fn skins(&mut self, tree: &Tree, skins: &[SkinData]) {
        let root_of = |mut node: usize| {
            while let Some(parent) = tree.parent[node] {
                node = parent;
            }
            node
        };
        for (at, skin) in skins.iter().enumerate() {
            let roots: BTreeSet<usize> = skin.joints.iter().map(|&joint| root_of(joint)).collect();
            if roots.len() > 1 {
                // Joints of one skin need a node above them all.
                let above = list(&self.root, "nodes").iter().position(|node| {
                    let children: BTreeSet<usize> =
                        list(node, "children").iter().filter_map(|child| index(Some(child))).collect();
                    roots.is_subset(&children)
                });
                let taken = list(&self.root, "nodes").iter().skip(tree.nodes.len()).any(|node| {
                    list(node, "children").iter().any(|child| index(Some(child)).is_some_and(|c| roots.contains(&c)))
                });
                if above.is_none() && !taken {
                    let node = push(&mut self.root, "nodes", json!({ "name": "root", "children": roots }));
                    for scene in list_mut(&mut self.root, "scenes") {
                        if let Some(nodes) = scene.get_mut("nodes").and_then(Value::as_array_mut) {
                            let before = nodes.len();
                            nodes.retain(|root| index(Some(root)).is_none_or(|root| !roots.contains(&root)));
                            if nodes.len() < before {
                                nodes.push(node.into());
                            }
                        }
                    }
                    self.notes.add(format!("skin {at}: its joints have no common root: a node is put above them"));
                }
            }
            let skeleton = index(self.root["skins"][at].get("skeleton"));
            let is_above = |skeleton: usize| {
                skin.joints.iter().all(|&joint| {
                    let mut node = Some(joint);
                    while let Some(own) = node.filter(|&own| own != skeleton) {
                        node = tree.parent[own];
                    }
                    node.is_some()
                })
            };
            if self.root["skins"][at].get("skeleton").is_some() && !skeleton.is_some_and(is_above) {
                remove(&mut self.root["skins"][at], "skeleton");
                self.notes.add(format!("skin {at}: its skeleton is not above its joints and is left out"));
            }
            let Some(accessor) = index(self.root["skins"][at].get("inverseBindMatrices")) else { continue };
            if self.store.is_compressed(accessor) {
                continue;
            }
            let made: Vec<f32> = skin.inverse_bind.iter().flat_map(|m| affine(*m).to_cols_array()).collect();
            let given = self.store.read(accessor, "inverse bind matrices", &[16]).map(|numbers| numbers.values);
            // -0 is 0 to readers.
            if given.is_ok_and(|given| given.len() >= made.len() && given.iter().zip(&made).all(|(a, b)| a == b)) {
                self.uses.insert(accessor, Use::Bind);
            } else if self.done.insert(accessor) {
                self.write(accessor, Use::Bind, FLOAT, false, 16, &made);
                self.notes.add(format!("skin {at}: its inverse bind matrices were not affine and were made so"));
            }
        }
    }

    fn meshes(&mut self, skins: &[SkinData]) {
        for at in 0..self.count("meshes") {
            let users = list(&self.root, "nodes").iter().filter(|node| index(node.get("mesh")) == Some(at));
            let joints =
                users.filter_map(|node| skins.get(index(node.get("skin"))?)).map(|skin| skin.joints.len()).min();
            let mut mesh = self.root["meshes"][at].take();
            let mut targets = BTreeSet::new();
            for (number, primitive) in list_mut(&mut mesh, "primitives").iter_mut().enumerate() {
                self.primitive(&format!("mesh {at}, primitive {number}"), primitive, joints);
                targets.insert(list(primitive, "targets").len());
            }
            let fewest = targets.first().copied().unwrap_or(0);
            if targets.len() > 1 {
                self.notes.add(format!("mesh {at}: morph targets that not all its primitives have are left out"));
                for primitive in list_mut(&mut mesh, "primitives") {
                    if let Some(targets) = primitive.get_mut("targets").and_then(Value::as_array_mut) {
                        targets.truncate(fewest);
                    }
                }
            }
            if mesh.get("weights").is_some_and(|weights| weights.as_array().map(Vec::len) != Some(fewest)) {
                remove(&mut mesh, "weights");
                self.notes.add(format!("mesh {at}: there are not as many weights as morph targets: they are left out"));
            }
            self.root["meshes"][at] = mesh;
            for (node, value) in list_mut(&mut self.root, "nodes").iter_mut().enumerate() {
                let wrong = |weights: &Value| weights.as_array().map(Vec::len) != Some(fewest);
                if index(value.get("mesh")) == Some(at) && value.get("weights").is_some_and(wrong) {
                    remove(value, "weights");
                    self.notes.add(format!("node {node}: there are not as many weights as morph targets"));
                }
            }
        }
    }

    fn length(&self, accessor: usize) -> Option<usize> {
        index(list(&self.root, "accessors").get(accessor)?.get("count"))
    }

    fn primitive(&mut self, name: &str, primitive: &mut Value, joints: Option<usize>) {
        self.reference(name, primitive, "material", "materials");
        if let Some(accessor) = index(primitive.get("indices")) {
            self.uses.insert(accessor, Use::Index);
        }
        let is_packed = primitive.pointer("/extensions/KHR_draco_mesh_compression").is_some();
        let position = index(primitive.pointer("/attributes/POSITION"));
        let Some(count) = position.and_then(|position| self.length(position)) else { return };
        let Some(Value::Object(mut attributes)) = primitive.get_mut("attributes").map(Value::take) else { return };
        let known = ["POSITION", "NORMAL", "TANGENT", "TEXCOORD_", "COLOR_", "JOINTS_", "WEIGHTS_", "_"];
        let before = attributes.len();
        attributes.retain(|key, value| {
            known.iter().any(|known| key.starts_with(known))
                && index(Some(value)).and_then(|accessor| self.length(accessor)) == Some(count)
        });
        for (a, b) in [("JOINTS", "WEIGHTS"), ("WEIGHTS", "JOINTS")] {
            let other: Vec<bool> = (0..8).map(|set| attributes.contains_key(&format!("{b}_{set}"))).collect();
            attributes.retain(|key, _| {
                (0..8).all(|set| *key != format!("{a}_{set}") || other[..=set].iter().all(|&has| has))
            });
        }
        if attributes.len() < before {
            self.notes.add(format!("{name}: attributes that are unknown, or not as many as vertices, are left out"));
        }
        for (key, accessor) in attributes.iter().filter_map(|(key, value)| Some((key.as_str(), index(Some(value))?))) {
            self.uses.insert(
                accessor,
                match key {
                    "POSITION" => Use::Position,
                    "NORMAL" => Use::Normal,
                    "TANGENT" => Use::Tangent,
                    _ if key.starts_with("COLOR_") => Use::Color,
                    _ => Use::Vertex,
                },
            );
        }
        if !is_packed {
            self.weights(name, &attributes, count, joints);
        }
        // Texture coordinates that a material asks for and the file does not have are zero to who reads it leniently.
        let material = index(primitive.get("material")).map(|material| self.root["materials"][material].clone());
        let mut most = None;
        walk(&mut material.unwrap_or_default(), &mut |object| {
            for (_, value) in
                object.iter().filter(|(key, value)| key.ends_with("Texture") && value.get("index").is_some())
            {
                let set = value.pointer("/extensions/KHR_texture_transform/texCoord").or(value.get("texCoord"));
                most = most.max(Some(index(set).unwrap_or(0)));
            }
        });
        for set in 0..most.map_or(0, |most| (most + 1).min(8)) {
            let key = format!("TEXCOORD_{set}");
            if !attributes.contains_key(&key) {
                let accessor = json!({ "componentType": FLOAT, "count": count, "type": "VEC2" });
                attributes.insert(key, push(&mut self.root, "accessors", accessor).into());
                self.notes
                    .add(format!("{name}: texture coordinates that its material asks for are missing: they are 0"));
            }
        }
        for target in list_mut(primitive, "targets") {
            let Some(target) = target.as_object_mut() else { continue };
            let before = target.len();
            target.retain(|key, value| {
                let same = index(Some(value)).and_then(|accessor| self.length(accessor)) == Some(count);
                same && (attributes.contains_key(key) || key.starts_with('_'))
            });
            if target.is_empty() {
                let accessor = json!({
                    "componentType": FLOAT, "count": count, "type": "VEC3", "min": [0.0, 0.0, 0.0], "max": [0.0, 0.0, 0.0],
                });
                target.insert("POSITION".to_owned(), push(&mut self.root, "accessors", accessor).into());
            }
            if target.len() < before {
                self.notes.add(format!("{name}: parts of morph targets that its vertices do not have are left out"));
            }
            for (key, accessor) in target.iter().filter_map(|(key, value)| Some((key, index(Some(value))?))) {
                let used = if key == "POSITION" { Use::Position } else { Use::Vertex };
                self.uses.entry(accessor).or_insert(used);
            }
        }
        primitive["attributes"] = attributes.into();
    }

    /// Joints no vertex has twice and that its skin has, weights that sum to 1.
    fn weights(&mut self, name: &str, attributes: &Map<String, Value>, count: usize, joints: Option<usize>) {
        let mut sets = Vec::new();
        for set in 0..8 {
            let accessor = |kind: &str| index(attributes.get(&format!("{kind}_{set}")));
            let (Some(joint), Some(weight)) = (accessor("JOINTS"), accessor("WEIGHTS")) else { break };
            if self.store.is_compressed(joint) || self.store.is_compressed(weight) {
                return;
            }
            let read = |store: &mut Store, accessor: usize| Some(store.read(accessor, "weights", &[4]).ok()?.values);
            let (Some(joints), Some(weights)) = (read(self.store, joint), read(self.store, weight)) else { return };
            sets.push((joint, weight, joints, weights));
        }
        if sets.is_empty() || sets.iter().any(|set| self.done.contains(&set.0) || self.done.contains(&set.1)) {
            return;
        }
        let most = joints.unwrap_or(usize::MAX).min(1 << 16) as f32;
        let mut is_changed = false;
        for vertex in 0..count {
            let rows = vertex * 4..vertex * 4 + 4;
            let pairs: Vec<(f32, f32)> = sets
                .iter()
                .flat_map(|set| set.2[rows.clone()].iter().copied().zip(set.3[rows.clone()].iter().copied()))
                .collect();
            let mut merged: Vec<(f32, f32)> = Vec::with_capacity(pairs.len());
            for &(joint, weight) in pairs.iter().filter(|(joint, weight)| *weight > 0.0 && *joint < most) {
                let weight = if weight.is_finite() { weight } else { 1.0 };
                match merged.iter_mut().find(|(other, _)| *other == joint) {
                    Some((_, sum)) => *sum += weight,
                    None => merged.push((joint, weight)),
                }
            }
            let sum: f32 = pairs.iter().map(|pair| pair.1).sum();
            let moving = pairs.iter().filter(|pair| pair.1 != 0.0).count();
            let is_sound = (sum - 1.0).abs() <= 2e-7 * moving as f32
                && merged.len() == moving
                && pairs.iter().all(|(joint, _)| *joint < most);
            if is_sound {
                continue;
            }
            is_changed = true;
            let largest = merged.iter().map(|pair| pair.1).fold(0.0, f32::max);
            let whole: f32 = merged.iter().map(|pair| pair.1 / largest).sum();
            merged.iter_mut().for_each(|pair| pair.1 = pair.1 / largest / whole);
            if merged.is_empty() {
                merged.push((0.0, 1.0));
            }
            let rest = 1.0 - merged.iter().map(|pair| pair.1).sum::<f32>();
            if let Some(most) = merged.iter_mut().max_by(|a, b| a.1.total_cmp(&b.1)) {
                most.1 += rest;
            }
            let mut merged = merged.into_iter().chain(std::iter::repeat((0.0, 0.0)));
            for set in &mut sets {
                for place in rows.clone() {
                    (set.2[place], set.3[place]) = merged.next().unwrap_or_default();
                }
            }
        }
        if is_changed {
            self.notes
                .add(format!("{name}: weights that did not sum to 1, and joints it does not have, were put right"));
            for (joint, weight, joints, weights) in sets {
                self.write(joint, Use::Vertex, UNSIGNED_SHORT, false, 4, &joints);
                self.write(weight, Use::Vertex, FLOAT, false, 4, &weights);
                self.done.extend([joint, weight]);
            }
        }
    }

    fn animations(&mut self) {
        for at in 0..self.count("animations") {
            let mut animation = self.root["animations"][at].take();
            if !animation.is_object() {
                animation = json!({});
            }
            let samplers = list(&animation, "samplers").to_vec();
            let channels = list(&animation, "channels").to_vec();
            let (mut kept, mut targets) = (Vec::new(), BTreeSet::new());
            for (number, channel) in channels.into_iter().enumerate() {
                let sampler = index(channel.get("sampler")).and_then(|sampler| samplers.get(sampler));
                let problem = match sampler {
                    None => Err("its sampler does not exist"),
                    Some(_) if !targets.insert(channel["target"].to_string()) => Err("another one moves the same"),
                    Some(sampler) => self.channel(&channel, sampler),
                };
                match problem {
                    Ok(()) => kept.push(channel),
                    Err(problem) => {
                        self.notes.add(format!("animation {at}, channel {number} is left out: {problem}"));
                    }
                }
            }
            animation["channels"] = kept.into();
            prune_samplers(&mut animation);
            self.root["animations"][at] = animation;
        }
    }

    /// What is wrong with a channel, if that cannot be put right.
    fn channel(&mut self, channel: &Value, sampler: &Value) -> Result<(), &'static str> {
        let accessors = self.count("accessors");
        let accessor = |key: &str| index(sampler.get(key)).filter(|&index| index < accessors);
        let (Some(input), Some(output)) = (accessor("input"), accessor("output")) else {
            return Err("its keys do not exist");
        };
        let target = channel.get("target").filter(|target| target.is_object()).ok_or("it moves nothing")?;
        let path = target.get("path").and_then(Value::as_str).ok_or("it moves nothing")?;
        let is_cubic = match sampler.get("interpolation").map(Value::as_str) {
            None | Some(Some("LINEAR" | "STEP")) => false,
            Some(Some("CUBICSPLINE")) => true,
            _ => return Err("its interpolation is unknown"),
        };
        let mut morphs = 0;
        if let Some(node) = target.get("node") {
            let node = index(Some(node))
                .and_then(|node| list(&self.root, "nodes").get(node))
                .ok_or("its node does not exist")?;
            let mesh = index(node.get("mesh")).map(|mesh| &self.root["meshes"][mesh]);
            morphs =
                mesh.and_then(|mesh| list(mesh, "primitives").first()).map_or(0, |first| list(first, "targets").len());
        }
        let (widths, used): (&[usize], _) = match path {
            "translation" | "scale" => (&[3], Use::Keys),
            "rotation" => (&[4], Use::Rotation { cubic: is_cubic }),
            "weights" if morphs > 0 => (&[1], Use::Keys),
            "weights" => return Err("its node has no morph targets"),
            "pointer" if target.pointer("/extensions/KHR_animation_pointer").is_some() => {
                self.uses.insert(input, Use::Times);
                self.uses.insert(output, Use::Keys);
                return Ok(());
            }
            _ => return Err("it moves something unknown"),
        };
        if self.store.is_compressed(input) || self.store.is_compressed(output) {
            return Ok(());
        }
        let times = self.store.read(input, "key times", &[1]).map_err(|_| "its times do not read")?.values;
        let values = self.store.read(output, "key values", widths).map_err(|_| "its values do not read")?;
        let parts = if is_cubic { 3 } else { 1 } * if path == "weights" { morphs } else { 1 };
        if times.is_empty() || times.len() * parts != values.len() || is_cubic && times.len() < 2 {
            return Err("it has not as many values as times");
        }
        if !values.values.iter().all(|value| value.is_finite()) {
            return Err("a key's value is not a number");
        }
        if !times.iter().all(|time| time.is_finite() && *time >= 0.0) {
            return Err("a key's time is before 0 or not a number");
        }
        if times.windows(2).any(|pair| pair[1] < pair[0]) {
            return Err("its times go backward");
        }
        let component = |accessor: usize| self.root["accessors"][accessor].get("componentType").and_then(Value::as_u64);
        if component(input) != Some(FLOAT) && self.done.insert(input) {
            self.write(input, Use::Times, FLOAT, false, 1, &times);
        }
        self.uses.insert(input, Use::Times);
        self.uses.insert(output, used);
        Ok(())
    }

    /// Every accessor: readable, lying as its use asks, with numbers that its use allows and the bounds of those.
    fn accessors(&mut self) {
        let mut users: BTreeMap<usize, BTreeSet<(bool, bool)>> = BTreeMap::new();
        let mut sharing: BTreeMap<usize, usize> = BTreeMap::new();
        for at in 0..self.document.accessors.len() {
            if let Some(view) = index(self.root["accessors"][at].get("bufferView")) {
                let used = self.uses.get(&at);
                let kind = (used == Some(&Use::Index), used.is_some_and(|used| used.is_vertex()));
                users.entry(view).or_default().insert(kind);
                *sharing.entry(view).or_default() += 1;
            }
        }
        for at in 0..self.document.accessors.len() {
            if self.done.contains(&at) || self.store.is_compressed(at) {
                continue;
            }
            let accessor = &self.root["accessors"][at];
            if accessor.get("bufferView").is_none() && accessor.get("sparse").is_none() && self.length(at) > Some(0) {
                // Zeros, or unpacked by an extension.
                continue;
            }
            let Ok(mut numbers) = self.store.read(at, "values", &[1, 2, 3, 4, 16]) else {
                let accessor = &mut self.root["accessors"][at];
                ["bufferView", "byteOffset", "sparse", "min", "max"].iter().for_each(|key| remove(accessor, key));
                if index(accessor.get("count")).is_none_or(|count| count == 0) {
                    accessor["count"] = 1.into();
                }
                self.notes.add(format!("accessor {at} cannot be read: its values are 0 now"));
                continue;
            };
            if numbers.values.is_empty() {
                self.root["accessors"][at]["count"] = 1.into();
                numbers.values.resize(numbers.width, 0.0);
            }
            let used = self.uses.get(&at).copied();
            let component = self.root["accessors"][at]["componentType"].as_u64().unwrap_or(FLOAT);
            let normalized = self.root["accessors"][at]["normalized"].as_bool().unwrap_or(false);
            let is_fixed = component == FLOAT && fix(used, numbers.width, &mut numbers.values);
            if is_fixed {
                self.notes.add(match used {
                    Some(Use::Normal) => "normals that were not of unit length were made so",
                    Some(Use::Tangent) => "tangents that were not of unit length were made so",
                    Some(Use::Color) => "colours beyond 0 to 1 were brought back",
                    Some(Use::Times) => "key times that stood twice were put one after the other",
                    Some(Use::Rotation { .. }) => "keys of rotations that were not of unit length were made so",
                    _ => "numbers that are none were made 0",
                });
            }
            let is_shared = |view: usize| {
                let kinds = users.get(&view).map_or(0, BTreeSet::len);
                kinds > 1 || sharing.get(&view) > Some(&1) && used.is_some_and(|used| used.is_vertex())
            };
            let lies_well = lies_well(&self.root, at, used, numbers.width, is_shared);
            if is_fixed || !lies_well {
                let values = match component {
                    // As they are: not all of them fit an f32.
                    UNSIGNED_INT => None,
                    _ => Some(numbers.values.as_slice()),
                };
                match (values, used) {
                    (None, Some(Use::Index)) => {
                        let Ok(indices) = self.store.read_indices(at) else { continue };
                        let bytes: Vec<u8> = indices.into_iter().flat_map(u32::to_le_bytes).collect();
                        self.lay(at, Use::Index, &bytes, None);
                    }
                    (_, used) => {
                        let used = used.unwrap_or(Use::Keys);
                        self.write(at, used, component, normalized, numbers.width, &numbers.values);
                    }
                }
            } else if let (Some(used), Some(view)) = (used, index(self.root["accessors"][at].get("bufferView"))) {
                let target = match used {
                    Use::Index => Some(ELEMENT_ARRAY_BUFFER),
                    used if used.is_vertex() => Some(ARRAY_BUFFER),
                    _ => None,
                };
                let view = &mut self.root["bufferViews"][view];
                if view.get("target").is_some_and(|given| given.as_u64() != target) {
                    remove(view, "target");
                }
            }
            self.bounds(at, used, component, normalized, &numbers.values, numbers.width);
        }
    }

    /// Views whose stride no accessor goes by any more, and what they are said to be for.
    fn strides(&mut self) {
        for view in list_mut(&mut self.root, "bufferViews") {
            let is_packed = MESHOPT.into_iter().any(|name| view.pointer(&format!("/extensions/{name}")).is_some());
            let Some(stride) = view.get("byteStride").filter(|_| !is_packed).map(|stride| index(Some(stride))) else {
                continue;
            };
            let length = index(view.get("byteLength")).unwrap_or(0);
            if stride.is_none_or(|stride| stride % 4 != 0 || !(4..=252.min(length)).contains(&stride)) {
                remove(view, "byteStride");
            } else if view.get("target").is_some_and(|target| target.as_u64() != Some(ARRAY_BUFFER)) {
                remove(view, "target");
            }
        }
    }

    /// Gives an accessor other numbers, in a view of their own.
    fn write(&mut self, at: usize, used: Use, component: u64, normalized: bool, width: usize, values: &[f32]) {
        let size = component_size(component) * width;
        // Vertices begin at multiples of four bytes.
        let stride = if used.is_vertex() { size.next_multiple_of(4) } else { size };
        let mut bytes = Vec::with_capacity(values.len() / width * stride);
        for row in values.chunks_exact(width) {
            let end = bytes.len() + stride;
            for &value in row {
                let value = if normalized { (value * largest(component)).round() } else { value };
                match component {
                    5120 => bytes.extend((value as i8).to_le_bytes()),
                    5121 => bytes.extend((value as u8).to_le_bytes()),
                    5122 => bytes.extend((value as i16).to_le_bytes()),
                    UNSIGNED_SHORT => bytes.extend((value as u16).to_le_bytes()),
                    UNSIGNED_INT => bytes.extend((value as u32).to_le_bytes()),
                    _ => bytes.extend(value.to_le_bytes()),
                }
            }
            bytes.resize(end, 0);
        }
        let accessor = &mut self.root["accessors"][at];
        accessor["componentType"] = component.into();
        accessor["count"] = (values.len() / width).into();
        if !normalized {
            remove(accessor, "normalized");
        }
        self.lay(at, used, &bytes, (stride != size).then_some(stride));
        self.bounds(at, Some(used), component, normalized, values, width);
    }

    fn lay(&mut self, at: usize, used: Use, bytes: &[u8], stride: Option<usize>) {
        let view = view(&mut self.root, &mut self.bytes, bytes);
        let value = &mut self.root["bufferViews"][view];
        if let Some(stride) = stride {
            value["byteStride"] = stride.into();
        }
        if used == Use::Index {
            value["target"] = ELEMENT_ARRAY_BUFFER.into();
        } else if used.is_vertex() {
            value["target"] = ARRAY_BUFFER.into();
        }
        let accessor = &mut self.root["accessors"][at];
        accessor["bufferView"] = view.into();
        ["byteOffset", "sparse"].iter().for_each(|key| remove(accessor, key));
    }

    /// Least and greatest values, where they are given or have to be.
    fn bounds(&mut self, at: usize, used: Option<Use>, component: u64, normalized: bool, values: &[f32], width: usize) {
        let accessor = &mut self.root["accessors"][at];
        let needs = matches!(used, Some(Use::Position | Use::Times));
        if !needs && accessor.get("min").is_none() && accessor.get("max").is_none() {
            return;
        }
        let raw = |value: f32| if normalized { (value * largest(component)).round() } else { value };
        let of = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
            (0..width)
                .map(|axis| {
                    values.iter().skip(axis).step_by(width).map(|&value| raw(value)).reduce(pick).unwrap_or(0.0)
                })
                .collect()
        };
        for (key, bound) in [("min", of(f32::min)), ("max", of(f32::max))] {
            let given: Option<Vec<f32>> = accessor.get(key).and_then(Value::as_array).map(|given| {
                given.iter().map(|number| number.as_f64().map_or(f32::NAN, |number| number as f32)).collect()
            });
            if given.as_ref() == Some(&bound) || given.is_none() && !needs {
                continue;
            }
            // Written exactly: a whole number as one.
            accessor[key] = match component {
                FLOAT => json!(bound),
                _ => json!(bound.iter().map(|&bound| bound as i64).collect::<Vec<_>>()),
            };
            if given.is_some() && !self.done.contains(&at) {
                self.notes.add("bounds of accessors that were not those of their values were made so");
            }
        }
    }

    /// Extensions that are used are listed, and those required are among them.
    fn extensions(&mut self) {
        let mut used = BTreeSet::new();
        walk(&mut self.root, &mut |object| {
            used.extend(
                object.get("extensions").and_then(Value::as_object).into_iter().flat_map(|all| all.keys().cloned()),
            );
        });
        for key in ["extensionsUsed", "extensionsRequired"] {
            let mut names: Vec<Value> = Vec::new();
            for name in list(&self.root, key).iter().filter(|name| name.is_string()) {
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
            if key == "extensionsUsed" {
                let required = list(&self.root, "extensionsRequired").iter().filter_map(Value::as_str);
                let all: Vec<Value> = used.iter().map(String::as_str).chain(required).map(Value::from).collect();
                for name in all {
                    if !names.contains(&name) {
                        self.notes.add(format!("the extension {name} was not listed as used"));
                        names.push(name);
                    }
                }
            }
            match names.is_empty() {
                true => remove(&mut self.root, key),
                false => self.root[key] = names.into(),
            }
        }
    }
}

/// Takes away the samplers that no channel of an animation needs.
pub(crate) fn prune_samplers(animation: &mut Value) {
    let samplers = list(animation, "samplers").to_vec();
    let mut kept = Vec::new();
    let mut places: BTreeMap<usize, usize> = BTreeMap::new();
    for channel in list_mut(animation, "channels") {
        let Some(old) = index(channel.get("sampler")).filter(|&old| old < samplers.len()) else { continue };
        let new = *places.entry(old).or_insert_with(|| {
            kept.push(samplers[old].clone());
            kept.len() - 1
        });
        channel["sampler"] = new.into();
    }
    animation["samplers"] = kept.into();
}

/// Puts numbers right; whether any had to be.
fn fix(used: Option<Use>, width: usize, values: &mut [f32]) -> bool {
    let mut is_changed = false;
    for value in values.iter_mut().filter(|value| !value.is_finite()) {
        *value = 0.0;
        is_changed = true;
    }
    let off = |vector: Vec3| (vector.length() - 1.0).abs() > UNIT;
    match used {
        Some(Use::Normal) if width == 3 => {
            for row in values.chunks_exact_mut(3).filter(|row| off(Vec3::from_slice(row))) {
                crate::math::unit(Vec3::from_slice(row)).unwrap_or(Vec3::Y).write_to_slice(row);
                is_changed = true;
            }
        }
        Some(Use::Tangent) if width == 4 => {
            for row in values.chunks_exact_mut(4) {
                if off(Vec3::from_slice(row)) {
                    crate::math::unit(Vec3::from_slice(row)).unwrap_or(Vec3::X).write_to_slice(row);
                    is_changed = true;
                }
                if row[3].abs() != 1.0 {
                    row[3] = if row[3] < 0.0 { -1.0 } else { 1.0 };
                    is_changed = true;
                }
            }
        }
        Some(Use::Color) => {
            for value in values.iter_mut().filter(|value| !(0.0..=1.0).contains(*value)) {
                *value = value.clamp(0.0, 1.0);
                is_changed = true;
            }
        }
        Some(Use::Times) => {
            for at in 1..values.len() {
                if values[at] <= values[at - 1] {
                    values[at] = values[at - 1].next_up();
                    is_changed = true;
                }
            }
        }
        Some(Use::Rotation { cubic }) if width == 4 => {
            for (at, row) in values.chunks_exact_mut(4).enumerate() {
                let given = Quat::from_slice(row);
                // Of the three values of a cubic key only the middle one is a rotation.
                if !(cubic && at % 3 != 1) && exact_unit(given) != given {
                    exact_unit(given).write_to_slice(row);
                    is_changed = true;
                }
            }
        }
        _ => {}
    }
    is_changed
}

/// Whether an accessor's bytes lie as its use asks: aligned, and apart only where vertices may be.
fn lies_well(root: &Value, at: usize, used: Option<Use>, width: usize, is_shared: impl Fn(usize) -> bool) -> bool {
    let accessor = &root["accessors"][at];
    let Some(at) = index(accessor.get("bufferView")) else { return true };
    let view = &root["bufferViews"][at];
    let size = component_size(accessor["componentType"].as_u64().unwrap_or(FLOAT));
    let offset = index(accessor.get("byteOffset")).unwrap_or(0);
    let whole = offset + index(view.get("byteOffset")).unwrap_or(0);
    let stride = index(view.get("byteStride"));
    let is_vertex = used.is_some_and(Use::is_vertex);
    let unit = if is_vertex || width == 16 { size.next_multiple_of(4) } else { size };
    offset.is_multiple_of(unit)
        && whole.is_multiple_of(unit)
        && match stride {
            Some(stride) => {
                (is_vertex || used.is_none())
                    && stride % 4 == 0
                    && (4..=252).contains(&stride)
                    && stride >= size * width
                    && index(view.get("byteLength")).is_some_and(|length| stride <= length)
            }
            None => (!is_vertex || (size * width).is_multiple_of(4)) && !is_shared(at),
        }
}

fn component_size(component: u64) -> usize {
    match component {
        5120 | 5121 => 1,
        5122 | UNSIGNED_SHORT => 2,
        _ => 4,
    }
}

/// What 1 is written as.
fn largest(component: u64) -> f32 {
    match component {
        5120 => 127.0,
        5121 => 255.0,
        5122 => 32767.0,
        UNSIGNED_SHORT => 65535.0,
        _ => 1.0,
    }
}

/// Brings a number, or all of a list, between 0 and 1; whether it was not.
fn clamp(value: &mut Value) -> bool {
    match value {
        Value::Array(list) => list.iter_mut().fold(false, |is_changed, value| clamp(value) | is_changed),
        value => match value.as_f64().filter(|number| !(0.0..=1.0).contains(number)) {
            Some(number) => {
                *value = number.clamp(0.0, 1.0).into();
                true
            }
            None => false,
        },
    }
}

/// Every object below a value, but for what is nobody's business (extras).
fn walk(value: &mut Value, visit: &mut impl FnMut(&mut Map<String, Value>)) {
    let mut stack = vec![value];
    while let Some(value) = stack.pop() {
        match value {
            Value::Array(list) => stack.extend(list),
            Value::Object(object) => {
                visit(object);
                stack.extend(object.iter_mut().filter(|(key, _)| *key != "extras").map(|(_, value)| value));
            }
            _ => {}
        }
    }
}

/// glTF wants no empty lists, nothing that is null, and names that are text; what is in extras and extensions is theirs.
fn tidy(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(tidy),
        Value::Object(object) => {
            object.retain(|key, value| {
                if key == "extras" || key == "extensions" && value.is_object() {
                    return true;
                }
                tidy(value);
                let is_odd = key == "extensions" || key == "name" && !value.is_string();
                !(is_odd || value.is_null() || value.as_array().is_some_and(Vec::is_empty))
            });
        }
        _ => {}
    }
}

/// The kind of an image, and the image itself as PNG where its own kind is none that a texture may have.
fn picture(bytes: &[u8], by_texture: bool) -> Result<(&'static str, Option<Vec<u8>>), String> {
    let reader =
        || image::ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|error| error.to_string());
    // Textures of an extension that only their own readers know.
    if bytes.starts_with(b"\xABKTX 20\xBB") && !by_texture {
        return Ok(("image/ktx2", None));
    }
    let format = reader()?.format();
    let mime = match format {
        Some(image::ImageFormat::Png) => Some("image/png"),
        Some(image::ImageFormat::Jpeg) => Some("image/jpeg"),
        Some(image::ImageFormat::WebP) if !by_texture => Some("image/webp"),
        _ => None,
    };
    if let Some(mime) = mime {
        reader()?.into_dimensions().map_err(|error| error.to_string())?;
        return Ok((mime, None));
    }
    let mut reader = reader()?;
    let mut limits = image::Limits::default();
    limits.max_image_width = Some(MOST_PIXELS_ACROSS);
    limits.max_image_height = Some(MOST_PIXELS_ACROSS);
    reader.limits(limits);
    let rgba = reader.decode().map_err(|error| error.to_string())?.into_rgba8();
    png(rgba.width(), rgba.height(), &rgba).map(|bytes| ("image/png", Some(bytes)))
}

fn png(width: u32, height: u32, rgba: &[u8]) -> Result<Vec<u8>, String> {
    let mut bytes = Cursor::new(Vec::new());
    let encoder = image::codecs::png::PngEncoder::new(&mut bytes);
    image::ImageEncoder::write_image(encoder, rgba, width, height, image::ExtendedColorType::Rgba8)
        .map_err(|error| error.to_string())?;
    Ok(bytes.into_inner())
}

/// One white texel.
fn white() -> Vec<u8> {
    png(1, 1, &[255; 4]).unwrap_or_default()
}
