//! The program around the library `kinescope_ik`. Only the program itself and its tests use this crate.
//!
//! [`shell`] runs the window and [`cli`] the command line. [`session`] is the state that both act on, around the
//! [`world`] that is solved. [`ui`] and [`picture`] have the widgets and the drawing that every tool uses. Each folder
//! of [`tools`] has one tool: its state, its actions on the session, its pane and its part of the picture. Everything
//! but [`shell`] and the drawing in 3D is made of functions of plain input and state, which need no window.

pub mod character;
#[cfg(not(target_arch = "wasm32"))]
pub mod cli;
pub mod picture;
pub mod scenes;
pub mod session;
pub mod shell;
pub mod system;
pub mod tools;
pub mod ui;
pub mod world;
