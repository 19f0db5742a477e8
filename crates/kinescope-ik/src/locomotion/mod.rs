//! How a character gets about: the way it walks, the ground under that as it feels it, what carries it along, which
//! clip walks how fast, and where its soles are.
//!
//! ```text
//! points ─► Path ─┐
//! heights ────────┴► Way ─► at(distance) ─► Stance ─► on a platform's top ─► root: world from model
//! clips ─► Walker ─► speed of what is shown ─► way::advance ─► distance
//!                └─► how much each foot is planted ─► grounding ─► Contact of each Sole
//! ```
//!
//! World space, metres, seconds, +Y up; a place is x and z. What is made once ([`Walker`], [`Way`]) is apart from what
//! changes with every frame, which is two numbers: the way walked and the ground's time. A frame follows from these
//! alone, so that it is the same at every frame rate, and backwards. Heights come from whatever answers for them: the
//! height field of `terrain` (a feature), or a ray of a game's own.
//!
//! Everything gives finite answers, the same ones each time, to whatever it is asked.

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
