//! Pausing, playing and stepping: choosing the frame of the tape and the instant of its solve that are shown.

use crate::session::{Now, Session};
use crate::tools::game::Lane;
use crate::tools::steps::words as text;
use kinescope_ik::debugger::tape::Marker;
use kinescope_ik::stepped::run::{Cursor, Stride};

/// Playback speed of the tape, frames per second.
const PLAYED_FRAMES: f32 = 60.0;

impl Session {
    /// Pauses or resumes. A recording has no live frame, so it resumes by playing its frames.
    pub(crate) fn play_or_pause(&mut self) {
        if self.tools.games.is_shown() && !self.tools.games.shows_received() {
            self.toggle_playing(Now::PlayingFrames);
        } else if self.world.time.is_paused() {
            self.go_live();
        } else {
            self.pause();
        }
    }

    /// Drops the recorded frames and goes live. The frames of a game stay, so while a game is shown only a notice appears.
    pub(crate) fn clear_tape(&mut self) {
        if self.tools.games.is_shown() {
            return self.notify(text::KEEPS_GAME_FRAMES);
        }
        self.tools.debugger.tape.clear();
        self.tools.debugger.pops = None;
        self.tools.debugger.again = Default::default();
        self.go_live();
    }

    pub fn pause(&mut self) {
        if !self.world.time.is_paused() {
            self.world.time.now = Now::Paused;
            self.analyse();
        }
    }

    /// Drops the what-if and shows the newest frame, solved with the current settings. If the frames shown cannot
    /// continue, as in a recording, and the connected game has no unseen frames, only a notice appears.
    pub(crate) fn go_live(&mut self) {
        if self.tools.games.is_shown() && !self.tools.games.shows_received() && !self.tools.games.has_unseen() {
            return self.notify(text::NOT_LIVE);
        }
        self.world.time.now = Now::Live;
        if self.tools.games.has_unseen() && (self.tools.games.is_shown() || !self.tools.games.has_offered()) {
            self.follow_game();
        }
        self.tools.debugger.what_if = None;
        self.world.time.needs_solve = true;
        self.tune_what_was_edited();
    }

    /// Advances the cursor while stages play, or the frame while frames play. Returns whether a stage or frame was due.
    pub(crate) fn play(&mut self, dt: f32) -> bool {
        let played = self.tools.games.lane().and_then(Lane::frames_per_second).unwrap_or(PLAYED_FRAMES);
        let time = &mut self.world.time;
        let rate = match time.now {
            Now::Live | Now::Paused => return false,
            Now::PlayingStages => time.stages_per_second,
            Now::PlayingFrames => played,
        };
        time.phase += dt * rate;
        let whole = time.phase.floor();
        time.phase -= whole;
        for _ in 0..whole.min(1000.0) as usize {
            self.play_one();
        }
        whole > 0.0
    }

    fn play_one(&mut self) {
        let loops = self.world.time.loops;
        let Some([first, last]) = self.frames() else { return };
        match self.world.time.now {
            Now::PlayingStages if loops && self.world.time.cursor == self.end() => self.seek(Cursor::default()),
            Now::PlayingStages if self.world.time.cursor == self.end() && self.world.time.frame >= last => {
                self.world.time.now = Now::Paused;
            }
            Now::PlayingStages => self.step_on(Stride::Step),
            Now::PlayingFrames if self.world.time.frame < last => self.seek_frame(self.world.time.frame + 1),
            Now::PlayingFrames if loops => self.seek_frame(first),
            Now::PlayingFrames => self.world.time.now = Now::Paused,
            Now::Live | Now::Paused => {}
        }
    }

    /// Pauses if live. Then seeks a frame of the tape or of the game shown, clamped to the existing frames, and keeps the
    /// instant of the solve.
    pub(crate) fn seek_frame(&mut self, number: u64) {
        let Some([first, last]) = self.frames() else { return };
        let number = number.clamp(first, last);
        if self.world.time.is_paused() && number == self.world.time.frame {
            return;
        }
        self.pause();
        if self.tools.games.is_shown() {
            self.go_to_game_frame(number);
            return;
        }
        self.world.time.frame = number;
        self.solve();
    }

    /// Steps forward. While live, pauses at the beginning of the frame. From the end of a frame, seeks the beginning of the
    /// next frame.
    pub(crate) fn step_on(&mut self, stride: Stride) {
        let was_paused = self.world.time.is_paused();
        self.pause();
        if !was_paused {
            self.seek(Cursor::default());
        } else if self.world.time.cursor == self.end() && self.has_frame(self.world.time.frame + 1) {
            self.seek_frame(self.world.time.frame + 1);
            self.seek(Cursor::default());
        } else {
            self.seek(self.shown_run().map_or(Cursor::default(), |run| self.world.time.cursor.next(stride, run)));
        }
    }

    /// Steps back. From the first instant of a frame, seeks the end of the previous frame.
    pub(crate) fn step_back(&mut self, stride: Stride) {
        let was_paused = self.world.time.is_paused();
        self.pause();
        let before = self.world.time.frame.checked_sub(1).filter(|&number| self.has_frame(number));
        let cursor = self.world.time.cursor;
        let previous = self.shown_run().map_or(Cursor::default(), |run| cursor.previous(stride, run));
        match before {
            Some(before) if was_paused && previous == cursor => {
                self.seek_frame(before);
                self.seek(self.end());
            }
            Some(_) | None => self.seek(previous),
        }
    }

    pub(crate) fn toggle_playing(&mut self, playing: Now) {
        self.pause();
        let time = &mut self.world.time;
        time.now = if time.now == playing { Now::Paused } else { playing };
        time.phase = 0.0;
        if time.now == Now::PlayingStages && self.world.time.cursor == self.end() {
            self.seek(Cursor::default());
        }
    }

    pub(crate) fn toggle_mark(&mut self) {
        if self.tools.games.is_shown() {
            return self.toggle_game_mark();
        }
        let number = self.world.time.frame;
        let markers = &mut self.tools.debugger.tape.markers;
        let before = markers.len();
        markers.retain(|marker| marker.number != number || marker.is_warning);
        if markers.len() == before && self.tools.debugger.tape.get(number).is_some() {
            let text = text::frame_marker(&number);
            self.tools.debugger.tape.mark(Marker { number, text, is_warning: false });
        }
    }

    pub(crate) fn seek_marker(&mut self, on: bool) {
        let numbers = self.marked_frames().into_iter();
        let found = match on {
            true => numbers.filter(|&number| number > self.world.time.frame).min(),
            false => numbers.filter(|&number| number < self.world.time.frame).max(),
        };
        match found {
            Some(number) => self.seek_frame(number),
            None => self.notify(text::NO_MARKER),
        }
    }
}
