use egui_macroquad::egui::{self, Align2, RichText};

use super::Dialogs;
use crate::session::answers::Answer;
use crate::session::commands::{COMMANDS, OTHER_KEYS};
use crate::session::navigation::Navigation;
use crate::session::{Action, Session};
use crate::shell::panes::dialogs::words as text;
use crate::ui::theme::{Theme, semibold};
use crate::ui::widgets::key_cap;

struct KeyRow {
    task: &'static str,
    name: &'static str,
    keys: Vec<String>,
    help: &'static str,
}

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

const KEYS_SIZE: egui::Vec2 = egui::vec2(640.0, 560.0);

const KEYS_COLUMN: f32 = 110.0;

const NAMES_COLUMN: f32 = 190.0;

impl Dialogs {
    pub(super) fn keys(&mut self, ctx: &egui::Context, session: &Session, is_new: bool, actions: &mut Vec<Action>) {
        let theme = Theme::of(session.look.view.light_theme);
        let mut open = true;
        let size = (ctx.screen_rect().size() - egui::vec2(48.0, 120.0)).min(KEYS_SIZE);
        let window = egui::Window::new(text::KEYS).open(&mut open).collapsible(false).resizable(false);
        window.anchor(Align2::CENTER_CENTER, [0.0, 0.0]).fixed_size(size).show(ctx, |ui| {
            let field = egui::TextEdit::singleline(&mut self.query).hint_text(text::KEYS_HINT);
            let field = ui.add(field.desired_width(size.x));
            if is_new {
                field.request_focus();
            }
            ui.add_space(4.0);
            let rows = key_rows(&self.query, session.look.navigation);
            egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                if rows.is_empty() {
                    let text = text::no_key_matches(&self.query.trim());
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
