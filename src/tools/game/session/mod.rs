//! The session's part of games: passes events of the link to games, records frames on the tape, and sends edits back.
//!
//! | file | content |
//! |---|---|
//! | `mod` | the link: listening, events, the update of every frame |
//! | `actions` | actions of the Game pane, and commands |
//! | `files` | opening and saving recordings |
//! | `following` | the game that is shown, and following the received one |
//! | `frames` | frames of the game on the tape |
//! | `comparing` | comparing the game's result with Kinescope's, verdicts of frames |
//! | `tuning` | edits that go to the running game |

mod actions;
mod comparing;
mod files;
mod following;
mod frames;
mod tuning;

pub use actions::GameAction;

use std::net::SocketAddr;
use std::sync::Arc;

use crate::session::{Pane, Request, Session};
use crate::system::clock::Instant;
use crate::tools::game::words as text;
use crate::tools::game::{Connection, End, Event, Game, Lane, Listener, Listening, Marks, Origin, Received, Run};
use crate::ui::words::counted;
use kinescope_ik::game_recording::{GameFrame, Header};

/// Largest number of characters shown of a producer's name.
const LONGEST_NAME: usize = 60;

impl Session {
    pub fn lane(&self) -> Option<&Lane> {
        self.tools.games.lane()
    }

    pub fn frames(&self) -> Option<[u64; 2]> {
        match self.lane() {
            Some(lane) => lane.range(),
            None => self.tools.debugger.tape.range(),
        }
    }

    pub(crate) fn has_frame(&self, number: u64) -> bool {
        self.frames().is_some_and(|[first, last]| (first..=last).contains(&number))
    }

    /// Returns number and time (seconds) of the frame shown, or `None` if it is not recorded. Frames of a game have the
    /// game's own number.
    pub fn shown_frame(&self) -> Option<(u64, f64)> {
        match self.lane() {
            Some(lane) => lane.get(self.world.time.frame).map(|entry| (entry.outline.frame, entry.outline.time)),
            None => self.tools.debugger.tape.get(self.world.time.frame).map(|frame| (frame.number, frame.time)),
        }
    }

    pub fn listen(&mut self, address: &str) {
        // The previous listener may hold the address, so it stops first.
        self.tools.games.connection.stop();
        match Listener::start(address, self.tools.games.wake.clone()) {
            Ok(listener) => {
                let at = listener.address;
                self.tools.games.connection = Connection::Listening(Box::new(Listening::new(listener, address)));
                self.window.requests.push(Request::ShowPane(Pane::Game));
                self.notify(text::listening_at(&at));
            }
            Err(error) => self.fail(error),
        }
    }

    pub(crate) fn update_games(&mut self, dt: f32) -> bool {
        let mut changed = self.update_opening() | self.update_saving();
        let events = match self.tools.games.connection.listening_mut() {
            Some(listening) => {
                let events = listening.listener.take();
                changed |= listening.update(Instant::now());
                events
            }
            None => Vec::new(),
        };
        changed |= !events.is_empty();
        for event in events {
            self.take_event(event);
        }
        self.tools.games.make_room();
        self.age_pending_edit(dt);
        self.offer_to_follow();
        changed |= self.update_judge();
        changed | self.follow_newest()
    }

    fn take_event(&mut self, event: Event) {
        match event {
            Event::Connected { from, header } => self.take_header(from, header),
            Event::Frame(frame) => self.take_frame(*frame),
            Event::Joined { index, character } => {
                let is_full = self.tools.games.received_game().is_some_and(Game::is_full);
                if let Some(game) = if is_full { self.tools.games.next_run() } else { None } {
                    self.receive(game);
                }
                if let Some(game) = self.tools.games.received_game_mut() {
                    game.receive_join(index, &character);
                }
            }
            Event::Left { index } => {
                let left = self.tools.games.received_game_mut().and_then(|game| game.receive_leave(index));
                let shown = self.tools.games.shown().filter(|(_, shown)| Some(*shown) == left);
                if let Some((game, shown)) = shown.filter(|_| self.tools.games.shows_received()) {
                    let text = text::has_left(&game.characters[shown].name);
                    self.mention(text);
                }
            }
            Event::Mark(mark) => self.tools.games.take_mark(&mark),
            Event::Malformed { from, fault, is_first } => {
                if is_first {
                    self.fail(text::line_ignored(&from, &fault));
                }
                if let Some(listening) = self.tools.games.connection.listening_mut() {
                    listening.malformed.push(fault);
                }
            }
            Event::Disconnected { from, end } => self.take_end(from, &end),
        }
    }

    fn take_header(&mut self, from: SocketAddr, header: Arc<Header>) {
        if let Some(listening) = self.tools.games.connection.listening_mut() {
            listening.peer = Some(from);
            listening.malformed.clear();
        }
        let known = self.tools.games.received_game_mut().filter(|game| game.is_continued_by(&header));
        if let Some(game) = known {
            game.rejoin(&header);
            if let Some(received) = &mut self.tools.games.received {
                received.run = Run::Rejoined(Marks::default());
            }
            return;
        }
        let name = if header.producer.is_empty() { from.to_string() } else { one_name(&header.producer) };
        let id = self.tools.games.new_id();
        self.receive(Game::new(id, name, header, Origin::Link));
    }

    fn take_end(&mut self, from: SocketAddr, end: &End) {
        let is_known = match self.tools.games.connection.listening_mut() {
            Some(listening) => listening.peer.take_if(|peer| *peer == from).is_some(),
            None => false,
        };
        let frames = self.tools.games.received_game().map_or(0, Game::len);
        let stay = if frames == 1 { "stays" } else { "stay" };
        let count = counted(frames, "frame");
        match end {
            End::Refused(why) => self.fail(text::connection_closed(&why)),
            End::Closed | End::CutOff if !is_known || frames == 0 => {}
            End::CutOff => self.mention(text::cut_off(&from, &count, &stay)),
            End::Closed => self.mention(text::disconnected(&from, &count, &stay)),
        }
    }

    fn add_game(&mut self, mut game: Game) {
        // Another run of the same game, or the same recording opened again, keeps the body meshes.
        if let Some(before) = self.tools.games.games.iter().rev().find(|before| before.header == game.header) {
            game.bodies.iter_mut().zip(&before.bodies).for_each(|(own, before)| own.clone_from(before));
        }
        for lost in self.tools.games.add(game) {
            let count = counted(lost.len(), text::UNSAVED_FRAME);
            self.fail(text::game_dropped(&lost.name, &count));
        }
    }

    fn receive(&mut self, game: Game) {
        let name = game.name.clone();
        self.tools.games.received = Some(Received::new(game.id));
        self.add_game(game);
        if self.world.time.is_paused() {
            self.mention(text::connected(&name, &""));
        }
    }

    fn take_frame(&mut self, frame: GameFrame) {
        let marks = self.tools.games.received.as_mut().and_then(Received::take_rejoined);
        let game = self.tools.games.received_game();
        if game.is_some_and(|game| game.is_restarted_by(&frame, marks.is_some())) {
            let next = self.tools.games.next_run();
            next.into_iter().for_each(|game| self.receive(game));
        }
        let is_shown = self.tools.games.shows_received();
        let Some(received) = &mut self.tools.games.received else { return };
        received.is_unseen |= !is_shown;
        if let Some(game) = self.tools.games.received_game_mut() {
            game.add_marks(&marks.unwrap_or_default());
            game.push(frame);
        }
    }
}

fn one_name(name: &str) -> String {
    crate::system::files::one_line(&name.chars().take(LONGEST_NAME).collect::<String>())
}
