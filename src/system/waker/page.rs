//! Wakes the window in a page by asking the browser for the next frame.

use std::time::Duration;

use crate::system::page;

pub(crate) struct Waker;

impl Waker {
    pub(crate) fn start(_: &'static str) -> Option<Self> {
        Some(Self)
    }

    pub(crate) fn bell(&self) -> impl Fn() + Send + Sync + 'static {
        || page::draw_after(Duration::ZERO)
    }

    /// Reports that the window waits from now on, and must draw again after `delay`, if there is one.
    pub(crate) fn waits(&self, delay: Option<Duration>) {
        if let Some(delay) = delay {
            page::draw_after(delay);
        }
    }
}
