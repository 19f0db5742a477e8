//! The result of a solve.

use crate::key::named;

named! {
    /// Why a solve stopped.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum StoppedBy {
        /// Returns the key in files.
        key,
        /// Returns the sentence on screen.
        sentence: &'static str,
    }
    /// All reasons.
    ALL {
        /// No effector and no bend goal asks for anything.
        NothingToDo: "no target or bend goal has a weight";
        /// Every target position, target rotation and bend goal holds within its tolerance, apart from what its compliance
        /// leaves.
        Tolerance: "targets and bend goals are within their tolerances";
        /// No sub-step of four in a row brought the largest residual, relative to its tolerance, more than 1 % below
        /// that of the best sub-step so far, as at a target out of reach.
        NoChange: "the last sub-steps came hardly nearer to the targets";
        /// The solve used all sub-steps of the settings.
        Substeps: "all sub-steps used";
    }
}

/// Result of a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// The largest distance from an effector's joint to the position that it should have by its weight; model units. 0
    /// without target positions.
    pub error: f32,
    /// Number of sub-steps: up to four more than [`substeps`](super::PositionBasedSettings::substeps) of the settings.
    pub substeps: u32,
    /// Why the solve stopped.
    pub stopped_by: StoppedBy,
}
