//! The inspector for a modifier: whether it acts, what sets it off, its numbers, and what is its kind's own.

use egui_macroquad::egui::{self, RichText, Ui};
use egui_phosphor::regular as icon;
use glam::Vec3;

use crate::session::{Action, Selection, Session};
use crate::tools::modifiers::session::ModifierAction;
use crate::tools::motion::pane::{Editor, labelled, name_list};
use crate::ui::help::Help;
use crate::ui::number::Number;
use crate::ui::theme::{Theme, semibold};
use crate::ui::widgets::{Changed, attached_to, no_vector, number_row, parameter, section, segmented, vector};
use crate::ui::words::{self, capital, counted};
use kinescope_ik::attach::Attachment;
use kinescope_ik::full_body::{Effector, Node};
use kinescope_ik::grounding::Side;
use kinescope_ik::key::label;
use kinescope_ik::modifiers::{Aims, Head, HeadBone, Key, Keyed, LookAt, Modifier, ReachFor, Recoil, TwoHandedGrip};
use kinescope_ik::parameter::Unit;
use kinescope_ik::rig::LimbName;
use kinescope_ik::stack::{Attached, LayerId};

pub fn show(ui: &mut Ui, session: &Session, (index, layer): (usize, LayerId), actions: &mut Vec<Action>) {
    let theme = Theme::of(session.view.light_theme);
    let mut editor = Editor::new(session, theme);
    let Some(mut modifier) = editor.document.stack.modifiers.get(index).cloned() else {
        ui.label(RichText::new("There is no such modifier any more.").color(theme.text[1]));
        return;
    };
    let before = modifier.clone();
    let mut changed: Option<(String, Changed)> = None;
    title(ui, theme, (index, layer, &mut modifier), &mut changed, actions);
    own(ui, session, index, &mut modifier, &mut changed, actions);
    section(ui, theme, "numbers", "double-click resets", |ui| {
        for info in before.parameters().parameters() {
            if let Some(own) = parameter(ui, theme, info, modifier.parameters_mut()) {
                changed = Some((label(info.key), own));
            }
        }
    });
    if let Some((what, own)) = changed {
        std::sync::Arc::make_mut(&mut editor.document.stack.modifiers)[index] = modifier;
        editor.note(&format!("{} {what}", before.name()), Some(own));
    }
    editor.finish(actions);
}

const SINGLE: Changed = Changed { gesture: None };

type Noted = Option<(String, Changed)>;

/// What it is, whether it acts, and what sets it off.
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
        let name = format!("{} {}", capital(modifier.name()), index + 1);
        ui.label(RichText::new(name).size(14.0).family(semibold()));
        let mut on = modifier.is_on();
        if ui.checkbox(&mut on, "on").help("Whether it acts.").changed() {
            modifier.switch(on);
            *changed = Some(("on or off".to_owned(), SINGLE));
        }
        if let Some(what) = modifier.trigger_label() {
            let button = egui::Button::new(format!("{} {what}", icon::LIGHTNING));
            if ui.add_enabled(on, button).help("Sets it off, from the next frame on.").clicked() {
                actions.push(Action::Modifiers(ModifierAction::Trigger(index)));
            }
        }
    });
    egui::Frame::new().inner_margin(egui::Margin { left: 12, right: 8, top: 0, bottom: 6 }).show(ui, |ui| {
        ui.add(egui::Label::new(RichText::new(modifier.sentence()).color(theme.text[1])).wrap());
        phases(ui, theme, index, layer, actions);
    });
}

/// What is its kind's own.
fn own(
    ui: &mut Ui,
    session: &Session,
    index: usize,
    modifier: &mut Modifier,
    changed: &mut Noted,
    actions: &mut Vec<Action>,
) {
    let theme = Theme::of(session.view.light_theme);
    match modifier {
        Modifier::Recoil(own) => section(ui, theme, "weapon", "", |ui| recoil(ui, theme, own, changed)),
        Modifier::TwoHandedGrip(own) => {
            section(ui, theme, "grip", "", |ui| two_handed_grip(ui, session, index, own, changed));
        }
        Modifier::HitReaction(_) => section(ui, theme, "strike", "", |ui| strike(ui, session, actions)),
        Modifier::LookAt(own) => {
            section(ui, theme, "target", "drag its ring", |ui| look_at(ui, session, index, own, changed, actions));
        }
        Modifier::ReachFor(own) => {
            section(ui, theme, "point", "drag its ring", |ui| reach_for(ui, session, index, own, changed, actions));
        }
        Modifier::Keyed(own) => {
            let count: usize = own.tracks.iter().map(|track| track.keys.len()).sum();
            let hint = counted(count, "key");
            section(ui, theme, "keys", &hint, |ui| keyed(ui, session, index, own, changed, actions));
        }
        Modifier::Head(own) => {
            section(ui, theme, "target", "drag its ring", |ui| head(ui, session, own, changed));
            section(ui, theme, "bend bones", "weight, damper", |ui| bend_bones(ui, session, own, changed));
        }
        Modifier::FourBones(_) => section(ui, theme, "joints", "a fourth in a limb", |ui| joints(ui, session)),
        Modifier::Inertia(_) | Modifier::Breathing(_) | Modifier::ArmBending(_) => {}
    }
}

/// Which limbs have a joint more than the solver takes.
fn joints(ui: &mut Ui, session: &Session) {
    let theme = Theme::of(session.view.light_theme);
    let character = &session.character;
    let inner = character.rig.figure.as_ref().map_or([None; 4], |figure| figure.inner);
    for (limb, bone) in LimbName::ALL.into_iter().zip(inner) {
        let Some(bone) = bone else { continue };
        let name = &character.model.skeleton.bones()[bone].name;
        let mark = Some(Node::of_limb(limb)[2]);
        number_row(ui, theme, mark, limb.label(), std::slice::from_ref(name), None)
            .help("The joint that shares the bend.");
    }
    if inner == [None; 4] {
        let text = "No limb of this character has a fourth joint off its line: there is nothing to share.";
        ui.add(egui::Label::new(RichText::new(text).color(theme.text[1])).wrap());
    }
}

fn recoil(ui: &mut Ui, theme: &Theme, own: &mut Recoil, changed: &mut Noted) {
    labelled(ui, theme, "fires", |ui| {
        let help = "The hand that is thrown back.".to_owned();
        let options = [(Side::Left, "left hand", help.clone()), (Side::Right, "right hand", help)];
        if let Some(hand) = segmented(ui, theme, own.hand, &options) {
            own.hand = hand;
            *changed = Some(("hand".to_owned(), SINGLE));
        }
        let help = "The other hand is on the weapon too, and goes with it.";
        if ui.checkbox(&mut own.both_hands, "both").help(help).changed() {
            *changed = Some(("hands".to_owned(), SINGLE));
        }
    });
}

fn two_handed_grip(ui: &mut Ui, session: &Session, index: usize, own: &mut TwoHandedGrip, changed: &mut Noted) {
    let theme = Theme::of(session.view.light_theme);
    labelled(ui, theme, "carries", |ui| {
        let help = "The hand that carries; the other one holds on.".to_owned();
        let options = [(Side::Left, "left hand", help.clone()), (Side::Right, "right hand", help)];
        if let Some(hand) = segmented(ui, theme, own.hand, &options) {
            own.hand = hand;
            *changed = Some(("hand".to_owned(), SINGLE));
        }
    });
    let suggested = session.grip_as_shown(own);
    let before = own.position.is_some();
    let help =
        "Keeps the hands as they are now, relative to each other. Without a place they are as both are asked for.";
    place(ui, session, ("grip", help), &mut own.position, suggested.position, changed);
    if before != own.position.is_some() {
        own.rotation = own.position.map(|_| suggested.rotation);
    }
    if let Some(hold) = session.hold(index) {
        let text = words::hold(&hold, &session.character);
        egui::Frame::new().inner_margin(egui::Margin { left: 12, right: 8, top: 2, bottom: 4 }).show(ui, |ui| {
            ui.add(egui::Label::new(RichText::new(text).color(theme.text[1])).wrap());
        });
    }
}

fn strike(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let theme = Theme::of(session.view.light_theme);
    labelled(ui, theme, "by hand", |ui| {
        let mut strikes = session.hands.strikes;
        let help = "While on, a click on the body in the picture is a blow, away from you.";
        if ui.checkbox(&mut strikes, "click on the body").help(help).changed() {
            actions.push(Action::Modifiers(ModifierAction::Strikes(strikes)));
        }
    });
}

/// A place that there may be: its numbers, or a button that puts one there.
fn place(
    ui: &mut Ui,
    session: &Session,
    (name, what): (&str, &str),
    at: &mut Option<Vec3>,
    suggested: Vec3,
    changed: &mut Noted,
) {
    let theme = Theme::of(session.view.light_theme);
    let speed = session.character.height * 0.002;
    // The button first: the numbers that come and go below it move no other.
    labelled(ui, theme, name, |ui| match at {
        Some(_) => {
            if ui.button(format!("no {name}")).help("Takes it away.").clicked() {
                *at = None;
                *changed = Some((name.to_owned(), SINGLE));
            }
        }
        None => {
            if ui.button(format!("set {name}")).help(what).clicked() {
                *at = Some(suggested);
                *changed = Some((name.to_owned(), SINGLE));
            }
        }
    });
    match at {
        Some(own) => {
            let mut value = own.to_array();
            if let Some(own_change) = vector(ui, theme, "at", &mut value, "m", speed) {
                *own = Vec3::from_array(value);
                *changed = Some((name.to_owned(), own_change));
            }
        }
        None => no_vector(ui),
    }
}

/// A place that may be attached: its numbers are where it is in the frame shown, and an edit of them moves the offset.
fn attached_place(
    ui: &mut Ui,
    session: &Session,
    (index, name, what, suggested): (usize, &str, &str, Vec3),
    (at, attached): (&mut Option<Vec3>, &mut Option<Attachment>),
    changed: &mut Noted,
    actions: &mut Vec<Action>,
) {
    let theme = Theme::of(session.view.light_theme);
    let target = Attached::Modifier(index);
    let mut shown = if attached.is_some() { session.stack().target(target).0 } else { *at };
    let before = shown;
    place(ui, session, (name, what), &mut shown, suggested, changed);
    if shown != before {
        *at = shown;
        match shown {
            Some(place) => session.move_attached(attached, place),
            None => *attached = None,
        }
    }
    labelled(ui, theme, "attached to", |ui| {
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
    let theme = Theme::of(session.view.light_theme);
    let what = (index, "target", "A point in front of the face.", session.in_front());
    attached_place(ui, session, what, (&mut own.target, &mut own.attached), changed, actions);
    labelled(ui, theme, "aims", |ui| {
        let options = Aims::ALL.map(|aims| (aims, aims.label(), format!("Brings the {} onto it.", aims.label())));
        if let Some(aims) = segmented(ui, theme, own.aims, &options) {
            own.aims = aims;
            *changed = Some(("aims".to_owned(), SINGLE));
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
    let theme = Theme::of(session.view.light_theme);
    labelled(ui, theme, "reaches", |ui| {
        if effector_list(ui, "effector that reaches", &mut own.effector) {
            *changed = Some(("effector".to_owned(), SINGLE));
        }
    });
    if own.effector.limb().is_some() {
        labelled(ui, theme, "turned", |ui| {
            let mut turned = own.rotation.is_some();
            let help = "Turned as it is now while it holds, by the rotation weight. Turn it by the gizmo (E).";
            if ui.checkbox(&mut turned, "to a rotation").help(help).changed() {
                own.rotation = turned.then(|| session.shown_rotation(own.effector));
                match own.rotation {
                    Some(rotation) => session.turn_attached(&mut own.attached, rotation),
                    None => own.attached.iter_mut().for_each(|own| own.rotation_offset = None),
                }
                own.rotation_weight = if own.rotation_weight > 0.0 { own.rotation_weight } else { 1.0 };
                *changed = Some(("rotation".to_owned(), SINGLE));
            }
        });
    }
    let suggested = session.bone_position(own.effector) + session.ahead() * (session.character.height * 0.15);
    let what = (index, "point", "A point in front of it.", suggested);
    attached_place(ui, session, what, (&mut own.position, &mut own.attached), changed, actions);
    let from = if own.attached.is_some() { session.stack().target(Attached::Modifier(index)).0 } else { own.position };
    if let Some(from) = from {
        let suggested = from + session.ahead() * (session.character.height * 0.1);
        place(
            ui,
            session,
            ("end point", "Where the point has moved to when it is let go."),
            &mut own.to,
            suggested,
            changed,
        );
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
    let theme = Theme::of(session.view.light_theme);
    let mut effector = session.hands.keyed;
    labelled(ui, theme, "track", |ui| {
        if effector_list(ui, "effector of the track", &mut effector) {
            actions.push(Action::Modifiers(ModifierAction::KeyedTrack(effector)));
        }
        let help = "A key where the effector's bone is now, at this time. Drag the ring in the picture to move it.";
        if ui.button(format!("{} set key", icon::DIAMOND)).help(help).clicked() {
            actions.push(Action::Modifiers(ModifierAction::SetKey(index)));
        }
    });
    labelled(ui, theme, "", |ui| {
        let help = "Places are in the world; else they go along with the character.";
        if ui.checkbox(&mut own.in_world, "in the world").help(help).changed() {
            *changed = Some(("space of the keys".to_owned(), SINGLE));
        }
    });
    let Some(track) = own.tracks.iter_mut().find(|track| track.effector == effector) else { return };
    let now = session.clip_time();
    let mut removed = None;
    for (number, key) in track.keys.iter_mut().enumerate() {
        let is_now = (key.time - now).abs() < 1e-3;
        ui.push_id(("key", number), |ui| key_row(ui, (number, is_now), key, &mut removed, changed, actions));
    }
    if let Some(number) = removed {
        track.keys.remove(number);
        *changed = Some(("remove a key".to_owned(), SINGLE));
    }
    let is_ordered = track.keys.is_sorted_by(|a, b| a.time <= b.time);
    if !is_ordered {
        track.keys.sort_by(|a, b| a.time.total_cmp(&b.time));
    }
}

/// One key: go there, when it is, its weights, away with it.
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
        if go.help("Go to the time of this key.").clicked() {
            actions.push(Action::ClipTime(key.time));
        }
        let time = Number::new(&mut key.time).speed(0.01).decimals(2, 3).of(Unit::Seconds);
        let position = Number::new(&mut key.position_weight).range(0.0..=1.0).speed(0.01).decimals(2, 2).prefix("p ");
        let rotation = Number::new(&mut key.rotation_weight).range(0.0..=1.0).speed(0.01).decimals(2, 2).prefix("r ");
        let all = [
            ("time of a key", ui.add(time).help("When the key is.")),
            ("position weight of a key", ui.add(position).help("The position weight at this key.")),
            ("rotation weight of a key", ui.add(rotation).help("The rotation weight at this key.")),
        ];
        for (what, response) in all {
            if response.changed() {
                *changed = Some((what.to_owned(), Changed::of(&response)));
            }
        }
        let takes = ui.button(icon::TRASH).help("Take this key away.");
        takes.widget_info(|| {
            egui::WidgetInfo::labeled(egui::WidgetType::Button, true, format!("take away key {}", number + 1))
        });
        if takes.clicked() {
            *removed = Some(number);
        }
    });
}

fn head(ui: &mut Ui, session: &Session, own: &mut Head, changed: &mut Noted) {
    let head = session.character.rig.figure.as_ref().and_then(|figure| figure.head);
    let Some(head) = head else {
        let theme = Theme::of(session.view.light_theme);
        ui.label(
            RichText::new(format!("{} no head was found: see the rig doctor", icon::WARNING)).color(theme.warning),
        );
        return;
    };
    let suggested = session.picture.pose.position(head);
    place(ui, session, ("target", "Where the head is now."), &mut own.position, suggested, changed);
    let ahead = session.ahead();
    place(ui, session, ("chest", "The way the chest is to look."), &mut own.chest_direction, ahead, changed);
}

fn bend_bones(ui: &mut Ui, session: &Session, own: &mut Head, changed: &mut Noted) {
    let theme = Theme::of(session.view.light_theme);
    let Some(figure) = &session.character.rig.figure else { return };
    let mut each = !own.bones.is_empty();
    labelled(ui, theme, "", |ui| {
        let help = "A weight and a damper for each bone, instead of the same for all.";
        if ui.checkbox(&mut each, "each by itself").help(help).changed() {
            let same = HeadBone { weight: own.spine_weight, damper: own.damper };
            own.bones = if each { figure.bend_bones().map(|_| same).collect() } else { Vec::new() };
            *changed = Some(("bend bones".to_owned(), SINGLE));
        }
    });
    if !each {
        return;
    }
    own.bones.resize(figure.bend_bones().count().max(own.bones.len()), HeadBone::default());
    for (bone, own) in figure.bend_bones().zip(&mut own.bones) {
        let name = &session.character.model.skeleton.bones()[bone].name;
        ui.push_id(("bend bone", bone), |ui| {
            labelled(ui, theme, name, |ui| {
                let weight = Number::new(&mut own.weight).range(0.0..=1.0).speed(0.01).decimals(2, 2);
                let damper = Number::new(&mut own.damper).range(0.0..=1.0).speed(0.01).decimals(2, 2);
                let both = [
                    ui.add(weight).help("How much the bone takes part."),
                    ui.add(damper).help("How much its turn is damped in each round."),
                ];
                for response in both {
                    if response.changed() {
                        *changed = Some((format!("bend of {name}"), Changed::of(&response)));
                    }
                }
            });
        });
    }
}

/// Where it acts, and whose steps are looked at.
fn phases(ui: &mut Ui, theme: &Theme, index: usize, layer: LayerId, actions: &mut Vec<Action>) {
    labelled(ui, theme, "steps", |ui| {
        let options = [
            (LayerId::Modifiers, "before IK", "What it asks of the solve, and turns in the pose that the solve reads."),
            (LayerId::FullBody, "during IK", "The solve: its offsets in read, what it pushes between the stages."),
            (LayerId::AfterWrite, "after IK", "What it turns once the pose is written."),
        ]
        .map(|(layer, name, help)| (layer, name, help.to_owned()));
        if let Some(layer) = segmented(ui, theme, layer, &options) {
            actions.push(Action::Select(Selection::Modifier(index, layer)));
        }
    });
}
