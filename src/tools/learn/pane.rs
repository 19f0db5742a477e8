use std::borrow::Cow;

use egui_macroquad::egui::{self, Align, Layout, Pos2, RichText, Sense, Stroke, TextFormat, Ui, vec2};
use egui_phosphor::regular as icon;

use super::glossary::{Piece, pieces};
use super::lessons::LESSONS;
use super::session::LearnAction;
use super::{Formula, Lesson, Step, Task, control, links, picture};
use crate::session::pane::PaneInfo;
use crate::session::{Action, Pane, Session};
use crate::tools::learn::words as text;
use crate::tools::steps::session::StepAction;
use crate::tools::steps::step;
use crate::ui::help::Help;
use crate::ui::jump;
use crate::ui::theme::{Theme, semibold};
use crate::ui::widgets::{row_with_buttons, section, whole_label_slider};
use crate::ui::words::capital;
use kinescope_ik::key::label;
use kinescope_ik::stack::parameters::ParameterId;

pub(crate) const PANE: PaneInfo = PaneInfo::tab(text::TITLE, text::WHAT, 1, show);

/// Height of a row with buttons, logical pixels.
const HEADER: f32 = 30.0;
const LESSON_ROW: f32 = 24.0;
const HIGHLIGHT_ROW: f32 = 26.0;
const DOTS: f32 = 22.0;
const DOT_DISTANCE: f32 = 20.0;
/// Fraction of the pane's height that a formula takes in the first frame, when the height of the text is unknown.
const FORMULA: f32 = 0.42;
/// Smallest and largest height of a formula, logical pixels.
const FORMULA_HEIGHTS: [f32; 2] = [92.0, 300.0];
/// Font size of the lessons' sentences, logical pixels. It is larger than that of labels, because sentences take longer to
/// read.
const TEXT_SIZE: f32 = 14.0;
const MARGIN: egui::Margin = egui::Margin { left: 12, right: 12, top: 4, bottom: 4 };

pub(crate) fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.look.view.light_theme);
    ui.spacing_mut().item_spacing = vec2(8.0, 0.0);
    match session.tools.learn.shown() {
        Some((lesson, step)) => lesson_pane(ui, theme, session, (lesson, step), actions),
        None => list(ui, theme, session, actions),
    }
}

fn act(actions: &mut Vec<Action>, action: LearnAction) {
    actions.push(Action::Learn(action));
}

fn list(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    egui::ScrollArea::vertical().id_salt("lessons").auto_shrink(false).show(ui, |ui| {
        egui::Frame::new().inner_margin(MARGIN).show(ui, |ui| {
            ui.add(egui::Label::new(RichText::new(text::INTRODUCTION).color(theme.text[1])).wrap());
        });
        for (index, lesson) in LESSONS.iter().enumerate() {
            let (done, all) = (session.tools.learn.progress.count(lesson), lesson.tasks());
            let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LESSON_ROW), Sense::click());
            let name = text::lesson_row(&(index + 1), &lesson.title);
            response.describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, &name));
            if response.hovered() || response.has_focus() {
                ui.painter().rect_filled(rect, 0.0, theme.header);
            }
            let painter = ui.painter();
            let color = if done == all { theme.text[0] } else { theme.text[2] };
            let mark = if done == all { icon::CHECK_CIRCLE.to_owned() } else { text::tasks_done(&done, &all) };
            let right = rect.right_center() - vec2(14.0, 0.0);
            painter.text(right, egui::Align2::RIGHT_CENTER, mark, egui::FontId::proportional(12.0), color);
            let left = rect.left_center() + vec2(14.0, 0.0);
            crate::ui::widgets::name_before(painter, left, rect.right() - 60.0, &name, theme.text[0]);
            if response.clicked() {
                act(actions, LearnAction::Open(index));
            }
            response.help(format!("{}\n{}", lesson.about, text::tasks_done_help(&done, &all)));
        }
    });
}

fn lesson_pane(
    ui: &mut Ui,
    theme: &Theme,
    session: &Session,
    (lesson, step): (&'static Lesson, &'static Step),
    actions: &mut Vec<Action>,
) {
    let Some((index, at)) = session.tools.learn.at else { return };
    picture::set_shown(ui.ctx());
    let title = RichText::new(text::lesson_row(&(index + 1), &lesson.title)).family(semibold()).size(14.0);
    row_with_buttons(ui, HEADER, title.color(theme.text[0]), lesson.about, |ui| {
        if ui.button(text::ALL_LESSONS).help(text::ALL_LESSONS_HELP).clicked() {
            act(actions, LearnAction::List);
        }
    });
    let name = RichText::new(text::step_of(&(at + 1), &lesson.steps.len())).color(theme.text[1]);
    row_with_buttons(ui, HEADER, name, "", |ui| {
        let is_last = at + 1 == lesson.steps.len();
        let label = if is_last { text::NEXT_LESSON } else { text::NEXT };
        let button = egui::Button::new(label).min_size(vec2(92.0, 0.0));
        if ui.add_enabled(!is_last || links::after(index).is_some(), button).clicked() {
            let action = if is_last { LearnAction::Open(index + 1) } else { LearnAction::Step(at + 1) };
            act(actions, action);
        }
        if ui.add_enabled(at > 0, egui::Button::new(text::BACK)).clicked() {
            act(actions, LearnAction::Step(at - 1));
        }
        if ui.button(text::AGAIN).help(text::again_help(&lesson.scene_of(at))).clicked() {
            act(actions, LearnAction::Again);
        }
        if ui.button(text::BOOK).help(text::book_help(&lesson.page)).clicked() {
            act(actions, LearnAction::OpenPage(lesson.page.into()));
        }
    });
    dots(ui, theme, session, (lesson, at), actions);
    let is_due = match step.formula {
        Formula::Never => false,
        Formula::Always => true,
        Formula::AfterTask => session.tools.learn.is_met,
    };
    let has_formula = is_due && session.world.time.is_paused() && step::has_formula(session);
    let [least, most] = FORMULA_HEIGHTS;
    // The formula gets the height that text, task and sliders leave, within FORMULA_HEIGHTS.
    let text_height = ui.id().with(("text_height", index, at));
    let known: Option<f32> = ui.data(|data| data.get_temp(text_height));
    let room = known.map_or(ui.available_height() * FORMULA, |height| ui.available_height() - height);
    let formula = room.clamp(least, most);
    // The formula's place is reserved before the task is done, so that the text does not move.
    let height = if step.formula != Formula::Never {
        (ui.available_height() - formula).max(60.0)
    } else {
        ui.available_height()
    };
    let area = egui::ScrollArea::vertical().id_salt(("step", index, at)).auto_shrink(false);
    let shown = area.max_height(height).show(ui, |ui| {
        egui::Frame::new().inner_margin(MARGIN).show(ui, |ui| paragraph(ui, theme, step.text));
        if let Some(task) = &step.task {
            task_of(ui, theme, session, task, session.tools.learn.progress.is_done(lesson, at), actions);
        }
        controls(ui, theme, session, step, actions);
        highlights(ui, theme, session, step, actions);
        if at + 1 == lesson.steps.len() {
            explained(ui, theme, session, lesson, actions);
        }
    });
    if known != Some(shown.content_size.y) {
        ui.data_mut(|data| data.insert_temp(text_height, shown.content_size.y));
        ui.ctx().request_repaint();
    }
    if has_formula {
        step::formula(ui, theme, session, formula, actions);
    }
}

fn dots(ui: &mut Ui, theme: &Theme, session: &Session, (lesson, at): (&Lesson, usize), actions: &mut Vec<Action>) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), DOTS), Sense::hover());
    let distance = ((rect.width() - 24.0) / lesson.steps.len() as f32).min(DOT_DISTANCE);
    for (index, step) in lesson.steps.iter().enumerate() {
        let center = Pos2::new(rect.left() + 12.0 + distance * (index as f32 + 0.5), rect.center().y);
        let area = egui::Rect::from_center_size(center, vec2(distance, DOTS));
        let response = ui.interact(area, ui.id().with(("dot", index)), Sense::click());
        let is_done = session.tools.learn.progress.is_done(lesson, index);
        let name = text::step_help(&(index + 1), is_done);
        response.describe(&|| egui::WidgetInfo::selected(egui::WidgetType::RadioButton, true, index == at, &name));
        let radius = if step.task.is_some() { 4.5 } else { 3.0 };
        let color = if is_done || index == at { theme.text[0] } else { theme.track };
        if is_done || step.task.is_none() {
            ui.painter().circle_filled(center, radius, color);
        } else {
            ui.painter().circle_stroke(center, radius, Stroke::new(1.5, color));
        }
        if index == at || response.hovered() || response.has_focus() {
            ui.painter().circle_stroke(center, 7.5, Stroke::new(1.2, theme.accent));
        }
        if response.clicked() {
            act(actions, LearnAction::Step(index));
        }
        response.help(name);
    }
}

fn paragraph(ui: &mut Ui, theme: &Theme, words: &str) {
    let font = egui::FontId::proportional(TEXT_SIZE);
    let mut job = egui::text::LayoutJob::default();
    let pieces: Vec<Piece> = pieces(words);
    for piece in &pieces {
        let mut format = TextFormat::simple(font.clone(), theme.text[0]);
        format.line_height = Some(TEXT_SIZE * 1.35);
        if piece.term.is_some() {
            format.underline = Stroke::new(1.0, theme.text[2]);
        }
        job.append(piece.text, 0.0, format);
    }
    let (at, galley, response) = egui::Label::new(job).wrap().selectable(false).layout_in_ui(ui);
    response.describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, galley.text()));
    ui.painter().galley(at, galley.clone(), theme.text[0]);
    let Some(pointer) = response.hover_pos() else { return };
    let letter = galley.cursor_from_pos(pointer - at).ccursor.index;
    // To the right of a line's end, `letter` is the line's last letter although the pointer is not on that letter.
    let is_on_line = galley.rows.iter().any(|row| row.rect.contains(pointer - at.to_vec2()));
    let mut end = 0;
    let under = pieces.iter().find(|piece| {
        end += piece.text.chars().count();
        letter < end
    });
    if let Some(term) = under.and_then(|piece| piece.term).filter(|_| is_on_line) {
        response.help_at_pointer(format!("{}: {}", capital(term.name), term.definition));
    }
}

fn task_of(ui: &mut Ui, theme: &Theme, session: &Session, task: &Task, was_done: bool, actions: &mut Vec<Action>) {
    let learn = &session.tools.learn;
    let (mark, state) = match learn.is_met {
        true => (icon::CHECK_CIRCLE, text::DONE),
        false if was_done => (icon::CHECK, text::OPEN),
        false => (icon::CIRCLE, text::OPEN),
    };
    section(ui, theme, text::TASK, state, |ui| {
        ui.add_space(4.0);
        ui.with_layout(Layout::left_to_right(Align::Min), |ui| {
            let color = if learn.is_met { theme.push_only } else { theme.text[2] };
            ui.label(RichText::new(mark).size(17.0).color(color));
            ui.with_layout(Layout::top_down(Align::Min), |ui| paragraph(ui, theme, task.text));
        });
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            ui.set_height(26.0);
            if ui.add_enabled(!learn.shows_hint, egui::Button::new(text::HINT)).help(text::HINT_HELP).clicked() {
                act(actions, LearnAction::Hint);
            }
            let can_show = !learn.is_met && !learn.is_busy();
            if ui.add_enabled(can_show, egui::Button::new(text::SHOW_ME)).help(text::SHOW_ME_HELP).clicked() {
                act(actions, LearnAction::ShowMe);
            }
        });
        if learn.shows_hint {
            ui.add(egui::Label::new(RichText::new(task.hint).color(theme.text[1])).wrap());
        }
    });
}

fn controls(ui: &mut Ui, theme: &Theme, session: &Session, step: &Step, actions: &mut Vec<Action>) {
    let stack = session.world.stack();
    let exists = |id: &ParameterId| ParameterId::all(stack).any(|own| own == *id);
    let ids: Vec<ParameterId> =
        step.controls.iter().filter_map(|path| ParameterId::from_path(path)).filter(exists).collect();
    if ids.is_empty() {
        return;
    }
    section(ui, theme, text::PARAMETERS, text::PARAMETERS_HINT, |ui| {
        for id in ids {
            let (label, mut value, [min, max]) = (id.label(), id.get(stack), id.range());
            if let Some(changed) = whole_label_slider(ui, theme, &label, &mut value, min..=max, id.parameter) {
                let mut stack = stack.clone();
                id.set(&mut stack, value);
                let document = Box::new(session.world.history.document().with_stack(stack));
                actions.push(Action::Edit { label, gesture: changed.gesture, document });
            }
        }
    });
}

fn highlights(ui: &mut Ui, theme: &Theme, session: &Session, step: &Step, actions: &mut Vec<Action>) {
    if step.highlights.is_empty() {
        return;
    }
    section(ui, theme, text::HIGHLIGHTED, "", |ui| {
        for control::Row { control, hidden } in control::rows(ui.ctx(), session, step) {
            let (name, pane) = (control.name(session), control.pane().title());
            let row = RichText::new(text::highlighted_row(&name, &pane)).color(theme.text[1]);
            row_with_buttons(ui, HIGHLIGHT_ROW, row, "", |ui| {
                let button = ui.add_enabled(hidden.is_some(), egui::Button::new(text::SHOW_CONTROL));
                if button.help(text::show_control_help(&pane)).clicked()
                    && let Some(id) = hidden
                {
                    jump::request(ui.ctx(), id);
                    actions.extend(control.opens());
                }
            });
        }
    });
}

fn explained(ui: &mut Ui, theme: &Theme, session: &Session, lesson: &Lesson, actions: &mut Vec<Action>) {
    let (steps, parameters) = (links::steps_of(session, lesson), links::parameters_of(session, lesson));
    if steps.is_empty() && parameters.is_empty() {
        return;
    }
    section(ui, theme, text::EXPLAINED, "", |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
            for (index, (layer, cursor, name)) in steps.into_iter().enumerate() {
                if index == 0 {
                    ui.label(RichText::new(text::STAGES).color(theme.text[2]));
                }
                if ui.small_button(capital(&name)).help(text::stage_help(&name)).clicked() {
                    actions.push(Action::Steps(StepAction::SeekIn(layer, cursor)));
                }
            }
            for (index, (selection, id)) in parameters.into_iter().enumerate() {
                if index == 0 {
                    ui.label(RichText::new(text::SETTINGS).color(theme.text[2]));
                }
                let name = label(id.parameter.key);
                if ui.small_button(capital(&name)).help(text::parameter_help(&name)).clicked() {
                    actions.extend([Action::Select(selection), Action::ShowPane(Pane::Inspector)]);
                    jump::request(ui.ctx(), jump::of_field(&id.parameter.field()));
                }
            }
        });
    });
}
pub(crate) fn book_icon(ui: &mut Ui, page: impl Into<Cow<'static, str>>, actions: &mut Vec<Action>) {
    let page = page.into();
    let button = egui::Button::new(RichText::new(icon::BOOK_OPEN).size(14.0)).frame(false);
    let response = ui.add(button.min_size(vec2(22.0, 20.0))).help(text::book_help(&page));
    response.describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, text::name_book(&page)));
    if response.clicked() {
        act(actions, LearnAction::OpenPage(page));
    }
}

#[derive(Clone, Copy)]
pub(crate) enum LessonOn {
    Selection,
    Formula,
    Stage,
}

pub(crate) fn lesson_icon(ui: &mut Ui, lesson: Option<&'static Lesson>, on: LessonOn, actions: &mut Vec<Action>) {
    let Some(lesson) = lesson else { return };
    let (help, on): (fn(&dyn std::fmt::Display) -> String, _) = match on {
        LessonOn::Selection => (text::lesson_of_selection, text::ON_SELECTION),
        LessonOn::Formula => (text::lesson_of_step, text::ON_FORMULA),
        LessonOn::Stage => (text::lesson_of_step, text::ON_STAGE),
    };
    let button = egui::Button::new(RichText::new(icon::GRADUATION_CAP).size(14.0)).frame(false);
    let response = ui.add(button.min_size(vec2(22.0, 20.0))).help(help(&lesson.title));
    let name = text::name_lesson(&on, &lesson.title);
    response.describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, &name));
    if response.clicked() {
        act(actions, LearnAction::Follow(lesson.key));
    }
}

pub(crate) fn lessons_section(ui: &mut Ui, theme: &Theme, paths: &[String], actions: &mut Vec<Action>) {
    let mut lessons: Vec<&'static Lesson> = Vec::new();
    for lesson in paths.iter().filter_map(|path| links::lesson_of_parameter(path)) {
        if !lessons.iter().any(|own| own.key == lesson.key) {
            lessons.push(lesson);
        }
    }
    section(ui, theme, text::LESSONS, text::LESSONS_HINT, |ui| {
        for lesson in lessons {
            ui.horizontal(|ui| {
                book_icon(ui, lesson.page, actions);
                let button = egui::Button::new(RichText::new(lesson.title).color(theme.text[1])).frame(false);
                let response = ui.add(button.min_size(vec2(0.0, 20.0))).help(text::lesson_of_selection(&lesson.title));
                if response.clicked() {
                    act(actions, LearnAction::Follow(lesson.key));
                }
            });
        }
    });
}
