//! Texts of this tool, grouped by control.

use std::fmt::Display;

pub const TO_CHECK: &str = "To check";
pub const FINDING_ROLES: &str = "Finding roles…";
pub const ROLES_COLUMNS: &str = "Role, bone, confidence, reason";
pub const ROLES: &str = "Roles";
pub const UNIT: &str = "Unit of the file";
pub const LENGTHS: &str = "Lengths in";
pub const UNIT_HELP: &str = "Opens the file again with its lengths in another unit. A character that is too large or too small was read in the wrong one.";
pub const OF_THE_FILE: &str = "From the file";
pub const RIG_DOCTOR: &str = "Rig doctor";
pub const CLOSE_HELP: &str = "Closes the rig doctor and returns to posing (Escape).";

pub const GIVEN_ROLES: &str = "These are the bones of a trace or capsule. Their roles are given and cannot be changed.";
pub const CLICK_SPINE: &str = "adds it to the spine or removes it";
pub const CLICK_ROLE: &str = "assigns it the role";
pub const NO_DOUBT: &str = "A biped without doubtful roles. Choose a role, then click a bone to assign it.";

pub fn doubt(icon: &dyn Display, name: &dyn Display, percent: &dyn Display, reason: &dyn Display) -> String {
    format!("{icon} {name}: {percent:.0} % confidence, {reason}")
}
pub const GO_TO_ROW_HELP: &str = "Selects the role and scrolls to its row.";
pub const NOTHING_IN_DOUBT: &str = "No role is in doubt.";
pub const CHECK_IT: &str = "\u{20}Check that it is right.";
pub const NONE: &str = "None";
pub fn bones_help(text: &dyn Display) -> String {
    format!("{text}\nChoose a bone from the list, or select the row and click a bone in the picture.")
}
pub const NAME_OF_A_BONE: &str = "Name of a bone";
pub const DETECT: &str = "Detect";
pub const DETECT_HELP: &str = "Lets the importer choose the bone.";
pub const NO_BONE: &str = "None";
pub const NO_BONE_HELP: &str = "Leaves this role without a bone.";

pub const LEFT_AND_RIGHT: &str = "Left and right";
pub const SIDES_COLUMNS: &str = "Left, right, apart";

pub const UPPER_ARM: &str = "Upper arm";
pub const FOREARM: &str = "Forearm";
pub const THIGH: &str = "Thigh";
pub const CALF: &str = "Calf";

pub const REFERENCE: &str = "Reference pose and root node";
pub const REFERENCE_POSE: &str = "Reference pose";
pub const AUTO: &str = "Auto";
pub const AUTO_HELP: &str = "Uses the better of rest and bind pose.";
pub const REST: &str = "Rest";
pub const REST_HELP: &str = "Uses the pose of the file's nodes.";
pub const BIND: &str = "Bind";
pub const BIND_HELP: &str = "Uses the pose in which the skin was bound.";
pub const ROOT_NODE: &str = "Root node";
pub const DETECT_ROOT: &str = "Detect";
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
pub fn check_roles(name: &dyn Display, items: &dyn Display, first: &dyn Display) -> String {
    format!("{name}: {items} to check in the rig doctor (press D). The first: {first}")
}

pub fn click_what(role: &dyn Display, what: &dyn Display) -> String {
    format!("{role}: a click on a bone in the picture {what}.")
}
pub fn biped_to_check(items: &dyn Display) -> String {
    format!("A biped, with {items} to check.")
}
pub fn confidence_help(name: &dyn Display, percent: &dyn Display, reason: &dyn Display, check: &dyn Display) -> String {
    format!("{name}, {percent} confidence: {reason}.{check}")
}
pub fn pose_used(used: &dyn Display, reason: &dyn Display) -> String {
    format!("The {used} pose is used: {reason}.")
}

pub const NAME_CLOSE: &str = "close rig doctor";
pub fn name_go_to(name: &dyn Display) -> String {
    format!("go to {name}")
}
pub fn name_bone(role: &dyn Display) -> String {
    format!("{role} bone")
}
pub const NAME_FILTER: &str = "filter bones";

pub fn bone_and_click(name: &dyn Display, role: &dyn Display, click: &dyn Display) -> String {
    format!("{name}: {role}. Click: {click}")
}
pub fn bone_and_role(name: &dyn Display, role: &dyn Display) -> String {
    format!("{name}: {role}")
}

pub fn edit_role(name: &dyn Display) -> String {
    format!("{name} of the rig")
}
pub fn rig_error(name: &dyn Display, error: &dyn Display) -> String {
    format!("{name}: {error}. Press D for the rig doctor")
}
pub fn bones_of(name: &dyn Display, count: &dyn Display) -> String {
    format!("{name}: {count} bones")
}
