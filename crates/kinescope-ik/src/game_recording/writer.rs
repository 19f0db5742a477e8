//! Writing recordings line by line.

use serde::Serialize;

use super::data::{GameCharacter, GameFrame, Header, Mark, check_joining};
use super::file::{FileCharacter, FileHeader, FileLine, FileWrite, Seven};
use crate::error::Fault;
use crate::full_body::Settings;
use crate::json::to_json;
use crate::rig::RigidTransform;
use crate::trace::FileStep;

/// Writes a recording line by line, in version 2 of the format. Omits the parameters if all equal those of the
/// character's previous frame, or in its first frame the defaults.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    /// The characters by index, as in [`Reader::character`](super::Reader::character); `None` for an index that is
    /// free.
    here: Vec<Option<Present>>,
}

#[derive(Clone, Debug)]
struct Present {
    name: String,
    last: Option<Settings>,
}

impl Present {
    fn new(character: &GameCharacter) -> Option<Self> {
        Some(Self { name: character.name.clone(), last: None })
    }
}

impl Writer {
    /// Creates a writer, and returns it with the first line, including the line end.
    pub fn new(header: &Header) -> (Self, String) {
        let here = header.characters.iter().map(Present::new).collect();
        (Self { here }, to_line(&FileHeader::from(header)))
    }

    /// Adds a character, and returns its index for [`GameFrame::character`] and the line, including the line end.
    ///
    /// # Errors
    /// [`Fault`] if a character of this name is present, for more than [`MOST_CHARACTERS`](super::MOST_CHARACTERS), or
    /// for more than [`MOST_BONES`](super::MOST_BONES).
    pub fn join(&mut self, character: &GameCharacter) -> Result<(usize, String), Fault> {
        let names = self.here.iter().flatten().map(|own| own.name.as_str());
        check_joining(&character.name, character.skeleton.len(), names)?;
        let free = self.here.iter().position(Option::is_none);
        let index = free.unwrap_or(self.here.len());
        match self.here.get_mut(index) {
            Some(free) => *free = Present::new(character),
            None => self.here.push(Present::new(character)),
        }
        let join = Some(Box::new(FileCharacter::from(character)));
        Ok((index, to_line(&FileLine { join, ..<FileLine>::default() })))
    }

    /// Removes a character, and returns the line, including the line end. `None` if no character has this index.
    pub fn leave(&mut self, character: usize) -> Option<String> {
        let left = self.here.get_mut(character)?.take()?;
        Some(to_line(&FileLine { leave: Some(left.name), ..<FileLine>::default() }))
    }

    /// Returns a frame as a line, including the line end; `None` if its character is not present. A frame with
    /// numbers that are not finite or out of range becomes a malformed line.
    pub fn frame(&mut self, frame: &GameFrame) -> Option<String> {
        let Present { name, last } = self.here.get_mut(frame.character)?.as_mut()?;
        let parameters = (last.unwrap_or_default() != frame.parameters).then_some(frame.parameters);
        *last = Some(frame.parameters);
        let seven = |bones: &[RigidTransform]| bones.iter().copied().map(Seven).collect::<Vec<_>>();
        let steps = frame.steps.iter().map(|(step, nodes)| FileStep {
            iteration: step.iteration,
            stage: step.stage,
            nodes: nodes.clone(),
        });
        let writes = frame.writes.iter().map(|(stage, bones)| FileWrite {
            stage: *stage,
            bones: bones.iter().map(|(bone, at)| (*bone, Seven(*at))).collect(),
        });
        let line: FileLine = FileLine {
            mark: None,
            join: None,
            leave: None,
            character: Some(name.clone()),
            frame: Some(frame.frame),
            time: Some(frame.time),
            parameters,
            animated: Some(seven(&frame.animated)),
            steps: (!frame.steps.is_empty()).then(|| steps.collect()),
            writes: (!frame.writes.is_empty()).then(|| writes.collect()),
            result: frame.result.as_deref().map(seven),
        };
        Some(to_line(&line))
    }

    /// Returns a mark as a line, including the line end.
    pub fn mark(mark: &Mark) -> String {
        let line: FileLine = FileLine { mark: Some(mark.mark.clone()), time: Some(mark.time), ..FileLine::default() };
        to_line(&line)
    }
}

pub(super) fn to_line(value: &impl Serialize) -> String {
    let mut text = to_json(value);
    text.push('\n');
    text
}
