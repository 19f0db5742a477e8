//! Formulas of the centroid in stage 1 and of the torso's constraints in stages 1 and 2.

use glam::Vec3;

use super::{Instant, LIMB_NAMES, chain_key, effector_key};
use crate::full_body::child_constraint::PAIRS;
use crate::full_body::stage2::constraint_rounds;
use crate::full_body::state::Frame;
use crate::key::label;
use crate::math::{self, ZERO_LENGTH};
use crate::names::{Effector, Node};
use crate::notation::{Expression, Named, Point, Sheet, half, length, max, sum};
use crate::rig::LimbName;

struct Correction {
    /// Vector from the first node to the second, in model units.
    v: Named<Vec3>,
    /// Fraction by which the constraint shortens `v`; below 0 the constraint lengthens `v`.
    f: Named<f32>,
    /// The first node's share; the second node takes the rest.
    c: Named<f32>,
}

impl Instant<'_> {
    pub(super) fn centroid(mut self) -> Sheet {
        let frame = self.frame;
        let body = self.node("body", Node::Body);
        let meaning = "Pull of each limb, 0 to 1 (chains.left_arm.pull and so on).";
        let pulls = self.sheet.each("pull_i", LimbName::ALL.map(|limb| frame.limb(limb).pull), meaning);
        let total = max(1.0, sum(pulls.iter().map(|pull| pull.term())));
        let total = self.sheet.define("P", total, "Pull parent sum: the sum of the limbs' pull, at least 1.");
        let scales = LimbName::ALL.into_iter().zip(&LIMB_NAMES).map(|(limb, names)| {
            let root = self.root(names.root, limb);
            let first = Node::of_limb(limb)[0];
            let distance = math::length(self.place(first) - self.place(Node::Body));
            let (sheet, first) = (&mut self.sheet, label(first.key()));
            let meaning = format!("Distance from the body to the {first} before this move, in model units.");
            let d = sheet.given(names.distance, distance, meaning);
            let key = chain_key(limb, "pull");
            let meaning = format!("Share of the {}: its pull over P, 0 to 1 ({key}).", limb.label());
            let share = sheet.given(names.share, frame.limb(limb).pull / total.get(), meaning);
            let limb = limb.label();
            // Coincident nodes have no direction; the limb then pulls the body to its first node, by its share.
            let (stretch, meaning) = match distance >= ZERO_LENGTH {
                true => {
                    let what = format!("enough to restore its root length, times its share; below 0 the {limb} pushes");
                    ((1.0 - root / d) * share, format!("by which the {limb} pulls the body: {what}"))
                }
                false => {
                    (share.term(), format!("by which the {limb} pulls the body: its share, as the two nodes coincide"))
                }
            };
            let meaning = format!("The fraction of the vector to the {first} {meaning}.");
            sheet.define(names.scale, stretch, meaning).get()
        });
        let scales: Vec<f32> = scales.collect();
        let firsts = LimbName::ALL.map(|limb| Point(self.place(Node::of_limb(limb)[0])));
        let sheet = &mut self.sheet;
        let pin = sheet.given("pin", frame.pin, "How much the body resists the pull, 0 to 1 (chains.body.pin).");
        let firsts = sheet.each("p_i", firsts, "Position of each limb's first node before this move, in model units.");
        let scales = sheet.each(
            "s_i",
            scales,
            "Fraction of the vector to a limb's first node by which the limb pulls the body; below 0 the limb pushes.",
        );
        let moved = sum(firsts.into_iter().zip(scales).map(|(first, scale)| (first - body) * scale));
        let moved =
            sheet.define("Δ", moved, "Displacement by the pull of all limbs, before pin reduces it; model units.");
        self.sheet.end_shifted("centroid, body", body, moved * (1.0 - pin))
    }

    pub(super) fn child_constraint(mut self, index: u8, round: Option<u8>) -> Option<Sheet> {
        let frame = self.frame;
        let constraint = *frame.child_constraints().get(usize::from(index))?;
        let pair = *PAIRS.get(usize::from(index))?;
        let [a, b] = [self.node("a", pair[0]), self.node("b", pair[1])];
        let sheet = &mut self.sheet;
        let v = sheet.define("v", b - a, "Vector from a to b, in model units.");
        let distance = math::length(v.get());
        if distance < ZERO_LENGTH {
            return None;
        }
        let meaning = "Distance between the bones of a and b in the animated pose, in model units.";
        let nominal = sheet.given("nominal", constraint.nominal_distance, meaning);
        let meaning = "The fraction by which the constraint shortens v; below 0 the constraint lengthens v.";
        let strain = 1.0 - nominal / length(v);
        let f = match constraint.is_rigid() {
            true => sheet.define("f", strain, meaning),
            false => {
                let (elasticity, source) = match distance > constraint.nominal_distance {
                    true => (constraint.pull_elasticity, "Pull elasticity: 1, as the constraint only pushes."),
                    false => {
                        (constraint.push_elasticity, "Push elasticity: 1 − spine stiffness (solver.spine_stiffness).")
                    }
                };
                let elasticity = sheet.given("e", elasticity.max(0.0), source);
                let strain = sheet.define(
                    "g",
                    strain,
                    "Fraction of v by which v is longer than in the animated pose; below 0, v is shorter.",
                );
                sheet.define("f", (1.0 - elasticity) * strain, meaning)
            }
        };
        let share = match (constraint.is_rigid(), pair[0].limb(), pair[1].limb()) {
            (true, Some(limb_a), Some(limb_b)) => {
                let [a, b] = [("pull_a", limb_a), ("pull_b", limb_b)].map(|(name, limb)| {
                    let meaning = format!("Pull of the {}, 0 to 1 ({}).", limb.label(), chain_key(limb, "pull"));
                    sheet.given(name, frame.limb(limb).pull, meaning)
                });
                half() - half() * (a - b)
            }
            _ => half(),
        };
        let c = sheet.define("c", share, "Share of a in the correction, 0 to 1; b takes the rest.");
        let kind = if constraint.is_rigid() { "rigid" } else { "push-only" };
        let title = format!("{kind}, {}, {}", pair_label(pair), round_label(frame, round));
        self.correct([(pair[0], a), (pair[1], b)], &Correction { v, f, c }, title)
    }

    pub(super) fn linear_constraint(mut self, limb: LimbName, round: u8) -> Option<Sheet> {
        let frame = self.frame;
        let first = Node::of_limb(limb)[0];
        let (body, p1, root) = (self.node("body", Node::Body), self.node("p₁", first), self.root("root", limb));
        let held = self.first_weight(limb);
        let sheet = &mut self.sheet;
        let meaning = format!("Vector from the body to the {}, in model units.", label(first.key()));
        let v = sheet.define("v", p1 - body, meaning);
        if math::length(v.get()) < ZERO_LENGTH {
            return None;
        }
        let meaning = "The fraction by which the constraint shortens v; below 0 the constraint lengthens v.";
        let f = sheet.define("f", 1.0 - root / length(v), meaning);
        let key = effector_key(Effector::Body, "position_weight");
        let meaning = format!("Position weight of the body times the master weight, 0 to 1 ({key} · solver.weight).");
        let body_weight = sheet.given("w_body", frame.effector(Effector::Body).position_weight, meaning);
        let meaning = "Position weight on the first node of each limb times the master weight, 0 to 1.";
        let weights = sheet.each("w_i", LimbName::ALL.map(|limb| frame.limb(limb).first_position_weight), meaning);
        let pulls = sheet.each("pull_i", LimbName::ALL.map(|limb| frame.limb(limb).pull), "Pull of each limb, 0 to 1.");
        let total = sum(weights.into_iter().zip(pulls).map(|(weight, pull)| weight * pull));
        let meaning = "w_body plus the sum of w_i · pull_i over all limbs; at least 1.";
        let total = sheet.define("S", max(1.0, body_weight + total), meaning);
        let meaning = format!("Pull of the limb, 0 to 1 ({}).", chain_key(limb, "pull"));
        let pull = sheet.given("pull", frame.limb(limb).pull, meaning);
        let meaning = "The body's share in the correction, 0 to 1.";
        let c = sheet.define("c", held * pull / total, meaning);
        let title = format!("body – {}, {}", label(first.key()), round_label(frame, Some(round)));
        self.correct([(Node::Body, body), (first, p1)], &Correction { v, f, c }, title)
    }

    /// Ends the formula of a child or linear constraint: the first node moves along `v`, the second against it.
    fn correct(mut self, nodes: [(Node, Named<Point>); 2], by: &Correction, title: String) -> Option<Sheet> {
        let Correction { v, f, c } = *by;
        let meaning = "This node's share of the correction, in model units.";
        match nodes.map(|(node, _)| node == self.node) {
            [true, _] => {
                let moved = self.sheet.define("Δ", v * f * c, meaning);
                Some(self.sheet.end_shifted(title, nodes[0].1, moved))
            }
            [_, true] => {
                let moved = self.sheet.define("Δ", v * f * (1.0 - c), meaning);
                Some(self.sheet.end_shifted_back(title, nodes[1].1, moved))
            }
            _ => None,
        }
    }
}

/// Returns `left – right upper arm`, or both names in full if they differ in more than the side.
fn pair_label([a, b]: [Node; 2]) -> String {
    let (a, b) = (label(a.key()), label(b.key()));
    match (a.split_once(' '), b.split_once(' ')) {
        (Some((side, bone)), Some((_, other))) if bone == other => format!("{side} – {b}"),
        _ => format!("{a} – {b}"),
    }
}

fn round_label(frame: &Frame, round: Option<u8>) -> String {
    match round {
        Some(round) => format!("round {} of {}", u32::from(round) + 1, constraint_rounds(frame.iterations)),
        None => "stage 1".to_owned(),
    }
}
