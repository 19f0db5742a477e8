use egui_macroquad::egui::{self, Color32, RichText, Stroke, Ui, vec2};

use crate::session::Action;
use crate::session::commands::Command;
use crate::session::navigation::Navigation;
use crate::tools::learn::control::of_command;
use crate::ui::help::Help;
use crate::ui::jump;
use crate::ui::theme::Theme;

pub(crate) fn command_button(ui: &mut Ui, command: Command, enabled: bool, actions: &mut Vec<Action>) {
    let response = ui.add_enabled(enabled, egui::Button::new(command.info().label)).help(command_help(ui, command));
    jump::land_on(&response, of_command(command));
    if response.clicked() {
        actions.push(Action::Command(command));
    }
}

fn navigation_id() -> egui::Id {
    egui::Id::new("key bindings in tooltips")
}

pub(crate) fn set_navigation(ctx: &egui::Context, navigation: Navigation) {
    ctx.data_mut(|data| data.insert_temp(navigation_id(), navigation));
}

fn command_help(ui: &Ui, command: Command) -> String {
    command.info().tooltip_in(ui.data(|data| data.get_temp(navigation_id())).unwrap_or_default())
}

pub(crate) fn command_icon(ui: &mut Ui, icon: &str, command: Command, enabled: bool, actions: &mut Vec<Action>) {
    let button = egui::Button::new(RichText::new(icon).size(16.0)).frame(false).min_size(vec2(26.0, 26.0));
    let response = ui.add_enabled(enabled, button).help(command_help(ui, command));
    response.describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::Button, enabled, command.info().label));
    jump::land_on(&response, of_command(command));
    if response.clicked() {
        actions.push(Action::Command(command));
    }
}

pub(crate) fn command_toggle(ui: &mut Ui, icon: &str, command: Command, is_on: bool, actions: &mut Vec<Action>) {
    let theme = Theme::of(!ui.visuals().dark_mode);
    let color = if is_on { theme.on_accent } else { theme.text[1] };
    let fill = if is_on { theme.accent } else { Color32::TRANSPARENT };
    let button = egui::Button::new(RichText::new(icon).size(16.0).color(color)).fill(fill);
    let response = ui.add(button.stroke(Stroke::NONE).min_size(vec2(26.0, 26.0))).help(command_help(ui, command));
    response
        .describe(&|| egui::WidgetInfo::selected(egui::WidgetType::SelectableLabel, true, is_on, command.info().label));
    jump::land_on(&response, of_command(command));
    if response.clicked() {
        actions.push(Action::Command(command));
    }
}
