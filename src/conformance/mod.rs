//! A conformance kit for ports: a few solves that together take every branch of the full-body solver.
//!
//! `kinescope conformance --out FOLDER` writes them as traces, whole: every stage, every move, the constants of the frame and the
//! stages of writing. A port solves each trace's `rig` with its `parameters` and writes what it came to as a trace of the same
//! name, with as much of it as it has; `kinescope conformance --check FOLDER` says of each where it first goes another way.
//!
//! Cases are numbered from easy to hard: who begins at the first that fails begins at the simplest. That no branch is left out is
//! a test's affair, which counts them as the solver runs; its table is in the README.

mod cases;
mod person;
mod rows;

use crate::error::Fault;
use crate::trace::Trace;
use crate::trace_diff::{TraceDiff, default_tolerance, diff};

pub use rows::{ROWS, Row};

/// One case of the kit.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Its file is called so: number, and a word or two.
    pub name: &'static str,
    /// What it is about, in a sentence.
    pub about: &'static str,
    /// What is solved, and every stage of it.
    pub trace: Trace,
}

impl Case {
    /// What a port came to, against this case: as much of it as the port tells.
    ///
    /// # Errors
    /// [`Fault`] for an answer that tells neither stages nor a result of a case that has them.
    pub fn check(&self, answer: &Trace) -> Result<TraceDiff, Fault> {
        let mut own = self.trace.clone();
        if answer.steps.is_empty() {
            if answer.result.is_empty() && !own.steps.is_empty() {
                return Err(Fault::new("steps", "and `result` are left out; tell at least one of them"));
            }
            // Who does not tell of stages is not held to have none.
            if own.parameters.solver.weight > 0.0 {
                own.steps.clear();
            }
        }
        Ok(diff(answer, &own, default_tolerance(&own.rig)))
    }
}

/// Every case, from easy to hard.
///
/// # Errors
/// [`Fault`] if one cannot be solved; none is known to.
pub fn cases() -> Result<Vec<Case>, Fault> {
    let solve = |draft: &cases::Draft| {
        let (rig, settings) = draft.make()?;
        let trace = Trace::whole(draft.name, rig, settings)?;
        Ok(Case { name: draft.name, about: draft.about, trace })
    };
    cases::DRAFTS.iter().map(solve).collect()
}
