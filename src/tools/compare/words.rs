use std::fmt::Display;

pub(crate) const LANE_NOT_SOLVED: &str = "This lane is not solved. The inspector shows why.";
pub(crate) const ADD_A_LANE: &str = "Add a lane to compare this one with.";
pub(crate) const LANES_COLUMNS: &str = "This, other; joints: distance";
pub(crate) const ITERATIONS: &str = "Iterations";
pub(crate) const ERROR: &str = "Error";
pub(crate) const STEPS: &str = "Steps";

pub(crate) const WHAT_IF: &str = "What if";
pub(crate) const WHAT_IF_COLUMNS: &str = "Recorded → changed";
pub(crate) const RECORDED: &str = "Recorded";
pub(crate) const CHANGED: &str = "Changed";
pub(crate) const A_AND_B: &str = "A and B";
pub(crate) const OVERLAY: &str = "Overlay";
pub(crate) const OVERLAY_HELP: &str = "Draws A and B in the same place: A solid, B as a ghost.";
pub(crate) const SIDE_BY_SIDE: &str = "Side by side";
pub(crate) const SIDE_BY_SIDE_HELP: &str = "Draws B to the right of A.";
pub(crate) const DIFFERING_VALUES: &str = "Differing values";
pub(crate) const COPY_COLUMNS: &str = "A  copy  B";
pub(crate) const SAME_SETTINGS: &str = "A and B have the same settings. Change one to compare.";
pub(crate) const EQUAL_NOW: &str = "Equal now";
pub(crate) const GIVE_TO_B: &str = "Copies A's value to B.";
pub(crate) const TAKE_FROM_B: &str = "Copies B's value to A.";
pub(crate) const NO_COMMON_MEASURE: &str =
    "Nothing to compare: one of the results has no steps. If its master weight is 0, raise it.";
pub(crate) const DISTANCES: &str = "Distances";
pub(crate) const DISTANCES_HINT: &str = "Five largest, at the cursor's step";
pub(crate) const TIME: &str = "Time";
pub(crate) const TIME_UNIT: &str = "Whole frame, µs";
pub(crate) const SOLVE: &str = "Solve";

pub(crate) const PORT: &str = "Second result";
pub(crate) const PER_STAGE: &str = "Differences per stage";
pub(crate) const PER_STAGE_HINT: &str = "Click a stage to show it";
pub(crate) const ONLY_IN_PORT: &str = "Only in second";
pub(crate) const MISSING_IN_PORT: &str = "Not in second";
pub(crate) const NO_STAGES: &str = "the second result has no stages";
pub(crate) fn constant_differs(name: &dyn Display) -> String {
    format!("Constant {name} differs")
}
pub(crate) const CONSTANTS: &str = "Differing constants";
pub(crate) const CONSTANTS_HINT: &str = "Second result and Kinescope";
pub(crate) fn constant(name: &dyn Display, a: &dyn Display, b: &dyn Display) -> String {
    format!("{name}: {a} and {b}")
}
pub(crate) const GAME_LACKS_MORE: &str =
    "A game sends no constants and no moves, so these are not compared. A trace of the game's solver can have them.";
pub(crate) const CONSTANTS_AND_MOVES: &str = "no constants and no moves";
pub(crate) const ONLY_CONSTANTS: &str = "no constants";
pub(crate) const ONLY_MOVES: &str = "no moves";
pub(crate) fn trace_lacks(what: &dyn Display) -> String {
    format!("The trace has {what}, so these are not compared.")
}
pub(crate) const MOVES: &str = "Differing moves";
pub(crate) const MOVES_HINT: &str = "The first of each stage";
pub(crate) const NO_MOVE: &str = "none";
pub(crate) fn moved_by(node: &dyn Display, cause: &dyn Display) -> String {
    format!("{node} by {cause}")
}
pub(crate) fn moved_elsewhere(stage: &dyn Display, number: &dyn Display, own: &dyn Display) -> String {
    format!("{stage}: move {number}, {own}, differs in position")
}
pub(crate) fn other_move(stage: &dyn Display, number: &dyn Display, a: &dyn Display, b: &dyn Display) -> String {
    format!("{stage}: move {number}, {a} in the second result, {b} in Kinescope")
}
pub(crate) const WRITING: &str = "Writing";
pub(crate) fn write(part: &dyn Display) -> String {
    format!("Write {part}")
}
pub(crate) fn bone_apart(bone: &dyn Display, distance: &dyn Display, degrees: f32) -> String {
    format!("{bone} {distance} and {degrees:.2}° apart")
}
pub(crate) fn at_place(place: &dyn Display, what: &dyn Display) -> String {
    format!("{place}: {what}")
}
pub(crate) const RESULT: &str = "Result";
pub(crate) const RESULT_HINT: &str = "Largest differences";

pub(crate) const TITLE: &str = "Compare";
pub(crate) const WHAT: &str = "Compare two results in numbers.";
pub(crate) fn two_lanes(own: &dyn Display, other: &dyn Display) -> String {
    format!("{own} and {other}")
}
pub(crate) fn joint(joint: &dyn Display) -> String {
    format!("Joint {joint}")
}
pub(crate) fn b_is(name: &dyn Display) -> String {
    format!("B: {name}")
}
pub(crate) const HOW: &str = "Keep the current settings as B and change A, compare with another preset, or load a trace from your own engine. If you change a setting while paused, the recorded and the changed result are shown.";
pub(crate) fn first_difference(place: &dyn Display) -> String {
    format!("First difference: {place}")
}
pub(crate) fn no_difference(tolerance: f32) -> String {
    format!("No difference above {tolerance:.2e} model units")
}
pub(crate) fn bone_place(bone: &dyn Display) -> String {
    format!("{bone}, position")
}
pub(crate) fn bone_rotation(bone: &dyn Display) -> String {
    format!("{bone}, rotation")
}

pub(crate) fn reach_out_of_date(name: &dyn Display, why: &dyn Display) -> String {
    format!("Reach of the {name}, out of date: {why}. Select the {name} and press V")
}
pub(crate) fn reach_of(name: &dyn Display) -> String {
    format!("Reach of the {name}")
}
pub(crate) fn reach_arm(text: &dyn Display, is_light: bool) -> String {
    let [down, up] = if is_light { ["Bright", "dark"] } else { ["Dark", "bright"] };
    format!("{text}\n{down}: elbow down, {up}: elbow up")
}
pub(crate) fn reach_leg(text: &dyn Display, is_light: bool) -> String {
    let [forward, back] = if is_light { ["Bright", "dark"] } else { ["Dark", "bright"] };
    format!("{text}\n{forward}: knee forward, {back}: knee back")
}
pub(crate) fn apart(name: &dyn Display, distance: &dyn Display) -> String {
    format!("{name} {distance} apart")
}
pub(crate) fn only_apart(distance: &dyn Display) -> String {
    format!("{distance} apart")
}

pub(crate) const KEPT: &str = "kept";
pub(crate) const NAME_RECORDED: &str = "recorded";
pub(crate) fn model_of_b(name: &dyn Display, difference: &dyn Display) -> String {
    format!("B: {name} {difference}")
}
pub(crate) const EDIT_SWAP: &str = "swap A and B";
pub(crate) const SAME: &str = "A and B are the same";
pub(crate) const SWAPPED: &str = "Swapped A and B. X swaps them again";
pub(crate) fn edit_take(value: &dyn Display) -> String {
    format!("take {value} from B")
}
