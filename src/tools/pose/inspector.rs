//! The inspector: what is selected, the numbers of the current stage, the solver.

use std::sync::Arc;

use egui_macroquad::egui::{self, Color32, Pos2, Rect, RichText, Sense, Stroke, Ui, vec2};
use egui_phosphor::regular as icon;
use glam::{EulerRot, Quat, Vec3};

use crate::session::commands::Command;
use crate::session::{Action, Selection, Session};
use crate::tools::motion::scale_problem;
use crate::tools::pose::handles::{self, HandleId};
use crate::tools::steps::WhatIf;
use crate::tools::steps::step;
use crate::tools::sweep::session::SweepAction;
use crate::ui::help::Help;
use crate::ui::jump::{self, Target};
use crate::ui::theme::{Theme, node_mark};
use crate::ui::widgets::{
    Changed, attached_to, command_button, heading, no_vector, number_row, parameter, row_label, row_with_buttons,
    section, split, vector,
};
use crate::ui::words::{self, capital, counted};
use kinescope_ik::full_body::{ChainSettings, Effector, EffectorSettings, Node, Settings, Smoothing, SolverSettings};
use kinescope_ik::key::label;
use kinescope_ik::parameter::{Field, Parameters, find_field};
use kinescope_ik::rig::LimbName;
use kinescope_ik::stack::{Attached, Frame};
use kinescope_ik::stepped::Cursor;

/// Of the height of the pane, until its border is dragged: at 1440×900 pull, push and reach of a hand are above it.
const DETAILS: f32 = 0.36;
/// Of the details: what the formula has, and at least and at most, logical pixels.
const FORMULA: f32 = 0.5;
const FORMULA_HEIGHTS: [f32; 2] = [92.0, 320.0];
const STATE_ROW: f32 = 26.0;
/// Between the number of a position weight and the slider of the rotation weight, beside the spacing: the slider's knob is
/// as wide as its ends are round.
const BETWEEN_WEIGHTS: f32 = 8.0;

/// What is edited is above, what is told of the frame and the step below. That changes its length with every click and every
/// frame: it has a place of its own, so that no control moves under the pointer.
pub fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.view.light_theme);
    ui.spacing_mut().item_spacing = vec2(8.0, 0.0);
    let (mut edits, mut asks) = (Vec::new(), Vec::new());
    let upper = |ui: &mut Ui| {
        egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| controls(ui, theme, session, &mut edits));
    };
    split(ui, theme, DETAILS, upper, |ui| details(ui, theme, session, &mut asks));
    actions.append(&mut edits);
    actions.append(&mut asks);
}

/// What is selected, and the solver.
fn controls(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    if session.chain_focus().is_some() {
        return crate::tools::chains::pane::show(ui, session, actions);
    }
    if matches!(session.hands.selection, Selection::Grounding | Selection::Footprints | Selection::FootLock) {
        return crate::tools::ground::pane::show(ui, session, actions);
    }
    if let Selection::Modifier(index, layer) = session.hands.selection {
        return crate::tools::modifiers::pane::show(ui, session, (index, layer), actions);
    }
    let mut editor = Editor { settings: *session.settings(), changed: None, lets_go: false, theme, session };
    title(ui, theme, session);
    match session.hands.selection {
        Selection::Nothing | Selection::Attachments | Selection::RotationsOnly => {
            section(ui, theme, "effector weights", "position, rotation", |ui| weights(ui, &mut editor));
        }
        Selection::Effector(effector) => {
            effector_section(ui, &mut editor, effector, actions);
            if let Some(limb) = effector.node().limb() {
                // Pull, push and reach are edited more often than the gauge is read: it gives them its place.
                chain_section(ui, &mut editor, limb);
                reach_gauge(ui, theme, session, limb, actions);
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
        Selection::ChainIk(_)
        | Selection::Grounding
        | Selection::Footprints
        | Selection::FootLock
        | Selection::Modifier(..) => {}
    }
    solver_section(ui, &mut editor);
    section(ui, theme, "writing", "", |ui| writing(ui, theme, session, actions));
    let Editor { settings, changed, lets_go, .. } = editor;
    if let Some((label, changed)) = changed {
        let mut document = Box::new(session.history.document().with_settings(settings));
        if lets_go {
            for effector in session.selected_effectors().iter() {
                *Arc::make_mut(&mut document.stack.attachments).get_mut(effector) = None;
            }
        }
        actions.push(Action::Edit { label, gesture: changed.gesture, document });
    }
}

/// Two rows that are always there, the formula in a height of its own, and below it what scrolls.
fn details(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    let height = ui.available_height();
    state_row(ui, theme, session, actions);
    why_row(ui, theme, session, actions);
    let is_paused = session.time.is_paused();
    if is_paused && step::has_formula(session) {
        let [least, most] = FORMULA_HEIGHTS;
        step::formula(ui, theme, session, (FORMULA * height).clamp(least, most), actions);
    }
    egui::ScrollArea::vertical().id_salt("details").auto_shrink(false).show(ui, |ui| {
        if is_paused && step::has_formula(session) {
            step::attribution(ui, theme, session, actions);
        }
        off_target(ui, theme, session);
        if session.chain_focus().is_some() {
            crate::tools::chains::pane::results(ui, session);
        }
        if matches!(session.hands.selection, Selection::Grounding | Selection::Footprints | Selection::FootLock) {
            crate::tools::ground::pane::results(ui, session);
        }
        rotations(ui, theme, session);
        if is_paused {
            step::numbers(ui, theme, session);
        }
    });
}

/// Whether this is what was recorded, and the way back to it.
fn state_row(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    match &session.debugger.what_if {
        Some(what_if) => {
            let text =
                format!("what if: {}, {}", counted(what_if.changes.len(), "change"), gap_change(session, what_if));
            let help = format!("{text}\nThe picture differs from what was recorded by the changes made while paused.");
            row_with_buttons(ui, STATE_ROW, RichText::new(text).color(theme.text[0]), &help, |ui| {
                command_button(ui, Command::ShowCompare, true, actions);
                command_button(ui, Command::DropWhatIf, true, actions);
            });
        }
        None => {
            let text = match session.time.is_paused() {
                true => "paused, as recorded: a change shows a what-if",
                false => "live: pause for the formula of each step",
            };
            row_with_buttons(ui, STATE_ROW, RichText::new(text).color(theme.text[2]), text, |_| {});
        }
    }
}

/// How far off the worst was as recorded, and is now.
fn gap_change(session: &Session, what_if: &WhatIf) -> String {
    let focus = session.focus();
    let left = |frame: &Frame| {
        let end = frame.run(focus).map(|run| frame.left(&session.character.rig, focus, Cursor::end(run)));
        end.map_or("–".to_owned(), |left| session.character.length(left))
    };
    let [before, now] = [&what_if.recorded.frame, &session.solved].map(left);
    format!("{} {before} → {now}", session.left_name())
}

/// Why the one that is off target most does not get there: as high whatever there is to say.
fn off_target(ui: &mut Ui, theme: &Theme, session: &Session) {
    let (hint, text) = match (&session.picture.why, session.picture.unwritten) {
        (Some(why), _) => {
            let hint = format!("why is the {} {}?", label(why.effector.key()), why.miss.word());
            (hint, words::why(why, &session.character))
        }
        (None, Some(effector)) => {
            (format!("{}: not written yet", label(effector.key())), words::unwritten(effector, session))
        }
        (None, None) => (String::new(), "nothing is off target".to_owned()),
    };
    section(ui, theme, "off target", &hint, |ui| {
        const HEIGHT: f32 = 64.0;
        let area = egui::ScrollArea::vertical().id_salt("off target").auto_shrink(false);
        area.max_height(HEIGHT).min_scrolled_height(HEIGHT).show(ui, |ui| {
            ui.add(egui::Label::new(RichText::new(text).color(theme.text[1])).wrap());
        });
    });
}

/// Who is off target most, and the change that would help.
fn why_row(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    let Some(why) = &session.picture.why else {
        let text = match session.picture.unwritten {
            Some(effector) => format!("{}: not written yet", label(effector.key())),
            None => "nothing is off target".to_owned(),
        };
        return row_with_buttons(ui, STATE_ROW, RichText::new(text).color(theme.text[2]), "", |_| {});
    };
    let text = format!(
        "{} {}",
        capital(&label(why.effector.key())),
        words::why(why, &session.character).split(':').next().unwrap_or_default()
    );
    row_with_buttons(ui, STATE_ROW, RichText::new(text).color(theme.text[1]), "The text below says why.", |ui| {
        let Some((parameter, value, _)) = why.cure else { return };
        let button = ui.button(format!("try {} {}", parameter.label(), words::decimals(value)));
        if button.help(parameter.parameter.help).clicked() {
            actions.push(Action::Sweep(SweepAction::TakeValues(vec![(parameter, value)])));
        }
    });
}

/// Settings being edited, and what of them changed in this frame.
struct Editor<'a> {
    settings: Settings,
    changed: Option<(String, Changed)>,
    /// The selected effectors aim at their own bones again: what is attached of them is detached.
    lets_go: bool,
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
    let (node, name, what) = match session.hands.selection {
        Selection::Nothing => {
            let what =
                session.begun.scene.map_or("click a ring in the picture, or a name on the left", |scene| scene.purpose);
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
        Selection::Attachments => {
            (None, "Attachments".to_owned(), "targets follow the bone or effector that they are attached to".to_owned())
        }
        Selection::RotationsOnly => (
            None,
            "Rotations only".to_owned(),
            "bones below the pelvis keep their distance from their parents".to_owned(),
        ),
        Selection::ChainIk(_)
        | Selection::Grounding
        | Selection::Footprints
        | Selection::FootLock
        | Selection::Modifier(..) => (None, String::new(), String::new()),
    };
    heading(ui, theme, &name, &what, |ui| {
        if let Some(node) = node {
            let (rect, _) = ui.allocate_exact_size(vec2(12.0, 12.0), Sense::hover());
            ui.painter().add(node_mark(theme, node, rect.center(), 5.0, Stroke::NONE));
        }
    });
}

/// Rotation of the selected bone in the picture, as numbers.
fn rotations(ui: &mut Ui, theme: &Theme, session: &Session) {
    let node = match session.hands.selection {
        Selection::Effector(effector) => effector.node(),
        Selection::Chain(chain) => chain.limb().map_or(Node::Body, |limb| Node::of_limb(limb)[0]),
        Selection::BendGoal(limb) => Node::of_limb(limb)[1],
        Selection::Nothing
        | Selection::ChainIk(_)
        | Selection::Attachments
        | Selection::Grounding
        | Selection::Footprints
        | Selection::FootLock
        | Selection::RotationsOnly
        | Selection::Modifier(..) => return,
    };
    let (skeleton, pose) = (&session.character.model.skeleton, &session.picture.pose.bones);
    let Some(bone) = session.character.rig.full_body.as_ref().ok().map(|solver| solver.bone_of(node)) else { return };
    let Some(world) = pose.get(bone).map(|bone| bone.rotation) else { return };
    let parent = skeleton.parent(bone).and_then(|parent| pose.get(parent));
    let local = parent.map_or(world, |parent| parent.rotation.conjugate() * world);
    let name = &skeleton.bones()[bone].name;
    section(ui, theme, "bone rotation", name, |ui| {
        for (space, rotation, of) in
            [("world", world, "model space"), ("local", local, "the space of the bone's parent")]
        {
            let (x, y, z) = rotation.to_euler(EulerRot::XYZ);
            let degrees = [x, y, z].map(|angle| words::unsigned_zero(format!("{:.1}°", angle.to_degrees())));
            let response = number_row(ui, theme, None, &format!("{space} XYZ"), &degrees, None);
            let text = format!("{space} XYZ {}", degrees.join(" "));
            response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, &text));
            response.help(format!("{name} in {of}: Euler angles, turned about x, then the new y, then the new z."));
            let numbers = rotation.to_array().map(|number| format!("{number:.4}"));
            let response = number_row(ui, theme, None, "xyzw", &numbers, None);
            let text = format!("{space} xyzw {}", numbers.join(" "));
            response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, &text));
            response.help(format!("{name} in {of}: quaternion."));
        }
    });
}

fn effector_section(ui: &mut Ui, editor: &mut Editor, effector: Effector, actions: &mut Vec<Action>) {
    let theme = editor.theme;
    let speed = editor.session.character.height * 0.002;
    let place = |ui: &mut Ui, key: &str, label: &str, value: &mut [f32; 3], unit: &'static str, speed: f32| {
        let row = ui.scope(|ui| vector(ui, theme, label, value, unit, speed));
        if let Some(field) = EffectorSettings::FIELDS.iter().find(|field| field.key == key) {
            jump::land(&row.response, field);
        }
        row.inner
    };
    section(ui, theme, &format!("effector {}", label(effector.key())), "", |ui| {
        let own_label = |what: &str| format!("{} {what}", label(effector.key()));
        let shown = editor.session.state().map(|state| state.node(effector.node())).unwrap_or_default();
        let rotation = editor.session.shown_rotation(effector);

        let before = editor.settings.effector(effector).position.unwrap_or(shown).to_array();
        let mut position = before;
        let changed = place(ui, "position", "position", &mut position, "m", speed);
        // A field that was only gone through reports a change too.
        if changed.is_some() && position != before {
            // As where the ring is dragged, weight and the name of the edit included.
            let handle = HandleId::Effector(effector);
            handles::place(&mut editor.settings, handle, Vec3::from_array(position));
            editor.note(&format!("move {}", words::handle_label(handle)), changed);
        }
        // Only hands and feet take a rotation: that of the others comes of where the nodes are.
        if effector.limb().is_some() {
            let own_rotation = editor.settings.effector(effector).rotation.unwrap_or(rotation);
            let (x, y, z) = own_rotation.to_euler(EulerRot::XYZ);
            let before = [x, y, z].map(f32::to_degrees);
            let mut degrees = before;
            let changed = place(ui, "rotation", "rotation", &mut degrees, "°", 0.5);
            if changed.is_some() && degrees != before {
                let [x, y, z] = degrees.map(f32::to_radians);
                handles::turn(&mut editor.settings, effector, Quat::from_euler(EulerRot::XYZ, x, y, z));
                editor.note(&format!("turn {}", label(effector.key())), changed);
            }
        }
        let mut offset = editor.settings.effector(effector).position_offset.to_array();
        let changed = place(ui, "position_offset", "offset", &mut offset, "m", speed);
        if changed.is_some() {
            editor.settings.effector_mut(effector).position_offset = Vec3::from_array(offset);
            editor.note(&own_label("offset"), changed);
        }
        ui.horizontal(|ui| {
            ui.set_height(24.0);
            row_label(ui, theme, "attached to");
            let width = ui.available_width().clamp(60.0, 180.0);
            attached_to(ui, editor.session, Attached::Effector(effector), width, actions);
        });
        for info in EffectorSettings::PARAMETERS {
            // Only ends of limbs have a plane to go with, and a rotation.
            if ["maintain_relative_position", "rotation_weight"].contains(&info.key) && effector.limb().is_none() {
                continue;
            }
            let changed = parameter(ui, theme, info, editor.settings.effector_mut(effector));
            editor.note(&own_label(&label(info.key)), changed);
        }
        ui.horizontal(|ui| {
            ui.set_height(26.0);
            let own = *editor.settings.effector(effector);
            // The button stays where it is, whatever the text says.
            let has_own = own.position.is_some() || own.rotation.is_some();
            let release = ui.add_enabled(has_own, egui::Button::new("let go"));
            if release.help("Aim at the bone of the animated pose again.").clicked() {
                let own = editor.settings.effector_mut(effector);
                (own.position, own.rotation) = (None, None);
                editor.lets_go = true;
                editor.note_single(&own_label("let go"));
            }
            let target = Attached::Effector(effector);
            let text = match (editor.session.stack().attachment(target), own.position, own.rotation) {
                (Some(own), ..) => words::attachment(own),
                (None, None, None) => "aims at its own bone".to_owned(),
                (None, Some(_), None) => "aims at a point of its own".to_owned(),
                (None, None, Some(_)) => "aims at a rotation of its own".to_owned(),
                (None, Some(_), Some(_)) => "aims at point and rotation of its own".to_owned(),
            };
            ui.add(egui::Label::new(RichText::new(text).color(theme.text[1])).truncate());
        });
    });
}

fn chain_section(ui: &mut Ui, editor: &mut Editor, limb: LimbName) {
    let theme = editor.theme;
    let chain_label = |what: &str| format!("{} {what}", limb.label());
    section(ui, theme, &format!("chain {}", limb.label()), "", |ui| {
        for info in ChainSettings::PARAMETERS {
            let changed = parameter(ui, theme, info, editor.settings.chain_mut(limb));
            editor.note(&chain_label(&label(info.key)), changed);
            if info.key == "push_parent" {
                smoothing(ui, editor, limb, "push smoothing", |chain| &mut chain.push_smoothing);
            }
            if info.key == "reach" {
                smoothing(ui, editor, limb, "reach smoothing", |chain| &mut chain.reach_smoothing);
                scale_free_reach(ui, editor, limb);
            }
            if info.key == "bend_weight" {
                bend(ui, editor, limb);
            }
        }
    });
}

/// Whether reach is the same in every unit, and whether that matters here.
fn scale_free_reach(ui: &mut Ui, editor: &mut Editor, limb: LimbName) {
    let theme = editor.theme;
    let chain = editor.settings.chain_mut(limb);
    let help = "Reach is held to the limb's stretch instead of its length in model units. The sources do the latter, so that \
                the same character reaches otherwise in centimetres.";
    let mut on = chain.scale_free_reach;
    const FIELD: &Field = find_field(ChainSettings::FIELDS, "scale_free_reach");
    let is_changed = ui.checkbox(&mut on, "same in every unit").setting(FIELD, help).changed();
    chain.scale_free_reach = on;
    let is_default = chain.reach == ChainSettings::default().reach;
    if is_changed {
        editor.note(&format!("{} reach in every unit", limb.label()), Some(Changed { gesture: None }));
    }
    let problem = scale_problem(&editor.session.character).filter(|_| !on && !is_default);
    if problem.is_some() {
        let text = format!(
            "{} reach depends on the unit, and this character is not in metres: what is tuned here comes out otherwise there",
            icon::WARNING
        );
        ui.add(egui::Label::new(RichText::new(text).color(theme.warning)).wrap());
    }
}

fn smoothing(
    ui: &mut Ui,
    editor: &mut Editor,
    limb: LimbName,
    what: &str,
    field: impl Fn(&mut kinescope_ik::full_body::ChainSettings) -> &mut Smoothing,
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
        let help = "How a small force is weakened: none as it is, exponential squared, cubic to the third power.";
        if let Some(field) = ChainSettings::FIELDS.iter().find(|field| label(field.key) == what) {
            response.response.setting(field, help);
        }
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
        kinescope_ik::full_body::draw::suggested_bend_goal(&editor.session.body_frame(), &state, limb, height * 0.14)
    });
    ui.horizontal(|ui| {
        ui.set_height(24.0);
        const GOAL: &Field = find_field(ChainSettings::FIELDS, "bend_goal");
        const DIRECTION: &Field = find_field(ChainSettings::FIELDS, "bend_direction");
        let text = ui.label(RichText::new("bend to").color(theme.text[1]));
        let sources = [GOAL.sources, DIRECTION.sources].concat();
        let help = format!("What elbow or knee turn to.{}", jump::source_lines(&sources));
        let text = text.help(RichText::new(help));
        jump::land(&text, GOAL);
        jump::land(&text, DIRECTION);
        let chain = *editor.settings.chain(limb);
        let current = (chain.bend_goal.is_some(), chain.bend_direction.is_some());
        let mut chosen = if current.0 { 1 } else { usize::from(current.1) * 2 };
        let before = chosen;
        for (index, name, help) in [
            (0, "nothing", "Elbow or knee follow animation and effector rotation."),
            (1, "goal", "A point, which others call a pole vector: drag the diamond in the picture."),
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
        // Its row is kept free, so that what is below stays where it is.
        (None, None) => return no_vector(ui),
    };
    let mut value = slot.to_array();
    let changed = vector(ui, theme, name, &mut value, unit, height * 0.002);
    if changed.is_none() || value == slot.to_array() {
        return;
    }
    *slot = Vec3::from_array(value);
    match chain.bend_goal {
        Some(goal) => {
            let handle = HandleId::BendGoal(limb);
            handles::place(&mut editor.settings, handle, goal);
            editor.note(&format!("move {}", words::handle_label(handle)), changed);
        }
        None => editor.note(&format!("{} bend {name}", limb.label()), changed),
    }
}

fn pin_section(ui: &mut Ui, editor: &mut Editor) {
    let theme = editor.theme;
    section(ui, theme, "chain body", "", |ui| {
        for info in Settings::PARAMETERS {
            let changed = parameter(ui, theme, info, &mut editor.settings);
            editor.note(&format!("body {}", label(info.key)), changed);
        }
    });
}

fn solver_section(ui: &mut Ui, editor: &mut Editor) {
    let theme = editor.theme;
    section(ui, theme, "solver", "", |ui| {
        for info in SolverSettings::PARAMETERS {
            let changed = parameter(ui, theme, info, &mut editor.settings.solver);
            editor.note(&label(info.key), changed);
            if info.key == "iterations" {
                let mut pass = editor.settings.solver.fabrik_pass;
                ui.horizontal(|ui| {
                    ui.set_height(22.0);
                    row_label(ui, theme, "fabrik pass");
                    let help = "Off: limbs and torso do not pull each other; each limb is solved alone.";
                    const FIELD: &Field = find_field(SolverSettings::FIELDS, "fabrik_pass");
                    if ui.checkbox(&mut pass, "").setting(FIELD, help).changed() {
                        editor.settings.solver.fabrik_pass = pass;
                        editor.note_single("fabrik pass");
                    }
                });
            }
        }
    });
}

/// Whether bones below the pelvis get positions.
fn writing(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.set_height(22.0);
        row_label(ui, theme, "rotations only");
        let mut on = session.stack().order.rotations_only;
        let help = "Bones below the pelvis get rotations alone and keep their distance from their parents, as for rigs whose \
                    clips have no positions. Hands and feet miss their targets by what the torso would have stretched.";
        if ui.checkbox(&mut on, "").help(help).changed() {
            let document = session.history.document();
            let mut stack = document.stack.clone();
            stack.order.rotations_only = on;
            let document = Box::new(document.with_stack(stack));
            actions.push(Action::Edit { label: "rotations only".to_owned(), gesture: None, document });
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
            ui.spacing_mut().slider_width = ((width - name_width - 94.0 - BETWEEN_WEIGHTS) / 2.0).clamp(14.0, 160.0);
            ui.spacing_mut().item_spacing.x = 4.0;
            // A rotation is for hands and feet.
            for (index, info) in
                EffectorSettings::PARAMETERS[..if effector.limb().is_some() { 2 } else { 1 }].iter().enumerate()
            {
                if index > 0 {
                    ui.add_space(BETWEEN_WEIGHTS);
                }
                let mut value = editor.settings.effector(effector).number(info.key).unwrap_or(info.default);
                let name = format!("{} {}", label(effector.key()), label(info.key));
                let response = crate::ui::widgets::slider(ui, theme, &name, &mut value, info.range(), info);
                let response = response.help(format!("{}\n{name} {value:.2}", info.help));
                if response.changed() {
                    editor.settings.effector_mut(effector).set_number(info.key, value);
                    editor.note(&name, Some(Changed::of(&response)));
                }
                ui.label(RichText::new(format!("{value:.2}")).monospace());
            }
        });
    }
}

/// From bent to straight, with the zone in which reach sets in, and the target.
fn reach_gauge(ui: &mut Ui, theme: &Theme, session: &Session, limb: LimbName, actions: &mut Vec<Action>) {
    let frame = session.body_frame();
    let read = frame.limb(limb);
    if read.length <= 0.0 {
        return;
    }
    // As the bones are: a node may be further off than the limb is long.
    let Some(bones) = session.character.detection.biped.as_ref().map(|biped| biped.limb(limb).bones) else { return };
    let [first, _, last] = bones.map(|bone| session.picture.pose.position(bone));
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
            let help = "Try thousands of targets: everywhere this hand or foot gets, as a surface.";
            let is_idle = session.debugger.reach.job.is_none();
            if ui.add_enabled(is_idle, egui::Button::new("reachable volume")).help(help).clicked() {
                actions.push(Action::ReachOf(limb));
            }
            match &session.debugger.reach.job {
                Some(job) => {
                    command_button(ui, Command::CancelJobs, true, actions);
                    let width = ui.available_width().clamp(30.0, 120.0);
                    ui.add(egui::ProgressBar::new(job.progress()).desired_width(width).show_percentage());
                }
                None => {
                    if session.debugger.reach.volume.is_some() {
                        command_button(ui, Command::ForgetVolume, true, actions);
                        if let Some(why) = session.reach_is_stale() {
                            ui.label(RichText::new(format!("{} out of date", icon::WARNING)).color(theme.warning))
                                .help(format!("{why}. V computes it again."));
                        }
                    }
                }
            }
        });
    });
}
