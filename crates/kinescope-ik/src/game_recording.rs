//! Recordings of games: many frames of a program that may not be Kinescope (`kinescope-recording`, version 1).
//!
//! JSON Lines, UTF-8: what a running game sends over a socket and what lies in a file is the same text. The first line says
//! who and what, every other line is one frame of one character, or a mark:
//!
//! ```json
//! {"format":"kinescope-recording","version":1,"producer":"my game 0.3","characters":[{"name":"player","rig":{"bones":[{"name":"Hips","parent":-1,"reference":[0,0.9,0,0,0,0,1]}],"biped":{"pelvis":0,"...":"as in a trace"}}}]}
//! {"character":"player","frame":812,"time":13.5333,"parameters":{"solver":{}},"animated":[[0,0.9,0,0,0,0,1]],"steps":[{"iteration":0,"stage":"push","nodes":{"body":[0,1,0]}}],"writes":[{"stage":"spine","bones":{"0":[0,0.9,0,0,0,0,1]}}],"result":[[0,0.9,0,0,0,0,1]]}
//! {"mark":"jump","time":13.6}
//! ```
//!
//! | field | what | left out |
//! |---|---|---|
//! | `producer` | who recorded it, for people | empty |
//! | `characters` | 1 to 256 of them, each with a name of its own | error |
//! | `rig.bones` | 1 to 4,096, parents first, −1 for a root; `reference` is the pose that the solver is initialised in | error |
//! | `rig.biped` | the roles, by index into the bones, as in a [trace](crate::trace) | found from the reference pose and the names |
//! | `frame` | the game's own number | one more than that character's last |
//! | `time` | seconds; never goes back within a character | error |
//! | `parameters` | `solver`, `chains`, `effectors` as in a preset | those of that character's frame before; of the first one the defaults |
//! | `animated` | the pose handed to the game's solver | error |
//! | `steps`, `writes` | stages as in a trace, any of them, with any of their nodes and bones | none |
//! | `result` | the pose that the game's solver came to | none |
//!
//! A bone's transform is seven numbers: position, then rotation `[x, y, z, w]`; model space and model units. A line has
//! 16 MiB at most. Unknown fields are errors, and so are lines with two meanings: a field twice, a stage twice in `steps` or
//! `writes`, a field of a frame in the line of a `mark`.

use std::collections::BTreeMap;

use glam::{Quat, Vec3};
use serde::de::value::MapAccessDeserializer;
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::{Fault, Problem};
use crate::full_body::{Node, Nodes, Part, Settings, Step};
use crate::json::{check_header, read_json};
use crate::rig::detect::{Mapping, ReferenceChoice, detect};
use crate::rig::{Biped, Bone, LocalTransform, Model, RigidTransform, Skeleton};
use crate::trace::{
    FileBiped, FileStep, Rig, Trace, check_stages, check_write_stages, checked_at, named_nodes, parent_number,
    read_biped, read_bones, read_write,
};

/// Value of the field `format`.
pub const FORMAT: &str = "kinescope-recording";
/// What is wrong with a recording in which nobody says who they are.
pub const EMPTY: &str = "is empty; the first line of a recording says who recorded what";
/// Bytes of the longest line, without its end.
pub const MOST_LINE: usize = 16 << 20;
/// The most characters of a recording.
pub const MOST_CHARACTERS: usize = 256;
/// The most bones of a character.
pub const MOST_BONES: usize = 4096;

/// Who recorded, and which characters there are: the first line.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// For people.
    pub producer: String,
    /// In the order of the line.
    pub characters: Vec<GameCharacter>,
}

/// One character of a game; all of it in model space.
#[derive(Clone, Debug, PartialEq)]
pub struct GameCharacter {
    /// No two have the same.
    pub name: String,
    /// Names and parents. The rest pose is that of the reference pose.
    pub skeleton: Skeleton,
    /// Which bone plays which role.
    pub biped: Biped,
    /// The pose that the solver is initialised in.
    pub reference: Vec<RigidTransform>,
}

/// One frame of one character.
#[derive(Clone, Debug, PartialEq)]
pub struct GameFrame {
    /// Index into [`Header::characters`].
    pub character: usize,
    /// The game's own number.
    pub frame: u64,
    /// Seconds.
    pub time: f64,
    /// What the solver was asked for.
    pub parameters: Settings,
    /// The pose handed to the solver.
    pub animated: Vec<RigidTransform>,
    /// Stages that the game tells of, with those nodes that it tells of.
    pub steps: Vec<(Step, BTreeMap<Node, Vec3>)>,
    /// Stages of writing, likewise with bones by index.
    pub writes: Vec<(Part, BTreeMap<usize, RigidTransform>)>,
    /// What the game's own solver came to.
    pub result: Option<Vec<RigidTransform>>,
}

/// Something that the game says of a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// What happened.
    pub mark: String,
    /// Seconds.
    pub time: f64,
}

/// A frame without its poses and stages: what a long recording is looked up by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outline {
    /// Index into [`Header::characters`].
    pub character: usize,
    /// The game's own number.
    pub frame: u64,
    /// Seconds.
    pub time: f64,
    /// It says what the solver was asked for; else that is as in the character's frame before.
    pub has_parameters: bool,
    /// It says what the game's own solver came to.
    pub has_result: bool,
}

/// A line after the first, [skimmed](Reader::skim).
#[derive(Clone, Debug, PartialEq)]
pub enum Skimmed {
    /// A frame of a character.
    Frame(Outline),
    /// A mark.
    Mark(Mark),
}

/// A line after the first.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// A frame of a character.
    Frame(Box<GameFrame>),
    /// A mark.
    Mark(Mark),
}

impl GameCharacter {
    /// A character from names and parents, and the pose that the solver is initialised in; where no biped is given, it is found
    /// from these.
    ///
    /// # Errors
    /// [`Fault`] for what makes no biped, or a pose that does not fit the skeleton.
    pub fn new(
        name: &str,
        skeleton: &Skeleton,
        biped: Option<Biped>,
        reference: Vec<RigidTransform>,
    ) -> Result<Self, Fault> {
        if reference.len() != skeleton.len() {
            let (found, expected) = (reference.len(), skeleton.len());
            return Err(Fault::new("reference", Problem::Length { what: "bones", found, expected }));
        }
        let skeleton = at_rest(skeleton, &reference)?;
        let biped = match biped {
            Some(biped) => biped,
            None => find_biped(name, &skeleton)?,
        };
        let character = Self { name: name.to_owned(), skeleton, biped, reference };
        // Whether it can be solved is known before the first frame.
        character.rig(Vec::new()).solver().map_err(|fault| fault.within("rig"))?;
        Ok(character)
    }

    /// The trace's rig in a pose.
    pub fn rig(&self, animated: Vec<RigidTransform>) -> Rig {
        let (skeleton, biped, reference) = (self.skeleton.clone(), self.biped.clone(), self.reference.clone());
        Rig { skeleton, biped, reference, animated }
    }
}

impl GameFrame {
    /// Every stage of a solve as a frame.
    pub fn of_trace(trace: &Trace, (character, frame, time): (usize, u64, f64)) -> Self {
        let steps = trace.steps.iter().map(|(step, nodes)| (*step, named_nodes(nodes)));
        Self {
            character,
            frame,
            time,
            parameters: trace.parameters,
            animated: trace.rig.animated.clone(),
            steps: steps.collect(),
            writes: trace.writes.clone(),
            result: Some(trace.result.clone()),
        }
    }

    /// The game's frame as a trace, and Kinescope's solve of the same input with those stages alone that the game tells
    /// of. Nodes that it does not tell of are where Kinescope has them: they do not count.
    ///
    /// # Errors
    /// [`Fault`] for what cannot be solved.
    pub fn traces(&self, character: &GameCharacter) -> Result<[Trace; 2], Fault> {
        let mut own = Trace::solve(&character.name, character.rig(self.animated.clone()), self.parameters)?;
        let filled = |(step, nodes): &(Step, BTreeMap<Node, Vec3>)| {
            // A stage that Kinescope does not have is a difference of its own.
            let mut filled = own.steps.iter().find(|(own, _)| own == step).map_or_else(Nodes::default, |(_, own)| *own);
            nodes.iter().for_each(|(&node, &place)| filled[node] = place);
            (*step, filled)
        };
        let game = Trace {
            steps: self.steps.iter().map(filled).collect(),
            writes: self.writes.clone(),
            result: self.result.clone().unwrap_or_default(),
            ..own.clone()
        };
        own.steps.retain(|(step, _)| self.steps.iter().any(|(told, _)| told == step));
        own.writes.retain(|(part, _)| self.writes.iter().any(|(told, _)| told == part));
        Ok([game, own])
    }
}

impl Header {
    /// Whether it reads: 1 to [`MOST_CHARACTERS`] characters of [`MOST_BONES`] bones, each with a name of its own.
    ///
    /// # Errors
    /// [`Fault`] that names character and field.
    pub fn check(&self) -> Result<(), Fault> {
        check_characters(self.characters.iter().map(|own| (own.name.as_str(), own.skeleton.len())))
    }

    /// Reads the line of a frame that was [skimmed](Reader::skim) before, alone. `before` is what its character's frames
    /// before it asked for.
    ///
    /// # Errors
    /// [`Fault`] that names the field.
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

/// What the line of a frame asks of the solver, if it says so.
///
/// # Errors
/// [`Fault`] that names the field.
pub fn parameters_of(text: &str) -> Result<Option<Settings>, Fault> {
    let line: Sketch<Settings> = read_json(text.trim_end_matches(['\r', '\n']))?;
    line.parameters.as_ref().map_or(Ok(()), Settings::validate).map_err(|fault| fault.within("parameters"))?;
    Ok(line.parameters)
}

/// What a character's next frame goes on from.
#[derive(Clone, Debug, Default)]
struct Last {
    frame: Option<u64>,
    time: f64,
    parameters: Settings,
}

/// Reads a recording, line by line.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    header: Option<Header>,
    last: Vec<Last>,
    lines: u64,
}

impl Reader {
    /// Before the first line.
    pub fn new() -> Self {
        Self::default()
    }

    /// What the first line said, once it was read.
    pub fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    /// How many lines were handed in.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// The next line, without its end; `None` for the first one, which is the header, and for an empty one. A line that is
    /// refused changes nothing: who wants to may go on with the next.
    ///
    /// # Errors
    /// [`Fault`] that names line and field.
    pub fn read(&mut self, text: &str) -> Result<Option<Line>, Fault> {
        self.next_line(text, |header, last, text| {
            let line: FileLine = read_json(text)?;
            let time = seconds(line.time)?;
            if let Some(mark) = &line.mark {
                let FileLine { character, frame, parameters, animated, steps, writes, result, time: _, mark: _ } =
                    &line;
                check_mark([
                    ("character", character.is_some()),
                    ("frame", frame.is_some()),
                    ("parameters", parameters.is_some()),
                    ("animated", animated.is_some()),
                    ("steps", steps.is_some()),
                    ("writes", writes.is_some()),
                    ("result", result.is_some()),
                ])?;
                return Ok(Line::Mark(Mark { mark: mark.clone(), time }));
            }
            let frame = line.frame(header, last, time)?;
            let last = &mut last[frame.character];
            (last.frame, last.time, last.parameters) = (Some(frame.frame), frame.time, frame.parameters);
            Ok(Line::Frame(Box::new(frame)))
        })
    }

    /// As [`Self::read`], but of a frame only what it is looked up by: many times as fast. Its poses may turn out not to
    /// read when they are [looked at](Header::frame).
    ///
    /// # Errors
    /// [`Fault`] that names line and field.
    pub fn skim(&mut self, text: &str) -> Result<Option<Skimmed>, Fault> {
        self.next_line(text, |header, last, text| {
            let line: Sketch<IgnoredAny> = read_json(text)?;
            let time = seconds(line.time)?;
            if let Some(mark) = &line.mark {
                let Sketch { character, frame, parameters, animated, steps, writes, result, time: _, mark: _ } = &line;
                check_mark([
                    ("character", character.is_some()),
                    ("frame", frame.is_some()),
                    ("parameters", parameters.is_some()),
                    ("animated", animated.is_some()),
                    ("steps", steps.is_some()),
                    ("writes", writes.is_some()),
                    ("result", result.is_some()),
                ])?;
                return Ok(Skimmed::Mark(Mark { mark: mark.clone(), time }));
            }
            let character = who(line.character.as_deref(), header)?;
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
            // The parser sees one line alone.
            let place = fault.place.replace("line 1, column", "column");
            let apart = if place.is_empty() { "" } else { ", " };
            Fault { place: format!("line {}{apart}{place}", self.lines), ..fault }
        })
    }
}

/// The time of a line.
pub(crate) fn seconds(time: Option<f64>) -> Result<f64, Fault> {
    let time = time.ok_or_else(|| Fault::new("time", Problem::Missing("seconds, as in 13.5")))?;
    match time.is_finite() {
        true => Ok(time),
        false => Err(Fault::new("time", Problem::NotFinite("it is a number of seconds"))),
    }
}

/// Whether the line of a mark has no field of a frame: of two meanings one would be dropped.
fn check_mark(fields: [(&str, bool); 7]) -> Result<(), Fault> {
    match fields.into_iter().find(|(_, is_there)| *is_there) {
        Some((field, _)) => {
            Err(Fault::new(field, "stands in the line of a `mark`; send the frame and the mark as two lines"))
        }
        None => Ok(()),
    }
}

/// The character of a line.
fn who(name: Option<&str>, header: &Header) -> Result<usize, Fault> {
    const WHO: &str = "the name of one of the header's characters, or `mark`";
    let name = name.ok_or_else(|| Fault::new("character", Problem::Missing(WHO)))?;
    let index = header.characters.iter().position(|own| own.name == name);
    index.ok_or_else(|| Fault::new("character", format!("is {name:?}; the header has no such character")))
}

impl Last {
    fn check(&self, time: f64) -> Result<(), Fault> {
        match self.frame.is_some() && time < self.time {
            true => {
                let message = format!(
                    "is {time}, before {}, that of this character's frame before; a run that begins anew is a recording, \
                     or a call, of its own",
                    self.time
                );
                Err(Fault::new("time", message))
            }
            false => Ok(()),
        }
    }

    /// The number of a frame that has none.
    fn next(&self) -> u64 {
        self.frame.map_or(0, |frame| frame.saturating_add(1))
    }
}

/// Writes a recording, line by line. Parameters are left out where they are those of the frame before.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    last: Vec<Option<Settings>>,
    names: Vec<String>,
}

impl Writer {
    /// A writer, and the first line, with its end.
    pub fn new(header: &Header) -> (Self, String) {
        let names: Vec<String> = header.characters.iter().map(|character| character.name.clone()).collect();
        (Self { last: vec![None; names.len()], names }, to_line(&FileHeader::from(header)))
    }

    /// A frame as a line, with its end; `None` for one of a character that the header does not have. That of a frame with
    /// numbers that are none, or out of their range, does not read.
    pub fn frame(&mut self, frame: &GameFrame) -> Option<String> {
        let (name, last) = (self.names.get(frame.character)?, self.last.get_mut(frame.character)?);
        let parameters = (last.unwrap_or_default() != frame.parameters).then_some(frame.parameters);
        *last = Some(frame.parameters);
        let seven = |bones: &[RigidTransform]| bones.iter().copied().map(Seven).collect();
        let steps = frame.steps.iter().map(|(step, nodes)| FileStep {
            iteration: step.iteration,
            stage: step.stage,
            nodes: nodes.clone(),
        });
        let writes = frame.writes.iter().map(|(stage, bones)| FileWrite {
            stage: *stage,
            bones: bones.iter().map(|(bone, at)| (*bone, Seven(*at))).collect(),
        });
        Some(to_line(&FileLine {
            mark: None,
            character: Some(name.clone()),
            frame: Some(frame.frame),
            time: Some(frame.time),
            parameters,
            animated: Some(seven(&frame.animated)),
            steps: (!frame.steps.is_empty()).then(|| steps.collect()),
            writes: (!frame.writes.is_empty()).then(|| writes.collect()),
            result: frame.result.as_deref().map(seven),
        }))
    }

    /// A mark as a line, with its end.
    pub fn mark(mark: &Mark) -> String {
        to_line(&FileLine { mark: Some(mark.mark.clone()), time: Some(mark.time), ..FileLine::default() })
    }
}

fn to_line(value: &impl Serialize) -> String {
    // Serialising plain data into memory does not fail.
    let mut text = serde_json::to_string(value).unwrap_or_default();
    text.push('\n');
    text
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileHeader {
    format: String,
    version: u64,
    #[serde(default)]
    producer: String,
    characters: Vec<FileCharacter>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileCharacter {
    name: String,
    rig: FileRig,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileRig {
    bones: Vec<FileBone>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    biped: Option<FileBiped>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileBone {
    name: String,
    /// −1 for a root.
    parent: i64,
    reference: Seven,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileLine {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mark: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    character: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    frame: Option<u64>,
    time: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parameters: Option<Settings>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    animated: Option<Vec<Seven>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<FileStep>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    writes: Option<Vec<FileWrite>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<Vec<Seven>>,
}

/// The fields of a [`FileLine`], most of them only gone over.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, bound = "P: Deserialize<'de>")]
struct Sketch<P> {
    mark: Option<String>,
    character: Option<String>,
    frame: Option<u64>,
    time: Option<f64>,
    parameters: Option<P>,
    result: Option<IgnoredAny>,
    animated: Option<IgnoredAny>,
    steps: Option<IgnoredAny>,
    writes: Option<IgnoredAny>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileWrite {
    stage: Part,
    bones: BTreeMap<usize, Seven>,
}

/// A transform as seven numbers; that of a trace, `{ "position": …, "rotation": … }`, is read as well.
#[derive(Clone, Copy)]
struct Seven(RigidTransform);

impl Serialize for Seven {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (p, r) = (self.0.position, self.0.rotation);
        [p.x, p.y, p.z, r.x, r.y, r.z, r.w].serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Seven {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Numbers;
        impl<'de> Visitor<'de> for Numbers {
            type Value = Seven;

            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("seven numbers, position and rotation [x, y, z, w]")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Seven, A::Error> {
                let mut numbers = [0.0; 7];
                for (index, number) in numbers.iter_mut().enumerate() {
                    let next = list.next_element()?;
                    *number = next.ok_or_else(|| serde::de::Error::invalid_length(index, &self))?;
                }
                if list.next_element::<IgnoredAny>()?.is_some() {
                    return Err(serde::de::Error::invalid_length(8, &self));
                }
                let [x, y, z, a, b, c, d] = numbers;
                Ok(Seven(RigidTransform { position: Vec3::new(x, y, z), rotation: Quat::from_xyzw(a, b, c, d) }))
            }

            fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Seven, A::Error> {
                RigidTransform::deserialize(MapAccessDeserializer::new(fields)).map(Seven)
            }
        }
        deserializer.deserialize_any(Numbers)
    }
}

impl From<&Header> for FileHeader {
    fn from(header: &Header) -> Self {
        let character = |own: &GameCharacter| FileCharacter {
            name: own.name.clone(),
            rig: FileRig {
                bones: own
                    .skeleton
                    .bones()
                    .iter()
                    .zip(&own.reference)
                    .map(|(bone, at)| FileBone {
                        name: bone.name.clone(),
                        parent: parent_number(bone),
                        reference: Seven(*at),
                    })
                    .collect(),
                biped: Some((&own.biped).into()),
            },
        };
        Self {
            format: FORMAT.to_owned(),
            version: crate::preset::VERSION,
            producer: header.producer.clone(),
            characters: header.characters.iter().map(character).collect(),
        }
    }
}

impl FileHeader {
    fn read(self) -> Result<Header, Fault> {
        check_header(Some(self.format.into()), Some(self.version.into()), FORMAT)?;
        // Before the bones are looked at: that takes long.
        check_characters(self.characters.iter().map(|own| (own.name.as_str(), own.rig.bones.len())))?;
        let characters = self
            .characters
            .into_iter()
            .enumerate()
            .map(|(index, file)| file.read().map_err(|fault| fault.within(format!("characters[{index}]"))));
        let characters = characters.collect::<Result<Vec<_>, _>>()?;
        Ok(Header { producer: self.producer, characters })
    }
}

impl FileCharacter {
    fn read(self) -> Result<GameCharacter, Fault> {
        let bones = self.rig.bones.into_iter().map(|bone| (bone.name, bone.parent, bone.reference.0));
        let (skeleton, reference) = read_bones(bones)?;
        let biped = self.rig.biped.map(|biped| read_biped(biped, skeleton.len())).transpose()?;
        GameCharacter::new(&self.name, &skeleton, biped, reference)
    }
}

/// Names and numbers of bones: what a header may have of them.
fn check_characters<'a>(own: impl ExactSizeIterator<Item = (&'a str, usize)>) -> Result<(), Fault> {
    let found = own.len();
    if found == 0 {
        return Err(Fault::new("characters", Problem::Empty("a recording has at least one")));
    }
    if found > MOST_CHARACTERS {
        let problem = Problem::TooMany { what: "characters", found, most: MOST_CHARACTERS };
        return Err(Fault::new("characters", problem));
    }
    let mut names = Vec::with_capacity(found);
    for (index, (name, bones)) in own.enumerate() {
        if names.contains(&name) {
            let message = format!("is {name:?}, as an earlier one is; each has a name of its own");
            return Err(Fault::new(format!("characters[{index}].name"), message));
        }
        if bones > MOST_BONES {
            let problem = Problem::TooMany { what: "bones", found: bones, most: MOST_BONES };
            return Err(Fault::new(format!("characters[{index}].rig.bones"), problem));
        }
        names.push(name);
    }
    Ok(())
}

/// The skeleton with its reference pose as its rest pose.
fn at_rest(skeleton: &Skeleton, reference: &[RigidTransform]) -> Result<Skeleton, Fault> {
    let bone = |(index, bone): (usize, &Bone)| {
        let local = match bone.parent {
            Some(parent) => reference[parent].to_local(&reference[index]),
            None => reference[index],
        };
        let rest = LocalTransform { translation: local.position, rotation: local.rotation, scale: Vec3::ONE };
        Bone { rest, ..bone.clone() }
    };
    Skeleton::new(skeleton.bones().iter().enumerate().map(bone).collect()).map_err(|fault| fault.within("rig"))
}

fn find_biped(name: &str, skeleton: &Skeleton) -> Result<Biped, Fault> {
    let model = Model { name: name.to_owned(), skeleton: skeleton.clone().into(), ..Model::default() };
    let detection = detect(&model, &Mapping::default(), ReferenceChoice::Auto);
    detection.biped.ok_or_else(|| {
        let why = detection.problems.first().map_or("", String::as_str);
        Fault::new("rig.biped", format!("is left out, and no biped was found: {why}; say which bone plays which role"))
    })
}

/// The bones of a pose as they are read, if there are as many as there should be.
fn read_pose(bones: Vec<Seven>, skeleton: &Skeleton, place: &str) -> Result<Vec<RigidTransform>, Fault> {
    has_as_many(bones.len(), skeleton.len(), place)?;
    let read = |(index, bone): (usize, Seven)| {
        checked_at(bone.0, skeleton, index).map_err(|fault| fault.within(format!("{place}[{index}]")))
    };
    bones.into_iter().enumerate().map(read).collect()
}

/// # Errors
/// [`Fault`] for a pose of another number of bones.
pub(crate) fn has_as_many(found: usize, expected: usize, place: &str) -> Result<(), Fault> {
    match found == expected {
        true => Ok(()),
        false => Err(Fault::new(place, Problem::Length { what: "bones", found, expected })),
    }
}

/// Whether every node of a step is somewhere.
pub(crate) fn check_nodes(step: usize, nodes: impl IntoIterator<Item = (Node, Vec3)>) -> Result<(), Fault> {
    match nodes.into_iter().find(|(_, at)| !at.is_finite()) {
        Some((node, _)) => {
            let place = format!("steps[{step}].nodes.{}", node.key());
            Err(Fault::new(place, Problem::NotFinite("a node is somewhere")))
        }
        None => Ok(()),
    }
}

impl FileLine {
    fn frame(self, header: &Header, last: &[Last], time: f64) -> Result<GameFrame, Fault> {
        let character = who(self.character.as_deref(), header)?;
        let (last, skeleton) = (&last[character], &header.characters[character].skeleton);
        last.check(time)?;
        if let Some(parameters) = &self.parameters {
            parameters.validate().map_err(|fault| fault.within("parameters"))?;
        }
        let animated =
            self.animated.ok_or_else(|| Fault::new("animated", Problem::Missing("a transform for each bone")))?;
        let animated = read_pose(animated, skeleton, "animated")?;
        let file_steps = self.steps.unwrap_or_default();
        let mut steps = Vec::with_capacity(file_steps.len());
        for (index, step) in file_steps.into_iter().enumerate() {
            check_nodes(index, step.nodes.iter().map(|(node, at)| (*node, *at)))?;
            steps.push((Step { iteration: step.iteration, stage: step.stage }, step.nodes));
        }
        check_stages(steps.iter().map(|(step, _)| *step))?;
        let file_writes = self.writes.unwrap_or_default();
        let mut writes = Vec::with_capacity(file_writes.len());
        for (index, write) in file_writes.into_iter().enumerate() {
            let bones = write.bones.into_iter().map(|(bone, at)| (bone, at.0));
            writes.push((write.stage, read_write(bones, index, skeleton)?));
        }
        check_write_stages(writes.iter().map(|(part, _)| *part))?;
        Ok(GameFrame {
            character,
            frame: self.frame.unwrap_or_else(|| last.next()),
            time,
            parameters: self.parameters.unwrap_or(last.parameters),
            animated,
            steps,
            writes,
            result: self.result.map(|result| read_pose(result, skeleton, "result")).transpose()?,
        })
    }
}
