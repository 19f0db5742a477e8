//! Comparing two results: a what-if with the recording, preset B with A, a port's trace or a game's frame with Kinescope's
//! solve.

pub mod kit;
pub(crate) mod pane;
pub(crate) mod picture;
pub(crate) mod port;
pub mod report;
pub mod session;
pub(crate) mod words;
