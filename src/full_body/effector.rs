//! Effectors: what draws a node to its target; others speak of IK goals, IK targets or IK handles.
//!
//! Source: seed 000, «末端effector的Update» and «非末端effector的更新».

use glam::{Quat, Vec3};

use super::moves::{Cause, Move, move_node};
use super::names::{Effector, Node};
use super::state::{Frame, State};
use crate::math::nlerp;
use crate::rig::LimbName;
use crate::stepped::{Flow, GO_ON, Watch};

/// The four end effectors. They interpolate from the animated position, so repeating the pass changes nothing.
pub fn end_effectors(frame: &Frame, state: &mut State, watch: &mut impl Watch<Move>) -> Flow {
    for limb in LimbName::ALL {
        let effector = Effector::END[limb.index()];
        let (from, plane_rotation_offset) = carried_position(frame, state, limb);
        state.plane_rotation_offsets[limb.index()] = plane_rotation_offset;
        let settings = frame.effector(effector);
        let to = from.lerp(settings.position, settings.position_weight);
        move_node(&mut state.nodes, effector.node(), to, Cause::Effector(effector), watch)?;
    }
    GO_ON
}

/// Where the animation has the limb's end, carried along by the torso plane as far as it maintains its relative
/// position; and how far the plane has turned.
pub fn carried_position(frame: &Frame, state: &State, limb: LimbName) -> (Vec3, Quat) {
    let effector = Effector::END[limb.index()];
    let settings = frame.effector(effector);
    let weight = settings.maintain_relative_position;
    if weight <= 0.0 {
        return (settings.animated_position, Quat::IDENTITY);
    }
    let plane = Effector::plane_nodes(limb);
    let from_plane = frame.bone(effector.node()).position - frame.bone(plane[0]).position;
    let turned =
        Frame::plane_rotation(plane.map(|node| state.nodes[node])) * settings.animated_plane_rotation.conjugate();
    let carried = state.nodes[plane[0]] + turned * from_plane + frame.offsets[effector.node()];
    (settings.animated_position.lerp(carried, weight), nlerp(Quat::IDENTITY, turned, weight))
}

/// The five others, body first. They interpolate from where the node is, so each pass draws it closer.
pub fn body_effectors(frame: &Frame, state: &mut State, watch: &mut impl Watch<Move>) -> Flow {
    const BODY_EFFECTORS: [Effector; 5] =
        [Effector::Body, Effector::LeftShoulder, Effector::RightShoulder, Effector::LeftThigh, Effector::RightThigh];
    for effector in BODY_EFFECTORS {
        let settings = frame.effector(effector);
        let node = effector.node();
        let to = state.nodes[node].lerp(settings.position, settings.position_weight);
        move_node(&mut state.nodes, node, to, Cause::Effector(effector), watch)?;
        if effector == Effector::Body {
            for (child, local) in [Node::LeftThigh, Node::RightThigh].into_iter().zip(frame.body_children) {
                let to = state.nodes[child].lerp(state.nodes[node] + local, settings.position_weight);
                move_node(&mut state.nodes, child, to, Cause::EffectorChild(effector), watch)?;
            }
        }
    }
    GO_ON
}
