//! Solving a frame at once.

use super::outcome::Outcome;
use super::program::Solve;
use super::settings::LeastSquaresSettings;
use super::state::{Frame, LastPose, State};
use super::terms::Workspace;
use crate::error::Fault;
use crate::full_body::Settings;
use crate::joints::Joints;
use crate::rig::RigidTransform;
use crate::stepped;

/// Solves a pose in place: model space, one transform per bone of the skeleton. The targets are those of the full
/// body's settings, see [`Goals::resolve`](crate::joints::Goals::resolve). The pose stays bit for bit if the master
/// weight or the number of iterations is 0, and without a target or bend goal if balance and separation have no weight.
/// Solves also if [`on`](LeastSquaresSettings::on) is false.
///
/// `last` is the last pose of the same character, from which a warm start begins; the solve stores its result there, or
/// empties it if nothing is solved. Pass an empty one for the first frame and after a jump. Allocates nothing once
/// `last` has been filled.
///
/// # Errors
/// [`Fault`] for a pose with too few bones or an invalid bone; the pose stays unchanged.
pub fn solve(
    joints: &Joints,
    settings: &LeastSquaresSettings,
    targets: &Settings,
    last: &mut LastPose,
    workspace: &mut Workspace,
    pose: &mut [RigidTransform],
) -> Result<Outcome, Fault> {
    let (frame, mut state) = Frame::read(joints, settings, targets, Some(&*last), pose)?;
    let mut solve = Solve::new(joints, &frame, workspace);
    stepped::solve(&mut solve, &mut state);
    let iterations = solve.iterations();
    Ok(finish(joints, &frame, (&state, iterations), last, pose))
}

/// Writes the result of a solve to `pose` and `last`. If the frame needs no solve, `pose` stays unchanged and `last`
/// becomes empty.
#[inline(never)]
pub(super) fn finish(
    joints: &Joints,
    frame: &Frame,
    (state, iterations): (&State, u32),
    last: &mut LastPose,
    pose: &mut [RigidTransform],
) -> Outcome {
    if !frame.is_needed {
        last.turns.clear();
        return Outcome::default();
    }
    last.keep(joints, frame, state);
    joints.write(&state.pose(frame), pose);
    Outcome::new(joints, frame, state, iterations)
}
