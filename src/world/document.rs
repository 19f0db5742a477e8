use std::sync::Arc;

use crate::character::motion_file::MotionReference;
use crate::character::preset_model::PresetModel;
use crate::character::{Character, find_clip};
use crate::world::crowd::CrowdSection;
use crate::world::motion::{MotionSection, Plan};
use kinescope_ik::attach::{Anchor, Attachment};
use kinescope_ik::error::Fault;
use kinescope_ik::full_body::Settings;
use kinescope_ik::parameter::Unit;
use kinescope_ik::preset::Preset;
use kinescope_ik::rig::detect::{Mapping, ReferenceChoice};
use kinescope_ik::rig::{BoneIndex, Model};
use kinescope_ik::stack::{ChainSection, LabChain, Stack};
use kinescope_ik::terrain::Terrain;
use serde::{Deserialize, Serialize};

/// The settings that undo restores and a preset saves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    pub stack: Stack,
    pub mapping: Mapping,
    pub reference: ReferenceChoice,
    pub clip: ClipSection,
    pub motion: MotionSection,
    /// The terrain is shared with history and surface, so that other edits do not copy its heights.
    pub terrain: Option<Arc<Terrain>>,
    pub crowd: CrowdSection,
    pub motion_file: MotionReference,
}

/// Section `clip` of a preset: the clip that gives the animated pose, and its start time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ClipSection {
    /// Name of the clip; null is the rest pose.
    pub name: Option<String>,
    /// Time at which the clip starts, seconds.
    pub time: f32,
}

impl Document {
    /// The caller reads the sections `camera`, `view` and `model`.
    pub fn from_preset(preset: &Preset) -> Result<Self, Fault> {
        // An invalid `model` section is rejected here, so that callers need not check it.
        PresetModel::of_preset(preset)?;
        let stack = Stack::of_preset(preset)?;
        let motion: MotionSection = preset.section("motion")?;
        motion.validate()?;
        let clip: ClipSection = preset.section("clip")?;
        if !clip.time.is_finite() {
            let message = format!("is {}; it must be a {}", clip.time, Unit::Seconds.noun());
            return Err(Fault::new("clip.time", message));
        }
        let crowd: CrowdSection = preset.section("crowd")?;
        crowd.validate()?;
        let terrain = preset.sections.get("terrain").map(Terrain::from_section).transpose()?.map(Arc::new);
        Ok(Self {
            stack,
            mapping: preset.section("mapping")?,
            reference: preset.section("reference")?,
            clip,
            motion,
            terrain,
            crowd,
            motion_file: preset.section("motion_file")?,
        })
    }

    /// Returns a fault for the first bone or clip name that the model lacks, and the number of such names. Names in
    /// planned fades, and in chains, modifiers and pose layers that are off, do not count, nor does the name of a clip
    /// of the motion file in section `clip`.
    pub fn missing(&self, model: &Model) -> (Option<Fault>, usize) {
        let mut missing = Missing { model, first: None, count: 0 };
        for (role, bones) in &self.mapping.roles {
            missing.look_for_bones(&bones.0, || format!("mapping.{}", role.key()));
        }
        let root_node = self.mapping.root_node.as_slice();
        missing.look_for_bones(root_node, || "mapping.root_node".to_owned());
        let clip = self.clip.name.as_ref().filter(|name| !self.is_of_motion_file(name));
        missing.look_for_clips(clip, || "clip.name".to_owned());
        for (index, chain) in self.stack.chain_ik.chains.iter().enumerate().filter(|(_, chain)| !chain.off) {
            missing.look_for_bones(&chain.bones, || format!("chain_ik.chains[{index}].bones"));
        }
        if let Some(LabChain::Bones(bones)) = self.stack.chain_ik.lab.as_ref().map(|lab| &lab.chain) {
            missing.look_for_bones(bones, || "chain_ik.lab.chain.bones".to_owned());
        }
        for (effector, own) in self.stack.attachments.iter() {
            missing.look_for_anchor(own, || format!("attachments.{}.to.bone", effector.key()));
        }
        for (index, modifier) in self.stack.modifiers.iter().enumerate().filter(|(_, own)| own.is_on()) {
            if let Some(own) = modifier.attachment() {
                missing.look_for_anchor(own, || format!("modifiers[{index}].{}.attached.to.bone", modifier.key()));
            }
        }
        for (index, layer) in self.motion.layers.iter().enumerate().filter(|(_, layer)| !layer.off) {
            missing.look_for_clips([&layer.clip], || format!("motion.layers[{index}].clip"));
            missing.look_for_bones(&layer.under, || format!("motion.layers[{index}].under"));
        }
        missing.look_for_clips(&self.motion.gaits, || "motion.gaits".to_owned());
        (missing.first, missing.count)
    }
    pub(crate) fn is_of_motion_file(&self, clip: &str) -> bool {
        let file = &self.motion_file;
        !file.is_none() && clip.strip_prefix(&file.name).is_some_and(|rest| rest.starts_with(": "))
    }

    /// Returns a fault if the mapping's root node is neither the pelvis nor a spine bone of the character.
    pub(crate) fn wrong_root_node(&self, character: &Character) -> Option<Fault> {
        let wanted = self.mapping.root_node.as_ref()?;
        let biped = character.detection.biped.as_ref()?;
        let name = |bone: BoneIndex| character.model.skeleton.bones()[bone].name.as_str();
        if name(biped.root_node) == wanted {
            return None;
        }
        let spine: Vec<&str> = biped.spine.iter().map(|&bone| name(bone)).collect();
        let message = format!(
            "names {wanted:?}, which is neither the pelvis ({}) nor a spine bone ({})",
            name(biped.pelvis),
            spine.join(", ")
        );
        Some(Fault::new("mapping.root_node", message))
    }

    /// Skips the terrain if `known`, a valid document, shares it.
    pub fn validate(&self, known: &Self) -> Result<(), Fault> {
        self.stack.validate()?;
        self.motion.validate()?;
        self.crowd.validate()?;
        let is_known = |terrain: &Arc<Terrain>| known.terrain.as_ref().is_some_and(|known| Arc::ptr_eq(known, terrain));
        self.terrain.as_ref().filter(|terrain| !is_known(terrain)).map_or(Ok(()), |terrain| terrain.validate())
    }

    pub fn with_settings(&self, settings: Settings) -> Self {
        self.with_stack(Stack { full_body: settings, ..self.stack.clone() })
    }

    pub(crate) fn with_chains(&self, chain_ik: ChainSection) -> Self {
        let mut stack = Stack { chain_ik, ..self.stack.clone() };
        // Removed chains leave the solve order.
        stack.order.before_full_body.retain(|&chain| chain < stack.chain_ik.chains.len());
        self.with_stack(stack)
    }

    pub fn with_stack(&self, stack: Stack) -> Self {
        Self { stack, ..self.clone() }
    }

    pub fn plan(&self) -> Plan<'_> {
        Plan {
            motion: &self.motion,
            grounding: &self.stack.grounding,
            modifiers: &self.stack.modifiers,
            terrain: self.terrain.as_ref(),
            additive: self.stack.order.experiments.additive(),
        }
    }

    pub fn to_preset(&self) -> Preset {
        let mut preset = self.stack.to_preset();
        preset.put("mapping", &self.mapping);
        preset.put("reference", &self.reference);
        preset.put("clip", &self.clip);
        preset.put("motion", &self.motion);
        preset.put("crowd", &self.crowd);
        preset.put("motion_file", &self.motion_file);
        if let Some(terrain) = &self.terrain {
            preset.sections.insert("terrain".to_owned(), terrain.to_section());
        }
        preset
    }
}

struct Missing<'a> {
    model: &'a Model,
    first: Option<Fault>,
    count: usize,
}

impl Missing<'_> {
    fn look_for_anchor(&mut self, own: &Attachment, place: impl Fn() -> String) {
        if let Anchor::Bone(name) = &own.to {
            self.look_for_bones([name], place);
        }
    }

    fn look_for_bones<'n>(&mut self, names: impl IntoIterator<Item = &'n String>, place: impl Fn() -> String) {
        for name in names {
            if self.model.skeleton.find(name).is_none() {
                let message = || format!("the model has no bone {name:?}; choose one of its bones");
                self.first.get_or_insert_with(|| Fault::new(place(), message()));
                self.count += 1;
            }
        }
    }

    fn look_for_clips<'n>(&mut self, names: impl IntoIterator<Item = &'n String>, place: impl Fn() -> String) {
        for name in names {
            if !self.model.clips.iter().any(|clip| clip.name == *name) {
                let message = || find_clip(&self.model.clips, name).err().unwrap_or_default();
                self.first.get_or_insert_with(|| Fault::new(place(), message()));
                self.count += 1;
            }
        }
    }
}

/// The document with undo and redo. A gesture, such as one drag of a handle or slider, is one edit.
#[derive(Clone, Debug, Default)]
pub struct History {
    document: Document,
    undo: Vec<(String, Document)>,
    redo: Vec<(String, Document)>,
    gesture: Option<u64>,
    saved: Document,
    is_detached: bool,
    revision: u64,
}

const LONGEST_HISTORY: usize = 1000;
/// Largest number of terrain heights in all undo steps. They take 128 MiB.
pub const MOST_HEIGHTS: usize = 32 << 20;

impl History {
    pub fn new(document: Document) -> Self {
        Self { saved: document.clone(), document, ..Self::default() }
    }

    pub fn replace(&mut self, document: Document) {
        *self = Self { revision: self.revision + 1, ..Self::new(document) };
    }

    /// Adopts a stack that was changed outside the window, without an undo step. A saved document stays saved.
    pub(crate) fn follow(&mut self, stack: Stack) {
        let was_saved = !self.is_unsaved();
        self.document.stack = stack;
        if was_saved {
            self.saved = self.document.clone();
        }
    }

    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Returns a number that grows with every change of the document and of whether it is saved, except by
    /// [`Self::follow`].
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// An edit with the same `gesture` as the last edit joins that edit's undo step.
    pub fn edit(&mut self, label: &str, gesture: Option<u64>, document: Document) {
        if document == self.document {
            return;
        }
        self.revision += 1;
        let goes_on = gesture.is_some() && gesture == self.gesture;
        let before = std::mem::replace(&mut self.document, document);
        if !goes_on {
            self.undo.push((label.to_owned(), before));
            while self.undo.len() > LONGEST_HISTORY || (self.undo.len() > 1 && self.heights() > MOST_HEIGHTS) {
                self.undo.remove(0);
            }
        }
        self.redo.clear();
        self.gesture = gesture;
    }

    /// Successive undo steps share an unchanged terrain, which counts once.
    pub fn heights(&self) -> usize {
        let mut before: Option<&Arc<Terrain>> = None;
        let mut total = 0;
        for terrain in self.undo.iter().filter_map(|(_, document)| document.terrain.as_ref()) {
            if !before.is_some_and(|before| Arc::ptr_eq(before, terrain)) {
                total += terrain.heights.len();
            }
            before = Some(terrain);
        }
        total
    }

    pub fn end_gesture(&mut self) {
        self.gesture = None;
    }

    pub fn undo(&mut self) -> Option<String> {
        let (label, before) = self.undo.pop()?;
        self.revision += 1;
        let after = std::mem::replace(&mut self.document, before);
        self.redo.push((label.clone(), after));
        self.gesture = None;
        Some(label)
    }

    pub fn redo(&mut self) -> Option<String> {
        let (label, after) = self.redo.pop()?;
        self.revision += 1;
        let before = std::mem::replace(&mut self.document, after);
        self.undo.push((label.clone(), before));
        self.gesture = None;
        Some(label)
    }

    pub fn labels(&self) -> (Option<&str>, Option<&str>) {
        (self.undo.last().map(|(label, _)| label.as_str()), self.redo.last().map(|(label, _)| label.as_str()))
    }

    pub fn is_unsaved(&self) -> bool {
        self.is_detached || self.document != self.saved
    }

    /// Marks the document as unsaved, because its file belongs to another character.
    pub(crate) fn detach(&mut self) {
        self.revision += 1;
        self.is_detached = true;
    }

    pub fn attach(&mut self) {
        self.revision += 1;
        self.is_detached = false;
    }

    pub(crate) fn mark_saved(&mut self) {
        self.revision += 1;
        self.is_detached = false;
        self.saved = self.document.clone();
    }
}
