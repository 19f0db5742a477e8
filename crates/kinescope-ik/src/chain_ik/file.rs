//! One chain's solve as JSON: what goes in and what comes out (both `kinescope-chain`, version 1).
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
//! JSON, UTF-8, lengths in model units, angles in radians, positions `[x, y, z]` in model space (glTF axes:
//! right-handed, +Y up). Unknown fields are errors. Fields left out have their defaults; `bones` and one of `target`
//! and `targets` are needed. A number that is not finite or out of its range is an error that names the field, the
//! value and the range; so is a minimum above its maximum.
//!
//! `bones` is one of two things:
//!
//! - **lengths**: entry `i` is bone `i`, `{ "length": 0.4 }` or a plain `0.4`. The chain stands straight up (+Y) from
//!   the origin.
//! - **positions**: entry `i` is joint `i`, the root first, `{ "position": [0, 0.4, 0] }` or a plain `[0, 0.4, 0]`:
//!   one entry more than bones. Entry `i` after the root also stands for the bone that ends there, bone `i − 1`. That
//!   bone starts at joint `i − 1`, or at joint `from`, which is below `i`: so a chain gets branches.
//!
//! Bones lie along their own +Y, turned from one to the next by the shortest way; limits count from there. There are
//! no more than 4096 of them.
//!
//! | field of an entry | range | default | |
//! |---|---|---|---|
//! | `length` | above 0 | | lengths only |
//! | `position` | ±1e12 | | positions only |
//! | `from` | 0 to `i − 1` | `i − 1` | positions only, not at the root |
//! | `weight` | 0 to 1 | 1 | how much of its turn CCD gives the bone; not at the root |
//!
//! `limits` has an entry for each bone, the rest free if it is shorter: `null` or `"free"`, `hinge` (`axis` in the
//! bone's space at rest, `min`, `max` within a thousand turns), `ball_and_socket` (`swing` 0 to π, `twist_min`,
//! `twist_max` −π to π) or `angle` (`max`, 0 to π), all fields needed.
//!
//! `target` is where the last joint goes. `targets` is for other joints and for several:
//! `[ { "joint": 4, "position": [1, 2, 0], "pull": 1 } ]`; `pull`, above 0, is what a target counts where branches
//! meet. Branches, several targets and one for a joint within the chain are for `fabrik` alone.
//!
//! | field | range | default | |
//! |---|---|---|---|
//! | `solver` | `ccd`, `ccd_growing`, `fabrik`, `two_bone` | `fabrik` | `two_bone` takes two bones |
//! | `use_limits` | true, false | true | whether `limits` count |
//! | `weighting` | `target`, `passes` | `target` | where a `weight` below 1 acts: see [`Weighting`] |
//! | `ccd_turn` | `model`, `seed_local`, `book_misread` | `model` | how CCD applies its turns; `model` is right: see [`CcdTurn`] |
//! | `bend_rule` | `mirror`, `literal` | `mirror` | how FABRIK keeps the bend to `bend_normal`: see [`BendRule`] |
//! | `tolerance`, `max_iterations`, `weight`, … | | | as in [`Settings`], by the same names |
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
//! | `positions` | the joints, root first: entry 0 as the solver begins with them (laid into plane and limits), entry `k` after iteration `k` |
//! | `errors` | as many: from the end to its target, the worst of several; model units |
//! | `error`, `iterations` | the last of `errors`, and how many iterations there were |
//! | `stopped_by` | `tolerance`, `no_change`, `unreachable`, `max_iterations`, `closed_form`, `no_weight`, and with a `map_turn` of a source `lost_in_map`: see [`StoppedBy`] |
//! | `reached` | whether `error` is within the tolerance |
//! | `rotations` | of each bone at the end: unit quaternions `[x, y, z, w]`, model space |
//!
//! Below weight 1 errors count to the place between the end and the target, with `weighting` `passes` to the target. Numbers are written so that they read back
//! as the same f32, and an output depends on its input alone.

use std::fmt;

use glam::{Quat, Vec3};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::chain::Chain;
use super::limits::Limit;
use super::problem::{Goal, Problem, Workspace};
use super::program::{Solve, Stage, StoppedBy};
use super::settings::{BONE_WEIGHT, BendRule, CcdTurn, MapTurn, Settings, Solver, Weighting};
use crate::error::{self, BadValue, Fault};
use crate::json::{VERSION, check_header, check_json, parse_json, to_json_pretty};
use crate::math::FARTHEST;
use crate::math::{ZERO_LENGTH, length};
use crate::stepped::{Stepped, Unwatched};

/// Value of the field `format`.
pub const FORMAT: &str = "kinescope-chain";
/// A file has no more bones: each costs room in every iteration of the output.
pub const MOST_BONES: usize = 4096;

/// A chain, and where it is to go: what one solve needs.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainFile {
    /// The bones, with the limits and weights of the file.
    pub chain: Chain,
    /// How it is solved.
    pub settings: Settings,
    /// Where its ends are to go; model space.
    pub goals: Vec<Goal>,
}

/// What a solve came to.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainResult {
    /// What it was solved by.
    pub solver: Solver,
    /// Where its ends were to go; model space.
    pub goals: Vec<Goal>,
    /// The joints when the solver began, then after every iteration; model space.
    pub positions: Vec<Vec<Vec3>>,
    /// As many: from the end to its target (the worst of several); model units.
    pub errors: Vec<f32>,
    /// The last of them.
    pub error: f32,
    /// Rounds made; 0 where the solver does not iterate.
    pub iterations: u32,
    /// Why it ended.
    pub stopped_by: StoppedBy,
    /// Of each bone at the end; model space.
    pub rotations: Vec<Quat>,
}

impl ChainFile {
    /// Reads an input. Missing fields take their defaults.
    ///
    /// # Errors
    /// [`Fault`] with the path of the field: for text that is not JSON, an unknown field, a number that is not
    /// finite or out of its range, and what no chain is or no solver takes.
    pub fn from_json(text: &str) -> Result<Self, Fault> {
        check_json(text)?;
        let input = parse_json::<Input>(text);
        // Of another format the header is what is wrong with it, not its first field.
        if let Ok(Header { format, version }) = serde_json::from_str(text) {
            check_header(format, version, FORMAT)?;
        }
        input?.try_into()
    }

    /// The input as JSON, every default written out. It reads back equal, if the chain is free: of a character's
    /// ([`Chain::of_bones`]) it has the joints, but not how the bones are turned about themselves.
    pub fn to_json(&self) -> String {
        to_json_pretty(&Input::from(self))
    }

    /// Solves from where the chain rests.
    ///
    /// # Errors
    /// As [`solve`](super::solve); none for what [`Self::from_json`] gave.
    pub fn solve(&self) -> Result<ChainResult, Fault> {
        let problem = Problem { chain: &self.chain, settings: &self.settings, goals: &self.goals };
        let mut state = self.chain.rest().clone();
        // As a recording does it, but keeping no more than the end of each iteration: growing CCD has a step for every
        // bone, and a recording every joint of every step.
        let mut workspace = Workspace::default();
        let mut solve = Solve::new(problem, &state, &mut workspace)?;
        let mut positions = vec![state.positions.clone()];
        let mut errors = vec![solve.workspace.error(&problem, &state)];
        while let Some(step) = solve.next(&state) {
            let _ = solve.run(&mut state, step, &mut Unwatched);
            // The start belongs to entry 0, the closing map to the last.
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
    /// The end is within the tolerance of its target.
    pub fn is_reached(&self) -> bool {
        self.stopped_by == StoppedBy::Tolerance
    }

    /// How far the joint that went farthest went in an iteration, 1 and up; model units. 0 if there was no such
    /// iteration.
    pub fn largest_move(&self, iteration: usize) -> f32 {
        let of = |index: usize| self.positions.get(index).map_or(&[][..], Vec::as_slice);
        let (before, after) = (iteration.checked_sub(1).map_or(&[][..], of), of(iteration));
        before.iter().zip(after).map(|(from, to)| length(*to - *from)).fold(0.0, f32::max)
    }

    /// The output as JSON.
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

/// `target` for the end of the chain alone, else `targets`.
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
    /// These settings, and no chain. Field by field, so that none is forgotten.
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
        // Lengths say it all if that is what the chain was made from.
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
            return Err(Fault::new("limits", format!("has {given} entries; the chain has {bones} bones")));
        }
        for (bone, limit) in input.limits.into_iter().enumerate() {
            chain.set_limit(bone, limit.unwrap_or_default())?;
        }
        let is_list = input.targets.is_some();
        let goals = match (input.target, input.targets) {
            (Some(_), Some(_)) => {
                return Err(Fault::new("targets", "is there beside target; give one of the two"));
            }
            (Some(target), None) => vec![Goal::end(&chain, target)],
            (None, Some(targets)) if targets.is_empty() => {
                return Err(Fault::new("targets", error::Problem::Empty("a chain is solved towards at least one")));
            }
            (None, targets) => targets.unwrap_or_default(),
        };
        for (index, goal) in goals.iter().enumerate() {
            // A list of one is a list still.
            let place = if is_list { format!("targets[{index}]") } else { "target".to_owned() };
            goal.check(chain.joints()).map_err(|fault| fault.within(place))?;
        }
        Problem { chain: &chain, settings: &settings, goals: &goals }.check()?;
        Ok(Self { chain, settings, goals })
    }
}

/// An entry of `bones`: a bone by its length, or a joint.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    length: Option<f32>,
    position: Option<Vec3>,
    from: Option<usize>,
    weight: Option<f32>,
}

/// An entry written in full.
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

/// By a visitor of its own: an untagged enum would forget the path of what is wrong in it.
impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OfAnyKind;

        impl<'de> Visitor<'de> for OfAnyKind {
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

        deserializer.deserialize_any(OfAnyKind)
    }
}

/// The chain of these entries; errors name the entry.
fn chain_of(entries: &[Entry]) -> Result<Chain, Fault> {
    let Some(first) = entries.first() else {
        return Err(Fault::new("bones", error::Problem::Empty("a chain has at least one bone")));
    };
    if entries.len() > MOST_BONES {
        let problem = error::Problem::TooMany { what: "entries", found: entries.len(), most: MOST_BONES };
        return Err(Fault::new("bones", problem));
    }
    for (index, entry) in entries.iter().enumerate() {
        let place = |field: &str| format!("bones[{index}]{field}");
        let message = match (entry.length, entry.position) {
            (None, None) => Some("has neither a length nor a position"),
            (Some(_), Some(_)) => Some("has a length and a position; the length follows from the positions"),
            (Some(_), None) if first.length.is_none() => {
                Some("is a length, and bones[0] a position; use one of the two")
            }
            (None, Some(_)) if first.position.is_none() => {
                Some("is a position, and bones[0] a length; use one of the two")
            }
            _ => None,
        };
        if let Some(message) = message {
            return Err(Fault::new(place(""), message));
        }
        entry.weight.map_or(Ok(()), |weight| BONE_WEIGHT.check(weight)).map_err(|bad| bad.at(place(".weight")))?;
        if entry.from.is_some() && entry.length.is_some() {
            return Err(Fault::new(place(".from"), "is for chains of positions; lengths make one without branches"));
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

/// As [`chain_of`], of entries that all have a position.
fn chain_of_joints(entries: &[Entry]) -> Result<Chain, Fault> {
    let places: Vec<Vec3> = entries.iter().filter_map(|entry| entry.position).collect();
    let mut parents = Vec::with_capacity(places.len());
    for (index, (entry, &p)) in entries.iter().zip(&places).enumerate() {
        let place = |field: &str| format!("bones[{index}].{field}");
        BadValue::check_place(p).map_err(|bad| bad.at(place("position")))?;
        let Some(before) = index.checked_sub(1) else {
            for (field, is_there) in [("from", entry.from.is_some()), ("weight", entry.weight.is_some())] {
                if is_there {
                    return Err(Fault::new(place(field), "is of the bone that ends here; none ends at the root"));
                }
            }
            continue;
        };
        let from = entry.from.unwrap_or(before);
        if from > before {
            let message = format!("is {from}; joint {index} hangs on one of the joints 0 to {before}");
            return Err(Fault::new(place("from"), message));
        }
        let length = length(p - places[from]);
        if length < ZERO_LENGTH {
            let message = format!("lies on joint {from}; the bone between the two is longer than 0");
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
        _ => Err(Fault::new("bones", "has one joint; a chain has at least one bone, from joint to joint")),
    }
}
