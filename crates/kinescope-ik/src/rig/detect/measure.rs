//! The height of a character.

use super::super::biped::{Biped, Role};
use super::super::model::{Mesh, Model};
use super::super::model_pose::ModelPose;
use glam::{Mat4, Vec3};

/// Meshes that are more than `MOST_MESH` or less than `LEAST_MESH` times as high as the bones with roles belong to
/// another body.
const MOST_MESH: f32 = 3.0;
const LEAST_MESH: f32 = 0.6;

/// Returns the height of a character in a pose, and a problem if meshes and bones do not match.
///
/// The height is that of the meshes, or that of all bones if the meshes have none. If meshes and bones cannot belong to
/// one body, it is 1.15 times that of the bones with roles, because the solver moves the bones.
pub(super) fn height(model: &Model, pose: &ModelPose, up: Vec3, biped: Option<&Biped>) -> (f32, Option<String>) {
    let meshes = meshes_extent(model, pose, up).map(|(low, high)| high - low);
    let all = || extent(pose.bones.iter().map(|bone| bone.position.dot(up))).map_or(0.0, |(low, high)| high - low);
    let Some(biped) = biped else { return (meshes.unwrap_or_else(all), None) };
    let roles = Role::ALL.into_iter().flat_map(|role| biped.bones_of(role));
    let bones = extent(roles.map(|bone| pose.position(bone).dot(up))).map_or(0.0, |(low, high)| high - low);
    match meshes {
        None => (all(), None),
        Some(meshes) if bones <= 0.0 || (LEAST_MESH..MOST_MESH).contains(&(meshes / bones)) => (meshes, None),
        Some(meshes) => {
            let problem = format!(
                "the meshes are {meshes:.3} units high and the bones {bones:.3}: sizes are measured on the bones; if the \
                 character is drawn wrong, apply the scale of its nodes and export it again"
            );
            (bones * 1.15, Some(problem))
        }
    }
}

fn extent(along: impl Iterator<Item = f32>) -> Option<(f32, f32)> {
    let (low, high) = along.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)));
    (low < high).then_some((low, high))
}

/// Returns the lowest and highest coordinate of the meshes along `up`; `None` without height. If any mesh is attached
/// to bones, others are ignored, because a file may include a ground.
fn meshes_extent(model: &Model, pose: &ModelPose, up: Vec3) -> Option<(f32, f32)> {
    let is_attached = |mesh: &&Mesh| mesh.joints.iter().any(|joint| joint.bone.is_some());
    let any_attached = model.meshes.iter().any(|mesh| is_attached(&mesh));
    let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
    for mesh in model.meshes.iter().filter(|mesh| !any_attached || is_attached(mesh)) {
        let matrices: Vec<Mat4> = mesh
            .joints
            .iter()
            .map(|joint| {
                let model_from_bone =
                    joint.bone.filter(|&bone| bone < pose.bones.len()).map(|bone| pose.model_from_bone(bone));
                model_from_bone.unwrap_or(Mat4::IDENTITY) * joint.bone_from_mesh
            })
            .collect();
        for ((joints, weights), &position) in mesh.vertex_joints.iter().zip(&mesh.vertex_weights).zip(&mesh.positions) {
            let mut at = 0.0;
            for (&joint, &weight) in joints.iter().zip(weights).filter(|&(_, &weight)| weight > 0.0) {
                let matrix = matrices.get(usize::from(joint)).copied().unwrap_or(Mat4::IDENTITY);
                at += weight * matrix.transform_point3(position).dot(up);
            }
            (low, high) = (low.min(at), high.max(at));
        }
    }
    (low < high).then_some((low, high))
}
