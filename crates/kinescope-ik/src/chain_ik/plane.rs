//! Lays a chain into the plane of the 2D mode, at the start of a solve and after CCD passes.

use super::chain::State;
use super::fabrik;
use super::moves::{Cause, Move, move_joint};
use super::problem::{Problem, Workspace};
use crate::stepped::{Flow, GO_ON, Watch};

#[inline(never)]
pub(super) fn lay_into_plane(
    problem: &Problem,
    state: &mut State,
    workspace: &mut Workspace,
    watch: &mut impl Watch<Move>,
) -> Flow {
    let bones = problem.chain.bones();
    if workspace.plane.is_some() {
        workspace.positions.clear();
        workspace.positions.push(workspace.root);
        for (index, bone) in bones.iter().enumerate() {
            let along = workspace.direction(state.positions[bone.from], state.positions[index + 1]);
            let to = workspace.positions[bone.from] + along * bone.length;
            workspace.positions.push(to);
        }
        for joint in 1..=bones.len() {
            move_joint(&mut state.positions, joint, workspace.positions[joint], Cause::Plane, watch)?;
        }
        if problem.works_on_rotations() {
            fabrik::follow(problem, state, workspace, false, Cause::Plane, watch)?;
        }
    }
    GO_ON
}
