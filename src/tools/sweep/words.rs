//! The words of this tool on screen, grouped by control.

// Sweep
pub const WHAT_TO_SWEEP: &str = "what to sweep";
pub const UP_TO_DATE: &str = "Matches the current settings";
pub const SENSITIVITY: &str = "sensitivity";
pub const SENSITIVITY_HINT: &str = "±5 % of the range";
pub const NO_SENSITIVITY: &str = "No parameter changes the measure.";
pub const ALONG_X: &str = "Along x";
pub const ALONG_Y: &str = "Along y";
pub const NOTHING: &str = "Nothing (curve)";
pub const MEASURE: &str = "Measure";
pub const OVER_RECORDING: &str = "Over the recording";
pub const MOTION_HELP: &str = "This measure needs consecutive frames: it uses the newest 120 frames of the recording.";
pub const WHOLE_HELP: &str = "Averages up to 60 frames of the recording. When off, uses the frame shown.";
pub const WHOLE: &str = "Over the whole recording";
pub const TAKE_VALUE_HELP: &str = "Sets the parameter to the value under the pointer.";
pub const NOTHING_TO_SWEEP: &str = "Could not sweep: the measure does not exist for part of the range";
