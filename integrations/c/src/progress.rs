//! Progress of long work, which the caller can cancel.

use std::ffi::c_void;

use crate::{KinescopeStatus, Refused, optional};

/// Receives the progress of long work, and may cancel it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeProgress {
    /// Passed to `report`.
    pub user: *mut c_void,
    /// Called on the calling thread before each slice of the work, with the fraction that is done, from 0 to 1. A slice
    /// takes a few milliseconds; with a tape it solves one frame or all frames of the tape. Returns 0 to cancel the
    /// work, any other number to continue. Must not throw. NULL: the work runs to its end.
    pub report: Option<unsafe extern "C" fn(user: *mut c_void, done: f32) -> i32>,
}

/// Runs `work`, which reports to the caller's `progress`. If it ends without a result, the error is that of a cancelled
/// work, or that of `none` if the caller did not cancel it.
///
/// # Safety
/// The pointer follows the rules of [`KinescopeStatus`].
pub(crate) unsafe fn with_progress<T>(
    progress: *const KinescopeProgress,
    work: impl FnOnce(&mut dyn FnMut(f32) -> bool) -> Option<T>,
    none: impl FnOnce() -> Refused,
) -> Result<T, Refused> {
    let own = unsafe { optional(progress.cast_mut(), "progress") }?;
    let own = own.and_then(|own| Some((own.user, own.report?)));
    let mut is_cancelled = false;
    let done = work(&mut |done| {
        let goes_on = own.is_none_or(|(user, report)| unsafe { report(user, done) } != 0);
        is_cancelled |= !goes_on;
        goes_on
    });
    let cancelled =
        || Refused(KinescopeStatus::Cancelled, "progress: returned 0, so the work was cancelled".to_owned());
    done.ok_or_else(|| if is_cancelled { cancelled() } else { none() })
}
