//! Frames of the game on the tape. The tape, the picture and the comparison with the game's result share one cached
//! solve of a frame.

use std::sync::Arc;
use std::time::Duration;

use crate::session::Session;
use crate::system::clock::Instant;
use crate::tools::game::words as text;
use crate::tools::game::{Game, Lane, Source, Verdict};
use kinescope_ik::debugger::breaks;
use kinescope_ik::game_recording::{GameFrame, Mark};
use kinescope_ik::rig::ModelPose;
use kinescope_ik::stack::{Frame, Input, Stack};
use kinescope_ik::stepped::run::Cursor;

/// Number of frames before the frame shown that are put on the tape together with it.
const FRAMES_BEFORE: u64 = 24;
/// The tape continues if a new frame is its last one, or at most this many frames after it. Otherwise it gets only the new
/// frame and the [`FRAMES_BEFORE`] frames before it.
const MOST_TOGETHER: u64 = 64;
/// Time after which the window stops solving frames for the tape in one update.
const MOST_FILLING: Duration = Duration::from_millis(250);
/// Largest number of other frames that are tried if the frame to show is malformed.
const MOST_TRIED: usize = 64;

enum Found {
    OnTape(u64),
    Read(u64, Arc<GameFrame>),
}

impl Session {
    /// Shows a frame of the game. If the frame is malformed or was dropped, reports the fault and shows another one
    /// near it: a later one if possible, or an earlier one if `number` is before the frame shown. Returns whether a
    /// frame is shown.
    pub(crate) fn go_to_game_frame(&mut self, number: u64) -> bool {
        let Some(((game, _), lane)) = self.tools.games.shown().zip(self.lane()) else { return false };
        let (found, fault) = match self.tools.debugger.tape.get(number) {
            Some(_) => (Some(Found::OnTape(number)), None),
            None => find_readable(game, lane, number, number >= self.world.time.frame),
        };
        let fault = fault.map(|fault| format!("{}: {fault}", game.name));
        if let Some(fault) = fault {
            self.fail(fault);
        }
        self.world.time.frame = match found {
            Some(Found::OnTape(number)) => number,
            Some(Found::Read(number, frame)) => self.fill_tape(number, &frame),
            None => return false,
        };
        self.world.time.resample = false;
        self.solve();
        self.follow_parameters();
        true
    }

    /// Puts a frame of the game on the tape, with the frames before it. Returns the number of the last frame put there.
    /// If the tape continues live, that is an earlier frame when a break condition holds or solving takes longer than
    /// [`MOST_FILLING`].
    fn fill_tape(&mut self, number: u64, frame: &GameFrame) -> u64 {
        let goes_on =
            self.tools.debugger.tape.range().filter(|[_, last]| (*last..=last + MOST_TOGETHER).contains(&number));
        let from = goes_on.map_or(number.saturating_sub(FRAMES_BEFORE), |[_, last]| last + 1);
        let before: Vec<(u64, Source)> = match self.tools.games.shown().zip(self.lane()) {
            Some(((game, _), lane)) => {
                (from..number).filter_map(|number| Some((number, game.source(lane.get(number)?)))).collect()
            }
            None => Vec::new(),
        };
        let is_live = !self.world.time.is_paused() && goes_on.is_some();
        let since = Instant::now();
        for (at, source) in before {
            let Ok(frame) = source.read() else { continue };
            let is_late = since.elapsed() > MOST_FILLING;
            if is_late && !is_live {
                break;
            }
            // While live, the next update puts the later frames on the tape.
            if self.put_game_frame(at, &frame, is_live) || is_late {
                return at;
            }
        }
        self.put_game_frame(number, frame, is_live);
        number
    }

    fn put_game_frame(&mut self, number: u64, frame: &GameFrame, breaks: bool) -> bool {
        let stack = Stack { full_body: frame.parameters, ..Stack::default() };
        let input = Input::new(stack, ModelPose::rigid(frame.animated.clone()));
        let solved = self.solve_recorded(number, &input);
        let focus = self.focus();
        let end = solved.run(focus).map_or_else(Cursor::default, Cursor::end);
        let left = solved.remaining(&self.world.character.rig, focus, end);
        self.tools.debugger.tape.record_at(number, frame.time, &solved, left);
        breaks && self.breaks_at(number, &solved)
    }

    fn breaks_at(&mut self, number: u64, solved: &Frame) -> bool {
        if self.tools.debugger.breaks.count() == 0 {
            return false;
        }
        let before = number.checked_sub(1).and_then(|before| self.tools.games.kept_solve(before, false));
        let Some(hit) =
            breaks::check(&self.tools.debugger.breaks, &self.tools.debugger.tape, before.as_deref(), solved)
        else {
            return false;
        };
        self.stop_at(number, hit);
        true
    }

    pub(crate) fn solve_shown(&mut self, input: &Input) -> Arc<Frame> {
        let is_recorded =
            self.tools.debugger.what_if.is_none() && self.tools.debugger.tape.get(self.world.time.frame).is_some();
        match is_recorded {
            true => self.solve_recorded(self.world.time.frame, input),
            false => Arc::new(self.world.compose(input)),
        }
    }

    /// Solves a frame from its recorded input. Solves of a game's frames are cached.
    pub(crate) fn solve_recorded(&mut self, number: u64, input: &Input) -> Arc<Frame> {
        let is_timed = self.world.picture.clock.is_some();
        if let Some(kept) = self.tools.games.kept_solve(number, is_timed) {
            return kept;
        }
        let solved = Arc::new(self.world.compose(input));
        if let Some(watched) = &mut self.tools.games.watched {
            watched.solves.keep(number, solved.clone(), is_timed);
        }
        solved
    }

    pub(crate) fn toggle_game_mark(&mut self) {
        let Some((frame, time)) = self.shown_frame() else { return };
        let Some(game) = self.tools.games.shown_id().and_then(|shown| self.tools.games.get_mut(shown.game)) else {
            return;
        };
        game.toggle_mark(&Mark { mark: text::mark_of_frame(&frame), time });
    }

    pub(crate) fn marked_frames(&self) -> Vec<u64> {
        match self.tools.games.shown().zip(self.lane()) {
            Some(((game, _), lane)) => {
                // Marks of dropped frames are left out.
                let begin = lane.first().map_or(f64::INFINITY, |entry| entry.outline.time);
                let marks = game.marks.iter().filter(|mark| mark.time >= begin);
                marks.filter_map(|mark| lane.at_time(mark.time)).collect()
            }
            None => self.tools.debugger.tape.markers.iter().map(|marker| marker.number).collect(),
        }
    }
}

/// Reads a frame or, if that fails, the first readable one of at most [`MOST_TRIED`] others: the next later ones and
/// then earlier ones with `forward`, else earlier ones first. Also returns the fault of the first frame that could not
/// be read.
fn find_readable(game: &Game, lane: &Lane, number: u64, forward: bool) -> (Option<Found>, Option<String>) {
    let mut fault = None;
    let [first, last] = lane.range().unwrap_or_default();
    let (after, before) = (number.saturating_add(1)..=last, first..number.min(last.saturating_add(1)));
    let others: Box<dyn Iterator<Item = u64>> = match forward {
        true => Box::new(after.chain(before.rev())),
        false => Box::new(before.rev().chain(after)),
    };
    let others = others.filter(|&other| lane.get(other).is_some_and(|own| own.verdict != Verdict::Broken));
    let found = std::iter::once(number).chain(others.take(MOST_TRIED)).find_map(|number| {
        match lane.get(number).map(|entry| game.source(entry).read()) {
            Some(Ok(frame)) => Some(Found::Read(number, frame)),
            Some(Err(error)) => {
                fault.get_or_insert(error);
                None
            }
            None => {
                fault.get_or_insert_with(|| text::FRAME_DROPPED.to_owned());
                None
            }
        }
    });
    (found, fault)
}
