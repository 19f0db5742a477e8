//! A loaded character: skeleton, meshes, materials and clips.

use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3, Vec4};

use super::clip::Clip;
use super::length_unit::LengthUnit;
use super::model_pose::ModelPose;
use super::skeleton::{BoneIndex, Skeleton};

/// A character as read from a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// The file's name without its folder.
    pub name: String,
    /// The skeleton, shared with solvers.
    pub skeleton: Arc<Skeleton>,
    /// The pose of the inverse bind matrices; `None` if no skin has any.
    pub bind: Option<ModelPose>,
    /// The meshes to draw, one per primitive of the file.
    pub meshes: Vec<Mesh>,
    /// The materials of the meshes.
    pub materials: Vec<Material>,
    /// The decoded textures of the materials.
    pub images: Vec<Picture>,
    /// The file's animations.
    pub clips: Vec<Clip>,
    /// The humanoid map of a VRM file: pairs of a VRM bone name, or role key, and a bone.
    pub humanoid: Vec<(String, BoneIndex)>,
    /// Bones whose rest rotation is a quaternion of zeros. No rotation is applied for them.
    pub zero_rotations: Vec<BoneIndex>,
    /// The unit from which the lengths of the file were converted to metres; `None` if the format states it.
    pub unit: Option<LengthUnit>,
    /// Irregularities of the file and how they were handled, as one sentence each.
    pub notes: Vec<String>,
}

/// A joint of a mesh. `model_from_bone(bone) · bone_from_mesh` maps a vertex to model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// The bone; `None` for a part that is not attached to a bone.
    pub bone: Option<BoneIndex>,
    /// The matrix from mesh space to bone space: the inverse bind matrix of a skin's joint.
    pub bone_from_mesh: Mat4,
}

/// A primitive: triangles with one material.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// The name in the file; not necessarily unique.
    pub name: String,
    /// The index into [`Model::materials`].
    pub material: Option<usize>,
    /// The joints that `vertex_joints` refers to.
    pub joints: Vec<Joint>,
    /// Vertex positions in mesh space, in the bind pose.
    pub positions: Vec<Vec3>,
    /// Unit normals; computed from the triangles if the file has none.
    pub normals: Vec<Vec3>,
    /// Texture coordinates, one per vertex, measured from the top left of the image.
    pub uvs: Vec<Vec2>,
    /// Indices into `joints`, four per vertex.
    pub vertex_joints: Vec<[u16; 4]>,
    /// The weights of those joints; they sum to 1.
    pub vertex_weights: Vec<[f32; 4]>,
    /// Vertex indices, three per triangle.
    pub indices: Vec<u32>,
}

/// The properties of a material that are used for drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// The name in the file; not necessarily unique.
    pub name: String,
    /// The base colour, linear RGBA, 0 to 1.
    pub base_color: Vec4,
    /// The index into [`Model::images`].
    pub texture: Option<usize>,
    /// True if back faces are drawn.
    pub double_sided: bool,
    /// Texels with an alpha below this are not drawn; 0 draws all.
    pub alpha_cutoff: f32,
    /// True if the material is blended by its alpha.
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

/// A decoded RGBA image, rows from top to bottom.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// Four bytes per pixel: red, green, blue (sRGB), alpha.
    pub rgba: Vec<u8>,
}
