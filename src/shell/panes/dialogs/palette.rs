use egui_macroquad::egui::{self, Align2, RichText};

use super::Dialogs;
use crate::session::answers::Answer;
use crate::session::{Action, Pane, Session};
use crate::shell::panes::dialogs::words as text;
use crate::shell::panes::palette::{self, Entry, Place};
use crate::ui::help::Help;
use crate::ui::jump;
use crate::ui::theme::{Theme, semibold};
use crate::ui::widgets::key_cap;
use crate::ui::words::capital;

impl Dialogs {
    pub(super) fn palette(&mut self, ctx: &egui::Context, session: &Session, actions: &mut Vec<Action>) {
        let theme = Theme::of(session.look.view.light_theme);
        let window = egui::Window::new("palette").title_bar(false).resizable(false);
        window.anchor(Align2::CENTER_TOP, [0.0, 90.0]).fixed_size([PALETTE_WIDTH, 380.0]).show(ctx, |ui| {
            self.search_field(ui, text::PALETTE_HINT, PALETTE_WIDTH);
            let settings = if self.query.trim().is_empty() { Vec::new() } else { palette::settings(session) };
            let found = palette::matching(&self.query, &settings);
            let enter = self.choose_by_keys(ui, found.len());
            if found.is_empty() {
                ui.add_space(6.0);
                let text = text::nothing_matches(&self.query.trim());
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

const PALETTE_WIDTH: f32 = 560.0;

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
        Entry::Scene(scene) => (capital(scene.name), scene.purpose.to_owned(), text::SCENE.to_owned()),
        Entry::Setting(setting) => {
            let help = match setting.first {
                Some(first) => text::first_do(&first, &setting.field.help),
                None => setting.field.help.to_owned(),
            };
            (capital(&setting.label()), help, found.by.unwrap_or(text::SETTING).to_owned())
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

pub(super) fn choose(ctx: &egui::Context, session: &Session, entry: &Entry, actions: &mut Vec<Action>) {
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
                    if session.interaction.selection != selection {
                        actions.push(Action::Select(selection));
                    }
                    actions.push(Action::ShowPane(Pane::Inspector));
                }
                Place::Pane(pane) => actions.push(Action::ShowPane(pane)),
            }
            jump::request(ctx, jump::of_field(&setting.control));
        }
    }
}
