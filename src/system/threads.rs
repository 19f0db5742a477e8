//! Threads. A page in a browser has only one, so `spawn` fails there, and background jobs run in slices between frames.

use std::time::Duration;

pub(crate) const HAS_THREADS: bool = !super::IS_PAGE;

pub(crate) fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> Result<std::thread::JoinHandle<()>, String> {
    std::thread::Builder::new().name(name.to_owned()).spawn(run).map_err(|error| error.to_string())
}

/// Blocks the thread for a time. Returns at once on a page, which must not block.
pub(crate) fn sleep(time: Duration) {
    if HAS_THREADS {
        std::thread::sleep(time);
    }
}
