//! Background jobs: threads that end with a result. Without threads, in a browser, the work runs as a whole
//! between two frames, once the window had time to show that it is busy.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::Duration;

use super::clock::Instant;
use super::threads;

/// A running job; dropping it cancels it.
pub struct Job<T> {
    /// Progress in thousandths.
    progress: Arc<AtomicU32>,
    cancelled: Arc<AtomicBool>,
    result: Receiver<Option<T>>,
    /// Work that has not begun; only in a program without threads.
    waiting: RefCell<Option<Waiting>>,
}

/// Work that runs on the drawing thread.
struct Waiting {
    since: Instant,
    run: Box<dyn FnOnce()>,
}

/// Time from the start of a job to its work without threads: enough for some frames.
const SHOWN_FIRST: Duration = Duration::from_millis(60);

/// State of a job.
#[derive(Debug, PartialEq)]
pub enum Outcome<T> {
    Running,
    Done(T),
    /// Ended without a result: cancelled, failed or panicked.
    Nothing,
}

impl<T: Send + 'static> Job<T> {
    /// Starts work on a thread. The work reports its progress from 0 to 1 and stops early if the report returns false.
    ///
    /// # Errors
    /// The system's error if no thread can be started.
    pub fn start(
        work: impl FnOnce(&mut (dyn FnMut(f32) -> bool + Send)) -> Option<T> + Send + 'static,
    ) -> Result<Self, String> {
        let (progress, cancelled) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicBool::new(false)));
        let (send, result) = channel();
        let (reported, stop) = (progress.clone(), cancelled.clone());
        let run = move || {
            let found = work(&mut |done| {
                reported.store((done.clamp(0.0, 1.0) * 1000.0) as u32, Ordering::Relaxed);
                !stop.load(Ordering::Relaxed)
            });
            // The receiver may be gone.
            let _ = send.send(found);
        };
        let mut waiting = None;
        match threads::HAS_THREADS {
            true => drop(threads::spawn("kinescope job", run)?),
            false => waiting = Some(Waiting { since: Instant::now(), run: Box::new(run) }),
        }
        Ok(Self { progress, cancelled, result, waiting: RefCell::new(waiting) })
    }

    /// Returns the progress from 0 to 1.
    pub fn progress(&self) -> f32 {
        self.progress.load(Ordering::Relaxed) as f32 / 1000.0
    }

    /// Returns the job's state, with the result only once. Without threads, runs the work first if it is due.
    pub fn poll(&self) -> Outcome<T> {
        let is_due = |waiting: &mut Waiting| waiting.since.elapsed() >= SHOWN_FIRST;
        let due = self.waiting.borrow_mut().take_if(is_due);
        if let Some(waiting) = due {
            (waiting.run)();
        }
        match self.result.try_recv() {
            Ok(Some(found)) => Outcome::Done(found),
            Ok(None) | Err(TryRecvError::Disconnected) => Outcome::Nothing,
            Err(TryRecvError::Empty) => Outcome::Running,
        }
    }
}

impl<T> Drop for Job<T> {
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

/// Runs parallel work on all processors in its own pool. Rayon's global pool belongs to the drawing thread, which
/// solves crowds there and would wait for the job.
pub fn on_all_processors<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match rayon::ThreadPoolBuilder::new().thread_name(|_| "kinescope job".to_owned()).build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome<T: Send + 'static>(job: &Job<T>) -> Outcome<T> {
        for _ in 0..1000 {
            match job.poll() {
                Outcome::Running => std::thread::sleep(Duration::from_millis(5)),
                other => return other,
            }
        }
        Outcome::Running
    }

    #[test]
    fn a_job_reports_progress_and_ends_when_dropped() {
        let job = Job::start(|progress| progress(0.5).then_some(7)).unwrap();
        assert_eq!(outcome(&job), Outcome::Done(7));
        assert_eq!(job.progress(), 0.5);

        let (ended, wait) = channel();
        let job: Job<()> = Job::start(move |progress| {
            while progress(0.1) {
                std::thread::sleep(Duration::from_millis(1));
            }
            ended.send(()).unwrap();
            None
        })
        .unwrap();
        drop(job);
        assert!(wait.recv_timeout(Duration::from_secs(20)).is_ok());
    }

    /// The sum stands for a crowd, which the drawing thread solves on rayon's global pool while the job runs.
    #[test]
    fn a_job_that_has_every_thread_leaves_the_global_pool_to_the_drawing_thread() {
        use rayon::prelude::*;
        let drawn = Arc::new(AtomicBool::new(false));
        let (starts, started) = channel();
        let until = drawn.clone();
        let job = Job::start(move |_| {
            Some(on_all_processors(|| {
                let wait = |_: usize| {
                    let _ = starts.send(());
                    let has_ended = |_: &usize| {
                        std::thread::sleep(Duration::from_millis(1));
                        until.load(Ordering::Relaxed)
                    };
                    (0..20_000).find(has_ended).is_some()
                };
                let threads = rayon::current_num_threads();
                (threads, (0..threads).into_par_iter().map(wait).all(|ended| ended))
            }))
        })
        .unwrap();
        assert!(started.recv_timeout(Duration::from_secs(20)).is_ok());
        // The sum ends while the job keeps its own threads busy. In a shared pool it would wait for them.
        assert_eq!((0..100).into_par_iter().sum::<i32>(), 4950);
        drawn.store(true, Ordering::Relaxed);
        assert_eq!(outcome(&job), Outcome::Done((rayon::current_num_threads(), true)));
    }

    #[test]
    fn a_job_that_panics_is_nothing() {
        let job: Job<()> = Job::start(|_| panic!("on purpose")).unwrap();
        assert_eq!(outcome(&job), Outcome::Nothing);
    }
}
