//! Sweeps: a measure over the range of one or two parameters; and sensitivities: what every parameter does to it.

use std::sync::Arc;

use super::again::{MotionMeasure, Progress, solve_again};
use super::tape::Tape;
use crate::full_body::Workspace;
use crate::ground::Ground;
use crate::stack::parameters::ParameterId;
use crate::stack::{self, Input, MeasureId, Rig, Stack, Tools};

/// One axis of a sweep: a parameter over a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// The number that is changed.
    pub parameter: ParameterId,
    /// The first value tried, in the parameter's unit.
    pub from: f32,
    /// The last value tried.
    pub to: f32,
    /// Values tried, ends included; at least 2.
    pub count: usize,
}

impl Axis {
    /// Over the parameter's whole range; whole numbers are tried one by one.
    pub fn whole_range(parameter: ParameterId, count: usize) -> Self {
        let [from, to] = parameter.range();
        let count = if parameter.parameter.is_whole() { (to - from) as usize + 1 } else { count };
        Self { parameter, from, to, count: count.max(2) }
    }

    /// The value tried at `index`.
    pub fn value(&self, index: usize) -> f32 {
        self.from + (self.to - self.from) * index as f32 / (self.count.max(2) - 1) as f32
    }
}

/// A number that a sweep or a sensitivity measures.
#[derive(Clone, Debug, PartialEq)]
pub enum SweepMeasure {
    /// Of each frame by itself; over several frames its mean size.
    Frame(MeasureId),
    /// Of the recording as a whole, solved again frame after frame.
    Motion(MotionMeasure),
}

impl From<MeasureId> for SweepMeasure {
    fn from(measure: MeasureId) -> Self {
        Self::Frame(measure)
    }
}

/// What a sweep looks at: frames, and what they are solved on.
pub struct Frames<'a> {
    /// The character that is solved.
    pub rig: &'a Rig,
    /// The ground as it was for each of the inputs.
    pub ground: &'a dyn Fn(&Input) -> Option<Box<dyn Ground>>,
    /// The frames, each with what it was solved from.
    pub inputs: &'a [Input],
    /// What a [`MotionMeasure`] is measured over; without it there is none.
    pub recording: Option<&'a Tape>,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// The parameter along columns.
    pub x: Axis,
    /// Without it the sweep is a curve.
    pub y: Option<Axis>,
    /// What is measured.
    pub measure: SweepMeasure,
}

/// The measure at every point: `values[row * columns + column]`, x along columns, y along rows. Over several inputs it
/// is the mean of the measure's size.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepResult {
    /// The parameter along columns.
    pub x: Axis,
    /// The parameter along rows; `None` is one row.
    pub y: Option<Axis>,
    /// What was measured.
    pub measure: SweepMeasure,
    /// Row by row; in the measure's unit.
    pub values: Vec<f32>,
    /// How many frames were solved.
    pub solves: usize,
}

impl SweepResult {
    /// How many values of x were tried.
    pub fn columns(&self) -> usize {
        self.x.count
    }

    /// How many values of y were tried; 1 without y.
    pub fn rows(&self) -> usize {
        self.y.map_or(1, |axis| axis.count)
    }

    /// Column and row of the smallest value.
    pub fn least(&self) -> Option<(usize, usize, f32)> {
        let finite = self.values.iter().enumerate().filter(|(_, value)| value.is_finite());
        let (index, value) = finite.min_by(|a, b| a.1.total_cmp(b.1))?;
        Some((index % self.columns(), index / self.columns(), *value))
    }

    /// Smallest and largest value.
    pub fn range(&self) -> [f32; 2] {
        let finite = self.values.iter().copied().filter(|value| value.is_finite());
        let [low, high] =
            finite.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], value| [low.min(value), high.max(value)]);
        if low <= high { [low, high] } else { [0.0, 0.0] }
    }
}

/// Runs a sweep. `None` if it was ended early, or there is no input.
///
/// ```
/// use kinescope_ik::stack::parameters::ParameterId;
/// use kinescope_ik::debugger::sweep::{Axis, Frames, Sweep, run_sweep};
/// use kinescope_ik::stack::MeasureId;
/// # use kinescope_ik::stack::{Input, Rig, Stack};
/// # use kinescope_ik::{Effector, ModelPose};
/// # let text = std::fs::read_to_string("tests/golden/reach-with-twist.trace.json")?;
/// # let kinescope_ik::trace::Rig { skeleton, biped, reference, animated } = kinescope_ik::Trace::from_json(&text)?.rig;
/// # let rig = Rig::biped("mannequin", skeleton, &biped, reference)?;
/// # let mut stack = Stack::default();
/// # let hand = stack.full_body.effector_mut(Effector::LeftHand);
/// # (hand.position, hand.position_weight) = (Some(glam::Vec3::new(0.4, 1.2, 0.5)), 1.0);
/// # let input = Input::new(stack, ModelPose::rigid(animated));
///
/// // How near does the hand come, by how much the left arm pulls?
/// let pull = ParameterId::from_path("chains.left_arm.pull").unwrap();
/// let sweep = Sweep { x: Axis::whole_range(pull, 11), y: None, measure: MeasureId::Gap("left_hand".into()).into() };
/// let frames = Frames { rig: &rig, ground: &|_| None, inputs: &[input], recording: None };
/// let result = run_sweep(&frames, &sweep, &mut |_| true).unwrap();
/// for (index, gap) in result.values.iter().enumerate() {
///     println!("pull {:.1}: {gap} from the target", sweep.x.value(index));
/// }
/// assert_eq!(result.values.len(), 11);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run_sweep(frames: &Frames, sweep: &Sweep, progress: Progress) -> Option<SweepResult> {
    let mut workspace = frames.workspace();
    let rows = sweep.y.map_or(1, |axis| axis.count);
    let mut values = Vec::with_capacity(rows * sweep.x.count);
    for row in 0..rows {
        for column in 0..sweep.x.count {
            if !progress(values.len() as f32 / (rows * sweep.x.count) as f32) {
                return None;
            }
            let value = frames.mean(&mut workspace, &sweep.measure, |stack| {
                if let Some(axis) = sweep.y {
                    axis.parameter.set(stack, axis.value(row));
                }
                sweep.x.parameter.set(stack, sweep.x.value(column));
            })?;
            values.push(value);
        }
    }
    let solves = values.len() * frames.solved_for(&sweep.measure);
    Some(SweepResult { x: sweep.x, y: sweep.y, measure: sweep.measure.clone(), values, solves })
}

impl Frames<'_> {
    fn workspace(&self) -> Option<Workspace> {
        self.rig.full_body.as_ref().ok().map(|solver| solver.workspace())
    }

    /// How many frames are solved for one value of a measure.
    fn solved_for(&self, measure: &SweepMeasure) -> usize {
        match measure {
            SweepMeasure::Frame(_) => self.inputs.len(),
            SweepMeasure::Motion(_) => self.recording.map_or(0, Tape::len),
        }
    }

    /// Measures with the stacks of all frames changed: the mean size over the frames that have the number, or its value over
    /// the recording solved again.
    fn mean(
        &self,
        workspace: &mut Option<Workspace>,
        measure: &SweepMeasure,
        change: impl Fn(&mut Stack),
    ) -> Option<f32> {
        let measure = match measure {
            SweepMeasure::Frame(measure) => measure,
            SweepMeasure::Motion(measure) => {
                let again = solve_again(self.rig, self.ground, self.recording?, &change, &mut |_| true)?;
                return measure.of(&again);
            }
        };
        let (mut sum, mut count) = (0.0f64, 0);
        for input in self.inputs {
            let mut stack = Stack::clone(&input.stack);
            change(&mut stack);
            let input = Input { stack: Arc::new(stack), ..input.clone() };
            let ground = (self.ground)(&input);
            let tools = Tools { workspace: workspace.as_mut(), ground: ground.as_deref(), clock: None };
            if let Some(value) = stack::solve(self.rig, tools, &input).outcome(measure) {
                sum += f64::from(value.abs());
                count += 1;
            }
        }
        (count > 0).then(|| (sum / f64::from(count)) as f32)
    }
}

/// What one parameter does to a measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sensitivity {
    /// The number that was changed.
    pub parameter: ParameterId,
    /// Its own value, in the parameter's unit.
    pub value: f32,
    /// Change of the measure when the parameter goes down and up by a twentieth of its range (a whole number by 1);
    /// 0 where it is at the end of its range.
    pub down: f32,
    /// The same when it goes up.
    pub up: f32,
}

/// Every parameter that does anything to the measure, the strongest first. `None` if it was ended early.
pub fn sensitivities(frames: &Frames, measure: &SweepMeasure, progress: Progress) -> Option<Vec<Sensitivity>> {
    let mut workspace = frames.workspace();
    let here = frames.mean(&mut workspace, measure, |_| {})?;
    let recorded = || Some(&frames.recording?.frames().next()?.input);
    let first = frames.inputs.first().or_else(recorded)?.stack.clone();
    let parameters: Vec<ParameterId> = ParameterId::all(&*first).collect();
    let mut found = Vec::new();
    for (index, &parameter) in parameters.iter().enumerate() {
        if !progress(index as f32 / parameters.len() as f32) {
            return None;
        }
        let [min, max] = parameter.range();
        let stride = if parameter.parameter.is_whole() { 1.0 } else { (max - min) / 20.0 };
        let mut moved = |by: f32| {
            let changed = frames.mean(&mut workspace, measure, |stack| {
                let value = parameter.get(stack) + by;
                parameter.set(stack, value);
            });
            changed.map(|value| value - here)
        };
        let (down, up) = (moved(-stride)?, moved(stride)?);
        if down != 0.0 || up != 0.0 {
            found.push(Sensitivity { parameter, value: parameter.get(&*first), down, up });
        }
    }
    let strength = |found: &Sensitivity| found.down.abs().max(found.up.abs());
    found.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
    Some(found)
}
