//! The equation behind a single move of a chain's solve, with the numbers of its instant.
//!
//! Every line is evaluated from what the recording holds: problem and state before the move. The last line gives the
//! joint's new place (of a CCD turn, which leaves its joint where it is, the end's), so that equation and solve can be
//! held against each other.

use std::f32::consts::PI;

use glam::{Quat, Vec3};

use super::formula::{Draft, Formula, Value, degrees, number, term};
use crate::chain_ik::fabrik::follow;
use crate::chain_ik::limits::Limited;
use crate::chain_ik::program::{ARC_HEIGHT, Side, arc_slope, side_of_line};
use crate::chain_ik::straighten::{BOLDEST, Bend, Plan, plan, scaled};
use crate::chain_ik::two_bone::{SAFE_SQUARED, SHORT};
use crate::chain_ik::{
    Bone, Cause, Chain, Limit, Move, Problem, Program, Recording, Settings, Solver, Stage, State, Step, TwoBone,
    Workspace,
};
use crate::math::{angle, from_to_about_axis, from_to_rotation, length, nlerp, ortho_normalize, unit};
use crate::stepped::Unwatched;

/// The formula of `recording.solve.events_of(step)[index]`; `None` if there is no such move.
pub fn formula(recording: &Recording, step: usize, index: usize) -> Option<Formula> {
    let at = Instant::new(recording, step, index)?;
    match at.moved.cause {
        Cause::Plane => plane(&at),
        Cause::Escape => escape(&at),
        Cause::Stretch => stretch(&at),
        Cause::Turn => turn(&at),
        Cause::ForwardReach | Cause::Centroid if !at.is_plain() => wants(&at),
        Cause::ForwardReach => forward_reach(&at),
        Cause::BackwardReach if at.moved.joint == 0 => Some(root(&at)),
        Cause::BackwardReach if at.uses_limits() => limited_bone(&at, "backward reach"),
        Cause::BackwardReach => backward_reach(&at),
        Cause::Limit if at.step.stage == Stage::Start => limited_bone(&at, "into its limit"),
        Cause::Limit => limit_beyond(&at),
        Cause::Straighten => straighten(&at),
        Cause::TwoBone => two_bone(&at),
        Cause::Map => limited_bone(&at, "map"),
        Cause::Centroid => None,
    }
}

/// What every function in a formula does.
const FUNCTIONS: [(&str, &str); 17] = [
    ("acos", "The angle with that cosine, in degrees."),
    ("angle", "Angle between the two vectors, in degrees."),
    ("back", "The turn that takes a rotation back into the bone's limit."),
    ("clamp", "The first value, no smaller than the second and no larger than the third."),
    ("cos", "Cosine, of radians."),
    ("excess", "By how much a turn takes the bone beyond its limit, in degrees."),
    ("exp", "The exponential function."),
    ("flat", "The vector as long as it is, laid into the plane in which the chain stays (plane)."),
    ("limit", "The turn that the bone's limit leaves of a turn."),
    ("max", "The larger of the two."),
    ("min", "The smaller of the two."),
    ("nlerp", "The rotation between the first and the second, by the third; 1 is no rotation."),
    ("newton", "The square root of what Newton's steps (A + (D − d) / slope) come to, d and slope each anew."),
    ("perp", "The unit part of the first vector at right angles to the second; for parallel ones a fixed direction."),
    ("turn", "The shortest turn that takes the first vector to the direction of the second."),
    ("twist", "The turn about the third vector that takes the first to the side of the second."),
    ("unit", "The vector at length 1."),
];

/// What a formula is made from.
struct Instant<'a> {
    recording: &'a Recording,
    chain: &'a Chain,
    settings: &'a Settings,
    step: Step,
    /// Of the step in the recording, and of the move in the step.
    place: (usize, usize),
    moved: Move,
    /// Before the step.
    before: &'a State,
    /// Before the move.
    now: State,
    root: Vec3,
    /// Where the (first) end is to go.
    target: Vec3,
    /// As the solve had it when it began.
    workspace: Workspace,
}

impl<'a> Instant<'a> {
    fn new(recording: &'a Recording, step: usize, index: usize) -> Option<Self> {
        let moved = *recording.solve.events_of(step).get(index)?;
        let before = recording.solve.state_before(step);
        let now = match moved.cause {
            // A pass finds all its turns before it applies any.
            Cause::Turn => before.clone(),
            _ => recording.state_within(step, index)?,
        };
        let root = *recording.solve.start.positions.first()?;
        let fits = |state: &State| recording.chain.fits(state);
        let problem = Problem { chain: &recording.chain, settings: &recording.settings, goals: &recording.goals };
        let mut workspace = Workspace::default();
        if problem.check().is_err() || !fits(&recording.solve.start) {
            return None;
        }
        Program::new(&problem, &recording.solve.start, &mut workspace);
        (moved.joint < recording.chain.joints() && fits(before) && fits(&now)).then(|| Self {
            recording,
            chain: &recording.chain,
            settings: &recording.settings,
            step: recording.solve.steps[step].step,
            place: (step, index),
            moved,
            before,
            now,
            root,
            target: recording.targets.first().copied().unwrap_or(root),
            workspace,
        })
    }

    fn problem(&self) -> Problem<'a> {
        Problem { chain: self.chain, settings: self.settings, goals: &self.recording.goals }
    }

    fn bones(&self) -> &'a [Bone] {
        self.chain.bones()
    }

    /// The bone that ends at the joint that moves.
    fn bone(&self) -> Option<(usize, &'a Bone)> {
        let index = self.moved.joint.checked_sub(1)?;
        Some((index, &self.bones()[index]))
    }

    /// One chain, and its end as the only goal.
    fn is_plain(&self) -> bool {
        let goals = &self.recording.goals;
        !self.chain.is_branched() && goals.len() == 1 && goals[0].joint + 1 == self.chain.joints()
    }

    fn uses_limits(&self) -> bool {
        self.settings.limits && self.chain.has_limits()
    }

    fn title(&self, what: &str) -> String {
        format!("{what}, {}", joint(self.moved.joint))
    }
}

fn joint(index: usize) -> String {
    if index == 0 { "the root".to_owned() } else { format!("joint {index}") }
}

fn explain_joint(draft: &mut Draft, name: &'static str, index: usize, place: Vec3) {
    let meaning = format!("Place of {} as the equation finds it, in model units.", joint(index));
    draft.explain(name, Value::Point(place), meaning);
}

/// The joint that moves, as `p`.
fn explain_moved(draft: &mut Draft, at: &Instant) {
    explain_joint(draft, "p", at.moved.joint, at.moved.from);
}

fn explain_target(draft: &mut Draft, at: &Instant) {
    let is_drawn = at.settings.weight < 1.0;
    let meaning = match (is_drawn, at.settings.plane) {
        (false, None) => "Where the end is to go, in model units (target).",
        (true, None) => {
            "Where the end is to go: the target, as far as the weight has it; model units (target, weight)."
        }
        (_, Some(_)) => {
            "Where the end is to go: the target, by the weight and in the plane; model units (target, plane)."
        }
    };
    draft.explain("target", Value::Point(at.target), meaning);
}

fn explain_root(draft: &mut Draft, at: &Instant) {
    draft.explain("root", Value::Point(at.root), "Where the root stays, in model units.");
}

fn explain_length(draft: &mut Draft, at: &Instant, bone: usize) {
    let meaning = format!("Length of bone {bone}, in model units.");
    draft.explain("length", Value::Number(at.bones()[bone].length), meaning);
}

fn finish(draft: Draft, title: String, symbolic: &str, place: Vec3) -> Formula {
    draft.finish_with(&FUNCTIONS, title, symbolic, place)
}

/// The line `name = unit(symbolic)`, or a fixed direction where the vector counts as zero.
fn define_unit(draft: &mut Draft, name: &'static str, of: (&str, Vec3), fallback: Vec3, meaning: &str) -> Vec3 {
    let (symbolic, vector) = of;
    match unit(vector) {
        Some(direction) => {
            draft.define(name, &format!("unit({symbolic})"), "", Value::Vector(direction), meaning);
            direction
        }
        None => {
            draft.explain("f", Value::Vector(fallback), "A fixed direction, for a vector that counts as zero; unit.");
            draft.define(name, "f", "", Value::Vector(fallback), meaning);
            fallback
        }
    }
}

/// [`define_unit`] in the plane of the 2D mode.
fn define_direction(
    draft: &mut Draft,
    at: &Instant,
    name: &'static str,
    of: (&str, Vec3),
    fallback: Vec3,
    meaning: &str,
) -> Vec3 {
    let (symbolic, vector) = of;
    if at.settings.plane.is_none() {
        return define_unit(draft, name, of, fallback, meaning);
    }
    let flat = at.workspace.unit_in_plane(vector).unwrap_or(Vec3::ZERO);
    define_unit(draft, name, (&format!("flat({symbolic})"), flat), fallback, meaning)
}

/// The line `R = turn(from, to)`, about the plane's normal in the 2D mode.
fn define_turn(draft: &mut Draft, at: &Instant, symbolic: &str, from: Vec3, to: Vec3, meaning: &str) -> Quat {
    match at.settings.plane {
        Some(normal) => {
            explain_normal(draft, normal);
            let turn = from_to_about_axis(from, to, normal);
            draft.define("R", &format!("twist({symbolic}, n)"), "", degrees(turn), meaning);
            turn
        }
        None => {
            let turn = from_to_rotation(from, to);
            draft.define("R", &format!("turn({symbolic})"), "", degrees(turn), meaning);
            turn
        }
    }
}

fn explain_normal(draft: &mut Draft, normal: Vec3) {
    let normal = unit(normal).unwrap_or(Vec3::ZERO);
    draft.explain("n", Value::Vector(normal), "Unit normal of the plane in which the chain stays (plane).");
}

fn plane(at: &Instant) -> Option<Formula> {
    let (index, bone) = at.bone()?;
    let normal = at.settings.plane.and_then(unit)?;
    let (old, old_from) = (at.before.positions[index + 1], at.before.positions[bone.from]);
    let from = at.now.positions[bone.from];
    let mut draft = Draft::default();
    let meaning = format!("Place of {} in the plane, in model units.", joint(bone.from));
    draft.explain("q", Value::Point(from), meaning);
    draft.explain("a", Value::Point(old_from), format!("Place of {} before, in model units.", joint(bone.from)));
    draft.explain("p", Value::Point(old), format!("Place of {} before, in model units.", joint(index + 1)));
    explain_normal(&mut draft, normal);
    explain_length(&mut draft, at, index);
    let along = old - old_from;
    draft.define("v", "p − a", "", Value::Vector(along), "The bone before, in model units.");
    let flat = along - normal * normal.dot(along);
    draft.define("w", "v − n · (n · v)", "", Value::Vector(flat), "Its part in the plane, in model units.");
    let meaning = "Where the bone points; a fixed direction in the plane for one that stands up on it.";
    let flat = at.workspace.unit_in_plane(along).unwrap_or(Vec3::ZERO);
    let direction = define_unit(&mut draft, "u", ("w", flat), at.workspace.fallback, meaning);
    Some(finish(draft, at.title("into the plane"), "p = q + length · u", from + direction * bone.length))
}

fn escape(at: &Instant) -> Option<Formula> {
    let (index, bone) = at.bone()?;
    let bones = at.bones();
    let places = &at.before.positions;
    let waves = at.step.count + 1;
    let (side, why) = side_of_line(&at.problem(), at.before, &at.workspace);
    let why = match why {
        Side::Plane if at.settings.bend_normal.is_some() => "in the plane, by the bend rule (plane, bend_normal)",
        Side::Plane => "in the plane (plane)",
        Side::BendRule => "where the bend rule has it (bend_normal)",
        Side::Hinge => "to which the first hinge bends (limits)",
        Side::BendGoal => "of the bend goal (bend_goal)",
        Side::Line => "that is always the same for the same line",
    };
    let travelled: f32 = bones[..index].iter().map(|bone| bone.length).sum();
    let middle = (travelled + 0.5 * bone.length) / at.chain.length();
    let slope = arc_slope(waves, middle);
    let from = at.now.positions[bone.from];
    let mut draft = Draft::default();
    explain_joint(&mut draft, "q", bone.from, from);
    draft.explain("a", Value::Point(places[index]), format!("Place of {} before, in model units.", joint(index)));
    draft.explain(
        "p",
        Value::Point(places[index + 1]),
        format!("Place of {} before, in model units.", joint(index + 1)),
    );
    draft.explain("π", Value::Number(PI), "Half a turn in radians.");
    draft.explain(
        "m",
        Value::Number(waves as f32),
        "How many times the chain has been bent by now; each time by more waves.",
    );
    draft.explain("x", Value::Number(middle), "Where the bone's middle is along the chain, 0 to 1.");
    draft.explain("s", Value::Vector(side), format!("The side to which the chain bends, unit: the one {why}."));
    explain_length(&mut draft, at, index);
    let along = ("p − a", places[index + 1] - places[index]);
    let along = define_direction(&mut draft, at, "d", along, at.workspace.fallback, "Where the bone points.");
    let meaning = "Slope of an arc over the line, at the bone's middle.";
    draft.define("k", &format!("{ARC_HEIGHT} · π · m · cos(π · m · x)"), "", Value::Number(slope), meaning);
    let bent = along + side * slope;
    draft.define("w", "d + k · s", "", Value::Vector(bent), "Where the bone points then.");
    let place = from + bent.normalize() * bone.length;
    Some(finish(draft, at.title("bent out of the line"), "p = q + length · unit(w)", place))
}

fn stretch(at: &Instant) -> Option<Formula> {
    let (index, bone) = at.bone()?;
    let from = at.now.positions[bone.from];
    let to_target = at.target - at.root;
    let least = at.chain.least_reach();
    let is_near = to_target.length() < least;
    // Too near, only the first of the longest bones points at the target.
    let longest = at.bones().iter().position(|bone| bone.length == at.chain.longest());
    let is_forward = !is_near || longest == Some(index);
    let mut draft = Draft::default();
    explain_moved(&mut draft, at);
    explain_joint(&mut draft, "q", bone.from, from);
    explain_target(&mut draft, at);
    explain_root(&mut draft, at);
    explain_length(&mut draft, at, index);
    let meaning = "From the root to the target; unit.";
    let along = match at.workspace.unit_in_plane(to_target) {
        Some(_) => define_direction(&mut draft, at, "u", ("target − root", to_target), at.workspace.fallback, meaning),
        None => {
            explain_joint(&mut draft, "e", at.bones().len(), at.before.end());
            let meaning = "From the root to the end, as the target lies on the root; unit.";
            define_direction(
                &mut draft,
                at,
                "u",
                ("e − root", at.before.end() - at.root),
                at.workspace.fallback,
                meaning,
            )
        }
    };
    let title = at.title(if is_near { "folded towards the target" } else { "stretched towards the target" });
    Some(match is_forward {
        true => finish(draft, title, "p = q + length · u", from + along * bone.length),
        false => finish(draft, title, "p = q − length · u", from - along * bone.length),
    })
}

fn turn(at: &Instant) -> Option<Formula> {
    let index = at.moved.joint;
    let bone = at.bones().get(index)?;
    let joint = at.before.positions[index];
    // The turns before this one have moved the end, and nothing else that matters to it.
    let end = at.recording.solve.events_of(at.place.0)[..at.place.1].last().map_or(at.before.end(), |before| before.to);
    let mut draft = Draft::default();
    explain_joint(&mut draft, "j", index, joint);
    draft.explain("e", Value::Point(end), "Place of the end, the bones beyond turned already, in model units.");
    explain_target(&mut draft, at);
    let off = Value::Degrees(angle(end - joint, at.target - joint).to_degrees());
    let meaning = "How far the end is off the target, as seen from the joint, in degrees.";
    draft.define("α", "angle(e − j, target − j)", "", off, meaning);
    let meaning = "The turn that points the end at the target, in degrees.";
    let full = define_turn(&mut draft, at, "e − j, target − j", end - joint, at.target - joint, meaning);
    let was = at.before.rotations[index];
    let mut rotation = nlerp(was, full * was, bone.weight);
    let mut name = "R";
    if bone.weight < 1.0 {
        let meaning = format!("How much of its turn CCD gives bone {index}, 0 to 1 (weight).");
        draft.explain("w", Value::Number(bone.weight), meaning);
        let turned = degrees((rotation * was.conjugate()).normalize());
        draft.define("R₁", "nlerp(1, R, w)", "", turned, "As much of it as the bone's weight gives, in degrees.");
        name = "R₁";
    }
    if at.settings.limits && bone.limit != Limit::Free {
        let rest = at.chain.rotation_before(at.before, index) * bone.rest;
        rotation = define_limited(&mut draft, bone, rest, (was, rotation), at.before.turns[index], name);
        name = "R₂";
    }
    let turn = (rotation * was.conjugate()).normalize();
    let place = joint + turn * (end - joint);
    Some(finish(draft, format!("CCD, bone {index}"), &format!("e = j + {name} · (e − j)"), place))
}

/// The lines of excess and limited turn `R₂`; the bone's rotation then. `turned` is the
/// bone's rotation before and after the turn that is called `name`.
fn define_limited(
    draft: &mut Draft,
    bone: &Bone,
    rest: Quat,
    turned: (Quat, Quat),
    hinge_turn: f32,
    name: &'static str,
) -> Quat {
    let (was, wanted) = turned;
    let Limited { rotation, excess, .. } =
        bone.limit.apply((rest.conjugate() * wanted).normalize(), bone.axis, hinge_turn);
    let rotation = (rest * rotation).normalize();
    let kind = bone.limit.key().replace('_', " ");
    let meaning = format!("By how much that takes the bone beyond its limit ({kind}), in degrees (limits).");
    draft.define("β", &format!("excess({name})"), "", Value::Degrees(excess.to_degrees()), &meaning);
    let left = degrees((rotation * was.conjugate()).normalize());
    draft.define("R₂", &format!("limit({name})"), "", left, "The turn that the limit leaves, in degrees.");
    rotation
}

/// The lines of the line between two joints and of the place on it: what both reaches do without more.
fn reach(mut draft: Draft, at: &Instant, bone: usize, anchor: Vec3, fallback: Vec3, title: String) -> Formula {
    explain_length(&mut draft, at, bone);
    let point = at.now.positions[at.moved.joint];
    let meaning = "From there to where the joint is; unit.";
    let along = ("p − q", point - anchor);
    // With limits or branches the forward reach leaves the plane; the backward reach comes back to it.
    let along = match at.moved.cause == Cause::ForwardReach && (at.uses_limits() || !at.is_plain()) {
        true => define_unit(&mut draft, "u", along, fallback, meaning),
        false => define_direction(&mut draft, at, "u", along, fallback, meaning),
    };
    finish(draft, title, "p = q + length · u", anchor + along * at.bones()[bone].length)
}

/// The bone's direction `d`, mirrored where the bend rule asks for it, as `d₁`.
fn define_bent(draft: &mut Draft, direction: Vec3, side: Option<Vec3>, cross: &str) -> (Vec3, &'static str) {
    let Some(side) = side else { return (direction, "d") };
    let meaning = "The side of the bone beside that this one is to be on; unit.";
    draft.define("s", &format!("unit({cross})"), "", Value::Vector(side), meaning);
    let off = direction.dot(side);
    let bent = if off >= 0.0 { direction } else { direction - side * (2.0 * off) };
    let meaning = "The direction, mirrored to the right side if it is on the wrong one.";
    draft.define("d₁", "d − 2 · min(0, d · s) · s", "", Value::Vector(bent), meaning);
    (bent, "d₁")
}

fn explain_bend(draft: &mut Draft, normal: Vec3, neighbour: Vec3, bone: usize) {
    let meaning = "Normal of the bend rule: bones bend so that their cross product points along it (bend_normal).";
    draft.explain("n", Value::Vector(normal), meaning);
    draft.explain("b", Value::Vector(neighbour), format!("Bone {bone} by now, from joint to joint."));
}

fn forward_reach(at: &Instant) -> Option<Formula> {
    let (bones, moved) = (at.bones(), at.moved.joint);
    let title = at.title("forward reach");
    let mut draft = Draft::default();
    explain_moved(&mut draft, at);
    if moved == bones.len() {
        explain_target(&mut draft, at);
        return Some(finish(draft, title, "p = target", at.target));
    }
    let anchor = at.now.positions[moved + 1];
    explain_joint(&mut draft, "q", moved + 1, anchor);
    // With limits the bend is theirs.
    let Some(normal) = at.settings.bend().filter(|_| !at.uses_limits()) else {
        return Some(reach(draft, at, moved, anchor, -at.workspace.fallback, title));
    };
    // The bones beyond, as the pass has laid them: exactly, since a bone nearly along the normal has a side that hangs
    // on its last digits.
    let mut next: Option<Vec3> = None;
    for index in (moved + 1..bones.len()).rev() {
        let end = at.now.positions[index + 1];
        let mut along = at.workspace.direction(at.before.positions[index], end);
        if let Some(side) = next.and_then(|next| unit(next.cross(normal))) {
            let off = along.dot(side);
            along = if off >= 0.0 { along } else { along - side * (2.0 * off) };
        }
        next = Some(along);
    }
    explain_length(&mut draft, at, moved);
    let along = anchor - at.now.positions[moved];
    let meaning = "From the joint to the one beyond; unit.";
    let direction = define_direction(&mut draft, at, "d", ("q − p", along), at.workspace.fallback, meaning);
    explain_bend(&mut draft, normal, next.unwrap_or(Vec3::ZERO), moved + 1);
    let side = next.and_then(|next| unit(next.cross(normal)));
    let (bent, name) = define_bent(&mut draft, direction, side, "b × n");
    Some(finish(draft, title, &format!("p = q − length · {name}"), anchor - bent * bones[moved].length))
}

fn backward_reach(at: &Instant) -> Option<Formula> {
    let (index, bone) = at.bone()?;
    let title = at.title("backward reach");
    let anchor = at.now.positions[bone.from];
    let mut draft = Draft::default();
    explain_joint(&mut draft, "q", bone.from, anchor);
    explain_moved(&mut draft, at);
    let Some((normal, parent)) = at.settings.bend().zip(bone.from.checked_sub(1)) else {
        return Some(reach(draft, at, index, anchor, at.workspace.fallback, title));
    };
    explain_length(&mut draft, at, index);
    let along = at.now.positions[index + 1] - anchor;
    let meaning = "From there to where the joint is; unit.";
    let direction = define_direction(&mut draft, at, "d", ("p − q", along), at.workspace.fallback, meaning);
    let before = anchor - at.now.positions[at.bones()[parent].from];
    explain_bend(&mut draft, normal, before, parent);
    let (bent, name) = define_bent(&mut draft, direction, unit(normal.cross(before)), "n × b");
    Some(finish(draft, title, &format!("p = q + length · {name}"), anchor + bent * bone.length))
}

fn root(at: &Instant) -> Formula {
    let mut draft = Draft::default();
    explain_moved(&mut draft, at);
    explain_root(&mut draft, at);
    finish(draft, at.title("backward reach"), "p = root", at.root)
}

/// Names of what each want has one of; of more wants only the sums are shown.
const WANTS: [[&str; 4]; 3] =
    [["w₁", "q₁", "length₁", "pull₁"], ["w₂", "q₂", "length₂", "pull₂"], ["w₃", "q₃", "length₃", "pull₃"]];

/// Forward reach on branches: one want is followed, several meet at their centroid.
fn wants(at: &Instant) -> Option<Formula> {
    struct Want {
        place: Vec3,
        pull: f32,
        /// The bone that wants it; `None` for a target.
        bone: Option<usize>,
    }
    let moved = at.moved.joint;
    let goals = at.recording.goals.iter().zip(&at.recording.targets);
    let mut pulls = vec![0.0; at.chain.joints()];
    for (goal, _) in goals.clone() {
        *pulls.get_mut(goal.joint)? += goal.pull;
    }
    let here = goals.filter(|(goal, _)| goal.joint == moved);
    let mut wants: Vec<Want> =
        here.map(|(goal, &target)| Want { place: target, pull: goal.pull, bone: None }).collect();
    let point = at.now.positions[moved];
    for (index, bone) in at.bones().iter().enumerate().rev() {
        let pull = pulls[index + 1];
        if pull <= 0.0 {
            continue;
        }
        pulls[bone.from] += pull;
        if bone.from == moved {
            let anchor = at.now.positions[index + 1];
            let place = anchor + unit(point - anchor).unwrap_or(-at.workspace.fallback) * bone.length;
            wants.push(Want { place, pull, bone: Some(index) });
        }
    }
    let mut draft = Draft::default();
    explain_moved(&mut draft, at);
    if let [want] = wants.as_slice() {
        let title = at.title("forward reach");
        let Some(bone) = want.bone else {
            draft.explain("target", Value::Point(want.place), "Where this joint is to go, in model units (targets).");
            return Some(finish(draft, title, "p = target", want.place));
        };
        let anchor = at.now.positions[bone + 1];
        explain_joint(&mut draft, "q", bone + 1, anchor);
        return Some(reach(draft, at, bone, anchor, -at.workspace.fallback, title));
    }
    let (mut sum, mut pull) = (Vec3::ZERO, 0.0);
    let mut inserted = Vec::new();
    for (index, want) in wants.iter().enumerate() {
        sum += want.place * want.pull;
        pull += want.pull;
        inserted.push(number(want.pull));
        let Some(&[name, q, length, pull]) = WANTS.get(index).filter(|_| wants.len() <= WANTS.len()) else { continue };
        match want.bone {
            None => {
                draft.explain(name, Value::Point(want.place), "Where this joint is to go, in model units (targets).")
            }
            Some(bone) => {
                explain_joint(&mut draft, q, bone + 1, at.now.positions[bone + 1]);
                let meaning = format!("Length of bone {bone}, in model units.");
                draft.explain(length, Value::Number(at.bones()[bone].length), meaning);
                let meaning = format!("Where bone {bone} wants its joint, in model units.");
                let symbolic = format!("{q} + {length} · unit(p − {q})");
                draft.define(name, &symbolic, "", Value::Point(want.place), &meaning);
            }
        }
        draft.explain(pull, Value::Number(want.pull), "Sum of the pulls of the targets beyond (targets).");
    }
    let is_listed = wants.len() <= WANTS.len();
    let listed = |term: fn(&[&'static str; 4]) -> String| {
        WANTS[..wants.len().min(WANTS.len())].iter().map(term).collect::<Vec<_>>().join(" + ")
    };
    let (sum_of, pull_of, inserted) = match is_listed {
        true => {
            let weighed = listed(|[want, _, _, pull]| format!("{pull} · {want}"));
            (weighed, listed(|names| names[3].to_owned()), inserted.join(" + "))
        }
        false => {
            draft.describe("Σ", "The sum over all that is wanted of this joint, by bones and targets.");
            draft.describe("want", "Where a bone or a target wants this joint, in model units.");
            draft.describe("pull", "Sum of the pulls of the targets beyond (targets).");
            ("Σ pull · want".to_owned(), "Σ pull".to_owned(), String::new())
        }
    };
    let meaning = "What is wanted, each weighed by its pull.";
    draft.define("C", &sum_of, "", Value::Vector(sum), meaning);
    draft.define("S", &pull_of, &inserted, Value::Number(pull), "Sum of the pulls.");
    if pull <= 0.0 {
        return None;
    }
    Some(finish(draft, at.title("centroid"), "p = C / S", sum / pull))
}

/// A bone swung towards its joint and turned into its limit, on the way from the root to the ends.
fn limited_bone(at: &Instant, title: &str) -> Option<Formula> {
    let (index, bone) = at.bone()?;
    let (step, moves) = (at.place.0, at.recording.solve.events_of(at.place.0));
    // What the bones before have been turned by is not in their joints: the state before the first of them turned ...
    let laid = moves.iter().take_while(|moved| moved.cause == Cause::Plane).count();
    let mut old = match laid {
        0 => at.before.clone(),
        laid => at.recording.state_within(step, laid)?,
    };
    if at.step.stage == Stage::Start && at.settings.plane.is_some() {
        let _ = follow(&at.problem(), &mut old, &mut Workspace::default(), false, Cause::Plane, &mut Unwatched);
    }
    // ... and the one after this did.
    let new = at.recording.state_within(step, at.place.1 + 1)?;
    let from = new.positions[bone.from];
    let carried = match bone.from.checked_sub(1) {
        Some(before) => new.rotations[before] * old.rotations[before].conjugate() * old.rotations[index],
        None => old.rotations[index],
    };
    let point = at.moved.from;
    let direction = carried * bone.axis;
    let mut draft = Draft::default();
    explain_joint(&mut draft, "q", bone.from, from);
    explain_moved(&mut draft, at);
    explain_length(&mut draft, at, index);
    let meaning = format!("Where bone {index} points, carried along by the bone before it; unit.");
    draft.explain("a", Value::Vector(direction), meaning);
    let swing = from_to_rotation(direction, point - from);
    let meaning = "The turn that points the bone at its joint, in degrees.";
    draft.define("R", "turn(a, p − q)", "", degrees(swing), meaning);
    let mut rotation = (swing * carried).normalize();
    let mut name = "R";
    if bone.limit != Limit::Free {
        let rest = at.chain.rotation_before(&new, index) * bone.rest;
        rotation = define_limited(&mut draft, bone, rest, (carried, rotation), old.turns[index], name);
        name = "R₂";
    }
    let place = from + rotation * (bone.axis * bone.length);
    Some(finish(draft, at.title(title), &format!("p = q + length · ({name} · a)"), place))
}

/// Forward reach with limits: the bone beyond is turned into its limit, and all from the joint on put back so that the
/// end is where it was.
fn limit_beyond(at: &Instant) -> Option<Formula> {
    let (index, bone) = at.bone()?;
    let pivot = index.saturating_sub(1);
    let mut now = at.now.clone();
    // The solver has swung these to their joints since the move before.
    for swung in [index, pivot] {
        let along = now.positions[swung + 1] - now.positions[swung];
        let swing = from_to_rotation(now.rotations[swung] * at.bones()[swung].axis, along);
        now.rotations[swung] = (swing * now.rotations[swung]).normalize();
    }
    let (joint, about, end, point) = (now.positions[index], now.positions[pivot], now.end(), now.positions[index + 1]);
    let mut draft = Draft::default();
    explain_joint(&mut draft, "p", index + 1, point);
    explain_joint(&mut draft, "j", index, joint);
    if pivot == index {
        draft.explain("q", Value::Point(about), "The root, where the pass has it, in model units.");
    } else {
        explain_joint(&mut draft, "q", pivot, about);
    }
    explain_joint(&mut draft, "e", at.bones().len(), end);
    let was = now.rotations[index];
    let rest = at.chain.rotation_before(&now, index) * bone.rest;
    let Limited { rotation, excess, .. } =
        bone.limit.apply((rest.conjugate() * was).normalize(), bone.axis, now.turns[index]);
    let change = ((rest * rotation).normalize() * was.conjugate()).normalize();
    let kind = bone.limit.key().replace('_', " ");
    let meaning = format!("By how much bone {index} is beyond its limit ({kind}), in degrees (limits).");
    draft.describe("bone", "The rotation of the bone away from its rest.");
    draft.define("β", "excess(bone)", "", Value::Degrees(excess.to_degrees()), &meaning);
    draft.define("R", "back(bone)", "", degrees(change), "The turn back into the limit, in degrees.");
    let turned = |place: Vec3| joint + change * (place - joint);
    draft.define("p₁", "j + R · (p − j)", "", Value::Point(turned(point)), "The joint, turned with it; model units.");
    draft.define("e₁", "j + R · (e − j)", "", Value::Point(turned(end)), "The end, turned with it; model units.");
    let swing = from_to_rotation(turned(end) - about, end - about);
    let meaning = "The turn about q that points the end at where it was, in degrees.";
    draft.define("S", "turn(e₁ − q, e − q)", "", degrees(swing), meaning);
    let swung = |place: Vec3| about + swing * (turned(place) - about);
    draft.define("p₂", "q + S · (p₁ − q)", "", Value::Point(swung(point)), "The joint, swung with it; model units.");
    draft.define("e₂", "q + S · (e₁ − q)", "", Value::Point(swung(end)), "The end, swung with it; model units.");
    let place = swung(point) + (end - swung(end));
    Some(finish(draft, at.title("turned into its limit"), "p = p₂ + (e − e₂)", place))
}

fn straighten(at: &Instant) -> Option<Formula> {
    let (index, bone) = at.bone()?;
    let plan = plan(&at.problem(), at.before, &mut at.workspace.clone())?;
    let places = &at.before.positions;
    let end = at.before.end();
    let (to_end, to_target) = (end - at.root, at.target - at.root);
    let (distance, wanted) = (to_end.length(), to_target.length());
    let from = at.now.positions[bone.from];
    let mut draft = Draft::default();
    explain_root(&mut draft, at);
    explain_target(&mut draft, at);
    explain_joint(&mut draft, "e", at.bones().len(), end);
    explain_joint(&mut draft, "q", bone.from, from);
    explain_moved(&mut draft, at);
    draft.define("d", "|e − root|", "", Value::Number(distance), "How far the end is from the root, in model units.");
    let meaning = "How far it is to be, in model units.";
    draft.define("D", "|target − root|", "", Value::Number(wanted), meaning);
    let offset = places[index + 1] - places[index];
    let in_plane = |symbolic: &str| match at.settings.plane {
        Some(_) => format!("flat({symbolic})"),
        None => symbolic.to_owned(),
    };
    match plan.bend {
        Bend::Scale { line, amplitude, steps, slope } => {
            define_amplitude(&mut draft, (distance, wanted), (amplitude, steps, slope));
            define_swing(&mut draft, at, &plan, "The end with all bones scaled so, before the swing; model units.");
            explain_length(&mut draft, at, index);
            let along = offset.dot(line);
            let meaning = format!("The part of bone {index} along the line root – end, in model units.");
            draft.explain("v", Value::Vector(line * along), meaning);
            let meaning = format!("Its part across that line, in model units; the two are bone {index}.");
            draft.explain("o", Value::Vector(offset - line * along), meaning);
            let way = at.workspace.kept_in_plane(plan.swing * scaled(offset, along, line, amplitude));
            let meaning = "Where the bone points then, in model units.";
            draft.define("w", &in_plane("R · (v + k · o)"), "", Value::Vector(way), meaning);
            let place = from + way * (bone.length / way.length());
            Some(finish(draft, at.title("straightened"), "p = q + length · unit(w)", place))
        }
        Bend::Fold { joint, is_slight, onward, turn } => {
            let pivot = places[joint];
            let why = match is_slight {
                true => "the one halfway, as the end lacks little",
                false => "the one that has to turn least",
            };
            draft.explain(
                "j",
                Value::Point(pivot),
                format!("Place of joint {joint}, which bends: {why}; model units."),
            );
            let meaning = "From the root to the joint that bends, in model units.";
            draft.explain("r", Value::Number(pivot.distance(at.root)), meaning);
            let meaning = "From the joint that bends to the end, in model units.";
            draft.explain("s", Value::Number(end.distance(pivot)), meaning);
            let folded = Value::Degrees(angle(at.root - pivot, onward).to_degrees());
            let meaning = "The angle at the joint between root and end, by the law of cosines: d becomes D by it.";
            draft.define("α", "acos((r² + s² − D²) / (2 · r · s))", "", folded, meaning);
            let meaning = "From the joint that bends to where the end is by that angle, before the swing; model units.";
            draft.explain("f", Value::Vector(onward), meaning);
            let meaning = "The turn of all beyond the joint that makes its angle α, in degrees.";
            draft.define("T", "turn(e − j, f)", "", degrees(Quat::from_mat3(&turn)), meaning);
            define_swing(&mut draft, at, &plan, "The end with the joint bent so, before the swing; model units.");
            draft.explain(
                "b",
                Value::Vector(offset),
                format!("Bone {index} before, from joint to joint; model units."),
            );
            let (symbolic, moved) = match index < joint {
                true => ("R · b", plan.swing * offset),
                false => ("R · (T · b)", plan.swing * turn * offset),
            };
            let place = from + at.workspace.kept_in_plane(moved);
            let symbolic = match at.settings.plane {
                Some(_) => in_plane(symbolic),
                None => symbolic.to_owned(),
            };
            Some(finish(draft, at.title("folded"), &format!("p = q + {symbolic}"), place))
        }
    }
}

/// The lines of the amplitude `k` at which the end's distance from the root, `d`, becomes what it is to be, `D`.
fn define_amplitude(draft: &mut Draft, (distance, wanted): (f32, f32), found: (f32, usize, f32)) {
    let (amplitude, steps, slope) = found;
    if steps == 0 {
        let meaning = "What all offsets from the line root – end are multiplied by: nothing to do, as d is D already.";
        draft.define("k", "1", "", Value::Number(amplitude), meaning);
        return;
    }
    draft.describe("t", "Of each bone, its part along the line from the root to the end, in model units.");
    draft.describe("l", "Of each bone, its length, in model units.");
    draft.describe("Σ", "The sum over all bones.");
    let meaning = "How d changes with the square of the bend's amplitude: its derivative.";
    draft.define("slope", "−½ · Σ t · (1 − (t / l)²)", "", Value::Number(slope), meaning);
    let inserted = format!("1 + {} / {}", term(wanted - distance), term(slope));
    let squared = Value::Number(1.0 + (wanted - distance) / slope);
    draft.define("A", "1 + (D − d) / slope", &inserted, squared, "The squared amplitude after one Newton step.");
    let times = if steps == 1 { "1 step".to_owned() } else { format!("{steps} steps") };
    let meaning = format!(
        "What all offsets from the line root – end are multiplied by: the amplitude at which d becomes D, as Newton's \
         method found it in {times}. No step changes its square by more than the factor {BOLDEST}."
    );
    let symbolic = match steps {
        1 => format!("√clamp(A, 1/{BOLDEST}, {BOLDEST})"),
        _ => format!("newton(clamp(A, 1/{BOLDEST}, {BOLDEST}))"),
    };
    draft.define("k", &symbolic, "", Value::Number(amplitude), &meaning);
}

/// The line of the swing `R` that takes the bent chain to the target.
fn define_swing(draft: &mut Draft, at: &Instant, plan: &Plan, meaning: &str) {
    draft.explain("e₁", Value::Point(at.root + plan.to_end), meaning);
    let meaning = "The turn that swings the end's line onto the target's, in degrees.";
    let symbolic = match at.settings.plane {
        Some(normal) => {
            explain_normal(draft, normal);
            "twist(e₁ − root, target − root, n)"
        }
        None => "turn(e₁ − root, target − root)",
    };
    draft.define("R", symbolic, "", degrees(Quat::from_mat3(&plan.swing)), meaning);
}

fn two_bone(at: &Instant) -> Option<Formula> {
    let settings = at.settings;
    let (&[first, second], &[_, middle, _]) = (at.bones(), at.before.positions.as_slice()) else { return None };
    if settings.solver != Solver::TwoBone {
        return None;
    }
    let (hint, why) = match (settings.plane.or(settings.bend_normal), settings.bend_goal) {
        (_, Some(goal)) if settings.plane.is_none() => (goal - at.root, "to the bend goal (bend_goal)"),
        (Some(normal), _) => ((at.target - at.root).cross(normal), "across the bend's normal (plane, bend_normal)"),
        _ => (middle - at.root, "to where the middle joint was"),
    };
    let limb = TwoBone {
        upper: first.length,
        lower: second.length,
        maximum_stretch: settings.maximum_stretch,
        soft_zone: settings.soft_zone,
    };
    let offset = at.target - at.root;
    // To the last digit as the solver has it: near full stretch the height hangs on it.
    let squared = offset.length_squared();
    let (distance, along) = match SAFE_SQUARED.contains(&squared) {
        true => (squared.sqrt(), offset * (1.0 / squared.sqrt())),
        false => (length(offset), unit(offset).unwrap_or(at.workspace.fallback)),
    };
    let mut draft = Draft::default();
    explain_moved(&mut draft, at);
    explain_root(&mut draft, at);
    explain_target(&mut draft, at);
    let meaning = "How far the target is from the root, in model units.";
    draft.define("d", "|target − root|", "", Value::Number(distance), meaning);
    let reached = define_reach(&mut draft, &limb, distance);
    let total = limb.upper + limb.lower;
    let factor = (reached / total).max(1.0);
    let [upper, lower] = [limb.upper * factor, limb.lower * factor];
    let stretched = if factor > 1.0 { ", stretched so that the two reach it" } else { "" };
    for (name, bone, length) in [("a", 0, upper), ("b", 1, lower)] {
        draft.explain(name, Value::Number(length), format!("Length of bone {bone}{stretched}; model units."));
    }
    let mut name = "reach";
    let folded = (upper - lower).abs();
    let is_folded = reached < folded;
    if is_folded {
        let meaning = "How far from the root the end is: no nearer than the limb folds, in model units.";
        draft.define("c", "max(reach, |a − b|)", "", Value::Number(folded), meaning);
        name = "c";
    }
    let reached = reached.max(folded);
    let meaning = "From the root to the target; unit.";
    define_unit(&mut draft, "u", ("target − root", offset), at.workspace.fallback, meaning);
    let title = at.title("two bones");
    let end = at.root + along * reached;
    let is_middle = at.moved.joint == 1;
    if reached >= upper + lower {
        return Some(match is_middle {
            true => finish(draft, title, "p = root + a · u", at.root + along * upper),
            false => finish(draft, title, &format!("p = root + {name} · u"), end),
        });
    }
    if !is_middle {
        if lower > SHORT * upper {
            return Some(finish(draft, title, &format!("p = root + {name} · u"), end));
        }
        let middle = at.now.positions[1];
        explain_joint(&mut draft, "m", 1, middle);
        let meaning = "Where the end is to be, in model units.";
        draft.define("e", &format!("root + {name} · u"), "", Value::Point(end), meaning);
        let meaning = "From the middle joint there; unit. It keeps the length of the short bone to the last digit.";
        let way = unit(end - middle);
        let symbolic = if way.is_some() { "unit(e − m)" } else { "u" };
        let way = way.unwrap_or(along);
        draft.define("s", symbolic, "", Value::Vector(way), meaning);
        return Some(finish(draft, title, "p = m + b · s", middle + way * lower));
    }
    let near = (upper * upper + reached * reached - lower * lower) / (2.0 * reached.max(1e-12));
    let near = near.clamp(-upper, upper);
    let meaning = "How far along u the middle joint is, by the law of cosines, in model units.";
    draft.define("near", &format!("(a² + {name}² − b²) / (2 · {name})"), "", Value::Number(near), meaning);
    let across = ((upper - near) * (upper + near)).max(0.0).sqrt();
    let meaning = "How far off u it is, in model units.";
    draft.define("across", "√(a² − near²)", "", Value::Number(across), meaning);
    draft.explain("hint", Value::Vector(hint), format!("The way the middle joint is to bend: {why}."));
    let side = ortho_normalize(along, hint);
    draft.define("side", "perp(hint, u)", "", Value::Vector(side), "The side of the limb on which it is; unit.");
    let place = at.root + along * near + side * across;
    Some(finish(draft, title, "p = root + near · u + across · side", place))
}

/// The line `reach`: how far from the root the end comes.
fn define_reach(draft: &mut Draft, limb: &TwoBone, distance: f32) -> f32 {
    let farthest = (limb.upper + limb.lower) * limb.maximum_stretch;
    let reached = limb.reached(distance);
    let zone = farthest * limb.soft_zone;
    let hard = farthest - zone;
    let meaning = "The farthest that the limb may reach, in model units (maximum_stretch).";
    draft.explain("far", Value::Number(farthest), meaning);
    let meaning = "How far from the root the end comes, in model units.";
    if limb.soft_zone <= 0.0 {
        let inserted = format!("min({}, {})", number(distance), number(farthest));
        draft.define("reach", "min(d, far)", &inserted, Value::Number(reached), meaning);
        return reached;
    }
    let of_zone = "Where the reach begins to slow down, in model units (soft_zone).";
    draft.explain("hard", Value::Number(hard), of_zone);
    draft.explain("zone", Value::Number(zone), "How long the part is in which it does, in model units (soft_zone).");
    if distance <= hard {
        draft.define("reach", "min(d, hard)", "", Value::Number(reached), meaning);
    } else {
        draft.define("reach", "far − zone · exp((hard − d) / zone)", "", Value::Number(reached), meaning);
    }
    reached
}
