//! What several tests share.

use std::path::PathBuf;

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
