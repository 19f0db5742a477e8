//! Helpers shared by the program's tests, including those of the library's tests.
#![allow(dead_code, unused_imports, reason = "no program uses all of it")]

#[path = "../../crates/kinescope-ik/tests/common/built_in.rs"]
pub mod built_in;
#[path = "../../crates/kinescope-ik/tests/common/evaluate.rs"]
pub mod evaluate;
#[path = "../../crates/kinescope-ik/tests/common/figure.rs"]
pub mod figure;
#[path = "../../crates/kinescope-ik/tests/common/files.rs"]
pub mod files;
#[path = "../../crates/kinescope-ik/tests/common/flaws.rs"]
pub mod flaws;
#[path = "../../crates/kinescope-ik/tests/common/game.rs"]
pub mod game;
#[path = "../../crates/kinescope-ik/tests/common/gltf.rs"]
pub mod gltf;
#[path = "../../crates/kinescope-ik/tests/common/places.rs"]
mod places;
pub mod program;
pub mod session;
#[path = "../../crates/kinescope-ik/tests/common/skinned.rs"]
pub mod skinned;
#[path = "../../crates/kinescope-ik/tests/common/strategies.rs"]
pub mod strategies;

pub use places::*;
