//! Recording of a solve: every state of the nodes and of writing. Moves are recomputed from the states.

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

/// One solve, as [`FullBody::solve`] runs it, step by step. The default is the recording at master weight 0, without
/// steps.
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
    /// Frame that pose and settings were read into.
    pub frame: Frame,
    /// Steps of the nodes, [`Stage::Read`] first.
    pub solve: stepped::Recording<Step, State, Move>,
    /// Steps that write the solved nodes to the bones.
    pub writing: WritingRecording,
    mappings: Mappings,
    /// Whether the states come from another implementation.
    is_foreign: bool,
    hooks: Hooked,
}

/// Recording of the writing of a solve.
pub type WritingRecording = stepped::Recording<Part, Written, BoneMove>;

impl Recording {
    /// Solves `pose` in place, as [`FullBody::solve`] does, and records every state. Reuses the buffers of an earlier
    /// recording. Does not record moves: [`Self::recall`] recomputes them.
    ///
    /// # Errors
    /// As [`FullBody::solve`]; the recording is then empty.
    pub fn record(
        &mut self,
        solver: &FullBody,
        workspace: &mut Workspace,
        settings: &Settings,
        pose: &mut [RigidTransform],
    ) -> Result<Status, InputError> {
        self.record_hooked(solver, workspace, settings, None, pose, &mut Laps::default())
    }

    /// Records as [`Self::record`] does, with hooks between the stages, and with the durations of reading, stages and
    /// writing in `laps`.
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
            // The spine was not read, so the mapping still has the spine of an earlier frame.
            self.mappings.forget_spine();
        }
        let mut writing = Writing::new(solver, mappings, &self.frame, &state.points);
        self.writing.record_states_watched(&mut writing, written, laps);
        let done = solver.finish(workspace, pose, Bones::All);
        laps.end(Work::Write);
        done
    }

    /// Recomputes the moves of every step from the state recorded before it. `solver` must be the one that made the
    /// recording. States of another implementation get no moves.
    pub fn recall(&mut self, solver: &FullBody) {
        if self.is_foreign {
            return;
        }
        let points = self.solve.end().points;
        self.solve.recall(&mut HookedSolve::new(&self.frame, self.hooks.get()));
        self.writing.recall(&mut Writing::new(solver, &self.mappings, &self.frame, &points));
    }

    /// Returns the same solve with the states of another implementation, as read from its trace. It has no moves and no
    /// writing; poses are computed from these states.
    pub fn with_states(&self, states: impl IntoIterator<Item = (Step, State)>) -> Self {
        let recorded = |(step, state)| stepped::Recorded { step, state, events_from: 0, events_to: 0 };
        let steps = states.into_iter().map(recorded).collect();
        let solve = stepped::Recording { steps, start: self.solve.start, events: Vec::new() };
        let writing = stepped::Recording { start: self.writing.start.clone(), ..Default::default() };
        let (mappings, hooks) = (self.mappings.clone(), Hooked::default());
        Self { frame: self.frame, solve, writing, mappings, is_foreign: true, hooks }
    }

    /// Returns the frame that a step of the nodes uses. In the bend pass it has the bend directions that hooks set.
    pub fn frame_at(&self, step: usize) -> Frame {
        let is_bend = self.solve.steps.get(step).is_some_and(|recorded| recorded.step.stage == Stage::Bend);
        let hooks = self.hooks.get().filter(|_| is_bend);
        HookedSolve::bend_frame(&self.frame, hooks, self.solve.state_before(step))
    }

    /// Returns the author of the target or bend that a cause follows, see [`Hooks::author_of`]; `None` without hooks.
    pub fn author_of(&self, cause: Cause) -> Option<Author> {
        self.hooks.get()?.author_of(cause, &self.frame)
    }

    /// Returns the hooks between the stages; `None` for a solve without hooks.
    pub fn hooks(&self) -> Option<&dyn Hooks> {
        self.hooks.get()
    }

    /// Returns the hooks for use on another thread; `None` for a solve without hooks.
    pub fn shared_hooks(&self) -> Option<Arc<dyn Hooks + Send + Sync>> {
        self.hooks.0.clone()
    }

    /// Returns the state of the nodes after the first `count` moves of a step; 0 is the state before the step. The
    /// moves must have been recalled. `None` if there is no such step.
    pub fn state_within(&self, step: usize, count: usize) -> Option<State> {
        self.solve.state_within(&mut HookedSolve::new(&self.frame, self.hooks.get()), step, count)
    }

    /// Returns the bones after the first `count` moves of a step of [`Self::writing`]. The moves must have been
    /// recalled. `None` if there is no such step.
    pub fn written_within(&self, solver: &FullBody, step: usize, count: usize) -> Option<Written> {
        let points = self.solve.end().points;
        let mut writing = Writing::new(solver, &self.mappings, &self.frame, &points);
        self.writing.state_within(&mut writing, step, count)
    }

    /// Returns the bones at an instant of the whole solve. In steps of the nodes: the bones that writing these nodes
    /// gives. In steps of writing: the bones written so far. `None` if there is no such step or no solve was recorded.
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

    /// Visits the bones after each step of the nodes, written from the nodes after that step. Visits nothing if no
    /// solve was recorded.
    pub(super) fn for_each_written(&self, solver: &FullBody, mut visit: impl FnMut(&Written)) {
        let mut written = self.writing.start.clone();
        let mut before = None;
        for recorded in self.solve.steps.iter().filter(|_| self.is_written()) {
            // The same nodes give the same bones, and many steps move no node.
            if before != Some(&recorded.state.points) {
                written.clone_from(&self.writing.start);
                self.write_from(solver, &recorded.state.points, &mut written);
                before = Some(&recorded.state.points);
            }
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

    /// Writes the nodes as they were before the first step. Returns those nodes and the recording of their writing,
    /// with every move. `None` if there are no steps.
    pub(super) fn writing_of_start(&self, solver: &FullBody) -> Option<(Points, WritingRecording)> {
        let points = self.solve.start.points;
        self.solve.steps.first()?;
        let mut recording = WritingRecording::default();
        let mut writing = Writing::new(solver, &self.mappings, &self.frame, &points);
        recording.record(&mut writing, &mut self.writing.start.clone());
        Some((points, recording))
    }

    /// Returns the bones after the first `count` moves of a step of `writing`, which comes from
    /// [`Self::writing_of_start`]. `None` if there is no such step.
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

    /// Rotates an axis of the pose as read (after the bend limit) into the space of a key bone.
    pub(super) fn in_bone(&self, key: Key, axis: Vec3) -> Vec3 {
        self.writing.start.keys.base(key).rotation.conjugate() * axis
    }

    pub(super) fn mappings(&self) -> &Mappings {
        &self.mappings
    }

    /// Returns every bone with a role after each step of writing.
    pub fn writes(&self, solver: &FullBody) -> impl Iterator<Item = (Part, BTreeMap<BoneIndex, RigidTransform>)> {
        let steps = self.writing.steps.iter();
        steps.map(|recorded| (recorded.step, solver.key_bones(&recorded.state).collect()))
    }

    /// Returns the index of the step before the closing pass. Measures are taken at the end of that step, because the
    /// closing pass moves hands and feet to their targets even if the bones are too short. If the recording has no
    /// closing pass, returns the index of the last step; 0 without steps.
    pub fn settled(&self) -> usize {
        settled(self.solve.steps.iter().map(|recorded| recorded.step))
    }
}

pub(crate) fn settled(mut steps: impl ExactSizeIterator<Item = Step>) -> usize {
    let last = steps.len().saturating_sub(1);
    steps.position(|step| step.stage == Stage::FinalEffectors).map_or(last, |closing| closing.saturating_sub(1))
}
