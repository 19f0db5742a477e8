//! Bug capsules: a character, and the inputs and results of some frames, as one text.

use std::ffi::c_char;

use kinescope_library::capsule::{Capsule, CapsuleFrame, Change, Instant};
use kinescope_library::ground::Ground;
use kinescope_library::stack::{Input, Rig, Stack};

use crate::ground::{KinescopeGround, SharedGround};
use crate::pose::KinescopePose;
use crate::stack::KinescopeStack;
use crate::{
    KinescopeStatus, Refused, exclusive, free, guard, hand_over, look, object, object_mut, objects, optional, shared,
    text, write_text, write_text_or_none,
};

/// A bug capsule.
pub struct KinescopeCapsule {
    pub(crate) capsule: Capsule,
    pub(crate) rig: Rig,
    changes: Vec<Change>,
}

objects!(KinescopeCapsule);

/// A frame of a capsule whose result differs from the recorded one.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeCapsuleChange {
    /// The frame, from 0.
    pub frame: usize,
    /// The distance in model units between the recorded and the new position of the point that differs most; 0 if only
    /// earlier steps or rotations differ, infinite if the layer is no longer solved, has another number of points, or
    /// has a point that is not finite.
    pub distance: f32,
}

impl KinescopeCapsule {
    fn new(capsule: Capsule) -> Result<Self, Refused> {
        let rig = capsule.rig().map_err(Refused::rig)?;
        Ok(Self { capsule, rig, changes: Vec::new() })
    }

    pub(crate) fn frame(&self, frame: usize) -> Result<&CapsuleFrame, Refused> {
        let count = self.capsule.frames.len();
        let why = || Refused::argument(format!("frame: is {frame}; the capsule has {count} frames"));
        self.capsule.frames.get(frame).ok_or_else(why)
    }
}

/// Returns a function from an input to the ground, which is the caller's for all inputs. Several threads may cast
/// against it; one at a time calls the caller's functions.
///
/// # Safety
/// The pointer follows the rules of [`KinescopeStatus`], and the caller's ground lives as long as the result.
pub(crate) unsafe fn ground_of_inputs(
    ground: *const KinescopeGround,
) -> Result<impl Fn(&Input) -> Option<Box<dyn Ground>> + Sync, Refused> {
    let own = unsafe { optional(ground.cast_mut(), "ground") }?.map(|ground| SharedGround::new(*ground));
    Ok(move |_: &Input| own.clone().map(|own| Box::new(own) as Box<dyn Ground>))
}

/// Creates a capsule of the last kinescope_stack_solve: its character, input and result. `name` describes the bug; `time` is the
/// time of the frame in seconds. Returns KINESCOPE_STATUS_BAD_WORKSPACE before the first solve.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_capsule_new(
    stack: *const KinescopeStack,
    name: *const c_char,
    time: f32,
    out: *mut *mut KinescopeCapsule,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let (own, name) = (object(stack, "stack")?, text(name, "name")?);
            let frame = captured(own, time)?;
            KinescopeCapsule::new(Capsule {
                name: name.to_owned(),
                model: String::new(),
                skeleton: (*own.rig.skeleton).clone(),
                biped: Some(own.biped.clone()),
                reference: own.rig.reference.to_vec(),
                legs: own.rig.legs,
                clip_ranges: own.rig.clip_ranges().cloned(),
                preset: frame.input.stack.to_preset(),
                frames: vec![frame],
                instant: Instant::default(),
            })
        })
    })
}

fn captured(stack: &KinescopeStack, time: f32) -> Result<CapsuleFrame, Refused> {
    let frame = stack.frame()?;
    if !time.is_finite() {
        return Err(Refused::argument("time: is not finite; expected seconds"));
    }
    Ok(CapsuleFrame::of(time, frame))
}

/// Adds the last kinescope_stack_solve of the same character as the next frame; `time` is in seconds. Returns
/// KINESCOPE_STATUS_BAD_WORKSPACE before the first solve, and KINESCOPE_STATUS_BAD_RIG for another number of bones.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_capsule_add(
    capsule: *mut KinescopeCapsule,
    stack: *const KinescopeStack,
    time: f32,
) -> KinescopeStatus {
    guard(|| {
        let (own, stack) = unsafe { (object_mut(capsule, "capsule")?, object(stack, "stack")?) };
        let frame = captured(stack, time)?;
        let (found, expected) = (stack.rig.skeleton.len(), own.capsule.skeleton.len());
        if found != expected {
            let why = format!("stack: has {found} bones; the character of the capsule has {expected}");
            return Err(Refused(KinescopeStatus::BadRig, why));
        }
        own.capsule.frames.push(frame);
        Ok(KinescopeStatus::Done)
    })
}

/// Reads a capsule (zero-terminated JSON), as saved by the window or by kinescope_capsule_to_json.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_capsule_new_of_json(
    json: *const c_char,
    out: *mut *mut KinescopeCapsule,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || KinescopeCapsule::new(Capsule::from_json(text(json, "json")?).map_err(Refused::file)?))
    })
}

/// Writes a capsule as JSON, which the window opens, into a buffer as kinescope_settings_to_preset does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_capsule_to_json(
    capsule: *const KinescopeCapsule,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(capsule, "capsule") }?;
        unsafe { write_text(&own.capsule.to_json(), buffer, capacity, needed) }
    })
}

/// Frees a capsule; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_capsule_free(capsule: *mut KinescopeCapsule) {
    unsafe { free(capsule) };
}

/// Writes the name, which describes the bug, into a buffer as kinescope_settings_to_preset does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_capsule_name(
    capsule: *const KinescopeCapsule,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(capsule, "capsule") }?;
        unsafe { write_text(&own.capsule.name, buffer, capacity, needed) }
    })
}

/// Returns the number of frames; 0 for an invalid capsule.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_capsule_frames(capsule: *const KinescopeCapsule) -> usize {
    look(0, || Ok(unsafe { object(capsule, "capsule") }?.capsule.frames.len()))
}

/// Returns the number of bones of the character; 0 for an invalid capsule.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_capsule_bones(capsule: *const KinescopeCapsule) -> usize {
    look(0, || Ok(unsafe { object(capsule, "capsule") }?.capsule.skeleton.len()))
}

/// Returns the time of a frame in seconds; NaN if there is no such frame.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_capsule_time(capsule: *const KinescopeCapsule, frame: usize) -> f32 {
    look(f32::NAN, || Ok(unsafe { object(capsule, "capsule") }?.frame(frame)?.time))
}

/// Writes the animated pose of a frame, the input of the first layer, in model space.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_capsule_animated(
    capsule: *const KinescopeCapsule,
    frame: usize,
    pose: *const KinescopePose,
) -> KinescopeStatus {
    guard(|| {
        let input = &unsafe { object(capsule, "capsule") }?.frame(frame)?.input;
        let to = unsafe { shared(pose, "pose") }?;
        let bones = &input.animated.bones;
        if to.count < bones.len() {
            let why = format!("pose: has {} bones; the capsule has {}", to.count, bones.len());
            return Err(Refused(KinescopeStatus::BadPose, why));
        }
        let local: Vec<_> = bones.iter().map(|bone| input.place.root.to_local(bone)).collect();
        unsafe { to.write("pose", &local) }?;
        Ok(KinescopeStatus::Done)
    })
}

/// Replays a frame: creates a stack with the settings and the state of the frame, and solves it. The functions of a stack then
/// return its result, step it and divide it among its causes. `ground` may be NULL. Capsules have no model of the ground.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_capsule_replay(
    capsule: *const KinescopeCapsule,
    frame: usize,
    ground: *const KinescopeGround,
    out: *mut *mut KinescopeStack,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let own = object(capsule, "capsule")?;
            let ground = optional(ground.cast_mut(), "ground")?;
            let input = &own.frame(frame)?.input;
            let why = || Refused(KinescopeStatus::BadRig, "capsule: has no full body to solve".to_owned());
            let biped = own.capsule.biped.clone().ok_or_else(why)?;
            let mut stack = KinescopeStack::new(own.rig.clone(), biped, Stack::clone(&input.stack))?;
            stack.solve(input, ground.as_deref().map(|ground| ground as &dyn Ground))?;
            Ok(stack)
        })
    })
}

/// Solves every frame again and compares the result with the recorded one, bit for bit. `changed` receives the number
/// of frames that differ. `ground` may be NULL. Sine and cosine differ in the last bit between platforms: on another
/// machine compare the distances with a tolerance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_capsule_check(
    capsule: *mut KinescopeCapsule,
    ground: *const KinescopeGround,
    changed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(capsule, "capsule") }?;
        let changed = unsafe { exclusive(changed, "changed") }?;
        own.changes = own.capsule.check(unsafe { ground_of_inputs(ground) }?).map_err(Refused::rig)?;
        *changed = own.changes.len();
        Ok(KinescopeStatus::Done)
    })
}

/// Stores a frame that differed in the last kinescope_capsule_check, by its index among the frames that differed.
/// Returns KINESCOPE_STATUS_NOTHING_TO_DO if there is no such frame.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_capsule_change(
    capsule: *const KinescopeCapsule,
    index: usize,
    change: *mut KinescopeCapsuleChange,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(capsule, "capsule") }?;
        let to = unsafe { exclusive(change, "change") }?;
        let Some(change) = own.changes.get(index) else { return Ok(KinescopeStatus::NothingToDo) };
        *to = KinescopeCapsuleChange { frame: change.frame, distance: change.distance };
        Ok(KinescopeStatus::Done)
    })
}

/// Writes layer and point of a change, such as `full body, left_hand`, into a buffer as kinescope_settings_to_preset does. Returns
/// KINESCOPE_STATUS_NOTHING_TO_DO, with a `needed` of 0, if there is no such change.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_capsule_change_point(
    capsule: *const KinescopeCapsule,
    index: usize,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(capsule, "capsule") }?;
        let point = own.changes.get(index).map(|change| format!("{}, {}", change.layer.label(), change.point));
        unsafe { write_text_or_none(point.as_deref(), buffer, capacity, needed) }
    })
}
