//! The recorded solve, and the cursor that says which instant of it is shown.

use crate::chain_ik;
use crate::full_body::Recording;
use crate::full_body::{Node, State, Step};
use crate::grounding;

/// The steps that the timeline shows: those of the full body, of a chain, or of grounding.
#[derive(Clone, Copy, Debug)]
pub enum Steps<'a> {
    Body(&'a Recording),
    Chain(&'a chain_ik::Recording),
    Ground(&'a grounding::Recording),
    /// A chain that cannot be solved.
    Nothing,
}

impl<'a> From<&'a Recording> for Steps<'a> {
    fn from(recording: &'a Recording) -> Self {
        Self::Body(recording)
    }
}

impl<'a> From<&'a chain_ik::Recording> for Steps<'a> {
    fn from(recording: &'a chain_ik::Recording) -> Self {
        Self::Chain(recording)
    }
}

impl Steps<'_> {
    pub fn len(self) -> usize {
        match self {
            Self::Body(recording) => recording.solve.steps.len(),
            Self::Chain(recording) => recording.solve.steps.len(),
            Self::Ground(recording) => recording.solve.steps.len(),
            Self::Nothing => 0,
        }
    }

    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Of a step, from 0; `None` outside the iterations, and where there is no such step.
    pub fn iteration(self, step: usize) -> Option<u32> {
        match self {
            Self::Body(recording) => recording.solve.steps.get(step)?.step.iteration,
            Self::Chain(recording) => recording.solve.steps.get(step)?.step.iteration,
            Self::Ground(_) | Self::Nothing => None,
        }
    }

    /// How many moves a step has, or casts.
    pub fn moves(self, step: usize) -> usize {
        match self {
            Self::Body(recording) if recording.solve.steps.is_empty() => 0,
            Self::Body(recording) => recording.solve.events_of(step).len(),
            Self::Chain(recording) => recording.solve.events_of(step).len(),
            Self::Ground(recording) => recording.solve.events_of(step).len(),
            Self::Nothing => 0,
        }
    }
}

/// An instant of a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    /// Index of a step.
    pub step: usize,
    /// Index of a move within the step: the instant just after it. `None` is the end of the step.
    pub within: Option<usize>,
}

/// How far one press of a stepping key goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    Move,
    Stage,
    Iteration,
}

impl Cursor {
    /// The last instant.
    pub fn end<'a>(steps: impl Into<Steps<'a>>) -> Self {
        Self { step: steps.into().len().saturating_sub(1), within: None }
    }

    /// The same instant in a recording that may have changed: same iteration and stage if it still has them.
    pub fn carried_over(self, from: Option<Step>, recording: &Recording) -> Self {
        let same = from.and_then(|from| recording.solve.steps.iter().position(|recorded| recorded.step == from));
        Self { step: same.unwrap_or(self.step), ..self }.within_steps(Steps::Body(recording))
    }

    /// [`Self::carried_over`] for a chain.
    pub fn carried_over_chain(self, from: Option<chain_ik::Step>, recording: &chain_ik::Recording) -> Self {
        let same = from.and_then(|from| recording.solve.steps.iter().position(|recorded| recorded.step == from));
        Self { step: same.unwrap_or(self.step), ..self }.within_steps(Steps::Chain(recording))
    }

    /// This instant, or the last that there is.
    pub fn within_steps(self, steps: Steps) -> Self {
        let step = self.step.min(steps.len().saturating_sub(1));
        let count = steps.moves(step);
        Self { step, within: self.within.filter(|_| count > 0).map(|within| within.min(count - 1)) }
    }

    /// The state at this instant.
    pub fn state(self, recording: &Recording) -> Option<State> {
        recording.state_within(self.step, self.within.map_or(usize::MAX, |within| within + 1))
    }

    /// The state before what is shown as current: before the move, or before the step.
    pub fn state_before(self, recording: &Recording) -> Option<State> {
        recording.state_within(self.step, self.within.unwrap_or(0))
    }

    /// What was cast before what is shown as current, and that itself: of the move, or of the step.
    pub fn events(self, recording: &grounding::Recording) -> [&[grounding::Event]; 2] {
        let Some(step) = recording.solve.steps.get(self.step) else { return [&recording.solve.events, &[]] };
        let [from, to] = [step.events_from, step.events_to].map(|index| index as usize);
        let current = match self.within {
            Some(within) => (from + within).min(to)..(from + within + 1).min(to),
            None => from..to,
        };
        [&recording.solve.events[..current.start], &recording.solve.events[current]]
    }

    /// The next instant; stays at the end.
    pub fn next<'a>(self, stride: Stride, steps: impl Into<Steps<'a>>) -> Self {
        let steps = steps.into();
        let last = steps.len().saturating_sub(1);
        match stride {
            Stride::Move => {
                let count = steps.moves(self.step);
                match self.within {
                    Some(within) if within + 1 < count => Self { within: Some(within + 1), ..self },
                    // The end of a step is the same instant as its last move: go on in the next that has any.
                    _ => (self.step + 1..=last)
                        .find(|&step| steps.moves(step) > 0)
                        .map_or(Self::end(steps), |step| Self { step, within: Some(0) }),
                }
            }
            Stride::Stage if self.within.is_some() => Self { within: None, ..self },
            Stride::Stage => Self { step: (self.step + 1).min(last), within: None },
            Stride::Iteration => {
                let here = steps.iteration(self.step);
                let step = (self.step + 1..=last).find(|&step| steps.iteration(step) != here);
                Self { step: step.unwrap_or(last), within: None }
            }
        }
    }

    /// The instant before; stays at the start.
    pub fn previous<'a>(self, stride: Stride, steps: impl Into<Steps<'a>>) -> Self {
        let steps = steps.into();
        match stride {
            Stride::Move => {
                let count = steps.moves(self.step);
                let at = self.within.unwrap_or(count.saturating_sub(1));
                if at > 0 {
                    return Self { within: Some(at - 1), ..self };
                }
                (0..self.step)
                    .rev()
                    .find(|&step| steps.moves(step) > 0)
                    .map_or(Self::default(), |step| Self { step, within: Some(steps.moves(step) - 1) })
            }
            Stride::Stage => Self { step: self.step.saturating_sub(1), within: None },
            Stride::Iteration => {
                let iteration = |step: usize| steps.iteration(step);
                let here = iteration(self.step);
                let first = (0..self.step).rev().find(|&step| iteration(step) != here).map_or(0, |step| step + 1);
                let step = if first < self.step { first } else { self.step.saturating_sub(1) };
                let here = iteration(step);
                let first = (0..step).rev().find(|&step| iteration(step) != here).map_or(0, |step| step + 1);
                Self { step: first, within: None }
            }
        }
    }
}

/// How far the furthest node went in a step, and which it was.
pub fn largest_move(recording: &Recording, step: usize) -> (Option<Node>, f32) {
    let (Some(before), Some(after)) =
        (Cursor { step, within: None }.state_before(recording), Cursor { step, within: None }.state(recording))
    else {
        return (None, 0.0);
    };
    Node::ALL.into_iter().fold((None, 0.0), |best, node| {
        let distance = before.nodes[node].distance(after.nodes[node]);
        if distance > best.1 { (Some(node), distance) } else { best }
    })
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::grounding::{Event, Side, SolverState, SolverStep, foot_ik};
    use crate::stepped::{self, Recorded};

    #[test]
    fn events_are_cut_where_the_cursor_is() {
        let event = |index: usize| Event::Predicted { side: Side::Left, from: Vec3::ZERO, to: Vec3::X * index as f32 };
        let step = |events_from, events_to| Recorded {
            step: SolverStep::FootIk(foot_ik::Step { stage: foot_ik::Stage::Cast, side: None }),
            state: SolverState::default(),
            events_from,
            events_to,
        };
        let steps = vec![step(0, 2), step(2, 2), step(2, 5)];
        let solve = stepped::Recording { steps, events: (0..6).map(event).collect(), ..Default::default() };
        let recording = grounding::Recording { solve, ..Default::default() };
        for (step, within, before, current) in [
            (0, None, 0, 0..2),
            (0, Some(1), 1, 1..2),
            (1, None, 2, 2..2),
            (1, Some(7), 2, 2..2),
            (2, None, 2, 2..5),
            (2, Some(0), 2, 2..3),
            (2, Some(9), 5, 5..5),
            (3, None, 6, 6..6),
        ] {
            let shown = Cursor { step, within }.events(&recording);
            assert_eq!(
                shown,
                [&recording.solve.events[..before], &recording.solve.events[current]],
                "{step} {within:?}"
            );
        }
    }
}
