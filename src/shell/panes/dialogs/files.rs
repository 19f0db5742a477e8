use std::collections::HashMap;
use std::path::{Path, PathBuf};

use egui_file_dialog::{FileDialog, FileDialogKeyBindings, OpeningMode};
use egui_macroquad::egui::{self, Align2, Key, Modifiers};
use egui_phosphor::regular as icon;

use super::ask::FileDialogAsk;
use super::notice::NOTICE_MARGIN;
use crate::session::answers::Answer;
use crate::session::commands::Command;
use crate::session::{Action, Dialog, Session};
use crate::shell::panes::dialogs::words as text;
use crate::ui::theme::Theme;

#[derive(Default)]
pub(super) struct Files {
    dialog: FileDialog,
    /// The dialog for which the file dialog was opened.
    pub(super) asked: Option<Dialog>,
    /// The last folder for each list of kinds, by the first extension of the list.
    folders: HashMap<&'static str, PathBuf>,
    typed: String,
    /// Message that the typed path, or the folder of a file to write, does not exist.
    problem: Option<String>,
    /// Number of remaining frames for which an Enter is delayed: see [`Self::hold_enter`].
    held_enter: u8,
}

impl FileDialogAsk {
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
                // The dialog would take Enter in the field for a new folder as a path. Opening a file needs no new
                // folder.
                let keys = FileDialogKeyBindings { new_folder: Vec::new(), ..FileDialogKeyBindings::default() };
                dialog = dialog.show_new_folder_button(false).keybindings(keys);
                dialog.pick_file();
            }
        }
        dialog
    }

    /// Returns the effect of Enter on a typed text, or `None` if the dialog handles the key. `folder` is the folder
    /// shown, and `selected` the entry selected in it.
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
        let missing = |path: &Path| Typed::Missing(text::no_such_file(&path.display()));
        match &self.name {
            // The dialog handles a bare name itself.
            Some(_) if !is_path => None,
            Some(_) => {
                let parent = path.parent().unwrap_or(folder).to_owned();
                Some(if parent.is_dir() { Typed::File(path) } else { missing(&parent) })
            }
            None if path.exists() => Some(Typed::File(path)),
            None if is_path => Some(missing(&path)),
            // The text filters the list, whose first row is selected.
            None => selected.map(|selected| match selected.is_dir() {
                true => Typed::Folder(selected.to_owned()),
                false => Typed::File(selected.to_owned()),
            }),
        }
    }
}

/// Number of frames until a typed text has focused its field and can be read from it.
const FRAMES_OF_TEXT: u8 = 3;

#[derive(Debug, PartialEq)]
enum Typed {
    File(PathBuf),
    Folder(PathBuf),
    Missing(String),
}

fn is_separator(c: char) -> bool {
    std::path::is_separator(c)
}

/// Returns the text of the field that changed last in this frame, if any. The file dialog does not expose its texts, so
/// they are read from its accessibility output.
fn field_text(ctx: &egui::Context) -> Option<String> {
    ctx.output(|output| {
        let fields = output.events.iter().rev().map(|event| event.widget_info());
        let mut fields = fields.filter(|info| info.typ == egui::WidgetType::TextEdit);
        fields.find_map(|info| info.current_text_value.clone())
    })
}

impl Files {
    pub(super) fn show(&mut self, ctx: &egui::Context, session: &Session, had_popup: bool, actions: &mut Vec<Action>) {
        let Some(ask) = FileDialogAsk::of(session) else {
            self.asked = None;
            return;
        };
        let ending = ask.kinds[0].1[0];
        if self.asked != session.window.dialog {
            self.asked.clone_from(&session.window.dialog);
            let of_file = |path: &Option<PathBuf>| path.as_ref()?.parent().map(Path::to_owned);
            let preset = of_file(&session.files.preset)
                .filter(|_| matches!(session.window.dialog, Some(Dialog::File(Command::SavePresetAs))));
            let last = self.folders.get(ending).cloned();
            let folder = preset.or(last).or_else(|| of_file(&session.world.character.path));
            let folder = folder.and_then(|folder| std::path::absolute(folder).ok()).filter(|folder| folder.is_dir());
            self.go_to(&ask, folder.or_else(|| std::env::current_dir().ok()).unwrap_or_default());
        }
        // The dialog handles Escape only if none of its fields has the focus.
        if !had_popup && ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
            self.asked = None;
            return actions.push(Action::Answer(Answer::CloseDialog));
        }
        let named = self.take_typed(ctx, &ask);
        let has_asked = named.is_none();
        self.dialog.update(ctx);
        if let Some(text) = field_text(ctx)
            && text != self.typed
        {
            (self.typed, self.problem) = (text, None);
        }
        self.show_problem(ctx, Theme::of(session.look.view.light_theme));
        if let Some(path) = named.or_else(|| self.dialog.take_picked()) {
            self.asked = None;
            if let Some(folder) = path.parent() {
                self.folders.insert(ending, folder.to_owned());
            }
            actions.push(ask.action(path, has_asked));
        } else if matches!(
            self.dialog.state(),
            egui_file_dialog::DialogState::Cancelled | egui_file_dialog::DialogState::Closed
        ) {
            actions.push(Action::Answer(Answer::CloseDialog));
        }
    }

    fn go_to(&mut self, ask: &FileDialogAsk, folder: PathBuf) {
        self.dialog = ask.dialog(folder);
        (self.typed, self.problem, self.held_enter) = (String::new(), None, 0);
    }

    fn take_typed(&mut self, ctx: &egui::Context, ask: &FileDialogAsk) -> Option<PathBuf> {
        let focused = ctx.memory(|memory| memory.focused());
        let in_field = focused.is_some_and(|id| egui::TextEdit::load_state(ctx, id).is_some());
        self.hold_enter(ctx, in_field);
        if !in_field || !ctx.input(|input| input.key_pressed(Key::Enter)) {
            return None;
        }
        let folder = self.dialog.storage_mut().last_visited_dir.clone().unwrap_or_default();
        let selected = self.dialog.selected_entry().map(|entry| entry.to_path_buf());
        let typed = ask.typed(&self.typed, &folder, selected.as_deref())?;
        ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
        match typed {
            Typed::File(path) => return Some(path),
            Typed::Folder(folder) => self.go_to(ask, folder),
            Typed::Missing(why) => self.problem = Some(why),
        }
        None
    }

    /// Delays Enter after a text that came in the same frame, until the text can be read from its field. On a slow
    /// machine, one frame receives everything that was typed.
    fn hold_enter(&mut self, ctx: &egui::Context, in_field: bool) {
        let text = |event: &egui::Event| match event {
            egui::Event::Text(text) | egui::Event::Paste(text) => Some(text.clone()),
            _ => None,
        };
        let (typed, modifiers): (String, _) =
            ctx.input(|input| (input.events.iter().filter_map(text).collect(), input.modifiers));
        if !typed.is_empty() && !in_field {
            // The dialog takes the text for its search without reporting it.
            self.typed.push_str(&typed);
        }
        if !typed.is_empty() && ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter)) {
            self.held_enter = FRAMES_OF_TEXT;
        } else if self.held_enter > 0 {
            self.held_enter -= 1;
            if self.held_enter == 0 {
                let (key, physical_key) = (Key::Enter, None);
                let event = egui::Event::Key { key, physical_key, pressed: true, repeat: false, modifiers };
                ctx.input_mut(|input| input.events.push(event));
            }
        }
        if self.held_enter > 0 {
            ctx.request_repaint();
        }
    }

    fn show_problem(&self, ctx: &egui::Context, theme: &Theme) {
        let Some(problem) = &self.problem else { return };
        let Some(rect) = ctx.memory(|memory| memory.area_rect(self.dialog.get_window_id())) else { return };
        let area = egui::Area::new("typed path".into()).order(egui::Order::Tooltip);
        area.fixed_pos(rect.left_bottom() + egui::vec2(0.0, 6.0)).show(ctx, |ui| {
            let frame = egui::Frame::new().fill(theme.header).corner_radius(4.0).inner_margin(NOTICE_MARGIN);
            frame.stroke(egui::Stroke::new(1.0, theme.warning)).show(ui, |ui| {
                ui.set_max_width(rect.width() - 2.0 * NOTICE_MARGIN);
                ui.add(egui::Label::new(text::warning(&icon::WARNING, &problem)).wrap());
            });
        });
    }
}
