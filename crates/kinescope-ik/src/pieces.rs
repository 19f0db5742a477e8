//! Work divided into pieces, for the threads of rayon's current pool.

/// Returns the number of threads of rayon's current pool; 1 without the feature `rayon`.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "rayon")]
    return rayon::current_num_threads().max(1);
    #[cfg(not(feature = "rayon"))]
    1
}

/// Calls `work` with the items in pieces of at most `len`, on at most as many threads as there are `states`. Each thread
/// has a state of its own, and takes the next piece when it has finished one.
pub(crate) fn in_pieces<S: Send, T: Send>(
    states: &mut [S],
    items: &mut [T],
    len: usize,
    work: impl Fn(&mut S, &mut [T]) + Sync,
) {
    let len = len.max(1);
    #[cfg(feature = "rayon")]
    if states.len() > 1 && items.len() > len {
        use rayon::prelude::*;
        use std::sync::{Mutex, PoisonError};
        let pieces = Mutex::new(items.chunks_mut(len));
        return states.par_iter_mut().for_each(|state| {
            loop {
                let next = pieces.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some(piece) = next else { return };
                work(state, piece);
            }
        });
    }
    if let Some(state) = states.first_mut() {
        items.chunks_mut(len).for_each(|piece| work(state, piece));
    }
}
