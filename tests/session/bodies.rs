//! The mesh that a user chooses for a game's recording.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use glam::{Mat4, Vec3};
use kinescope::character::Character;
use kinescope::session::answers::Answer;
use kinescope::session::autosave::{Keeper, Recovered};
use kinescope::session::commands::Command;
use kinescope::session::{Action, Dialog, Session};
use kinescope::tools::game::Shown;
use kinescope::tools::game::session::GameAction;
use kinescope_ik::full_body::Settings;
use kinescope_ik::game_recording::GameFrame;
use kinescope_ik::rig::{Mesh, ModelPose};
use serde_json::json;

use crate::common::files::Folder;
use crate::common::game::{played, recording, solved};
use crate::common::gltf::Glb;
use crate::common::session::{run, session};

const BIPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/biped.glb");
const PATIENCE: Duration = Duration::from_secs(600);

fn message(session: &Session) -> String {
    session.window.notice.as_ref().map_or_else(String::new, |notice| notice.text.clone())
}

fn opened(folder: &Folder) -> Session {
    let mut frames: Vec<GameFrame> = played(6, 99);
    frames.extend((0..6).map(|number| solved(1, number, Settings::default())));
    frames.sort_by(|a, b| a.time.total_cmp(&b.time));
    let path = folder.write("session.jsonl", recording(&frames));
    let mut session = session();
    session.apply(Action::File(Command::OpenRecording, path.into()));
    session.wait_for_opening(PATIENCE);
    assert!(session.tools.games.is_shown(), "{}", message(&session));
    session
}

fn choose(session: &mut Session, path: impl AsRef<Path>) {
    session.apply(Action::File(Command::ChooseBodyMesh, path.as_ref().to_owned()));
    session.wait_for_opening(PATIENCE);
}

fn is_capsules(session: &Session) -> bool {
    session.world.character.model.meshes.len() == 1 && session.world.character.model.meshes[0].name == "body"
}

fn is_mannequin(session: &Session) -> bool {
    session.world.character.model.meshes == Character::built_in().unwrap().model.meshes
}

fn show(session: &mut Session, character: usize) {
    let game = session.tools.games.shown_id().unwrap().game;
    session.apply(Action::Game(GameAction::Show(Shown { game, character })));
    session.update(0.0);
}

fn renamed(folder: &Folder, file: &str, name: impl Fn(&str) -> String) -> PathBuf {
    let mut glb = Glb::read(&std::fs::read(BIPED).unwrap());
    for node in glb.root["nodes"].as_array_mut().unwrap() {
        let own = node["name"].as_str().map(&name);
        node["name"] = json!(own);
    }
    folder.write(file, glb.write()).into()
}

fn skinned(meshes: &[Mesh], pose: &ModelPose) -> Vec<Vec3> {
    let at = |mesh: &Mesh, vertex: usize| -> Vec3 {
        let joints = mesh.vertex_joints[vertex].into_iter().zip(mesh.vertex_weights[vertex]);
        let moved = joints.filter(|(_, weight)| *weight > 0.0).map(|(joint, weight)| {
            let joint = mesh.joints[usize::from(joint)];
            let bone = joint.bone.map_or(Mat4::IDENTITY, |bone| pose.model_from_bone(bone));
            (bone * joint.bone_from_mesh).transform_point3(mesh.positions[vertex]) * weight
        });
        moved.sum()
    };
    meshes.iter().flat_map(|mesh| (0..mesh.positions.len()).map(move |vertex| at(mesh, vertex))).collect()
}

#[test]
fn a_recording_of_a_model_looks_like_the_model() {
    let folder = Folder::new("body");
    let mut session = opened(&folder);
    assert!(is_capsules(&session));
    // The recording is open, so no command may overwrite it.
    let path: PathBuf = folder.path("session.jsonl").into();
    assert!(session.inputs().contains(&path));
    let (before, character) = (session.window.bodies, session.window.characters);
    choose(&mut session, BIPED);
    assert!(is_mannequin(&session), "{}", message(&session));
    assert_eq!(message(&session), "player is drawn as biped.glb: all 52 bones of the mesh match");
    assert!(!session.window.notice.as_ref().unwrap().is_error);
    assert!(session.window.bodies > before, "the window uploads the meshes again");
    assert_eq!(session.window.characters, character, "a crowd of the character stays");
    let model = Character::built_in().unwrap();
    let wanted = skinned(&model.model.meshes, &session.world.picture.pose);
    assert!(wanted.iter().all(|place| place.is_finite()));
    assert_eq!(skinned(&session.world.character.model.meshes, &session.world.picture.pose), wanted);
    assert_eq!(session.world.character.model.materials, model.model.materials);
    assert!(session.inputs().contains(&PathBuf::from(BIPED)));
    run(&mut session, Command::UseCapsules);
    assert!(is_capsules(&session) && session.world.character.model.materials.is_empty());
    assert!(message(&session).contains("Removed the body mesh biped.glb"), "{}", message(&session));
    assert!(!session.inputs().contains(&PathBuf::from(BIPED)));
    assert!(!session.world.history.is_unsaved(), "the choice of a mesh is not an edit");
}

#[test]
fn joints_without_a_counterpart_follow_their_nearest_parent() {
    let folder = Folder::new("body partly");
    let model =
        renamed(&folder, "partly.glb", |name| match name.starts_with("left_hand") || name.contains("_pinky_") {
            true => format!("x {name}"),
            false => name.to_owned(),
        });
    let mut session = opened(&folder);
    choose(&mut session, &model);
    let text = message(&session);
    assert!(text.contains("45 of 52 bones of the mesh match, 7 follow matched bones"), "{text}");
    assert!(text.contains("(x left_hand, x left_pinky_1, x left_pinky_2 and 4 more)"), "{text}");
    assert!(text.contains("7 bones of the character move nothing (left_hand, left_pinky_1"), "{text}");
    assert!(session.window.notice.as_ref().unwrap().is_error, "the message stays until it is read");
    let own = Character::built_in().unwrap();
    let skeleton = &own.model.skeleton;
    let rest = ModelPose::from_local(skeleton, &own.rest);
    let wanted = skinned(&own.model.meshes, &rest);
    for (found, wanted) in skinned(&session.world.character.model.meshes, &rest).into_iter().zip(&wanted) {
        assert!(found.distance(*wanted) < 1e-4, "at rest the mesh equals the model: {found} and {wanted}");
    }
    // The hand follows its forearm rigidly, and the game's rotation of the hand has no effect.
    let (hand, forearm) = (skeleton.find("left_hand").unwrap(), skeleton.find("left_forearm").unwrap());
    let pose = &session.world.picture.pose;
    let moved = pose.model_from_bone(forearm) * rest.model_from_bone(forearm).inverse();
    let (mesh, all) = (&own.model.meshes[0], skinned(&session.world.character.model.meshes, pose));
    let mut count = 0;
    for (vertex, (joints, weights)) in mesh.vertex_joints.iter().zip(&mesh.vertex_weights).enumerate() {
        let most = (0..4).max_by(|&a, &b| weights[a].total_cmp(&weights[b])).unwrap();
        if weights[most] > 0.999 && mesh.joints[usize::from(joints[most])].bone == Some(hand) {
            let wanted = moved.transform_point3(wanted[vertex]);
            assert!(all[vertex].distance(wanted) < 1e-4, "{} and {wanted}", all[vertex]);
            count += 1;
        }
    }
    assert!(count > 0);
}

#[test]
fn a_model_with_other_bones_is_refused_with_its_file_and_a_remedy() {
    let folder = Folder::new("body refused");
    let other = renamed(&folder, "other.glb", |name| format!("b{}", name.len() * 100 + name.as_bytes()[0] as usize));
    let mut session = opened(&folder);
    for (model, wanted) in [
        (
            other,
            "none of the 52 bones of its mesh has the name of a bone of player (root, pelvis, spine_1 and 50 more)",
        ),
        (folder.path("gone.glb").into(), "gone.glb"),
    ] {
        choose(&mut session, &model);
        let text = message(&session);
        assert!(text.starts_with(&model.display().to_string()) && text.contains(wanted), "{text}");
        assert!(session.window.notice.as_ref().unwrap().is_error && is_capsules(&session));
    }
    let mut glb = Glb::read(&std::fs::read(BIPED).unwrap());
    for node in glb.root["nodes"].as_array_mut().unwrap() {
        node.as_object_mut().unwrap().remove("mesh");
    }
    let bare = folder.write("bare.glb", glb.write());
    choose(&mut session, &bare);
    assert!(message(&session).contains("bare.glb: the model has no mesh"), "{}", message(&session));
    choose(&mut session, BIPED);
    assert!(is_mannequin(&session));
}

#[test]
fn a_body_belongs_to_its_recording_and_character() {
    let folder = Folder::new("body kept");
    let mut session = opened(&folder);
    choose(&mut session, BIPED);
    show(&mut session, 1);
    assert!(is_capsules(&session), "the guard has no chosen mesh");
    show(&mut session, 0);
    assert!(is_mannequin(&session), "the player's mesh is remembered");
    run(&mut session, Command::BuiltInModel);
    assert!(session.why_not(Command::ChooseBodyMesh).is_some());
    session.apply(Action::File(Command::OpenRecording, folder.path("session.jsonl").into()));
    session.wait_for_opening(PATIENCE);
    assert!(session.tools.games.is_shown() && is_mannequin(&session));
    run(&mut session, Command::UseCapsules);
    show(&mut session, 1);
    show(&mut session, 0);
    assert!(is_capsules(&session), "the dropped mesh stays dropped");
}

#[test]
fn commands_ask_for_a_body_only_if_there_is_no_mesh() {
    let folder = Folder::new("body commands");
    let mut session = opened(&folder);
    assert_eq!(session.why_not(Command::ChooseBodyMesh), None);
    assert!(session.why_not(Command::UseCapsules).is_some());
    run(&mut session, Command::ChooseBodyMesh);
    assert_eq!(session.window.dialog, Some(Dialog::File(Command::ChooseBodyMesh)));
    choose(&mut session, BIPED);
    assert_eq!((session.window.dialog.clone(), session.why_not(Command::UseCapsules)), (None, None));
    run(&mut session, Command::BuiltInModel);
    let meshes = session.world.character.model.meshes.clone();
    run(&mut session, Command::ChooseBodyMesh);
    assert_eq!(session.window.dialog, None);
    assert!(message(&session).contains("can have another mesh"), "{}", message(&session));
    choose(&mut session, BIPED);
    assert!(message(&session).contains("cannot have a body mesh"), "{}", message(&session));
    assert_eq!(session.world.character.model.meshes, meshes);
}

#[test]
fn the_window_continues_while_a_body_is_opened() {
    let folder = Folder::new("body slow");
    let mut session = opened(&folder);
    let (send, read) = channel();
    session.choose_body_with(Path::new("/models/slow.glb"), move |_| {
        read.recv().unwrap_or(Err("the test has ended".to_owned()))?;
        Character::load(Path::new(BIPED))
    });
    session.update(0.5);
    assert_eq!(session.opening(), Some(("slow.glb".to_owned(), None)));
    assert_eq!(session.why_not(Command::CancelJobs), None);
    run(&mut session, Command::NextFrame);
    run(&mut session, Command::NextFrame);
    let frame = session.world.time.frame;
    assert!(frame >= 2 && is_capsules(&session));
    send.send(Ok(())).unwrap();
    session.wait_for_opening(PATIENCE);
    assert!(is_mannequin(&session) && session.world.time.frame == frame && session.world.time.is_paused());
    let slow =
        |session: &mut Session| session.choose_body_with(Path::new("/models/slow.glb"), |_| Err("late".to_owned()));
    run(&mut session, Command::UseCapsules);
    slow(&mut session);
    run(&mut session, Command::CancelJobs);
    assert!(message(&session).contains("Cancelled opening slow.glb"), "{}", message(&session));
    // No other file was opened, so no such message follows, also after an error.
    slow(&mut session);
    session.fail("an error");
    run(&mut session, Command::CancelJobs);
    session.apply(Action::DismissNotice);
    assert_eq!(message(&session), "");
    slow(&mut session);
    show(&mut session, 1);
    assert!(message(&session).contains("Stopped opening slow.glb"), "{}", message(&session));
    assert!(!session.is_opening_model() && is_capsules(&session));
}

#[test]
fn recovered_work_restores_its_body() {
    let folder = Folder::new("body recovered");
    let place = PathBuf::from(folder.path("autosave"));
    let mut session = opened(&folder);
    let mut keeper = Keeper::start_in(place.clone()).unwrap();
    let mut settings = *session.world.settings();
    settings.solver.iterations = 7;
    session.edit_settings("iterations", None, settings);
    session.update(0.0);
    keeper.look(&session);
    // The mesh is chosen after the last edit.
    choose(&mut session, BIPED);
    keeper.look(&session);
    assert!(keeper.flush());
    drop(keeper);
    let left = Recovered::find_in(&place).unwrap();
    assert_eq!(left.origin.body, Some(PathBuf::from(BIPED)));
    let mut again = crate::common::session::session();
    again.offer(left);
    again.apply(Action::Answer(Answer::Recover));
    again.wait_for_opening(PATIENCE);
    assert_eq!(again.world.settings().solver.iterations, 7);
    assert!(again.world.character.is_of_bones() && is_mannequin(&again), "{}", message(&again));
    let body: &Arc<_> = again.world.character.body().unwrap();
    assert_eq!(body.path, PathBuf::from(BIPED));
}

/// Work on bones whose frames were lost opens on the mannequin, but used to be offered as work on bones.
#[test]
fn recovered_work_without_its_bones_names_the_character_that_is_shown() {
    let folder = Folder::new("bones lost");
    let place = PathBuf::from(folder.path("autosave"));
    let mut session = opened(&folder);
    let mut settings = *session.world.settings();
    settings.solver.iterations = 7;
    session.edit_settings("iterations", None, settings);
    session.update(0.0);
    let mut keeper = Keeper::start_in(place.clone()).unwrap();
    keeper.look(&session);
    assert!(keeper.flush());
    drop(keeper);
    let recovered = |is_lost: bool| {
        for file in std::fs::read_dir(&place).unwrap().map(|file| file.unwrap().path()) {
            if is_lost && file.to_string_lossy().ends_with(".capsule.json") {
                std::fs::remove_file(file).unwrap();
            }
        }
        let mut session = crate::common::session::session();
        session.offer(Recovered::find_in(&place).unwrap());
        session.apply(Action::Answer(Answer::Recover));
        session.wait_for_opening(PATIENCE);
        (session.world.character.is_of_bones(), message(&session))
    };
    let (is_of_bones, text) = recovered(false);
    assert!(is_of_bones && text.contains(" on bones without a model, "), "{text}");
    let (is_of_bones, text) = recovered(true);
    assert!(
        !is_of_bones && text.contains(" on the built-in mannequin (the original bones were not stored), "),
        "{text}"
    );
}
