//! Listens for running games over TCP, and serves one at a time. A game sends the lines of a recording, or opens a WebSocket
//! and sends them as text messages.
//!
//! The listener reads lines as fast as they arrive, so a slow or paused window never delays a game. Every connection has its
//! own thread. If a header is late, or takes long to read because it has thousands of bones, the listener serves the next
//! caller meanwhile. Stopping never waits for a peer: connections end by themselves.
//!
//! The connection's thread parses each line, and all other code gets the parsed frame. The size and number of events that
//! wait for the window are limited: beyond the limits the oldest frames and marks are dropped and counted.
//!
//! | file | content |
//! |---|---|
//! | `inbox` | events that wait for the window, and the counters of [`Traffic`] |
//! | `sender` | lines that go to a peer |
//! | `callers` | the served peer, and waiting callers |
//! | `reading` | the thread of one connection |
//! | `solver_lines`, `solvers` | outside solvers of the full-body lab, which connect to the same port |
//! | `web_socket` | connections of games in a browser |

mod callers;
mod inbox;
mod reading;
pub mod sender;
pub mod solver_lines;
mod solvers;
#[cfg_attr(target_arch = "wasm32", path = "no_web_socket.rs")]
pub mod web_socket;

use std::io::{ErrorKind, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::system::clock::Instant;
use crate::system::threads;
use crate::tools::game::words as text;
use callers::{Call, Callers};
use inbox::Inbox;
pub(crate) use inbox::{End, Event, Traffic};
use kinescope_ik::error::Fault;
use kinescope_ik::full_body::Settings;
use kinescope_ik::game_recording::{Line, Reader};
use kinescope_ik::link::BUSY;
use reading::Connection;
pub(crate) use solver_lines::{rig_line, targets};
use solvers::Solvers;
pub(crate) use solvers::{Question, Solver};

/// Interval between checks for callers.
const ACCEPT_INTERVAL: Duration = Duration::from_millis(10);
/// Interval at which a silent connection checks whether it has to end.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);
/// Time that a caller waits for a connected game to leave. After that time, Kinescope refuses the caller.
const BUSY_WAIT: Duration = Duration::from_secs(1);

/// Wakes the window, once there is one.
#[derive(Clone, Default)]
pub struct Wake(Arc<OnceLock<Bell>>);

type Bell = Box<dyn Fn() + Send + Sync>;

impl Wake {
    pub fn set(&self, bell: impl Fn() + Send + Sync + 'static) {
        let _ = self.0.set(Box::new(bell));
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.get().is_some()
    }

    pub(crate) fn ring(&self) {
        if let Some(bell) = self.0.get() {
            bell();
        }
    }
}

/// Reads the first line of a game into a reader, whose [`Reader::header`] then returns the header.
pub type ReadHeader = dyn Fn(&mut Reader, &str) -> Result<Option<Line>, Fault> + Send + Sync;

struct Shared {
    inbox: Mutex<Inbox>,
    has_ended: AtomicBool,
    callers: Callers,
    solvers: Solvers,
    /// Whether the listener has reported a refused web page. It reports only the first one, because any page that a browser
    /// shows can try again and again.
    #[cfg(not(target_arch = "wasm32"))]
    has_told_of_web: AtomicBool,
    read_header: Box<ReadHeader>,
}

impl Shared {
    fn inbox(&self) -> MutexGuard<'_, Inbox> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_ended(&self) -> bool {
        self.has_ended.load(Ordering::Relaxed)
    }

    /// Refuses callers that have waited too long for the connected game to leave, and the oldest if too many wait. Sends
    /// them the line [`BUSY`] first, so that they do not send frames in vain. Returns whether any caller was refused.
    fn turn_away(&self) -> bool {
        let is_taken = self.inbox().traffic.from.is_some();
        let turned_away = self.callers.overdue(is_taken);
        for call in &turned_away {
            self.inbox().traffic.turned_away += 1;
            let mut stream = &call.stream;
            // Errors are ignored, because a peer that does not get the line notices the end of the connection.
            let _ = stream.set_nonblocking(true).and_then(|()| stream.write_all(BUSY.as_bytes()));
        }
        !turned_away.is_empty()
    }
}

pub struct Listener {
    pub address: SocketAddr,
    shared: Arc<Shared>,
    /// The thread that owns the socket. It ends within [`ACCEPT_INTERVAL`] of the end of the listener, whatever peers
    /// do.
    accepts: Option<JoinHandle<()>>,
}

impl Listener {
    /// Listens at `address`, `host:port`. Rings `wake` when there is something new for the window.
    pub fn start(address: &str, wake: Wake) -> Result<Self, String> {
        Self::start_with(address, wake, Box::new(|reader, text| reader.read(text)))
    }

    /// Does the same as [`Self::start`], with a function that reads the first line of each connection. Tests use a slow
    /// one.
    pub fn start_with(address: &str, wake: Wake, read_header: Box<ReadHeader>) -> Result<Self, String> {
        let socket = bind(address)?;
        let address = socket.local_addr().map_err(|error| format!("{address}: {error}"))?;
        let shared = Arc::new(Shared {
            inbox: Mutex::default(),
            has_ended: AtomicBool::new(false),
            callers: Callers::default(),
            solvers: Solvers::default(),
            #[cfg(not(target_arch = "wasm32"))]
            has_told_of_web: AtomicBool::new(false),
            read_header,
        });
        let mut own = Self { address, shared: shared.clone(), accepts: None };
        own.accepts = Some(threads::spawn("kinescope listener", {
            let wake = wake.clone();
            move || accept(&socket, &shared, &wake)
        })?);
        let shared = own.shared.clone();
        threads::spawn("kinescope games", move || {
            while let Some(peer) = shared.callers.next_peer(|| shared.has_ended()) {
                let connection = Connection { shared: shared.clone(), wake: wake.clone(), peer: peer.clone() };
                if let Err(error) = threads::spawn("kinescope game", move || connection.run()) {
                    let end = End::Refused(text::peer_error(&peer.from, &error));
                    Connection { shared: shared.clone(), wake: wake.clone(), peer }.end(false, end);
                }
            }
        })?;
        Ok(own)
    }

    pub fn is_open_to_others(&self) -> bool {
        !self.address.ip().is_loopback()
    }

    pub fn take(&self) -> Vec<Event> {
        self.shared.inbox().take()
    }

    pub fn traffic(&self) -> Traffic {
        let calling = self.shared.callers.calling();
        Traffic { calling, ..self.shared.inbox().traffic }
    }

    pub(crate) fn solvers(&self) -> Vec<Arc<Solver>> {
        self.shared.solvers.all()
    }

    /// Sends a character's parameters to the game without waiting. A game that did not read for a while gets only the
    /// last parameters of each character.
    pub(crate) fn tune(&self, character: &str, parameters: &Settings) {
        #[derive(serde::Serialize)]
        struct Tuned<'a> {
            character: &'a str,
            parameters: &'a Settings,
        }
        let line = serde_json::to_string(&Tuned { character, parameters }).unwrap_or_default() + "\n";
        self.shared.callers.send_to_served(character, line);
    }

    pub(crate) fn disconnect(&self) {
        self.shared.callers.disconnect();
    }
}

impl Drop for Listener {
    /// Frees the address. A connection whose header is being read ends once the header is read.
    fn drop(&mut self) {
        self.shared.callers.end(|| self.shared.has_ended.store(true, Ordering::Relaxed));
        // Joining waits until the address is free, because the next listener may use the same address.
        if let Some(accepts) = self.accepts.take() {
            let _ = accepts.join();
        }
        self.shared.callers.drop_waiting();
    }
}

fn bind(address: &str) -> Result<TcpListener, String> {
    let mut addresses =
        address.to_socket_addrs().map_err(|_| text::not_an_address(&address, &kinescope_ik::link::ADDRESS))?;
    let address = addresses.next().ok_or_else(|| text::unknown_address(&address))?;
    let socket = TcpListener::bind(address).map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => text::address_in_use(&address),
        ErrorKind::AddrNotAvailable => text::not_own_address(&address),
        _ => format!("{address}: {error}"),
    })?;
    socket.set_nonblocking(true).map_err(|error| format!("{address}: {error}"))?;
    Ok(socket)
}

fn accept(socket: &TcpListener, shared: &Shared, wake: &Wake) {
    while !shared.has_ended() {
        match socket.accept() {
            Ok((stream, from)) => shared.callers.add(Call { stream, from, at: Instant::now() }),
            // There is no caller, or the system has no resources for a connection at this time.
            Err(_) => threads::sleep(ACCEPT_INTERVAL),
        }
        if shared.turn_away() {
            wake.ring();
        }
    }
}

/// Returns whether an operation only timed out or was interrupted, so that it can be repeated.
fn is_late(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

fn hang_up(stream: &TcpStream) {
    // An error means that the peer has already closed the connection.
    let _ = stream.shutdown(std::net::Shutdown::Both);
}
