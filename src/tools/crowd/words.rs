use std::fmt::Display;

pub(crate) const MEMBERS: &str = "Members";
pub(crate) const MEMBERS_HINT: &str = "Besides the character";
pub(crate) const DETAIL: &str = "Detail";
pub(crate) const DETAIL_HINT: &str = "The first matching rule";
pub(crate) const TIME: &str = "Time";
pub(crate) const TIME_HINT: &str = "Per frame of the crowd";
pub(crate) const THREADS: &str = "Threads";
pub(crate) const AUTO: &str = "Auto";
pub(crate) const AUTO_HELP: &str =
    "Divides the members evenly among threads, one for each 16 members, rounded up, at most all threads.";
pub(crate) const SERIAL: &str = "Serial";
pub(crate) const SERIAL_HELP: &str = "Solves all members on one thread.";
pub(crate) const PARALLEL: &str = "Parallel";
pub(crate) const PARALLEL_HELP: &str = "Divides the members among all threads, even if each thread gets only a few.";
pub(crate) const INSPECTED: &str = "Inspected";
pub(crate) const CLICK_ONE: &str = "Click a member to inspect it";
pub(crate) fn member_number(number: &dyn Display) -> String {
    format!("Number {number}")
}
pub(crate) const LEAVE: &str = "Leave the crowd";
pub(crate) const LEAVE_HELP: &str = "Returns the character to its own path or place.";

pub(crate) const CHOSEN: &str = "Level";
pub(crate) const BY_RULES_HELP: &str = "Uses the first matching rule below. When off, every member gets full detail.";
pub(crate) const BY_RULES: &str = "By rules";
pub(crate) const COMPARE: &str = "Compare with full detail";
pub(crate) const COMPARE_HELP: &str =
    "Also solves every member at full detail, and shows the time that the rules save and their error.";
pub(crate) const ALL_DETAIL: &str = "Full detail";
pub(crate) const ALL_OTHERS: &str = "All others";
pub(crate) const AS_ANIMATED: &str = "As animated";
pub(crate) const RULE_HELP: &str = "Number of members that follow this rule. Click to edit the rule.";
pub(crate) const ADD_RULE_HELP: &str = "Adds a rule before the others. The first matching rule applies.";
pub(crate) const ADD_RULE: &str = "Add a rule";
pub(crate) const FITS: &str = "Matches";
pub(crate) const ALL: &str = "All";
pub(crate) const ALL_HELP: &str = "Matches members in any movement.";
pub(crate) const ANY_CLIP: &str = "Any clip";
pub(crate) const BEYOND: &str = "Beyond";
pub(crate) const FEET: &str = "Feet";
pub(crate) fn feet_help(quality: &dyn Display) -> String {
    format!("Grounds the feet with the predictive grounder. {quality}")
}
pub(crate) const AS_ANIMATED_HELP: &str = "Skips grounding and the solve.";
pub(crate) const SOLVED: &str = "Solved";
pub(crate) const ORDER: &str = "Order";
pub(crate) const MOVE_UP: &str = "Move this rule up";
pub(crate) const MOVE_DOWN: &str = "Move this rule down";
pub(crate) const REMOVE_RULE: &str = "Remove this rule";

pub(crate) const PROFILER: &str = "Open profiler";
pub(crate) const PROFILER_HELP: &str = "Shows the time of each part of a frame.";
pub(crate) const BY_RULES_COLUMN: &str = "By rules";
pub(crate) const COLUMNS_HELP: &str = "Times with every member at full detail, and with the rules.";
pub(crate) const A_FRAME: &str = "A frame";
pub(crate) const A_FRAME_HELP: &str =
    "Time from the start to the end of the crowd's solve in a frame, averaged over recent frames.";
pub(crate) const ALL_THREADS: &str = "All threads";
pub(crate) const ALL_THREADS_HELP: &str = "Sum of the times of all threads, averaged over recent frames.";
pub(crate) const DRAWING: &str = "Drawing";

pub(crate) const TITLE: &str = "Crowd";
pub(crate) const WHAT: &str = "Show members, levels of detail and costs of the crowd.";
pub(crate) fn no_legs(icon: &dyn Display) -> String {
    format!("{icon} No legs were found. Press D to assign their bones in the rig doctor")
}
pub(crate) const COLUMN_FEET: &str = "Feet";
pub(crate) const COLUMN_ITERATIONS: &str = "Iter.";
pub(crate) const COLUMN_EVERY: &str = "Every";
pub(crate) const COLUMN_ERROR: &str = "px";
pub(crate) const COLUMN_COUNT: &str = "Count";

pub(crate) fn beyond_distance(metres: &dyn Display) -> String {
    format!("> {metres} m")
}
pub(crate) fn rule_name(number: &dyn Display, whom: &dyn Display) -> String {
    format!("Rule {number}: {whom}")
}
pub(crate) const RULE_ERROR_HELP: &str = "Number of members that follow this rule, and their largest error in the last seconds: the distance of a joint in the picture from its place at full detail, in pixels. Click to edit the rule.";
pub(crate) fn movement_help(movement: &dyn Display) -> String {
    format!("Matches only members in this movement: {movement}.")
}
pub(crate) const ITERATIONS_SUFFIX: &str = " iterations";
pub(crate) const EVERY_PREFIX: &str = "every ";
pub(crate) const FRAMES_SUFFIX: &str = " frames";

pub(crate) const EDIT_COUNT: &str = "number of members";
pub(crate) const EDIT_THREADS: &str = "threads of the crowd";
pub(crate) const EDIT_DETAIL: &str = "detail of the crowd";
pub(crate) const EDIT_RULE: &str = "detail rule";

pub(crate) const NAME_CLIP: &str = "clip of the rule";
