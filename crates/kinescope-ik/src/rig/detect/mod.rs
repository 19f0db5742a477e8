//! The rig doctor: finds the role of each bone, its confidence, and problems of the character.
//!
//! Positions and the shape of the tree decide, with names as evidence. A VRM humanoid map takes precedence, and the
//! user's own [`Mapping`] overrides everything. Limbs are searched by name first, then by shape. The left one of a pair
//! is determined from the body (toes, knees, elbows), and from names only if the body does not show it. Feet and hands
//! attached elsewhere count if they continue a limb. Of several bones at one position, the one with the limb below it
//! counts. Finally left and right are compared. [`Detection::problems`] lists problems and assumptions.

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
