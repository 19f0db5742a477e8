//! The program in a browser has no WebSockets of games, because a page cannot listen.

use super::inbox::End;
use super::reading::{Connection, Progress};
use crate::system::clock::Instant;

impl Connection {
    pub(super) fn read_web_socket(&self, _: &mut Progress, _: Instant) -> End {
        End::Closed
    }
}
