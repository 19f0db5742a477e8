//! Stage 2: the torso's constraint system, then FABRIK from the body to the ends (seed 000, «FABRIK backward»).

use super::child_constraint::solve_child_constraints;
use super::moves::{Cause, Move, move_node};
use super::names::Node;
use super::state::{Frame, State};
use crate::math::{ZERO_LENGTH, fabrik_joint, length};
use crate::rig::LimbName;
use crate::stepped::{Flow, GO_ON, Watch};

/// Rounds of the constraint system, then every limb from its root to its end. The body stays where the rounds leave it.
pub fn stage2(frame: &Frame, state: &mut State, watch: &mut impl Watch<Move>) -> Flow {
    for round in 0..constraint_rounds(frame.iterations) {
        solve_constraint_systems(frame, state, round, watch)?;
    }
    for limb in LimbName::ALL {
        backward_reach(frame, state, limb, watch)?;
    }
    GO_ON
}

/// How often stage 2 solves its constraint system: 2 to 4 times.
pub fn constraint_rounds(iterations: u32) -> u8 {
    iterations.clamp(2, 4) as u8
}

/// The four child constraints, then body ↔ first node of every limb.
fn solve_constraint_systems(frame: &Frame, state: &mut State, round: u8, watch: &mut impl Watch<Move>) -> Flow {
    solve_child_constraints(frame, state, Some(round), watch)?;
    for limb in LimbName::ALL {
        let settings = frame.limb(limb);
        let first = Node::of_limb(limb)[0];
        let between = state.nodes[first] - state.nodes[Node::Body];
        let distance = length(between);
        if distance < ZERO_LENGTH || distance == settings.root_length {
            continue;
        }
        let offset = between * (1.0 - settings.root_length / distance);
        let cause = Cause::LinearConstraint { limb, round };
        // Without a share the body stays, and the next limb need not wait for this one.
        if settings.cross_fade != 0.0 {
            let to = state.nodes[Node::Body] + offset * settings.cross_fade;
            move_node(&mut state.nodes, Node::Body, to, cause, watch)?;
        }
        let to = state.nodes[first] - offset * (1.0 - settings.cross_fade);
        move_node(&mut state.nodes, first, to, cause, watch)?;
    }
    GO_ON
}

/// One limb from its root to its end.
fn backward_reach(frame: &Frame, state: &mut State, limb: LimbName, watch: &mut impl Watch<Move>) -> Flow {
    let [first, second, last] = Node::of_limb(limb);
    let settings = frame.limb(limb);
    let cause = Cause::BackwardReach(limb);
    let body = state.nodes[Node::Body];
    let to = match settings.root_length > 0.0 {
        true => fabrik_joint(state.nodes[first], body, settings.root_length),
        false => body,
    };
    move_node(&mut state.nodes, first, to, cause, watch)?;
    let to = fabrik_joint(state.nodes[second], state.nodes[first], settings.lengths[0]);
    move_node(&mut state.nodes, second, to, cause, watch)?;
    let to = fabrik_joint(state.nodes[last], state.nodes[second], settings.lengths[1]);
    move_node(&mut state.nodes, last, to, cause, watch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::full_body::settings::FARTHEST;
    use crate::stepped::Unwatched;
    use glam::Vec3;

    #[test]
    fn nodes_that_all_but_coincide_stay_finite() {
        for distance in [0.0, 1e-45, 1e-40, 1e-30, 1e-20, ZERO_LENGTH] {
            let mut frame = Frame::default();
            for limb in &mut frame.limbs {
                limb.root_length = 2.0 * FARTHEST;
            }
            for constraint in &mut frame.constraints {
                constraint.nominal_distance = 2.0 * FARTHEST;
            }
            let mut state = State::default();
            for limb in LimbName::ALL {
                let away = Vec3::new(distance, distance * limb.index() as f32, 0.0);
                state.nodes[Node::of_limb(limb)[0]] = away;
            }
            let _ = stage2(&frame, &mut state, &mut Unwatched);
            assert!(state.nodes.0.iter().all(|node| node.is_finite()), "{distance} {:?}", state.nodes);
        }
    }
}
