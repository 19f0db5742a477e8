use std::fmt::{Debug, Display};

pub(crate) fn preset_stays(file: &dyn Display, before: &dyn Display, own: &dyn Display) -> String {
    format!(". {file} remains the preset of {before}. Saving asks for a new file for {own}")
}
pub(crate) const EDIT_DROP_TARGETS: &str = "drop targets";
pub(crate) const DROPPED_TARGETS: &str = "Dropped the targets";
pub(crate) const NO_TARGETS: &str = "Nothing to drop: there are no targets";
pub(crate) fn is_a_model(path: &dyn Display, open: &dyn Display) -> String {
    format!("{path}: the file is a model, not a preset. Choose {open}")
}
pub(crate) fn more_like_this(more: &dyn Display) -> String {
    format!(" ({more} more like this)")
}
pub(crate) fn first_difference(path: &dyn Display, first: &dyn Display, more: &dyn Display) -> String {
    format!("{path}: {first}{more}")
}
/// Name in messages for a preset that came from a link.
pub(crate) const LINK: &str = "link";
pub(crate) fn opened(path: &dyn Display) -> String {
    format!("Opened {path}")
}
pub(crate) const EDIT_SHOWN_SETTINGS: &str = "use settings of the frame shown";
pub(crate) fn saved(path: &dyn Display) -> String {
    format!("Saved {path}")
}
pub(crate) fn exported_with_warning(what: &dyn Display, path: &dyn Display, warning: &dyn Display) -> String {
    format!("Exported {what} to {path}. Warning: {warning}")
}
pub(crate) fn exported(what: &dyn Display, path: &dyn Display) -> String {
    format!("Exported {what} to {path}")
}
pub(crate) const NO_CLIP: &str = "No clip plays. Choose one in the outliner first";
pub(crate) fn is_baking(path: &dyn Display) -> String {
    format!("Another bake is writing {path}. Cancel it first, or wait until it ends")
}
pub(crate) fn baking_ended_early(path: &dyn Display) -> String {
    format!("{path}: baking ended early and nothing was written. Try again")
}
pub(crate) fn cancelled_baking(path: &dyn Display) -> String {
    format!("Cancelled baking. {path} was not written")
}
pub(crate) fn cancelled_opening(file: &dyn Display) -> String {
    format!("Cancelled opening {file}")
}
pub(crate) fn stopped_opening(file: &dyn Display) -> String {
    format!("Stopped opening {file}, as another file or character was opened")
}
pub(crate) fn reading_stopped(path: &dyn Display) -> String {
    format!(
        "{path}: Kinescope stopped reading without an error message. Check whether another program can read the file"
    )
}
pub(crate) fn recovery_kept(error: &dyn Display) -> String {
    format!("{error}. The unsaved work is kept, and the next start offers it again")
}

pub(crate) fn not_solved(error: &dyn Display) -> String {
    format!("Not solved: {error}")
}
pub(crate) fn not_attached(error: &dyn Display) -> String {
    format!("Not attached: {error}")
}
pub(crate) fn undoes_it(done: &dyn Display, shortcut: &dyn Display) -> String {
    format!("{done}. {shortcut} undoes it")
}
pub(crate) fn undone(label: &dyn Display) -> String {
    format!("Undone: {label}")
}
pub(crate) const NOTHING_TO_UNDO: &str = "Nothing to undo";
pub(crate) fn redone(label: &dyn Display) -> String {
    format!("Redone: {label}")
}
pub(crate) const NOTHING_TO_REDO: &str = "Nothing to redo";
pub(crate) const EDIT_MODEL: &str = "open another model";
pub(crate) const EDIT_RECOVER: &str = "recover work";
pub(crate) fn recovered(work: &dyn Display) -> String {
    format!("Recovered: {work}")
}

pub(crate) const NO_CONFIG_FOLDER: &str =
    "there is no configuration folder: HOME is not set, and XDG_CONFIG_HOME is not an absolute path";
pub(crate) fn could_not_autosave(error: &dyn Display) -> String {
    format!("Could not autosave: {error}. Save your work yourself")
}
pub(crate) fn the_built_in(name: &dyn Display) -> String {
    format!("the built-in {name}")
}
pub(crate) const BONES_ALONE: &str = "bones without a model";
/// Name of a built-in character that replaces bones of which no frame was stored.
pub(crate) fn instead_of_bones(name: &dyn Display) -> String {
    format!("the built-in {name} (the original bones were not stored)")
}
pub(crate) fn seconds_ago(seconds: &dyn Display) -> String {
    format!(", {seconds} s ago")
}
pub(crate) fn minutes_ago(minutes: &dyn Display) -> String {
    format!(", {minutes} minutes ago")
}
pub(crate) fn hours_ago(hours: &dyn Display) -> String {
    format!(", {hours} hours ago")
}
pub(crate) fn days_ago(days: &dyn Display) -> String {
    format!(", {days} days ago")
}
pub(crate) const UNNAMED_PRESET: &str = "a preset without a name";
pub(crate) fn unsaved_work(
    preset: &dyn Display,
    model: &dyn Display,
    frames: &dyn Display,
    ago: &dyn Display,
) -> String {
    format!("{preset} on {model}, {frames}{ago}")
}

pub(crate) fn not_within_clip(
    name: &dyn Display,
    time: &dyn Display,
    clip: &dyn Debug,
    duration: &dyn Display,
) -> String {
    format!("{name}: {time} s is not within clip {clip:?}, which goes from 0 to {duration} s")
}
pub(crate) fn bones_without_length(name: &dyn Display, time: &dyn Display) -> String {
    format!("{name}: at {time} s of the clip the model's bones have no length. Choose another time or clip")
}
pub(crate) fn terrain_error(error: &dyn Display) -> String {
    format!("terrain: {error}")
}
pub(crate) fn nothing_to_do(name: &dyn Display, to: &dyn Display) -> String {
    format!(
        "{name}: no full body is solved, so there is nothing to {to}. Turn on the layer full body, or set grounding.drive to \"full_body\""
    )
}
pub(crate) const NO_CLIP_TO_BAKE: &str = "no clip plays, so there is nothing to bake. Choose one first";
pub(crate) fn clip_without_length(model: &dyn Display, name: &dyn Debug) -> String {
    format!("{model}: clip {name:?} has no length. Choose another clip")
}
pub(crate) fn nothing_to_bake(from: &dyn Display, to: &dyn Display) -> String {
    format!("there is nothing to bake from {from} to {to} s. Set an end after the start")
}
pub(crate) fn too_many_frames(
    to: &dyn Display,
    name: &dyn Debug,
    frames_per_second: &dyn Display,
    max_frames: &dyn Display,
) -> String {
    format!(
        "{to} s of clip {name:?} at {frames_per_second} frames a second are more than {max_frames} frames. Choose an earlier end or a lower rate"
    )
}
pub(crate) const NO_CLIP_FOR_PATH: &str = "no clip plays. Choose one first";
pub(crate) const NO_PATH: &str = "the character walks no path. Choose one in the Motion pane";
pub(crate) const NO_LEGS_FOR_PATH: &str =
    "the character has no legs, so no clip walks the path. Press D to assign its bones in the rig doctor";
pub(crate) fn does_not_walk(clip: &dyn Debug) -> String {
    format!("clip {clip:?} does not walk forward, so it does not reach the end of the path. Choose a walking clip")
}
pub(crate) fn too_slow_for_path(clip: &dyn Debug, speed: &dyn Display, minutes: &dyn Display) -> String {
    format!(
        "clip {clip:?} does not reach the end of the path within {minutes:.0} minutes: its speed is {speed:.3} m/s. Choose a faster clip or a shorter path"
    )
}

pub(crate) const SCENE_NEEDS_HOCKS: &str =
    "This scene needs hocks, which this character lacks. Open the built-in faun from the File menu";
pub(crate) const PICTURE_TITLE: &str = "Picture";
pub(crate) fn no_biped(model: &dyn Display) -> String {
    format!("{model}: no biped was found. Assign its bones in the rig doctor")
}
pub(crate) const LIMBS_ONLY: &str = "grounding.drive: is \"limbs\", so no full body is solved. Set it to \"full_body\"";
