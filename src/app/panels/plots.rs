//! Convergence: error, strain and stretch over the steps of the frame shown, or over the frames of the tape.

use egui_macroquad::egui::{self, Color32, FontId, RichText, Sense, Shape, Stroke, Ui, vec2};
use egui_phosphor::regular as icon;
use egui_plot::{GridMark, Line, LineStyle, MarkerShape, Plot, PlotPoints, Points, VLine};

use super::help::Help;
use super::widgets::{command_icon, segmented, visible};
use super::{chain_plots, ground_plots};
use crate::app::commands::Command;
use crate::app::session::{Action, Session};
use crate::app::theme::{Theme, fade, semibold};
use crate::stepped::run::Cursor;
use crate::debugger::measure::{Measure, Unit, constraint_label};
use crate::full_body::Recording;
use crate::full_body::child_constraint::PAIRS;
use crate::full_body::names::label;
use crate::full_body::{Effector, Stage};
use crate::rig::LimbName;

/// More points than this a plot does not show apart.
const MOST_POINTS: usize = 600;

/// One line of a plot.
struct Series {
    name: String,
    measure: Measure,
    color: Color32,
    /// Right limbs, and what only pushes: told apart without hue.
    dashed: bool,
}

/// Draws them; returns where, for a picture of them.
pub fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) -> egui::Rect {
    let theme = Theme::of(session.view.light_theme);
    let view = session.debugger.plots;
    let mut changed = view;
    let area = ui.available_rect_before_wrap();
    egui::Frame::new().inner_margin(egui::Margin::symmetric(12, 2)).show(ui, |ui| {
        let is_chain = session.chain_focus().is_some();
        let is_ground = session.ground_focus();
        ui.horizontal(|ui| {
            ui.set_height(26.0);
            for (shown, name) in (!is_chain && !is_ground)
                .then_some([
                    (&mut changed.errors, "gap"),
                    (&mut changed.strains, "constraint strain"),
                    (&mut changed.stretches, "limb stretch"),
                ])
                .into_iter()
                .flatten()
            {
                ui.checkbox(shown, name).help("Show or hide this plot.");
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                command_icon(ui, icon::IMAGE, Command::CapturePlots, true, actions);
                command_icon(ui, icon::EXPORT, Command::ExportCsv, true, actions);
                let options = [
                    (false, "over steps", "Every step of the frame shown.".to_owned()),
                    (
                        true,
                        "over frames",
                        "Every frame recorded: gaps of the written pose, all else before the closing pass.".to_owned(),
                    ),
                ];
                if !is_ground && let Some(over_frames) = segmented(ui, theme, view.over_frames, &options) {
                    changed.over_frames = over_frames;
                }
            });
        });
        if changed != view {
            actions.push(Action::Plots(changed));
        }
        if is_chain {
            chain_plots::show(ui, theme, session, view.over_frames, actions);
            return;
        }
        if is_ground {
            ground_plots::show(ui, theme, session, actions);
            return;
        }
        let shown = [view.errors, view.strains, view.stretches].into_iter().filter(|shown| *shown).count();
        if shown == 0 || session.recording.solve.steps.is_empty() {
            ui.weak(if shown == 0 { "No plot is chosen." } else { "Nothing was solved: there is nothing to plot." });
            return;
        }
        let size = vec2(ui.available_width() / shown as f32 - 8.0, ui.available_height() - 4.0);
        ui.horizontal(|ui| {
            if view.errors {
                let (_, unit) = session.character.length_unit();
                plot(
                    ui,
                    theme,
                    session,
                    size,
                    &format!("gap of the written bone, {unit}"),
                    &errors(theme, session),
                    actions,
                );
            }
            if view.strains {
                plot(ui, theme, session, size, "constraint strain, %", &strains(theme), actions);
            }
            if view.stretches {
                plot(ui, theme, session, size, "limb stretch, % of its length", &stretches(theme), actions);
            }
        });
    });
    area
}

fn errors(theme: &Theme, session: &Session) -> Vec<Series> {
    let weighted = |&effector: &Effector| session.recording.frame.effector(effector).position_weight > 0.0;
    let series = |effector: Effector| Series {
        name: label(effector.key()),
        measure: Measure::Gap(effector),
        color: effector.node().limb().map_or(theme.body, |limb| line_color(theme, limb)),
        dashed: effector.node().limb().is_some_and(|limb| !limb.is_left()),
    };
    Effector::ALL.into_iter().filter(weighted).map(series).collect()
}

/// Arms in the colour of their side, legs paler: of four lines two would be alike.
fn line_color(theme: &Theme, limb: LimbName) -> Color32 {
    let color = theme.limb(limb);
    if limb.is_arm() { color } else { color.lerp_to_gamma(theme.text[0], 0.55) }
}

fn strains(theme: &Theme) -> Vec<Series> {
    let series = |index: usize| Series {
        name: constraint_label(index),
        measure: Measure::Strain(index),
        color: theme.constraint(index),
        dashed: theme.constraint(index) == theme.push_only,
    };
    (0..PAIRS.len()).map(series).collect()
}

fn stretches(theme: &Theme) -> Vec<Series> {
    let series = |limb: LimbName| Series {
        name: limb.label().to_owned(),
        measure: Measure::Stretch(limb),
        color: line_color(theme, limb),
        dashed: !limb.is_left(),
    };
    LimbName::ALL.map(series).into()
}

fn plot(
    ui: &mut Ui,
    theme: &Theme,
    session: &Session,
    size: egui::Vec2,
    title: &str,
    series: &[Series],
    actions: &mut Vec<Action>,
) {
    ui.vertical(|ui| {
        ui.set_width(size.x);
        legend(ui, theme, title, series);
        let over_frames = session.debugger.plots.over_frames;
        let (factor, _) = session.character.length_unit();
        let factor = |measure: Measure| f64::from(if measure.unit() == Unit::Length { factor } else { 100.0 });
        let starts = iterations(&session.recording);
        let names: Vec<(f64, String)> =
            starts.iter().map(|&(step, iteration)| (step as f64, format!("iteration {iteration}"))).collect();
        let grid: Vec<f64> = names.iter().map(|(at, _)| *at).collect();
        let mut plot = Plot::new((title, over_frames))
            .height((size.y - 22.0).max(40.0))
            .width(size.x)
            .allow_scroll(false)
            .allow_zoom(true)
            .allow_boxed_zoom(false)
            .set_margin_fraction(vec2(0.01, 0.08))
            .show_background(false)
            .grid_spacing(egui::Rangef::new(8.0, 50.0))
            .y_grid_spacer(ticks)
            .label_formatter(|name, value| {
                let place = if over_frames { "frame" } else { "step" };
                format!("{name}\n{place} {:.0}: {:.2}", value.x, value.y)
            });
        if !over_frames {
            plot = plot
                .x_grid_spacer(move |_| {
                    grid.iter().map(|&value| GridMark { value, step_size: 60.0 }).collect::<Vec<_>>()
                })
                .x_axis_formatter(move |mark, _| {
                    let found = names.iter().find(|(at, _)| (at - mark.value).abs() < 0.5);
                    found.map_or_else(String::new, |(_, name)| name.clone())
                });
        }
        // What nobody could see in the picture is not blown up to fill a plot.
        for value in least(series) {
            plot = plot.include_y(value);
        }
        // Grid and numbers recede behind the lines.
        ui.visuals_mut().override_text_color = Some(fade(theme.text[2], 0.75));
        let response = plot.show(ui, |plot| {
            if over_frames {
                let every = session.debugger.tape.len().div_ceil(MOST_POINTS);
                for one in series {
                    let values = session.over_frames(one.measure, every);
                    let points = values.map(|(x, y)| [x as f64, f64::from(y) * factor(one.measure)]).collect();
                    plot.line(line(&one.name, visible(plot, points), one.color, one.dashed, 2.0));
                }
                plot.vline(VLine::new("shown", session.frame as f64).color(theme.text[0]).width(1.5));
                for marker in &session.debugger.tape.markers {
                    let color = if marker.is_warning { theme.warning } else { theme.text[2] };
                    plot.vline(VLine::new(marker.text.clone(), marker.number as f64).color(color).width(1.0));
                }
            } else {
                let other = session.debugger.other().map(|other| (&other.recording, &other.gaps, true));
                let ends = ends(&session.recording);
                let own = (&session.recording, &session.step_gaps, false);
                for (recording, gaps, is_other) in [own].into_iter().chain(other) {
                    for one in series {
                        // As read, targets are far off: what the solve does would be flat beside that.
                        let values: Vec<[f64; 2]> = crate::app::session::over_steps(recording, gaps, one.measure)
                            .enumerate()
                            .skip(1)
                            .map(|(x, y)| [x as f64, f64::from(y) * factor(one.measure)])
                            .collect();
                        let name = if is_other { format!("{}, other", one.name) } else { one.name.clone() };
                        let color = fade(one.color, if is_other { 0.55 } else { 1.0 });
                        // Every stage thin; strong from iteration to iteration, which is what converges.
                        let strong: Vec<[f64; 2]> =
                            ends.iter().filter_map(|&step| values.get(step - 1).copied()).collect();
                        plot.line(line(&name, visible(plot, values), fade(color, 0.45), one.dashed, 1.0));
                        let shape = if one.dashed { MarkerShape::Square } else { MarkerShape::Circle };
                        plot.points(
                            Points::new(name.clone(), strong.clone())
                                .color(color)
                                .radius(3.0)
                                .shape(shape)
                                .filled(!is_other),
                        );
                        plot.line(line(&name, visible(plot, strong), color, one.dashed || is_other, 2.0));
                    }
                }
                plot.vline(VLine::new("shown", session.cursor.step as f64).color(theme.text[0]).width(1.5));
            }
            plot.pointer_coordinate()
        });
        if response.response.clicked()
            && let Some(at) = response.inner
        {
            actions.push(match over_frames {
                true => Action::SeekFrame(at.x.round().max(0.0) as u64),
                false => {
                    let last = session.recording.solve.steps.len().saturating_sub(1);
                    Action::Seek(Cursor { step: (at.x.round().max(0.0) as usize).min(last), within: None })
                }
            });
        }
        response.response.help_at_pointer("Click to go there, double-click to see all.");
    });
}

/// The values that the axis has at least: 0 to 2 mm, ±1 %, the last 5 % before straight.
fn least(series: &[Series]) -> [f64; 2] {
    match series.first().map(|one| one.measure) {
        Some(Measure::Strain(_)) => [-1.0, 1.0],
        Some(Measure::Stretch(_)) => [95.0, 100.5],
        _ => [0.0, 2.0],
    }
}

/// Some four round numbers along an axis, each with its label.
pub fn ticks(grid: egui_plot::GridInput) -> Vec<GridMark> {
    let (low, high) = grid.bounds;
    let wanted = (high - low) / 4.0;
    if !wanted.is_finite() || wanted <= 0.0 {
        return Vec::new();
    }
    let decade = 10f64.powf(wanted.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|part| part * decade).find(|&step| step >= wanted);
    let step = step.unwrap_or(decade);
    let marks = (low / step).ceil() as i64..=(high / step).floor() as i64;
    // A mark that stands for a large step always has its number.
    marks.take(12).map(|mark| GridMark { value: mark as f64 * step, step_size: step * 4.0 }).collect()
}

/// The title, and behind it every line's mark and name, as far as there is room.
fn legend(ui: &mut Ui, theme: &Theme, title: &str, series: &[Series]) {
    ui.horizontal(|ui| {
        ui.set_height(18.0);
        ui.label(RichText::new(title).family(semibold()));
        ui.spacing_mut().item_spacing.x = 4.0;
        for one in series {
            let galley = ui.painter().layout_no_wrap(one.name.clone(), FontId::proportional(11.0), theme.text[1]);
            let wanted = vec2(galley.size().x + 18.0, 16.0);
            if wanted.x > ui.available_width() {
                break;
            }
            let (rect, _) = ui.allocate_exact_size(wanted, Sense::hover());
            let mark = rect.left_center() + vec2(6.0, 0.0);
            let half = vec2(5.0, 0.0);
            let stroke = Stroke::new(2.0, one.color);
            match one.dashed {
                true => ui.painter().extend(Shape::dashed_line(&[mark - half, mark + half], stroke, 3.0, 2.0)),
                false => drop(ui.painter().line_segment([mark - half, mark + half], stroke)),
            }
            let at = rect.left_center() + vec2(14.0, -galley.size().y / 2.0);
            ui.painter().galley(at, galley, theme.text[1]);
        }
    });
}

fn line<'a>(name: &str, points: Vec<[f64; 2]>, color: Color32, dashed: bool, width: f32) -> Line<'a> {
    let style = if dashed { LineStyle::dashed_dense() } else { LineStyle::Solid };
    Line::new(name.to_owned(), PlotPoints::from(points)).color(color).width(width).style(style)
}

/// The first step of each iteration.
fn iterations(recording: &Recording) -> Vec<(usize, u32)> {
    let mut found: Vec<(usize, u32)> = Vec::new();
    for (step, recorded) in recording.solve.steps.iter().enumerate() {
        if let Some(iteration) = recorded.step.iteration
            && found.last().is_none_or(|&(_, last)| last != iteration)
        {
            found.push((step, iteration));
        }
    }
    found
}

/// Where the error is what the solve achieved so far: as read, after each iteration's last step, at the end.
fn ends(recording: &Recording) -> Vec<usize> {
    let steps = &recording.solve.steps;
    let is_end = |index: &usize| {
        let here = steps[*index].step;
        let next = steps.get(index + 1).map(|next| next.step.iteration);
        here.stage != Stage::Read && here.iteration.is_some() && next != Some(here.iteration)
    };
    (0..steps.len()).filter(is_end).collect()
}
