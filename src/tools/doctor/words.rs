use std::fmt::Display;

pub(crate) const TO_CHECK: &str = "To check";
pub(crate) const FINDING_ROLES: &str = "Finding roles…";
pub(crate) const ROLES_COLUMNS: &str = "Role, bone, confidence, reason";
pub(crate) const ROLES: &str = "Roles";
pub(crate) const UNIT: &str = "Unit of the file";
pub(crate) const LENGTHS: &str = "Lengths in";
pub(crate) const UNIT_HELP: &str =
    "Opens the file again with its lengths in another unit. Choose one if the character is far too large or too small.";
pub(crate) const OF_THE_FILE: &str = "From the file";
pub(crate) const RIG_DOCTOR: &str = "Rig doctor";
pub(crate) const CLOSE_HELP: &str = "Closes the rig doctor and returns to posing (Escape).";

pub(crate) const GIVEN_ROLES: &str =
    "These are the bones of a trace, capsule or game. Their roles are given and cannot be changed.";
pub(crate) const CLICK_SPINE: &str = "adds it to the spine or removes it";
pub(crate) const CLICK_ROLE: &str = "assigns it the role";
pub(crate) const NO_DOUBT: &str = "A biped without doubtful roles. Choose a role, then click a bone to assign it.";

pub(crate) fn doubt(icon: &dyn Display, name: &dyn Display, percent: &dyn Display, reason: &dyn Display) -> String {
    format!("{icon} {name}: {percent:.0} % confidence, {reason}")
}
pub(crate) const GO_TO_ROW_HELP: &str = "Selects the role and scrolls to its row.";
pub(crate) const NOTHING_IN_DOUBT: &str = "No role is in doubt.";
pub(crate) const CHECK_IT: &str = "\u{20}Check this role.";
pub(crate) const NONE: &str = "None";
pub(crate) fn bones_help(text: &dyn Display) -> String {
    format!("{text}\nChoose a bone from the list, or select the row and click a bone in the picture.")
}
pub(crate) const NAME_OF_A_BONE: &str = "Name of a bone";
pub(crate) const DETECT: &str = "Detect";
pub(crate) const DETECT_HELP: &str = "Drops your choice. The rig doctor then finds the bone.";
pub(crate) const NO_BONE: &str = "None";
pub(crate) const NO_BONE_HELP: &str = "Leaves this role without a bone.";

pub(crate) const LEFT_AND_RIGHT: &str = "Left and right";
pub(crate) const SIDES_COLUMNS: &str = "Left, right, difference";

pub(crate) const UPPER_ARM: &str = "Upper arm";
pub(crate) const FOREARM: &str = "Forearm";
pub(crate) const THIGH: &str = "Thigh";
pub(crate) const CALF: &str = "Calf";

pub(crate) const REFERENCE: &str = "Reference pose and root node";
pub(crate) const REFERENCE_POSE: &str = "Reference pose";
pub(crate) const AUTO: &str = "Auto";
pub(crate) const AUTO_HELP: &str = "Lets the rig doctor choose the rest or the bind pose. The reason is stated below.";
pub(crate) const REST: &str = "Rest";
pub(crate) const REST_HELP: &str = "Uses the pose of the file's nodes.";
pub(crate) const BIND: &str = "Bind";
pub(crate) const BIND_HELP: &str =
    "Uses the pose in which the skin was bound, or the rest pose if the file has no such pose.";
pub(crate) const ROOT_NODE: &str = "Root node";
pub(crate) const DETECT_ROOT: &str = "Detect";
pub(crate) const ROOT_NODE_HELP: &str =
    "The pelvis or spine bone that is the solver's body node, on which the limbs pull.";
pub(crate) const NO_ROLE: &str = "no role";
pub(crate) fn search_failed(error: &dyn Display) -> String {
    format!("Could not change the roles: {error}. Change a role again to retry")
}
pub(crate) const SEARCH_STOPPED: &str =
    "Could not change the roles: the search stopped without a message. Undo the last change of the rig";
pub(crate) fn role_unsure(role: &dyn Display) -> String {
    format!("the {role} is doubtful")
}
pub(crate) fn check_roles(name: &dyn Display, items: &dyn Display, first: &dyn Display) -> String {
    format!("{name}: {items} to check in the rig doctor (press D). The first: {first}")
}

pub(crate) fn click_what(role: &dyn Display, what: &dyn Display) -> String {
    format!("{role}: a click on a bone in the picture {what}.")
}
pub(crate) fn biped_to_check(items: &dyn Display) -> String {
    format!("A biped, with {items} to check.")
}
pub(crate) fn confidence_help(
    name: &dyn Display,
    percent: &dyn Display,
    reason: &dyn Display,
    check: &dyn Display,
) -> String {
    format!("{name}, {percent} confidence: {reason}.{check}")
}
pub(crate) fn pose_used(used: &dyn Display, reason: &dyn Display) -> String {
    format!("The {used} pose is used: {reason}.")
}

pub(crate) const NAME_CLOSE: &str = "close rig doctor";
pub(crate) fn name_go_to(name: &dyn Display) -> String {
    format!("go to {name}")
}
pub(crate) fn name_bone(role: &dyn Display) -> String {
    format!("{role} bone")
}
pub(crate) const NAME_FILTER: &str = "filter bones";

pub(crate) fn bone_and_click(name: &dyn Display, role: &dyn Display, click: &dyn Display) -> String {
    format!("{name}: {role}. A click changes the role {click}")
}
pub(crate) fn bone_and_role(name: &dyn Display, role: &dyn Display) -> String {
    format!("{name}: {role}")
}

pub(crate) fn edit_role(name: &dyn Display) -> String {
    format!("{name} of the rig")
}
pub(crate) fn edit_motion_role(name: &dyn Display) -> String {
    format!("{name} of the motion file")
}
pub(crate) const EDIT_RIG: &str = "settings of the rig";
pub(crate) const EDIT_MOTION_RIG: &str = "roles of the motion file";

pub(crate) const OF_CHARACTER: &str = "Character";
pub(crate) const OF_CHARACTER_HELP: &str = "Shows the roles of the character.";
pub(crate) const OF_MOTION: &str = "Motion file";
pub(crate) fn of_motion_help(file: &dyn Display) -> String {
    format!("Shows the roles of {file}, and the skeleton of that file next to the character.")
}
pub(crate) fn no_motion(problem: &dyn Display) -> String {
    format!("No clips are retargeted: {problem}.")
}
pub(crate) const NO_MOTION_DOUBT: &str =
    "The motion file has no doubtful roles. Choose a role, then click a bone of the skeleton next to the character.";
pub(crate) fn motion_to_check(items: &dyn Display) -> String {
    format!("The motion file has {items} to check. Wrong roles turn the wrong bones of the character.")
}

pub(crate) const CHARACTERS: &str = "Characters of the file";
pub(crate) const CHARACTERS_HINT: &str = "One is used";
pub(crate) const CHARACTER_USED: &str = "The bones of this character have the roles.";
pub(crate) const CHOOSE_CHARACTER: &str =
    "Gives the roles to the bones of this character. Roles chosen by hand, and targets, are dropped.";
pub(crate) const CHOOSE_MOTION_CHARACTER: &str =
    "Gives the roles to the bones of this character. Roles chosen by hand are dropped.";

pub(crate) fn rig_error(name: &dyn Display, error: &dyn Display) -> String {
    format!("{name}: {error}. Press D to correct the roles in the rig doctor")
}
pub(crate) fn bones_of(name: &dyn Display, count: &dyn Display) -> String {
    format!("{name}: {count} bones")
}
