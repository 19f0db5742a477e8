//! Holds frames of games against Kinescope's own solves, off the drawing thread.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use super::{Source, Wake};
use crate::cli::diff::{Apart, GameDifference, against_own};

/// What came of a frame.
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

/// Which frame it is: game, character, number.
pub type Which = (u64, usize, u64);

/// Frames that wait to be judged, at most.
const MOST_WAITING: usize = 512;

/// The thread that judges.
pub struct Judge {
    work: SyncSender<(Which, Source)>,
    done: Receiver<(Which, Judged)>,
    /// Handed over and not come back.
    going: usize,
}

impl Judge {
    /// # Errors
    /// What the system says if it gives no thread.
    pub fn start(wake: Wake) -> Result<Self, String> {
        let (work, asked) = sync_channel::<(Which, Source)>(MOST_WAITING);
        // Room for all that can be under way: it never waits for the window.
        let (tell, done) = sync_channel(MOST_WAITING + 2);
        let run = move || {
            while let Ok((which, source)) = asked.recv() {
                // Whatever a program sends, the window stays: one frame is not worth it.
                let judged = catch_unwind(AssertUnwindSafe(|| judge(&source)));
                let judged = judged.unwrap_or_else(|_| Judged::Broken("cannot be solved".to_owned()));
                if tell.send((which, judged)).is_err() {
                    return;
                }
                wake.ring();
            }
        };
        std::thread::Builder::new().name("kinescope judge".to_owned()).spawn(run).map_err(|error| error.to_string())?;
        Ok(Self { work, done, going: 0 })
    }

    /// Whether frames are under way.
    pub fn is_busy(&self) -> bool {
        self.going > 0
    }

    /// Whether there is room for another frame.
    pub fn has_room(&self) -> bool {
        self.going < MOST_WAITING
    }

    /// Returns whether it is looked at.
    pub fn ask(&mut self, which: Which, source: Source) -> bool {
        let is_taken = self.work.try_send((which, source)).is_ok();
        self.going += usize::from(is_taken);
        is_taken
    }

    /// What has come back.
    pub fn take(&mut self) -> Vec<(Which, Judged)> {
        let done: Vec<_> = self.done.try_iter().collect();
        self.going -= done.len().min(self.going);
        done
    }
}

/// Holds one frame against Kinescope's solve of the same input.
pub fn judge(source: &Source) -> Judged {
    let frame = match source.read() {
        Ok(frame) => frame,
        Err(error) => return Judged::Broken(error),
    };
    let Some(character) = source.header.characters.get(frame.character) else {
        return Judged::Broken("is of no character of the header".to_owned());
    };
    match against_own(&frame, character, None) {
        Ok(None) => Judged::Same,
        Ok(Some(GameDifference { stage, apart, .. })) => Judged::Differs { place: stage, apart },
        Err(fault) => Judged::Broken(fault.to_string()),
    }
}
