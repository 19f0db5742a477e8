use std::path::PathBuf;

use crate::session::answers::Answer;
use crate::session::commands::{Command, FileAsk, Kinds};
use crate::session::{Action, Dialog, Session};
use crate::shell::panes::dialogs::words as text;
use crate::system::files;

pub(super) struct FileDialogAsk {
    pub(super) title: &'static str,
    /// Suggested name of a file to write. `None` for a file to read.
    pub(super) name: Option<String>,
    pub(super) kinds: Kinds,
    action: fn(Command, PathBuf) -> Action,
    command: Command,
}

impl FileDialogAsk {
    pub(super) fn of(session: &Session) -> Option<Self> {
        let (command, find) = match session.window.dialog.as_ref()? {
            Dialog::File(command) => (*command, false),
            Dialog::FindModel => (Command::OpenModel, true),
            Dialog::Keys
            | Dialog::Palette
            | Dialog::RigDoctor
            | Dialog::AttachTarget(_)
            | Dialog::Unsaved(_)
            | Dialog::UnsavedGame
            | Dialog::Recover
            | Dialog::BakeOptions
            | Dialog::Exists(_)
            | Dialog::OtherCharacter { .. }
            | Dialog::ModelOfPreset { .. }
            | Dialog::KeepTargets { .. }
            | Dialog::SceneNeedsClips { .. }
            | Dialog::ChangedOnDisk(_) => return None,
        };
        let info = command.info();
        let FileAsk { kinds, name, .. } = info.file?;
        let name = name.map(|name| name(session));
        Some(match find {
            true => {
                let action = |_, path| Action::Answer(Answer::OpenPresetOn(path));
                Self { title: text::FIND_PRESET_MODEL, name, kinds, action, command }
            }
            false => Self { title: info.label.trim_end_matches('…'), name, kinds, action: Action::File, command },
        })
    }

    pub(super) fn endings(&self) -> Vec<&'static str> {
        self.kinds.iter().flat_map(|(_, endings)| endings.iter().copied()).collect()
    }

    /// Returns the action for a chosen path. Appends a missing extension to the name of a file to write. The action
    /// asks before it overwrites a file, unless the dialog has asked about this name.
    pub(super) fn action(&self, path: PathBuf, has_asked: bool) -> Action {
        if self.name.is_none() {
            return (self.action)(self.command, path);
        }
        let whole = files::with_ending(&path, &self.endings());
        // The dialog asked about the name as typed, not about the completed name.
        let asks = files::exists(&whole) && !(has_asked && whole == path);
        let action = (self.action)(self.command, whole.clone());
        if asks { Action::Answer(Answer::AskToOverwrite(whole, Box::new(action))) } else { action }
    }
}
