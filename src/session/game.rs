//! Games that are looked into: what comes from them goes on the tape, and edits go back.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{Now, Pending, Request, Session};
use crate::character::Character;
use crate::game::{
    self, End, Event, Game, Games, Judge, Judged, Lane, Listener, Marks, Saving, Shown, Source, Tuned, Verdict,
};
use crate::session::commands::Command;
use crate::session::document::Document;
use crate::system::files;
use crate::system::jobs::{Job, Outcome};
use crate::tools::steps::Port;
use crate::ui::layout::Pane;
use crate::ui::words::counted;
use kinescope_ik::debugger::{breaks, fields};
use kinescope_ik::game_recording::{GameFrame, Header, Mark};
use kinescope_ik::rig::ModelPose;
use kinescope_ik::stack::{Frame, Input, Stack};

/// Frames before the one that is gone to that the tape gets with it.
const BEFORE: u64 = 24;
/// Frames that come one after the other onto the tape in one go, at most.
const AT_ONCE: u64 = 64;
/// What frames that take long to solve may hold up the window for, in one go.
const MOST_FILLING: Duration = Duration::from_millis(250);
/// Frames that are tried where the one that is gone to does not read.
const MOST_TRIED: usize = 64;
/// Seconds that what was edited stands on screen until the game must have taken it over.
const TUNED_FOR: f32 = 0.6;
/// The same of a game that sends nothing meanwhile.
const TUNED_AT_MOST: f32 = 10.0;

impl Session {
    /// The frames of the game's character that is shown; `None` where no game is looked at.
    pub fn lane(&self) -> Option<&Lane> {
        self.games.lane()
    }

    /// Numbers of the first and the last frame that can be gone to.
    pub fn frames(&self) -> Option<[u64; 2]> {
        match self.lane() {
            Some(lane) => lane.range(),
            None => self.debugger.tape.range(),
        }
    }

    /// Whether there is such a frame to go to.
    pub(crate) fn has_frame(&self, number: u64) -> bool {
        self.frames().is_some_and(|[first, last]| (first..=last).contains(&number))
    }

    /// Number and time of the frame shown as it is to be told: the game's own, where it is a game's.
    pub fn told_frame(&self) -> Option<(u64, f64)> {
        match self.lane() {
            Some(lane) => lane.get(self.time.frame).map(|entry| (entry.outline.frame, entry.outline.time)),
            None => self.debugger.tape.get(self.time.frame).map(|frame| (frame.number, frame.time)),
        }
    }

    /// Waits for games at an address.
    pub fn listen(&mut self, address: &str) {
        self.games.listener = None;
        match Listener::start(address, self.games.wake.clone()) {
            Ok(listener) => {
                let at = listener.address;
                self.games.address = Some(address.to_owned());
                self.games.refused.clear();
                self.games.listener = Some(listener);
                self.desk.requests.push(Request::ShowPane(Pane::Game));
                self.notify(format!("listening for games at {at}"));
            }
            Err(error) => self.fail(error),
        }
    }

    pub(crate) fn stop_listening(&mut self) {
        self.games.listener = None;
        self.games.traffic = Default::default();
        self.games.rate = Default::default();
    }

    /// Opens a recording, off the drawing thread.
    pub fn open_recording(&mut self, path: PathBuf) {
        let (own, id) = (path.clone(), self.games.new_id());
        let job = Job::start(move |progress| match game::open(&own, id, progress) {
            Ok(Some(opened)) => Some(Ok(opened)),
            Ok(None) => None,
            Err(error) => Some(Err(error)),
        });
        match job {
            Ok(job) => {
                self.games.opening = Some((path, job));
                self.desk.requests.push(Request::ShowPane(Pane::Game));
            }
            Err(error) => self.fail(error),
        }
    }

    /// Takes what has come from games, and what was found out about them. Returns whether there is any of it.
    pub(crate) fn update_games(&mut self, dt: f32) -> bool {
        let mut changed = self.update_opening() | self.update_saving();
        let events = self.games.listener.as_ref().map(Listener::take).unwrap_or_default();
        changed |= !events.is_empty();
        if let Some(listener) = &self.games.listener {
            self.games.traffic = listener.traffic();
            let traffic = self.games.traffic;
            changed |= self.games.rate.count(&traffic, Instant::now());
        }
        for event in events {
            self.take_event(event);
        }
        self.games.make_room();
        if let Some(tuned) = &mut self.games.tuned {
            tuned.age += dt;
            // A game that stands still has not said no.
            tuned.told += if tuned.frame == self.time.frame { 0.0 } else { dt };
            if tuned.told > TUNED_FOR || tuned.age > TUNED_AT_MOST {
                self.games.tuned = None;
                if !self.time.is_paused() {
                    self.time.needs_solve = true;
                    self.mention("the game goes on as it was: it has not taken the edit over");
                }
            }
        }
        if self.games.waits && !self.time.is_paused() && self.games.asked != self.games.receiving {
            self.follow_unless_unsaved();
        }
        changed |= self.update_judge();
        changed | self.follow_newest()
    }

    fn update_opening(&mut self) -> bool {
        let Some((path, job)) = &self.games.opening else { return false };
        match job.poll() {
            Outcome::Going => {}
            Outcome::Nothing => {
                let text = format!("{}: opening it was given up", path.display());
                self.games.opening = None;
                self.notify(text);
            }
            Outcome::Done(done) => {
                self.games.opening = None;
                match done {
                    Ok((game, warning)) => {
                        let text = opened(&game);
                        let shown = Shown { game: game.id, character: game.first_character() };
                        self.add_game(game);
                        // Whatever was edited while it was opened is not to be lost.
                        self.unless_unsaved(Pending::ShowGame(shown));
                        match warning {
                            Some(warning) => self.fail(warning),
                            None => self.notify(text),
                        }
                    }
                    Err(error) => self.fail(error),
                }
            }
        }
        true
    }

    fn take_event(&mut self, event: Event) {
        match event {
            Event::Joined { from, header } => {
                self.games.joined = Some(from);
                self.games.refused.clear();
                let goes_on = self.receiving().is_some_and(|game| game.header == header);
                match goes_on {
                    true => self.games.rejoined = Some(Marks::default()),
                    false => self.receive(header, from.to_string()),
                }
            }
            Event::Frame(frame) => self.take_frame(*frame),
            Event::Mark(mark) => match &mut self.games.rejoined {
                Some(marks) => marks.add(&mark),
                None => {
                    if let Some(game) = self.games.receiving.and_then(|id| self.games.get_mut(id)) {
                        game.mark(&mark);
                    }
                }
            },
            Event::Refused { from, fault, is_first } => {
                if is_first {
                    self.fail(format!(
                        "{from}: {fault}; the line is left out, and others that do not read are counted"
                    ));
                }
                self.games.refused.push(fault);
            }
            Event::Left { end: End::Refused(why), .. } => self.fail(format!("{why}; the connection was closed")),
            Event::Left { from, end } => {
                let frames = self.receiving().map_or(0, Game::len);
                // Who never said who it is, is none that one would miss.
                if self.games.joined.take() == Some(from) && frames > 0 {
                    let stay = if frames == 1 { "stays" } else { "stay" };
                    let frames = counted(frames, "frame");
                    self.mention(match end {
                        End::CutOff => {
                            format!("{from} was cut off; {frames} {stay}, and what was still on its way is lost")
                        }
                        _ => format!("{from} has left; its {frames} {stay}"),
                    });
                }
            }
        }
    }

    fn receiving(&self) -> Option<&Game> {
        self.games.get(self.games.receiving?)
    }

    /// One more game. What had to make room for it is told of if it was in no file.
    fn add_game(&mut self, mut game: Game) {
        // Another run of the same game, or the same recording once more, is drawn like the one before.
        if let Some(before) = self.games.games.iter().rev().find(|before| before.header == game.header) {
            game.bodies.clone_from(&before.bodies);
        }
        for lost in self.games.add(game) {
            self.fail(format!(
                "{}: {}, in no file, made room for another game",
                lost.name,
                counted(lost.len(), "frame")
            ));
        }
    }

    /// From now on another game is received.
    fn receive(&mut self, header: Arc<Header>, from: String) {
        (self.games.rejoined, self.games.waits) = (None, false);
        let id = self.games.new_id();
        let name = if header.producer.is_empty() { from } else { one_name(&header.producer) };
        self.games.receiving = Some(id);
        self.add_game(Game::new(id, name.clone(), header));
        if self.time.is_paused() {
            self.mention(format!("{name} has called; L follows it"));
        }
    }

    fn take_frame(&mut self, frame: GameFrame) {
        let marks = self.games.rejoined.take();
        // Time that goes back is another run of the game, whichever character tells of it.
        // That of one who was not there before is back where it called again before anything that is known.
        let is_back = |game: &&Game| {
            let last = |lane: &Lane| lane.last().map(|entry| entry.outline.time);
            match game.lanes.get(frame.character).and_then(last) {
                Some(before) => frame.time < before,
                None if game.is_empty() => false,
                None => marks.is_some() && game.lanes.iter().filter_map(last).all(|before| frame.time < before),
            }
        };
        if let Some(game) = self.receiving().filter(is_back) {
            let (header, name) = (game.header.clone(), game.name.clone());
            self.receive(header, name);
        }
        let Some(id) = self.games.receiving else { return };
        let is_shown = self.games.shown.is_some_and(|shown| shown.game == id);
        if let Some(game) = self.games.get_mut(id) {
            game.take_marks(&marks.unwrap_or_default());
            game.push(frame);
        }
        self.games.waits |= !is_shown;
    }

    /// Follows the game that is received, unless that would ask for what nobody thought of just now.
    fn follow_unless_unsaved(&mut self) {
        // A field that is typed in stays.
        if !self.history.is_unsaved() && !self.hands.types {
            self.follow_game();
        } else if self.games.mentioned != self.games.receiving {
            self.games.mentioned = self.games.receiving;
            let name = self.receiving().map_or_else(String::new, |game| game.name.clone());
            let asks = if self.history.is_unsaved() { ", and asks about what is not saved here" } else { "" };
            self.mention(format!("{name} has called; L follows it{asks}"));
        }
    }

    /// Shows the game that is received, if the user's own work allows.
    pub(crate) fn follow_game(&mut self) {
        if self.desk.dialog.is_none() {
            self.games.asked = self.games.receiving;
            self.unless_unsaved(Pending::FollowGame);
        }
    }

    /// Looks into the game that is received.
    pub(crate) fn show_received(&mut self) {
        let Some(game) = self.receiving().filter(|game| !game.is_empty()) else {
            // It is gone to when its first frame comes.
            self.games.asked = None;
            return;
        };
        let (shown, name) = (Shown { game: game.id, character: game.first_character() }, game.name.clone());
        self.show_game(shown);
        self.time.now = Now::Live;
        // What was said of one that has left already is more.
        if self.games.traffic.from.is_some() {
            self.mention(format!("following {name}"));
        }
    }

    /// Looks into a character of a game, at its newest frame.
    pub fn show_game(&mut self, shown: Shown) {
        let Some(game) = self.games.get(shown.game) else { return };
        let Some((own, lane)) = game.header.characters.get(shown.character).zip(game.lanes.get(shown.character)) else {
            return;
        };
        let Some(last) = lane.last() else {
            return self.notify(format!("{}: no frame of it has come yet", own.name));
        };
        let time = last.outline.time;
        // Where a game died, its last frames may be what does not read.
        let readable = lane.entries().rev().take(MOST_TRIED).find_map(|(_, entry)| game.source(entry).read().ok());
        let full_body = readable.map_or_else(Default::default, |frame| frame.parameters);
        let stack = Stack { full_body, ..Stack::default() };
        let rest = ModelPose::rigid(own.reference.clone());
        let mut character =
            Character::from_bones(&own.name, &own.skeleton, Some(own.biped.clone()), &own.reference, None, &rest);
        character.set_body(game.bodies.get(shown.character).cloned().flatten());
        // Another one of the same game is looked at at the same moment.
        let is_same = self.games.shown.is_some_and(|before| before.game == shown.game);
        let is_paused = if is_same { self.time.is_paused() } else { game.path.is_some() };
        let begin = lane.first().map_or(time, |entry| entry.outline.time);
        let time = match (is_paused, is_same) {
            (true, true) => self.told_frame().map_or(time, |(_, time)| time),
            // A recording is looked at from its beginning.
            (true, false) => begin,
            (false, _) => time,
        };
        // Another run of the same game: who looks at a bone goes on to.
        let before = self.games.shown.and_then(|before| Some((self.games.get(before.game)?, before.character)));
        let goes_on = before.is_some_and(|(before, own)| before.header == game.header && own == shown.character);
        let (selection, has_pane) = (goes_on.then_some(self.hands.selection), before.is_some());
        // What it is solved with comes from the game: nobody has edited it.
        self.games.shown = None;
        self.take_bones(character, Document { stack, ..Document::default() });
        self.games.shown = Some(shown);
        self.games.waits &= Some(shown.game) != self.games.receiving;
        (self.games.tuned, self.games.before) = (None, None);
        self.games.hides_result = false;
        if is_paused {
            self.time.now = Now::Paused;
        }
        let (there, newest) = self.lane().map_or((None, None), |lane| (lane.at_time(time), lane.range()));
        if !there.is_some_and(|number| self.go_to_game_frame(number))
            && let Some([_, newest]) = newest
        {
            self.go_to_game_frame(newest);
        }
        match self.picture.pose.bones.len() == self.character.model.skeleton.len() {
            true => self.frame_shown(),
            false => self.frame_all(),
        }
        if let Some(selection) = selection {
            self.set_selection(selection);
        }
        if !has_pane {
            self.desk.requests.push(Request::ShowPane(Pane::Game));
        }
        if let Some(path) = self.games.body_to_choose.take() {
            self.choose_body(&path);
        }
    }

    /// No game is looked at any more; what came stays.
    pub(crate) fn leave_game(&mut self) {
        if self.games.shown.take().is_some() {
            self.debugger.port = None;
            self.debugger.what_if = None;
            self.debugger.tape.clear();
            self.time.resample = true;
        }
    }

    /// Live, the newest frame that has come is shown.
    fn follow_newest(&mut self) -> bool {
        let Some([_, last]) = self.lane().and_then(Lane::range) else { return false };
        if self.time.is_paused() || self.time.frame == last {
            return false;
        }
        self.go_to_game_frame(last)
    }

    /// Shows a frame of the game. One that does not read is told of, and the nearest that does is shown: first of those
    /// further on the way there. Returns whether one is shown.
    pub(crate) fn go_to_game_frame(&mut self, number: u64) -> bool {
        let Some((game, lane)) = self.games.shown().zip(self.lane()).map(|((game, _), lane)| (game, lane)) else {
            return false;
        };
        let mut fault = None;
        let found = if self.debugger.tape.get(number).is_some() {
            Some((number, None))
        } else {
            let [first, last] = lane.range().unwrap_or_default();
            let (onwards, backwards) = (number.saturating_add(1)..=last, first..number.min(last.saturating_add(1)));
            let others: Box<dyn Iterator<Item = u64>> = match number >= self.time.frame {
                true => Box::new(onwards.chain(backwards.rev())),
                false => Box::new(backwards.rev().chain(onwards)),
            };
            // What is known not to read is not tried again.
            let others = others.filter(|&other| lane.get(other).is_some_and(|own| own.verdict != Verdict::Broken));
            std::iter::once(number).chain(others.take(MOST_TRIED)).find_map(|number| {
                match lane.get(number).map(|entry| game.source(entry).read()) {
                    Some(Ok(frame)) => Some((number, Some(frame))),
                    Some(Err(error)) => {
                        fault.get_or_insert(error);
                        None
                    }
                    None => {
                        fault.get_or_insert_with(|| format!("frame {number} has gone by"));
                        None
                    }
                }
            })
        };
        let name = game.name.clone();
        if let Some(fault) = fault {
            self.fail(format!("{name}: {fault}"));
        }
        let Some((number, read)) = found else { return false };
        self.time.frame = match read {
            Some(frame) => self.fill_tape(number, &frame),
            None => number,
        };
        self.time.resample = false;
        self.solve();
        self.follow_parameters();
        true
    }

    /// Puts a frame of the game on the tape, and those before it; the number of the last that was put there, which is
    /// another one only if a break condition held, or, live, if solving takes so long that the window would stand still.
    fn fill_tape(&mut self, number: u64, frame: &GameFrame) -> u64 {
        let goes_on = self.debugger.tape.range().filter(|[_, last]| (*last..=last + AT_ONCE).contains(&number));
        let from = goes_on.map_or(number.saturating_sub(BEFORE), |[_, last]| last + 1);
        let before: Vec<(u64, Source)> = match self.games.shown().zip(self.lane()) {
            Some(((game, _), lane)) => {
                (from..number).filter_map(|number| Some((number, game.source(lane.get(number)?)))).collect()
            }
            None => Vec::new(),
        };
        let is_live = !self.time.is_paused() && goes_on.is_some();
        let since = Instant::now();
        for (at, source) in before {
            // Those behind one that does not read begin anew.
            let Ok(frame) = source.read() else { continue };
            let is_late = since.elapsed() > MOST_FILLING;
            if is_late && !is_live {
                break;
            }
            // Live, the others follow.
            if self.put_game_frame(at, &frame, is_live) || is_late {
                return at;
            }
        }
        self.put_game_frame(number, frame, is_live);
        number
    }

    /// Returns whether a break condition holds.
    fn put_game_frame(&mut self, number: u64, frame: &GameFrame, breaks: bool) -> bool {
        let solved = self.solve_game_frame(frame);
        let left = solved.left(&self.character.rig, self.focus(), Default::default());
        self.debugger.tape.record_at(number, frame.time, &solved, left);
        let before = self.games.before.take().filter(|(before, _)| before.checked_add(1) == Some(number));
        let hit = breaks && self.breaks_at(number, before.as_ref().map(|(_, before)| before), &solved);
        self.games.before = Some((number, solved));
        hit
    }

    fn solve_game_frame(&mut self, frame: &GameFrame) -> Frame {
        let stack = Stack { full_body: frame.parameters, ..Stack::default() };
        self.compose(&Input::new(stack, ModelPose::rigid(frame.animated.clone())))
    }

    fn breaks_at(&mut self, number: u64, before: Option<&Frame>, solved: &Frame) -> bool {
        if self.debugger.breaks.count() == 0 {
            return false;
        }
        let Some(hit) = breaks::check(&self.debugger.breaks, &self.debugger.tape, before, solved) else { return false };
        self.stop_at(number, hit);
        true
    }

    /// While nothing was edited, the document is what the game asks of its solver; while the game is tuned, it is that
    /// with the edits that are on their way.
    fn follow_parameters(&mut self) {
        let asked = &self.solved.input.stack;
        let is_tuned = self.tunes_now() && !self.time.is_paused();
        if self.debugger.what_if.is_some() || (self.history.is_unsaved() && !is_tuned) {
            return;
        }
        let pending = self.games.tuned.as_ref().map_or(&[][..], |tuned| &tuned.changes);
        let stack = fields::with_changes(asked, pending).unwrap_or_else(|_| Stack::clone(asked));
        if self.history.document().stack.full_body != stack.full_body {
            self.history.follow(Stack { full_body: stack.full_body, ..self.history.document().stack.clone() });
        }
    }

    /// What the game came to in the frame shown, as a second result; where it says so.
    pub(crate) fn hold_against_game(&mut self) {
        let Some((game, character)) = self.games.shown() else { return };
        let entry = game.lanes[character].get(self.time.frame).filter(|entry| entry.outline.has_result);
        let Some(entry) = entry.filter(|_| !self.games.hides_result && self.debugger.what_if.is_none()) else {
            self.debugger.port = None;
            return;
        };
        let name = format!("{}, frame {}", game.name, entry.outline.frame);
        let read = game.source(entry).read().and_then(|frame| {
            let own = &game.header.characters[character];
            frame.traces(own).map_err(|fault| fault.to_string())
        });
        self.debugger.port = match read {
            Ok([told, own]) => Some(Port::new(name, told, &own, &self.solved)),
            Err(_) => None,
        };
    }

    /// The settings of the document changed while a game is looked at: they go to it if it is tuned, else they are a
    /// what-if of the frame shown.
    pub(crate) fn game_settings_changed(&mut self) {
        if self.tunes_now() {
            let stack = &self.history.document().stack;
            let settings = stack.full_body;
            let changes = fields::changes(&self.solved.input.stack, stack);
            if let (Some((game, character)), Some(listener)) = (self.games.shown(), &self.games.listener) {
                listener.tune(&game.header.characters[character].name, &settings);
            }
            self.games.tuned = Some(Tuned { changes, frame: self.time.frame, told: 0.0, age: 0.0 });
            self.show_tuned();
            self.time.needs_solve |= self.time.is_paused();
        } else if !self.time.is_paused() {
            self.pause();
            self.notify("paused: an edit is a what-if of this frame; «Tune the game» sends edits to the running game");
        }
        if self.time.is_paused() {
            self.ask_what_if();
            self.time.needs_solve = true;
        }
    }

    /// From now on edits go to the game: those that were made before go with them.
    pub(crate) fn tune_what_was_edited(&mut self) {
        if self.tunes_now() && !self.time.is_paused() && self.history.is_unsaved() {
            self.game_settings_changed();
        }
    }

    /// Edits go to the game that is looked at.
    pub fn tunes_now(&self) -> bool {
        self.games.tunes && self.games.is_received() && self.games.traffic.from.is_some()
    }

    /// What was edited stands on screen until the game does it: sliders do not jump back under the pointer.
    pub(crate) fn show_tuned(&mut self) {
        let Some(tuned) = self.games.tuned.as_ref().filter(|_| !self.time.is_paused()) else { return };
        match fields::with_changes(&self.solved.input.stack, &tuned.changes) {
            Ok(stack) if stack != *self.solved.input.stack => self.picture.stack = Arc::new(stack),
            _ => self.games.tuned = None,
        }
    }

    fn update_judge(&mut self) -> bool {
        let mut done = self.games.judge.as_mut().map(Judge::take).unwrap_or_default();
        let changed = !done.is_empty();
        for ((id, character, number), judged) in done.drain(..) {
            let Some(game) = self.games.get_mut(id) else { continue };
            let is_first = game.lanes.get(character).is_some_and(|lane| !lane.has_broken);
            game.judged(character, number, &judged);
            if let Judged::Broken(why) = &judged
                && is_first
            {
                let text = format!("{}: {why}; the frame is left out", game.name);
                self.fail(text);
            }
        }
        // First the one that is looked at.
        let shown = self.games.shown;
        let Some(Shown { game: id, character: first }) = shown else { return changed };
        let Games { games, judge, wake, .. } = &mut self.games;
        let Some(game) = games.iter_mut().find(|game| game.id == id) else { return changed };
        let others = (0..game.lanes.len()).filter(|&character| character != first);
        for character in std::iter::once(first).chain(others) {
            loop {
                if judge.as_ref().is_some_and(|judge| !judge.has_room()) {
                    return changed;
                }
                let Some((number, source)) = game.next_to_judge(character) else { break };
                let judge = match judge {
                    Some(judge) => judge,
                    None => match Judge::start(wake.clone()) {
                        Ok(started) => judge.insert(started),
                        Err(_) => return changed,
                    },
                };
                if !judge.ask((id, character, number), source) {
                    game.judged(character, number, &Judged::Broken("could not be compared".to_owned()));
                }
            }
        }
        changed
    }

    /// To where a difference begins.
    pub(crate) fn seek_difference(&mut self, on: bool) {
        let Some(lane) = self.lane() else {
            return self.notify("there is no game to differ from: attach to one, or open its recording");
        };
        let further = lane.difference(self.time.frame, on);
        // Whoever follows the game is at its end, and means what has come.
        let first = || lane.beginnings().next().map(|(number, _)| number);
        let further = further.or_else(|| first().filter(|_| on && !self.time.is_paused()));
        if let Some(number) = further {
            self.seek_frame(number);
            return self.seek_first_difference();
        }
        let going = self.games.judge.as_ref().is_some_and(Judge::is_busy);
        let so_far = if going { " so far; frames are still being compared" } else { "" };
        let (command, there) = match on {
            true => (Command::PreviousDifference, "back"),
            false => (Command::NextDifference, "on"),
        };
        let other = lane.difference(self.time.frame, !on).and_then(|number| lane.get(number)).map(|entry| {
            format!("; {} goes {there} to that of frame {}", command.info().shortcut_text(), entry.outline.frame)
        });
        self.notify(format!("no further difference{so_far}{}", other.unwrap_or_default()));
    }

    /// A mark of the user's at the frame shown, or its end; it is saved with what came.
    pub(crate) fn toggle_game_mark(&mut self) {
        let Some((frame, time)) = self.told_frame() else { return };
        let Some(game) = self.games.shown.and_then(|shown| self.games.get_mut(shown.game)) else { return };
        game.toggle_mark(&Mark { mark: format!("frame {frame}"), time });
    }

    /// Numbers of the frames at which marks stand.
    pub fn marked_frames(&self) -> Vec<u64> {
        match self.games.shown().zip(self.lane()) {
            Some(((game, _), lane)) => {
                // Those of frames that were let go stand nowhere.
                let begin = lane.first().map_or(f64::INFINITY, |entry| entry.outline.time);
                let marks = game.marks.iter().filter(|mark| mark.time >= begin);
                marks.filter_map(|mark| lane.at_time(mark.time)).collect()
            }
            None => self.debugger.tape.markers.iter().map(|marker| marker.number).collect(),
        }
    }

    /// What came, as a recording.
    pub(crate) fn save_recording(&mut self, path: &Path) {
        if let Some(saving) = &self.games.saving {
            return self
                .fail(format!("{} is still being written; save again when that is done", saving.path.display()));
        }
        let Some(game) = self.games.to_save().filter(|game| !game.is_empty()) else {
            return self.fail("there is nothing of a game to save: attach to one first");
        };
        let inputs: Vec<PathBuf> = self.inputs().into_iter().chain(game.path.clone()).collect();
        match files::check_output(path, &inputs)
            .and_then(|()| Saving::start(path.to_owned(), game, self.games.last_chance.is_some()))
        {
            Ok(saving) => (self.games.saving, self.games.last_chance) = (Some(saving), None),
            Err(error) => self.fail(error),
        }
    }

    /// Waits for a model or a recording that is being opened, for so long at most.
    pub fn wait_for_opening(&mut self, longest: Duration) {
        let begun = Instant::now();
        if let Err(error) = self.wait_for_model(longest) {
            self.fail(error);
        }
        while self.games.opening.is_some() && begun.elapsed() < longest {
            std::thread::sleep(Duration::from_millis(2));
            self.update_opening();
        }
    }

    fn update_saving(&mut self) -> bool {
        let Some(saving) = &self.games.saving else { return false };
        let done = match saving.job.poll() {
            Outcome::Going => return true,
            Outcome::Nothing => None,
            Outcome::Done(done) => Some(done),
        };
        let Some(saving) = self.games.saving.take() else { return true };
        match done {
            Some(Ok(frames)) => {
                saving.done(&mut self.games);
                self.notify(format!("saved {} to {}", counted(frames, "frame"), saving.path.display()));
                if saving.quits {
                    self.run(Command::Quit);
                }
            }
            Some(Err(error)) => self.fail(error),
            None => self.fail(format!("{}: was not written", saving.path.display())),
        }
        true
    }
}

/// `session.jsonl: 216,000 frames of 2 characters, 60:00`
fn opened(game: &Game) -> String {
    let characters = match game.lanes.len() {
        1 => String::new(),
        count => format!(" of {count} characters"),
    };
    let span = |lane: &Lane| Some(lane.last()?.outline.time - lane.first()?.outline.time);
    let seconds = game.lanes.iter().filter_map(span).fold(0.0, f64::max);
    format!("{}: {}{characters}, {seconds:.1} s", game.name, counted(game.len(), "frame"))
}

/// What a program calls itself, on one line and not for ever.
fn one_name(name: &str) -> String {
    files::one_line(&name.chars().take(60).collect::<String>())
}
