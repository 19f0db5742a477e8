//! The window: input, panes around the picture, drawing, screenshots, and autosave.

pub mod capture;
pub mod panes;
pub mod picture;
pub mod window;
mod words;
