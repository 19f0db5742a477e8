//! Kinescope for C and for every language that calls C. `include/kinescope.h` is generated from this package.
//!
//! A thin layer: functions check their pointers, convert C data to the library's types, call the library and convert
//! the result back. No panic unwinds into C. The structures of the header are types of this package, not of the
//! library.

#![allow(clippy::missing_safety_doc, reason = "the rules for all pointers are documented at `KinescopeStatus`")]

mod abi;
mod allocator;
mod animation;
mod attribution;
mod axes;
mod bodies;
mod capsules;
mod chains;
mod crowds;
mod drawing;
mod files;
mod finder;
mod ground;
mod grounding;
mod layers;
mod many;
mod materials;
mod meshes;
mod models;
#[rustfmt::skip]
mod modifier_tables;
mod modifiers;
mod objects;
mod parameters;
mod pose;
mod progress;
mod reach;
mod reading;
mod recording;
mod retargeting;
mod settings;
mod solver;
#[rustfmt::skip]
mod solver_tables;
mod stack;
mod steps;
mod sweeps;
#[rustfmt::skip]
mod tables;
mod tapes;
mod terrain;

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use kinescope_library::full_body::InputError;
use kinescope_library::{Fault, RigidTransform, Skeleton, Status};
use objects::{free, hand_over, object, object_mut, objects};
pub use tables::{KINESCOPE_LIMBS, KINESCOPE_NODES};

/// The result of a call: 0 or above on success, below 0 on failure. After a failure, `kinescope_last_error` has the
/// reason, and output arguments are unchanged, except that a function that creates an object sets `out` to NULL.
///
/// Rules for every function. Pointers may be NULL only where the documentation says so, and for arrays of 0 elements;
/// NULL elsewhere returns KINESCOPE_STATUS_BAD_ARGUMENT. Other pointers must point to as many elements of their
/// declared type as documented, valid for the duration of the call. An object is valid from its `_new` until its
/// `_free`; a call with a freed object, or with an object of another type, returns KINESCOPE_STATUS_BAD_ARGUMENT as
/// long as fewer than 4096 objects were freed later. One thread at a time may use an object, except KinescopeSolver,
/// which is immutable and may be shared between threads. No function except kinescope_set_allocator keeps a pointer of
/// the caller. No function throws or unwinds, and callbacks must not either.
///
/// Coordinates are in model space (relative to the character) unless the documentation names another space;
/// right-handed, +Y up. Rotations are unit quaternions: in the input pose of a solve and in a character's transform, a
/// length from 0.99 to 1.01 is normalized, any other is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum KinescopeStatus {
    /// Success. After a solve, the pose is the solved one.
    Done = 0,
    /// Nothing to do or to return. For example the master weight is 0, the last step is done, the buffer is too small,
    /// or no new data has arrived.
    NothingToDo = 1,
    /// The caller's KinescopeProgress cancelled the work. There is no result, and `out` is NULL.
    Cancelled = 2,
    /// A pointer is NULL, an object was freed or is of another type, an index or number is out of range, a text is not
    /// UTF-8, or a name or address is invalid.
    BadArgument = -1,
    /// The bones do not form a biped or a chain, lack a role that retargeting needs, or differ in number from the bones
    /// of another argument.
    BadRig = -2,
    /// The pose has too few bones (in recorded frames also too many), or a bone that is not finite, too far away, or without a valid
    /// rotation.
    BadPose = -3,
    /// A setting or the number of an enum is out of its range, or a layer of a stack failed.
    BadSettings = -4,
    /// A preset, a chain file, a capsule, a line of a recording or a model could not be read or used.
    BadFile = -5,
    /// The workspace belongs to another solver or holds no pose, a call that must come first is missing, or the last
    /// line of a reader is not a frame.
    BadWorkspace = -6,
    /// The operating system reported an error: the file of a recording cannot be read or written, or no thread can be
    /// started.
    System = -7,
    /// A bug in Kinescope. The objects passed to the call must not be used again, except to free them.
    Defect = -8,
}

/// Why a call failed: its status and the message for `kinescope_last_error`.
struct Refused(KinescopeStatus, String);

type Done = Result<KinescopeStatus, Refused>;

impl Refused {
    fn argument(why: impl Into<String>) -> Self {
        Self(KinescopeStatus::BadArgument, why.into())
    }

    fn file(fault: Fault) -> Self {
        Self(KinescopeStatus::BadFile, fault.to_string())
    }

    fn rig(fault: Fault) -> Self {
        Self(KinescopeStatus::BadRig, fault.to_string())
    }

    fn settings(fault: Fault) -> Self {
        Self(KinescopeStatus::BadSettings, fault.to_string())
    }

    /// Converts an error of the library; the message has the bone's name if the error concerns one bone.
    fn pose(error: InputError, skeleton: &Skeleton, pose: &[RigidTransform]) -> Self {
        Self(Self::from(error).0, error.fault(skeleton, pose).to_string())
    }

    fn system(error: std::io::Error) -> Self {
        Self(KinescopeStatus::System, error.to_string())
    }
}

impl From<InputError> for Refused {
    fn from(error: InputError) -> Self {
        let status = match error {
            InputError::PoseLength { .. } | InputError::Bone { .. } => KinescopeStatus::BadPose,
            InputError::Setting { .. } | InputError::State => KinescopeStatus::BadSettings,
            InputError::ForeignWorkspace | InputError::NotRead => KinescopeStatus::BadWorkspace,
        };
        Self(status, error.to_string())
    }
}

impl From<Status> for KinescopeStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Solved => Self::Done,
            Status::NothingToDo => Self::NothingToDo,
        }
    }
}

thread_local! {
    static LAST_ERROR: RefCell<CString> = RefCell::default();
}

fn remember(why: &str) {
    let text = CString::new(why.replace('\0', " ")).unwrap_or_default();
    LAST_ERROR.with(|last| *last.borrow_mut() = text);
}

/// Returns the reason of this thread's last failed call: one line of UTF-8, empty if no call has failed. Most reasons
/// begin with the argument, field, bone or line that is refused. The pointer is valid until this thread's next call.
#[unsafe(no_mangle)]
pub extern "C" fn kinescope_last_error() -> *const c_char {
    LAST_ERROR.with(|last| last.borrow().as_ptr())
}

/// Returns Kinescope's version, such as `0.1.0`. The pointer stays valid.
#[unsafe(no_mangle)]
pub extern "C" fn kinescope_version() -> *const c_char {
    const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => c"",
    };
    VERSION.as_ptr()
}

/// Runs `work`, remembers the message of a failure, and stops panics from unwinding into C.
fn guard(work: impl FnOnce() -> Done) -> KinescopeStatus {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(status)) => status,
        Ok(Err(Refused(status, why))) => {
            remember(&why);
            status
        }
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            remember(&format!("bug in Kinescope: {}", text.unwrap_or_default()));
            KinescopeStatus::Defect
        }
    }
}

/// Runs a lookup through [`guard`] and returns `otherwise` if it fails.
fn look<T>(otherwise: T, work: impl FnOnce() -> Result<T, Refused>) -> T {
    let mut found = otherwise;
    guard(|| {
        found = work()?;
        Ok(KinescopeStatus::Done)
    });
    found
}

fn check_pointer<T>(pointer: *const T, name: &str) -> Result<(), Refused> {
    match (pointer.is_null(), pointer.is_aligned()) {
        (true, _) => Err(Refused::argument(format!("{name}: is NULL"))),
        (false, false) => Err(Refused::argument(format!("{name}: is not aligned to {} bytes", align_of::<T>()))),
        (false, true) => Ok(()),
    }
}

/// Borrows the value that a pointer points to. NULL and a misaligned pointer are errors that name the argument.
///
/// # Safety
/// The pointer follows the rules of [`KinescopeStatus`].
unsafe fn shared<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, Refused> {
    check_pointer(pointer, name)?;
    Ok(unsafe { &*pointer })
}

/// Mutably borrows the value that a pointer points to. NULL and a misaligned pointer are errors that name the argument.
///
/// # Safety
/// The pointer follows the rules of [`KinescopeStatus`].
unsafe fn exclusive<'a, T>(pointer: *mut T, name: &str) -> Result<&'a mut T, Refused> {
    check_pointer(pointer, name)?;
    Ok(unsafe { &mut *pointer })
}

/// Mutably borrows the value that a pointer points to; `None` for NULL. A misaligned pointer is an error.
///
/// # Safety
/// The pointer follows the rules of [`KinescopeStatus`].
unsafe fn optional<'a, T>(pointer: *mut T, name: &str) -> Result<Option<&'a mut T>, Refused> {
    if pointer.is_null() { Ok(None) } else { unsafe { exclusive(pointer, name) }.map(Some) }
}

fn check_list<T>(pointer: *const T, count: usize, name: &str) -> Result<(), Refused> {
    check_pointer(pointer, name)?;
    match count.checked_mul(size_of::<T>()) {
        Some(bytes) if bytes <= isize::MAX as usize => Ok(()),
        _ => Err(Refused::argument(format!("{name}: has {count} items, which no memory holds"))),
    }
}

/// Borrows an array of `count` items. NULL and a misaligned pointer are errors unless `count` is 0.
///
/// # Safety
/// The pointer follows the rules of [`KinescopeStatus`]; it is not read if `count` is 0.
unsafe fn list<'a, T>(pointer: *const T, count: usize, name: &str) -> Result<&'a [T], Refused> {
    if count == 0 {
        return Ok(&[]);
    }
    check_list(pointer, count, name)?;
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// Borrows an array of `count` items mutably, with the checks of [`list`].
///
/// # Safety
/// As [`list`].
unsafe fn list_mut<'a, T>(pointer: *mut T, count: usize, name: &str) -> Result<&'a mut [T], Refused> {
    if count == 0 {
        return Ok(&mut []);
    }
    check_list(pointer, count, name)?;
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer, count) })
}

/// Writes a text with a terminating zero into the caller's buffer, as documented at `kinescope_settings_to_preset`.
///
/// # Safety
/// The pointers follow the rules of [`KinescopeStatus`].
unsafe fn write_text(text: &str, buffer: *mut c_char, capacity: usize, needed: *mut usize) -> Done {
    if let Some(needed) = unsafe { optional(needed, "needed") }? {
        *needed = text.len() + 1;
    }
    if buffer.is_null() || capacity <= text.len() {
        return Ok(KinescopeStatus::NothingToDo);
    }
    unsafe {
        buffer.copy_from_nonoverlapping(text.as_ptr().cast(), text.len());
        buffer.add(text.len()).write(0);
    }
    Ok(KinescopeStatus::Done)
}

/// Writes a text as [`write_text`] does. Without a text, `needed` receives 0, and the status is `NothingToDo`.
///
/// # Safety
/// As [`write_text`].
unsafe fn write_text_or_none(text: Option<&str>, buffer: *mut c_char, capacity: usize, needed: *mut usize) -> Done {
    if let Some(text) = text {
        return unsafe { write_text(text, buffer, capacity, needed) };
    }
    if let Some(needed) = unsafe { optional(needed, "needed") }? {
        *needed = 0;
    }
    Ok(KinescopeStatus::NothingToDo)
}

/// Borrows a text; NULL and invalid UTF-8 are errors.
///
/// # Safety
/// The pointer follows the rules of [`KinescopeStatus`] and points to zero-terminated text.
unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str, Refused> {
    if pointer.is_null() {
        return Err(Refused::argument(format!("{name}: is NULL")));
    }
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|_| Refused::argument(format!("{name}: is not UTF-8 text")))
}
