//! A loaded character: skeleton, meshes, materials and clips.

use std::borrow::Cow;
use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3, Vec4};

use super::clip::Clip;
use super::length_unit::LengthUnit;
use super::model_pose::ModelPose;
use super::skeleton::{BoneIndex, Skeleton};

/// A character as read from a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// The name that was passed to the import, usually the file's name without its folder.
    pub name: String,
    /// The skeleton, shared with solvers.
    pub skeleton: Arc<Skeleton>,
    /// The pose of the inverse bind matrices; `None` if no skin has usable ones, or if the pose is not finite.
    pub bind: Option<ModelPose>,
    /// The meshes to draw: one per primitive of triangles, for each node of the scene that has it.
    pub meshes: Vec<Mesh>,
    /// All materials of the file.
    pub materials: Vec<Material>,
    /// The decoded textures of the materials.
    pub images: Vec<Picture>,
    /// The nodes with morph targets.
    pub morphs: Vec<Morph>,
    /// The file's animations.
    pub clips: Vec<Clip>,
    /// The humanoid map of a VRM file or a VRM animation: pairs of a VRM bone name, such as `leftUpperArm`, and a bone.
    /// Empty for other files.
    pub humanoid: Vec<(String, BoneIndex)>,
    /// Bones whose rest rotation in the file is a quaternion of zeros. The import replaces it by the identity.
    pub zero_rotations: Vec<BoneIndex>,
    /// The unit from which the lengths of the file were converted to metres; `None` if the format states it.
    pub unit: Option<LengthUnit>,
    /// Notes on the file, as one sentence each: irregularities and how they were handled, and parts that are not read.
    pub notes: Vec<String>,
}

/// A joint of a mesh. `model_from_bone(bone) · bone_from_mesh` maps a vertex to model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// The bone; `None` for a part that is not attached to a bone: `bone_from_mesh` then maps to model space.
    pub bone: Option<BoneIndex>,
    /// The matrix from mesh space to bone space: the inverse bind matrix of a skin's joint, or the transform of a rigid
    /// mesh relative to its bone.
    pub bone_from_mesh: Mat4,
}

/// A primitive: triangles with one material.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// The name of the mesh in the file, otherwise of its node, otherwise `mesh N`; not necessarily unique.
    pub name: String,
    /// The index into [`Model::materials`]; `None` for the default material.
    pub material: Option<usize>,
    /// The joints that `vertex_joints` refers to.
    pub joints: Vec<Joint>,
    /// Vertex positions in mesh space, in the bind pose.
    pub positions: Vec<Vec3>,
    /// Unit normals. Those that the file lacks are computed from the adjacent triangles, or are +Y where these have no
    /// area.
    pub normals: Vec<Vec3>,
    /// Texture coordinates of the base colour texture, one per vertex, measured from the top left of the image; zeros
    /// if the file has none. The material's set of coordinates and its texture transform are applied.
    pub uvs: Vec<Vec2>,
    /// Texture coordinates of the emissive texture in the same form; empty if they equal `uvs`.
    pub emissive_uvs: Vec<Vec2>,
    /// Vertex colours, linear RGBA, to be multiplied by the base colour; empty if the file has none.
    pub colors: Vec<Vec4>,
    /// The index into [`Model::morphs`], which has the weights of `targets`; `None` without targets.
    pub morph: Option<usize>,
    /// The morph targets, each as the vertices that it moves.
    pub targets: Vec<Vec<MorphOffset>>,
    /// Indices into `joints`, four per vertex.
    pub vertex_joints: Vec<[u16; 4]>,
    /// The weights of `vertex_joints`; they sum to 1 for each vertex.
    pub vertex_weights: Vec<[f32; 4]>,
    /// Vertex indices, three per triangle.
    pub indices: Vec<u32>,
}

/// What a morph target with weight 1 adds to a vertex, in mesh space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MorphOffset {
    /// The index of the vertex.
    pub vertex: u32,
    /// The change of the vertex's position.
    pub position: Vec3,
    /// The change of the vertex's normal.
    pub normal: Vec3,
}

/// A node whose meshes have morph targets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Morph {
    /// The [name](Mesh::name) of the node's meshes.
    pub name: String,
    /// The names of the targets; `target N` for an unnamed one.
    pub targets: Vec<String>,
    /// The weights without a clip, one per target.
    pub weights: Vec<f32>,
}

impl Mesh {
    /// Returns the positions with weighted morph targets added; borrowed if no target has weight.
    pub fn morphed(&self, weights: &[f32]) -> Cow<'_, [Vec3]> {
        let mut positions = Cow::Borrowed(&self.positions[..]);
        for (target, &weight) in self.targets.iter().zip(weights).filter(|(_, weight)| **weight != 0.0) {
            let positions = positions.to_mut();
            for offset in target {
                if let Some(position) = positions.get_mut(offset.vertex as usize) {
                    *position += offset.position * weight;
                }
            }
        }
        positions
    }
}

/// The properties of a material that are used for drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// The name in the file, or `material N` without one; not necessarily unique.
    pub name: String,
    /// The base colour, linear RGBA, 0 to 1.
    pub base_color: Vec4,
    /// The base colour texture, as index into [`Model::images`].
    pub texture: Option<usize>,
    /// The emitted light, linear RGB, strength included.
    pub emissive: Vec3,
    /// The texture that `emissive` is multiplied by, as index into [`Model::images`].
    pub emissive_texture: Option<usize>,
    /// True if the base colour is drawn without lights.
    pub unlit: bool,
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
            emissive: Vec3::ZERO,
            emissive_texture: None,
            unlit: false,
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
    /// The continuation beyond the left and right edge, and beyond the top and bottom edge.
    pub wrap: [Wrap; 2],
    /// True if enlarged pixels are drawn as squares, without interpolation.
    pub nearest: bool,
}

/// The continuation of an image beyond its edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// The image repeats.
    #[default]
    Repeat,
    /// The image repeats, every second time mirrored.
    Mirror,
    /// The pixels at the edge continue.
    Clamp,
}
