use super::marks::Marks;

pub struct Received {
    pub game: u64,
    pub run: Run,
    pub(crate) is_unseen: bool,
    pub offer: Offer,
}

/// Whether new frames continue the same run of the game.
pub enum Run {
    GoesOn,
    /// The same game connected again and sent these marks. Its next frame decides whether the run continues.
    Rejoined(Marks),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    NotMade,
    /// The game pane shows the game behind the dialog about recovered work, which waits for an answer.
    BehindDialog,
    /// A message has named the key that shows the game.
    Mentioned,
    /// The window has shown the game, or has asked about unsaved changes before showing it.
    Made,
}

impl Received {
    pub const fn new(game: u64) -> Self {
        Self { game, run: Run::GoesOn, is_unseen: false, offer: Offer::NotMade }
    }

    /// Returns the marks since the game connected again, and continues the run. `None` if the run goes on already.
    pub(crate) fn take_rejoined(&mut self) -> Option<Marks> {
        match std::mem::replace(&mut self.run, Run::GoesOn) {
            Run::GoesOn => None,
            Run::Rejoined(marks) => Some(marks),
        }
    }
}
