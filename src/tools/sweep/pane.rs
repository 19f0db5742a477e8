use egui_macroquad::egui::{self, Align2, Color32, FontId, Pos2, Rect, RichText, Sense, Stroke, Ui, vec2};
use egui_phosphor::regular as icon;
use egui_plot::{Line, Plot, PlotPoints, Points, VLine};

use crate::session::commands::Command;
use crate::session::commands::buttons::command_button;
use crate::session::pane::PaneInfo;
use crate::session::{Action, Session};
use crate::tools::sweep::session::SweepAction;
use crate::tools::sweep::words as text;
use crate::ui::help::Help;
use crate::ui::theme::{Theme, fade};
use crate::ui::widgets::{row_with_buttons, scroll_to_new, section};
use crate::ui::words::{measured, plain, signed, sweep_label};
use kinescope_ik::debugger::again::MotionMeasure;
use kinescope_ik::debugger::sweep::{Axis, Sensitivity, SweepMeasure, SweepResult};
use kinescope_ik::stack::parameters::ParameterId;
use kinescope_ik::stepped::run::{MeasureView, Unit};

pub(crate) const PANE: PaneInfo = PaneInfo::tab(text::TITLE, text::WHAT, 6, show);

const NO_DIFFERENCE: &str = text::NO_DIFFERENCE;
/// Position on the colour scale, 0 to 1, of a measure that does not change in the sweep.
const FLAT: f32 = 0.5;

pub(crate) fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.look.view.light_theme);
    ui.spacing_mut().item_spacing = vec2(8.0, 2.0);
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        section(ui, theme, text::WHAT_TO_SWEEP, "", |ui| question(ui, theme, session, actions));
        if let Some((result, sensitivities)) = &session.tools.debugger.sweep.result {
            let hint = text::solves(&result.solves);
            // The row is always shown, so that the map below does not move.
            let (text, color) = match session.sweep_is_stale() {
                true => (text::out_of_date(&icon::WARNING), theme.warning),
                false => (text::UP_TO_DATE.to_owned(), theme.text[2]),
            };
            row_with_buttons(ui, 20.0, RichText::new(text).color(color), "", |_| {});
            let top = ui.cursor().min;
            section(ui, theme, &text::over_range(&label_of(session, &result.measure)), &hint, |ui| match result.y {
                Some(y) => map(ui, theme, session, result, y, actions),
                None => curve(ui, theme, session, result, actions),
            });
            // In a low window the inputs fill the pane, so the pane scrolls to a new result.
            scroll_to_new(ui, "sweep", session.tools.debugger.sweep.done, top);
            let unit = session.world.character.unit_name(unit_of(session, &result.measure));
            section(ui, theme, text::SENSITIVITY, &text::sensitivity_hint(unit), |ui| {
                if sensitivities.is_empty() {
                    ui.weak(text::NO_SENSITIVITY);
                }
                for one in sensitivities.iter().take(24) {
                    sensitivity(ui, theme, session, &result.measure, one, actions);
                }
            });
        }
    });
}

fn question(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    let view = &session.tools.debugger.sweep;
    let (mut x, mut y, mut measure, mut whole_tape) = (view.x, view.y, view.measure.clone(), view.whole_tape);
    let width = ui.available_width() - 80.0;
    egui::Grid::new("sweep").num_columns(2).spacing([12.0, 6.0]).show(ui, |ui| {
        ui.add(egui::Label::new(RichText::new(text::ALONG_X).color(theme.text[1])).extend());
        parameters(ui, session, "x", width, &mut x);
        ui.end_row();
        ui.add(egui::Label::new(RichText::new(text::ALONG_Y).color(theme.text[1])).extend());
        let text = y.map_or(text::NOTHING.to_owned(), ParameterId::label);
        egui::ComboBox::from_id_salt("sweep y").selected_text(text).width(width).height(360.0).show_ui(ui, |ui| {
            ui.selectable_value(&mut y, None, text::NOTHING);
            for parameter in ParameterId::all(&session.world.history.document().stack) {
                ui.selectable_value(&mut y, Some(parameter), parameter.label()).help(parameter.parameter.help);
            }
        });
        ui.end_row();
        ui.add(egui::Label::new(RichText::new(text::MEASURE).color(theme.text[1])).extend());
        egui::ComboBox::from_id_salt("sweep measure")
            .selected_text(label_of(session, &measure))
            .width(width)
            .height(360.0)
            .show_ui(ui, |ui| {
                for option in session.world.solved.measures() {
                    ui.selectable_value(&mut measure, option.id.into(), option.view.label);
                }
                ui.separator();
                ui.weak(text::OVER_RECORDING);
                for option in MotionMeasure::ALL {
                    let option = SweepMeasure::Motion(option);
                    let label = sweep_label(&option);
                    ui.selectable_value(&mut measure, option, label);
                }
            });
        ui.end_row();
    });
    let is_motion = matches!(measure, SweepMeasure::Motion(_));
    let help = match is_motion {
        true => text::MOTION_HELP,
        false => text::WHOLE_HELP,
    };
    ui.add_enabled(!is_motion, egui::Checkbox::new(&mut whole_tape, text::WHOLE)).help(help);
    if (x, y, whole_tape) != (view.x, view.y, view.whole_tape) || measure != view.measure {
        actions.push(Action::Sweep(SweepAction::Choose { x, y, measure, whole_tape }));
    }
    ui.horizontal(|ui| {
        ui.set_height(30.0);
        let is_idle = view.job.is_none();
        command_button(ui, Command::Sweep, is_idle && !session.world.solved.measures().is_empty(), actions);
        if let Some(job) = &view.job {
            command_button(ui, Command::CancelJobs, true, actions);
            let width = ui.available_width().clamp(30.0, 150.0);
            ui.add(egui::ProgressBar::new(job.progress()).desired_width(width).show_percentage());
        }
    });
}

fn parameters(ui: &mut Ui, session: &Session, id: &str, width: f32, chosen: &mut ParameterId) {
    let combo = egui::ComboBox::from_id_salt(("sweep", id)).selected_text(chosen.label()).width(width).height(360.0);
    combo.show_ui(ui, |ui| {
        for parameter in ParameterId::all(&session.world.history.document().stack) {
            ui.selectable_value(chosen, parameter, parameter.label()).help(parameter.parameter.help);
        }
    });
}

/// Draws a heat map. Low values are dark in the dark theme and light in the light theme.
fn map(ui: &mut Ui, theme: &Theme, session: &Session, result: &SweepResult, y: Axis, actions: &mut Vec<Action>) {
    let number = |value: f32| number(session, &result.measure, value);
    let [low, high] = result.range();
    let is_flat = number(low) == number(high);
    // The text "no difference" is wider than a number.
    let (left, bottom, right) = (44.0, 52.0, if is_flat { 98.0 } else { 78.0 });
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 250.0), Sense::click());
    response.describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, text::NAME_MAP));
    let area = Rect::from_min_max(rect.min + vec2(left, 8.0), rect.max - vec2(right, bottom));
    let painter = ui.painter_at(rect);
    let (columns, rows) = (result.columns(), result.rows());
    let cell = vec2(area.width() / columns as f32, area.height() / rows as f32);
    // If all values display as the same number, they get one colour. The full range of colours would make rounding
    // errors look like a result.
    let color = |value: f32| match is_flat {
        true => theme.warmth(FLAT),
        false => theme.warmth((value - low) / (high - low).max(f32::MIN_POSITIVE)),
    };
    let mut mesh = egui::Mesh::default();
    for (index, &value) in result.values.iter().enumerate() {
        let (column, row) = (index % columns, index / columns);
        let min = Pos2::new(area.left() + cell.x * column as f32, area.bottom() - cell.y * (row + 1) as f32);
        mesh.add_colored_rect(Rect::from_min_size(min, cell), color(value));
    }
    painter.add(mesh);
    let small = FontId::proportional(11.0);
    let text =
        |at: Pos2, align: Align2, text: String, color: Color32| painter.text(at, align, text, small.clone(), color);
    axes(&painter, theme, (rect, area), (result.x, y));
    let scale = Rect::from_min_size(Pos2::new(area.right() + 8.0, area.top()), vec2(10.0, area.height()));
    let mut mesh = egui::Mesh::default();
    for part in 0..32 {
        let height = scale.height() / 32.0;
        let min = Pos2::new(scale.left(), scale.bottom() - height * (part + 1) as f32);
        let warmth = if is_flat { FLAT } else { part as f32 / 31.0 };
        mesh.add_colored_rect(Rect::from_min_size(min, vec2(10.0, height)), theme.warmth(warmth));
    }
    painter.add(mesh);
    let (first, second, below) = match is_flat {
        true => (NO_DIFFERENCE.to_owned(), number(low), scale.top() + 20.0),
        false => (number(high), number(low), scale.bottom() - 5.0),
    };
    text(scale.right_top() + vec2(4.0, 5.0), Align2::LEFT_CENTER, first, theme.text[1]);
    text(Pos2::new(scale.right() + 4.0, below), Align2::LEFT_CENTER, second, theme.text[1]);

    let place = |values: [f32; 2]| {
        let part = |axis: Axis, value: f32| ((value - axis.from) / (axis.to - axis.from)).clamp(0.0, 1.0);
        let inner = area.shrink2(cell / 2.0);
        Pos2::new(
            inner.left() + inner.width() * part(result.x, values[0]),
            inner.bottom() - inner.height() * part(y, values[1]),
        )
    };
    // The cross-hair at the values of the frame shown is visible on both dark and light cells.
    let live = place([result.x.parameter.get(session.world.stack()), y.parameter.get(session.world.stack())]);
    for (width, color) in [(3.0, Color32::from_black_alpha(130)), (1.2, Color32::WHITE)] {
        painter.hline(area.x_range(), live.y, Stroke::new(width, color));
        painter.vline(live.x, area.y_range(), Stroke::new(width, color));
    }
    painter.circle(live, 4.5, Color32::WHITE, Stroke::new(1.5, Color32::BLACK));
    if let Some((column, row, least)) = result.least().filter(|_| !is_flat) {
        let at = place([result.x.value(column), y.value(row)]);
        let cross = |offset: egui::Vec2, stroke: Stroke| painter.line_segment([at - offset, at + offset], stroke);
        for (width, color) in [(4.0, Color32::BLACK), (1.8, Color32::WHITE)] {
            cross(vec2(5.0, 0.0), Stroke::new(width, color));
            cross(vec2(0.0, 5.0), Stroke::new(width, color));
        }
        let least = text::least(&number(least));
        text(Pos2::new(area.right(), rect.bottom() - 22.0), Align2::RIGHT_CENTER, least, theme.text[1]);
    }
    let under = |at: Pos2| {
        let column = (((at.x - area.left()) / cell.x) as usize).min(columns - 1);
        let row = (((area.bottom() - at.y) / cell.y) as usize).min(rows - 1);
        (column, row)
    };
    // A press by keyboard has no position on the map, so it takes the cell with the lowest value.
    let chosen = response.clicked().then(|| match response.interact_pointer_pos() {
        Some(at) => area.contains(at).then(|| under(at)),
        None => result.least().map(|(column, row, _)| (column, row)),
    });
    if let Some((column, row)) = chosen.flatten() {
        let values = vec![(result.x.parameter, result.x.value(column)), (y.parameter, y.value(row))];
        actions.push(Action::Sweep(SweepAction::TakeValues(values)));
    }
    if let Some(at) = response.hover_pos().filter(|at| area.contains(*at)) {
        let (column, row) = under(at);
        response.help_at_pointer(text::map_help(
            &result.x.parameter.label(),
            &result.x.value(column),
            &y.parameter.label(),
            &y.value(row),
            &number(result.values[row * columns + column]),
        ));
    }
}

fn axes(painter: &egui::Painter, theme: &Theme, (rect, area): (Rect, Rect), (x, y): (Axis, Axis)) {
    let small = FontId::proportional(11.0);
    let text =
        |at: Pos2, align: Align2, text: String, color: Color32| painter.text(at, align, text, small.clone(), color);
    for (axis, is_x) in [(x, true), (y, false)] {
        for part in [0.0, 0.5, 1.0] {
            let label = format!("{:.2}", axis.from + (axis.to - axis.from) * part);
            match is_x {
                true => {
                    let at = Pos2::new(area.left() + area.width() * part, area.bottom() + 9.0);
                    text(at, Align2::CENTER_CENTER, label, theme.text[2])
                }
                false => {
                    let at = Pos2::new(area.left() - 6.0, area.bottom() - area.height() * part);
                    text(at, Align2::RIGHT_CENTER, label, theme.text[2])
                }
            };
        }
    }
    let x_name = format!("x: {}", x.parameter.label());
    text(Pos2::new(area.left(), rect.bottom() - 22.0), Align2::LEFT_CENTER, x_name, theme.text[1]);
    let y_name = format!("y: {}", y.parameter.label());
    text(Pos2::new(area.left(), rect.bottom() - 8.0), Align2::LEFT_CENTER, y_name, theme.text[1]);
}

fn curve(ui: &mut Ui, theme: &Theme, session: &Session, result: &SweepResult, actions: &mut Vec<Action>) {
    let values: Vec<[f64; 2]> = result
        .values
        .iter()
        .enumerate()
        .map(|(column, &value)| [f64::from(result.x.value(column)), f64::from(shown(session, &result.measure, value))])
        .collect();
    let [low, high] = result.range();
    let is_flat = number(session, &result.measure, low) == number(session, &result.measure, high);
    let mut plot = Plot::new("sweep curve").height(220.0).allow_scroll(false).show_background(false);
    if is_flat {
        // The axis is extended, so that rounding errors do not fill the plot.
        let middle = f64::from(shown(session, &result.measure, low));
        plot = plot.include_y(middle - 1.0).include_y(middle + 1.0);
    }
    let mut pointer = None;
    let response = plot.show(ui, |plot| {
        plot.line(
            Line::new(label_of(session, &result.measure), PlotPoints::from(values)).color(theme.text[0]).width(2.0),
        );
        let live = f64::from(result.x.parameter.get(session.world.stack()));
        plot.vline(VLine::new("now", live).color(theme.target).width(1.5));
        if let Some((column, _, least)) = result.least().filter(|_| !is_flat) {
            let at = [f64::from(result.x.value(column)), f64::from(shown(session, &result.measure, least))];
            plot.points(Points::new("least", vec![at]).radius(4.0).color(theme.push_only));
        }
        pointer = plot.pointer_coordinate();
    });
    let legend = if is_flat { format!(", {NO_DIFFERENCE}") } else { String::new() };
    ui.label(RichText::new(format!("x: {}{legend}", result.x.parameter.label())).color(theme.text[1]));
    if response.response.clicked()
        && let Some(at) = pointer
    {
        actions.push(Action::Sweep(SweepAction::TakeValues(vec![(result.x.parameter, at.x as f32)])));
    }
    response.response.help_at_pointer(text::TAKE_VALUE_HELP);
}

fn shown(session: &Session, measure: &SweepMeasure, value: f32) -> f32 {
    value * session.world.character.factor(unit_of(session, measure))
}

fn label_of(session: &Session, measure: &SweepMeasure) -> String {
    view_of(session, measure).map_or_else(|| sweep_label(measure), |view| view.label)
}

fn unit_of(session: &Session, measure: &SweepMeasure) -> Unit {
    match measure {
        SweepMeasure::Frame(_) => view_of(session, measure).map_or(Unit::Length, |view| view.unit),
        SweepMeasure::Motion(measure) => measure.unit(),
    }
}

fn view_of(session: &Session, measure: &SweepMeasure) -> Option<MeasureView> {
    let SweepMeasure::Frame(id) = measure else { return None };
    session.world.solved.measures().into_iter().find(|measure| measure.id == *id).map(|measure| measure.view)
}

fn number(session: &Session, measure: &SweepMeasure, value: f32) -> String {
    measured(unit_of(session, measure), value, |length| session.world.character.length(length))
}

fn sensitivity(
    ui: &mut Ui,
    theme: &Theme,
    session: &Session,
    measure: &SweepMeasure,
    one: &Sensitivity,
    actions: &mut Vec<Action>,
) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 19.5), Sense::click());
    let label = one.parameter.label();
    response.describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, text::name_sweep(&label)));
    let painter = ui.painter_at(rect);
    if response.hovered() || response.has_focus() {
        painter.rect_filled(rect.expand2(vec2(12.0, 0.0)), 0.0, theme.header);
    }
    let left = rect.left_center();
    painter.text(left, Align2::LEFT_CENTER, &label, FontId::proportional(12.5), theme.text[1]);
    let is_plain = unit_of(session, measure) == Unit::Number;
    let text = |value: f32| {
        let value = shown(session, measure, value);
        match value {
            0.0 => "0".to_owned(),
            _ if is_plain => signed(value, &plain(value)),
            _ => signed(value, &format!("{value:.2}")),
        }
    };
    let at = rect.right_center();
    let color = |value: f32| if value < 0.0 { theme.push_only } else { fade(theme.text[0], 0.9) };
    painter.text(at, Align2::RIGHT_CENTER, text(one.up), FontId::monospace(11.5), color(one.up));
    let at = at - vec2(66.0, 0.0);
    painter.text(at, Align2::RIGHT_CENTER, text(one.down), FontId::monospace(11.5), color(one.down));
    if response.clicked() {
        let view = &session.tools.debugger.sweep;
        actions.push(Action::Sweep(SweepAction::Choose {
            x: one.parameter,
            y: view.y,
            measure: view.measure.clone(),
            whole_tape: view.whole_tape,
        }));
        actions.push(Action::Command(Command::Sweep));
    }
    let unit = session.world.character.unit_name(unit_of(session, measure));
    response.help(text::sensitivity_help(&one.parameter.parameter.help, &one.value, unit));
}
