//! One whole solve, and the writing of what steps came to.

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
    /// Writes a state to the bones: spine, head, limbs, and all that hangs on them.
    ///
    /// `pose` holds the animated pose that the frame was read from; `workspace` is the one it was read with, and is
    /// used up: read again before the next write.
    ///
    /// # Errors
    /// [`InputError`] if the workspace is not the one that the frame was read with, the pose is too short, or the state
    /// has numbers that no bone can have. The pose stays as it was.
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

    /// The end of writing: all bones go where their key bones are.
    pub(super) fn finish(
        &self,
        workspace: &mut Workspace,
        pose: &mut [RigidTransform],
        bones: Bones,
    ) -> Result<Status, InputError> {
        workspace.read.written.keys.write(&self.hierarchy, pose, bones)?;
        Ok(Status::Solved)
    }

    /// The bones with a role, and where an instant of writing has them.
    pub fn key_bones<'a>(&'a self, written: &'a Written) -> impl Iterator<Item = (BoneIndex, RigidTransform)> + 'a {
        let world = |key: Key| written.keys.world(key, *written.keys.settled(key));
        (0..self.hierarchy.key_count()).map(move |key| (self.hierarchy.bone(key), world(key)))
    }

    /// Puts all bones where an instant of writing has them. `pose` holds the animated pose that the frame was read
    /// from.
    ///
    /// # Errors
    /// [`InputError`] if the pose is too short, or a bone came out as none; the pose stays as it was.
    pub fn pose_of(&self, written: &Written, pose: &mut [RigidTransform]) -> Result<(), InputError> {
        let expected = self.hierarchy.bone_count();
        if pose.len() < expected {
            return Err(InputError::PoseLength { found: pose.len(), expected });
        }
        written.keys.clone().write(&self.hierarchy, pose, Bones::All)
    }

    /// One whole solve: read, every step, write. `pose` is the animated pose and becomes the solved one. At master weight 0 the pose stays as it is, bit for bit.
    ///
    /// Allocates nothing and never panics, whatever it is given. The result is finite; with
    /// [valid](Settings::validate) settings, and a pose none of whose coordinates is beyond
    /// [`FARTHEST`](crate::math::FARTHEST), there always is one.
    ///
    /// # Errors
    /// [`InputError`] says which input cannot be solved with: the pose stays as it was, bit for bit.
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

    /// Solves checked input of a master weight above 0, and collects the outcome where one is asked for.
    #[inline(always)]
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

/// Runs every step of a solve. `settled` receives the points before the closing pass, where measures are taken.
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
