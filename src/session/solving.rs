use crate::session::words as text;
use crate::tools::body_lab::{outside, session as body_lab};
use crate::tools::motion::session::followed;
use std::sync::Arc;

use super::Session;
use kinescope_ik::stack::{Frame, Input, Layer, LayerId, Place, Topic};
use kinescope_ik::stepped::run::Cursor;
use kinescope_ik::timing::{Laps, Times, Work};

impl Session {
    /// Solves the frame shown. A [new frame](Self::begin_frame) is sampled from clip and document. Other frames come
    /// from the tape, with the changes made since.
    pub(crate) fn solve(&mut self) {
        let is_new = self.begin_frame();
        let (input, sampled) = self.sample(is_new);
        let before = self.solve_input(&input, is_new);
        self.keep_frame(&before, &sampled, is_new);
        self.world.picture.remaining.take();
        self.analyse();
        self.show();
        outside::ask(self);
    }

    /// Counts the solve. Returns whether the frame is new: live, sampled again while paused, or missing on the tape.
    /// Frames of a game are never new.
    fn begin_frame(&mut self) -> bool {
        self.world.picture.solves += 1;
        let is_resampled = std::mem::take(&mut self.world.time.resample);
        !self.tools.games.is_shown()
            && (is_resampled
                || !self.world.time.is_paused()
                || self.tools.debugger.tape.get(self.world.time.frame).is_none())
    }

    fn sample(&mut self, is_new: bool) -> (Input, Times) {
        let mut laps = Laps::new(self.world.picture.clock);
        let input = if is_new { self.new_input() } else { self.input_again() };
        laps.end(Work::Sample);
        (input, laps.times)
    }

    fn solve_input(&mut self, input: &Input, is_new: bool) -> Arc<Frame> {
        let focus = self.focus();
        let solved = if is_new { Arc::new(self.world.compose(input)) } else { self.solve_shown(input) };
        // A problem whose message is already shown is not reported again in every frame.
        let problem = |id: LayerId| solved.layer(id).and_then(Layer::problem);
        let refused = problem(LayerId::FullBody).map(|error| text::not_solved(&error));
        let refused = refused.or_else(|| Some(text::not_attached(&problem(LayerId::Attachments)?)));
        if let Some(error) = refused.filter(|_| self.world.character.rig.full_body.is_ok())
            && self.window.notice.as_ref().is_none_or(|notice| notice.text != error)
        {
            self.fail(error);
        }
        let before = std::mem::replace(&mut self.world.solved, solved);
        self.world.picture.stack = self.world.solved.stack.clone();
        if is_new {
            self.world.motion.solved(&self.world.solved);
            // Only the inspector of grounding shows the qualities.
            let is_shown = self.interaction.selection.topic() == Some(Topic::Grounding);
            self.world.motion.compare_qualities(&self.world.solved, is_shown, self.world.picture.clock);
            self.follow_lanes();
            body_lab::follow(self);
        }
        self.world.time.cursor = match (before.run(focus), self.shown_run()) {
            (_, None) => Cursor::default(),
            (_, Some(run)) if !self.world.time.is_paused() => Cursor::end(run),
            (Some(before), Some(run)) if focus == self.focus() => self.world.time.cursor.carried_over(before, run),
            (_, Some(run)) => self.world.time.cursor.clamped(run),
        };
        before
    }

    fn keep_frame(&mut self, before: &Frame, sampled: &Times, is_new: bool) {
        self.solve_others(is_new);
        self.compare_with_game();
        self.show_pending_edit();
        if is_new && self.world.solved.layers.iter().any(|layer| layer.run().is_some()) {
            self.record(before, sampled);
        }
    }

    pub(crate) fn new_input(&mut self) -> Input {
        // B is posed first, because the root and the buffers of the motion must be those of A afterwards.
        self.pose_b();
        if self.world.character.fit_motion(self.world.history.document().stack.order.retarget.path) {
            self.world.motion.set_clips(&self.world.character);
        }
        let (plan, before) = (self.world.history.document().plan(), followed(&self.world));
        let (local, animated) = (&mut self.world.picture.local, &mut self.world.picture.animated);
        self.world.motion.pose(&plan, &self.world.character, &mut self.world.clip, local, animated);
        let again = std::mem::take(&mut self.tools.chains.again);
        let (place, memory) = self.world.motion.begin(&plan, &self.world.character, &self.world.clip, again);
        let mut stack = self.world.history.document().stack.clone();
        self.follow(before);
        self.tools.debugger.what_if = None;
        if let Some(script) =
            self.started_scene.scene.and_then(|scene| scene.script).filter(|_| self.interaction.drag.is_none())
        {
            script(&mut stack.full_body, &self.started_scene.rest, self.started_scene.time);
        }
        self.world.picture.stack = Arc::new(stack);
        let foreign = outside::late_poses(self, outside::next_frame(self));
        let place = Place { lab_time: self.tools.chains.time, ..place };
        Input {
            stack: self.world.picture.stack.clone(),
            animated: Arc::new(self.world.picture.animated.clone()),
            source: self.world.motion.source.clone(),
            foreign,
            place,
            memory,
        }
    }

    pub(crate) fn show(&mut self) {
        self.show_others();
        let (focus, at) = (self.focus(), self.world.time.cursor);
        let is_solved = match focus {
            LayerId::Lane(_) => true,
            // A lane next to the character leaves the character as solved; one over it takes its place.
            LayerId::BodyLane(_) => !self.world.body_lab().over,
            _ => at == self.end(),
        };
        let solved = match is_solved {
            // Here the picture shows the result of the whole frame, with all later layers.
            true => self.world.solved.pose.clone(),
            false => self.world.solved.pose_at(&self.world.character.rig, focus, at),
        };
        self.world.picture.pose.clone_from(&self.world.picture.animated);
        if solved.len() == self.world.picture.pose.bones.len() {
            self.world.picture.pose.bones = solved;
        }
        self.world.show_morphs();
        self.world.picture.gaps = self.world.solved.gaps(&self.world.picture.pose.bones);
        self.ask_why();
        body_lab::measure(self);
    }
}
