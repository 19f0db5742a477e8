//! The program around the library `kinescope_ik`: document, commands, timeline, camera, panels, drawing. Its tests are its
//! only other user.
//!
//! Everything here but [`window`] and [`render`] works without a window: functions of plain input and state.

pub mod autosave;
mod body;
pub mod body_mesh;
pub mod camera;
pub mod capsule;
pub mod capture;
pub mod chains;
pub mod character;
pub mod clip_player;
mod clock;
pub mod commands;
pub mod compare;
pub mod crowd;
pub mod csv;
pub mod debugger;
pub mod doctor;
pub mod document;
pub mod export;
pub mod files;
pub mod fonts;
pub mod game;
pub mod gizmo;
pub mod handles;
pub mod headless;
pub mod inspect;
pub mod jobs;
pub mod layout;
pub mod motion;
pub mod navigation;
pub mod palette;
pub mod panels;
pub mod picking;
pub mod posing;
pub mod preset_model;
pub mod render;
pub mod scenes;
pub mod session;
pub mod shortcuts;
pub mod table;
pub mod theme;
#[cfg(target_os = "linux")]
mod waker;
pub mod window;
pub mod words;
