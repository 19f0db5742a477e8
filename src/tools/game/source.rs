//! Sources of frames, in memory or in a file, which any thread can read.
//!
//! The listener keeps frames from the link in memory, parsed. A frame of an opened recording is a line of a file:
//! [`RecordingFile`] parses a line on first use and caches recent lines, so that the drawing thread and the judge share
//! them.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use glam::Vec3;

use super::frames::Entry;
use crate::system::files::{self, File};
use crate::tools::game::words as text;
use kinescope_ik::full_body::{Node, Part, Settings, Step};
use kinescope_ik::game_recording::{GameCharacter, GameFrame, MOST_LINE, Outline, parameters_of};
use kinescope_ik::rig::RigidTransform;

/// Largest memory for cached parsed frames per file, bytes.
pub const PARSED_BUDGET: usize = 64 << 20;

#[derive(Clone, Debug)]
pub(super) enum Place {
    /// The frame in memory, with its size in bytes.
    Memory(Arc<GameFrame>, usize),
    File {
        file: Arc<RecordingFile>,
        line: LineAt,
        /// Number of the frame in the same lane whose parameters apply to this frame, or `None` for the defaults.
        parameters_from: Option<u64>,
    },
}

#[derive(Clone, Copy, Debug)]
pub struct LineAt {
    pub offset: u64,
    pub number: u64,
}

#[derive(Clone, Debug)]
pub struct Source {
    pub character: Arc<GameCharacter>,
    pub outline: Outline,
    stored: Stored,
}

#[derive(Clone, Debug)]
enum Stored {
    Memory(Arc<GameFrame>),
    File {
        file: Arc<RecordingFile>,
        line: LineAt,
        /// The earlier frame whose parameters apply if the line omits them.
        inherits: Option<(LineAt, Outline)>,
    },
}

impl Source {
    /// `entry_of` returns other entries of the lane by number.
    pub(super) fn new<'a>(
        character: &Arc<GameCharacter>,
        entry: &Entry,
        entry_of: impl FnOnce(u64) -> Option<&'a Entry>,
    ) -> Self {
        let stored = match &entry.place {
            Place::Memory(frame, _) => Stored::Memory(frame.clone()),
            Place::File { file, line, parameters_from } => {
                let inherited = parameters_from.filter(|_| !entry.outline.has_parameters).and_then(entry_of);
                let inherits = inherited.and_then(|earlier| match &earlier.place {
                    Place::File { line, .. } => Some((*line, earlier.outline)),
                    Place::Memory(..) => None,
                });
                Stored::File { file: file.clone(), line: *line, inherits }
            }
        };
        Self { character: character.clone(), outline: entry.outline, stored }
    }

    /// Returns the parsed frame. A line of a file is parsed on first use, and again only after it left the cache.
    pub fn read(&self) -> Result<Arc<GameFrame>, String> {
        let (file, line, inherits) = match &self.stored {
            Stored::Memory(frame) => return Ok(frame.clone()),
            Stored::File { file, line, inherits } => (file, *line, *inherits),
        };
        let before = match inherits {
            Some((earlier, outline)) => file
                .parameters(&self.character, earlier, &outline)
                .map_err(|fault| text::uses_parameters(&fault, &line.number))?,
            None => Settings::default(),
        };
        file.frame(&self.character, line, &self.outline, &before)
    }
}

#[derive(Debug)]
pub struct RecordingFile {
    file: File,
    parsed: Mutex<Parsed>,
}

#[derive(Debug, Default)]
pub struct Parsed {
    /// Parsed lines and their sizes in bytes, by offset. Each offset is also in `order`.
    pub lines: HashMap<u64, (Arc<ParsedLine>, usize)>,
    /// Offsets of the lines, oldest first.
    pub order: VecDeque<u64>,
    pub bytes: usize,
    pub count: u64,
}

/// A parsed line. The first thread that needs the line parses it, and other threads wait.
#[derive(Debug, Default)]
pub struct ParsedLine {
    frame: OnceLock<Result<Arc<GameFrame>, String>>,
    /// Parameters of a line with a malformed frame, because later frames may use them.
    parameters: OnceLock<Result<Settings, String>>,
}

impl RecordingFile {
    pub fn open(path: &Path) -> Result<Self, String> {
        Ok(Self { file: files::open(path)?, parsed: Mutex::default() })
    }

    pub fn parses(&self) -> u64 {
        self.lock().count
    }

    pub(super) fn forget(&self) {
        let count = self.parses();
        *self.lock() = Parsed { count, ..Parsed::default() };
    }

    pub fn frame(
        &self,
        character: &GameCharacter,
        line: LineAt,
        outline: &Outline,
        before: &Settings,
    ) -> Result<Arc<GameFrame>, String> {
        if let Some(known) = self.lock().frame(line.offset) {
            return known;
        }
        // Read errors are not cached, because the file may become readable again.
        let text = self.text(line)?;
        let parsed = self.lock().line(line.offset);
        let mut is_first = false;
        let frame = parsed.frame.get_or_init(|| {
            is_first = true;
            let frame = character.frame(&text, outline, before);
            frame.map(Arc::new).map_err(|fault| text::line_fault(&line.number, &fault))
        });
        if is_first {
            self.lock().grow(line.offset, frame.as_ref().map_or(0, |frame| bytes_of(frame)));
        }
        frame.clone()
    }

    pub fn parameters(&self, character: &GameCharacter, line: LineAt, outline: &Outline) -> Result<Settings, String> {
        match self.frame(character, line, outline, &Settings::default()) {
            Ok(frame) => Ok(frame.parameters),
            Err(_) => {
                let text = self.text(line)?;
                let parsed = self.lock().line(line.offset);
                let parameters = parsed.parameters.get_or_init(|| {
                    self.lock().count += 1;
                    let read = parameters_of(&text).map_err(|fault| text::line_fault(&line.number, &fault));
                    read.map(Option::unwrap_or_default)
                });
                parameters.clone()
            }
        }
    }

    fn text(&self, line: LineAt) -> Result<String, String> {
        text_at(&self.file, line.offset).map_err(|error| text::line_error(&line.number, &error))
    }

    pub fn lock(&self) -> MutexGuard<'_, Parsed> {
        self.parsed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Parsed {
    fn frame(&self, offset: u64) -> Option<Result<Arc<GameFrame>, String>> {
        self.lines.get(&offset)?.0.frame.get().cloned()
    }

    pub fn line(&mut self, offset: u64) -> Arc<ParsedLine> {
        if let Some((line, _)) = self.lines.get(&offset) {
            return line.clone();
        }
        let line = Arc::<ParsedLine>::default();
        self.lines.insert(offset, (line.clone(), 0));
        self.order.push_back(offset);
        self.add(offset, size_of::<ParsedLine>());
        line
    }

    pub fn grow(&mut self, offset: u64, bytes: usize) {
        self.count += 1;
        self.add(offset, bytes);
    }

    /// Adds to the size of a line, unless it was dropped meanwhile, and drops the oldest lines beyond the budget.
    fn add(&mut self, offset: u64, bytes: usize) {
        let Some((_, own)) = self.lines.get_mut(&offset) else { return };
        *own += bytes;
        self.bytes += bytes;
        while self.bytes > PARSED_BUDGET
            && let Some(oldest) = self.order.pop_front()
        {
            self.bytes -= self.lines.remove(&oldest).map_or(0, |(_, bytes)| bytes);
        }
    }
}

fn text_at(file: &File, offset: u64) -> Result<String, String> {
    let mut bytes = Vec::with_capacity(16 << 10);
    let mut piece = vec![0; 16 << 10];
    while bytes.len() <= MOST_LINE {
        let count = files::read_at(file, &mut piece, offset + bytes.len() as u64).map_err(|error| error.to_string())?;
        let end = piece[..count].iter().position(|&byte| byte == b'\n');
        bytes.extend_from_slice(&piece[..end.unwrap_or(count)]);
        if end.is_some() || count == 0 {
            return String::from_utf8(bytes).map_err(|_| text::NOT_TEXT.to_owned());
        }
    }
    Err(text::LINE_GREW.to_owned())
}

pub(super) fn bytes_of(frame: &GameFrame) -> usize {
    // An estimate for a B-tree that is filled in order: its leaves have room for eleven entries and hold six. Inner
    // nodes add about a fifth, and 16 bytes of edges per leaf.
    const fn tree<K, V>(count: usize) -> usize {
        let leaves = count.div_ceil(6);
        leaves * (11 * size_of::<(K, V)>() + 16) * 6 / 5 + leaves * 16
    }
    let bones = frame.animated.capacity() + frame.result.as_ref().map_or(0, Vec::capacity);
    let steps = frame.steps.iter().map(|(_, nodes)| tree::<Node, Vec3>(nodes.len())).sum::<usize>()
        + frame.steps.capacity() * size_of::<(Step, BTreeMap<Node, Vec3>)>();
    let writes = frame.writes.iter().map(|(_, bones)| tree::<usize, RigidTransform>(bones.len())).sum::<usize>()
        + frame.writes.capacity() * size_of::<(Part, BTreeMap<usize, RigidTransform>)>();
    size_of::<GameFrame>() + size_of::<Entry>() + bones * size_of::<RigidTransform>() + steps + writes
}
