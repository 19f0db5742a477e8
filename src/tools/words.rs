//! Messages about body meshes.

use std::fmt::Display;

pub(crate) fn has_own_mesh(name: &dyn Display) -> String {
    format!(
        "{name} has its own mesh. Body meshes are for characters of recordings, traces and bug capsules. Open one first"
    )
}
pub(crate) fn drawn_as(character: &dyn Display, mesh: &dyn Display, fit: &dyn Display) -> String {
    format!("{character} is drawn as {mesh}: {fit}")
}
pub(crate) fn dropped_mesh(name: &dyn Display, character: &dyn Display) -> String {
    format!("Dropped {name}. {character} is drawn as capsules")
}
pub(crate) const NO_MESH: &str = "No body mesh was chosen";
