use egui_macroquad::egui::{Rect, Ui};

use crate::session::words as text;
use crate::session::{Action, Session};

pub type Show = fn(&mut Ui, &Session, &mut Vec<Action>);

/// A pane: a constant in the folder of its tool, and one row in `session/commands/table.rs`. Only [`PICTURE`] has
/// neither.
#[derive(Clone, Copy, Debug)]
pub struct PaneInfo {
    /// Title of the tab or pane, and label of the command that shows the pane.
    pub title: &'static str,
    pub help: &'static str,
    pub place: Place,
    pub body: Body,
    pub(crate) is_open: bool,
}

#[derive(Clone, Copy, Debug)]
pub enum Place {
    Left,
    Center,
    /// A tab to the right of the picture. The number sorts the tabs.
    Tab(u8),
    /// Below the picture. `order` counts from above. `height` is in logical pixels in a window of 1440×900.
    Below {
        order: u8,
        height: f32,
    },
}

impl Place {
    /// Returns the rank in which panes get the focus: from left to right, then down.
    pub(crate) const fn order(self) -> (u8, u8) {
        match self {
            Self::Left => (0, 0),
            Self::Center => (1, 0),
            Self::Tab(order) => (2, order),
            Self::Below { order, .. } => (3, order),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub enum Body {
    Picture,
    /// Controls that need a least width. A narrower pane scrolls sideways.
    Form(Show),
    Fitting(Show),
    /// Plots. The function returns their rectangle, for screenshots of the plots.
    Plots(fn(&mut Ui, &Session, &mut Vec<Action>) -> Rect),
    /// Tools, and below them strips that other panes may cover.
    Timeline {
        tools: Show,
        strips: Show,
    },
}

impl PaneInfo {
    pub(crate) const fn tab(title: &'static str, help: &'static str, order: u8, show: Show) -> Self {
        Self { title, help, place: Place::Tab(order), body: Body::Form(show), is_open: false }
    }

    pub const fn open(self) -> Self {
        Self { is_open: true, ..self }
    }

    pub const fn height(&self) -> f32 {
        match self.place {
            Place::Below { height, .. } => height,
            Place::Left | Place::Center | Place::Tab(_) => 0.0,
        }
    }
}

/// The picture. Every layout has it, and no command shows or hides it.
pub(crate) const PICTURE: PaneInfo =
    PaneInfo { title: text::PICTURE_TITLE, help: "", place: Place::Center, body: Body::Picture, is_open: true };
