//! Clips of another file, retargeted to the character. They are listed behind the character's own clips.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::character::preset_model::relative;
use crate::character::{BuiltIn, Character, find_clip};
use crate::system::files;
use kinescope_ik::animation::Clip;
use kinescope_ik::key::label;
use kinescope_ik::locomotion::Stride;
use kinescope_ik::retarget::{Actor, Map, Places, Roles, Sampler, SourcePose, carry_morphs};
use kinescope_ik::rig::detect::{Detection, MappedBones, Mapping, ReferenceChoice, detect_in_slices};
use kinescope_ik::rig::{BoneIndex, LocalPose, Model, Role, Skeleton};
use kinescope_ik::slices::{finish, pause};

/// Section `motion_file` of a preset: the file whose clips are retargeted to the character.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MotionReference {
    /// Path of the file, relative to the preset's folder, with `/` as separator. Empty if there is no motion file or
    /// if it is a built-in character.
    pub path: String,
    /// The file's name, shown in messages and before the names of its clips. With an empty path the name of a built-in
    /// character, `mannequin` or `faun`, whose clips are retargeted.
    pub name: String,
    /// Replaces detected roles: maps a role to the name of a bone of the file, the role `spine` to a list of names,
    /// or a role to `null` for no bone.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub roles: BTreeMap<Role, MappedBones>,
}

impl MotionReference {
    pub(crate) fn to(path: &Path) -> Self {
        let absolute = files::absolute(path).unwrap_or_else(|| path.to_owned());
        Self { path: absolute.display().to_string(), name: files::name_of(path), ..Self::default() }
    }

    pub(crate) fn to_built_in(built_in: BuiltIn) -> Self {
        Self { name: built_in.name().to_owned(), ..Self::default() }
    }

    pub fn built_in(&self) -> Option<BuiltIn> {
        BuiltIn::ALL.into_iter().find(|built_in| self.path.is_empty() && self.name == built_in.name())
    }

    pub fn clip(&self, name: &str) -> String {
        format!("{}: {name}", self.name)
    }

    pub fn is_none(&self) -> bool {
        self.path.is_empty() && self.built_in().is_none()
    }

    /// Ignores the roles, and the name of a file.
    pub(crate) fn is_same_file(&self, other: &Self) -> bool {
        self.path == other.path && self.built_in() == other.built_in()
    }

    pub fn is_same(&self, other: &Self) -> bool {
        self.is_same_file(other) && self.roles == other.roles
    }

    pub fn mapping(&self) -> Mapping {
        Mapping { roles: self.roles.clone(), root_node: None }
    }

    pub fn file(&self) -> Option<PathBuf> {
        (!self.path.is_empty()).then(|| PathBuf::from(&self.path))
    }
    #[must_use]
    pub(crate) fn relative_to(&self, preset: &Path) -> Self {
        let path = self.file().and_then(|file| relative(&file, preset));
        Self { path: path.unwrap_or_else(|| self.path.clone()), ..self.clone() }
    }

    /// Returns the reference with its file's path made absolute: a relative path starts at the folder of the preset's
    /// file `preset`.
    #[must_use]
    pub(crate) fn found_from(&self, preset: &Path) -> Self {
        match (self.file(), preset.parent()) {
            (Some(file), Some(folder)) if file.is_relative() => {
                Self { path: Self::to(&folder.join(file)).path, ..self.clone() }
            }
            _ => self.clone(),
        }
    }
}

/// A motion file or built-in character with clips. Kept, so that other roles or another character need not read the
/// file again.
pub struct MotionSource {
    pub reference: MotionReference,
    model: Arc<Model>,
    pub detection: Detection,
    roles: Roles,
    rest: LocalPose,
    parents: Arc<Vec<Option<BoneIndex>>>,
}

impl MotionSource {
    pub fn of(character: &Character) -> Result<Self, String> {
        let (model, roles) = (&character.model, &character.mapped().0.roles);
        if model.clips.is_empty() {
            return Err(format!("{}: has no clips. Choose a file with an animation", model.name));
        }
        let reference = match character.built_in_kind() {
            Some(built_in) => MotionReference::to_built_in(built_in),
            None => character.path.as_deref().map(MotionReference::to).unwrap_or_default(),
        };
        let reference = MotionReference { roles: roles.clone(), ..reference };
        has_bones(model, &reference)?;
        let parents = Arc::new(model.skeleton.bones().iter().map(|bone| bone.parent).collect());
        Ok(Self::new((reference, model.clone(), parents), character.rest.clone(), character.detection.clone()))
    }

    fn new(
        (reference, model, parents): (MotionReference, Arc<Model>, Arc<Vec<Option<BoneIndex>>>),
        rest: LocalPose,
        detection: Detection,
    ) -> Self {
        Self { reference, roles: Roles::of_findings(&detection.roles), model, detection, rest, parents }
    }

    pub async fn with_roles_of(&self, reference: MotionReference) -> Result<Self, String> {
        has_bones(&self.model, &reference)?;
        let detection = detect_in_slices(&self.model, &reference.mapping(), ReferenceChoice::Auto).await;
        Ok(Self::new((reference, self.model.clone(), self.parents.clone()), self.rest.clone(), detection))
    }

    pub fn model(&self) -> &Model {
        &self.model
    }

    pub fn name(&self) -> &str {
        &self.model.name
    }

    pub fn find_clip(&self, name: &str) -> Result<usize, String> {
        find_clip(&self.model.clips, name).map_err(|message| format!("{}: {message}", self.name()))
    }

    fn actor(&self) -> Actor<'_> {
        Actor {
            skeleton: &self.model.skeleton,
            roles: &self.roles,
            reference: &self.detection.reference.bones,
            rest: &self.rest,
            facing: self.detection.facing,
            humanoid: &self.model.humanoid,
        }
    }
}

fn has_bones(model: &Model, reference: &MotionReference) -> Result<(), String> {
    for (role, bones) in &reference.roles {
        if let Some(bone) = bones.0.iter().find(|bone| model.skeleton.find(bone).is_none()) {
            return Err(format!(
                "{}: motion_file.roles.{}: the file has no bone {bone:?}. Choose another bone as {}, or remove the role",
                model.name,
                role.key(),
                label(role.key())
            ));
        }
    }
    Ok(())
}

#[derive(Clone)]
pub struct MotionFile {
    pub source: Arc<MotionSource>,
    /// The map from the source's poses to the character's; an error of one line if file or character lacks a pelvis.
    map: Result<Arc<Map>, String>,
    /// Index of the first retargeted clip among the character's clips.
    first: usize,
    /// The factor of the path with which the clips were retargeted. NaN before the first time, and if [`Self::outdate`]
    /// was called since.
    path: f32,
    /// The measures of the clips, if a background job has measured them.
    strides: Vec<Stride>,
}

pub struct RetargetedMotion {
    motion: MotionFile,
    pub clips: Vec<Clip>,
    skeleton: Arc<Skeleton>,
    mapped: (Mapping, ReferenceChoice),
}

/// The part of the progress that retargeting takes. Measuring the clips takes the rest.
const RETARGETED: f32 = 0.7;

impl RetargetedMotion {
    /// Retargets the clips of a source, with a factor of their path, and measures them in
    /// [slices](kinescope_ik::slices). Reports progress from 0 to 1.
    pub async fn make_in_slices(
        source: Arc<MotionSource>,
        character: &Character,
        path: f32,
        progress: &mut dyn FnMut(f32),
    ) -> Self {
        let mut motion = MotionFile::new(source, character);
        pause().await;
        let made = motion.clips_in_slices(character, path, &mut |done| progress(done * RETARGETED)).await;
        let clips = made.unwrap_or_default();
        if let Some(mut walker) = character.walker_without_clips() {
            for (index, clip) in clips.iter().enumerate() {
                walker.measure(&character.model.skeleton, &character.rest, clip);
                progress(RETARGETED + (1.0 - RETARGETED) * (index + 1) as f32 / clips.len() as f32);
                pause().await;
            }
            motion.strides = walker.strides;
        }
        Self { motion, clips, skeleton: character.model.skeleton.clone(), mapped: character.mapped().clone() }
    }

    pub(crate) fn source(&self) -> &Arc<MotionSource> {
        &self.motion.source
    }
}

impl MotionFile {
    /// Maps a source to a character. The retargeted clips will follow all clips that the character has now.
    pub(super) fn new(source: Arc<MotionSource>, character: &Character) -> Self {
        let roles = Roles::of_findings(&character.detection.roles);
        let target = Actor::of_model(&character.model, &character.detection, &roles, &character.rest);
        let map = Map::new(&source.actor(), &target).map(Arc::new);
        let map = map.map_err(|fault| format!("{}: {fault}", source.name()));
        Self { map, first: character.model.clips.len(), path: f32::NAN, strides: Vec::new(), source }
    }

    /// Returns why there are no retargeted clips: the file or the character lacks a pelvis. `None` if there are such
    /// clips.
    pub fn problem(&self) -> Option<&str> {
        self.map.as_ref().err().map(String::as_str)
    }

    /// Returns the character's leg length divided by the source's; `None` without retargeted clips.
    pub fn scale(&self) -> Option<f32> {
        self.map.as_ref().ok().map(|map| map.scale())
    }

    /// Returns the clips retargeted with a factor of the path; `None` if they were made with this factor last, or
    /// cannot be made.
    fn clips(&mut self, character: &Character, path: f32) -> Option<Vec<Clip>> {
        finish(self.clips_in_slices(character, path, &mut |_| {}))
    }

    async fn clips_in_slices(
        &mut self,
        character: &Character,
        path: f32,
        progress: &mut dyn FnMut(f32),
    ) -> Option<Vec<Clip>> {
        let map = self.map.clone().ok().filter(|_| self.path != path)?;
        self.path = path;
        self.strides.clear();
        let (source, own) = (&self.source, (&*character.model.skeleton, &character.rest));
        let (from, all) = ((&*source.model.skeleton, &source.rest), &source.model.clips);
        let mut clips = Vec::with_capacity(all.len());
        for (index, clip) in all.iter().enumerate() {
            let mut made = |done: f32| progress((index as f32 + done) / all.len() as f32);
            let mut new = map.retarget_clip_in_slices(clip, path, from, own, &mut made).await;
            let (morphs, dropped) = carry_morphs(clip, &source.model.morphs, &character.model.morphs);
            new.skipped.extend(dropped);
            clips.push(Clip { name: format!("{}: {}", source.name(), clip.name), morphs, ..new });
        }
        Some(clips)
    }

    /// Makes the next call of [`Self::clips`] retarget the clips again, as needed after a change of the character's
    /// morph targets.
    pub(super) fn outdate(&mut self) {
        self.path = f32::NAN;
    }

    pub fn strides(&self) -> &[Stride] {
        &self.strides
    }

    pub const fn first(&self) -> usize {
        self.first
    }

    /// Returns the source's pose at a time in a clip of the character, and the places of its feet and hands; `None` for
    /// the character's own clips, and if nothing could be mapped.
    pub fn pose_at(&self, clip: usize, time: f32, sampler: &mut Sampler) -> Option<(SourcePose, Places)> {
        let (source, map) = (&self.source, self.map.as_ref().ok()?);
        let clip = source.model.clips.get(clip.checked_sub(self.first)?)?;
        let pose = sampler.sample(clip, time, &source.model.skeleton, &source.rest).to_vec();
        let places = map.places(&pose);
        Some((SourcePose { map: map.clone(), pose, parents: source.parents.clone(), path: self.path }, places))
    }
}

impl Character {
    /// Adds the clips of a file, which replace those of the previous file. If the file or the character lacks a
    /// pelvis, this fails, and the file stays without clips until the roles change.
    pub fn add_motion(&mut self, source: Arc<MotionSource>) -> Result<(), String> {
        self.remove_motion_clips();
        let motion = MotionFile::new(source, self);
        let problem = motion.problem().map(str::to_owned);
        self.motion = Some(motion);
        self.fit_motion(1.0);
        self.sample_clips();
        problem.map_or(Ok(()), Err)
    }

    /// Adds clips that a background job has retargeted, in place of those of another file. Retargets them again if the
    /// character's skeleton or roles have changed meanwhile. Fails if file or character lacks a pelvis, as
    /// [`Self::add_motion`] does.
    pub fn take_motion(&mut self, made: RetargetedMotion) -> Result<(), String> {
        let RetargetedMotion { mut motion, clips, skeleton, mapped } = made;
        if !Arc::ptr_eq(&skeleton, &self.model.skeleton) || mapped != self.mapped {
            return self.add_motion(motion.source);
        }
        self.remove_motion_clips();
        motion.first = self.model.clips.len();
        Arc::make_mut(&mut self.model).clips.extend(clips);
        let problem = motion.problem().map(str::to_owned);
        self.motion = Some(motion);
        self.sample_clips();
        problem.map_or(Ok(()), Err)
    }

    pub(crate) fn remove_motion(&mut self) {
        if self.remove_motion_clips().is_some() {
            self.sample_clips();
        }
    }

    /// Removes the clips of the motion file, without sampling the others.
    fn remove_motion_clips(&mut self) -> Option<MotionFile> {
        let motion = self.motion.take()?;
        Arc::make_mut(&mut self.model).clips.truncate(motion.first);
        Some(motion)
    }

    /// Samples all clips again for joint limits from clips.
    fn sample_clips(&mut self) {
        self.rig = self.rig.clone().with_clips(&self.rest, &self.model.clips);
    }

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

    pub(super) fn map_motion(&mut self) {
        if let Some(motion) = self.remove_motion_clips() {
            // Without a pelvis this fails, and there are no clips.
            let _ = self.add_motion(motion.source);
        }
    }
}
