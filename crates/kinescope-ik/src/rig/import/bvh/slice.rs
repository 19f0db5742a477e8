//! Pauses while a file is read and converted.

use crate::error::Fault;
use crate::rig::import::notes::Outcome;

/// The count of numbers of the motion that are read or written between two pauses. A page in a browser reads them in
/// 3 ms.
pub const NUMBERS_IN_A_SLICE: usize = 20_000;

/// Reports the part that is done, then pauses. An error if `progress` returns false.
pub(super) async fn report(progress: &mut dyn FnMut(f32) -> bool, done: f32) -> Outcome<()> {
    match crate::slices::report(progress, done).await {
        true => Ok(()),
        false => Err(Fault::new("BVH", "opening was cancelled")),
    }
}
