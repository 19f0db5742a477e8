//! Work off the drawing thread that is asked for once and comes to an end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// Work that is going on; dropping it cancels it.
pub struct Job<T> {
    /// Thousandths.
    progress: Arc<AtomicU32>,
    cancelled: Arc<AtomicBool>,
    result: Receiver<Option<T>>,
}

/// What became of a job.
#[derive(Debug, PartialEq)]
pub enum Outcome<T> {
    Going,
    Done(T),
    /// Cancelled, or there was nothing to do.
    Nothing,
}

impl<T: Send + 'static> Job<T> {
    /// Starts it. The work tells how far it is, from 0 to 1, and ends early when it is told to.
    ///
    /// # Errors
    /// What the system says if it gives no thread.
    pub fn start(work: impl FnOnce(&mut dyn FnMut(f32) -> bool) -> Option<T> + Send + 'static) -> Result<Self, String> {
        let (progress, cancelled) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicBool::new(false)));
        let (send, result) = channel();
        let (told, stop) = (progress.clone(), cancelled.clone());
        let run = move || {
            let found = work(&mut |done| {
                told.store((done.clamp(0.0, 1.0) * 1000.0) as u32, Ordering::Relaxed);
                !stop.load(Ordering::Relaxed)
            });
            // Whoever asked may be gone.
            let _ = send.send(found);
        };
        std::thread::Builder::new().name("kinescope job".to_owned()).spawn(run).map_err(|error| error.to_string())?;
        Ok(Self { progress, cancelled, result })
    }

    /// From 0 to 1.
    pub fn progress(&self) -> f32 {
        self.progress.load(Ordering::Relaxed) as f32 / 1000.0
    }

    /// The result, once.
    pub fn poll(&self) -> Outcome<T> {
        match self.result.try_recv() {
            Ok(Some(found)) => Outcome::Done(found),
            Ok(None) | Err(TryRecvError::Disconnected) => Outcome::Nothing,
            Err(TryRecvError::Empty) => Outcome::Going,
        }
    }
}

impl<T> Drop for Job<T> {
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn outcome<T: Send + 'static>(job: &Job<T>) -> Outcome<T> {
        for _ in 0..1000 {
            match job.poll() {
                Outcome::Going => std::thread::sleep(Duration::from_millis(5)),
                other => return other,
            }
        }
        Outcome::Going
    }

    #[test]
    fn a_job_tells_how_far_it_is_and_ends_when_it_is_dropped() {
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

    #[test]
    fn a_job_that_panics_is_nothing() {
        let job: Job<()> = Job::start(|_| panic!("on purpose")).unwrap();
        assert_eq!(outcome(&job), Outcome::Nothing);
    }
}
