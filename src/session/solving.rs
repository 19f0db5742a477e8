//! Solving the frame shown, and posing it at the cursor.

use std::sync::Arc;

use super::Session;
use kinescope_ik::ground::Ground;
use kinescope_ik::stack::{Frame, Input, Layer, LayerId, Place};
use kinescope_ik::stepped::run::Cursor;
use kinescope_ik::timing::{Laps, Work};

impl Session {
    /// Solves the frame: live from clip and document onto the tape, paused from the tape with later changes. The cursor
    /// keeps its step.
    pub(crate) fn solve(&mut self) {
        self.picture.solves += 1;
        let focus = self.focus();
        let is_resampled = std::mem::take(&mut self.time.resample);
        // Frames of a game are on the tape before they are shown.
        let is_new = !self.games.is_shown()
            && (is_resampled || !self.time.is_paused() || self.debugger.tape.get(self.time.frame).is_none());
        let mut laps = Laps::new(self.picture.clock);
        let input = if is_new { self.new_input() } else { self.input_again() };
        laps.end(Work::Sample);
        let solved = if is_new { Arc::new(self.compose(&input)) } else { self.solve_shown(&input) };
        // Reported once, not in every frame.
        let problem = |id: LayerId| solved.layer(id).and_then(Layer::problem);
        let refused = problem(LayerId::FullBody).map(|error| format!("Not solved: {error}"));
        let refused = refused.or_else(|| Some(format!("Not attached: {}", problem(LayerId::Attachments)?)));
        if let Some(error) = refused.filter(|_| self.character.rig.full_body.is_ok())
            && self.window.notice.as_ref().is_none_or(|notice| notice.text != error)
        {
            self.fail(error);
        }
        let before = std::mem::replace(&mut self.solved, solved);
        self.picture.stack = self.solved.stack.clone();
        if is_new {
            self.motion.solved(&self.solved, self.picture.clock);
            self.follow_lanes();
        }
        self.time.cursor = match (before.run(focus), self.shown_run()) {
            (_, None) => Cursor::default(),
            (_, Some(run)) if !self.time.is_paused() => Cursor::end(run),
            (Some(before), Some(run)) if focus == self.focus() => self.time.cursor.carried_over(before, run),
            (_, Some(run)) => self.time.cursor.clamped(run),
        };
        self.solve_others(is_new);
        self.compare_with_game();
        self.show_pending_edit();
        if is_new && self.solved.layers.iter().any(|layer| layer.run().is_some()) {
            self.record(&before, &laps.times);
        }
        self.measure_steps();
        self.analyse();
        self.show();
    }

    /// Returns the input of a new frame from clip, document and the memory of earlier frames.
    pub(crate) fn new_input(&mut self) -> Input {
        // B comes first, as it leaves the motion unchanged.
        self.pose_b();
        let (plan, before) = (self.history.document().plan(), self.motion.root);
        let (local, animated) = (&mut self.picture.local, &mut self.picture.animated);
        self.motion.pose(&plan, &self.character, &mut self.clip, local, animated);
        let again = std::mem::take(&mut self.chains.again);
        let (place, memory) = self.motion.begin(&plan, &self.character, &self.clip, again);
        let mut stack = self.history.document().stack.clone();
        self.follow(before);
        self.debugger.what_if = None;
        if let Some(script) =
            self.started_scene.scene.and_then(|scene| scene.script).filter(|_| self.interaction.drag.is_none())
        {
            script(&mut stack.full_body, &self.started_scene.stand, self.started_scene.time);
        }
        self.picture.stack = Arc::new(stack);
        let place = Place { lab_time: self.chains.time, ..place };
        Input { stack: self.picture.stack.clone(), animated: Arc::new(self.picture.animated.clone()), place, memory }
    }

    /// Solves an input on the current ground.
    pub(crate) fn compose(&mut self, input: &Input) -> Frame {
        self.picture.stack_solves += 1;
        let ground = self.motion.ground().map(|surface| surface as &dyn Ground);
        self.character.solve(input, ground, self.picture.clock)
    }

    /// Poses the picture at the cursor and measures it.
    pub(crate) fn show(&mut self) {
        self.show_others();
        let (focus, at) = (self.focus(), self.time.cursor);
        let is_solved = matches!(focus, LayerId::Lane(_)) || at == self.end();
        let solved = match is_solved {
            // At the end of a layer all later layers are solved too.
            true => self.solved.pose.clone(),
            false => self.solved.pose_at(&self.character.rig, focus, at),
        };
        self.picture.pose.clone_from(&self.picture.animated);
        if solved.len() == self.picture.pose.bones.len() {
            self.picture.pose.bones = solved;
        }
        self.picture.gaps = self.solved.gaps(&self.picture.pose.bones);
        self.ask_why();
    }
}
