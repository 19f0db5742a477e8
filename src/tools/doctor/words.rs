//! The words of this tool on screen, grouped by control.

use std::fmt::Display;

// Sections
pub const TO_CHECK: &str = "to check";
pub const FINDING_ROLES: &str = "finding roles…";
pub const ROLES_COLUMNS: &str = "role, bone, confidence, reason";
pub const ROLES: &str = "roles";
pub const OF_THE_FILE: &str = "from the file";
pub const RIG_DOCTOR: &str = "Rig doctor";
pub const CLOSE_HELP: &str = "Closes the rig doctor and returns to posing (Escape).";

// State of the rig
pub const GIVEN_ROLES: &str = "These are the bones of a trace or capsule. Their roles are given and cannot be changed.";
pub const CLICK_SPINE: &str = "adds it to the spine or removes it";
pub const CLICK_ROLE: &str = "assigns it the role";
pub const NO_DOUBT: &str = "A biped without doubtful roles. Choose a role, then click a bone to assign it.";

// Roles
pub fn doubt(icon: &dyn Display, name: &dyn Display, percent: &dyn Display, reason: &dyn Display) -> String {
    format!("{icon} {name}: {percent:.0} % confidence, {reason}")
}
pub const GO_TO_ROW_HELP: &str = "Scrolls to the role's row.";
pub const NOTHING_IN_DOUBT: &str = "No role is in doubt.";
pub const CHECK_IT: &str = "\u{20}Check that it is right.";
pub const NONE: &str = "none";
pub fn bones_help(text: &dyn Display) -> String {
    format!("{text}\nChoose a bone from the list, or select the row and click a bone in the picture.")
}
pub const NAME_OF_A_BONE: &str = "name of a bone";
pub const DETECT: &str = "Detect";
pub const DETECT_HELP: &str = "Lets the importer choose the bone.";
pub const NO_BONE: &str = "None";
pub const NO_BONE_HELP: &str = "Leaves this role without a bone.";

// Left and right
pub const LEFT_AND_RIGHT: &str = "left and right";
pub const SIDES_COLUMNS: &str = "left, right, apart";

// Reference pose and root node
pub const REFERENCE: &str = "reference pose and root node";
pub const REFERENCE_POSE: &str = "reference pose";
pub const AUTO: &str = "auto";
pub const AUTO_HELP: &str = "Uses the better of rest and bind pose.";
pub const REST: &str = "rest";
pub const REST_HELP: &str = "Uses the pose of the file's nodes.";
pub const BIND: &str = "bind";
pub const BIND_HELP: &str = "Uses the pose in which the skin was bound.";
pub const ROOT_NODE: &str = "root node";
pub const DETECT_ROOT: &str = "detect";
pub const ROOT_NODE_HELP: &str = "The pelvis or spine bone that is the solver's body node, on which the limbs pull.";
pub const NO_ROLE: &str = "no role";
pub fn search_failed(error: &dyn Display) -> String {
    format!("Could not change the roles: {error}. Change one again to retry")
}
pub const SEARCH_STOPPED: &str =
    "Could not change the roles: the search stopped without a message. Undo the last change of the rig";
pub fn role_unsure(role: &dyn Display) -> String {
    format!("the {role} is doubtful")
}
pub fn check_roles(name: &dyn Display, things: &dyn Display, first: &dyn Display) -> String {
    format!("{name}: {things} to check in the rig doctor (press D). The first: {first}")
}
