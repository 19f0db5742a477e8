//! Formulas of straightening and folding a chain.

use glam::{Quat, Vec3};

use super::Instant;
use crate::chain_ik::straighten::{Bend, MAX_STEP_FACTOR, Plan, plan, scaled};
use crate::notation::{Expression, Named, Point, Sheet, acos, clamp, fraction, half, length, sqrt, square, sum, unit};

impl<'a> Instant<'a> {
    pub(super) fn straighten(mut self) -> Option<Sheet> {
        let (index, bone) = self.bone()?;
        let plan = plan(&self.recording.problem(), self.before, &mut self.workspace.clone())?;
        let places = &self.before.positions;
        let offset = places[index + 1] - places[index];
        let (root, target, e) = (self.root(), self.target(), self.end_joint(self.before.end()));
        let q = self.joint("q", bone.from, self.now.positions[bone.from]);
        let meaning = "Distance from the root to the end, in model units.";
        let distance = self.sheet.define("d", length(e - root), meaning);
        let wanted =
            self.sheet.define("D", length(target - root), "Distance from the root to the target, in model units.");
        match plan.bend {
            Bend::Scale { line, steps, from, .. } => {
                let k = self.amplitude(line, [distance, wanted], steps, from);
                let swing = self
                    .swing(&plan, "Position of the end with all offsets scaled by k, before the swing; model units.");
                let length = self.length(index);
                let along = offset.dot(line);
                let meaning = format!("Part of the vector of bone {index} along the line root – end, in model units.");
                let v = self.sheet.given("v", line * along, meaning);
                let meaning = format!("Part of the vector of bone {index} across the line root – end, in model units.");
                let o = self.sheet.given("o", offset - line * along, meaning);
                let way = self.flat(swing * (v + k * o));
                let w = self.sheet.define(
                    "w",
                    way,
                    "Vector of the bone after scaling and swing, before its length is restored; model units.",
                );
                Some(self.end("straightened", q + length * unit(w)))
            }
            Bend::Fold { joint, is_slight, onward, .. } => {
                let why = match is_slight {
                    true => "the middle joint, as the end is almost at the target",
                    false => "the joint that has to rotate least",
                };
                let sheet = &mut self.sheet;
                let meaning = format!("Position of joint {joint}, which bends ({why}); model units.");
                let j = sheet.given("j", Point(places[joint]), meaning);
                let meaning = "Distance from the root to the joint that bends, in model units.";
                let r = sheet.given("r", length(j - root).get(), meaning);
                let meaning = "Distance from the joint that bends to the end, in model units.";
                let s = sheet.given("s", length(e - j).get(), meaning);
                let folded = acos((square(r) + square(s) - square(wanted)) / (2.0 * r * s));
                let meaning = "Angle at joint j that makes d equal to D, by the law of cosines; degrees.";
                sheet.define("α", folded, meaning);
                let meaning = "Vector from joint j to the end at the angle α, before the swing; model units.";
                let f = sheet.given("f", onward, meaning);
                let bend = self.turn_between(e - j, f.term());
                let meaning = "The rotation of the bones beyond joint j that makes the joint's angle α, in degrees.";
                let bend = self.sheet.define("T", bend, meaning);
                let swing = self.swing(&plan, "Position of the end with joint j bent, before the swing; model units.");
                let meaning = format!("Vector of bone {index} before this step, in model units.");
                let b = self.sheet.given("b", offset, meaning);
                let moved = if index < joint { swing * b } else { swing * (bend * b) };
                let moved = self.flat(moved);
                Some(self.end("folded", q + moved))
            }
        }
    }

    /// Adds the amplitude `k` that Newton's method found, with which the distance from root to end should change from
    /// `d` to `D`. Shows the last of the `steps`; `from` has the squared amplitude and the distance before that step.
    fn amplitude(&mut self, line: Vec3, [d, wanted]: [Named<f32>; 2], steps: usize, from: [f32; 2]) -> Named<f32> {
        if steps == 0 {
            let meaning = "Factor of all offsets from the line root – end: 1, because d is within the tolerance of D.";
            return self.sheet.define("k", 1.0, meaning);
        }
        let parts = self.bones().iter().zip(self.before.positions.windows(2)).map(|(bone, joints)| {
            let offset = joints[1] - joints[0];
            let along = offset.dot(line);
            bone.length * (along / scaled(offset, along, line, from[0].sqrt()).length())
        });
        let parts: Vec<f32> = parts.collect();
        let by_then = if steps == 1 { "" } else { ", at the squared amplitude A₁" };
        let sheet = &mut self.sheet;
        let meaning = format!("Part of each bone's vector along the line root – end, in model units{by_then}.");
        let t = sheet.each("t", parts, meaning);
        let l = sheet.each("l", self.chain.lengths().iter().copied(), "Length of each bone, in model units.");
        let lost = |(t, l): (Named<f32>, Named<f32>)| t * (1.0 - square(t / l));
        let parts = t.into_iter().zip(l).map(lost);
        let of_slope = "Derivative of the end's distance from the root with respect to the squared amplitude of the bend, in model units.";
        let of_amplitude = format!(
            "Factor of all offsets from the line root – end: the amplitude that brings d to D, or nearer. One step \
             of Newton's method changes k² at most by the factor {MAX_STEP_FACTOR}."
        );
        if steps == 1 {
            let slope = sheet.define("slope", -half() * sum(parts), of_slope);
            let meaning = "Squared amplitude of the bend after one step of Newton's method, not yet limited; 1 is the \
                           bend before that step.";
            let squared = sheet.define("A", 1.0 + (wanted - d) / slope, meaning);
            return sheet.define("k", sqrt(clamp(squared, fraction(MAX_STEP_FACTOR), MAX_STEP_FACTOR)), of_amplitude);
        }
        let meaning = format!(
            "Squared amplitude of the bend before the last of {steps} steps of Newton's method; 1 is the bend before the \
             first."
        );
        let before = sheet.given("A₁", from[0], meaning);
        let d = sheet.given(
            "d₁",
            from[1],
            "Distance from the root to the end at the squared amplitude A₁, in model units.",
        );
        let slope = sheet.define("slope", -half() * sum(parts.map(|part| part / before)), of_slope);
        let meaning = format!("Squared amplitude of the bend after {steps} steps of Newton's method, not yet limited.");
        let squared = sheet.define("A", before + (wanted - d) / slope, meaning);
        sheet.define("k", sqrt(clamp(squared, before / MAX_STEP_FACTOR, MAX_STEP_FACTOR * before)), of_amplitude)
    }

    pub(super) fn swing(&mut self, plan: &Plan, meaning: &str) -> Named<Quat> {
        let (root, target) = (self.root(), self.target());
        let e1 = self.sheet.given("e₁", Point(self.root + plan.to_end), meaning);
        let swing = self.turn_between(e1 - root, target - root);
        self.sheet.define("R", swing, "The rotation that swings the end onto the line to the target, in degrees.")
    }
}
