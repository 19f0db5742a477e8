use std::borrow::Cow;
pub(crate) use std::fs::File;
use std::fs::OpenOptions;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::{for_terminal, read_at_most};

pub(crate) fn open(path: &Path) -> Result<File, String> {
    let mut options = OpenOptions::new();
    options.read(true);
    // Without this flag, opening a pipe without a writer would block.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    let file = options.open(path).map_err(|error| reason(&error))?;
    let data = file.metadata().map_err(|error| reason(&error))?;
    if data.is_dir() {
        return Err("is a folder, not a file".to_owned());
    }
    if !data.is_file() {
        return Err("is a device or a pipe, not a file. Save its output as a file first".to_owned());
    }
    Ok(file)
}

pub(super) fn size(file: &File) -> std::io::Result<u64> {
    Ok(file.metadata()?.len())
}

#[cfg(unix)]
pub(crate) fn read_at(file: &File, into: &mut [u8], offset: u64) -> std::io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, into, offset)
}

#[cfg(windows)]
pub(crate) fn read_at(file: &File, into: &mut [u8], offset: u64) -> std::io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, into, offset)
}

pub(crate) fn exists(path: &Path) -> bool {
    path.exists()
}

pub(crate) fn absolute(path: &Path) -> Option<PathBuf> {
    std::path::absolute(path).ok()
}

/// Resolves all links, unlike [`absolute`]. Returns `None` if nothing exists there.
pub(crate) fn real(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}

pub(crate) fn is_same(a: &Path, b: &Path) -> bool {
    same_file::is_same_file(a, b).unwrap_or(false)
}

/// Returns the file that a model refers to, and whether it lies outside the model's folder. Outside, only files in or
/// below the folder above are accepted, if that folder [belongs to the model](belongs_to_model).
pub(super) fn beside(folder: &Path, path: &Path) -> Result<(PathBuf, bool), String> {
    let file = folder.join(path).canonicalize();
    let folder = folder.canonicalize().map_err(|error| reason(&error))?;
    let file = file.map_err(|error| reason(&error))?;
    let is_outside = !file.starts_with(&folder);
    let above = folder.parent().filter(|above| file.starts_with(above));
    if is_outside && above.is_none() {
        return Err(
            "the file lies outside the parent of the model's folder. Move the file into the model's folder".to_owned()
        );
    }
    if is_outside && !above.is_some_and(belongs_to_model) {
        let above = "the file lies outside the model's folder, and the parent of that folder is the home folder, contains the home folder, or is the root of the disk or directly below it";
        return Err(format!("{above}. Move the file into the model's folder"));
    }
    Ok((file, is_outside))
}

/// Returns whether `above`, the folder above the model's folder, may hold the model's textures. The user's home folder
/// and the folders above it may not, because a model in `~/Downloads` must not reach the user's other files. The root
/// and folders directly below it may not either, because `/home` and `/Users` hold the homes of all users.
fn belongs_to_model(above: &Path) -> bool {
    let is_deep = above.parent().is_some_and(|further| further.parent().is_some());
    let home = std::env::home_dir().filter(|home| home.is_absolute());
    let home = home.map(|home| home.canonicalize().unwrap_or(home));
    is_deep && !home.is_some_and(|home| home.starts_with(above))
}

/// Writes a file atomically from data that `make` streams. If `make` fails or the process is killed, the old file
/// stays: the data goes to a temporary file with an unguessable name in the same folder, which then replaces the file.
/// Symbolic links and permissions stay; a hard link is separated from its other names. Data for devices, pipes and open
/// outputs such as `/dev/stdout` is written directly.
pub(crate) fn write_through(
    path: &Path,
    make: &mut dyn FnMut(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), String> {
    let say = |error: &std::io::Error| format!("{}: {}", path.display(), reason(error));
    let mut whole = || {
        let mut bytes = Vec::new();
        make(&mut bytes).map(|()| bytes)
    };
    let target = match behind_links(path).map_err(|error| say(&error))? {
        End::Output(number) => {
            return whole().and_then(|bytes| write_to_output(number, &bytes)).map_err(|error| say(&error));
        }
        End::File(target) => target,
    };
    let before = std::fs::metadata(&target).ok();
    match &before {
        Some(before) if before.is_dir() => return Err(format!("{}: is a folder, not a file", path.display())),
        // Devices and pipes cannot be replaced, only written to.
        Some(before) if !before.is_file() => {
            return whole().and_then(|bytes| write_to_device(&target, &bytes)).map_err(|error| say(&error));
        }
        // A write-protected file must not be replaced either, even if its folder allows it.
        Some(_) => drop(OpenOptions::new().write(true).open(&target).map_err(|error| say(&error))?),
        None => {}
    }
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let journal = Journal::enter(folder);
    let done = replace(&target, folder, before.as_ref(), make);
    drop(journal);
    done.map_err(|error| format!("{}: {}", path.display(), reason_beside(&error)))
}

/// Returns the reason for an error without the temporary path that the tempfile crate appends, because the user named
/// another file.
pub(crate) fn reason_beside(error: &std::io::Error) -> String {
    let text = reason(error);
    match text.rfind(" at path \"").filter(|_| error.get_ref().is_some()) {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}

/// Writes to a device or pipe. Fails if nobody reads from it for 5 s.
fn write_to_device(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    const PAUSE: std::time::Duration = std::time::Duration::from_millis(10);
    const TRIES: u32 = 500;
    let mut options = OpenOptions::new();
    options.write(true);
    // Without this flag, opening a pipe without a reader would block.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    let mut tries = 0;
    let mut device = loop {
        match options.open(path) {
            #[cfg(unix)]
            Err(error) if error.raw_os_error() == Some(libc::ENXIO) && tries < TRIES => {
                tries += 1;
                std::thread::sleep(PAUSE);
            }
            opened => break opened?,
        }
    };
    let shown = if device.is_terminal() { shown(bytes, true)? } else { Cow::Borrowed(bytes) };
    let mut bytes = &*shown;
    tries = 0;
    while !bytes.is_empty() {
        match device.write(bytes) {
            Ok(0) => return Err(std::io::ErrorKind::WriteZero.into()),
            Ok(count) => (bytes, tries) = (&bytes[count..], 0),
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock && tries < TRIES => {
                tries += 1;
                std::thread::sleep(PAUSE);
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Writes to an open file descriptor of this process, such as stdout. Replacing the file behind it would lose the
/// output of other programs. Text is escaped, because a pipe may lead to a terminal.
fn write_to_output(number: u32, bytes: &[u8]) -> std::io::Result<()> {
    let write =
        |out: &mut dyn Write, is_terminal: bool| out.write_all(&shown(bytes, is_terminal)?).and_then(|()| out.flush());
    match number {
        1 => write(&mut std::io::stdout(), std::io::stdout().is_terminal()),
        2 => write(&mut std::io::stderr(), std::io::stderr().is_terminal()),
        _ => {
            let mut other = OpenOptions::new().append(true).open(format!("/proc/self/fd/{number}"))?;
            let is_terminal = other.is_terminal();
            write(&mut other, is_terminal)
        }
    }
}

/// Returns a file's bytes for an output that may be a terminal. Escapes text as [`for_terminal`] does, even if
/// `is_terminal` is false, because a pipe may lead to a terminal. Binary data is an error for a terminal, and otherwise
/// unchanged.
fn shown(bytes: &[u8], is_terminal: bool) -> std::io::Result<Cow<'_, [u8]>> {
    match std::str::from_utf8(bytes) {
        Ok(text) if !bytes.contains(&0) => Ok(match for_terminal(text) {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        }),
        _ if is_terminal => Err(std::io::Error::other("is a terminal, which cannot show binary data. Write to a file")),
        _ => Ok(Cow::Borrowed(bytes)),
    }
}

fn replace(
    target: &Path,
    folder: &Path,
    before: Option<&std::fs::Metadata>,
    make: &mut dyn FnMut(&mut dyn Write) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let mut builder = tempfile::Builder::new();
    let prefix = format!("{}{}-", PART.0, std::process::id());
    builder.prefix(&prefix).suffix(PART.1).rand_bytes(16);
    // The file gets the permissions of a normal new file, because tempfile would make it private.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut part = builder.tempfile_in(folder)?;
    let mut out = BufWriter::with_capacity(1 << 16, part.as_file_mut());
    make(&mut out)?;
    out.flush()?;
    drop(out);
    if let Some(before) = before {
        // Errors are ignored, because the file is written even if the owner cannot be kept.
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, fchown};
            let _ = fchown(part.as_file(), Some(before.uid()), Some(before.gid()));
        }
        part.as_file().set_permissions(before.permissions())?;
    }
    part.as_file().sync_all()?;
    part.persist(target)?;
    // Syncing the folder makes the rename durable. Systems that cannot open folders offer no way to do this.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// Prefix and suffix of temporary files. Between them are the process id and an unguessable part.
pub const PART: (&str, &str) = (".kinescope-", ".part");

enum End {
    File(PathBuf),
    /// An open file descriptor of this process, as in `/dev/stdout`.
    Output(u32),
}

fn behind_links(path: &Path) -> std::io::Result<End> {
    /// Largest number of links that are followed. Linux has the same limit.
    const MOST: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST {
        let output = ["/dev/fd", "/proc/self/fd"].into_iter().find_map(|folder| path.strip_prefix(folder).ok());
        if let Some(number) = output.and_then(|number| number.to_str()?.parse().ok()) {
            return Ok(End::Output(number));
        }
        let Ok(to) = std::fs::read_link(&path) else { return Ok(End::File(path)) };
        path = path.parent().unwrap_or(Path::new("")).join(to);
    }
    Err(std::io::Error::other("leads through 40 or more links. Write to a file without links"))
}

/// A locked record in the configuration folder that a file is being written in a folder. The system unlocks it when the
/// program ends, so [`clean_up`] finds and removes the leftovers of a killed program at a later start. Dropping the
/// journal removes the record.
pub struct Journal(#[expect(dead_code, reason = "lives as long as the writing")] Option<tempfile::NamedTempFile>);

impl Journal {
    fn enter(folder: &Path) -> Self {
        Self(Self::place().and_then(|place| Self::record(&place, folder)))
    }

    pub fn record(place: &Path, folder: &Path) -> Option<tempfile::NamedTempFile> {
        std::fs::create_dir_all(place).ok()?;
        let mut entry = tempfile::Builder::new().prefix(&format!("{}-", std::process::id())).tempfile_in(place).ok()?;
        entry.as_file().try_lock().ok()?;
        let folder = std::path::absolute(folder).ok()?;
        entry.write_all(folder.as_os_str().as_encoded_bytes()).ok()?;
        Some(entry)
    }

    fn place() -> Option<PathBuf> {
        configuration("writing")
    }
}

pub(crate) fn clean_up() {
    if let Some(place) = Journal::place() {
        clean_up_in(&place);
    }
}

pub fn clean_up_in(place: &Path) {
    fn entries(folder: impl AsRef<Path>) -> impl Iterator<Item = (String, PathBuf)> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()))
    }
    let id = |name: &str| name.split('-').next().and_then(|id| id.parse::<u32>().ok());
    let records = entries(place).filter_map(|(name, entry)| {
        let is_locked = Lock::take(&entry).is_none();
        Some((id(&name)?, entry, is_locked))
    });
    let records: Vec<_> = records.collect();
    // A new process may have the id of one that was killed.
    let writes = |writer: u32| records.iter().any(|(id, _, is_locked)| *id == writer && *is_locked);
    for (writer, entry, _) in records.iter().filter(|(id, ..)| !writes(*id)) {
        let folder = read_at_most(entry, 1 << 16).ok().and_then(path_of);
        for (name, part) in folder.map(entries).into_iter().flatten() {
            let rest = name.strip_prefix(PART.0).filter(|rest| rest.ends_with(PART.1));
            if rest.and_then(id) == Some(*writer) {
                let _ = std::fs::remove_file(part);
            }
        }
        let _ = std::fs::remove_file(entry);
    }
}

#[cfg(unix)]
fn path_of(bytes: Vec<u8>) -> Option<PathBuf> {
    Some(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes).into())
}

#[cfg(not(unix))]
fn path_of(bytes: Vec<u8>) -> Option<PathBuf> {
    Some(String::from_utf8(bytes).ok()?.into())
}

pub(super) fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        #[cfg(unix)]
        _ if error.raw_os_error() == Some(libc::ENXIO) => {
            "is a pipe without a reader, a socket, or a device that is missing. Start a reader, or choose another file"
                .to_owned()
        }
        _ => error.to_string(),
    }
}

/// Returns the path of a file in the user's configuration folder. Returns `None` if `HOME` is not set and
/// `XDG_CONFIG_HOME` is not an absolute path.
pub(crate) fn configuration(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let folder = folder.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".config")))?;
    Some(folder.join("kinescope").join(name))
}

/// Writes a file and creates its folder. Errors are ignored, because the loss of the data is harmless.
pub(crate) fn store_quietly(path: &Path, text: &[u8]) {
    if let Some(folder) = path.parent() {
        let _ = std::fs::create_dir_all(folder);
    }
    // Writing to a device or pipe could block.
    if path.metadata().is_ok_and(|data| !data.is_file()) {
        return;
    }
    let _ = super::write(path, text);
}

pub(crate) fn create_folder(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| reason_beside(&error))
}

pub(crate) fn remove(path: &Path) {
    let _ = std::fs::remove_file(path);
}

pub(crate) fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}

pub(crate) fn age(path: &Path) -> Option<Duration> {
    SystemTime::now().duration_since(path.metadata().ok()?.modified().ok()?).ok()
}

/// A locked file. The system unlocks it when the program ends, even after a crash.
pub(crate) struct Lock(#[expect(dead_code, reason = "open for as long as the lock is held")] File);

impl Lock {
    /// Creates a locked file with a new name in a folder. Unlocking does not remove the file.
    pub(crate) fn create(folder: &Path, prefix: &str, suffix: &str) -> Result<(Self, PathBuf), String> {
        let file = tempfile::Builder::new().prefix(prefix).suffix(suffix).tempfile_in(folder);
        let file = file.map_err(|error| reason_beside(&error))?;
        let (file, path) = file.keep().map_err(|error| reason_beside(&error.error))?;
        file.try_lock().map_err(|error| reason_beside(&error.into()))?;
        Ok((Self(file), path))
    }

    pub(crate) fn take(path: &Path) -> Option<Self> {
        let file = open(path).ok()?;
        file.try_lock().ok()?;
        Some(Self(file))
    }
}
