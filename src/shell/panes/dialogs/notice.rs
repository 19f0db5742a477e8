use egui_macroquad::egui::{self, Align2, RichText, Sense};
use egui_phosphor::regular as icon;

use crate::picture::places;
use crate::session::{Action, Session};
use crate::shell::panes::dialogs::words as text;
use crate::ui::help::Help;
use crate::ui::theme::Theme;

/// Margin around the message about a typed path in the file dialog, logical pixels.
#[cfg(not(target_arch = "wasm32"))]
pub(super) const NOTICE_MARGIN: f32 = 10.0;

const NOTICE_BUTTON: f32 = 32.0;

pub fn opening(ctx: &egui::Context, session: &Session, picture: egui::Rect, actions: &mut Vec<Action>) {
    let Some((name, progress)) = session.opening() else { return };
    let theme = Theme::of(session.look.view.light_theme);
    let place = places::opening(picture);
    let area = egui::Area::new("opening".into()).fixed_pos(place.right_bottom()).pivot(Align2::RIGHT_BOTTOM);
    area.show(ctx, |ui| {
        let frame = egui::Frame::new().fill(theme.header).corner_radius(4.0).inner_margin(6.0);
        frame.stroke(egui::Stroke::new(1.0, theme.track)).show(ui, |ui| {
            let size = place.size() - egui::Vec2::splat(2.0 * 7.0);
            ui.allocate_ui_with_layout(size, egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.set_min_size(size);
                if ui.button(text::CANCEL).help(text::CANCEL_OPENING_HELP).clicked() {
                    actions.push(Action::CancelOpening);
                }
                if let Some(progress) = progress {
                    ui.label(RichText::new(format!("{:.0} %", progress * 100.0)).monospace());
                }
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    ui.label(RichText::new(icon::FOLDER_OPEN).size(15.0));
                    ui.add(egui::Label::new(text::opening(&name)).truncate());
                });
            });
        });
    });
}

/// Shows the notice in place of the hint.
pub fn notice(ctx: &egui::Context, session: &Session, picture: egui::Rect, actions: &mut Vec<Action>) {
    let Some(notice) = &session.window.notice else { return };
    let theme = Theme::of(session.look.view.light_theme);
    let place = places::notice(picture, session.opening().is_some());
    let area = egui::Area::new("notice".into()).fixed_pos(place.left_bottom()).pivot(Align2::LEFT_BOTTOM);
    // Notices that disappear by themselves let presses through to the handles below them.
    area.interactable(notice.is_error).show(ctx, |ui| {
        let margin = egui::Margin::symmetric(8, 1);
        let frame = egui::Frame::new().fill(theme.header).corner_radius(4.0).inner_margin(margin);
        let size = place.size() - egui::vec2(18.0, 4.0);
        frame.stroke(egui::Stroke::new(1.0, theme.track)).show(ui, |ui| {
            ui.set_max_width(size.x);
            ui.spacing_mut().interact_size.y = 16.0;
            egui::ScrollArea::vertical().max_height(size.y).min_scrolled_height(size.y).show(ui, |ui| {
                ui.horizontal_top(|ui| {
                    if notice.is_error {
                        ui.label(RichText::new(icon::WARNING).color(theme.warning).size(15.0));
                    }
                    ui.vertical(|ui| {
                        ui.set_max_width(ui.available_width() - if notice.is_error { NOTICE_BUTTON } else { 0.0 });
                        let text = ui.add(egui::Label::new(&notice.text).wrap());
                        if notice.is_error {
                            // The tooltip has the whole text, because only two of its lines are in view.
                            text.help(notice.text.clone());
                        }
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
