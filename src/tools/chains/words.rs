//! The words of this tool on screen, grouped by control.

use std::fmt::Display;

// The lab
pub const LAB_WHAT: &str = "Compares solvers on one chain and target.";
pub const CHAIN_AND_TARGET: &str = "chain and target";
pub const LANES: &str = "lanes";
pub const LANES_HINT: &str = "click one for its steps";
pub const ERROR_PER_ITERATION: &str = "error per iteration";
pub const ERROR_UNIT: &str = "% of the length";
pub const CLOSE_LAB: &str = "close the lab";
pub const CLOSE_LAB_HELP: &str = "Closes the lab and returns to the character.";
pub const RESET_CHAINS: &str = "reset chains";
pub const RESET_CHAINS_HELP: &str = "Moves all chains back to their rest pose.";

// Chain and target
pub fn free_chain(bones: &dyn Display) -> String {
    format!("free, {bones} bones")
}
pub const FREE_BRANCHES: &str = "free, with branches";
pub fn chain_of_file(bones: &dyn Display) -> String {
    format!("from a file, {bones} bones")
}
pub const CHAIN: &str = "chain";
pub const BONES: &str = "bones";
pub const BONES_HELP: &str = "Number of bones of the free chain. Its length stays.";
pub const TARGET: &str = "target";
pub const TARGET_STILL_HELP: &str = "The target stays where it was dragged.";
pub const TARGET_CIRCLE_HELP: &str = "The target moves around a circle.";
pub const TARGET_EIGHT_HELP: &str = "The target moves along a figure eight.";
pub const TARGET_PATH_HELP: &str = "The target moves along a path that never repeats.";
pub const STARTS: &str = "starts";
pub const FROM_REST: &str = "from rest";
pub const FROM_REST_HELP: &str = "Every solve starts from the chain's rest pose.";
pub const FROM_LAST: &str = "from the last frame";
pub const FROM_LAST_HELP: &str = "Every frame starts from the previous result, as in a game.";
pub const DRAWN: &str = "drawn";
pub const SIDE_BY_SIDE: &str = "side by side";
pub const SIDE_BY_SIDE_HELP: &str = "Draws lanes next to each other.";
pub const OVERLAID: &str = "overlaid";
pub const OVERLAID_HELP: &str = "Draws all lanes in the same place.";
pub const DISTANCE: &str = "distance";
pub const DISTANCE_HELP: &str = "Distance of the target in chain lengths.";
pub const PUT_AT: &str = "Put at";
pub const PUT_AT_HELP: &str = "Moves the target to this distance in its current direction.";

// Lanes
pub const ITERATIONS_HELP: &str = "Iterations of the last solve.";
pub const ERROR_HELP: &str =
    "Distance from the chain's end to its target: at the current step while paused, else after the solve.";
pub const MICROS_HELP: &str = "Duration of the last solve, microseconds.";
pub const REMOVE_LANE_HELP: &str = "Removes this lane.";
pub const ADD_LANE: &str = "add a lane";

// Sections
pub const SOLVER: &str = "solver";
pub const BONES_AND_LIMITS: &str = "bones and limits";
pub const BONES_HINT: &str = "click one for its limit";
pub const NOT_SOLVED: &str = "not solved";
pub const OUTCOME: &str = "result";
pub const RULE_MIRROR_HELP: &str =
    "Reflects a bone that bends against the normal, and the whole chain if it is on the wrong side.";
pub const RULE_SOURCE_HELP: &str =
    "As in the source: a bone turns by 2° about x unless all components of the cross product are positive.";
pub const WEIGHT_ON_TARGET_HELP: &str = "Moves the target part of the way; the solve reaches that point.";
pub const WEIGHT_IN_PASS_HELP: &str =
    "Limits each pass, as in the source: the chain reaches the target in more iterations.";
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

// Title and target
pub const ON: &str = "On";
pub const ON_HELP: &str = "Turns this chain on or off.";
pub const OWN_TARGET_HELP: &str = "Uses the chain's own target, which can be dragged.";
pub const LEFT_FOOT_HELP: &str =
    "Follows the goal of grounding for the left foot. Without grounding, uses the chain's own target.";
pub const RIGHT_FOOT_HELP: &str =
    "Follows the goal of grounding for the right foot. Without grounding, uses the chain's own target.";

// Result
pub const ERROR: &str = "error";
pub const RELATIVE_ERROR: &str = "relative error";
pub const ITERATIONS: &str = "iterations";
pub const STEPS: &str = "steps";
pub const CHAIN_LENGTH: &str = "chain length";
pub const TIME: &str = "time";

// Solver
pub const LIMITS_HELP: &str = "Keeps bones within their limits.";
pub const LIMITS: &str = "limits count";
pub const STRAIGHTEN: &str = "straighten";
pub const WEIGHT_ACTS: &str = "weight applies";
pub const WEIGHT_ACTS_HELP: &str = "Where a weight below 1 applies: to the target, or in each pass.";
pub const TURN: &str = "turn";
pub const TURN_HELP: &str = "How CCD applies the turn that points the end at the target.";
pub const MAP: &str = "map";
pub const MAP_HELP: &str = "How FABRIK turns bones to the joint positions it solved in world space.";
pub const PLANE_HELP: &str = "2D mode: keeps the chain in the plane through its root that faces +Z.";
pub const PLANE: &str = "2D";
pub const BEND_RULE: &str = "bend rule";
pub const BEND_GOAL: &str = "bend goal";
pub const BEND_GOAL_HELP: &str =
    "Turns the middle joint toward a point, also called a pole vector. Drag it in the picture.";

// Bones and limits
pub const BONE_HELP: &str = "Length, rotation from rest, and limit of this bone.";
pub const TURN_WEIGHT: &str = "turn weight";
pub const FREE: &str = "free";
pub const FREE_HELP: &str = "Allows any rotation.";
pub const HINGE: &str = "hinge";
pub const HINGE_HELP: &str = "Allows rotation about one axis within a range, which may exceed a full turn.";
pub const BALL_AND_SOCKET: &str = "ball and socket";
pub const BALL_AND_SOCKET_HELP: &str = "Allows directions within a cone, and a range of twist.";
pub const ANGLE: &str = "angle";
pub const ANGLE_HELP: &str = "Allows rotations up to this angle about any axis.";
pub const OUTSIDE_ITERATIONS: &str = "outside the iterations";
pub const FAILED: &str = "failed";
pub const STRAIGHTEN_HELP: &str = "After each iteration's passes, solves for the bend's amplitude and swings the chain to the \
     target. When off, runs the plain algorithm.";
pub const BEND_RULE_HELP: &str = "Bends every joint the same way round this direction: the cross product of neighbouring bones \
     points along it. FABRIK on a chain with limits keeps the limits and ignores the rule.";
