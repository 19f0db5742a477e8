//! Break conditions, and pops on the tape.

pub(crate) mod pane;
pub(crate) mod session;
pub(crate) mod words;
