//! The rig doctor: finds the bones of each role, the confidence of each finding, and problems of the character.
//!
//! The user's own [`Mapping`] overrides everything, and a VRM humanoid map takes precedence over the search. The search
//! finds limbs by the names of their joints, otherwise by shape, and then the trunk between them. The left one of a
//! pair is determined from the body (feet, knees, elbows), and from names only if the body does not show it. Feet and
//! hands attached elsewhere count if they continue a limb. Of several bones at one position, the one with the most
//! evidence of a joint counts: it moves vertices, it is no helper, its name means a part of the body. Finally left and
//! right are compared. [`Detection::problems`] lists problems and assumptions.

mod anatomy;
mod animal;
mod by_name;
mod digitigrade;
mod directions;
mod doubts;
mod evidence;
mod finding;
mod forest;
mod limbs;
mod mapping;
mod measure;
mod names;
mod program;
mod reference;
mod search;
mod several;
mod strays;
mod sureness;
mod torso;
mod trunk;

pub(crate) use anatomy::oddities;
pub use anatomy::{is_a_point, rest_problem};
pub use directions::DEPENDABLE_BEND_DEGREES;
pub use finding::{Detection, FoundCharacter, RoleFinding};
pub use mapping::{MappedBones, Mapping};
pub use program::{detect, detect_in_slices};
pub use reference::{ReferenceChoice, ReferenceKind};
