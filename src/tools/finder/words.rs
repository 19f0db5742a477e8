//! The words of this tool on screen, grouped by control.

use std::fmt::Display;

// Finder
pub const BREAK_CONDITIONS: &str = "break conditions";
pub const RECORDING: &str = "recording";
pub const POPS: &str = "pops";
pub const POPS_HINT: &str = "largest jerk of each joint";
pub const SOLVE_AGAIN: &str = "solve again";
pub const SOLVE_AGAIN_HINT: &str = "recorded, changed";
pub const NO_BREAK_YET: &str = "Every live frame is checked. No condition has stopped the recording yet.";
pub const WHOLE_RECORDING: &str = "Searches the whole recording.";
pub const NO_POPS: &str = "Nothing moves in the recording.";
pub const PAUSE_FIRST: &str = "Pause and change a setting to see its effect on the whole recording.";
pub const MEMORY: &str = "memory";
pub const MEMORY_HELP: &str = "Limits the memory of recorded frames. Beyond it the oldest frames are dropped.";
pub fn largest_pop(joint: &dyn Display, degrees: &dyn Display, frame: &dyn Display) -> String {
    format!("Largest pop: {joint}, {degrees:.1}° at frame {frame}")
}
pub const NOTHING_MOVES: &str = "No pops: nothing moves in the recording. Play a clip or drag a handle first";
pub fn stopped_while_typing(condition: &dyn Display) -> String {
    format!("Stopped: {condition}. The selection stays while you type")
}
pub fn stopped(condition: &dyn Display) -> String {
    format!("Stopped: {condition}")
}
