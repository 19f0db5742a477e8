//! Effectors: what draws a node to its target; others speak of IK goals, IK targets or IK handles.
//!
//! Source: *Full-body notes*, «update of end effectors» and «update of the other effectors».

use glam::Quat;

use super::moves::{Cause, Move, of_limbs};
use super::state::{Frame, State, tell_body};
use crate::lanes::{Basis, Layout, Mask, Number, Rotation, RotationOf, Vector, VectorOf, nlerp, turn_between};
use crate::names::{Effector, Node};
use crate::stepped::{Flow, Watch};

/// The four end effectors. They interpolate from the animated position, so repeating the pass changes nothing.
#[inline(always)]
pub fn end_effectors<L: Layout>(frame: &Frame<L>, state: &mut State<L>, watch: &mut impl Watch<Move>) -> Flow {
    let found = state.points.found();
    for part in 0..L::PARTS {
        let (from, plane_rotation_offset) = carried_position(frame, state, part);
        state.plane_rotation_offsets[part] = plane_rotation_offset;
        let effector = &frame.end_effectors[part];
        state.points.limbs[part][2] = from.lerp(effector.position, effector.position_weight);
    }
    state.points.tell(&found, of_limbs([2], |limb| Cause::Effector(Effector::END[limb.index()])), watch)
}

/// Where the animation has the ends of a part's limbs, carried along by the torso plane as far as they maintain their
/// relative position; and how far the plane has turned.
#[inline(always)]
fn carried_position<L: Layout>(
    frame: &Frame<L>,
    state: &State<L>,
    part: usize,
) -> (VectorOf<L::Limb>, RotationOf<L::Limb>) {
    let effector = &frame.end_effectors[part];
    let weight = effector.maintain_relative_position;
    let identity = RotationOf::<L::Limb>::splat(weight.token(), Quat::IDENTITY);
    let goes_along = weight.gt(weight.like(0.0));
    if !goes_along.any() {
        return (effector.animated_position, identity);
    }
    let now = torso_plane(&state.points, part);
    let turned = turn_between::<L::Limb>(effector.animated_plane, now);
    let [first, _, last] = frame.bones.limbs[part];
    let carried = state.points.limbs[part][0] + turned.rotate(last - first) + frame.offsets.limbs[part][2];
    let animated = effector.animated_position;
    (
        VectorOf::<L::Limb>::select(goes_along, animated.lerp(carried, weight), animated),
        RotationOf::<L::Limb>::select(goes_along, nlerp::<L::Limb>(identity, turned, weight), identity),
    )
}

/// The plane that carries an end that maintains its relative position: through the limb's first node, that of the limb
/// beside it, and the body.
#[inline(always)]
pub(super) fn torso_plane<L: Layout>(points: &super::state::Points<L>, part: usize) -> Basis<VectorOf<L::Limb>> {
    let body = L::spread_vector(points.body);
    Basis::of_plane::<L::Limb>([points.limbs[part][0], L::opposite(&points.limbs, part), body])
}

/// The five others, body first. They interpolate from where the node is, so each pass draws it closer.
#[inline(always)]
pub fn body_effectors<L: Layout>(frame: &Frame<L>, state: &mut State<L>, watch: &mut impl Watch<Move>) -> Flow {
    let body = &frame.body_effector;
    if body.position_weight.gt(body.position_weight.like(0.0)).any() {
        let to = state.points.body.lerp(body.position, body.position_weight);
        tell_body(state, to, Cause::Effector(Effector::Body), watch)?;
        let found = state.points.found();
        let at_body = L::spread_vector(state.points.body);
        for part in 0..L::PARTS {
            let first = &mut state.points.limbs[part][0];
            let share = L::spread(body.position_weight) * frame.goes_along[part];
            *first = first.lerp(at_body + frame.body_children[part], share);
        }
        let children = [Node::LeftThigh, Node::RightThigh].map(|node| (node, Cause::EffectorChild(Effector::Body)));
        state.points.tell(&found, children.into_iter(), watch)?;
    }
    let found = state.points.found();
    for part in 0..L::PARTS {
        let effector = &frame.first_effectors[part];
        let first = &mut state.points.limbs[part][0];
        *first = first.lerp(effector.position, effector.position_weight);
    }
    const FIRST: [Effector; 4] =
        [Effector::LeftShoulder, Effector::RightShoulder, Effector::LeftThigh, Effector::RightThigh];
    let moves = FIRST.into_iter().map(|effector| (effector.node(), Cause::Effector(effector)));
    state.points.tell(&found, moves, watch)
}
