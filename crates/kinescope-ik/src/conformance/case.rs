//! A case of the conformance kit.

use crate::trace::Trace;
use crate::trace_diff::TraceDiff;

/// A case of the conformance kit.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The name of the case and its file: a number and one or two words.
    pub name: &'static str,
    /// One sentence on what the case covers.
    pub about: &'static str,
    /// The input, and the reference result with every stage.
    pub trace: Trace,
    /// Differences that depend on the rounding of the input.
    pub(super) undecided: Vec<TraceDiff>,
}
