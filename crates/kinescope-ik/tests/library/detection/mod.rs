//! The score of detection: every role of characters of many kinds, with their own names, without names, and with the
//! names of left and right bones swapped.

mod kinds;
mod others;
mod tables;

use std::path::Path;

use kinescope_ik::rig::{Detection, Model, Role};
use serde_json::Value;

use crate::common::figure::*;
use crate::common::shared;
use kinds::Names;

struct Result {
    label: String,
    misses: Vec<String>,
    /// For every role: its confidence, and whether its bones are correct.
    roles: Vec<(f32, bool, Role)>,
    /// The confidence of each role whose bone a problem doubts, with the problem.
    doubted: Vec<(f32, String)>,
}

/// A problem whose message has one of these texts doubts the role of the first bone that it names.
const DOUBTS: [&str; 4] =
    ["may be another bone", "is not attached to", "state different sides", "has the name of a hand"];

fn result(label: String, model: &Model, detection: &Detection, truth: &Value) -> Result {
    let roles = detection.roles.iter().map(|found| {
        let is_right = expected(truth, found.role).contains(&bone_names(model, detection, found.role));
        (found.confidence, is_right, found.role)
    });
    let doubted = detection.problems.iter().filter_map(|problem| {
        let is_doubt = DOUBTS.iter().any(|doubt| problem.contains(doubt));
        let bone = model.skeleton.find(problem.split('"').nth(1).filter(|_| is_doubt)?)?;
        let found = detection.roles.iter().find(|found| found.bones.contains(&bone))?;
        (found.reason != "you chose it").then(|| (found.confidence, problem.clone()))
    });
    Result { label, misses: misses(model, detection, truth), roles: roles.collect(), doubted: doubted.collect() }
}

fn synthetic(names: Names) -> Vec<Result> {
    let of = |kind: kinds::Kind| {
        let (skinned, truth) = kind.with(names);
        let made = skinned.make();
        result(kind.label.clone(), &made.model, &doctor(&made.model), &truth)
    };
    tables::bipeds().into_iter().map(of).collect()
}

/// Returns the results for the characters of the shared folder under `names`; empty without that folder. Files that do
/// not import are left out, and without own names also files whose truth has no indices.
fn real(names: Names) -> Vec<Result> {
    let Some(shared) = shared("models") else { return Vec::new() };
    let truth: Value = serde_json::from_slice(&std::fs::read(shared.join("ground_truth.json")).unwrap()).unwrap();
    let mut results = Vec::new();
    for (file, truth) in truth.as_object().unwrap().iter().filter(|(file, _)| !file.starts_with('_')) {
        let bytes = std::fs::read(shared.join(file)).unwrap();
        let Ok(model) = import_bytes(file, &bytes, &shared) else { continue };
        let (model, truth) = match names {
            Names::Own => (model, truth.clone()),
            _ if truth["indices"].is_null() => continue,
            Names::Stripped => (changed(&shared, file, strip), by_index(&shared, file, truth)),
            Names::Swapped => {
                let mut swapped = truth.clone();
                (swapped["left"], swapped["right"]) = (truth["right"].clone(), truth["left"].clone());
                let also = &truth["accept"];
                (swapped["accept"]["left"], swapped["accept"]["right"]) = (also["right"].clone(), also["left"].clone());
                (changed(&shared, file, |json| swap(json, truth)), swapped)
            }
        };
        results.push(result(file.clone(), &model, &doctor(&model), &truth));
    }
    results
}

fn strip(json: &mut Value) {
    strip_names(json);
    json.as_object_mut().unwrap().remove("extensions");
}

/// Swaps the names of the left and right bones of each role, and removes extensions, which may state roles.
fn swap(json: &mut Value, truth: &Value) {
    json.as_object_mut().unwrap().remove("extensions");
    for part in ["clavicle", "upper_arm", "forearm", "hand", "thigh", "calf", "foot", "toe"] {
        let [a, b] = ["left", "right"].map(|side| truth["indices"][side][part].as_u64().map(|index| index as usize));
        if let (Some(a), Some(b)) = (a, b) {
            let name = json["nodes"][a]["name"].take();
            json["nodes"][a]["name"] = json["nodes"][b]["name"].take();
            json["nodes"][b]["name"] = name;
        }
    }
}

fn parts(shared: &Path, file: &str) -> (Value, Vec<u8>) {
    let bytes = std::fs::read(shared.join(file)).unwrap();
    if bytes.starts_with(b"{") {
        return (serde_json::from_slice(&bytes).unwrap(), Vec::new());
    }
    let length = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let end = 20 + length(12);
    let binary = if bytes.len() > end { bytes[end + 8..end + 8 + length(end)].to_vec() } else { Vec::new() };
    (serde_json::from_slice(&bytes[20..end]).unwrap(), binary)
}

fn changed(shared: &Path, file: &str, change: impl Fn(&mut Value)) -> Model {
    let (mut json, binary) = parts(shared, file);
    change(&mut json);
    import_bytes(file, &glb(&json, &binary), shared).unwrap()
}

/// Returns the truth with `node N` in place of each name, and null for the name of no node.
fn by_index(shared: &Path, file: &str, truth: &Value) -> Value {
    let (json, _) = parts(shared, file);
    fn rename(value: &Value, nodes: &[Value]) -> Value {
        match value {
            Value::String(name) => match nodes.iter().position(|node| node["name"] == **name) {
                Some(at) => Value::String(format!("node {at}")),
                None => Value::Null,
            },
            Value::Array(list) => list.iter().map(|value| rename(value, nodes)).collect(),
            Value::Object(map) => map.iter().map(|(key, value)| (key.clone(), rename(value, nodes))).collect(),
            other => other.clone(),
        }
    }
    rename(truth, json["nodes"].as_array().unwrap())
}

fn report(names: Names, results: &[Result]) -> String {
    let wrong: Vec<&Result> = results.iter().filter(|result| !result.misses.is_empty()).collect();
    let mut text = format!("{names:?}: {} of {} wholly right\n", results.len() - wrong.len(), results.len());
    for result in wrong {
        text += &format!("  {}\n    {}\n", result.label, result.misses.join("\n    "));
    }
    let sure = || results.iter().flat_map(|result| &result.roles).filter(|role| role.0 >= 0.9);
    text += &format!("  sure and right: {} of {}\n", sure().filter(|role| role.1).count(), sure().count());
    text
}

fn all(of: impl Fn(Names) -> Vec<Result>) -> Vec<(Names, Vec<Result>)> {
    [Names::Own, Names::Stripped, Names::Swapped].into_iter().map(|names| (names, of(names))).collect()
}

#[test]
fn every_kind_of_character_is_right_with_names_without_and_swapped() {
    let all = all(synthetic);
    let text: String = all.iter().map(|(names, results)| report(*names, results)).collect();
    println!("{text}");
    assert!(all.iter().all(|(_, results)| results.len() >= 100), "{text}");
    assert!(all.iter().flat_map(|(_, results)| results).all(|result| result.misses.is_empty()), "{text}");
}

#[test]
fn every_real_character_is_right_with_names_without_and_swapped() {
    let all = all(real);
    let text: String = all.iter().map(|(names, results)| report(*names, results)).collect();
    println!("{text}");
    assert!(all.iter().flat_map(|(_, results)| results).all(|result| result.misses.is_empty()), "{text}");
}

#[test]
fn confidence_is_as_high_as_roles_are_right() {
    let lists = all(|names| synthetic(names).into_iter().chain(real(names)).collect());
    let results = || lists.iter().flat_map(|(_, results)| results);
    let (mut sure, mut right) = (0, 0);
    for (names, results) in &lists {
        println!("{}", report(*names, results));
        for &(confidence, is_right, _) in results.iter().flat_map(|result| &result.roles).filter(|role| role.0 >= 0.9) {
            assert!(confidence <= 1.0);
            (sure, right) = (sure + 1, right + usize::from(is_right));
        }
    }
    assert!(sure >= 1500, "only {sure} roles with a confidence of 0.9");
    assert!(right * 100 >= sure * 99, "{right} of {sure}");
    for result in results() {
        for (confidence, problem) in &result.doubted {
            assert!(*confidence < 0.6, "{}: {confidence} in spite of: {problem}", result.label);
        }
    }
    assert!(results().any(|result| !result.doubted.is_empty()));
    // If the names contradict the shape about left and right, the confidence of limbs is below 0.6, or exactly 1.
    let (_, swapped) = &lists[2];
    let limbs = swapped.iter().flat_map(|result| &result.roles).filter(|role| role.2.key().contains("_"));
    assert!(limbs.filter(|role| role.0 < 1.0).all(|role| role.0 < 0.6));
}
