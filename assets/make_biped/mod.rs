//! The built-in character, from bones to clips.
//!
//! The body is an implicit surface ([`shape`]) around a skeleton ([`bones`]). Its left half is cut into triangles
//! ([`surface`]), the triangles are made even ([`remesh`]), mirrored and skinned ([`skin`]). The clips ([`clips`]) are
//! authored as paths of the pelvis, the feet and the hands and baked into rotations. [`glb`] writes it all down.
//!
//! Everything that decides the mesh's triangles is made of additions, multiplications, divisions and square roots, so
//! every machine decides alike.

pub mod bones;
pub mod clips;
pub mod faun;
pub mod glb;
pub mod remesh;
pub mod shape;
pub mod skin;
pub mod surface;

use glam::Vec3;
use kinescope_ik::animation::Clip;
use kinescope_ik::rig::{ModelPose, Skeleton};

/// A character as it goes into the file.
pub struct Character {
    pub skeleton: Skeleton,
    /// The rest pose, in which the mesh is bound.
    pub rest: ModelPose,
    pub mesh: SkinnedMesh,
    pub clips: Vec<Clip>,
}

/// A closed triangle mesh in model space with its skin.
pub struct SkinnedMesh {
    pub positions: Vec<Vec3>,
    /// Unit length, outward.
    pub normals: Vec<Vec3>,
    /// Bones that move the vertex; unused places are bone 0 with weight 0.
    pub joints: Vec<[u8; 4]>,
    /// Sum to 1, largest first.
    pub weights: Vec<[f32; 4]>,
    /// Counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// Makes the character.
pub fn character() -> Character {
    let skeleton = bones::skeleton();
    let rest = ModelPose::from_local(&skeleton, &skeleton.rest_pose());
    let shape = shape::Shape::new();
    let half = remesh::remesh(surface::extract(&shape), &shape);
    let mesh = skin::skin(half.mirrored(), &shape, &skeleton, &rest);
    let clips = clips::clips(&skeleton, &rest, &clips::HUMAN);
    Character { skeleton, rest, mesh, clips }
}
