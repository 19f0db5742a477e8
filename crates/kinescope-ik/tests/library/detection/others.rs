//! Files that are no single biped, and unusual rigs: a wolf, two characters, several palms for a hand, and a skin of
//! head joints below an animated pelvis.

use std::path::Path;

use glam::{Quat, Vec3};
use kinescope_ik::full_body::{DefaultLocalState, Effector, FullBody, Settings};
use kinescope_ik::many::{Bones, Many, Task};
use kinescope_ik::rig::{
    Detection, FoundCharacter, MappedBones, Mapping, Model, ModelPose, ReferenceChoice, Role, detect,
};
use serde_json::{Value, json};

use super::kinds::{Kind, human, rename};
use super::tables::palms;
use crate::common::figure::*;
use crate::common::skinned::Skinned;

/// Returns a wolf with ears. `hind` and `front` name the three bones of its hind and front legs.
fn wolf(hind: [&str; 3], front: [&str; 3]) -> Skinned {
    let table = format!(
        "Root - 0 0 0 ~
        Hips Root 0 .8 -.5
        Spine Hips 0 .82 -.2
        Chest Spine 0 .84 .2
        Neck Chest 0 1 .45
        Head Neck 0 1.2 .6
        Ear1* Head .06 1.3 .58
        Ear2* Ear1* .12 1.36 .56
        Ear3* Ear2* .16 1.44 .56
        Jaw Head 0 1.15 .75
        {h0}* Hips .12 .75 -.5
        {h1}* {h0}* .12 .45 -.4
        {h2}* {h1}* .12 .2 -.6
        HindToes* {h2}* .12 .03 -.5
        {f0}* Chest .12 .75 .3
        {f1}* {f0}* .12 .42 .25
        {f2}* {f1}* .12 .1 .3
        FrontToes* {f2}* .12 .02 .38
        Tail1 Hips 0 .8 -.7
        Tail2 Tail1 0 .7 -.9",
        h0 = hind[0],
        h1 = hind[1],
        h2 = hind[2],
        f0 = front[0],
        f1 = front[1],
        f2 = front[2]
    );
    let parts = ["-", "-", "-", "-", "-", "-", "-"];
    Kind::new("wolf", ["_L", "_R"], &table, ("Hips", &["Spine", "Chest"], "Head"), parts).skinned
}

#[test]
fn a_wolf_is_no_biped() {
    let hind = ["HindThigh", "HindCalf", "HindFoot"];
    let front = ["FrontThigh", "FrontCalf", "FrontFoot"];
    let leg = ["UpperLeg", "LowerLeg", "Foot"];
    let arm = ["UpperArm", "LowerArm", "Hand"];
    for (hind, front) in [(hind, front), (leg, arm), (arm, leg), (["BackLeg1", "BackLeg2", "BackLeg3"], leg)] {
        for nameless in [false, true] {
            let mut wolf = wolf(hind, front);
            wolf.nameless = nameless;
            let detection = doctor(&wolf.make().model);
            let label = format!("{hind:?} {front:?} {nameless}: {:?}", detection.problems);
            assert!(detection.biped.is_none(), "{label}");
            let is_reported = |problem: &String| problem.contains("four feet") || problem.contains("no bone was found");
            assert!(detection.problems.iter().any(is_reported), "{label}");
            assert!(detection.roles.iter().all(|found| found.confidence < 0.6), "{label}");
        }
    }
}

/// Returns a file with two characters side by side. The second has more bones and therefore more vertices.
fn two(nameless: bool) -> Model {
    let figure = |prefix: &str, aside: f32, figure: Figure| {
        let mut figure = figure.mapped(|name| format!("{prefix}{name}"));
        figure.bones.iter_mut().for_each(|bone| bone.2.x += aside);
        figure
    };
    let small = Figure::new().remove(&["ring_end_l", "ring_end_r", "ring_l", "ring_r"]);
    let mut both = figure("a_", -1.5, small);
    let count = both.bones.len();
    let second = figure("b_", 1.5, Figure::new());
    both.bones
        .extend(second.bones.into_iter().map(|(name, parent, at)| (name, parent.map(|parent| parent + count), at)));
    let mut skinned = Skinned::new(both);
    skinned.unskinned = vec!["a_root".to_owned(), "b_root".to_owned()];
    skinned.nameless = nameless;
    skinned.make().model
}

fn pelvis(model: &Model, detection: &Detection) -> String {
    bone_names(model, detection, Role::Pelvis).concat()
}

#[test]
fn of_two_characters_one_is_chosen_and_both_are_named() {
    let model = two(false);
    let detection = doctor(&model);
    let is_note = |problem: &&String| problem.contains("2 characters");
    let note = detection.problems.iter().find(is_note).expect("a note on two characters");
    assert!(note.contains("a_root") && note.contains("b_root"), "{note}");
    assert_eq!(pelvis(&model, &detection), "b_hips", "{note}");
    let mut truth = figure_truth();
    rename(&mut truth, &|name| format!("b_{name}"));
    assert_eq!(misses(&model, &detection, &truth), Vec::<String>::new());

    let bone = |name: &str| model.skeleton.find(name).unwrap();
    let characters = |used: [bool; 2]| {
        let one = |prefix: &str, is_used| FoundCharacter {
            root: bone(&format!("{prefix}_root")),
            pelvis: bone(&format!("{prefix}_hips")),
            is_used,
        };
        vec![one("a", used[0]), one("b", used[1])]
    };
    assert_eq!(detection.characters, characters([false, true]));
    let roles = [(Role::Pelvis, MappedBones(vec!["a_hips".to_owned()]))].into_iter().collect();
    let chosen = detect(&model, &Mapping { roles, root_node: None }, ReferenceChoice::Auto);
    assert_eq!(chosen.characters, characters([true, false]));
    rename(&mut truth, &|name| name.replacen("b_", "a_", 1));
    assert_eq!(misses(&model, &chosen, &truth), Vec::<String>::new());
    assert!(chosen.problems.iter().any(|problem| problem.contains("you chose its bones")), "{:?}", chosen.problems);
    let own = chosen.roles.iter().find(|found| found.role == Role::Pelvis).unwrap();
    assert_eq!((own.reason.as_str(), own.confidence), ("you chose it", 1.0));

    let model = two(true);
    let detection = doctor(&model);
    assert!(detection.biped.is_some() && detection.problems.iter().any(|problem| problem.contains("2 characters")));
    let single = Skinned::new(Figure::new()).make().model;
    let detection = doctor(&single);
    assert!(!detection.problems.iter().any(|problem| problem.contains("characters")));
    assert!(detection.characters.is_empty());
}

#[test]
fn palms_turn_with_the_palm_that_is_the_hand() {
    for kind in palms() {
        let model = kind.skinned.make().model;
        let detection = doctor(&model);
        let solver =
            FullBody::new(&model.skeleton, detection.biped.as_ref().unwrap(), &detection.reference.bones).unwrap();
        let animated = ModelPose::from_local(&model.skeleton, &model.skeleton.rest_pose());
        let mut settings = Settings::default();
        let hand = settings.effector_mut(Effector::LeftHand);
        (hand.position, hand.position_weight) = (Some(Vec3::new(0.4, 1.3, 0.3)), 1.0);
        (hand.rotation, hand.rotation_weight) = (Some(Quat::from_rotation_x(0.8)), 1.0);
        let mut solved = animated.clone();
        solver.solve(&mut solver.workspace(), &settings, &mut solved.bones).unwrap();
        let bone = |name: &str| model.skeleton.find(name).unwrap();
        let [mapped, other, finger] = ["Palm2L", "Palm1L", "Index1L"].map(bone);
        assert!(solved.position(other).distance(solved.position(mapped)) < 1e-4, "{}", kind.label);
        let turn = |bone: usize| solved.bones[bone].rotation * animated.bones[bone].rotation.conjugate();
        assert!(turn(mapped).angle_between(Quat::IDENTITY) > 0.1, "{}", kind.label);
        for bone in [other, finger] {
            assert!(turn(bone).angle_between(turn(mapped)) < 1e-3, "{}", kind.label);
        }
        // An engine that sets only the written bones, as local transforms, gets the same pose.
        let mut locals = animated.to_local(&model.skeleton, &model.skeleton.rest_pose());
        for (bone, local) in solver.locals(&solved.bones) {
            (locals.bones[bone].translation, locals.bones[bone].rotation) = (local.position, local.rotation);
        }
        let back = ModelPose::from_local(&model.skeleton, &locals);
        for (bone, (back, solved)) in back.bones.iter().zip(&solved.bones).enumerate() {
            let turned = back.rotation.angle_between(solved.rotation);
            assert!(back.position.distance(solved.position) < 1e-4 && turned < 2e-3, "{}, {bone}", kind.label);
        }
        // The default local state takes the whole solve back.
        let rest = model.skeleton.rest_pose();
        let mut restored = solved.to_local(&model.skeleton, &rest);
        DefaultLocalState::store(&solver, &rest).restore(&mut restored);
        for (bone, (own, rest)) in restored.bones.iter().zip(&rest.bones).enumerate() {
            let turned = own.rotation.angle_between(rest.rotation);
            let apart = own.translation.distance(rest.translation);
            assert!(apart < 1e-4 && turned < 2e-3, "{}, {bone}", kind.label);
        }
        // A solve of key bones gives the written bones the same transforms.
        let mut keys = animated.bones.clone();
        Many::new().solve(&mut [Task::new(&solver, &settings, &mut keys)], Bones::Key);
        for bone in solver.written_bones() {
            let turned = keys[bone].rotation.angle_between(solved.bones[bone].rotation);
            let apart = keys[bone].position.distance(solved.position(bone));
            assert!(apart < 1e-4 && turned < 2e-3, "{}, {bone}", kind.label);
        }
    }
}

/// Returns the file with a clip that turns all nodes without a mesh, except node 0.
fn with_clip(file: &[u8]) -> Vec<u8> {
    let length = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    let end = 20 + length(12);
    let mut json: Value = serde_json::from_slice(&file[20..end]).unwrap();
    let mut binary = file[end + 8..].to_vec();
    binary.resize(binary.len().next_multiple_of(4), 0);
    let start = binary.len();
    let numbers = [0.0f32, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.1, 0.0, 0.995];
    binary.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    let push = |list: &mut Value, item: Value| {
        let list = list.as_array_mut().unwrap();
        list.push(item);
        list.len() - 1
    };
    let times = push(&mut json["bufferViews"], json!({"buffer": 0, "byteOffset": start, "byteLength": 8}));
    let turns = push(&mut json["bufferViews"], json!({"buffer": 0, "byteOffset": start + 8, "byteLength": 32}));
    let times =
        json!({"bufferView": times, "count": 2, "componentType": 5126, "type": "SCALAR", "min": [0.0], "max": [1.0]});
    let times = push(&mut json["accessors"], times);
    let turns = json!({"bufferView": turns, "count": 2, "componentType": 5126, "type": "VEC4"});
    let turns = push(&mut json["accessors"], turns);
    let is_bone = |node: &Value| node["mesh"].is_null();
    let nodes = json["nodes"].as_array().unwrap();
    let channels: Vec<Value> = (1..nodes.len())
        .filter(|&node| is_bone(&nodes[node]))
        .map(|node| json!({"sampler": 0, "target": {"node": node, "path": "rotation"}}))
        .collect();
    json["animations"] = json!([{"channels": channels, "samplers": [{"input": times, "output": turns}]}]);
    json["buffers"][0]["byteLength"] = json!(binary.len());
    glb(&json, &binary)
}

#[test]
fn a_skin_of_head_joints_below_an_animated_pelvis() {
    for nameless in [false, true] {
        let kind =
            human("a face", |part, side| if side.is_empty() { part.to_owned() } else { format!("{part}_{side}") });
        let mut skinned = kind.skinned;
        let body: Vec<String> =
            skinned.rest.bones.iter().map(|bone| bone.0.clone()).filter(|name| name != "head").collect();
        for figure in [&mut skinned.rest, &mut skinned.bind] {
            for at in 0..9 {
                figure.add(&format!("face{at}"), "head", [at as f32 * 0.02 - 0.08, 1.6 + at as f32 * 0.01, 0.1]);
            }
        }
        (skinned.unskinned, skinned.nameless) = (body, nameless);
        let truth = skinned.truth(&kind.truth);
        let file = with_clip(&skinned.make().file);
        let model = import_bytes("face.glb", &file, Path::new("/nowhere")).unwrap();
        assert_eq!(misses(&model, &doctor(&model), &truth), Vec::<String>::new(), "{nameless}");
    }
}
