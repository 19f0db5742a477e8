use std::process::ExitCode;

use crate::system::files;
use crate::system::files::one_line;

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

pub(super) fn complain(message: &str) {
    use std::io::Write;
    // If standard error is closed, nobody can read the message.
    let _ = writeln!(std::io::stderr(), "kinescope: {}", one_line(message));
}

/// Prints a text to standard output, escaped for a terminal. A truncated output must not count as success, so a failed
/// write is an error, and on Linux a closed output as well.
pub(super) fn print(text: &str) -> Result<(), String> {
    use std::io::Write;
    if standard_output::is_closed() {
        return Err("standard output is closed; redirect it to a file or a terminal".to_owned());
    }
    let mut out = std::io::stdout();
    out.write_all(files::for_terminal(text).as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| format!("standard output: {error}"))
}

/// Whether standard output was closed when the program started. Rust's start-up code replaces a closed output by
/// `/dev/null`, so that all output would be lost without an error. `look` runs before that code.
#[cfg(target_os = "linux")]
mod standard_output {
    use std::sync::atomic::{AtomicBool, Ordering};

    static CLOSED: AtomicBool = AtomicBool::new(false);

    extern "C" fn look() {
        // SAFETY: The call reads the flags of a file descriptor and changes nothing. A closed descriptor returns −1.
        let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
        CLOSED.store(flags == -1, Ordering::Relaxed);
    }

    // SAFETY: The loader calls the functions of this section before `main`. `look` has a compatible signature and ignores
    // the arguments.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = look;

    pub(crate) fn is_closed() -> bool {
        CLOSED.load(Ordering::Relaxed)
    }
}

#[cfg(not(target_os = "linux"))]
mod standard_output {
    pub(crate) fn is_closed() -> bool {
        false
    }
}
