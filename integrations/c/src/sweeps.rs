//! Sweeps (a measure over the range of one or two parameters) and sensitivities, on the frames of a capsule or a tape.

use std::ffi::c_char;

use kinescope_library::debugger::again::MotionMeasure;
use kinescope_library::debugger::sweep::{
    Axis, Frames, Sensitivity, Sweep, SweepMeasure, SweepResult, run_sweep, sensitivities,
};
use kinescope_library::ground::Ground;
use kinescope_library::stack::parameters::ParameterId;
use kinescope_library::stack::{Input, Tools, solve};

use crate::capsules::{KinescopeCapsule, ground_of_inputs};
use crate::ground::KinescopeGround;
use crate::meshes::copy;
use crate::progress::{KinescopeProgress, with_progress};
use crate::settings::choice;
use crate::tapes::KinescopeTape;
use crate::{
    KinescopeStatus, Refused, exclusive, free, guard, hand_over, look, object, objects, optional, text,
    write_text_or_none,
};

/// The values of a measure over the range of one or two parameters.
pub struct KinescopeSweep {
    result: SweepResult,
}

/// The parameters that affect a measure, the strongest first.
pub struct KinescopeSensitivities {
    found: Vec<Sensitivity>,
}

objects!(KinescopeSweep KinescopeSensitivities);

const MOST_VALUES: usize = 1024;

/// A parameter with the range of a sweep.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeAxis {
    /// The path of the parameter in presets, such as `chains.left_arm.pull`.
    pub parameter: *const c_char,
    /// The first value. Values are clamped to the range of kinescope_parameter_range.
    pub from: f32,
    /// The last value.
    pub to: f32,
    /// Number of values, including both ends. From 2 to 1024.
    pub count: usize,
}

/// How a parameter affects a measure.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeSensitivity {
    /// The value of the parameter in the first frame.
    pub value: f32,
    /// The change of the measure if the parameter decreases by 5 % of its range, or by 1 if the parameter is a whole
    /// number, but not below its range.
    pub down: f32,
    /// The change of the measure if the parameter increases by as much, but not above its range.
    pub up: f32,
}

pub(crate) unsafe fn parameter(path: *const c_char, name: &str) -> Result<ParameterId, Refused> {
    let path = unsafe { text(path, name) }?;
    let why = || Refused::argument(format!("{name}: is {path:?}; expected a path such as chains.left_arm.pull"));
    ParameterId::from_path(path).ok_or_else(why)
}

impl KinescopeAxis {
    /// # Safety
    /// The pointer follows the rules of [`KinescopeStatus`].
    unsafe fn read(&self, name: &str) -> Result<Axis, Refused> {
        let parameter = unsafe { parameter(self.parameter, &format!("{name}.parameter")) }?;
        let Self { from, to, count, .. } = *self;
        if !from.is_finite() || !to.is_finite() {
            return Err(Refused::argument(format!("{name}: goes from {from} to {to}; both must be finite")));
        }
        if !(2..=MOST_VALUES).contains(&count) {
            return Err(Refused::argument(format!("{name}.count: is {count}; it must be from 2 to {MOST_VALUES}")));
        }
        Ok(Axis { parameter, from, to, count })
    }
}

/// Stores the usual range of a parameter, by its path in presets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_parameter_range(
    parameter: *const c_char,
    from: *mut f32,
    to: *mut f32,
) -> KinescopeStatus {
    guard(|| {
        let (from, to) = unsafe { (exclusive(from, "from")?, exclusive(to, "to")?) };
        [*from, *to] = unsafe { self::parameter(parameter, "parameter") }?.range();
        Ok(KinescopeStatus::Done)
    })
}

/// Returns the inputs of a capsule, and the measure with this key, which the first frame must have.
unsafe fn frames(
    capsule: &KinescopeCapsule,
    ground: &dyn Fn(&Input) -> Option<Box<dyn Ground>>,
    measure: *const c_char,
) -> Result<(Vec<Input>, SweepMeasure), Refused> {
    let key = unsafe { text(measure, "measure") }?;
    let inputs: Vec<Input> = capsule.capsule.frames.iter().map(|frame| frame.input.clone()).collect();
    let measures = match inputs.first() {
        Some(input) => {
            let ground = ground(input);
            solve(&capsule.rig, Tools { ground: ground.as_deref(), ..Tools::default() }, input).measures()
        }
        None => Vec::new(),
    };
    let found = measures.iter().find(|own| own.view.key == key).map(|own| own.id.clone().into());
    let known = || measures.iter().map(|own| &*own.view.key).collect::<Vec<_>>().join(", ");
    let why = || Refused::argument(format!("measure: is {key:?}; the capsule has {}", known()));
    Ok((inputs, found.ok_or_else(why)?))
}

fn no_value() -> Refused {
    Refused::argument("measure: a change of the parameters leaves no frame that has it")
}

/// Runs a sweep: solves all frames of a capsule for every value of a parameter `x`, or for every pair of values of `x`
/// and `y`. `measure` is the key of a measure, as returned by kinescope_stack_measure_key; a value of the sweep is the
/// mean of the absolute value of the measure over the frames that have it. `y`, `ground` and `progress` may be NULL.
/// Several threads solve, and one at a time calls the functions of the ground. Returns KINESCOPE_STATUS_CANCELLED if
/// `progress` cancels the sweep.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sweep_new(
    capsule: *const KinescopeCapsule,
    ground: *const KinescopeGround,
    x: *const KinescopeAxis,
    y: *const KinescopeAxis,
    measure: *const c_char,
    progress: *const KinescopeProgress,
    out: *mut *mut KinescopeSweep,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let own = object(capsule, "capsule")?;
            let x = crate::shared(x, "x")?.read("x")?;
            let y = optional(y.cast_mut(), "y")?.map(|y| y.read("y")).transpose()?;
            let ground = &ground_of_inputs(ground)?;
            let (inputs, measure) = frames(own, ground, measure)?;
            let frames = Frames { rig: &own.rig, ground, inputs: &inputs, recording: None };
            let sweep = Sweep { x, y, measure };
            let result = with_progress(progress, |progress| run_sweep(&frames, &sweep, progress), no_value);
            Ok(KinescopeSweep { result: result? })
        })
    })
}

fn no_motion() -> Refused {
    Refused::argument("measure: the tape is too short, or lacks what is measured")
}

/// Runs a sweep of a measure of a whole recording, a KinescopeMotionMeasure: solves all frames of a tape again for every value.
/// Other arguments are as in kinescope_sweep_new.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sweep_new_of_tape(
    tape: *const KinescopeTape,
    ground: *const KinescopeGround,
    x: *const KinescopeAxis,
    y: *const KinescopeAxis,
    measure: u32,
    progress: *const KinescopeProgress,
    out: *mut *mut KinescopeSweep,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let own = object(tape, "tape")?;
            let x = crate::shared(x, "x")?.read("x")?;
            let y = optional(y.cast_mut(), "y")?.map(|y| y.read("y")).transpose()?;
            let ground = &ground_of_inputs(ground)?;
            let measure = SweepMeasure::Motion(choice(measure, &MotionMeasure::ALL, || "measure".to_owned())?);
            let frames = Frames { rig: &own.rig, ground, inputs: &[], recording: Some(&own.tape) };
            let sweep = Sweep { x, y, measure };
            let result = with_progress(progress, |progress| run_sweep(&frames, &sweep, progress), no_motion);
            Ok(KinescopeSweep { result: result? })
        })
    })
}

/// Frees a sweep; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sweep_free(sweep: *mut KinescopeSweep) {
    unsafe { free(sweep) };
}

/// Copies the values of the measure: those for all values of x at the first value of y, then those at the second value
/// of y, and so on. `needed`, which may be NULL, receives their number. Returns KINESCOPE_STATUS_NOTHING_TO_DO, and
/// copies nothing, if `capacity` is smaller.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sweep_values(
    sweep: *const KinescopeSweep,
    values: *mut f32,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(sweep, "sweep") }?;
        unsafe { copy(own.result.values.iter().copied(), (values, capacity, "values"), needed) }
    })
}

/// Stores the smallest value and the values of the parameters there; `y` is 0 in a sweep of one parameter. Returns
/// KINESCOPE_STATUS_NOTHING_TO_DO if no value is finite.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sweep_least(
    sweep: *const KinescopeSweep,
    x: *mut f32,
    y: *mut f32,
    value: *mut f32,
) -> KinescopeStatus {
    guard(|| {
        let result = &unsafe { object(sweep, "sweep") }?.result;
        let (x, y, value) = unsafe { (exclusive(x, "x")?, exclusive(y, "y")?, exclusive(value, "value")?) };
        let Some((column, row, least)) = result.least() else { return Ok(KinescopeStatus::NothingToDo) };
        (*x, *y, *value) = (result.x.value(column), result.y.map_or(0.0, |y| y.value(row)), least);
        Ok(KinescopeStatus::Done)
    })
}

/// Finds all parameters of the first frame of a capsule that affect a measure of the frames. Arguments are as in
/// kinescope_sweep_new.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sensitivities_new(
    capsule: *const KinescopeCapsule,
    ground: *const KinescopeGround,
    measure: *const c_char,
    progress: *const KinescopeProgress,
    out: *mut *mut KinescopeSensitivities,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let own = object(capsule, "capsule")?;
            let ground = &ground_of_inputs(ground)?;
            let (inputs, measure) = frames(own, ground, measure)?;
            let frames = Frames { rig: &own.rig, ground, inputs: &inputs, recording: None };
            let found = with_progress(progress, |progress| sensitivities(&frames, &measure, progress), no_value);
            Ok(KinescopeSensitivities { found: found? })
        })
    })
}

/// Finds all parameters of the first frame of a tape that affect a measure of the whole recording. Arguments are as in
/// kinescope_sweep_new_of_tape.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sensitivities_new_of_tape(
    tape: *const KinescopeTape,
    ground: *const KinescopeGround,
    measure: u32,
    progress: *const KinescopeProgress,
    out: *mut *mut KinescopeSensitivities,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let own = object(tape, "tape")?;
            let ground = &ground_of_inputs(ground)?;
            let measure = SweepMeasure::Motion(choice(measure, &MotionMeasure::ALL, || "measure".to_owned())?);
            let frames = Frames { rig: &own.rig, ground, inputs: &[], recording: Some(&own.tape) };
            let found = with_progress(progress, |progress| sensitivities(&frames, &measure, progress), no_motion);
            Ok(KinescopeSensitivities { found: found? })
        })
    })
}

/// Frees sensitivities; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sensitivities_free(sensitivities: *mut KinescopeSensitivities) {
    unsafe { free(sensitivities) };
}

/// Returns the number of parameters that affect the measure; 0 for invalid sensitivities.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sensitivities_count(sensitivities: *const KinescopeSensitivities) -> usize {
    look(0, || Ok(unsafe { object(sensitivities, "sensitivities") }?.found.len()))
}

/// Stores the effect of a parameter by its index; the strongest is the first. Returns KINESCOPE_STATUS_NOTHING_TO_DO if there is
/// no such parameter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sensitivities_get(
    sensitivities: *const KinescopeSensitivities,
    index: usize,
    sensitivity: *mut KinescopeSensitivity,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(sensitivities, "sensitivities") }?;
        let to = unsafe { exclusive(sensitivity, "sensitivity") }?;
        let Some(&Sensitivity { value, down, up, .. }) = own.found.get(index) else {
            return Ok(KinescopeStatus::NothingToDo);
        };
        *to = KinescopeSensitivity { value, down, up };
        Ok(KinescopeStatus::Done)
    })
}

/// Writes the path of a parameter by its index, into a buffer as kinescope_settings_to_preset does. Returns
/// KINESCOPE_STATUS_NOTHING_TO_DO, with a `needed` of 0, if there is no such parameter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sensitivities_parameter(
    sensitivities: *const KinescopeSensitivities,
    index: usize,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(sensitivities, "sensitivities") }?;
        let path = own.found.get(index).map(|found| found.parameter.path());
        unsafe { write_text_or_none(path.as_deref(), buffer, capacity, needed) }
    })
}
