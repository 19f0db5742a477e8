//! The program in a browser has no WebSockets of games, because a page cannot listen.

use super::inbox::End;
use super::reading::{Connection, Progress};
use super::sender::Framing;
use crate::system::clock::Instant;

impl Connection {
    pub(super) fn read_web_socket(&self, _: &mut Progress, _: Instant) -> End {
        self.peer.sender.set_framing(Framing::Handshake);
        End::Closed
    }
}
