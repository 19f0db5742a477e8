//! Motion: clips, blending, crossfades, additive layers and root motion.

pub mod additive;
pub mod blend;
pub mod crossfade;
pub mod layer;
pub(crate) mod paths;
pub mod root_motion;

pub use crate::rig::{Clip, Interpolation, Track, TrackValues};
pub use additive::{Additive, Base, Formula};
pub use blend::{Mask, blend};
pub use crossfade::{Crossfade, Fade, Phase};
pub use layer::{Binding, Inputs, LayerInput, LayerKind, PoseLayer};
pub use root_motion::RootMotion;
