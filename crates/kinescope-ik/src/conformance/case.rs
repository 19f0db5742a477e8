//! A case of the conformance kit.

use crate::trace::Trace;
use crate::trace_diff::TraceDiff;

/// A case of the conformance kit, or one frame of a case of three frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The name of the case and its file: a number and a few words.
    pub name: String,
    /// One sentence on what the case covers.
    pub about: String,
    /// The frame, from 1. A port solves frames above 1 with the solver of the previous frame, without resetting it; all
    /// other cases with a new solver.
    pub frame: u8,
    /// The input, and the reference result with every stage.
    pub trace: Trace,
    /// Differences that depend on the rounding of the input.
    pub(super) undecided: Vec<TraceDiff>,
}
