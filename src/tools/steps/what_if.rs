//! What-if: settings changed while paused, applied to the frame shown or to the whole recording.

use std::sync::Arc;

use crate::session::{Pane, Request, Session};
use crate::system::jobs::{Job, Outcome};
use crate::tools::body_lab::outside;
use crate::tools::capsule::ground_of;
use crate::tools::motion::session::followed;
use crate::tools::steps::words as text;
use crate::tools::steps::{SolvedAgain, WhatIf};
use crate::ui::words::counted;
use kinescope_ik::debugger::again::solve_again_in_slices;
use kinescope_ik::debugger::fields;
use kinescope_ik::stack::{Input, Stack};

impl Session {
    /// Returns the recorded input of the frame shown with the what-if's changes, or a new input if the tape lacks the frame.
    /// For a recorded input, also sets root, ground, lab time and animated pose to those of the frame.
    pub(crate) fn input_again(&mut self) -> Input {
        let Some(frame) = self.tools.debugger.tape.get(self.world.time.frame) else { return self.new_input() };
        let mut input = frame.input.clone();
        let before = followed(&self.world);
        self.world.picture.animated.clone_from(&input.animated);
        self.world.motion.root = input.place.root;
        if let Some(what_if) = &self.tools.debugger.what_if {
            // If the changes do not apply to this frame, the recorded stack stays.
            if let Ok(stack) = fields::with_changes(&input.stack, &what_if.changes) {
                input.stack = Arc::new(stack);
            }
        }
        // Lanes do not change the recorded result, so recorded frames show the document's lanes.
        input.set_body_lab(&self.world.history.document().stack.order.body_lab);
        if self.tools.debugger.what_if.is_some() {
            // The recorded poses of outside solvers belong to the recorded stack.
            input.foreign = outside::late_poses(self, self.world.time.frame);
        }
        self.world.picture.stack = input.stack.clone();
        self.tools.chains.time = input.place.lab_time;
        let plan = self.world.history.document().plan();
        self.world.motion.set_ground(&plan, &self.world.character, input.place.ground_time);
        // Only live frames are solved with all qualities, so there is nothing to compare.
        self.world.motion.qualities.clear();
        self.follow(before);
        input
    }

    /// Sets the what-if to the changes from the recorded stack of the frame shown to the document's stack.
    pub(crate) fn ask_what_if(&mut self) {
        let Some(frame) = self.tools.debugger.tape.get(self.world.time.frame) else { return };
        let now = &self.world.history.document().stack;
        let mut recorded = Stack::clone(&frame.input.stack);
        recorded.order.body_lab.clone_from(&now.order.body_lab);
        let changes = fields::changes(&recorded, now);
        self.tools.debugger.what_if = match changes.is_empty() {
            true => None,
            false => Some(WhatIf { changes, ..self.tools.debugger.what_if.take().unwrap_or_default() }),
        };
    }

    pub(crate) fn drop_what_if(&mut self) {
        if self.tools.debugger.what_if.take().is_none() {
            return self.notify(text::NOTHING_CHANGED);
        }
        if let Some(stack) = self.tools.debugger.tape.get(self.world.time.frame).map(|frame| frame.input.stack.clone())
        {
            let mut stack = Stack::clone(&stack);
            stack.order.body_lab.clone_from(self.world.body_lab());
            self.edit_and_report(text::EDIT_DROP_WHAT_IF, stack, text::DROPPED, text::NOTHING_CHANGED);
        }
    }

    pub(crate) fn start_again(&mut self) {
        let Some(what_if) = &self.tools.debugger.what_if else {
            self.notify(text::PAUSE_FIRST);
            return;
        };
        let (rig, changes, recorded) =
            (self.world.character.rig.clone(), what_if.changes.clone(), self.tools.debugger.tape.clone());
        let ground = ground_of(self.world.plan().terrain.cloned());
        let job = Job::start(move |report| async move {
            // If the changes do not apply to a frame, for example because it lacks a modifier, the frame keeps its recorded
            // settings.
            let change = |stack: &mut Stack| {
                if let Ok(changed) = fields::with_changes(stack, &changes) {
                    *stack = changed;
                }
            };
            let again = solve_again_in_slices(&rig, &ground, &recorded, &change, &mut |done| report.done(done)).await?;
            Some(SolvedAgain::new(changes, &recorded, &again))
        });
        match job {
            Ok(job) => {
                self.tools.debugger.again.job = Some(job);
                self.window.requests.push(Request::ShowPane(Pane::Finder));
            }
            Err(error) => self.fail(error),
        }
    }

    pub(crate) fn update_again(&mut self) -> bool {
        let Some(job) = &self.tools.debugger.again.job else { return false };
        let outcome = job.poll();
        match outcome {
            Outcome::Running => {}
            Outcome::Done(again) => {
                self.notify(text::solved_again(&counted(again.frames, "frame")));
                let view = &mut self.tools.debugger.again;
                (view.result, view.job) = (Some(again), None);
                view.done = view.done.wrapping_add(1);
            }
            Outcome::Nothing => self.tools.debugger.again.job = None,
        }
        true
    }
}
