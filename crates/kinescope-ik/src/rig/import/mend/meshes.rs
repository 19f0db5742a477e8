//! Repair of meshes: their primitives, attributes and weights.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::document::{FLOAT, Mend, UNSIGNED_SHORT, Use, index, list, list_mut, remove, walk};
use crate::rig::import::accessor::Store;
use crate::rig::import::nodes::SkinData;
use crate::rig::import::writing::push;

impl Mend<'_, '_> {
    pub(super) fn meshes(&mut self, skins: &[SkinData]) {
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
                self.notes.add(format!("mesh {at}: morph targets that some of its primitives lack are left out"));
                for primitive in list_mut(&mut mesh, "primitives") {
                    if let Some(targets) = primitive.get_mut("targets").and_then(Value::as_array_mut) {
                        targets.truncate(fewest);
                    }
                }
            }
            if mesh.get("weights").is_some_and(|weights| weights.as_array().map(Vec::len) != Some(fewest)) {
                remove(&mut mesh, "weights");
                self.notes.add(format!(
                    "mesh {at}: the numbers of weights and morph targets differ: the weights are left out"
                ));
            }
            self.root["meshes"][at] = mesh;
            for (node, value) in list_mut(&mut self.root, "nodes").iter_mut().enumerate() {
                let wrong = |weights: &Value| weights.as_array().map(Vec::len) != Some(fewest);
                if index(value.get("mesh")) == Some(at) && value.get("weights").is_some_and(wrong) {
                    remove(value, "weights");
                    self.notes.add(format!(
                        "node {node}: the numbers of weights and morph targets differ: the weights are left out"
                    ));
                }
            }
        }
    }

    pub(super) fn length(&self, accessor: usize) -> Option<usize> {
        index(list(&self.root, "accessors").get(accessor)?.get("count"))
    }

    pub(super) fn primitive(&mut self, name: &str, primitive: &mut Value, joints: Option<usize>) {
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
            self.notes.add(format!(
                "{name}: attributes that are unknown, incomplete, or differ in number from the vertices are left out"
            ));
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
        // Lenient readers take texture coordinates that a primitive lacks as zero, so zeros are added.
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
                self.notes.add(format!(
                    "{name}: missing texture coordinates up to the last set that its material uses are set to 0"
                ));
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
                self.notes.add(format!(
                    "{name}: attributes of morph targets that the vertices lack, or that differ from them in number, are \
                     left out"
                ));
            }
            for (key, accessor) in target.iter().filter_map(|(key, value)| Some((key, index(Some(value))?))) {
                let used = if key == "POSITION" { Use::Position } else { Use::Vertex };
                self.uses.entry(accessor).or_insert(used);
            }
        }
        primitive["attributes"] = attributes.into();
    }

    /// Repairs joints and weights: no joint twice per vertex, only joints of the skin, weights that sum to 1. Leaves
    /// them as they are if they are compressed, cannot be read or were written again before.
    pub(super) fn weights(&mut self, name: &str, attributes: &Map<String, Value>, count: usize, joints: Option<usize>) {
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
                .add(format!("{name}: weights that did not sum to 1, and joints that the skin lacks, were corrected"));
            for (joint, weight, joints, weights) in sets {
                self.write(joint, Use::Vertex, UNSIGNED_SHORT, false, 4, &joints);
                self.write(weight, Use::Vertex, FLOAT, false, 4, &weights);
                self.done.extend([joint, weight]);
            }
        }
    }
}
