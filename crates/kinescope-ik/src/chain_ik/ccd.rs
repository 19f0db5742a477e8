//! Cyclic coordinate descent (CCD): rotates one bone after another to bring the chain's end toward the target.
//!
//! A pass goes from the last bone toward the first. It rotates each bone about its start joint so that the current end
//! lies on the line from that joint to the target, as far as the bone's weight and limit allow. The rotation `δ` is in
//! model space, so it multiplies the bone's model rotation `W = P · L` (parent and local) from the left. Sources:
//! *Animation programming notes*, chapter 13, with its appended sources; the CCD paper.
//!
//! The book's library multiplies left to right. Written right to left, as here, its lines are `W′ = δ · W` and `L′ = L
//! · (W⁻¹ · W′) = P⁻¹ · δ · W`, which is correct. The notes doubt them and apply `δ` to the local rotation with the
//! same library: `L′ = L · δ`, which rotates about the bone's own axes and is correct only where these equal the
//! model's. Read with a library that multiplies right to left, the book's lines are `L′ = (W · δ · W⁻¹) · L`, which is
//! also wrong. [`CcdTurn`] has all three.

use glam::Quat;

use super::chain::{Chain, State, limited};
use super::fabrik::follow;
use super::moves::{Cause, Move};
use super::plane::lay_into_plane;
use super::problem::{Problem, Workspace};
use super::settings::CcdTurn;
use crate::math::{from_to_about_axis, from_to_rotation, nlerp};
use crate::stepped::{Flow, GO_ON, Unwatched, Watch};

/// Runs one backward pass over the last `count` bones, without those of weight 0. Stops as soon as the end is within
/// the tolerance of the target.
///
/// A bone's rotation depends on the end and on bones nearer to the root, so earlier rotations of the pass affect it
/// only through the end. The pass therefore computes all rotations first, then applies them to all joints at once: its
/// cost is linear in the number of bones, not quadratic.
#[inline(never)]
pub fn backward_pass(
    problem: &Problem,
    state: &mut State,
    workspace: &mut Workspace,
    count: usize,
    watch: &mut impl Watch<Move>,
) -> Flow {
    let Problem { chain, settings, .. } = *problem;
    let target = workspace.target;
    let tolerance = settings.tolerance * settings.tolerance;
    let plane = workspace.plane_of_limits(problem);
    let last = chain.bones().len();
    let first = last - count.min(last);
    let turns = &mut workspace.turns;
    turns.clear();
    turns.resize(last, Quat::IDENTITY);
    let mut end = state.end();
    let mut reached = first;
    let mut flow = GO_ON;
    for index in (first..last).rev() {
        reached = index;
        let bone = &chain.bones()[index];
        if bone.weight <= 0.0 {
            continue;
        }
        let joint = state.positions[index];
        let full = match settings.plane {
            Some(normal) => from_to_about_axis(end - joint, target - joint, normal),
            None => from_to_rotation(end - joint, target - joint),
        };
        let full = applied(settings.ccd_turn, full, chain.rotation_before(state, index), state.rotations[index]);
        let share = bone.weight * settings.pass_share();
        let wanted = nlerp(state.rotations[index], full * state.rotations[index], share);
        let (rotation, excess) = match settings.limits {
            true => limited(chain, state, index, wanted, plane),
            false => (wanted, 0.0),
        };
        let turn = (rotation * state.rotations[index].conjugate()).normalize();
        turns[index] = turn;
        let from = end;
        end = joint + turn * (end - joint);
        if from != end {
            flow = watch.saw(Move { joint: index, from, to: end, cause: Cause::Turn, excess });
        }
        if flow.is_break() || end.distance_squared(target) <= tolerance {
            break;
        }
    }
    apply_turns(chain, state, turns, reached);
    if settings.plane.is_some() {
        // Rotations about the normal leave the plane by rounding, which would accumulate. A twist that a limit changes
        // turns the bones beyond out of the plane.
        let _ = match problem.uses_limits() {
            true => follow(problem, state, workspace, true, Cause::Turn, &mut Unwatched),
            false => lay_into_plane(problem, state, workspace, &mut Unwatched),
        };
    }
    flow
}

/// Returns the rotation that variant `how` applies instead of `turn`, in model space. `parent` and `own` are the
/// model-space rotations of the bone's parent and of the bone.
pub(super) fn applied(how: CcdTurn, turn: Quat, parent: Quat, own: Quat) -> Quat {
    let frame = match how {
        CcdTurn::Model => return turn,
        CcdTurn::NotesLocal => own,
        CcdTurn::BookMisread => parent * own,
    };
    (frame * turn * frame.conjugate()).normalize()
}

fn apply_turns(chain: &Chain, state: &mut State, turns: &[Quat], first: usize) {
    let mut turn = Quat::IDENTITY;
    for (index, &own) in turns.iter().enumerate().skip(first) {
        turn = (turn * own).normalize();
        state.rotations[index] = (turn * state.rotations[index]).normalize();
    }
    chain.place_from(state, first);
}
