#[cfg(unix)]
pub(crate) fn before_end(save: impl FnOnce() + Send + 'static) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let hear = move || {
        // Signals that were ignored at the start, as by `nohup`, stay ignored.
        let heard = [SIGTERM, SIGINT, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
        let Ok(mut signals) = signal_hook::iterator::Signals::new(heard) else { return };
        if let Some(signal) = signals.forever().next() {
            save();
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    };
    // The thread catches the signals itself: caught without a thread that hears them, they would not end the program.
    let _ = super::threads::spawn("signals", hear);
}

#[cfg(not(unix))]
pub(crate) fn before_end(_: impl FnOnce() + Send + 'static) {}

#[cfg(unix)]
pub fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action, `sigaction` only writes the current one, and all its fields may be zero.
    unsafe {
        let known = libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) == 0;
        known && action.assume_init().sa_sigaction == libc::SIG_IGN
    }
}
