//! The program: see `kinescope::cli`.

fn main() -> std::process::ExitCode {
    kinescope::cli::main()
}
