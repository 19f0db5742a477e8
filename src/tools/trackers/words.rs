use std::fmt::Display;

pub const TITLE: &str = "Trackers";
pub const WHAT: &str = "Drive the character by simulated VR trackers, calibrate them, and explain the errors.";

pub const EDIT_ON: &str = "simulated trackers on or off";
pub const EDIT_CALIBRATE: &str = "calibrate trackers";
pub const EDIT_FORGET: &str = "forget calibration";
pub const EDIT_POINTS: &str = "number of trackers";
pub const EDIT_DROP_OUT: &str = "kind of drop-out";
pub const EDIT_MOMENT: &str = "moment of calibration";
pub fn edit_place(tracker: &dyn Display) -> String {
    format!("place of the {tracker} tracker")
}
pub const EDIT_PLACES: &str = "places of trackers";

pub const NO_BIPED: &str = "Could not calibrate: the model has no biped. Press D to assign its bones in the rig doctor";
pub fn not_calibrated(fault: &dyn Display) -> String {
    format!("Could not calibrate: {fault}")
}
pub const NOT_MEASURED: &str = "Could not measure: the character has no biped, or a layer failed in a frame of the clip. The outliner shows the fault in that frame";

pub const ON: &str = "Simulated trackers";
pub const ON_HELP: &str = "A simulated user, who moves as the clip does, wears the trackers. Their readings set the targets. The \
                           clip stays as a thin skeleton, the ground truth.";
pub const OFF_TEXT: &str = "The clip poses the character. With trackers, a simulated user, who moves as the clip does, wears \
                            them, and the character is solved from the trackers' readings alone.";
pub fn layer_problem(icon: &dyn Display, problem: &dyn Display) -> String {
    format!("{icon}  {problem}")
}

pub const USER: &str = "User";
pub const USER_HINT: &str = "Relative to the character";
pub const POINTS: &str = "Points";
pub const THREE: &str = "3";
pub const SIX: &str = "6";
pub const ELEVEN: &str = "11";

pub const CALIBRATION: &str = "Calibration";
pub const UNCALIBRATED: &str = "Not calibrated";
pub const CALIBRATED: &str = "Found, true";
pub const MOMENT: &str = "Pose";
pub const REFERENCE: &str = "Reference";
pub const FIRST_FRAME: &str = "First frame";
pub const HEIGHT: &str = "Height";
pub const ARMS: &str = "Arms to body";
pub const ARM_SPAN: &str = "Arm span";
pub const LEG_LENGTH: &str = "Leg length, with straps";
pub const HEIGHT_HELP: &str = "Height of the head bone above the ground, relative to the character's.";
pub const ARMS_HELP: &str = "Length of the user's arms relative to the rest of the body, 1 for the character's proportions. Calibration computes it from the height and the distance between the hands.";
pub const ARM_SPAN_HELP: &str = "Distance between the hands, relative to the character's.";
pub const LEG_LENGTH_HELP: &str = "Height of the pelvis strap above the foot straps, relative to that of the character's pelvis \
                                   above its feet. Targets do not use it, because it includes the places of the straps.";
pub const NONE: &str = "—";
pub const UNCALIBRATED_TEXT: &str = "Every strap counts as worn at its joint, by a user of the character's size.";
pub const LARGEST_PLACE: &str = "Largest place error";
pub const LARGEST_PLACE_HELP: &str = "Largest distance and largest angle between found and true places of the straps. The two may be of different straps.";

pub const ERRORS: &str = "Errors";
pub fn errors_hint(unit: &dyn Display) -> String {
    format!("Against the clip, {unit}")
}
pub const JOINT: &str = "Joint";
pub const NOW: &str = "Now";
pub const MEAN: &str = "Mean";
pub const MOST: &str = "Largest";
pub const ALL_JOINTS: &str = "All joints";
pub fn joint_help(joint: &dyn Display) -> String {
    format!(
        "Distance of the {joint} from its place in the clip: in the frame shown, and over the clip. Click to show its causes."
    )
}
pub const ALL_JOINTS_HELP: &str = "The mean over the five joints. Click to show its causes.";
pub const MEASURE_FIRST: &str = "Not measured over the clip yet";
pub const OUT_OF_DATE: &str = "Out of date: settings or clip have changed, measure again";
pub const UP_TO_DATE: &str = "Matches the current settings";
pub fn over_clip(frames: &dyn Display, solves: &dyn Display) -> String {
    format!("{frames} frames, {solves} solves")
}
pub const PLOT: &str = "Errors over the clip";
pub const PLOT_HELP: &str = "Shows the frame at the clicked time of the clip.";
pub const COUNTS_HELP: &str =
    "Frames of the clip that were measured. Each was solved once for every set of removed causes.";
pub fn plot_hint(unit: &dyn Display) -> String {
    format!("In {unit}, over time in s")
}
pub fn plot_point(joint: &dyn Display, time: f64, error: &dyn Display, unit: &dyn Display) -> String {
    format!("{joint}\n{error} {unit} at {time:.2} s")
}
pub const TIME_NOW: &str = "time shown";

pub const CAUSES: &str = "Causes";
pub fn causes_of(joint: &dyn Display, unit: &dyn Display) -> String {
    format!("Of the mean error, {joint}, {unit}")
}
pub const SUM: &str = "Sum";
pub fn part_help(help: &dyn Display) -> String {
    format!(
        "{help} The bar shows by how much the mean error falls without this cause, averaged over all orders of removing the causes."
    )
}
pub const SOLVER_HELP: &str = "The error that is left when all four causes are removed: the solver with exact targets.";
pub const DEFINITION: &str = "The clip is solved with every set of causes removed: no noise, no drop-outs, known places of \
                              trackers, a user of the character's proportions. The part of a cause is its mean saving over all \
                              24 orders of removing the four. The solver has the rest, so that the parts sum to the mean error.";

pub const PLACES: &str = "Places of trackers";
pub const PLACES_HINT: &str = "Calibration error";
pub const POSITION: &str = "Position";
pub const ROTATION: &str = "Rotation";
pub const DEGREES: &str = "°";
pub const DEVICE: &str = "known";
pub fn place_help(tracker: &dyn Display) -> String {
    format!(
        "Distance and angle between the found and the true place of the {tracker} tracker on its bone. Click to edit the true place."
    )
}
pub fn device_help(tracker: &dyn Display) -> String {
    format!(
        "The {tracker} tracker is a headset or controller, whose place on its bone is known. Click to edit the place."
    )
}
pub const AXES_HELP: &str = "From the joint, in the reference pose: x to the character's left, y up, z forward.";
pub const USUAL: &str = "Usual places";
pub const USUAL_HELP: &str = "Moves every tracker to its usual place on the body.";
pub const AT_JOINTS: &str = "At joints";
pub const AT_JOINTS_HELP: &str = "Moves every tracker exactly to its joint.";

pub const NOISE: &str = "Noise";
pub const NOISE_HINT: &str = "Jitter and drift";
pub const DROP_OUTS: &str = "Drop-outs";
pub const DROP_OUTS_HINT: &str = "All trackers but the headset";
pub const KIND: &str = "Kind";
pub const FREEZE: &str = "Freeze";
pub const VANISH: &str = "Vanish";

pub fn number(number: f32) -> String {
    let text = format!("{number:.1}").replace('-', "−");
    if text == "−0.0" { "0.0".to_owned() } else { text }
}
pub fn angle(degrees: f32) -> String {
    format!("{degrees:.1}°")
}
pub fn factor(factor: f32) -> String {
    format!("{factor:.3}")
}

pub fn frozen(tracker: &dyn Display) -> String {
    format!("{tracker}: frozen")
}
pub fn vanished(tracker: &dyn Display) -> String {
    format!("{tracker}: gone")
}
pub fn off_by(joint: &dyn Display, length: &dyn Display) -> String {
    format!("{joint} off by {length}")
}

pub const NAME_PLOT: &str = "errors over the clip";
pub fn name_cause(cause: &dyn Display, part: &dyn Display) -> String {
    format!("{cause} {part}")
}
