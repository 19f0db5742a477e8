//! Dialogs: files, unsaved changes, keys, palette, rig doctor.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use egui_file_dialog::{FileDialog, FileDialogKeyBindings, OpeningMode};
use egui_macroquad::egui::{self, Align2, Key, Modifiers, RichText, Sense};
use egui_phosphor::regular as icon;

use crate::character::are_as_tall;
use crate::picture::navigation::Navigation;
use crate::picture::places;
use crate::session::answers::Answer;
use crate::session::commands::{COMMANDS, Command, FileAsk, Kinds, OTHER_KEYS};
use crate::session::{Action, Dialog, Session};
use crate::system::files;
use crate::tools::export::session::BakeAction;
use crate::tools::motion::clip_player::BakeRange;
use crate::tools::pose::session::PoseAction;
use crate::ui::help::Help;
use crate::ui::jump;
use crate::ui::layout::Pane;
use crate::ui::number::Number;
use crate::ui::palette::{self, Entry, Place};
use crate::ui::theme::{Theme, semibold};
use crate::ui::widgets::key_cap;
use crate::ui::words::counted;
use kinescope_ik::rig::Model;
use kinescope_ik::stack::Attached;

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
    /// The text of the field of the file dialog that has the keyboard.
    typed: String,
    /// Why that text is no path to open.
    problem: Option<String>,
    /// What is typed into the palette or the key table.
    query: String,
    chosen: usize,
    /// The dialog that was shown last.
    shown: Option<Dialog>,
}

/// A dialog that asks for a file.
struct FileDialogAsk {
    title: &'static str,
    /// The name offered for a file to be written; `None` for one to be read.
    name: Option<String>,
    kinds: Kinds,
    action: fn(Command, PathBuf) -> Action,
    command: Command,
}

impl FileDialogAsk {
    /// Returns what the open dialog asks for; `None` if it asks for no file.
    fn of(session: &Session) -> Option<Self> {
        let (command, find) = match session.desk.dialog.as_ref()? {
            Dialog::File(command) => (*command, false),
            Dialog::FindModel => (Command::OpenModel, true),
            Dialog::Keys
            | Dialog::Palette
            | Dialog::RigDoctor
            | Dialog::AttachTarget(_)
            | Dialog::Unsaved(_)
            | Dialog::UnsavedGame
            | Dialog::TakeBack
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
                Self { title: "Find the preset's model", name, kinds, action, command }
            }
            false => Self { title: info.label.trim_end_matches('…'), name, kinds, action: Action::File, command },
        })
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
                // Enter in its field would be taken for a path, and opening a file needs no new folder.
                let keys = FileDialogKeyBindings { new_folder: Vec::new(), ..FileDialogKeyBindings::default() };
                dialog = dialog.show_new_folder_button(false).keybindings(keys);
                dialog.pick_file();
            }
        }
        dialog
    }

    /// What a file that was named leads to. A name to save under gets its ending, and a file of that name is asked about
    /// unless the dialog has done so already.
    fn action(&self, path: PathBuf, has_asked: bool) -> Action {
        if self.name.is_none() {
            return (self.action)(self.command, path);
        }
        let whole = files::with_ending(&path, &self.endings());
        // The dialog has asked about the file that was named, not about the one that this comes to.
        let asks = whole.exists() && !(has_asked && whole == path);
        let action = (self.action)(self.command, whole.clone());
        if asks { Action::Answer(Answer::AskToOverwrite(whole, Box::new(action))) } else { action }
    }

    /// What Enter after some text means, in a folder where `selected` is chosen; `None` leaves it to the dialog.
    fn typed(&self, text: &str, folder: &Path, selected: Option<&Path>) -> Option<Typed> {
        let text = text.trim();
        let home = || std::env::var_os("HOME").map(PathBuf::from);
        let path = match text.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with(is_separator)) {
            Some(rest) => home()?.join(rest.trim_start_matches(is_separator)),
            None => folder.join(text),
        };
        let is_path = text.contains(is_separator) || text.starts_with('~');
        if text.is_empty() {
            return None;
        }
        if path.is_dir() {
            return (is_path || self.name.is_none()).then_some(Typed::Folder(path));
        }
        let missing = |path: &Path| Typed::Missing(format!("{}: there is no such file or folder", path.display()));
        match &self.name {
            // A name without a folder is the dialog's own.
            Some(_) if !is_path => None,
            Some(_) => {
                let parent = path.parent().unwrap_or(folder).to_owned();
                Some(if parent.is_dir() { Typed::File(path) } else { missing(&parent) })
            }
            None if path.exists() => Some(Typed::File(path)),
            None if is_path => Some(missing(&path)),
            // The text filters the list, the first row of which is selected.
            None => selected.map(|selected| match selected.is_dir() {
                true => Typed::Folder(selected.to_owned()),
                false => Typed::File(selected.to_owned()),
            }),
        }
    }
}

/// What Enter in a field of the file dialog leads to.
#[derive(Debug, PartialEq)]
enum Typed {
    File(PathBuf),
    Folder(PathBuf),
    /// Why it leads nowhere.
    Missing(String),
}

fn is_separator(c: char) -> bool {
    std::path::is_separator(c)
}

/// What the field that was typed in since the last frame says of itself to a screen reader: the file dialog keeps its
/// texts to itself.
fn field_text(ctx: &egui::Context) -> Option<String> {
    ctx.output(|output| {
        let fields = output.events.iter().rev().map(|event| event.widget_info());
        let mut fields = fields.filter(|info| info.typ == egui::WidgetType::TextEdit);
        fields.find_map(|info| info.current_text_value.clone())
    })
}

impl Dialogs {
    /// The dialog that is open, and the notice.
    pub fn show(&mut self, ctx: &egui::Context, session: &Session, had_popup: bool, actions: &mut Vec<Action>) {
        self.show_files(ctx, session, had_popup, actions);
        let is_new = self.shown != session.desk.dialog;
        if is_new {
            self.shown.clone_from(&session.desk.dialog);
            self.query.clear();
            self.chosen = 0;
        }
        match &session.desk.dialog {
            Some(Dialog::Unsaved(_)) => unsaved(ctx, session, actions),
            Some(Dialog::UnsavedGame) => unsaved_game(ctx, session, actions),
            Some(Dialog::TakeBack) => take_back(ctx, session, actions),
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

        let closes = session.desk.dialog.is_some() && self.asked.is_none() && !had_popup;
        if closes && ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
            actions.push(Action::Answer(Answer::CloseDialog));
        }
    }

    fn show_files(&mut self, ctx: &egui::Context, session: &Session, had_popup: bool, actions: &mut Vec<Action>) {
        let Some(ask) = FileDialogAsk::of(session) else {
            self.asked = None;
            return;
        };
        let ending = ask.kinds[0].1[0];
        if self.asked != session.desk.dialog {
            self.asked.clone_from(&session.desk.dialog);
            let of_file = |path: &Option<PathBuf>| path.as_ref()?.parent().map(Path::to_owned);
            let preset = of_file(&session.files.preset)
                .filter(|_| matches!(session.desk.dialog, Some(Dialog::File(Command::SavePresetAs))));
            let last = self.folders.get(ending).cloned();
            let folder = preset.or(last).or_else(|| of_file(&session.character.path));
            let folder = folder.and_then(|folder| std::path::absolute(folder).ok()).filter(|folder| folder.is_dir());
            self.go_to(&ask, folder.or_else(|| std::env::current_dir().ok()).unwrap_or_default());
        }
        // The dialog itself takes it only where nothing in it has the keyboard.
        if !had_popup && ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
            self.asked = None;
            return actions.push(Action::Answer(Answer::CloseDialog));
        }
        let named = self.take_typed(ctx, &ask);
        let has_asked = named.is_none();
        self.files.update(ctx);
        if let Some(text) = field_text(ctx)
            && text != self.typed
        {
            (self.typed, self.problem) = (text, None);
        }
        self.show_problem(ctx, Theme::of(session.view.light_theme));
        if let Some(path) = named.or_else(|| self.files.take_picked()) {
            self.asked = None;
            if let Some(folder) = path.parent() {
                self.folders.insert(ending, folder.to_owned());
            }
            actions.push(ask.action(path, has_asked));
        } else if matches!(
            self.files.state(),
            egui_file_dialog::DialogState::Cancelled | egui_file_dialog::DialogState::Closed
        ) {
            actions.push(Action::Answer(Answer::CloseDialog));
        }
    }

    /// Opens the dialog in a folder.
    fn go_to(&mut self, ask: &FileDialogAsk, folder: PathBuf) {
        self.files = ask.dialog(folder);
        (self.typed, self.problem) = (String::new(), None);
    }

    /// The file whose path was typed, once Enter is pressed. A folder is gone to.
    fn take_typed(&mut self, ctx: &egui::Context, ask: &FileDialogAsk) -> Option<PathBuf> {
        let focused = ctx.memory(|memory| memory.focused());
        let in_field = focused.is_some_and(|id| egui::TextEdit::load_state(ctx, id).is_some());
        if !in_field || !ctx.input(|input| input.key_pressed(Key::Enter)) {
            return None;
        }
        let folder = self.files.storage_mut().last_visited_dir.clone().unwrap_or_default();
        let selected = self.files.selected_entry().map(|entry| entry.to_path_buf());
        let typed = ask.typed(&self.typed, &folder, selected.as_deref())?;
        ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
        match typed {
            Typed::File(path) => return Some(path),
            Typed::Folder(folder) => self.go_to(ask, folder),
            Typed::Missing(why) => self.problem = Some(why),
        }
        None
    }

    /// Why what was typed leads nowhere, below the file dialog.
    fn show_problem(&self, ctx: &egui::Context, theme: &Theme) {
        let Some(problem) = &self.problem else { return };
        let Some(rect) = ctx.memory(|memory| memory.area_rect(self.files.get_window_id())) else { return };
        let area = egui::Area::new("typed path".into()).order(egui::Order::Tooltip);
        area.fixed_pos(rect.left_bottom() + egui::vec2(0.0, 6.0)).show(ctx, |ui| {
            let frame = egui::Frame::new().fill(theme.header).corner_radius(4.0).inner_margin(NOTICE_MARGIN);
            frame.stroke(egui::Stroke::new(1.0, theme.warning)).show(ui, |ui| {
                ui.set_max_width(rect.width() - 2.0 * NOTICE_MARGIN);
                ui.add(egui::Label::new(format!("{} {problem}", icon::WARNING)).wrap());
            });
        });
    }

    fn palette(&mut self, ctx: &egui::Context, session: &Session, actions: &mut Vec<Action>) {
        let theme = Theme::of(session.view.light_theme);
        let window = egui::Window::new("palette").title_bar(false).resizable(false);
        window.anchor(Align2::CENTER_TOP, [0.0, 90.0]).fixed_size([PALETTE_WIDTH, 380.0]).show(ctx, |ui| {
            let hint = "a command, a scene, a setting";
            let field = egui::TextEdit::singleline(&mut self.query).hint_text(hint).desired_width(PALETTE_WIDTH);
            let field = ui.add(field);
            field.request_focus();
            if field.changed() {
                self.chosen = 0;
            }
            let settings = if self.query.trim().is_empty() { Vec::new() } else { palette::settings(session) };
            let found = palette::matching(&self.query, &settings);
            ui.input_mut(|input| {
                let down = input.count_and_consume_key(Modifiers::NONE, Key::ArrowDown);
                let up = input.count_and_consume_key(Modifiers::NONE, Key::ArrowUp);
                self.chosen = (self.chosen + down).saturating_sub(up).min(found.len().saturating_sub(1));
            });
            let enter = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
            if found.is_empty() {
                ui.add_space(6.0);
                let text = format!("Nothing matches {:?}. Try fewer letters, or a source's name.", self.query.trim());
                ui.add(egui::Label::new(RichText::new(text).color(theme.text[1])).wrap());
            }
            let is_grouped = self.query.trim().is_empty();
            let mut group = None;
            egui::ScrollArea::vertical().max_height(330.0).auto_shrink(false).show(ui, |ui| {
                for (index, found) in found.iter().enumerate() {
                    let own = found.entry.group();
                    if is_grouped && group.as_ref() != Some(&own) {
                        ui.add_space(4.0);
                        ui.label(RichText::new(&own).color(theme.text[2]).size(11.0).family(semibold()));
                        group = Some(own);
                    }
                    let chosen = index == self.chosen;
                    let row = palette_row(ui, theme, session, found, chosen);
                    if chosen && (enter || self.chosen > 0) {
                        row.scroll_to_me(None);
                    }
                    if row.clicked() || (chosen && enter) {
                        choose(ctx, session, &found.entry, actions);
                    }
                }
            });
        });
    }
}

impl Dialogs {
    /// What a target is attached to: effectors and bones, to be searched.
    fn attach_target(&mut self, ctx: &egui::Context, session: &Session, target: Attached, actions: &mut Vec<Action>) {
        let theme = Theme::of(session.view.light_theme);
        let title = format!("Attach {} to", session.target_name(target));
        let window = egui::Window::new(title).id(egui::Id::new("attach target")).collapsible(false).resizable(false);
        window.anchor(Align2::CENTER_TOP, [0.0, 90.0]).fixed_size([320.0, 380.0]).show(ctx, |ui| {
            let field = egui::TextEdit::singleline(&mut self.query).hint_text("a bone or an effector");
            let field = ui.add(field.desired_width(320.0));
            field.request_focus();
            if field.changed() {
                self.chosen = 0;
            }
            let wanted = self.query.trim().to_lowercase();
            let mut found = session.anchors(target);
            found.retain(|(name, _)| name.to_lowercase().contains(&wanted));
            ui.input_mut(|input| {
                let down = input.count_and_consume_key(Modifiers::NONE, Key::ArrowDown);
                let up = input.count_and_consume_key(Modifiers::NONE, Key::ArrowUp);
                self.chosen = (self.chosen + down).saturating_sub(up).min(found.len().saturating_sub(1));
            });
            let enter = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
            if found.is_empty() {
                let text = format!("No bone or effector matches {:?}. Try fewer letters.", self.query.trim());
                ui.add(egui::Label::new(RichText::new(text).color(theme.text[1])).wrap());
            }
            egui::ScrollArea::vertical().max_height(330.0).auto_shrink(false).show(ui, |ui| {
                for (index, (name, anchor)) in found.into_iter().enumerate() {
                    let chosen = index == self.chosen;
                    let row = ui.selectable_label(chosen, name);
                    if chosen && (enter || self.chosen > 0) {
                        row.scroll_to_me(None);
                    }
                    if row.clicked() || (chosen && enter) {
                        actions.push(Action::Answer(Answer::CloseDialog));
                        actions.push(Action::Pose(PoseAction::Attach(target, Some(anchor))));
                    }
                }
            });
        });
    }
}

/// Width of the palette in logical pixels.
const PALETTE_WIDTH: f32 = 560.0;

/// A row of the palette: its name, what it does, and on the right its shortcut or what kind of thing it is.
fn palette_row(
    ui: &mut egui::Ui,
    theme: &Theme,
    session: &Session,
    found: &palette::Found,
    chosen: bool,
) -> egui::Response {
    const SMALL: f32 = 11.0;
    let (name, help, kind) = match &found.entry {
        Entry::Command(info) => (info.label.to_owned(), info.help.to_owned(), String::new()),
        Entry::Scene(scene) => (scene.name.to_owned(), scene.purpose.to_owned(), "scene".to_owned()),
        Entry::Setting(setting) => {
            let help = match setting.first {
                Some(first) => format!("First {first}. {}", setting.field.help),
                None => setting.field.help.to_owned(),
            };
            (setting.label(), help, found.by.unwrap_or("setting").to_owned())
        }
    };
    let why_not = found.entry.why_not(session);
    let row = ui.horizontal(|ui| {
        let (color, note) = match why_not {
            Some(why) => (theme.text[2], why.to_owned()),
            None => (theme.text[0], help.clone()),
        };
        let response = ui.selectable_label(chosen, RichText::new(&name).color(color));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            match &found.entry {
                Entry::Command(info) => key_cap(ui, theme, &info.shortcut_text_in(session.look.navigation)),
                Entry::Scene(_) | Entry::Setting(_) => {
                    ui.label(RichText::new(&kind).color(theme.text[1]).size(SMALL));
                }
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                ui.add(egui::Label::new(RichText::new(&note).color(theme.text[2]).size(SMALL)).truncate());
            });
        });
        response
    });
    row.inner.help(why_not.map_or(help, str::to_owned))
}

/// Does what a row of the palette is for. A command that cannot apply now does nothing.
fn choose(ctx: &egui::Context, session: &Session, entry: &Entry, actions: &mut Vec<Action>) {
    if entry.why_not(session).is_some() {
        return;
    }
    actions.push(Action::Answer(Answer::CloseDialog));
    match entry {
        Entry::Command(info) => actions.push(Action::Command(info.command)),
        Entry::Scene(scene) => actions.push(Action::Scene(scene.name)),
        Entry::Setting(setting) => {
            match setting.place {
                Place::Inspector(selection) => {
                    if session.hands.selection != selection {
                        actions.push(Action::Select(selection));
                    }
                    actions.push(Action::ShowPane(Pane::Inspector));
                }
                Place::Pane(pane) => actions.push(Action::ShowPane(pane)),
            }
            jump::ask(ctx, setting.control);
        }
    }
}

fn unsaved(ctx: &egui::Context, session: &Session, actions: &mut Vec<Action>) {
    let name = session.files.preset.as_ref().map_or("this preset".into(), |path| path.display().to_string());
    let answers = [
        ("Save", "To its file; one without asks for a name.", Action::Answer(Answer::SaveChanges)),
        ("Discard", "The changes are gone.", Action::Answer(Answer::DiscardChanges)),
        ("Cancel", "Go on here.", Action::Answer(Answer::CloseDialog)),
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
        ("Save…", "As a recording.", Action::Answer(Answer::SaveGame)),
        ("Quit without saving", "The frames are lost.", Action::Answer(Answer::DiscardGame)),
        ("Cancel", "Go on here.", Action::Answer(Answer::CloseDialog)),
    ];
    let text = format!("{frames} frames from {name} are in no file.");
    question(ctx, "Unsaved frames", &text, &answers, actions);
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
    let text = format!("Kinescope did not close properly the last time, and this was not saved: {what}.");
    let answers = [
        (
            "Recover",
            "Its character, its settings and its newest frames, as they were.",
            Action::Answer(Answer::Recover),
        ),
        ("Discard", "It is gone for good.", Action::Answer(Answer::DiscardRecovered)),
        ("Later", "It is asked again when Kinescope is started next.", Action::Answer(Answer::CloseDialog)),
    ];
    question(ctx, "Work that was not saved", &text, &answers, actions);
}

fn changed_on_disk(ctx: &egui::Context, path: &std::path::Path, actions: &mut Vec<Action>) {
    let text = format!("{} was changed by another program since it was opened here.", path.display());
    let answers = [
        ("Save as…", "To another file; both are kept.", Action::Command(Command::SavePresetAs)),
        ("Overwrite", "What the other program wrote there is gone.", Action::Answer(Answer::OverwritePreset)),
        ("Cancel", "Nothing is saved.", Action::Answer(Answer::CloseDialog)),
    ];
    question(ctx, "Changed on disk", &text, &answers, actions);
}

fn other_character(ctx: &egui::Context, session: &Session, path: &Path, made: &str, actions: &mut Vec<Action>) {
    let made = if made.is_empty() { "another model" } else { made };
    let own = &session.character.model.name;
    let text = format!("{} was made with {made}. Saving here writes it for {own}.", path.display());
    let answers = [
        ("Save as…", "Saves to another file. Both presets are kept.", Action::Command(Command::SavePresetAs)),
        ("Overwrite", "Replaces the preset of the other character.", Action::Answer(Answer::OverwritePreset)),
        ("Cancel", "Saves nothing.", Action::Answer(Answer::CloseDialog)),
    ];
    question(ctx, "Preset of another character", &text, &answers, actions);
}

fn model_of_preset(ctx: &egui::Context, session: &Session, preset: &Path, why: &str, actions: &mut Vec<Action>) {
    let own = &session.character.model.name;
    let text = format!("Could not open the model of {}.\n{why}", preset.display());
    let shown = format!("Open on {own}");
    let answers = [
        ("Find the model…", "Opens the preset on a model that you choose.", Action::Answer(Answer::FindModel)),
        (shown.as_str(), "Opens the preset on the character that is shown.", Action::Answer(Answer::OpenPresetAsShown)),
        ("Cancel", "Opens nothing.", Action::Answer(Answer::CloseDialog)),
    ];
    question(ctx, "Model not found", &text, &answers, actions);
}

/// Says which clips a scene plays that a model does not have.
pub fn missing_clips_text(model: &Model, scene: &str, missing: &[String]) -> String {
    let has = match model.clips.len() {
        0 => "has no clips".to_owned(),
        count => format!("has none of that name among its {}", counted(count, "clip")),
    };
    let wanted: Vec<String> = missing.iter().map(|word| format!("\"{word}\"")).collect();
    let plural = if missing.len() == 1 { "clip" } else { "clips" };
    format!("The scene «{scene}» plays the {plural} {}. {} {has}.", wanted.join(", "), model.name)
}

fn scene_needs_clips(
    ctx: &egui::Context,
    session: &Session,
    scene: &str,
    missing: &[String],
    actions: &mut Vec<Action>,
) {
    let text = missing_clips_text(&session.character.model, scene, missing);
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
        ("Cancel", "Stays here.", Action::Answer(Answer::CloseDialog)),
    ];
    question(ctx, "Clips missing", &text, &answers, actions);
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
    text.push_str("Ctrl+Z brings dropped targets back.");
    text
}

/// Targets that fit are kept unless the user says otherwise, others are dropped.
fn keep_targets(ctx: &egui::Context, text: &str, fit: bool, actions: &mut Vec<Action>) {
    let mut answers = [
        ("Keep targets", "The targets stay where they are.", Action::Answer(Answer::CloseDialog)),
        (
            "Drop targets",
            "The character stands as its clip or its rest pose has it.",
            Action::Answer(Answer::DropTargets),
        ),
    ];
    if !fit {
        answers.reverse();
    }
    question(ctx, "Targets of the model before", text, &answers, actions);
}

/// What of the clip is baked, before a file is chosen.
fn bake_options(ctx: &egui::Context, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.view.light_theme);
    let window = egui::Window::new("What to bake").collapsible(false).resizable(false);
    window.anchor(Align2::CENTER_CENTER, [0.0, 0.0]).show(ctx, |ui| {
        ui.set_width(400.0);
        let clip = session.clip.clip().and_then(|clip| session.character.model.clips.get(clip));
        let Some(clip) = clip else {
            ui.label("No clip plays: choose one in the outliner first.");
            ui.add_space(10.0);
            if ui.button("Close").clicked() {
                actions.push(Action::Answer(Answer::CloseDialog));
            }
            return;
        };
        let (range, duration) = (session.bake_range(), clip.duration.max(1e-3));
        let mut new = range;
        let row = |ui: &mut egui::Ui, name: &str, body: &mut dyn FnMut(&mut egui::Ui)| {
            ui.horizontal(|ui| {
                ui.set_height(26.0);
                let (rect, _) = ui.allocate_exact_size(egui::vec2(96.0, 20.0), Sense::hover());
                let font = egui::FontId::proportional(12.5);
                ui.painter().text(rect.left_center(), Align2::LEFT_CENTER, name, font, theme.text[1]);
                body(ui);
            });
        };
        row(ui, "clip", &mut |ui| drop(ui.label(format!("{}, {:.2} s", clip.name, clip.duration))));
        row(ui, "from, to", &mut |ui| {
            for (value, help) in [
                (&mut new.from, "Seconds since clip and path began."),
                (&mut new.to, "Seconds since clip and path began. Beyond its end the clip begins again."),
            ] {
                let number = Number::new(value).range(0.0..=BakeRange::LONGEST).speed(0.01).decimals(2, 3).suffix(" s");
                ui.add(number).help(help);
            }
        });
        row(ui, "cycles", &mut |ui| {
            let mut cycles = (new.to - new.from) / duration;
            let number = Number::new(&mut cycles).range(0.0..=BakeRange::LONGEST / duration).speed(0.02).decimals(0, 2);
            if ui.add(number).help("How often the clip is played in the range.").changed() {
                new.to = new.from + cycles * duration;
            }
            let has_path = session.motion.path().is_some();
            let help = match has_path {
                true => "Sets the range to the time that the path takes: once around, or to its end.",
                false => "The character walks no path: choose one in Motion.",
            };
            if ui.add_enabled(has_path, egui::Button::new("whole path")).help(help).clicked() {
                actions.push(Action::Bake(BakeAction::WholePath));
            }
        });
        row(ui, "keys", &mut |ui| {
            let rate = Number::new(&mut new.rate).range(1.0..=240.0).speed(0.2).decimals(0, 2).suffix(" /s");
            ui.add(rate).help("Keys a second of the baked clip.");
            ui.label(RichText::new(format!("{:.0} keys in all", new.keys())).color(theme.text[2]));
        });
        row(ui, "root motion", &mut |ui| {
            let help = "On: the baked clip moves the character along its path. Off: it stays where the model stands, for an \
                        engine that moves it.";
            ui.checkbox(&mut new.root_motion, "").help(help);
        });
        if new != range {
            actions.push(Action::Bake(BakeAction::Range(new)));
        }
        ui.add_space(10.0);
        ui.horizontal(|ui| {
            let is_range = new.from < new.to;
            let choose = ui.add_enabled(is_range, egui::Button::new("Choose file…"));
            if choose.help(if is_range { "Then it is baked." } else { "The range has no length." }).clicked() {
                actions.push(Action::Bake(BakeAction::ChooseFile));
            }
            if ui.button("Cancel").help("Bakes nothing.").clicked() {
                actions.push(Action::Answer(Answer::CloseDialog));
            }
        });
    });
}

fn exists(ctx: &egui::Context, path: &Path, actions: &mut Vec<Action>) {
    let text = format!("{} exists already.", path.display());
    let answers = [
        ("Overwrite", "What is in it is gone.", Action::Answer(Answer::Overwrite)),
        ("Cancel", "Nothing is written.", Action::Answer(Answer::CloseDialog)),
    ];
    question(ctx, "Overwrite?", &text, &answers, actions);
}

/// One row of the key table: what it does, its keys, and more of what it does.
struct KeyRow {
    task: &'static str,
    name: &'static str,
    /// Each does the same.
    keys: Vec<String>,
    help: &'static str,
}

/// All keys, those of one task together, that have every word of `query` in task, name, keys or help.
fn key_rows(query: &str, navigation: Navigation) -> Vec<KeyRow> {
    let commands = COMMANDS.iter().filter(|info| navigation.keys(info).is_some()).map(|info| KeyRow {
        task: info.command.group(),
        name: info.label,
        keys: info.all_shortcuts_in(navigation),
        help: info.help,
    });
    let others = navigation.mouse().iter().chain(OTHER_KEYS).map(|&(task, keys, name)| KeyRow {
        task,
        name,
        keys: vec![keys.to_owned()],
        help: "",
    });
    let mut rows: Vec<KeyRow> = commands.collect();
    for other in others {
        // Behind the last of its task.
        let at = rows.iter().rposition(|row| row.task == other.task).map_or(rows.len(), |last| last + 1);
        rows.insert(at, other);
    }
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    rows.retain(|row| {
        let text = format!("{} {} {} {}", row.task, row.name, row.keys.join(" "), row.help).to_lowercase();
        words.iter().all(|word| text.contains(word))
    });
    rows
}

/// Height of the key table, and its widest, in logical pixels; less in a small window.
const KEYS_SIZE: egui::Vec2 = egui::vec2(640.0, 560.0);
/// Width of its columns of keys and of names.
const KEYS_COLUMN: f32 = 110.0;
const NAMES_COLUMN: f32 = 190.0;

impl Dialogs {
    fn keys(&mut self, ctx: &egui::Context, session: &Session, is_new: bool, actions: &mut Vec<Action>) {
        let theme = Theme::of(session.view.light_theme);
        let mut open = true;
        let size = (ctx.screen_rect().size() - egui::vec2(48.0, 120.0)).min(KEYS_SIZE);
        let window = egui::Window::new("Keys").open(&mut open).collapsible(false).resizable(false);
        window.anchor(Align2::CENTER_CENTER, [0.0, 0.0]).fixed_size(size).show(ctx, |ui| {
            let field = egui::TextEdit::singleline(&mut self.query).hint_text("a task, a key, a word");
            let field = ui.add(field.desired_width(size.x));
            if is_new {
                field.request_focus();
            }
            ui.add_space(4.0);
            let rows = key_rows(&self.query, session.look.navigation);
            egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                if rows.is_empty() {
                    let text = format!("No key matches {:?}.", self.query.trim());
                    ui.label(RichText::new(text).color(theme.text[1]));
                }
                let mut task = None;
                for row in &rows {
                    if task != Some(row.task) {
                        ui.add_space(if task.is_none() { 0.0 } else { 8.0 });
                        ui.label(RichText::new(row.task).family(semibold()));
                        task = Some(row.task);
                    }
                    key_row(ui, theme, row);
                }
            });
        });
        if !open {
            actions.push(Action::Answer(Answer::CloseDialog));
        }
    }
}

fn key_row(ui: &mut egui::Ui, theme: &Theme, row: &KeyRow) {
    ui.horizontal(|ui| {
        ui.set_min_height(20.0);
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        let height = 20.0;
        let caps = if row.keys.len() > 1 { egui::Layout::top_down(egui::Align::Min) } else { layout };
        ui.allocate_ui_with_layout(egui::vec2(KEYS_COLUMN, height), caps, |ui| {
            ui.set_min_width(KEYS_COLUMN);
            ui.spacing_mut().item_spacing.y = 2.0;
            row.keys.iter().for_each(|keys| key_cap(ui, theme, keys));
        });
        // What is left for the help: without any the name has all the room.
        let width = if row.help.is_empty() { ui.available_width() } else { NAMES_COLUMN };
        ui.allocate_ui_with_layout(egui::vec2(width, height), layout, |ui| {
            ui.set_min_width(width);
            ui.add(egui::Label::new(RichText::new(row.name).color(theme.text[0])).wrap());
        });
        if !row.help.is_empty() {
            ui.add(egui::Label::new(RichText::new(row.help).color(theme.text[1]).size(11.5)).wrap());
        }
    });
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
