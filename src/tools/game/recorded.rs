//! A game: a recording that was opened, or what a running game sent.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::frames::{Entry, Lane, Verdict};
use super::judge::Judged;
use super::marks::Marks;
use super::source::{Place, RecordingFile, Source, bytes_of};
use crate::character::body_mesh::BodyMesh;
use kinescope_ik::game_recording::{GameFrame, Header, Mark, Outline};
use kinescope_ik::rig::RigidTransform;

/// About what a bone of a header takes in memory.
pub(super) const BYTES_OF_BONE: usize = 256;
/// The most places of differences that are kept by name.
const MOST_PLACES: usize = 1000;

/// Where a game's frames come from.
#[derive(Debug)]
pub enum Origin {
    /// A running game sent them.
    Link,
    /// A recording that was opened.
    File {
        path: PathBuf,
        file: Arc<RecordingFile>,
        /// The model of the command line whose mesh its character is drawn with, once it is shown.
        body: Option<PathBuf>,
    },
}

/// See the module.
pub struct Game {
    /// Tells it from others.
    pub id: u64,
    /// The file's name, or the producer of the header.
    pub name: String,
    pub origin: Origin,
    pub header: Arc<Header>,
    /// One for each character of the header.
    pub lanes: Vec<Lane>,
    /// The mesh that the user chose for each character; `None` draws capsules.
    pub bodies: Vec<Option<Arc<BodyMesh>>>,
    pub marks: Marks,
    /// The names of places that first differ: see [`Verdict::Differs`].
    pub places: Vec<String>,
    /// Frames that were dropped because there was no room.
    pub lost: u64,
    /// Counts frames that came and marks that were set.
    pub(super) revision: u64,
    /// The revision that is in a file.
    pub(super) saved: u64,
    /// Bytes of its frames in memory.
    bytes: usize,
}

impl Game {
    /// A game without frames.
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

    /// The file of an opened recording.
    pub fn path(&self) -> Option<&Path> {
        match &self.origin {
            Origin::Link => None,
            Origin::File { path, .. } => Some(path),
        }
    }

    /// How many times a line of its file was parsed; 0 for a game that came over the link, whose frames the listener parsed.
    pub fn parses(&self) -> u64 {
        match &self.origin {
            Origin::Link => 0,
            Origin::File { file, .. } => file.parses(),
        }
    }

    /// Drops parsed frames of its file: another game is shown.
    pub(super) fn forget_parsed(&self) {
        match &self.origin {
            Origin::Link => {}
            Origin::File { file, .. } => file.forget(),
        }
    }

    /// Sets the model of the command line whose mesh an opened recording is to be drawn with.
    pub fn set_body(&mut self, model: Option<PathBuf>) {
        match &mut self.origin {
            Origin::Link => {}
            Origin::File { body, .. } => *body = model,
        }
    }

    /// Returns the model of the command line whose mesh the game is to be drawn with, once.
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

    /// The number of frames of all characters.
    pub fn len(&self) -> usize {
        self.lanes.iter().map(Lane::len).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The first character that has frames.
    pub fn first_character(&self) -> usize {
        self.lanes.iter().position(|lane| !lane.is_empty()).unwrap_or(0)
    }

    /// Whether all frames and marks are in a file.
    pub const fn is_saved(&self) -> bool {
        self.revision == self.saved
    }

    /// Adds a frame that came. Ignores one whose poses do not have as many bones as its character.
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

    /// Adds a mark that came.
    pub fn mark(&mut self, mark: &Mark) {
        self.revision += 1;
        self.marks.add(mark);
    }

    /// Adds marks that came before it was known that they belong to this game.
    pub fn add_marks(&mut self, marks: &Marks) {
        marks.iter().for_each(|mark| self.mark(mark));
        self.marks.lost += marks.lost;
    }

    /// Sets a mark, or removes it if it is set.
    pub fn toggle_mark(&mut self, mark: &Mark) {
        self.revision += 1;
        if !self.marks.remove(mark) {
            self.marks.add(mark);
        }
    }

    /// Whether a frame begins another run of the game: time goes back, whichever character's frame it is. `rejoined` says that
    /// the game has connected again since its last frame: then a character without frames is compared with all others.
    pub fn is_restarted_by(&self, frame: &GameFrame, rejoined: bool) -> bool {
        let last = |lane: &Lane| lane.last().map(|entry| entry.outline.time);
        match self.lanes.get(frame.character).and_then(last) {
            Some(before) => frame.time < before,
            None if self.is_empty() => false,
            None => rejoined && self.lanes.iter().filter_map(last).all(|before| frame.time < before),
        }
    }

    /// Drops the oldest frame that is in memory; `false` where there is none but the newest of all and of the character
    /// `shown`.
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

    /// Where the frame of an entry is: to be [read](Source::read) on any thread.
    pub fn source(&self, entry: &Entry) -> Source {
        let lane = self.lanes.get(entry.outline.character);
        Source::new(&self.header, entry, |number| lane?.get(number))
    }

    /// Returns the next frame of a character to be judged, with its number, once.
    pub fn next_to_judge(&mut self, character: usize) -> Option<(u64, Source)> {
        let (number, entry) = self.lanes.get_mut(character)?.take_next()?;
        Some((number, self.source(&entry)))
    }

    /// Sets the verdict of a frame.
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
            // Stages and bones bound the number of places; a game that invents names must not fill the memory.
            match MOST_PLACES.saturating_sub(self.places.len()) {
                0 => {}
                1 => self.places.push("one of very many places".to_owned()),
                _ => self.places.push(place.to_owned()),
            }
            self.places.len() - 1
        });
        index as u16
    }

    /// Where a frame first differs; `None` for one that does not differ.
    pub fn place(&self, verdict: Verdict) -> Option<&str> {
        match verdict {
            Verdict::Differs { place, .. } => self.places.get(usize::from(place)).map(String::as_str),
            Verdict::Broken => Some("malformed"),
            Verdict::Unknown | Verdict::NoResult | Verdict::Same => None,
        }
    }
}
