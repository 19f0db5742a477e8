use crate::session::{Selection, Session};
use kinescope_ik::debugger::why::{Why, cure};
use kinescope_ik::full_body::Effector;
use kinescope_ik::stack::LayerId;
use kinescope_ik::stepped::run::Cursor;

const SMALL_GAP: f32 = 2e-3;

impl Session {
    pub(crate) fn ask_why(&mut self) {
        let is_large = |gap: f32| gap > self.world.character.height * SMALL_GAP;
        let selected = match self.interaction.selection {
            Selection::Effector(effector) => Some(effector),
            Selection::Chain(chain) => chain.limb().map(|limb| Effector::END[limb.index()]),
            _ => None,
        };
        let selected = selected.filter(|&effector| is_large(self.world.gap(effector)));
        let effector = selected.or_else(|| {
            // Gaps of chains and lanes cannot be explained, also if they are larger.
            let worst = Effector::ALL.into_iter().max_by(|&a, &b| self.world.gap(a).total_cmp(&self.world.gap(b)))?;
            is_large(self.world.gap(worst)).then_some(worst)
        });
        let known = self.world.picture.why.take();
        self.world.picture.unwritten = effector.filter(|&effector| !self.is_written(effector));
        let Some(effector) = effector.filter(|_| self.world.picture.unwritten.is_none()) else { return };
        self.world.picture.why = self.world.why_of(effector);
        // The suggested change does not depend on the step shown, so it is reused while the solve stays the same.
        let question = (effector, self.world.picture.solves);
        let cure = match known.filter(|_| self.world.picture.why_asked == Some(question)) {
            Some(known) => known.cure,
            None => {
                self.world.picture.why_asked = Some(question);
                let (settings, animated) = (*self.world.solved_settings(), self.world.given_pose().to_vec());
                let (solver, variants) =
                    (self.world.character.rig.full_body.as_ref().ok(), &mut self.world.picture.variants);
                solver.and_then(|solver| cure(solver, variants, &settings, &animated, effector))
            }
        };
        self.world.picture.why = self.world.picture.why.map(|why| Why { cure, ..why });
    }

    /// Returns whether an effector's bone has its final position in the picture.
    fn is_written(&self, effector: Effector) -> bool {
        let (focus, at) = (self.focus(), self.world.time.cursor);
        let Some(run) = self.world.solved.full_body().filter(|run| focus == LayerId::FullBody && run.is_writing(at))
        else {
            return true;
        };
        let bone = run.solver.bone_of(effector.node());
        let end = self.world.solved.pose_at(&self.world.character.rig, focus, Cursor::end(run));
        let distance = end.get(bone).map(|end| end.position.distance(self.world.picture.pose.position(bone)));
        distance.is_none_or(|distance| distance <= self.world.character.height * 1e-5)
    }
}
