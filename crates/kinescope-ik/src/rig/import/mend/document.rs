//! The document under repair, and helpers to read its JSON.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::rig::import::accessor::Store;
use crate::rig::import::container::Document;
use crate::rig::import::notes::Notes;

pub(crate) const FLOAT: u64 = 5126;
pub(super) const UNSIGNED_SHORT: u64 = 5123;
pub(super) const UNSIGNED_INT: u64 = 5125;
pub(super) const ARRAY_BUFFER: u64 = 34962;
pub(super) const ELEMENT_ARRAY_BUFFER: u64 = 34963;
/// The largest error in the length of normals and tangents that counts as rounding.
pub(super) const UNIT: f32 = 5e-3;
pub(super) const MOST_PIXELS_ACROSS: u32 = 8192;
pub(super) const MESHOPT: [&str; 3] = ["EXT_meshopt_compression", "KHR_meshopt_compression", "MESHOPT_compression"];

/// The use of an accessor, which determines its layout and the range of its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    Position,
    Normal,
    Tangent,
    Color,
    Vertex,
    Index,
    Bind,
    Times,
    /// Rotations. In a cubic track each has an in-tangent before it and an out-tangent after it.
    Rotation {
        cubic: bool,
    },
    Keys,
}

impl Use {
    pub(super) fn is_vertex(self) -> bool {
        matches!(self, Self::Position | Self::Normal | Self::Tangent | Self::Color | Self::Vertex)
    }
}

pub(super) struct Mend<'a, 's> {
    pub(super) document: &'s Document,
    pub(super) store: &'s mut Store<'a>,
    pub(super) root: Value,
    pub(super) bytes: Vec<u8>,
    pub(super) notes: Notes,
    pub(super) uses: BTreeMap<usize, Use>,
    /// Accessors that were written again.
    pub(super) done: BTreeSet<usize>,
}

pub(super) fn index(value: Option<&Value>) -> Option<usize> {
    value?.as_u64().and_then(|index| usize::try_from(index).ok())
}

pub(super) fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

pub(super) fn list_mut<'v>(value: &'v mut Value, key: &str) -> &'v mut [Value] {
    value.get_mut(key).and_then(Value::as_array_mut).map_or(&mut [], Vec::as_mut_slice)
}

pub(super) fn remove(value: &mut Value, key: &str) {
    if let Some(object) = value.as_object_mut() {
        object.remove(key);
    }
}

impl Mend<'_, '_> {
    pub(super) fn count(&self, key: &str) -> usize {
        list(&self.root, key).len()
    }

    /// Removes field `key` of `value`, with a note, unless it is a valid index into list `to`.
    pub(super) fn reference(&mut self, place: &str, value: &mut Value, key: &str, to: &str) {
        let count = self.count(to);
        if value.get(key).is_some_and(|value| index(Some(value)).is_none_or(|index| index >= count)) {
            remove(value, key);
            self.notes.add(format!("{place}: its {key} does not exist and is left out"));
        }
    }
}

/// Visits every object in a value, the value itself included, except in extras.
pub(super) fn walk(value: &mut Value, visit: &mut impl FnMut(&mut Map<String, Value>)) {
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
