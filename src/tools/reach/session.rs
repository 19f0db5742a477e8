use glam::Vec3;

use crate::session::Session;
use crate::system::jobs::{Job, Outcome};
use crate::tools::reach::words as text;
use kinescope_ik::debugger::reach_volume::reach_volume_in_slices;
use kinescope_ik::full_body::{Effector, Hooks, Settings};
use kinescope_ik::rig::{LimbName, RigidTransform};

/// Number of targets tried along each axis of the grid.
const REACH_POINTS: usize = 30;

/// Returns the settings on which a limb's volume depends. The limb's own target is reset, because the tried targets replace
/// it.
fn without_target(mut settings: Settings, limb: LimbName) -> Settings {
    let own = settings.effector_mut(Effector::END[limb.index()]);
    (own.position, own.position_weight) = (None, 1.0);
    settings
}

impl Session {
    pub(crate) fn reach_of_selection(&mut self) {
        match self.interaction.selection.limb() {
            Some(limb) => self.start_reach(limb),
            None => self.notify(text::SELECT_FIRST),
        }
    }

    pub(crate) fn start_reach(&mut self, limb: LimbName) {
        let Ok(solver) = &self.world.character.rig.full_body else {
            return self.notify(text::NO_SOLVER);
        };
        let (solver, settings, animated) =
            (solver.clone(), *self.world.solved_settings(), self.world.given_pose().to_vec());
        self.tools.debugger.reach.asked = (without_target(settings, limb), animated.clone());
        let hooks = self.world.solved.full_body().and_then(|run| run.recording.shared_hooks());
        let job = Job::start_on_all_processors(move |report| async move {
            let hooks = hooks.as_deref().map(|hooks| hooks as &(dyn Hooks + Sync));
            let mut progress = |done: f32| report.done(done);
            let solver = (&*solver, hooks);
            reach_volume_in_slices(solver, &settings, &animated, limb, REACH_POINTS, &mut progress).await
        });
        match job {
            Ok(job) => self.tools.debugger.reach.job = Some(job),
            Err(error) => self.fail(error),
        }
    }

    pub(crate) fn update_reach(&mut self) -> bool {
        let Some(job) = &self.tools.debugger.reach.job else { return false };
        let outcome = job.poll();
        match outcome {
            Outcome::Running => {}
            Outcome::Done(volume) => {
                self.notify(text::tried(&volume.solves));
                self.tools.debugger.reach.volume = Some(volume);
                self.tools.debugger.reach.job = None;
                self.look.view.reach = true;
            }
            Outcome::Nothing => {
                self.tools.debugger.reach.job = None;
                self.notify(text::NOTHING_TO_REACH);
            }
        }
        true
    }

    pub fn reach_is_stale(&self) -> Option<&'static str> {
        let view = &self.tools.debugger.reach;
        let limb = view.volume.as_ref()?.limb?;
        let (settings, animated) = &view.asked;
        let nearest = self.world.character.height * 1e-4;
        let same_place = |(a, b): (&RigidTransform, &RigidTransform)| a.position.distance(b.position) < nearest;
        match () {
            () if without_target(*self.world.solved_settings(), limb) != *settings => Some(text::SETTINGS_CHANGED),
            () if !animated.iter().zip(self.world.given_pose()).all(same_place) => Some(text::POSE_CHANGED),
            () => None,
        }
    }

    pub(crate) fn reach_slice_at(&self, limb: LimbName) -> Option<Vec3> {
        let effector = Effector::END[limb.index()];
        let own = self.world.settings().effector(effector);
        let target = own.position.filter(|_| own.position_weight > 0.0);
        target.or_else(|| Some(self.state()?.node(effector.node())))
    }
}
