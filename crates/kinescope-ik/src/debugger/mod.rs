//! Debugging tools that work on solved frames and recordings.
//!
//! They do not draw and need no clock. The Kinescope program uses them; a game's own tools can too.
//!
//! | question | answer |
//! |---|---|
//! | what moved a point, and by how much? | [`attribution::attribute`] |
//! | why is a hand not on its target, and what would help? | [`why`] |
//! | in which step does a joint flip or an error rise? | [`breaks::check`] |
//! | where does a joint jerk? | [`pops`] |
//! | how far does a planted foot slide? | [`slide`] |
//! | which value of a parameter is best? | [`sweep::run_sweep`], [`sweep::sensitivities`] |
//! | what can a hand or foot reach? | [`reach_volume`] |
//! | what are the results of many variants of a frame? | [`variants::solve_variants`] |
//! | what differs between two stacks of settings? | [`fields::changes`] |
//! | how would a change affect the whole recording? | [`again::solve_again`] |
//! | how far are elbows, knees and chest off when a clip is solved from trackers, and why? | [`tracker_errors`] |
//! | where do two lanes of the full-body lab differ? | [`divergence::find_divergence`] |
//! | what happened a few seconds ago? | [`tape::Tape`] |
//!
//! Work that takes seconds reports its progress and can be cancelled. Programs without threads run it in
//! [slices](crate::slices).

pub mod again;
pub mod attribution;
pub mod breaks;
pub mod divergence;
#[cfg(feature = "json")]
pub mod fields;
pub mod pops;
pub mod reach_volume;
pub mod slide;
pub mod sweep;
pub mod tape;
pub mod tracker_errors;
pub mod variants;
pub mod why;
