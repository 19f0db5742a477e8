//! Traces: all stages of one solve, as JSON (`kinescope-trace`, version 1).
//!
//! A trace contains everything to solve again: rig, reference pose, animated pose and parameters. Recording and solving
//! run the same code, so a trace that is read back solves to the same numbers, bit for bit.
//!
//! ```json
//! { "format": "kinescope-trace", "version": 1,
//!   "model": "biped.glb",
//!   "parameters": { "...": "a preset's solver, chains, effectors" },
//!   "rig": {
//!     "bones": [ { "name": "Hips", "parent": -1,
//!                  "reference": { "position": [0, 0.9, 0], "rotation": [0, 0, 0, 1] },
//!                  "animated": { "position": [0, 0.9, 0], "rotation": [0, 0, 0, 1] } } ],
//!     "biped": { "pelvis": 0, "spine": [1, 2, 3], "head": 5, "root_node": 2,
//!                "left_clavicle": 6, "left_upper_arm": 7, "left_forearm": 8, "left_hand": 9,
//!                "right_clavicle": 30, "...": 0, "left_thigh": 50, "left_calf": 51, "left_foot": 52 } },
//!   "steps": [ { "iteration": null, "stage": "read", "nodes": { "body": [0, 1.1, 0], "...": "all 13" } },
//!              { "iteration": 0, "stage": "end_effectors", "nodes": { "...": "all 13" } } ],
//!   "writes": [ { "stage": "spine", "bones": { "0": { "position": [0, 0.9, 0], "rotation": [0, 0, 0, 1] } } } ],
//!   "result": { "bones": [ { "position": [0, 0.9, 0], "rotation": [0, 0, 0, 1] } ] } }
//! ```
//!
//! JSON, UTF-8, lengths in model units, rotations as unit quaternions `[x, y, z, w]`, everything in model space (glTF
//! axes: right-handed, +Y up). Unknown fields are errors. Parents come before children. `reference` is the pose that
//! initializes the solver, `animated` the input pose of the solve. Head and clavicles may be null. `root_node` may be
//! omitted; it is then [selected by position](Biped::root_node_among). Omitted parameters have their defaults; `model`,
//! `parameters`, `steps`, `writes` and `result` are optional.
//!
//! Steps, in order: `read`; for each iteration from 0 `end_effectors`, `push`, `reach`, `body_effectors`,
//! `trigonometric`, `stage1`, `body_effectors_again`, `stage2`; then `final_effectors`, `bend`. Without the FABRIK pass
//! there is one iteration of `end_effectors` and `trigonometric`; with 0 iterations none; at master weight 0 there are
//! no steps. `iteration` is null outside the iterations. `nodes` are the 13 [nodes](crate::full_body::Node) after the
//! step, `result.bones` is the pose after writing.
//!
//! Writes, in order: `spine` and `head` (with iterations above 0, the head only if there is one), `left_arm`,
//! `right_arm`, `left_leg`, `right_leg`; none at master weight 0. `bones` are the bones with a role, by index, after
//! that stage of [writing](crate::full_body::writing).
//!
//! A [whole](Trace::whole) trace contains more, for comparing a port with every step within a stage. `constants` has
//! the constants of the frame by [name](crate::full_body::constants::constants), each a number or a list. Each of the
//! `steps` has `moves`, a list of the moves of its nodes, in order: `{"node": "body", "from": [0, 1, 0], "to": [0,
//! 1.01, 0], "cause": "centroid"}`. `constants` and `moves` are optional, and may be incomplete.
//!
//! A trace covers the full body only. The effects of [modifiers](crate::modifiers) before IK are in `parameters` and
//! `animated`; their effects during and after IK are not in the trace.

use std::collections::BTreeMap;
use std::fmt;

use glam::{Quat, Vec3};
use serde::de::value::StrDeserializer;
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::error::{BadValue, Fault, Problem};
use crate::full_body::constants::{constants, known};
use crate::full_body::{FullBody, Move, Node, Nodes, Part, Recording, Settings, Stage, Step};
use crate::json::{read_json, to_json_pretty};
use crate::rig::{Biped, Bone, Limb, LocalTransform, RigidTransform, Skeleton};

/// The value of the field `format`.
pub const FORMAT: &str = "kinescope-trace";

/// One solve with its input, all stages and the result.
///
/// ```
/// use kinescope_ik::trace::{Rig, Trace};
/// use kinescope_ik::Settings;
/// # let text = std::fs::read_to_string("tests/golden/reach-with-twist.trace.json")?;
/// # let kinescope_ik::trace::Rig { skeleton, biped, reference, animated } = kinescope_ik::Trace::from_json(&text)?.rig;
///
/// let rig = Rig { skeleton, biped, reference, animated };
/// let trace = Trace::solve("mannequin.glb", rig, Settings::default())?;
/// for (step, nodes) in &trace.steps {
///     println!("{step:?}: {nodes:?}");
/// }
///
/// // A trace that is read back solves to the same numbers.
/// let read = Trace::from_json(&trace.to_json())?;
/// let again = Trace::solve(&read.model, read.rig.clone(), read.parameters)?;
/// assert_eq!(again, trace);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The file name of the model.
    pub model: String,
    /// The settings of the solve.
    pub parameters: Settings,
    /// The character and its input pose.
    pub rig: Rig,
    /// All stages, each with the nodes after it; empty at master weight 0, and in files without them.
    pub steps: Vec<(Step, Nodes)>,
    /// All stages of writing, each with the bones after it by index; empty at master weight 0, and in traces of ports
    /// that do not record them.
    pub writes: Vec<(Part, BTreeMap<usize, RigidTransform>)>,
    /// The resulting pose in model space, one transform per bone; empty in files without one.
    pub result: Vec<RigidTransform>,
    /// The additional data of a [whole](Self::whole) trace.
    pub more: More,
}

/// Additional data of a trace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct More {
    /// Recorded [constants](crate::full_body::constants) of the frame, by name.
    pub constants: BTreeMap<String, Vec<f32>>,
    /// All moves of nodes, one list per step of the trace; empty if they were not recorded.
    pub moves: Vec<Vec<TraceMove>>,
}

/// One move of a node, in model space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TraceMove {
    /// The node that moved.
    pub node: Node,
    /// The position before the move.
    pub from: Vec3,
    /// The position after the move.
    pub to: Vec3,
    /// The key of the [cause](crate::full_body::Cause::key).
    pub cause: String,
}

/// The character of a trace, in model space.
#[derive(Clone, Debug, PartialEq)]
pub struct Rig {
    /// Names and parents. A trace read from a file has identity rest transforms, because files do not contain them.
    pub skeleton: Skeleton,
    /// The roles of bones.
    pub biped: Biped,
    /// The pose that initializes the solver.
    pub reference: Vec<RigidTransform>,
    /// The input pose of the solve.
    pub animated: Vec<RigidTransform>,
}

impl Rig {
    /// Creates the solver of this rig.
    ///
    /// # Errors
    /// The errors of [`FullBody::new`].
    pub fn solver(&self) -> Result<FullBody, Fault> {
        FullBody::new(&self.skeleton, &self.biped, &self.reference)
    }
}

impl Trace {
    /// Solves and records every stage.
    ///
    /// # Errors
    /// [`Fault`] for a rig that [`FullBody::new`] refuses, or an input that [`FullBody::solve`] refuses.
    pub fn solve(model: &str, rig: Rig, parameters: Settings) -> Result<Self, Fault> {
        Self::record(model, rig, parameters).map(|(trace, ..)| trace)
    }

    fn record(model: &str, rig: Rig, parameters: Settings) -> Result<(Self, Recording, FullBody), Fault> {
        let solver = rig.solver()?;
        let mut recording = Recording::default();
        let mut result = rig.animated.clone();
        recording.record(&solver, &mut solver.workspace(), &parameters, &mut result)?;
        let trace = Self::of_recording(model, rig, parameters, (&solver, &recording), result);
        Ok((trace, recording, solver))
    }

    /// Returns the trace of a recorded solve, whose input was `parameters` and the rig's animated pose. `result` is the
    /// pose after writing.
    pub(crate) fn of_recording(
        model: &str,
        rig: Rig,
        parameters: Settings,
        (solver, recording): (&FullBody, &Recording),
        result: Vec<RigidTransform>,
    ) -> Self {
        let steps = recording.solve.steps.iter().map(|recorded| (recorded.step, recorded.state.nodes())).collect();
        let writes = recording.writes(solver).collect();
        Self { model: model.to_owned(), parameters, rig, steps, writes, result, more: More::default() }
    }

    /// Solves and records every stage, the frame's constants and every move; at master weight 0 nothing but the result.
    ///
    /// # Errors
    /// The errors of [`Self::solve`].
    pub fn whole(model: &str, rig: Rig, parameters: Settings) -> Result<Self, Fault> {
        let (mut trace, mut recording, solver) = Self::record(model, rig, parameters)?;
        recording.recall(&solver);
        if !trace.steps.is_empty() {
            let all = constants(&recording.frame);
            trace.more.constants = all.into_iter().map(|own| (own.name, own.values)).collect();
            let moves = |step: usize| {
                let moved = |own: &Move| {
                    let Move { node, from, to, cause } = *own;
                    TraceMove { node, from, to, cause: cause.key().to_owned() }
                };
                recording.solve.events_of(step).iter().map(moved).collect()
            };
            trace.more.moves = (0..trace.steps.len()).map(moves).collect();
        }
        Ok(trace)
    }

    /// Reads a trace, including one written by another program.
    ///
    /// # Errors
    /// [`Fault`] with the path of the field, for invalid JSON, another format or version, an unknown, missing or
    /// repeated field, a repeated stage, or an invalid value.
    pub fn from_json(text: &str) -> Result<Self, Fault> {
        read_json::<File>(text)?.try_into()
    }

    /// Returns the trace as JSON.
    pub fn to_json(&self) -> String {
        to_json_pretty(&File::from(self))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    version: u64,
    #[serde(default)]
    model: String,
    #[serde(default)]
    parameters: Settings,
    rig: FileRig,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    constants: BTreeMap<String, Numbers>,
    #[serde(default)]
    steps: Vec<TraceStep>,
    #[serde(default)]
    writes: Vec<FileWrite>,
    #[serde(default)]
    result: FileResult,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged, expecting = "is neither a number nor a list of numbers")]
enum Numbers {
    One(f32),
    Several(Vec<f32>),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TraceStep {
    iteration: Option<u32>,
    stage: Stage,
    #[serde(deserialize_with = "nodes_by_name")]
    nodes: BTreeMap<Node, Vec3>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    moves: Vec<TraceMove>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileRig {
    bones: Vec<FileBone>,
    biped: FileBiped,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileBone {
    name: String,
    /// The index of the parent; −1 for a root.
    parent: i64,
    reference: RigidTransform,
    animated: RigidTransform,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FileBiped {
    pelvis: usize,
    spine: Vec<usize>,
    #[serde(default)]
    head: Option<usize>,
    #[serde(default)]
    root_node: Option<usize>,
    #[serde(default)]
    left_clavicle: Option<usize>,
    left_upper_arm: usize,
    left_forearm: usize,
    left_hand: usize,
    #[serde(default)]
    right_clavicle: Option<usize>,
    right_upper_arm: usize,
    right_forearm: usize,
    right_hand: usize,
    left_thigh: usize,
    left_calf: usize,
    left_foot: usize,
    right_thigh: usize,
    right_calf: usize,
    right_foot: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FileStep {
    pub iteration: Option<u32>,
    pub stage: Stage,
    #[serde(deserialize_with = "nodes_by_name")]
    pub nodes: BTreeMap<Node, Vec3>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileWrite {
    stage: Part,
    bones: BTreeMap<usize, RigidTransform>,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileResult {
    bones: Vec<RigidTransform>,
}

impl From<&Trace> for File {
    fn from(trace: &Trace) -> Self {
        let rig = &trace.rig;
        let bones = rig.skeleton.bones().iter().enumerate().map(|(index, bone)| FileBone {
            name: bone.name.clone(),
            parent: parent_number(bone),
            reference: rig.reference[index],
            animated: rig.animated[index],
        });
        let steps = trace.steps.iter().enumerate().map(|(index, (step, nodes))| TraceStep {
            iteration: step.iteration,
            stage: step.stage,
            nodes: named_nodes(nodes),
            moves: trace.more.moves.get(index).cloned().unwrap_or_default(),
        });
        let numbers = |values: &Vec<f32>| match values[..] {
            [one] => Numbers::One(one),
            _ => Numbers::Several(values.clone()),
        };
        Self {
            constants: trace.more.constants.iter().map(|(name, values)| (name.clone(), numbers(values))).collect(),
            format: FORMAT.to_owned(),
            version: crate::preset::VERSION,
            model: trace.model.clone(),
            parameters: trace.parameters,
            rig: FileRig { bones: bones.collect(), biped: (&rig.biped).into() },
            steps: steps.collect(),
            writes: trace
                .writes
                .iter()
                .map(|(stage, bones)| FileWrite { stage: *stage, bones: bones.clone() })
                .collect(),
            result: FileResult { bones: trace.result.clone() },
        }
    }
}

impl From<&Biped> for FileBiped {
    fn from(biped: &Biped) -> Self {
        let [la, ra, ll, rl] = &biped.limbs;
        Self {
            pelvis: biped.pelvis,
            spine: biped.spine.clone(),
            head: biped.head,
            root_node: Some(biped.root_node),
            left_clavicle: la.clavicle,
            left_upper_arm: la.bones[0],
            left_forearm: la.bones[1],
            left_hand: la.bones[2],
            right_clavicle: ra.clavicle,
            right_upper_arm: ra.bones[0],
            right_forearm: ra.bones[1],
            right_hand: ra.bones[2],
            left_thigh: ll.bones[0],
            left_calf: ll.bones[1],
            left_foot: ll.bones[2],
            right_thigh: rl.bones[0],
            right_calf: rl.bones[1],
            right_foot: rl.bones[2],
        }
    }
}

impl TryFrom<File> for Trace {
    type Error = Fault;

    fn try_from(file: File) -> Result<Self, Fault> {
        crate::json::check_header(Some(file.format.into()), Some(file.version.into()), FORMAT)?;
        file.parameters.validate().map_err(|fault| fault.within("parameters"))?;
        let mut animated = Vec::with_capacity(file.rig.bones.len());
        for (index, bone) in file.rig.bones.iter().enumerate() {
            let at = || format!("rig.bones[{index}].animated");
            animated.push(checked_bone(bone.animated, &bone.name).map_err(|fault| fault.within(at()))?);
        }
        let bones = file.rig.bones.into_iter().map(|bone| (bone.name, bone.parent, bone.reference));
        let (skeleton, reference) = read_bones(bones)?;
        let biped = read_biped(file.rig.biped, &reference)?;
        let count = skeleton.len();
        let mut steps = Vec::with_capacity(file.steps.len());
        let mut more = More { constants: read_constants(file.constants)?, moves: Vec::new() };
        if file.steps.iter().any(|step| !step.moves.is_empty()) {
            more.moves = file.steps.iter().map(|step| step.moves.clone()).collect();
        }
        for (step, moves) in more.moves.iter().enumerate() {
            if let Some(index) = moves.iter().position(|own| !(own.from.is_finite() && own.to.is_finite())) {
                let place = format!("steps[{step}].moves[{index}]");
                return Err(Fault::new(place, Problem::NotFinite("a position has finite coordinates")));
            }
        }
        for (index, step) in file.steps.into_iter().enumerate() {
            let nodes = read_nodes(&step.nodes).map_err(|fault| fault.within(format!("steps[{index}].nodes")))?;
            steps.push((Step { iteration: step.iteration, stage: step.stage }, nodes));
        }
        check_stages(steps.iter().map(|(step, _)| *step))?;
        let mut writes = Vec::with_capacity(file.writes.len());
        for (index, write) in file.writes.into_iter().enumerate() {
            writes.push((write.stage, read_write(write.bones, index, &skeleton)?));
        }
        check_write_stages(writes.iter().map(|(part, _)| *part))?;
        let result = file.result.bones.into_iter().enumerate();
        let result = result.map(|(index, bone)| {
            checked_at(bone, &skeleton, index).map_err(|fault| fault.within(format!("result.bones[{index}]")))
        });
        let result = result.collect::<Result<Vec<_>, _>>()?;
        if !result.is_empty() && result.len() != count {
            let problem = Problem::Length { what: "bones", found: result.len(), expected: count };
            return Err(Fault::new("result.bones", problem));
        }
        let rig = Rig { skeleton, biped, reference, animated };
        Ok(Self { model: file.model, parameters: file.parameters, rig, steps, writes, result, more })
    }
}

fn read_constants(file: BTreeMap<String, Numbers>) -> Result<BTreeMap<String, Vec<f32>>, Fault> {
    let known = known();
    let mut read = BTreeMap::new();
    for (name, numbers) in file {
        let place = format!("constants.{name}");
        let values = match numbers {
            Numbers::One(one) => vec![one],
            Numbers::Several(values) => values,
        };
        let Some(own) = known.iter().find(|own| own.name == name) else {
            return Err(Fault::new(place, "is not a constant of a frame; an example is left_arm.root_length"));
        };
        let (found, expected) = (values.len(), own.values.len());
        if found != expected {
            return Err(Fault::new(place, format!("has {found} numbers; it must have {expected}")));
        }
        if !values.iter().all(|value| value.is_finite()) {
            return Err(Fault::new(place, Problem::NotFinite("a constant has finite numbers")));
        }
        read.insert(name, values);
    }
    Ok(read)
}

/// Returns the index of the first entry that equals an earlier one, and the index of the earlier one.
fn repeated<T: Ord>(entries: impl Iterator<Item = T>) -> Option<(usize, usize)> {
    let mut seen = BTreeMap::new();
    for (index, entry) in entries.enumerate() {
        if let Some(first) = seen.insert(entry, index) {
            return Some((index, first));
        }
    }
    None
}

pub(crate) fn check_stages(steps: impl Iterator<Item = Step>) -> Result<(), Fault> {
    match repeated(steps.map(|step| (step.iteration, step.stage))) {
        Some((index, first)) => {
            let message = format!("is the same stage as steps[{first}]; each stage of an iteration may be there once");
            Err(Fault::new(format!("steps[{index}]"), message))
        }
        None => Ok(()),
    }
}

pub(crate) fn check_write_stages(parts: impl Iterator<Item = Part>) -> Result<(), Fault> {
    match repeated(parts.map(|part| part.key())) {
        Some((index, first)) => {
            let message = format!("is the same stage as writes[{first}]; each stage of writing may be there once");
            Err(Fault::new(format!("writes[{index}]"), message))
        }
        None => Ok(()),
    }
}

pub(crate) fn read_write(
    file: impl IntoIterator<Item = (usize, RigidTransform)>,
    index: usize,
    skeleton: &Skeleton,
) -> Result<BTreeMap<usize, RigidTransform>, Fault> {
    let count = skeleton.len();
    let read = |(bone, at): (usize, RigidTransform)| {
        let place = format!("writes[{index}].bones.{bone}");
        if bone >= count {
            return Err(Fault::new(place, format!("is not a bone; the rig has {count} bones, counted from 0")));
        }
        Ok((bone, checked_at(at, skeleton, bone).map_err(|fault| fault.within(place))?))
    };
    file.into_iter().map(read).collect()
}

pub(crate) fn parent_number(bone: &Bone) -> i64 {
    bone.parent.map_or(-1, |parent| parent as i64)
}

pub(crate) fn read_bones(
    file: impl Iterator<Item = (String, i64, RigidTransform)>,
) -> Result<(Skeleton, Vec<RigidTransform>), Fault> {
    let (mut bones, mut reference) = (Vec::new(), Vec::new());
    for (index, (name, parent, transform)) in file.enumerate() {
        let place = format!("rig.bones[{index}]");
        let parent = match parent {
            -1 => None,
            parent => Some(
                usize::try_from(parent)
                    .map_err(|_| Fault::new(format!("{place}.parent"), format!("is {parent}; a root has −1")))?,
            ),
        };
        reference.push(checked_bone(transform, &name).map_err(|fault| fault.within("reference").within(&place))?);
        bones.push(Bone { name, parent, rest: LocalTransform::IDENTITY });
    }
    let skeleton = Skeleton::new(bones).map_err(|fault| fault.within("rig"))?;
    Ok((skeleton, reference))
}

/// Reads the roles of bones. If the root node is omitted, it is selected by its position in the reference pose.
pub(crate) fn read_biped(file: FileBiped, reference: &[RigidTransform]) -> Result<Biped, Fault> {
    let count = reference.len();
    let limb = |clavicle, bones| Limb { clavicle, bones };
    let limbs = [
        limb(file.left_clavicle, [file.left_upper_arm, file.left_forearm, file.left_hand]),
        limb(file.right_clavicle, [file.right_upper_arm, file.right_forearm, file.right_hand]),
        limb(None, [file.left_thigh, file.left_calf, file.left_foot]),
        limb(None, [file.right_thigh, file.right_calf, file.right_foot]),
    ];
    // The pelvis stands in for an omitted root node until all indices are checked.
    let root_node = file.root_node.unwrap_or(file.pelvis);
    let mut biped = Biped { pelvis: file.pelvis, spine: file.spine, head: file.head, root_node, limbs };
    for role in crate::rig::Role::ALL {
        if let Some(bone) = biped.bones_of(role).into_iter().find(|&bone| bone >= count) {
            let problem = Problem::Index { what: "bones", index: bone, count };
            return Err(Fault::new(format!("rig.biped.{}", role.key()), problem));
        }
    }
    if biped.root_node >= count {
        let problem = Problem::Index { what: "bones", index: biped.root_node, count };
        return Err(Fault::new("rig.biped.root_node", problem));
    }
    if file.root_node.is_none() {
        let placed = Biped::root_node_among(&biped.spine, &biped.limbs, reference);
        biped.root_node = placed.ok_or_else(|| {
            Fault::new("rig.biped.spine", Problem::Empty("list the spine bones from the one next to the pelvis up"))
        })?;
    }
    Ok(biped)
}

/// A node as the name of a field. It is read as text, because only then do the paths in errors include the name.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct NodeName(Node);

impl<'de> Deserialize<'de> for NodeName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;
        impl Visitor<'_> for Name {
            type Value = NodeName;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("the name of a node")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<NodeName, E> {
                Node::deserialize(StrDeserializer::new(name)).map(NodeName)
            }
        }
        deserializer.deserialize_str(Name)
    }
}

fn nodes_by_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<Node, Vec3>, D::Error> {
    let nodes = BTreeMap::<NodeName, Vec3>::deserialize(deserializer)?;
    Ok(nodes.into_iter().map(|(name, place)| (name.0, place)).collect())
}

pub(crate) fn named_nodes(nodes: &Nodes) -> BTreeMap<Node, Vec3> {
    Node::ALL.into_iter().map(|node| (node, nodes[node])).collect()
}

pub(crate) fn read_nodes(file: &BTreeMap<Node, Vec3>) -> Result<Nodes, Fault> {
    let mut nodes = Nodes::default();
    for node in Node::ALL {
        let position = file.get(&node).copied();
        let position = position.ok_or_else(|| Fault::new(node.key(), Problem::Missing("all 13 nodes are needed")))?;
        if !position.is_finite() {
            return Err(Fault::new(node.key(), Problem::NotFinite("a position has finite coordinates")));
        }
        nodes[node] = position;
    }
    Ok(nodes)
}

/// Checks a transform as [`checked`] does; a fault states the bone's name.
fn checked_bone(bone: RigidTransform, name: &str) -> Result<RigidTransform, Fault> {
    checked(bone).map_err(|fault| match name.is_empty() {
        true => fault,
        false => Fault::new(fault.place, format!("{}; the bone is {name:?}", fault.problem)),
    })
}

pub(crate) fn checked_at(bone: RigidTransform, skeleton: &Skeleton, index: usize) -> Result<RigidTransform, Fault> {
    checked_bone(bone, skeleton.bones().get(index).map_or("", |own| &own.name))
}

/// Checks position and rotation, and normalizes the rotation if its length is off 1 by more than 1e-4.
pub(crate) fn checked(mut bone: RigidTransform) -> Result<RigidTransform, Fault> {
    BadValue::check_place(bone.position).map_err(|bad| bad.at("position"))?;
    BadValue::check_rotation(bone.rotation).map_err(|bad| bad.at("rotation"))?;
    // Rotations of unit length up to rounding stay as they are, so that reading back changes no bit.
    if (bone.rotation.length() - 1.0).abs() > 1e-4 {
        bone.rotation = Quat::normalize(bone.rotation);
    }
    Ok(bone)
}
