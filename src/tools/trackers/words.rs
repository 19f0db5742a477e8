use std::fmt::Display;

pub(crate) const TITLE: &str = "Trackers";
pub(crate) const WHAT: &str = "Drive the character by simulated VR trackers, calibrate them, and explain the errors.";

pub(crate) const EDIT_ON: &str = "simulated trackers on or off";
pub(crate) const EDIT_CALIBRATE: &str = "calibrate trackers";
pub(crate) const EDIT_FORGET: &str = "forget calibration";
pub(crate) const EDIT_POINTS: &str = "number of trackers";
pub(crate) const EDIT_DROP_OUT: &str = "kind of drop-out";
pub(crate) const EDIT_MOMENT: &str = "moment of calibration";
pub(crate) fn edit_place(tracker: &dyn Display) -> String {
    format!("place of the {tracker} tracker")
}
pub(crate) const EDIT_PLACES: &str = "places of trackers";

pub(crate) const NO_BIPED: &str =
    "Could not calibrate: the model has no biped. Press D to assign its bones in the rig doctor";
pub(crate) fn not_calibrated(fault: &dyn Display) -> String {
    format!("Could not calibrate: {fault}")
}
pub(crate) const NOT_MEASURED: &str = "Could not measure: the character has no biped, or a layer failed in a frame of the clip. The outliner shows the fault in that frame";

pub(crate) const ON: &str = "Simulated trackers";
pub(crate) const ON_HELP: &str = "A simulated user, who moves as the clip does, wears the trackers. Their readings set the targets. The \
                           clip stays as a thin skeleton, the ground truth.";
pub(crate) const OFF_TEXT: &str = "The clip poses the character. With trackers, a simulated user, who moves as the clip does, wears \
                            them, and the character is solved from the trackers' readings alone.";
pub(crate) fn layer_problem(icon: &dyn Display, problem: &dyn Display) -> String {
    format!("{icon}  {problem}")
}

pub(crate) const USER: &str = "User";
pub(crate) const USER_HINT: &str = "Relative to the character";
pub(crate) const POINTS: &str = "Points";
pub(crate) const THREE: &str = "3";
pub(crate) const SIX: &str = "6";
pub(crate) const ELEVEN: &str = "11";

pub(crate) const CALIBRATION: &str = "Calibration";
pub(crate) const UNCALIBRATED: &str = "Not calibrated";
pub(crate) const CALIBRATED: &str = "Found, true";
pub(crate) const MOMENT: &str = "Pose";
pub(crate) const REFERENCE: &str = "Reference";
pub(crate) const FIRST_FRAME: &str = "First frame";
pub(crate) const HEIGHT: &str = "Height";
pub(crate) const ARMS: &str = "Arms to body";
pub(crate) const ARM_SPAN: &str = "Arm span";
pub(crate) const LEG_LENGTH: &str = "Leg length, with straps";
pub(crate) const HEIGHT_HELP: &str = "Height of the head bone above the ground, relative to the character's.";
pub(crate) const ARMS_HELP: &str = "Length of the user's arms relative to the rest of the body, 1 for the character's proportions. Calibration computes it from the height and the distance between the hands.";
pub(crate) const ARM_SPAN_HELP: &str = "Distance between the hands, relative to the character's.";
pub(crate) const LEG_LENGTH_HELP: &str = "Height of the pelvis strap above the foot straps, relative to that of the character's pelvis \
                                   above its feet. Targets do not use it, because it includes the places of the straps.";
pub(crate) const NONE: &str = "—";
pub(crate) const UNCALIBRATED_TEXT: &str =
    "Every strap counts as worn at its joint, by a user of the character's size.";
pub(crate) const LARGEST_PLACE: &str = "Largest place error";
pub(crate) const LARGEST_PLACE_HELP: &str = "Largest distance and largest angle between found and true places of the straps. The two may be of different straps.";

pub(crate) const ERRORS: &str = "Errors";
pub(crate) fn errors_hint(unit: &dyn Display) -> String {
    format!("Against the clip, {unit}")
}
pub(crate) const JOINT: &str = "Joint";
pub(crate) const NOW: &str = "Now";
pub(crate) const MEAN: &str = "Mean";
pub(crate) const MOST: &str = "Largest";
pub(crate) const ALL_JOINTS: &str = "All joints";
pub(crate) fn joint_help(joint: &dyn Display) -> String {
    format!(
        "Distance of the {joint} from its place in the clip: in the frame shown, and over the clip. Click to show its causes."
    )
}
pub(crate) const ALL_JOINTS_HELP: &str = "The mean over the five joints. Click to show its causes.";
pub(crate) const MEASURE_FIRST: &str = "Not measured over the clip yet";
pub(crate) const OUT_OF_DATE: &str = "Out of date: settings or clip have changed, measure again";
pub(crate) const UP_TO_DATE: &str = "Matches the current settings";
pub(crate) fn over_clip(frames: &dyn Display, solves: &dyn Display) -> String {
    format!("{frames}, {solves}")
}
pub(crate) const PLOT: &str = "Errors over the clip";
pub(crate) const PLOT_HELP: &str = "Shows the frame at the clicked time of the clip.";
pub(crate) const COUNTS_HELP: &str =
    "Frames of the clip that were measured. Each was solved once for every set of removed causes.";
pub(crate) fn plot_hint(unit: &dyn Display) -> String {
    format!("In {unit}, over time in s")
}
pub(crate) fn plot_point(joint: &dyn Display, time: f64, error: &dyn Display, unit: &dyn Display) -> String {
    format!("{joint}\n{error} {unit} at {time:.2} s")
}
pub(crate) const TIME_NOW: &str = "time shown";

pub(crate) const CAUSES: &str = "Causes";
pub(crate) fn causes_of(joint: &dyn Display, unit: &dyn Display) -> String {
    format!("Of the mean error, {joint}, {unit}")
}
pub(crate) const SUM: &str = "Sum";
pub(crate) fn part_help(help: &dyn Display) -> String {
    format!(
        "{help} The bar shows by how much the mean error falls without this cause, averaged over all orders of removing the causes."
    )
}
pub(crate) const SOLVER_HELP: &str =
    "The error that is left when all four causes are removed: the solver with exact targets.";
pub(crate) const DEFINITION: &str = "The clip is solved with every set of causes removed: no noise, no drop-outs, known places of \
                              trackers, a user of the character's proportions. The part of a cause is its mean saving over all \
                              24 orders of removing the four. The solver has the rest, so that the parts sum to the mean error.";

pub(crate) const PLACES: &str = "Places of trackers";
pub(crate) const PLACES_HINT: &str = "Calibration error";
pub(crate) const POSITION: &str = "Position";
pub(crate) const ROTATION: &str = "Rotation";
pub(crate) const DEGREES: &str = "°";
pub(crate) const DEVICE: &str = "known";
pub(crate) fn place_help(tracker: &dyn Display) -> String {
    format!(
        "Distance and angle between the found and the true place of the {tracker} tracker on its bone. Click to edit the true place."
    )
}
pub(crate) fn device_help(tracker: &dyn Display) -> String {
    format!(
        "The {tracker} tracker is a headset or controller, whose place on its bone is known. Click to edit the place."
    )
}
pub(crate) const AXES_HELP: &str = "From the joint, in the reference pose: x to the character's left, y up, z forward.";
pub(crate) const USUAL: &str = "Usual places";
pub(crate) const USUAL_HELP: &str = "Moves every tracker to its usual place on the body.";
pub(crate) const AT_JOINTS: &str = "At joints";
pub(crate) const AT_JOINTS_HELP: &str = "Moves every tracker exactly to its joint.";

pub(crate) const NOISE: &str = "Noise";
pub(crate) const NOISE_HINT: &str = "Jitter and drift";
pub(crate) const DROP_OUTS: &str = "Drop-outs";
pub(crate) const DROP_OUTS_HINT: &str = "All trackers but the headset";
pub(crate) const KIND: &str = "Kind";
pub(crate) const FREEZE: &str = "Freeze";
pub(crate) const VANISH: &str = "Vanish";

pub(crate) fn number(number: f32) -> String {
    let text = format!("{number:.1}").replace('-', "−");
    if text == "−0.0" { "0.0".to_owned() } else { text }
}
pub(crate) fn angle(degrees: f32) -> String {
    format!("{degrees:.1}°")
}
pub(crate) fn factor(factor: f32) -> String {
    format!("{factor:.3}")
}

pub(crate) fn frozen(tracker: &dyn Display) -> String {
    format!("{tracker}: frozen")
}
pub(crate) fn vanished(tracker: &dyn Display) -> String {
    format!("{tracker}: gone")
}
pub(crate) fn off_by(joint: &dyn Display, length: &dyn Display) -> String {
    format!("{joint} off by {length}")
}

pub(crate) const NAME_PLOT: &str = "errors over the clip";
pub(crate) fn name_cause(cause: &dyn Display, part: &dyn Display) -> String {
    format!("{cause} {part}")
}
