//! The motion tool: clips, path, pose layers and ground of the character.

pub mod clip_track;
pub mod file;
pub mod pane;
pub mod picture;
pub mod session;
pub mod words;
