//! The output of `inspect`, as text or as JSON (`kinescope-inspect`, version 1).

use std::fmt::Write;

use serde_json::{Map, Value, json};

use crate::character::Character;
use crate::system::files::within_line;
use kinescope_ik::json::shortest;
use kinescope_ik::rig::Role;

pub(crate) fn json(character: &Character) -> String {
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

pub(crate) fn text(character: &Character) -> String {
    let (model, detection) = (&character.model, &character.detection);
    let mut out = String::new();
    let mut line = |text: String| {
        let _ = writeln!(out, "{}", within_line(&text).trim_end());
    };
    let vertices: usize = model.meshes.iter().map(|mesh| mesh.positions.len()).sum();
    let [bones, vertices, clips] =
        [(model.skeleton.len(), "bone"), (vertices, "vertex"), (model.clips.len(), "clip")].map(counted);
    line(format!("{}: {bones}, {vertices}, {clips}", model.name));
    // Adding 0 turns -0 into 0 after rounding.
    let [x, y, z] = detection.facing.to_array().map(|part| (part * 100.0).round() / 100.0 + 0.0);
    line(format!("height {:.3} {}, facing [{x:.2}, {y:.2}, {z:.2}]", detection.height, character.model_unit()));
    let error = character.rig.full_body.as_ref().err();
    match error {
        None => line("biped:".to_owned()),
        Some(error) => line(format!("not solvable: {error}")),
    }
    let names = |bones: &[usize]| -> String {
        let names: Vec<&str> = bones.iter().map(|&bone| model.skeleton.bones()[bone].name.as_str()).collect();
        if names.is_empty() { "–".to_owned() } else { within_line(&names.join(", ")).to_string() }
    };
    let widest = detection.roles.iter().map(|finding| width(&names(&finding.bones))).max().unwrap_or(0);
    for finding in &detection.roles {
        let names = names(&finding.bones);
        let space = " ".repeat(widest - width(&names));
        let sureness = match finding.bones.is_empty() {
            true => String::new(),
            false => format!("{:.0} %", finding.confidence * 100.0),
        };
        let role = kinescope_ik::key::label(finding.role.key());
        line(format!("  {role:<18} {names}{space}  {sureness:>5}  {}", finding.reason));
    }
    line(format!("reference pose: {:?}, {}", detection.reference_kind, detection.reference_reason).to_lowercase());
    if let Some(biped) = &detection.biped {
        let name = &model.skeleton.bones()[biped.root_node].name;
        line(format!("root node: {name}, {}", detection.root_node_reason));
    }
    // The line "not solvable" may end with one of these problems.
    let is_shown = |problem: &&String| !error.is_some_and(|error| error.ends_with(problem.as_str()));
    for problem in detection.problems.iter().filter(is_shown).chain(&model.notes) {
        line(format!("! {problem}"));
    }
    for clip in &model.clips {
        line(format!("clip {:?}, {:.2} s", clip.name, clip.duration));
    }
    out
}
pub fn counted((count, noun): (usize, &str)) -> String {
    match (count, noun) {
        (1, noun) => format!("1 {noun}"),
        (count, "vertex") => format!("{count} vertices"),
        (count, noun) => format!("{count} {noun}s"),
    }
}

/// Returns the columns that a text takes in a terminal. Chinese, Japanese and Korean characters take two.
pub fn width(text: &str) -> usize {
    let columns = |character: char| match u32::from(character) {
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xff00..=0xff60 | 0x20000..=0x3fffd => {
            2
        }
        _ => 1,
    };
    text.chars().map(columns).sum()
}
