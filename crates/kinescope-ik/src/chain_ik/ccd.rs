//! Cyclic coordinate descent (CCD): turns one bone after the other so that the end points at the target.
//!
//! A pass goes from the last bone to the first. Each bone is turned about the joint it starts at, so that the end, as
//! it then is, lies on the line from that joint to the target. The turn `δ` is in model space, so it is multiplied from
//! the left onto the bone's model rotation `W = P · L` (of the parent, and local). Source: *Animation programming
//! notes*, chapter 13, and the sources appended to it.
//!
//! The book's code looks strange and is right: its library multiplies left to right. Written right to left, as here, its
//! lines are `W′ = δ · W` and `L′ = L · (W⁻¹ · W′) = P⁻¹ · δ · W`. The notes doubt them and put `δ` on the local rotation,
//! by the same library `L′ = L · δ`, which turns about the bone's own axes: right only while those are the model's. The
//! book's lines by a library that multiplies right to left are `L′ = (W · δ · W⁻¹) · L`, and as wrong.
//! [`CcdTurn`] has all three, as what each turns the bone by in model space.

use glam::Quat;

use super::chain::{Chain, State, limited};
use super::moves::{Cause, Move};
use super::plane::lay_into_plane;
use super::problem::{Problem, Workspace};
use super::settings::CcdTurn;
use crate::math::{from_to_about_axis, from_to_rotation, nlerp};
use crate::stepped::{Flow, GO_ON, Unwatched, Watch};

/// One backward pass over the last `count` bones, towards `target`; stops where the end is within `tolerance`.
///
/// Only the end and the bone's own parent matter to a turn, and neither is touched by the turns before it but for the
/// end: so the turns are found first, and then applied to all joints at once. That makes a pass cost as much as there
/// are bones, not their square.
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
            true => limited(chain, state, index, wanted),
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
    if settings.plane.is_some() && !problem.uses_limits() {
        // Turns about the normal stay in the plane but for rounding, which would add up.
        let _ = lay_into_plane(problem, state, workspace, &mut Unwatched);
    }
    flow
}

/// What a turn comes to in model space, by how it is applied to a bone of that rotation whose parent has that one.
pub(super) fn applied(how: CcdTurn, turn: Quat, parent: Quat, own: Quat) -> Quat {
    let frame = match how {
        CcdTurn::Model => return turn,
        CcdTurn::NotesLocal => own,
        CcdTurn::BookMisread => parent * own,
    };
    (frame * turn * frame.conjugate()).normalize()
}

/// Turns every bone by its own turn and by those of the bones before it, which came after it.
fn apply_turns(chain: &Chain, state: &mut State, turns: &[Quat], first: usize) {
    let mut turn = Quat::IDENTITY;
    for (index, &own) in turns.iter().enumerate().skip(first) {
        turn = (turn * own).normalize();
        state.rotations[index] = (turn * state.rotations[index]).normalize();
    }
    chain.place_from(state, first);
}
