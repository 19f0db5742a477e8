//! Reading and writing files, with error messages for the user.
//!
//! `disk` has the functions that the program needs of a file system. In a browser `page` replaces them, with files in
//! memory and downloads.

#[cfg(not(target_arch = "wasm32"))]
pub mod disk;
#[cfg(target_arch = "wasm32")]
mod page;
#[cfg(not(target_arch = "wasm32"))]
mod terminal;

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use disk::*;
#[cfg(target_arch = "wasm32")]
pub(crate) use page::*;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use terminal::*;

use kinescope_ik::error::Fault;
use kinescope_ik::fnv1a::Fnv1a;
use kinescope_ik::game_recording::MOST_LINE;

/// Largest size of a kind of file, in MiB. Larger files are not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeLimit(pub(crate) u64);

impl SizeLimit {
    pub const MODEL: Self = Self(512);

    /// The limit for all files together to which a model refers.
    pub(crate) const MODEL_RESOURCES: Self = Self(512);

    pub(crate) const PRESET: Self = Self(64);

    pub(crate) const TRACE: Self = Self(64);

    pub(crate) const CAPSULE: Self = Self(256);

    pub(crate) const CHAIN: Self = Self(16);

    pub(crate) const CONFIGURATION: Self = Self(4);

    pub(crate) const fn bytes(self) -> u64 {
        self.0 << 20
    }
}

/// Appends the first of `endings` unless the path already has one of them. Reduces a doubled extension to one: a file
/// dialog selects only the name for typing, so the user may turn `pose.json` into `pose.json.json`.
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

/// Reads a whole regular file. Devices and pipes are refused, because they may never end.
pub fn read(path: &Path, limit: SizeLimit) -> Result<Vec<u8>, String> {
    read_at_most(path, limit.bytes()).map_err(|error| format!("{}: {error}", path.display()))
}

/// Does the same as [`read`], with errors that do not name the file.
fn read_at_most(path: &Path, limit: u64) -> Result<Vec<u8>, String> {
    let file = open(path)?;
    let size = size(&file).map_err(|error| reason(&error))?;
    let too_large = || match limit >> 20 {
        0 => format!("is, with the model's other files, larger than {} MiB", SizeLimit::MODEL_RESOURCES.0),
        limit => format!("is larger than {limit} MiB"),
    };
    if size > limit {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
    // The read is limited as well, because the file may grow meanwhile or report a wrong size.
    file.take(limit + 1).read_to_end(&mut bytes).map_err(|error| reason(&error))?;
    if bytes.len() as u64 > limit { Err(too_large()) } else { Ok(bytes) }
}

/// Reads the lines of a text file one at a time. A line with its end has at most [`MOST_LINE`] + 2 bytes.
pub(crate) struct Lines {
    file: BufReader<File>,
    offset: u64,
    size: u64,
}

impl Lines {
    pub(crate) fn open(path: &Path) -> Result<Self, String> {
        let file = open(path)?;
        let size = size(&file).map_err(|error| reason(&error))?;
        Ok(Self { file: BufReader::with_capacity(1 << 18, file), offset: 0, size })
    }

    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Reads the next line. Returns its text with the line end, and whether a line feed ended it. Returns `None`
    /// after the last line.
    pub(crate) fn next_line(&mut self) -> Result<Option<(String, bool)>, String> {
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
            // The file ends within a character, whose bytes are dropped.
            Err(error) if !has_end && error.utf8_error().error_len().is_none() => {
                let whole = error.utf8_error().valid_up_to();
                String::from_utf8_lossy(&error.as_bytes()[..whole]).into_owned()
            }
            Err(_) => return Err("is not a text file (UTF-8)".to_owned()),
        };
        Ok(Some((text, has_end)))
    }
}

pub(crate) fn cut_off(path: &Path, fault: &Fault) -> String {
    format!("{}: the last line is incomplete and was skipped: {fault}", path.display())
}

pub(crate) fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

pub(crate) fn is_recording(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jsonl"))
}

pub(crate) fn is_model(path: &Path) -> bool {
    let is = |ending: &&str| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending));
    ["bvh", "fbx", "glb", "gltf", "vrm"].iter().any(is)
}

pub(crate) fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

pub(crate) fn read_text(path: &Path, limit: SizeLimit) -> Result<String, String> {
    let mut bytes = read(path, limit)?;
    // Some programs start text files with a byte order mark.
    if bytes.starts_with("\u{feff}".as_bytes()) {
        bytes.drain(..3);
    }
    String::from_utf8(bytes).map_err(|_| format!("{}: is not a text file (UTF-8)", path.display()))
}

pub(crate) struct ModelResources {
    folder: PathBuf,
    /// Number of bytes that may still be read, of [`SizeLimit::MODEL_RESOURCES`] for all files together.
    left: u64,
    pub(crate) files: Vec<PathBuf>,
    pub(crate) notes: Vec<String>,
}

impl ModelResources {
    pub(crate) fn new(model: &Path) -> Self {
        // The folder of a bare file name is the empty path.
        let folder = model.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Self {
            folder: folder.to_owned(),
            left: SizeLimit::MODEL_RESOURCES.bytes(),
            files: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Reads a file by its percent-decoded URI. A downloaded model must not be able to copy other files of this disk
    /// into an export: only files in its folder are read, and images in the folder above (`../textures/skin.png` is
    /// common) if that folder belongs to the model.
    pub(crate) fn read(&mut self, uri: &str) -> Result<Vec<u8>, String> {
        let path = Path::new(uri);
        let has_scheme =
            uri.split_once(':').is_some_and(|(scheme, _)| scheme.bytes().all(|c| c.is_ascii_alphanumeric()));
        if path.has_root() || has_scheme || uri.contains('\0') || uri.starts_with('\\') {
            return Err("the path is not relative to the model's folder. Move the file there, and use a relative path"
                .to_owned());
        }
        let (file, is_outside) = beside(&self.folder, path)?;
        let bytes = read_at_most(&file, self.left)?;
        if is_outside {
            // The whole image is decoded, because a file may start like an image and contain something else.
            if !kinescope_ik::rig::import::is_image(&bytes) {
                return Err(
                    "the file lies outside the model's folder and is not a readable image. Move it there, and use a relative path".to_owned()
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

pub fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    write_through(path, &mut |out| out.write_all(bytes))
}

pub(crate) fn fingerprint_of(bytes: &[u8]) -> u64 {
    let mut hash = Fnv1a::new();
    hash.bytes(bytes);
    hash.0
}

pub(crate) fn fingerprint(path: &Path, limit: SizeLimit) -> Option<u64> {
    Some(fingerprint_of(&read(path, limit).ok()?))
}

/// Checks that an output is not also an input, because writing the output would destroy the input.
pub(crate) fn check_output(out: &Path, inputs: &[PathBuf]) -> Result<(), String> {
    match inputs.iter().find(|input| is_same(out, input)) {
        Some(input) => {
            Err(format!("{}: the output is also an input ({}). Write to another file", out.display(), input.display()))
        }
        None => Ok(()),
    }
}

/// Returns whether a terminal would act on a character: control characters including C1, marks for text direction, line
/// separators, and the byte order mark.
fn is_command(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
        )
}

/// Shortens a message to one line. Characters that a terminal would act on become spaces, and messages above 290
/// characters lose their middle.
pub(crate) fn one_line(message: &str) -> String {
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
