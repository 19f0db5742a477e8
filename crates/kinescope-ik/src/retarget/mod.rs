//! Retargeting: moves a character by the clip of another skeleton.
//!
//! ```text
//! source clip ─► pose ─► align, turn, path ─► pose of the target ─► full body
//!                    └─► places of feet and hands, scaled by leg length ─► targets, foot lock ─┘
//! ```
//!
//! A [`Map`] pairs the bones of both skeletons: by their roles, fingers and other bones by their names, toes by their
//! place. Rotations are transferred in model space, relative to the rests of both, so that neither axes of bones nor
//! rest poses have to agree. The rest of a paired bone is its transform in [`Actor::reference`]. The offsets of bones
//! from their parents, and the rotations of bones without a pair, are those of [`Actor::rest`]. The pelvis's path is
//! scaled by leg length. [`carry_morphs`] transfers the weights of morph targets by their names.
//!
//! [`RetargetSolve`] has the same steps for a frame of the [stack](crate::stack), and adds the goals of feet and hands
//! at their [`Places`]: those of the feet with the [foot lock](crate::grounding::lock), those of the hands as targets
//! of the full body.

mod actor;
mod clip;
pub mod explain;
mod frame;
mod map;
mod morphs;
mod places;
mod pose;
mod settings;

pub use actor::{Actor, Roles};
pub use clip::Sampler;
pub use frame::{RetargetEvent, RetargetFrame, RetargetSolve, RetargetState, RetargetStep, SourcePose};
pub use map::{Alignment, Map, Pair};
pub use morphs::carry_morphs;
pub use places::Places;
pub use pose::{PoseEvent, PoseFrame, PoseSolve, PoseState, PoseStep};
pub use settings::RetargetSettings;
