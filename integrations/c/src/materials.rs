//! Materials, textures and morph targets of models.

use std::ffi::c_char;

use kinescope_library::rig::{Clip, Morph, Wrap};

use crate::meshes::{copy, mesh_of};
use crate::models::KinescopeModel;
use crate::pose::KinescopeVec3;
use crate::{KinescopeStatus, Refused, exclusive, guard, look, object, write_text_or_none};

/// A material.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeMaterial {
    /// The base colour, linear RGBA, 0 to 1.
    pub base_color: [f32; 4],
    /// The emitted light, linear RGB, strength included.
    pub emissive: [f32; 3],
    /// The index of the texture that the base colour is multiplied by; -1 without one.
    pub texture: i32,
    /// The index of the texture that the emitted light is multiplied by; -1 without one.
    pub emissive_texture: i32,
    /// Whether the base colour is drawn without lights.
    pub unlit: u32,
    /// Whether back faces are drawn.
    pub double_sided: u32,
    /// Whether the material is blended by its alpha.
    pub blend: u32,
    /// Texels with an alpha below this are not drawn; 0 draws all.
    pub alpha_cutoff: f32,
}

/// How a texture continues beyond its edges.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeWrap {
    /// The image repeats.
    Repeat,
    /// The image repeats, every second time mirrored.
    Mirror,
    /// The pixels at the edge continue.
    Clamp,
}

/// A decoded image.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeTexture {
    /// Pixels of a row.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
    /// A KinescopeWrap beyond the left and the right edge.
    pub wrap_x: u32,
    /// A KinescopeWrap beyond the top and the bottom edge.
    pub wrap_y: u32,
    /// Whether pixels are drawn as squares, without interpolation.
    pub nearest: u32,
}

/// What a morph target of weight 1 adds to a vertex, in mesh space.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeMorphOffset {
    /// The vertex, by its index in the mesh.
    pub vertex: u32,
    /// The change of the vertex's position.
    pub position: KinescopeVec3,
    /// The change of the vertex's normal.
    pub normal: KinescopeVec3,
}

fn wrap_number(wrap: Wrap) -> u32 {
    let number = match wrap {
        Wrap::Repeat => KinescopeWrap::Repeat,
        Wrap::Mirror => KinescopeWrap::Mirror,
        Wrap::Clamp => KinescopeWrap::Clamp,
    };
    number as u32
}

fn index_or_none(index: Option<usize>) -> i32 {
    index.map_or(-1, |index| index as i32)
}

/// Returns the number of materials; 0 for an invalid model.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_materials(model: *const KinescopeModel) -> usize {
    look(0, || Ok(unsafe { object(model, "model") }?.model.materials.len()))
}

/// Stores a material by its index. Returns KINESCOPE_STATUS_NOTHING_TO_DO if there is no such material.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_material(
    model: *const KinescopeModel,
    index: usize,
    material: *mut KinescopeMaterial,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(model, "model") }?;
        let to = unsafe { exclusive(material, "material") }?;
        let Some(own) = own.model.materials.get(index) else { return Ok(KinescopeStatus::NothingToDo) };
        *to = KinescopeMaterial {
            base_color: own.base_color.to_array(),
            emissive: own.emissive.to_array(),
            texture: index_or_none(own.texture),
            emissive_texture: index_or_none(own.emissive_texture),
            unlit: own.unlit.into(),
            double_sided: own.double_sided.into(),
            blend: own.blend.into(),
            alpha_cutoff: own.alpha_cutoff,
        };
        Ok(KinescopeStatus::Done)
    })
}

/// Returns the index of a mesh's material; -1 for the default material, and if there is no such mesh.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_mesh_material(model: *const KinescopeModel, mesh: usize) -> i32 {
    look(-1, || Ok(index_or_none(unsafe { mesh_of(model, mesh) }?.and_then(|own| own.material))))
}

/// Returns the number of textures; 0 for an invalid model.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_textures(model: *const KinescopeModel) -> usize {
    look(0, || Ok(unsafe { object(model, "model") }?.model.images.len()))
}

/// Stores the size of a texture, and how it is drawn. Returns KINESCOPE_STATUS_NOTHING_TO_DO if there is no such texture.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_texture(
    model: *const KinescopeModel,
    index: usize,
    texture: *mut KinescopeTexture,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(model, "model") }?;
        let to = unsafe { exclusive(texture, "texture") }?;
        let Some(own) = own.model.images.get(index) else { return Ok(KinescopeStatus::NothingToDo) };
        let [wrap_x, wrap_y] = own.wrap.map(wrap_number);
        *to = KinescopeTexture { width: own.width, height: own.height, wrap_x, wrap_y, nearest: own.nearest.into() };
        Ok(KinescopeStatus::Done)
    })
}

/// Copies the pixels of a texture, rows from top to bottom, four bytes for each pixel: red, green and blue in sRGB, and
/// alpha. `needed`, which may be NULL, receives the number of bytes. Returns KINESCOPE_STATUS_NOTHING_TO_DO, and copies
/// nothing, if `capacity` is smaller, and if there is no such texture.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_texture_pixels(
    model: *const KinescopeModel,
    index: usize,
    pixels: *mut u8,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(model, "model") }?;
        let all = own.model.images.get(index).map_or(&[][..], |image| &image.rgba);
        unsafe { copy(all.iter().copied(), (pixels, capacity, "pixels"), needed) }
    })
}

/// Copies the vertex colours of a mesh as kinescope_model_mesh_vertices copies vertices: linear RGBA, to be multiplied
/// by the base colour. `capacity` and `needed` count numbers, four for each vertex; none if the file has no vertex
/// colours.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_mesh_colors(
    model: *const KinescopeModel,
    mesh: usize,
    colors: *mut f32,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { mesh_of(model, mesh) }?.map_or(&[][..], |own| &own.colors);
        let all: Vec<f32> = own.iter().flat_map(|color| color.to_array()).collect();
        unsafe { copy(all.into_iter(), (colors, capacity, "colors"), needed) }
    })
}

/// Copies the coordinates of a mesh in the emissive texture as kinescope_model_mesh_vertices copies vertices.
/// `capacity` and `needed` count numbers, two for each vertex; none if the coordinates equal `uv` of the vertices.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_mesh_emissive_uvs(
    model: *const KinescopeModel,
    mesh: usize,
    uvs: *mut f32,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { mesh_of(model, mesh) }?.map_or(&[][..], |own| &own.emissive_uvs);
        let all: Vec<f32> = own.iter().flat_map(|uv| uv.to_array()).collect();
        unsafe { copy(all.into_iter(), (uvs, capacity, "uvs"), needed) }
    })
}

unsafe fn morph_of<'a>(model: *const KinescopeModel, morph: usize) -> Result<Option<&'a Morph>, Refused> {
    Ok(unsafe { object(model, "model") }?.model.morphs.get(morph))
}

/// Returns the number of morphs; 0 for an invalid model. Meshes of one morph have the same morph targets and weights.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_morphs(model: *const KinescopeModel) -> usize {
    look(0, || Ok(unsafe { object(model, "model") }?.model.morphs.len()))
}

/// Returns the number of morph targets of a morph; 0 if there is no such morph.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_morph_targets(model: *const KinescopeModel, morph: usize) -> usize {
    look(0, || Ok(unsafe { morph_of(model, morph) }?.map_or(0, |own| own.targets.len())))
}

/// Writes the name of a morph target, into a buffer as kinescope_settings_to_preset does. Returns KINESCOPE_STATUS_NOTHING_TO_DO,
/// with a `needed` of 0, if there is no such target.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_morph_target_name(
    model: *const KinescopeModel,
    morph: usize,
    target: usize,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { morph_of(model, morph) }?;
        let name = own.and_then(|own| own.targets.get(target)).map(String::as_str);
        unsafe { write_text_or_none(name, buffer, capacity, needed) }
    })
}

/// Copies the weights of the targets of a morph as kinescope_model_mesh_vertices copies vertices: the weights at `time`
/// seconds of a clip, or the model's own for a `clip` of -1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_morph_weights(
    model: *const KinescopeModel,
    morph: usize,
    clip: i32,
    time: f32,
    weights: *mut f32,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = &unsafe { object(model, "model") }?.model;
        if !time.is_finite() {
            return Err(Refused::argument("time: is not finite; expected seconds"));
        }
        let mut all: Vec<Vec<f32>> = own.morphs.iter().map(|morph| morph.weights.clone()).collect();
        if clip != -1 {
            let found: Option<&Clip> = usize::try_from(clip).ok().and_then(|clip| own.clips.get(clip));
            let count = own.clips.len();
            let found = found.ok_or_else(|| Refused::argument(format!("clip: is {clip}; there are {count} clips")))?;
            found.sample_morphs(time, &mut all);
        }
        let found = all.get(morph).map_or(&[][..], |weights| weights);
        unsafe { copy(found.iter().copied(), (weights, capacity, "weights"), needed) }
    })
}

/// Returns the index of the morph that has the weights of a mesh's targets; -1 without one, and if there is no such
/// mesh.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_mesh_morph(model: *const KinescopeModel, mesh: usize) -> i32 {
    look(-1, || Ok(index_or_none(unsafe { mesh_of(model, mesh) }?.and_then(|own| own.morph))))
}

/// Copies the offsets by which a morph target of a mesh moves vertices, as kinescope_model_mesh_vertices copies
/// vertices.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_mesh_target(
    model: *const KinescopeModel,
    mesh: usize,
    target: usize,
    offsets: *mut KinescopeMorphOffset,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { mesh_of(model, mesh) }?.and_then(|own| own.targets.get(target)).map_or(&[][..], |own| own);
        let all = own.iter().map(|own| KinescopeMorphOffset {
            vertex: own.vertex,
            position: own.position.into(),
            normal: own.normal.into(),
        });
        unsafe { copy(all, (offsets, capacity, "offsets"), needed) }
    })
}
