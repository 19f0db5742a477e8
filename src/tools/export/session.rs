use crate::session::Session;
use crate::session::commands::Command;
use crate::world::motion::clip_player::BakeRange;

#[derive(Clone, Debug)]
pub enum BakeAction {
    Range(BakeRange),
    WholePath,
    ChooseFile,
    Cancel,
}

impl Session {
    pub(crate) fn apply_bake(&mut self, action: BakeAction) {
        match action {
            BakeAction::Range(range) => self.world.clip.bake_range = Some(range),
            BakeAction::WholePath => match self.world.path_time() {
                Ok(to) => self.world.clip.bake_range = Some(BakeRange { from: 0.0, to, ..self.world.bake_range() }),
                Err(error) => self.fail(error),
            },
            BakeAction::ChooseFile => self.ask_for_file(Command::BakeClip),
            BakeAction::Cancel => self.cancel_baking(),
        }
    }
}
