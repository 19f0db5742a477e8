//! Time of the window: live, paused at an instant, or playing the recording.

use kinescope_ik::stack::LayerId;
use kinescope_ik::stepped::Cursor;

/// How time advances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Now {
    /// Shows each new frame.
    #[default]
    Live,
    /// The animated pose stands still; the user moves the cursor.
    Paused,
    /// Plays stage after stage of the recorded frames.
    PlayingStages,
    /// Plays the recorded frames at the cursor's stage.
    PlayingFrames,
}

/// The instant shown, and how time advances.
#[derive(Clone, Debug, PartialEq)]
pub struct Time {
    pub now: Now,
    /// Number of the frame shown, as counted on the tape.
    pub frame: u64,
    /// Instant in the layer in focus.
    pub cursor: Cursor,
    /// Cursors of the layers that are not in focus.
    pub(crate) cursors: Vec<(LayerId, Cursor)>,
    pub stages_per_second: f32,
    /// Whether playback repeats: the frame when playing stages, the tape when playing frames.
    pub loops: bool,
    /// Elapsed fraction of the next stage or frame to play.
    pub(crate) phase: f32,
    /// Seconds since the last recorded frame.
    pub(crate) unrecorded: f32,
    /// Seconds accumulated toward the next frame at a fixed rate.
    pub(crate) pending: f64,
    /// Whether the frame shown must be solved again.
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
    /// Returns whether the frame shown stays until another frame is chosen or played.
    pub fn is_paused(&self) -> bool {
        self.now != Now::Live
    }

    pub fn is_playing(&self) -> bool {
        matches!(self.now, Now::PlayingStages | Now::PlayingFrames)
    }
}
