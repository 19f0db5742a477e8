//! The timeline: transport, and when paused the strip of iterations, stages and moves.

use egui_macroquad::egui::{self, FontId, Pos2, Rect, RichText, Sense, Stroke, Ui, vec2};
use egui_phosphor::regular as icon;

use super::widgets::{command_icon, key_cap};
use crate::app::commands::Command;
use crate::app::explain;
use crate::app::session::{Action, Session};
use crate::app::theme::{Theme, fade, heat, semibold};
use crate::app::timeline::{Cursor, residual};

/// Width of the labels left of the strip.
const LABELS: f32 = 76.0;

pub fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.view.light_theme);
    transport(ui, theme, session, actions);
    if session.paused {
        strip(ui, theme, session, actions);
    }
}

fn transport(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.set_height(super::SLIM_TIMELINE_HEIGHT);
        ui.spacing_mut().item_spacing.x = 5.0;
        for (icon, command) in [
            (icon::SKIP_BACK, Command::FirstStep),
            (icon::REWIND, Command::PreviousIteration),
            (icon::CARET_LEFT, Command::PreviousStage),
            (if session.paused { icon::PLAY } else { icon::PAUSE }, Command::PlayPause),
            (icon::CARET_RIGHT, Command::NextStage),
            (icon::FAST_FORWARD, Command::NextIteration),
            (icon::SKIP_FORWARD, Command::LastStep),
        ] {
            command_icon(ui, icon, command, true, actions);
            let shortcut = command.info().shortcut_text();
            if shortcut.len() < 6 {
                key_cap(ui, theme, &shortcut);
            }
        }
        ui.separator();
        ui.label(RichText::new("move").color(theme.text[1]));
        for (icon, command) in
            [(icon::CARET_LINE_LEFT, Command::PreviousMove), (icon::CARET_LINE_RIGHT, Command::NextMove)]
        {
            command_icon(ui, icon, command, true, actions);
        }
        key_cap(ui, theme, "Alt , .");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            command_icon(ui, icon::RECORD, Command::Live, session.paused, actions);
            key_cap(ui, theme, "L");
            ui.separator();
            let number = |ui: &mut Ui, value: String, what: &str, help: &str| {
                ui.label(RichText::new(value).monospace());
                ui.label(RichText::new(what).color(theme.text[1])).on_hover_text(help);
                ui.add_space(6.0);
            };
            if let Some(state) = session.state() {
                let off = residual(&session.recording, &state);
                number(
                    ui,
                    session.character.length(off),
                    "residual",
                    "What all effectors lack to their targets, by weight.",
                );
            }
            if session.paused {
                let steps = session.recording.steps.len();
                number(
                    ui,
                    format!("{} of {steps}", session.cursor.step + 1),
                    "step",
                    "Where the cursor is in the solve.",
                );
            } else {
                number(ui, session.recording.moves.len().to_string(), "moves recorded", "Node moves of this solve.");
            }
        });
    });
}

fn strip(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    let recording = &session.recording;
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 122.0), Sense::hover());
    let painter = ui.painter().clone();
    if recording.steps.is_empty() {
        let text = match &session.character.solver {
            Ok(_) => "Master weight 0: the pose is left as it is, there are no steps.".to_owned(),
            Err(error) => error.clone(),
        };
        painter.text(rect.center(), egui::Align2::CENTER_CENTER, text, FontId::proportional(12.5), theme.text[1]);
        return;
    }
    let label = |y: f32, text: &str| {
        let at = Pos2::new(rect.left(), y);
        painter.text(at, egui::Align2::LEFT_CENTER, text, FontId::proportional(11.5), theme.text[1]);
    };
    let area = Rect::from_min_max(rect.min + vec2(LABELS, 0.0), rect.max);
    let cell = area.width() / recording.steps.len() as f32;
    let (cells_top, heat_top, moves_top) = (area.top() + 18.0, area.top() + 43.0, area.top() + 62.0);
    label(cells_top + 11.0, "steps");
    label(heat_top + 5.0, "residual");
    label(moves_top + 15.0, "moves");

    let unit = session.character.height;
    let mut iteration = None;
    for (index, recorded) in recording.steps.iter().enumerate() {
        let left = area.left() + cell * index as f32;
        let is_current = index == session.cursor.step;
        if recorded.step.iteration.is_some() && recorded.step.iteration != iteration {
            let now = session.recording.steps[session.cursor.step].step.iteration == recorded.step.iteration;
            let (family, color) =
                if now { (semibold(), theme.text[0]) } else { (egui::FontFamily::Proportional, theme.text[2]) };
            painter.text(
                Pos2::new(left + 2.0, area.top() + 9.0),
                egui::Align2::LEFT_CENTER,
                format!("iteration {}", recorded.step.iteration.unwrap_or(0)),
                FontId::new(11.0, family),
                color,
            );
        }
        iteration = recorded.step.iteration;

        let rect = Rect::from_min_size(Pos2::new(left, cells_top), vec2(cell, 36.0)).shrink2(vec2(1.0, 0.0));
        let response = ui.interact(rect, ui.id().with(("step", index)), Sense::click_and_drag());
        response.widget_info(|| {
            let name = format!("step {index} {}", recorded.step.stage.key());
            egui::WidgetInfo::labeled(egui::WidgetType::Button, true, name)
        });
        let button = Rect::from_min_size(rect.min, vec2(rect.width(), 22.0));
        let later = index > session.cursor.step;
        let (fill, color) = match (is_current, response.hovered()) {
            (true, _) => (theme.accent, theme.on_accent),
            (false, true) => (theme.track, theme.text[0]),
            (false, false) => (theme.widget, if later { theme.text[2] } else { theme.text[0] }),
        };
        painter.rect_filled(button, 2.0, fill);
        if cell > 26.0 {
            let text = recorded.step.stage.short();
            painter.text(button.center(), egui::Align2::CENTER_CENTER, text, FontId::proportional(11.0), color);
        }
        let warmth = warmth(residual(recording, &recorded.state) / unit);
        let warm = Rect::from_min_size(Pos2::new(rect.left(), heat_top), vec2(rect.width(), 10.0));
        painter.rect_filled(warm, 1.0, fade(heat(0.12 + 0.86 * warmth), if later { 0.55 } else { 1.0 }));
        let seek =
            response.clicked() || (ui.input(|input| input.pointer.primary_down()) && response.contains_pointer());
        if seek && !is_current {
            actions.push(Action::Seek(Cursor { step: index, within: None }));
        }
        let iteration = recorded.step.iteration.map_or(String::new(), |iteration| format!("iteration {iteration}, "));
        response.on_hover_text(format!("{iteration}{}\n{}", recorded.step.stage.key(), recorded.step.stage.sentence()));
    }
    moves(
        ui,
        theme,
        session,
        Rect::from_min_size(Pos2::new(area.left(), moves_top), vec2(area.width(), 29.0)),
        actions,
    );
}

/// 0 for a residual that nobody sees, 1 for a quarter of the character; logarithmic.
fn warmth(residual: f32) -> f32 {
    const LOW: f32 = 0.0005;
    const HIGH: f32 = 0.25;
    ((residual.max(LOW) / LOW).ln() / (HIGH / LOW).ln()).clamp(0.0, 1.0)
}

/// The moves of the current step as bars, their height the root of the distance.
fn moves(ui: &mut Ui, theme: &Theme, session: &Session, area: Rect, actions: &mut Vec<Action>) {
    let moves = session.recording.moves_of(session.cursor.step);
    let painter = ui.painter().clone();
    painter.rect_filled(area, 2.0, theme.panel);
    if moves.is_empty() {
        let text = "nothing moved in this step";
        painter.text(area.center(), egui::Align2::CENTER_CENTER, text, FontId::proportional(11.0), theme.text[2]);
        return;
    }
    let largest = moves.iter().map(|moved| moved.distance()).fold(1e-6 * session.character.height, f32::max);
    let cell = (area.width() / moves.len() as f32).min(46.0);
    let sentence = |moved: &crate::full_body::Move| explain::moved(moved, &session.character.length(moved.distance()));
    for (index, moved) in moves.iter().enumerate() {
        let rect =
            Rect::from_min_size(Pos2::new(area.left() + cell * index as f32, area.top()), vec2(cell, area.height()));
        let response = ui.interact(rect, ui.id().with(("move", index)), Sense::click());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, format!("move {index}")));
        let is_current = session.cursor.within == Some(index);
        if is_current || response.hovered() {
            painter.rect_filled(rect, 2.0, theme.selected_row);
        }
        if is_current {
            painter.rect_stroke(rect, 2.0, Stroke::new(1.5, theme.accent), egui::StrokeKind::Inside);
        }
        let height = (moved.distance() / largest).sqrt() * (area.height() - 6.0);
        let bar = Rect::from_min_max(
            Pos2::new(rect.center().x - 3.5, area.bottom() - 3.0 - height.max(2.0)),
            Pos2::new(rect.center().x + 3.5, area.bottom() - 3.0),
        );
        let later = session.cursor.within.is_some_and(|within| index > within);
        painter.rect_filled(bar, 1.0, fade(theme.node(moved.node), if later { 0.45 } else { 1.0 }));
        if response.clicked() {
            actions.push(Action::Seek(Cursor { step: session.cursor.step, within: Some(index) }));
        }
        response.on_hover_text(format!("move {} of {}\n{}", index + 1, moves.len(), sentence(moved)));
    }
    let current = session.cursor.within.and_then(|within| moves.get(within));
    let text = match current {
        Some(moved) => sentence(moved),
        None => format!("{} moves, Alt+. goes through them one by one", moves.len()),
    };
    let at = Pos2::new(area.left(), area.bottom() + 10.0);
    painter.text(at, egui::Align2::LEFT_CENTER, text, FontId::proportional(11.0), theme.text[1]);
}
