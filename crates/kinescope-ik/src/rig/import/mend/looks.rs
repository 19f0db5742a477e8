//! Repair of images, samplers, textures, materials and cameras.

use std::collections::BTreeSet;
use std::io::Cursor;

use gltf_json as json;
use serde::Deserialize;
use serde_json::{Value, json};

use super::document::{MOST_PIXELS_ACROSS, Mend, index, list, list_mut, remove, walk};
use crate::rig::import::writing::view;

impl Mend<'_, '_> {
    /// Moves images into the buffer: as PNG or JPEG, or as WebP or KTX2 if no texture refers to them without an
    /// extension. An unreadable image becomes one white pixel, and normal textures that use it are removed.
    pub(super) fn images(&mut self) {
        let by_textures: BTreeSet<usize> =
            list(&self.root, "textures").iter().filter_map(|texture| index(texture.get("source"))).collect();
        let mut missing = BTreeSet::new();
        for at in 0..self.count("images") {
            let value = &self.document.array("images")[at];
            let own = index(value.get("bufferView"));
            let bytes = match (own, value.get("uri").and_then(Value::as_str)) {
                (Some(view), _) => self.store.view(view).map(<[u8]>::to_vec).map_err(|fault| fault.to_string()),
                (None, Some(uri)) => self.store.fetch(uri),
                (None, None) => Err("it has neither a buffer view nor a URI".to_owned()),
            };
            let made = bytes.and_then(|bytes| {
                let (mime, other) = picture(&bytes, by_textures.contains(&at))?;
                Ok((mime, other, bytes))
            });
            let (mime, bytes, keeps_view) = match made {
                Ok((mime, None, bytes)) => (mime, bytes, own.is_some()),
                Ok((mime, Some(other), _)) => (mime, other, false),
                Err(problem) => {
                    missing.insert(at);
                    self.notes.add(format!("image {at} is replaced by a white pixel: {problem}"));
                    ("image/png", white(), false)
                }
            };
            let view = match own.filter(|_| keeps_view) {
                Some(view) => view,
                None => view(&mut self.root, &mut self.bytes, &bytes),
            };
            remove(&mut self.root["bufferViews"][view], "byteStride");
            remove(&mut self.root["bufferViews"][view], "target");
            let image = &mut self.root["images"][at];
            if !image.is_object() {
                *image = json!({});
            }
            remove(image, "uri");
            image["bufferView"] = view.into();
            image["mimeType"] = mime.into();
        }
        // A white pixel leaves colours unchanged but tilts normals.
        let textures = list_mut(&mut self.root, "textures").iter_mut().enumerate();
        let flat: BTreeSet<usize> =
            textures.filter_map(|(at, texture)| uses_missing(texture, &missing).then_some(at)).collect();
        for material in list_mut(&mut self.root, "materials") {
            walk(material, &mut |object| {
                object.retain(|key, value| {
                    let is_normal = key == "normalTexture" || key.ends_with("NormalTexture");
                    !(is_normal && index(value.get("index")).is_some_and(|texture| flat.contains(&texture)))
                });
            });
        }
    }

    pub(super) fn textures(&mut self) {
        for at in 0..self.count("samplers") {
            let sampler = &self.root["samplers"][at];
            if !sampler.is_object() || json::texture::Sampler::deserialize(sampler).is_err() {
                self.root["samplers"][at] = json!({});
                self.notes.add(format!("sampler {at} cannot be read: the default is used"));
            }
        }
        for at in 0..self.count("textures") {
            let mut texture = self.root["textures"][at].take();
            if !texture.is_object() {
                texture = json!({});
            }
            self.reference(&format!("texture {at}"), &mut texture, "source", "images");
            self.reference(&format!("texture {at}"), &mut texture, "sampler", "samplers");
            self.root["textures"][at] = texture;
        }
        for at in 0..self.count("cameras") {
            let camera = &self.root["cameras"][at];
            if !camera.is_object() || json::Camera::deserialize(camera).is_err() {
                self.root["cameras"][at] =
                    json!({ "type": "perspective", "perspective": { "yfov": 0.8, "znear": 0.1 } });
                self.notes.add(format!("camera {at} cannot be read: a default one is used"));
            }
        }
    }

    pub(super) fn materials(&mut self) {
        let textures = self.count("textures");
        for at in 0..self.count("materials") {
            let mut material = self.root["materials"][at].take();
            if !material.is_object() || json::Material::deserialize(&material).is_err() {
                material = json!({});
                self.notes.add(format!("material {at} cannot be read: a default one is used"));
            }
            let mut is_changed = false;
            walk(&mut material, &mut |object| {
                object.retain(|key, value| {
                    let is_texture = key.ends_with("Texture") && value.get("index").is_some();
                    let keep = !is_texture || index(value.get("index")).is_some_and(|index| index < textures);
                    is_changed |= !keep;
                    keep
                });
            });
            let fractions = [
                "/pbrMetallicRoughness/baseColorFactor",
                "/pbrMetallicRoughness/metallicFactor",
                "/pbrMetallicRoughness/roughnessFactor",
                "/emissiveFactor",
                "/occlusionTexture/strength",
            ];
            for path in fractions {
                is_changed |= material.pointer_mut(path).is_some_and(clamp);
            }
            let cutoff = material.get_mut("alphaCutoff");
            if let Some(cutoff) = cutoff.filter(|cutoff| cutoff.as_f64().is_some_and(|cutoff| cutoff < 0.0)) {
                *cutoff = 0.0.into();
                is_changed = true;
            }
            if is_changed {
                self.notes.add(format!(
                    "material {at} was corrected: values out of range are clamped, textures that do not exist are left out"
                ));
            }
            self.root["materials"][at] = material;
        }
    }
}

/// Returns whether readers of a texture may get a missing image. If the texture also has a readable image without an
/// extension, its extensions with a missing image are removed instead, so that every reader gets the readable one.
fn uses_missing(texture: &mut Value, missing: &BTreeSet<usize>) -> bool {
    let is_missing = |of: &Value| index(of.get("source")).is_some_and(|image| missing.contains(&image));
    if is_missing(texture) {
        return true;
    }
    let has_source = texture.get("source").is_some();
    let Some(extensions) = texture.get_mut("extensions").and_then(Value::as_object_mut) else { return false };
    if !has_source {
        return extensions.values().any(is_missing);
    }
    extensions.retain(|_, extension| !is_missing(extension));
    if extensions.is_empty() {
        remove(texture, "extensions");
    }
    false
}

pub(super) fn clamp(value: &mut Value) -> bool {
    match value {
        Value::Array(list) => list.iter_mut().fold(false, |is_changed, value| clamp(value) | is_changed),
        value => match value.as_f64().filter(|number| !(0.0..=1.0).contains(number)) {
            Some(number) => {
                *value = number.clamp(0.0, 1.0).into();
                true
            }
            None => false,
        },
    }
}

/// Returns the MIME type of an image, and the image as PNG if its own type is not allowed. `by_texture` is true if a
/// texture refers to the image without an extension.
pub(super) fn picture(bytes: &[u8], by_texture: bool) -> Result<(&'static str, Option<Vec<u8>>), String> {
    let reader =
        || image::ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|error| error.to_string());
    // Stays KTX2: only textures with an extension refer to the image, and readers of that extension decode it.
    if bytes.starts_with(b"\xABKTX 20\xBB") && !by_texture {
        return Ok(("image/ktx2", None));
    }
    let format = reader()?.format();
    let mime = match format {
        Some(image::ImageFormat::Png) => Some("image/png"),
        Some(image::ImageFormat::Jpeg) => Some("image/jpeg"),
        Some(image::ImageFormat::WebP) if !by_texture => Some("image/webp"),
        _ => None,
    };
    if let Some(mime) = mime {
        reader()?.into_dimensions().map_err(|error| error.to_string())?;
        return Ok((mime, None));
    }
    let mut reader = reader()?;
    let mut limits = image::Limits::default();
    limits.max_image_width = Some(MOST_PIXELS_ACROSS);
    limits.max_image_height = Some(MOST_PIXELS_ACROSS);
    reader.limits(limits);
    let rgba = reader.decode().map_err(|error| error.to_string())?.into_rgba8();
    encode_png(rgba.width(), rgba.height(), &rgba).map(|bytes| ("image/png", Some(bytes)))
}

/// Returns RGBA pixels as a PNG file.
pub fn encode_png(width: u32, height: u32, rgba: &[u8]) -> Result<Vec<u8>, String> {
    let mut bytes = Cursor::new(Vec::new());
    let encoder = image::codecs::png::PngEncoder::new(&mut bytes);
    image::ImageEncoder::write_image(encoder, rgba, width, height, image::ExtendedColorType::Rgba8)
        .map_err(|error| error.to_string())?;
    Ok(bytes.into_inner())
}

/// Returns true if the whole image can be decoded.
pub fn is_image(bytes: &[u8]) -> bool {
    image::load_from_memory(bytes).is_ok()
}

pub(super) fn white() -> Vec<u8> {
    encode_png(1, 1, &[255; 4]).unwrap_or_default()
}
