use std::ffi::OsStr;
use std::process::{Command, Output};

use super::files::temporary;

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_kinescope");

/// Runs the program without a display.
///
/// The program gets a configuration folder of its own, so that it finds no files of the user's sessions.
pub fn kinescope(arguments: &[impl AsRef<OsStr>]) -> Output {
    let configuration = temporary("configuration");
    Command::new(PROGRAM).args(arguments).env("XDG_CONFIG_HOME", configuration).env_remove("DISPLAY").output().unwrap()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
