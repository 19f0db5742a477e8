//! A loaded character: skeleton, meshes, materials, clips.

use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3, Vec4};

use super::clip::Clip;
use super::model_pose::ModelPose;
use super::skeleton::{BoneIndex, Skeleton};

/// Everything a file holds of a character, in plain data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// The file's name, without its folder.
    pub name: String,
    /// Shared with whoever solves on it.
    pub skeleton: Arc<Skeleton>,
    /// The pose of the inverse bind matrices; `None` where no skin says it.
    pub bind: Option<ModelPose>,
    /// What is drawn; one for each primitive of the file.
    pub meshes: Vec<Mesh>,
    /// What meshes are drawn with.
    pub materials: Vec<Material>,
    /// Decoded textures of the materials.
    pub images: Vec<Picture>,
    /// The file's animations.
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
    /// As in the file; need not be unique.
    pub name: String,
    /// Index into [`Model::materials`].
    pub material: Option<usize>,
    /// What `vertex_joints` point into.
    pub joints: Vec<Joint>,
    /// Mesh space, as bound.
    pub positions: Vec<Vec3>,
    /// Unit length; computed from the triangles where the file has none.
    pub normals: Vec<Vec3>,
    /// Texture coordinates, one per vertex, from the top left of the image.
    pub uvs: Vec<Vec2>,
    /// Indices into `joints`, four a vertex.
    pub vertex_joints: Vec<[u16; 4]>,
    /// How much each of those joints counts; they sum to 1.
    pub vertex_weights: Vec<[f32; 4]>,
    /// Three vertices a triangle.
    pub indices: Vec<u32>,
}

/// A material, as far as it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// As in the file; need not be unique.
    pub name: String,
    /// Linear RGBA, 0 to 1.
    pub base_color: Vec4,
    /// Index into [`Model::images`].
    pub texture: Option<usize>,
    /// Whether the backs of triangles are drawn.
    pub double_sided: bool,
    /// Below this alpha a texel is not drawn; 0 draws all.
    pub alpha_cutoff: f32,
    /// Whether it is blended by its alpha with what is behind.
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
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Four bytes a pixel: red, green, blue (sRGB), alpha.
    pub rgba: Vec<u8>,
}
