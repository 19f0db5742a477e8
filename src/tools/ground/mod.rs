//! The ground under the character, and the grounding layers.

pub mod pane;
pub mod picture;
pub mod terrain;
pub mod words;
