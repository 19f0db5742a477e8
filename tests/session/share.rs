//! Links: what a copied link opens elsewhere, and links that are refused.

use std::path::PathBuf;
use std::sync::Arc;

use glam::{Vec2, Vec3};
use kinescope::picture::camera::Camera;
use kinescope::scenes::Scene;
use kinescope::session::commands::Command;
use kinescope::session::{Action, Dialog, Request, Selection, Session};
use kinescope::tools::pose::session::PoseAction;
use kinescope_ik::full_body::Effector;
use kinescope_ik::preset::Preset;
use kinescope_ik::share::Shared;

use crate::common::PATIENCE;
use crate::common::built_in::BYTES;
use crate::common::files::Folder;
use crate::common::session::{in_scene, run, session};

fn apply(session: &mut Session, action: Action) {
    session.apply(action);
    session.wait_for_opening(PATIENCE);
    session.update(0.0);
}

fn notice(session: &Session) -> String {
    session.window.notice.as_ref().map_or_else(String::new, |notice| notice.text.clone())
}

fn link(session: &mut Session) -> String {
    session.apply(Action::Command(Command::CopyLink));
    let copied = session.window.requests.iter().rev().find_map(|request| match request {
        Request::Copy(text) => Some(text.clone()),
        _ => None,
    });
    copied.unwrap_or_else(|| panic!("{}", notice(session)))
}

fn opened(link: &str) -> Session {
    let mut other = session();
    apply(&mut other, Action::OpenLink(link.to_owned()));
    other
}

fn assert_same(own: &Session, other: &Session) {
    let (a, b) = (&own.world, &other.world);
    assert_eq!((other.focus(), b.time.cursor), (own.focus(), a.time.cursor), "{}", notice(other));
    assert!(b.solved.pose == a.solved.pose && *b.stack() == *a.stack(), "{}", notice(other));
    assert_eq!(b.time.is_paused(), a.time.is_paused());
    assert_eq!(other.look.camera, own.look.camera);
}

fn play(session: &mut Session, frames: usize) {
    for _ in 0..frames {
        session.update(1.0 / 60.0);
    }
}

fn step_back(session: &mut Session) {
    run(session, Command::PlayPause);
    for _ in 0..3 {
        run(session, Command::PreviousStage);
    }
    run(session, Command::PreviousMove);
    assert!(session.world.time.cursor.within.is_some());
}

#[test]
fn a_pose_of_the_mannequin_opens_at_the_same_move() {
    let mut own = in_scene("reach and brace");
    own.look.camera = Camera { yaw: 0.7, distance: 3.25, ..own.look.camera };
    run(&mut own, Command::XrayMesh);
    own.apply(Action::Select(Selection::Effector(Effector::RightHand)));
    step_back(&mut own);
    let text = link(&mut own);
    assert!(matches!(Shared::from_link(&text), Ok(Shared::Preset(_))));
    assert!(text.starts_with("kinescope:#c=") && text.len() < 1500, "{}", text.len());
    let other = opened(&text);
    assert_same(&own, &other);
    assert_eq!((other.look.view, &other.interaction.selection), (own.look.view, &own.interaction.selection));
    assert_eq!((other.files.preset.clone(), other.world.history.is_unsaved()), (None, false));
    assert_eq!(notice(&other), "Opened link");
}

#[test]
fn a_clip_opens_at_its_time() {
    let mut own = in_scene("idle, walk, run");
    assert!(own.world.history.document().clip.name.is_some());
    play(&mut own, 20);
    step_back(&mut own);
    let text = link(&mut own);
    assert_same(&own, &opened(&text));
}

#[test]
fn a_frame_that_depends_on_earlier_ones_is_a_capsule_with_the_mesh() {
    for scene in ["stairs", "feet that stay", "recoil"] {
        let mut own = session();
        own.start_scene(Scene::find(scene).unwrap());
        play(&mut own, 50);
        run(&mut own, Command::PlayPause);
        run(&mut own, Command::PreviousStage);
        let text = link(&mut own);
        assert!(matches!(Shared::from_link(&text), Ok(Shared::Capsule(_))), "{scene}");
        let other = opened(&text);
        assert_same(&own, &other);
        let vertices = |session: &Session| {
            session.world.character.model.meshes.iter().map(|mesh| mesh.positions.len()).sum::<usize>()
        };
        assert_eq!(vertices(&other), vertices(&own), "{scene}");
    }
}

#[test]
fn a_model_from_a_file_opens_as_bones() {
    let folder = Folder::new("link of a model");
    let hero = PathBuf::from(folder.write("hero.glb", BYTES));
    let mut own = session();
    apply(&mut own, Action::File(Command::OpenModel, hero));
    let mut settings = *own.world.settings();
    let hand = settings.effector_mut(Effector::LeftHand);
    (hand.position, hand.position_weight) = (Some(Vec3::new(0.3, 1.3, 0.5)), 1.0);
    own.edit_settings("reach", None, settings);
    own.update(0.0);
    step_back(&mut own);
    let text = link(&mut own);
    assert!(text.len() < 16_000, "{}", text.len());
    let other = opened(&text);
    assert_same(&own, &other);
    assert!(other.world.character.is_of_bones());
    assert_eq!(other.world.character.model.name, "hero.glb");
}

#[test]
fn a_pasted_link_asks_about_unsaved_work() {
    let text = link(&mut in_scene("reach and brace"));
    let mut other = session();
    let mut settings = *other.world.settings();
    settings.solver.iterations = 2;
    other.edit_settings("iterations", None, settings);
    apply(&mut other, Action::Pose(PoseAction::Paste(text)));
    assert!(matches!(other.window.dialog, Some(Dialog::Unsaved(_))));
    assert_eq!(other.world.settings().solver.iterations, 2);
}

#[test]
fn a_long_link_offers_a_file() {
    let folder = Folder::new("long link");
    let mut own = in_scene("stairs");
    let mut document = own.world.history.document().clone();
    let mut terrain = document.terrain.unwrap().resized(Vec2::ZERO, Vec2::splat(8.0), 100, 100);
    // Heights without a pattern do not compress.
    let mut random = 1u32;
    for height in &mut terrain.heights {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        *height = random as f32 * 1e-12;
    }
    document.terrain = Some(Arc::new(terrain));
    let preset = folder.write("bumpy stairs.json", document.to_preset().to_json());
    apply(&mut own, Action::File(Command::OpenPreset, preset.into()));
    assert_eq!(own.world.history.document().terrain, document.terrain, "{}", notice(&own));
    own.apply(Action::Command(Command::CopyLink));
    assert_eq!(own.window.dialog, Some(Dialog::File(Command::SaveCapsule)));
    assert!(notice(&own).contains("bytes of data; the limit is 32768. Save a bug capsule instead"), "{}", notice(&own));
}

#[test]
fn invalid_links_change_nothing() {
    let mut own = in_scene("reach and brace");
    let before = own.world.history.document().clone();
    let file =
        r#"{ "format": "kinescope-preset", "version": 1, "model": { "path": "/etc/passwd", "name": "passwd" } }"#;
    let of_file = Shared::Preset(Preset::from_json(file).unwrap().into()).to_fragment().unwrap();
    let wrong = r#"{ "format": "kinescope-preset", "version": 1, "clip": { "name": "walk", "tempo": 2 } }"#;
    let wrong = Shared::Preset(Preset::from_json(wrong).unwrap().into()).to_fragment().unwrap();
    for (link, message) in [
        (of_file.as_str(), "Could not open the link: model.path: a link may only name a built-in character"),
        (wrong.as_str(), "Could not open the link: clip.tempo: unknown field"),
        ("kinescope:#c=q1Y", "Could not open the link: link: is damaged or cut off"),
    ] {
        apply(&mut own, Action::OpenLink(link.to_owned()));
        assert!(notice(&own).starts_with(message), "{}", notice(&own));
        assert_eq!(*own.world.history.document(), before);
    }
}
