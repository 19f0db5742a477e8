//! Compares a game's frames with Kinescope's own solves: in a background thread or, without threads, between two frames of
//! the window.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use super::listener::Wake;
use super::source::Source;
use crate::system::clock::Instant;
use crate::system::threads;
use crate::tools::compare::report::{GameDifference, ResultDistance, Solvers, against_own};
use crate::tools::game::words as text;

#[derive(Clone, Debug, PartialEq)]
pub enum Judged {
    Same,
    Differs {
        place: String,
        apart: ResultDistance,
    },
    /// Why there is no comparison.
    Broken(String),
}

/// Identifies a frame: game, character, number.
pub type Which = (u64, usize, u64);

const MOST_WAITING: usize = 512;
/// Time for judging between two frames of the window, without threads.
const SLICE: Duration = Duration::from_millis(6);

struct Done {
    which: Which,
    judged: Judged,
    solvers_made: u64,
}

pub struct Judge {
    work: SyncSender<(Which, Source)>,
    done: Receiver<Done>,
    /// The worker that [`Self::take`] runs if there are no threads.
    own: Option<Worker>,
    under_way: usize,
    solvers_made: u64,
}

impl Judge {
    pub fn start(wake: Wake) -> Result<Self, String> {
        let (work, waiting) = sync_channel::<(Which, Source)>(MOST_WAITING);
        // The channel has room for all frames under way, so that the thread never waits for the window.
        let (send, done) = sync_channel(MOST_WAITING + 2);
        let worker = Worker { waiting, done: send, judging: Judging::default() };
        let own = match threads::HAS_THREADS {
            true => {
                threads::spawn("kinescope judge", move || worker.run(&wake))?;
                None
            }
            false => Some(worker),
        };
        Ok(Self { work, done, own, under_way: 0, solvers_made: 0 })
    }

    pub fn is_busy(&self) -> bool {
        self.under_way > 0
    }

    pub(crate) fn has_room(&self) -> bool {
        self.under_way < MOST_WAITING
    }

    pub fn solvers_made(&self) -> u64 {
        self.solvers_made
    }

    pub fn send(&mut self, which: Which, source: Source) -> bool {
        let is_taken = self.work.try_send((which, source)).is_ok();
        self.under_way += usize::from(is_taken);
        is_taken
    }

    /// Without threads, first compares waiting frames until [`SLICE`] has passed.
    pub fn take(&mut self) -> Vec<(Which, Judged)> {
        if let Some(worker) = &mut self.own {
            worker.run_for(SLICE);
        }
        let done: Vec<Done> = self.done.try_iter().collect();
        self.under_way -= done.len().min(self.under_way);
        self.solvers_made = done.last().map_or(self.solvers_made, |last| last.solvers_made);
        done.into_iter().map(|Done { which, judged, .. }| (which, judged)).collect()
    }
}

struct Worker {
    waiting: Receiver<(Which, Source)>,
    done: SyncSender<Done>,
    judging: Judging,
}

impl Worker {
    fn run(mut self, wake: &Wake) {
        while let Ok((which, source)) = self.waiting.recv() {
            if self.judge(which, &source).is_none() {
                return;
            }
            wake.ring();
        }
    }

    fn run_for(&mut self, time: Duration) {
        let since = Instant::now();
        while since.elapsed() < time
            && let Ok((which, source)) = self.waiting.try_recv()
        {
            self.judge(which, &source);
        }
    }

    fn judge(&mut self, which: Which, source: &Source) -> Option<()> {
        // A panic of the solver would end this thread, and no later frame would be judged, so the frame counts as
        // broken.
        let judged = catch_unwind(AssertUnwindSafe(|| self.judging.judge(source))).unwrap_or_else(|_| {
            self.judging.solvers.clear();
            Judged::Broken(text::CANNOT_SOLVE.to_owned())
        });
        self.done.send(Done { which, judged, solvers_made: self.judging.solvers.made }).ok()
    }
}

#[derive(Default)]
pub struct Judging {
    solvers: Solvers,
}

impl Judging {
    pub fn judge(&mut self, source: &Source) -> Judged {
        let frame = match source.read() {
            Ok(frame) => frame,
            Err(error) => return Judged::Broken(error),
        };
        match against_own(&frame, &source.character, &mut self.solvers, None) {
            Ok(None) => Judged::Same,
            Ok(Some(GameDifference { stage, apart, .. })) => Judged::Differs { place: stage, apart },
            Err(fault) => Judged::Broken(fault.to_string()),
        }
    }
}
