//! The solve as a program of steps. One-shot solving and stepping both run it.

use serde::{Deserialize, Serialize};

use super::effector::{body_effectors, end_effectors};
use super::moves::Move;
use super::push::push;
use super::reach::reach;
use super::read::read_nodes;
use super::stage1::stage1;
use super::stage2::stage2;
use super::state::{Frame, State};
use super::trigonometric::solve_trigonometric;
use crate::key::named;
use crate::lanes::{Layout, Number, Single, decide};
use crate::stepped::{Flow, GO_ON, Stepped, Watch};

named! {
    /// What a step does. The keys are the names in traces.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Stage {
        /// Returns the key in traces.
        key,
        /// Returns what the stage does: the first line of its documentation.
        help,
        /// Returns a sentence for tooltips.
        sentence: &'static str,
        /// Returns a short name for a narrow cell, such as `body′` for [`Self::BodyEffectorsAgain`].
        short: &'static str,
    }
    /// Every stage of the solver itself, in solving order.
    ALL {
        /// Places the nodes at the animated bones, after the bend limit and with one-frame offsets.
        Read:
            "Takes the animated pose, undoes wrong bends, adds offsets, and measures lengths, planes and distances.",
            "read";
        /// Moves hands and feet to their targets.
        EndEffectors: "Moves hands and feet to their targets, by the position weights.", "ends";
        /// Lets compressed limbs push their first node and the body away.
        Push: "Lets compressed limbs push their shoulder or hip away and, by push_parent, the body.", "push";
        /// Moves the first and last node of nearly straight limbs in the direction from first to last.
        Reach: "Moves shoulder or hip of nearly straight limbs toward hand or foot, and hand or foot outwards.", "reach";
        /// Moves body, shoulders and thighs toward their targets.
        BodyEffectors: "Moves body, shoulders and thighs toward their targets; the thighs follow the body.", "body";
        /// Places elbows and knees by the lengths of their bones.
        Trigonometric: "Places each elbow and knee by the lengths of the limb's two bones.", "trig";
        /// Forward reach of FABRIK: every limb from its end, then the child constraints once, then the body.
        Stage1:
            "Forward reach. Every limb follows its end, the torso's constraints act once, then the limbs' pull moves the body.",
            "st 1";
        /// Moves body, shoulders and thighs toward their targets once more.
        BodyEffectorsAgain: "Moves body, shoulders and thighs toward their targets once more.", "body′";
        /// Backward reach of FABRIK: the torso's constraints, then every limb from its root.
        Stage2:
            "Backward reach. Rounds of the constraint system settle the torso, then every limb follows from root to end.",
            "st 2";
        /// Moves hands and feet to their targets a last time.
        FinalEffectors: "Moves hands and feet to their targets a last time.", "ends";
        /// Turns elbows and knees to their bend direction.
        Bend: "Turns elbows and knees to their bend direction.", "bend";
    }
    /// Places between stages where [`Hooks`](super::Hooks) may act. A solve has these steps only if a hook acts there.
    HOOKS {
        /// Hooks act on the nodes as read, before anything is solved.
        BeforeSolve: "Modifiers push nodes, before anything is solved.", "m so";
        /// Hooks act before an iteration.
        BeforeIteration: "Modifiers push nodes, before the iteration.", "m it";
        /// Hooks act after an iteration.
        AfterIteration: "Modifiers push nodes, after the iteration.", "m it′";
        /// Hooks act before hands and feet move to their targets a last time.
        BeforeBend: "Modifiers push nodes, before hands and feet move to their targets a last time.", "m be";
        /// Hooks act on the solved nodes, before they are written to the bones.
        BeforeWrite: "Modifiers push nodes, before they are written to the bones.", "m wr";
    }
}

impl Stage {
    /// Returns a readable name: `stage 1`, `end effectors`.
    pub fn label(self) -> String {
        match self {
            Self::Stage1 => "stage 1".to_owned(),
            Self::Stage2 => "stage 2".to_owned(),
            stage => crate::key::label(stage.key()),
        }
    }
}

/// One step of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Step {
    /// Index of the iteration, from 0; `None` outside the iterations.
    pub iteration: Option<u32>,
    /// What the step does.
    pub stage: Stage,
}

impl Step {
    /// The first step of every program that has steps.
    pub const READ: Self = Self { iteration: None, stage: Stage::Read };
}

const ITERATION: [Stage; 8] = [
    Stage::EndEffectors,
    Stage::Push,
    Stage::Reach,
    Stage::BodyEffectors,
    Stage::Trigonometric,
    Stage::Stage1,
    Stage::BodyEffectorsAgain,
    Stage::Stage2,
];
/// Stages of the single iteration that runs without the FABRIK pass.
const ITERATION_ALONE: [Stage; 2] = [Stage::EndEffectors, Stage::Trigonometric];
/// The closing pass: the stages after the last iteration.
const CLOSING: [Stage; 2] = [Stage::FinalEffectors, Stage::Bend];

/// Iterator over the steps of a solve, [`Stage::Read`] first. A caller may inspect or change the state between any two
/// steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Program {
    reads: bool,
    iterations: u32,
    stages: &'static [Stage],
    /// The next step: index `stage` in this iteration, or in the closing stages after the last iteration.
    iteration: u32,
    stage: usize,
}

impl Program {
    /// Creates the program of a frame as read; empty at master weight 0.
    pub fn new<L: Layout>(frame: &Frame<L>) -> Self {
        if decide(frame.weight.lane(0) <= 0.0) {
            return Self { reads: false, iterations: 0, stages: &[], iteration: 0, stage: CLOSING.len() };
        }
        let (iterations, stages): (u32, &[Stage]) = match decide(frame.fabrik_pass) {
            true => (frame.iterations, &ITERATION),
            false => (if decide(frame.iterations > 1) { 1 } else { frame.iterations }, &ITERATION_ALONE),
        };
        Self { reads: true, iterations, stages, iteration: 0, stage: 0 }
    }
}

impl Iterator for Program {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        if std::mem::take(&mut self.reads) {
            return Some(Step::READ);
        }
        if self.iteration == self.iterations {
            let stage = *CLOSING.get(self.stage)?;
            self.stage += 1;
            return Some(Step { iteration: None, stage });
        }
        let step = Step { iteration: Some(self.iteration), stage: self.stages[self.stage] };
        self.stage += 1;
        if self.stage == self.stages.len() {
            (self.iteration, self.stage) = (self.iteration + 1, 0);
        }
        Some(step)
    }
}

/// Runs one stage on the state. Does nothing for the stages of [`Stage::HOOKS`], which
/// [`HookedSolve`](super::HookedSolve) runs.
#[inline(always)]
pub fn run_stage<L: Layout>(
    frame: &Frame<L>,
    state: &mut State<L>,
    stage: Stage,
    watch: &mut impl Watch<Move>,
) -> Flow {
    match stage {
        Stage::Read => read_nodes(frame, state, watch),
        Stage::EndEffectors | Stage::FinalEffectors => end_effectors(frame, state, watch),
        Stage::Push => push(frame, state, watch),
        Stage::Reach => reach(frame, state, watch),
        Stage::BodyEffectors | Stage::BodyEffectorsAgain => body_effectors(frame, state, watch),
        Stage::Trigonometric => solve_trigonometric(frame, state, false, watch),
        Stage::Stage1 => stage1(frame, state, watch),
        Stage::Stage2 => stage2(frame, state, watch),
        Stage::Bend => solve_trigonometric(frame, state, true, watch),
        Stage::BeforeSolve
        | Stage::BeforeIteration
        | Stage::AfterIteration
        | Stage::BeforeBend
        | Stage::BeforeWrite => GO_ON,
    }
}

/// Solve of a frame's nodes, as a program of steps.
#[derive(Clone, Copy, Debug)]
pub struct Solve<'a, L: Layout = Single> {
    frame: &'a Frame<L>,
    program: Program,
}

impl<'a, L: Layout> Solve<'a, L> {
    /// Creates the solve before its first step.
    pub fn new(frame: &'a Frame<L>) -> Self {
        Self { frame, program: Program::new(frame) }
    }
}

impl<L: Layout> Stepped for Solve<'_, L> {
    type Step = Step;
    type State = State<L>;
    type Event = Move;

    #[inline(always)]
    fn next(&mut self, _: &State<L>) -> Option<Step> {
        self.program.next()
    }

    #[inline(always)]
    fn run(&mut self, state: &mut State<L>, step: Step, watch: &mut impl Watch<Move>) -> Flow {
        run_stage(self.frame, state, step.stage, watch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(iterations: u32, fabrik_pass: bool, weight: f32) -> Vec<Step> {
        Program::new(&Frame { weight, iterations, fabrik_pass, ..Frame::default() }).collect()
    }

    #[test]
    fn steps_are_those_of_the_trace_format() {
        let steps = program(2, true, 1.0);
        assert_eq!(steps.len(), 1 + 2 * 8 + 2);
        assert_eq!(steps[0], Step::READ);
        assert_eq!(steps[1], Step { iteration: Some(0), stage: Stage::EndEffectors });
        assert_eq!(steps[16], Step { iteration: Some(1), stage: Stage::Stage2 });
        assert_eq!(steps[17], Step { iteration: None, stage: Stage::FinalEffectors });
        assert_eq!(steps[18], Step { iteration: None, stage: Stage::Bend });
    }

    #[test]
    fn without_fabrik_pass_there_is_one_short_iteration() {
        assert_eq!(program(4, false, 1.0).len(), 5);
        assert_eq!(program(0, false, 1.0).len(), 3);
    }

    #[test]
    fn without_weight_there_are_no_steps() {
        assert!(program(4, true, 0.0).is_empty());
    }
}
