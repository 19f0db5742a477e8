//! The inspector for a chain: what its solve came to, its parameters, its bones and their limits, the move shown.

use egui_macroquad::egui::{self, RichText, Sense, Ui, vec2};
use egui_phosphor::regular as icon;
use glam::Vec3;

use crate::session::{Action, Session};
use crate::tools::chains::session::ChainAction;
use crate::ui::help::Help;
use crate::ui::jump::{self, Target};
use crate::ui::number::Number;
use crate::ui::theme::{Theme, semibold};
use crate::ui::widgets::{
    Changed, number_row, number_row_button, parameter, parameter_help, section, segmented, time, vector,
};
use crate::ui::words::lane_name;
use kinescope_ik::chain_ik::settings::BONE_WEIGHT;
use kinescope_ik::chain_ik::{BendRule, CcdTurn, ChainRun, Limit, MapTurn, Recording, Settings, Solver, Weighting};
use kinescope_ik::parameter::{Field, Parameters, find_field};
use kinescope_ik::stack::{ChainSection, Layer, LayerId, TargetSource};

pub fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.view.light_theme);
    let Some(own) = session.chain_focus() else { return };
    let run = session.solved.chain(own);
    let mut editor = Editor { section: session.chain_section().clone(), changed: None, own, theme, session };
    title(ui, &mut editor);
    if let LayerId::Chain(index) = own {
        section(ui, theme, "target", "", |ui| target(ui, &mut editor, index));
    }
    section(ui, theme, "solver", "", |ui| solver(ui, &mut editor));
    if let Some(run) = run {
        section(ui, theme, "bones and limits", "click one for its limit", |ui| bones(ui, &mut editor, run, actions));
    }
    let Editor { section, changed, .. } = editor;
    if let Some((label, changed)) = changed {
        let document = Box::new(session.history.document().with_chains(section));
        actions.push(Action::Edit { label, gesture: changed.gesture, document });
    }
}

/// What its solve came to, or why there is none.
pub(crate) fn results(ui: &mut Ui, session: &Session) {
    let theme = Theme::of(session.view.light_theme);
    let Some(own) = session.chain_focus() else { return };
    let layer = session.solved.layer(own);
    if let Some(problem) = layer.and_then(Layer::problem) {
        section(ui, theme, "not solved", "", |ui| {
            let text = RichText::new(format!("{} {problem}", icon::WARNING)).color(theme.warning);
            ui.add(egui::Label::new(text).wrap());
        });
    }
    if let Some(recording) = session.solved.chain(own).map(|run| &run.recording) {
        section(ui, theme, "outcome", recording.outcome.stopped_by.key(), |ui| {
            let micros = layer.map_or(0.0, |layer| layer.times.total());
            outcome(ui, theme, session, micros, recording);
        });
    }
}

/// The document's chains being edited, and what of them changed in this frame.
struct Editor<'a> {
    section: ChainSection,
    changed: Option<(String, Changed)>,
    own: LayerId,
    theme: &'a Theme,
    session: &'a Session,
}

impl Editor<'_> {
    fn settings(&mut self) -> Settings {
        Session::chain_settings_mut(&mut self.section, self.own).map_or_else(Settings::default, |settings| *settings)
    }

    fn change(&mut self, what: &str, changed: Changed, change: impl FnOnce(&mut Settings)) {
        if let Some(settings) = Session::chain_settings_mut(&mut self.section, self.own) {
            change(settings);
            self.changed = Some((what.to_owned(), changed));
        }
    }

    fn limit(&mut self, bone: usize, limit: Limit, changed: Changed) {
        if let Some(own) = Session::chain_limit_mut(&mut self.section, self.own, bone) {
            *own = limit;
            self.changed = Some((format!("limit of bone {bone}"), changed));
        }
    }
}

/// Tooltips of the ways to apply FABRIK's bend rule.
const BEND_RULES: [&str; 2] = [
    "A bone that bends against the normal is reflected, and the whole chain where it is on the wrong side.",
    "As the source has it: unless all components of the cross product are positive, the bone turns by 2° about x.",
];

/// Tooltips of the ways to apply the weight.
const WEIGHTINGS: [&str; 2] = [
    "The solve goes to the place between the end and the target.",
    "Each pass goes as far as the weight says, as in the source: the end gets to the target in more iterations.",
];

/// Tooltips of the ways to apply a turn of CCD.
const CCD_TURNS: [&str; 3] = [
    "In model space, from the left, as the book has it by its own convention.",
    "On the local rotation, as the source has it instead: right only where the bone is not turned.",
    "The book's lines, multiplied right to left: its library multiplies left to right.",
];

/// Tooltips of the ways to make rotations of FABRIK's joints.
const MAP_TURNS: [&str; 3] = [
    "Each bone swings to its joint in model space: the result of the book's lines in its own library.",
    "The book's lines, multiplied right to left: the turn, found in the bone's space, is taken for one in its parent's.",
    "The notes' correction of the book's lines: the solved joint is compared with itself, so that no bone turns.",
];

fn title(ui: &mut Ui, editor: &mut Editor) {
    let theme = editor.theme;
    let settings = editor.settings();
    let (name, what) = match editor.own {
        LayerId::Lane(lane) => (format!("Lane {}", lane + 1), lane_name(&settings)),
        LayerId::Chain(index) => {
            let chain = &editor.section.chains[index];
            let stack = editor.session.stack();
            let on = stack.layers().into_iter().filter(|&layer| layer != LayerId::Grounding || stack.is_on(layer));
            let number = on.take_while(|&layer| layer != editor.own).count() + 1;
            (chain.name.clone(), format!("{} bones, solved as number {number}", chain.bones.len().max(1) - 1))
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
        // The switch first: it stays where it is, however long the name is.
        if let LayerId::Chain(index) = editor.own {
            let mut on = !editor.section.chains[index].off;
            if ui.checkbox(&mut on, "on").help("Whether this chain is solved.").changed() {
                editor.section.chains[index].off = !on;
                editor.changed = Some(("a chain on or off".to_owned(), Changed { gesture: None }));
            }
        }
        // A long name leaves something of the row to what follows it.
        let width = ui.available_width() * 0.6;
        ui.scope(|ui| {
            ui.set_max_width(width);
            ui.add(egui::Label::new(RichText::new(name).size(14.0).family(semibold())).truncate());
        });
        ui.add(egui::Label::new(RichText::new(what).color(theme.text[1])).truncate());
    });
}

/// Tooltips of the sources of a chain's target.
const TARGET_SOURCES: [&str; 3] = [
    "The target is where you put it; it can be dragged.",
    "The target is where grounding wants the left foot bone, in every frame. Without grounding, the chain's own.",
    "The target is where grounding wants the right foot bone, in every frame. Without grounding, the chain's own.",
];

/// Where the target of one of the character's chains comes from.
fn target(ui: &mut Ui, editor: &mut Editor, index: usize) {
    let Some(own) = editor.section.chains.get_mut(index) else { return };
    let options = TargetSource::ALL.map(|own| (own, own.label(), TARGET_SOURCES[own as usize].to_owned()));
    ui.horizontal(|ui| {
        ui.set_height(26.0);
        if let Some(source) = segmented(ui, editor.theme, own.target_source, &options) {
            own.target_source = source;
            editor.changed = Some(("source of a chain's target".to_owned(), Changed { gesture: None }));
        }
    });
}

fn outcome(ui: &mut Ui, theme: &Theme, session: &Session, micros: f32, recording: &Recording) {
    let outcome = recording.outcome;
    ui.add(egui::Label::new(RichText::new(outcome.stopped_by.sentence()).color(theme.text[1])).wrap());
    let length = recording.chain.length();
    // At the step while paused, else after the solve: as the chain is drawn.
    let error = session.chain_focus().and_then(|own| session.chain_error(own)).unwrap_or(outcome.error);
    let rows = [
        ("error", session.character.length(error)),
        ("error of the length", format!("{:.3} %", error / length * 100.0)),
        ("iterations", outcome.iterations.to_string()),
        ("steps", recording.solve.steps.len().to_string()),
        ("length of the chain", session.character.length(length)),
    ];
    let took = (micros > 0.0).then(|| ("time", time(micros)));
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
    for info in Settings::PARAMETERS {
        // What only the closed form looks at is shown with it.
        let is_closed = matches!(info.key, "maximum_stretch" | "soft_zone");
        let is_iterating = matches!(info.key, "change_tolerance" | "max_iterations");
        if (is_closed && settings.solver.iterates()) || (is_iterating && !settings.solver.iterates()) {
            continue;
        }
        let mut edited = settings;
        if info.key.ends_with("tolerance") {
            ui.horizontal(|ui| {
                ui.set_height(22.0);
                ui.label(RichText::new(kinescope_ik::key::label(info.key)).color(theme.text[1]));
                let mut value = settings.number(info.key).unwrap_or(info.default);
                let speed = f64::from(value.max(1e-6)) * 0.02;
                let number = Number::new(&mut value).range(info.range()).speed(speed).decimals(0, 7);
                let response = ui.add(number.of(info.unit)).help(parameter_help(info));
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
    let is_fabrik = settings.solver == Solver::Fabrik;
    let mut edited = settings;
    let toggle = |ui: &mut Ui, on: &mut bool, own: &Field, name: &str, help: &str| {
        ui.checkbox(on, name).setting(own, help).changed()
    };
    let help = "Whether bones keep to their limits.";
    let mut changed =
        toggle(ui, &mut edited.limits, const { find_field(Settings::FIELDS, "limits") }, "limits count", help);
    if settings.solver.iterates() {
        let help = "After each iteration's passes, solve for the bend's amplitude and swing the chain to the target. \
                    Off is the plain algorithm.";
        changed |= toggle(
            ui,
            &mut edited.accelerate,
            const { find_field(Settings::FIELDS, "accelerate") },
            "straighten",
            help,
        );
        let weightings = Weighting::ALL.map(|way| (way, way.label(), WEIGHTINGS[way as usize].to_owned()));
        ui.horizontal(|ui| {
            ui.label(RichText::new("weight acts").color(theme.text[1])).setting(
                const { find_field(Settings::FIELDS, "weighting") },
                "Where a weight below 1 acts: on the target, or in each pass.",
            );
            if let Some(way) = segmented(ui, theme, edited.weighting, &weightings) {
                edited.weighting = way;
                changed = true;
            }
        });
    }
    if matches!(settings.solver, Solver::Ccd | Solver::CcdGrowing) {
        let turns = CcdTurn::ALL.map(|turn| (turn, turn.label(), CCD_TURNS[turn as usize].to_owned()));
        ui.horizontal(|ui| {
            ui.label(RichText::new("turn").color(theme.text[1])).setting(
                const { find_field(Settings::FIELDS, "ccd_turn") },
                "How the turn that points the end at the target is applied.",
            );
            if let Some(turn) = segmented(ui, theme, edited.ccd_turn, &turns) {
                edited.ccd_turn = turn;
                changed = true;
            }
        });
    }
    if is_fabrik {
        let turns = MapTurn::ALL.map(|turn| (turn, turn.label(), MAP_TURNS[turn as usize].to_owned()));
        ui.horizontal(|ui| {
            ui.label(RichText::new("map").color(theme.text[1])).setting(
                const { find_field(Settings::FIELDS, "map_turn") },
                "How bones are turned to the joints that were solved in world space.",
            );
            if let Some(turn) = segmented(ui, theme, edited.map_turn, &turns) {
                edited.map_turn = turn;
                changed = true;
            }
        });
    }
    let mut plane = settings.plane.is_some();
    let help = "Keep the chain in the plane through its root that faces +Z: the 2D mode.";
    if toggle(ui, &mut plane, const { find_field(Settings::FIELDS, "plane") }, "2D", help) {
        edited.plane = plane.then_some(Vec3::Z);
        changed = true;
    }
    if is_fabrik || settings.solver == Solver::TwoBone {
        let mut rule = settings.bend_normal.is_some();
        let help = "Every joint bends about this direction the same way round: the cross product of neighbouring bones \
                    points along it. FABRIK on a chain with limits keeps the limits and ignores the rule.";
        if toggle(ui, &mut rule, const { find_field(Settings::FIELDS, "bend_normal") }, "bend rule", help) {
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
            "bend goal",
            "The middle joint turns to this point, which others call a pole vector; it can be dragged.",
        ) {
            let run = editor.session.solved.chain(editor.own);
            let root = run.map(|run| run.recording.solve.start.positions[0]);
            edited.bend_goal = goal.then(|| root.unwrap_or_default() + Vec3::Z * editor.session.lab_size());
            changed = true;
        }
    }
    if changed {
        editor.change("solver", single, |settings| *settings = edited);
    }
    for (label, get, set) in [
        ("plane", settings.plane, (|s, v| s.plane = v) as fn(&mut Settings, Option<Vec3>)),
        ("bend normal", settings.bend_normal, |s, v| s.bend_normal = v),
        ("bend goal", settings.bend_goal, |s, v| s.bend_goal = v),
    ] {
        let Some(value) = get else { continue };
        let mut value = value.to_array();
        if let Some(changed) = vector(ui, theme, label, &mut value, "", 0.01) {
            editor.change(label, changed, |settings| set(settings, Some(Vec3::from_array(value))));
        }
    }
}

fn bones(ui: &mut Ui, editor: &mut Editor, run: &ChainRun, actions: &mut Vec<Action>) {
    let (theme, session) = (editor.theme, editor.session);
    let chain = &run.recording.chain;
    let Some(state) = session.chain_state(editor.own) else { return };
    let shown = session.chains.bone.min(chain.bones().len() - 1);
    let bone_name = |bone: usize| match run.on.as_ref().and_then(|(_, bones)| bones.get(bone)) {
        Some(&own) => session.character.model.skeleton.bones()[own].name.clone(),
        None => format!("bone {bone}"),
    };
    egui::ScrollArea::vertical().id_salt("bones of the chain").max_height(120.0).show(ui, |ui| {
        for (index, bone) in chain.bones().iter().enumerate() {
            let turned = kinescope_ik::math::swing_angle(chain.turned(&state, index)).to_degrees();
            let limit = match bone.limit {
                Limit::Free => "free".to_owned(),
                Limit::Hinge { min, max, .. } => format!("{:.0}…{:.0}°", min.to_degrees(), max.to_degrees()),
                Limit::BallAndSocket { swing, .. } => format!("{:.0}° cone", swing.to_degrees()),
                Limit::Angle { max } => format!("{:.0}°", max.to_degrees()),
            };
            let mark = if index == shown { icon::CARET_RIGHT } else { "" };
            let name = format!("{mark} {}", bone_name(index));
            let numbers = [session.character.length(bone.length), format!("{turned:.0}°"), limit];
            let row = number_row_button(ui, theme, None, &name, &numbers);
            if row.help("Its length, how far it is turned from its rest, and its limit.").clicked() {
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
            ui.label(RichText::new("weight of its turn").color(theme.text[1]));
            let number = Number::new(&mut weight).range(BONE_WEIGHT.range()).speed(0.005).decimals(2, 2);
            let response = ui.add(number).help(parameter_help(&BONE_WEIGHT));
            if response.changed()
                && let Some(own) = Session::chain_weight_mut(&mut editor.section, editor.own, shown)
            {
                *own = weight;
                let gesture = Changed::of(&response).gesture;
                editor.changed = Some((format!("weight of bone {shown}"), Changed { gesture }));
            }
        });
    }
    limit_editor(ui, editor, shown, bone.limit);
}

/// A limit's kind and numbers; in the picture its handles can be dragged.
fn limit_editor(ui: &mut Ui, editor: &mut Editor, bone: usize, limit: Limit) {
    let theme = editor.theme;
    let single = Changed { gesture: None };
    let kinds = [
        (Limit::Free, "free", "Any rotation."),
        (Limit::Hinge { axis: Vec3::X, min: -1.0, max: 1.0 }, "hinge", "One axis, with a range that may go round."),
        (
            Limit::BallAndSocket { swing: 0.7, twist_min: -0.5, twist_max: 0.5 },
            "ball and socket",
            "A cone for the bone's direction, a range for its twist.",
        ),
        (Limit::Angle { max: 0.5 }, "angle", "No larger a rotation, about any axis."),
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
            degrees(ui, "min", min, -8.0 * TAU..=high);
            degrees(ui, "max", max, low..=8.0 * TAU);
            let mut value = axis.to_array();
            if let Some(moved) = vector(ui, theme, "axis", &mut value, "", 0.01)
                && Vec3::from_array(value).length() > 1e-3
            {
                *axis = Vec3::from_array(value);
                changed = Some(moved);
            }
        }
        Limit::BallAndSocket { swing, twist_min, twist_max } => {
            let (low, high) = (*twist_min, *twist_max);
            degrees(ui, "swing", swing, 0.0..=PI);
            degrees(ui, "twist min", twist_min, -PI..=high);
            degrees(ui, "twist max", twist_max, low..=PI);
        }
        Limit::Angle { max } => degrees(ui, "angle", max, 0.0..=PI),
    }
    if let Some(changed) = changed {
        editor.limit(bone, edited, changed);
    }
}
