//! Traits of solvers that run in steps and of their observers, with the simplest observers.

use std::ops::ControlFlow;

use crate::timing::{Laps, Work};

/// Whether a step continues. A step passes on the answer of its observer with `?`.
pub type Flow = ControlFlow<()>;
/// The step continues.
pub const GO_ON: Flow = ControlFlow::Continue(());

/// A solver set up for one problem.
pub trait Stepped {
    /// A step of the program.
    type Step: Copy;
    /// The data that steps change. Stored states are enough to replay the solve.
    type State: Clone;
    /// An event within a step and its cause: a node moved, a bone turned, a ray was cast.
    type Event;

    /// Returns the next step, chosen from the state after the previous step; `None` at the end.
    fn next(&mut self, state: &Self::State) -> Option<Self::Step>;

    /// Runs a step. If the observer breaks, the step stops and leaves the state as it is after the last reported event.
    /// A step whose events change nothing may run to its end.
    fn run(&mut self, state: &mut Self::State, step: Self::Step, watch: &mut impl Watch<Self::Event>) -> Flow;
}

/// Runs all steps without an observer.
#[inline(always)]
pub fn solve<S: Stepped>(solver: &mut S, state: &mut S::State) {
    while let Some(step) = solver.next(state) {
        let _ = solver.run(state, step, &mut Unwatched);
    }
}

/// Observes events in the order in which they happen.
pub trait Watch<Event> {
    /// False if the observer ignores events. Steps may then skip work that only events need, such as the state between
    /// two parts of one assignment.
    const LISTENS: bool = true;

    /// Receives an event after it happened. A break ends the step there.
    fn saw(&mut self, event: Event) -> Flow;

    /// Marks the end of a part of the step's work. An observer with a clock assigns the time since the last mark to
    /// that part.
    #[inline(always)]
    fn ended(&mut self, _part: Work) {}
}

/// An observer that ignores everything. The compiler removes it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl<Event> Watch<Event> for Unwatched {
    const LISTENS: bool = false;

    #[inline(always)]
    fn saw(&mut self, _: Event) -> Flow {
        GO_ON
    }
}

impl<Event> Watch<Event> for Laps {
    const LISTENS: bool = false;

    #[inline(always)]
    fn saw(&mut self, _: Event) -> Flow {
        GO_ON
    }

    #[inline(always)]
    fn ended(&mut self, part: Work) {
        self.end(part);
    }
}

impl<Event> Watch<Event> for Vec<Event> {
    fn saw(&mut self, event: Event) -> Flow {
        self.push(event);
        GO_ON
    }
}

/// Ends a step after this many events; 0 counts as 1.
#[derive(Clone, Copy, Debug)]
pub struct StopAfter(pub usize);

impl<Event> Watch<Event> for StopAfter {
    fn saw(&mut self, _: Event) -> Flow {
        self.0 = self.0.saturating_sub(1);
        if self.0 > 0 { GO_ON } else { Flow::Break(()) }
    }
}

impl<Event, W: Watch<Event> + ?Sized> Watch<Event> for &mut W {
    const LISTENS: bool = W::LISTENS;

    #[inline(always)]
    fn saw(&mut self, event: Event) -> Flow {
        (**self).saw(event)
    }

    #[inline(always)]
    fn ended(&mut self, part: Work) {
        (**self).ended(part);
    }
}
