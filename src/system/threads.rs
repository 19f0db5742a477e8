//! Threads. A page in a browser has only one, so `spawn` fails there, and background jobs run in slices between frames.

use std::thread::JoinHandle;
use std::time::Duration;

pub(crate) const HAS_THREADS: bool = !super::IS_PAGE;

pub(crate) fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, String> {
    spawn_boxed(name, Box::new(run))
}

/// Spawns work behind a pointer: the standard library's code for threads is long, and is compiled for each type of work.
fn spawn_boxed(name: &str, run: Box<dyn FnOnce() + Send>) -> Result<JoinHandle<()>, String> {
    std::thread::Builder::new().name(name.to_owned()).spawn(run).map_err(|error| error.to_string())
}

/// Blocks the thread for a time. Returns at once on a page, which must not block.
pub(crate) fn sleep(time: Duration) {
    if HAS_THREADS {
        std::thread::sleep(time);
    }
}
