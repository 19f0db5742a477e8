//! A solve with every state kept, and every event: at once, or made again from the states when someone asks.

use std::ops::Range;

use super::solver::{Stepped, StopAfter, Unwatched, Watch};

/// One solve, step by step. The default is empty, and starts from the default state.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording<Step, State, Event> {
    /// Before the first step.
    pub start: State,
    /// What was done, in order.
    pub steps: Vec<Recorded<Step, State>>,
    /// All events in order; each step knows its range. None after [`Recording::record_states`].
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
    /// What was done.
    pub step: Step,
    /// After the step.
    pub state: State,
    /// The step's events are `events[events_from..events_to]`.
    pub events_from: u32,
    /// One past the last of them.
    pub events_to: u32,
}

impl<Step: Copy, State: Clone, Event> Recording<Step, State, Event> {
    /// Solves `state` as [`solve`](super::solve) does, keeping every state and event. The buffers of an earlier
    /// recording are used again.
    pub fn record<S>(&mut self, solver: &mut S, state: &mut State)
    where
        S: Stepped<Step = Step, State = State, Event = Event>,
    {
        self.run(solver, state, |solver, state, step, events| {
            let _ = solver.run(state, step, events);
        });
    }

    /// [`Self::record`] without the events, which take longer than the solve: [`Self::recall`] makes them again.
    #[inline(always)]
    pub fn record_states<S>(&mut self, solver: &mut S, state: &mut State)
    where
        S: Stepped<Step = Step, State = State, Event = Event>,
    {
        self.record_states_watched(solver, state, &mut Unwatched);
    }

    /// [`Self::record_states`], with someone who watches and keeps nothing here.
    #[inline(always)]
    pub(crate) fn record_states_watched<S>(&mut self, solver: &mut S, state: &mut State, watch: &mut impl Watch<Event>)
    where
        S: Stepped<Step = Step, State = State, Event = Event>,
    {
        self.run(solver, state, |solver, state, step, _| {
            let _ = solver.run(state, step, watch);
        });
    }

    /// Makes the events of all steps, each from the state before it, by a solver of the same problem.
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

    /// The events of one step; none if there is no such step.
    pub fn events_of(&self, step: usize) -> &[Event] {
        let range = self.steps.get(step).map_or(0..0, Recorded::range);
        self.events.get(range).unwrap_or_default()
    }

    /// The state before a step; that at the end if there is no such step.
    pub fn state_before(&self, step: usize) -> &State {
        match step.min(self.steps.len()).checked_sub(1) {
            Some(before) => &self.steps[before].state,
            None => &self.start,
        }
    }

    /// The state at the end; where it began, if nothing was done.
    pub fn end(&self) -> &State {
        self.state_before(usize::MAX)
    }

    /// The state within a step, after the first `count` of its events; 0 is the state before it. The step is made again
    /// and stopped there, by a solver of the same problem. `None` if there is no such step.
    pub fn state_within<S>(&self, solver: &mut S, step: usize, count: usize) -> Option<State>
    where
        S: Stepped<Step = Step, State = State, Event = Event>,
    {
        let recorded = self.steps.get(step)?;
        if count >= recorded.range().len() {
            return Some(recorded.state.clone());
        }
        let mut state = self.state_before(step).clone();
        if count > 0 {
            let _ = solver.run(&mut state, recorded.step, &mut StopAfter(count));
        }
        Some(state)
    }
}

impl<Step, State> Recorded<Step, State> {
    fn range(&self) -> Range<usize> {
        self.events_from as usize..self.events_to as usize
    }
}
