//! The interface of a solver that poses the whole body on joint angles.

use std::sync::Arc;

use super::joint::Joints;
use crate::error::Fault;
use crate::full_body::Settings;
use crate::rig::RigidTransform;
use crate::stepped::Run;

/// A recorded solve of a solver that poses the whole body. With this interface a row in the table of layers makes the
/// solver a layer of the stack.
pub(crate) trait BodySolver: Run + Send + Sync + Sized + 'static {
    /// The solver's settings.
    type Settings;
    /// What the solver keeps from one frame to the next; `()` for nothing.
    type Memory: Default;

    /// Solves `pose` in place and records every step; no steps if there is nothing to solve. `targets` has the targets
    /// and bend goals with their weights, in the space of `pose`.
    fn record(
        joints: Arc<Joints>,
        settings: &Self::Settings,
        targets: &Settings,
        memory: &mut Self::Memory,
        pose: &mut [RigidTransform],
    ) -> Result<Self, Fault>;
}
