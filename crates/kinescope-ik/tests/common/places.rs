//! Folders outside the tests, and measuring.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The folder of the workspace.
pub fn root() -> PathBuf {
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let root = own.ancestors().find(|folder| folder.join("Cargo.lock").is_file());
    root.expect("the workspace has a lock file").to_owned()
}

/// A folder of the workshop's shared material, if it is here. A fresh clone has none: the test is skipped and says
/// so. Where `KINESCOPE_CI` is set, that is a failure.
pub fn shared(folder: &str) -> Option<PathBuf> {
    let path = root().join("../shared").join(folder);
    if path.is_dir() {
        return Some(path);
    }
    assert!(std::env::var_os("KINESCOPE_CI").is_none(), "{} is missing", path.display());
    println!("skipped: {} is not here", path.display());
    None
}

/// How long a test waits for what another thread or program does. It never comes to that unless the work does not end:
/// a machine may be as slow as it likes.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// The time that the processor has spent on this thread. Unlike time on the clock it does not grow while other programs,
/// other tests among them, have the processor.
pub fn processor_time() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    // The system counts up to the last time that it looked at the thread: this makes it look.
    std::thread::yield_now();
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let spent = spent.and_then(|text| text.split(' ').next()?.parse::<u64>().ok()).filter(|&spent| spent > 0);
    spent.map_or_else(|| START.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}

/// The shortest of a few measurements: caches and clock rates are not what is measured.
pub fn quickest(count: usize, mut of: impl FnMut() -> Duration) -> Duration {
    (0..count).map(|_| of()).min().unwrap()
}
