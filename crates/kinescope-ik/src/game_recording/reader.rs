//! Reading recordings line by line.

use std::sync::Arc;

use serde::de::IgnoredAny;

use super::data::{EMPTY, GameCharacter, GameFrame, Header, Line, MOST_LINE, Outline, Skimmed, check_joining};
use super::file::{FileCharacter, FileHeader, FileLine, Kind, Last, Sketch, name_of_frame};
use crate::error::Fault;
use crate::full_body::Settings;
use crate::json::read_json;

/// Reads a recording line by line.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    header: Option<Header>,
    version: u64,
    /// The characters by index; `None` for an index that is free.
    here: Vec<Option<Present>>,
    lines: u64,
}

#[derive(Clone, Debug)]
struct Present {
    character: Arc<GameCharacter>,
    last: Last,
}

impl Present {
    fn new(character: GameCharacter) -> Option<Self> {
        Some(Self { character: Arc::new(character), last: Last::default() })
    }
}

impl Reader {
    /// Creates a reader before the first line.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the header; `None` before the first line was read.
    pub fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    /// Returns the character that has this index after the last line read. The characters of the header have the first
    /// indices, in their order. A character that joins gets the lowest free index, and a character that leaves frees
    /// its index. `None` for a free index.
    pub fn character(&self, index: usize) -> Option<&Arc<GameCharacter>> {
        self.here.get(index)?.as_ref().map(|present| &present.character)
    }

    /// Returns the number of lines read so far, including malformed ones.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Reads the next line, with or without its line end. Returns `None` for the first line, which is the header, and
    /// for an empty line after it. A malformed line only adds to [`Self::lines`], so reading can continue with the next
    /// line.
    ///
    /// # Errors
    /// [`Fault`] with the line and the field.
    pub fn read(&mut self, text: &str) -> Result<Option<Line>, Fault> {
        self.next_line(text, |own, text| {
            let mut line: FileLine = read_json(text)?;
            let time = match line.take_kind()? {
                Kind::Mark(mark) => return Ok(Line::Mark(mark)),
                Kind::Join(file) => return own.join(*file).map(Line::Join),
                Kind::Leave(name) => return own.leave(&name).map(Line::Leave),
                Kind::Frame(time) => time,
            };
            let (index, present) = own.find(line.character.as_deref())?;
            let frame = line.frame((index, &present.character.skeleton), &present.last, time)?;
            present.last = Last { frame: Some(frame.frame), time, parameters: frame.parameters };
            Ok(Line::Frame(Box::new(frame)))
        })
    }

    /// Reads the next line as [`Self::read`] does, but only the outline of a frame, which is many times faster.
    /// Parameters, poses and stages are not checked; [`GameCharacter::frame`] reports faults in them later.
    ///
    /// # Errors
    /// [`Fault`] with the line and the field.
    pub fn skim(&mut self, text: &str) -> Result<Option<Skimmed>, Fault> {
        self.next_line(text, |own, text| {
            let mut line: Sketch<IgnoredAny> = read_json(text)?;
            let time = match line.take_kind()? {
                Kind::Mark(mark) => return Ok(Line::Mark(mark)),
                Kind::Join(file) => return own.join(*file).map(Line::Join),
                Kind::Leave(name) => return own.leave(&name).map(Line::Leave),
                Kind::Frame(time) => time,
            };
            let (character, Present { last, .. }) = own.find(line.character.as_deref())?;
            last.check(time)?;
            let frame = line.frame.unwrap_or_else(|| last.next());
            (last.frame, last.time) = (Some(frame), time);
            let (has_parameters, has_result) = (line.parameters.is_some(), line.result.is_some());
            Ok(Line::Frame(Outline { character, frame, time, has_parameters, has_result }))
        })
    }

    fn find(&mut self, name: Option<&str>) -> Result<(usize, &mut Present), Fault> {
        let name = name_of_frame(name)?;
        let mut own = self.here.iter_mut().enumerate().filter_map(|(index, own)| Some((index, own.as_mut()?)));
        let found = own.find(|(_, own)| own.character.name == name);
        found.ok_or_else(|| Fault::new("character", not_here(name)))
    }

    fn join(&mut self, file: FileCharacter) -> Result<usize, Fault> {
        self.needs_version_2("join")?;
        let names = self.here.iter().flatten().map(|own| own.character.name.as_str());
        // Checked before the bones are read, because reading many bones takes long.
        let checked = check_joining(&file.name, file.bones(), names).and_then(|()| file.read());
        let joined = Present::new(checked.map_err(|fault| fault.within("join"))?);
        let free = self.here.iter().position(Option::is_none);
        let index = free.unwrap_or(self.here.len());
        match self.here.get_mut(index) {
            Some(free) => *free = joined,
            None => self.here.push(joined),
        }
        Ok(index)
    }

    fn leave(&mut self, name: &str) -> Result<usize, Fault> {
        self.needs_version_2("leave")?;
        let is_named = |own: &Option<Present>| own.as_ref().is_some_and(|own| own.character.name == name);
        let index = self.here.iter().position(is_named);
        let index = index.ok_or_else(|| Fault::new("leave", not_here(name)))?;
        self.here[index] = None;
        Ok(index)
    }

    fn needs_version_2(&self, field: &str) -> Result<(), Fault> {
        match self.version {
            1 => Err(Fault::new(field, "is not in version 1 of the format; write \"version\":2 in the header")),
            _ => Ok(()),
        }
    }

    fn next_line<T>(
        &mut self,
        text: &str,
        read: impl FnOnce(&mut Self, &str) -> Result<T, Fault>,
    ) -> Result<Option<T>, Fault> {
        self.lines += 1;
        let text = text.trim_end_matches(['\r', '\n']);
        let done = match &self.header {
            _ if text.len() > MOST_LINE => {
                let message = format!("has {} bytes; a line has {MOST_LINE} at most", text.len());
                Err(Fault::new("", message))
            }
            None if text.trim().is_empty() => Err(Fault::new("", EMPTY)),
            None => read_json::<FileHeader>(text).and_then(FileHeader::read).map(|(header, version)| {
                self.here = header.characters.iter().cloned().map(Present::new).collect();
                (self.header, self.version) = (Some(header), version);
                None
            }),
            Some(_) if text.trim().is_empty() => Ok(None),
            Some(_) => read(self, text).map(Some),
        };
        done.map_err(|fault| {
            // The parser sees one line and calls it line 1; the number of the line in the recording replaces this.
            let place = fault.place.replace("line 1, column", "column");
            let apart = if place.is_empty() { "" } else { ", " };
            Fault { place: format!("line {}{apart}{place}", self.lines), ..fault }
        })
    }
}

fn not_here(name: &str) -> String {
    format!("is {name:?}; no character of this name is present")
}

impl GameCharacter {
    /// Reads the line of a frame of this character that was [skimmed](Reader::skim) before. `before` are the parameters
    /// of the character's previous frame.
    ///
    /// # Errors
    /// [`Fault`] with the field.
    pub fn frame(&self, text: &str, outline: &Outline, before: &Settings) -> Result<GameFrame, Fault> {
        let line: FileLine = read_json(text.trim_end_matches(['\r', '\n']))?;
        let name = name_of_frame(line.character.as_deref())?;
        if name != self.name {
            return Err(Fault::new("character", format!("is {name:?}; expected {:?}", self.name)));
        }
        let last = Last { parameters: *before, ..Last::default() };
        let frame = line.frame((outline.character, &self.skeleton), &last, outline.time)?;
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
