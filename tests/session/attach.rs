//! Targets attached to bones and effectors: in the session, the inspector and the command line.

use std::sync::Arc;

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use egui_macroquad::egui::accesskit::Role;
use egui_macroquad::egui::{self, Key};
use glam::{Quat, Vec2, Vec3};
use kinescope::character::Character;
use kinescope::session::commands::Command;
use kinescope::session::headless::Headless;
use kinescope::session::{Action, Dialog, Selection, Session};
use kinescope::tools::pose::handles::{Grip, HandleId};
use kinescope::tools::pose::session::PoseAction;
use kinescope::tools::steps::session::StepAction;
use kinescope::world::document::Document;
use kinescope_ik::attach::{Anchor, Attachment};
use kinescope_ik::full_body::Effector;
use kinescope_ik::modifiers::{LookAt, Modifier};
use kinescope_ik::preset::Preset;
use kinescope_ik::rig::RigidTransform;
use kinescope_ik::stack::{Attached, LayerId};
use kinescope_ik::stepped::Cursor;

use crate::common::files::temporary;
use crate::common::program::{kinescope, text};
use crate::common::session::{in_scene, run, session};
use crate::harness::Window;
use crate::panels::desktop;

const DT: f32 = 1.0 / 60.0;
const LEFT: Attached = Attached::Effector(Effector::LeftHand);
const RIGHT: Anchor = Anchor::Effector(Effector::RightHand);

fn target(session: &Session, effector: Effector) -> Vec3 {
    session.world.settings().effector(effector).position.unwrap()
}

fn offset(session: &Session, target: Attached) -> Vec3 {
    session.world.history.document().stack.attachment(target).unwrap().offset
}

/// Returns the largest difference of a bone between two poses: the distance of its positions in metres or, if larger,
/// 1 − cos of half the angle between its rotations.
fn apart(a: &[RigidTransform], b: &[RigidTransform]) -> f32 {
    let bones = a.iter().zip(b).map(|(a, b)| {
        let turned = 1.0 - a.rotation.dot(b.rotation).abs();
        a.position.distance(b.position).max(turned)
    });
    bones.fold(0.0, f32::max)
}

fn drag(session: &mut Session, id: HandleId, by: Vec2) {
    let handle = session.handles().into_iter().find(|handle| handle.id == id).unwrap();
    session.press(handle.screen);
    assert_eq!(session.interaction.drag.map(|drag| drag.id), Some(id));
    for part in [0.3, 0.7, 1.0] {
        session.drag_to(handle.screen + by * part);
        session.update(DT);
    }
    session.release();
    session.update(DT);
}

fn attached() -> Session {
    let mut session = session();
    let mut settings = *session.world.settings();
    for (effector, x) in [(Effector::LeftHand, 0.2), (Effector::RightHand, -0.2)] {
        let own = settings.effector_mut(effector);
        (own.position, own.position_weight) = (Some(Vec3::new(x, 1.2, 0.4)), 1.0);
    }
    session.edit_settings("test", None, settings);
    session.update(DT);
    session.apply(Action::Select(Selection::Effector(Effector::LeftHand)));
    session.apply(Action::Pose(PoseAction::Attach(LEFT, Some(RIGHT))));
    session.update(DT);
    session
}

#[test]
fn an_attached_target_stays_where_it_stands_follows_and_is_detached_there() {
    let mut session = attached();
    assert!(target(&session, Effector::LeftHand).distance(Vec3::new(0.2, 1.2, 0.4)) < 1e-6);
    let before = session.world.solved.pose.clone();
    let between = target(&session, Effector::LeftHand) - target(&session, Effector::RightHand);

    drag(&mut session, HandleId::Effector(Effector::RightHand), Vec2::new(-40.0, -55.0));
    let right = target(&session, Effector::RightHand);
    assert!(right.distance(Vec3::new(-0.2, 1.2, 0.4)) > 0.02);
    assert!((target(&session, Effector::LeftHand) - right).distance(between) < 1e-6, "the left hand follows");
    let handles = session.handles();
    let handle = handles.iter().find(|handle| handle.id == HandleId::Effector(Effector::LeftHand)).unwrap();
    assert!(handle.position.distance(right + between) < 1e-6);
    assert!(session.attachment_lines().iter().any(|[at, to]| at.distance(right + between) + to.distance(right) < 1e-5));
    run(&mut session, Command::Undo);
    assert!(apart(&session.world.solved.pose, &before) < 1e-6);
    run(&mut session, Command::Redo);

    session.apply(Action::Select(Selection::Effector(Effector::LeftHand)));
    run(&mut session, Command::DetachTarget);
    assert!(session.world.history.document().stack.attachments.is_empty());
    assert!(target(&session, Effector::LeftHand).distance(right + between) < 1e-6);
    drag(&mut session, HandleId::Effector(Effector::RightHand), Vec2::new(30.0, 20.0));
    assert!(target(&session, Effector::LeftHand).distance(right + between) < 1e-6, "it stays");
    for _ in 0..3 {
        run(&mut session, Command::Undo);
    }
    run(&mut session, Command::Undo);
    assert!(session.world.history.document().stack.attachments.is_empty(), "attaching is undone too");
}

#[test]
fn dragging_an_attached_target_edits_its_offset() {
    let mut session = attached();
    let (before, place) = (offset(&session, LEFT), target(&session, Effector::LeftHand));
    drag(&mut session, HandleId::Effector(Effector::LeftHand), Vec2::new(35.0, -20.0));
    let moved = target(&session, Effector::LeftHand);
    assert!(moved.distance(place) > 0.02);
    let anchor = session.world.anchor(&RIGHT).unwrap();
    assert!(offset(&session, LEFT).distance(anchor.rotation.conjugate() * (moved - anchor.position)) < 1e-6);
    run(&mut session, Command::Undo);
    assert!(offset(&session, LEFT).distance(before) < 1e-7);
    assert!(target(&session, Effector::LeftHand).distance(place) < 1e-6);
    let revision = session.world.history.revision();
    let settings = *session.world.settings();
    session.edit_settings("nothing", None, settings);
    assert_eq!(session.world.history.revision(), revision);
    session.apply(Action::Select(Selection::Effector(Effector::LeftHand)));
    session.apply(Action::Pose(PoseAction::SelectAlso(Effector::RightHand)));
    drag(&mut session, HandleId::Effector(Effector::RightHand), Vec2::new(25.0, 25.0));
    let after = target(&session, Effector::LeftHand) - target(&session, Effector::RightHand);
    assert!(offset(&session, LEFT).distance(before) < 1e-5, "{after}");
    run(&mut session, Command::ReleaseEffectors);
    assert!(session.world.history.document().stack.attachments.is_empty());
}

#[test]
fn an_attached_pose_is_saved_and_opened_again_and_is_the_same_without_a_window() {
    let mut session = in_scene("door handle");
    drag(&mut session, HandleId::Effector(Effector::RightHand), Vec2::new(-25.0, -40.0));
    let head = session.world.character.rig.figure.as_ref().unwrap().head.unwrap();
    let name = session.world.character.model.skeleton.bones()[head].name.clone();
    session.apply(Action::Pose(PoseAction::Attach(
        Attached::Effector(Effector::RightHand),
        Some(Anchor::Bone(name.clone())),
    )));
    session.update(DT);
    let pose = session.world.solved.pose.clone();
    let path = temporary("door handle.json");
    session.apply(Action::File(Command::SavePresetAs, path.clone()));
    let saved = std::fs::read_to_string(&path).unwrap();
    assert!(saved.contains("\"attachments\"") && saved.contains("\"attached\""), "{saved}");

    let mut again = crate::common::session::session();
    again.apply(Action::File(Command::OpenPreset, path.clone()));
    again.update(DT);
    assert!(apart(&again.world.solved.pose, &pose) < 1e-6, "{}", apart(&again.world.solved.pose, &pose));
    assert_eq!(again.world.history.document().stack.attachments, session.world.history.document().stack.attachments);

    let document = Document::from_preset(&Preset::from_json(&saved).unwrap()).unwrap();
    let mut headless = Headless::new(Character::built_in().unwrap(), document).unwrap();
    assert!(apart(&headless.solve().unwrap().bones, &pose) < 1e-6);
    let out = temporary("door handle pose.json");
    let [path, out] = [path, out].map(|path| path.to_str().unwrap().to_owned());
    let output = kinescope(&["solve", "--preset", &path, "--out", &out]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let output = kinescope(&["trace", "--preset", &path, "--out", &out]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let trace: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&out).unwrap()).unwrap();
    let traced = &trace["parameters"]["effectors"]["left_hand"]["position"];
    let traced = Vec3::from_array(serde_json::from_value(traced.clone()).unwrap());
    assert!(traced.distance(target(&session, Effector::LeftHand)) < 1e-6, "the current place, not the stored one");
    let output = kinescope(&["record", "--preset", &path, "--clip", "walk", "--fps", "10", "--out", &out]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let output = kinescope(&["diff", &out]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));

    let missing = temporary("no such bone.json");
    std::fs::write(&missing, saved.replace(&format!("\"bone\": \"{name}\""), "\"bone\": \"tail\"")).unwrap();
    let missing = missing.to_str().unwrap();
    for command in ["solve", "trace"] {
        let output = kinescope(&[command, "--preset", missing, "--out", &out]);
        assert_eq!(output.status.code(), Some(1));
        let printed = text(&output.stderr);
        let parts = ["no such bone.json", "attachments.right_hand.to.bone", "\"tail\"", "choose one of its bones"];
        for part in parts {
            assert!(printed.contains(part), "{part}: {printed}");
        }
    }
}

#[test]
fn an_attached_hand_follows_a_bone_through_a_clip_in_the_bake() {
    let character = Character::built_in().unwrap();
    let foot = character.rig.figure.as_ref().unwrap().bone_of(Effector::RightFoot);
    let name = character.model.skeleton.bones()[foot].name.clone();
    let mut document = Document::default();
    document.clip.name = Some("walk".to_owned());
    let offset = Vec3::new(0.0, 0.3, 0.1);
    document.stack.full_body.effector_mut(Effector::LeftFoot).position_weight = 1.0;
    *document.stack.attachment_mut(Attached::Effector(Effector::LeftFoot)).unwrap() =
        Some(Attachment { to: Anchor::Bone(name), offset, rotation_offset: None });
    let mut headless = Headless::new(character, document).unwrap();
    for _ in 0..10 {
        headless.advance(0.07);
        let animated = headless.frame.input.animated.bones[foot];
        let target = headless.frame.full_body().unwrap().settings.effector(Effector::LeftFoot).position.unwrap();
        assert!(target.distance(animated.position + animated.rotation * offset) < 1e-6);
    }
    assert!(headless.bake_whole(10.0).is_ok());
}

#[test]
fn a_look_at_that_is_attached_to_the_hand_follows_a_dragged_hand() {
    let mut session = in_scene("door handle");
    let place = |session: &Session| match &session.world.stack().modifiers[0] {
        Modifier::LookAt(own) => own.target.unwrap(),
        other => panic!("{other:?}"),
    };
    let head = session.world.character.rig.figure.as_ref().unwrap().head.unwrap();
    let before = session.world.solved.pose[head].rotation;
    let away = place(&session) - target(&session, Effector::RightHand);
    drag(&mut session, HandleId::Effector(Effector::RightHand), Vec2::new(-90.0, -30.0));
    assert!((place(&session) - target(&session, Effector::RightHand)).distance(away) < 1e-6);
    assert!(session.world.solved.pose[head].rotation.angle_between(before) > 0.03, "the head turns toward the bone");

    session.apply(Action::Select(Selection::Modifier(0, LayerId::Modifiers)));
    let (at, before) = (place(&session), offset(&session, Attached::Modifier(0)));
    drag(&mut session, HandleId::Modifier(0, Grip::Target), Vec2::new(20.0, -35.0));
    let away = place(&session) - target(&session, Effector::RightHand);
    assert!(place(&session).distance(at) > 0.02 && offset(&session, Attached::Modifier(0)).distance(before) > 0.02);
    drag(&mut session, HandleId::Effector(Effector::RightHand), Vec2::new(30.0, 10.0));
    assert!((place(&session) - target(&session, Effector::RightHand)).distance(away) < 1e-5);
    session.apply(Action::Select(Selection::Layer(LayerId::Attachments)));
    run(&mut session, Command::PlayPause);
    assert_eq!(session.focus(), LayerId::Attachments);
    session.apply(Action::Steps(StepAction::Seek(Cursor { step: 1, within: Some(0) })));
    let sheet = session.shown_run().unwrap().formula(1, 0).unwrap();
    assert!(sheet.title.starts_with("look at 1, attached to right hand"), "{}", sheet.title);
    session.apply(Action::Steps(StepAction::SeekFrame(0)));
    session.update(DT);
    assert!(session.world.solved.problem().is_none());
}

#[test]
fn a_cycle_is_refused_and_nothing_changes() {
    let mut session = attached();
    let before = session.world.history.document().clone();
    session.apply(Action::Pose(PoseAction::Attach(
        Attached::Effector(Effector::RightHand),
        Some(Anchor::Effector(Effector::LeftHand)),
    )));
    let message = session.window.notice.as_ref().unwrap().text.clone();
    for field in ["attachments.left_hand.to.effector", "attachments.right_hand.to.effector"] {
        assert!(message.contains(field), "{message}");
    }
    assert!(*session.world.history.document() == before);
}

#[test]
fn another_character_without_the_bone_is_reported() {
    let mut session = session();
    let mut document = session.world.history.document().clone();
    *document.stack.attachment_mut(LEFT).unwrap() =
        Some(Attachment { to: Anchor::Bone("tail".to_owned()), offset: Vec3::ZERO, rotation_offset: None });
    let look = LookAt {
        attached: Some(Attachment { to: Anchor::Bone("horn".to_owned()), offset: Vec3::ZERO, rotation_offset: None }),
        ..LookAt::default()
    };
    document.stack.modifiers = Arc::new(vec![Modifier::LookAt(look)]);
    let (first, count) = document.missing(&session.world.character.model);
    let message = first.unwrap().to_string();
    assert!(message.starts_with("attachments.left_hand.to.bone: the model has no bone \"tail\""), "{message}");
    assert_eq!(count, 2);
    session.edit("test", None, document);
    session.update(DT);
    let message = session.window.notice.as_ref().unwrap().text.clone();
    assert!(message.contains("attachments.left_hand.to.bone"), "{message}");
}

fn choose(harness: &mut Harness<Window>, option: &str) {
    harness.get_by_role_and_label(Role::ComboBox, "attached to").click();
    harness.run();
    harness.input_mut().events.push(egui::Event::Text(option.to_owned()));
    harness.run();
    harness.press_key(Key::Enter);
    harness.run();
    harness.run();
}

#[test]
fn the_inspector_attaches_and_detaches_and_no_row_moves() {
    let mut harness = desktop();
    harness.state_mut().session = attached();
    harness.state_mut().session.apply(Action::Pose(PoseAction::Attach(LEFT, None)));
    harness.run();
    let rows = |harness: &Harness<Window>| {
        let names = ["position weight", "rotation weight", "maintain relative position", "pull"];
        names.map(|name| harness.get_by_role_and_label(Role::Slider, name).raw_bounds().unwrap().y0)
    };
    let before = rows(&harness);
    let shown = |harness: &Harness<Window>| harness.get_by_role_and_label(Role::ComboBox, "attached to").value();
    assert_eq!(shown(&harness).as_deref(), Some("None"));
    choose(&mut harness, "right hand (eff");
    assert_eq!(shown(&harness).as_deref(), Some("right hand (effector)"));
    assert_eq!(harness.state().session.world.stack().attachment(LEFT).map(|own| own.to.clone()), Some(RIGHT));
    assert_eq!(rows(&harness), before);
    choose(&mut harness, "None");
    assert_eq!(harness.state().session.world.stack().attachment(LEFT), None);
    assert_eq!(rows(&harness), before);

    let session = &harness.state().session;
    let head = session.world.character.rig.figure.as_ref().unwrap().head.unwrap();
    let name = session.world.character.model.skeleton.bones()[head].name.clone();
    choose(&mut harness, &name);
    let bone = Some(Anchor::Bone(name.clone()));
    assert_eq!(harness.state().session.world.stack().attachment(LEFT).map(|own| own.to.clone()), bone);
    harness.state_mut().session.apply(Action::Command(Command::AttachTarget));
    harness.run();
    assert_eq!(harness.state().session.window.dialog, Some(Dialog::AttachTarget(LEFT)));
    harness.input_mut().events.push(egui::Event::Text("right foot (e".to_owned()));
    harness.run();
    harness.press_key(Key::Enter);
    harness.run();
    let foot = Some(Anchor::Effector(Effector::RightFoot));
    assert_eq!(harness.state().session.world.stack().attachment(LEFT).map(|own| own.to.clone()), foot);
    assert_eq!(harness.state().session.window.dialog, None);
    harness.get_by_role_and_label(Role::Button, "Release").click();
    harness.run();
    assert_eq!(harness.state().session.world.stack().attachment(LEFT), None);
    assert_eq!(harness.state().session.world.settings().effector(Effector::LeftHand).position, None);
}

#[test]
fn a_turned_target_keeps_its_rotation_offset() {
    let mut session = attached();
    let to = Quat::from_rotation_z(0.8);
    let stack = session.turned(HandleId::Effector(Effector::LeftHand), to).unwrap();
    session.edit_stack("turn", None, stack);
    session.update(DT);
    let own = session.world.settings().effector(Effector::LeftHand);
    assert!(own.rotation.unwrap().dot(to).abs() > 1.0 - 1e-6 && own.rotation_weight == 1.0);
    let anchor = session.world.anchor(&RIGHT).unwrap();
    let kept = session.world.stack().attachment(LEFT).unwrap().rotation_offset.unwrap();
    assert!(kept.dot(anchor.rotation.conjugate() * to).abs() > 1.0 - 1e-6);
}

/// A sweep with an attached target used to be out of date as soon as it had finished.
#[test]
fn a_sweep_with_an_attached_target_is_up_to_date() {
    let mut session = session();
    session.update(DT);
    session.apply(Action::Select(Selection::Effector(Effector::LeftHand)));
    session.apply(Action::Pose(PoseAction::Attach(LEFT, Some(Anchor::Effector(Effector::Body)))));
    session.update(DT);
    session.apply(Action::Command(Command::Sweep));
    let until = std::time::Instant::now() + crate::common::PATIENCE;
    while session.tools.debugger.sweep.job.is_some() && std::time::Instant::now() < until {
        session.update(DT);
    }
    assert!(session.tools.debugger.sweep.result.is_some());
    session.update(DT);
    assert!(!session.sweep_is_stale());
    let mut settings = *session.world.settings();
    settings.solver.spine_stiffness = 0.1;
    session.edit_settings("stiffness", None, settings);
    session.update(DT);
    assert!(session.sweep_is_stale());
}
