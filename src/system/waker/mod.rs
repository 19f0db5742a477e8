//! Wakes the window when it waits for an event although it should draw.

#[cfg(not(any(target_os = "linux", target_arch = "wasm32")))]
mod none;
#[cfg(target_arch = "wasm32")]
mod page;
#[cfg(target_os = "linux")]
mod x11;

#[cfg(not(any(target_os = "linux", target_arch = "wasm32")))]
pub(crate) use none::Waker;
#[cfg(target_arch = "wasm32")]
pub(crate) use page::Waker;
#[cfg(target_os = "linux")]
pub(crate) use x11::Waker;
