//! Whether Kinescope listens for games, and what the window knows of the connection.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use super::listener::{Listener, Traffic};

/// Whether Kinescope listens for games.
pub enum Connection {
    Off {
        /// Where it listened last, as the user wrote it.
        address: Option<String>,
    },
    Listening(Box<Listening>),
}

impl Default for Connection {
    fn default() -> Self {
        Self::Off { address: None }
    }
}

impl Connection {
    pub fn listening(&self) -> Option<&Listening> {
        match self {
            Self::Off { .. } => None,
            Self::Listening(listening) => Some(listening),
        }
    }

    pub fn listening_mut(&mut self) -> Option<&mut Listening> {
        match self {
            Self::Off { .. } => None,
            Self::Listening(listening) => Some(listening),
        }
    }

    /// Where it listens, or listened last, as the user wrote it.
    pub fn address(&self) -> Option<&str> {
        match self {
            Self::Off { address } => address.as_deref(),
            Self::Listening(listening) => Some(&listening.asked_address),
        }
    }

    /// Stops listening, and frees the address.
    pub fn stop(&mut self) {
        *self = Self::Off { address: self.address().map(str::to_owned) };
    }
}

/// A listener, and what the window knows of its connections.
pub struct Listening {
    pub listener: Listener,
    /// As the user wrote it.
    asked_address: String,
    /// As of the last update.
    pub traffic: Traffic,
    pub rate: Rate,
    /// Faults of malformed lines of the connected game, or of the last one.
    pub malformed: Vec<String>,
    /// The peer whose header the window has taken, until the window has taken its end.
    pub peer: Option<SocketAddr>,
}

impl Listening {
    pub fn new(listener: Listener, asked_address: &str) -> Self {
        Self {
            listener,
            asked_address: asked_address.to_owned(),
            traffic: Traffic::default(),
            rate: Rate::default(),
            malformed: Vec::new(),
            peer: None,
        }
    }

    /// Takes the counters. Returns whether a rate has changed.
    pub fn update(&mut self, now: Instant) -> bool {
        self.traffic = self.listener.traffic();
        self.rate.count(&self.traffic, now)
    }
}

/// Frames and bytes a second, over the last two seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rate {
    /// A second.
    pub frames: f32,
    pub bytes: f32,
    /// Time, frames and bytes of each sample, the oldest first.
    samples: VecDeque<(Instant, u64, u64)>,
}

impl Rate {
    /// The time over which it counts, and between two samples.
    const OVER: Duration = Duration::from_secs(2);
    const INTERVAL: Duration = Duration::from_millis(250);

    /// Counts what has come by `now`. Returns whether the rates have changed.
    pub fn count(&mut self, traffic: &Traffic, now: Instant) -> bool {
        let since = |at: Instant| now.saturating_duration_since(at);
        if self.samples.back().is_some_and(|&(at, ..)| since(at) < Self::INTERVAL) {
            return false;
        }
        self.samples.push_back((now, traffic.frames, traffic.bytes));
        // One sample older than the span stays: the span begins there.
        while self.samples.get(1).is_some_and(|&(at, ..)| since(at) >= Self::OVER) {
            self.samples.pop_front();
        }
        let before = (self.frames, self.bytes);
        if let Some(&(at, frames, bytes)) = self.samples.front().filter(|_| self.samples.len() > 1) {
            let seconds = since(at).as_secs_f32();
            self.frames = traffic.frames.saturating_sub(frames) as f32 / seconds;
            self.bytes = traffic.bytes.saturating_sub(bytes) as f32 / seconds;
        }
        before != (self.frames, self.bytes)
    }

    pub fn is_moving(&self) -> bool {
        self.frames > 0.0 || self.bytes > 0.0
    }
}
