//! The words of this tool on screen, grouped by control.

use std::fmt::Display;

// Members
pub const MEMBERS: &str = "members";
pub const MEMBERS_HINT: &str = "who else is there";
pub const DETAIL: &str = "detail";
pub const DETAIL_HINT: &str = "the first matching rule";
pub const TIME: &str = "time";
pub const TIME_HINT: &str = "per frame of the crowd";
pub const THREADS: &str = "threads";
pub const AUTO: &str = "auto";
pub const AUTO_HELP: &str = "Uses one thread per 16 members.";
pub const SERIAL: &str = "serial";
pub const SERIAL_HELP: &str = "Solves all members on one thread.";
pub const PARALLEL: &str = "parallel";
pub const PARALLEL_HELP: &str = "Uses all threads for any number of members.";
pub const INSPECTED: &str = "inspected";
pub const CLICK_ONE: &str = "Click a member to inspect it";
pub fn member_number(number: &dyn Display) -> String {
    format!("number {number}")
}
pub const LEAVE: &str = "Leave the crowd";
pub const LEAVE_HELP: &str = "Returns the character to its own path.";

// Detail
pub const CHOSEN: &str = "chosen";
pub const BY_RULES_HELP: &str = "Uses the first matching rule below. When off, every member gets full detail.";
pub const BY_RULES: &str = "By rules";
pub const COMPARE: &str = "Compare with all";
pub const COMPARE_HELP: &str =
    "Also solves every member at full detail, and shows what the rules save and how far they are off.";
pub const ALL_DETAIL: &str = "all detail";
pub const ALL_OTHERS: &str = "all others";
pub const AS_ANIMATED: &str = "as animated";
pub const RULE_HELP: &str = "Number of members on this rule. Click to edit.";
pub const ADD_RULE_HELP: &str = "Adds a rule before the others. The first matching rule applies.";
pub const ADD_RULE: &str = "Add a rule";
pub const FITS: &str = "matches";
pub const ALL: &str = "all";
pub const ALL_HELP: &str = "Matches members in any movement.";
pub const ANY_CLIP: &str = "any clip";
pub const BEYOND: &str = "beyond";
pub const FEET: &str = "feet";
pub const FEET_HELP: &str = "How feet find the ground.";
pub const AS_ANIMATED_HELP: &str = "Skips the ground and the solve.";
pub const SOLVED: &str = "solved";
pub const PLACE: &str = "place";
pub const MOVE_UP: &str = "Move this rule above the one before it";
pub const MOVE_DOWN: &str = "Move this rule below the next one";
pub const REMOVE_RULE: &str = "Remove this rule";

// Costs
pub const PROFILER: &str = "Open profiler";
pub const PROFILER_HELP: &str = "Shows the time part by part.";
pub const BY_RULES_COLUMN: &str = "by rules";
pub const COLUMNS_HELP: &str = "Every member at full detail, and by the rules.";
pub const A_FRAME: &str = "a frame";
pub const A_FRAME_HELP: &str = "Time from the start to the end of a frame.";
pub const ALL_THREADS: &str = "all threads";
pub const ALL_THREADS_HELP: &str = "Sum of the time of all threads.";
pub const DRAWING: &str = "drawing it";
