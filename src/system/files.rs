//! Reading and writing files, with errors that say what to do.

use std::borrow::Cow;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use kinescope_ik::error::Fault;
use kinescope_ik::fnv1a::Fnv1a;
use kinescope_ik::game_recording::MOST_LINE;

/// Largest size of a kind of file, in MiB. Larger files are not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Most(pub u64);

impl Most {
    pub const MODEL: Self = Self(512);

    /// For all files that a model refers to, together.
    pub const BESIDE_MODEL: Self = Self(512);

    pub const PRESET: Self = Self(64);

    pub const TRACE: Self = Self(64);

    pub const CAPSULE: Self = Self(256);

    pub const CHAIN: Self = Self(16);

    /// For files of the configuration folder.
    pub const CONFIGURATION: Self = Self(4);

    pub const fn bytes(self) -> u64 {
        self.0 << 20
    }
}

/// Appends the first of `endings` unless the path already has one of them. Reduces a doubled extension to one: a file
/// dialog selects only the name for typing, so `pose.json` may become `pose.json.json`.
pub fn with_ending(path: &Path, endings: &[&str]) -> PathBuf {
    let has = |path: &Path, ending: &str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending));
    let own = endings.iter().find(|ending| has(path, ending));
    match (own, endings.first()) {
        (Some(own), _) => match path.file_stem() {
            Some(stem) if has(Path::new(stem), own) => path.with_file_name(stem),
            Some(_) | None => path.to_owned(),
        },
        (None, Some(first)) => {
            let mut name = path.as_os_str().to_owned();
            name.push(".");
            name.push(first);
            name.into()
        }
        (None, None) => path.to_owned(),
    }
}

/// Reads a whole regular file. Devices and pipes are refused, as they may never end.
///
/// # Errors
/// One line that names the file.
pub fn read(path: &Path, most: Most) -> Result<Vec<u8>, String> {
    read_at_most(path, most.bytes()).map_err(|error| format!("{}: {error}", path.display()))
}

/// Opens a regular file for reading.
///
/// # Errors
/// One line without the file's name.
pub fn open(path: &Path) -> Result<File, String> {
    let mut options = OpenOptions::new();
    options.read(true);
    // Without this flag opening a pipe without a writer would block.
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

/// [`read`] with errors that do not name the file.
fn read_at_most(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let file = open(path)?;
    let data = file.metadata().map_err(|error| reason(&error))?;
    let too_large = || match most >> 20 {
        0 => "is larger than the remaining size for files".to_owned(),
        most => format!("is larger than {most} MiB"),
    };
    if data.len() > most {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(data.len()).unwrap_or(0));
    // Limits the read as well: the file may grow meanwhile, or report a wrong size.
    file.take(most + 1).read_to_end(&mut bytes).map_err(|error| reason(&error))?;
    if bytes.len() as u64 > most { Err(too_large()) } else { Ok(bytes) }
}

/// Reads the lines of a text file one at a time, each at most [`MOST_LINE`] long.
pub struct Lines {
    file: BufReader<File>,
    /// Start of the next line, bytes.
    offset: u64,
    size: u64,
}

impl Lines {
    /// Opens a text file.
    ///
    /// # Errors
    /// One line without the file's name.
    pub fn open(path: &Path) -> Result<Self, String> {
        let file = open(path)?;
        let size = file.metadata().map_err(|error| reason(&error))?.len();
        Ok(Self { file: BufReader::with_capacity(1 << 18, file), offset: 0, size })
    }

    /// Returns the file's size in bytes when it was opened.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns the start of the next line, bytes.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the next line, and whether it ended with a line feed; `None` after the last.
    ///
    /// # Errors
    /// The line is too long or not text. The message does not name the file.
    pub fn next_line(&mut self) -> Result<Option<(String, bool)>, String> {
        let mut bytes = Vec::new();
        let most = MOST_LINE as u64 + 2;
        self.file.by_ref().take(most).read_until(b'\n', &mut bytes).map_err(|error| reason(&error))?;
        self.offset += bytes.len() as u64;
        let has_end = bytes.ends_with(b"\n");
        if bytes.is_empty() {
            return Ok(None);
        }
        if bytes.len() as u64 >= most && !has_end {
            return Err(format!("has a line of more than {} MiB", MOST_LINE >> 20));
        }
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            // Cut off within a character.
            Err(error) if !has_end && error.utf8_error().error_len().is_none() => {
                let whole = error.utf8_error().valid_up_to();
                String::from_utf8_lossy(&error.as_bytes()[..whole]).into_owned()
            }
            Err(_) => return Err("is not a text file (UTF-8)".to_owned()),
        };
        Ok(Some((text, has_end)))
    }
}

/// Returns the message for a recording whose last line was cut off.
pub fn cut_off(path: &Path, fault: &Fault) -> String {
    format!("{}: the last line is incomplete and was skipped: {fault}", path.display())
}

/// Returns a file's name without its folder.
pub fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// Returns whether a file has the extension of recordings.
pub fn is_recording(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jsonl"))
}

/// Returns whether a file has an extension of models.
pub fn is_model(path: &Path) -> bool {
    let is = |ending: &&str| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending));
    ["glb", "gltf", "vrm"].iter().any(is)
}

/// Returns whether a file has the extension of JSON files.
pub fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

/// Reads a text file.
///
/// # Errors
/// One line that names the file.
pub fn read_text(path: &Path, most: Most) -> Result<String, String> {
    let mut bytes = read(path, most)?;
    // Some programs start text files with a byte order mark.
    if bytes.starts_with("\u{feff}".as_bytes()) {
        bytes.drain(..3);
    }
    String::from_utf8(bytes).map_err(|_| format!("{}: is not a text file (UTF-8)", path.display()))
}

/// Reads the files that a model refers to by URI.
pub struct Beside {
    folder: PathBuf,
    /// Remaining size, bytes.
    left: u64,
    /// Files read so far.
    pub files: Vec<PathBuf>,
    /// One sentence for each file outside the model's folder. Exports contain copies of these files.
    pub notes: Vec<String>,
}

impl Beside {
    /// Creates a reader for the files that `model` refers to.
    pub fn new(model: &Path) -> Self {
        // The folder of a bare file name is the empty path.
        let folder = model.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Self { folder: folder.to_owned(), left: Most::BESIDE_MODEL.bytes(), files: Vec::new(), notes: Vec::new() }
    }

    /// Reads a file by its percent-decoded URI. A downloaded model must not be able to copy other files of this disk
    /// into an export: only files in its folder are read, and images in the folder above (`../textures/skin.png` is
    /// common) if that folder [belongs to the model](belongs_to_model).
    ///
    /// # Errors
    /// The problem with the URI or the file.
    pub fn read(&mut self, uri: &str) -> Result<Vec<u8>, String> {
        let path = Path::new(uri);
        let has_scheme =
            uri.split_once(':').is_some_and(|(scheme, _)| scheme.bytes().all(|c| c.is_ascii_alphanumeric()));
        if path.has_root() || has_scheme || uri.contains('\0') || uri.starts_with('\\') {
            return Err("only files in the model's folder are read. Use a path relative to it".to_owned());
        }
        let folder = self.folder.canonicalize().map_err(|error| reason(&error))?;
        let file = self.folder.join(path).canonicalize().map_err(|error| reason(&error))?;
        let is_outside = !file.starts_with(&folder);
        let above = folder.parent().filter(|above| file.starts_with(above));
        if is_outside && above.is_none() {
            return Err(
                "the file lies outside the folder above the model's. Move it into the model's folder".to_owned()
            );
        }
        if is_outside && !above.is_some_and(belongs_to_model) {
            let above = "the file lies outside the model's folder, and the folder above holds more than the model";
            return Err(format!("{above}. Move it into the model's folder"));
        }
        let bytes = read_at_most(&file, self.left)?;
        if is_outside {
            // Decodes the whole image: a file may only start like one.
            if image::load_from_memory(&bytes).is_err() {
                return Err(
                    "the file lies outside the model's folder and is not an image. Move it into that folder".to_owned()
                );
            }
            let note = format!("the texture {uri:?} lies outside the model's folder");
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        self.left -= bytes.len() as u64;
        self.files.push(file);
        Ok(bytes)
    }
}

/// Returns whether `above`, the folder above the model's folder, may hold its textures. A home folder and the folders
/// above it may not: a model in `~/Downloads` must not reach the user's other files. Nor may folders directly below the
/// root: `/home` and `/Users` hold the homes of all users.
fn belongs_to_model(above: &Path) -> bool {
    let is_deep = above.parent().is_some_and(|further| further.parent().is_some());
    let home = std::env::home_dir().filter(|home| home.is_absolute());
    let home = home.map(|home| home.canonicalize().unwrap_or(home));
    is_deep && !home.is_some_and(|home| home.starts_with(above))
}

/// Writes a file atomically: if writing fails or the process is killed, the old file stays. Writes a temporary file
/// with an unguessable name into the same folder, then renames it. Keeps links and permissions.
///
/// # Errors
/// One line that names the file.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    write_through(path, &mut |out| out.write_all(bytes))
}

/// [`write`] for data that is streamed by `make`. If `make` fails the old file stays.
///
/// # Errors
/// One line that names the file.
pub fn write_through(path: &Path, make: &mut dyn FnMut(&mut dyn Write) -> std::io::Result<()>) -> Result<(), String> {
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

/// Returns why writing a temporary file failed. Removes the temporary path that the tempfile crate appends, since the
/// user named another file.
pub(crate) fn reason_beside(error: &std::io::Error) -> String {
    let text = reason(error);
    match text.rfind(" at path \"").filter(|_| error.get_ref().is_some()) {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}

/// Writes to a device or pipe. Fails if nobody reads from it for 5 s.
fn write_to_device(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    /// Time between two attempts, and number of attempts.
    const PAUSE: std::time::Duration = std::time::Duration::from_millis(10);
    const TRIES: u32 = 500;
    let mut options = OpenOptions::new();
    options.write(true);
    // Without this flag opening a pipe without a reader would block.
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

/// Writes to an open file descriptor of this process, such as stdout. Replacing the file behind it would lose what
/// other programs write there. Escapes text, as a pipe may lead to a terminal.
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

/// Returns a file's bytes for an output that may be a terminal: text as in [`for_terminal`], binary data unchanged.
///
/// # Errors
/// Binary data for a terminal, which would act on it.
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
    // Permissions of a normal new file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut part = builder.tempfile_in(folder)?;
    let mut out = BufWriter::with_capacity(1 << 16, part.as_file_mut());
    make(&mut out)?;
    out.flush()?;
    drop(out);
    if let Some(before) = before {
        // Ignores errors: the file is written even if the owner cannot be kept.
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, fchown};
            let _ = fchown(part.as_file(), Some(before.uid()), Some(before.gid()));
        }
        part.as_file().set_permissions(before.permissions())?;
    }
    part.as_file().sync_all()?;
    part.persist(target)?;
    // Makes the rename durable. Systems that cannot open folders offer no way to do this.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// Prefix and suffix of temporary files; between them are the process id and an unguessable part.
const PART: (&str, &str) = (".kinescope-", ".part");

/// Where a path leads after all links.
enum End {
    /// The target of a link, which may not exist yet.
    File(PathBuf),
    /// An open file descriptor of this process, as in `/dev/stdout`.
    Output(u32),
}

fn behind_links(path: &Path) -> std::io::Result<End> {
    /// Same limit as the system's.
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
    Err(std::io::Error::other("leads through more than 40 links"))
}

/// Records in the configuration folder that a file is being written in a folder. If the process is killed, the next
/// start finds and removes the leftovers. Removed on drop.
struct Journal(#[expect(dead_code, reason = "lives as long as the writing")] Option<tempfile::NamedTempFile>);

impl Journal {
    fn enter(folder: &Path) -> Self {
        let entry = Self::place().and_then(|place| {
            std::fs::create_dir_all(&place).ok()?;
            let mut entry =
                tempfile::Builder::new().prefix(&format!("{}-", std::process::id())).tempfile_in(place).ok()?;
            let folder = std::path::absolute(folder).ok()?;
            entry.write_all(folder.as_os_str().as_encoded_bytes()).ok()?;
            Some(entry)
        });
        Self(entry)
    }

    fn place() -> Option<PathBuf> {
        configuration("writing")
    }
}

/// Removes temporary files left by killed processes.
pub fn clean_up() {
    fn entries(folder: impl AsRef<Path>) -> impl Iterator<Item = (String, PathBuf)> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()))
    }
    let ended = |name: &str| name.split('-').next().and_then(|id| id.parse().ok()).is_some_and(|id| !is_running(id));
    let Some(place) = Journal::place() else { return };
    for (_, entry) in entries(place).filter(|(name, _)| ended(name)) {
        let folder = read_at_most(&entry, 1 << 16).ok().and_then(path_of);
        for (name, part) in folder.map(entries).into_iter().flatten() {
            let writer = name.strip_prefix(PART.0).filter(|rest| rest.ends_with(PART.1));
            if writer.is_some_and(ended) {
                let _ = std::fs::remove_file(part);
            }
        }
        let _ = std::fs::remove_file(entry);
    }
}

/// Decodes a path from bytes.
#[cfg(unix)]
fn path_of(bytes: Vec<u8>) -> Option<PathBuf> {
    Some(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes).into())
}

#[cfg(not(unix))]
fn path_of(bytes: Vec<u8>) -> Option<PathBuf> {
    Some(String::from_utf8(bytes).ok()?.into())
}

/// Returns whether a process of this program with that id runs; true if unknown.
fn is_running(id: u32) -> bool {
    let name = |id: &str| std::fs::read_to_string(format!("/proc/{id}/comm"));
    name("self").map_or(true, |own| name(&id.to_string()).is_ok_and(|other| other == own))
}

/// Returns the [`fingerprint`] of these bytes.
pub fn fingerprint_of(bytes: &[u8]) -> u64 {
    let mut hash = Fnv1a::new();
    hash.bytes(bytes);
    hash.0
}

/// Returns a hash of a file's content; `None` if it cannot be read.
pub fn fingerprint(path: &Path, most: Most) -> Option<u64> {
    Some(fingerprint_of(&read(path, most).ok()?))
}

/// Checks that an output is not also an input, which writing would destroy.
///
/// # Errors
/// One line with both files.
pub fn check_output(out: &Path, inputs: &[PathBuf]) -> Result<(), String> {
    // A file that does not exist yet differs from every other.
    match inputs.iter().find(|input| same_file::is_same_file(out, input).unwrap_or(false)) {
        Some(input) => {
            Err(format!("{}: the output is also an input ({}). Write to another file", out.display(), input.display()))
        }
        None => Ok(()),
    }
}

/// Returns whether a terminal would act on a character: control characters including C1, marks for text direction, and
/// line separators.
fn is_command(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
        )
}

/// Escapes output for a terminal: every control character except line feeds is written as `\u001b`, which JSON parsers
/// read as the same character. Names from files and games must not move the cursor.
pub fn for_terminal(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| c != '\n' && is_command(c)) {
        return Cow::Borrowed(text);
    }
    let escaped = |c: char| match c {
        '\n' => c.to_string(),
        c if is_command(c) => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    };
    Cow::Owned(text.chars().map(escaped).collect())
}

/// [`for_terminal`] for a text that must stay on one line: a name, or a sentence with one.
pub fn within_line(text: &str) -> Cow<'_, str> {
    match text.contains('\n') {
        true => Cow::Owned(for_terminal(&text.replace('\n', "\\n")).into_owned()),
        false => for_terminal(text),
    }
}

/// Shortens a message to one line: control characters become spaces, and the middle of messages above about 300
/// characters, where files are quoted, is cut.
pub fn one_line(message: &str) -> String {
    const HEAD: usize = 200;
    const TAIL: usize = 90;
    let clean = |text: &str| text.replace(is_command, " ");
    let starts: Vec<usize> = message.char_indices().map(|(at, _)| at).collect();
    if starts.len() <= HEAD + TAIL {
        return clean(message);
    }
    let (head, tail) = (&message[..starts[HEAD]], &message[starts[starts.len() - TAIL]..]);
    format!("{} … {}", clean(head), clean(tail))
}

fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        std::io::ErrorKind::PermissionDenied => "no permission".to_owned(),
        #[cfg(unix)]
        _ if error.raw_os_error() == Some(libc::ENXIO) => "is a pipe that nobody reads from".to_owned(),
        _ => error.to_string(),
    }
}

/// Returns a file of the user's configuration folder; `None` if there is no such folder.
pub fn configuration(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let folder = folder.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".config")))?;
    Some(folder.join("kinescope").join(name))
}

/// Writes a file and its folder, ignoring errors: for data whose loss is harmless.
pub fn store_quietly(path: &Path, text: &[u8]) {
    if let Some(folder) = path.parent() {
        let _ = std::fs::create_dir_all(folder);
    }
    // Writing to a device or pipe could block.
    if path.metadata().is_ok_and(|data| !data.is_file()) {
        return;
    }
    let _ = write(path, text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_without_its_ending_gets_it() {
        let named = |name: &str, endings: &[&str]| with_ending(Path::new(name), endings);
        assert_eq!(named("a/walk", &["json"]), Path::new("a/walk.json"));
        // A version number may look like an extension.
        assert_eq!(named("walk.v2", &["json"]), Path::new("walk.v2.json"));
        assert_eq!(named("walk.JSON", &["json"]), Path::new("walk.JSON"));
        assert_eq!(named("steps.png", &["gif", "png"]), Path::new("steps.png"));
        assert_eq!(named("steps", &["gif", "png"]), Path::new("steps.gif"));
        assert_eq!(named("a/walk.json.json", &["json"]), Path::new("a/walk.json"));
        assert_eq!(named("steps.gif.png", &["gif", "png"]), Path::new("steps.gif.png"));
    }

    #[test]
    fn errors_name_the_file() {
        let error = read(Path::new("/no/such/file.glb"), Most::MODEL).unwrap_err();
        assert_eq!(error, "/no/such/file.glb: there is no such file or folder");
        assert!(read(&std::env::temp_dir(), Most::MODEL).unwrap_err().contains("is a folder"));
        assert!(write(&std::env::temp_dir(), b"").unwrap_err().contains("is a folder"));
    }
}
