//! Repair of the document as a whole: its lists, buffers and extensions.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::document::{MESHOPT, Mend, index, list, remove, walk};

impl Mend<'_, '_> {
    pub(super) fn lists(&mut self) {
        let Some(root) = self.root.as_object_mut() else { return };
        for key in ["scenes", "meshes", "materials", "textures", "images", "samplers", "cameras", "animations"] {
            if root.get(key).is_some_and(|list| !list.is_array()) {
                root.remove(key);
                self.notes.add(format!("{key} are not a list and are left out"));
            }
        }
    }

    /// Merges all readable buffers into one and updates the views. The extension of a compressed view then refers to
    /// that buffer, the view itself to a buffer without bytes, which states the size of the unpacked data.
    pub(super) fn buffers(&mut self) {
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
        // Broken views are replaced by views of the buffer's first four bytes, which must exist.
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
                    self.notes.add(format!("the data of buffer view {at} cannot be read and is left out"));
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

    pub(super) fn extensions(&mut self) {
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
                        self.notes.add(format!("the extension {name} was used but not listed: it is listed now"));
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
