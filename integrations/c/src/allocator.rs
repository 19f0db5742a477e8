//! The caller's allocator.
//!
//! Rust's collections allocate through the one global allocator of a program or shared library. An allocator per object
//! would need special list, string and tree types throughout the library and the crates that it uses. So the hooks serve
//! all memory of the library, and are set before its first allocation: memory must be freed by the allocator that it came from.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::KinescopeStatus;

/// The caller's allocator. Both functions must be set, must not throw, and may be called from several threads at the
/// same time.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeAllocator {
    /// Passed to both functions.
    pub user: *mut c_void,
    /// Returns memory of `size` bytes, at least 1, with an address that is a multiple of `alignment`, a power of two. NULL ends
    /// the program, as Rust's collections cannot go on without memory.
    pub allocate: Option<unsafe extern "C" fn(user: *mut c_void, size: usize, alignment: usize) -> *mut c_void>,
    /// Frees memory that `allocate` returned for the same size and alignment.
    pub free: Option<unsafe extern "C" fn(user: *mut c_void, memory: *mut c_void, size: usize, alignment: usize)>,
}

/// No memory was allocated yet.
const OPEN: u32 = 0;
/// The system's allocator is in use.
const SYSTEMS: u32 = 1;
/// The hooks are being stored.
const CHANGING: u32 = 2;
/// The hooks are in use.
const HOOKS: u32 = 3;

struct Global {
    state: AtomicU32,
    hooks: UnsafeCell<KinescopeAllocator>,
}

// The hooks are written once, in the state `CHANGING`, and read only in the state `HOOKS`.
unsafe impl Sync for Global {}

#[global_allocator]
static GLOBAL: Global = Global {
    state: AtomicU32::new(OPEN),
    hooks: UnsafeCell::new(KinescopeAllocator { user: std::ptr::null_mut(), allocate: None, free: None }),
};

impl Global {
    /// Returns the hooks; `None` for the system's allocator, which the first allocation chooses.
    fn hooks(&self) -> Option<KinescopeAllocator> {
        loop {
            match self.state.load(Ordering::Acquire) {
                SYSTEMS => return None,
                HOOKS => return Some(unsafe { *self.hooks.get() }),
                OPEN => drop(self.state.compare_exchange(OPEN, SYSTEMS, Ordering::AcqRel, Ordering::Acquire)),
                _ => std::hint::spin_loop(),
            }
        }
    }
}

unsafe impl GlobalAlloc for Global {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match self.hooks() {
            Some(KinescopeAllocator { user, allocate: Some(allocate), .. }) => unsafe {
                allocate(user, layout.size(), layout.align()).cast()
            },
            Some(_) => std::ptr::null_mut(),
            None => unsafe { System.alloc(layout) },
        }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        match self.hooks() {
            Some(KinescopeAllocator { user, free: Some(free), .. }) => unsafe {
                free(user, memory.cast(), layout.size(), layout.align());
            },
            Some(_) => {}
            None => unsafe { System.dealloc(memory, layout) },
        }
    }
}

/// Makes the library use the caller's allocator for all its memory, in all threads. Must be the first call of the
/// library, and can succeed once: returns KINESCOPE_STATUS_NOTHING_TO_DO if the library has a caller's allocator or has
/// allocated memory already, and KINESCOPE_STATUS_BAD_ARGUMENT if the allocator or one of its functions is NULL. A
/// refused call changes nothing and leaves no text for kinescope_last_error, which would need memory. The allocator
/// must work until the process ends, as some memory is kept until then.
///
/// There is one allocator for the process and none for each object, because Rust's collections allocate through one
/// global allocator.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_set_allocator(allocator: *const KinescopeAllocator) -> KinescopeStatus {
    let hooks = match unsafe { allocator.as_ref() } {
        Some(hooks @ KinescopeAllocator { allocate: Some(_), free: Some(_), .. }) => *hooks,
        Some(_) | None => return KinescopeStatus::BadArgument,
    };
    if GLOBAL.state.compare_exchange(OPEN, CHANGING, Ordering::AcqRel, Ordering::Acquire).is_err() {
        return KinescopeStatus::NothingToDo;
    }
    unsafe { *GLOBAL.hooks.get() = hooks };
    GLOBAL.state.store(HOOKS, Ordering::Release);
    KinescopeStatus::Done
}
