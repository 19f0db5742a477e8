//! Details of the step at the cursor: formula, numbers, and attribution.

use egui_macroquad::egui::{self, Painter, Pos2, Rect, RichText, Sense, Stroke, Ui, vec2};
use egui_phosphor::regular as icon;
use egui_plot::{GridMark, Line, LineStyle, Plot, PlotPoints, Points};

use crate::session::{Action, Session};
use crate::tools::learn::links::{lesson_of_step, page_of_step};
use crate::tools::learn::pane::{LessonOn, book_icon, lesson_icon};
use crate::tools::learn::picture::marked;
use crate::tools::steps::session::StepAction;
use crate::tools::steps::words as text;
use crate::ui::help::Help;
use crate::ui::theme::{Theme, fade, node_mark, semibold};
use crate::ui::widgets::section;
use crate::ui::words::{counted, signed};
use kinescope_ik::debugger::attribution::{Grouping, Row, Target};
use kinescope_ik::notation::{Course, Curve, Sheet, Symbol, names_in};
use kinescope_ik::stepped::run::{Cursor, Run, Tint};

/// Returns the move whose formula is shown: the selected move, else the largest move of the step. Moves of the nodes
/// that a lesson marks come first. `None` if the step has no moves.
fn shown_event(session: &Session, run: &dyn Run) -> Option<usize> {
    let step = session.world.time.cursor.step;
    let count = run.events(step);
    let marked = marked(session);
    let largest = || {
        let is_marked =
            |event: usize| matches!(run.cause(step, event).tint, Tint::Node(node) if marked.contains(&node));
        let size = |event: usize| run.event(step, event, &|_| String::new()).size;
        (0..count).max_by(|&a, &b| is_marked(a).cmp(&is_marked(b)).then(size(a).total_cmp(&size(b))))
    };
    session.world.time.cursor.within.filter(|&within| within < count).or_else(largest)
}

fn mark(painter: &Painter, theme: &Theme, session: &Session, tint: Tint, at: Pos2) {
    match tint {
        Tint::Node(node) => drop(painter.add(node_mark(theme, node, at, 4.0, Stroke::NONE))),
        _ => {
            let color = theme.tone(session.focus(), tint);
            painter.rect_filled(Rect::from_center_size(at, vec2(9.0, 4.0)), 1.0, color);
        }
    }
}

pub(crate) fn has_formula(session: &Session) -> bool {
    session.shown_run().is_some()
}

/// Shows the equation of the move that [`shown_event`] returns, or of the whole step, with symbols. Below each line is
/// the same line with numbers. The formula scrolls within `height`, so that it does not move the rows below.
pub(crate) fn formula(ui: &mut Ui, theme: &Theme, session: &Session, height: f32, actions: &mut Vec<Action>) {
    let Some(run) = session.shown_run() else { return };
    let step = session.world.time.cursor.step;
    let by_steps = run.moves_by_steps();
    let (count, shown) = (run.events(step), shown_event(session, run));
    let hint = match shown {
        _ if by_steps => run.step(step).name,
        Some(index) => text::move_of(&(index + 1), &count),
        None => text::NOTHING_MOVED.to_owned(),
    };
    let mut has_sheet = false;
    let top = ui.cursor().min;
    let row = Rect::from_min_max(top + vec2(TITLE_WIDTH, 0.0), top + vec2(ui.available_width() - 12.0, 22.0));
    section(ui, theme, text::FORMULA, "", |ui| {
        let index = shown.unwrap_or(0);
        let sheet = (by_steps || shown.is_some()).then(|| run.formula(step, index)).flatten();
        has_sheet = sheet.is_some();
        // The section's title and margins take the remaining 30 logical pixels.
        let area = egui::ScrollArea::vertical().id_salt("formula").auto_shrink(false).max_height(height - 30.0);
        area.min_scrolled_height(height - 30.0).show(ui, |ui| {
            let Some(sheet) = sheet else {
                ui.weak(if by_steps { text::NO_FORMULA } else { text::NOTHING_MOVED_IN_STEP });
                return;
            };
            title(ui, theme, session, &sheet, shown.map(|index| run.cause(step, index).tint));
            lines(ui, theme, &sheet);
            if let Some(curve) = &sheet.curve {
                curve_of(ui, theme, curve);
            }
        });
    });
    // In the row of the section's title, so that the formula's title has the whole width. From the right, so that no
    // button moves from one move to the next.
    let layout = egui::Layout::right_to_left(egui::Align::Center);
    let mut ui = ui.new_child(egui::UiBuilder::new().max_rect(row).layout(layout));
    if has_sheet {
        if let Some(index) = shown.filter(|_| !by_steps) {
            previous_and_next(&mut ui, Cursor { step, within: Some(index) }, count, actions);
        }
        let lesson = lesson_of_step(session.focus(), run.step(step).key);
        lesson_icon(&mut ui, lesson, LessonOn::Formula, actions);
        book_icon(&mut ui, page_of_step(session.focus(), run.step(step).key), actions);
    }
    ui.add(egui::Label::new(RichText::new(hint).size(11.0).color(theme.text[2])).truncate());
}

fn curve_of(ui: &mut Ui, theme: &Theme, curve: &Curve) {
    const HEIGHT: f32 = 76.0;
    const WHOLE: f64 = 1.0;
    let points = |course: &Course| PlotPoints::from_iter(course.points.iter().map(|point| point.map(f64::from)));
    let [x, y] = curve.at.map(f64::from);
    let margin = 0.08;
    let plot = Plot::new("curve of the formula")
        .height(HEIGHT)
        .allow_zoom(false)
        .allow_drag(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .show_x(false)
        .show_y(false)
        .default_x_bounds(-margin, WHOLE + margin)
        .default_y_bounds(-margin, WHOLE + margin)
        .x_grid_spacer(|_| halves())
        .y_grid_spacer(|_| halves())
        .x_axis_formatter(|mark, _| mark.value.to_string())
        .y_axis_formatter(|mark, _| mark.value.to_string())
        .y_axis_min_width(28.0)
        .label_formatter(|_, _| String::new());
    ui.add_space(4.0);
    let response = ui.scope(|ui| {
        ui.visuals_mut().override_text_color = Some(fade(theme.text[2], 0.75));
        plot.show(ui, |plot| {
            for (_, course) in curve.courses.iter().enumerate().filter(|(index, _)| *index != curve.in_force) {
                let line = Line::new(course.text.clone(), points(course)).color(fade(theme.text[2], 0.7)).width(1.0);
                plot.line(line);
            }
            if let Some(course) = curve.courses.get(curve.in_force) {
                plot.line(Line::new(course.text.clone(), points(course)).color(theme.accent).width(2.4));
            }
            for to in [[x, 0.0], [0.0, y]] {
                let way = PlotPoints::from(vec![to, [x, y]]);
                let line = Line::new("", way).color(fade(theme.text[0], 0.6)).width(1.0);
                plot.line(line.style(LineStyle::dashed_dense()));
            }
            plot.points(Points::new("", vec![[x, y]]).color(theme.text[0]).radius(4.0));
        })
    });
    let in_force = curve.courses.get(curve.in_force).map_or("", |course| &course.text);
    let others: Vec<&str> = curve.courses.iter().map(|course| course.text.as_str()).collect();
    let text = text::curve_text(&curve.input, &curve.name, &in_force);
    // The text wraps, because an expression with sines can be long.
    ui.add(egui::Label::new(RichText::new(text).monospace().size(11.0).color(theme.text[1])).wrap());
    let help = text::curve_help(&x, &curve.name, &y, &others.join(", "));
    response.inner.response.help_at_pointer(help);
}

fn halves() -> Vec<GridMark> {
    [0.0, 0.5, 1.0].map(|value| GridMark { value, step_size: 0.5 }).into()
}

/// Width of the title of the section with its arrow, logical pixels.
const TITLE_WIDTH: f32 = 88.0;

fn title(ui: &mut Ui, theme: &Theme, session: &Session, sheet: &Sheet, tint: Option<Tint>) {
    const ROW: f32 = 18.0;
    ui.horizontal_top(|ui| {
        if let Some(tint) = tint {
            let (rect, _) = ui.allocate_exact_size(vec2(10.0, ROW), Sense::hover());
            mark(ui.painter(), theme, session, tint, rect.center());
        }
        ui.add(egui::Label::new(RichText::new(&sheet.title).family(semibold())).wrap());
    });
}

fn previous_and_next(ui: &mut Ui, cursor: Cursor, count: usize, actions: &mut Vec<Action>) {
    let index = cursor.within.unwrap_or(0);
    for (glyph, to) in [(icon::CARET_RIGHT, index + 1), (icon::CARET_LEFT, index.wrapping_sub(1))] {
        let button = egui::Button::new(glyph).frame(false);
        if ui.add_enabled(to < count, button).help(text::MOVE_HELP).clicked() {
            actions.push(Action::Steps(StepAction::Seek(Cursor { within: Some(to), ..cursor })));
        }
    }
}

fn lines(ui: &mut Ui, theme: &Theme, sheet: &Sheet) {
    for line in &sheet.lines {
        let mono = |text: &str, color| RichText::new(text).monospace().color(color);
        let numeric = format!("  {}", line.numeric);
        for (text, color) in [(&line.symbolic, theme.text[1]), (&numeric, theme.text[0])] {
            if text.trim().is_empty() {
                continue;
            }
            let explained = names_in(&line.symbolic)
                .filter_map(|name| sheet.symbols.iter().find(|symbol| symbol.name == name))
                .map(symbol_help);
            let help: Vec<String> = explained.collect();
            ui.add(egui::Label::new(mono(text, color)).wrap()).help(help.join("\n"));
        }
    }
    let help: Vec<String> = sheet.symbols.iter().map(symbol_help).collect();
    ui.label(RichText::new(text::SYMBOLS).color(theme.text[2]).size(11.0)).help(help.join("\n"));
}

fn symbol_help(symbol: &Symbol) -> String {
    match symbol.value().as_str() {
        "" => format!("{}  {}", symbol.name, symbol.meaning),
        value => format!("{} = {value}  {}", symbol.name, symbol.meaning),
    }
}

pub(crate) fn numbers(ui: &mut Ui, theme: &Theme, session: &Session) {
    let Some(run) = session.shown_run() else { return };
    let step = session.world.time.cursor.step;
    let found = run.numbers(step, &|length| session.world.character.length(length));
    if found.is_empty() {
        return;
    }
    section(ui, theme, &text::values_of(&run.step(step).name), "", |ui| {
        for line in found {
            let width = ui.available_width();
            let (font, color) = (egui::FontId::monospace(11.0), theme.text[0]);
            let numbers = ui.painter().layout(line.numbers.clone(), font, color, width - 16.0);
            let what =
                ui.painter().layout(line.what.clone(), egui::FontId::proportional(12.0), theme.text[1], width - 16.0);
            // Numbers that do not fit next to their label have a line of their own.
            let is_one_row = 16.0 + what.size().x + 12.0 + numbers.size().x <= width;
            let height = match is_one_row {
                true => what.size().y.max(numbers.size().y) + 3.0,
                false => what.size().y + numbers.size().y + 4.0,
            };
            let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
            if line.tint != Tint::Own {
                let at = Pos2::new(rect.left() + 5.0, rect.top() + 8.0);
                mark(ui.painter(), theme, session, line.tint, at);
            }
            let top = rect.top() + 1.0;
            let below = if is_one_row { 0.0 } else { what.size().y };
            let at = Pos2::new(rect.right() - numbers.size().x, top + below);
            ui.painter().galley(Pos2::new(rect.left() + 16.0, top), what, theme.text[1]);
            ui.painter().galley(at, numbers, color);
            response.help(format!("{}: {}", line.what, line.numbers));
        }
    });
}

/// Number of rows that are shown before the user clicks *Show all*.
const ATTRIBUTION_ROWS: usize = 6;

pub(crate) fn attribution(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    let view = &session.tools.debugger.attribution;
    let target = session.attribution_target();
    let bones = session.world.character.model.skeleton.bones();
    let run = session.shown_run();
    let points = run.map_or_else(Vec::new, Run::points);
    let name = |target: Target| match target {
        Target::Point(_, point) => points.get(point).map_or_else(String::new, |point| point.label.clone()),
        Target::Bone(bone) => bones.get(bone).map_or_else(String::new, |bone| bone.name.clone()),
    };
    let whole = session.world.character.length(view.table.distance() as f32);
    section(ui, theme, text::ATTRIBUTION, &text::moved(&whole), |ui| {
        let (mut chosen, mut grouping) = (view.target, view.grouping);
        ui.horizontal(|ui| {
            ui.set_height(26.0);
            let text = if chosen.is_some() { name(target) } else { text::selected_target(&name(target)) };
            egui::ComboBox::from_id_salt("attribution of").selected_text(text).width(168.0).height(360.0).show_ui(
                ui,
                |ui| {
                    ui.selectable_value(&mut chosen, None, text::FOLLOW_SELECTION);
                    for (index, point) in points.iter().enumerate() {
                        let own = Target::Point(session.focus(), index);
                        ui.selectable_value(&mut chosen, Some(own), &point.label);
                    }
                    ui.separator();
                    for (index, bone) in bones.iter().enumerate() {
                        ui.selectable_value(&mut chosen, Some(Target::Bone(index)), text::bone_target(&bone.name));
                    }
                },
            );
            egui::ComboBox::from_id_salt("attribution by")
                .selected_text(text::by_grouping(&grouping.label()))
                .width(104.0)
                .show_ui(ui, |ui| {
                    for option in Grouping::ALL {
                        ui.selectable_value(&mut grouping, option, text::by_grouping(&option.label()));
                    }
                });
        });
        if (chosen, grouping) != (view.target, view.grouping) {
            actions.push(Action::Steps(StepAction::Attribution { target: chosen, grouping }));
        }
        if view.table.rows.is_empty() {
            ui.weak(text::DID_NOT_MOVE);
        }
        let most = view.table.rows.first().map_or(0.0, |row| row.along.abs()).max(1e-12);
        let cause =
            run.and_then(|run| Some(run.cause(session.world.time.cursor.step, shown_event(session, run)?).label));
        let current = cause.filter(|_| grouping == Grouping::Cause);
        let all = ui.make_persistent_id("all of the attribution");
        let mut shows_all = ui.data(|data| data.get_temp(all).unwrap_or(false));
        let count = view.table.rows.len();
        let shown = if shows_all { count } else { count.min(ATTRIBUTION_ROWS) };
        for row in &view.table.rows[..shown] {
            attribution_row(ui, theme, session, row, most, current.as_ref() == Some(&row.label), actions);
        }
        if count > ATTRIBUTION_ROWS {
            let text = if shows_all { text::ONLY_LARGEST.to_owned() } else { text::all_rows(&count) };
            if ui.add(egui::Button::new(RichText::new(text).size(11.0)).frame(false)).clicked() {
                shows_all = !shows_all;
                ui.data_mut(|data| data.insert_temp(all, shows_all));
            }
        }
        let text = text::ATTRIBUTION_HELP;
        ui.add(egui::Label::new(RichText::new(text).color(theme.text[2]).size(11.0)).wrap());
    });
}

fn attribution_row(
    ui: &mut Ui,
    theme: &Theme,
    session: &Session,
    row: &Row,
    most: f64,
    is_current: bool,
    actions: &mut Vec<Action>,
) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 19.5), Sense::click());
    let name = &row.label;
    response.describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, text::name_attribution(&name)));
    let whole = rect.expand2(vec2(12.0, 0.0));
    let painter = ui.painter_at(whole);
    if is_current {
        painter.rect_filled(whole, 0.0, theme.selected_row);
        painter.rect_filled(Rect::from_min_size(whole.min, vec2(3.0, whole.height())), 0.0, theme.accent);
    } else if response.hovered() || response.has_focus() {
        painter.rect_filled(whole, 0.0, theme.header);
    }
    mark(&painter, theme, session, row.tint, rect.left_center() + vec2(5.0, 0.0));
    let color = theme.tint(row.tint).unwrap_or(theme.fill);
    let small = egui::FontId::monospace(11.5);
    let along = row.along as f32;
    let text = signed(along, &session.world.character.length(along));
    painter.text(rect.right_center(), egui::Align2::RIGHT_CENTER, &text, small.clone(), theme.text[0]);
    let axis = rect.right() - 96.0;
    let width = (row.along / most) as f32 * 26.0;
    let bar = Rect::from_min_max(
        Pos2::new(axis + width.min(0.0), rect.center().y - 4.0),
        Pos2::new(axis + width.max(0.0), rect.center().y + 4.0),
    );
    // A value that is shown as 0 has no bar.
    if text.chars().any(|digit| ('1'..='9').contains(&digit)) {
        painter.rect_filled(bar, 1.0, color);
    }
    let count = format!("{}×", row.count);
    painter.text(Pos2::new(axis - 30.0, rect.center().y), egui::Align2::RIGHT_CENTER, count, small, theme.text[2]);
    let mut job =
        egui::text::LayoutJob::simple_singleline(name.clone(), egui::FontId::proportional(12.5), theme.text[1]);
    job.wrap = egui::text::TextWrapping::truncate_at_width((axis - 60.0 - rect.left()).max(40.0));
    let galley = painter.layout_job(job);
    painter.galley(rect.left_center() + vec2(16.0, -galley.size().y / 2.0), galley, theme.text[1]);
    if response.clicked()
        && let Some((layer, at)) = row.largest
    {
        actions.push(Action::Steps(StepAction::SeekIn(layer, at)));
    }
    let length = session.world.character.length(row.sum.to_dvec3().length() as f32);
    response.help(text::row_help(&name, &counted(row.count as usize, text::MOVE_NOUN), &length));
}
