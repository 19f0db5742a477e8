//! Answers to the dialogs' questions.

use std::path::PathBuf;

use super::{Action, Dialog, Pending, Session};
use crate::scenes::Scene;
use crate::session::commands::Command;
use crate::tools::game::SaveTarget;

/// An answer to a dialog.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Unsaved frames of a game.
    SaveGame,
    DiscardGame,
    /// Unsaved changes.
    DiscardChanges,
    SaveChanges,
    /// Recovered work.
    Recover,
    DiscardRecovered,
    /// A preset that was changed on disk, or made with another character.
    OverwritePreset,
    /// A preset's model that was not found.
    FindModel,
    OpenPresetOn(PathBuf),
    OpenPresetAsShown,
    /// Drops the targets set on the previous character.
    DropTargets,
    /// A scene with missing clips.
    SceneOnMannequin,
    SceneAnyway,
    /// The action would overwrite this file.
    AskToOverwrite(PathBuf, Box<Action>),
    /// Overwrites the file.
    Overwrite,
    CloseDialog,
}

impl Session {
    /// Runs an answer.
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
            Answer::Recover => self.recover(),
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
