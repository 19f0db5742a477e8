use egui_macroquad::egui::{self, RichText, Sense, Ui, vec2};
use egui_phosphor::regular as icon;
use glam::Vec3;

use crate::session::{Action, Session};
use crate::tools::chains::session::{ChainAction, chain_limit_mut, chain_settings_mut, chain_weight_mut};
use crate::tools::chains::words as text;
use crate::ui::help::Help;
use crate::ui::jump::{self, Target};
use crate::ui::number::Number;
use crate::ui::theme::{Theme, semibold};
use crate::ui::widgets::{
    Changed, number_row, number_row_button, parameter, parameter_help, section, segmented, symbol, time, vector,
};
use crate::ui::words::{capital, lane_name};
use kinescope_ik::chain_ik::settings::BONE_WEIGHT;
use kinescope_ik::chain_ik::{BendRule, CcdTurn, ChainRun, Limit, MapTurn, Recording, Settings, Solver, Weighting};
use kinescope_ik::parameter::{Field, Parameters, find_field};
use kinescope_ik::stack::{ChainSection, Layer, LayerId, TargetSource};

pub(crate) fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.look.view.light_theme);
    let Some(own) = session.chain_focus() else { return };
    let run = session.world.solved.chain(own);
    let mut editor = Editor { section: session.world.chain_section().clone(), changed: None, own, theme, session };
    title(ui, &mut editor);
    if let LayerId::Chain(index) = own {
        section(ui, theme, text::TARGET, "", |ui| target(ui, &mut editor, index));
    }
    section(ui, theme, text::SOLVER, "", |ui| solver(ui, &mut editor));
    if let Some(run) = run {
        section(ui, theme, text::BONES_AND_LIMITS, text::BONES_HINT, |ui| bones(ui, &mut editor, run, actions));
    }
    let Editor { section, changed, .. } = editor;
    if let Some((label, changed)) = changed {
        let document = Box::new(session.world.history.document().with_chains(section));
        actions.push(Action::Edit { label, gesture: changed.gesture, document });
    }
}

pub(crate) fn results(ui: &mut Ui, session: &Session) {
    let theme = Theme::of(session.look.view.light_theme);
    let Some(own) = session.chain_focus() else { return };
    let layer = session.world.solved.layer(own);
    if let Some(problem) = layer.and_then(Layer::problem) {
        section(ui, theme, text::NOT_SOLVED, "", |ui| {
            let text = RichText::new(text::warning(&icon::WARNING, &problem)).color(theme.warning);
            ui.add(egui::Label::new(text).wrap());
        });
    }
    if let Some(recording) = session.world.solved.chain(own).map(|run| &run.recording) {
        section(ui, theme, text::OUTCOME, "", |ui| {
            let micros = layer.map_or(0.0, |layer| layer.times.total());
            outcome(ui, theme, session, micros, recording);
        });
    }
}

struct Editor<'a> {
    section: ChainSection,
    changed: Option<(String, Changed)>,
    own: LayerId,
    theme: &'a Theme,
    session: &'a Session,
}

impl Editor<'_> {
    fn settings(&mut self) -> Settings {
        chain_settings_mut(&mut self.section, self.own).map_or_else(Settings::default, |settings| *settings)
    }

    fn change(&mut self, what: &str, changed: Changed, change: impl FnOnce(&mut Settings)) {
        if let Some(settings) = chain_settings_mut(&mut self.section, self.own) {
            change(settings);
            self.changed = Some((what.to_owned(), changed));
        }
    }

    fn limit(&mut self, bone: usize, limit: Limit, changed: Changed) {
        if let Some(own) = chain_limit_mut(&mut self.section, self.own, bone) {
            *own = limit;
            self.changed = Some((text::edit_limit(&bone), changed));
        }
    }
}

const BEND_RULES: [&str; 2] = [text::RULE_MIRROR_HELP, text::RULE_SOURCE_HELP];

const WEIGHTINGS: [&str; 2] = [text::WEIGHT_ON_TARGET_HELP, text::WEIGHT_IN_PASS_HELP];

const CCD_TURNS: [&str; 3] = [text::TURN_MODEL_HELP, text::TURN_LOCAL_HELP, text::TURN_SWAPPED_HELP];

const MAP_TURNS: [&str; 3] = [text::MAP_MODEL_HELP, text::MAP_SWAPPED_HELP, text::MAP_SAME_HELP];

fn title(ui: &mut Ui, editor: &mut Editor) {
    let theme = editor.theme;
    let settings = editor.settings();
    let (name, what) = match editor.own {
        LayerId::Lane(lane) => (text::lane_number(&(lane + 1)), lane_name(&settings)),
        LayerId::Chain(index) => {
            let chain = &editor.section.chains[index];
            let stack = editor.session.world.stack();
            let on = stack.layers().into_iter().filter(|&layer| layer != LayerId::Grounding || stack.is_on(layer));
            let number = on.take_while(|&layer| layer != editor.own).count() + 1;
            (chain.name.clone(), text::bones_and_order(&(chain.bones.len().max(1) - 1), &number))
        }
        _ => (String::new(), String::new()),
    };
    ui.horizontal(|ui| {
        ui.set_height(30.0);
        ui.add_space(12.0);
        if let LayerId::Lane(lane) = editor.own {
            let (rect, _) = ui.allocate_exact_size(vec2(12.0, 12.0), Sense::hover());
            ui.painter().circle_filled(rect.center(), 5.0, theme.lane(lane));
        }
        // The checkbox comes first, so that a long name does not move it.
        if let LayerId::Chain(index) = editor.own {
            let mut on = !editor.section.chains[index].off;
            if ui.checkbox(&mut on, text::ON).help(text::ON_HELP).changed() {
                editor.section.chains[index].off = !on;
                editor.changed = Some((text::EDIT_ON.to_owned(), Changed { gesture: None }));
            }
        }
        let width = ui.available_width() * 0.6;
        ui.scope(|ui| {
            ui.set_max_width(width);
            ui.add(egui::Label::new(RichText::new(name).size(14.0).family(semibold())).truncate());
        });
        ui.add(egui::Label::new(RichText::new(what).color(theme.text[1])).truncate());
    });
}

const TARGET_SOURCES: [&str; 3] = [text::OWN_TARGET_HELP, text::LEFT_FOOT_HELP, text::RIGHT_FOOT_HELP];

fn target(ui: &mut Ui, editor: &mut Editor, index: usize) {
    let Some(own) = editor.section.chains.get_mut(index) else { return };
    let options = TargetSource::ALL.map(|own| (own, own.label(), TARGET_SOURCES[own as usize].to_owned()));
    ui.horizontal(|ui| {
        ui.set_height(26.0);
        if let Some(source) = segmented(ui, editor.theme, own.target_source, &options) {
            own.target_source = source;
            editor.changed = Some((text::EDIT_TARGET_SOURCE.to_owned(), Changed { gesture: None }));
        }
    });
}

fn outcome(ui: &mut Ui, theme: &Theme, session: &Session, micros: f32, recording: &Recording) {
    let outcome = recording.outcome;
    ui.add(egui::Label::new(RichText::new(capital(outcome.stopped_by.sentence())).color(theme.text[1])).wrap());
    let length = recording.chain.length();
    // The error of the step drawn. While paused, the cursor may be before the last step.
    let error = session.chain_focus().and_then(|own| session.chain_error(own)).unwrap_or(outcome.error);
    let rows = [
        (text::ERROR, session.world.character.length(error)),
        (text::RELATIVE_ERROR, format!("{:.3} %", error / length * 100.0)),
        (text::ITERATIONS, outcome.iterations.to_string()),
        (text::STEPS, recording.solve.steps.len().to_string()),
        (text::CHAIN_LENGTH, session.world.character.length(length)),
    ];
    let took = (micros > 0.0).then(|| (text::TIME, time(micros)));
    for (name, value) in rows.into_iter().chain(took) {
        number_row(ui, theme, None, name, &[value], None);
    }
}

fn solver(ui: &mut Ui, editor: &mut Editor) {
    let theme = editor.theme;
    let single = Changed { gesture: None };
    let settings = editor.settings();
    let row = ui.horizontal(|ui| {
        ui.set_height(26.0);
        let options: Vec<(Solver, &str, String)> =
            Solver::ALL.into_iter().map(|solver| (solver, solver.label(), solver.sentence().to_owned())).collect();
        if let Some(solver) = segmented(ui, theme, settings.solver, &options) {
            editor.change("solver", single, |settings| settings.solver = solver);
        }
    });
    jump::land(&row.response, const { find_field(Settings::FIELDS, "solver") });
    parameters(ui, editor, &settings);
    let mut edited = settings;
    let help = text::LIMITS_HELP;
    let mut changed =
        toggle(ui, &mut edited.limits, const { find_field(Settings::FIELDS, "limits") }, text::LIMITS, help);
    changed |= ways(ui, theme, &mut edited);
    changed |= bends(ui, editor, &mut edited);
    if changed {
        editor.change("solver", single, |settings| *settings = edited);
    }
    for (label, get, set) in [
        ("plane", settings.plane, (|s, v| s.plane = v) as fn(&mut Settings, Option<Vec3>)),
        (text::BEND_NORMAL, settings.bend_normal, |s, v| s.bend_normal = v),
        (text::BEND_GOAL, settings.bend_goal, |s, v| s.bend_goal = v),
    ] {
        let Some(value) = get else { continue };
        let mut value = value.to_array();
        if let Some(changed) = vector(ui, theme, label, &mut value, "", 0.01) {
            editor.change(label, changed, |settings| set(settings, Some(Vec3::from_array(value))));
        }
    }
}

fn toggle(ui: &mut Ui, on: &mut bool, own: &Field, name: &str, help: &str) -> bool {
    ui.checkbox(on, name).setting(own, help).changed()
}

fn ways(ui: &mut Ui, theme: &Theme, edited: &mut Settings) -> bool {
    let (settings, mut changed) = (*edited, false);
    if settings.solver.iterates() {
        let help = text::STRAIGHTEN_HELP;
        changed |= toggle(
            ui,
            &mut edited.accelerate,
            const { find_field(Settings::FIELDS, "accelerate") },
            text::STRAIGHTEN,
            help,
        );
        let weightings = Weighting::ALL.map(|way| (way, way.label(), WEIGHTINGS[way as usize].to_owned()));
        ui.horizontal(|ui| {
            ui.label(RichText::new(text::WEIGHT_ACTS).color(theme.text[1]))
                .setting(const { find_field(Settings::FIELDS, "weighting") }, text::WEIGHT_ACTS_HELP);
            if let Some(way) = segmented(ui, theme, edited.weighting, &weightings) {
                edited.weighting = way;
                changed = true;
            }
        });
    }
    if matches!(settings.solver, Solver::Ccd | Solver::CcdGrowing) {
        let turns = CcdTurn::ALL.map(|turn| (turn, turn.label(), CCD_TURNS[turn as usize].to_owned()));
        ui.horizontal(|ui| {
            ui.label(RichText::new(text::TURN).color(theme.text[1]))
                .setting(const { find_field(Settings::FIELDS, "ccd_turn") }, text::TURN_HELP);
            if let Some(turn) = segmented(ui, theme, edited.ccd_turn, &turns) {
                edited.ccd_turn = turn;
                changed = true;
            }
        });
    }
    if settings.solver == Solver::Fabrik {
        let turns = MapTurn::ALL.map(|turn| (turn, turn.label(), MAP_TURNS[turn as usize].to_owned()));
        ui.horizontal(|ui| {
            ui.label(RichText::new(text::MAP).color(theme.text[1]))
                .setting(const { find_field(Settings::FIELDS, "map_turn") }, text::MAP_HELP);
            if let Some(turn) = segmented(ui, theme, edited.map_turn, &turns) {
                edited.map_turn = turn;
                changed = true;
            }
        });
    }
    changed
}

fn bends(ui: &mut Ui, editor: &Editor, edited: &mut Settings) -> bool {
    let (theme, settings, mut changed) = (editor.theme, *edited, false);
    let is_fabrik = settings.solver == Solver::Fabrik;
    let mut plane = settings.plane.is_some();
    let help = text::PLANE_HELP;
    if toggle(ui, &mut plane, const { find_field(Settings::FIELDS, "plane") }, text::PLANE, help) {
        edited.plane = plane.then_some(Vec3::Z);
        changed = true;
    }
    if is_fabrik || settings.solver == Solver::TwoBone {
        let mut rule = settings.bend_normal.is_some();
        let help = text::BEND_RULE_HELP;
        if toggle(ui, &mut rule, const { find_field(Settings::FIELDS, "bend_normal") }, text::BEND_RULE, help) {
            edited.bend_normal = rule.then_some(Vec3::Z);
            changed = true;
        }
        if is_fabrik && rule {
            let rules = BendRule::ALL.map(|rule| (rule, rule.label(), BEND_RULES[rule as usize].to_owned()));
            let row = ui.horizontal(|ui| segmented(ui, theme, edited.bend_rule, &rules));
            jump::land(&row.response, const { find_field(Settings::FIELDS, "bend_rule") });
            if let Some(rule) = row.inner {
                edited.bend_rule = rule;
                changed = true;
            }
        }
    }
    if settings.solver == Solver::TwoBone {
        let mut goal = settings.bend_goal.is_some();
        if toggle(
            ui,
            &mut goal,
            const { find_field(Settings::FIELDS, "bend_goal") },
            text::BEND_GOAL,
            text::BEND_GOAL_HELP,
        ) {
            let run = editor.session.world.solved.chain(editor.own);
            let root = run.map(|run| run.recording.solve.start.positions[0]);
            edited.bend_goal = goal.then(|| root.unwrap_or_default() + Vec3::Z * editor.session.world.lab_size());
            changed = true;
        }
    }
    changed
}

fn parameters(ui: &mut Ui, editor: &mut Editor, settings: &Settings) {
    let theme = editor.theme;
    for info in Settings::PARAMETERS {
        let is_closed = matches!(info.key, "maximum_stretch" | "soft_zone");
        let is_iterating = matches!(info.key, "change_tolerance" | "max_iterations");
        if (is_closed && settings.solver.iterates()) || (is_iterating && !settings.solver.iterates()) {
            continue;
        }
        let mut edited = *settings;
        if info.key.ends_with("tolerance") {
            ui.horizontal(|ui| {
                ui.set_height(22.0);
                ui.label(RichText::new(kinescope_ik::key::label(info.key)).color(theme.text[1]));
                let mut value = settings.number(info.key).unwrap_or(info.default);
                let speed = f64::from(value.max(1e-6)) * 0.02;
                let number = Number::new(&mut value).range(info.range()).speed(speed).decimals(0, 7);
                let response =
                    ui.add(number.in_unit(symbol(ui, info.unit))).help(parameter_help(ui, info, &info.range()));
                jump::land(&response, &info.field());
                if response.changed() {
                    let gesture = Changed::of(&response).gesture;
                    editor.change(info.key, Changed { gesture }, |settings| {
                        settings.set_number(info.key, value);
                    });
                }
            });
            continue;
        }
        if let Some(changed) = parameter(ui, theme, info, &mut edited) {
            editor.change(info.key, changed, |settings| *settings = edited);
        }
    }
}

fn bones(ui: &mut Ui, editor: &mut Editor, run: &ChainRun, actions: &mut Vec<Action>) {
    let (theme, session) = (editor.theme, editor.session);
    let chain = &run.recording.chain;
    let Some(state) = session.chain_state(editor.own) else { return };
    let shown = session.tools.chains.bone.min(chain.bones().len() - 1);
    let bone_name = |bone: usize| match run.on.as_ref().and_then(|(_, bones)| bones.get(bone)) {
        Some(&own) => session.world.character.model.skeleton.bones()[own].name.clone(),
        None => text::bone_number(&bone),
    };
    egui::ScrollArea::vertical().id_salt("bones of the chain").max_height(120.0).show(ui, |ui| {
        for (index, bone) in chain.bones().iter().enumerate() {
            let turned = kinescope_ik::math::swing_angle(chain.turned(&state, index)).to_degrees();
            let limit = match bone.limit {
                Limit::Free => text::FREE_LIMIT.to_owned(),
                Limit::Hinge { min, max, .. } => format!("{:.0}…{:.0}°", min.to_degrees(), max.to_degrees()),
                Limit::BallAndSocket { swing, .. } => text::cone(&swing.to_degrees()),
                Limit::Angle { max } => format!("{:.0}°", max.to_degrees()),
            };
            let mark = if index == shown { icon::CARET_RIGHT } else { "" };
            let name = format!("{mark} {}", bone_name(index));
            let numbers = [session.world.character.length(bone.length), format!("{turned:.0}°"), limit];
            let row = number_row_button(ui, theme, None, &name, &numbers);
            if row.help(text::BONE_HELP).clicked() {
                actions.push(Action::Chains(ChainAction::ShowBone(index)));
            }
        }
    });
    ui.add_space(4.0);
    ui.label(RichText::new(bone_name(shown)).family(semibold()));
    let bone = chain.bones()[shown];
    if matches!(editor.settings().solver, Solver::Ccd | Solver::CcdGrowing) {
        let mut weight = bone.weight;
        ui.horizontal(|ui| {
            ui.set_height(22.0);
            ui.label(RichText::new(text::TURN_WEIGHT).color(theme.text[1]));
            let number = Number::new(&mut weight).range(BONE_WEIGHT.range()).speed(0.005).decimals(2, 2);
            let response = ui.add(number).help(parameter_help(ui, &BONE_WEIGHT, &BONE_WEIGHT.range()));
            if response.changed()
                && let Some(own) = chain_weight_mut(&mut editor.section, editor.own, shown)
            {
                *own = weight;
                let gesture = Changed::of(&response).gesture;
                editor.changed = Some((text::edit_bone_weight(&shown), Changed { gesture }));
            }
        });
    }
    limit_editor(ui, editor, shown, bone.limit);
}

fn limit_editor(ui: &mut Ui, editor: &mut Editor, bone: usize, limit: Limit) {
    let theme = editor.theme;
    let single = Changed { gesture: None };
    let kinds = [
        (Limit::Free, text::FREE, text::FREE_HELP),
        (Limit::Hinge { axis: Vec3::X, min: -1.0, max: 1.0 }, text::HINGE, text::HINGE_HELP),
        (
            Limit::BallAndSocket { swing: 0.7, twist_min: -0.5, twist_max: 0.5 },
            text::BALL_AND_SOCKET,
            text::BALL_AND_SOCKET_HELP,
        ),
        (Limit::Angle { max: 0.5 }, text::ANGLE, text::ANGLE_HELP),
    ];
    ui.horizontal(|ui| {
        ui.set_height(26.0);
        let options: Vec<(&str, &str, String)> =
            kinds.iter().map(|(kind, name, help)| (kind.key(), *name, (*help).to_owned())).collect();
        if let Some(key) = segmented(ui, theme, limit.key(), &options)
            && let Some((kind, ..)) = kinds.iter().find(|(kind, ..)| kind.key() == key)
        {
            editor.limit(bone, *kind, single);
        }
    });
    let mut edited = limit;
    let mut changed: Option<Changed> = None;
    let mut degrees = |ui: &mut Ui, name: &str, value: &mut f32, range: std::ops::RangeInclusive<f32>| {
        ui.horizontal(|ui| {
            ui.set_height(22.0);
            ui.label(RichText::new(name).color(theme.text[1]));
            let mut shown = value.to_degrees();
            let (least, most) = (range.start().to_degrees(), range.end().to_degrees());
            let number = Number::new(&mut shown).range(least..=most).speed(0.5).suffix("°").decimals(0, 1);
            let response = ui.add(number);
            if response.changed() {
                *value = shown.to_radians().clamp(*range.start(), *range.end());
                changed = Some(Changed::of(&response));
            }
        });
    };
    use std::f32::consts::{PI, TAU};
    match &mut edited {
        Limit::Free => {}
        Limit::Hinge { axis, min, max } => {
            let (low, high) = (*min, *max);
            degrees(ui, text::MIN, min, -8.0 * TAU..=high);
            degrees(ui, text::MAX, max, low..=8.0 * TAU);
            let mut value = axis.to_array();
            if let Some(moved) = vector(ui, theme, text::AXIS, &mut value, "", 0.01)
                && Vec3::from_array(value).length() > 1e-3
            {
                *axis = Vec3::from_array(value);
                changed = Some(moved);
            }
        }
        Limit::BallAndSocket { swing, twist_min, twist_max } => {
            let (low, high) = (*twist_min, *twist_max);
            degrees(ui, text::SWING, swing, 0.0..=PI);
            degrees(ui, text::TWIST_MIN, twist_min, -PI..=high);
            degrees(ui, text::TWIST_MAX, twist_max, low..=PI);
        }
        Limit::Angle { max } => degrees(ui, text::ANGLE, max, 0.0..=PI),
    }
    if let Some(changed) = changed {
        editor.limit(bone, edited, changed);
    }
}
