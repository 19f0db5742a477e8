//! A solver in steps, and who watches it.

use std::ops::ControlFlow;

use crate::timing::{Laps, Work};

/// Whether a step goes on. A step hands on what its watcher says, by `?`.
pub type Flow = ControlFlow<()>;
/// The step goes on.
pub const GO_ON: Flow = ControlFlow::Continue(());

/// A solver at work on one problem.
pub trait Stepped {
    /// What can be done next.
    type Step: Copy;
    /// All that steps change: who keeps the states keeps the solve.
    type State: Clone;
    /// One thing that happened within a step, and why: a node moved, a bone turned, a ray was cast.
    type Event;

    /// The next step, given what the one before left; `None` at the end.
    fn next(&mut self, state: &Self::State) -> Option<Self::Step>;

    /// Does a step. Told to break, it leaves the state as it is after the event that it told last; one whose events
    /// change nothing may go on to its end.
    fn run(&mut self, state: &mut Self::State, step: Self::Step, watch: &mut impl Watch<Self::Event>) -> Flow;
}

/// Runs every step, watched by no one.
#[inline(always)]
pub fn solve<S: Stepped>(solver: &mut S, state: &mut S::State) {
    while let Some(step) = solver.next(state) {
        let _ = solver.run(state, step, &mut Unwatched);
    }
}

/// Hears every event in the order in which it happens.
pub trait Watch<Event> {
    /// Whether anyone listens. What is only there to be told, like the state between two parts of one assignment, need
    /// not be made if no one does.
    const LISTENS: bool = true;

    /// Told after it happened. Breaking ends the step there.
    fn saw(&mut self, event: Event) -> Flow;

    /// A part of the step's work ended: what passed since the last part is its cost, for a watch with a clock.
    #[inline(always)]
    fn ended(&mut self, _part: Work) {}
}

/// Watches nothing; the compiler leaves nothing of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl<Event> Watch<Event> for Unwatched {
    const LISTENS: bool = false;

    #[inline(always)]
    fn saw(&mut self, _: Event) -> Flow {
        GO_ON
    }
}

/// Measures the parts of a step, and hears no event.
impl<Event> Watch<Event> for Laps {
    const LISTENS: bool = false;

    fn saw(&mut self, _: Event) -> Flow {
        GO_ON
    }

    fn ended(&mut self, part: Work) {
        self.end(part);
    }
}

/// Keeps everything.
impl<Event> Watch<Event> for Vec<Event> {
    fn saw(&mut self, event: Event) -> Flow {
        self.push(event);
        GO_ON
    }
}

/// Ends a step after so many events.
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
