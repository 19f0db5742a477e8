//! Recordings of solves: every state, and the events either stored or recomputed from the states on demand.

use std::ops::Range;

use super::solver::{Stepped, StopAfter, Unwatched, Watch};

/// The recording of one solve. The default is empty and starts at the default state.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording<Step, State, Event> {
    /// The state before the first step.
    pub start: State,
    /// The steps in order.
    pub steps: Vec<Recorded<Step, State>>,
    /// The events of all steps in order; each step knows its range. Empty after [`Recording::record_states`], until
    /// [`Recording::recall`] computes them.
    pub events: Vec<Event>,
}

impl<Step, State: Default, Event> Default for Recording<Step, State, Event> {
    fn default() -> Self {
        Self { start: State::default(), steps: Vec::new(), events: Vec::new() }
    }
}

/// One step of a [`Recording`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recorded<Step, State> {
    /// The step that was run.
    pub step: Step,
    /// The state after the step.
    pub state: State,
    /// The step's events are `events[events_from..events_to]`.
    pub events_from: u32,
    /// The end of the range, exclusive.
    pub events_to: u32,
}

impl<Step: Copy, State: Clone, Event> Recording<Step, State, Event> {
    /// Solves `state` as [`solve`](super::solve) does and stores every state and event. Buffers of an earlier recording
    /// are reused.
    pub fn record<S>(&mut self, solver: &mut S, state: &mut State)
    where
        S: Stepped<Step = Step, State = State, Event = Event>,
    {
        self.run(solver, state, |solver, state, step, events| {
            let _ = solver.run(state, step, events);
        });
    }

    /// Records the states only, because storing events takes longer than the solve. [`Self::recall`] recomputes them.
    #[inline(always)]
    pub fn record_states<S>(&mut self, solver: &mut S, state: &mut State)
    where
        S: Stepped<Step = Step, State = State, Event = Event>,
    {
        self.record_states_watched(solver, state, &mut Unwatched);
    }

    /// Records the states only, as [`Self::record_states`] does, with an observer.
    #[inline(always)]
    pub(crate) fn record_states_watched<S>(&mut self, solver: &mut S, state: &mut State, watch: &mut impl Watch<Event>)
    where
        S: Stepped<Step = Step, State = State, Event = Event>,
    {
        self.run(solver, state, |solver, state, step, _| {
            let _ = solver.run(state, step, watch);
        });
    }

    /// Recomputes the events of all steps, each from the state before it. `solver` must be set up for the same problem.
    pub fn recall<S>(&mut self, solver: &mut S)
    where
        S: Stepped<Step = Step, State = State, Event = Event>,
    {
        self.events.clear();
        let mut state = self.start.clone();
        for recorded in &mut self.steps {
            recorded.events_from = self.events.len() as u32;
            let _ = solver.run(&mut state, recorded.step, &mut self.events);
            recorded.events_to = self.events.len() as u32;
            state.clone_from(&recorded.state);
        }
    }

    #[inline(always)]
    fn run<S>(
        &mut self,
        solver: &mut S,
        state: &mut State,
        mut run: impl FnMut(&mut S, &mut State, Step, &mut Vec<Event>),
    ) where
        S: Stepped<Step = Step, State = State, Event = Event>,
    {
        self.start.clone_from(state);
        self.events.clear();
        let mut count = 0;
        while let Some(step) = solver.next(state) {
            let events_from = self.events.len() as u32;
            run(solver, state, step, &mut self.events);
            let events_to = self.events.len() as u32;
            match self.steps.get_mut(count) {
                Some(kept) => {
                    kept.state.clone_from(state);
                    (kept.step, kept.events_from, kept.events_to) = (step, events_from, events_to);
                }
                None => self.steps.push(Recorded { step, state: state.clone(), events_from, events_to }),
            }
            count += 1;
        }
        self.steps.truncate(count);
    }

    /// Returns the events of a step; empty if there is no such step.
    pub fn events_of(&self, step: usize) -> &[Event] {
        let range = self.steps.get(step).map_or(0..0, Recorded::range);
        self.events.get(range).unwrap_or_default()
    }

    /// Returns the state before a step; the final state if there is no such step.
    pub fn state_before(&self, step: usize) -> &State {
        match step.min(self.steps.len()).checked_sub(1) {
            Some(before) => &self.steps[before].state,
            None => &self.start,
        }
    }

    /// Returns the final state; the start if there are no steps.
    pub fn end(&self) -> &State {
        self.state_before(usize::MAX)
    }

    /// Returns the state within a step after its first `count` events: for 0 the state before the step, for the number
    /// of its recorded events or more the state after it; `None` if there is no such step.
    ///
    /// For other counts the step is run again and stopped there. `solver` must be set up for the same problem.
    pub fn state_within<S>(&self, solver: &mut S, step: usize, count: usize) -> Option<State>
    where
        S: Stepped<Step = Step, State = State, Event = Event>,
    {
        let recorded = self.steps.get(step)?;
        if count == 0 {
            return Some(self.state_before(step).clone());
        }
        if count >= recorded.range().len() {
            return Some(recorded.state.clone());
        }
        let mut state = self.state_before(step).clone();
        let _ = solver.run(&mut state, recorded.step, &mut StopAfter(count));
        Some(state)
    }
}

impl<Step, State> Recorded<Step, State> {
    fn range(&self) -> Range<usize> {
        self.events_from as usize..self.events_to as usize
    }
}
