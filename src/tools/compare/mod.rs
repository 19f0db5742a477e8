//! Comparing two results: a what-if with the recording, preset B with A, a port's trace or a game's frame with Kinescope's
//! solve.

pub mod kit;
pub mod pane;
pub mod picture;
pub mod report;
pub mod session;
pub mod words;
