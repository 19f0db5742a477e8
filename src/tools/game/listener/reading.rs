//! The thread of a connection, which reads and parses its lines.

use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use kinescope_ik::error::Fault;
use kinescope_ik::game_recording::{Line, MOST_LINE, Reader, Refusal};

use super::callers::Peer;
use super::inbox::{End, Event};
use super::solver_lines;
use super::solvers::Solver;
use super::{CHECK_INTERVAL, Shared, Wake, hang_up, is_late};
use crate::system::clock::Instant;
use crate::system::threads;
use crate::tools::game::marks::cut_short;
use crate::tools::game::recorded::BYTES_OF_BONE;
use crate::tools::game::source::bytes_of;
use crate::tools::game::words as text;

/// Largest length of a stored fault, characters.
const LONGEST_FAULT: usize = 400;
/// Largest number of malformed lines without a frame, or an answer of a solver, between them. One more closes the
/// connection.
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
const HEADER_TIMEOUT: Duration = Duration::from_secs(5);
/// Longest time for which data of a refused peer is still read.
const LONGEST_DRAIN: Duration = Duration::from_secs(1);
/// Number of bytes that distinguish HTTP requests from lines.
const METHOD: usize = 4;

/// Returns whether a connection that begins with these bytes speaks HTTP, as browsers do: a request begins with a word in
/// capital letters, such as GET. `None` if there are too few bytes. A header of a recording begins with a brace.
fn is_http(first: &[u8]) -> Option<bool> {
    let is_word = first.iter().all(|letter| letter.is_ascii_uppercase() || *letter == b' ') && !first.starts_with(b" ");
    match is_word {
        true if first.len() < METHOD => None,
        is_word => Some(is_word),
    }
}

pub(super) struct Connection {
    pub(crate) shared: Arc<Shared>,
    pub(crate) wake: Wake,
    pub(crate) peer: Arc<Peer>,
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
#[derive(Default)]
pub(super) struct Progress {
    pub(crate) reader: Reader,
    malformed: Malformed,
    /// Whether the window knows the header.
    pub(crate) has_header: bool,
    solver: Option<Arc<Solver>>,
    solver_lines: u64,
}

impl Progress {
    pub(super) fn has_any_header(&self) -> bool {
        self.reader.header().is_some() || self.solver.is_some()
    }

    pub(super) fn lines(&self) -> u64 {
        self.reader.lines() + self.solver_lines
    }
}

/// Code with which a WebSocket is closed: RFC 6455, section 7.4.1.
const CLOSE_NORMALLY: u16 = 1000;
const CLOSE_REFUSED: u16 = 1008;

impl Connection {
    pub(crate) fn run(&self) {
        let (stream, sender, from) = (&self.peer.stream, &self.peer.sender, self.peer.from);
        let mut progress = Progress::default();
        let end = std::thread::scope(|scope| {
            // A separate thread sends answers, because sending may wait for the game.
            let answers = std::thread::Builder::new().name("kinescope answers".to_owned());
            match self.prepare().and_then(|()| answers.spawn_scoped(scope, || sender.run(stream))) {
                Ok(answers) => {
                    // After a panic the next caller must still be answered.
                    let read = catch_unwind(AssertUnwindSafe(|| self.read(&mut progress)));
                    let end = read.unwrap_or_else(|_| End::Refused(text::cannot_read_lines(&from)));
                    sender.end(match &end {
                        End::Closed if !self.has_to_end() => None,
                        End::Closed | End::CutOff => Some(CLOSE_NORMALLY),
                        End::Refused(_) => Some(CLOSE_REFUSED),
                    });
                    let _ = answers.join();
                    end
                }
                Err(error) => End::Refused(format!("{from}: {error}")),
            }
        });
        if let Some(solver) = progress.solver.take() {
            self.shared.solvers.remove(&solver);
            self.wake.ring();
        }
        self.end(progress.has_header, end);
    }

    pub(crate) fn end(&self, has_header: bool, end: End) {
        let is_refused = matches!(end, End::Refused(_));
        if !is_refused {
            hang_up(&self.peer.stream);
        }
        if has_header {
            self.shared.inbox().traffic.from = None;
        }
        self.shared.callers.remove(&self.peer);
        // A peer without a header was never announced to the window, so its end is reported only if Kinescope refused it.
        if has_header || is_refused {
            self.put(Event::Disconnected { from: self.peer.from, end }, 0);
        }
        if is_refused {
            self.drain();
            hang_up(&self.peer.stream);
        }
    }

    /// Reads and drops what the peer still sends, for a limited time. The system would discard the answer to a refused line
    /// if the connection were closed with unread data.
    fn drain(&self) {
        let (mut stream, since) = (&self.peer.stream, Instant::now());
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let _ = stream.set_read_timeout(Some(CHECK_INTERVAL));
        let mut piece = vec![0; 1 << 16];
        while since.elapsed() < LONGEST_DRAIN && !self.has_to_end() {
            match stream.read(&mut piece) {
                Ok(0) => return,
                Ok(_) => {}
                Err(error) if is_late(&error) => {}
                Err(_) => return,
            }
        }
    }

    fn prepare(&self) -> std::io::Result<()> {
        let stream = &self.peer.stream;
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(CHECK_INTERVAL))?;
        stream.set_write_timeout(Some(CHECK_INTERVAL))?;
        stream.set_nodelay(true)
    }

    pub(super) fn has_to_end(&self) -> bool {
        self.shared.has_ended() || self.peer.is_disconnected()
    }

    fn read(&self, progress: &mut Progress) -> End {
        // The time for the header begins here, so that a peer that never sends anything does not keep the next caller
        // waiting.
        self.shared.callers.begin_header(&self.peer);
        let called = Instant::now();
        let mut first = [0; METHOD];
        let is_http = loop {
            let count = match self.peer.stream.peek(&mut first) {
                Err(error) if is_late(&error) => 0,
                Err(_) | Ok(0) => break false,
                Ok(count) => count,
            };
            if let Some(end) = self.end_if_overdue(called, false) {
                return end;
            }
            match is_http(&first[..count]) {
                Some(is_http) => break is_http,
                // The rest of the first word comes later.
                None if count > 0 => threads::sleep(PAUSE),
                None => {}
            }
        };
        match is_http {
            true => self.read_web_socket(progress, called),
            false => self.read_lines(progress, called),
        }
    }

    /// Returns how the connection ends if it has to end, or if its header is late, which is answered with a refusal.
    pub(super) fn end_if_overdue(&self, called: Instant, has_header: bool) -> Option<End> {
        if self.has_to_end() {
            return Some(End::Closed);
        }
        if has_header || called.elapsed() <= HEADER_TIMEOUT {
            return None;
        }
        let seconds = HEADER_TIMEOUT.as_secs();
        self.refuse(1, &Fault::new("", text::no_header_in_time(&seconds)));
        Some(End::Refused(text::header_timeout(&self.peer.from, &seconds, &text::NO_HEADER)))
    }

    fn read_lines(&self, progress: &mut Progress, called: Instant) -> End {
        // A short timeout finds the first pause, in which the greeting is sent.
        let _ = self.peer.stream.set_read_timeout(Some(PAUSE));
        let mut lines = BufReader::with_capacity(1 << 16, &self.peer.stream);
        let (mut line, mut is_greeted) = (Vec::new(), false);
        loop {
            let is_last = match self.read_chunk(&mut lines, &mut line, progress, (called, &mut is_greeted)) {
                Chunk::Part => continue,
                Chunk::Line { is_last } => is_last,
                Chunk::End(end) => return end,
            };
            match self.take_line(progress, std::str::from_utf8(&line).ok(), is_last) {
                Err(end) => return end,
                Ok(()) if is_last => return End::Closed,
                Ok(()) => {}
            }
            line.clear();
            line.shrink_to(KEPT_BUFFER);
        }
    }

    /// `text` is `None` if the line is not UTF-8. The error says how the connection ends.
    pub(super) fn take_line(&self, progress: &mut Progress, text: Option<&str>, is_last: bool) -> Result<(), End> {
        match text {
            text if progress.solver.is_some() => self.read_answer(progress, text, is_last),
            Some(text) if progress.reader.header().is_none() && solver_lines::is_header(text.as_bytes()) => {
                self.read_solver(progress, text)
            }
            Some(text) if progress.reader.header().is_none() => self.read_header(progress, text, is_last),
            text => self.read_line(progress, text, is_last),
        }
    }

    /// Reads the header of a solver. Only one of the callers is served at a time, so the peer leaves them: several solvers may
    /// be connected at once, besides the game.
    fn read_solver(&self, progress: &mut Progress, text: &str) -> Result<(), End> {
        self.shared.callers.remove(&self.peer);
        self.shared.inbox().traffic.parsed += 1;
        progress.solver_lines = 1;
        match solver_lines::read_header(text).and_then(|name| self.shared.solvers.add(name, &self.peer)) {
            Ok(solver) => {
                progress.solver = Some(solver);
                self.wake.ring();
                Ok(())
            }
            Err(fault) => {
                self.refuse(1, &fault);
                Err(End::Refused(text::solver_refused(&self.peer.from, &cut(&fault.to_string()))))
            }
        }
    }

    fn read_answer(&self, progress: &mut Progress, text: Option<&str>, is_last: bool) -> Result<(), End> {
        let Progress { solver, solver_lines, malformed, .. } = progress;
        let Some(solver) = solver else { return Ok(()) };
        self.shared.inbox().traffic.parsed += 1;
        *solver_lines += 1;
        let taken = match text.map(str::trim) {
            Some("") => return Ok(()),
            Some(text) => solver.take_line(text),
            None => Err(Fault::new("", text::LINE_NOT_TEXT)),
        };
        match taken {
            Ok(()) => {
                malformed.in_a_row = 0;
                self.wake.ring();
                Ok(())
            }
            Err(_) if is_last => Err(End::CutOff),
            Err(fault) => {
                self.refuse(*solver_lines, &fault);
                let apart = if fault.place.is_empty() { "" } else { ", " };
                let place = format!("{}{apart}{}", text::line(solver_lines), fault.place);
                self.refuse_line(cut(&Fault { place, ..fault }.to_string()), true, malformed)
            }
        }
    }

    pub(super) fn refuse(&self, line: u64, fault: &Fault) {
        let mut refusal = Refusal::new(line, fault);
        refusal.message = cut(&refusal.message);
        self.peer.sender.refuse(&refusal);
    }

    pub(super) fn refuse_long_line(&self, number: u64) -> End {
        let mib = MOST_LINE >> 20;
        self.refuse(number, &Fault::new("", text::is_long_line(&mib)));
        End::Refused(text::line_too_long(&self.peer.from, &number, &mib))
    }

    /// Reads more bytes of a line. Sends the greeting once the game is silent, at the latest after [`LATEST_GREETING`].
    fn read_chunk(
        &self,
        lines: &mut BufReader<&TcpStream>,
        line: &mut Vec<u8>,
        progress: &Progress,
        (called, is_greeted): (Instant, &mut bool),
    ) -> Chunk {
        let before = line.len();
        let room = (MOST_LINE + 2).saturating_sub(before) as u64;
        let read = lines.by_ref().take(room).read_until(b'\n', line);
        self.shared.inbox().traffic.bytes += (line.len() - before) as u64;
        let is_pause = read.as_ref().is_err_and(is_late) || called.elapsed() > LATEST_GREETING;
        if is_pause && !std::mem::replace(is_greeted, true) {
            self.peer.sender.greet();
            let _ = self.peer.stream.set_read_timeout(Some(CHECK_INTERVAL));
        }
        let has_end = line.ends_with(b"\n");
        if let Some(end) = self.end_if_overdue(called, has_end || progress.has_any_header()) {
            return Chunk::End(end);
        }
        match read {
            Err(error) if is_late(&error) => Chunk::Part,
            Err(_) => Chunk::End(End::CutOff),
            Ok(_) if has_end => Chunk::Line { is_last: false },
            Ok(0) if room > 0 && line.is_empty() => Chunk::End(End::Closed),
            // The last line is valid without a line feed.
            Ok(0) if room > 0 => Chunk::Line { is_last: true },
            Ok(_) if line.len() < MOST_LINE + 2 => Chunk::Part,
            Ok(_) => Chunk::End(self.refuse_long_line(progress.lines() + 1)),
        }
    }

    /// Reads the first line. If that takes long, the next caller is served meanwhile.
    fn read_header(&self, progress: &mut Progress, text: &str, is_last: bool) -> Result<(), End> {
        let from = self.peer.from;
        self.shared.callers.begin_header(&self.peer);
        self.shared.inbox().traffic.parsed += 1;
        let read = (self.shared.read_header)(&mut progress.reader, text);
        if self.has_to_end() {
            return Err(End::Closed);
        }
        match read {
            Ok(_) => {}
            Err(_) if is_last => return Err(End::CutOff),
            Err(fault) => {
                self.refuse(1, &fault);
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
        if let Some(header) = progress.reader.header() {
            progress.has_header = true;
            self.shared.inbox().traffic.from = Some(from);
            let bones: usize = header.characters.iter().map(|own| own.skeleton.len()).sum();
            let event = Event::Connected { from, header: Arc::new(header.clone()) };
            self.put(event, bones * BYTES_OF_BONE);
        }
        Ok(())
    }

    /// Reads a line after the header, or any line that is not UTF-8, for which `text` is `None`.
    fn read_line(&self, progress: &mut Progress, text: Option<&str>, is_last: bool) -> Result<(), End> {
        self.shared.inbox().traffic.parsed += 1;
        let Progress { reader, malformed, .. } = progress;
        // Lines that are not text are passed on as empty lines, so that line numbers stay correct.
        let read = reader.read(text.unwrap_or_default());
        let read = match text {
            Some(_) => read,
            None => Err(Fault::new(text::line(&reader.lines()), text::LINE_NOT_TEXT)),
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
            Ok(Some(Line::Join(index))) => {
                if let Some(character) = reader.character(index) {
                    let bytes = character.skeleton.len() * BYTES_OF_BONE;
                    self.put(Event::Joined { index, character: character.clone() }, bytes);
                }
                self.check_overrun()
            }
            Ok(Some(Line::Leave(index))) => {
                self.put(Event::Left { index }, 0);
                self.check_overrun()
            }
            Ok(None) => Ok(()),
            Err(_) if is_last => Err(End::CutOff),
            Err(fault) => {
                self.refuse(reader.lines(), &fault);
                self.refuse_line(cut(&fault.to_string()), reader.header().is_some(), malformed)
            }
        }
    }

    fn check_overrun(&self) -> Result<(), End> {
        match self.shared.inbox().take_overrun() {
            true => Err(End::Refused(text::too_many_joins(&self.peer.from))),
            false => Ok(()),
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

fn cut(fault: &str) -> String {
    fault.chars().take(LONGEST_FAULT).collect()
}
