//! The rig doctor: finds the bones of each role with a confidence, and problems of the character.
//!
//! Bones that the user's [`Mapping`] names take precedence, then those of a VRM humanoid map. The search finds limbs by
//! the names of their joints, otherwise by shape, and then the trunk between them. The body's shape (feet, knees,
//! elbows) decides which limb of a pair is the left one; names decide if the shape does not show it.
//! [`Detection::problems`] lists problems and assumptions.

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
