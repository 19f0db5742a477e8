use std::fmt::Display;

pub(crate) const DOCTOR_CAPTION: &str = "All bones of the skeleton. The colour of a bone is that of its role. A ring marks a doubtful role. Click a bone to see its role or, if roles can be changed, to assign the selected one.";
pub(crate) const RIG_DOCTOR: &str = "Rig doctor";
pub(crate) const LEFT_DRAG_HANDLE: &str = "Left drag a handle";
pub(crate) const LEFT_CLICK_BONE: &str = "Left click a bone";
pub(crate) const BETWEEN_HINTS: &str = " · ";
pub(crate) fn doctor_hint(mouse: &dyn Display, frames: &dyn Display) -> String {
    format!("{mouse} · {frames} frame · Esc close")
}
pub(crate) fn picture_hint(mouse: &dyn Display) -> String {
    format!("{mouse} · Tab hide panes · ? keys")
}
pub(crate) fn grid(size: &dyn Display, unit: &dyn Display) -> String {
    format!("Grid {size} {unit}")
}
pub(crate) fn what_if(changes: &dyn Display) -> String {
    format!("What if: solid with {changes}, ghost as recorded")
}
pub(crate) fn solid_hollow(name: &dyn Display) -> String {
    format!("Solid: Kinescope. Hollow: {name}")
}
pub(crate) fn left_right(name: &dyn Display) -> String {
    format!("Left: A. Right: B, {name}")
}
pub(crate) fn solid_ghost(name: &dyn Display) -> String {
    format!("Solid: A. Ghost: B, {name}")
}
pub(crate) const DRAG_RING: &str = "Drag a ring. ";
pub(crate) const DRAG_TARGET: &str = "Drag the target. ";
pub(crate) fn press_to_pause(what: &dyn Display) -> String {
    format!("{what}Press . to pause and step through the solve.")
}
pub(crate) fn scene_live(scene: &dyn Display) -> String {
    format!("{scene}, live")
}
pub(crate) fn dragging(name: &dyn Display, moved: &dyn Display) -> String {
    format!("Dragging the {name} parallel to the screen. Every frame is solved again.\n{moved}")
}
pub(crate) const NOTHING_MOVED: &str = "Nothing moved";
pub(crate) fn largest_displacement(moves: &dyn Display) -> String {
    format!("{moves}; largest total displacement: ")
}
pub(crate) fn largest(moves: &dyn Display) -> String {
    format!("{moves}; largest: ")
}
