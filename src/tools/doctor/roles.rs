//! Roles that the user changes: the model is searched off the drawing thread.

use std::time::{Duration, Instant};

use crate::character::Roles;
use crate::session::Session;
use crate::system::jobs::{Job, Outcome};
use crate::tools::motion;

impl Session {
    /// Starts a search for the roles that the document asks for. Until they are found, the character keeps the ones it has.
    pub(crate) fn find_roles(&mut self) {
        // Of an older document.
        self.files.finding = None;
        let document = self.history.document();
        if !self.character.needs_roles(&document.mapping, document.reference) {
            return;
        }
        let (model, mapping, reference) = (self.character.model.clone(), document.mapping.clone(), document.reference);
        match Job::start(move |_| Some(Roles::find(&model, &mapping, reference))) {
            Ok(job) => self.files.finding = Some(job),
            Err(error) => self.fail(format!("the roles were not changed: {error}; change one again to retry")),
        }
    }

    /// Whether the roles that the document asks for are still being searched for.
    pub fn is_finding_roles(&self) -> bool {
        self.files.finding.is_some()
    }

    /// Takes the roles once they are found. Returns whether there is anything new to draw.
    pub(crate) fn update_roles(&mut self) -> bool {
        let Some(job) = &self.files.finding else { return false };
        match job.poll() {
            Outcome::Going => return true,
            Outcome::Done(roles) => {
                self.files.finding = None;
                self.take_roles(roles);
            }
            Outcome::Nothing => {
                self.files.finding = None;
                self.fail("the search for roles stopped without a message; undo the last change of the rig");
            }
        }
        true
    }

    fn take_roles(&mut self, roles: Roles) {
        self.release();
        self.character.take_roles(roles);
        // The tape holds frames of another solver.
        self.debugger.clear();
        let root = self.motion.root;
        self.motion = motion::session::of_character(&self.character);
        // The character stays in its place, and so does the camera.
        self.motion.root = root;
        self.time.resample = true;
        self.what_goes_by_itself_changed();
        self.settings_changed();
    }

    /// Waits until the roles are found, or until that time is over.
    pub fn wait_for_roles(&mut self, longest: Duration) {
        let begun = Instant::now();
        while self.update_roles() && self.is_finding_roles() && begun.elapsed() < longest {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
