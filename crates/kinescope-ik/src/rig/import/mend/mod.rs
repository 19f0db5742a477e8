//! Makes of a file's document one that is valid: all in one buffer, nothing beside it, and what readers refuse put right.
//!
//! What is valid stays as it is. What is not is changed as little as will do, and told: numbers a hair off (quaternions,
//! normals, weights, inverse bind matrices, bounds) are made exact, data that is badly laid out is laid out anew, and
//! what makes no sense is left out.

mod accessors;
mod animations;
mod looks;
mod meshes;
mod tree;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

pub(super) use animations::prune_samplers;

use super::accessor::Store;
use super::container::Document;
use super::nodes::{SkinData, Tree};
use super::{Notes, Outcome};
use crate::error::Fault;

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
