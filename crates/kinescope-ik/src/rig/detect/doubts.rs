//! Roles that problems or uncertain limbs put in doubt.

use super::super::biped::{LimbName, Role};
use super::evidence::BY_CHOICE;
use super::limbs::Triple;
use super::search::{Found, Search};
use super::sureness::{Blind, DOUBTED, NAMED};

impl Search {
    /// Lowers the confidence of roles that a problem doubts, even if the file states them. Roles that the user chose
    /// keep theirs.
    pub(super) fn doubt(&mut self, roles: impl IntoIterator<Item = Role>) {
        const NOTE: &str = "; but a warning contradicts it";
        for role in roles {
            let doubted =
                |found: &&mut Found| !BY_CHOICE.contains(&found.reason.as_str()) && !found.reason.ends_with(NOTE);
            if let Some(found) = self.roles.get_mut(&role).filter(doubted) {
                found.confidence = found.confidence.min(DOUBTED);
                found.reason.push_str(NOTE);
            }
        }
    }

    pub(super) fn doubt_sides(&mut self) {
        let limbs = LimbName::ALL.into_iter().flat_map(LimbName::roles);
        self.doubt(limbs.chain([Role::LeftClavicle, Role::RightClavicle]));
    }

    /// Lowers the confidence of the trunk, which is found from the limbs, if a search without names finds other limbs
    /// or none. Roles of confidence 1 keep it.
    pub(super) fn doubt_trunk(&mut self, blind: &Blind, limbs: &[Triple; 4]) {
        let trunk = [Role::Pelvis, Role::Spine, Role::Head, Role::LeftClavicle, Role::RightClavicle];
        for role in trunk.into_iter().filter(|_| !blind.agrees_on(limbs)) {
            if let Some(found) = self.roles.get_mut(&role).filter(|found| found.confidence < 1.0) {
                found.confidence = found.confidence.min(NAMED);
            }
        }
    }
}
