use std::fmt::Display;

pub(crate) const PROGRAM: &str = "Kinescope";
pub(crate) const SCENES: &str = "Scenes";
pub(crate) const KEYS_BUTTON: &str = "Keys";
pub(crate) const PALETTE_BUTTON: &str = "Palette";
pub(crate) fn memory_used(used: &dyn Display, budget: &dyn Display) -> String {
    format!("{used:.1} of {budget:.0} MiB")
}
pub(crate) const MEMORY_HELP: &str = "Memory of recorded frames. Click to change the limit.";
pub(crate) const GAME_SENT: &str = "Game sent";
pub(crate) fn game_frames_help(shown: &dyn Display) -> String {
    format!("Frames of this character that were not dropped. Of these, shown and still in memory: {shown}.")
}
pub(crate) const RECORDED: &str = "Recorded";
pub(crate) const RECORDED_HELP: &str = "Frames in memory.";
pub(crate) const RECENT_MODELS: &str = "Recent models";
pub(crate) const RECENT_PRESETS: &str = "Recent presets";
pub(crate) const NONE_YET: &str = "None yet";
pub(crate) const NO_SCENE: &str = "None";
pub(crate) const SCENE_MENU: &str = "Scene";
pub(crate) fn scene_help(scene: &dyn Display) -> String {
    format!("{scene}\nStarts a scene. Each scene shows one behaviour.")
}
pub(crate) const MODEL_MENU: &str = "Model";
pub(crate) fn model_help(model: &dyn Display) -> String {
    format!("{model}\nChooses the character.")
}
pub(crate) const UNNAMED: &str = "Unnamed";
pub(crate) const PRESET_MENU: &str = "Preset";
pub(crate) const NOT_SAVED: &str = "not saved";
pub(crate) const SAVED: &str = "saved";
pub(crate) fn preset_help(name: &dyn Display, is_saved: &dyn Display) -> String {
    format!("{name}, {is_saved}\nOpens or saves a preset of parameters and targets.")
}
pub(crate) const SOLVE_TIME: &str = "Solve";
pub(crate) const SOLVE_TIME_HELP: &str =
    "Time to compute the frame shown, including the recording of every step. The profiler lists the parts.";
pub(crate) const LIVE: &str = "Live";
pub(crate) const PAUSED: &str = "Paused";
pub(crate) const SOLID_SWITCH: &str = "Solid";
pub(crate) const XRAY_SWITCH: &str = "X-ray";
pub(crate) const HIDDEN_SWITCH: &str = "Hidden";
pub(crate) const MOVE_SWITCH: &str = "Move";
pub(crate) const ROTATE_SWITCH: &str = "Rotate";
pub(crate) const BOTH_SWITCH: &str = "Both";
pub(crate) const WORLD_SWITCH: &str = "World";
pub(crate) const BONE_SWITCH: &str = "Bone";

pub(crate) fn default_layout(file: &dyn Display, what: &dyn Display) -> String {
    format!("Could not read {file}: {what}. The default layout is used")
}
pub(crate) const NO_LAYOUT: &str = "the arrangement of the panes is not valid";

pub(crate) const STEPS_TAB: &str = "Steps";
pub(crate) const STEPS_TAB_HELP: &str = "Shows clip, frames, steps and moves.";
pub(crate) fn guest_tab_help(pane: &dyn Display) -> String {
    format!("Shows {pane} instead of the steps. The window is too short for both.")
}
pub(crate) const TITLE_HELP: &str = "Drag to dock the pane elsewhere.";
pub(crate) fn name_close_pane(pane: &dyn Display) -> String {
    format!("close {pane}")
}
pub(crate) const CLOSE_PANE_HELP: &str = "Closes this pane. A menu opens it again.";

pub(crate) fn scenes_of(topic: &dyn Display) -> String {
    format!("Scenes: {topic}")
}
pub(crate) const SETTINGS_GROUP: &str = "Settings";
pub(crate) const FIRST_CLOSE_LAB: &str = "close the chain lab";
pub(crate) const FIRST_CHOOSE_METHOD: &str = "choose a terrain and how feet find the ground";
pub(crate) const OWNER_FOOT_IK: &str = "foot IK";
pub(crate) const FIRST_FOOT_IK: &str = "choose a terrain and the method «Foot IK»";
pub(crate) const OWNER_PREDICTIVE: &str = "predictive grounder";
pub(crate) const FIRST_PREDICTIVE: &str = "choose a terrain and the method «Predictive» or «Path»";
pub(crate) const FIRST_PATH: &str = "choose a terrain and the method «Path»";
pub(crate) const OWNER_WEIGHTS: &str = "grounding's weights";
pub(crate) const FIRST_BY_SPEED: &str = "set the foot weight by bone speed";
pub(crate) const OWNER_FOOT_WEIGHT: &str = "foot weight";
pub(crate) const FIRST_FOUR_LIMBS: &str = "let grounding drive four limbs";
pub(crate) const FIRST_ITERATING_SOLVER: &str = "choose an iterating limb solver";
pub(crate) const FIRST_ADD_RULE: &str = "add a rule";
pub(crate) const OWNER_FOOT_LOCK: &str = "foot lock";
pub(crate) const FIRST_FOOT_LOCK: &str = "switch the foot lock on";
pub(crate) const FIRST_BY_CURVES: &str = "set the foot weight by curves";
pub(crate) fn owner_pose_layer(number: &dyn Display) -> String {
    format!("pose layer {number}")
}
pub(crate) fn not_scalable(key: &dyn Display) -> String {
    format!("{key}: limbs cannot be scaled, as they keep their length")
}
pub(crate) const FIELD_DISAPPEARED: &str = "The field you were typing in has disappeared. Its value is unchanged. Keys without Ctrl or Alt are ignored until you press Enter, Esc or Tab, click, or pause for 1 s";
