//! Materials and their base colour textures. Nothing here fails: unreadable parts are left out with a note.

use std::io::Cursor;

use glam::Vec4;
use serde_json::Value;

use super::super::model::{Material, Picture};
use super::accessor::Store;
use super::container::Document;
use super::notes::{Notes, one_line};

/// The largest width and height of a texture in pixels.
const MOST_PIXELS_ACROSS: u32 = 8192;
/// The largest total size of all textures in bytes. Textures beyond it are left out.
const MOST_BYTES: usize = 512 << 20;

#[derive(Default)]
pub(super) struct Materials {
    pub materials: Vec<Material>,
    pub images: Vec<Picture>,
}

pub(super) fn read(document: &Document, store: &mut Store, notes: &mut Notes) -> Materials {
    let mut out = Materials::default();
    // One entry per image of the file; the outer `None` means that it was not read yet.
    let mut picture_of_image: Vec<Option<Option<usize>>> = vec![None; document.array("images").len()];
    let mut bytes_left = MOST_BYTES;
    for (index, value) in document.array("materials").iter().enumerate() {
        let number =
            |path: &str| value.pointer(path).and_then(Value::as_f64).filter(|n| n.is_finite()).map(|n| n as f32);
        let mode = value.get("alphaMode").and_then(Value::as_str).unwrap_or("OPAQUE");
        let mut material = Material {
            name: value.get("name").and_then(Value::as_str).map_or_else(|| format!("material {index}"), one_line),
            double_sided: value.get("doubleSided").and_then(Value::as_bool).unwrap_or(false),
            alpha_cutoff: if mode == "MASK" { number("/alphaCutoff").unwrap_or(0.5).clamp(0.0, 1.0) } else { 0.0 },
            blend: mode == "BLEND",
            ..Material::default()
        };
        let factor = |at: usize| {
            let factor = number(&format!("/pbrMetallicRoughness/baseColorFactor/{at}"));
            let older = || number(&format!("/extensions/KHR_materials_pbrSpecularGlossiness/diffuseFactor/{at}"));
            factor.or_else(older).unwrap_or(1.0).clamp(0.0, 1.0)
        };
        material.base_color = Vec4::new(factor(0), factor(1), factor(2), factor(3));
        let texture = value
            .pointer("/pbrMetallicRoughness/baseColorTexture/index")
            .or_else(|| value.pointer("/extensions/KHR_materials_pbrSpecularGlossiness/diffuseTexture/index"))
            .and_then(Value::as_u64);
        if let Some(texture) = texture {
            let image = usize::try_from(texture).ok().and_then(|texture| image_of_texture(document, texture));
            match image.filter(|&image| image < picture_of_image.len()) {
                None => notes.add(format!("material {index}: its texture {texture} names no image and is left out")),
                Some(image) => {
                    let slot = &mut picture_of_image[image];
                    if slot.is_none() {
                        *slot = Some(match picture(document, store, image, bytes_left) {
                            Ok(picture) => {
                                bytes_left -= picture.rgba.len();
                                out.images.push(picture);
                                Some(out.images.len() - 1)
                            }
                            Err(problem) => {
                                notes.add(format!("image {image} is left out: {problem}"));
                                None
                            }
                        });
                    }
                    material.texture = slot.flatten();
                }
            }
        }
        out.materials.push(material);
    }
    out
}

fn image_of_texture(document: &Document, texture: usize) -> Option<usize> {
    let texture = document.array("textures").get(texture)?;
    let source = texture.get("source").or_else(|| texture.pointer("/extensions/EXT_texture_webp/source"))?;
    usize::try_from(source.as_u64()?).ok()
}

fn picture(document: &Document, store: &mut Store, image: usize, bytes_left: usize) -> Result<Picture, String> {
    let value = &document.array("images")[image];
    let index = |value: &Value| value.as_u64().and_then(|view| usize::try_from(view).ok());
    let bytes = match (value.get("bufferView").and_then(index), value.get("uri").and_then(Value::as_str)) {
        (Some(view), _) => store.view(view).map_err(|fault| fault.to_string())?.to_vec(),
        (None, Some(uri)) => store.fetch(uri)?,
        (None, None) => return Err("it has neither a buffer view nor a URI".to_owned()),
    };
    let mut reader =
        image::ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|error| error.to_string())?;
    let mut limits = image::Limits::default();
    limits.max_image_width = Some(MOST_PIXELS_ACROSS);
    limits.max_image_height = Some(MOST_PIXELS_ACROSS);
    limits.max_alloc = Some(bytes_left as u64);
    reader.limits(limits);
    let rgba = reader.decode().map_err(|error| error.to_string())?.into_rgba8();
    if rgba.len() > bytes_left {
        return Err("the textures take too much memory".to_owned());
    }
    Ok(Picture { width: rgba.width(), height: rgba.height(), rgba: rgba.into_raw() })
}
