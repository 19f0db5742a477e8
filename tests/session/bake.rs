//! Clips written by `kinescope bake` and by the session, and the results of `solve` and `trace`.

use kinescope_ik::ground::Layers;
use kinescope_ik::stack::{Drive, Method};
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::Arc;

use glam::{Vec2, Vec3};
use kinescope::character::Character;
use kinescope::scenes::{RestPose, Scene};
use kinescope::session::commands::Command;
use kinescope::session::headless::{Baked, Headless};
use kinescope::session::{Action, Session};
use kinescope::tools::export::session::BakeAction;
use kinescope::world::document::{ClipSection, Document};
use kinescope::world::motion::Travel;
use kinescope::world::motion::clip_player::BakeRange;
use kinescope_ik::animation::Clip;
use kinescope_ik::grounding::Side;
use kinescope_ik::preset::Preset;
use kinescope_ik::rig::import::import;
use kinescope_ik::rig::{LocalPose, Model, ModelPose};
use kinescope_ik::terrain::Terrain;
use kinescope_ik::trace::Trace;
use serde_json::{Value, json};

use crate::common;
use crate::common::files;
use crate::common::gltf;
use crate::common::program::{kinescope, text};
use crate::common::session::{finish_baking, in_scene};

/// The largest allowed depth of a sole in the ground while walking, in metres.
const DEEPEST: f32 = 0.020;

fn temporary(name: &str) -> String {
    files::temporary(name).to_str().unwrap().to_owned()
}

fn scene(name: &str, character: &Character) -> Document {
    Scene::find(name).unwrap().document(&RestPose::of(character))
}

fn preset(name: &str, document: &Document) -> String {
    let path = temporary(name);
    std::fs::write(&path, document.to_preset().to_json()).unwrap();
    path
}

fn load(model: Option<&Path>) -> Character {
    model.map_or_else(|| Character::built_in().unwrap(), |path| Character::load(path).unwrap())
}

/// A clip baked by the program and read back, and the same clip baked by this test.
struct Case {
    headless: Headless,
    baked: Baked,
    model: Model,
}

impl Case {
    fn new(name: &str, model: Option<&Path>, document: &Document, clip: &str, fps: f32) -> Self {
        let (preset, out) = (preset(&format!("{name}.json"), document), temporary(&format!("{name}.glb")));
        let rate = fps.to_string();
        let mut arguments = vec!["bake", "--preset", &preset, "--clip", clip, "--out", &out, "--fps", &rate];
        if let Some(model) = model {
            arguments.insert(1, model.to_str().unwrap());
        }
        let output = kinescope(&arguments);
        let printed = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{name}: {printed}");
        let bytes = std::fs::read(&out).unwrap();
        gltf::is_valid(&[&out]);
        let read = import("baked.glb", &bytes, &mut |uri| Err(format!("{uri} exists beside the file"))).unwrap();
        // The program reads the preset, so the test compares with the preset's document.
        let text = std::fs::read_to_string(&preset).unwrap();
        let mut document = Document::from_preset(&Preset::from_json(&text).unwrap()).unwrap();
        document.clip = ClipSection { name: Some(clip.to_owned()), time: 0.0 };
        let mut headless = Headless::new(load(model), document).unwrap();
        let baked = headless.bake_whole(fps).unwrap();
        let lacks = headless.character.model.notes.iter().any(|note| note.contains("image"));
        assert_eq!(!printed.is_empty(), lacks, "{name}: {printed}");
        let case = Self { headless, baked, model: read };
        case.is_the_character(clip);
        case.is_what_was_solved();
        case
    }

    fn character(&self) -> &Character {
        &self.headless.character
    }

    fn clip(&self) -> &Clip {
        &self.model.clips[self.character().find_clip(&self.baked.name).unwrap()]
    }

    fn is_the_character(&self, clip: &str) {
        let (model, read) = (&self.character().model, &self.model);
        for bone in model.skeleton.bones() {
            let found = read.skeleton.find(&bone.name).unwrap_or_else(|| panic!("no bone {}", bone.name));
            let parent =
                |parent: Option<usize>, model: &Model| parent.map(|parent| model.skeleton.bones()[parent].name.clone());
            let like = read.skeleton.bones()[found].parent;
            assert_eq!(parent(bone.parent, model), parent(like, read), "parent of {}", bone.name);
        }
        let sizes = |model: &Model| {
            let drawn = model.meshes.iter().filter(|mesh| !mesh.indices.is_empty());
            drawn.map(|mesh| (mesh.positions.len(), mesh.indices.len())).collect::<Vec<_>>()
        };
        assert_eq!(sizes(model), sizes(read));
        let names = |model: &Model| model.clips.iter().map(|clip| clip.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(read), names(model));
        let at = self.character().find_clip(clip).unwrap();
        let (baked, like) = (&read.clips[at], &model.clips[at]);
        assert!((baked.duration - like.duration).abs() < 1e-5, "{} s", baked.duration);
        for (other, like) in read.clips.iter().zip(&model.clips).filter(|(other, _)| other.name != clip) {
            assert!(other == like, "{} differs", other.name);
        }
    }

    /// Returns the file's pose at a key, in the order of the character's bones.
    fn pose(&self, key: usize) -> ModelPose {
        let (clip, skeleton) = (self.clip(), &self.model.skeleton);
        let mut local = skeleton.rest_pose();
        clip.sample(self.baked.times[key], &mut local);
        let read = ModelPose::from_local(skeleton, &local);
        let own = self.character().model.skeleton.bones().iter();
        ModelPose::rigid(own.map(|bone| read.bones[skeleton.find(&bone.name).unwrap()]).collect())
    }

    /// Checks that the file's poses equal the headless solve, and that baked keys are finite, have unit rotations and
    /// turn the short way from each key to the next.
    fn is_what_was_solved(&self) {
        let (skeleton, height) = (&self.character().model.skeleton, self.character().height);
        assert_eq!(self.baked.poses.len(), self.baked.times.len());
        for (key, like) in self.baked.poses.iter().enumerate() {
            for bone in &like.bones {
                let numbers = [bone.translation.is_finite(), bone.rotation.is_finite(), bone.scale.is_finite()];
                assert_eq!(numbers, [true; 3], "key {key}");
                assert!((bone.rotation.length() - 1.0).abs() < 1e-4, "key {key}: {}", bone.rotation);
            }
            let (like, read) = (ModelPose::from_local(skeleton, like), self.pose(key));
            for (bone, (like, read)) in like.bones.iter().zip(&read.bones).enumerate() {
                let off = like.position.distance(read.position) / height.max(1.0);
                assert!(off < 1e-4, "key {key}, {}: {off}", skeleton.bones()[bone].name);
                assert!(like.rotation.dot(read.rotation).abs() > 1.0 - 1e-5, "key {key}");
            }
        }
        let neighbours = self.baked.poses.windows(2).flat_map(|pair| pair[0].bones.iter().zip(&pair[1].bones));
        for (before, after) in neighbours {
            assert!(before.rotation.dot(after.rotation) >= 0.0, "the keys turn the long way");
        }
    }

    fn depth(&self) -> f32 {
        let motion = &self.headless.motion;
        let depths = (0..self.baked.times.len()).flat_map(|key| {
            let pose = self.pose(key);
            Side::ALL
                .map(|side| motion.depth(&motion.sole(side, &pose.bones).unwrap(), Layers::ALL).unwrap_or(f32::MIN))
        });
        depths.fold(f32::MIN, f32::max)
    }

    fn apart(&self, a: usize, b: usize) -> f32 {
        let (a, b) = (self.pose(a), self.pose(b));
        a.bones.iter().zip(&b.bones).map(|(a, b)| a.position.distance(b.position)).fold(0.0, f32::max)
    }
}

#[test]
fn a_walk_over_stairs_is_baked_as_it_is_solved() {
    let document = scene("stairs", &Character::built_in().unwrap());
    let case = Case::new("stairs", None, &document, "walk", 30.0);
    let depth = case.depth();
    assert!(depth < DEEPEST, "a sole is {depth} m in the ground");
    let pelvis = case.character().detection.biped.as_ref().unwrap().pelvis;
    let last = case.baked.times.len() - 1;
    let way = case.pose(last).position(pelvis) - case.pose(0).position(pelvis);
    assert!(way.length() > 0.8, "the pelvis moved by {way}");
    let times = case.baked.times.len();
    assert_eq!(times, (30.0 * case.clip().duration).round() as usize + 1);

    let twice = Case::new("stairs-60", None, &document, "walk", 60.0);
    assert_eq!(twice.baked.times.len(), 2 * (times - 1) + 1);
    assert!(twice.depth() < DEEPEST);
}

#[test]
fn a_looping_clip_is_baked_in_place_as_a_loop() {
    let mut document = scene("stairs", &Character::built_in().unwrap());
    document.motion.travel = Travel::InPlace;
    document.motion.start = Vec2::new(0.0, 2.1);
    for (name, drive) in [("loop", Drive::FullBody), ("limbs", Drive::Limbs)] {
        document.stack.grounding.drive = drive;
        for clip in ["walk", "idle"] {
            let case = Case::new(&format!("{name}-{clip}"), None, &document, clip, 30.0);
            let apart = case.apart(0, case.baked.times.len() - 1);
            assert!(apart < 0.001, "{name}, {clip}: the ends are {apart} m apart");
            let moved = (1..case.baked.times.len()).map(|key| case.apart(0, key)).fold(0.0, f32::max);
            assert!(moved > 0.001, "{name}, {clip}: nothing moves");
        }
    }
}

#[test]
fn a_clip_that_does_not_loop_is_baked_from_its_beginning() {
    for grounded in [false, true] {
        let mut character = Character::built_in().unwrap();
        let walk = character.find_clip("walk").unwrap();
        let rest = character.rest.clone();
        let own = &mut Arc::make_mut(&mut character.model).clips[walk];
        // The clip ends in the middle of a stride.
        own.duration *= 0.5;
        let own = own.clone();
        let mut document = Document::default();
        document.clip.name = Some("walk".to_owned());
        if grounded {
            document.terrain = Some(Arc::new(Terrain::flat()));
            document.stack.grounding.method = Method::Predictive;
        }
        let mut headless = Headless::new(character, document).unwrap();
        let baked = headless.bake_whole(30.0).unwrap();
        let skeleton = &headless.character.model.skeleton;
        let biped = headless.character.detection.biped.as_ref().unwrap();
        let feet = [2, 3].map(|limb: usize| biped.limbs[limb].bones[2]);
        let like = |time: f32| {
            let mut local = rest.clone();
            own.sample(time, &mut local);
            ModelPose::from_local(skeleton, &local)
        };
        let (begin, end) = (like(0.0), like(own.duration));
        let stride = |pose: &ModelPose| pose.position(feet[0]).z - pose.position(feet[1]).z;
        assert!(stride(&begin) * stride(&end) < -0.1, "the other foot is ahead at the end of the clip");
        for (key, like) in [(0, &begin), (baked.times.len() - 1, &end)] {
            let found = stride(&ModelPose::from_local(skeleton, &baked.poses[key]));
            let off = (found - stride(like)).abs();
            assert!(off < 0.02, "grounded {grounded}, key {key}: feet are {found} m apart, {off} m off");
        }
    }
}

#[test]
fn a_shared_model_is_baked() {
    let Some(folder) = common::shared("models") else { return };
    let path = folder.join("mannequiny.glb");
    let character = load(Some(&path));
    let clip = character.model.clips.iter().find(|clip| clip.name.to_lowercase().contains("walk"));
    let clip =
        clip.or(character.model.clips.iter().find(|clip| clip.duration > 0.0)).expect("the file has clips").clone();
    let mut document = scene("stairs", &character);
    document.clip.name = Some(clip.name.clone());
    let case = Case::new("mannequiny", Some(&path), &document, &clip.name, 30.0);
    let depth = case.depth();
    assert!(depth < DEEPEST, "{}: a sole is {depth} m in the ground", clip.name);
}

#[test]
fn models_without_legs_or_textures_are_baked_as_they_are() {
    let Some(folder) = common::shared("models") else { return };
    for name in ["RiggedFigure.gltf", "debug_robot.vrm", "Male_Adult_01_assimp.glb"] {
        let path = folder.join(name);
        let character = load(Some(&path));
        let Some(clip) = character.model.clips.iter().find(|clip| clip.duration > 0.0).cloned() else { continue };
        if character.rig.full_body.is_ok() {
            Case::new(name, Some(&path), &scene("hills", &character), &clip.name, 12.0);
        }
    }
}

/// Runs `kinescope bake` and checks for status 1, one line on standard error with all these words, and no file written.
fn fails(preset: &str, more: &[&str], words: &[&str]) {
    let out = temporary("never.glb");
    let mut arguments = vec!["bake", "--preset", preset, "--clip", "walk", "--out", &out];
    arguments.extend(more);
    let output = kinescope(&arguments);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {error}");
    assert_eq!(error.trim_end().lines().count(), 1, "{error}");
    for word in words {
        assert!(error.contains(word), "{error:?} lacks {word:?}");
    }
    let folder = PathBuf::from(&out).parent().unwrap().to_owned();
    let left = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(left.filter(|name| name.starts_with("never")).count(), 0, "a file was written: {error}");
}

fn baked_as(preset: &str, clip: &str, out: &str, fps: &str) -> Output {
    kinescope(&["bake", "--preset", preset, "--clip", clip, "--out", out, "--fps", fps])
}

#[test]
fn wrong_input_is_reported_in_one_line_and_nothing_is_written() {
    let document = scene("stairs", &Character::built_in().unwrap());
    let good = preset("good.json", &document);
    let complains = |output: &Output, words: &[&str]| {
        let error = text(&output.stderr);
        assert_eq!((output.status.code(), error.trim_end().lines().count()), (Some(1), 1), "{error}");
        assert!(words.iter().all(|word| error.contains(word)), "{error:?} lacks {words:?}");
    };
    let out = temporary("never.glb");
    complains(&baked_as(&good, "jump", &out, "30"), &["\"jump\"", "idle", "walk", "run"]);
    complains(&baked_as(&good, "walk", "/tmp/never.gltf", "30"), &["/tmp/never.gltf", ".glb or .bvh"]);
    complains(&baked_as(&good, "walk", "/no/folder/never.glb", "30"), &["/no/folder/never.glb", "no such"]);
    for fps in ["0", "-1", "nan", "inf", "0.5", "1001", "many"] {
        let output = baked_as(&good, "walk", &out, fps);
        assert_eq!(output.status.code(), Some(2), "{fps}");
        let printed = text(&output.stderr);
        assert!(fps == "-1" || printed.contains("1 to 1000"), "{printed}");
    }
    fails("/no/such.json", &[], &["/no/such.json", "no such file"]);
    assert!(!Path::new(&out).exists());

    let value: Value = serde_json::from_str(&std::fs::read_to_string(&good).unwrap()).unwrap();
    let broken = |name: &str, change: &dyn Fn(&mut Value), words: &[&str]| {
        let mut value = value.clone();
        change(&mut value);
        let path = temporary(&format!("{name}.json"));
        std::fs::write(&path, value.to_string()).unwrap();
        let words: Vec<&str> = [&path[..]].iter().chain(words).copied().collect();
        fails(&path, &[], &words);
    };
    broken("column", &|value| value["terrain"]["columns"] = 1.into(), &["terrain.columns: is 1", "from 2 to 1025"]);
    broken("null", &|value| value["terrain"]["heights"][3] = Value::Null, &["terrain.heights[3]: ", "null"]);
    broken("word", &|value| value["terrain"]["heights"][3] = "NaN".into(), &["terrain.heights[3]: ", "NaN"]);
    broken("1e40", &|value| value["terrain"]["heights"][3] = 1e40.into(), &["terrain.heights[3]: ", "-1000 to 1000"]);
    broken(
        "short",
        &|value| drop(value["terrain"]["heights"].as_array_mut().unwrap().pop()),
        &["terrain.heights: has ", "columns × ", " rows = "],
    );
    broken("field", &|value| value["motion"]["pacee"] = 1.into(), &["motion.pacee: ", "unknown field", "pace"]);
    broken("fade", &|value| value["motion"]["fade"] = (-1).into(), &["motion.fade: is -1", "0 to 10"]);
    broken("path", &|value| value["motion"]["path"][1][0] = 1e9.into(), &["motion.path[1][0]: is ", "10000"]);
    broken("travel", &|value| value["motion"]["travel"] = "fly".into(), &["motion.travel: ", "fly", "in_place"]);
    broken(
        "step",
        &|value| value["grounding"]["predictive"]["max_step"] = 99.into(),
        &["grounding.predictive.max_step: is 99"],
    );
    broken(
        "curve",
        &|value| value["grounding"]["curves"] = json!({ "walk": [[{ "time": 2, "value": 0 }], []] }),
        &["grounding.curves.walk[0]: ", "[0].time", "0 to 1"],
    );
    broken("time", &|value| value["clip"]["time"] = 1e40.into(), &["clip.time: is inf", "number of seconds"]);
    broken("size", &|value| value["terrain"]["size"] = json!([0, 12]), &["terrain.size[0]: is 0"]);
    // JSON values cannot hold NaN, so the text is changed.
    let text = std::fs::read_to_string(&good).unwrap();
    let path = temporary("nan.json");
    std::fs::write(&path, text.replacen("\"columns\":", "\"columns\": NaN, \"rows\":", 1)).unwrap();
    fails(&path, &[], &["nan.json", "line "]);
}

/// Writes a small .gltf with a clip of zero length (two bones, the first keyed once) and returns its path.
fn still() -> String {
    let bytes: Vec<u8> = [0.0f32, 0.0, 1.0, 0.0].iter().flat_map(|number| number.to_le_bytes()).collect();
    let path = temporary("still.bin");
    std::fs::write(&path, bytes).unwrap();
    let gltf = json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "name": "hips", "children": [1] }, { "name": "spine", "translation": [0, 0.2, 0] }],
        "animations": [{
            "name": "still",
            "samplers": [{ "input": 0, "output": 1 }],
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }],
        }],
        "buffers": [{ "uri": "still.bin", "byteLength": 16 }],
        "bufferViews": [
            { "buffer": 0, "byteOffset": 0, "byteLength": 4 },
            { "buffer": 0, "byteOffset": 4, "byteLength": 12 },
        ],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 1, "type": "SCALAR", "min": [0], "max": [0] },
            { "bufferView": 1, "componentType": 5126, "count": 1, "type": "VEC3" },
        ],
    });
    let path = temporary("still.gltf");
    std::fs::write(&path, gltf.to_string()).unwrap();
    path
}

#[test]
fn a_clip_without_a_length_and_a_model_without_a_biped_are_reported() {
    let model = still();
    let empty = preset("empty.json", &Document::default());
    let out = temporary("still.glb");
    let output = kinescope(&["bake", &model, "--preset", &empty, "--clip", "still", "--out", &out]);
    let error = text(&output.stderr);
    assert_eq!((output.status.code(), error.trim_end().lines().count()), (Some(1), 1), "{error}");
    assert!(error.contains("\"still\"") && error.contains("no length"), "{error}");
    assert!(!Path::new(&out).exists());
    let output = kinescope(&["solve", &model, "--preset", &empty, "--out", &temporary("still.json")]);
    let error = text(&output.stderr);
    assert_eq!((output.status.code(), error.trim_end().lines().count()), (Some(1), 1), "{error}");
    assert!(error.contains("still.gltf"), "{error}");
}

/// Returns the positions of bones, by name, that `solve` writes for the clip `idle` at 0.4 s.
fn solved(preset: Option<&str>) -> ModelPoseByName {
    let out = temporary(&format!("solved-{:?}.json", std::thread::current().id()));
    let mut arguments = vec!["solve", "--clip", "idle", "--time", "0.4", "--out", &out];
    arguments.extend(preset.iter().flat_map(|preset| ["--preset", preset]));
    let output = kinescope(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let value: Value = serde_json::from_slice(&std::fs::read(&out).unwrap()).unwrap();
    let bones = value["bones"].as_array().unwrap().iter().map(|bone| {
        let at = |axis: usize| bone["position"][axis].as_f64().unwrap() as f32;
        (bone["name"].as_str().unwrap().to_owned(), Vec3::new(at(0), at(1), at(2)))
    });
    bones.collect()
}

type ModelPoseByName = std::collections::BTreeMap<String, Vec3>;

#[test]
fn solve_and_trace_ground_the_pose_until_it_rests() {
    let character = Character::built_in().unwrap();
    let mut document = scene("two heights", &character);
    let plain = solved(None);
    for drive in [Drive::FullBody, Drive::Limbs] {
        document.stack.grounding.drive = drive;
        let path = preset(&format!("rest-{drive:?}.json"), &document);
        let pose = solved(Some(&path));
        let clip = ClipSection { name: Some("idle".to_owned()), time: 0.4 };
        let mut headless =
            Headless::new(Character::built_in().unwrap(), Document { clip, ..document.clone() }).unwrap();
        headless.solve().unwrap();
        // The pose has settled: two more seconds move every bone by less than 2 mm.
        headless.player.playing = false;
        for _ in 0..120 {
            headless.advance(1.0 / 60.0);
        }
        let rest = headless.solve().unwrap();
        for bone in character.model.skeleton.bones() {
            let at = rest.position(character.model.skeleton.find(&bone.name).unwrap());
            assert!(at.distance(pose[&bone.name]) < 0.002, "{drive:?}, {}: {at}", bone.name);
        }
        // One foot stands on the step, the other foot beside the step.
        let feet = ["left_foot", "right_foot"].map(|name| pose[name].y);
        assert!((feet[0] - feet[1]).abs() > 0.12, "{drive:?}: {feet:?}");
        for side in Side::ALL {
            let depth = headless.motion.depth(&headless.motion.sole(side, &rest.bones).unwrap(), Layers::ALL).unwrap();
            assert!(depth < 0.005, "{drive:?}, {side:?}: {depth} m");
        }
        assert_ne!(pose, plain);
        let out = temporary("rest.trace.json");
        let arguments = ["trace", "--preset", &path, "--clip", "idle", "--time", "0.4", "--out", &out];
        let output = kinescope(&arguments);
        if drive == Drive::Limbs {
            assert_eq!(output.status.code(), Some(1));
            assert!(text(&output.stderr).contains("grounding.drive"), "{}", text(&output.stderr));
            continue;
        }
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let trace = Trace::from_json(&std::fs::read_to_string(&out).unwrap()).unwrap();
        assert_eq!(Trace::solve(&trace.model, trace.rig.clone(), trace.parameters).unwrap(), trace);
    }
}

#[test]
fn without_the_three_sections_nothing_changes() {
    let character = Character::built_in().unwrap();
    let document = scene("reach and brace", &character);
    let path = preset("plain.json", &document);
    let text_of = |path: &str| std::fs::read_to_string(path).unwrap();
    assert!(["motion", "grounding", "terrain"].iter().all(|name| !text_of(&path).contains(&format!("\"{name}\""))));
    let out = temporary("plain.trace.json");
    let output = kinescope(&["trace", "--preset", &path, "--clip", "walk", "--time", "0.3", "--out", &out]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let trace = Trace::from_json(&text_of(&out)).unwrap();
    let mut local: LocalPose = character.rest.clone();
    character.model.clips[character.find_clip("walk").unwrap()].sample(0.3, &mut local);
    let animated = ModelPose::from_local(&character.model.skeleton, &local);
    assert_eq!(trace.rig.animated, animated.bones);
    let settings = Preset::from_json(&text_of(&path)).unwrap().settings;
    assert_eq!(trace.parameters, settings);
    let rig = kinescope::session::rig_of(&character, &animated.bones).unwrap();
    let like = Trace::solve(&trace.model, rig, settings).unwrap();
    assert!(like.steps == trace.steps && like.result == trace.result, "not bit for bit");
}

#[test]
fn the_fuzzing_corpus_has_motion_and_ground() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds/preset");
    for name in ["ground.json", "foot_ik.json"] {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        let document = Document::from_preset(&Preset::from_json(&text).unwrap()).unwrap();
        let default = Document::default();
        assert!(document.motion != default.motion && document.stack.grounding != default.stack.grounding, "{name}");
        assert!(document.terrain.is_some(), "{name}");
        let again = Preset::from_json(&document.to_preset().to_json()).unwrap();
        assert_eq!(Document::from_preset(&again).unwrap(), document, "{name}");
    }
}

/// Returns the largest distance of a bone between two poses, matched by name, in model units.
pub(crate) fn furthest(a: (&Model, &ModelPose), b: (&Model, &ModelPose)) -> f32 {
    let own = a.0.skeleton.bones().iter().zip(&a.1.bones);
    let ways = own.map(|(bone, at)| at.position.distance(b.1.position(b.0.skeleton.find(&bone.name).unwrap())));
    ways.fold(0.0, f32::max)
}

/// Bakes by the command line, by default the clip `walk`. Returns status, standard error and the output's path.
fn bake_as(name: &str, document: &Document, more: &[&str]) -> (i32, String, PathBuf) {
    let (preset, out) = (preset(&format!("{name}.json"), document), temporary(&format!("{name}.glb")));
    let _ = std::fs::remove_file(&out);
    let mut arguments = vec!["bake", "--preset", &preset, "--out", &out];
    if !more.contains(&"--clip") {
        arguments.extend(["--clip", "walk"]);
    }
    arguments.extend(more);
    let output = kinescope(&arguments);
    (output.status.code().unwrap(), text(&output.stderr), out.into())
}

fn walk_of(file: &Path) -> (Character, usize) {
    let character = Character::load(file).unwrap();
    let walk = character.find_clip("walk").unwrap();
    (character, walk)
}

fn pose_at((character, clip): &(Character, usize), time: f32) -> ModelPose {
    let mut local = character.rest.clone();
    character.model.clips[*clip].sample(time, &mut local);
    ModelPose::from_local(&character.model.skeleton, &local)
}

fn pelvis_at(walk: &(Character, usize), time: f32) -> Vec3 {
    pose_at(walk, time).position(walk.0.model.skeleton.find("pelvis").or(walk.0.model.skeleton.find("hips")).unwrap())
}

/// The end of the baked range used to be clamped to the clip's end, so that only 1.1 s of the path's 21 s were baked.
#[test]
fn the_whole_path_over_stairs_is_baked_and_reopens_as_it_was() {
    let mut session = in_scene("stairs");
    let mut stack = session.world.stack().clone();
    stack.grounding.predictive.max_foot_rotation_angle = 20.0;
    session.edit_stack("max foot rotation angle", None, stack);
    let duration = session.world.character.model.clips[session.world.clip.clip().unwrap()].duration;
    session.apply(Action::Bake(BakeAction::WholePath));
    let range = session.world.bake_range();
    let length = session.world.motion.path().unwrap().length();
    assert!(range.to > 5.0 * duration, "{range:?}");
    let out = temporary("whole path.glb");
    session.apply(Action::File(Command::BakeClip, out.clone().into()));
    assert!(session.files.baking.is_some(), "the bake runs in the background");
    finish_baking(&mut session);
    let notice = session.window.notice.clone().unwrap();
    assert!(!notice.is_error && notice.text.starts_with("Exported clip"), "{}", notice.text);

    let document = session.world.history.document().clone();
    let mut headless = Headless::new(Character::built_in().unwrap(), document).unwrap();
    let baked = headless.bake(range).unwrap();
    assert_eq!(baked.times.len(), (range.to * range.rate).round() as usize + 1);
    let mut other = Session::new(Character::load(Path::new(&out)).unwrap());
    let walk = other.world.character.find_clip("walk").unwrap();
    assert!((other.world.character.model.clips[walk].duration - range.to).abs() < 1e-3);
    other.apply(Action::Clip(Some(walk)));
    other.apply(Action::Command(Command::PlayClip));
    let mut walked = 0.0;
    let mut before: Option<Vec3> = None;
    for (time, like) in baked.times.iter().zip(&baked.poses) {
        other.apply(Action::ClipTime(*time));
        other.update(0.0);
        let like = ModelPose::from_local(&headless.character.model.skeleton, like);
        let off =
            furthest((&other.world.character.model, &other.world.picture.pose), (&headless.character.model, &like));
        assert!(off < 1e-3, "at {time} s a bone is {off} m off");
        let at = like.position(headless.character.detection.biped.as_ref().unwrap().pelvis).with_y(0.0);
        walked += before.replace(at).map_or(0.0, |before| before.distance(at));
    }
    assert!((walked / length - 1.0).abs() < 0.1, "walked {walked} m of {length} m");
    assert!(
        before.unwrap().distance(
            ModelPose::from_local(&headless.character.model.skeleton, &baked.poses[0])
                .position(headless.character.detection.biped.as_ref().unwrap().pelvis)
                .with_y(0.0)
        ) < 0.1,
        "once around"
    );
}

#[test]
fn baking_is_cancelled_and_then_writes_nothing() {
    let mut session = in_scene("stairs");
    session.apply(Action::Bake(BakeAction::Range(BakeRange { to: 600.0, ..session.world.bake_range() })));
    let out = temporary("cancelled.glb");
    session.apply(Action::File(Command::BakeClip, out.clone().into()));
    let mut seen = 0.0;
    while seen == 0.0 {
        session.update(0.0);
        seen = session.files.baking.as_ref().expect("the session goes on").1.progress();
    }
    assert!(session.is_moving() && seen < 1.0);
    assert_eq!(session.why_not(Command::CancelJobs), None);
    session.apply(Action::File(Command::BakeClip, temporary("second.glb").into()));
    assert!(session.window.notice.as_ref().unwrap().text.contains("cancelled.glb. Cancel it first"));
    session.apply(Action::Bake(BakeAction::Cancel));
    assert!(session.files.baking.is_none() && !Path::new(&out).exists());
    assert!(session.window.notice.as_ref().unwrap().text.contains("Cancelled"));
}

#[test]
fn the_command_line_bakes_cycles_and_the_whole_path() {
    let character = Character::built_in().unwrap();
    let document = scene("stairs", &character);
    let once = character.model.clips[character.find_clip("walk").unwrap()].duration;
    let (status, printed, out) = bake_as("cycles", &document, &["--cycles", "3"]);
    assert_eq!((status, printed.as_str()), (0, ""));
    let three = walk_of(&out);
    let duration = |walk: &(Character, usize)| walk.0.model.clips[walk.1].duration;
    assert!((duration(&three) - 3.0 * once).abs() < 1e-3, "{} s", duration(&three));
    let steps = [1.0, 2.0, 3.0].map(|cycle| {
        pelvis_at(&three, once * cycle).with_y(0.0).distance(pelvis_at(&three, once * (cycle - 1.0)).with_y(0.0))
    });
    assert!(steps.iter().all(|step| *step > 0.8), "{steps:?}");

    let (status, printed, out) = bake_as("path", &document, &["--path", "--fps", "24"]);
    assert_eq!((status, printed.as_str()), (0, ""));
    let whole = walk_of(&out);
    let length = kinescope_ik::locomotion::Path::new(&document.motion.path, document.motion.closed).unwrap().length();
    assert!((duration(&whole) - length).abs() < 0.05 * length, "{} s for {length} m at about 1 m/s", duration(&whole));
    let [begin, end] = [0.0, duration(&whole)].map(|time| pelvis_at(&whole, time).with_y(0.0));
    assert!(begin.distance(end) < 0.1, "once around: {begin} to {end}");

    let (status, printed, out) = bake_as("on the spot", &document, &["--path", "--fps", "24", "--no-root-motion"]);
    assert_eq!((status, printed.as_str()), (0, ""));
    let still = walk_of(&out);
    assert!((duration(&still) - duration(&whole)).abs() < 1e-4);
    let (mut least, mut most) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let mut moved = 0.0f32;
    for frame in 0..(duration(&still) * 24.0) as usize {
        let at = pelvis_at(&still, frame as f32 / 24.0);
        (least, most) = (least.min(at), most.max(at));
        moved = moved.max(furthest(
            (&still.0.model, &pose_at(&still, 0.0)),
            (&still.0.model, &pose_at(&still, frame as f32 / 24.0)),
        ));
    }
    let size = (most - least).with_y(0.0).length();
    assert!(size < 0.3 && moved > 0.3, "the pelvis stays within {size} m, bones move by {moved} m");

    let mut open = document.clone();
    open.motion.path = vec![Vec2::new(0.0, -2.0), Vec2::new(0.0, 2.0)];
    open.motion.closed = false;
    let (status, printed, out) = bake_as("open", &open, &["--path"]);
    assert_eq!((status, printed.as_str()), (0, ""));
    let walked = walk_of(&out);
    let way = pelvis_at(&walked, duration(&walked)).z - pelvis_at(&walked, 0.0).z;
    assert!((way - 4.0).abs() < 0.1, "{way} m");
}

#[test]
fn a_path_that_is_not_walked_is_reported() {
    let character = Character::built_in().unwrap();
    let mut document = scene("stairs", &character);
    let (status, printed, out) = bake_as("idle", &document, &["--path", "--clip", "idle"]);
    assert_eq!((status, printed.trim_end().lines().count(), out.exists()), (1, 1, false), "{printed}");
    assert!(printed.contains("idle.json: motion: ") && printed.contains("\"idle\" does not walk forward"), "{printed}");
    let mut far = document.clone();
    far.motion.path = vec![Vec2::ZERO, Vec2::new(0.0, 9000.0)];
    far.motion.closed = false;
    let (status, printed, _) = bake_as("far", &far, &["--path"]);
    assert_eq!((status, printed.trim_end().lines().count()), (1, 1), "{printed}");
    assert!(printed.contains("within 28 minutes") && printed.contains("Choose a faster clip"), "{printed}");
    document.motion.travel = Travel::InPlace;
    let (status, printed, _) = bake_as("in place", &document, &["--path"]);
    assert_eq!((status, printed.trim_end().lines().count()), (1, 1), "{printed}");
    assert!(printed.contains("in place.json: motion: ") && printed.contains("walks no path"), "{printed}");
    for wrong in [&["--cycles", "0"][..], &["--cycles", "2", "--path"], &["--cycles", "many"]] {
        assert_eq!(bake_as("wrong", &document, wrong).0, 2, "{wrong:?}");
    }
    let (status, printed, _) = bake_as("long", &document, &["--cycles", "10000"]);
    assert!(status == 1 && printed.contains("Choose an earlier end"), "{printed}");
}
