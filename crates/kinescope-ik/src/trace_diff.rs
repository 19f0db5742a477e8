//! Comparison of two traces stage by stage, to find the first difference between the solver and its port.
//!
//! Steps are matched by iteration and stage, in any order. A stage that only one trace has counts as a difference; the
//! other stages are still compared. Positions are compared in model units, rotations in degrees, parameters as numbers.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use glam::{Quat, Vec3};
use serde_json::Value;

use crate::full_body::constants::{Constant, Measure, known};
use crate::full_body::{Node, Nodes, Part, Settings, Stage, Step};
use crate::json::to_value;
use crate::rig::{Biped, RigidTransform, Role};
use crate::trace::{Rig, Trace, TraceMove};

/// The largest difference of rotations, in degrees, that counts as equal.
pub const ROTATION_TOLERANCE: f32 = 0.05;
/// The default tolerance of positions, as a fraction of the character's [`height`]. The rounding of an f32 solve is
/// well below it, except where rounding decides a direction, such as the bend side of a straight limb.
pub const HEIGHT_TOLERANCE: f32 = 1e-4;
/// The largest relative difference of parameters that counts as equal, because files of other programs may have few
/// digits. For values below 1, the difference is absolute.
const PARAMETER_TOLERANCE: f64 = 1e-5;

/// The differences between trace `a` and trace `b`.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceDiff {
    /// The largest distance, in model units, that counts as equal.
    pub tolerance: f32,
    /// The node that differs most in the first differing stage that both traces have; `None` if there is no such stage.
    pub first: Option<Difference>,
    /// All stages of either trace, in solving order.
    pub steps: Vec<StepDiff>,
    /// The differences in skeleton, roles, root node, reference pose and animated pose, as phrases. If the numbers of
    /// bones differ, only these are compared. Of each pose only one bone is named: of those beyond a tolerance, the one
    /// whose position differs most.
    pub rig: Vec<String>,
    /// The parameters that differ, with both values: `chains.left_arm.pull: 1.0 and 0.5`.
    pub parameters: Vec<String>,
    /// All stages of writing of either trace, in order; empty unless both traces have some, and the same number of bones.
    pub writes: Vec<WriteDiff>,
    /// The resulting poses, one entry per bone in the rig's order; empty unless both traces have one of the same
    /// length.
    pub result: Vec<BoneDiff>,
    /// Constants of the frame that differ, among those that both traces contain, in the order of
    /// [`constants`](crate::full_body::constants::constants).
    pub constants: Vec<ConstantDiff>,
    /// The first move that differs in each stage whose moves both traces contain. A move of at most twice the tolerance
    /// may be in only one of the traces.
    pub moves: Vec<MoveDiff>,
}

/// A constant of the frame that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstantDiff {
    /// The [name](crate::full_body::constants::constants) of the constant.
    pub name: String,
    /// The numbers in the first trace.
    pub a: Vec<f32>,
    /// The numbers in the second trace.
    pub b: Vec<f32>,
}

/// The first move of a stage that differs in node, cause or position, or that only one trace has.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveDiff {
    /// The stage.
    pub step: Step,
    /// The index of the move within the stage of the first trace, from 0; the number of these moves if `a` is `None`.
    pub index: usize,
    /// The move in the first trace; `None` if its moves have ended.
    pub a: Option<TraceMove>,
    /// The move in the second trace, which may have another index; `None` if its moves have ended.
    pub b: Option<TraceMove>,
}

/// The first difference between two traces, in the order of [`TraceDiff::first_place`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place<'a> {
    /// A stage and the node that differs most; `None` if only one trace has the stage.
    Step(Step, Option<&'a Difference>),
    /// A constant of the frame.
    Constant(&'a ConstantDiff),
    /// A move within a stage after which all nodes are equal within the tolerance.
    Move(&'a MoveDiff),
    /// A stage of writing and the first bone that differs; `None` if only one trace has the stage.
    Write(Part, Option<&'a BoneDiff>),
    /// A bone of the resulting pose.
    Result(&'a BoneDiff),
    /// Skeleton, roles, reference pose or animated pose, as a phrase of [`TraceDiff::rig`].
    Rig(&'a str),
    /// A parameter with both values, as in [`TraceDiff::parameters`].
    Parameter(&'a str),
}

/// A node after a stage in both traces, in model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The stage.
    pub step: Step,
    /// The node.
    pub node: Node,
    /// The position in the first trace.
    pub a: Vec3,
    /// The position in the second trace.
    pub b: Vec3,
    /// The distance between the positions in model units.
    pub distance: f32,
}

/// The comparison of one stage.
#[derive(Clone, Debug, PartialEq)]
pub enum StepDiff {
    /// Both traces have the stage.
    Both {
        /// The node that differs most, even if the distance is 0.
        largest: Difference,
        /// All nodes beyond the tolerance, in the order of [`Node::ALL`].
        above: Vec<Difference>,
    },
    /// Only the first trace has the stage.
    OnlyA(Step),
    /// Only the second trace has the stage.
    OnlyB(Step),
}

impl StepDiff {
    /// Returns the stage.
    pub fn step(&self) -> Step {
        match self {
            Self::Both { largest, .. } => largest.step,
            Self::OnlyA(step) | Self::OnlyB(step) => *step,
        }
    }

    /// Returns true if both traces have the stage and all nodes are within the tolerance.
    pub fn is_same(&self) -> bool {
        matches!(self, Self::Both { above, .. } if above.is_empty())
    }
}

/// The comparison of one stage of writing.
#[derive(Clone, Debug, PartialEq)]
pub enum WriteDiff {
    /// Both traces have the stage.
    Both {
        /// The stage of writing.
        part: Part,
        /// The bone whose position differs most, among those that both traces have; if all positions agree within the
        /// tolerance, the bone whose rotation differs most, if it does. `None` if the traces have no bone in common.
        largest: Option<BoneDiff>,
        /// All bones beyond either tolerance. Parents come before children, so inspect the first one.
        above: Vec<BoneDiff>,
    },
    /// Only the first trace has the stage.
    OnlyA(Part),
    /// Only the second trace has the stage.
    OnlyB(Part),
}

impl WriteDiff {
    /// Returns the stage of writing.
    pub fn part(&self) -> Part {
        match self {
            Self::Both { part, .. } | Self::OnlyA(part) | Self::OnlyB(part) => *part,
        }
    }

    /// Returns true if both traces have the stage and all bones are within the tolerances.
    pub fn is_same(&self) -> bool {
        matches!(self, Self::Both { above, .. } if above.is_empty())
    }
}

/// The comparison of one bone of a pose.
#[derive(Clone, Debug, PartialEq)]
pub struct BoneDiff {
    /// The bone's name.
    pub bone: String,
    /// The distance between the positions in model units.
    pub distance: f32,
    /// The angle between the rotations in degrees, 0 to 180.
    pub degrees: f32,
}

impl TraceDiff {
    /// Returns true if nothing differs: rig, parameters, stages, and the constants, moves and resulting poses that both
    /// traces have. Stages of writing count if both traces have some.
    pub fn is_same(&self) -> bool {
        self.first_place().is_none()
    }

    /// Returns the first difference; `None` if nothing differs. Stages come first with their moves, because they
    /// explain most other differences; then come writing, the resulting pose, rig and parameters. Constants come after
    /// the stage `read`, because reading computes them and later stages use them.
    pub fn first_place(&self) -> Option<Place<'_>> {
        let step = self.steps.iter().find(|step| !step.is_same()).map(|step| {
            let node = match step {
                StepDiff::Both { largest, .. } => Some(largest),
                StepDiff::OnlyA(_) | StepDiff::OnlyB(_) => None,
            };
            Place::Step(step.step(), node)
        });
        let (read, later) = match step {
            Some(Place::Step(Step { stage: Stage::Read, .. }, _)) => (step, None),
            later => (None, later),
        };
        let first_move = self.moves.first();
        let earlier_move = match (first_move, later) {
            (Some(own), Some(Place::Step(step, _))) => order(own.step, step).is_lt(),
            (own, _) => own.is_some(),
        };
        read.or_else(|| self.constants.first().map(Place::Constant))
            .or_else(|| first_move.filter(|_| earlier_move).map(Place::Move))
            .or(later)
            .or_else(|| self.first_write().map(|(part, bone)| Place::Write(part, bone)))
            .or_else(|| self.result.iter().find(|bone| self.is_off(bone)).map(Place::Result))
            .or_else(|| self.rig.first().map(|rig| Place::Rig(rig)))
            .or_else(|| self.parameters.first().map(|parameter| Place::Parameter(parameter)))
    }

    /// Returns true if the bone is beyond either tolerance.
    pub fn is_off(&self, bone: &BoneDiff) -> bool {
        is_off(bone, self.tolerance)
    }

    /// Returns the first stage of writing that differs, and the first bone that differs after that stage; `None` if no
    /// stage differs. The bone is `None` if only one trace has the stage.
    pub fn first_write(&self) -> Option<(Part, Option<&BoneDiff>)> {
        let first = self.writes.iter().find(|write| !write.is_same())?;
        match first {
            WriteDiff::Both { part, above, .. } => Some((*part, above.first())),
            other => Some((other.part(), None)),
        }
    }

    /// Returns the bone of the resulting pose to inspect: the bone furthest apart, or, if all positions agree within
    /// the tolerance, the bone whose rotation differs most. `None` if the resulting poses were not compared.
    pub fn worst_bone(&self) -> Option<&BoneDiff> {
        furthest(&self.result).filter(|bone| bone.distance > self.tolerance).or_else(|| most_turned(&self.result))
    }

    /// Returns the bone of the resulting pose whose position differs most; `None` if the poses were not compared.
    pub fn furthest_bone(&self) -> Option<&BoneDiff> {
        furthest(&self.result)
    }

    /// Returns the bone of the resulting pose whose rotation differs most; `None` if the poses were not compared.
    pub fn most_turned_bone(&self) -> Option<&BoneDiff> {
        most_turned(&self.result)
    }
}

/// Compares two traces. `tolerance` is in model units; [`default_tolerance`] returns one that fits the character.
pub fn diff(a: &Trace, b: &Trace, tolerance: f32) -> TraceDiff {
    let steps = step_diffs(&in_solving_order(a), &in_solving_order(b), tolerance);
    let first = steps.iter().find_map(|step| match step {
        StepDiff::Both { largest, above } if !above.is_empty() => Some(*largest),
        _ => None,
    });
    let result = match a.result.len() == b.result.len() {
        true => bone_diffs(&a.rig, &a.result, &b.result),
        false => Vec::new(),
    };
    TraceDiff {
        tolerance,
        first,
        steps,
        writes: write_diffs(a, b, tolerance),
        rig: rig_diffs(&a.rig, &b.rig, tolerance),
        parameters: parameter_diffs(&a.parameters, &b.parameters),
        result,
        constants: constant_diffs(a, b, tolerance),
        moves: move_diffs(a, b, tolerance),
    }
}

/// The largest difference of fractions, factors and components of unit vectors that counts as equal.
const NUMBER_TOLERANCE: f32 = 1e-3;

fn constant_diffs(a: &Trace, b: &Trace, tolerance: f32) -> Vec<ConstantDiff> {
    let differs = |own: Constant| {
        let (a, b) = (a.more.constants.get(&own.name)?, b.more.constants.get(&own.name)?);
        let most = if own.measure == Measure::Length { tolerance } else { NUMBER_TOLERANCE };
        let is_off = a.iter().zip(b).any(|(a, b)| (a - b).abs() > most);
        is_off.then(|| ConstantDiff { name: own.name, a: a.clone(), b: b.clone() })
    };
    known().into_iter().filter_map(differs).collect()
}

fn move_diffs(a: &Trace, b: &Trace, tolerance: f32) -> Vec<MoveDiff> {
    let by_step = |trace: &Trace| -> Vec<(Step, Vec<TraceMove>)> {
        let recorded = trace.steps.iter().zip(&trace.more.moves);
        let mut recorded: Vec<_> = recorded.map(|((step, _), moves)| (*step, moves.clone())).collect();
        recorded.sort_by(|(a, _), (b, _)| order(*a, *b));
        recorded
    };
    let others = by_step(b);
    // Some solvers record moves below the tolerance, others do not.
    let is_short = |own: Option<&TraceMove>| own.is_some_and(|own| own.from.distance(own.to) <= 2.0 * tolerance);
    let differs = |(step, own): (Step, Vec<TraceMove>)| {
        let (_, other) = others.iter().find(|(other, _)| *other == step)?;
        // An empty list counts as not recorded: a trace has the same empty list for a stage that moved nothing.
        if own.is_empty() || other.is_empty() {
            return None;
        }
        let (mut i, mut j) = (0, 0);
        loop {
            let (a, b) = (own.get(i), other.get(j));
            match (a, b) {
                (None, None) => return None,
                (Some(a), Some(b)) if is_same_move(a, b, tolerance) => {
                    (i, j) = (i + 1, j + 1);
                }
                _ if is_short(a) => i += 1,
                _ if is_short(b) => j += 1,
                _ => return Some(MoveDiff { step, index: i, a: a.cloned(), b: b.cloned() }),
            }
        }
    };
    by_step(a).into_iter().filter_map(differs).collect()
}

/// Compares two moves. A node may start further off, because a move too short to be recorded may precede.
fn is_same_move(a: &TraceMove, b: &TraceMove, tolerance: f32) -> bool {
    let is_as_far = a.to.distance(b.to) <= tolerance && a.from.distance(b.from) <= 4.0 * tolerance;
    a.node == b.node && a.cause == b.cause && is_as_far
}

/// Returns the size of a character: the largest extent along x, y or z of the bones with a role, in model units. Other
/// bones are ignored because helpers may be anywhere. Without a biped, all bones count.
pub fn extent(biped: Option<&Biped>, pose: &[RigidTransform]) -> f32 {
    let bones: Vec<_> = match biped {
        Some(biped) => Role::ALL.into_iter().flat_map(|role| biped.bones_of(role)).collect(),
        None => (0..pose.len()).collect(),
    };
    let points = bones.into_iter().filter_map(|bone| pose.get(bone)).map(|bone| bone.position);
    let corners = points.fold(None, |corners: Option<(Vec3, Vec3)>, point| match corners {
        None => Some((point, point)),
        Some((low, high)) => Some((low.min(point), high.max(point))),
    });
    corners.map_or(0.0, |(low, high)| (high - low).max_element())
}

/// Returns the [`extent`] of a trace's character in the reference pose, in model units.
pub fn height(rig: &Rig) -> f32 {
    extent(Some(&rig.biped), &rig.reference)
}

/// Returns [`HEIGHT_TOLERANCE`] of the character's height, in model units.
pub fn default_tolerance(rig: &Rig) -> f32 {
    height(rig) * HEIGHT_TOLERANCE
}

fn order(a: Step, b: Step) -> Ordering {
    let key = |step: Step| match (step.iteration, step.stage) {
        (None, Stage::Read) => (0, 0, step.stage),
        (Some(iteration), stage) => (1, iteration, stage),
        (None, stage) => (2, 0, stage),
    };
    key(a).cmp(&key(b))
}

fn in_solving_order(trace: &Trace) -> Vec<&(Step, Nodes)> {
    let mut steps: Vec<_> = trace.steps.iter().collect();
    steps.sort_by(|(a, _), (b, _)| order(*a, *b));
    steps
}

fn step_diffs(a: &[&(Step, Nodes)], b: &[&(Step, Nodes)], tolerance: f32) -> Vec<StepDiff> {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut out = Vec::new();
    loop {
        let next = match (a.peek(), b.peek()) {
            (None, None) => return out,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some((a, _)), Some((b, _))) => order(*a, *b),
        };
        let from_a = if next.is_le() { a.next() } else { None };
        let from_b = if next.is_ge() { b.next() } else { None };
        match (from_a, from_b) {
            (Some((step, a)), Some((_, b))) => out.push(compare(*step, a, b, tolerance)),
            (Some((step, _)), None) => out.push(StepDiff::OnlyA(*step)),
            (None, Some((step, _))) => out.push(StepDiff::OnlyB(*step)),
            (None, None) => {}
        }
    }
}

fn compare(step: Step, a: &Nodes, b: &Nodes, tolerance: f32) -> StepDiff {
    let of = |node: Node| Difference { step, node, a: a[node], b: b[node], distance: a[node].distance(b[node]) };
    let largest = Node::ALL.into_iter().map(of).fold(of(Node::Body), |largest, difference| {
        if difference.distance > largest.distance { difference } else { largest }
    });
    let above = Node::ALL.into_iter().map(of).filter(|difference| difference.distance > tolerance).collect();
    StepDiff::Both { largest, above }
}

fn write_diffs(a: &Trace, b: &Trace, tolerance: f32) -> Vec<WriteDiff> {
    let bones = a.rig.skeleton.bones();
    // The stages list bones by index, so indices of different skeletons would compare different bones.
    if a.writes.is_empty() || b.writes.is_empty() || bones.len() != b.rig.skeleton.len() {
        return Vec::new();
    }
    fn of(trace: &Trace, part: Part, nth: usize) -> Option<&BTreeMap<usize, RigidTransform>> {
        trace.writes.iter().filter(|(own, _)| *own == part).nth(nth).map(|(_, bones)| bones)
    }
    let compared = |part: Part, nth: usize| match (of(a, part, nth), of(b, part, nth)) {
        (Some(a_bones), Some(b_bones)) => {
            let in_both = a_bones.iter().filter_map(|(bone, at)| Some((bones.get(*bone)?, at, b_bones.get(bone)?)));
            let all: Vec<BoneDiff> = in_both.map(|(bone, a, b)| bone_diff(&bone.name, a, b)).collect();
            let above = all.iter().filter(|bone| is_off(bone, tolerance)).cloned().collect();
            Some(WriteDiff::Both { part, largest: worst(&all, tolerance).cloned(), above })
        }
        (Some(_), None) => Some(WriteDiff::OnlyA(part)),
        (None, Some(_)) => Some(WriteDiff::OnlyB(part)),
        (None, None) => None,
    };
    // Traces from files have each stage once; a trace made by a program may repeat it.
    let all_of = |part: Part| (0..).map_while(move |nth| compared(part, nth));
    Part::ALL.into_iter().flat_map(all_of).collect()
}

fn furthest(bones: &[BoneDiff]) -> Option<&BoneDiff> {
    bones.iter().max_by(|a, b| a.distance.total_cmp(&b.distance))
}

fn most_turned(bones: &[BoneDiff]) -> Option<&BoneDiff> {
    bones.iter().max_by(|a, b| a.degrees.total_cmp(&b.degrees))
}

/// Returns the bone that is furthest apart, or the bone whose rotation differs most if only rotations differ.
fn worst(bones: &[BoneDiff], tolerance: f32) -> Option<&BoneDiff> {
    let furthest = furthest(bones)?;
    let turned = most_turned(bones).filter(|bone| furthest.distance <= tolerance && is_off(bone, tolerance));
    Some(turned.unwrap_or(furthest))
}

fn is_off(bone: &BoneDiff, tolerance: f32) -> bool {
    bone.distance > tolerance || bone.degrees > ROTATION_TOLERANCE
}

fn bone_diff(name: &str, a: &RigidTransform, b: &RigidTransform) -> BoneDiff {
    let (distance, degrees) = (a.position.distance(b.position), degrees_between(a.rotation, b.rotation));
    BoneDiff { bone: name.to_owned(), distance, degrees }
}

fn bone_diffs(rig: &Rig, a: &[RigidTransform], b: &[RigidTransform]) -> Vec<BoneDiff> {
    let bones = rig.skeleton.bones().iter().zip(a).zip(b);
    bones.map(|((bone, a), b)| bone_diff(&bone.name, a, b)).collect()
}

/// Returns the angle between two rotations in degrees.
fn degrees_between(a: Quat, b: Quat) -> f32 {
    let between = a.as_dquat().normalize().conjugate() * b.as_dquat().normalize();
    (2.0 * between.xyz().length().atan2(between.w.abs())).to_degrees() as f32
}

fn rig_diffs(a: &Rig, b: &Rig, tolerance: f32) -> Vec<String> {
    let mut out = Vec::new();
    let (bones, others) = (a.skeleton.bones(), b.skeleton.bones());
    if bones.len() != others.len() {
        out.push(format!("{} bones and {}", bones.len(), others.len()));
        return out;
    }
    for (index, (bone, other)) in bones.iter().zip(others).enumerate() {
        if bone.name != other.name {
            out.push(format!("bone {index}: {:?} and {:?}", bone.name, other.name));
        }
        if bone.parent != other.parent {
            let number = |parent: Option<usize>| parent.map_or(-1, |parent| parent as i64);
            let (parent, other) = (number(bone.parent), number(other.parent));
            out.push(format!("bone {index} ({:?}), parent: {parent} and {other}", bone.name));
        }
    }
    let of = |biped: &Biped, role| biped.bones_of(role);
    for role in Role::ALL.into_iter().filter(|&role| of(&a.biped, role) != of(&b.biped, role)) {
        out.push(format!("{}: bones {:?} and {:?}", role.key(), of(&a.biped, role), of(&b.biped, role)));
    }
    if a.biped.root_node != b.biped.root_node {
        out.push(format!("root_node: bones [{}] and [{}]", a.biped.root_node, b.biped.root_node));
    }
    for (name, pose, other) in [("reference", &a.reference, &b.reference), ("animated", &a.animated, &b.animated)] {
        let differ = bone_diffs(a, pose, other).into_iter();
        let differ = differ.filter(|bone| is_off(bone, tolerance));
        if let Some(bone) = differ.max_by(|a, b| a.distance.total_cmp(&b.distance)) {
            let BoneDiff { bone, distance, degrees } = bone;
            out.push(format!("{name} pose: bone {bone:?} differs most, {distance} model units and {degrees:.3}°"));
        }
    }
    out
}

fn parameter_diffs(a: &Settings, b: &Settings) -> Vec<String> {
    // A shortcut: a live comparison runs this for every frame, and both traces usually have the same parameters.
    if a == b {
        return Vec::new();
    }
    let mut out = Vec::new();
    value_diffs("", &to_value(a), &to_value(b), &mut out);
    out
}

/// Collects the leaves that differ, including those of only one side; a vector is one leaf.
fn value_diffs(path: &str, a: &Value, b: &Value, out: &mut Vec<String>) {
    match (a, b) {
        (Value::Object(fields), Value::Object(others)) => {
            // Settings omit some fields at their defaults, so either side may have fields that the other lacks.
            let only_other = others.keys().filter(|&name| !fields.contains_key(name));
            for name in fields.keys().chain(only_other) {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                let [value, other] = [fields, others].map(|side| side.get(name).unwrap_or(&Value::Null));
                value_diffs(&path, value, other, out);
            }
        }
        _ if is_alike(a, b) => {}
        _ => out.push(format!("{path}: {a} and {b}")),
    }
}

fn is_alike(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap_or_default(), b.as_f64().unwrap_or_default());
            (a - b).abs() <= PARAMETER_TOLERANCE * a.abs().max(b.abs()).max(1.0)
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_alike(a, b)),
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_pair_up_whatever_their_order() {
        let step = |iteration, stage| (Step { iteration, stage }, Nodes::default());
        let a = [step(None, Stage::Read), step(Some(0), Stage::Push), step(None, Stage::Bend)];
        let b = [step(Some(0), Stage::Push), step(Some(1), Stage::Push), step(None, Stage::Read)];
        let sorted = |steps: &[(Step, Nodes)]| {
            let mut steps = steps.to_vec();
            steps.sort_by(|(a, _), (b, _)| order(*a, *b));
            steps
        };
        let (a, b) = (sorted(&a), sorted(&b));
        let found = step_diffs(&a.iter().collect::<Vec<_>>(), &b.iter().collect::<Vec<_>>(), 0.0);
        assert_eq!(found.len(), 4);
        assert!(found[0].is_same() && found[0].step() == Step::READ);
        assert!(found[1].is_same() && found[1].step().iteration == Some(0));
        assert_eq!(found[2], StepDiff::OnlyB(Step { iteration: Some(1), stage: Stage::Push }));
        assert_eq!(found[3], StepDiff::OnlyA(Step { iteration: None, stage: Stage::Bend }));
    }

    #[test]
    fn angles_are_exact_when_small_and_know_no_sign() {
        let quarter = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
        assert!((degrees_between(Quat::IDENTITY, quarter) - 90.0).abs() < 1e-4);
        assert!((degrees_between(quarter, -quarter)).abs() < 1e-4);
        let slight = Quat::from_rotation_y(0.01_f32.to_radians());
        assert!((degrees_between(quarter, quarter * slight) - 0.01).abs() < 1e-4);
    }

    #[test]
    fn parameters_are_named_with_both_values() {
        let a = Settings::default();
        let mut b = a;
        assert!(parameter_diffs(&a, &b).is_empty());
        b.chains[0].pull = 0.1;
        b.effectors[5].position = Some(Vec3::new(0.4, 1.2, 0.5));
        // A difference in the seventh digit, which is within the tolerance.
        b.chains[1].reach = 0.100_000_4;
        assert_eq!(
            parameter_diffs(&a, &b),
            ["chains.left_arm.pull: 1.0 and 0.1", "effectors.left_hand.position: null and [0.4,1.2,0.5]"]
        );
        // Fields that are omitted at their defaults.
        let mut b = a;
        b.chains[2].scale_free_reach = true;
        b.chains[3].clamp_smoothing = 2;
        let [set, unset] = [parameter_diffs(&a, &b), parameter_diffs(&b, &a)];
        assert_eq!(
            set,
            ["chains.left_leg.scale_free_reach: null and true", "chains.right_leg.clamp_smoothing: null and 2"]
        );
        assert_eq!(
            unset,
            ["chains.left_leg.scale_free_reach: true and null", "chains.right_leg.clamp_smoothing: 2 and null"]
        );
    }
}
