//! Figures with joints, inverse bind matrices and vertices, in the variants that exporters write.

use std::path::Path;

use glam::{DMat4, DQuat, DVec3, EulerRot, Quat, Vec3};
use kinescope_ik::math::from_to_rotation;
use kinescope_ik::rig::Model;
use serde_json::{Value, json};

use super::figure::*;

#[derive(Clone)]
pub struct Skinned {
    /// The pose of the nodes, in scene space.
    pub rest: Figure,
    /// The pose of the inverse bind matrices, with the same bones.
    pub bind: Figure,
    /// The matrix of a node above all bones. The roots undo it, so that the figure keeps its place.
    pub wrap: Option<DMat4>,
    /// The transform from scene space to mesh space: units and axes of the inverse bind matrices.
    pub space: DMat4,
    /// Whether every bone has a rotation of its own.
    pub turned: bool,
    /// Whether every bone has a scale from 0.98 to 1.02, different along each axis.
    pub uneven: bool,
    /// Whether the inverse bind matrices ignore the joints' scale.
    pub rigid_bind: bool,
    /// Whether joints that move no vertex have the identity as their inverse bind matrix.
    pub blank: bool,
    pub unskinned: Vec<String>,
    /// The names of joints that move no vertex, besides those with `_end`, `IK`, `Pole` or `$` in their names.
    pub weightless: Vec<String>,
    /// The names of bones that are not joints: a mesh on the bone's own node replaces their part of the skin.
    pub meshes: Vec<String>,
    pub nameless: bool,
}

pub struct Made {
    pub file: Vec<u8>,
    pub model: Model,
    /// The extent of the skinned vertices along y in scene space, at rest and in the bind pose.
    pub heights: [f32; 2],
}

impl Skinned {
    pub fn new(rest: Figure) -> Self {
        Self {
            bind: rest.clone(),
            rest,
            wrap: None,
            space: DMat4::IDENTITY,
            turned: true,
            uneven: false,
            rigid_bind: false,
            blank: false,
            unskinned: vec!["root".to_owned()],
            weightless: Vec::new(),
            meshes: Vec::new(),
            nameless: false,
        }
    }

    /// Returns the matrices from bone space to scene space, and the local transforms that give them. With `rigid` the
    /// matrices lack the bones' own scales. Parents must precede their children ([`Self::sorted`]).
    pub fn matrices(&self, figure: &Figure, rigid: bool) -> (Vec<DMat4>, Vec<(DVec3, DQuat, DVec3)>) {
        let (mut global, mut local) = (Vec::<DMat4>::new(), Vec::new());
        let mut turns: Vec<DQuat> = Vec::new();
        let wrap = self.wrap.unwrap_or(DMat4::IDENTITY);
        let (scale, wrap_turn, _) = wrap.to_scale_rotation_translation();
        let main_child = |bone: usize| self.rest.bones.iter().position(|child| child.1 == Some(bone));
        for bone in 0..figure.bones.len() {
            let turn = if self.turned {
                DQuat::from_euler(EulerRot::XYZ, bone as f64 * 1.3, bone as f64 * 0.7, bone as f64 * 2.1)
            } else {
                DQuat::IDENTITY
            };
            let swing = main_child(bone).map_or(Quat::IDENTITY, |child| {
                let along = |of: &Figure| of.bones[child].2 - of.bones[bone].2;
                from_to_rotation(along(&self.rest), along(figure))
            });
            turns.push(swing.as_dquat() * turn);
            let (above, turn_above) = match figure.bones[bone].1 {
                Some(parent) => (global[parent], turns[parent]),
                None => (wrap, wrap_turn),
            };
            let place = figure.bones[bone].2.as_dvec3();
            let translation = above.inverse().transform_point3(place);
            let rotation = (turn_above.inverse() * turns[bone]).normalize();
            let wave = |phase: f64| 1.0 + 0.02 * (bone as f64 * 1.7 + phase).sin();
            let scales = if self.uneven { DVec3::new(wave(0.0), wave(2.0), wave(4.0)) } else { DVec3::ONE };
            local.push((translation, rotation, scales));
            global.push(if rigid {
                DMat4::from_scale_rotation_translation(scale, turns[bone], place)
            } else {
                above * DMat4::from_scale_rotation_translation(scales, rotation, translation)
            });
        }
        (global, local)
    }

    pub fn make(&self) -> Made {
        let skinned = self.sorted();
        skinned.make_sorted()
    }

    pub fn sorted(&self) -> Self {
        let mut made = self.clone();
        let mut order: Vec<usize> = Vec::new();
        while order.len() < self.rest.bones.len() {
            let next = (0..self.rest.bones.len()).filter(|bone| !order.contains(bone));
            let next = next.filter(|&bone| self.rest.bones[bone].1.is_none_or(|parent| order.contains(&parent)));
            let next: Vec<usize> = next.collect();
            assert!(!next.is_empty());
            order.extend(next);
        }
        for figure in [&mut made.rest, &mut made.bind] {
            let old = figure.bones.clone();
            let new_index = |bone: usize| order.iter().position(|&at| at == bone).unwrap();
            figure.bones =
                order.iter().map(|&bone| (old[bone].0.clone(), old[bone].1.map(new_index), old[bone].2)).collect();
        }
        made
    }

    fn make_sorted(&self) -> Made {
        let (global, local) = self.matrices(&self.rest, false);
        let (bound, _) = self.matrices(&self.bind, self.rigid_bind);
        let count = self.rest.bones.len();
        let name = |bone: usize| &self.rest.bones[bone].0;
        let is_mesh = |bone: usize| self.meshes.contains(name(bone));
        let joints: Vec<usize> =
            (0..count).filter(|&bone| !self.unskinned.contains(name(bone)) && !is_mesh(bone)).collect();
        let moves = |bone: usize| {
            !self.weightless.contains(name(bone))
                && !["_end", "IK", "Pole", "$"].iter().any(|mark| name(bone).contains(mark))
        };

        let mut nodes: Vec<Value> = (0..count)
            .map(|bone| {
                let (translation, rotation, scale) = local[bone];
                let children: Vec<usize> = (0..count).filter(|&child| self.rest.bones[child].1 == Some(bone)).collect();
                let mut node = json!({"name": name(bone), "translation": translation.as_vec3().to_array(),
                    "rotation": rotation.as_quat().to_array(), "scale": scale.as_vec3().to_array()});
                if !children.is_empty() {
                    node["children"] = json!(children);
                }
                if self.nameless {
                    node.as_object_mut().unwrap().remove("name");
                }
                node
            })
            .collect();
        let mut binary: Vec<u8> = Vec::new();
        let (mut views, mut accessors, mut meshes) = (Vec::new(), Vec::new(), Vec::new());
        let mut put = |bytes: Vec<u8>, count: usize, component: u32, kind: &str| {
            binary.resize(binary.len().next_multiple_of(4), 0);
            views.push(json!({"buffer": 0, "byteOffset": binary.len(), "byteLength": bytes.len()}));
            accessors
                .push(json!({"bufferView": views.len() - 1, "count": count, "componentType": component, "type": kind}));
            binary.extend(bytes);
            accessors.len() - 1
        };
        let floats = |values: &[f32]| -> Vec<u8> { values.iter().flat_map(|value| value.to_le_bytes()).collect() };

        // Six vertices around the joint, and one halfway to each child.
        let around = |bone: usize| -> Vec<DVec3> {
            let place = self.bind.bones[bone].2.as_dvec3();
            let size = f64::from(self.bind.extent()) * 0.02;
            let mut points: Vec<DVec3> = [DVec3::X, DVec3::Y, DVec3::Z]
                .into_iter()
                .flat_map(|axis| [axis, -axis])
                .map(|d| place + d * size)
                .collect();
            let children = self.bind.bones.iter().filter(|child| child.1 == Some(bone));
            points.extend(children.map(|child| place.lerp(child.2.as_dvec3(), 0.5)));
            points
        };
        let (mut positions, mut on, mut weights) = (Vec::new(), Vec::<u8>::new(), Vec::new());
        let mut ends = [[f32::INFINITY, f32::NEG_INFINITY]; 2];
        for (joint, &bone) in joints.iter().enumerate().filter(|&(_, &bone)| moves(bone)) {
            for point in around(bone) {
                positions.extend(self.space.transform_point3(point).as_vec3().to_array());
                on.extend([joint as u8, 0, 0, 0]);
                weights.extend([1.0f32, 0.0, 0.0, 0.0]);
                let at_rest = global[bone].transform_point3(bound[bone].inverse().transform_point3(point));
                for (ends, point) in ends.iter_mut().zip([at_rest, point]) {
                    *ends = [ends[0].min(point.y as f32), ends[1].max(point.y as f32)];
                }
            }
        }
        let vertices = weights.len() / 4;
        if !joints.is_empty() {
            let attributes = json!({
                "POSITION": put(floats(&positions), vertices, 5126, "VEC3"),
                "JOINTS_0": put(on, vertices, 5121, "VEC4"),
                "WEIGHTS_0": put(floats(&weights), vertices, 5126, "VEC4"),
            });
            let matrices: Vec<f32> = joints
                .iter()
                .flat_map(|&bone| {
                    let matrix = (self.space * bound[bone]).inverse().as_mat4();
                    if self.blank && !moves(bone) { glam::Mat4::IDENTITY } else { matrix }.to_cols_array()
                })
                .collect();
            let matrices = put(floats(&matrices), joints.len(), 5126, "MAT4");
            meshes.push(json!({"primitives": [{"attributes": attributes}]}));
            nodes.push(json!({"mesh": 0, "skin": 0}));
            nodes[0]["skip"] = json!(matrices);
        }
        for bone in (0..count).filter(|&bone| is_mesh(bone)) {
            let inverse = global[bone].inverse();
            let points: Vec<f32> =
                around(bone).into_iter().flat_map(|p| inverse.transform_point3(p).as_vec3().to_array()).collect();
            let accessor = put(floats(&points), points.len() / 3, 5126, "VEC3");
            nodes[bone]["mesh"] = json!(meshes.len());
            meshes.push(json!({"primitives": [{"attributes": {"POSITION": accessor}}]}));
        }
        let matrices = nodes[0].as_object_mut().unwrap().remove("skip");
        let mut roots: Vec<usize> = (0..count).filter(|&bone| self.rest.bones[bone].1.is_none()).collect();
        if let Some(wrap) = self.wrap {
            let (scale, rotation, translation) = wrap.to_scale_rotation_translation();
            nodes.push(json!({"children": roots, "translation": translation.as_vec3().to_array(),
                "rotation": rotation.as_quat().to_array(), "scale": scale.as_vec3().to_array()}));
            roots = vec![nodes.len() - 1];
        }
        if !joints.is_empty() {
            roots.push(count);
        }
        let mut file = json!({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": roots}], "nodes": nodes,
            "meshes": meshes, "accessors": accessors, "bufferViews": views, "buffers": [{"byteLength": binary.len()}]});
        if let Some(matrices) = matrices {
            file["skins"] = json!([{"joints": joints, "inverseBindMatrices": matrices}]);
        }
        let file = glb(&file, &binary);
        let model = import_bytes("made.glb", &file, Path::new("/nowhere")).unwrap();
        Made { file, model, heights: ends.map(|[low, high]| high - low) }
    }

    /// Returns the ground truth; for a nameless figure, with `node N` in place of each name.
    pub fn truth(&self, truth: &Value) -> Value {
        let sorted = self.sorted();
        let mut out = truth.clone();
        fn rename(value: &mut Value, figure: &Figure) {
            match value {
                Value::String(name) => *name = format!("node {}", figure.index(name)),
                Value::Array(list) => list.iter_mut().for_each(|value| rename(value, figure)),
                Value::Object(map) => map.values_mut().for_each(|value| rename(value, figure)),
                _ => {}
            }
        }
        if self.nameless {
            rename(&mut out, &sorted.rest);
        }
        out
    }
}

pub fn turned(x: f64, y: f64, z: f64) -> DQuat {
    DQuat::from_euler(EulerRot::XYZ, x.to_radians(), y.to_radians(), z.to_radians())
}

pub fn space(scale: f64, rotation: DQuat) -> DMat4 {
    DMat4::from_scale_rotation_translation(DVec3::splat(scale), rotation, DVec3::ZERO)
}

/// Returns [`Figure::step`] with the fingers moved along with the hands.
pub fn walking() -> Figure {
    let mut walk = Figure::step();
    for (side, x) in [("l", 1.0), ("r", -1.0)] {
        let hand = walk.bones[walk.index(&format!("hand_{side}"))].2;
        for finger in ["thumb", "index", "middle", "ring"] {
            let (name, end) = (format!("{finger}_{side}"), format!("{finger}_end_{side}"));
            let old = Figure::new().bones[Figure::new().index(&name)].2 - Vec3::new(0.71 * x, 1.44, 0.0);
            walk = walk.place(&name, (hand + old).to_array()).place(&end, (hand + old * 1.5).to_array());
        }
    }
    walk
}
