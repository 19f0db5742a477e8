//! Two bones in closed form, by the law of cosines. Source: *Full-body notes*, «SolveTrigonometric», for a single limb.

use std::ops::Range;

use glam::Vec3;

use super::chain::State;
use super::moves::{Cause, Move, move_joint};
use super::problem::{Problem, Workspace};
use crate::math::{clamp, length, ortho_normalize, unit};
use crate::stepped::{Flow, Watch};

#[inline(never)]
pub fn two_bone(problem: &Problem, state: &mut State, workspace: &Workspace, watch: &mut impl Watch<Move>) -> Flow {
    let settings = problem.settings;
    let [upper, lower] = [0, 1].map(|bone| problem.chain.bones()[bone].length);
    let root = workspace.root;
    let hint = match (settings.plane.or(settings.bend_normal), settings.bend_goal) {
        (_, Some(goal)) if settings.plane.is_none() => goal - root,
        (Some(normal), _) => (workspace.target - root).cross(normal),
        _ => state.positions[1] - root,
    };
    let limb = TwoBone { upper, lower, maximum_stretch: settings.maximum_stretch, soft_zone: settings.soft_zone };
    let [middle, end] = limb.solve(root, workspace.target, hint, workspace.fallback);
    move_joint(&mut state.positions, 1, middle, Cause::TwoBone, watch)?;
    move_joint(&mut state.positions, 2, end, Cause::TwoBone, watch)
}

/// Squared distances whose root and inverse are exact up to rounding. [`TwoBone::solve`] scales other distances first.
pub(crate) const SAFE_SQUARED: Range<f32> = 1e-20..1e30;
/// Length ratio of lower to upper bone below which rounding would show in the lower bone's length; the end is then
/// placed from the middle joint.
pub(crate) const SHORT: f32 = 0.25;

/// Lengths and reach of a limb of two bones, which [`Self::solve`] solves in closed form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBone {
    /// Length from root to middle joint; above 0, model units.
    pub upper: f32,
    /// Length from middle joint to end; above 0, model units.
    pub lower: f32,
    /// Maximum stretch as in [`Settings`](super::Settings): values up to 1 keep the lengths.
    pub maximum_stretch: f32,
    /// Soft zone as in [`Settings`](super::Settings): 0 disables it.
    pub soft_zone: f32,
}

impl TwoBone {
    /// Returns middle joint and end for a root and a target; same space for all. The middle joint is on the side of
    /// `hint`, a direction from the root. `fallback` is the limb's unit direction for a target on the root. Never
    /// panics; for lengths that are not above 0 and for numbers that are not finite, the points are arbitrary.
    #[inline]
    pub fn solve(&self, root: Vec3, target: Vec3, hint: Vec3, fallback: Vec3) -> [Vec3; 2] {
        let offset = target - root;
        let squared = offset.length_squared();
        let (distance, along) = match SAFE_SQUARED.contains(&squared) {
            true => (squared.sqrt(), offset * (1.0 / squared.sqrt())),
            false => (length(offset), unit(offset).unwrap_or(fallback)),
        };
        let total = self.upper + self.lower;
        let reached = self.reached(distance);
        // Beyond their length, both bones stretch by the same factor.
        let stretch = (reached / total).max(1.0);
        let [upper, lower] = [self.upper * stretch, self.lower * stretch];
        let reached = reached.max((upper - lower).abs());
        if reached >= upper + lower {
            let middle = root + along * upper;
            return [middle, root + along * reached];
        }
        let near = (upper * upper + reached * reached - lower * lower) / (2.0 * reached.max(1e-12));
        let near = clamp(near, -upper, upper);
        let across = ((upper - near) * (upper + near)).max(0.0).sqrt();
        let side = hint - along * along.dot(hint);
        let squared = side.length_squared();
        // Only a hint near the limb's line needs the slower `ortho_normalize`.
        let side = match squared > 1e-2 * hint.length_squared() && squared > 1e-20 && squared < 1e30 {
            true => side * (across / squared.sqrt()),
            false => ortho_normalize(along, hint) * across,
        };
        let middle = root + along * near + side;
        let end = root + along * reached;
        if lower > SHORT * upper {
            return [middle, end];
        }
        [middle, middle + unit(end - middle).unwrap_or(along) * lower]
    }

    /// Returns the distance from root to end for a target at `distance`, by maximum stretch and soft zone alone. The
    /// result may be less than the folded limb's length. Model units.
    #[inline]
    pub fn reached(&self, distance: f32) -> f32 {
        let farthest = (self.upper + self.lower) * self.maximum_stretch;
        if self.soft_zone <= 0.0 {
            return distance.min(farthest);
        }
        // Linear up to `hard`; beyond, an exponential with the same slope that approaches `farthest`.
        let zone = farthest * self.soft_zone;
        let hard = farthest - zone;
        if distance <= hard { distance } else { farthest - zone * (-(distance - hard) / zone).exp() }
    }
}
