//! Texts of this tool, grouped by control.

use std::fmt::Display;

pub const CLIP: &str = "Clip";
pub const CLIP_TIME_HELP: &str = "Time of the clip.";
pub const BAKE_FROM_HELP: &str =
    "Start of the baked range, from the start of clip and path. Drag the bracket on the track.";
pub const TO: &str = "to";
pub const BAKE_TO_HELP: &str =
    "End of the baked range. Beyond the clip's end, the clip repeats and the path continues.";
pub const BAKE_RATE_HELP: &str = "Keys per second of the baked clip.";
pub const BAKE: &str = "Bake…";
pub fn baking_help(path: &dyn Display) -> String {
    format!("Baking {path}. Click to cancel.")
}

pub const GROUND: &str = "Ground";
pub const GROUND_HINT: &str = "What the character stands on";
pub const PATH: &str = "Path";
pub const PATH_HINT: &str = "Where the character goes";
pub const GAIT: &str = "Gait and fades";
pub const GAIT_HINT: &str = "From clip to clip";
pub const POSE_LAYERS: &str = "Pose layers";
pub const POSE_LAYERS_HINT: &str = "On top of the clip";
pub const FRAME_RATE: &str = "Frame rate";
pub const FRAME_RATE_HINT: &str = "For everything that moves";

pub const TERRAIN: &str = "Terrain";
pub const NONE: &str = "None";
pub const SIZE: &str = "Size";
pub const SIZE_HELP: &str = "Side lengths along x and z. Beyond the rim the ground continues at the rim's height.";
pub const POINTS_HELP: &str = "Number of points along x and z.";
pub const POINTS: &str = "Points";
pub const SCULPT: &str = "Sculpt";
pub const FEET: &str = "Feet";
pub const OFF: &str = "Off";
pub const OFF_HELP: &str = "Feet follow the clip and ignore the ground.";
pub const FOOT_IK: &str = "Foot IK";
pub const FOOT_IK_HELP: &str = "Casts one ray per foot. The foot weight sets when the foot stands.";
pub const PREDICTIVE: &str = "Predictive";
pub const PREDICTIVE_HELP: &str = "Predicts each foot's position from its velocity.";
pub const PREDICTIVE_PATH: &str = "Path";
pub const PREDICTIVE_PATH_HELP: &str = "Like predictive, and moves steps to even ground along the known path.";
pub const DRIVES: &str = "Drives";
pub const FULL_BODY: &str = "Full body";
pub const FULL_BODY_HELP: &str = "Sends feet and body offset to the full-body solver as effectors.";
pub const FOUR_LIMBS: &str = "Four limbs";
pub const FOUR_LIMBS_HELP: &str =
    "Solves legs and arms individually with the limb solver chosen in Grounding. The rest stays as animated.";
pub const PARAMETERS: &str = "Parameters";
pub const PARAMETERS_HELP: &str = "Opens grounding in the inspector, with its steps and settings.";

pub const GOES: &str = "Goes";
pub const IN_PLACE: &str = "In place";
pub const IN_PLACE_HELP: &str = "Plays the clip on the spot.";
pub const AS_CLIP: &str = "As the clip";
pub const AS_CLIP_HELP: &str = "Moves the character by the clip's own root motion.";
pub const ALONG_PATH: &str = "Along a path";
pub const ALONG_PATH_HELP: &str =
    "Moves the character along a path at the clip's walking speed, so that standing feet do not slide.";
pub const STANDS_AT: &str = "Stands at";
pub const NEEDS_TWO_POINTS: &str = "Needs two separate points";
pub const CLOSED: &str = "Closed";
pub const CLOSED_HELP: &str = "Continues the path from its end to its start.";
pub const ADD_POINT: &str = "Add";
pub const REMOVE_POINT: &str = "Remove";
pub const ADD_POINT_HELP: &str = "Adds a point between the last point and the first.";
pub const REMOVE_POINT_HELP: &str = "Removes the last point.";
pub const DRAG_POINTS: &str = "Drag the points in the picture";
pub const CAMERA_FOLLOWS: &str = "Camera follows";
pub const CAMERA_FOLLOWS_HELP: &str = "Moves the camera along with the character.";
pub const FROM_START: &str = "From the start";
pub const FROM_START_HELP: &str = "Restarts path, clip and ground.";

pub const FADE_TO: &str = "Fade to";
pub const NO_CLIPS: &str = "The model has no clips";
pub const REST_POSE: &str = "Rest pose";
pub const CLIP_BY_PACE_HELP: &str = "Plays the standing or forward-walking clip whose speed is nearest to the pace.";
pub const CLIP_BY_PACE: &str = "Clip by pace";

pub const BLEND: &str = "Blend";
pub const BLEND_HELP: &str = "Blends toward the clip's pose.";
pub const ADD: &str = "Add";
pub const ADD_HELP: &str = "Adds the clip's difference from its base pose.";
pub const REMOVE_LAYER_HELP: &str = "Removes this layer.";
pub const RUNS: &str = "Runs";
pub const RUNS_HELP: &str = "Plays the clip in a loop. When off, the layer stays at one moment.";
pub const MOMENT_HELP: &str = "Time in the clip.";
pub const MASK: &str = "Mask";
pub const MASK_HELP: &str = "Sets the weight of this layer for a bone and its descendants. Choose the bone.";
pub const SCALE_BUTTON: &str = "Scale";
pub const SCALE_HELP: &str = "Sets the scale of a bone in the clip's pose. Choose the bone.";
pub const SCALE_RESET_HELP: &str = "Resets this bone to the clip's scale.";
pub const MASK_RESET_HELP: &str = "Resets this bone to its parent's weight.";
pub const ADD_LAYER: &str = "Add a layer";
pub const ADD_LAYER_HELP: &str = "Adds a layer that blends or adds another clip, on the whole body or below one bone.";
pub const BASE: &str = "Base";
pub const AT_TIME: &str = "Clip pose";
pub fn base_time_help(sources: &dyn Display) -> String {
    format!("Uses the clip's own pose at a time; 0 is its first frame.{sources}")
}
pub fn base_rest_help(sources: &dyn Display) -> String {
    format!("Uses the rest pose, so that the layer adds the clip's whole difference from it.{sources}")
}
pub const BASE_TIME_HELP: &str = "Time of the base pose in the clip.";
pub const INPUT_HELP: &str = "Value of the input.";
pub const OUTPUT_HELP: &str = "The layer's weight or time at this input.";

pub const FRAMES: &str = "Frames";
pub const DISPLAY: &str = "Display";
pub const DISPLAY_HELP: &str = "Computes one frame per drawn picture.";
pub fn frames_help(name: &dyn Display) -> String {
    format!(
        "Computes {name} frames per second, whatever the display's rate. Feet and pelvis should move the same at all rates."
    )
}

pub fn terrain_error(icon: &dyn Display, error: &dyn Display) -> String {
    format!("{icon} Terrain: {error}")
}
pub fn warning(icon: &dyn Display, problem: &dyn Display) -> String {
    format!("{icon} {problem}")
}
pub fn no_ground(icon: &dyn Display) -> String {
    format!("{icon} There is no ground. Choose a terrain")
}
pub fn no_legs(icon: &dyn Display) -> String {
    format!("{icon} No legs were found. Press D for the rig doctor")
}
pub fn sculpted(columns: &dyn Display, rows: &dyn Display) -> String {
    format!("Sculpted, {columns} × {rows} points")
}
pub fn tool_help(help: &dyn Display) -> String {
    format!("{help} Click again to stop.")
}
pub const METRES_SUFFIX: &str = " m";

pub const EDIT_METHOD: &str = "method of grounding";
pub const EDIT_DRIVE: &str = "drive of grounding";
pub const EDIT_NO_TERRAIN: &str = "no terrain";
pub fn edit_terrain(name: &dyn Display) -> String {
    format!("terrain {name}")
}
pub const EDIT_SIZE: &str = "size of the terrain";

pub fn name_brush(what: &dyn Display) -> String {
    format!("brush {what}")
}

pub const WHOLE_BODY: &str = "Whole body";
pub const LAYER_ON_HELP: &str = "Turns this layer on or off.";
pub const FEATHER_PREFIX: &str = "feather ";
pub const BY_NOTHING: &str = "Nothing";
pub const BY_PACE: &str = "Pace";
pub const BY_KEYS: &str = "Keys − and +";
pub const CURVE_FROM: &str = "  From";
pub const CURVE_TO: &str = "  To";
pub const WEIGHT_BY: &str = "Weight input";
pub const TIME_BY: &str = "Time input";

pub const EDIT_REMOVE_LAYER: &str = "remove a pose layer";
pub const EDIT_ADD_LAYER: &str = "add a pose layer";
pub const EDIT_LAYER_ON: &str = "a pose layer on or off";
pub const EDIT_LAYER_KIND: &str = "kind of a pose layer";
pub const EDIT_LAYER_CLIP: &str = "clip of a pose layer";
pub const EDIT_LAYER_BONES: &str = "bones of a pose layer";
pub const EDIT_LAYER_WEIGHT: &str = "weight of a pose layer";
pub const EDIT_WEIGHT_INPUT: &str = "input of a pose layer's weight";
pub const EDIT_TIME_INPUT: &str = "input of a pose layer's time";
pub const EDIT_LAYER_BASE: &str = "base of a pose layer";
pub const EDIT_LAYER_TIME: &str = "time of a pose layer";
pub const EDIT_FEATHER: &str = "feather of a pose layer";
pub const EDIT_MASK: &str = "mask of a pose layer";
pub const EDIT_SCALE: &str = "scale of a pose layer";

pub fn name_numbered(name: &dyn Display, number: &dyn Display) -> String {
    format!("{name} {number}")
}
pub const NAME_LAYER_CLIP: &str = "clip of layer";
pub const NAME_LAYER_BONES: &str = "bones of layer";
pub const NAME_REMOVE_LAYER: &str = "remove layer";
pub fn name_weight_by(number: &dyn Display) -> String {
    format!("input of layer {number}'s weight")
}
pub fn name_time_by(number: &dyn Display) -> String {
    format!("input of layer {number}'s time")
}
pub fn name_scale_of(bone: &dyn Display) -> String {
    format!("scale of {bone}")
}
pub fn name_remove_scale(bone: &dyn Display, number: &dyn Display) -> String {
    format!("remove {bone} from the scales of layer {number}")
}
pub fn name_remove_mask(bone: &dyn Display, number: &dyn Display) -> String {
    format!("remove {bone} from the mask of layer {number}")
}

pub const TITLE: &str = "Motion";
pub const WHAT: &str = "Show ground, path, gaits, fades, pose layers and frame rate.";
pub fn clip_weight(percent: &dyn Display, time: &dyn Display) -> String {
    format!("{percent:.0} %  at {time:.2} s")
}
pub const HERTZ: &str = "Hz";

pub const EDIT_FADE: &str = "duration of fades";
pub const EDIT_CLIP_BY_PACE: &str = "clip by pace";
pub const EDIT_PACE: &str = "pace";
pub const EDIT_FRAME_RATE: &str = "frame rate of motion";
pub const NAME_FADE_TO: &str = "fade to";

pub fn path_text(points: &dyn Display, length: &dyn Display, along: &dyn Display, speed: &dyn Display) -> String {
    format!("{points} points, {length:.1} m, {along:.1} m along, {speed:.2} m/s")
}

pub const EDIT_TRAVEL: &str = "path of the character";
pub const EDIT_START: &str = "start of the character";
pub const EDIT_CLOSED: &str = "path closed or open";
pub const EDIT_ADD_POINT: &str = "add a point to the path";
pub const EDIT_REMOVE_POINT: &str = "remove a point of the path";
pub const EDIT_LEAN: &str = "lean with the slope";

pub const NAME_ADD_POINT: &str = "add a point";
pub const NAME_REMOVE_POINT: &str = "remove the last point";

pub const SECONDS_SUFFIX: &str = " s";
pub const RATE_SUFFIX: &str = " /s";
pub fn baking_percent(icon: &dyn Display, percent: &dyn Display) -> String {
    format!("{icon} {percent:.0} %")
}
pub const EDIT_MOVE_KEY: &str = "move a key";
pub const TRACK_HELP: &str = "Drag to seek the clip; a paused solve stays at its step. Blue and orange: contacts of the left and the right foot. Drag the brackets' lower halves to set the baked range. Diamonds: keys of the effector in the inspector.";

pub const NAME_CANCEL_BAKING: &str = "cancel baking";
pub const NAME_CLIP_TIME: &str = "clip time";

pub const EDIT_MOVE_PATH: &str = "move the path";
pub const EDIT_MOVE_POINT: &str = "move a point";
pub fn edit_sculpt(label: &dyn Display) -> String {
    format!("{label} the ground")
}

// Motion file
pub const EDIT_ADD_MOTION: &str = "add motion";
pub const EDIT_REMOVE_MOTION: &str = "remove motion";
pub fn added_motion(file: &dyn Display, count: &usize) -> String {
    let clips = if *count == 1 { "clip" } else { "clips" };
    format!("Added {count} {clips} from {file}")
}
pub fn no_motion_file(why: &dyn Display) -> String {
    format!("{why}. Add the motion file again, or choose another clip")
}
