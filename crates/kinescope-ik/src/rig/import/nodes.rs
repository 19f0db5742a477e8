//! The node tree, the skins, and the selection of bones.

use glam::{DMat3, DMat4, DVec3, Mat4, Quat, Vec3};
use gltf_json as json;
use gltf_json::accessor::ComponentType;
use gltf_json::validation::Checked;
use serde_json::Value;

use super::super::pose::LocalTransform;
use super::super::skeleton::{Bone, BoneIndex, Skeleton};
use super::accessor::Store;
use super::container::Document;
use super::notes::{Notes, Outcome, UniqueNames};
use crate::error::Fault;

/// The largest position or scale of a model. At this size products of four lengths still fit into an f32.
const MOST_UNITS: f64 = 1e9;

/// The fewest animated nodes that count as a body of which the skins list only a part.
const LEAST_ANIMATED: usize = 12;

/// The node tree of a file: each node has at most one parent, and there are no cycles.
pub(super) struct Tree<'a> {
    pub nodes: &'a [json::Node],
    pub parent: Vec<Option<usize>>,
    pub local: Vec<LocalTransform>,
    pub global: Vec<DMat4>,
    /// Depth-first order, parents before children, siblings by index.
    pub order: Vec<usize>,
    /// True for nodes of the displayed scene; for all nodes if there is no scene, or if this scene lists no nodes.
    pub in_scene: Vec<bool>,
    /// True for nodes that a channel of an animation names.
    pub animated: Vec<bool>,
}

impl<'a> Tree<'a> {
    pub fn read(document: &'a Document, notes: &mut Notes) -> Outcome<Self> {
        let nodes = document.nodes.as_slice();
        let mut parent: Vec<Option<usize>> = vec![None; nodes.len()];
        for (index, node) in nodes.iter().enumerate() {
            for child in node.children.iter().flatten().map(json::Index::value) {
                let place = format!("node {index}");
                let Some(slot) = parent.get_mut(child) else {
                    let problem = format!("its child, node {child}, does not exist; export the file again");
                    return Err(Fault::new(place, problem));
                };
                match *slot {
                    Some(other) if other != index => {
                        let problem = format!("it has two parents, nodes {other} and {index}; export the file again");
                        return Err(Fault::new(format!("node {child}"), problem));
                    }
                    Some(_) => notes.add(format!("node {index} lists its child, node {child}, twice")),
                    None => *slot = Some(index),
                }
            }
        }

        let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
        for (index, &parent) in parent.iter().enumerate() {
            if let Some(parent) = parent {
                children[parent].push(index);
            }
        }
        let mut order = Vec::with_capacity(nodes.len());
        let mut stack: Vec<usize> = (0..nodes.len()).rev().filter(|&node| parent[node].is_none()).collect();
        while let Some(node) = stack.pop() {
            order.push(node);
            stack.extend(children[node].iter().rev());
        }
        if order.len() < nodes.len() {
            // Every node has at most one parent, so nodes that no root leads to are on a cycle or below one.
            let mut reached = vec![false; nodes.len()];
            order.iter().for_each(|&node| reached[node] = true);
            let mut node = reached.iter().position(|&reached| !reached).unwrap_or(0);
            for _ in 0..nodes.len() {
                node = parent[node].unwrap_or(node);
            }
            let problem = "it is its own ancestor; export the file again";
            return Err(Fault::new(format!("node {node}"), problem));
        }

        let mut local = Vec::with_capacity(nodes.len());
        for (index, node) in nodes.iter().enumerate() {
            local.push(local_transform(index, node, notes)?);
        }
        let mut global = vec![DMat4::IDENTITY; nodes.len()];
        for &node in &order {
            let above = parent[node].map_or(DMat4::IDENTITY, |parent| global[parent]);
            global[node] = above * matrix(&local[node]);
            let largest = global[node].to_cols_array().into_iter().map(f64::abs).fold(0.0, f64::max);
            // `largest` does not show a NaN, because `f64::max` drops it.
            if !global[node].is_finite() || largest > MOST_UNITS {
                let problem = "it lies further than 1e9 units away, or is scaled by more; apply the transforms of the \
                               nodes above and export the file again";
                return Err(Fault::new(format!("node {node}"), problem));
            }
        }
        Ok(Self {
            in_scene: in_scene(document, &order, &parent, notes),
            animated: animated(document),
            nodes,
            parent,
            local,
            global,
            order,
        })
    }
}

impl Tree<'_> {
    /// Returns the animated nodes above joints if the skins list only a part of an animated body, such as the head: if
    /// [`LEAST_ANIMATED`] or more animated nodes are at or below these nodes, and less than half of those are joints or
    /// below joints. Empty otherwise.
    fn animated_above(&self, is_joint: &[bool]) -> Vec<usize> {
        let (mut carries, mut is_below) = (is_joint.to_vec(), vec![false; self.nodes.len()]);
        for &node in self.order.iter().rev() {
            if let Some(parent) = self.parent[node] {
                carries[parent] |= carries[node];
            }
        }
        let above = |node: &usize| self.animated[*node] && carries[*node] && !is_joint[*node];
        let (mut animated, mut listed) = (0, 0);
        let mut under_joint = is_joint.to_vec();
        for &node in &self.order {
            under_joint[node] |= self.parent[node].is_some_and(|parent| under_joint[parent]);
            is_below[node] = above(&node) || self.parent[node].is_some_and(|parent| is_below[parent]);
            if is_below[node] && self.animated[node] {
                (animated, listed) = (animated + 1, listed + usize::from(under_joint[node]));
            }
        }
        if listed * 2 < animated && animated >= LEAST_ANIMATED {
            self.order.iter().copied().filter(above).collect()
        } else {
            Vec::new()
        }
    }
}

fn local_transform(index: usize, node: &json::Node, notes: &mut Notes) -> Outcome<LocalTransform> {
    let broken = |what: &str| {
        Fault::new(format!("node {index}"), format!("its {what} is not finite or too large; export the file again"))
    };
    let sane = |values: &[f32]| values.iter().all(|value| f64::from(value.abs()) <= MOST_UNITS);
    if let Some(columns) = node.matrix {
        if !sane(&columns) {
            return Err(broken("matrix"));
        }
        let matrix = DMat4::from_cols_array(&columns.map(f64::from));
        let (rotation, scale, sheared) = decompose(DMat3::from_mat4(matrix));
        if sheared {
            notes.add(format!("node {index} is sheared: the shear is left out"));
        }
        return Ok(LocalTransform { translation: matrix.w_axis.truncate().as_vec3(), rotation, scale });
    }
    let translation = node.translation.unwrap_or_default();
    let scale = node.scale.unwrap_or([1.0; 3]);
    let rotation = node.rotation.map_or([0.0, 0.0, 0.0, 1.0], |rotation| rotation.0);
    for (values, what) in [(&translation[..], "translation"), (&scale, "scale"), (&rotation, "rotation")] {
        if !sane(values) {
            return Err(broken(what));
        }
    }
    if scale.contains(&0.0) {
        notes.add(format!("node {index} is scaled by 0: everything attached to it is flat, a line or a point"));
    }
    let rotation = unit_quaternion(rotation).unwrap_or_else(|| {
        notes.add(format!("the rotation of node {index} has length 0: no rotation is applied"));
        Quat::IDENTITY
    });
    Ok(LocalTransform { translation: translation.into(), rotation, scale: scale.into() })
}

/// Returns true if a node without a matrix has a rotation whose length is at most 1e-9, usually four zeros.
pub(super) fn has_zero_rotation(node: &json::Node) -> bool {
    node.matrix.is_none() && node.rotation.is_some_and(|rotation| unit_quaternion(rotation.0).is_none())
}

/// Returns the unit quaternion of these numbers; `None` if their length is at most 1e-9 or not finite.
pub(super) fn unit_quaternion(xyzw: [f32; 4]) -> Option<Quat> {
    let q = glam::DQuat::from_array(xyzw.map(f64::from));
    let length = q.length();
    (length.is_finite() && length > 1e-9).then(|| {
        // A quaternion within 1e-7 of unit length is kept bit for bit.
        if (length - 1.0).abs() < 1e-7 { Quat::from_array(xyzw) } else { (q / length).as_quat().normalize() }
    })
}

pub(super) fn matrix(local: &LocalTransform) -> DMat4 {
    DMat4::from_scale_rotation_translation(
        local.scale.as_dvec3(),
        local.rotation.as_dquat().normalize(),
        local.translation.as_dvec3(),
    )
}

/// Returns rotation, scale, and whether the matrix is sheared: the cosine between two columns is more than 1e-3. A
/// mirroring matrix gets a negative scale along X.
fn decompose(linear: DMat3) -> (Quat, Vec3, bool) {
    let lengths = DVec3::new(linear.x_axis.length(), linear.y_axis.length(), linear.z_axis.length());
    let mirrored = linear.determinant() < 0.0;
    let scale = DVec3::new(if mirrored { -lengths.x } else { lengths.x }, lengths.y, lengths.z);
    let columns = [linear.x_axis * if mirrored { -1.0 } else { 1.0 }, linear.y_axis, linear.z_axis];
    let [x, y, z] = columns.map(|column| column.try_normalize());
    // A column without length gets a direction perpendicular to the others.
    let (x, y) = match (x, y, z) {
        (Some(x), Some(y), _) => (x, y),
        (Some(x), None, Some(z)) => (x, z.cross(x)),
        (None, Some(y), Some(z)) => (y.cross(z), y),
        (Some(x), None, None) => (x, x.any_orthonormal_vector()),
        (None, Some(y), None) => (y.any_orthonormal_vector(), y),
        (None, None, Some(z)) => (z.any_orthonormal_vector(), z.cross(z.any_orthonormal_vector())),
        (None, None, None) => (DVec3::X, DVec3::Y),
    };
    let dot = |a: Option<DVec3>, b: Option<DVec3>| a.zip(b).map_or(0.0, |(a, b)| a.dot(b).abs());
    let [cx, cy, cz] = columns.map(|column| column.try_normalize());
    let sheared = dot(cx, cy).max(dot(cy, cz)).max(dot(cz, cx)) > 1e-3;
    (orthonormal(x, y), scale.as_vec3(), sheared)
}

fn orthonormal(x: DVec3, y: DVec3) -> Quat {
    let x = x.try_normalize().unwrap_or(DVec3::X);
    let y = (y - x * x.dot(y)).try_normalize().unwrap_or_else(|| x.any_orthonormal_vector());
    glam::DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))).normalize().as_quat().normalize()
}

fn in_scene(document: &Document, order: &[usize], parent: &[Option<usize>], notes: &mut Notes) -> Vec<bool> {
    let scenes = document.array("scenes");
    let default = document.root.get("scene").and_then(Value::as_u64).and_then(|scene| usize::try_from(scene).ok());
    let scene = scenes.get(default.unwrap_or(0)).or_else(|| scenes.first());
    let roots = scene.and_then(|scene| scene.get("nodes")).and_then(Value::as_array);
    let Some(roots) = roots.filter(|roots| !roots.is_empty()) else { return vec![true; parent.len()] };
    let mut inside = vec![false; parent.len()];
    for root in roots {
        match root.as_u64().and_then(|root| inside.get_mut(usize::try_from(root).ok()?)) {
            Some(inside) => *inside = true,
            None => notes.add(format!("the scene lists a node {root} that does not exist")),
        }
    }
    for &node in order {
        inside[node] |= parent[node].is_some_and(|parent| inside[parent]);
    }
    inside
}

fn animated(document: &Document) -> Vec<bool> {
    let mut animated = vec![false; document.nodes.len()];
    for animation in document.array("animations") {
        for channel in animation.get("channels").and_then(Value::as_array).into_iter().flatten() {
            let node = channel.pointer("/target/node").and_then(Value::as_u64);
            if let Some(animated) = node.and_then(|node| animated.get_mut(usize::try_from(node).ok()?)) {
                *animated = true;
            }
        }
    }
    animated
}

pub(super) struct SkinData {
    pub joints: Vec<usize>,
    /// The matrices from mesh space to joint space, one per joint. An unusable matrix is replaced by the inverse of the
    /// joint's rest transform in the scene; by the identity if this transform has no inverse, or if the skin has no
    /// usable matrix at all.
    pub inverse_bind: Vec<Mat4>,
    /// False where the file has no usable matrix.
    pub is_known: Vec<bool>,
    /// True if a mesh of the skin has integer positions (KHR_mesh_quantization). The matrices then also hold the scale
    /// and offset that decode the positions, which no node has.
    pub is_quantized: bool,
}

pub(super) fn read_skins(
    document: &Document,
    tree: &Tree,
    store: &mut Store,
    notes: &mut Notes,
) -> Outcome<Vec<SkinData>> {
    let mut skins = Vec::with_capacity(document.skins.len());
    for (index, skin) in document.skins.iter().enumerate() {
        let joints: Vec<usize> = skin.joints.iter().map(json::Index::value).collect();
        if let Some(&joint) = joints.iter().find(|&&joint| joint >= tree.nodes.len()) {
            let problem = format!("one of its joints is node {joint}, which does not exist; export the file again");
            return Err(Fault::new(format!("skin {index}"), problem));
        }
        let accessor = skin.inverse_bind_matrices.map(|accessor| accessor.value());
        let unreadable = accessor.and_then(|accessor| store.unpack(accessor).err());
        let mut inverse_bind: Vec<Option<Mat4>> = Vec::new();
        match accessor {
            Some(accessor) if unreadable.is_none() => {
                let numbers = store.read(accessor, "inverse bind matrices", &[16])?;
                if numbers.len() < joints.len() {
                    notes.add(format!(
                        "skin {index} has {} joints but {} inverse bind matrices: the missing ones use the rest pose; if \
                         its meshes are distorted, export the file again",
                        joints.len(),
                        numbers.len()
                    ));
                }
                for row in numbers.rows().take(joints.len()) {
                    let matrix = DMat4::from_cols_slice(&std::array::from_fn::<f64, 16, _>(|at| f64::from(row[at])));
                    let inverse = matrix.inverse();
                    let usable = matrix.is_finite()
                        && inverse.is_finite()
                        && inverse.to_cols_array().iter().all(|value| value.abs() < MOST_UNITS);
                    if !usable {
                        notes.add(format!(
                            "skin {index} has inverse bind matrices without an inverse: the rest pose replaces them; if \
                             its meshes are distorted, export the file again"
                        ));
                    }
                    inverse_bind.push(usable.then(|| matrix.as_mat4()));
                }
            }
            Some(_) => {
                let problem = unreadable.unwrap_or_default();
                notes.add(format!(
                    "the inverse bind matrices of skin {index} cannot be read, so its meshes are used as they are; if they \
                     are distorted, export the file again without compression: {problem}"
                ));
            }
            None => notes.add(format!(
                "skin {index} has no inverse bind matrices: its meshes are used as they are; if they are distorted, \
                 export the file again with the bind pose"
            )),
        }
        inverse_bind.resize(joints.len(), None);
        // Without any matrices glTF specifies the identity; a single missing one can only be a mistake.
        let none = inverse_bind.iter().all(Option::is_none);
        let known: Vec<bool> = inverse_bind.iter().map(Option::is_some).collect();
        let made = joints.iter().zip(inverse_bind).map(|(&joint, matrix)| {
            matrix.unwrap_or_else(|| {
                let inverse = tree.global[joint].inverse();
                if none || !inverse.is_finite() { Mat4::IDENTITY } else { inverse.as_mat4() }
            })
        });
        let is_quantized = is_quantized(document, index);
        skins.push(SkinData { inverse_bind: made.collect(), joints, is_known: known, is_quantized });
    }
    Ok(skins)
}

fn is_quantized(document: &Document, skin: usize) -> bool {
    let users = document.nodes.iter().filter(|node| node.skin.is_some_and(|own| own.value() == skin));
    let meshes = users.filter_map(|node| document.array("meshes").get(node.mesh?.value()));
    let primitives = meshes.filter_map(|mesh| mesh.get("primitives")?.as_array()).flatten();
    let positions = primitives.filter_map(|primitive| primitive.pointer("/attributes/POSITION")?.as_u64());
    let accessors = positions.filter_map(|at| document.accessors.get(usize::try_from(at).ok()?));
    let is_integer = |accessor: &json::Accessor| match accessor.component_type {
        Checked::Valid(component) => component.0 != ComponentType::F32,
        Checked::Invalid => false,
    };
    accessors.into_iter().any(is_integer)
}

pub(super) struct Rig {
    pub skeleton: Skeleton,
    pub bone_of_node: Vec<Option<BoneIndex>>,
    pub node_of_bone: Vec<usize>,
    pub humanoid: Vec<(String, BoneIndex)>,
}

impl Rig {
    pub fn build(document: &Document, tree: &Tree, skins: &[SkinData], notes: &mut Notes) -> Outcome<Self> {
        let humanoid = humanoid(document, notes);
        let mut is_bone = vec![false; tree.nodes.len()];
        let mut is_joint = vec![false; tree.nodes.len()];
        skins.iter().flat_map(|skin| &skin.joints).for_each(|&joint| is_joint[joint] = true);
        humanoid.iter().for_each(|&(_, node)| is_bone[node] = true);
        let has_mesh = |node: usize| tree.nodes[node].mesh.is_some();
        let is_object = |node: usize| has_mesh(node) || tree.nodes[node].camera.is_some();
        if is_joint.contains(&true) {
            // Ends and sockets below joints move with them. Exporters omit joints without weights from skins.
            let mut below = is_joint.clone();
            tree.animated_above(&is_joint).into_iter().for_each(|node| below[node] = true);
            for &node in &tree.order {
                below[node] |= tree.parent[node].is_some_and(|parent| below[parent]);
                is_bone[node] |= is_joint[node] || below[node] && (!is_object(node) || tree.animated[node]);
            }
            // A hand or foot with its own mesh may be attached to the last joint of a limb: the skin does not list it,
            // but it is a bone.
            let place = |node: usize| tree.global[node].w_axis.truncate();
            let mut goes_on = vec![false; tree.nodes.len()];
            for node in (0..tree.nodes.len()).filter(|&node| is_bone[node]) {
                tree.parent[node].into_iter().for_each(|parent| goes_on[parent] = true);
            }
            let ends: Vec<usize> = (0..tree.nodes.len())
                .filter(|&node| has_mesh(node) && !is_bone[node] && tree.nodes[node].skin.is_none())
                .filter(|&node| {
                    let Some(joint) = tree.parent[node].filter(|&joint| is_joint[joint] && !goes_on[joint]) else {
                        return false;
                    };
                    let Some(above) = tree.parent[joint] else { return false };
                    let length = place(joint).distance(place(above));
                    length > 0.0 && (0.5..2.0).contains(&(place(node).distance(place(joint)) / length))
                })
                .collect();
            ends.into_iter().for_each(|node| is_bone[node] = true);
        } else {
            let mut child_count = vec![0usize; tree.nodes.len()];
            let mut mesh_leaves = vec![0usize; tree.nodes.len()];
            for node in 0..tree.nodes.len() {
                let Some(parent) = tree.parent[node] else { continue };
                child_count[parent] += 1;
                let is_leaf = tree.nodes[node].children.as_ref().is_none_or(Vec::is_empty);
                mesh_leaves[parent] += usize::from(is_leaf && has_mesh(node));
            }
            for &node in &tree.order {
                // A mesh at the end of a branch is part of a parent without a mesh if no other mesh at the end of a
                // branch has the same parent, or if the mesh is at the parent's origin. A mesh whose parent has a mesh,
                // as in a puppet, is a bone of its own.
                let is_part = has_mesh(node)
                    && child_count[node] == 0
                    && tree.parent[node].is_some_and(|parent| {
                        !has_mesh(parent) && (mesh_leaves[parent] == 1 || tree.local[node].translation == Vec3::ZERO)
                    });
                let is_camera = tree.nodes[node].camera.is_some() && child_count[node] == 0;
                is_bone[node] |= tree.in_scene[node] && (tree.animated[node] || !(is_part || is_camera));
            }
        }
        for &node in tree.order.iter().rev() {
            if let Some(parent) = tree.parent[node].filter(|_| is_bone[node]) {
                is_bone[parent] = true;
            }
        }

        let mut names = UniqueNames::default();
        let mut bone_of_node = vec![None; tree.nodes.len()];
        let (mut node_of_bone, mut bones) = (Vec::new(), Vec::new());
        for &node in tree.order.iter().filter(|&&node| is_bone[node]) {
            bone_of_node[node] = Some(bones.len());
            node_of_bone.push(node);
            bones.push(Bone {
                name: names.take(tree.nodes[node].name.as_deref(), "node", node),
                parent: tree.parent[node].and_then(|parent| bone_of_node[parent]),
                rest: tree.local[node],
            });
        }
        let skeleton = Skeleton::new(bones).map_err(|error| Fault::new("nodes", error.to_string()))?;
        let humanoid = humanoid.into_iter().filter_map(|(name, node)| Some((name, bone_of_node[node]?))).collect();
        Ok(Self { skeleton, bone_of_node, node_of_bone, humanoid })
    }
}

/// Returns the VRM humanoid map: VRM bone name → node. Empty if the file is neither a VRM nor a VRM animation.
fn humanoid(document: &Document, notes: &mut Notes) -> Vec<(String, usize)> {
    let extensions = document.root.get("extensions");
    let bones =
        |name: &str| extensions.and_then(|all| all.get(name)).and_then(|vrm| vrm.pointer("/humanoid/humanBones"));
    let mut found: Vec<(String, &Value)> = Vec::new();
    if let Some(Value::Object(map)) = bones("VRMC_vrm").or_else(|| bones("VRMC_vrm_animation")) {
        found.extend(map.iter().map(|(name, bone)| (name.clone(), bone)));
    } else if let Some(Value::Array(list)) = bones("VRM") {
        found.extend(list.iter().filter_map(|bone| Some((bone.get("bone")?.as_str()?.to_owned(), bone))));
    }
    let mut humanoid = Vec::with_capacity(found.len());
    for (name, bone) in found {
        let node = bone.get("node").and_then(Value::as_u64).and_then(|node| usize::try_from(node).ok());
        match node.filter(|&node| node < document.nodes.len()) {
            Some(node) => humanoid.push((name, node)),
            None => notes.add(format!("the VRM humanoid map names no existing node for {name:?}")),
        }
    }
    humanoid
}
