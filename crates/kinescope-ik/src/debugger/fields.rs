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
