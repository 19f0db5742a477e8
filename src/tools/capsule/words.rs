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

pub(crate) fn apart(bone: &dyn Display, distance: &dyn Display, degrees: &dyn Display) -> String {
    format!(", {bone}: {distance} and {degrees:.2}° apart")
}
pub(crate) fn write_differs(file: &dyn Display, part: &dyn Display, bone: &dyn Display) -> String {
    format!("{file}: write {part} differs{bone}")
}
pub(crate) fn no_difference(file: &dyn Display, tolerance: f32) -> String {
    format!("{file}: after each stage of both traces, positions agree within {tolerance:.2e} model units")
}
