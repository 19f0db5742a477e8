//! Detects the roles again, in a background job, after the document's mapping or reference pose has changed.

use std::time::Duration;

use crate::character::Character;
use crate::character::roles::Roles;
use crate::scenes::RestPose;
use crate::session::Session;
use crate::system::clock::Instant;
use crate::system::jobs::{Job, Outcome};
use crate::system::threads;
use crate::tools::doctor::words as text;
use crate::tools::motion::file;
use crate::world::motion::Motion;
use kinescope_ik::rig::BoneIndex;

fn used_root(character: &Character) -> Option<BoneIndex> {
    character.detection.characters.iter().find(|one| one.is_used).map(|one| one.root)
}

impl Session {
    pub(crate) fn find_roles(&mut self) {
        self.files.finding = None;
        let document = self.world.history.document();
        if !self.world.character.needs_roles(&document.mapping, document.reference) {
            return;
        }
        let (model, mapping, reference) =
            (self.world.character.model.clone(), document.mapping.clone(), document.reference);
        let find = move |_| async move { Some(Roles::find_in_slices(&model, &mapping, reference, &mut |_| {}).await) };
        match Job::start(find) {
            Ok(job) => self.files.finding = Some(job),
            Err(error) => self.fail(text::search_failed(&error)),
        }
    }

    pub fn is_finding_roles(&self) -> bool {
        self.files.finding.is_some() || file::is_finding_roles(self)
    }

    pub(crate) fn update_roles(&mut self) -> bool {
        let of_motion = file::update_roles(self);
        let Some(job) = &self.files.finding else { return of_motion };
        match job.poll() {
            Outcome::Running => return true,
            Outcome::Done(roles) => {
                self.files.finding = None;
                self.take_roles(roles);
            }
            Outcome::Nothing => {
                self.files.finding = None;
                self.fail(text::SEARCH_STOPPED);
            }
        }
        true
    }

    fn take_roles(&mut self, roles: Roles) {
        self.release();
        let before = used_root(&self.world.character);
        self.world.character.take_roles(roles);
        if used_root(&self.world.character) != before {
            // The roles are now those of another character of the file, which may stand elsewhere. The scene's script
            // starts from the rest pose of that character.
            self.started_scene.rest = RestPose::of(&self.world.character);
            self.look.is_unchecked = true;
        }
        // Recorded frames and results belong to the previous solver.
        self.tools.debugger.clear();
        self.tools.body_lab.divergence.clear();
        let root = self.world.motion.root;
        self.world.motion = Motion::of_character(&self.world.character);
        // Keeping the root keeps character and camera in place.
        self.world.motion.root = root;
        self.world.time.resample = true;
        self.moving_parts_changed();
        self.settings_changed();
    }

    pub fn wait_for_roles(&mut self, longest: Duration) {
        let started = Instant::now();
        while self.update_roles() && self.is_finding_roles() && started.elapsed() < longest {
            threads::sleep(Duration::from_millis(1));
        }
    }
}
