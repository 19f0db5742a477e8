//! Breaks, and pops in the tape.

pub mod pane;
pub mod session;
