use egui_macroquad::egui::{self, RichText, Ui};
use egui_phosphor::regular as icon;
use glam::Vec3;

use crate::session::{Action, Selection, Session};
use crate::system::order::sort_by;
use crate::tools::modifiers::session::ModifierAction;
use crate::tools::modifiers::words as text;
use crate::tools::motion::pane::{Editor, labelled, name_list};
use crate::tools::pose::attach::attached_to;
use crate::ui::help::Help;
use crate::ui::number::Number;
use crate::ui::theme::{Theme, semibold};
use crate::ui::widgets::{Changed, no_vector, number_row, parameter, section, segmented, vector};
use crate::ui::words::{self, capital, counted};
use kinescope_ik::attach::Attachment;
use kinescope_ik::full_body::{Effector, Node};
use kinescope_ik::grounding::Side;
use kinescope_ik::key::label;
use kinescope_ik::modifiers::{Aims, Head, HeadBone, Key, Keyed, LookAt, Modifier, ReachFor, Recoil, TwoHandedGrip};
use kinescope_ik::parameter::Unit;
use kinescope_ik::rig::LimbName;
use kinescope_ik::stack::{Attached, LayerId};

pub(crate) fn show(ui: &mut Ui, session: &Session, (index, layer): (usize, LayerId), actions: &mut Vec<Action>) {
    let theme = Theme::of(session.look.view.light_theme);
    let mut editor = Editor::new(session, theme);
    let Some(mut modifier) = editor.document.stack.modifiers.get(index).cloned() else {
        ui.label(RichText::new(text::GONE).color(theme.text[1]));
        return;
    };
    let before = modifier.clone();
    let mut changed: Option<(String, Changed)> = None;
    title(ui, theme, (index, layer, &mut modifier), &mut changed, actions);
    own(ui, session, index, &mut modifier, &mut changed, actions);
    section(ui, theme, text::NUMBERS, text::RESET_HINT, |ui| {
        for info in before.parameters().parameters() {
            if let Some(own) = parameter(ui, theme, info, modifier.parameters_mut()) {
                changed = Some((label(info.key), own));
            }
        }
    });
    if let Some((what, own)) = changed {
        std::sync::Arc::make_mut(&mut editor.document.stack.modifiers)[index] = modifier;
        editor.note(&text::name_and_what(&before.name(), &what), Some(own));
    }
    editor.finish(actions);
}

const SINGLE: Changed = Changed { gesture: None };

type Noted = Option<(String, Changed)>;

fn title(
    ui: &mut Ui,
    theme: &Theme,
    (index, layer, modifier): (usize, LayerId, &mut Modifier),
    changed: &mut Noted,
    actions: &mut Vec<Action>,
) {
    ui.horizontal(|ui| {
        ui.set_height(30.0);
        ui.add_space(12.0);
        let name = text::name_and_number(&capital(modifier.name()), &(index + 1));
        ui.label(RichText::new(name).size(14.0).family(semibold()));
        let mut on = modifier.is_on();
        if ui.checkbox(&mut on, text::ON).help(text::ON_HELP).changed() {
            modifier.switch(on);
            *changed = Some((text::EDIT_ON.to_owned(), SINGLE));
        }
        if let Some(what) = modifier.trigger_label() {
            let button = egui::Button::new(format!("{} {what}", icon::LIGHTNING));
            if ui.add_enabled(on, button).help(text::TRIGGER_HELP).clicked() {
                actions.push(Action::Modifiers(ModifierAction::Trigger(index)));
            }
        }
    });
    egui::Frame::new().inner_margin(egui::Margin { left: 12, right: 8, top: 0, bottom: 6 }).show(ui, |ui| {
        ui.add(egui::Label::new(RichText::new(modifier.sentence()).color(theme.text[1])).wrap());
        phases(ui, theme, index, layer, actions);
    });
}

fn own(
    ui: &mut Ui,
    session: &Session,
    index: usize,
    modifier: &mut Modifier,
    changed: &mut Noted,
    actions: &mut Vec<Action>,
) {
    let theme = Theme::of(session.look.view.light_theme);
    match modifier {
        Modifier::Recoil(own) => section(ui, theme, text::WEAPON, "", |ui| recoil(ui, theme, own, changed)),
        Modifier::TwoHandedGrip(own) => {
            section(ui, theme, text::GRIP, "", |ui| two_handed_grip(ui, session, index, own, changed));
        }
        Modifier::HitReaction(_) => section(ui, theme, text::STRIKE, "", |ui| strike(ui, session, actions)),
        Modifier::LookAt(own) => {
            section(ui, theme, text::TARGET, text::DRAG_RING, |ui| look_at(ui, session, index, own, changed, actions));
        }
        Modifier::ReachFor(own) => {
            section(ui, theme, text::POINT, text::DRAG_RING, |ui| reach_for(ui, session, index, own, changed, actions));
        }
        Modifier::Keyed(own) => {
            let count: usize = own.tracks.iter().map(|track| track.keys.len()).sum();
            let hint = counted(count, "key");
            section(ui, theme, text::KEYS, &hint, |ui| keyed(ui, session, index, own, changed, actions));
        }
        Modifier::Head(own) => {
            section(ui, theme, text::TARGET, text::DRAG_RING, |ui| head(ui, session, own, changed));
            section(ui, theme, text::BEND_BONES, text::BEND_BONES_COLUMNS, |ui| bend_bones(ui, session, own, changed));
        }
        Modifier::FourBones(_) => section(ui, theme, text::JOINTS, text::JOINTS_HINT, |ui| joints(ui, session)),
        Modifier::Inertia(_) | Modifier::Breathing(_) | Modifier::ArmBending(_) => {}
    }
}

/// Lists the bones of fourth joints. The solver places only three joints of a limb.
fn joints(ui: &mut Ui, session: &Session) {
    let theme = Theme::of(session.look.view.light_theme);
    let character = &session.world.character;
    let inner = character.rig.figure.as_ref().map_or([None; 4], |figure| figure.inner);
    for (limb, bone) in LimbName::ALL.into_iter().zip(inner) {
        let Some(bone) = bone else { continue };
        let name = &character.model.skeleton.bones()[bone].name;
        let mark = Some(Node::of_limb(limb)[2]);
        number_row(ui, theme, mark, &capital(limb.label()), std::slice::from_ref(name), None).help(text::JOINT_HELP);
    }
    if inner == [None; 4] {
        let text = text::NO_FOURTH_JOINT;
        ui.add(egui::Label::new(RichText::new(text).color(theme.text[1])).wrap());
    }
}

fn recoil(ui: &mut Ui, theme: &Theme, own: &mut Recoil, changed: &mut Noted) {
    labelled(ui, theme, text::FIRES, |ui| {
        let help = text::FIRES_HELP.to_owned();
        let options = [(Side::Left, text::LEFT_HAND, help.clone()), (Side::Right, text::RIGHT_HAND, help)];
        if let Some(hand) = segmented(ui, theme, own.hand, &options) {
            own.hand = hand;
            *changed = Some((text::EDIT_HAND.to_owned(), SINGLE));
        }
        let help = text::BOTH_HELP;
        if ui.checkbox(&mut own.both_hands, text::BOTH).help(help).changed() {
            *changed = Some((text::EDIT_HANDS.to_owned(), SINGLE));
        }
    });
}

fn two_handed_grip(ui: &mut Ui, session: &Session, index: usize, own: &mut TwoHandedGrip, changed: &mut Noted) {
    let theme = Theme::of(session.look.view.light_theme);
    labelled(ui, theme, text::CARRIES, |ui| {
        let help = text::CARRIES_HELP.to_owned();
        let options = [(Side::Left, text::LEFT_HAND, help.clone()), (Side::Right, text::RIGHT_HAND, help)];
        if let Some(hand) = segmented(ui, theme, own.hand, &options) {
            own.hand = hand;
            *changed = Some((text::EDIT_HAND.to_owned(), SINGLE));
        }
    });
    let suggested = session.world.grip_as_shown(own);
    let before = own.position.is_some();
    let help = text::GRIP_HELP;
    place(ui, session, ("grip", help), &mut own.position, suggested.position, changed);
    if before != own.position.is_some() {
        own.rotation = own.position.map(|_| suggested.rotation);
    }
    if let Some(hold) = session.world.hold(index) {
        let text = words::hold(&hold, &session.world.character);
        egui::Frame::new().inner_margin(egui::Margin { left: 12, right: 8, top: 2, bottom: 4 }).show(ui, |ui| {
            ui.add(egui::Label::new(RichText::new(text).color(theme.text[1])).wrap());
        });
    }
}

fn strike(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.look.view.light_theme);
    labelled(ui, theme, text::BY_HAND, |ui| {
        let mut strikes = session.interaction.strikes;
        let help = text::STRIKES_HELP;
        if ui.checkbox(&mut strikes, text::STRIKES).help(help).changed() {
            actions.push(Action::Modifiers(ModifierAction::Strikes(strikes)));
        }
    });
}

fn place(
    ui: &mut Ui,
    session: &Session,
    names: (&str, &str),
    at: &mut Option<Vec3>,
    suggested: Vec3,
    changed: &mut Noted,
) {
    let character = &session.world.character;
    let coordinates = (text::AT, character.model_unit(), character.height * 0.002);
    optional_vector(ui, session, names, coordinates, (at, suggested), changed);
}

/// Shows a vector that may be set or not. `coordinates` are their label, unit, and change per pixel of dragging.
fn optional_vector(
    ui: &mut Ui,
    session: &Session,
    (name, what): (&str, &str),
    (coordinates, unit, speed): (&str, &'static str, f32),
    (at, suggested): (&mut Option<Vec3>, Vec3),
    changed: &mut Noted,
) {
    let theme = Theme::of(session.look.view.light_theme);
    // The button is above the coordinates, so that it stays in place whether the vector is set or not.
    labelled(ui, theme, name, |ui| match at {
        Some(_) => {
            if ui.button(text::no_place(&name.to_lowercase())).help(text::NO_PLACE_HELP).clicked() {
                *at = None;
                *changed = Some((name.to_owned(), SINGLE));
            }
        }
        None => {
            if ui.button(text::set_place(&name)).help(what).clicked() {
                *at = Some(suggested);
                *changed = Some((name.to_owned(), SINGLE));
            }
        }
    });
    match at {
        Some(own) => {
            let mut value = own.to_array();
            if let Some(own_change) = vector(ui, theme, coordinates, &mut value, unit, speed) {
                *own = Vec3::from_array(value);
                *changed = Some((name.to_owned(), own_change));
            }
        }
        None => no_vector(ui),
    }
}

/// Shows the coordinates of a target in the frame shown. If the target is attached, an edit changes its offset from the
/// anchor.
fn attached_place(
    ui: &mut Ui,
    session: &Session,
    (index, name, what, suggested): (usize, &str, &str, Vec3),
    (at, attached): (&mut Option<Vec3>, &mut Option<Attachment>),
    changed: &mut Noted,
    actions: &mut Vec<Action>,
) {
    let theme = Theme::of(session.look.view.light_theme);
    let target = Attached::Modifier(index);
    let mut shown = if attached.is_some() { session.world.stack().target(target).0 } else { *at };
    let before = shown;
    place(ui, session, (name, what), &mut shown, suggested, changed);
    if shown != before {
        *at = shown;
        match shown {
            Some(place) => session.world.move_attached(attached, place),
            None => *attached = None,
        }
    }
    labelled(ui, theme, text::ATTACHED_TO, |ui| {
        attached_to(ui, session, target, ui.available_width().clamp(60.0, 180.0), actions);
    });
}

fn look_at(
    ui: &mut Ui,
    session: &Session,
    index: usize,
    own: &mut LookAt,
    changed: &mut Noted,
    actions: &mut Vec<Action>,
) {
    let theme = Theme::of(session.look.view.light_theme);
    let what = (index, "target", text::LOOK_TARGET_HELP, session.world.in_front());
    attached_place(ui, session, what, (&mut own.target, &mut own.attached), changed, actions);
    labelled(ui, theme, text::AIMS, |ui| {
        let options = Aims::ALL.map(|aims| (aims, aims.label(), text::aims_help(&aims.label())));
        if let Some(aims) = segmented(ui, theme, own.aims, &options) {
            own.aims = aims;
            *changed = Some((text::EDIT_AIMS.to_owned(), SINGLE));
        }
    });
}

fn effector_list(ui: &mut Ui, name: &str, effector: &mut Effector) -> bool {
    let before = *effector;
    let now = label(effector.key());
    let combo = egui::ComboBox::from_id_salt(name).selected_text(&now).width(120.0);
    let list = combo.show_ui(ui, |ui| {
        for option in Effector::ALL {
            ui.selectable_value(effector, option, label(option.key()));
        }
    });
    name_list(&list.response, name, &now);
    *effector != before
}

fn reach_for(
    ui: &mut Ui,
    session: &Session,
    index: usize,
    own: &mut ReachFor,
    changed: &mut Noted,
    actions: &mut Vec<Action>,
) {
    let theme = Theme::of(session.look.view.light_theme);
    labelled(ui, theme, text::REACHES, |ui| {
        if effector_list(ui, text::NAME_EFFECTOR, &mut own.effector) {
            *changed = Some((text::EDIT_EFFECTOR.to_owned(), SINGLE));
        }
    });
    if own.effector.limb().is_some() {
        labelled(ui, theme, text::ROTATION, |ui| {
            let mut turned = own.rotation.is_some();
            let help = text::ROTATION_HELP;
            if ui.checkbox(&mut turned, text::SETS_ROTATION).help(help).changed() {
                own.rotation = turned.then(|| session.world.shown_rotation(own.effector));
                match own.rotation {
                    Some(rotation) => session.world.turn_attached(&mut own.attached, rotation),
                    None => own.attached.iter_mut().for_each(|own| own.rotation_offset = None),
                }
                own.rotation_weight = if own.rotation_weight > 0.0 { own.rotation_weight } else { 1.0 };
                *changed = Some((text::EDIT_ROTATION.to_owned(), SINGLE));
            }
        });
    }
    let suggested =
        session.world.bone_position(own.effector) + session.world.ahead() * (session.world.character.height * 0.15);
    let what = (index, "point", text::REACH_POINT_HELP, suggested);
    attached_place(ui, session, what, (&mut own.position, &mut own.attached), changed, actions);
    let from =
        if own.attached.is_some() { session.world.stack().target(Attached::Modifier(index)).0 } else { own.position };
    if let Some(from) = from {
        let suggested = from + session.world.ahead() * (session.world.character.height * 0.1);
        place(ui, session, (text::END_POINT, text::END_POINT_HELP), &mut own.to, suggested, changed);
    }
}

fn keyed(
    ui: &mut Ui,
    session: &Session,
    index: usize,
    own: &mut Keyed,
    changed: &mut Noted,
    actions: &mut Vec<Action>,
) {
    let theme = Theme::of(session.look.view.light_theme);
    let mut effector = session.interaction.keyed;
    labelled(ui, theme, text::TRACK, |ui| {
        if effector_list(ui, text::NAME_TRACK_EFFECTOR, &mut effector) {
            actions.push(Action::Modifiers(ModifierAction::KeyedTrack(effector)));
        }
        let help = text::SET_KEY_HELP;
        if ui.button(text::set_key(&icon::DIAMOND)).help(help).clicked() {
            actions.push(Action::Modifiers(ModifierAction::SetKey(index)));
        }
    });
    labelled(ui, theme, "", |ui| {
        let help = text::IN_WORLD_HELP;
        if ui.checkbox(&mut own.in_world, text::IN_WORLD).help(help).changed() {
            *changed = Some((text::EDIT_SPACE.to_owned(), SINGLE));
        }
    });
    let Some(track) = own.tracks.iter_mut().find(|track| track.effector == effector) else { return };
    let now = session.world.clip_time();
    let mut removed = None;
    for (number, key) in track.keys.iter_mut().enumerate() {
        let is_now = (key.time - now).abs() < 1e-3;
        ui.push_id(("key", number), |ui| key_row(ui, (number, is_now), key, &mut removed, changed, actions));
    }
    if let Some(number) = removed {
        track.keys.remove(number);
        *changed = Some((text::EDIT_REMOVE_KEY.to_owned(), SINGLE));
    }
    let is_ordered = track.keys.is_sorted_by(|a, b| a.time <= b.time);
    if !is_ordered {
        sort_by(&mut track.keys, |a, b| a.time.total_cmp(&b.time));
    }
}

fn key_row(
    ui: &mut Ui,
    (number, is_now): (usize, bool),
    key: &mut Key,
    removed: &mut Option<usize>,
    changed: &mut Noted,
    actions: &mut Vec<Action>,
) {
    ui.horizontal(|ui| {
        ui.set_height(24.0);
        ui.spacing_mut().item_spacing.x = 5.0;
        let go = ui.selectable_label(is_now, format!("{} {}", icon::DIAMOND, number + 1));
        if go.help(text::GO_TO_KEY_HELP).clicked() {
            actions.push(Action::ClipTime(key.time));
        }
        let time = Number::new(&mut key.time).speed(0.01).decimals(2, 3).of(Unit::Seconds);
        let position = Number::new(&mut key.position_weight).range(0.0..=1.0).speed(0.01).decimals(2, 2).prefix("p ");
        let rotation = Number::new(&mut key.rotation_weight).range(0.0..=1.0).speed(0.01).decimals(2, 2).prefix("r ");
        let all = [
            (text::EDIT_KEY_TIME, ui.add(time).help(text::KEY_TIME_HELP)),
            (text::EDIT_KEY_POSITION, ui.add(position).help(text::KEY_POSITION_HELP)),
            (text::EDIT_KEY_ROTATION, ui.add(rotation).help(text::KEY_ROTATION_HELP)),
        ];
        for (what, response) in all {
            if response.changed() {
                *changed = Some((what.to_owned(), Changed::of(&response)));
            }
        }
        let takes = ui.button(icon::TRASH).help(text::REMOVE_KEY_HELP);
        takes.describe(&|| {
            egui::WidgetInfo::labeled(egui::WidgetType::Button, true, text::name_remove_key(&(number + 1)))
        });
        if takes.clicked() {
            *removed = Some(number);
        }
    });
}

fn head(ui: &mut Ui, session: &Session, own: &mut Head, changed: &mut Noted) {
    let head = session.world.character.rig.figure.as_ref().and_then(|figure| figure.head);
    let Some(head) = head else {
        let theme = Theme::of(session.look.view.light_theme);
        ui.label(RichText::new(text::no_head(&icon::WARNING)).color(theme.warning));
        return;
    };
    let suggested = session.world.picture.pose.position(head);
    place(ui, session, ("target", text::HEAD_TARGET_HELP), &mut own.position, suggested, changed);
    let ahead = session.world.ahead();
    let coordinates = (text::DIRECTION, "", 0.005);
    optional_vector(ui, session, ("chest", text::CHEST_HELP), coordinates, (&mut own.chest_direction, ahead), changed);
}

fn bend_bones(ui: &mut Ui, session: &Session, own: &mut Head, changed: &mut Noted) {
    let theme = Theme::of(session.look.view.light_theme);
    let Some(figure) = &session.world.character.rig.figure else { return };
    let mut each = !own.bones.is_empty();
    labelled(ui, theme, "", |ui| {
        let help = text::EACH_HELP;
        if ui.checkbox(&mut each, text::EACH).help(help).changed() {
            let same = HeadBone { weight: own.spine_weight, damper: own.damper };
            own.bones = if each { figure.bend_bones().map(|_| same).collect() } else { Vec::new() };
            *changed = Some((text::EDIT_BEND_BONES.to_owned(), SINGLE));
        }
    });
    if !each {
        return;
    }
    own.bones.resize(figure.bend_bones().count().max(own.bones.len()), HeadBone::default());
    for (bone, own) in figure.bend_bones().zip(&mut own.bones) {
        let name = &session.world.character.model.skeleton.bones()[bone].name;
        ui.push_id(("bend bone", bone), |ui| {
            labelled(ui, theme, name, |ui| {
                let weight = Number::new(&mut own.weight).range(0.0..=1.0).speed(0.01).decimals(2, 2);
                let damper = Number::new(&mut own.damper).range(0.0..=1.0).speed(0.01).decimals(2, 2);
                let both = [ui.add(weight).help(text::BONE_WEIGHT_HELP), ui.add(damper).help(text::BONE_DAMPER_HELP)];
                for response in both {
                    if response.changed() {
                        *changed = Some((text::edit_bend(&name), Changed::of(&response)));
                    }
                }
            });
        });
    }
}

fn phases(ui: &mut Ui, theme: &Theme, index: usize, layer: LayerId, actions: &mut Vec<Action>) {
    labelled(ui, theme, text::STEPS, |ui| {
        let options = [
            (LayerId::Modifiers, text::BEFORE_IK, text::BEFORE_IK_HELP),
            (LayerId::FullBody, text::DURING_IK, text::DURING_IK_HELP),
            (LayerId::AfterWrite, text::AFTER_IK, text::AFTER_IK_HELP),
        ]
        .map(|(layer, name, help)| (layer, name, help.to_owned()));
        if let Some(layer) = segmented(ui, theme, layer, &options) {
            actions.push(Action::Select(Selection::Modifier(index, layer)));
        }
    });
}
