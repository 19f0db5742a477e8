//! Texts of this tool, grouped by control.

use std::fmt::Display;

use crate::ui::words::capital;

pub fn attach_failed(name: &dyn Display, fault: &dyn Display) -> String {
    format!("Could not attach {name}: {fault}")
}
pub fn attached(name: &dyn Display, anchor: &dyn Display) -> String {
    format!("{} follows {anchor}", capital(&name.to_string()))
}
pub fn detached(name: &dyn Display) -> String {
    format!("{} is detached and stays where it is", capital(&name.to_string()))
}
pub fn not_attached(name: &dyn Display) -> String {
    format!("{} is not attached to anything", capital(&name.to_string()))
}
pub const NONE: &str = "None";
pub fn anchor_effector(effector: &dyn Display) -> String {
    format!("{effector} (effector)")
}

pub const EFFECTOR_WEIGHTS: &str = "Effector weights";
pub const WEIGHT_COLUMNS: &str = "Position, rotation";
pub const WRITING: &str = "Writing";

pub fn what_if(before: &dyn Display, now: &dyn Display) -> String {
    format!("What if: {before} → {now}")
}
pub fn what_if_help(changes: &dyn Display, gap: &dyn Display, before: &dyn Display, now: &dyn Display) -> String {
    format!("{changes}, {gap} {before} → {now}\nThe picture shows the frame with the changes made while paused.")
}
pub const PAUSED: &str = "Paused, as recorded. A change shows a what-if";
pub const LIVE: &str = "Live. Pause to see the formula of each step";

pub fn why_question(effector: &dyn Display, miss: &dyn Display) -> String {
    format!("Why is the {effector} {miss}?")
}
pub fn not_written(effector: &dyn Display) -> String {
    format!("{}: not written yet", capital(&effector.to_string()))
}
pub const NOTHING_OFF_TARGET: &str = "All targets are reached";
pub const OFF_TARGET: &str = "Off target";
pub const WHY_BELOW: &str = "The reason is given below.";
pub fn try_value(parameter: &dyn Display, value: &dyn Display) -> String {
    format!("Try {parameter} {value}")
}

pub const HOW_TO_SELECT: &str = "Click a ring in the picture or a name on the left";
pub const NOTHING_SELECTED: &str = "Nothing selected";
pub fn end_effector_of(limb: &dyn Display) -> String {
    format!("End effector of the {limb}")
}
pub fn and_more(count: &dyn Display) -> String {
    format!("And {count} more: edits apply to all of them")
}

pub const BONE_ROTATION: &str = "Bone rotation";
pub const MODEL_SPACE: &str = "model space";
pub const PARENT_SPACE: &str = "its parent's space";
pub fn euler_help(name: &dyn Display, of: &dyn Display) -> String {
    format!("{name} in {of}: Euler angles about x, then the new y, then the new z.")
}
pub fn quaternion_help(name: &dyn Display, of: &dyn Display) -> String {
    format!("{name} in {of}: quaternion.")
}

pub const ATTACHED_TO: &str = "Attached to";
pub const LET_GO: &str = "Release";
pub const LET_GO_HELP: &str =
    "Clears position and rotation of the target. The effector aims at the animated bone again.";
pub const AIMS_AT_BONE: &str = "Aims at its animated bone";
pub const AIMS_AT_POINT: &str = "Aims at a set position";
pub const AIMS_AT_ROTATION: &str = "Aims at a set rotation";
pub const AIMS_AT_BOTH: &str = "Aims at a set position and rotation";

pub const SAME_IN_EVERY_UNIT: &str = "Same in every unit";
pub const SMOOTHING_HELP: &str =
    "Weakens small forces: exponential squares them, cubic cubes them. With none they stay unchanged.";

pub const BEND_TO: &str = "Bend to";
pub fn bend_to_help(sources: &dyn Display) -> String {
    format!("Turns elbow or knee to a point or a direction.{sources}")
}
pub const BEND_NOTHING_HELP: &str = "Elbow or knee follows the animation and the effector's rotation.";
pub const BEND_GOAL_HELP: &str = "A point, also called a pole vector: drag the diamond in the picture.";
pub const BEND_DIRECTION_HELP: &str = "A direction in model space.";

pub const FABRIK_PASS: &str = "FABRIK pass";
pub const FABRIK_PASS_HELP: &str = "Lets limbs and torso pull each other. When off, each limb is solved alone.";

pub const ROTATIONS_ONLY: &str = "Rotations only";

pub fn span_of(span: &dyn Display, length: &dyn Display) -> String {
    format!("{span} of {length}")
}
pub const REACH_GAUGE: &str = "Reach gauge";
pub const BENT: &str = "bent";
pub const STRAIGHT: &str = "straight";
pub fn target_at(distance: &dyn Display) -> String {
    format!("Target {distance}")
}
pub const REACH_GAUGE_HELP: &str =
    "Shows how far the limb is stretched. Hatched: the range in which reach moves shoulder or hip. Ring: the target.";
pub const REACHABLE_VOLUME_HELP: &str =
    "Tries thousands of targets and shows everywhere this hand or foot can reach, as a surface.";
pub const REACHABLE_VOLUME: &str = "Reachable volume";
pub const OUT_OF_DATE_MARK: &str = "Out of date";
pub fn out_of_date_help(why: &dyn Display) -> String {
    format!("The volume is out of date: {why}. Press V to compute it again.")
}

pub const LANES: &str = "Lanes";
pub const LANES_COLUMN: &str = "Error";
pub const LAYERS: &str = "Layers";
pub const WEIGHT: &str = "Weight";
pub const POSITION_WEIGHT: &str = "Position weight";
pub const EFFECTORS: &str = "Effectors";
pub const CHAINS: &str = "Chains";
pub const CHAINS_COLUMN: &str = "Pull";
pub fn pin(value: &dyn Display) -> String {
    format!("pin {value:.2}")
}
pub const MODIFIERS: &str = "Modifiers";
pub const SOLVE_ORDER: &str = "Solve order";
pub const CLIP: &str = "Clip";
pub const CANNOT: &str = "Failed";
pub const SHOW_STEPS_HELP: &str = "Shows the steps of this lane.";

pub const ADD: &str = "Add";
pub const REMOVE_MODIFIER_HELP: &str = "Removes this modifier.";
pub fn modifier_help(sentence: &dyn Display) -> String {
    format!("{sentence}\nClick to show its steps.")
}

pub const SOLVE_EARLIER_HELP: &str = "Solves the chain earlier, before the layer above it.";
pub const SOLVE_LATER_HELP: &str = "Solves the chain later, after the layer below it.";
pub const REMOVE_CHAIN_HELP: &str = "Removes this chain from the solve order.";
pub const FOUR_LIMBS: &str = "Four limbs";
pub const OFF: &str = "Off";
pub fn layer_help(what: &dyn Display) -> String {
    format!("{what}\nClick to show its steps.")
}
pub const ADD_BETWEEN_HELP: &str =
    "Adds a chain from the root bone to the end bone. The end bone must descend from the root bone.";
pub const ON: &str = "On";
pub const LAYER_EYE_HELP: &str = "Shows or hides this layer. Live posing shows only handles and body.";

pub const REST_POSE: &str = "Rest pose";
pub const SPEED: &str = "Speed";
pub const SPEED_HELP: &str = "Speed of the clip. 1 is as authored, negative values run backwards.";
pub fn bend_goal(weight: &dyn Display) -> String {
    format!("bend goal {weight:.2}")
}

/// Reports pasted assignments and the first of the statements that were skipped.
pub fn pasted_csharp(skipped: &[impl Display]) -> String {
    const MOST: usize = 3;
    let first: Vec<String> = skipped.iter().take(MOST).map(ToString::to_string).collect();
    let more = if skipped.len() > MOST { "; …" } else { "" };
    match skipped.len() {
        0 => "Pasted C# assignments".to_owned(),
        1 => format!("Pasted C# assignments except 1 statement: {}", first[0]),
        count => format!("Pasted C# assignments except {count} statements: {}{more}", first.join("; ")),
    }
}
pub const CSHARP_SAME: &str = "Nothing to paste: the C# assignments equal the current settings";
pub fn csharp_failed(error: &dyn Display) -> String {
    format!("Could not paste the clipboard's C# assignments: {error}")
}
pub fn pasted_pose_of(model: &dyn Display, other: &dyn Display) -> String {
    format!("Pasted a pose of {model}. The bones of {other} are different")
}
pub const PASTED_POSE: &str = "Pasted a pose";
pub const SAME_POSE: &str = "Nothing to paste: the pose is the same";
pub fn no_pose(error: &dyn Display) -> String {
    format!("Could not paste: the clipboard has neither a pose nor a preset: {error}. Copy a pose with Ctrl+C")
}

pub const PINNED: &str = "Pinned hands and feet at their current places";
pub const PINNED_ALREADY: &str = "Hands and feet are already pinned";
pub const RELEASED: &str = "Released all effectors. Targets, weights and bend goals are cleared";
pub const NONE_TO_RELEASE: &str = "Nothing to release: no effector has a target or a weight";
pub const RESET: &str = "Reset solver and chains to their defaults";
pub const RESET_ALREADY: &str = "Solver and chains already have their defaults";
pub const MIRROR_ON: &str = "Mirror editing is on";
pub const MIRROR_OFF: &str = "Mirror editing is off";
pub const COPIED: &str = "Copied targets, weights and bends. Ctrl+V pastes them, here or in another window";
pub const MIRRORED: &str = "Exchanged left and right";
pub const SYMMETRIC: &str = "Nothing to mirror: left and right are alike";
pub const NO_SIDES: &str = "Could not mirror: the model has no biped. Press D for the rig doctor";

pub const SAME_IN_EVERY_UNIT_HELP: &str = "Limits reach by the limb's stretch. The sources limit it by the limb's length in \
     model units, so the same character reaches differently in centimetres.";
pub const ROTATIONS_ONLY_HELP: &str = "Writes only rotations to bones below the pelvis, which keep their distance from their \
     parents, as in clips without positions. Hands and feet then miss their targets by the amount the torso would stretch.";
pub const MODIFIER_ON_HELP: &str = "Turns this modifier on or off.";
pub fn move_help(label: &dyn Display) -> String {
    format!("{label}.")
}
pub const ADD_CHAIN: &str = "Add a chain";

pub const OUTLINER_TITLE: &str = "Outliner";
pub const OUTLINER_WHAT: &str = "Show effectors, chains, layers and clip.";
pub fn chain_and_bones(name: &dyn Display, bones: &dyn Display) -> String {
    format!("{name}, {bones} bones")
}

pub const EDIT_MODIFIER_ON: &str = "modifier on or off";
pub const EDIT_REMOVE_MODIFIER: &str = "remove a modifier";
pub const EDIT_REMOVE_CHAIN: &str = "remove a chain";

pub const NAME_ADD_MODIFIER: &str = "add modifier";
pub const EDIT_ADD_MODIFIER: &str = "add a modifier";
pub const NAME_ACT_EARLIER: &str = "apply earlier";
pub const NAME_ACT_LATER: &str = "apply later";
pub const NAME_MODIFIER: &str = "modifier";
pub fn name_modifier_on(number: &dyn Display) -> String {
    format!("modifier {number} on")
}
pub const NAME_ADD_CHAIN: &str = "add chain";
pub const EDIT_ADD_CHAIN: &str = "add a chain";
pub const NAME_SOLVE_EARLIER: &str = "solve earlier";
pub const NAME_SOLVE_LATER: &str = "solve later";
pub const NAME_ROOT_BONE: &str = "root bone";
pub const NAME_END_BONE: &str = "end bone";
pub const NAME_SOLVE: &str = "solve";
pub fn name_row(what: &dyn Display, number: &dyn Display, name: &dyn Display) -> String {
    format!("{what} {number} {name}")
}

pub fn edit_attach(name: &dyn Display) -> String {
    format!("attach {name}")
}
pub fn edit_detach(name: &dyn Display) -> String {
    format!("detach {name}")
}
pub fn turned_by(name: &dyn Display, degrees: &dyn Display) -> String {
    format!("{name} {degrees:+.1}°")
}
pub const GESTURE_TURN: &str = "turn";
pub fn moved_by(name: &dyn Display, sign: &dyn Display, length: &dyn Display) -> String {
    format!("{name} {sign}{length}")
}
pub const GESTURE_MOVE: &str = "move";
pub fn edit_gesture(gesture: &dyn Display, handle: &dyn Display) -> String {
    format!("{gesture} {handle}")
}

pub fn number_out_of_range(
    what: &dyn Display,
    name: &dyn Display,
    value: &dyn Display,
    min: &dyn Display,
    max: &dyn Display,
) -> String {
    format!("{what}: {name} is {value}, the allowed range in the window is {min:.4} to {max:.4}")
}
pub fn offset_of(what: &dyn Display) -> String {
    format!("{what} offset")
}
pub fn bend_goal_of(limb: &dyn Display) -> String {
    format!("{limb} bend goal")
}
pub fn off_target_label(name: &dyn Display, missed: &dyn Display, miss: &dyn Display) -> String {
    format!("{name}, {missed} {miss}")
}
pub const BEND_GOAL_LABEL: &str = "bend goal";
pub fn edit_move(handle: &dyn Display) -> String {
    format!("move {handle}")
}

pub const TEXT_TOO_LONG: &str = "the text is too long";
pub const EDIT_PASTE_CSHARP: &str = "paste C# assignments";
pub const EDIT_PASTE_POSE: &str = "paste pose";
pub const EDIT_PIN: &str = "pin hands and feet";
pub const EDIT_RELEASE: &str = "release effectors";
pub const EDIT_RESET: &str = "reset parameters";
pub const EDIT_MIRROR: &str = "mirror pose";

pub fn chain_section(chain: &dyn Display) -> String {
    format!("Chain {chain}")
}
pub const BEND_GOAL: &str = "Bend goal";
pub const EFFECTOR: &str = "Effector";
pub const RELEASE: &str = "release";
pub const OFFSET: &str = "offset";
pub const WORLD_SPACE: &str = "World";
pub const LOCAL_SPACE: &str = "Local";
pub fn euler_copied(space: &dyn Display, numbers: &dyn Display) -> String {
    format!("{space} XYZ {numbers}")
}
pub fn euler_title(space: &dyn Display) -> String {
    format!("{space} XYZ")
}
pub fn quaternion_copied(space: &dyn Display, numbers: &dyn Display) -> String {
    format!("{space} xyzw {numbers}")
}
pub fn effector_section(effector: &dyn Display) -> String {
    format!("Effector {effector}")
}
pub fn edit_effector(effector: &dyn Display, what: &dyn Display) -> String {
    format!("{effector} {what}")
}
pub fn edit_turn(handle: &dyn Display) -> String {
    format!("turn {handle}")
}
pub const RESET_HINT: &str = "Double-click resets";
pub fn edit_on(name: &dyn Display) -> String {
    format!("{name} on or off")
}
pub fn edit_layer(name: &dyn Display, what: &dyn Display) -> String {
    format!("{name} {what}")
}

pub fn edit_limb(limb: &dyn Display, what: &dyn Display) -> String {
    format!("{limb} {what}")
}
pub fn edit_scale_free(limb: &dyn Display) -> String {
    format!("{limb} reach in every unit")
}
pub fn reach_depends_on_unit(icon: &dyn Display) -> String {
    format!(
        "{icon} Reach depends on the unit, and this character is not in metres. The same value acts differently on other models"
    )
}
pub const BEND_NOTHING: &str = "Nothing";
pub const BEND_GOAL_CHOICE: &str = "Goal";
pub const BEND_DIRECTION: &str = "Direction";
pub fn edit_bend(limb: &dyn Display) -> String {
    format!("{limb} bend")
}
pub const NAME_GOAL: &str = "goal";
pub const NAME_DIRECTION: &str = "direction";
pub fn edit_bend_value(limb: &dyn Display, name: &dyn Display) -> String {
    format!("{limb} bend {name}")
}

pub const TITLE: &str = "Inspector";
pub const WHAT: &str = "Show the settings of the selection.";
pub const CHAIN_BODY: &str = "Chain body";
pub fn edit_body(what: &dyn Display) -> String {
    format!("body {what}")
}
pub const SOLVER: &str = "Solver";
pub fn weight_name(effector: &dyn Display, weight: &dyn Display) -> String {
    format!("{effector} {weight}")
}
pub fn weight_help(help: &dyn Display, name: &dyn Display, value: &dyn Display) -> String {
    format!("{help}\n{name} {value:.2}")
}

pub const NAME_ATTACHED_TO: &str = "attached to";
pub fn attached_help(attachment: &dyn Display, name: &dyn Display) -> String {
    format!("The target {attachment}: its position is {name} + rotation of {name} · offset.")
}
pub const ATTACH_HELP: &str =
    "Attaches the target to a bone or an effector at its current offset. Choose None to keep the target as a point.";
pub fn target_of_modifier(number: &dyn Display) -> String {
    format!("target of modifier {number}")
}
pub fn release_point_of_modifier(number: &dyn Display) -> String {
    format!("release point of modifier {number}")
}
pub fn point_of_path(index: &dyn Display) -> String {
    format!("point {index} of the path")
}
pub fn not_written_help(gap: &dyn Display) -> String {
    format!("Not written yet: this bone is written in a later step. Its solved node is {gap} from the target.")
}
