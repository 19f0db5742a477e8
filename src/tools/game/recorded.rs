//! A game: an opened recording, or the frames that a running game sent.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::frames::{Entry, Lane, Verdict};
use super::judge::Judged;
use super::marks::Marks;
use super::source::{Place, RecordingFile, Source, bytes_of};
use crate::character::body_mesh::BodyMesh;
use crate::tools::game::words as text;
use kinescope_ik::game_recording::{GameFrame, Header, Mark, Outline};
use kinescope_ik::rig::RigidTransform;

/// Approximate memory of a header's bone, bytes.
pub(super) const BYTES_OF_BONE: usize = 256;
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
    pub header: Arc<Header>,
    pub lanes: Vec<Lane>,
    /// Mesh chosen for each character. `None` draws capsules.
    pub bodies: Vec<Option<Arc<BodyMesh>>>,
    pub marks: Marks,
    /// Names of the places at which frames first differ: see [`Verdict::Differs`].
    pub places: Vec<String>,
    /// Number of frames dropped for lack of memory.
    pub lost: u64,
    /// Counts received frames, and marks that were added or removed.
    pub(super) revision: u64,
    /// The revision that was saved last.
    pub(super) saved: u64,
    /// Memory of the game's frames, bytes.
    bytes: usize,
}

impl Game {
    pub fn new(id: u64, name: String, header: Arc<Header>, origin: Origin) -> Self {
        let count = header.characters.len();
        let (lanes, bodies) = (vec![Lane::default(); count], vec![None; count]);
        Self {
            id,
            name,
            origin,
            header,
            lanes,
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

    pub fn set_body(&mut self, model: Option<PathBuf>) {
        match &mut self.origin {
            Origin::Link => {}
            Origin::File { body, .. } => *body = model,
        }
    }

    /// Removes and returns the command line's model. Returns `None` for a running game, or if no model is set.
    pub fn take_body(&mut self) -> Option<PathBuf> {
        match &mut self.origin {
            Origin::Link => None,
            Origin::File { body, .. } => body.take(),
        }
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn bytes_of_header(&self) -> usize {
        self.header.characters.iter().map(|own| own.skeleton.len() * BYTES_OF_BONE).sum()
    }

    pub fn len(&self) -> usize {
        self.lanes.iter().map(Lane::len).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn first_character(&self) -> usize {
        self.lanes.iter().position(|lane| !lane.is_empty()).unwrap_or(0)
    }

    pub const fn is_saved(&self) -> bool {
        self.revision == self.saved
    }

    /// Adds a received frame. Ignores frames whose poses have a wrong number of bones.
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
        lane.push(outline, Place::Memory(Arc::new(frame), bytes));
        self.bytes += bytes;
        self.revision += 1;
    }

    pub fn mark(&mut self, mark: &Mark) {
        self.revision += 1;
        self.marks.add(mark);
    }

    /// Adds the marks that arrived after a reconnection, once a frame has shown to which run they belong.
    pub fn add_marks(&mut self, marks: &Marks) {
        marks.iter().for_each(|mark| self.mark(mark));
        self.marks.lost += marks.lost;
    }

    pub fn toggle_mark(&mut self, mark: &Mark) {
        self.revision += 1;
        if !self.marks.remove(mark) {
            self.marks.add(mark);
        }
    }

    /// Returns whether a frame starts another run, that is, whether the time of its character goes back. If the game has
    /// reconnected since its last frame (`rejoined`), a character without frames is compared with all others.
    pub fn is_restarted_by(&self, frame: &GameFrame, rejoined: bool) -> bool {
        let last = |lane: &Lane| lane.last().map(|entry| entry.outline.time);
        match self.lanes.get(frame.character).and_then(last) {
            Some(before) => frame.time < before,
            None if self.is_empty() => false,
            None => rejoined && self.lanes.iter().filter_map(last).all(|before| frame.time < before),
        }
    }

    /// Drops the oldest frame in memory. Returns false if the frames are in a file, or if only the newest frames of the
    /// game and of the character `shown` remain.
    pub fn drop_oldest(&mut self, shown: Option<usize>) -> bool {
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

    /// Returns the source of a frame, which can be [read](Source::read) on any thread.
    pub fn source(&self, entry: &Entry) -> Source {
        let lane = self.lanes.get(entry.outline.character);
        Source::new(&self.header, entry, |number| lane?.get(number))
    }

    /// Returns number and source of the next frame of a character that is not yet compared with Kinescope's solve. Returns
    /// each frame once, unless it is [put back](Self::put_back).
    pub fn next_to_judge(&mut self, character: usize) -> Option<(u64, Source)> {
        let (number, entry) = self.lanes.get_mut(character)?.take_next()?;
        Some((number, self.source(&entry)))
    }

    pub fn put_back(&mut self, character: usize, number: u64) {
        if let Some(lane) = self.lanes.get_mut(character) {
            lane.put_back(number);
        }
    }

    pub fn judged(&mut self, character: usize, number: u64, judged: &Judged) {
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

    /// Returns the first differing place, or a text for a broken frame. Returns `None` if the frame does not differ.
    pub fn place(&self, verdict: Verdict) -> Option<&str> {
        match verdict {
            Verdict::Differs { place, .. } => self.places.get(usize::from(place)).map(String::as_str),
            Verdict::Broken => Some(text::VERDICT_MALFORMED),
            Verdict::Unknown | Verdict::NoResult | Verdict::Same => None,
        }
    }
}
