//! Meshes and skins: triangles by material, at most four joints per vertex, up to two sets of texture coordinates.

use std::collections::HashMap;

use glam::{DMat4, DVec3};
use serde_json::{Value, json};
use ufbx::{ElementType, Face, Mesh, Node, Scene, SkinDeformer, VertexVec2};

use super::scene::{Tree, cancelled};
use super::shapes::{Budget, Channel, MOST_NUMBERS, Morphs, Shapes};
use super::writer::{UNSIGNED_INT, UNSIGNED_SHORT, Writer, matrix};
use crate::error::Fault;
use crate::rig::import::notes::Outcome;
use crate::slices::report;

/// The largest number of joints of a skin: indices have 16 bits.
const MOST_JOINTS: usize = 1 << 16;
/// The largest number of joints that move a vertex. [`Mesh`](crate::rig::Mesh) has room for four.
const INFLUENCES: usize = 4;

#[derive(Default)]
struct Losses {
    hidden: Vec<String>,
    lower: Vec<String>,
    empty: Vec<String>,
    targets: usize,
    reduced: usize,
}

impl Losses {
    fn write(self, writer: &mut Writer) {
        let mut add = |meshes: &[String], kind: &str| {
            if let Some(first) = meshes.first() {
                writer.notes.add(format!("{kind} are left out, {} in all, such as {first:?}", meshes.len()));
            }
        };
        add(&self.hidden, "hidden meshes");
        add(&self.lower, "meshes of lower levels of detail");
        add(&self.empty, "meshes without triangles");
        if self.targets > 0 {
            writer.notes.add(format!(
                "blend shapes beyond {MOST_NUMBERS} numbers together are left out, {} in all",
                self.targets
            ));
        }
        if self.reduced > 0 {
            writer.notes.add(format!(
                "the weights of {} vertices were reduced to the {INFLUENCES} largest of each",
                self.reduced
            ));
        }
    }
}

/// Writes the meshes of the nodes, except hidden ones and lower levels of detail. `materials` has the material of the
/// document for each material of ufbx. Returns the nodes with morph targets. Pauses before each mesh.
pub(super) async fn write(
    scene: &Scene,
    tree: &Tree,
    materials: &[usize],
    writer: &mut Writer,
    progress: &mut dyn FnMut(f32) -> bool,
) -> Outcome<Vec<Morphs>> {
    // Instances without a skin and with the same materials share a mesh.
    let mut written: HashMap<(u32, Vec<usize>), Option<Written>> = HashMap::new();
    let (mut losses, mut budget, mut morphs) = (Losses::default(), Budget::new(), Vec::new());
    for (at, &id) in tree.order.iter().enumerate() {
        let node: &Node = &scene.nodes[id as usize];
        let Some(mesh) = node.mesh.as_ref() else { continue };
        if !report(progress, at as f32 / tree.order.len() as f32).await {
            return Err(cancelled());
        }
        let name = &*node.element.name;
        if !node.visible {
            losses.hidden.push(name.to_owned());
            continue;
        }
        if is_lower_detail(node) {
            losses.lower.push(name.to_owned());
            continue;
        }
        let skin = mesh.skin_deformers.as_ref().first().map(|skin| Skin::read(skin, mesh, node, at, tree));
        let skin = match skin {
            Some(Ok(skin)) => Some(skin),
            Some(Err(problem)) => {
                writer.notes.add(format!("the skin of {name:?} is left out: {problem}"));
                None
            }
            None => None,
        };
        let list = if node.materials.as_ref().is_empty() { mesh.materials.as_ref() } else { node.materials.as_ref() };
        let list: Vec<usize> =
            list.iter().filter_map(|one| materials.get(one.element.typed_id as usize)).copied().collect();
        let own = match skin {
            Some(skin) => {
                losses.reduced += skin.reduced;
                let own = write_mesh(mesh, &list, Some(&skin), &mut budget, &mut losses, writer)?;
                if own.is_some() {
                    let skin = skin.write(writer)?;
                    writer.root["nodes"][at]["skin"] = skin.into();
                }
                own
            }
            None => match written.get(&(mesh.element.typed_id, list.clone())) {
                Some(own) => own.clone(),
                None => {
                    let own = write_mesh(mesh, &list, None, &mut budget, &mut losses, writer)?;
                    written.insert((mesh.element.typed_id, list), own.clone());
                    own
                }
            },
        };
        match own {
            Some(own) => {
                writer.root["nodes"][at]["mesh"] = own.mesh.into();
                if !own.channels.is_empty() {
                    morphs.push(Morphs { node: at, channels: own.channels });
                }
            }
            None => losses.empty.push(name.to_owned()),
        }
    }
    losses.write(writer);
    Ok(morphs)
}

#[derive(Clone)]
struct Written {
    mesh: usize,
    channels: Vec<Channel>,
}

fn is_lower_detail(node: &Node) -> bool {
    let Some(parent) = node.parent.as_ref().filter(|parent| parent.attrib_type == ElementType::LodGroup) else {
        return false;
    };
    let first = parent.children.as_ref().first().map(|first| first.element.typed_id);
    first != Some(node.element.typed_id)
}

type Weights = ([u16; INFLUENCES], [f32; INFLUENCES]);

/// A skin. Vertices are written in scene space, as they were when the skin was bound, so that the inverse bind matrices
/// have the scene's axes and units.
struct Skin {
    scene_from_mesh: DMat4,
    /// The node and the inverse bind matrix of each joint.
    joints: Vec<(usize, DMat4)>,
    weights: Vec<Weights>,
    reduced: usize,
}

impl Skin {
    /// Reads a skin. `at` is the node of the mesh in the document.
    fn read(skin: &SkinDeformer, mesh: &Mesh, node: &Node, at: usize, tree: &Tree) -> Result<Self, String> {
        let mut joints = Vec::new();
        let mut joint_of_cluster = Vec::new();
        let mut scene_from_mesh = None;
        for cluster in &skin.clusters {
            let bone = cluster.bone_node.as_ref().and_then(|bone| tree.node[bone.element.typed_id as usize]);
            let bone_from_mesh = matrix(&cluster.geometry_to_bone);
            let is_sound = bone_from_mesh.is_finite() && bone_from_mesh.determinant() != 0.0;
            let Some(bone) = bone.filter(|_| is_sound) else {
                joint_of_cluster.push(None);
                continue;
            };
            let place = matrix(&cluster.bind_to_world) * bone_from_mesh;
            if scene_from_mesh.is_none() && place.is_finite() && place.determinant().abs() > 1e-12 {
                scene_from_mesh = Some(place);
            }
            joint_of_cluster.push(Some(joints.len()));
            joints.push((bone, bone_from_mesh));
        }
        if joints.is_empty() {
            return Err("none of its joints has a bone and a matrix".to_owned());
        }
        let scene_from_mesh = scene_from_mesh.unwrap_or(DMat4::IDENTITY);
        let mesh_from_scene = scene_from_mesh.inverse();
        joints.iter_mut().for_each(|(_, inverse)| *inverse *= mesh_from_scene);
        // Vertices without weights follow the mesh's own node.
        let (own, mut uses_own) = (joints.len(), false);
        let (mut weights, mut reduced) = (Vec::with_capacity(mesh.vertices.as_ref().len()), 0);
        let mut list: Vec<(usize, f64)> = Vec::new();
        for vertex in 0..mesh.vertices.as_ref().len() {
            list.clear();
            let part = skin.vertices.as_ref().get(vertex).and_then(|vertex| {
                let begin = vertex.weight_begin as usize;
                skin.weights.as_ref().get(begin..begin.checked_add(vertex.num_weights as usize)?)
            });
            for weight in part.unwrap_or_default() {
                let joint = joint_of_cluster.get(weight.cluster_index as usize).copied().flatten();
                if let Some(joint) = joint.filter(|_| weight.weight > 0.0 && weight.weight.is_finite()) {
                    list.push((joint, weight.weight));
                }
            }
            list.sort_by(|a, b| b.1.total_cmp(&a.1));
            reduced += usize::from(list.len() > INFLUENCES);
            list.truncate(INFLUENCES);
            let sum: f64 = list.iter().map(|(_, weight)| weight).sum();
            let (mut joints, mut shares) = ([0; INFLUENCES], [0.0; INFLUENCES]);
            if list.is_empty() || !sum.is_finite() {
                uses_own = true;
                (joints[0], shares[0]) = (own.min(MOST_JOINTS - 1) as u16, 1.0);
            } else {
                for (slot, (joint, weight)) in list.iter().enumerate() {
                    joints[slot] = (*joint).min(MOST_JOINTS - 1) as u16;
                    shares[slot] = (weight / sum) as f32;
                }
            }
            weights.push((joints, shares));
        }
        if uses_own {
            joints.push((at, matrix(&node.geometry_to_node) * mesh_from_scene));
        }
        if joints.len() > MOST_JOINTS {
            return Err(format!("it has {} joints; at most {MOST_JOINTS} are allowed", joints.len()));
        }
        Ok(Self { scene_from_mesh, joints, weights, reduced })
    }

    fn write(&self, writer: &mut Writer) -> Outcome<usize> {
        let numbers = self.joints.iter().flat_map(|(_, inverse)| {
            let mut numbers = inverse.as_mat4().to_cols_array();
            // glTF requires exactly 0, 0, 0, 1 in the last row, and the product may be off by a rounding.
            (numbers[3], numbers[7], numbers[11], numbers[15]) = (0.0, 0.0, 0.0, 1.0);
            numbers
        });
        let accessor = writer.floats("MAT4", self.joints.len(), numbers)?;
        let joints: Vec<usize> = self.joints.iter().map(|(joint, _)| *joint).collect();
        Ok(writer.push("skins", json!({ "joints": joints, "inverseBindMatrices": accessor })))
    }
}

/// A corner of a triangle. Corners that are equal in all bits share a vertex.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Corner {
    vertex: u32,
    normal: [u32; 3],
    uvs: [[u32; 2]; 2],
    color: [u32; 4],
}

#[derive(Default)]
struct Part {
    corners: Vec<Corner>,
    indices: Vec<u32>,
    index_of: HashMap<Corner, u32>,
}

impl Part {
    fn add(&mut self, corner: Corner) {
        let next = self.corners.len() as u32;
        let index = *self.index_of.entry(corner).or_insert(next);
        if index == next {
            self.corners.push(corner);
        }
        self.indices.push(index);
    }
}

fn write_mesh(
    mesh: &Mesh,
    materials: &[usize],
    skin: Option<&Skin>,
    budget: &mut Budget,
    losses: &mut Losses,
    writer: &mut Writer,
) -> Outcome<Option<Written>> {
    let name = &*mesh.element.name;
    let place = skin.map_or(DMat4::IDENTITY, |skin| skin.scene_from_mesh);
    let parts = parts(mesh, glam::DMat3::from_mat4(place).inverse().transpose());
    if parts.is_empty() {
        return Ok(None);
    }
    let mut shapes = Shapes::read(mesh);
    losses.targets += shapes.limit(budget.targets(parts.iter().map(|part| part.1.corners.len()).sum()));
    let mut primitives: Vec<Value> = Vec::new();
    for (index, part) in &parts {
        let mut primitive = write_part(mesh, part, place, skin, writer)?;
        if let Some(material) = materials.get(*index) {
            primitive["material"] = (*material).into();
        }
        if !shapes.channels.is_empty() {
            let corners: Vec<_> = part.corners.iter().map(|corner| (corner.vertex, corner.normal)).collect();
            primitive["targets"] = shapes.write(&corners, place, budget, writer)?.into();
        }
        primitives.push(primitive);
    }
    // ufbx names a mesh only if the file does.
    let name = if name.is_empty() {
        mesh.element.instances.as_ref().first().map_or("", |one| &*one.element.name)
    } else {
        name
    };
    let mut value = json!({ "name": name, "primitives": primitives });
    if !shapes.channels.is_empty() {
        value["weights"] = json!(shapes.weights());
        value["extras"] = json!({ "targetNames": shapes.names() });
    }
    Ok(Some(Written { mesh: writer.push("meshes", value), channels: shapes.channels }))
}

/// Returns the parts of a mesh that have triangles, each with the index of its material.
fn parts(mesh: &Mesh, normal_matrix: glam::DMat3) -> Vec<(usize, Part)> {
    let mut corners = vec![0; mesh.max_face_triangles.saturating_mul(3)];
    let mut parts = Vec::new();
    for part in &mesh.material_parts {
        let mut built = Part::default();
        for &face in &part.face_indices {
            let Some(&face) = mesh.faces.as_ref().get(face as usize) else { continue };
            for &corner in triangles(mesh, face, &mut corners) {
                built.add(read_corner(mesh, corner as usize, normal_matrix));
            }
        }
        if !built.indices.is_empty() {
            parts.push((part.index as usize, built));
        }
    }
    parts
}

fn triangles<'a>(mesh: &Mesh, face: Face, corners: &'a mut [u32]) -> &'a [u32] {
    match face.num_indices {
        0..=2 => &[],
        3 if corners.len() >= 3 => {
            (0..3).for_each(|corner| corners[corner as usize] = face.index_begin + corner);
            &corners[..3]
        }
        _ => {
            let count = ufbx::triangulate_face(corners, mesh, face) as usize;
            &corners[..(count * 3).min(corners.len())]
        }
    }
}

fn second_uv(mesh: &Mesh) -> Option<&VertexVec2> {
    mesh.uv_sets.as_ref().get(1).map(|set| &set.vertex_uv).filter(|set| set.exists)
}

fn read_corner(mesh: &Mesh, corner: usize, normal_matrix: glam::DMat3) -> Corner {
    let vertex = mesh.vertex_indices.as_ref().get(corner).copied().unwrap_or(0);
    let at = |indices: &[u32]| indices.get(corner).map(|&index| index as usize);
    let normal = at(mesh.vertex_normal.indices.as_ref()).and_then(|at| mesh.vertex_normal.values.as_ref().get(at));
    let normal = normal.map(|n| (normal_matrix * DVec3::new(n.x, n.y, n.z)).normalize_or_zero().as_vec3());
    // A missing normal is zero. `write_part` leaves out all normals of a part with such a vertex.
    let normal = normal.filter(|normal| normal.is_finite()).unwrap_or_default();
    let uv = |set: &VertexVec2| {
        let uv = at(set.indices.as_ref()).and_then(|at| set.values.as_ref().get(at));
        // FBX measures from the bottom of the image, glTF from the top.
        let uv = uv.map_or([0.0; 2], |uv| [uv.x as f32, (1.0 - uv.y) as f32]);
        uv.map(|part| if part.is_finite() { part.to_bits() } else { 0 })
    };
    let second = second_uv(mesh).map_or([0; 2], uv);
    let color = at(mesh.vertex_color.indices.as_ref()).and_then(|at| mesh.vertex_color.values.as_ref().get(at));
    let color = color.map_or([1.0; 4], |color| [color.x, color.y, color.z, color.w].map(|part| part as f32));
    let color = color.map(|part| if part.is_finite() { part.clamp(0.0, 1.0) } else { 1.0 });
    Corner {
        vertex,
        normal: normal.to_array().map(f32::to_bits),
        uvs: [uv(&mesh.vertex_uv), second],
        color: color.map(f32::to_bits),
    }
}

fn write_part(
    mesh: &Mesh,
    part: &Part,
    scene_from_mesh: DMat4,
    skin: Option<&Skin>,
    writer: &mut Writer,
) -> Outcome<Value> {
    let broken = |vertex: u32| {
        let place = format!("mesh {:?}, vertex {vertex}", &*mesh.element.name);
        Fault::new(place, "its position is not finite; export the file again")
    };
    let mut positions = Vec::with_capacity(part.corners.len());
    for corner in &part.corners {
        let position =
            mesh.vertices.as_ref().get(corner.vertex as usize).map_or(DVec3::ZERO, |v| DVec3::new(v.x, v.y, v.z));
        let position = scene_from_mesh.transform_point3(position).as_vec3();
        if !position.is_finite() {
            return Err(broken(corner.vertex));
        }
        positions.push(position);
    }
    let first = positions.first().copied().unwrap_or_default();
    let (low, high) = positions.iter().fold((first, first), |(low, high), at| (low.min(*at), high.max(*at)));
    let count = positions.len();
    let accessor = writer.floats("VEC3", count, positions.iter().flat_map(|at| at.to_array()))?;
    writer.bounds(accessor, &low.to_array(), &high.to_array());
    let mut attributes = json!({ "POSITION": accessor });
    let has_normals = part.corners.iter().all(|corner| corner.normal.iter().any(|&bits| f32::from_bits(bits) != 0.0));
    if mesh.vertex_normal.exists && has_normals {
        let normals = part.corners.iter().flat_map(|corner| corner.normal.map(f32::from_bits));
        attributes["NORMAL"] = writer.floats("VEC3", count, normals)?.into();
    }
    if mesh.vertex_uv.exists {
        let uvs = |set: usize| part.corners.iter().flat_map(move |corner| corner.uvs[set].map(f32::from_bits));
        attributes["TEXCOORD_0"] = writer.floats("VEC2", count, uvs(0))?.into();
        if second_uv(mesh).is_some() {
            attributes["TEXCOORD_1"] = writer.floats("VEC2", count, uvs(1))?.into();
        }
    }
    if mesh.vertex_color.exists {
        let colors = part.corners.iter().flat_map(|corner| corner.color.map(f32::from_bits));
        attributes["COLOR_0"] = writer.floats("VEC4", count, colors)?.into();
    }
    if let Some(skin) = skin {
        let none = ([0; INFLUENCES], [1.0, 0.0, 0.0, 0.0]);
        let of = |corner: &Corner| skin.weights.get(corner.vertex as usize).copied().unwrap_or(none);
        let joints = part.corners.iter().flat_map(|corner| of(corner).0).flat_map(u16::to_le_bytes);
        attributes["JOINTS_0"] = writer.accessor(UNSIGNED_SHORT, "VEC4", count, joints)?.into();
        let weights = part.corners.iter().flat_map(|corner| of(corner).1);
        attributes["WEIGHTS_0"] = writer.floats("VEC4", count, weights)?.into();
    }
    let indices = part.indices.iter().flat_map(|index| index.to_le_bytes());
    let indices = writer.accessor(UNSIGNED_INT, "SCALAR", part.indices.len(), indices)?;
    Ok(json!({ "attributes": attributes, "indices": indices }))
}
