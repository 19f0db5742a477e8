//! Baking a clip.

use crate::session::Session;
use crate::session::commands::Command;
use crate::tools::motion::clip_player::BakeRange;

/// What the dialog of baking asks for.
#[derive(Clone, Debug)]
pub enum BakeAction {
    /// What of the clip is baked.
    Range(BakeRange),
    /// As much of it as the whole path takes is baked.
    WholePath,
    /// What is baked is chosen: where to?
    ChooseFile,
    Cancel,
}

impl Session {
    /// Does what the dialog of baking asks for.
    pub(crate) fn apply_bake(&mut self, action: BakeAction) {
        match action {
            BakeAction::Range(range) => self.clip.bake_range = Some(range),
            BakeAction::WholePath => match self.path_time() {
                Ok(to) => self.clip.bake_range = Some(BakeRange { from: 0.0, to, ..self.bake_range() }),
                Err(error) => self.fail(error),
            },
            BakeAction::ChooseFile => self.ask_for_file(Command::BakeClip),
            BakeAction::Cancel => self.cancel_baking(),
        }
    }
}
