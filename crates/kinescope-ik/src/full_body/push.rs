//! Push: a compressed limb pushes its first node and the body away. Source: *Full-body notes*, «Push».

use glam::Vec3;

use super::moves::{Cause, Move, of_limbs};
use super::settings::Smoothing;
use super::state::{Frame, LimbFrame, State, move_body};
use crate::lanes::{Layout, Mask, Number, Vector, VectorOf, length};
use crate::stepped::{Flow, GO_ON, Watch};

/// Pushes the first node of every compressed limb with a push above 0 away from its last node, then moves the body by
/// the sum of these pushes, each times the limb's push parent.
#[inline(always)]
pub fn push<L: Layout>(frame: &Frame<L>, state: &mut State<L>, watch: &mut impl Watch<Move>) -> Flow {
    let before = state.points.snapshot();
    let mut any = false;
    let passed_on = L::each(
        #[inline(always)]
        |part| {
            let limbs = &frame.limbs[part];
            let zero = limbs.push.like(0.0);
            let [first, _, last] = state.points.limbs[part];
            let nothing = VectorOf::<L::Limb>::splat(zero.token(), Vec3::ZERO);
            if !limbs.push.gt(zero).any() {
                return nothing;
            }
            let direction = last - first;
            let force = push_force(limbs, length(direction));
            let pushes = force.gt(zero) & limbs.push.gt(zero);
            let pushed = -direction * force * limbs.push;
            state.points.limbs[part][0] = VectorOf::<L::Limb>::select(pushes, first + pushed, first);
            any |= pushes.any();
            VectorOf::<L::Limb>::select(pushes, pushed * limbs.push_parent, nothing)
        },
    );
    if !any {
        return GO_ON;
    }
    state.points.report_moves(&before, of_limbs([0], Cause::Push), watch)?;
    move_body(state, state.points.body + L::sum(&passed_on), Cause::PushParent, watch)
}

/// Returns how strongly a limb is compressed, smoothed. `solver_length` is the distance between its ends: the result is
/// 0 at the animated distance or beyond it, nears 1 as the ends come together, and is 0 if they coincide.
#[inline(always)]
pub fn push_force<R: Number>(limb: &LimbFrame<R>, solver_length: R) -> R {
    let zero = solver_length.like(0.0);
    let force = solver_length.like(1.0) - solver_length / limb.distance;
    let is_compressed = force.gt(zero) & solver_length.gt(zero) & limb.distance.gt(zero);
    R::select(is_compressed, Smoothing::apply(limb.push_smoothing, force), zero)
}
