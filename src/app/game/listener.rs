//! Hears running games: one at a time, over TCP, in lines of a recording.
//!
//! A thread of its own takes whatever comes as fast as it comes, so that a window that is slow, or waits, holds no game up.
//! What the window has not taken is bounded; of more, the oldest frames are dropped, and counted.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::{BYTES_OF_BONE, MOST_MARKS, bytes_of, cut_short};
use crate::full_body::Settings;
use crate::game_recording::{GameFrame, Header, Line, MOST_LINE, Mark, Reader};
use crate::link::BUSY;

/// Bytes of frames that wait for the window.
const MOST_WAITING: usize = 64 << 20;
/// Other news that wait for it.
const MOST_NEWS: usize = 2 * MOST_MARKS;
/// Letters that are kept of what is wrong with a line.
const LONGEST_FAULT: usize = 400;
/// Lines in a row that do not read, after which nothing more is expected of a program.
const MOST_REFUSED: u32 = 200;
/// Kinds of lines that do not read of which it is told.
const MOST_KINDS: usize = 8;
/// How often a silent connection is looked at whether it is still wanted.
const LOOKS: Duration = Duration::from_millis(100);
/// How long nothing may come before Kinescope says that it is there. Whoever sends all there is in one go, and hangs up without
/// reading, would lose what is still on the way: the system cuts off a connection that is closed with something unread in it.
const PAUSE: Duration = Duration::from_millis(5);
/// It is not said later than that.
const GREETS: Duration = Duration::from_secs(1);
/// How long a program that called may take to say who it is.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often it is looked whether somebody calls.
const CALLS: Duration = Duration::from_millis(10);
/// How long a program that calls while a game is connected waits for that one to go.
const WAITS: Duration = Duration::from_secs(1);
/// Programs that may wait.
const MOST_CALLS: usize = 16;

/// Has the window look at what has come, once there is a window.
#[derive(Clone, Default)]
pub struct Wake(Arc<OnceLock<Bell>>);

type Bell = Box<dyn Fn() + Send + Sync>;

impl Wake {
    /// From now on; once.
    pub fn set(&self, bell: impl Fn() + Send + Sync + 'static) {
        let _ = self.0.set(Box::new(bell));
    }

    /// Whether the window hears.
    pub fn is_set(&self) -> bool {
        self.0.get().is_some()
    }

    pub fn ring(&self) {
        if let Some(bell) = self.0.get() {
            bell();
        }
    }
}

/// What a running game did.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// It called and said who it is.
    Joined {
        from: SocketAddr,
        header: Arc<Header>,
    },
    Frame(Box<GameFrame>),
    Mark(Mark),
    /// A line that does not read, with line and field; the first of its kind in a connection.
    Refused {
        from: SocketAddr,
        fault: String,
        /// The first of any kind.
        is_first: bool,
    },
    Left {
        from: SocketAddr,
        end: End,
    },
}

/// How a connection ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The game hung up, or was sent away.
    Closed,
    /// In the middle of a line, or of what the game had to say: it crashed, or hung up without having read what it was told.
    CutOff,
    /// It was ended from here, as what came was of no use, and why.
    Refused(String),
}

/// What there is to say of the connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Who is connected, whether it has said who it is or not.
    pub calling: Option<SocketAddr>,
    /// Who is connected and has said who it is.
    pub from: Option<SocketAddr>,
    /// Since the listener was started.
    pub frames: u64,
    pub bytes: u64,
    /// Frames that the window did not take in time.
    pub dropped: u64,
    pub dropped_marks: u64,
    /// Lines that did not read.
    pub refused: u64,
    /// Calls while another game was connected.
    pub turned_away: u64,
}

#[derive(Default)]
struct Inbox {
    /// With the bytes that each takes; 0 for what is short.
    events: VecDeque<(Event, usize)>,
    bytes: usize,
    news: usize,
    traffic: Traffic,
}

/// What the game that is connected is to be told.
#[derive(Debug, Default)]
struct Tell {
    /// That Kinescope is there.
    greets: bool,
    /// The newest line for each character: what was edited before that is over.
    lines: BTreeMap<String, String>,
    ends: bool,
}

impl Inbox {
    /// An event of so many bytes was taken out.
    fn forget(&mut self, event: &Event, bytes: usize) {
        let is_frame = matches!(event, Event::Frame(_));
        self.bytes -= bytes;
        self.news -= usize::from(!is_frame);
        self.traffic.dropped += u64::from(is_frame);
        self.traffic.dropped_marks += u64::from(matches!(event, Event::Mark(_)));
    }
}

#[derive(Default)]
struct Shared {
    inbox: Mutex<Inbox>,
    ends: AtomicBool,
    /// The game that is connected is to go.
    sends_away: AtomicBool,
    tell: Mutex<Option<Arc<Teller>>>,
    calls: Mutex<VecDeque<Call>>,
    called: Condvar,
}

/// A program that has called.
struct Call {
    stream: TcpStream,
    from: SocketAddr,
    at: Instant,
}

/// Talks to one game.
#[derive(Debug, Default)]
struct Teller {
    tell: Mutex<Tell>,
    news: Condvar,
}

impl Teller {
    fn lock(&self) -> MutexGuard<'_, Tell> {
        self.tell.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn greet(&self) {
        self.lock().greets = true;
        self.news.notify_one();
    }

    fn end(&self) {
        self.lock().ends = true;
        self.news.notify_one();
    }

    /// Until it is to end, or the game has gone.
    fn run(&self, mut stream: &TcpStream) {
        let is_silent = |tell: &mut Tell| !tell.greets && !tell.ends && tell.lines.is_empty();
        drop(self.news.wait_while(self.lock(), is_silent).unwrap_or_else(PoisonError::into_inner));
        let mut line = "{\"kinescope\":1}\n".to_owned();
        loop {
            // A game that does not read for a while hears the rest of the line when it does.
            let mut rest = line.as_bytes();
            while !rest.is_empty() {
                match stream.write(rest) {
                    Ok(count) => rest = &rest[count..],
                    Err(error) if is_late(&error) && !self.lock().ends => {}
                    Err(_) => return,
                }
            }
            let mut tell = self.lock();
            line = loop {
                if tell.ends {
                    return;
                }
                match tell.lines.pop_first() {
                    Some((_, line)) => break line,
                    None => tell = self.news.wait(tell).unwrap_or_else(PoisonError::into_inner),
                }
            };
        }
    }
}

/// Nothing was to be had, or handed over, in the time there is; or something else came up.
fn is_late(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Inbox> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn teller(&self) -> MutexGuard<'_, Option<Arc<Teller>>> {
        self.tell.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn calls(&self) -> MutexGuard<'_, VecDeque<Call>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next who called; `None` at the end.
    fn next_call(&self) -> Option<Call> {
        let mut calls = self.calls();
        while !self.ends.load(Ordering::Relaxed) {
            match calls.pop_front() {
                Some(call) => return Some(call),
                None => calls = self.called.wait(calls).unwrap_or_else(PoisonError::into_inner),
            }
        }
        None
    }

    /// Whoever has waited in vain for the game that is connected to go hears that it is: it would send for nothing. Returns
    /// whether there was anybody.
    fn turn_away(&self) -> bool {
        let is_taken = self.lock().traffic.from.is_some();
        let mut calls = self.calls();
        let before = calls.len();
        while calls.len() > MOST_CALLS || calls.front().is_some_and(|call| is_taken && call.at.elapsed() > WAITS) {
            let Some(Call { mut stream, .. }) = calls.pop_front() else { break };
            self.lock().traffic.turned_away += 1;
            // If it does not hear it, it hears the end of the call.
            let _ = stream.set_nonblocking(true).and_then(|()| stream.write_all(BUSY.as_bytes()));
        }
        calls.len() < before
    }
}

/// See the module.
pub struct Listener {
    pub address: SocketAddr,
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

impl Listener {
    /// Listens at `address`, `host:port`. `wake` is rung where something has come and nothing waited before.
    ///
    /// # Errors
    /// One line: an address that is none, or that another program has.
    pub fn start(address: &str, wake: Wake) -> Result<Self, String> {
        let mut addresses = address
            .to_socket_addrs()
            .map_err(|_| format!("{address}: is no address to listen at; one looks like {}", crate::link::ADDRESS))?;
        let address = addresses.next().ok_or_else(|| format!("{address}: nobody has this address"))?;
        let listener = TcpListener::bind(address).map_err(|error| match error.kind() {
            ErrorKind::AddrInUse => {
                format!("{address}: another program listens there, perhaps another Kinescope; close it, or take another port")
            }
            ErrorKind::AddrNotAvailable => format!("{address}: is not an address of this machine"),
            _ => format!("{address}: {error}"),
        })?;
        let address = listener.local_addr().map_err(|error| format!("{address}: {error}"))?;
        listener.set_nonblocking(true).map_err(|error| format!("{address}: {error}"))?;
        let mut own = Self { address, shared: Arc::default(), threads: Vec::new() };
        let (shared, wakes) = (own.shared.clone(), wake.clone());
        own.spawn("kinescope listener", move || {
            while !shared.ends.load(Ordering::Relaxed) {
                match listener.accept() {
                    Ok((stream, from)) => {
                        shared.calls().push_back(Call { stream, from, at: Instant::now() });
                        shared.called.notify_one();
                    }
                    // Nobody calls, or the system has no room for a call just now.
                    Err(_) => std::thread::sleep(CALLS),
                }
                if shared.turn_away() {
                    wakes.ring();
                }
            }
        })?;
        let shared = own.shared.clone();
        own.spawn("kinescope games", move || {
            while let Some(Call { stream, from, .. }) = shared.next_call() {
                Connection { shared: &shared, wake: &wake, from }.run(&stream);
            }
        })?;
        Ok(own)
    }

    fn spawn(&mut self, name: &str, run: impl FnOnce() + Send + 'static) -> Result<(), String> {
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(run);
        self.threads.push(thread.map_err(|error| error.to_string())?);
        Ok(())
    }

    /// Whether programs on other machines can call.
    pub fn is_open_to_others(&self) -> bool {
        !self.address.ip().is_loopback()
    }

    /// What has come since, in order.
    pub fn take(&self) -> Vec<Event> {
        let mut inbox = self.shared.lock();
        (inbox.bytes, inbox.news) = (0, 0);
        std::mem::take(&mut inbox.events).into_iter().map(|(event, _)| event).collect()
    }

    pub fn traffic(&self) -> Traffic {
        self.shared.lock().traffic
    }

    /// Tells the game what a character is to be solved with. Never waits; a game that does not read for a while is told
    /// the last of what it missed.
    pub fn tune(&self, character: &str, parameters: &Settings) {
        #[derive(serde::Serialize)]
        struct Tuned<'a> {
            character: &'a str,
            parameters: &'a Settings,
        }
        let line = serde_json::to_string(&Tuned { character, parameters }).unwrap_or_default() + "\n";
        if let Some(teller) = &*self.shared.teller() {
            teller.lock().lines.insert(character.to_owned(), line);
            teller.news.notify_one();
        }
    }

    /// Ends the connection; another may follow.
    pub fn send_away(&self) {
        self.shared.sends_away.store(true, Ordering::Relaxed);
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        {
            // Nobody begins to wait for a call between the two.
            let _calls = self.shared.calls();
            self.shared.ends.store(true, Ordering::Relaxed);
            self.shared.called.notify_all();
        }
        // The address is free for the next one.
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

struct Connection<'a> {
    shared: &'a Shared,
    wake: &'a Wake,
    from: SocketAddr,
}

impl Connection<'_> {
    fn run(&self, stream: &TcpStream) {
        self.shared.sends_away.store(false, Ordering::Relaxed);
        self.shared.lock().traffic.calling = Some(self.from);
        let teller = Arc::new(Teller::default());
        let end = std::thread::scope(|scope| {
            // From a thread of its own, which may wait for the game.
            let tells = std::thread::Builder::new().name("kinescope answers".to_owned());
            let end = match self.prepare(stream).and_then(|()| tells.spawn_scoped(scope, || teller.run(stream))) {
                Ok(tells) => {
                    *self.shared.teller() = Some(teller.clone());
                    // Whatever a program sends, the window stays, and the next one is heard.
                    let heard = catch_unwind(AssertUnwindSafe(|| self.listen(stream, &teller)));
                    *self.shared.teller() = None;
                    teller.end();
                    let _ = tells.join();
                    heard.unwrap_or_else(|_| End::Refused(format!("{}: cannot be heard", self.from)))
                }
                Err(error) => End::Refused(format!("{}: {error}", self.from)),
            };
            let _ = stream.shutdown(std::net::Shutdown::Both);
            end
        });
        let has_joined = {
            let traffic = &mut self.shared.lock().traffic;
            traffic.calling = None;
            traffic.from.take().is_some()
        };
        // Whoever was not heard of has not left.
        if has_joined || matches!(end, End::Refused(_)) {
            self.put(Event::Left { from: self.from, end }, 0);
        }
    }

    fn prepare(&self, stream: &TcpStream) -> std::io::Result<()> {
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(PAUSE))?;
        stream.set_write_timeout(Some(LOOKS))?;
        stream.set_nodelay(true)
    }

    /// Until it ends.
    fn listen(&self, stream: &TcpStream, teller: &Teller) -> End {
        let (from, called) = (self.from, Instant::now());
        let mut lines = BufReader::with_capacity(1 << 16, stream);
        let mut reader = Reader::new();
        let (mut line, mut refused, mut is_greeted) = (Vec::new(), 0, false);
        // What lines that did not read had in common, but for numbers.
        let mut kinds: Vec<String> = Vec::new();
        loop {
            let before = line.len();
            let room = (MOST_LINE + 2).saturating_sub(before) as u64;
            let read = lines.by_ref().take(room).read_until(b'\n', &mut line);
            self.shared.lock().traffic.bytes += (line.len() - before) as u64;
            if self.shared.ends.load(Ordering::Relaxed) || self.shared.sends_away.load(Ordering::Relaxed) {
                return End::Closed;
            }
            let is_pause = read.as_ref().is_err_and(is_late) || called.elapsed() > GREETS;
            if is_pause && !std::mem::replace(&mut is_greeted, true) {
                teller.greet();
                let _ = stream.set_read_timeout(Some(LOOKS));
            }
            let has_end = line.ends_with(b"\n");
            if !has_end && reader.header().is_none() && called.elapsed() > PATIENCE {
                let seconds = PATIENCE.as_secs();
                return End::Refused(format!(
                    "{from}: has not said who it is for {seconds} s; a game's first line does"
                ));
            }
            let is_last = match read {
                Err(error) if is_late(&error) => continue,
                Err(_) => return End::CutOff,
                Ok(_) if has_end => false,
                Ok(0) if room > 0 && line.is_empty() => return End::Closed,
                // Whoever forgot the last line's end is heard all the same.
                Ok(0) if room > 0 => true,
                Ok(_) if line.len() < MOST_LINE + 2 => continue,
                Ok(_) => {
                    let number = reader.lines() + 1;
                    return End::Refused(format!("{from}: line {number}: has no end within {} MiB", MOST_LINE >> 20));
                }
            };
            let text = std::str::from_utf8(&line);
            let said = match text {
                Ok(text) => reader.read(text).map_err(|fault| fault.to_string()),
                Err(_) => {
                    // So that the next has its number.
                    let _ = reader.read("");
                    Err(format!("line {}: is no text (UTF-8)", reader.lines()))
                }
            };
            let said = said.map_err(|fault| fault.chars().take(LONGEST_FAULT).collect::<String>());
            match said {
                Ok(Some(Line::Frame(frame))) => {
                    refused = 0;
                    self.shared.lock().traffic.frames += 1;
                    let bytes = bytes_of(&frame);
                    self.put(Event::Frame(frame), bytes);
                }
                Ok(Some(Line::Mark(mark))) => self.put(Event::Mark(cut_short(&mark)), 0),
                Ok(None) => {
                    if let Some(header) = reader.header().filter(|_| self.shared.lock().traffic.from.is_none()) {
                        self.shared.lock().traffic.from = Some(from);
                        let bones: usize = header.characters.iter().map(|own| own.skeleton.len()).sum();
                        let event = Event::Joined { from, header: Arc::new(header.clone()) };
                        self.put(event, bones * BYTES_OF_BONE);
                    }
                }
                Err(_) if is_last => return End::CutOff,
                Err(fault) if reader.header().is_none() => {
                    return End::Refused(format!("{from}: {fault}; a game's first line is the header of a recording"));
                }
                Err(fault) => {
                    self.shared.lock().traffic.refused += 1;
                    refused += 1;
                    if refused > MOST_REFUSED {
                        return End::Refused(format!(
                            "{from}: {fault}; nor did the {MOST_REFUSED} lines before it read"
                        ));
                    }
                    let kind: String = fault.chars().filter(|letter| !letter.is_ascii_digit()).collect();
                    if kinds.len() < MOST_KINDS && !kinds.contains(&kind) {
                        self.put(Event::Refused { from, fault, is_first: kinds.is_empty() }, 0);
                        kinds.push(kind);
                    }
                }
            }
            if is_last {
                return End::Closed;
            }
            line.clear();
            // What an unusually long line took is given back.
            line.shrink_to(1 << 20);
        }
    }

    fn put(&self, event: Event, bytes: usize) {
        let mut inbox = self.shared.lock();
        let was_empty = inbox.events.is_empty();
        inbox.news += usize::from(!matches!(event, Event::Frame(_)));
        inbox.bytes += bytes;
        inbox.events.push_back((event, bytes));
        while inbox.bytes > MOST_WAITING || inbox.news > MOST_NEWS {
            let goes = match inbox.bytes > MOST_WAITING {
                true => |event: &Event| matches!(event, Event::Frame(_)),
                false => |event: &Event| matches!(event, Event::Mark(_) | Event::Refused { .. }),
            };
            // Where there is nothing but coming and going it is the last that counts.
            let at = inbox.events.iter().position(|(event, _)| goes(event)).unwrap_or(0);
            let Some((event, bytes)) = inbox.events.remove(at) else { break };
            inbox.forget(&event, bytes);
            // What comes after a game that nobody has heard of is not the one before's.
            while matches!(event, Event::Joined { .. })
                && inbox.events.front().is_some_and(|(next, _)| !matches!(next, Event::Joined { .. }))
                && let Some((next, bytes)) = inbox.events.pop_front()
            {
                inbox.forget(&next, bytes);
            }
        }
        drop(inbox);
        if was_empty {
            self.wake.ring();
        }
    }
}
