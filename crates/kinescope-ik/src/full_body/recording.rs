//! A whole solve with every state kept: of the nodes, and of writing them to the bones. Their moves are made again.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec3;

use super::body::FullBody;
use super::error::{InputError, Status};
use super::hierarchy::Bones;
use super::hierarchy::Key;
use super::hooks::{Hooked, HookedSolve, Hooks};
use super::mapping::Mappings;
use super::moves::{Author, Cause, Move};
use super::program::{Solve, Stage, Step};
use super::read::Read;
use super::read::Workspace;
use super::settings::Settings;
use super::state::{Frame, Points, State};
use super::writing::Writing;
use super::written::{BoneMove, Part, Written};
use crate::rig::{BoneIndex, RigidTransform};
use crate::stepped::{self, Cursor};
use crate::timing::{Laps, Work};

/// One solve, as [`FullBody::solve`] does it, step by step. The default is that of master weight 0: no steps.
///
/// ```
/// use kinescope_ik::full_body::{Node, Recording, Stage};
/// use kinescope_ik::{Effector, FullBody, Settings};
/// # let text = std::fs::read_to_string("tests/golden/reach-with-twist.trace.json")?;
/// # let kinescope_ik::trace::Rig { skeleton, biped, reference, animated } = kinescope_ik::Trace::from_json(&text)?.rig;
///
/// let solver = FullBody::new(&skeleton, &biped, &reference)?;
/// let mut settings = Settings::default();
/// let hand = settings.effector_mut(Effector::LeftHand);
/// (hand.position, hand.position_weight) = (Some(glam::Vec3::new(0.4, 1.2, 0.5)), 1.0);
///
/// let mut pose = animated.clone();
/// let mut recording = Recording::default();
/// recording.record(&solver, &mut solver.workspace(), &settings, &mut pose)?;
/// recording.recall(&solver);
/// for (index, recorded) in recording.solve.steps.iter().enumerate() {
///     println!("{:?}: the hand is at {}", recorded.step, recorded.state.node(Node::LeftHand));
///     for moved in recording.solve.events_of(index) {
///         println!("    {:?} went from {} to {}: {:?}", moved.node, moved.from, moved.to, moved.cause);
///     }
/// }
/// assert_eq!(recording.solve.steps.last().unwrap().step.stage, Stage::Bend);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// What the pose and the settings were read into.
    pub frame: Frame,
    /// [`Stage::Read`] first.
    pub solve: stepped::Recording<Step, State, Move>,
    /// What follows it: the nodes written to the bones.
    pub writing: WritingRecording,
    mappings: Mappings,
    /// The states are those of another implementation.
    is_foreign: bool,
    hooks: Hooked,
}

/// The writing of a solve.
pub type WritingRecording = stepped::Recording<Part, Written, BoneMove>;

impl Recording {
    /// Solves `pose` in place, as [`FullBody::solve`] does, and keeps every state. The buffers of an earlier recording are
    /// used again. Moves are not kept: [`Self::recall`] makes them.
    ///
    /// # Errors
    /// As [`FullBody::solve`]; the recording is empty then.
    pub fn record(
        &mut self,
        solver: &FullBody,
        workspace: &mut Workspace,
        settings: &Settings,
        pose: &mut [RigidTransform],
    ) -> Result<Status, InputError> {
        self.record_hooked(solver, workspace, settings, None, pose, &mut Laps::default())
    }

    /// [`Self::record`], of a solve between whose stages others act; with what reading, stages and writing took.
    ///
    /// # Errors
    /// As [`Self::record`].
    pub fn record_hooked(
        &mut self,
        solver: &FullBody,
        workspace: &mut Workspace,
        settings: &Settings,
        hooks: Option<Arc<dyn Hooks + Send + Sync>>,
        pose: &mut [RigidTransform],
        laps: &mut Laps,
    ) -> Result<Status, InputError> {
        self.hooks = Hooked(hooks);
        let done = match settings.solver.weight <= 0.0 {
            true => Ok(Status::NothingToDo),
            false => self.record_frame(solver, workspace, settings, pose, laps),
        };
        if done != Ok(Status::Solved) {
            *self = Self::default();
        }
        done.map_err(|error| error.because_of(settings))
    }

    fn record_frame(
        &mut self,
        solver: &FullBody,
        workspace: &mut Workspace,
        settings: &Settings,
        pose: &mut [RigidTransform],
        laps: &mut Laps,
    ) -> Result<Status, InputError> {
        let rotations = solver.check_input(workspace, settings, pose)?;
        let mut state = solver.read_usable(workspace, settings, pose, rotations);
        let Read { frame, mappings, written, .. } = &mut workspace.read;
        self.frame = *frame;
        self.is_foreign = false;
        laps.end(Work::Read);
        match self.hooks.get() {
            None => self.solve.record_states(&mut Solve::new(&self.frame), &mut state),
            hooks => self.solve.record_states(&mut HookedSolve::new(&self.frame, hooks), &mut state),
        }
        laps.end(Work::Stages);
        self.mappings.clone_from(mappings);
        if self.frame.iterations == 0 {
            // The spine was not read: what is in there is of an earlier frame.
            self.mappings.forget_spine();
        }
        let mut writing = Writing::new(solver, mappings, &self.frame, &state.points);
        match laps.is_measuring() {
            true => self.writing.record_states_watched(&mut writing, written, laps),
            false => self.writing.record_states(&mut writing, written),
        }
        let done = solver.finish(workspace, pose, Bones::All);
        laps.end(Work::Write);
        done
    }

    /// Makes the moves of every step: those that there were, as each is made from the state that was recorded before it.
    /// `solver` is the one that the recording was made with. There are none of states of another implementation.
    pub fn recall(&mut self, solver: &FullBody) {
        if self.is_foreign {
            return;
        }
        let points = self.solve.end().points;
        self.solve.recall(&mut HookedSolve::new(&self.frame, self.hooks.get()));
        self.writing.recall(&mut Writing::new(solver, &self.mappings, &self.frame, &points));
    }

    /// The same solve with the states of another implementation, as its trace has them: without moves, and without its
    /// writing. Poses are what these states would be written to.
    pub fn with_states(&self, states: impl IntoIterator<Item = (Step, State)>) -> Self {
        let recorded = |(step, state)| stepped::Recorded { step, state, events_from: 0, events_to: 0 };
        let steps = states.into_iter().map(recorded).collect();
        let solve = stepped::Recording { steps, start: self.solve.start, events: Vec::new() };
        let writing = stepped::Recording { start: self.writing.start.clone(), ..Default::default() };
        let (mappings, hooks) = (self.mappings.clone(), Hooked::default());
        Self { frame: self.frame, solve, writing, mappings, is_foreign: true, hooks }
    }

    /// What a step of the nodes goes by: the frame, and in the bend pass what whoever acts before it made of that.
    pub fn frame_at(&self, step: usize) -> Frame {
        let is_bend = self.solve.steps.get(step).is_some_and(|recorded| recorded.step.stage == Stage::Bend);
        let hooks = self.hooks.get().filter(|_| is_bend);
        HookedSolve::bend_frame(&self.frame, hooks, self.solve.state_before(step))
    }

    /// Whose something is that the solver does by itself; see [`Hooks::author_of`].
    pub fn author_of(&self, cause: Cause) -> Option<Author> {
        self.hooks.get()?.author_of(cause, &self.frame)
    }

    /// Whoever acted between the stages.
    pub fn hooks(&self) -> Option<&dyn Hooks> {
        self.hooks.get()
    }

    /// The same, to be handed on to another thread.
    pub fn shared_hooks(&self) -> Option<Arc<dyn Hooks + Send + Sync>> {
        self.hooks.0.clone()
    }

    /// The state of the nodes within a step, after the first `count` of its recalled moves; 0 is the state before it.
    /// `None` if there is no such step.
    pub fn state_within(&self, step: usize, count: usize) -> Option<State> {
        self.solve.state_within(&mut HookedSolve::new(&self.frame, self.hooks.get()), step, count)
    }

    /// Where writing is within a step of [`Self::writing`], after the first `count` of its recalled moves. `None` if there
    /// is no such step.
    pub fn written_within(&self, solver: &FullBody, step: usize, count: usize) -> Option<Written> {
        let points = self.solve.end().points;
        let mut writing = Writing::new(solver, &self.mappings, &self.frame, &points);
        self.writing.state_within(&mut writing, step, count)
    }

    /// Where the bones are at an instant of the whole: of the nodes' steps as they would be written from there, of those
    /// of writing as they are written so far. `None` if there are no steps.
    pub fn written(&self, solver: &FullBody, at: Cursor) -> Option<Written> {
        let count = at.within.map_or(usize::MAX, |within| within + 1);
        let solve = self.solve.steps.len();
        if let Some(step) = at.step.checked_sub(solve) {
            return self.written_within(solver, step, count);
        }
        let points = self.state_within(at.step, count)?.points;
        let mut written = self.writing.start.clone();
        self.is_written().then(|| self.write_from(solver, &points, &mut written))?;
        Some(written)
    }

    /// Where the bones would be after each of the nodes' steps, as they would be written from there; none if they cannot.
    pub(super) fn for_each_written(&self, solver: &FullBody, mut visit: impl FnMut(&Written)) {
        let mut written = self.writing.start.clone();
        for recorded in self.solve.steps.iter().filter(|_| self.is_written()) {
            written.clone_from(&self.writing.start);
            self.write_from(solver, &recorded.state.points, &mut written);
            visit(&written);
        }
    }

    fn is_written(&self) -> bool {
        !self.writing.start.joints.is_empty()
    }

    fn write_from(&self, solver: &FullBody, points: &Points, written: &mut Written) {
        Writing::new(solver, &self.mappings, &self.frame, points).all(written, &mut Laps::default());
        written.keys.settle(&solver.hierarchy);
    }

    /// What writing would make of the nodes as they were before the first step: those nodes, and every move. `None` if
    /// there are no steps.
    pub(super) fn writing_of_start(&self, solver: &FullBody) -> Option<(Points, WritingRecording)> {
        let points = self.solve.start.points;
        self.solve.steps.first()?;
        let mut recording = WritingRecording::default();
        let mut writing = Writing::new(solver, &self.mappings, &self.frame, &points);
        recording.record(&mut writing, &mut self.writing.start.clone());
        Some((points, recording))
    }

    /// Where such a writing is within a step, after the first `count` of its moves.
    pub(super) fn written_from(
        &self,
        solver: &FullBody,
        points: &Points,
        writing: &WritingRecording,
        step: usize,
        count: usize,
    ) -> Option<Written> {
        writing.state_within(&mut Writing::new(solver, &self.mappings, &self.frame, points), step, count)
    }

    /// An axis of the pose as read, after the bend limit, in the space of a key bone.
    pub(super) fn in_bone(&self, key: Key, axis: Vec3) -> Vec3 {
        self.writing.start.keys.base(key).rotation.conjugate() * axis
    }

    /// What writing knows beside the nodes.
    pub(super) fn mappings(&self) -> &Mappings {
        &self.mappings
    }

    /// Where every bone with a role is after each step of writing.
    pub fn writes(&self, solver: &FullBody) -> impl Iterator<Item = (Part, BTreeMap<BoneIndex, RigidTransform>)> {
        let steps = self.writing.steps.iter();
        steps.map(|recorded| (recorded.step, solver.key_bones(&recorded.state).collect()))
    }

    /// The last step before the closing pass, which puts hands and feet on their targets whether the bones reach or
    /// not: what the solve achieved is to be measured here. 0 if there is no step.
    pub fn settled(&self) -> usize {
        settled(self.solve.steps.iter().map(|recorded| recorded.step))
    }
}

/// See [`Recording::settled`].
pub(crate) fn settled(mut steps: impl ExactSizeIterator<Item = Step>) -> usize {
    let last = steps.len().saturating_sub(1);
    steps.position(|step| step.stage == Stage::FinalEffectors).map_or(last, |closing| closing.saturating_sub(1))
}
