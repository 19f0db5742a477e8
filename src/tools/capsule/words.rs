use std::fmt::Display;

pub(crate) fn all_same(name: &dyn Display, frames: &dyn Display) -> String {
    format!("{name}: {frames}. All results equal the recorded ones")
}
pub(crate) fn some_differ(name: &dyn Display, changed: &dyn Display, frames: &dyn Display) -> String {
    format!("{name}: the results of {changed} of {frames} frames differ from the recorded ones")
}
pub(crate) fn not_solved(problem: &dyn Display) -> String {
    format!("Could not solve the frame: {problem}")
}

pub(crate) fn first_difference(file: &dyn Display, place: &dyn Display) -> String {
    format!("{file}: {place}")
}
pub(crate) fn no_difference(file: &dyn Display, tolerance: f32) -> String {
    format!("{file}: no difference above {tolerance:.2e} model units")
}
