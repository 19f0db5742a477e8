use egui_macroquad::egui::{self, Align2, FontId, Rect, RichText, Sense, Stroke, Ui, vec2};
use egui_phosphor::regular as icon;
use egui_plot::{GridMark, Line, LineStyle, Plot, PlotPoints, VLine};
use glam::{EulerRot, Quat, Vec3};

use crate::session::commands::Command;
use crate::session::commands::buttons::command_button;
use crate::session::pane::PaneInfo;
use crate::session::{Action, Session};
use crate::tools::motion::pane::{Editor, labelled};
use crate::tools::trackers::node_of;
use crate::tools::trackers::session::{TrackerAction, errors_now, is_stale};
use crate::tools::trackers::words as text;
use crate::ui::help::Help;
use crate::ui::theme::Theme;
use crate::ui::widgets::{
    ROW, number_row, number_row_button, parameter, row_with_buttons, scroll_to_new, section, segmented, vector,
};
use crate::ui::words::{capital, counted};
use kinescope_ik::debugger::tracker_errors::{TrackedJoint, TrackerCause, TrackerErrors};
use kinescope_ik::key::label;
use kinescope_ik::parameter::{Parameter, find};
use kinescope_ik::rig::RigidTransform;
use kinescope_ik::stack::{Layer, LayerId};
use kinescope_ik::stepped::run::Unit;
use kinescope_ik::trackers::{CalibrationPose, DropOut, Mounts, Points, Tracker, TrackerSettings};

pub const PANE: PaneInfo = PaneInfo::tab(text::TITLE, text::WHAT, 10, show);

pub fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.look.view.light_theme);
    ui.spacing_mut().item_spacing = vec2(8.0, 2.0);
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let mut editor = Editor::new(session, theme);
        title(ui, &mut editor);
        section(ui, theme, text::USER, text::USER_HINT, |ui| user(ui, &mut editor));
        let is_calibrated = own(&mut editor).calibration.is_some();
        let hint = if is_calibrated { text::CALIBRATED } else { text::UNCALIBRATED };
        section(ui, theme, text::CALIBRATION, hint, |ui| calibration(ui, &mut editor, actions));
        let top = ui.cursor().min;
        section(ui, theme, text::ERRORS, &text::errors_hint(&unit(session)), |ui| errors(ui, session, actions));
        if let Some(errors) = &session.tools.debugger.trackers.errors {
            causes(ui, theme, session, errors);
            section(ui, theme, text::PLOT, &text::plot_hint(&unit(session)), |ui| {
                plot(ui, theme, session, errors, actions)
            });
        }
        scroll_to_new(ui, "trackers", session.tools.debugger.trackers.done, top);
        section(ui, theme, text::PLACES, text::PLACES_HINT, |ui| places(ui, &mut editor, actions));
        section(ui, theme, text::NOISE, text::NOISE_HINT, |ui| noise(ui, &mut editor));
        section(ui, theme, text::DROP_OUTS, text::DROP_OUTS_HINT, |ui| drop_outs(ui, &mut editor));
        editor.finish(actions);
    });
}

fn own<'a>(editor: &'a mut Editor) -> &'a mut TrackerSettings {
    &mut editor.document.stack.order.trackers
}

/// Formats a length without its unit, which the title of the section has.
fn number(session: &Session, length: f32) -> String {
    text::number(length * session.world.character.factor(Unit::Length))
}

fn unit(session: &Session) -> &'static str {
    session.world.character.unit_name(Unit::Length)
}

fn title(ui: &mut Ui, editor: &mut Editor) {
    let (theme, session) = (editor.theme, editor.session);
    ui.horizontal(|ui| {
        ui.set_height(30.0);
        ui.add_space(12.0);
        let mut on = own(editor).on;
        if ui.checkbox(&mut on, text::ON).help(text::ON_HELP).changed() {
            own(editor).on = on;
            editor.note_single(text::EDIT_ON);
        }
    });
    let problem = session.world.solved.layer(LayerId::Trackers).and_then(Layer::problem);
    let words = match problem {
        Some(problem) => RichText::new(text::layer_problem(&icon::WARNING, &problem)).color(theme.warning),
        None if own(editor).on => return,
        None => RichText::new(text::OFF_TEXT).color(theme.text[1]),
    };
    egui::Frame::new().inner_margin(egui::Margin { left: 12, right: 12, top: 0, bottom: 6 }).show(ui, |ui| {
        ui.add(egui::Label::new(words).wrap());
    });
}

fn numbers(ui: &mut Ui, editor: &mut Editor, keys: &[&str]) {
    for key in keys {
        let info: &'static Parameter = find(TrackerSettings::PARAMETERS, key);
        let changed = parameter(ui, editor.theme, info, own(editor));
        editor.note(&label(key), changed);
    }
}

fn user(ui: &mut Ui, editor: &mut Editor) {
    labelled(ui, editor.theme, text::POINTS, |ui| {
        let names = [text::THREE, text::SIX, text::ELEVEN];
        let options = Points::ALL.map(|points| (points, names[points as usize], points.help().to_owned()));
        if let Some(points) = segmented(ui, editor.theme, own(editor).points, &options) {
            own(editor).points = points;
            editor.note_single(text::EDIT_POINTS);
        }
    });
    numbers(ui, editor, &["height", "arms", "legs"]);
}

fn calibration(ui: &mut Ui, editor: &mut Editor, actions: &mut Vec<Action>) {
    let theme = editor.theme;
    labelled(ui, theme, text::MOMENT, |ui| {
        let names = [text::REFERENCE, text::FIRST_FRAME];
        let options = CalibrationPose::ALL.map(|pose| (pose, names[pose as usize], pose.help().to_owned()));
        if let Some(moment) = segmented(ui, theme, own(editor).moment, &options) {
            own(editor).moment = moment;
            editor.note_single(text::EDIT_MOMENT);
        }
    });
    numbers(ui, editor, &["slouch"]);
    ui.horizontal(|ui| {
        ui.set_height(30.0);
        command_button(ui, Command::CalibrateTrackers, own(editor).on, actions);
        command_button(ui, Command::ForgetCalibration, own(editor).calibration.is_some(), actions);
    });
    let settings = own(editor).clone();
    let Some(found) = settings.calibration else {
        ui.add(egui::Label::new(RichText::new(text::UNCALIBRATED_TEXT).color(theme.text[1])).wrap());
        return;
    };
    let mut row = |name: &str, found: Option<f32>, wanted: Option<f32>, help: &str| {
        let numbers = [found, wanted].map(|number| number.map_or(text::NONE.to_owned(), text::factor));
        number_row(ui, theme, None, name, &numbers, Some(0)).help(help);
    };
    row(text::HEIGHT, Some(found.height), Some(settings.height), text::HEIGHT_HELP);
    row(text::ARMS, Some(found.arms), Some(settings.arms), text::ARMS_HELP);
    row(text::ARM_SPAN, Some(found.arm_span), None, text::ARM_SPAN_HELP);
    row(text::LEG_LENGTH, found.leg_length, Some(settings.height * settings.legs), text::LEG_LENGTH_HELP);
    let straps = settings.points.trackers().iter().filter(|tracker| !tracker.is_device());
    let off: Vec<(f32, f32)> = straps.map(|&tracker| off_by(&settings, tracker)).collect();
    if !off.is_empty() {
        let [distance, angle] =
            [|off: &(f32, f32)| off.0, |off: &(f32, f32)| off.1].map(|part| off.iter().map(part).fold(0.0, f32::max));
        let numbers = [editor.session.world.character.length(distance), text::angle(angle)];
        number_row(ui, theme, None, text::LARGEST_PLACE, &numbers, Some(0)).help(text::LARGEST_PLACE_HELP);
    }
}

/// Returns distance (model units) and angle (degrees) between the calibrated and the true place of a tracker. Without a
/// calibration, every tracker counts as worn at its joint.
fn off_by(settings: &TrackerSettings, tracker: Tracker) -> (f32, f32) {
    let found = settings.calibration.unwrap_or_default();
    let (found, wanted) = (found.mounts.get(tracker), settings.mounts.get(tracker));
    (found.position.distance(wanted.position), found.rotation.angle_between(wanted.rotation).to_degrees())
}

fn errors(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.look.view.light_theme);
    let view = &session.tools.debugger.trackers;
    let now = errors_now(session);
    let head = [text::NOW, text::MEAN, text::MOST].map(str::to_owned);
    number_row(ui, theme, None, text::JOINT, &head, None);
    let number = |length: Option<f32>| length.map_or(text::NONE.to_owned(), |length| number(session, length));
    for joint in TrackedJoint::ALL {
        let of = |errors: &[f32; TrackedJoint::COUNT]| errors[joint as usize];
        let errors = view.errors.as_ref();
        let numbers = [now.as_ref().map(of), errors.map(|own| of(&own.mean)), errors.map(|own| of(&own.most))];
        let name = capital(joint.label());
        let row = number_row_button(ui, theme, Some(node_of(joint)), &name, &numbers.map(number));
        if row.help(text::joint_help(&joint.label())).clicked() {
            actions.push(Action::Trackers(TrackerAction::Joint(Some(joint))));
        }
    }
    let mean = now.map(|now| now.iter().sum::<f32>() / now.len() as f32);
    let numbers = [mean, view.errors.as_ref().map(TrackerErrors::whole), None].map(number);
    if number_row_button(ui, theme, None, text::ALL_JOINTS, &numbers).help(text::ALL_JOINTS_HELP).clicked() {
        actions.push(Action::Trackers(TrackerAction::Joint(None)));
    }
    ui.horizontal(|ui| {
        ui.set_height(30.0);
        let is_idle = view.job.is_none();
        command_button(ui, Command::MeasureTrackers, is_idle && session.world.stack().order.trackers.on, actions);
        if let Some(job) = &view.job {
            command_button(ui, Command::CancelJobs, true, actions);
            let width = ui.available_width().clamp(30.0, 150.0);
            ui.add(egui::ProgressBar::new(job.progress()).desired_width(width).show_percentage());
        }
    });
    let (words, color) = match (&view.errors, is_stale(session)) {
        (None, _) => (text::MEASURE_FIRST, theme.text[2]),
        (Some(_), true) => (text::OUT_OF_DATE, theme.warning),
        (Some(_), false) => (text::UP_TO_DATE, theme.text[2]),
    };
    row_with_buttons(ui, 20.0, RichText::new(words).color(color), words, |_| {});
}

fn causes(ui: &mut Ui, theme: &Theme, session: &Session, errors: &TrackerErrors) {
    let joint = session.tools.debugger.trackers.joint;
    let hint = text::causes_of(
        &joint.map_or(text::ALL_JOINTS.to_lowercase(), |joint| joint.label().to_owned()),
        &unit(session),
    );
    section(ui, theme, text::CAUSES, &hint, |ui| {
        let part = |cause: TrackerCause| {
            joint.map_or_else(|| errors.part(cause), |joint| errors.parts[joint as usize][cause as usize])
        };
        let parts = TrackerCause::ALL.map(part);
        let most = parts.iter().copied().fold(0.0, f32::max).max(f32::MIN_POSITIVE);
        let least = parts.iter().copied().fold(0.0, f32::min);
        for (cause, part) in TrackerCause::ALL.into_iter().zip(parts) {
            bar(ui, theme, session, cause, (part, [least, most]));
        }
        let whole = joint.map_or_else(|| errors.whole(), |joint| errors.mean[joint as usize]);
        number_row(ui, theme, None, text::SUM, &[number(session, whole)], Some(0));
        ui.add_space(4.0);
        ui.add(egui::Label::new(RichText::new(text::DEFINITION).color(theme.text[2]).size(11.5)).wrap());
    });
}

fn bar(ui: &mut Ui, theme: &Theme, session: &Session, cause: TrackerCause, (part, [least, most]): (f32, [f32; 2])) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let number = number(session, part);
    let name = capital(cause.label());
    response.describe(&|| {
        egui::WidgetInfo::labeled(egui::WidgetType::Label, true, text::name_cause(&cause.label(), &number))
    });
    let painter = ui.painter_at(rect);
    painter.text(rect.left_center(), Align2::LEFT_CENTER, name, FontId::proportional(12.5), theme.text[1]);
    painter.text(rect.right_center(), Align2::RIGHT_CENTER, number, FontId::monospace(11.5), theme.text[0]);
    let area =
        Rect::from_x_y_ranges(rect.left() + 84.0..=(rect.right() - 64.0).max(rect.left() + 100.0), rect.y_range());
    let x = |value: f32| area.left() + area.width() * ((value - least) / (most - least)).clamp(0.0, 1.0);
    let ends = [x(0.0).min(x(part)), x(0.0).max(x(part))];
    let bar = Rect::from_x_y_ranges(ends[0]..=ends[1], area.top() + 5.0..=area.bottom() - 5.0);
    painter.rect_filled(bar, 1.0, if part < 0.0 { theme.push_only } else { color(theme, cause) });
    painter.vline(x(0.0), area.y_range(), Stroke::new(1.0, theme.track));
    let help = match cause {
        TrackerCause::Solver => text::SOLVER_HELP.to_owned(),
        _ => text::part_help(&cause.removed()),
    };
    response.help(help);
}

const fn color(theme: &Theme, cause: TrackerCause) -> egui::Color32 {
    match cause {
        TrackerCause::Noise => theme.bend,
        TrackerCause::DropOuts => theme.warning,
        TrackerCause::Calibration => theme.left,
        TrackerCause::Proportions => theme.right,
        TrackerCause::Solver => theme.fill,
    }
}

fn plot(ui: &mut Ui, theme: &Theme, session: &Session, errors: &TrackerErrors, actions: &mut Vec<Action>) {
    let factor = f64::from(session.world.character.factor(Unit::Length));
    let plot = Plot::new("tracker errors")
        .height(150.0)
        .allow_scroll(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_boxed_zoom(false)
        .show_background(false)
        .include_y(0.0)
        .x_axis_formatter(|mark: GridMark, _| format!("{:.1}", mark.value))
        .y_axis_formatter(|mark: GridMark, _| format!("{:.0}", mark.value))
        .label_formatter(|name, point| match name {
            "" => String::new(),
            name => text::plot_point(&name, point.x, &number(session, (point.y / factor) as f32), &unit(session)),
        });
    let mut pointer = None;
    let response = plot.show(ui, |plot| {
        for joint in TrackedJoint::ALL {
            let points = errors.times.iter().zip(&errors.frames);
            let points: Vec<[f64; 2]> =
                points.map(|(&time, own)| [f64::from(time), factor * f64::from(own[joint as usize])]).collect();
            let node = node_of(joint);
            let style = match joint {
                TrackedJoint::LeftKnee | TrackedJoint::RightKnee => LineStyle::dashed_loose(),
                TrackedJoint::LeftElbow | TrackedJoint::RightElbow | TrackedJoint::Chest => LineStyle::Solid,
            };
            let line = Line::new(joint.label(), PlotPoints::from(points)).color(theme.node(node)).style(style);
            plot.line(line.width(if session.tools.debugger.trackers.joint == Some(joint) { 3.0 } else { 1.6 }));
        }
        let time = f64::from(session.world.clip_time());
        plot.vline(VLine::new(text::TIME_NOW, time).color(theme.target).width(1.5));
        pointer = plot.pointer_coordinate();
    });
    response.response.describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, text::NAME_PLOT));
    let last = errors.times.last().copied().unwrap_or(0.0);
    if response.response.clicked()
        && let Some(at) = pointer
    {
        actions.push(Action::ClipTime((at.x as f32).clamp(0.0, last)));
    }
    response.response.help_at_pointer(text::PLOT_HELP);
    let counts = text::over_clip(&counted(errors.frames.len(), "frame"), &counted(errors.solves, "solve"));
    ui.label(RichText::new(counts).color(theme.text[2]).size(11.0)).help(text::COUNTS_HELP);
}

fn places(ui: &mut Ui, editor: &mut Editor, actions: &mut Vec<Action>) {
    let (theme, session) = (editor.theme, editor.session);
    let settings = own(editor).clone();
    let chosen = session.tools.debugger.trackers.tracker;
    let shown = settings.points.trackers();
    let chosen = if shown.contains(&chosen) { chosen } else { Tracker::Head };
    for &tracker in shown {
        let numbers = match tracker.is_device() {
            true => vec![text::DEVICE.to_owned()],
            false => {
                let (distance, angle) = off_by(&settings, tracker);
                vec![session.world.character.length(distance), text::angle(angle)]
            }
        };
        let help =
            if tracker.is_device() { text::device_help(&tracker.label()) } else { text::place_help(&tracker.label()) };
        let row = number_row_button(ui, theme, Some(tracker.node()), &capital(tracker.label()), &numbers);
        if tracker == chosen {
            let mark = Rect::from_min_size(row.rect.left_top() - vec2(12.0, 0.0), vec2(3.0, row.rect.height()));
            ui.painter().rect_filled(mark, 0.0, theme.accent);
        }
        if row.help(help).clicked() {
            actions.push(Action::Trackers(TrackerAction::Choose(tracker)));
        }
    }
    ui.add_space(4.0);
    ui.add(egui::Label::new(RichText::new(text::AXES_HELP).color(theme.text[2]).size(11.5)).wrap());
    let before = *settings.mounts.get(chosen);
    let mut position = before.position.to_array();
    let (x, y, z) = before.rotation.to_euler(EulerRot::XYZ);
    let mut angles = [x, y, z].map(f32::to_degrees);
    let speed = session.world.character.height * 0.001;
    let moved = vector(ui, theme, text::POSITION, &mut position, session.world.character.model_unit(), speed);
    let turned = vector(ui, theme, text::ROTATION, &mut angles, text::DEGREES, 1.0);
    if let Some(changed) = moved.or(turned) {
        let [x, y, z] = angles.map(f32::to_radians);
        let rotation = if turned.is_some() { Quat::from_euler(EulerRot::XYZ, x, y, z) } else { before.rotation };
        let position = Vec3::from_array(position).clamp(Vec3::splat(-5.0), Vec3::splat(5.0));
        *own(editor).mounts.get_mut(chosen) = RigidTransform { position, rotation };
        editor.note(&text::edit_place(&chosen.label()), Some(changed));
    }
    ui.horizontal(|ui| {
        ui.set_height(30.0);
        let all = [
            (text::USUAL, text::USUAL_HELP, Mounts::default()),
            (text::AT_JOINTS, text::AT_JOINTS_HELP, Mounts::AT_JOINTS),
        ];
        for (name, help, mounts) in all {
            if ui.button(name).help(help).clicked() {
                own(editor).mounts = mounts;
                editor.note_single(text::EDIT_PLACES);
            }
        }
    });
}

fn noise(ui: &mut Ui, editor: &mut Editor) {
    let keys = ["noise", "noise_angle", "noise_time", "drift", "drift_angle", "drift_time", "series"];
    numbers(ui, editor, &keys);
}

fn drop_outs(ui: &mut Ui, editor: &mut Editor) {
    numbers(ui, editor, &["drop_outs", "drop_out_time"]);
    labelled(ui, editor.theme, text::KIND, |ui| {
        let names = [text::FREEZE, text::VANISH];
        let options = DropOut::ALL.map(|own| (own, names[own as usize], own.help().to_owned()));
        if let Some(chosen) = segmented(ui, editor.theme, own(editor).drop_out, &options) {
            own(editor).drop_out = chosen;
            editor.note_single(text::EDIT_DROP_OUT);
        }
    });
}
