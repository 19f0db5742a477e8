use std::fmt::Display;

pub(crate) const TITLE: &str = "Full-body lab";
pub(crate) const WHAT: &str =
    "Solve the frame with several full-body solvers or settings side by side, and compare them.";
pub(crate) const CLOSED: &str = "Each lane solves the pose and targets of the frame with a solver and settings of its own. The lab \
                          shows the results side by side or over each other, and measures them.";

pub(crate) const LANES: &str = "Lanes";
pub(crate) const LANES_HINT: &str = "Click a lane to step it";
pub(crate) fn lane(number: &dyn Display, name: &dyn Display) -> String {
    format!("{number} {name}")
}
pub(crate) fn lane_with(
    number: &dyn Display,
    name: &dyn Display,
    setting: &dyn Display,
    value: &dyn Display,
) -> String {
    format!("{number} {name}, {setting} {value}")
}
pub(crate) fn lane_help(name: &dyn Display) -> String {
    format!(
        "{name}. Click to select the lane: the timeline shows its steps, if it has any, and its settings are below."
    )
}
pub(crate) const NO_RESULT: &str =
    "This lane has no result: no target or bend goal has weight, or the outside solver has not sent a pose.";
pub(crate) const SHOW_LANE: &str = "Shows or hides the lane in the picture.";
pub(crate) const REMOVE_LANE: &str = "Removes this lane.";
pub(crate) const ADD_LANE: &str = "Add a lane";
pub(crate) const OUTSIDE_SOLVER: &str = "Outside solver…";
pub(crate) fn start_solver(address: &dyn Display) -> String {
    format!("Start a solver that connects to {address}. It then appears in the list «Add a lane»")
}
pub(crate) fn solver_connected(name: &dyn Display) -> String {
    format!("Solver {name} connected. Add it as a lane of the full-body lab")
}
pub(crate) fn solver_back(name: &dyn Display) -> String {
    format!("Solver {name} connected")
}
pub(crate) fn solver_disconnected(name: &dyn Display) -> String {
    format!("Solver {name} disconnected; recorded frames keep its poses")
}
pub(crate) fn solver_failed(name: &dyn Display, error: &dyn Display) -> String {
    format!("Solver {name} has no pose for a frame: {error}")
}
pub(crate) fn not_connected(name: &dyn Display) -> String {
    format!(
        "Solver {name} is not connected. Listen for games in the Game pane, and start the solver with the address there."
    )
}
pub(crate) fn late(label: &dyn Display, frames: &dyn Display) -> String {
    format!("{label}, {frames} late")
}
pub(crate) fn late_help(frames: &dyn Display) -> String {
    format!(
        "The solver has not answered for this frame yet. The lane shows the solver's last answer, which is \
         {frames} late. While paused, the lane changes once the answer arrives."
    )
}
pub(crate) const SIDE_BY_SIDE: &str = "Side by side";
pub(crate) const SIDE_BY_SIDE_HELP: &str = "Draws the lanes next to the character.";
pub(crate) const OVERLAID: &str = "Overlaid";
pub(crate) const OVERLAID_HELP: &str =
    "Draws the lanes over the character. The selected lane takes the character's place.";

pub(crate) const SETTINGS: &str = "Settings of the lane";
pub(crate) const SETTINGS_HINT: &str = "All other settings come from the frame";
pub(crate) const SELECT_LANE: &str = "Select a lane to give it settings of its own.";
pub(crate) const NAME: &str = "Name";
pub(crate) const NAME_HINT: &str = "Named after its solver";
pub(crate) const NAME_HELP: &str = "Name of the lane in the picture and in lists. If it is empty, the lane is named after its \
                             solver and the first number among its own settings.";
pub(crate) const SOLVER: &str = "Solver";
pub(crate) const FOREIGN: &str = "An outside solver provides the poses of this lane. The lane has no settings here.";
pub(crate) const OWN_NUMBER: &str = "Add a setting";
pub(crate) const REMOVE_NUMBER: &str = "Returns to the setting of the frame.";

pub(crate) const THIS_FRAME: &str = "This frame";
pub(crate) fn unit_of_distances(unit: &dyn Display) -> String {
    format!("Distances in {unit}")
}
pub(crate) fn distance_help(target: &dyn Display) -> String {
    format!("Distance of the bone of the {target} from its target, after the solve.")
}
pub(crate) const LIMITS: &str = "Past limit, °";
pub(crate) const LIMITS_HELP: &str = "Largest angle by which a joint exceeds its limit: the anatomical limit or, if the lane's clip limits are on, the limit from the clips.";
pub(crate) const LENGTHS: &str = "Bone length, %";
pub(crate) const LENGTHS_HELP: &str = "Largest change of a bone's length against the lane's input pose.";
pub(crate) const BALANCE: &str = "Balance";
pub(crate) const BALANCE_HELP: &str = "Horizontal distance of the centre of mass from the edge of the support polygon of the feet: positive inside, negative outside.";
pub(crate) const FIRST_POSE: &str = "First pose";
pub(crate) fn first_pose_help(degrees: &dyn Display) -> String {
    format!(
        "Dependence of the result on the lane's input pose: how far the farthest joint of the result moves if each \
         joint of that pose is rotated by {degrees}°. Not measured for an outside solver."
    )
}
pub(crate) const TIME: &str = "Time, µs";
pub(crate) const TIME_HELP: &str = "Duration of the lane's solve in this window, including the recording of its steps. For an outside solver, \
                             the duration that it sent.";

pub(crate) const PLAYED: &str = "Frames played";
pub(crate) fn played(frames: &dyn Display, unit: &dyn Display) -> String {
    format!("{frames}, distances in {unit}")
}
pub(crate) const PLAYED_HELP: &str = "Measured since a lane, its settings or the clip last changed.";
pub(crate) const JERK: &str = "Jerk";
pub(crate) const JERK_HELP: &str = "How unevenly joints move: root mean square, over joints and frames, of the difference between a joint's displacements in successive frames. 0 is perfectly smooth.";
pub(crate) const SLIDE: &str = "Foot slide";
pub(crate) const SLIDE_HELP: &str = "Distance that planted soles slid along the ground, sum of both feet.";

pub(crate) const DIVERGENCE: &str = "Divergence";
pub(crate) const COMPARED: &str = "Lanes";
pub(crate) const AND: &str = "and";
pub(crate) const FRAMES: &str = "Frames";
pub(crate) const RECORDING: &str = "Recording";
pub(crate) const RECORDING_HELP: &str = "Solves the newest recorded frames, up to 3600.";
pub(crate) const CLIP: &str = "Clip";
pub(crate) const CLIP_HELP: &str =
    "Solves the clip from its start to its end in the background. The clip need not play.";
pub(crate) const TOLERANCE: &str = "Tolerance";
pub(crate) const TOLERANCE_HELP: &str =
    "A frame counts as diverged if a joint's positions in the two results are farther apart than this.";
pub(crate) const NOT_ASKED: &str = "«Find divergence» solves the recorded frames or the clip with both lanes, and finds the \
                             first frame in which a joint differs by more than the tolerance.";
pub(crate) const OUT_OF_DATE: &str = "Out of date: settings, clip or recording have changed, run again";
pub(crate) const SAME: &str = "No joint differs by more than the tolerance in the frames compared.";
pub(crate) const NOTHING_COMPARED: &str = "Nothing was compared: in no frame do both lanes have a result.";
pub(crate) const FIRST: &str = "First";
pub(crate) const LARGEST: &str = "Largest";
pub(crate) const SHOW_FRAME: &str = "Click to show the frame and select the joint. The head cannot be selected.";
pub(crate) fn frame(number: &dyn Display) -> String {
    format!("frame {number}")
}
pub(crate) fn at_time(seconds: f32) -> String {
    format!("at {seconds:.2} s")
}
pub(crate) fn compared(frames: &dyn Display) -> String {
    format!("{frames} compared")
}

pub(crate) const CHARACTER: &str = "Character";
pub(crate) const HEAD: &str = "head";
pub(crate) fn mark_first(joint: &dyn Display, distance: &dyn Display) -> String {
    format!("First divergence: {joint}, {distance}")
}
pub(crate) fn mark_largest(joint: &dyn Display, distance: &dyn Display) -> String {
    format!("Largest divergence: {joint}, {distance}")
}
pub(crate) fn diverges(frame: &dyn Display, joint: &dyn Display, distance: &dyn Display) -> String {
    format!("First divergence: {joint}, {distance}, {frame}")
}
pub(crate) const NO_FRAME_COMPARED: &str = "Nothing was compared: in no frame do both lanes have a result";
pub(crate) const NO_DIVERGENCE: &str = "The lanes do not differ by more than the tolerance in the frames compared";
pub(crate) const CHOOSE_LANES: &str = "Choose two different lanes to compare";
pub(crate) fn most_lanes(most: &dyn Display) -> String {
    format!("The lab takes at most {most} lanes. Remove one first")
}

pub(crate) const EDIT_OPEN: &str = "open full-body lab";
pub(crate) const EDIT_CLOSE: &str = "close full-body lab";
pub(crate) const EDIT_ADD: &str = "add lane";
pub(crate) const EDIT_REMOVE: &str = "remove lane";
pub(crate) const EDIT_HIDE: &str = "show or hide lane";
pub(crate) const EDIT_NAME: &str = "name of lane";
pub(crate) const EDIT_SOLVER: &str = "solver of lane";
pub(crate) const EDIT_OVER: &str = "layout of lanes";
pub(crate) fn edit_number(name: &dyn Display) -> String {
    format!("lane: {name}")
}
