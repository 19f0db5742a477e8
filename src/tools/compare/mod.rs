//! Two presets or two presets' frames side by side.

pub mod pane;
pub mod picture;
pub mod session;
