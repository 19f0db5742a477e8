use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

use super::{BAKED_RATE, Dialog, Now, Request, Selection, Session, View, rig_of};
use crate::character::preset_model::{ModelFile, PresetModel};
use crate::character::{BuiltIn, Character};
use crate::picture::camera::Camera;
use crate::session::Pending;
use crate::session::commands::Command;
use crate::session::headless::{Headless, path_time};
use crate::session::words as text;
use crate::system::files::{self, SizeLimit};
use crate::system::jobs::{Job, Outcome};
use crate::tools::body_lab::session::{is_open, reframe};
use crate::tools::chains::ChainView;
use crate::tools::export::{self, Written};
use crate::tools::game::Game;
use crate::world::World;
use crate::world::document::{ClipSection, Document};
use crate::world::motion::clip_player::BakeRange;
use kinescope_ik::capsule::Instant;
use kinescope_ik::error::Fault;
use kinescope_ik::full_body::{Effector, EffectorSettings};
use kinescope_ik::json::{field, read_part};
use kinescope_ik::preset::Preset;
use kinescope_ik::rig::detect::{Mapping, ReferenceChoice};
use kinescope_ik::stack::Stack;
use kinescope_ik::trace::Trace;

/// State in a preset's `view` section that is not part of [`View`].
#[derive(Serialize)]
struct ViewState {
    paused_at: Option<Instant>,
    selected: Option<Effector>,
}

impl ViewState {
    fn take_from(section: &mut Value) -> Result<Self, Fault> {
        let mut nothing = serde_json::Map::new();
        let fields = section.as_object_mut().unwrap_or(&mut nothing);
        Ok(Self { paused_at: field(fields, "paused_at")?, selected: field(fields, "selected")? })
    }
}

/// Counts the effectors, limbs and chains that have a target, an offset, an attachment or a bend goal, which fit only
/// the character on which they were set.
fn target_count(stack: &Stack) -> usize {
    let has_own = |own: &EffectorSettings| {
        own.position.is_some() || own.rotation.is_some() || own.position_offset != Default::default()
    };
    let effectors = stack.full_body.effectors.iter().filter(|own| has_own(own));
    let attached = stack.attachments.iter().filter(|(effector, _)| !has_own(stack.full_body.effector(*effector)));
    let goals = stack.full_body.chains.iter().filter(|own| own.bend_goal.is_some());
    let chains = stack.chain_ik.chains.iter().filter(|own| own.target.is_some() || own.settings.bend_goal.is_some());
    effectors.count() + attached.count() + goals.count() + chains.count()
}

pub(crate) fn without_targets(stack: &Stack) -> Stack {
    let mut stack = stack.clone();
    stack.full_body.effectors = Default::default();
    stack.attachments = Default::default();
    for chain in &mut stack.full_body.chains {
        (chain.bend_goal, chain.bend_weight) = (None, 0.0);
    }
    for chain in &mut stack.chain_ik.chains {
        (chain.target, chain.settings.bend_goal) = (None, None);
    }
    stack
}

pub(crate) struct OpenedPreset {
    path: Option<PathBuf>,
    document: Document,
    camera: Option<Camera>,
    view: Option<View>,
    held: ViewState,
    model: Option<PresetModel>,
}

impl OpenedPreset {
    fn read(path: PathBuf) -> Result<Self, String> {
        let text = files::read_text(&path, SizeLimit::PRESET)?;
        let at = |error: Fault| format!("{}: {error}", path.display());
        let preset = Preset::from_json(&text).map_err(at)?;
        let mut opened = Self::of(&preset).map_err(at)?;
        opened.document.motion_file = opened.document.motion_file.found_from(&path);
        Ok(Self { path: Some(path), ..opened })
    }

    /// The result has no path. [`Self::read`] adds it, and a preset from a link has none.
    pub(crate) fn of(preset: &Preset) -> Result<Self, Fault> {
        let document = Document::from_preset(preset)?;
        let model = PresetModel::of_preset(preset)?;
        let camera: Option<Camera> = preset.section("camera")?;
        let mut fields = preset.sections.get("view").cloned().unwrap_or_default();
        let held = ViewState::take_from(&mut fields).map_err(|fault| fault.within("view"))?;
        let view: Option<View> = read_part(&fields, "view")?;
        Ok(Self { path: None, document, camera, view, held, model })
    }

    pub(crate) fn roles(&self) -> (Mapping, ReferenceChoice) {
        (self.document.mapping.clone(), self.document.reference)
    }

    pub(crate) fn path(&self) -> &Path {
        self.path.as_deref().unwrap_or(Path::new(text::LINK))
    }

    pub(crate) fn needs_file(&self) -> bool {
        self.model.as_ref().is_some_and(|model| model.built_in().is_none())
    }

    fn find_roles(&self, character: &mut Character) {
        character.remap(&self.document.mapping, self.document.reference);
    }
}

pub(crate) fn preset_of(session: &Session, document: &Document, model: PresetModel) -> Preset {
    let mut preset = document.to_preset();
    preset.put("model", &model);
    if let Ok(camera) = serde_json::to_value(session.look.camera) {
        preset.sections.insert("camera".to_owned(), camera);
    }
    let paused_at = session.shown_run().filter(|_| session.world.time.is_paused());
    let held = ViewState {
        paused_at: paused_at.map(|run| Instant::of(0, session.focus(), run, session.world.time.cursor)),
        selected: match session.interaction.selection {
            Selection::Effector(effector) => Some(effector),
            _ => None,
        },
    };
    if let (Ok(Value::Object(mut view)), Ok(Value::Object(held))) =
        (serde_json::to_value(session.look.view), serde_json::to_value(held))
    {
        view.extend(held);
        preset.sections.insert("view".to_owned(), Value::Object(view));
    }
    preset
}

pub(crate) fn open_with_model(session: &mut Session, opened: OpenedPreset) {
    let other = opened.model.as_ref().filter(|model| !model.is_character(&session.world.character, opened.path()));
    match other.map(|model| model.file(opened.path())) {
        None => session.show_preset_as_shown(opened),
        Some(Ok(ModelFile::BuiltIn(built_in))) => match Character::from_built_in(built_in) {
            Ok(mut character) => {
                opened.find_roles(&mut character);
                session.show_preset(opened, Some(character));
            }
            Err(error) => session.fail(error),
        },
        Some(Ok(ModelFile::Path(model))) => session.open_model_of_preset(&model, opened),
        Some(Err(why)) => session.ask_for_model(opened, why),
    }
}

impl Session {
    pub(crate) fn save(&mut self) {
        match self.files.preset.clone() {
            Some(path) => self.save_preset(path),
            None => self.ask_for_file(Command::SavePresetAs),
        }
    }

    pub(crate) fn export_csharp(&mut self, path: PathBuf) {
        let text = |session: &Self| kinescope_ik::csharp::to_csharp(session.world.settings()).into_bytes();
        self.export(path, "assignments", |session| Ok(text(session)));
    }

    pub(crate) fn quit(&mut self) {
        match self.tools.games.unsaved() {
            Some(_) => self.window.dialog = Some(Dialog::UnsavedGame),
            None => self.unless_unsaved(Pending::Quit),
        }
    }

    pub(crate) fn open_built_in(&mut self, built_in: BuiltIn) {
        match Character::from_built_in(built_in) {
            Ok(character) => self.take_opened(character),
            Err(error) => self.fail(error),
        }
    }

    /// Replaces the character by one that the user opened, and may ask whether to keep the document's targets, which
    /// are positions on the previous character.
    pub(crate) fn take_opened(&mut self, character: Character) {
        let is_own_work = self.world.history.is_unsaved() || self.files.preset.is_some();
        let is_same = match (&self.world.character.path, &character.path) {
            (Some(own), Some(new)) => own == new || files::is_same(own, new),
            (None, None) => self.world.character.built_in_kind() == character.built_in_kind(),
            (Some(_), None) | (None, Some(_)) => false,
        };
        let before = self.world.character.model.name.clone();
        let heights = [self.world.character.height, character.height];
        let preset = (self.files.preset.clone(), self.files.on_disk);
        self.take_with(character, true);
        self.report_character();
        if !is_own_work {
            return;
        }
        if is_same {
            // The user opened the same character again, for example after an export, so the preset keeps its file.
            (self.files.preset, self.files.on_disk) = preset;
            self.world.history.attach();
            return;
        }
        let count = target_count(&self.world.history.document().stack);
        if count > 0 && self.window.dialog.is_none() {
            let preset = preset.0.as_deref().map(files::name_of);
            self.window.dialog = Some(Dialog::KeepTargets { before, preset, count, heights });
        } else if let (Some(path), Some(notice)) = (&preset.0, &mut self.window.notice) {
            let (file, own) = (files::name_of(path), &self.world.character.model.name);
            notice.text.push_str(&text::preset_stays(&file, &before, &own));
        }
    }

    pub(crate) fn drop_targets(&mut self) {
        self.window.dialog = None;
        let without = without_targets(self.world.stack());
        self.edit_and_report(text::EDIT_DROP_TARGETS, without, text::DROPPED_TARGETS, text::NO_TARGETS);
    }

    pub fn open_preset(&mut self, path: PathBuf) {
        if files::is_model(&path) {
            let open = Command::OpenModel.info().label.trim_end_matches('…');
            return self.fail(text::is_a_model(&path.display(), &open));
        }
        match OpenedPreset::read(path) {
            Ok(opened) => open_with_model(self, opened),
            Err(error) => self.fail(error),
        }
    }

    pub(crate) fn ask_for_model(&mut self, opened: OpenedPreset, why: String) {
        let preset = opened.path().to_owned();
        let name = opened.model.map_or_else(String::new, |model| model.name);
        self.window.dialog = Some(Dialog::ModelOfPreset { preset, name, why });
    }

    pub(crate) fn open_preset_as_shown(&mut self, path: PathBuf) {
        match OpenedPreset::read(path) {
            Ok(opened) => self.show_preset_as_shown(opened),
            Err(error) => self.fail(error),
        }
    }

    fn show_preset_as_shown(&mut self, opened: OpenedPreset) {
        match self.world.character.needs_roles(&opened.document.mapping, opened.document.reference) {
            true => self.open_preset_with_roles(opened),
            false => self.show_preset(opened, None),
        }
    }

    pub(crate) fn open_preset_on(&mut self, model: &Path) {
        let Some(path) = self.files.waiting_preset.take() else { return };
        match OpenedPreset::read(path) {
            Ok(opened) => self.open_model_of_preset(model, opened),
            Err(error) => self.fail(error),
        }
    }

    pub(crate) fn show_preset(&mut self, opened: OpenedPreset, character: Option<Character>) {
        let OpenedPreset { path: file, document, camera, view, held, model } = opened;
        let path = file.as_deref().unwrap_or(Path::new(text::LINK));
        let camera = camera.filter(Camera::is_usable);
        if let Some(file) = &file {
            self.files.recent.add_preset(file);
        }
        if let Some(character) = character {
            if let Some(path) = &character.path {
                self.files.recent.add_model(path);
            }
            self.replace_character(character);
            self.frame_all();
        }
        let mut missing = document.missing(&self.world.character.model);
        self.replace_document(document);
        if missing.0.is_none()
            && let Some(wrong) = self.world.history.document().wrong_root_node(&self.world.character)
        {
            missing = (Some(wrong), 1);
        }
        if let Some(camera) = camera {
            self.look.camera = camera;
        }
        self.started_scene.scene = None;
        self.world.time.now = Now::Live;
        self.set_selection(Selection::Nothing);
        self.tools.chains = ChainView::default();
        self.world.motion.forget_lanes();
        if self.world.lab().is_some() {
            self.window.requests.push(Request::ShowPane(crate::session::Pane::Lab));
        }
        self.update(0.0);
        if camera.is_none() && is_open(self) {
            reframe(self);
        }
        self.show_crowd(camera.is_none());
        if let Some(view) = view {
            self.look.view = view;
            self.set_selection(held.selected.map_or(Selection::Nothing, Selection::Effector));
            if let Some(instant) = held.paused_at {
                self.pause();
                self.go_to(&instant);
            }
        }
        let difference = model.and_then(|model| model.difference(&self.world.character, path));
        let difference = difference.map(|difference| format!("{} {difference}", path.display()));
        // Only one notice is shown, so a missing bone or clip takes precedence over a difference of the model.
        if let (Some(first), count) = missing {
            let more = match count - 1 {
                0 => String::new(),
                more => text::more_like_this(&more),
            };
            self.fail(text::first_difference(&path.display(), &first, &more));
        } else if !self.window.notice.as_ref().is_some_and(|notice| notice.is_error && notice.age == 0.0) {
            match difference.clone() {
                Some(difference) => self.fail(difference),
                None => self.notify(text::opened(&path.display())),
            }
        }
        self.files.difference = difference;
        self.files.on_disk = file.as_deref().and_then(|file| files::fingerprint(file, SizeLimit::PRESET));
        self.files.preset = file;
    }

    pub(crate) fn save_preset(&mut self, path: PathBuf) {
        let other = PresetModel::in_file(&path).filter(|model| !model.may_be_saved_with(&self.world.character, &path));
        if let Some(other) = other {
            self.window.dialog = Some(Dialog::OtherCharacter { preset: path, name: other.name });
            return;
        }
        let is_known = self.files.preset.as_ref() == Some(&path) && self.files.on_disk.is_some();
        // A file without a fingerprint has become unreadable or too large, so it counts as changed.
        if is_known && files::exists(&path) && files::fingerprint(&path, SizeLimit::PRESET) != self.files.on_disk {
            self.window.dialog = Some(Dialog::ChangedOnDisk(path));
            return;
        }
        self.write_preset(path);
    }

    pub(crate) fn write_preset(&mut self, path: PathBuf) {
        if let Err(error) = files::check_output(&path, &self.world.character.files) {
            return self.fail(error);
        }
        // The preset gets the settings of the frame shown, even of an older frame.
        if *self.world.stack() != self.world.history.document().stack {
            self.edit_stack(text::EDIT_SHOWN_SETTINGS, None, self.world.stack().clone());
        }
        let document = self.world.history.document();
        let document = Document { motion_file: document.motion_file.relative_to(&path), ..document.clone() };
        let preset = preset_of(self, &document, PresetModel::of(&self.world.character, &path));
        match files::write(&path, preset.to_json().as_bytes()) {
            Ok(()) => {
                self.world.history.mark_saved();
                self.files.recent.add_preset(&path);
                self.notify(text::saved(&path.display()));
                self.files.on_disk = files::fingerprint(&path, SizeLimit::PRESET);
                self.files.preset = Some(path);
                if let Some(pending) = self.files.after_save.take() {
                    self.go_on(pending);
                }
            }
            Err(error) => self.fail(error),
        }
    }

    /// Returns the files that exports must not overwrite: those of the character, the preset and the open recordings.
    pub fn inputs(&self) -> Vec<PathBuf> {
        let recordings = self.tools.games.games.iter().filter_map(Game::path).map(Path::to_owned);
        self.world.character.files.iter().chain(&self.files.preset).cloned().chain(recordings).collect()
    }

    pub(crate) fn export<W: Into<Written>>(
        &mut self,
        path: PathBuf,
        what: &str,
        make: impl FnOnce(&Self) -> Result<W, String>,
    ) {
        let done = files::check_output(&path, &self.inputs()).and_then(|()| Ok(make(self)?.into()));
        match done.and_then(|written: Written| files::write(&path, &written.bytes).map(|()| written.warning())) {
            Ok(None) => self.notify(text::exported(&what, &path.display())),
            // A warning is shown as an error, because an error notice stays until the user dismisses it.
            Ok(Some(warning)) => self.fail(text::exported_with_warning(&what, &path.display(), &warning)),
            Err(error) => self.fail(error),
        }
    }

    pub(crate) fn trace_json(&self) -> Result<Vec<u8>, String> {
        if self.world.drives_limbs() {
            return Err(text::LIMBS_ONLY.to_owned());
        }
        let rig = rig_of(&self.world.character, self.world.given_pose())?;
        let trace = Trace::solve(&self.world.character.model.name, rig, *self.world.solved_settings())
            .map_err(|error| error.to_string())?;
        Ok(trace.to_json().into_bytes())
    }

    pub(crate) fn start_baking(&mut self, path: PathBuf) {
        let clip = self.world.clip.clip().and_then(|clip| self.world.character.model.clips.get(clip));
        let Some(clip) = clip else { return self.fail(text::NO_CLIP) };
        if let Some((other, _)) = &self.files.baking {
            return self.fail(text::is_baking(&other.display()));
        }
        if let Err(error) = files::check_output(&path, &self.inputs()) {
            return self.fail(error);
        }
        // The job gets a copy of the character, because loading the model and detecting the biped again would be slow.
        let character = self.world.character.copy();
        let mut document = self.world.history.document().clone();
        document.clip = ClipSection { name: Some(clip.name.clone()), time: 0.0 };
        let range = self.world.bake_range();
        let out = path.clone();
        let job = Job::start(move |report| async move {
            let bake = async || {
                let mut headless = Headless::new(character, document)?;
                let baked = headless.bake_in_slices(range, &mut |done| report.done(done)).await?;
                baked.map(|baked| export::clip(&headless.character, &baked, &out)).transpose()
            };
            bake().await.transpose()
        });
        match job {
            Ok(job) => self.files.baking = Some((path, job)),
            Err(error) => self.fail(error),
        }
    }

    pub(crate) fn update_baking(&mut self) -> bool {
        let Some((path, job)) = &self.files.baking else { return false };
        let outcome = job.poll();
        let path = path.clone();
        match outcome {
            Outcome::Running => return true,
            Outcome::Done(baked) => {
                self.files.baking = None;
                self.export(path, "clip", |_| baked);
            }
            Outcome::Nothing => {
                self.files.baking = None;
                self.fail(text::baking_ended_early(&path.display()));
            }
        }
        true
    }

    pub(crate) fn cancel_baking(&mut self) {
        if let Some((path, _)) = self.files.baking.take() {
            self.notify(text::cancelled_baking(&path.display()));
        }
    }
}

impl World {
    /// The default is the whole clip, at motion's frame rate or else at [`BAKED_RATE`].
    pub fn bake_range(&self) -> BakeRange {
        let clip = self.clip.clip().and_then(|clip| self.character.model.clips.get(clip));
        let duration = clip.map_or(0.0, |clip| clip.duration);
        let whole = BakeRange::whole(duration, self.plan().motion.frame_rate.unwrap_or(BAKED_RATE));
        self.clip.bake_range.unwrap_or(whole)
    }

    pub(crate) fn path_time(&self) -> Result<f32, String> {
        path_time(self.history.document(), &self.character, self.clip.clip())
    }

    pub(crate) fn pose_bytes(&self, path: &Path) -> Result<Written, String> {
        export::pose(&self.character, &self.picture.pose, path)
    }
}
