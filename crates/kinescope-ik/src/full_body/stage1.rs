//! Stage 1: FABRIK from the ends to the body. Source: *Full-body notes*, «FABRIK forward».

use super::constraint_pass::solve_child_constraints;
use super::moves::{Cause, Move, of_limbs};
use super::state::{Frame, State, move_body};
use crate::lanes::{Layout, Vector, fabrik_joint};
use crate::stepped::{Flow, Watch};

/// Runs the forward reach of every limb, solves the child constraints once, then moves the body toward the centroid of
/// the limbs' pull. [`Frame::pin`] holds the body back.
#[inline(always)]
pub fn stage1<L: Layout>(frame: &Frame<L>, state: &mut State<L>, watch: &mut impl Watch<Move>) -> Flow {
    forward_reach(frame, state, watch)?;
    solve_child_constraints(frame, state, None, watch)?;
    let body = state.points.body;
    let at_body = L::spread_vector(body);
    let pull_parent_sum = L::spread(frame.pull_parent_sum);
    let drawn = L::each(
        #[inline(always)]
        |part| {
            let limbs = &frame.limbs[part];
            let first = state.points.limbs[part][0];
            let wanted = fabrik_joint(at_body, first, limbs.root_length);
            (wanted - at_body) * (limbs.pull / pull_parent_sum)
        },
    );
    let centroid = body + L::sum(&drawn);
    move_body(state, centroid.lerp(body, frame.pin), Cause::Centroid, watch)
}

/// Moves the second and then the first node of every limb to bone length from the node after it, with [`fabrik_joint`];
/// the last node stays.
#[inline(always)]
fn forward_reach<L: Layout>(frame: &Frame<L>, state: &mut State<L>, watch: &mut impl Watch<Move>) -> Flow {
    let before = state.points.snapshot();
    for part in 0..L::PARTS {
        let [upper, lower] = frame.limbs[part].lengths;
        let [first, second, last] = &mut state.points.limbs[part];
        *second = fabrik_joint(*second, *last, lower);
        *first = fabrik_joint(*first, *second, upper);
    }
    state.points.report_moves(&before, of_limbs([1, 0], Cause::ForwardReach), watch)
}
