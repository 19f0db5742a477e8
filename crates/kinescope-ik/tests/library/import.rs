//! Import of glTF and detection of bipeds: real characters, the same changed, synthetic ones, and files built to break
//! the reader.

use std::path::Path;
use std::time::Duration;

use glam::{Quat, Vec3};
use kinescope_ik::rig::{Mapping, Model, ModelPose, ReferenceChoice, Role, detect};
use serde_json::{Value, json};

use crate::common::figure::*;
use crate::common::{processor_time, shared};

const MODELS: [(&str, &str); 7] = [
    ("RiggedFigure.gltf", "riggedfigure_rest.json"),
    ("Superhero_Male_FullBody.glb", "superhero_male_fullbody_rest.json"),
    ("mpfb_mixamo.glb", "mpfb_mixamo_rest.json"),
    ("mannequiny.glb", "mannequiny_idle_root.001_rest.json"),
    ("Godette_vrm_v4.vrm", "godette_vrm_v4_rest.json"),
    ("debug_robot.vrm", "debug_robot_rest.json"),
    ("Male_Adult_01_assimp.glb", "male_adult_01_assimp_rest.json"),
];

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn load(shared: &Path, file: &str) -> Model {
    let folder = shared.join("models");
    import_bytes(file, &std::fs::read(folder.join(file)).unwrap(), &folder).unwrap()
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
    let Some(shared) = shared("") else { return };
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
    let Some(shared) = shared("") else { return };
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
                // By the vector part, in doubles: an arc cosine near 1 loses small angles.
                let turn = got.rotation.as_dquat().normalize().conjugate() * rotation.as_dquat().normalize();
                let off = 2.0 * turn.xyz().length().min(1.0).asin().to_degrees();
                assert!(off <= 0.05, "{file}: {} is turned by {off}°", bone["name"]);
            }
        }
        // Without skins, the golden rig has only the solver's bones; the file has fingers and toes too.
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

/// The golden rigs' animated poses are frames of the file's clips; the rigs do not name the frame.
#[test]
fn clips_move_the_bones_as_an_independent_importer_has_them() {
    let Some(shared) = shared("") else { return };
    let model = load(&shared, "mannequiny.glb");
    for clip_name in ["run_root.001", "idle_root.001"] {
        let golden = read_json(&shared.join(format!("golden/mannequiny_{clip_name}_rest.json")));
        let clip = model.clips.iter().find(|clip| clip.name == clip_name).unwrap();
        let bones: Vec<(usize, Vec3)> = golden["rig"]["bones"]
            .as_array()
            .unwrap()
            .iter()
            .map(|bone| {
                let position = bone["animated"]["position"].as_array().unwrap();
                let position: Vec<f32> = position.iter().map(|value| value.as_f64().unwrap() as f32).collect();
                (model.skeleton.find(bone["name"].as_str().unwrap()).unwrap(), Vec3::from_slice(&position))
            })
            .collect();
        let off = |time: f32| {
            let mut pose = model.skeleton.rest_pose();
            clip.sample(time, &mut pose);
            let pose = ModelPose::from_local(&model.skeleton, &pose);
            bones.iter().map(|&(bone, position)| pose.position(bone).distance(position)).fold(0.0, f32::max)
        };
        // A fine search around the best result of a coarse one.
        let steps = |from: f32, to: f32| (0..=600).map(move |step| from + (to - from) * step as f32 / 600.0);
        let best = |from, to| steps(from, to).min_by(|&a, &b| off(a).total_cmp(&off(b))).unwrap();
        let coarse = best(0.0, clip.duration);
        let fine = best(coarse - clip.duration / 600.0, coarse + clip.duration / 600.0);
        println!("{clip_name}: {} off at {fine} s of {}", off(fine), clip.duration);
        assert!(off(fine) < 1e-3, "{clip_name}: {} off at {fine} s", off(fine));
    }
}

/// Returns JSON and binary chunk of a shared model; the chunk is empty for a .gltf.
fn parts(shared: &Path, file: &str) -> (Value, Vec<u8>) {
    let bytes = std::fs::read(shared.join("models").join(file)).unwrap();
    if !bytes.starts_with(b"glTF") {
        return (serde_json::from_slice(&bytes).unwrap(), Vec::new());
    }
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let binary = bytes.get(20 + length + 8..).unwrap_or(&[]).to_vec();
    (serde_json::from_slice(&bytes[20..20 + length]).unwrap(), binary)
}

fn wrap(json: &mut Value, transform: Value) {
    let nodes = json["nodes"].as_array_mut().unwrap();
    let index = nodes.len();
    let mut node = transform;
    let scene = json["scene"].as_u64().unwrap_or(0) as usize;
    node["children"] = json["scenes"][scene]["nodes"].clone();
    json["nodes"].as_array_mut().unwrap().push(node);
    json["scenes"][scene]["nodes"] = json!([index]);
}

fn nameless_truth(truth: &Value) -> Value {
    let mut out = json!({});
    let of = |value: &Value| match value {
        Value::Number(index) => json!(format!("node {index}")),
        Value::Array(list) => list.iter().map(|index| json!(format!("node {index}"))).collect(),
        _ => Value::Null,
    };
    for (key, value) in truth["indices"].as_object().unwrap() {
        out[key] = match value {
            Value::Object(side) => {
                side.iter().map(|(part, index)| (part.clone(), of(index))).collect::<serde_json::Map<_, _>>().into()
            }
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

#[test]
fn without_any_names() {
    let Some(shared) = shared("") else { return };
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
    let Some(shared) = shared("") else { return };
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
    let Some(shared) = shared("") else { return };
    let truth = read_json(&shared.join("models/ground_truth.json"));
    for (file, _) in MODELS {
        let truth = &truth[file];
        let swap = |json: &mut Value| {
            json.as_object_mut().unwrap().remove("extensions");
            for part in ["clavicle", "upper_arm", "forearm", "hand", "thigh", "calf", "foot", "toe"] {
                let [a, b] =
                    ["left", "right"].map(|side| truth["indices"][side][part].as_u64().map(|index| index as usize));
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
        assert!(detection.problems.iter().any(|problem| problem.contains("names contradict the body")), "{file}");
    }
}

#[test]
fn turned_and_scaled() {
    let Some(shared) = shared("") else { return };
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
                wrong
                    .extend(misses(&model, &detection, &truth_here).into_iter().map(|miss| format!("{place}: {miss}")));
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

/// Feet, hands or both, moved from their limbs to the root, or made roots.
#[test]
fn with_feet_and_hands_elsewhere() {
    let Some(shared) = shared("") else { return };
    let truth = read_json(&shared.join("models/ground_truth.json"));
    let mut wrong = Vec::new();
    for (file, _) in MODELS {
        let truth = &truth[file];
        let original = load(&shared, file);
        let rest = ModelPose::from_local(&original.skeleton, &original.skeleton.rest_pose());
        for (parts, under_root, nameless) in [
            (&["foot"][..], true, false),
            (&["foot"], true, true),
            (&["foot"], false, true),
            (&["hand"], true, false),
            (&["foot", "hand"], true, true),
        ] {
            let model = changed(&shared, file, |json| {
                json.as_object_mut().unwrap().remove("extensions");
                if under_root {
                    wrap(json, json!({"name": "Root"}));
                }
                let root = json["nodes"].as_array().unwrap().len() - 1;
                for (side, part) in ["left", "right"].iter().flat_map(|side| parts.iter().map(move |part| (side, part)))
                {
                    let node = truth["indices"][side][part].as_u64().unwrap() as usize;
                    let name = truth[side][part].as_str().unwrap();
                    let bone = original.skeleton.find(name).unwrap();
                    for other in json["nodes"].as_array_mut().unwrap() {
                        if let Some(children) = other.get_mut("children").and_then(Value::as_array_mut) {
                            children.retain(|child| child.as_u64() != Some(node as u64));
                            if children.is_empty() {
                                other.as_object_mut().unwrap().remove("children");
                            }
                        }
                    }
                    let moved = json["nodes"][node].as_object_mut().unwrap();
                    ["translation", "rotation", "scale"].iter().for_each(|key| _ = moved.remove(*key));
                    moved.insert("matrix".to_owned(), json!(rest.model_from_bone(bone).to_cols_array()));
                    if under_root {
                        json["nodes"][root]["children"].as_array_mut().unwrap().push(json!(node));
                    } else {
                        let scene = json["scene"].as_u64().unwrap_or(0) as usize;
                        json["scenes"][scene]["nodes"].as_array_mut().unwrap().push(json!(node));
                    }
                }
                if nameless {
                    strip_names(json);
                }
            });
            let truth = if nameless { nameless_truth(truth) } else { truth.clone() };
            let label = format!("{file}, {parts:?}, under the root {under_root}, nameless {nameless}");
            wrong.extend(misses(&model, &doctor(&model), &truth).into_iter().map(|miss| format!("{label}: {miss}")));
        }
    }
    assert!(wrong.is_empty(), "{} faults\n{}", wrong.len(), wrong.join("\n"));
}

/// A hip at the position of each thigh, and an arm at the position of each upper arm.
#[test]
fn with_joints_of_no_length() {
    let Some(shared) = shared("") else { return };
    let truth = read_json(&shared.join("models/ground_truth.json"));
    let mut wrong = Vec::new();
    for (file, _) in MODELS {
        let truth = &truth[file];
        for nameless in [false, true] {
            let model = changed(&shared, file, |json| {
                json.as_object_mut().unwrap().remove("extensions");
                for (side, part) in ["left", "right"].iter().flat_map(|side| [(side, "thigh"), (side, "upper_arm")]) {
                    let node = truth["indices"][side][part].as_u64().unwrap();
                    let nodes = json["nodes"].as_array_mut().unwrap();
                    let added = nodes.len();
                    let mut stand_in =
                        json!({"name": format!("{side} {}", if part == "thigh" { "hip" } else { "arm" })});
                    for key in ["translation", "rotation", "scale", "matrix"] {
                        if let Some(value) = nodes[node as usize].as_object_mut().unwrap().remove(key) {
                            stand_in[key] = value;
                        }
                    }
                    for other in nodes.iter_mut() {
                        for child in other.get_mut("children").and_then(Value::as_array_mut).into_iter().flatten() {
                            if child.as_u64() == Some(node) {
                                *child = json!(added);
                            }
                        }
                    }
                    stand_in["children"] = json!([node]);
                    nodes.push(stand_in);
                }
                if nameless {
                    strip_names(json);
                }
            });
            let truth = if nameless { nameless_truth(truth) } else { truth.clone() };
            let found = misses(&model, &doctor(&model), &truth);
            wrong.extend(found.into_iter().map(|miss| format!("{file}, nameless {nameless}: {miss}")));
        }
    }
    assert!(wrong.is_empty(), "{} faults\n{}", wrong.len(), wrong.join("\n"));
}

/// Checks a figure with its names, and without them: bones are then called `node N` by their index.
fn check_figure(label: &str, figure: &Figure, truth: &Value, wrong: &mut Vec<String>) {
    let model = figure.model();
    wrong.extend(misses(&model, &doctor(&model), truth).into_iter().map(|miss| format!("{label}: {miss}")));
    let mut json = figure.json();
    strip_names(&mut json);
    let nameless = import_json(&json).unwrap();
    let text = truth.to_string();
    let mut renamed: Value = serde_json::from_str(&text).unwrap();
    fn rename(value: &mut Value, figure: &Figure) {
        match value {
            Value::String(name) => *name = format!("node {}", figure.index(name)),
            Value::Array(list) => list.iter_mut().for_each(|value| rename(value, figure)),
            Value::Object(map) => map.values_mut().for_each(|value| rename(value, figure)),
            _ => {}
        }
    }
    rename(&mut renamed, figure);
    let detection = doctor(&nameless);
    wrong.extend(misses(&nameless, &detection, &renamed).into_iter().map(|miss| format!("{label}, nameless: {miss}")));
}

#[test]
fn hierarchies_that_are_not_anatomy() {
    let mut wrong = Vec::new();
    let truth = figure_truth();
    check_figure("plain", &Figure::new(), &truth, &mut wrong);
    let feet = Figure::new().hang("foot_l", "root").hang("foot_r", "root");
    check_figure("feet under the root", &feet, &truth, &mut wrong);
    let mut ended = feet.clone();
    ended.add("calf_end_l", "calf_l", [0.1, 0.09, -0.02]);
    ended.add("calf_end_r", "calf_r", [-0.1, 0.09, -0.02]);
    check_figure("feet under the root, calves with ends", &ended, &truth, &mut wrong);
    let hands = Figure::new().hang("hand_l", "root").hang("hand_r", "root");
    check_figure("hands under the root", &hands, &truth, &mut wrong);
    let twisted = Figure::new()
        .between("thigh_twist_l", "calf_l", 0.5)
        .between("thigh_twist_r", "calf_r", 0.5)
        .between("upperarm_twist_l", "forearm_l", 0.5)
        .between("upperarm_twist_r", "forearm_r", 0.5)
        .between("forearm_twist_l", "hand_l", 0.5)
        .between("forearm_twist_r", "hand_r", 0.5);
    check_figure("twist bones in the limbs", &twisted, &truth, &mut wrong);
    let exported = Figure::new().between("thigh_$pre_l", "calf_l", 0.0).between("thigh_$pre_r", "calf_r", 0.0).between(
        "hips_$pre",
        "hips",
        1.0,
    );
    // Without names, detection may choose either of two bones at one position.
    let mut either = truth.clone();
    either["accept"] = json!({"left_thigh": ["thigh_$pre_l"], "right_thigh": ["thigh_$pre_r"]});
    check_figure("exporter nodes", &exported, &either, &mut wrong);
    let neck = Figure::new().hang("clavicle_l", "neck").hang("clavicle_r", "neck");
    check_figure("collar bones under the neck", &neck, &truth, &mut wrong);
    let mut bare = figure_truth();
    bare["left"]["clavicle"] = Value::Null;
    bare["right"]["clavicle"] = Value::Null;
    check_figure("no collar bones", &Figure::new().remove(&["clavicle_l", "clavicle_r"]), &bare, &mut wrong);
    let mut straight = Figure::new();
    for (side, x) in [("l", 1.0), ("r", -1.0)] {
        straight = straight
            .place(&format!("calf_{side}"), [0.1 * x, 0.52, 0.0])
            .place(&format!("foot_{side}"), [0.1 * x, 0.09, 0.0])
            .place(&format!("upperarm_{side}"), [0.18 * x, 1.44, 0.0])
            .place(&format!("forearm_{side}"), [0.46 * x, 1.44, 0.0]);
    }
    check_figure("straight limbs", &straight, &truth, &mut wrong);
    let problems = doctor(&straight.model()).problems;
    for limb in ["left arm", "right arm", "left leg", "right leg"] {
        let expected =
            format!("{limb} is straight in the reference pose (0.0°): the solver uses the anatomical bend direction");
        assert!(problems.contains(&expected), "{problems:?}");
    }
    let toeless: Vec<String> = ["l", "r"]
        .iter()
        .flat_map(|side| ["thumb", "index", "middle", "ring"].map(|finger| (finger, side)))
        .flat_map(|(finger, side)| [format!("{finger}_end_{side}"), format!("{finger}_{side}")])
        .chain(["toe_l".to_owned(), "toe_r".to_owned()])
        .collect();
    let toeless: Vec<&str> = toeless.iter().map(String::as_str).collect();
    check_figure("no toes, no fingers", &Figure::new().remove(&toeless), &truth, &mut wrong);
    let spined = Figure::new().hang("thigh_l", "spine1").hang("thigh_r", "spine1");
    check_figure("thighs under the spine", &spined, &truth, &mut wrong);
    let mut controls = Figure::new();
    for (side, x) in [("l", 1.0), ("r", -1.0)] {
        controls.add(&format!("kneeIK.{side}"), "root", [0.1 * x, 0.5, 0.6]);
        controls.add(&format!("footIK.{side}"), "root", [0.1 * x, 0.09, -0.02]);
        controls.add(&format!("elbow_pole_{side}"), "root", [0.46 * x, 1.44, -0.6]);
        controls.add(&format!("foot_end_{side}"), &format!("toe_{side}"), [0.1 * x, 0.02, 0.16]);
    }
    controls.add("HEAD", "root", [0.0, 1.6, 0.8]);
    controls.add("sword", "hand_r", [-0.8, 1.4, 0.1]);
    controls.add("sword_tip", "sword", [-0.8, 1.4, 1.1]);
    check_figure("controls, ends and a sword", &controls, &truth, &mut wrong);
    let mut skirted = Figure::new();
    for (at, (x, z)) in [(0.15, 0.1), (-0.15, 0.1), (0.15, -0.1), (-0.15, -0.1)].into_iter().enumerate() {
        skirted.add(&format!("skirt{at}_1"), "hips", [x, 0.95, z]);
        skirted.add(&format!("skirt{at}_2"), &format!("skirt{at}_1"), [x * 1.3, 0.75, z * 1.3]);
        skirted.add(&format!("skirt{at}_3"), &format!("skirt{at}_2"), [x * 1.6, 0.55, z * 1.6]);
    }
    for (side, x) in [("l", 1.0), ("r", -1.0)] {
        skirted.add(&format!("tail1_{side}"), "head", [0.1 * x, 1.7, -0.05]);
        skirted.add(&format!("tail2_{side}"), &format!("tail1_{side}"), [0.2 * x, 1.5, -0.1]);
        skirted.add(&format!("tail3_{side}"), &format!("tail2_{side}"), [0.22 * x, 1.3, -0.1]);
        skirted.add(&format!("tail4_{side}"), &format!("tail3_{side}"), [0.24 * x, 1.1, -0.1]);
    }
    check_figure("a skirt and two tails of hair", &skirted, &truth, &mut wrong);
    let mut both = Figure::new();
    for (name, parent, at) in [("org1", "hips", 1.1), ("org2", "org1", 1.22), ("org3", "org2", 1.34)] {
        both.add(name, parent, [0.0, at, -0.01]);
    }
    let both = both.hang("clavicle_l", "org3").hang("clavicle_r", "org3");
    let model = both.model();
    assert!(doctor(&model).biped.is_some(), "{:?}", doctor(&model).problems);
    let mut headed = Figure::new();
    headed.add("head_end", "head", [0.0, 1.8, 0.02]);
    check_figure("an end on the head", &headed, &truth, &mut wrong);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn naming_conventions() {
    type Convention = (&'static str, fn(&str) -> String);
    let conventions: [Convention; 8] = [
        ("mixamo", |name| {
            let (part, side) = name.rsplit_once('_').unwrap_or((name, ""));
            mixamo(part, side)
        }),
        ("japanese", |name| {
            let (part, side) = name.rsplit_once('_').unwrap_or((name, ""));
            let side = match side {
                "l" => "左",
                "r" => "右",
                _ => "",
            };
            let part = match part {
                "hips" => "センター",
                "spine1" => "上半身",
                "spine2" => "上半身2",
                "chest" => "上半身3",
                "neck" => "首",
                "head" => "頭",
                "thigh" => "足",
                "calf" => "ひざ",
                "foot" => "足首",
                "toe" => "つま先",
                "clavicle" => "肩",
                "upperarm" => "腕",
                "forearm" => "ひじ",
                "hand" => "手首",
                other => other,
            };
            format!("{side}{part}")
        }),
        ("chinese", |name| {
            let (part, side) = name.rsplit_once('_').unwrap_or((name, ""));
            let side = match side {
                "l" => "左",
                "r" => "右",
                _ => "",
            };
            let part = match part {
                "hips" => "骨盆",
                "spine1" => "脊柱1",
                "spine2" => "脊柱2",
                "chest" => "胸",
                "neck" => "颈",
                "head" => "头",
                "thigh" => "大腿",
                "calf" => "小腿",
                "foot" => "脚",
                "toe" => "脚趾",
                "clavicle" => "锁骨",
                "upperarm" => "上臂",
                "forearm" => "前臂",
                "hand" => "手腕",
                other => other,
            };
            format!("{side}{part}")
        }),
        ("japanese, anatomical", |name| {
            let (part, side) = name.rsplit_once('_').unwrap_or((name, ""));
            let side = match side {
                "l" => "左",
                "r" => "右",
                _ => "",
            };
            let part = match part {
                "hips" => "骨盤",
                "spine1" => "背骨1",
                "spine2" => "背骨2",
                "chest" => "胸",
                "neck" => "首",
                "head" => "頭",
                "thigh" => "太もも",
                "calf" => "すね",
                "foot" => "足首",
                "toe" => "つま先",
                "clavicle" => "鎖骨",
                "upperarm" => "上腕",
                "forearm" => "前腕",
                "hand" => "手",
                other => other,
            };
            format!("{side}{part}")
        }),
        ("korean", |name| {
            let (part, side) = name.rsplit_once('_').unwrap_or((name, ""));
            let side = match side {
                "l" => "왼",
                "r" => "오른",
                _ => "",
            };
            let part = match part {
                "hips" => "골반",
                "spine1" => "척추1",
                "spine2" => "척추2",
                "chest" => "가슴",
                "neck" => "목",
                "head" => "머리",
                "thigh" => "허벅지",
                "calf" => "종아리",
                "foot" => "발목",
                "toe" => "발가락",
                "clavicle" => "쇄골",
                "upperarm" => "위팔",
                "forearm" => "아래팔",
                "hand" => "손",
                other => other,
            };
            format!("{side}{part}")
        }),
        ("voxels", |name| {
            let (part, side) = name.rsplit_once('_').unwrap_or((name, ""));
            let side = match side {
                "l" => "Left ",
                "r" => "Right ",
                _ => "",
            };
            let part = match part {
                "thigh" => "leg",
                "calf" => "knee",
                "foot" => "ankle",
                "clavicle" => "shoulder",
                "upperarm" => "arm",
                "forearm" => "elbow",
                "hand" => "wrist",
                other => other,
            };
            format!("{side}{part}")
        }),
        ("glued and numbered", |name| {
            let (part, side) = name.rsplit_once('_').unwrap_or((name, ""));
            let part = match part {
                "upperarm" => "UpperArm",
                "forearm" => "LowerArm",
                "thigh" => "UpperLeg",
                "calf" => "LowerLeg",
                "hand" => "Palm1",
                other => other,
            };
            let side = match side {
                "l" => "L",
                "r" => "R",
                other => other,
            };
            format!("{part}{side}_04")
        }),
        ("joints, prefixed", |name| {
            let (part, side) = name.rsplit_once('_').unwrap_or((name, ""));
            let part = match part {
                "upperarm" => "shoulder",
                "forearm" => "elbow",
                "hand" => "wrist",
                "thigh" => "hip",
                "calf" => "knee",
                "foot" => "ankle",
                other => other,
            };
            format!("{side}-{part}")
        }),
    ];
    let mut wrong = Vec::new();
    for (label, map) in conventions {
        let figure = Figure::new().mapped(map);
        let model = figure.model();
        let mut truth = figure_truth();
        fn rename(value: &mut Value, map: fn(&str) -> String) {
            match value {
                Value::String(name) => *name = map(name),
                Value::Array(list) => list.iter_mut().for_each(|value| rename(value, map)),
                Value::Object(object) => object.values_mut().for_each(|value| rename(value, map)),
                _ => {}
            }
        }
        rename(&mut truth, map);
        let detection = doctor(&model);
        let found = misses(&model, &detection, &truth);
        wrong.extend(found.into_iter().map(|miss| format!("{label}: {miss}")));
        let by_name = |role: Role| detection.roles.iter().any(|found| found.role == role && found.confidence >= 0.9);
        let unread = [Role::LeftForearm, Role::RightThigh, Role::LeftHand, Role::RightFoot, Role::Head];
        let unread = unread.into_iter().filter(|&role| !by_name(role));
        wrong.extend(unread.map(|role| format!("{label}: the name of {} is not read", role.key())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_better_pose_is_the_reference() {
    let bind = Figure::new();
    let walk = Figure::step();
    use kinescope_ik::rig::ReferenceKind;
    let model = walk.bound(&bind);
    let detection = doctor(&model);
    assert_eq!(detection.reference_kind, ReferenceKind::Bind, "{}", detection.reference_reason);
    assert!(detection.reference_reason.contains("symmetric"), "{}", detection.reference_reason);
    assert!(misses(&model, &detection, &figure_truth()).is_empty());
    let hand = model.skeleton.find("hand_l").unwrap();
    assert!(detection.reference.position(hand).distance(Vec3::new(0.71, 1.44, 0.0)) < 1e-5);
    let model = bind.bound(&walk);
    assert_eq!(doctor(&model).reference_kind, ReferenceKind::Rest);
    let forced = detect(&model, &Mapping::default(), ReferenceChoice::Bind);
    assert_eq!(forced.reference_kind, ReferenceKind::Bind);
}

#[test]
fn not_a_biped() {
    // A quadruped with a biped's names.
    let mut dog = Figure::new();
    for bone in &mut dog.bones {
        let old = bone.2;
        bone.2 = match bone.0.rsplit_once('_').map_or(bone.0.as_str(), |(part, _)| part) {
            "spine1" => Vec3::new(0.0, 0.98, 0.1),
            "spine2" => Vec3::new(0.0, 0.97, 0.3),
            "chest" => Vec3::new(0.0, 0.97, 0.5),
            "neck" => Vec3::new(0.0, 1.05, 0.7),
            "head" => Vec3::new(0.0, 1.15, 0.9),
            "clavicle" => Vec3::new(old.x, 0.95, 0.55),
            "upperarm" => Vec3::new(old.x.signum() * 0.1, 0.9, 0.6),
            "forearm" => Vec3::new(old.x.signum() * 0.1, 0.5, 0.55),
            "hand" => Vec3::new(old.x.signum() * 0.1, 0.09, 0.6),
            "thumb" | "index" | "middle" | "ring" | "thumb_end" | "index_end" | "middle_end" | "ring_end" => {
                Vec3::new(old.x.signum() * 0.1, 0.02, 0.65)
            }
            _ => old,
        };
    }
    let detection = doctor(&dog.model());
    assert!(
        detection.biped.is_none() && detection.problems.iter().any(|p| p.contains("four feet")),
        "{:?}",
        detection.problems
    );
    let mut json = dog.json();
    strip_names(&mut json);
    assert!(doctor(&import_json(&json).unwrap()).biped.is_none());

    let legless = Figure::new().remove(&["toe_l", "foot_l", "calf_l", "thigh_l"]);
    let detection = doctor(&legless.model());
    assert!(detection.biped.is_none());
    assert!(
        detection.problems.iter().any(|p| p.contains("left thigh, left calf, left foot")),
        "{:?}",
        detection.problems
    );

    let empty = import_json(&json!({"asset": {"version": "2.0"}})).unwrap();
    assert!(doctor(&empty).biped.is_none());
    assert_eq!(doctor(&empty).problems.len(), 1, "{:?}", doctor(&empty).problems);
}

#[test]
fn lying_down() {
    let mut figure = Figure::new();
    figure.bones.iter_mut().for_each(|bone| bone.2 = Quat::from_rotation_x(90f32.to_radians()) * bone.2);
    let model = figure.model();
    let detection = doctor(&model);
    assert!(misses(&model, &detection, &figure_truth()).is_empty());
    assert_eq!(detection.up, Vec3::Z);
    assert!(detection.problems.iter().any(|problem| problem.contains("lying")));
    let mut json = figure.json();
    strip_names(&mut json);
    assert!(doctor(&import_json(&json).unwrap()).biped.is_some());
}

#[test]
fn the_users_mapping_wins() {
    let model = Figure::new().model();
    let mapping: Mapping = serde_json::from_value(json!({
        "spine": ["spine1", "spine2"], "left_clavicle": null, "head": "neck", "left_hand": "nonsense", "pelvis": null
    }))
    .unwrap();
    let detection = detect(&model, &mapping, ReferenceChoice::Auto);
    assert_eq!(bone_names(&model, &detection, Role::Spine), ["spine1", "spine2"]);
    assert_eq!(bone_names(&model, &detection, Role::Head), ["neck"]);
    assert!(bone_names(&model, &detection, Role::LeftClavicle).is_empty());
    assert_eq!(bone_names(&model, &detection, Role::LeftHand), ["hand_l"]);
    assert!(detection.problems.iter().any(|p| p.contains("left_hand") && p.contains("nonsense")));
    assert!(detection.problems.iter().any(|p| p.contains("pelvis cannot be null")));
    assert!(detection.biped.is_some());
    let back: Mapping = serde_json::from_str(&serde_json::to_string(&mapping).unwrap()).unwrap();
    assert_eq!(back, mapping);
    assert!(serde_json::from_value::<Mapping>(json!({"left_wing": "x"})).is_err());

    // All limbs assigned by hand, left and right exchanged: the character faces the other way.
    let model = Figure::new().mapped(|name| format!("n{}", name.len())).model();
    let scrambled =
        Figure::new().mapped(|name| format!("part {}", name.bytes().map(u32::from).sum::<u32>() * 7919 % 10007));
    let of = |name: &str| scrambled.bones[Figure::new().index(name)].0.clone();
    let sides = ["left", "right"].into_iter().zip(["r", "l"]);
    let by_hand: serde_json::Map<String, Value> = sides
        .flat_map(|(side, s)| {
            [
                ("upper_arm", "upperarm"),
                ("forearm", "forearm"),
                ("hand", "hand"),
                ("thigh", "thigh"),
                ("calf", "calf"),
                ("foot", "foot"),
            ]
            .map(|(role, bone)| (format!("{side}_{role}"), json!(of(&format!("{bone}_{s}")))))
        })
        .collect();
    let by_hand: Mapping = serde_json::from_value(by_hand.into()).unwrap();
    let other_way = detect(&scrambled.model(), &by_hand, ReferenceChoice::Auto);
    assert!(other_way.biped.is_some() && other_way.facing.dot(Vec3::Z) < -0.99, "{}", other_way.facing);
    let twice: Mapping = serde_json::from_value(json!({"left_thigh": "n4", "right_thigh": "n4"})).unwrap();
    let detection = detect(&model, &twice, ReferenceChoice::Auto);
    assert!(detection.biped.is_none());
    assert!(detection.problems.iter().any(|p| p.contains("cannot be both")), "{:?}", detection.problems);
}

#[test]
fn hostile_nodes() {
    let base = Figure::new().json();
    let fails = |change: &dyn Fn(&mut Value), word: &str| {
        let mut json = base.clone();
        change(&mut json);
        let error = import_json(&json).unwrap_err();
        assert!(error.contains(word), "{error}");
    };
    fails(&|json| json["nodes"][3]["children"] = json!([1]), "node 1");
    fails(&|json| json["nodes"][3]["children"] = json!([999]), "node 3");
    fails(&|json| json["nodes"][0] = json!({"children": [0]}), "its own ancestor");
    fails(&|json| json["nodes"][6]["translation"] = json!([1e38, 1e38, 1e38]), "node 6");
    fails(&|json| json["nodes"][6]["translation"] = json!([null, 0, 0]), "node 6");
    fails(&|json| json["nodes"][6]["matrix"] = json!([1e38, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]), "node 6");
    fails(&|json| json["nodes"][6]["scale"] = json!([1e39, 1, 1]), "node 6");
    fails(&|json| json["nodes"] = json!({}), "nodes");
    fails(&|json| json["asset"]["version"] = json!("1.0"), "1.0");
    for (path, value) in
        [("scale", json!([0, 0, 0])), ("rotation", json!([0, 0, 0, 0])), ("matrix", json!(vec![0; 16]))]
    {
        let mut json = base.clone();
        json["nodes"][2][path] = value;
        let model = import_json(&json).unwrap();
        let pose = ModelPose::from_local(&model.skeleton, &model.skeleton.rest_pose());
        assert!(pose.bones.iter().all(|bone| bone.is_finite()), "{path}");
        let detection = doctor(&model);
        assert!(detection.height.is_finite() && detection.facing.is_finite(), "{path}");
    }
    for text in [
        &b""[..],
        b"hello",
        b"glTF",
        b"glTF\x02\0\0\0",
        b"glTF\x02\0\0\0\x05\0\0\0",
        b"{}",
        b"[1]",
        b"{\"asset\":",
        b"\xff\xfe",
    ] {
        import_bytes("text.glb", text, Path::new("/nowhere")).unwrap_err();
    }
    let deep = format!("{{\"asset\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    import_bytes("deep.gltf", deep.as_bytes(), Path::new("/nowhere")).unwrap_err();
}

/// Returns node lists of three shapes, with their names: roots alone, a single chain, and a binary tree.
fn shapes(count: usize) -> [(&'static str, Vec<Value>); 3] {
    let flat = (0..count).map(|_| json!({"translation": [0.0, 0.01, 0.0]})).collect();
    let deep = (0..count).map(|index| match index + 1 {
        next if next == count => json!({"name": "a", "translation": [0.0, 0.001, 0.0]}),
        next => json!({"name": "a", "translation": [0.0, 0.001, 0.0], "children": [next]}),
    });
    let bushy = (0..count).map(|index| {
        let children: Vec<usize> = [index * 2 + 1, index * 2 + 2].into_iter().filter(|&child| child < count).collect();
        match children.is_empty() {
            true => json!({"translation": [0.1, 0.1, (index % 7) as f32]}),
            false => json!({"translation": [0.1, -0.1, (index % 5) as f32], "children": children}),
        }
    });
    [("flat", flat), ("deep", deep.collect()), ("bushy", bushy.collect())]
}

/// Returns the processor time to import nodes and to look for a character among them.
fn time_of(label: &str, nodes: Vec<Value>) -> Duration {
    let count = nodes.len();
    let json = serde_json::to_vec(&json!({"asset": {"version": "2.0"}, "nodes": nodes})).unwrap();
    let start = processor_time();
    let model = import_bytes(label, &json, Path::new("/nowhere")).unwrap();
    let detection = doctor(&model);
    let time = processor_time() - start;
    assert_eq!(model.skeleton.len(), count);
    assert!(detection.biped.is_none());
    time
}

#[test]
fn a_hundred_thousand_nodes() {
    for ((label, few), (_, many)) in shapes(10_000).into_iter().zip(shapes(100_000)) {
        let [few, many] = [few, many].map(|nodes| time_of(label, nodes));
        println!("{label}: 10,000 in {few:?}, 100,000 in {many:?}");
        // Linear time is ten times as long, quadratic time a hundred times.
        assert!(many < few * 40, "{label}: 10,000 in {few:?}, 100,000 in {many:?}");
    }
}

/// Returns an indexed triangle skinned to two joints, and a clip that moves the second one.
fn triangle() -> (Value, Vec<u8>) {
    let mut binary = Vec::new();
    let mut views = Vec::new();
    let mut put = |bytes: Vec<u8>| {
        binary.resize(binary.len().next_multiple_of(4), 0);
        views.push(json!({"buffer": 0, "byteOffset": binary.len(), "byteLength": bytes.len()}));
        binary.extend(bytes);
    };
    let floats = |values: &[f32]| -> Vec<u8> { values.iter().flat_map(|value| value.to_le_bytes()).collect() };
    put(floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]));
    put(vec![0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    put(floats(&[0.5, 0.25, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]));
    put(vec![0, 0, 1, 0, 2, 0]);
    put(floats(&[0.0, 1.0]));
    put(floats(&[0.0, 0.0, 0.0, 0.0, 1.0, 0.0]));
    let accessor = |view: usize, count: usize, component: u32, kind: &str| json!({"bufferView": view, "count": count, "componentType": component, "type": kind});
    let json = json!({
        "asset": {"version": "2.0"},
        "nodes": [{"name": "a", "children": [1]}, {"name": "b"}, {"mesh": 0, "skin": 0}],
        "skins": [{"joints": [0, 1]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}, "indices": 3}]}],
        "accessors": [accessor(0, 3, 5126, "VEC3"), accessor(1, 3, 5121, "VEC4"), accessor(2, 3, 5126, "VEC4"),
                      accessor(3, 3, 5123, "SCALAR"), accessor(4, 2, 5126, "SCALAR"), accessor(5, 2, 5126, "VEC3")],
        "bufferViews": views,
        "buffers": [{"byteLength": binary.len()}],
        "animations": [{"name": "", "samplers": [{"input": 4, "output": 5}],
                        "channels": [{"sampler": 0, "target": {"node": 1, "path": "translation"}}]}]
    });
    (json, binary)
}

#[test]
fn meshes_and_clips() {
    let (json, binary) = triangle();
    let read = |json: &Value| import_bytes("t.glb", &glb(json, &binary), Path::new("/nowhere"));
    let model = read(&json).unwrap();
    let mesh = &model.meshes[0];
    assert_eq!(mesh.indices, [0, 1, 2]);
    assert!(mesh.normals.iter().all(|normal| normal.distance(Vec3::Z) < 1e-6));
    let sums: Vec<f32> = mesh.vertex_weights.iter().map(|weights| weights.iter().sum()).collect();
    assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 1e-6), "{sums:?}");
    assert_eq!((mesh.vertex_joints[0][1], mesh.vertex_weights[2]), (1, [1.0, 0.0, 0.0, 0.0]));
    assert_eq!(
        (model.clips[0].name.as_str(), model.clips[0].duration, model.clips[0].tracks.len()),
        ("clip 0", 1.0, 1)
    );

    let fails = |pointer: &str, value: Value, word: &str| {
        let mut json = json.clone();
        match json.pointer_mut(pointer) {
            Some(slot) => *slot = value,
            None => {
                let (parent, key) = pointer.rsplit_once('/').unwrap();
                json.pointer_mut(parent).unwrap()[key] = value;
            }
        }
        let error = read(&json).unwrap_err();
        assert!(error.contains(word), "{pointer}: {error}");
    };
    fails("/accessors/0/count", json!(4), "accessor 0");
    fails("/accessors/0/count", json!(u64::MAX), "accessor 0");
    fails("/accessors/0/byteOffset", json!(u64::MAX), "accessor 0");
    fails("/accessors/0/type", json!("VEC2"), "accessor 0");
    fails("/accessors/0/componentType", json!(1), "accessor 0");
    fails("/accessors/0/bufferView", json!(77), "buffer view 77");
    fails("/accessors/3/componentType", json!(5126), "accessor 3");
    fails("/bufferViews/0/byteLength", json!(u64::MAX), "buffer view 0");
    fails("/bufferViews/0/byteOffset", json!(1000), "buffer view 0");
    fails("/bufferViews/0/byteStride", json!(1_000_000), "accessor 0");
    fails("/bufferViews/0/buffer", json!(3), "buffer 3");
    fails("/buffers/0/uri", json!("missing%20file.bin"), "missing file.bin");
    fails("/buffers/0/uri", json!("data:application/octet-stream;base64,!!!"), "base64");
    fails("/skins/0/joints/1", json!(9), "skin 0");
    fails("/skins/0/joints", json!([0]), "accessor 1");
    fails("/nodes/2/skin", json!(4), "node 2");
    fails("/nodes/2/mesh", json!(4), "node 2");
    fails("/meshes/0/primitives/0/indices", json!(40), "accessor 40");
    fails("/meshes/0/primitives/0/attributes/POSITION", json!(40), "accessor 40");
    fails("/animations/0/channels/0/target/node", json!(40), "animation 0");
    fails("/animations/0/channels/0/sampler", json!(40), "animation 0");
    fails("/animations/0/samplers/0/input", json!(40), "accessor 40");
    fails("/accessors/0", json!({"count": 1_000_000_000u64, "componentType": 5126, "type": "VEC3"}), "accessor 0");
    fails(
        "/accessors/0/sparse",
        json!({"count": 1, "indices": {"bufferView": 1, "componentType": 5121, "byteOffset": 90}, "values": {"bufferView": 0}}),
        "sparse",
    );

    let tolerated = |pointer: &str, value: Value| {
        let mut json = json.clone();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        json.pointer_mut(parent).unwrap()[key] = value;
        read(&json).unwrap()
    };
    assert!(tolerated("/accessors/4/count", json!(0)).clips[0].tracks.is_empty());
    assert!(
        tolerated("/extensionsRequired", json!(["KHR_materials_unlit", "X_strange"])).notes[0].contains("X_strange")
    );
    let images = json!([{"uri": "gone.png"}, {"bufferView": 0}]);
    let mut textured = json.clone();
    textured["images"] = images;
    textured["textures"] = json!([{"source": 0}, {"source": 1}, {"source": 7}]);
    textured["materials"] =
        (0..4).map(|texture| json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": texture}}})).collect();
    let model = read(&textured).unwrap();
    assert_eq!((model.materials.len(), model.images.len(), model.notes.len()), (4, 0, 5), "{:?}", model.notes);
    let draco = json!({"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {}}});
    let model = tolerated("/meshes/0/primitives/0/extensions", draco);
    assert!(model.meshes.is_empty() && model.skeleton.len() == 2);
    assert!(model.notes.iter().any(|note| note.contains("Draco")));
    assert!(tolerated("/meshes/0/primitives/0/mode", json!(1)).meshes.is_empty());
    assert_eq!(tolerated("/meshes/0/primitives/0/mode", json!(5)).meshes[0].indices, [0, 1, 2]);
    assert_eq!(tolerated("/meshes/0/primitives/0/mode", json!(6)).meshes[0].indices, [0, 1, 2]);
}

#[test]
fn cut_off_and_scrambled_files() {
    let Some(shared) = shared("") else { return };
    let folder = shared.join("models");
    let mut seed = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    for file in ["debug_robot.vrm", "RiggedFigure.gltf", "mpfb_mixamo.glb"] {
        let bytes = std::fs::read(folder.join(file)).unwrap();
        for part in 0..60 {
            let end = if part < 30 { part } else { bytes.len() * (part - 29) / 31 };
            import_bytes(file, &bytes[..end.min(bytes.len() - 1)], &folder).unwrap_err();
        }
        // Length of the JSON text. Two rounds in three change bytes only within that length from the start of the file,
        // because changes in the text break more than changes in binary numbers.
        let text = if bytes.starts_with(b"glTF") {
            u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize
        } else {
            bytes.len()
        };
        let (mut read, mut refused) = (0, 0);
        for round in 0..150 {
            let mut bytes = bytes.clone();
            for _ in 0..1 + round % 4 {
                let within = if round % 3 == 0 { bytes.len() } else { text };
                let at = random() as usize % within;
                match round % 2 {
                    0 => bytes[at] ^= 1 << (random() % 8),
                    _ => bytes[at] = b"0123456789-e,\"[]{}"[random() as usize % 18],
                }
            }
            match import_bytes(file, &bytes, &folder) {
                Ok(model) => {
                    read += 1;
                    let detection = doctor(&model);
                    assert!(detection.facing.is_finite() && detection.height.is_finite());
                }
                Err(_) => refused += 1,
            }
        }
        println!("{file}: {read} scrambled files read, {refused} refused");
    }
}
