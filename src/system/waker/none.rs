//! The waker of systems on which nothing can wake the window. There the window draws for a while after the last input.

use std::time::Duration;

pub(crate) enum Waker {}

impl Waker {
    pub(crate) fn start(_: &'static str) -> Option<Self> {
        None
    }

    pub(crate) fn bell(&self) -> impl Fn() + Send + Sync + 'static {
        match *self {}
        #[expect(unreachable_code, reason = "gives the type")]
        || ()
    }

    pub(crate) fn waits(&self, _: Option<Duration>) {
        match *self {}
    }
}
