//! Makes the built-in characters: bones, mesh and clips.
//!
//! The human body is an implicit surface ([`shape`]) around a skeleton ([`bones`]). Its left half is triangulated
//! ([`surface`]), the triangles are made even ([`remesh`]), mirrored and skinned ([`skin`]). The clips ([`clips`]) are
//! functions of the phase, baked into keys. The faun ([`faun`]) is the human on other legs. [`glb`] encodes a
//! character as a file.
//!
//! The triangulation uses additions, multiplications, divisions and square roots only, so that every machine gives the
//! same mesh.

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

/// A character before it is encoded.
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
    /// Outward unit vectors.
    pub normals: Vec<Vec3>,
    /// Bones that move the vertex; unused places are bone 0 with weight 0.
    pub joints: Vec<[u8; 4]>,
    /// Weights of `joints`, largest first. They sum to 1.
    pub weights: Vec<[f32; 4]>,
    /// Counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// Makes the human; [`faun::character`] makes the faun from it.
pub fn character() -> Character {
    let skeleton = bones::skeleton();
    let rest = ModelPose::from_local(&skeleton, &skeleton.rest_pose());
    let shape = shape::Shape::new();
    let half = remesh::remesh(surface::extract(&shape), &shape);
    let mesh = skin::skin(half.mirrored(), &shape, &skeleton, &rest);
    let clips = clips::clips(&skeleton, &rest, &clips::HUMAN);
    Character { skeleton, rest, mesh, clips }
}
