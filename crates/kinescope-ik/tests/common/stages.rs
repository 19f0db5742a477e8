//! Stages of the full body, compiled once.

use kinescope_ik::full_body::{self, Frame, Stage, State};
use kinescope_ik::stepped::{Flow, Unwatched};

/// Runs one stage. The library's function is always inlined, so every test that calls it would compile all stages.
pub fn run_stage(frame: &Frame, state: &mut State, stage: Stage) -> Flow {
    full_body::run_stage(frame, state, stage, &mut Unwatched)
}
