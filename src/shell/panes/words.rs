//! Texts of the menus and of the panes' frames.

use std::fmt::Display;

pub const PROGRAM: &str = "Kinescope";
pub const SCENES: &str = "Scenes";
pub const KEYS_BUTTON: &str = "Keys";
pub const PALETTE_BUTTON: &str = "Palette";
pub fn memory_used(used: &dyn Display, budget: &dyn Display) -> String {
    format!("{used:.1} of {budget:.0} MiB")
}
pub const MEMORY_HELP: &str = "Memory of recorded frames. Click to change the limit.";
pub const GAME_SENT: &str = "Game sent";
pub fn game_frames_help(shown: &dyn Display) -> String {
    format!("Frames received from the game. {shown} of them were shown and are in memory.")
}
pub const RECORDED: &str = "Recorded";
pub const RECORDED_HELP: &str = "Frames in memory.";
pub const RECENT_MODELS: &str = "Recent models";
pub const RECENT_PRESETS: &str = "Recent presets";
pub const NONE_YET: &str = "None yet";
pub const NO_SCENE: &str = "None";
pub const SCENE_MENU: &str = "Scene";
pub fn scene_help(scene: &dyn Display) -> String {
    format!("{scene}\nStarts a scene. Each scene shows one behaviour.")
}
pub const MODEL_MENU: &str = "Model";
pub fn model_help(model: &dyn Display) -> String {
    format!("{model}\nChooses the character.")
}
pub const UNNAMED: &str = "Unnamed";
pub const PRESET_MENU: &str = "Preset";
pub const NOT_SAVED: &str = "not saved";
pub const SAVED: &str = "saved";
pub fn preset_help(name: &dyn Display, is_saved: &dyn Display) -> String {
    format!("{name}, {is_saved}\nOpens or saves a preset of parameters and targets.")
}
pub const SOLVE_TIME: &str = "Solve";
pub const SOLVE_TIME_HELP: &str = "Time to read, solve with every stage recorded, and write.";
pub const LIVE: &str = "Live";
pub const PAUSED: &str = "Paused";
pub const SOLID_SWITCH: &str = "Solid";
pub const XRAY_SWITCH: &str = "X-ray";
pub const HIDDEN_SWITCH: &str = "Hidden";
pub const MOVE_SWITCH: &str = "Move";
pub const ROTATE_SWITCH: &str = "Rotate";
pub const BOTH_SWITCH: &str = "Both";
pub const WORLD_SWITCH: &str = "World";
pub const BONE_SWITCH: &str = "Bone";

pub fn default_layout(file: &dyn Display, what: &dyn Display) -> String {
    format!("{file}: {what}. The default layout is used")
}
pub const NO_LAYOUT: &str = "is not a layout of these panes";

pub const STEPS_TAB: &str = "Steps";
pub const STEPS_TAB_HELP: &str = "Shows clip, frames, steps and moves.";
pub fn guest_tab_help(pane: &dyn Display) -> String {
    format!("Shows {pane} instead of the steps. The window is too short for both.")
}
pub const TITLE_HELP: &str = "Drag to dock the pane elsewhere.";
pub fn name_close_pane(pane: &dyn Display) -> String {
    format!("close {pane}")
}
pub const CLOSE_PANE_HELP: &str = "Closes this pane. The Window menu opens it again.";

pub fn scenes_of(topic: &dyn Display) -> String {
    format!("Scenes: {topic}")
}
pub const SETTINGS_GROUP: &str = "Settings";
pub const FIRST_CLOSE_LAB: &str = "close the chain lab";
pub const FIRST_CHOOSE_METHOD: &str = "choose how feet find the ground";
pub const OWNER_FOOT_IK: &str = "foot IK";
pub const FIRST_FOOT_IK: &str = "choose a terrain and the method “foot IK”";
pub const OWNER_PREDICTIVE: &str = "predictive grounder";
pub const FIRST_PREDICTIVE: &str = "choose a terrain and the method “predictive”";
pub const FIRST_PATH: &str = "choose a terrain and the method “path”";
pub const OWNER_WEIGHTS: &str = "grounding's weights";
pub const FIRST_BY_SPEED: &str = "set the foot weight by bone speed";
pub const OWNER_FOOT_WEIGHT: &str = "foot weight";
pub const FIRST_FOUR_LIMBS: &str = "let grounding drive four limbs";
pub const FIRST_ITERATING_SOLVER: &str = "choose an iterating limb solver";
pub const FIRST_ADD_RULE: &str = "add a rule";
pub const OWNER_FOOT_LOCK: &str = "foot lock";
pub const FIRST_FOOT_LOCK: &str = "switch the foot lock on";
pub const FIRST_BY_CURVES: &str = "set the foot weight by curves";
pub fn owner_pose_layer(number: &dyn Display) -> String {
    format!("pose layer {number}")
}
pub fn not_scalable(key: &dyn Display) -> String {
    format!("{key}: limbs cannot be scaled, as they keep their length")
}
pub const FIELD_DISAPPEARED: &str = "The field you were typing in has disappeared. Its value is unchanged. Keys are ignored until you press Enter, click, or pause for 1 s";
