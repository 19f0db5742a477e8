//! Opening a recording: one pass over its lines, which keeps where each frame is.

use std::path::Path;
use std::sync::Arc;

use super::{At, Game, Place};
use crate::system::files::{self, Lines};
use kinescope_ik::game_recording::{EMPTY, Reader, Skimmed};

/// Frames between two looks at how far it is.
const TELLS: u64 = 256;

/// Goes over a recording. A last line that is cut off is a warning, handed back beside the game; `None` if it was told to
/// end early.
///
/// # Errors
/// One line that names file, line and field.
pub fn open(
    path: &Path,
    id: u64,
    progress: &mut dyn FnMut(f32) -> bool,
) -> Result<Option<(Game, Option<String>)>, String> {
    let say = |error: String| format!("{}: {error}", path.display());
    let mut lines = Lines::open(path).map_err(say)?;
    let size = lines.size().max(1);
    let mut reader = Reader::new();
    let mut game: Option<Game> = None;
    let mut parameters: Vec<Option<At>> = Vec::new();
    let mut warning = None;
    loop {
        let offset = lines.offset();
        if reader.lines().is_multiple_of(TELLS) && !progress(offset as f32 / size as f32) {
            return Ok(None);
        }
        let Some((text, has_end)) =
            lines.next_line().map_err(|error| say(format!("line {}: {error}", reader.lines() + 1)))?
        else {
            break;
        };
        let skimmed = match reader.skim(&text) {
            Ok(skimmed) => skimmed,
            // Who recorded it was cut off.
            Err(fault) if !has_end && reader.header().is_some() => {
                warning = Some(files::cut_off(path, &fault));
                break;
            }
            Err(fault) => return Err(say(fault.to_string())),
        };
        let game = match (&mut game, reader.header()) {
            (Some(game), _) => game,
            (None, Some(header)) => {
                parameters = vec![None; header.characters.len()];
                let mut opened = Game::new(id, files::name_of(path), Arc::new(header.clone()));
                opened.path = Some(path.to_owned());
                opened.file = Some(Arc::new(files::open(path).map_err(say)?));
                game.insert(opened)
            }
            (None, None) => continue,
        };
        match skimmed {
            Some(Skimmed::Frame(outline)) => {
                let asked = &mut parameters[outline.character];
                let own = At { offset, line: reader.lines() };
                if outline.has_parameters {
                    *asked = Some(own);
                }
                let place = Place::File { own, parameters: *asked };
                game.lanes[outline.character].push(outline, place);
            }
            Some(Skimmed::Mark(mark)) => game.mark(&mark),
            None => {}
        }
    }
    let mut game = game.ok_or_else(|| say(EMPTY.to_owned()))?;
    game.saved = game.revision;
    match game.is_empty() {
        true => Err(say("has no frames".to_owned())),
        false => Ok(Some((game, warning))),
    }
}
