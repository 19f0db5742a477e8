//! Clips of another file, retargeted to the character. They are listed behind the character's own clips.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::character::preset_model::relative;
use crate::character::{BuiltIn, Character, find_clip};
use crate::system::files;
use kinescope_ik::animation::Clip;
use kinescope_ik::retarget::{Actor, Map, Places, Roles, Sampler, SourcePose};
use kinescope_ik::rig::{BoneIndex, LocalPose, Model};

/// Section `motion_file` of a preset: the file whose clips are retargeted to the character.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MotionReference {
    /// The file, relative to the folder of the preset's file, `/` between folders; empty without a motion file and for a
    /// built-in character.
    pub path: String,
    /// The file's name, for messages. With an empty path the name of a built-in character, `mannequin` or `faun`, whose
    /// clips are retargeted.
    pub name: String,
}

impl MotionReference {
    /// Returns the reference to a file.
    pub fn to(path: &Path) -> Self {
        let absolute = files::absolute(path).unwrap_or_else(|| path.to_owned());
        Self { path: absolute.display().to_string(), name: files::name_of(path) }
    }

    /// Returns the reference to the clips of a built-in character.
    pub fn to_built_in(built_in: BuiltIn) -> Self {
        Self { path: String::new(), name: built_in.name().to_owned() }
    }

    /// Returns the built-in character whose clips are retargeted.
    pub fn built_in(&self) -> Option<BuiltIn> {
        BuiltIn::ALL.into_iter().find(|built_in| self.path.is_empty() && self.name == built_in.name())
    }

    /// Returns whether the reference names no clips.
    pub fn is_none(&self) -> bool {
        self.path.is_empty() && self.built_in().is_none()
    }

    /// Returns whether both references name the same clips. The name of a file does not matter.
    pub fn is_same(&self, other: &Self) -> bool {
        self.path == other.path && self.built_in() == other.built_in()
    }

    /// Returns the file; `None` without a motion file and for a built-in character.
    pub fn file(&self) -> Option<PathBuf> {
        (!self.path.is_empty()).then(|| PathBuf::from(&self.path))
    }

    /// Returns the reference for a preset at `preset`.
    #[must_use]
    pub fn relative_to(&self, preset: &Path) -> Self {
        let path = self.file().and_then(|file| relative(&file, preset));
        Self { path: path.unwrap_or_else(|| self.path.clone()), ..self.clone() }
    }

    /// Returns the reference of a preset that was read from `preset`.
    #[must_use]
    pub fn found_from(&self, preset: &Path) -> Self {
        match (self.file(), preset.parent()) {
            (Some(file), Some(folder)) if file.is_relative() => {
                Self { path: Self::to(&folder.join(file)).path, ..self.clone() }
            }
            _ => self.clone(),
        }
    }
}

/// A file with clips, read once.
pub struct MotionSource {
    pub reference: MotionReference,
    model: Arc<Model>,
    /// The character that it was read as, without a solver.
    roles: Roles,
    reference_pose: Vec<kinescope_ik::rig::RigidTransform>,
    facing: glam::Vec3,
    rest: LocalPose,
    parents: Arc<Vec<Option<BoneIndex>>>,
}

impl MotionSource {
    /// Takes the clips of a loaded file.
    ///
    /// # Errors
    /// One line: the file has no clips.
    pub fn of(character: &Character) -> Result<Self, String> {
        let (model, detection) = (&character.model, &character.detection);
        if model.clips.is_empty() {
            return Err(format!("{}: has no clips. Choose a file with an animation", model.name));
        }
        let parents = model.skeleton.bones().iter().map(|bone| bone.parent).collect();
        Ok(Self {
            reference: match character.built_in_kind() {
                Some(built_in) => MotionReference::to_built_in(built_in),
                None => character.path.as_deref().map(MotionReference::to).unwrap_or_default(),
            },
            model: model.clone(),
            roles: Roles::of_findings(&detection.roles),
            reference_pose: detection.reference.bones.clone(),
            facing: detection.facing,
            rest: character.rest.clone(),
            parents: Arc::new(parents),
        })
    }

    /// Returns the file's name.
    pub fn name(&self) -> &str {
        &self.model.name
    }

    /// Returns the index of a clip of the file.
    ///
    /// # Errors
    /// No clip has that name. The message lists the existing clips.
    pub fn find_clip(&self, name: &str) -> Result<usize, String> {
        find_clip(&self.model.clips, name).map_err(|message| format!("{}: {message}", self.name()))
    }

    fn actor(&self) -> Actor<'_> {
        Actor {
            skeleton: &self.model.skeleton,
            roles: &self.roles,
            reference: &self.reference_pose,
            rest: &self.rest,
            facing: self.facing,
            humanoid: &self.model.humanoid,
        }
    }
}

/// The clips of a [`MotionSource`] on a character.
#[derive(Clone)]
pub struct MotionFile {
    pub source: Arc<MotionSource>,
    map: Arc<Map>,
    /// Index of the first retargeted clip among the character's clips.
    first: usize,
    /// The factor of the path with which the clips were retargeted.
    path: f32,
}

impl MotionFile {
    /// Maps a source to a character, whose clips end before the retargeted ones.
    pub(super) fn new(source: Arc<MotionSource>, character: &Character) -> Result<Self, String> {
        let roles = Roles::of_findings(&character.detection.roles);
        let target = Actor::of_model(&character.model, &character.detection, &roles, &character.rest);
        let map = Map::new(&source.actor(), &target).map_err(|fault| format!("{}: {fault}", source.name()))?;
        Ok(Self { map: Arc::new(map), first: character.model.clips.len(), path: f32::NAN, source })
    }

    /// Returns the retargeted clips if they have to be made for a factor of the path.
    pub(super) fn clips(&mut self, character: &Character, path: f32) -> Option<Vec<Clip>> {
        if self.path == path {
            return None;
        }
        self.path = path;
        let (source, own) = (&self.source, (&*character.model.skeleton, &character.rest));
        let named = |clip: &Clip| {
            let new = self.map.retarget_clip(clip, path, (&source.model.skeleton, &source.rest), own);
            Clip { name: format!("{}: {}", source.name(), clip.name), ..new }
        };
        Some(source.model.clips.iter().map(named).collect())
    }

    /// Returns the index of the first retargeted clip.
    pub const fn first(&self) -> usize {
        self.first
    }

    /// Returns the source's pose at a time in a clip of the character, and the places of its feet and hands; `None` for
    /// the character's own clips.
    pub fn pose_at(&self, clip: usize, time: f32, sampler: &mut Sampler) -> Option<(SourcePose, Places)> {
        let source = &self.source;
        let clip = source.model.clips.get(clip.checked_sub(self.first)?)?;
        let pose = sampler.sample(clip, time, &source.model.skeleton, &source.rest).to_vec();
        let places = self.map.places(&pose);
        Some((SourcePose { map: self.map.clone(), pose, parents: source.parents.clone(), path: self.path }, places))
    }
}

impl Character {
    /// Adds the clips of a file, in place of those of another file.
    ///
    /// # Errors
    /// One line: roles are missing, in which case the clips of the other file are removed too.
    pub fn add_motion(&mut self, source: Arc<MotionSource>) -> Result<(), String> {
        self.remove_motion();
        self.motion = Some(MotionFile::new(source, self)?);
        self.fit_motion(1.0);
        Ok(())
    }

    /// Removes the clips of another file.
    pub fn remove_motion(&mut self) {
        if let Some(motion) = self.motion.take() {
            Arc::make_mut(&mut self.model).clips.truncate(motion.first);
        }
    }

    /// Retargets the clips again if the factor of the path differs. Returns whether it did.
    pub fn fit_motion(&mut self, path: f32) -> bool {
        let Some(mut motion) = self.motion.take() else { return false };
        let clips = motion.clips(self, path);
        let is_new = clips.is_some();
        if let Some(clips) = clips {
            let all = &mut Arc::make_mut(&mut self.model).clips;
            all.truncate(motion.first);
            all.extend(clips);
        }
        self.motion = Some(motion);
        is_new
    }

    /// Maps the clips of the other file again, after the roles have changed.
    pub(super) fn map_motion(&mut self) {
        if let Some(motion) = self.motion.take() {
            Arc::make_mut(&mut self.model).clips.truncate(motion.first);
            // Without a pelvis there are no clips; the rig doctor reports the missing role.
            let _ = self.add_motion(motion.source);
        }
    }
}
