mod ask;
mod attach;
#[cfg(not(target_arch = "wasm32"))]
mod files;
mod keys;
mod notice;
#[cfg(target_arch = "wasm32")]
mod page;
mod palette;
mod questions;
mod words;

pub use notice::{notice, opening};
pub(crate) use questions::missing_clips_text;

use egui_macroquad::egui::{self, Key, Modifiers};

use crate::character::are_as_tall;
use crate::session::answers::Answer;
use crate::session::{Action, Dialog, Session};
use crate::tools::export::pane::bake_options;
#[cfg(not(target_arch = "wasm32"))]
use files::Files;
#[cfg(target_arch = "wasm32")]
use page::Files;
use questions::{
    changed_on_disk, exists, keep_targets, keep_targets_text, model_of_preset, other_character, recover,
    scene_needs_clips, unsaved, unsaved_game,
};

#[derive(Default)]
pub(crate) struct Dialogs {
    files: Files,
    query: String,
    chosen: usize,
    shown: Option<Dialog>,
}

impl Dialogs {
    /// Shows the open dialog. Escape closes it, unless a drop-down list was open (`had_popup`).
    pub(crate) fn show(&mut self, ctx: &egui::Context, session: &Session, had_popup: bool, actions: &mut Vec<Action>) {
        self.files.show(ctx, session, had_popup, actions);
        let is_new = self.shown != session.window.dialog;
        if is_new {
            self.shown.clone_from(&session.window.dialog);
            self.query.clear();
            self.chosen = 0;
        }
        match &session.window.dialog {
            Some(Dialog::Unsaved(_)) => unsaved(ctx, session, actions),
            Some(Dialog::UnsavedGame) => unsaved_game(ctx, session, actions),
            Some(Dialog::Recover) => recover(ctx, session, actions),
            Some(Dialog::ChangedOnDisk(path)) => changed_on_disk(ctx, path, actions),
            Some(Dialog::Exists(path)) => exists(ctx, path, actions),
            Some(Dialog::OtherCharacter { preset, name }) => other_character(ctx, session, preset, name, actions),
            Some(Dialog::ModelOfPreset { preset, why, .. }) => model_of_preset(ctx, session, preset, why, actions),
            Some(Dialog::SceneNeedsClips { scene, missing }) => {
                scene_needs_clips(ctx, session, scene, missing, actions)
            }
            Some(Dialog::KeepTargets { before, preset, count, heights }) => {
                let text = keep_targets_text(session, before, preset.as_deref(), (*count, *heights));
                keep_targets(ctx, &text, are_as_tall(*heights), actions);
            }
            Some(Dialog::BakeOptions) => bake_options(ctx, session, actions),
            Some(Dialog::Keys) => self.keys(ctx, session, is_new, actions),
            Some(Dialog::Palette) => self.palette(ctx, session, actions),
            Some(Dialog::AttachTarget(target)) => self.attach_target(ctx, session, *target, actions),
            None | Some(Dialog::RigDoctor | Dialog::File(_) | Dialog::FindModel) => {}
        }

        let closes = session.window.dialog.is_some() && self.files.asked.is_none() && !had_popup;
        if closes && ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
            actions.push(Action::Answer(Answer::CloseDialog));
        }
    }

    fn search_field(&mut self, ui: &mut egui::Ui, hint: &str, width: f32) {
        let field = egui::TextEdit::singleline(&mut self.query).hint_text(hint).desired_width(width);
        let field = ui.add(field);
        field.request_focus();
        if field.changed() {
            self.chosen = 0;
        }
    }

    fn choose_by_keys(&mut self, ui: &egui::Ui, count: usize) -> bool {
        ui.input_mut(|input| {
            let down = input.count_and_consume_key(Modifiers::NONE, Key::ArrowDown);
            let up = input.count_and_consume_key(Modifiers::NONE, Key::ArrowUp);
            self.chosen = (self.chosen + down).saturating_sub(up).min(count.saturating_sub(1));
            input.consume_key(Modifiers::NONE, Key::Enter)
        })
    }
}
