//! Texts of this tool, grouped by control.

use std::fmt::Display;

pub fn not_as_in_model(notes: &dyn Display) -> String {
    format!("the export differs from the model: {notes}")
}
pub fn not_as_in_model_more(notes: &dyn Display, more: &dyn Display) -> String {
    format!("the export differs from the model: {notes}; and {more} more")
}
pub fn pose_extension(path: &dyn Display) -> String {
    format!("{path}: poses are .json, .glb or .bvh files. Choose one of these extensions")
}

pub fn one_copy(first: &dyn Display) -> String {
    format!("{first}. The file contains a copy of it")
}
pub fn copies(first: &dyn Display, more: &dyn Display) -> String {
    format!("{first}, and so do {more} more. The file contains copies of them")
}

pub const WHAT_TO_BAKE: &str = "What to bake";
pub const NO_CLIP: &str = "No clip plays. Choose one in the outliner first.";
pub const CLOSE: &str = "Close";
pub const CLIP: &str = "Clip";
pub const FROM_TO: &str = "From, to";
pub const FROM_HELP: &str = "Start of the baked range, seconds from the start of clip and path.";
pub const TO_HELP: &str =
    "End of the baked range, seconds from the start of clip and path. The clip repeats beyond its end.";
pub const SECONDS_SUFFIX: &str = " s";
pub const CYCLES: &str = "Cycles";
pub const CYCLES_HELP: &str = "Number of times that the clip is played in the range.";
pub const WHOLE_PATH_HELP: &str = "Sets the range to the duration of the path: once around, or to its end.";
pub const NO_PATH_HELP: &str = "The character walks no path. Choose one in Motion.";
pub const WHOLE_PATH: &str = "Whole path";
pub const KEYS: &str = "Keys";
pub const RATE_SUFFIX: &str = " /s";
pub const RATE_HELP: &str = "Keys per second of the baked clip. Few keys lose fast motion, many make a large file.";
pub fn keys_in_all(count: &dyn Display) -> String {
    format!("{count:.0} keys in total")
}
pub const ROOT_MOTION: &str = "Root motion";
pub const ROOT_MOTION_HELP: &str = "Moves the baked clip along the character's path. When off, the clip stays at the model's origin, for engines that move the character themselves.";
pub const CHOOSE_FILE: &str = "Choose file…";
pub const CHOOSE_FILE_HELP: &str = "Asks for a file and bakes into it.";
pub const NO_RANGE_HELP: &str = "The range has no length. Set an end after the start.";
pub const CANCEL: &str = "Cancel";
pub const CANCEL_HELP: &str = "Closes without baking.";
pub fn clip_and_duration(clip: &dyn Display, seconds: &dyn Display) -> String {
    format!("{clip}, {seconds:.2} s")
}
