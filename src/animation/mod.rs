//! Motion: clips and how they are sampled, blended, faded from one to the other and laid on each other.

pub mod additive;
pub mod blend;
pub mod clip;
pub mod crossfade;
pub mod layer;
pub mod root_motion;

pub use additive::{Additive, Base, Formula};
pub use blend::{Mask, blend};
pub use clip::{Clip, Interpolation, Track, TrackValues};
pub use crossfade::{Crossfade, Fade, Phase};
pub use layer::{Binding, Inputs, LayerInput, LayerKind, PoseLayer};
pub use root_motion::RootMotion;
