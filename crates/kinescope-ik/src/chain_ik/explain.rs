//! Formula of a single move of a chain's solve, with the numbers of its instant.
//!
//! Every line is evaluated from the recorded problem and the state before the move. The last line gives the joint's new
//! position, so the formula can be compared with the solve. A CCD turn leaves its joint in place; its last line gives
//! the end's new position.

use std::f32::consts::PI;

use glam::{Quat, Vec3};

use super::bend_rule::{Circle, literal, mirror_normal};
use super::chain::{Bone, Chain, State};
use super::fabrik::follow;
use super::limits::Limit;
use super::moves::{Cause, Move};
use super::problem::Workspace;
use super::program::{ARC_HEIGHT, Program, Side, Stage, Step, side_of_line};
use super::recording::Recording;
use super::settings::{BendRule, CcdTurn, MapTurn, Settings, Solver};
use super::straighten::{Bend, MAX_STEP_FACTOR, Plan, plan, scaled};
use super::two_bone::{SHORT, TwoBone};
use crate::math;
use crate::notation::{
    Degrees, Expression, Named, Point, Sheet, Term, about, acos, across, angle, clamp, cos, cross, exp, flat, fraction,
    half, identity, inverse, length, max, min, nlerp, size, sqrt, square, sum, turn, turned, twist, unit,
};
use crate::stepped::Unwatched;

/// Returns the formula of `recording.solve.events_of(step)[index]`; `None` if there is no such move.
pub fn formula(recording: &Recording, step: usize, index: usize) -> Option<Sheet> {
    let at = Instant::new(recording, step, index)?;
    match at.moved.cause {
        Cause::Plane => at.plane(),
        Cause::Escape => at.escape(),
        Cause::Stretch => at.stretch(),
        Cause::Turn => at.turn(),
        Cause::ForwardReach | Cause::Centroid if !at.is_plain() => at.wants(),
        Cause::ForwardReach => Some(at.forward_reach()),
        Cause::BackwardReach if at.moved.joint == 0 => Some(at.root_returns()),
        Cause::BackwardReach if at.uses_limits() => at.limited_bone("backward reach"),
        Cause::BackwardReach => at.backward_reach(),
        Cause::Limit if at.step.stage == Stage::Start => at.limited_bone("rotated into its limit"),
        Cause::Limit => at.limit_beyond(),
        Cause::Mirror => at.mirror(),
        Cause::Arc => at.arc(),
        Cause::Straighten => at.straighten(),
        Cause::TwoBone => at.two_bone(),
        Cause::Map if at.recording.problem().maps_as_a_source() => at.mapped_bone(),
        Cause::Map => at.limited_bone("map"),
        Cause::Centroid => None,
    }
}

fn joint(index: usize) -> String {
    if index == 0 { "the root".to_owned() } else { format!("joint {index}") }
}

/// Symbols of up to three wants of a joint; with more, the formula shows sums only.
const WANTS: [[&str; 4]; 3] =
    [["w₁", "q₁", "length₁", "pull₁"], ["w₂", "q₂", "length₂", "pull₂"], ["w₃", "q₃", "length₃", "pull₃"]];

/// Position that a target or a bone wants a joint to take, and its weight.
struct Want {
    pull: f32,
    /// The bone that wants it, or the target.
    by: Result<usize, Vec3>,
}

/// Meaning of a weight that acts in each pass.
const PASS_SHARE: &str = "Fraction that each pass moves, 0 to 1 (weight).";

/// Context of a formula, and its lines so far.
struct Instant<'a> {
    recording: &'a Recording,
    chain: &'a Chain,
    settings: &'a Settings,
    step: Step,
    /// Index of the step in the recording and of the move in the step.
    place: (usize, usize),
    moved: Move,
    /// State before the step.
    before: &'a State,
    /// State before the move.
    now: State,
    root: Vec3,
    /// Target of the first goal.
    target: Vec3,
    /// Workspace as set up at the start of the solve.
    workspace: Workspace,
    sheet: Sheet,
}

impl<'a> Instant<'a> {
    fn new(recording: &'a Recording, step: usize, index: usize) -> Option<Self> {
        let moved = *recording.solve.events_of(step).get(index)?;
        let before = recording.solve.state_before(step);
        let now = match moved.cause {
            // A pass computes all its rotations before it applies any.
            Cause::Turn => before.clone(),
            _ => recording.state_within(step, index)?,
        };
        let root = *recording.solve.start.positions.first()?;
        let fits = |state: &State| recording.chain.fits(state);
        let problem = recording.problem();
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
            sheet: Sheet::default(),
        })
    }

    fn bones(&self) -> &'a [Bone] {
        self.chain.bones()
    }

    /// Returns the bone that ends at the joint that moves.
    fn bone(&self) -> Option<(usize, &'a Bone)> {
        let index = self.moved.joint.checked_sub(1)?;
        Some((index, &self.bones()[index]))
    }

    /// Whether the chain has no branches and its end is the only goal.
    fn is_plain(&self) -> bool {
        let goals = &self.recording.goals;
        !self.chain.is_branched() && goals.len() == 1 && goals[0].joint + 1 == self.chain.joints()
    }

    fn uses_limits(&self) -> bool {
        self.settings.limits && self.chain.has_limits()
    }

    /// Ends the formula of the joint's new position.
    fn end(mut self, what: &str, place: Term<Point>) -> Sheet {
        self.moved();
        let title = format!("{what}, {}", joint(self.moved.joint));
        self.sheet.end(title, "p", place)
    }

    fn joint(&mut self, name: &'static str, index: usize, place: Vec3) -> Named<Point> {
        let meaning = format!("Place of {} as the equation finds it, in model units.", joint(index));
        self.sheet.given(name, Point(place), meaning)
    }

    fn joint_before(&mut self, name: &'static str, index: usize) -> Named<Point> {
        let meaning = format!("Place of {} before, in model units.", joint(index));
        self.sheet.given(name, Point(self.before.positions[index]), meaning)
    }

    /// Adds the joint that moves, as `p`.
    fn moved(&mut self) -> Named<Point> {
        self.joint("p", self.moved.joint, self.moved.from)
    }

    fn end_joint(&mut self, place: Vec3) -> Named<Point> {
        self.joint("e", self.bones().len(), place)
    }

    fn target(&mut self) -> Named<Point> {
        let is_between = self.settings.weight < 1.0 && self.settings.pass_share() >= 1.0;
        let meaning = match (is_between, self.settings.plane) {
            (false, None) => "Target of the end, in model units (target).",
            (true, None) => "Target of the end, by the weight between end and goal; model units (target, weight).",
            (_, Some(_)) => "Target of the end, by the weight and in the plane; model units (target, plane).",
        };
        self.sheet.given("target", Point(self.target), meaning)
    }

    fn root(&mut self) -> Named<Point> {
        self.sheet.given("root", Point(self.root), "Place of the root, which stays, in model units.")
    }

    fn length(&mut self, bone: usize) -> Named<f32> {
        let meaning = format!("Length of bone {bone}, in model units.");
        self.sheet.given("length", self.bones()[bone].length, meaning)
    }

    /// Adds the normal of the plane of the 2D mode.
    fn normal(&mut self) -> Option<Named<Vec3>> {
        let normal = self.workspace.plane?;
        Some(self.sheet.given("n", normal, "Unit normal of the plane of the 2D mode (plane)."))
    }

    /// Returns the part of a vector in the plane of the 2D mode, or the vector itself in 3D.
    fn flat(&mut self, v: Term<Vec3>) -> Term<Vec3> {
        match self.normal() {
            Some(normal) => flat(v, normal),
            None => v,
        }
    }

    /// Returns the direction of a vector, or a fixed direction if its length counts as zero.
    fn unit(&mut self, of: Term<Vec3>, fallback: Vec3) -> Term<Vec3> {
        match math::unit(of.get()) {
            Some(_) => unit(of),
            None => {
                let meaning = "A fixed direction, used because the vector counts as zero; unit.";
                self.sheet.given("f", fallback, meaning).term()
            }
        }
    }

    /// [`Self::unit`] in the plane of the 2D mode.
    fn direction(&mut self, of: Term<Vec3>) -> Term<Vec3> {
        let of = self.flat(of);
        self.unit(of, self.workspace.fallback)
    }

    /// Returns the shortest rotation between two directions; in the 2D mode about the plane's normal.
    fn turn_between(&mut self, from: Term<Vec3>, to: Term<Vec3>) -> Term<Quat> {
        match self.normal() {
            Some(normal) => twist(from, to, normal),
            None => turn(from, to),
        }
    }

    fn plane(mut self) -> Option<Sheet> {
        let (index, bone) = self.bone()?;
        let meaning = format!("Place of {} in the plane, in model units.", joint(bone.from));
        let q = self.sheet.given("q", Point(self.now.positions[bone.from]), meaning);
        let (a, p) = (self.joint_before("a", bone.from), self.joint_before("p", index + 1));
        let length = self.length(index);
        let v = self.sheet.define("v", p - a, "The bone before, in model units.");
        let along = self.direction(v.term());
        let meaning = "Direction of the bone; a fixed direction in the plane if the bone is orthogonal to it.";
        let u = self.sheet.define("u", along, meaning);
        Some(self.end("into the plane", q + length * u))
    }

    fn escape(mut self) -> Option<Sheet> {
        let (index, bone) = self.bone()?;
        let waves = self.step.count + 1;
        let (side, why) = side_of_line(&self.recording.problem(), self.before, &self.workspace);
        let why = match why {
            Side::Plane if self.settings.bend_normal.is_some() => "in the plane, by the bend rule (plane, bend_normal)",
            Side::Plane => "in the plane (plane)",
            Side::BendRule => "of the bend rule (bend_normal)",
            Side::Hinge => "to which the first hinge bends (limits)",
            Side::BendGoal => "of the pole vector (bend goal; bend_goal)",
            Side::Line => "that depends on the line alone",
        };
        let travelled: f32 = self.bones()[..index].iter().map(|bone| bone.length).sum();
        let middle = (travelled + 0.5 * bone.length) / self.chain.length();
        let q = self.joint("q", bone.from, self.now.positions[bone.from]);
        let (a, p, length) = (self.joint_before("a", index), self.joint_before("p", index + 1), self.length(index));
        let along = self.direction(p - a);
        let sheet = &mut self.sheet;
        let d = sheet.define("d", along, "Direction of the bone; unit.");
        let pi = sheet.given("π", PI, "Half a turn in radians.");
        let meaning = "How many times the chain has been bent; the number of waves of the arc.";
        let m = sheet.given("m", waves as f32, meaning);
        let x = sheet.given("x", middle, "Where the bone's middle is along the chain, 0 to 1.");
        let meaning = format!("The side to which the chain bends, {why}; unit.");
        let s = sheet.given("s", side, meaning);
        let slope = m * ARC_HEIGHT * pi * cos(pi * m * x);
        let k = sheet.define("k", slope, "Slope of an arc over the line, at the bone's middle.");
        let w = sheet.define("w", d + k * s, "Direction of the bone after the bend.");
        Some(self.end("bent out of the line", q + length * unit(w)))
    }

    fn stretch(mut self) -> Option<Sheet> {
        let (index, bone) = self.bone()?;
        let is_near = (self.target - self.root).length() < self.chain.least_reach();
        // If the target is too near, only the first of the longest bones points at it.
        let longest = self.bones().iter().position(|bone| bone.length == self.chain.longest());
        let q = self.joint("q", bone.from, self.now.positions[bone.from]);
        let (target, root, length) = (self.target(), self.root(), self.length(index));
        let to_target = target - root;
        let (along, meaning) = match self.workspace.unit_in_plane(to_target.get()) {
            Some(_) => (to_target, "From the root to the target; unit."),
            None => {
                let meaning = "From the root to the end, as the target lies on the root; unit.";
                (self.end_joint(self.before.end()) - root, meaning)
            }
        };
        let along = self.direction(along);
        let u = self.sheet.define("u", along, meaning);
        let place = if !is_near || longest == Some(index) { q + length * u } else { q - length * u };
        Some(self.end(if is_near { "folded towards the target" } else { "stretched towards the target" }, place))
    }

    fn turn(mut self) -> Option<Sheet> {
        let index = self.moved.joint;
        let bone = self.bones().get(index)?;
        // Earlier rotations of the pass moved only the end, which is all that this one depends on.
        let turned = &self.recording.solve.events_of(self.place.0)[..self.place.1];
        let end = turned.last().map_or(self.before.end(), |before| before.to);
        let j = self.joint("j", index, self.before.positions[index]);
        let target = self.target();
        let meaning = "Place of the end, after the bones beyond have turned, in model units.";
        let e = self.sheet.given("e", Point(end), meaning);
        let meaning = "Angle between the end and the target, seen from the joint, in degrees.";
        self.sheet.define("α", angle(e - j, target - j), meaning);
        let full = self.turn_between(e - j, target - j);
        let mut turn = self.sheet.define("R", full, "The rotation that points the end at the target, in degrees.");
        let (parent, own) = (self.chain.rotation_before(self.before, index), self.before.rotations[index]);
        let frame = match self.settings.ccd_turn {
            CcdTurn::Model => None,
            CcdTurn::NotesLocal => {
                Some((own, "The bone's own rotation: the notes apply the rotation about the bone's axes."))
            }
            CcdTurn::BookMisread => {
                Some((parent * own, "The parent's rotation and the bone's: the book's lines, read right to left."))
            }
        };
        if let Some((frame, meaning)) = frame {
            let frame = self.sheet.given("F", frame, meaning);
            let wrong = frame * turn * inverse(frame);
            turn = self.sheet.define("R′", wrong, "The rotation applied in that frame, in degrees.");
        }
        let share = self.settings.pass_share();
        if bone.weight * share < 1.0 {
            let meaning = format!("Weight of bone {index} in CCD, 0 to 1 (weight).");
            let weight = self.sheet.given("w", bone.weight, meaning);
            let part = match share < 1.0 {
                true => {
                    let share = self.sheet.given("k", share, PASS_SHARE);
                    nlerp(identity(), turn, weight * share)
                }
                false => nlerp(identity(), turn, weight),
            };
            turn = self.sheet.define("R₁", part, "The rotation times the weights, in degrees.");
        }
        if self.settings.limits && bone.limit != Limit::Free {
            let rest = self.chain.rotation_before(self.before, index) * bone.rest;
            turn = self.limited(index, rest, self.before.rotations[index], self.before.turns[index], turn);
        }
        Some(self.sheet.end(format!("CCD, bone {index}"), "e", j + turn * (e - j)))
    }

    /// Adds the rotation that the bone's limit leaves of a turn. `was` is the bone's rotation before the turn.
    fn limited(&mut self, index: usize, rest: Quat, was: Quat, hinge_turn: f32, turn: Named<Quat>) -> Named<Quat> {
        let bone = &self.bones()[index];
        let wanted = (turn.get() * was).normalize();
        let limited = bone.limit.apply((rest.conjugate() * wanted).normalize(), bone.axis, hinge_turn);
        let kind = bone.limit.key().replace('_', " ");
        let sheet = &mut self.sheet;
        let meaning = format!("Rotation of bone {index} before, as its angle; ⁻¹ reverses it.");
        let was = sheet.given("r₀", was, meaning);
        let meaning =
            format!("The nearest rotation of the bone that its limit allows ({kind}), as its angle (limits).");
        let allowed = sheet.given("r", (rest * limited.rotation).normalize(), meaning);
        let left = sheet.define("R₂", allowed * inverse(was), "The rotation that the limit allows, in degrees.");
        sheet.define("β", turned(left * inverse(turn)), "Correction by the limit, in degrees.");
        left
    }

    /// Ends the formula of a joint placed at its bone's length from `q`, towards its own position: the plain case of
    /// both reaches.
    fn reach(mut self, bone: usize, q: Named<Point>, fallback: Vec3, title: &str) -> Sheet {
        let length = self.length(bone);
        let p = self.joint("p", self.moved.joint, self.now.positions[self.moved.joint]);
        // With limits or branches the forward reach leaves the plane; the backward reach returns to it.
        let leaves = self.moved.cause == Cause::ForwardReach && (self.uses_limits() || !self.is_plain());
        let along = if leaves { p - q } else { self.flat(p - q) };
        let along = self.unit(along, fallback);
        let u = self.sheet.define("u", along, "From q to the joint; unit.");
        self.end(title, q + length * u)
    }

    /// Adds the bone's direction, mirrored as `d₁` if the bend rule requires it.
    fn bent(&mut self, direction: Named<Vec3>, side: Option<Term<Vec3>>) -> Named<Vec3> {
        let Some(side) = side else { return direction };
        let meaning = "The side of the neighbouring bone on which this bone must be; unit.";
        let side = self.sheet.define("s", unit(side), meaning);
        let bent = direction - 2.0 * min(0.0, direction * side) * side;
        self.sheet.define("d₁", bent, "The direction, mirrored if it is on the wrong side.")
    }

    /// Adds the bend rule's normal and the neighbouring bone.
    fn bend(&mut self, normal: Vec3, neighbour: Vec3, bone: usize) -> [Named<Vec3>; 2] {
        let normal = self.bend_normal(normal);
        let meaning = format!("Bone {bone}, from joint to joint.");
        [normal, self.sheet.given("b", neighbour, meaning)]
    }

    /// Returns the position that the forward reach gives an end: its target, or part of the way if the weight acts in
    /// each pass.
    fn pulled(&mut self, target: Named<Point>) -> Term<Point> {
        let share = self.settings.pass_share();
        if share >= 1.0 {
            return target.term();
        }
        let p = self.moved();
        let share = self.sheet.given("k", share, PASS_SHARE);
        p + share * (target - p)
    }

    fn forward_reach(mut self) -> Sheet {
        let (bones, moved) = (self.bones(), self.moved.joint);
        if moved == bones.len() {
            let target = self.target();
            let place = self.pulled(target);
            return self.end("forward reach", place);
        }
        let q = self.joint("q", moved + 1, self.now.positions[moved + 1]);
        // With limits, the limits decide the bend.
        let Some(normal) = self.settings.bend().filter(|_| !self.uses_limits()) else {
            let fallback = -self.workspace.fallback;
            return self.reach(moved, q, fallback, "forward reach");
        };
        if self.settings.bend_rule == BendRule::Literal {
            return self.forward_reach_literal(q);
        }
        // Lays the bones beyond exactly as the pass did: the side of a bone nearly parallel to the normal depends on
        // its last digits.
        let mut next: Option<Vec3> = None;
        for index in (moved + 1..bones.len()).rev() {
            let end = self.now.positions[index + 1];
            let mut along = self.workspace.direction(self.before.positions[index], end);
            if let Some(side) = next.and_then(|next| math::unit(next.cross(normal))) {
                let off = along.dot(side);
                along = if off >= 0.0 { along } else { along - side * (2.0 * off) };
            }
            next = Some(along);
        }
        let (p, length) = (self.moved(), self.length(moved));
        let along = self.direction(q - p);
        let d = self.sheet.define("d", along, "From the joint to the next; unit.");
        let [normal, next] = self.bend(normal, next.unwrap_or(Vec3::ZERO), moved + 1);
        let side = cross(next, normal);
        let bent = self.bent(d, math::unit(side.get()).map(|_| side));
        self.end("forward reach", q - length * bent)
    }

    /// The source's own rule: two degrees about x, unless all components are positive.
    fn forward_reach_literal(mut self, q: Named<Point>) -> Sheet {
        let moved = self.moved.joint;
        let (p, length) = (self.moved(), self.length(moved));
        let a = self.joint("a", moved - 1, self.now.positions[moved - 1]);
        let along = self.direction(p - q);
        let d = self.sheet.define("d", along, "From the next joint to this one; unit.");
        let before = self.direction(p - a);
        let b = self.sheet.define("b", before, "From the previous joint to this one; unit.");
        let meaning = "The bend. The source requires all three components to be positive.";
        self.sheet.define("c", cross(d, b), meaning);
        let bent = literal(d.get(), b.get());
        let turned = if bent == d.get() { 0.0 } else { 2.0 };
        let turn = self.sheet.given("δ", Degrees(turned), "2° if they are not all positive, else 0°.");
        let x = self.sheet.given("x", Vec3::X, "The source's fixed axis.");
        self.end("forward reach, the source's bend rule", q + length * (about(x, turn) * d))
    }

    fn backward_reach(mut self) -> Option<Sheet> {
        let (index, bone) = self.bone()?;
        let q = self.joint("q", bone.from, self.now.positions[bone.from]);
        let normal = self.settings.bend().filter(|_| self.settings.bend_rule == BendRule::Mirror);
        let Some((normal, parent)) = normal.zip(bone.from.checked_sub(1)) else {
            let fallback = self.workspace.fallback;
            return Some(self.reach(index, q, fallback, "backward reach"));
        };
        let (p, length) = (self.moved(), self.length(index));
        let along = self.direction(p - q);
        let d = self.sheet.define("d", along, "From q to the joint; unit.");
        let before = q.get().0 - self.now.positions[self.bones()[parent].from];
        let [normal, before] = self.bend(normal, before, parent);
        let side = cross(normal, before);
        let bent = self.bent(d, math::unit(side.get()).map(|_| side));
        Some(self.end("backward reach", q + length * bent))
    }

    fn mirror(mut self) -> Option<Sheet> {
        mirror_normal(&self.workspace)?;
        let normal = self.bend_normal(self.workspace.bend?);
        let (target, root, p) = (self.target(), self.root(), self.moved());
        let meaning = "Orthogonal to the line from root to target and to N, on the side for the joints; unit.";
        let m = self.sheet.define("m", unit(cross(target - root, normal)), meaning);
        let h = self.sheet.define("h", (p - root) * m, "Distance of the joint to that side, in model units.");
        Some(self.end("mirrored by the bend rule", p - 2.0 * h * m))
    }

    fn arc(mut self) -> Option<Sheet> {
        let (index, bone) = self.bone()?;
        let circle = Circle::new(self.chain, self.before, &self.workspace);
        let angle = circle.directions(self.chain.lengths()).nth(index)?;
        let q = self.joint("q", bone.from, self.now.positions[bone.from]);
        let length = self.length(index);
        let d = self.sheet.given("d", circle.along, "From root to target; unit.");
        let meaning =
            "Normal of the circle through root and target, on which all bends follow the rule; unit (bend_normal).";
        let n = self.sheet.given("n", circle.along.cross(circle.across), meaning);
        let meaning = "Angle of the bone, a chord of the circle, to the line from root to target, in degrees.";
        let angle = self.sheet.given("α", Degrees(angle.to_degrees() as f32), meaning);
        Some(self.end("laid on a circle by the bend rule", q + length * (about(n, angle) * d)))
    }

    /// Adds the normal of the bend rule.
    fn bend_normal(&mut self, normal: Vec3) -> Named<Vec3> {
        let meaning = "Normal of the bend rule: bones bend so that their cross product points along it (bend_normal).";
        self.sheet.given("N", normal, meaning)
    }

    fn root_returns(mut self) -> Sheet {
        let root = self.root();
        self.end("backward reach", root.term())
    }

    /// Returns what moves the joint: its targets, and the bones that start at it.
    fn wanted(&self) -> Option<Vec<Want>> {
        let moved = self.moved.joint;
        let goals = self.recording.goals.iter().zip(&self.recording.targets);
        let mut pulls = vec![0.0; self.chain.joints()];
        for (goal, _) in goals.clone() {
            *pulls.get_mut(goal.joint)? += goal.pull;
        }
        let here = goals.filter(|(goal, _)| goal.joint == moved);
        let mut wants: Vec<Want> = here.map(|(goal, &target)| Want { pull: goal.pull, by: Err(target) }).collect();
        for (index, bone) in self.bones().iter().enumerate().rev() {
            let pull = pulls[index + 1];
            pulls[bone.from] += pull;
            if pull > 0.0 && bone.from == moved {
                wants.push(Want { pull, by: Ok(index) });
            }
        }
        Some(wants)
    }

    /// Forward reach on branches: a single want is followed, several meet at their centroid.
    fn wants(mut self) -> Option<Sheet> {
        const TARGET: &str = "Target of this joint, in model units (targets).";
        const PULL: &str = "Sum of the pulls of the targets beyond (targets).";
        let wants = self.wanted()?;
        let fallback = -self.workspace.fallback;
        if let [Want { by, .. }] = wants.as_slice() {
            return Some(match *by {
                Err(target) => {
                    let target = self.sheet.given("target", Point(target), TARGET);
                    let place = self.pulled(target);
                    self.end("forward reach", place)
                }
                Ok(bone) => {
                    let q = self.joint("q", bone + 1, self.now.positions[bone + 1]);
                    self.reach(bone, q, fallback, "forward reach")
                }
            });
        }
        if wants.is_empty() {
            return None;
        }
        let is_listed = wants.len() <= WANTS.len();
        let (mut places, mut pulls) = (Vec::new(), Vec::new());
        if is_listed {
            let p = self.moved();
            for (want, [name, q, length, pull]) in wants.iter().zip(WANTS) {
                places.push(match want.by {
                    Err(target) if self.settings.pass_share() < 1.0 => {
                        let target = self.sheet.given(q, Point(target), TARGET);
                        let place = self.pulled(target);
                        let meaning = "Place between joint and target by the weight, in model units.";
                        self.sheet.define(name, place, meaning)
                    }
                    Err(target) => self.sheet.given(name, Point(target), TARGET),
                    Ok(bone) => {
                        let q = self.joint(q, bone + 1, self.now.positions[bone + 1]);
                        let meaning = format!("Length of bone {bone}, in model units.");
                        let length = self.sheet.given(length, self.bones()[bone].length, meaning);
                        let place = q + length * self.unit(p - q, fallback);
                        self.sheet.define(
                            name,
                            place,
                            format!("Place that bone {bone} wants for the joint, in model units."),
                        )
                    }
                });
                pulls.push(self.sheet.given(pull, want.pull, PULL));
            }
        } else {
            let (point, share) = (self.moved.from, self.settings.pass_share());
            let wanted = wants.iter().map(|want| match want.by {
                Err(target) if share < 1.0 => Point(point.lerp(target, share)),
                Err(target) => Point(target),
                Ok(bone) => {
                    let anchor = self.now.positions[bone + 1];
                    let along = math::unit(point - anchor).unwrap_or(fallback);
                    Point(anchor + along * self.bones()[bone].length)
                }
            });
            let wanted: Vec<Point> = wanted.collect();
            let meaning = "Place that a bone or a target wants for this joint, in model units.";
            places = self.sheet.each("want", wanted, meaning);
            pulls = self.sheet.each("pull", wants.iter().map(|want| want.pull), PULL);
        }
        let weighed = places.into_iter().zip(&pulls).map(|(place, &pull)| pull * place);
        let pulls = pulls.iter().map(|pull| pull.term());
        let (center, total) = match is_listed {
            true => (weighed.reduce(|a, b| a + b)?, pulls.reduce(|a, b| a + b)?),
            false => (sum(weighed), sum(pulls)),
        };
        let center = self.sheet.define("C", center, "Sum of the wanted places, each times its pull.");
        let total = self.sheet.define("S", total, "Sum of the pulls.");
        Some(self.end("centroid", (center / total).as_point()))
    }

    /// A bone swung towards its joint and rotated into its limit, on the way from the root to the ends.
    fn limited_bone(mut self, title: &str) -> Option<Sheet> {
        let (index, bone) = self.bone()?;
        let (step, moves) = (self.place.0, self.recording.solve.events_of(self.place.0));
        // Joint positions do not show the rotations of earlier bones: the state before the first of them rotated ...
        let laid = moves.iter().take_while(|moved| moved.cause == Cause::Plane).count();
        let mut old = match laid {
            0 => self.before.clone(),
            laid => self.recording.state_within(step, laid)?,
        };
        if self.step.stage == Stage::Start && self.settings.plane.is_some() {
            let (problem, mut workspace) = (self.recording.problem(), Workspace::default());
            let _ = follow(&problem, &mut old, &mut workspace, false, Cause::Plane, &mut Unwatched);
        }
        // ... and the state after this bone rotated do.
        let new = self.recording.state_within(step, self.place.1 + 1)?;
        let carried = match bone.from.checked_sub(1) {
            Some(before) => new.rotations[before] * old.rotations[before].conjugate() * old.rotations[index],
            None => old.rotations[index],
        };
        let q = self.joint("q", bone.from, new.positions[bone.from]);
        let (p, length) = (self.moved(), self.length(index));
        let meaning = format!("Direction of bone {index}, carried by the bone before it; unit.");
        let a = self.sheet.given("a", carried * bone.axis, meaning);
        let meaning = "The rotation that points the bone at its joint, in degrees.";
        let mut swing = self.sheet.define("R", turn(a, p - q), meaning);
        if bone.limit != Limit::Free {
            let rest = self.chain.rotation_before(&new, index) * bone.rest;
            swing = self.limited(index, rest, carried, old.turns[index], swing);
        }
        Some(self.end(title, q + length * (swing * a)))
    }

    /// A bone rotated towards its joint in the way of a source.
    fn mapped_bone(mut self) -> Option<Sheet> {
        let (index, bone) = self.bone()?;
        let new = self.recording.state_within(self.place.0, self.place.1 + 1)?;
        let (old, parent) = (self.before, self.chain.rotation_before(&new, index));
        let carried = match bone.from.checked_sub(1) {
            Some(before) => new.rotations[before] * old.rotations[before].conjugate() * old.rotations[index],
            None => old.rotations[index],
        };
        let q = self.joint("q", bone.from, new.positions[bone.from]);
        let length = self.length(index);
        let meaning = format!("Direction of bone {index}, carried by the bone before it; unit.");
        let a = self.sheet.given("a", carried * bone.axis, meaning);
        let place = match self.settings.map_turn {
            // The notes compare the solved joint with itself, so the rotation is none.
            MapTurn::NotesCorrection => q + length * a,
            MapTurn::Model | MapTurn::BookMisread => {
                let p = self.moved();
                let meaning = "The rotation that points the bone at its joint, in degrees.";
                let swing = self.sheet.define("R", turn(a, p - q), meaning);
                let meaning = "The parent's rotation without the bone's: the book's lines, read right to left.";
                let frame = self.sheet.given("F", (parent * carried.conjugate()).normalize(), meaning);
                let wrong = frame * swing * inverse(frame);
                let wrong = self.sheet.define("R′", wrong, "The rotation applied in that frame, in degrees.");
                q + length * (wrong * a)
            }
        };
        Some(self.end("map", place))
    }

    /// Forward reach with limits: rotates the bone beyond the joint into its limit, then swings and shifts the rest of
    /// the chain so that the end stays in place.
    fn limit_beyond(mut self) -> Option<Sheet> {
        let (index, bone) = self.bone()?;
        let pivot = index.saturating_sub(1);
        let mut now = self.now.clone();
        // The solver swung these bones to their joints after the move before.
        for swung in [index, pivot] {
            let along = now.positions[swung + 1] - now.positions[swung];
            let swing = math::from_to_rotation(now.rotations[swung] * self.bones()[swung].axis, along);
            now.rotations[swung] = (swing * now.rotations[swung]).normalize();
        }
        let was = now.rotations[index];
        let rest = self.chain.rotation_before(&now, index) * bone.rest;
        let limited = bone.limit.apply((rest.conjugate() * was).normalize(), bone.axis, now.turns[index]);
        let p = self.joint("p", index + 1, now.positions[index + 1]);
        let j = self.joint("j", index, now.positions[index]);
        let q = match pivot == index {
            true => self.sheet.given("q", j.get(), "Place of the root in this pass, in model units."),
            false => self.joint("q", pivot, now.positions[pivot]),
        };
        let e = self.end_joint(now.end());
        let sheet = &mut self.sheet;
        let meaning = format!("Rotation of bone {index} before, as its angle; ⁻¹ reverses it.");
        let was = sheet.given("r₀", was, meaning);
        let kind = bone.limit.key().replace('_', " ");
        let meaning = format!("The nearest rotation that the bone's limit allows ({kind}), as its angle (limits).");
        let allowed = sheet.given("r", (rest * limited.rotation).normalize(), meaning);
        let back = sheet.define("R", allowed * inverse(was), "The rotation back into the limit, in degrees.");
        let p1 = sheet.define("p₁", j + back * (p - j), "The joint, rotated by R; model units.");
        let e1 = sheet.define("e₁", j + back * (e - j), "The end, rotated by R; model units.");
        let meaning = "The rotation about q that points the end back at its place, in degrees.";
        let swing = sheet.define("S", turn(e1 - q, e - q), meaning);
        let p2 = sheet.define("p₂", q + swing * (p1 - q), "The joint, rotated by S; model units.");
        let e2 = sheet.define("e₂", q + swing * (e1 - q), "The end, rotated by S; model units.");
        Some(self.end("rotated into its limit", p2 + (e - e2)))
    }

    fn straighten(mut self) -> Option<Sheet> {
        let (index, bone) = self.bone()?;
        let plan = plan(&self.recording.problem(), self.before, &mut self.workspace.clone())?;
        let places = &self.before.positions;
        let offset = places[index + 1] - places[index];
        let (root, target, e) = (self.root(), self.target(), self.end_joint(self.before.end()));
        let q = self.joint("q", bone.from, self.now.positions[bone.from]);
        let meaning = "Distance from the root to the end, in model units.";
        let distance = self.sheet.define("d", length(e - root), meaning);
        let wanted =
            self.sheet.define("D", length(target - root), "Distance from the root to the target, in model units.");
        match plan.bend {
            Bend::Scale { line, steps, from, .. } => {
                let k = self.amplitude(line, [distance, wanted], steps, from);
                let swing = self.swing(&plan, "The end with all bones scaled by k, before the swing; model units.");
                let length = self.length(index);
                let along = offset.dot(line);
                let meaning = format!("The part of bone {index} along the line root – end, in model units.");
                let v = self.sheet.given("v", line * along, meaning);
                let meaning = format!("The part of bone {index} across that line, in model units.");
                let o = self.sheet.given("o", offset - line * along, meaning);
                let way = self.flat(swing * (v + k * o));
                let w = self.sheet.define(
                    "w",
                    way,
                    "The bone after scaling and swing, before its length is restored; model units.",
                );
                Some(self.end("straightened", q + length * unit(w)))
            }
            Bend::Fold { joint, is_slight, onward, .. } => {
                let why = match is_slight {
                    true => "the middle one, as the end is almost there",
                    false => "the one that has to rotate least",
                };
                let sheet = &mut self.sheet;
                let meaning = format!("Place of joint {joint}, which bends ({why}); model units.");
                let j = sheet.given("j", Point(places[joint]), meaning);
                let meaning = "From the root to the joint that bends, in model units.";
                let r = sheet.given("r", length(j - root).get(), meaning);
                let meaning = "From the joint that bends to the end, in model units.";
                let s = sheet.given("s", length(e - j).get(), meaning);
                let folded = acos((square(r) + square(s) - square(wanted)) / (2.0 * r * s));
                let meaning = "The angle at the joint at which d becomes D, by the law of cosines.";
                sheet.define("α", folded, meaning);
                let meaning = "From the joint that bends to the end at that angle, before the swing; model units.";
                let f = sheet.given("f", onward, meaning);
                let bend = self.turn_between(e - j, f.term());
                let meaning = "The rotation of the bones beyond the joint that makes its angle α, in degrees.";
                let bend = self.sheet.define("T", bend, meaning);
                let swing = self.swing(&plan, "The end with the joint bent, before the swing; model units.");
                let meaning = format!("Bone {index} before, from joint to joint; model units.");
                let b = self.sheet.given("b", offset, meaning);
                let moved = if index < joint { swing * b } else { swing * (bend * b) };
                let moved = self.flat(moved);
                Some(self.end("folded", q + moved))
            }
        }
    }

    /// Adds the amplitude `k` at which the end's distance from the root, `d`, becomes the target's distance, `D`: the
    /// last step of Newton's method. `from` has the squared amplitude and the distance before that step.
    fn amplitude(&mut self, line: Vec3, [d, wanted]: [Named<f32>; 2], steps: usize, from: [f32; 2]) -> Named<f32> {
        if steps == 0 {
            let meaning = "Factor of all offsets from the line root – end; 1, as d already equals D.";
            return self.sheet.define("k", 1.0, meaning);
        }
        let parts = self.bones().iter().zip(self.before.positions.windows(2)).map(|(bone, joints)| {
            let offset = joints[1] - joints[0];
            let along = offset.dot(line);
            bone.length * (along / scaled(offset, along, line, from[0].sqrt()).length())
        });
        let parts: Vec<f32> = parts.collect();
        let by_then = if steps == 1 { "" } else { ", at the amplitude so far" };
        let sheet = &mut self.sheet;
        let meaning = format!("Part of each bone along the line from the root to the end, in model units{by_then}.");
        let t = sheet.each("t", parts, meaning);
        let l = sheet.each("l", self.chain.lengths().iter().copied(), "Length of each bone, in model units.");
        let lost = |(t, l): (Named<f32>, Named<f32>)| t * (1.0 - square(t / l));
        let parts = t.into_iter().zip(l).map(lost);
        let of_slope = "Derivative of d by the square of the bend's amplitude.";
        let of_amplitude = format!(
            "Factor of all offsets from the line root – end: the amplitude at which d becomes D. A step changes its \
             square at most by the factor {MAX_STEP_FACTOR}."
        );
        if steps == 1 {
            let slope = sheet.define("slope", -half() * sum(parts), of_slope);
            let meaning = "The squared amplitude after one step of Newton's method.";
            let squared = sheet.define("A", 1.0 + (wanted - d) / slope, meaning);
            return sheet.define("k", sqrt(clamp(squared, fraction(MAX_STEP_FACTOR), MAX_STEP_FACTOR)), of_amplitude);
        }
        let meaning = format!("The squared amplitude after {} steps of Newton's method.", steps - 1);
        let before = sheet.given("A₁", from[0], meaning);
        let d = sheet.given("d₁", from[1], "Distance from the root to the end at that amplitude, in model units.");
        let slope = sheet.define("slope", -half() * sum(parts.map(|part| part / before)), of_slope);
        let meaning = format!("The squared amplitude after {steps} steps.");
        let squared = sheet.define("A", before + (wanted - d) / slope, meaning);
        sheet.define("k", sqrt(clamp(squared, before / MAX_STEP_FACTOR, MAX_STEP_FACTOR * before)), of_amplitude)
    }

    /// Adds the swing `R` that moves the bent chain's end to the target.
    fn swing(&mut self, plan: &Plan, meaning: &str) -> Named<Quat> {
        let (root, target) = (self.root(), self.target());
        let e1 = self.sheet.given("e₁", Point(self.root + plan.to_end), meaning);
        let swing = self.turn_between(e1 - root, target - root);
        self.sheet.define("R", swing, "The rotation that swings the end onto the line to the target, in degrees.")
    }

    fn two_bone(mut self) -> Option<Sheet> {
        let settings = self.settings;
        let (&[first, second], &[_, middle, _]) = (self.bones(), self.before.positions.as_slice()) else { return None };
        if settings.solver != Solver::TwoBone {
            return None;
        }
        let (hint, why) = match (settings.plane.or(settings.bend_normal), settings.bend_goal) {
            (_, Some(goal)) if settings.plane.is_none() => {
                (goal - self.root, "to the pole vector (bend goal; bend_goal)")
            }
            (Some(normal), _) => {
                ((self.target - self.root).cross(normal), "across the bend's normal (plane, bend_normal)")
            }
            _ => (middle - self.root, "to the middle joint's old place"),
        };
        let limb = TwoBone {
            upper: first.length,
            lower: second.length,
            maximum_stretch: settings.maximum_stretch,
            soft_zone: settings.soft_zone,
        };
        let (root, target) = (self.root(), self.target());
        let meaning = "Distance from the root to the target, in model units.";
        let distance = self.sheet.define("d", length(target - root), meaning);
        let mut reached = self.reached(&limb, distance);
        let factor = (reached.get() / (limb.upper + limb.lower)).max(1.0);
        let stretched = if factor > 1.0 { ", stretched to reach the target" } else { "" };
        let [a, b] = [("a", 0, limb.upper), ("b", 1, limb.lower)].map(|(name, bone, length)| {
            let meaning = format!("Length of bone {bone}{stretched}; model units.");
            self.sheet.given(name, length * factor, meaning)
        });
        if reached.get() < (a.get() - b.get()).abs() {
            let meaning = "Distance from the root to the end, at least that of the folded limb, in model units.";
            reached = self.sheet.define("c", max(reached, size(a - b)), meaning);
        }
        let along = self.unit(target - root, self.workspace.fallback);
        let u = self.sheet.define("u", along, "From the root to the target; unit.");
        let is_middle = self.moved.joint == 1;
        if is_middle && reached.get() >= a.get() + b.get() {
            return Some(self.end("two bones", root + a * u));
        }
        let end = root + reached * u;
        if !is_middle {
            if reached.get() >= a.get() + b.get() || b.get() > SHORT * a.get() {
                return Some(self.end("two bones", end));
            }
            let m = self.joint("m", 1, self.now.positions[1]);
            let e = self.sheet.define("e", end, "Place of the end, in model units.");
            let way = if math::unit((e - m).get()).is_some() { unit(e - m) } else { u.term() };
            let meaning = "From the middle joint to e; unit. Keeps the short bone's length to the last digit.";
            let s = self.sheet.define("s", way, meaning);
            return Some(self.end("two bones", m + b * s));
        }
        let near = match reached.get() < 1e-12 {
            true => 0.0.term(),
            false => (square(a) + square(reached) - square(b)) / (2.0 * reached),
        };
        let sheet = &mut self.sheet;
        let meaning = "Place of the middle joint along u, by the law of cosines, in model units.";
        let near = sheet.define("near", near, meaning);
        let beside = sqrt(max(0.0, (a - near) * (a + near)));
        let beside = sheet.define("beside", beside, "Distance of the middle joint from u, in model units.");
        let hint = sheet.given("hint", hint, format!("Direction in which the middle joint bends: {why}."));
        let side = sheet.define("side", across(hint, u), "The side of the limb on which the middle joint is; unit.");
        Some(self.end("two bones", root + near * u + beside * side))
    }

    /// Adds `reach`, the distance from root to end.
    fn reached(&mut self, limb: &TwoBone, distance: Named<f32>) -> Named<f32> {
        let farthest = (limb.upper + limb.lower) * limb.maximum_stretch;
        let zone = farthest * limb.soft_zone;
        let sheet = &mut self.sheet;
        let meaning = "Largest reach of the limb, in model units (maximum_stretch).";
        let far = sheet.given("far", farthest, meaning);
        let meaning = "Distance at which the soft zone begins, in model units (soft_zone).";
        let hard = sheet.given("hard", farthest - zone, meaning);
        let meaning = "Length of the soft zone, in model units (soft_zone).";
        let zone = sheet.given("zone", zone, meaning);
        let reach = match (limb.soft_zone <= 0.0, distance.get() <= hard.get()) {
            (true, _) => min(distance, far),
            (_, true) => min(distance, hard),
            _ => far - zone * exp((hard - distance) / zone),
        };
        sheet.define("reach", reach, "Distance from the root to the end, in model units.")
    }
}
