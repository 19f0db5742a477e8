//! A case of the kit.

use crate::trace::Trace;
use crate::trace_diff::TraceDiff;

/// One case of the kit.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Its file is called so: number, and a word or two.
    pub name: &'static str,
    /// What it is about, in a sentence.
    pub about: &'static str,
    /// What is solved, and every stage of it.
    pub trace: Trace,
    /// Where it depends on the rounding of its input.
    pub(super) undecided: Vec<TraceDiff>,
}
