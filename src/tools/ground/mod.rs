pub(crate) mod pane;
pub mod picture;
pub mod terrain;
pub(crate) mod words;
