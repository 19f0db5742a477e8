//! BVH files, written and read.

use std::path::Path;
use std::time::Duration;

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use egui_macroquad::egui::{self, Vec2};

use kinescope::character::{self, BuiltIn, Character};
use kinescope::scenes::{RestPose, Scene};
use kinescope::session::commands::Command;
use kinescope::session::headless::{Baked, Headless};
use kinescope::session::{Action, Session};
use kinescope::world::document::{ClipSection, Document};
use kinescope_ik::rig::import::import_in_unit;
use kinescope_ik::rig::{LengthUnit, ModelPose};

use crate::common;
use crate::common::files;
use crate::common::gltf::Glb;
use crate::common::program::{kinescope, text};
use crate::harness::{Window, window};

/// Bakes each clip whose duration is not 0 as BVH, and compares all bones in all frames with the baked poses.
fn check(character: &Character, document: &Document) {
    let (model, reference) = (&character.model, &character.detection.reference);
    let metres = (character::centimetres(character.height) / 100.0) as f32;
    for clip in model.clips.iter().filter(|clip| clip.duration > 0.0) {
        let document = Document { clip: ClipSection { name: Some(clip.name.clone()), time: 0.0 }, ..document.clone() };
        let mut headless = Headless::new(character.copy(), document).unwrap();
        let baked = headless.bake_whole(30.0).unwrap();
        let written = kinescope::tools::export::bvh(character, &baked);
        let mut none = |uri: &str| Err(format!("no {uri}"));
        let read = import_in_unit("walk.bvh", &written.bytes, Some(LengthUnit::Centimetres), &mut none).unwrap();
        let name = format!("{}, {}", model.name, clip.name);
        let keys = read.clips[0].tracks[0].times.len();
        assert_eq!(keys, baked.times.len(), "{name}: {:?}", read.notes);
        assert!((read.clips[0].duration - baked.times[keys - 1]).abs() < 1e-4, "{name}");
        let bone_of: Vec<usize> =
            model.skeleton.bones().iter().map(|bone| read.skeleton.find(&bone.name).unwrap()).collect();
        let (mut farthest, mut most_turned) = (0f32, 0f64);
        for (key, local) in baked.poses.iter().enumerate() {
            let mut found = read.skeleton.rest_pose();
            read.clips[0].sample(read.clips[0].tracks[0].times[key], &mut found);
            let found = ModelPose::from_local(&read.skeleton, &found);
            let like = ModelPose::from_local(&model.skeleton, local);
            for (bone, &own) in bone_of.iter().enumerate() {
                farthest = farthest.max(found.position(own).distance(like.position(bone) * metres));
                let turn = like.bones[bone].rotation * reference.bones[bone].rotation.conjugate();
                let off = turn.as_dquat().normalize().conjugate() * found.bones[own].rotation.as_dquat().normalize();
                most_turned = most_turned.max(2.0 * off.xyz().length().min(1.0).asin().to_degrees());
            }
        }
        println!("{name}: {keys} keys, {} mm, {most_turned}°", farthest * 1000.0);
        assert!(farthest < 1e-4, "{name}: a bone is {farthest} m off");
        assert!(most_turned < 0.01, "{name}: a bone is turned by {most_turned}°");
    }
}

#[test]
fn built_in_characters_read_back() {
    for built_in in BuiltIn::ALL {
        let character = Character::from_built_in(built_in).unwrap();
        check(&character, &Scene::find("stairs").unwrap().document(&RestPose::of(&character)));
    }
}

#[test]
fn shared_characters_read_back() {
    let Some(folder) = common::shared("models") else { return };
    for file in [
        "mannequiny.glb",
        "RobotExpressive.glb",
        "KayKit_Barbarian.glb",
        "Male_Adult_01_assimp.glb",
        "RiggedFigure.gltf",
    ] {
        let mut character = Character::load(&folder.join(file)).unwrap();
        std::sync::Arc::make_mut(&mut character.model).clips.truncate(3);
        if character.rig.full_body.is_ok() {
            check(&character, &Document::default());
        }
    }
}

/// A .glb file keeps channels that move no bone. A .bvh file loses them, which used to cause no warning.
#[test]
fn channels_that_move_no_bone_are_missing_in_bvh_files_alone() {
    let folder = files::Folder::new("unbound channels");
    let mut file = Glb::read(&std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/biped.glb")).unwrap());
    let clips = file.root["animations"].as_array_mut().unwrap();
    let walk = clips.iter_mut().find(|clip| clip["name"] == "walk").unwrap();
    let channel = serde_json::json!({ "sampler": 0, "target": { "node": 0, "path": "weights" } });
    walk["channels"].as_array_mut().unwrap().push(channel);
    let model = folder.write("channels.glb", file.write());
    let preset = folder.write("preset.json", Document::default().to_preset().to_json());
    for (name, is_missing) in [("walk.glb", false), ("walk.bvh", true), ("walk.BVH", true)] {
        let out = folder.path(name);
        let output = kinescope(&["bake", &model, "--preset", &preset, "--clip", "walk", "--out", &out]);
        let warnings = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{warnings}");
        let is_warned = warnings.contains("clip \"walk\": channels that are missing in the output: 1;");
        assert_eq!(is_warned, is_missing, "{name}: {warnings}");
    }
}

#[test]
fn the_program_writes_and_reads_bvh() {
    let path = |name: &str| files::temporary(name).to_str().unwrap().to_owned();
    let (preset, out, again) = (path("bvh.json"), path("walk.bvh"), path("again.bvh"));
    let character = Character::built_in().unwrap();
    let document = Scene::find("stairs").unwrap().document(&RestPose::of(&character));
    std::fs::write(&preset, document.to_preset().to_json()).unwrap();
    let output = kinescope(&["bake", "--preset", &preset, "--clip", "walk", "--out", &out]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("centimetres"), "{}", text(&output.stderr));

    let read = Character::load(Path::new(&out)).unwrap();
    let (roles, like) = (read.detection.biped.as_ref().expect("a biped"), character.detection.biped.as_ref().unwrap());
    for role in kinescope_ik::rig::Role::ALL {
        let names = |biped: &kinescope_ik::rig::Biped, character: &Character| -> Vec<String> {
            biped.bones_of(role).into_iter().map(|bone| character.model.skeleton.bones()[bone].name.clone()).collect()
        };
        assert_eq!(names(roles, &read), names(like, &character), "{}", role.key());
    }
    assert!(read.model.notes[0].contains("read as centimetres"), "{:?}", read.model.notes);
    let output = kinescope(&["bake", &out, "--preset", &preset, "--clip", "motion", "--out", &again]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    // A bone imported from an end site is written as an end site again. Otherwise each conversion would add a bone per
    // branch.
    let names = |file: &str| -> Vec<String> {
        Character::load(Path::new(file)).unwrap().model.skeleton.bones().iter().map(|bone| bone.name.clone()).collect()
    };
    assert_eq!(names(&again), names(&out));
}

/// Motion capture may begin metres away from the origin, where the figure stands at rest.
#[test]
fn a_clip_far_from_the_origin_is_framed_when_it_is_chosen() {
    let (path, character) = (files::temporary("far.bvh"), Character::built_in().unwrap());
    let mut far = character.rest.clone();
    far.bones[0].translation += glam::Vec3::new(7.0, 0.0, -3.0);
    let baked = Baked { poses: vec![far.clone(), far], times: vec![0.0, 1.0], ..Baked::default() };
    std::fs::write(&path, kinescope::tools::export::bvh(&character, &baked).bytes).unwrap();
    let mut session = common::session::session();
    session.open_model_with(&path, Character::load);
    session.wait_for_model(Duration::MAX).unwrap();
    session.update(1.0 / 60.0);
    let is_in_picture = |session: &Session| {
        let projector = session.projector();
        let shown = |bone: &kinescope_ik::rig::RigidTransform| {
            projector.to_screen(bone.position).is_some_and(|at| projector.viewport.contains(at))
        };
        session.world.picture.pose.bones.iter().all(shown)
    };
    assert!(is_in_picture(&session));
    session.apply(Action::Clip(Some(0)));
    session.update(1.0 / 60.0);
    let at = session.world.picture.pose.bones[0].position;
    assert!(at.x > 6.0 && is_in_picture(&session), "{at}");
    session.apply(Action::Clip(None));
    session.update(1.0 / 60.0);
    session.look.camera.distance *= 0.5;
    let distance = session.look.camera.distance;
    session.apply(Action::Clip(Some(0)));
    session.update(1.0 / 60.0);
    assert_eq!(session.look.camera.distance, distance);
}

/// Writes a figure at rest twice, 1.5 m apart, as a file of two characters.
fn two_figures(path: &Path) {
    let character = Character::built_in().unwrap();
    let baked = Baked { poses: vec![character.rest.clone()], ..Baked::default() };
    let text = String::from_utf8(kinescope::tools::export::bvh(&character, &baked).bytes).unwrap();
    let (joints, motion) = text.strip_prefix("HIERARCHY\n").unwrap().split_once("MOTION\n").unwrap();
    let (head, frame) = motion.trim_end().rsplit_once('\n').unwrap();
    let second =
        joints.replace("ROOT ", "ROOT b_").replace("JOINT ", "JOINT b_").replacen("OFFSET 0 ", "OFFSET 150 ", 1);
    assert!(second.contains("OFFSET 150 "), "{second}");
    let (x, others) = frame.split_once(' ').unwrap();
    let moved = format!("{} {others}", x.parse::<f32>().unwrap() + 150.0);
    std::fs::write(path, format!("HIERARCHY\n{joints}{second}MOTION\n{head}\n{frame} {moved}\n")).unwrap();
}

#[test]
fn of_two_characters_in_a_file_a_click_chooses_the_other() {
    let path = files::temporary("two.bvh");
    two_figures(&path);
    let mut harness = window(Vec2::new(1440.0, 1100.0));
    let session = &mut harness.state_mut().session;
    session.open_model_with(&path, Character::load);
    session.wait_for_model(Duration::MAX).unwrap();
    session.update(1.0 / 60.0);
    session.apply(Action::Command(Command::RigDoctor));
    harness.run();
    // The scene pins the feet of the character that is used.
    let state = |harness: &Harness<Window>| {
        let (world, session) = (&harness.state().session.world, &harness.state().session);
        let detection = &world.character.detection;
        let other = *detection.characters.iter().find(|one| !one.is_used).expect("two characters");
        let pelvis = detection.biped.as_ref().unwrap().pelvis;
        let targets = session.world.settings().effectors.iter().filter(|own| own.position_weight > 0.0).count();
        (pelvis, other, targets)
    };
    let (pelvis, other, targets) = state(&harness);
    assert!(pelvis != other.pelvis && targets > 0);
    let name = harness.state().session.world.character.model.skeleton.bones()[other.root].name.clone();
    harness.get_by_role_and_label(egui::accesskit::Role::Button, &name).click();
    harness.run();
    let session = &mut harness.state_mut().session;
    session.wait_for_roles(Duration::MAX);
    session.update(1.0 / 60.0);
    let (now, _, targets) = state(&harness);
    assert_eq!((now, targets), (other.pelvis, 0), "the targets of the other character would pull this one to it");
    let world = &harness.state().session.world;
    let rest = kinescope_ik::rig::ModelPose::from_local(&world.character.model.skeleton, &world.character.rest);
    assert!(world.picture.pose.position(now).distance(rest.position(now)) < 1e-3);
    let session = &mut harness.state_mut().session;
    session.apply(Action::Command(Command::Undo));
    session.wait_for_roles(Duration::MAX);
    session.update(1.0 / 60.0);
    let (now, _, targets) = state(&harness);
    assert!(now == pelvis && targets > 0);
}

#[test]
fn the_unit_can_be_chosen() {
    let path = files::temporary("leg.bvh");
    let character = Character::built_in().unwrap();
    let baked = Baked { poses: vec![character.rest.clone()], ..Baked::default() };
    std::fs::write(&path, kinescope::tools::export::bvh(&character, &baked).bytes).unwrap();
    let mut session = Session::new(character);
    session.open_model_with(&path, Character::load);
    session.wait_for_model(Duration::MAX).unwrap();
    let guessed = session.world.character.height;
    assert_eq!(session.world.character.model.unit, Some(LengthUnit::Centimetres));
    // A character without a mesh is drawn as capsules, which are not part of the model.
    assert!(session.world.character.model.meshes.is_empty());
    assert_eq!(session.world.character.drawn().meshes.len(), 1);

    session.apply(Action::ReadInUnit(LengthUnit::Inches));
    session.wait_for_model(Duration::MAX).unwrap();
    let ratio = session.world.character.height / guessed;
    assert!((ratio - 2.54).abs() < 1e-3, "{ratio}");
    // An export reads the file again, in the same unit.
    let own = session.world.character.model.skeleton.clone();
    let (bytes, _) = session.world.character.source().unwrap().0.to_glb().unwrap();
    let again = kinescope_ik::rig::import::import("leg.glb", &bytes, &mut |uri| Err(uri.to_owned())).unwrap();
    assert_eq!(again.skeleton, own);

    let inspect = |unit: &[&str]| kinescope(&[&["inspect", path.to_str().unwrap()], unit].concat());
    let printed = text(&inspect(&["--unit", "millimetres"]).stdout);
    assert!(printed.contains("read as millimetres, as chosen"), "{printed}");
    let output = inspect(&["--unit", "furlongs"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("centimetres, metres"), "{}", text(&output.stderr));
}
