//! Push: a compressed limb moves its first node, and the body, away (seed 000, «Push»).

use glam::Vec3;

use super::moves::{Cause, Move, move_node};
use super::names::Node;
use super::state::{Frame, LimbFrame, State};
use crate::math::length;
use crate::rig::LimbName;
use crate::stepped::{Flow, Watch};

/// Every limb pushes; the body takes the sum of what they pass on.
pub fn push(frame: &Frame, state: &mut State, watch: &mut impl Watch<Move>) -> Flow {
    let mut sum = Vec3::ZERO;
    for limb in LimbName::ALL {
        let settings = frame.limb(limb);
        if settings.push <= 0.0 {
            continue;
        }
        let [first, _, last] = Node::of_limb(limb);
        let direction = state.nodes[last] - state.nodes[first];
        let force = push_force(settings, length(direction));
        if force <= 0.0 {
            continue;
        }
        let pushed = -direction * force * settings.push;
        let to = state.nodes[first] + pushed;
        move_node(&mut state.nodes, first, to, Cause::Push(limb), watch)?;
        sum += pushed * settings.push_parent;
    }
    let to = state.nodes[Node::Body] + sum;
    move_node(&mut state.nodes, Node::Body, to, Cause::PushParent, watch)
}

/// 0 for a limb as long as animated or longer, towards 1 the more it is compressed; smoothed.
pub fn push_force(limb: &LimbFrame, solver_length: f32) -> f32 {
    if solver_length == 0.0 || limb.distance <= 0.0 {
        return 0.0;
    }
    let force = 1.0 - solver_length / limb.distance;
    if force <= 0.0 { 0.0 } else { limb.push_smoothing.apply(force) }
}
