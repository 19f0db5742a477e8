//! Tests of `src/system`.

mod files {
    use std::path::Path;

    use kinescope::system::files::{SizeLimit, read, with_ending, write};

    #[test]
    fn a_name_without_its_ending_gets_it() {
        let named = |name: &str, endings: &[&str]| with_ending(Path::new(name), endings);
        assert_eq!(named("a/walk", &["json"]), Path::new("a/walk.json"));
        // A version number may look like an extension.
        assert_eq!(named("walk.v2", &["json"]), Path::new("walk.v2.json"));
        assert_eq!(named("walk.JSON", &["json"]), Path::new("walk.JSON"));
        assert_eq!(named("steps.png", &["gif", "png"]), Path::new("steps.png"));
        assert_eq!(named("steps", &["gif", "png"]), Path::new("steps.gif"));
        assert_eq!(named("a/walk.json.json", &["json"]), Path::new("a/walk.json"));
        assert_eq!(named("steps.gif.png", &["gif", "png"]), Path::new("steps.gif.png"));
    }

    #[test]
    fn errors_name_the_file() {
        let error = read(Path::new("/no/such/file.glb"), SizeLimit::MODEL).unwrap_err();
        assert_eq!(error, "/no/such/file.glb: there is no such file or folder");
        assert!(read(&std::env::temp_dir(), SizeLimit::MODEL).unwrap_err().contains("is a folder"));
        assert!(write(&std::env::temp_dir(), b"").unwrap_err().contains("is a folder"));
    }
}

mod order {
    use kinescope::system::order::{sort_by, sort_by_key};

    #[test]
    fn lists_are_sorted_as_by_the_standard_library() {
        for length in 0..=6 {
            for number in 0..3_usize.pow(length) {
                let key = |place: u32| number / 3_usize.pow(place) % 3;
                let list: Vec<_> = (0..length).map(|place| (key(place), place)).collect();
                let [mut expected, mut by_key, mut by_order] = [(); 3].map(|()| list.clone());
                expected.sort_by_key(|own| own.0);
                sort_by_key(&mut by_key, |own| own.0);
                sort_by(&mut by_order, |a, b| a.0.cmp(&b.0));
                assert_eq!((&by_key, &by_order), (&expected, &expected), "{list:?}");
            }
        }
    }
}

mod disk {
    use kinescope::system::files::disk::{Journal, PART, clean_up_in};

    #[test]
    fn temporary_files_of_killed_programs_are_removed_and_those_being_written_stay() {
        let [place, folder] = [(), ()].map(|()| tempfile::tempdir().unwrap());
        let record = |name: &str| {
            std::fs::write(place.path().join(name), folder.path().as_os_str().as_encoded_bytes()).unwrap();
        };
        let part = |id: u32| {
            let path = folder.path().join(format!("{}{id}-0123{}", PART.0, PART.1));
            std::fs::write(&path, "half").unwrap();
            path
        };
        // A record without a lock is that of a killed program, also if another process has its id now.
        let own = std::process::id();
        record(&format!("{own}-killed"));
        let (left, others, foreign) = (part(own), part(own + 1), folder.path().join(".kinescope-mine.part"));
        std::fs::write(&foreign, "kept").unwrap();
        clean_up_in(place.path());
        assert!(!left.exists() && others.exists() && foreign.exists());
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);

        let journal = Journal::record(place.path(), folder.path()).unwrap();
        let left = part(own);
        clean_up_in(place.path());
        assert!(left.exists(), "the file is being written");
        drop(journal);
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
    }
}

mod jobs {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
    use std::sync::mpsc::{RecvTimeoutError, channel};
    use std::time::Duration;

    use kinescope::system::jobs::{Job, Outcome, SHOWN_FIRST};
    use kinescope_ik::slices;

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
        let job = Job::start(|report| async move { report.done(0.5).then_some(7) }).unwrap();
        assert_eq!(outcome(&job), Outcome::Done(7));
        assert_eq!(job.progress(), 0.5);

        let ((starts, started), (ended, wait)) = (channel(), channel());
        let job: Job<()> = Job::start(move |report| async move {
            starts.send(()).unwrap();
            while report.done(0.1) {
                std::thread::sleep(Duration::from_millis(1));
            }
            ended.send(()).unwrap();
            None
        })
        .unwrap();
        // A job that is dropped before it starts never runs.
        assert!(started.recv_timeout(Duration::from_secs(20)).is_ok());
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
        let job = Job::start_on_all_processors(move |_| async move {
            let wait = |_: usize| {
                let _ = starts.send(());
                let has_ended = |_: &usize| {
                    std::thread::sleep(Duration::from_millis(1));
                    until.load(Ordering::Relaxed)
                };
                (0..20_000).find(has_ended).is_some()
            };
            let threads = rayon::current_num_threads();
            Some((threads, (0..threads).into_par_iter().map(wait).all(|ended| ended)))
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
        let job: Job<()> = Job::start(|_| async { panic!("on purpose") }).unwrap();
        assert_eq!(outcome(&job), Outcome::Nothing);
    }

    #[test]
    fn a_dropped_job_on_a_thread_ends_at_its_next_pause() {
        let (ended, wait) = channel::<()>();
        let job: Job<()> = Job::start(move |_| async move {
            let _ended = ended;
            loop {
                slices::pause().await;
            }
        })
        .unwrap();
        assert!(wait.recv_timeout(Duration::from_millis(20)).is_err());
        drop(job);
        assert_eq!(wait.recv_timeout(Duration::from_secs(20)), Err(RecvTimeoutError::Disconnected));
    }

    fn counting(pieces: u32, done: &Arc<AtomicU32>) -> Job<u32> {
        let done = done.clone();
        Job::in_slices(move |report| async move {
            let mut progress = |done: f32| report.done(done);
            for piece in 0..pieces {
                if !slices::report(&mut progress, piece as f32 / pieces as f32).await {
                    return None;
                }
                std::thread::sleep(Duration::from_millis(1));
                done.fetch_add(1, Ordering::Relaxed);
            }
            Some(pieces)
        })
    }

    #[test]
    fn a_job_in_slices_returns_between_pieces_and_comes_to_the_same_result() {
        let done = Arc::default();
        let job = counting(300, &done);
        std::thread::sleep(SHOWN_FIRST);
        assert_eq!(job.poll(), Outcome::Running);
        let first = done.load(Ordering::Relaxed);
        // A piece takes at least a millisecond, and the slice at most 32.
        assert!((1..=33).contains(&first), "{first}");
        assert_eq!(job.progress(), (first as f32 / 300.0 * 1000.0).floor() / 1000.0);
        assert_eq!(outcome(&job), Outcome::Done(300));
        assert_eq!(done.load(Ordering::Relaxed), 300);
        assert_eq!(job.poll(), Outcome::Nothing);
    }

    #[test]
    fn a_dropped_job_in_slices_does_nothing_more() {
        let done = Arc::default();
        let job = counting(300, &done);
        std::thread::sleep(SHOWN_FIRST);
        assert_eq!(job.poll(), Outcome::Running);
        let before = done.load(Ordering::Relaxed);
        drop(job);
        // Dropping the job dropped the work with its reference to `done`.
        assert_eq!((done.load(Ordering::Relaxed), Arc::strong_count(&done)), (before, 1));
    }
}

mod recent {
    use std::path::Path;

    use kinescope::system::recent::{MOST_RECENT, put_first};

    #[test]
    fn a_recent_file_is_listed_once_and_first() {
        let mut list = Vec::new();
        for index in 0..15 {
            put_first(&mut list, Path::new(&format!("/tmp/{index}")));
        }
        put_first(&mut list, Path::new("/tmp/10"));
        assert_eq!(list.len(), MOST_RECENT);
        assert_eq!(list[0], Path::new("/tmp/10"));
        assert_eq!(list.iter().filter(|path| path.ends_with("10")).count(), 1);
    }
}

#[cfg(unix)]
mod signals {
    use kinescope::system::signals::is_ignored;

    #[test]
    fn an_ignored_signal_is_known() {
        assert!(!is_ignored(libc::SIGUSR2));
        // SAFETY: no test uses this signal.
        let before = unsafe { libc::signal(libc::SIGUSR2, libc::SIG_IGN) };
        assert!(is_ignored(libc::SIGUSR2));
        // SAFETY: `before` is the previous action of the same signal.
        unsafe { libc::signal(libc::SIGUSR2, before) };
        assert!(!is_ignored(libc::SIGUSR2));
    }
}

mod site {
    use kinescope::system::site::{REPOSITORY, address};

    #[test]
    fn pages_belong_to_the_site_of_the_program() {
        let at = |program| address("algorithm/push.md#formula", program);
        assert_eq!(at("https://a.org/kinescope/try/"), "https://a.org/kinescope/algorithm/push.html#formula");
        assert_eq!(at("https://a.org/try/index.html"), "https://a.org/algorithm/push.html#formula");
        for other in ["", "http://127.0.0.1:8000/", "https://a.org/retry/"] {
            assert_eq!(at(other), format!("{REPOSITORY}algorithm/push.md#formula"));
        }
    }
}

mod text {
    use kinescope::system::text::signed;

    #[test]
    fn signs_are_those_of_the_text() {
        for (value, text, expected) in [
            (1.25, "1.2 mm", "+1.2 mm"),
            (-1.25, "-1.2 mm", "−1.2 mm"),
            (-1.25, "−1.2", "−1.2"),
            (0.0, "0", "0"),
            (0.001, "0.0 mm", "0.0 mm"),
            (-0.001, "-0.0 mm", "0.0 mm"),
            (-1.2e-5, "−1.2e−5", "−1.2e−5"),
            (f32::INFINITY, "inf", "+inf"),
            (f32::NEG_INFINITY, "-inf", "−inf"),
            (f32::NAN, "NaN", "NaN"),
        ] {
            assert_eq!(signed(value, text), expected, "{value} {text}");
        }
    }
}
