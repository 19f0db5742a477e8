//! Solving a frame at once: read, all steps, write.

use super::body::PositionBased;
use super::frame::Frame;
use super::outcome::Outcome;
use super::program::Solve;
use super::settings::PositionBasedSettings;
use super::state::State;
use crate::error::Fault;
use crate::full_body;
use crate::joints::JointPose;
use crate::rig::RigidTransform;
use crate::stepped;

impl PositionBased {
    /// Reads a pose and the targets of the full body's settings: model space, one transform per bone of the skeleton.
    ///
    /// # Errors
    /// As [`Joints::read`](crate::joints::Joints::read).
    pub fn read(
        &self,
        settings: &PositionBasedSettings,
        body: &full_body::Settings,
        pose: &[RigidTransform],
    ) -> Result<Frame, Fault> {
        let mut frame = Frame::default();
        frame.read(self, settings, body, pose)?;
        Ok(frame)
    }

    /// Solves a pose in place: model space, one transform per bone of the skeleton. Bones keep their lengths. Allocates
    /// nothing.
    ///
    /// # Errors
    /// As [`Joints::read`](crate::joints::Joints::read); the pose is then unchanged.
    pub fn solve(
        &self,
        settings: &PositionBasedSettings,
        body: &full_body::Settings,
        pose: &mut [RigidTransform],
    ) -> Result<Outcome, Fault> {
        let frame = self.read(settings, body, pose)?;
        let mut state = State::new(&frame.animated);
        let outcome = self.run(&frame, &mut state);
        self.write(&frame, &state, pose);
        Ok(outcome)
    }

    /// Solves from a state: [`State::new`] of the animated pose, or the last frame's root and rotations with
    /// multipliers of 0. Allocates nothing.
    pub fn run(&self, frame: &Frame, state: &mut State) -> Outcome {
        let mut solver = Solve::new(self, frame);
        stepped::solve(&mut solver, state);
        solver.outcome(state)
    }

    /// Writes a state to `pose`, which holds the animated pose. A state equal to the animated pose leaves it unchanged,
    /// bit for bit.
    pub fn write(&self, frame: &Frame, state: &State, pose: &mut [RigidTransform]) {
        let solved: JointPose = state.pose(&frame.animated);
        if solved != frame.animated {
            self.joints().write(&solved, pose);
        }
    }
}
