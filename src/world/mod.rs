//! What is solved: the document with its history, the motion that makes the animated pose, and the time shown.
//!
//! It knows characters and drawing, but no tool, no pane and no command.

pub mod crowd;
pub mod document;
pub mod motion;
mod time;
mod view;

pub use time::{Now, Time};
pub(crate) use view::bend_goal_key;
pub use view::{GizmoStyle, MeshStyle, Selection, View};
