//! Meshes: skinned ones, and rigid parts, usually attached to a bone.

use glam::{DMat4, Mat4, Vec2, Vec3, Vec4};
use gltf_json as json;
use gltf_json::mesh::Mode;
use gltf_json::validation::Checked;
use serde::Deserialize;
use serde_json::Value;

use super::super::model::{Joint, Mesh, Morph};
use super::accessor::{Numbers, Store};
use super::attributes::Attributes;
use super::container::Document;
use super::materials::{Map, Maps};
use super::morphs;
use super::nodes::{Rig, SkinData, Tree, matrix};
use super::notes::{Notes, Outcome, one_line};
use crate::error::Fault;
use crate::math::unit;
use crate::slices::pause;

/// The largest plausible coordinate of a vertex. Larger values are damage.
const MOST_UNITS: f32 = 1e12;

#[derive(Default)]
pub(super) struct Geometry {
    pub meshes: Vec<Mesh>,
    pub morphs: Vec<Morph>,
    pub morph_of_node: Vec<Option<usize>>,
}

pub(super) struct Context<'c, 'd> {
    pub document: &'c Document,
    pub tree: &'c Tree<'d>,
    pub skins: &'c [SkinData],
    pub rig: &'c Rig,
    pub maps: &'c [Maps],
}

pub(super) async fn read(
    Context { document, tree, skins, rig, maps }: Context<'_, '_>,
    store: &mut Store<'_>,
    notes: &mut Notes,
    progress: &mut dyn FnMut(f32),
) -> Outcome<Geometry> {
    let mut out = Geometry { morph_of_node: vec![None; tree.nodes.len()], ..Geometry::default() };
    let meshes = document.array("meshes");
    for (done, &node) in tree.order.iter().enumerate() {
        let Some(mesh) = tree.nodes[node].mesh.map(|mesh| mesh.value()) else { continue };
        if !tree.in_scene[node] {
            continue;
        }
        let Some(file_mesh) = meshes.get(mesh) else {
            return Err(Fault::new(
                format!("node {node}"),
                format!("its mesh {mesh} does not exist; export the file again"),
            ));
        };
        let joints = joints_of(node, tree, skins, rig)?;
        let name = file_mesh.get("name").and_then(Value::as_str).or(tree.nodes[node].name.as_deref());
        let name = name.map_or_else(|| format!("mesh {mesh}"), one_line);
        let morph = morphs::morph(file_mesh, document.array("nodes").get(node), &name);
        let morph = morph.map(|morph| {
            out.morphs.push(morph);
            out.morphs.len() - 1
        });
        out.morph_of_node[node] = morph;
        let primitives = file_mesh.get("primitives").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        for (number, primitive) in primitives.iter().enumerate() {
            progress((done as f32 + number as f32 / primitives.len() as f32) / tree.order.len() as f32);
            pause().await;
            let place = format!("mesh {mesh}, primitive {number}");
            let skin_joints = tree.nodes[node].skin.map_or(0, |_| joints.len());
            // The joints are copied into every primitive, so their numbers count.
            store.spend(joints.len() * 16, &place)?;
            if let Some(mut made) = read_primitive(primitive, &place, skin_joints, maps, store, notes)? {
                made.name.clone_from(&name);
                made.joints.clone_from(&joints);
                made.material = made.material.filter(|&material| material < document.array("materials").len());
                made.morph = morph.filter(|_| !made.targets.is_empty());
                out.meshes.push(made);
            }
        }
    }
    Ok(out)
}

/// Returns the joints of a node's mesh: those of its skin or, without any, one for the bone to which the node is
/// attached. That bone is `None` if neither the node nor a node above it is a bone.
fn joints_of(node: usize, tree: &Tree, skins: &[SkinData], rig: &Rig) -> Outcome<Vec<Joint>> {
    if let Some(skin) = tree.nodes[node].skin.map(|skin| skin.value()) {
        let Some(skin) = skins.get(skin) else {
            return Err(Fault::new(
                format!("node {node}"),
                format!("its skin {skin} does not exist; export the file again"),
            ));
        };
        if !skin.joints.is_empty() {
            let joint = |(&joint, &bone_from_mesh)| Joint { bone: rig.bone_of_node[joint], bone_from_mesh };
            return Ok(skin.joints.iter().zip(&skin.inverse_bind).map(joint).collect());
        }
    }
    // A product of local matrices, not the inverse of the bone's matrix: a bone with scale 0 has none.
    let (mut bone_from_mesh, mut at) = (DMat4::IDENTITY, Some(node));
    while let Some(node) = at.filter(|&node| rig.bone_of_node[node].is_none()) {
        bone_from_mesh = matrix(&tree.local[node]) * bone_from_mesh;
        at = tree.parent[node];
    }
    let bone_from_mesh: Mat4 = bone_from_mesh.as_mat4();
    Ok(vec![Joint { bone: at.and_then(|node| rig.bone_of_node[node]), bone_from_mesh }])
}

/// Returns a primitive as a mesh; the caller sets name, joints and morph. `None`, with a note, if it cannot be drawn.
fn read_primitive(
    value: &Value,
    place: &str,
    joint_count: usize,
    maps: &[Maps],
    store: &mut Store,
    notes: &mut Notes,
) -> Outcome<Option<Mesh>> {
    let primitive = match json::mesh::Primitive::deserialize(value) {
        Ok(primitive) => primitive,
        Err(error) => return Err(Fault::new(place, format!("{error}; the file is damaged, export it again"))),
    };
    let attributes = match Attributes::new(value, store) {
        Ok(attributes) => attributes,
        Err(problem) => {
            notes.add(format!("{place} is left out: {problem}. Export the file again without compression"));
            return Ok(None);
        }
    };
    let Some(position) = attributes.accessor("POSITION") else {
        notes.add(format!("{place} has no positions: it is left out"));
        return Ok(None);
    };
    let Checked::Valid(mode) = primitive.mode else {
        notes.add(format!("{place} is of an unknown kind: it is left out"));
        return Ok(None);
    };
    if !matches!(mode, Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan) {
        notes.add("meshes of points or lines are left out");
        return Ok(None);
    }

    let numbers = attributes.read("POSITION", "positions", &[3], store)?;
    let positions: Vec<Vec3> = numbers.iter().flat_map(Numbers::rows).map(Vec3::from_slice).collect();
    if let Some(vertex) = positions.iter().position(|p| p.is_nan() || p.abs().max_element() >= MOST_UNITS) {
        let problem = format!("the position of vertex {vertex} is not finite or too large; export the file again");
        return Err(Fault::new(format!("accessor {position}"), problem));
    }
    let corners = match attributes.indices(store)? {
        Some((indices, source)) => {
            if let Some(index) = indices.iter().find(|&&index| index as usize >= positions.len()) {
                let problem =
                    format!("index {index} is beyond the last of {} vertices; export the file again", positions.len());
                return Err(Fault::new(source, problem));
            }
            indices
        }
        None => (0..positions.len() as u32).collect(),
    };
    store.spend(corners.len() * 3, place)?;
    let indices = triangles(mode, &corners);
    let (vertex_joints, vertex_weights) = skinning(&attributes, &positions, joint_count, store, notes)?;
    let numbers = attributes.read("NORMAL", "normals", &[3], store)?;
    let normals = numbers.iter().flat_map(Numbers::rows).map(|row| unit(Vec3::from_slice(row))).collect();
    let material = primitive.material.map(|material| material.value());
    let maps = material.and_then(|material| maps.get(material)).copied().unwrap_or_default();
    let uvs = coordinates(&attributes, maps.base, positions.len(), store)?;
    let emissive_uvs = match maps.emissive == maps.base {
        true => Vec::new(),
        false => coordinates(&attributes, maps.emissive, positions.len(), store)?,
    };
    Ok(Some(Mesh {
        name: String::new(),
        material,
        joints: Vec::new(),
        normals: complete_normals(normals, &positions, &indices),
        uvs,
        emissive_uvs,
        colors: colors(&attributes, positions.len(), store)?,
        morph: None,
        targets: morphs::targets(value, positions.len(), store, notes)?,
        positions,
        vertex_joints,
        vertex_weights,
        indices,
    }))
}

/// Returns the texture coordinates of a texture, one per vertex; zeros if the primitive lacks the set.
fn coordinates(attributes: &Attributes, map: Map, count: usize, store: &mut Store) -> Outcome<Vec<Vec2>> {
    let numbers = attributes.read(&format!("TEXCOORD_{}", map.set), "texture coordinates", &[2], store)?;
    let rows = numbers.iter().flat_map(Numbers::rows);
    let mut uvs: Vec<Vec2> = rows.map(|row| map.transform.transform_point2(Vec2::from_slice(row))).collect();
    uvs.iter_mut().filter(|uv| !uv.is_finite()).for_each(|uv| *uv = Vec2::ZERO);
    uvs.resize(count, Vec2::ZERO);
    Ok(uvs)
}

fn colors(attributes: &Attributes, count: usize, store: &mut Store) -> Outcome<Vec<Vec4>> {
    let Some(numbers) = attributes.read("COLOR_0", "vertex colours", &[3, 4], store)? else { return Ok(Vec::new()) };
    let part = |row: &[f32], at: usize| row.get(at).map_or(1.0, |part| part.clamp(0.0, 1.0));
    let color = |row: &[f32]| Vec4::from_array([0, 1, 2, 3].map(|at| part(row, at)));
    let mut colors: Vec<Vec4> = numbers.rows().map(color).collect();
    // `clamp` keeps a NaN.
    colors.iter_mut().filter(|color| color.is_nan()).for_each(|color| *color = Vec4::ONE);
    colors.resize(count, Vec4::ONE);
    Ok(colors)
}

/// Returns the corners of the triangles of a list, strip or fan, with consistent winding.
fn triangles(mode: Mode, corners: &[u32]) -> Vec<u32> {
    match mode {
        Mode::TriangleStrip => corners
            .windows(3)
            .enumerate()
            .flat_map(|(at, c)| if at % 2 == 0 { [c[0], c[1], c[2]] } else { [c[1], c[0], c[2]] })
            .collect(),
        Mode::TriangleFan => match corners.split_first() {
            Some((&hub, rim)) => rim.windows(2).flat_map(|c| [hub, c[0], c[1]]).collect(),
            None => Vec::new(),
        },
        _ => corners[..corners.len() / 3 * 3].to_vec(),
    }
}

type Skinning = (Vec<[u16; 4]>, Vec<[f32; 4]>);

/// Returns the four strongest joints of every vertex and their weights, which sum to 1. Without a skin, and for
/// vertices without weights, joint 0 has all weight.
fn skinning(
    attributes: &Attributes,
    positions: &[Vec3],
    joint_count: usize,
    store: &mut Store,
    notes: &mut Notes,
) -> Outcome<Skinning> {
    let count = positions.len();
    let mut vertex_joints = vec![[0u16; 4]; count];
    let mut vertex_weights = vec![[1.0f32, 0.0, 0.0, 0.0]; count];
    if joint_count == 0 {
        return Ok((vertex_joints, vertex_weights));
    }
    let mut sets = Vec::new();
    for set in 0..8 {
        let name = |kind: &str| format!("{kind}_{set}");
        let joints = attributes.read(&name("JOINTS"), "joints", &[4], store)?;
        let weights = attributes.read(&name("WEIGHTS"), "weights", &[4], store)?;
        let (Some(joints), Some(weights)) = (joints, weights) else { break };
        sets.push((attributes.accessor(&name("JOINTS")).unwrap_or(0), joints, weights));
    }
    if sets.is_empty() {
        notes.add("a mesh has a skin but no joints with weights: it follows the skin's first joint");
    }
    if sets.len() > 1 {
        notes.add("a mesh has several sets of joint weights: the four largest of each vertex are kept");
    }
    let mut pairs: Vec<(f32, u16)> = Vec::new();
    for vertex in 0..count {
        pairs.clear();
        for (accessor, joints, weights) in &sets {
            let start = vertex * 4;
            let row = joints.values.get(start..start + 4).zip(weights.values.get(start..start + 4));
            let Some((joints, weights)) = row else { continue };
            for (&joint, &weight) in joints.iter().zip(weights) {
                if !(weight > 0.0 && weight.is_finite()) {
                    continue;
                }
                if !(joint >= 0.0 && joint < joint_count.min(1 << 16) as f32) {
                    let problem = format!(
                        "vertex {vertex} has joint {joint}, but its skin has {joint_count} joints; export the file again"
                    );
                    return Err(Fault::new(format!("accessor {accessor}"), problem));
                }
                pairs.push((weight, joint as u16));
            }
        }
        if pairs.len() > 4 {
            pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
            pairs.truncate(4);
        }
        let largest = pairs.iter().map(|pair| pair.0).fold(0.0, f32::max);
        if largest <= 0.0 {
            continue;
        }
        // Divide by the largest weight first, so that the sum of huge or tiny weights is finite.
        let sum: f32 = pairs.iter().map(|pair| pair.0 / largest).sum();
        vertex_weights[vertex] = [0.0; 4];
        for (at, &(weight, joint)) in pairs.iter().enumerate() {
            vertex_joints[vertex][at] = joint;
            vertex_weights[vertex][at] = weight / largest / sum;
        }
    }
    Ok((vertex_joints, vertex_weights))
}

/// Returns the file's normals. Missing ones are computed from the adjacent triangles; they are +Y for a vertex without
/// triangles that have an area.
fn complete_normals(mut given: Vec<Option<Vec3>>, positions: &[Vec3], indices: &[u32]) -> Vec<Vec3> {
    given.resize(positions.len(), None);
    if given.iter().all(Option::is_some) {
        return given.into_iter().flatten().collect();
    }
    let mut sums = vec![Vec3::ZERO; positions.len()];
    for triangle in indices.chunks_exact(3) {
        let [a, b, c] = [triangle[0], triangle[1], triangle[2]].map(|corner| positions[corner as usize]);
        // The weight of a triangle grows with its size, up to 1e6 units. The edges are scaled to prevent overflow.
        let scale = (b - a).abs().max((c - a).abs()).max_element().max(1e-30);
        let cross = ((b - a) / scale).cross((c - a) / scale) * scale.min(1e6);
        triangle.iter().for_each(|&corner| sums[corner as usize] += cross);
    }
    given.into_iter().zip(sums).map(|(given, sum)| given.or_else(|| unit(sum)).unwrap_or(Vec3::Y)).collect()
}
