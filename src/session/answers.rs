use std::path::PathBuf;

use super::{Action, Dialog, Pending, Session};
use crate::scenes::Scene;
use crate::session::commands::Command;
use crate::tools::game::SaveTarget;

#[derive(Clone, Debug)]
pub enum Answer {
    SaveGame,
    DiscardGame,
    DiscardChanges,
    SaveChanges,
    Recover,
    DiscardRecovered,
    /// Overwrites a preset that another program has changed, or that was made with another character.
    OverwritePreset,
    FindModel,
    OpenPresetOn(PathBuf),
    OpenPresetAsShown,
    DropTargets,
    SceneOnMannequin,
    SceneAnyway,
    AskToOverwrite(PathBuf, Box<Action>),
    Overwrite,
    CloseDialog,
}

impl Session {
    pub(crate) fn answer(&mut self, answer: Answer) {
        match answer {
            Answer::SaveGame => {
                let unsaved = self.tools.games.unsaved().map(|game| SaveTarget::BeforeQuit(game.id));
                self.tools.games.save_target = unsaved.unwrap_or_default();
                self.ask_for_file(Command::SaveRecording);
            }
            Answer::DiscardGame => {
                self.window.dialog = None;
                self.unless_unsaved(Pending::Quit);
            }
            Answer::DiscardChanges => {
                if let Some(Dialog::Unsaved(pending)) = self.window.dialog.take() {
                    self.go_on(pending);
                }
            }
            Answer::SaveChanges => {
                if let Some(Dialog::Unsaved(pending)) = self.window.dialog.take() {
                    self.files.after_save = Some(pending);
                    self.run(Command::SavePreset);
                }
            }
            Answer::Recover => self.recover(),
            Answer::DiscardRecovered => {
                self.window.dialog = None;
                if let Some(recovered) = self.files.recovered.take() {
                    recovered.remove();
                }
            }
            Answer::OverwritePreset => match self.window.dialog.take() {
                Some(Dialog::ChangedOnDisk(path) | Dialog::OtherCharacter { preset: path, .. }) => {
                    self.write_preset(path);
                }
                other => self.window.dialog = other,
            },
            Answer::FindModel => {
                if let Some(Dialog::ModelOfPreset { preset, .. }) = self.window.dialog.take() {
                    self.files.waiting_preset = Some(preset);
                    self.window.dialog = Some(Dialog::FindModel);
                }
            }
            Answer::OpenPresetOn(model) => self.open_preset_on(&model),
            Answer::OpenPresetAsShown => {
                if let Some(Dialog::ModelOfPreset { preset, .. }) = self.window.dialog.take() {
                    self.open_preset_as_shown(preset);
                }
            }
            Answer::DropTargets => self.drop_targets(),
            Answer::SceneOnMannequin => {
                if let Some(Dialog::SceneNeedsClips { scene, .. }) = self.window.dialog.take()
                    && let Some(scene) = Scene::find(scene)
                {
                    self.start_scene_on_mannequin(scene);
                }
            }
            Answer::SceneAnyway => {
                if let Some(Dialog::SceneNeedsClips { scene, .. }) = self.window.dialog.take()
                    && let Some(scene) = Scene::find(scene)
                {
                    self.start_scene(scene);
                }
            }
            Answer::AskToOverwrite(path, action) => {
                self.window.dialog = Some(Dialog::Exists(path));
                self.files.to_overwrite = Some(action);
            }
            Answer::Overwrite => {
                self.window.dialog = None;
                if let Some(action) = self.files.to_overwrite.take() {
                    self.apply(*action);
                }
            }
            Answer::CloseDialog => {
                self.window.dialog = None;
                self.files.after_save = None;
                self.files.to_overwrite = None;
                self.files.waiting_preset = None;
                self.tools.games.save_target = SaveTarget::Shown;
                self.refuse_opened();
            }
        }
    }
}
