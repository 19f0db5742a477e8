//! Texts of the picture.

use std::fmt::Display;

pub const DOCTOR_CAPTION: &str = "All bones of the file. The colour of a bone is that of its role. A ring marks a doubtful role. Click a bone to see its role, or to assign the selected role.";
pub const RIG_DOCTOR: &str = "Rig doctor";
pub const LEFT_DRAG_HANDLE: &str = "Left drag a handle";
pub const LEFT_CLICK_BONE: &str = "Left click a bone";
/// Separator between the items of a hint. A narrow picture leaves items out.
pub const BETWEEN_HINTS: &str = "   ";
pub fn doctor_hint(mouse: &dyn Display, frames: &dyn Display) -> String {
    format!("{mouse}   {frames} frame   Esc close")
}
pub fn picture_hint(mouse: &dyn Display) -> String {
    format!("{mouse}   Tab hide panes   ? keys")
}
pub fn grid(size: &dyn Display, unit: &dyn Display) -> String {
    format!("Grid {size}{unit}")
}
pub fn what_if(changes: &dyn Display) -> String {
    format!("What if: solid with {changes}, ghost as recorded")
}
pub fn solid_hollow(name: &dyn Display) -> String {
    format!("Solid: Kinescope. Hollow: {name}")
}
pub fn left_right(name: &dyn Display) -> String {
    format!("Left: A. Right: B, {name}")
}
pub fn solid_ghost(name: &dyn Display) -> String {
    format!("Solid: A. Ghost: B, {name}")
}
pub const DRAG_RING: &str = "Drag a ring. ";
pub const DRAG_TARGET: &str = "Drag the target. ";
pub fn press_to_pause(what: &dyn Display) -> String {
    format!("{what}Press . to pause and step through the solve.")
}
pub fn scene_live(scene: &dyn Display) -> String {
    format!("{scene}, live")
}
pub fn dragging(name: &dyn Display, moved: &dyn Display) -> String {
    format!("Dragging the {name} parallel to the screen. Every frame is solved again.\n{moved}")
}
pub const NOTHING_MOVED: &str = "Nothing moved";
pub fn largest_displacement(moves: &dyn Display) -> String {
    format!("{moves}; largest total displacement: ")
}
pub fn largest(moves: &dyn Display) -> String {
    format!("{moves}; largest: ")
}
