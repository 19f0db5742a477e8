//! Reach: a nearly straight limb moves its first and its last node in the direction from first to last, so that
//! shoulder or hip follows hand or foot. Source: *Full-body notes*, «Reach».

use super::moves::{Cause, Move, of_limbs};
use super::settings::Smoothing;
use super::state::{Frame, LimbFrame, State};
use crate::lanes::{Layout, Mask, Number, Vector, VectorOf, length};
use crate::stepped::{Flow, Watch};

/// Moves the first and last node of every limb that is nearly straight and has a reach force, in the direction from
/// first to last node. The position weight of the effector on the first node holds that node back. The body stays.
#[inline(always)]
pub fn reach<L: Layout>(frame: &Frame<L>, state: &mut State<L>, watch: &mut impl Watch<Move>) -> Flow {
    let before = state.points.snapshot();
    for part in 0..L::PARTS {
        let limbs = &frame.limbs[part];
        let (zero, one) = (limbs.length.like(0.0), limbs.length.like(1.0));
        if !limbs.reach_force.gt(zero).any() {
            continue;
        }
        let [first, _, last] = state.points.limbs[part];
        let direction = last - first;
        let solver_length: L::Limb = length(direction);
        let reaches = limbs.reach_force.gt(zero) & solver_length.gt(zero);
        let straight = direction * (limbs.length / solver_length);
        let offset =
            straight * reach_delta(limbs, solver_length).greater(zero).lesser(solver_length * limbs.reach_limit);
        let drawn = first + offset * (one - limbs.first_position_weight);
        state.points.limbs[part][0] = VectorOf::<L::Limb>::select(reaches, drawn, first);
        state.points.limbs[part][2] = VectorOf::<L::Limb>::select(reaches, last + offset, last);
    }
    state.points.report_moves(&before, of_limbs([0, 2], Cause::Reach), watch)
}

/// Returns the displacement of a limb by reach as a fraction of the limb's length: smoothed, before
/// [`LimbFrame::reach_limit`] limits it. 0 up to a stretch of `1 − reach force`, and for a limb without length.
#[inline(always)]
pub fn reach_delta<R: Number>(limb: &LimbFrame<R>, solver_length: R) -> R {
    let (zero, one) = (solver_length.like(0.0), solver_length.like(1.0));
    let force = limb.reach_force;
    let stretch = (solver_length / limb.length).greater(one - force).lesser(one + force) - one;
    let delta = (stretch + force).greater(-one).lesser(one);
    R::select(limb.length.gt(zero), Smoothing::apply(limb.reach_smoothing, delta), zero)
}
