//! Writing recordings line by line.

use serde::Serialize;

use super::data::{GameFrame, Header, Mark};
use super::file::{FileHeader, FileLine, FileWrite, Seven};
use crate::full_body::Settings;
use crate::rig::RigidTransform;
use crate::trace::FileStep;

/// Writes a recording line by line. Omits parameters that equal those of the character's previous frame.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    last: Vec<Option<Settings>>,
    names: Vec<String>,
}

impl Writer {
    /// Creates a writer, and returns it with the first line, including the line end.
    pub fn new(header: &Header) -> (Self, String) {
        let names: Vec<String> = header.characters.iter().map(|character| character.name.clone()).collect();
        (Self { last: vec![None; names.len()], names }, to_line(&FileHeader::from(header)))
    }

    /// Returns a frame as a line, including the line end; `None` if the header lacks its character. A frame with
    /// numbers that are not finite or out of range becomes a malformed line.
    pub fn frame(&mut self, frame: &GameFrame) -> Option<String> {
        let (name, last) = (self.names.get(frame.character)?, self.last.get_mut(frame.character)?);
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

fn to_line(value: &impl Serialize) -> String {
    // Serializing plain data into memory does not fail.
    let mut text = serde_json::to_string(value).unwrap_or_default();
    text.push('\n');
    text
}
