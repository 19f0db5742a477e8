//! Conversion of animations to clips of bones and morph targets.

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
use crate::rig::clip::{Clip, Interpolation, MorphTrack, Track, TrackValues};
use crate::rig::model::Morph;
use crate::slices::pause;

/// The largest plausible value, and time in seconds, of a key. Larger ones are damage.
const MOST_UNITS: f32 = 1e9;

pub(super) struct Targets<'t> {
    pub rig: &'t Rig,
    pub morphs: &'t [Morph],
    pub morph_of_node: &'t [Option<usize>],
}

pub(super) async fn read(
    document: &Document,
    targets: &Targets<'_>,
    store: &mut Store<'_>,
    notes: &mut Notes,
    progress: &mut dyn FnMut(f32),
) -> Outcome<Vec<Clip>> {
    let mut names = UniqueNames::default();
    let mut clips = Vec::new();
    let animations = document.array("animations");
    for (index, animation) in animations.iter().enumerate() {
        progress(index as f32 / animations.len() as f32);
        let name = names.take(animation.get("name").and_then(Value::as_str), "clip", index);
        let list = |key: &str| animation.get(key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let samplers = list("samplers");
        let mut clip = Clip { name, ..Clip::default() };
        for (number, channel) in list("channels").iter().enumerate() {
            pause().await;
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
            let place = Channel { place, node, channel };
            place.read(samplers, targets, store, &mut clip)?;
        }
        // Only the first is shown, because many channels may have the same fault.
        if let Some(first) = clip.skipped.iter().chain(&clip.unbound).next() {
            let count = clip.skipped.len() + clip.unbound.len();
            let plural = if count == 1 { "channel is" } else { "channels are" };
            notes.add(format!("clip {:?}: {count} {plural} left out; {first}", clip.name));
        }
        let ends = clip.tracks.iter().map(|track| &track.times).chain(clip.morphs.iter().map(|track| &track.times));
        clip.duration = ends.filter_map(|times| times.last().copied()).fold(0.0, f32::max);
        clips.push(clip);
    }
    Ok(clips)
}

struct Channel {
    place: String,
    node: usize,
    channel: json::animation::Channel,
}

impl Channel {
    /// Adds the channel's track to a clip, or a sentence to its `skipped` or `unbound`. A translation, rotation or scale
    /// of a node that is not a bone is left out without a sentence if its keys are constant or cannot be read. An error
    /// if the sampler of a bone or of morph targets does not exist, or if its keys are not compressed and cannot be
    /// read.
    fn read(self, samplers: &[Value], targets: &Targets, store: &mut Store, clip: &mut Clip) -> Outcome<()> {
        let Self { place, node, channel } = self;
        let Checked::Valid(property) = channel.target.path else {
            clip.skipped.push(format!("{place}: it moves an unknown property"));
            return Ok(());
        };
        let is_morph = property == Property::MorphTargetWeights;
        let (bone, morph) = (targets.rig.bone_of_node[node], targets.morph_of_node[node].filter(|_| is_morph));
        let sampler = samplers.get(channel.sampler.value());
        if morph.is_none() && (is_morph || bone.is_none()) {
            if is_morph {
                clip.unbound
                    .push(format!("{place}: it moves morph targets of node {node}, which has none in the scene"));
            } else if sampler.is_some_and(|sampler| moves_anything(sampler, store)) {
                clip.unbound.push(format!("{place}: it moves node {node}, which is not a bone"));
            }
            return Ok(());
        }
        let sampler = sampler.ok_or_else(|| {
            let problem = format!("its sampler {} does not exist; export the file again", channel.sampler.value());
            Fault::new(place.clone(), problem)
        })?;
        let sampler = match json::animation::Sampler::deserialize(sampler) {
            Ok(sampler) => sampler,
            Err(error) => {
                clip.skipped.push(format!("{place}: {error}"));
                return Ok(());
            }
        };
        let (input, output) = (sampler.input.value(), sampler.output.value());
        if let Err(problem) = store.unpack(input).and_then(|()| store.unpack(output)) {
            clip.skipped.push(format!("{place}: {problem}"));
            return Ok(());
        }
        let interpolation = match sampler.interpolation {
            Checked::Valid(FileInterpolation::Step) => Interpolation::Step,
            Checked::Valid(FileInterpolation::CubicSpline) => Interpolation::CubicSpline,
            _ => Interpolation::Linear,
        };
        let times = store.read(input, "key times", &[1])?.values;
        let width = match property {
            Property::MorphTargetWeights => 1,
            Property::Rotation => 4,
            _ => 3,
        };
        let mut numbers = store.read(output, "key values", &[width])?;
        if let Some(morph) = morph {
            numbers.width = targets.morphs[morph].weights.len();
            match keys(interpolation, times, &numbers) {
                Ok((times, values)) => {
                    clip.morphs.push(MorphTrack { morph, interpolation, times, values: values.to_vec() });
                }
                Err(problem) => clip.skipped.push(format!("{place}: {problem}")),
            }
        } else if let Some(bone) = bone {
            match track(bone, property, interpolation, times, &numbers) {
                Ok(track) => clip.tracks.push(track),
                Err(problem) => clip.skipped.push(format!("{place}: {problem}")),
            }
        }
        Ok(())
    }
}

/// Returns true if a value of a sampler's keys differs from the first by more than 1e-4, or if the keys cannot be
/// unpacked; false if they cannot be read. Exporters write keys for all nodes, mostly constant ones.
fn moves_anything(sampler: &Value, store: &mut Store) -> bool {
    let Ok(sampler) = json::animation::Sampler::deserialize(sampler) else { return false };
    let output = sampler.output.value();
    if store.unpack(output).is_err() {
        return true;
    }
    let Ok(numbers) = store.read(output, "key values", &[1, 3, 4]) else { return false };
    let mut rows = numbers.rows();
    let first = rows.next();
    rows.any(|row| first.is_some_and(|first| row.iter().zip(first).any(|(a, b)| (a - b).abs() > 1e-4)))
}

/// Returns the times and values of a track's keys, as many as have both. Fails with a message if there are none, if the
/// times decrease, or if a number is not finite or is implausibly large.
fn keys(
    interpolation: Interpolation,
    mut times: Vec<f32>,
    numbers: &Numbers,
) -> Result<(Vec<f32>, &[f32]), &'static str> {
    let per_key = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    let keys = times.len().min(numbers.len() / per_key);
    if keys == 0 {
        return Err("it has no keys");
    }
    times.truncate(keys);
    if !times.iter().all(|time| time.is_finite() && time.abs() < MOST_UNITS) {
        return Err("a key's time is not finite or too large");
    }
    if times.windows(2).any(|pair| pair[1] < pair[0]) {
        return Err("its key times decrease");
    }
    let values = &numbers.values[..keys * per_key * numbers.width];
    if !values.iter().all(|value| value.abs() < MOST_UNITS) {
        return Err("a key's value is not finite or too large");
    }
    Ok((times, values))
}

fn track(
    bone: usize,
    property: Property,
    interpolation: Interpolation,
    times: Vec<f32>,
    numbers: &Numbers,
) -> Result<Track, &'static str> {
    let per_key = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    let (times, values) = keys(interpolation, times, numbers)?;
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
