//! Clips of another file on the character: added, played, saved, removed and baked.

use std::path::PathBuf;
use std::time::Duration;

use glam::Vec3;
use kinescope::character::{BuiltIn, Character};
use kinescope::session::commands::Command;
use kinescope::session::{Action, Selection, Session};
use kinescope::tools::doctor::shown::ShownRig;
use kinescope::tools::doctor::{self, Doctor};
use kinescope_ik::full_body::Effector;
use kinescope_ik::rig::detect::MappedBones;
use kinescope_ik::rig::import::import;
use kinescope_ik::rig::{ModelPose, RigidTransform, Role};
use kinescope_ik::stack::LayerId;
use serde_json::json;

use crate::common::built_in::BYTES;
use crate::common::files::temporary;
use crate::common::gltf::Glb;
use crate::common::program::{kinescope, text};
use crate::common::session::{run, session};

/// Writes the built-in character in half its size, without its mesh, as a file that has only clips.
fn motion(name: &str) -> PathBuf {
    let mut file = Glb::read(BYTES);
    for node in file.root["nodes"].as_array_mut().unwrap() {
        let node = node.as_object_mut().unwrap();
        ["mesh", "skin"].iter().for_each(|key| drop(node.remove(*key)));
    }
    let root = file.root.as_object_mut().unwrap();
    ["meshes", "skins", "materials"].iter().for_each(|key| drop(root.remove(*key)));
    // A parent of everything halves the size.
    let scene = &mut file.root["scenes"][0]["nodes"];
    let children = scene.take();
    let parent = file.root["nodes"].as_array().unwrap().len();
    file.root["scenes"][0]["nodes"] = json!([parent]);
    let nodes = file.root["nodes"].as_array_mut().unwrap();
    nodes.push(json!({ "name": "scaled", "scale": [0.5, 0.5, 0.5], "children": children }));
    let path = temporary(name);
    std::fs::write(&path, file.write()).unwrap();
    path
}

fn add(session: &mut Session, path: PathBuf) {
    session.apply(Action::File(Command::AddMotion, path));
    wait(session);
}

fn wait(session: &mut Session) {
    session.wait_for_model(Duration::from_secs(60)).unwrap();
    for _ in 0..30 {
        session.update(1.0 / 60.0);
    }
}

fn clips(session: &Session) -> Vec<&str> {
    session.world.character.model.clips.iter().map(|clip| clip.name.as_str()).collect()
}

fn message(session: &Session) -> String {
    session.window.notice.as_ref().map_or_else(String::new, |notice| notice.text.clone())
}

const OWN: [&str; 5] = ["idle", "walk", "run", "reach", "lean"];

#[test]
fn a_motion_file_adds_clips_and_a_layer() {
    let mut session = session();
    assert!(session.world.solved.layer(LayerId::Retarget).is_none());
    add(&mut session, motion("added.glb"));
    assert_eq!(clips(&session)[..5], OWN);
    assert_eq!(clips(&session)[5..], OWN.map(|name| format!("added.glb: {name}")));
    assert_eq!(session.world.clip.clip(), Some(5));
    assert_eq!(session.interaction.selection, Selection::Layer(LayerId::Retarget));
    assert_eq!(session.world.solved.run(LayerId::Retarget).unwrap().steps(), 3);
    // The source is the character in half its size, so its clip gives the same pose as the character's own clip.
    session.apply(Action::Clip(Some(6)));
    session.update(1.0);
    let [own, added] = [1, 6].map(|clip| {
        session.world.clip.set(Some(clip), 0.4);
        session.update(1.0 / 60.0);
        session.world.solved.input.animated.bones.clone()
    });
    for (a, b) in own.iter().zip(&added) {
        assert!(a.position.distance(b.position) < 1e-4 && a.rotation.angle_between(b.rotation) < 2e-3);
    }
    session.world.clip.set(Some(1), 0.4);
    session.update(1.0 / 60.0);
    assert!(session.world.solved.run(LayerId::Retarget).is_none());
}

#[test]
fn undo_and_redo_remove_and_add_the_clips() {
    let mut session = session();
    add(&mut session, motion("undone.glb"));
    for _ in 0..2 {
        session.apply(Action::Command(Command::Undo));
        session.update(0.0);
    }
    assert_eq!(clips(&session), OWN);
    assert!(session.world.character.motion.is_none() && !session.world.stack().order.retarget.on);
    for _ in 0..2 {
        session.apply(Action::Command(Command::Redo));
        session.update(0.0);
    }
    assert_eq!(clips(&session).len(), 10);
    assert_eq!(session.world.clip.clip(), Some(5), "{}", message(&session));
    session.apply(Action::Command(Command::RemoveMotion));
    session.update(0.0);
    assert_eq!((clips(&session).len(), session.world.clip.clip()), (5, None));
    assert_eq!(session.why_not(Command::RemoveMotion), Some("No motion was added from a file."));
}

#[test]
fn a_preset_opens_its_motion_file() {
    let mut session = session();
    let file = motion("kept.glb");
    add(&mut session, file.clone());
    let preset = temporary("kept.json");
    session.apply(Action::File(Command::SavePresetAs, preset.clone()));
    let saved: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&preset).unwrap()).unwrap();
    assert_eq!(saved["motion_file"], json!({ "path": "kept.glb", "name": "kept.glb" }));
    assert_eq!(saved["clip"]["name"], "kept.glb: idle");
    let mut other = crate::common::session::session();
    other.open_preset(preset.clone());
    wait(&mut other);
    assert_eq!(other.world.clip.clip(), Some(5), "{}", message(&other));
    assert!(other.world.solved.run(LayerId::Retarget).is_some());
    std::fs::remove_file(&file).unwrap();
    let mut other = crate::common::session::session();
    other.open_preset(preset);
    assert!(other.wait_for_model(Duration::from_secs(60)).is_err() || !message(&other).is_empty());
    wait(&mut other);
    assert_eq!(clips(&other), OWN);
}

#[test]
fn a_preset_names_the_clips_of_a_built_in_character() {
    let preset = temporary("built_in_motion.json");
    let text = json!({
        "format": "kinescope-preset", "version": 1,
        "motion_file": { "name": "faun" }, "clip": { "name": "faun: walk" },
    });
    std::fs::write(&preset, text.to_string()).unwrap();
    let mut session = session();
    session.open_preset(preset.clone());
    wait(&mut session);
    assert_eq!(session.world.character.built_in_kind(), Some(BuiltIn::Mannequin));
    assert_eq!(clips(&session)[5..], OWN.map(|name| format!("faun: {name}")), "{}", message(&session));
    assert_eq!(session.world.clip.clip(), Some(6), "{}", message(&session));
    session.apply(Action::File(Command::SavePresetAs, preset.clone()));
    let saved: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&preset).unwrap()).unwrap();
    assert_eq!(saved["motion_file"]["name"], "faun");
    assert_eq!(saved["motion_file"]["path"].as_str().unwrap_or_default(), "");
}

#[test]
fn a_dropped_file_with_clips_and_no_mesh_is_a_motion() {
    let mut session = session();
    session.apply(Action::OpenAny(motion("dropped.glb")));
    wait(&mut session);
    assert_eq!((session.world.character.built_in_kind(), clips(&session).len()), (Some(BuiltIn::Mannequin), 10));
    let path = temporary("whole.glb");
    std::fs::write(&path, BYTES).unwrap();
    session.apply(Action::OpenAny(path));
    wait(&mut session);
    assert_eq!(session.world.character.model.name, "whole.glb");
    assert_eq!(clips(&session).len(), 10, "the document keeps its motion file");
}

#[test]
fn a_file_without_clips_is_refused() {
    let mut file = Glb::read(BYTES);
    file.root.as_object_mut().unwrap().remove("animations");
    let path = temporary("still.glb");
    std::fs::write(&path, file.write()).unwrap();
    let mut session = session();
    session.apply(Action::File(Command::AddMotion, path));
    let error = session.wait_for_model(Duration::from_secs(60)).unwrap_err();
    assert_eq!(error, "still.glb: has no clips. Choose a file with an animation");
    assert_eq!(clips(&session), OWN);
}

#[test]
fn the_settings_of_the_layer_take_effect() {
    let mut session = session();
    run(&mut session, Command::BuiltInFaun);
    add(&mut session, motion("hands.glb"));
    let clip = session.world.character.find_clip("hands.glb: walk").unwrap();
    session.apply(Action::Clip(Some(clip)));
    session.update(1.0);
    let speed = session.world.motion.clip_speed(clip);
    let mut stack = session.world.stack().clone();
    (stack.order.retarget.hands, stack.order.retarget.feet) = (1.0, 1.0);
    session.edit_stack("hands", None, stack.clone());
    session.update(1.0 / 60.0);
    assert_eq!(session.world.solved.run(LayerId::Retarget).unwrap().steps(), 10);
    let hand = session.world.solved.stack.full_body.effector(Effector::LeftHand);
    assert_eq!(hand.position_weight, 1.0);
    let bone = session.world.character.rig.full_body.as_ref().unwrap().bone_of(Effector::LeftHand.node());
    let off = session.world.solved.pose[bone].position.distance(hand.position.unwrap());
    assert!(off < 0.02, "{off}");
    stack.order.retarget.path = 2.0;
    session.edit_stack("path", None, stack);
    session.update(1.0 / 60.0);
    assert_ne!(session.world.motion.clip_speed(clip), speed, "the clip is retargeted again");
}

fn wait_for_roles(session: &mut Session) {
    session.wait_for_roles(Duration::from_secs(60));
    session.update(1.0 / 60.0);
}

#[test]
fn a_role_of_the_motion_file_is_chosen_by_hand() {
    let mut session = session();
    let file = motion("roles.glb");
    add(&mut session, file);
    let clip = session.world.character.find_clip("roles.glb: walk").unwrap();
    session.apply(Action::Clip(Some(clip)));
    session.update(1.0);
    let hand = |session: &mut Session| {
        session.world.clip.set(Some(clip), 0.3);
        session.update(1.0 / 60.0);
        let bone = session.world.character.model.skeleton.find("left_hand").unwrap();
        session.world.solved.input.animated.bones[bone].rotation
    };
    let before = hand(&mut session);
    // The retarget layer is selected, so the doctor opens on the motion file.
    session.apply(Action::Command(Command::RigDoctor));
    assert!(session.window.doctor.shows_motion);
    let bones = |session: &Session, role| {
        let motion = session.world.character.motion.as_ref().unwrap();
        let found = motion.source.detection.roles.iter().find(|own| own.role == role).unwrap().bones.clone();
        found.into_iter().map(|bone| motion.source.model().skeleton.bones()[bone].name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(bones(&session, Role::LeftHand), ["left_hand"]);
    // A click on a bone of the skeleton beside the character chooses it.
    session.apply(Action::Doctor(Doctor { role: Some(Role::LeftHand), ..session.window.doctor }));
    let (other, at) = {
        let rig = ShownRig::of(&session);
        let bone = rig.model.skeleton.find("right_hand").unwrap();
        let finger = rig.model.skeleton.children(bone).next().unwrap();
        let [hand, finger] =
            [bone, finger].map(|bone| session.projector().to_screen(rig.pose(&session).position(bone)).unwrap());
        (bone, hand.lerp(finger, 0.5))
    };
    session.press(at);
    assert_eq!(session.window.doctor.bone, Some(other));
    wait_for_roles(&mut session);
    assert_eq!(bones(&session, Role::LeftHand), ["right_hand"], "{}", message(&session));
    let document = session.world.history.document().clone();
    assert!(document.mapping.roles.is_empty(), "the roles of the character stay");
    assert_eq!(document.motion_file.roles[&Role::LeftHand].0, ["right_hand"]);
    assert_eq!(clips(&session).len(), 10);
    assert!(hand(&mut session).angle_between(before) > 0.05, "the other hand moves the left one");
    let preset = temporary("roles.json");
    session.apply(Action::File(Command::SavePresetAs, preset.clone()));
    let saved: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&preset).unwrap()).unwrap();
    assert_eq!(saved["motion_file"]["roles"], json!({ "left_hand": "right_hand" }));
    let mut other = crate::common::session::session();
    other.open_preset(preset.clone());
    wait(&mut other);
    assert_eq!(bones(&other, Role::LeftHand), ["right_hand"], "{}", message(&other));
    let out = temporary("roles-baked.glb");
    let arguments = ["bake", "--preset", preset.to_str().unwrap(), "--clip", "roles.glb: walk", "--out"];
    let output = kinescope(&[&arguments[..], &[out.to_str().unwrap()]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    session.apply(Action::Command(Command::Undo));
    wait_for_roles(&mut session);
    assert_eq!(bones(&session, Role::LeftHand), ["left_hand"]);
    assert!(hand(&mut session).angle_between(before) < 2e-3);
    let mut document = session.world.history.document().clone();
    document.motion_file.roles.insert(Role::Head, MappedBones(vec!["nose".to_owned()]));
    session.edit("nose", None, document);
    wait_for_roles(&mut session);
    assert!(
        message(&session).contains("motion_file.roles.head: the file has no bone \"nose\""),
        "{}",
        message(&session)
    );
}

#[test]
fn a_motion_file_without_roles_is_kept_until_the_user_gives_them() {
    let mut session = session();
    let file = motion("unnamed.glb");
    let mut whole = Glb::read(&std::fs::read(&file).unwrap());
    // Root, pelvis, spine and left arm keep their children, other bones lose theirs, and no bone keeps its name.
    for node in whole.root["nodes"].as_array_mut().unwrap() {
        let name = node["name"].as_str().unwrap_or_default().to_owned();
        let stays = ["pelvis", "spine", "left_clavicle", "left_upper_arm", "left_forearm", "left_hand", "scaled"];
        let is_needed = stays.iter().any(|stay| name.starts_with(stay)) || name == "root";
        if let Some(children) = node.get_mut("children").filter(|_| !is_needed) {
            *children = json!([]);
        }
        node["name"] = json!(format!("joint {}", name.len()));
    }
    whole.root["nodes"].as_array_mut().unwrap().iter_mut().for_each(|node| {
        if node["children"].as_array().is_some_and(Vec::is_empty) {
            node.as_object_mut().unwrap().remove("children");
        }
    });
    std::fs::write(&file, whole.write()).unwrap();
    session.apply(Action::File(Command::AddMotion, file));
    let error = session.wait_for_model(Duration::from_secs(60)).unwrap_err();
    assert!(
        error.contains("roles.pelvis") && error.ends_with("Press D to correct the roles in the rig doctor"),
        "{error}"
    );
    assert_eq!(clips(&session), OWN);
    session.apply(Action::Command(Command::RigDoctor));
    assert!(session.window.doctor.shows_motion);
    let mut document = session.world.history.document().clone();
    let rig = ShownRig::of(&session);
    let pelvis = (0..rig.model.skeleton.len()).max_by_key(|&bone| rig.model.skeleton.children(bone).count()).unwrap();
    doctor::assign(&mut document, &rig, Role::Pelvis, pelvis);
    session.edit("pelvis", None, document);
    wait_for_roles(&mut session);
    assert_eq!(clips(&session).len(), 10, "{}", message(&session));
    assert!(message(&session).starts_with("Added 5 clips from unnamed.glb"), "{}", message(&session));
}

#[test]
fn bake_takes_the_clip_from_another_file() {
    let (file, out) = (motion("baked-from.glb"), temporary("baked-motion.glb"));
    let arguments = ["bake", "--motion", file.to_str().unwrap(), "--clip", "lean", "--out", out.to_str().unwrap()];
    let output = kinescope(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let read = import("baked.glb", &std::fs::read(&out).unwrap(), &mut |uri| Err(uri.to_owned())).unwrap();
    let own = Character::built_in().unwrap();
    let lean = &own.model.clips[own.find_clip("lean").unwrap()];
    let names: Vec<&str> = read.clips.iter().map(|clip| clip.name.as_str()).collect();
    assert_eq!(names, [&OWN[..], &["baked-from.glb: lean"]].concat());
    let baked = read.clips.last().unwrap();
    assert!((baked.duration - lean.duration).abs() < 1e-3, "{}", baked.name);
    let pose = |clip: &kinescope_ik::animation::Clip| {
        let mut local = own.rest.clone();
        clip.sample(0.5 * lean.duration, &mut local);
        ModelPose::from_local(&own.model.skeleton, &local).bones
    };
    let (a, b): (Vec<RigidTransform>, Vec<RigidTransform>) = (pose(baked), pose(lean));
    let worst = a.iter().zip(&b).map(|(a, b)| a.position.distance(b.position)).fold(0.0, f32::max);
    // The full body's bend limit moves nearly straight limbs.
    assert!(worst < 0.03, "{worst}");
    assert!(Vec3::ZERO.distance(a[1].position) > 0.5);
    let arguments = ["bake", "--motion", file.to_str().unwrap(), "--clip", "nod", "--out", out.to_str().unwrap()];
    let output = kinescope(&arguments);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("baked-from.glb: has no clip \"nod\"; it has idle, walk"), "{error}");
}
