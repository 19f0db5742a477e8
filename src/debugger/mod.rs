//! What a debugger knows of a solve beyond its states: pure functions of recordings.
//!
//! Nothing in here runs by itself, draws or keeps time. The window is one user; a game's own tools can be another.

pub mod attribution;
pub mod breaks;
pub mod fields;
pub mod parameters;
pub mod pops;
pub mod reach_volume;
pub mod slide;
pub mod sweep;
pub mod tape;
pub mod why;
