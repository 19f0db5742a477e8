//! Step-by-step execution, on which the solvers are built: a program of steps over a small state, which can be observed
//! event by event, recorded, and replayed up to any instant.
//!
//! A solver returns its [next step](Stepped::next) and [runs](Stepped::run) it. Solving at once, stepping and recording
//! run the same code with different observers. [`Unwatched`] costs nothing.
//!
//! ```
//! use kinescope_ik::stepped::{Flow, GO_ON, Stepped, Unwatched, Watch, Recording, solve};
//!
//! /// Halves a number until it is below one.
//! struct Halving;
//!
//! impl Stepped for Halving {
//!     type Step = &'static str;
//!     type State = f32;
//!     type Event = [f32; 2];
//!
//!     fn next(&mut self, state: &f32) -> Option<&'static str> {
//!         (*state >= 1.0).then_some("halve")
//!     }
//!
//!     fn run(&mut self, state: &mut f32, _: &'static str, watch: &mut impl Watch<[f32; 2]>) -> Flow {
//!         let from = std::mem::replace(state, *state / 2.0);
//!         watch.saw([from, *state])
//!     }
//! }
//!
//! let mut state = 3.0;
//! solve(&mut Halving, &mut state);
//! assert_eq!(state, 0.75);
//!
//! let mut recording = Recording::default();
//! recording.record(&mut Halving, &mut 3.0);
//! assert_eq!(recording.steps.len(), 2);
//! assert_eq!(recording.events_of(1), [[1.5, 0.75]]);
//! ```

mod recording;
pub mod run;
mod solver;

pub use recording::{Recorded, Recording};
pub use run::{Cursor, Run};
pub use solver::{Flow, GO_ON, Stepped, StopAfter, Unwatched, Watch, solve};
