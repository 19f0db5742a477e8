use std::fmt::Display;

pub(crate) const SELECT_FIRST: &str = "Select a hand, a foot or a limb first";
pub(crate) const NO_SOLVER: &str = "Could not compute the volume: the model has no biped, or the biped cannot be solved. Press D to correct the roles in the rig doctor";
pub(crate) fn tried(targets: &dyn Display) -> String {
    format!("Reachable volume: tried {targets} targets, each with a full solve")
}
pub(crate) const NOTHING_TO_REACH: &str = "Could not compute the volume: the limb has no length, the master weight is 0, or the frame cannot be solved. Raise the master weight, or select another limb";
pub(crate) const SETTINGS_CHANGED: &str = "settings have changed";
pub(crate) const POSE_CHANGED: &str = "the animated pose has changed";
