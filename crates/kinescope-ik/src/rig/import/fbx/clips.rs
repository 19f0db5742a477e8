//! Writes animation stacks as glTF animations with linear keys.

use std::collections::{BTreeSet, HashMap};

use serde_json::{Value, json};
use ufbx::{AllocatorOpts, AnimStack, BakeOpts, BakedAnim, BakedQuat, BakedVec3, Node, Scene};

use super::scene::{Tree, cancelled};
use super::shapes::Morphs;
use super::writer::{Writer, rotation, vector};
use crate::error::Fault;
use crate::rig::import::notes::Outcome;
use crate::slices::report;

/// The largest number of keys between two keys of a curve: 20 s at 30 frames per second. Longer spans get keys at a
/// lower rate.
const MOST_SEGMENTS: usize = 600;
/// The tolerance for keys at the ends of a clip, in seconds.
const TOLERANCE: f64 = 1e-6;
/// The properties of a node that ufbx bakes into its transform (`ufbxi_transform_props`).
const TRANSFORM: [&str; 10] = [
    "Lcl Translation",
    "Lcl Rotation",
    "Lcl Scaling",
    "PreRotation",
    "PostRotation",
    "RotationOffset",
    "ScalingOffset",
    "RotationPivot",
    "ScalingPivot",
    "RotationOrder",
];
const PERCENT: &str = "DeformPercent";

#[derive(Clone, Copy)]
pub(super) struct Targets<'a> {
    pub tree: &'a Tree,
    pub morphs: &'a [Morphs],
}

/// Writes all stacks. `memory` is the memory limit for baking one stack, in bytes. Pauses before each stack.
pub(super) async fn write(
    scene: &Scene,
    targets: Targets<'_>,
    memory: usize,
    writer: &mut Writer,
    progress: &mut dyn FnMut(f32) -> bool,
) -> Outcome<()> {
    let (stacks, mut unread) = (scene.anim_stacks.as_ref(), BTreeSet::new());
    for (index, stack) in stacks.iter().enumerate() {
        if !report(progress, index as f32 / stacks.len() as f32).await {
            return Err(cancelled());
        }
        write_stack(scene, stack, targets, memory, (writer, &mut unread))?;
    }
    if let Some(first) = unread.first() {
        let count = unread.len();
        writer.notes.add(format!(
            "animations of properties other than transforms and blend shapes are left out, {count} in all, such as \
             {first}"
        ));
    }
    Ok(())
}

/// Returns the animated properties of a clip, except those in [`TRANSFORM`] and weights of blend shapes, with the names
/// of their owners.
fn unread(scene: &Scene, baked: &BakedAnim) -> Vec<String> {
    let mut unread = Vec::new();
    for own in &baked.elements {
        let Some(element) = scene.elements.get(own.element_id as usize) else { continue };
        for property in &own.props {
            let name = &*property.name;
            let is_read = property.constant_value || TRANSFORM.contains(&name) || name == PERCENT;
            if !is_read {
                unread.push(format!("{name:?} of {:?}", &*element.name));
            }
        }
    }
    unread
}

#[derive(Clone, Copy)]
struct Range {
    begin: f64,
    end: f64,
}

/// A key: its time in seconds after the beginning, and its value.
type Key<const N: usize> = (f32, [f32; N]);

/// Writes a stack, and adds the animated properties that it leaves out to `all_unread`. A stack that cannot be baked,
/// or that has neither movement nor length, gets a note instead.
fn write_stack(
    scene: &Scene,
    stack: &AnimStack,
    targets: Targets,
    memory: usize,
    (writer, all_unread): (&mut Writer, &mut BTreeSet<String>),
) -> Outcome<()> {
    let Targets { tree, morphs } = targets;
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
    all_unread.extend(unread(scene, &baked));
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
    for own in morphs {
        track.weights(own, &baked, name)?;
    }
    track.keep_length(scene, tree)?;
    let (samplers, channels) = (track.samplers, track.channels);
    if channels.is_empty() {
        writer.notes.add(format!("the clip {name:?} is left out: it moves nothing"));
    } else {
        writer.push("animations", json!({ "name": name, "samplers": samplers, "channels": channels }));
    }
    Ok(())
}

fn broken(clip: &str, node: &Node) -> Fault {
    let place = format!("clip {clip:?}, node {:?}", &*node.element.name);
    Fault::new(place, "its keys have numbers that are not finite; export the file again")
}

/// Returns the range of a clip: as the file states it, or else from its first to its last key. The range is empty, from
/// 0 to 0, if neither is finite and has a length.
fn range(baked: &BakedAnim) -> Range {
    let stated = Range { begin: baked.playback_time_begin, end: baked.playback_time_end };
    let keys = Range { begin: baked.key_time_min, end: baked.key_time_max };
    let is_sound = |range: &Range| range.begin.is_finite() && range.end.is_finite() && range.end > range.begin;
    [stated, keys].into_iter().find(is_sound).unwrap_or(Range { begin: 0.0, end: 0.0 })
}

fn mix<const N: usize>(a: [f32; N], b: [f32; N], at: f32) -> [f32; N] {
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

/// Returns the value of a curve at a time in seconds, constant outside its keys; `None` without keys.
fn at(keys: &[Key<1>], time: f32) -> Option<f32> {
    let next = keys.partition_point(|key| key.0 < time);
    match (next.checked_sub(1).and_then(|before| keys.get(before)), keys.get(next)) {
        (Some(a), Some(b)) => Some(mix(a.1, b.1, (time - a.0) / (b.0 - a.0))[0]),
        (Some(one), None) | (None, Some(one)) => Some(one.1[0]),
        (None, None) => None,
    }
}

/// Returns the times between keys at which a curve passes 0 or one of the weights: the weights of in-between shapes
/// bend there.
fn crossings(keys: &[Key<1>], weights: &[f64]) -> Vec<f32> {
    let mut times = Vec::new();
    for pair in keys.windows(2) {
        let ((t0, [a]), (t1, [b])) = (pair[0], pair[1]);
        for weight in weights.iter().map(|&weight| weight as f32).chain([0.0]) {
            if weight > a.min(b) && weight < a.max(b) {
                times.push(t0 + (t1 - t0) * (weight - a) / (b - a));
            }
        }
    }
    times
}

struct Tracks<'a> {
    writer: &'a mut Writer,
    times: HashMap<Vec<u32>, usize>,
    range: Range,
    samplers: Vec<Value>,
    channels: Vec<Value>,
}

impl Tracks<'_> {
    fn add<const N: usize>(&mut self, node: usize, path: &str, keys: &[Key<N>], rest: Option<[f32; N]>) -> Outcome<()> {
        if keys.is_empty() || keys.iter().all(|key| Some(key.1) == rest) {
            return Ok(());
        }
        let is_constant = keys.iter().all(|key| key.1 == keys[0].1);
        let keys = if is_constant { &keys[..1] } else { keys };
        self.channel(node, path, keys)
    }

    fn channel<const N: usize>(&mut self, node: usize, path: &str, keys: &[Key<N>]) -> Outcome<()> {
        let kind = if N == 4 { "VEC4" } else { "VEC3" };
        let times: Vec<f32> = keys.iter().map(|key| key.0).collect();
        let output = self.writer.floats(kind, keys.len(), keys.iter().flat_map(|key| key.1))?;
        self.push(node, path, &times, output)
    }

    fn push(&mut self, node: usize, path: &str, times: &[f32], output: usize) -> Outcome<()> {
        let input = self.input(times)?;
        self.channels.push(json!({ "sampler": self.samplers.len(), "target": { "node": node, "path": path } }));
        self.samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
        Ok(())
    }

    /// Adds the weights of a mesh's morph targets unless the clip keeps them at rest.
    fn weights(&mut self, morphs: &Morphs, baked: &BakedAnim, clip: &str) -> Outcome<()> {
        let mut curves: Vec<Vec<Key<1>>> = Vec::with_capacity(morphs.channels.len());
        for channel in &morphs.channels {
            let mut elements = baked.elements.as_ref().iter().filter(|one| one.element_id == channel.element);
            let prop = elements.find_map(|one| one.props.as_ref().iter().find(|prop| &*prop.name == PERCENT));
            let list: &[BakedVec3] = prop.map_or(&[], |prop| prop.keys.as_ref());
            let read = |key: &BakedVec3| (key.time, Some([(key.value.x / 100.0) as f32]).filter(|w| w[0].is_finite()));
            let problem = "the weights of its morph targets are not finite; export the file again";
            let broken = || Fault::new(format!("clip {clip:?}"), problem);
            curves.push(keys(list, self.range, read, mix).ok_or_else(broken)?);
        }
        let rests = curves.iter().zip(&morphs.channels);
        let is_at_rest = rests.clone().all(|(keys, own)| keys.iter().all(|key| key.1[0] == own.rest as f32));
        if is_at_rest {
            return Ok(());
        }
        let mut times: Vec<f32> = curves.iter().flatten().map(|key| key.0).collect();
        for (keys, channel) in rests.clone() {
            times.extend(crossings(keys, &channel.full_at));
        }
        times.sort_by(f32::total_cmp);
        times.dedup();
        let count = times.len() * morphs.channels.iter().map(|channel| channel.full_at.len()).sum::<usize>();
        let weights = times.iter().flat_map(|&time| {
            rests.clone().flat_map(move |(keys, own)| own.shares(at(keys, time).map_or(own.rest, f64::from)))
        });
        let output = self.writer.floats("SCALAR", count, weights)?;
        self.push(morphs.node, "weights", &times, output)
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

    /// Adds a track of constant scale if no track is as long as the clip, because the last key of all tracks defines
    /// the length of a glTF animation. Does nothing if every node has a track of its scale.
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
