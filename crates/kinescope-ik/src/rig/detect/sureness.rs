//! The confidence of a role: how often roles with this evidence are right.
//!
//! | confidence | evidence |
//! |---|---|
//! | 1 | the user chose the bone; or the file states the role, and no problem doubts it |
//! | 0.97 | the name fits, and a search without names finds the same bone |
//! | 0.95 | the name of a bone of the trunk fits its place, and a search without names finds the same limbs |
//! | 0.8 | the name fits, and a search without names does not find all limbs, or, for the trunk, other limbs |
//! | 0.7 to 0.8 | a bone of the trunk without a fitting name, by its position |
//! | 0.65 | the name fits, and a search without names finds another bone |
//! | 0.3 to 0.8 | no name: the more the limb looks like a limb, the higher |
//! | 0.8, 0.5 | there is no clavicle; there is no head |
//! | 0.5 and less | a problem states that the bone may be another one, or the name is that of another part |
//! | 0.1 to 0.3 | a guess, because the four limbs of a biped were not found |
//!
//! A role that a problem doubts has at most 0.5, even if the file states it. A role that the user chose keeps 1.
//!
//! A test over all test characters checks that of the roles with 0.9 or more, at least 99 % are right.

use super::evidence::{BY_NAME, BY_SHAPE, LimbSet, fits_name};
use super::limbs::{Body, Triple};
use super::names::{NameEvidence, Part};

const AGREED: f32 = 0.97;
/// The confidence of a name that nothing confirms; also the largest confidence of a limb without names, and of the
/// trunk between uncertain limbs.
pub(super) const NAMED: f32 = 0.8;
const DISPUTED: f32 = 0.65;
pub(super) const DOUBTED: f32 = 0.5;
const BY_NAME_AGREED: &str = "by its name, and its position agrees";
const BY_NAME_ALONE: &str = "by its name; a search without names does not find all limbs";
const BY_NAME_DISPUTED: &str = "by its name, though a search without names finds another bone";

/// The limbs that a search without names finds.
pub(super) struct Blind(Option<[Triple; 4]>);

impl Blind {
    pub(super) fn search(body: &Body, set: &LimbSet) -> Self {
        let says_nothing = |name: &NameEvidence| name.part.is_none() && name.side.is_none() && !name.is_helper;
        let (legs, arms) = if set.reason == BY_SHAPE && body.names.iter().all(says_nothing) {
            (set.legs, set.arms)
        } else {
            let blank = vec![NameEvidence::default(); body.names.len()];
            let (legs, arms) = body.with_names(&blank).find_by_shape();
            let Some((legs, arms)) = legs.zip(arms) else { return Self(None) };
            (legs.limbs, arms.limbs)
        };
        let arm = |Triple([a, b, c]): Triple| Triple([a, b, body.among_palms(body.palm_above(b, c))]);
        let leg = |leg: Triple| Triple([leg.0[0], leg.0[1], body.toes_below_hock(leg).unwrap_or(leg.0[2])]);
        let ([a, b], [c, d]) = (arms.map(arm), legs.map(leg));
        Self(Some([a, b, c, d]))
    }

    /// Returns whether a limb of this kind, on either side, has this bone as its joint `index`; `None` if the search
    /// found no limbs.
    fn agrees(&self, bone: usize, is_arm: bool, index: usize) -> Option<bool> {
        let limbs = &self.0.as_ref()?[if is_arm { 0..2 } else { 2..4 }];
        Some(limbs.iter().any(|limb| limb.0[index] == bone))
    }

    /// Returns whether the search found the same joints of arms and legs, on either side.
    pub(super) fn agrees_on(&self, limbs: &[Triple; 4]) -> bool {
        (0..4).all(|limb| (0..3).all(|joint| self.agrees(limbs[limb].0[joint], limb < 2, joint) == Some(true)))
    }

    pub(super) fn judge(
        &self,
        name: &NameEvidence,
        bone: usize,
        (is_arm, index): (bool, usize),
        (shape, reason): (f32, &'static str),
    ) -> (f32, &'static str) {
        let fits = fits_name(name.part, is_arm, index) && !name.is_helper;
        // Digitigrade feet are named toes; collar bones and upper arms share the word shoulder.
        let is_other = name.part.is_some_and(|part| !matches!(part, Part::Toe | Part::Shoulder)) && !fits;
        match (fits, self.agrees(bone, is_arm, index)) {
            (true, Some(true)) => {
                (AGREED, if reason == BY_NAME { BY_NAME_AGREED } else { "by shape and position, and its name agrees" })
            }
            (true, Some(false)) => (DISPUTED, if reason == BY_NAME { BY_NAME_DISPUTED } else { reason }),
            (true, None) => (NAMED, if reason == BY_NAME { BY_NAME_ALONE } else { reason }),
            (false, _) if is_other => (DOUBTED, "by its position, though its name is that of another part"),
            (false, Some(true)) => (shape.min(NAMED), reason),
            (false, _) => (shape.min(DISPUTED), reason),
        }
    }
}
