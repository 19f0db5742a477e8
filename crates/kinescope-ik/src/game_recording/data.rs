//! The data of a recording: header, frames, marks.

use std::collections::BTreeMap;

use glam::Vec3;

use crate::error::{Fault, Problem};
use crate::full_body::{Node, Part, Settings, Step};
use crate::rig::detect::{Mapping, ReferenceChoice, detect};
use crate::rig::{Biped, Bone, LocalTransform, Model, RigidTransform, Skeleton};
use crate::trace::{Rig, Trace, named_nodes};

/// Value of the field `format`.
pub const FORMAT: &str = "kinescope-recording";
/// The fault of a recording without a header.
pub const EMPTY: &str = "is empty; the first line of a recording says who recorded what";
/// Bytes of the longest line, without its end.
pub const MOST_LINE: usize = 16 << 20;
/// The most characters of a recording.
pub const MOST_CHARACTERS: usize = 256;
/// The most bones of a character.
pub const MOST_BONES: usize = 4096;

/// The first line: the program that recorded, and its characters.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// The program that recorded, for people.
    pub producer: String,
    /// In the order of the line.
    pub characters: Vec<GameCharacter>,
}

/// One character of a game, in model space.
#[derive(Clone, Debug, PartialEq)]
pub struct GameCharacter {
    /// Different from those of all other characters.
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
    /// The parameters of the solver.
    pub parameters: Settings,
    /// The pose handed to the solver.
    pub animated: Vec<RigidTransform>,
    /// Stages that the game reports, with the nodes that it reports.
    pub steps: Vec<(Step, BTreeMap<Node, Vec3>)>,
    /// Stages of writing that the game reports, with bones by index.
    pub writes: Vec<(Part, BTreeMap<usize, RigidTransform>)>,
    /// The pose that the game's own solver wrote.
    pub result: Option<Vec<RigidTransform>>,
}

/// A text at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// What happened, for people.
    pub mark: String,
    /// Seconds.
    pub time: f64,
}

/// A frame without its poses and stages, small enough to keep one for every frame of a long recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outline {
    /// Index into [`Header::characters`].
    pub character: usize,
    /// The game's own number.
    pub frame: u64,
    /// Seconds.
    pub time: f64,
    /// The line has parameters; without, those of the character's previous frame hold.
    pub has_parameters: bool,
    /// The line has the result of the game's own solver.
    pub has_result: bool,
}

/// A line after the first, as [`Reader::skim`](super::Reader::skim) returns it.
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
    /// Makes a character from bones and the pose that the solver is initialised in. Without a biped, finds one from these.
    ///
    /// # Errors
    /// [`Fault`] if there is no biped, or if the pose does not fit the skeleton.
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

    /// Returns the rig of a trace in a pose.
    pub fn rig(&self, animated: Vec<RigidTransform>) -> Rig {
        let (skeleton, biped, reference) = (self.skeleton.clone(), self.biped.clone(), self.reference.clone());
        Rig { skeleton, biped, reference, animated }
    }
}

impl GameFrame {
    /// Makes a frame with every stage of a solve.
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
    /// Checks the limits: 1 to [`MOST_CHARACTERS`] characters of [`MOST_BONES`] bones, with different names.
    ///
    /// # Errors
    /// [`Fault`] that names character and field.
    pub fn check(&self) -> Result<(), Fault> {
        check_characters(self.characters.iter().map(|own| (own.name.as_str(), own.skeleton.len())))
    }
}

/// Checks names and numbers of bones.
pub(super) fn check_characters<'a>(own: impl ExactSizeIterator<Item = (&'a str, usize)>) -> Result<(), Fault> {
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
            let message = format!("is {name:?}, as an earlier one is; names must differ");
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

/// Returns the skeleton with its reference pose as its rest pose.
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

/// Checks the number of bones of a pose.
///
/// # Errors
/// [`Fault`] for another number.
pub(crate) fn has_as_many(found: usize, expected: usize, place: &str) -> Result<(), Fault> {
    match found == expected {
        true => Ok(()),
        false => Err(Fault::new(place, Problem::Length { what: "bones", found, expected })),
    }
}

/// Checks that every node of a step has a finite place.
pub(crate) fn check_nodes(step: usize, nodes: impl IntoIterator<Item = (Node, Vec3)>) -> Result<(), Fault> {
    match nodes.into_iter().find(|(_, at)| !at.is_finite()) {
        Some((node, _)) => {
            let place = format!("steps[{step}].nodes.{}", node.key());
            Err(Fault::new(place, Problem::NotFinite("a node is somewhere")))
        }
        None => Ok(()),
    }
}
