//! The time of the window, which is live, paused at an instant, or playing stages or frames.

use kinescope_ik::stack::LayerId;
use kinescope_ik::stepped::Cursor;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Now {
    #[default]
    Live,
    /// The animated pose stands still, and the user moves the cursor.
    Paused,
    PlayingStages,
    /// Plays the recorded frames, each at the cursor's stage.
    PlayingFrames,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Time {
    pub now: Now,
    pub frame: u64,
    pub cursor: Cursor,
    pub(crate) cursors: Vec<(LayerId, Cursor)>,
    pub(crate) stages_per_second: f32,
    /// Whether playback repeats. It repeats the frame while stages play, and the recorded frames while frames play.
    pub(crate) loops: bool,
    /// Fraction, from 0 to 1, of the time to the next played stage or frame that has passed.
    pub(crate) phase: f32,
    pub(crate) unrecorded: f32,
    /// Seconds accumulated toward the next frame at a fixed rate.
    pub(crate) pending: f64,
    pub(crate) needs_solve: bool,
    /// Whether the clip must be sampled even while paused.
    pub(crate) resample: bool,
}

impl Default for Time {
    fn default() -> Self {
        Self {
            now: Now::Live,
            frame: 0,
            cursor: Cursor::default(),
            cursors: Vec::new(),
            stages_per_second: 6.0,
            loops: true,
            phase: 0.0,
            unrecorded: 0.0,
            pending: 0.0,
            needs_solve: true,
            resample: true,
        }
    }
}

impl Time {
    pub fn is_paused(&self) -> bool {
        self.now != Now::Live
    }

    pub(crate) fn is_playing(&self) -> bool {
        matches!(self.now, Now::PlayingStages | Now::PlayingFrames)
    }
}
