//! Why the effector that is selected, or the one furthest off, is not on its target.

use glam::Vec3;

use crate::session::{Selection, Session};
use kinescope_ik::debugger::why::{Why, cure, why};
use kinescope_ik::full_body::Effector;
use kinescope_ik::stack::{Gap, LayerId};
use kinescope_ik::stepped::run::Cursor;

/// A gap larger than this, of the character's height, is worth a reason.
const SMALL_GAP: f32 = 2e-3;

impl Session {
    /// How far the written bone of an effector is from its target in the picture; 0 without weight.
    pub fn gap(&self, effector: Effector) -> f32 {
        self.world.picture.gaps.iter().find(|gap| gap.key == effector.key()).map_or(0.0, |gap| gap.distance)
    }

    /// The bone that is furthest from where it is wanted in the picture.
    pub fn worst_gap(&self) -> Option<&Gap> {
        let worst = self.world.picture.gaps.iter().max_by(|a, b| a.distance.total_cmp(&b.distance));
        worst.filter(|gap| gap.distance > 0.0)
    }

    /// Why an effector is not on its target in the picture.
    pub fn why_of(&self, effector: Effector) -> Option<Why> {
        match self.world.picture.why.filter(|why| why.effector == effector) {
            Some(why) => Some(why),
            None => {
                let solver = self.world.character.rig.full_body.as_ref().ok()?;
                why(&self.body_frame(), solver, &self.world.picture.pose.bones, effector)
            }
        }
    }

    /// Where the bone of an effector is in the picture.
    pub fn bone_position(&self, effector: Effector) -> Vec3 {
        let bone = self.world.character.rig.full_body.as_ref().map(|solver| solver.bone_of(effector.node()));
        bone.map_or(Vec3::ZERO, |bone| self.world.picture.pose.position(bone))
    }

    /// Explains why an effector is off target: the selected one, otherwise the one farthest off.
    pub(crate) fn ask_why(&mut self) {
        let worth = |gap: f32| gap > self.world.character.height * SMALL_GAP;
        let selected = match self.interaction.selection {
            Selection::Effector(effector) => Some(effector),
            Selection::Chain(chain) => chain.limb().map(|limb| Effector::END[limb.index()]),
            _ => None,
        };
        let selected = selected.filter(|&effector| worth(self.gap(effector)));
        let effector = selected.or_else(|| {
            let worst = self.worst_gap().filter(|gap| worth(gap.distance))?;
            Effector::from_key(&worst.key)
        });
        let known = self.world.picture.why.take();
        self.world.picture.unwritten = effector.filter(|&effector| !self.is_written(effector));
        let Some(effector) = effector.filter(|_| self.world.picture.unwritten.is_none()) else { return };
        self.world.picture.why = self.why_of(effector);
        // What would help does not depend on the step that is looked at.
        let asked = (effector, self.world.picture.solves);
        let cure = match known.filter(|_| self.world.picture.why_asked == Some(asked)) {
            Some(known) => known.cure,
            None => {
                self.world.picture.why_asked = Some(asked);
                let (settings, animated) = (*self.solved_settings(), self.given_pose().to_vec());
                let (solver, variants) =
                    (self.world.character.rig.full_body.as_ref().ok(), &mut self.world.picture.variants);
                solver.and_then(|solver| cure(solver, variants, &settings, &animated, effector))
            }
        };
        self.world.picture.why = self.world.picture.why.map(|why| Why { cure, ..why });
    }

    /// Whether an effector's bone is in the picture where the full body leaves it. Only while the cursor is in the writing of
    /// the bones are there bones that are not.
    fn is_written(&self, effector: Effector) -> bool {
        let (focus, at) = (self.focus(), self.world.time.cursor);
        let Some(run) = self.world.solved.full_body().filter(|run| focus == LayerId::FullBody && run.is_writing(at))
        else {
            return true;
        };
        let bone = run.solver.bone_of(effector.node());
        let end = self.world.solved.pose_at(&self.world.character.rig, focus, Cursor::end(run));
        let left = end.get(bone).map(|end| end.position.distance(self.world.picture.pose.position(bone)));
        left.is_none_or(|left| left <= self.world.character.height * 1e-5)
    }
}
