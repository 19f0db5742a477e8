//! Child constraints keep the distances between the first nodes of the limbs: upper arms and thighs. Source: *Full-body
//! notes*, «ChildConstraint».

use crate::lanes::Number;
use crate::math::ZERO_LENGTH;
use crate::names::Node;

/// Pairs of nodes in solving order: the torso's two diagonals, then shoulders, then hips. The two constraints of a
/// [`Pairing`](crate::lanes::Pairing) share no node, so they can be solved at once.
pub const PAIRS: [[Node; 2]; 4] = [
    [Node::LeftUpperArm, Node::RightThigh],
    [Node::RightUpperArm, Node::LeftThigh],
    [Node::LeftUpperArm, Node::RightUpperArm],
    [Node::LeftThigh, Node::RightThigh],
];

/// Returns a short label of a constraint by its index in [`PAIRS`]; empty for any other index.
pub fn constraint_label(index: usize) -> &'static str {
    let names = ["left arm – right thigh", "right arm – left thigh", "upper arms", "thighs"];
    names.get(index).copied().unwrap_or_default()
}

/// A child constraint for one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChildConstraint<R: Number = f32> {
    /// Elasticity against shortening: at 0 nodes that are too near return to the nominal distance, at 1 they stay.
    pub push_elasticity: R,
    /// Elasticity against stretching: at 0 nodes that are too far apart return to the nominal distance, at 1 they stay.
    pub pull_elasticity: R,
    /// Distance between the bones of the two nodes in the animated pose, after the bend limit; model units.
    pub nominal_distance: R,
    /// The first node's share of a correction, 0 to 1; the second node takes the rest. If both nodes are in one
    /// register, each lane has the share of its own node.
    pub cross_fade: R,
}

impl<R: Number> ChildConstraint<R> {
    #[inline(always)]
    pub(super) fn none(token: R::Token) -> Self {
        let zero = R::splat(token, 0.0);
        Self { push_elasticity: zero, pull_elasticity: zero, nominal_distance: zero, cross_fade: zero }
    }

    /// Creates a constraint for one frame. `pull` has the pull of the first node's limb and of the second node's limb.
    #[inline(always)]
    pub fn new(push_elasticity: R, pull_elasticity: R, nominal_distance: R, pull: [R; 2]) -> Self {
        let (zero, half) = (nominal_distance.like(0.0), nominal_distance.like(0.5));
        let gives = push_elasticity.gt(zero) | pull_elasticity.gt(zero);
        let cross_fade = R::select(gives, half, half - half * (pull[0] - pull[1]));
        Self { push_elasticity, pull_elasticity, nominal_distance, cross_fade }
    }

    /// Returns the fraction by which the constraint shortens the vector between the nodes; below 0 it lengthens it. The
    /// fraction is 0 for nodes whose distance counts as zero, as they have no direction.
    #[inline(always)]
    pub fn force(&self, distance: R) -> R {
        let (zero, one) = (distance.like(0.0), distance.like(1.0));
        let is_long = distance.gt(self.nominal_distance);
        let elasticity = R::select(is_long, self.pull_elasticity, self.push_elasticity);
        // Elasticity is below 0 if the spine stiffness is above its range of 0 to 1, which a solve accepts; it then
        // counts as 0.
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
    /// Returns whether the constraint resists shortening and stretching fully: both elasticities are 0 or less.
    pub fn is_rigid(&self) -> bool {
        self.push_elasticity <= 0.0 && self.pull_elasticity <= 0.0
    }

    /// Returns the relative excess over the nominal distance: above 0 too long, below 0 too short. 0 if the nominal
    /// distance counts as zero.
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
