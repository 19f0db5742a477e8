//! The character's surface, skinned on the CPU and split into draw calls with 16-bit indices.

use glam::{Mat4, Vec3};
use macroquad::models::Vertex;
use macroquad::prelude as mq;

use crate::picture::LARGEST_CALL;
use crate::ui::theme::Theme;
use kinescope_ik::rig::{Joint, LocalPose, Mesh, Model, ModelPose};

/// Share of the other colour in [`Surface::draw_mixed`].
const MIXED: f32 = 0.45;

/// All meshes of a character, ready to draw.
pub struct Surface {
    parts: Vec<Part>,
    /// Pose and offset of the current vertices.
    posed: Option<(ModelPose, Vec3)>,
    lowest: f32,
    height: f32,
}

/// The part of a mesh in one draw call.
struct Part {
    joints: Vec<Joint>,
    /// Position, normal, joints and weights of each vertex in the bind pose.
    bound: Vec<(Vec3, Vec3, [u16; 4], [f32; 4])>,
    mesh: mq::Mesh,
    shadow: mq::Mesh,
    blend: bool,
    /// The material's colour. White without a material.
    color: [u8; 4],
    /// Whether the part takes the theme's colour. It does if it has no material, or if all materials are black.
    plain: bool,
}

impl Surface {
    pub fn new(model: &Model, rest: &LocalPose) -> Self {
        let textures: Vec<Option<mq::Texture2D>> = model
            .images
            .iter()
            .map(|image| {
                let fits =
                    image.rgba.len() == image.width as usize * image.height as usize * 4 && !image.rgba.is_empty();
                let (Ok(width), Ok(height), true) = (image.width.try_into(), image.height.try_into(), fits) else {
                    return None;
                };
                Some(mq::Texture2D::from_rgba8(width, height, &image.rgba))
            })
            .collect();
        // Exporters that lose textures leave all materials black, which would hide the character's shape.
        let used = || model.meshes.iter().filter_map(|mesh| model.materials.get(mesh.material?));
        let is_black = used().all(|material| material.base_color.truncate().max_element() < 0.01);
        let mut parts = Vec::new();
        for mesh in &model.meshes {
            let material = mesh.material.and_then(|material| model.materials.get(material));
            let texture = material.and_then(|material| material.texture);
            let texture = texture.and_then(|texture| textures.get(texture).cloned().flatten());
            split(mesh, |vertices, indices| {
                let color = material.map_or([255; 4], |material| {
                    // The file's colours are linear, and the screen needs gamma-encoded ones.
                    let encoded = |value: f32| (value.clamp(0.0, 1.0).powf(1.0 / 2.2) * 255.0).round() as u8;
                    let [r, g, b, a] = material.base_color.to_array();
                    [encoded(r), encoded(g), encoded(b), (a.clamp(0.0, 1.0) * 255.0).round() as u8]
                });
                let cutoff = material.map_or(0.0, |material| material.alpha_cutoff);
                let at = |vertex: usize| Vertex {
                    position: mq::Vec3::ZERO,
                    uv: mesh.uvs.get(vertex).map_or(mq::Vec2::ZERO, |uv| mq::vec2(uv.x, uv.y)),
                    color,
                    normal: mq::vec4(0.0, 1.0, 0.0, cutoff),
                };
                let bound = vertices.iter().map(|&vertex| {
                    let normal = mesh.normals.get(vertex).copied().unwrap_or(Vec3::Y);
                    (mesh.positions[vertex], normal, mesh.vertex_joints[vertex], mesh.vertex_weights[vertex])
                });
                parts.push(Part {
                    joints: mesh.joints.clone(),
                    bound: bound.collect(),
                    mesh: mq::Mesh {
                        vertices: vertices.iter().map(|&vertex| at(vertex)).collect(),
                        indices: indices.clone(),
                        texture: texture.clone(),
                    },
                    shadow: mq::Mesh {
                        vertices: vertices.iter().map(|&vertex| at(vertex)).collect(),
                        indices,
                        texture: None,
                    },
                    blend: material.is_some_and(|material| material.blend),
                    color,
                    plain: material.is_none() || is_black,
                });
            });
        }
        let mut surface = Self { parts, posed: None, lowest: 0.0, height: 1.0 };
        surface.pose(&ModelPose::from_local(&model.skeleton, rest), Vec3::ZERO);
        let heights = surface.parts.iter().flat_map(|part| part.mesh.vertices.iter().map(|vertex| vertex.position.y));
        let (low, high) = heights
            .filter(|height| height.is_finite())
            .fold((f32::MAX, f32::MIN), |(low, high), height| (low.min(height), high.max(height)));
        if low <= high {
            (surface.lowest, surface.height) = (low, high - low);
        }
        surface
    }

    /// Returns the height at which the ground is drawn. It is 0, or that of the lowest vertex if the character does not
    /// stand at 0.
    pub fn ground(&self) -> f32 {
        if self.lowest.abs() < self.height * 0.1 { 0.0 } else { self.lowest }
    }

    /// Skins every vertex and moves all parts by `aside`. Does nothing if pose and offset are unchanged.
    pub fn pose(&mut self, pose: &ModelPose, aside: Vec3) {
        if self.posed.as_ref().is_some_and(|(posed, by)| posed == pose && *by == aside) {
            return;
        }
        for part in &mut self.parts {
            let matrices: Vec<Mat4> = part
                .joints
                .iter()
                .map(|joint| match joint.bone.filter(|&bone| bone < pose.bones.len()) {
                    Some(bone) => pose.model_from_bone(bone) * joint.bone_from_mesh,
                    None => joint.bone_from_mesh,
                })
                .collect();
            for ((position, normal, joints, weights), vertex) in part.bound.iter().zip(&mut part.mesh.vertices) {
                let mut skinned = Vec3::ZERO;
                let mut turned = Vec3::ZERO;
                for (&joint, &weight) in joints.iter().zip(weights) {
                    if weight > 0.0
                        && let Some(matrix) = matrices.get(usize::from(joint))
                    {
                        skinned += matrix.transform_point3(*position) * weight;
                        turned += matrix.transform_vector3(*normal) * weight;
                    }
                }
                let turned = turned.normalize_or(Vec3::Y);
                vertex.position = (skinned + aside).to_array().into();
                (vertex.normal.x, vertex.normal.y, vertex.normal.z) = (turned.x, turned.y, turned.z);
            }
        }
        match &mut self.posed {
            Some((posed, by)) => {
                posed.clone_from(pose);
                *by = aside;
            }
            None => self.posed = Some((pose.clone(), aside)),
        }
    }

    pub fn draw(&mut self, theme: &Theme, blend: bool) {
        self.set_colors(theme, None);
        self.parts.iter().filter(|part| part.blend == blend).for_each(|part| mq::draw_mesh(&part.mesh));
    }

    /// Draws all parts with the active material. Their colours are mixed with another colour.
    pub fn draw_mixed(&mut self, theme: &Theme, with: [u8; 4]) {
        self.set_colors(theme, Some(with));
        for blend in [false, true] {
            self.parts.iter().filter(|part| part.blend == blend).for_each(|part| mq::draw_mesh(&part.mesh));
        }
    }

    /// Sets the colours of all vertices, mixed with `with` if it is given.
    fn set_colors(&mut self, theme: &Theme, with: Option<[u8; 4]>) {
        for part in &mut self.parts {
            let own = if part.plain { theme.solid_body.to_array() } else { part.color };
            let color = match with {
                Some(with) => {
                    let mut mixed = own;
                    for (own, with) in mixed.iter_mut().zip(with).take(3) {
                        *own = (f32::from(*own) * (1.0 - MIXED) + f32::from(with) * MIXED).round() as u8;
                    }
                    mixed
                }
                None => own,
            };
            if part.mesh.vertices.first().is_some_and(|vertex| vertex.color != color) {
                part.mesh.vertices.iter_mut().for_each(|vertex| vertex.color = color);
            }
        }
    }

    pub fn draw_shadow(&mut self, light: Vec3, ground: f32) {
        let lifted = ground + self.height * 0.0005;
        for part in self.parts.iter_mut().filter(|part| !part.blend) {
            for (vertex, flat) in part.mesh.vertices.iter().zip(&mut part.shadow.vertices) {
                let up = (vertex.position.y - ground).max(0.0) / light.y;
                flat.position = mq::vec3(vertex.position.x - light.x * up, lifted, vertex.position.z - light.z * up);
            }
            mq::draw_mesh(&part.shadow);
        }
    }
}

/// Splits a mesh into pieces that fit a draw call, with their vertices and triangles.
fn split(mesh: &Mesh, mut piece: impl FnMut(Vec<usize>, Vec<u16>)) {
    let mut vertices = Vec::new();
    let mut indices = Vec::new();
    let mut places = vec![u16::MAX; mesh.positions.len()];
    for triangle in mesh.indices.chunks_exact(3) {
        if vertices.len() + 3 > LARGEST_CALL || indices.len() + 3 > 3 * LARGEST_CALL {
            piece(std::mem::take(&mut vertices), std::mem::take(&mut indices));
            places.fill(u16::MAX);
        }
        for &index in triangle {
            let Some(place) = places.get_mut(index as usize) else { continue };
            if *place == u16::MAX {
                *place = vertices.len() as u16;
                vertices.push(index as usize);
            }
            indices.push(*place);
        }
    }
    if !indices.is_empty() {
        piece(vertices, indices);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::{BuiltIn, Character};
    use glam::Quat;

    fn vertices(surface: &Surface) -> Vec<Vec3> {
        let all = surface.parts.iter().flat_map(|part| part.mesh.vertices.iter());
        all.map(|vertex| Vec3::from_array(vertex.position.to_array())).collect()
    }

    #[test]
    fn a_mesh_beside_another_is_the_same_mesh() {
        for built_in in [BuiltIn::Mannequin, BuiltIn::Faun] {
            let character = Character::from_built_in(built_in).unwrap();
            let mut model = Model { images: Vec::new(), ..(*character.model).clone() };
            let mut plate = model.meshes[0].clone();
            plate.joints.iter_mut().for_each(|joint| joint.bone = None);
            model.meshes.push(plate);
            let mut pose = ModelPose::from_local(&model.skeleton, &character.rest);
            for (index, bone) in pose.bones.iter_mut().enumerate() {
                bone.position += Vec3::new(20.0, 0.0, -30.0) * (index % 2) as f32;
                bone.rotation = Quat::from_rotation_y(0.1 * index as f32) * bone.rotation;
            }
            let mut surface = Surface::new(&model, &character.rest);
            surface.pose(&pose, Vec3::ZERO);
            let own = vertices(&surface);
            let aside = Vec3::new(3.0, -1.0, 0.5);
            surface.pose(&pose, aside);
            let beside = vertices(&surface);
            assert!(
                own.len() > 100 && own.iter().zip(&beside).all(|(own, beside)| (*own + aside).distance(*beside) < 1e-4)
            );
            surface.pose(&pose, Vec3::ZERO);
            assert_eq!(vertices(&surface), own);
        }
    }

    #[test]
    fn mixed_colours_differ_on_every_part_and_the_own_ones_come_back() {
        let theme = Theme::of(false);
        for built_in in [BuiltIn::Mannequin, BuiltIn::Faun] {
            let character = Character::from_built_in(built_in).unwrap();
            let model = Model { images: Vec::new(), ..(*character.model).clone() };
            let mut surface = Surface::new(&model, &character.rest);
            let colors = |surface: &mut Surface, with: Option<[u8; 4]>| -> Vec<[u8; 4]> {
                surface.set_colors(theme, with);
                surface.parts.iter().flat_map(|part| part.mesh.vertices.iter().map(|vertex| vertex.color)).collect()
            };
            let own = colors(&mut surface, None);
            let mixed = colors(&mut surface, Some([255, 0, 255, 255]));
            assert!(own.len() > 100 && own.iter().zip(&mixed).all(|(own, mixed)| own != mixed && own[3] == mixed[3]));
            assert_eq!(colors(&mut surface, None), own);
        }
    }

    #[test]
    fn a_large_mesh_is_split_and_nothing_is_lost() {
        let count = 70_000usize;
        let mesh = Mesh {
            positions: vec![Vec3::ZERO; count * 3],
            indices: (0..count as u32 * 3).collect(),
            ..Mesh::default()
        };
        let mut triangles = 0;
        split(&mesh, |vertices, indices| {
            assert!(vertices.len() <= LARGEST_CALL);
            assert!(indices.iter().all(|&index| usize::from(index) < vertices.len()));
            triangles += indices.len() / 3;
        });
        assert_eq!(triangles, count);
    }
}
