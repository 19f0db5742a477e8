//! The waker of systems on which nothing can wake the window. There the window draws for a while after the last input.

use std::time::Duration;

/// This type has no values, because these systems have no waker.
pub enum Waker {}

impl Waker {
    pub fn start(_: &'static str) -> Option<Self> {
        None
    }

    pub fn bell(&self) -> impl Fn() + Send + Sync + 'static {
        match *self {}
        #[expect(unreachable_code, reason = "gives the type")]
        || ()
    }

    pub fn waits(&self, _: Option<Duration>) {
        match *self {}
    }
}
