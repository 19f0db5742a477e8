use super::Session;
use crate::tools::body_lab::outside;
use crate::tools::learn::session::watch;
use crate::tools::motion::file;
use kinescope_ik::timing::Times;

/// Seconds after which a message disappears, unless it is an error.
const NOTICE_TIME: f32 = 6.0;

/// Largest number of fixed-rate frames computed for one drawn frame.
const MOST_FRAMES: f64 = 64.0;

impl Session {
    /// Advances time by `dt` seconds, and solves if needed. Returns whether to draw: something changed, or a job runs.
    pub fn update(&mut self, dt: f32) -> bool {
        file::follow(self);
        let mut changed = outside::take_answers(self)
            | self.update_jobs()
            | self.update_opening_model(dt)
            | self.update_roles()
            | self.update_games(dt);
        if let Some(notice) = &mut self.window.notice {
            notice.age += dt;
            if !notice.is_error && notice.age > NOTICE_TIME {
                self.dismiss();
                changed = true;
            }
        }
        self.paint(dt);
        changed |= self.play(dt);
        let rate = self.world.plan().motion.frame_rate.filter(|_| !self.world.time.is_paused() && dt > 0.0);
        let Some(rate) = rate else {
            let solved = self.frame_of(dt);
            return watch(self, dt) | solved | changed;
        };
        let interval = 1.0 / f64::from(rate);
        // Without the limit, a window that was blocked for a while would compute many frames to catch up.
        self.world.time.pending = (self.world.time.pending + f64::from(dt)).min(interval * MOST_FRAMES);
        // The factor tolerates rounding errors of the accumulated time.
        while self.world.time.pending >= interval * (1.0 - 1e-5) {
            self.world.time.pending -= interval;
            changed |= self.frame_of(interval as f32);
        }
        watch(self, dt) | changed
    }

    fn frame_of(&mut self, dt: f32) -> bool {
        self.world.time.unrecorded += dt;
        let others = self.advance_crowd(dt);
        let own_time = !self.world.time.is_paused() && !self.tools.games.is_shown();
        if own_time && (self.world.advance_motion(dt) | self.move_with_member()) {
            self.world.time.needs_solve = true;
        }
        if self.is_scripted() {
            self.started_scene.time += dt;
            self.world.time.needs_solve |= dt > 0.0;
        }
        if self.lab_moves() {
            self.tools.chains.time += dt;
            self.world.time.needs_solve |= dt > 0.0;
        }
        let solves = std::mem::take(&mut self.world.time.needs_solve);
        if solves {
            self.solve();
            self.check_framing();
            return true;
        }
        others | outside::show_answers(self)
    }

    pub fn is_moving(&self) -> bool {
        let fades = !self.world.clip.crossfade.fades().is_empty();
        let own_time = !self.world.time.is_paused() && !self.tools.games.is_shown();
        let plays = own_time && self.world.clip.playing && (self.world.clip.clip().is_some() || fades);
        plays
            || self.is_scripted()
            || self.lab_moves()
            || self.world.motion_moves()
            || self.tools.crowd.is_there()
            || self.interaction.stroke.is_some()
            || self.world.time.needs_solve
            || self.world.time.is_playing()
            || self.tools.debugger.has_jobs()
            || self.tools.body_lab.divergence.job.is_some()
            || self.is_opening_model()
            || self.files.baking.is_some()
            || self.tools.games.is_moving()
            || self.tools.learn.is_busy()
            || self.window.notice.as_ref().is_some_and(|n| !n.is_error)
    }

    fn is_scripted(&self) -> bool {
        !self.world.time.is_paused()
            && self.world.clip.playing
            && self.interaction.drag.is_none()
            && self.started_scene.scene.is_some_and(|scene| scene.script.is_some())
    }

    pub fn drew(&mut self, times: &Times) {
        if self.world.picture.clock.is_none() {
            return;
        }
        if let Some(number) = self.world.picture.undrawn.take() {
            self.tools.debugger.tape.add_times(number, times);
        }
        self.world.picture.drawing = Some(times.smoothed(self.world.picture.drawing.as_ref()));
    }
}
