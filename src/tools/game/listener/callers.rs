//! Connected programs: the served one, those whose header is being read, and waiting ones.

use std::collections::VecDeque;
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::sender::LineSender;
use super::solver_lines;
use super::{ACCEPT_INTERVAL, BUSY_WAIT, CHECK_INTERVAL, hang_up};
use crate::system::clock::Instant;

const MOST_WAITING: usize = 16;
/// If a header is not complete after this time, the next caller is served meanwhile. Almost all headers take less than
/// a millisecond, so callers keep their order.
const LONG_HEADER: Duration = Duration::from_millis(100);
/// Largest number of connections whose headers are awaited while another caller is served, to limit threads and memory.
/// Further callers wait.
const MOST_READING: usize = 4;

pub(super) struct Call {
    pub(crate) stream: TcpStream,
    pub(crate) from: SocketAddr,
    pub(crate) at: Instant,
}

impl Call {
    /// Returns whether the first bytes that have arrived are those of a solver of the full-body lab. Solvers are served
    /// while a game is connected.
    fn is_solver(&self) -> bool {
        let mut first = [0; 512];
        let count = self.stream.peek(&mut first).unwrap_or(0);
        String::from_utf8_lossy(&first[..count]).strip_prefix("GET /solver").is_some()
            || solver_lines::is_header(&first[..count])
    }
}

pub(super) struct Peer {
    pub(crate) from: SocketAddr,
    pub(crate) stream: TcpStream,
    pub(crate) sender: LineSender,
    is_disconnected: AtomicBool,
}

impl Peer {
    fn new(Call { stream, from, .. }: Call) -> Self {
        Self { from, stream, sender: LineSender::default(), is_disconnected: AtomicBool::new(false) }
    }

    fn disconnect(&self) {
        self.is_disconnected.store(true, Ordering::Relaxed);
        hang_up(&self.stream);
    }

    pub(crate) fn is_disconnected(&self) -> bool {
        self.is_disconnected.load(Ordering::Relaxed)
    }
}

#[derive(Default)]
enum Served {
    #[default]
    Nobody,
    /// A connection whose thread is starting, or whose header is complete.
    Peer(Arc<Peer>),
    /// A connection whose header is awaited or being read since this time.
    Header(Arc<Peer>, Instant),
}

impl Served {
    fn peer(&self) -> Option<&Arc<Peer>> {
        match self {
            Self::Nobody => None,
            Self::Peer(peer) | Self::Header(peer, _) => Some(peer),
        }
    }

    fn is(&self, peer: &Arc<Peer>) -> bool {
        self.peer().is_some_and(|served| Arc::ptr_eq(served, peer))
    }
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Call>,
    served: Served,
    /// Connections whose header is awaited or being read while the next caller is served.
    reading: Vec<Arc<Peer>>,
    /// Number of connections that have read their header and wait to be served again. They come before those in `waiting`.
    ready: usize,
}

#[derive(Default)]
pub(super) struct Callers {
    state: Mutex<State>,
    changed: Condvar,
}

impl Callers {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn add(&self, call: Call) {
        // Peeking at the first bytes of a waiting caller must not block.
        let _ = call.stream.set_nonblocking(true);
        self.lock().waiting.push_back(call);
        self.changed.notify_all();
    }

    /// Returns the address of the served peer, else of the newest peer whose header is awaited or being read.
    pub(crate) fn calling(&self) -> Option<SocketAddr> {
        let state = self.lock();
        state.served.peer().or(state.reading.last()).map(|peer| peer.from)
    }

    pub(crate) fn send_to_served(&self, character: &str, line: String) {
        if let Some(peer) = self.lock().served.peer() {
            peer.sender.send(character, line);
        }
    }

    /// Waits until the next caller can be served, marks it as served and returns it. Solvers are also returned, without
    /// the mark, while another caller is served. `None` once `has_ended` holds.
    pub(crate) fn next_peer(&self, has_ended: impl Fn() -> bool) -> Option<Arc<Peer>> {
        let mut state = self.lock();
        while !has_ended() {
            let may_give_way = !state.waiting.is_empty() && state.reading.len() < MOST_READING;
            let gives_way_in = match &state.served {
                Served::Header(_, since) if may_give_way => Some(LONG_HEADER.saturating_sub(since.elapsed())),
                Served::Header(..) | Served::Peer(_) | Served::Nobody => None,
            };
            if gives_way_in == Some(Duration::ZERO)
                && let Served::Header(peer, _) = std::mem::take(&mut state.served)
            {
                state.reading.push(peer);
            }
            let is_free = state.served.peer().is_none() && state.ready == 0;
            if let Some(call) = if is_free { state.waiting.pop_front() } else { None } {
                let peer = Arc::new(Peer::new(call));
                state.served = Served::Peer(peer.clone());
                return Some(peer);
            }
            if state.reading.len() < MOST_READING
                && let Some(at) = state.waiting.iter().position(Call::is_solver)
                && let Some(call) = state.waiting.remove(at)
            {
                let peer = Arc::new(Peer::new(call));
                state.reading.push(peer.clone());
                return Some(peer);
            }
            let looks_in = (!state.waiting.is_empty()).then_some(ACCEPT_INTERVAL);
            state = match gives_way_in.into_iter().chain(looks_in).min() {
                Some(wait) => self.changed.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0,
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
        None
    }

    pub(crate) fn begin_header(&self, peer: &Arc<Peer>) {
        let mut state = self.lock();
        if state.served.is(peer) {
            state.served = Served::Header(peer.clone(), Instant::now());
            self.changed.notify_all();
        }
    }

    /// Marks that a connection has read its header. If the next caller was served meanwhile, waits until the connection
    /// is served again. Returns `false` if another game stays connected, or if the connection has to end.
    pub(crate) fn end_header(
        &self,
        peer: &Arc<Peer>,
        has_to_end: impl Fn() -> bool,
        is_taken: impl Fn() -> bool,
    ) -> bool {
        let read = Instant::now();
        let mut state = self.lock();
        state.ready += 1;
        let is_served = loop {
            if has_to_end() {
                break false;
            }
            if state.served.is(peer) || state.served.peer().is_none() {
                state.reading.retain(|other| !Arc::ptr_eq(other, peer));
                state.served = Served::Peer(peer.clone());
                break true;
            }
            if read.elapsed() > BUSY_WAIT && is_taken() {
                break false;
            }
            state = self.changed.wait_timeout(state, CHECK_INTERVAL).unwrap_or_else(PoisonError::into_inner).0;
        };
        state.ready -= 1;
        self.changed.notify_all();
        is_served
    }

    pub(crate) fn remove(&self, peer: &Arc<Peer>) {
        let mut state = self.lock();
        if state.served.is(peer) {
            state.served = Served::Nobody;
        }
        state.reading.retain(|other| !Arc::ptr_eq(other, peer));
        self.changed.notify_all();
    }

    pub(crate) fn overdue(&self, is_taken: bool) -> Vec<Call> {
        let calls = &mut self.lock().waiting;
        let mut overdue = Vec::new();
        while calls.len() > MOST_WAITING || calls.front().is_some_and(|call| is_taken && call.at.elapsed() > BUSY_WAIT)
        {
            overdue.extend(calls.pop_front());
        }
        overdue
    }

    /// Ends the served connection. If none is served, or its header is awaited or being read, also ends all connections
    /// in `reading`.
    pub(crate) fn disconnect(&self) {
        let mut state = self.lock();
        match &state.served {
            Served::Peer(peer) => peer.disconnect(),
            Served::Nobody | Served::Header(..) => {
                // The next caller is served at once, before the threads of these connections have ended.
                let served = std::mem::take(&mut state.served);
                served.peer().into_iter().chain(&state.reading).for_each(|peer| peer.disconnect());
                state.reading.clear();
                self.changed.notify_all();
            }
        }
    }

    /// Ends the served connection and those in `reading`. Runs `set_ended`, which makes [`Self::next_peer`] return,
    /// under the lock, so that no thread can start to wait after it and miss the signal.
    pub(crate) fn end(&self, set_ended: impl FnOnce()) {
        let state = self.lock();
        set_ended();
        self.changed.notify_all();
        state.served.peer().into_iter().chain(&state.reading).for_each(|peer| hang_up(&peer.stream));
    }

    pub(crate) fn drop_waiting(&self) {
        self.lock().waiting.clear();
    }
}
