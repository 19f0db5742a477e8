//! Plots of chains: error and bend over the steps of the frame shown, or what was left over the frames of the tape.

use crate::stack::{LayerId};
use egui_macroquad::egui::{self, Color32, RichText, Ui, vec2};
use egui_plot::{Line, LineStyle, Plot, PlotPoints, VLine};

use super::lab::lane_name;
use crate::app::session::{Action, Session};
use crate::app::theme::{Theme, fade, semibold};
use crate::stepped::run::Cursor;
use crate::chain_ik::{Recording, State};
use crate::math::angle;

/// One line.
pub struct Series {
    pub name: String,
    pub points: Vec<[f64; 2]>,
    pub color: Color32,
    pub dashed: bool,
    pub width: f32,
}

/// Draws them in the room there is.
pub fn show(ui: &mut Ui, theme: &Theme, session: &Session, over_frames: bool, actions: &mut Vec<Action>) {
    let (factor, unit) = session.character.length_unit();
    let size = vec2(ui.available_width() / if over_frames { 1.0 } else { 2.0 } - 8.0, ui.available_height() - 4.0);
    if over_frames {
        let frames = session.debugger.tape.frames();
        let points = frames.map(|frame| [frame.number as f64, f64::from(frame.left * factor)]).collect();
        let series = [Series { name: "error".to_owned(), points, color: theme.bend, dashed: false, width: 2.0 }];
        plot(ui, theme, size, &format!("error, {unit}"), &series, session.frame as f64, &[0.0], |at| {
            actions.push(Action::SeekFrame(at.max(0.0) as u64));
        });
        return;
    }
    let shown: Vec<(LayerId, &Recording)> = match session.chain_focus() {
        Some(LayerId::Lane(_)) => {
            let lanes = session.chains.lanes.iter().enumerate();
            lanes.filter_map(|(lane, solve)| Some((LayerId::Lane(lane), solve.recording.as_ref()?))).collect()
        }
        Some(own) => {
            session.chains.get(own).and_then(|solve| Some((own, solve.recording.as_ref()?))).into_iter().collect()
        }
        None => Vec::new(),
    };
    let errors = shown.iter().map(|(own, recording)| {
        let (name, color, dashed) = match own {
            LayerId::Lane(lane) => {
                (format!("{} {}", lane + 1, lane_name(&recording.settings)), theme.lane(*lane), lane % 2 == 1)
            }
            LayerId::Chain(_) => (lane_name(&recording.settings), theme.bend, false),
        };
        let steps = recording.solve.steps.iter().enumerate();
        let points =
            steps.map(|(index, step)| [index as f64, f64::from(recording.error(&step.state) * factor)]).collect();
        Series { name, points, color, dashed, width: 2.0 }
    });
    let errors: Vec<Series> = errors.collect();
    let focus = session.chain_focus();
    let own = shown.iter().find(|(own, _)| focus == Some(*own)).map(|(_, recording)| *recording);
    let bones = own.map_or(0, |recording| recording.chain.bones().len());
    let bends = (0..bones).filter_map(|bone| {
        let recording = own?;
        let before = recording.chain.bones()[bone].from.checked_sub(1)?;
        // Of positions, not rotations: those follow only at the end of a solve that works on positions.
        let along = |state: &State, bone: usize| {
            state.positions[bone + 1] - state.positions[recording.chain.bones()[bone].from]
        };
        let bend = |state: &State| f64::from(angle(along(state, before), along(state, bone)).to_degrees());
        let steps = recording.solve.steps.iter().enumerate();
        let points = steps.map(|(index, step)| [index as f64, bend(&step.state)]).collect();
        let is_own = bone == session.chains.bone;
        // Root to end from one colour to the other; the bone that is looked at stands out.
        let share = bone as f32 / bones.max(2) as f32;
        let color = if is_own { theme.text[0] } else { fade(theme.warmth(0.25 + 0.6 * share), 0.8) };
        let width = if is_own { 2.6 } else { 1.3 };
        Some(Series { name: format!("before bone {bone}"), points, color, dashed: false, width })
    });
    let bends: Vec<Series> = bends.collect();
    let last = session.steps().len().saturating_sub(1);
    let mut seek = |at: f64| {
        actions.push(Action::Seek(Cursor { step: (at.round().max(0.0) as usize).min(last), within: None }));
    };
    let at = session.cursor.step as f64;
    ui.horizontal(|ui| {
        plot(ui, theme, size, &format!("error over steps, {unit}"), &errors, at, &[0.0], &mut seek);
        plot(ui, theme, size, "bend before each bone, °", &bends, at, &[0.0], &mut seek);
    });
}

/// Lines with a title; a click seeks. However small they are, the values of `spans` are within the axis.
#[allow(clippy::too_many_arguments)]
pub fn plot(
    ui: &mut Ui,
    theme: &Theme,
    size: egui::Vec2,
    title: &str,
    series: &[Series],
    cursor: f64,
    spans: &[f64],
    mut seek: impl FnMut(f64),
) {
    ui.vertical(|ui| {
        ui.set_width(size.x);
        ui.label(RichText::new(title).family(semibold()));
        ui.visuals_mut().override_text_color = Some(fade(theme.text[2], 0.75));
        let within = spans.iter().fold(Plot::new(title), |plot, &value| plot.include_y(value));
        let response = within
            .height((size.y - 22.0).max(40.0))
            .width(size.x)
            .allow_scroll(false)
            .allow_boxed_zoom(false)
            .set_margin_fraction(vec2(0.02, 0.08))
            .show_background(false)
            .y_grid_spacer(super::plots::ticks)
            .label_formatter(|name, value| format!("{name}\nat {:.0}: {:.2}", value.x, value.y))
            .show(ui, |plot| {
                for one in series {
                    let style = if one.dashed { LineStyle::dashed_loose() } else { LineStyle::Solid };
                    let points = PlotPoints::from(super::widgets::visible(plot, one.points.clone()));
                    plot.line(Line::new(one.name.clone(), points).color(one.color).width(one.width).style(style));
                }
                plot.vline(VLine::new("shown", cursor).color(theme.text[0]).width(1.5));
                plot.pointer_coordinate()
            });
        if response.response.clicked()
            && let Some(at) = response.inner
        {
            seek(at.x);
        }
    });
}
