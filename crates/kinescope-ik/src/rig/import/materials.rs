//! Materials and their textures. Nothing here fails: unreadable textures are left out with a note, unreadable numbers
//! have their defaults.

use std::collections::HashMap;
use std::io::Cursor;

use glam::{Affine2, Vec2, Vec3, Vec4};
use serde_json::Value;

use super::super::model::{Material, Picture, Wrap};
use super::accessor::Store;
use super::container::Document;
use super::notes::{Notes, one_line};
use super::png;
use crate::slices::pause;

const MOST_PIXELS_ACROSS: u32 = 8192;
/// The largest total size of all decoded textures in bytes. Textures beyond it are left out.
const MOST_BYTES: usize = 512 << 20;
/// The largest emitted light, linear; larger numbers are clamped.
const MOST_LIGHT: f32 = 1e4;
/// The largest plausible number of a texture transform; larger ones are replaced by the default.
const MOST_TURNS: f32 = 1e6;

#[derive(Default)]
pub(super) struct Materials {
    pub materials: Vec<Material>,
    pub images: Vec<Picture>,
    pub maps: Vec<Maps>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Maps {
    pub base: Map,
    pub emissive: Map,
}

/// A set of texture coordinates, and the transform that a texture applies to them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Map {
    pub set: u64,
    pub transform: Affine2,
}

type Sampling = ([Wrap; 2], bool);

struct Textures<'r, 's> {
    document: &'r Document,
    store: &'r mut Store<'s>,
    images: Vec<Picture>,
    /// The picture of each image and sampling; `None` if it could not be read.
    read: HashMap<(usize, Sampling), Option<usize>>,
    bytes_left: usize,
}

pub(super) async fn read(
    document: &Document,
    store: &mut Store<'_>,
    notes: &mut Notes,
    progress: &mut dyn FnMut(f32),
) -> Materials {
    let mut out = Materials::default();
    let mut textures = Textures { document, store, images: Vec::new(), read: HashMap::new(), bytes_left: MOST_BYTES };
    let values = document.array("materials");
    for (index, value) in values.iter().enumerate() {
        let mut of_material = |done: f32| progress((index as f32 + done) / values.len() as f32);
        of_material(0.0);
        pause().await;
        let number =
            |path: &str| value.pointer(path).and_then(Value::as_f64).filter(|n| n.is_finite()).map(|n| n as f32);
        let mode = value.get("alphaMode").and_then(Value::as_str).unwrap_or("OPAQUE");
        let mut material = Material {
            name: value.get("name").and_then(Value::as_str).map_or_else(|| format!("material {index}"), one_line),
            double_sided: value.get("doubleSided").and_then(Value::as_bool).unwrap_or(false),
            alpha_cutoff: if mode == "MASK" { number("/alphaCutoff").unwrap_or(0.5).clamp(0.0, 1.0) } else { 0.0 },
            blend: mode == "BLEND",
            unlit: value.pointer("/extensions/KHR_materials_unlit").is_some(),
            ..Material::default()
        };
        let factor = |at: usize| {
            let factor = number(&format!("/pbrMetallicRoughness/baseColorFactor/{at}"));
            let older = || number(&format!("/extensions/KHR_materials_pbrSpecularGlossiness/diffuseFactor/{at}"));
            factor.or_else(older).unwrap_or(1.0).clamp(0.0, 1.0)
        };
        material.base_color = Vec4::new(factor(0), factor(1), factor(2), factor(3));
        let strength = number("/extensions/KHR_materials_emissive_strength/emissiveStrength").unwrap_or(1.0);
        let emissive = |at: usize| number(&format!("/emissiveFactor/{at}")).unwrap_or(0.0) * strength;
        material.emissive = Vec3::from_array([0, 1, 2].map(|at| emissive(at).clamp(0.0, MOST_LIGHT)));
        let base = value
            .pointer("/pbrMetallicRoughness/baseColorTexture")
            .or_else(|| value.pointer("/extensions/KHR_materials_pbrSpecularGlossiness/diffuseTexture"));
        let glow = value.get("emissiveTexture").filter(|_| material.emissive != Vec3::ZERO);
        if let Some(base) = base {
            material.texture = textures.texture(index, base, notes, &mut of_material).await;
        }
        if let Some(glow) = glow {
            material.emissive_texture = textures.texture(index, glow, notes, &mut |_| {}).await;
        }
        out.maps.push(Maps { base: map(base), emissive: map(glow) });
        out.materials.push(material);
    }
    out.images = textures.images;
    out
}

/// Returns the set of texture coordinates that a texture uses, and its transform; set 0 without a transform if there is
/// no texture. Source: KHR_texture_transform.
fn map(texture: Option<&Value>) -> Map {
    let Some(texture) = texture else { return Map::default() };
    let transform = texture.pointer("/extensions/KHR_texture_transform");
    let set = transform.and_then(|transform| transform.get("texCoord")).or_else(|| texture.get("texCoord"));
    let number = |path: &str, none: f32| {
        let number = transform.and_then(|transform| transform.pointer(path)?.as_f64()).map(|number| number as f32);
        number.filter(|number| number.abs() < MOST_TURNS).unwrap_or(none)
    };
    // The angle is counted from +U to −V, as V points down.
    let transform = Affine2::from_scale_angle_translation(
        Vec2::new(number("/scale/0", 1.0), number("/scale/1", 1.0)),
        -number("/rotation", 0.0),
        Vec2::new(number("/offset/0", 0.0), number("/offset/1", 0.0)),
    );
    Map { set: set.and_then(Value::as_u64).unwrap_or(0), transform }
}

/// Returns how a sampler continues and interpolates an image. Source: glTF 2.0, section 5.26.
fn sampling(sampler: Option<&Value>) -> Sampling {
    let number = |key: &str| sampler.and_then(|sampler| sampler.get(key)?.as_u64());
    let wrap = |key: &str| match number(key) {
        Some(33071) => Wrap::Clamp,
        Some(33648) => Wrap::Mirror,
        _ => Wrap::Repeat,
    };
    ([wrap("wrapS"), wrap("wrapT")], number("magFilter") == Some(9728))
}

impl Textures<'_, '_> {
    /// Returns the index of the picture of a material's texture, read at its first use; `None` if `info` has no index,
    /// or, with a note, if the texture has no image or the image cannot be read.
    async fn texture(
        &mut self,
        material: usize,
        info: &Value,
        notes: &mut Notes,
        progress: &mut dyn FnMut(f32),
    ) -> Option<usize> {
        let index = |value: Option<&Value>| value?.as_u64().and_then(|index| usize::try_from(index).ok());
        let at = info.get("index")?;
        let texture = index(Some(at)).and_then(|texture| self.document.array("textures").get(texture));
        let webp = texture.and_then(|texture| texture.pointer("/extensions/EXT_texture_webp/source"));
        let image = index(texture.and_then(|texture| texture.get("source"))).or_else(|| index(webp));
        let Some(image) = image.filter(|&image| image < self.document.array("images").len()) else {
            let is_ktx = texture.is_some_and(|own| own.pointer("/extensions/KHR_texture_basisu").is_some());
            notes.add(match is_ktx {
                true => "textures in the format KTX2 are left out".to_owned(),
                false => format!("material {material}: its texture {at} has no image that can be read and is left out"),
            });
            return None;
        };
        let sampler = texture.and_then(|texture| self.document.array("samplers").get(index(texture.get("sampler"))?));
        let sampling = sampling(sampler);
        if let Some(read) = self.read.get(&(image, sampling)) {
            return *read;
        }
        let read = match picture(self.document, self.store, image, self.bytes_left, progress).await {
            Ok(picture) => {
                self.bytes_left -= picture.rgba.len();
                let (wrap, nearest) = sampling;
                self.images.push(Picture { wrap, nearest, ..picture });
                Some(self.images.len() - 1)
            }
            Err(problem) => {
                notes.add(format!("image {image} is left out: {problem}"));
                None
            }
        };
        self.read.insert((image, sampling), read);
        read
    }
}

async fn picture(
    document: &Document,
    store: &mut Store<'_>,
    image: usize,
    bytes_left: usize,
    progress: &mut dyn FnMut(f32),
) -> Result<Picture, String> {
    let value = &document.array("images")[image];
    let index = |value: &Value| value.as_u64().and_then(|view| usize::try_from(view).ok());
    let bytes = match (value.get("bufferView").and_then(index), value.get("uri").and_then(Value::as_str)) {
        (Some(view), _) => store.view(view).map_err(|fault| fault.to_string())?.to_vec(),
        (None, Some(uri)) => store.fetch(uri)?,
        (None, None) => return Err("it has neither a buffer view nor a URI".to_owned()),
    };
    if let Some(picture) = png::decode(&bytes, MOST_PIXELS_ACROSS, bytes_left, progress).await? {
        return Ok(picture);
    }
    // The decoders of `image` are compiled again for each type of source, so the importer decodes only slices.
    let source = Cursor::new(&bytes[..]);
    let mut reader = image::ImageReader::new(source).with_guessed_format().map_err(|error| error.to_string())?;
    let mut limits = image::Limits::default();
    limits.max_image_width = Some(MOST_PIXELS_ACROSS);
    limits.max_image_height = Some(MOST_PIXELS_ACROSS);
    limits.max_alloc = Some(bytes_left as u64);
    reader.limits(limits);
    let rgba = reader.decode().map_err(|error| error.to_string())?.into_rgba8();
    if rgba.len() > bytes_left {
        return Err("the textures take too much memory; make them smaller".to_owned());
    }
    Ok(Picture { width: rgba.width(), height: rgba.height(), rgba: rgba.into_raw(), ..Picture::default() })
}
