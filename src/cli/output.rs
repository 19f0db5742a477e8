//! Standard output and standard error.

use std::process::ExitCode;

use crate::system::files;
use crate::system::files::one_line;

/// Status 0 for true, 1 otherwise.
pub(super) fn exit(done: Result<bool, String>) -> ExitCode {
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            complain(&message);
            ExitCode::FAILURE
        }
    }
}

/// One line on standard error.
pub(super) fn complain(message: &str) {
    use std::io::Write;
    // Where even that cannot be written there is nobody to tell.
    let _ = writeln!(std::io::stderr(), "kinescope: {}", one_line(message));
}

/// Prints all of it: who reads only half is to know.
pub(super) fn print(text: &str) -> Result<(), String> {
    use std::io::Write;
    if standard_output::is_closed() {
        return Err("standard output: is closed".to_owned());
    }
    let mut out = std::io::stdout();
    out.write_all(files::for_terminal(text).as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| format!("standard output: {error}"))
}

/// Whether there was a standard output when the program began. The language's own start-up puts `/dev/null` where there
/// is none, and everything that is then written is lost without a word: it has to be asked before that.
#[cfg(target_os = "linux")]
mod standard_output {
    use std::sync::atomic::{AtomicBool, Ordering};

    static CLOSED: AtomicBool = AtomicBool::new(false);

    extern "C" fn look() {
        // SAFETY: asks about a number, and changes nothing; a number that is no open file is an error like any other.
        let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
        CLOSED.store(flags == -1, Ordering::Relaxed);
    }

    // SAFETY: the loader calls what is listed here before `main`, with nothing that `look` would not take.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = look;

    pub fn is_closed() -> bool {
        CLOSED.load(Ordering::Relaxed)
    }
}

#[cfg(not(target_os = "linux"))]
mod standard_output {
    pub fn is_closed() -> bool {
        false
    }
}
