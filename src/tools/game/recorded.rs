//! A game: an opened recording, or the frames that a running game sent.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::frames::{Entry, Lane, Verdict};
use super::judge::Judged;
use super::marks::Marks;
use super::source::{Place, RecordingFile, Source, bytes_of};
use crate::character::body_mesh::BodyMesh;
use crate::tools::game::words as text;
use kinescope_ik::game_recording::{GameCharacter, GameFrame, Header, Mark, Outline};
use kinescope_ik::rig::RigidTransform;

/// Approximate memory of a character's bone, bytes.
pub(super) const BYTES_OF_BONE: usize = 256;
/// Largest number of characters of a run of a running game, those that left included. Beyond it, another run begins.
const MOST_CHARACTERS: usize = 4096;
/// Largest memory for the characters of a run, bytes.
const MOST_BYTES_OF_CHARACTERS: usize = 32 << 20;
/// Largest number of names in [`Game::places`]. Further places share the last name.
const MOST_PLACES: usize = 1000;

#[derive(Debug)]
pub enum Origin {
    Link,
    File {
        path: PathBuf,
        file: Arc<RecordingFile>,
        /// The model named on the command line. Its mesh draws the character once the recording is shown.
        body: Option<PathBuf>,
    },
}

pub struct Game {
    pub id: u64,
    /// The file name of a recording. For a running game, the producer in its header, or else its address.
    pub name: String,
    pub origin: Origin,
    /// The header with which the run began.
    pub header: Arc<Header>,
    /// All characters of the run, those that left included. A character that joins again with the same name and rig
    /// keeps its entry, unless its time begins anew: see `entry_of`.
    pub characters: Vec<Arc<GameCharacter>>,
    pub lanes: Vec<Lane>,
    /// Index into `characters` for each index of the [reader](kinescope_ik::game_recording::Reader::character).
    present: Vec<Option<usize>>,
    /// Position of the newest event among those received: counts frames, joins, leaves and reconnections.
    clock: u64,
    /// Mesh chosen for each entry of `characters`. `None` draws capsules.
    pub(crate) bodies: Vec<Option<Arc<BodyMesh>>>,
    pub marks: Marks,
    /// Names of the places at which frames first differ: see [`Verdict::Differs`].
    pub places: Vec<String>,
    /// Number of frames dropped for lack of memory.
    pub lost: u64,
    /// Counts received frames, and marks that were added or removed.
    pub(super) revision: u64,
    pub(super) saved: u64,
    bytes: usize,
}

impl Game {
    pub fn new(id: u64, name: String, header: Arc<Header>, origin: Origin) -> Self {
        let count = header.characters.len();
        let (lanes, bodies) = (vec![Lane::joined(0); count], vec![None; count]);
        Self {
            id,
            name,
            origin,
            characters: header.characters.iter().cloned().map(Arc::new).collect(),
            header,
            lanes,
            present: (0..count).map(Some).collect(),
            clock: 0,
            bodies,
            marks: Marks::default(),
            places: Vec::new(),
            lost: 0,
            revision: 0,
            saved: 0,
            bytes: 0,
        }
    }

    pub fn path(&self) -> Option<&Path> {
        match &self.origin {
            Origin::Link => None,
            Origin::File { path, .. } => Some(path),
        }
    }

    pub fn parses(&self) -> u64 {
        match &self.origin {
            Origin::Link => 0,
            Origin::File { file, .. } => file.parses(),
        }
    }

    pub(super) fn forget_parsed(&self) {
        match &self.origin {
            Origin::Link => {}
            Origin::File { file, .. } => file.forget(),
        }
    }

    pub(crate) fn set_body(&mut self, model: Option<PathBuf>) {
        match &mut self.origin {
            Origin::Link => {}
            Origin::File { body, .. } => *body = model,
        }
    }

    pub(crate) fn take_body(&mut self) -> Option<PathBuf> {
        match &mut self.origin {
            Origin::Link => None,
            Origin::File { body, .. } => body.take(),
        }
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn bytes_of_header(&self) -> usize {
        self.characters.iter().map(|own| own.skeleton.len() * BYTES_OF_BONE).sum()
    }

    pub fn len(&self) -> usize {
        self.lanes.iter().map(Lane::len).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn first_character(&self) -> usize {
        let present = self.lanes.iter().position(|lane| !lane.is_empty() && lane.is_present());
        present.or_else(|| self.lanes.iter().position(|lane| !lane.is_empty())).unwrap_or(0)
    }

    pub(crate) fn time_range(&self) -> Option<[f64; 2]> {
        let ends = self.lanes.iter().filter_map(|lane| Some([lane.first()?.outline.time, lane.last()?.outline.time]));
        ends.reduce(|[from, to], [first, last]| [from.min(first), to.max(last)])
    }

    /// Returns whether one more character begins another run, so that a game that spawns for hours takes limited
    /// memory.
    pub(crate) fn is_full(&self) -> bool {
        self.characters.len() >= MOST_CHARACTERS || self.bytes_of_header() > MOST_BYTES_OF_CHARACTERS
    }

    fn known(&self, own: &GameCharacter) -> Option<usize> {
        self.characters.iter().position(|known| known.name == own.name && **known == *own)
    }

    /// Adds a character that joined at position `order`, or ends the absence of a known one. `index` is its index in
    /// the reader. Returns its entry.
    pub(super) fn join(&mut self, index: usize, own: &Arc<GameCharacter>, order: u64) -> usize {
        self.leave(index, order);
        let known = self.known(own).filter(|&known| !self.present.contains(&Some(known)));
        let entry = match known {
            Some(known) => {
                self.lanes[known].join(order);
                known
            }
            None => self.add(own.clone(), order),
        };
        self.present.resize(self.present.len().max(index + 1), None);
        self.present[index] = Some(entry);
        entry
    }

    fn add(&mut self, own: Arc<GameCharacter>, order: u64) -> usize {
        self.characters.push(own);
        self.lanes.push(Lane::joined(order));
        self.bodies.push(None);
        self.lanes.len() - 1
    }

    pub(super) fn leave(&mut self, index: usize, order: u64) -> Option<usize> {
        let entry = self.present.get_mut(index)?.take()?;
        self.lanes[entry].leave(order);
        Some(entry)
    }

    /// Returns the entry that gets a frame of the character with this index in the reader, or `None` if none is
    /// present. A character that has joined again, and whose time begins anew, gets another entry, because the times of
    /// a lane never decrease.
    pub(super) fn entry_of(&mut self, index: usize, time: f64) -> Option<usize> {
        let entry = self.present.get(index).copied().flatten()?;
        let is_before = self.lanes[entry].last().is_some_and(|last| time < last.outline.time);
        match if is_before { self.lanes[entry].take_empty_span() } else { None } {
            Some(joined) => {
                let another = self.add(self.characters[entry].clone(), joined);
                self.present[index] = Some(another);
                Some(another)
            }
            None => Some(entry),
        }
    }
    pub fn receive_join(&mut self, index: usize, own: &Arc<GameCharacter>) {
        self.clock += 1;
        self.join(index, own, self.clock);
    }

    pub fn receive_leave(&mut self, index: usize) -> Option<usize> {
        self.clock += 1;
        self.leave(index, self.clock)
    }

    /// Returns whether a header may be that of the same game after a reconnection: the header with which the run began,
    /// or one with the same producer, at least one character, and no character that the run lacks.
    pub(crate) fn is_continued_by(&self, header: &Header) -> bool {
        let is_known = || header.characters.iter().all(|own| self.known(own).is_some());
        *self.header == *header
            || (self.header.producer == header.producer && !header.characters.is_empty() && is_known())
    }

    /// Handles a reconnection of the same game with this header: the header's characters are present, and all others
    /// have left.
    pub(crate) fn rejoin(&mut self, header: &Header) {
        self.clock += 1;
        let entries: Vec<Option<usize>> = header.characters.iter().map(|own| self.known(own)).collect();
        for index in 0..self.present.len() {
            if self.present[index].is_some_and(|entry| !entries.contains(&Some(entry))) {
                self.leave(index, self.clock);
            }
        }
        for &entry in entries.iter().flatten() {
            if !self.lanes[entry].is_present() {
                self.lanes[entry].join(self.clock);
            }
        }
        self.present = entries;
    }

    pub(crate) fn next_run(&self, id: u64) -> Self {
        let present: Vec<(usize, usize)> =
            self.present.iter().enumerate().filter_map(|(index, entry)| Some((index, (*entry)?))).collect();
        let is_begin = present.iter().map(|(_, entry)| *entry).eq(0..self.header.characters.len());
        let header = match is_begin {
            true => self.header.clone(),
            false => {
                let characters = present.iter().map(|(_, entry)| GameCharacter::clone(&self.characters[*entry]));
                Arc::new(Header { producer: self.header.producer.clone(), characters: characters.collect() })
            }
        };
        let mut next = Self::new(id, self.name.clone(), header, Origin::Link);
        next.present = vec![None; self.present.len()];
        for (entry, (index, _)) in present.into_iter().enumerate() {
            next.present[index] = Some(entry);
        }
        next
    }

    pub const fn is_saved(&self) -> bool {
        self.revision == self.saved
    }

    /// Adds a received frame. Ignores frames of characters that are not present, and frames whose poses have a wrong
    /// number of bones.
    pub fn push(&mut self, mut frame: GameFrame) {
        let Some(present) = self.present.get(frame.character).copied().flatten() else { return };
        let bones = self.characters[present].skeleton.len();
        let fits = |pose: &Vec<RigidTransform>| pose.len() == bones;
        if !fits(&frame.animated) || !frame.result.as_ref().is_none_or(fits) {
            return;
        }
        let Some(entry) = self.entry_of(frame.character, frame.time) else { return };
        frame.character = entry;
        let outline = Outline {
            character: entry,
            frame: frame.frame,
            time: frame.time,
            has_parameters: true,
            has_result: frame.result.is_some(),
        };
        let bytes = bytes_of(&frame);
        self.clock += 1;
        self.lanes[entry].push(outline, Place::Memory(Arc::new(frame), bytes), self.clock);
        self.bytes += bytes;
        self.revision += 1;
    }

    pub fn mark(&mut self, mark: &Mark) {
        self.revision += 1;
        self.marks.add(mark);
    }

    pub(crate) fn add_marks(&mut self, marks: &Marks) {
        marks.iter().for_each(|mark| self.mark(mark));
        self.marks.lost += marks.lost;
    }

    pub(crate) fn toggle_mark(&mut self, mark: &Mark) {
        self.revision += 1;
        if !self.marks.remove(mark) {
            self.marks.add(mark);
        }
    }

    /// Returns whether a frame starts another run: its time is before the last frame of its character. If the game has
    /// reconnected since its last frame (`rejoined`), the first frame of a new character is compared with the last frames of
    /// all others. The first frame of a character that joins again never starts a run.
    pub(crate) fn is_restarted_by(&self, frame: &GameFrame, rejoined: bool) -> bool {
        let last = |lane: &Lane| lane.last().map(|entry| entry.outline.time);
        let Some(lane) = self.present.get(frame.character).copied().flatten().map(|entry| &self.lanes[entry]) else {
            return false;
        };
        match last(lane) {
            // The time of a character that joined again may begin anew.
            Some(before) => frame.time < before && !lane.has_empty_span(),
            None if self.is_empty() => false,
            None => rejoined && self.lanes.iter().filter_map(last).all(|before| frame.time < before),
        }
    }

    /// Drops the oldest frame in memory. Returns false if the frames are in a file, or if only the newest frames of the
    /// game and of the character `shown` remain.
    pub(crate) fn drop_oldest(&mut self, shown: Option<usize>) -> bool {
        let newest = |lane: &Lane| lane.last().map_or(f64::NEG_INFINITY, |entry| entry.outline.time);
        let last = (0..self.lanes.len()).max_by(|&a, &b| newest(&self.lanes[a]).total_cmp(&newest(&self.lanes[b])));
        let kept = |index: usize| usize::from(Some(index) == last || Some(index) == shown);
        let held = self.lanes.iter_mut().enumerate().filter(|(index, lane)| lane.len() > kept(*index));
        let oldest = held.map(|(_, lane)| lane).min_by(|a, b| {
            let time = |lane: &Lane| lane.first().map_or(0.0, |entry| entry.outline.time);
            time(a).total_cmp(&time(b))
        });
        let Some(bytes) = oldest.and_then(Lane::drop_oldest) else { return false };
        self.bytes -= bytes;
        self.lost += 1;
        true
    }

    pub fn source(&self, entry: &Entry) -> Source {
        let own = entry.outline.character;
        Source::new(&self.characters[own], entry, |number| self.lanes[own].get(number))
    }

    /// Returns number and source of the next frame of a character without a verdict. Each frame is returned once,
    /// unless it is [put back](Self::put_back).
    pub fn next_to_judge(&mut self, character: usize) -> Option<(u64, Source)> {
        let (number, entry) = self.lanes.get_mut(character)?.take_next()?;
        Some((number, self.source(&entry)))
    }

    pub(crate) fn put_back(&mut self, character: usize, number: u64) {
        if let Some(lane) = self.lanes.get_mut(character) {
            lane.put_back(number);
        }
    }

    pub(crate) fn judged(&mut self, character: usize, number: u64, judged: &Judged) {
        let verdict = match judged {
            Judged::Same => Verdict::Same,
            Judged::Differs { place, apart } => Verdict::Differs { place: self.place_index(place), apart: *apart },
            Judged::Broken(_) => Verdict::Broken,
        };
        if let Some(lane) = self.lanes.get_mut(character) {
            lane.judge(number, verdict);
        }
    }

    fn place_index(&mut self, place: &str) -> u16 {
        let known = self.places.iter().position(|known| known == place);
        let index = known.unwrap_or_else(|| {
            match MOST_PLACES.saturating_sub(self.places.len()) {
                0 => {}
                1 => self.places.push(text::OTHER_PLACES.to_owned()),
                _ => self.places.push(place.to_owned()),
            }
            self.places.len() - 1
        });
        index as u16
    }

    pub fn place(&self, verdict: Verdict) -> Option<&str> {
        match verdict {
            Verdict::Differs { place, .. } => self.places.get(usize::from(place)).map(String::as_str),
            Verdict::Broken => Some(text::VERDICT_BROKEN),
            Verdict::Unknown | Verdict::NoResult | Verdict::Same => None,
        }
    }
}
