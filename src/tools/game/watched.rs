//! The shown character of a game, and data kept only while it is shown.

use std::collections::VecDeque;
use std::sync::Arc;

use kinescope_ik::debugger::fields::Change;
use kinescope_ik::rig::RigidTransform;
use kinescope_ik::stack::Frame;

/// Largest approximate memory of cached solves, bytes.
pub const SOLVES_BUDGET: usize = 32 << 20;
/// Largest number of cached solves. Without a solver, solves are so small that [`SOLVES_BUDGET`] would allow far more.
const MOST_SOLVES: usize = 4096;
/// Approximate memory of one step's nodes, bytes.
const BYTES_OF_STEP: usize = 512;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    pub game: u64,
    pub character: usize,
}

pub struct Watched {
    pub(crate) shown: Shown,
    pub(crate) hides_result: bool,
    pub pending: Option<PendingEdit>,
    pub(crate) solves: Solves,
}

impl Watched {
    pub fn new(shown: Shown) -> Self {
        Self { shown, hides_result: false, pending: None, solves: Solves::default() }
    }
}

/// An edit sent to the running game that the game has not adopted yet.
#[derive(Clone, Debug)]
pub struct PendingEdit {
    pub(crate) changes: Vec<Change>,
    /// The frame shown at the time of the edit.
    pub(crate) frame: u64,
    /// Seconds since the first frame after the edit.
    pub(crate) waited: f32,
    /// Seconds since the edit.
    pub(crate) age: f32,
}

#[derive(Default)]
pub struct Solves {
    frames: VecDeque<Kept>,
    bytes: usize,
}

struct Kept {
    number: u64,
    frame: Arc<Frame>,
    is_timed: bool,
    bytes: usize,
}

impl Solves {
    pub fn get(&self, number: u64, needs_times: bool) -> Option<Arc<Frame>> {
        let kept = self.frames.iter().rev().find(|kept| kept.number == number)?;
        (kept.is_timed || !needs_times).then(|| kept.frame.clone())
    }

    pub fn keep(&mut self, number: u64, frame: Arc<Frame>, is_timed: bool) {
        if let Some(at) = self.frames.iter().position(|kept| kept.number == number)
            && let Some(before) = self.frames.remove(at)
        {
            self.bytes -= before.bytes;
        }
        let bytes = bytes_of(&frame);
        self.frames.push_back(Kept { number, frame, is_timed, bytes });
        self.bytes += bytes;
        while (self.bytes > SOLVES_BUDGET || self.frames.len() > MOST_SOLVES) && self.frames.len() > 1 {
            self.bytes -= self.frames.pop_front().map_or(0, |oldest| oldest.bytes);
        }
    }
}

/// Returns the approximate memory of a solve with the data that panes derive from it: nodes and bones after each step.
pub fn bytes_of(frame: &Frame) -> usize {
    let pose = frame.pose.len() * size_of::<RigidTransform>();
    let steps: usize = frame.layers.iter().filter_map(|layer| Some(layer.run()?.steps())).sum();
    size_of::<Frame>() + steps * (BYTES_OF_STEP + pose) + 2 * pose
}
