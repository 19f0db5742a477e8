//! Kinescope: a full-body biped IK solver whose every step can be seen.
//!
//! The library knows nothing of windows, files or time. With `default-features = false` it is the rig, the solver and
//! the file formats; the feature `import` adds the reading of glTF and VRM from memory; `terrain` a ground to
//! walk on; `app` (the default) the program.

pub mod animation;
#[cfg(feature = "app")]
pub mod app;
pub mod capsule;
pub mod chain_ik;
pub mod debug_draw;
pub mod debugger;
pub mod error;
mod fnv1a;
pub mod full_body;
pub mod ground;
pub mod grounding;
mod json;
pub mod locomotion;
pub mod math;
pub mod notation;
pub mod parameter;
pub mod preset;
pub mod rig;
pub mod stack;
pub mod stepped;
#[cfg(feature = "terrain")]
pub mod terrain;
pub mod trace;
pub mod trace_diff;

/// The README's examples are tests.
#[cfg(all(doctest, feature = "import", feature = "terrain"))]
#[doc = include_str!("../README.md")]
struct Readme;
