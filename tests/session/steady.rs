//! Typed text stays in its field, keys follow the navigation preset, and controls and panes keep their places.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use egui_kittest::Harness;
use egui_kittest::kittest::{By, Node, Queryable};
use egui_macroquad::egui::accesskit::Role;
use egui_macroquad::egui::{self, Event, Id, Key, Modifiers, Pos2, Rect, Vec2, pos2};
use egui_phosphor::regular as icon;
use glam::Vec3;

use kinescope::character::Character;
use kinescope::scenes::Scene;
use kinescope::session::answers::Answer;
use kinescope::session::commands::Command;
use kinescope::session::navigation::{NUMBER_PAD, Navigation};
use kinescope::session::{Action, GizmoStyle, MeshStyle, Pane, Selection, Session};
use kinescope::shell::panes::shortcuts::typed_field;
use kinescope::tools::steps::PlotView;
use kinescope::tools::steps::session::StepAction;
use kinescope_ik::full_body::{Chain, Effector};
use kinescope_ik::rig::detect::MappedBones;
use kinescope_ik::rig::{LimbName, Role as RigRole};
use kinescope_ik::stepped::run::Cursor;

use crate::common::files::Folder;
use crate::harness::{Window, run, select, window};

fn desktop() -> Harness<'static, Window> {
    window(Vec2::new(1440.0, 900.0))
}

/// Types digits and decimal points as a keyboard does. Each character is a text event and a key event.
fn types(harness: &mut Harness<Window>, text: &str) {
    for letter in text.chars() {
        harness.input_mut().events.extend(typed(letter));
        harness.run_steps(1);
    }
}

/// Returns the events of a key. Tab has no text.
fn typed(letter: char) -> Vec<Event> {
    let key = match letter {
        '.' => Key::Period,
        '\t' => Key::Tab,
        digit => Key::from_name(&digit.to_string()).unwrap(),
    };
    let modifiers = Modifiers::NONE;
    let text = (key != Key::Tab).then(|| Event::Text(letter.to_string()));
    text.into_iter().chain([Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers }]).collect()
}

fn press(harness: &mut Harness<Window>, modifiers: Modifiers, key: Key) {
    harness.press_key_modifiers(modifiers, key);
    harness.run();
}

fn target(harness: &Harness<Window>) -> Vec3 {
    harness.state().session.world.settings().effector(Effector::LeftHand).position.unwrap()
}

fn with_target(at: Vec3) -> Harness<'static, Window> {
    let mut harness = desktop();
    let session = &mut harness.state_mut().session;
    let mut settings = *session.world.settings();
    let own = settings.effector_mut(Effector::LeftHand);
    (own.position, own.position_weight) = (Some(at), 1.0);
    session.edit_settings("test", None, settings);
    session.update(1.0 / 60.0);
    select(&mut harness, Selection::Effector(Effector::LeftHand));
    harness
}

fn click_into(harness: &mut Harness<Window>, number: f32) {
    let shows = move |node: &Node| {
        node.role() == Role::SpinButton
            && node.numeric_value().is_some_and(|value| (value - f64::from(number)).abs() < 1e-5)
    };
    harness.get(By::new().predicate(shows)).click();
    harness.run();
    assert!(typed_field(&harness.ctx).is_some() && harness.state().session.interaction.types);
}

/// The bend direction of the elbow turns by more than 1° while the user types the next number, so the break fires while a field
/// has the keyboard focus.
#[test]
fn a_break_that_fires_leaves_the_field_and_its_keys_alone() {
    let mut harness = with_target(Vec3::new(0.35, 1.2, 0.25));
    let session = &mut harness.state_mut().session;
    for _ in 0..3 {
        session.update(1.0 / 60.0);
    }
    session.tools.debugger.breaks.bend_turn = true;
    session.tools.debugger.breaks.bend_turn_degrees = 1.0;
    click_into(&mut harness, 0.35);
    types(&mut harness, "0.1");
    press(&mut harness, Modifiers::NONE, Key::Tab);
    assert!((target(&harness).x - 0.1).abs() < 1e-6);
    let field = typed_field(&harness.ctx).expect("the next field has the keyboard focus");
    types(&mut harness, "0");
    harness.state_mut().session.update(1.0 / 60.0);
    harness.run();
    let session = &harness.state().session;
    assert!(session.world.time.is_paused(), "the break has fired");
    let notice = session.window.notice.as_ref().unwrap().text.clone();
    assert!(notice.contains("Stopped") && notice.contains("The selection does not change while you type"), "{notice}");
    let at = session.world.time.cursor;
    // Outside a field the dot and the digits are commands.
    types(&mut harness, ".90");
    let session = &harness.state().session;
    assert_eq!(session.interaction.selection, Selection::Effector(Effector::LeftHand));
    assert_eq!((session.look.view.mesh, session.world.time.cursor), (MeshStyle::Solid, at));
    assert_eq!(typed_field(&harness.ctx), Some(field), "the field keeps the keyboard focus");
    assert!((target(&harness).y - 1.2).abs() < 1e-6, "nothing is committed before Enter");
    press(&mut harness, Modifiers::NONE, Key::Enter);
    assert!((target(&harness).y - 0.9).abs() < 1e-6, "{}", target(&harness));
    assert!(!harness.state().session.interaction.types);
    // Without a focused field, a break selects its subject.
    let session = &mut harness.state_mut().session;
    session.apply(Action::Command(Command::Live));
    session.update(1.0 / 60.0);
    let mut settings = *session.world.settings();
    settings.effector_mut(Effector::LeftHand).position = Some(Vec3::new(0.5, 1.4, -0.2));
    session.edit_settings("behind", None, settings);
    session.update(1.0 / 60.0);
    harness.run();
    let session = &harness.state().session;
    assert!(session.world.time.is_paused(), "the break has fired again");
    assert_eq!(session.interaction.selection, Selection::Chain(Chain::LeftArm));
}

/// A slow frame reads several keys at once.
#[test]
fn keys_around_tab_reach_their_fields_however_many_a_frame_reads() {
    for frames in [&["0.1\t0.9"][..], &["0.", "1\t", "0.9"], &["0.1", "\t0", ".9"], &["0.1\t0", ".", "9"]] {
        let mut harness = with_target(Vec3::new(0.35, 1.2, 0.25));
        click_into(&mut harness, 0.35);
        for keys in frames {
            harness.input_mut().events.extend(keys.chars().flat_map(typed));
            harness.run_steps(1);
        }
        press(&mut harness, Modifiers::NONE, Key::Enter);
        let at = target(&harness);
        assert!((at.x - 0.1).abs() < 1e-6 && (at.y - 0.9).abs() < 1e-6, "{frames:?}: {at}");
        assert_eq!(harness.state().session.look.view.mesh, MeshStyle::Solid, "{frames:?}");
    }
}

#[test]
fn a_field_that_disappears_keeps_the_old_value_and_its_keys_do_nothing() {
    let mut harness = with_target(Vec3::new(0.35, 1.2, 0.25));
    click_into(&mut harness, 1.2);
    for _ in 0..6 {
        harness.run_steps(1);
    }
    types(&mut harness, "0");
    harness.state_mut().panes.layout.hide(Pane::Inspector);
    harness.run();
    assert_eq!(typed_field(&harness.ctx), None);
    types(&mut harness, ".0");
    press(&mut harness, Modifiers::NONE, Key::Tab);
    let session = &harness.state().session;
    assert_eq!(
        (session.look.view.mesh, session.world.time.is_paused(), session.window.hides_panes),
        (MeshStyle::Solid, false, false)
    );
    let notice = session.window.notice.as_ref().expect("a notice is shown").text.clone();
    assert!(notice.contains("has disappeared"), "{notice}");
    assert_eq!(target(&harness), Vec3::new(0.35, 1.2, 0.25));
    harness.state_mut().panes.layout.show(Pane::Inspector);
    harness.run();
    harness.run();
    assert_eq!(target(&harness), Vec3::new(0.35, 1.2, 0.25));
    press(&mut harness, Modifiers::NONE, Key::Num0);
    assert_eq!(harness.state().session.look.view.mesh, MeshStyle::Hidden);
}

#[test]
fn keys_of_a_field_are_its_own_and_saving_takes_what_is_typed() {
    let folder = Folder::new("typing");
    let mut harness = with_target(Vec3::new(0.35, 1.2, 0.25));
    let path = std::path::PathBuf::from(folder.path("pose.json"));
    harness.state_mut().session.apply(Action::File(Command::SavePresetAs, path.clone()));
    harness.run();
    click_into(&mut harness, 1.2);
    types(&mut harness, "0.9");
    for key in [Key::Z, Key::Home, Key::CloseBracket, Key::Space] {
        press(&mut harness, Modifiers::CTRL, key);
    }
    let session = &harness.state().session;
    assert!(!session.world.time.is_paused() && target(&harness).y == 1.2, "the field gets the keys");
    // Ctrl+Z undid the typing in the field. Escape leaves the field, and the number is typed again.
    press(&mut harness, Modifiers::NONE, Key::Escape);
    click_into(&mut harness, 1.2);
    types(&mut harness, "0.9");
    press(&mut harness, Modifiers::CTRL, Key::S);
    assert!((target(&harness).y - 0.9).abs() < 1e-6, "{}", target(&harness));
    let saved = std::fs::read_to_string(&path).unwrap();
    assert!(saved.contains("0.9") && !harness.state().session.world.history.is_unsaved(), "{saved}");
}

/// The focused control: role, name and number.
type Focused = (Role, String, Option<f64>);

#[test]
fn a_hand_is_posed_and_saved_by_keyboard_alone() {
    let folder = Folder::new("keyboard");
    let path = std::path::PathBuf::from(folder.path("pose.json"));
    let mut harness = desktop();
    harness.state_mut().session.apply(Action::File(Command::SavePresetAs, path.clone()));
    harness.run();
    let focused = |harness: &Harness<Window>| {
        let id = harness.ctx.memory(|memory| memory.focused()).map(|id: Id| id.value());
        let nodes = harness.query_all(By::new().predicate(move |node: &Node| Some(node.id().0) == id));
        nodes.into_iter().next().map(|node| (node.role(), node.label().unwrap_or_default(), node.numeric_value()))
    };
    let tab_to = |harness: &mut Harness<Window>, is_it: &dyn Fn(&Focused) -> bool| {
        for _ in 0..400 {
            press(harness, Modifiers::NONE, Key::Tab);
            if focused(harness).is_some_and(|found| is_it(&found)) {
                return;
            }
        }
        panic!("Tab does not reach the control; the focus is at {:?}", focused(harness));
    };
    press(&mut harness, Modifiers::NONE, Key::F6);
    tab_to(&mut harness, &|(_, label, _)| label == "left hand");
    press(&mut harness, Modifiers::NONE, Key::Enter);
    assert_eq!(harness.state().session.interaction.selection, Selection::Effector(Effector::LeftHand));
    press(&mut harness, Modifiers::NONE, Key::F6);
    tab_to(&mut harness, &|(role, ..)| *role == Role::SpinButton);
    for (axis, text) in ["0.4", "1.3", "0.2"].into_iter().enumerate() {
        types(&mut harness, text);
        press(&mut harness, Modifiers::NONE, Key::Tab);
        let wanted: f32 = text.parse().unwrap();
        assert!((target(&harness)[axis] - wanted).abs() < 1e-6, "{}", target(&harness));
    }
    tab_to(&mut harness, &|(role, label, _)| *role == Role::Slider && label == "position weight");
    for _ in 0..120 {
        press(&mut harness, Modifiers::NONE, Key::ArrowRight);
    }
    let session = &harness.state().session;
    assert_eq!(session.world.settings().effector(Effector::LeftHand).position_weight, 1.0);
    assert!(
        session.world.gap(Effector::LeftHand) < 0.02,
        "the hand is at its target: {}",
        session.world.gap(Effector::LeftHand)
    );
    press(&mut harness, Modifiers::CTRL, Key::S);
    assert!(!harness.state().session.world.history.is_unsaved());
    let mut again = Session::new(Character::built_in().unwrap());
    again.apply(Action::File(Command::OpenPreset, path));
    let read = again.world.settings().effector(Effector::LeftHand).position.unwrap();
    assert!(read.distance(Vec3::new(0.4, 1.3, 0.2)) < 1e-5, "{read}");
}

/// Letters choose the gizmo's style as in the chosen program. A letter that scales there gives a message. With every
/// navigation preset Shift+R releases all effectors and Ctrl+Z undoes that.
#[test]
fn keys_follow_the_chosen_navigation_preset() {
    let mut harness = with_target(Vec3::new(0.35, 1.2, 0.25));
    let has_target = |harness: &Harness<Window>| {
        harness.state().session.world.settings().effector(Effector::LeftHand).position.is_some()
    };
    for (command, key, gizmo) in [
        (Command::NavigateBlender, Key::R, GizmoStyle::Rotate),
        (Command::NavigateBlender, Key::G, GizmoStyle::Move),
        (Command::NavigateMaya, Key::E, GizmoStyle::Rotate),
        (Command::NavigateUnity, Key::W, GizmoStyle::Move),
        (Command::NavigateKinescope, Key::R, GizmoStyle::Rotate),
        (Command::NavigateKinescope, Key::W, GizmoStyle::Move),
        (Command::NavigateKinescope, Key::E, GizmoStyle::Rotate),
    ] {
        run(&mut harness, command);
        press(&mut harness, Modifiers::NONE, key);
        assert_eq!(harness.state().session.interaction.posing.gizmo, gizmo, "{command:?} {key:?}");
        assert!(has_target(&harness) && !harness.state().panes.layout.is_shown(Pane::Motion));
    }
    for (command, key) in
        [(Command::NavigateBlender, Key::S), (Command::NavigateMaya, Key::R), (Command::NavigateUnity, Key::R)]
    {
        run(&mut harness, command);
        harness.state_mut().session.window.notice = None;
        press(&mut harness, Modifiers::NONE, key);
        let notice = harness.state().session.window.notice.as_ref().expect("a notice is shown").text.clone();
        assert!(notice.contains("cannot be scaled") && has_target(&harness), "{command:?}: {notice}");
    }
    for navigation in Navigation::ALL {
        run(&mut harness, navigation.command());
        press(&mut harness, Modifiers::SHIFT, Key::R);
        assert!(!has_target(&harness), "{navigation:?}");
        let notice = harness.state().session.window.notice.as_ref().expect("a notice is shown").text.clone();
        assert!(notice.contains("Released all effectors") && notice.contains("Ctrl+Z"), "{notice}");
        press(&mut harness, Modifiers::CTRL, Key::Z);
        assert!(has_target(&harness), "{navigation:?}");
    }
    press(&mut harness, Modifiers::SHIFT, Key::R);
    press(&mut harness, Modifiers::CTRL, Key::Z);
    assert!(has_target(&harness));
    press(&mut harness, Modifiers::CTRL.plus(Modifiers::SHIFT), Key::Z);
    assert!(!has_target(&harness));
    press(&mut harness, Modifiers::NONE, Key::Num5);
    assert!(harness.state().session.look.camera.orthographic);
    let handle = harness.state().session.handles()[0];
    assert!(harness.state().session.projector().to_screen(handle.position).is_some());
    press(&mut harness, Modifiers::NONE, Key::Num5);
    assert!(!harness.state().session.look.camera.orthographic);
}

#[test]
fn no_key_without_modifiers_discards_a_pose() {
    let mut harness = with_target(Vec3::new(0.35, 1.2, 0.25));
    let letters = ('A'..='Z').chain('0'..='9').filter_map(|letter| Key::from_name(&letter.to_string()));
    let keys: Vec<Key> = letters.chain(NUMBER_PAD.map(|(key, _)| key)).collect();
    assert_eq!(keys.len(), 26 + 10 + 11);
    for navigation in Navigation::ALL {
        run(&mut harness, navigation.command());
        for &key in &keys {
            let before = *harness.state().session.world.settings();
            press(&mut harness, Modifiers::NONE, key);
            assert_eq!(*harness.state().session.world.settings(), before, "{navigation:?} {key:?}");
            harness.state_mut().session.apply(Action::Answer(Answer::CloseDialog));
            run(&mut harness, Command::Live);
            select(&mut harness, Selection::Effector(Effector::LeftHand));
        }
    }
}

/// The number pad looks along axes, and with Ctrl from the other side. Orbiting brings perspective back, unless the
/// user chose the orthographic view.
#[test]
fn the_number_pad_chooses_views_and_turning_away_ends_them() {
    let mut harness = with_target(Vec3::new(0.35, 1.2, 0.25));
    let pad = |name: &str| NUMBER_PAD.iter().find(|(_, own)| *own == format!("Numpad {name}")).unwrap().0;
    let facing = harness.state().session.world.character.detection.facing;
    let left = Vec3::Y.cross(facing);
    for navigation in Navigation::ALL {
        run(&mut harness, navigation.command());
        for (key, row, modifiers, back) in [
            ("1", Key::Num1, Modifiers::NONE, facing),
            ("1", Key::Num1, Modifiers::CTRL, -facing),
            ("3", Key::Num3, Modifiers::NONE, left),
            ("3", Key::Num3, Modifiers::CTRL, -left),
            ("7", Key::Num7, Modifiers::NONE, Vec3::Y),
            ("7", Key::Num7, Modifiers::CTRL, -Vec3::Y),
        ] {
            for key in [pad(key), row] {
                press(&mut harness, modifiers, key);
                let camera = &mut harness.state_mut().session.look.camera;
                assert!(camera.back().distance(back) < 1e-4, "{navigation:?} {key:?}: {}", camera.back());
                assert!(camera.orthographic, "{navigation:?} {key:?}");
                camera.orbit(glam::Vec2::new(8.0, 2.0));
                assert!(!camera.orthographic, "{navigation:?} {key:?}");
            }
        }
        select(&mut harness, Selection::Nothing);
        press(&mut harness, Modifiers::NONE, pad("1"));
        for key in [pad("."), Key::F] {
            let camera = &mut harness.state_mut().session.look.camera;
            camera.target += Vec3::splat(3.0);
            let away = camera.target;
            press(&mut harness, Modifiers::NONE, key);
            let camera = harness.state().session.look.camera;
            assert!(camera.target.distance(away) > 1.0, "{navigation:?} {key:?}");
            assert!(camera.orthographic && camera.back().distance(facing) < 1e-4, "{navigation:?} {key:?}");
        }
        select(&mut harness, Selection::Effector(Effector::LeftHand));
        // An orthographic view that the user chose stays orthographic while orbiting.
        press(&mut harness, Modifiers::NONE, pad("5"));
        assert!(!harness.state().session.look.camera.orthographic);
        press(&mut harness, Modifiers::NONE, pad("5"));
        press(&mut harness, Modifiers::NONE, pad("7"));
        harness.state_mut().session.look.camera.orbit(glam::Vec2::new(8.0, 2.0));
        assert!(harness.state().session.look.camera.orthographic, "{navigation:?}");
        press(&mut harness, Modifiers::NONE, pad("5"));
    }
}

const CONTROLS: [Role; 6] =
    [Role::Button, Role::Slider, Role::SpinButton, Role::CheckBox, Role::ComboBox, Role::TextInput];

/// Returns the clickable area of every visible control, by role, name and index among controls of the same name.
fn places(harness: &Harness<Window>) -> BTreeMap<(String, usize), Rect> {
    let mut found: BTreeMap<(String, usize), Rect> = BTreeMap::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let rects: BTreeMap<u64, Rect> = harness.ctx.viewport(|viewport| {
        let layers = viewport.prev_pass.widgets.layers();
        layers.flat_map(|(_, widgets)| widgets.iter().map(|own| (own.id.value(), own.interact_rect))).collect()
    });
    for node in harness.query_all(By::new().predicate(|node: &Node| CONTROLS.contains(&node.role()))) {
        let name = match node.role() {
            // Number fields have no name.
            Role::SpinButton => format!("SpinButton {:.3}", node.numeric_value().unwrap_or_default()),
            role => format!("{role:?} {}", node.label().or(node.value()).unwrap_or_default()),
        };
        let count = counts.entry(name.clone()).or_default();
        *count += 1;
        if let Some(rect) = rects.get(&node.id().0).filter(|rect| rect.width() > 3.0 && rect.height() > 3.0) {
            found.insert((name, *count), *rect);
        }
    }
    found
}

/// Checks that a change moves no control by more than a pixel, and puts no new control where a removed control was.
/// Controls whose names contain a text of `except` are not checked.
fn stays(harness: &mut Harness<Window>, what: &str, except: &[&str], change: impl FnOnce(&mut Harness<Window>)) {
    let before = places(harness);
    assert!(before.len() > 30, "{what}: {}", before.len());
    change(harness);
    harness.run();
    harness.run();
    let after = places(harness);
    let mut wrong = Vec::new();
    for (key, rect) in &before {
        if except.iter().any(|except| key.0.contains(except)) {
            continue;
        }
        match after.get(key) {
            Some(now) if now.min.distance(rect.min) > 1.0 => wrong.push(format!("{key:?} moved from {rect} to {now}")),
            Some(_) => {}
            None => {
                // A control within a pixel of the old place counts as the same control with another text.
                let other = after.iter().find(|(other, now)| {
                    !before.contains_key(other) && now.contains(rect.center()) && now.min.distance(rect.min) > 1.0
                });
                if let Some((other, _)) = other {
                    wrong.push(format!("{other:?} is where {key:?} was, at {rect}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{what}: {wrong:#?}");
}

fn paused() -> Harness<'static, Window> {
    let mut harness = desktop();
    let session = &mut harness.state_mut().session;
    session.start_scene(Scene::find("reach and brace").unwrap());
    session.update(1.0 / 60.0);
    session.apply(Action::Select(Selection::Chain(Chain::LeftArm)));
    session.apply(Action::Steps(StepAction::Seek(Cursor { step: 8, within: None })));
    harness.run();
    harness.run();
    harness
}

fn under(harness: &mut Harness<Window>, at: Pos2) -> Vec<(String, usize)> {
    harness.input_mut().events.push(Event::PointerMoved(at));
    harness.run();
    places(harness).into_iter().filter(|(_, rect)| rect.contains(at)).map(|(key, _)| key).collect()
}

/// A second click on *Bend to: goal* without moving the pointer used to set *reach* to 1.
#[test]
fn a_bend_goal_that_is_chosen_stays_under_the_pointer() {
    let mut harness = paused();
    let goal = ("Button Goal".to_owned(), 1);
    let is_whole = |harness: &Harness<Window>| places(harness).get(&goal).is_some_and(|rect| rect.height() > 16.0);
    let over = places(&harness)[&("Slider pull".to_owned(), 1)].center();
    for _ in 0..30 {
        if is_whole(&harness) {
            break;
        }
        harness.input_mut().events.push(Event::PointerMoved(over));
        let (unit, delta) = (egui::MouseWheelUnit::Point, egui::vec2(0.0, -30.0));
        harness.input_mut().events.push(Event::MouseWheel { unit, delta, modifiers: Modifiers::NONE });
        for _ in 0..20 {
            harness.run_steps(1);
        }
    }
    let at = places(&harness).get(&goal).expect("the control is in sight").center();
    let reach = harness.state().session.world.settings().chain(LimbName::LeftArm).reach;
    let before = under(&mut harness, at);
    assert_eq!(before, [goal]);
    for _ in 0..2 {
        for pressed in [true, false] {
            let (button, modifiers) = (egui::PointerButton::Primary, Modifiers::NONE);
            harness.input_mut().events.push(Event::PointerButton { pos: at, button, pressed, modifiers });
            harness.run();
        }
        assert_eq!(under(&mut harness, at), before);
        let chain = *harness.state().session.world.settings().chain(LimbName::LeftArm);
        assert!(chain.bend_goal.is_some() && chain.reach == reach);
    }
}

#[test]
fn no_control_of_the_inspector_moves_under_the_pointer() {
    let far = |harness: &mut Harness<Window>| {
        let session = &mut harness.state_mut().session;
        let mut settings = *session.world.settings();
        let own = settings.effector_mut(Effector::LeftHand);
        (own.position, own.position_weight) = (Some(Vec3::new(2.0, 1.0, 0.0)), 1.0);
        session.edit_settings("far", None, settings);
        session.update(1.0 / 60.0);
    };
    // Not checked are controls whose names contain a value or depend on the state, and rows of the attribution, which
    // are sorted by size. While paused, the attribution is the first part of the details, so the buttons of the other
    // parts move.
    let except = [
        "Undo",
        "Redo",
        "SpinButton",
        "Discard what-if",
        "move ",
        "Try ",
        "Live",
        "Play or pause",
        "attribution",
        "Attribution",
    ];
    let pauses =
        [&except[..], &["Button Off target", "Button Bone rotation", "Button Formula", "Button Values of"]].concat();
    // The row of the formula's title, with its buttons, becomes that of another part.
    let [previous, next] = [icon::CARET_LEFT, icon::CARET_RIGHT];
    let live = [&pauses[..], &["Lesson on the formula", "Page of the book", previous, next]].concat();
    for selection in [
        Selection::Nothing,
        Selection::Effector(Effector::LeftHand),
        Selection::Chain(Chain::LeftArm),
        Selection::BendGoal(LimbName::LeftArm),
    ] {
        let mut harness = desktop();
        select(&mut harness, selection);
        stays(&mut harness, "a target out of reach", &except, far);
        stays(&mut harness, "pause", &pauses, |harness| run(harness, Command::PlayPause));
        for stride in 0..12 {
            stays(&mut harness, &format!("step {stride}"), &pauses, |harness| run(harness, Command::PreviousMove));
        }
        stays(&mut harness, "what if", &pauses, |harness| {
            let session = &mut harness.state_mut().session;
            let mut settings = *session.world.settings();
            settings.chain_mut(LimbName::LeftArm).pull = 0.2;
            session.edit_settings("pull", None, settings);
        });
        stays(&mut harness, "live again", &live, |harness| run(harness, Command::Live));
    }
    for (scene, changes) in [("stairs", 3), ("chain on top", 2), ("look at", 2), ("limits", 2)] {
        let mut harness = desktop();
        harness.state_mut().session.start_scene(Scene::find(scene).unwrap());
        harness.run();
        harness.run();
        stays(&mut harness, &format!("{scene}, a second"), &except, |harness| {
            for _ in 0..60 {
                harness.state_mut().session.update(1.0 / 60.0);
            }
        });
        let commands = [Command::PlayPause, Command::PreviousStage, Command::PreviousStage];
        for command in &commands[..changes] {
            let details = ["Button Feet and pelvis", "Button Step", "Button Sliding", "Button Result"];
            let pauses = [&pauses[..], &details].concat();
            stays(&mut harness, &format!("{scene}, {command:?}"), &pauses, |harness| run(harness, *command));
        }
    }
}

#[test]
fn tool_bar_and_timeline_stay_where_they_are() {
    let mut harness = desktop();
    harness.state_mut().session.apply(Action::Clip(Some(0)));
    harness.run();
    harness.run();
    let except = [
        "SpinButton",
        "Undo",
        "Redo",
        "reach",
        "left arm",
        "scene",
        "preset",
        "model",
        "Scene",
        "Preset",
        "Model",
        "pull",
        "push",
    ];
    stays(&mut harness, "a long name, not saved", &except, |harness| {
        let session = &mut harness.state_mut().session;
        let name = "left hand on the door handle, third try, with the elbow up.json";
        session.files.preset = Some(Path::new(name).to_owned());
        let mut settings = *session.world.settings();
        settings.chain_mut(LimbName::LeftArm).pull = 0.2;
        session.edit_settings("pull", None, settings);
        "a character with a very long name".clone_into(&mut Arc::make_mut(&mut session.world.character.model).name);
    });
    for frames in 0..3 {
        stays(&mut harness, &format!("the clip plays, {frames}"), &except, |harness| {
            for _ in 0..7 {
                harness.state_mut().session.update(0.013);
            }
        });
    }
    // The lower panes open above the timeline.
    let timeline = |harness: &Harness<Window>| -> BTreeMap<_, _> {
        let bottom = harness.ctx.screen_rect().bottom();
        places(harness).into_iter().filter(|(_, rect)| rect.top() > bottom - 245.0).collect()
    };
    let before = timeline(&harness);
    assert!(before.len() > 15, "{before:?}");
    for command in [Command::Plots, Command::Profiler, Command::Plots, Command::Profiler] {
        run(&mut harness, command);
        let after = timeline(&harness);
        for (key, rect) in &before {
            assert_eq!(after.get(key), Some(rect), "{command:?}: {key:?}");
        }
    }
}

/// Assigns another bone to a role and reverts it. Warnings come and go, and the rows keep their places.
#[test]
fn a_correction_in_the_rig_doctor_moves_no_row() {
    let mut harness = desktop();
    run(&mut harness, Command::RigDoctor);
    let hand = ("ComboBox left hand bone".to_owned(), 1);
    let at = places(&harness)[&hand].center();
    for bones in [&["left_index_1"][..], &["head"], &[]] {
        let except = ["go to", "Undo", "Redo", "root node"];
        stays(&mut harness, &format!("{bones:?}"), &except, |harness| {
            let session = &mut harness.state_mut().session;
            let mut document = session.world.history.document().clone();
            match bones.is_empty() {
                true => drop(document.mapping.roles.remove(&RigRole::LeftHand)),
                false => {
                    let bones = MappedBones(bones.iter().map(|&name| name.to_owned()).collect());
                    document.mapping.roles.insert(RigRole::LeftHand, bones);
                }
            }
            session.edit("rig", None, document);
            session.wait_for_roles(std::time::Duration::from_secs(600));
        });
        let found = under(&mut harness, at);
        assert!(found.contains(&hand), "{bones:?}: {found:?}");
    }
}

#[test]
fn a_break_moves_nothing_in_the_list_of_breaks() {
    let mut harness = desktop();
    harness.state_mut().session.start_scene(Scene::find("walk with hands pinned").unwrap());
    run(&mut harness, Command::ShowFinder);
    let except = ["SpinButton", "Undo", "Redo", "Live", "Play or pause", "move ", "Forget recording", "Button"];
    harness.state_mut().session.tools.debugger.breaks.bend_turn = true;
    harness.state_mut().session.tools.debugger.breaks.bend_turn_degrees = 0.1;
    harness.run();
    let find = ("Button Find pops".to_owned(), 1);
    let before = places(&harness)[&find];
    stays(&mut harness, "a break", &except, |harness| {
        for _ in 0..30 {
            harness.state_mut().session.update(1.0 / 60.0);
        }
        assert!(harness.state().session.tools.debugger.hit.is_some());
    });
    assert_eq!(places(&harness)[&find], before);
}

fn with_clip(session: &mut Session) {
    session.apply(Action::Clip(Some(0)));
    session.update(1.0 / 60.0);
}

/// At 1024×640, plots, profiler and a clip used to leave 66 pixels of height for the picture.
#[test]
fn the_picture_keeps_its_height_with_any_panes_open() {
    for (size, least) in [((1024.0, 640.0), 130.0f32), ((1280.0, 800.0), 140.0), ((1440.0, 900.0), 180.0)] {
        for clip in [false, true] {
            // With plots and profiler both open, the plots may be lower.
            let least = |both: bool| if both { least.min(120.0) } else { least };
            let mut harness = window(size.into());
            if clip {
                with_clip(&mut harness.state_mut().session);
            }
            harness.run();
            let tools = |harness: &Harness<Window>| harness.get_by_label("First step").raw_bounds();
            let before = tools(&harness);
            let open: [&[Command]; 6] = [
                &[],
                &[Command::Plots],
                &[Command::Profiler],
                &[Command::Plots],
                &[Command::ShowMotion, Command::ShowSweep, Command::ShowFinder],
                &[Command::Plots],
            ];
            for commands in open {
                commands.iter().for_each(|&command| run(&mut harness, command));
                let what = format!("{size:?}, clip {clip}, {commands:?}");
                let picture = harness.state().picture;
                assert!(picture.height() >= 240.0, "{what}: {picture:?}");
                assert_eq!(tools(&harness), before, "{what}");
                if let Some(plots) = harness.state().panes.plots {
                    let both = harness.state().panes.layout.is_shown(Pane::Profiler);
                    assert!(plots.height() >= least(both), "{what}: {plots:?}");
                }
                let panes = &harness.state().panes;
                assert_eq!(panes.plots.is_some(), panes.layout.is_shown(Pane::Plots), "{what}");
            }
        }
    }
}

/// Returns the tab with a name at the place of the steps, but not the transport's button of the same name.
fn tab_of<'a>(harness: &'a Harness<Window>, name: &'a str) -> Option<Node<'a>> {
    let mut found: Vec<Node> = harness.query_all(By::new().label(name)).collect();
    found.retain(|node| node.toggled().is_some());
    found.pop()
}

/// In a low window plots and profiler are tabs next to the steps.
#[test]
fn panes_of_a_low_window_share_the_place_of_the_steps() {
    let mut harness = window(Vec2::new(1024.0, 640.0));
    with_clip(&mut harness.state_mut().session);
    let shown = |harness: &Harness<Window>| {
        let layout = &harness.state().panes.layout;
        [Pane::Plots, Pane::Profiler].map(|pane| layout.is_shown(pane))
    };
    let has_steps = |harness: &Harness<Window>| harness.query_all(By::new().label_contains("step 1 ")).count() > 0;
    harness.run();
    assert!(has_steps(&harness) && harness.query_by_label("Steps").is_none());
    run(&mut harness, Command::Plots);
    run(&mut harness, Command::Profiler);
    assert_eq!((shown(&harness), has_steps(&harness)), ([false, true], false));
    for (tab, expected) in [("Plots", [true, false]), ("Steps", [false; 2]), ("Profiler", [false, true])] {
        tab_of(&harness, tab).unwrap().click();
        harness.run();
        harness.run();
        assert_eq!((shown(&harness), has_steps(&harness)), (expected, tab == "Steps"), "{tab}");
    }
    // The command first brings a tab to the front. The second time, it closes the tab.
    run(&mut harness, Command::Plots);
    assert_eq!(shown(&harness), [true, false]);
    run(&mut harness, Command::Plots);
    assert_eq!(shown(&harness), [false, true]);
    harness.get_by_label("close Profiler").click();
    harness.run();
    harness.run();
    assert_eq!((shown(&harness), has_steps(&harness)), ([false; 2], true));
    run(&mut harness, Command::Plots);
    harness.set_size(Vec2::new(1440.0, 900.0));
    harness.run();
    harness.run();
    assert_eq!((shown(&harness), has_steps(&harness)), ([true, false], true));
    harness.set_size(Vec2::new(1024.0, 640.0));
    harness.run();
    harness.run();
    assert_eq!((shown(&harness), has_steps(&harness)), ([true, false], false));
}

/// A plot without curves used to be an empty grid without a text.
#[test]
fn a_layer_of_one_step_shows_a_message_in_place_of_plots() {
    let mut harness = desktop();
    harness.state_mut().session.start_scene(Scene::find("digitigrade").unwrap());
    run(&mut harness, Command::Plots);
    let session = &harness.state().session;
    assert_eq!(session.shown_run().map(|run| run.steps()), Some(1), "{:?}", session.focus());
    harness.get_by_label_contains("Fewer than two steps: nothing to plot over steps");
    let over_frames = PlotView { over_frames: true, ..PlotView::default() };
    let session = &mut harness.state_mut().session;
    session.apply(Action::Steps(StepAction::Plots(over_frames)));
    session.apply(Action::Command(Command::ClearTape));
    session.update(1.0 / 60.0);
    harness.run();
    harness.get_by_label_contains("Fewer than two frames are recorded");
    let session = &mut harness.state_mut().session;
    session.apply(Action::Clip(Some(0)));
    for _ in 0..3 {
        session.update(1.0 / 60.0);
    }
    harness.run();
    assert!(harness.query(By::new().label_contains("nothing to plot")).is_none());
}

#[test]
fn every_line_of_a_plot_is_in_its_legend_and_every_step_has_its_name() {
    for (width, height) in [(1024.0, 640.0), (1440.0, 900.0)] {
        let mut harness = window(Vec2::new(width, height));
        let session = &mut harness.state_mut().session;
        session.start_scene(Scene::find("reach and brace").unwrap());
        session.update(1.0 / 60.0);
        session.apply(Action::Command(Command::Plots));
        session.apply(Action::Command(Command::Profiler));
        session.apply(Action::Command(Command::PreviousStage));
        harness.run();
        harness.run();
        // In a low window the profiler covers the plots.
        if !harness.state().panes.layout.is_shown(Pane::Plots) {
            run(&mut harness, Command::Plots);
        }
        let session = &harness.state().session;
        let families = ["gap of the written bone", "node error", "constraint strain", "limb stretch"];
        for family in families {
            let listed = harness.query_all(By::new().predicate(move |node: &Node| {
                node.label().or(node.value()).is_some_and(|text| text.starts_with(family) && text.contains(": "))
            }));
            let wanted =
                session.world.solved.measures().into_iter().filter(|measure| measure.view.family == family).count();
            let listed = listed.count();
            assert!(listed > 0 && listed <= wanted, "{width}: {family} lists {listed} of {wanted}");
            if family == "constraint strain" {
                assert_eq!(listed, wanted, "{width}: every constraint has a line");
            }
        }
        // All moves of the row are inside the window, and the cell of each step is at least 26 pixels wide.
        if let Some(steps) = tab_of(&harness, "Steps") {
            steps.click();
            harness.run();
            harness.run();
        }
        let window = Rect::from_min_size(pos2(0.0, 0.0), Vec2::new(width, height));
        let all = places(&harness);
        let moves: Vec<&Rect> =
            all.iter().filter(|((name, _), _)| name.starts_with("Button move ")).map(|(_, rect)| rect).collect();
        assert!(!moves.is_empty() && moves.iter().all(|rect| window.contains_rect(**rect) && rect.height() > 20.0));
        let cells = harness.query_all(By::new().predicate(|node: &Node| {
            node.role() == Role::Button && node.label().is_some_and(|label| label.starts_with("step "))
        }));
        for node in cells {
            let bounds = node.raw_bounds().unwrap();
            assert!(bounds.x1 - bounds.x0 >= 26.0, "{width}: {:?} at {bounds:?}", node.label());
        }
    }
}
