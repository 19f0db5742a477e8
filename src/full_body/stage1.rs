//! Stage 1: FABRIK from the ends to the body (seed 000, «FABRIK forward»).

use super::child_constraint::solve_child_constraints;
use super::moves::{Cause, Move, move_node};
use super::names::Node;
use super::state::{Frame, State};
use crate::math::fabrik_joint;
use crate::rig::LimbName;
use crate::stepped::{Flow, Watch};

/// Every limb is drawn to its end, the child constraints are solved once, then the body goes to the centre of where
/// the limbs want it, by their pull and as far as it is not pinned.
pub fn stage1(frame: &Frame, state: &mut State, watch: &mut impl Watch<Move>) -> Flow {
    for limb in LimbName::ALL {
        forward_reach(frame, state, limb, watch)?;
    }
    solve_child_constraints(frame, state, None, watch)?;
    let body = state.nodes[Node::Body];
    let mut centroid = body;
    for limb in LimbName::ALL {
        let settings = frame.limb(limb);
        let first = state.nodes[Node::of_limb(limb)[0]];
        let wanted = if settings.root_length > 0.0 { fabrik_joint(body, first, settings.root_length) } else { first };
        centroid += (wanted - body) * (settings.pull / frame.pull_parent_sum);
    }
    move_node(&mut state.nodes, Node::Body, centroid.lerp(body, frame.pin), Cause::Centroid, watch)
}

/// One limb from its end to its root; the end stays.
fn forward_reach(frame: &Frame, state: &mut State, limb: LimbName, watch: &mut impl Watch<Move>) -> Flow {
    let [first, second, last] = Node::of_limb(limb);
    let [upper, lower] = frame.limb(limb).lengths;
    let cause = Cause::ForwardReach(limb);
    let to = fabrik_joint(state.nodes[second], state.nodes[last], lower);
    move_node(&mut state.nodes, second, to, cause, watch)?;
    let to = fabrik_joint(state.nodes[first], state.nodes[second], upper);
    move_node(&mut state.nodes, first, to, cause, watch)
}
