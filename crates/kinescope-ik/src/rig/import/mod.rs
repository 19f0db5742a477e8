//! Reading .glb, .gltf and .vrm from memory into a [`Model`].
//!
//! The library opens no files: buffers and textures outside the bytes handed in come through a callback. Nothing in a
//! file is trusted. Indices, lengths and numbers are checked before they are used, trees are walked without recursion
//! and the sum of what is decoded is bounded, so that a hostile file ends in an [`ImportError`], never in a panic, a
//! hang or an exhausted memory. What is merely odd (a missing texture, weights that do not sum to 1) is repaired and
//! told in [`Model::notes`].
//!
//! Model space is the scene space of the file: right-handed, +Y up. Bones are the joints of the skins, the bones of a
//! VRM humanoid map, what hangs below joints without a mesh, meshes that go on where a joint ends, and all their
//! ancestors; in a file without skins every node that is not merely a mesh on a bone. They come in depth-first order,
//! siblings by their index in the file.

mod accessor;
mod bind;
mod clips;
mod container;
mod geometry;
mod materials;
mod mend;
mod nodes;
mod source;

use std::collections::HashMap;

use super::model::Model;
use crate::error::Fault;
use accessor::Store;
use container::Document;
pub use source::Source;

/// Why a file could not be read. One line: the file, the place in it, what is wrong and what helps.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{file}: {fault}")]
pub struct ImportError {
    /// The name handed to [`import`].
    pub file: String,
    /// Its place is as in `accessor 12` or `node 7`; empty where it is the whole file.
    pub fault: Fault,
}

type Outcome<T> = Result<T, Fault>;

/// Sentences for [`Model::notes`]; a flood of the same kind is counted, not listed.
#[derive(Default)]
struct Notes {
    list: Vec<String>,
    dropped: usize,
}

impl Notes {
    const MOST: usize = 40;

    fn add(&mut self, note: impl Into<String>) {
        let note = one_line(&note.into());
        if self.list.contains(&note) {
            return;
        }
        if self.list.len() < Self::MOST {
            self.list.push(note);
        } else {
            self.dropped += 1;
        }
    }

    fn finish(mut self) -> Vec<String> {
        if self.dropped > 0 {
            self.list.push(format!("{} more notes like these are not shown", self.dropped));
        }
        self.list
    }
}

/// Control characters become spaces: names in files must not break the one line of an error.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Reads a .glb, .gltf or .vrm (0.x and 1.0) file.
///
/// `name` is the file's name, for [`Model::name`] and messages. `read_buffer` is asked for every file that `bytes`
/// refers to, by its percent-decoded URI, relative to the file's folder; whether a URI may leave that folder is the
/// caller's decision. A buffer that cannot be read is an error if anything but textures needs it.
///
/// # Errors
/// [`ImportError`] if the file is no glTF 2.0, is cut off, contradicts itself, or holds numbers no model can have.
pub fn import(
    name: &str,
    bytes: &[u8],
    read_buffer: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<Model, ImportError> {
    read(name, bytes, read_buffer).map_err(|fault| told(name, &fault))
}

/// In one line, whatever names the file has in it.
fn told(file: &str, fault: &Fault) -> ImportError {
    let fault = Fault::new(one_line(&fault.place), one_line(&fault.problem.to_string()));
    ImportError { file: one_line(file), fault }
}

fn read(name: &str, bytes: &[u8], read_buffer: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>) -> Outcome<Model> {
    let mut notes = Notes::default();
    let (document, blob) = Document::parse(bytes, &mut notes)?;
    let mut store = Store::new(&document, blob, read_buffer);

    let tree = nodes::Tree::read(&document, &mut notes)?;
    let skins = nodes::read_skins(&document, &tree, &mut store, &mut notes)?;
    let rig = nodes::Rig::build(&document, &tree, &skins, &mut notes)?;
    let bind = bind::pose(&tree, &skins, &rig, &mut notes);
    let materials = materials::read(&document, &mut store, &mut notes);
    let meshes = geometry::read(&document, &tree, &skins, &rig, &mut store, &mut notes)?;
    let clips = clips::read(&document, &rig, &mut store, &mut notes)?;
    let is_unturned = |&bone: &usize| nodes::is_unturned(&document.nodes[rig.node_of_bone[bone]]);
    let unturned = (0..rig.skeleton.len()).filter(is_unturned).collect();

    Ok(Model {
        name: name.to_owned(),
        skeleton: rig.skeleton.into(),
        bind,
        meshes,
        materials: materials.materials,
        images: materials.images,
        clips,
        humanoid: rig.humanoid,
        unturned,
        notes: notes.finish(),
    })
}

/// Makes names unique: `unnamed N` for an empty one, ` (N)` behind one that is taken, N being `index`.
#[derive(Default)]
struct UniqueNames {
    taken: HashMap<String, ()>,
}

impl UniqueNames {
    fn take(&mut self, name: Option<&str>, unnamed: &str, index: usize) -> String {
        let wanted = match name.map(one_line) {
            Some(name) if !name.trim().is_empty() => name,
            _ => format!("{unnamed} {index}"),
        };
        let mut unique = wanted.clone();
        // The index is unique, so a second round is needed only if a name in the file looks like such a repair.
        let mut round = 0;
        while self.taken.contains_key(&unique) {
            unique = if round == 0 { format!("{wanted} ({index})") } else { format!("{wanted} ({index}.{round})") };
            round += 1;
        }
        self.taken.insert(unique.clone(), ());
        unique
    }
}
