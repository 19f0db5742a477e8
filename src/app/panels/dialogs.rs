//! Dialogs: files, unsaved changes, keys, palette, rig doctor.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use egui_file_dialog::{FileDialog, OpeningMode};
use egui_macroquad::egui::{self, Align2, Key, Modifiers, RichText, Sense};
use egui_phosphor::regular as icon;

use super::help::Help;
use super::widgets::key_cap;
use crate::app::character::are_as_tall;
use crate::app::commands::{COMMANDS, Command, matching};
use crate::app::files;
use crate::app::render::places;
use crate::app::session::{Action, Dialog, Session};
use crate::app::theme::{Theme, semibold};
use crate::app::words::counted;

/// Around what a notice says, and what its button takes of the line.
const NOTICE_MARGIN: f32 = 10.0;
const NOTICE_BUTTON: f32 = 32.0;

/// What dialogs remember while they are open.
#[derive(Default)]
pub struct Dialogs {
    files: FileDialog,
    /// The dialog that the file dialog was opened for.
    asked: Option<Dialog>,
    /// Where a file was last chosen, by the ending that was asked for.
    folders: HashMap<&'static str, PathBuf>,
    query: String,
    chosen: usize,
}

/// A dialog that asks for a file.
struct FileAsk {
    title: &'static str,
    /// What is offered for a file to be written; `None` for one to be read.
    name: Option<String>,
    /// What kinds of files there are, and the endings of each; the first is the one that is offered.
    kinds: &'static [(&'static str, &'static [&'static str])],
    make: fn(PathBuf) -> Action,
}

const JSON: &[(&str, &[&str])] = &[("JSON", &["json"])];
const RECORDING: &[(&str, &[&str])] = &[("Recording", &["jsonl"])];
const MODEL: &[(&str, &[&str])] = &[("Characters", &["glb", "gltf", "vrm"])];
const GLB: &[(&str, &[&str])] = &[("glTF binary", &["glb"])];
const PNG: &[(&str, &[&str])] = &[("PNG picture", &["png"])];

impl FileAsk {
    /// What a dialog asks for; nothing if it asks for no file.
    fn of(session: &Session) -> Option<Self> {
        let model = session.character.path.as_deref().and_then(Path::file_stem);
        let stem = model.map_or("mannequin".into(), |stem| stem.to_string_lossy().into_owned());
        let clip = session.clip.clip().and_then(|clip| session.character.model.clips.get(clip));
        let clip = clip.map_or("clip".into(), |clip| clip.name.replace(['/', '\\', ':'], " "));
        let preset = session.files.preset.as_deref().and_then(Path::file_name);
        let preset = preset.map_or_else(|| format!("{stem}.json"), |name| name.to_string_lossy().into_owned());
        let open = |title, kinds, make| Some(Self { title, name: None, kinds, make });
        let save = |title, name, kinds, make| Some(Self { title, name: Some(name), kinds, make });
        match session.desk.dialog.as_ref()? {
            Dialog::OpenModel => open("Open model", MODEL, Action::OpenModel),
            Dialog::FindModel => open("Find the preset's model", MODEL, Action::OpenPresetOn),
            Dialog::OpenPreset => open("Open preset", JSON, Action::OpenPreset),
            Dialog::CompareWith => open("Compare with preset", JSON, Action::CompareWith),
            Dialog::OpenTrace => open("Open a port's trace", JSON, Action::OpenTrace),
            Dialog::OpenCapsule => open("Open bug capsule", JSON, Action::OpenCapsule),
            Dialog::OpenRecording => open("Open recording", RECORDING, Action::OpenRecording),
            Dialog::SaveRecording => {
                let name = session.games.to_save().map_or("game", |game| game.name.trim_end_matches(".jsonl"));
                let name = format!("{}.jsonl", name.replace(['/', '\\', ':'], " "));
                save("Save recording", name, RECORDING, Action::SaveRecordingTo)
            }
            Dialog::SavePreset => save("Save preset", preset, JSON, Action::SavePresetTo),
            Dialog::ExportTrace => save("Export trace", format!("{stem} trace.json"), JSON, Action::ExportTraceTo),
            Dialog::ExportPose => {
                let kinds: &[(&str, &[&str])] = &[("glTF binary", &["glb"]), ("JSON", &["json"])];
                save("Export pose", format!("{stem} pose.glb"), kinds, Action::ExportPoseTo)
            }
            Dialog::ExportCsharp => {
                save("Export as C# assignments", format!("{stem}.cs"), &[("C#", &["cs"])], Action::ExportCsharpTo)
            }
            Dialog::BakeClip => save("Bake clip", format!("{stem} {clip}.glb"), GLB, Action::BakeClipTo),
            Dialog::SaveCapsule => {
                save("Save bug capsule", format!("{stem} capsule.json"), JSON, Action::SaveCapsuleTo)
            }
            Dialog::ExportCsv => {
                save("Export measures", format!("{stem} measures.csv"), &[("CSV table", &["csv"])], Action::ExportCsvTo)
            }
            Dialog::Capture => {
                let kinds: &[(&str, &[&str])] = &[("GIF animation", &["gif"]), ("Numbered PNG pictures", &["png"])];
                save("Capture steps", "steps.gif".to_owned(), kinds, Action::CaptureTo)
            }
            Dialog::PlotPicture => save("Save picture of plots", "plots.png".to_owned(), PNG, Action::PlotPictureTo),
            Dialog::Picture => save("Save picture", "kinescope.png".to_owned(), PNG, Action::PictureTo),
            Dialog::Keys
            | Dialog::Palette
            | Dialog::RigDoctor
            | Dialog::Unsaved(_)
            | Dialog::UnsavedGame
            | Dialog::TakeBack
            | Dialog::Exists(_)
            | Dialog::OtherCharacter { .. }
            | Dialog::ModelOfPreset { .. }
            | Dialog::KeepTargets { .. }
            | Dialog::ChangedOnDisk(_) => None,
        }
    }

    fn endings(&self) -> Vec<&'static str> {
        self.kinds.iter().flat_map(|(_, endings)| endings.iter().copied()).collect()
    }

    /// The dialog that asks, in a folder.
    fn dialog(&self, folder: PathBuf) -> FileDialog {
        let mut dialog = FileDialog::new()
            .title(self.title)
            .initial_directory(folder)
            .opening_mode(OpeningMode::AlwaysInitialDir)
            .default_size([760.0, 460.0])
            .anchor(Align2::CENTER_CENTER, [0.0, 0.0]);
        match &self.name {
            Some(name) => {
                for (kind, endings) in self.kinds {
                    dialog = dialog.add_save_extension(kind, endings[0]);
                }
                dialog = dialog.default_save_extension(self.kinds[0].0).default_file_name(name);
                dialog.save_file();
            }
            None => {
                for (kind, endings) in self.kinds {
                    let name = format!("{kind} (.{})", endings.join(" ."));
                    dialog = dialog.add_file_filter_extensions(&name, endings.to_vec()).default_file_filter(&name);
                }
                dialog.pick_file();
            }
        }
        dialog
    }
}

impl Dialogs {
    /// The dialog that is open, and the notice.
    pub fn show(&mut self, ctx: &egui::Context, session: &Session, had_popup: bool, actions: &mut Vec<Action>) {
        self.show_files(ctx, session, had_popup, actions);
        match &session.desk.dialog {
            Some(Dialog::Unsaved(_)) => unsaved(ctx, session, actions),
            Some(Dialog::UnsavedGame) => unsaved_game(ctx, session, actions),
            Some(Dialog::TakeBack) => take_back(ctx, session, actions),
            Some(Dialog::ChangedOnDisk(path)) => changed_on_disk(ctx, path, actions),
            Some(Dialog::Exists(path)) => exists(ctx, path, actions),
            Some(Dialog::OtherCharacter { preset, name }) => other_character(ctx, session, preset, name, actions),
            Some(Dialog::ModelOfPreset { preset, why, .. }) => model_of_preset(ctx, session, preset, why, actions),
            Some(Dialog::KeepTargets { before, preset, count, heights }) => {
                let text = keep_targets_text(session, before, preset.as_deref(), (*count, *heights));
                keep_targets(ctx, &text, are_as_tall(*heights), actions);
            }
            Some(Dialog::Keys) => keys(ctx, session, actions),
            Some(Dialog::Palette) => self.palette(ctx, session, actions),
            _ => {}
        }
        if !matches!(session.desk.dialog, Some(Dialog::Palette)) {
            self.query.clear();
            self.chosen = 0;
        }
        let closes = session.desk.dialog.is_some() && self.asked.is_none() && !had_popup;
        if closes && ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
            actions.push(Action::CloseDialog);
        }
    }

    fn show_files(&mut self, ctx: &egui::Context, session: &Session, had_popup: bool, actions: &mut Vec<Action>) {
        let Some(ask) = FileAsk::of(session) else {
            self.asked = None;
            return;
        };
        let ending = ask.kinds[0].1[0];
        if self.asked != session.desk.dialog {
            self.asked.clone_from(&session.desk.dialog);
            let of_file = |path: &Option<PathBuf>| path.as_ref()?.parent().map(Path::to_owned);
            let preset =
                of_file(&session.files.preset).filter(|_| matches!(session.desk.dialog, Some(Dialog::SavePreset)));
            let last = self.folders.get(ending).cloned();
            let folder = preset.or(last).or_else(|| of_file(&session.character.path));
            let folder = folder.and_then(|folder| std::path::absolute(folder).ok()).filter(|folder| folder.is_dir());
            self.files = ask.dialog(folder.or_else(|| std::env::current_dir().ok()).unwrap_or_default());
        }
        // The dialog itself takes it only where nothing in it has the keyboard.
        if !had_popup && ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
            self.asked = None;
            return actions.push(Action::CloseDialog);
        }
        self.files.update(ctx);
        if let Some(path) = self.files.take_picked() {
            self.asked = None;
            if let Some(folder) = path.parent() {
                self.folders.insert(ending, folder.to_owned());
            }
            let Some(_) = ask.name else { return actions.push((ask.make)(path)) };
            let whole = files::with_ending(&path, &ask.endings());
            // The dialog has asked about the file that was named, not about the one that this comes to.
            let action = (ask.make)(whole.clone());
            actions.push(match whole != path && whole.exists() {
                true => Action::AskToOverwrite(whole, Box::new(action)),
                false => action,
            });
        } else if matches!(
            self.files.state(),
            egui_file_dialog::DialogState::Cancelled | egui_file_dialog::DialogState::Closed
        ) {
            actions.push(Action::CloseDialog);
        }
    }

    fn palette(&mut self, ctx: &egui::Context, session: &Session, actions: &mut Vec<Action>) {
        let theme = Theme::of(session.view.light_theme);
        let window = egui::Window::new("palette").title_bar(false).resizable(false);
        window.anchor(Align2::CENTER_TOP, [0.0, 90.0]).fixed_size([440.0, 380.0]).show(ctx, |ui| {
            let field = ui.add(egui::TextEdit::singleline(&mut self.query).hint_text("a command").desired_width(420.0));
            field.request_focus();
            if field.changed() {
                self.chosen = 0;
            }
            let found = matching(&self.query);
            ui.input_mut(|input| {
                let down = input.count_and_consume_key(Modifiers::NONE, Key::ArrowDown);
                let up = input.count_and_consume_key(Modifiers::NONE, Key::ArrowUp);
                self.chosen = (self.chosen + down).saturating_sub(up).min(found.len().saturating_sub(1));
            });
            let enter = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
            egui::ScrollArea::vertical().max_height(330.0).auto_shrink(false).show(ui, |ui| {
                for (index, info) in found.iter().enumerate() {
                    let row = ui.horizontal(|ui| {
                        let response = ui.selectable_label(index == self.chosen, info.label);
                        ui.label(RichText::new(info.help).color(theme.text[2]).size(11.0));
                        key_cap(ui, theme, &info.shortcut_text());
                        response
                    });
                    let chosen = index == self.chosen;
                    if chosen && (enter || self.chosen > 0) {
                        row.inner.scroll_to_me(None);
                    }
                    if row.inner.clicked() || (chosen && enter) {
                        actions.push(Action::CloseDialog);
                        actions.push(Action::Command(info.command));
                    }
                }
            });
        });
    }
}

fn unsaved(ctx: &egui::Context, session: &Session, actions: &mut Vec<Action>) {
    let name = session.files.preset.as_ref().map_or("this preset".into(), |path| path.display().to_string());
    let answers = [
        ("Save", "To its file; one without asks for a name.", Action::SaveChanges),
        ("Discard", "The changes are gone.", Action::DiscardChanges),
        ("Cancel", "Go on here.", Action::CloseDialog),
    ];
    let text = match session.games.shown() {
        Some((game, character)) => {
            let (character, game) = (&game.header.characters[character].name, &game.name);
            format!("What you edited of {character}'s parameters, in {game}, is in no preset yet.")
        }
        None => format!("Changes to {name} are not saved."),
    };
    question(ctx, "Unsaved changes", &text, &answers, actions);
}

fn unsaved_game(ctx: &egui::Context, session: &Session, actions: &mut Vec<Action>) {
    let (name, frames) = session.games.unsaved().map_or(("the game", 0), |game| (game.name.as_str(), game.len()));
    let answers = [
        ("Save…", "As a recording.", Action::SaveGame),
        ("Quit without them", "The frames are gone.", Action::LoseGame),
        ("Cancel", "Go on here.", Action::CloseDialog),
    ];
    let text = format!("{frames} frames that came from {name} are in no file.");
    question(ctx, "Frames that were not saved", &text, &answers, actions);
}

/// A question with its answers. The keyboard goes to the first, and no further than to the others.
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

fn take_back(ctx: &egui::Context, session: &Session, actions: &mut Vec<Action>) {
    let what = session.files.left.as_ref().map(|left| left.describe()).unwrap_or_default();
    let text = format!("The last time, Kinescope did not end by itself, and this was not saved: {what}.");
    let answers = [
        ("Take it back", "Its character, its settings and its newest frames, as they were.", Action::TakeBack),
        ("Throw it away", "It is gone for good.", Action::ThrowAway),
        ("Later", "It is asked again when Kinescope is started next.", Action::CloseDialog),
    ];
    question(ctx, "Work that was not saved", &text, &answers, actions);
}

fn changed_on_disk(ctx: &egui::Context, path: &std::path::Path, actions: &mut Vec<Action>) {
    let text = format!("{} was changed by another program since it was opened here.", path.display());
    let answers = [
        ("Save as…", "To another file; both are kept.", Action::Command(Command::SavePresetAs)),
        ("Overwrite", "What the other program wrote there is gone.", Action::OverwritePreset),
        ("Cancel", "Nothing is saved.", Action::CloseDialog),
    ];
    question(ctx, "Changed on disk", &text, &answers, actions);
}

fn other_character(ctx: &egui::Context, session: &Session, path: &Path, made: &str, actions: &mut Vec<Action>) {
    let made = if made.is_empty() { "another model" } else { made };
    let own = &session.character.model.name;
    let text = format!("{} was made with {made}. Saving here writes it for {own}.", path.display());
    let answers = [
        ("Save as…", "Saves to another file. Both presets are kept.", Action::Command(Command::SavePresetAs)),
        ("Overwrite", "Replaces the preset of the other character.", Action::OverwritePreset),
        ("Cancel", "Saves nothing.", Action::CloseDialog),
    ];
    question(ctx, "Preset of another character", &text, &answers, actions);
}

fn model_of_preset(ctx: &egui::Context, session: &Session, preset: &Path, why: &str, actions: &mut Vec<Action>) {
    let own = &session.character.model.name;
    let text = format!("Could not open the model of {}.\n{why}", preset.display());
    let shown = format!("Open on {own}");
    let answers = [
        ("Find the model…", "Opens the preset on a model that you choose.", Action::FindModel),
        (shown.as_str(), "Opens the preset on the character that is shown.", Action::OpenPresetAsShown),
        ("Cancel", "Opens nothing.", Action::CloseDialog),
    ];
    question(ctx, "Model not found", &text, &answers, actions);
}

fn keep_targets_text(
    session: &Session,
    before: &str,
    preset: Option<&str>,
    (count, heights): (usize, [f32; 2]),
) -> String {
    let own = &session.character.model.name;
    let set = counted(count, "target");
    let were = if count == 1 { "was" } else { "were" };
    let mut text = format!("{set} {were} set on {before}. ");
    if !are_as_tall(heights) {
        let [was, is] = heights;
        text.push_str(&format!("{before} is {was:.2} units tall, {own} is {is:.2}. "));
    }
    if let Some(preset) = preset {
        text.push_str(&format!("{preset} stays as it is, for {before}; saving asks for another file. "));
    }
    text.push_str("Ctrl+Z takes back what you choose.");
    text
}

/// Targets that fit are kept unless the user says otherwise, others are dropped.
fn keep_targets(ctx: &egui::Context, text: &str, fit: bool, actions: &mut Vec<Action>) {
    let mut answers = [
        ("Keep targets", "The targets stay where they are.", Action::CloseDialog),
        ("Drop targets", "The character stands as its clip or its rest pose has it.", Action::DropTargets),
    ];
    if !fit {
        answers.reverse();
    }
    question(ctx, "Targets of the model before", text, &answers, actions);
}

fn exists(ctx: &egui::Context, path: &Path, actions: &mut Vec<Action>) {
    let text = format!("{} exists already.", path.display());
    let answers = [
        ("Overwrite", "What is in it is gone.", Action::Overwrite),
        ("Cancel", "Nothing is written.", Action::CloseDialog),
    ];
    question(ctx, "Overwrite?", &text, &answers, actions);
}

fn keys(ctx: &egui::Context, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.view.light_theme);
    let mut open = true;
    let window = egui::Window::new("Keys").open(&mut open).collapsible(false).resizable(false);
    window.anchor(Align2::CENTER_CENTER, [0.0, 0.0]).show(ctx, |ui| {
        ui.horizontal_top(|ui| {
            for menus in [&["File", "Edit", "Window"][..], &["View", "Analyse", "Help"], &["Timeline"]] {
                ui.vertical(|ui| {
                    for menu in menus {
                        ui.label(RichText::new(*menu).family(semibold()));
                        egui::Grid::new(menu).num_columns(2).spacing([16.0, 4.0]).show(ui, |ui| {
                            for info in COMMANDS.iter().filter(|info| info.menu == *menu && info.shortcut.is_some()) {
                                ui.label(RichText::new(info.label).color(theme.text[1])).help(info.help);
                                key_cap(ui, theme, &info.shortcut_text());
                                ui.end_row();
                            }
                        });
                        ui.add_space(8.0);
                    }
                });
                ui.add_space(12.0);
            }
        });
        ui.separator();
        ui.label(
            "Mouse: left drags a handle, right orbits, middle pans, wheel zooms. Drop a model or preset to open it.",
        );
    });
    if !open {
        actions.push(Action::CloseDialog);
    }
}

/// The file that is being opened, with a button that cancels it. The button keeps its place.
pub fn opening(ctx: &egui::Context, session: &Session, picture: egui::Rect, actions: &mut Vec<Action>) {
    let Some((name, progress)) = session.opening() else { return };
    let theme = Theme::of(session.view.light_theme);
    let place = places::opening(picture);
    let area = egui::Area::new("opening".into()).fixed_pos(place.right_bottom()).pivot(Align2::RIGHT_BOTTOM);
    area.show(ctx, |ui| {
        let frame = egui::Frame::new().fill(theme.header).corner_radius(4.0).inner_margin(6.0);
        frame.stroke(egui::Stroke::new(1.0, theme.track)).show(ui, |ui| {
            let size = place.size() - egui::Vec2::splat(2.0 * 7.0);
            ui.allocate_ui_with_layout(size, egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.set_min_size(size);
                if ui.button("Cancel").help("Stop opening the file and keep the character.").clicked() {
                    actions.push(Action::Command(Command::CancelJobs));
                }
                if let Some(progress) = progress {
                    ui.label(RichText::new(format!("{:.0} %", progress * 100.0)).monospace());
                }
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    ui.label(RichText::new(icon::FOLDER_OPEN).size(15.0));
                    ui.add(egui::Label::new(format!("Opening {name}…")).truncate());
                });
            });
        });
    });
}

/// What tells what happened, in the picture where it covers neither feet nor hint.
pub fn notice(ctx: &egui::Context, session: &Session, picture: egui::Rect, actions: &mut Vec<Action>) {
    let Some(notice) = &session.desk.notice else { return };
    let theme = Theme::of(session.view.light_theme);
    let place = places::notice(picture);
    let area = egui::Area::new("notice".into()).fixed_pos(place.right_top()).pivot(Align2::RIGHT_TOP);
    // What goes by itself lets a press through, to the handle under it.
    area.interactable(notice.is_error).show(ctx, |ui| {
        let frame = egui::Frame::new().fill(theme.header).corner_radius(4.0).inner_margin(NOTICE_MARGIN);
        let size = place.size() - egui::Vec2::splat(2.0 * (NOTICE_MARGIN + 1.0));
        frame.stroke(egui::Stroke::new(1.0, theme.track)).show(ui, |ui| {
            ui.set_max_width(size.x);
            egui::ScrollArea::vertical().max_height(size.y).show(ui, |ui| {
                ui.horizontal_top(|ui| {
                    if notice.is_error {
                        ui.label(RichText::new(icon::WARNING).color(theme.warning).size(15.0));
                    }
                    ui.vertical(|ui| {
                        ui.set_max_width(ui.available_width() - NOTICE_BUTTON);
                        ui.add(egui::Label::new(&notice.text).wrap());
                    });
                    let close = || egui::Button::new("×").frame(false).sense(Sense::click());
                    if notice.is_error && ui.add(close()).clicked() {
                        actions.push(Action::DismissNotice);
                    }
                });
            });
        });
    });
}
