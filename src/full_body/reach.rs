//! Reach: a limb that gets straight draws its first node after its target (seed 000, «Reach»).

use super::moves::{Cause, Move, move_node};
use super::names::Node;
use super::state::{Frame, LimbFrame, State};
use crate::math::length;
use crate::rig::LimbName;
use crate::stepped::{Flow, GO_ON, Watch};

/// Every limb reaches; the body does not.
pub fn reach(frame: &Frame, state: &mut State, watch: &mut impl Watch<Move>) -> Flow {
    for limb in LimbName::ALL {
        let settings = frame.limb(limb);
        if settings.reach_force <= 0.0 {
            continue;
        }
        let [first, _, last] = Node::of_limb(limb);
        let direction = state.nodes[last] - state.nodes[first];
        let solver_length = length(direction);
        if solver_length == 0.0 {
            continue;
        }
        let straight = direction / solver_length * settings.length;
        let offset = straight * reach_delta(settings, solver_length).max(0.0).min(solver_length);
        let to = state.nodes[first] + offset * (1.0 - settings.first_position_weight);
        move_node(&mut state.nodes, first, to, Cause::Reach(limb), watch)?;
        let to = state.nodes[last] + offset;
        move_node(&mut state.nodes, last, to, Cause::Reach(limb), watch)?;
    }
    GO_ON
}

/// The fraction of its length by which the limb moves outwards: 0 below `1 − reach force` of the length, smoothed.
pub fn reach_delta(limb: &LimbFrame, solver_length: f32) -> f32 {
    if limb.length <= 0.0 {
        return 0.0;
    }
    let force = limb.reach_force;
    let stretch = (solver_length / limb.length).max(1.0 - force).min(1.0 + force) - 1.0;
    limb.reach_smoothing.apply((stretch + force).clamp(-1.0, 1.0))
}
