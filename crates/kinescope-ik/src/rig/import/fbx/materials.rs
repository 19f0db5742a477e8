//! Materials and their textures, embedded or in other files. Nothing here fails: unreadable textures are left out with
//! a note.

use std::collections::HashMap;
use std::io::Cursor;

use image::codecs::png::PngEncoder;
use image::{ImageFormat, RgbaImage};
use serde_json::{Value, json};
use ufbx::{Material, MaterialMap, Scene, Texture};

use super::writer::Writer;
use crate::rig::import::converted::ReadFile;

const MOST_PIXELS_ACROSS: u32 = 8192;
/// The largest total size of all written textures in bytes, as PNG or JPEG.
const MOST_BYTES: usize = 512 << 20;

pub(super) fn write(scene: &Scene, read_file: ReadFile, writer: &mut Writer) -> Vec<usize> {
    let mut textures = Textures { scene, read_file, written: HashMap::new(), left: MOST_BYTES, unused: Vec::new() };
    let written =
        (&scene.materials).into_iter().map(|material| write_material(material, &mut textures, writer)).collect();
    if let Some(first) = textures.unused.first() {
        let count = textures.unused.len();
        writer.notes.add(format!(
            "textures of other kinds than base colour, normal and emission are left out, {count} in all, such as {first:?}"
        ));
    }
    written
}

/// Returns the first component of a map, clamped to 0–1; `None` if the material does not state it or it is not finite.
fn number(map: &MaterialMap) -> Option<f32> {
    (map.has_value && map.value_vec4.x.is_finite()).then(|| map.value_vec4.x.clamp(0.0, 1.0) as f32)
}

/// Returns the colour of a map times its factor, each part from 0 to 1; `None` if the material does not state it. A
/// part that is not finite becomes 1.
fn color(map: &MaterialMap, factor: &MaterialMap) -> Option<[f32; 3]> {
    let (value, factor) = (&map.value_vec4, number(factor).unwrap_or(1.0));
    let of = |part: f64| if part.is_finite() { (part as f32 * factor).clamp(0.0, 1.0) } else { 1.0 };
    map.has_value.then(|| [of(value.x), of(value.y), of(value.z)])
}

/// Returns the image file of a map, or the first one of a layered texture; `None` if the map has no texture, or one
/// that is disabled.
fn texture(map: &MaterialMap) -> Option<&Texture> {
    map.texture.as_ref().filter(|_| map.texture_enabled).map(|texture| file_of(texture))
}

fn file_of(texture: &Texture) -> &Texture {
    texture.file_textures.as_ref().first().map_or(texture, |first| first.as_ref())
}

fn write_material(material: &Material, textures: &mut Textures, writer: &mut Writer) -> usize {
    let (pbr, fbx) = (&material.pbr, &material.fbx);
    let base = texture(&pbr.base_color).or_else(|| texture(&fbx.diffuse_color));
    let base_texture = base.and_then(|base| textures.reference(material, base, writer));
    let rgb = match &base_texture {
        Some(_) => [1.0; 3],
        None => color(&pbr.base_color, &pbr.base_factor).unwrap_or([0.8; 3]),
    };
    // Materials that would be invisible are usually an exporter's error.
    let alpha = number(&pbr.opacity).filter(|&alpha| alpha > 0.0).unwrap_or(1.0);
    let mut value = json!({
        "name": &*material.element.name,
        "pbrMetallicRoughness": {
            "baseColorFactor": [rgb[0], rgb[1], rgb[2], alpha],
            "metallicFactor": number(&pbr.metalness).unwrap_or(0.0),
            "roughnessFactor": number(&pbr.roughness).unwrap_or(0.8),
        },
    });
    let has_base_texture = base_texture.is_some();
    if let Some(reference) = base_texture {
        value["pbrMetallicRoughness"]["baseColorTexture"] = reference;
    }
    let alpha_texture = texture(&pbr.opacity).or_else(|| texture(&fbx.transparency_color));
    if has_base_texture && alpha_texture.is_some() {
        value["alphaMode"] = "MASK".into();
    } else if alpha < 1.0 {
        value["alphaMode"] = "BLEND".into();
    }
    if material.features.double_sided.enabled {
        value["doubleSided"] = true.into();
    }
    let normal = texture(&pbr.normal_map).or_else(|| texture(&fbx.normal_map));
    if let Some(reference) = normal.and_then(|normal| textures.reference(material, normal, writer)) {
        value["normalTexture"] = reference;
    }
    let emission = texture(&pbr.emission_color);
    let emission_texture = emission.and_then(|emission| textures.reference(material, emission, writer));
    let has_glow = emission_texture.is_some();
    if let Some(reference) = emission_texture {
        value["emissiveTexture"] = reference;
    }
    let glow = if has_glow { [1.0; 3] } else { color(&pbr.emission_color, &pbr.emission_factor).unwrap_or([0.0; 3]) };
    if glow != [0.0; 3] {
        value["emissiveFactor"] = json!(glow);
    }
    // The opacity is read from the alpha of the base texture, so another file with the opacity is not used.
    let used: Vec<String> = [base, normal, emission].into_iter().flatten().map(path).collect();
    for one in material.textures.as_ref() {
        let name = path(file_of(&one.texture));
        if !name.is_empty() && !used.contains(&name) && !textures.unused.contains(&name) {
            textures.unused.push(name);
        }
    }
    writer.push("materials", value)
}

struct Textures<'a> {
    scene: &'a Scene,
    read_file: ReadFile<'a>,
    /// The texture of the document for each texture of ufbx, by its typed id; `None` for one that was left out.
    written: HashMap<u32, Option<usize>>,
    left: usize,
    unused: Vec<String>,
}

impl Textures<'_> {
    /// Writes a texture, and returns a material's reference to it; `None`, with a note, if the texture cannot be read.
    fn reference(&mut self, material: &Material, texture: &Texture, writer: &mut Writer) -> Option<Value> {
        let mut value = json!({ "index": self.write(texture, writer)? });
        if self.uses_second_uvs(material, texture) {
            value["texCoord"] = 1.into();
        }
        let matrix = &texture.uv_to_texture;
        let numbers = [matrix.m00, matrix.m11, matrix.m03, matrix.m13, matrix.m01, matrix.m10];
        if texture.has_uv_transform && numbers.iter().all(|number| number.is_finite()) {
            if matrix.m01.abs().max(matrix.m10.abs()) > 1e-6 {
                writer.notes.add("transforms of rotated textures are left out");
            } else {
                // FBX measures from the bottom of the image, glTF from the top.
                let offset = [matrix.m03 as f32, (1.0 - matrix.m11 - matrix.m13) as f32];
                let scale = [matrix.m00 as f32, matrix.m11 as f32];
                value["extensions"] = json!({ "KHR_texture_transform": { "offset": offset, "scale": scale } });
                writer.root["extensionsUsed"] = json!(["KHR_texture_transform"]);
            }
        }
        Some(value)
    }

    /// Returns whether a texture names the second set of texture coordinates of a mesh that has the material.
    fn uses_second_uvs(&self, material: &Material, texture: &Texture) -> bool {
        let id = material.element.typed_id;
        self.scene.meshes.as_ref().iter().any(|mesh| {
            let sets = mesh.uv_sets.as_ref();
            let is_at = |at: usize| sets.get(at).is_some_and(|set| *set.name == *texture.uv_set);
            let has_material = || mesh.materials.as_ref().iter().any(|own| own.element.typed_id == id);
            is_at(1) && !is_at(0) && has_material()
        })
    }

    fn write(&mut self, texture: &Texture, writer: &mut Writer) -> Option<usize> {
        let id = texture.element.typed_id;
        if let Some(&written) = self.written.get(&id) {
            return written;
        }
        let path = path(texture);
        let name = path.rsplit('/').next().unwrap_or_default().to_owned();
        let read = self.bytes(texture, &path).and_then(|bytes| encode(bytes, &name, self.left));
        let written = match read {
            Ok((media_type, bytes)) => {
                self.left -= bytes.len().min(self.left);
                let image = writer.image(&name, media_type, bytes);
                Some(writer.push("textures", json!({ "source": image })))
            }
            Err(problem) => {
                writer.notes.add(format!("the texture {name:?} is left out: {problem}"));
                None
            }
        };
        self.written.insert(id, written);
        written
    }

    /// Returns the bytes of an image: embedded, or from a file at its relative path, in the model's folder, or in a
    /// folder `textures` within the model's folder or beside that folder.
    fn bytes(&mut self, texture: &Texture, path: &str) -> Result<Vec<u8>, String> {
        let content: &[u8] = &texture.content;
        let content = match texture.video.as_ref() {
            Some(video) if content.is_empty() => &video.content,
            Some(_) | None => content,
        };
        if !content.is_empty() {
            return if content.len() > self.left { Err(TOO_LARGE.to_owned()) } else { Ok(content.to_vec()) };
        }
        let name = path.rsplit('/').next().unwrap_or_default();
        if name.is_empty() {
            return Err("the file names no image for it".to_owned());
        }
        let mut tries =
            vec![path.to_owned(), name.to_owned(), format!("textures/{name}"), format!("../textures/{name}")];
        tries.dedup();
        let mut problem = None;
        for uri in tries {
            match (self.read_file)(&uri) {
                Ok(bytes) if bytes.len() > self.left => return Err(TOO_LARGE.to_owned()),
                Ok(bytes) => return Ok(bytes),
                Err(error) => problem = problem.or(Some(error)),
            }
        }
        let problem = problem.unwrap_or_default();
        Err(format!("{problem}; copy the image into the model's folder"))
    }
}

const TOO_LARGE: &str = "the textures take too much memory; make them smaller";

/// Returns the path of a texture relative to the model, with `/` between folders; only the file name of an absolute
/// path.
fn path(texture: &Texture) -> String {
    let names = [&texture.relative_filename, &texture.filename, &texture.absolute_filename];
    let names = names.into_iter().map(|name| &**name);
    let name = names.into_iter().find(|name| !name.is_empty()).unwrap_or_default().replace('\\', "/");
    let is_absolute = name.starts_with('/') || name.as_bytes().get(1) == Some(&b':');
    let name = if is_absolute { name.rsplit('/').next().unwrap_or_default() } else { &name };
    name.trim_start_matches("./").to_owned()
}

/// Returns an image in a format that glTF allows, with its media type. Other formats become PNG. An error for more than
/// `left` bytes: a compressed image grows when it becomes PNG.
fn encode(bytes: Vec<u8>, name: &str, left: usize) -> Result<(&'static str, Vec<u8>), String> {
    let format = match image::guess_format(&bytes) {
        Ok(ImageFormat::Png) => return Ok(("image/png", bytes)),
        Ok(ImageFormat::Jpeg) => return Ok(("image/jpeg", bytes)),
        Ok(format) => format,
        // TGA has no magic number.
        Err(_) if name.to_ascii_lowercase().ends_with(".tga") => ImageFormat::Tga,
        Err(_) => return Err("its format is not supported; convert it to PNG or JPEG".to_owned()),
    };
    // The decoders of `image` are compiled again for each type of source, so the importer decodes only slices.
    let mut reader = image::ImageReader::with_format(Cursor::new(&bytes[..]), format);
    let mut limits = image::Limits::default();
    limits.max_image_width = Some(MOST_PIXELS_ACROSS);
    limits.max_image_height = Some(MOST_PIXELS_ACROSS);
    limits.max_alloc = Some(left as u64);
    reader.limits(limits);
    let picture = reader.decode().map_err(|error| error.to_string())?.into_rgba8();
    Ok(("image/png", as_png(&picture, left)?))
}

/// Returns a picture as a PNG file; an error if it has more than `left` bytes.
fn as_png(picture: &RgbaImage, left: usize) -> Result<Vec<u8>, String> {
    let mut png = Cursor::new(Vec::new());
    picture.write_with_encoder(PngEncoder::new(&mut png)).map_err(|error| error.to_string())?;
    let png = png.into_inner();
    if png.len() > left { Err(TOO_LARGE.to_owned()) } else { Ok(png) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The PNG of this noise is larger than its bitmap of 54 bytes and three bytes for each pixel, because it also has
    /// alpha.
    #[test]
    fn a_converted_texture_counts_with_its_size_as_png() {
        let mut state = 1u32;
        let mut noise = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            (state >> 24) as u8
        };
        let picture = RgbaImage::from_fn(64, 64, |_, _| image::Rgba([noise(), noise(), noise(), 255]));
        let png = as_png(&picture, usize::MAX).unwrap();
        assert!(png.len() > 54 + 64 * 64 * 3, "{}", png.len());
        assert!(as_png(&picture, png.len()).is_ok());
        assert_eq!(as_png(&picture, png.len() - 1), Err(TOO_LARGE.to_owned()));
    }
}
