//! Plots of the measures of the layer in focus, or of all layers while a lane of the chain lab is in focus: over the
//! steps of the frame shown or over the frames of the tape.

use egui_macroquad::egui::{self, Color32, FontId, Sense, Shape, Stroke, Ui, vec2};
use egui_phosphor::regular as icon;
use egui_plot::{GridMark, Line, LineStyle, MarkerShape, Plot, PlotPoints, Points, VLine};

use glam::DVec2;

use crate::picture::camera::clip_segment;
use crate::session::commands::Command;
use crate::session::commands::buttons::command_icon;
use crate::session::pane::{Body, PaneInfo, Place};
use crate::session::{Action, Session};
use crate::tools::steps::session::StepAction;
use crate::tools::steps::words as text;
use crate::ui::help::Help;
use crate::ui::theme::{Theme, fade, semibold};
use crate::ui::widgets::segmented;
use crate::ui::words::{self, plain};
use kinescope_ik::stack::{Frame, LayerId, Measure, MeasureId};
use kinescope_ik::stepped::run::{Cursor, Run, Tint, Unit};

pub(crate) const PANE: PaneInfo = PaneInfo {
    title: text::PLOTS_TITLE,
    help: text::PLOTS_WHAT,
    place: Place::Below { order: 0, height: 262.0 },
    body: Body::Plots(show),
    is_open: false,
};

/// Largest number of points of a line over frames. More cannot be distinguished.
const MOST_POINTS: usize = 900;

const LEGEND_ROW: f32 = 17.0;
/// Height of a plot for each further row that its legend may have, logical pixels.
const LEGEND_SHARE: f32 = 64.0;
/// Width up to which a plot grows for its legend, logical pixels. Longer legends scroll.
pub const WIDEST_LEGEND: f32 = 1200.0;
/// Width of the numbers at the vertical axis, logical pixels.
const AXIS: f32 = 36.0;
/// Width of an iteration's long label, logical pixels.
const NAMED_ITERATION: f32 = 66.0;
/// Space that egui_plot reserves below the numbers for the name of the axis, logical pixels. These plots have none.
const UNUSED: f32 = 14.0;

struct Series {
    name: String,
    measure: Measure,
    layer: LayerId,
    color: Color32,
    /// Whether the line is dashed, so that it can be distinguished without hue.
    dashed: bool,
    width: f32,
}

struct Family {
    name: &'static str,
    series: Vec<Series>,
}

impl Family {
    fn unit(&self) -> Unit {
        self.series.first().map_or(Unit::Length, |one| one.measure.view.unit)
    }

    fn title(&self, session: &Session) -> String {
        text::plot_title(self.name, session.world.character.unit_name(self.unit()))
    }

    fn factor(&self, session: &Session) -> f64 {
        f64::from(session.world.character.factor(self.unit()))
    }

    /// Returns a range that the axis always includes, in displayed units, so that invisible differences do not fill the
    /// plot.
    fn least(&self, session: &Session) -> [f64; 2] {
        let is_error = self.series.first().is_some_and(|one| one.measure.view.is_error);
        // A line within 0.5 % of the height counts as flat.
        let flat = 0.005 * f64::from(session.world.character.height) * self.factor(session);
        match (self.unit(), is_error) {
            (Unit::Length, true) => [0.0, 2.0],
            (Unit::Length, false) => [-flat, flat],
            (Unit::Excess, _) => [-1.0, 1.0],
            // This is the range near full stretch, where limbs lock.
            (Unit::Fraction, _) => [95.0, 100.5],
            (Unit::Angle, _) => [0.0, 5.0],
            // A weighted residual of 0.001 is a distance of 1 mm for a character of 1 m.
            (Unit::Number, _) => [0.0, 0.001],
        }
    }
}

pub(crate) fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) -> egui::Rect {
    let theme = Theme::of(session.look.view.light_theme);
    let view = &session.tools.debugger.plots;
    let mut changed = view.clone();
    let area = ui.available_rect_before_wrap();
    let families = families(theme, session);
    egui::Frame::new().inner_margin(egui::Margin::symmetric(12, 2)).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.set_height(26.0);
            for family in &families {
                let mut shown = !view.hidden.contains(family.name);
                if ui.checkbox(&mut shown, family.name).help(text::SHOW_PLOT_HELP).changed() {
                    match shown {
                        true => changed.hidden.remove(family.name),
                        false => changed.hidden.insert(family.name),
                    };
                }
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                command_icon(ui, icon::IMAGE, Command::CapturePlots, true, actions);
                command_icon(ui, icon::EXPORT, Command::ExportCsv, true, actions);
                let options = [
                    (false, text::OVER_STEPS, text::OVER_STEPS_HELP.to_owned()),
                    (true, text::OVER_FRAMES, text::OVER_FRAMES_HELP.to_owned()),
                ];
                if let Some(over_frames) = segmented(ui, theme, view.over_frames, &options) {
                    changed.over_frames = over_frames;
                }
            });
        });
        if changed != *view {
            actions.push(Action::Steps(StepAction::Plots(changed)));
        }
        let shown: Vec<&Family> = families.iter().filter(|family| !view.hidden.contains(family.name)).collect();
        if families.is_empty() {
            ui.weak(text::NOTHING_SOLVED);
            return;
        }
        if shown.is_empty() {
            ui.weak(text::NO_PLOT_CHOSEN);
            return;
        }
        if let Some(why) = too_little(session) {
            ui.weak(why);
            return;
        }
        // Smallest readable width of a plot, logical pixels. In a narrower pane the plots scroll.
        const NARROWEST: f32 = 220.0;
        let width = (ui.available_width() / shown.len() as f32 - 8.0).max(NARROWEST);
        let height = ui.available_height() - 4.0;
        // All legends have the same height, so that the plots align. A plot whose legend needs more rows is wider.
        let most_rows = (height / LEGEND_SHARE) as usize + 1;
        let legends = shown.iter().map(|family| {
            let widths = legend_widths(ui, &family.title(session), &family.series);
            let width = width_for(&widths, width, most_rows);
            (width, rows_of(&widths, width))
        });
        let legends: Vec<(f32, usize)> = legends.collect();
        let rows = legends.iter().map(|&(_, rows)| rows.min(most_rows)).max();
        let legend_height = LEGEND_ROW * rows.unwrap_or(1) as f32;
        egui::ScrollArea::horizontal().id_salt("plots").auto_shrink(false).drag_to_scroll(false).show(ui, |ui| {
            ui.horizontal(|ui| {
                for (family, (width, _)) in shown.into_iter().zip(legends) {
                    plot(ui, theme, session, (vec2(width, height), legend_height), family, actions);
                }
            });
        });
    });
    area
}

/// Returns why there is nothing to plot. A curve needs two steps or two frames.
fn too_little(session: &Session) -> Option<&'static str> {
    let most_steps =
        || compared(session).into_iter().filter_map(|layer| session.world.solved.run(layer)).map(Run::steps).max();
    match session.tools.debugger.plots.over_frames {
        true => (session.tools.debugger.tape.len() < 2).then_some(text::ONE_FRAME),
        false => (most_steps() < Some(2)).then_some(text::ONE_STEP),
    }
}

fn compared(session: &Session) -> Vec<LayerId> {
    match session.focus() {
        LayerId::Lane(_) => session.world.stack().layers(),
        focus => vec![focus],
    }
}

fn families(theme: &Theme, session: &Session) -> Vec<Family> {
    let layers = compared(session);
    let gaps = session.world.solved.gaps(&session.world.solved.pose);
    let mut families: Vec<Family> = Vec::new();
    for measure in session.world.solved.measures() {
        let layer = match &measure.id {
            MeasureId::WorstGap => continue,
            MeasureId::Gap(key) => gaps.iter().find(|gap| gap.key == *key).map(|gap| gap.layer),
            MeasureId::Of(layer, _) => Some(*layer),
        };
        let Some(layer) = layer.filter(|layer| layers.contains(layer)) else { continue };
        let name = measure.view.family;
        if name.is_empty() || !is_asked_for(session, layer, &measure.id) {
            continue;
        }
        let (color, dashed) = style(theme, layer, measure.view.tint);
        let label = match layer {
            LayerId::Lane(_) if layers.len() > 1 => lane_label(session, layer),
            _ => own_label(layer, &measure),
        };
        let one = Series { name: label, measure, layer, color, dashed, width: 2.0 };
        match families.iter_mut().find(|family| family.name == name) {
            Some(family) => family.series.push(one),
            None => families.push(Family { name, series: vec![one] }),
        }
    }
    for family in &mut families {
        distinguish(theme, session, family);
    }
    families
}

fn is_asked_for(session: &Session, layer: LayerId, id: &MeasureId) -> bool {
    let key = match id {
        MeasureId::Gap(key) => key.as_str(),
        MeasureId::Of(_, key) => match key.strip_suffix("_node_error") {
            Some(key) => key,
            None => return true,
        },
        MeasureId::WorstGap => return false,
    };
    let goals = session.world.solved.run(layer).map_or_else(Vec::new, Run::goals);
    let prefix = layer.prefix();
    goals.iter().any(|goal| goal.weight > 0.0 && goal.key == key.strip_prefix(prefix.as_str()).unwrap_or(key))
}

fn own_label(layer: LayerId, measure: &Measure) -> String {
    let (label, of_layer) = (&measure.view.label, layer.of_layer(""));
    words::among_family(label.strip_prefix(&of_layer).unwrap_or(label)).to_owned()
}

fn lane_label(session: &Session, layer: LayerId) -> String {
    let LayerId::Lane(lane) = layer else { return String::new() };
    words::lane_label(lane, session.world.lab().and_then(|lab| lab.lanes.get(lane)))
}

/// Returns the colour of a line and whether it is dashed. In the full body, the colours of legs are mixed with the text
/// colour, to distinguish them from arms of the same side.
fn style(theme: &Theme, layer: LayerId, tint: Tint) -> (Color32, bool) {
    let color = theme.tone(layer, tint);
    match (tint, layer) {
        (Tint::Node(node), _) => match node.limb() {
            Some(limb) => {
                let is_alone = limb.is_arm() || layer != LayerId::FullBody;
                let color = if is_alone { color } else { color.lerp_to_gamma(theme.text[0], 0.55) };
                (color, !limb.is_left())
            }
            None => (color, false),
        },
        (Tint::PushOnly, _) => (color, true),
        (_, LayerId::Lane(lane)) => (color, lane % 2 == 1),
        _ => (color, false),
    }
}

/// If the chain or lane in focus has several lines, colours them from root to end, highlights the inspected bone and
/// removes the lines of other layers.
fn distinguish(theme: &Theme, session: &Session, family: &mut Family) {
    let many = |family: &Family, layer: LayerId| family.series.iter().filter(|one| one.layer == layer).count() > 1;
    let focus = session.focus();
    if !matches!(focus, LayerId::Lane(_) | LayerId::Chain(_)) || !many(family, focus) {
        return;
    }
    family.series.retain(|one| one.layer == focus);
    let own = format!("bend_{}", session.tools.chains.bone);
    let count = family.series.len();
    for (index, one) in family.series.iter_mut().enumerate() {
        let is_own = matches!(&one.measure.id, MeasureId::Of(_, key) if *key == own);
        let share = index as f32 / (count - 1) as f32;
        one.name = own_label(one.layer, &one.measure);
        one.dashed = false;
        one.color = if is_own { theme.text[0] } else { fade(theme.warmth(0.25 + 0.6 * share), 0.8) };
        one.width = if is_own { 2.6 } else { 1.3 };
    }
}

fn plot(
    ui: &mut Ui,
    theme: &Theme,
    session: &Session,
    (size, legend_height): (egui::Vec2, f32),
    family: &Family,
    actions: &mut Vec<Action>,
) {
    ui.vertical(|ui| {
        ui.set_width(size.x);
        let title = family.title(session);
        legend(ui, theme, &title, &family.series, vec2(size.x, legend_height));
        let over_frames = session.tools.debugger.plots.over_frames;
        let (factor, unit) = (family.factor(session), session.world.character.unit_name(family.unit()));
        let is_plain = family.unit() == Unit::Number;
        let names: Vec<(f64, String)> = session.shown_run().map_or_else(Vec::new, |run| {
            let starts = iterations(run);
            let steps = run.steps().max(1) as f32;
            // If the long names would overlap, only the first label has the word *iteration*.
            let apart = starts.windows(2).map(|pair| pair[1].0 - pair[0].0).min().unwrap_or(run.steps());
            let is_narrow = apart as f32 / steps * (size.x - AXIS) < NAMED_ITERATION;
            let name = |index: usize, iteration: u32| match is_narrow && index > 0 {
                true => iteration.to_string(),
                false => text::iteration(&iteration),
            };
            let named = starts.into_iter().enumerate();
            named.map(|(index, (step, iteration))| (step as f64, name(index, iteration))).collect()
        });
        let grid: Vec<f64> = names.iter().map(|(at, _)| *at).collect();
        let mut plot = Plot::new((&title, over_frames))
            .height((size.y - legend_height - 4.0 + UNUSED).max(40.0))
            .width(size.x)
            .allow_scroll(false)
            .allow_zoom(true)
            .allow_boxed_zoom(false)
            .set_margin_fraction(vec2(0.01, 0.08))
            .show_background(false)
            .grid_spacing(egui::Rangef::new(8.0, 50.0))
            .y_grid_spacer(ticks)
            .label_formatter(move |name, value| {
                let (place, number) = place_at(over_frames, value.x);
                let y = if is_plain { plain(value.y as f32) } else { format!("{:.2} {unit}", value.y) };
                text::plot_value(&name, &place, &number, &y)
            });
        if !over_frames && !names.is_empty() {
            plot = plot
                .x_grid_spacer(move |_| {
                    grid.iter().map(|&value| GridMark { value, step_size: 60.0 }).collect::<Vec<_>>()
                })
                .x_axis_formatter(move |mark, _| {
                    let found = names.iter().find(|(at, _)| (at - mark.value).abs() < 0.5);
                    found.map_or_else(String::new, |(_, name)| name.clone())
                });
        }
        for value in family.least(session) {
            plot = plot.include_y(value);
        }
        ui.visuals_mut().override_text_color = Some(fade(theme.text[2], 0.75));
        let mut pointer = None;
        let response = plot.show(ui, |plot| {
            if over_frames {
                let every = session.tools.debugger.tape.len().div_ceil(MOST_POINTS);
                for one in &family.series {
                    let values = session.over_frames(&one.measure.id, every);
                    let points = values.map(|(x, y)| [x as f64, f64::from(y) * factor]).collect();
                    for points in pieces(points, every as f64) {
                        plot.line(line(&one.name, visible(plot, points), one.color, one.dashed, one.width));
                    }
                }
                plot.vline(VLine::new("shown", session.world.time.frame as f64).color(theme.text[0]).width(1.5));
                for marker in &session.tools.debugger.tape.markers {
                    let color = if marker.is_warning { theme.warning } else { theme.text[2] };
                    plot.vline(VLine::new(marker.text.clone(), marker.number as f64).color(color).width(1.0));
                }
            } else {
                let other = session.tools.debugger.other().map(|other| (&other.frame, true));
                for (frame, is_other) in [(&*session.world.solved, false)].into_iter().chain(other) {
                    for (one, values) in family.series.iter().zip(over_steps(session, frame, &family.series)) {
                        steps_of(plot, frame, one, &values, factor, is_other);
                    }
                }
                plot.vline(VLine::new("shown", session.world.time.cursor.step as f64).color(theme.text[0]).width(1.5));
            }
            pointer = plot.pointer_coordinate();
        });
        if response.response.clicked()
            && let Some(at) = pointer
        {
            actions.push(match over_frames {
                true => Action::Steps(StepAction::SeekFrame(at.x.round().max(0.0) as u64)),
                false => {
                    let step = (at.x.round().max(0.0) as usize).min(session.end().step);
                    Action::Steps(StepAction::Seek(Cursor { step, within: None }))
                }
            });
        }
        response.response.help_at_pointer(text::PLOT_HELP);
    });
}

/// Returns the name and the number of the step or frame at a place of the horizontal axis. Steps count from 1, as in the
/// timeline.
pub fn place_at(over_frames: bool, x: f64) -> (&'static str, f64) {
    match over_frames {
        true => (text::PLOT_FRAME, x),
        false => (text::PLOT_STEP, x + 1.0),
    }
}

fn over_steps(session: &Session, frame: &Frame, series: &[Series]) -> Vec<Vec<f32>> {
    let mut layers: Vec<LayerId> = series.iter().map(|one| one.layer).collect();
    layers.dedup();
    let mut found = Vec::with_capacity(series.len());
    for layer in layers {
        let ids: Vec<&MeasureId> = series.iter().filter(|one| one.layer == layer).map(|one| &one.measure.id).collect();
        found.extend(frame.over_steps(&session.world.character.rig, layer, &ids));
    }
    found
}

/// Draws a measure of a frame: a thin line through every step and, with iterations, a thick line from iteration to
/// iteration that shows the convergence.
fn steps_of<'a>(
    plot: &mut egui_plot::PlotUi<'a>,
    frame: &Frame,
    one: &Series,
    values: &[f32],
    factor: f64,
    is_other: bool,
) {
    let Some(run) = frame.run(one.layer).filter(|_| !values.is_empty()) else { return };
    let ends: Vec<usize> = (0..run.steps()).filter(|&step| run.step(step).is_end).collect();
    let iterates = (0..run.steps()).any(|step| run.step(step).iteration.is_some());
    // The value of a first step outside the iterations is left out, because it is so large that the rest would look flat.
    let first = usize::from(iterates && run.step(0).iteration.is_none());
    // NaN is a step without a value, such as unevenness without ground.
    let value = |step: usize| values.get(step).copied().filter(|value| !value.is_nan());
    let at = |step: usize| Some([step as f64, f64::from(value(step)?) * factor]);
    let all: Vec<[f64; 2]> = (first..values.len()).filter_map(at).collect();
    let strong: Vec<[f64; 2]> = ends.iter().filter(|&&step| step >= first).filter_map(|&step| at(step)).collect();
    let name = if is_other { text::other_curve(&one.name) } else { one.name.clone() };
    let color = fade(one.color, if is_other { 0.55 } else { 1.0 });
    // With fewer than two iteration ends, or with too many to mark, one line of full width goes through every step.
    if strong.len() < 2 || strong.len() > 60 {
        for piece in pieces(all, 1.0) {
            plot.line(line(&name, visible(plot, piece), color, one.dashed || is_other, one.width));
        }
        return;
    }
    for piece in pieces(all, 1.0) {
        plot.line(line(&name, visible(plot, piece), fade(color, 0.45), one.dashed, 1.0));
    }
    let shape = if one.dashed { MarkerShape::Square } else { MarkerShape::Circle };
    plot.points(Points::new(name.clone(), strong.clone()).color(color).radius(3.0).shape(shape).filled(!is_other));
    plot.line(line(&name, visible(plot, strong), color, one.dashed || is_other, one.width));
}

/// Returns at most five round numbers along an axis, with labels.
fn ticks(grid: egui_plot::GridInput) -> Vec<GridMark> {
    let (low, high) = grid.bounds;
    let wanted = (high - low) / 4.0;
    if !wanted.is_finite() || wanted <= 0.0 {
        return Vec::new();
    }
    let decade = 10f64.powf(wanted.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|part| part * decade).find(|&step| step >= wanted);
    let step = step.unwrap_or(decade);
    let marks = (low / step).ceil() as i64..=(high / step).floor() as i64;
    // egui_plot labels only marks with a large step size.
    marks.take(12).map(|mark| GridMark { value: mark as f64 * step, step_size: step * 4.0 }).collect()
}

/// Distributes entries, given by their widths, over rows of a width. Returns row and offset of each entry.
pub fn in_rows(entries: impl Iterator<Item = f32>, width: f32) -> Vec<(usize, f32)> {
    let (mut row, mut x) = (0, 0.0);
    let mut places = Vec::new();
    for entry in entries {
        if x > 0.0 && x + entry > width {
            (row, x) = (row + 1, 0.0);
        }
        places.push((row, x));
        x += entry + 6.0;
    }
    places
}
fn legend_widths(ui: &Ui, title: &str, series: &[Series]) -> Vec<f32> {
    let width = |text: &str, font: FontId| ui.painter().layout_no_wrap(text.to_owned(), font, Color32::WHITE).size().x;
    let title = width(title, FontId::new(12.5, semibold())) + 4.0;
    std::iter::once(title).chain(series.iter().map(|one| width(&one.name, FontId::proportional(11.0)) + 18.0)).collect()
}

pub fn rows_of(widths: &[f32], width: f32) -> usize {
    in_rows(widths.iter().copied(), width).last().map_or(1, |(row, _)| row + 1)
}

/// Returns the smallest width from `least` on at which a legend has at most `most_rows` rows, up to [`WIDEST_LEGEND`].
pub fn width_for(widths: &[f32], least: f32, most_rows: usize) -> f32 {
    let mut width = least;
    while rows_of(widths, width) > most_rows && width < WIDEST_LEGEND {
        width += 8.0;
    }
    width
}

fn legend(ui: &mut Ui, theme: &Theme, title: &str, series: &[Series], size: egui::Vec2) {
    let widths = legend_widths(ui, title, series);
    let places = in_rows(widths.iter().copied(), size.x);
    let rows = rows_of(&widths, size.x);
    let area = egui::ScrollArea::vertical().id_salt((title, "legend")).auto_shrink(false);
    area.max_height(size.y).min_scrolled_height(size.y).show(ui, |ui| {
        let (rect, response) = ui.allocate_exact_size(vec2(size.x, LEGEND_ROW * rows as f32), Sense::hover());
        let painter = ui.painter().clone();
        for (index, (&(row, x), width)) in places.iter().zip(&widths).enumerate() {
            let place = rect.min + vec2(x, LEGEND_ROW * row as f32);
            let place = egui::Rect::from_min_size(place, vec2(*width, LEGEND_ROW));
            let at = place.left_center();
            let Some(one) = index.checked_sub(1).and_then(|index| series.get(index)) else {
                let font = FontId::new(12.5, semibold());
                painter.text(at, egui::Align2::LEFT_CENTER, title, font, theme.text[0]);
                continue;
            };
            let own = ui.interact(place, response.id.with(index), Sense::hover());
            own.describe(&|| {
                egui::WidgetInfo::labeled(egui::WidgetType::Label, true, text::name_legend(&title, &one.name))
            });
            let (mark, half) = (at + vec2(6.0, 0.0), vec2(5.0, 0.0));
            let stroke = Stroke::new(2.0, one.color);
            match one.dashed {
                true => painter.extend(Shape::dashed_line(&[mark - half, mark + half], stroke, 3.0, 2.0)),
                false => drop(painter.line_segment([mark - half, mark + half], stroke)),
            }
            let font = FontId::proportional(11.0);
            painter.text(at + vec2(14.0, 0.0), egui::Align2::LEFT_CENTER, &one.name, font, theme.text[1]);
        }
        if LEGEND_ROW * rows as f32 > size.y {
            let names: Vec<&str> = series.iter().map(|one| one.name.as_str()).collect();
            response.help(text::legend_help(&names.join(", ")));
        }
    });
}

fn line<'a>(name: &str, points: Vec<[f64; 2]>, color: Color32, dashed: bool, width: f32) -> Line<'a> {
    let style = if dashed { LineStyle::dashed_dense() } else { LineStyle::Solid };
    Line::new(name.to_owned(), PlotPoints::from(points)).color(color).width(width).style(style)
}

/// Splits a line, whose points are `every` apart, where steps or frames have no value. A line across them would show
/// values that were not measured.
pub fn pieces(points: Vec<[f64; 2]>, every: f64) -> Vec<Vec<[f64; 2]>> {
    points.chunk_by(|a, b| b[0] - a[0] < 1.5 * every).map(<[_]>::to_vec).collect()
}

fn iterations(run: &dyn Run) -> Vec<(usize, u32)> {
    let mut found: Vec<(usize, u32)> = Vec::new();
    for step in 0..run.steps() {
        if let Some(iteration) = run.step(step).iteration
            && found.last().is_none_or(|&(_, last)| last != iteration)
        {
            found.push((step, iteration));
        }
    }
    found
}

/// Clips a line to a zoomed plot. Otherwise egui_plot would divide the whole line into dashes, even outside the plot.
fn visible(plot: &egui_plot::PlotUi, points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    if plot.auto_bounds().any() {
        return points;
    }
    let bounds = plot.plot_bounds();
    let (min, max) = (DVec2::from(bounds.min()), DVec2::from(bounds.max()));
    let margin = 0.1 * (max - min);
    let mut kept: Vec<[f64; 2]> = Vec::with_capacity(points.len());
    for pair in points.windows(2) {
        let Some(ends) = clip_segment([pair[0], pair[1]].map(DVec2::from), min - margin, max + margin) else {
            continue;
        };
        for end in ends.map(|end| end.to_array()) {
            if kept.last() != Some(&end) {
                kept.push(end);
            }
        }
    }
    kept
}
