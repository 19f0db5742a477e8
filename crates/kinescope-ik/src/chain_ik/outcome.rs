//! The result of a solve.

use serde::{Deserialize, Serialize};

use crate::key::named;

named! {
    /// Why a solve stopped.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum StoppedBy {
        /// Returns the key in files.
        key,
        /// Returns the label on screen.
        sentence: &'static str,
    }
    /// Every reason.
    ALL {
        /// Every joint with a goal is within the tolerance of its target.
        Tolerance: "reached: within the tolerance";
        /// An iteration moved the goal's joint by no more than the change tolerance; only with a single goal.
        NoChange: "no change: the last iteration hardly moved the joint with the target";
        /// The target is too far or too near, and the chain is stretched toward the target or folded.
        Unreachable: "out of reach: the chain is stretched or folded toward the target";
        /// The solve used all iterations that the settings allow.
        MaxIterations: "all iterations used";
        /// The closed form stays off the target because of its soft zone, maximum stretch or limits, or by rounding.
        ClosedForm: "closed form, off the target because of soft zone, maximum stretch, limits or rounding";
        /// The weight is 0, so nothing was solved.
        NoWeight: "weight 0: not solved";
        /// The joints reached the target, but rotations computed in a [source's way](super::MapTurn) miss it.
        LostInMap: "the joints reached the target; the rotations miss it";
    }
}

/// Result of a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Largest distance from a goal's joint to its [target](super::Workspace::targets); model units. At a weight below
    /// 1 the target is between joint and goal, unless the weight acts [in each pass](super::Weighting::Passes).
    pub error: f32,
    /// Number of iterations; 1 for a closed form, and for a chain stretched or folded because its target is out of
    /// reach. 0 at weight 0, or if an iterating solver needs no iteration or the settings allow none.
    pub iterations: u32,
    /// Why the solve stopped.
    pub stopped_by: StoppedBy,
}

impl Outcome {
    /// Returns whether every joint with a goal is within the tolerance of its target; false at weight 0.
    pub fn is_reached(&self) -> bool {
        self.stopped_by == StoppedBy::Tolerance
    }
}
