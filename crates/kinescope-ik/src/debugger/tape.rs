//! The tape: every frame of the last minutes, in a ring with a memory budget.
//!
//! A frame keeps what it was solved from, and where every step left its points. All else is made again by solving that
//! [input](TapeFrame::input) once more, bit for bit, in the time of one solve.

use std::collections::VecDeque;
use std::sync::Arc;

use glam::Vec3;

use crate::chain_ik;
use crate::full_body::Settings;
use crate::locomotion::Contact;
use crate::rig::ModelPose;
use crate::stack::{Frame, Input, LayerId, Measure, MeasureId, Stack};
use crate::stepped::Cursor;
use crate::stepped::run::{Hinge, Plane, PointView, Run, StepView};
use crate::timing::Times;

/// One frame.
#[derive(Clone)]
pub struct TapeFrame {
    /// Counted from the first frame ever recorded; does not change when old frames are dropped.
    pub number: u64,
    /// Seconds of recording before it.
    pub time: f64,
    /// What was solved.
    pub input: Input,
    /// What the full body was solved with: what it is told, and what grounding asked.
    pub settings: Arc<Settings>,
    /// What there was to be measured, and what the frame came to.
    pub measures: Arc<Vec<Measure>>,
    /// The value of each of `measures`, in its unit.
    pub outcomes: Box<[f32]>,
    /// Every layer that was solved, in order.
    pub layers: Box<[Kept]>,
    /// What it took; nothing without a clock.
    pub times: Times,
    /// What is left to what is wanted: the worst gap, or where another layer is looked at, what that left. Model units.
    pub left: f32,
    /// How the feet touched the ground; `None` where there is none.
    pub contacts: Option<Box<[Contact; 2]>>,
    bytes: usize,
}

/// What a tape keeps of a layer: where every step left its points.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// Which layer it is.
    pub id: LayerId,
    /// What its steps and points are called.
    pub shape: Arc<Shape>,
    /// The points that every step moved, step after step: the first moves all of them. Of a solve that is too long to be
    /// kept, the last step alone.
    moved: Box<[(u16, Vec3)]>,
    /// Where in `moved` each step ends.
    ends: Box<[u32]>,
}

/// What a layer's steps and points are: the same from frame to frame, mostly.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// What its points are, by index.
    pub points: Vec<PointView>,
    /// What its steps are, in order.
    pub steps: Vec<StepView>,
    /// Where its points make joints that bend.
    pub hinges: Vec<Hinge>,
    /// Where three of its points turn together.
    pub planes: Vec<Plane>,
}

/// Of a solve of more places than this only the end is kept.
const MOST_PLACES: usize = 8192;

impl Kept {
    fn new(id: LayerId, run: &dyn Run, shape: Arc<Shape>) -> Self {
        let (count, steps) = (shape.points.len(), shape.steps.len());
        let is_short = steps * count <= MOST_PLACES;
        let (mut moved, mut ends) = (Vec::new(), Vec::new());
        let mut before = vec![Vec3::NAN; count];
        for step in if is_short { 0 } else { steps.saturating_sub(1) }..steps {
            let places = run.places(Cursor { step, within: None });
            for (point, (before, place)) in before.iter_mut().zip(places).enumerate() {
                // NaN is no place twice: what is broken is kept, too.
                if *before != place {
                    moved.push((point as u16, place));
                    *before = place;
                }
            }
            ends.push(moved.len() as u32);
        }
        Self { id, shape, moved: moved.into(), ends: ends.into() }
    }

    /// Where the points were after a step; none if there is no such step, or it is not kept.
    pub fn places(&self, step: usize) -> Vec<Vec3> {
        let first = self.shape.steps.len() - self.ends.len();
        let Some(&end) = step.checked_sub(first).and_then(|step| self.ends.get(step)) else { return Vec::new() };
        let mut places = vec![Vec3::ZERO; self.shape.points.len()];
        for &(point, place) in &self.moved[..end as usize] {
            places[point as usize] = place;
        }
        places
    }

    /// How many steps there are.
    pub fn steps(&self) -> usize {
        self.shape.steps.len()
    }

    /// After the last step.
    pub fn end(&self) -> Vec<Vec3> {
        self.steps().checked_sub(1).map_or_else(Vec::new, |last| self.places(last))
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&self.moved[..]) + size_of_val(&self.ends[..])
    }
}

impl TapeFrame {
    /// What the frame came to; `None` if it has no such number.
    pub fn outcome(&self, measure: &MeasureId) -> Option<f32> {
        let index = self.measures.iter().position(|own| own.id == *measure)?;
        self.outcomes.get(index).copied()
    }

    /// What is kept of a layer; `None` if it was not solved.
    pub fn layer(&self, id: LayerId) -> Option<&Kept> {
        self.layers.iter().find(|kept| kept.id == id)
    }
}

/// What of a stack takes memory beside itself.
fn bytes_of(stack: &Stack) -> usize {
    let chains = stack.chain_ik.chains.len() * size_of::<crate::stack::ChainSolve>();
    size_of::<Stack>() + chains
}

/// A place on the tape with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// The frame's number.
    pub number: u64,
    /// What it says.
    pub text: String,
    /// Set by a break condition or the pop finder, not by hand.
    pub is_warning: bool,
}

/// The ring of frames.
#[derive(Clone)]
pub struct Tape {
    frames: VecDeque<TapeFrame>,
    /// Named frames, by their numbers.
    pub markers: Vec<Marker>,
    budget: usize,
    bytes: usize,
    next: u64,
    time: f64,
}

/// A minute at 60 frames a second of the built-in biped, with room to spare.
pub const DEFAULT_BUDGET: usize = 64 << 20;
/// Less could not hold a second of a large character.
pub const LEAST_BUDGET: usize = 4 << 20;
/// A longer pause between two frames counts as this, seconds: standing still fills no tape.
const LONGEST_PAUSE: f32 = 0.1;

impl Default for Tape {
    fn default() -> Self {
        Self { frames: VecDeque::new(), markers: Vec::new(), budget: DEFAULT_BUDGET, bytes: 0, next: 0, time: 0.0 }
    }
}

impl Tape {
    /// An empty tape that drops nothing: for recordings made from one that is bounded.
    pub(super) fn unbounded() -> Self {
        Self { budget: usize::MAX, ..Self::default() }
    }

    /// True if nothing is recorded.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// How many frames are held.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// All frames that are held, the oldest first.
    pub fn frames(&self) -> impl DoubleEndedIterator<Item = &TapeFrame> + ExactSizeIterator {
        self.frames.iter()
    }

    /// Numbers of the oldest and the newest frame.
    pub fn range(&self) -> Option<[u64; 2]> {
        Some([self.frames.front()?.number, self.frames.back()?.number])
    }

    /// The frame of that number; `None` if it was dropped, or never was.
    pub fn get(&self, number: u64) -> Option<&TapeFrame> {
        let index = number.checked_sub(self.frames.front()?.number)?;
        self.frames.get(usize::try_from(index).ok()?)
    }

    /// The newest frame.
    pub fn last(&self) -> Option<&TapeFrame> {
        self.frames.back()
    }

    /// The newest frame recorded at `time` or before; the oldest if there is none.
    pub fn at_time(&self, time: f64) -> Option<&TapeFrame> {
        let after = self.frames.partition_point(|frame| frame.time <= time);
        self.frames.get(after.saturating_sub(1))
    }

    /// A copy of the newest `count` frames, without markers.
    pub fn newest(&self, count: usize) -> Self {
        let mut newest = Self { next: self.next, time: self.time, ..Self::unbounded() };
        newest.frames = self.frames.iter().skip(self.frames.len().saturating_sub(count)).cloned().collect();
        newest.bytes = newest.frames.iter().map(|frame| frame.bytes).sum();
        newest
    }

    /// Bytes that the frames take.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Bytes that the frames may take.
    pub fn budget(&self) -> usize {
        self.budget
    }

    /// Drops what no longer fits.
    pub fn set_budget(&mut self, bytes: usize) {
        self.budget = bytes.max(LEAST_BUDGET);
        self.drop_oldest();
    }

    /// Forgets everything but the budget; numbers go on.
    pub fn clear(&mut self) {
        *self = Self { budget: self.budget, next: self.next, ..Self::default() };
    }

    /// Records a frame `dt` seconds after the last; with 0 the last frame is recorded anew, with what it is now. `left` is
    /// what it left to what is wanted, `contacts` how its feet touch the ground.
    pub fn record(&mut self, dt: f32, frame: &Frame, left: f32, contacts: Option<[Contact; 2]>) {
        let again = dt <= 0.0;
        let time =
            if again || self.frames.is_empty() { self.time } else { self.time + f64::from(dt.min(LONGEST_PAUSE)) };
        if again && let Some(last) = self.frames.pop_back() {
            self.bytes -= last.bytes;
            self.next = last.number;
        }
        self.push(self.next, time, frame, left, contacts);
    }

    /// Records a frame of someone else's counting, and of its time in seconds. All others are dropped, unless it is the one
    /// after the last.
    pub fn record_at(&mut self, number: u64, time: f64, frame: &Frame, left: f32) {
        if self.range().is_none_or(|[_, last]| last.checked_add(1) != Some(number)) {
            self.frames.clear();
            self.bytes = 0;
        }
        self.push(number, time, frame, left, None);
    }

    pub(super) fn push(&mut self, number: u64, time: f64, frame: &Frame, left: f32, contacts: Option<[Contact; 2]>) {
        let last = self.frames.back();
        let mut bytes = size_of::<TapeFrame>();
        // What did not change is shared with the frame before.
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
        bytes += input.memory.lanes.iter().map(chain_ik::State::bytes).sum::<usize>();
        let measures = frame.measures();
        let measures = match last.filter(|last| *last.measures == measures) {
            Some(last) => last.measures.clone(),
            None => {
                bytes += size_of_val(&measures[..]);
                Arc::new(measures)
            }
        };
        let outcomes: Box<[f32]> = frame.outcomes().into();
        let layers: Box<[Kept]> = frame
            .layers
            .iter()
            .filter_map(|layer| {
                let run = layer.run()?;
                let shape = Shape {
                    points: run.points(),
                    steps: (0..run.steps()).map(|step| run.step(step)).collect(),
                    hinges: run.hinges(),
                    planes: run.planes(),
                };
                let known = last.and_then(|last| last.layer(layer.id)).filter(|kept| *kept.shape == shape);
                let shape = known.map_or_else(|| Arc::new(shape), |kept| kept.shape.clone());
                Some(Kept::new(layer.id, run, shape))
            })
            .collect();
        bytes += size_of_val(&outcomes[..]) + layers.iter().map(Kept::bytes).sum::<usize>();
        bytes += contacts.map_or(0, |contacts| size_of_val(&contacts));
        let contacts = contacts.map(Box::new);
        self.frames.push_back(TapeFrame {
            number,
            time,
            input,
            settings,
            measures,
            outcomes,
            layers,
            times: frame.times(),
            left,
            contacts,
            bytes,
        });
        self.next = number.saturating_add(1);
        self.time = time;
        self.bytes += bytes;
        self.drop_oldest();
    }

    /// What else a frame took: by those who are not in the solve. A frame that was dropped does without.
    pub fn add_times(&mut self, number: u64, times: &Times) {
        let index = self.frames.front().and_then(|first| number.checked_sub(first.number));
        if let Some(frame) = index.and_then(|index| self.frames.get_mut(index as usize)) {
            frame.times += times;
        }
    }

    /// The newest frame stays whatever its size.
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

    /// Names a frame; a second mark of the same frame and kind replaces the first.
    pub fn mark(&mut self, marker: Marker) {
        self.markers.retain(|other| (other.number, other.is_warning) != (marker.number, marker.is_warning));
        let at = self.markers.partition_point(|other| other.number <= marker.number);
        self.markers.insert(at, marker);
    }

    /// Frames that follow each other: what frame-to-frame comparisons look at.
    pub fn pairs(&self) -> impl Iterator<Item = [&TapeFrame; 2]> {
        self.frames.iter().zip(self.frames.iter().skip(1)).map(|(a, b)| [a, b])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(pin: f32) -> Frame {
        let mut frame = Frame::empty();
        let mut stack = Stack::default();
        stack.full_body.pin = pin;
        frame.input.stack = Arc::new(stack);
        frame
    }

    #[test]
    fn the_budget_drops_the_oldest_and_their_markers() {
        let mut tape = Tape::default();
        tape.set_budget(0);
        assert_eq!(tape.budget(), LEAST_BUDGET);
        for index in 0..4000 {
            tape.record(1.0 / 60.0, &frame(index as f32 / 4000.0), 0.0, None);
            if index == 0 {
                tape.mark(Marker { number: 0, text: "start".into(), is_warning: false });
            }
            assert!(tape.bytes() <= LEAST_BUDGET);
        }
        let [first, last] = tape.range().unwrap();
        assert_eq!(last, 3999);
        assert!(first > 0 && tape.len() as u64 == last - first + 1);
        assert!(tape.markers.is_empty());
        assert!(tape.get(first - 1).is_none());
        assert_eq!(tape.get(first + 3).unwrap().number, first + 3);
        let total: usize = tape.frames().map(|frame| frame.bytes).sum();
        assert_eq!(total, tape.bytes());
    }

    #[test]
    fn no_time_records_the_same_frame_anew() {
        let mut tape = Tape::default();
        tape.record(0.0, &frame(0.0), 1.0, None);
        tape.record(0.01, &frame(0.0), 1.0, None);
        tape.record(0.0, &frame(0.0), 2.0, None);
        assert_eq!(tape.len(), 2);
        assert_eq!(tape.last().unwrap().left, 2.0);
        assert_eq!(tape.last().unwrap().number, 1);
        // An hour of standing still is no hour of tape.
        tape.record(3600.0, &frame(0.0), 0.0, None);
        assert!(tape.last().unwrap().time < 1.0);
        assert_eq!(tape.at_time(0.005).unwrap().number, 0);
        assert_eq!(tape.at_time(-1.0).unwrap().number, 0);
        assert_eq!(tape.at_time(9.0).unwrap().number, 2);
        // What did not change is kept once.
        assert!(Arc::ptr_eq(&tape.get(0).unwrap().input.stack, &tape.get(2).unwrap().input.stack));
    }
}
