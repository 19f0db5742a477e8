//! What a pane is: its title, where it lies until the user moves it, and what draws it.

use egui_macroquad::egui::{Rect, Ui};

use crate::session::words as text;
use crate::session::{Action, Session};

/// Draws a pane, and adds what the user asks for.
pub type Show = fn(&mut Ui, &Session, &mut Vec<Action>);

/// A pane: a constant in the folder of its tool, and one row in `session/commands/table.rs`.
#[derive(Clone, Copy, Debug)]
pub struct PaneInfo {
    /// Its tab or title, and the label of the command that shows it.
    pub title: &'static str,
    /// What it is for, in the help of that command.
    pub help: &'static str,
    pub place: Place,
    pub body: Body,
    /// Whether it is open in the default layout.
    pub is_open: bool,
}

/// Where a pane lies in the default layout.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    Left,
    Center,
    /// One of the tabs to the right of the picture, by their order.
    Tab(u8),
    /// Below the picture: `order` counts from above, `height` is in logical pixels of a window of 1440×900.
    Below {
        order: u8,
        height: f32,
    },
}

impl Place {
    /// The order in which the keyboard goes from pane to pane: from left to right, then down.
    pub const fn order(self) -> (u8, u8) {
        match self {
            Self::Left => (0, 0),
            Self::Center => (1, 0),
            Self::Tab(order) => (2, order),
            Self::Below { order, .. } => (3, order),
        }
    }
}

/// What draws a pane.
#[derive(Clone, Copy, Debug)]
pub enum Body {
    /// The renderer draws the picture behind the panes.
    Picture,
    /// Controls side by side: a narrow pane scrolls sideways.
    Form(Show),
    /// Fits into any width.
    Fitting(Show),
    /// Returns where the plots are, for pictures of them.
    Plots(fn(&mut Ui, &Session, &mut Vec<Action>) -> Rect),
    /// Tools, and below them strips that other panes may lie in front of.
    Timeline { tools: Show, strips: Show },
}

impl PaneInfo {
    /// A tab to the right of the picture, closed at first.
    pub const fn tab(title: &'static str, help: &'static str, order: u8, show: Show) -> Self {
        Self { title, help, place: Place::Tab(order), body: Body::Form(show), is_open: false }
    }

    pub const fn open(self) -> Self {
        Self { is_open: true, ..self }
    }

    /// The height below the picture, logical pixels; 0 elsewhere.
    pub const fn height(&self) -> f32 {
        match self.place {
            Place::Below { height, .. } => height,
            Place::Left | Place::Center | Place::Tab(_) => 0.0,
        }
    }
}

/// The picture, which every layout has and no command shows.
pub const PICTURE: PaneInfo =
    PaneInfo { title: text::PICTURE_TITLE, help: "", place: Place::Center, body: Body::Picture, is_open: true };
