//! Formula of one act of a modifier, with the numbers of its frame.

use glam::{Quat, Vec3};

use super::act::{Act, Change, Seen};
use super::arm_bending::{ArmBending, FARTHEST, HandRotations, twist_about};
use super::breathing::{Breath, Breathing};
use super::four_bones::{Folds, FourBones};
use super::grip::{Held, TwoHandedGrip};
use super::head::{FARTHEST_CHEST, Head, HeadBone, HeadGoal, short};
use super::hit_reaction::{ACROSS, FULL, Hit, HitReaction, Hits};
use super::inertia::{Inertia, Springs, THROWN};
use super::keyed::Keyed;
use super::kinds::{Memory, Modifier};
use super::look_at::{Aims, LookAt};
use super::reach_for::{ReachFor, Reaching};
use super::recoil::{Recoil, Shots};
use crate::full_body::{Effector, Frame, State};
use crate::math::{from_to_rotation, share, unit_or_zero};
use crate::notation::{
    Degrees, Expression, Named, Point, Sheet, Term, about, across, clamp, cross, envelope, exp, held, impulse, inverse,
    length, max, mix, nlerp, part, shorten, size, sqrt, square, sum, turn, unit,
};
use crate::rig::{BoneIndex, LimbName, RigidTransform};

/// An act and its input.
pub struct At<'a> {
    /// The frame.
    pub seen: Seen<'a>,
    /// Pose before the modifier's step, model space.
    pub found: &'a [RigidTransform],
    /// Pose before the act, model space.
    pub before: &'a [RigidTransform],
    /// The act to explain.
    pub act: Act,
    /// The master weight.
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

/// Returns the formula of an act. An act that does not follow from the modifier's numbers alone gets its result only.
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

/// Adds the formula of the bend direction that arm bending sets.
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
        "The shortest rotation from that hand to this one, in the chest's space, as its angle.",
    );
    let chest =
        sheet.given("C", pointing.chest, "Rotation of the chest, from both shoulders and the body, as its angle.");
    let e = sheet.define("e", chest * (least * e), "Elbow direction from the hand's place alone; unit.");
    let turned = pointing.rotation_weight > 0.0;
    if !turned {
        return Some(e.term());
    }
    let along = sheet.given("h", pointing.along, "From shoulder to hand; unit.");
    let normal = sheet.given("n", pointing.normal, "Normal of the hand's plane at its target rotation; unit.");
    let sine = sheet.define(
        "s",
        along * cross(e, cross(normal, along)),
        "Sine of the angle from e to the direction of the hand's rotation, −1 to 1.",
    );
    let meaning = "Weight of the hand's rotation: arm_bending.hand times the effector's rotation weight.";
    let counts = sheet.given("hand", pointing.rotation_weight, meaning);
    Some(about(along, Degrees(FARTHEST) * (sine * counts)) * e)
}

/// Result of the last line.
enum End {
    Offset(Term<Vec3>),
    Target(Term<Point>),
    Rotation(Term<Quat>),
    /// Displacement of the bone.
    Move(Term<Vec3>),
    /// Rotation of the bone since before the act.
    Turn(Term<Quat>),
}

const OFFSET: &str = "Added to the effector's one-frame offset, in model units.";
const ROTATION: &str = "Target rotation of the effector, as its angle.";
const TARGET: &str = "Target of the effector; model space.";

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
                let meaning = "The effector's target before, or its own bone; model space.";
                let own = self.sheet.given("own", Point(from), meaning);
                self.sheet.end_with(title, "target", own + by, TARGET)
            }
            (Change::Target { .. }, Some(End::Target(to))) => self.sheet.end_with(title, "target", to, TARGET),
            (Change::TargetRotation { .. }, Some(End::Rotation(to))) => {
                self.sheet.end_turned_with(title, "rotation", to, ROTATION)
            }
            (Change::Bone { from, .. }, Some(End::Move(by))) => {
                let place = self.sheet.given("p", Point(from.position), "Place of the bone before; model space.");
                let bone = self.sheet.given("bone", from.rotation, "Rotation of the bone, which stays, as its angle.");
                self.sheet.end_placed(title, ("p", place + by), ("bone", bone.term()))
            }
            (Change::Bone { from, .. }, Some(End::Turn(by))) => {
                let meaning = "Rotation of the bone before, as its angle.";
                let bone = self.sheet.given("bone", from.rotation, meaning);
                self.sheet.end_turned(title, "bone", by * bone)
            }
            (Change::Offset { by, .. }, _) => {
                let by = self.sheet.given("offset", by, "Added offset, in model units.");
                self.sheet.end_with(title, "o", by, OFFSET)
            }
            (Change::Target { to, .. }, _) => {
                let to = self.sheet.given("to", Point(to), "New target of the effector; model space.");
                self.sheet.end_with(title, "target", to, TARGET)
            }
            (Change::TargetRotation { to, .. }, _) => {
                let to = self.sheet.given("to", to, "Target rotation of the effector, as its angle.");
                self.sheet.end_turned_with(title, "rotation", to, ROTATION)
            }
            (Change::Bone { from, to, .. }, _) => {
                let place = self.sheet.given("p", Point(from.position), "Place of the bone before; model space.");
                let by =
                    self.sheet.given("move", to.position - from.position, "Displacement of the bone, in model units.");
                let rotation = self.sheet.given(
                    "by",
                    to.rotation * from.rotation.conjugate(),
                    "Rotation since before, as its angle.",
                );
                let bone = self.sheet.given("bone", from.rotation, "Rotation of the bone before, as its angle.");
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

    /// The weight times the master weight.
    fn weighed(&mut self, value: f32) -> Term<f32> {
        let weight = self.weight(value);
        let master = self.master();
        weight * master
    }

    fn height(&mut self) -> Named<f32> {
        self.sheet.given(
            "height",
            self.at.seen.figure.height,
            "Height of the character from foot to head, in model units.",
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
        self.sheet.given("side", across, "Facing × up: to the character's right; unit.")
    }

    fn times(&mut self, attack: f32, release: f32) -> [Named<f32>; 2] {
        let attack = self.setting("attack", attack, "Time from the start to the peak, in seconds", "attack");
        [attack, self.setting("release", release, "Time from the peak back, in seconds", "release")]
    }

    fn recoil(&mut self, own: &Recoil, shots: &Shots) -> Option<End> {
        let [attack, release] = self.times(own.attack, own.release);
        let meaning = "Seconds since each shot in progress.";
        let ages = self.sheet.each("t", shots.ages.iter().map(|(age, ())| age), meaning);
        let weight = self.weight(own.weight);
        let all = sum(ages.into_iter().map(|age| impulse(age, attack, release)));
        let felt = self.sheet.define("c", weight * all, "Sum of all shots' impulses.");
        let rise = self.degrees("rise", own.rise, "Rotation of the weapon by a shot, in degrees", "rise");
        let across = self.across();
        let (_, turned) = own.throw(&self.at.seen, felt.get());
        if let Change::Bone { .. } = self.at.act.change {
            let master = self.master();
            return Some(End::Turn(about(across, rise * felt * master)));
        }
        if let Change::TargetRotation { to, .. } = self.at.act.change {
            let animated = self.sheet.given("animated", to, "The hand's rotation as animated, as its angle.");
            self.sheet.define(
                "w",
                clamp(felt * 5.0, 0.0.term(), 1.0.term()),
                "How much the rotation is held; its smooth step is the weight.",
            );
            return Some(End::Rotation(animated.term()));
        }
        let rise = if turned == Quat::IDENTITY { None } else { Some(about(across, rise * felt)) };
        let effector = self.at.act.change.effector()?;
        let (facing, kick) = (
            self.facing(),
            self.setting("kick", own.kick, "Displacement by a shot, as a fraction of the height", "kick"),
        );
        let height = self.height();
        let kick =
            self.sheet.define("k", -facing * (kick * height) * felt, "Displacement of the weapon, in model units.");
        let [hand, other] = own.hands();
        Some(End::Offset(match effector {
            Effector::Body => kick * self.setting("body", own.body, "The body's share", "body"),
            Effector::LeftShoulder | Effector::RightShoulder => {
                kick * self.setting("shoulders", own.shoulders, "The shoulders' share", "shoulders")
            }
            effector if effector == other => {
                let apart = self.at.place(other) - self.at.place(hand);
                let apart = self.sheet.given("a", apart, "From the hand that fires to the other, in model units.");
                match rise {
                    Some(rise) => {
                        let rise = self.sheet.define("R", rise, "Rotation of the weapon, in degrees.");
                        kick + (rise * apart - apart)
                    }
                    None => kick.term(),
                }
            }
            _ => kick.term(),
        }))
    }

    /// Adds the grip in the space of the leading hand.
    fn grip(&mut self, own: &TwoHandedGrip, held: &Held) -> Named<Vec3> {
        let meaning = match own.position {
            Some(_) => "The grip, in the space of the leading hand; model units (two_handed_grip.position).",
            None => "The grip, from both hands' requested places, in the space of the leading hand; model units.",
        };
        self.sheet.given("g", held.grip.position, meaning)
    }

    /// Adds the other hand's rotation at the grip, in the space of the leading hand.
    fn grip_rotation(&mut self, own: &TwoHandedGrip, held: &Held) -> Named<Quat> {
        let meaning = match own.rotation {
            Some(_) => "Rotation of the other hand at the grip, in that space (two_handed_grip.rotation).",
            None => "Rotation of the other hand at the grip, from both requested rotations, in that space.",
        };
        self.sheet.given("r", held.grip.rotation, meaning)
    }

    /// Adds the rotation weight of the grip.
    fn keeps(&mut self, own: &TwoHandedGrip) -> Named<f32> {
        let what = "How much of the grip's rotation the other hand takes, 0 to 1";
        self.setting("w", own.rotation_weight, what, "rotation_weight")
    }

    fn two_handed_grip(&mut self, own: &TwoHandedGrip, held: &Held) -> Option<End> {
        let rotation =
            self.sheet.given("R", held.lead.rotation, "Requested rotation of the leading hand, as its angle.");
        match self.at.act.change {
            Change::Offset { .. } => None,
            Change::Target { from, to, .. } => {
                let meaning = "Requested place of the leading hand; model space.";
                let lead = self.sheet.given("L", Point(held.lead.position), meaning);
                let grip = self.grip(own, held);
                let goal = lead + rotation * grip;
                if to.distance(goal.get().0) <= 1e-5 * self.at.seen.figure.height {
                    return Some(End::Target(goal));
                }
                let goal = self.sheet.define("G", goal, "Place of the grip; model space.");
                let had = self.sheet.given("own", Point(from), "The other hand's target before; model space.");
                let weight = self.weight(own.weight);
                Some(End::Target(mix(had, goal, weight)))
            }
            Change::TargetRotation { from, .. } => {
                let grip = self.grip_rotation(own, held);
                let to = rotation * grip;
                Some(End::Rotation(match from {
                    Some(from) => {
                        let from =
                            self.sheet.given("own", from, "The effector's target rotation before, as its angle.");
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

    /// Bends the arm of the gripping hand: the formula of the upper arm's, the forearm's or the hand's rotation.
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
        let written = self.sheet.given("R_w", lead.rotation, "Written rotation of the leading hand, as its angle.");
        let turns = self.setting("turns", own.turns, "How much the grip turns with the leading hand, 0 to 1", "turns");
        let turned = self.sheet.define("R′", nlerp(rotation, written, turns), "Rotation of the grip, as its angle.");
        let share = self.weighed(own.weight);
        if joint == 2 {
            let grip = self.grip_rotation(own, held);
            let hand = self.sheet.given("hand", other.rotation, "Written rotation of the other hand, as its angle.");
            let keeps = self.keeps(own);
            let bone = self.sheet.given("bone", from.rotation, "Rotation of the bone before, as its angle.");
            return Some(End::Turn(nlerp(hand, turned * grip, share * keeps) * inverse(bone)));
        }
        let meaning = "Written place of the leading hand; model space.";
        let lead = self.sheet.given("L_w", Point(lead.position), meaning);
        let grip = self.grip(own, held);
        let hand = self.sheet.given("H", Point(other.position), "Written place of the other hand; model space.");
        let meaning = "Place of the other hand between there and the grip, by the weights; model space.";
        let goal = self.sheet.define("H′", mix(hand, lead + turned * grip, share), meaning);
        let [shoulder, elbow, wrist] = arm.map(|bone| self.at.bone(bone).position);
        let lengths = [shoulder.distance(elbow), elbow.distance(wrist)];
        let root = self.sheet.given("S", Point(shoulder), "Shoulder of the gripping hand; model space.");
        let a = self.sheet.given("a", lengths[0], "The length of the upper arm, in model units.");
        let b = self.sheet.given("b", lengths[1], "The length of the forearm, in model units.");
        let way = self.sheet.define("v", goal - root, "From the shoulder to H′, in model units.");
        let meaning = "Distance that the arm reaches, between fully folded and its length; model units.";
        let reached = self.sheet.define("d", clamp(length(way), size(a - b), a + b), meaning);
        let meaning = "Distance that the arm cannot bridge, as it is too short or folds no further; 0 within reach.";
        self.sheet.define("off", size(length(way) - reached), meaning);
        if joint == 1 {
            let elbow = self.sheet.given("E", Point(from.position), "Current place of the elbow; model space.");
            let wrist =
                self.sheet.given("h", Point(self.at.now(arm[2]).position), "Current place of the hand; model space.");
            let meaning = "New place of the hand; model space.";
            let end = self.sheet.define("h′", root + unit(way) * reached, meaning);
            return Some(End::Turn(turn(wrist - elbow, end - elbow)));
        }
        let elbow = self.sheet.given("E", Point(elbow), "Written place of the elbow; model space.");
        let meaning = "Place of the elbow along v, by the law of cosines; model units.";
        let x = self.sheet.define("x", (square(a) + square(reached) - square(b)) / (2.0 * reached), meaning);
        let beside = sqrt(max(0.0.term(), (a - x) * (a + x)));
        let side = turn(hand - root, way) * (elbow - root);
        let meaning = "Side of the elbow: as written, rotated with the arm; unit.";
        let side = self.sheet.define("e", across(side, way), meaning);
        let bent =
            self.sheet.define("E′", root + unit(way) * x + side * beside, "New place of the elbow; model space.");
        Some(End::Turn(turn(elbow - root, bent - root)))
    }

    /// Returns the offset by all blows at each place. `places` has each place with the symbols of its distances and its
    /// offset.
    fn thrown(&mut self, own: &HitReaction, hits: &Hits, places: &[(Vec3, [&'static str; 2])]) -> Vec<Term<Vec3>> {
        let [attack, release] = self.times(own.attack, own.release);
        let weight = self.weight(own.weight);
        let radius = self.setting(
            "radius",
            own.radius,
            "Distance over which a blow fades, as a fraction of the height",
            "radius",
        );
        let height = self.height();
        let seen = self.at.seen;
        let all = hits.iter().map(|(age, hit)| {
            let point = seen.root.transform_point(hit.point);
            (age, hit.force, seen.root.rotation * hit.direction, point)
        });
        let all: Vec<_> = all.collect();
        let each = |sheet: &mut Sheet, name, meaning: &str, of: fn(&(f32, f32, Vec3, Vec3)) -> f32| {
            sheet.each(name, all.iter().map(of), meaning)
        };
        let ages = each(&mut self.sheet, "t", "Seconds since each blow.", |hit| hit.0);
        let forces = each(&mut self.sheet, "f", "Force of each blow, as a fraction of the height.", |hit| hit.1);
        let directions = self.sheet.each("d", all.iter().map(|hit| hit.2), "Direction of each blow; unit.");
        let at = |&(place, [distance, name]): &(Vec3, [&'static str; 2])| {
            let meaning = "Distance from each blow to the effector's bone, in model units.";
            let away = self.sheet.each(distance, all.iter().map(|hit| place.distance(hit.3)), meaning);
            let one = |index: usize| {
                let near = exp(-square(away[index] / (radius * height)));
                directions[index] * (weight * forces[index] * height * impulse(ages[index], attack, release) * near)
            };
            let total = sum((0..all.len()).map(one));
            self.sheet.define(name, total, "Displacement by the blows, in model units.").term()
        };
        places.iter().map(at).collect()
    }

    fn hit_reaction(&mut self, own: &HitReaction, hits: &Hits) -> Option<End> {
        if let Change::Bone { bone, .. } = self.at.act.change {
            return Some(self.bent_by_blows(own, hits, bone));
        }
        let effector = self.at.act.change.effector()?;
        let shoulder = match effector {
            Effector::LeftHand => Effector::LeftShoulder,
            Effector::RightHand => Effector::RightShoulder,
            effector => effector,
        };
        // Blows act at the places before the spine turned.
        let is_thigh = matches!(effector, Effector::LeftThigh | Effector::RightThigh);
        let own_place = (self.at.place(shoulder), ["r", "o₁"]);
        let body = is_thigh.then(|| (self.at.place(Effector::Body), ["r₀", "o_body"]));
        let all: Vec<_> = [Some(own_place), body].into_iter().flatten().collect();
        let mut thrown = self.thrown(own, hits, &all).into_iter();
        let (thrown, body) = (thrown.next()?, thrown.next());
        Some(End::Offset(match effector {
            // The thighs already follow the body.
            _ if is_thigh => thrown - body?,
            Effector::LeftHand | Effector::RightHand => {
                thrown * self.setting("hands", own.hands, "How much a hand follows its shoulder, 0 to 1", "hands")
            }
            _ => thrown,
        }))
    }

    /// The rotation by blows of a bone of the spine, the neck or the head.
    fn bent_by_blows(&mut self, own: &HitReaction, hits: &Hits, bone: BoneIndex) -> End {
        let (seen, figure) = (self.at.seen, self.at.seen.figure);
        let is_spine = figure.spine.contains(&bone);
        let [attack, release] = self.times(own.attack, own.release);
        let weight = self.weighed(own.weight);
        let up = self.up();
        let all: Vec<(f32, Hit)> = hits.iter().collect();
        let ages = self.sheet.each("t", all.iter().map(|(age, _)| *age), "Seconds since each blow.");
        let meaning = "Force of each blow, as a fraction of the height.";
        let forces = self.sheet.each("f", all.iter().map(|(_, hit)| hit.force), meaning);
        let directions = all.iter().map(|(_, hit)| seen.root.rotation * hit.direction);
        let directions = self.sheet.each("d", directions, "Direction of each blow; unit.");
        let full = self.sheet.given("full", FULL, "Force of a full blow, as a fraction of the height.");
        let lag = if is_spine { 0.0 } else { own.lag };
        let lag = self.setting("lag", lag, "Delay of the head, in seconds; 0 for the spine", "lag");
        let lever = |index: usize| {
            let size = clamp(forces[index] / full, (-1.0).term(), 1.0.term());
            directions[index] * (size * weight.clone() * impulse(ages[index] - lag, attack, release))
        };
        let (bend, field) = if is_spine { (own.spine, "spine") } else { (own.head, "head") };
        let bend = self.setting("bend", bend, "Bend by a full blow, in degrees", field);
        let bent = sum((0..all.len()).map(|index| cross(up, lever(index)) * bend));
        let mut turn = self.sheet.define("b", bent, "Total bend: axis times degrees.").term();
        if is_spine {
            let chest = self.at.bone(figure.chest()).position;
            let arms = all.iter().map(|(_, hit)| seen.root.transform_point(hit.point) - chest);
            let arms = self.sheet.each("a", arms, "From the chest to the point of each blow, in model units.");
            let twist = self.setting("wring", own.twist, "Twist by a full blow to the side, in degrees", "twist");
            let across = self.sheet.given(
                "beside",
                ACROSS,
                "Distance to the side of a full twist, as a fraction of the height.",
            );
            let height = self.height();
            let one = |index: usize| {
                let beside = cross(arms[index], lever(index)) * up / (across * height);
                clamp(beside, (-1.0).term(), 1.0.term())
            };
            let twisted = up * (twist * sum((0..all.len()).map(one)));
            turn = turn + self.sheet.define("w", twisted, "Total twist: axis times degrees.");
        }
        let turn = self.sheet.define("v", turn, "Bend and twist together.");
        let count = if is_spine { figure.spine.len() } else { figure.neck.len() + 1 };
        let count = self.sheet.given("n", count as f32, "Number of bones that share the rotation.");
        End::Turn(about(unit(turn), Degrees(1.0) * (length(turn) / count)))
    }

    fn inertia(&mut self, own: &Inertia, springs: &Springs) -> Option<End> {
        let effector = self.at.act.change.effector()?;
        let index = THROWN.iter().position(|own| *own == effector)?;
        let [x, to] = springs.places(index)?.map(|place| self.at.seen.root.transform_point(place));
        let x = self.sheet.given("x", Point(x), "Place of the mass on its spring; model space.");
        let to = self.sheet.given("T", Point(to), "Animated place of the effector; model space.");
        let weight = self.weight(own.weight);
        let share = self.sheet.given("share", own.share(effector), "Share of the effector, 0 to 1.");
        let most =
            self.setting("farthest", own.farthest, "Largest displacement, as a fraction of the height", "farthest");
        let height = self.height();
        Some(End::Offset(shorten((x - to) * (weight * share), most * height)))
    }

    fn breathing(&mut self, own: &Breathing, breath: &Breath) -> Option<End> {
        let [drawn, aside, ahead] = Breathing::drawn(breath);
        let drawn = self.sheet.given("b", drawn, "Depth of the breath, 0 to 1: ½ (1 − cos(2π · rate · t)).");
        let weight = match self.at.act.change {
            Change::Bone { .. } => self.weighed(own.weight),
            _ => self.weight(own.weight).term(),
        };
        let depth = self.setting("depth", own.depth, "Rise of the shoulders, as a fraction of the height", "depth");
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
                let ahead = self.sheet.given("s′", ahead, "Sway forward, −1 to 1.");
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

    fn look_at(&mut self, own: &LookAt) -> Option<End> {
        let Change::Bone { bone, from, to } = self.at.act.change else { return None };
        let figure = self.at.seen.figure;
        let meaning = "Rotation of the bone by this act, in degrees.";
        let whole = to.rotation * from.rotation.conjugate();
        let target = self.sheet.given("target", Point(own.target?), "Target of the look; model space.");
        if own.aims == Aims::Eyes && Some(bone) != figure.head {
            let is_spine = figure.spine.contains(&bone);
            let head = self.at.bone(figure.head?);
            let place = self.sheet.given("eyes", Point(head.position), "Place of the head; model space.");
            let a = self.sheet.given("a", unit_or_zero(head.rotation * figure.eyes), "Direction of the eyes; unit.");
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
                true => {
                    (self.setting("spine", own.spine, "Share of the spine, 0 to 1", "spine").term(), figure.spine.len())
                }
                false => {
                    let head = self.setting("head", own.head, "Share of neck and head, 0 to 1", "head");
                    let neck = self.setting("neck", own.neck, "Share of the neck in that, 0 to 1", "neck");
                    (head * neck, figure.neck.len())
                }
            };
            let count = self.sheet.given("n", count as f32, "Number of bones that share the rotation.");
            let weight = self.weighed(own.weight);
            return Some(End::Turn(part(turn(a, d), of * weight / count)));
        }
        let place = self.sheet.given("p", Point(self.at.now(bone).position), "Place of the bone; model space.");
        if own.aims != Aims::Eyes {
            self.sheet.define("r", length(target - place), "Distance to the target, in model units.");
            return Some(End::Turn(self.sheet.given("R", whole, meaning).term()));
        }
        let eyes = |head: RigidTransform| unit_or_zero(head.rotation * figure.eyes);
        let before = self.sheet.given("b", eyes(self.at.bone(bone)), "Direction of the eyes before; unit.");
        let now = self.sheet.given("a", eyes(from), "Direction of the eyes after the neck has turned; unit.");
        let facing = self.at.now(figure.chest()).rotation * figure.chest;
        let facing = self.sheet.given("facing", facing, "Direction that the chest faces; unit.");
        let limit = self.setting("limit", own.head_limit, "Largest angle from facing, in degrees", "head_limit");
        let d = held(unit(target - place), facing, limit);
        let d = self.sheet.define("d", d, "Direction to look in; unit.");
        let head = self.setting("head", own.head, "Share of neck and head, 0 to 1", "head");
        let weight = self.weighed(own.weight);
        let wanted = part(turn(before, d), head * weight) * before;
        let wanted = self.sheet.define("e", wanted, "New direction of the eyes; unit.");
        Some(End::Turn(turn(now, wanted)))
    }

    fn reach_for(&mut self, own: &ReachFor, reaching: &Reaching) -> Option<End> {
        let age = reaching.age?;
        let point = own.point(age)?;
        let t = self.sheet.given("t", age, "Seconds since the start.");
        let [approach, hold, release] = own.times();
        let approach = self.setting("approach", approach, "Time from the start to the point, in seconds", "approach");
        let hold = self.setting("hold", hold, "Time of holding, in seconds", "hold");
        let release = self.setting("release", release, "Time from letting go to the animation, in seconds", "release");
        let weight = self.weight(own.weight);
        let e = self.sheet.define("e", envelope(t, approach, hold, release), "Envelope of the reach, 0 to 1.");
        if let Change::TargetRotation { from, .. } = self.at.act.change {
            let w = own.rotation_weight;
            let w = self.setting("w", w, "Rotation weight while holding, 0 to 1", "rotation_weight");
            let meaning = format!("Rotation at the point, as its angle ({}.rotation).", self.key);
            let to = self.sheet.given("to", own.rotation?, meaning);
            return Some(End::Rotation(match from {
                Some(from) => {
                    let from = self.sheet.given("own", from, "The effector's target rotation before, as its angle.");
                    nlerp(from, to, e * w * weight)
                }
                None => to.term(),
            }));
        }
        let Change::Target { from, to, .. } = self.at.act.change else { return None };
        let meaning = format!("Current place of the point; model space ({}.position, {}.to).", self.key, self.key);
        let point = self.sheet.given("point", Point(point), meaning);
        if to == point.get().0 {
            return Some(End::Target(point.term()));
        }
        let own_place = self.sheet.given("own", Point(from), "The effector's target before; model space.");
        let w = self.setting("w", own.position_weight, "Position weight while holding, 0 to 1", "position_weight");
        Some(End::Target(mix(own_place, point, e * w * weight)))
    }

    fn keyed(&mut self, own: &Keyed) -> Option<End> {
        let effector = self.at.act.change.effector()?;
        let track = own.tracks.iter().find(|track| track.effector == effector)?;
        let key = track.at(self.at.seen.time)?;
        self.sheet.given("t", self.at.seen.time, "Time in the clip, in seconds.");
        if let Change::TargetRotation { from, .. } = self.at.act.change {
            let root = if own.in_world { Quat::IDENTITY } else { self.at.seen.root.rotation };
            let root = self.sheet.given("R", root, "Rotation of the character, or of the world, as its angle.");
            let turned = self.sheet.given("key", key.rotation, "Rotation of the keys at this time, as its angle.");
            let to = root * turned;
            return Some(End::Rotation(match from {
                Some(from) => {
                    let from = self.sheet.given("own", from, "The effector's target rotation before, as its angle.");
                    let w = self.sheet.given("w", key.rotation_weight, "Rotation weight of the keys, 0 to 1.");
                    let weight = self.weight(own.weight);
                    nlerp(from, to, w * weight)
                }
                None => to,
            }));
        }
        let Change::Target { from, to, .. } = self.at.act.change else { return None };
        let key = self.sheet.given("key", key.position, "Place of the keys at this time.");
        let root = if own.in_world { RigidTransform::IDENTITY } else { self.at.seen.root };
        let place = self.sheet.given("root", Point(root.position), "Place of the character, or the world's origin.");
        let rotation = self.sheet.given("R", root.rotation, "Rotation of the character, as its angle.");
        let place = self.sheet.define("k", place + rotation * key, "Place of the keys in the space of the poses.");
        if to == place.get().0 {
            return Some(End::Target(place.term()));
        }
        let had = self.sheet.given("own", Point(from), "The effector's target before; model space.");
        let meaning = "Position weight of the keys, 0 to 1.";
        let w = self.sheet.given("w", track.at(self.at.seen.time)?.position_weight, meaning);
        let weight = self.weight(own.weight);
        Some(End::Target(mix(had, place, w * weight)))
    }

    fn head(&mut self, own: &Head, drawn: &HeadGoal) -> Option<End> {
        match self.at.act.change {
            Change::Offset { effector, .. } => {
                let (from, to) = drawn.displacement()?;
                let h =
                    self.sheet.given("h", Point(from), "Place of the head after spine and neck turned; model space.");
                let meaning = "Target of the head, by its weight; model space.";
                let to = self.sheet.given("T′", Point(to), meaning);
                let way = self.sheet.define("Δ", to - h, "Displacement of the head, in model units.");
                let body = self.setting("body", own.body, "Share of the body, 0 to 1", "body");
                Some(End::Offset(match effector {
                    Effector::LeftHand | Effector::RightHand => {
                        way * self.setting("hands", own.hands, "Share of the hands, 0 to 1", "hands")
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

    /// The rotation or move of a bone by the head effector. The result shows which of its acts it is.
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
                    "The shortest rotation from the head to its target rotation, in degrees.",
                );
                let bend = self.setting("bend", own.bend, "Share of spine and neck, 0 to 1", "bend");
                let weight = own.rotation_weight;
                let weight = self.setting("w", weight, "Rotation weight of the head, 0 to 1", "rotation_weight");
                let master = self.master();
                let count =
                    self.sheet.given("n", count, "Number of bones that share the rotation, including the head.");
                return Some(End::Turn(part(way, bend * weight * master / count)));
            }
        }
        if let Some(direction) = own.chest_direction.filter(|_| figure.spine.contains(&bone)) {
            // Every bone of the spine turns by the rotation computed at its first bone.
            let count = figure.spine.len() as f32;
            let facing = seen.facing();
            let wanted = crate::math::held(unit_or_zero(direction), facing, FARTHEST_CHEST);
            let of = own.chest_weight * master / count;
            let turned = figure.spine.iter().position(|own| *own == bone).unwrap_or(0) as f32;
            let chest = unit_or_zero(self.at.now(figure.chest()).rotation * figure.chest);
            // Earlier bones of the spine have already turned by this many shares.
            let back = share(to.rotation * from.rotation.conjugate(), -turned);
            let chest = back * chest;
            if is_turn(share(from_to_rotation(chest, wanted), of)) {
                let chest = self.sheet.given("c", chest, "Direction of the chest before; unit.");
                let meaning = format!("Wanted direction of the chest, of any length ({}.chest_direction).", self.key);
                let direction = self.sheet.given("direction", direction, meaning);
                let facing = self.sheet.given("facing", facing, "Direction that the character faces; unit.");
                let limit =
                    self.sheet.given("limit", FARTHEST_CHEST, "Largest angle of a spine from facing, in degrees.");
                let wanted =
                    self.sheet.define("d", held(unit(direction), facing, limit), "New direction of the chest; unit.");
                let weight =
                    self.setting("weight", own.chest_weight, "Weight of the chest's direction, 0 to 1", "chest_weight");
                let master = self.master();
                let count = self.sheet.given("n", count, "Number of bones of the spine.");
                return Some(End::Turn(part(turn(chest, wanted), weight * master / count)));
            }
        }
        if Some(bone) == head {
            let rotation = self.sheet.given("R", drawn.rotation(), "Target rotation, as its angle.");
            let bone = self.sheet.given("bone", from.rotation, "Rotation of the head before, as its angle.");
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
        let p = self.sheet.given("p", Point(from.position), "Place of the bone; model space.");
        let head = self.sheet.given("h", Point(head), "Current place of the head; model space.");
        let goal = self.sheet.given("T′", Point(goal), "Target of the head, by its weight; model space.");
        let weight = self.sheet.given("w", weight, "The bone's weight, 0 to 1.");
        let damper = self.sheet.given("damper", damper, "Damping of the bone's rotation, 0 to 1.");
        Some(End::Turn(part(turn(head - p, goal - p), weight * (1.0 - damper))))
    }

    /// The stretch of the neck, and the move of the pelvis.
    fn head_moves(&mut self, own: &Head, drawn: &HeadGoal, bone: BoneIndex) -> Option<End> {
        let figure = self.at.seen.figure;
        let (start, goal) = drawn.displacement()?;
        let goal = start + (goal - start) * self.at.master.clamp(0.0, 1.0);
        let meaning = "Target of the head, by its weight; model space.";
        let goal = self.sheet.given("T′", Point(goal), meaning);
        let head = self.at.now(figure.head?).position;
        if bone == figure.pelvis {
            let head = self.sheet.given("h", Point(head), "Current place of the head; model space.");
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
            let legs = self.sheet.given("legs", legs, "Fraction of the distance that both legs reach, 0 to 1.");
            return Some(End::Move((goal - head) * (legs * settle)));
        }
        // The distance before the first bone moved determines all moves; each bone carries those above it.
        let count = (figure.neck.len() + 1) as f32;
        let order = figure.neck.iter().position(|own| *own == bone).unwrap_or(figure.neck.len()) as f32;
        let Change::Bone { from, to, .. } = self.at.act.change else { return None };
        let head = head - (to.position - from.position) * order;
        let head = self.sheet.given("h", Point(head), "Place of the head before the neck stretched; model space.");
        let stretch =
            self.setting("stretch", own.stretch, "Largest stretch of the neck, as a fraction of the height", "stretch");
        let height = self.height();
        let count = self.sheet.given("n", count, "Number of bones that share the rotation.");
        Some(End::Move(shorten(goal - head, stretch * height) / count))
    }

    fn four_bones(&mut self, own: &FourBones, folds: &Folds) -> Option<End> {
        let Change::Bone { bone, from, .. } = self.at.act.change else { return None };
        let figure = self.at.seen.figure;
        let limb = LimbName::ALL.into_iter().find(|limb| figure.inner[limb.index()] == Some(bone))?;
        let bones = figure.limbs[limb.index()];
        let share = own.share(limb);
        let (fold, distance) = FourBones::fold(folds, limb, bone, &bones, |bone| self.at.now(bone).position)?;
        let [_, second, third] = bones.map(|bone| self.at.now(bone).position);
        let axis = unit_or_zero((second - from.position).cross(third - from.position));
        self.sheet.given("D", distance, "Solved distance between the ends of the limb, in model units.");
        self.sheet.given(
            "κ₀",
            Degrees(fold.knee.to_degrees()),
            "Angle at the limb's second bone in the animated pose, in degrees.",
        );
        let theta = Degrees(fold.inner.to_degrees());
        let theta = self.sheet.given("θ₀", theta, "Angle at the inner joint in the animated pose, in degrees.");
        let opens = fold.solve(share, distance);
        let x = self.sheet.given(
            "x",
            Degrees(opens.to_degrees()),
            "Opening of both angles at which the ends have distance D, in degrees; below 0 they close.",
        );
        let field = if limb.is_arm() { "arms" } else { "legs" };
        let share = self.setting("share", share, "Share of the inner joint, 0 to 1", field);
        let inner = self.sheet.define("θ", theta + x * share, "New angle at the inner joint, in degrees.");
        let axis = self.sheet.given("axis", axis, "Orthogonal to the bones at the inner joint; unit.");
        Some(End::Turn(about(axis, inner - theta)))
    }

    fn arm_bending(&mut self, related: &HandRotations) -> Option<End> {
        let Change::Bone { bone, from, to } = self.at.act.change else { return None };
        let figure = self.at.seen.figure;
        let index = [0, 1].into_iter().find(|&arm| {
            figure.limbs[arm][1] == bone || figure.twist_bones[arm].iter().any(|twist| twist.bone == bone)
        })?;
        let [_, forearm, hand] = figure.limbs[index].map(|bone| self.at.bone(bone));
        let along = unit_or_zero(hand.position - forearm.position);
        let back = (forearm.rotation * related.hand(index)).conjugate();
        let axis = self.sheet.given("axis", along, "From elbow to wrist; unit.");
        let hand = self.sheet.given("hand", hand.rotation, "Written rotation of the hand, as its angle.");
        let related =
            self.sheet.given("own", back.conjugate(), "Rotation of the hand if it followed the forearm, as its angle.");
        let rotation = self.sheet.define(
            "R",
            hand * inverse(related),
            "Rotation of the hand relative to the forearm, as its angle.",
        );
        let twist = twist_about(rotation.get(), along).to_degrees();
        let twist = self.sheet.given("τ", Degrees(twist), "Part of R about the forearm's axis, in degrees.");
        let made = twist_about(to.rotation * from.rotation.conjugate(), along).to_degrees();
        let share = if twist.get().0 == 0.0 { 0.0 } else { made / twist.get().0 };
        let share = self.sheet.given("u", share, format!("Share of the bone, from its place and {}.twist.", self.key));
        Some(End::Turn(about(axis, twist * share)))
    }
}
