//! Sweeps: a measure over the range of one or two parameters; and sensitivities: what every parameter does to it.

use super::measure::{Measure, outcome};
use super::parameters::ParameterId;
use crate::full_body::{FullBody, Settings, Workspace};

/// One axis of a sweep: a parameter over a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    pub parameter: ParameterId,
    pub from: f32,
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

/// What a sweep looks at: an input of a solve, from the current frame or from a whole tape.
#[derive(Clone, Debug)]
pub struct Input {
    pub settings: Settings,
    /// Model space, a transform per bone.
    pub animated: std::sync::Arc<crate::rig::ModelPose>,
}

/// What is asked.
#[derive(Clone, Debug)]
pub struct Sweep {
    pub x: Axis,
    /// Without it the sweep is a curve.
    pub y: Option<Axis>,
    pub measure: Measure,
}

/// The measure at every point: `values[row * columns + column]`, x along columns, y along rows. Over several inputs it
/// is the mean of the measure's size.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepResult {
    pub x: Axis,
    pub y: Option<Axis>,
    pub measure: Measure,
    pub values: Vec<f32>,
    pub solves: usize,
}

impl SweepResult {
    pub fn columns(&self) -> usize {
        self.x.count
    }

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

/// Hears how far long work is, from 0 to 1; returns false to end it.
pub type Progress<'a> = &'a mut dyn FnMut(f32) -> bool;

/// Runs a sweep. `None` if it was ended early, or there is no input.
pub fn run_sweep(solver: &FullBody, sweep: &Sweep, inputs: &[Input], progress: Progress) -> Option<SweepResult> {
    let mut workspace = solver.workspace();
    let rows = sweep.y.map_or(1, |axis| axis.count);
    let mut values = Vec::with_capacity(rows * sweep.x.count);
    for row in 0..rows {
        for column in 0..sweep.x.count {
            if !progress(values.len() as f32 / (rows * sweep.x.count) as f32) {
                return None;
            }
            let value = mean(solver, &mut workspace, sweep.measure, inputs, |settings| {
                if let Some(axis) = sweep.y {
                    axis.parameter.set(settings, axis.value(row));
                }
                sweep.x.parameter.set(settings, sweep.x.value(column));
            })?;
            values.push(value);
        }
    }
    let solves = values.len() * inputs.len();
    Some(SweepResult { x: sweep.x, y: sweep.y, measure: sweep.measure, values, solves })
}

fn mean(
    solver: &FullBody,
    workspace: &mut Workspace,
    measure: Measure,
    inputs: &[Input],
    change: impl Fn(&mut Settings),
) -> Option<f32> {
    if inputs.is_empty() {
        return None;
    }
    let (mut sum, mut pose) = (0.0f64, Vec::new());
    for input in inputs {
        let mut settings = input.settings;
        change(&mut settings);
        // Values of the parameters' own ranges, poses that were solved: none of them is refused.
        let outcome = outcome(solver, workspace, &settings, &input.animated.bones, &mut pose).ok()?;
        sum += f64::from(outcome.measure(measure).abs());
    }
    Some((sum / inputs.len() as f64) as f32)
}

/// What one parameter does to a measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sensitivity {
    pub parameter: ParameterId,
    pub value: f32,
    /// Change of the measure when the parameter goes down and up by a twentieth of its range (a whole number by 1);
    /// 0 where it is at the end of its range.
    pub down: f32,
    pub up: f32,
}

/// Every parameter that does anything to the measure, the strongest first. `None` if it was ended early.
pub fn sensitivities(
    solver: &FullBody,
    measure: Measure,
    inputs: &[Input],
    progress: Progress,
) -> Option<Vec<Sensitivity>> {
    let mut workspace = solver.workspace();
    let here = mean(solver, &mut workspace, measure, inputs, |_| {})?;
    let parameters: Vec<ParameterId> = ParameterId::all(&Settings::default()).collect();
    let mut found = Vec::new();
    for (index, &parameter) in parameters.iter().enumerate() {
        if !progress(index as f32 / parameters.len() as f32) {
            return None;
        }
        let [min, max] = parameter.range();
        let stride = if parameter.parameter.is_whole() { 1.0 } else { (max - min) / 20.0 };
        let mut moved = |by: f32| {
            let changed = mean(solver, &mut workspace, measure, inputs, |settings| {
                let value = parameter.get(settings) + by;
                parameter.set(settings, value);
            });
            changed.map(|value| value - here)
        };
        let (down, up) = (moved(-stride)?, moved(stride)?);
        if down != 0.0 || up != 0.0 {
            let value = inputs.first().map_or(0.0, |input| parameter.get(&input.settings));
            found.push(Sensitivity { parameter, value, down, up });
        }
    }
    let strength = |found: &Sensitivity| found.down.abs().max(found.up.abs());
    found.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
    Some(found)
}
