use std::sync::Arc;

use super::{Dialog, Now, Pending, Selection, Session, files};
use crate::character::{BuiltIn, Character, are_as_tall};
use crate::scenes::{SCENES, Scene};
use crate::session::commands::Command;
use crate::session::words as text;
use crate::tools::doctor::Doctor;
use crate::tools::{motion, share};
use crate::world::document::{ClipSection, Document};
use crate::world::motion::Motion;
use crate::world::motion::clip_player::ClipPlayer;
use kinescope_ik::stack::Frame;
use kinescope_ik::stepped::run::Cursor;

impl Session {
    pub(crate) fn unless_unsaved(&mut self, pending: Pending) {
        match self.world.history.is_unsaved() {
            true => self.window.dialog = Some(Dialog::Unsaved(pending)),
            false => self.go_on(pending),
        }
    }

    pub(crate) fn go_on(&mut self, pending: Pending) {
        match pending {
            Pending::Quit => self.window.quit = true,
            Pending::NewPreset => {
                self.files.preset = None;
                self.started_scene.scene = None;
                let document = self.world.history.document();
                let document = Document {
                    mapping: document.mapping.clone(),
                    reference: document.reference,
                    ..Document::default()
                };
                self.replace_document(document);
            }
            Pending::Scene(name) => {
                if let Some(scene) = Scene::find(name) {
                    self.start_scene_or_ask(scene);
                }
            }
            Pending::OpenPreset(None) => self.window.dialog = Some(Dialog::File(Command::OpenPreset)),
            Pending::OpenPreset(Some(path)) => self.open_preset(path),
            Pending::OpenTrace(path) => self.open_trace(&path),
            Pending::OpenCapsule(path) => self.open_capsule(&path),
            Pending::OpenLink(link) => share::session::open_link(self, &link),
            Pending::ShowGame(shown) => self.show_game(shown),
            Pending::FollowGame => self.show_received(),
            Pending::ShowOpened => self.show_opened(),
        }
    }

    pub(crate) fn bring(&mut self, built_in: BuiltIn) {
        match Character::from_built_in(built_in) {
            Ok(character) => self.take(character),
            Err(error) => self.fail(error),
        }
    }

    /// Replaces the character. If the document stays and the heights of the characters [differ too much](are_as_tall),
    /// its targets are dropped, because they are positions on the previous character.
    pub fn take(&mut self, character: Character) {
        let heights = [self.world.character.height, character.height];
        self.take_with(character, are_as_tall(heights));
    }

    pub(super) fn take_with(&mut self, character: Character, keeps_targets: bool) {
        let is_own_work = self.world.history.is_unsaved() || self.files.preset.is_some();
        self.replace_character(character);
        if self.files.preset.take().is_some() {
            self.files.on_disk = None;
            self.world.history.detach();
        }
        // The document's mapping names bones of the previous character.
        let mapping = self.world.character.mapped().0.clone();
        let mut document = Document { mapping, ..self.world.history.document().clone() };
        if document.clip.name.as_ref().is_some_and(|name| self.world.character.find_clip(name).is_err()) {
            document.clip = ClipSection::default();
        }
        if is_own_work {
            if !keeps_targets {
                document.stack = files::without_targets(&document.stack);
            }
            self.edit(text::EDIT_MODEL, None, document);
        } else {
            self.replace_document(document);
            // A scene that needs a particular built-in character gives way to the first scene.
            let scene = self.started_scene.scene.filter(|scene| scene.built_in().is_none());
            self.start_scene(scene.unwrap_or(&SCENES[0]));
        }
        self.frame_all();
        self.update(0.0);
    }

    /// Replaces the character and resets what belongs to the previous one. The caller sets the document.
    pub(super) fn replace_character(&mut self, character: Character) {
        self.stop_opening();
        self.files.finding = None;
        self.leave_game();
        self.world.character = character;
        self.started_scene.opened_character = false;
        self.window.characters += 1;
        self.window.doctor = Doctor::default();
        self.world.clip = ClipPlayer::default();
        self.world.clip.named = None;
        self.tools.motion_inputs = motion::session::MotionInputs::default();
        self.world.motion = Motion::of_character(&self.world.character);
        self.set_selection(Selection::Nothing);
        self.world.solved = Arc::new(Frame::empty());
        (self.world.time.cursor, self.world.time.cursors) = (Cursor::default(), Vec::new());
        self.tools.debugger.clear();
        self.tools.body_lab.divergence.clear();
        // B's targets are positions on the previous character.
        self.tools.debugger.compare = None;
        self.world.time.resample = true;
        self.world.time.now = Now::Live;
    }
}
