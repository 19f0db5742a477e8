use std::fmt::Display;

pub(crate) const SELECT_FIRST: &str = "Select a hand, a foot or a limb first";
pub(crate) const NO_SOLVER: &str =
    "Could not compute the volume: the model has no biped. Press D to assign its bones in the rig doctor";
pub(crate) fn tried(targets: &dyn Display) -> String {
    format!("Reachable volume: tried {targets} targets, each with a full solve")
}
pub(crate) const NOTHING_TO_REACH: &str = "Could not compute the volume: the limb has no length, or the master weight is 0. Raise the weight, or select another limb";
pub(crate) const SETTINGS_CHANGED: &str = "settings have changed";
pub(crate) const POSE_CHANGED: &str = "the animated pose has changed";
