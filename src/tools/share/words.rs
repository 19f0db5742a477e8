use std::fmt::Display;

pub(crate) fn copied_preset(model: &dyn Display, length: usize) -> String {
    format!(
        "Copied a link to this instant of {model}, {} kB. Ctrl+V opens it, here or in another window",
        kilobytes(length)
    )
}
pub(crate) fn copied_capsule(length: usize) -> String {
    format!(
        "Copied a link to this frame with its bones, {} kB. Ctrl+V opens it, here or in another window",
        kilobytes(length)
    )
}
pub(crate) fn too_long(error: &dyn Display) -> String {
    format!("Could not copy a link: {error}. Save a bug capsule instead")
}
pub(crate) fn not_opened(error: &dyn Display) -> String {
    format!("Could not open the link: {error}")
}
pub(crate) const NEEDS_FILE: &str = "a link may only name a built-in character: mannequin or faun";

fn kilobytes(length: usize) -> String {
    crate::system::text::decimals(length as f32 / 1000.0)
}
