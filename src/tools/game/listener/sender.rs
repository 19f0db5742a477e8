//! Sends lines to a peer from a thread of its own, which may wait for the peer.

use std::collections::{BTreeMap, VecDeque};
use std::io::Write;
use std::net::TcpStream;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use kinescope_ik::game_recording::Refusal;
use kinescope_ik::link::BUSY;

use super::is_late;

pub const GREETING: &str = "{\"kinescope\":1}\n";
/// Largest number of waiting answers to refused lines. A peer that does not read gets no more.
pub const MOST_REFUSALS: usize = 256;
/// Kinds of WebSocket messages: RFC 6455, section 5.2, with the bit that marks the last frame of a message.
const TEXT: u8 = 0x81;
const CLOSE: u8 = 0x88;

/// Returns a message of a WebSocket, from its kind and its content.
type Framing = fn(u8, &[u8]) -> Vec<u8>;

#[derive(Debug, Default)]
pub struct Outbox {
    /// `None` sends lines as they are.
    pub(crate) frame: Option<Framing>,
    /// Whether only `raw` is sent, because a WebSocket is not open yet.
    pub(crate) is_held: bool,
    /// Data of the WebSocket protocol.
    pub(crate) raw: Vec<u8>,
    greets: bool,
    has_greeted: bool,
    refusals: VecDeque<String>,
    /// The newest unsent line for each key: the name of a character, or the kind of a line to a solver.
    lines: BTreeMap<String, String>,
    is_busy: bool,
    /// `Some` if the connection ends once everything except `lines` is sent. The inner value is the code with which a
    /// WebSocket is closed, or `None` if it is already closed.
    ends: Option<Option<u16>>,
}

impl Outbox {
    pub fn take_next(&mut self) -> Option<Vec<u8>> {
        if !self.raw.is_empty() {
            return Some(std::mem::take(&mut self.raw));
        }
        if self.is_held {
            return None;
        }
        let line = if !self.has_greeted {
            // Answers to refused lines wait for the greeting.
            self.has_greeted = self.greets || self.ends.is_some() || !self.lines.is_empty();
            self.has_greeted.then(|| GREETING.to_owned())
        } else if !self.refusals.is_empty() {
            self.refusals.pop_front()
        } else if std::mem::take(&mut self.is_busy) {
            Some(BUSY.to_owned())
        } else if self.ends.is_some() {
            None
        } else {
            self.lines.pop_first().map(|(_, line)| line)
        };
        match (line, self.frame) {
            (Some(line), None) => Some(line.into_bytes()),
            (Some(line), Some(frame)) => Some(frame(TEXT, line.trim_end().as_bytes())),
            (None, None) => None,
            (None, Some(frame)) => Some(frame(CLOSE, &self.ends.as_mut()?.take()?.to_be_bytes())),
        }
    }
}

#[derive(Debug, Default)]
pub struct LineSender {
    outbox: Mutex<Outbox>,
    pub(crate) changed: Condvar,
}

impl LineSender {
    pub fn lock(&self) -> MutexGuard<'_, Outbox> {
        self.outbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn greet(&self) {
        self.lock().greets = true;
        self.changed.notify_one();
    }

    /// Queues the answer to a refused line, unless [`MOST_REFUSALS`] answers wait. It is sent after the greeting.
    pub fn refuse(&self, refusal: &Refusal) {
        let mut outbox = self.lock();
        if outbox.refusals.len() < MOST_REFUSALS {
            outbox.refusals.push_back(refusal.to_line());
            self.changed.notify_one();
        }
    }

    /// The line replaces an unsent line with the same key: see [`Outbox::lines`].
    pub fn send(&self, character: &str, line: String) {
        self.lock().lines.insert(character.to_owned(), line);
        self.changed.notify_one();
    }

    pub(crate) fn forget(&self, character: &str) {
        self.lock().lines.remove(character);
    }

    /// Queues [`BUSY`] as the last line. Does not wake the thread, because the caller then calls [`Self::end`], which does.
    pub fn send_busy(&self) {
        self.lock().is_busy = true;
    }

    /// Ends the sending thread once it has sent everything except [`Outbox::lines`]. `close` is the code that closes a
    /// WebSocket, or `None` if the peer has closed it.
    pub fn end(&self, close: Option<u16>) {
        self.lock().ends = Some(close);
        self.changed.notify_one();
    }

    pub(crate) fn run(&self, mut stream: &TcpStream) {
        loop {
            let bytes = {
                let mut outbox = self.lock();
                loop {
                    match outbox.take_next() {
                        Some(bytes) => break bytes,
                        None if outbox.ends.is_some() => return,
                        None => outbox = self.changed.wait(outbox).unwrap_or_else(PoisonError::into_inner),
                    }
                }
            };
            // If the game does not read for a while, the rest is sent later.
            let mut rest = bytes.as_slice();
            while !rest.is_empty() {
                match stream.write(rest) {
                    Ok(count) => rest = &rest[count..],
                    Err(error) if is_late(&error) && self.lock().ends.is_none() => {}
                    Err(_) => return,
                }
            }
        }
    }
}
