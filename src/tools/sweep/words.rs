use std::fmt::Display;

pub(crate) const WHAT_TO_SWEEP: &str = "What to sweep";
pub(crate) const UP_TO_DATE: &str = "Matches the current settings";
pub(crate) const SENSITIVITY: &str = "Sensitivity";
/// Formats `change in mm`; `change` without a unit.
fn change(unit: &str) -> String {
    if unit.is_empty() { "change".to_owned() } else { format!("change in {unit}") }
}
pub(crate) fn sensitivity_hint(unit: &str) -> String {
    format!("{} at ±5 % of the range, whole numbers ±1", change(unit))
}
pub(crate) const NO_SENSITIVITY: &str = "No such change of a parameter affects the measure.";
pub(crate) const ALONG_X: &str = "Along x";
pub(crate) const ALONG_Y: &str = "Along y";
pub(crate) const NOTHING: &str = "Nothing (curve)";
pub(crate) const MEASURE: &str = "Measure";
pub(crate) const OVER_RECORDING: &str = "Over the recording";
pub(crate) const MOTION_HELP: &str =
    "This measure needs consecutive frames: it uses the newest frames of the recording, at most 120.";
pub(crate) const WHOLE_HELP: &str = "Averages up to 60 frames of the recording. When off, uses the frame shown.";
pub(crate) const WHOLE: &str = "Over the whole recording";
pub(crate) const TAKE_VALUE_HELP: &str = "Click to set the parameter to the value under the pointer.";
pub(crate) const NOTHING_TO_SWEEP: &str =
    "Could not sweep: at one or more values, no frame has the measure. Choose another measure, or record more frames";

pub(crate) fn same_axes(parameter: &dyn Display) -> String {
    format!("{parameter} is along x, so nothing is along y. Choose another parameter for a map")
}

pub(crate) const TITLE: &str = "Sweep";
pub(crate) const WHAT: &str = "Show a measure over the range of parameters.";
pub(crate) const NO_DIFFERENCE: &str = "no difference";
pub(crate) fn solves(count: &dyn Display) -> String {
    format!("{count} solves")
}
pub(crate) fn out_of_date(icon: &dyn Display) -> String {
    format!("{icon}  Out of date: settings have changed, run again")
}
pub(crate) fn over_range(measure: &dyn Display) -> String {
    format!("{measure} over the range")
}
pub(crate) fn least(value: &dyn Display) -> String {
    format!("least {value}")
}
pub(crate) fn map_help(
    x: &dyn Display,
    x_value: &dyn Display,
    y: &dyn Display,
    y_value: &dyn Display,
    measure: &dyn Display,
) -> String {
    format!("{x} {x_value:.2}\n{y} {y_value:.2}\n{measure}\nClick to take these values.")
}
pub(crate) fn sensitivity_help(help: &dyn Display, value: &dyn Display, unit: &str) -> String {
    let unit = if unit.is_empty() { String::new() } else { format!(" in {unit}") };
    format!(
        "{help}\nValue in the sweep's first frame: {value:.3}. The numbers are the change of the measure{unit} at a lower and at a \
         higher value. Click to sweep this parameter."
    )
}

pub(crate) const NAME_MAP: &str = "sweep map";
pub(crate) fn name_sweep(label: &dyn Display) -> String {
    format!("sweep {label}")
}
pub(crate) const AND: &str = " and ";
