//! Moves a character over the ground: paths, smoothed ground heights, platforms, gaits and soles.
//!
//! ```text
//! points ─► Path ─┐
//! heights ────────┴► Way ─► at(distance) ─► Stance ─► on a platform's top ─► root: world from model
//! clips ─► Walker ─► speed of the crossfade ─► way::advance ─► distance
//!                └─► how much each foot is planted ─► grounding ─► Contact of each Sole
//! ```
//!
//! World space, metres, seconds, +Y up; a place is x and z. A [`Walker`] is made once per character, a [`Way`] once per
//! path. On a given way, the root's transform depends on two numbers alone, the distance walked and the time of the
//! ground, so it is the same at every frame rate and when played backwards. Heights come from a function: the height
//! field of `terrain` (a feature), or a game's own ray cast.
//!
//! All functions are deterministic, and the root transform is finite for all inputs.

pub mod contact;
pub mod gait;
pub mod path;
#[cfg(feature = "terrain")]
pub mod platform;
pub mod profile;
pub mod sole;
pub mod stance;
pub mod walker;
pub mod way;

pub use contact::Contact;
pub use gait::Gait;
pub use path::Path;
pub use profile::Profile;
pub use sole::Sole;
pub use stance::Stance;
pub use walker::{Stride, Walker};
pub use way::Way;
