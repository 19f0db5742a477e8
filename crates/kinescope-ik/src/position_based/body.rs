//! The solver of one character.

use std::sync::Arc;

use crate::joints::{JointIndex, Joints, Path};
use crate::names::Effector;

/// The position-based solver of one character. Clones share the joints; no solve changes them.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionBased {
    joints: Arc<Joints>,
}

impl PositionBased {
    /// Creates the solver of a character.
    pub fn new(joints: Arc<Joints>) -> Self {
        Self { joints }
    }

    /// Returns the character's joints.
    pub fn joints(&self) -> &Arc<Joints> {
        &self.joints
    }

    pub(super) fn is_trunk(&self, joint: JointIndex) -> bool {
        self.joints.all()[joint].part.is_trunk()
    }

    #[inline(always)]
    pub(super) fn path(&self, effector: Effector) -> &Path {
        self.joints.path(effector)
    }
}
