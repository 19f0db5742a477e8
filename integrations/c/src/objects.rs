//! Objects that the caller holds by pointers: solvers, workspaces, games, …
//!
//! A pointer of the caller points to a [`Shell`], which is never given back to the allocator. So a call with an object that was
//! freed, or with an object of another type, reads valid memory and is refused. A freed shell is used again only after
//! [`RESTING`] other objects were freed; until then every use of the old pointer is detected.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::{Done, KinescopeStatus, Refused, exclusive, guard};

pub(crate) trait Object {
    /// The name of the type in C.
    const NAME: &'static str;
    /// A number that only objects of this type have.
    const MARK: u32;
}

/// Declares types of objects.
macro_rules! objects {
    ($($own:ident)+) => {
        $(impl $crate::objects::Object for $own {
            const NAME: &'static str = stringify!($own);
            const MARK: u32 = $crate::objects::mark(stringify!($own));
        })+
    };
}
pub(crate) use objects;

/// Returns the FNV-1a hash of a name.
pub(crate) const fn mark(name: &str) -> u32 {
    let (bytes, mut hash, mut index) = (name.as_bytes(), 0x811c_9dc5_u32, 0);
    while index < bytes.len() {
        hash = (hash ^ bytes[index] as u32).wrapping_mul(0x0100_0193);
        index += 1;
    }
    hash
}

const FREED: u32 = mark("freed");

/// The number of freed shells that rest before one is used again.
const RESTING: usize = 4096;

/// The memory to which a pointer of the caller points.
struct Shell {
    mark: AtomicU32,
    object: AtomicPtr<()>,
}

static RESTED: Mutex<VecDeque<&'static Shell>> = Mutex::new(VecDeque::new());

fn resting() -> std::sync::MutexGuard<'static, VecDeque<&'static Shell>> {
    RESTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Stores a pointer to a new object in `out`; NULL if `make` fails.
///
/// # Safety
/// The pointer follows the rules of [`KinescopeStatus`].
pub(crate) unsafe fn hand_over<T: Object>(out: *mut *mut T, make: impl FnOnce() -> Result<T, Refused>) -> Done {
    let out = unsafe { exclusive(out, "out") }?;
    *out = std::ptr::null_mut();
    let object: *mut T = Box::into_raw(Box::new(make()?));
    let mut resting = resting();
    let old = if resting.len() > RESTING { resting.pop_front() } else { None };
    drop(resting);
    let shell = old.unwrap_or_else(|| {
        Box::leak(Box::new(Shell { mark: AtomicU32::new(FREED), object: AtomicPtr::new(std::ptr::null_mut()) }))
    });
    shell.object.store(object.cast(), Ordering::Relaxed);
    shell.mark.store(T::MARK, Ordering::Release);
    *out = std::ptr::from_ref(shell).cast_mut().cast();
    Ok(KinescopeStatus::Done)
}

/// Returns the shell of an object, checked.
///
/// # Safety
/// The pointer is NULL, or came from [`hand_over`], or points to readable memory.
unsafe fn shell<'a, T: Object>(pointer: *const T, name: &str) -> Result<&'a Shell, Refused> {
    let shell = pointer.cast::<Shell>();
    if shell.is_null() {
        return Err(Refused::argument(format!("{name}: is NULL")));
    }
    let mark = if shell.is_aligned() { unsafe { &*shell }.mark.load(Ordering::Acquire) } else { 0 };
    match mark {
        mark if mark == T::MARK => Ok(unsafe { &*shell }),
        FREED => Err(Refused::argument(format!("{name}: was freed"))),
        _ => Err(Refused::argument(format!("{name}: is not a {}", T::NAME))),
    }
}

/// Borrows an object; NULL, a freed object and an object of another type are errors that name the argument.
///
/// # Safety
/// As [`shell`], and no other thread changes the object.
pub(crate) unsafe fn object<'a, T: Object>(pointer: *const T, name: &str) -> Result<&'a T, Refused> {
    let shell = unsafe { shell(pointer, name) }?;
    Ok(unsafe { &*shell.object.load(Ordering::Relaxed).cast::<T>() })
}

/// Borrows an object mutably, with the checks of [`object`].
///
/// # Safety
/// As [`shell`], and no other thread uses the object.
pub(crate) unsafe fn object_mut<'a, T: Object>(pointer: *mut T, name: &str) -> Result<&'a mut T, Refused> {
    let shell = unsafe { shell(pointer, name) }?;
    Ok(unsafe { &mut *shell.object.load(Ordering::Relaxed).cast::<T>() })
}

/// Takes an object out of its shell, which rests from then on.
///
/// # Safety
/// As [`shell`], and no other thread uses the object.
pub(crate) unsafe fn take<T: Object>(pointer: *mut T, name: &str) -> Result<Box<T>, Refused> {
    let shell: &'static Shell = unsafe { shell(pointer, name) }?;
    let taken = shell.mark.compare_exchange(T::MARK, FREED, Ordering::AcqRel, Ordering::Acquire);
    taken.map_err(|_| Refused::argument(format!("{name}: was freed")))?;
    let object = unsafe { Box::from_raw(shell.object.load(Ordering::Relaxed).cast::<T>()) };
    resting().push_back(shell);
    Ok(object)
}

/// Frees an object; NULL is allowed. A pointer that is no object of this type is left alone, and the error is remembered.
///
/// # Safety
/// As [`take`].
pub(crate) unsafe fn free<T: Object>(pointer: *mut T) {
    guard(|| {
        if !pointer.is_null() {
            drop(unsafe { take(pointer, "object") }?);
        }
        Ok(KinescopeStatus::Done)
    });
}
