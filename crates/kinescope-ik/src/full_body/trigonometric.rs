//! Trigonometric pass: a two-bone solve of every limb. Source: *Full-body notes*, «solving the triangle».

use glam::Vec3;

use super::bend_constraint::bend_directions;
use super::moves::{Cause, Move, of_limbs};
use super::state::{Frame, State};
use crate::lanes::{Layout, Mask, Number, Vector, VectorOf, decide, is_safe, length, mend_vectors};
use crate::math::{STRAIGHT_SINE, ZERO_LENGTH, from_to_rotation, ortho_normalize, sine};
use crate::stepped::{Flow, Watch};

/// Limit of the distance between a limb's ends in the triangle, as a fraction of the length of both bones together. A
/// limb that never gets fully straight keeps its plane.
pub const MAX_LIMB_LENGTH: f32 = 0.9999;

/// Places the second node of every limb so that both bones keep their lengths, unless the ends are too far from each
/// other or too near; if the ends coincide, the second node stays. In the iterations the limb bends in the plane of its
/// nodes; in the bend pass, with `calculate_bend_direction`, it bends in the direction of [`bend_directions`].
#[inline(always)]
pub fn solve_trigonometric<L: Layout>(
    frame: &Frame<L>,
    state: &mut State<L>,
    calculate_bend_direction: bool,
    watch: &mut impl Watch<Move>,
) -> Flow {
    let before = state.points.snapshot();
    for part in 0..L::PARTS {
        let limbs = &frame.limbs[part];
        let [first, second, last] = state.points.limbs[part];
        let direction = last - first;
        let solver_length: L::Limb = length(direction);
        let (zero, one) = (solver_length.like(0.0), solver_length.like(1.0));
        let along = direction * (one / solver_length);
        let bend = match decide(calculate_bend_direction) {
            true => bend_directions(frame, state, part),
            false => second - first,
        };
        let across = across(frame, part, direction, along, bend);
        let stretched = solver_length.lesser(limbs.length * one.like(MAX_LIMB_LENGTH));
        let [x, y] = bend_point(limbs.lengths, stretched);
        let to = VectorOf::<L::Limb>::select(stretched.gt(zero), first + along * x + across * y, first);
        let has_length = !solver_length.lt(one.like(ZERO_LENGTH));
        state.points.limbs[part][1] = VectorOf::<L::Limb>::select(has_length, to, second);
    }
    let cause = if calculate_bend_direction { Cause::Bend } else { Cause::Trigonometric };
    state.points.report_moves(&before, of_limbs([1], cause), watch)
}

/// Returns the part of each bend direction orthogonal to its limb, scaled to unit length. `direction` has the vectors
/// from first to last node, `along` their unit vectors.
#[inline(always)]
fn across<L: Layout>(
    frame: &Frame<L>,
    part: usize,
    direction: VectorOf<L::Limb>,
    along: VectorOf<L::Limb>,
    bend: VectorOf<L::Limb>,
) -> VectorOf<L::Limb> {
    let across = bend - along * along.dot(bend);
    let (squared, whole): (L::Limb, L::Limb) = (across.length_squared(), bend.length_squared());
    let fast = across * (squared.like(1.0) / squared.sqrt());
    // True in nearly all solves: every bend direction is well off its limb's direction.
    let is_good = squared.gt(whole * whole.like(1e-4)) & is_safe(squared);
    if is_good.all() {
        return fast;
    }
    let ([p1, _, p3], default_direction) = (frame.bones.limbs[part], frame.limbs[part].default_direction);
    mend_vectors::<L::Limb>(fast, is_good, |lane| {
        let default = [(p3 - p1).lane(lane), default_direction.lane(lane)];
        bend_across(direction.lane(lane), bend.lane(lane), default)
    })
}

/// Returns the part of `bend` orthogonal to `direction`, the vector from first to last node, scaled to unit length. If
/// the two are parallel, `default_direction`, rotated with the limb from its vector `animated`, replaces `bend`;
/// otherwise straight limbs would bend in an arbitrary direction.
pub(super) fn bend_across(direction: Vec3, bend: Vec3, [animated, default_direction]: [Vec3; 2]) -> Vec3 {
    let is_parallel = sine(bend, direction) < STRAIGHT_SINE;
    let bend = if decide(is_parallel) { from_to_rotation(animated, direction) * default_direction } else { bend };
    ortho_normalize(direction, bend)
}

/// Returns the position of a limb's second joint along the base and across it, by the law of cosines. The bones have
/// the lengths `a` and `b`; `base` is the distance between the limb's ends.
#[inline(always)]
pub fn bend_point<R: Number>([a, b]: [R; 2], base: R) -> [R; 2] {
    let along = (base * base + (a * a - b * b)) / base.like(2.0) / base;
    let across = (a * a - along * along).greater(base.like(0.0)).sqrt();
    [along, across]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::FARTHEST;
    use crate::names::Node;
    use crate::stepped::Unwatched;
    use glam::Vec4;

    #[test]
    fn ends_that_all_but_coincide_leave_a_finite_elbow() {
        let longest = Vec3::splat(2.0 * FARTHEST).length();
        for lengths in [[longest, 0.0], [0.0, longest], [longest, longest], [1.0, 0.5]] {
            let mut frame = Frame::default();
            frame.limbs[0].lengths = lengths.map(Vec4::splat);
            frame.limbs[0].length = Vec4::splat(lengths[0] + lengths[1]);
            for distance in [0.0, 1e-45, 1e-40, 1e-30, 1e-20, ZERO_LENGTH, 1e-6, 1.0, longest] {
                let mut state = State::default();
                state.set_node(Node::LeftHand, Vec3::new(0.0, distance, 0.0));
                let _ = solve_trigonometric(&frame, &mut state, false, &mut Unwatched);
                assert!(state.node(Node::LeftForearm).is_finite(), "{lengths:?} {distance}");
            }
        }
    }
}
