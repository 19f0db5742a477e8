//! The output of `inspect`, as text or as JSON (`kinescope-inspect`, version 1).

use std::fmt::Write;

use serde_json::{Map, Value, json};

use crate::character::Character;
use crate::system::files::within_line;
use kinescope_ik::json::shortest;
use kinescope_ik::rig::Role;

pub fn json(character: &Character) -> String {
    let (model, detection) = (&character.model, &character.detection);
    let name = |bone: usize| model.skeleton.bones()[bone].name.clone();
    let is_biped = detection.biped.is_some() && character.rig.full_body.is_ok();
    let (mut biped, mut sureness) = (Map::new(), Map::new());
    for finding in &detection.roles {
        let names: Vec<Value> = finding.bones.iter().map(|&bone| name(bone).into()).collect();
        let value = match finding.role {
            Role::Spine => names.into(),
            _ => names.into_iter().next().unwrap_or(Value::Null),
        };
        biped.insert(finding.role.key().to_owned(), value);
        sureness.insert(finding.role.key().to_owned(), json!(shortest(finding.confidence)));
    }
    let clips = model.clips.iter().map(|clip| json!({ "name": clip.name, "duration": shortest(clip.duration) }));
    let problems: Vec<&String> = detection.problems.iter().chain(&model.notes).collect();
    let value = json!({
        "format": "kinescope-inspect",
        "version": 1,
        "is_biped": is_biped,
        "problems": problems,
        "biped": if is_biped { Value::Object(biped) } else { Value::Null },
        "sureness": sureness,
        "root_node": detection.biped.as_ref().map(|biped| name(biped.root_node)),
        "height": shortest(detection.height),
        "facing": detection.facing.to_array().map(shortest),
        "up": detection.up.to_array().map(shortest),
        "bones": model.skeleton.len(),
        "vertices": model.meshes.iter().map(|mesh| mesh.positions.len()).sum::<usize>(),
        "clips": clips.collect::<Vec<_>>(),
    });
    kinescope_ik::json::to_json_pretty(&value)
}

pub fn text(character: &Character) -> String {
    let (model, detection) = (&character.model, &character.detection);
    let mut out = String::new();
    let mut line = |text: String| {
        let _ = writeln!(out, "{}", within_line(&text));
    };
    let vertices: usize = model.meshes.iter().map(|mesh| mesh.positions.len()).sum();
    line(format!("{}: {} bones, {} vertices, {} clips", model.name, model.skeleton.len(), vertices, model.clips.len()));
    let [x, y, z] = detection.facing.to_array();
    line(format!("height {:.3}, facing [{x:.2}, {y:.2}, {z:.2}]", detection.height));
    match &character.rig.full_body {
        Ok(_) => line("biped:".to_owned()),
        Err(error) => line(format!("not solvable: {error}")),
    }
    for finding in &detection.roles {
        let names: Vec<&str> = finding.bones.iter().map(|&bone| model.skeleton.bones()[bone].name.as_str()).collect();
        let names = if names.is_empty() { "–".to_owned() } else { names.join(", ") };
        line(format!(
            "  {:<18} {:<34} {:>3.0} %  {}",
            kinescope_ik::key::label(finding.role.key()),
            names,
            finding.confidence * 100.0,
            finding.reason
        ));
    }
    line(format!("reference pose: {:?}, {}", detection.reference_kind, detection.reference_reason).to_lowercase());
    if let Some(biped) = &detection.biped {
        let name = &model.skeleton.bones()[biped.root_node].name;
        line(format!("root node: {name}, {}", detection.root_node_reason));
    }
    for problem in detection.problems.iter().chain(&model.notes) {
        line(format!("! {problem}"));
    }
    for clip in &model.clips {
        line(format!("clip {:?}, {:.2} s", clip.name, clip.duration));
    }
    out
}
