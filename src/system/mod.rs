//! Operating system services: files, background jobs, the clock, and waking the window.

pub mod clock;
pub mod files;
pub mod fonts;
pub mod jobs;
#[cfg(target_arch = "wasm32")]
pub mod page;
pub mod recent;
pub mod signals;
pub mod site;
pub mod text;
pub mod threads;
pub mod waker;

pub const IS_PAGE: bool = cfg!(target_arch = "wasm32");
