use std::fmt::{Debug, Display};

pub(crate) fn no_scene(name: &dyn Debug, scenes: &dyn Display) -> String {
    format!("--scene: there is no scene {name:?}. Choose one of {scenes}")
}
pub(crate) fn no_lesson(name: &dyn Debug, lessons: &dyn Display) -> String {
    format!("--lesson: there is no lesson or step {name:?}. Choose one of {lessons}; append :2 to open step 2")
}
pub(crate) const BODY_NEEDS_RECORDING: &str =
    "--body: applies only to recordings, traces and bug capsules. Name one of them as well";
pub(crate) const TITLE: &str = "Kinescope";
pub(crate) fn no_command(name: &dyn Debug) -> String {
    format!("--run: there is no command {name:?}. Ctrl+P lists the commands")
}

pub(crate) const PLOTS_NOT_OPEN: &str = "The plots are not visible. Show their pane first";
pub(crate) fn saved(path: &dyn Display) -> String {
    format!("Saved {path}")
}
pub(crate) const NO_PICTURE: &str = "the graphics card returned no picture of the window. Try again";
pub(crate) fn saved_steps(path: &dyn Display, count: &dyn Display) -> String {
    format!("Saved {path} with {count} steps")
}
pub(crate) fn saved_series(path: &dyn Display, last: &dyn Display) -> String {
    format!("Saved {path}.png to -{last:03}.png")
}
