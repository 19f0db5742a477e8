//! The words of this tool on screen, grouped by control.

// Lanes
pub const LANE_NOT_SOLVED: &str = "This lane is not solved.";
pub const ADD_A_LANE: &str = "Add a lane to compare this one with.";
pub const LANES_COLUMNS: &str = "this, other, apart";
pub const ITERATIONS: &str = "iterations";
pub const ERROR: &str = "error";
pub const STEPS: &str = "steps";

// What if, A and B
pub const WHAT_IF: &str = "what if";
pub const WHAT_IF_COLUMNS: &str = "recorded → changed";
pub const RECORDED: &str = "recorded";
pub const CHANGED: &str = "changed";
pub const A_AND_B: &str = "A and B";
pub const OVERLAY: &str = "overlay";
pub const OVERLAY_HELP: &str = "Draws both in the same place, B as an outline.";
pub const SIDE_BY_SIDE: &str = "side by side";
pub const SIDE_BY_SIDE_HELP: &str = "Draws B to the right of A.";
pub const DIFFERING_VALUES: &str = "differing values";
pub const COPY_COLUMNS: &str = "A  copy  B";
pub const SAME_SETTINGS: &str = "A and B have the same settings. Change one to compare.";
pub const EQUAL_NOW: &str = "equal now";
pub const GIVE_TO_B: &str = "Copies A's value to B.";
pub const TAKE_FROM_B: &str = "Copies B's value to A.";
pub const NO_COMMON_MEASURE: &str = "The results share no measures: one of them has no steps, as its weight is 0.";
pub const DISTANCES: &str = "distances";
pub const DISTANCES_HINT: &str = "at the cursor's step";
pub const TIME: &str = "time";
pub const TIME_UNIT: &str = "µs, recorded whole";
pub const SOLVE: &str = "solve";

// A port's trace
pub const PORT: &str = "a port's trace";
pub const RESULT_DIFFERS: &str = "The nodes agree; differences are listed below";
pub const PER_STAGE: &str = "differences per stage";
pub const PER_STAGE_HINT: &str = "click to go there";
pub const ONLY_IN_PORT: &str = "only in the port";
pub const MISSING_IN_PORT: &str = "missing in the port";
pub const RESULT: &str = "result";
pub const RESULT_HINT: &str = "largest differences";
