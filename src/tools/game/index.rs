//! Opens a recording: one pass over its lines, which keeps the outline of each frame and the offset of its line.

use std::path::Path;
use std::sync::Arc;

use super::recorded::{Game, Origin};
use super::source::{LineAt, Place, RecordingFile};
use crate::system::files::{self, Lines};
use crate::tools::game::words as text;
use kinescope_ik::game_recording::{EMPTY, Outline, Reader, Skimmed};
use kinescope_ik::slices::report;

const PROGRESS_INTERVAL: u64 = 256;

/// Returns the recording and, if its last line is incomplete, a warning. `None` if `progress`, called with a fraction
/// from 0 to 1, returns false.
pub async fn open(
    path: &Path,
    id: u64,
    progress: &mut dyn FnMut(f32) -> bool,
) -> Result<Option<(Game, Option<String>)>, String> {
    let say = |error: String| text::file_error(&path.display(), &error);
    let mut lines = Lines::open(path).map_err(say)?;
    let size = lines.size().max(1);
    let mut reader = Reader::new();
    let mut opened: Option<(Game, Arc<RecordingFile>)> = None;
    let mut parameters: Vec<Option<u64>> = Vec::new();
    let mut warning = None;
    loop {
        let offset = lines.offset();
        if reader.lines().is_multiple_of(PROGRESS_INTERVAL) && !report(progress, offset as f32 / size as f32).await {
            return Ok(None);
        }
        let Some((text, has_end)) =
            lines.next_line().map_err(|error| say(text::line_error(&(reader.lines() + 1), &error)))?
        else {
            break;
        };
        let skimmed = match reader.skim(&text) {
            Ok(skimmed) => skimmed,
            // An interrupted program leaves an incomplete last line.
            Err(fault) if !has_end && reader.header().is_some() => {
                warning = Some(files::cut_off(path, &fault));
                break;
            }
            Err(fault) => return Err(say(fault.to_string())),
        };
        let (game, file) = match (&mut opened, reader.header()) {
            (Some(opened), _) => opened,
            (None, Some(header)) => {
                let file = Arc::new(RecordingFile::open(path).map_err(say)?);
                let origin = Origin::File { path: path.to_owned(), file: file.clone(), body: None };
                opened.insert((Game::new(id, files::name_of(path), Arc::new(header.clone()), origin), file))
            }
            (None, None) => continue,
        };
        match skimmed {
            Some(Skimmed::Frame(outline)) => {
                let Some(character) = game.entry_of(outline.character, outline.time) else { continue };
                let outline = Outline { character, ..outline };
                parameters.resize(game.lanes.len(), None);
                let (lane, parameters_from) = (&mut game.lanes[character], &mut parameters[character]);
                if outline.has_parameters {
                    *parameters_from = Some(lane.next_number());
                }
                let line = LineAt { offset, number: reader.lines() };
                let place = Place::File { file: file.clone(), line, parameters_from: *parameters_from };
                lane.push(outline, place, reader.lines());
            }
            Some(Skimmed::Mark(mark)) => game.mark(&mark),
            Some(Skimmed::Join(index)) => {
                let Some(own) = reader.character(index) else { continue };
                let entry = game.join(index, own, reader.lines());
                parameters.resize(game.lanes.len(), None);
                // A character that joins again starts with the default parameters.
                parameters[entry] = None;
            }
            Some(Skimmed::Leave(index)) => drop(game.leave(index, reader.lines())),
            None => {}
        }
    }
    let (mut game, _) = opened.ok_or_else(|| say(EMPTY.to_owned()))?;
    game.saved = game.revision;
    match game.is_empty() {
        true => Err(say(text::HAS_NO_FRAMES.to_owned())),
        false => Ok(Some((game, warning))),
    }
}
