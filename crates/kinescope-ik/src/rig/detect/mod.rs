//! The rig doctor: which bone plays which role, how sure that is, and what is wrong with the character.
//!
//! Positions and the shape of the tree decide, names are evidence, a VRM humanoid map decides where there is one, and
//! the user's own [`Mapping`] wins over everything. Limbs are sought by name first and by shape where names fail;
//! which of a pair is the left one is read off the body (toes, knees, elbows), not off the names. Feet and hands that
//! hang elsewhere count where they continue a limb; of bones in one place that one counts which has the limb below it.
//! In the end left and right are held against each other, and whatever had to be assumed is among the problems.

mod anatomy;
mod digitigrade;
mod directions;
mod evidence;
mod finding;
mod limbs;
mod mapping;
mod measure;
mod names;
mod program;
mod reference;
mod search;
mod strays;
mod trunk;

pub(crate) use anatomy::oddities;
pub use anatomy::{is_a_point, rest_problem};
pub use directions::DEPENDABLE_BEND_DEGREES;
pub use finding::{Detection, RoleFinding};
pub use mapping::{MappedBones, Mapping};
pub use program::detect;
pub use reference::{ReferenceChoice, ReferenceKind};
