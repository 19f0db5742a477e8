//! Helpers for writing a glTF document.

use serde_json::{Value, json};

use super::super::pose::LocalTransform;
use crate::math::exact_unit;

pub(super) fn place(node: &mut Value, local: &LocalTransform) {
    if let Some(node) = node.as_object_mut() {
        node.remove("matrix");
        node.insert("translation".to_owned(), json!(local.translation.to_array()));
        node.insert("rotation".to_owned(), json!(exact_unit(local.rotation).to_array()));
        node.insert("scale".to_owned(), json!(local.scale.to_array()));
    }
}

pub(super) fn push(root: &mut Value, list: &str, value: Value) -> usize {
    if !root[list].is_array() {
        root[list] = json!([]);
    }
    match &mut root[list] {
        Value::Array(list) => {
            list.push(value);
            list.len() - 1
        }
        _ => 0,
    }
}

pub(super) fn view(root: &mut Value, buffer: &mut Vec<u8>, bytes: &[u8]) -> usize {
    buffer.resize(buffer.len().next_multiple_of(4), 0);
    let offset = buffer.len();
    buffer.extend_from_slice(bytes);
    push(root, "bufferViews", json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() }))
}

/// Returns a binary glTF file of JSON and, if there are any, bytes; an error beyond 4 GiB.
pub(super) fn glb(mut json: Vec<u8>, mut bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    json.resize(json.len().next_multiple_of(4), b' ');
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let chunks = [(b"JSON", json), (b"BIN\0", bytes)];
    let chunks = || chunks.iter().filter(|(_, content)| !content.is_empty());
    let length = |bytes: usize| {
        u32::try_from(bytes).map_err(|_| {
            "a binary glTF file has at most 4 GiB; use a smaller model, or fewer or shorter clips".to_owned()
        })
    };
    let mut file = b"glTF".to_vec();
    file.extend(2u32.to_le_bytes());
    file.extend(length(12 + chunks().map(|(_, content)| 8 + content.len()).sum::<usize>())?.to_le_bytes());
    for (kind, content) in chunks() {
        file.extend(length(content.len())?.to_le_bytes());
        file.extend(*kind);
        file.extend(content);
    }
    Ok(file)
}
