use super::Session;
use crate::session::commands::Command;
use crate::session::words as text;
use crate::tools::motion::{self, file};
use crate::world::World;
use crate::world::document::{ClipSection, Document};
use crate::world::motion::Travel;
use kinescope_ik::animation::Phase;
use kinescope_ik::full_body::{ChainSettings, Settings};
use kinescope_ik::stack::Stack;

impl Session {
    pub fn edit(&mut self, label: &str, gesture: Option<u64>, mut document: Document) {
        self.world.follow_attachments(&mut document);
        if let Err(refused) = self.world.allows(&document) {
            return self.fail(refused);
        }
        self.world.history.edit(label, gesture, document);
        self.document_changed();
    }

    pub fn edit_settings(&mut self, label: &str, gesture: Option<u64>, settings: Settings) {
        self.edit(label, gesture, self.world.history.document().with_settings(settings));
    }

    /// Edits the stack and shows `done` with the undo key, or `nothing` if the stack is the one shown. A refused edit
    /// shows its error instead.
    pub(crate) fn edit_and_report(&mut self, label: &str, stack: Stack, done: &str, nothing: &str) {
        let before = self.world.history.revision();
        let changes = stack != *self.world.stack();
        self.edit_stack(label, None, stack);
        match (changes, self.world.history.revision() != before) {
            (true, true) => self.notify(text::undoes_it(&done, &Command::Undo.info().shortcut_text())),
            // The edit was refused with an error message, or the document already had this stack.
            (true, false) => {}
            (false, _) => self.notify(nothing),
        }
    }

    pub(crate) fn edit_settings_and_report(&mut self, label: &str, settings: Settings, done: &str, nothing: &str) {
        let stack = Stack { full_body: settings, ..self.world.stack().clone() };
        self.edit_and_report(label, stack, done, nothing);
    }

    pub fn edit_stack(&mut self, label: &str, gesture: Option<u64>, stack: Stack) {
        self.edit(label, gesture, self.world.history.document().with_stack(stack));
    }

    pub(crate) fn document_changed(&mut self) {
        file::follow(self);
        self.find_roles();
        self.moving_parts_changed();
        self.settings_changed();
    }

    /// Plays the document's clip, or the rest pose without one, if its name or start time has changed.
    pub(crate) fn follow_clip(&mut self) {
        let document = self.world.history.document().clone();
        let clip = match &document.clip.name {
            None => None,
            Some(name) => match self.world.character.find_clip(name) {
                Ok(clip) => Some(clip),
                // The motion file with this clip is not read yet.
                Err(_) if document.is_of_motion_file(name) => None,
                Err(message) => {
                    self.fail(message);
                    None
                }
            },
        };
        let playing = if document.motion.gaits.is_empty() { self.world.clip.clip() } else { self.world.clip.named };
        if (playing, self.world.clip.start) != (clip, document.clip.time) {
            let goes_on = self.world.clip.start == document.clip.time && !self.world.time.is_paused();
            self.world.clip.start = document.clip.time;
            match goes_on && document.clip.time == 0.0 {
                true => self.world.clip.fade_to(
                    clip,
                    document.motion.fade,
                    Phase::Restart,
                    &self.world.character.model.clips,
                ),
                false => self.world.clip.set(clip, document.clip.time),
            }
            self.world.clip.named = clip;
            self.world.clip.bake_range = None;
            self.world.time.resample = true;
            // Motion capture may be metres away from the origin and so out of the picture.
            self.look.is_unchecked = true;
        }
    }

    pub(crate) fn settings_changed(&mut self) {
        if self.tools.games.is_shown() {
            return self.game_settings_changed();
        }
        self.world.time.needs_solve = true;
        self.world.picture.stack = self.world.with_targets(self.world.history.document().stack.clone());
        if self.world.time.is_paused() && !self.world.time.resample {
            self.ask_what_if();
        }
    }

    /// Plays a clip chosen by the user. A document's first clip also ends the scene, because the scene's targets would
    /// hold the feet of a walking clip.
    pub(crate) fn choose_clip(&mut self, clip: Option<usize>) {
        if clip.is_none() || self.world.history.document().clip.name.is_some() {
            return self.set_clip(clip);
        }
        let mut document = Document { clip: self.world.clip_section(clip), ..self.world.history.document().clone() };
        if document.motion == Default::default() {
            document.motion.travel = Travel::Clip;
        }
        if let Some(scene) = self.started_scene.scene.take() {
            let own = scene.document(&self.started_scene.rest).stack.full_body;
            let settings = &mut document.stack.full_body;
            // Settings that the user has changed stay.
            for (effector, own) in settings.effectors.iter_mut().zip(&own.effectors) {
                if effector == own {
                    *effector = Default::default();
                }
            }
            let bend = |chain: &ChainSettings| (chain.bend_goal, chain.bend_direction, chain.bend_weight);
            for (chain, own) in settings.chains.iter_mut().zip(&own.chains) {
                if bend(chain) == bend(own) {
                    (chain.bend_goal, chain.bend_direction, chain.bend_weight) = (None, None, 0.0);
                }
            }
        }
        self.edit("clip", None, document);
    }

    pub(crate) fn set_clip(&mut self, clip: Option<usize>) {
        let document = Document { clip: self.world.clip_section(clip), ..self.world.history.document().clone() };
        self.edit("clip", None, document);
    }

    pub(crate) fn replace_document(&mut self, document: Document) {
        self.world.history.replace(document);
        // NaN differs from every start time, so `follow_clip` starts the new clip at once instead of fading to it.
        self.world.clip.start = f32::NAN;
        motion::session::restart(self);
        self.world.time.resample = true;
        self.document_changed();
    }
}

impl World {
    fn allows(&self, document: &Document) -> Result<(), String> {
        let (known, room) = (self.history.document(), self.room());
        document.validate(known).map_err(|fault| fault.to_string())?;
        if let Some(refused) = room.refuses_settings(&self.picture.stack.full_body, &document.stack.full_body) {
            return Err(refused);
        }
        let known = known.stack.chain_ik.places();
        let refused = document.stack.chain_ik.places().into_iter().find_map(|(what, place)| {
            let before = known.iter().find(|(name, _)| *name == what).map(|(_, place)| *place);
            room.refuses(&what, before, Some(place))
        });
        refused.map_or(Ok(()), Err)
    }

    fn clip_section(&self, clip: Option<usize>) -> ClipSection {
        let clip = clip.and_then(|clip| self.character.model.clips.get(clip));
        ClipSection { name: clip.map(|clip| clip.name.clone()), time: 0.0 }
    }
}
