//! The drawing of the ground, and the inspector of grounding.

pub(crate) mod pane;
pub(crate) mod picture;
pub(crate) mod terrain;
pub(crate) mod words;
