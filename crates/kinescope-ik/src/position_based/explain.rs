//! The formula of a single move, with the numbers of its instant.
//!
//! Every line is evaluated from the recorded frame and the state before the step. The last line gives the joint's new
//! rotation relative to its parent joint, so the formula can be compared with the solve. If the move shifts the pelvis,
//! an earlier line gives the displacement.

use glam::{Quat, Vec3};

use super::angular::{Twist, rest_turn, roll, twist};
use super::constraint::Constraint;
use super::limit::back;
use super::moves::Move;
use super::position::{Pull, fold, pull};
use super::recording::Recording;
use super::start::start_of;
use super::state::State;
use crate::key::label;
use crate::names::Effector;
use crate::notation::{Degrees, Named, Point, Sheet, about, acos, clamp, cross, inverse, length, rad, square, unit};
use crate::rig::LimbName;

pub fn formula(recording: &Recording, step: usize, index: usize) -> Option<Sheet> {
    let moved = *recording.solve.events_of(step).get(index)?;
    let at = Instant {
        recording,
        moved,
        before: recording.solve.state_before(step),
        name: recording.solver.joints().label(moved.joint),
        sheet: Sheet::default(),
    };
    match moved.constraint {
        Constraint::Position(effector) => at.position(effector),
        Constraint::Rotation(effector) => at.rotation(effector),
        Constraint::Length(limb) => at.length(limb),
        Constraint::Bend(limb) => at.bend(limb),
        Constraint::Rest => at.rest(),
        Constraint::Limits => at.limit(recording.solve.steps[step].step.slack(&recording.frame)),
        Constraint::SecondStart => {
            let to = start_of(&recording.solver, &recording.frame).rotations[moved.joint];
            at.start(
                to,
                "Middle of the joint's limit; for a joint without limit or mobility its animated rotation. As an angle.",
            )
        }
        Constraint::FirstResult => {
            let to = at.before.first?.rotations[moved.joint];
            at.start(to, "Rotation of the joint in the result of the first start, as an angle.")
        }
    }
}

const AFTER: &str =
    "Rotation of the joint after this step, relative to its parent joint (pelvis: model space), as an angle.";

const TURN: &str = "Rotation of the joint in model space: along its axis, of length 2 tan(angle / 2).";

struct Instant<'a> {
    recording: &'a Recording,
    moved: Move,
    /// State before the step. No rotation of a step depends on another one of the same step.
    before: &'a State,
    name: String,
    sheet: Sheet,
}

impl Instant<'_> {
    fn title(&self) -> String {
        format!("{}, {}", self.moved.constraint.label(), self.name)
    }

    fn rotation_before(&mut self) -> Named<Quat> {
        let space = if self.moved.joint == 0 { "in model space" } else { "relative to its parent joint" };
        let meaning = format!("Rotation of {} before this step, {space}, as an angle.", self.name);
        self.sheet.given("q", self.before.rotations[self.moved.joint], meaning)
    }

    fn mobility(&mut self, pull: f32) -> Named<f32> {
        let (recording, joint) = (self.recording, self.moved.joint);
        let meaning = format!(
            "Mobility of {}: 1 / moment of inertia of all that the joint carries; for joints of the trunk, times \
             trunk_mobility, 1 − pin of the body and the pull of the target's limb.",
            self.name
        );
        self.sheet.given("w", recording.frame.mobility_for(&recording.solver, joint, pull), meaning)
    }

    fn index(&self, effector: Effector) -> Option<usize> {
        let path = self.recording.solver.path(effector);
        path.joints().iter().position(|&joint| usize::from(joint) == self.moved.joint)
    }

    /// Finishes the sheet with the rotation about `turn`, whose length is twice the tangent of half the angle; model space.
    fn turned(mut self, above: Quat, turn: Named<Vec3>) -> Option<Sheet> {
        let q = self.rotation_before();
        let title = self.title();
        let sheet = &mut self.sheet;
        let b = sheet.given(
            "B",
            above,
            "Rotation of the parent joint in model space, as an angle; no rotation for the pelvis.",
        );
        // Half of the length is the tangent of half the applied angle, so that the angle stays below half a turn.
        let half = turn.get().length() * 0.5;
        let meaning = "Angle of the rotation: twice the arc tangent of half of |θ|, or of |θ₁| if the limit changed θ; \
                       in degrees.";
        let angle = sheet.given("φ", Degrees((2.0 * half.atan()).to_degrees()), meaning);
        let r = sheet.define("R", about(unit(turn), angle), "Rotation of the joint by φ in model space, as an angle.");
        Some(self.sheet.end_turned_with(title, "q′", inverse(b) * r * b * q, AFTER))
    }

    fn position(mut self, effector: Effector) -> Option<Sheet> {
        let (recording, at) = (self.recording, self.index(effector)?);
        let frame = &recording.frame;
        let mut pulled = Pull::EMPTY;
        if !pull(&recording.solver, frame, self.before, effector, &mut pulled).1 {
            return None;
        }
        let joints = recording.solver.path(effector).joints();
        let goal = frame.goals.of(effector);
        let what = label(effector.key());
        let sheet = &mut self.sheet;
        let end = pulled.placed.positions[joints.len() - 1];
        let e =
            sheet.given("e", Point(end), format!("Position of the joint of {what} before this step, in model units."));
        let meaning = format!(
            "Position that {what} should have, by its weight between animated position and target; model units."
        );
        let t = sheet.given("t", Point(frame.aims[effector as usize]), meaning);
        let c = sheet.define("c", t - e, "The correction that the constraint asks for, in model units.");
        sheet.define("δ", length(c), "Length of c, in model units.");
        let meaning = "Change of the multiplier: the solution of (w₀ + Σ w (|a|² − a aᵀ) + α) Δλ = ω (c − α λ). The sum \
                       goes over all joints from the pelvis to the target, without rotations that lead out of a limit. w₀ is the \
                       mobility of the pelvis's position, ω the over-relaxation, α the compliance times the mobility along c, λ \
                       the multiplier before this step. Scaled so that no joint turns by more than 34°.";
        let delta = sheet.given("Δλ", pulled.delta, meaning);
        if self.moved.joint == 0 && self.moved.shift != Vec3::ZERO {
            let w0 = sheet.given(
                "w₀",
                frame.root * goal.pull,
                "Mobility of the pelvis's position, times the pull of the target's limb.",
            );
            sheet.define("s", w0 * delta, "Displacement of the pelvis, in model units.");
        }
        let w = self.mobility(goal.pull);
        let meaning = format!("Position of {}, in model units.", self.name);
        let sheet = &mut self.sheet;
        let p = sheet.given("p", Point(pulled.placed.positions[at]), meaning);
        let a = sheet.define("a", e - p, "Vector from the joint to the joint that has the target, in model units.");
        let free = sheet.define("θ", w * cross(a, delta), TURN);
        let turn = match free.get().distance(pulled.turns[at]) > 1e-6 {
            true => sheet.given(
                "θ₁",
                pulled.turns[at],
                "θ without its component along the axis that leads out of the joint's limit; model space.",
            ),
            false => free,
        };
        self.turned(pulled.placed.above(at), turn)
    }

    fn rotation(mut self, effector: Effector) -> Option<Sheet> {
        let (recording, at) = (self.recording, self.index(effector)?);
        let frame = &recording.frame;
        let mut twisted = Twist::EMPTY;
        if !twist(&recording.solver, frame, self.before, effector, &mut twisted).1 {
            return None;
        }
        let goal = frame.goals.of(effector);
        let joints = recording.solver.path(effector).joints();
        let what = label(effector.key());
        let sheet = &mut self.sheet;
        let own = twisted.placed.rotations[joints.len() - 1];
        let r0 = sheet.given("r₀", own, format!("Rotation of {what} before this step, in model space, as an angle."));
        let r1 = sheet.given(
            "r₁",
            frame.aim_rotations[effector as usize],
            format!("Rotation that {what} should have, by its weight between animated and target; model space."),
        );
        sheet.define("D", r1 * inverse(r0), "The rotation that the constraint asks for, from r₀ to r₁, as an angle.");
        let meaning = "Change of the multiplier: the solution of (Σ w + α) Δλ = c − α λ, with c the axis of D times its \
                       angle in radians, the sum over the turned joints without rotations that lead out of a limit, α the \
                       compliance times the mobility along c, and λ the multiplier before this step. Scaled so that no joint \
                       turns by more than 34°.";
        let delta = sheet.given("Δλ", twisted.delta, meaning);
        let w = self.mobility(goal.pull);
        let free = self.sheet.define("θ", w * delta, TURN);
        let turn = match free.get().distance(twisted.turns[at]) > 1e-6 {
            true => self.sheet.given(
                "θ₁",
                twisted.turns[at],
                "θ without its component along the axis that leads out of the joint's limit; model space.",
            ),
            false => free,
        };
        self.turned(twisted.placed.above(at), turn)
    }

    fn length(mut self, limb: LimbName) -> Option<Sheet> {
        let recording = self.recording;
        let fold = fold(&recording.solver, &recording.frame, self.before, limb)?;
        let [upper, lower, span] = fold.sides;
        let q = self.rotation_before();
        let title = self.title();
        let sheet = &mut self.sheet;
        let l1 = sheet.given("l₁", upper, "Length of the limb's first bone, in model units.");
        let l2 = sheet.given("l₂", lower, "Length of the limb's second bone, in model units.");
        let meaning = "Distance from the limb's root to the position that its end should have, limited to the limb's \
                       reach; in model units.";
        let d = sheet.given("d", span, meaning);
        let cosine = (square(d) - square(l1) - square(l2)) / (2.0 * l1 * l2);
        let k = sheet.define("k", cosine, "Cosine of the bend of elbow or knee at distance d, by the law of cosines.");
        let wanted = sheet.define("β", acos(k), "Bend of elbow or knee at distance d, in degrees; 0 is straight.");
        let now = sheet.given(
            "β₀",
            Degrees(fold.bend.to_degrees()),
            "Bend of elbow or knee before this step, in degrees; 0 is straight.",
        );
        let most = super::position::LARGEST_BEND;
        let turn =
            sheet.define("θ", clamp(rad(wanted - now), -most, most), "Change of the bend in this step, in radians.");
        let angle = sheet.given("φ", Degrees(turn.get().to_degrees()), "The angle θ in degrees.");
        let x = sheet.given("x", fold.axis, "Axis of elbow or knee, in model space; unit.");
        let b = sheet.given("B", fold.above, "Rotation of the parent joint in model space, as an angle.");
        Some(self.sheet.end_turned_with(title, "q′", inverse(b) * about(x, angle) * b * q, AFTER))
    }

    fn bend(mut self, limb: LimbName) -> Option<Sheet> {
        let recording = self.recording;
        let roll = roll(&recording.solver, &recording.frame, self.before, limb)?;
        let q = self.rotation_before();
        let title = self.title();
        let sheet = &mut self.sheet;
        let x = sheet.given("x", roll.axis, "Unit vector from the limb's root to its end.");
        let now = sheet.given("n", roll.now, "Vector from the line root – end to elbow or knee, in model units.");
        let to = sheet.given(
            "g",
            roll.wanted,
            "Direction to the bend goal, or the bend direction, without its component along x.",
        );
        let full = roll.axis.dot(roll.now.cross(roll.wanted)).atan2(roll.now.dot(roll.wanted));
        sheet.define("γ", crate::notation::angle(now, to), "Angle between n and g, in degrees.");
        let gap = sheet.given("c", full, "Angle from n to g about x, with its sign, in radians.");
        let meaning = "Stiffness: 1 / (1 + compliance); a bend weight w adds 1 / w − 1 to the bend compliance.";
        let s = sheet.given("s", roll.stiffness, meaning);
        let meaning = "Sum of the limb's rotations toward its bend goal or direction since the last start, in radians.";
        let m = sheet.given("μ", self.before.bends[limb.index()], meaning);
        sheet.define("θ", s * gap - (1.0 - s) * m, "Angle of the rotation about x before it is limited, in radians.");
        let angle = sheet.given(
            "φ",
            Degrees(roll.turn.to_degrees()),
            "Angle of the rotation about x: θ in degrees, limited to ±86°.",
        );
        let b = sheet.given("B", roll.above, "Rotation of the parent joint in model space, as an angle.");
        Some(self.sheet.end_turned_with(title, "q′", inverse(b) * about(x, angle) * b * q, AFTER))
    }

    fn rest(mut self) -> Option<Sheet> {
        let (recording, joint) = (self.recording, self.moved.joint);
        let frame = &recording.frame;
        let own = rest_turn(frame, self.before, joint);
        let q = self.rotation_before();
        let title = self.title();
        let sheet = &mut self.sheet;
        let gap = super::angular::vector_of(frame.animated.rotations[joint] * self.before.rotations[joint].conjugate());
        let meaning = "The rotation back to the animated pose: axis times radians, in the parent joint's space.";
        let c = sheet.given("c", gap, meaning);
        let meaning = "Rest stiffness, 0 to 0.9 (rest_stiffness).";
        let s = sheet.given("s", frame.settings.rest_stiffness, meaning);
        let meaning = "Sum of the joint's θ in rest steps since the last start.";
        let m = sheet.given("μ", self.before.rest[joint], meaning);
        let turn = sheet.define(
            "θ",
            s * c - (1.0 - s) * m,
            "Rotation of the joint: along its axis, of length 2 tan(φ / 2), in the parent joint's space.",
        );
        let meaning = "Angle of the rotation: twice the arc tangent of half of |θ|, in degrees.";
        let angle = sheet.given("φ", Degrees((2.0 * (own.length() * 0.5).atan()).to_degrees()), meaning);
        Some(self.sheet.end_turned_with(title, "q′", about(unit(turn), angle) * q, AFTER))
    }

    fn start(mut self, to: Quat, meaning: &str) -> Option<Sheet> {
        let q = self.rotation_before();
        let title = self.title();
        let sheet = &mut self.sheet;
        if self.moved.shift != Vec3::ZERO {
            sheet.given("s", self.moved.shift, "Displacement of the pelvis, in model units.");
        }
        let c = sheet.given("c", to, meaning);
        let r = sheet.define("R", c * inverse(q), "The rotation from q to c, as an angle.");
        Some(self.sheet.end_turned_with(title, "q′", r * q, AFTER))
    }

    fn limit(mut self, left: f32) -> Option<Sheet> {
        let (recording, joint) = (self.recording, self.moved.joint);
        let back = back(&recording.solver, &recording.frame, joint, self.before.rotations[joint])?;
        let q = self.rotation_before();
        let title = self.title();
        let sheet = &mut self.sheet;
        let x = sheet.given("x", back.axis, "Axis of the shortest rotation to the limit, in the parent joint's space.");
        let excess = sheet.given("ε", Degrees(back.excess.to_degrees()), "Angle beyond the limit, in degrees.");
        let slack = Degrees(recording.frame.slack[joint].to_degrees());
        let meaning = "Angle beyond the limit in the animated pose, which is allowed; in degrees.";
        let slack = sheet.given("ε₀", slack, meaning);
        let meaning = "Angle that this step leaves in addition to ε₀, in degrees: 0 in the sub-step's own step of the \
                       limits, 2.9 in one added after another constraint.";
        let left = sheet.given("ε₁", Degrees(left.to_degrees()), meaning);
        let turn = sheet.define("φ", excess - slack - left, "Angle of the rotation, in degrees.");
        Some(self.sheet.end_turned_with(title, "q′", about(x, turn) * q, AFTER))
    }
}
