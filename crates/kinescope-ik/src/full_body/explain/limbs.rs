//! Formulas of the trigonometric pass, the bend pass, and the forward and backward reach of limbs.

use glam::{Quat, Vec3};

use super::{Instant, at_length, chain_key, effector_key};
use crate::full_body::bend_constraint::bend_source;
use crate::full_body::moves::Cause;
use crate::full_body::recording::Recording;
use crate::full_body::trigonometric::MAX_LIMB_LENGTH;
use crate::key::label;
use crate::math::{self, STRAIGHT_SINE, ZERO_LENGTH, from_to_rotation, sine};
use crate::names::{Effector, Node};
use crate::notation::{
    Named, Point, Sheet, Term, across, cross, length, max, min, mix_vectors, sqrt, square, twice, unit,
};
use crate::rig::LimbName;

/// Span, base and law of cosines: the first lines of the trigonometric and of the bend formula.
struct Triangle {
    first: Named<Point>,
    span: Named<Vec3>,
    /// The second node's position along the base and across it; `None` for a limb without length.
    bend: Option<[Named<f32>; 2]>,
}

impl Instant<'_> {
    fn triangle(&mut self, limb: LimbName) -> Option<Triangle> {
        let ([upper, lower], both) = (self.lengths(limb), self.both_lengths(limb));
        let (first, span) = self.span(limb);
        if math::length(span.get()) < ZERO_LENGTH {
            return None;
        }
        let sheet = &mut self.sheet;
        let meaning = "Base of the triangle, in model units; limited so that the limb never gets fully straight.";
        let base = sheet.define("s", min(length(span), MAX_LIMB_LENGTH * both), meaning);
        if base.get() <= 0.0 {
            return Some(Triangle { first, span, bend: None });
        }
        let meaning = "Difference of the squared bone lengths, in square model units.";
        let squares = sheet.define("k", square(upper) - square(lower), meaning);
        let meaning = "Position of the second node along the base, in model units (law of cosines).";
        let x = sheet.define("x", (square(base) + squares) / twice(base), meaning);
        let meaning = "Distance of the second node from the base, in model units.";
        let y = sheet.define("y", sqrt(max(0.0, square(upper) - square(x))), meaning);
        Some(Triangle { first, span, bend: Some([x, y]) })
    }

    fn place_across(mut self, limb: LimbName, triangle: &Triangle, bend: Named<Vec3>, title: String) -> Sheet {
        let Triangle { first, span, bend: point } = *triangle;
        self.node("p₂", Node::of_limb(limb)[1]);
        let Some([x, y]) = point else { return self.sheet.end(title, "p₂", first) };
        let mut beside = bend;
        if sine(bend.get(), span.get()) < STRAIGHT_SINE {
            let [from, _, to] = Node::of_limb(limb).map(|node| self.frame.bone(node));
            let turned = from_to_rotation(to - from, span.get()) * self.frame.limb(limb).default_direction;
            let meaning = "Unit vector: the limb's default bend direction, turned with the limb; used because b is \
                           zero or parallel to the limb.";
            beside = self.sheet.given("d", turned, meaning);
        }
        let meaning = match sine(bend.get(), span.get()) < STRAIGHT_SINE {
            true => "Unit vector across the limb, on the side of d.",
            false => "Unit vector across the limb, on the side of b.",
        };
        let t = self.sheet.define("t", across(beside, span), meaning);
        self.sheet.end(title, "p₂", first + unit(span) * x + t * y)
    }

    pub(super) fn trigonometric(mut self, limb: LimbName) -> Option<Sheet> {
        let triangle = self.triangle(limb)?;
        let p2 = self.node("p₂", Node::of_limb(limb)[1]);
        let meaning = "Bend direction: vector from the limb's first node to its second, in model units. Keeps the side \
                       of elbow or knee.";
        let bend = self.sheet.define("b", p2 - triangle.first, meaning);
        Some(self.place_across(limb, &triangle, bend, format!("trigonometric, {}", limb.label())))
    }

    pub(super) fn bend(mut self, limb: LimbName, recording: &Recording, step: usize) -> Option<Sheet> {
        let settings = self.frame.limb(limb);
        let author = recording.author_of(Cause::Bend(limb));
        let triangle = self.triangle(limb)?;
        let goal = settings.goal().filter(|&goal| goal != triangle.first.get().0);
        let given = match (goal, settings.direction()) {
            (Some(goal), _) => {
                let meaning = format!(
                    "Position of the bend goal (pole vector), in model units ({}).",
                    chain_key(limb, "bend_goal")
                );
                Some(unit(self.sheet.given("goal", Point(goal), meaning) - triangle.first))
            }
            (None, Some(direction)) => {
                let found = recording.solve.state_before(step);
                let hooks = recording.hooks().filter(|_| author.is_some());
                let formula =
                    hooks.and_then(|hooks| hooks.bend_formula(limb, found, &recording.frame, &mut self.sheet));
                let meaning = match author {
                    Some(author) => format!("Bend direction set by {}, of any length.", author.label()),
                    None => format!("Bend direction, of any length ({}).", chain_key(limb, "bend_direction")),
                };
                Some(unit(match formula {
                    Some(formula) => self.sheet.define("direction", formula, meaning),
                    None => self.sheet.given("direction", direction, meaning),
                }))
            }
            (None, None) => None,
        };
        let source = bend_source(self.frame, &self.state, limb).label();
        let meaning = format!("Bend direction of the limb, of any length, mainly {source}.");
        let weight = settings.bend_weight;
        let bend = match given {
            Some(given) if weight >= 1.0 => given,
            Some(given) if weight > 0.0 => {
                let natural = self.natural_direction(limb);
                let meaning = "Bend direction from animation, effector rotation and torso, before the bend goal or given \
                               direction acts; of any length.";
                let natural = self.sheet.define("n", natural, meaning);
                let key = match author {
                    Some(author) => author.label(),
                    None => chain_key(limb, "bend_weight"),
                };
                let meaning = format!("Bend weight times the master weight, 0 to 1 ({key} · solver.weight).");
                let weight = self.sheet.given("w", weight, meaning);
                mix_vectors(unit(natural), given, weight)
            }
            _ => self.natural_direction(limb),
        };
        let bend = self.sheet.define("b", bend, meaning);
        Some(self.place_across(limb, &triangle, bend, format!("bend, {}, {source}", limb.label())))
    }

    /// Returns a limb's bend direction before a bend goal or given direction acts, and adds its inputs to the sheet:
    /// animation, effector rotation and torso plane.
    fn natural_direction(&mut self, limb: LimbName) -> Term<Vec3> {
        let (frame, settings) = (self.frame, self.frame.limb(limb));
        let nodes = Node::of_limb(limb);
        let [first, second, last] = nodes.map(|node| frame.bone(node));
        let span = self.place(nodes[2]) - self.place(nodes[0]);
        let sheet = &mut self.sheet;
        let meaning = "The rotation of the limb from the animated pose to v, as an angle.";
        let turn = sheet.given("R", from_to_rotation(last - first, span), meaning);
        let animated = match settings.is_straight() {
            true => {
                let meaning =
                    "The limb's default bend direction; used because the limb is straight in the animated pose.";
                sheet.given("a", settings.default_direction, meaning)
            }
            false => sheet.given("a", second - first, "Vector of the limb's first bone as animated, in model units."),
        };
        let mut direction = turn * animated;
        let effector = Effector::END[limb.index()];
        let rotation = frame.effector(effector);
        if rotation.rotation_weight > 0.0 {
            let meaning = "Vector from the limb's first node to its last, in model units.";
            let v = sheet.given("v", span, meaning);
            let key = effector_key(effector, "rotation");
            let meaning = format!(
                "Normal of the limb's plane in the reference pose, rotated by the effector's target rotation ({key}); shorter than 1 \
                 if the limb is bent in that pose."
            );
            let normal = sheet.given("e", rotation.rotation * settings.default_child, meaning);
            let key = effector_key(effector, "rotation_weight");
            let meaning = format!("Rotation weight times the master weight, 0 to 1 ({key} · solver.weight).");
            let weight = sheet.given("w_r", rotation.rotation_weight, meaning);
            direction = mix_vectors(direction, cross(normal, v), weight);
        }
        let turned = self.state.plane_rotation_offset(limb);
        if turned == Quat::IDENTITY {
            return direction;
        }
        let back = from_to_rotation(turned * span, span);
        let meaning = "Rotation of the torso plane since the animated pose, weighted by maintain_relative_position, without its swing: a \
                       twist about v, as an angle.";
        sheet.given("T", back * turned, meaning) * direction
    }

    /// Explains how forward or backward reach moves the node `moving` along the line from `other`, to the distance
    /// `bone` from it.
    fn joint(mut self, [moving, other]: [(&'static str, Node); 2], bone: Named<f32>, title: &str) -> Sheet {
        let names = [other, moving].map(|(_, node)| label(node.key()));
        let places = [self.node(moving.0, moving.1), self.node(other.0, other.1)];
        let to = at_length(&mut self.sheet, places, bone, [&names[0], &names[1]]);
        self.sheet.end(format!("{title}: {}", names[1]), moving.0, to)
    }

    pub(super) fn forward_reach(mut self, limb: LimbName) -> Option<Sheet> {
        let [first, second, last] = Node::of_limb(limb);
        let [upper, lower] = self.lengths(limb);
        let title = format!("forward reach, {}", limb.label());
        match self.node {
            node if node == second => Some(self.joint([("p₂", second), ("p₃", last)], lower, &title)),
            node if node == first => Some(self.joint([("p₁", first), ("p₂", second)], upper, &title)),
            _ => None,
        }
    }

    pub(super) fn backward_reach(mut self, limb: LimbName) -> Option<Sheet> {
        let [first, second, last] = Node::of_limb(limb);
        let ([upper, lower], root) = (self.lengths(limb), self.root("root", limb));
        let title = format!("backward reach, {}", limb.label());
        match self.node {
            node if node == first => Some(self.joint([("p₁", first), ("body", Node::Body)], root, &title)),
            node if node == second => Some(self.joint([("p₂", second), ("p₁", first)], upper, &title)),
            node if node == last => Some(self.joint([("p₃", last), ("p₂", second)], lower, &title)),
            _ => None,
        }
    }
}
