//! The data of a recording: header, frames and marks.

use std::collections::BTreeMap;

use glam::Vec3;

use crate::error::{Fault, Problem};
use crate::full_body::{Node, Part, Settings, Step};
use crate::rig::detect::{Mapping, ReferenceChoice, detect};
use crate::rig::{Biped, Bone, LocalTransform, Model, RigidTransform, Skeleton};
use crate::trace::{Rig, Trace, named_nodes};

/// The value of the field `format`.
pub const FORMAT: &str = "kinescope-recording";
/// The version that [`Writer`](super::Writer) writes. [`Reader`](super::Reader) also reads version 1.
pub const VERSION: u64 = 2;
/// The error text for a recording without a header.
pub const EMPTY: &str = "is empty; the first line of a recording is its header";
/// The largest length of a line in bytes, without its end.
pub const MOST_LINE: usize = 16 << 20;
/// The largest number of characters that are present at the same time.
pub const MOST_CHARACTERS: usize = 256;
/// The largest number of bones in a character.
pub const MOST_BONES: usize = 4096;

/// The first line: the program that made the recording, and the characters that are present at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// The name of the program, for people.
    pub producer: String,
    /// The characters, in the order of the line; may be empty.
    pub characters: Vec<GameCharacter>,
}

/// One character of a game, in model space.
#[derive(Clone, Debug, PartialEq)]
pub struct GameCharacter {
    /// The name. No two characters with the same name are present at the same time.
    pub name: String,
    /// Names and parents. The rest pose is the reference pose.
    pub skeleton: Skeleton,
    /// The roles of bones.
    pub biped: Biped,
    /// The pose that initializes the solver; model space, one transform per bone.
    pub reference: Vec<RigidTransform>,
}

/// One frame of one character.
#[derive(Clone, Debug, PartialEq)]
pub struct GameFrame {
    /// The index of the character: see [`Reader::character`](super::Reader::character).
    pub character: usize,
    /// The game's frame number.
    pub frame: u64,
    /// The time in seconds.
    pub time: f64,
    /// The parameters of the solver.
    pub parameters: Settings,
    /// The input pose of the solver; model space.
    pub animated: Vec<RigidTransform>,
    /// The stages that the game reported, with the nodes that it reported.
    pub steps: Vec<(Step, BTreeMap<Node, Vec3>)>,
    /// The stages of writing that the game reported, with bones by index.
    pub writes: Vec<(Part, BTreeMap<usize, RigidTransform>)>,
    /// The result of the game's solver, in model space; `None` if the game did not report it.
    pub result: Option<Vec<RigidTransform>>,
}

/// A text at a point in time.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// The text, for people.
    pub mark: String,
    /// The time in seconds.
    pub time: f64,
}

/// A frame without poses and stages. It is small enough to keep one for every frame of a long recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outline {
    /// The index of the character: see [`Reader::character`](super::Reader::character).
    pub character: usize,
    /// The game's frame number.
    pub frame: u64,
    /// The time in seconds.
    pub time: f64,
    /// True if the line has parameters; otherwise those of the character's previous frame apply, and in its first frame
    /// the defaults.
    pub has_parameters: bool,
    /// True if the line has the result of the game's solver.
    pub has_result: bool,
}

/// A line after the first, as [`Reader::skim`](super::Reader::skim) returns it.
pub type Skimmed = Line<Outline>;

/// A line after the first.
#[derive(Clone, Debug, PartialEq)]
pub enum Line<F = Box<GameFrame>> {
    /// A frame of a character.
    Frame(F),
    /// A text that the game set at a point in time.
    Mark(Mark),
    /// A character has joined, with this index: see [`Reader::character`](super::Reader::character).
    Join(usize),
    /// The character with this index has left. A character that joins later may get the index.
    Leave(usize),
}

impl GameCharacter {
    /// Creates a character from bones and the pose that initializes the solver. Detects the biped if `biped` is `None`.
    ///
    /// # Errors
    /// [`Fault`] if no biped is found, if the pose does not fit the skeleton, or if
    /// [`FullBody::new`](crate::FullBody::new) refuses the character.
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
        // A character that cannot be solved is an error here, not in its first frame.
        character.rig(Vec::new()).solver().map_err(|fault| fault.within("rig"))?;
        Ok(character)
    }

    /// Returns the rig of a trace with this input pose.
    pub fn rig(&self, animated: Vec<RigidTransform>) -> Rig {
        let (skeleton, biped, reference) = (self.skeleton.clone(), self.biped.clone(), self.reference.clone());
        Rig { skeleton, biped, reference, animated }
    }
}

impl GameFrame {
    /// Creates a frame with the input, the stages and the result of a trace, for a character's index, a frame number and
    /// a time in seconds.
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
}

impl Header {
    /// Checks the limits: at most [`MOST_CHARACTERS`] characters, each with at most [`MOST_BONES`] bones and a unique
    /// name.
    ///
    /// # Errors
    /// [`Fault`] with the character and the field.
    pub fn check(&self) -> Result<(), Fault> {
        check_characters(self.characters.iter().map(|own| (own.name.as_str(), own.skeleton.len())))
    }
}

pub(super) fn check_characters<'a>(own: impl ExactSizeIterator<Item = (&'a str, usize)>) -> Result<(), Fault> {
    let found = own.len();
    if found > MOST_CHARACTERS {
        let problem = Problem::TooMany { what: "characters", found, most: MOST_CHARACTERS };
        return Err(Fault::new("characters", problem));
    }
    let mut names = Vec::with_capacity(found);
    for (index, (name, bones)) in own.enumerate() {
        if names.contains(&name) {
            let message = format!("is {name:?}, the name of an earlier character; names must be unique");
            return Err(Fault::new(format!("characters[{index}].name"), message));
        }
        check_bones(bones).map_err(|fault| fault.within(format!("characters[{index}]")))?;
        names.push(name);
    }
    Ok(())
}

fn check_bones(found: usize) -> Result<(), Fault> {
    match found > MOST_BONES {
        true => Err(Fault::new("rig.bones", Problem::TooMany { what: "bones", found, most: MOST_BONES })),
        false => Ok(()),
    }
}

pub(crate) fn check_joining<'a>(
    name: &str,
    bones: usize,
    here: impl Iterator<Item = &'a str> + Clone,
) -> Result<(), Fault> {
    if here.clone().any(|own| own == name) {
        let message = format!("is {name:?}, the name of a character that is present; it must leave first");
        return Err(Fault::new("name", message));
    }
    let found = here.count() + 1;
    if found > MOST_CHARACTERS {
        return Err(Fault::new("", Problem::TooMany { what: "characters at a time", found, most: MOST_CHARACTERS }));
    }
    check_bones(bones)
}

/// Returns the skeleton with the reference pose as its rest pose.
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
        let why = detection.problems.join("; ");
        Fault::new("rig.biped", format!("is missing, and no biped was found: {why}; state the roles of the bones"))
    })
}

pub(crate) fn has_as_many(found: usize, expected: usize, place: &str) -> Result<(), Fault> {
    match found == expected {
        true => Ok(()),
        false => Err(Fault::new(place, Problem::Length { what: "bones", found, expected })),
    }
}

pub(crate) fn check_nodes(step: usize, nodes: impl IntoIterator<Item = (Node, Vec3)>) -> Result<(), Fault> {
    match nodes.into_iter().find(|(_, at)| !at.is_finite()) {
        Some((node, _)) => {
            let place = format!("steps[{step}].nodes.{}", node.key());
            Err(Fault::new(place, Problem::NotFinite("a position has finite coordinates")))
        }
        None => Ok(()),
    }
}
