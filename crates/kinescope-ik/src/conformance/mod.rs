//! A conformance kit for ports of the full-body solver: cases that together cover every branch that the solve of one
//! character can take, every setting of solver, limbs and effectors, and every pair of effectors.
//!
//! `kinescope conformance --out FOLDER` writes the cases as whole traces: with all stages, all moves, the constants of
//! the frame and the stages of writing. A port solves each trace's `rig` with its `parameters` and writes its answer as
//! a trace of the same name, as complete as it can. `kinescope conformance --check FOLDER` reports the first difference
//! in solving order over all answers.
//!
//! The first cases are numbered from easy to hard, and each of them decides a branch in a way that none before it does.
//! Then come the rows of an orthogonal array, which combine any two of 13 settings of a limb, and cases of three
//! frames, which show state that a port wrongly keeps. Tests count what the cases cover; the tables are in the book.

mod case;
mod cases;
mod check;
mod design;
mod feature;
mod frames;
mod person;
mod rows;
mod verdict;

use crate::error::Fault;
use crate::trace::Trace;

pub use case::Case;
#[cfg(all(test, repository))]
pub(crate) use cases::Input;
pub use feature::Feature;
pub use rows::{ROWS, Row, first_difference};
pub use verdict::{SlowGrowth, earliest, slow_growth};

/// Returns the inputs of the cases that cover branches, which come first.
#[cfg(all(test, repository))]
pub(crate) fn branch_inputs() -> Result<Vec<Input>, Fault> {
    cases::DRAFTS.iter().map(cases::Draft::make).collect()
}

/// Returns all cases. Frames of a case follow each other.
///
/// # Errors
/// [`Fault`] if a case cannot be solved, which should not happen.
pub fn cases() -> Result<Vec<Case>, Fault> {
    let solve = |input: Result<cases::Input, Fault>| {
        let cases::Input { name, about, rig, settings, frame } = input?;
        let trace = Trace::whole(&name, rig, settings)?;
        let undecided = check::undecided(&trace)?;
        Ok(Case { name, about, frame, trace, undecided })
    };
    let by_hand = cases::DRAFTS.iter().map(cases::Draft::make);
    let designed = design::inputs(cases::DRAFTS.len() + 1);
    let of_frames = frames::inputs(cases::DRAFTS.len() + design::ROWS + 1);
    by_hand.chain(designed).chain(of_frames).map(solve).collect()
}
