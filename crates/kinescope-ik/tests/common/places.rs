//! Folders outside of the tests, a time limit, and time measurements.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

pub fn root() -> PathBuf {
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let root = own.ancestors().find(|folder| folder.join("Cargo.lock").is_file());
    root.expect("the workspace has a lock file").to_owned()
}

/// Returns a folder of test data beside the workspace, if it exists. A fresh clone has none, and the test is skipped
/// with a message; with `KINESCOPE_CI` set, that is a failure.
pub fn shared(folder: &str) -> Option<PathBuf> {
    let path = root().join("../shared").join(folder);
    if path.is_dir() {
        return Some(path);
    }
    assert!(std::env::var_os("KINESCOPE_CI").is_none(), "{} is missing", path.display());
    println!("skipped: {} does not exist", path.display());
    None
}

/// How long a test waits for another thread or program: longer than any machine needs, so that only work that hangs
/// fails.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// Returns this thread's processor time, which does not grow while other programs or tests run. Returns clock time
/// where the system does not report processor time.
pub fn processor_time() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    // The system updates the count when it schedules the thread: yielding makes it do so.
    std::thread::yield_now();
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let spent = spent.and_then(|text| text.split(' ').next()?.parse::<u64>().ok()).filter(|&spent| spent > 0);
    spent.map_or_else(|| START.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}

/// Returns the shortest of several measurements, which excludes cold caches and low clock rates.
pub fn quickest(count: usize, mut of: impl FnMut() -> Duration) -> Duration {
    (0..count).map(|_| of()).min().unwrap()
}
