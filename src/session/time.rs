//! When the window is: live, paused at an instant of a frame, or playing what was recorded.

use kinescope_ik::stack::LayerId;
use kinescope_ik::stepped::Cursor;

/// What goes on by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Now {
    /// The newest frame is shown, and the next when it comes.
    #[default]
    Live,
    /// The animated pose stands still; the cursor may be anywhere.
    Paused,
    /// Stage after stage, frame after frame of what was recorded.
    PlayingStages,
    /// Frame after frame of what was recorded, at the stage of the cursor.
    PlayingFrames,
}

/// The instant shown, and how time goes on from there.
#[derive(Clone, Debug, PartialEq)]
pub struct Time {
    pub now: Now,
    /// The frame shown, by its number on the tape.
    pub frame: u64,
    /// Where in it, of the layer in focus.
    pub cursor: Cursor,
    /// Where the cursor was in the layers whose steps are not shown.
    pub(crate) cursors: Vec<(LayerId, Cursor)>,
    pub stages_per_second: f32,
    /// Stages: the frame begins again at its end. Frames: the tape does.
    pub loops: bool,
    /// Part of the next stage or frame to be played that has gone by.
    pub(crate) phase: f32,
    /// Seconds since a frame was recorded.
    pub(crate) unrecorded: f32,
    /// Part of the next frame at a fixed rate that has gone by, seconds.
    pub(crate) pending: f64,
    /// The frame shown is not what it would be solved to.
    pub(crate) needs_solve: bool,
    /// The animated pose is to be taken from the clip even while paused.
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
    /// The frame shown stays until someone, or what plays, goes to another.
    pub fn is_paused(&self) -> bool {
        self.now != Now::Live
    }

    pub fn is_playing(&self) -> bool {
        matches!(self.now, Now::PlayingStages | Now::PlayingFrames)
    }
}
