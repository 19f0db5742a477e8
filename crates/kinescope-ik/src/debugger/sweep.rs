//! Sweeps: a measure over the range of one or two parameters; and sensitivities: what every parameter does to it.

use std::sync::Arc;

use super::again::{MotionMeasure, Progress, solve_again};
use super::tape::Tape;
use super::variants::{Variant, solve_variants, spread};
use crate::full_body::outcome::measures;
use crate::full_body::{Effector, FullBody, Settings, Workspace};
use crate::ground::Ground;
use crate::stack::parameters::{ParameterId, Tunable};
use crate::stack::{self, Input, LayerId, MeasureId, Rig, Stack, Tools};

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

/// The frames that a sweep solves, and what they are solved with.
pub struct Frames<'a> {
    /// The character that is solved.
    pub rig: &'a Rig,
    /// The ground as it was for each of the inputs.
    pub ground: &'a (dyn Fn(&Input) -> Option<Box<dyn Ground>> + Sync),
    /// The inputs of the frames.
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

/// Runs a sweep on all processors (feature `rayon`; otherwise on this thread). Frames of which only the full body is solved
/// share registers, see [`solve_variants`]: their values are those of single solves within 1e-6 of the character's height.
/// `None` if `progress` ended it, there is no input, or somewhere in the range there is no such measure.
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
    let rows = sweep.y.map_or(1, |axis| axis.count);
    let points = (0..rows).flat_map(|row| (0..sweep.x.count).map(move |column| (row, column)));
    let changes: Vec<Change> = points
        .map(|(row, column)| {
            let y = sweep.y.map(|axis| (axis.parameter, axis.value(row)));
            Change { set: [y, Some((sweep.x.parameter, sweep.x.value(column)))], by: None }
        })
        .collect();
    if let Some(first) = changes.first() {
        // A measure that the frames do not have ends the sweep here, not after all its solves.
        frames.mean(&sweep.measure, *first)?;
    }
    let values: Option<Vec<f32>> = frames.means(&sweep.measure, &changes, progress)?.into_iter().collect();
    let values = values?;
    let solves = values.len() * frames.solved_for(&sweep.measure);
    Some(SweepResult { x: sweep.x, y: sweep.y, measure: sweep.measure.clone(), values, solves })
}

/// What a variant changes in the settings of a frame.
#[derive(Clone, Copy, Debug, Default)]
struct Change {
    /// Numbers that are set, one after the other.
    set: [Option<(ParameterId, f32)>; 2],
    /// A number that is changed by so much.
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

    /// Whether it changes a number that these settings have.
    fn concerns(&self, settings: &dyn Tunable) -> bool {
        let all = self.set.into_iter().chain([self.by]).flatten();
        all.into_iter().any(|(parameter, _)| settings.of(parameter.owner).is_some())
    }
}

/// A measure of a frame of which only the full body is solved.
#[derive(Clone, Copy, Debug)]
enum BodyMeasure {
    WorstGap,
    Gap(Effector),
    /// A measure of the solver's own, by its place among [`measures`].
    Own(usize),
}

impl BodyMeasure {
    /// `None` for a measure that the full body does not have.
    fn new(measure: &MeasureId) -> Option<Self> {
        match measure {
            MeasureId::WorstGap => Some(Self::WorstGap),
            MeasureId::Gap(key) => Effector::from_key(key).map(Self::Gap),
            MeasureId::Of(LayerId::FullBody, key) => measures().iter().position(|view| view.key == *key).map(Self::Own),
            MeasureId::Of(..) => None,
        }
    }

    /// `None` for a frame that cannot be solved.
    fn of(self, solved: &Variant) -> Option<f32> {
        solved.done.ok()?;
        Some(match self {
            Self::WorstGap => solved.gaps().into_iter().fold(0.0, f32::max),
            Self::Gap(effector) => solved.gap(effector),
            Self::Own(index) => solved.outcome.measure(index),
        })
    }
}

/// Frames with several layers that a thread solves between two reports of progress, at most: some milliseconds of work.
const SHARE: usize = 32;

impl Frames<'_> {
    /// How many frames are solved for one value of a measure.
    fn solved_for(&self, measure: &SweepMeasure) -> usize {
        match measure {
            SweepMeasure::Frame(_) => self.inputs.len(),
            SweepMeasure::Motion(_) => self.recording.map_or(0, Tape::len),
        }
    }

    /// The mean of one change; see [`Self::means`].
    fn mean(&self, measure: &SweepMeasure, change: Change) -> Option<f32> {
        *self.means(measure, &[change], &mut |_| true)?.first()?
    }

    /// Measures every change, made to the stacks of all frames: the mean size over the frames that have the measure, or its
    /// value over the recording solved again; `None` where no frame has it. The whole is `None` if `progress` ended it, or
    /// if there is no recording to measure.
    fn means(&self, measure: &SweepMeasure, changes: &[Change], progress: Progress) -> Option<Vec<Option<f32>>> {
        let measure = match measure {
            SweepMeasure::Frame(measure) => measure,
            SweepMeasure::Motion(measure) => return self.of_motion(*measure, changes, progress),
        };
        // Frames of the full body alone share registers; the others are solved one by one.
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
            Some(solver) => in_lanes(solver, measure, changes, &plain, &mut |done| progress(done * share))?,
            None => Vec::new(),
        };
        let of_others =
            self.one_by_one(measure, changes, &others, &mut |done| progress(share + done * (1.0 - share)))?;
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
    }

    /// Measures the recording, solved again with each change.
    fn of_motion(&self, measure: MotionMeasure, changes: &[Change], progress: Progress) -> Option<Vec<Option<f32>>> {
        let recording = self.recording?;
        let solved = |change: &Change| {
            let change = |stack: &mut Stack| change.apply(stack);
            measure.of(&solve_again(self.rig, self.ground, recording, &change, &mut |_| true)?)
        };
        spread(changes.len(), 1, || (), |(), share| changes[share].iter().map(solved).collect(), progress)
    }

    /// Measures each change in each of the frames, with all their layers.
    fn one_by_one(
        &self,
        measure: &MeasureId,
        changes: &[Change],
        inputs: &[&Input],
        progress: Progress,
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
        spread(count, SHARE, new, |own, share| share.map(|index| solved(own, index)).collect(), progress)
    }
}

/// Measures each change in each of the frames, of which only the full body is solved: change by change, frame by frame.
fn in_lanes(
    solver: &FullBody,
    measure: &MeasureId,
    changes: &[Change],
    inputs: &[&Input],
    progress: Progress,
) -> Option<Vec<Option<f32>>> {
    let nothing = Settings::default();
    let Some(measure) = BodyMeasure::new(measure) else { return Some(vec![None; changes.len() * inputs.len()]) };
    // Changes to other layers leave the full body as it is: one solve is enough for all of them.
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
    let found = solve_variants(solver, count, variant, |solved| measure.of(solved), progress)?;
    let mut next = 0;
    let of_change = changes.iter().flat_map(|change| {
        let at = if change.concerns(&nothing) { next } else { own.len() };
        next += usize::from(at < own.len());
        found[at * inputs.len()..(at + 1) * inputs.len()].iter().copied()
    });
    Some(of_change.collect())
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

/// Returns every parameter that changes the measure, the strongest first. It is solved as [`run_sweep`] does it. `None` if
/// `progress` ended it, or there is no such measure.
pub fn sensitivities(frames: &Frames, measure: &SweepMeasure, progress: Progress) -> Option<Vec<Sensitivity>> {
    let here = frames.mean(measure, Change::default())?;
    let recorded = || Some(&frames.recording?.frames().next()?.input);
    let first = frames.inputs.first().or_else(recorded)?.stack.clone();
    let parameters: Vec<ParameterId> = ParameterId::all(&*first).collect();
    let down_and_up = |&parameter: &ParameterId| {
        let [min, max] = parameter.range();
        let stride = if parameter.parameter.is_whole() { 1.0 } else { (max - min) / 20.0 };
        [-stride, stride].map(|by| Change { by: Some((parameter, by)), ..Change::default() })
    };
    let changes: Vec<Change> = parameters.iter().flat_map(down_and_up).collect();
    let moved = frames.means(measure, &changes, progress)?;
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
