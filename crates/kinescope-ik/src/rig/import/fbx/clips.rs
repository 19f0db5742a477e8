//! Animation stacks as animations of linear keys.

use std::collections::HashMap;

use serde_json::{Value, json};
use ufbx::{AllocatorOpts, AnimStack, BakeOpts, BakedAnim, BakedQuat, BakedVec3, Node, Scene};

use super::scene::Tree;
use super::writer::{Writer, rotation, vector};
use crate::error::Fault;
use crate::rig::import::notes::Outcome;

/// The largest number of keys between two keys of a curve: 20 s at 30 frames per second.
const MOST_SEGMENTS: usize = 600;
/// The tolerance for keys at the ends of a clip, in seconds.
const TOLERANCE: f64 = 1e-6;

/// Writes all stacks. `memory` limits the keys of one stack, in bytes.
pub(super) fn write(scene: &Scene, tree: &Tree, memory: usize, writer: &mut Writer) -> Outcome<()> {
    for stack in &scene.anim_stacks {
        write_stack(scene, stack, tree, memory, writer)?;
    }
    Ok(())
}

/// The range of a clip in the times of its keys, in seconds.
#[derive(Clone, Copy)]
struct Range {
    begin: f64,
    end: f64,
}

/// A key: its time in seconds after the beginning, and its value.
type Key<const N: usize> = (f32, [f32; N]);

fn write_stack(scene: &Scene, stack: &AnimStack, tree: &Tree, memory: usize, writer: &mut Writer) -> Outcome<()> {
    let name = &*stack.element.name;
    let limit = || AllocatorOpts { memory_limit: memory, ..AllocatorOpts::default() };
    let frames = scene.settings.frames_per_second;
    let options = BakeOpts {
        temp_allocator: limit(),
        result_allocator: limit(),
        trim_start_time: true,
        resample_rate: if frames.is_finite() { frames.clamp(24.0, 120.0) } else { 30.0 },
        max_keyframe_segments: MOST_SEGMENTS,
        ..BakeOpts::default()
    };
    let baked = match ufbx::bake_anim(scene, &stack.anim, options) {
        Ok(baked) => baked,
        Err(error) => {
            writer.notes.add(format!("the clip {name:?} is left out: {}", error.description));
            return Ok(());
        }
    };
    let range = range(&baked);
    let mut track = Tracks { writer, times: HashMap::new(), range, samplers: Vec::new(), channels: Vec::new() };
    for node in &baked.nodes {
        let id = node.typed_id as usize;
        let (Some(own), Some(Some(to))) = (scene.nodes.get(id), tree.node.get(id).copied()) else { continue };
        let rest = &own.local_transform;
        let translations = keys(&node.translation_keys, range, |key: &BakedVec3| (key.time, vector(key.value)), mix);
        let rotations = keys(&node.rotation_keys, range, |key: &BakedQuat| (key.time, rotation(key.value)), turn);
        let scales = keys(&node.scale_keys, range, |key: &BakedVec3| (key.time, vector(key.value)), mix);
        let broken = || broken(name, own);
        track.add(to, "translation", &translations.ok_or_else(broken)?, vector(rest.translation))?;
        track.add(to, "rotation", &rotations.ok_or_else(broken)?, rotation(rest.rotation))?;
        track.add(to, "scale", &scales.ok_or_else(broken)?, vector(rest.scale))?;
    }
    track.keep_length(scene, tree)?;
    let (samplers, channels) = (track.samplers, track.channels);
    if !channels.is_empty() {
        writer.push("animations", json!({ "name": name, "samplers": samplers, "channels": channels }));
    }
    Ok(())
}

fn broken(clip: &str, node: &Node) -> Fault {
    let place = format!("clip {clip:?}, node {:?}", &*node.element.name);
    Fault::new(place, "its keys have numbers that are not finite; export the file again")
}

/// Returns the range of a clip: as the file states it, or else from its first to its last key.
fn range(baked: &BakedAnim) -> Range {
    let stated = Range { begin: baked.playback_time_begin, end: baked.playback_time_end };
    let keys = Range { begin: baked.key_time_min, end: baked.key_time_max };
    let is_sound = |range: &Range| range.begin.is_finite() && range.end.is_finite() && range.end > range.begin;
    [stated, keys].into_iter().find(is_sound).unwrap_or(Range { begin: 0.0, end: 0.0 })
}

fn mix(a: [f32; 3], b: [f32; 3], at: f32) -> [f32; 3] {
    std::array::from_fn(|axis| a[axis] + (b[axis] - a[axis]) * at)
}

fn turn(a: [f32; 4], b: [f32; 4], at: f32) -> [f32; 4] {
    glam::Quat::from_array(a).slerp(glam::Quat::from_array(b), at).normalize().to_array()
}

/// Returns the keys within a range, with interpolated ones at its ends if keys are outside; `None` if a number is not
/// finite.
fn keys<T, const N: usize>(
    list: &[T],
    range: Range,
    read: impl Fn(&T) -> (f64, Option<[f32; N]>),
    between: impl Fn([f32; N], [f32; N], f32) -> [f32; N],
) -> Option<Vec<Key<N>>> {
    let all: Vec<(f64, [f32; N])> = list
        .iter()
        .map(|key| {
            let (time, value) = read(key);
            Some((time, value.filter(|_| time.is_finite())?))
        })
        .collect::<Option<_>>()?;
    let at = |time: f64| -> Option<[f32; N]> {
        let next = all.partition_point(|key| key.0 < time);
        match (next.checked_sub(1).and_then(|before| all.get(before)), all.get(next)) {
            (Some(a), Some(b)) => Some(between(a.1, b.1, ((time - a.0) / (b.0 - a.0)) as f32)),
            (Some(one), None) | (None, Some(one)) => Some(one.1),
            (None, None) => None,
        }
    };
    let mut out: Vec<Key<N>> = Vec::with_capacity(all.len());
    let mut add = |time: f64, value: [f32; N]| {
        let time = ((time - range.begin).max(0.0)) as f32;
        // Times of keys must increase, also as floats.
        if out.last().is_none_or(|last| time > last.0) {
            out.push((time, value));
        }
    };
    if all.first().is_some_and(|first| first.0 < range.begin - TOLERANCE) {
        add(range.begin, at(range.begin)?);
    }
    for (time, value) in &all {
        if (range.begin - TOLERANCE..=range.end + TOLERANCE).contains(time) {
            add(*time, *value);
        }
    }
    if all.last().is_some_and(|last| last.0 > range.end + TOLERANCE) {
        add(range.end, at(range.end)?);
    }
    Some(out)
}

/// The samplers and channels of a clip.
struct Tracks<'a> {
    writer: &'a mut Writer,
    /// The accessors of times that were written. Most tracks of a clip have the same times.
    times: HashMap<Vec<u32>, usize>,
    range: Range,
    samplers: Vec<Value>,
    channels: Vec<Value>,
}

impl Tracks<'_> {
    /// Adds a track unless it keeps the node at rest.
    fn add<const N: usize>(&mut self, node: usize, path: &str, keys: &[Key<N>], rest: Option<[f32; N]>) -> Outcome<()> {
        if keys.is_empty() || keys.iter().all(|key| Some(key.1) == rest) {
            return Ok(());
        }
        // A constant track is one key.
        let is_constant = keys.iter().all(|key| key.1 == keys[0].1);
        let keys = if is_constant { &keys[..1] } else { keys };
        self.channel(node, path, keys)
    }

    fn channel<const N: usize>(&mut self, node: usize, path: &str, keys: &[Key<N>]) -> Outcome<()> {
        let kind = if N == 4 { "VEC4" } else { "VEC3" };
        let times: Vec<f32> = keys.iter().map(|key| key.0).collect();
        let input = self.input(&times)?;
        let output = self.writer.floats(kind, keys.len(), keys.iter().flat_map(|key| key.1))?;
        self.channels.push(json!({ "sampler": self.samplers.len(), "target": { "node": node, "path": path } }));
        self.samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
        Ok(())
    }

    fn input(&mut self, times: &[f32]) -> Outcome<usize> {
        let bits: Vec<u32> = times.iter().map(|time| time.to_bits()).collect();
        if let Some(&accessor) = self.times.get(&bits) {
            return Ok(accessor);
        }
        let accessor = self.writer.floats("SCALAR", times.len(), times.iter().copied())?;
        if let (Some(&first), Some(&last)) = (times.first(), times.last()) {
            self.writer.bounds(accessor, &[first], &[last]);
        }
        self.times.insert(bits, accessor);
        Ok(accessor)
    }

    /// Adds a constant track if no track is as long as the clip: the last key defines a clip's length.
    fn keep_length(&mut self, scene: &Scene, tree: &Tree) -> Outcome<()> {
        let length = (self.range.end - self.range.begin) as f32;
        let longest = self.times.keys().filter_map(|times| times.last()).map(|&bits| f32::from_bits(bits));
        if length <= 0.0 || longest.fold(0.0, f32::max) >= length - TOLERANCE as f32 {
            return Ok(());
        }
        let taken = |path: &str, node: usize| {
            let target = json!({ "node": node, "path": path });
            self.channels.iter().any(|channel| channel["target"] == target)
        };
        let Some(node) = (0..tree.order.len()).find(|&node| !taken("scale", node)) else { return Ok(()) };
        let scale = vector(scene.nodes[tree.order[node] as usize].local_transform.scale).unwrap_or([1.0; 3]);
        self.channel(node, "scale", &[(0.0, scale), (length, scale)])
    }
}
