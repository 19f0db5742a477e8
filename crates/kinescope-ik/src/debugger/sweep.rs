//! Sweeps (a measure over the range of one or two parameters) and sensitivities (the effect of every parameter on a
//! measure).

use std::sync::Arc;

use super::again::{MotionMeasure, Progress, solve_again_on};
use super::tape::Tape;
use super::variants::{Variant, solve_variants_in_slices, spread};
use crate::full_body::outcome::measures;
use crate::full_body::{Effector, FullBody, Settings, Workspace};
use crate::ground::Ground;
use crate::pieces::threads;
use crate::slices::{Boxed, finish};
use crate::stack::parameters::{ParameterId, Tunable};
use crate::stack::{self, Input, LayerId, MeasureId, Rig, Stack, Tools};

/// An axis of a sweep: a parameter with a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// The parameter to change.
    pub parameter: ParameterId,
    /// The first value, in the parameter's unit.
    pub from: f32,
    /// The last value, in the parameter's unit.
    pub to: f32,
    /// The number of values including both ends; at least 2.
    pub count: usize,
}

impl Axis {
    /// Returns an axis over the parameter's whole [usual range](ParameterId::range): `count` values, at least 2, or
    /// every value of a whole-number parameter.
    pub fn whole_range(parameter: ParameterId, count: usize) -> Self {
        let [from, to] = parameter.range();
        let count = if parameter.parameter.is_whole() { (to - from) as usize + 1 } else { count };
        Self { parameter, from, to, count: count.max(2) }
    }

    /// Returns the value at `index`: `from` at 0, `to` at `count - 1`.
    pub fn value(&self, index: usize) -> f32 {
        self.from + (self.to - self.from) * index as f32 / (self.count.max(2) - 1) as f32
    }
}

/// A measure of a sweep or a sensitivity.
#[derive(Clone, Debug, PartialEq)]
pub enum SweepMeasure {
    /// The absolute value of a measure of each frame, averaged over the frames that have it.
    Frame(MeasureId),
    /// A measure of the whole recording, solved again frame by frame.
    Motion(MotionMeasure),
}

impl From<MeasureId> for SweepMeasure {
    fn from(measure: MeasureId) -> Self {
        Self::Frame(measure)
    }
}

/// The frames that a sweep solves.
pub struct Frames<'a> {
    /// The character whose frames are solved.
    pub rig: &'a Rig,
    /// Returns the ground of an input; `None` for a frame without ground.
    pub ground: &'a (dyn Fn(&Input) -> Option<Box<dyn Ground>> + Sync),
    /// The inputs of the frames, for a [`SweepMeasure::Frame`]. [`sensitivities`] tries the parameters of the first
    /// one; without inputs, those of the recording's first frame.
    pub inputs: &'a [Input],
    /// The recording for a [`MotionMeasure`]; without one such a measure has no value.
    pub recording: Option<&'a Tape>,
}

/// The parameters and the measure of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// The parameter along columns.
    pub x: Axis,
    /// The parameter along rows; without one the sweep is a curve.
    pub y: Option<Axis>,
    /// The measure that is evaluated at each combination of the parameters.
    pub measure: SweepMeasure,
}

/// The values of a sweep: `values[row * columns + column]`, with x along columns and y along rows.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepResult {
    /// The parameter along columns.
    pub x: Axis,
    /// The parameter along rows; `None` for a single row.
    pub y: Option<Axis>,
    /// The measure that is evaluated at each combination of the parameters.
    pub measure: SweepMeasure,
    /// The values row by row, in the measure's unit.
    pub values: Vec<f32>,
    /// The number of values times the number of frames of which each value is a measure.
    pub solves: usize,
}

impl SweepResult {
    /// Returns the number of values of x.
    pub fn columns(&self) -> usize {
        self.x.count
    }

    /// Returns the number of values of y; 1 without y.
    pub fn rows(&self) -> usize {
        self.y.map_or(1, |axis| axis.count)
    }

    /// Returns column, row and value of the smallest finite value; `None` if there is none.
    pub fn least(&self) -> Option<(usize, usize, f32)> {
        let finite = self.values.iter().enumerate().filter(|(_, value)| value.is_finite());
        let (index, value) = finite.min_by(|a, b| a.1.total_cmp(b.1))?;
        Some((index % self.columns(), index / self.columns(), *value))
    }

    /// Returns the smallest and the largest finite value; 0 and 0 if there is none.
    pub fn range(&self) -> [f32; 2] {
        let finite = self.values.iter().copied().filter(|value| value.is_finite());
        let [low, high] =
            finite.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], value| [low.min(value), high.max(value)]);
        if low <= high { [low, high] } else { [0.0, 0.0] }
    }
}

/// Runs a sweep on all processors (feature `rayon`; otherwise on this thread).
///
/// For a [`SweepMeasure::Frame`], frames in which only the full body is solved use SIMD registers;
/// [`solve_variants`](super::variants::solve_variants) says how closely they agree with single solves.
///
/// `None` if `progress` cancelled the sweep, if there is no input (for a [`MotionMeasure`]: no recording), or if the
/// measure does not exist somewhere in the range.
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
/// // How does the distance of the hand to its target depend on the left arm's pull?
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
    finish(run_sweep_in_slices(frames, sweep, progress))
}

/// Does the same as [`run_sweep`], with [pauses](crate::slices).
pub fn run_sweep_in_slices(
    frames: &Frames<'_>,
    sweep: &Sweep,
    progress: Progress<'_>,
) -> impl Future<Output = Option<SweepResult>> {
    run_sweep_async(frames, sweep, progress)
}

async fn run_sweep_async(frames: &Frames<'_>, sweep: &Sweep, progress: Progress<'_>) -> Option<SweepResult> {
    let rows = sweep.y.map_or(1, |axis| axis.count);
    let points = (0..rows).flat_map(|row| (0..sweep.x.count).map(move |column| (row, column)));
    let changes: Vec<Change> = points
        .map(|(row, column)| {
            let y = sweep.y.map(|axis| (axis.parameter, axis.value(row)));
            Change { set: [y, Some((sweep.x.parameter, sweep.x.value(column)))], by: None }
        })
        .collect();
    if let Some(first) = changes.first() {
        // The first solve ends the sweep early if the frames do not have the measure.
        frames.mean(&sweep.measure, *first).await?;
    }
    let values: Option<Vec<f32>> = frames.means(&sweep.measure, &changes, progress).await?.into_iter().collect();
    let values = values?;
    let solves = values.len() * frames.solved_for(&sweep.measure);
    Some(SweepResult { x: sweep.x, y: sweep.y, measure: sweep.measure.clone(), values, solves })
}

#[derive(Clone, Copy, Debug, Default)]
struct Change {
    set: [Option<(ParameterId, f32)>; 2],
    by: Option<(ParameterId, f32)>,
}

impl Change {
    fn apply(&self, settings: &mut dyn Tunable) {
        for (parameter, value) in self.set.into_iter().flatten() {
            parameter.set(settings, value);
        }
        if let Some((parameter, by)) = self.by {
            let value = parameter.get(settings) + by;
            parameter.set(settings, value);
        }
    }

    /// Returns whether `settings` contain the owner of a parameter that the change sets or shifts.
    fn concerns(&self, settings: &dyn Tunable) -> bool {
        let all = self.set.into_iter().chain([self.by]).flatten();
        all.into_iter().any(|(parameter, _)| settings.of(parameter.owner).is_some())
    }
}

/// A measure of a frame in which only the full body is solved.
#[derive(Clone, Copy, Debug)]
enum BodyMeasure {
    WorstGap,
    Gap(Effector),
    /// A measure of the full body, by its index in [`measures`].
    Own(usize),
}

impl BodyMeasure {
    fn new(measure: &MeasureId) -> Option<Self> {
        match measure {
            MeasureId::WorstGap => Some(Self::WorstGap),
            MeasureId::Gap(key) => Effector::from_key(key).map(Self::Gap),
            MeasureId::Of(LayerId::FullBody, key) => measures().iter().position(|view| view.key == *key).map(Self::Own),
            MeasureId::Of(..) => None,
        }
    }

    fn of(self, solved: &Variant) -> Option<f32> {
        solved.done.ok()?;
        Some(match self {
            Self::WorstGap => solved.gaps().into_iter().fold(0.0, f32::max),
            Self::Gap(effector) => solved.gap(effector),
            Self::Own(index) => solved.outcome.measure(index),
        })
    }
}

/// The largest number of solves that a thread makes one by one between two reports of progress: a few milliseconds of
/// work. In WebAssembly the number is an eighth.
const SHARE: usize = 32;

impl Frames<'_> {
    fn solved_for(&self, measure: &SweepMeasure) -> usize {
        match measure {
            SweepMeasure::Frame(_) => self.inputs.len(),
            SweepMeasure::Motion(_) => self.recording.map_or(0, Tape::len),
        }
    }

    async fn mean(&self, measure: &SweepMeasure, change: Change) -> Option<f32> {
        *self.means(measure, &[change], &mut |_| true).await?.first()?
    }

    /// Returns the measure for every change, applied to the stacks of all frames: the mean absolute value over the
    /// frames that have the measure, or its value over the recording solved again. An entry is `None` if no frame has
    /// the measure. The result is `None` if `progress` cancelled the work, or if there is no recording to measure.
    fn means<'a>(
        &'a self,
        measure: &'a SweepMeasure,
        changes: &'a [Change],
        progress: Progress<'a>,
    ) -> Boxed<'a, Option<Vec<Option<f32>>>> {
        Box::pin(async move {
            let measure = match measure {
                SweepMeasure::Frame(measure) => measure,
                SweepMeasure::Motion(measure) => return self.of_motion(*measure, changes, progress).await,
            };
            let solver = self.rig.full_body.as_ref().ok();
            let is_plain = |input: &Input| solver.is_some() && input.stack.is_full_body_alone();
            let are_plain: Vec<bool> = self.inputs.iter().map(is_plain).collect();
            let of_kind = |plain: bool| {
                let own = self.inputs.iter().zip(&are_plain).filter(|(_, is_plain)| **is_plain == plain);
                own.map(|(input, _)| input).collect()
            };
            let (plain, others): (Vec<&Input>, Vec<&Input>) = (of_kind(true), of_kind(false));
            let share = plain.len() as f32 / self.inputs.len().max(1) as f32;
            let of_plain = match solver {
                Some(solver) => in_lanes(solver, measure, changes, &plain, &mut |done| progress(done * share)).await?,
                None => Vec::new(),
            };
            let of_others =
                self.one_by_one(measure, changes, &others, &mut |done| progress(share + done * (1.0 - share))).await?;
            let mean = |change: usize| {
                let mut plain = of_plain[change * plain.len()..].iter();
                let mut others = of_others[change * others.len()..].iter();
                let (mut sum, mut count) = (0.0f64, 0);
                for &is_plain in &are_plain {
                    let value = if is_plain { plain.next() } else { others.next() };
                    if let Some(value) = value.copied().flatten() {
                        sum += f64::from(value.abs());
                        count += 1;
                    }
                }
                (count > 0).then(|| (sum / f64::from(count)) as f32)
            };
            Some((0..changes.len()).map(mean).collect())
        })
    }

    async fn of_motion(
        &self,
        measure: MotionMeasure,
        changes: &[Change],
        progress: Progress<'_>,
    ) -> Option<Vec<Option<f32>>> {
        let recording = self.recording?;
        // The measures use no step of a solve but the last.
        let tape = || Tape::unbounded().without_steps();
        // On one thread, the work also pauses within a recording, not only between recordings.
        if threads() == 1 {
            let mut found = Vec::with_capacity(changes.len());
            for (index, change) in changes.iter().enumerate() {
                let apply = |stack: &mut Stack| change.apply(stack);
                let mut progress = |done: f32| progress((index as f32 + done) / changes.len() as f32);
                let again = solve_again_on(tape(), self.rig, self.ground, recording, &apply, &mut progress).await?;
                found.push(measure.of(&again));
            }
            return Some(found);
        }
        let solved = |change: &Change| {
            let change = |stack: &mut Stack| change.apply(stack);
            let mut goes_on = |_| true;
            let again = solve_again_on(tape(), self.rig, self.ground, recording, &change, &mut goes_on);
            measure.of(&finish(again)?)
        };
        spread(changes.len(), (1, 1), || (), |(), share| changes[share].iter().map(solved).collect(), progress).await
    }

    async fn one_by_one(
        &self,
        measure: &MeasureId,
        changes: &[Change],
        inputs: &[&Input],
        progress: Progress<'_>,
    ) -> Option<Vec<Option<f32>>> {
        let solved = |workspace: &mut Option<Workspace>, index: usize| {
            let (change, input) = (&changes[index / inputs.len()], inputs[index % inputs.len()]);
            let mut stack = Stack::clone(&input.stack);
            change.apply(&mut stack);
            let input = Input { stack: Arc::new(stack), ..input.clone() };
            let ground = (self.ground)(&input);
            let tools = Tools { workspace: workspace.as_mut(), ground: ground.as_deref(), clock: None };
            stack::solve(self.rig, tools, &input).outcome(measure)
        };
        let new = || self.rig.full_body.as_ref().ok().map(|solver| solver.workspace());
        let count = changes.len() * inputs.len();
        spread(count, (SHARE, 1), new, |own, share| share.map(|index| solved(own, index)).collect(), progress).await
    }
}

/// Measures each change in each frame with only the full body. The values of one change, frame by frame, precede those of
/// the next change.
async fn in_lanes(
    solver: &FullBody,
    measure: &MeasureId,
    changes: &[Change],
    inputs: &[&Input],
    progress: Progress<'_>,
) -> Option<Vec<Option<f32>>> {
    let nothing = Settings::default();
    let Some(measure) = BodyMeasure::new(measure) else { return Some(vec![None; changes.len() * inputs.len()]) };
    // Changes to other layers do not affect the full body, so one solve serves all of them.
    let own: Vec<Change> = changes.iter().filter(|change| change.concerns(&nothing)).copied().collect();
    let has_others = own.len() < changes.len();
    let all: Vec<Change> = own.iter().copied().chain(has_others.then(Change::default)).collect();
    let variant = |index: usize| {
        let input = inputs[index % inputs.len()];
        let mut settings = input.stack.full_body;
        all[index / inputs.len()].apply(&mut settings);
        (settings, &input.animated.bones[..])
    };
    let count = all.len() * inputs.len();
    let found = solve_variants_in_slices(solver, count, variant, |solved| measure.of(solved), progress).await?;
    let mut next = 0;
    let of_change = changes.iter().flat_map(|change| {
        let at = if change.concerns(&nothing) { next } else { own.len() };
        next += usize::from(at < own.len());
        found[at * inputs.len()..(at + 1) * inputs.len()].iter().copied()
    });
    Some(of_change.collect())
}

/// The effect of a parameter on a measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sensitivity {
    /// The parameter that changes.
    pub parameter: ParameterId,
    /// The value in the first frame, in the parameter's unit.
    pub value: f32,
    /// The change of the measure if the parameter decreases by 5 % of its [usual range](ParameterId::range) (a whole
    /// number by 1). The new value is clamped to the range.
    pub down: f32,
    /// The change of the measure if the parameter increases by 5 % of its [usual range](ParameterId::range) (a whole
    /// number by 1). The new value is clamped to the range.
    pub up: f32,
}

/// Returns all parameters of the first frame that change the measure, sorted by the larger of
/// |[`down`](Sensitivity::down)| and |[`up`](Sensitivity::up)|, largest first. Frames are solved as in [`run_sweep`].
/// `None` if `progress` cancelled the work, or if the measure does not exist before or after a change.
pub fn sensitivities(frames: &Frames, measure: &SweepMeasure, progress: Progress) -> Option<Vec<Sensitivity>> {
    finish(sensitivities_in_slices(frames, measure, progress))
}

/// Does the same as [`sensitivities`], with [pauses](crate::slices).
pub fn sensitivities_in_slices(
    frames: &Frames<'_>,
    measure: &SweepMeasure,
    progress: Progress<'_>,
) -> impl Future<Output = Option<Vec<Sensitivity>>> {
    sensitivities_async(frames, measure, progress)
}

async fn sensitivities_async(
    frames: &Frames<'_>,
    measure: &SweepMeasure,
    progress: Progress<'_>,
) -> Option<Vec<Sensitivity>> {
    let here = frames.mean(measure, Change::default()).await?;
    let recorded = || Some(&frames.recording?.frames().next()?.input);
    let first = frames.inputs.first().or_else(recorded)?.stack.clone();
    let parameters: Vec<ParameterId> = ParameterId::all(&*first).collect();
    let down_and_up = |&parameter: &ParameterId| {
        let [min, max] = parameter.range();
        let stride = if parameter.parameter.is_whole() { 1.0 } else { (max - min) / 20.0 };
        [-stride, stride].map(|by| Change { by: Some((parameter, by)), ..Change::default() })
    };
    let changes: Vec<Change> = parameters.iter().flat_map(down_and_up).collect();
    let moved = frames.means(measure, &changes, progress).await?;
    let mut found = Vec::new();
    for (&parameter, moved) in parameters.iter().zip(moved.chunks_exact(2)) {
        let (down, up) = (moved[0]? - here, moved[1]? - here);
        if down != 0.0 || up != 0.0 {
            found.push(Sensitivity { parameter, value: parameter.get(&*first), down, up });
        }
    }
    let strength = |found: &Sensitivity| found.down.abs().max(found.up.abs());
    found.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
    Some(found)
}
