//! The container of a glTF file: GLB chunks, the elements of its JSON, and data URIs.

use base64::Engine;
use base64::alphabet;
use base64::engine::general_purpose::{self, GeneralPurpose};
use gltf_json as json;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::extensions::is_known;
use super::notes::{Notes, Outcome};
use crate::error::Fault;
use crate::slices::pause;

/// The JSON of a file. Nodes, skins, accessors and buffer views are parsed one by one, so that a message can name the
/// broken one. Elements of other lists are parsed where they are used, so that broken ones that are not needed do no
/// harm.
pub(super) struct Document {
    pub root: Value,
    pub nodes: Vec<json::Node>,
    pub skins: Vec<json::Skin>,
    pub accessors: Vec<json::Accessor>,
    pub views: Vec<json::buffer::View>,
}

impl Document {
    pub async fn parse<'a>(bytes: &'a [u8], notes: &mut Notes) -> Outcome<(Self, Option<&'a [u8]>)> {
        let (text, blob) = split(bytes)?;
        let damaged = |error| Fault::new("JSON", format!("{error}; the file is damaged, export it again"));
        let too_large = |error| Fault::new("JSON", format!("{error}; simplify the model and export it again"));
        if let Some(name) = crate::json::survey(text, crate::json::MODEL).map_err(too_large)? {
            notes.add(format!("the field {name:?} occurs twice in the same object of the file: the last one is used"));
        }
        pause().await;
        let root: Value = serde_json::from_slice(text).map_err(damaged)?;
        pause().await;
        if !root.is_object() {
            return Err(Fault::new("JSON", "this is not a glTF document; choose a .glb, .gltf or .vrm file"));
        }
        match root.pointer("/asset/version").and_then(Value::as_str) {
            Some(version) if version.starts_with("2.") || version == "2" => {}
            Some(version) => {
                let problem = format!("glTF version {version:?} is not supported; export as glTF 2.0");
                return Err(Fault::new("asset", problem));
            }
            None => {
                let problem =
                    "the version is missing or not text, so this is not glTF; choose a .glb, .gltf or .vrm file";
                return Err(Fault::new("asset", problem));
            }
        }
        for extension in root.get("extensionsRequired").and_then(Value::as_array).into_iter().flatten() {
            let extension = extension.as_str().unwrap_or("?");
            if !is_known(extension) {
                notes.add(format!(
                    "the file requires the extension {extension}, which is not supported: parts may be missing"
                ));
            }
        }
        let nodes = elements(&root, "nodes", "node")?;
        let skins = elements(&root, "skins", "skin")?;
        pause().await;
        let accessors = elements(&root, "accessors", "accessor")?;
        pause().await;
        let views = elements(&root, "bufferViews", "buffer view")?;
        pause().await;
        Ok((Self { root, nodes, skins, accessors, views }, blob))
    }

    pub fn array(&self, key: &str) -> &[Value] {
        self.root.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }
}

fn elements<T: DeserializeOwned>(root: &Value, key: &str, singular: &str) -> Outcome<Vec<T>> {
    let list = match root.get(key) {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(list)) => list,
        Some(_) => return Err(Fault::new(key, "must be a list; the file is damaged, export it again")),
    };
    let read = |(index, value): (usize, &Value)| {
        T::deserialize(value).map_err(|error| {
            Fault::new(format!("{singular} {index}"), format!("{error}; the file is damaged, export it again"))
        })
    };
    list.iter().enumerate().map(read).collect()
}

fn split(bytes: &[u8]) -> Outcome<(&[u8], Option<&[u8]>)> {
    if !bytes.starts_with(b"glTF") {
        return Ok((bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes), None));
    }
    let word = |at: usize| -> Option<u32> { Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?)) };
    let cut = |at: usize| Fault::new(format!("byte {at}"), "the file is cut off; download or export it again");
    match word(4).ok_or_else(|| cut(bytes.len()))? {
        2 => {}
        version => {
            let problem = format!("binary glTF version {version} is not supported; export as glTF 2.0");
            return Err(Fault::new("byte 4", problem));
        }
    }
    let total = word(8).ok_or_else(|| cut(bytes.len()))? as usize;
    if total > bytes.len() {
        let problem = format!("the file is cut off: its header states {total} bytes; download or export it again");
        return Err(Fault::new(format!("byte {}", bytes.len()), problem));
    }
    let (mut text, mut blob, mut at) = (None, None, 12);
    while at + 8 <= total {
        let (length, kind) = (word(at).unwrap_or(0) as usize, &bytes[at + 4..at + 8]);
        let chunk = (at + 8).checked_add(length).filter(|&end| end <= total).and_then(|end| bytes.get(at + 8..end));
        let Some(chunk) = chunk else {
            let problem = format!(
                "the chunk's header states {length} bytes, more than are left in the file; export the file again"
            );
            return Err(Fault::new(format!("byte {at}"), problem));
        };
        match kind {
            b"JSON" if text.is_none() => text = Some(chunk),
            b"BIN\0" if blob.is_none() => blob = Some(chunk),
            _ => {}
        }
        at += 8 + length;
    }
    let text = text.ok_or_else(|| Fault::new("byte 12", "there is no JSON chunk; export the file again"))?;
    Ok((text, blob))
}

/// Returns the bytes of a data URI, in base64 or with percent escapes; `None` for other URIs.
pub(super) fn data_uri(uri: &str) -> Option<Result<Vec<u8>, String>> {
    let rest = uri.get(..5).filter(|scheme| scheme.eq_ignore_ascii_case("data:")).map(|_| &uri[5..])?;
    let Some((header, data)) = rest.split_once(',') else { return Some(Err("the data URI has no comma".to_owned())) };
    if header.to_ascii_lowercase().ends_with(";base64") {
        return Some(base64(data.as_bytes()));
    }
    Some(Ok(percent_decode(data)))
}

/// Decodes base64 in either alphabet, with or without padding and line breaks.
fn base64(text: &[u8]) -> Result<Vec<u8>, String> {
    const ENGINE: GeneralPurpose =
        GeneralPurpose::new(&alphabet::STANDARD, general_purpose::NO_PAD.with_decode_allow_trailing_bits(true));
    let plain = text.iter().filter(|byte| !b"=\r\n ".contains(byte)).map(|&byte| match byte {
        b'-' => b'+',
        b'_' => b'/',
        byte => byte,
    });
    ENGINE.decode(plain.collect::<Vec<u8>>()).map_err(|error| format!("the data URI is not base64: {error}"))
}

pub(super) fn percent_decode(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).and_then(|&byte| (byte as char).to_digit(16));
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        match (bytes[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 3;
            }
            (byte, ..) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    out
}
