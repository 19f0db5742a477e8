//! Work while the window continues: opening models, recovering work that waits for its model, autosave, and the search
//! for roles.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::mpsc::{Sender, channel};
use std::task::{Context, Poll, Waker};

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use egui_macroquad::egui::{Rect, Vec2, pos2};
use kinescope::character::Character;
use kinescope::scenes::Scene;
use kinescope::session::answers::Answer;
use kinescope::session::autosave::{Keeper, Recovered};
use kinescope::session::commands::Command;
use kinescope::session::{Action, Dialog, Pending, Session, Start};
use kinescope::shell::panes::dialogs;
use kinescope::ui::theme;
use kinescope_ik::rig::detect::MappedBones;
use kinescope_ik::rig::{LimbName, Role};
use serde_json::json;

use crate::common::PATIENCE;
use crate::common::files::{Folder, temporary};
use crate::common::session::{run, session};

const BIPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/biped.glb");
const FRAME: f32 = 1.0 / 60.0;

/// Returns a session that is opening `slow.glb`, and a sender that ends the opening: with `Ok`, the biped is loaded.
fn opening() -> (Session, Sender<Result<(), String>>) {
    let mut session = session();
    let (send, read) = channel();
    session.open_model_with(Path::new("/models/slow.glb"), move |_| {
        // The channel closes when the test has ended.
        read.recv().unwrap_or(Err("the test has ended".to_owned()))?;
        Character::load(Path::new(BIPED))
    });
    (session, send)
}

fn message(session: &Session) -> String {
    session.window.notice.as_ref().map_or_else(String::new, |notice| notice.text.clone())
}

fn set_iterations(session: &mut Session, iterations: u32) {
    let mut settings = *session.world.settings();
    settings.solver.iterations = iterations;
    session.edit_settings("iterations", None, settings);
}

/// A slow model used to block the window.
#[test]
fn the_window_continues_while_a_model_is_opened() {
    let (mut session, send) = opening();
    assert_eq!(session.opening(), None, "no message while a quick model is opened");
    let before = session.world.time.frame;
    set_iterations(&mut session, 7);
    for _ in 0..60 {
        session.update(FRAME);
    }
    assert!(session.world.time.frame > before && session.is_opening_model() && session.is_moving());
    assert_eq!(session.opening(), Some(("slow.glb".to_owned(), None)));
    assert_eq!((session.world.character.path.as_deref(), session.window.characters), (None, 0));
    send.send(Ok(())).unwrap();
    session.wait_for_opening(PATIENCE);
    assert_eq!(session.world.character.path.as_deref(), Some(Path::new(BIPED)));
    assert_eq!((session.opening(), session.window.characters), (None, 1));
    assert_eq!(session.files.recent.models, [PathBuf::from("/models/slow.glb")]);
    assert_eq!(session.world.settings().solver.iterations, 7);
    run(&mut session, Command::Undo);
    run(&mut session, Command::Undo);
    assert_ne!(session.world.settings().solver.iterations, 7);
}

#[test]
fn opening_a_model_can_be_cancelled() {
    let (mut session, send) = opening();
    run(&mut session, Command::CancelJobs);
    assert!(!session.is_opening_model());
    assert_eq!(message(&session), "Cancelled opening slow.glb");
    // A model that is loaded after the user cancelled is dropped.
    let _ = send.send(Ok(()));
    for _ in 0..10 {
        session.update(FRAME);
    }
    assert_eq!((session.world.character.path.as_deref(), session.window.characters), (None, 0));
}

#[test]
fn another_character_replaces_the_model_that_is_opened() {
    let (mut session, send) = opening();
    run(&mut session, Command::BuiltInFaun);
    assert!(!session.is_opening_model());
    let _ = send.send(Ok(()));
    session.update(FRAME);
    assert_eq!(session.world.character.model.name, "faun");
    let (mut session, send) = opening();
    session.apply(Action::File(Command::OpenModel, BIPED.into()));
    let _ = send.send(Err("slow.glb: too late".to_owned()));
    session.wait_for_opening(PATIENCE);
    assert_eq!(session.world.character.path.as_deref(), Some(Path::new(BIPED)));
    assert!(!message(&session).contains("too late"), "{}", message(&session));
}

#[test]
fn a_model_that_fails_to_load_keeps_the_character_and_shows_the_reason() {
    let (mut session, send) = opening();
    set_iterations(&mut session, 7);
    send.send(Err("/models/slow.glb: line 3: is cut off".to_owned())).unwrap();
    session.wait_for_opening(PATIENCE);
    assert!(session.window.notice.as_ref().unwrap().is_error);
    assert_eq!(message(&session), "/models/slow.glb: line 3: is cut off");
    assert_eq!((session.world.character.path.as_deref(), session.world.settings().solver.iterations), (None, 7));
    assert!(session.files.recent.models.is_empty());
    session.open_model_with(Path::new("/models/slow.glb"), |_| panic!("on purpose"));
    session.wait_for_opening(PATIENCE);
    assert!(message(&session).starts_with("/models/slow.glb: Kinescope stopped reading"), "{}", message(&session));
}

#[test]
fn the_window_shows_what_is_being_opened_and_the_button_cancels_it() {
    let (mut session, _send) = opening();
    session.update(0.5);
    // Without an update, the session does not take the job's result.
    session.apply(Action::Command(Command::Sweep));
    let picture = Rect::from_min_max(pos2(200.0, 60.0), pos2(1000.0, 700.0));
    let mut is_ready = false;
    let mut harness = Harness::builder().with_size(Vec2::new(1200.0, 800.0)).build_state(
        move |ctx, session: &mut Session| {
            if !std::mem::replace(&mut is_ready, true) {
                ctx.set_fonts(theme::fonts());
                return;
            }
            let mut actions = Vec::new();
            dialogs::opening(ctx, session, picture, &mut actions);
            actions.into_iter().for_each(|action| session.apply(action));
        },
        session,
    );
    harness.run();
    harness.get_by_label("Opening slow.glb…");
    let cancel = harness.get_by_label("Cancel");
    cancel.click();
    harness.run();
    assert!(!harness.state().is_opening_model() && harness.query_by_label("Opening slow.glb…").is_none());
    assert_eq!(message(harness.state()), "Cancelled opening slow.glb");
    // The button used to cancel all other work as well.
    assert!(harness.state().tools.debugger.sweep.job.is_some());
}

#[test]
fn the_rest_of_the_command_line_waits_for_the_model() {
    let start = |scene: &str, clip: Option<&str>| {
        let (scene, clip) = (Scene::find(scene), clip.map(str::to_owned));
        Start { scene, clip, ..Start::default() }
    };
    let mut session = session();
    session.open_model_and_start(Path::new(BIPED), start("push against a wall", Some("walk")));
    session.wait_for_model(PATIENCE).unwrap();
    assert_eq!(session.started_scene.scene.unwrap().name, "push against a wall");
    assert!(session.world.clip.clip().is_some() && !session.world.history.is_unsaved());
    assert_eq!(session.world.character.path.as_deref(), Some(Path::new(BIPED)));
    let mut session = self::session();
    session.open_model_and_start(Path::new(BIPED), start("push against a wall", Some("swim")));
    let error = session.wait_for_model(PATIENCE).unwrap_err();
    assert!(error.contains("swim") && error.contains("walk"), "{error}");
    // Edits made while the model was opened survive the scene's start.
    let mut session = self::session();
    session.open_model_and_start(Path::new(BIPED), start("push against a wall", None));
    set_iterations(&mut session, 7);
    session.wait_for_model(PATIENCE).unwrap();
    assert_eq!(session.window.dialog, Some(Dialog::Unsaved(Pending::Scene("push against a wall"))));
    assert_eq!(session.world.settings().solver.iterations, 7);
}

/// Returns the autosave folder of a window that had a model open and unsaved changes, and the recoverable work in it.
fn left(folder: &Folder, model: &str) -> (PathBuf, Recovered) {
    let place = PathBuf::from(folder.path("autosave"));
    let mut session = session();
    session.apply(Action::File(Command::OpenModel, model.into()));
    session.wait_for_opening(PATIENCE);
    set_iterations(&mut session, 5);
    session.update(FRAME);
    let mut keeper = Keeper::start_in(place.clone()).unwrap();
    keeper.look(&session);
    assert!(keeper.flush());
    // Dropping the keeper leaves its files, as a crash does.
    drop(keeper);
    let left = Recovered::find_in(&place).unwrap();
    (place, left)
}

#[test]
fn recovered_work_waits_for_its_model() {
    let folder = Folder::new("recover");
    let model = folder.write("own.glb", std::fs::read(BIPED).unwrap());
    let (place, work) = left(&folder, &model);
    let mut session = session();
    session.offer(work);
    session.apply(Action::Answer(Answer::Recover));
    assert!(session.is_opening_model() && session.files.recovered.is_none());
    session.wait_for_opening(PATIENCE);
    assert_eq!(
        (session.world.character.path.clone(), session.world.settings().solver.iterations),
        (Some(PathBuf::from(&model)), 5)
    );
    assert!(session.world.history.is_unsaved() && message(&session).contains("Recovered"), "{}", message(&session));
    session.files.settled.take().unwrap().remove();
    assert!(Recovered::find_in(&place).is_none());
}

/// Recovered work on the faun used to be named like work on the mannequin.
#[test]
fn recovered_work_on_a_built_in_character_names_it() {
    let folder = Folder::new("recover faun");
    let place = PathBuf::from(folder.path("autosave"));
    let mut before = session();
    run(&mut before, Command::BuiltInFaun);
    set_iterations(&mut before, 5);
    before.update(FRAME);
    let mut keeper = Keeper::start_in(place.clone()).unwrap();
    keeper.look(&before);
    assert!(keeper.flush());
    drop(keeper);
    let mut session = session();
    session.offer(Recovered::find_in(&place).unwrap());
    session.apply(Action::Answer(Answer::Recover));
    session.wait_for_opening(PATIENCE);
    assert_eq!(session.world.character.model.name, "faun");
    assert!(message(&session).contains(" on the built-in faun, "), "{}", message(&session));
}

#[test]
fn recovered_work_does_not_replace_newer_edits() {
    let folder = Folder::new("recover beside");
    let model = folder.write("own.glb", std::fs::read(BIPED).unwrap());
    let (_, work) = left(&folder, &model);
    let mut session = session();
    session.offer(work);
    session.apply(Action::Answer(Answer::Recover));
    set_iterations(&mut session, 9);
    session.wait_for_opening(PATIENCE);
    assert_eq!(session.window.dialog, Some(Dialog::Unsaved(Pending::ShowOpened)));
    assert_eq!((session.world.character.path.clone(), session.world.settings().solver.iterations), (None, 9));
    session.apply(Action::Answer(Answer::CloseDialog));
    assert_eq!(session.world.settings().solver.iterations, 9);
    assert!(session.files.recovered.is_some(), "the next start offers it again");
    session.apply(Action::Answer(Answer::Recover));
    session.wait_for_opening(PATIENCE);
    session.apply(Action::Answer(Answer::DiscardChanges));
    assert_eq!(
        (session.world.character.path.clone(), session.world.settings().solver.iterations),
        (Some(PathBuf::from(&model)), 5)
    );
}

#[test]
fn recovered_work_without_its_model_is_kept() {
    let folder = Folder::new("recover gone");
    let model = folder.write("own.glb", std::fs::read(BIPED).unwrap());
    let (place, work) = left(&folder, &model);
    std::fs::remove_file(&model).unwrap();
    let mut session = session();
    session.offer(work);
    session.apply(Action::Answer(Answer::Recover));
    session.wait_for_opening(PATIENCE);
    assert!(message(&session).contains("own.glb") && message(&session).contains("is kept"), "{}", message(&session));
    drop(session);
    assert!(Recovered::find_in(&place).is_some());
}

/// A failing autosave used to cause no message, or to repeat its message.
#[test]
fn autosave_that_fails_is_reported_once() {
    let place = temporary("autosave");
    let (off, on) = (
        || {
            std::fs::remove_dir_all(&place).unwrap();
            std::fs::write(&place, "a file in place of the folder").unwrap();
        },
        || {
            std::fs::remove_file(&place).unwrap();
            std::fs::create_dir_all(&place).unwrap();
        },
    );
    let mut session = session();
    let mut keeper = Keeper::start_in(place.clone()).unwrap();
    let mut iterations = 10;
    let mut keep = |keeper: &mut Keeper| {
        iterations += 1;
        set_iterations(&mut session, iterations);
        keeper.look(&session);
        keeper.flush()
    };
    off();
    assert!(!keep(&mut keeper));
    let failure = keeper.new_failure().unwrap();
    assert!(failure.starts_with("Could not autosave: "), "{failure}");
    assert!(failure.contains(place.to_str().unwrap()) && failure.ends_with(". Save your work yourself"), "{failure}");
    assert!(!failure.contains(".part") && !failure.contains(".tmp"), "{failure}");
    assert!(!keep(&mut keeper));
    assert_eq!(keeper.new_failure(), None, "the same failure is not reported again");
    // After autosave has worked again, another failure is reported again.
    on();
    assert!(keep(&mut keeper));
    assert_eq!(keeper.new_failure(), None);
    off();
    assert!(!keep(&mut keeper));
    assert!(keeper.new_failure().is_some());
}

/// If autosave could not start, nothing used to be saved, without a message.
#[test]
fn autosave_that_cannot_start_is_reported() {
    let place = temporary("no folder");
    std::fs::write(&place, "a file").unwrap();
    let Err(failure) = Keeper::start_in(place.join("autosave")) else { panic!("there is no such folder") };
    assert!(failure.contains("no folder/autosave") && failure.ends_with(". Save your work yourself"), "{failure}");
    // A warning that comes after an error is shown once the error is dismissed.
    let mut session = session();
    session.warn(failure.clone());
    assert!(session.window.notice.as_ref().unwrap().is_error && message(&session) == failure);
    session.fail("another");
    session.warn(failure.clone());
    assert_eq!(message(&session), "another");
    session.apply(Action::DismissNotice);
    assert_eq!(message(&session), failure);
    // If a message has replaced the error, the warning is shown once that message disappears.
    session.fail("another");
    session.warn(failure.clone());
    run(&mut session, Command::SolveAgain);
    assert!(message(&session) != "another" && message(&session) != failure);
    session.update(10.0);
    assert_eq!(message(&session), failure);
}

/// A role changed by hand used to block the window until the whole rig was searched again.
#[test]
fn roles_changed_by_hand_are_searched_in_the_background() {
    let mut session = session();
    let hand = |session: &Session| {
        let finding =
            session.world.character.detection.roles.iter().find(|found| found.role == Role::LeftHand).unwrap();
        finding
            .bones
            .iter()
            .map(|&bone| session.world.character.model.skeleton.bones()[bone].name.clone())
            .collect::<Vec<_>>()
    };
    let set_hand = |session: &mut Session, name: &str| {
        let mut document = session.world.history.document().clone();
        document.mapping.roles.insert(Role::LeftHand, MappedBones(vec![name.to_owned()]));
        session.edit("left hand of the rig", None, document);
    };
    let own = hand(&session);
    // Until the search ends, the earlier roles remain.
    set_hand(&mut session, "left_index_1");
    assert!(session.is_finding_roles());
    assert_eq!(hand(&session), own);
    assert!(session.world.character.rig.full_body.is_ok());
    session.wait_for_roles(PATIENCE);
    assert!(!session.is_finding_roles());
    assert_eq!(hand(&session), ["left_index_1"]);
    // A later change replaces the search, and undo needs no search if the character already has the roles.
    set_hand(&mut session, "head");
    set_hand(&mut session, "left_index_2");
    session.wait_for_roles(PATIENCE);
    assert_eq!(hand(&session), ["left_index_2"]);
    set_hand(&mut session, "head");
    run(&mut session, Command::Undo);
    assert!(!session.is_finding_roles());
    assert_eq!(hand(&session), ["left_index_2"]);
    // A search's result does not apply to another character.
    set_hand(&mut session, "left_index_1");
    session.take(Character::built_in().unwrap());
    session.wait_for_roles(PATIENCE);
    assert_eq!(hand(&session), own);
}

/// The preset counts as open only after its roles have been assigned.
#[test]
fn a_preset_with_other_roles_is_shown_with_them() {
    let folder = Folder::new("roles");
    let preset = json!({ "format": "kinescope-preset", "version": 1, "mapping": { "left_hand": "left_index_1" } });
    let path = folder.write("roles.json", preset.to_string().as_bytes());
    let mut session = session();
    session.open_preset(PathBuf::from(&path));
    assert!(session.is_opening_model() && session.files.preset.is_none(), "{}", message(&session));
    session.wait_for_opening(PATIENCE);
    assert_eq!(session.files.preset.as_deref(), Some(Path::new(&path)), "{}", message(&session));
    let biped = session.world.character.detection.biped.as_ref().unwrap();
    let hand = biped.limb(LimbName::LeftArm).bones[2];
    assert_eq!(session.world.character.model.skeleton.bones()[hand].name, "left_index_1");
    assert!(!session.is_finding_roles());
}

/// Opening a model in one piece used to block the web page until the model was open.
#[test]
fn a_model_opens_in_parts_with_pauses_and_progress() {
    let reported = RefCell::new(Vec::new());
    let mut progress = |done: f32| {
        reported.borrow_mut().push(done);
        true
    };
    let mut work = pin!(Character::load_in_slices(Path::new(BIPED), None, &mut progress));
    let mut context = Context::from_waker(Waker::noop());
    let mut parts = 1;
    let opened = loop {
        match work.as_mut().poll(&mut context) {
            Poll::Ready(opened) => break opened.unwrap(),
            Poll::Pending => parts += 1,
        }
    };
    let reported = reported.borrow();
    assert!(parts >= 4 && reported.len() >= 2, "{parts} parts, {reported:?}");
    assert!(reported.is_sorted() && reported.iter().all(|done| (0.0..=1.0).contains(done)), "{reported:?}");
    // The clips are measured last, in parts, with a report for each clip.
    let clips = opened.model.clips.len();
    let measured = &reported[reported.len() - clips..];
    assert!(clips > 1 && parts > clips && measured[0] > 0.8 && measured[0] < measured[clips - 1], "{reported:?}");
    let whole = Character::load(Path::new(BIPED)).unwrap();
    assert_eq!(opened.model.skeleton, whole.model.skeleton);
    assert_eq!(opened.detection, whole.detection);
}
