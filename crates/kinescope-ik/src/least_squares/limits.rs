//! Joint limits in an update.
//!
//! A limit has a residual only beyond it, so the equations at a pose within the limits do not contain it: the update
//! would cross the limit, the sum of squares would grow, and damping would shorten the next steps. So each limit that
//! an update crosses is added to the block of its joint, linearized at the updated rotation, and the update is solved
//! again.

use glam::Quat;

use super::rows::{BLOCKS, Blocks};
use super::state::{Frame, SLACK, State};
use super::terms::Workspace;
use crate::joints::Joints;

/// The smallest squared weight of a limit that an update would exceed by more than [`SLACK`]. It is large compared with
/// the other terms; with a much larger one, those terms would lose digits.
const STIFF: f32 = 1e3;
/// Excesses up to this angle are rounding and are not added to the equations; radians.
const ROUNDING: f32 = 2e-4;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Crossed {
    /// Whether a limit was added or became stiff, so that the update must be solved again.
    pub is_new: bool,
    /// Whether a joint exceeds its limit by over [`SLACK`] more than the animated pose does, so that it must be turned back.
    pub is_stopped: bool,
}

/// Adds the limits that an update crosses to the blocks of single joints. `next` is the state after the update. Stores
/// [`Frame::beyond`] of each joint of `next` in the workspace. Does nothing if limits have no weight.
pub(super) fn add_crossed(
    joints: &Joints,
    frame: &Frame,
    next: &State,
    (update, above): (&Blocks, &[Quat; BLOCKS]),
    workspace: &mut Workspace,
) -> Crossed {
    let weight = frame.settings.limits * frame.settings.limits;
    let mut crossed = Crossed::default();
    if frame.settings.limits <= 0.0 {
        return crossed;
    }
    for joint in 0..joints.len() {
        let beyond = frame.beyond(joints, joint, next.rotations[joint]);
        workspace.beyond[joint] = beyond;
        let Some((axis, over)) = beyond else { continue };
        let single = &mut workspace.rows.singles[joint + 1];
        crossed.is_stopped |= over > SLACK;
        let is_stopped = over > SLACK + ROUNDING;
        if over <= ROUNDING || (single.limit > 0.0 && !is_stopped) {
            continue;
        }
        let (limit, back) = if is_stopped { (weight.max(STIFF), over - SLACK) } else { (weight, over) };
        single.axis = above[joint] * axis;
        single.limit = limit;
        single.excess = single.axis.dot(update[joint + 1].truncate()) + back;
        crossed.is_new = true;
    }
    crossed
}
