//! What a debugger knows of a solve beyond its states: pure functions of recordings.
//!
//! Nothing in here runs by itself, draws or keeps time. The window is one user; a game's own tools can be another.
//!
//! | question | answer |
//! |---|---|
//! | what moved this point, and how far? | [`attribution::attribute`] |
//! | why is a hand not on its target, and what would help? | [`why`] |
//! | when does a joint flip or an error rise? | [`breaks::check`] |
//! | where does a joint jerk? | [`pops`] |
//! | how far does a standing foot slide? | [`slide`] |
//! | which value of a parameter is best? | [`sweep::run_sweep`], [`sweep::sensitivities`] |
//! | what can a hand or foot reach? | [`reach_volume`] |
//! | how do many variants of a frame end? | [`variants::solve_variants`] |
//! | what differs between two stacks of settings? | [`fields::changes`] |
//! | what would a change have made of the whole recording? | [`again::solve_again`] |
//! | what happened some seconds ago? | [`tape::Tape`] |

pub mod again;
pub mod attribution;
pub mod breaks;
#[cfg(feature = "json")]
pub mod fields;
pub mod pops;
pub mod reach_volume;
pub mod slide;
pub mod sweep;
pub mod tape;
pub mod variants;
pub mod why;
