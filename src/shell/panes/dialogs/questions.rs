use std::path::Path;

use egui_macroquad::egui::{self, Align2};

use crate::character::are_as_tall;
use crate::session::answers::Answer;
use crate::session::commands::Command;
use crate::session::{Action, Session};
use crate::shell::panes::dialogs::words as text;
use crate::ui::help::Help;
use crate::ui::words::counted;
use kinescope_ik::rig::Model;

pub(super) fn unsaved(ctx: &egui::Context, session: &Session, actions: &mut Vec<Action>) {
    let name = session.files.preset.as_ref().map_or(text::THIS_PRESET.into(), |path| path.display().to_string());
    let answers = [
        (text::SAVE, text::SAVE_HELP, Action::Answer(Answer::SaveChanges)),
        (text::DISCARD, text::DISCARD_HELP, Action::Answer(Answer::DiscardChanges)),
        (text::CANCEL, text::RETURN_HELP, Action::Answer(Answer::CloseDialog)),
    ];
    let text = match session.tools.games.shown() {
        Some((game, character)) => {
            let (character, game) = (&game.characters[character].name, &game.name);
            text::unsaved_edits(&character, &game)
        }
        None => text::unsaved_changes(&name),
    };
    question(ctx, text::UNSAVED_CHANGES, &text, &answers, actions);
}

pub(super) fn unsaved_game(ctx: &egui::Context, session: &Session, actions: &mut Vec<Action>) {
    let (name, frames) =
        session.tools.games.unsaved().map_or((text::THE_GAME, 0), |game| (game.name.as_str(), game.len()));
    let answers = [
        (text::SAVE_GAME, text::SAVE_GAME_HELP, Action::Answer(Answer::SaveGame)),
        (text::QUIT_WITHOUT_SAVING, text::QUIT_WITHOUT_SAVING_HELP, Action::Answer(Answer::DiscardGame)),
        (text::CANCEL, text::RETURN_HELP, Action::Answer(Answer::CloseDialog)),
    ];
    let text = text::unsaved_frames(&counted(frames, "frame"), &name);
    question(ctx, text::UNSAVED_FRAMES, &text, &answers, actions);
}

fn question(ctx: &egui::Context, title: &str, text: &str, answers: &[(&str, &str, Action)], actions: &mut Vec<Action>) {
    let window = egui::Window::new(title).collapsible(false).resizable(false);
    window.anchor(Align2::CENTER_CENTER, [0.0, 0.0]).show(ctx, |ui| {
        ui.set_max_width(460.0);
        ui.add(egui::Label::new(text).wrap());
        ui.add_space(10.0);
        ui.horizontal(|ui| {
            let buttons: Vec<_> = answers.iter().map(|(answer, help, _)| ui.button(*answer).help(*help)).collect();
            if !buttons.iter().any(egui::Response::has_focus)
                && let Some(first) = buttons.first()
            {
                first.request_focus();
            }
            let chosen = buttons.iter().zip(answers).filter(|(button, _)| button.clicked());
            actions.extend(chosen.map(|(_, (_, _, action))| action.clone()));
        });
    });
}

pub(super) fn recover(ctx: &egui::Context, session: &Session, actions: &mut Vec<Action>) {
    let what = session.files.recovered.as_ref().map(|left| left.describe()).unwrap_or_default();
    let text = text::did_not_close(&what);
    let answers = [
        (text::RECOVER, text::RECOVER_HELP, Action::Answer(Answer::Recover)),
        (text::DISCARD, text::DELETE_HELP, Action::Answer(Answer::DiscardRecovered)),
        (text::LATER, text::LATER_HELP, Action::Answer(Answer::CloseDialog)),
    ];
    question(ctx, text::UNSAVED_WORK, &text, &answers, actions);
}

pub(super) fn changed_on_disk(ctx: &egui::Context, path: &std::path::Path, actions: &mut Vec<Action>) {
    let text = text::changed_on_disk(&path.display());
    let answers = [
        (text::SAVE_AS, text::SAVE_AS_HELP, Action::Command(Command::SavePresetAs)),
        (text::OVERWRITE, text::OVERWRITE_CHANGES_HELP, Action::Answer(Answer::OverwritePreset)),
        (text::CANCEL, text::SAVE_NOTHING_HELP, Action::Answer(Answer::CloseDialog)),
    ];
    question(ctx, text::CHANGED_ON_DISK, &text, &answers, actions);
}

pub(super) fn other_character(
    ctx: &egui::Context,
    session: &Session,
    path: &Path,
    made: &str,
    actions: &mut Vec<Action>,
) {
    let made = if made.is_empty() { text::ANOTHER_MODEL } else { made };
    let own = &session.world.character.model.name;
    let text = text::made_with(&path.display(), &made, &own);
    let answers = [
        (text::SAVE_AS, text::SAVE_AS_HELP, Action::Command(Command::SavePresetAs)),
        (text::OVERWRITE, text::OVERWRITE_PRESET_HELP, Action::Answer(Answer::OverwritePreset)),
        (text::CANCEL, text::SAVE_NOTHING_HELP, Action::Answer(Answer::CloseDialog)),
    ];
    question(ctx, text::OTHER_CHARACTER, &text, &answers, actions);
}

pub(super) fn model_of_preset(
    ctx: &egui::Context,
    session: &Session,
    preset: &Path,
    why: &str,
    actions: &mut Vec<Action>,
) {
    let own = &session.world.character.model.name;
    let text = text::could_not_open_model(&preset.display(), &why);
    let shown = text::open_on(&own);
    let answers = [
        (text::FIND_MODEL, text::FIND_MODEL_HELP, Action::Answer(Answer::FindModel)),
        (shown.as_str(), text::OPEN_ON_HELP, Action::Answer(Answer::OpenPresetAsShown)),
        (text::CANCEL, text::OPEN_NOTHING_HELP, Action::Answer(Answer::CloseDialog)),
    ];
    question(ctx, text::MODEL_NOT_FOUND, &text, &answers, actions);
}

pub(crate) fn missing_clips_text(model: &Model, scene: &str, missing: &[String]) -> String {
    let has = match model.clips.len() {
        0 => text::HAS_NO_CLIPS.to_owned(),
        count => text::has_other_clips(&counted(count, "clip")),
    };
    let wanted: Vec<String> = missing.iter().map(|word| format!("\"{word}\"")).collect();
    let plural = if missing.len() == 1 { "clip" } else { "clips" };
    text::scene_plays(&scene, &plural, &wanted.join(", "), &model.name, &has)
}

pub(super) fn scene_needs_clips(
    ctx: &egui::Context,
    session: &Session,
    scene: &str,
    missing: &[String],
    actions: &mut Vec<Action>,
) {
    let text = missing_clips_text(&session.world.character.model, scene, missing);
    let answers = [
        (text::USE_MANNEQUIN, text::USE_MANNEQUIN_HELP, Action::Answer(Answer::SceneOnMannequin)),
        (text::START_WITHOUT, text::START_WITHOUT_HELP, Action::Answer(Answer::SceneAnyway)),
        (text::CANCEL, text::START_NOTHING_HELP, Action::Answer(Answer::CloseDialog)),
    ];
    question(ctx, text::CLIPS_MISSING, &text, &answers, actions);
}

pub(super) fn keep_targets_text(
    session: &Session,
    before: &str,
    preset: Option<&str>,
    (count, heights): (usize, [f32; 2]),
) -> String {
    let own = &session.world.character.model.name;
    let set = counted(count, "target");
    let were = if count == 1 { "was" } else { "were" };
    let mut text = text::targets_set_on(&set, &were, &before);
    if !are_as_tall(heights) {
        let [was, is] = heights;
        text.push_str(&text::heights(&before, &was, &own, &is));
    }
    if let Some(preset) = preset {
        text.push_str(&text::preset_unchanged(&preset, &before));
    }
    text.push_str(text::UNDO_RESTORES);
    text
}

/// The first answer, which has the focus, keeps the targets if they `fit`, and drops them otherwise.
pub(super) fn keep_targets(ctx: &egui::Context, text: &str, fit: bool, actions: &mut Vec<Action>) {
    let mut answers = [
        (text::KEEP_TARGETS, text::KEEP_TARGETS_HELP, Action::Answer(Answer::CloseDialog)),
        (text::DROP_TARGETS, text::DROP_TARGETS_HELP, Action::Answer(Answer::DropTargets)),
    ];
    if !fit {
        answers.reverse();
    }
    question(ctx, text::PREVIOUS_TARGETS, text, &answers, actions);
}

pub(super) fn exists(ctx: &egui::Context, path: &Path, actions: &mut Vec<Action>) {
    let text = text::already_exists(&path.display());
    let answers = [
        (text::OVERWRITE, text::REPLACE_HELP, Action::Answer(Answer::Overwrite)),
        (text::CANCEL, text::WRITE_NOTHING_HELP, Action::Answer(Answer::CloseDialog)),
    ];
    question(ctx, text::OVERWRITE_QUESTION, &text, &answers, actions);
}
