use std::fmt::Display;

pub(crate) fn not_as_in_model(notes: &dyn Display) -> String {
    format!("the export differs from the model: {notes}")
}
pub(crate) fn not_as_in_model_more(notes: &dyn Display, more: &dyn Display) -> String {
    format!("the export differs from the model: {notes}; and {more} more")
}
pub(crate) fn pose_extension(path: &dyn Display) -> String {
    format!("{path}: poses are .json, .glb or .bvh files. Choose one of these extensions")
}

pub(crate) fn one_copy(first: &dyn Display) -> String {
    format!("{first}. The exported file contains a copy of it")
}
pub(crate) fn copies(first: &dyn Display, more: &dyn Display) -> String {
    format!("{first}, and so do {more} more. The exported file contains copies of them")
}

pub(crate) const WHAT_TO_BAKE: &str = "What to bake";
pub(crate) const NO_CLIP: &str = "No clip plays. Choose one in the outliner first.";
pub(crate) const CLOSE: &str = "Close";
pub(crate) const CLIP: &str = "Clip";
pub(crate) const FROM_TO: &str = "From, to";
pub(crate) const FROM_HELP: &str = "Start of the baked range, seconds from the start of clip and path.";
pub(crate) const TO_HELP: &str =
    "End of the baked range, seconds from the start of clip and path. The clip repeats beyond its end.";
pub(crate) const SECONDS_SUFFIX: &str = " s";
pub(crate) const CYCLES: &str = "Cycles";
pub(crate) const CYCLES_HELP: &str = "Number of times that the clip is played in the range.";
pub(crate) const WHOLE_PATH_HELP: &str = "Sets the range to the duration of the path: once around, or to its end.";
pub(crate) const NO_PATH_HELP: &str = "The character walks no path. Choose one in Motion.";
pub(crate) const WHOLE_PATH: &str = "Whole path";
pub(crate) const KEYS: &str = "Keys";
pub(crate) const RATE_SUFFIX: &str = " /s";
pub(crate) const RATE_HELP: &str =
    "Keys per second of the baked clip. Few keys lose fast motion, many make a large file.";
pub(crate) fn keys_in_all(count: &dyn Display) -> String {
    format!("{count:.0} key times")
}
pub(crate) const ROOT_MOTION: &str = "Root motion";
pub(crate) const ROOT_MOTION_HELP: &str = "Includes the character's start and path in the baked clip. When off, the clip is baked without them, for engines that move the character themselves.";
pub(crate) const CHOOSE_FILE: &str = "Choose file…";
pub(crate) const CHOOSE_FILE_HELP: &str = "Asks for a file and bakes into it.";
pub(crate) const NO_RANGE_HELP: &str = "The range has no length. Set an end after the start.";
pub(crate) const CANCEL: &str = "Cancel";
pub(crate) const CANCEL_HELP: &str = "Closes without baking.";
pub(crate) fn clip_and_duration(clip: &dyn Display, seconds: &dyn Display) -> String {
    format!("{clip}, {seconds:.2} s")
}
