//! Long work in slices, for programs without threads: a page in a browser runs a part between two drawn frames.
//!
//! Long functions of the library have variants named `…_in_slices`: futures that pause between parts of the work. The
//! futures need no runtime: [`finish`] runs one to its end, and a program that draws meanwhile polls it for some
//! milliseconds per frame.

// The compiler generates code for the body of every `pub async fn` outside `impl`, with all that it calls, even in the
// program of unit tests, which never calls it. So other modules' public functions return futures of private `async fn`s.

use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

/// Long work behind a pointer. A crate that polls any other future compiles the future's body and its generic code again.
pub(crate) type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// Pauses once: a future that awaits this is pending at the current poll, and continues at the next one.
pub async fn pause() {
    let mut has_paused = false;
    std::future::poll_fn(|_| match std::mem::replace(&mut has_paused, true) {
        true => Poll::Ready(()),
        false => Poll::Pending,
    })
    .await;
}

/// Passes `done`, a fraction from 0 to 1, to `progress`, pauses and returns true. If `progress` returns false, which
/// asks the work to end, returns false without a pause.
pub async fn report(progress: &mut dyn FnMut(f32) -> bool, done: f32) -> bool {
    if !progress(done) {
        return false;
    }
    pause().await;
    true
}

/// Runs work to its end on this thread, without pauses.
///
/// ```
/// use kinescope_ik::slices::{finish, pause};
///
/// let work = async {
///     let mut sum = 0;
///     for number in 1..=4 {
///         sum += number;
///         pause().await;
///     }
///     sum
/// };
/// assert_eq!(finish(work), 10);
/// ```
pub fn finish<T>(work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(result) = work.as_mut().poll(&mut context) {
            return result;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_pauses_after_each_report_and_ends_when_told() {
        let reports = std::cell::RefCell::new(Vec::new());
        let mut progress = |done: f32| {
            reports.borrow_mut().push(done);
            done < 0.5
        };
        let mut work = pin!(async {
            for part in 0..4 {
                if !report(&mut progress, part as f32 / 4.0).await {
                    return part;
                }
            }
            4
        });
        let mut context = Context::from_waker(Waker::noop());
        let mut polls = 0;
        let ended = loop {
            polls += 1;
            if let Poll::Ready(ended) = work.as_mut().poll(&mut context) {
                break ended;
            }
            assert_eq!(reports.borrow().len(), polls);
        };
        assert_eq!((polls, ended), (3, 2));
        assert_eq!(*reports.borrow(), [0.0, 0.25, 0.5]);
    }
}
