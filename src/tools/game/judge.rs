//! Compares frames of games with Kinescope's own solves, off the drawing thread.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use super::listener::Wake;
use super::source::Source;
use crate::cli::diff::{Apart, GameDifference, Solvers, against_own};
use kinescope_ik::game_recording::Header;

/// How a frame compares.
#[derive(Clone, Debug, PartialEq)]
pub enum Judged {
    Same,
    Differs {
        /// The first stage, node or bone.
        place: String,
        apart: Apart,
    },
    /// Why it cannot be read or solved.
    Broken(String),
}

/// A frame: game, character, number.
pub type Which = (u64, usize, u64);

/// Frames that wait to be judged, at most.
const MOST_WAITING: usize = 512;

/// A judged frame, as the thread sends it.
struct Done {
    which: Which,
    judged: Judged,
    /// Solvers that the thread has made so far.
    solvers_made: u64,
}

/// The thread that compares.
pub struct Judge {
    work: SyncSender<(Which, Source)>,
    done: Receiver<Done>,
    /// Frames that were sent and have not come back.
    under_way: usize,
    solvers_made: u64,
}

impl Judge {
    /// # Errors
    /// What the system says if it gives no thread.
    pub fn start(wake: Wake) -> Result<Self, String> {
        let (work, waiting) = sync_channel::<(Which, Source)>(MOST_WAITING);
        // Room for all that can be under way: the thread never waits for the window.
        let (send, done) = sync_channel(MOST_WAITING + 2);
        let run = move || {
            let mut judging = Judging::default();
            while let Ok((which, source)) = waiting.recv() {
                // Whatever a program sends, the window stays: a frame that makes the solver panic is broken.
                let judged = catch_unwind(AssertUnwindSafe(|| judging.judge(&source))).unwrap_or_else(|_| {
                    judging.solvers.clear();
                    Judged::Broken("cannot be solved".to_owned())
                });
                if send.send(Done { which, judged, solvers_made: judging.solvers.made }).is_err() {
                    return;
                }
                wake.ring();
            }
        };
        std::thread::Builder::new().name("kinescope judge".to_owned()).spawn(run).map_err(|error| error.to_string())?;
        Ok(Self { work, done, under_way: 0, solvers_made: 0 })
    }

    /// Whether frames are under way.
    pub fn is_busy(&self) -> bool {
        self.under_way > 0
    }

    /// Whether there is room for another frame.
    pub fn has_room(&self) -> bool {
        self.under_way < MOST_WAITING
    }

    /// Solvers that the thread has made: one for each character of the game that it compares.
    pub fn solvers_made(&self) -> u64 {
        self.solvers_made
    }

    /// Sends a frame to be judged. Returns whether it was taken.
    pub fn send(&mut self, which: Which, source: Source) -> bool {
        let is_taken = self.work.try_send((which, source)).is_ok();
        self.under_way += usize::from(is_taken);
        is_taken
    }

    /// Returns the frames that were judged since the last call.
    pub fn take(&mut self) -> Vec<(Which, Judged)> {
        let done: Vec<Done> = self.done.try_iter().collect();
        self.under_way -= done.len().min(self.under_way);
        self.solvers_made = done.last().map_or(self.solvers_made, |last| last.solvers_made);
        done.into_iter().map(|Done { which, judged, .. }| (which, judged)).collect()
    }
}

/// What judging keeps from one frame to the next: the solvers of one game's characters.
#[derive(Default)]
pub struct Judging {
    header: Option<Arc<Header>>,
    solvers: Solvers,
}

impl Judging {
    /// Compares one frame with Kinescope's solve of the same input.
    pub fn judge(&mut self, source: &Source) -> Judged {
        let frame = match source.read() {
            Ok(frame) => frame,
            Err(error) => return Judged::Broken(error),
        };
        let Some(character) = source.header.characters.get(frame.character) else {
            return Judged::Broken("is of no character of the header".to_owned());
        };
        if self.header.as_ref().is_none_or(|known| !Arc::ptr_eq(known, &source.header)) {
            self.header = Some(source.header.clone());
            self.solvers.clear();
        }
        match against_own(&frame, character, &mut self.solvers, None) {
            Ok(None) => Judged::Same,
            Ok(Some(GameDifference { stage, apart, .. })) => Judged::Differs { place: stage, apart },
            Err(fault) => Judged::Broken(fault.to_string()),
        }
    }
}
