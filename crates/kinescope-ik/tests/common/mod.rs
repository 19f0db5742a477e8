//! Helpers of the library's tests; the program's tests use most of them too.
#![allow(dead_code, unused_imports, reason = "some sets of features leave items unused")]

#[cfg(feature = "import")]
pub mod built_in;
pub mod evaluate;
#[cfg(feature = "fbx")]
pub mod fbx;
#[cfg(feature = "import")]
pub mod figure;
pub mod files;
pub mod flaws;
#[cfg(all(feature = "import", feature = "link"))]
pub mod game;
pub mod gltf;
pub mod grounds;
mod places;
pub mod property;
#[cfg(feature = "import")]
pub mod skinned;
pub mod stages;
pub mod strategies;
pub mod synthetic;

pub use places::*;
