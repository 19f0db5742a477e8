//! Section `model` of a preset: the character that the preset was made with.
//!
//! ```json
//! "model": { "path": "../characters/hero.glb", "name": "hero.glb", "skeleton": "9f2c01b47d5e38a6" }
//! ```
//!
//! | field | meaning | default |
//! |---|---|---|
//! | `path` | the model's file, relative to the folder of the preset's file, `/` between folders; null for a built-in character, and for the bones of a trace, a capsule or a game | null |
//! | `name` | the model's name: its file name; `mannequin` or `faun` for a built-in character | empty |
//! | `skeleton` | a hash over the names and the parents of the bones, 16 hexadecimal digits | not compared |
//!
//! A preset without this section opens on the character that is shown.

use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::character::{BuiltIn, Character};
use crate::system::files::{self, SizeLimit};
use kinescope_ik::error::Fault;
use kinescope_ik::fnv1a::Fnv1a;
use kinescope_ik::preset::Preset;
use kinescope_ik::rig::Skeleton;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PresetModel {
    pub path: Option<String>,
    pub name: String,
    pub skeleton: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelFile {
    BuiltIn(BuiltIn),
    Path(PathBuf),
}

/// Returns the hash of `skeleton`: FNV-1a over name and parent of every bone, in order.
pub fn skeleton_hash(skeleton: &Skeleton) -> String {
    let mut hash = Fnv1a::new();
    for bone in skeleton.bones() {
        hash.bytes(bone.name.as_bytes());
        // A zero byte ends each name, so that "ab", "c" and "a", "bc" differ.
        hash.bytes(&[0]);
        let parent = bone.parent.map_or(-1, |parent| parent as i64);
        hash.bytes(&parent.to_le_bytes());
    }
    format!("{:016x}", hash.0)
}

impl PresetModel {
    pub fn of(character: &Character, preset: &Path) -> Self {
        Self {
            path: character.path.as_deref().and_then(|model| relative(model, preset)),
            name: character.model.name.clone(),
            skeleton: Some(skeleton_hash(&character.model.skeleton)),
        }
    }

    pub fn of_preset(preset: &Preset) -> Result<Option<Self>, Fault> {
        let model: Self = preset.section("model")?;
        Ok(Some(model).filter(|model| model.path.is_some() || !model.name.is_empty()))
    }

    pub fn in_file(preset: &Path) -> Option<Self> {
        #[derive(Deserialize)]
        struct Head {
            format: String,
            model: Option<PresetModel>,
        }
        let text = files::read_text(preset, SizeLimit::PRESET).ok()?;
        let head: Head = serde_json::from_str(&text).ok()?;
        head.model.filter(|_| head.format == kinescope_ik::preset::FORMAT)
    }

    pub fn load(&self, preset: &Path) -> Result<Character, String> {
        match self.file(preset)? {
            ModelFile::BuiltIn(built_in) => Character::from_built_in(built_in),
            ModelFile::Path(path) => Character::load(&path),
        }
    }

    pub fn file(&self, preset: &Path) -> Result<ModelFile, String> {
        match self.built_in() {
            Some(built_in) => Ok(ModelFile::BuiltIn(built_in)),
            None => self.find(preset).map(ModelFile::Path),
        }
    }

    pub fn find(&self, preset: &Path) -> Result<PathBuf, String> {
        let Some(path) = &self.path else {
            return Err(format!(
                "{}: is not a built-in character and has no file. A preset saved while a trace, a capsule or a game was \
                shown has no model file",
                self.name
            ));
        };
        let places = self.places(preset);
        let found = places.iter().find(|place| files::exists(place));
        let expected = || places.first().map_or_else(|| path.clone(), |place| place.display().to_string());
        found.cloned().ok_or_else(|| format!("{}: there is no such file", expected()))
    }

    /// Returns possible paths of the file: relative to the preset's folder and, if the preset is a link, to its
    /// target's folder.
    fn places(&self, preset: &Path) -> Vec<PathBuf> {
        let Some(path) = &self.path else { return Vec::new() };
        let target = files::real(preset);
        let folders = [Some(preset), target.as_deref()].into_iter().flatten().filter_map(Path::parent);
        let mut places: Vec<PathBuf> = folders.map(|folder| folder.join(path)).collect();
        places.dedup();
        places
    }

    pub fn built_in(&self) -> Option<BuiltIn> {
        let named = |built_in: &BuiltIn| built_in.name() == self.name;
        BuiltIn::ALL.into_iter().find(named).filter(|_| self.path.is_none())
    }

    pub(crate) fn is_character(&self, character: &Character, preset: &Path) -> bool {
        match (&self.path, &character.path) {
            (Some(_), Some(own)) => self.places(preset).iter().any(|place| files::is_same(place, own)),
            (None, None) => match self.built_in() {
                Some(built_in) => character.built_in_kind() == Some(built_in),
                None => self.name == character.model.name && self.has_skeleton_of(character),
            },
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    /// Returns whether the preset may be saved with this character without asking. True if the section describes the
    /// character. Also true if the model's file is missing, unless the character is built in, or has another name or
    /// other bones than the section.
    pub(crate) fn may_be_saved_with(&self, character: &Character, preset: &Path) -> bool {
        let is_gone = character.built_in_kind().is_none() && self.find(preset).is_err();
        let is_alike = self.name == character.model.name && self.has_skeleton_of(character);
        self.is_character(character, preset) || (is_gone && is_alike)
    }

    /// Returns true if the preset has no hash.
    pub(crate) fn has_skeleton_of(&self, character: &Character) -> bool {
        self.skeleton.as_ref().is_none_or(|hash| *hash == skeleton_hash(&character.model.skeleton))
    }

    /// Describes how a character differs from the preset's model, as the end of a sentence about the preset. Returns `None`
    /// if the character is that model, unless the hash shows that its bones have changed.
    pub fn difference(&self, character: &Character, preset: &Path) -> Option<String> {
        let (is_same, own) = (self.is_character(character, preset), &character.model.name);
        let made = match self.name.is_empty() {
            true => "another model",
            false => &self.name,
        };
        match (is_same, self.has_skeleton_of(character)) {
            (true, true) => None,
            (true, false) => {
                Some(format!("was made with {own} when its bones had other names or parents; check targets and roles"))
            }
            (false, true) if self.skeleton.is_none() => Some(format!(
                "was made with {made}; the character is {own}. Whether it has the same bones is not known, because the \
                preset has no hash of them: check targets and roles"
            )),
            (false, true) => Some(format!(
                "was made with {made}; the character is {own}, whose bones have the same names and parents"
            )),
            (false, false) => Some(format!(
                "was made with {made}; the character is {own}, which has other bones: check targets and roles"
            )),
        }
    }
}

pub(crate) fn no_model(preset: &Path, why: &str) -> String {
    format!("{}: model: {why}. Name the model on the command line", preset.display())
}

/// Returns a model's path relative to a preset's folder. On another drive the path is absolute.
pub fn relative(model: &Path, preset: &Path) -> Option<String> {
    // Links are resolved, because `..` after a link leads elsewhere.
    let folder_of = |path: &Path| {
        let path = files::absolute(path)?;
        let folder = path.parent()?;
        Some(files::real(folder).unwrap_or_else(|| folder.to_owned()))
    };
    let (from, to) = (folder_of(preset)?, folder_of(model)?.join(model.file_name()?));
    let (from, to): (Vec<Component>, Vec<Component>) = (from.components().collect(), to.components().collect());
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    if shared == 0 {
        return to.iter().collect::<PathBuf>().to_str().map(str::to_owned);
    }
    let up = from[shared..].iter().map(|_| Some(".."));
    let down = to[shared..].iter().map(|part| part.as_os_str().to_str());
    let parts: Option<Vec<&str>> = up.chain(down).collect();
    parts.map(|parts| parts.join("/"))
}
