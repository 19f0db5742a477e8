//! Formulas of push and reach.

use glam::Vec3;

use super::{Instant, LIMB_NAMES, SMOOTHINGS, chain_key, effector_key, smoothing_sentence};
use crate::full_body::push::push_force;
use crate::key::label;
use crate::math::{self};
use crate::names::{Effector, Node};
use crate::notation::{Expression, Sheet, Term, clamp, length};
use crate::rig::LimbName;

impl Instant<'_> {
    pub(super) fn push(mut self, limb: LimbName) -> Option<Sheet> {
        let settings = self.frame.limb(limb);
        let (p1, v) = self.span(limb);
        if push_force(&settings, math::length(v.get())) <= 0.0 {
            return None;
        }
        let sheet = &mut self.sheet;
        let meaning = "Distance from the limb's first node to its last in the animated pose, in model units.";
        let distance = sheet.given("distance", settings.distance, meaning);
        let meaning = format!("How strongly the limb pushes, 0 to 1 ({}).", chain_key(limb, "push"));
        let push = sheet.given("push", settings.push, meaning);
        let [smoothing, _] = settings.smoothings();
        let curve = smoothing as usize;
        let smoothing = smoothing_sentence(smoothing, &chain_key(limb, "push_smoothing"));
        let force = sheet.define_on_curve(
            "f",
            (&SMOOTHINGS, curve),
            1.0 - length(v) / distance,
            format!("Force of the push, 0 to 1: grows as the limb is compressed. {smoothing}"),
        );
        let meaning =
            "Length of the push, as a fraction of the current distance from the limb's first node to its last, 0 to 1.";
        let share = sheet.define("s", force * push, meaning);
        let pushed = sheet.define("Δ", -v * share, "The push, in model units.");
        Some(self.sheet.end_shifted(format!("push, {}", limb.label()), p1, pushed))
    }

    pub(super) fn push_parent(mut self) -> Option<Sheet> {
        let body = self.node("body", Node::Body);
        let mut sum: Option<Term<Vec3>> = None;
        for (limb, names) in LimbName::ALL.into_iter().zip(&LIMB_NAMES) {
            let settings = self.frame.limb(limb);
            let [first, _, last] = Node::of_limb(limb);
            let span = self.place(last) - self.place(first);
            let force = push_force(&settings, math::length(span));
            if settings.push <= 0.0 || force <= 0.0 || settings.push_parent == 0.0 {
                continue;
            }
            let (sheet, label) = (&mut self.sheet, limb.label());
            let meaning =
                format!("Vector from the first node of the {label} to its last before the push, in model units.");
            let v = sheet.given(names.vector, span, meaning);
            let [smoothing, _] = settings.smoothings();
            let smoothing = smoothing_sentence(smoothing, &chain_key(limb, "push_smoothing"));
            let meaning = format!("Force of the push, 0 to 1: grows as the {label} is compressed. {smoothing}");
            let force = sheet.given(names.force, force, meaning);
            let meaning = format!("How strongly the {label} pushes, 0 to 1 ({}).", chain_key(limb, "push"));
            let push = sheet.given(names.push, settings.push, meaning);
            let meaning =
                format!("Share of the push that moves the body, −1 to 1 ({}).", chain_key(limb, "push_parent"));
            let parent = sheet.given(names.parent, settings.push_parent, meaning);
            let meaning = format!(
                "Push of the body, as a fraction of the distance from the {label}'s first node to its last; below 0 in the \
                 opposite direction."
            );
            let scale = sheet.define(names.scale, force * push * parent, meaning);
            let meaning = format!("Push of the body by the {label}, in model units.");
            let passed_on = sheet.define(names.displacement, -v * scale, meaning);
            sum = Some(sum.map_or_else(|| passed_on.term(), |sum| sum + passed_on));
        }
        Some(self.sheet.end_shifted("push, body", body, sum?))
    }

    pub(super) fn reach(mut self, limb: LimbName) -> Option<Sheet> {
        let settings = self.frame.limb(limb);
        let (p1, v) = self.span(limb);
        if math::length(v.get()) == 0.0 || settings.reach_force <= 0.0 || settings.length <= 0.0 {
            return None;
        }
        let (both, held) = (self.both_lengths(limb), self.first_weight(limb));
        let sheet = &mut self.sheet;
        let meaning = format!(
            "Reach times the position weight of the end effector and the master weight, 0 to 1 ({} · {} · solver.weight).",
            chain_key(limb, "reach"),
            effector_key(Effector::END[limb.index()], "position_weight")
        );
        let r = sheet.given("r", settings.reach_force, meaning);
        let stretch = sheet.define(
            "q",
            length(v) / both,
            "Stretch of the limb: the distance of its ends, as a fraction of its length; 1 is straight.",
        );
        let missing = clamp(stretch, (1.0 - r).evaluated(), (1.0 + r).evaluated()) - 1.0;
        let missing = sheet.define("s", missing, "Stretch of the limb minus 1, clamped to the range −r to r.");
        let [_, smoothing] = settings.smoothings();
        let curve = smoothing as usize;
        let smoothing = smoothing_sentence(smoothing, &chain_key(limb, "reach_smoothing"));
        let delta = sheet.define_on_curve(
            "δ",
            (&SMOOTHINGS, curve),
            clamp(missing + r, -1.0, 1.0),
            format!("Force of the reach: the limb moves outwards by this fraction of its length, before the limit in o. {smoothing}"),
        );
        let outwards = match settings.reach_limit == 1.0 {
            true => v / length(v) * both * clamp(delta, 0.0, length(v)),
            // With scale_free_reach, the limit is the stretch, which does not depend on the unit of length.
            false => v / length(v) * both * clamp(delta, 0.0, length(v) / both),
        };
        let outwards = sheet.define("o", outwards, "Displacement of the limb outwards, in model units.");
        let title = format!("reach, {}: {}", limb.label(), label(self.node.key()));
        if self.node == Node::of_limb(limb)[0] {
            let meaning = "Displacement of the first node, reduced by the weight of its own effector, in model units.";
            let moved = sheet.define("Δ", outwards * (1.0 - held), meaning);
            return Some(self.sheet.end_shifted(title, p1, moved));
        }
        let p3 = self.moved("p₃");
        Some(self.sheet.end_shifted(title, p3, outwards))
    }
}
