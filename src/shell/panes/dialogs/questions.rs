//! Dialogs that ask a question.

use std::path::Path;

use egui_macroquad::egui::{self, Align2};

use crate::character::are_as_tall;
use crate::session::answers::Answer;
use crate::session::commands::Command;
use crate::session::{Action, Session};
use crate::ui::help::Help;
use crate::ui::words::counted;
use kinescope_ik::rig::Model;

pub(super) fn unsaved(ctx: &egui::Context, session: &Session, actions: &mut Vec<Action>) {
    let name = session.files.preset.as_ref().map_or("this preset".into(), |path| path.display().to_string());
    let answers = [
        ("Save", "Saves to its file, or asks for a name.", Action::Answer(Answer::SaveChanges)),
        ("Discard", "Loses the changes.", Action::Answer(Answer::DiscardChanges)),
        ("Cancel", "Returns to the session.", Action::Answer(Answer::CloseDialog)),
    ];
    let text = match session.tools.games.shown() {
        Some((game, character)) => {
            let (character, game) = (&game.header.characters[character].name, &game.name);
            format!("Edits of {character}'s parameters in {game} are not saved in a preset.")
        }
        None => format!("Changes to {name} are not saved."),
    };
    question(ctx, "Unsaved changes", &text, &answers, actions);
}

pub(super) fn unsaved_game(ctx: &egui::Context, session: &Session, actions: &mut Vec<Action>) {
    let (name, frames) = session.tools.games.unsaved().map_or(("the game", 0), |game| (game.name.as_str(), game.len()));
    let answers = [
        ("Save…", "Saves the frames as a recording.", Action::Answer(Answer::SaveGame)),
        ("Quit without saving", "Loses the frames.", Action::Answer(Answer::DiscardGame)),
        ("Cancel", "Returns to the session.", Action::Answer(Answer::CloseDialog)),
    ];
    let text = format!("{frames} frames from {name} are not saved.");
    question(ctx, "Unsaved frames", &text, &answers, actions);
}

/// Shows a question with its answers. The keyboard starts at the first answer and stays among them.
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
    let text = format!("Kinescope did not close properly the last time. Unsaved work: {what}.");
    let answers = [
        ("Recover", "Restores character, settings and newest frames.", Action::Answer(Answer::Recover)),
        ("Discard", "Deletes this work permanently.", Action::Answer(Answer::DiscardRecovered)),
        ("Later", "Asks again at the next start.", Action::Answer(Answer::CloseDialog)),
    ];
    question(ctx, "Work that was not saved", &text, &answers, actions);
}

pub(super) fn changed_on_disk(ctx: &egui::Context, path: &std::path::Path, actions: &mut Vec<Action>) {
    let text = format!("{} was changed by another program since it was opened here.", path.display());
    let answers = [
        ("Save as…", "Saves to another file. Both presets are kept.", Action::Command(Command::SavePresetAs)),
        ("Overwrite", "Replaces the other program's changes.", Action::Answer(Answer::OverwritePreset)),
        ("Cancel", "Saves nothing.", Action::Answer(Answer::CloseDialog)),
    ];
    question(ctx, "Changed on disk", &text, &answers, actions);
}

pub(super) fn other_character(
    ctx: &egui::Context,
    session: &Session,
    path: &Path,
    made: &str,
    actions: &mut Vec<Action>,
) {
    let made = if made.is_empty() { "another model" } else { made };
    let own = &session.world.character.model.name;
    let text = format!("{} was made with {made}. Saving here writes it for {own}.", path.display());
    let answers = [
        ("Save as…", "Saves to another file. Both presets are kept.", Action::Command(Command::SavePresetAs)),
        ("Overwrite", "Replaces the preset of the other character.", Action::Answer(Answer::OverwritePreset)),
        ("Cancel", "Saves nothing.", Action::Answer(Answer::CloseDialog)),
    ];
    question(ctx, "Preset of another character", &text, &answers, actions);
}

pub(super) fn model_of_preset(
    ctx: &egui::Context,
    session: &Session,
    preset: &Path,
    why: &str,
    actions: &mut Vec<Action>,
) {
    let own = &session.world.character.model.name;
    let text = format!("Could not open the model of {}.\n{why}", preset.display());
    let shown = format!("Open on {own}");
    let answers = [
        ("Find the model…", "Opens the preset on a model that you choose.", Action::Answer(Answer::FindModel)),
        (shown.as_str(), "Opens the preset on the current character.", Action::Answer(Answer::OpenPresetAsShown)),
        ("Cancel", "Opens nothing.", Action::Answer(Answer::CloseDialog)),
    ];
    question(ctx, "Model not found", &text, &answers, actions);
}

/// Formats which clips of a scene a model lacks.
pub fn missing_clips_text(model: &Model, scene: &str, missing: &[String]) -> String {
    let has = match model.clips.len() {
        0 => "has no clips".to_owned(),
        count => format!("has {}, none with that name", counted(count, "clip")),
    };
    let wanted: Vec<String> = missing.iter().map(|word| format!("\"{word}\"")).collect();
    let plural = if missing.len() == 1 { "clip" } else { "clips" };
    format!("The scene «{scene}» plays the {plural} {}. {} {has}.", wanted.join(", "), model.name)
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
        (
            "Use the mannequin",
            "Starts the scene with the built-in character, which has the clips.",
            Action::Answer(Answer::SceneOnMannequin),
        ),
        (
            "Start without",
            "Starts the scene as far as it goes. Choose a clip in the outliner.",
            Action::Answer(Answer::SceneAnyway),
        ),
        ("Cancel", "Starts nothing.", Action::Answer(Answer::CloseDialog)),
    ];
    question(ctx, "Clips missing", &text, &answers, actions);
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
    let mut text = format!("{set} {were} set on {before}. ");
    if !are_as_tall(heights) {
        let [was, is] = heights;
        text.push_str(&format!("{before} is {was:.2} units tall, {own} is {is:.2}. "));
    }
    if let Some(preset) = preset {
        text.push_str(&format!("{preset} stays unchanged, for {before}. Saving asks for another file. "));
    }
    text.push_str("Ctrl+Z restores dropped targets.");
    text
}

/// Recommends keeping targets that fit, and dropping others.
pub(super) fn keep_targets(ctx: &egui::Context, text: &str, fit: bool, actions: &mut Vec<Action>) {
    let mut answers = [
        ("Keep targets", "Keeps the targets where they are.", Action::Answer(Answer::CloseDialog)),
        ("Drop targets", "Returns the character to its clip or rest pose.", Action::Answer(Answer::DropTargets)),
    ];
    if !fit {
        answers.reverse();
    }
    question(ctx, "Targets of the previous model", text, &answers, actions);
}

pub(super) fn exists(ctx: &egui::Context, path: &Path, actions: &mut Vec<Action>) {
    let text = format!("{} already exists.", path.display());
    let answers = [
        ("Overwrite", "Replaces the file.", Action::Answer(Answer::Overwrite)),
        ("Cancel", "Writes nothing.", Action::Answer(Answer::CloseDialog)),
    ];
    question(ctx, "Overwrite?", &text, &answers, actions);
}
