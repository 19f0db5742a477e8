//! Hears running games: one at a time, over TCP, in lines of a recording.
//!
//! A thread of its own takes whatever comes as fast as it comes, so that a window that is slow, or waits, holds no game up.
//! What the window has not taken is bounded; of more, the oldest frames are dropped, and counted.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::bytes_of;
use crate::full_body::Settings;
use crate::game_recording::{GameFrame, Header, Line, MOST_LINE, Mark, Reader};

/// Bytes of frames that wait for the window.
const MOST_WAITING: usize = 64 << 20;
/// Other news that wait for it.
const MOST_NEWS: usize = 1024;
/// Lines in a row that do not read, after which nothing more is expected of a program.
const MOST_REFUSED: u32 = 200;
/// How often a silent connection is looked at whether it is still wanted.
const LOOKS: Duration = Duration::from_millis(100);
/// How long a program that called may take to say who it is.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a game may take to read what it is told.
const SEND_PATIENCE: Duration = Duration::from_secs(2);
/// Edits that wait to be told to the game; of more, the oldest are gone by anyway.
const MOST_TUNED: usize = 64;

/// Has the window look at what has come.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

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
    /// A line that does not read, with line and field; the first of a connection.
    Refused {
        from: SocketAddr,
        fault: String,
    },
    /// It has gone, or was sent away, and why that was.
    Left {
        from: SocketAddr,
        why: Option<String>,
    },
}

/// What there is to say of the connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Who is connected.
    pub from: Option<SocketAddr>,
    /// Since the listener was started.
    pub frames: u64,
    pub bytes: u64,
    /// Frames that the window did not take in time.
    pub dropped: u64,
    /// Lines that did not read.
    pub refused: u64,
}

#[derive(Default)]
struct Inbox {
    /// With the bytes that each takes; 0 for what is no frame.
    events: VecDeque<(Event, usize)>,
    bytes: usize,
    news: usize,
    traffic: Traffic,
    /// Lines to the game that is connected.
    tell: Option<SyncSender<String>>,
}

#[derive(Default)]
struct Shared {
    inbox: Mutex<Inbox>,
    ends: AtomicBool,
    /// The game that is connected is to go.
    sends_away: AtomicBool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Inbox> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// See the module.
pub struct Listener {
    pub address: SocketAddr,
    shared: Arc<Shared>,
}

impl Listener {
    /// Listens at `address`, `host:port`. `wake` is called where something has come and nothing waited before.
    ///
    /// # Errors
    /// One line: an address that is none, or that another program has.
    pub fn start(address: &str, wake: Option<Wake>) -> Result<Self, String> {
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
        let shared = Arc::new(Shared::default());
        let own = shared.clone();
        let run = move || {
            for stream in listener.incoming() {
                if own.ends.load(Ordering::Relaxed) {
                    return;
                }
                if let Ok(stream) = stream {
                    Connection { shared: &own, wake: wake.as_ref() }.run(stream);
                }
            }
        };
        std::thread::Builder::new()
            .name("kinescope listener".to_owned())
            .spawn(run)
            .map_err(|error| error.to_string())?;
        Ok(Self { address, shared })
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

    /// Tells the game what a character is to be solved with. Never waits; a game that does not read misses it.
    pub fn tune(&self, character: &str, parameters: &Settings) {
        #[derive(serde::Serialize)]
        struct Tuned<'a> {
            character: &'a str,
            parameters: &'a Settings,
        }
        let line = serde_json::to_string(&Tuned { character, parameters }).unwrap_or_default() + "\n";
        if let Some(tell) = &self.shared.lock().tell {
            // Full where the game reads nothing, which is no error.
            let _ = tell.try_send(line);
        }
    }

    /// Ends the connection; another may follow.
    pub fn send_away(&self) {
        self.shared.sends_away.store(true, Ordering::Relaxed);
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.shared.ends.store(true, Ordering::Relaxed);
        // The thread waits for a call: this is the last one.
        let host = match self.address {
            SocketAddr::V4(own) if own.ip().is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(own) if own.ip().is_unspecified() => Ipv6Addr::LOCALHOST.into(),
            own => own.ip(),
        };
        let _ = TcpStream::connect_timeout(&SocketAddr::new(host, self.address.port()), LOOKS);
    }
}

struct Connection<'a> {
    shared: &'a Shared,
    wake: Option<&'a Wake>,
}

impl Connection<'_> {
    fn run(&self, stream: TcpStream) {
        let Ok(from) = stream.peer_addr() else { return };
        self.shared.sends_away.store(false, Ordering::Relaxed);
        let why = self.talk(&stream, from).err();
        {
            let mut inbox = self.shared.lock();
            (inbox.traffic.from, inbox.tell) = (None, None);
        }
        // Whoever was not heard of has not left.
        self.put(Event::Left { from, why }, 0);
        let _ = stream.shutdown(std::net::Shutdown::Both);
    }

    /// Until it ends; the error is why it was ended from here.
    fn talk(&self, stream: &TcpStream, from: SocketAddr) -> Result<(), String> {
        let system = |error: std::io::Error| format!("{from}: {error}");
        stream.set_read_timeout(Some(LOOKS)).map_err(system)?;
        stream.set_nodelay(true).map_err(system)?;
        self.answer(stream.try_clone().map_err(system)?).map_err(system)?;
        let mut lines = BufReader::with_capacity(1 << 16, stream);
        let mut reader = Reader::new();
        let (mut line, mut refused, mut is_told, mut waited) = (Vec::new(), 0, false, Duration::ZERO);
        loop {
            let before = line.len();
            let room = (MOST_LINE + 2).saturating_sub(before) as u64;
            let read = lines.by_ref().take(room).read_until(b'\n', &mut line);
            self.shared.lock().traffic.bytes += (line.len() - before) as u64;
            if self.shared.ends.load(Ordering::Relaxed) || self.shared.sends_away.load(Ordering::Relaxed) {
                return Ok(());
            }
            let has_end = line.ends_with(b"\n");
            match read {
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    waited += LOOKS;
                    if reader.header().is_none() && waited > PATIENCE {
                        return Err(format!(
                            "{from}: said nothing for {} s; a game's first line says who it is",
                            PATIENCE.as_secs()
                        ));
                    }
                    continue;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                // It is gone: a game that crashed says no more than that.
                Err(_) => return Ok(()),
                Ok(_) if has_end => {}
                Ok(0) if room > 0 => return Ok(()),
                Ok(_) if line.len() < MOST_LINE + 2 => continue,
                Ok(_) => {
                    let number = reader.lines() + 1;
                    return Err(format!("{from}: line {number}: has no end within {} MiB", MOST_LINE >> 20));
                }
            }
            let text = std::str::from_utf8(&line);
            let said = match text {
                Ok(text) => reader.read(text).map_err(|fault| fault.to_string()),
                Err(_) => {
                    // So that the next has its number.
                    let _ = reader.read("");
                    Err(format!("line {}: is no text (UTF-8)", reader.lines()))
                }
            };
            match said {
                Ok(Some(Line::Frame(frame))) => {
                    refused = 0;
                    self.shared.lock().traffic.frames += 1;
                    let bytes = bytes_of(&frame);
                    self.put(Event::Frame(frame), bytes);
                }
                Ok(Some(Line::Mark(mark))) => self.put(Event::Mark(mark), 0),
                Ok(None) => {
                    if let Some(header) = reader.header().filter(|_| self.shared.lock().traffic.from.is_none()) {
                        self.shared.lock().traffic.from = Some(from);
                        self.put(Event::Joined { from, header: Arc::new(header.clone()) }, 0);
                    }
                }
                Err(fault) if reader.header().is_none() => {
                    return Err(format!("{from}: {fault}; a game's first line is the header of a recording"));
                }
                Err(fault) => {
                    self.shared.lock().traffic.refused += 1;
                    refused += 1;
                    if !std::mem::replace(&mut is_told, true) {
                        self.put(Event::Refused { from, fault }, 0);
                    } else if refused > MOST_REFUSED {
                        return Err(format!("{from}: {fault}; nor did the {MOST_REFUSED} lines before it read"));
                    }
                }
            }
            line.clear();
            // What an unusually long line took is given back.
            line.shrink_to(1 << 20);
        }
    }

    /// The greeting, and what the game is told later: from a thread that may wait for it.
    fn answer(&self, mut stream: TcpStream) -> std::io::Result<()> {
        stream.set_write_timeout(Some(SEND_PATIENCE))?;
        let (tell, told) = sync_channel::<String>(MOST_TUNED);
        let run = move || {
            let mut say = |line: &str| stream.write_all(line.as_bytes()).is_ok();
            if say("{\"kinescope\":1}\n") {
                while told.recv().is_ok_and(|line| say(&line)) {}
            }
        };
        std::thread::Builder::new().name("kinescope answers".to_owned()).spawn(run)?;
        self.shared.lock().tell = Some(tell);
        Ok(())
    }

    fn put(&self, event: Event, bytes: usize) {
        let mut inbox = self.shared.lock();
        let was_empty = inbox.events.is_empty();
        inbox.news += usize::from(bytes == 0);
        inbox.bytes += bytes;
        inbox.events.push_back((event, bytes));
        while inbox.bytes > MOST_WAITING || inbox.news > MOST_NEWS {
            let of_frames = inbox.bytes > MOST_WAITING;
            let is_one = |(event, bytes): &(Event, usize)| match of_frames {
                true => *bytes > 0,
                false => matches!(event, Event::Mark(_) | Event::Refused { .. }),
            };
            // Where there is nothing but coming and going it is the last that counts.
            let at = inbox.events.iter().position(is_one).unwrap_or(0);
            let Some((_, bytes)) = inbox.events.remove(at) else { break };
            inbox.bytes -= bytes;
            inbox.news -= usize::from(bytes == 0);
            inbox.traffic.dropped += u64::from(bytes > 0);
        }
        drop(inbox);
        if let Some(wake) = self.wake.filter(|_| was_empty) {
            wake();
        }
    }
}
