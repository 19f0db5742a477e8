pub mod capture;
pub mod panes;
pub mod picture;
pub mod window;
mod words;
