//! Texts of this tool, grouped by control.

use std::fmt::{Debug, Display};

pub const OFF_WHAT: &str = "Off: feet follow the clip";
pub const FOOT_IK_WHAT: &str = "Foot IK by ray and curve";
pub const PREDICTIVE_WHAT: &str = "Predictive";
pub const PATH_WHAT: &str = "Predictive, steps moved to even ground";
pub const GROUNDING: &str = "Grounding";
pub const CHOOSE_METHOD: &str = "Choose how feet find the ground in the Motion pane.";
pub const NOT_RECORDED: &str = "This frame was recorded without grounding.";

pub const GROUND: &str = "Ground";
pub const GROUND_HINT: &str = "Layers and up axis";
pub const RULES: &str = "Rules";
pub const RULES_HINT: &str = "By clip and speed; the first match applies";
pub const FOOT_WEIGHT: &str = "Foot weight";
pub const FOOT_WEIGHT_HINT: &str = "How firmly a foot stands";
pub const CASTS: &str = "Casts";
pub const CASTS_HINT: &str = "How often";
pub const FOOT_LOCK: &str = "Foot lock";
pub const FOOT_LOCK_HINT: &str = "Planted feet stay";
pub const CURVES: &str = "Weight curves";
pub const CURVES_HINT: &str = "Over the clip";
pub const FOOT_IK: &str = "Foot IK";
pub const RESET_HINT: &str = "Double-click resets";
pub const FOOTPRINTS: &str = "Footprints";
pub const QUALITIES: &str = "Qualities";
pub const QUALITIES_HINT: &str = "Solved side by side";
pub const PREDICTIVE: &str = "Predictive grounder";
pub const LIMBS: &str = "Limbs";
pub const LIMBS_HINT: &str = "Each solved alone";
pub const WEIGHTS: &str = "Weights";
pub const WEIGHTS_HINT: &str = "Of each effector";

pub const LIMB_HELP: &str =
    "Iterations of the solve, and the distance of the limb's end from its target in the picture.";

pub const FEET_AND_PELVIS: &str = "Feet and pelvis";
pub const LEFT_RIGHT: &str = "Left, right";
pub const STEP: &str = "Step";
pub const SLIDING: &str = "Sliding";
pub const SLIDING_HINT: &str = "Per step: animated, grounded";

pub const LAYER_HELP: &str = "Lets this foot stand on the layer. Casts pass through layers that are off.";
pub const NO_LAYER_HELP: &str = "No layer is on for this foot, so its casts hit nothing.";
pub const UP_IS: &str = "Up is";
pub const UP_HELP: &str = "Uses the up axis of the character's root, which may lean. When off, up is +Y.";
pub const OWN_UP: &str = "The root's";

pub const ANY_CLIP: &str = "Any clip";
pub const METHOD_FOOT_IK: &str = "Foot IK";
pub const METHOD_PATH: &str = "Path";
pub const METHOD_PREDICTIVE: &str = "Predictive";
pub const SAME_METHOD: &str = "Same method";
pub const SAME_QUALITY: &str = "Same quality";
pub const REMOVE_RULE_HELP: &str = "Removes this rule.";
pub const ADD_RULE: &str = "Add a rule";
pub const ADD_RULE_HELP: &str = "Adds a rule that sets method, quality or weight for a clip, or above a speed.";
pub const WEIGHT_NOW: &str = "Weight now";
pub const WEIGHT_NOW_HELP: &str = "Weight of grounding from the matching rules, mixed like the clips.";

pub const THIS_FRAME: &str = "This frame";
pub const THIS_FRAME_HELP: &str = "Whether this frame cast rays or kept the hits of the last casts.";

pub const FROM: &str = "From";
pub const FROM_CURVES_HELP: &str =
    "Uses the weight curves of the playing clips. Without a clip, feet count as planted.";
pub const FROM_SPEED_HELP: &str =
    "Uses the speed of the foot bone over the ground, for poses without a clip. Fast feet count as swinging.";
pub const BONE_SPEED: &str = "Bone speed";
pub const BONE_SPEED_HELP: &str = "Smoothed speed over the ground: left, right.";

pub const HOLDS: &str = "Holds";
pub const LOCK_HELP: &str = "Keeps planted feet where they landed, whichever grounder placed them.";
pub const PLANTED_FEET: &str = "Planted feet";

pub const OFFSET: &str = "Offset";
pub const OFFSET_HELP: &str = "Height by which each foot is raised or lowered.";
pub const TURNED: &str = "Turned";
pub const TURNED_HELP: &str = "Angle by which each foot is turned to match the ground.";
pub const WEIGHT: &str = "Weight";
pub const WEIGHT_HELP: &str = "Weight of each foot's goal.";
pub const GROUNDED: &str = "Grounded";
pub const GROUNDED_HELP: &str = "Whether there is ground under the foot or on its path.";
pub const SPEED: &str = "Speed";
pub const SPEED_HELP: &str = "Smoothed speed of the animated foot, which the prediction uses.";
pub const DEPTH_ANIMATED: &str = "Depth, animated";
pub const DEPTH_ANIMATED_HELP: &str = "Depth of the sole's lowest point below the ground in the animated pose.";
pub const DEPTH_GROUNDED: &str = "Depth, grounded";
pub const DEPTH_GROUNDED_HELP: &str = "Depth of the sole's lowest point below the ground in the solved pose.";
pub const PELVIS_HELD_HELP: &str =
    "Whether the pelvis is lowered further than the ground requires, because a leg would otherwise not reach its goal.";

pub const GROUND_AT: &str = "Ground at";
pub const SLOPE: &str = "Slope";
pub const TILT_TARGET: &str = "Target turn";
pub const TILT: &str = "Turned";
pub const OFFSET_TARGET: &str = "Target offset";
pub const OFFSET_NOW: &str = "Offset";
pub const PELVIS_NOW: &str = "Pelvis: target, now";
pub const PELVIS_TARGETS: &str = "Pelvis target";
pub const PELVIS: &str = "Pelvis";

pub const NO_CONTACT: &str = "No foot stood in the recording";
pub const SLIDE_HELP: &str = "Distance that the planted sole slid over the ground from frame to frame.";

pub const REST_POSE: &str =
    "No weight curves, because no clip plays: both feet count as planted. Choose a clip in the outliner.";
pub const EDITED: &str = "edited";
pub const DERIVED: &str = "derived from height and speed of the foot";
pub const DERIVE_AGAIN: &str = "Derive again";
pub const DERIVE_AGAIN_HELP: &str = "Replaces the curves with curves derived from the clip.";

pub const ENABLE_FEET_IK: &str = "Enable feet IK";
pub const ROTATE_FEET: &str = "Rotate feet";
pub const OVERSTEP: &str = "Overstep falls down";
pub const OVERSTEP_HELP: &str =
    "Lowers a foot over an edge to max step below the character's root. When off, the foot stays at the root's level.";
pub const INVERT: &str = "Invert foot center";
pub const INVERT_HELP: &str = "Places the foot's centre behind the ankle, for legs that bend backwards.";

pub const QUALITY: &str = "Quality";
pub const FASTEST_HELP: &str = "Casts one ray per foot at its predicted position.";
pub const SIMPLE_HELP: &str = "Casts three rays per foot: under, ahead and beside.";
pub const BEST_HELP: &str =
    "Casts a ray under the foot, a capsule along its path, rays under the turned sole, and a sphere for the root.";
pub const QUALITIES_LIVE: &str = "Compared on the newest frame, live";

pub fn terrain_error(icon: &dyn Display, error: &dyn Display) -> String {
    format!("{icon} Terrain: {error}")
}
pub fn no_ground(icon: &dyn Display) -> String {
    format!("{icon} There is no ground. Choose a terrain in the Motion pane.")
}
pub fn no_legs(icon: &dyn Display) -> String {
    format!("{icon} No legs were found. Press D for the rig doctor.")
}
pub const HEIGHTS: &str = "Heights";
pub fn layer(layer: &dyn Display) -> String {
    format!("Layer {layer}")
}
pub fn no_layer(icon: &dyn Display) -> String {
    format!("{icon} No ground")
}
pub const HELD: &str = "held";
pub const CAST: &str = "cast";
pub const BY_CURVES: &str = "Curves";
pub const BY_SPEED: &str = "Bone speed";
pub const YES: &str = "yes";
pub const NO: &str = "no";
pub const PELVIS_OFFSET: &str = "Pelvis offset";
pub const PELVIS_HELD: &str = "Pelvis held down";
pub const TIME: &str = "Time";
pub const DAMPER: &str = "Damper";
pub const NONE: &str = "none";
pub fn slide_name(side: &dyn Display, from: &dyn Display, to: &dyn Display) -> String {
    format!("{side} {from} to {to}")
}
pub fn clip_without_length(icon: &dyn Display, clip: &dyn Debug) -> String {
    format!("{icon} Clip {clip:?} has no length: its feet count as planted")
}
pub fn left_in(unit: &dyn Display) -> String {
    format!("Left, {unit}")
}
pub fn right_in(unit: &dyn Display) -> String {
    format!("Right, {unit}")
}
pub fn pelvis_in(unit: &dyn Display) -> String {
    format!("Pelvis, {unit}")
}

pub fn edit_footprints(name: &dyn Display) -> String {
    format!("footprints {name}")
}
pub const EDIT_LIMB_SOLVER: &str = "solver of limbs";
pub fn edit_limbs(name: &dyn Display) -> String {
    format!("{name} of limbs")
}
pub const EDIT_LAYERS: &str = "ground layers of a foot";
pub const EDIT_UP: &str = "rotate solver";
pub const EDIT_RULE: &str = "a rule of grounding";
pub const EDIT_REMOVE_RULE: &str = "remove a rule of grounding";
pub const EDIT_ADD_RULE: &str = "add a rule of grounding";
pub const EDIT_BLEND: &str = "blend of grounding methods";
pub const EDIT_CASTS: &str = "rate of casts";
pub const EDIT_WEIGHT_SOURCE: &str = "source of foot weights";
pub fn edit_foot_weights(name: &dyn Display) -> String {
    format!("{name} of foot weights")
}
pub const EDIT_LOCK: &str = "foot lock on or off";
pub fn edit_lock(name: &dyn Display) -> String {
    format!("foot lock {name}")
}
pub fn edit_curve(name: &dyn Display) -> String {
    format!("weight curve of the {name}")
}
pub const EDIT_DERIVE: &str = "derive weight curves again";
pub const EDIT_FOOT_IK: &str = "foot IK on or off";
pub const EDIT_ROTATE_FEET: &str = "rotate feet on or off";
pub const EDIT_OVERSTEP: &str = "overstep falls down";
pub const EDIT_INVERT: &str = "invert foot center";
pub const EDIT_QUALITY: &str = "quality of grounding";

pub fn name_layer(name: &dyn Display, text: &dyn Display) -> String {
    format!("{name} stands on {text}")
}
pub fn name_of_rule(what: &dyn Display, number: &dyn Display) -> String {
    format!("{what} of rule {number}")
}
pub fn name_remove_rule(number: &dyn Display) -> String {
    format!("remove rule {number}")
}
