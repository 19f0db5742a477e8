//! Digitigrade legs, which stand on their toes: thigh, calf, a long metatarsus below the hock, and toes.
//!
//! The solver's limbs have two bones, and longer ones have to be mapped to three joints (*Full-body notes*). A
//! digitigrade leg is mapped to thigh, calf and toes, with the hock between calf and toes. Foot targets then place the
//! toes, which stand on the ground, instead of the hock, which does not.

use super::super::skeleton::BoneIndex;
use super::limbs::{Body, Triple};

/// The shortest metatarsus, as a fraction of the calf; 0.35 in humans.
const LEAST_LENGTH: f32 = 0.42;
/// The smallest drop of the metatarsus, as a fraction of its length. A human foot is nearly level.
const LEAST_DROP: f32 = 0.6;
/// The smallest height of the hock above the toes, as a fraction of the leg.
const LEAST_HEIGHT: f32 = 0.14;

impl Body<'_> {
    /// Returns the bone at which the toes start if the leg has a hock; `None` for a leg that stands on its foot.
    pub(super) fn toes_below_hock(&self, leg: Triple) -> Option<BoneIndex> {
        let Triple([_, calf, hock]) = leg;
        let [upper, lower] = self.lengths(leg);
        let (_, next) = self.longest_paths();
        let far = |bone: BoneIndex| self.position[bone].distance(self.position[hock]);
        let mut toes = next[hock]?;
        // Skip twist bones, and helpers at the position of the hock.
        while far(toes) < lower * LEAST_LENGTH {
            toes = next[toes]?;
        }
        let drop = self.height_of(hock) - self.height_of(toes);
        let moves = self.is_weighted[toes] && !self.names[toes].is_helper;
        let is_hock = drop > far(toes) * LEAST_DROP && drop > (upper + lower) * LEAST_HEIGHT;
        (is_hock && moves && self.is_above(calf, hock)).then_some(toes)
    }
}
