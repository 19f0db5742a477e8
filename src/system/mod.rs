//! Operating system services: files, background jobs, the clock, and waking the window.

pub mod clock;
pub mod files;
pub mod jobs;
pub mod recent;
pub mod text;
#[cfg(target_os = "linux")]
pub mod waker;
