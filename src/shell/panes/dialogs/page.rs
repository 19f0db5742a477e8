//! The file dialog of a page. The browser's dialog chooses files to read. Files to write become downloads.

use std::path::PathBuf;

use egui_macroquad::egui::{self, Align2, Key, Modifiers};

use super::Dialogs;
use super::ask::FileDialogAsk;
use crate::session::answers::Answer;
use crate::session::{Action, Dialog, Session};
use crate::shell::panes::dialogs::words as text;
use crate::system::page;

#[derive(Default)]
pub(super) struct Files {
    pub(super) asked: Option<Dialog>,
    /// The answer of the browser's dialog. `Some(None)` means that the user cancelled.
    chosen: Option<Option<PathBuf>>,
}

impl Dialogs {
    pub(crate) fn choose(&mut self, answer: Option<PathBuf>) {
        self.files.chosen = Some(answer);
    }
}

impl Files {
    pub(super) fn show(&mut self, ctx: &egui::Context, session: &Session, had_popup: bool, actions: &mut Vec<Action>) {
        let Some(ask) = FileDialogAsk::of(session) else {
            (self.asked, self.chosen) = (None, None);
            return;
        };
        // The browser itself chooses a download's folder, and handles a file of the same name there.
        if let Some(name) = &ask.name {
            return actions.push(ask.action(PathBuf::from(name), true));
        }
        if self.asked != session.window.dialog {
            self.asked.clone_from(&session.window.dialog);
            self.chosen = None;
            page::choose_file(&ask.endings());
        }
        match self.chosen.take() {
            Some(Some(path)) => {
                self.asked = None;
                return actions.push(ask.action(path, true));
            }
            Some(None) => return actions.push(Action::Answer(Answer::CloseDialog)),
            None => {}
        }
        let mut closes = !had_popup && ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
        let window = egui::Window::new(ask.title).collapsible(false).resizable(false);
        window.anchor(Align2::CENTER_CENTER, [0.0, 0.0]).show(ctx, |ui| {
            ui.label(text::CHOOSE_IN_BROWSER);
            ui.horizontal(|ui| {
                if ui.button(text::CHOOSE_AGAIN).clicked() {
                    page::choose_file(&ask.endings());
                }
                closes |= ui.button(text::CANCEL).clicked();
            });
        });
        if closes {
            actions.push(Action::Answer(Answer::CloseDialog));
        }
    }
}
