//! The words of this tool on screen, grouped by control.

use std::fmt::Display;

pub fn all_same(name: &dyn Display, frames: &dyn Display) -> String {
    format!("{name}: {frames} frames, all solve as recorded")
}
pub fn some_differ(name: &dyn Display, changed: &dyn Display, frames: &dyn Display) -> String {
    format!("{name}: {changed} of {frames} frames solve differently from the recording")
}
pub fn not_solved(problem: &dyn Display) -> String {
    format!("Could not solve the frame: {problem}")
}
