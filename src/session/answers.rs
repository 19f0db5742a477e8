//! The answers to the questions that dialogs ask.

use std::path::PathBuf;

use super::{Action, Dialog, Pending, Session};
use crate::scenes::Scene;
use crate::session::commands::Command;
use crate::tools::game::SaveTarget;

/// The answer to a question.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The answers to «frames that were not saved».
    SaveGame,
    DiscardGame,
    /// The answers to «unsaved changes».
    DiscardChanges,
    SaveChanges,
    /// The answers to «work that was not saved».
    Recover,
    DiscardRecovered,
    /// The answer to «changed on disk meanwhile» and to «made with another character».
    OverwritePreset,
    /// The answers to «the preset's model is not found»: a file, once one is named, or the character that is shown.
    FindModel,
    OpenPresetOn(PathBuf),
    OpenPresetAsShown,
    /// Takes the targets away that were set on the character before.
    DropTargets,
    /// The answers to «the scene needs clips».
    SceneOnMannequin,
    SceneAnyway,
    /// A file that exists would be written by the action.
    AskToOverwrite(PathBuf, Box<Action>),
    /// Do it.
    Overwrite,
    CloseDialog,
}

impl Session {
    /// Does what a dialog was answered.
    pub(crate) fn answer(&mut self, answer: Answer) {
        match answer {
            Answer::SaveGame => {
                let unsaved = self.games.unsaved().map(|game| SaveTarget::BeforeQuit(game.id));
                self.games.save_target = unsaved.unwrap_or_default();
                self.ask_for_file(Command::SaveRecording);
            }
            Answer::DiscardGame => {
                self.desk.dialog = None;
                self.unless_unsaved(Pending::Quit);
            }
            Answer::DiscardChanges => {
                if let Some(Dialog::Unsaved(pending)) = self.desk.dialog.take() {
                    self.go_on(pending);
                }
            }
            Answer::SaveChanges => {
                if let Some(Dialog::Unsaved(pending)) = self.desk.dialog.take() {
                    self.files.after_save = Some(pending);
                    self.run(Command::SavePreset);
                }
            }
            Answer::Recover => self.take_back(),
            Answer::DiscardRecovered => {
                self.desk.dialog = None;
                if let Some(left) = self.files.left.take() {
                    left.remove();
                }
            }
            Answer::OverwritePreset => match self.desk.dialog.take() {
                Some(Dialog::ChangedOnDisk(path) | Dialog::OtherCharacter { preset: path, .. }) => {
                    self.write_preset(path);
                }
                other => self.desk.dialog = other,
            },
            Answer::FindModel => {
                if let Some(Dialog::ModelOfPreset { preset, .. }) = self.desk.dialog.take() {
                    self.files.asked = Some(preset);
                    self.desk.dialog = Some(Dialog::FindModel);
                }
            }
            Answer::OpenPresetOn(model) => self.open_preset_on(&model),
            Answer::OpenPresetAsShown => {
                if let Some(Dialog::ModelOfPreset { preset, .. }) = self.desk.dialog.take() {
                    self.open_preset_as_shown(preset);
                }
            }
            Answer::DropTargets => self.drop_targets(),
            Answer::SceneOnMannequin => {
                if let Some(Dialog::SceneNeedsClips { scene, .. }) = self.desk.dialog.take()
                    && let Some(scene) = Scene::find(scene)
                {
                    self.start_scene_on_mannequin(scene);
                }
            }
            Answer::SceneAnyway => {
                if let Some(Dialog::SceneNeedsClips { scene, .. }) = self.desk.dialog.take()
                    && let Some(scene) = Scene::find(scene)
                {
                    self.start_scene(scene);
                }
            }
            Answer::AskToOverwrite(path, action) => {
                self.desk.dialog = Some(Dialog::Exists(path));
                self.files.to_overwrite = Some(action);
            }
            Answer::Overwrite => {
                self.desk.dialog = None;
                if let Some(action) = self.files.to_overwrite.take() {
                    self.apply(*action);
                }
            }
            Answer::CloseDialog => {
                self.desk.dialog = None;
                self.files.after_save = None;
                self.files.to_overwrite = None;
                self.files.asked = None;
                self.games.save_target = SaveTarget::Shown;
                self.refuse_opened();
            }
        }
    }
}
