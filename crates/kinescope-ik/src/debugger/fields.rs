//! Compares the settings of two stacks field by field and applies the differences to a stack. Fields are named by their
//! paths in presets.

use serde_json::Value;

use crate::error::Fault;
use crate::stack::Stack;

/// A field that differs between two settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The path as in error messages: `chains.left_arm.pull`.
    pub path: String,
    /// The value in the first settings. A field that they lack is null, or for a switch the default.
    pub before: Value,
    /// The value in the second settings. A field that they lack is null, or for a switch the default.
    pub after: Value,
}

/// Sections whose keys are user data (names of clips) instead of names of fields. They are compared as a whole.
const WHOLE: [&str; 1] = ["grounding.curves"];

/// Returns the differences, sorted by path. A vector, a rotation, a list, or a part that only one side has (such as an
/// open lab) counts as one field.
pub fn changes(before: &Stack, after: &Stack) -> Vec<Change> {
    let mut found = Vec::new();
    if before != after {
        collect(whole(before), whole(after), String::new(), &mut found);
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// Returns a stack as in a preset, with the sections that files omit because they have their defaults.
fn whole(stack: &Stack) -> Value {
    let mut value = stack.to_value();
    for (name, settings) in stack.order.own_settings() {
        value["stack"][name] = settings;
    }
    value
}

fn collect(before: Value, after: Value, path: String, found: &mut Vec<Change>) {
    match (before, after) {
        (Value::Object(before), Value::Object(mut after)) if !WHOLE.contains(&path.as_str()) => {
            let mut pairs: Vec<(String, [Value; 2])> = Vec::new();
            for (name, value) in before {
                let other = after.remove(&name).unwrap_or_else(|| omitted(&value));
                pairs.push((name, [value, other]));
            }
            pairs.extend(after.into_iter().map(|(name, value)| (name, [omitted(&value), value])));
            for (name, [before, after]) in pairs {
                let path = if path.is_empty() { name } else { format!("{path}.{name}") };
                collect(before, after, path, found);
            }
        }
        (before, after) if before != after => found.push(Change { path, before, after }),
        _ => {}
    }
}

/// Returns the value of an omitted field, given the value on the other side. A switch is omitted if it has its default.
fn omitted(other: &Value) -> Value {
    other.as_bool().map_or(Value::Null, |other| Value::Bool(!other))
}

/// Returns a stack with all changes applied, whatever the current values of the fields.
///
/// # Errors
/// [`Fault`] for an unknown path or an invalid value.
pub fn with_changes(stack: &Stack, changes: &[Change]) -> Result<Stack, Fault> {
    if changes.is_empty() {
        return Ok(stack.clone());
    }
    let mut value = whole(stack);
    for change in changes {
        put(&mut value, &change.path, &change.after)?;
    }
    let changed = Stack::from_value(value)?;
    changed.validate()?;
    Ok(changed)
}

fn put(value: &mut Value, path: &str, after: &Value) -> Result<(), Fault> {
    let (parents, last) = path.rsplit_once('.').unwrap_or(("", path));
    let no_field = || Fault::new(path, "there is no such field");
    let mut at = value;
    for name in parents.split('.').filter(|name| !name.is_empty()) {
        at = at.as_object_mut().ok_or_else(no_field)?.entry(name).or_insert(Value::Null);
        // A section that the stack lacks gets its defaults. Reading the stack rejects unknown sections and fields.
        if at.is_null() {
            *at = Value::Object(serde_json::Map::new());
        }
    }
    let fields = at.as_object_mut().ok_or_else(no_field)?;
    // Null stands for an omitted field, which has its default.
    match after {
        Value::Null => drop(fields.remove(last)),
        after => drop(fields.insert(last.to_owned(), after.clone())),
    }
    Ok(())
}

/// Returns a field's value as a short text: numbers with up to three decimals, vectors in brackets.
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
        after.chain_ik.lab = Some(LabSection::default());
        for [from, to] in [[&before, &after], [&after, &before]] {
            assert!(with_changes(from, &changes(from, to)).unwrap() == *to);
        }
        assert!(changes(&after, &after).is_empty());
        // Files omit `scale_free_reach` at its default.
        let mut free = before.clone();
        free.full_body.chain_mut(LimbName::LeftLeg).scale_free_reach = true;
        for [from, to] in [[&before, &free], [&free, &before]] {
            let found = changes(from, to);
            assert!(found.len() == 1 && found[0].before.is_boolean() && with_changes(from, &found).unwrap() == *to);
        }
        let mut smooth = before.clone();
        smooth.full_body.chain_mut(LimbName::LeftLeg).clamp_smoothing = 2;
        let mut literal = before.clone();
        literal.chain_ik.lab = Some(LabSection::default());
        let mut lab = literal.clone();
        lab.chain_ik.lab.as_mut().unwrap().lanes[0].bend_rule = crate::chain_ik::BendRule::Literal;
        for [from, to] in [[&before, &smooth], [&smooth, &before], [&literal, &lab], [&lab, &literal]] {
            let found = changes(from, to);
            assert!(!found.is_empty() && with_changes(from, &found).unwrap() == *to, "{found:?}");
        }
    }

    #[test]
    fn wrong_paths_and_values_are_named() {
        let change = |path: &str, after: Value| Change { path: path.to_owned(), before: Value::Null, after };
        let error = with_changes(&Stack::default(), &[change("chains.left_arm.pul", 1.0.into())]).unwrap_err();
        assert!(error.to_string().starts_with("chains.left_arm.pul:"), "{error}");
        let error = with_changes(&Stack::default(), &[change("chains.left_arm.pull", 7.0.into())]).unwrap_err();
        assert!(error.to_string().contains("chains.left_arm.pull: is 7"), "{error}");
        assert!(with_changes(&Stack::default(), &[change("solver.weight", "much".into())]).is_err());
        assert!(with_changes(&Stack::default(), &[change("no_section.weight", 1.0.into())]).is_err());
    }

    #[test]
    fn a_field_of_a_section_that_the_stack_lacks_creates_the_section() {
        let mut literal = Stack::default();
        literal.chain_ik.lab = Some(LabSection::default());
        let mut changed = literal.clone();
        changed.chain_ik.lab.as_mut().unwrap().over = !LabSection::default().over;
        let found = changes(&literal, &changed);
        assert!(with_changes(&Stack::default(), &found).unwrap() == changed, "{found:?}");
    }
}
