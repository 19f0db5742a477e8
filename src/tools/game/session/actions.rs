use crate::session::commands::Command;
use crate::session::{Pane, Pending};
use crate::session::{Request, Session};
use crate::tools::game::{Connection, SaveTarget, Shown};

#[derive(Clone, Debug)]
pub enum GameAction {
    Listen(String),
    Show(Shown),
}

impl Session {
    pub(crate) fn apply_game(&mut self, action: GameAction) {
        match action {
            GameAction::Listen(address) => self.listen(&address),
            GameAction::Show(shown) => self.unless_unsaved(Pending::ShowGame(shown)),
        }
    }

    pub(crate) fn attach_to_game(&mut self) {
        match &self.tools.games.connection {
            Connection::Listening(_) => self.window.requests.push(Request::ShowPane(Pane::Game)),
            Connection::Off { .. } => self.listen(kinescope_ik::link::ADDRESS),
        }
    }

    pub(crate) fn toggle_tuning(&mut self) {
        self.tools.games.tunes ^= true;
        self.tune_what_was_edited();
    }

    pub(crate) fn toggle_result(&mut self) {
        self.tools.games.hide_result(self.tools.games.shows_result());
        self.world.time.needs_solve = true;
    }

    pub(crate) fn ask_to_save_recording(&mut self) {
        self.tools.games.save_target = SaveTarget::Shown;
        self.ask_for_file(Command::SaveRecording);
    }
}
