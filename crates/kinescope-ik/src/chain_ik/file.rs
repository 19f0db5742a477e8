//! One chain's solve as JSON: input and output, both `kinescope-chain`, version 1.
//!
//! # Input
//!
//! ```json
//! { "format": "kinescope-chain", "version": 1,
//!   "bones": [ { "length": 0.4 }, { "length": 0.35, "weight": 0.8 }, { "length": 0.2 } ],
//!   "limits": [ { "hinge": { "axis": [0, 0, 1], "min": -1.5, "max": 1.5 } },
//!               { "ball_and_socket": { "swing": 0.6, "twist_min": -0.3, "twist_max": 0.3 } },
//!               { "angle": { "max": 1.2 } } ],
//!   "target": [0.5, 0.4, 0.1],
//!   "solver": "ccd", "tolerance": 1e-4, "max_iterations": 50 }
//! ```
//!
//! The text is JSON in UTF-8. Lengths are in model units, angles in radians, positions `[x, y, z]` in model space (glTF
//! axes: right-handed, +Y up). Unknown fields are errors. `format`, `version`, `bones` and one of `target` and
//! `targets` are required; other fields have defaults. A number that is not finite or out of its range is an error with
//! field, value and range; so is a minimum above its maximum.
//!
//! `bones` has one of two forms:
//!
//! - **lengths**: entry `i` is bone `i`, `{ "length": 0.4 }` or a plain `0.4`. The chain stands straight up (+Y) from
//!   the origin.
//! - **positions**: entry `i` is joint `i`, the root first, `{ "position": [0, 0.4, 0] }` or a plain `[0, 0.4, 0]`.
//!   There is one entry more than bones. Entry `i` after the root also describes bone `i − 1`, which ends at that
//!   joint. The bone starts at joint `i − 1`, or at joint `from`, which must be below `i`; this way a chain gets
//!   branches.
//!
//! Bones lie along their own +Y; the shortest rotation leads from each bone to the next. Limits are measured from these
//! rotations. `bones` has at most 4096 entries.
//!
//! | field of an entry | range | default | |
//! |---|---|---|---|
//! | `length` | 1e-12 to 1e12 | | lengths only; their sum is at most 1e12 |
//! | `position` | ±1e12 | | positions only |
//! | `from` | 0 to `i − 1` | `i − 1` | positions only, not at the root |
//! | `weight` | 0 to 1 | 1 | weight of the bone in CCD; not at the root |
//!
//! `limits` has one entry per bone; missing entries at the end are free. An entry is `null` or `"free"`, `hinge`
//! (`axis` in the bone's space at rest, `min`, `max` within a thousand turns), `ball_and_socket` (`swing` 0 to π,
//! `twist_min`, `twist_max` −π to π) or `angle` (`max`, 0 to π). All fields of an entry are required.
//!
//! `target` is the target position of the last joint. `targets` is a list for several or other joints: `[ { "joint": 4,
//! "position": [1, 2, 0], "pull": 1 } ]`; `pull`, above 0 and up to 1e6, is the target's weight where branches meet.
//! Only `fabrik` takes branches, several targets, or a target within the chain.
//!
//! | field | range | default | |
//! |---|---|---|---|
//! | `solver` | `ccd`, `ccd_growing`, `fabrik`, `two_bone` | `fabrik` | `two_bone` takes two bones |
//! | `use_limits` | true, false | true | whether `limits` apply |
//! | `weighting` | `target`, `passes` | `target` | where a `weight` below 1 acts: see [`Weighting`] |
//! | `ccd_turn` | `model`, `seed_local`, `book_misread` | `model` | how CCD applies its rotations; `model` is correct: see [`CcdTurn`] |
//! | `bend_rule` | `mirror`, `literal` | `mirror` | how FABRIK applies the bend rule of `bend_normal`: see [`BendRule`] |
//! | `tolerance`, `max_iterations`, `weight`, … | | | as the fields of [`Settings`] with the same names |
//!
//! # Output
//!
//! ```json
//! { "format": "kinescope-chain", "version": 1,
//!   "solver": "fabrik",
//!   "target": [0.5, 0.4, 0.1],
//!   "positions": [ [ [0, 0, 0], [0, 0.4, 0], [0, 0.75, 0] ], [ [0, 0, 0], [0.36, 0.17, 0.07], [0.5, 0.4, 0.1] ] ],
//!   "errors": [ 0.617, 0.0 ],
//!   "error": 0.0, "iterations": 1, "stopped_by": "tolerance", "reached": true,
//!   "rotations": [ [0.3, 0, -0.5, 0.8], [0.1, 0, -0.2, 0.97] ] }
//! ```
//!
//! | field | |
//! |---|---|
//! | `solver`, `target` or `targets` | as in the input |
//! | `positions` | the joints, root first: entry 0 at the start of the solve (in plane and limits), entry `k` after iteration `k` |
//! | `errors` | for each entry of `positions`, the largest distance from a target's joint to the target; model units |
//! | `error`, `iterations` | the last of `errors`, and the number of iterations |
//! | `stopped_by` | `tolerance`, `no_change`, `unreachable`, `max_iterations`, `closed_form`, `no_weight`, and with a `map_turn` of a source `lost_in_map`: see [`StoppedBy`] |
//! | `reached` | whether `stopped_by` is `tolerance`: the error is within the tolerance, at a weight above 0 |
//! | `rotations` | final rotation of each bone: unit quaternions `[x, y, z, w]`, model space; at rest if `rotations` is off, except with CCD or limits |
//!
//! At a weight below 1, errors are distances to the point between joint and target at which the solver aims; with
//! `weighting` `passes` and an iterating solver, to the target. Numbers are written with enough digits to read back as
//! the same f32. The output depends only on the input.

use std::fmt;

use glam::{Quat, Vec3};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::chain::Chain;
use super::limits::Limit;
use super::outcome::StoppedBy;
use super::problem::{Goal, Problem, Workspace};
use super::program::{Solve, Stage};
use super::settings::{BONE_WEIGHT, BendRule, CcdTurn, MapTurn, Settings, Solver, Weighting};
use crate::error::{self, BadValue, Fault};
use crate::json::{VERSION, check_header, check_json, parse_json, to_json_pretty};
use crate::math::FARTHEST;
use crate::math::{ZERO_LENGTH, length};
use crate::stepped::{Stepped, Unwatched};

/// Value of the field `format`.
pub const FORMAT: &str = "kinescope-chain";
/// Largest number of entries of `bones` in a file: each takes space in every iteration of the output.
pub const MAX_BONES: usize = 4096;

/// A chain with its targets: the input of one solve.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainFile {
    /// The bones, with the limits and weights of the file.
    pub chain: Chain,
    /// Settings of the solve.
    pub settings: Settings,
    /// Targets of the chain's joints; model space.
    pub goals: Vec<Goal>,
}

/// Result of a solve.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainResult {
    /// Solver of the input.
    pub solver: Solver,
    /// Targets of the input; model space.
    pub goals: Vec<Goal>,
    /// Joints at the start of the solve, then after each iteration; model space.
    pub positions: Vec<Vec<Vec3>>,
    /// For each entry of `positions`, the largest distance from a goal's joint to its target; model units.
    pub errors: Vec<f32>,
    /// The last of `errors`; model units.
    pub error: f32,
    /// Number of iterations; 1 for a closed form, and for a chain stretched or folded because its target is out of
    /// reach. 0 at weight 0, or if an iterating solver needs no iteration or the settings allow none.
    pub iterations: u32,
    /// Why the solve stopped.
    pub stopped_by: StoppedBy,
    /// Final rotation of each bone; model space.
    pub rotations: Vec<Quat>,
}

impl ChainFile {
    /// Reads an input. Missing optional fields take their defaults.
    ///
    /// # Errors
    /// [`Fault`] with the path of the field, for invalid JSON, another format or version, an unknown, missing or
    /// repeated field, an invalid value, an invalid chain, or a problem that the solver does not support.
    pub fn from_json(text: &str) -> Result<Self, Fault> {
        check_json(text)?;
        let input = parse_json::<Input>(text);
        // Reports a wrong header first: in a file of another format, most fields are unknown.
        if let Ok(Header { format, version }) = serde_json::from_str(text) {
            check_header(format, version, FORMAT)?;
        }
        input?.try_into()
    }

    /// Writes the input as JSON. Omits `limits`, `weighting`, `ccd_turn`, `map_turn` and `bend_rule` at their defaults,
    /// and no other settings. A chain made from lengths or positions reads back equal. Other chains, such as a
    /// character's ([`Chain::of_bones`]), keep their joints but lose the base's rotation and the bones' rotations about
    /// themselves.
    pub fn to_json(&self) -> String {
        to_json_pretty(&Input::from(self))
    }

    /// Solves from the rest state.
    ///
    /// # Errors
    /// As [`solve`](super::solve); none for a file from [`Self::from_json`].
    pub fn solve(&self) -> Result<ChainResult, Fault> {
        let problem = Problem { chain: &self.chain, settings: &self.settings, goals: &self.goals };
        let mut state = self.chain.rest().clone();
        // Keeps only the end of each iteration. A recording would keep every joint of every step, and growing CCD has
        // up to one step per bone in each iteration.
        let mut workspace = Workspace::default();
        let mut solve = Solve::new(problem, &state, &mut workspace)?;
        let mut positions = vec![state.positions.clone()];
        let mut errors = vec![solve.workspace.error(&problem, &state)];
        while let Some(step) = solve.next(&state) {
            let _ = solve.run(&mut state, step, &mut Unwatched);
            let entry = match step.iteration {
                Some(iteration) => iteration as usize + 1,
                None if step.stage == Stage::Map => positions.len() - 1,
                None => 0,
            };
            positions.resize_with(entry + 1, Vec::new);
            errors.resize(entry + 1, 0.0);
            positions[entry].clone_from(&state.positions);
            errors[entry] = solve.workspace.error(&problem, &state);
        }
        let outcome = solve.outcome(&state);
        Ok(ChainResult {
            solver: self.settings.solver,
            goals: self.goals.clone(),
            positions,
            errors,
            error: outcome.error,
            iterations: outcome.iterations,
            stopped_by: outcome.stopped_by,
            rotations: state.rotations,
        })
    }
}

impl ChainResult {
    /// Returns whether every joint with a goal is within the tolerance of its target; false at weight 0.
    pub fn is_reached(&self) -> bool {
        self.stopped_by == StoppedBy::Tolerance
    }

    /// Returns the largest distance that a joint moved in an iteration (1 and up); model units. 0 if there was no such
    /// iteration.
    pub fn largest_move(&self, iteration: usize) -> f32 {
        let of = |index: usize| self.positions.get(index).map_or(&[][..], Vec::as_slice);
        let (before, after) = (iteration.checked_sub(1).map_or(&[][..], of), of(iteration));
        before.iter().zip(after).map(|(from, to)| length(*to - *from)).fold(0.0, f32::max)
    }

    /// Writes the output as JSON.
    pub fn to_json(&self) -> String {
        let joints = self.positions.first().map_or(0, Vec::len);
        let (target, targets) = written(&self.goals, joints);
        to_json_pretty(&Output {
            format: FORMAT,
            version: VERSION,
            solver: self.solver,
            target,
            targets,
            positions: &self.positions,
            errors: &self.errors,
            error: self.error,
            iterations: self.iterations,
            stopped_by: self.stopped_by,
            reached: self.is_reached(),
            rotations: &self.rotations,
        })
    }
}

#[derive(Serialize)]
struct Output<'a> {
    format: &'static str,
    version: u64,
    solver: Solver,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<Vec3>,
    #[serde(skip_serializing_if = "Option::is_none")]
    targets: Option<Vec<Goal>>,
    positions: &'a [Vec<Vec3>],
    errors: &'a [f32],
    error: f32,
    iterations: u32,
    stopped_by: StoppedBy,
    reached: bool,
    rotations: &'a [Quat],
}

/// Returns the goals as `target` if the only one is for the last joint and has a pull of 1, else as `targets`.
fn written(goals: &[Goal], joints: usize) -> (Option<Vec3>, Option<Vec<Goal>>) {
    match *goals {
        [Goal { joint, position, pull: 1.0 }] if joint + 1 == joints => (Some(position), None),
        _ => (None, Some(goals.to_vec())),
    }
}

#[derive(Deserialize)]
struct Header {
    format: Option<Value>,
    version: Option<Value>,
}

#[derive(Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Input {
    format: String,
    version: u64,
    bones: Option<Vec<Entry>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    limits: Vec<Option<Limit>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<Vec3>,
    #[serde(skip_serializing_if = "Option::is_none")]
    targets: Option<Vec<Goal>>,
    solver: Solver,
    weight: f32,
    #[serde(skip_serializing_if = "Weighting::is_target")]
    weighting: Weighting,
    tolerance: f32,
    change_tolerance: f32,
    max_iterations: u32,
    use_limits: bool,
    accelerate: bool,
    #[serde(skip_serializing_if = "CcdTurn::is_right")]
    ccd_turn: CcdTurn,
    #[serde(skip_serializing_if = "MapTurn::is_right")]
    map_turn: MapTurn,
    plane: Option<Vec3>,
    bend_normal: Option<Vec3>,
    #[serde(skip_serializing_if = "BendRule::is_mirror")]
    bend_rule: BendRule,
    bend_goal: Option<Vec3>,
    maximum_stretch: f32,
    soft_zone: f32,
    rotations: bool,
}

impl Default for Input {
    fn default() -> Self {
        Self::with(Settings::default())
    }
}

impl Input {
    /// Creates an input without a chain. The destructuring names every field, so that none is forgotten.
    fn with(settings: Settings) -> Self {
        let Settings {
            solver,
            weight,
            weighting,
            tolerance,
            change_tolerance,
            max_iterations,
            limits: use_limits,
            accelerate,
            ccd_turn,
            map_turn,
            plane,
            bend_normal,
            bend_rule,
            bend_goal,
            maximum_stretch,
            soft_zone,
            rotations,
        } = settings;
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            bones: None,
            limits: Vec::new(),
            target: None,
            targets: None,
            solver,
            weight,
            weighting,
            tolerance,
            change_tolerance,
            max_iterations,
            use_limits,
            accelerate,
            ccd_turn,
            map_turn,
            plane,
            bend_normal,
            bend_rule,
            bend_goal,
            maximum_stretch,
            soft_zone,
            rotations,
        }
    }

    fn settings(&self) -> Settings {
        Settings {
            solver: self.solver,
            weight: self.weight,
            weighting: self.weighting,
            tolerance: self.tolerance,
            change_tolerance: self.change_tolerance,
            max_iterations: self.max_iterations,
            limits: self.use_limits,
            accelerate: self.accelerate,
            ccd_turn: self.ccd_turn,
            map_turn: self.map_turn,
            plane: self.plane,
            bend_normal: self.bend_normal,
            bend_rule: self.bend_rule,
            bend_goal: self.bend_goal,
            maximum_stretch: self.maximum_stretch,
            soft_zone: self.soft_zone,
            rotations: self.rotations,
        }
    }
}

impl From<&ChainFile> for Input {
    fn from(file: &ChainFile) -> Self {
        let chain = &file.chain;
        let mut bones = chain.bones().to_vec();
        let used = bones.iter().rposition(|bone| bone.limit != Limit::Free).map_or(0, |last| last + 1);
        let limits = bones[..used].iter().map(|bone| Some(bone.limit).filter(|limit| *limit != Limit::Free)).collect();
        let lengths: Vec<f32> = bones.iter().map(|bone| bone.length).collect();
        // If a chain made from the lengths alone is equal, the file needs only lengths.
        let upright = Chain::from_lengths(&lengths).ok().filter(|upright| {
            let plain = bones.iter_mut().map(|bone| {
                (bone.weight, bone.limit) = (1.0, Limit::Free);
                *bone
            });
            upright.rest() == chain.rest() && plain.eq(upright.bones().iter().copied())
        });
        let entry = |index: usize| {
            let weight = Some(chain.bones()[index].weight).filter(|&weight| weight != 1.0);
            Entry { weight, ..Entry::default() }
        };
        let count = chain.bones().len();
        let entries = match upright {
            Some(_) => (0..count).map(|index| Entry { length: Some(lengths[index]), ..entry(index) }).collect(),
            None => {
                let places = &chain.rest().positions;
                let root = Entry { position: places.first().copied(), ..Entry::default() };
                let others = (0..count).map(|index| Entry {
                    position: Some(places[index + 1]),
                    from: Some(chain.bones()[index].from).filter(|&from| from != index),
                    ..entry(index)
                });
                std::iter::once(root).chain(others).collect()
            }
        };
        let (target, targets) = written(&file.goals, chain.joints());
        Self { bones: Some(entries), limits, target, targets, ..Self::with(file.settings) }
    }
}

impl TryFrom<Input> for ChainFile {
    type Error = Fault;

    fn try_from(input: Input) -> Result<Self, Fault> {
        let settings = input.settings();
        let Some(entries) = &input.bones else {
            return Err(Fault::new("bones", error::Problem::Missing("a chain is a list of lengths or of positions")));
        };
        let mut chain = chain_of(entries)?;
        let (given, bones) = (input.limits.len(), chain.bones().len());
        if given > bones {
            return Err(Fault::new(
                "limits",
                format!("has {given} entries; at most {bones} are allowed, one for each bone"),
            ));
        }
        for (bone, limit) in input.limits.into_iter().enumerate() {
            chain.set_limit(bone, limit.unwrap_or_default())?;
        }
        let is_list = input.targets.is_some();
        let goals = match (input.target, input.targets) {
            (Some(_), Some(_)) => {
                return Err(Fault::new("targets", "is given together with target; give only one of the two"));
            }
            (Some(target), None) => vec![Goal::end(&chain, target)],
            (None, Some(targets)) if targets.is_empty() => {
                return Err(Fault::new("targets", error::Problem::Empty("a chain needs at least one target")));
            }
            (None, targets) => targets.unwrap_or_default(),
        };
        for (index, goal) in goals.iter().enumerate() {
            // Errors name the entry of `targets`, even if the list has only one entry.
            let place = if is_list { format!("targets[{index}]") } else { "target".to_owned() };
            goal.check(chain.joints()).map_err(|fault| fault.within(place))?;
        }
        Problem { chain: &chain, settings: &settings, goals: &goals }.check()?;
        Ok(Self { chain, settings, goals })
    }
}

/// An entry of `bones`: a bone with its length, or a joint.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    length: Option<f32>,
    position: Option<Vec3>,
    from: Option<usize>,
    weight: Option<f32>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FullEntry {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    length: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    position: Option<Vec3>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    from: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    weight: Option<f32>,
}

impl Serialize for Entry {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { length, position, from, weight } = *self;
        FullEntry { length, position, from, weight }.serialize(serializer)
    }
}

/// Uses a visitor, as an untagged enum would lose the path in errors.
impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EntryVisitor;

        impl<'de> Visitor<'de> for EntryVisitor {
            type Value = Entry;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a length, a position [x, y, z], or an object with one of the two")
            }

            fn visit_f64<E>(self, value: f64) -> Result<Entry, E> {
                Ok(Entry { length: Some(value as f32), ..Entry::default() })
            }

            fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Entry, E> {
                self.visit_f64(value as f64)
            }

            fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Entry, E> {
                self.visit_f64(value as f64)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, values: A) -> Result<Entry, A::Error> {
                let position = Vec3::deserialize(SeqAccessDeserializer::new(values))?;
                Ok(Entry { position: Some(position), ..Entry::default() })
            }

            fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Entry, A::Error> {
                let FullEntry { length, position, from, weight } =
                    FullEntry::deserialize(MapAccessDeserializer::new(fields))?;
                Ok(Entry { length, position, from, weight })
            }
        }

        deserializer.deserialize_any(EntryVisitor)
    }
}

fn chain_of(entries: &[Entry]) -> Result<Chain, Fault> {
    let Some(first) = entries.first() else {
        return Err(Fault::new("bones", error::Problem::Empty("a chain has at least one bone")));
    };
    if entries.len() > MAX_BONES {
        let problem = error::Problem::TooMany { what: "entries", found: entries.len(), most: MAX_BONES };
        return Err(Fault::new("bones", problem));
    }
    for (index, entry) in entries.iter().enumerate() {
        let place = |field: &str| format!("bones[{index}]{field}");
        let message = match (entry.length, entry.position) {
            (None, None) => Some("has neither a length nor a position; give one of the two"),
            (Some(_), Some(_)) => Some("has a length and a position; give only one of the two"),
            (Some(_), None) if first.length.is_none() => {
                Some("has a length, but bones[0] has a position; give lengths only or positions only")
            }
            (None, Some(_)) if first.position.is_none() => {
                Some("has a position, but bones[0] has a length; give lengths only or positions only")
            }
            _ => None,
        };
        if let Some(message) = message {
            return Err(Fault::new(place(""), message));
        }
        entry.weight.map_or(Ok(()), |weight| BONE_WEIGHT.check(weight)).map_err(|bad| bad.at(place(".weight")))?;
        if entry.from.is_some() && entry.length.is_some() {
            return Err(Fault::new(
                place(".from"),
                "is only for chains given by positions; lengths give a chain without branches",
            ));
        }
    }
    let mut chain = match first.length {
        Some(_) => Chain::from_lengths(&entries.iter().filter_map(|entry| entry.length).collect::<Vec<f32>>())?,
        None => chain_of_joints(entries)?,
    };
    let bones = chain.bones().len();
    for (bone, entry) in entries[entries.len() - bones..].iter().enumerate() {
        if let Some(weight) = entry.weight {
            chain.set_weight(bone, weight);
        }
    }
    Ok(chain)
}

fn chain_of_joints(entries: &[Entry]) -> Result<Chain, Fault> {
    let places: Vec<Vec3> = entries.iter().filter_map(|entry| entry.position).collect();
    let mut parents = Vec::with_capacity(places.len());
    for (index, (entry, &p)) in entries.iter().zip(&places).enumerate() {
        let place = |field: &str| format!("bones[{index}].{field}");
        BadValue::check_place(p).map_err(|bad| bad.at(place("position")))?;
        let Some(before) = index.checked_sub(1) else {
            for (field, is_there) in [("from", entry.from.is_some()), ("weight", entry.weight.is_some())] {
                if is_there {
                    return Err(Fault::new(
                        place(field),
                        "belongs to the bone that ends at this joint; no bone ends at the root: omit the field",
                    ));
                }
            }
            continue;
        };
        let from = entry.from.unwrap_or(before);
        if from > before {
            let message = format!("is {from}; joint {index} must be attached to one of the joints 0 to {before}");
            return Err(Fault::new(place("from"), message));
        }
        let length = length(p - places[from]);
        if length < ZERO_LENGTH {
            let message = format!("coincides with joint {from}; the bone between them must be longer than 0");
            return Err(Fault::new(place("position"), message));
        }
        if length > 2.0 * FARTHEST {
            let message = format!("is {length} from joint {from}; a bone is at most {:e} long", 2.0 * FARTHEST);
            return Err(Fault::new(place("position"), message));
        }
        parents.push(from);
    }
    match places.split_first() {
        Some((&root, ends)) if !ends.is_empty() => Chain::branched(root, ends, &parents),
        _ => Err(Fault::new("bones", "has one joint; a chain needs at least two joints")),
    }
}
