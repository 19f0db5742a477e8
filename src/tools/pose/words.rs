use std::fmt::Display;

use crate::ui::words::capital;

pub(crate) fn attach_failed(name: &dyn Display, fault: &dyn Display) -> String {
    format!("Could not attach {name}: {fault}")
}
pub(crate) fn attached(name: &dyn Display, anchor: &dyn Display) -> String {
    format!("The target of {name} follows {anchor}")
}
pub(crate) fn detached(name: &dyn Display) -> String {
    format!("The target of {name} is detached and stays in its current place")
}
pub(crate) fn not_attached(name: &dyn Display) -> String {
    format!("The target of {name} is not attached to anything")
}
pub(crate) fn attached_already(name: &dyn Display, anchor: &dyn Display) -> String {
    format!("The target of {name} already follows {anchor}")
}
pub(crate) const NONE: &str = "None";
pub(crate) fn anchor_effector(effector: &dyn Display) -> String {
    format!("{effector} (effector)")
}

pub(crate) const EFFECTOR_WEIGHTS: &str = "Effector weights";
pub(crate) const WEIGHT_COLUMNS: &str = "Position, rotation";
pub(crate) const WRITING: &str = "Writing";

pub(crate) fn what_if(before: &dyn Display, now: &dyn Display) -> String {
    format!("What if: {before} → {now}")
}
pub(crate) fn what_if_help(
    changes: &dyn Display,
    gap: &dyn Display,
    before: &dyn Display,
    now: &dyn Display,
) -> String {
    format!("{changes}, {gap} {before} → {now}\nThe picture shows the frame with the changes made while paused.")
}
pub(crate) const PAUSED: &str = "Paused, as recorded. A change shows a what-if";
pub(crate) const LIVE: &str = "Live. Pause to see the formula of each step";

pub(crate) fn why_question(effector: &dyn Display) -> String {
    format!("Why is the {effector} off target?")
}
pub(crate) fn not_written(effector: &dyn Display) -> String {
    format!("{}: not written yet", capital(&effector.to_string()))
}
pub(crate) const NOTHING_OFF_TARGET: &str = "No effector is off target";
pub(crate) const OFF_TARGET: &str = "Off target";
pub(crate) const WHY_BELOW: &str = "The reason is given below.";
pub(crate) fn try_value(parameter: &dyn Display, value: &dyn Display) -> String {
    format!("Try {parameter} {value}")
}

pub(crate) const HOW_TO_SELECT: &str = "Click a ring in the picture or a name in the outliner";
pub(crate) const NOTHING_SELECTED: &str = "Nothing selected";
pub(crate) fn end_effector_of(limb: &dyn Display) -> String {
    format!("End effector of the {limb}")
}
pub(crate) fn and_more(count: &dyn Display) -> String {
    format!("And {count} more: effector edits apply to all")
}

pub(crate) const BONE_ROTATION: &str = "Bone rotation";
pub(crate) const MODEL_SPACE: &str = "model space";
pub(crate) const PARENT_SPACE: &str = "its parent's space";
pub(crate) fn euler_help(name: &dyn Display, of: &dyn Display) -> String {
    format!("{name} in {of}: Euler angles about x, then the new y, then the new z.")
}
pub(crate) fn quaternion_help(name: &dyn Display, of: &dyn Display) -> String {
    format!("{name} in {of}: quaternion.")
}

pub(crate) const ATTACHED_TO: &str = "Attached to";
pub(crate) const LET_GO: &str = "Release";
pub(crate) const LET_GO_HELP: &str = "Clears position and rotation of the target, and detaches the target. The effector's target is the animated bone again.";
pub(crate) const AIMS_AT_BONE: &str = "Target: the animated bone";
pub(crate) const AIMS_AT_POINT: &str = "Target: a set position";
pub(crate) const AIMS_AT_ROTATION: &str = "Target: a set rotation";
pub(crate) const AIMS_AT_BOTH: &str = "Target: a set position and rotation";

pub(crate) const SAME_IN_EVERY_UNIT: &str = "Same in every unit";
pub(crate) const SMOOTHING_HELP: &str =
    "Weakens small forces: exponential squares them, cubic cubes them. With none they stay unchanged.";

pub(crate) const BEND_TO: &str = "Bend to";
pub(crate) fn bend_to_help(sources: &dyn Display) -> String {
    format!("Turns elbow or knee to a point or a direction.{sources}")
}
pub(crate) const BEND_NOTHING_HELP: &str = "Elbow or knee follows the animation and the effector's rotation.";
pub(crate) const BEND_GOAL_HELP: &str = "A point, also called a pole vector: drag the diamond in the picture.";
pub(crate) const BEND_DIRECTION_HELP: &str = "A direction in model space.";

pub(crate) const FABRIK_PASS: &str = "FABRIK pass";
pub(crate) const FABRIK_PASS_HELP: &str = "Lets limbs and torso pull each other. When off, each limb is solved alone.";

pub(crate) const ROTATIONS_ONLY: &str = "Rotations only";

pub(crate) fn span_of(span: &dyn Display, length: &dyn Display) -> String {
    format!("{span} of {length}")
}
pub(crate) const REACH_GAUGE: &str = "Reach gauge";
pub(crate) const BENT: &str = "bent";
pub(crate) const STRAIGHT: &str = "straight";
pub(crate) fn target_at(distance: &dyn Display) -> String {
    format!("Target {distance}")
}
pub(crate) const REACH_GAUGE_HELP: &str = "Shows how far the limb is stretched. From the hatched part on, reach moves shoulder or hip. The ring is at the target's distance.";
pub(crate) const REACHABLE_VOLUME_HELP: &str =
    "Tries thousands of targets and draws a surface around those that this hand or foot can reach.";
pub(crate) const REACHABLE_VOLUME: &str = "Reachable volume";
pub(crate) const OUT_OF_DATE_MARK: &str = "Out of date";
pub(crate) fn out_of_date_help(why: &dyn Display) -> String {
    format!("The volume is out of date: {why}. Press V to compute the volume of the selected limb.")
}

pub(crate) const LANES: &str = "Lanes";
pub(crate) const LANES_COLUMN: &str = "Error";
pub(crate) const LAYERS: &str = "Layers";
pub(crate) const WEIGHT: &str = "Weight";
pub(crate) const POSITION_WEIGHT: &str = "Position weight";
pub(crate) const EFFECTORS: &str = "Effectors";
pub(crate) const CHAINS: &str = "Chains";
pub(crate) const CHAINS_COLUMN: &str = "Pull";
pub(crate) fn pin(value: &dyn Display) -> String {
    format!("pin {value:.2}")
}
pub(crate) const MODIFIERS: &str = "Modifiers";
pub(crate) const SOLVE_ORDER: &str = "Solve order";
pub(crate) const CLIP: &str = "Clip";
pub(crate) const CANNOT: &str = "Failed";
pub(crate) const SHOW_STEPS_HELP: &str = "Shows the steps of this lane.";

pub(crate) const ADD: &str = "Add";
pub(crate) const REMOVE_MODIFIER_HELP: &str = "Removes this modifier.";
pub(crate) fn modifier_help(sentence: &dyn Display) -> String {
    format!("{sentence}\nClick to show settings and steps of the modifier.")
}

pub(crate) const SOLVE_EARLIER_HELP: &str = "Solves the chain earlier, before the layer above it.";
pub(crate) const SOLVE_LATER_HELP: &str = "Solves the chain later, after the layer below it.";
pub(crate) const REMOVE_CHAIN_HELP: &str = "Removes this chain.";
pub(crate) const FOUR_LIMBS: &str = "Four limbs";
pub(crate) const OFF: &str = "Off";
pub(crate) fn layer_help(what: &dyn Display) -> String {
    format!("{what}\nClick to show settings and steps of the layer.")
}
pub(crate) const ADD_BETWEEN_HELP: &str =
    "Adds a chain from the root bone to the end bone. The end bone must descend from the root bone.";
pub(crate) const ON: &str = "On";
pub(crate) const LAYER_EYE_HELP: &str = "Shows or hides this part of the picture. While live, a solid character hides bones, nodes, planes, constraints and bend directions.";

pub(crate) const REST_POSE: &str = "Rest pose";
pub(crate) const SPEED: &str = "Speed";
pub(crate) const SPEED_HELP: &str = "Sets the speed of the clip. 1 is as authored, negative values run backwards.";
pub(crate) fn bend_goal(weight: &dyn Display) -> String {
    format!("bend goal {weight:.2}")
}

pub(crate) fn pasted_csharp(skipped: &[impl Display]) -> String {
    const MOST: usize = 3;
    let first: Vec<String> = skipped.iter().take(MOST).map(ToString::to_string).collect();
    let more = if skipped.len() > MOST { "; …" } else { "" };
    match skipped.len() {
        0 => "Pasted C# assignments".to_owned(),
        1 => format!("Pasted C# assignments except 1 statement: {}", first[0]),
        count => format!("Pasted C# assignments except {count} statements: {}{more}", first.join("; ")),
    }
}
pub(crate) const CSHARP_SAME: &str = "Nothing to paste: the C# assignments equal the current settings";
pub(crate) fn csharp_failed(error: &dyn Display) -> String {
    format!("Could not paste the clipboard's C# assignments: {error}")
}
pub(crate) fn pasted_pose_of(model: &dyn Display, other: &dyn Display) -> String {
    format!("Pasted a pose of {model}. The bones of {other} are different")
}
pub(crate) const PASTED_POSE: &str = "Pasted a pose";
pub(crate) const SAME_POSE: &str = "Nothing to paste: the pose is the same";
pub(crate) fn no_pose(error: &dyn Display) -> String {
    format!("Could not paste the clipboard as a pose or a preset: {error}. Copy a pose with Ctrl+C")
}

pub(crate) const PINNED: &str = "Pinned hands and feet. Those without a target have their current place as target";
pub(crate) const PINNED_ALREADY: &str = "Hands and feet are already pinned";
pub(crate) const RELEASED: &str =
    "Released all effectors. Targets, attachments, weights, offsets and bends are cleared";
pub(crate) const NONE_TO_RELEASE: &str =
    "Nothing to release: there are no targets, attachments, weights, offsets or bends";
pub(crate) const RESET: &str = "Reset the full body's settings and bend goals to their defaults";
pub(crate) const RESET_ALREADY: &str = "The full body's settings and bend goals already have their defaults";
pub(crate) const MIRROR_ON: &str = "Mirror editing is on";
pub(crate) const MIRROR_OFF: &str = "Mirror editing is off";
pub(crate) const COPIED: &str =
    "Copied targets, weights, offsets and bends. Ctrl+V pastes them, here or in another window";
pub(crate) const MIRRORED: &str = "Exchanged left and right";
pub(crate) const SYMMETRIC: &str = "Nothing to mirror: left and right are alike";
pub(crate) const NO_SIDES: &str = "Could not mirror: the model has no biped, or the biped cannot be solved. Press D to correct the roles in the rig doctor";

pub(crate) const SAME_IN_EVERY_UNIT_HELP: &str = "Limits reach by the limb's stretch. The sources limit reach by the distance \
     between the limb's ends in model units, so the same character reaches differently in centimetres.";
pub(crate) const ROTATIONS_ONLY_HELP: &str = "Writes only rotations to bones below the pelvis, which keep their distance from \
     their parents, as in clips without positions. Hands and feet then miss targets for which torso or clavicles would have to stretch.";
pub(crate) const MODIFIER_ON_HELP: &str = "Turns this modifier on or off.";
pub(crate) fn move_help(label: &dyn Display) -> String {
    format!("{label}.")
}
pub(crate) const ADD_CHAIN: &str = "Add a chain";

pub(crate) const OUTLINER_TITLE: &str = "Outliner";
pub(crate) const OUTLINER_WHAT: &str =
    "Show effectors, chains, modifiers, solve order, clip and layers of the picture.";
pub(crate) fn chain_and_bones(name: &dyn Display, bones: &dyn Display) -> String {
    format!("{name}, {bones} bones")
}

pub(crate) const EDIT_MODIFIER_ON: &str = "modifier on or off";
pub(crate) const EDIT_REMOVE_MODIFIER: &str = "remove a modifier";
pub(crate) const EDIT_REMOVE_CHAIN: &str = "remove a chain";

pub(crate) const NAME_ADD_MODIFIER: &str = "add modifier";
pub(crate) const EDIT_ADD_MODIFIER: &str = "add a modifier";
pub(crate) const NAME_ACT_EARLIER: &str = "apply modifier earlier";
pub(crate) const NAME_ACT_LATER: &str = "apply modifier later";
pub(crate) const NAME_MODIFIER: &str = "modifier";
pub(crate) fn name_modifier_on(number: &dyn Display) -> String {
    format!("modifier {number} on")
}
pub(crate) const NAME_ADD_CHAIN: &str = "add chain";
pub(crate) const EDIT_ADD_CHAIN: &str = "add a chain";
pub(crate) const NAME_SOLVE_EARLIER: &str = "solve earlier";
pub(crate) const NAME_SOLVE_LATER: &str = "solve later";
pub(crate) const NAME_ROOT_BONE: &str = "root bone";
pub(crate) const NAME_END_BONE: &str = "end bone";
pub(crate) const NAME_LAYER: &str = "layer";
pub(crate) const NAME_LANE: &str = "lane";
pub(crate) fn name_row(what: &dyn Display, number: &dyn Display, name: &dyn Display) -> String {
    format!("{what} {number} {name}")
}

pub(crate) fn edit_attach(name: &dyn Display) -> String {
    format!("attach {name}")
}
pub(crate) fn edit_detach(name: &dyn Display) -> String {
    format!("detach {name}")
}
pub(crate) fn turned_by(name: &dyn Display, angle: &dyn Display) -> String {
    format!("{name} {angle}")
}
pub(crate) const GESTURE_TURN: &str = "turn";
pub(crate) fn moved_by(name: &dyn Display, length: &dyn Display) -> String {
    format!("{name} {length}")
}
pub(crate) const GESTURE_MOVE: &str = "move";
pub(crate) fn edit_gesture(gesture: &dyn Display, handle: &dyn Display) -> String {
    format!("{gesture} {handle}")
}

pub(crate) fn number_out_of_range(
    what: &dyn Display,
    name: &dyn Display,
    value: &dyn Display,
    min: &dyn Display,
    max: &dyn Display,
) -> String {
    format!("{what}: {name} is {value}, the allowed range in the window is {min:.4} to {max:.4}")
}
pub(crate) fn offset_of(what: &dyn Display) -> String {
    format!("{what} offset")
}
pub(crate) fn bend_goal_of(limb: &dyn Display) -> String {
    format!("{limb} bend goal")
}
pub(crate) fn off_target_label(name: &dyn Display, missed: &dyn Display, miss: &dyn Display) -> String {
    format!("{name}, {missed} {miss}")
}
pub(crate) const BEND_GOAL_LABEL: &str = "bend goal";
pub(crate) fn edit_move(handle: &dyn Display) -> String {
    format!("move {handle}")
}

pub(crate) const TEXT_TOO_LONG: &str = "the text is too long for a preset. Copy less";
pub(crate) const EDIT_PASTE_CSHARP: &str = "paste C# assignments";
pub(crate) const EDIT_PASTE_POSE: &str = "paste pose";
pub(crate) const EDIT_PIN: &str = "pin hands and feet";
pub(crate) const EDIT_RELEASE: &str = "release effectors";
pub(crate) const EDIT_RESET: &str = "reset parameters";
pub(crate) const EDIT_MIRROR: &str = "mirror pose";

pub(crate) fn chain_section(chain: &dyn Display) -> String {
    format!("Chain {chain}")
}
pub(crate) const BEND_GOAL: &str = "Bend goal";
pub(crate) const EFFECTOR: &str = "Effector";
pub(crate) const RELEASE: &str = "release";
pub(crate) const OFFSET: &str = "offset";
pub(crate) const WORLD_SPACE: &str = "World";
pub(crate) const LOCAL_SPACE: &str = "Local";
pub(crate) fn euler_copied(space: &dyn Display, numbers: &dyn Display) -> String {
    format!("{space} XYZ {numbers}")
}
pub(crate) fn euler_title(space: &dyn Display) -> String {
    format!("{space} XYZ")
}
pub(crate) fn quaternion_copied(space: &dyn Display, numbers: &dyn Display) -> String {
    format!("{space} xyzw {numbers}")
}
pub(crate) fn effector_section(effector: &dyn Display) -> String {
    format!("Effector {effector}")
}
pub(crate) fn edit_effector(effector: &dyn Display, what: &dyn Display) -> String {
    format!("{effector} {what}")
}
pub(crate) fn edit_turn(handle: &dyn Display) -> String {
    format!("turn {handle}")
}
pub(crate) const RESET_HINT: &str = "Double-click resets";
pub(crate) fn edit_on(name: &dyn Display) -> String {
    format!("{name} on or off")
}
pub(crate) fn edit_layer(name: &dyn Display, what: &dyn Display) -> String {
    format!("{name} {what}")
}

pub(crate) fn edit_limb(limb: &dyn Display, what: &dyn Display) -> String {
    format!("{limb} {what}")
}
pub(crate) fn edit_scale_free(limb: &dyn Display) -> String {
    format!("{limb} reach in every unit")
}
pub(crate) fn reach_depends_on_unit(icon: &dyn Display) -> String {
    format!(
        "{icon} Reach depends on the unit, and this character is too large or too small to be in metres. The same value acts differently on other models. Turn on «Same in every unit»"
    )
}
pub(crate) const BEND_NOTHING: &str = "Nothing";
pub(crate) const BEND_GOAL_CHOICE: &str = "Goal";
pub(crate) const BEND_DIRECTION: &str = "Direction";
pub(crate) fn edit_bend(limb: &dyn Display) -> String {
    format!("{limb} bend")
}
pub(crate) const NAME_GOAL: &str = "goal";
pub(crate) const NAME_DIRECTION: &str = "direction";
pub(crate) fn edit_bend_value(limb: &dyn Display, name: &dyn Display) -> String {
    format!("{limb} bend {name}")
}

pub(crate) const TITLE: &str = "Inspector";
pub(crate) const WHAT: &str = "Show the settings of the selection.";
pub(crate) const CHAIN_BODY: &str = "Chain body";
pub(crate) fn edit_body(what: &dyn Display) -> String {
    format!("body {what}")
}
pub(crate) const SOLVER: &str = "Solver";
pub(crate) fn weight_name(effector: &dyn Display, weight: &dyn Display) -> String {
    format!("{effector} {weight}")
}
pub(crate) fn weight_help(help: &dyn Display, name: &dyn Display, value: &dyn Display) -> String {
    format!("{help}\n{name} {value:.2}")
}

pub(crate) const NAME_ATTACHED_TO: &str = "attached to";
pub(crate) fn attached_help(attachment: &dyn Display, name: &dyn Display) -> String {
    format!("The target {attachment}. Target position = position of {name} + rotation of {name} · offset.")
}
pub(crate) const ATTACH_HELP: &str =
    "Attaches the target to a bone or an effector, without moving the target. With None, the target is not attached.";
pub(crate) fn target_of_modifier(number: &dyn Display) -> String {
    format!("target of modifier {number}")
}
pub(crate) fn release_point_of_modifier(number: &dyn Display) -> String {
    format!("release point of modifier {number}")
}
pub(crate) fn point_of_path(index: &dyn Display) -> String {
    format!("point {index} of the path")
}
pub(crate) fn not_written_help(gap: &dyn Display) -> String {
    format!("Not written yet: this bone is written in a later step. Its solved node is {gap} from the target.")
}
