//! Formulas of a modifier's acts and of the bend direction that arm bending sets, with the numbers of a frame.

mod blows;
mod hands;
mod head;
mod limbs;

use glam::{Quat, Vec3};

use crate::full_body::{Effector, Frame, State};
use crate::math::unit_or_zero;
use crate::modifiers::act::{Act, Change, Seen};
use crate::modifiers::arm_bending::{ArmBending, FARTHEST};
use crate::modifiers::kinds::{Memory, Modifier};
use crate::notation::{Degrees, Expression, Named, Point, Sheet, Term, about, cross};
use crate::rig::{BoneIndex, LimbName, RigidTransform};

pub struct At<'a> {
    pub seen: Seen<'a>,
    /// Pose before the modifier's step.
    pub found: &'a [RigidTransform],
    /// Pose before the act.
    pub before: &'a [RigidTransform],
    pub act: Act,
    pub master: f32,
}

impl At<'_> {
    fn place(&self, effector: Effector) -> Vec3 {
        self.bone(self.seen.figure.bone_of(effector)).position
    }

    fn bone(&self, bone: BoneIndex) -> RigidTransform {
        self.found.get(bone).copied().unwrap_or_default()
    }

    fn now(&self, bone: BoneIndex) -> RigidTransform {
        self.before.get(bone).copied().unwrap_or_default()
    }
}

/// Returns the formula of an act. If the modifier's settings and memory do not determine the act, the formula only
/// shows the result.
pub fn formula(modifier: &Modifier, memory: &Memory, at: &At, title: String) -> Sheet {
    let mut lines = Lines { at, sheet: Sheet::default(), key: modifier.key() };
    let end = match (modifier, memory) {
        (Modifier::Recoil(settings), Memory::Recoil(shots)) => lines.recoil(settings, shots),
        (Modifier::TwoHandedGrip(settings), Memory::TwoHandedGrip(held)) => lines.two_handed_grip(settings, held),
        (Modifier::HitReaction(settings), Memory::HitReaction(hits)) => lines.hit_reaction(settings, hits),
        (Modifier::Inertia(settings), Memory::Inertia(springs)) => lines.inertia(settings, springs),
        (Modifier::Breathing(settings), Memory::Breathing(breath)) => lines.breathing(settings, breath),
        (Modifier::LookAt(settings), _) => lines.look_at(settings),
        (Modifier::ReachFor(settings), Memory::ReachFor(reaching)) => lines.reach_for(settings, reaching),
        (Modifier::Keyed(settings), _) => lines.keyed(settings),
        (Modifier::Head(settings), Memory::Head(drawn)) => lines.head(settings, drawn),
        (Modifier::FourBones(settings), Memory::FourBones(folds)) => lines.four_bones(settings, folds),
        (Modifier::ArmBending(_), Memory::ArmBending(related)) => lines.arm_bending(related),
        _ => None,
    };
    lines.end(end, title)
}

/// Adds to `sheet` the formula of the bend direction that arm bending sets, and returns its last term; `None` if the
/// chest's nodes are degenerate, or if the hand is at its shoulder.
pub fn bend_direction(
    own: &ArmBending,
    limb: LimbName,
    state: &State,
    frame: &Frame,
    sheet: &mut Sheet,
) -> Option<Term<Vec3>> {
    let pointing = own.pointing(limb, frame, |node| state.node(node))?;
    let e =
        sheet.given("e₀", pointing.outward, "Elbow direction of a hand held out in front, in the chest's space; unit.");
    let least = sheet.given(
        "R",
        pointing.least,
        "The shortest rotation from a hand held out in front to this one, in the chest's space, as an angle.",
    );
    let chest =
        sheet.given("C", pointing.chest, "Rotation of the chest, from both shoulders and the body, as an angle.");
    let e = sheet.define("e", chest * (least * e), "Elbow direction from the hand's position alone; unit.");
    let turned = pointing.rotation_weight > 0.0;
    if !turned {
        return Some(e.term());
    }
    let along = sheet.given("h", pointing.along, "Unit vector from shoulder to hand.");
    let normal = sheet.given(
        "n",
        pointing.normal,
        "Normal of the arm's plane in the reference pose, rotated to the hand's target rotation; shorter than 1 if that arm is bent.",
    );
    let sine = sheet.define(
        "s",
        along * cross(e, cross(normal, along)),
        "Sine of the angle from e to the elbow direction n × h for the hand's rotation, times the length of n × h; −1 to 1.",
    );
    let meaning =
        "Weight of the hand's rotation: arm_bending.hand times the effector's rotation weight and the master weight.";
    let counts = sheet.given("hand", pointing.rotation_weight, meaning);
    Some(about(along, Degrees(FARTHEST) * (sine * counts)) * e)
}

enum End {
    Offset(Term<Vec3>),
    Target(Term<Point>),
    Rotation(Term<Quat>),
    Move(Term<Vec3>),
    Turn(Term<Quat>),
}

const OFFSET: &str = "Vector that the modifier adds to the effector's one-frame offset, in model units.";

const ROTATION: &str = "Target rotation of the effector, as an angle.";

const TARGET: &str = "Target of the effector, in model units and the space of the animated pose.";

struct Lines<'a> {
    at: &'a At<'a>,
    sheet: Sheet,
    key: &'static str,
}

impl Lines<'_> {
    fn end(mut self, end: Option<End>, title: String) -> Sheet {
        match (self.at.act.change, end) {
            (Change::Offset { .. }, Some(End::Offset(by))) => self.sheet.end_with(title, "o", by, OFFSET),
            (Change::Target { from, .. }, Some(End::Offset(by))) => {
                let meaning = "The effector's target before this modifier, or else its bone's position, in model units and the space of the animated pose.";
                let own = self.sheet.given("own", Point(from), meaning);
                self.sheet.end_with(title, "target", own + by, TARGET)
            }
            (Change::Target { .. }, Some(End::Target(to))) => self.sheet.end_with(title, "target", to, TARGET),
            (Change::TargetRotation { .. }, Some(End::Rotation(to))) => {
                self.sheet.end_turned_with(title, "rotation", to, ROTATION)
            }
            (Change::Bone { from, .. }, Some(End::Move(by))) => {
                let place = self.sheet.given(
                    "p",
                    Point(from.position),
                    "Position of the bone before this move, in model units and the space of the animated pose.",
                );
                let bone =
                    self.sheet.given("bone", from.rotation, "Rotation of the bone, which is unchanged, as an angle.");
                self.sheet.end_placed(title, ("p", place + by), ("bone", bone.term()))
            }
            (Change::Bone { from, .. }, Some(End::Turn(by))) => {
                let meaning = "Rotation of the bone before this move, as an angle.";
                let bone = self.sheet.given("bone", from.rotation, meaning);
                self.sheet.end_turned(title, "bone", by * bone)
            }
            (Change::Offset { by, .. }, _) => {
                let by =
                    self.sheet.given("offset", by, "Offset that the modifier adds to the effector, in model units.");
                self.sheet.end_with(title, "o", by, OFFSET)
            }
            (Change::Target { to, .. }, _) => {
                let to = self.sheet.given(
                    "to",
                    Point(to),
                    "New target of the effector, in model units and the space of the animated pose.",
                );
                self.sheet.end_with(title, "target", to, TARGET)
            }
            (Change::TargetRotation { to, .. }, _) => {
                let to = self.sheet.given("to", to, "Target rotation of the effector, as an angle.");
                self.sheet.end_turned_with(title, "rotation", to, ROTATION)
            }
            (Change::Bone { from, to, .. }, _) => {
                let place = self.sheet.given(
                    "p",
                    Point(from.position),
                    "Position of the bone before this move, in model units and the space of the animated pose.",
                );
                let by =
                    self.sheet.given("move", to.position - from.position, "Displacement of the bone, in model units.");
                let rotation = self.sheet.given(
                    "by",
                    to.rotation * from.rotation.conjugate(),
                    "Rotation of the bone by this move, as an angle.",
                );
                let bone =
                    self.sheet.given("bone", from.rotation, "Rotation of the bone before this move, as an angle.");
                self.sheet.end_placed(title, ("p", place + by), ("bone", rotation * bone))
            }
        }
    }

    fn setting(&mut self, name: &'static str, value: f32, what: &str, field: &str) -> Named<f32> {
        self.sheet.given(name, value, format!("{what} ({}.{field}).", self.key))
    }

    fn degrees(&mut self, name: &'static str, value: f32, what: &str, field: &str) -> Named<Degrees> {
        self.sheet.given(name, Degrees(value), format!("{what} ({}.{field}).", self.key))
    }

    fn weight(&mut self, value: f32) -> Named<f32> {
        self.setting("weight", value, "Weight of the modifier, 0 to 1", "weight")
    }

    fn master(&mut self) -> Named<f32> {
        self.sheet.given("master", self.at.master, "The master weight, 0 to 1 (solver.weight).")
    }

    fn weighed(&mut self, value: f32) -> Term<f32> {
        let weight = self.weight(value);
        let master = self.master();
        weight * master
    }

    fn height(&mut self) -> Named<f32> {
        self.sheet.given(
            "height",
            self.at.seen.figure.height,
            "Height of the character from feet to head, or to the chest without a head, in model units.",
        )
    }

    fn facing(&mut self) -> Named<Vec3> {
        self.sheet.given("facing", self.at.seen.facing(), "Direction that the character faces; unit.")
    }

    fn up(&mut self) -> Named<Vec3> {
        self.sheet.given("up", self.at.seen.up(), "Up direction of the character; unit.")
    }

    fn across(&mut self) -> Named<Vec3> {
        let across = unit_or_zero(self.at.seen.facing().cross(self.at.seen.up()));
        self.sheet.given("side", across, "facing × up: unit vector to the character's right.")
    }
}
