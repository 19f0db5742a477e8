//! Formula of a single move of a chain's solve, with the numbers of that move.
//!
//! The lines are evaluated from the recorded problem and the recorded states. The last line gives the joint's new
//! position, so the formula can be compared with the solve. A CCD turn leaves its joint in place; its last line gives
//! the end's new position.

mod closed;
mod reaches;
mod straightening;
mod turns;

use std::f32::consts::PI;

use glam::{Quat, Vec3};

use crate::chain_ik::chain::{Bone, Chain, State};
use crate::chain_ik::moves::{Cause, Move};
use crate::chain_ik::problem::Workspace;
use crate::chain_ik::program::{ARC_HEIGHT, Program, Side, Stage, Step, side_of_line};
use crate::chain_ik::recording::Recording;
use crate::chain_ik::settings::Settings;
use crate::math;
use crate::notation::{Expression, Named, Point, Sheet, Term, cos, flat, turn, twist, unit};

/// Returns the formula of `recording.solve.events_of(step)[index]`; `None` if there is no such move, or if the recorded
/// problem does not lead to it.
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
        Cause::Limit if at.step.stage == Stage::Start => at.limited_bone("bone rotated into its limit"),
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

struct Instant<'a> {
    recording: &'a Recording,
    chain: &'a Chain,
    settings: &'a Settings,
    step: Step,
    /// Index of the step in the recording and of the move in the step.
    place: (usize, usize),
    moved: Move,
    before: &'a State,
    /// State before the move; before the step for a CCD turn.
    now: State,
    root: Vec3,
    target: Vec3,
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

    fn bone(&self) -> Option<(usize, &'a Bone)> {
        let index = self.moved.joint.checked_sub(1)?;
        Some((index, &self.bones()[index]))
    }

    fn is_plain(&self) -> bool {
        let goals = &self.recording.goals;
        !self.chain.is_branched() && goals.len() == 1 && goals[0].joint + 1 == self.chain.joints()
    }

    fn uses_limits(&self) -> bool {
        self.settings.limits && self.chain.has_limits()
    }

    fn end(mut self, what: &str, place: Term<Point>) -> Sheet {
        self.moved();
        let title = format!("{what}, {}", joint(self.moved.joint));
        self.sheet.end(title, "p", place)
    }

    fn joint(&mut self, name: &'static str, index: usize, place: Vec3) -> Named<Point> {
        let meaning = format!("Position of {} before this move, in model units.", joint(index));
        self.sheet.given(name, Point(place), meaning)
    }

    fn joint_before(&mut self, name: &'static str, index: usize) -> Named<Point> {
        let meaning = format!("Position of {} before this step, in model units.", joint(index));
        self.sheet.given(name, Point(self.before.positions[index]), meaning)
    }

    fn moved(&mut self) -> Named<Point> {
        self.joint("p", self.moved.joint, self.moved.from)
    }

    fn end_joint(&mut self, place: Vec3) -> Named<Point> {
        self.joint("e", self.bones().len(), place)
    }

    fn target(&mut self) -> Named<Point> {
        let meaning = self.meaning_of_target("the end", "target");
        self.sheet.given("target", Point(self.target), meaning)
    }

    /// Returns the meaning of the target of `joint`, as the solve computes it from the setting `field`.
    fn meaning_of_target(&self, joint: &str, field: &str) -> String {
        let is_between = self.settings.weight < 1.0 && self.settings.pass_share() >= 1.0;
        let (projected, plane) = match self.settings.plane {
            Some(_) => (", projected onto the plane", ", plane"),
            None => ("", ""),
        };
        match is_between {
            false => format!("Target of {joint}{projected}, in model units ({field}{plane})."),
            true => format!(
                "Point that {joint} aims at: {joint}'s position before the solve, moved toward the target by the \
                 fraction weight of the distance between the two{projected}; model units ({field}, weight{plane})."
            ),
        }
    }

    fn root(&mut self) -> Named<Point> {
        self.sheet.given("root", Point(self.root), "Fixed position of the root, in model units.")
    }

    fn length(&mut self, bone: usize) -> Named<f32> {
        let meaning = format!("Length of bone {bone}, in model units.");
        self.sheet.given("length", self.bones()[bone].length, meaning)
    }

    fn normal(&mut self) -> Option<Named<Vec3>> {
        let normal = self.workspace.plane?;
        Some(self.sheet.given("n", normal, "Unit normal of the plane of the 2D mode (plane)."))
    }

    /// Returns a vector rotated into the plane of the 2D mode, at the same length; in 3D the vector itself.
    fn flat(&mut self, v: Term<Vec3>) -> Term<Vec3> {
        match self.normal() {
            Some(normal) => flat(v, normal),
            None => v,
        }
    }

    /// Returns the direction of a vector, or adds and returns `fallback` if the vector's length counts as zero.
    fn unit(&mut self, of: Term<Vec3>, fallback: Vec3) -> Term<Vec3> {
        match math::unit(of.get()) {
            Some(_) => unit(of),
            None => self.fallback(fallback),
        }
    }

    fn fallback(&mut self, fallback: Vec3) -> Term<Vec3> {
        let meaning = "Fixed unit vector, instead of the direction of a vector whose length counts as zero.";
        self.sheet.given("f", fallback, meaning).term()
    }

    fn direction(&mut self, of: Term<Vec3>) -> Term<Vec3> {
        let of = self.flat(of);
        self.unit(of, self.workspace.fallback)
    }

    /// Returns the direction of `of` where the solver computes it as minus the direction of `−of`. The fallback is then
    /// negated.
    fn direction_back(&mut self, of: Term<Vec3>) -> Term<Vec3> {
        let of = self.flat(of);
        self.unit(of, -self.workspace.fallback)
    }

    fn turn_between(&mut self, from: Term<Vec3>, to: Term<Vec3>) -> Term<Quat> {
        match self.normal() {
            Some(normal) => twist(from, to, normal),
            None => turn(from, to),
        }
    }

    fn plane(mut self) -> Option<Sheet> {
        let (index, bone) = self.bone()?;
        let meaning = format!("Position of {} in the plane, in model units.", joint(bone.from));
        let q = self.sheet.given("q", Point(self.now.positions[bone.from]), meaning);
        let (a, p) = (self.joint_before("a", bone.from), self.joint_before("p", index + 1));
        let length = self.length(index);
        let v = self.sheet.define("v", p - a, "Vector along the bone before this step, in model units.");
        let along = self.direction(v.term());
        let meaning = "Unit vector along the bone in the plane; a fixed one if the bone has no direction there.";
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
            Side::BendRule => "by the bend rule (bend_normal)",
            Side::Hinge => "by the first hinge (limits)",
            Side::BendGoal => "toward the bend goal (bend_goal)",
            Side::Line => "chosen from the line alone",
        };
        let travelled: f32 = self.bones()[..index].iter().map(|bone| bone.length).sum();
        let middle = (travelled + 0.5 * bone.length) / self.chain.length();
        let q = self.joint("q", bone.from, self.now.positions[bone.from]);
        let (a, p, length) = (self.joint_before("a", index), self.joint_before("p", index + 1), self.length(index));
        let along = self.direction(p - a);
        let sheet = &mut self.sheet;
        let d = sheet.define("d", along, "Direction of the bone; unit.");
        let pi = sheet.given("π", PI, "Half a turn in radians.");
        let meaning = "Number of attempts to bend the chain, including this one; the arc has as many half waves.";
        let m = sheet.given("m", waves as f32, meaning);
        let x = sheet.given("x", middle, "Position of the bone's middle along the chain, 0 to 1.");
        let meaning = format!("Direction in which the chain bends, {why}; unit.");
        let s = sheet.given("s", side, meaning);
        let slope = m * ARC_HEIGHT * pi * cos(pi * m * x);
        let k = sheet.define("k", slope, "Slope of the arc over the chain's line, at the bone's middle.");
        let w = sheet.define("w", d + k * s, "Direction of the bone on the arc, of any length.");
        Some(self.end("bent out of the line", q + length * unit(w)))
    }

    fn stretch(mut self) -> Option<Sheet> {
        let (index, bone) = self.bone()?;
        let is_near = self.recording.is_target_too_near();
        // If the target is too near, only the first of the longest bones points at it.
        let longest = self.bones().iter().position(|bone| bone.length == self.chain.longest());
        let q = self.joint("q", bone.from, self.now.positions[bone.from]);
        let (target, root, length) = (self.target(), self.root(), self.length(index));
        let to_target = target - root;
        let (along, meaning) = match self.workspace.unit_in_plane(to_target.get()) {
            Some(_) => (to_target, "Unit vector from the root to the target."),
            None => {
                let meaning = "Unit vector from the root to the end, because the target lies on the root; a fixed one if \
                               the end lies there, too.";
                (self.end_joint(self.before.end()) - root, meaning)
            }
        };
        let along = self.direction(along);
        let u = self.sheet.define("u", along, meaning);
        let place = if !is_near || longest == Some(index) { q + length * u } else { q - length * u };
        Some(self.end(if is_near { "folded toward the target" } else { "stretched toward the target" }, place))
    }
}
