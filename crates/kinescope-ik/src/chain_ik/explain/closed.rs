//! Formula of a two-bone solve by the closed form.

use super::Instant;
use crate::chain_ik::settings::Solver;
use crate::chain_ik::two_bone::{SHORT, TwoBone};
use crate::math;
use crate::notation::{Expression, Named, Sheet, across, exp, length, max, min, size, sqrt, square, unit};

impl<'a> Instant<'a> {
    pub(super) fn two_bone(mut self) -> Option<Sheet> {
        let settings = self.settings;
        let (&[first, second], &[_, middle, _]) = (self.bones(), self.before.positions.as_slice()) else { return None };
        if settings.solver != Solver::TwoBone {
            return None;
        }
        let (hint, why) = match (settings.plane.or(settings.bend_normal), settings.bend_goal) {
            (_, Some(goal)) if settings.plane.is_none() => {
                (goal - self.root, "from the root to the bend goal (bend_goal)")
            }
            (Some(normal), _) => (
                (self.target - self.root).cross(normal),
                "orthogonal to the line root – target and to the normal (plane, or bend_normal without a plane)",
            ),
            _ => (middle - self.root, "from the root to the middle joint before this step"),
        };
        let limb = TwoBone {
            upper: first.length,
            lower: second.length,
            maximum_stretch: settings.maximum_stretch,
            soft_zone: settings.soft_zone,
        };
        let (root, target) = (self.root(), self.target());
        let meaning = "Distance from the root to the target, in model units.";
        let distance = self.sheet.define("d", length(target - root), meaning);
        let mut reached = self.reached(&limb, distance);
        let factor = (reached.get() / (limb.upper + limb.lower)).max(1.0);
        let stretched = if factor > 1.0 { ", stretched toward the target" } else { "" };
        let [a, b] = [("a", 0, limb.upper), ("b", 1, limb.lower)].map(|(name, bone, length)| {
            let meaning = format!("Length of bone {bone}{stretched}; model units.");
            self.sheet.given(name, length * factor, meaning)
        });
        if reached.get() < (a.get() - b.get()).abs() {
            let meaning = "Distance from the root to the end: reach, or |a − b| if that is larger; model units.";
            reached = self.sheet.define("c", max(reached, size(a - b)), meaning);
        }
        let along = self.unit(target - root, self.workspace.fallback);
        let meaning = "Unit vector from the root to the target; a fixed one if both coincide.";
        let u = self.sheet.define("u", along, meaning);
        let is_middle = self.moved.joint == 1;
        if is_middle && reached.get() >= a.get() + b.get() {
            return Some(self.end("two bones", root + a * u));
        }
        let end = root + reached * u;
        if !is_middle {
            if reached.get() >= a.get() + b.get() || b.get() > SHORT * a.get() {
                return Some(self.end("two bones", end));
            }
            let m = self.joint("m", 1, self.now.positions[1]);
            let e = self.sheet.define("e", end, "Position of the end, up to rounding, in model units.");
            let way = if math::unit((e - m).get()).is_some() { unit(e - m) } else { u.term() };
            let meaning = "Unit vector from the middle joint to e, or u if both coincide. It keeps the short bone's \
                           length exact to the last digit.";
            let s = self.sheet.define("s", way, meaning);
            return Some(self.end("two bones", m + b * s));
        }
        let near = match reached.get() < 1e-12 {
            true => 0.0.term(),
            false => (square(a) + square(reached) - square(b)) / (2.0 * reached),
        };
        let sheet = &mut self.sheet;
        let meaning = "Position of the middle joint along u, from the root, by the law of cosines; model units.";
        let near = sheet.define("near", near, meaning);
        let beside = sqrt(max(0.0, (a - near) * (a + near)));
        let beside =
            sheet.define("beside", beside, "Distance of the middle joint from the line root – target, in model units.");
        let hint =
            sheet.given("hint", hint, format!("Direction in which the middle joint bends, of any length: {why}."));
        let side = sheet.define(
            "side",
            across(hint, u),
            "Unit vector orthogonal to u, to the side on which the middle joint bends.",
        );
        Some(self.end("two bones", root + near * u + beside * side))
    }

    fn reached(&mut self, limb: &TwoBone, distance: Named<f32>) -> Named<f32> {
        let farthest = (limb.upper + limb.lower) * limb.maximum_stretch;
        let zone = farthest * limb.soft_zone;
        let sheet = &mut self.sheet;
        let meaning = "Largest reach of the limb, in model units (maximum_stretch).";
        let far = sheet.given("far", farthest, meaning);
        let meaning = "Distance from the root at which the soft zone begins, in model units (soft_zone).";
        let hard = sheet.given("hard", farthest - zone, meaning);
        let meaning = "Length of the soft zone, in model units; 0 is no soft zone (soft_zone).";
        let zone = sheet.given("zone", zone, meaning);
        let reach = match (limb.soft_zone <= 0.0, distance.get() <= hard.get()) {
            (true, _) => min(distance, far),
            (_, true) => min(distance, hard),
            _ => far - zone * exp((hard - distance) / zone),
        };
        sheet.define("reach", reach, "The distance d, limited by maximum stretch and soft zone; model units.")
    }
}
