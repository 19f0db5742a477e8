use std::path::{Path, PathBuf};

use super::{Session, View};
use crate::character::Character;
use crate::picture::camera::Camera;
use crate::session::Dialog;
use crate::session::autosave::{FRAMES, Origin, Recovered, Unsaved};
use crate::session::words as text;
use crate::system::files;
use crate::tools::capsule::character_of;
use crate::world::World;
use kinescope_ik::capsule::Capsule;
use kinescope_ik::rig::Skeleton;

/// Returns an absolute path, because the next start may be from another folder.
fn whole(path: &Path) -> PathBuf {
    files::absolute(path).unwrap_or_else(|| path.to_owned())
}

impl Session {
    pub fn unsaved(&self) -> Option<Unsaved> {
        if !self.world.history.is_unsaved() {
            return None;
        }
        let tape = &self.tools.debugger.tape;
        let first = tape.len().saturating_sub(FRAMES);
        let frames = tape.frames().skip(first).map(|frame| (frame.time, frame.input.clone()));
        Some(Unsaved {
            document: self.world.history.document().clone(),
            camera: self.look.camera,
            view: self.look.view,
            origin: Origin {
                model: self.world.character.path.as_deref().map(whole),
                built_in: self.world.character.built_in_kind().unwrap_or_default(),
                of_bones: self.world.character.is_of_bones(),
                body: self.world.character.body().map(|body| whole(&body.path)),
                preset: self.files.preset.as_deref().map(whole),
                on_disk: self.files.on_disk,
            },
            source: self.world.capsule_source(frames.collect()),
        })
    }

    pub fn offer(&mut self, recovered: Recovered) {
        self.files.recovered = Some(recovered);
        self.window.dialog = Some(Dialog::Recover);
    }

    pub(crate) fn recover(&mut self) {
        self.window.dialog = None;
        let Some(recovered) = self.files.recovered.take() else { return };
        if let Some(path) = recovered.origin.model.clone() {
            return self.open_model_of(&path, recovered);
        }
        let character = match recovered.bones().and_then(|capsule| character_of(capsule, "bones")) {
            Some(character) => Ok(character),
            None => Character::from_built_in(recovered.origin.built_in),
        };
        match character {
            Ok(mut character) => {
                // Detecting the roles is fast enough without a job: built-in characters have few bones, and a capsule
                // gives the roles of its bones.
                character.remap(&recovered.document.mapping, recovered.document.reference);
                self.finish_recovery(character, recovered);
            }
            Err(error) => {
                self.files.recovered = Some(recovered);
                self.fail(error);
            }
        }
    }

    pub(crate) fn restore_recovered(&mut self, recovered: Recovered) {
        self.edit(text::EDIT_RECOVER, None, recovered.document.clone());
        if let Some(capsule) = recovered.frames.as_ref().filter(|capsule| self.world.has_bones_of(capsule)) {
            self.tools.debugger.tape.clear();
            self.put_frames_on_tape(capsule);
            // The session continues live from the document.
            self.settings_changed();
            self.world.time.resample = true;
        }
        let camera: Option<Camera> = recovered.preset.section("camera").ok().flatten();
        let view: Option<View> = recovered.preset.section("view").ok().flatten();
        if let Some(camera) = camera.filter(Camera::is_usable) {
            self.look.camera = camera;
        }
        self.look.view = view.unwrap_or(self.look.view);
        self.files.preset = recovered.origin.preset.clone();
        self.files.on_disk = recovered.origin.on_disk;
        self.update(0.0);
        self.notify(text::recovered(&recovered.describe()));
        self.files.settled = Some(recovered);
    }
}

impl World {
    fn has_bones_of(&self, capsule: &Capsule) -> bool {
        let names = |skeleton: &Skeleton| skeleton.bones().iter().map(|bone| bone.name.clone()).collect::<Vec<_>>();
        names(&capsule.skeleton) == names(&self.character.model.skeleton)
    }
}
