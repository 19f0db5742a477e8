//! The words of this tool on screen, grouped by control.

use std::fmt::Display;

pub fn not_as_in_model(told: &dyn Display) -> String {
    format!("not as in the model: {told}")
}
pub fn not_as_in_model_more(told: &dyn Display, more: &dyn Display) -> String {
    format!("not as in the model: {told}; and {more} more")
}
pub fn pose_extension(path: &dyn Display) -> String {
    format!("{path}: a pose is written as .json or .glb. Choose one of these extensions")
}
