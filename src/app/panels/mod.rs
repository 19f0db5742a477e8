//! The panes. Each is a function of the session that draws and hands back what the user asked for.

pub mod bars;
pub mod dialogs;
pub mod inspector;
pub mod outliner;
pub mod timeline;
pub mod widgets;

use egui_macroquad::egui;

use super::session::{Action, Session};
use super::theme::Theme;

/// Widths and heights in logical pixels.
pub const MENU_HEIGHT: f32 = 28.0;
pub const TOOLS_HEIGHT: f32 = 38.0;
pub const OUTLINER_WIDTH: f32 = 232.0;
pub const INSPECTOR_WIDTH: f32 = 356.0;
pub const TIMELINE_HEIGHT: f32 = 168.0;
pub const SLIM_TIMELINE_HEIGHT: f32 = 40.0;

/// All panes and dialogs; what is left between them is the picture.
pub fn show(
    ctx: &egui::Context,
    session: &Session,
    dialogs: &mut dialogs::Dialogs,
    actions: &mut Vec<Action>,
) -> egui::Rect {
    let theme = Theme::of(session.view.light_theme);
    let bar = |fill| egui::Frame::new().fill(fill).inner_margin(egui::Margin::symmetric(12, 0));
    if session.panes {
        egui::TopBottomPanel::top("menu")
            .exact_height(MENU_HEIGHT)
            .frame(bar(theme.well))
            .show_separator_line(false)
            .show(ctx, |ui| bars::menu(ui, session, actions));
        egui::TopBottomPanel::top("tools")
            .exact_height(TOOLS_HEIGHT)
            .frame(bar(theme.header))
            .show_separator_line(false)
            .show(ctx, |ui| bars::tools(ui, session, actions));
        let height = if session.paused { TIMELINE_HEIGHT } else { SLIM_TIMELINE_HEIGHT };
        egui::TopBottomPanel::bottom("timeline")
            .exact_height(height)
            .frame(bar(theme.header))
            .show_separator_line(false)
            .show(ctx, |ui| timeline::show(ui, session, actions));
        let pane = egui::Frame::new().fill(theme.panel);
        egui::SidePanel::left("outliner")
            .exact_width(OUTLINER_WIDTH)
            .resizable(false)
            .frame(pane)
            .show_separator_line(false)
            .show(ctx, |ui| outliner::show(ui, session, actions));
        egui::SidePanel::right("inspector")
            .exact_width(INSPECTOR_WIDTH)
            .resizable(false)
            .frame(pane)
            .show_separator_line(false)
            .show(ctx, |ui| inspector::show(ui, session, actions));
    }
    dialogs.show(ctx, session, actions);
    ctx.available_rect()
}
