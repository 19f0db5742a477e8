//! Child constraints: what keeps shoulders and hips at their distances (seed 000, «ChildConstraint»).

use super::moves::{Cause, Move, move_node};
use super::names::Node;
use super::state::{Frame, State};
use crate::math::ZERO_LENGTH;
use crate::stepped::{Flow, GO_ON, Watch};

/// The pairs, in solving order: the torso's two diagonals, then shoulders, then hips.
pub const PAIRS: [[Node; 2]; 4] = [
    [Node::LeftUpperArm, Node::RightThigh],
    [Node::RightUpperArm, Node::LeftThigh],
    [Node::LeftUpperArm, Node::RightUpperArm],
    [Node::LeftThigh, Node::RightThigh],
];

/// One constraint for one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ChildConstraint {
    /// 0: never shorter than nominal; 1: as short as it likes.
    pub push_elasticity: f32,
    /// 0: never longer than nominal; 1: as long as it likes.
    pub pull_elasticity: f32,
    /// Distance of the two bones in the animated pose.
    pub nominal_distance: f32,
    /// Share of the first node in a correction; the second has the rest.
    pub cross_fade: f32,
}

impl ChildConstraint {
    /// For one frame; `pull` is that of the two limbs.
    pub fn new(push_elasticity: f32, pull_elasticity: f32, nominal_distance: f32, pull: [f32; 2]) -> Self {
        let mut constraint = Self { push_elasticity, pull_elasticity, nominal_distance, cross_fade: 0.5 };
        if constraint.is_rigid() {
            constraint.cross_fade = 0.5 - 0.5 * (pull[0] - pull[1]);
        }
        constraint
    }

    /// No elasticity either way. The others only push.
    pub fn is_rigid(&self) -> bool {
        self.push_elasticity <= 0.0 && self.pull_elasticity <= 0.0
    }

    /// How much longer (above 0) or shorter the pair is than nominal, as a fraction; 0 for a nominal distance that
    /// counts as zero.
    pub fn strain(&self, distance: f32) -> f32 {
        if self.nominal_distance >= ZERO_LENGTH { distance / self.nominal_distance - 1.0 } else { 0.0 }
    }

    /// The fraction of the vector between the nodes by which this constraint shortens it (below 0: lengthens). Nodes
    /// whose distance counts as zero have no direction to be pushed apart in, and stay.
    pub fn force(&self, distance: f32) -> f32 {
        let elasticity = if distance > self.nominal_distance { self.pull_elasticity } else { self.push_elasticity };
        // Rigid ones, below 0 too, have none; with 1 there is nothing to do.
        let stiffness = 1.0 - elasticity.max(0.0);
        if stiffness <= 0.0 || distance < ZERO_LENGTH || distance == self.nominal_distance {
            return 0.0;
        }
        stiffness * (1.0 - self.nominal_distance / distance)
    }
}

/// All four, once: each sees what the one before it did.
pub fn solve_child_constraints(
    frame: &Frame,
    state: &mut State,
    round: Option<u8>,
    watch: &mut impl Watch<Move>,
) -> Flow {
    for (index, ([a, b], constraint)) in PAIRS.into_iter().zip(&frame.constraints).enumerate() {
        let between = state.nodes[b] - state.nodes[a];
        let force = constraint.force(crate::math::length(between));
        if force == 0.0 {
            continue;
        }
        let offset = between * force;
        let cause = Cause::ChildConstraint { constraint: index as u8, round };
        let to = state.nodes[a] + offset * constraint.cross_fade;
        move_node(&mut state.nodes, a, to, cause, watch)?;
        let to = state.nodes[b] - offset * (1.0 - constraint.cross_fade);
        move_node(&mut state.nodes, b, to, cause, watch)?;
    }
    GO_ON
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
        assert_eq!(constraint.force(0.0), 0.0);
        assert_eq!(constraint.force(1e-40), 0.0);
    }
}
