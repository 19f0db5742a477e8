//! The character's surface, skinned on the CPU and split into draw calls with 16-bit indices.

use std::collections::HashMap;

use glam::{Vec2, Vec3, Vec4};
use macroquad::miniquad::TextureWrap;
use macroquad::models::Vertex;
use macroquad::prelude as mq;

use crate::character::joint_matrices;
use crate::picture::LARGEST_CALL;
use crate::ui::theme::Theme;
use kinescope_ik::rig::{Joint, LocalPose, Material, Mesh, Model, ModelPose, MorphOffset, Picture, Wrap};

const MIXED: f32 = 0.45;

/// Subtracted from the alpha cutoff of unlit materials, so that the cutoff is negative.
pub const UNLIT: f32 = 2.0;

pub struct Surface {
    pub parts: Vec<Part>,
    posed: Option<(ModelPose, Vec3)>,
    /// Whether weights of morph targets have changed since the vertices were posed.
    is_stale: bool,
    lowest: f32,
    height: f32,
}

pub struct Part {
    joints: Vec<Joint>,
    /// Position and normal of each vertex in the bind pose, moved by morph targets, then joints and weights.
    bound: Vec<(Vec3, Vec3, [u16; 4], [f32; 4])>,
    morph: Option<Morphing>,
    pub mesh: mq::Mesh,
    shadow: mq::Mesh,
    pub glow: Option<mq::Mesh>,
    blend: bool,
    /// The colours of the vertices, or one for all of them.
    colors: Vec<[u8; 4]>,
    /// The theme's body colour and the mixed-in colour of the last [`Surface::set_colors`]. `None` before the first.
    shown: Option<([u8; 4], Option<[u8; 4]>)>,
    /// Whether the part takes the theme's colour: it has no colour of its own, or all materials are black.
    pub plain: bool,
}

struct Morphing {
    at: usize,
    /// The offsets of each target, with indices of vertices in the part.
    targets: Vec<Vec<MorphOffset>>,
    weights: Vec<f32>,
    base: Vec<(Vec3, Vec3)>,
}

impl Morphing {
    fn of(mesh: &Mesh, vertices: &[usize]) -> Option<Self> {
        let at = mesh.morph.filter(|_| mesh.targets.iter().any(|target| !target.is_empty()))?;
        let places: HashMap<usize, u32> = vertices.iter().copied().zip(0..).collect();
        let own = |offset: &MorphOffset| {
            places.get(&(offset.vertex as usize)).map(|&vertex| MorphOffset { vertex, ..*offset })
        };
        let targets = mesh.targets.iter().map(|target| target.iter().filter_map(own).collect()).collect();
        let base = vertices.iter().map(|&vertex| (mesh.positions[vertex], normal_of(mesh, vertex))).collect();
        Some(Self { at, targets, weights: Vec::new(), base })
    }
}

fn normal_of(mesh: &Mesh, vertex: usize) -> Vec3 {
    mesh.normals.get(vertex).copied().unwrap_or(Vec3::Y)
}

/// Converts linear colours to gamma-encoded colours for the screen. Alpha stays linear.
fn encoded(color: Vec4) -> [u8; 4] {
    let byte = |value: f32| (value.clamp(0.0, 1.0) * 255.0).round() as u8;
    let [r, g, b, a] = color.to_array();
    let encoded = |value: f32| byte(value.clamp(0.0, 1.0).powf(1.0 / 2.2));
    [encoded(r), encoded(g), encoded(b), byte(a)]
}

fn upload(image: &Picture) -> Option<mq::Texture2D> {
    let fits = image.rgba.len() == image.width as usize * image.height as usize * 4 && !image.rgba.is_empty();
    let (Ok(width), Ok(height), true) = (image.width.try_into(), image.height.try_into(), fits) else { return None };
    let texture = mq::Texture2D::from_rgba8(width, height, &image.rgba);
    if image.nearest {
        texture.set_filter(mq::FilterMode::Nearest);
    }
    // WebGL 1 repeats only images whose sides are powers of two.
    if !cfg!(target_arch = "wasm32") || image.width.is_power_of_two() && image.height.is_power_of_two() {
        let wrap = image.wrap.map(|wrap| match wrap {
            Wrap::Repeat => TextureWrap::Repeat,
            Wrap::Mirror => TextureWrap::Mirror,
            Wrap::Clamp => TextureWrap::Clamp,
        });
        // SAFETY: this runs on the drawing thread, between draw calls.
        let context = unsafe { mq::get_internal_gl() }.quad_context;
        context.texture_set_wrap(texture.raw_miniquad_id(), wrap[0], wrap[1]);
    }
    Some(texture)
}

impl Part {
    fn new(
        mesh: &Mesh,
        material: Option<&Material>,
        textures: &[Option<mq::Texture2D>],
        (vertices, indices): (&[usize], Vec<u16>),
        plain: bool,
    ) -> Self {
        let texture_of = |texture: Option<usize>| textures.get(texture?).cloned().flatten();
        let base = material.map_or(Vec4::ONE, |material| material.base_color);
        let colors: Vec<[u8; 4]> = match mesh.colors.is_empty() {
            true => vec![encoded(base)],
            false => {
                vertices.iter().map(|&at| encoded(base * mesh.colors.get(at).copied().unwrap_or(Vec4::ONE))).collect()
            }
        };
        let is_unlit = material.is_some_and(|material| material.unlit);
        let cutoff = material.map_or(0.0, |material| material.alpha_cutoff) - if is_unlit { UNLIT } else { 0.0 };
        let made = |uvs: &[Vec2], color: &dyn Fn(usize) -> [u8; 4], texture: Option<mq::Texture2D>| mq::Mesh {
            vertices: vertices
                .iter()
                .enumerate()
                .map(|(at, &vertex)| Vertex {
                    position: mq::Vec3::ZERO,
                    uv: uvs.get(vertex).map_or(mq::Vec2::ZERO, |uv| mq::vec2(uv.x, uv.y)),
                    color: color(at),
                    normal: mq::vec4(0.0, 1.0, 0.0, cutoff),
                })
                .collect(),
            indices: indices.clone(),
            texture,
        };
        let own = |at: usize| colors.get(at).copied().unwrap_or(colors[0]);
        let glow = material.filter(|material| material.emissive != Vec3::ZERO).map(|material| {
            let uvs = if mesh.emissive_uvs.is_empty() { &mesh.uvs } else { &mesh.emissive_uvs };
            let emissive = |at: usize| {
                let alpha = if material.blend { f32::from(own(at)[3]) / 255.0 } else { 1.0 };
                encoded((material.emissive * alpha).extend(1.0))
            };
            made(uvs, &emissive, texture_of(material.emissive_texture))
        });
        let bound = vertices.iter().map(|&vertex| {
            (mesh.positions[vertex], normal_of(mesh, vertex), mesh.vertex_joints[vertex], mesh.vertex_weights[vertex])
        });
        Self {
            joints: mesh.joints.clone(),
            bound: bound.collect(),
            morph: Morphing::of(mesh, vertices),
            mesh: made(&mesh.uvs, &own, texture_of(material.and_then(|material| material.texture))),
            shadow: made(&[], &own, None),
            glow,
            blend: material.is_some_and(|material| material.blend),
            colors,
            shown: None,
            plain,
        }
    }

    fn morph(&mut self, weights: &[Vec<f32>]) -> bool {
        let Some(morph) = &mut self.morph else { return false };
        let weights = weights.get(morph.at).map_or(&[][..], Vec::as_slice);
        if morph.weights == weights {
            return false;
        }
        morph.weights = weights.to_vec();
        for (bound, &(position, normal)) in self.bound.iter_mut().zip(&morph.base) {
            (bound.0, bound.1) = (position, normal);
        }
        for (target, &weight) in morph.targets.iter().zip(weights).filter(|(_, weight)| **weight != 0.0) {
            for offset in target {
                let bound = &mut self.bound[offset.vertex as usize];
                bound.0 += offset.position * weight;
                bound.1 += offset.normal * weight;
            }
        }
        true
    }
}

impl Surface {
    pub fn new(model: &Model, rest: &LocalPose) -> Self {
        let textures: Vec<Option<mq::Texture2D>> = model.images.iter().map(upload).collect();
        // Exporters that lose textures leave all materials black, which would hide the character's shape.
        let used = || model.meshes.iter().filter_map(|mesh| model.materials.get(mesh.material?));
        let is_dark = |material: &Material| {
            material.base_color.truncate().max_element() < 0.01 && material.emissive.max_element() < 0.01
        };
        let is_black = used().all(is_dark);
        let mut parts = Vec::new();
        for mesh in &model.meshes {
            let material = mesh.material.and_then(|material| model.materials.get(material));
            let plain = if material.is_some() { is_black } else { mesh.colors.is_empty() };
            split(mesh, |vertices, indices| {
                parts.push(Part::new(mesh, material, &textures, (&vertices, indices), plain));
            });
        }
        let mut surface = Self { parts, posed: None, is_stale: false, lowest: 0.0, height: 1.0 };
        let weights: Vec<Vec<f32>> = model.morphs.iter().map(|morph| morph.weights.clone()).collect();
        surface.morph(&weights);
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

    /// Returns the height at which the ground is drawn: 0, or the height of the lowest vertex if it is a tenth of the
    /// character's height or more away from 0.
    pub(crate) fn ground(&self) -> f32 {
        if self.lowest.abs() < self.height * 0.1 { 0.0 } else { self.lowest }
    }

    pub fn morph(&mut self, weights: &[Vec<f32>]) {
        for part in &mut self.parts {
            self.is_stale |= part.morph(weights);
        }
    }

    pub fn pose(&mut self, pose: &ModelPose, aside: Vec3) {
        let is_stale = std::mem::take(&mut self.is_stale);
        if !is_stale && self.posed.as_ref().is_some_and(|(posed, by)| posed == pose && *by == aside) {
            return;
        }
        for part in &mut self.parts {
            let matrices = joint_matrices(&part.joints, pose);
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

    pub(crate) fn draw(&mut self, theme: &Theme, blend: bool) {
        self.set_colors(theme, None);
        self.parts.iter().filter(|part| part.blend == blend).for_each(|part| mq::draw_mesh(&part.mesh));
    }

    /// Draws the emitted light of the transparent parts (`blend`) or of the opaque parts. The glow material must be
    /// active.
    pub(crate) fn draw_glow(&mut self, blend: bool) {
        for part in self.parts.iter_mut().filter(|part| part.blend == blend) {
            let Some(glow) = &mut part.glow else { continue };
            for (glow, vertex) in glow.vertices.iter_mut().zip(&part.mesh.vertices) {
                glow.position = vertex.position;
            }
            mq::draw_mesh(glow);
        }
    }

    pub(crate) fn draw_mixed(&mut self, theme: &Theme, with: [u8; 4]) {
        self.set_colors(theme, Some(with));
        for blend in [false, true] {
            self.parts.iter().filter(|part| part.blend == blend).for_each(|part| mq::draw_mesh(&part.mesh));
        }
    }

    pub fn set_colors(&mut self, theme: &Theme, with: Option<[u8; 4]>) {
        let plain = theme.solid_body.to_array();
        let mixed = |own: [u8; 4]| {
            let mut mixed = own;
            for (own, with) in mixed.iter_mut().zip(with.unwrap_or(own)).take(3) {
                *own = (f32::from(*own) * (1.0 - MIXED) + f32::from(with) * MIXED).round() as u8;
            }
            mixed
        };
        for part in &mut self.parts {
            if part.shown.replace((plain, with)) == Some((plain, with)) {
                continue;
            }
            match &part.colors[..] {
                [one] => {
                    let color = mixed(if part.plain { plain } else { *one });
                    part.mesh.vertices.iter_mut().for_each(|vertex| vertex.color = color);
                }
                all => {
                    for (vertex, &own) in part.mesh.vertices.iter_mut().zip(all) {
                        vertex.color = mixed(if part.plain { plain } else { own });
                    }
                }
            }
        }
    }

    pub(crate) fn draw_shadow(&mut self, light: Vec3, ground: f32) {
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

pub fn split(mesh: &Mesh, mut piece: impl FnMut(Vec<usize>, Vec<u16>)) {
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
