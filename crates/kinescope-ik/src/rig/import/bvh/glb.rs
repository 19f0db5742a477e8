//! Writing a BVH file as binary glTF.

use std::collections::BTreeSet;

use glam::{DQuat, DVec3};
use serde_json::{Value, json};

use super::parse::{Bvh, Channel, Joint};
use super::slice::{NUMBERS_IN_A_SLICE, report};
use crate::error::Fault;
use crate::rig::import::notes::{Notes, Outcome};
use crate::rig::import::writing::{glb, push, view};

/// The largest count of numbers that the keys may have, the limit of the import of glTF.
const MOST_NUMBERS: usize = 100_000_000;
const FLOAT: u32 = 5126;
const CLIP: &str = "motion";

/// Returns the file as binary glTF, with [pauses](crate::slices). `metres` is the length of the file's unit.
pub(super) async fn write(
    file: &Bvh,
    metres: f64,
    notes: &mut Notes,
    progress: &mut dyn FnMut(f32) -> bool,
) -> Outcome<Vec<u8>> {
    let rest = rest(file, metres, notes);
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); file.joints.len()];
    for (index, joint) in file.joints.iter().enumerate() {
        joint.parent.into_iter().for_each(|parent| children[parent].push(index));
    }
    let node = |(index, joint): (usize, &Joint)| {
        let mut node = json!({ "translation": (rest[index] * metres).as_vec3().to_array() });
        if !joint.name.is_empty() {
            node["name"] = joint.name.as_str().into();
        }
        if !children[index].is_empty() {
            node["children"] = json!(children[index]);
        }
        node
    };
    let roots: Vec<usize> = (0..file.joints.len()).filter(|&joint| file.joints[joint].parent.is_none()).collect();
    let mut root = json!({
        "asset": { "version": "2.0", "generator": "kinescope" },
        "scene": 0,
        "scenes": [{ "nodes": roots }],
        "nodes": file.joints.iter().enumerate().map(node).collect::<Vec<_>>(),
    });
    let mut bytes = Vec::new();
    if file.frames().len() > 0 {
        check_size(file)?;
        let is_added = is_added(file);
        if is_added {
            notes.add("positions in the first frame are nearer to 0 than to the offsets: they are added to the joints' offsets");
        }
        animation(&mut root, &mut bytes, &Motion { file, rest: &rest, metres, is_added }, progress).await?;
        root["buffers"] = json!([{ "byteLength": bytes.len() }]);
    }
    let damaged = |error: String| Fault::new("", format!("{error}; cut the motion into several files"));
    glb(serde_json::to_vec(&root).map_err(|error| damaged(error.to_string()))?, bytes).map_err(damaged)
}

/// Returns the positions of the joints in the rest pose relative to their parents, in the unit of the file. A root at
/// the origin with position channels is raised so that no bone below it in the hierarchy has a negative height.
fn rest(file: &Bvh, metres: f64, notes: &mut Notes) -> Vec<DVec3> {
    let mut rest: Vec<DVec3> = file.joints.iter().map(|joint| joint.offset).collect();
    let places = file.rest_positions();
    let mut root_of: Vec<usize> = Vec::with_capacity(places.len());
    let mut lowest: Vec<f64> = vec![f64::MAX; places.len()];
    for (index, joint) in file.joints.iter().enumerate() {
        let root = joint.parent.map_or(index, |parent| root_of[parent]);
        root_of.push(root);
        lowest[root] = lowest[root].min(places[index].y);
    }
    for (index, joint) in file.joints.iter().enumerate() {
        // The motion places a root with a position channel, so only its rest pose is below the ground.
        if joint.parent.is_none() && joint.has_position() && joint.offset == DVec3::ZERO && lowest[index] < 0.0 {
            rest[index].y = -lowest[index];
            notes.add(format!("the rest pose is raised by {:.2} m to stand on the ground", -lowest[index] * metres));
        }
    }
    rest
}

fn check_size(file: &Bvh) -> Outcome<()> {
    let widths = |joint: &Joint| 3 * usize::from(joint.has_position()) + 4 * usize::from(joint.has_rotation());
    let numbers = file.frames().len().checked_mul(1 + file.joints.iter().map(widths).sum::<usize>());
    if numbers.is_none_or(|numbers| numbers > MOST_NUMBERS) {
        let problem =
            format!("the keys of the motion would have more than {MOST_NUMBERS} numbers; cut it into several files");
        return Err(Fault::new("MOTION", problem));
    }
    Ok(())
}

struct Motion<'a> {
    file: &'a Bvh,
    rest: &'a [DVec3],
    metres: f64,
    is_added: bool,
}

impl Motion<'_> {
    /// Returns the keys of a joint's position, and whether it ever leaves the rest pose.
    async fn positions(&self, index: usize, slice: &mut Slice<'_>) -> Outcome<(Vec<u8>, bool)> {
        let (mut bytes, mut moves) = (Vec::new(), false);
        for frame in self.file.frames() {
            let position = position(&self.file.joints[index], frame, self.is_added);
            moves |= position != self.rest[index];
            bytes.extend((position * self.metres).as_vec3().to_array().into_iter().flat_map(f32::to_le_bytes));
            slice.add(3).await?;
        }
        Ok((bytes, moves))
    }

    async fn rotations(&self, index: usize, slice: &mut Slice<'_>) -> Outcome<(Vec<u8>, bool)> {
        let (mut bytes, mut turns, mut before) = (Vec::new(), false, DQuat::IDENTITY);
        for frame in self.file.frames() {
            let rotation = rotation(&self.file.joints[index], frame);
            turns |= rotation != DQuat::IDENTITY;
            before = if rotation.dot(before) < 0.0 { -rotation } else { rotation };
            bytes.extend(before.as_quat().to_array().into_iter().flat_map(f32::to_le_bytes));
            slice.add(4).await?;
        }
        Ok((bytes, turns))
    }
}

/// Counts the numbers written since the last pause, and reports the part of the joints that is written.
struct Slice<'a> {
    count: usize,
    done: f32,
    progress: &'a mut dyn FnMut(f32) -> bool,
}

impl Slice<'_> {
    /// Adds numbers, and pauses once there are [`NUMBERS_IN_A_SLICE`]. An error if the import is cancelled.
    async fn add(&mut self, numbers: usize) -> Outcome<()> {
        self.count += numbers;
        if self.count < NUMBERS_IN_A_SLICE {
            return Ok(());
        }
        self.count = 0;
        report(self.progress, self.done).await
    }
}

async fn animation(
    root: &mut Value,
    bytes: &mut Vec<u8>,
    motion: &Motion<'_>,
    progress: &mut dyn FnMut(f32) -> bool,
) -> Outcome<()> {
    let file = motion.file;
    let frames = file.frames().len();
    let mut accessor = |root: &mut Value, kind: &str, own: &[u8]| {
        let view = view(root, bytes, own);
        let accessor = json!({ "bufferView": view, "componentType": FLOAT, "count": frames, "type": kind });
        push(root, "accessors", accessor)
    };
    let last = (frames - 1) as f64 * file.frame_time;
    let times: Vec<u8> =
        (0..frames).flat_map(|frame| ((frame as f64 * file.frame_time) as f32).to_le_bytes()).collect();
    let times = accessor(root, "SCALAR", &times);
    root["accessors"][times]["min"] = json!([0.0]);
    root["accessors"][times]["max"] = json!([last as f32]);
    let (mut samplers, mut channels) = (Vec::new(), Vec::new());
    let mut channel = |node: usize, path: &str, output: usize| {
        channels.push(json!({ "sampler": samplers.len(), "target": { "node": node, "path": path } }));
        samplers.push(json!({ "input": times, "output": output, "interpolation": "LINEAR" }));
    };
    let mut has_channel = false;
    let mut slice = Slice { count: 0, done: 0.0, progress };
    for (index, joint) in file.joints.iter().enumerate() {
        slice.done = index as f32 / file.joints.len() as f32;
        if joint.has_position()
            && let (keys, true) = motion.positions(index, &mut slice).await?
        {
            let output = accessor(root, "VEC3", &keys);
            channel(index, "translation", output);
            has_channel = true;
        }
        // A motion without movement keeps its length by the keys of one bone.
        let is_needed = index + 1 == file.joints.len() && !has_channel;
        if joint.has_rotation() || is_needed {
            let (keys, turns) = motion.rotations(index, &mut slice).await?;
            if turns || is_needed {
                let output = accessor(root, "VEC4", &keys);
                channel(index, "rotation", output);
                has_channel = true;
            }
        }
    }
    root["animations"] = json!([{ "name": CLIP, "samplers": samplers, "channels": channels }]);
    Ok(())
}

/// Returns a joint's position in a frame, relative to its parent, in the unit of the file. Coordinates without a
/// channel are those of the offset.
fn position(joint: &Joint, frame: &[f32], is_added: bool) -> DVec3 {
    let mut position = joint.offset;
    for (channel, value) in joint.channels.iter().zip(&frame[joint.first..]) {
        if let Channel::Position(axis) = *channel {
            position[axis] = f64::from(*value) + if is_added { joint.offset[axis] } else { 0.0 };
        }
    }
    position
}

/// Returns a joint's rotation in a frame: the product of its channels in their order.
fn rotation(joint: &Joint, frame: &[f32]) -> DQuat {
    let turn = |(channel, value): (&Channel, &f32)| match *channel {
        Channel::Rotation(axis) => DQuat::from_axis_angle(DVec3::AXES[axis], f64::from(*value).to_radians()),
        Channel::Position(_) | Channel::Ignored => DQuat::IDENTITY,
    };
    let product =
        joint.channels.iter().zip(&frame[joint.first..]).map(turn).fold(DQuat::IDENTITY, |all, turn| all * turn);
    product.normalize()
}

/// Returns whether the position channels of joints contain differences to the offsets. They do if, in the first frame
/// and over all joints with three position channels, positions are nearer to 0 than to the offsets.
fn is_added(file: &Bvh) -> bool {
    let Some(frame) = file.frames().next() else { return false };
    let joints = || file.joints.iter().filter(|joint| joint.has_position());
    let whole = |joint: &&Joint| {
        let axes: BTreeSet<usize> = joint
            .channels
            .iter()
            .filter_map(|channel| match channel {
                Channel::Position(axis) => Some(*axis),
                Channel::Rotation(_) | Channel::Ignored => None,
            })
            .collect();
        axes.len() == 3
    };
    let sum = |of: &dyn Fn(&Joint) -> f64| joints().filter(whole).map(of).sum::<f64>();
    let square = sum(&|joint| joint.offset.length_squared());
    sum(&|joint| position(joint, frame, false).dot(joint.offset)) < square / 2.0
}
