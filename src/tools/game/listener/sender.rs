//! Sends lines to a peer from a thread of its own, which may wait for the peer.

use std::collections::BTreeMap;
use std::io::Write;
use std::net::TcpStream;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use kinescope_ik::link::BUSY;

use super::is_late;

#[derive(Debug, Default)]
struct Outbox {
    greets: bool,
    /// The newest unsent line for each character.
    lines: BTreeMap<String, String>,
    /// Whether the last line says that another game is connected.
    is_busy: bool,
    ends: bool,
}

#[derive(Debug, Default)]
pub(super) struct LineSender {
    outbox: Mutex<Outbox>,
    changed: Condvar,
}

impl LineSender {
    fn lock(&self) -> MutexGuard<'_, Outbox> {
        self.outbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues the greeting: the line that tells the peer that Kinescope listens.
    pub fn greet(&self) {
        self.lock().greets = true;
        self.changed.notify_one();
    }

    /// Queues a line about a character. It replaces an unsent line about the same character.
    pub fn send(&self, character: &str, line: String) {
        self.lock().lines.insert(character.to_owned(), line);
        self.changed.notify_one();
    }

    /// Queues [`BUSY`] as the last line. Does not wake the thread, because the caller then calls [`Self::end`], which does.
    pub fn send_busy(&self) {
        self.lock().is_busy = true;
    }

    pub fn end(&self) {
        self.lock().ends = true;
        self.changed.notify_one();
    }

    /// Waits until something is queued, sends the greeting, then lines until [`Self::end`] or until the game disconnects.
    pub fn run(&self, mut stream: &TcpStream) {
        let is_silent = |outbox: &mut Outbox| !outbox.greets && !outbox.ends && outbox.lines.is_empty();
        drop(self.changed.wait_while(self.lock(), is_silent).unwrap_or_else(PoisonError::into_inner));
        let mut line = "{\"kinescope\":1}\n".to_owned();
        loop {
            // If the game does not read for a while, the rest of the line is sent later.
            let mut rest = line.as_bytes();
            while !rest.is_empty() {
                match stream.write(rest) {
                    Ok(count) => rest = &rest[count..],
                    Err(error) if is_late(&error) && !self.lock().ends => {}
                    Err(_) => return,
                }
            }
            let mut outbox = self.lock();
            line = loop {
                if std::mem::take(&mut outbox.is_busy) {
                    break BUSY.to_owned();
                }
                if outbox.ends {
                    return;
                }
                match outbox.lines.pop_first() {
                    Some((_, line)) => break line,
                    None => outbox = self.changed.wait(outbox).unwrap_or_else(PoisonError::into_inner),
                }
            };
        }
    }
}
