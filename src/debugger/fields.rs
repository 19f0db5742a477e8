//! What a stack is told, field by field, by the paths of presets: what differs, and how to carry a difference over.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::error::Fault;
use crate::stack::Stack;

/// A field that two settings have differently.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// As in error messages: `chains.left_arm.pull`.
    pub path: String,
    pub before: Value,
    pub after: Value,
}

/// Every field by its path. Vectors and rotations are one field each, and so is what is a list.
pub fn flatten(stack: &Stack) -> BTreeMap<String, Value> {
    let mut fields = BTreeMap::new();
    collect(stack.to_value(), String::new(), &mut fields);
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
pub fn changes(before: &Stack, after: &Stack) -> Vec<Change> {
    if before == after {
        return Vec::new();
    }
    let mut others = flatten(after);
    let mut found: Vec<Change> = flatten(before)
        .into_iter()
        .filter_map(|(path, before)| {
            let after = others.remove(&path).unwrap_or(Value::Null);
            (before != after).then_some(Change { path, before, after })
        })
        .collect();
    // What only the second has: a lab that was opened.
    found.extend(others.into_iter().map(|(path, after)| Change { path, before: Value::Null, after }));
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// A stack with every change made, whatever the fields were before.
///
/// # Errors
/// [`Fault`] for a path that is none, or a value that does not fit.
pub fn with_changes(stack: &Stack, changes: &[Change]) -> Result<Stack, Fault> {
    if changes.is_empty() {
        return Ok(stack.clone());
    }
    let mut value = stack.to_value();
    for change in changes {
        let pointer = format!("/{}", change.path.replace('.', "/"));
        match value.pointer_mut(&pointer) {
            Some(field) => *field = change.after.clone(),
            None => put(&mut value, &change.path, &change.after)?,
        }
    }
    let changed = Stack::from_value(value)?;
    changed.validate()?;
    Ok(changed)
}

/// Puts a field where there was nothing: below a null, which becomes what holds it.
fn put(value: &mut Value, path: &str, after: &Value) -> Result<(), Fault> {
    let missing = || Fault::new(path, "there is no such field");
    let (mut at, mut is_new) = (value, false);
    for name in path.split('.') {
        if at.is_null() {
            (*at, is_new) = (Value::Object(Default::default()), true);
        }
        let fields = at.as_object_mut().filter(|fields| is_new || fields.contains_key(name)).ok_or_else(missing)?;
        at = fields.entry(name).or_insert(Value::Null);
    }
    *at = after.clone();
    Ok(())
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
    use crate::stack::LabSection;
    use glam::Vec3;

    #[test]
    fn a_difference_is_carried_over_and_nothing_else() {
        let before = Stack::default();
        let mut after = before.clone();
        after.full_body.chain_mut(LimbName::LeftArm).pull = 0.25;
        after.full_body.effector_mut(Effector::LeftHand).position = Some(Vec3::new(0.1, 1.2, 0.3));
        after.grounding.predictive.max_step = 0.25;
        let found = changes(&before, &after);
        let paths: Vec<&str> = found.iter().map(|change| change.path.as_str()).collect();
        assert_eq!(paths, ["chains.left_arm.pull", "effectors.left_hand.position", "grounding.predictive.max_step"]);

        let mut other = before.clone();
        other.full_body.pin = 0.5;
        let carried = with_changes(&other, &found).unwrap();
        let mut expected = after.clone();
        expected.full_body.pin = 0.5;
        assert!(carried == expected);
        // What is there in one of them only.
        after.chain_ik.lab = Some(LabSection::default());
        for [from, to] in [[&before, &after], [&after, &before]] {
            assert!(with_changes(from, &changes(from, to)).unwrap() == *to);
        }
        assert!(changes(&after, &after).is_empty());
    }

    #[test]
    fn wrong_paths_and_values_are_named() {
        let change = |path: &str, after: Value| Change { path: path.to_owned(), before: Value::Null, after };
        let error = with_changes(&Stack::default(), &[change("chains.left_arm.pul", 1.0.into())]).unwrap_err();
        assert!(error.to_string().starts_with("chains.left_arm.pul:"), "{error}");
        let error = with_changes(&Stack::default(), &[change("chains.left_arm.pull", 7.0.into())]).unwrap_err();
        assert!(error.to_string().contains("chains.left_arm.pull: is 7"), "{error}");
        assert!(with_changes(&Stack::default(), &[change("solver.weight", "much".into())]).is_err());
    }
}
