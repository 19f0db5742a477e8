//! Files: reading and writing with errors that say what to do, and the list of recent ones.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Larger files are refused: nothing of ours is near that size.
const LARGEST_FILE: u64 = 1 << 30;
const MOST_RECENT: usize = 10;

/// Reads a whole file.
///
/// # Errors
/// One line that names the file.
pub fn read(path: &Path) -> Result<Vec<u8>, String> {
    let say = |error: std::io::Error| format!("{}: {}", path.display(), reason(&error));
    let data = std::fs::metadata(path).map_err(say)?;
    if data.is_dir() {
        return Err(format!("{}: is a folder, not a file", path.display()));
    }
    if data.len() > LARGEST_FILE {
        return Err(format!("{}: is larger than {} MiB", path.display(), LARGEST_FILE >> 20));
    }
    std::fs::read(path).map_err(say)
}

/// Reads a text file.
///
/// # Errors
/// One line that names the file.
pub fn read_text(path: &Path) -> Result<String, String> {
    String::from_utf8(read(path)?).map_err(|_| format!("{}: is not a text file (UTF-8)", path.display()))
}

/// Writes a file so that a failure leaves the old one as it was: beside it first, then in its place.
///
/// # Errors
/// One line that names the file.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let say = |error: std::io::Error| format!("{}: {}", path.display(), reason(&error));
    if path.is_dir() {
        return Err(format!("{}: is a folder, not a file", path.display()));
    }
    // A device or pipe cannot be replaced, only written to.
    if path.exists() && !path.is_file() {
        return std::fs::write(path, bytes).map_err(say);
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.part", std::process::id()));
    let beside = PathBuf::from(beside);
    std::fs::write(&beside, bytes).and_then(|()| std::fs::rename(&beside, path)).map_err(|error| {
        let _ = std::fs::remove_file(&beside);
        say(error)
    })
}

fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        std::io::ErrorKind::PermissionDenied => "no permission".to_owned(),
        _ => error.to_string(),
    }
}

/// Files opened lately, newest first. Kept in the user's configuration folder; without one, for this run only.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecentFiles {
    pub models: Vec<PathBuf>,
    pub presets: Vec<PathBuf>,
}

impl RecentFiles {
    /// From the configuration folder; empty where there is none or it does not read.
    pub fn load() -> Self {
        let text = configuration("recent.json").and_then(|place| std::fs::read_to_string(place).ok());
        text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    pub fn add_model(&mut self, path: &Path) {
        put_first(&mut self.models, path);
        self.store();
    }

    pub fn add_preset(&mut self, path: &Path) {
        put_first(&mut self.presets, path);
        self.store();
    }

    // A list that cannot be kept is no reason to disturb anyone.
    fn store(&self) {
        if let (Some(place), Ok(text)) = (configuration("recent.json"), serde_json::to_vec_pretty(self)) {
            store_quietly(&place, &text);
        }
    }
}

/// A file of the user's configuration folder; `None` where there is no such folder.
pub fn configuration(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let folder = folder.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".config")))?;
    Some(folder.join("kinescope").join(name))
}

/// Writes a file that nobody would miss, and its folder.
pub fn store_quietly(path: &Path, text: &[u8]) {
    if let Some(folder) = path.parent() {
        let _ = std::fs::create_dir_all(folder);
    }
    let _ = write(path, text);
}

fn put_first(list: &mut Vec<PathBuf>, path: &Path) {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    list.retain(|other| *other != path);
    list.insert(0, path);
    list.truncate(MOST_RECENT);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_file() {
        let error = read(Path::new("/no/such/file.glb")).unwrap_err();
        assert_eq!(error, "/no/such/file.glb: there is no such file or folder");
        assert!(read(&std::env::temp_dir()).unwrap_err().contains("is a folder"));
        assert!(write(&std::env::temp_dir(), b"").unwrap_err().contains("is a folder"));
    }

    #[test]
    fn a_recent_file_is_listed_once_and_first() {
        let mut list = Vec::new();
        for index in 0..15 {
            put_first(&mut list, Path::new(&format!("/tmp/{index}")));
        }
        put_first(&mut list, Path::new("/tmp/10"));
        assert_eq!(list.len(), MOST_RECENT);
        assert_eq!(list[0], Path::new("/tmp/10"));
        assert_eq!(list.iter().filter(|path| path.ends_with("10")).count(), 1);
    }
}
