//! Hears running games: one at a time, over TCP, in lines of a recording.
//!
//! A thread of its own takes whatever comes as fast as it comes, so that a window that is slow, or waits, holds no game up.
//! Every connection has its own thread. While that thread reads a header, which may take seconds for thousands of bones, the
//! next caller is served. Stopping never waits for a peer: connections end by themselves.
//!
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
use kinescope_ik::error::Fault;
use kinescope_ik::full_body::Settings;
use kinescope_ik::game_recording::{GameFrame, Header, Line, MOST_LINE, Mark, Reader};
use kinescope_ik::link::BUSY;

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
/// What is added to the fault of a first line.
const NO_HEADER: &str = "a game's first line is the header of a recording";
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
/// How long a header may be read before the next caller is served. Almost all take less than a millisecond, and callers then
/// keep their order.
const GIVES_WAY: Duration = Duration::from_millis(100);
/// Headers that are read beside the connection that is served. Beyond that a header keeps the next caller waiting, which bounds
/// threads and memory.
const MOST_READING: usize = 4;

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
    /// Who is connected, with a header or without one yet.
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
    /// Another game is connected: the last line says so.
    is_busy: bool,
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

/// Reads a connection's first line, which makes the [`Reader::header`].
pub type ReadHeader = dyn Fn(&mut Reader, &str) -> Result<Option<Line>, Fault> + Send + Sync;

struct Shared {
    inbox: Mutex<Inbox>,
    ends: AtomicBool,
    callers: Mutex<Callers>,
    /// Notified of every change to `callers`, and at the end.
    changed: Condvar,
    read_header: Box<ReadHeader>,
}

/// All programs that have called and have not left.
#[derive(Default)]
struct Callers {
    waiting: VecDeque<Call>,
    /// The connection whose lines are read. There is one at a time.
    served: Option<Arc<Peer>>,
    /// Since when its header is being read.
    header_since: Option<Instant>,
    /// Connections whose header is being read, and which gave way to the next caller.
    reading: Vec<Arc<Peer>>,
    /// Connections with a header that wait to be served. They come before `waiting`.
    ready: usize,
}

impl Callers {
    fn is_served(&self, peer: &Arc<Peer>) -> bool {
        self.served.as_ref().is_some_and(|served| Arc::ptr_eq(served, peer))
    }
}

/// A connected program.
struct Peer {
    from: SocketAddr,
    stream: TcpStream,
    teller: Teller,
    /// The user has disconnected it.
    is_sent_away: AtomicBool,
}

impl Peer {
    /// Ends the connection without waiting for either side.
    fn send_away(&self) {
        self.is_sent_away.store(true, Ordering::Relaxed);
        self.hang_up();
    }

    fn hang_up(&self) {
        // An error means that the peer has hung up already.
        let _ = self.stream.shutdown(std::net::Shutdown::Both);
    }
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
                if std::mem::take(&mut tell.is_busy) {
                    break BUSY.to_owned();
                }
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

    fn callers(&self) -> MutexGuard<'_, Callers> {
        self.callers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_ended(&self) -> bool {
        self.ends.load(Ordering::Relaxed)
    }

    /// Waits for the next caller and serves it from then on. Returns `None` at the end.
    fn next_peer(&self) -> Option<Arc<Peer>> {
        let mut callers = self.callers();
        while !self.has_ended() {
            let may_give_way = !callers.waiting.is_empty() && callers.reading.len() < MOST_READING;
            let gives_way_in =
                callers.header_since.filter(|_| may_give_way).map(|since| GIVES_WAY.saturating_sub(since.elapsed()));
            if gives_way_in == Some(Duration::ZERO) {
                callers.header_since = None;
                let reads = callers.served.take();
                callers.reading.extend(reads);
            }
            let is_free = callers.served.is_none() && callers.ready == 0;
            if let Some(Call { stream, from, .. }) = if is_free { callers.waiting.pop_front() } else { None } {
                let (teller, is_sent_away) = (Teller::default(), AtomicBool::new(false));
                let peer = Arc::new(Peer { from, stream, teller, is_sent_away });
                callers.served = Some(peer.clone());
                return Some(peer);
            }
            callers = match gives_way_in {
                Some(wait) => self.changed.wait_timeout(callers, wait).unwrap_or_else(PoisonError::into_inner).0,
                None => self.changed.wait(callers).unwrap_or_else(PoisonError::into_inner),
            };
        }
        None
    }

    /// From now on the connection's header is being read.
    fn begin_header(&self, peer: &Arc<Peer>) {
        let mut callers = self.callers();
        if callers.is_served(peer) {
            callers.header_since = Some(Instant::now());
            self.changed.notify_all();
        }
    }

    /// The header was read. Waits until the connection is served again, if it gave way meanwhile. Returns `false` if another
    /// game stays connected, or if the connection has to end.
    fn end_header(&self, peer: &Arc<Peer>) -> bool {
        let read = Instant::now();
        let mut callers = self.callers();
        callers.ready += 1;
        let is_served = loop {
            if self.has_ended() || peer.is_sent_away.load(Ordering::Relaxed) {
                break false;
            }
            if callers.is_served(peer) || callers.served.is_none() {
                callers.reading.retain(|other| !Arc::ptr_eq(other, peer));
                (callers.served, callers.header_since) = (Some(peer.clone()), None);
                break true;
            }
            if read.elapsed() > WAITS && self.lock().traffic.from.is_some() {
                break false;
            }
            callers = self.changed.wait_timeout(callers, LOOKS).unwrap_or_else(PoisonError::into_inner).0;
        };
        callers.ready -= 1;
        self.changed.notify_all();
        is_served
    }

    /// A connection has ended.
    fn leave(&self, peer: &Arc<Peer>) {
        let mut callers = self.callers();
        if callers.is_served(peer) {
            (callers.served, callers.header_since) = (None, None);
        }
        callers.reading.retain(|other| !Arc::ptr_eq(other, peer));
        self.changed.notify_all();
    }

    /// Whoever has waited in vain for the game that is connected to go hears that it is: it would send for nothing. Returns
    /// whether there was anybody.
    fn turn_away(&self) -> bool {
        let is_taken = self.lock().traffic.from.is_some();
        let mut callers = self.callers();
        let calls = &mut callers.waiting;
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
    /// Holds the address. It answers within [`CALLS`], whatever peers do.
    accepts: Option<JoinHandle<()>>,
}

impl Listener {
    /// Listens at `address`, `host:port`. `wake` is rung where something has come and nothing waited before.
    ///
    /// # Errors
    /// One line: an address that is none, or that another program has.
    pub fn start(address: &str, wake: Wake) -> Result<Self, String> {
        Self::start_with(address, wake, Box::new(|reader, text| reader.read(text)))
    }

    /// As [`Self::start`], with another function for the first line of each connection.
    ///
    /// # Errors
    /// As [`Self::start`].
    pub fn start_with(address: &str, wake: Wake, read_header: Box<ReadHeader>) -> Result<Self, String> {
        let mut addresses = address.to_socket_addrs().map_err(|_| {
            format!("{address}: is no address to listen at; one looks like {}", kinescope_ik::link::ADDRESS)
        })?;
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
        let shared = Arc::new(Shared {
            inbox: Mutex::default(),
            ends: AtomicBool::new(false),
            callers: Mutex::default(),
            changed: Condvar::new(),
            read_header,
        });
        let mut own = Self { address, shared: shared.clone(), accepts: None };
        let wakes = wake.clone();
        let accept = move || {
            while !shared.has_ended() {
                match listener.accept() {
                    Ok((stream, from)) => {
                        shared.callers().waiting.push_back(Call { stream, from, at: Instant::now() });
                        shared.changed.notify_all();
                    }
                    // Nobody calls, or the system has no room for a call just now.
                    Err(_) => std::thread::sleep(CALLS),
                }
                if shared.turn_away() {
                    wakes.ring();
                }
            }
        };
        own.accepts = Some(spawn("kinescope listener", accept)?);
        let shared = own.shared.clone();
        spawn("kinescope games", move || {
            while let Some(peer) = shared.next_peer() {
                let connection = Connection { shared: shared.clone(), wake: wake.clone(), peer: peer.clone() };
                if let Err(error) = spawn("kinescope game", move || connection.run()) {
                    let from = peer.from;
                    let end = End::Refused(format!("{from}: {error}"));
                    Connection { shared: shared.clone(), wake: wake.clone(), peer }.end(false, end);
                }
            }
        })?;
        Ok(own)
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
        let calling = {
            let callers = self.shared.callers();
            callers.served.as_ref().or(callers.reading.last()).map(|peer| peer.from)
        };
        Traffic { calling, ..self.shared.lock().traffic }
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
        if let Some(peer) = &self.shared.callers().served {
            peer.teller.lock().lines.insert(character.to_owned(), line);
            peer.teller.news.notify_one();
        }
    }

    /// Ends the connection without waiting for the game; another may follow. A connection without a header yet ends too, even
    /// while its header is being read.
    pub fn send_away(&self) {
        let mut callers = self.shared.callers();
        match &callers.served {
            Some(peer) if callers.header_since.is_none() => peer.send_away(),
            _ => {
                // Their threads end later. The next caller is served at once.
                callers.header_since = None;
                let served = callers.served.take();
                served.into_iter().chain(callers.reading.drain(..)).for_each(|peer| peer.send_away());
                self.shared.changed.notify_all();
            }
        }
    }
}

fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, String> {
    std::thread::Builder::new().name(name.to_owned()).spawn(run).map_err(|error| error.to_string())
}

impl Drop for Listener {
    /// Frees the address. Connections end by themselves: one whose header is being read ends when it is read.
    fn drop(&mut self) {
        {
            // Nobody begins to wait for a call between the two.
            let callers = self.shared.callers();
            self.shared.ends.store(true, Ordering::Relaxed);
            self.shared.changed.notify_all();
            callers.served.iter().chain(&callers.reading).for_each(|peer| peer.hang_up());
        }
        // The address is free for the next one.
        if let Some(accepts) = self.accepts.take() {
            let _ = accepts.join();
        }
        self.shared.callers().waiting.clear();
    }
}

struct Connection {
    shared: Arc<Shared>,
    wake: Wake,
    peer: Arc<Peer>,
}

impl Connection {
    fn run(&self) {
        let (stream, teller, from) = (&self.peer.stream, &self.peer.teller, self.peer.from);
        let mut has_joined = false;
        let end = std::thread::scope(|scope| {
            // From a thread of its own, which may wait for the game.
            let tells = std::thread::Builder::new().name("kinescope answers".to_owned());
            match self.prepare().and_then(|()| tells.spawn_scoped(scope, || teller.run(stream))) {
                Ok(tells) => {
                    // Whatever a program sends, the window stays, and the next one is heard.
                    let heard = catch_unwind(AssertUnwindSafe(|| self.listen(&mut has_joined)));
                    teller.end();
                    let _ = tells.join();
                    heard.unwrap_or_else(|_| End::Refused(format!("{from}: cannot be heard")))
                }
                Err(error) => End::Refused(format!("{from}: {error}")),
            }
        });
        self.end(has_joined, end);
    }

    fn end(&self, has_joined: bool, end: End) {
        self.peer.hang_up();
        if has_joined {
            self.shared.lock().traffic.from = None;
        }
        self.shared.leave(&self.peer);
        // Whoever was not heard of has not left.
        if has_joined || matches!(end, End::Refused(_)) {
            self.put(Event::Left { from: self.peer.from, end }, 0);
        }
    }

    fn prepare(&self) -> std::io::Result<()> {
        let stream = &self.peer.stream;
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(PAUSE))?;
        stream.set_write_timeout(Some(LOOKS))?;
        stream.set_nodelay(true)
    }

    fn has_to_end(&self) -> bool {
        self.shared.has_ended() || self.peer.is_sent_away.load(Ordering::Relaxed)
    }

    /// Reads the first line. The next caller is served meanwhile if that takes long.
    ///
    /// # Errors
    /// How the connection ends: the line is no header, or another game is connected by now.
    fn read_header(&self, reader: &mut Reader, text: &str) -> Result<(), End> {
        self.shared.begin_header(&self.peer);
        let read = (self.shared.read_header)(reader, text);
        if self.has_to_end() {
            return Err(End::Closed);
        }
        let from = self.peer.from;
        read.map_err(|fault| End::Refused(format!("{from}: {}; {NO_HEADER}", cut(&fault.to_string()))))?;
        if self.shared.end_header(&self.peer) {
            return Ok(());
        }
        if !self.has_to_end() {
            self.shared.lock().traffic.turned_away += 1;
            self.peer.teller.lock().is_busy = true;
            self.wake.ring();
        }
        Err(End::Closed)
    }

    /// Until it ends.
    fn listen(&self, has_joined: &mut bool) -> End {
        let (stream, teller) = (&self.peer.stream, &self.peer.teller);
        let (from, called) = (self.peer.from, Instant::now());
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
            if self.has_to_end() {
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
            if let (Ok(text), None) = (text, reader.header()) {
                match self.read_header(&mut reader, text) {
                    Ok(()) => {}
                    Err(End::Refused(_)) if is_last => return End::CutOff,
                    Err(end) => return end,
                }
                if let Some(header) = reader.header() {
                    *has_joined = true;
                    self.shared.lock().traffic.from = Some(from);
                    let bones: usize = header.characters.iter().map(|own| own.skeleton.len()).sum();
                    let event = Event::Joined { from, header: Arc::new(header.clone()) };
                    self.put(event, bones * BYTES_OF_BONE);
                }
                if is_last {
                    return End::Closed;
                }
                line.clear();
                line.shrink_to(1 << 20);
                continue;
            }
            let said = match text {
                Ok(text) => reader.read(text).map_err(|fault| fault.to_string()),
                Err(_) => {
                    // So that the next has its number.
                    let _ = reader.read("");
                    Err(format!("line {}: is no text (UTF-8)", reader.lines()))
                }
            };
            let said = said.map_err(|fault| cut(&fault));
            match said {
                Ok(Some(Line::Frame(frame))) => {
                    refused = 0;
                    self.shared.lock().traffic.frames += 1;
                    let bytes = bytes_of(&frame);
                    self.put(Event::Frame(frame), bytes);
                }
                Ok(Some(Line::Mark(mark))) => self.put(Event::Mark(cut_short(&mark)), 0),
                Ok(None) => {}
                Err(_) if is_last => return End::CutOff,
                Err(fault) if reader.header().is_none() => {
                    return End::Refused(format!("{from}: {fault}; {NO_HEADER}"));
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

/// What is wrong with a line, as long as it is kept.
fn cut(fault: &str) -> String {
    fault.chars().take(LONGEST_FAULT).collect()
}
