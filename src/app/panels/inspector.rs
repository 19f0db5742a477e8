//! The inspector: what is selected, the numbers of the current stage, the solver.

use egui_macroquad::egui::{self, Color32, Pos2, Rect, RichText, Sense, Stroke, Ui, vec2};
use egui_phosphor::regular as icon;
use glam::{EulerRot, Quat, Vec3};

use super::help::Help;
use super::widgets::{
    Changed, capital, command_button, counted, node_mark, number_row, parameter, row_label, section, vector,
};
use crate::app::commands::Command;
use crate::app::debugger::{Target, WhatIf};
use crate::app::explain;
use crate::app::handles::HandleId;
use crate::app::session::{Action, Selection, Session};
use crate::app::theme::{Theme, semibold};
use crate::app::timeline::Cursor;
use crate::debugger::attribution::{Group, Grouping, Row, without_round};
use crate::debugger::measure::Gaps;
use crate::full_body::explain::formula;
use crate::full_body::names::label;
use crate::full_body::settings::{CHAIN_PARAMETERS, EFFECTOR_PARAMETERS, PIN, SOLVER_PARAMETERS};
use crate::full_body::{Effector, Node, Settings, Smoothing};
use crate::notation::{Sheet, Symbol, names_in};
use crate::rig::LimbName;

pub fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.view.light_theme);
    ui.spacing_mut().item_spacing = vec2(8.0, 0.0);
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        if session.chain_focus().is_some() {
            super::chain::show(ui, session, actions);
            return;
        }
        if session.selection == Selection::Grounding {
            super::grounding::show(ui, session, actions);
            return;
        }
        let mut editor = Editor { settings: *session.settings(), changed: None, theme, session };
        title(ui, theme, session);
        if let Some(what_if) = &session.debugger.what_if {
            what_if_banner(ui, theme, session, what_if, actions);
        }
        if session.paused {
            formula_section(ui, theme, session, actions);
            attribution_section(ui, theme, session, actions);
        }
        match session.selection {
            Selection::Nothing => {
                section(ui, theme, "effector weights", "position, rotation", |ui| weights(ui, &mut editor));
            }
            Selection::Effector(effector) => {
                effector_section(ui, &mut editor, effector);
                if let Some(limb) = effector.node().limb() {
                    reach_gauge(ui, theme, session, limb, actions);
                    chain_section(ui, &mut editor, limb);
                } else {
                    pin_section(ui, &mut editor);
                }
            }
            Selection::Chain(chain) => match chain.limb() {
                Some(limb) => {
                    reach_gauge(ui, theme, session, limb, actions);
                    chain_section(ui, &mut editor, limb);
                }
                None => pin_section(ui, &mut editor),
            },
            Selection::BendGoal(limb) => {
                reach_gauge(ui, theme, session, limb, actions);
                chain_section(ui, &mut editor, limb);
            }
            Selection::ChainIk(_) | Selection::Grounding => {}
        }
        // Below what is edited: it comes and goes while a slider is dragged.
        if let Some(why) = &session.why {
            let title = format!("why is the {} {}?", label(why.effector.key()), why.miss.word());
            section(ui, theme, &title, "", |ui| {
                let text = explain::why(why, &session.character);
                ui.add(egui::Label::new(RichText::new(text).color(theme.text[0])).wrap());
                if let Some((parameter, value, _)) = why.cure {
                    let button = ui.button(format!("try {} {value}", parameter.label()));
                    if button.help(parameter.help()).clicked() {
                        actions.push(Action::TakeValues(vec![(parameter, value)]));
                    }
                }
            });
        }
        if session.paused {
            stage_numbers(ui, theme, session);
        }
        solver_section(ui, &mut editor);
        let Editor { settings, changed, .. } = editor;
        if let Some((label, changed)) = changed {
            actions.push(Action::Edit { label, gesture: changed.gesture, settings: Box::new(settings) });
        }
    });
}

/// Settings being edited, and what of them changed in this frame.
struct Editor<'a> {
    settings: Settings,
    changed: Option<(String, Changed)>,
    theme: &'a Theme,
    session: &'a Session,
}

impl Editor<'_> {
    fn note(&mut self, what: &str, changed: Option<Changed>) {
        if let Some(changed) = changed {
            self.changed = Some((what.to_owned(), changed));
        }
    }

    fn note_single(&mut self, what: &str) {
        self.note(what, Some(Changed { gesture: None }));
    }
}

fn title(ui: &mut Ui, theme: &Theme, session: &Session) {
    let (node, name, what) = match session.selection {
        Selection::Nothing => {
            let what =
                session.scene.map_or("click a ring in the picture, or a name on the left", |scene| scene.purpose);
            (None, "Nothing selected".to_owned(), what.to_owned())
        }
        Selection::Effector(effector) => {
            let what = match effector.limb() {
                Some(limb) => format!("end effector of the {}", limb.label()),
                None => "effector".to_owned(),
            };
            let what = match session.selected_effectors().len() {
                1 => what,
                several => format!("and {} more: targets and weights are set for all", several - 1),
            };
            (Some(effector.node()), capital(&label(effector.key())), what)
        }
        Selection::Chain(chain) => {
            let node = chain.limb().map_or(Node::Body, |limb| Node::of_limb(limb)[0]);
            (Some(node), capital(&label(chain.key())), format!("chain {}", chain as usize))
        }
        Selection::BendGoal(limb) => (Some(Node::of_limb(limb)[1]), capital(limb.label()), "bend goal".to_owned()),
        Selection::ChainIk(_) | Selection::Grounding => (None, String::new(), String::new()),
    };
    ui.horizontal(|ui| {
        ui.set_height(30.0);
        ui.add_space(12.0);
        if let Some(node) = node {
            let (rect, _) = ui.allocate_exact_size(vec2(12.0, 12.0), Sense::hover());
            ui.painter().add(node_mark(theme, node, rect.center(), 5.0, Stroke::NONE));
        }
        ui.label(RichText::new(name).size(14.0).family(semibold()));
        ui.label(RichText::new(what).color(theme.text[1]));
    });
}

/// Numbers that the current stage, or move, used.
fn stage_numbers(ui: &mut Ui, theme: &Theme, session: &Session) {
    let recording = &session.recording;
    let Some(recorded) = recording.solve.steps.get(session.cursor.step) else { return };
    let whole = crate::app::timeline::Cursor { step: session.cursor.step, within: None };
    let Some(before) = whole.state_before(recording) else { return };
    let stage = recorded.step.stage;
    section(ui, theme, &format!("numbers of {}", stage.key()), "", |ui| {
        for line in explain::stage_numbers(&recording.frame, stage, &before, &recorded.state) {
            let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 18.0), Sense::hover());
            if let Some(node) = line.node {
                ui.painter().add(node_mark(theme, node, rect.left_center() + vec2(5.0, 0.0), 3.5, Stroke::NONE));
            }
            let numbers =
                ui.painter().layout_no_wrap(line.numbers.clone(), egui::FontId::monospace(11.0), theme.text[0]);
            let left = rect.left() + 16.0;
            let room = (rect.right() - numbers.size().x - 8.0 - left).max(20.0);
            let mut job = egui::text::LayoutJob::simple_singleline(
                line.what.clone(),
                egui::FontId::proportional(12.0),
                theme.text[1],
            );
            job.wrap = egui::text::TextWrapping::truncate_at_width(room);
            let what = ui.painter().layout_job(job);
            let top = |galley: &egui::Galley| rect.center().y - galley.size().y / 2.0;
            ui.painter().galley(Pos2::new(left, top(&what)), what.clone(), theme.text[1]);
            let at = Pos2::new(rect.right() - numbers.size().x, top(&numbers));
            ui.painter().galley(at, numbers, theme.text[0]);
            response.help(format!("{}: {}", line.what, line.numbers));
        }
    });
}

fn effector_section(ui: &mut Ui, editor: &mut Editor, effector: Effector) {
    let theme = editor.theme;
    let speed = editor.session.character.height * 0.002;
    section(ui, theme, &format!("effector {}", label(effector.key())), "", |ui| {
        let own_label = |what: &str| format!("{} {what}", label(effector.key()));
        let shown = editor.session.state().map(|state| state.nodes[effector.node()]).unwrap_or_default();
        let rotation = editor.session.shown_rotation(effector);

        let mut position = editor.settings.effector(effector).position.unwrap_or(shown).to_array();
        let changed = vector(ui, theme, "position", &mut position, "m", speed);
        if changed.is_some() {
            editor.settings.effector_mut(effector).position = Some(Vec3::from_array(position));
            editor.note(&own_label("position"), changed);
        }
        // Only hands and feet take a rotation: that of the others comes of where the nodes are.
        if effector.limb().is_some() {
            let own_rotation = editor.settings.effector(effector).rotation.unwrap_or(rotation);
            let (x, y, z) = own_rotation.to_euler(EulerRot::XYZ);
            let mut degrees = [x, y, z].map(f32::to_degrees);
            let changed = vector(ui, theme, "rotation", &mut degrees, "°", 0.5);
            if changed.is_some() {
                let [x, y, z] = degrees.map(f32::to_radians);
                editor.settings.effector_mut(effector).rotation = Some(Quat::from_euler(EulerRot::XYZ, x, y, z));
                editor.note(&own_label("rotation"), changed);
            }
        }
        let mut offset = editor.settings.effector(effector).position_offset.to_array();
        let changed = vector(ui, theme, "offset", &mut offset, "m", speed);
        if changed.is_some() {
            editor.settings.effector_mut(effector).position_offset = Vec3::from_array(offset);
            editor.note(&own_label("offset"), changed);
        }
        for parameter_info in EFFECTOR_PARAMETERS {
            // Only ends of limbs have a plane to go with, and a rotation.
            if ["maintain_relative_position", "rotation_weight"].contains(&parameter_info.key)
                && effector.limb().is_none()
            {
                continue;
            }
            let changed = parameter(ui, theme, parameter_info, editor.settings.effector_mut(effector));
            editor.note(&own_label(&label(parameter_info.key)), changed);
        }
        ui.horizontal(|ui| {
            ui.set_height(26.0);
            let own = *editor.settings.effector(effector);
            ui.label(RichText::new("aims at").color(theme.text[1]));
            let text = match (own.position, own.rotation) {
                (None, None) => "its own bone",
                (Some(_), None) => "a point of its own",
                (None, Some(_)) => "a rotation of its own",
                (Some(_), Some(_)) => "point and rotation of its own",
            };
            ui.label(text);
            let has_own = own.position.is_some() || own.rotation.is_some();
            let release = ui.add_enabled(has_own, egui::Button::new("let go"));
            if release.help("Aim at the bone of the animated pose again.").clicked() {
                let own = editor.settings.effector_mut(effector);
                (own.position, own.rotation) = (None, None);
                editor.note_single(&own_label("let go"));
            }
        });
    });
}

fn chain_section(ui: &mut Ui, editor: &mut Editor, limb: LimbName) {
    let theme = editor.theme;
    let chain_label = |what: &str| format!("{} {what}", limb.label());
    section(ui, theme, &format!("chain {}", limb.label()), "", |ui| {
        for info in CHAIN_PARAMETERS {
            let changed = parameter(ui, theme, info, editor.settings.chain_mut(limb));
            editor.note(&chain_label(&label(info.key)), changed);
            if info.key == "push_parent" {
                smoothing(ui, editor, limb, "push smoothing", |chain| &mut chain.push_smoothing);
            }
            if info.key == "reach" {
                smoothing(ui, editor, limb, "reach smoothing", |chain| &mut chain.reach_smoothing);
            }
            if info.key == "bend_weight" {
                bend(ui, editor, limb);
            }
        }
    });
}

fn smoothing(
    ui: &mut Ui,
    editor: &mut Editor,
    limb: LimbName,
    what: &str,
    field: impl Fn(&mut crate::full_body::ChainSettings) -> &mut Smoothing,
) {
    let theme = editor.theme;
    ui.horizontal(|ui| {
        ui.set_height(22.0);
        row_label(ui, theme, what);
        let mut chosen = *field(editor.settings.chain_mut(limb));
        let combo = egui::ComboBox::from_id_salt((what, limb))
            .selected_text(chosen.key())
            .width(ui.available_width().clamp(60.0, 112.0));
        let response = combo.show_ui(ui, |ui| {
            for option in Smoothing::ALL {
                ui.selectable_value(&mut chosen, option, option.key());
            }
        });
        response
            .response
            .help("How a small force is weakened: none as it is, exponential squared, cubic to the third power.");
        if chosen != *field(editor.settings.chain_mut(limb)) {
            *field(editor.settings.chain_mut(limb)) = chosen;
            editor.note_single(&format!("{} {what}", limb.label()));
        }
    });
}

/// Bend goal and bend direction.
fn bend(ui: &mut Ui, editor: &mut Editor, limb: LimbName) {
    let theme = editor.theme;
    let height = editor.session.character.height;
    let suggested = editor.session.state().map(|state| {
        crate::debug_draw::suggested_bend_goal(&editor.session.recording.frame, &state, limb, height * 0.14)
    });
    ui.horizontal(|ui| {
        ui.set_height(24.0);
        ui.label(RichText::new("bend to").color(theme.text[1]));
        let chain = *editor.settings.chain(limb);
        let current = (chain.bend_goal.is_some(), chain.bend_direction.is_some());
        let mut chosen = if current.0 { 1 } else { usize::from(current.1) * 2 };
        let before = chosen;
        for (index, name, help) in [
            (0, "nothing", "Elbow or knee follow animation and effector rotation."),
            (1, "goal", "A point: drag the diamond in the picture."),
            (2, "direction", "A direction in model space."),
        ] {
            ui.selectable_value(&mut chosen, index, name).help(help);
        }
        if chosen != before {
            let chain = editor.settings.chain_mut(limb);
            (chain.bend_goal, chain.bend_direction) = match chosen {
                0 => (None, None),
                1 => (suggested, None),
                _ => (None, Some(Vec3::Z)),
            };
            if chosen > 0 && chain.bend_weight == 0.0 {
                chain.bend_weight = 1.0;
            }
            editor.note_single(&format!("{} bend", limb.label()));
        }
    });
    let chain = editor.settings.chain_mut(limb);
    let (slot, name, unit) = match (&mut chain.bend_goal, &mut chain.bend_direction) {
        (Some(goal), _) => (goal, "goal", "m"),
        (None, Some(direction)) => (direction, "direction", ""),
        (None, None) => return,
    };
    let mut value = slot.to_array();
    let changed = vector(ui, theme, name, &mut value, unit, height * 0.002);
    if changed.is_some() {
        *slot = Vec3::from_array(value);
        editor.note(&format!("{} bend {name}", limb.label()), changed);
    }
}

fn pin_section(ui: &mut Ui, editor: &mut Editor) {
    let theme = editor.theme;
    section(ui, theme, "chain body", "", |ui| {
        let changed = parameter(ui, theme, &PIN, &mut editor.settings);
        editor.note("body pin", changed);
    });
}

fn solver_section(ui: &mut Ui, editor: &mut Editor) {
    let theme = editor.theme;
    section(ui, theme, "solver", "", |ui| {
        for info in SOLVER_PARAMETERS {
            let changed = parameter(ui, theme, info, &mut editor.settings.solver);
            editor.note(&label(info.key), changed);
            if info.key == "iterations" {
                let mut pass = editor.settings.solver.fabrik_pass;
                ui.horizontal(|ui| {
                    ui.set_height(22.0);
                    row_label(ui, theme, "fabrik pass");
                    let help = "Off: limbs and torso do not pull each other; each limb is solved alone.";
                    if ui.checkbox(&mut pass, "").help(help).changed() {
                        editor.settings.solver.fabrik_pass = pass;
                        editor.note_single("fabrik pass");
                    }
                });
            }
        }
    });
}

/// All nine effectors' weights in one table.
fn weights(ui: &mut Ui, editor: &mut Editor) {
    let theme = editor.theme;
    for effector in Effector::ALL {
        ui.horizontal(|ui| {
            ui.set_height(20.0);
            let width = ui.available_width();
            let name_width = (width * 0.36).clamp(102.0, 150.0);
            let (rect, _) = ui.allocate_exact_size(vec2(name_width, 20.0), Sense::hover());
            ui.painter().add(node_mark(theme, effector.node(), rect.left_center() + vec2(5.0, 0.0), 4.0, Stroke::NONE));
            ui.painter().text(
                rect.left_center() + vec2(18.0, 0.0),
                egui::Align2::LEFT_CENTER,
                label(effector.key()),
                egui::FontId::proportional(12.5),
                theme.text[1],
            );
            // Two sliders, each with its number.
            ui.spacing_mut().slider_width = ((width - name_width - 94.0) / 2.0).clamp(14.0, 160.0);
            ui.spacing_mut().item_spacing.x = 4.0;
            // A rotation is for hands and feet.
            for info in &EFFECTOR_PARAMETERS[..if effector.limb().is_some() { 2 } else { 1 }] {
                let mut value = (info.get)(editor.settings.effector(effector));
                let name = format!("{} {}", label(effector.key()), label(info.key));
                let response = super::widgets::slider(ui, theme, &name, &mut value, 0.0..=1.0, 0.0, false);
                let response = response.help(format!("{}\n{name} {value:.2}", info.help));
                if response.changed() {
                    (info.set)(editor.settings.effector_mut(effector), value);
                    editor.note(&name, Some(Changed::of(&response)));
                }
                ui.label(RichText::new(format!("{value:.2}")).monospace());
            }
        });
    }
}

/// That this is not what was recorded, and how far off it is.
fn what_if_banner(ui: &mut Ui, theme: &Theme, session: &Session, what_if: &WhatIf, actions: &mut Vec<Action>) {
    let count = what_if.changes.len();
    let hint = counted(count, "change");
    section(ui, theme, "what if", &hint, |ui| {
        if let (Some(now), Some(recorded)) = (session.step_gaps.last(), what_if.recorded.gaps.last()) {
            let worst = |gaps: &Gaps| session.character.length(gaps.worst().map_or(0.0, |(_, gap)| gap));
            number_row(ui, theme, None, "worst gap, recorded → now", &[recorded, now].map(worst), Some(1));
        }
        ui.horizontal(|ui| {
            ui.set_height(26.0);
            command_button(ui, Command::DropWhatIf, true, actions);
            command_button(ui, Command::ShowCompare, true, actions);
        });
    });
}

/// The move that is shown, or the largest of the step: what the formula is of.
fn shown_move(session: &Session) -> Option<usize> {
    let moves = session.recording.solve.events_of(session.cursor.step);
    let largest = || {
        let all = moves.iter().enumerate();
        all.max_by(|a, b| a.1.distance().total_cmp(&b.1.distance())).map(|(index, _)| index)
    };
    session.cursor.within.filter(|&within| within < moves.len()).or_else(largest)
}

/// The equation of the move shown, in the seed's terms, and under each line the same with its numbers.
fn formula_section(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    let recording = &session.recording;
    let step = session.cursor.step;
    if recording.solve.steps.get(step).is_none() {
        return;
    }
    let count = recording.solve.events_of(step).len();
    let shown = shown_move(session);
    let hint = shown.map_or("nothing moved".to_owned(), |index| format!("move {} of {count}", index + 1));
    section(ui, theme, "formula", &hint, |ui| {
        let Some((index, formula)) = shown.and_then(|index| Some((index, formula(recording, step, index)?))) else {
            ui.weak("No node moved in this step.");
            return;
        };
        let node = Some(recording.solve.events_of(step)[index].node);
        show_formula(ui, theme, &formula, node, Cursor { step, within: Some(index) }, count, actions);
    });
}

/// A formula's title, the way to the moves beside it, and its lines.
pub(super) fn show_formula(
    ui: &mut Ui,
    theme: &Theme,
    formula: &Sheet,
    node: Option<Node>,
    cursor: Cursor,
    count: usize,
    actions: &mut Vec<Action>,
) {
    let index = cursor.within.unwrap_or(0);
    ui.horizontal(|ui| {
        ui.set_height(22.0);
        if let Some(node) = node {
            let (rect, _) = ui.allocate_exact_size(vec2(10.0, 12.0), Sense::hover());
            ui.painter().add(node_mark(theme, node, rect.center(), 4.5, Stroke::NONE));
        }
        ui.add(egui::Label::new(RichText::new(&formula.title).family(semibold())).truncate());
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            for (glyph, to) in [(icon::CARET_RIGHT, index + 1), (icon::CARET_LEFT, index.wrapping_sub(1))] {
                let button = egui::Button::new(glyph).frame(false);
                if ui.add_enabled(to < count, button).help("The move beside this one.").clicked() {
                    actions.push(Action::Seek(Cursor { within: Some(to), ..cursor }));
                }
            }
        });
    });
    let help: Vec<String> = formula.symbols.iter().map(symbol_help).collect();
    for line in &formula.lines {
        let mono = |text: &str, color| RichText::new(text).monospace().color(color);
        let numeric = format!("  {}", line.numeric);
        for (text, color) in [(&line.symbolic, theme.text[1]), (&numeric, theme.text[0])] {
            if text.trim().is_empty() {
                continue;
            }
            let explained = names_in(&line.symbolic)
                .filter_map(|name| formula.symbols.iter().find(|symbol| symbol.name == name))
                .map(symbol_help);
            let help: Vec<String> = explained.collect();
            ui.add(egui::Label::new(mono(text, color)).wrap()).help(help.join("\n"));
        }
    }
    ui.label(RichText::new("what the symbols mean").color(theme.text[2]).size(11.0)).help(help.join("\n"));
}

fn symbol_help(symbol: &Symbol) -> String {
    match symbol.value() {
        none if none.is_empty() => format!("{}  {}", symbol.name, symbol.meaning),
        value => format!("{} = {value}  {}", symbol.name, symbol.meaning),
    }
}

/// Rows shown before all of them are asked for.
const ATTRIBUTION_ROWS: usize = 6;

/// How far a point moved in this solve, and what moved it how far.
fn attribution_section(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    let view = &session.debugger.attribution;
    let target = session.attribution_target();
    let bones = session.character.model.skeleton.bones();
    let name = |target: Target| match target {
        Target::Node(node) => label(node.key()),
        Target::Bone(bone) => bones.get(bone).map_or_else(String::new, |bone| bone.name.clone()),
    };
    let whole = session.character.length(view.table.distance() as f32);
    section(ui, theme, "attribution", &format!("moved {whole} since read"), |ui| {
        let (mut chosen, mut grouping) = (view.target, view.grouping);
        ui.horizontal(|ui| {
            ui.set_height(26.0);
            let text = if chosen.is_some() { name(target) } else { format!("{} (selected)", name(target)) };
            egui::ComboBox::from_id_salt("attribution of").selected_text(text).width(168.0).height(360.0).show_ui(
                ui,
                |ui| {
                    ui.selectable_value(&mut chosen, None, "what is selected");
                    for node in Node::ALL {
                        ui.selectable_value(&mut chosen, Some(Target::Node(node)), label(node.key()));
                    }
                    ui.separator();
                    for (index, bone) in bones.iter().enumerate() {
                        ui.selectable_value(&mut chosen, Some(Target::Bone(index)), format!("bone {}", bone.name));
                    }
                },
            );
            egui::ComboBox::from_id_salt("attribution by")
                .selected_text(format!("by {}", grouping.label()))
                .width(104.0)
                .show_ui(ui, |ui| {
                    for option in Grouping::ALL {
                        ui.selectable_value(&mut grouping, option, format!("by {}", option.label()));
                    }
                });
        });
        if (chosen, grouping) != (view.target, view.grouping) {
            actions.push(Action::Attribution { target: chosen, grouping });
        }
        if view.table.rows.is_empty() {
            ui.weak("It did not move.");
        }
        let most = view.table.rows.first().map_or(0.0, |row| row.along.abs()).max(1e-12);
        let current =
            shown_move(session).and_then(|index| session.recording.solve.events_of(session.cursor.step).get(index));
        let all = ui.make_persistent_id("all of the attribution");
        let mut shows_all = ui.data(|data| data.get_temp(all).unwrap_or(false));
        let count = view.table.rows.len();
        let shown = if shows_all { count } else { count.min(ATTRIBUTION_ROWS) };
        for row in &view.table.rows[..shown] {
            attribution_row(ui, theme, session, row, most, current.map(|moved| moved.cause), actions);
        }
        if count > ATTRIBUTION_ROWS {
            let text = if shows_all { "only the largest".to_owned() } else { format!("all {count} rows") };
            if ui.add(egui::Button::new(RichText::new(text).size(11.0)).frame(false)).clicked() {
                shows_all = !shows_all;
                ui.data_mut(|data| data.insert_temp(all, shows_all));
            }
        }
        let text = "Along its own way; the rows add up to the whole exactly. Click one to go to its largest move.";
        ui.label(RichText::new(text).color(theme.text[2]).size(11.0));
    });
}

fn attribution_row(
    ui: &mut Ui,
    theme: &Theme,
    session: &Session,
    row: &Row,
    most: f64,
    current: Option<crate::full_body::Cause>,
    actions: &mut Vec<Action>,
) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 19.5), Sense::click());
    let name = row.group.label();
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, format!("attribution {name}")));
    let whole = rect.expand2(vec2(12.0, 0.0));
    let painter = ui.painter_at(whole);
    let is_current = current.is_some_and(|cause| row.group == Group::Cause(without_round(cause)));
    if is_current {
        painter.rect_filled(whole, 0.0, theme.selected_row);
        painter.rect_filled(Rect::from_min_size(whole.min, vec2(3.0, whole.height())), 0.0, theme.accent);
    } else if response.hovered() || response.has_focus() {
        painter.rect_filled(whole, 0.0, theme.header);
    }
    let color = theme.group(row.group).unwrap_or(theme.fill);
    let mark = rect.left_center() + vec2(5.0, 0.0);
    match row.group.node() {
        Some(node) => drop(painter.add(node_mark(theme, node, mark, 4.0, Stroke::NONE))),
        None => drop(painter.rect_filled(Rect::from_center_size(mark, vec2(9.0, 4.0)), 1.0, color)),
    }
    let small = egui::FontId::monospace(11.5);
    let text = session.character.length(row.along as f32);
    let text = if row.along > 0.0 { format!("+{text}") } else { text.replace('-', "−") };
    painter.text(rect.right_center(), egui::Align2::RIGHT_CENTER, &text, small.clone(), theme.text[0]);
    let axis = rect.right() - 96.0;
    let width = (row.along / most) as f32 * 26.0;
    let bar = Rect::from_min_max(
        Pos2::new(axis + width.min(0.0), rect.center().y - 4.0),
        Pos2::new(axis + width.max(0.0), rect.center().y + 4.0),
    );
    // What rounds to nothing has no bar that says otherwise.
    if text.chars().any(|digit| ('1'..='9').contains(&digit)) {
        painter.rect_filled(bar, 1.0, color);
    }
    let count = format!("{}×", row.count);
    painter.text(Pos2::new(axis - 30.0, rect.center().y), egui::Align2::RIGHT_CENTER, count, small, theme.text[2]);
    let mut job =
        egui::text::LayoutJob::simple_singleline(name.clone(), egui::FontId::proportional(12.5), theme.text[1]);
    job.wrap = egui::text::TextWrapping::truncate_at_width((axis - 60.0 - rect.left()).max(40.0));
    let galley = painter.layout_job(job);
    painter.galley(rect.left_center() + vec2(16.0, -galley.size().y / 2.0), galley, theme.text[1]);
    if response.clicked()
        && let Some((step, index)) = row.largest
    {
        actions.push(Action::Seek(Cursor { step, within: Some(index) }));
    }
    let length = session.character.length(row.sum.to_dvec3().length() as f32);
    response.help(format!("{name}: {}, {length} in all, whatever the direction", counted(row.count as usize, "move")));
}

/// From bent to straight, with the zone in which reach sets in, and the target.
fn reach_gauge(ui: &mut Ui, theme: &Theme, session: &Session, limb: LimbName, actions: &mut Vec<Action>) {
    let frame = &session.recording.frame;
    let read = frame.limb(limb);
    if read.length <= 0.0 {
        return;
    }
    // As the bones are: a node may be further off than the limb is long.
    let Some(bones) = session.character.detection.biped.as_ref().map(|biped| biped.limb(limb).bones) else { return };
    let [first, _, last] = bones.map(|bone| session.shown.position(bone));
    let span = first.distance(last);
    let target = frame.effector(Effector::END[limb.index()]);
    let to_target = first.distance(target.position);
    let length = |length: f32| session.character.length(length);
    let hint = format!("{} of {}", length(span), length(read.length));
    section(ui, theme, "reach gauge", &hint, |ui| {
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 30.0), Sense::hover());
        let bar = Rect::from_min_size(rect.min + vec2(0.0, 4.0), vec2(rect.width(), 13.0));
        // The gauge ends a little past straight, so that targets out of reach show.
        let x_of = |length: f32| bar.left() + (length / read.length / 1.2).clamp(0.0, 1.0) * bar.width();
        let painter = ui.painter();
        painter.rect_filled(bar, 2.0, theme.widget);
        let filled = Rect::from_min_max(bar.min, Pos2::new(x_of(span), bar.bottom()));
        painter.rect_filled(filled, 2.0, theme.limb(limb));
        let soft = read.length * (1.0 - read.reach_force);
        let mut x = x_of(soft);
        while x < x_of(read.length) - 1.0 {
            let line = [Pos2::new(x, bar.bottom()), Pos2::new((x + 5.0).min(x_of(read.length)), bar.top())];
            painter.line_segment(line, Stroke::new(1.5, theme.panel));
            x += 4.0;
        }
        painter.vline(x_of(read.length), bar.y_range(), Stroke::new(2.0, theme.text[0]));
        if target.position_weight > 0.0 {
            let at = Pos2::new(x_of(to_target), bar.center().y);
            painter.circle_stroke(at, 5.0, Stroke::new(2.0, theme.target));
        }
        let small = egui::FontId::proportional(11.0);
        let y = rect.bottom() - 5.0;
        let text =
            |x, align, text: &str, color: Color32| painter.text(Pos2::new(x, y), align, text, small.clone(), color);
        text(rect.left(), egui::Align2::LEFT_CENTER, "bent", theme.text[2]);
        text(x_of(read.length).min(rect.right() - 96.0), egui::Align2::RIGHT_CENTER, "straight", theme.text[2]);
        if target.position_weight > 0.0 {
            let at = format!("target {}", length(to_target));
            text(rect.right(), egui::Align2::RIGHT_CENTER, &at, theme.text[1]);
        }
        response.help("Hatched: here reach begins to draw shoulder or hip along. Ring: the target.");
        ui.horizontal(|ui| {
            ui.set_height(24.0);
            match &session.debugger.reach.job {
                Some(job) => {
                    command_button(ui, Command::CancelJobs, true, actions);
                    ui.add(egui::ProgressBar::new(job.progress()).desired_width(120.0).show_percentage());
                }
                None => {
                    let help = "Try thousands of targets: everywhere this hand or foot gets, as a surface.";
                    if ui.button("reachable volume").help(help).clicked() {
                        actions.push(Action::ReachOf(limb));
                    }
                    if session.debugger.reach.volume.is_some() {
                        command_button(ui, Command::ForgetVolume, true, actions);
                        if let Some(why) = session.reach_is_stale() {
                            ui.label(RichText::new(format!("{WARNING} stale")).color(theme.warning))
                                .help(format!("{why}: make it again."));
                        }
                    }
                }
            }
        });
    });
}

/// Where a user asks for what a handle is called.
pub fn handle_label(id: HandleId) -> String {
    match id {
        HandleId::Effector(effector) => label(effector.key()),
        HandleId::BendGoal(limb) => format!("{} bend goal", limb.label()),
        HandleId::Chain(..) => label(&id.key()),
        HandleId::PathPoint(index) => format!("point {index} of the path"),
    }
}

/// An icon for errors and warnings.
pub const WARNING: &str = icon::WARNING;
