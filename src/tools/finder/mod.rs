//! Break conditions, and pops on the tape.

pub mod pane;
pub mod session;
pub mod words;
