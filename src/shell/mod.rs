//! The window: input, drawing, screenshots, and saving unsaved work.

pub mod autosave;
pub mod capture;
pub mod window;
