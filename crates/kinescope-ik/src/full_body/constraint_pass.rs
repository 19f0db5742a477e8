//! One pass over the child constraints.

use super::child_constraint::PAIRS;
use super::moves::{Cause, Move};
use super::state::{Frame, State};
use crate::lanes::{Layout, Number, Pairing, length};
use crate::stepped::{Flow, GO_ON, Watch};

/// Solves the four child constraints once: the diagonals first, then shoulders and hips from the nodes that result.
/// `round` is the round of stage 2, from 0; `None` in stage 1.
#[inline(always)]
pub fn solve_child_constraints<L: Layout>(
    frame: &Frame<L>,
    state: &mut State<L>,
    round: Option<u8>,
    watch: &mut impl Watch<Move>,
) -> Flow {
    for pairing in [Pairing::Diagonals, Pairing::Sides] {
        let before = state.points.snapshot();
        for go in 0..L::PASSES {
            let constraint = &frame.constraints[pairing as usize][go];
            let [a, b] = L::pair(&state.points.limbs, pairing, go);
            let between = b - a;
            let offset = between * constraint.force(length(between));
            let one = constraint.cross_fade.like(1.0);
            let pair = [a + offset * constraint.cross_fade, b - offset * (one - constraint.cross_fade)];
            L::set_pair(&mut state.points.limbs, pairing, go, pair);
        }
        let first = 2 * pairing as usize;
        let moves = (0..4).map(|index| {
            let constraint = first + index / 2;
            (PAIRS[constraint][index % 2], Cause::ChildConstraint { constraint: constraint as u8, round })
        });
        state.points.report_moves(&before, moves, watch)?;
    }
    GO_ON
}
