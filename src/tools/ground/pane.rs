//! The inspector for grounding: the step at the cursor, parameters, weight curves, sliding, qualities side by side.

use egui_macroquad::egui::{self, RichText, Ui, vec2};
use egui_phosphor::regular as icon;

use crate::session::{Action, Selection, Session};
use crate::tools::motion::pane::{Editor, labelled, name_list};
use crate::tools::motion::scale_problem;
use crate::ui::curve_editor::curve_editor;
use crate::ui::help::Help;
use crate::ui::jump::{self, Target};
use crate::ui::theme::Theme;
use crate::ui::widgets::{Changed, heading, number_row, parameter, section, segmented, time};
use kinescope_ik::chain_ik::Solver;
use kinescope_ik::debugger::slide::slides;
use kinescope_ik::full_body::Node;
use kinescope_ik::ground::LAYERS;
use kinescope_ik::grounding::{
    DriveWeights, FootIkSettings, FootprintSettings, LimbSettings, LockSettings, PredictiveSettings, Quality,
    Recording, Side, SolverState, SpeedSettings, WeightCurve, WeightSource,
};
use kinescope_ik::key::label;
use kinescope_ik::parameter::{Field, Parameter, find, find_field};
use kinescope_ik::rig::LimbName;
use kinescope_ik::stack::{Drive, GroundingRule, GroundingSection, LayerId, MOST_RULES, Method};

/// Steps of feet whose sliding is listed.
const SLIDES: usize = 6;

pub fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.view.light_theme);
    let mut editor = Editor::new(session, theme);
    let method = editor.document.stack.grounding.method;
    let what = match method {
        Method::Off => "off: feet go where the clip has them",
        Method::FootIk => "foot IK by ray and curve",
        Method::Predictive => "predictive",
        Method::Path => "predictive, steps moved to even ground",
    };
    heading(ui, theme, "Grounding", what, |_| {});
    if session.ground_recording().is_none() {
        egui::Frame::new().inner_margin(egui::Margin::symmetric(12, 4)).show(ui, |ui| {
            let why = match (&session.plan().terrain, &session.motion.surface, session.motion.legs()) {
                _ if method == Method::Off => "Choose how feet find the ground in the pane Motion.".to_owned(),
                (_, Some(Err(error)), _) => format!("{} terrain: {error}", icon::WARNING),
                (None, ..) => format!("{} There is no terrain to stand on: choose one in Motion.", icon::WARNING),
                (.., None) => format!("{} No legs were found: see the rig doctor.", icon::WARNING),
                _ => "This frame was recorded without grounding.".to_owned(),
            };
            ui.add(egui::Label::new(RichText::new(why).color(theme.text[1])).wrap());
        });
        return;
    }
    if let Some(problem) = scale_problem(&session.character) {
        egui::Frame::new().inner_margin(egui::Margin::symmetric(12, 4)).show(ui, |ui| {
            let text = RichText::new(format!("{} {problem}", icon::WARNING)).color(theme.warning);
            ui.add(egui::Label::new(text).wrap());
        });
    }
    if let Selection::Layer(layer) = session.hands.selection
        && layer.has_own_section()
    {
        crate::tools::pose::inspector::layer_settings(ui, theme, session, layer, actions);
    }
    section(ui, theme, "ground", "what feet stand on", |ui| environment(ui, &mut editor));
    section(ui, theme, "rules", "by clip and speed; the first that fits", |ui| rules(ui, &mut editor));
    section(ui, theme, "foot weight", "how much a foot stands", |ui| weight_source(ui, &mut editor));
    section(ui, theme, "casts", "how often", |ui| casts(ui, &mut editor));
    section(ui, theme, "foot lock", "planted feet stay", |ui| lock(ui, &mut editor));
    match method {
        Method::FootIk => {
            if editor.document.stack.grounding.weight_source == WeightSource::Curve {
                section(ui, theme, "weight curves", "when a foot stands", |ui| curves(ui, &mut editor));
            }
            section(ui, theme, "foot IK", "double-click resets", |ui| foot_ik(ui, &mut editor));
        }
        Method::Predictive | Method::Path => {
            if method == Method::Path {
                section(ui, theme, "footprints", "double-click resets", |ui| {
                    for entry in FootprintSettings::PARAMETERS {
                        let theme = editor.theme;
                        let changed = parameter(ui, theme, entry, &mut editor.document.stack.grounding.footprints);
                        editor.note(&format!("footprints {}", label(entry.key)), changed);
                    }
                });
            }
            section(ui, theme, "qualities", "each with a state of its own", |ui| qualities(ui, &mut editor));
            section(ui, theme, "predictive grounder", "double-click resets", |ui| predictive(ui, &mut editor));
        }
        Method::Off => {}
    }
    if editor.document.stack.grounding.drive == Drive::Limbs {
        section(ui, theme, "limbs", "each solved alone", |ui| limbs(ui, &mut editor));
    }
    section(ui, theme, "weights", "of what is driven", |ui| {
        let theme = editor.theme;
        let own = DriveWeights::PARAMETERS.iter().filter_map(|entry| {
            let changed = parameter(ui, theme, entry, &mut editor.document.stack.grounding.weights)?;
            Some((label(entry.key), changed))
        });
        let own: Vec<_> = own.collect();
        for (what, changed) in own {
            editor.note(&what, Some(changed));
        }
    });
    editor.finish(actions);
}

/// Which solver takes limbs to their goals, and its result.
fn limbs(ui: &mut Ui, editor: &mut Editor) {
    let (theme, session) = (editor.theme, editor.session);
    let solver = editor.document.stack.grounding.limbs.solver;
    ui.horizontal(|ui| {
        ui.set_height(26.0);
        let options = Solver::ALL.map(|solver| (solver, solver.label(), solver.sentence().to_owned()));
        let row = ui.scope(|ui| segmented(ui, theme, solver, &options));
        jump::land(&row.response, const { find_field(LimbSettings::FIELDS, "solver") });
        if let Some(solver) = row.inner {
            editor.document.stack.grounding.limbs.solver = solver;
            editor.note_single("solver of limbs");
        }
    });
    if !solver.iterates() {
        return;
    }
    for entry in LimbSettings::PARAMETERS {
        let changed = parameter(ui, theme, entry, &mut editor.document.stack.grounding.limbs);
        editor.note(&format!("{} of limbs", label(entry.key)), changed);
    }
    let outcomes = session.solved.limbs().map(|run| LimbName::ALL.map(|limb| run.outcome(limb)));
    for (limb, outcome) in LimbName::ALL.into_iter().zip(outcomes.unwrap_or_default()) {
        let numbers = outcome.map_or(["–".to_owned(), "–".to_owned()], |outcome| {
            let error = session.limb_error(limb).unwrap_or(outcome.error);
            [outcome.iterations.to_string(), session.character.length(error)]
        });
        number_row(ui, theme, None, limb.label(), &numbers, None)
            .help("Iterations of the solve, and how far the limb's end is from its target in the picture.");
    }
}

/// What the frame came to, the step at the cursor, and how far feet slid.
pub(crate) fn results(ui: &mut Ui, session: &Session) {
    let theme = Theme::of(session.view.light_theme);
    let Some(recording) = session.ground_recording() else { return };
    section(ui, theme, "feet and pelvis", "left, right", |ui| feet(ui, theme, session, recording));
    let at = recording.solve.steps.get(session.time.cursor.step);
    if let Some(step) = at.filter(|_| session.time.is_paused() && session.ground_focus()) {
        let side = step.step.side().map_or(String::new(), |side| format!(", {}", side.label()));
        section(ui, theme, "step", &format!("{}{side}", label(step.step.key())), |ui| {
            ui.add(egui::Label::new(RichText::new(step.step.sentence()).color(theme.text[1])).wrap());
            ui.add_space(2.0);
            state(ui, theme, session, &step.state);
        });
    }
    section(ui, theme, "sliding", "mm per step: animated, grounded", |ui| sliding(ui, theme, session));
}

/// Which layers of the ground each foot stands on, and which way is up.
fn environment(ui: &mut Ui, editor: &mut Editor) {
    let theme = editor.theme;
    let platforms = editor.document.terrain.iter().flat_map(|terrain| &terrain.platforms);
    let most = platforms.map(|platform| platform.layer).max().unwrap_or(0).min(LAYERS - 1);
    const LAYERS_OF: &Field = find_field(GroundingSection::FIELDS, "environment");
    for (side, name) in Side::ALL.map(Side::foot_label).into_iter().enumerate() {
        labelled(ui, theme, name, |ui| {
            for layer in 0..=most {
                let layers = &mut editor.document.stack.grounding.environment[side];
                let is_on = layers.has(layer);
                let text = if layer == 0 { "heights".to_owned() } else { format!("layer {layer}") };
                let button = ui.add(egui::SelectableLabel::new(is_on, &text));
                button.widget_info(|| {
                    let label = format!("{name} stands on {text}");
                    egui::WidgetInfo::selected(egui::WidgetType::Checkbox, true, is_on, label)
                });
                let help = "What is not chosen is no ground for this foot: its casts go through.";
                if button.setting(LAYERS_OF, help).clicked() {
                    *layers = layers.with(layer, !is_on);
                    editor.note_single("what feet stand on");
                }
            }
            // At the end of the row: nothing moves under the pointer.
            let layers = editor.document.stack.grounding.environment[side];
            if (0..=most).all(|layer| !layers.has(layer)) {
                ui.label(RichText::new(format!("{} no ground", icon::WARNING)).color(theme.warning))
                    .help("The grounding layers of this foot are set to nothing: its casts hit nothing.");
            }
        });
    }
    labelled(ui, theme, "up is", |ui| {
        let help = "Up is where the character's own root has it, as it leans. Off, it is +Y.";
        const FIELD: &Field = find_field(GroundingSection::FIELDS, "rotate_solver");
        let own = ui.checkbox(&mut editor.document.stack.grounding.rotate_solver, "the root's");
        if own.setting(FIELD, help).changed() {
            editor.note_single("rotate solver");
        }
    });
}

/// What differs by clip and speed.
fn rules(ui: &mut Ui, editor: &mut Editor) {
    let (theme, session) = (editor.theme, editor.session);
    let clips = &session.character.model.clips;
    let mut changed: Option<(&str, Option<u64>)> = None;
    let mut removed = None;
    for (index, rule) in editor.document.stack.grounding.rules.iter_mut().enumerate() {
        ui.push_id(("rule", index), |ui| {
            ui.horizontal(|ui| {
                ui.set_height(26.0);
                let mut choose = |ui: &mut Ui, what: &str, now: &str, options: &mut dyn FnMut(&mut Ui) -> bool| {
                    let combo = egui::ComboBox::from_id_salt(what).selected_text(now).width(84.0);
                    let list = combo.show_ui(ui, |ui| options(ui));
                    name_list(&list.response, &format!("{what} of rule {}", index + 1), now);
                    if list.inner == Some(true) {
                        changed = Some(("a rule of grounding", None));
                    }
                };
                let now = rule.clip.clone().unwrap_or_else(|| "any clip".to_owned());
                choose(ui, "clip", &now, &mut |ui| {
                    let names = clips.iter().map(|clip| Some(clip.name.clone()));
                    pick(ui, &mut rule.clip, [None].into_iter().chain(names), |clip| {
                        clip.clone().unwrap_or_else(|| "any clip".to_owned())
                    })
                });
                let method = |method: &Option<Method>| match method {
                    Some(Method::FootIk) => "foot IK",
                    Some(Method::Path) => "path",
                    Some(Method::Predictive) => "predictive",
                    Some(Method::Off) | None => "same method",
                };
                let methods = [None, Some(Method::FootIk), Some(Method::Predictive), Some(Method::Path)];
                choose(ui, "method", method(&rule.method), &mut |ui| {
                    pick(ui, &mut rule.method, methods, |own| method(own).to_owned())
                });
                let quality = |quality: &Option<Quality>| quality.map_or("same quality", Quality::key).to_owned();
                choose(ui, "quality", &quality(&rule.quality), &mut |ui| {
                    pick(ui, &mut rule.quality, [None].into_iter().chain(Quality::ALL.map(Some)), quality)
                });
                let takes = ui.button(icon::TRASH).help("Take this rule away.");
                let name = format!("take away rule {}", index + 1);
                takes.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, &name));
                if takes.clicked() {
                    removed = Some(index);
                }
            });
            for entry in GroundingRule::PARAMETERS {
                if let Some(own) = parameter(ui, theme, entry, rule) {
                    changed = Some(("a rule of grounding", own.gesture));
                }
            }
        });
    }
    if let Some(index) = removed {
        editor.document.stack.grounding.rules.remove(index);
        changed = Some(("remove a rule of grounding", None));
    }
    let few = editor.document.stack.grounding.rules.len() < MOST_RULES;
    let add = ui.add_enabled(few, egui::Button::new("add a rule"));
    jump::land(&add, const { find_field(GroundingSection::FIELDS, "rules") });
    if add.help("Method, quality or weight that differ while a clip plays, or from a speed on.").clicked() {
        editor.document.stack.grounding.rules.push(GroundingRule::default());
        changed = Some(("add a rule of grounding", None));
    }
    if let Some((what, gesture)) = changed {
        editor.note(what, Some(Changed { gesture }));
    }
    if editor.document.stack.grounding.rules.is_empty() {
        return;
    }
    const BLEND: &Parameter = find(GroundingSection::PARAMETERS, "blend");
    let changed = parameter(ui, theme, BLEND, &mut editor.document.stack.grounding);
    editor.note("blend of grounding methods", changed);
    let now = [format!("{:.2}", session.solved.input.place.grounding.weight)];
    number_row(ui, theme, None, "weight now", &now, None).help("Of the rules that fit, mixed as the clips are.");
}

/// One of several in a list; true if another one was chosen.
fn pick<T: PartialEq>(
    ui: &mut Ui,
    value: &mut T,
    options: impl IntoIterator<Item = T>,
    name: impl Fn(&T) -> String,
) -> bool {
    let mut is_new = false;
    for option in options {
        let text = name(&option);
        is_new |= ui.selectable_value(value, option, text).changed();
    }
    is_new
}

/// How often the ground is cast at, and whether this frame did.
fn casts(ui: &mut Ui, editor: &mut Editor) {
    const CAST_RATE: &Parameter = find(GroundingSection::PARAMETERS, "cast_rate");
    let (theme, session) = (editor.theme, editor.session);
    let changed = parameter(ui, theme, CAST_RATE, &mut editor.document.stack.grounding);
    editor.note("rate of casts", changed);
    if editor.document.stack.grounding.cast_rate > 0.0 {
        let holds = session.solved.grounding().is_some_and(|run| run.holds_casts);
        let now = [(if holds { "held" } else { "cast" }).to_owned()];
        number_row(ui, theme, None, "this frame", &now, None).help("Whether it cast, or held what the last casts hit.");
    }
}

/// What says how much a foot stands.
fn weight_source(ui: &mut Ui, editor: &mut Editor) {
    let (theme, session) = (editor.theme, editor.session);
    labelled(ui, theme, "goes by", |ui| {
        let curve = "The weight curves of the clips that play; without a clip, feet stand.".to_owned();
        let speed = "The speed of the foot bone over the ground, for poses without a clip: fast feet swing.".to_owned();
        let options = [(WeightSource::Curve, "curves", curve), (WeightSource::Speed, "bone speed", speed)];
        let row = ui.scope(|ui| segmented(ui, theme, editor.document.stack.grounding.weight_source, &options));
        jump::land(&row.response, const { find_field(GroundingSection::FIELDS, "weight_source") });
        if let Some(source) = row.inner {
            editor.document.stack.grounding.weight_source = source;
            editor.note_single("what foot weights go by");
        }
    });
    if editor.document.stack.grounding.weight_source == WeightSource::Curve {
        return;
    }
    if let Some(speeds) = session.solved.memory.speeds {
        let numbers = speeds.legs.map(|leg| format!("{:.2} m/s", leg.velocity.length()));
        number_row(ui, theme, None, "bone speed", &numbers, None).help("Smoothed, over the ground: left, right.");
    }
    for entry in SpeedSettings::PARAMETERS {
        let changed = parameter(ui, theme, entry, &mut editor.document.stack.grounding.speed);
        editor.note(&format!("{} of foot weights", label(entry.key)), changed);
    }
}

/// Whether planted feet are held, and until when.
fn lock(ui: &mut Ui, editor: &mut Editor) {
    let theme = editor.theme;
    labelled(ui, theme, "holds", |ui| {
        let help = "A planted foot stays where it landed, whichever grounder found its place.";
        const FIELD: &Field = find_field(LockSettings::FIELDS, "on");
        let own = ui.checkbox(&mut editor.document.stack.grounding.lock.on, "planted feet");
        if own.setting(FIELD, help).changed() {
            editor.note_single("foot lock on or off");
        }
    });
    if !editor.document.stack.grounding.lock.on {
        return;
    }
    for entry in LockSettings::PARAMETERS {
        let changed = parameter(ui, theme, entry, &mut editor.document.stack.grounding.lock);
        editor.note(&format!("foot lock {}", label(entry.key)), changed);
    }
}

fn signed(session: &Session, length: f32) -> String {
    let text = session.character.length(length);
    if length > 0.0 { format!("+{text}") } else { text }
}

/// What the frame came to, left and right.
fn feet(ui: &mut Ui, theme: &Theme, session: &Session, recording: &Recording) {
    let output = recording.output;
    let pair = |value: &dyn Fn(usize) -> String| [value(0), value(1)];
    let mut row = |name: &str, numbers: [String; 2], help: &str| {
        number_row(ui, theme, None, name, &numbers, None).help(help);
    };
    row("offset", pair(&|leg| signed(session, output.legs[leg].offset)), "How far each foot goes up, or down.");
    let turned = |leg: usize| {
        let turn = output.legs[leg].rotation_offset;
        format!("{:.1}°", 2.0 * turn.w.abs().clamp(0.0, 1.0).acos().to_degrees())
    };
    row("turned", pair(&turned), "By how much each foot turns with the ground.");
    row("weight", pair(&|leg| format!("{:.2}", output.legs[leg].weight)), "How much each goal counts.");
    let grounded = |leg: usize| (if output.legs[leg].grounded { "yes" } else { "no" }).to_owned();
    row("grounded", pair(&grounded), "Whether there is ground under the foot or on its way.");
    let speed = |leg: usize| format!("{:.2} m/s", output.legs[leg].velocity.length());
    if matches!(recording.solver, kinescope_ik::grounding::Solver::Predictive(_)) {
        row("speed", pair(&speed), "Of the animated foot, smoothed: what the prediction goes by.");
    }
    let contacts = session.contacts();
    let depth = |solved: bool| {
        let of = |leg: usize| {
            let depth = contacts.as_ref().and_then(|both| {
                let points = if solved { both[leg].solved } else { both[leg].animated };
                session.motion.depth(&points, both[leg].layers)
            });
            match depth {
                Some(depth) => session.character.length(depth.max(0.0)),
                None => "–".to_owned(),
            }
        };
        [of(0), of(1)]
    };
    row("under ground, animated", depth(false), "How deep the lowest point of the sole is in the ground as animated.");
    row("under ground, grounded", depth(true), "The same in the solved pose.");
    number_row(ui, theme, Some(Node::Body), "pelvis offset", &[signed(session, output.pelvis_height)], None);
    let limited = (if output.pelvis_limited { "yes" } else { "no" }).to_owned();
    let help = "Whether the pelvis is held down, so that a leg reaches the ground.";
    number_row(ui, theme, Some(Node::Body), "pelvis held down", &[limited], None).help(help);
    let micros = session.solved.layer(LayerId::Grounding).map_or(0.0, |layer| layer.times.total());
    if micros > 0.0 {
        number_row(ui, theme, None, "time", &[time(micros)], None);
    }
}

/// The state after a step.
fn state(ui: &mut Ui, theme: &Theme, session: &Session, state: &SolverState) {
    let mut row = |name: &str, numbers: [String; 2]| {
        number_row(ui, theme, None, name, &numbers, None);
    };
    let length = |value: f32| signed(session, value);
    match state {
        SolverState::Predictive(state) => {
            let legs = state.legs;
            let pair =
                |value: &dyn Fn(&kinescope_ik::grounding::LegState) -> String| [value(&legs[0]), value(&legs[1])];
            row("ground at", pair(&|leg| leg.plane.map_or("none".into(), |plane| length(plane.point.y))));
            let slope = |leg: &kinescope_ik::grounding::LegState| match leg.plane {
                Some(plane) => format!("{:.1}°", plane.normal.y.clamp(-1.0, 1.0).acos().to_degrees()),
                None => "–".to_owned(),
            };
            row("slope", pair(&slope));
            row("is to turn", pair(&|leg| format!("{:.1}°", leg.tilt_target.length().to_degrees())));
            row("turned", pair(&|leg| format!("{:.1}°", leg.tilt.length().to_degrees())));
            row("is to go up", pair(&|leg| length(leg.offset_target)));
            row("went up", pair(&|leg| length(leg.offset)));
            row("pelvis: is to, went", [length(state.pelvis.target), length(state.pelvis.height)]);
            row("damper", [String::new(), format!("{:.2}", state.pelvis.damper)]);
        }
        SolverState::FootIk(state) => {
            let legs = state.legs;
            let hit = |leg: usize| legs[leg].hit.map_or("none".into(), |hit| length(hit.point.y));
            row("ground at", [hit(0), hit(1)]);
            row("is to go up", [length(legs[0].target), length(legs[1].target)]);
            row("went up", [length(legs[0].offset), length(legs[1].offset)]);
            row("wants the pelvis at", state.pelvis_targets.map(length));
            row("pelvis went", [String::new(), length(state.pelvis)]);
        }
    }
}

fn sliding(ui: &mut Ui, theme: &Theme, session: &Session) {
    let found = slides(&session.debugger.tape, session.time.frame);
    if found.is_empty() {
        ui.label(RichText::new("no foot stood in what was recorded").color(theme.text[2]));
    }
    for slide in found.iter().rev().take(SLIDES) {
        let node = Node::of_limb(slide.side.limb())[2];
        let [from, to] = slide.frames;
        let numbers = [slide.animated, slide.solved].map(|length| session.character.length(length));
        let name = format!("{} {from} to {to}", slide.side.label());
        number_row(ui, theme, Some(node), &name, &numbers, Some(1))
            .help("How far the sole slid over the ground while it was meant to stand, from frame to frame.");
    }
}

fn curves(ui: &mut Ui, editor: &mut Editor) {
    let (theme, session) = (editor.theme, editor.session);
    let Some((clip, time)) = session.clip.crossfade.target() else {
        ui.label(RichText::new("The rest pose stands on both feet: no clip, no curve.").color(theme.text[1]));
        return;
    };
    let Some(own) = session.character.model.clips.get(clip) else { return };
    let derived = match session.motion.derived(clip) {
        Ok(derived) => derived.clone(),
        Err(error) => {
            ui.label(RichText::new(format!("{} {error}", icon::WARNING)).color(theme.warning));
            [WeightCurve::default(), WeightCurve::default()]
        }
    };
    if own.duration <= 0.0 {
        let text = format!("{} clip {:?} has no length: its feet count as planted", icon::WARNING, own.name);
        ui.label(RichText::new(text).color(theme.warning));
    }
    let edited = editor.document.stack.grounding.curves.get(&own.name).cloned();
    let shown = edited.clone().unwrap_or_else(|| derived.clone());
    // Where the clip is now says nothing of a frame gone by.
    let is_newest = session.debugger.tape.last().is_none_or(|frame| frame.number == session.time.frame);
    let now = (own.duration > 0.0 && is_newest).then(|| time / own.duration);
    for side in Side::ALL {
        let (color, name) = (theme.limb(side.limb()), side.foot_label());
        let index = side as usize;
        let id = ui.id().with(("curve", name));
        let found = curve_editor(ui, theme, id, &shown[index], Some(&derived[index]), now, color, name);
        if let Some((curve, ended)) = found {
            let mut both = shown.clone();
            both[index] = curve;
            editor.document.stack.grounding.curves.insert(own.name.clone(), both);
            // The last move of a drag is one with those before it.
            let drags = !ended || ui.input(|input| input.pointer.any_released());
            let gesture = drags.then(|| id.value());
            editor.changed = Some((format!("weight curve of the {name}"), gesture));
        }
    }
    ui.horizontal(|ui| {
        ui.set_height(24.0);
        let what = if edited.is_some() { "edited" } else { "derived from height and speed of the foot" };
        const FIELD: &Field = find_field(GroundingSection::FIELDS, "curves");
        ui.label(RichText::new(format!("{}: {what}", own.name)).color(theme.text[2])).setting(FIELD, FIELD.help);
        if edited.is_some() && ui.button("derive anew").help("Back to the curves that the clip gives.").clicked() {
            editor.document.stack.grounding.curves.remove(&own.name);
            editor.note_single("derive weight curves anew");
        }
    });
}

fn foot_ik(ui: &mut Ui, editor: &mut Editor) {
    let theme = editor.theme;
    let settings = &mut editor.document.stack.grounding.foot_ik;
    let mut changed = None;
    ui.horizontal(|ui| {
        ui.set_height(24.0);
        const ON: &Field = find_field(FootIkSettings::FIELDS, "enable_feet_ik");
        const TURN: &Field = find_field(FootIkSettings::FIELDS, "rotate_feet");
        let on = ui.checkbox(&mut settings.enable_feet_ik, "enable feet IK").setting(ON, ON.help);
        let turn = ui.checkbox(&mut settings.rotate_feet, "rotate feet").setting(TURN, TURN.help);
        if on.changed() || turn.changed() {
            changed = Some(("foot IK on or off".to_owned(), None));
        }
    });
    for entry in FootIkSettings::PARAMETERS {
        if let Some(found) = parameter(ui, theme, entry, settings) {
            changed = Some((label(entry.key), found.gesture));
        }
    }
    editor.changed = changed.or(editor.changed.take());
}

fn predictive(ui: &mut Ui, editor: &mut Editor) {
    let theme = editor.theme;
    let settings = &mut editor.document.stack.grounding.predictive;
    let mut changed = None;
    for entry in PredictiveSettings::PARAMETERS {
        if let Some(found) = parameter(ui, theme, entry, settings) {
            changed = Some((label(entry.key), found.gesture));
        }
    }
    let falls = ui.checkbox(&mut settings.overstep_falls_down, "overstep falls down");
    let help = "A foot over an edge goes down as far as it can; off, it stays at the character's own level.";
    const FALLS: &Field = find_field(PredictiveSettings::FIELDS, "overstep_falls_down");
    if falls.setting(FALLS, help).changed() {
        changed = Some(("overstep falls down".to_owned(), None));
    }
    let inverted = ui.checkbox(&mut settings.invert_foot_center, "invert foot center");
    let help = "The middle of the foot is behind the ankle: for legs that bend backwards.";
    const INVERTED: &Field = find_field(PredictiveSettings::FIELDS, "invert_foot_center");
    if inverted.setting(INVERTED, help).changed() {
        changed = Some(("invert foot center".to_owned(), None));
    }
    editor.changed = changed.or(editor.changed.take());
}

/// All three on the same input, and which one drives the feet.
fn qualities(ui: &mut Ui, editor: &mut Editor) {
    let (theme, session) = (editor.theme, editor.session);
    labelled(ui, theme, "quality", |ui| {
        let help = [
            "One ray a foot, where it will be.",
            "Three rays a foot: under it, ahead, beside it.",
            "A ray under the foot, a capsule along its way, rays under the turned sole; a sphere for the root.",
        ];
        const FIELD: &Field = find_field(PredictiveSettings::FIELDS, "quality");
        let sources = jump::source_lines(FIELD.sources);
        let options: Vec<(Quality, &str, String)> =
            Quality::ALL.map(|quality| (quality, quality.key(), help[quality as usize].to_owned() + &sources)).to_vec();
        let row = ui.scope(|ui| segmented(ui, theme, editor.document.stack.grounding.predictive.quality, &options));
        jump::land(&row.response, FIELD);
        if let Some(quality) = row.inner {
            editor.document.stack.grounding.predictive.quality = quality;
            editor.note_single("quality of grounding");
        }
    });
    let (factor, unit) = session.character.length_unit();
    let is_timed = session.motion.qualities.iter().any(|lane| lane.micros.is_some());
    let head = if is_timed { "µs" } else { "" };
    let columns = [head.to_owned(), format!("left, {unit}"), format!("right, {unit}"), format!("pelvis, {unit}")];
    let font = egui::FontId::proportional(11.0);
    let table = |ui: &mut Ui, name: &str, cells: [String; 4], strong: bool, head: bool| {
        let (rect, _) =
            ui.allocate_exact_size(vec2(ui.available_width(), if head { 15.0 } else { 19.5 }), egui::Sense::hover());
        let painter = ui.painter();
        let color = if strong { theme.text[0] } else { theme.text[1] };
        let words = egui::FontId::proportional(12.5);
        painter.text(rect.left_center(), egui::Align2::LEFT_CENTER, name, words, color);
        let width = (rect.width() - 66.0) / 4.0;
        for (index, cell) in cells.into_iter().enumerate() {
            let at = egui::pos2(rect.left() + 66.0 + width * (index + 1) as f32, rect.center().y);
            let (font, color) =
                if head { (font.clone(), theme.text[2]) } else { (egui::FontId::monospace(11.5), color) };
            painter.text(at, egui::Align2::RIGHT_CENTER, cell, font, color);
        }
    };
    table(ui, "", columns, false, true);
    // As many rows as live: what is below stays where it is.
    if session.motion.qualities.is_empty() {
        let text = "run side by side on the newest frame, live";
        let (rect, _) =
            ui.allocate_exact_size(vec2(ui.available_width(), 19.5 * Quality::ALL.len() as f32), egui::Sense::hover());
        ui.painter().text(rect.left_center(), egui::Align2::LEFT_CENTER, text, font.clone(), theme.text[2]);
    }
    for lane in &session.motion.qualities {
        let cells = [
            lane.micros.map_or_else(String::new, |micros| format!("{micros:.1}")),
            format!("{:+.1}", lane.output.legs[0].offset * factor),
            format!("{:+.1}", lane.output.legs[1].offset * factor),
            format!("{:+.1}", lane.output.pelvis_height * factor),
        ];
        let is_own = lane.quality == editor.document.stack.grounding.predictive.quality;
        table(ui, lane.quality.key(), cells, is_own, false);
    }
}
