//! How a source computes rotations from FABRIK's positions, for comparison with the correct rotations.
//!
//! Source: *Animation programming notes*, chapter 13, `WorldToIKChain`. From the root on, this function computes the
//! rotation `delta` from each bone's direction to its solved joint, in the bone's own space, and applies `delta` to the
//! bone's local rotation: `delta * rotation`. The book's library multiplies left to right, so `delta` is applied first.
//! Read right to left, `delta` becomes a rotation about the parent's axes. The notes replace the chain's joints by the
//! solved ones: then both directions are equal, and no bone rotates.

use glam::Quat;

use super::chain::State;
use super::moves::{Cause, Move};
use super::problem::{Problem, Workspace};
use super::settings::MapTurn;
use crate::math::from_to_rotation;
use crate::stepped::{Flow, GO_ON, Watch};

impl MapTurn {
    /// Returns the rotation that the variant applies instead of a swing; model space. `carried` is the bone's rotation
    /// after its parent has carried it.
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

/// Rotates the bones toward their joints from the root on, each carried by its parent. The joints then follow the
/// bones, as in a chain that stores only rotations.
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
