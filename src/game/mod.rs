//! Games that are looked into: recordings that are opened, and what running ones send.
//!
//! A [`Game`] holds every frame by its outline. Where the frame itself is, in memory or in a file, is its own affair; the
//! tape gets those around the one that is shown. [`Listener`] hears running games, [`Judge`] holds every frame against
//! Kinescope's own solve.

mod index;
mod judge;
mod listener;

pub use index::open;
pub use judge::{Judge, Judged, judge};
pub use listener::{End, Event, Listener, ReadHeader, Traffic, Wake};

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use glam::Vec3;

use crate::character::body_mesh::BodyMesh;
use crate::cli::diff::Apart;
use crate::system::files;
use crate::system::jobs::Job;
use kinescope_ik::debugger::fields::Change;
use kinescope_ik::full_body::{Node, Part, Settings, Step};
use kinescope_ik::game_recording::{GameFrame, Header, MOST_LINE, Mark, Outline, Writer, parameters_of};
use kinescope_ik::rig::RigidTransform;
use kinescope_ik::stack::Frame;

/// Bytes of the frames that running games may have in memory, all of them together.
pub const BUDGET: usize = 256 << 20;
/// The most marks that are kept of a game; the oldest go.
pub const MOST_MARKS: usize = 4096;
/// About what a bone of a header takes.
const BYTES_OF_BONE: usize = 256;
/// The most places of which it is told that something differs there.
const MOST_PLACES: usize = 1000;
/// Letters of a mark that are kept.
const LONGEST_MARK: usize = 80;

/// How a frame compares with Kinescope's solve of the same input.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Verdict {
    /// Not looked at yet.
    #[default]
    Unknown,
    /// The game does not say what its solver came to.
    NoResult,
    Same,
    Differs {
        /// Where it first does: index into [`Game::places`].
        place: u16,
        apart: Apart,
    },
    /// It cannot be read or solved.
    Broken,
}

impl Verdict {
    pub const fn differs(self) -> bool {
        matches!(self, Self::Differs { .. } | Self::Broken)
    }
}

/// Where a frame is.
#[derive(Clone, Debug)]
enum Place {
    /// In memory, with the bytes that it takes.
    Here(Arc<GameFrame>, usize),
    File {
        own: At,
        /// The line that says what was asked of the solver; `None` for the defaults.
        parameters: Option<At>,
    },
}

/// A line of a file.
#[derive(Clone, Copy, Debug)]
struct At {
    /// Where it begins, bytes.
    offset: u64,
    /// From 1.
    line: u64,
}

/// One frame of a character.
#[derive(Clone, Debug)]
pub struct Entry {
    pub outline: Outline,
    pub verdict: Verdict,
    place: Place,
}

/// The frames of one character. They are counted from its first one ever; that is their number on the tape.
#[derive(Clone, Debug, Default)]
pub struct Lane {
    /// The number of the oldest that is held.
    first: u64,
    entries: VecDeque<Entry>,
    /// The next to be judged.
    next: u64,
    /// One is known that does not read.
    pub has_broken: bool,
    /// How many frames are known to differ.
    pub differing: usize,
    /// How many say what the game's own solver came to.
    pub with_result: usize,
    /// How many have been judged.
    pub judged: usize,
    /// Numbers of the game's that were left out: it, or its sender, dropped them.
    pub skipped: u64,
}

impl Lane {
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Numbers of the oldest and the newest.
    pub fn range(&self) -> Option<[u64; 2]> {
        let count = self.entries.len().checked_sub(1)?;
        Some([self.first, self.first + count as u64])
    }

    pub fn get(&self, number: u64) -> Option<&Entry> {
        self.entries.get(self.index(number)?)
    }

    /// The oldest that is held.
    pub fn first(&self) -> Option<&Entry> {
        self.entries.front()
    }

    pub fn last(&self) -> Option<&Entry> {
        self.entries.back()
    }

    /// With their numbers, the oldest first.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = (u64, &Entry)> + ExactSizeIterator {
        let first = self.first;
        self.entries.iter().enumerate().map(move |(index, entry)| (first + index as u64, entry))
    }

    /// The number of the last frame at `time` or before; of the first if there is none.
    pub fn at_time(&self, time: f64) -> Option<u64> {
        let after = self.entries.partition_point(|entry| entry.outline.time <= time);
        (!self.entries.is_empty()).then(|| self.first + after.saturating_sub(1) as u64)
    }

    /// How many came a second, over all of it; `None` where that is nothing to play at.
    pub fn frames_per_second(&self) -> Option<f32> {
        let (first, last) = (self.entries.front()?, self.entries.back()?);
        let rate = (self.entries.len() - 1) as f64 / (last.outline.time - first.outline.time);
        (rate > 0.0 && rate.is_finite()).then_some((rate as f32).clamp(1.0, 240.0))
    }

    /// The nearest frame after (or before) `number` where a difference begins.
    pub fn difference(&self, number: u64, on: bool) -> Option<u64> {
        // One that has been let go of since lies before all that are left.
        let from = number.checked_sub(self.first).and_then(|from| usize::try_from(from).ok());
        let found = match on {
            true => (from.map_or(0, |from| from + 1)..self.entries.len()).find(|&index| self.begins(index)),
            false => (0..from.unwrap_or(0).min(self.entries.len())).rev().find(|&index| self.begins(index)),
        };
        Some(self.first + found? as u64)
    }

    /// The frames where a difference begins, with their numbers.
    pub fn beginnings(&self) -> impl Iterator<Item = (u64, &Entry)> {
        self.entries().enumerate().filter(|&(index, _)| self.begins(index)).map(|(_, numbered)| numbered)
    }

    /// Whether a frame differs and the one before does not, or differs elsewhere.
    fn begins(&self, index: usize) -> bool {
        let place = |entry: &Entry| match entry.verdict {
            Verdict::Differs { place, .. } => Some(place),
            Verdict::Broken => Some(u16::MAX),
            _ => None,
        };
        let own = place(&self.entries[index]);
        own.is_some() && (index == 0 || place(&self.entries[index - 1]) != own)
    }

    fn index(&self, number: u64) -> Option<usize> {
        usize::try_from(number.checked_sub(self.first)?).ok().filter(|&index| index < self.entries.len())
    }

    fn push(&mut self, outline: Outline, place: Place) {
        if let Some(last) = self.entries.back() {
            let skipped = outline.frame.saturating_sub(last.outline.frame.saturating_add(1));
            self.skipped = self.skipped.saturating_add(skipped);
        }
        let verdict = if outline.has_result { Verdict::Unknown } else { Verdict::NoResult };
        self.with_result += usize::from(outline.has_result);
        self.entries.push_back(Entry { outline, verdict, place });
    }

    fn judge(&mut self, number: u64, verdict: Verdict) {
        let Some(index) = self.index(number) else { return };
        let entry = &mut self.entries[index];
        if entry.verdict == Verdict::Unknown {
            self.judged += 1;
            self.differing += usize::from(verdict.differs());
            self.has_broken |= verdict == Verdict::Broken;
            entry.verdict = verdict;
        }
    }
}

/// Marks by time, as many as are kept of a game.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    kept: Vec<Mark>,
    /// Marks that were let go, as there was no room for more: the oldest.
    pub lost: u64,
}

impl Marks {
    pub fn iter(&self) -> std::slice::Iter<'_, Mark> {
        self.kept.iter()
    }

    pub fn len(&self) -> usize {
        self.kept.len()
    }

    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// The text is cut short.
    pub fn add(&mut self, mark: &Mark) {
        let at = self.kept.partition_point(|other| other.time <= mark.time);
        self.kept.insert(at, cut_short(mark));
        if self.kept.len() > MOST_MARKS {
            self.kept.remove(0);
            self.lost += 1;
        }
    }

    /// Returns whether it was there.
    fn remove(&mut self, mark: &Mark) -> bool {
        let before = self.kept.len();
        self.kept.retain(|other| other != mark);
        self.kept.len() < before
    }
}

/// A recording, or what a running game sent.
pub struct Game {
    /// Tells it from others.
    pub id: u64,
    /// The file's name, or who sent it.
    pub name: String,
    /// Of a recording that was opened.
    pub path: Option<PathBuf>,
    pub header: Arc<Header>,
    /// One for each character of the header.
    pub lanes: Vec<Lane>,
    /// The mesh that the user chose for each character; `None` draws capsules.
    pub bodies: Vec<Option<Arc<BodyMesh>>>,
    pub marks: Marks,
    /// What first differs, wherever something does: see [`Verdict::Differs`].
    pub places: Vec<String>,
    /// Frames that were let go, as there was no room for more.
    pub lost: u64,
    /// Counts what came and what was marked, and what of that is in a file.
    revision: u64,
    saved: u64,
    /// Bytes in memory.
    bytes: usize,
    file: Option<Arc<File>>,
}

impl Game {
    /// Nothing of it has come yet.
    pub fn new(id: u64, name: String, header: Arc<Header>) -> Self {
        let count = header.characters.len();
        let (lanes, bodies) = (vec![Lane::default(); count], vec![None; count]);
        Self {
            id,
            name,
            path: None,
            header,
            lanes,
            bodies,
            marks: Marks::default(),
            places: Vec::new(),
            lost: 0,
            revision: 0,
            saved: 0,
            bytes: 0,
            file: None,
        }
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    fn bytes_of_header(&self) -> usize {
        self.header.characters.iter().map(|own| own.skeleton.len() * BYTES_OF_BONE).sum()
    }

    /// How many frames it has, of all characters.
    pub fn len(&self) -> usize {
        self.lanes.iter().map(Lane::len).sum()
    }

    /// The first character that has frames.
    pub fn first_character(&self) -> usize {
        self.lanes.iter().position(|lane| !lane.is_empty()).unwrap_or(0)
    }

    /// All that there is of it is in a file.
    pub const fn is_saved(&self) -> bool {
        self.revision == self.saved
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A frame that came, of as many bones as its character has.
    pub fn push(&mut self, frame: GameFrame) {
        let outline = Outline {
            character: frame.character,
            frame: frame.frame,
            time: frame.time,
            has_parameters: true,
            has_result: frame.result.is_some(),
        };
        let bones = self.header.characters.get(frame.character).map(|own| own.skeleton.len());
        let fits = |pose: &Vec<RigidTransform>| Some(pose.len()) == bones;
        let Some(lane) = self.lanes.get_mut(frame.character) else { return };
        if !fits(&frame.animated) || !frame.result.as_ref().is_none_or(fits) {
            return;
        }
        let bytes = bytes_of(&frame);
        lane.push(outline, Place::Here(Arc::new(frame), bytes));
        self.bytes += bytes;
        self.revision += 1;
    }

    /// A mark that came, or was set.
    pub fn mark(&mut self, mark: &Mark) {
        self.revision += 1;
        self.marks.add(mark);
    }

    /// Marks that came before it was known that they belong here.
    pub fn take_marks(&mut self, marks: &Marks) {
        marks.iter().for_each(|mark| self.mark(mark));
        self.marks.lost += marks.lost;
    }

    /// Sets a mark, or takes it away where it stands.
    pub fn toggle_mark(&mut self, mark: &Mark) {
        self.revision += 1;
        if !self.marks.remove(mark) {
            self.marks.add(mark);
        }
    }

    /// Lets the oldest frame go that is in memory; `false` where there is none but the newest of all and of the character
    /// that is `shown`.
    pub fn drop_oldest(&mut self, shown: Option<usize>) -> bool {
        let newest = |lane: &Lane| lane.last().map_or(f64::NEG_INFINITY, |entry| entry.outline.time);
        let last = (0..self.lanes.len()).max_by(|&a, &b| newest(&self.lanes[a]).total_cmp(&newest(&self.lanes[b])));
        let least = |index: usize| usize::from(Some(index) == last || Some(index) == shown);
        let held = self.lanes.iter_mut().enumerate().filter(|(index, lane)| lane.entries.len() > least(*index));
        let held = held.map(|(_, lane)| lane);
        let oldest = held.min_by(|a, b| {
            let time = |lane: &Lane| lane.entries.front().map_or(0.0, |entry| entry.outline.time);
            time(a).total_cmp(&time(b))
        });
        let Some(lane) = oldest else { return false };
        let Some(Entry { place: Place::Here(_, bytes), verdict, outline }) = lane.entries.pop_front() else {
            return false;
        };
        lane.with_result -= usize::from(outline.has_result).min(lane.with_result);
        lane.first += 1;
        lane.next = lane.next.max(lane.first);
        lane.judged -= usize::from(verdict != Verdict::Unknown && verdict != Verdict::NoResult).min(lane.judged);
        lane.differing -= usize::from(verdict.differs()).min(lane.differing);
        self.bytes -= bytes;
        self.lost += 1;
        true
    }

    /// Where the frame of an entry is: to be [read](Source::read) on any thread.
    pub fn source(&self, entry: &Entry) -> Source {
        Source {
            header: self.header.clone(),
            outline: entry.outline,
            place: entry.place.clone(),
            file: self.file.clone(),
        }
    }

    /// The next frame of a character to be judged, with its number.
    pub fn next_to_judge(&mut self, character: usize) -> Option<(u64, Source)> {
        let lane = self.lanes.get_mut(character)?;
        loop {
            let number = lane.next.max(lane.first);
            let entry = lane.get(number)?.clone();
            lane.next = number + 1;
            if entry.verdict == Verdict::Unknown {
                return Some((number, self.source(&entry)));
            }
        }
    }

    /// What came of judging.
    pub fn judged(&mut self, character: usize, number: u64, judged: &Judged) {
        let verdict = match judged {
            Judged::Same => Verdict::Same,
            Judged::Differs { place, apart } => {
                let known = self.places.iter().position(|known| known == place);
                let index = known.unwrap_or_else(|| {
                    // There are as many as stages and bones; a game that makes others up fills no memory.
                    match MOST_PLACES.saturating_sub(self.places.len()) {
                        0 => {}
                        1 => self.places.push("one of very many places".to_owned()),
                        _ => self.places.push(place.clone()),
                    }
                    self.places.len() - 1
                });
                Verdict::Differs { place: index as u16, apart: *apart }
            }
            Judged::Broken(_) => Verdict::Broken,
        };
        if let Some(lane) = self.lanes.get_mut(character) {
            lane.judge(number, verdict);
        }
    }

    /// What is said of a verdict: where the first difference is.
    pub fn place(&self, verdict: Verdict) -> Option<&str> {
        match verdict {
            Verdict::Differs { place, .. } => self.places.get(usize::from(place)).map(String::as_str),
            Verdict::Broken => Some("does not read"),
            _ => None,
        }
    }

    /// All that is held, to be written as a recording on any thread.
    pub fn to_save(&self) -> ToSave {
        let mut frames: Vec<Source> =
            self.lanes.iter().flat_map(|lane| &lane.entries).map(|entry| self.source(entry)).collect();
        frames.sort_by(|a, b| a.outline.time.total_cmp(&b.outline.time));
        ToSave { header: self.header.clone(), frames, marks: self.marks.clone() }
    }
}

/// A game as it was when it was asked for.
pub struct ToSave {
    header: Arc<Header>,
    frames: Vec<Source>,
    marks: Marks,
}

impl ToSave {
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// `progress` is told how far it is, from 0 to 1, and answers whether it is to go on.
    ///
    /// # Errors
    /// A frame that does not read, what the system says, or that it was given up.
    pub fn write(&self, out: &mut dyn Write, progress: &mut dyn FnMut(f32) -> bool) -> std::io::Result<()> {
        let (mut writer, first) = Writer::new(&self.header);
        out.write_all(first.as_bytes())?;
        let mut marks = self.marks.iter().peekable();
        for (index, source) in self.frames.iter().enumerate() {
            if index % 64 == 0 && !progress(index as f32 / self.frames.len() as f32) {
                return Err(std::io::Error::other("was given up"));
            }
            while let Some(mark) = marks.next_if(|mark| mark.time <= source.outline.time) {
                out.write_all(Writer::mark(mark).as_bytes())?;
            }
            let frame = source.read().map_err(std::io::Error::other)?;
            out.write_all(writer.frame(&frame).unwrap_or_default().as_bytes())?;
        }
        for mark in marks {
            out.write_all(Writer::mark(mark).as_bytes())?;
        }
        Ok(())
    }
}

/// A mark as it is kept.
fn cut_short(mark: &Mark) -> Mark {
    let text = mark.mark.chars().filter(|letter| !letter.is_control()).take(LONGEST_MARK).collect();
    Mark { mark: text, time: mark.time }
}

/// What of a frame is in memory.
fn bytes_of(frame: &GameFrame) -> usize {
    // A leaf of a tree has room for eleven, and holds six where they came in order; above them are a sixth as many nodes
    // with a place for each leaf.
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

/// A frame that can be read wherever it is.
#[derive(Clone, Debug)]
pub struct Source {
    pub header: Arc<Header>,
    pub outline: Outline,
    place: Place,
    file: Option<Arc<File>>,
}

impl Source {
    /// # Errors
    /// One line that names line and field.
    pub fn read(&self) -> Result<Arc<GameFrame>, String> {
        let (own, parameters) = match &self.place {
            Place::Here(frame, _) => return Ok(frame.clone()),
            Place::File { own, parameters } => (*own, *parameters),
        };
        let file = self.file.as_deref().ok_or("its file is gone")?;
        let read = |at: At| line_at(file, at.offset).map_err(|error| format!("line {}: {error}", at.line));
        let before = match parameters.filter(|_| !self.outline.has_parameters) {
            Some(at) => {
                let asked = parameters_of(&read(at)?);
                let say = |fault| format!("line {}: {fault}; line {} is solved with it", at.line, own.line);
                asked.map_err(say)?.unwrap_or_default()
            }
            None => Settings::default(),
        };
        let frame = self.header.frame(&read(own)?, &self.outline, &before);
        frame.map(Arc::new).map_err(|fault| format!("line {}: {fault}", own.line))
    }
}

/// The line that begins there.
fn line_at(file: &File, offset: u64) -> Result<String, String> {
    let mut bytes = Vec::with_capacity(16 << 10);
    let mut piece = vec![0; 16 << 10];
    while bytes.len() <= MOST_LINE {
        let count = read_at(file, &mut piece, offset + bytes.len() as u64).map_err(|error| error.to_string())?;
        let end = piece[..count].iter().position(|&byte| byte == b'\n');
        bytes.extend_from_slice(&piece[..end.unwrap_or(count)]);
        if end.is_some() || count == 0 {
            return String::from_utf8(bytes).map_err(|_| "is no text (UTF-8): the file has changed since".to_owned());
        }
    }
    Err("is longer than it was: the file has changed since".to_owned())
}

#[cfg(unix)]
fn read_at(file: &File, into: &mut [u8], offset: u64) -> std::io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, into, offset)
}

#[cfg(windows)]
fn read_at(file: &File, into: &mut [u8], offset: u64) -> std::io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, into, offset)
}

/// A character of a game that is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// [`Game::id`].
    pub game: u64,
    pub character: usize,
}

/// What came in the last seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rate {
    /// A second.
    pub frames: f32,
    pub bytes: f32,
    /// What had come when it was looked at, the oldest first.
    looks: VecDeque<(Instant, u64, u64)>,
}

impl Rate {
    /// Over how much it counts, and how often it looks.
    const OVER: Duration = Duration::from_secs(2);
    const LOOKS: Duration = Duration::from_millis(250);

    /// Returns whether it tells something else.
    pub fn count(&mut self, traffic: &Traffic, now: Instant) -> bool {
        let since = |at: Instant| now.saturating_duration_since(at);
        if self.looks.back().is_some_and(|&(at, ..)| since(at) < Self::LOOKS) {
            return false;
        }
        self.looks.push_back((now, traffic.frames, traffic.bytes));
        // One that is older stays: it is where the time begins over which is counted.
        while self.looks.get(1).is_some_and(|&(at, ..)| since(at) >= Self::OVER) {
            self.looks.pop_front();
        }
        let told = (self.frames, self.bytes);
        if let Some(&(at, frames, bytes)) = self.looks.front().filter(|_| self.looks.len() > 1) {
            let seconds = since(at).as_secs_f32();
            self.frames = traffic.frames.saturating_sub(frames) as f32 / seconds;
            self.bytes = traffic.bytes.saturating_sub(bytes) as f32 / seconds;
        }
        told != (self.frames, self.bytes)
    }

    pub fn is_something(&self) -> bool {
        self.frames > 0.0 || self.bytes > 0.0
    }
}

/// What an edit asks of the running game, until that does it.
#[derive(Clone, Debug)]
pub struct Tuned {
    pub changes: Vec<Change>,
    /// The frame on which it was made.
    pub frame: u64,
    /// Seconds since another one came.
    pub told: f32,
    /// Seconds since.
    pub age: f32,
}

/// Opening a recording.
pub type Opening = Job<Result<(Game, Option<String>), String>>;

/// Writing what came.
pub struct Saving {
    pub path: PathBuf,
    /// Whose frames, and what of them had come by then.
    game: u64,
    revision: u64,
    /// Then the window is left.
    pub quits: bool,
    pub job: Job<Result<usize, String>>,
}

impl Saving {
    /// # Errors
    /// What the system says if it gives no thread.
    pub fn start(path: PathBuf, game: &Game, quits: bool) -> Result<Self, String> {
        let (to_save, own) = (game.to_save(), path.clone());
        let job = Job::start(move |progress| {
            let done = files::write_through(&own, &mut |out| to_save.write(out, progress));
            Some(done.map(|()| to_save.len()))
        })?;
        Ok(Self { path, game: game.id, revision: game.revision, quits, job })
    }

    /// It is written: nothing of what had come by then is lost with the window.
    pub fn done(&self, games: &mut Games) {
        if let Some(game) = games.get_mut(self.game) {
            // What a running game sent while it was written is not what one stays for.
            game.saved = if self.quits { game.revision } else { self.revision };
        }
    }
}

/// What the window keeps of games.
#[derive(Default)]
pub struct Games {
    pub listener: Option<Listener>,
    /// Where games were waited for last, as it was asked for.
    pub address: Option<String>,
    /// What was wrong with lines of the game that is connected, or was last.
    pub refused: Vec<String>,
    pub traffic: Traffic,
    pub rate: Rate,
    /// The newest last.
    pub games: Vec<Game>,
    pub shown: Option<Shown>,
    /// What the running game sends goes there: [`Game::id`].
    pub receiving: Option<u64>,
    /// The game that was received called again, with these marks so far; its next frame tells whether it goes on.
    pub rejoined: Option<Marks>,
    /// It has frames, and is not looked at.
    pub waits: bool,
    /// Who said who it is, last.
    pub joined: Option<std::net::SocketAddr>,
    /// The game for which the user was asked about unsaved changes.
    pub asked: Option<u64>,
    /// The game of which it was told that it waits.
    pub mentioned: Option<u64>,
    /// Edits go to the running game.
    pub tunes: bool,
    pub tuned: Option<Tuned>,
    /// The game's own result is not shown beside Kinescope's.
    pub hides_result: bool,
    /// The last frame that was solved for the tape: what a break condition compares the next with.
    pub before: Option<(u64, Frame)>,
    pub opening: Option<(PathBuf, Opening)>,
    /// The model of the command line whose mesh the recording is drawn with once it is there.
    pub body_to_choose: Option<PathBuf>,
    /// The game that is to be saved on the way out.
    pub last_chance: Option<u64>,
    pub saving: Option<Saving>,
    pub judge: Option<Judge>,
    /// Frames that were let go of games that are no more here, and with them.
    lost_before: u64,
    pub wake: Wake,
    next_id: u64,
}

/// More games than this are not kept.
const MOST_GAMES: usize = 32;
/// Bytes that all their headers may take.
const MOST_HEADERS: usize = 64 << 20;

impl Games {
    pub fn get(&self, id: u64) -> Option<&Game> {
        self.games.iter().find(|game| game.id == id)
    }

    pub fn get_mut(&mut self, id: u64) -> Option<&mut Game> {
        self.games.iter_mut().find(|game| game.id == id)
    }

    /// The game that is looked at, and its character.
    pub fn shown(&self) -> Option<(&Game, usize)> {
        let shown = self.shown?;
        Some((self.get(shown.game)?, shown.character))
    }

    /// The game that would be saved: the one that is in no file on the way out, else the one that is looked at.
    pub fn to_save(&self) -> Option<&Game> {
        self.get(self.last_chance.or(self.shown.map(|shown| shown.game))?)
    }

    /// The frames of the character that is looked at.
    pub fn lane(&self) -> Option<&Lane> {
        let (game, character) = self.shown()?;
        game.lanes.get(character)
    }

    /// The one that is looked at is running, or was until it left.
    pub fn is_received(&self) -> bool {
        self.shown.is_some_and(|shown| Some(shown.game) == self.receiving)
    }

    pub fn new_id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id
    }

    /// One that was received and is in no file; the newest of them.
    pub fn unsaved(&self) -> Option<&Game> {
        self.games.iter().rev().find(|game| !game.is_saved() && !game.is_empty())
    }

    /// Whether work goes on off the drawing thread.
    pub fn has_jobs(&self) -> bool {
        self.opening.is_some() || self.saving.is_some() || self.judge.as_ref().is_some_and(Judge::is_busy)
    }

    /// Whether there is news to be looked for without anyone doing anything.
    pub fn is_moving(&self) -> bool {
        self.has_jobs()
            || self.tuned.is_some()
            || self.rate.is_something()
            || (self.listener.is_some() && !self.wake.is_set())
    }

    /// Another game; of too many one goes that nobody looks at. What of them was in no file is handed back.
    pub fn add(&mut self, game: Game) -> Vec<Game> {
        let mut lost = Vec::new();
        self.games.push(game);
        let of_headers = |games: &[Game]| games.iter().map(Game::bytes_of_header).sum::<usize>();
        while self.games.len() > MOST_GAMES || of_headers(&self.games) > MOST_HEADERS {
            let shown = self.shown.map(|shown| shown.game);
            let goes = |game: &Game| Some(game.id) != shown && Some(game.id) != self.receiving;
            let last = self.games.len() - 1;
            // What is in no file goes last, and of that the least first: a game that is begun again and again takes no place
            // from a long session.
            let order = |&index: &usize| {
                let game = &self.games[index];
                (!game.is_empty() && !game.is_saved(), game.bytes, index)
            };
            let Some(index) = (0..last).filter(|&index| goes(&self.games[index])).min_by_key(order) else { break };
            let gone = self.games.remove(index);
            self.lost_before += gone.lost;
            if !gone.is_saved() && !gone.is_empty() {
                self.lost_before += gone.len() as u64;
                lost.push(gone);
            }
        }
        lost
    }

    /// Frames that came and were let go.
    pub fn lost(&self) -> u64 {
        self.traffic.dropped + self.lost_before + self.games.iter().map(|game| game.lost).sum::<u64>()
    }

    /// Lets frames go until all that is in memory has room: first those of games that nobody looks at.
    pub fn make_room(&mut self) {
        let mut total: usize = self.games.iter().map(Game::bytes).sum();
        let shown = self.shown.map(|shown| shown.game);
        while total > BUDGET {
            let before = total;
            let order = |game: &&mut Game| (Some(game.id) == shown || Some(game.id) == self.receiving, game.id);
            let mut games: Vec<&mut Game> = self.games.iter_mut().filter(|game| game.bytes > 0).collect();
            games.sort_by_key(order);
            for game in games {
                let bytes = game.bytes;
                let own = self.shown.filter(|shown| shown.game == game.id).map(|shown| shown.character);
                if game.drop_oldest(own) {
                    total -= bytes - game.bytes;
                    break;
                }
            }
            if total == before {
                return;
            }
        }
    }
}
