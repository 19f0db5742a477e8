//! The .glb files that Kinescope ships and writes pass Khronos' validator. Written files also keep the parts of their
//! model that Kinescope does not know, and problems of the model are repaired and reported.

use std::path::Path;

use kinescope::character::Character;
use kinescope::session::commands::Command;
use kinescope::session::{Action, Session};
use kinescope::tools::export;
use kinescope_ik::rig::ModelPose;
use kinescope_ik::rig::import::{Source, import};
use serde_json::{Value, json};

use crate::common::files::Folder;
use crate::common::gltf::{Glb, is_valid};
use crate::common::program::{kinescope, text};
use crate::common::{self, PATIENCE};

const BIPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/biped.glb");
const PRESET: &str = r#"{ "format": "kinescope-preset", "version": 1 }"#;

impl Folder {
    fn solve(&self, model: impl AsRef<Path>, out: &str) -> String {
        done(&["solve".as_ref(), model.as_ref(), "--out".as_ref(), self.path(out).as_ref()])
    }

    fn bake(&self, model: impl AsRef<Path>, clip: &str, out: &str) -> String {
        let preset = self.write("preset.json", PRESET);
        let (rest, out) = (["--preset", &preset, "--clip", clip, "--fps", "12", "--out"], self.path(out));
        let rest = rest.into_iter().chain([out.as_str()]).map(Path::new);
        done(&[Path::new("bake"), model.as_ref()].into_iter().chain(rest).collect::<Vec<_>>())
    }
}

fn done(arguments: &[&Path]) -> String {
    let output = kinescope(arguments);
    let warnings = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {warnings}");
    warnings
}

fn glb(path: impl AsRef<Path>) -> Glb {
    Glb::read(&std::fs::read(path).unwrap())
}

#[test]
fn the_mannequin_and_files_made_of_it_are_valid() {
    let folder = Folder::new("mannequin");
    let biped = BIPED;
    assert_eq!(folder.solve(biped, "pose.glb"), "");
    let mut files = vec![biped.to_owned(), folder.path("pose.glb")];
    for clip in ["idle", "walk", "run", "reach", "lean"] {
        let out = format!("{clip}.glb");
        assert_eq!(folder.bake(biped, clip, &out), "");
        files.push(folder.path(&out));
    }
    is_valid(&files);
}

#[test]
fn files_written_by_the_window_are_valid() {
    let folder = Folder::new("window");
    let mut session = Session::new(Character::built_in().unwrap());
    session.update(0.0);
    session.apply(Action::File(Command::ExportPose, folder.path("pose.glb").into()));
    session.apply(Action::Clip(Some(session.world.character.find_clip("walk").unwrap())));
    session.apply(Action::File(Command::BakeClip, folder.path("walk.glb").into()));
    crate::common::session::finish_baking(&mut session);
    let notice = session.window.notice.as_ref().unwrap();
    assert!(!notice.is_error && notice.text.contains("Exported clip"), "{}", notice.text);
    is_valid(&[folder.path("pose.glb"), folder.path("walk.glb")]);

    let mut broken = glb(Path::new(BIPED));
    broken.root["images"] = json!([{ "uri": "gone.png" }]);
    session.apply(Action::File(Command::OpenModel, folder.write("broken.glb", broken.write()).into()));
    session.wait_for_opening(PATIENCE);
    session.update(0.0);
    session.apply(Action::File(Command::ExportPose, folder.path("mended.glb").into()));
    let notice = session.window.notice.as_ref().unwrap();
    let is_reported =
        notice.is_error && ["Exported pose", "image 0", "gone.png"].iter().all(|word| notice.text.contains(word));
    assert!(is_reported, "{}", notice.text);
    is_valid(&[folder.path("mended.glb")]);

    // Image files outside the model's folder are reported as well, even if no texture uses them.
    let pixel = image::DynamicImage::new_rgb8(1, 1);
    for name in ["textures/skin.png", "textures/eyes.png"] {
        let mut png = std::io::Cursor::new(Vec::new());
        pixel.write_to(&mut png, image::ImageFormat::Png).unwrap();
        folder.write(name, png.into_inner());
    }
    let mut outside = glb(Path::new(BIPED));
    outside.root["images"] = json!([{ "uri": "../textures/skin.png" }]);
    session.apply(Action::File(Command::OpenModel, folder.write("model/outside.glb", outside.write()).into()));
    session.wait_for_opening(PATIENCE);
    session.update(0.0);
    let walk = session.world.character.find_clip("walk").unwrap();
    session.apply(Action::Clip(Some(walk)));
    let (pose, clip) = (folder.path("pose.glb"), folder.path("walk.glb"));
    for action in [Action::File(Command::ExportPose, pose.into()), Action::File(Command::BakeClip, clip.into())] {
        session.apply(action);
        let notice = session.window.notice.as_ref().unwrap();
        let words = ["lies outside the model's folder", "skin.png", "contains a copy"];
        assert!(notice.is_error && words.iter().all(|word| notice.text.contains(word)), "{}", notice.text);
    }
    session.apply(Action::File(Command::ExportPose, folder.path("pose.json").into()));
    let notice = session.window.notice.as_ref().unwrap();
    assert!(!notice.is_error && notice.text.contains("Exported pose"), "{}", notice.text);
    outside.root["images"] = json!([{ "uri": "../textures/skin.png" }, { "uri": "../textures/eyes.png" }]);
    session.apply(Action::File(Command::OpenModel, folder.write("model/outside.glb", outside.write()).into()));
    session.wait_for_opening(PATIENCE);
    session.update(0.0);
    session.apply(Action::File(Command::ExportPose, folder.path("pose.glb").into()));
    let notice = session.window.notice.as_ref().unwrap();
    assert!(notice.is_error && notice.text.contains("and so do 1 more"), "{}", notice.text);
    is_valid(&[folder.path("pose.glb"), folder.path("walk.glb")]);
}

#[test]
fn a_character_without_a_mesh_is_valid() {
    let folder = Folder::new("bones");
    let own = Character::built_in().unwrap();
    let skeleton = &own.model.skeleton;
    let rest = ModelPose::from_local(skeleton, &own.rest);
    let biped = own.detection.biped.clone().unwrap();
    let bones = Character::from_bones("bones", skeleton, Some(biped), &own.detection.reference.bones, None, &rest);
    let mut pose = bones.rest.clone();
    own.model.clips[1].sample(0.4, &mut pose);
    let written = export::pose_glb(&bones, &pose).unwrap();
    assert_eq!(written.lost(), None);
    let file = folder.write("bones.glb", &written.bytes);
    let read = import("bones.glb", &written.bytes, &mut |uri| Err(uri.to_owned())).unwrap();
    assert_eq!(read.skeleton.len(), skeleton.len());
    for (read, like) in read.skeleton.bones().iter().zip(&pose.bones) {
        assert!(read.rest.translation.distance(like.translation) < 1e-6, "{}", read.name);
        assert!(read.rest.rotation.dot(like.rotation).abs() > 1.0 - 1e-6, "{}", read.name);
    }
    is_valid(&[file]);
}

#[test]
fn files_made_of_shared_models_are_valid() {
    let Some(models) = common::shared("models") else { return };
    let folder = Folder::new("workshop");
    let mut files = Vec::new();
    let mut paths: Vec<_> = std::fs::read_dir(models).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if ![".glb", ".gltf", ".vrm"].iter().any(|end| name.ends_with(end)) {
            continue;
        }
        let character = Character::load(path.as_ref()).unwrap();
        let mut warnings = String::new();
        if character.rig.full_body.is_ok() {
            warnings += &folder.solve(&path, &format!("{name}.pose.glb"));
            files.push(folder.path(&format!("{name}.pose.glb")));
            let clips = character.model.clips.iter().filter(|clip| clip.duration > 0.0);
            for (number, clip) in clips.take(3).enumerate() {
                let out = format!("{name}.{number}.glb");
                warnings += &folder.bake(&path, &clip.name, &out);
                files.push(folder.path(&out));
            }
        }
        // Only models whose images are missing cause warnings.
        let lacks = character.model.notes.iter().any(|note| note.contains("image"));
        assert_eq!(!warnings.is_empty(), lacks, "{name}: {warnings}");
    }
    is_valid(&files);
}

/// Returns the mannequin with parts that Kinescope keeps but does not use, such as morph targets, extras, extensions,
/// an animated lamp, a camera and a normal map.
fn rich() -> Glb {
    let mut glb = glb(Path::new(BIPED));
    let count = glb.root["accessors"][0]["count"].as_u64().unwrap() as usize;
    let mut rise = vec![0.0; count * 3];
    rise[1] = 0.25;
    let raised = glb.accessor("VEC3", count, &rise);
    glb.root["accessors"][raised]["min"] = json!([0.0, 0.0, 0.0]);
    glb.root["accessors"][raised]["max"] = json!([0.0, 0.25, 0.0]);
    let indices = glb.view([3u16, 0].into_iter().flat_map(u16::to_le_bytes).take(2));
    let values = glb.view([0.5f32, 0.0, 0.0].into_iter().flat_map(f32::to_le_bytes));
    let sparse = glb.push(
        "/accessors",
        json!({
            "componentType": 5126, "count": count, "type": "VEC3", "min": [0.0, 0.0, 0.0], "max": [0.5, 0.0, 0.0],
            "sparse": {
                "count": 1,
                "indices": { "bufferView": indices, "componentType": 5123 },
                "values": { "bufferView": values },
            },
        }),
    );
    let uvs = glb.accessor("VEC2", count, &vec![0.5; count * 2]);
    let mesh = &mut glb.root["meshes"][0];
    mesh["weights"] = json!([0.25, 0.0]);
    mesh["extras"] = json!({ "targetNames": ["rise", "shift"] });
    mesh["primitives"][0]["targets"] = json!([{ "POSITION": raised }, { "POSITION": sparse }]);
    mesh["primitives"][0]["attributes"]["TEXCOORD_0"] = json!(uvs);
    mesh["primitives"][0]["attributes"]["TEXCOORD_1"] = json!(uvs);

    let mut png = std::io::Cursor::new(Vec::new());
    image::RgbaImage::from_pixel(4, 4, image::Rgba([128, 128, 255, 255]))
        .write_to(&mut png, image::ImageFormat::Png)
        .unwrap();
    let picture = glb.view(png.into_inner());
    glb.root["images"] = json!([{ "bufferView": picture, "mimeType": "image/png", "extras": { "by": "hand" } }]);
    glb.root["samplers"] = json!([{ "wrapS": 33071 }]);
    glb.root["textures"] = json!([{ "source": 0, "sampler": 0 }]);
    let material = &mut glb.root["materials"][0];
    material["normalTexture"] = json!({ "index": 0, "texCoord": 1, "scale": 0.5 });
    material["emissiveFactor"] = json!([0.1, 0.2, 0.3]);
    material["extras"] = json!({ "shader": "skin" });

    let lamp = glb.push(
        "/nodes",
        json!({
            "name": "lamp", "camera": 0, "extras": [1, 2],
            "extensions": { "KHR_lights_punctual": { "light": 0 }, "ACME_lamp": { "watts": 60 } },
        }),
    );
    glb.push("/scenes/0/nodes", json!(lamp));
    glb.root["cameras"] = json!([{ "type": "perspective", "perspective": { "yfov": 0.7, "znear": 0.1 } }]);
    glb.root["extensions"] = json!({ "KHR_lights_punctual": { "lights": [{ "type": "point" }] } });
    glb.root["extensionsUsed"] = json!(["KHR_lights_punctual", "ACME_lamp"]);
    glb.root["extras"] = json!({ "project": "rich", "empty": [] });
    glb.root["asset"]["copyright"] = json!("nobody");
    glb.root["asset"]["extras"] = json!({ "version": 7 });
    glb.root["scenes"][0]["extras"] = json!({ "mood": "grey" });
    glb.root["nodes"][3]["extras"] = json!({ "rig": true });
    glb.root["skins"][0]["extras"] = json!({ "joints": "all" });

    let times = glb.accessor("SCALAR", 2, &[0.0, 0.5]);
    glb.root["accessors"][times]["min"] = json!([0.0]);
    glb.root["accessors"][times]["max"] = json!([0.5]);
    let weights = glb.accessor("SCALAR", 4, &[0.0, 0.0, 1.0, 0.5]);
    let ways = glb.accessor("VEC3", 2, &[0.0, 0.0, 0.0, 0.0, 2.0, 0.0]);
    let own = glb.list("nodes").iter().position(|node| !node["mesh"].is_null()).unwrap();
    let walk = animation(&glb, "walk");
    for (output, node, path) in [(weights, own, "weights"), (ways, lamp, "translation")] {
        let place = format!("/animations/{walk}");
        let sampler = glb.push(&format!("{place}/samplers"), json!({ "input": times, "output": output }));
        let target = json!({ "node": node, "path": path });
        glb.push(&format!("{place}/channels"), json!({ "sampler": sampler, "target": target, "extras": "mine" }));
    }
    glb.root["animations"][walk]["extras"] = json!({ "gait": "slow" });
    let smile = json!({
        "name": "smile",
        "samplers": [{ "input": times, "output": weights, "interpolation": "STEP" }],
        "channels": [{ "sampler": 0, "target": { "node": own, "path": "weights" } }],
    });
    glb.push("/animations", smile);
    glb
}

fn animation(glb: &Glb, name: &str) -> usize {
    glb.list("animations").iter().position(|animation| animation["name"] == name).unwrap()
}

/// Checks that the output has everything of the file at the same place, except the generator, the list of buffers and
/// what `may_differ` names. Accessors, views and bytes may be longer.
fn is_kept(before: &Glb, after: &Glb, may_differ: &[&str]) {
    assert_eq!(after.bytes[..before.bytes.len()], before.bytes[..], "the bytes");
    for (key, value) in before.root.as_object().unwrap().iter().filter(|(key, _)| !may_differ.contains(&key.as_str())) {
        let found = &after.root[key];
        match key.as_str() {
            "buffers" => {}
            "accessors" | "bufferViews" => {
                let list = value.as_array().unwrap();
                assert_eq!(found.as_array().unwrap()[..list.len()], list[..], "{key}");
            }
            "asset" => {
                let mut found = found.clone();
                assert_eq!(found["generator"], "kinescope");
                found["generator"] = value["generator"].clone();
                assert_eq!(&found, value);
            }
            _ => assert_eq!(found, value, "{key}"),
        }
    }
}

#[test]
fn morph_targets_extras_and_other_animations_are_kept() {
    let folder = Folder::new("rich");
    let before = rich();
    let model = folder.write("rich.glb", before.write());
    is_valid(&[&model]);

    assert_eq!(folder.solve(&model, "pose.glb"), "");
    let after = glb(folder.path("pose.glb"));
    is_kept(&before, &after, &["nodes"]);
    let without = |node: &Value| {
        let mut node = node.clone();
        ["translation", "rotation", "scale"].iter().for_each(|key| drop(node.as_object_mut().unwrap().remove(*key)));
        node
    };
    let nodes = |glb: &Glb| glb.list("nodes").iter().map(without).collect::<Vec<_>>();
    assert_eq!(nodes(&before), nodes(&after));

    let walk = animation(&before, "walk");
    assert_eq!(folder.bake(&model, "walk", "walk.glb"), "");
    let after = glb(folder.path("walk.glb"));
    is_kept(&before, &after, &["animations"]);
    assert_eq!(before.list("animations").len(), after.list("animations").len());
    for (at, (before, after)) in before.list("animations").iter().zip(after.list("animations")).enumerate() {
        if at != walk {
            assert_eq!(before, after);
            continue;
        }
        assert_eq!((&after["name"], &after["extras"]), (&before["name"], &before["extras"]));
        let keys = |animation: &Value, channel: &Value| {
            let sampler = &animation["samplers"][channel["sampler"].as_u64().unwrap() as usize];
            (channel["target"].clone(), channel["extras"].clone(), sampler.clone())
        };
        let others = |animation: &Value| {
            let channels = animation["channels"].as_array().unwrap().iter();
            channels
                .filter(|channel| channel["extras"] == "mine")
                .map(|channel| keys(animation, channel))
                .collect::<Vec<_>>()
        };
        assert_eq!(others(before).len(), 2);
        assert_eq!(others(before), others(after));
        let moved = after["channels"].as_array().unwrap().len();
        assert!(moved > 20, "the bones are moved too");
    }
    is_valid(&[folder.path("pose.glb"), folder.path("walk.glb")]);
}

#[test]
fn buffers_and_pictures_beside_the_model_are_embedded() {
    let folder = Folder::new("beside");
    let mut model = rich();
    let (at, length) = {
        let view = &model.root["bufferViews"][model.root["images"][0]["bufferView"].as_u64().unwrap() as usize];
        (view["byteOffset"].as_u64().unwrap() as usize, view["byteLength"].as_u64().unwrap() as usize)
    };
    folder.write("a normal.png", &model.bytes[at..at + length]);
    folder.write("rich.bin", &model.bytes);
    model.root["images"] = json!([{ "uri": "a%20normal.png" }]);
    model.root["buffers"] = json!([{ "uri": "rich.bin", "byteLength": model.bytes.len() }]);
    let path = folder.write("rich.gltf", model.root.to_string());
    assert_eq!(folder.solve(&path, "pose.glb"), "");
    assert_eq!(folder.bake(&path, "walk", "walk.glb"), "");
    for name in ["pose.glb", "walk.glb"] {
        let after = glb(folder.path(name));
        assert_eq!((after.list("buffers").len(), &after.root["images"][0]["uri"]), (1, &Value::Null));
        assert_eq!(after.root["images"][0]["mimeType"], "image/png");
        is_kept(&model, &after, &["nodes", "animations", "images"]);
    }
    is_valid(&[folder.path("pose.glb"), folder.path("walk.glb")]);
}

/// A change to the file of the rich mannequin. Most changes make the file invalid.
type Break = fn(&mut Glb);

fn put(glb: &mut Glb, accessor: &Value, first: usize, values: &[f32]) {
    let at = glb.place(accessor) + first * 4;
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    glb.bytes[at..at + bytes.len()].copy_from_slice(&bytes);
}

fn attribute(glb: &Glb, name: &str) -> Value {
    glb.root["meshes"][0]["primitives"][0]["attributes"][name].clone()
}

fn output(glb: &Glb, path: &str) -> Value {
    let animation = &glb.root["animations"][animation(glb, "idle")];
    let channel = animation["channels"].as_array().unwrap().iter().find(|c| c["target"]["path"] == path).unwrap();
    animation["samplers"][channel["sampler"].as_u64().unwrap() as usize]["output"].clone()
}

#[test]
fn invalid_parts_of_a_model_are_repaired_and_reported() {
    let over = 1.0f32.next_up();
    assert!(over > 1.0);
    let breaks: &[(&str, &str, Break)] = &[
        ("rotation", "rotations of nodes", |glb| {
            glb.root["nodes"][5]["rotation"] = json!([0.0, 0.0, 0.0, 1.0f32.next_up()]);
        }),
        ("zero", "rotations of nodes", |glb| glb.root["nodes"][7]["rotation"] = json!([0, 0, 0, 0])),
        ("bind", "inverse bind matrices", |glb| {
            let accessor = glb.root["skins"][0]["inverseBindMatrices"].clone();
            put(glb, &accessor, 15, &[0.999_999_9]);
        }),
        ("key", "rotation keys", |glb| {
            let accessor = output(glb, "rotation");
            put(glb, &accessor, 0, &[0.0, 0.0, 0.0, 1.25]);
        }),
        ("normal", "normals", |glb| {
            let accessor = attribute(glb, "NORMAL");
            put(glb, &accessor, 30, &[0.0, 3.0, 0.0]);
        }),
        ("nan", "numbers", |glb| {
            let accessor = attribute(glb, "TEXCOORD_1");
            put(glb, &accessor, 8, &[f32::NAN, f32::INFINITY]);
        }),
        ("weight", "weights", |glb| {
            let accessor = attribute(glb, "WEIGHTS_0");
            put(glb, &accessor, 0, &[0.7, 0.1, 0.0, 0.0]);
        }),
        ("bounds", "bounds", |glb| {
            let accessor = attribute(glb, "POSITION").as_u64().unwrap() as usize;
            glb.root["accessors"][accessor]["max"] = json!([9.0, 9.0, 9.0]);
        }),
        ("image", "gone.png", |glb| glb.root["images"] = json!([{ "uri": "gone.png" }])),
        ("damaged", "image 0", |glb| {
            let view = glb.root["images"][0]["bufferView"].as_u64().unwrap() as usize;
            let at = glb.root["bufferViews"][view]["byteOffset"].as_u64().unwrap() as usize;
            glb.bytes[at..at + 8].fill(7);
        }),
        ("factor", "material 0", |glb| glb.root["materials"][0]["emissiveFactor"] = json!([0.1, 1.5, -0.3])),
        ("texture", "material 0", |glb| glb.root["materials"][0]["normalTexture"]["index"] = json!(9)),
        ("uv", "texture coordinates", |glb| {
            drop(glb.root["meshes"][0]["primitives"][0]["attributes"].as_object_mut().unwrap().remove("TEXCOORD_1"));
        }),
        ("extension", "ACME_lamp", |glb| glb.root["extensionsUsed"] = json!(["KHR_lights_punctual"])),
        ("scene", "scene 0", |glb| {
            glb.push("/scenes/0/nodes", json!(2));
        }),
        ("morphs", "weights and morph targets differ", |glb| glb.root["meshes"][0]["weights"] = json!([0.5])),
        ("skeleton", "skeleton", |glb| glb.root["skins"][0]["skeleton"] = json!(9)),
        ("twice", "another channel moves the same property", |glb| {
            let idle = animation(glb, "idle");
            let channel = glb.root["animations"][idle]["channels"][0].clone();
            glb.push(&format!("/animations/{idle}/channels"), channel);
        }),
        ("unaligned", "", |glb| {
            // The indices start at an odd byte.
            let accessor = glb.root["meshes"][0]["primitives"][0]["indices"].as_u64().unwrap() as usize;
            let view = glb.root["accessors"][accessor]["bufferView"].as_u64().unwrap() as usize;
            let number = |key: &str| glb.root["bufferViews"][view][key].as_u64().unwrap_or(0) as usize;
            let (at, length) = (number("byteOffset"), number("byteLength"));
            let bytes: Vec<u8> = [0].into_iter().chain(glb.bytes[at..at + length].iter().copied()).collect();
            let new = glb.view(bytes);
            glb.root["bufferViews"][new]["byteOffset"] =
                (glb.root["bufferViews"][new]["byteOffset"].as_u64().unwrap() + 1).into();
            glb.root["bufferViews"][new]["byteLength"] = length.into();
            glb.root["accessors"][accessor]["bufferView"] = new.into();
        }),
        ("matrix", "", |glb| {
            let node = &mut glb.root["nodes"][2];
            let own = node.as_object_mut().unwrap();
            ["translation", "rotation", "scale"].iter().for_each(|key| drop(own.remove(*key)));
            own.insert("matrix".to_owned(), json!([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.0, 0.1, 0.0, 1]));
        }),
    ];
    let folder = Folder::new("broken");
    let mut files = Vec::new();
    for (name, word, change) in breaks {
        let mut model = rich();
        change(&mut model);
        let path = folder.write(&format!("{name}.glb"), model.write());
        for warnings in
            [folder.solve(&path, &format!("{name}.pose.glb")), folder.bake(&path, "walk", &format!("{name}.walk.glb"))]
        {
            let is_reported = if word.is_empty() {
                warnings.is_empty()
            } else {
                warnings.contains("warning") && warnings.contains(word)
            };
            assert!(is_reported && warnings.trim_end().lines().count() <= 1, "{name}: {warnings}");
        }
        files.extend(["pose", "walk"].map(|kind| folder.path(&format!("{name}.{kind}.glb"))));
    }
    is_valid(&files);
}

#[test]
fn a_model_that_changed_since_it_was_opened_is_not_written() {
    let folder = Folder::new("changed");
    let mut model = glb(Path::new(BIPED));
    model.root["buffers"] = json!([{ "uri": "biped.bin", "byteLength": model.bytes.len() }]);
    folder.write("biped.bin", &model.bytes);
    let path = folder.write("biped.gltf", model.root.to_string());
    let character = Character::load(path.as_ref()).unwrap();
    assert!(export::pose_glb(&character, &character.rest).is_ok());
    let fails = |words: &[&str]| {
        let error = export::pose_glb(&character, &character.rest).err().unwrap();
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    };
    model.bytes[17] ^= 1;
    folder.write("biped.bin", &model.bytes);
    fails(&["biped.gltf", "biped.bin", "has changed", "Open it again"]);
    folder.write("biped.gltf", model.root.to_string() + " ");
    fails(&["biped.gltf", "has changed", "Open it again"]);
    std::fs::remove_file(&path).unwrap();
    fails(&["biped.gltf", "no such file"]);
}

/// Collects the places in a document as JSON pointers. Of a long list, collects only the first and last few entries.
fn places(value: &Value, place: String, found: &mut Vec<String>) {
    match value {
        Value::Array(list) => {
            for (at, value) in list.iter().enumerate().filter(|(at, _)| *at < 3 || at + 3 > list.len()) {
                places(value, format!("{place}/{at}"), found);
            }
        }
        Value::Object(object) => object.iter().for_each(|(key, value)| places(value, format!("{place}/{key}"), found)),
        _ => {}
    }
    found.push(place);
}

#[test]
fn any_change_to_a_model_is_written_validly_or_refused() {
    let model = rich();
    let mut found = Vec::new();
    places(&model.root, String::new(), &mut found);
    // The last place is the whole document.
    found.pop();
    let wrong =
        [json!(null), json!(-1), json!(1e30), json!(1_000_000), json!(0), json!("x"), json!([]), json!([7]), json!({})];
    let (mut written, mut refused) = (0, 0);
    for (number, place) in found.iter().enumerate() {
        let mut model = Glb { root: model.root.clone(), bytes: model.bytes.clone() };
        *model.root.pointer_mut(place).unwrap() = wrong[number % wrong.len()].clone();
        let bytes = model.write();
        let mut none = |uri: &str| Err(format!("no {uri}"));
        if import("x.glb", &bytes, &mut none).is_err() {
            refused += 1;
            continue;
        }
        if let Ok(source) = Source::read("x.glb", &bytes, &mut none) {
            let (bytes, _) = source.to_glb().unwrap();
            let again = import("x.glb", &bytes, &mut none);
            assert!(again.is_ok(), "{place}: {again:?}");
            written += 1;
        }
    }
    assert!(written > 100 && refused > 20, "{written} written, {refused} refused");
}
