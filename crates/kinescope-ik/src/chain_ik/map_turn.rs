//! FABRIK's positions made rotations as a source has it, to be looked at beside what is right.
//!
//! Source: notes on *Hands-on C++ Game Animation Programming*, chapter 13, `WorldToIKChain`. For each bone from the root on,
//! it finds the turn from where the bone points to where its joint was solved, in the bone's own space, and puts it on the
//! bone's local rotation, `delta * rotation`. The book's library multiplies left to right, so the turn comes first. Multiplied
//! right to left, as everywhere else, the turn is taken for one about the parent's axes. The notes put the solved joints in
//! place of those of the chain: then both directions are the same, and no bone turns.

use glam::Quat;

use super::chain::State;
use super::moves::{Cause, Move};
use super::problem::{Problem, Workspace};
use super::settings::MapTurn;
use crate::math::from_to_rotation;
use crate::stepped::{Flow, GO_ON, Watch};

impl MapTurn {
    /// What a swing comes to in model space, for a bone of that rotation, carried along by its parent.
    fn applied(self, swing: Quat, parent: Quat, carried: Quat) -> Quat {
        match self {
            Self::Model => swing,
            Self::BookMisread => {
                let frame = parent * carried.conjugate();
                (frame * swing * frame.conjugate()).normalize()
            }
            Self::NotesCorrection => Quat::IDENTITY,
        }
    }
}

/// Turns the bones towards their joints, from the root on, each after what its parent was turned by; the joints then are
/// where the bones have them, as in a chain that keeps rotations alone.
#[inline(never)]
pub(super) fn follow(
    problem: &Problem,
    state: &mut State,
    workspace: &mut Workspace,
    watch: &mut impl Watch<Move>,
) -> Flow {
    let turns = &mut workspace.turns;
    turns.clear();
    for (index, bone) in problem.chain.bones().iter().enumerate() {
        let was = state.rotations[index];
        let carried = bone.from.checked_sub(1).map_or(was, |before| turns[before] * was);
        let parent = problem.chain.rotation_before(state, index);
        let from = state.positions[bone.from];
        let swing = from_to_rotation(carried * bone.axis, state.positions[index + 1] - from);
        let rotation = (problem.settings.map_turn.applied(swing, parent, carried) * carried).normalize();
        turns.push(rotation * was.conjugate());
        state.rotations[index] = rotation;
        let to = from + rotation * (bone.axis * bone.length);
        let was = std::mem::replace(&mut state.positions[index + 1], to);
        if was != to {
            watch.saw(Move { joint: index + 1, from: was, to, cause: Cause::Map, excess: 0.0 })?;
        }
    }
    GO_ON
}
