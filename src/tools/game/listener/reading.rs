//! The thread of a connection, which reads and parses its lines.

use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use kinescope_ik::game_recording::{Line, MOST_LINE, Reader};

use super::callers::Peer;
use super::inbox::{End, Event};
use super::{CHECK_INTERVAL, Shared, Wake, hang_up, is_late};
use crate::system::clock::Instant;
use crate::tools::game::marks::cut_short;
use crate::tools::game::recorded::BYTES_OF_BONE;
use crate::tools::game::source::bytes_of;
use crate::tools::game::words as text;

/// Largest length of a stored fault, characters.
const LONGEST_FAULT: usize = 400;
/// Number of consecutive malformed lines after which the connection is closed.
const MOST_REFUSED: u32 = 200;
/// Largest number of kinds of faults in a connection that become events.
const MOST_KINDS: usize = 8;
/// Largest size of the line buffer that stays allocated between lines, bytes. Longer lines are rare.
const KEPT_BUFFER: usize = 1 << 20;
/// Silence after which Kinescope sends its greeting. An earlier greeting would lose the data of a program that sends
/// everything at once and closes without reading: the system resets connections that are closed with unread data.
const PAUSE: Duration = Duration::from_millis(5);
/// Time since connecting after which Kinescope sends the greeting even without a silence of [`PAUSE`].
const LATEST_GREETING: Duration = Duration::from_secs(1);
/// Longest time for which a program may be connected without a header.
const HEADER_TIMEOUT: Duration = Duration::from_secs(5);

pub(super) struct Connection {
    pub shared: Arc<Shared>,
    pub wake: Wake,
    pub peer: Arc<Peer>,
}

enum Chunk {
    /// No data, or part of a line.
    Part,
    /// A complete line. Only the last line of the connection may lack its line feed.
    Line {
        is_last: bool,
    },
    End(End),
}

#[derive(Default)]
struct Malformed {
    in_a_row: u32,
    /// Faults that became events, without digits: faults that differ only in numbers are of the same kind.
    kinds: Vec<String>,
}

impl Connection {
    pub fn run(&self) {
        let (stream, sender, from) = (&self.peer.stream, &self.peer.sender, self.peer.from);
        let mut has_header = false;
        let end = std::thread::scope(|scope| {
            // A separate thread sends answers, because sending may wait for the game.
            let answers = std::thread::Builder::new().name("kinescope answers".to_owned());
            match self.prepare().and_then(|()| answers.spawn_scoped(scope, || sender.run(stream))) {
                Ok(answers) => {
                    // A panic must neither close the window nor block the next caller.
                    let read = catch_unwind(AssertUnwindSafe(|| self.read_lines(&mut has_header)));
                    sender.end();
                    let _ = answers.join();
                    read.unwrap_or_else(|_| End::Refused(text::cannot_read_lines(&from)))
                }
                Err(error) => End::Refused(format!("{from}: {error}")),
            }
        });
        self.end(has_header, end);
    }

    /// Closes the connection, removes it from the callers, and reports its end to the window.
    pub fn end(&self, has_header: bool, end: End) {
        hang_up(&self.peer.stream);
        if has_header {
            self.shared.inbox().traffic.from = None;
        }
        self.shared.callers.remove(&self.peer);
        // A peer without a header was never announced to the window, so its end is reported only if Kinescope refused it.
        if has_header || matches!(end, End::Refused(_)) {
            self.put(Event::Disconnected { from: self.peer.from, end }, 0);
        }
    }

    fn prepare(&self) -> std::io::Result<()> {
        let stream = &self.peer.stream;
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(PAUSE))?;
        stream.set_write_timeout(Some(CHECK_INTERVAL))?;
        stream.set_nodelay(true)
    }

    fn has_to_end(&self) -> bool {
        self.shared.has_ended() || self.peer.is_disconnected()
    }

    /// Reads lines until the connection ends. Sets `has_header` once the header is read.
    fn read_lines(&self, has_header: &mut bool) -> End {
        let mut lines = BufReader::with_capacity(1 << 16, &self.peer.stream);
        let mut reader = Reader::new();
        let (mut line, mut malformed) = (Vec::new(), Malformed::default());
        let (called, mut is_greeted) = (Instant::now(), false);
        loop {
            let is_last = match self.read_chunk(&mut lines, &mut line, &reader, (called, &mut is_greeted)) {
                Chunk::Part => continue,
                Chunk::Line { is_last } => is_last,
                Chunk::End(end) => return end,
            };
            let read = match (std::str::from_utf8(&line), reader.header().is_some()) {
                (Ok(text), false) => self.read_header(&mut reader, text, is_last, has_header),
                (text, _) => self.read_line(&mut reader, text.ok(), is_last, &mut malformed),
            };
            match read {
                Err(end) => return end,
                Ok(()) if is_last => return End::Closed,
                Ok(()) => {}
            }
            line.clear();
            line.shrink_to(KEPT_BUFFER);
        }
    }

    /// Reads more bytes of a line. Sends the greeting once the game is silent, at the latest after [`LATEST_GREETING`].
    fn read_chunk(
        &self,
        lines: &mut BufReader<&TcpStream>,
        line: &mut Vec<u8>,
        reader: &Reader,
        (called, is_greeted): (Instant, &mut bool),
    ) -> Chunk {
        let from = self.peer.from;
        let before = line.len();
        let room = (MOST_LINE + 2).saturating_sub(before) as u64;
        let read = lines.by_ref().take(room).read_until(b'\n', line);
        self.shared.inbox().traffic.bytes += (line.len() - before) as u64;
        if self.has_to_end() {
            return Chunk::End(End::Closed);
        }
        let is_pause = read.as_ref().is_err_and(is_late) || called.elapsed() > LATEST_GREETING;
        if is_pause && !std::mem::replace(is_greeted, true) {
            self.peer.sender.greet();
            let _ = self.peer.stream.set_read_timeout(Some(CHECK_INTERVAL));
        }
        let has_end = line.ends_with(b"\n");
        if !has_end && reader.header().is_none() && called.elapsed() > HEADER_TIMEOUT {
            let seconds = HEADER_TIMEOUT.as_secs();
            return Chunk::End(End::Refused(text::header_timeout(&from, &seconds, &text::NO_HEADER)));
        }
        match read {
            Err(error) if is_late(&error) => Chunk::Part,
            Err(_) => Chunk::End(End::CutOff),
            Ok(_) if has_end => Chunk::Line { is_last: false },
            Ok(0) if room > 0 && line.is_empty() => Chunk::End(End::Closed),
            // The last line is valid without a line feed.
            Ok(0) if room > 0 => Chunk::Line { is_last: true },
            Ok(_) if line.len() < MOST_LINE + 2 => Chunk::Part,
            Ok(_) => {
                let number = reader.lines() + 1;
                let fault = text::line_too_long(&from, &number, &(MOST_LINE >> 20));
                Chunk::End(End::Refused(fault))
            }
        }
    }

    /// Reads the first line. If that takes long, the next caller is served meanwhile.
    ///
    /// # Errors
    /// How the connection ends: the line is not a header or was cut off, another game has connected, or the peer or the
    /// listener has ended the connection.
    fn read_header(&self, reader: &mut Reader, text: &str, is_last: bool, has_header: &mut bool) -> Result<(), End> {
        let from = self.peer.from;
        self.shared.callers.begin_header(&self.peer);
        self.shared.inbox().traffic.parsed += 1;
        let read = (self.shared.read_header)(reader, text);
        if self.has_to_end() {
            return Err(End::Closed);
        }
        match read {
            Ok(_) => {}
            Err(_) if is_last => return Err(End::CutOff),
            Err(fault) => {
                return Err(End::Refused(text::not_a_header(&from, &cut(&fault.to_string()), &text::NO_HEADER)));
            }
        }
        let is_taken = || self.shared.inbox().traffic.from.is_some();
        if !self.shared.callers.end_header(&self.peer, || self.has_to_end(), is_taken) {
            if !self.has_to_end() {
                self.shared.inbox().traffic.turned_away += 1;
                self.peer.sender.send_busy();
                self.wake.ring();
            }
            return Err(End::Closed);
        }
        if let Some(header) = reader.header() {
            *has_header = true;
            self.shared.inbox().traffic.from = Some(from);
            let bones: usize = header.characters.iter().map(|own| own.skeleton.len()).sum();
            let event = Event::Connected { from, header: Arc::new(header.clone()) };
            self.put(event, bones * BYTES_OF_BONE);
        }
        Ok(())
    }

    /// Reads a line after the header, or any line that is not UTF-8, for which `text` is `None`.
    ///
    /// # Errors
    /// How the connection ends: too many malformed lines, no header, or a last line that was cut off.
    fn read_line(
        &self,
        reader: &mut Reader,
        text: Option<&str>,
        is_last: bool,
        malformed: &mut Malformed,
    ) -> Result<(), End> {
        self.shared.inbox().traffic.parsed += 1;
        // Lines that are not text are passed on as empty lines, so that line numbers stay correct.
        let read = reader.read(text.unwrap_or_default()).map_err(|fault| fault.to_string());
        let read = match text {
            Some(_) => read,
            None => Err(text::line_not_text(&reader.lines())),
        };
        match read {
            Ok(Some(Line::Frame(frame))) => {
                malformed.in_a_row = 0;
                self.shared.inbox().traffic.frames += 1;
                let bytes = bytes_of(&frame);
                self.put(Event::Frame(frame), bytes);
                Ok(())
            }
            Ok(Some(Line::Mark(mark))) => {
                self.put(Event::Mark(cut_short(&mark)), 0);
                Ok(())
            }
            Ok(None) => Ok(()),
            Err(_) if is_last => Err(End::CutOff),
            Err(fault) => self.refuse_line(cut(&fault), reader.header().is_some(), malformed),
        }
    }

    fn refuse_line(&self, fault: String, has_header: bool, malformed: &mut Malformed) -> Result<(), End> {
        let from = self.peer.from;
        if !has_header {
            return Err(End::Refused(text::not_a_header(&from, &fault, &text::NO_HEADER)));
        }
        self.shared.inbox().traffic.refused += 1;
        malformed.in_a_row += 1;
        if malformed.in_a_row > MOST_REFUSED {
            let fault = text::too_many_malformed(&from, &fault, &MOST_REFUSED);
            return Err(End::Refused(fault));
        }
        let kind: String = fault.chars().filter(|letter| !letter.is_ascii_digit()).collect();
        if malformed.kinds.len() < MOST_KINDS && !malformed.kinds.contains(&kind) {
            self.put(Event::Malformed { from, fault, is_first: malformed.kinds.is_empty() }, 0);
            malformed.kinds.push(kind);
        }
        Ok(())
    }

    fn put(&self, event: Event, bytes: usize) {
        let was_empty = self.shared.inbox().put(event, bytes);
        if was_empty {
            self.wake.ring();
        }
    }
}

/// Cuts a fault to the stored length.
fn cut(fault: &str) -> String {
    fault.chars().take(LONGEST_FAULT).collect()
}
