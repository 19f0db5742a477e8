use std::fmt::Display;

pub(crate) const BREAK_CONDITIONS: &str = "Break conditions";
pub(crate) const RECORDING: &str = "Recording";
pub(crate) const POPS: &str = "Pops";
pub(crate) const POPS_HINT: &str = "Largest jerk of each joint";
pub(crate) const SOLVE_AGAIN: &str = "Solve again";
pub(crate) const SOLVE_AGAIN_HINT: &str = "Before and after a change";
pub(crate) const NO_BREAK_YET: &str = "Every live frame is checked for the conditions that are on. None has held yet.";
pub(crate) const WHOLE_RECORDING: &str = "Searches the whole recording.";
pub(crate) const NO_POPS: &str = "No joint jerks in the recording.";
pub(crate) const PAUSE_FIRST: &str =
    "Pause, change a setting, then solve again to see its effect on the whole recording.";
pub(crate) const MEMORY: &str = "Memory";
pub(crate) const MEMORY_HELP: &str =
    "Limits the memory of recorded frames. Beyond this limit, the oldest frames are dropped.";
pub(crate) fn largest_pop(joint: &dyn Display, degrees: &dyn Display, frame: &dyn Display) -> String {
    format!("Largest pop: {joint}, {degrees:.1}° at frame {frame}")
}
pub(crate) const NOTHING_MOVES: &str = "No pops: no joint jerks in the recording. Play a clip or drag a handle first";
pub(crate) fn stopped_while_typing(condition: &dyn Display) -> String {
    format!("Stopped: {condition}. The selection does not change while you type")
}
pub(crate) fn stopped(condition: &dyn Display) -> String {
    format!("Stopped: {condition}")
}

pub(crate) const TITLE: &str = "Breaks and pops";
pub(crate) const WHAT: &str = "Show break conditions and joints that jerk.";
pub(crate) fn conditions_on(count: &dyn Display) -> String {
    format!("{count} on")
}
pub(crate) const ALL_OFF: &str = "All off";
pub(crate) const DEGREES_PER_FRAME_SUFFIX: &str = "° per frame";
pub(crate) fn stopped_at(icon: &dyn Display, condition: &dyn Display) -> String {
    format!("{icon} Stopped: {condition}")
}
pub(crate) fn from_step(step: &dyn Display) -> String {
    format!("from {step}")
}
pub(crate) const FROM_ANIMATION: &str = "from the input pose or the first step";
pub(crate) fn frame(number: &dyn Display) -> String {
    format!("frame {number}")
}
pub(crate) fn pop_help(from: &dyn Display, to: &dyn Display, degrees: &dyn Display, place: &dyn Display) -> String {
    format!("Between frames {from} and {to} the angle jerks by {degrees:.2}°, {place}. Click to show frame {from}.")
}
pub(crate) fn out_of_date(icon: &dyn Display) -> String {
    format!("{icon}  Out of date: settings have changed, run again")
}
pub(crate) fn frames_with(frames: &dyn Display, changes: &dyn Display) -> String {
    format!("{frames} with {changes}")
}
pub(crate) fn largest_jerk_help(frame: &dyn Display) -> String {
    format!("Largest jerk of this joint, before and after the change. Click to show frame {frame}.")
}
pub(crate) fn memory_used(used: &dyn Display, frames: &dyn Display) -> String {
    format!("{used:.1} MiB in {frames}")
}
