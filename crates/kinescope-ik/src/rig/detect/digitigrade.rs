//! Digitigrade legs, which stand on their toes: thigh, calf, a long metatarsus below the hock, and toes.
//!
//! The solver's limbs have two bones, and longer ones have to be mapped to three joints (*Full-body notes*). A
//! digitigrade leg is mapped to thigh, calf and toes, with the hock between calf and toes. Foot targets then place the
//! toes, which stand on the ground, instead of the hock, which does not.

use glam::Vec3;

use super::super::skeleton::BoneIndex;
use super::directions::flat;
use super::limbs::{Body, Triple};
use super::names::{NameEvidence, Part};

/// The shortest metatarsus, as a fraction of the calf; 0.35 in humans.
const LEAST_LENGTH: f32 = 0.42;
/// The smallest drop of the metatarsus, as a fraction of its length. A human foot is nearly level.
const LEAST_DROP: f32 = 0.6;
/// The smallest drop of the metatarsus, as a fraction of its length, if the calf is upright. Short feet of cartoon
/// characters drop by up to 0.75.
const LEAST_DROP_UPRIGHT: f32 = 0.85;
/// The smallest height of the hock above the toes, as a fraction of the length of thigh and calf together.
const LEAST_HEIGHT: f32 = 0.14;
/// The smallest horizontal part of the calf, as a fraction of its length, that shows a hock: calf and metatarsus of an
/// animal form a zigzag, and the calf of a human stands upright.
const LEAST_LEAN: f32 = 0.3;

/// Returns whether the leg stands on its toes. The positions are those of hip, knee, ankle or hock, and toes. `is_foot`
/// states that names call the third one foot and the fourth one toes; a leg with an upright calf then has no hock.
pub(super) fn is_hock([hip, knee, hock, toes]: [Vec3; 4], up: Vec3, is_foot: bool) -> bool {
    let (upper, lower, far) = (hip.distance(knee), knee.distance(hock), hock.distance(toes));
    let drop = (hock - toes).dot(up);
    if far < lower * LEAST_LENGTH || drop <= far * LEAST_DROP || drop <= (upper + lower) * LEAST_HEIGHT {
        return false;
    }
    flat(hock - knee, up).length() > lower * LEAST_LEAN || !is_foot && drop > far * LEAST_DROP_UPRIGHT
}

pub(super) fn are_foot_and_toes(foot: &NameEvidence, toes: &NameEvidence) -> bool {
    foot.part == Some(Part::Foot) && toes.part == Some(Part::Toe)
}

impl Body<'_> {
    /// Returns the bone at which the toes start if the leg has a hock; `None` without a hock, if that bone is a helper
    /// or moves no vertices, and if the hock is not below the calf in the tree.
    pub(super) fn toes_below_hock(&self, leg: Triple) -> Option<BoneIndex> {
        let Triple([hip, calf, hock]) = leg;
        let [_, lower] = self.lengths(leg);
        let (_, next) = self.longest_paths();
        let far = |bone: BoneIndex| self.position[bone].distance(self.position[hock]);
        let mut toes = next[hock]?;
        while far(toes) < lower * LEAST_LENGTH {
            toes = next[toes]?;
        }
        let places = [hip, calf, hock, toes].map(|bone| self.position[bone]);
        let is_foot = are_foot_and_toes(&self.names[hock], &self.names[toes]);
        let moves = self.is_weighted[toes] && !self.names[toes].is_helper;
        (moves && is_hock(places, self.up, is_foot) && self.is_above(calf, hock)).then_some(toes)
    }
}
