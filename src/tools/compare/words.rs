//! Texts of this tool, grouped by control.

use std::fmt::Display;

pub const LANE_NOT_SOLVED: &str = "This lane is not solved.";
pub const ADD_A_LANE: &str = "Add a lane to compare this one with.";
pub const LANES_COLUMNS: &str = "This, other, apart";
pub const ITERATIONS: &str = "Iterations";
pub const ERROR: &str = "Error";
pub const STEPS: &str = "Steps";

pub const WHAT_IF: &str = "What if";
pub const WHAT_IF_COLUMNS: &str = "Recorded → changed";
pub const RECORDED: &str = "Recorded";
pub const CHANGED: &str = "Changed";
pub const A_AND_B: &str = "A and B";
pub const OVERLAY: &str = "Overlay";
pub const OVERLAY_HELP: &str = "Draws A and B in the same place, B as an outline.";
pub const SIDE_BY_SIDE: &str = "Side by side";
pub const SIDE_BY_SIDE_HELP: &str = "Draws B to the right of A.";
pub const DIFFERING_VALUES: &str = "Differing values";
pub const COPY_COLUMNS: &str = "A  copy  B";
pub const SAME_SETTINGS: &str = "A and B have the same settings. Change one to compare.";
pub const EQUAL_NOW: &str = "Equal now";
pub const GIVE_TO_B: &str = "Copies A's value to B.";
pub const TAKE_FROM_B: &str = "Copies B's value to A.";
pub const NO_COMMON_MEASURE: &str =
    "Nothing to compare: one of the results has no steps. If its master weight is 0, raise it.";
pub const DISTANCES: &str = "Distances";
pub const DISTANCES_HINT: &str = "At the cursor's step";
pub const TIME: &str = "Time";
pub const TIME_UNIT: &str = "Whole frame, µs";
pub const SOLVE: &str = "Solve";

pub const PORT: &str = "A port's trace";
pub const RESULT_DIFFERS: &str = "All nodes agree. Other differences are listed below";
pub const PER_STAGE: &str = "Differences per stage";
pub const PER_STAGE_HINT: &str = "Click a stage to show it";
pub const ONLY_IN_PORT: &str = "Only in the port";
pub const MISSING_IN_PORT: &str = "Missing in the port";
pub const RESULT: &str = "Result";
pub const RESULT_HINT: &str = "Largest differences";

pub const TITLE: &str = "Compare";
pub const WHAT: &str = "Compare two results in numbers.";
pub fn two_lanes(own: &dyn Display, other: &dyn Display) -> String {
    format!("{own} and {other}")
}
pub fn joint(joint: &dyn Display) -> String {
    format!("Joint {joint}")
}
pub fn b_is(name: &dyn Display) -> String {
    format!("B: {name}")
}
pub const HOW: &str = "Keep the current settings as B and change A, compare with another preset, or load a trace from your own engine. If you change a setting while paused, both results are shown.";
pub fn first_difference(place: &dyn Display) -> String {
    format!("First difference: {place}")
}
pub fn no_difference(tolerance: f32) -> String {
    format!("No difference above {tolerance:.2e} model units")
}
pub fn bone_place(bone: &dyn Display) -> String {
    format!("{bone}, place")
}
pub fn bone_rotation(bone: &dyn Display) -> String {
    format!("{bone}, rotation")
}

pub fn reach_out_of_date(name: &dyn Display, why: &dyn Display) -> String {
    format!("Reach of the {name}, out of date: {why}. V computes it again")
}
pub fn reach_of(name: &dyn Display) -> String {
    format!("Reach of the {name}")
}
pub fn reach_arm(text: &dyn Display) -> String {
    format!("{text}\nDark: elbow down, bright: elbow up")
}
pub fn reach_leg(text: &dyn Display) -> String {
    format!("{text}\nDark: knee forward, bright: knee back")
}
pub fn apart(name: &dyn Display, distance: &dyn Display) -> String {
    format!("{name} {distance} apart")
}

pub const KEPT: &str = "kept";
pub const NAME_RECORDED: &str = "recorded";
pub fn model_of_b(name: &dyn Display, difference: &dyn Display) -> String {
    format!("B: {name} {difference}")
}
pub const EDIT_SWAP: &str = "swap A and B";
pub const SAME: &str = "A and B are the same";
pub const SWAPPED: &str = "Swapped A and B. X swaps them again";
pub fn edit_take(value: &dyn Display) -> String {
    format!("take {value} from B")
}
