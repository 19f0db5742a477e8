//! Repair of nodes, scenes and skins.

use std::collections::BTreeSet;

use glam::Quat;
use serde_json::{Value, json};

use super::document::{FLOAT, Mend, Use, index, list, list_mut, remove};
use crate::math::{affine, exact_unit};
use crate::rig::import::nodes::{SkinData, Tree};
use crate::rig::import::writing::{place, push};

impl Mend<'_, '_> {
    pub(super) fn nodes(&mut self, tree: &Tree) {
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
                let again = crate::rig::import::nodes::matrix(&tree.local[at]).to_cols_array();
                let size = matrix.iter().fold(1.0f32, |size, part| size.max(part.abs()));
                let same = again.iter().zip(matrix).all(|(a, b)| (*a as f32 - b).abs() <= size * 1e-4);
                if !rows || !same {
                    self.notes.add(format!("{name}: its matrix was replaced by translation, rotation and scale"));
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
                    self.notes.add("rotations of nodes without unit length were normalized");
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

    pub(super) fn scenes(&mut self, tree: &Tree) {
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
                self.notes.add(format!(
                    "scene {at}: listed nodes that do not exist, occur twice or have a parent are left out"
                ));
            }
        }
        let (scene, count) = (self.root.get("scene"), self.count("scenes"));
        if scene.is_some_and(|scene| index(Some(scene)).is_none_or(|scene| scene >= count)) {
            remove(&mut self.root, "scene");
            self.notes.add("the scene to display does not exist and is left out");
        }
    }

    pub(super) fn skins(&mut self, tree: &Tree, skins: &[SkinData]) {
        let root_of = |mut node: usize| {
            while let Some(parent) = tree.parent[node] {
                node = parent;
            }
            node
        };
        for (at, skin) in skins.iter().enumerate() {
            let roots: BTreeSet<usize> = skin.joints.iter().map(|&joint| root_of(joint)).collect();
            if roots.len() > 1 {
                // glTF requires a common root for the joints of a skin.
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
                    self.notes.add(format!("skin {at}: its joints have no common root: a node was added above them"));
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
            // Compared as floats, because readers treat −0 as 0: matrices that differ only in this are kept.
            if given.is_ok_and(|given| given.len() >= made.len() && given.iter().zip(&made).all(|(a, b)| a == b)) {
                self.uses.insert(accessor, Use::Bind);
            } else if self.done.insert(accessor) {
                self.write(accessor, Use::Bind, FLOAT, false, 16, &made);
                self.notes.add(format!(
                    "skin {at}: inverse bind matrices that were missing, singular or not affine were replaced"
                ));
            }
        }
    }
}
