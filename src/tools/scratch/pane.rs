//! What is selected, and nothing else.

use egui_macroquad::egui::Ui;

use crate::session::{Action, Session};
use crate::ui::pane::PaneInfo;

pub const PANE: PaneInfo = PaneInfo::tab("Scratch", "What is selected.", 8, show);

fn show(ui: &mut Ui, session: &Session, _: &mut Vec<Action>) {
    ui.label(session.hands.selection.key().unwrap_or_default());
}
