//! Files: models and presets that are opened, all that is saved and exported.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

use super::{BAKED_RATE, Dialog, LIMBS_ONLY, Now, Request, Selection, Session, View, rig_of};
use crate::app::camera::Camera;
use crate::app::chains::ChainView;
use crate::app::character::Character;
use crate::app::clip_player::BakeRange;
use crate::app::document::{ClipSection, Document};
use crate::app::export::{self, Written};
use crate::app::files::{self, Most};
use crate::app::headless::Headless;
use crate::capsule::Instant;
use crate::error::Fault;
use crate::full_body::Effector;
use crate::preset::{Preset, field, read_part};
use crate::trace::Trace;

/// What a preset keeps in `view` of the moment at which it was saved, beside the [`View`].
#[derive(Serialize)]
struct Held {
    /// Where the solve was paused; `null` is live.
    paused_at: Option<Instant>,
    selected: Option<Effector>,
}

impl Held {
    /// What is left is the view's.
    fn take_from(section: &mut Value) -> Result<Self, Fault> {
        let mut nothing = serde_json::Map::new();
        let fields = section.as_object_mut().unwrap_or(&mut nothing);
        Ok(Self { paused_at: field(fields, "paused_at")?, selected: field(fields, "selected")? })
    }
}

impl Session {
    pub(super) fn open_model(&mut self, path: &Path) {
        match Character::load(path) {
            Ok(character) => {
                self.files.recent.add_model(path);
                self.take(character);
                self.tell_of_character();
            }
            // The old character and everything set on it stay.
            Err(error) => self.fail(error),
        }
    }

    /// Opens a preset; nothing changes if it does not read.
    pub fn open_preset(&mut self, path: PathBuf) {
        let read = files::read_text(&path, Most::PRESET).and_then(|text| {
            let at = |error: Fault| format!("{}: {error}", path.display());
            let preset = Preset::from_json(&text).map_err(at)?;
            let document = Document::from_preset(&preset).map_err(at)?;
            let camera: Option<Camera> = preset.section("camera").map_err(at)?;
            let mut fields = preset.sections.get("view").cloned().unwrap_or_default();
            let held = Held::take_from(&mut fields).map_err(|fault| at(fault.within("view")))?;
            let view: Option<View> = read_part(&fields, "view").map_err(at)?;
            Ok((document, camera, view, held))
        });
        match read {
            Err(error) => self.fail(error),
            Ok((document, camera, view, held)) => {
                self.files.recent.add_preset(&path);
                let mut missing = document.missing(&self.character.model);
                self.replace_document(document);
                if missing.0.is_none()
                    && let Some(wrong) = self.history.document().wrong_root_node(&self.character)
                {
                    missing = (Some(wrong), 1);
                }
                let camera = camera.filter(Camera::is_usable);
                if let Some(camera) = camera {
                    self.look.camera = camera;
                }
                self.begun.scene = None;
                self.time.now = Now::Live;
                self.set_selection(Selection::Nothing);
                self.chains = ChainView::default();
                self.motion.forget_lanes();
                if self.lab().is_some() {
                    self.desk.requests.push(Request::ShowPane(crate::app::layout::Pane::Lab));
                }
                self.update(0.0);
                self.show_crowd(camera.is_none());
                if let Some(view) = view {
                    self.view = view;
                    self.set_selection(held.selected.map_or(Selection::Nothing, Selection::Effector));
                    if let Some(instant) = held.paused_at {
                        self.pause();
                        self.go_to(&instant);
                    }
                }
                // What the document itself had to complain about is the more important message.
                if let (Some(first), count) = missing {
                    let more = match count - 1 {
                        0 => String::new(),
                        more => format!(" ({more} more like this)"),
                    };
                    self.fail(format!("{}: {first}{more}", path.display()));
                } else if !self.desk.notice.as_ref().is_some_and(|notice| notice.is_error && notice.age == 0.0) {
                    self.notify(format!("opened {}", path.display()));
                }
                self.files.on_disk = files::fingerprint(&path, Most::PRESET);
                self.files.preset = Some(path);
            }
        }
    }

    /// Saves, or asks first if another program has saved there since.
    pub(super) fn save_preset(&mut self, path: PathBuf) {
        let is_known = self.files.preset.as_ref() == Some(&path) && self.files.on_disk.is_some();
        // What has become too large to be a preset, or cannot be read any more, is another one too.
        if is_known && path.exists() && files::fingerprint(&path, Most::PRESET) != self.files.on_disk {
            self.desk.dialog = Some(Dialog::ChangedOnDisk(path));
            return;
        }
        self.write_preset(path);
    }

    pub(super) fn write_preset(&mut self, path: PathBuf) {
        if let Err(error) = files::check_output(&path, &self.character.files) {
            return self.fail(error);
        }
        // What is saved is what is shown, also where that is a frame gone by.
        if *self.stack() != self.history.document().stack {
            self.edit_stack("settings of the frame shown", None, self.stack().clone());
        }
        let mut preset = self.history.document().to_preset();
        if let Ok(camera) = serde_json::to_value(self.look.camera) {
            preset.sections.insert("camera".to_owned(), camera);
        }
        let paused_at = self.shown_run().filter(|_| self.time.is_paused());
        let held = Held {
            paused_at: paused_at.map(|run| Instant::of(0, self.focus(), run, self.time.cursor)),
            selected: match self.hands.selection {
                Selection::Effector(effector) => Some(effector),
                _ => None,
            },
        };
        if let (Ok(Value::Object(mut view)), Ok(Value::Object(held))) =
            (serde_json::to_value(self.view), serde_json::to_value(held))
        {
            view.extend(held);
            preset.sections.insert("view".to_owned(), Value::Object(view));
        }
        match files::write(&path, preset.to_json().as_bytes()) {
            Ok(()) => {
                self.history.mark_saved();
                self.files.recent.add_preset(&path);
                self.notify(format!("saved {}", path.display()));
                self.files.on_disk = files::fingerprint(&path, Most::PRESET);
                self.files.preset = Some(path);
                if let Some(pending) = self.files.after_save.take() {
                    self.go_on(pending);
                }
            }
            Err(error) => self.fail(error),
        }
    }

    /// The files that are open, which nothing is to be written over but a preset over itself.
    pub fn inputs(&self) -> Vec<PathBuf> {
        self.character.files.iter().chain(&self.files.preset).cloned().collect()
    }

    pub(super) fn export<W: Into<Written>>(
        &mut self,
        path: PathBuf,
        what: &str,
        make: impl FnOnce(&Self) -> Result<W, String>,
    ) {
        let done = files::check_output(&path, &self.inputs()).and_then(|()| Ok(make(self)?.into()));
        match done.and_then(|written: Written| files::write(&path, &written.bytes).map(|()| written.lost())) {
            Ok(None) => self.notify(format!("exported {what} to {}", path.display())),
            // With the sign of a warning, and until it is dismissed: what is lost is to be read.
            Ok(Some(lost)) => self.fail(format!("exported {what} to {}, {lost}", path.display())),
            Err(error) => self.fail(error),
        }
    }

    pub(super) fn trace_json(&self) -> Result<Vec<u8>, String> {
        if self.drives_limbs() {
            return Err(LIMBS_ONLY.to_owned());
        }
        let rig = rig_of(&self.character, self.given_pose())?;
        let trace = Trace::solve(&self.character.model.name, rig, *self.solved_settings())
            .map_err(|error| error.to_string())?;
        Ok(trace.to_json().into_bytes())
    }

    /// What of the clip that plays is baked: all of it, at as many keys a second as motion has frames, unless the user
    /// chose otherwise.
    pub fn bake_range(&self) -> BakeRange {
        let clip = self.clip.clip().and_then(|clip| self.character.model.clips.get(clip));
        let duration = clip.map_or(0.0, |clip| clip.duration);
        let whole = BakeRange::whole(duration, self.plan().motion.frame_rate.unwrap_or(BAKED_RATE));
        self.clip.bake_range.filter(|range| range.to <= duration).unwrap_or(whole)
    }

    /// The clip that plays, baked.
    pub(super) fn baked_bytes(&self) -> Result<Written, String> {
        let clip = self.clip.clip().and_then(|clip| self.character.model.clips.get(clip));
        let clip = clip.ok_or_else(|| "no clip plays: choose one in the outliner first".to_owned())?;
        let character = match &self.character.path {
            Some(path) => Character::load(path)?,
            None => Character::that_comes_along(self.character.comes_along().unwrap_or_default())?,
        };
        let mut document = self.history.document().clone();
        document.clip = ClipSection { name: Some(clip.name.clone()), time: 0.0 };
        let mut headless = Headless::new(character, document)?;
        let baked = headless.bake(self.bake_range())?;
        export::clip_glb(&headless.character, &baked)
    }

    pub(super) fn pose_bytes(&self, path: &Path) -> Result<Written, String> {
        export::pose(&self.character, &self.picture.pose, path)
    }
}
