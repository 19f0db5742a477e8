//! Tapes: recordings of the frames that a stack solved, and measures of a whole recording.

use std::ffi::c_char;
use std::sync::Arc;

use kinescope_library::debugger::again::{MotionMeasure, solve_again};
use kinescope_library::debugger::breaks::Hit;
use kinescope_library::debugger::pops::Pop;
use kinescope_library::debugger::slide::slides;
use kinescope_library::debugger::tape::{Tape, TapeFrame};
use kinescope_library::glam::Vec3;
use kinescope_library::ground::Ground;
use kinescope_library::grounding::Side;
use kinescope_library::locomotion::Contact;
use kinescope_library::preset::Preset;
use kinescope_library::stack::{Frame, MeasureId, Rig, Stack};
use kinescope_library::{Biped, RigidTransform};

use crate::capsules::ground_of_inputs;
use crate::ground::KinescopeGround;
use crate::meshes::copy;
use crate::progress::{KinescopeProgress, with_progress};
use crate::settings::choice;
use crate::stack::KinescopeStack;
use crate::{
    KinescopeStatus, Refused, exclusive, free, guard, hand_over, look, object, object_mut, objects, optional, text,
};

/// A recording of the frames that a stack solved, oldest first. Frames have consecutive numbers.
pub struct KinescopeTape {
    pub(crate) tape: Tape,
    pub(crate) rig: Rig,
    biped: Biped,
    /// The newest frame that was recorded, and the one before it.
    pub(crate) now: Option<Frame>,
    pub(crate) before: Option<Frame>,
    /// How far the ground has carried each foot in all frames that were recorded, in world space.
    carried: [Vec3; 2],
    pub(crate) hit: Option<Hit>,
    pub(crate) pops: Vec<Pop>,
}

objects!(KinescopeTape);

/// A measure of a whole recording.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeMotionMeasure {
    /// The largest rotation of an elbow, knee or chain joint about its limb from one frame to the next; radians.
    BendTurn,
    /// The largest second difference of a joint's angle over three frames, as in KinescopePop; radians.
    Jerk,
    /// The largest distance that a planted foot slides from landing to lifting, or to the end of the recording; model
    /// units.
    FootSlide,
}

/// A stance of a foot, from landing to lifting.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeSlide {
    /// A KinescopeSide.
    pub side: u32,
    /// Whether the foot landed within the recording. 0 if the stance began in the first three frames of the tape, in
    /// which feet settle.
    pub has_landed: u32,
    /// The number of the first frame of the stance.
    pub first: u64,
    /// The number of the last frame of the stance.
    pub last: u64,
    /// The distance that the foot slides in the animated pose; model units along the ground.
    pub animated: f32,
    /// The distance that the foot slides in the solved pose; model units along the ground.
    pub solved: f32,
}

/// Returns the height of a character: the extent of its reference pose along +Y.
pub(crate) fn height(reference: &[RigidTransform]) -> f32 {
    let heights = reference.iter().map(|bone| bone.position.y);
    let [low, high] = heights.fold([f32::MAX, f32::MIN], |[low, high], at| [low.min(at), high.max(at)]);
    (high - low).max(0.0)
}

impl KinescopeTape {
    fn new(tape: Tape, rig: Rig, biped: Biped) -> Self {
        let carried = [Vec3::ZERO; 2];
        Self { tape, rig, biped, now: None, before: None, carried, hit: None, pops: Vec::new() }
    }

    /// Returns the contacts of both feet in a frame, and adds the motion of the ground to `carried`. `None` for a
    /// character without legs.
    fn contacts(&mut self, frame: &Frame) -> Option<[Contact; 2]> {
        let soles = self.rig.soles.as_ref()?;
        let (up, height) = (frame.input.up(), height(&self.rig.reference));
        Some(Side::ALL.map(|side| {
            let index = side as usize;
            self.carried[index] += frame.input.place.carried[index];
            Contact {
                planted: frame.planted[index],
                // The interface has no platforms: the motion that the caller passes stands for one under each foot.
                platform: Some((index, self.carried[index])),
                layers: frame.input.stack.grounding.environment[index],
                up,
                height,
                animated: soles[index].points(&frame.input.animated.bones),
                solved: soles[index].points(&frame.pose),
            }
        }))
    }

    fn frame(&self, number: u64) -> Result<&TapeFrame, Refused> {
        self.tape.get(number).ok_or_else(|| {
            let range = match self.tape.range() {
                Some([first, last]) => format!("the tape has frames {first} to {last}"),
                None => "the tape has no frames".to_owned(),
            };
            Refused::argument(format!("number: is {number}; {range}"))
        })
    }
}

/// Creates an empty tape for the frames of a stack. It holds 64 MiB of frames, more than a minute of Kinescope's
/// built-in biped at 60 Hz; then new frames replace the oldest ones.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_tape_new(
    stack: *const KinescopeStack,
    out: *mut *mut KinescopeTape,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let own = object(stack, "stack")?;
            Ok(KinescopeTape::new(Tape::default(), own.rig.clone(), own.biped.clone()))
        })
    })
}

/// Frees a tape; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_tape_free(tape: *mut KinescopeTape) {
    unsafe { free(tape) };
}

/// Records the last kinescope_stack_solve of the same character, `dt` of its frame after the previous one, or 0.1 s
/// after it if `dt` is more. With a `dt` of 0, the solve replaces the previous frame. Returns
/// KINESCOPE_STATUS_BAD_WORKSPACE before the first solve, and KINESCOPE_STATUS_BAD_RIG for another number of bones.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_tape_record(
    tape: *mut KinescopeTape,
    stack: *const KinescopeStack,
) -> KinescopeStatus {
    guard(|| {
        let (own, stack) = unsafe { (object_mut(tape, "tape")?, object(stack, "stack")?) };
        let frame = stack.frame()?;
        let (found, expected) = (stack.rig.skeleton.len(), own.rig.skeleton.len());
        if found != expected {
            let why = format!("stack: has {found} bones; the character of the tape has {expected}");
            return Err(Refused(KinescopeStatus::BadRig, why));
        }
        let contacts = own.contacts(frame);
        let gap = frame.outcome(&MeasureId::WorstGap).unwrap_or(0.0);
        let last = own.tape.range().map(|[_, last]| last);
        own.tape.record(frame.input.place.dt, frame, gap, contacts);
        let is_next = own.tape.range().map(|[_, last]| last) != last;
        let previous = own.now.replace(frame.clone());
        if is_next {
            own.before = previous;
        }
        Ok(KinescopeStatus::Done)
    })
}

/// Returns the number of frames; 0 for an invalid tape.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_tape_frames(tape: *const KinescopeTape) -> usize {
    look(0, || Ok(unsafe { object(tape, "tape") }?.tape.len()))
}

/// Stores the numbers of the oldest and the newest frame. Returns KINESCOPE_STATUS_NOTHING_TO_DO if there are no frames.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_tape_range(
    tape: *const KinescopeTape,
    first: *mut u64,
    last: *mut u64,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(tape, "tape") }?;
        let (first, last) = unsafe { (exclusive(first, "first")?, exclusive(last, "last")?) };
        let Some(range) = own.tape.range() else { return Ok(KinescopeStatus::NothingToDo) };
        [*first, *last] = range;
        Ok(KinescopeStatus::Done)
    })
}

/// Returns the time of a frame in seconds since the first frame that was recorded, or since the first one after
/// kinescope_tape_clear; NaN if there is no such frame.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_tape_time(tape: *const KinescopeTape, number: u64) -> f64 {
    look(f64::NAN, || Ok(unsafe { object(tape, "tape") }?.frame(number)?.time))
}

/// Returns the memory of all frames in bytes; 0 for an invalid tape.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_tape_bytes(tape: *const KinescopeTape) -> usize {
    look(0, || Ok(unsafe { object(tape, "tape") }?.tape.bytes()))
}

/// Sets the memory of frames in bytes, at least 4 MiB. Drops the oldest frames that do not fit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_tape_set_budget(tape: *mut KinescopeTape, bytes: usize) -> KinescopeStatus {
    guard(|| {
        unsafe { object_mut(tape, "tape") }?.tape.set_budget(bytes);
        Ok(KinescopeStatus::Done)
    })
}

/// Drops all frames. Numbers continue, and the time begins again at 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_tape_clear(tape: *mut KinescopeTape) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(tape, "tape") }?;
        own.tape.clear();
        (own.now, own.before, own.hit) = (None, None, None);
        own.pops.clear();
        Ok(KinescopeStatus::Done)
    })
}

/// Copies the values of a measure, one per frame, oldest first; NaN for a frame without the measure. `measure` is its
/// key, as returned by kinescope_stack_measure_key. `needed`, which may be NULL, receives the number of frames. Returns
/// KINESCOPE_STATUS_NOTHING_TO_DO and copies nothing if `capacity` is below that number, or if there are no frames.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_tape_values(
    tape: *const KinescopeTape,
    measure: *const c_char,
    values: *mut f32,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(tape, "tape") }?;
        let key = unsafe { text(measure, "measure") }?;
        let value = |frame: &TapeFrame| {
            let index = frame.measures.iter().position(|own| own.view.key == key);
            index.and_then(|index| frame.outcomes.get(index).copied()).unwrap_or(f32::NAN)
        };
        unsafe { copy(own.tape.frames().map(value), (values, capacity, "values"), needed) }
    })
}

/// Stores a measure of the whole recording, a KinescopeMotionMeasure. Returns KINESCOPE_STATUS_NOTHING_TO_DO if the
/// recording is too short, or lacks the joints or stances that are measured.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_tape_measure(
    tape: *const KinescopeTape,
    measure: u32,
    value: *mut f32,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(tape, "tape") }?;
        let value = unsafe { exclusive(value, "value") }?;
        let measure = choice(measure, &MotionMeasure::ALL, || "measure".to_owned())?;
        let Some(found) = measure.of(&own.tape) else { return Ok(KinescopeStatus::NothingToDo) };
        *value = found;
        Ok(KinescopeStatus::Done)
    })
}

/// Copies the stances of both feet, oldest first; the last ones may still be in progress. A stance lasts while `planted`
/// of KinescopeGroundFrame is above 0.5 and the animation does not reposition the foot. The slide is relative to the
/// ground, which moves by `carried`. `needed`, which may be NULL, receives the number of stances. Returns
/// KINESCOPE_STATUS_NOTHING_TO_DO, and copies nothing, if `capacity` is smaller, and if there are none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_tape_slides(
    tape: *const KinescopeTape,
    stances: *mut KinescopeSlide,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(tape, "tape") }?;
        let [start, newest] = own.tape.range().unwrap_or_default();
        let found = slides(&own.tape, newest);
        let found = found.iter().map(|own| KinescopeSlide {
            side: own.side as u32,
            has_landed: own.has_landed_since(start).into(),
            first: own.frames[0],
            last: own.frames[1],
            animated: own.animated,
            solved: own.solved,
        });
        unsafe { copy(found, (stances, capacity, "stances"), needed) }
    })
}

/// Replays a frame, as kinescope_capsule_replay does: creates a stack with the settings and the state of the frame, and
/// solves it. `ground` may be NULL. kinescope_capsule_new makes a bug capsule of the stack.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_tape_replay(
    tape: *const KinescopeTape,
    number: u64,
    ground: *const KinescopeGround,
    out: *mut *mut KinescopeStack,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let own = object(tape, "tape")?;
            let ground = optional(ground.cast_mut(), "ground")?;
            let input = &own.frame(number)?.input;
            let mut stack = KinescopeStack::new(own.rig.clone(), own.biped.clone(), Stack::clone(&input.stack))?;
            stack.solve(input, ground.as_deref().map(|ground| ground as &dyn Ground))?;
            Ok(stack)
        })
    })
}

/// Solves every frame again with the layers of a preset (zero-terminated JSON), and creates a tape of the results: to
/// measure how other settings change the whole recording. Each frame starts from the state of the frame before it; the
/// first frame, and a frame after kinescope_stack_reset, start from their recorded state. NULL keeps the recorded
/// settings. `ground` and `progress` may be NULL. kinescope_tape_check works only on frames of kinescope_tape_record.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_tape_solve_again(
    tape: *const KinescopeTape,
    ground: *const KinescopeGround,
    preset: *const c_char,
    progress: *const KinescopeProgress,
    out: *mut *mut KinescopeTape,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let own = object(tape, "tape")?;
            let layers = if preset.is_null() { None } else { Some(text(preset, "preset")?) };
            let layers = layers.map(|json| Stack::of_preset(&Preset::from_json(json)?)).transpose();
            let layers = layers.map_err(Refused::file)?.map(Arc::new);
            let change = |stack: &mut Stack| {
                if let Some(layers) = &layers {
                    stack.clone_from(layers);
                }
            };
            let ground = &ground_of_inputs(ground)?;
            let again = with_progress(
                progress,
                |progress| solve_again(&own.rig, ground, &own.tape, &change, progress),
                || Refused::argument("tape: could not be solved again"),
            )?;
            Ok(KinescopeTape::new(again, own.rig.clone(), own.biped.clone()))
        })
    })
}
