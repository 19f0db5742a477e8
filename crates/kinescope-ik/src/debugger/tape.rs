//! The tape: the most recent frames, in a ring buffer with a memory budget.
//!
//! A frame stores its input, its measures, its running times, and the positions of points after every step; of long
//! solves only after the last. The rest of a solve is recomputed by solving the [input](TapeFrame::input) again, bit
//! for bit.

use std::collections::VecDeque;
use std::sync::Arc;

use glam::Vec3;

use crate::chain_ik;
use crate::full_body::Settings;
use crate::locomotion::Contact;
use crate::modifiers::{self, Modifier};
use crate::rig::ModelPose;
use crate::stack::{BodyLab, ForeignPose, Frame, Input, LayerId, Measure, MeasureId, Stack};
use crate::stepped::Cursor;
use crate::stepped::run::{Hinge, Plane, PointView, Run, StepView};
use crate::timing::Times;

/// A recorded frame.
#[derive(Clone)]
pub struct TapeFrame {
    /// The number of the frame: counted from 0, or given to [`Tape::record_at`]. It does not change when old frames are
    /// dropped.
    pub number: u64,
    /// The time in seconds since the start of the recording, or as given to [`Tape::record_at`].
    pub time: f64,
    /// The input of the frame; solving it again on the same ground gives the same solve.
    pub input: Input,
    /// The settings with which the full body was solved, including what other layers set, such as targets of
    /// grounding; those of the input if it was not solved.
    pub settings: Arc<Settings>,
    /// The measures of the frame.
    pub measures: Arc<Vec<Measure>>,
    /// The value of each of `measures`, in its unit.
    pub outcomes: Box<[f32]>,
    /// All layers that were solved, in order.
    pub layers: Box<[TapeLayer]>,
    /// The running times; 0 without a clock.
    pub times: Times,
    /// The distance to the target in model units, as given to [`Tape::record`] or [`Tape::record_at`]. `None` in a
    /// frame that was [solved again](super::again::solve_again).
    pub gap: Option<f32>,
    /// The contacts of both feet with the ground; `None` if [`Tape::record`] got none, and in a frame of
    /// [`Tape::record_at`].
    pub contacts: Option<Box<[Contact; 2]>>,
    /// The memory of the modifiers at the end of the frame; empty if none of them can be triggered.
    pub(super) modifiers_after: Box<[modifiers::Memory]>,
    bytes: usize,
}

/// The recording of a layer: the positions of its points after every step, or only after the last.
#[derive(Clone, Debug, PartialEq)]
pub struct TapeLayer {
    /// The identifier of the layer.
    pub id: LayerId,
    /// The steps and points of the layer.
    pub shape: Arc<Shape>,
    /// [`Run::texts`] of the layer's run.
    texts: Option<u64>,
    /// The points that each step moved, step by step; the first step has all of them. For a long solve, and on a tape
    /// [without steps](Tape::without_steps), only the last step is stored.
    moved: Box<[(u16, Vec3)]>,
    /// The end of each step's range in `moved`.
    ends: Box<[u32]>,
}

/// The steps and points of a layer. Usually the same in consecutive frames, which share it.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// The points, by index.
    pub points: Vec<PointView>,
    /// The steps, in order.
    pub steps: Vec<StepView>,
    /// The joints that bend.
    pub hinges: Vec<Hinge>,
    /// The planes that carry parts of the body.
    pub planes: Vec<Plane>,
}

/// The largest number of positions, steps times points, for which a layer stores all steps; above it, only the last one.
const MOST_PLACES: usize = 8192;

impl TapeLayer {
    fn new(id: LayerId, run: &dyn Run, known: Option<&Self>, has_steps: bool) -> Self {
        let texts = run.texts();
        let shape = match known.filter(|known| texts.is_some() && known.texts == texts) {
            Some(known) => known.shape.clone(),
            None => {
                let shape = Shape {
                    points: run.points(),
                    steps: (0..run.steps()).map(|step| run.step(step)).collect(),
                    hinges: run.hinges(),
                    planes: run.planes(),
                };
                let known = known.filter(|known| *known.shape == shape);
                known.map_or_else(|| Arc::new(shape), |known| known.shape.clone())
            }
        };
        let (count, steps) = (shape.points.len(), shape.steps.len());
        let first = if has_steps && steps * count <= MOST_PLACES { 0 } else { steps.saturating_sub(1) };
        let (mut moved, mut ends) = (Vec::new(), Vec::new());
        let mut before = vec![Vec3::NAN; count];
        for step in first..steps {
            // Most steps move nothing, and writing the bones from the nodes costs more than the step.
            if step > first && !run.may_move(step) {
                ends.push(moved.len() as u32);
                continue;
            }
            let places = run.places(Cursor { step, within: None });
            for (point, (before, place)) in before.iter_mut().zip(places).enumerate() {
                // NaN differs from itself, so invalid positions are stored in every step.
                if *before != place {
                    moved.push((point as u16, place));
                    *before = place;
                }
            }
            ends.push(moved.len() as u32);
        }
        Self { id, shape, texts, moved: moved.into(), ends: ends.into() }
    }

    /// Returns the positions of all points after a step; empty if there is no such step or it is not stored.
    pub fn places(&self, step: usize) -> Vec<Vec3> {
        let first = self.shape.steps.len() - self.ends.len();
        let Some(&end) = step.checked_sub(first).and_then(|step| self.ends.get(step)) else { return Vec::new() };
        let mut places = vec![Vec3::ZERO; self.shape.points.len()];
        for &(point, place) in &self.moved[..end as usize] {
            places[point as usize] = place;
        }
        places
    }

    /// Returns the number of steps.
    pub fn steps(&self) -> usize {
        self.shape.steps.len()
    }

    /// Returns the positions of all points after the last step.
    pub fn end(&self) -> Vec<Vec3> {
        self.steps().checked_sub(1).map_or_else(Vec::new, |last| self.places(last))
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&self.moved[..]) + size_of_val(&self.ends[..])
    }
}

impl TapeFrame {
    /// Returns the value of a measure; `None` if the frame does not have it, or it has no value.
    pub fn outcome(&self, measure: &MeasureId) -> Option<f32> {
        let index = self.measures.iter().position(|own| own.id == *measure)?;
        self.outcomes.get(index).copied().filter(|value| !value.is_nan())
    }

    /// Returns the recording of a layer; `None` if it was not solved.
    pub fn layer(&self, id: LayerId) -> Option<&TapeLayer> {
        self.layers.iter().find(|kept| kept.id == id)
    }
}

/// Returns the measures of a frame, those of the last frame if they are the same, and their values.
fn measured(frame: &Frame, layers: &[TapeLayer], last: Option<&TapeFrame>) -> (Arc<Vec<Measure>>, Box<[f32]>) {
    let texts = |layers: &[TapeLayer]| layers.iter().map(|own| Some((own.id, own.texts?))).collect::<Option<Vec<_>>>();
    let has_same_texts = |last: &TapeFrame| texts(layers).is_some_and(|own| texts(&last.layers) == Some(own));
    if let Some(last) = last.filter(|last| has_same_texts(last))
        && let Some(outcomes) = frame.outcomes_of(&last.measures)
    {
        return (last.measures.clone(), outcomes.into());
    }
    let (measures, outcomes) = frame.measured();
    let known = last.filter(|last| *last.measures == measures);
    (known.map_or_else(|| Arc::new(measures), |last| last.measures.clone()), outcomes.into())
}

/// Returns an estimate of the memory of a stack and its chains in bytes, without the lists within the chains.
fn bytes_of(stack: &Stack) -> usize {
    let chains = stack.chain_ik.chains.len() * size_of::<crate::stack::ChainSolve>();
    size_of::<Stack>() + chains
}

fn bytes_of_foreign(input: &Input) -> usize {
    input.foreign.iter().flatten().map(|pose| pose.bytes()).sum()
}

/// A mark with a text on a frame of the tape.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// The number of the frame.
    pub number: u64,
    /// The text.
    pub text: String,
    /// True for markers that a tool set, such as that of a break condition; false for those of the user.
    pub is_warning: bool,
}

/// A ring buffer of recorded frames, whose numbers are consecutive.
#[derive(Clone)]
pub struct Tape {
    frames: VecDeque<TapeFrame>,
    /// Markers of frames, sorted by number.
    pub markers: Vec<Marker>,
    budget: usize,
    bytes: usize,
    next: u64,
    time: f64,
    has_steps: bool,
}

/// The default memory budget in bytes: more than a minute of the built-in biped at 60 Hz.
pub const DEFAULT_BUDGET: usize = 64 << 20;
/// The smallest memory budget in bytes: a second of a large character.
pub const LEAST_BUDGET: usize = 4 << 20;
/// The longest time between two frames, in seconds. Longer pauses are shortened to it on the tape.
const LONGEST_PAUSE: f32 = 0.1;

impl Default for Tape {
    fn default() -> Self {
        Self {
            frames: VecDeque::new(),
            markers: Vec::new(),
            budget: DEFAULT_BUDGET,
            bytes: 0,
            next: 0,
            time: 0.0,
            has_steps: true,
        }
    }
}

impl Tape {
    /// Returns an empty tape without limit, for recordings made from a bounded one.
    pub(super) fn unbounded() -> Self {
        Self { budget: usize::MAX, ..Self::default() }
    }

    /// Stores only the last step of each layer from now on, which takes less time and memory. The pop finder then finds
    /// the same pops, without the step where they start.
    #[must_use]
    pub fn without_steps(self) -> Self {
        Self { has_steps: false, ..self }
    }

    /// Returns true if there are no frames.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Returns the number of frames.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Returns all frames, oldest first.
    pub fn frames(&self) -> impl DoubleEndedIterator<Item = &TapeFrame> + ExactSizeIterator {
        self.frames.iter()
    }

    /// Returns the numbers of the oldest and the newest frame; `None` if there are no frames.
    pub fn range(&self) -> Option<[u64; 2]> {
        Some([self.frames.front()?.number, self.frames.back()?.number])
    }

    /// Returns the frame with this number; `None` if it was dropped or never recorded.
    pub fn get(&self, number: u64) -> Option<&TapeFrame> {
        let index = number.checked_sub(self.frames.front()?.number)?;
        self.frames.get(usize::try_from(index).ok()?)
    }

    /// Returns the newest frame; `None` if there are no frames.
    pub fn last(&self) -> Option<&TapeFrame> {
        self.frames.back()
    }

    /// Returns the newest frame recorded at `time` (seconds) or before; the oldest if there is none. `None` if there
    /// are no frames.
    pub fn at_time(&self, time: f64) -> Option<&TapeFrame> {
        let after = self.frames.partition_point(|frame| frame.time <= time);
        self.frames.get(after.saturating_sub(1))
    }

    /// Returns a copy of the newest `count` frames, without markers.
    pub fn newest(&self, count: usize) -> Self {
        let mut newest = Self { next: self.next, time: self.time, has_steps: self.has_steps, ..Self::unbounded() };
        newest.frames = self.frames.iter().skip(self.frames.len().saturating_sub(count)).cloned().collect();
        newest.bytes = newest.frames.iter().map(|frame| frame.bytes).sum();
        newest
    }

    /// Returns an estimate of the memory of all frames in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the memory budget in bytes.
    pub fn budget(&self) -> usize {
        self.budget
    }

    /// Sets the memory budget, at least [`LEAST_BUDGET`], and drops the oldest frames that no longer fit.
    pub fn set_budget(&mut self, bytes: usize) {
        self.budget = bytes.max(LEAST_BUDGET);
        self.drop_oldest();
    }

    /// Drops all frames and markers, and sets the time to 0. The budget stays, and numbers continue.
    pub fn clear(&mut self) {
        *self = Self { budget: self.budget, next: self.next, has_steps: self.has_steps, ..Self::default() };
    }

    /// Records a frame `dt` seconds after the previous one, or 0.1 s after it if `dt` is more. With `dt` = 0 or below
    /// it replaces the previous frame. `gap` is the frame's distance to the target in model units, `contacts` are those
    /// of its feet with the ground.
    pub fn record(&mut self, dt: f32, frame: &Frame, gap: f32, contacts: Option<[Contact; 2]>) {
        let again = dt <= 0.0;
        let time =
            if again || self.frames.is_empty() { self.time } else { self.time + f64::from(dt.min(LONGEST_PAUSE)) };
        if again && let Some(last) = self.frames.pop_back() {
            self.bytes -= last.bytes;
            self.next = last.number;
        }
        self.push(self.next, time, frame, Some(gap), contacts);
    }

    /// Records a frame with an external number and time (seconds). All other frames are dropped unless the number
    /// follows that of the last frame.
    pub fn record_at(&mut self, number: u64, time: f64, frame: &Frame, gap: f32) {
        if self.range().is_none_or(|[_, last]| last.checked_add(1) != Some(number)) {
            self.frames.clear();
            self.bytes = 0;
        }
        self.push(number, time, frame, Some(gap), None);
    }

    pub(super) fn push(
        &mut self,
        number: u64,
        time: f64,
        frame: &Frame,
        gap: Option<f32>,
        contacts: Option<[Contact; 2]>,
    ) {
        let last = self.frames.back();
        let mut bytes = size_of::<TapeFrame>();
        // Unchanged data is shared with the previous frame.
        let mut input = frame.input.clone();
        match last.filter(|last| last.input.stack == input.stack) {
            Some(last) => input.stack = last.input.stack.clone(),
            None => bytes += bytes_of(&input.stack),
        }
        match last.filter(|last| last.input.animated == input.animated) {
            Some(last) => input.animated = last.input.animated.clone(),
            None => {
                let ModelPose { bones, stretch } = &*input.animated;
                bytes += size_of::<ModelPose>() + size_of_val(&bones[..]) + size_of_val(&stretch[..]);
            }
        }
        let settings = frame.full_body().map_or(input.stack.full_body, |run| run.settings);
        let settings = match last.filter(|last| *last.settings == settings) {
            Some(last) => last.settings.clone(),
            None => {
                bytes += size_of::<Settings>();
                Arc::new(settings)
            }
        };
        bytes += bytes_of_foreign(&input);
        bytes += input.memory.lanes.iter().map(chain_ik::State::bytes).sum::<usize>();
        let layers: Box<[TapeLayer]> = frame
            .layers
            .iter()
            .filter_map(|layer| {
                let known = last.and_then(|last| last.layer(layer.id));
                Some(TapeLayer::new(layer.id, layer.run()?, known, self.has_steps))
            })
            .collect();
        let (measures, outcomes) = measured(frame, &layers, last);
        if !last.is_some_and(|last| Arc::ptr_eq(&last.measures, &measures)) {
            bytes += size_of_val(&measures[..]);
        }
        bytes += size_of_val(&outcomes[..]) + layers.iter().map(TapeLayer::bytes).sum::<usize>();
        bytes += contacts.map_or(0, |contacts| size_of_val(&contacts));
        let contacts = contacts.map(Box::new);
        let can_be_triggered = input.stack.modifiers.iter().any(Modifier::can_be_triggered);
        let modifiers_after: Box<[modifiers::Memory]> =
            if can_be_triggered { frame.memory.modifiers.clone().into() } else { Box::default() };
        bytes += size_of_val(&modifiers_after[..]);
        self.frames.push_back(TapeFrame {
            number,
            time,
            input,
            settings,
            measures,
            outcomes,
            layers,
            times: frame.times(),
            gap,
            contacts,
            modifiers_after,
            bytes,
        });
        self.next = number.saturating_add(1);
        self.time = time;
        self.bytes += bytes;
        self.drop_oldest();
    }

    /// Replaces the lab of a frame by `lab`, and sets the pose that another program solved for a lane of `lab`. Does
    /// nothing if the frame was dropped.
    pub fn set_foreign(&mut self, number: u64, lab: &BodyLab, lane: usize, pose: Arc<ForeignPose>) {
        let index = self.frames.front().and_then(|first| number.checked_sub(first.number));
        let Some(frame) = index.and_then(|index| self.frames.get_mut(index as usize)) else { return };
        let before = bytes_of_foreign(&frame.input);
        frame.input.set_body_lab(lab);
        let poses = Arc::make_mut(&mut frame.input.foreign);
        poses.resize(lab.lanes.len(), None);
        if let Some(own) = poses.get_mut(lane) {
            *own = Some(pose);
        }
        let now = bytes_of_foreign(&frame.input);
        frame.bytes = frame.bytes + now - before;
        self.bytes = self.bytes + now - before;
        self.drop_oldest();
    }

    /// Adds running times measured outside the solve to a frame, if it was not dropped.
    pub fn add_times(&mut self, number: u64, times: &Times) {
        let index = self.frames.front().and_then(|first| number.checked_sub(first.number));
        if let Some(frame) = index.and_then(|index| self.frames.get_mut(index as usize)) {
            frame.times += times;
        }
    }

    /// Drops the oldest frames beyond the budget and the markers of dropped frames, but never the newest frame.
    fn drop_oldest(&mut self) {
        while self.bytes > self.budget && self.frames.len() > 1 {
            if let Some(frame) = self.frames.pop_front() {
                self.bytes -= frame.bytes;
            }
        }
        if let Some(first) = self.frames.front().map(|frame| frame.number) {
            self.markers.retain(|marker| marker.number >= first);
        }
    }

    /// Adds a marker, which replaces an existing marker of the same frame and kind (warning or not).
    pub fn mark(&mut self, marker: Marker) {
        self.markers.retain(|other| (other.number, other.is_warning) != (marker.number, marker.is_warning));
        let at = self.markers.partition_point(|other| other.number <= marker.number);
        self.markers.insert(at, marker);
    }

    /// Returns all pairs of consecutive frames, for comparisons from frame to frame.
    pub fn pairs(&self) -> impl Iterator<Item = [&TapeFrame; 2]> {
        self.frames.iter().zip(self.frames.iter().skip(1)).map(|(a, b)| [a, b])
    }
}
