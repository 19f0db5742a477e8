//! The game that frames from the link go to.

use super::marks::Marks;

/// The game that the connected peer sends, or that the last peer sent.
pub struct Received {
    /// [`Game::id`](super::Game::id).
    pub game: u64,
    pub run: Run,
    /// It has frames that came while it was not shown, and it has not been shown since.
    pub is_unseen: bool,
    pub offer: Offer,
}

/// Whether frames go on in the same run of the game.
pub enum Run {
    GoesOn,
    /// The same game connected again and sent these marks so far: its next frame shows whether the run goes on or another
    /// begins.
    Rejoined(Marks),
}

/// How far the window has gone in offering to follow the received game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    NotMade,
    /// A message says how to follow it.
    Mentioned,
    /// The window has followed it, or asked about unsaved changes in order to follow it.
    Made,
}

impl Received {
    pub const fn new(game: u64) -> Self {
        Self { game, run: Run::GoesOn, is_unseen: false, offer: Offer::NotMade }
    }

    /// Returns the marks that came since the game connected again; `None` if it has not. From now on the run goes on.
    pub fn take_rejoined(&mut self) -> Option<Marks> {
        match std::mem::replace(&mut self.run, Run::GoesOn) {
            Run::GoesOn => None,
            Run::Rejoined(marks) => Some(marks),
        }
    }
}
