//! The words of this tool on screen, grouped by control.

use std::fmt::Display;

// Clip track
pub const CLIP: &str = "clip";
pub const CLIP_TIME_HELP: &str = "Time of the clip.";
pub const BAKE_FROM_HELP: &str = "Start of the baked range, since clip and path began. Drag the bracket on the track.";
pub const TO: &str = "to";
pub const BAKE_TO_HELP: &str = "End of the baked range. Beyond the clip's end the clip repeats and the path goes on.";
pub const BAKE_RATE_HELP: &str = "Keys per second of the baked clip.";
pub const BAKE: &str = "Bake…";
pub fn baking_help(path: &dyn Display) -> String {
    format!("Baking {path}. Click to cancel.")
}

// Sections
pub const GROUND: &str = "ground";
pub const GROUND_HINT: &str = "what the character stands on";
pub const PATH: &str = "path";
pub const PATH_HINT: &str = "where the character goes";
pub const GAIT: &str = "gait and fades";
pub const GAIT_HINT: &str = "from clip to clip";
pub const POSE_LAYERS: &str = "pose layers";
pub const POSE_LAYERS_HINT: &str = "on top of the clip";
pub const FRAME_RATE: &str = "frame rate";
pub const FRAME_RATE_HINT: &str = "for everything that moves";

// Ground
pub const TERRAIN: &str = "terrain";
pub const NONE: &str = "none";
pub const SIZE: &str = "size";
pub const SIZE_HELP: &str = "Side lengths across and along. Beyond its rim the ground continues at the rim's height.";
pub const POINTS_HELP: &str = "Number of points across and along.";
pub const POINTS: &str = "points";
pub const SCULPT: &str = "sculpt";
pub const FEET: &str = "feet";
pub const OFF: &str = "off";
pub const OFF_HELP: &str = "Feet follow the clip and ignore the ground.";
pub const FOOT_IK: &str = "foot IK";
pub const FOOT_IK_HELP: &str = "Casts one ray per foot; a weight curve says when the foot stands.";
pub const PREDICTIVE: &str = "predictive";
pub const PREDICTIVE_HELP: &str = "Predicts each foot's position from its velocity.";
pub const PREDICTIVE_PATH: &str = "path";
pub const PREDICTIVE_PATH_HELP: &str = "Predicts as above, and moves steps to even ground along the known path.";
pub const DRIVES: &str = "drives";
pub const FULL_BODY: &str = "full body";
pub const FULL_BODY_HELP: &str = "Sends feet and body offset to the full-body solver as effectors.";
pub const FOUR_LIMBS: &str = "four limbs";
pub const FOUR_LIMBS_HELP: &str =
    "Solves legs and arms individually with the limb solver chosen in Grounding. The rest stays as animated.";
pub const PARAMETERS: &str = "Parameters";
pub const PARAMETERS_HELP: &str = "Opens grounding in the inspector, with its steps and settings.";

// Path
pub const GOES: &str = "goes";
pub const IN_PLACE: &str = "in place";
pub const IN_PLACE_HELP: &str = "Plays the clip on the spot.";
pub const AS_CLIP: &str = "as the clip";
pub const AS_CLIP_HELP: &str = "Moves the character as the clip does.";
pub const ALONG_PATH: &str = "along a path";
pub const ALONG_PATH_HELP: &str =
    "Moves the character along a path at the clip's walking speed, so that standing feet do not slide.";
pub const STANDS_AT: &str = "stands at";
pub const NEEDS_TWO_POINTS: &str = "needs two separate points";
pub const CLOSED: &str = "Closed";
pub const CLOSED_HELP: &str = "Continues the path from its end to its start.";
pub const ADD_POINT_HELP: &str = "Adds a point between the last point and the first.";
pub const REMOVE_POINT_HELP: &str = "Removes the last point.";
pub const DRAG_POINTS: &str = "Drag the points in the picture";
pub const CAMERA_FOLLOWS: &str = "Camera follows";
pub const CAMERA_FOLLOWS_HELP: &str = "Moves the camera along with the character.";
pub const FROM_START: &str = "From the start";
pub const FROM_START_HELP: &str = "Restarts path, clip and ground.";

// Gait and fades
pub const FADE_TO: &str = "fade to";
pub const NO_CLIPS: &str = "The model has no clips";
pub const REST_POSE: &str = "rest pose";
pub const CLIP_BY_PACE_HELP: &str = "Plays the standing or forward-walking clip whose speed is nearest to the pace.";
pub const CLIP_BY_PACE: &str = "Clip by pace";

// Pose layers
pub const BLEND: &str = "blend";
pub const BLEND_HELP: &str = "Blends toward the clip's pose.";
pub const ADD: &str = "add";
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
pub const BASE: &str = "base";
pub const AT_TIME: &str = "at a time";
pub fn base_time_help(sources: &dyn Display) -> String {
    format!("Uses the clip's own pose at a time; 0 is its first frame.{sources}")
}
pub fn base_rest_help(sources: &dyn Display) -> String {
    format!("Uses the rest pose, so that the layer adds everything the clip does to it.{sources}")
}
pub const BASE_TIME_HELP: &str = "Time of the base pose in the clip.";
pub const INPUT_HELP: &str = "Value of the input.";
pub const OUTPUT_HELP: &str = "Value of the number at this input.";

// Frame rate
pub const FRAMES: &str = "frames";
pub const DISPLAY: &str = "display";
pub const DISPLAY_HELP: &str = "Computes one frame per drawn picture.";
pub fn frames_help(name: &dyn Display) -> String {
    format!("Computes {name} frames per second, whatever the display does. Feet and pelvis have to move the same.")
}
