//! The differences between Kinescope's solve and a second result: the trace of a port or the result of a game.

use egui_macroquad::egui::{self, Align, Layout, Response, RichText, Ui};
use egui_phosphor::regular as icon;

use crate::session::commands::Command;
use crate::session::commands::buttons::command_button;
use crate::session::{Action, Session};
use crate::tools::compare::words as text;
use crate::tools::steps::Port;
use crate::tools::steps::session::StepAction;
use crate::ui::theme::{Theme, semibold};
use crate::ui::widgets::{number_row, section};
use crate::ui::words::{self, as_hint, plain};
use kinescope_ik::full_body::{Part, Step};
use kinescope_ik::key::label;
use kinescope_ik::stack::LayerId;
use kinescope_ik::stepped::run::Cursor;
use kinescope_ik::trace::TraceMove;
use kinescope_ik::trace_diff::{BoneDiff, ConstantDiff, MoveDiff, Place, StepDiff, TraceDiff, WriteDiff};

fn stage(step: Step) -> String {
    words::step_title(step.iteration, &step.stage.label())
}

fn write(part: Part) -> String {
    text::write(&label(part.key()))
}

fn constant(ConstantDiff { name, a, b }: &ConstantDiff) -> String {
    let [a, b] = [a, b].map(|numbers| numbers.iter().map(|number| plain(*number)).collect::<Vec<_>>().join(", "));
    text::constant(name, &a, &b)
}

/// Formats the first differing move of a stage. If node and cause are the same, only the positions differ.
fn moved(own: &MoveDiff) -> String {
    let cause = |own: &Option<TraceMove>| match own {
        Some(own) => text::moved_by(&label(own.node.key()), &label(&own.cause)),
        None => text::NO_MOVE.to_owned(),
    };
    let (stage, number, a, b) = (stage(own.step), own.index + 1, cause(&own.a), cause(&own.b));
    match a == b {
        true => text::moved_elsewhere(&stage, &number, &a),
        false => text::other_move(&stage, &number, &a, &b),
    }
}

/// Formats the first difference for display; `None` if nothing differs. `length` formats a length with its unit.
pub(crate) fn first_place(port: &Port, length: &dyn Fn(f32) -> String) -> Option<String> {
    let TraceDiff { steps, writes, .. } = &port.diff;
    let bone = |bone: &BoneDiff| text::bone_apart(&bone.bone, &length(bone.distance), bone.degrees);
    let only = |is_missing: bool| as_hint(if is_missing { text::MISSING_IN_PORT } else { text::ONLY_IN_PORT });
    Some(match port.diff.first_place()? {
        Place::Step(_, Some(first)) => words::difference(first, &length(first.distance)),
        Place::Step(..) if port.trace.steps.is_empty() => text::NO_STAGES.to_owned(),
        Place::Step(step, None) => text::at_place(&stage(step), &only(steps.contains(&StepDiff::OnlyB(step)))),
        Place::Constant(own) => text::constant_differs(&own.name),
        Place::Move(own) => moved(own),
        Place::Write(part, Some(own)) => text::at_place(&write(part), &bone(own)),
        Place::Write(part, None) => text::at_place(&write(part), &only(writes.contains(&WriteDiff::OnlyB(part)))),
        Place::Result(own) => text::at_place(&text::RESULT, &bone(own)),
        Place::Rig(phrase) | Place::Parameter(phrase) => phrase.to_owned(),
    })
}

/// States which parts the second result lacks. Lines of games have no fields for constants and moves.
fn not_compared(port: &Port, is_game: bool) -> Option<String> {
    let more = &port.trace.more;
    match (more.constants.is_empty(), more.moves.is_empty()) {
        (true, true) if is_game => Some(text::GAME_LACKS_MORE.to_owned()),
        (true, true) => Some(text::trace_lacks(&text::CONSTANTS_AND_MOVES)),
        (true, false) => Some(text::trace_lacks(&text::ONLY_CONSTANTS)),
        (false, true) => Some(text::trace_lacks(&text::ONLY_MOVES)),
        (false, false) => None,
    }
}

pub(crate) fn sections(ui: &mut Ui, theme: &Theme, session: &Session, port: &Port, actions: &mut Vec<Action>) {
    let (diff, run) = (&port.diff, session.world.solved.full_body());
    let length = |length: f32| session.world.character.length(length);
    section(ui, theme, text::PORT, &port.other.name, |ui| {
        let text = match first_place(port, &length) {
            Some(place) => text::first_difference(&place),
            None => text::no_difference(diff.tolerance),
        };
        ui.add(egui::Label::new(RichText::new(text).family(semibold())).wrap());
        lines(ui, theme, diff.rig.iter().chain(&diff.parameters).cloned());
        lines(ui, theme, not_compared(port, session.tools.games.is_shown()).into_iter());
        command_button(ui, Command::EndCompare, true, actions);
    });
    if !diff.constants.is_empty() {
        section(ui, theme, text::CONSTANTS, text::CONSTANTS_HINT, |ui| {
            lines(ui, theme, diff.constants.iter().map(constant));
        });
    }
    if !diff.moves.is_empty() {
        section(ui, theme, text::MOVES, text::MOVES_HINT, |ui| lines(ui, theme, diff.moves.iter().map(moved)));
    }
    section(ui, theme, text::PER_STAGE, text::PER_STAGE_HINT, |ui| {
        for step in &diff.steps {
            let at = run.and_then(|run| run.cursor_of(step.step()));
            let numbers = match step {
                StepDiff::Both { largest, .. } => format!("{} {}", label(largest.node.key()), length(largest.distance)),
                StepDiff::OnlyA(_) => text::ONLY_IN_PORT.to_owned(),
                StepDiff::OnlyB(_) => text::MISSING_IN_PORT.to_owned(),
            };
            let row = stage_row(ui, theme, &stage(step.step()), &numbers, !step.is_same());
            seek(&row, at, actions);
        }
    });
    if !diff.writes.is_empty() {
        section(ui, theme, text::WRITING, text::PER_STAGE_HINT, |ui| {
            for own in &diff.writes {
                let at = run.and_then(|run| run.cursor_of_part(own.part()));
                let numbers = match own {
                    WriteDiff::Both { largest: Some(bone), .. } => format!("{} {}", bone.bone, length(bone.distance)),
                    WriteDiff::Both { largest: None, .. } => String::new(),
                    WriteDiff::OnlyA(_) => text::ONLY_IN_PORT.to_owned(),
                    WriteDiff::OnlyB(_) => text::MISSING_IN_PORT.to_owned(),
                };
                let row = stage_row(ui, theme, &write(own.part()), &numbers, !own.is_same());
                seek(&row, at, actions);
            }
        });
    }
    if !diff.result.is_empty() {
        section(ui, theme, text::RESULT, text::RESULT_HINT, |ui| {
            if let Some(bone) = diff.furthest_bone() {
                number_row(ui, theme, None, &text::bone_place(&bone.bone), &[length(bone.distance)], None);
            }
            if let Some(bone) = diff.most_turned_bone() {
                number_row(ui, theme, None, &text::bone_rotation(&bone.bone), &[format!("{:.3}°", bone.degrees)], None);
            }
        });
    }
}

fn lines(ui: &mut Ui, theme: &Theme, lines: impl Iterator<Item = String>) {
    for line in lines {
        ui.add(egui::Label::new(RichText::new(line).color(theme.text[1])).wrap());
    }
}

fn stage_row(ui: &mut Ui, theme: &Theme, name: &str, numbers: &str, is_off: bool) -> Response {
    let row = ui.horizontal(|ui| {
        ui.set_height(19.5);
        let mark = if is_off { icon::WARNING } else { icon::CHECK };
        ui.label(RichText::new(mark).color(if is_off { theme.warning } else { theme.text[2] }));
        let button = ui.add(egui::Button::new(name).frame(false));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(RichText::new(numbers).monospace().color(theme.text[usize::from(!is_off)]));
        });
        button
    });
    row.inner
}

fn seek(row: &Response, at: Option<Cursor>, actions: &mut Vec<Action>) {
    if row.clicked()
        && let Some(at) = at
    {
        actions.push(Action::Steps(StepAction::SeekIn(LayerId::FullBody, at)));
    }
}
