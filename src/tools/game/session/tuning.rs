//! Sends edits to the running game, and follows its parameters.

use std::sync::Arc;

use crate::session::Session;
use crate::tools::game::words as text;
use crate::tools::game::{Lane, PendingEdit};
use kinescope_ik::debugger::fields;
use kinescope_ik::stack::Stack;

/// Seconds within which the game must adopt an edit, counted from its first frame after the edit.
const LONGEST_WAIT: f32 = 0.6;
/// Seconds after which an edit is dropped even if the game sends nothing.
const LONGEST_PENDING: f32 = 10.0;

impl Session {
    pub fn tunes_now(&self) -> bool {
        let is_present = self.lane().is_some_and(Lane::is_present);
        self.tools.games.tunes && is_present && self.tools.games.shows_received() && self.tools.games.is_connected()
    }

    /// Copies the full-body settings that the game reported for its frame to the document, except for an edit that the
    /// game has not adopted yet. Does nothing during a what-if, or while the document has unsaved changes that are not
    /// sent to the game.
    pub(crate) fn follow_parameters(&mut self) {
        let reported = &self.world.solved.input.stack;
        let is_tuned = self.tunes_now() && !self.world.time.is_paused();
        if self.tools.debugger.what_if.is_some() || (self.world.history.is_unsaved() && !is_tuned) {
            return;
        }
        let pending = self.tools.games.pending_edit().map_or(&[][..], |pending| &pending.changes);
        let stack = fields::with_changes(reported, pending).unwrap_or_else(|_| Stack::clone(reported));
        if self.world.history.document().stack.full_body != stack.full_body {
            self.world
                .history
                .follow(Stack { full_body: stack.full_body, ..self.world.history.document().stack.clone() });
        }
    }

    /// Handles a change of the document's settings while a game is shown. Sends them to the game if it is tuned, else
    /// pauses. While paused, also shows a what-if of the frame.
    pub(crate) fn game_settings_changed(&mut self) {
        if self.tunes_now() {
            self.send_settings();
            self.show_pending_edit();
            self.world.time.needs_solve |= self.world.time.is_paused();
        } else if !self.world.time.is_paused() {
            self.pause();
            self.notify(text::EDIT_IS_WHAT_IF);
        }
        if self.world.time.is_paused() {
            self.ask_what_if();
            self.world.time.needs_solve = true;
        }
    }

    fn send_settings(&mut self) {
        let stack = &self.world.history.document().stack;
        let changes = fields::changes(&self.world.solved.input.stack, stack);
        if let (Some((game, character)), Some(listening)) =
            (self.tools.games.shown(), self.tools.games.connection.listening())
        {
            listening.listener.tune(&game.characters[character].name, &stack.full_body);
        }
        let frame = self.world.time.frame;
        self.tools.games.set_pending_edit(Some(PendingEdit { changes, frame, waited: 0.0, age: 0.0 }));
    }

    /// Sends unsaved edits to the game, once the user has turned tuning on or has gone live.
    pub(crate) fn tune_what_was_edited(&mut self) {
        if self.tunes_now() && !self.world.time.is_paused() && self.world.history.is_unsaved() {
            self.game_settings_changed();
        }
    }

    /// Shows the pending edit instead of the game's parameters, so that sliders do not jump back under the pointer.
    /// Drops the edit once the game has adopted it.
    pub(crate) fn show_pending_edit(&mut self) {
        let Some(pending) = self.tools.games.pending_edit().filter(|_| !self.world.time.is_paused()) else { return };
        match fields::with_changes(&self.world.solved.input.stack, &pending.changes) {
            Ok(stack) if stack != *self.world.solved.input.stack => self.world.picture.stack = Arc::new(stack),
            Ok(_) | Err(_) => self.tools.games.set_pending_edit(None),
        }
    }

    pub(crate) fn age_pending_edit(&mut self, dt: f32) {
        let frame = self.world.time.frame;
        let Some(pending) = self.tools.games.watched.as_mut().and_then(|watched| watched.pending.as_mut()) else {
            return;
        };
        pending.age += dt;
        // The time counts from the first frame after the edit, because a game that sends no frames has not ignored the edit.
        pending.waited += if pending.frame == frame { 0.0 } else { dt };
        if pending.waited > LONGEST_WAIT || pending.age > LONGEST_PENDING {
            self.tools.games.set_pending_edit(None);
            if !self.world.time.is_paused() {
                self.world.time.needs_solve = true;
                self.mention(text::EDIT_NOT_ADOPTED);
            }
        }
    }
}
