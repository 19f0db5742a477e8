//! Formulas of recoil, hit reaction and inertia.

use glam::{Quat, Vec3};

use super::{End, Lines};
use crate::full_body::Effector;
use crate::key::label;
use crate::modifiers::act::Change;
use crate::modifiers::hit_reaction::{ACROSS, FULL, Hit, HitReaction, Hits};
use crate::modifiers::inertia::{Inertia, Springs, THROWN};
use crate::modifiers::recoil::{Recoil, Shots};
use crate::notation::{
    Degrees, Expression, Named, Point, Sheet, Term, about, clamp, cross, exp, impulse, length, shorten, square, sum,
    unit,
};
use crate::rig::BoneIndex;

impl Lines<'_> {
    pub(super) fn times(&mut self, attack: f32, release: f32) -> [Named<f32>; 2] {
        let attack = self.setting("attack", attack, "Time from the start to the peak, in seconds", "attack");
        [attack, self.setting("release", release, "Time from the peak back to zero, in seconds", "release")]
    }

    pub(super) fn recoil(&mut self, own: &Recoil, shots: &Shots) -> Option<End> {
        let [attack, release] = self.times(own.attack, own.release);
        let meaning = "Seconds since each shot in progress.";
        let ages = self.sheet.each("t", shots.ages.iter().map(|(age, ())| age), meaning);
        let weight = self.weight(own.weight);
        let all = sum(ages.into_iter().map(|age| impulse(age, attack, release)));
        let felt = self.sheet.define(
            "c",
            weight * all,
            "Strength of the recoil: weight times the sum of the impulses of all shots.",
        );
        let rise = self.degrees("rise", own.rise, "Rotation of the weapon by a shot, in degrees", "rise");
        let across = self.across();
        let (_, turned) = own.throw(&self.at.seen, felt.get());
        if let Change::Bone { .. } = self.at.act.change {
            let master = self.master();
            return Some(End::Turn(about(across, rise * felt * master)));
        }
        if let Change::TargetRotation { to, .. } = self.at.act.change {
            let animated = self.sheet.given("animated", to, "Rotation of the hand in the animated pose, as an angle.");
            self.sheet.define(
                "w",
                clamp(felt * 5.0, 0.0.term(), 1.0.term()),
                "Five times c, limited to 0 to 1; the smooth step of w is the rotation weight.",
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
            Effector::Body => {
                kick * self.setting("body", own.body, "Share of the kick that the body takes, 0 to 1", "body")
            }
            Effector::LeftShoulder | Effector::RightShoulder => {
                kick * self.setting(
                    "shoulders",
                    own.shoulders,
                    "Share of the kick that the shoulders take, 0 to 1",
                    "shoulders",
                )
            }
            effector if effector == other => {
                let apart = self.at.place(other) - self.at.place(hand);
                let apart =
                    self.sheet.given("a", apart, "Vector from the hand that fires to the other, in model units.");
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

    /// Returns the offset by all blows at the bone of each effector. `places` has each effector with the symbols of its
    /// distances and its offset.
    fn thrown(&mut self, own: &HitReaction, hits: &Hits, places: &[(Effector, [&'static str; 2])]) -> Vec<Term<Vec3>> {
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
        let at = |&(bone, [distance, name]): &(Effector, [&'static str; 2])| {
            let (place, what) = (self.at.place(bone), label(bone.key()));
            let meaning = format!("Distance from each blow to the {what}, in model units.");
            let away = self.sheet.each(distance, all.iter().map(|hit| place.distance(hit.3)), meaning);
            let one = |index: usize| {
                let near = exp(-square(away[index] / (radius * height)));
                directions[index] * (weight * forces[index] * height * impulse(ages[index], attack, release) * near)
            };
            let total = sum((0..all.len()).map(one));
            self.sheet.define(name, total, format!("Displacement of the {what} by the blows, in model units.")).term()
        };
        places.iter().map(at).collect()
    }

    pub(super) fn hit_reaction(&mut self, own: &HitReaction, hits: &Hits) -> Option<End> {
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
        let own_place = (shoulder, ["r", "o₁"]);
        let body = is_thigh.then_some((Effector::Body, ["r₀", "o_body"]));
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
        let mut turn =
            self.sheet.define("b", bent, "Bend by all blows together: axis times degrees, shared by the bones.").term();
        if is_spine {
            let chest = self.at.bone(figure.chest()).position;
            let arms = all.iter().map(|(_, hit)| seen.root.transform_point(hit.point) - chest);
            let arms = self.sheet.each("a", arms, "Vector from the chest to the point of each blow, in model units.");
            let twist = self.setting("wring", own.twist, "Largest twist by one blow, in degrees", "twist");
            let across = self.sheet.given(
                "beside",
                ACROSS,
                "Distance to the side at which a full blow twists fully, as a fraction of the height.",
            );
            let height = self.height();
            let one = |index: usize| {
                let beside = cross(arms[index], lever(index)) * up / (across * height);
                clamp(beside, (-1.0).term(), 1.0.term())
            };
            let twisted = up * (twist * sum((0..all.len()).map(one)));
            turn = turn
                + self.sheet.define(
                    "w",
                    twisted,
                    "Twist by all blows together: axis times degrees, shared by the bones.",
                );
        }
        let turn =
            self.sheet.define("v", turn, "Rotation by all blows together: axis times degrees, shared by the bones.");
        let count = if is_spine { figure.spine.len() } else { figure.neck.len() + 1 };
        let count = self.sheet.given("n", count as f32, "Number of bones that share the rotation.");
        End::Turn(about(unit(turn), Degrees(1.0) * (length(turn) / count)))
    }

    pub(super) fn inertia(&mut self, own: &Inertia, springs: &Springs) -> Option<End> {
        let effector = self.at.act.change.effector()?;
        let index = THROWN.iter().position(|own| *own == effector)?;
        let [x, to] = springs.places(index)?.map(|place| self.at.seen.root.transform_point(place));
        let x = self.sheet.given(
            "x",
            Point(x),
            "Position of the mass on its spring, in model units and the space of the animated pose.",
        );
        let to = self.sheet.given(
            "T",
            Point(to),
            "Animated position of the effector, in model units and the space of the animated pose.",
        );
        let weight = self.weight(own.weight);
        let share = self.sheet.given("share", own.share(effector), "Share of the lag that the effector takes, 0 to 1.");
        let most =
            self.setting("farthest", own.farthest, "Largest displacement, as a fraction of the height", "farthest");
        let height = self.height();
        Some(End::Offset(shorten((x - to) * (weight * share), most * height)))
    }
}
