pub(crate) mod clip_track;
pub(crate) mod file;
pub(crate) mod pane;
pub(crate) mod picture;
pub mod session;
pub(crate) mod words;
