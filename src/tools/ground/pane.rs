use egui_macroquad::egui::{self, RichText, Ui, vec2};
use egui_phosphor::regular as icon;

use crate::session::{Action, Selection, Session};
use crate::tools::ground::words as text;
use crate::tools::learn::links::lesson_of_selection;
use crate::tools::learn::pane::{LessonOn, lesson_icon};
use crate::tools::motion::pane::{Editor, labelled, name_list};
use crate::ui::curve_editor::curve_editor;
use crate::ui::help::Help;
use crate::ui::jump::{self, Target};
use crate::ui::theme::Theme;
use crate::ui::widgets::{Changed, heading, number_row, parameter, section, segmented, time};
use crate::ui::words::{capital, signed};
use crate::world::motion::scale_problem;
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

const SLIDES: usize = 6;

pub(crate) fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.look.view.light_theme);
    let mut editor = Editor::new(session, theme);
    let method = editor.document.stack.grounding.method;
    let what = match method {
        Method::Off => text::OFF_WHAT,
        Method::FootIk => text::FOOT_IK_WHAT,
        Method::Predictive => text::PREDICTIVE_WHAT,
        Method::Path => text::PATH_WHAT,
    };
    heading(ui, theme, text::GROUNDING, what, |ui| {
        lesson_icon(ui, lesson_of_selection(session.interaction.selection), LessonOn::Selection, actions);
    });
    if session.world.ground_recording().is_none() {
        egui::Frame::new().inner_margin(egui::Margin::symmetric(12, 4)).show(ui, |ui| {
            let why = match (&session.world.plan().terrain, &session.world.motion.surface, session.world.motion.legs())
            {
                _ if method == Method::Off => text::CHOOSE_METHOD.to_owned(),
                (_, Some(Err(error)), _) => text::terrain_error(&icon::WARNING, &error),
                (None, ..) => text::no_ground(&icon::WARNING),
                (.., None) => text::no_legs(&icon::WARNING),
                _ => text::NOT_RECORDED.to_owned(),
            };
            ui.add(egui::Label::new(RichText::new(why).color(theme.text[1])).wrap());
        });
        return;
    }
    if let Some(problem) = scale_problem(&session.world.character) {
        egui::Frame::new().inner_margin(egui::Margin::symmetric(12, 4)).show(ui, |ui| {
            let text = RichText::new(format!("{} {problem}", icon::WARNING)).color(theme.warning);
            ui.add(egui::Label::new(text).wrap());
        });
    }
    if let Selection::Layer(layer) = session.interaction.selection
        && layer.has_own_section()
    {
        crate::tools::pose::inspector::layer_settings(ui, theme, session, layer, actions);
    }
    section(ui, theme, text::GROUND, text::GROUND_HINT, |ui| environment(ui, &mut editor));
    section(ui, theme, text::RULES, text::RULES_HINT, |ui| rules(ui, &mut editor));
    section(ui, theme, text::FOOT_WEIGHT, text::FOOT_WEIGHT_HINT, |ui| weight_source(ui, &mut editor));
    section(ui, theme, text::CASTS, text::CASTS_HINT, |ui| casts(ui, &mut editor));
    section(ui, theme, text::FOOT_LOCK, text::FOOT_LOCK_HINT, |ui| lock(ui, &mut editor));
    match method {
        Method::FootIk => {
            if editor.document.stack.grounding.weight_source == WeightSource::Curve {
                section(ui, theme, text::CURVES, text::CURVES_HINT, |ui| curves(ui, &mut editor));
            }
            section(ui, theme, text::FOOT_IK, text::RESET_HINT, |ui| foot_ik(ui, &mut editor));
        }
        Method::Predictive | Method::Path => {
            if method == Method::Path {
                section(ui, theme, text::FOOTPRINTS, text::RESET_HINT, |ui| {
                    for entry in FootprintSettings::PARAMETERS {
                        let theme = editor.theme;
                        let changed = parameter(ui, theme, entry, &mut editor.document.stack.grounding.footprints);
                        editor.note(&text::edit_footprints(&label(entry.key)), changed);
                    }
                });
            }
            section(ui, theme, text::QUALITIES, text::QUALITIES_HINT, |ui| qualities(ui, &mut editor));
            section(ui, theme, text::PREDICTIVE, text::RESET_HINT, |ui| predictive(ui, &mut editor));
        }
        Method::Off => {}
    }
    if editor.document.stack.grounding.drive == Drive::Limbs {
        section(ui, theme, text::LIMBS, text::LIMBS_HINT, |ui| limbs(ui, &mut editor));
    }
    section(ui, theme, text::WEIGHTS, text::WEIGHTS_HINT, |ui| {
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
            editor.note_single(text::EDIT_LIMB_SOLVER);
        }
    });
    for entry in LimbSettings::PARAMETERS.iter().filter(|_| solver.iterates()) {
        let changed = parameter(ui, theme, entry, &mut editor.document.stack.grounding.limbs);
        editor.note(&text::edit_limbs(&label(entry.key)), changed);
    }
    let outcomes = session.world.solved.limbs().map(|run| LimbName::ALL.map(|limb| run.outcome(limb)));
    for (limb, outcome) in LimbName::ALL.into_iter().zip(outcomes.unwrap_or_default()) {
        let numbers = outcome.map_or(["–".to_owned(), "–".to_owned()], |outcome| {
            let error = session.world.limb_error(limb).unwrap_or(outcome.error);
            [outcome.iterations.to_string(), session.world.character.length(error)]
        });
        number_row(ui, theme, None, &capital(limb.label()), &numbers, None).help(text::LIMB_HELP);
    }
}

pub(crate) fn results(ui: &mut Ui, session: &Session) {
    let theme = Theme::of(session.look.view.light_theme);
    let Some(recording) = session.world.ground_recording() else { return };
    section(ui, theme, text::FEET_AND_PELVIS, text::LEFT_RIGHT, |ui| feet(ui, theme, session, recording));
    let at = recording.solve.steps.get(session.world.time.cursor.step);
    if let Some(step) = at.filter(|_| session.world.time.is_paused() && session.ground_focus()) {
        let side = step.step.side().map_or(String::new(), |side| format!(", {}", side.label()));
        section(ui, theme, text::STEP, &format!("{}{side}", label(step.step.key())), |ui| {
            ui.add(egui::Label::new(RichText::new(step.step.sentence()).color(theme.text[1])).wrap());
            ui.add_space(2.0);
            state(ui, theme, session, &step.state);
        });
    }
    section(ui, theme, text::SLIDING, text::SLIDING_HINT, |ui| sliding(ui, theme, session));
}

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
                let text = if layer == 0 { text::HEIGHTS.to_owned() } else { text::layer(&layer) };
                let button = ui.add(egui::SelectableLabel::new(is_on, &text));
                button.describe(&|| {
                    let label = text::name_layer(&name, &text);
                    egui::WidgetInfo::selected(egui::WidgetType::Checkbox, true, is_on, label)
                });
                let help = text::LAYER_HELP;
                if button.setting(LAYERS_OF, help).clicked() {
                    *layers = layers.with(layer, !is_on);
                    editor.note_single(text::EDIT_LAYERS);
                }
            }
            // The warning is at the end of the row, so that it moves nothing under the pointer.
            let layers = editor.document.stack.grounding.environment[side];
            if (0..=most).all(|layer| !layers.has(layer)) {
                ui.label(RichText::new(text::no_layer(&icon::WARNING)).color(theme.warning)).help(text::NO_LAYER_HELP);
            }
        });
    }
    labelled(ui, theme, text::UP_IS, |ui| {
        let help = text::UP_HELP;
        const FIELD: &Field = find_field(GroundingSection::FIELDS, "rotate_solver");
        let own = ui.checkbox(&mut editor.document.stack.grounding.rotate_solver, text::OWN_UP);
        if own.setting(FIELD, help).changed() {
            editor.note_single(text::EDIT_UP);
        }
    });
}

fn rules(ui: &mut Ui, editor: &mut Editor) {
    let (theme, session) = (editor.theme, editor.session);
    let clips = &session.world.character.model.clips;
    let mut changed: Option<(&str, Option<u64>)> = None;
    let mut removed = None;
    for (index, rule) in editor.document.stack.grounding.rules.iter_mut().enumerate() {
        ui.push_id(("rule", index), |ui| {
            ui.horizontal(|ui| {
                ui.set_height(26.0);
                let mut choose = |ui: &mut Ui, what: &str, now: &str, options: &mut dyn FnMut(&mut Ui) -> bool| {
                    let combo = egui::ComboBox::from_id_salt(what).selected_text(now).width(84.0);
                    let list = combo.show_ui(ui, |ui| options(ui));
                    name_list(&list.response, &text::name_of_rule(&what, &(index + 1)), now);
                    if list.inner == Some(true) {
                        changed = Some((text::EDIT_RULE, None));
                    }
                };
                let now = rule.clip.clone().unwrap_or_else(|| text::ANY_CLIP.to_owned());
                choose(ui, "clip", &now, &mut |ui| {
                    let names = clips.iter().map(|clip| Some(clip.name.clone()));
                    pick(ui, &mut rule.clip, [None].into_iter().chain(names), |clip| {
                        clip.clone().unwrap_or_else(|| text::ANY_CLIP.to_owned())
                    })
                });
                let method = |method: &Option<Method>| match method {
                    Some(Method::FootIk) => text::METHOD_FOOT_IK,
                    Some(Method::Path) => text::METHOD_PATH,
                    Some(Method::Predictive) => text::METHOD_PREDICTIVE,
                    Some(Method::Off) | None => text::SAME_METHOD,
                };
                let methods = [None, Some(Method::FootIk), Some(Method::Predictive), Some(Method::Path)];
                choose(ui, "method", method(&rule.method), &mut |ui| {
                    pick(ui, &mut rule.method, methods, |own| method(own).to_owned())
                });
                let quality = |quality: &Option<Quality>| capital(quality.map_or(text::SAME_QUALITY, Quality::key));
                choose(ui, "quality", &quality(&rule.quality), &mut |ui| {
                    pick(ui, &mut rule.quality, [None].into_iter().chain(Quality::ALL.map(Some)), quality)
                });
                let takes = ui.button(icon::TRASH).help(text::REMOVE_RULE_HELP);
                let name = text::name_remove_rule(&(index + 1));
                takes.describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, &name));
                if takes.clicked() {
                    removed = Some(index);
                }
            });
            for entry in GroundingRule::PARAMETERS {
                if let Some(own) = parameter(ui, theme, entry, rule) {
                    changed = Some((text::EDIT_RULE, own.gesture));
                }
            }
        });
    }
    if let Some(index) = removed {
        editor.document.stack.grounding.rules.remove(index);
        changed = Some((text::EDIT_REMOVE_RULE, None));
    }
    let few = editor.document.stack.grounding.rules.len() < MOST_RULES;
    let add = ui.add_enabled(few, egui::Button::new(text::ADD_RULE));
    jump::land(&add, const { find_field(GroundingSection::FIELDS, "rules") });
    if add.help(text::ADD_RULE_HELP).clicked() {
        editor.document.stack.grounding.rules.push(GroundingRule::default());
        changed = Some((text::EDIT_ADD_RULE, None));
    }
    if let Some((what, gesture)) = changed {
        editor.note(what, Some(Changed { gesture }));
    }
    if editor.document.stack.grounding.rules.is_empty() {
        return;
    }
    const BLEND: &Parameter = find(GroundingSection::PARAMETERS, "blend");
    let changed = parameter(ui, theme, BLEND, &mut editor.document.stack.grounding);
    editor.note(text::EDIT_BLEND, changed);
    let now = [format!("{:.2}", session.world.solved.input.place.grounding.weight)];
    number_row(ui, theme, None, text::WEIGHT_NOW, &now, None).help(text::WEIGHT_NOW_HELP);
}

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

fn casts(ui: &mut Ui, editor: &mut Editor) {
    const CAST_RATE: &Parameter = find(GroundingSection::PARAMETERS, "cast_rate");
    let (theme, session) = (editor.theme, editor.session);
    let changed = parameter(ui, theme, CAST_RATE, &mut editor.document.stack.grounding);
    editor.note(text::EDIT_CASTS, changed);
    if editor.document.stack.grounding.cast_rate > 0.0 {
        let holds = session.world.solved.grounding().is_some_and(|run| run.holds_casts);
        let now = [(if holds { text::HELD } else { text::CAST }).to_owned()];
        number_row(ui, theme, None, text::THIS_FRAME, &now, None).help(text::THIS_FRAME_HELP);
    }
}

fn weight_source(ui: &mut Ui, editor: &mut Editor) {
    let (theme, session) = (editor.theme, editor.session);
    labelled(ui, theme, text::FROM, |ui| {
        let curve = text::FROM_CURVES_HELP.to_owned();
        let speed = text::FROM_SPEED_HELP.to_owned();
        let options = [(WeightSource::Curve, text::BY_CURVES, curve), (WeightSource::Speed, text::BY_SPEED, speed)];
        let row = ui.scope(|ui| segmented(ui, theme, editor.document.stack.grounding.weight_source, &options));
        jump::land(&row.response, const { find_field(GroundingSection::FIELDS, "weight_source") });
        if let Some(source) = row.inner {
            editor.document.stack.grounding.weight_source = source;
            editor.note_single(text::EDIT_WEIGHT_SOURCE);
        }
    });
    if editor.document.stack.grounding.weight_source == WeightSource::Curve {
        return;
    }
    if let Some(speeds) = session.world.solved.memory.speeds {
        let numbers = speeds.legs.map(|leg| format!("{:.2} m/s", leg.velocity.length()));
        number_row(ui, theme, None, text::BONE_SPEED, &numbers, None).help(text::BONE_SPEED_HELP);
    }
    for entry in SpeedSettings::PARAMETERS {
        let changed = parameter(ui, theme, entry, &mut editor.document.stack.grounding.speed);
        editor.note(&text::edit_foot_weights(&label(entry.key)), changed);
    }
}

fn lock(ui: &mut Ui, editor: &mut Editor) {
    let theme = editor.theme;
    labelled(ui, theme, text::HOLDS, |ui| {
        let help = text::LOCK_HELP;
        const FIELD: &Field = find_field(LockSettings::FIELDS, "on");
        let own = ui.checkbox(&mut editor.document.stack.grounding.lock.on, text::PLANTED_FEET);
        if own.setting(FIELD, help).changed() {
            editor.note_single(text::EDIT_LOCK);
        }
    });
    if !editor.document.stack.grounding.lock.on {
        return;
    }
    for entry in LockSettings::PARAMETERS {
        let changed = parameter(ui, theme, entry, &mut editor.document.stack.grounding.lock);
        editor.note(&text::edit_lock(&label(entry.key)), changed);
    }
}

fn signed_length(session: &Session, length: f32) -> String {
    signed(length, &session.world.character.length(length))
}

fn feet(ui: &mut Ui, theme: &Theme, session: &Session, recording: &Recording) {
    let output = recording.output;
    let pair = |value: &dyn Fn(usize) -> String| [value(0), value(1)];
    let mut row = |name: &str, numbers: [String; 2], help: &str| {
        number_row(ui, theme, None, name, &numbers, None).help(help);
    };
    row(text::OFFSET, pair(&|leg| signed_length(session, output.legs[leg].offset)), text::OFFSET_HELP);
    let turned = |leg: usize| {
        let turn = output.legs[leg].rotation_offset;
        format!("{:.1}°", 2.0 * turn.w.abs().clamp(0.0, 1.0).acos().to_degrees())
    };
    row(text::TURNED, pair(&turned), text::TURNED_HELP);
    row(text::WEIGHT, pair(&|leg| format!("{:.2}", output.legs[leg].weight)), text::WEIGHT_HELP);
    let grounded = |leg: usize| (if output.legs[leg].grounded { text::YES } else { text::NO }).to_owned();
    row(text::GROUNDED, pair(&grounded), text::GROUNDED_HELP);
    let speed = |leg: usize| format!("{:.2} m/s", output.legs[leg].velocity.length());
    if matches!(recording.solver, kinescope_ik::grounding::Solver::Predictive(_)) {
        row(text::SPEED, pair(&speed), text::SPEED_HELP);
    }
    let contacts = session.world.contacts();
    let depth = |solved: bool| {
        let of = |leg: usize| {
            let depth = contacts.as_ref().and_then(|both| {
                let points = if solved { both[leg].solved } else { both[leg].animated };
                session.world.motion.depth(&points, both[leg].layers)
            });
            match depth {
                Some(depth) => session.world.character.length(depth.max(0.0)),
                None => "–".to_owned(),
            }
        };
        [of(0), of(1)]
    };
    row(text::DEPTH_ANIMATED, depth(false), text::DEPTH_ANIMATED_HELP);
    row(text::DEPTH_GROUNDED, depth(true), text::DEPTH_GROUNDED_HELP);
    number_row(ui, theme, Some(Node::Body), text::PELVIS_OFFSET, &[signed_length(session, output.pelvis_height)], None);
    let limited = (if output.pelvis_limited { text::YES } else { text::NO }).to_owned();
    let help = text::PELVIS_HELD_HELP;
    number_row(ui, theme, Some(Node::Body), text::PELVIS_HELD, &[limited], None).help(help);
    let micros = session.world.solved.layer(LayerId::Grounding).map_or(0.0, |layer| layer.times.total());
    if micros > 0.0 {
        number_row(ui, theme, None, text::TIME, &[time(micros)], None);
    }
}

fn state(ui: &mut Ui, theme: &Theme, session: &Session, state: &SolverState) {
    let mut row = |name: &str, numbers: [String; 2]| {
        number_row(ui, theme, None, name, &numbers, None);
    };
    let length = |value: f32| signed_length(session, value);
    match state {
        SolverState::Predictive(state) => {
            let legs = state.legs;
            let pair =
                |value: &dyn Fn(&kinescope_ik::grounding::LegState) -> String| [value(&legs[0]), value(&legs[1])];
            row(text::GROUND_AT, pair(&|leg| leg.plane.map_or(text::NONE.into(), |plane| length(plane.point.y))));
            let slope = |leg: &kinescope_ik::grounding::LegState| match leg.plane {
                Some(plane) => format!("{:.1}°", plane.normal.y.clamp(-1.0, 1.0).acos().to_degrees()),
                None => "–".to_owned(),
            };
            row(text::SLOPE, pair(&slope));
            row(text::TILT_TARGET, pair(&|leg| format!("{:.1}°", leg.tilt_target.length().to_degrees())));
            row(text::TILT, pair(&|leg| format!("{:.1}°", leg.tilt.length().to_degrees())));
            row(text::OFFSET_TARGET, pair(&|leg| length(leg.offset_target)));
            row(text::OFFSET_NOW, pair(&|leg| length(leg.offset)));
            row(text::PELVIS_NOW, [length(state.pelvis.target), length(state.pelvis.height)]);
            row(text::DAMPER, [String::new(), format!("{:.2}", state.pelvis.damper)]);
        }
        SolverState::FootIk(state) => {
            let legs = state.legs;
            let hit = |leg: usize| legs[leg].hit.map_or(text::NONE.into(), |hit| length(hit.point.y));
            row(text::GROUND_AT, [hit(0), hit(1)]);
            row(text::OFFSET_TARGET, [length(legs[0].target), length(legs[1].target)]);
            row(text::OFFSET_NOW, [length(legs[0].offset), length(legs[1].offset)]);
            row(text::PELVIS_TARGETS, state.pelvis_targets.map(length));
            row(text::PELVIS, [String::new(), length(state.pelvis)]);
        }
    }
}

fn sliding(ui: &mut Ui, theme: &Theme, session: &Session) {
    let found = slides(&session.tools.debugger.tape, session.world.time.frame);
    if found.is_empty() {
        ui.label(RichText::new(text::NO_CONTACT).color(theme.text[2]));
    }
    for slide in found.iter().rev().take(SLIDES) {
        let node = Node::of_limb(slide.side.limb())[2];
        let [from, to] = slide.frames;
        let numbers = [slide.animated, slide.solved].map(|length| session.world.character.length(length));
        let name = text::slide_name(&slide.side.label(), &from, &to);
        number_row(ui, theme, Some(node), &name, &numbers, Some(1)).help(text::SLIDE_HELP);
    }
}

fn curves(ui: &mut Ui, editor: &mut Editor) {
    let (theme, session) = (editor.theme, editor.session);
    let Some((clip, time)) = session.world.clip.crossfade.target() else {
        ui.label(RichText::new(text::REST_POSE).color(theme.text[1]));
        return;
    };
    let clips = &session.world.character.model.clips;
    let Some((own, derived)) = clips.get(clip).zip(session.world.motion.derived(clip)) else { return };
    let derived = match derived {
        Ok(derived) => derived.clone(),
        Err(error) => {
            ui.label(RichText::new(format!("{} {error}", icon::WARNING)).color(theme.warning));
            [WeightCurve::default(), WeightCurve::default()]
        }
    };
    if own.duration <= 0.0 {
        let text = text::clip_without_length(&icon::WARNING, &own.name);
        ui.label(RichText::new(text).color(theme.warning));
    }
    let edited = editor.document.stack.grounding.curves.get(&own.name).cloned();
    let shown = edited.clone().unwrap_or_else(|| derived.clone());
    // The clip's time is marked only for the newest frame, because an older frame was at another time.
    let is_newest = session.tools.debugger.tape.last().is_none_or(|frame| frame.number == session.world.time.frame);
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
            // The frame in which a drag ends belongs to the gesture of the drag.
            let drags = !ended || ui.input(|input| input.pointer.any_released());
            let gesture = drags.then(|| id.value());
            editor.changed = Some((text::edit_curve(&name), gesture));
        }
    }
    ui.horizontal(|ui| {
        ui.set_height(24.0);
        let what = if edited.is_some() { text::EDITED } else { text::DERIVED };
        const FIELD: &Field = find_field(GroundingSection::FIELDS, "curves");
        ui.label(RichText::new(format!("{}: {what}", own.name)).color(theme.text[2])).setting(FIELD, FIELD.help);
        if edited.is_some() && ui.button(text::DERIVE_AGAIN).help(text::DERIVE_AGAIN_HELP).clicked() {
            editor.document.stack.grounding.curves.remove(&own.name);
            editor.note_single(text::EDIT_DERIVE);
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
        let on = ui.checkbox(&mut settings.enable_feet_ik, text::ENABLE_FEET_IK).setting(ON, ON.help);
        let turn = ui.checkbox(&mut settings.rotate_feet, text::ROTATE_FEET).setting(TURN, TURN.help);
        if on.changed() {
            changed = Some((text::EDIT_FOOT_IK.to_owned(), None));
        } else if turn.changed() {
            changed = Some((text::EDIT_ROTATE_FEET.to_owned(), None));
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
    let falls = ui.checkbox(&mut settings.overstep_falls_down, text::OVERSTEP);
    let help = text::OVERSTEP_HELP;
    const FALLS: &Field = find_field(PredictiveSettings::FIELDS, "overstep_falls_down");
    if falls.setting(FALLS, help).changed() {
        changed = Some((text::EDIT_OVERSTEP.to_owned(), None));
    }
    let inverted = ui.checkbox(&mut settings.invert_foot_center, text::INVERT);
    let help = text::INVERT_HELP;
    const INVERTED: &Field = find_field(PredictiveSettings::FIELDS, "invert_foot_center");
    if inverted.setting(INVERTED, help).changed() {
        changed = Some((text::EDIT_INVERT.to_owned(), None));
    }
    editor.changed = changed.or(editor.changed.take());
}

fn qualities(ui: &mut Ui, editor: &mut Editor) {
    let (theme, session) = (editor.theme, editor.session);
    labelled(ui, theme, text::QUALITY, |ui| {
        const FIELD: &Field = find_field(PredictiveSettings::FIELDS, "quality");
        let sources = jump::source_lines(FIELD.sources);
        let options: Vec<(Quality, &str, String)> = Quality::ALL
            .map(|quality| (quality, quality.key(), text::QUALITY_HELP[quality as usize].to_owned() + &sources))
            .to_vec();
        let row = ui.scope(|ui| segmented(ui, theme, editor.document.stack.grounding.predictive.quality, &options));
        jump::land(&row.response, FIELD);
        if let Some(quality) = row.inner {
            editor.document.stack.grounding.predictive.quality = quality;
            editor.note_single(text::EDIT_QUALITY);
        }
    });
    let (factor, unit) = session.world.character.length_unit();
    let is_timed = session.world.motion.qualities.iter().any(|lane| lane.micros.is_some());
    let head = if is_timed { "µs" } else { "" };
    let columns = [head.to_owned(), text::left_in(&unit), text::right_in(&unit), text::pelvis_in(&unit)];
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
    // While paused, a text takes the height that the rows have while live, so that the rows below do not move.
    if session.world.motion.qualities.is_empty() {
        let text = text::QUALITIES_LIVE;
        let (rect, _) =
            ui.allocate_exact_size(vec2(ui.available_width(), 19.5 * Quality::ALL.len() as f32), egui::Sense::hover());
        ui.painter().text(rect.left_center(), egui::Align2::LEFT_CENTER, text, font.clone(), theme.text[2]);
    }
    let offset = |length: f32| signed(length, &format!("{:.1}", length * factor));
    for lane in &session.world.motion.qualities {
        let cells = [
            lane.micros.map_or_else(String::new, |micros| format!("{micros:.1}")),
            offset(lane.output.legs[0].offset),
            offset(lane.output.legs[1].offset),
            offset(lane.output.pelvis_height),
        ];
        let is_own = lane.quality == editor.document.stack.grounding.predictive.quality;
        table(ui, &capital(lane.quality.key()), cells, is_own, false);
    }
}
