use egui_macroquad::egui::{self, RichText, Ui, vec2};
use egui_phosphor::regular as icon;

use crate::session::commands::Command;
use crate::session::commands::buttons::command_button;
use crate::session::pane::PaneInfo;
use crate::session::{Action, Session};
use crate::tools::finder::words as text;
use crate::tools::steps::session::StepAction;
use crate::ui::help::Help;
use crate::ui::number::Number;
use crate::ui::theme::Theme;
use crate::ui::widgets::{number_row, number_row_button, scroll_to_new, section};
use crate::ui::words::{capital, counted, measured, path_label, step_title};
use kinescope_ik::debugger::breaks::Condition;
use kinescope_ik::debugger::pops::Joint;
use kinescope_ik::full_body::Node;
use kinescope_ik::stepped::run::{Cursor, Tint};

pub(crate) const PANE: PaneInfo = PaneInfo::tab(text::TITLE, text::WHAT, 7, show);

pub(crate) fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.look.view.light_theme);
    ui.spacing_mut().item_spacing = vec2(8.0, 0.0);
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let count = session.tools.debugger.breaks.count();
        let hint = if count > 0 { text::conditions_on(&count) } else { text::ALL_OFF.to_owned() };
        section(ui, theme, text::BREAK_CONDITIONS, &hint, |ui| conditions(ui, theme, session, actions));
        section(ui, theme, text::RECORDING, "", |ui| recording(ui, theme, session, actions));
        // The lists come last, because they grow.
        section(ui, theme, text::POPS, text::POPS_HINT, |ui| pops(ui, theme, session, actions));
        let top = ui.cursor().min;
        section(ui, theme, text::SOLVE_AGAIN, text::SOLVE_AGAIN_HINT, |ui| again(ui, theme, session, actions));
        scroll_to_new(ui, "again", session.tools.debugger.again.done, top);
    });
}

fn conditions(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    let mut breaks = session.tools.debugger.breaks;
    for condition in Condition::ALL {
        ui.horizontal(|ui| {
            ui.set_height(24.0);
            ui.checkbox(breaks.enabled_mut(condition), capital(condition.label())).help(condition.help());
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let percent = |ui: &mut Ui, fraction: &mut f32| {
                    let mut value = *fraction * 100.0;
                    let drag = Number::new(&mut value).range(0.01..=100.0).speed(0.1).decimals(1, 2).suffix(" %");
                    if ui.add(drag).help(condition.help()).changed() {
                        *fraction = value / 100.0;
                    }
                };
                match condition {
                    Condition::BendTurn => {
                        let drag = Number::new(&mut breaks.bend_turn_degrees)
                            .range(0.1..=180.0)
                            .decimals(1, 1)
                            .suffix(text::DEGREES_PER_FRAME_SUFFIX);
                        ui.add(drag).help(condition.help());
                    }
                    Condition::BoneLength => percent(ui, &mut breaks.bone_length_fraction),
                    Condition::ErrorRises => percent(ui, &mut breaks.error_rise_fraction),
                    Condition::Jerk => {
                        let drag = Number::new(&mut breaks.jerk_degrees).range(0.1..=180.0).decimals(1, 1).suffix("°");
                        ui.add(drag).help(condition.help());
                    }
                    Condition::FootSlide => {
                        let mut millimetres = breaks.slide_metres * 1000.0;
                        let drag = Number::new(&mut millimetres).range(0.1..=1000.0).decimals(1, 1).suffix(" mm");
                        if ui.add(drag).help(condition.help()).changed() {
                            breaks.slide_metres = millimetres / 1000.0;
                        }
                    }
                    Condition::Flip | Condition::LeavesReach | Condition::NotFinite => {}
                }
            });
        });
    }
    if breaks != session.tools.debugger.breaks {
        actions.push(Action::Breaks(breaks));
    }
    // The height is fixed, so that the message of a break does not move the rows below.
    egui::ScrollArea::vertical().id_salt("hit").auto_shrink(false).max_height(36.0).min_scrolled_height(36.0).show(
        ui,
        |ui| match &session.tools.debugger.hit {
            Some(hit) => {
                let text = text::stopped_at(&icon::WARNING, &hit.text);
                ui.add(egui::Label::new(RichText::new(text).color(theme.warning)).wrap());
            }
            None => {
                let text = text::NO_BREAK_YET;
                ui.add(egui::Label::new(RichText::new(text).color(theme.text[2]).size(11.0)).wrap());
            }
        },
    );
}

fn pops(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    ui.add_space(4.0);
    command_button(ui, Command::FindPops, true, actions);
    let Some(pops) = &session.tools.debugger.pops else {
        ui.label(RichText::new(text::WHOLE_RECORDING).color(theme.text[2]).size(11.0));
        return;
    };
    if pops.is_empty() {
        ui.weak(text::NO_POPS);
    }
    for pop in pops {
        let place = match &pop.diverges_at {
            Some((_, step)) => text::from_step(&step_title(step.iteration, &step.name)),
            None => text::FROM_ANIMATION.to_owned(),
        };
        let numbers = [format!("{:.1}°", pop.size), text::frame(&pop.number)];
        let response = number_row_button(ui, theme, node_of(session, &pop.joint), &pop.joint.label, &numbers);
        if response.clicked() {
            actions.push(Action::Steps(StepAction::SeekFrame(pop.number)));
            let layer = pop.joint.layer;
            let end = session.world.solved.run(layer).map_or(0, |run| Cursor::end(run).step);
            let step = pop.diverges_at.as_ref().map_or(end, |(step, _)| *step);
            actions.push(Action::Steps(StepAction::SeekIn(layer, Cursor { step, within: None })));
        }
        response.help(text::pop_help(&pop.number, &(pop.number + 1), &pop.size, &place));
    }
}

fn again(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    ui.add_space(4.0);
    let changes = session.tools.debugger.what_if.as_ref().map_or(&[][..], |what_if| &what_if.changes);
    ui.horizontal(|ui| {
        ui.set_height(26.0);
        match &session.tools.debugger.again.job {
            Some(job) => {
                command_button(ui, Command::CancelJobs, true, actions);
                ui.add(egui::ProgressBar::new(job.progress()).desired_width(150.0).show_percentage());
            }
            None => command_button(ui, Command::SolveAgain, !changes.is_empty(), actions),
        }
    });
    let Some(result) = &session.tools.debugger.again.result else {
        let text = text::PAUSE_FIRST;
        ui.add(egui::Label::new(RichText::new(text).color(theme.text[2]).size(11.0)).wrap());
        return;
    };
    if result.changes != changes {
        let text = text::out_of_date(&icon::WARNING);
        ui.label(RichText::new(text).color(theme.warning));
    }
    let names: Vec<String> = result.changes.iter().map(|change| path_label(&change.path)).collect();
    let text = text::frames_with(&counted(result.frames, "frame"), &names.join("; "));
    ui.add(egui::Label::new(RichText::new(text).color(theme.text[1])).wrap());
    let length = |length: f32| session.world.character.length(length);
    for (measure, values) in &result.motion {
        let values = values.map(|value| measured(measure.unit(), value, length));
        number_row(ui, theme, None, &capital(measure.label()), &values, None);
    }
    for pair in result.pops.iter().take(MOST_POPS) {
        let Some(pop) = pair[1].as_ref().or(pair[0].as_ref()) else { continue };
        let numbers =
            pair.each_ref().map(|pop| pop.as_ref().map_or("–".to_owned(), |pop| format!("{:.1}°", pop.size)));
        let response = number_row_button(ui, theme, node_of(session, &pop.joint), &pop.joint.label, &numbers);
        if response.clicked() {
            actions.push(Action::Steps(StepAction::SeekFrame(pop.number)));
        }
        response.help(text::largest_jerk_help(&pop.number));
    }
}

const MOST_POPS: usize = 16;

fn node_of(session: &Session, joint: &Joint) -> Option<Node> {
    match session.world.solved.run(joint.layer)?.points().get(joint.point)?.tint {
        Tint::Node(node) => Some(node),
        _ => None,
    }
}

fn recording(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    let tape = &session.tools.debugger.tape;
    ui.horizontal(|ui| {
        ui.set_height(26.0);
        ui.label(RichText::new(text::MEMORY).color(theme.text[1]));
        let mut megabytes = tape.budget() >> 20;
        let drag = Number::new(&mut megabytes).range(4..=4096).speed(1.0).suffix(" MiB");
        if ui.add(drag).help(text::MEMORY_HELP).changed() {
            actions.push(Action::Steps(StepAction::TapeBudget(megabytes << 20)));
        }
        let used = tape.bytes() as f32 / (1 << 20) as f32;
        ui.label(RichText::new(text::memory_used(&used, &counted(tape.len(), "frame"))).monospace());
    });
    command_button(ui, Command::ClearTape, !tape.is_empty(), actions);
}
