//! Texts of this tool, grouped by control.

use std::fmt::Display;

pub const MEMBERS: &str = "Members";
pub const MEMBERS_HINT: &str = "Besides the character";
pub const DETAIL: &str = "Detail";
pub const DETAIL_HINT: &str = "The first matching rule";
pub const TIME: &str = "Time";
pub const TIME_HINT: &str = "Per frame of the crowd";
pub const THREADS: &str = "Threads";
pub const AUTO: &str = "Auto";
pub const AUTO_HELP: &str = "Uses as many threads as get at least 16 members each.";
pub const SERIAL: &str = "Serial";
pub const SERIAL_HELP: &str = "Solves all members on one thread.";
pub const PARALLEL: &str = "Parallel";
pub const PARALLEL_HELP: &str = "Uses all threads for any number of members.";
pub const INSPECTED: &str = "Inspected";
pub const CLICK_ONE: &str = "Click a member to inspect it";
pub fn member_number(number: &dyn Display) -> String {
    format!("Number {number}")
}
pub const LEAVE: &str = "Leave the crowd";
pub const LEAVE_HELP: &str = "Returns the character to its own path.";

pub const CHOSEN: &str = "Level";
pub const BY_RULES_HELP: &str = "Uses the first matching rule below. When off, every member gets full detail.";
pub const BY_RULES: &str = "By rules";
pub const COMPARE: &str = "Compare with full detail";
pub const COMPARE_HELP: &str =
    "Also solves every member at full detail, and shows the time that the rules save and their error.";
pub const ALL_DETAIL: &str = "Full detail";
pub const ALL_OTHERS: &str = "All others";
pub const AS_ANIMATED: &str = "As animated";
pub const RULE_HELP: &str = "Number of members that follow this rule. Click to edit.";
pub const ADD_RULE_HELP: &str = "Adds a rule before the others. The first matching rule applies.";
pub const ADD_RULE: &str = "Add a rule";
pub const FITS: &str = "Matches";
pub const ALL: &str = "All";
pub const ALL_HELP: &str = "Matches members in any movement.";
pub const ANY_CLIP: &str = "Any clip";
pub const BEYOND: &str = "Beyond";
pub const FEET: &str = "Feet";
pub const FEET_HELP: &str = "Method by which feet find the ground.";
pub const AS_ANIMATED_HELP: &str = "Skips grounding and the solve.";
pub const SOLVED: &str = "Solved";
pub const PLACE: &str = "Place";
pub const MOVE_UP: &str = "Move this rule up";
pub const MOVE_DOWN: &str = "Move this rule down";
pub const REMOVE_RULE: &str = "Remove this rule";

pub const PROFILER: &str = "Open profiler";
pub const PROFILER_HELP: &str = "Shows the time of each part of a frame.";
pub const BY_RULES_COLUMN: &str = "By rules";
pub const COLUMNS_HELP: &str = "Times with every member at full detail, and with the rules.";
pub const A_FRAME: &str = "A frame";
pub const A_FRAME_HELP: &str = "Time from the start to the end of a frame.";
pub const ALL_THREADS: &str = "All threads";
pub const ALL_THREADS_HELP: &str = "Sum of the time of all threads.";
pub const DRAWING: &str = "Drawing";

pub const TITLE: &str = "Crowd";
pub const WHAT: &str = "Show members, levels of detail and costs of the crowd.";
pub fn no_legs(icon: &dyn Display) -> String {
    format!("{icon} No legs were found. Press D for the rig doctor")
}
pub const COLUMN_FEET: &str = "Feet";
pub const COLUMN_ITERATIONS: &str = "Iter.";
pub const COLUMN_EVERY: &str = "Every";
pub const COLUMN_ERROR: &str = "px";
pub const COLUMN_COUNT: &str = "Count";

pub fn beyond_distance(metres: &dyn Display) -> String {
    format!("> {metres} m")
}
pub fn rule_name(number: &dyn Display, whom: &dyn Display) -> String {
    format!("Rule {number}: {whom}")
}
pub const RULE_ERROR_HELP: &str = "Number of members that follow this rule, and their largest error in the last seconds: the distance of a joint in the picture from its place at full detail, in pixels. Click to edit.";
pub fn movement_help(movement: &dyn Display) -> String {
    format!("Matches only members in this movement: {movement}.")
}
pub const ITERATIONS_SUFFIX: &str = " iterations";
pub const EVERY_PREFIX: &str = "every ";
pub const FRAMES_SUFFIX: &str = " frames";

pub const EDIT_COUNT: &str = "number of members";
pub const EDIT_THREADS: &str = "threads of the crowd";
pub const EDIT_DETAIL: &str = "detail of the crowd";
pub const EDIT_RULE: &str = "detail rule";

pub const NAME_CLIP: &str = "clip of the rule";
