//! Legs that stand on their toes: thigh, calf, a long metatarsus from the hock down, and toes.
//!
//! To the solver a leg has two bones (*Full-body notes*: three bones make a limb; more have to be mapped to these).
//! Such a leg is mapped to thigh, calf with metatarsus, and toes: the target is then of what stands on the ground, and
//! not of a hock in the air.

use super::super::skeleton::BoneIndex;
use super::limbs::{Body, Triple};

/// A human's is 0.35 of the calf: from here on it is a third bone of the leg.
const LEAST_LENGTH: f32 = 0.42;
/// It goes down by at least this part of its length; a human foot lies.
const LEAST_DROP: f32 = 0.6;
/// The hock is at least this part of the leg above where the toes begin.
const LEAST_HEIGHT: f32 = 0.14;

impl Body<'_> {
    /// The bone at which the toes of a leg begin whose third bone is a hock; `None` for a leg that stands on its foot.
    pub(super) fn toes_below_hock(&self, leg: Triple) -> Option<BoneIndex> {
        let Triple([_, calf, hock]) = leg;
        let [upper, lower] = self.lengths(leg);
        let (_, next) = self.longest_ways();
        let far = |bone: BoneIndex| self.position[bone].distance(self.position[hock]);
        let mut toes = next[hock]?;
        // Twist bones lie on the way, and helpers in the hock's place.
        while far(toes) < lower * LEAST_LENGTH {
            toes = next[toes]?;
        }
        let drop = self.height_of(hock) - self.height_of(toes);
        let moves = self.is_weighted[toes] && !self.names[toes].is_helper;
        let is_hock = drop > far(toes) * LEAST_DROP && drop > (upper + lower) * LEAST_HEIGHT;
        (is_hock && moves && self.is_above(calf, hock)).then_some(toes)
    }
}
