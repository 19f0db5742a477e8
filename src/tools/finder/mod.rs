//! Break conditions, pops on the tape, and solving the tape again.

pub(crate) mod pane;
pub(crate) mod session;
pub(crate) mod words;
