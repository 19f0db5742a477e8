//! The modifiers of a stack: as two programs, before read and after write, with one step for each modifier that is on;
//! and as hooks between the stages of the solve.

use std::sync::Arc;

use glam::Vec3;

use super::act::{Act, Change, Seen};
use super::arm_bending::ArmBending;
use super::ask::{Ask, Bones};
use super::explain;
use super::figure::Figure;
use super::kinds::{Memory, Modifier};
use super::modify::author;
use crate::full_body::{
    Author, Cause, Effector, Frame, Hooks, OffsetShare, Pushing, Settings, Stage, State as Nodes, Step as At,
};
use crate::notation::{Sheet, Term};
use crate::rig::{LimbName, RigidTransform};
use crate::stepped::{Flow, Recording, Stepped, Watch};

/// Largest number of modifiers in a stack.
pub const MAX_MODIFIERS: usize = 64;

/// Input of the solve while modifiers change it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModifiedInput {
    /// Settings of the full body, with changes so far.
    pub settings: Settings,
    /// Animated pose, with changes so far; in the [space of the poses](super).
    pub pose: Vec<RigidTransform>,
    /// Memory of each modifier, in their order.
    pub memory: Vec<Memory>,
}

/// Recording of the program before read. A step is the index of a modifier.
pub type InputRecording = Recording<usize, ModifiedInput, Act>;
/// Recording of the program after write. A step is the index of a modifier.
pub type WrittenRecording = Recording<usize, Vec<RigidTransform>, Act>;

/// Owned copy of the frame that modifiers see.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The character's bones.
    pub figure: Arc<Figure>,
    /// See [`Seen::root`].
    pub root: RigidTransform,
    /// See [`Seen::dt`].
    pub dt: f32,
    /// See [`Seen::time`].
    pub time: f32,
}

impl Moment {
    /// Returns the frame as modifiers see it.
    pub fn seen(&self) -> Seen<'_> {
        Seen { figure: &self.figure, root: self.root, dt: self.dt, time: self.time }
    }
}

pub(super) fn author_of(modifiers: &[Modifier], index: usize) -> Author {
    author(index, modifiers.get(index).map_or("", Modifier::name))
}

/// Program of the modifiers before read.
#[derive(Clone, Copy, Debug)]
pub struct Before<'a> {
    modifiers: &'a [Modifier],
    seen: Seen<'a>,
    next: usize,
}

impl<'a> Before<'a> {
    /// Starts at the first modifier.
    pub const fn new(modifiers: &'a [Modifier], seen: Seen<'a>) -> Self {
        Self { modifiers, seen, next: 0 }
    }
}

/// Returns the index of the first modifier at or after `next` that is on, and moves `next` past it.
fn next_on(modifiers: &[Modifier], next: &mut usize) -> Option<usize> {
    let skipped = modifiers.get(*next..)?.iter().position(Modifier::is_on)?;
    *next += skipped + 1;
    Some(*next - 1)
}

impl Stepped for Before<'_> {
    type Step = usize;
    type State = ModifiedInput;
    type Event = Act;

    fn next(&mut self, _: &ModifiedInput) -> Option<usize> {
        next_on(self.modifiers, &mut self.next)
    }

    fn run(&mut self, state: &mut ModifiedInput, step: usize, watch: &mut impl Watch<Act>) -> Flow {
        state.memory.resize(self.modifiers.len().max(state.memory.len()), Memory::Nothing);
        let mut flow = crate::stepped::GO_ON;
        let mut report = |act| {
            flow = watch.saw(act);
            flow
        };
        let bones = Bones::new(self.seen, author_of(self.modifiers, step), &mut state.pose, &mut report);
        let mut ask = Ask::new(bones, &mut state.settings);
        self.modifiers[step].before_read(&mut state.memory[step], &mut ask);
        flow
    }
}

/// Program of the modifiers after write.
#[derive(Clone, Copy, Debug)]
pub struct After<'a> {
    modifiers: &'a [Modifier],
    input: &'a ModifiedInput,
    seen: Seen<'a>,
    next: usize,
}

impl<'a> After<'a> {
    /// Starts at the first modifier. `input` is the result of [`Before`].
    pub const fn new(modifiers: &'a [Modifier], input: &'a ModifiedInput, seen: Seen<'a>) -> Self {
        Self { modifiers, input, seen, next: 0 }
    }
}

impl Stepped for After<'_> {
    type Step = usize;
    type State = Vec<RigidTransform>;
    type Event = Act;

    fn next(&mut self, _: &Vec<RigidTransform>) -> Option<usize> {
        next_on(self.modifiers, &mut self.next)
    }

    fn run(&mut self, pose: &mut Vec<RigidTransform>, step: usize, watch: &mut impl Watch<Act>) -> Flow {
        let mut flow = crate::stepped::GO_ON;
        let mut report = |act| {
            flow = watch.saw(act);
            flow
        };
        let mut bones = Bones::new(self.seen, author_of(self.modifiers, step), pose, &mut report);
        let memory = self.input.memory.get(step).copied().unwrap_or_default();
        self.modifiers[step].after_write(&memory, &self.input.settings, &mut bones);
        flow
    }
}

/// The modifiers of a frame as hooks between the stages of its solve.
#[derive(Clone, Debug)]
pub struct ModifierHooks {
    modifiers: Arc<Vec<Modifier>>,
    memory: Vec<Memory>,
    moment: Moment,
    shares: Vec<OffsetShare>,
    /// The first modifier that set each effector's target, for effectors without position weight in the settings.
    target_authors: [Option<Author>; Effector::COUNT],
}

impl ModifierHooks {
    /// Creates the hooks after the modifiers ran before read; `input` is the recording of that run.
    pub fn new(modifiers: Arc<Vec<Modifier>>, input: &InputRecording, moment: Moment) -> Self {
        let shares = input.events.iter().filter_map(|act| match act.change {
            Change::Offset { effector, by } => Some(OffsetShare { author: act.author, effector, by }),
            _ => None,
        });
        let mut target_authors = [None; Effector::COUNT];
        for act in &input.events {
            // A target with a position weight in the settings has no author, even if a modifier moves the target.
            if let Change::Target { effector, .. } = act.change
                && input.start.settings.effector(effector).position_weight <= 0.0
            {
                target_authors[effector as usize].get_or_insert(act.author);
            }
        }
        Self { modifiers, memory: input.end().memory.clone(), moment, shares: shares.collect(), target_authors }
    }

    /// Returns the modifier that sets the bend direction of a limb, with its index; `None` if no modifier does.
    fn bends(&self, limb: LimbName, frame: &Frame) -> Option<(usize, &ArmBending)> {
        self.at_work().find_map(|(index, modifier, _)| match modifier {
            Modifier::ArmBending(own) if own.bends(limb, frame).is_some() => Some((index, own)),
            _ => None,
        })
    }

    fn at_work(&self) -> impl Iterator<Item = (usize, &Modifier, &Memory)> {
        let all = self.modifiers.iter().zip(&self.memory).enumerate();
        all.map(|(index, (modifier, memory))| (index, modifier, memory)).filter(|(_, modifier, _)| modifier.is_on())
    }
}

impl Hooks for ModifierHooks {
    fn acts_at(&self, stage: Stage) -> bool {
        self.at_work().any(|(_, modifier, _)| modifier.pushes_at(stage))
    }

    fn act(&self, at: At, frame: &Frame, nodes: &mut Pushing) {
        for (index, modifier, memory) in self.at_work().filter(|(_, modifier, _)| modifier.pushes_at(at.stage)) {
            let author = author_of(&self.modifiers, index);
            modifier.push(memory, (author, at), &self.moment.seen(), frame, nodes);
        }
    }

    fn bend(&self, state: &Nodes, frame: &mut Frame) {
        self.at_work().for_each(|(_, modifier, memory)| modifier.bend(memory, &self.moment.seen(), state, frame));
    }

    fn bend_formula(&self, limb: LimbName, state: &Nodes, frame: &Frame, sheet: &mut Sheet) -> Option<Term<Vec3>> {
        let (_, arm_bending) = self.bends(limb, frame)?;
        explain::bend_direction(arm_bending, limb, state, frame, sheet)
    }

    fn author_of(&self, cause: Cause, frame: &Frame) -> Option<Author> {
        match cause {
            Cause::Effector(effector) | Cause::EffectorChild(effector) => self.target_authors[effector as usize],
            Cause::Bend(limb) => self.bends(limb, frame).map(|(index, _)| author_of(&self.modifiers, index)),
            _ => None,
        }
    }

    fn shares(&self) -> &[OffsetShare] {
        &self.shares
    }
}
