//! Texts of this tool, grouped by control.

use std::fmt::{Debug, Display};

pub const LAB_WHAT: &str = "Compares solvers on one chain and target.";
pub const CHAIN_AND_TARGET: &str = "Chain and target";
pub const LANES: &str = "Lanes";
pub const LANES_HINT: &str = "Click one for its steps";
pub const ERROR_PER_ITERATION: &str = "Error per iteration";
pub const ERROR_UNIT: &str = "% of the length";
pub const CLOSE_LAB: &str = "Close the lab";
pub const CLOSE_LAB_HELP: &str = "Closes the lab and returns to the character.";
pub const RESET_CHAINS: &str = "Reset chains";
pub const RESET_CHAINS_HELP: &str = "Moves all chains back to their rest pose.";

pub fn free_chain(bones: &dyn Display) -> String {
    format!("Free, {bones} bones")
}
pub const FREE_BRANCHES: &str = "Free, with branches";
pub fn chain_of_file(bones: &dyn Display) -> String {
    format!("From a file, {bones} bones")
}
pub const CHAIN: &str = "Chain";
pub const BONES: &str = "Bones";
pub const BONES_HELP: &str = "Number of bones of the free chain. The length of the chain stays the same.";
pub const TARGET: &str = "Target";
pub const TARGET_STILL_HELP: &str = "The target stays where you dragged it.";
pub const TARGET_CIRCLE_HELP: &str = "The target moves around a circle.";
pub const TARGET_EIGHT_HELP: &str = "The target moves along a figure eight.";
pub const TARGET_PATH_HELP: &str = "The target moves along a path that never repeats.";
pub const STARTS: &str = "Starts";
pub const FROM_REST: &str = "From rest";
pub const FROM_REST_HELP: &str = "Every solve starts from the chain's rest pose.";
pub const FROM_LAST: &str = "From the last frame";
pub const FROM_LAST_HELP: &str = "Every frame starts from the previous result, as in a game.";
pub const DRAWN: &str = "Drawn";
pub const SIDE_BY_SIDE: &str = "Side by side";
pub const SIDE_BY_SIDE_HELP: &str = "Draws lanes next to each other.";
pub const OVERLAID: &str = "Overlaid";
pub const OVERLAID_HELP: &str = "Draws all lanes in the same place.";
pub const DISTANCE: &str = "Distance";
pub const DISTANCE_HELP: &str = "Distance from the chain's root to the target, in chain lengths.";
pub const PUT_AT: &str = "Put at";
pub const PUT_AT_HELP: &str = "Moves the target to this distance in its current direction.";

pub const ITERATIONS_HELP: &str = "Iterations of the last solve.";
pub const ERROR_HELP: &str =
    "Distance from the chain's end to its target: at the current step while paused, else after the solve.";
pub const MICROS_HELP: &str = "Duration of the last solve, microseconds.";
pub const REMOVE_LANE_HELP: &str = "Removes this lane.";
pub const ADD_LANE: &str = "Add a lane";

pub const SOLVER: &str = "Solver";
pub const BONES_AND_LIMITS: &str = "Bones and limits";
pub const BONES_HINT: &str = "Click a bone to edit it";
pub const NOT_SOLVED: &str = "Not solved";
pub const OUTCOME: &str = "Result";
pub const RULE_MIRROR_HELP: &str =
    "Reflects a bone that bends against the normal, and the whole chain if it is on the wrong side.";
pub const RULE_SOURCE_HELP: &str =
    "As in the source: a bone turns by 2° about x unless all components of the cross product are positive.";
pub const WEIGHT_ON_TARGET_HELP: &str =
    "Solves for the point that lies this share of the way from the chain's end to the target.";
pub const WEIGHT_IN_PASS_HELP: &str =
    "Scales each pass, as in the source: the chain reaches the target in more iterations.";
pub const TURN_MODEL_HELP: &str =
    "Applies the turn in model space, from the left, as the book does by its own convention.";
pub const TURN_LOCAL_HELP: &str =
    "Applies the turn to the local rotation, as the source does. Correct only for bones without rotation.";
pub const TURN_SWAPPED_HELP: &str =
    "Multiplies the book's lines right to left, although its library multiplies left to right.";
pub const MAP_MODEL_HELP: &str =
    "Swings each bone to its joint in model space, the result of the book's lines in its own library.";
pub const MAP_SWAPPED_HELP: &str =
    "Multiplies the book's lines right to left: the turn, found in the bone's space, is used in its parent's space.";
pub const MAP_SAME_HELP: &str =
    "Uses the notes' correction of the book: it compares the solved joint with itself, so no bone turns.";

pub const ON: &str = "On";
pub const ON_HELP: &str = "Turns this chain on or off.";
pub const OWN_TARGET_HELP: &str = "Uses the chain's own target, which can be dragged.";
pub const LEFT_FOOT_HELP: &str =
    "Follows the goal of grounding for the left foot. Without grounding, uses the chain's own target.";
pub const RIGHT_FOOT_HELP: &str =
    "Follows the goal of grounding for the right foot. Without grounding, uses the chain's own target.";

pub const ERROR: &str = "Error";
pub const RELATIVE_ERROR: &str = "Relative error";
pub const ITERATIONS: &str = "Iterations";
pub const STEPS: &str = "Steps";
pub const CHAIN_LENGTH: &str = "Chain length";
pub const TIME: &str = "Time";

pub const LIMITS_HELP: &str = "Keeps bones within their limits.";
pub const LIMITS: &str = "Apply limits";
pub const STRAIGHTEN: &str = "Straighten";
pub const WEIGHT_ACTS: &str = "Weight applies";
pub const WEIGHT_ACTS_HELP: &str = "Where a weight below 1 applies: to the target, or in each pass.";
pub const TURN: &str = "Turn";
pub const TURN_HELP: &str = "How CCD applies the turn that points the end at the target.";
pub const MAP: &str = "Map";
pub const MAP_HELP: &str = "How FABRIK turns bones to the joint positions it solved in world space.";
pub const PLANE_HELP: &str = "2D mode: keeps the chain in a plane through its root, whose normal is +Z at first.";
pub const PLANE: &str = "2D";
pub const BEND_RULE: &str = "Bend rule";
pub const BEND_GOAL: &str = "Bend goal";
pub const BEND_GOAL_HELP: &str =
    "Turns the middle joint toward a point, also called a pole vector. Drag it in the picture.";

pub const BONE_HELP: &str = "Length, rotation from rest, and limit of this bone.";
pub const TURN_WEIGHT: &str = "Turn weight";
pub const FREE: &str = "Free";
pub const FREE_HELP: &str = "Allows any rotation.";
pub const HINGE: &str = "Hinge";
pub const HINGE_HELP: &str = "Allows rotation about one axis within a range, which may exceed a full turn.";
pub const BALL_AND_SOCKET: &str = "Ball and socket";
pub const BALL_AND_SOCKET_HELP: &str = "Allows directions within a cone, and a range of twist.";
pub const ANGLE: &str = "Angle";
pub const ANGLE_HELP: &str = "Allows rotations up to this angle about any axis.";
pub const OUTSIDE_ITERATIONS: &str = "Outside the iterations";
pub const FAILED: &str = "Failed";
pub const STRAIGHTEN_HELP: &str = "After each iteration's passes, solves for the bend's amplitude and swings the chain to the \
     target. When off, runs the plain algorithm.";
pub const BEND_RULE_HELP: &str = "Bends every joint the same way round this direction: the cross product of neighbouring bones \
     points along it. FABRIK on a chain with limits keeps the limits and ignores the rule.";

pub const TITLE: &str = "Chain lab";
pub const WHAT: &str = "Compare CCD, FABRIK and two-bone solvers on one target.";
pub fn bones_between(root: &dyn Display, end: &dyn Display) -> String {
    format!("{root} to {end}")
}
pub const FREE_CHAIN: &str = "Free";
pub fn of_the_character(name: &dyn Display) -> String {
    format!("{name} of the character")
}
pub fn error_in(unit: &dyn Display) -> String {
    format!("Error {unit}")
}
pub fn jitter_in(unit: &dyn Display) -> String {
    format!("Jitter {unit}")
}
pub const COLUMN_ITERATIONS: &str = "Its";
pub const JITTER_HELP: &str = "Root mean square of the change of a joint's step from frame to frame while the target moves; 0 is perfectly smooth.";
pub fn lane_help(name: &dyn Display, sentence: &dyn Display, stop: &dyn Display, jump: &dyn Display) -> String {
    format!("{name}. {sentence}\nStopped by: {stop}\nLargest jump: {jump:.1} × the target's step")
}
pub fn plot_help(name: &dyn Display, iteration: &dyn Display, percent: &dyn Display) -> String {
    format!("{name}\nIteration {iteration:.0}: {percent:.4} %")
}

pub const EDIT_CHAIN: &str = "another chain";
pub const EDIT_BONES: &str = "bones of the lab";
pub const EDIT_MOTION: &str = "motion of the target";
pub const EDIT_START: &str = "start of solves";
pub const EDIT_DRAWN: &str = "drawing of lanes";
pub const EDIT_DISTANCE: &str = "distance of the target";

pub fn name_lane(name: &dyn Display) -> String {
    format!("lane {name}")
}

pub const TOO_NEAR: &str = "too near";
pub const NEARLY_STRAIGHT: &str = "nearly straight";
pub const OUT_OF_REACH: &str = "out of reach";

pub const CHOOSE_BONES: &str = "Could not add a chain: choose a root bone and an end bone";
pub fn not_a_descendant(root: &dyn Debug, end: &dyn Debug) -> String {
    format!(
        "Could not add a chain from {root:?} to {end:?}: {end:?} is not a descendant of {root:?}. Choose an end bone below the root bone"
    )
}
pub fn same_place(root: &dyn Debug, end: &dyn Debug) -> String {
    format!(
        "Could not add a chain from {root:?} to {end:?}: both are at the same place in the rest pose. Choose other bones"
    )
}

pub fn warning(icon: &dyn Display, problem: &dyn Display) -> String {
    format!("{icon} {problem}")
}
pub fn lane_number(number: &dyn Display) -> String {
    format!("Lane {number}")
}
pub fn bones_and_order(bones: &dyn Display, number: &dyn Display) -> String {
    format!("{bones} bones, number {number} in the solve order")
}
pub fn bone_number(bone: &dyn Display) -> String {
    format!("Bone {bone}")
}
pub fn cone(degrees: &dyn Display) -> String {
    format!("{degrees:.0}° cone")
}
pub const FREE_LIMIT: &str = "Free";
pub const BEND_NORMAL: &str = "Bend normal";
pub const MIN: &str = "Min";
pub const MAX: &str = "Max";
pub const AXIS: &str = "Axis";
pub const SWING: &str = "Swing";
pub const TWIST_MIN: &str = "Twist min";
pub const TWIST_MAX: &str = "Twist max";

pub fn edit_limit(bone: &dyn Display) -> String {
    format!("limit of bone {bone}")
}
pub const EDIT_ON: &str = "a chain on or off";
pub const EDIT_TARGET_SOURCE: &str = "source of a chain's target";
pub fn edit_bone_weight(shown: &dyn Display) -> String {
    format!("weight of bone {shown}")
}

pub fn at_iteration(at: &dyn Display) -> String {
    format!("Iteration {at}")
}
pub fn off(off: &dyn Display) -> String {
    format!("{off} off")
}
pub fn lane_short(number: &dyn Display, solver: &dyn Display) -> String {
    format!("{number} {solver}")
}
pub fn lane_label(name: &dyn Display, zone: &dyn Display, done: &dyn Display, off: &dyn Display) -> String {
    format!("{name} {zone}\n{done}, {off} off target")
}

pub const EDIT_MOVE_TARGET: &str = "move the chain's target";
pub const EDIT_MOVE_BEND_GOAL: &str = "move the chain's bend goal";
pub const EDIT_MOVE_LIMIT: &str = "move a limit";
pub const EDIT_OPEN_LAB: &str = "open the lab";
pub const EDIT_CLOSE_LAB: &str = "close the lab";
pub fn chain_name(root: &dyn Display, end: &dyn Display) -> String {
    format!("{root} to {end}")
}
pub const EDIT_ADD_CHAIN: &str = "add a chain";
pub const EDIT_OPEN_CHAIN: &str = "open a chain";
pub fn opened_in_lab(file: &dyn Display) -> String {
    format!("Opened {file} in the lab")
}
pub const EDIT_ADD_LANE: &str = "add a lane";
pub const EDIT_REMOVE_LANE: &str = "remove a lane";
