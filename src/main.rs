//! The program: see `kinescope::cli`. A page in a browser has no command line, and opens the window at once.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    kinescope::cli::main()
}

#[cfg(target_arch = "wasm32")]
fn main() {
    kinescope::shell::window::run_in_page();
}
