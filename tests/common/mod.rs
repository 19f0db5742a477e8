//! What the test programs share.
#![allow(dead_code, reason = "no program uses all of it")]

#[cfg(feature = "import")]
pub mod built_in;
pub mod evaluate;
#[cfg(feature = "import")]
pub mod figure;
pub mod files;
pub mod flaws;
#[cfg(all(feature = "import", feature = "link"))]
pub mod game;
pub mod gltf;
pub mod grounds;
#[cfg(feature = "app")]
pub mod program;
#[cfg(feature = "app")]
pub mod session;
pub mod strategies;
pub mod synthetic;

use std::path::PathBuf;
use std::time::Duration;

/// A folder of the workshop's shared material, if it is here. A fresh clone has none: the test is skipped and says
/// so. Where `KINESCOPE_CI` is set, that is a failure.
pub fn shared(folder: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared").join(folder);
    if path.is_dir() {
        return Some(path);
    }
    assert!(std::env::var_os("KINESCOPE_CI").is_none(), "{} is missing", path.display());
    println!("skipped: {} is not here", path.display());
    None
}

/// The shortest of a few: what else the machine does, other tests among it, is not what is measured.
pub fn quickest(count: usize, mut of: impl FnMut() -> Duration) -> Duration {
    (0..count).map(|_| of()).min().unwrap()
}
