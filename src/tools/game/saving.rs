//! Writing a game as a recording in a background job.

use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use super::marks::Marks;
use super::recorded::Game;
use super::source::Source;
use crate::system::jobs::Job;
use crate::system::order::sort_by_key;
use crate::system::{files, threads};
use crate::tools::game::words as text;
use kinescope_ik::game_recording::{GameCharacter, GameFrame, Header, Writer};
use kinescope_ik::slices::{finish, report};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterSaving {
    Stay,
    Quit,
}

pub struct Saving {
    pub path: PathBuf,
    game: u64,
    revision: u64,
    pub then: AfterSaving,
    pub job: Job<Result<usize, String>>,
}

impl Saving {
    pub fn start(path: PathBuf, game: &Game, then: AfterSaving) -> Result<Self, String> {
        let (snapshot, own) = (Snapshot::of(game), path.clone());
        let job = Job::start(move |report| async move {
            let mut progress = |done: f32| report.done(done);
            let done = match threads::HAS_THREADS {
                true => files::write_through(&own, &mut |out| finish(snapshot.write(out, &mut progress))),
                // Without threads, writing has to pause for the window, which `write_through` cannot do. The bytes are
                // collected first, because a page keeps its files in memory anyway.
                false => {
                    let mut bytes = Vec::new();
                    let written = snapshot.write(&mut bytes, &mut progress).await;
                    let written = written.map_err(|error| format!("{}: {error}", own.display()));
                    written.and_then(|()| files::write(&own, &bytes))
                }
            };
            Some(done.map(|()| snapshot.frames))
        })?;
        Ok(Self { path, game: game.id, revision: game.revision, then, job })
    }

    pub(crate) fn is_of(&self, game: &Game) -> bool {
        game.id == self.game
    }

    pub(crate) fn mark_saved(&self, game: &mut Game) {
        game.saved = match self.then {
            AfterSaving::Stay => self.revision,
            // Frames received meanwhile also count as saved, so that the window does not ask again.
            AfterSaving::Quit => game.revision,
        };
    }
}

/// The contents of a game at the time when saving started.
struct Snapshot {
    header: Header,
    /// Indices of the game's characters that the header lists.
    begin: Vec<usize>,
    lines: Vec<(u64, SavedLine)>,
    frames: usize,
    marks: Marks,
}

/// A line of a recording. Characters are indices into the game's characters.
enum SavedLine {
    Join(usize, Arc<GameCharacter>),
    Frame(Source),
    Leave(usize),
}

impl Snapshot {
    fn of(game: &Game) -> Self {
        let (mut lines, mut begin) = (Vec::new(), Vec::new());
        for (index, (own, lane)) in game.characters.iter().zip(&game.lanes).enumerate() {
            lines.extend(lane.entries().map(|(_, entry)| (entry.order, SavedLine::Frame(game.source(entry)))));
            for span in lane.spans() {
                match span.joined {
                    0 => begin.push(index),
                    joined => lines.push((joined, SavedLine::Join(index, own.clone()))),
                }
                lines.extend(span.left.map(|left| (left, SavedLine::Leave(index))));
            }
        }
        // Lines stay in their order of arrival, because each character may have a time of its own.
        sort_by_key(&mut lines, |(order, _)| *order);
        let characters = begin.iter().map(|&index| GameCharacter::clone(&game.characters[index])).collect();
        let header = Header { producer: game.header.producer.clone(), characters };
        Self { header, begin, lines, frames: game.len(), marks: game.marks.clone() }
    }

    /// Writes the recording. `progress` gets a fraction from 0 to 1 and returns whether to continue.
    async fn write(&self, out: &mut dyn Write, progress: &mut dyn FnMut(f32) -> bool) -> std::io::Result<()> {
        let (mut writer, first) = Writer::new(&self.header);
        out.write_all(first.as_bytes())?;
        // The index of each present character in the writer.
        let mut present: HashMap<usize, usize> = self.begin.iter().copied().zip(0..).collect();
        let mut marks = self.marks.iter().peekable();
        for (index, (_, line)) in self.lines.iter().enumerate() {
            if index % 64 == 0 && !report(progress, index as f32 / self.lines.len() as f32).await {
                return Err(std::io::Error::other(text::WAS_CANCELLED));
            }
            let line = match line {
                SavedLine::Join(character, own) => {
                    let (index, line) = writer.join(own).map_err(std::io::Error::other)?;
                    present.insert(*character, index);
                    Some(line)
                }
                SavedLine::Leave(character) => present.remove(character).and_then(|index| writer.leave(index)),
                SavedLine::Frame(source) => {
                    while let Some(mark) = marks.next_if(|mark| mark.time <= source.outline.time) {
                        out.write_all(Writer::mark(mark).as_bytes())?;
                    }
                    let frame = source.read().map_err(std::io::Error::other)?;
                    let index = present.get(&frame.character).copied();
                    index.and_then(|character| writer.frame(&GameFrame { character, ..GameFrame::clone(&frame) }))
                }
            };
            out.write_all(line.unwrap_or_default().as_bytes())?;
        }
        for mark in marks {
            out.write_all(Writer::mark(mark).as_bytes())?;
        }
        Ok(())
    }
}
