use egui_macroquad::egui::{self, Align2, FontId, RichText, Sense, Ui, vec2};
use egui_phosphor::regular as icon;

use crate::session::commands::Command;
use crate::session::commands::buttons::command_button;
use crate::session::pane::PaneInfo;
use crate::session::{Action, Selection, Session};
use crate::tools::body_lab::outside::{solver, solvers_of};
use crate::tools::body_lab::session::{
    BodyLabAction, PERTURBED, first_poses, frame_label, is_open, is_stale, joint_label, lane_label, metre, to_frame,
};
use crate::tools::body_lab::words as text;
use crate::tools::body_lab::{FoundDivergence, LaneMotion, LaneRow};
use crate::ui::help::Help;
use crate::ui::number::Number;
use crate::ui::theme::Theme;
use crate::ui::widgets::{choose_name, lane_row, name_before, number_row_button, section, segmented, slider_row};
use crate::ui::words::{capital, counted};
use kinescope_ik::debugger::divergence::DivergedAt;
use kinescope_ik::full_body::Effector;
use kinescope_ik::key::label;
use kinescope_ik::stack::parameters::ParameterId;
use kinescope_ik::stack::{ChoiceId, LaneSource, LayerId, MOST_LANES};
use kinescope_ik::stepped::run::Unit;

pub const PANE: PaneInfo = PaneInfo::tab(text::TITLE, text::WHAT, 9, show);

/// Width of the table's names, logical pixels.
const NAMES: f32 = 104.0;
const MOST_LETTERS: usize = 40;
/// Height of the results of *find divergence*, logical pixels. It is fixed, so that a new result does not move the
/// controls.
const RESULTS: f32 = 84.0;

pub fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.look.view.light_theme);
    ui.spacing_mut().item_spacing = vec2(8.0, 2.0);
    if !is_open(session) {
        egui::Frame::new().inner_margin(12).show(ui, |ui| {
            ui.add(egui::Label::new(text::CLOSED).wrap());
            ui.add_space(4.0);
            command_button(ui, Command::BodyLab, true, actions);
        });
        return;
    }
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        section(ui, theme, text::LANES, text::LANES_HINT, |ui| lanes(ui, theme, session, actions));
        let unit = session.world.character.unit_name(Unit::Length);
        section(ui, theme, text::THIS_FRAME, &text::unit_of_distances(&unit), |ui| frame(ui, theme, session));
        let played = counted(session.tools.body_lab.played as usize, "frame");
        section(ui, theme, text::PLAYED, &text::played(&played, &unit), |ui| motion(ui, theme, session));
        section(ui, theme, text::DIVERGENCE, "", |ui| divergence(ui, theme, session, actions));
        section(ui, theme, text::SETTINGS, text::SETTINGS_HINT, |ui| settings(ui, theme, session, actions));
    });
}

fn selected(session: &Session) -> Option<usize> {
    match session.interaction.selection {
        Selection::Layer(LayerId::BodyLane(lane)) => Some(lane),
        _ => None,
    }
}

fn lanes(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    let lab = session.world.body_lab();
    for (lane, own) in lab.lanes.iter().enumerate() {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let width = (ui.available_width() - 52.0).max(80.0);
            let (name, is_own) = (lane_label(lab, lane), selected(session) == Some(lane));
            let (rect, response, painter) = lane_row(ui, theme, (lane, is_own), width, &text::lane_help(&name));
            let color = theme.text[usize::from(own.hidden)];
            name_before(&painter, rect.left_center() + vec2(16.0, 0.0), rect.right(), &name, color);
            let problem = session.world.solved.layer(LayerId::BodyLane(lane)).and_then(|layer| layer.problem());
            let row = session.tools.body_lab.rows.get(lane).and_then(Option::as_ref);
            let help = match (problem, row, &own.source) {
                (Some(problem), ..) => problem.to_owned(),
                (None, None, LaneSource::Foreign { name }) if solver(session, name).is_none() => {
                    text::not_connected(name)
                }
                (None, None, _) => text::NO_RESULT.to_owned(),
                (None, Some(row), _) if row.late > 0 => text::late_help(&counted(row.late as usize, "frame")),
                (None, Some(_), _) => text::lane_help(&name),
            };
            if response.help(help).clicked() {
                actions.push(Action::Select(Selection::Layer(LayerId::BodyLane(lane))));
            }
            let eye = if own.hidden { icon::EYE_SLASH } else { icon::EYE };
            let mut is_shown = !own.hidden;
            let toggle = ui.toggle_value(&mut is_shown, RichText::new(eye).size(13.0)).help(text::SHOW_LANE);
            if toggle.changed() {
                actions.push(Action::BodyLab(BodyLabAction::Hide(lane, !is_shown)));
            }
            let remove = ui.add(egui::Button::new(RichText::new(icon::X).size(11.0)).frame(false));
            if remove.help(text::REMOVE_LANE).clicked() {
                actions.push(Action::BodyLab(BodyLabAction::RemoveLane(lane)));
            }
        });
    }
    ui.horizontal(|ui| {
        ui.set_height(28.0);
        let solvers: Vec<LayerId> = LayerId::body_solvers().collect();
        let outside = solvers_of(session);
        let mut names: Vec<String> = solvers.iter().map(|solver| solver.label()).collect();
        names.extend(outside.iter().map(|solver| solver.name.clone()));
        names.push(text::OUTSIDE_SOLVER.to_owned());
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let width = (ui.available_width() * 0.4).min(140.0);
        ui.add_enabled_ui(lab.lanes.len() < MOST_LANES, |ui| {
            if let Some(chosen) = choose_name(ui, text::ADD_LANE, (text::ADD_LANE, None), width, &names).inner {
                let outside = outside.get(chosen.saturating_sub(solvers.len()));
                actions.push(Action::BodyLab(match (solvers.get(chosen), outside) {
                    (Some(solver), _) => BodyLabAction::AddLane(*solver),
                    (None, Some(solver)) => BodyLabAction::AddForeign(solver.name.clone()),
                    (None, None) => BodyLabAction::AwaitSolver,
                }));
            }
        });
        let options = [
            (false, text::SIDE_BY_SIDE, text::SIDE_BY_SIDE_HELP.to_owned()),
            (true, text::OVERLAID, text::OVERLAID_HELP.to_owned()),
        ];
        if let Some(over) = segmented(ui, theme, lab.over, &options) {
            actions.push(Action::BodyLab(BodyLabAction::Over(over)));
        }
    });
}

fn settings(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    let (lab, stack) = (session.world.body_lab(), session.world.stack());
    let Some((lane, own)) = selected(session).and_then(|lane| Some((lane, lab.lanes.get(lane)?))) else {
        ui.add(egui::Label::new(RichText::new(text::SELECT_LANE).color(theme.text[2])).wrap());
        return;
    };
    name(ui, theme, (lane, &own.name), actions);
    let LaneSource::Layer(solver) = own.source else {
        ui.label(RichText::new(text::FOREIGN).color(theme.text[2]));
        return;
    };
    ui.horizontal(|ui| {
        ui.set_height(26.0);
        ui.label(RichText::new(text::SOLVER).color(theme.text[1]));
        let solvers: Vec<LayerId> = LayerId::body_solvers().collect();
        let names: Vec<String> = solvers.iter().map(|solver| solver.label()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let at = solvers.iter().position(|known| *known == solver);
        if let Some(chosen) = choose_name(ui, text::SOLVER, (&solver.label(), at), 160.0, &names).inner {
            actions.push(Action::BodyLab(BodyLabAction::Solver(lane, solvers[chosen])));
        }
    });
    for parameter in own.settings.keys().filter_map(|path| ParameterId::from_path(path)) {
        ui.horizontal(|ui| {
            let mut value = own.number(parameter, stack);
            let [min, max] = parameter.range();
            ui.scope(|ui| {
                ui.set_max_width(ui.available_width() - 24.0);
                let changed = slider_row(ui, theme, &parameter.label(), &mut value, min..=max, parameter.parameter);
                if let Some(changed) = changed {
                    let (value, gesture) = (Some(value), changed.gesture);
                    actions.push(Action::BodyLab(BodyLabAction::Number { lane, parameter, value, gesture }));
                }
            });
            let remove = ui.add(egui::Button::new(RichText::new(icon::X).size(11.0)).frame(false));
            if remove.help(text::REMOVE_NUMBER).clicked() {
                let action = BodyLabAction::Number { lane, parameter, value: None, gesture: None };
                actions.push(Action::BodyLab(action));
            }
        });
    }
    let choices = own.choices(stack);
    for &choice in choices.iter().filter(|choice| own.choices.contains_key(&choice.path())) {
        own_choice(ui, theme, (lane, choice, own.choice(choice, stack)), actions);
    }
    let is_new = |parameter: &ParameterId| !own.settings.contains_key(&parameter.path());
    let new_choices: Vec<ChoiceId> =
        choices.into_iter().filter(|choice| !own.choices.contains_key(&choice.path())).collect();
    let others: Vec<ParameterId> = own.parameters(stack).into_iter().filter(is_new).collect();
    let names = others.iter().map(|parameter| parameter.label()).chain(new_choices.iter().map(|choice| choice.label()));
    let names: Vec<String> = names.collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let width = ui.available_width().min(200.0);
    if let Some(chosen) = choose_name(ui, text::OWN_NUMBER, (text::OWN_NUMBER, None), width, &names).inner {
        let action = match others.get(chosen) {
            Some(&parameter) => {
                BodyLabAction::Number { lane, parameter, value: Some(parameter.get(stack)), gesture: None }
            }
            None => {
                let choice = new_choices[chosen - others.len()];
                BodyLabAction::Choice(lane, choice, Some(choice.get(stack).to_owned()))
            }
        };
        actions.push(Action::BodyLab(action));
    }
}

fn own_choice(ui: &mut Ui, theme: &Theme, (lane, choice, value): (usize, ChoiceId, &str), actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.set_height(26.0);
        let name = capital(&choice.label());
        ui.label(RichText::new(&name).color(theme.text[1]));
        let width = (ui.available_width() - 32.0).clamp(60.0, 120.0);
        let at = choice.values.iter().position(|known| *known == value);
        let names: Vec<String> = choice.values.iter().map(|value| capital(&label(value))).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let shown = at.map_or("", |at| names[at]);
        if let Some(chosen) = choose_name(ui, &name, (shown, at), width, &names).inner {
            let value = Some(choice.values[chosen].to_owned());
            actions.push(Action::BodyLab(BodyLabAction::Choice(lane, choice, value)));
        }
        let remove = ui.add(egui::Button::new(RichText::new(icon::X).size(11.0)).frame(false));
        if remove.help(text::REMOVE_NUMBER).clicked() {
            actions.push(Action::BodyLab(BodyLabAction::Choice(lane, choice, None)));
        }
    });
}

fn name(ui: &mut Ui, theme: &Theme, (lane, name): (usize, &str), actions: &mut Vec<Action>) {
    let id = ui.make_persistent_id((text::NAME, lane));
    let mut typed: String = ui.data(|data| data.get_temp(id)).unwrap_or_else(|| name.to_owned());
    ui.horizontal(|ui| {
        ui.set_height(26.0);
        ui.label(RichText::new(text::NAME).color(theme.text[1]));
        let field = egui::TextEdit::singleline(&mut typed).id(id.with("field")).hint_text(text::NAME_HINT);
        let field = ui.add(field.char_limit(MOST_LETTERS).desired_width(160.0)).help(text::NAME_HELP);
        if field.lost_focus() {
            ui.data_mut(|data| data.remove::<String>(id));
            let typed = typed.trim();
            if typed != name && !ui.input(|input| input.key_pressed(egui::Key::Escape)) {
                actions.push(Action::BodyLab(BodyLabAction::Name(lane, typed.to_owned())));
            }
        } else if field.has_focus() {
            ui.data_mut(|data| data.insert_temp(id, typed));
        }
    });
}

fn row(ui: &mut Ui, theme: &Theme, name: &str, help: &str, values: &[String]) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 19.0), Sense::hover());
    let painter = ui.painter_at(rect.expand2(vec2(12.0, 0.0)));
    name_before(&painter, rect.left_center(), rect.left() + NAMES, name, theme.text[1]);
    let width = (rect.width() - NAMES) / values.len().max(1) as f32;
    for (lane, value) in values.iter().enumerate() {
        let at = egui::pos2(rect.left() + NAMES + width * (lane + 1) as f32, rect.center().y);
        painter.text(at, Align2::RIGHT_CENTER, value, FontId::monospace(11.0), theme.text[0]);
    }
    response.help(help);
}

fn heads(ui: &mut Ui, theme: &Theme, count: usize) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 16.0), Sense::hover());
    let width = (rect.width() - NAMES) / count.max(1) as f32;
    for lane in 0..count {
        let right = egui::pos2(rect.left() + NAMES + width * (lane + 1) as f32, rect.center().y);
        let font = FontId::proportional(11.0);
        ui.painter().text(right, Align2::RIGHT_CENTER, (lane + 1).to_string(), font, theme.text[1]);
        ui.painter().circle_filled(right - vec2(14.0, 0.0), 3.5, theme.lane(lane));
    }
}

/// Formats a number with one decimal, or without decimals from 100 on, so that it fits into a narrow column.
fn short(value: f32) -> String {
    let digits = usize::from(value.abs() < 100.0);
    let text = format!("{value:.digits$}").replace('-', "−");
    if text == "−0.0" { "0.0".to_owned() } else { text }
}

fn frame(ui: &mut Ui, theme: &Theme, session: &Session) {
    let rows = &session.tools.body_lab.rows;
    heads(ui, theme, rows.len());
    let factor = session.world.character.factor(Unit::Length);
    let column = |value: &dyn Fn(&LaneRow) -> Option<String>| -> Vec<String> {
        rows.iter().map(|row| row.as_ref().and_then(value).unwrap_or_else(|| "–".to_owned())).collect()
    };
    for effector in Effector::ALL {
        if session.world.solved_settings().effector(effector).position_weight <= 0.0 {
            continue;
        }
        let name = label(effector.key());
        let own = |row: &LaneRow| {
            let gap = row.measures.gaps.iter().find(|gap| gap.key.ends_with(effector.key()))?;
            Some(short(gap.distance * factor))
        };
        row(ui, theme, &name, &text::distance_help(&name), &column(&own));
    }
    let limit = |row: &LaneRow| Some(short(row.measures.limit_violation?.to_degrees()));
    row(ui, theme, text::LIMITS, text::LIMITS_HELP, &column(&limit));
    let lengths = |row: &LaneRow| Some(short(row.measures.length_error? * 100.0));
    row(ui, theme, text::LENGTHS, text::LENGTHS_HELP, &column(&lengths));
    let balance = |row: &LaneRow| Some(short(row.measures.balance? * factor));
    row(ui, theme, text::BALANCE, text::BALANCE_HELP, &column(&balance));
    let moved = |first: &Option<f32>| first.map_or_else(|| "–".to_owned(), |first| short(first * factor));
    let first: Vec<String> = first_poses(session).iter().map(moved).collect();
    row(ui, theme, text::FIRST_POSE, &text::first_pose_help(&PERTURBED), &first);
    let time = |row: &LaneRow| (row.micros > 0.0).then(|| short(row.micros));
    row(ui, theme, text::TIME, text::TIME_HELP, &column(&time));
}

fn motion(ui: &mut Ui, theme: &Theme, session: &Session) {
    let view = &session.tools.body_lab;
    let count = session.world.body_lab().lanes.len();
    let factor = session.world.character.factor(Unit::Length);
    let column = |value: &dyn Fn(&LaneMotion) -> f32| -> Vec<String> {
        let of = |lane: usize| view.motion.get(lane).map_or("–".to_owned(), |own| short(value(own) * factor));
        (0..count).map(of).collect()
    };
    row(ui, theme, text::JERK, &format!("{} {}", text::JERK_HELP, text::PLAYED_HELP), &column(&LaneMotion::jerk));
    let help = format!("{} {}", text::SLIDE_HELP, text::PLAYED_HELP);
    row(ui, theme, text::SLIDE, &help, &column(&|own| own.slide));
}

fn divergence(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    let (lab, view) = (session.world.body_lab(), &session.tools.body_lab.divergence);
    let names: Vec<String> = (0..lab.lanes.len()).map(|lane| lane_label(lab, lane)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (character, metre) = (&session.world.character, metre(session));
    let factor = metre * character.factor(Unit::Length);
    let (mut pair, mut tolerance) = (view.pair, view.tolerance);
    let mut shown = tolerance * factor;
    ui.horizontal(|ui| {
        ui.set_height(26.0);
        let width = ((ui.available_width() - 40.0) / 2.0).clamp(60.0, 160.0);
        for (index, salt) in [text::COMPARED, text::AND].into_iter().enumerate() {
            if index == 1 {
                ui.label(RichText::new(text::AND).color(theme.text[1]));
            }
            let shown = names.get(pair[index]).copied().unwrap_or_default();
            if let Some(lane) = choose_name(ui, salt, (shown, Some(pair[index])), width, &names).inner {
                pair[index] = lane;
            }
        }
    });
    ui.horizontal(|ui| {
        ui.set_height(26.0);
        ui.label(RichText::new(text::FRAMES).color(theme.text[1]));
        let options =
            [(false, text::RECORDING, text::RECORDING_HELP.to_owned()), (true, text::CLIP, text::CLIP_HELP.to_owned())];
        if let Some(over_clip) = segmented(ui, theme, view.over_clip, &options) {
            actions.push(Action::BodyLab(BodyLabAction::OverClip(over_clip)));
        }
    });
    ui.horizontal(|ui| {
        ui.set_height(26.0);
        ui.label(RichText::new(text::TOLERANCE).color(theme.text[1]));
        let number = Number::new(&mut shown).range(1e-5 * factor..=factor).speed(1e-4 * factor).decimals(1, 2);
        if ui.add(number.in_unit(character.unit_name(Unit::Length))).help(text::TOLERANCE_HELP).changed() {
            tolerance = shown / factor;
        }
        match &view.job {
            Some(job) => {
                command_button(ui, Command::CancelJobs, true, actions);
                let width = ui.available_width().clamp(30.0, 120.0);
                ui.add(egui::ProgressBar::new(job.progress()).desired_width(width).show_percentage());
            }
            None => command_button(ui, Command::FindDivergence, pair[0] != pair[1], actions),
        }
    });
    if pair != view.pair || tolerance != view.tolerance {
        actions.push(Action::BodyLab(BodyLabAction::Question { pair, tolerance }));
    }
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), RESULTS), Sense::hover());
    ui.scope_builder(egui::UiBuilder::new().max_rect(rect), |ui| {
        let say = |ui: &mut Ui, words: &str| {
            ui.add(egui::Label::new(RichText::new(words).color(theme.text[2])).wrap());
        };
        let FoundDivergence { divergence: found, between } = match &view.result {
            None => return say(ui, text::NOT_ASKED),
            Some(Err(error)) => return say(ui, error),
            Some(Ok(found)) => found,
        };
        match &found.first {
            None if found.frames == 0 => say(ui, text::NOTHING_COMPARED),
            None => say(ui, text::SAME),
            Some(first) => at(ui, theme, session, text::FIRST, (first, *between), actions),
        }
        if let Some(largest) = &found.largest {
            at(ui, theme, session, text::LARGEST, (largest, *between), actions);
        }
        say(ui, &text::compared(&counted(found.frames, "frame")));
        if is_stale(session) {
            ui.label(RichText::new(text::OUT_OF_DATE).color(theme.warning));
        }
    });
}

fn at(
    ui: &mut Ui,
    theme: &Theme,
    session: &Session,
    name: &str,
    (at, between): (&DivergedAt, Option<f32>),
    actions: &mut Vec<Action>,
) {
    let distance = session.world.character.length(at.distance);
    let numbers = [joint_label(&at.joint), distance, frame_label(at, between)];
    let response = number_row_button(ui, theme, at.joint.node, name, &numbers);
    if response.clicked() {
        actions.push(to_frame(at, between));
        let selection = at.joint.node.map_or(Selection::Nothing, crate::tools::finder::session::selection_of);
        actions.push(Action::Select(selection));
    }
    response.help(text::SHOW_FRAME);
}
