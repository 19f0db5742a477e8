//! A conformance kit for ports of the full-body solver: a few cases that together cover every branch.
//!
//! `kinescope conformance --out FOLDER` writes the cases as whole traces: with all stages, all moves, the constants of
//! the frame and the stages of writing. A port solves each trace's `rig` with its `parameters` and writes its answer as
//! a trace of the same name, as complete as it can. `kinescope conformance --check FOLDER` reports the first difference
//! of each answer.
//!
//! Cases are numbered from easy to hard, so the first one that fails is the simplest to start with. A test counts the
//! branches that the cases take; its table is in the book.

mod case;
mod cases;
mod check;
mod person;
mod rows;

use crate::error::Fault;
use crate::trace::Trace;

pub use case::Case;
pub use rows::{ROWS, Row, first_difference};

/// Returns all cases, from easy to hard.
///
/// # Errors
/// [`Fault`] if a case cannot be solved, which should not happen.
pub fn cases() -> Result<Vec<Case>, Fault> {
    let solve = |draft: &cases::Draft| {
        let (rig, settings) = draft.make()?;
        let trace = Trace::whole(draft.name, rig, settings)?;
        let undecided = check::undecided(&trace)?;
        Ok(Case { name: draft.name, about: draft.about, trace, undecided })
    };
    cases::DRAFTS.iter().map(solve).collect()
}
