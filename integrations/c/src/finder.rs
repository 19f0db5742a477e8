//! Errors of a motion: break conditions, pops, and why an effector is off its target.

use std::ffi::c_char;

use kinescope_library::Effector;
use kinescope_library::debugger::breaks::{Breaks, Condition, check};
use kinescope_library::debugger::pops::find_pops;
use kinescope_library::debugger::variants::Variants;
use kinescope_library::debugger::why::{Reason, cure, why};

use crate::settings::choice;
use crate::stack::KinescopeStack;
use crate::tapes::KinescopeTape;
use crate::{KinescopeStatus, Refused, exclusive, guard, object, object_mut, shared, write_text_or_none};

/// A break condition.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeCondition {
    /// An elbow, knee or chain joint turns to the other side of its limb: by more than 90 degrees in one frame.
    Flip,
    /// An elbow, knee or chain joint turns about its limb by more than `bend_turn_degrees` in one frame.
    BendTurn,
    /// A bone's ends are closer or farther apart than the bone is long, by more than `bone_length_fraction`.
    BoneLength,
    /// An iteration increases an error by more than `error_rise_fraction`.
    ErrorRises,
    /// A target that was in reach in the previous frame is out of reach.
    LeavesReach,
    /// A coordinate is infinite or NaN.
    NotFinite,
    /// The rotation of a joint per frame changes by more than `jerk_degrees`.
    Jerk,
    /// A planted foot has slid by more than `slide_metres` since it landed.
    FootSlide,
}

/// Number of break conditions.
pub const KINESCOPE_CONDITIONS: usize = 8;

/// The break conditions that are on, and their thresholds.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeBreaks {
    /// Whether each KinescopeCondition is on.
    pub is_on: [u32; KINESCOPE_CONDITIONS],
    /// The threshold of KINESCOPE_CONDITION_BEND_TURN, in degrees per frame. Default 20.
    pub bend_turn_degrees: f32,
    /// The threshold of KINESCOPE_CONDITION_BONE_LENGTH, as a fraction of the bone's length. Default 0.01.
    pub bone_length_fraction: f32,
    /// The threshold of KINESCOPE_CONDITION_ERROR_RISES, as a fraction of the length of the limb or chain. Default 0.02.
    pub error_rise_fraction: f32,
    /// The threshold of KINESCOPE_CONDITION_JERK: the second difference of a joint's angle over three frames, in degrees.
    /// Default 10.
    pub jerk_degrees: f32,
    /// The threshold of KINESCOPE_CONDITION_FOOT_SLIDE, in metres along the ground. A model unit is a centimetre for a
    /// character with a height from 40 to below 400 units, a millimetre from 400 to below 4000, otherwise a metre.
    /// Default 0.01.
    pub slide_metres: f32,
}

/// A break condition that holds, with the place to inspect.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeBreakHit {
    /// A KinescopeCondition.
    pub condition: u32,
    /// The layer, by its number in kinescope_stack_layers.
    pub layer: u32,
    /// The step of the layer.
    pub step: u32,
    /// The point of the layer, by its number in kinescope_stack_layer_point; -1 if the layer has none for a sliding foot.
    pub point: i32,
}

/// The largest jerk of a joint.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopePop {
    /// The number of the earlier of the two frames between which the joint jumps.
    pub frame: u64,
    /// The second difference of the joint's angle over three frames; degrees.
    pub degrees: f32,
    /// The first step at which the joint differs between the solves of both frames by at least the mean of the
    /// differences after the first step and at the end; -1 if there is no such step after the first.
    pub step: i32,
    /// The point of the layer, by its number in kinescope_stack_layer_point.
    pub point: u32,
}

/// How a bone misses its target.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeMiss {
    /// The bone ends short of the target.
    Short,
    /// The bone ends beyond the target.
    Past,
    /// The bone ends to the side of the target.
    Aside,
}

/// Why a bone misses its target.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeReason {
    /// The target is further from the limb's first bone than the limb is long.
    TooFar,
    /// The target is nearer than the limb can fold, because its bones differ in length.
    TooNear,
    /// The effector's position weight times the master weight is below 1.
    Weight,
    /// The mapping weight of the limb is below 1.
    Mapping,
    /// None of the other reasons holds, so the constraints of the rest of the body keep the bone off.
    Body,
}

/// How and why the bone of an effector misses its target.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeWhy {
    /// The distance of the bone from the target; model units.
    pub gap: f32,
    /// A KinescopeMiss.
    pub miss: u32,
    /// A KinescopeReason.
    pub reason: u32,
    /// The distance from the limb's first bone to the target, for KINESCOPE_REASON_TOO_FAR and KINESCOPE_REASON_TOO_NEAR; otherwise
    /// 0. Model units.
    pub distance: f32,
    /// The limb's length for KINESCOPE_REASON_TOO_FAR, the smallest distance to which the limb can fold for
    /// KINESCOPE_REASON_TOO_NEAR; otherwise 0. Model units.
    pub limit: f32,
    /// The weight, for KINESCOPE_REASON_WEIGHT and KINESCOPE_REASON_MAPPING; otherwise 1.
    pub weight: f32,
}

impl KinescopeBreaks {
    fn read(&self) -> Result<Breaks, Refused> {
        let mut breaks = Breaks {
            bend_turn_degrees: self.bend_turn_degrees,
            bone_length_fraction: self.bone_length_fraction,
            error_rise_fraction: self.error_rise_fraction,
            jerk_degrees: self.jerk_degrees,
            slide_metres: self.slide_metres,
            ..Breaks::default()
        };
        for (condition, is_on) in Condition::ALL.into_iter().zip(self.is_on) {
            *breaks.enabled_mut(condition) = is_on != 0;
        }
        for (name, threshold) in [
            ("bend_turn_degrees", breaks.bend_turn_degrees),
            ("bone_length_fraction", breaks.bone_length_fraction),
            ("error_rise_fraction", breaks.error_rise_fraction),
            ("jerk_degrees", breaks.jerk_degrees),
            ("slide_metres", breaks.slide_metres),
        ] {
            if !(0.0..=f32::MAX).contains(&threshold) {
                let why = format!("breaks.{name}: is {threshold}; it must be 0 or more");
                return Err(Refused(KinescopeStatus::BadSettings, why));
            }
        }
        Ok(breaks)
    }
}

/// Sets all thresholds to their defaults, and all conditions off.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_breaks_default(breaks: *mut KinescopeBreaks) -> KinescopeStatus {
    guard(|| {
        let Breaks { bend_turn_degrees, bone_length_fraction, error_rise_fraction, jerk_degrees, slide_metres, .. } =
            Breaks::default();
        *unsafe { exclusive(breaks, "breaks") }? = KinescopeBreaks {
            is_on: [0; KINESCOPE_CONDITIONS],
            bend_turn_degrees,
            bone_length_fraction,
            error_rise_fraction,
            jerk_degrees,
            slide_metres,
        };
        Ok(KinescopeStatus::Done)
    })
}

/// Checks the frame that kinescope_tape_record recorded last. Stores the first condition that holds, in the order of
/// KinescopeCondition. Returns KINESCOPE_STATUS_NOTHING_TO_DO if none holds, and KINESCOPE_STATUS_BAD_WORKSPACE if no frame was
/// recorded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_tape_check(
    tape: *mut KinescopeTape,
    breaks: *const KinescopeBreaks,
    hit: *mut KinescopeBreakHit,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(tape, "tape") }?;
        let (breaks, to) = unsafe { (shared(breaks, "breaks")?.read()?, exclusive(hit, "hit")?) };
        own.hit = None;
        let why = || Refused(KinescopeStatus::BadWorkspace, "tape: kinescope_tape_record must come first".to_owned());
        let now = own.now.as_ref().ok_or_else(why)?;
        let Some(found) = check(&breaks, &own.tape, own.before.as_ref(), now) else {
            return Ok(KinescopeStatus::NothingToDo);
        };
        let mut layers = now.layers.iter().filter(|layer| layer.run().is_some());
        *to = KinescopeBreakHit {
            condition: found.condition as u32,
            layer: layers.position(|layer| layer.id == found.layer).unwrap_or_default() as u32,
            step: found.step as u32,
            point: found.point.map_or(-1, |point| point as i32),
        };
        own.hit = Some(found);
        Ok(KinescopeStatus::Done)
    })
}

/// Writes the message of the last kinescope_tape_check, such as `left elbow flips: 143° in one frame`, into a buffer as
/// kinescope_settings_to_preset does. Returns KINESCOPE_STATUS_NOTHING_TO_DO, with a `needed` of 0, if no condition held.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_tape_hit_text(
    tape: *const KinescopeTape,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(tape, "tape") }?;
        unsafe { write_text_or_none(own.hit.as_ref().map(|hit| &*hit.text), buffer, capacity, needed) }
    })
}

/// Finds the largest jerk of every joint whose jerk exceeds 1e-4 radians, the largest first; `count` receives the
/// number of these joints. The first frame is ignored because nothing moved before it, so a tape needs at least four
/// frames.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_tape_find_pops(tape: *mut KinescopeTape, count: *mut usize) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(tape, "tape") }?;
        let count = unsafe { exclusive(count, "count") }?;
        own.pops = find_pops(&own.tape);
        *count = own.pops.len();
        Ok(KinescopeStatus::Done)
    })
}

/// Stores a pop of the last kinescope_tape_find_pops by its index. Returns KINESCOPE_STATUS_NOTHING_TO_DO if there is no such pop.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_tape_pop(
    tape: *const KinescopeTape,
    index: usize,
    pop: *mut KinescopePop,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(tape, "tape") }?;
        let to = unsafe { exclusive(pop, "pop") }?;
        let Some(found) = own.pops.get(index) else { return Ok(KinescopeStatus::NothingToDo) };
        *to = KinescopePop {
            frame: found.number,
            degrees: found.size,
            step: found.diverges_at.as_ref().map_or(-1, |(step, _)| *step as i32),
            point: found.joint.point as u32,
        };
        Ok(KinescopeStatus::Done)
    })
}

/// Writes layer and joint of a pop, such as `full body, left elbow, flexion`, into a buffer as kinescope_settings_to_preset does.
/// Returns KINESCOPE_STATUS_NOTHING_TO_DO, with a `needed` of 0, if there is no such pop.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_tape_pop_joint(
    tape: *const KinescopeTape,
    index: usize,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(tape, "tape") }?;
        let label = own.pops.get(index).map(|pop| format!("{}, {}", pop.joint.layer.label(), pop.joint.label));
        unsafe { write_text_or_none(label.as_deref(), buffer, capacity, needed) }
    })
}

/// Writes the name of the step in `step` of a pop, into a buffer as kinescope_settings_to_preset does. Returns
/// KINESCOPE_STATUS_NOTHING_TO_DO, with a `needed` of 0, if there is no such pop or no such step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_tape_pop_step(
    tape: *const KinescopeTape,
    index: usize,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(tape, "tape") }?;
        let step = own.pops.get(index).and_then(|pop| pop.diverges_at.as_ref());
        unsafe { write_text_or_none(step.map(|(_, step)| &*step.name), buffer, capacity, needed) }
    })
}

/// Explains the distance of an effector's bone (a KinescopeEffector) from its target in the last kinescope_stack_solve.
/// Returns KINESCOPE_STATUS_NOTHING_TO_DO if the position weight or the master weight is 0, and if that solve did not
/// solve the full body; KINESCOPE_STATUS_BAD_WORKSPACE before the first solve.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_why(
    stack: *const KinescopeStack,
    effector: u32,
    explanation: *mut KinescopeWhy,
) -> KinescopeStatus {
    guard(|| {
        let frame = unsafe { object(stack, "stack") }?.frame()?;
        let to = unsafe { exclusive(explanation, "explanation") }?;
        let effector = choice(effector, &Effector::ALL, || "effector".to_owned())?;
        let Some(run) = frame.full_body() else { return Ok(KinescopeStatus::NothingToDo) };
        let Some(found) = why(&run.recording.frame, &run.solver, &frame.pose, effector) else {
            return Ok(KinescopeStatus::NothingToDo);
        };
        let (reason, distance, limit, weight) = match found.reason {
            Reason::TooFar { distance, length } => (KinescopeReason::TooFar, distance, length, 1.0),
            Reason::TooNear { distance, least } => (KinescopeReason::TooNear, distance, least, 1.0),
            Reason::Weight(weight) => (KinescopeReason::Weight, 0.0, 0.0, weight),
            Reason::Mapping(weight) => (KinescopeReason::Mapping, 0.0, 0.0, weight),
            Reason::Body => (KinescopeReason::Body, 0.0, 0.0, 1.0),
        };
        let (reason, miss) = (reason as u32, found.miss as u32);
        *to = KinescopeWhy { gap: found.gap, miss, reason, distance, limit, weight };
        Ok(KinescopeStatus::Done)
    })
}

/// Finds the parameter whose change brings an effector's bone (a KinescopeEffector) nearest to its target: `value`
/// receives the value to set, `gap` the distance that then remains in model units, and the buffer the parameter's path
/// in presets, as kinescope_settings_to_preset does. Solves the frame with both ends of the range of 25 parameters.
/// Discards values with which the largest distance of the other effectors grows by more than a tenth of this
/// effector's. Returns KINESCOPE_STATUS_NOTHING_TO_DO, with a `needed` of 0, if no other value reduces the distance by
/// more than a tenth, and if the last kinescope_stack_solve did not solve the full body;
/// KINESCOPE_STATUS_BAD_WORKSPACE before the first solve.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_cure(
    stack: *const KinescopeStack,
    effector: u32,
    value: *mut f32,
    gap: *mut f32,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let frame = unsafe { object(stack, "stack") }?.frame()?;
        let (value, gap) = unsafe { (exclusive(value, "value")?, exclusive(gap, "gap")?) };
        let effector = choice(effector, &Effector::ALL, || "effector".to_owned())?;
        let found = frame
            .full_body()
            .and_then(|run| cure(&run.solver, &mut Variants::default(), &run.settings, &run.animated, effector));
        let path = found.map(|(parameter, to, left)| {
            (*value, *gap) = (to, left);
            parameter.path()
        });
        unsafe { write_text_or_none(path.as_deref(), buffer, capacity, needed) }
    })
}
