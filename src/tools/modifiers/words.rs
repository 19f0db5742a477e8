use std::fmt::Display;

pub(crate) const GONE: &str = "This modifier was removed.";
pub(crate) const NUMBERS: &str = "Numbers";
pub(crate) const RESET_HINT: &str = "Double-click resets";
pub(crate) const ON: &str = "On";
pub(crate) const ON_HELP: &str = "Turns this modifier on or off.";
pub(crate) const TRIGGER_HELP: &str = "Starts the modifier's action in the next frame.";

pub(crate) const WEAPON: &str = "Weapon";
pub(crate) const GRIP: &str = "Grip";
pub(crate) const STRIKE: &str = "Strike";
pub(crate) const TARGET: &str = "Target";
pub(crate) const DRAG_RING: &str = "Drag its ring";
pub(crate) const POINT: &str = "Point";
pub(crate) const KEYS: &str = "Keys";
pub(crate) const BEND_BONES: &str = "Bend bones";
pub(crate) const BEND_BONES_COLUMNS: &str = "Weight, damper";
pub(crate) const JOINTS: &str = "Joints";
pub(crate) const JOINTS_HINT: &str = "Fourth joints of limbs";
pub(crate) const JOINT_HELP: &str = "The joint that takes a share of the limb's bend.";
pub(crate) const NO_FOURTH_JOINT: &str = "No limb of this character has a fourth joint clearly off the line from elbow to hand or knee to foot, so there is no bend to share.";

pub(crate) const FIRES: &str = "Firing hand";
pub(crate) const FIRES_HELP: &str = "The hand that the recoil throws back.";
pub(crate) const BOTH_HELP: &str = "Moves the other hand along with the weapon.";
pub(crate) const BOTH: &str = "Both";

pub(crate) const CARRIES: &str = "Leading hand";
pub(crate) const CARRIES_HELP: &str = "The hand that carries the weapon. The other hand holds on.";
pub(crate) const GRIP_HELP: &str = "Stores the grip: where the other hand is relative to the leading hand now. Without a stored grip, the hands' targets or animation give it.";

pub(crate) const BY_HAND: &str = "By hand";
pub(crate) const STRIKES_HELP: &str = "Turns clicks on the body in the picture into blows, directed away from you.";
pub(crate) const STRIKES: &str = "Clicks strike";
pub(crate) fn no_place(name: &dyn Display) -> String {
    format!("Clear {name}")
}
pub(crate) const NO_PLACE_HELP: &str = "Clears this value, and detaches it if it is attached.";
pub(crate) fn set_place(name: &dyn Display) -> String {
    format!("Set {name}")
}
pub(crate) const AT: &str = "Position";
pub(crate) const DIRECTION: &str = "Direction";

pub(crate) const ATTACHED_TO: &str = "Attached to";
pub(crate) const LOOK_TARGET_HELP: &str = "Places the target in front of the character.";
pub(crate) const AIMS: &str = "Aims with";

pub(crate) const REACHES: &str = "Effector";
pub(crate) const ROTATION: &str = "Rotation";
pub(crate) const ROTATION_HELP: &str = "Sets a rotation for the effector while it reaches, at first its current rotation. Change it with the rotate gizmo.";
pub(crate) const SETS_ROTATION: &str = "Sets rotation";
pub(crate) const REACH_POINT_HELP: &str = "Places the point in front of the effector.";
pub(crate) const END_POINT: &str = "End point";
pub(crate) const END_POINT_HELP: &str = "Lets the point move to a second position while the effector holds it.";

pub(crate) const TRACK: &str = "Track";
pub(crate) const SET_KEY_HELP: &str =
    "Sets a key for the current time at the effector's bone. To move the key, drag the ring in the picture.";
pub(crate) const IN_WORLD_HELP: &str = "Keeps keys in world space. When off, they move with the character.";
pub(crate) const IN_WORLD: &str = "In the world";
pub(crate) const GO_TO_KEY_HELP: &str = "Seeks the time of this key.";
pub(crate) const KEY_TIME_HELP: &str = "Moves the key to this time of the clip.";
pub(crate) const KEY_POSITION_HELP: &str =
    "Position weight of this key. At 0, the effector keeps its own target and weight.";
pub(crate) const KEY_ROTATION_HELP: &str =
    "Rotation weight of this key. At 0, the effector keeps its own rotation and weight.";
pub(crate) const REMOVE_KEY_HELP: &str = "Removes this key.";

pub(crate) const HEAD_TARGET_HELP: &str = "Places the target where the head is now.";
pub(crate) const CHEST_HELP: &str = "Gives the chest a direction to face, at first straight ahead.";
pub(crate) const EACH_HELP: &str = "Gives each bone its own weight and damper.";
pub(crate) const EACH: &str = "Per bone";
pub(crate) const BONE_WEIGHT_HELP: &str =
    "Fraction of the turn toward the target that the bone takes in each round of CCD.";
pub(crate) const BONE_DAMPER_HELP: &str = "Reduces the bone's turn in each round of CCD.";

pub(crate) const STEPS: &str = "Steps";
pub(crate) const BEFORE_IK: &str = "Before IK";
pub(crate) const BEFORE_IK_HELP: &str = "Shows the steps before the solve, in which modifiers set targets, weights and offsets of effectors, and turn bones.";
pub(crate) const DURING_IK: &str = "During IK";
pub(crate) const DURING_IK_HELP: &str = "Shows the steps of the solve. Between them, modifiers push nodes and set bend directions. The stage read applies offsets.";
pub(crate) const AFTER_IK: &str = "After IK";
pub(crate) const AFTER_IK_HELP: &str =
    "Shows the steps after the pose is written, in which modifiers turn and move bones.";
pub(crate) const STRIKE_PAUSED: &str = "Blows have no effect while paused. Go live first (L)";
pub(crate) const TRIGGER_PAUSED: &str = "Triggers have no effect while paused. Go live first (L)";

pub(crate) const LEFT_HAND: &str = "Left hand";
pub(crate) const RIGHT_HAND: &str = "Right hand";
pub(crate) fn name_and_what(modifier: &dyn Display, what: &dyn Display) -> String {
    format!("{modifier} {what}")
}
pub(crate) fn name_and_number(modifier: &dyn Display, number: &dyn Display) -> String {
    format!("{modifier} {number}")
}
pub(crate) fn aims_help(aims: &dyn Display) -> String {
    format!("Turns the spine to aim the {aims} at the target. If the eyes aim, neck and head turn too.")
}
pub(crate) fn set_key(icon: &dyn Display) -> String {
    format!("{icon} Set key")
}
pub(crate) fn no_head(icon: &dyn Display) -> String {
    format!("{icon} No head was found. Press D to assign its bone in the rig doctor")
}

pub(crate) const EDIT_ON: &str = "on or off";
pub(crate) const EDIT_HAND: &str = "hand";
pub(crate) const EDIT_HANDS: &str = "hands";
pub(crate) const EDIT_AIMS: &str = "aims";
pub(crate) const EDIT_ROTATION: &str = "rotation";
pub(crate) const EDIT_SPACE: &str = "space of the keys";
pub(crate) const EDIT_REMOVE_KEY: &str = "remove a key";
pub(crate) const EDIT_KEY_TIME: &str = "time of a key";
pub(crate) const EDIT_KEY_POSITION: &str = "position weight of a key";
pub(crate) const EDIT_KEY_ROTATION: &str = "rotation weight of a key";
pub(crate) const EDIT_BEND_BONES: &str = "bend bones";
pub(crate) fn edit_bend(name: &dyn Display) -> String {
    format!("bend of {name}")
}

pub(crate) const NAME_EFFECTOR: &str = "effector that reaches";
pub(crate) const EDIT_EFFECTOR: &str = "effector";
pub(crate) const NAME_TRACK_EFFECTOR: &str = "effector of the track";
pub(crate) fn name_remove_key(number: &dyn Display) -> String {
    format!("remove key {number}")
}
pub(crate) fn edit_move(handle: &dyn Display) -> String {
    format!("move {handle}")
}
