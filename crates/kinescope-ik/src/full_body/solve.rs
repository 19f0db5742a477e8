//! Whole solves, and writing a state to the bones.

use super::body::FullBody;
use super::error::{InputError, Status};
use super::hierarchy::{Bones, Key};
use super::input::Rotations;
use super::outcome::Outcome;
use super::program::{Solve, Stage};
use super::read::{Read, Workspace};
use super::settings::Settings;
use super::state::{Frame, Points, State};
use super::writing::Writing;
use super::written::Written;
use crate::lanes::Layout;
use crate::rig::{BoneIndex, RigidTransform};
use crate::stepped::{Stepped, Unwatched};
use crate::timing::{Laps, Work};

impl FullBody {
    /// Writes a state to the bones: spine, head, limbs, and all bones they carry.
    ///
    /// `pose` holds the animated pose that the frame was read from. `workspace` must be the one that read the frame; it
    /// can write only once for each read. At master weight 0 nothing is written.
    ///
    /// # Errors
    /// [`InputError`] if nothing was read into the workspace, if it belongs to another solver, if the pose is too
    /// short, or if a written bone is not finite or too far away. The pose stays unchanged.
    pub fn write(
        &self,
        workspace: &mut Workspace,
        frame: &Frame,
        state: &State,
        pose: &mut [RigidTransform],
    ) -> Result<Status, InputError> {
        if frame.weight <= 0.0 {
            return Ok(Status::NothingToDo);
        }
        if !std::mem::take(&mut workspace.is_read) {
            return Err(InputError::NotRead);
        }
        self.check_fit(workspace, pose)?;
        let Read { mappings, written, .. } = &mut workspace.read;
        Writing::new(self, mappings, frame, &state.points).all(written, &mut Laps::default());
        self.finish(workspace, pose, Bones::All)
    }

    pub(super) fn finish(
        &self,
        workspace: &mut Workspace,
        pose: &mut [RigidTransform],
        bones: Bones,
    ) -> Result<Status, InputError> {
        workspace.read.written.keys.write(&self.hierarchy, pose, bones)?;
        Ok(Status::Solved)
    }

    /// Returns every bone with a role and its transform at an instant of writing; model space.
    pub fn key_bones<'a>(&'a self, written: &'a Written) -> impl Iterator<Item = (BoneIndex, RigidTransform)> + 'a {
        let world = |key: Key| written.keys.world(key, *written.keys.settled(key));
        (0..self.hierarchy.key_count()).map(move |key| (self.hierarchy.bone(key), world(key)))
    }

    /// Writes all bones to `pose` as they are at an instant of writing. `pose` holds the animated pose that the frame
    /// was read from.
    ///
    /// # Errors
    /// [`InputError`] if the pose is too short or a bone is invalid. The pose stays unchanged.
    pub fn pose_of(&self, written: &Written, pose: &mut [RigidTransform]) -> Result<(), InputError> {
        let expected = self.hierarchy.bone_count();
        if pose.len() < expected {
            return Err(InputError::PoseLength { found: pose.len(), expected });
        }
        written.keys.clone().write(&self.hierarchy, pose, Bones::All)
    }

    /// Solves one frame: reads, runs every step and writes. `pose` is the animated pose and becomes the solved one,
    /// model space. At master weight 0 it stays unchanged, bit for bit.
    ///
    /// Allocates only to grow the buffers of the workspace, usually in its first solve, and never panics on any input.
    /// Results are finite. [Valid](Settings::validate) settings and a pose of unit quaternions and coordinates within
    /// [`FARTHEST`](crate::math::FARTHEST) always have a result.
    ///
    /// # Errors
    /// [`InputError`] for the first unusable input. If a solved bone is not finite or too far away, the error names the
    /// first setting out of range, or is [`InputError::State`] if every setting is in range. The pose stays unchanged,
    /// bit for bit.
    pub fn solve(
        &self,
        workspace: &mut Workspace,
        settings: &Settings,
        pose: &mut [RigidTransform],
    ) -> Result<Status, InputError> {
        if settings.solver.weight <= 0.0 {
            return Ok(Status::NothingToDo);
        }
        let rotations = self.check_input(workspace, settings, pose)?;
        self.solve_usable(workspace, settings, (pose, rotations), Bones::All, None, &mut Laps::default())
    }

    /// Solves checked input with a master weight above 0; fills `outcome` if given. Not inlined, because compiling a
    /// copy takes seconds.
    #[inline(never)]
    pub(crate) fn solve_usable(
        &self,
        workspace: &mut Workspace,
        settings: &Settings,
        (pose, rotations): (&mut [RigidTransform], Rotations),
        bones: Bones,
        outcome: Option<&mut Outcome>,
        laps: &mut Laps,
    ) -> Result<Status, InputError> {
        let mut state = self.read_usable(workspace, settings, pose, rotations);
        workspace.is_read = false;
        laps.end(Work::Read);
        let Read { frame, mappings, written, .. } = &mut workspace.read;
        let mut settled = outcome.is_some().then_some(state.points);
        run_steps(frame, &mut state, settled.as_mut());
        if let (Some(outcome), Some(settled)) = (outcome, &settled) {
            *outcome = Outcome::of_lane(frame, settled, 0);
        }
        laps.end(Work::Stages);
        Writing::new(self, mappings, frame, &state.points).all(written, laps);
        let done = self.finish(workspace, pose, bones).map_err(|error| error.because_of(settings));
        laps.end(Work::Write);
        done
    }
}

/// Runs every step of a solve. `settled` receives the points before the closing pass, from which outcomes are collected.
#[inline(always)]
pub(crate) fn run_steps<L: Layout>(frame: &Frame<L>, state: &mut State<L>, mut settled: Option<&mut Points<L>>) {
    let mut solve = Solve::new(frame);
    while let Some(step) = solve.next(state) {
        if step.stage == Stage::FinalEffectors
            && let Some(settled) = settled.as_deref_mut()
        {
            *settled = state.points;
        }
        let _ = solve.run(state, step, &mut Unwatched);
    }
}
