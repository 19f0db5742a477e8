//! A bounded queue of events for the window, and counters of the traffic.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::Arc;

use kinescope_ik::game_recording::{GameCharacter, GameFrame, Header, Mark};

use crate::tools::game::marks::MOST_MARKS;

/// Largest total size of waiting frames, headers and joins, bytes.
const MOST_BYTES: usize = 64 << 20;
/// Largest number of waiting events other than frames.
const MOST_OTHERS: usize = 2 * MOST_MARKS;

#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    Connected {
        from: SocketAddr,
        header: Arc<Header>,
    },
    Frame(Box<GameFrame>),
    Mark(Mark),
    /// A character joined. `index` is its index in the reader.
    Joined {
        index: usize,
        character: Arc<GameCharacter>,
    },
    Left {
        index: usize,
    },
    /// A malformed line, if its kind of fault is new in this connection.
    Malformed {
        from: SocketAddr,
        fault: String,
        /// Whether this is the first malformed line of the connection.
        is_first: bool,
    },
    Disconnected {
        from: SocketAddr,
        end: End,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The game closed the connection, the user disconnected it, listening stopped, or another game was connected.
    Closed,
    /// The connection ended within a line or with an error, for example because the game crashed or closed it without
    /// reading Kinescope's answers.
    CutOff,
    /// Kinescope ended the connection for this reason.
    Refused(String),
}

/// Counters since the listener was started, and the connected peer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// The connected peer, with or without a header.
    pub calling: Option<SocketAddr>,
    /// The connected peer that has sent its header.
    pub from: Option<SocketAddr>,
    pub frames: u64,
    pub bytes: u64,
    pub parsed: u64,
    /// Number of frames that were dropped because the window did not take them in time.
    pub dropped: u64,
    pub(crate) dropped_marks: u64,
    pub refused: u64,
    /// Number of callers refused because another game was connected, too many callers waited, or the handshake of a
    /// WebSocket failed.
    pub turned_away: u64,
}

#[derive(Default)]
pub(super) struct Inbox {
    /// Events with their sizes in bytes, which are 0 for all but frames, headers and joins.
    events: VecDeque<(Event, usize)>,
    bytes: usize,
    /// Number of events other than frames.
    others: usize,
    /// Whether a join or a leave waited so long that it would have to be dropped. Later lines may depend on it, so the
    /// connection must end.
    is_overrun: bool,
    pub(crate) traffic: Traffic,
}

impl Inbox {
    pub(crate) fn take_overrun(&mut self) -> bool {
        std::mem::take(&mut self.is_overrun)
    }

    pub(crate) fn take(&mut self) -> Vec<Event> {
        (self.bytes, self.others) = (0, 0);
        std::mem::take(&mut self.events).into_iter().map(|(event, _)| event).collect()
    }

    /// Adds an event with its size in bytes, and drops events beyond the limits. Returns whether the inbox was empty.
    pub(crate) fn put(&mut self, event: Event, bytes: usize) -> bool {
        let was_empty = self.events.is_empty();
        self.others += usize::from(!matches!(event, Event::Frame(_)));
        self.bytes += bytes;
        self.events.push_back((event, bytes));
        while self.bytes > MOST_BYTES || self.others > MOST_OTHERS {
            let may_go = match self.bytes > MOST_BYTES {
                true => |event: &Event| matches!(event, Event::Frame(_)),
                false => |event: &Event| matches!(event, Event::Mark(_) | Event::Malformed { .. }),
            };
            // If no event may go, the oldest is dropped, because the newest says whether a game is connected.
            let at = self.events.iter().position(|(event, _)| may_go(event)).unwrap_or(0);
            if let Some((Event::Joined { .. } | Event::Left { .. }, _)) = self.events.get(at) {
                self.is_overrun = true;
                break;
            }
            let Some((event, bytes)) = self.events.remove(at) else { break };
            self.count_dropped(&event, bytes);
            // All events of a dropped header's connection are dropped as well. Without the header, its frames would
            // count as frames of the previous game.
            while matches!(event, Event::Connected { .. })
                && self.events.front().is_some_and(|(next, _)| !matches!(next, Event::Connected { .. }))
                && let Some((next, bytes)) = self.events.pop_front()
            {
                self.count_dropped(&next, bytes);
            }
        }
        was_empty
    }

    fn count_dropped(&mut self, event: &Event, bytes: usize) {
        let is_frame = matches!(event, Event::Frame(_));
        self.bytes -= bytes;
        self.others -= usize::from(!is_frame);
        self.traffic.dropped += u64::from(is_frame);
        self.traffic.dropped_marks += u64::from(matches!(event, Event::Mark(_)));
    }
}
