//! The window: input, drawing, screenshots, and autosave.

pub mod capture;
pub mod window;
