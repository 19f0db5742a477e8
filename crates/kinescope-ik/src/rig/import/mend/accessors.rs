//! Repair of accessors: their layout in the buffer, and their numbers.

use std::collections::{BTreeMap, BTreeSet};

use glam::{Quat, Vec3};
use serde_json::{Value, json};

use super::document::{
    ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER, FLOAT, MESHOPT, Mend, UNIT, UNSIGNED_INT, UNSIGNED_SHORT, Use, index, list_mut,
    remove,
};
use crate::math::exact_unit;
use crate::rig::import::writing::view;

impl Mend<'_, '_> {
    /// Repairs accessors, except compressed ones and those in `done`: makes them readable, with the layout and the
    /// numbers that their use requires, and with correct bounds.
    pub(super) fn accessors(&mut self) {
        let mut users: BTreeMap<usize, BTreeSet<(bool, bool)>> = BTreeMap::new();
        let mut sharing: BTreeMap<usize, usize> = BTreeMap::new();
        for at in 0..self.document.accessors.len() {
            if let Some(view) = index(self.root["accessors"][at].get("bufferView")) {
                let used = self.uses.get(&at);
                let kind = (used == Some(&Use::Index), used.is_some_and(|used| used.is_vertex()));
                users.entry(view).or_default().insert(kind);
                *sharing.entry(view).or_default() += 1;
            }
        }
        for at in 0..self.document.accessors.len() {
            if self.done.contains(&at) || self.store.is_compressed(at) {
                continue;
            }
            let accessor = &self.root["accessors"][at];
            if accessor.get("bufferView").is_none() && accessor.get("sparse").is_none() && self.length(at) > Some(0) {
                // An accessor without bytes is all zeros, or an extension unpacks it.
                continue;
            }
            let Ok(mut numbers) = self.store.read(at, "values", &[1, 2, 3, 4, 16]) else {
                let accessor = &mut self.root["accessors"][at];
                ["bufferView", "byteOffset", "sparse", "min", "max"].iter().for_each(|key| remove(accessor, key));
                if index(accessor.get("count")).is_none_or(|count| count == 0) {
                    accessor["count"] = 1.into();
                }
                self.notes.add(format!("accessor {at} cannot be read: its values are 0 now"));
                continue;
            };
            if numbers.values.is_empty() {
                self.root["accessors"][at]["count"] = 1.into();
                numbers.values.resize(numbers.width, 0.0);
            }
            let used = self.uses.get(&at).copied();
            let component = self.root["accessors"][at]["componentType"].as_u64().unwrap_or(FLOAT);
            let normalized = self.root["accessors"][at]["normalized"].as_bool().unwrap_or(false);
            let is_fixed = component == FLOAT && fix(used, numbers.width, &mut numbers.values);
            if is_fixed {
                self.notes.add(match used {
                    Some(Use::Normal) => "normals without unit length were corrected",
                    Some(Use::Tangent) => "tangents without unit length, or with a sign other than ±1, were corrected",
                    Some(Use::Color) => "colours that are not finite or outside 0 to 1 were corrected",
                    Some(Use::Times) => "key times that did not increase were corrected",
                    Some(Use::Rotation { .. }) => "rotation keys without unit length were normalized",
                    _ => "numbers that are not finite were set to 0",
                });
            }
            let is_shared = |view: usize| {
                let kinds = users.get(&view).map_or(0, BTreeSet::len);
                kinds > 1 || sharing.get(&view) > Some(&1) && used.is_some_and(|used| used.is_vertex())
            };
            let is_well_aligned = is_well_aligned(&self.root, at, used, numbers.width, is_shared);
            if is_fixed || !is_well_aligned {
                let values = match component {
                    // Vertex indices of 32 bits are copied as integers, because not all of them fit an f32.
                    UNSIGNED_INT => None,
                    _ => Some(numbers.values.as_slice()),
                };
                match (values, used) {
                    (None, Some(Use::Index)) => {
                        let Ok(indices) = self.store.read_indices(at) else { continue };
                        let bytes: Vec<u8> = indices.into_iter().flat_map(u32::to_le_bytes).collect();
                        self.lay(at, Use::Index, &bytes, None);
                    }
                    (_, used) => {
                        let used = used.unwrap_or(Use::Keys);
                        self.write(at, used, component, normalized, numbers.width, &numbers.values);
                    }
                }
            } else if let (Some(used), Some(view)) = (used, index(self.root["accessors"][at].get("bufferView"))) {
                let target = match used {
                    Use::Index => Some(ELEMENT_ARRAY_BUFFER),
                    used if used.is_vertex() => Some(ARRAY_BUFFER),
                    _ => None,
                };
                let view = &mut self.root["bufferViews"][view];
                if view.get("target").is_some_and(|given| given.as_u64() != target) {
                    remove(view, "target");
                }
            }
            self.bounds(at, used, component, normalized, &numbers.values, numbers.width);
        }
    }

    /// Removes invalid strides, and from views with a valid stride any target other than that of vertices. Leaves
    /// compressed views as they are.
    pub(super) fn strides(&mut self) {
        for view in list_mut(&mut self.root, "bufferViews") {
            let is_packed = MESHOPT.into_iter().any(|name| view.pointer(&format!("/extensions/{name}")).is_some());
            let Some(stride) = view.get("byteStride").filter(|_| !is_packed).map(|stride| index(Some(stride))) else {
                continue;
            };
            let length = index(view.get("byteLength")).unwrap_or(0);
            if stride.is_none_or(|stride| stride % 4 != 0 || !(4..=252.min(length)).contains(&stride)) {
                remove(view, "byteStride");
            } else if view.get("target").is_some_and(|target| target.as_u64() != Some(ARRAY_BUFFER)) {
                remove(view, "target");
            }
        }
    }

    pub(super) fn write(
        &mut self,
        at: usize,
        used: Use,
        component: u64,
        normalized: bool,
        width: usize,
        values: &[f32],
    ) {
        let size = component_size(component) * width;
        // Every vertex must start at a multiple of four bytes.
        let stride = if used.is_vertex() { size.next_multiple_of(4) } else { size };
        let mut bytes = Vec::with_capacity(values.len() / width * stride);
        for row in values.chunks_exact(width) {
            let end = bytes.len() + stride;
            for &value in row {
                let value = if normalized { (value * largest(component)).round() } else { value };
                match component {
                    5120 => bytes.extend((value as i8).to_le_bytes()),
                    5121 => bytes.extend((value as u8).to_le_bytes()),
                    5122 => bytes.extend((value as i16).to_le_bytes()),
                    UNSIGNED_SHORT => bytes.extend((value as u16).to_le_bytes()),
                    UNSIGNED_INT => bytes.extend((value as u32).to_le_bytes()),
                    _ => bytes.extend(value.to_le_bytes()),
                }
            }
            bytes.resize(end, 0);
        }
        let accessor = &mut self.root["accessors"][at];
        accessor["componentType"] = component.into();
        accessor["count"] = (values.len() / width).into();
        if !normalized {
            remove(accessor, "normalized");
        }
        self.lay(at, used, &bytes, (stride != size).then_some(stride));
        self.bounds(at, Some(used), component, normalized, values, width);
    }

    pub(super) fn lay(&mut self, at: usize, used: Use, bytes: &[u8], stride: Option<usize>) {
        let view = view(&mut self.root, &mut self.bytes, bytes);
        let value = &mut self.root["bufferViews"][view];
        if let Some(stride) = stride {
            value["byteStride"] = stride.into();
        }
        if used == Use::Index {
            value["target"] = ELEMENT_ARRAY_BUFFER.into();
        } else if used.is_vertex() {
            value["target"] = ARRAY_BUFFER.into();
        }
        let accessor = &mut self.root["accessors"][at];
        accessor["bufferView"] = view.into();
        ["byteOffset", "sparse"].iter().for_each(|key| remove(accessor, key));
    }

    /// Writes the smallest and largest values where the file has other ones, or has none and glTF requires them.
    pub(super) fn bounds(
        &mut self,
        at: usize,
        used: Option<Use>,
        component: u64,
        normalized: bool,
        values: &[f32],
        width: usize,
    ) {
        let accessor = &mut self.root["accessors"][at];
        let needs = matches!(used, Some(Use::Position | Use::Times));
        if !needs && accessor.get("min").is_none() && accessor.get("max").is_none() {
            return;
        }
        let raw = |value: f32| if normalized { (value * largest(component)).round() } else { value };
        let of = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
            (0..width)
                .map(|axis| {
                    values.iter().skip(axis).step_by(width).map(|&value| raw(value)).reduce(pick).unwrap_or(0.0)
                })
                .collect()
        };
        for (key, bound) in [("min", of(f32::min)), ("max", of(f32::max))] {
            let given: Option<Vec<f32>> = accessor.get(key).and_then(Value::as_array).map(|given| {
                given.iter().map(|number| number.as_f64().map_or(f32::NAN, |number| number as f32)).collect()
            });
            if given.as_ref() == Some(&bound) || given.is_none() && !needs {
                continue;
            }
            // Bounds of integer components must not have decimals.
            accessor[key] = match component {
                FLOAT => json!(bound),
                _ => json!(bound.iter().map(|&bound| bound as i64).collect::<Vec<_>>()),
            };
            if given.is_some() && !self.done.contains(&at) {
                self.notes.add("wrong bounds of accessors were corrected");
            }
        }
    }
}

/// Repairs numbers by their use: those that are not finite, normals, tangents and rotations without unit length, signs
/// of tangents other than ±1, colours outside 0 to 1, and times that do not increase. Returns whether any was changed.
pub(super) fn fix(used: Option<Use>, width: usize, values: &mut [f32]) -> bool {
    let mut is_changed = false;
    for value in values.iter_mut().filter(|value| !value.is_finite()) {
        *value = 0.0;
        is_changed = true;
    }
    let off = |vector: Vec3| (vector.length() - 1.0).abs() > UNIT;
    match used {
        Some(Use::Normal) if width == 3 => {
            for row in values.chunks_exact_mut(3).filter(|row| off(Vec3::from_slice(row))) {
                crate::math::unit(Vec3::from_slice(row)).unwrap_or(Vec3::Y).write_to_slice(row);
                is_changed = true;
            }
        }
        Some(Use::Tangent) if width == 4 => {
            for row in values.chunks_exact_mut(4) {
                if off(Vec3::from_slice(row)) {
                    crate::math::unit(Vec3::from_slice(row)).unwrap_or(Vec3::X).write_to_slice(row);
                    is_changed = true;
                }
                if row[3].abs() != 1.0 {
                    row[3] = if row[3] < 0.0 { -1.0 } else { 1.0 };
                    is_changed = true;
                }
            }
        }
        Some(Use::Color) => {
            for value in values.iter_mut().filter(|value| !(0.0..=1.0).contains(*value)) {
                *value = value.clamp(0.0, 1.0);
                is_changed = true;
            }
        }
        Some(Use::Times) => {
            for at in 1..values.len() {
                if values[at] <= values[at - 1] {
                    values[at] = values[at - 1].next_up();
                    is_changed = true;
                }
            }
        }
        Some(Use::Rotation { cubic }) if width == 4 => {
            for (at, row) in values.chunks_exact_mut(4).enumerate() {
                let given = Quat::from_slice(row);
                if !(cubic && at % 3 != 1) && exact_unit(given) != given {
                    exact_unit(given).write_to_slice(row);
                    is_changed = true;
                }
            }
        }
        _ => {}
    }
    is_changed
}

/// Returns true if an accessor's layout fits its use: it is aligned, a stride is valid and belongs to vertices or to an
/// accessor without known use, and a view without a stride is not shared according to `is_shared`. True also for an
/// accessor without a view.
pub(super) fn is_well_aligned(
    root: &Value,
    at: usize,
    used: Option<Use>,
    width: usize,
    is_shared: impl Fn(usize) -> bool,
) -> bool {
    let accessor = &root["accessors"][at];
    let Some(at) = index(accessor.get("bufferView")) else { return true };
    let view = &root["bufferViews"][at];
    let size = component_size(accessor["componentType"].as_u64().unwrap_or(FLOAT));
    let offset = index(accessor.get("byteOffset")).unwrap_or(0);
    let whole = offset + index(view.get("byteOffset")).unwrap_or(0);
    let stride = index(view.get("byteStride"));
    let is_vertex = used.is_some_and(Use::is_vertex);
    let unit = if is_vertex || width == 16 { size.next_multiple_of(4) } else { size };
    offset.is_multiple_of(unit)
        && whole.is_multiple_of(unit)
        && match stride {
            Some(stride) => {
                (is_vertex || used.is_none())
                    && stride % 4 == 0
                    && (4..=252).contains(&stride)
                    && stride >= size * width
                    && index(view.get("byteLength")).is_some_and(|length| stride <= length)
            }
            None => (!is_vertex || (size * width).is_multiple_of(4)) && !is_shared(at),
        }
}

pub(super) fn component_size(component: u64) -> usize {
    match component {
        5120 | 5121 => 1,
        5122 | UNSIGNED_SHORT => 2,
        _ => 4,
    }
}

/// Returns the integer that stands for 1 in a normalized accessor of a component type; 1 for types that cannot be
/// normalized.
pub(super) fn largest(component: u64) -> f32 {
    match component {
        5120 => 127.0,
        5121 => 255.0,
        5122 => 32767.0,
        UNSIGNED_SHORT => 65535.0,
        _ => 1.0,
    }
}
