//! Child constraints: what keeps shoulders and hips at their distances. Source: *Full-body notes*, «ChildConstraint».

use crate::lanes::Number;
use crate::math::ZERO_LENGTH;
use crate::names::Node;

/// The pairs, in solving order: the torso's two diagonals, then shoulders, then hips. Neither of a [`Pairing`](crate::lanes::Pairing)'s two sees
/// what the other does.
pub const PAIRS: [[Node; 2]; 4] = [
    [Node::LeftUpperArm, Node::RightThigh],
    [Node::RightUpperArm, Node::LeftThigh],
    [Node::LeftUpperArm, Node::RightUpperArm],
    [Node::LeftThigh, Node::RightThigh],
];

/// A child constraint in few words: the torso's diagonals by their limbs, shoulders and hips by their bones.
pub fn constraint_label(index: usize) -> &'static str {
    let names = ["left arm – right thigh", "right arm – left thigh", "upper arms", "thighs"];
    names.get(index).copied().unwrap_or_default()
}

/// One constraint for one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChildConstraint<R: Number = f32> {
    /// 0: never shorter than nominal; 1: as short as it likes.
    pub push_elasticity: R,
    /// 0: never longer than nominal; 1: as long as it likes.
    pub pull_elasticity: R,
    /// Distance of the two bones in the animated pose.
    pub nominal_distance: R,
    /// Share of the first node in a correction; the second has the rest.
    pub cross_fade: R,
}

impl<R: Number> ChildConstraint<R> {
    /// One that keeps nothing apart.
    pub(super) fn none(token: R::Token) -> Self {
        let zero = R::splat(token, 0.0);
        Self { push_elasticity: zero, pull_elasticity: zero, nominal_distance: zero, cross_fade: zero }
    }

    /// For one frame; `pull` is that of the two limbs.
    #[inline(always)]
    pub fn new(push_elasticity: R, pull_elasticity: R, nominal_distance: R, pull: [R; 2]) -> Self {
        let (zero, half) = (nominal_distance.like(0.0), nominal_distance.like(0.5));
        let gives = push_elasticity.gt(zero) | pull_elasticity.gt(zero);
        let cross_fade = R::select(gives, half, half - half * (pull[0] - pull[1]));
        Self { push_elasticity, pull_elasticity, nominal_distance, cross_fade }
    }

    /// The fraction of the vector between the nodes by which this constraint shortens it (below 0: lengthens). Nodes
    /// whose distance counts as zero have no direction to be pushed apart in, and stay.
    #[inline(always)]
    pub fn force(&self, distance: R) -> R {
        let (zero, one) = (distance.like(0.0), distance.like(1.0));
        let is_long = distance.gt(self.nominal_distance);
        let elasticity = R::select(is_long, self.pull_elasticity, self.push_elasticity);
        // Rigid ones, below 0 too, have none; with 1 there is nothing to do.
        let stiffness = one - elasticity.greater(zero);
        let applies = stiffness.gt(zero) & !distance.lt(distance.like(ZERO_LENGTH));
        R::select(applies, stiffness * (one - self.nominal_distance / distance), zero)
    }

    pub(super) fn lane(&self, lane: usize) -> ChildConstraint {
        ChildConstraint {
            push_elasticity: self.push_elasticity.lane(lane),
            pull_elasticity: self.pull_elasticity.lane(lane),
            nominal_distance: self.nominal_distance.lane(lane),
            cross_fade: self.cross_fade.lane(lane),
        }
    }
}

impl ChildConstraint {
    /// No elasticity either way. The others only push.
    pub fn is_rigid(&self) -> bool {
        self.push_elasticity <= 0.0 && self.pull_elasticity <= 0.0
    }

    /// How much longer (above 0) or shorter the pair is than nominal, as a fraction; 0 for a nominal distance that
    /// counts as zero.
    pub fn strain(&self, distance: f32) -> f32 {
        if self.nominal_distance >= ZERO_LENGTH { distance / self.nominal_distance - 1.0 } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn push_only_never_pulls() {
        let constraint = ChildConstraint::new(0.5, 1.0, 1.0, [1.0, 0.2]);
        assert!(!constraint.is_rigid());
        assert_eq!(constraint.cross_fade, 0.5);
        assert_eq!(constraint.force(1.5), 0.0);
        assert_eq!(constraint.force(0.5), -0.5);
    }

    #[test]
    fn rigid_restores_either_way_and_favours_the_stronger() {
        let constraint = ChildConstraint::new(0.0, 0.0, 1.0, [1.0, 0.6]);
        assert_eq!(constraint.force(2.0), 0.5);
        assert_eq!(constraint.force(0.5), -1.0);
        assert!((constraint.cross_fade - 0.3).abs() < 1e-6);
        assert_eq!(constraint.force(1.0), 0.0);
        assert_eq!(constraint.force(0.0), 0.0);
        assert_eq!(constraint.force(1e-40), 0.0);
    }
}
