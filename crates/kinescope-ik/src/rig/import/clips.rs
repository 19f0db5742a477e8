//! Conversion of animations to clips of the skeleton.

use glam::{Quat, Vec3};
use gltf_json as json;
use gltf_json::animation::{Interpolation as FileInterpolation, Property};
use gltf_json::validation::Checked;
use serde::Deserialize;
use serde_json::Value;

use super::accessor::{Numbers, Store};
use super::container::Document;
use super::nodes::{Rig, unit_quaternion};
use super::notes::{Notes, Outcome, UniqueNames};
use crate::error::Fault;
use crate::rig::clip::{Clip, Interpolation, Track, TrackValues};

/// The largest plausible value of a key. Larger values are damage.
const MOST_UNITS: f32 = 1e9;

pub(super) fn read(document: &Document, rig: &Rig, store: &mut Store, notes: &mut Notes) -> Outcome<Vec<Clip>> {
    let mut names = UniqueNames::default();
    let mut clips = Vec::new();
    for (index, animation) in document.array("animations").iter().enumerate() {
        let name = names.take(animation.get("name").and_then(Value::as_str), "clip", index);
        let list = |key: &str| animation.get(key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let samplers = list("samplers");
        let mut clip = Clip { name, ..Clip::default() };
        for (number, channel) in list("channels").iter().enumerate() {
            let place = format!("animation {index}, channel {number}");
            let channel = match json::animation::Channel::deserialize(channel) {
                Ok(channel) => channel,
                Err(error) => {
                    clip.skipped.push(format!("{place}: {error}"));
                    continue;
                }
            };
            let node = channel.target.node.value();
            if node >= document.nodes.len() {
                return Err(Fault::new(place, format!("its node {node} does not exist; export the file again")));
            }
            let Some(bone) = rig.bone_of_node[node] else {
                let sampler = samplers.get(channel.sampler.value());
                if sampler.is_some_and(|sampler| moves_anything(sampler, store)) {
                    clip.unbound.push(format!("{place}: it moves node {node}, which is not a bone"));
                }
                continue;
            };
            let sampler = samplers.get(channel.sampler.value()).ok_or_else(|| {
                let problem = format!("its sampler {} does not exist; export the file again", channel.sampler.value());
                Fault::new(place.clone(), problem)
            })?;
            let sampler = match json::animation::Sampler::deserialize(sampler) {
                Ok(sampler) => sampler,
                Err(error) => {
                    clip.skipped.push(format!("{place}: {error}"));
                    continue;
                }
            };
            let Checked::Valid(property) = channel.target.path else {
                clip.skipped.push(format!("{place}: it moves an unknown property"));
                continue;
            };
            if property == Property::MorphTargetWeights {
                clip.unbound.push(format!("{place}: it moves morph targets"));
                continue;
            }
            let (input, output) = (sampler.input.value(), sampler.output.value());
            if store.is_compressed(input) || store.is_compressed(output) {
                clip.skipped.push(format!("{place}: its keys are compressed"));
                continue;
            }
            let interpolation = match sampler.interpolation {
                Checked::Valid(FileInterpolation::Step) => Interpolation::Step,
                Checked::Valid(FileInterpolation::CubicSpline) => Interpolation::CubicSpline,
                _ => Interpolation::Linear,
            };
            let times = store.read(input, "key times", &[1])?.values;
            let width = if property == Property::Rotation { 4 } else { 3 };
            let numbers = store.read(output, "key values", &[width])?;
            match track(bone, property, interpolation, times, &numbers) {
                Ok(track) => clip.tracks.push(track),
                Err(problem) => clip.skipped.push(format!("{place}: {problem}")),
            }
        }
        // Many channels may have the same fault, so only the first is shown.
        if let Some(first) = clip.skipped.iter().chain(&clip.unbound).next() {
            let count = clip.skipped.len() + clip.unbound.len();
            let plural = if count == 1 { "channel is" } else { "channels are" };
            notes.add(format!("clip {:?}: {count} {plural} left out; {first}", clip.name));
        }
        let ends = clip.tracks.iter().filter_map(|track| track.times.last().copied());
        clip.duration = ends.fold(0.0, f32::max);
        clips.push(clip);
    }
    Ok(clips)
}

/// Returns true if a channel of a node that is not a bone moves anything. Exporters write keys for everything, mostly
/// constant ones.
fn moves_anything(sampler: &Value, store: &mut Store) -> bool {
    let Ok(sampler) = json::animation::Sampler::deserialize(sampler) else { return false };
    let output = sampler.output.value();
    if store.is_compressed(output) {
        return true;
    }
    let Ok(numbers) = store.read(output, "key values", &[1, 3, 4]) else { return false };
    let mut rows = numbers.rows();
    let first = rows.next();
    rows.any(|row| first.is_some_and(|first| row.iter().zip(first).any(|(a, b)| (a - b).abs() > 1e-4)))
}

fn track(
    bone: usize,
    property: Property,
    interpolation: Interpolation,
    mut times: Vec<f32>,
    numbers: &Numbers,
) -> Result<Track, String> {
    let per_key = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    let keys = times.len().min(numbers.len() / per_key);
    if keys == 0 {
        return Err("it has no keys".to_owned());
    }
    times.truncate(keys);
    if !times.iter().all(|time| time.is_finite() && time.abs() < MOST_UNITS) {
        return Err("a key's time is not finite or too large".to_owned());
    }
    if times.windows(2).any(|pair| pair[1] < pair[0]) {
        return Err("its key times decrease".to_owned());
    }
    let values = &numbers.values[..keys * per_key * numbers.width];
    if !values.iter().all(|value| value.abs() < MOST_UNITS) {
        return Err("a key's value is not finite or too large".to_owned());
    }
    let rows = values.chunks_exact(numbers.width);
    let vectors = || rows.clone().map(|row| Vec3::new(row[0], row[1], row[2])).collect();
    let values = match property {
        Property::Translation => TrackValues::Translation(vectors()),
        Property::Scale => TrackValues::Scale(vectors()),
        _ => {
            let rotation = |(at, row): (usize, &[f32])| {
                let raw = [row[0], row[1], row[2], row[3]];
                // Of the three values of a cubic key only the middle one is a rotation; the others are tangents.
                let is_tangent = per_key == 3 && at % 3 != 1;
                if is_tangent { Quat::from_array(raw) } else { unit_quaternion(raw).unwrap_or(Quat::IDENTITY) }
            };
            TrackValues::Rotation(rows.enumerate().map(rotation).collect())
        }
    };
    Ok(Track { bone, interpolation, times, values })
}
