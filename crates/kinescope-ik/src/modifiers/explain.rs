//! The equation behind one act of a modifier, with the numbers of its frame.

use glam::{Quat, Vec3};

use super::act::{Act, Did, Seen};
use super::arm_bending::{ArmBending, FARTHEST, Related, twist_about};
use super::breathing::{Breath, Breathing};
use super::four_bones::{Folds, FourBones};
use super::grip::{Held, TwoHandedGrip};
use super::head::{Drawn, FARTHEST_CHEST, Head, HeadBone, short};
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

/// An act, and what it found.
pub struct At<'a> {
    /// The frame.
    pub seen: Seen<'a>,
    /// The pose that the modifier's step found.
    pub found: &'a [RigidTransform],
    /// The pose before the act.
    pub before: &'a [RigidTransform],
    /// What was done.
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

/// The formula of an act; of one that follows from no number of the modifier's alone, what it did.
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

/// The bend direction that arm bending gives, in its own equation.
pub fn bend_direction(
    own: &ArmBending,
    limb: LimbName,
    state: &State,
    frame: &Frame,
    sheet: &mut Sheet,
) -> Option<Term<Vec3>> {
    let pointing = own.pointing(limb, frame, |node| state.node(node))?;
    let e = sheet.given("e₀", pointing.outward, "The elbow of a hand held out in front, seen from the chest; unit.");
    let least = sheet.given("R", pointing.least, "The least turn from that hand to this one, seen from the chest.");
    let chest = sheet.given("C", pointing.chest, "How the chest is turned, by both shoulders and the body.");
    let e = sheet.define("e", chest * (least * e), "Where the elbow is for the hand's place alone; unit.");
    let turned = pointing.rotation_weight > 0.0;
    if !turned {
        return Some(e.term());
    }
    let along = sheet.given("h", pointing.along, "From shoulder to hand; unit.");
    let normal =
        sheet.given("n", pointing.normal, "The normal of the hand's plane, as its target rotation has it; unit.");
    let sine =
        sheet.define("s", along * cross(e, cross(normal, along)), "How far the hand is turned from there, −1 to 1.");
    let meaning = "How much the hand counts: arm_bending.hand, times the effector's rotation weight.";
    let counts = sheet.given("hand", pointing.rotation_weight, meaning);
    Some(about(along, Degrees(FARTHEST) * (sine * counts)) * e)
}

/// What the last line gives.
enum End {
    Offset(Term<Vec3>),
    Target(Term<Point>),
    Rotation(Term<Quat>),
    /// By how much the bone is moved.
    Move(Term<Vec3>),
    /// How the bone is turned: from what it was.
    Turn(Term<Quat>),
}

const OFFSET: &str = "What is added to the effector's one-frame offset, in model units.";
const ROTATION: &str = "The rotation that the effector takes.";
const TARGET: &str = "Where the effector is drawn to.";

struct Lines<'a> {
    at: &'a At<'a>,
    sheet: Sheet,
    key: &'static str,
}

impl Lines<'_> {
    fn end(mut self, end: Option<End>, title: String) -> Sheet {
        match (self.at.act.did, end) {
            (Did::Offset { .. }, Some(End::Offset(by))) => self.sheet.end_with(title, "o", by, OFFSET),
            (Did::Target { from, .. }, Some(End::Offset(by))) => {
                let meaning = "The target that the effector had, or its own bone; model space.";
                let own = self.sheet.given("own", Point(from), meaning);
                self.sheet.end_with(title, "target", own + by, TARGET)
            }
            (Did::Target { .. }, Some(End::Target(to))) => self.sheet.end_with(title, "target", to, TARGET),
            (Did::TargetRotation { .. }, Some(End::Rotation(to))) => {
                self.sheet.end_turned_with(title, "rotation", to, ROTATION)
            }
            (Did::Bone { from, .. }, Some(End::Move(by))) => {
                let place = self.sheet.given("p", Point(from.position), "Where the bone was.");
                let bone = self.sheet.given("bone", from.rotation, "The rotation that the bone keeps.");
                self.sheet.end_placed(title, ("p", place + by), ("bone", bone.term()))
            }
            (Did::Bone { from, .. }, Some(End::Turn(by))) => {
                let meaning = "The rotation that the bone had.";
                let bone = self.sheet.given("bone", from.rotation, meaning);
                self.sheet.end_turned(title, "bone", by * bone)
            }
            (Did::Offset { by, .. }, _) => {
                let by = self.sheet.given("offset", by, "What is added, in model units.");
                self.sheet.end_with(title, "o", by, OFFSET)
            }
            (Did::Target { to, .. }, _) => {
                let to = self.sheet.given("to", Point(to), "Where the effector is drawn to; model space.");
                self.sheet.end_with(title, "target", to, TARGET)
            }
            (Did::TargetRotation { to, .. }, _) => {
                let to = self.sheet.given("to", to, "The rotation that the effector takes.");
                self.sheet.end_turned_with(title, "rotation", to, ROTATION)
            }
            (Did::Bone { from, to, .. }, _) => {
                let place = self.sheet.given("p", Point(from.position), "Where the bone was; model space.");
                let by = self.sheet.given("move", to.position - from.position, "How far it goes, in model units.");
                let rotation = self.sheet.given("by", to.rotation * from.rotation.conjugate(), "How it is turned.");
                let bone = self.sheet.given("bone", from.rotation, "The rotation that the bone had.");
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
        self.setting("weight", value, "How much of all of it there is, 0 to 1", "weight")
    }

    fn master(&mut self) -> Named<f32> {
        self.sheet.given("master", self.at.master, "The master weight, 0 to 1 (solver.weight).")
    }

    /// The same times the master weight.
    fn weighed(&mut self, value: f32) -> Term<f32> {
        let weight = self.weight(value);
        let master = self.master();
        weight * master
    }

    fn height(&mut self) -> Named<f32> {
        self.sheet.given("height", self.at.seen.figure.height, "From foot to head, in model units.")
    }

    fn facing(&mut self) -> Named<Vec3> {
        self.sheet.given("facing", self.at.seen.facing(), "The way the character faces; unit.")
    }

    fn up(&mut self) -> Named<Vec3> {
        self.sheet.given("up", self.at.seen.up(), "Up, for the character; unit.")
    }

    fn across(&mut self) -> Named<Vec3> {
        let across = unit_or_zero(self.at.seen.facing().cross(self.at.seen.up()));
        self.sheet.given("side", across, "Facing × up: to the character's right; unit.")
    }

    fn times(&mut self, attack: f32, release: f32) -> [Named<f32>; 2] {
        let attack = self.setting("attack", attack, "From the beginning to the peak, in seconds", "attack");
        [attack, self.setting("release", release, "From there back, in seconds", "release")]
    }

    fn recoil(&mut self, own: &Recoil, shots: &Shots) -> Option<End> {
        let [attack, release] = self.times(own.attack, own.release);
        let meaning = "Seconds since each shot that goes on.";
        let ages = self.sheet.each("t", shots.ages.iter().map(|(age, ())| age), meaning);
        let weight = self.weight(own.weight);
        let all = sum(ages.into_iter().map(|age| impulse(age, attack, release)));
        let felt = self.sheet.define("c", weight * all, "All shots' impulses together.");
        let rise = self.degrees("rise", own.rise, "How far a shot turns the weapon up, in degrees", "rise");
        let across = self.across();
        let (_, turned) = own.throw(&self.at.seen, felt.get());
        if let Did::Bone { .. } = self.at.act.did {
            let master = self.master();
            return Some(End::Turn(about(across, rise * felt * master)));
        }
        if let Did::TargetRotation { to, .. } = self.at.act.did {
            let animated = self.sheet.given("animated", to, "The hand's rotation as animated.");
            self.sheet.define("w", clamp(felt * 5.0, 0.0.term(), 1.0.term()), "How much it is held; its smooth step.");
            return Some(End::Rotation(animated.term()));
        }
        let rise = if turned == Quat::IDENTITY { None } else { Some(about(across, rise * felt)) };
        let effector = self.at.act.did.effector()?;
        let (facing, kick) =
            (self.facing(), self.setting("kick", own.kick, "How far a shot throws it back, of the height", "kick"));
        let height = self.height();
        let kick =
            self.sheet.define("k", -facing * (kick * height) * felt, "How far the weapon is thrown, in model units.");
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
                        let rise = self.sheet.define("R", rise, "How the weapon is turned.");
                        kick + (rise * apart - apart)
                    }
                    None => kick.term(),
                }
            }
            _ => kick.term(),
        }))
    }

    /// The grip in the space of the leading hand.
    fn grip(&mut self, own: &TwoHandedGrip, held: &Held) -> Named<Vec3> {
        let meaning = match own.position {
            Some(_) => "The grip, in the space of the leading hand; model units (two_handed_grip.position).",
            None => "The grip, as both hands are asked for, in the space of the leading hand; model units.",
        };
        self.sheet.given("g", held.grip.position, meaning)
    }

    /// How the other hand is turned at the grip, in the space of the leading hand.
    fn grip_rotation(&mut self, own: &TwoHandedGrip, held: &Held) -> Named<Quat> {
        let meaning = match own.rotation {
            Some(_) => "How the other hand is turned there, in that space (two_handed_grip.rotation).",
            None => "How the other hand is turned there, as both are asked for, in that space.",
        };
        self.sheet.given("r", held.grip.rotation, meaning)
    }

    /// How much the other hand keeps its rotation.
    fn keeps(&mut self, own: &TwoHandedGrip) -> Named<f32> {
        let what = "How much of the grip's rotation the other hand takes, 0 to 1";
        self.setting("w", own.rotation_weight, what, "rotation_weight")
    }

    fn two_handed_grip(&mut self, own: &TwoHandedGrip, held: &Held) -> Option<End> {
        let rotation = self.sheet.given("R", held.lead.rotation, "The rotation that the leading hand is asked for.");
        match self.at.act.did {
            Did::Offset { .. } => None,
            Did::Target { from, to, .. } => {
                let meaning = "The place that the leading hand is asked for; model space.";
                let lead = self.sheet.given("L", Point(held.lead.position), meaning);
                let grip = self.grip(own, held);
                let goal = lead + rotation * grip;
                if to.distance(goal.get().0) <= 1e-5 * self.at.seen.figure.height {
                    return Some(End::Target(goal));
                }
                let goal = self.sheet.define("G", goal, "Where the other hand belongs; model space.");
                let had = self.sheet.given("own", Point(from), "Where the other hand was drawn to.");
                let weight = self.weight(own.weight);
                Some(End::Target(mix(had, goal, weight)))
            }
            Did::TargetRotation { from, .. } => {
                let grip = self.grip_rotation(own, held);
                let to = rotation * grip;
                Some(End::Rotation(match from {
                    Some(from) => {
                        let from = self.sheet.given("own", from, "The effector's own target rotation.");
                        let weight = self.weight(own.weight);
                        let keeps = self.keeps(own);
                        nlerp(from, to, weight * keeps)
                    }
                    None => to,
                }))
            }
            Did::Bone { bone, from, .. } => self.grip_bone(own, held, rotation, (bone, from)),
        }
    }

    /// How the arm of the hand that holds on is bent: the upper arm, then the forearm, then the hand is turned.
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
        let written = self.sheet.given("R_w", lead.rotation, "The rotation that the leading hand ended up with.");
        let turns = self.setting("turns", own.turns, "How much the grip turns with the leading hand, 0 to 1", "turns");
        let turned = self.sheet.define("R′", nlerp(rotation, written, turns), "How the grip is turned.");
        let share = self.weighed(own.weight);
        if joint == 2 {
            let grip = self.grip_rotation(own, held);
            let hand = self.sheet.given("hand", other.rotation, "The other hand's rotation as written.");
            let keeps = self.keeps(own);
            let bone = self.sheet.given("bone", from.rotation, "The rotation that the bone had.");
            return Some(End::Turn(nlerp(hand, turned * grip, share * keeps) * inverse(bone)));
        }
        let meaning = "Where the leading hand ended up; model space.";
        let lead = self.sheet.given("L_w", Point(lead.position), meaning);
        let grip = self.grip(own, held);
        let hand = self.sheet.given("H", Point(other.position), "Where the other hand was written; model space.");
        let meaning = "Where it is to get to: on the grip, by the weights; model space.";
        let goal = self.sheet.define("H′", mix(hand, lead + turned * grip, share), meaning);
        let [shoulder, elbow, wrist] = arm.map(|bone| self.at.bone(bone).position);
        let lengths = [shoulder.distance(elbow), elbow.distance(wrist)];
        let root = self.sheet.given("S", Point(shoulder), "The shoulder of the hand that holds on; model space.");
        let a = self.sheet.given("a", lengths[0], "The length of the upper arm, in model units.");
        let b = self.sheet.given("b", lengths[1], "The length of the forearm, in model units.");
        let way = self.sheet.define("v", goal - root, "From the shoulder to there, in model units.");
        let meaning = "How far the arm gets: no further than its length, no nearer than it folds.";
        let reached = self.sheet.define("d", clamp(length(way), size(a - b), a + b), meaning);
        let meaning =
            "How far the hand stays off: the arm is too short for the rest, or folds no further. 0 within reach.";
        self.sheet.define("off", size(length(way) - reached), meaning);
        if joint == 1 {
            let elbow = self.sheet.given("E", Point(from.position), "Where the elbow is by now; model space.");
            let wrist = self.sheet.given("h", Point(self.at.now(arm[2]).position), "Where the hand is by now.");
            let meaning = "Where the hand gets; model space.";
            let end = self.sheet.define("h′", root + unit(way) * reached, meaning);
            return Some(End::Turn(turn(wrist - elbow, end - elbow)));
        }
        let elbow = self.sheet.given("E", Point(elbow), "Where the elbow was written; model space.");
        let meaning = "How far along that way the elbow comes, by the law of cosines; model units.";
        let x = self.sheet.define("x", (square(a) + square(reached) - square(b)) / (2.0 * reached), meaning);
        let beside = sqrt(max(0.0.term(), (a - x) * (a + x)));
        let side = turn(hand - root, way) * (elbow - root);
        let meaning = "The side of the elbow: as written, turned along with the arm; unit.";
        let side = self.sheet.define("e", across(side, way), meaning);
        let bent = self.sheet.define("E′", root + unit(way) * x + side * beside, "Where the elbow gets; model space.");
        Some(End::Turn(turn(elbow - root, bent - root)))
    }

    /// What every blow adds to the offset of something at each place: names of the distance and of that.
    fn thrown(&mut self, own: &HitReaction, hits: &Hits, places: &[(Vec3, [&'static str; 2])]) -> Vec<Term<Vec3>> {
        let [attack, release] = self.times(own.attack, own.release);
        let weight = self.weight(own.weight);
        let radius = self.setting("radius", own.radius, "How far a blow is felt, of the height", "radius");
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
        let forces = each(&mut self.sheet, "f", "How far each throws what it strikes, of the height.", |hit| hit.1);
        let directions = self.sheet.each("d", all.iter().map(|hit| hit.2), "Where each goes; unit.");
        let at = |&(place, [distance, name]): &(Vec3, [&'static str; 2])| {
            let meaning = "How far from each the effector's bone is, in model units.";
            let away = self.sheet.each(distance, all.iter().map(|hit| place.distance(hit.3)), meaning);
            let one = |index: usize| {
                let near = exp(-square(away[index] / (radius * height)));
                directions[index] * (weight * forces[index] * height * impulse(ages[index], attack, release) * near)
            };
            let total = sum((0..all.len()).map(one));
            self.sheet.define(name, total, "What the blows throw it by, in model units.").term()
        };
        places.iter().map(at).collect()
    }

    fn hit_reaction(&mut self, own: &HitReaction, hits: &Hits) -> Option<End> {
        if let Did::Bone { bone, .. } = self.at.act.did {
            return Some(self.bent_by_blows(own, hits, bone));
        }
        let effector = self.at.act.did.effector()?;
        let shoulder = match effector {
            Effector::LeftHand => Effector::LeftShoulder,
            Effector::RightHand => Effector::RightShoulder,
            effector => effector,
        };
        // The spine has turned by now, but blows were felt before.
        let is_thigh = matches!(effector, Effector::LeftThigh | Effector::RightThigh);
        let own_place = (self.at.place(shoulder), ["r", "o₁"]);
        let body = is_thigh.then(|| (self.at.place(Effector::Body), ["r₀", "o_body"]));
        let all: Vec<_> = [Some(own_place), body].into_iter().flatten().collect();
        let mut thrown = self.thrown(own, hits, &all).into_iter();
        let (thrown, body) = (thrown.next()?, thrown.next());
        Some(End::Offset(match effector {
            // The thighs already go along with the body.
            _ if is_thigh => thrown - body?,
            Effector::LeftHand | Effector::RightHand => {
                thrown * self.setting("hands", own.hands, "How much a hand goes with its shoulder, 0 to 1", "hands")
            }
            _ => thrown,
        }))
    }

    /// How blows turn a bone of the spine, or of neck and head.
    fn bent_by_blows(&mut self, own: &HitReaction, hits: &Hits, bone: BoneIndex) -> End {
        let (seen, figure) = (self.at.seen, self.at.seen.figure);
        let is_spine = figure.spine.contains(&bone);
        let [attack, release] = self.times(own.attack, own.release);
        let weight = self.weighed(own.weight);
        let up = self.up();
        let all: Vec<(f32, Hit)> = hits.iter().collect();
        let ages = self.sheet.each("t", all.iter().map(|(age, _)| *age), "Seconds since each blow.");
        let meaning = "How far each throws what it strikes, of the height.";
        let forces = self.sheet.each("f", all.iter().map(|(_, hit)| hit.force), meaning);
        let directions = all.iter().map(|(_, hit)| seen.root.rotation * hit.direction);
        let directions = self.sheet.each("d", directions, "Where each goes; unit.");
        let full = self.sheet.given("full", FULL, "The force of a full blow, of the height.");
        let lag = if is_spine { 0.0 } else { own.lag };
        let lag = self.setting("lag", lag, "How much later the head comes, in seconds; the spine is not late", "lag");
        let lever = |index: usize| {
            let size = clamp(forces[index] / full, (-1.0).term(), 1.0.term());
            directions[index] * (size * weight.clone() * impulse(ages[index] - lag, attack, release))
        };
        let (bend, field) = if is_spine { (own.spine, "spine") } else { (own.head, "head") };
        let bend = self.setting("bend", bend, "How far a full blow bends it, in degrees", field);
        let bent = sum((0..all.len()).map(|index| cross(up, lever(index)) * bend));
        let mut turn = self.sheet.define("b", bent, "How far all of it bends: axis times degrees.").term();
        if is_spine {
            let chest = self.at.bone(figure.chest()).position;
            let arms = all.iter().map(|(_, hit)| seen.root.transform_point(hit.point) - chest);
            let arms = self.sheet.each("a", arms, "From the chest to where each struck, in model units.");
            let twist =
                self.setting("wring", own.twist, "How far a full blow beside it twists it, in degrees", "twist");
            let across = self.sheet.given("beside", ACROSS, "How far beside it that is, of the height.");
            let height = self.height();
            let one = |index: usize| {
                let beside = cross(arms[index], lever(index)) * up / (across * height);
                clamp(beside, (-1.0).term(), 1.0.term())
            };
            let twisted = up * (twist * sum((0..all.len()).map(one)));
            turn = turn + self.sheet.define("w", twisted, "How far all of it twists: axis times degrees.");
        }
        let turn = self.sheet.define("v", turn, "Both together.");
        let count = if is_spine { figure.spine.len() } else { figure.neck.len() + 1 };
        let count = self.sheet.given("n", count as f32, "How many bones share it.");
        End::Turn(about(unit(turn), Degrees(1.0) * (length(turn) / count)))
    }

    fn inertia(&mut self, own: &Inertia, springs: &Springs) -> Option<End> {
        let effector = self.at.act.did.effector()?;
        let index = THROWN.iter().position(|own| *own == effector)?;
        let [x, to] = springs.places(index)?.map(|place| self.at.seen.root.transform_point(place));
        let x = self.sheet.given("x", Point(x), "Where the spring has the effector; model space.");
        let to = self.sheet.given("T", Point(to), "Where it is animated; model space.");
        let weight = self.weight(own.weight);
        let share = self.sheet.given("share", own.share(effector), "How much of it the effector has, 0 to 1.");
        let most =
            self.setting("farthest", own.farthest, "The farthest that anything is thrown, of the height", "farthest");
        let height = self.height();
        Some(End::Offset(shorten((x - to) * (weight * share), most * height)))
    }

    fn breathing(&mut self, own: &Breathing, breath: &Breath) -> Option<End> {
        let [drawn, aside, ahead] = Breathing::drawn(breath);
        let drawn = self.sheet.given("b", drawn, "How deep the breath is, 0 to 1: ½ (1 − cos(2π · rate · t)).");
        let weight = match self.at.act.did {
            Did::Bone { .. } => self.weighed(own.weight),
            _ => self.weight(own.weight).term(),
        };
        let depth = self.setting("depth", own.depth, "How far the shoulders rise, of the height", "depth");
        let height = self.height();
        match self.at.act.did {
            Did::Bone { .. } => {
                let lean = self.degrees("lean", own.lean, "How far the spine straightens, in degrees", "lean");
                let count = self.at.seen.figure.spine.len() as f32;
                let count = self.sheet.given("n", count, "How many bones the spine has.");
                let across = self.across();
                Some(End::Turn(about(across, lean * (drawn * weight / count))))
            }
            Did::Offset { effector: Effector::Body, .. } => {
                let (facing, across) = (self.facing(), self.across());
                let sway = self.setting("sway", own.sway, "How far the body sways, of the height", "sway");
                let aside = self.sheet.given("s", aside, "How far the sway is to the side, −1 to 1.");
                let ahead = self.sheet.given("s′", ahead, "How far it is forward, −1 to 1.");
                let breathed = facing * (0.25 * depth * height * drawn);
                Some(End::Offset((breathed + (across * aside + facing * ahead) * (sway * height)) * weight))
            }
            Did::Offset { .. } => {
                let (up, facing) = (self.up(), self.facing());
                Some(End::Offset((up * 0.7.term() + facing * 0.5.term()) * (depth * height * drawn * weight)))
            }
            _ => None,
        }
    }

    fn look_at(&mut self, own: &LookAt) -> Option<End> {
        let Did::Bone { bone, from, to } = self.at.act.did else { return None };
        let figure = self.at.seen.figure;
        let meaning = "How the bone is turned by this act.";
        let whole = to.rotation * from.rotation.conjugate();
        let target = self.sheet.given("target", Point(own.target?), "What is looked at; model space.");
        if own.aims == Aims::Eyes && Some(bone) != figure.head {
            let is_spine = figure.spine.contains(&bone);
            let head = self.at.bone(figure.head?);
            let place = self.sheet.given("eyes", Point(head.position), "Where the head is; model space.");
            let a = self.sheet.given("a", unit_or_zero(head.rotation * figure.eyes), "The way the eyes look; unit.");
            let (facing, limit, field) = match is_spine {
                true => (self.at.seen.facing(), own.spine_limit, "spine_limit"),
                false => (self.at.bone(figure.chest()).rotation * figure.chest, own.neck_limit, "neck_limit"),
            };
            let facing = self.sheet.given("facing", facing, "What the turn is held about; unit.");
            let limit =
                self.sheet.given("limit", limit, format!("How far it may turn, in degrees ({}.{field}).", self.key));
            let d = self.sheet.define("d", held(unit(target - place), facing, limit), "Where to look; unit.");
            let (of, count) = match is_spine {
                true => {
                    (self.setting("spine", own.spine, "The spine's share, 0 to 1", "spine").term(), figure.spine.len())
                }
                false => {
                    let head = self.setting("head", own.head, "Neck's and head's share, 0 to 1", "head");
                    let neck = self.setting("neck", own.neck, "The neck's part of that, 0 to 1", "neck");
                    (head * neck, figure.neck.len())
                }
            };
            let count = self.sheet.given("n", count as f32, "How many bones share it.");
            let weight = self.weighed(own.weight);
            return Some(End::Turn(part(turn(a, d), of * weight / count)));
        }
        let place = self.sheet.given("p", Point(self.at.now(bone).position), "Where the bone is; model space.");
        if own.aims != Aims::Eyes {
            self.sheet.define("r", length(target - place), "How far the target is, in model units.");
            return Some(End::Turn(self.sheet.given("R", whole, meaning).term()));
        }
        let eyes = |head: RigidTransform| unit_or_zero(head.rotation * figure.eyes);
        let before = self.sheet.given("b", eyes(self.at.bone(bone)), "The way the eyes looked before; unit.");
        let now = self.sheet.given("a", eyes(from), "The way they look since the neck has turned; unit.");
        let facing = self.at.now(figure.chest()).rotation * figure.chest;
        let facing = self.sheet.given("facing", facing, "The way the chest faces; unit.");
        let limit = self.setting("limit", own.head_limit, "How far from there they may look, in degrees", "head_limit");
        let d = held(unit(target - place), facing, limit);
        let d = self.sheet.define("d", d, "Where to look; unit.");
        let head = self.setting("head", own.head, "Neck's and head's share, 0 to 1", "head");
        let weight = self.weighed(own.weight);
        let wanted = part(turn(before, d), head * weight) * before;
        let wanted = self.sheet.define("e", wanted, "Where the eyes get to; unit.");
        Some(End::Turn(turn(now, wanted)))
    }

    fn reach_for(&mut self, own: &ReachFor, reaching: &Reaching) -> Option<End> {
        let age = reaching.age?;
        let point = own.point(age)?;
        let t = self.sheet.given("t", age, "Seconds since it began.");
        let [approach, hold, release] = own.times();
        let approach = self.setting("approach", approach, "From the beginning to the point, in seconds", "approach");
        let hold = self.setting("hold", hold, "How long it holds, in seconds", "hold");
        let release = self.setting("release", release, "From letting go to the animation, in seconds", "release");
        let weight = self.weight(own.weight);
        let e = self.sheet.define("e", envelope(t, approach, hold, release), "How far it is on its way, 0 to 1.");
        if let Did::TargetRotation { from, .. } = self.at.act.did {
            let w = own.rotation_weight;
            let w = self.setting("w", w, "The rotation weight while it holds, 0 to 1", "rotation_weight");
            let meaning = format!("How the point has it turned ({}.rotation).", self.key);
            let to = self.sheet.given("to", own.rotation?, meaning);
            return Some(End::Rotation(match from {
                Some(from) => {
                    let from = self.sheet.given("own", from, "The effector's own target rotation.");
                    nlerp(from, to, e * w * weight)
                }
                None => to.term(),
            }));
        }
        let Did::Target { from, to, .. } = self.at.act.did else { return None };
        let meaning = format!("Where the point is now; model space ({}.position, {}.to).", self.key, self.key);
        let point = self.sheet.given("point", Point(point), meaning);
        if to == point.get().0 {
            return Some(End::Target(point.term()));
        }
        let own_place = self.sheet.given("own", Point(from), "Where the effector was drawn to; model space.");
        let w = self.setting("w", own.position_weight, "The position weight while it holds, 0 to 1", "position_weight");
        Some(End::Target(mix(own_place, point, e * w * weight)))
    }

    fn keyed(&mut self, own: &Keyed) -> Option<End> {
        let effector = self.at.act.did.effector()?;
        let track = own.tracks.iter().find(|track| track.effector == effector)?;
        let key = track.at(self.at.seen.time)?;
        self.sheet.given("t", self.at.seen.time, "Seconds into the clip.");
        if let Did::TargetRotation { from, .. } = self.at.act.did {
            let root = if own.in_world { Quat::IDENTITY } else { self.at.seen.root.rotation };
            let root = self.sheet.given("R", root, "How the character is turned, or the world.");
            let turned = self.sheet.given("key", key.rotation, "How the keys have the effector turned now.");
            let to = root * turned;
            return Some(End::Rotation(match from {
                Some(from) => {
                    let from = self.sheet.given("own", from, "The effector's own target rotation.");
                    let w = self.sheet.given("w", key.rotation_weight, "The key's rotation weight.");
                    let weight = self.weight(own.weight);
                    nlerp(from, to, w * weight)
                }
                None => to,
            }));
        }
        let Did::Target { from, to, .. } = self.at.act.did else { return None };
        let key = self.sheet.given("key", key.position, "Where the keys have the effector now.");
        let root = if own.in_world { RigidTransform::IDENTITY } else { self.at.seen.root };
        let place = self.sheet.given("root", Point(root.position), "Where the character is, or the world's origin.");
        let rotation = self.sheet.given("R", root.rotation, "How the character is turned.");
        let place = self.sheet.define("k", place + rotation * key, "The same in the space of the poses.");
        if to == place.get().0 {
            return Some(End::Target(place.term()));
        }
        let had = self.sheet.given("own", Point(from), "Where the effector was drawn to.");
        let meaning = "The key's position weight.";
        let w = self.sheet.given("w", track.at(self.at.seen.time)?.position_weight, meaning);
        let weight = self.weight(own.weight);
        Some(End::Target(mix(had, place, w * weight)))
    }

    fn head(&mut self, own: &Head, drawn: &Drawn) -> Option<End> {
        match self.at.act.did {
            Did::Offset { effector, .. } => {
                let (from, to) = drawn.way()?;
                let h = self.sheet.given("h", Point(from), "The head, after spine and neck were turned; model space.");
                let meaning = "Where the head is to get to, by its weight; model space.";
                let to = self.sheet.given("T′", Point(to), meaning);
                let way = self.sheet.define("Δ", to - h, "The way of the head, in model units.");
                let body = self.setting("body", own.body, "How much of it the body goes along, 0 to 1", "body");
                Some(End::Offset(match effector {
                    Effector::LeftHand | Effector::RightHand => {
                        way * self.setting("hands", own.hands, "How much of it hands go along, 0 to 1", "hands")
                    }
                    Effector::LeftThigh | Effector::RightThigh => {
                        let thighs =
                            self.setting("thighs", own.thighs, "How much thighs go along with the body", "thighs");
                        way * (body * (thighs - 1.0))
                    }
                    _ => way * body,
                }))
            }
            Did::Bone { bone, from, to } => self.head_bone(own, drawn, (bone, from, to)),
            _ => None,
        }
    }

    /// What a head effector does to a bone: which of its acts it is shows by what came of it.
    fn head_bone(
        &mut self,
        own: &Head,
        drawn: &Drawn,
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
                let way = self.sheet.given("R", way, "From the head's rotation to its target's, the short way.");
                let bend = self.setting("bend", own.bend, "How much of it spine and neck share, 0 to 1", "bend");
                let weight = own.rotation_weight;
                let weight = self.setting("w", weight, "How much of it the head takes, 0 to 1", "rotation_weight");
                let master = self.master();
                let count = self.sheet.given("n", count, "How many bones share it, the head among them.");
                return Some(End::Turn(part(way, bend * weight * master / count)));
            }
        }
        if let Some(direction) = own.chest_direction.filter(|_| figure.spine.contains(&bone)) {
            // All of the spine turns by what its first bone found.
            let count = figure.spine.len() as f32;
            let facing = seen.facing();
            let wanted = crate::math::held(unit_or_zero(direction), facing, FARTHEST_CHEST);
            let of = own.chest_weight * master / count;
            let turned = figure.spine.iter().position(|own| *own == bone).unwrap_or(0) as f32;
            let chest = unit_or_zero(self.at.now(figure.chest()).rotation * figure.chest);
            // It has turned by so many of these parts since.
            let back = share(to.rotation * from.rotation.conjugate(), -turned);
            let chest = back * chest;
            if is_turn(share(from_to_rotation(chest, wanted), of)) {
                let chest = self.sheet.given("c", chest, "The way the chest looked; unit.");
                let meaning = format!("Where it is to look; of any length ({}.chest_direction).", self.key);
                let direction = self.sheet.given("direction", direction, meaning);
                let facing = self.sheet.given("facing", facing, "The way the character faces; unit.");
                let limit = self.sheet.given("limit", FARTHEST_CHEST, "No spine turns further from there, in degrees.");
                let wanted = self.sheet.define("d", held(unit(direction), facing, limit), "Where it looks; unit.");
                let weight =
                    self.setting("weight", own.chest_weight, "How much the chest turns there, 0 to 1", "chest_weight");
                let master = self.master();
                let count = self.sheet.given("n", count, "How many bones the spine has.");
                return Some(End::Turn(part(turn(chest, wanted), weight * master / count)));
            }
        }
        if Some(bone) == head {
            let rotation = self.sheet.given("R", drawn.rotation(), "The target's rotation.");
            let bone = self.sheet.given("bone", from.rotation, "The rotation that the head had.");
            let weight = own.rotation_weight;
            let weight = self.setting("w", weight, "How much of it the head takes, 0 to 1", "rotation_weight");
            let master = self.master();
            let taken = nlerp(bone, rotation, weight * master);
            return Some(End::Turn(taken * inverse(bone)));
        }
        let index = figure.bend_bones().position(|own| own == bone)?;
        let (start, goal) = drawn.way()?;
        let goal = start + (goal - start) * master;
        let head = self.at.now(head?).position;
        let HeadBone { weight, damper } = own.bone(index);
        if !is_turn(share(from_to_rotation(head - from.position, goal - from.position), weight * (1.0 - damper))) {
            return None;
        }
        let p = self.sheet.given("p", Point(from.position), "Where the bone is; model space.");
        let head = self.sheet.given("h", Point(head), "Where the head is by now; model space.");
        let goal = self.sheet.given("T′", Point(goal), "Where the head is to get to; model space.");
        let weight = self.sheet.given("w", weight, "The bone's weight, 0 to 1.");
        let damper = self.sheet.given("damper", damper, "How much its turn is damped, 0 to 1.");
        Some(End::Turn(part(turn(head - p, goal - p), weight * (1.0 - damper))))
    }

    /// The neck's stretch, and the way of the pelvis.
    fn head_moves(&mut self, own: &Head, drawn: &Drawn, bone: BoneIndex) -> Option<End> {
        let figure = self.at.seen.figure;
        let (start, goal) = drawn.way()?;
        let goal = start + (goal - start) * self.at.master.clamp(0.0, 1.0);
        let meaning = "Where the head is to get to; model space.";
        let goal = self.sheet.given("T′", Point(goal), meaning);
        let head = self.at.now(figure.head?).position;
        if bone == figure.pelvis {
            let head = self.sheet.given("h", Point(head), "Where the head is by now; model space.");
            let Did::Bone { from, to, .. } = self.at.act.did else { return None };
            let (by, left) = (to.position - from.position, goal.get().0 - head.get().0);
            let of = by.dot(left) / left.length_squared().max(f32::MIN_POSITIVE);
            let settle = self.setting("settle", own.settle, "How much of it the pelvis makes up for, 0 to 1", "settle");
            let legs = if own.settle > 0.0 { of / own.settle } else { 0.0 };
            let legs = self.sheet.given("legs", legs, "How much of it both legs reach, 0 to 1.");
            return Some(End::Move((goal - head) * (legs * settle)));
        }
        // Each goes by what was left before the first of them went; those below carry those above.
        let count = (figure.neck.len() + 1) as f32;
        let order = figure.neck.iter().position(|own| *own == bone).unwrap_or(figure.neck.len()) as f32;
        let Did::Bone { from, to, .. } = self.at.act.did else { return None };
        let head = head - (to.position - from.position) * order;
        let head = self.sheet.given("h", Point(head), "Where the head was before the neck stretched; model space.");
        let stretch = self.setting("stretch", own.stretch, "How far the neck stretches, of the height", "stretch");
        let height = self.height();
        let count = self.sheet.given("n", count, "How many bones share it.");
        Some(End::Move(shorten(goal - head, stretch * height) / count))
    }

    fn four_bones(&mut self, own: &FourBones, folds: &Folds) -> Option<End> {
        let Did::Bone { bone, from, .. } = self.at.act.did else { return None };
        let figure = self.at.seen.figure;
        let limb = LimbName::ALL.into_iter().find(|limb| figure.inner[limb.index()] == Some(bone))?;
        let bones = figure.limbs[limb.index()];
        let share = own.share(limb);
        let (fold, distance) = FourBones::fold(folds, limb, bone, &bones, |bone| self.at.now(bone).position)?;
        let [_, second, third] = bones.map(|bone| self.at.now(bone).position);
        let axis = unit_or_zero((second - from.position).cross(third - from.position));
        self.sheet.given("D", distance, "How far the ends of the limb are apart, as the solve has them.");
        self.sheet.given("κ₀", Degrees(fold.knee.to_degrees()), "The angle at its second bone in the animated pose.");
        let theta = Degrees(fold.inner.to_degrees());
        let theta = self.sheet.given("θ₀", theta, "The angle at the inner joint in the animated pose.");
        let opens = fold.solve(share, distance);
        let x = self.sheet.given(
            "x",
            Degrees(opens.to_degrees()),
            "By how much both open until the ends are so far apart; below 0 they close.",
        );
        let field = if limb.is_arm() { "arms" } else { "legs" };
        let share = self.setting("share", share, "How much of it the inner joint makes, 0 to 1", field);
        let inner = self.sheet.define("θ", theta + x * share, "The angle at the inner joint then.");
        let axis = self.sheet.given("axis", axis, "At right angles to the bones that meet there; unit.");
        Some(End::Turn(about(axis, inner - theta)))
    }

    fn arm_bending(&mut self, related: &Related) -> Option<End> {
        let Did::Bone { bone, from, to } = self.at.act.did else { return None };
        let figure = self.at.seen.figure;
        let index = [0, 1].into_iter().find(|&arm| {
            figure.limbs[arm][1] == bone || figure.twist_bones[arm].iter().any(|twist| twist.bone == bone)
        })?;
        let [_, forearm, hand] = figure.limbs[index].map(|bone| self.at.bone(bone));
        let along = unit_or_zero(hand.position - forearm.position);
        let back = (forearm.rotation * related.hand(index)).conjugate();
        let axis = self.sheet.given("axis", along, "From elbow to wrist; unit.");
        let hand = self.sheet.given("hand", hand.rotation, "The hand's rotation as written.");
        let related = self.sheet.given("own", back.conjugate(), "The hand's rotation, had it stayed with the forearm.");
        let rotation = self.sheet.define("R", hand * inverse(related), "How the hand was turned against the forearm.");
        let twist = twist_about(rotation.get(), along).to_degrees();
        let twist = self.sheet.given("τ", Degrees(twist), "The part of it about the forearm's axis.");
        let made = twist_about(to.rotation * from.rotation.conjugate(), along).to_degrees();
        let share = if twist.get().0 == 0.0 { 0.0 } else { made / twist.get().0 };
        let share = self.sheet.given("u", share, format!("The bone's share, by its place and {}.twist.", self.key));
        Some(End::Turn(about(axis, twist * share)))
    }
}
