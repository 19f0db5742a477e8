//! Clips written as BVH: read back, they are the baked clips.

use std::path::Path;
use std::time::Duration;

use kinescope::character::{self, BuiltIn, Character};
use kinescope::scenes::{RestPose, Scene};
use kinescope::session::headless::{Baked, Headless};
use kinescope::session::{Action, Session};
use kinescope::world::document::{ClipSection, Document};
use kinescope_ik::rig::import::import_in_unit;
use kinescope_ik::rig::{LengthUnit, ModelPose};

use crate::common;
use crate::common::files;
use crate::common::program::{kinescope, text};

/// Bakes all clips of a character with a length, as BVH, and compares all bones in all frames with the baked poses.
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
        // A clip of every kind of character is enough.
        std::sync::Arc::make_mut(&mut character.model).clips.truncate(3);
        if character.rig.full_body.is_ok() {
            check(&character, &Document::default());
        }
    }
}

/// `kinescope bake --out` writes a file that `kinescope` reads: with the same biped, and a clip that bakes again.
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
    // Ends of branches stay ends, so that the second file has the bones of the first.
    let names = |file: &str| -> Vec<String> {
        Character::load(Path::new(file)).unwrap().model.skeleton.bones().iter().map(|bone| bone.name.clone()).collect()
    };
    assert_eq!(names(&again), names(&out));
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
