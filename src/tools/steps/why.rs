//! Explains why an effector is off target: the selected one, or else the one furthest off.

use glam::Vec3;

use crate::session::{Selection, Session};
use kinescope_ik::debugger::why::{Why, cure, why};
use kinescope_ik::full_body::Effector;
use kinescope_ik::stack::{Gap, LayerId};
use kinescope_ik::stepped::run::Cursor;

/// Smallest gap that is explained, as a fraction of the character's height.
const SMALL_GAP: f32 = 2e-3;

impl Session {
    /// Returns the distance of an effector's written bone from its target in the picture; 0 without weight.
    pub fn gap(&self, effector: Effector) -> f32 {
        self.world.picture.gaps.iter().find(|gap| gap.key == effector.key()).map_or(0.0, |gap| gap.distance)
    }

    /// Returns the largest gap between a bone and its target in the picture.
    pub fn worst_gap(&self) -> Option<&Gap> {
        let worst = self.world.picture.gaps.iter().max_by(|a, b| a.distance.total_cmp(&b.distance));
        worst.filter(|gap| gap.distance > 0.0)
    }

    /// Explains why an effector is off target in the picture.
    pub fn why_of(&self, effector: Effector) -> Option<Why> {
        match self.world.picture.why.filter(|why| why.effector == effector) {
            Some(why) => Some(why),
            None => {
                let solver = self.world.character.rig.full_body.as_ref().ok()?;
                why(&self.body_frame(), solver, &self.world.picture.pose.bones, effector)
            }
        }
    }

    /// Returns the position of an effector's bone in the picture.
    pub fn bone_position(&self, effector: Effector) -> Vec3 {
        let bone = self.world.character.rig.full_body.as_ref().map(|solver| solver.bone_of(effector.node()));
        bone.map_or(Vec3::ZERO, |bone| self.world.picture.pose.position(bone))
    }

    /// Explains why an effector is off target: the selected one, otherwise the one farthest off.
    pub(crate) fn ask_why(&mut self) {
        let is_large = |gap: f32| gap > self.world.character.height * SMALL_GAP;
        let selected = match self.interaction.selection {
            Selection::Effector(effector) => Some(effector),
            Selection::Chain(chain) => chain.limb().map(|limb| Effector::END[limb.index()]),
            _ => None,
        };
        let selected = selected.filter(|&effector| is_large(self.gap(effector)));
        let effector = selected.or_else(|| {
            let worst = self.worst_gap().filter(|gap| is_large(gap.distance))?;
            Effector::from_key(&worst.key)
        });
        let known = self.world.picture.why.take();
        self.world.picture.unwritten = effector.filter(|&effector| !self.is_written(effector));
        let Some(effector) = effector.filter(|_| self.world.picture.unwritten.is_none()) else { return };
        self.world.picture.why = self.why_of(effector);
        // The suggested change does not depend on the step shown.
        let question = (effector, self.world.picture.solves);
        let cure = match known.filter(|_| self.world.picture.why_asked == Some(question)) {
            Some(known) => known.cure,
            None => {
                self.world.picture.why_asked = Some(question);
                let (settings, animated) = (*self.solved_settings(), self.given_pose().to_vec());
                let (solver, variants) =
                    (self.world.character.rig.full_body.as_ref().ok(), &mut self.world.picture.variants);
                solver.and_then(|solver| cure(solver, variants, &settings, &animated, effector))
            }
        };
        self.world.picture.why = self.world.picture.why.map(|why| Why { cure, ..why });
    }

    /// Returns whether an effector's bone has its final position in the picture. Only while the cursor is in the writing of
    /// bones can a bone be unwritten.
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
