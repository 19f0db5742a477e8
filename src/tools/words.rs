//! Messages about body meshes.

use std::fmt::Display;

pub(crate) fn takes_no_mesh(name: &dyn Display) -> String {
    format!(
        "{name} cannot have a body mesh: only characters of games, recordings, traces and bug capsules can. Open one of these first"
    )
}
pub(crate) fn drawn_as(character: &dyn Display, mesh: &dyn Display, fit: &dyn Display) -> String {
    format!("{character} is drawn as {mesh}: {fit}")
}
pub(crate) fn dropped_mesh(name: &dyn Display, character: &dyn Display) -> String {
    format!("Removed the body mesh {name}. {character} is drawn as capsules")
}
pub(crate) const NO_MESH: &str = "No body mesh was chosen";
