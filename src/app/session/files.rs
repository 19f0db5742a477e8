//! Files: models and presets that are opened, all that is saved and exported.

use std::path::{Path, PathBuf};

use super::{BAKED_RATE, Dialog, LIMBS_ONLY, Now, Request, Selection, Session, View, rig_of};
use crate::app::camera::Camera;
use crate::app::chains::ChainView;
use crate::app::character::Character;
use crate::app::clip_player::BakeRange;
use crate::app::document::{ClipSection, Document};
use crate::app::export::{self, Written};
use crate::app::files::{self, Most};
use crate::app::headless::Headless;
use crate::preset::Preset;
use crate::trace::Trace;

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
            let at = |error: crate::error::Fault| format!("{}: {error}", path.display());
            let preset = Preset::from_json(&text).map_err(at)?;
            let document = Document::from_preset(&preset).map_err(at)?;
            let camera: Option<Camera> = preset.section("camera").map_err(at)?;
            let view: Option<View> = preset.section("view").map_err(at)?;
            Ok((document, camera, view))
        });
        match read {
            Err(error) => self.fail(error),
            Ok((document, camera, view)) => {
                self.files.recent.add_preset(&path);
                let missing = document.missing(&self.character.model);
                self.replace_document(document);
                if let Some(camera) = camera.filter(Camera::is_usable) {
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
                if let Some(view) = view {
                    self.view = View { paused_at: None, selected: None, ..view };
                    self.set_selection(view.selected.map_or(Selection::Nothing, Selection::Effector));
                    if let Some(step) = view.paused_at {
                        self.pause();
                        let known = self.solved.full_body().and_then(|run| run.cursor_of(step));
                        self.seek(known.unwrap_or(self.end()));
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
        if self.picture.stack.full_body != self.history.document().stack.full_body {
            self.edit_settings("settings of the frame shown", None, self.picture.stack.full_body);
        }
        let mut preset = self.history.document().to_preset();
        if let Ok(camera) = serde_json::to_value(self.look.camera) {
            preset.sections.insert("camera".to_owned(), camera);
        }
        let view = View {
            // Steps of a chain or of grounding are not the full body's.
            paused_at: self.body_step().filter(|_| self.time.is_paused()),
            selected: match self.hands.selection {
                Selection::Effector(effector) => Some(effector),
                _ => None,
            },
            ..self.view
        };
        if let Ok(view) = serde_json::to_value(view) {
            preset.sections.insert("view".to_owned(), view);
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
        let rig = rig_of(&self.character, &self.picture.animated)?;
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
            None => Character::built_in()?,
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
