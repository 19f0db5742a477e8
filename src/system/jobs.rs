//! Background jobs: threads that end with a result. Without threads, in a browser, a job runs in slices between the
//! frames that the window draws.

use std::cell::RefCell;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use super::clock::Instant;
use super::threads;

/// A running job. Dropping it cancels it.
pub struct Job<T> {
    report: Report,
    work: Work<T>,
}

enum Work<T> {
    /// The thread stores its result, then sends. The channel is the same for all results, because a channel's code is
    /// long, and is compiled for each type that it carries.
    Thread(Receiver<()>, Arc<Mutex<Option<T>>>),
    Slices(RefCell<Option<Slices<T>>>),
}

#[derive(Clone, Debug, Default)]
pub struct Report(Arc<Reported>);

#[derive(Debug, Default)]
struct Reported {
    /// Progress in thousandths.
    progress: AtomicU32,
    is_cancelled: AtomicBool,
}

impl Report {
    /// Stores the progress from 0 to 1. Returns false if the work is to stop.
    pub fn done(&self, done: f32) -> bool {
        self.0.progress.store((done.clamp(0.0, 1.0) * 1000.0) as u32, Ordering::Relaxed);
        !self.0.is_cancelled.load(Ordering::Relaxed)
    }
}

/// Runs work to its end on this thread. Returns `None` if the work does, or if the job is cancelled before the work or
/// at one of its pauses.
fn unless_cancelled<T>(report: &Report, work: impl Future<Output = Option<T>>) -> Option<T> {
    let mut work = pin!(work);
    let mut context = Context::from_waker(Waker::noop());
    while !report.0.is_cancelled.load(Ordering::Relaxed) {
        if let Poll::Ready(found) = work.as_mut().poll(&mut context) {
            return found;
        }
    }
    None
}

/// Runs work on a thread, parallel work in a pool of its own. The receiver gets a message when the work has ended.
fn spawn(is_parallel: bool, work: Box<dyn FnOnce() + Send>) -> Result<Receiver<()>, String> {
    let (send, ended) = channel();
    let pool = || rayon::ThreadPoolBuilder::new().thread_name(|_| "kinescope job".to_owned()).build();
    threads::spawn("kinescope job", move || {
        match is_parallel.then(pool) {
            Some(Ok(pool)) => pool.install(work),
            Some(Err(_)) | None => work(),
        }
        // Sending fails if the job was dropped, and its receiver with it.
        let _ = send.send(());
    })?;
    Ok(ended)
}

struct Slices<T> {
    work: Pin<Box<dyn Future<Output = Option<T>>>>,
    /// End of the previous slice. Before the first slice, it is the job's start.
    since: Instant,
    has_begun: bool,
}

/// Time from the start of a job to its first slice. In this time the window can show that the job has started. Work
/// without pauses then blocks the window until it ends.
pub const SHOWN_FIRST: Duration = Duration::from_millis(60);
/// Shortest and longest slice. Between these limits a slice lasts as long as the time since the previous slice ended.
const SLICE: [Duration; 2] = [Duration::from_millis(8), Duration::from_millis(32)];

impl<T> Slices<T> {
    /// Runs a slice once [`SHOWN_FIRST`] has passed. Returns `None` before the end of the work, then the work's result.
    fn run(&mut self) -> Option<Option<T>> {
        let passed = self.since.elapsed();
        if !self.has_begun && passed < SHOWN_FIRST {
            return None;
        }
        self.has_begun = true;
        let begun = Instant::now();
        let mut context = Context::from_waker(Waker::noop());
        loop {
            if let Poll::Ready(found) = self.work.as_mut().poll(&mut context) {
                return Some(found);
            }
            if begun.elapsed() >= passed.clamp(SLICE[0], SLICE[1]) {
                self.since = Instant::now();
                return None;
            }
        }
    }
}

#[derive(Debug, PartialEq)]
pub enum Outcome<T> {
    Running,
    Done(T),
    /// Ended without a result, or the result was already returned.
    Nothing,
}

impl<T: Send + 'static> Job<T> {
    /// Starts work on a thread. Without threads, the work runs in slices and pauses between them: see
    /// [`kinescope_ik::slices`].
    pub fn start<F: Future<Output = Option<T>> + 'static>(
        work: impl FnOnce(Report) -> F + Send + 'static,
    ) -> Result<Self, String> {
        match threads::HAS_THREADS {
            true => Self::in_thread(false, work),
            false => Ok(Self::in_slices(work)),
        }
    }

    /// Starts parallel work on all processors in its own pool. Rayon's global pool belongs to the drawing thread,
    /// which solves crowds there and would wait for the job; the work uses it only if its own pool cannot be created.
    /// Without threads, the work runs as in [`Self::start`].
    pub fn start_on_all_processors<F: Future<Output = Option<T>> + 'static>(
        work: impl FnOnce(Report) -> F + Send + 'static,
    ) -> Result<Self, String> {
        match threads::HAS_THREADS {
            true => Self::in_thread(true, work),
            false => Ok(Self::in_slices(work)),
        }
    }

    fn in_thread<F: Future<Output = Option<T>> + 'static>(
        is_parallel: bool,
        work: impl FnOnce(Report) -> F + Send + 'static,
    ) -> Result<Self, String> {
        let report = Report::default();
        let own = report.clone();
        let result = Arc::new(Mutex::new(None));
        let stored = result.clone();
        let run = move || {
            let found = unless_cancelled(&own, work(own.clone()));
            *stored.lock().unwrap_or_else(PoisonError::into_inner) = found;
        };
        let ended = spawn(is_parallel, Box::new(run))?;
        Ok(Self { report, work: Work::Thread(ended, result) })
    }

    pub fn in_slices<F: Future<Output = Option<T>> + 'static>(work: impl FnOnce(Report) -> F) -> Self {
        let report = Report::default();
        let work = Box::pin(work(report.clone()));
        let slices = Slices { work, since: Instant::now(), has_begun: false };
        Self { report, work: Work::Slices(RefCell::new(Some(slices))) }
    }

    pub fn progress(&self) -> f32 {
        self.report.0.progress.load(Ordering::Relaxed) as f32 / 1000.0
    }

    /// Returns the job's state. Returns the result only once. Without threads, runs a slice first.
    pub fn poll(&self) -> Outcome<T> {
        let found = match &self.work {
            Work::Thread(ended, result) => {
                ended.try_recv().map(|()| result.lock().unwrap_or_else(PoisonError::into_inner).take())
            }
            Work::Slices(slices) => {
                let mut slices = slices.borrow_mut();
                let found = slices.as_mut().map(Slices::run);
                match found {
                    Some(None) => Err(TryRecvError::Empty),
                    Some(Some(found)) => {
                        *slices = None;
                        Ok(found)
                    }
                    None => Err(TryRecvError::Disconnected),
                }
            }
        };
        match found {
            Ok(Some(found)) => Outcome::Done(found),
            Ok(None) | Err(TryRecvError::Disconnected) => Outcome::Nothing,
            Err(TryRecvError::Empty) => Outcome::Running,
        }
    }
}

impl<T> Drop for Job<T> {
    fn drop(&mut self) {
        self.report.0.is_cancelled.store(true, Ordering::Relaxed);
    }
}
