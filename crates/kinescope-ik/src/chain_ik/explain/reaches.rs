//! Formulas of FABRIK's passes and of its bend rule.

use glam::Vec3;

use super::Instant;
use crate::chain_ik::bend_rule::{Circle, literal, mirror_normal};
use crate::chain_ik::moves::Cause;
use crate::chain_ik::settings::BendRule;
use crate::math;
use crate::notation::{Degrees, Expression, Named, Point, Sheet, Term, about, cross, min, sum, unit};

/// Symbols of up to three positions wanted for a joint; for more, the formula sums over lists.
const WANTS: [[&str; 4]; 3] =
    [["w₁", "q₁", "length₁", "pull₁"], ["w₂", "q₂", "length₂", "pull₂"], ["w₃", "q₃", "length₃", "pull₃"]];

struct Want {
    pull: f32,
    /// `Ok` with the index of the bone that wants the position, or `Err` with the target.
    by: Result<usize, Vec3>,
}

pub(super) const PASS_SHARE: &str = "Fraction of the full correction that each pass applies, 0 to 1 (weight).";

impl<'a> Instant<'a> {
    /// Ends the formula of a joint that a reach without a bend rule places at its bone's length from `q`, toward its
    /// own position.
    pub(super) fn reach(mut self, bone: usize, q: Named<Point>, fallback: Vec3, title: &str) -> Sheet {
        let length = self.length(bone);
        let p = self.joint("p", self.moved.joint, self.now.positions[self.moved.joint]);
        // The forward reach lays bones into the plane only without branches and targets other than that of the end.
        let leaves = self.moved.cause == Cause::ForwardReach && !self.is_plain();
        let along = if leaves { p - q } else { self.flat(p - q) };
        let along = self.unit(along, fallback);
        let u = self.sheet.define("u", along, "Unit vector from q to the joint; a fixed one if both coincide.");
        self.end(title, q + length * u)
    }

    /// Adds `d₁`: `direction`, mirrored if it points away from `side`. Without a side, adds nothing and returns
    /// `direction`.
    pub(super) fn bent(&mut self, direction: Named<Vec3>, side: Option<Term<Vec3>>) -> Named<Vec3> {
        let Some(side) = side else { return direction };
        let meaning = "Unit vector to the side of the neighbouring bone on which this bone must be.";
        let side = self.sheet.define("s", unit(side), meaning);
        let bent = direction - 2.0 * min(0.0, direction * side) * side;
        self.sheet.define("d₁", bent, "Direction of the bone: d, mirrored if it points away from s; unit.")
    }

    pub(super) fn bend(&mut self, normal: Vec3, neighbour: Vec3, bone: usize) -> [Named<Vec3>; 2] {
        let normal = self.bend_normal(normal);
        let meaning = format!("Vector along bone {bone}, of any length.");
        [normal, self.sheet.given("b", neighbour, meaning)]
    }

    fn pulled(&mut self, target: Named<Point>) -> Term<Point> {
        let share = self.settings.pass_share();
        if share >= 1.0 {
            return target.term();
        }
        let p = self.moved();
        let share = self.sheet.given("k", share, PASS_SHARE);
        p + share * (target - p)
    }

    pub(super) fn forward_reach(mut self) -> Sheet {
        let (bones, moved) = (self.bones(), self.moved.joint);
        if moved == bones.len() {
            let target = self.target();
            let place = self.pulled(target);
            return self.end("forward reach", place);
        }
        let q = self.joint("q", moved + 1, self.now.positions[moved + 1]);
        // The passes with limits ignore the bend rule.
        let Some(normal) = self.settings.bend().filter(|_| !self.uses_limits()) else {
            let fallback = -self.workspace.fallback;
            return self.reach(moved, q, fallback, "forward reach");
        };
        if self.settings.bend_rule == BendRule::Literal {
            return self.forward_reach_literal(q);
        }
        // Recomputes the bones from the end to the next joint exactly as the pass did, because rounding decides the
        // side of a bone that is nearly parallel to the normal.
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
        let d = self.sheet.define(
            "d",
            along,
            "Unit vector from the joint to the next joint; a fixed one if both coincide.",
        );
        let [normal, next] = self.bend(normal, next.unwrap_or(Vec3::ZERO), moved + 1);
        let side = cross(next, normal);
        let bent = self.bent(d, math::unit(side.get()).map(|_| side));
        self.end("forward reach", q - length * bent)
    }

    fn forward_reach_literal(mut self, q: Named<Point>) -> Sheet {
        let moved = self.moved.joint;
        let (p, length) = (self.moved(), self.length(moved));
        let a = self.joint("a", moved - 1, self.now.positions[moved - 1]);
        let along = self.direction_back(p - q);
        let d =
            self.sheet.define("d", along, "Unit vector from the next joint to this one; a fixed one if both coincide.");
        let before = self.direction_back(p - a);
        let b = self.sheet.define(
            "b",
            before,
            "Unit vector from the previous joint to this one; a fixed one if both coincide.",
        );
        let meaning = "Cross product of d and b. The source, FABRIK with a bend rule, requires all three components to \
                       be positive.";
        self.sheet.define("c", cross(d, b), meaning);
        let bent = literal(d.get(), b.get());
        let turned = if bent == d.get() { 0.0 } else { 2.0 };
        let turn = self.sheet.given(
            "δ",
            Degrees(turned),
            "Angle of the literal rule: 0° if all components of c are positive, else 2°.",
        );
        let x = self.sheet.given("x", Vec3::X, "Fixed axis of the literal rule: x of model space.");
        self.end("forward reach, literal bend rule", q + length * (about(x, turn) * d))
    }

    pub(super) fn backward_reach(mut self) -> Option<Sheet> {
        let (index, bone) = self.bone()?;
        let q = self.joint("q", bone.from, self.now.positions[bone.from]);
        let normal = self.settings.bend().filter(|_| self.settings.bend_rule == BendRule::Mirror);
        let Some((normal, parent)) = normal.zip(bone.from.checked_sub(1)) else {
            let fallback = self.workspace.fallback;
            return Some(self.reach(index, q, fallback, "backward reach"));
        };
        let (p, length) = (self.moved(), self.length(index));
        let along = self.direction(p - q);
        let d = self.sheet.define("d", along, "Unit vector from q to the joint; a fixed one if both coincide.");
        let before = q.get().0 - self.now.positions[self.bones()[parent].from];
        let [normal, before] = self.bend(normal, before, parent);
        let side = cross(normal, before);
        let bent = self.bent(d, math::unit(side.get()).map(|_| side));
        Some(self.end("backward reach", q + length * bent))
    }

    pub(super) fn mirror(mut self) -> Option<Sheet> {
        mirror_normal(&self.workspace)?;
        let normal = self.bend_normal(self.workspace.bend?);
        let (target, root, p) = (self.target(), self.root(), self.moved());
        let meaning =
            "Orthogonal to N and to the line root – target, on the side where the bend rule puts the joints; unit.";
        let m = self.sheet.define("m", unit(cross(target - root, normal)), meaning);
        let h = self.sheet.define("h", (p - root) * m, "Position of the joint along m, from the root, in model units.");
        Some(self.end("mirrored by the bend rule", p - 2.0 * h * m))
    }

    pub(super) fn arc(mut self) -> Option<Sheet> {
        let (index, bone) = self.bone()?;
        let circle = Circle::new(self.chain, self.before, &self.workspace);
        let angle = circle.directions(self.chain.lengths()).nth(index)?;
        let q = self.joint("q", bone.from, self.now.positions[bone.from]);
        let length = self.length(index);
        let d = self.sheet.given(
            "d",
            circle.along,
            "Unit vector from the root to the target; along bone 0 if both coincide.",
        );
        let meaning = "Unit normal of the circle through root and target on which the joints are placed (bend_normal).";
        let n = self.sheet.given("n", circle.along.cross(circle.across), meaning);
        let meaning = "Angle about n from the line root – target to the bone, in degrees.";
        let angle = self.sheet.given("α", Degrees(angle.to_degrees() as f32), meaning);
        Some(self.end("laid on a circle by the bend rule", q + length * (about(n, angle) * d)))
    }

    pub(super) fn bend_normal(&mut self, normal: Vec3) -> Named<Vec3> {
        let meaning =
            "Normal of the bend rule: the cross product of neighbouring bones must point along it (bend_normal).";
        self.sheet.given("N", normal, meaning)
    }

    pub(super) fn root_returns(mut self) -> Sheet {
        let root = self.root();
        self.end("backward reach", root.term())
    }

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

    /// Explains the forward reach with branches, several targets or a target within the chain: the joint takes a single
    /// wanted position, or the centroid of several.
    pub(super) fn wants(mut self) -> Option<Sheet> {
        const PULL: &str = "Pull of this position: that of the target, or the sum over all targets at or \
                            beyond the bone's end (targets).";
        let of_target = self.meaning_of_target("this joint", "targets");
        let wants = self.wanted()?;
        let fallback = -self.workspace.fallback;
        if let [Want { by, .. }] = wants.as_slice() {
            return Some(match *by {
                Err(target) => {
                    let target = self.sheet.given("target", Point(target), of_target);
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
                        let target = self.sheet.given(q, Point(target), of_target.clone());
                        let place = self.pulled(target);
                        let meaning =
                            "Position wanted for the joint: p, moved toward the target by the fraction k; model units.";
                        self.sheet.define(name, place, meaning)
                    }
                    Err(target) => self.sheet.given(name, Point(target), of_target.clone()),
                    Ok(bone) => {
                        let q = self.joint(q, bone + 1, self.now.positions[bone + 1]);
                        let meaning = format!("Length of bone {bone}, in model units.");
                        let length = self.sheet.given(length, self.bones()[bone].length, meaning);
                        let place = q + length * self.unit(p - q, fallback);
                        self.sheet.define(
                            name,
                            place,
                            format!("Position that bone {bone} wants for the joint, in model units."),
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
            let meaning = "Position that a bone or a target wants for this joint, in model units.";
            places = self.sheet.each("want", wanted, meaning);
            pulls = self.sheet.each("pull", wants.iter().map(|want| want.pull), PULL);
        }
        let weighed = places.into_iter().zip(&pulls).map(|(place, &pull)| pull * place);
        let pulls = pulls.iter().map(|pull| pull.term());
        let (center, total) = match is_listed {
            true => (weighed.reduce(|a, b| a + b)?, pulls.reduce(|a, b| a + b)?),
            false => (sum(weighed), sum(pulls)),
        };
        let center = self.sheet.define("C", center, "Sum of the wanted positions, each times its pull.");
        let total = self.sheet.define("S", total, "Sum of the pulls of the wanted positions.");
        Some(self.end("centroid", (center / total).as_point()))
    }
}
