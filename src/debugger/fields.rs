//! Settings field by field, by the paths of presets: what differs, and how to carry a difference over.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::error::Fault;
use crate::full_body::Settings;

/// A field that two settings have differently.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// As in error messages: `chains.left_arm.pull`.
    pub path: String,
    pub before: Value,
    pub after: Value,
}

/// Every field by its path. Vectors and rotations are one field each.
pub fn flatten(settings: &Settings) -> BTreeMap<String, Value> {
    let mut fields = BTreeMap::new();
    // Plain data: serialising it into memory does not fail.
    collect(serde_json::to_value(settings).unwrap_or_default(), String::new(), &mut fields);
    fields
}

fn collect(value: Value, path: String, fields: &mut BTreeMap<String, Value>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                let path = if path.is_empty() { name } else { format!("{path}.{name}") };
                collect(value, path, fields);
            }
        }
        value => drop(fields.insert(path, value)),
    }
}

/// What differs, in the order of paths.
pub fn changes(before: &Settings, after: &Settings) -> Vec<Change> {
    if before == after {
        return Vec::new();
    }
    let mut others = flatten(after);
    let pairs = flatten(before).into_iter().filter_map(|(path, before)| {
        let after = others.remove(&path)?;
        (before != after).then_some(Change { path, before, after })
    });
    pairs.collect()
}

/// `settings` with every change made, whatever the fields were before.
///
/// # Errors
/// [`Fault`] for a path that is none, or a value that does not fit.
pub fn with_changes(settings: &Settings, changes: &[Change]) -> Result<Settings, Fault> {
    if changes.is_empty() {
        return Ok(*settings);
    }
    let mut value = serde_json::to_value(settings).unwrap_or_default();
    for change in changes {
        let pointer = format!("/{}", change.path.replace('.', "/"));
        let Some(field) = value.pointer_mut(&pointer) else {
            return Err(Fault::new(change.path.clone(), "there is no such field"));
        };
        *field = change.after.clone();
    }
    let changed: Settings = serde_path_to_error::deserialize(&value)?;
    changed.validate()?;
    Ok(changed)
}

/// A field's value in few letters: numbers with what digits they need, vectors in brackets.
pub fn short(value: &Value) -> String {
    let number = |number: &serde_json::Number| {
        let text = format!("{:.3}", number.as_f64().unwrap_or(0.0));
        let text = text.trim_end_matches('0').trim_end_matches('.');
        if text == "-0" { "0".to_owned() } else { text.replace('-', "−") }
    };
    match value {
        Value::Null => "–".to_owned(),
        Value::Bool(on) => if *on { "on" } else { "off" }.to_owned(),
        Value::Number(value) => number(value),
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(short).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(_) => "…".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::full_body::Effector;
    use crate::rig::LimbName;
    use glam::Vec3;

    #[test]
    fn a_difference_is_carried_over_and_nothing_else() {
        let before = Settings::default();
        let mut after = before;
        after.chain_mut(LimbName::LeftArm).pull = 0.25;
        after.effector_mut(Effector::LeftHand).position = Some(Vec3::new(0.1, 1.2, 0.3));
        let found = changes(&before, &after);
        let paths: Vec<&str> = found.iter().map(|change| change.path.as_str()).collect();
        assert_eq!(paths, ["chains.left_arm.pull", "effectors.left_hand.position"]);

        let mut other = before;
        other.pin = 0.5;
        let carried = with_changes(&other, &found).unwrap();
        let mut expected = after;
        expected.pin = 0.5;
        assert!(carried == expected);
        assert!(changes(&after, &after).is_empty());
    }

    #[test]
    fn wrong_paths_and_values_are_named() {
        let change = |path: &str, after: Value| Change { path: path.to_owned(), before: Value::Null, after };
        let error = with_changes(&Settings::default(), &[change("chains.left_arm.pul", 1.0.into())]).unwrap_err();
        assert!(error.to_string().starts_with("chains.left_arm.pul:"), "{error}");
        let error = with_changes(&Settings::default(), &[change("chains.left_arm.pull", 7.0.into())]).unwrap_err();
        assert!(error.to_string().contains("chains.left_arm.pull: is 7"), "{error}");
        assert!(with_changes(&Settings::default(), &[change("solver.weight", "much".into())]).is_err());
    }
}
