use std::fmt::{Debug, Display};

pub(crate) const THIS_PRESET: &str = "this preset";
pub(crate) const SAVE: &str = "Save";
pub(crate) const SAVE_HELP: &str = "Saves the preset to its file, or asks for a name.";
pub(crate) const DISCARD: &str = "Discard";
pub(crate) const DISCARD_HELP: &str = "Discards the changes and continues.";
pub(crate) const CANCEL: &str = "Cancel";
pub(crate) const RETURN_HELP: &str = "Returns to the session.";
pub(crate) fn unsaved_edits(character: &dyn Display, game: &dyn Display) -> String {
    format!("Edits of {character}'s parameters in {game} are not saved in a preset.")
}
pub(crate) fn unsaved_changes(name: &dyn Display) -> String {
    format!("Changes to {name} are not saved.")
}
pub(crate) const UNSAVED_CHANGES: &str = "Unsaved changes";
pub(crate) const THE_GAME: &str = "the game";
pub(crate) const SAVE_GAME: &str = "Save…";
pub(crate) const SAVE_GAME_HELP: &str = "Saves the frames as a recording, then quits.";
pub(crate) const QUIT_WITHOUT_SAVING: &str = "Quit without saving";
pub(crate) const QUIT_WITHOUT_SAVING_HELP: &str = "Quits and drops the frames.";
pub(crate) fn unsaved_frames(frames: &dyn Display, name: &dyn Display) -> String {
    format!("Not saved: {frames} from {name}.")
}
pub(crate) const UNSAVED_FRAMES: &str = "Unsaved frames";
pub(crate) fn did_not_close(what: &dyn Display) -> String {
    format!("A Kinescope window did not close properly. Unsaved work: {what}.")
}
pub(crate) const RECOVER: &str = "Recover";
pub(crate) const RECOVER_HELP: &str = "Restores character, settings and newest frames.";
pub(crate) const DELETE_HELP: &str = "Deletes this work permanently.";
pub(crate) const LATER: &str = "Later";
pub(crate) const LATER_HELP: &str = "Asks again at the next start.";
pub(crate) const UNSAVED_WORK: &str = "Unsaved work";
pub(crate) fn changed_on_disk(path: &dyn Display) -> String {
    format!("Another program has changed {path} since Kinescope opened or saved it.")
}
pub(crate) const SAVE_AS: &str = "Save as…";
pub(crate) const SAVE_AS_HELP: &str = "Saves to another file. Both presets are kept.";
pub(crate) const OVERWRITE: &str = "Overwrite";
pub(crate) const OVERWRITE_CHANGES_HELP: &str = "Replaces the other program's changes.";
pub(crate) const SAVE_NOTHING_HELP: &str = "Saves nothing.";
pub(crate) const CHANGED_ON_DISK: &str = "Changed on disk";
pub(crate) const ANOTHER_MODEL: &str = "another model";
pub(crate) fn made_with(path: &dyn Display, made: &dyn Display, own: &dyn Display) -> String {
    format!("{path} is a preset of {made}. Saving replaces it with a preset of {own}.")
}
pub(crate) const OVERWRITE_PRESET_HELP: &str = "Replaces the preset of the other character.";
pub(crate) const OTHER_CHARACTER: &str = "Preset of another character";
pub(crate) fn could_not_open_model(path: &dyn Display, why: &dyn Display) -> String {
    format!("Could not open the model of {path}.\n{why}")
}
pub(crate) fn open_on(own: &dyn Display) -> String {
    format!("Open on {own}")
}
pub(crate) const FIND_MODEL: &str = "Find the model…";
pub(crate) const FIND_MODEL_HELP: &str = "Opens the preset on a model that you choose.";
pub(crate) const OPEN_ON_HELP: &str = "Opens the preset on the current character.";
pub(crate) const OPEN_NOTHING_HELP: &str = "Opens nothing.";
pub(crate) const MODEL_NOT_FOUND: &str = "Model not found";
pub(crate) const HAS_NO_CLIPS: &str = "has no clips";
pub(crate) fn has_other_clips(clips: &dyn Display) -> String {
    format!("has {clips}, none that matches")
}
pub(crate) fn scene_plays(
    scene: &dyn Display,
    plural: &dyn Display,
    clips: &dyn Display,
    model: &dyn Display,
    has: &dyn Display,
) -> String {
    format!("The scene «{scene}» plays the {plural} {clips}. {model} {has}.")
}
pub(crate) const USE_MANNEQUIN: &str = "Use the mannequin";
pub(crate) const USE_MANNEQUIN_HELP: &str = "Starts the scene with the built-in character, which has the clips.";
pub(crate) const START_WITHOUT: &str = "Start without";
pub(crate) const START_WITHOUT_HELP: &str =
    "Starts the scene without the clips. The outliner lists those of the character, if any.";
pub(crate) const START_NOTHING_HELP: &str = "Starts nothing.";
pub(crate) const CLIPS_MISSING: &str = "Clips missing";
pub(crate) fn targets_set_on(set: &dyn Display, were: &dyn Display, before: &dyn Display) -> String {
    format!("{set} {were} set on {before}. ")
}
pub(crate) fn heights(before: &dyn Display, was: &dyn Display, own: &dyn Display, is: &dyn Display) -> String {
    format!("{before} is {was:.2} model units tall, {own} is {is:.2}. ")
}
pub(crate) fn preset_unchanged(preset: &dyn Display, before: &dyn Display) -> String {
    format!("{preset} remains the preset of {before}. Saving asks for another file. ")
}
pub(crate) const UNDO_RESTORES: &str = "Ctrl+Z restores dropped targets.";
pub(crate) const KEEP_TARGETS: &str = "Keep targets";
pub(crate) const KEEP_TARGETS_HELP: &str = "Keeps the targets where they are.";
pub(crate) const DROP_TARGETS: &str = "Drop targets";
pub(crate) const DROP_TARGETS_HELP: &str = "Clears targets, attachments and bend goals of the body and of its chains.";
pub(crate) const PREVIOUS_TARGETS: &str = "Targets of the previous model";
pub(crate) fn already_exists(path: &dyn Display) -> String {
    format!("{path} already exists.")
}
pub(crate) const REPLACE_HELP: &str = "Replaces the file.";
pub(crate) const WRITE_NOTHING_HELP: &str = "Writes nothing.";
pub(crate) const OVERWRITE_QUESTION: &str = "Overwrite?";

pub(crate) fn attach_to(target: &dyn Display) -> String {
    format!("Attach {target} to")
}
pub(crate) const ATTACH_HINT: &str = "A bone or an effector";
pub(crate) fn no_bone_matches(query: &dyn Debug) -> String {
    format!("No bone or effector matches {query:?}. Try fewer letters.")
}
pub(crate) const KEYS: &str = "Keys";
pub(crate) const KEYS_HINT: &str = "A task, a key, a word";
pub(crate) fn no_key_matches(query: &dyn Debug) -> String {
    format!("No key matches {query:?}. Try fewer letters.")
}
pub(crate) const PALETTE_HINT: &str = "A command, a scene, a setting";
pub(crate) fn nothing_matches(query: &dyn Debug) -> String {
    format!("Nothing matches {query:?}. Try fewer letters, or a source's name.")
}
pub(crate) const SCENE: &str = "Scene";
pub(crate) fn first_do(first: &dyn Display, purpose: &dyn Display) -> String {
    format!("First {first}. {purpose}")
}
pub(crate) const SETTING: &str = "Setting";

pub(crate) const FIND_PRESET_MODEL: &str = "Find the preset's model";
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn no_such_file(path: &dyn Display) -> String {
    format!("{path}: there is no such file or folder")
}
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn warning(icon: &dyn Display, problem: &dyn Display) -> String {
    format!("{icon} {problem}")
}
pub(crate) const CANCEL_OPENING_HELP: &str =
    "Stops opening the file. The character stays, and other work, such as a bake, continues.";
pub(crate) fn opening(name: &dyn Display) -> String {
    format!("Opening {name}…")
}

#[cfg(target_arch = "wasm32")]
pub(crate) const CHOOSE_IN_BROWSER: &str = "Choose a file in the browser's dialog, or drop it here.";
#[cfg(target_arch = "wasm32")]
pub(crate) const CHOOSE_AGAIN: &str = "Choose a file…";
