//! Trigonometric pass: a two-bone solve of every limb (seed 000, «解三角形»).

use glam::Vec3;

use super::bend_constraint::bend_direction;
use super::moves::{Cause, Move, move_node};
use super::names::Node;
use super::state::{Frame, State};
use crate::math::{STRAIGHT_SINE, ZERO_LENGTH, from_to_rotation, length, ortho_normalize, sine, unit_or_zero};
use crate::rig::LimbName;
use crate::stepped::{Flow, GO_ON, Watch};

/// The longest a limb gets, as a fraction of its bones: never quite straight, so that its plane is never lost.
pub const MAX_LIMB_LENGTH: f32 = 0.9999;

/// Places every second node so that both bones have their lengths. In the iterations the limb keeps the plane its
/// nodes are in; with `calculate_bend_direction`, as in the last pass, the bend constraint decides.
pub fn solve_trigonometric(
    frame: &Frame,
    state: &mut State,
    calculate_bend_direction: bool,
    watch: &mut impl Watch<Move>,
) -> Flow {
    for limb in LimbName::ALL {
        let settings = frame.limb(limb);
        let [first, second, last] = Node::of_limb(limb);
        let direction = state.nodes[last] - state.nodes[first];
        let solver_length = length(direction);
        if solver_length < ZERO_LENGTH {
            continue;
        }
        let along = direction * (1.0 / solver_length);
        let bend = match calculate_bend_direction {
            true => bend_direction(frame, state, limb),
            false => state.nodes[second] - state.nodes[first],
        };
        let across = across(frame, limb, direction, along, bend);
        let stretched = solver_length.min(settings.length * MAX_LIMB_LENGTH);
        let to = match stretched > 0.0 {
            true => {
                let [x, y] = bend_point(settings.lengths, stretched);
                state.nodes[first] + along * x + across * y
            }
            false => state.nodes[first],
        };
        let cause = if calculate_bend_direction { Cause::Bend(limb) } else { Cause::Trigonometric(limb) };
        move_node(&mut state.nodes, second, to, cause, watch)?;
    }
    GO_ON
}

/// The unit part of a bend direction across a limb; `along` is the unit vector of the limb's `direction`.
#[inline(always)]
pub fn across(frame: &Frame, limb: LimbName, direction: Vec3, along: Vec3, bend: Vec3) -> Vec3 {
    let across = bend - along * along.dot(bend);
    // Well away from the limb's own direction, which is nearly always, this is all there is to it.
    match across.length_squared() > bend.length_squared() * 1e-4 {
        true => unit_or_zero(across),
        false => bend_across(frame, limb, direction, bend),
    }
}

/// The unit part of a bend direction across a limb that it is nearly parallel to. A parallel one is replaced by the
/// limb's default: else straight limbs would point by chance.
#[cold]
fn bend_across(frame: &Frame, limb: LimbName, direction: Vec3, mut bend: Vec3) -> Vec3 {
    if sine(bend, direction) < STRAIGHT_SINE {
        let [first, _, last] = Node::of_limb(limb);
        let animated = frame.bone(last).position - frame.bone(first).position;
        bend = from_to_rotation(animated, direction) * frame.limb(limb).default_direction;
    }
    ortho_normalize(direction, bend)
}

/// The second joint of a triangle by the law of cosines: how far along the base, how far beside it.
pub fn bend_point([a, b]: [f32; 2], base: f32) -> [f32; 2] {
    let along = (base * base + (a * a - b * b)) / 2.0 / base;
    let across = (a * a - along * along).max(0.0).sqrt();
    [along, across]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::full_body::settings::FARTHEST;
    use crate::full_body::state::LimbFrame;
    use crate::stepped::Unwatched;

    #[test]
    fn ends_that_all_but_coincide_leave_a_finite_elbow() {
        // The longest and the shortest bone there can be, and every distance between the ends, zero included.
        let longest = Vec3::splat(2.0 * FARTHEST).length();
        for lengths in [[longest, 0.0], [0.0, longest], [longest, longest], [1.0, 0.5]] {
            let mut frame = Frame::default();
            frame.limbs[0] = LimbFrame { lengths, length: lengths[0] + lengths[1], ..LimbFrame::default() };
            for distance in [0.0, 1e-45, 1e-40, 1e-30, 1e-20, ZERO_LENGTH, 1e-6, 1.0, longest] {
                let mut state = State::default();
                state.nodes[Node::LeftHand] = Vec3::new(0.0, distance, 0.0);
                let _ = solve_trigonometric(&frame, &mut state, false, &mut Unwatched);
                assert!(state.nodes[Node::LeftForearm].is_finite(), "{lengths:?} {distance}");
            }
        }
    }
}
