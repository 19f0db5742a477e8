//! Kinescope for C, and for whatever calls C: see `include/kinescope.h`, which is made from here.
//!
//! A thin layer: every function checks its pointers, turns what C has into what the library has, and turns what comes back.
//! Nothing unwinds over the border, and nothing of the library's own is laid out for C.

#![allow(
    clippy::missing_safety_doc,
    reason = "the header says once, of `KinescopeStatus`, what all pointers have to be"
)]

mod grounding;
mod many;
mod pose;
mod recording;
mod settings;
mod solver;
mod steps;
#[rustfmt::skip]
mod tables;

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use kinescope_library::full_body::InputError;
use kinescope_library::{Fault, RigidTransform, Skeleton, Status};
pub use tables::{KINESCOPE_LIMBS, KINESCOPE_NODES};

/// What a call came to. 0 and above: it went well. Below 0 what the caller handed in to be filled or changed is as it was, and
/// `kinescope_last_error` says why; a solve that was under way in a workspace is over.
///
/// Of every function: a pointer that may be NULL says so. All others must point to what they are declared as, as many of it
/// as is said, for as long as the call takes; an object from a `_new` until its `_free`. NULL where it may not be is
/// KINESCOPE_STATUS_BAD_ARGUMENT. An object is used by one thread at a time, but for a KinescopeSolver, which nothing
/// changes: threads share it. No function keeps a pointer of the caller's, and none throws or unwinds; a callback must
/// not either.
///
/// Everything is in model space (relative to the character), right-handed, +Y up; rotations are unit quaternions: one whose
/// length is from 0.99 to 1.01 is normalized, any other is refused with the bone's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum KinescopeStatus {
    /// It is done; of a solve: the pose is the solved one.
    Done = 0,
    /// There was nothing to do: the master weight is 0, there is no further step, nothing new has come.
    NothingToDo = 1,
    /// A pointer is NULL, an index too large, a text no UTF-8, an address none.
    BadArgument = -1,
    /// The bones make no biped.
    BadRig = -2,
    /// The pose has too few bones (where frames are recorded, too many as well), or one that is not finite, is too far away or has
    /// no rotation.
    BadPose = -3,
    /// The settings cannot be solved with.
    BadSettings = -4,
    /// The text does not read.
    BadFile = -5,
    /// The workspace is another solver's, or nothing was read into it.
    BadWorkspace = -6,
    /// What the system says: a file that cannot be written, no thread.
    System = -7,
    /// A defect of Kinescope's own. What was handed in may be used no further, but freed.
    Defect = -8,
}

/// Why nothing was done.
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

    /// With the name of the bone, where it is about one.
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

/// Why the last call of this thread that failed did: one line, UTF-8; empty if none has. It names the field, the bone or
/// the line, and the cure. It is there until the next call of this thread.
#[unsafe(no_mangle)]
pub extern "C" fn kinescope_last_error() -> *const c_char {
    LAST_ERROR.with(|last| last.borrow().as_ptr())
}

/// Kinescope's version: `0.1.0`. It is there for ever.
#[unsafe(no_mangle)]
pub extern "C" fn kinescope_version() -> *const c_char {
    const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => c"",
    };
    VERSION.as_ptr()
}

/// Does it. What fails is remembered, a panic ends here.
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
            remember(&format!("a defect of Kinescope's own: {}", text.unwrap_or_default()));
            KinescopeStatus::Defect
        }
    }
}

/// [`guard`] for what only looks something up; of what fails it is `otherwise`.
fn look<T>(otherwise: T, work: impl FnOnce() -> Result<T, Refused>) -> T {
    let mut found = otherwise;
    guard(|| {
        found = work()?;
        Ok(KinescopeStatus::Done)
    });
    found
}

/// # Safety
/// As [`KinescopeStatus`] says of pointers.
unsafe fn shared<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, Refused> {
    unsafe { pointer.as_ref() }.ok_or_else(|| Refused::argument(format!("{name}: is NULL")))
}

/// # Safety
/// As [`KinescopeStatus`] says of pointers.
unsafe fn exclusive<'a, T>(pointer: *mut T, name: &str) -> Result<&'a mut T, Refused> {
    unsafe { pointer.as_mut() }.ok_or_else(|| Refused::argument(format!("{name}: is NULL")))
}

/// # Safety
/// As [`KinescopeStatus`] says of pointers; none is needed for an empty list.
unsafe fn list<'a, T>(pointer: *const T, count: usize, name: &str) -> Result<&'a [T], Refused> {
    if count == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() {
        return Err(Refused::argument(format!("{name}: is NULL")));
    }
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// # Safety
/// As [`KinescopeStatus`] says of pointers: a text ends with a zero.
unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str, Refused> {
    if pointer.is_null() {
        return Err(Refused::argument(format!("{name}: is NULL")));
    }
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|_| Refused::argument(format!("{name}: is no text (UTF-8)")))
}

/// Hands an object over.
///
/// # Safety
/// As [`KinescopeStatus`] says of pointers.
unsafe fn hand_over<T>(out: *mut *mut T, make: impl FnOnce() -> Result<T, Refused>) -> Done {
    let out = unsafe { exclusive(out, "out") }?;
    *out = std::ptr::null_mut();
    *out = Box::into_raw(Box::new(make()?));
    Ok(KinescopeStatus::Done)
}

/// Takes one back; NULL is none.
///
/// # Safety
/// It was handed over, and is used no more.
unsafe fn take_back<T>(pointer: *mut T) {
    guard(|| {
        if !pointer.is_null() {
            drop(unsafe { Box::from_raw(pointer) });
        }
        Ok(KinescopeStatus::Done)
    });
}
