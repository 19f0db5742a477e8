//! Formulas of head effector, look at and breathing.

use glam::Quat;

use super::{End, Lines};
use crate::full_body::Effector;
use crate::math::{from_to_rotation, share, unit_or_zero};
use crate::modifiers::act::Change;
use crate::modifiers::breathing::{Breath, Breathing};
use crate::modifiers::head::{FARTHEST_CHEST, Head, HeadBone, HeadGoal, short};
use crate::modifiers::look_at::{Aims, LookAt};
use crate::notation::{Expression, Point, about, held, inverse, length, nlerp, part, shorten, turn, unit};
use crate::rig::{BoneIndex, RigidTransform};

impl Lines<'_> {
    pub(super) fn breathing(&mut self, own: &Breathing, breath: &Breath) -> Option<End> {
        let [drawn, aside, ahead] = Breathing::drawn(breath);
        let drawn = self.sheet.given(
            "b",
            drawn,
            "Part of a full breath at this moment, 0 to 1: ½ (1 − cos(2π · breaths so far)).",
        );
        let weight = match self.at.act.change {
            Change::Bone { .. } => self.weighed(own.weight),
            _ => self.weight(own.weight).term(),
        };
        let depth = self.setting("depth", own.depth, "Depth of a full breath, as a fraction of the height", "depth");
        let height = self.height();
        match self.at.act.change {
            Change::Bone { .. } => {
                let lean = self.degrees("lean", own.lean, "Straightening of the spine, in degrees", "lean");
                let count = self.at.seen.figure.spine.len() as f32;
                let count = self.sheet.given("n", count, "Number of bones of the spine.");
                let across = self.across();
                Some(End::Turn(about(across, lean * (drawn * weight / count))))
            }
            Change::Offset { effector: Effector::Body, .. } => {
                let (facing, across) = (self.facing(), self.across());
                let sway = self.setting("sway", own.sway, "Sway of the body, as a fraction of the height", "sway");
                let aside = self.sheet.given("s", aside, "Sway to the side, −1 to 1.");
                let ahead = self.sheet.given("s′", ahead, "Sway forward, about −1 to 1.");
                let breathed = facing * (0.25 * depth * height * drawn);
                Some(End::Offset((breathed + (across * aside + facing * ahead) * (sway * height)) * weight))
            }
            Change::Offset { .. } => {
                let (up, facing) = (self.up(), self.facing());
                Some(End::Offset((up * 0.7.term() + facing * 0.5.term()) * (depth * height * drawn * weight)))
            }
            _ => None,
        }
    }

    pub(super) fn look_at(&mut self, own: &LookAt) -> Option<End> {
        let Change::Bone { bone, from, to } = self.at.act.change else { return None };
        let figure = self.at.seen.figure;
        let meaning = "Rotation of the bone by this move, in degrees.";
        let whole = to.rotation * from.rotation.conjugate();
        let target = self.sheet.given(
            "target",
            Point(own.target?),
            "Target that the eyes or the hand point at, in model units and the space of the animated pose.",
        );
        if own.aims == Aims::Eyes && Some(bone) != figure.head {
            let is_spine = figure.spine.contains(&bone);
            let head = self.at.bone(figure.head?);
            let place = self.sheet.given(
                "eyes",
                Point(head.position),
                "Position of the head before this modifier, in model units and the space of the animated pose.",
            );
            let a = self.sheet.given(
                "a",
                unit_or_zero(head.rotation * figure.eyes),
                "Direction of the eyes before this modifier; unit.",
            );
            let (facing, limit, field) = match is_spine {
                true => (self.at.seen.facing(), own.spine_limit, "spine_limit"),
                false => (self.at.bone(figure.chest()).rotation * figure.chest, own.neck_limit, "neck_limit"),
            };
            let facing = self.sheet.given("facing", facing, "Axis of the cone that limits the direction; unit.");
            let limit = self.sheet.given(
                "limit",
                limit,
                format!("Largest angle from facing, in degrees ({}.{field}).", self.key),
            );
            let d = self.sheet.define("d", held(unit(target - place), facing, limit), "Direction to look in; unit.");
            let (of, count) = match is_spine {
                true => (
                    self.setting("spine", own.spine, "Share of the turn to d that the spine takes, 0 to 1", "spine")
                        .term(),
                    figure.spine.len(),
                ),
                false => {
                    let head = self.setting(
                        "head",
                        own.head,
                        "Share of the turn to d that neck and head take, 0 to 1",
                        "head",
                    );
                    let neck = self.setting(
                        "neck",
                        own.neck,
                        "Part that the neck takes of the share of neck and head, 0 to 1",
                        "neck",
                    );
                    (head * neck, figure.neck.len())
                }
            };
            let count = self.sheet.given("n", count as f32, "Number of bones that share the rotation.");
            let weight = self.weighed(own.weight);
            return Some(End::Turn(part(turn(a, d), of * weight / count)));
        }
        let place = self.sheet.given(
            "p",
            Point(self.at.now(bone).position),
            "Current position of the bone, in model units and the space of the animated pose.",
        );
        if own.aims != Aims::Eyes {
            self.sheet.define("r", length(target - place), "Distance from the bone to the target, in model units.");
            return Some(End::Turn(self.sheet.given("R", whole, meaning).term()));
        }
        let eyes = |head: RigidTransform| unit_or_zero(head.rotation * figure.eyes);
        let before =
            self.sheet.given("b", eyes(self.at.bone(bone)), "Direction of the eyes before this modifier; unit.");
        let now = self.sheet.given("a", eyes(from), "Direction of the eyes after the neck has turned; unit.");
        let facing = self.at.now(figure.chest()).rotation * figure.chest;
        let facing = self.sheet.given("facing", facing, "Direction that the chest faces; unit.");
        let limit = self.setting("limit", own.head_limit, "Largest angle from facing, in degrees", "head_limit");
        let d = held(unit(target - place), facing, limit);
        let d = self.sheet.define("d", d, "Direction to look in; unit.");
        let head = self.setting("head", own.head, "Share of the turn to d that neck and head take, 0 to 1", "head");
        let weight = self.weighed(own.weight);
        let wanted = part(turn(before, d), head * weight) * before;
        let wanted = self.sheet.define("e", wanted, "New direction of the eyes; unit.");
        Some(End::Turn(turn(now, wanted)))
    }

    pub(super) fn head(&mut self, own: &Head, drawn: &HeadGoal) -> Option<End> {
        match self.at.act.change {
            Change::Offset { effector, .. } => {
                let (from, to) = drawn.displacement()?;
                let h = self.sheet.given(
                    "h",
                    Point(from),
                    "Position of the head after spine and neck turned, in model units and the space of the animated pose.",
                );
                let meaning = "Goal of the head: from h toward its target by the position weight, in model units and the space of the animated pose.";
                let to = self.sheet.given("T′", Point(to), meaning);
                let way = self.sheet.define("Δ", to - h, "Displacement of the head, in model units.");
                let body = self.setting("body", own.body, "How much the body follows the head, 0 to 1", "body");
                Some(End::Offset(match effector {
                    Effector::LeftHand | Effector::RightHand => {
                        way * self.setting("hands", own.hands, "How much the hands follow the head, 0 to 1", "hands")
                    }
                    Effector::LeftThigh | Effector::RightThigh => {
                        let thighs =
                            self.setting("thighs", own.thighs, "How much the thighs follow the body, 0 to 1", "thighs");
                        way * (body * (thighs - 1.0))
                    }
                    _ => way * body,
                }))
            }
            Change::Bone { bone, from, to } => self.head_bone(own, drawn, (bone, from, to)),
            _ => None,
        }
    }

    /// Explains how the head effector rotates or moves a bone. Several parts of the effector turn the same bones: the
    /// recorded result tells which part made the act.
    fn head_bone(
        &mut self,
        own: &Head,
        drawn: &HeadGoal,
        (bone, from, to): (BoneIndex, RigidTransform, RigidTransform),
    ) -> Option<End> {
        let (seen, figure, master) = (self.at.seen, self.at.seen.figure, self.at.master.clamp(0.0, 1.0));
        let head = figure.head;
        let is_turn = |by: Quat| (by * from.rotation).dot(to.rotation).abs() > 1.0 - 1e-6;
        if from.position != to.position {
            return self.head_moves(own, drawn, bone);
        }
        if let Some(animated) = head.map(|head| self.at.bone(head).rotation) {
            let way = short(drawn.rotation() * animated.conjugate());
            let count = (figure.bend_bones().count() + 1) as f32;
            let of = own.bend * own.rotation_weight * master / count;
            if Some(bone) != head && of > 0.0 && is_turn(share(way, of)) {
                let way = self.sheet.given(
                    "R",
                    way,
                    "The shortest rotation from the head's rotation before this modifier to its target rotation, in degrees.",
                );
                let bend =
                    self.setting("bend", own.bend, "How much of R is spread over spine, neck and head, 0 to 1", "bend");
                let weight = own.rotation_weight;
                let weight = self.setting("w", weight, "Rotation weight of the head, 0 to 1", "rotation_weight");
                let master = self.master();
                let count =
                    self.sheet.given("n", count, "Number of bones that share the rotation, including the head.");
                return Some(End::Turn(part(way, bend * weight * master / count)));
            }
        }
        if let Some(direction) = own.chest_direction.filter(|_| figure.spine.contains(&bone)) {
            // Every bone of the spine turns by the same rotation, computed before the first of them turned.
            let count = figure.spine.len() as f32;
            let facing = seen.facing();
            let wanted = crate::math::held(unit_or_zero(direction), facing, FARTHEST_CHEST);
            let of = own.chest_weight * master / count;
            let turned = figure.spine.iter().position(|own| *own == bone).unwrap_or(0) as f32;
            let chest = unit_or_zero(self.at.now(figure.chest()).rotation * figure.chest);
            // Undoes the same rotation by each of the `turned` spine bones below this one.
            let back = share(to.rotation * from.rotation.conjugate(), -turned);
            let chest = back * chest;
            if is_turn(share(from_to_rotation(chest, wanted), of)) {
                let chest =
                    self.sheet.given("c", chest, "Direction of the chest before the spine turns toward d; unit.");
                let meaning = format!("Wanted direction of the chest, of any length ({}.chest_direction).", self.key);
                let direction = self.sheet.given("direction", direction, meaning);
                let facing = self.sheet.given("facing", facing, "Direction that the character faces; unit.");
                let limit =
                    self.sheet.given("limit", FARTHEST_CHEST, "Largest angle of the chest from facing, in degrees.");
                let wanted = self.sheet.define(
                    "d",
                    held(unit(direction), facing, limit),
                    "Wanted direction of the chest, limited to the largest angle from facing; unit.",
                );
                let weight =
                    self.setting("weight", own.chest_weight, "Weight of the chest's direction, 0 to 1", "chest_weight");
                let master = self.master();
                let count = self.sheet.given("n", count, "Number of bones of the spine.");
                return Some(End::Turn(part(turn(chest, wanted), weight * master / count)));
            }
        }
        if Some(bone) == head {
            let rotation = self.sheet.given("R", drawn.rotation(), "Target rotation of the head, as an angle.");
            let bone = self.sheet.given("bone", from.rotation, "Rotation of the head before this move, as an angle.");
            let weight = own.rotation_weight;
            let weight = self.setting("w", weight, "Rotation weight of the head, 0 to 1", "rotation_weight");
            let master = self.master();
            let taken = nlerp(bone, rotation, weight * master);
            return Some(End::Turn(taken * inverse(bone)));
        }
        let index = figure.bend_bones().position(|own| own == bone)?;
        let (start, goal) = drawn.displacement()?;
        let goal = start + (goal - start) * master;
        let head = self.at.now(head?).position;
        let HeadBone { weight, damper } = own.bone(index);
        if !is_turn(share(from_to_rotation(head - from.position, goal - from.position), weight * (1.0 - damper))) {
            return None;
        }
        let p = self.sheet.given(
            "p",
            Point(from.position),
            "Current position of the bone, in model units and the space of the animated pose.",
        );
        let head = self.sheet.given(
            "h",
            Point(head),
            "Current position of the head, in model units and the space of the animated pose.",
        );
        let goal = self.sheet.given(
            "T′",
            Point(goal),
            "Goal of the head: from its position after the turns before IK toward its target, by position weight and master weight; model units and the space of the animated pose.",
        );
        let weight = self.sheet.given("w", weight, "Weight with which the bone bends toward the target, 0 to 1.");
        let damper =
            self.sheet.given("damper", damper, "Fraction of the bone's rotation that damping removes, 0 to 1.");
        Some(End::Turn(part(turn(head - p, goal - p), weight * (1.0 - damper))))
    }

    fn head_moves(&mut self, own: &Head, drawn: &HeadGoal, bone: BoneIndex) -> Option<End> {
        let figure = self.at.seen.figure;
        let (start, goal) = drawn.displacement()?;
        let goal = start + (goal - start) * self.at.master.clamp(0.0, 1.0);
        let meaning = "Goal of the head: from its position after the turns before IK toward its target, by position weight and master weight; model units and the space of the animated pose.";
        let goal = self.sheet.given("T′", Point(goal), meaning);
        let head = self.at.now(figure.head?).position;
        if bone == figure.pelvis {
            let head = self.sheet.given(
                "h",
                Point(head),
                "Current position of the head, in model units and the space of the animated pose.",
            );
            let Change::Bone { from, to, .. } = self.at.act.change else { return None };
            let (by, left) = (to.position - from.position, goal.get().0 - head.get().0);
            let of = by.dot(left) / left.length_squared().max(f32::MIN_POSITIVE);
            let settle = self.setting(
                "settle",
                own.settle,
                "Share of the remaining distance that the pelvis removes, 0 to 1",
                "settle",
            );
            let legs = if own.settle > 0.0 { of / own.settle } else { 0.0 };
            let legs =
                self.sheet.given("legs", legs, "Fraction of the remaining distance that both legs can follow, 0 to 1.");
            return Some(End::Move((goal - head) * (legs * settle)));
        }
        // The distance before the first bone moved determines all moves; each bone carries those above it.
        let count = (figure.neck.len() + 1) as f32;
        let order = figure.neck.iter().position(|own| *own == bone).unwrap_or(figure.neck.len()) as f32;
        let Change::Bone { from, to, .. } = self.at.act.change else { return None };
        let head = head - (to.position - from.position) * order;
        let head = self.sheet.given(
            "h",
            Point(head),
            "Position of the head before the neck stretched, in model units and the space of the animated pose.",
        );
        let stretch =
            self.setting("stretch", own.stretch, "Largest stretch of the neck, as a fraction of the height", "stretch");
        let height = self.height();
        let count = self.sheet.given("n", count, "Number of bones that share the stretch.");
        Some(End::Move(shorten(goal - head, stretch * height) / count))
    }
}
