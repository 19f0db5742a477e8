//! A loaded character: skeleton, meshes, materials, clips.

use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3, Vec4};

use super::pose::ModelPose;
use super::skeleton::{BoneIndex, Skeleton};
use crate::animation::Clip;

/// Everything a file holds of a character, in plain data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// The file's name, without its folder.
    pub name: String,
    /// Shared with whoever solves on it.
    pub skeleton: Arc<Skeleton>,
    /// The pose of the inverse bind matrices; `None` where no skin says it.
    pub bind: Option<ModelPose>,
    pub meshes: Vec<Mesh>,
    pub materials: Vec<Material>,
    pub images: Vec<Picture>,
    pub clips: Vec<Clip>,
    /// The file's own humanoid map (VRM): role key or VRM bone name → bone, as far as the file gives one.
    pub humanoid: Vec<(String, BoneIndex)>,
    /// Bones whose rotation at rest is a quaternion of zeros, which turns into nothing: none is applied.
    pub unturned: Vec<BoneIndex>,
    /// What was odd about the file and what was done about it, one sentence each.
    pub notes: Vec<String>,
}

/// A joint of a mesh: `model_from_bone(bone) · bone_from_mesh` takes a vertex to model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// `None` for a part that hangs on no bone.
    pub bone: Option<BoneIndex>,
    /// The inverse bind matrix.
    pub bone_from_mesh: Mat4,
}

/// One primitive: triangles of one material.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    pub name: String,
    pub material: Option<usize>,
    pub joints: Vec<Joint>,
    /// Mesh space, as bound.
    pub positions: Vec<Vec3>,
    /// Unit length; computed from the triangles where the file has none.
    pub normals: Vec<Vec3>,
    pub uvs: Vec<Vec2>,
    /// Indices into `joints`, four a vertex.
    pub vertex_joints: Vec<[u16; 4]>,
    /// Sum to 1.
    pub vertex_weights: Vec<[f32; 4]>,
    /// Triangles.
    pub indices: Vec<u32>,
}

/// What of a material is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    pub name: String,
    /// Linear RGBA, 0 to 1.
    pub base_color: Vec4,
    /// Index into [`Model::images`].
    pub texture: Option<usize>,
    pub double_sided: bool,
    /// Below this alpha a texel is not drawn; 0 draws all.
    pub alpha_cutoff: f32,
    pub blend: bool,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color: Vec4::ONE,
            texture: None,
            double_sided: false,
            alpha_cutoff: 0.0,
            blend: false,
        }
    }
}

/// A decoded image, RGBA, rows from the top.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub rgba: Vec<u8>,
}
