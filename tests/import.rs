//! The importer and the rig doctor against real characters, and against files made to break them.
#![cfg(feature = "import")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use glam::{Quat, Vec3};
use kinescope::rig::{Detection, Mapping, Model, ModelPose, ReferenceChoice, Role, detect, import};
use serde_json::{Value, json};

const MODELS: [(&str, &str); 7] = [
    ("RiggedFigure.gltf", "riggedfigure_rest.json"),
    ("Superhero_Male_FullBody.glb", "superhero_male_fullbody_rest.json"),
    ("mpfb_mixamo.glb", "mpfb_mixamo_rest.json"),
    ("mannequiny.glb", "mannequiny_idle_root.001_rest.json"),
    ("Godette_vrm_v4.vrm", "godette_vrm_v4_rest.json"),
    ("debug_robot.vrm", "debug_robot_rest.json"),
    ("Male_Adult_01_assimp.glb", "male_adult_01_assimp_rest.json"),
];

/// The folder of shared test data; `None` (and a printed line) where it is absent.
fn shared() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    if folder.join("models").is_dir() {
        return Some(folder);
    }
    assert!(std::env::var("KINESCOPE_CI").as_deref() != Ok("1"), "the shared test data is missing");
    println!("skipped: the shared test data is not here");
    None
}

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn import_bytes(name: &str, bytes: &[u8], folder: &Path) -> Result<Model, String> {
    let mut read = |uri: &str| std::fs::read(folder.join(uri)).map_err(|error| error.to_string());
    import(name, bytes, &mut read).map_err(|error| {
        let line = error.to_string();
        assert!(!line.contains('\n') && line.starts_with(name), "{line}");
        line
    })
}

fn load(shared: &Path, file: &str) -> Model {
    let folder = shared.join("models");
    import_bytes(file, &std::fs::read(folder.join(file)).unwrap(), &folder).unwrap()
}

fn doctor(model: &Model) -> Detection {
    detect(model, &Mapping::default(), ReferenceChoice::Auto)
}

fn bone_names(model: &Model, detection: &Detection, role: Role) -> Vec<String> {
    let finding = detection.roles.iter().find(|finding| finding.role == role).unwrap();
    finding.bones.iter().map(|&bone| model.skeleton.bones()[bone].name.clone()).collect()
}

/// The ground truth's name(s) for a role, and what else is right.
fn expected(truth: &Value, role: Role) -> Vec<Vec<String>> {
    let key = role.key();
    let value = match key.split_once('_') {
        Some((side @ ("left" | "right"), part)) => &truth[side][part],
        _ => &truth[key],
    };
    let list = |value: &Value| -> Vec<String> {
        match value {
            Value::Array(list) => list.iter().map(|name| name.as_str().unwrap().to_owned()).collect(),
            Value::String(name) => vec![name.clone()],
            _ => Vec::new(),
        }
    };
    let mut all = vec![list(value)];
    if let Some(also) = truth.pointer(&format!("/accept/{key}")).and_then(Value::as_array) {
        all.extend(also.iter().map(list));
    }
    all
}

/// What of the ground truth the detection missed; empty if nothing.
fn misses(model: &Model, detection: &Detection, truth: &Value) -> Vec<String> {
    let mut misses = Vec::new();
    for role in Role::ALL {
        let (got, want) = (bone_names(model, detection, role), expected(truth, role));
        if !want.contains(&got) {
            misses.push(format!("{}: {got:?}, not {want:?}", role.key()));
        }
    }
    if detection.biped.is_none() {
        misses.push(format!("no biped: {:?}", detection.problems));
    }
    misses
}

fn axis(name: &Value) -> Vec3 {
    match name.as_str().unwrap() {
        "+X" => Vec3::X,
        "-X" => Vec3::NEG_X,
        "+Y" => Vec3::Y,
        "+Z" => Vec3::Z,
        "-Z" => Vec3::NEG_Z,
        other => panic!("{other}"),
    }
}

#[test]
fn every_role_of_every_real_character() {
    let Some(shared) = shared() else { return };
    let truth = read_json(&shared.join("models/ground_truth.json"));
    let mut wrong = Vec::new();
    for (file, _) in MODELS {
        let (model, truth) = (load(&shared, file), &truth[file]);
        let detection = doctor(&model);
        println!(
            "{file}: {} bones, height {}, {:?}, {}; notes {:?}; problems {:?}",
            model.skeleton.len(),
            detection.height,
            detection.reference_kind,
            detection.reference_reason,
            model.notes,
            detection.problems
        );
        wrong.extend(misses(&model, &detection, truth).into_iter().map(|miss| format!("{file}: {miss}")));
        let height = truth["mesh_height_world_units"].as_f64().unwrap() as f32;
        if (detection.height - height).abs() > height * 0.01 {
            wrong.push(format!("{file}: height {} not {height}", detection.height));
        }
        if detection.facing.dot(axis(&truth["forward"])) < 0.95 || detection.up != axis(&truth["up"]) {
            wrong.push(format!("{file}: facing {} up {}", detection.facing, detection.up));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn bones_and_poses_are_those_of_an_independent_importer() {
    let Some(shared) = shared() else { return };
    for (file, golden) in MODELS {
        let model = load(&shared, file);
        let detection = doctor(&model);
        let golden = read_json(&shared.join("golden").join(golden));
        let bones = golden["rig"]["bones"].as_array().unwrap();
        let name = |index: &Value| bones[index.as_u64().unwrap() as usize]["name"].as_str().unwrap().to_owned();
        let rest = ModelPose::from_local(&model.skeleton, &model.skeleton.rest_pose());
        let height = detection.height;
        let mut last = None;
        for bone in bones {
            let index = model.skeleton.find(bone["name"].as_str().unwrap());
            let index = index.unwrap_or_else(|| panic!("{file}: no bone {}", bone["name"]));
            assert!(last < Some(index), "{file}: {} is out of order", bone["name"]);
            last = Some(index);
            let parent = model.skeleton.parent(index).map(|parent| model.skeleton.bones()[parent].name.clone());
            let expected = (bone["parent"].as_i64().unwrap() >= 0).then(|| name(&bone["parent"]));
            assert_eq!(parent, expected, "{file}: {}", bone["name"]);
            let read = |key: &str| -> Vec<f32> {
                bone["reference"][key].as_array().unwrap().iter().map(|v| v.as_f64().unwrap() as f32).collect()
            };
            for pose in [&rest, &detection.reference] {
                let (position, rotation) = (Vec3::from_slice(&read("position")), Quat::from_slice(&read("rotation")));
                let got = pose.bones[index];
                let off = got.position.distance(position);
                assert!(off <= height * 1e-4, "{file}: {} is {off} off", bone["name"]);
                // By the vector part, in doubles: an arc cosine near 1 knows no small angles.
                let turn = got.rotation.as_dquat().normalize().conjugate() * rotation.as_dquat().normalize();
                let off = 2.0 * turn.xyz().length().min(1.0).asin().to_degrees();
                assert!(off <= 0.05, "{file}: {} is turned by {off}°", bone["name"]);
            }
        }
        // Without skins the golden rig holds only what the solver uses; fingers and toes are bones as well.
        if file != "debug_robot.vrm" {
            assert_eq!(model.skeleton.len(), bones.len(), "{file}");
        }
        let biped = detection.biped.unwrap();
        let golden = &golden["rig"]["biped"];
        for role in Role::ALL {
            let got: Vec<String> =
                biped.bones_of(role).into_iter().map(|bone| model.skeleton.bones()[bone].name.clone()).collect();
            let want: Vec<String> = match &golden[role.key()] {
                Value::Array(list) => list.iter().map(name).collect(),
                Value::Null => Vec::new(),
                one => vec![name(one)],
            };
            assert_eq!(got, want, "{file}: {}", role.key());
        }
        assert_eq!(model.skeleton.bones()[biped.root_node].name, name(&golden["root_node"]), "{file}");
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Real characters, changed.

/// JSON and binary chunk of a shared model.
fn parts(shared: &Path, file: &str) -> (Value, Vec<u8>) {
    let bytes = std::fs::read(shared.join("models").join(file)).unwrap();
    if !bytes.starts_with(b"glTF") {
        return (serde_json::from_slice(&bytes).unwrap(), Vec::new());
    }
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let binary = bytes.get(20 + length + 8..).unwrap_or(&[]).to_vec();
    (serde_json::from_slice(&bytes[20..20 + length]).unwrap(), binary)
}

fn glb(json: &Value, binary: &[u8]) -> Vec<u8> {
    let mut text = serde_json::to_vec(json).unwrap();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut out = b"glTF".to_vec();
    let chunk = if binary.is_empty() { 0 } else { 8 + binary.len() };
    out.extend(2u32.to_le_bytes());
    out.extend(((20 + text.len() + chunk) as u32).to_le_bytes());
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(b"JSON");
    out.extend(&text);
    if !binary.is_empty() {
        out.extend((binary.len() as u32).to_le_bytes());
        out.extend(b"BIN\0");
        out.extend(binary);
    }
    out
}

/// Wraps the scene's roots in one more node with this transform.
fn wrap(json: &mut Value, transform: Value) {
    let nodes = json["nodes"].as_array_mut().unwrap();
    let index = nodes.len();
    let mut node = transform;
    let scene = json["scene"].as_u64().unwrap_or(0) as usize;
    node["children"] = json["scenes"][scene]["nodes"].clone();
    json["nodes"].as_array_mut().unwrap().push(node);
    json["scenes"][scene]["nodes"] = json!([index]);
}

/// The truth with every name replaced by what a nameless file calls the node.
fn nameless_truth(truth: &Value) -> Value {
    let mut out = json!({});
    let of = |value: &Value| match value {
        Value::Number(index) => json!(format!("node {index}")),
        Value::Array(list) => list.iter().map(|index| json!(format!("node {index}"))).collect(),
        _ => Value::Null,
    };
    for (key, value) in truth["indices"].as_object().unwrap() {
        out[key] = match value {
            Value::Object(side) => side.iter().map(|(part, index)| (part.clone(), of(index))).collect::<serde_json::Map<_, _>>().into(),
            other => of(other),
        };
    }
    out
}

fn changed(shared: &Path, file: &str, change: impl Fn(&mut Value)) -> Model {
    let (mut json, binary) = parts(shared, file);
    change(&mut json);
    import_bytes(file, &glb(&json, &binary), &shared.join("models")).unwrap()
}

fn strip_names(json: &mut Value) {
    for node in json["nodes"].as_array_mut().unwrap() {
        node.as_object_mut().unwrap().remove("name");
    }
}

#[test]
fn without_any_names() {
    let Some(shared) = shared() else { return };
    let truth = read_json(&shared.join("models/ground_truth.json"));
    let mut wrong = Vec::new();
    for (file, _) in MODELS {
        for keep_map in [true, false] {
            let model = changed(&shared, file, |json| {
                strip_names(json);
                if !keep_map {
                    json.as_object_mut().unwrap().remove("extensions");
                }
            });
            let detection = doctor(&model);
            let found = misses(&model, &detection, &nameless_truth(&truth[file]));
            wrong.extend(found.into_iter().map(|miss| format!("{file} (map {keep_map}): {miss}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn names_without_the_files_map() {
    let Some(shared) = shared() else { return };
    let truth = read_json(&shared.join("models/ground_truth.json"));
    for file in ["Godette_vrm_v4.vrm", "debug_robot.vrm"] {
        let model = changed(&shared, file, |json| {
            json.as_object_mut().unwrap().remove("extensions");
        });
        let found = misses(&model, &doctor(&model), &truth[file]);
        assert!(found.is_empty(), "{file}: {}", found.join("\n"));
    }
}

#[test]
fn names_with_left_and_right_swapped() {
    let Some(shared) = shared() else { return };
    let truth = read_json(&shared.join("models/ground_truth.json"));
    for (file, _) in MODELS {
        let truth = &truth[file];
        let swap = |json: &mut Value| {
            json.as_object_mut().unwrap().remove("extensions");
            // The names of the roles trade places, node by node.
            for part in ["clavicle", "upper_arm", "forearm", "hand", "thigh", "calf", "foot", "toe"] {
                let [a, b] = ["left", "right"].map(|side| truth["indices"][side][part].as_u64().map(|index| index as usize));
                if let (Some(a), Some(b)) = (a, b) {
                    let name = json["nodes"][a]["name"].take();
                    json["nodes"][a]["name"] = json["nodes"][b]["name"].take();
                    json["nodes"][b]["name"] = name;
                }
            }
        };
        let mut swapped = truth.clone();
        (swapped["left"], swapped["right"]) = (truth["right"].clone(), truth["left"].clone());
        let model = changed(&shared, file, swap);
        let detection = doctor(&model);
        let found = misses(&model, &detection, &swapped);
        assert!(found.is_empty(), "{file}: {}", found.join("\n"));
        assert!(detection.problems.iter().any(|problem| problem.contains("names say left")), "{file}");
    }
}

#[test]
fn turned_and_scaled() {
    let Some(shared) = shared() else { return };
    let truth = read_json(&shared.join("models/ground_truth.json"));
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let mut wrong = Vec::new();
    for (file, _) in MODELS {
        let truth = &truth[file];
        let height = truth["mesh_height_world_units"].as_f64().unwrap() as f32;
        for (label, transform, turn, scale) in [
            ("to the side", json!({"rotation": [0, half, 0, half]}), Quat::from_rotation_y(90f32.to_radians()), 1.0),
            ("half round", json!({"rotation": [0, 1, 0, 0]}), Quat::from_rotation_y(180f32.to_radians()), 1.0),
            ("small", json!({"scale": [0.01, 0.01, 0.01]}), Quat::IDENTITY, 0.01),
            ("a third", json!({"scale": [0.3, 0.3, 0.3]}), Quat::IDENTITY, 0.3),
            ("large", json!({"scale": [100, 100, 100]}), Quat::IDENTITY, 100.0),
        ] {
            for nameless in [false, true] {
                let model = changed(&shared, file, |json| {
                    json.as_object_mut().unwrap().remove("extensions");
                    if nameless {
                        strip_names(json);
                    }
                    // Skinned meshes ignore their own nodes, so wrapping everything moves the whole character.
                    wrap(json, transform.clone());
                });
                let detection = doctor(&model);
                let truth_here = if nameless { nameless_truth(truth) } else { truth.clone() };
                let place = format!("{file}, {label}, nameless {nameless}");
                wrong.extend(misses(&model, &detection, &truth_here).into_iter().map(|miss| format!("{place}: {miss}")));
                if (turn * axis(&truth["forward"])).dot(detection.facing) < 0.95 {
                    wrong.push(format!("{place}: facing {}", detection.facing));
                }
                let off = (detection.height / (height * scale) - 1.0).abs();
                if off > 0.01 {
                    wrong.push(format!("{place}: height {}", detection.height));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
