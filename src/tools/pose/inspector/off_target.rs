//! The distance of an effector from its target, and the reason.

use egui_macroquad::egui::{self, RichText, Ui};

use super::effector::rotations;
use crate::session::commands::Command;
use crate::session::commands::buttons::command_button;
use crate::session::{Action, Session};
use crate::tools::pose::words as text;
use crate::tools::steps::WhatIf;
use crate::tools::steps::step;
use crate::tools::sweep::session::SweepAction;
use crate::ui::help::Help;
use crate::ui::theme::Theme;
use crate::ui::widgets::{row_with_buttons, section};
use crate::ui::words::{self, capital, counted};
use kinescope_ik::full_body::Effector;
use kinescope_ik::key::label;
use kinescope_ik::stack::{Frame, Topic};
use kinescope_ik::stepped::Cursor;

pub(super) const DETAILS: f32 = 0.36;

const FORMULA: f32 = 0.5;

const FORMULA_HEIGHTS: [f32; 2] = [92.0, 320.0];

const STATE_ROW: f32 = 26.0;

pub(super) fn details(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    let height = ui.available_height();
    state_row(ui, theme, session, actions);
    why_row(ui, theme, session, actions);
    let is_paused = session.world.time.is_paused();
    if is_paused && step::has_formula(session) {
        let [least, most] = FORMULA_HEIGHTS;
        step::formula(ui, theme, session, (FORMULA * height).clamp(least, most), actions);
    }
    egui::ScrollArea::vertical().id_salt("details").auto_shrink(false).show(ui, |ui| {
        if is_paused && step::has_formula(session) {
            step::attribution(ui, theme, session, actions);
        }
        off_target(ui, theme, session);
        if session.chain_focus().is_some() {
            crate::tools::chains::pane::results(ui, session);
        }
        if session.interaction.selection.topic() == Some(Topic::Grounding) {
            crate::tools::ground::pane::results(ui, session);
        }
        rotations(ui, theme, session);
        if is_paused {
            step::numbers(ui, theme, session);
        }
    });
}

fn state_row(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    match &session.tools.debugger.what_if {
        Some(what_if) => {
            let [before, now] = gaps(session, what_if);
            let changes = counted(what_if.changes.len(), "change");
            let help = text::what_if_help(&changes, &session.remaining_name(), &before, &now);
            // The unit is shown only once, because the row has room for little text beside its buttons.
            let text = text::what_if(&before.split(' ').next().unwrap_or_default(), &now);
            row_with_buttons(ui, STATE_ROW, RichText::new(text).color(theme.text[0]), &help, |ui| {
                command_button(ui, Command::ShowCompare, true, actions);
                command_button(ui, Command::DropWhatIf, true, actions);
            });
        }
        None => {
            let text = match session.world.time.is_paused() {
                true => text::PAUSED,
                false => text::LIVE,
            };
            row_with_buttons(ui, STATE_ROW, RichText::new(text).color(theme.text[2]), text, |_| {});
        }
    }
}

fn gaps(session: &Session, what_if: &WhatIf) -> [String; 2] {
    let focus = session.focus();
    let left = |frame: &Frame| {
        let end = frame.run(focus).map(|run| frame.remaining(&session.world.character.rig, focus, Cursor::end(run)));
        end.map_or("–".to_owned(), |left| session.world.character.length(left))
    };
    [&what_if.recorded.frame, &session.world.solved].map(left)
}

/// The section has a fixed height, so that controls do not move.
fn off_target(ui: &mut Ui, theme: &Theme, session: &Session) {
    let (hint, text) = match (&session.world.picture.why, session.world.picture.unwritten) {
        (Some(why), _) => {
            let hint = text::why_question(&label(why.effector.key()));
            (hint, words::why(why, &session.world.character))
        }
        (None, Some(effector)) => (text::not_written(&label(effector.key())), unwritten(effector, session)),
        (None, None) => (String::new(), text::NOTHING_OFF_TARGET.to_owned()),
    };
    section(ui, theme, text::OFF_TARGET, &hint, |ui| {
        const HEIGHT: f32 = 64.0;
        let area = egui::ScrollArea::vertical().id_salt("off target").auto_shrink(false);
        area.max_height(HEIGHT).min_scrolled_height(HEIGHT).show(ui, |ui| {
            ui.add(egui::Label::new(RichText::new(text).color(theme.text[1])).wrap());
        });
    });
}

fn why_row(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    let Some(why) = &session.world.picture.why else {
        let text = match session.world.picture.unwritten {
            Some(effector) => text::not_written(&label(effector.key())),
            None => text::NOTHING_OFF_TARGET.to_owned(),
        };
        return row_with_buttons(ui, STATE_ROW, RichText::new(text).color(theme.text[2]), "", |_| {});
    };
    let text = format!(
        "{} {}",
        capital(&label(why.effector.key())),
        words::why(why, &session.world.character).split(':').next().unwrap_or_default()
    );
    row_with_buttons(ui, STATE_ROW, RichText::new(text).color(theme.text[1]), text::WHY_BELOW, |ui| {
        let Some((parameter, value, _)) = why.cure else { return };
        let button = ui.button(text::try_value(&parameter.label(), &words::decimals(value)));
        if button.help(parameter.parameter.help).clicked() {
            actions.push(Action::Sweep(SweepAction::TakeValues(vec![(parameter, value)])));
        }
    });
}

fn unwritten(effector: Effector, session: &Session) -> String {
    let frame = session.world.body_frame();
    let node = session.state().map(|state| state.node(effector.node()));
    let gap = node.map_or(0.0, |node| node.distance(frame.effector(effector).position));
    let gap = session.world.character.length(gap);
    text::not_written_help(&gap)
}
