//! The drawing of the ground, and the inspector of grounding.

pub mod pane;
pub mod picture;
pub mod terrain;
pub mod words;
