//! The tools of the window, most in a folder of their own: `mod.rs` has the state, `session.rs` the actions on the
//! session, `pane.rs` the controls and `picture.rs` the drawing.

pub(crate) mod body;
pub mod body_lab;
pub mod capsule;
pub mod chains;
pub mod compare;
pub mod crowd;
pub mod doctor;
pub mod export;
pub(crate) mod finder;
pub mod game;
pub mod ground;
pub mod jerk;
pub mod learn;
pub mod modifiers;
pub mod motion;
pub mod pose;
pub(crate) mod reach;
pub(crate) mod share;
pub mod steps;
pub mod sweep;
pub mod trackers;
pub(crate) mod words;
