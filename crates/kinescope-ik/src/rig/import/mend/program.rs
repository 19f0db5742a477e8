//! The order of repairs.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::document::Mend;
use crate::error::Fault;
use crate::rig::import::accessor::Store;
use crate::rig::import::container::Document;
use crate::rig::import::nodes::{SkinData, Tree};
use crate::rig::import::notes::{Notes, Outcome};

/// Returns the repaired document, its buffer, and notes on the changes. An error if a node, skin, accessor or buffer
/// view is not an object.
pub(crate) fn mend(
    document: &Document,
    store: &mut Store,
    tree: &Tree,
    skins: &[SkinData],
) -> Outcome<(Value, Vec<u8>, Vec<String>)> {
    // serde would accept a list as an object, field by field; in a model that is damage.
    for (key, name) in [("nodes", "node"), ("skins", "skin"), ("accessors", "accessor"), ("bufferViews", "buffer view")]
    {
        if let Some(at) = document.array(key).iter().position(|value| !value.is_object()) {
            return Err(Fault::new(format!("{name} {at}"), "must be an object; the file is damaged, export it again"));
        }
    }
    let mut mend = Mend {
        document,
        store,
        root: document.root.clone(),
        bytes: Vec::new(),
        notes: Notes::default(),
        uses: BTreeMap::new(),
        done: BTreeSet::new(),
    };
    mend.lists();
    mend.buffers();
    mend.images();
    mend.textures();
    mend.materials();
    mend.meshes(skins);
    mend.nodes(tree);
    mend.scenes(tree);
    mend.skins(tree, skins);
    mend.animations();
    mend.accessors();
    mend.strides();
    mend.extensions();
    tidy(&mut mend.root);
    Ok((mend.root, mend.bytes, mend.notes.finish()))
}

/// Removes fields that glTF forbids: empty lists, nulls, `name` that is not text, and `extensions` that is not an
/// object. Keeps everything within extras and within extensions.
fn tidy(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(tidy),
        Value::Object(object) => {
            object.retain(|key, value| {
                if key == "extras" || key == "extensions" && value.is_object() {
                    return true;
                }
                tidy(value);
                let is_odd = key == "extensions" || key == "name" && !value.is_string();
                !(is_odd || value.is_null() || value.as_array().is_some_and(Vec::is_empty))
            });
        }
        _ => {}
    }
}
