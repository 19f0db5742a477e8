//! Formulas of two-handed grip, reach for and keyed effectors.

use glam::{Quat, Vec3};

use super::{End, Lines};
use crate::modifiers::act::Change;
use crate::modifiers::grip::{Held, TwoHandedGrip};
use crate::modifiers::keyed::Keyed;
use crate::modifiers::reach_for::{ReachFor, Reaching};
use crate::notation::{
    Expression, Named, Point, across, clamp, envelope, inverse, length, max, mix, nlerp, size, sqrt, square, turn, unit,
};
use crate::rig::{BoneIndex, RigidTransform};

impl Lines<'_> {
    fn grip(&mut self, own: &TwoHandedGrip, held: &Held) -> Named<Vec3> {
        let meaning = match own.position {
            Some(_) => {
                "Position of the grip in the space of the leading hand, in model units (two_handed_grip.position)."
            }
            None => {
                "Position of the grip in the space of the leading hand, from both requested positions; model units."
            }
        };
        self.sheet.given("g", held.grip.position, meaning)
    }

    fn grip_rotation(&mut self, own: &TwoHandedGrip, held: &Held) -> Named<Quat> {
        let meaning = match own.rotation {
            Some(_) => {
                "Rotation of the other hand at the grip, in the space of the leading hand, as an angle \
                 (two_handed_grip.rotation)."
            }
            None => {
                "Rotation of the other hand at the grip, from both requested rotations, in the space of the leading \
                 hand; as an angle."
            }
        };
        self.sheet.given("r", held.grip.rotation, meaning)
    }

    fn keeps(&mut self, own: &TwoHandedGrip) -> Named<f32> {
        let what = "How much of the grip's rotation the other hand takes, 0 to 1";
        self.setting("w", own.rotation_weight, what, "rotation_weight")
    }

    pub(super) fn two_handed_grip(&mut self, own: &TwoHandedGrip, held: &Held) -> Option<End> {
        let rotation =
            self.sheet.given("R", held.lead.rotation, "Requested rotation of the leading hand, as an angle.");
        match self.at.act.change {
            Change::Offset { .. } => None,
            Change::Target { from, to, .. } => {
                let meaning =
                    "Requested position of the leading hand, in model units and the space of the animated pose.";
                let lead = self.sheet.given("L", Point(held.lead.position), meaning);
                let grip = self.grip(own, held);
                let goal = lead + rotation * grip;
                if to.distance(goal.get().0) <= 1e-5 * self.at.seen.figure.height {
                    return Some(End::Target(goal));
                }
                let goal = self.sheet.define(
                    "G",
                    goal,
                    "Position of the grip, in model units and the space of the animated pose.",
                );
                let had = self.sheet.given(
                    "own",
                    Point(from),
                    "The other hand's target before this modifier, or else its bone's position, in model units and the space of the animated pose.",
                );
                let weight = self.weight(own.weight);
                Some(End::Target(mix(had, goal, weight)))
            }
            Change::TargetRotation { from, .. } => {
                let grip = self.grip_rotation(own, held);
                let to = rotation * grip;
                Some(End::Rotation(match from {
                    Some(from) => {
                        let from = self.sheet.given(
                            "own",
                            from,
                            "Target rotation of the effector before this modifier, as an angle.",
                        );
                        let weight = self.weight(own.weight);
                        let keeps = self.keeps(own);
                        nlerp(from, to, weight * keeps)
                    }
                    None => to,
                }))
            }
            Change::Bone { bone, from, .. } => self.grip_bone(own, held, rotation, (bone, from)),
        }
    }

    fn grip_bone(
        &mut self,
        own: &TwoHandedGrip,
        held: &Held,
        rotation: Named<Quat>,
        (bone, from): (BoneIndex, RigidTransform),
    ) -> Option<End> {
        let figure = self.at.seen.figure;
        let [lead, other] = own.hands().map(|hand| self.at.bone(figure.bone_of(hand)));
        let arm = figure.limbs[own.arm().index()];
        let joint = arm.iter().position(|own| *own == bone)?;
        let written = self.sheet.given("R_w", lead.rotation, "Written rotation of the leading hand, as an angle.");
        let turns = self.setting("turns", own.turns, "How much the grip turns with the leading hand, 0 to 1", "turns");
        let turned = self.sheet.define(
            "R′",
            nlerp(rotation, written, turns),
            "Rotation that the grip follows: R turned toward R_w by the fraction turns; as an angle.",
        );
        let share = self.weighed(own.weight);
        if joint == 2 {
            let grip = self.grip_rotation(own, held);
            let hand = self.sheet.given("hand", other.rotation, "Written rotation of the other hand, as an angle.");
            let keeps = self.keeps(own);
            let bone = self.sheet.given("bone", from.rotation, "Rotation of the bone before this move, as an angle.");
            return Some(End::Turn(nlerp(hand, turned * grip, share * keeps) * inverse(bone)));
        }
        let meaning = "Written position of the leading hand, in model units and the space of the animated pose.";
        let lead = self.sheet.given("L_w", Point(lead.position), meaning);
        let grip = self.grip(own, held);
        let hand = self.sheet.given(
            "H",
            Point(other.position),
            "Written position of the other hand, in model units and the space of the animated pose.",
        );
        let meaning = "Goal of the other hand, between its written position and the grip, by the weights; in model \
                       units and the space of the animated pose.";
        let goal = self.sheet.define("H′", mix(hand, lead + turned * grip, share), meaning);
        let [shoulder, elbow, wrist] = arm.map(|bone| self.at.bone(bone).position);
        let lengths = [shoulder.distance(elbow), elbow.distance(wrist)];
        let root = self.sheet.given(
            "S",
            Point(shoulder),
            "Position of the other hand's shoulder, in model units and the space of the animated pose.",
        );
        let a = self.sheet.given("a", lengths[0], "The length of the upper arm, in model units.");
        let b = self.sheet.given("b", lengths[1], "The length of the forearm, in model units.");
        let way = self.sheet.define("v", goal - root, "Vector from the shoulder to H′, in model units.");
        let meaning = "Distance from the shoulder to H′, limited to the arm's reach; model units.";
        let reached = self.sheet.define("d", clamp(length(way), size(a - b), a + b), meaning);
        let meaning = "Distance that the arm cannot bridge, as it is too short or folds no further, in model units; 0 \
                       within reach.";
        self.sheet.define("off", size(length(way) - reached), meaning);
        if joint == 1 {
            let elbow = self.sheet.given(
                "E",
                Point(from.position),
                "Current position of the elbow, in model units and the space of the animated pose.",
            );
            let wrist = self.sheet.given(
                "h",
                Point(self.at.now(arm[2]).position),
                "Current position of the hand, in model units and the space of the animated pose.",
            );
            let meaning = "New position of the hand, in model units and the space of the animated pose.";
            let end = self.sheet.define("h′", root + unit(way) * reached, meaning);
            return Some(End::Turn(turn(wrist - elbow, end - elbow)));
        }
        let elbow = self.sheet.given(
            "E",
            Point(elbow),
            "Written position of the elbow, in model units and the space of the animated pose.",
        );
        let meaning = "Position of the elbow along v, by the law of cosines; model units.";
        let x = self.sheet.define("x", (square(a) + square(reached) - square(b)) / (2.0 * reached), meaning);
        let beside = sqrt(max(0.0.term(), (a - x) * (a + x)));
        let side = turn(hand - root, way) * (elbow - root);
        let meaning = "Unit vector orthogonal to v, toward the written elbow rotated with the arm.";
        let side = self.sheet.define("e", across(side, way), meaning);
        let bent = self.sheet.define(
            "E′",
            root + unit(way) * x + side * beside,
            "New position of the elbow, in model units and the space of the animated pose.",
        );
        Some(End::Turn(turn(elbow - root, bent - root)))
    }

    pub(super) fn reach_for(&mut self, own: &ReachFor, reaching: &Reaching) -> Option<End> {
        let age = reaching.age?;
        let point = own.point(age)?;
        let t = self.sheet.given("t", age, "Time in the reach, in seconds.");
        let [approach, hold, release] = own.times();
        let approach = self.setting(
            "approach",
            approach,
            "Time that the effector takes to reach the point, in seconds",
            "approach",
        );
        let hold = self.setting("hold", hold, "Time that the effector stays at the point, in seconds", "hold");
        let release = self.setting("release", release, "Time to return to the animation, in seconds", "release");
        let weight = self.weight(own.weight);
        let e = self.sheet.define("e", envelope(t, approach, hold, release), "Envelope of the reach, 0 to 1.");
        if let Change::TargetRotation { from, .. } = self.at.act.change {
            let w = own.rotation_weight;
            let w = self.setting("w", w, "Rotation weight while holding, 0 to 1", "rotation_weight");
            let meaning = format!("Rotation at the point, as an angle ({}.rotation).", self.key);
            let to = self.sheet.given("to", own.rotation?, meaning);
            return Some(End::Rotation(match from {
                Some(from) => {
                    let from = self.sheet.given(
                        "own",
                        from,
                        "Target rotation of the effector before this modifier, as an angle.",
                    );
                    nlerp(from, to, e * w * weight)
                }
                None => to.term(),
            }));
        }
        let Change::Target { from, to, .. } = self.at.act.change else { return None };
        let meaning = format!(
            "Current position of the point, in model units and the space of the animated pose ({}.position, {}.to).",
            self.key, self.key
        );
        let point = self.sheet.given("point", Point(point), meaning);
        if to == point.get().0 {
            return Some(End::Target(point.term()));
        }
        let own_place = self.sheet.given(
            "own",
            Point(from),
            "The effector's target before this modifier, or else its bone's position, in model units and the space of the animated pose.",
        );
        let w = self.setting("w", own.position_weight, "Position weight while holding, 0 to 1", "position_weight");
        Some(End::Target(mix(own_place, point, e * w * weight)))
    }

    pub(super) fn keyed(&mut self, own: &Keyed) -> Option<End> {
        let effector = self.at.act.change.effector()?;
        let track = own.tracks.iter().find(|track| track.effector == effector)?;
        let key = track.at(self.at.seen.time)?;
        self.sheet.given("t", self.at.seen.time, "Time in the clip, in seconds.");
        if let Change::TargetRotation { from, .. } = self.at.act.change {
            let root = if own.in_world { Quat::IDENTITY } else { self.at.seen.root.rotation };
            let root = self.sheet.given("R", root, "Rotation of the character, as an angle; 0° for keys in the world.");
            let turned = self.sheet.given("key", key.rotation, "Rotation of the keys at this time, as an angle.");
            let to = root * turned;
            return Some(End::Rotation(match from {
                Some(from) => {
                    let from = self.sheet.given(
                        "own",
                        from,
                        "Target rotation of the effector before this modifier, as an angle.",
                    );
                    let w = self.sheet.given("w", key.rotation_weight, "Rotation weight of the keys, 0 to 1.");
                    let weight = self.weight(own.weight);
                    nlerp(from, to, w * weight)
                }
                None => to,
            }));
        }
        let Change::Target { from, to, .. } = self.at.act.change else { return None };
        let key =
            self.sheet.given("key", key.position, "Position of the keys at this time, relative to root; model units.");
        let root = if own.in_world { RigidTransform::IDENTITY } else { self.at.seen.root };
        let place = self.sheet.given(
            "root",
            Point(root.position),
            "Position of the character, in model units; the world's origin for keys in the world.",
        );
        let rotation =
            self.sheet.given("R", root.rotation, "Rotation of the character, as an angle; 0° for keys in the world.");
        let place = self.sheet.define(
            "k",
            place + rotation * key,
            "Position of the keys, in model units and the space of the animated pose.",
        );
        if to == place.get().0 {
            return Some(End::Target(place.term()));
        }
        let had = self.sheet.given(
            "own",
            Point(from),
            "The effector's target before this modifier, or else its bone's position, in model units and the space of the animated pose.",
        );
        let meaning = "Position weight of the keys, 0 to 1.";
        let w = self.sheet.given("w", track.at(self.at.seen.time)?.position_weight, meaning);
        let weight = self.weight(own.weight);
        Some(End::Target(mix(had, place, w * weight)))
    }
}
