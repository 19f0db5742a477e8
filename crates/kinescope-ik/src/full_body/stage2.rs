//! Stage 2: the torso's constraint system, then FABRIK from the body to the ends. Source: *Full-body notes*, «FABRIK
//! backward».

use super::constraint_pass::solve_child_constraints;
use super::moves::{Cause, Move, of_limbs};
use super::state::{Frame, State, move_body};
use crate::lanes::{Layout, Number, VectorOf, decide, fabrik_joint, length};
use crate::math::ZERO_LENGTH;
use crate::names::Node;
use crate::rig::LimbName;
use crate::stepped::{Flow, GO_ON, Watch};

/// Runs the rounds of the constraint system, then the backward reach of every limb. The backward reach does not move
/// the body.
#[inline(always)]
pub fn stage2<L: Layout>(frame: &Frame<L>, state: &mut State<L>, watch: &mut impl Watch<Move>) -> Flow {
    for round in 0..constraint_rounds(frame.iterations) {
        solve_child_constraints(frame, state, Some(round), watch)?;
        match decide(frame.shares_body) {
            true => solve_linear_constraints_in_turn(frame, state, round, watch)?,
            false => solve_linear_constraints(frame, state, round, watch)?,
        }
    }
    backward_reach(frame, state, watch)
}

/// Returns the number of rounds of stage 2's constraint system: 2 to 4.
pub fn constraint_rounds(iterations: u32) -> u8 {
    match iterations {
        _ if decide(iterations < 2) => 2,
        _ if decide(iterations > 4) => 4,
        _ => iterations as u8,
    }
}

/// Returns body and first node after a linear constraint; both stay if their distance counts as zero. `cross_fade` is
/// the body's share of the correction.
#[inline(always)]
fn linear_constraint<R: Number>(
    body: VectorOf<R>,
    first: VectorOf<R>,
    root_length: R,
    cross_fade: R,
) -> [VectorOf<R>; 2] {
    let between = first - body;
    let distance: R = length(between);
    let one = distance.like(1.0);
    let applies = !distance.lt(distance.like(ZERO_LENGTH));
    let excess = R::select(applies, one - root_length / distance, distance.like(0.0));
    let offset = between * excess;
    [body + offset * cross_fade, first - offset * (one - cross_fade)]
}

/// Solves the linear constraints of all limbs at once. Valid if no limb moves the body.
#[inline(always)]
fn solve_linear_constraints<L: Layout>(
    frame: &Frame<L>,
    state: &mut State<L>,
    round: u8,
    watch: &mut impl Watch<Move>,
) -> Flow {
    let before = state.points.snapshot();
    let body = L::spread_vector(state.points.body);
    for part in 0..L::PARTS {
        let limbs = &frame.limbs[part];
        let first = &mut state.points.limbs[part][0];
        [_, *first] = linear_constraint(body, *first, limbs.root_length, limbs.cross_fade);
    }
    state.points.report_moves(&before, of_limbs([0], |limb| Cause::LinearConstraint { limb, round }), watch)
}

/// Solves the linear constraints limb by limb, as each may move the body for the next.
#[inline(always)]
fn solve_linear_constraints_in_turn<L: Layout>(
    frame: &Frame<L>,
    state: &mut State<L>,
    round: u8,
    watch: &mut impl Watch<Move>,
) -> Flow {
    for limb in LimbName::ALL {
        let (part, _) = L::place(limb);
        let limbs = &frame.limbs[part];
        let first = L::one_vector(state.points.limbs[part][0], limb);
        let (root_length, cross_fade) = (L::one(limbs.root_length, limb), L::one(limbs.cross_fade, limb));
        let [body, first] = linear_constraint(state.points.body, first, root_length, cross_fade);
        let cause = Cause::LinearConstraint { limb, round };
        move_body(state, body, cause, watch)?;
        let before = state.points.snapshot();
        L::put(&mut state.points.limbs[part][0], first, limb);
        state.points.report_moves(&before, [(Node::of_limb(limb)[0], cause)].into_iter(), watch)?;
    }
    GO_ON
}

/// Moves the nodes of every limb with [`fabrik_joint`]: the first node to root length from the body, then the second
/// and the last to bone length from the previous node.
#[inline(always)]
fn backward_reach<L: Layout>(frame: &Frame<L>, state: &mut State<L>, watch: &mut impl Watch<Move>) -> Flow {
    let before = state.points.snapshot();
    let body = L::spread_vector(state.points.body);
    for part in 0..L::PARTS {
        let limbs = &frame.limbs[part];
        let [first, second, last] = &mut state.points.limbs[part];
        *first = fabrik_joint(*first, body, limbs.root_length);
        *second = fabrik_joint(*second, *first, limbs.lengths[0]);
        *last = fabrik_joint(*last, *second, limbs.lengths[1]);
    }
    state.points.report_moves(&before, of_limbs([0, 1, 2], Cause::BackwardReach), watch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::FARTHEST;
    use crate::names::Node;
    use crate::stepped::Unwatched;
    use glam::{Vec3, Vec4};

    #[test]
    fn nodes_that_all_but_coincide_stay_finite() {
        for distance in [0.0, 1e-45, 1e-40, 1e-30, 1e-20, ZERO_LENGTH] {
            let mut frame = Frame::default();
            frame.limbs[0].root_length = Vec4::splat(2.0 * FARTHEST);
            for [constraint] in &mut frame.constraints {
                constraint.nominal_distance = Vec4::splat(2.0 * FARTHEST);
            }
            let mut state = State::default();
            for limb in LimbName::ALL {
                let away = Vec3::new(distance, distance * limb.index() as f32, 0.0);
                state.set_node(Node::of_limb(limb)[0], away);
            }
            let _ = stage2(&frame, &mut state, &mut Unwatched);
            assert!(state.nodes().0.iter().all(|node| node.is_finite()), "{distance} {state:?}");
        }
    }
}
