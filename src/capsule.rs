//! Bug capsules: a character, what was asked of it and what came out, in one file (`kinescope-capsule`, version 1).
//!
//! A capsule needs no model: it holds the bones that the solver sees. It opens anywhere at the instant at which it was
//! taken, and solving its frames again tells whether the solver still does what it did.
//!
//! ```json
//! { "format": "kinescope-capsule", "version": 1,
//!   "name": "left elbow flips on the stairs",
//!   "model": "biped.glb",
//!   "rig": {
//!     "bones": [ { "name": "Hips", "parent": -1,
//!                  "reference": { "position": [0, 0.9, 0], "rotation": [0, 0, 0, 1] } } ],
//!     "biped": { "pelvis": 0, "spine": [1, 2, 3], "...": "as in traces" } },
//!   "preset": { "format": "kinescope-preset", "version": 1, "...": "a whole preset with its sections" },
//!   "frames": [ { "time": 0.0,
//!                 "animated": [ { "position": [0, 0.9, 0], "rotation": [0, 0, 0, 1] } ],
//!                 "parameters": null,
//!                 "hash": "0123456789abcdef",
//!                 "nodes": { "body": [0, 1.1, 0], "...": "all 13" } } ],
//!   "instant": { "frame": 0, "iteration": 2, "stage": "stage2", "move": null } }
//! ```
//!
//! JSON, UTF-8, lengths in model units, rotations as unit quaternions `[x, y, z, w]`, everything in model space (glTF
//! axes). Unknown fields are errors. Numbers are written so that reading them back gives the same f32.
//!
//! | field | what | left out |
//! |---|---|---|
//! | `name` | what the capsule shows, for people | empty |
//! | `model` | file name of the model it was taken from; nothing reads that file | empty |
//! | `rig.bones` | parents first, −1 for a root; `reference` is the pose the solver is initialised in | error |
//! | `rig.biped` | the roles, by index into the bones, as in traces; head and clavicles may be null | error |
//! | `preset` | a whole [preset](crate::preset), with sections such as `terrain`, `view` and `clip` | error |
//! | `frames` | at least one: a single pose, or a window of a clip | error |
//! | `instant` | what was on screen when the capsule was taken | the end of the first frame |
//!
//! In a frame, `time` is in seconds (of the clip, or from the first frame); `animated` the pose handed to the solve, a
//! transform for each bone of the rig; `parameters` a preset's `solver`, `chains` and `effectors` where the frame has
//! others than the preset, else null. `nodes` are the 13 nodes after the last step; at master weight 0, which has no
//! steps, the positions of their bones. `hash` is the [`hash`] of the whole solve, 16 hexadecimal digits.
//!
//! In `instant`, `iteration` and `stage` name a step as in traces; `move` is the index of a move within that step, the
//! instant just after it, or null for the end of the step. A step that the solve does not have counts as the last one.
//!
//! Hashes are exact, and sine and cosine are not the same to the last bit on every platform: between machines compare
//! [`Change::distance`] with a tolerance.

use std::collections::BTreeMap;

use glam::Vec3;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::{Fault, Problem};
use crate::fnv1a::Fnv1a;
use crate::full_body::{FullBody, InputError, Node, Nodes, Recording, Settings, Stage, Step, Workspace};
use crate::preset::{Preset, VERSION, check_header, read_json, to_json_pretty};
use crate::rig::{Biped, RigidTransform, Skeleton};
use crate::trace::{FileRig, checked, named_nodes, parent_number, read_nodes, read_rig};

/// Value of the field `format`.
pub const FORMAT: &str = "kinescope-capsule";

/// A character, what was asked of it, and what came out.
///
/// ```
/// use kinescope::capsule::{Capsule, CapsuleFrame, Instant};
/// use kinescope::{FullBody, Preset, Settings};
/// # let text = std::fs::read_to_string("tests/golden/reach-with-twist.trace.json")?;
/// # let kinescope::trace::Rig { skeleton, biped, reference, animated } = kinescope::Trace::from_json(&text)?.rig;
///
/// let solver = FullBody::new(&skeleton, &biped, &reference)?;
/// let settings = Settings::default();
/// let frame = CapsuleFrame::solve(&solver, &mut solver.workspace(), 0.0, &settings, &animated)?;
/// let capsule = Capsule {
///     name: "the hand lets go of the rail".into(),
///     model: "mannequin.glb".into(),
///     skeleton,
///     biped,
///     reference,
///     preset: Preset { settings, ..Preset::default() },
///     frames: vec![frame],
///     instant: Instant::default(),
/// };
///
/// // Later, in a test: does the solver still do what it did?
/// let capsule = Capsule::from_json(&capsule.to_json())?;
/// assert!(capsule.check()?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Capsule {
    /// What it shows, for people.
    pub name: String,
    /// File name of the model it was taken from.
    pub model: String,
    /// Names and parents. The local rest transforms are not those of the model: a capsule has none.
    pub skeleton: Skeleton,
    /// Which of the skeleton's bones play which role.
    pub biped: Biped,
    /// The pose the solver is initialised in; model space, a bone each.
    pub reference: Vec<RigidTransform>,
    /// The settings and sections that were in force, of frames that have no others.
    pub preset: Preset,
    /// At least one.
    pub frames: Vec<CapsuleFrame>,
    /// What was on screen when the capsule was taken.
    pub instant: Instant,
}

/// One solve.
#[derive(Clone, Debug, PartialEq)]
pub struct CapsuleFrame {
    /// Seconds.
    pub time: f32,
    /// The pose handed to the solve; model space, a bone each.
    pub animated: Vec<RigidTransform>,
    /// Its parameters, one-frame offsets included.
    pub settings: Settings,
    /// [`hash`] of the solve.
    pub hash: u64,
    /// After the last step; at master weight 0 the positions of their bones. Model space.
    pub nodes: Nodes,
}

/// What was on screen when the capsule was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instant {
    /// Index into [`Capsule::frames`].
    pub frame: usize,
    /// A step that the solve does not have counts as its last one.
    pub step: Step,
    /// Index of a move within the step: the instant just after it. `None` is the end of the step.
    pub within: Option<usize>,
}

impl Default for Instant {
    /// The end of the first frame.
    fn default() -> Self {
        Self { frame: 0, step: Step { iteration: None, stage: Stage::Bend }, within: None }
    }
}

/// A frame that no longer solves to what was recorded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// Index into [`Capsule::frames`].
    pub frame: usize,
    /// The [`hash`] of the solve as it is now.
    pub hash: u64,
    /// The final node that is furthest from where it was recorded.
    pub node: Node,
    /// How far that is, in model units; 0 if only stages on the way or rotations changed.
    pub distance: f32,
}

impl CapsuleFrame {
    /// Solves and keeps what came out. `time` is in seconds, `animated` in model space.
    ///
    /// # Errors
    /// As [`FullBody::solve`].
    pub fn solve(
        solver: &FullBody,
        workspace: &mut Workspace,
        time: f32,
        settings: &Settings,
        animated: &[RigidTransform],
    ) -> Result<Self, InputError> {
        let (hash, nodes) = outcome(solver, workspace, &mut Recording::default(), settings, &mut animated.to_vec())?;
        Ok(Self { time, animated: animated.to_vec(), settings: *settings, hash, nodes })
    }
}

/// Solves `pose` in place: the hash, and the final nodes.
fn outcome(
    solver: &FullBody,
    workspace: &mut Workspace,
    recording: &mut Recording,
    settings: &Settings,
    pose: &mut [RigidTransform],
) -> Result<(u64, Nodes), InputError> {
    recording.record(solver, workspace, settings, pose)?;
    let nodes = match recording.solve.steps.last() {
        Some(last) => last.state.nodes,
        None => Nodes(Node::ALL.map(|node| pose[solver.bone_of(node)].position)),
    };
    Ok((hash(recording, pose), nodes))
}

/// What a whole solve came to, in 64 bits: equal if every step, node and rotation is equal to the last bit.
///
/// FNV-1a (64 bits) over, for each step: the iteration from 1 as 4 bytes (0 outside the iterations), the stage's name
/// and a zero byte, the 13 nodes as x, y, z in the order of [`Node::ALL`], the four plane rotation offsets as
/// x, y, z, w; then for each bone of `result` (the written pose) its position and rotation. Numbers are little-endian,
/// and −0 counts as 0.
pub fn hash(recording: &Recording, result: &[RigidTransform]) -> u64 {
    let mut hash = Fnv1a::new();
    for recorded in &recording.solve.steps {
        hash.bytes(&recorded.step.iteration.map_or(0, |iteration| iteration.wrapping_add(1)).to_le_bytes());
        hash.bytes(recorded.step.stage.key().as_bytes());
        hash.bytes(&[0]);
        for node in recorded.state.nodes.0 {
            hash.numbers(node.to_array());
        }
        for rotation in recorded.state.plane_rotation_offsets {
            hash.numbers(rotation.to_array());
        }
    }
    for bone in result {
        hash.numbers(bone.position.to_array());
        hash.numbers(bone.rotation.to_array());
    }
    hash.0
}

impl Capsule {
    /// The solver for this character.
    ///
    /// # Errors
    /// As [`FullBody::new`].
    pub fn solver(&self) -> Result<FullBody, Fault> {
        FullBody::new(&self.skeleton, &self.biped, &self.reference)
    }

    /// Solves every frame anew and lists those that came out otherwise.
    ///
    /// # Errors
    /// [`Fault`] if the character or a frame cannot be solved, or a frame has another number of bones.
    pub fn check(&self) -> Result<Vec<Change>, Fault> {
        let solver = self.solver()?;
        let (mut workspace, mut recording) = (solver.workspace(), Recording::default());
        let mut pose = Vec::new();
        let mut changes = Vec::new();
        for (index, frame) in self.frames.iter().enumerate() {
            if frame.animated.len() != self.skeleton.len() {
                let (found, expected) = (frame.animated.len(), self.skeleton.len());
                return Err(Fault::new("animated", Problem::Length { what: "bones", found, expected }));
            }
            pose.clone_from(&frame.animated);
            let (hash, nodes) = outcome(&solver, &mut workspace, &mut recording, &frame.settings, &mut pose)?;
            if hash != frame.hash {
                let (node, distance) = furthest(&frame.nodes, &nodes);
                changes.push(Change { frame: index, hash, node, distance });
            }
        }
        Ok(changes)
    }

    /// Reads a capsule.
    ///
    /// # Errors
    /// [`Fault`] with the path of the field: for text that is not JSON, a field that is unknown or missing, a
    /// number that is not finite or out of its range, a frame that does not fit the rig.
    pub fn from_json(text: &str) -> Result<Self, Fault> {
        read_json::<File>(text)?.try_into()
    }

    /// The capsule as JSON, numbers so that they read back as the same f32.
    pub fn to_json(&self) -> String {
        // As text, to tell −0 from 0: what is not the same to the last bit has to be written.
        let text = |settings: &Settings| serde_json::to_string(settings).unwrap_or_default();
        let common = text(&self.preset.settings);
        let bones = self.skeleton.bones().iter().zip(&self.reference).map(|(bone, &reference)| FileBone {
            name: bone.name.clone(),
            parent: parent_number(bone),
            reference,
        });
        let frames = self.frames.iter().map(|frame| FileFrame {
            time: frame.time,
            animated: frame.animated.clone(),
            parameters: (text(&frame.settings) != common).then(|| Box::new(frame.settings)),
            hash: format!("{:016x}", frame.hash),
            nodes: named_nodes(&frame.nodes),
        });
        let Instant { frame, step, within } = self.instant;
        to_json_pretty(&File {
            format: FORMAT.to_owned(),
            version: VERSION,
            name: self.name.clone(),
            model: self.model.clone(),
            rig: FileRig { bones: bones.collect(), biped: (&self.biped).into() },
            preset: &self.preset,
            frames: frames.collect(),
            instant: FileInstant { frame, iteration: step.iteration, stage: step.stage, within },
        })
    }
}

/// The node that differs most, and by how much.
fn furthest(a: &Nodes, b: &Nodes) -> (Node, f32) {
    Node::ALL
        .into_iter()
        .map(|node| (node, a[node].distance(b[node])))
        .fold((Node::Body, 0.0), |best, of| if of.1 > best.1 { of } else { best })
}

/// `P` is the preset: raw JSON when reading, by reference when writing.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File<P = Value> {
    format: String,
    version: u64,
    #[serde(default)]
    name: String,
    #[serde(default)]
    model: String,
    rig: FileRig<FileBone>,
    preset: P,
    frames: Vec<FileFrame>,
    #[serde(default)]
    instant: FileInstant,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileBone {
    name: String,
    /// −1 for a root.
    parent: i64,
    reference: RigidTransform,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileFrame {
    time: f32,
    animated: Vec<RigidTransform>,
    #[serde(default)]
    parameters: Option<Box<Settings>>,
    hash: String,
    nodes: BTreeMap<Node, Vec3>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileInstant {
    frame: usize,
    #[serde(default)]
    iteration: Option<u32>,
    stage: Stage,
    #[serde(default, rename = "move")]
    within: Option<usize>,
}

impl Default for FileInstant {
    fn default() -> Self {
        let Instant { frame, step, within } = Instant::default();
        Self { frame, iteration: step.iteration, stage: step.stage, within }
    }
}

impl TryFrom<File> for Capsule {
    type Error = Fault;

    fn try_from(file: File) -> Result<Self, Fault> {
        check_header(Some(file.format.into()), Some(file.version.into()), FORMAT)?;
        let bones = file.rig.bones.into_iter().map(|bone| (bone.name, bone.parent, bone.reference));
        let (skeleton, biped, reference) = read_rig(bones, file.rig.biped)?;
        let preset = Preset::from_value(file.preset).map_err(|error| error.within("preset"))?;
        let mut frames = Vec::with_capacity(file.frames.len());
        for (index, frame) in file.frames.into_iter().enumerate() {
            let frame = read_frame(frame, skeleton.len(), &preset.settings);
            frames.push(frame.map_err(|fault| fault.within(format!("frames[{index}]")))?);
        }
        if frames.is_empty() {
            return Err(Fault::new("frames", Problem::Empty("a capsule has at least one frame")));
        }
        let FileInstant { frame, iteration, stage, within } = file.instant;
        if frame >= frames.len() {
            let problem = Problem::Index { what: "frames", index: frame, count: frames.len() };
            return Err(Fault::new("instant.frame", problem));
        }
        let instant = Instant { frame, step: Step { iteration, stage }, within };
        Ok(Self { name: file.name, model: file.model, skeleton, biped, reference, preset, frames, instant })
    }
}

fn read_frame(file: FileFrame, bones: usize, common: &Settings) -> Result<CapsuleFrame, Fault> {
    if !file.time.is_finite() {
        return Err(Fault::new("time", Problem::NotFinite("it is a number of seconds")));
    }
    if file.animated.len() != bones {
        let problem = Problem::Length { what: "bones", found: file.animated.len(), expected: bones };
        return Err(Fault::new("animated", problem));
    }
    let animated = file.animated.into_iter().enumerate();
    let animated =
        animated.map(|(bone, transform)| checked(transform).map_err(|fault| fault.within(format!("animated[{bone}]"))));
    let animated = animated.collect::<Result<Vec<_>, _>>()?;
    let settings = file.parameters.map_or(*common, |own| *own);
    settings.validate().map_err(|fault| fault.within("parameters"))?;
    let is_hash = file.hash.len() == 16 && file.hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let hash = u64::from_str_radix(&file.hash, 16)
        .ok()
        .filter(|_| is_hash)
        .ok_or_else(|| Fault::new("hash", format!("is {:?}; a hash is 16 hexadecimal digits", file.hash)))?;
    let nodes = read_nodes(&file.nodes).map_err(|fault| fault.within("nodes"))?;
    Ok(CapsuleFrame { time: file.time, animated, settings, hash, nodes })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::full_body::State;
    use crate::stepped::Recorded;

    #[test]
    fn everything_counts_but_the_sign_of_zero() {
        let recording = Recording::default().with_states([(Step::READ, State::default())]);
        let result = [RigidTransform::IDENTITY];
        let before = hash(&recording, &result);
        let with = |change: fn(&mut Recorded<Step, State>)| {
            let mut recording = recording.clone();
            change(&mut recording.solve.steps[0]);
            hash(&recording, &result)
        };
        assert_eq!(with(|step| step.state.nodes.0[3].y = -0.0), before);
        let others = [
            with(|step| step.state.nodes.0[3].y = f32::MIN_POSITIVE),
            with(|step| step.state.plane_rotation_offsets[3].w = 0.5),
            with(|step| step.step.iteration = Some(0)),
            with(|step| step.step.stage = Stage::Bend),
            hash(&recording, &[]),
            hash(&Recording::default(), &result),
        ];
        assert!(!others.contains(&before), "{others:?}");
    }
}
