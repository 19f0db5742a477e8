#[cfg(unix)]
pub(crate) fn before_end(save: impl FnOnce() + Send + 'static) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    // Signals that were ignored at the start, as by `nohup`, stay ignored on systems with `/proc`.
    let heard = [SIGTERM, SIGINT, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
    let Ok(mut signals) = signal_hook::iterator::Signals::new(heard) else { return };
    let hear = move || {
        if let Some(signal) = signals.forever().next() {
            save();
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    };
    // Without the thread, a signal saves nothing.
    let _ = super::threads::spawn("signals", hear);
}

#[cfg(not(unix))]
pub(crate) fn before_end(_: impl FnOnce() + Send + 'static) {}

/// Returns whether the process ignores a signal now; `false` on systems without `/proc`.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}
