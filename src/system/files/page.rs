//! Files of a page in a browser, which are in memory. [`write_through`] also offers a written file as a download. The
//! browser keeps the files of the configuration folder for later visits.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::name_of;
use crate::system::page;

static FILES: Mutex<BTreeMap<PathBuf, Arc<[u8]>>> = Mutex::new(BTreeMap::new());

fn files() -> MutexGuard<'static, BTreeMap<PathBuf, Arc<[u8]>>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the path under which a file is stored, without the root, `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => plain.push(name),
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    plain
}

pub(crate) fn put(path: &Path, bytes: Vec<u8>) {
    files().insert(plain(path), bytes.into());
}

#[derive(Clone, Debug)]
pub(crate) struct File {
    bytes: Arc<[u8]>,
    at: usize,
}

impl Read for File {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let count = read_at(self, into, self.at as u64)?;
        self.at += count;
        Ok(count)
    }
}

pub(crate) fn open(path: &Path) -> Result<File, String> {
    let bytes = match kept(path) {
        Some(name) => page::stored(&name).map(|text| text.into_bytes().into()),
        None => files().get(&plain(path)).cloned(),
    };
    bytes.map(|bytes| File { bytes, at: 0 }).ok_or_else(|| NO_FILE.to_owned())
}

const NO_FILE: &str = "this page has no such file. Drop the file on it";

pub(super) fn size(file: &File) -> std::io::Result<u64> {
    Ok(file.bytes.len() as u64)
}

pub(crate) fn read_at(file: &File, into: &mut [u8], offset: u64) -> std::io::Result<usize> {
    let rest = usize::try_from(offset).ok().and_then(|offset| file.bytes.get(offset..)).unwrap_or_default();
    let count = rest.len().min(into.len());
    into[..count].copy_from_slice(&rest[..count]);
    Ok(count)
}

pub(crate) fn exists(path: &Path) -> bool {
    match kept(path) {
        Some(name) => page::stored(&name).is_some(),
        None => files().contains_key(&plain(path)),
    }
}

pub(crate) fn absolute(path: &Path) -> Option<PathBuf> {
    Some(Path::new("/").join(plain(path)))
}

pub(crate) fn real(path: &Path) -> Option<PathBuf> {
    absolute(path).filter(|path| exists(path))
}

pub(crate) fn is_same(a: &Path, b: &Path) -> bool {
    plain(a) == plain(b) && exists(a)
}

/// Returns the file to which a model refers. Dropped files have no folders, so a file with the same name is also
/// accepted.
pub(super) fn beside(folder: &Path, path: &Path) -> Result<(PathBuf, bool), String> {
    let places = [folder.join(path), PathBuf::from(name_of(path))];
    let found = places.into_iter().find(|place| exists(place));
    found.map(|place| (place, false)).ok_or_else(|| "drop this file together with the model".to_owned())
}

pub(crate) fn write_through(
    path: &Path,
    make: &mut dyn FnMut(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), String> {
    let mut bytes = Vec::new();
    make(&mut bytes).map_err(|error| format!("{}: {}", path.display(), reason(&error)))?;
    page::download(&name_of(path), &bytes);
    put(path, bytes);
    Ok(())
}

pub(super) fn reason(error: &std::io::Error) -> String {
    error.to_string()
}

/// The folder of the files that the browser keeps.
const CONFIGURATION: &str = ".kinescope";
pub(crate) fn configuration(name: &str) -> Option<PathBuf> {
    Some(Path::new("/").join(CONFIGURATION).join(name))
}

fn kept(path: &Path) -> Option<String> {
    plain(path).strip_prefix(CONFIGURATION).ok().map(name_of)
}

pub(crate) fn store_quietly(path: &Path, text: &[u8]) {
    if let Some(name) = kept(path) {
        page::store(&name, text);
    }
}

pub(crate) fn create_folder(_: &Path) -> Result<(), String> {
    Err(NO_FOLDERS.to_owned())
}

const NO_FOLDERS: &str = "a page has no folders";

pub(crate) fn remove(path: &Path) {
    files().remove(&plain(path));
}

pub(crate) fn names_in(_: &Path) -> Vec<String> {
    Vec::new()
}

pub(crate) fn age(_: &Path) -> Option<Duration> {
    None
}

/// Stands for a locked file, which a page does not have.
pub(crate) struct Lock;

impl Lock {
    pub(crate) fn create(_: &Path, _: &str, _: &str) -> Result<(Self, PathBuf), String> {
        Err(NO_FOLDERS.to_owned())
    }

    pub(crate) fn take(_: &Path) -> Option<Self> {
        None
    }
}
