//! Texts of this tool, grouped by control.

use std::fmt::Display;

pub const GONE: &str = "This modifier was removed.";
pub const NUMBERS: &str = "Numbers";
pub const RESET_HINT: &str = "Double-click resets";
pub const ON: &str = "On";
pub const ON_HELP: &str = "Turns this modifier on or off.";
pub const TRIGGER_HELP: &str = "Triggers the modifier from the next frame on.";

pub const WEAPON: &str = "Weapon";
pub const GRIP: &str = "Grip";
pub const STRIKE: &str = "Strike";
pub const TARGET: &str = "Target";
pub const DRAG_RING: &str = "Drag its ring";
pub const POINT: &str = "Point";
pub const KEYS: &str = "Keys";
pub const BEND_BONES: &str = "Bend bones";
pub const BEND_BONES_COLUMNS: &str = "Weight, damper";
pub const JOINTS: &str = "Joints";
pub const JOINTS_HINT: &str = "Fourth joints of limbs";
pub const JOINT_HELP: &str = "The joint that takes a share of the limb's bend.";
pub const NO_FOURTH_JOINT: &str =
    "No limb of this character has a fourth joint off its line, so there is no bend to share.";

pub const FIRES: &str = "Fires";
pub const FIRES_HELP: &str = "The hand that the recoil throws back.";
pub const BOTH_HELP: &str = "Moves the other hand along with the weapon.";
pub const BOTH: &str = "Both";

pub const CARRIES: &str = "Carries";
pub const CARRIES_HELP: &str = "The hand that carries the weapon. The other hand holds on.";
pub const GRIP_HELP: &str =
    "Stores how the hands are placed relative to each other now. Without a grip, the hands' targets determine this.";

pub const BY_HAND: &str = "By hand";
pub const STRIKES_HELP: &str = "Turns clicks on the body in the picture into blows, directed away from you.";
pub const STRIKES: &str = "Click on the body";
pub fn no_place(name: &dyn Display) -> String {
    format!("Clear {name}")
}
pub const NO_PLACE_HELP: &str = "Removes this value.";
pub fn set_place(name: &dyn Display) -> String {
    format!("Set {name}")
}
pub const AT: &str = "At";

pub const ATTACHED_TO: &str = "Attached to";
pub const LOOK_TARGET_HELP: &str = "Places the target in front of the face.";
pub const AIMS: &str = "Aims";

pub const REACHES: &str = "Reaches";
pub const TURNED: &str = "Turned";
pub const TURNED_HELP: &str =
    "Sets a rotation for the effector while it reaches, at first its current rotation. Change it with the gizmo (E).";
pub const TO_ROTATION: &str = "To a rotation";
pub const REACH_POINT_HELP: &str = "Places the point in front of the effector.";
pub const END_POINT: &str = "End point";
pub const END_POINT_HELP: &str =
    "Lets the point move to a second position, which it reaches when the effector releases it.";

pub const TRACK: &str = "Track";
pub const SET_KEY_HELP: &str =
    "Sets a key at this time at the effector's bone. Drag the ring in the picture to move it.";
pub const IN_WORLD_HELP: &str = "Keeps keys in world space. When off, they move with the character.";
pub const IN_WORLD: &str = "In the world";
pub const GO_TO_KEY_HELP: &str = "Seeks the time of this key.";
pub const KEY_TIME_HELP: &str = "Time of the key.";
pub const KEY_POSITION_HELP: &str = "Position weight at this key.";
pub const KEY_ROTATION_HELP: &str = "Rotation weight at this key.";
pub const REMOVE_KEY_HELP: &str = "Removes this key.";

pub const HEAD_TARGET_HELP: &str = "Places the target where the head is now.";
pub const CHEST_HELP: &str = "Gives the chest a direction to face, at first straight ahead.";
pub const EACH_HELP: &str = "Gives each bone its own weight and damper.";
pub const EACH: &str = "Per bone";
pub const BONE_WEIGHT_HELP: &str = "Fraction of the turn that the bone takes.";
pub const BONE_DAMPER_HELP: &str = "Reduces the bone's turn in each round of CCD.";

pub const STEPS: &str = "Steps";
pub const BEFORE_IK: &str = "Before IK";
pub const BEFORE_IK_HELP: &str = "Sets targets and turns bones of the pose before the solve.";
pub const DURING_IK: &str = "During IK";
pub const DURING_IK_HELP: &str =
    "Adds offsets when the solve reads the pose, and pushes nodes between the solve's stages.";
pub const AFTER_IK: &str = "After IK";
pub const AFTER_IK_HELP: &str = "Turns bones after the pose is written.";
pub const STRIKE_PAUSED: &str = "Blows have no effect while paused. Go live first (L)";
pub const TRIGGER_PAUSED: &str = "Triggers have no effect while paused. Go live first (L)";

pub const LEFT_HAND: &str = "Left hand";
pub const RIGHT_HAND: &str = "Right hand";
pub fn name_and_what(modifier: &dyn Display, what: &dyn Display) -> String {
    format!("{modifier} {what}")
}
pub fn name_and_number(modifier: &dyn Display, number: &dyn Display) -> String {
    format!("{modifier} {number}")
}
pub fn aims_help(aims: &dyn Display) -> String {
    format!("Turns spine, neck and head to aim the {aims} at the target.")
}
pub fn set_key(icon: &dyn Display) -> String {
    format!("{icon} Set key")
}
pub fn no_head(icon: &dyn Display) -> String {
    format!("{icon} No head was found. Press D for the rig doctor")
}

pub const EDIT_ON: &str = "on or off";
pub const EDIT_HAND: &str = "hand";
pub const EDIT_HANDS: &str = "hands";
pub const EDIT_AIMS: &str = "aims";
pub const EDIT_ROTATION: &str = "rotation";
pub const EDIT_SPACE: &str = "space of the keys";
pub const EDIT_REMOVE_KEY: &str = "remove a key";
pub const EDIT_KEY_TIME: &str = "time of a key";
pub const EDIT_KEY_POSITION: &str = "position weight of a key";
pub const EDIT_KEY_ROTATION: &str = "rotation weight of a key";
pub const EDIT_BEND_BONES: &str = "bend bones";
pub fn edit_bend(name: &dyn Display) -> String {
    format!("bend of {name}")
}

pub const NAME_EFFECTOR: &str = "effector that reaches";
pub const EDIT_EFFECTOR: &str = "effector";
pub const NAME_TRACK_EFFECTOR: &str = "effector of the track";
pub fn name_remove_key(number: &dyn Display) -> String {
    format!("remove key {number}")
}
pub fn edit_move(handle: &dyn Display) -> String {
    format!("move {handle}")
}
