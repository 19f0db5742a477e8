use std::fmt::{Debug, Display};

pub(crate) const OFF_WHAT: &str = "Off: feet follow the clip";
pub(crate) const FOOT_IK_WHAT: &str = "Foot IK by ray and curve";
pub(crate) const PREDICTIVE_WHAT: &str = "Predictive";
pub(crate) const PATH_WHAT: &str = "Predictive, steps moved to even ground";
pub(crate) const GROUNDING: &str = "Grounding";
pub(crate) const CHOOSE_METHOD: &str = "In the Motion pane, choose how feet find the ground.";
pub(crate) const NOT_RECORDED: &str = "This frame was recorded without grounding.";

pub(crate) const GROUND: &str = "Ground";
pub(crate) const GROUND_HINT: &str = "Layers and up axis";
pub(crate) const RULES: &str = "Rules";
pub(crate) const RULES_HINT: &str = "By clip and speed; the first match applies";
pub(crate) const FOOT_WEIGHT: &str = "Foot weight";
pub(crate) const FOOT_WEIGHT_HINT: &str = "How firmly a foot stands";
pub(crate) const CASTS: &str = "Casts";
pub(crate) const CASTS_HINT: &str = "How often";
pub(crate) const FOOT_LOCK: &str = "Foot lock";
pub(crate) const FOOT_LOCK_HINT: &str = "Planted feet stay";
pub(crate) const CURVES: &str = "Weight curves";
pub(crate) const CURVES_HINT: &str = "Over the clip";
pub(crate) const FOOT_IK: &str = "Foot IK";
pub(crate) const RESET_HINT: &str = "Double-click resets";
pub(crate) const FOOTPRINTS: &str = "Footprints";
pub(crate) const QUALITIES: &str = "Qualities";
pub(crate) const QUALITIES_HINT: &str = "Solved side by side";
pub(crate) const PREDICTIVE: &str = "Predictive grounder";
pub(crate) const LIMBS: &str = "Limbs";
pub(crate) const LIMBS_HINT: &str = "Each solved alone";
pub(crate) const WEIGHTS: &str = "Weights";
pub(crate) const WEIGHTS_HINT: &str = "Of each effector";

pub(crate) const LIMB_HELP: &str =
    "Iterations of the limb's solve, and the distance from the limb's end, as drawn, to its target.";

pub(crate) const FEET_AND_PELVIS: &str = "Feet and pelvis";
pub(crate) const LEFT_RIGHT: &str = "Left, right";
pub(crate) const STEP: &str = "Step";
pub(crate) const SLIDING: &str = "Sliding";
pub(crate) const SLIDING_HINT: &str = "Per stance: animated, grounded";

pub(crate) const LAYER_HELP: &str = "Lets this foot stand on the layer. Casts pass through layers that are off.";
pub(crate) const NO_LAYER_HELP: &str = "No layer is on for this foot, so its casts hit nothing.";
pub(crate) const UP_IS: &str = "Up is";
pub(crate) const UP_HELP: &str = "Uses the up axis of the character's root, which may lean. When off, up is +Y.";
pub(crate) const OWN_UP: &str = "The root's";

pub(crate) const ANY_CLIP: &str = "Any clip";
pub(crate) const METHOD_FOOT_IK: &str = "Foot IK";
pub(crate) const METHOD_PATH: &str = "Path";
pub(crate) const METHOD_PREDICTIVE: &str = "Predictive";
pub(crate) const SAME_METHOD: &str = "Same method";
pub(crate) const SAME_QUALITY: &str = "Same quality";
pub(crate) const REMOVE_RULE_HELP: &str = "Removes this rule.";
pub(crate) const ADD_RULE: &str = "Add a rule";
pub(crate) const ADD_RULE_HELP: &str =
    "Adds a rule that sets method, quality or weight for a clip, or for all clips from a speed on.";
pub(crate) const WEIGHT_NOW: &str = "Weight now";
pub(crate) const WEIGHT_NOW_HELP: &str =
    "Mean of the rules' weights over the playing clips, by the clips' weights. A clip without a rule counts as 1.";

pub(crate) const THIS_FRAME: &str = "This frame";
pub(crate) const THIS_FRAME_HELP: &str = "Whether this frame cast at the ground or kept the hits of the last casts.";

pub(crate) const FROM: &str = "From";
pub(crate) const FROM_CURVES_HELP: &str =
    "Uses the weight curves of the playing clips. Without a clip, feet count as planted.";
pub(crate) const FROM_SPEED_HELP: &str =
    "Uses the speed of the foot bone over the ground, even in poses without a clip. Fast feet count as swinging.";
pub(crate) const BONE_SPEED: &str = "Bone speed";
pub(crate) const BONE_SPEED_HELP: &str = "Smoothed speed over the ground: left, right.";

pub(crate) const HOLDS: &str = "Hold";
pub(crate) const LOCK_HELP: &str = "Keeps planted feet where they landed, whichever grounder placed them.";
pub(crate) const PLANTED_FEET: &str = "Planted feet";

pub(crate) const OFFSET: &str = "Offset";
pub(crate) const OFFSET_HELP: &str = "Height of each foot's goal above the animated foot; negative below.";
pub(crate) const TURNED: &str = "Turned";
pub(crate) const TURNED_HELP: &str = "Angle between each foot's goal and the animated foot.";
pub(crate) const WEIGHT: &str = "Weight";
pub(crate) const WEIGHT_HELP: &str = "Weight of each foot's goal.";
pub(crate) const GROUNDED: &str = "Grounded";
pub(crate) const GROUNDED_HELP: &str = "Whether there is ground under the foot or on its path.";
pub(crate) const SPEED: &str = "Speed";
pub(crate) const SPEED_HELP: &str =
    "Smoothed speed of the animated foot. The prediction ignores the part of the velocity along up.";
pub(crate) const DEPTH_ANIMATED: &str = "Depth, animated";
pub(crate) const DEPTH_ANIMATED_HELP: &str =
    "Depth of the sole's deepest point below the ground in the animated pose; 0 above the ground.";
pub(crate) const DEPTH_GROUNDED: &str = "Depth, grounded";
pub(crate) const DEPTH_GROUNDED_HELP: &str =
    "Depth of the sole's deepest point below the ground in the solved pose; 0 above the ground.";
pub(crate) const PELVIS_HELD_HELP: &str =
    "Whether the pelvis is lowered further than the ground requires, because a leg would otherwise not reach its goal.";

pub(crate) const GROUND_AT: &str = "Ground at";
pub(crate) const SLOPE: &str = "Slope";
pub(crate) const TILT_TARGET: &str = "Target turn";
pub(crate) const TILT: &str = "Turned";
pub(crate) const OFFSET_TARGET: &str = "Target offset";
pub(crate) const OFFSET_NOW: &str = "Offset";
pub(crate) const PELVIS_NOW: &str = "Pelvis: target, now";
pub(crate) const PELVIS_TARGETS: &str = "Pelvis target";
pub(crate) const PELVIS: &str = "Pelvis";

pub(crate) const NO_CONTACT: &str = "No stance up to this frame";
pub(crate) const SLIDE_HELP: &str = "Distance that the planted sole slid over the ground during these frames, in the animated pose and in the solved pose.";

pub(crate) const REST_POSE: &str =
    "No weight curves, because no clip plays: both feet count as planted. Choose a clip in the outliner.";
pub(crate) const EDITED: &str = "edited";
pub(crate) const DERIVED: &str = "derived from height and speed of the foot";
pub(crate) const DERIVE_AGAIN: &str = "Derive again";
pub(crate) const DERIVE_AGAIN_HELP: &str = "Replaces the curves with curves derived from the clip.";

pub(crate) const ENABLE_FEET_IK: &str = "Enable feet IK";
pub(crate) const ROTATE_FEET: &str = "Rotate feet";
pub(crate) const OVERSTEP: &str = "Overstep falls down";
pub(crate) const OVERSTEP_HELP: &str =
    "Lowers a foot over an edge by up to max step. When off, the foot keeps its animated height.";
pub(crate) const INVERT: &str = "Invert foot center";
pub(crate) const INVERT_HELP: &str = "Places the foot's centre behind the ankle, for legs that bend backwards.";

pub(crate) const QUALITY: &str = "Quality";
const FASTEST_HELP: &str = "Casts one ray under each foot's predicted position, and one for the root.";
const SIMPLE_HELP: &str = "Casts three rays per foot (under it, ahead of it and beside it), and one for the root.";
const BEST_HELP: &str =
    "Casts a ray under the foot, a capsule along its path, rays under the turned sole, and a sphere for the root.";
/// The help of each quality, in the order of [`Quality::ALL`](kinescope_ik::grounding::Quality::ALL).
pub(crate) const QUALITY_HELP: [&str; 3] = [FASTEST_HELP, SIMPLE_HELP, BEST_HELP];
pub(crate) const QUALITIES_LIVE: &str = "Compared only while live and predictive";

pub(crate) fn terrain_error(icon: &dyn Display, error: &dyn Display) -> String {
    format!("{icon} Terrain: {error}")
}
pub(crate) fn no_ground(icon: &dyn Display) -> String {
    format!("{icon} There is no ground. Choose a terrain in the Motion pane.")
}
pub(crate) fn no_legs(icon: &dyn Display) -> String {
    format!("{icon} No legs were found. Press D to assign their bones in the rig doctor.")
}
pub(crate) const HEIGHTS: &str = "Heights";
pub(crate) fn layer(layer: &dyn Display) -> String {
    format!("Layer {layer}")
}
pub(crate) fn no_layer(icon: &dyn Display) -> String {
    format!("{icon} No ground")
}
pub(crate) const HELD: &str = "held";
pub(crate) const CAST: &str = "cast";
pub(crate) const BY_CURVES: &str = "Curves";
pub(crate) const BY_SPEED: &str = "Bone speed";
pub(crate) const YES: &str = "yes";
pub(crate) const NO: &str = "no";
pub(crate) const PELVIS_OFFSET: &str = "Pelvis offset";
pub(crate) const PELVIS_HELD: &str = "Pelvis held down";
pub(crate) const TIME: &str = "Time";
pub(crate) const DAMPER: &str = "Damper";
pub(crate) const NONE: &str = "none";
pub(crate) fn slide_name(side: &dyn Display, from: &dyn Display, to: &dyn Display) -> String {
    format!("{side} {from} to {to}")
}
pub(crate) fn clip_without_length(icon: &dyn Display, clip: &dyn Debug) -> String {
    format!("{icon} Clip {clip:?} has no length: only the start of its curves applies")
}
pub(crate) fn left_in(unit: &dyn Display) -> String {
    format!("Left, {unit}")
}
pub(crate) fn right_in(unit: &dyn Display) -> String {
    format!("Right, {unit}")
}
pub(crate) fn pelvis_in(unit: &dyn Display) -> String {
    format!("Pelvis, {unit}")
}

pub(crate) fn edit_footprints(name: &dyn Display) -> String {
    format!("footprints {name}")
}
pub(crate) const EDIT_LIMB_SOLVER: &str = "solver of limbs";
pub(crate) fn edit_limbs(name: &dyn Display) -> String {
    format!("{name} of limbs")
}
pub(crate) const EDIT_LAYERS: &str = "ground layers of a foot";
pub(crate) const EDIT_UP: &str = "up axis of the ground";
pub(crate) const EDIT_RULE: &str = "change a rule of grounding";
pub(crate) const EDIT_REMOVE_RULE: &str = "remove a rule of grounding";
pub(crate) const EDIT_ADD_RULE: &str = "add a rule of grounding";
pub(crate) const EDIT_BLEND: &str = "blend of grounding methods";
pub(crate) const EDIT_CASTS: &str = "rate of casts";
pub(crate) const EDIT_WEIGHT_SOURCE: &str = "source of foot weights";
pub(crate) fn edit_foot_weights(name: &dyn Display) -> String {
    format!("{name} of foot weights")
}
pub(crate) const EDIT_LOCK: &str = "foot lock on or off";
pub(crate) fn edit_lock(name: &dyn Display) -> String {
    format!("foot lock {name}")
}
pub(crate) fn edit_curve(name: &dyn Display) -> String {
    format!("weight curve of the {name}")
}
pub(crate) const EDIT_DERIVE: &str = "derive weight curves again";
pub(crate) const EDIT_FOOT_IK: &str = "foot IK on or off";
pub(crate) const EDIT_ROTATE_FEET: &str = "rotate feet on or off";
pub(crate) const EDIT_OVERSTEP: &str = "overstep falls down";
pub(crate) const EDIT_INVERT: &str = "invert foot center";
pub(crate) const EDIT_QUALITY: &str = "quality of grounding";

pub(crate) fn name_layer(name: &dyn Display, text: &dyn Display) -> String {
    format!("{name} stands on {text}")
}
pub(crate) fn name_of_rule(what: &dyn Display, number: &dyn Display) -> String {
    format!("{what} of rule {number}")
}
pub(crate) fn name_remove_rule(number: &dyn Display) -> String {
    format!("remove rule {number}")
}
