use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::Duration;

use super::listener::{Listener, Traffic};
use crate::system::clock::Instant;

pub enum Connection {
    Off {
        /// The address of the last listener, as passed to [`Listener::start`]. `None` before the first listener.
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

    pub(crate) fn listening_mut(&mut self) -> Option<&mut Listening> {
        match self {
            Self::Off { .. } => None,
            Self::Listening(listening) => Some(listening),
        }
    }

    pub fn address(&self) -> Option<&str> {
        match self {
            Self::Off { address } => address.as_deref(),
            Self::Listening(listening) => Some(&listening.asked_address),
        }
    }

    pub(crate) fn stop(&mut self) {
        *self = Self::Off { address: self.address().map(str::to_owned) };
    }
}

pub struct Listening {
    pub listener: Listener,
    /// The address as passed to [`Listener::start`], before its host name is resolved.
    asked_address: String,
    pub traffic: Traffic,
    pub rate: Rate,
    /// Faults of malformed lines since a game last connected, at most one of each kind per connection.
    pub malformed: Vec<String>,
    /// The peer whose header was accepted, until its disconnection is handled.
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

    pub fn update(&mut self, now: Instant) -> bool {
        self.traffic = self.listener.traffic();
        self.rate.count(&self.traffic, now)
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rate {
    pub frames: f32,
    pub bytes: f32,
    /// Time of each sample, with the frames and bytes received until then. The oldest sample comes first.
    samples: VecDeque<(Instant, u64, u64)>,
}

impl Rate {
    const OVER: Duration = Duration::from_secs(2);
    const INTERVAL: Duration = Duration::from_millis(250);

    pub fn count(&mut self, traffic: &Traffic, now: Instant) -> bool {
        let since = |at: Instant| now.saturating_duration_since(at);
        if self.samples.back().is_some_and(|&(at, ..)| since(at) < Self::INTERVAL) {
            return false;
        }
        self.samples.push_back((now, traffic.frames, traffic.bytes));
        // The newest sample that is at least 2 s old stays, because the averages start there.
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
