//! Effectors move nodes to targets. Other software calls them IK goals, IK targets or IK handles.
//!
//! Source: *Full-body notes*, «update of end effectors» and «update of the other effectors».

use glam::Quat;

use super::moves::{Cause, Move, of_limbs};
use super::state::{Frame, State, move_body};
use crate::lanes::{Basis, Layout, Mask, Number, Rotation, RotationOf, Vector, VectorOf, nlerp, turn_between};
use crate::names::{Effector, Node};
use crate::stepped::{Flow, Watch};

/// Moves the four end nodes toward their targets, by their position weights. Each starts from its animated position
/// plus offset, carried by the torso plane as far as it maintains its relative position, so repeating the pass changes
/// nothing. Also sets [`State::plane_rotation_offsets`].
#[inline(always)]
pub fn end_effectors<L: Layout>(frame: &Frame<L>, state: &mut State<L>, watch: &mut impl Watch<Move>) -> Flow {
    let before = state.points.snapshot();
    for part in 0..L::PARTS {
        let (from, plane_rotation_offset) = carried_position(frame, state, part);
        state.plane_rotation_offsets[part] = plane_rotation_offset;
        let effector = &frame.end_effectors[part];
        state.points.limbs[part][2] = from.lerp(effector.position, effector.position_weight);
    }
    state.points.report_moves(&before, of_limbs([2], |limb| Cause::Effector(Effector::END[limb.index()])), watch)
}

/// Returns the animated positions of a part's end nodes plus their offsets, carried by the torso plane as far as the
/// nodes maintain their relative position, and the rotation of that plane since the animated pose, weighted in the same
/// way.
#[inline(always)]
fn carried_position<L: Layout>(
    frame: &Frame<L>,
    state: &State<L>,
    part: usize,
) -> (VectorOf<L::Limb>, RotationOf<L::Limb>) {
    let effector = &frame.end_effectors[part];
    let weight = effector.maintain_relative_position;
    let identity = RotationOf::<L::Limb>::splat(weight.token(), Quat::IDENTITY);
    let follows = weight.gt(weight.like(0.0));
    if !follows.any() {
        return (effector.animated_position, identity);
    }
    let now = torso_plane(&state.points, part);
    let turned = turn_between::<L::Limb>(effector.animated_plane, now);
    let [first, _, last] = frame.bones.limbs[part];
    let carried = state.points.limbs[part][0] + turned.rotate(last - first) + frame.offsets.limbs[part][2];
    let animated = effector.animated_position;
    (
        VectorOf::<L::Limb>::select(follows, animated.lerp(carried, weight), animated),
        RotationOf::<L::Limb>::select(follows, nlerp::<L::Limb>(identity, turned, weight), identity),
    )
}

/// Returns the planes that carry end nodes as far as they maintain their relative position. Each goes through the
/// limb's first node, the first node of the opposite limb, and the body.
#[inline(always)]
pub(super) fn torso_plane<L: Layout>(points: &super::state::Points<L>, part: usize) -> Basis<VectorOf<L::Limb>> {
    let body = L::spread_vector(points.body);
    Basis::of_plane::<L::Limb>([points.limbs[part][0], L::opposite(&points.limbs, part), body])
}

/// Moves body, shoulders and thighs toward their targets by their weights: the body first, then the thighs with it,
/// then shoulders and thighs on their own. Starts from the nodes' current positions, so at weights between 0 and 1
/// every pass moves them closer.
#[inline(always)]
pub fn body_effectors<L: Layout>(frame: &Frame<L>, state: &mut State<L>, watch: &mut impl Watch<Move>) -> Flow {
    let body = &frame.body_effector;
    if body.position_weight.gt(body.position_weight.like(0.0)).any() {
        let to = state.points.body.lerp(body.position, body.position_weight);
        move_body(state, to, Cause::Effector(Effector::Body), watch)?;
        let before = state.points.snapshot();
        let at_body = L::spread_vector(state.points.body);
        for part in 0..L::PARTS {
            let first = &mut state.points.limbs[part][0];
            let share = L::spread(body.position_weight) * frame.follows_body[part];
            *first = first.lerp(at_body + frame.body_children[part], share);
        }
        let thighs = [Node::LeftThigh, Node::RightThigh].into_iter();
        let moves = thighs.map(|node| (node, Cause::EffectorChild(Effector::Body)));
        state.points.report_moves(&before, moves, watch)?;
    }
    let before = state.points.snapshot();
    for part in 0..L::PARTS {
        let effector = &frame.first_effectors[part];
        let first = &mut state.points.limbs[part][0];
        *first = first.lerp(effector.position, effector.position_weight);
    }
    let moves = Effector::FIRST.into_iter().map(|effector| (effector.node(), Cause::Effector(effector)));
    state.points.report_moves(&before, moves, watch)
}
