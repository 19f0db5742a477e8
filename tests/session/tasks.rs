//! Whole tasks of a technical animator.

use std::path::{Path, PathBuf};

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use egui_macroquad::egui::accesskit::Role;
use egui_macroquad::egui::{Key, Vec2};

use kinescope::character::Character;
use kinescope::scenes::Scene;
use kinescope::session::commands::Command;
use kinescope::session::{Action, Session};
use kinescope::tools::modifiers::session::ModifierAction;
use kinescope::tools::pose::handles::{Grip, HandleId};
use kinescope::tools::steps::CompareStyle;
use kinescope_ik::full_body::Effector;
use kinescope_ik::modifiers::{Key as KeyOfEffector, Modifier};
use kinescope_ik::preset::Preset;
use kinescope_ik::rig::LimbName;

use crate::bake::furthest;
use crate::common::files::Folder;
use crate::common::session::finish_baking;
use crate::harness::{Window, run, window};
use crate::menus::jump;

const FRAME: f32 = 1.0 / 60.0;

fn desktop() -> Harness<'static, Window> {
    window(Vec2::new(1440.0, 900.0))
}

fn pull(session: &Session, limb: LimbName) -> f32 {
    session.world.settings().chain(limb).pull
}

/// Finds a parameter in the palette and lowers its slider with this number of presses of the left arrow key.
fn turn_down(harness: &mut Harness<Window>, parameter: &str, presses: usize) {
    jump(harness, parameter);
    for _ in 0..presses {
        harness.press_key(Key::ArrowLeft);
        harness.run();
    }
}

#[test]
fn a_value_of_b_is_copied_undone_saved_and_reopened() {
    let folder = Folder::new("a and b");
    let path = PathBuf::from(folder.path("tuned.json"));
    let mut harness = desktop();
    harness.state_mut().session.start_scene(Scene::find("reach and brace").unwrap());
    harness.state_mut().session.update(FRAME);
    run(&mut harness, Command::ShowCompare);
    let [left, right] = [LimbName::LeftArm, LimbName::RightArm].map(|limb| pull(&harness.state().session, limb));
    harness.get_by_label("Keep settings as B").click();
    harness.run();
    turn_down(&mut harness, "pull left arm", 20);
    turn_down(&mut harness, "pull right arm", 10);
    let session = &harness.state().session;
    assert!((pull(session, LimbName::LeftArm) - (left - 0.2)).abs() < 1e-4);
    assert!((pull(session, LimbName::RightArm) - (right - 0.1)).abs() < 1e-4);

    run(&mut harness, Command::ShowCompare);
    if !harness.state().panes.layout.is_shown(kinescope::session::Pane::Compare) {
        run(&mut harness, Command::ShowCompare);
    }
    harness.get_by_label("Side by side").click();
    harness.run();
    harness.state_mut().session.update(FRAME);
    let session = &harness.state().session;
    let compare = session.tools.debugger.compare.as_ref().unwrap();
    assert_eq!(compare.style, CompareStyle::SideBySide);
    let hand = session.world.character.rig.figure.as_ref().unwrap().bone_of(Effector::LeftHand);
    let apart = session.world.solved.pose[hand].position.distance(compare.b.frame.pose[hand].position);
    assert!(apart > 1e-3, "A and B differ by {apart} m");

    harness.get_by_label("Copies B's value to A. chains.left_arm.pull").click();
    harness.run();
    let both = |session: &Session| [LimbName::LeftArm, LimbName::RightArm].map(|limb| pull(session, limb));
    let taken = both(&harness.state().session);
    assert_eq!(taken[0], left);
    assert!((taken[1] - (right - 0.1)).abs() < 1e-4);
    run(&mut harness, Command::Undo);
    let undone = both(&harness.state().session);
    assert!((undone[0] - (left - 0.2)).abs() < 1e-4 && undone[1] == taken[1], "{undone:?}");
    run(&mut harness, Command::Redo);
    assert_eq!(both(&harness.state().session), taken);

    harness.state_mut().session.apply(Action::File(Command::SavePresetAs, path.clone()));
    harness.run();
    assert!(!harness.state().session.world.history.is_unsaved());
    let saved = Preset::from_json(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!([LimbName::LeftArm, LimbName::RightArm].map(|limb| saved.settings.chain(limb).pull), taken);
    let settings = *harness.state().session.world.settings();
    let mut other = desktop();
    other.state_mut().session.apply(Action::File(Command::OpenPreset, path));
    other.run();
    other.state_mut().session.update(FRAME);
    let other = &other.state().session;
    assert_eq!((both(other), *other.world.settings()), (taken, settings));
    let off = furthest(
        (&other.world.character.model, &other.world.picture.pose),
        (&harness.state().session.world.character.model, &harness.state().session.world.picture.pose),
    );
    assert!(off < 1e-4, "the tuned pose is restored: {off} m off");
}

fn keys(session: &Session, effector: Effector) -> Vec<KeyOfEffector> {
    let Modifier::Keyed(own) = &session.world.stack().modifiers[0] else { panic!("keyed effectors come first") };
    own.tracks.iter().find(|track| track.effector == effector).map_or_else(Vec::new, |track| track.keys.clone())
}

#[test]
fn effectors_keyed_over_time_are_baked_and_reopen_within_a_millimetre_at_every_key() {
    let folder = Folder::new("keyed and baked");
    let out = PathBuf::from(folder.path("keyed.glb"));
    let mut harness = desktop();
    let session = &mut harness.state_mut().session;
    let walk = session.world.character.find_clip("walk").unwrap();
    session.apply(Action::Clip(Some(walk)));
    session.update(FRAME);
    if session.world.clip.playing {
        session.apply(Action::Command(Command::PlayClip));
    }
    session.update(0.0);
    harness.run();
    harness.get_by_role_and_label(Role::ComboBox, "add a modifier").click();
    harness.run();
    let kind = Modifier::all().into_iter().find(|kind| matches!(kind, Modifier::Keyed(_))).unwrap();
    harness.get_by_role_and_label(Role::Button, &kinescope::ui::words::capital(kind.name())).click();
    harness.run();
    harness.run();

    let range = harness.state().session.world.bake_range();
    // Keys of effectors are placed at keys of the baked clip, so that the file contains them.
    let time = |number: u32| range.from + number as f32 / range.rate;
    let by = [Vec2::new(-25.0, -60.0), Vec2::new(30.0, -90.0), Vec2::new(-10.0, -40.0)];
    for (effector, numbers) in [(Effector::RightHand, [3, 12, 24]), (Effector::LeftFoot, [6, 15, 21])] {
        harness.state_mut().session.apply(Action::Modifiers(ModifierAction::KeyedTrack(effector)));
        for (number, by) in numbers.into_iter().zip(by) {
            let session = &mut harness.state_mut().session;
            session.apply(Action::ClipTime(time(number)));
            session.update(FRAME);
            harness.run();
            harness.get_by_label_contains("Set key").click();
            harness.run();
            let session = &mut harness.state_mut().session;
            session.update(FRAME);
            let ring = HandleId::Modifier(0, Grip::Target);
            let handle = session.handles().into_iter().find(|handle| handle.id == ring).expect("the key has a ring");
            session.press(handle.screen);
            assert_eq!(session.interaction.drag.map(|drag| drag.id), Some(ring));
            session.drag_to(handle.screen + glam::vec2(by.x, by.y) * 0.4);
            session.update(FRAME);
            session.release();
            session.update(FRAME);
        }
        let times: Vec<f32> = keys(&harness.state().session, effector).iter().map(|key| key.time).collect();
        assert_eq!(times.len(), 3, "{effector:?}: one key for one drag, {times:?}");
        for (found, number) in times.iter().zip(numbers) {
            assert!((found - time(number)).abs() < 1e-3, "{effector:?}: {times:?}");
        }
    }

    run(&mut harness, Command::BakeClip);
    harness.get_by_label("What to bake");
    let session = &mut harness.state_mut().session;
    session.apply(Action::File(Command::BakeClip, out.clone()));
    finish_baking(session);
    let notice = session.window.notice.clone().unwrap();
    assert!(!notice.is_error && notice.text.starts_with("Exported clip"), "{}", notice.text);

    let mut other = Session::new(Character::load(Path::new(&out)).unwrap());
    let baked = other.world.character.find_clip("walk").unwrap();
    other.apply(Action::Clip(Some(baked)));
    if other.world.clip.playing {
        other.apply(Action::Command(Command::PlayClip));
    }
    let at = |session: &mut Session, time: f32| {
        session.apply(Action::ClipTime(time));
        session.update(0.0);
    };
    let count = ((range.to - range.from) * range.rate).floor() as u32;
    assert!(count > 24, "{range:?}");
    for number in 0..=count {
        at(session, time(number));
        at(&mut other, number as f32 / range.rate);
        let off = furthest(
            (&other.world.character.model, &other.world.picture.pose),
            (&session.world.character.model, &session.world.picture.pose),
        );
        assert!(off < 1e-3, "at {} s a bone is {off} m off", time(number));
    }
    let figure = other.world.character.rig.figure.clone().unwrap();
    for effector in [Effector::RightHand, Effector::LeftFoot] {
        for key in keys(session, effector) {
            at(&mut other, key.time - range.from);
            let place = other.world.picture.pose.position(figure.bone_of(effector));
            assert!(place.distance(key.position) < 0.01, "{effector:?} at {} s: {place} {}", key.time, key.position);
        }
    }
}
