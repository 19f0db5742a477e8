use std::fmt::{Debug, Display};

pub(crate) const LAB_WHAT: &str = "Compares solvers on one chain and target.";
pub(crate) const CHAIN_AND_TARGET: &str = "Chain and target";
pub(crate) const LANES: &str = "Lanes";
pub(crate) const LANES_HINT: &str = "Click one for its steps";
pub(crate) const ERROR_PER_ITERATION: &str = "Error per iteration";
pub(crate) const ERROR_UNIT: &str = "% of the length";
pub(crate) const CLOSE_LAB: &str = "Close the lab";
pub(crate) const CLOSE_LAB_HELP: &str = "Closes the lab and returns to the character.";
pub(crate) const RESET_CHAINS: &str = "Reset chains";
pub(crate) const RESET_CHAINS_HELP: &str =
    "Solves all lanes again from the rest pose, and moves a moving target to the start of its path.";

pub(crate) fn free_chain(bones: &dyn Display) -> String {
    format!("Free, {bones} bones")
}
pub(crate) const FREE_BRANCHES: &str = "Free, with branches";
pub(crate) fn chain_of_file(bones: &dyn Display) -> String {
    format!("From a file, {bones} bones")
}
pub(crate) const CHAIN: &str = "Chain";
pub(crate) const BONES: &str = "Bones";
pub(crate) const BONES_HELP: &str = "Number of bones of the free chain. The length of the chain stays the same.";
pub(crate) const TARGET: &str = "Target";
pub(crate) const TARGET_STILL_HELP: &str = "The target stays in place until you drag it.";
pub(crate) const TARGET_CIRCLE_HELP: &str = "The target moves around a circle.";
pub(crate) const TARGET_EIGHT_HELP: &str = "The target moves along a figure eight.";
pub(crate) const TARGET_PATH_HELP: &str =
    "The target moves along a path that looks random, but is always the same and repeats after 300 s.";
pub(crate) const STARTS: &str = "Start pose";
pub(crate) const FROM_REST: &str = "From rest";
pub(crate) const FROM_REST_HELP: &str = "Every solve starts from the chain's rest pose.";
pub(crate) const FROM_LAST: &str = "From the last frame";
pub(crate) const FROM_LAST_HELP: &str = "Every frame starts from the previous result, as in a game.";
pub(crate) const DRAWN: &str = "Layout";
pub(crate) const SIDE_BY_SIDE: &str = "Side by side";
pub(crate) const SIDE_BY_SIDE_HELP: &str = "Draws lanes next to each other.";
pub(crate) const OVERLAID: &str = "Overlaid";
pub(crate) const OVERLAID_HELP: &str = "Draws all lanes in the same place.";
pub(crate) const DISTANCE: &str = "Distance";
pub(crate) const DISTANCE_HELP: &str = "Distance from the chain's root to the target, in chain lengths.";
pub(crate) const PUT_AT: &str = "Set distance";
pub(crate) const PUT_AT_HELP: &str = "Moves the target to this distance in its current direction.";

pub(crate) const ITERATIONS_HELP: &str = "Iterations of the last solve.";
pub(crate) const ERROR_HELP: &str =
    "Largest distance of an end of the chain from its target: at the current step while paused, else after the solve.";
pub(crate) const MICROS_HELP: &str = "Duration of the last solve, microseconds.";
pub(crate) const REMOVE_LANE_HELP: &str = "Removes this lane.";
pub(crate) const ADD_LANE: &str = "Add a lane";

pub(crate) const SOLVER: &str = "Solver";
pub(crate) const BONES_AND_LIMITS: &str = "Bones and limits";
pub(crate) const BONES_HINT: &str = "Click a bone to edit it";
pub(crate) const NOT_SOLVED: &str = "Not solved";
pub(crate) const OUTCOME: &str = "Result";
pub(crate) const RULE_MIRROR_HELP: &str = "Reflects each bone that bends against the bend normal, and a chain on the wrong side of the line to its \
     target. If passes make no progress, lays the chain on a circle through root and target.";
pub(crate) const RULE_SOURCE_HELP: &str = "Turns a bone by 2° about x unless the cross product of the previous bone and this bone is positive in all \
     components, as «FABRIK with a bend rule» does. The bend normal's direction has no effect.";
pub(crate) const WEIGHT_ON_TARGET_HELP: &str =
    "Solves for a point between the end at the start of the solve and the target: at weight 0.5, the midpoint.";
pub(crate) const WEIGHT_IN_PASS_HELP: &str = "Scales the movement of each pass by the weight, as in «Animation programming notes»: the end \
     still approaches the target, in more iterations.";
pub(crate) const TURN_MODEL_HELP: &str = "Multiplies the bone's rotation in model space by the turn, from the left, \
     as «Hands-on C++ Game Animation Programming» does.";
pub(crate) const TURN_LOCAL_HELP: &str = "Applies the turn to the local rotation, as in «Animation programming notes». Correct only for bones whose axes equal the model's.";
pub(crate) const TURN_SWAPPED_HELP: &str = "Reads the rotation products in the code of «Hands-on C++ Game Animation Programming» \
     right to left, although its library multiplies left to right: bones turn about wrong axes.";
pub(crate) const MAP_MODEL_HELP: &str = "Swings each bone in model space to the solved position of its end joint, \
     as «Hands-on C++ Game Animation Programming» does with its own library.";
pub(crate) const MAP_SWAPPED_HELP: &str = "Reads the rotation products in the code of «Hands-on C++ Game Animation Programming» \
     right to left, although its library multiplies left to right: the turn, found in the bone's space, is applied in the \
     parent's space, which is wrong.";
pub(crate) const MAP_SAME_HELP: &str =
    "Uses the correction in «Animation programming notes»: it compares the solved joint with itself, so no bone turns.";

pub(crate) const ON: &str = "On";
pub(crate) const ON_HELP: &str = "Turns this chain on or off.";
pub(crate) const OWN_TARGET_HELP: &str = "Uses the chain's own target, which can be dragged.";
pub(crate) const LEFT_FOOT_HELP: &str = "Follows the left foot's goal, as retarget, grounding or foot lock set it. \
     Without such a goal, uses the chain's own target.";
pub(crate) const RIGHT_FOOT_HELP: &str = "Follows the right foot's goal, as retarget, grounding or foot lock set it. \
     Without such a goal, uses the chain's own target.";

pub(crate) const ERROR: &str = "Error";
pub(crate) const RELATIVE_ERROR: &str = "Relative error";
pub(crate) const ITERATIONS: &str = "Iterations";
pub(crate) const STEPS: &str = "Steps";
pub(crate) const CHAIN_LENGTH: &str = "Chain length";
pub(crate) const TIME: &str = "Time";

pub(crate) const LIMITS_HELP: &str = "Keeps bones within their limits.";
pub(crate) const LIMITS: &str = "Apply limits";
pub(crate) const STRAIGHTEN: &str = "Straighten";
pub(crate) const WEIGHT_ACTS: &str = "Weight applies";
pub(crate) const WEIGHT_ACTS_HELP: &str = "Where a weight below 1 applies: to the target, or in each pass.";
pub(crate) const TURN: &str = "Turn";
pub(crate) const TURN_HELP: &str = "How CCD applies the turn that points the end at the target.";
pub(crate) const MAP: &str = "Map";
pub(crate) const MAP_HELP: &str = "How FABRIK turns bones to the solved positions of the joints.";
pub(crate) const PLANE_HELP: &str = "2D mode: keeps the chain in a plane through its root, as far as limits allow. \
     The plane's normal is +Z when you turn the mode on.";
pub(crate) const PLANE: &str = "2D";
pub(crate) const BEND_RULE: &str = "Bend rule";
pub(crate) const BEND_GOAL: &str = "Bend goal";
pub(crate) const BEND_GOAL_HELP: &str = "Turns the middle joint toward a point, also called a pole vector. \
     Drag the point in the picture. The goal has no effect in 2D.";

pub(crate) const BONE_HELP: &str =
    "Click to edit this bone. The row shows the bone's length, rotation from rest, and limit.";
pub(crate) const TURN_WEIGHT: &str = "Turn weight";
pub(crate) const FREE: &str = "Free";
pub(crate) const FREE_HELP: &str = "Allows any rotation.";
pub(crate) const HINGE: &str = "Hinge";
pub(crate) const HINGE_HELP: &str = "Allows rotation about one axis within a range, which may exceed a full turn.";
pub(crate) const BALL_AND_SOCKET: &str = "Ball and socket";
pub(crate) const BALL_AND_SOCKET_HELP: &str = "Allows directions within a cone, and a range of twist.";
pub(crate) const ANGLE: &str = "Angle";
pub(crate) const ANGLE_HELP: &str = "Allows rotations up to this angle about any axis.";
pub(crate) const OUTSIDE_ITERATIONS: &str = "Outside the iterations";
pub(crate) const FAILED: &str = "Failed";
pub(crate) const STRAIGHTEN_HELP: &str = "Once passes have brought the end near the target, solves for the bend's amplitude or folds the chain \
     at one joint, and swings the chain to the target. With CCD, passes of FABRIK may also replace passes that make little progress. \
     When off, neither happens.";
pub(crate) const BEND_RULE_HELP: &str = "Bends all joints the same way: the cross product of neighbouring bones points along the \
     bend normal. FABRIK on a chain with limits ignores the rule; so does the two-bone solver in 2D or with a bend goal.";

pub(crate) const TITLE: &str = "Chain lab";
pub(crate) const WHAT: &str = "Compare CCD, FABRIK and two-bone solvers on one target.";
pub(crate) fn bones_between(root: &dyn Display, end: &dyn Display) -> String {
    format!("{root} to {end}")
}
pub(crate) const FREE_CHAIN: &str = "Free";
pub(crate) fn of_the_character(name: &dyn Display) -> String {
    format!("{name} of the character")
}
pub(crate) fn error_in(unit: &dyn Display) -> String {
    format!("Error {unit}")
}
pub(crate) fn jitter_in(unit: &dyn Display) -> String {
    format!("Jitter {unit}")
}
pub(crate) const COLUMN_ITERATIONS: &str = "Iter.";
pub(crate) const JITTER_HELP: &str = "How unevenly joints move while the target moves: root mean square of the difference between a joint's displacements in successive frames. 0 is perfectly smooth.";
pub(crate) fn lane_help(name: &dyn Display, sentence: &dyn Display, stop: &dyn Display, jump: &dyn Display) -> String {
    format!("{name}. {sentence}\n{stop}\nLargest jump of a joint: {jump:.1} × the target's movement in that frame")
}
pub(crate) fn plot_help(name: &dyn Display, iteration: &dyn Display, percent: &dyn Display) -> String {
    format!("{name}\nIterations: {iteration:.0}\nError: {percent:.4} %")
}

pub(crate) const EDIT_CHAIN: &str = "chain of the lab";
pub(crate) const EDIT_BONES: &str = "bones of the lab";
pub(crate) const EDIT_MOTION: &str = "motion of the target";
pub(crate) const EDIT_START: &str = "start pose of lanes";
pub(crate) const EDIT_DRAWN: &str = "layout of lanes";
pub(crate) const EDIT_DISTANCE: &str = "distance of the target";

pub(crate) fn name_lane(name: &dyn Display) -> String {
    format!("lane {name}")
}

pub(crate) const TOO_NEAR: &str = "too near";
pub(crate) const NEARLY_STRAIGHT: &str = "nearly straight";
pub(crate) const OUT_OF_REACH: &str = "out of reach";

pub(crate) const CHOOSE_BONES: &str = "Could not add a chain: choose a root bone and an end bone";
pub(crate) fn not_a_descendant(root: &dyn Debug, end: &dyn Debug) -> String {
    format!(
        "Could not add a chain from {root:?} to {end:?}: {end:?} is not a descendant of {root:?}. Choose an end bone below the root bone"
    )
}
pub(crate) fn same_place(root: &dyn Debug, end: &dyn Debug) -> String {
    format!(
        "Could not add a chain from {root:?} to {end:?}: both are at the same place in the rest pose. Choose other bones"
    )
}

pub(crate) fn warning(icon: &dyn Display, problem: &dyn Display) -> String {
    format!("{icon} {problem}")
}
pub(crate) fn lane_number(number: &dyn Display) -> String {
    format!("Lane {number}")
}
pub(crate) fn bones_and_order(bones: &dyn Display, number: &dyn Display) -> String {
    format!("{bones} bones, number {number} in the solve order")
}
pub(crate) fn bone_number(bone: &dyn Display) -> String {
    format!("Bone {bone}")
}
pub(crate) fn cone(degrees: &dyn Display) -> String {
    format!("{degrees:.0}° cone")
}
pub(crate) const FREE_LIMIT: &str = "Free";
pub(crate) const BEND_NORMAL: &str = "Bend normal";
pub(crate) const MIN: &str = "Min";
pub(crate) const MAX: &str = "Max";
pub(crate) const AXIS: &str = "Axis";
pub(crate) const SWING: &str = "Swing";
pub(crate) const TWIST_MIN: &str = "Twist min";
pub(crate) const TWIST_MAX: &str = "Twist max";

pub(crate) fn edit_limit(bone: &dyn Display) -> String {
    format!("limit of bone {bone}")
}
pub(crate) const EDIT_ON: &str = "a chain on or off";
pub(crate) const EDIT_TARGET_SOURCE: &str = "source of a chain's target";
pub(crate) fn edit_bone_weight(shown: &dyn Display) -> String {
    format!("weight of bone {shown}")
}

pub(crate) fn at_iteration(at: &dyn Display) -> String {
    format!("Iteration {at}")
}
pub(crate) fn off(off: &dyn Display) -> String {
    format!("{off} off")
}
pub(crate) fn lane_short(number: &dyn Display, solver: &dyn Display) -> String {
    format!("{number} {solver}")
}
pub(crate) fn lane_label(name: &dyn Display, zone: &dyn Display, done: &dyn Display, off: &dyn Display) -> String {
    format!("{name} {zone}\n{done}, {off} off target")
}

pub(crate) const EDIT_MOVE_TARGET: &str = "move the chain's target";
pub(crate) const EDIT_MOVE_BEND_GOAL: &str = "move the chain's bend goal";
pub(crate) const EDIT_MOVE_LIMIT: &str = "move a limit";
pub(crate) const EDIT_OPEN_LAB: &str = "open the lab";
pub(crate) const EDIT_CLOSE_LAB: &str = "close the lab";
pub(crate) fn chain_name(root: &dyn Display, end: &dyn Display) -> String {
    format!("{root} to {end}")
}
pub(crate) const EDIT_ADD_CHAIN: &str = "add a chain";
pub(crate) const EDIT_OPEN_CHAIN: &str = "open a chain";
pub(crate) fn opened_in_lab(file: &dyn Display) -> String {
    format!("Opened {file} in the lab")
}
pub(crate) const EDIT_ADD_LANE: &str = "add a lane";
pub(crate) const EDIT_REMOVE_LANE: &str = "remove a lane";
