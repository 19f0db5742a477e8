//! How far an effector is off its target, and why.

use egui_macroquad::egui::{self, RichText, Ui};

use super::effector::rotations;
use crate::session::commands::Command;
use crate::session::{Action, Session};
use crate::tools::steps::WhatIf;
use crate::tools::steps::step;
use crate::tools::sweep::session::SweepAction;
use crate::ui::help::Help;
use crate::ui::theme::Theme;
use crate::ui::widgets::{command_button, row_with_buttons, section};
use crate::ui::words::{self, capital, counted};
use kinescope_ik::key::label;
use kinescope_ik::stack::{Frame, Topic};
use kinescope_ik::stepped::Cursor;

/// Of the height of the pane, until its border is dragged: at 1440×900 pull, push and reach of a hand are above it.
pub(super) const DETAILS: f32 = 0.36;

/// Of the details: what the formula has, and at least and at most, logical pixels.
const FORMULA: f32 = 0.5;

const FORMULA_HEIGHTS: [f32; 2] = [92.0, 320.0];

const STATE_ROW: f32 = 26.0;

/// Two rows that are always there, the formula in a height of its own, and below it what scrolls.
pub(super) fn details(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    let height = ui.available_height();
    state_row(ui, theme, session, actions);
    why_row(ui, theme, session, actions);
    let is_paused = session.time.is_paused();
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
        if session.hands.selection.topic() == Some(Topic::Grounding) {
            crate::tools::ground::pane::results(ui, session);
        }
        rotations(ui, theme, session);
        if is_paused {
            step::numbers(ui, theme, session);
        }
    });
}

/// Whether this is what was recorded, and the way back to it.
fn state_row(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    match &session.debugger.what_if {
        Some(what_if) => {
            let text =
                format!("what if: {}, {}", counted(what_if.changes.len(), "change"), gap_change(session, what_if));
            let help = format!("{text}\nThe picture differs from what was recorded by the changes made while paused.");
            row_with_buttons(ui, STATE_ROW, RichText::new(text).color(theme.text[0]), &help, |ui| {
                command_button(ui, Command::ShowCompare, true, actions);
                command_button(ui, Command::DropWhatIf, true, actions);
            });
        }
        None => {
            let text = match session.time.is_paused() {
                true => "paused, as recorded: a change shows a what-if",
                false => "live: pause for the formula of each step",
            };
            row_with_buttons(ui, STATE_ROW, RichText::new(text).color(theme.text[2]), text, |_| {});
        }
    }
}

/// How far off the worst was as recorded, and is now.
fn gap_change(session: &Session, what_if: &WhatIf) -> String {
    let focus = session.focus();
    let left = |frame: &Frame| {
        let end = frame.run(focus).map(|run| frame.left(&session.character.rig, focus, Cursor::end(run)));
        end.map_or("–".to_owned(), |left| session.character.length(left))
    };
    let [before, now] = [&what_if.recorded.frame, &session.solved].map(left);
    format!("{} {before} → {now}", session.left_name())
}

/// Why the one that is off target most does not get there: as high whatever there is to say.
fn off_target(ui: &mut Ui, theme: &Theme, session: &Session) {
    let (hint, text) = match (&session.picture.why, session.picture.unwritten) {
        (Some(why), _) => {
            let hint = format!("why is the {} {}?", label(why.effector.key()), why.miss.label());
            (hint, words::why(why, &session.character))
        }
        (None, Some(effector)) => {
            (format!("{}: not written yet", label(effector.key())), words::unwritten(effector, session))
        }
        (None, None) => (String::new(), "nothing is off target".to_owned()),
    };
    section(ui, theme, "off target", &hint, |ui| {
        const HEIGHT: f32 = 64.0;
        let area = egui::ScrollArea::vertical().id_salt("off target").auto_shrink(false);
        area.max_height(HEIGHT).min_scrolled_height(HEIGHT).show(ui, |ui| {
            ui.add(egui::Label::new(RichText::new(text).color(theme.text[1])).wrap());
        });
    });
}

/// Who is off target most, and the change that would help.
fn why_row(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    let Some(why) = &session.picture.why else {
        let text = match session.picture.unwritten {
            Some(effector) => format!("{}: not written yet", label(effector.key())),
            None => "nothing is off target".to_owned(),
        };
        return row_with_buttons(ui, STATE_ROW, RichText::new(text).color(theme.text[2]), "", |_| {});
    };
    let text = format!(
        "{} {}",
        capital(&label(why.effector.key())),
        words::why(why, &session.character).split(':').next().unwrap_or_default()
    );
    row_with_buttons(ui, STATE_ROW, RichText::new(text).color(theme.text[1]), "The text below says why.", |ui| {
        let Some((parameter, value, _)) = why.cure else { return };
        let button = ui.button(format!("try {} {}", parameter.label(), words::decimals(value)));
        if button.help(parameter.parameter.help).clicked() {
            actions.push(Action::Sweep(SweepAction::TakeValues(vec![(parameter, value)])));
        }
    });
}
