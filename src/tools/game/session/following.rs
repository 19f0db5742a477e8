//! Shows a game, and follows the received one.

use crate::character::Character;
use crate::session::{Dialog, Now, Pane, Pending, Request, Session};
use crate::tools::game::words as text;
use crate::tools::game::{Game, Lane, Offer, Shown};
use crate::world::document::Document;
use kinescope_ik::rig::ModelPose;
use kinescope_ik::stack::Stack;

/// Number of the newest frames in which the solver's parameters are searched. After a crash of the game, the last frames may
/// be malformed.
const MOST_TRIED: usize = 64;

/// The time in seconds at which showing a game begins, and whether it is paused there.
struct Start {
    time: f64,
    is_paused: bool,
}

impl Session {
    /// Shows the received game once it has frames, unless the session is paused. While the user has unsaved work or
    /// types, a message names the key instead.
    pub(crate) fn offer_to_follow(&mut self) {
        let Some(received) = self.tools.games.received.as_mut().filter(|received| received.is_unseen) else { return };
        if self.world.time.is_paused() || received.offer == Offer::Made {
            return;
        }
        // Showing the game would take the focus away from the text field in which the user types.
        let is_unsaved = self.world.history.is_unsaved();
        if !is_unsaved && !self.interaction.types {
            return self.follow_game();
        }
        match received.offer {
            Offer::NotMade | Offer::BehindDialog => {
                received.offer = Offer::Mentioned;
                let name = self.tools.games.received_game().map_or_else(String::new, |game| game.name.clone());
                let asks = if is_unsaved { text::ASKS_FIRST } else { "" };
                self.mention(text::connected(&name, &asks));
            }
            Offer::Mentioned | Offer::Made => {}
        }
    }

    /// Shows the received game, unless a dialog is open. Asks first if there are unsaved changes.
    pub(crate) fn follow_game(&mut self) {
        if self.window.dialog.is_some() {
            return show_behind_recovery(self);
        }
        if let Some(received) = &mut self.tools.games.received {
            received.offer = Offer::Made;
        }
        self.unless_unsaved(Pending::FollowGame);
    }

    pub(crate) fn show_received(&mut self) {
        let Some(game) = self.tools.games.received_game().filter(|game| !game.is_empty()) else {
            // The game has no frame yet, so the window offers it again when its first frame arrives.
            if let Some(received) = &mut self.tools.games.received {
                received.offer = Offer::NotMade;
            }
            return;
        };
        let (shown, name) = (Shown { game: game.id, character: game.first_character() }, game.name.clone());
        self.show_game(shown);
        self.world.time.now = Now::Live;
        // If the game has already disconnected, the message about its end is more important.
        if self.tools.games.is_connected() {
            self.mention(text::following(&name));
        }
    }

    pub(crate) fn show_game(&mut self, shown: Shown) {
        let Some(game) = self.tools.games.get(shown.game) else { return };
        let Some((own, lane)) = game.characters.get(shown.character).zip(game.lanes.get(shown.character)) else {
            return;
        };
        let Some(start) = self.start_of(game, lane) else {
            return self.notify(text::no_frame_of(&own.name));
        };
        let (character, stack) = (character_of(game, shown.character), stack_of(game, lane));
        // The selection stays for another run of the same game.
        let before = self.tools.games.shown();
        let is_same = before.is_some_and(|(before, own)| before.header == game.header && own == shown.character);
        let (selection, had_pane) = (is_same.then_some(self.interaction.selection), before.is_some());
        self.tools.games.watched = None;
        self.take_bones(character, Document { stack, ..Document::default() });
        self.tools.games.watch(shown);
        if let Some(received) = self.tools.games.received.as_mut().filter(|received| received.game == shown.game) {
            received.is_unseen = false;
        }
        if start.is_paused {
            self.world.time.now = Now::Paused;
        }
        self.show_frame_at(start.time);
        match self.world.picture.pose.bones.len() == self.world.character.model.skeleton.len() {
            true => self.frame_shown(),
            false => self.frame_all(),
        }
        if let Some(selection) = selection {
            self.set_selection(selection);
        }
        if !had_pane {
            self.window.requests.push(Request::ShowPane(Pane::Game));
        }
        if let Some(body) = self.tools.games.get_mut(shown.game).and_then(Game::take_body) {
            self.choose_body(&body);
        }
    }

    fn start_of(&self, game: &Game, lane: &Lane) -> Option<Start> {
        let [first, last] = [lane.first()?.outline.time, lane.last()?.outline.time];
        let is_same = self.tools.games.shown_id().is_some_and(|before| before.game == game.id);
        let is_recording = game.path().is_some();
        Some(match (is_same, self.world.time.is_paused()) {
            (true, true) => Start { time: self.shown_frame().map_or(last, |(_, time)| time), is_paused: true },
            (true, false) => Start { time: last, is_paused: false },
            (false, _) if is_recording => Start { time: first, is_paused: true },
            (false, _) => Start { time: last, is_paused: false },
        })
    }

    fn show_frame_at(&mut self, time: f64) {
        let (there, newest) = self.lane().map_or((None, None), |lane| (lane.at_time(time), lane.range()));
        if !there.is_some_and(|number| self.go_to_game_frame(number))
            && let Some([_, newest]) = newest
        {
            self.go_to_game_frame(newest);
        }
    }

    pub(crate) fn leave_game(&mut self) {
        if self.tools.games.leave() {
            self.tools.debugger.port = None;
            self.tools.debugger.what_if = None;
            self.tools.debugger.tape.clear();
            self.world.time.resample = true;
        }
    }

    pub(crate) fn follow_newest(&mut self) -> bool {
        let Some([_, last]) = self.lane().and_then(Lane::range) else { return false };
        if self.world.time.is_paused() || self.world.time.frame == last {
            return false;
        }
        self.go_to_game_frame(last)
    }
}

fn show_behind_recovery(session: &mut Session) {
    if let (Some(Dialog::Recover), Some(received)) = (&session.window.dialog, &mut session.tools.games.received)
        && received.offer == Offer::NotMade
    {
        received.offer = Offer::BehindDialog;
        session.window.requests.push(Request::ShowPane(Pane::Game));
    }
}

fn character_of(game: &Game, index: usize) -> Character {
    let own = &game.characters[index];
    let rest = ModelPose::rigid(own.reference.clone());
    let mut character =
        Character::from_bones(&own.name, &own.skeleton, Some(own.biped.clone()), &own.reference, None, &rest);
    character.set_body(game.bodies.get(index).cloned().flatten());
    character
}

fn stack_of(game: &Game, lane: &Lane) -> Stack {
    let readable = lane.entries().rev().take(MOST_TRIED).find_map(|(_, entry)| game.source(entry).read().ok());
    let full_body = readable.map_or_else(Default::default, |frame| frame.parameters);
    Stack { full_body, ..Stack::default() }
}
