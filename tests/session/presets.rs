//! A preset stores its character's model: opening a preset opens that model, and saving for another character asks
//! first.

use std::path::{Path, PathBuf};

use glam::{Quat, Vec3};
use kinescope::character::Character;
use kinescope::character::preset_model::{PresetModel, skeleton_hash};
use kinescope::session::answers::Answer;
use kinescope::session::commands::Command;
use kinescope::session::{Action, Dialog, Session};
use kinescope_ik::full_body::{Effector, Settings};
use kinescope_ik::preset::Preset;
use serde_json::{Value, json};

use crate::common::PATIENCE;
use crate::common::built_in::BYTES;
use crate::common::files::Folder;
use crate::common::gltf::Glb;
use crate::common::program::{kinescope, text};
use crate::common::session::{run, session};

/// Writes a copy of the built-in character with another bone name, and returns its path.
fn model(folder: &Folder, name: &str, hand: &str) -> PathBuf {
    let mut file = Glb::read(BYTES);
    let nodes = file.root["nodes"].as_array_mut().unwrap();
    nodes.iter_mut().find(|node| node["name"] == "left_hand").unwrap()["name"] = hand.into();
    folder.write(name, file.write()).into()
}

fn apply(session: &mut Session, action: Action) {
    session.apply(action);
    session.wait_for_opening(PATIENCE);
    session.update(0.0);
}

fn is_shown(session: &Session, name: &str) -> bool {
    session.world.character.model.name == name
}

fn notice(session: &Session) -> String {
    session.window.notice.as_ref().map_or_else(String::new, |notice| notice.text.clone())
}

fn grip(session: &mut Session) {
    let mut settings = *session.world.settings();
    let hand = settings.effector_mut(Effector::RightHand);
    (hand.position, hand.position_weight) = (Some(Vec3::new(-0.32, 1.02, 0.42)), 1.0);
    hand.rotation = Some(Quat::from_rotation_z(0.4) * Quat::from_rotation_y(-1.2));
    hand.rotation_weight = 1.0;
    let body = settings.effector_mut(Effector::Body);
    (body.position, body.position_weight) = (Some(Vec3::new(0.06, 0.93, 0.05)), 0.8);
    session.edit_settings("grip", None, settings);
    session.update(0.0);
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn a_pose_is_saved_reopened_and_exported_with_its_character() {
    let folder = Folder::new("door handle");
    let hero = model(&folder, "characters/hero.glb", "LeftHand");
    let preset = PathBuf::from(folder.write("poses/door.json", ""));
    std::fs::remove_file(&preset).unwrap();
    let mut first = session();
    apply(&mut first, Action::File(Command::OpenModel, hero.clone()));
    grip(&mut first);
    apply(&mut first, Action::File(Command::SavePresetAs, preset.clone()));
    let saved = read(&preset);
    let hash = skeleton_hash(&first.world.character.model.skeleton);
    assert_eq!(saved["model"], json!({ "path": "../characters/hero.glb", "name": "hero.glb", "skeleton": hash }));

    let mut other = session();
    assert!(is_shown(&other, "mannequin"));
    apply(&mut other, Action::File(Command::OpenPreset, preset.clone()));
    assert!(is_shown(&other, "hero.glb"), "{}", notice(&other));
    assert_eq!((other.window.dialog.clone(), other.world.history.is_unsaved()), (None, false));
    assert_eq!(other.world.settings(), first.world.settings());
    for (own, like) in other.world.picture.pose.bones.iter().zip(&first.world.picture.pose.bones) {
        assert!(own.position.distance(like.position) < 1e-5);
    }
    let out = folder.path("door pose.json");
    apply(&mut other, Action::File(Command::ExportPose, out.clone().into()));
    let exported = read(Path::new(&out));
    assert_eq!(exported["model"], "hero.glb");
    let hand = exported["bones"].as_array().unwrap().iter().find(|bone| bone["name"] == "right_hand").unwrap();
    let at = |axis: usize| hand["position"][axis].as_f64().unwrap() as f32;
    let target = other.world.settings().effector(Effector::RightHand).position.unwrap();
    assert!(Vec3::new(at(0), at(1), at(2)).distance(target) < 2e-3, "{hand}");
    let moved = Folder::new("door handle, moved");
    model(&moved, "characters/hero.glb", "LeftHand");
    let preset = moved.write("poses/door.json", std::fs::read(&preset).unwrap());
    let mut third = session();
    apply(&mut third, Action::File(Command::OpenPreset, preset.into()));
    assert_eq!(
        third.world.character.path.as_ref().unwrap().canonicalize().unwrap(),
        moved.0.join("characters/hero.glb").canonicalize().unwrap()
    );
}

#[test]
fn another_model_detaches_the_preset_and_asks_about_targets() {
    let folder = Folder::new("detached");
    let (hero, villain) = (model(&folder, "hero.glb", "a"), model(&folder, "villain.glb", "b"));
    let preset = PathBuf::from(folder.path("hero.json"));
    for drops in [false, true] {
        let mut session = session();
        apply(&mut session, Action::File(Command::OpenModel, hero.clone()));
        assert_eq!(session.window.dialog, None, "an unchanged scene causes no question");
        grip(&mut session);
        let targets = session.world.settings().effectors;
        apply(&mut session, Action::File(Command::SavePresetAs, preset.clone()));
        let saved = std::fs::read(&preset).unwrap();

        apply(&mut session, Action::File(Command::OpenModel, villain.clone()));
        assert!(is_shown(&session, "villain.glb"));
        assert_eq!(session.files.preset, None);
        let Some(Dialog::KeepTargets { before, preset: Some(file), count, .. }) = session.window.dialog.clone() else {
            panic!("{:?}", session.window.dialog)
        };
        assert_eq!((before.as_str(), file.as_str()), ("hero.glb", "hero.json"));
        assert!(count >= 2, "{count}");
        apply(
            &mut session,
            if drops { Action::Answer(Answer::DropTargets) } else { Action::Answer(Answer::CloseDialog) },
        );
        let expected = if drops { Settings::default().effectors } else { targets };
        assert_eq!((session.world.settings().effectors, &session.window.dialog), (expected, &None));
        assert!(session.world.history.is_unsaved(), "the other character has no preset file");
        if drops {
            run(&mut session, Command::Undo);
            assert_eq!(session.world.settings().effectors, targets);
        }
        run(&mut session, Command::SavePreset);
        assert_eq!(session.window.dialog, Some(Dialog::File(Command::SavePresetAs)), "saving asks for a name");
        apply(&mut session, Action::Answer(Answer::CloseDialog));
        assert_eq!(std::fs::read(&preset).unwrap(), saved);

        // Saving under the file's own name also asks before it overwrites.
        apply(&mut session, Action::File(Command::SavePresetAs, preset.clone()));
        let question = Dialog::OtherCharacter { preset: preset.clone(), name: "hero.glb".to_owned() };
        assert_eq!(session.window.dialog, Some(question));
        assert_eq!(std::fs::read(&preset).unwrap(), saved);
        apply(&mut session, Action::Answer(Answer::OverwritePreset));
        assert_eq!((&session.window.dialog, session.world.history.is_unsaved()), (&None, false));
        assert_eq!(read(&preset)["model"]["name"], "villain.glb");
        std::fs::remove_file(&preset).unwrap();
    }
}

#[test]
fn one_model_after_the_other_loses_no_pose() {
    let folder = Folder::new("one after the other");
    let models = ["a.glb", "b.glb", "c.glb"].map(|name| model(&folder, name, name));
    let mut session = session();
    apply(&mut session, Action::File(Command::OpenModel, models[0].clone()));
    grip(&mut session);
    let targets = session.world.settings().effectors;
    apply(&mut session, Action::File(Command::SavePresetAs, folder.path("a.json").into()));
    for path in &models[1..] {
        apply(&mut session, Action::File(Command::OpenModel, path.clone()));
        assert!(matches!(session.window.dialog, Some(Dialog::KeepTargets { .. })));
        apply(&mut session, Action::Answer(Answer::CloseDialog));
        assert_eq!(session.world.settings().effectors, targets);
    }
    apply(&mut session, Action::Command(Command::BuiltInModel));
    assert!(matches!(session.window.dialog, Some(Dialog::KeepTargets { .. })), "a built-in character asks as well");
}

#[test]
fn the_same_model_read_again_keeps_its_preset() {
    let folder = Folder::new("again");
    let hero = model(&folder, "hero.glb", "a");
    let preset = PathBuf::from(folder.path("hero.json"));
    let mut session = session();
    apply(&mut session, Action::File(Command::OpenModel, hero.clone()));
    grip(&mut session);
    apply(&mut session, Action::File(Command::SavePresetAs, preset.clone()));
    apply(&mut session, Action::File(Command::OpenModel, hero));
    assert_eq!((&session.window.dialog, session.files.preset.as_ref()), (&None, Some(&preset)));
    assert!(!session.world.history.is_unsaved());
    grip(&mut session);
    run(&mut session, Command::SavePreset);
    assert_eq!(session.window.dialog, None);
}

#[test]
fn a_preset_whose_model_is_gone_asks() {
    let folder = Folder::new("gone");
    let hero = model(&folder, "hero.glb", "a");
    let preset = PathBuf::from(folder.path("hero.json"));
    let mut first = session();
    apply(&mut first, Action::File(Command::OpenModel, hero.clone()));
    grip(&mut first);
    apply(&mut first, Action::File(Command::SavePresetAs, preset.clone()));
    let saved = std::fs::read(&preset).unwrap();
    let elsewhere = PathBuf::from(folder.path("elsewhere.glb"));
    std::fs::rename(&hero, &elsewhere).unwrap();

    let mut session = session();
    let before = *session.world.settings();
    apply(&mut session, Action::File(Command::OpenPreset, preset.clone()));
    let Some(Dialog::ModelOfPreset { why, .. }) = session.window.dialog.clone() else {
        panic!("{:?}", session.window.dialog)
    };
    assert!(why.contains("hero.glb") && why.contains("no such file"), "{why}");
    assert_eq!((*session.world.settings(), session.files.preset.clone()), (before, None), "no preset is open yet");
    apply(&mut session, Action::Answer(Answer::CloseDialog));
    assert_eq!(*session.world.settings(), before);

    // If the user keeps the shown character, the window states the difference, and saving asks.
    apply(&mut session, Action::File(Command::OpenPreset, preset.clone()));
    apply(&mut session, Action::Answer(Answer::OpenPresetAsShown));
    assert!(is_shown(&session, "mannequin") && session.world.settings().effectors == first.world.settings().effectors);
    let message = notice(&session);
    assert!(
        ["hero.json", "made with hero.glb", "mannequin", "other bones"].iter().all(|word| message.contains(word)),
        "{message}"
    );
    grip(&mut session);
    run(&mut session, Command::SavePreset);
    assert!(matches!(session.window.dialog, Some(Dialog::OtherCharacter { .. })), "{:?}", session.window.dialog);
    apply(&mut session, Action::Answer(Answer::CloseDialog));
    assert_eq!(std::fs::read(&preset).unwrap(), saved);

    apply(&mut session, Action::File(Command::OpenPreset, preset.clone()));
    apply(&mut session, Action::Answer(Answer::FindModel));
    assert_eq!(session.window.dialog, Some(Dialog::FindModel));
    apply(&mut session, Action::Answer(Answer::OpenPresetOn(elsewhere)));
    assert!(
        is_shown(&session, "elsewhere.glb") && session.world.settings().effectors == first.world.settings().effectors
    );
    assert_eq!(session.files.preset, Some(preset));
}

#[test]
fn a_preset_without_a_model_opens_on_the_character_shown() {
    let folder = Folder::new("old");
    let hero = model(&folder, "hero.glb", "a");
    let preset = folder.write("old.json", Preset::default().to_json());
    let mut session = session();
    apply(&mut session, Action::File(Command::OpenModel, hero));
    apply(&mut session, Action::File(Command::OpenPreset, preset.clone().into()));
    assert!(is_shown(&session, "hero.glb"));
    assert_eq!(notice(&session), format!("Opened {preset}"));
    run(&mut session, Command::SavePreset);
    assert_eq!(PresetModel::in_file(Path::new(&preset)).unwrap().name, "hero.glb");
}

#[test]
fn built_in_characters_are_opened_by_name() {
    let folder = Folder::new("built in");
    let preset = PathBuf::from(folder.path("faun.json"));
    let mut first = session();
    apply(&mut first, Action::Command(Command::BuiltInFaun));
    apply(&mut first, Action::File(Command::SavePresetAs, preset.clone()));
    let saved = &read(&preset)["model"];
    assert_eq!((&saved["path"], &saved["name"]), (&Value::Null, &json!("faun")));
    let mut session = session();
    apply(&mut session, Action::File(Command::OpenPreset, preset));
    assert!(is_shown(&session, "faun") && session.files.difference.is_none());
}

#[test]
fn bones_of_a_capsule_and_compared_settings_name_their_owner() {
    let folder = Folder::new("capsule");
    let hero = model(&folder, "hero.glb", "a");
    let (preset, capsule) = (PathBuf::from(folder.path("hero.json")), PathBuf::from(folder.path("capsule.json")));
    let mut first = session();
    apply(&mut first, Action::File(Command::OpenModel, hero));
    grip(&mut first);
    apply(&mut first, Action::File(Command::SavePresetAs, preset.clone()));
    apply(&mut first, Action::File(Command::SaveCapsule, capsule.clone()));

    let mut session = session();
    apply(&mut session, Action::File(Command::CompareWith, preset.clone()));
    let message = notice(&session);
    assert!(
        message.contains("hero.json") && message.contains("made with hero.glb") && message.contains("mannequin"),
        "{message}"
    );
    // The capsule has the hero's bones, but not its file.
    apply(&mut session, Action::File(Command::OpenCapsule, capsule));
    assert!(session.world.character.is_of_bones());
    apply(&mut session, Action::File(Command::SavePresetAs, preset));
    assert!(matches!(session.window.dialog, Some(Dialog::OtherCharacter { .. })), "{:?}", session.window.dialog);
    apply(&mut session, Action::Answer(Answer::CloseDialog));
    let bones = PathBuf::from(folder.path("bones.json"));
    apply(&mut session, Action::File(Command::SavePresetAs, bones.clone()));
    let mut other = crate::common::session::session();
    apply(&mut other, Action::File(Command::OpenPreset, bones));
    let Some(Dialog::ModelOfPreset { why, .. }) = &other.window.dialog else { panic!("{:?}", other.window.dialog) };
    assert!(why.contains("hero.glb") && why.contains("has no file"), "{why}");
}

fn status_and_error(arguments: &[&str]) -> (Option<i32>, String) {
    let output = kinescope(arguments);
    (output.status.code(), text(&output.stderr))
}

#[test]
fn the_command_line_uses_the_model_of_the_preset() {
    let folder = Folder::new("command line");
    let hero = model(&folder, "characters/hero.glb", "LeftHand");
    let villain = model(&folder, "characters/villain.glb", "OtherHand");
    let hero_again = model(&folder, "copy.glb", "LeftHand");
    let [hero, villain, hero_again] = [&hero, &villain, &hero_again].map(|path| path.to_str().unwrap());
    let preset = folder.path("hero.json");
    let mut first = session();
    apply(&mut first, Action::File(Command::OpenModel, hero.into()));
    grip(&mut first);
    apply(&mut first, Action::File(Command::SavePresetAs, preset.clone().into()));
    let (out, trace, recording, baked) =
        (folder.path("pose.json"), folder.path("trace.json"), folder.path("recording.jsonl"), folder.path("baked.glb"));
    let model_of = |path: &str| read(Path::new(path))["model"].as_str().unwrap().to_owned();

    assert_eq!(status_and_error(&["solve", "--preset", &preset, "--out", &out]), (Some(0), String::new()));
    assert_eq!(model_of(&out), "hero.glb");
    assert_eq!(status_and_error(&["trace", "--preset", &preset, "--out", &trace]), (Some(0), String::new()));
    assert_eq!(model_of(&trace), "hero.glb");
    assert_eq!(status_and_error(&["record", "--preset", &preset, "--clip", "walk", "--out", &recording]).0, Some(0));
    assert!(std::fs::read_to_string(&recording).unwrap().lines().next().unwrap().contains("LeftHand"));
    assert_eq!(status_and_error(&["bake", "--preset", &preset, "--clip", "walk", "--out", &baked]).0, Some(0));
    assert!(Character::load(Path::new(&baked)).unwrap().model.skeleton.find("LeftHand").is_some());
    let (status, error) = status_and_error(&["bake", "--preset", &preset, "--clip", "walk", "--out", hero]);
    assert!(status == Some(1) && error.contains("the output is also an input"), "{error}");

    // The model named on the command line takes precedence. Other bones cause a warning, but another file with the same
    // bones does not.
    assert_eq!(status_and_error(&["solve", hero_again, "--preset", &preset, "--out", &out]), (Some(0), String::new()));
    assert_eq!(model_of(&out), "copy.glb");
    let (status, warning) = status_and_error(&["solve", villain, "--preset", &preset, "--out", &out]);
    assert_eq!((status, warning.lines().count()), (Some(0), 1), "{warning}");
    assert!(
        ["warning", "hero.json", "hero.glb", "villain.glb", "other bones"].iter().all(|word| warning.contains(word)),
        "{warning}"
    );
    assert_eq!(model_of(&out), "villain.glb");
    let (_, warning) = status_and_error(&[villain, "--preset", &preset]);
    assert!(warning.starts_with("kinescope: warning: ") && warning.contains("no display"), "{warning}");

    std::fs::remove_file(hero).unwrap();
    for arguments in [
        &["solve", "--preset", &preset, "--out", &out][..],
        &["trace", "--preset", &preset],
        &["record", "--preset", &preset, "--clip", "walk", "--out", &recording],
        &["bake", "--preset", &preset, "--clip", "walk", "--out", &baked],
        &["--preset", &preset, "--screenshot", &folder.path("no.png")],
        &[&preset, "--screenshot", &folder.path("no.png")],
    ] {
        let (status, error) = status_and_error(arguments);
        assert_eq!((status, error.trim_end().lines().count()), (Some(1), 1), "{error}");
        assert!(["hero.json: model: ", "hero.glb", "no such file"].iter().all(|word| error.contains(word)), "{error}");
    }
    // The window would ask for the model, so only the missing display is an error.
    let (status, error) = status_and_error(&["--preset", &preset]);
    assert!(status == Some(1) && error.contains("no display") && !error.contains("no such file"), "{error}");
}

#[test]
fn wrong_fields_of_a_preset_s_model_are_named() {
    let folder = Folder::new("wrong fields");
    for (model, words) in [
        (json!({ "pth": "hero.glb" }), ["model.pth", "unknown field"]),
        (json!({ "path": 7 }), ["model.path", "7"]),
        (json!({ "path": "a\0b.glb", "name": "b" }), ["model: ", "b.glb"]),
    ] {
        let preset = json!({ "format": "kinescope-preset", "version": 1, "model": model });
        let path = folder.write("wrong.json", preset.to_string());
        let (status, error) = status_and_error(&["trace", "--preset", &path]);
        assert_eq!((status, error.trim_end().lines().count()), (Some(1), 1), "{error}");
        assert!(words.iter().all(|word| error.contains(word)), "{error:?} lacks {words:?}");
    }
    let preset = json!({ "format": "kinescope-preset", "version": 1, "model": {} });
    let path = folder.write("empty.json", preset.to_string());
    assert_eq!(status_and_error(&["trace", "--preset", &path]), (Some(0), String::new()));
}
