//! Morph targets: their offsets, names and weights.

use glam::Vec3;
use serde_json::Value;

use super::super::model::{Morph, MorphOffset};
use super::accessor::Store;
use super::notes::{Notes, Outcome, one_line};

/// The largest plausible weight and offset. Larger values are damage.
const MOST: f32 = 1e9;

/// Returns the morph targets of a primitive with `count` vertices. A target has no offset for vertices that it does not
/// change, or whose offset in the file is not finite or is implausibly large.
pub(super) fn targets(
    primitive: &Value,
    count: usize,
    store: &mut Store,
    notes: &mut Notes,
) -> Outcome<Vec<Vec<MorphOffset>>> {
    let list = primitive.get("targets").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let mut targets = Vec::with_capacity(list.len());
    for target in list {
        if target
            .as_object()
            .is_some_and(|own| own.keys().any(|key| key.starts_with("COLOR") || key.starts_with("TEXCOORD")))
        {
            notes.add("morph targets of colours and texture coordinates are left out");
        }
        let mut vectors = |key: &str, what: &str| -> Outcome<Vec<Vec3>> {
            let accessor = target.get(key).and_then(Value::as_u64).and_then(|at| usize::try_from(at).ok());
            let Some(accessor) = accessor else { return Ok(Vec::new()) };
            if let Err(problem) = store.unpack(accessor) {
                notes.add(format!("morph targets are left out: {problem}"));
                return Ok(Vec::new());
            }
            let numbers = store.read(accessor, what, &[3])?;
            Ok(numbers.rows().take(count).map(Vec3::from_slice).collect())
        };
        let (positions, normals) = (vectors("POSITION", "morph targets")?, vectors("NORMAL", "morph targets")?);
        let at = |list: &[Vec3], vertex: usize| list.get(vertex).copied().unwrap_or(Vec3::ZERO);
        let offsets = (0..positions.len().max(normals.len())).filter_map(|vertex| {
            let (position, normal) = (at(&positions, vertex), at(&normals, vertex));
            let is_sound = position.abs().max_element() < MOST && normal.abs().max_element() < MOST;
            let moves = position != Vec3::ZERO || normal != Vec3::ZERO;
            (moves && is_sound && !position.is_nan() && !normal.is_nan()).then_some(MorphOffset {
                vertex: vertex as u32,
                position,
                normal,
            })
        });
        targets.push(offsets.collect());
    }
    Ok(targets)
}

/// Returns names and weights of the morph targets of a mesh; `None` without targets. Weights of the node replace those
/// of the mesh.
pub(super) fn morph(mesh: &Value, node: Option<&Value>, name: &str) -> Option<Morph> {
    let list = |value: &Value, key: &str| value.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let count = list(mesh, "primitives").iter().map(|primitive| list(primitive, "targets").len()).max()?;
    if count == 0 {
        return None;
    }
    let own = node.map(|node| list(node, "weights")).filter(|weights| !weights.is_empty());
    let given = own.unwrap_or_else(|| list(mesh, "weights"));
    let weight = |target: usize| {
        let weight = given.get(target).and_then(Value::as_f64).map_or(0.0, |weight| weight as f32);
        if weight.abs() < MOST { weight } else { 0.0 }
    };
    let names = mesh.pointer("/extras/targetNames").and_then(Value::as_array);
    let named = |target: usize| {
        let name = names.and_then(|names| names.get(target)?.as_str());
        name.map_or_else(|| format!("target {target}"), one_line)
    };
    Some(Morph {
        name: name.to_owned(),
        targets: (0..count).map(named).collect(),
        weights: (0..count).map(weight).collect(),
    })
}
