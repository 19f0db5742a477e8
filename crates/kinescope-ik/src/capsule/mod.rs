//! Bug capsules: a character, its input and its outcome in one file (`kinescope-capsule`, version 1).
//!
//! A capsule needs no model: it contains the bones that the layers of the [stack] use. It opens at the instant at which
//! it was taken, and solving its frames again shows whether every layer still gives the same result.
//!
//! ```json
//! { "format": "kinescope-capsule", "version": 1,
//!   "name": "left elbow flips on the stairs", "model": "biped.glb",
//!   "rig": {
//!     "bones": [ { "name": "Hips", "parent": -1,
//!                  "reference": { "position": [0, 0.9, 0], "rotation": [0, 0, 0, 1] } } ],
//!     "biped": { "pelvis": 0, "spine": [1, 2, 3], "...": "as in traces" },
//!     "legs": { "thighs": [40, 44], "...": "as measured on the model" } },
//!   "preset": { "format": "kinescope-preset", "version": 1, "...": "a whole preset with its sections" },
//!   "frames": [ { "time": 0.0,
//!                 "animated": [ { "position": [0, 0.9, 0], "rotation": [0, 0, 0, 1] } ],
//!                 "parameters": null, "sections": null,
//!                 "place": { "root": { "position": [0, 0, 0], "rotation": [0, 0, 0, 1] }, "dt": 0.0167,
//!                            "clip_time": 0.4, "planted": [1, 0.2], "carried": [[0, 0, 0], [0, 0, 0]],
//!                            "footprints": [null, null], "grounding": { "method": null, "quality": null, "weight": 1 },
//!                            "crossed": [null, null], "ground_time": 0, "lab_time": 0 },
//!                 "memory": { "ground": { "predictive": { "...": "its state" } }, "handover": { "...": "" },
//!                             "footprints": null, "lock": null, "modifiers": [], "lanes": [] },
//!                 "hash": "0123456789abcdef", "nodes": { "body": [0, 1.1, 0], "...": "all 13" },
//!                 "layers": [ { "layer": "grounding", "hash": "0123456789abcdef", "points": [[0, 0.1, 0]] } ] } ],
//!   "instant": { "frame": 0, "layer": "full_body", "iteration": 2, "stage": "stage2", "nth": 0, "move": null } }
//! ```
//!
//! JSON, UTF-8, lengths in model units, rotations as unit quaternions `[x, y, z, w]`, glTF axes. `reference` is in
//! model space. Poses, nodes, points and targets are in the space of `animated` (see [`stack`]): world space if `root`,
//! the transform from model space to the world, was applied to it, model space if `root` is the identity. Unknown
//! fields are errors. Numbers are written so that reading them back gives the same f32.
//!
//! | field | content | if omitted |
//! |---|---|---|
//! | `name` | a description for people | empty |
//! | `model` | file name of the model that the capsule was taken from; the file is not read | empty |
//! | `rig.bones` | parents first, −1 for a root; `reference` is the pose that initializes the solver | error |
//! | `rig.biped` | the roles, by index into the bones, as in traces; head and clavicles may be null | no full body |
//! | `rig.legs` | measurements of the legs for grounding | no grounding |
//! | `rig.clip_ranges` | ranges of the joints in the character's clips, for joint limits from clips: per joint `centre`, `swing` and `twist`, or null | limits from clips are the anatomical limits |
//! | `preset` | a complete [preset](crate::preset), with sections such as `terrain`, `view` and `clip` | error |
//! | `frames` | at least one: a single pose, or a window of a clip | error |
//! | `instant` | the instant on screen when the capsule was taken | the end of the first frame |
//!
//! In a frame, `time` is in seconds, rising from frame to frame, from any starting point. `animated` is the input pose
//! of the first layer, one transform per bone of the rig. `parameters` contains a preset's `solver`, `chains` and
//! `effectors` if they differ from the preset, else null; `sections` does the same for the sections `grounding`,
//! `chain_ik`, `attachments`, `modifiers` and `stack`. `place` ([`Place`]) and `memory` ([`Memory`]) are the rest of
//! the input, except [`Input::source`] and [`Input::foreign`]: `layers` lacks the layers that used these poses. A frame
//! without `place` has no grounding and no chain lab, unless its `sections` have them; its `parameters` include the
//! targets set by grounding. `hash` is the [`hash`] of the full body's solve, 16 hexadecimal digits. `nodes` are the 13
//! nodes after its last step; at master weight 0, which has no steps, the positions of their bones. `hash` and `nodes`
//! are null if the full body was not solved. `layers` contains all other layers that were solved: the [`hash_of_run`]
//! and the final points of each.
//!
//! In `instant`, `layer` is the layer of the step. `iteration` and `stage` name the step, those of the full body as in
//! traces, but with `write_` in front of a stage of writing. `nth` counts steps with the same two values, from 0.
//! `move` is the index of a move within the step (the instant just after it), or null for the end of the step. A step
//! that the solve does not have counts as the last one.
//!
//! Hashes are exact, but sine and cosine differ in the last bit between platforms. Between machines, compare
//! [`Change::distance`] with a tolerance.

mod hash;

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::{Fault, Problem};
use crate::full_body::{BodyRun, Node, Nodes, Settings};
use crate::ground::Ground;
use crate::grounding::Legs;
use crate::joints::JointRanges;
use crate::json::{VERSION, check_header, read_json, read_part, to_json, to_json_pretty, to_value};
use crate::preset::Preset;
use crate::rig::{Biped, ModelPose, RigidTransform, Skeleton};
use crate::stack::{self, Frame, Input, LaneSource, LayerId, Memory, Place, Rig, Stack, Tools};
use crate::stepped::{Cursor, Run};
use crate::trace::{FileBiped, checked_at, named_nodes, parent_number, read_biped, read_bones, read_nodes};

pub use hash::{hash, hash_of_run};

/// The value of the field `format`.
pub const FORMAT: &str = "kinescope-capsule";

/// A character with recorded inputs and outcomes.
///
/// ```
/// use kinescope_ik::capsule::{Capsule, CapsuleFrame, Instant};
/// use kinescope_ik::stack::{Input, Stack, Tools};
/// use kinescope_ik::ModelPose;
/// # let text = std::fs::read_to_string("tests/golden/reach-with-twist.trace.json")?;
/// # let kinescope_ik::trace::Rig { skeleton, biped, reference, animated } = kinescope_ik::Trace::from_json(&text)?.rig;
///
/// let stack = Stack::default();
/// let mut capsule = Capsule {
///     name: "the hand lets go of the rail".into(),
///     model: "mannequin.glb".into(),
///     skeleton,
///     biped: Some(biped),
///     reference,
///     legs: None,
///     clip_ranges: None,
///     preset: stack.to_preset(),
///     frames: Vec::new(),
///     instant: Instant::default(),
/// };
/// let input = Input::new(stack, ModelPose::rigid(animated));
/// capsule.frames.push(CapsuleFrame::solve(&capsule.rig()?, Tools::default(), 0.0, &input));
///
/// // Later, in a test: does the solver still give the same result?
/// let capsule = Capsule::from_json(&capsule.to_json())?;
/// assert!(capsule.check(|_| None)?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Capsule {
    /// A description for people.
    pub name: String,
    /// The file name of the model that the capsule was taken from.
    pub model: String,
    /// Names and parents. A capsule read from a file has identity rest transforms, because files do not contain them.
    pub skeleton: Skeleton,
    /// The roles of bones; `None` for a character without a full body.
    pub biped: Option<Biped>,
    /// The pose that initializes solvers, in model space, one transform per bone.
    pub reference: Vec<RigidTransform>,
    /// The measurements for grounding; `None` for a character without grounding.
    pub legs: Option<Legs>,
    /// The ranges of the clips, for joint limits from clips; with `None` these limits are the anatomical limits.
    pub clip_ranges: Option<JointRanges>,
    /// The settings and sections of the frames that have none of their own.
    pub preset: Preset,
    /// The frames, at least one.
    pub frames: Vec<CapsuleFrame>,
    /// The instant on screen when the capsule was taken.
    pub instant: Instant,
}

/// A frame: its input and its outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct CapsuleFrame {
    /// The time in seconds, from any starting point.
    pub time: f32,
    /// The input. Its pose is rigid, because a capsule does not store scales. It has no [`Input::source`] and no
    /// [`Input::foreign`], because a file does not keep them.
    pub input: Input,
    /// The recorded outcome.
    pub outcome: Outcome,
}

/// The outcome of a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The full body's [`hash`], and its nodes after the last step (at master weight 0 the positions of their bones),
    /// in the space of the input pose. `None` if the full body was not solved.
    pub full_body: Option<(u64, Nodes)>,
    /// The outcomes of all other layers that were solved, in solving order.
    pub layers: Vec<LayerOutcome>,
}

/// The outcome of one layer.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerOutcome {
    /// The layer.
    pub layer: LayerId,
    /// The [`hash_of_run`] of the layer.
    pub hash: u64,
    /// The final points, in the space of the input pose.
    pub points: Vec<Vec3>,
}

/// An instant of a solve, by names that also apply to other solves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Instant {
    /// The index into [`Capsule::frames`].
    #[serde(default)]
    pub frame: usize,
    /// The layer of the step.
    #[serde(default = "full_body", skip_serializing_if = "is_full_body")]
    pub layer: LayerId,
    /// The iteration of the step, from 0; `None` outside the iterations.
    #[serde(default)]
    pub iteration: Option<u32>,
    /// The step's key. A step that the solve does not have counts as its last one.
    pub stage: String,
    /// The index among the steps with this iteration and key, from 0.
    #[serde(default, skip_serializing_if = "is_first")]
    pub nth: u32,
    /// The index of a move within the step; the instant is just after it. `None` is the end of the step.
    #[serde(default, rename = "move")]
    pub within: Option<usize>,
}

fn full_body() -> LayerId {
    LayerId::FullBody
}

fn is_full_body(layer: &LayerId) -> bool {
    *layer == LayerId::FullBody
}

fn is_first(nth: &u32) -> bool {
    *nth == 0
}

impl Default for Instant {
    /// Returns the end of the first frame.
    fn default() -> Self {
        let (layer, stage) = (LayerId::FullBody, "write_right_leg".to_owned());
        Self { frame: 0, layer, iteration: None, stage, nth: 0, within: None }
    }
}

impl Instant {
    /// Returns the instant of a run at a cursor; the end of the run for a cursor after its last step.
    pub fn of(frame: usize, layer: LayerId, run: &dyn Run, at: Cursor) -> Self {
        if at.step >= run.steps() {
            return Self { frame, layer, ..Self::default() };
        }
        let name = |step: usize| (run.step(step).iteration, run.step(step).key);
        let own = name(at.step);
        let nth = (0..at.step).filter(|&step| name(step) == own).count() as u32;
        Self { frame, layer, iteration: own.0, stage: own.1.to_owned(), nth, within: at.within }
    }

    /// Returns the cursor of this instant in a run: the end of the run if it lacks the step, and the end of the step if
    /// that lacks the move.
    pub fn cursor(&self, run: &dyn Run) -> Cursor {
        let is_own = |&step: &usize| run.step(step).iteration == self.iteration && run.step(step).key == self.stage;
        let step = (0..run.steps()).filter(is_own).nth(self.nth as usize);
        let Some(step) = step else { return Cursor::end(run) };
        Cursor { step, within: self.within.filter(|&within| within < run.events(step)) }
    }
}

/// A frame whose outcome differs from the recorded one.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The index into [`Capsule::frames`].
    pub frame: usize,
    /// The layer that differs most, by the distance of its points.
    pub layer: LayerId,
    /// The key of the point that differs most: `body` if the full body is no longer solved, empty if another layer has
    /// no points now.
    pub point: String,
    /// The distance between the recorded and the new position of [`Self::point`] in model units; 0 if only earlier
    /// steps or rotations differ. Infinite if the layer is no longer solved, has another number of points, or has a
    /// point that is not finite.
    pub distance: f32,
}

impl CapsuleFrame {
    /// Returns the frame of a solve; `time` is in seconds. The outcome lacks the layers that used
    /// [`Input::source`] or [`Input::foreign`], because a file does not keep these poses.
    pub fn of(time: f32, frame: &Frame) -> Self {
        let animated = Arc::new(ModelPose::rigid(frame.input.animated.bones.clone()));
        let input = Input { animated, source: None, foreign: Arc::default(), ..frame.input.clone() };
        let mut outcome = Outcome::of(frame);
        outcome.layers.retain(|own| !uses_unkept_pose(own.layer, &frame.input));
        Self { time, input, outcome }
    }

    /// Solves and records the outcome, see [`Self::of`].
    pub fn solve(rig: &Rig, tools: Tools, time: f32, input: &Input) -> Self {
        Self::of(time, &stack::solve(rig, tools, input))
    }
}

/// Returns whether a layer was solved from a pose that a file does not keep.
fn uses_unkept_pose(layer: LayerId, input: &Input) -> bool {
    let of_source = layer == LayerId::Retarget && input.source.is_some();
    of_source || foreign_lane(layer, input).is_some()
}

/// Returns the index of a lane that another program solves; `None` for other layers.
fn foreign_lane(layer: LayerId, input: &Input) -> Option<usize> {
    let LayerId::BodyLane(index) = layer else { return None };
    let lane = input.stack.order.body_lab.lanes.get(index)?;
    matches!(lane.source, LaneSource::Foreign { .. }).then_some(index)
}

impl Outcome {
    /// Returns the outcome of a solved frame.
    pub fn of(frame: &Frame) -> Self {
        let mut found = Self::default();
        for layer in &frame.layers {
            let Some(Ok(solved)) = &layer.solved else { continue };
            // Lanes of the full-body lab can have a run of the full body, too.
            let Some(run) = solved.of::<BodyRun>().filter(|_| layer.id == LayerId::FullBody) else {
                let run = solved.run();
                let points = if run.steps() > 0 { run.places(Cursor::end(run)) } else { run.start() };
                found.layers.push(LayerOutcome { layer: layer.id, hash: hash_of_run(run, &layer.before), points });
                continue;
            };
            let mut pose = run.animated.to_vec();
            run.pose(Cursor::end(run), &mut pose);
            let nodes = match run.recording.solve.steps.last() {
                Some(last) => last.state.nodes(),
                None => Nodes(Node::ALL.map(|node| pose[run.solver.bone_of(node)].position)),
            };
            found.full_body = Some((hash(&run.recording, &pose), nodes));
        }
        found
    }

    /// Compares a newly solved frame with this outcome. Returns the layer, point key and distance of the largest
    /// difference, of equal ones the first in solving order; `None` if nothing differs, see [`Change`]. Layers that
    /// were not recorded are ignored, and so are lanes of other programs whose pose the frame's input lacks.
    pub fn change(&self, frame: &Frame) -> Option<(LayerId, String, f32)> {
        let now = Self::of(frame);
        let key = |layer: LayerId, point: usize| {
            let points = frame.run(layer).map_or_else(Vec::new, Run::points);
            points.get(point).map_or_else(String::new, |point| point.key.clone())
        };
        let body = self.full_body.as_ref().and_then(|(before, nodes)| match &now.full_body {
            Some((hash, _)) if hash == before => None,
            Some((_, others)) => {
                let (node, distance) = furthest(nodes.0.iter().zip(&others.0));
                Some((LayerId::FullBody, Node::ALL[node].key().to_owned(), distance))
            }
            None => Some((LayerId::FullBody, Node::Body.key().to_owned(), f32::INFINITY)),
        });
        let received = |lane: usize| frame.input.foreign.get(lane).is_some_and(Option::is_some);
        let lacks_pose = |layer| foreign_lane(layer, &frame.input).is_some_and(|lane| !received(lane));
        let others = self.layers.iter().filter(|before| !lacks_pose(before.layer)).filter_map(|before| {
            let (point, distance) = match now.layers.iter().find(|own| own.layer == before.layer) {
                Some(after) if after == before => return None,
                Some(after) if after.points.len() == before.points.len() => {
                    furthest(before.points.iter().zip(&after.points))
                }
                _ => (0, f32::INFINITY),
            };
            Some((before.layer, key(before.layer, point), distance))
        });
        let order = |layer: LayerId| frame.layers.iter().position(|own| own.id == layer);
        let mut found: Vec<_> = body.into_iter().chain(others).collect();
        found.sort_by_key(|(layer, ..)| order(*layer).unwrap_or(usize::MAX));
        found.into_iter().reduce(|worst, of| if of.2 > worst.2 { of } else { worst })
    }
}

/// Returns the index and distance of the pair of points that are furthest apart; infinite if a point is not finite.
fn furthest<'a>(pairs: impl Iterator<Item = (&'a Vec3, &'a Vec3)>) -> (usize, f32) {
    let distance = |(a, b): (&Vec3, &Vec3)| match a.distance(*b) {
        distance if distance.is_finite() => distance,
        _ => f32::INFINITY,
    };
    pairs.map(distance).enumerate().fold((0, 0.0), |best, of| if of.1 > best.1 { of } else { best })
}

impl Capsule {
    /// Returns the rig of the character for the layers of a stack.
    ///
    /// # Errors
    /// As [`Rig::biped`], if the capsule has a biped.
    pub fn rig(&self) -> Result<Rig, Fault> {
        let (name, skeleton, reference) = (self.model.clone(), self.skeleton.clone(), self.reference.clone());
        let rig = match &self.biped {
            Some(biped) => Rig::biped(name, skeleton, biped, reference)?,
            None => {
                let (skeleton, reference) = (skeleton.into(), reference.into());
                let full_body = Err("no biped: the capsule has no roles".to_owned());
                Rig { name, skeleton, reference, full_body, ..Rig::default() }
            }
        };
        Ok(rig.with_legs(self.legs).with_clip_ranges(self.clip_ranges.clone()))
    }

    /// Solves every frame again and lists those whose outcome differs. `ground` returns the ground of a frame.
    ///
    /// # Errors
    /// As [`Self::rig`], or a [`Fault`] if a frame has the wrong number of bones.
    pub fn check(&self, ground: impl Fn(&Input) -> Option<Box<dyn Ground>>) -> Result<Vec<Change>, Fault> {
        let rig = self.rig()?;
        let mut workspace = rig.full_body.as_ref().ok().map(|solver| solver.workspace());
        let mut changes = Vec::new();
        for (index, frame) in self.frames.iter().enumerate() {
            let (found, expected) = (frame.input.animated.bones.len(), self.skeleton.len());
            if found != expected {
                return Err(Fault::new("animated", Problem::Length { what: "bones", found, expected }));
            }
            let ground = ground(&frame.input);
            let tools = Tools { workspace: workspace.as_mut(), ground: ground.as_deref(), clock: None };
            let now = stack::solve(&rig, tools, &frame.input);
            if let Some((layer, point, distance)) = frame.outcome.change(&now) {
                changes.push(Change { frame: index, layer, point, distance });
            }
        }
        Ok(changes)
    }

    /// Reads a capsule.
    ///
    /// # Errors
    /// [`Fault`] with the path of the field, for invalid JSON, another format or version, an unknown, missing or
    /// repeated field, an invalid value, or a frame that does not fit the rig.
    pub fn from_json(text: &str) -> Result<Self, Fault> {
        read_json::<File>(text)?.try_into()
    }

    /// Returns the capsule as JSON. Numbers are written so that they read back as the same f32.
    pub fn to_json(&self) -> String {
        let common = Stack::of_preset(&self.preset).unwrap_or_default();
        let bones = self.skeleton.bones().iter().zip(&self.reference).map(|(bone, &reference)| FileBone {
            name: bone.name.clone(),
            parent: parent_number(bone),
            reference,
        });
        to_json_pretty(&File {
            format: FORMAT.to_owned(),
            version: VERSION,
            name: self.name.clone(),
            model: self.model.clone(),
            rig: FileRig {
                bones: bones.collect(),
                biped: self.biped.as_ref().map(Into::into),
                legs: self.legs,
                clip_ranges: self.clip_ranges.clone(),
            },
            preset: &self.preset,
            frames: self.frames.iter().map(|frame| FileFrame::of(frame, &common)).collect(),
            instant: self.instant.clone(),
        })
    }
}

/// The file. `P` is the preset: JSON when reading, a reference when writing.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File<P = Value> {
    format: String,
    version: u64,
    #[serde(default)]
    name: String,
    #[serde(default)]
    model: String,
    rig: FileRig,
    preset: P,
    frames: Vec<FileFrame>,
    #[serde(default)]
    instant: Instant,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileRig {
    bones: Vec<FileBone>,
    #[serde(default)]
    biped: Option<FileBiped>,
    #[serde(default)]
    legs: Option<Legs>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clip_ranges: Option<JointRanges>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileBone {
    name: String,
    /// The index of the parent; −1 for a root.
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
    #[serde(default)]
    sections: Option<BTreeMap<String, Value>>,
    #[serde(default)]
    place: Option<Place>,
    /// Read as JSON first, so that its numbers are checked before they become a state.
    #[serde(default)]
    memory: Option<Value>,
    #[serde(default)]
    hash: Option<String>,
    #[serde(default)]
    nodes: Option<BTreeMap<Node, Vec3>>,
    #[serde(default)]
    layers: Vec<FileLayer>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileLayer {
    layer: LayerId,
    hash: String,
    points: Vec<Vec3>,
}

const SECTIONS: [&str; 5] = ["grounding", "chain_ik", "attachments", "modifiers", "stack"];

impl FileFrame {
    /// Returns a frame as written to the file; `common` is the stack of the capsule's preset.
    fn of(frame: &CapsuleFrame, common: &Stack) -> Self {
        // Compared as text, which distinguishes −0 from 0.
        let (stack, memory) = (&*frame.input.stack, &frame.input.memory);
        let [value, other] = [stack, common].map(Stack::to_value);
        let section = |of: &Value, name: &str| of[name].to_string();
        let differs = SECTIONS.into_iter().filter(|&name| section(&value, name) != section(&other, name));
        let sections: BTreeMap<String, Value> = differs.map(|name| (name.to_owned(), value[name].clone())).collect();
        Self {
            time: frame.time,
            animated: frame.input.animated.bones.clone(),
            parameters: (to_json(&stack.full_body) != to_json(&common.full_body)).then(|| Box::new(stack.full_body)),
            sections: (!sections.is_empty()).then_some(sections),
            place: Some(frame.input.place),
            memory: (*memory != Memory::default()).then(|| to_value(memory)),
            hash: frame.outcome.full_body.map(|(hash, _)| format!("{hash:016x}")),
            nodes: frame.outcome.full_body.map(|(_, nodes)| named_nodes(&nodes)),
            layers: frame.outcome.layers.iter().map(FileLayer::of).collect(),
        }
    }

    fn read(self, skeleton: &Skeleton, common: &Stack) -> Result<CapsuleFrame, Fault> {
        let bones = skeleton.len();
        if !self.time.is_finite() {
            return Err(Fault::new("time", Problem::NotFinite("expected a number of seconds")));
        }
        if self.animated.len() != bones {
            let problem = Problem::Length { what: "bones", found: self.animated.len(), expected: bones };
            return Err(Fault::new("animated", problem));
        }
        let animated = self.animated.into_iter().enumerate();
        let animated = animated.map(|(bone, transform)| {
            checked_at(transform, skeleton, bone).map_err(|fault| fault.within(format!("animated[{bone}]")))
        });
        let animated = Arc::new(ModelPose::rigid(animated.collect::<Result<Vec<_>, _>>()?));
        let full_body = self.parameters.map_or(common.full_body, |own| *own);
        full_body.validate().map_err(|fault| fault.within("parameters"))?;
        let mut stack = Stack { full_body, ..common.clone() };
        if self.place.is_none() {
            // Without a place there is no grounding; the parameters already include the targets that grounding set.
            stack.grounding = Default::default();
            stack.chain_ik.lab = None;
        }
        for (name, value) in self.sections.into_iter().flatten() {
            let place = |fault: Fault| fault.within("sections");
            match name.as_str() {
                "grounding" => stack.grounding = read_part(&value, &name).map_err(place)?,
                "attachments" => stack.attachments = Arc::new(read_part(&value, &name).map_err(place)?),
                "modifiers" => stack.modifiers = Arc::new(read_part(&value, &name).map_err(place)?),
                "chain_ik" => stack.chain_ik = read_part(&value, &name).map_err(place)?,
                "stack" => stack.order = read_part(&value, &name).map_err(place)?,
                _ => {
                    let problem = format!("is not a section of a frame; the sections are {}", SECTIONS.join(", "));
                    return Err(Fault::new(format!("sections.{name}"), problem));
                }
            }
        }
        stack.validate().map_err(|fault| fault.within("sections"))?;
        let place = self.place.unwrap_or_default();
        place.validate().map_err(|fault| fault.within("place"))?;
        let memory = match self.memory {
            None => Memory::default(),
            Some(value) => {
                check_numbers(&value).map_err(|fault| fault.within("memory"))?;
                read_part(&value, "memory")?
            }
        };
        let full_body = match (self.hash, self.nodes) {
            (None, None) => None,
            (Some(hash), Some(nodes)) => {
                Some((read_hash(&hash)?, read_nodes(&nodes).map_err(|fault| fault.within("nodes"))?))
            }
            (Some(_), None) => return Err(Fault::new("nodes", Problem::Missing("expected together with `hash`"))),
            (None, Some(_)) => return Err(Fault::new("hash", Problem::Missing("expected together with `nodes`"))),
        };
        let layers = self.layers.into_iter().enumerate();
        let layers = layers
            .map(|(index, layer)| layer.read().map_err(|fault| fault.within(format!("layers[{index}]"))))
            .collect::<Result<_, _>>()?;
        let input = Input { stack: Arc::new(stack), animated, source: None, foreign: Arc::default(), place, memory };
        Ok(CapsuleFrame { time: self.time, input, outcome: Outcome { full_body, layers } })
    }
}

impl FileLayer {
    fn of(outcome: &LayerOutcome) -> Self {
        let LayerOutcome { layer, hash, points } = outcome.clone();
        Self { layer, hash: format!("{hash:016x}"), points }
    }

    fn read(self) -> Result<LayerOutcome, Fault> {
        if let Some(at) = self.points.iter().position(|point| !point.is_finite()) {
            return Err(Fault::new(format!("points[{at}]"), Problem::NotFinite("a point has finite coordinates")));
        }
        Ok(LayerOutcome { layer: self.layer, hash: read_hash(&self.hash)?, points: self.points })
    }
}

fn read_hash(text: &str) -> Result<u64, Fault> {
    let is_hash = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    u64::from_str_radix(text, 16)
        .ok()
        .filter(|_| is_hash)
        .ok_or_else(|| Fault::new("hash", format!("is {text:?}; a hash is 16 hexadecimal digits")))
}

/// Checks that every number lies within ±1e15. The states that solves produce stay far below.
fn check_numbers(value: &Value) -> Result<(), Fault> {
    match value {
        Value::Number(number) if number.as_f64().is_none_or(|number| number.abs() > 1e15) => {
            Err(Fault::new("", "is too large; the numbers of a state must be within ±1e15"))
        }
        Value::Array(items) => items.iter().try_for_each(check_numbers),
        Value::Object(fields) => {
            fields.iter().try_for_each(|(name, value)| check_numbers(value).map_err(|fault| fault.within(name)))
        }
        _ => Ok(()),
    }
}

impl TryFrom<File> for Capsule {
    type Error = Fault;

    fn try_from(file: File) -> Result<Self, Fault> {
        check_header(Some(file.format.into()), Some(file.version.into()), FORMAT)?;
        let FileRig { bones, biped, legs, clip_ranges } = file.rig;
        let bones = bones.into_iter().map(|bone| (bone.name, bone.parent, bone.reference));
        let (skeleton, reference) = read_bones(bones)?;
        let biped = biped.map(|biped| read_biped(biped, &reference)).transpose()?;
        if let Some(legs) = &legs {
            legs.check(skeleton.len()).map_err(|fault| fault.within("rig.legs"))?;
        }
        if let Some(ranges) = &clip_ranges {
            ranges.check().map_err(|fault| fault.within("rig.clip_ranges"))?;
        }
        let preset = Preset::from_value(file.preset).map_err(|error| error.within("preset"))?;
        let common = Stack::of_preset(&preset).map_err(|error| error.within("preset"))?;
        let mut frames = Vec::with_capacity(file.frames.len());
        for (index, frame) in file.frames.into_iter().enumerate() {
            let frame = frame.read(&skeleton, &common);
            frames.push(frame.map_err(|fault| fault.within(format!("frames[{index}]")))?);
        }
        if frames.is_empty() {
            return Err(Fault::new("frames", Problem::Empty("a capsule has at least one frame")));
        }
        let instant = file.instant;
        if instant.frame >= frames.len() {
            let problem = Problem::Index { what: "frames", index: instant.frame, count: frames.len() };
            return Err(Fault::new("instant.frame", problem));
        }
        Ok(Self {
            name: file.name,
            model: file.model,
            skeleton,
            biped,
            reference,
            legs,
            clip_ranges,
            preset,
            frames,
            instant,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::full_body::{Recording, Stage, State, Step};
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
        assert_eq!(with(|step| step.state.set_node(Node::LeftHand, Vec3::new(0.0, -0.0, 0.0))), before);
        let others = [
            with(|step| step.state.set_node(Node::LeftHand, Vec3::new(0.0, f32::MIN_POSITIVE, 0.0))),
            with(|step| step.state.plane_rotation_offsets[0].w.w = 0.5),
            with(|step| step.step.iteration = Some(0)),
            with(|step| step.step.stage = Stage::Bend),
            hash(&recording, &[]),
            hash(&Recording::default(), &result),
        ];
        assert!(!others.contains(&before), "{others:?}");
    }
}
