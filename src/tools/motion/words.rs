use std::fmt::Display;

pub(crate) const CLIP: &str = "Clip";
pub(crate) const CLIP_TIME_HELP: &str = "Seeks the clip to this time.";
pub(crate) const BAKE_FROM_HELP: &str =
    "Start of the baked range, seconds from the start of clip and path. Drag the bracket on the track.";
pub(crate) const TO: &str = "to";
pub(crate) const BAKE_TO_HELP: &str =
    "End of the baked range. Beyond the clip's end, the clip repeats and the path continues.";
pub(crate) const BAKE_RATE_HELP: &str = "Keys per second of the baked clip.";
pub(crate) const BAKE: &str = "Bake…";
pub(crate) fn baking_help(path: &dyn Display) -> String {
    format!("Baking {path}. Click to cancel.")
}

pub(crate) const GROUND: &str = "Ground";
pub(crate) const GROUND_HINT: &str = "What the character stands on";
pub(crate) const PATH: &str = "Path";
pub(crate) const PATH_HINT: &str = "Where the character goes";
pub(crate) const GAIT: &str = "Gait and fades";
pub(crate) const GAIT_HINT: &str = "From clip to clip";
pub(crate) const POSE_LAYERS: &str = "Pose layers";
pub(crate) const POSE_LAYERS_HINT: &str = "On top of the clip";
pub(crate) const FRAME_RATE: &str = "Frame rate";
pub(crate) const FRAME_RATE_HINT: &str = "For everything that moves";

pub(crate) const TERRAIN: &str = "Terrain";
pub(crate) const NONE: &str = "None";
pub(crate) const SIZE: &str = "Size";
pub(crate) const SIZE_HELP: &str =
    "Side lengths along x and z. When they grow, the ground continues at the height of its rim.";
pub(crate) const POINTS_HELP: &str = "Number of points along x and z.";
pub(crate) const POINTS: &str = "Points";
pub(crate) const SCULPT: &str = "Sculpt";
pub(crate) const FEET: &str = "Feet";
pub(crate) const OFF: &str = "Off";
pub(crate) const OFF_HELP: &str = "Feet follow the clip and ignore the ground.";
pub(crate) const FOOT_IK: &str = "Foot IK";
pub(crate) const FOOT_IK_HELP: &str = "Casts one ray per foot, and moves the foot to the ground by its weight.";
pub(crate) const PREDICTIVE: &str = "Predictive";
pub(crate) const PREDICTIVE_HELP: &str = "Predicts each foot's position from its velocity.";
pub(crate) const PREDICTIVE_PATH: &str = "Path";
pub(crate) const PREDICTIVE_PATH_HELP: &str = "Like predictive, and moves steps to even ground along the known path.";
pub(crate) const DRIVES: &str = "Drives";
pub(crate) const FULL_BODY: &str = "Full body";
pub(crate) const FULL_BODY_HELP: &str = "Sends feet and body offset to the full-body solver as effectors.";
pub(crate) const FOUR_LIMBS: &str = "Four limbs";
pub(crate) const FOUR_LIMBS_HELP: &str = "Moves the animated pose with the pelvis, then solves legs and arms individually with the limb solver chosen in Grounding.";
pub(crate) const PARAMETERS: &str = "Parameters";
pub(crate) const PARAMETERS_HELP: &str = "Opens grounding in the inspector, with its steps and settings.";

pub(crate) const GOES: &str = "Movement";
pub(crate) const IN_PLACE: &str = "In place";
pub(crate) const IN_PLACE_HELP: &str = "Plays the clip on the spot.";
pub(crate) const AS_CLIP: &str = "As the clip";
pub(crate) const AS_CLIP_HELP: &str = "Moves the character by the clip's own root motion.";
pub(crate) const ALONG_PATH: &str = "Along a path";
pub(crate) const ALONG_PATH_HELP: &str =
    "Moves the character along a path at the clip's walking speed, so that standing feet do not slide.";
pub(crate) const STANDS_AT: &str = "Start";
pub(crate) const NEEDS_TWO_POINTS: &str = "Needs two separate points";
pub(crate) const CLOSED: &str = "Closed";
pub(crate) const CLOSED_HELP: &str = "Continues the path from its end to its start.";
pub(crate) const ADD_POINT: &str = "Add";
pub(crate) const REMOVE_POINT: &str = "Remove";
pub(crate) const ADD_POINT_HELP: &str =
    "Appends a point to the path, near the middle between the last and the first point.";
pub(crate) const REMOVE_POINT_HELP: &str = "Removes the last point. A path keeps at least two points.";
pub(crate) const DRAG_POINTS: &str = "Drag the points in the picture";
pub(crate) const CAMERA_FOLLOWS: &str = "Camera follows";
pub(crate) const CAMERA_FOLLOWS_HELP: &str = "Moves the camera along with the character.";
pub(crate) const FROM_START: &str = "From the start";
pub(crate) const FROM_START_HELP: &str = "Moves the character to the start of its path, and clip and platforms to time 0. \
     Solvers forget earlier frames.";

pub(crate) const FADE_TO: &str = "Fade to";
pub(crate) const NO_CLIPS: &str = "The model has no clips";
pub(crate) const REST_POSE: &str = "Rest pose";
pub(crate) const CLIP_BY_PACE_HELP: &str =
    "Plays the clip whose speed is nearest to the pace: a standing clip, or one that moves forward.";
pub(crate) const CLIP_BY_PACE: &str = "Clip by pace";

pub(crate) const BLEND: &str = "Blend";
pub(crate) const BLEND_HELP: &str = "Blends toward the clip's pose.";
pub(crate) const ADD: &str = "Add";
pub(crate) const ADD_HELP: &str = "Adds the clip's difference from its base pose.";
pub(crate) const REMOVE_LAYER_HELP: &str = "Removes this layer.";
pub(crate) const RUNS: &str = "Runs";
pub(crate) const RUNS_HELP: &str =
    "Plays the clip in a loop. When off, the layer stays at one moment. A time input replaces both.";
pub(crate) const MOMENT_HELP: &str = "Time in the clip at which the layer stays, unless a time input is set.";
pub(crate) const MASK: &str = "Mask";
pub(crate) const MASK_HELP: &str = "Sets the weight of this layer for a bone and its descendants. Choose the bone.";
pub(crate) const SCALE_BUTTON: &str = "Scale";
pub(crate) const SCALE_HELP: &str = "Sets the scale of a bone in the clip's pose. Choose the bone.";
pub(crate) const SCALE_RESET_HELP: &str = "Resets this bone to the clip's scale.";
pub(crate) const MASK_RESET_HELP: &str = "Resets this bone to its parent's weight.";
pub(crate) const ADD_LAYER: &str = "Add a layer";
pub(crate) const ADD_LAYER_HELP: &str =
    "Adds a layer that blends or adds another clip, on the whole body or from one bone down.";
pub(crate) const BASE: &str = "Base";
pub(crate) const AT_TIME: &str = "Clip pose";
pub(crate) fn base_time_help(sources: &dyn Display) -> String {
    format!("Uses the clip's own pose at a time; 0 is its first frame.{sources}")
}
pub(crate) fn base_rest_help(sources: &dyn Display) -> String {
    format!("Uses the rest pose, so that the layer adds the clip's whole difference from it.{sources}")
}
pub(crate) const BASE_TIME_HELP: &str = "Time of the base pose in the clip.";
pub(crate) const INPUT_HELP: &str = "Value of the pace or of the keys − and + at this end of the range.";
pub(crate) const OUTPUT_HELP: &str = "The layer's weight or time at this value of the input.";

pub(crate) const FRAMES: &str = "Frames";
pub(crate) const DISPLAY: &str = "Display";
pub(crate) const DISPLAY_HELP: &str = "Computes one frame per drawn picture.";
pub(crate) fn frames_help(name: &dyn Display) -> String {
    format!(
        "Computes {name} frames per second, whatever the display's rate. Feet and pelvis should move the same at all rates."
    )
}

pub(crate) fn terrain_error(icon: &dyn Display, error: &dyn Display) -> String {
    format!("{icon} Terrain: {error}")
}
pub(crate) fn warning(icon: &dyn Display, problem: &dyn Display) -> String {
    format!("{icon} {problem}")
}
pub(crate) fn no_ground(icon: &dyn Display) -> String {
    format!("{icon} There is no ground. Choose a terrain")
}
pub(crate) fn no_legs(icon: &dyn Display) -> String {
    format!("{icon} No legs were found. Press D to assign their bones in the rig doctor")
}
pub(crate) fn sculpted(columns: &dyn Display, rows: &dyn Display) -> String {
    format!("Sculpted, {columns} × {rows} points")
}
pub(crate) fn tool_help(help: &dyn Display) -> String {
    format!("{help} Click again to stop.")
}
pub(crate) const METRES_SUFFIX: &str = " m";

pub(crate) const EDIT_METHOD: &str = "method of grounding";
pub(crate) const EDIT_DRIVE: &str = "drive of grounding";
pub(crate) const EDIT_NO_TERRAIN: &str = "remove terrain";
pub(crate) fn edit_terrain(name: &dyn Display) -> String {
    format!("terrain {name}")
}
pub(crate) const EDIT_SIZE: &str = "size of the terrain";

pub(crate) fn name_brush(what: &dyn Display) -> String {
    format!("brush {what}")
}

pub(crate) const WHOLE_BODY: &str = "Whole body";
pub(crate) const LAYER_ON_HELP: &str = "Turns this layer on or off.";
pub(crate) const FEATHER_PREFIX: &str = "feather ";
pub(crate) const BY_NOTHING: &str = "Nothing";
pub(crate) const BY_PACE: &str = "Pace";
pub(crate) const BY_KEYS: &str = "Keys − and +";
pub(crate) const CURVE_FROM: &str = "  From";
pub(crate) const CURVE_TO: &str = "  To";
pub(crate) const WEIGHT_BY: &str = "Weight input";
pub(crate) const TIME_BY: &str = "Time input";

pub(crate) const EDIT_REMOVE_LAYER: &str = "remove a pose layer";
pub(crate) const EDIT_ADD_LAYER: &str = "add a pose layer";
pub(crate) const EDIT_LAYER_ON: &str = "a pose layer on or off";
pub(crate) const EDIT_LAYER_KIND: &str = "kind of a pose layer";
pub(crate) const EDIT_LAYER_CLIP: &str = "clip of a pose layer";
pub(crate) const EDIT_LAYER_BONES: &str = "bones of a pose layer";
pub(crate) const EDIT_LAYER_WEIGHT: &str = "weight of a pose layer";
pub(crate) const EDIT_WEIGHT_INPUT: &str = "input of a pose layer's weight";
pub(crate) const EDIT_TIME_INPUT: &str = "input of a pose layer's time";
pub(crate) const EDIT_LAYER_BASE: &str = "base of a pose layer";
pub(crate) const EDIT_LAYER_TIME: &str = "time of a pose layer";
pub(crate) const EDIT_FEATHER: &str = "feather of a pose layer";
pub(crate) const EDIT_MASK: &str = "mask of a pose layer";
pub(crate) const EDIT_SCALE: &str = "scale of a pose layer";

pub(crate) fn name_numbered(name: &dyn Display, number: &dyn Display) -> String {
    format!("{name} {number}")
}
pub(crate) const NAME_LAYER_CLIP: &str = "clip of layer";
pub(crate) const NAME_LAYER_BONES: &str = "bones of layer";
pub(crate) const NAME_REMOVE_LAYER: &str = "remove layer";
pub(crate) fn name_weight_by(number: &dyn Display) -> String {
    format!("input of layer {number}'s weight")
}
pub(crate) fn name_time_by(number: &dyn Display) -> String {
    format!("input of layer {number}'s time")
}
pub(crate) fn name_scale_of(bone: &dyn Display) -> String {
    format!("scale of {bone}")
}
pub(crate) fn name_remove_scale(bone: &dyn Display, number: &dyn Display) -> String {
    format!("remove {bone} from the scales of layer {number}")
}
pub(crate) fn name_remove_mask(bone: &dyn Display, number: &dyn Display) -> String {
    format!("remove {bone} from the mask of layer {number}")
}

pub(crate) const TITLE: &str = "Motion";
pub(crate) const WHAT: &str = "Show ground, path, gaits, fades, pose layers and frame rate.";
pub(crate) fn clip_weight(percent: &dyn Display, time: &dyn Display) -> String {
    format!("{percent:.0} %  at {time:.2} s")
}
pub(crate) const HERTZ: &str = "Hz";

pub(crate) const EDIT_FADE: &str = "duration of fades";
pub(crate) const EDIT_PACE: &str = "pace";
pub(crate) const EDIT_CLIP_BY_PACE: &str = "clip by pace";
pub(crate) const EDIT_FRAME_RATE: &str = "frame rate of motion";
pub(crate) const NAME_FADE_TO: &str = "fade to";

pub(crate) fn path_text(
    points: &dyn Display,
    length: &dyn Display,
    along: &dyn Display,
    speed: &dyn Display,
) -> String {
    format!("{points} points, {length:.1} m, {along:.1} m along, {speed:.2} m/s")
}

pub(crate) const EDIT_TRAVEL: &str = "movement of the character";
pub(crate) const EDIT_START: &str = "start of the character";
pub(crate) const EDIT_CLOSED: &str = "path closed or open";
pub(crate) const EDIT_ADD_POINT: &str = "add a point to the path";
pub(crate) const EDIT_REMOVE_POINT: &str = "remove a point of the path";
pub(crate) const EDIT_LEAN: &str = "lean with the slope";

pub(crate) const NAME_ADD_POINT: &str = "add a point";
pub(crate) const NAME_REMOVE_POINT: &str = "remove the last point";

pub(crate) const SECONDS_SUFFIX: &str = " s";
pub(crate) const RATE_SUFFIX: &str = " /s";
pub(crate) fn baking_percent(icon: &dyn Display, percent: &dyn Display) -> String {
    format!("{icon} {percent:.0} %")
}
pub(crate) const EDIT_MOVE_KEY: &str = "move a key";
pub(crate) const TRACK_HELP: &str = "Drag to seek the clip; a paused solve stays at its step. Blue and orange: contacts of the left and the right foot. Drag the brackets' lower halves to set the baked range. Diamonds: keys of the effector in the inspector.";

pub(crate) const NAME_CANCEL_BAKING: &str = "cancel baking";
pub(crate) const NAME_CLIP_TIME: &str = "clip time";

pub(crate) const EDIT_MOVE_PATH: &str = "move the path";
pub(crate) const EDIT_MOVE_POINT: &str = "move a point";
pub(crate) fn edit_sculpt(label: &dyn Display) -> String {
    format!("{label} the ground")
}

pub(crate) const EDIT_ADD_MOTION: &str = "add motion";
pub(crate) const EDIT_REMOVE_MOTION: &str = "remove motion";
pub(crate) fn added_motion(file: &dyn Display, count: &usize) -> String {
    let clips = if *count == 1 { "clip" } else { "clips" };
    format!("Added {count} {clips} from {file}")
}
pub(crate) fn unsure_roles(added: &dyn Display, count: &usize) -> String {
    let roles = if *count == 1 { "roles is" } else { "roles are" };
    format!("{added}. {count} of the file's {roles} doubtful: press D to check the roles in the rig doctor")
}
pub(crate) fn channel_left_out(added: &dyn Display, channel: &dyn Display) -> String {
    format!("{added}. The clips lack a channel: {channel}")
}
pub(crate) fn missing_roles(problem: &dyn Display) -> String {
    format!("{problem}. Press D to correct the roles in the rig doctor")
}
pub(crate) fn no_motion_file(why: &dyn Display) -> String {
    format!("{why}. Add the motion file again, or choose another clip")
}
