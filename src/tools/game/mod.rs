//! Games: opened recordings, and frames that running games send.
//!
//! A [`Game`] has the outline of every frame. The frame itself is in memory or in a file, where a [`Source`] reads it. The
//! tape gets the frame shown and those before it. [`Listener`] receives frames of running games. [`Judge`] compares the
//! recorded results of the game shown with Kinescope's own solves.
//!
//! | file | content |
//! |---|---|
//! | `listener/` | the socket: its own threads, events for the window |
//! | `connection` | state: whether Kinescope listens, and the state of the connection |
//! | `received` | state: the game that receives frames from the link, and whether the window has offered to show it |
//! | `watched` | state: the character that is shown, its pending edit and solves |
//! | `recorded`, `frames`, `marks`, `source` | data of one game |
//! | `index`, `saving` | opening and writing a recording, as jobs |
//! | `judge` | comparing frames with Kinescope's solves, on its own thread where there are threads |
//!
//! [`Session`](crate::session::Session) updates [`Games`]. [`pane`] and [`lane`] show them.

mod connection;
mod frames;
mod index;
mod judge;
pub(crate) mod lane;
pub mod listener;
mod marks;
pub(crate) mod pane;
mod received;
mod recorded;
mod saving;
pub mod session;
pub mod source;
pub mod watched;
pub(crate) mod words;

pub use connection::{Connection, Listening};
pub(crate) use frames::Lane;
pub use frames::Verdict;
pub use index::open;
pub(crate) use judge::Judged;
pub use judge::{Judge, Judging};
pub use listener::Listener;
pub(crate) use listener::{End, Event, Question, Solver, Traffic, Wake, rig_line, targets};
pub use marks::MOST_MARKS;
pub(crate) use marks::Marks;
pub(crate) use received::{Offer, Received, Run};
pub use recorded::Game;
pub use recorded::Origin;
pub(crate) use saving::{AfterSaving, Saving};
pub(crate) use source::Source;
pub(crate) use watched::PendingEdit;
pub use watched::{Shown, Watched};

use std::path::PathBuf;
use std::sync::Arc;

use crate::system::jobs::Job;
use crate::system::order::sort_by_key;
use crate::tools::game::words as text;
use kinescope_ik::game_recording::Mark;
use kinescope_ik::stack::Frame;

/// Largest memory for the frames of all received games, bytes.
pub const BUDGET: usize = 256 << 20;
const MOST_GAMES: usize = 32;
/// Largest memory for the headers of all games, bytes.
const MOST_HEADERS: usize = 64 << 20;

pub struct Opening {
    pub path: PathBuf,
    /// The model named on the command line. Its mesh draws the recording's character.
    pub body: Option<PathBuf>,
    pub job: Job<Result<(Game, Option<String>), String>>,
}
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum SaveTarget {
    #[default]
    Shown,
    /// An unsaved game, by its [`Game::id`], before the window closes.
    BeforeQuit(u64),
}

#[derive(Default)]
pub struct Games {
    pub connection: Connection,
    /// `None` until a game has connected.
    pub received: Option<Received>,
    /// Newest last.
    pub games: Vec<Game>,
    pub watched: Option<Watched>,
    /// Whether the user wants edits to be sent to the running game.
    pub(crate) tunes: bool,
    pub opening: Option<Opening>,
    pub(crate) save_target: SaveTarget,
    pub saving: Option<Saving>,
    pub judge: Option<Judge>,
    /// Frames lost with dropped games.
    lost_before: u64,
    pub wake: Wake,
    next_id: u64,
}

impl Games {
    pub fn get(&self, id: u64) -> Option<&Game> {
        self.games.iter().find(|game| game.id == id)
    }

    pub fn get_mut(&mut self, id: u64) -> Option<&mut Game> {
        self.games.iter_mut().find(|game| game.id == id)
    }

    pub fn shown_id(&self) -> Option<Shown> {
        self.watched.as_ref().map(|watched| watched.shown)
    }

    pub fn is_shown(&self) -> bool {
        self.watched.is_some()
    }

    pub fn shown(&self) -> Option<(&Game, usize)> {
        let shown = self.shown_id()?;
        Some((self.get(shown.game)?, shown.character))
    }

    pub fn lane(&self) -> Option<&Lane> {
        let (game, character) = self.shown()?;
        game.lanes.get(character)
    }

    pub(crate) fn shows_result(&self) -> bool {
        self.watched.as_ref().is_none_or(|watched| !watched.hides_result)
    }

    pub(crate) fn to_save(&self) -> Option<&Game> {
        match self.save_target {
            SaveTarget::Shown => Some(self.shown()?.0),
            SaveTarget::BeforeQuit(id) => self.get(id),
        }
    }

    pub fn traffic(&self) -> Traffic {
        self.connection.listening().map(|listening| listening.traffic).unwrap_or_default()
    }

    pub fn is_connected(&self) -> bool {
        self.traffic().from.is_some()
    }

    pub fn received_game(&self) -> Option<&Game> {
        self.get(self.received.as_ref()?.game)
    }

    fn received_game_mut(&mut self) -> Option<&mut Game> {
        let id = self.received.as_ref()?.game;
        self.get_mut(id)
    }

    fn next_run(&mut self) -> Option<Game> {
        let id = self.new_id();
        Some(self.received_game()?.next_run(id))
    }

    pub(crate) fn shows_received(&self) -> bool {
        let received = self.received.as_ref().map(|received| received.game);
        self.shown_id().is_some_and(|shown| Some(shown.game) == received)
    }

    pub(crate) fn has_offered(&self) -> bool {
        self.received.as_ref().is_some_and(|received| received.offer == Offer::Made)
    }

    pub(crate) fn is_behind_dialog(&self) -> bool {
        self.received.as_ref().is_some_and(|received| received.offer == Offer::BehindDialog)
    }

    pub(crate) fn has_unseen(&self) -> bool {
        self.received.as_ref().is_some_and(|received| received.is_unseen)
    }

    pub(crate) fn new_id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id
    }

    pub fn unsaved(&self) -> Option<&Game> {
        self.games.iter().rev().find(|game| !game.is_saved() && !game.is_empty())
    }

    pub fn has_jobs(&self) -> bool {
        self.opening.is_some() || self.saving.is_some() || self.judge.as_ref().is_some_and(Judge::is_busy)
    }

    pub fn is_moving(&self) -> bool {
        let listening = self.connection.listening();
        self.has_jobs()
            || self.watched.as_ref().is_some_and(|watched| watched.pending.is_some())
            || listening.is_some_and(|listening| listening.rate.is_moving() || !self.wake.is_set())
    }

    pub(crate) fn watch(&mut self, shown: Shown) {
        self.games.iter().filter(|game| game.id != shown.game).for_each(Game::forget_parsed);
        self.watched = Some(Watched::new(shown));
    }

    /// Stops showing a game and drops the cached frames of opened recordings. Returns whether a game was shown.
    pub fn leave(&mut self) -> bool {
        let was_shown = self.watched.take().is_some();
        if was_shown {
            self.games.iter().for_each(Game::forget_parsed);
        }
        was_shown
    }

    /// Adds a game. Beyond [`MOST_GAMES`] or [`MOST_HEADERS`], drops games that are neither shown nor received.
    /// Returns the dropped games that had unsaved frames.
    pub fn add(&mut self, game: Game) -> Vec<Game> {
        let mut lost = Vec::new();
        self.games.push(game);
        let of_headers = |games: &[Game]| games.iter().map(Game::bytes_of_header).sum::<usize>();
        let shown = self.shown_id().map(|shown| shown.game);
        let received = self.received.as_ref().map(|received| received.game);
        while self.games.len() > MOST_GAMES || of_headers(&self.games) > MOST_HEADERS {
            let may_go = |game: &Game| Some(game.id) != shown && Some(game.id) != received;
            let last = self.games.len() - 1;
            // Saved and empty games are dropped first, then the smallest unsaved games. A game that restarts again and
            // again must not push out a long session.
            let order = |&index: &usize| {
                let game = &self.games[index];
                (!game.is_empty() && !game.is_saved(), game.bytes(), index)
            };
            let Some(index) = (0..last).filter(|&index| may_go(&self.games[index])).min_by_key(order) else { break };
            let gone = self.games.remove(index);
            self.lost_before += gone.lost;
            if !gone.is_saved() && !gone.is_empty() {
                self.lost_before += gone.len() as u64;
                lost.push(gone);
            }
        }
        lost
    }

    pub fn lost(&self) -> u64 {
        self.traffic().dropped + self.lost_before + self.games.iter().map(|game| game.lost).sum::<u64>()
    }

    /// Drops the oldest frames beyond [`BUDGET`], beginning with games that are neither shown nor received.
    pub(crate) fn make_room(&mut self) {
        let mut total: usize = self.games.iter().map(Game::bytes).sum();
        let shown = self.shown_id();
        let received = self.received.as_ref().map(|received| received.game);
        while total > BUDGET {
            let before = total;
            let is_needed = |id| shown.is_some_and(|shown| shown.game == id) || Some(id) == received;
            let mut games: Vec<&mut Game> = self.games.iter_mut().filter(|game| game.bytes() > 0).collect();
            sort_by_key(&mut games, |game| (is_needed(game.id), game.id));
            for game in games {
                let bytes = game.bytes();
                let own = shown.filter(|shown| shown.game == game.id).map(|shown| shown.character);
                if game.drop_oldest(own) {
                    total -= bytes - game.bytes();
                    break;
                }
            }
            if total == before {
                return;
            }
        }
    }

    pub(crate) fn disconnect(&mut self) {
        if let Some(listening) = self.connection.listening() {
            listening.listener.disconnect();
        }
    }

    fn take_mark(&mut self, mark: &Mark) {
        let Some(received) = &mut self.received else { return };
        match &mut received.run {
            Run::Rejoined(marks) => marks.add(mark),
            Run::GoesOn => {
                let id = received.game;
                if let Some(game) = self.get_mut(id) {
                    game.mark(mark);
                }
            }
        }
    }

    pub(crate) fn hide_result(&mut self, hides: bool) {
        if let Some(watched) = &mut self.watched {
            watched.hides_result = hides;
        }
    }

    /// Sends frames of the game shown to the judge, as many as it has room for. If the judge cannot be started, a later
    /// call sends them.
    pub fn send_to_judge(&mut self, start: impl Fn(Wake) -> Result<Judge, String>) {
        let Some(Shown { game: id, character: first }) = self.shown_id() else { return };
        let Self { games, judge, wake, .. } = self;
        let Some(game) = games.iter_mut().find(|game| game.id == id) else { return };
        // The character shown is compared first.
        let others = (0..game.lanes.len()).filter(|&character| character != first);
        for character in std::iter::once(first).chain(others) {
            loop {
                if judge.as_ref().is_some_and(|judge| !judge.has_room()) {
                    return;
                }
                let Some((number, source)) = game.next_to_judge(character) else { break };
                let judge = match judge {
                    Some(judge) => judge,
                    None => match start(wake.clone()) {
                        Ok(started) => judge.insert(started),
                        Err(_) => return game.put_back(character, number),
                    },
                };
                if !judge.send((id, character, number), source) {
                    game.judged(character, number, &Judged::Broken(text::VERDICT_BROKEN.to_owned()));
                }
            }
        }
    }

    fn pending_edit(&self) -> Option<&PendingEdit> {
        self.watched.as_ref()?.pending.as_ref()
    }

    fn set_pending_edit(&mut self, pending: Option<PendingEdit>) {
        if let Some(watched) = &mut self.watched {
            watched.pending = pending;
        }
    }

    fn kept_solve(&self, number: u64, needs_times: bool) -> Option<Arc<Frame>> {
        self.watched.as_ref()?.solves.get(number, needs_times)
    }
}
