//! The state of a solve, which the steps change.

use glam::{Quat, Vec3};

use crate::joints::{JointPose, MAX_JOINTS};
use crate::names::Effector;

/// Coordinates and multipliers. Recordings store one for each step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Position of the pelvis; model space.
    pub root: Vec3,
    /// Rotation of each joint relative to its parent joint; that of the pelvis in model space.
    pub rotations: [Quat; MAX_JOINTS],
    /// Multipliers of the target positions.
    pub positions: [Vec3; Effector::COUNT],
    /// Multipliers of the target rotations.
    pub turns: [Vec3; Effector::COUNT],
    /// Multipliers of the bend goals, times the mobility: radians.
    pub bends: [f32; 4],
    /// Multipliers of the rest pose, times the mobility: axis times radians in the parent joint's space.
    pub rest: [Vec3; MAX_JOINTS],
    /// For each joint that the limits turned back when they last ran, the axis of the rotation that leads further out, in
    /// the parent joint's space; zero for other joints.
    pub outward: [Vec3; MAX_JOINTS],
    /// The largest residual of a target position so far in this sub-step, before its constraint was solved; model units.
    pub worst: f32,
    /// The largest residual of a target rotation or bend goal so far in this sub-step, before its constraint was solved;
    /// radians.
    pub worst_angle: f32,
    /// The result of the first start; `None` before the second.
    pub first: Option<FirstResult>,
}

/// The result of the first start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstResult {
    /// Position of the pelvis; model space.
    pub root: Vec3,
    /// Rotation of each joint, as in [`State::rotations`].
    pub rotations: [Quat; MAX_JOINTS],
    /// The largest distance from a joint to its target, model units.
    pub error: f32,
}

impl Default for State {
    fn default() -> Self {
        Self {
            root: Vec3::ZERO,
            rotations: [Quat::IDENTITY; MAX_JOINTS],
            positions: [Vec3::ZERO; Effector::COUNT],
            turns: [Vec3::ZERO; Effector::COUNT],
            bends: [0.0; 4],
            rest: [Vec3::ZERO; MAX_JOINTS],
            outward: [Vec3::ZERO; MAX_JOINTS],
            worst: 0.0,
            worst_angle: 0.0,
            first: None,
        }
    }
}

impl State {
    /// Creates the state of a pose, with all multipliers at 0.
    pub fn new(pose: &JointPose) -> Self {
        Self { root: pose.root, rotations: pose.rotations, ..Self::default() }
    }

    /// Returns the pose of the joints; `animated` has the offsets.
    pub fn pose(&self, animated: &JointPose) -> JointPose {
        JointPose { root: self.root, rotations: self.rotations, offsets: animated.offsets }
    }
}
