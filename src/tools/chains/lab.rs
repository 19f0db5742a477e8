//! The chain lab: one chain and target, solved by several solvers side by side.

use egui_macroquad::egui::{self, RichText, Sense, Ui, vec2};
use egui_phosphor::regular as icon;
use egui_plot::{GridMark, Line, LineStyle, Plot, PlotPoints, VLine};
use kinescope_ik::stack::{ChainSection, LAB_BONES, LabChain, LabSection, Layer, LayerId, MOST_LANES, TargetMotion};

use crate::session::commands::Command;
use crate::session::commands::buttons::command_button;
use crate::session::pane::PaneInfo;
use crate::session::{Action, Session};
use crate::tools::chains::session::ChainAction;
use crate::tools::chains::words as text;
use crate::tools::chains::{Zone, suggestions};
use crate::ui::help::Help;
use crate::ui::theme::Theme;
use crate::ui::widgets::{lane_row, name_before, section, segmented};
use crate::ui::words::{capital, lane_label, lane_name};
use kinescope_ik::chain_ik::{Recording, Settings, Solver};
use kinescope_ik::stepped::run::{self, Unit};

const LEGEND_LINE: f32 = 18.0;

pub(crate) const PANE: PaneInfo = PaneInfo::tab(text::TITLE, text::WHAT, 8, show);

fn kinds() -> impl Iterator<Item = Settings> {
    let solvers = Solver::ALL.into_iter().map(|solver| Settings { solver, ..Settings::default() });
    let plain = [Solver::Fabrik, Solver::Ccd, Solver::CcdGrowing];
    solvers.chain(plain.map(|solver| Settings { solver, accelerate: false, ..Settings::default() }))
}

pub(crate) fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.look.view.light_theme);
    ui.spacing_mut().item_spacing = vec2(8.0, 2.0);
    let Some(lab) = session.world.lab() else {
        egui::Frame::new().inner_margin(12).show(ui, |ui| {
            ui.label(text::LAB_WHAT);
            ui.add_space(4.0);
            command_button(ui, Command::Lab, true, actions);
        });
        return;
    };
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        section(ui, theme, text::CHAIN_AND_TARGET, "", |ui| setup(ui, theme, session, lab, actions));
        section(ui, theme, text::LANES, text::LANES_HINT, |ui| lanes(ui, theme, session, lab, actions));
        section(ui, theme, text::ERROR_PER_ITERATION, text::ERROR_UNIT, |ui| errors(ui, theme, session));
        ui.horizontal(|ui| {
            ui.add_space(12.0);
            if ui.button(text::CLOSE_LAB).help(text::CLOSE_LAB_HELP).clicked() {
                actions.push(Action::Command(Command::Lab));
            }
            command_button(ui, Command::ShowCompare, true, actions);
            if ui.button(text::RESET_CHAINS).help(text::RESET_CHAINS_HELP).clicked() {
                actions.push(Action::Chains(ChainAction::ResetLab));
            }
        });
    });
}

pub(crate) fn lane_of(session: &Session, lane: usize) -> Option<&Recording> {
    session.world.solved.chain(LayerId::Lane(lane)).map(|run| &run.recording)
}

fn edit(session: &Session, label: &str, gesture: Option<u64>, change: impl FnOnce(&mut LabSection)) -> Action {
    let mut section: ChainSection = session.world.chain_section().clone();
    if let Some(lab) = &mut section.lab {
        change(lab);
    }
    let document = Box::new(session.world.history.document().with_chains(section));
    Action::Edit { label: label.to_owned(), gesture, document }
}

fn setup(ui: &mut Ui, theme: &Theme, session: &Session, lab: &LabSection, actions: &mut Vec<Action>) {
    let name = match &lab.chain {
        LabChain::Free(bones) => text::free_chain(&bones),
        LabChain::Branches => text::FREE_BRANCHES.to_owned(),
        LabChain::Joints(chain) => text::chain_of_file(&chain.ends.len()),
        LabChain::Bones(bones) => text::bones_between(&bones[0], &(bones[bones.len() - 1])),
    };
    ui.horizontal(|ui| {
        ui.set_height(26.0);
        ui.label(RichText::new(text::CHAIN).color(theme.text[1]));
        egui::ComboBox::from_id_salt("lab chain").selected_text(name).width(200.0).show_ui(ui, |ui| {
            let mut choose = |ui: &mut Ui, text: String, chain: LabChain, targets: Vec<glam::Vec3>| {
                if ui.selectable_label(lab.chain == chain, text).clicked() {
                    actions.push(edit(session, text::EDIT_CHAIN, None, |lab| {
                        (lab.chain, lab.targets) = (chain, targets);
                        lab.limits.clear();
                    }));
                    actions.push(Action::Command(Command::FrameSelection));
                }
            };
            let free = LabSection::default();
            choose(ui, text::FREE_CHAIN.to_owned(), free.chain.clone(), free.targets.clone());
            let target = |x: f32, y: f32, z: f32| glam::Vec3::new(x, y, z);
            let ends = vec![target(-0.5, 1.05, 0.25), target(0.0, 1.3, 0.35), target(0.55, 0.9, 0.2)];
            choose(ui, text::FREE_BRANCHES.to_owned(), LabChain::Branches, ends);
            for (name, bones) in suggestions(&session.world.character) {
                let skeleton = &session.world.character.model.skeleton;
                let end =
                    bones.last().and_then(|end| skeleton.find(end)).map(|end| session.world.picture.pose.position(end));
                choose(ui, text::of_the_character(&name), LabChain::Bones(bones), end.into_iter().collect());
            }
        });
    });
    if let LabChain::Free(bones) = lab.chain {
        ui.horizontal(|ui| {
            ui.label(RichText::new(text::BONES).color(theme.text[1]));
            let mut count = bones;
            ui.spacing_mut().slider_width = 160.0;
            let slider = ui.add(egui::Slider::new(&mut count, LAB_BONES));
            if slider.help(text::BONES_HELP).changed() {
                actions.push(edit(session, text::EDIT_BONES, Some(1), |lab| {
                    lab.chain = LabChain::Free(count);
                    lab.limits.truncate(count as usize);
                }));
            }
        });
    }
    ui.horizontal(|ui| {
        ui.set_height(26.0);
        ui.label(RichText::new(text::TARGET).color(theme.text[1]));
        let help = [text::TARGET_STILL_HELP, text::TARGET_CIRCLE_HELP, text::TARGET_EIGHT_HELP, text::TARGET_PATH_HELP];
        let options: Vec<(TargetMotion, &str, String)> = TargetMotion::ALL
            .into_iter()
            .map(|motion| (motion, motion.label(), help[motion as usize].to_owned()))
            .collect();
        if let Some(motion) = segmented(ui, theme, lab.motion, &options) {
            actions.push(edit(session, text::EDIT_MOTION, None, |lab| lab.motion = motion));
        }
    });
    ui.horizontal(|ui| {
        ui.set_height(26.0);
        ui.label(RichText::new(text::STARTS).color(theme.text[1]));
        let options = [
            (true, text::FROM_REST, text::FROM_REST_HELP.to_owned()),
            (false, text::FROM_LAST, text::FROM_LAST_HELP.to_owned()),
        ];
        if let Some(from_rest) = segmented(ui, theme, lab.from_rest, &options) {
            actions.push(edit(session, text::EDIT_START, None, |lab| lab.from_rest = from_rest));
        }
    });
    ui.horizontal(|ui| {
        ui.set_height(26.0);
        ui.label(RichText::new(text::DRAWN).color(theme.text[1]));
        let options = [
            (false, text::SIDE_BY_SIDE, text::SIDE_BY_SIDE_HELP.to_owned()),
            (true, text::OVERLAID, text::OVERLAID_HELP.to_owned()),
        ];
        if let Some(over) = segmented(ui, theme, lab.over, &options) {
            actions.push(edit(session, text::EDIT_DRAWN, None, |lab| lab.over = over));
            actions.push(Action::Command(Command::FrameSelection));
        }
    });
    if let Some(recording) = lane_of(session, 0) {
        ui.horizontal(|ui| zones(ui, theme, session, lab, recording, actions));
    }
}

fn zones(
    ui: &mut Ui,
    theme: &Theme,
    session: &Session,
    lab: &LabSection,
    recording: &Recording,
    actions: &mut Vec<Action>,
) {
    ui.set_height(26.0);
    let root = recording.solve.start.positions[0];
    // At a weight below 1, `recording.targets` has a point between the end and the target.
    let (target, length) = (recording.goals[0].position, recording.chain.length());
    let share = target.distance(root) / length;
    let zone = Zone::of(&recording.chain, target, root);
    ui.label(RichText::new(text::DISTANCE).color(theme.text[1]));
    ui.label(RichText::new(format!("{share:.3}")).monospace()).help(text::DISTANCE_HELP);
    ui.label(zone.label());
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        ui.menu_button(text::PUT_AT, |ui| {
            for (text, to) in [("0.5", 0.5), ("0.95", 0.95), ("0.99", 0.99), ("0.999", 0.999), ("1.2", 1.2)] {
                if ui.button(text).help(text::PUT_AT_HELP).clicked() {
                    ui.close_menu();
                    let offset = lab.motion.offset(session.tools.chains.time, 0.3 * length);
                    let place = root + (target - root).normalize_or(glam::Vec3::Y) * to * length - offset;
                    actions.push(edit(session, text::EDIT_DISTANCE, None, |lab| lab.targets[0] = place));
                }
            }
        });
    });
}

fn lanes(ui: &mut Ui, theme: &Theme, session: &Session, lab: &LabSection, actions: &mut Vec<Action>) {
    let count = if lab.motion == TargetMotion::Still { 3 } else { 4 };
    let is_timed = session.world.solved.times().total() > 0.0;
    // The headings have the unit instead of the rows, to leave more room for names.
    let unit = session.world.character.unit_name(Unit::Length);
    let bare = |length: f32| session.world.character.length(length).trim_end_matches(unit).trim_end().to_owned();
    let (error, jitter) = (text::error_in(&unit), text::jitter_in(&unit));
    let columns =
        &[text::COLUMN_ITERATIONS, error.as_str(), if is_timed { "µs" } else { "" }, jitter.as_str()][..count];
    let help = [text::ITERATIONS_HELP, text::ERROR_HELP, text::MICROS_HELP, text::JITTER_HELP];
    let widths = &[30.0, 62.0, if is_timed { 40.0 } else { 0.0 }, 66.0][..count];
    let name_width = (ui.available_width() - widths.iter().sum::<f32>() - 36.0).max(80.0);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.allocate_exact_size(vec2(name_width, 16.0), Sense::hover());
        for ((&name, help), &width) in columns.iter().zip(help).zip(widths) {
            let (rect, response) = ui.allocate_exact_size(vec2(width, 16.0), Sense::hover());
            let font = egui::FontId::proportional(11.0);
            ui.painter().text(rect.right_center(), egui::Align2::RIGHT_CENTER, name, font, theme.text[2]);
            response.help(help);
        }
    });
    for (index, settings) in lab.lanes.iter().enumerate() {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            let width = name_width + widths.iter().sum::<f32>();
            let name = lane_name(settings);
            let is_own = session.tools.chains.lane == index;
            let (rect, response, painter) = lane_row(ui, theme, (index, is_own), width, &text::name_lane(&name));
            let (left, right) = (rect.left_center() + vec2(16.0, 0.0), rect.left() + name_width - 4.0);
            name_before(&painter, left, right, &name, theme.text[0]);
            let (recording, layer) = (lane_of(session, index), session.world.solved.layer(LayerId::Lane(index)));
            let micros = layer.map_or(0.0, |layer| layer.times.total());
            let smoothness = session.tools.chains.smoothness.get(index).cloned().unwrap_or_default();
            let values = match recording {
                Some(recording) => [
                    recording.outcome.iterations.to_string(),
                    bare(session.chain_error(LayerId::Lane(index)).unwrap_or_default()),
                    if is_timed { format!("{micros:.1}") } else { String::new() },
                    bare(smoothness.jerk.root_mean_square()),
                ],
                None => ["–".to_owned(), text::FAILED.to_owned(), String::new(), "–".to_owned()],
            };
            let mut right = rect.left() + name_width;
            for (value, &width) in values.into_iter().zip(widths) {
                right += width;
                let at = egui::pos2(right, rect.center().y);
                painter.text(at, egui::Align2::RIGHT_CENTER, value, egui::FontId::monospace(11.5), theme.text[0]);
            }
            let outcome = match (layer.and_then(Layer::problem), recording) {
                (Some(problem), _) => problem.to_owned(),
                (None, Some(recording)) => text::lane_help(
                    &name,
                    &settings.solver.sentence(),
                    &capital(recording.outcome.stopped_by.sentence()),
                    &smoothness.largest_jump,
                ),
                _ => String::new(),
            };
            if response.help(outcome).clicked() {
                actions.push(Action::Chains(ChainAction::ShowLane(index)));
            }
            ui.add_space(8.0);
            let button = egui::Button::new(RichText::new(icon::X).size(11.0)).frame(false);
            let remove = ui.add_enabled(lab.lanes.len() > 1, button);
            if remove.help(text::REMOVE_LANE_HELP).clicked() {
                actions.push(Action::Chains(ChainAction::RemoveLane(index)));
            }
        });
    }
    if lab.lanes.len() < MOST_LANES {
        add_lane(ui, lab, actions);
    }
    if let Some(problem) = session.world.solved.layer(LayerId::Lane(session.tools.chains.lane)).and_then(Layer::problem)
    {
        let text = RichText::new(format!("{} {problem}", icon::WARNING)).color(theme.warning);
        ui.add(egui::Label::new(text).wrap());
    }
}

fn add_lane(ui: &mut Ui, lab: &LabSection, actions: &mut Vec<Action>) {
    egui::ComboBox::from_id_salt("add lane").selected_text(text::ADD_LANE).width(150.0).show_ui(ui, |ui| {
        for kind in kinds() {
            if ui.selectable_label(false, lane_name(&kind)).clicked() {
                let first = lab.lanes[0];
                let (tolerance, max_iterations) = (first.tolerance, first.max_iterations);
                actions.push(Action::Chains(ChainAction::AddLane(Settings { tolerance, max_iterations, ..kind })));
            }
        }
    });
}

fn errors(ui: &mut Ui, theme: &Theme, session: &Session) {
    let count = session.world.lab().map_or(0, |lab| lab.lanes.len());
    let most = (0..count).filter_map(|lane| lane_of(session, lane)).map(|r| r.outcome.iterations).max().unwrap_or(1);
    // Errors below 1e-7 of the length are rounding errors, so the plot clamps them.
    let log = |error: f32, length: f32| f64::from((error / length).max(1e-7) * 100.0).log10();
    let cursor = session
        .shown_run()
        .and_then(|run| run::iteration(run, session.world.time.cursor.step))
        .filter(|_| session.world.time.is_paused());
    Plot::new("lab errors")
        .height(150.0)
        .allow_scroll(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_boxed_zoom(false)
        .include_x(0.0)
        .include_x(f64::from(most.max(3)))
        .x_axis_formatter(
            |mark: GridMark, _| {
                if mark.value.fract() == 0.0 { format!("{:.0}", mark.value) } else { String::new() }
            },
        )
        .y_axis_formatter(|mark: GridMark, _| {
            if mark.value.fract() == 0.0 { format!("{}", 10f64.powi(mark.value as i32)) } else { String::new() }
        })
        .label_formatter(|name, point| text::plot_help(&name, &point.x, &10f64.powf(point.y)))
        .show(ui, |plot| {
            for lane in 0..count {
                let Some(recording) = lane_of(session, lane) else { continue };
                let length = recording.chain.length();
                let ends = recording.ends_of_iterations().enumerate();
                let points: Vec<[f64; 2]> = ends
                    .map(|(index, step)| {
                        [index as f64, log(recording.error(&recording.solve.steps[step].state), length)]
                    })
                    .collect();
                let style = if is_dashed(lane) { LineStyle::dashed_loose() } else { LineStyle::Solid };
                plot.line(
                    Line::new(lane_label(lane, Some(&recording.settings)), PlotPoints::from(points))
                        .color(theme.lane(lane))
                        .style(style)
                        .width(2.0),
                );
            }
            if let Some(iteration) = cursor {
                plot.vline(VLine::new("cursor", f64::from(iteration) + 1.0).color(theme.accent).width(1.0));
            }
        });
    legend(ui, theme, session, count);
}

/// Every second line is dashed, so that lines differ by more than their colour.
const fn is_dashed(lane: usize) -> bool {
    lane % 2 == 1
}

fn legend(ui: &mut Ui, theme: &Theme, session: &Session, count: usize) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 2.0);
        for lane in 0..count {
            let name = lane_label(lane, lane_of(session, lane).map(|recording| &recording.settings));
            let text = egui::WidgetText::from(RichText::new(name).size(11.0).color(theme.text[1]));
            let text = text.into_galley(ui, Some(egui::TextWrapMode::Extend), f32::INFINITY, egui::TextStyle::Body);
            let (rect, _) = ui.allocate_exact_size(text.size() + vec2(LEGEND_LINE + 14.0, 2.0), Sense::hover());
            let from = rect.left_center();
            let ends = [from, from + vec2(LEGEND_LINE, 0.0)];
            let stroke = egui::Stroke::new(2.0, theme.lane(lane));
            match is_dashed(lane) {
                true => ui.painter().extend(egui::Shape::dashed_line(&ends, stroke, 5.0, 3.0)),
                false => drop(ui.painter().line_segment(ends, stroke)),
            }
            let at = egui::pos2(ends[1].x + 5.0, rect.center().y - text.size().y / 2.0);
            ui.painter().galley(at, text, theme.text[1]);
        }
    });
}
