//! Texts of this tool, grouped by control.

use std::fmt::Display;

pub const WHAT_TO_SWEEP: &str = "What to sweep";
pub const UP_TO_DATE: &str = "Matches the current settings";
pub const SENSITIVITY: &str = "Sensitivity";
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
pub const NOTHING_TO_SWEEP: &str =
    "Could not sweep: the measure has no value in part of the range. Choose another measure";

pub const TITLE: &str = "Sweep";
pub const WHAT: &str = "Show a measure over the range of parameters.";
pub const NO_DIFFERENCE: &str = "no difference";
pub fn solves(count: &dyn Display) -> String {
    format!("{count} solves")
}
pub fn out_of_date(icon: &dyn Display) -> String {
    format!("{icon}  Out of date: settings have changed, run again")
}
pub fn over_range(measure: &dyn Display) -> String {
    format!("{measure} over the range")
}
pub fn least(value: &dyn Display) -> String {
    format!("least {value}")
}
pub fn map_help(
    x: &dyn Display,
    x_value: &dyn Display,
    y: &dyn Display,
    y_value: &dyn Display,
    measure: &dyn Display,
) -> String {
    format!("{x} {x_value:.2}\n{y} {y_value:.2}\n{measure}\nClick to take these values.")
}
pub fn sensitivity_help(help: &dyn Display, value: &dyn Display) -> String {
    format!("{help}\nNow {value:.3}. Click to sweep it.")
}

pub const NAME_MAP: &str = "sweep map";
pub fn name_sweep(label: &dyn Display) -> String {
    format!("sweep {label}")
}
pub const AND: &str = " and ";
