//! A conformance kit for ports: a few solves that together take every branch of the full-body solver.
//!
//! `kinescope conformance --out FOLDER` writes them as traces, whole: every stage, every move, the constants of the frame and the
//! stages of writing. A port solves each trace's `rig` with its `parameters` and writes what it came to as a trace of the same
//! name, with as much of it as it has; `kinescope conformance --check FOLDER` says of each where it first goes another way.
//!
//! Cases are numbered from easy to hard: who begins at the first that fails begins at the simplest. That no branch is left out is
//! a test's affair, which counts them as the solver runs; its table is in the README.

mod case;
mod cases;
mod check;
mod person;
mod rows;

use crate::error::Fault;
use crate::trace::Trace;

pub use case::Case;
pub use rows::{ROWS, Row, first_told};

/// Every case, from easy to hard.
///
/// # Errors
/// [`Fault`] if one cannot be solved; none is known to.
pub fn cases() -> Result<Vec<Case>, Fault> {
    let solve = |draft: &cases::Draft| {
        let (rig, settings) = draft.make()?;
        let trace = Trace::whole(draft.name, rig, settings)?;
        let undecided = check::undecided(&trace)?;
        Ok(Case { name: draft.name, about: draft.about, trace, undecided })
    };
    cases::DRAFTS.iter().map(solve).collect()
}
