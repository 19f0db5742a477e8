//! The words of this tool on screen, grouped by control.

// Title
pub const OFF_WHAT: &str = "Off: feet follow the clip";
pub const FOOT_IK_WHAT: &str = "Foot IK by ray and curve";
pub const PREDICTIVE_WHAT: &str = "Predictive";
pub const PATH_WHAT: &str = "Predictive, steps moved to even ground";
pub const GROUNDING: &str = "Grounding";
pub const CHOOSE_METHOD: &str = "Choose how feet find the ground in the Motion pane.";
pub const NOT_RECORDED: &str = "This frame was recorded without grounding.";

// Sections
pub const GROUND: &str = "ground";
pub const GROUND_HINT: &str = "what feet stand on";
pub const RULES: &str = "rules";
pub const RULES_HINT: &str = "by clip and speed; the first match applies";
pub const FOOT_WEIGHT: &str = "foot weight";
pub const FOOT_WEIGHT_HINT: &str = "how much a foot stands";
pub const CASTS: &str = "casts";
pub const CASTS_HINT: &str = "how often";
pub const FOOT_LOCK: &str = "foot lock";
pub const FOOT_LOCK_HINT: &str = "planted feet stay";
pub const CURVES: &str = "weight curves";
pub const CURVES_HINT: &str = "when a foot stands";
pub const FOOT_IK: &str = "foot IK";
pub const RESET_HINT: &str = "double-click resets";
pub const FOOTPRINTS: &str = "footprints";
pub const QUALITIES: &str = "qualities";
pub const QUALITIES_HINT: &str = "solved side by side";
pub const PREDICTIVE: &str = "predictive grounder";
pub const LIMBS: &str = "limbs";
pub const LIMBS_HINT: &str = "each solved alone";
pub const WEIGHTS: &str = "weights";
pub const WEIGHTS_HINT: &str = "of what is driven";

// Limbs
pub const LIMB_HELP: &str =
    "Iterations of the solve, and the distance of the limb's end from its target in the picture.";

// Result
pub const FEET_AND_PELVIS: &str = "feet and pelvis";
pub const LEFT_RIGHT: &str = "left, right";
pub const STEP: &str = "step";
pub const SLIDING: &str = "sliding";
pub const SLIDING_HINT: &str = "mm per step: animated, grounded";

// Ground
pub const LAYER_HELP: &str = "Lets this foot stand on the layer. Casts pass through layers that are off.";
pub const NO_LAYER_HELP: &str = "No layer is on for this foot, so its casts hit nothing.";
pub const UP_IS: &str = "up is";
pub const UP_HELP: &str = "Uses the up axis of the character's root, which may lean. When off, up is +Y.";
pub const OWN_UP: &str = "The root's";

// Rules
pub const ANY_CLIP: &str = "any clip";
pub const METHOD_FOOT_IK: &str = "foot IK";
pub const METHOD_PATH: &str = "path";
pub const METHOD_PREDICTIVE: &str = "predictive";
pub const SAME_METHOD: &str = "same method";
pub const SAME_QUALITY: &str = "same quality";
pub const REMOVE_RULE_HELP: &str = "Removes this rule.";
pub const ADD_RULE: &str = "Add a rule";
pub const ADD_RULE_HELP: &str = "Adds a rule that sets method, quality or weight for a clip, or above a speed.";
pub const WEIGHT_NOW: &str = "weight now";
pub const WEIGHT_NOW_HELP: &str = "Weight of grounding from the matching rules, mixed like the clips.";

// Casts
pub const THIS_FRAME: &str = "this frame";
pub const THIS_FRAME_HELP: &str = "Whether this frame cast rays or kept the hits of the last casts.";

// Foot weight
pub const FROM: &str = "from";
pub const FROM_CURVES_HELP: &str = "Uses the weight curves of the playing clips. Without a clip, feet stand.";
pub const FROM_SPEED_HELP: &str =
    "Uses the speed of the foot bone over the ground, for poses without a clip. Fast feet swing.";
pub const BONE_SPEED: &str = "bone speed";
pub const BONE_SPEED_HELP: &str = "Smoothed speed over the ground: left, right.";

// Foot lock
pub const HOLDS: &str = "holds";
pub const LOCK_HELP: &str = "Keeps planted feet where they landed, whichever grounder placed them.";
pub const PLANTED_FEET: &str = "Planted feet";

// Feet and pelvis
pub const OFFSET: &str = "offset";
pub const OFFSET_HELP: &str = "Height that each foot is raised or lowered.";
pub const TURNED: &str = "turned";
pub const TURNED_HELP: &str = "Angle that each foot is turned to match the ground.";
pub const WEIGHT: &str = "weight";
pub const WEIGHT_HELP: &str = "Weight of each foot's goal.";
pub const GROUNDED: &str = "grounded";
pub const GROUNDED_HELP: &str = "Whether there is ground under the foot or on its path.";
pub const SPEED: &str = "speed";
pub const SPEED_HELP: &str = "Smoothed speed of the animated foot, which the prediction uses.";
pub const DEPTH_ANIMATED: &str = "depth, animated";
pub const DEPTH_ANIMATED_HELP: &str = "Depth of the sole's lowest point below the ground as animated.";
pub const DEPTH_GROUNDED: &str = "depth, grounded";
pub const DEPTH_GROUNDED_HELP: &str = "Depth of the sole's lowest point below the ground in the solved pose.";
pub const PELVIS_HELD_HELP: &str = "Whether the pelvis is lowered so that a leg reaches the ground.";

// Step
pub const GROUND_AT: &str = "ground at";
pub const SLOPE: &str = "slope";
pub const TILT_TARGET: &str = "target turn";
pub const TILT: &str = "turned";
pub const OFFSET_TARGET: &str = "target offset";
pub const OFFSET_NOW: &str = "offset";
pub const PELVIS_NOW: &str = "pelvis: target, now";
pub const PELVIS_TARGETS: &str = "target pelvis";
pub const PELVIS: &str = "pelvis";

// Sliding
pub const NO_CONTACT: &str = "No foot stood in the recording";
pub const SLIDE_HELP: &str = "Distance that the planted sole slid over the ground from frame to frame.";

// Weight curves
pub const REST_POSE: &str = "The rest pose has no clip and no curve: both feet stand.";
pub const EDITED: &str = "edited";
pub const DERIVED: &str = "derived from height and speed of the foot";
pub const DERIVE_AGAIN: &str = "Derive again";
pub const DERIVE_AGAIN_HELP: &str = "Replaces the curves by those derived from the clip.";

// Foot IK and predictive grounder
pub const ENABLE_FEET_IK: &str = "Enable feet IK";
pub const ROTATE_FEET: &str = "Rotate feet";
pub const OVERSTEP: &str = "Overstep falls down";
pub const OVERSTEP_HELP: &str =
    "Lowers a foot over an edge as far as it can go. When off, the foot stays at the character's own level.";
pub const INVERT: &str = "Invert foot center";
pub const INVERT_HELP: &str = "Places the foot's centre behind the ankle, for legs that bend backwards.";

// Qualities
pub const QUALITY: &str = "quality";
pub const FASTEST_HELP: &str = "Casts one ray per foot at its predicted position.";
pub const SIMPLE_HELP: &str = "Casts three rays per foot: under, ahead and beside.";
pub const BEST_HELP: &str =
    "Casts a ray under the foot, a capsule along its path, rays under the turned sole, and a sphere for the root.";
pub const QUALITIES_LIVE: &str = "Compared on the newest frame, live";
