//! Wakes the window on X11. The window library draws on events and waits for the next one when nothing moves. It can wait
//! too long for two reasons. It takes all events that came while it drew and then waits for one more. Timed changes, such as
//! a tooltip after half a second or a blinking cursor, are not events. This module sends a harmless event to the window from
//! a second connection to the screen.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConnectionExt, EventMask, KEY_PRESS_EVENT, KEY_RELEASE_EVENT, KeyButMask,
    KeyPressEvent, Window,
};
use x11rb::rust_connection::RustConnection;

use crate::system::threads;

/// Delays between the start of the window's wait and the events that end it. One event is not enough, because presenting the
/// picture takes up to 140 ms on a busy processor, and some seconds beside many busy processes. Events sent meanwhile were
/// lost, together with a key press.
const NUDGES: [Duration; 6] = [
    Duration::from_millis(15),
    Duration::from_millis(60),
    Duration::from_millis(250),
    Duration::from_secs(1),
    Duration::from_secs(4),
    Duration::from_secs(16),
];
/// A key code that no keyboard has. Pressing it only makes the window draw.
const NO_KEY: u8 = 255;

enum Message {
    Waits,
    DrawAt(Instant),
    /// The window must draw now, whether it waits or not.
    Draw,
}

pub(crate) struct Waker(Sender<Message>);

impl Waker {
    /// Starts the thread for the window with this title. Returns `None` without an X server or a thread.
    pub(crate) fn start(title: &'static str) -> Option<Self> {
        let (send, hear) = channel();
        let (connection, screen) = x11rb::connect(None).ok()?;
        let root = connection.setup().roots.get(screen)?.root;
        let work = move || Work { connection, root, title, windows: Vec::new() }.run(&hear);
        threads::spawn("waker", work).ok()?;
        Some(Self(send))
    }

    pub(crate) fn bell(&self) -> impl Fn() + Send + Sync + 'static {
        let send = self.0.clone();
        move || {
            let _ = send.send(Message::Draw);
        }
    }

    /// Reports that the window waits from now on, and must draw again after `delay`, if there is one.
    pub(crate) fn waits(&self, delay: Option<Duration>) {
        // If the thread has ended, only the system's events wake the window.
        let _ = self.0.send(Message::Waits);
        if let Some(at) = delay.and_then(|delay| Instant::now().checked_add(delay)) {
            let _ = self.0.send(Message::DrawAt(at));
        }
    }
}

struct Work {
    connection: RustConnection,
    root: Window,
    title: &'static str,
    windows: Vec<Window>,
}

impl Work {
    fn run(mut self, hear: &Receiver<Message>) {
        let mut nudges: Vec<Instant> = Vec::new();
        let mut draw_at: Option<Instant> = None;
        loop {
            let next = nudges.iter().copied().chain(draw_at).min();
            let wait = next.map_or(Duration::from_secs(3600), |next| next.saturating_duration_since(Instant::now()));
            match hear.recv_timeout(wait) {
                Ok(Message::Waits) => {
                    nudges = NUDGES.map(|delay| Instant::now() + delay).to_vec();
                    draw_at = None;
                }
                Ok(Message::DrawAt(at)) => draw_at = Some(draw_at.map_or(at, |due| due.min(at))),
                Ok(Message::Draw) => {
                    if self.send(true).is_none() {
                        return;
                    }
                    // The window may take the event just before it waits, so the event is sent repeatedly.
                    nudges = NUDGES.map(|delay| Instant::now() + delay).to_vec();
                }
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {
                    let now = Instant::now();
                    let draws = draw_at.is_some_and(|at| at <= now);
                    let due = nudges.len();
                    nudges.retain(|&at| at > now);
                    if draws {
                        draw_at = None;
                    }
                    // If the screen is gone, so is the window.
                    if (draws || nudges.len() < due) && self.send(draws).is_none() {
                        return;
                    }
                }
            }
        }
    }

    /// Sends an event that makes the window look for other events, or draw if `draws`. Returns `None` if the screen is gone.
    fn send(&mut self, draws: bool) -> Option<()> {
        if self.windows.is_empty() {
            self.windows = self.find(self.root, 4);
        }
        for &window in &self.windows {
            if draws {
                for kind in [KEY_PRESS_EVENT, KEY_RELEASE_EVENT] {
                    let event = KeyPressEvent {
                        response_type: kind,
                        detail: NO_KEY,
                        sequence: 0,
                        time: 0,
                        root: self.root,
                        event: window,
                        child: 0,
                        root_x: 0,
                        root_y: 0,
                        event_x: 0,
                        event_y: 0,
                        state: KeyButMask::default(),
                        same_screen: true,
                    };
                    self.connection.send_event(false, window, EventMask::NO_EVENT, event).ok()?;
                }
            } else {
                let event = ClientMessageEvent::new(32, window, AtomEnum::NOTICE, [0; 5]);
                self.connection.send_event(false, window, EventMask::NO_EVENT, event).ok()?;
            }
        }
        self.connection.flush().ok()
    }

    /// Returns the windows with the title: `window`, or those up to `depth` levels below it. An event does no harm to
    /// another program's window with the same title.
    fn find(&self, window: Window, depth: u32) -> Vec<Window> {
        let title = self.connection.get_property(false, window, AtomEnum::WM_NAME, AtomEnum::ANY, 0, 64);
        let is_ours =
            title.ok().and_then(|title| title.reply().ok()).is_some_and(|title| title.value == self.title.as_bytes());
        if is_ours {
            return vec![window];
        }
        let tree = self.connection.query_tree(window).ok().and_then(|tree| tree.reply().ok());
        let children = tree.map_or_else(Vec::new, |tree| tree.children);
        let deeper = children.into_iter().filter(|_| depth > 0);
        deeper.flat_map(|child| self.find(child, depth - 1)).collect()
    }
}
