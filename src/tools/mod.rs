//! The tools of the window, a folder each: `mod.rs` has the state, `session.rs` the actions on the session, `pane.rs` the
//! controls and `picture.rs` the drawing.

pub mod body;
pub mod capsule;
pub mod chains;
pub mod compare;
pub mod crowd;
pub mod doctor;
pub mod export;
pub mod finder;
pub mod game;
pub mod ground;
pub mod learn;
pub mod modifiers;
pub mod motion;
pub mod pose;
pub mod reach;
pub mod share;
pub mod steps;
pub mod sweep;
pub mod words;
