//! The world: the document with its history, the motion that computes the animated pose, the solved frame and the time
//! shown.
//!
//! This folder depends on characters and drawing, but on no tool, pane or command.

mod attaching;
pub mod crowd;
pub mod document;
pub mod motion;
mod picture;
mod shown;
mod solving;
mod time;
mod view;

pub(crate) use picture::Picture;
pub use time::Now;
pub(crate) use time::Time;
pub(crate) use view::bend_goal_key;
pub use view::{GizmoStyle, MeshStyle, Selection, View};

use std::sync::Arc;

use crate::character::Character;
use crate::world::document::History;
use crate::world::motion::Motion;
use crate::world::motion::clip_player::ClipPlayer;
use kinescope_ik::stack::Frame;

pub struct World {
    pub character: Character,
    pub history: History,
    pub clip: ClipPlayer,
    pub motion: Motion,
    pub time: Time,
    pub solved: Arc<Frame>,
    pub picture: Picture,
}

impl World {
    pub fn new(character: Character) -> Self {
        Self {
            motion: Motion::of_character(&character),
            character,
            history: History::default(),
            clip: ClipPlayer::default(),
            time: Time::default(),
            solved: Arc::new(Frame::empty()),
            picture: Picture::default(),
        }
    }
}
