//! Reading recordings line by line.

use serde::de::IgnoredAny;

use super::data::{GameFrame, Header, Line, MOST_LINE, Outline, Skimmed};
use super::file::{FileHeader, FileLine, Last, Sketch, find_character, seconds};
use crate::error::Fault;
use crate::full_body::Settings;
use crate::json::read_json;

/// Reads a recording line by line.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    header: Option<Header>,
    last: Vec<Last>,
    lines: u64,
}

impl Reader {
    /// Creates a reader before the first line.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the header, once the first line was read.
    pub fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    /// Returns the number of lines read so far, including malformed ones.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Reads the next line, with or without its line end. Returns `None` for the first line, which is the header, and
    /// for an empty line. A malformed line changes nothing, so reading can continue with the next line.
    ///
    /// # Errors
    /// [`Fault`] with the line and the field.
    pub fn read(&mut self, text: &str) -> Result<Option<Line>, Fault> {
        self.next_line(text, |header, last, text| {
            let line: FileLine = read_json(text)?;
            let time = seconds(line.time)?;
            if let Some(mark) = line.as_mark(time)? {
                return Ok(Line::Mark(mark));
            }
            let frame = line.frame(header, last, time)?;
            let last = &mut last[frame.character];
            (last.frame, last.time, last.parameters) = (Some(frame.frame), frame.time, frame.parameters);
            Ok(Line::Frame(Box::new(frame)))
        })
    }

    /// Reads the next line as [`Self::read`] does, but only the outline of a frame, which is many times faster. Poses
    /// and stages are not checked; [`Header::frame`] reports faults in them later.
    ///
    /// # Errors
    /// [`Fault`] with the line and the field.
    pub fn skim(&mut self, text: &str) -> Result<Option<Skimmed>, Fault> {
        self.next_line(text, |header, last, text| {
            let line: Sketch<IgnoredAny> = read_json(text)?;
            let time = seconds(line.time)?;
            if let Some(mark) = line.as_mark(time)? {
                return Ok(Skimmed::Mark(mark));
            }
            let character = find_character(line.character.as_deref(), header)?;
            let last = &mut last[character];
            last.check(time)?;
            let frame = line.frame.unwrap_or_else(|| last.next());
            (last.frame, last.time) = (Some(frame), time);
            let (has_parameters, has_result) = (line.parameters.is_some(), line.result.is_some());
            Ok(Skimmed::Frame(Outline { character, frame, time, has_parameters, has_result }))
        })
    }

    fn next_line<T>(
        &mut self,
        text: &str,
        read: impl FnOnce(&Header, &mut [Last], &str) -> Result<T, Fault>,
    ) -> Result<Option<T>, Fault> {
        self.lines += 1;
        let text = text.trim_end_matches(['\r', '\n']);
        let done = match &self.header {
            _ if text.len() > MOST_LINE => {
                let message = format!("has {} bytes; a line has {MOST_LINE} at most", text.len());
                Err(Fault::new("", message))
            }
            None => read_json::<FileHeader>(text).and_then(FileHeader::read).map(|header| {
                self.last = vec![Last::default(); header.characters.len()];
                self.header = Some(header);
                None
            }),
            Some(_) if text.trim().is_empty() => Ok(None),
            Some(header) => read(header, &mut self.last, text).map(Some),
        };
        done.map_err(|fault| {
            // The parser sees one line and calls it line 1; the number of the line in the recording replaces this.
            let place = fault.place.replace("line 1, column", "column");
            let apart = if place.is_empty() { "" } else { ", " };
            Fault { place: format!("line {}{apart}{place}", self.lines), ..fault }
        })
    }
}

impl Header {
    /// Reads the line of a frame that was [skimmed](Reader::skim) before. `before` are the parameters of the
    /// character's previous frame.
    ///
    /// # Errors
    /// [`Fault`] with the field.
    pub fn frame(&self, text: &str, outline: &Outline, before: &Settings) -> Result<GameFrame, Fault> {
        let mut last = vec![Last::default(); self.characters.len()];
        if let Some(last) = last.get_mut(outline.character) {
            last.parameters = *before;
        }
        let line: FileLine = read_json(text.trim_end_matches(['\r', '\n']))?;
        let frame = line.frame(self, &last, outline.time)?;
        Ok(GameFrame { frame: outline.frame, ..frame })
    }
}

/// Reads the parameters in a frame's line; `None` if it has none.
///
/// # Errors
/// [`Fault`] with the field.
pub fn parameters_of(text: &str) -> Result<Option<Settings>, Fault> {
    let line: Sketch<Settings> = read_json(text.trim_end_matches(['\r', '\n']))?;
    line.parameters.as_ref().map_or(Ok(()), Settings::validate).map_err(|fault| fault.within("parameters"))?;
    Ok(line.parameters)
}
