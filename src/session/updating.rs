//! Moving time on: jobs, frames and what moves by itself.

use super::Session;
use kinescope_ik::timing::{Clock, Times};

/// Seconds a notice that is no error stays.
const NOTICE_TIME: f32 = 6.0;

/// Frames of a fixed rate that one drawn frame makes up for, at most.
const MOST_FRAMES: f64 = 64.0;

impl Session {
    /// Moves time on and solves if anything changed. Returns whether there is something new to draw.
    pub fn update(&mut self, dt: f32) -> bool {
        let mut changed =
            self.update_jobs() | self.update_opening_model(dt) | self.update_roles() | self.update_games(dt);
        if let Some(notice) = &mut self.desk.notice {
            notice.age += dt;
            if !notice.is_error && notice.age > NOTICE_TIME {
                self.desk.notice = None;
                changed = true;
            }
        }
        self.paint(dt);
        changed |= self.play(dt);
        let rate = self.plan().motion.frame_rate.filter(|_| !self.time.is_paused() && dt > 0.0);
        let Some(rate) = rate else { return self.frame_of(dt) | changed };
        let interval = 1.0 / f64::from(rate);
        // A window that was held up does not make up for all of it.
        self.time.pending = (self.time.pending + f64::from(dt)).min(interval * MOST_FRAMES);
        // A frame that is due but for rounding is due.
        while self.time.pending >= interval * (1.0 - 1e-5) {
            self.time.pending -= interval;
            changed |= self.frame_of(interval as f32);
        }
        changed
    }

    /// One frame of everything that moves by itself.
    fn frame_of(&mut self, dt: f32) -> bool {
        self.time.unrecorded += dt;
        let others = self.advance_crowd(dt);
        let own_time = !self.time.is_paused() && !self.games.is_shown();
        if own_time && (self.advance_motion(dt) | self.is_led()) {
            self.time.needs_solve = true;
        }
        if self.is_scripted() {
            self.begun.time += dt;
            self.time.needs_solve |= dt > 0.0;
        }
        if self.lab_moves() {
            self.chains.time += dt;
            self.time.needs_solve |= dt > 0.0;
        }
        let solves = std::mem::take(&mut self.time.needs_solve);
        if solves {
            self.solve();
            self.check_framing();
        }
        others | solves
    }

    /// Whether the next frame will differ without anyone doing anything.
    pub fn is_moving(&self) -> bool {
        let fades = !self.clip.crossfade.fades().is_empty();
        let own_time = !self.time.is_paused() && !self.games.is_shown();
        let plays = own_time && self.clip.playing && (self.clip.clip().is_some() || fades);
        plays
            || self.is_scripted()
            || self.lab_moves()
            || self.motion_moves()
            || self.crowd.is_there()
            || self.hands.stroke.is_some()
            || self.time.needs_solve
            || self.time.is_playing()
            || self.debugger.has_jobs()
            || self.is_opening_model()
            || self.files.baking.is_some()
            || self.games.is_moving()
            || self.desk.notice.as_ref().is_some_and(|n| !n.is_error)
    }

    /// A scene's script moves its targets now.
    fn is_scripted(&self) -> bool {
        !self.time.is_paused()
            && self.clip.playing
            && self.hands.drag.is_none()
            && self.begun.scene.is_some_and(|scene| scene.script.is_some())
    }

    /// From now on it is measured what takes time, or no longer.
    pub fn measure(&mut self, clock: Option<Clock>) {
        self.picture.clock = clock;
        self.time.needs_solve = true;
    }

    /// What drawing took of the picture that the newest frame is in.
    pub fn drew(&mut self, times: &Times) {
        if self.picture.clock.is_none() {
            return;
        }
        if let Some(number) = self.picture.undrawn.take() {
            self.debugger.tape.add_times(number, times);
        }
        self.picture.drawing = Some(times.smoothed(self.picture.drawing.as_ref()));
    }
}
