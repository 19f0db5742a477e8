use egui_macroquad::egui::{self, RichText, Sense, Stroke, Ui, vec2};
use glam::{EulerRot, Quat, Vec3};

use super::Editor;
use crate::session::{Action, Selection, Session};
use crate::tools::learn::links::lesson_of_selection;
use crate::tools::learn::pane::{LessonOn, lesson_icon};
use crate::tools::pose::attach::attached_to;
use crate::tools::pose::handles::{self, HandleId};
use crate::tools::pose::words as text;
use crate::ui::help::Help;
use crate::ui::jump::{self};
use crate::ui::theme::{Theme, node_mark};
use crate::ui::widgets::{heading, number_row, parameter, row_label, section, vector};
use crate::ui::words::{self, capital};
use kinescope_ik::full_body::{Effector, EffectorSettings, Node};
use kinescope_ik::key::label;
use kinescope_ik::stack::Attached;

pub(super) fn title(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    let (node, name, what) = match session.interaction.selection {
        Selection::Nothing => {
            let what = session.started_scene.scene.map_or(text::HOW_TO_SELECT, |scene| scene.purpose);
            (None, text::NOTHING_SELECTED.to_owned(), what.to_owned())
        }
        Selection::Effector(effector) => {
            let what = match effector.limb() {
                Some(limb) => text::end_effector_of(&limb.label()),
                None => text::EFFECTOR.to_owned(),
            };
            let what = match session.selected_effectors().len() {
                1 => what,
                several => text::and_more(&(several - 1)),
            };
            (Some(effector.node()), capital(&label(effector.key())), what)
        }
        Selection::Chain(chain) => {
            let node = chain.limb().map_or(Node::Body, |limb| Node::of_limb(limb)[0]);
            (Some(node), capital(&label(chain.key())), text::chain_section(&(chain as usize)))
        }
        Selection::BendGoal(limb) => (Some(Node::of_limb(limb)[1]), capital(limb.label()), text::BEND_GOAL.to_owned()),
        Selection::Layer(layer) if layer.index().is_none() => {
            (None, capital(&layer.label()), words::as_hint(layer.sentence()))
        }
        Selection::Layer(_) | Selection::Modifier(..) => (None, String::new(), String::new()),
    };
    heading(ui, theme, &name, &what, |ui| {
        if let Some(node) = node {
            let (rect, _) = ui.allocate_exact_size(vec2(12.0, 12.0), Sense::hover());
            ui.painter().add(node_mark(theme, node, rect.center(), 5.0, Stroke::NONE));
        }
        lesson_icon(ui, lesson_of_selection(session.interaction.selection), LessonOn::Selection, actions);
    });
}

pub(super) fn rotations(ui: &mut Ui, theme: &Theme, session: &Session) {
    let node = match session.interaction.selection {
        Selection::Effector(effector) => effector.node(),
        Selection::Chain(chain) => chain.limb().map_or(Node::Body, |limb| Node::of_limb(limb)[0]),
        Selection::BendGoal(limb) => Node::of_limb(limb)[1],
        Selection::Nothing | Selection::Layer(_) | Selection::Modifier(..) => return,
    };
    let (skeleton, pose) = (&session.world.character.model.skeleton, &session.world.picture.pose.bones);
    let Some(bone) = session.world.character.rig.full_body.as_ref().ok().map(|solver| solver.bone_of(node)) else {
        return;
    };
    let Some(world) = pose.get(bone).map(|bone| bone.rotation) else { return };
    let parent = skeleton.parent(bone).and_then(|parent| pose.get(parent));
    let local = parent.map_or(world, |parent| parent.rotation.conjugate() * world);
    let name = &skeleton.bones()[bone].name;
    section(ui, theme, text::BONE_ROTATION, name, |ui| {
        for (space, rotation, of) in
            [(text::WORLD_SPACE, world, text::MODEL_SPACE), (text::LOCAL_SPACE, local, text::PARENT_SPACE)]
        {
            let (x, y, z) = rotation.to_euler(EulerRot::XYZ);
            let degrees = [x, y, z].map(|angle| words::unsigned_zero(format!("{:.1}°", angle.to_degrees())));
            let response = number_row(ui, theme, None, &text::euler_title(&space), &degrees, None);
            let text = text::euler_copied(&space, &degrees.join(" "));
            response.describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, &text));
            response.help(text::euler_help(&name, &of));
            let numbers = rotation.to_array().map(|number| format!("{number:.4}"));
            let response = number_row(ui, theme, None, "xyzw", &numbers, None);
            let text = text::quaternion_copied(&space, &numbers.join(" "));
            response.describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, &text));
            response.help(text::quaternion_help(&name, &of));
        }
    });
}

pub(super) fn effector_section(ui: &mut Ui, editor: &mut Editor, effector: Effector, actions: &mut Vec<Action>) {
    let theme = editor.theme;
    let speed = editor.session.world.character.height * 0.002;
    let place = |ui: &mut Ui, key: &str, label: &str, value: &mut [f32; 3], unit: &'static str, speed: f32| {
        let row = ui.scope(|ui| vector(ui, theme, label, value, unit, speed));
        if let Some(field) = EffectorSettings::FIELDS.iter().find(|field| field.key == key) {
            jump::land(&row.response, field);
        }
        row.inner
    };
    section(ui, theme, &text::effector_section(&label(effector.key())), "", |ui| {
        let own_label = |what: &str| text::edit_effector(&label(effector.key()), &what);
        let shown = editor.session.state().map(|state| state.node(effector.node())).unwrap_or_default();
        let rotation = editor.session.world.shown_rotation(effector);

        let before = editor.settings.effector(effector).position.unwrap_or(shown).to_array();
        let mut position = before;
        let unit = editor.session.world.character.model_unit();
        let changed = place(ui, "position", "position", &mut position, unit, speed);
        // A field also reports a change when it only gets the focus.
        if changed.is_some() && position != before {
            // A typed position is set as if its ring were dragged, with the same weight and the same undo label.
            let handle = HandleId::Effector(effector);
            handles::place(&mut editor.settings, handle, Vec3::from_array(position));
            editor.note(&text::edit_move(&handle.name()), changed);
        }
        // Only hands and feet take a rotation. Other rotations follow from node positions.
        if effector.limb().is_some() {
            let own_rotation = editor.settings.effector(effector).rotation.unwrap_or(rotation);
            let (x, y, z) = own_rotation.to_euler(EulerRot::XYZ);
            let before = [x, y, z].map(f32::to_degrees);
            let mut degrees = before;
            let changed = place(ui, "rotation", "rotation", &mut degrees, "°", 0.5);
            if changed.is_some() && degrees != before {
                let [x, y, z] = degrees.map(f32::to_radians);
                handles::turn(&mut editor.settings, effector, Quat::from_euler(EulerRot::XYZ, x, y, z));
                editor.note(&text::edit_turn(&label(effector.key())), changed);
            }
        }
        let mut offset = editor.settings.effector(effector).position_offset.to_array();
        let changed = place(ui, "position_offset", "offset", &mut offset, unit, speed);
        if changed.is_some() {
            editor.settings.effector_mut(effector).position_offset = Vec3::from_array(offset);
            editor.note(&own_label(text::OFFSET), changed);
        }
        ui.horizontal(|ui| {
            ui.set_height(24.0);
            row_label(ui, theme, text::ATTACHED_TO);
            let width = ui.available_width().clamp(60.0, 180.0);
            attached_to(ui, editor.session, Attached::Effector(effector), width, actions);
        });
        for info in EffectorSettings::PARAMETERS {
            // Only hands and feet have these weights.
            if ["maintain_relative_position", "rotation_weight"].contains(&info.key) && effector.limb().is_none() {
                continue;
            }
            let changed = parameter(ui, theme, info, editor.settings.effector_mut(effector));
            editor.note(&own_label(&label(info.key)), changed);
        }
        ui.horizontal(|ui| {
            ui.set_height(26.0);
            let own = *editor.settings.effector(effector);
            // The button is always shown, and disabled without a target, so that nothing moves.
            let has_own = own.position.is_some() || own.rotation.is_some();
            let release = ui.add_enabled(has_own, egui::Button::new(text::LET_GO));
            if release.help(text::LET_GO_HELP).clicked() {
                let own = editor.settings.effector_mut(effector);
                (own.position, own.rotation) = (None, None);
                editor.is_released = true;
                editor.note_single(&own_label(text::RELEASE));
            }
            let target = Attached::Effector(effector);
            let text = match (editor.session.world.stack().attachment(target), own.position, own.rotation) {
                (Some(own), ..) => words::offset(own, unit),
                (None, None, None) => text::AIMS_AT_BONE.to_owned(),
                (None, Some(_), None) => text::AIMS_AT_POINT.to_owned(),
                (None, None, Some(_)) => text::AIMS_AT_ROTATION.to_owned(),
                (None, Some(_), Some(_)) => text::AIMS_AT_BOTH.to_owned(),
            };
            ui.add(egui::Label::new(RichText::new(text).color(theme.text[1])).truncate());
        });
    });
}
